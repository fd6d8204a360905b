"""What a user names: a position, a sequence, a decision of a match, or what XG and gnubg copy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import count, takewhile

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, annotate, presentable
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Match,
    Move,
    Take,
    move_numbers,
    place_name,
)
from gnubg_nactation.backgammon.notation import parse_hops, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.engine import check_playable
from gnubg_nactation.errors import (
    AmbiguousError,
    EngineError,
    IllegalError,
    MalformedError,
    UnreadError,
)
from gnubg_nactation.files.formats import is_match_file, read
from gnubg_nactation.language.dialects import CURRENT, DIALECTS, Dialect, dialect_on, plays_in
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import (
    Budget,
    Decoded,
    DecodedTurn,
    alternatives,
    decode,
    sound_in,
)
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.engines import (
    BOOK,
    NONE,
    engine_setting,
    names_engine,
)
from gnubg_nactation.tasks.face import Face, Watch, showing_progress
from gnubg_nactation.tasks.settings import Settings, setting
from gnubg_nactation.tasks.sources import STANDARD_INPUT
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.decisions.decision import Decision
    from gnubg_nactation.files.copied import Copied
    from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac, Nacbrac
    from gnubg_nactation.nacbracs.reading import CubeRead, NacbracRead
    from gnubg_nactation.sequences.assumption import Equities, Evaluator

# Sequences

_GROUP = "reading the sequence"


def _year(text: str) -> Dialect:
    if text in DIALECTS:
        return DIALECTS[text]
    raise MalformedError(f"{quoted(text)} is none of {', '.join(DIALECTS)}")


class StartSettings(Settings):
    """Where a sequence begins: `start` names a state, None is the usual one."""

    start: str | None = setting(
        None,
        "starting position: a Position ID, XGID, `start` or `nackgammon` (default: start)",
        "POSITION",
        flags="--from",
        group=_GROUP,
    )


_ASSUMING = (
    "engine for equities and --assume; naming one implies --assume (auto: gnubg, builtin or sage)"
)


class SequenceSettings(StartSettings):
    """How a sequence is read: `engine` chooses what `assume` lets characters leave open."""

    strict: bool = setting(False, "reject doubtful readings", group=_GROUP)
    dialect: Dialect = setting(
        CURRENT,
        "read characters as they were used in this year, 2009 to 2014 (default: current)",
        "YEAR",
        parse=_year,
        also={
            "--date": setting(
                CURRENT,
                "read characters as they were used on this day",
                "YYYY-MM-DD",
                parse=dialect_on,
            )
        },
        group=_GROUP,
    )
    assume: bool = setting(
        False,
        "let the engine choose plays that are not named in full (default: read to the letter)",
        group=_GROUP,
    )
    engine: str = engine_setting(_ASSUMING, group=_GROUP)


class RatedSequenceSettings(SequenceSettings):
    """As SequenceSettings; the engine also rates plays, and may be the book."""

    falls_back_on_book = True
    engine: str = engine_setting(_ASSUMING, book=True, group=_GROUP)


def equities_of(settings: SequenceSettings, face: Face) -> Evaluator | None:
    """Return the evaluator of `assume`; None if sequences are read to the letter.

    The face shows each question. Raises EngineError, now or at a question.
    """
    names_evaluator = names_engine(settings) and settings.engine != BOOK
    if settings.strict or not (settings.assume or names_evaluator):
        return None
    from gnubg_nactation.engines.analysing import evaluate

    engine = face.open_engine()
    questions = count(1)

    def equities(state: GameState) -> Equities:
        with showing_progress(face, f"asking {engine.bot.name}, question {next(questions)}"):
            return evaluate(engine, state)

    return equities


def start_of(settings: StartSettings) -> GameState | None:
    """Return the state that --from names; None without it."""
    return to_state(settings.start) if settings.start else None


def dialect_hint(usage: Dialect) -> str:
    """Return a hint that an older usage reads a sequence without doubt."""
    return f"{usage.hint}: --dialect {usage.name}"


def read_sequence(
    text: str, settings: SequenceSettings, face: Face, budget: Budget | None = None
) -> Decoded:
    """Decode a sequence by the settings above; a terminal shows each question to an engine.

    All texts of a file share its `budget`.
    """
    start, dialect = start_of(settings), settings.dialect
    try:
        decoded = decode(
            text,
            start=start,
            strict=settings.strict,
            assume=equities_of(settings, face),
            dialect=dialect,
            budget=budget,
        )
    except UnreadError:
        raise
    except (AmbiguousError, IllegalError, MalformedError) as error:
        if dialect is CURRENT and (usage := sound_in(text, start=start, budget=budget)):
            error.args = (f"{error}; it {dialect_hint(usage)}",)
        raise
    if dialect is CURRENT and not decoded.is_strict:
        usage = sound_in(text, start=start, budget=budget)
        return decoded.with_hint(dialect_hint(usage)) if usage else decoded
    return decoded


def read_sequences(
    text: str, settings: SequenceSettings, face: Face, budget: Budget | None = None
) -> tuple[Decoded, ...]:
    """Decode a sequence, or the plays of a list: `21S 41S 51S` or `43D/43Z` are openings."""
    plays: tuple[str, ...] = ()
    if not settings.start and "-" not in text:
        with suppress(MalformedError):
            plays = alternatives(parse_sequence(text))
    if not plays:
        return (read_sequence(text, settings, face, budget),)
    return tuple(_taken_for_opening(read_sequence(play, settings, face, budget)) for play in plays)


def _taken_for_opening(decoded: Decoded) -> Decoded:
    (turn,) = decoded.turns
    note = "; ".join(filter(None, (turn.note, "taken for an opening")))
    turn = replace(turn, note=note, sure=min(turn.sure, Confidence.LIKELY))
    return decoded._replace(turns=(turn,))


def report_doubts(decoded: Decoded, face: Watch) -> None:
    """Report the turns of a sequence whose reading is not sure."""
    for turn in decoded.turns:
        if turn.sure is not Confidence.SURE:
            face.report(f"{turn.token.text} is read as {turn.meaning}: {turn.doubt}")


def read_play(
    text: str, position: Position, roll: Roll, dialect: Dialect = CURRENT
) -> tuple[Play, Plays, Nactation | None]:
    """Return a play in traditional notation or a Nactation, and all plays of its roll.

    The last value is the Nactation, if the text is one.
    """
    plays = plays_in(Plays(position, roll), dialect)
    try:
        name = parse_nactation(text)
    except MalformedError:
        return parse_play(text, position, roll, plays), plays, None
    return plays.play(name), plays, name


# Matches


def read_matches(path: str, face: Face, encoding: str | None = None) -> Sequence[Match]:
    """Read the matches of a file, `-` for standard input. Raises MalformedError, OSError."""
    return read(face.read(path), encoding)


def read_place(
    place: re.Match[str], face: Face
) -> tuple[tuple[AnnotatedTurn, ...], tuple[str, str]]:
    """Return the turns of the game up to the place, and the names of the players.

    The groups of `place` are `file`, `match`, `game`, `move` and `who`. Raises MalformedError,
    IllegalError and OSError.
    """
    matches = _with_game(read_matches(place["file"], face), place, face)
    at = int(place["match"] or 1)
    if not 1 <= at <= len(matches):
        raise IllegalError(f"there is no match {at}; the file has {len(matches)}")
    annotated = presentable(annotate(matches[at - 1]))
    turns = _turns(annotated, int(place["game"]), int(place["move"]), place["who"])
    return turns, annotated.match.players


def _with_game(matches: Sequence[Match], place: re.Match[str], face: Face) -> Sequence[Match]:
    """Return the matches of a file; for a later game in a text report those of its own file.

    gnubg exports game 2 of `x.txt` as `x_002.txt`.
    """
    path, game = place["file"], int(place["game"])
    stem, dot, ending = path.rpartition(".")
    numbers = {each.number for match in matches for each in match.games}
    if len(numbers) != 1 or game in numbers or ending.lower() != "txt":
        return matches
    with suppress(OSError, MalformedError):
        later = read_matches(f"{stem}_{game:03}{dot}{ending}", face)
        if later[0].players == matches[0].players and later[0].games[0].number == game:
            return later
    return matches


def _turns(
    annotated: AnnotatedMatch, game: int, move: int, letter: str
) -> tuple[AnnotatedTurn, ...]:
    """Return a game up to a decision, the first of its move without a letter."""
    games = {each.number: each.turns for each in annotated.games}
    if game not in games:
        raise IllegalError(f"there is no game {game}; the match has {len(games)}")
    turns = games[game]
    numbers = move_numbers(turns)
    player = Player("ab".index(letter)) if letter else None
    for at, (turn, number) in enumerate(zip(turns, numbers, strict=True), 1):
        decides = isinstance(turn.action, Move | Double | Take | Drop)
        if number == move and decides and player in {None, turn.action.player}:
            return turns[:at]
    last = max(numbers, default=0)
    raise IllegalError(f"there is no decision {move}{letter} in game {game}; it has {last} moves")


# What XG and gnubg copy

_COPIED_PLACE = re.compile(r"(?P<source>.+)#(?P<number>\d{1,4})", re.DOTALL | re.ASCII)


def source_text(word: str, face: Face) -> str:
    """Return the text that an argument names, stripped; the argument itself if it names none.

    `-` is standard input. A file is its text if it has copied positions, and `FILE#2` or `-#2` the
    part about the second of them. Raises MalformedError, IllegalError and OSError.
    """
    word = word.strip()
    if word == STANDARD_INPUT:
        return text_of_bytes(face.read(STANDARD_INPUT)).strip()
    place = _COPIED_PLACE.fullmatch(word)
    source = place["source"] if place else word
    if source == STANDARD_INPUT:
        text = text_of_bytes(face.read(STANDARD_INPUT))
    elif face.is_file(source):
        data = face.read(source)
        if is_match_file(data):
            return word
        text = text_of_bytes(data)
    else:
        return word
    positions = copied_in(text)
    if not positions:
        return word
    if not place:
        return text.strip()
    number = int(place["number"])
    if not 1 <= number <= len(positions):
        raise IllegalError(f"there is no position {number}; the text has {len(positions)}")
    chosen = positions[number - 1]
    return text[chosen.start : chosen.end].strip()


def text_of_bytes(data: bytes, encoding: str | None = None) -> str:
    """Return the text of a file; without `encoding` of any bytes. Raises MalformedError."""
    from gnubg_nactation.files.mat import decode_text

    try:
        return decode_text(data, encoding)
    except MalformedError:
        if encoding:
            raise
        return data.decode("utf-8", "replace")


def copied_in(text: str) -> tuple[Copied, ...]:
    """Return the positions of a text if any has an analysis, or something wrong in one."""
    from gnubg_nactation.files.copied import read_copied

    positions = read_copied(text)
    return positions if any(each.has_analysis or each.problems for each in positions) else ()


def copied_in_file(data: bytes, encoding: str | None = None) -> tuple[Copied, ...]:
    """Return the positions of a file; none if it has another format."""
    return () if is_match_file(data) else copied_in(text_of_bytes(data, encoding))


def positions_in(data: bytes) -> tuple[Copied, ...]:
    """Return the positions of a text file, with an analysis or without; none of other formats."""
    from gnubg_nactation.files.copied import read_copied

    return () if is_match_file(data) else read_copied(text_of_bytes(data))


def report_problems(copied: Copied, face: Watch, name: str = "") -> bool:
    """Report what is wrong in a position and left out; return whether anything is."""
    place = f"{name}:{copied.line}" if name else f"line {copied.line}"
    for problem in copied.problems:
        face.report(f"{place}: {problem}")
    return bool(copied.problems)


# Subjects

SUBJECT_HELP = (
    "a sequence, a Position ID, an XGID, an OGID, `start`, `nackgammon`, a decision such as "
    "match.sgf#2.13b, a file copied from XG, or `-`"
)
TURN_HELP = f"{SUBJECT_HELP}; then a roll, and a play such as 8/5 6/5 or P"
CUBE_MISUSE = "--cube goes with MATCH#GAME.MOVE, or with what gnubg copies"
_NO_SUBJECT = "not a position, a sequence or a decision of a match"
_ROLL = re.compile("[1-6]{2}")
_PLACE = re.compile(
    r"(?P<file>.+)#(?:(?P<match>\d{1,4})\.)?(?P<game>\d{1,4})\.(?P<move>\d{1,4})(?P<who>[ab]?)",
    re.DOTALL | re.ASCII,
)


_EQUITY = re.compile(r"[.,]\d\d")  # all copied analyses have one
_BOARD = re.compile(r"\+1[23]-1[14]-1[05]-|Pip count|eXtreme Gammon|GNU Backgammon")
_ARGUMENT_CHARS = 4000  # no file has a longer name


def cube_setting() -> Any:
    """Declare whether the decision of a match is that about the cube."""
    return setting(False, "use the cube decision before the roll of a match")


def is_place(text: str) -> bool:
    """Whether a text has the form of a decision of a match, such as `match.sgf#2.13b`."""
    return _PLACE.fullmatch(text) is not None


class Subject(NamedTuple):
    """The state that a command is about, with its roll if there is one, and its source.

    The source is a `decoded` sequence, a `copied` text, or a `turn` of a match, the `turns` before
    it, and its place in words. The `decision` comes from a nacbrac or from an analysis.
    """

    state: GameState
    decision: Decision | None = None
    decoded: Decoded | None = None
    turns: tuple[AnnotatedTurn, ...] = ()
    turn: AnnotatedTurn | None = None
    players: tuple[str, str] | None = None
    where: str = ""
    copied: Copied | None = None

    @property
    def last(self) -> DecodedTurn | AnnotatedTurn | None:
        """The last turn of the sequence, or the turn of the match."""
        return self.decoded.turns[-1] if self.decoded and self.decoded.turns else self.turn


def text_of(word: str, face: Face) -> str:
    """Return the stripped text of an argument: standard input for `-`, a copied text for a file.

    Raises MalformedError, IllegalError and OSError.
    """
    word = word.strip()
    is_short = len(word) < _ARGUMENT_CHARS
    if is_short and (word.startswith("-") or face.is_file(word.partition("#")[0])):
        return source_text(word, face)
    return word


def read_subject(
    text: str, settings: SequenceSettings, face: Face, *, about_cube: bool = False
) -> Subject:
    """Read any text that names a subject; a sequence may have a nacbrac after it.

    Of a match or a copied text, `about_cube` asks for the cube decision before the roll.

    Raises MalformedError, IllegalError and OSError.
    """
    subject = read_named(text, settings, face, about_cube=about_cube)
    if subject:
        return subject
    if "[" not in text:
        try:
            decoded = read_sequence(text, settings, face)
        except MalformedError:
            if _ROLL.search(text):
                raise
            raise MalformedError(f"{_NO_SUBJECT}: {quoted(text)}") from None
        report_doubts(decoded, face)
        return Subject(decoded.state, decoded=decoded)
    from gnubg_nactation.decisions.decision import read_decision
    from gnubg_nactation.nacbracs.reading import CubeRead, split

    (sequence, nacbracs), *others = split(text)
    if others or len(nacbracs) != 1:
        raise IllegalError("expected one sequence with one nacbrac")
    decoded = read_sequence(sequence, settings, face)
    report_doubts(decoded, face)
    (nacbrac,) = resolve(decoded, nacbracs, settings, face)
    if isinstance(nacbrac, CubeRead):
        raise IllegalError("expected a nacbrac of plays, not of the cube")
    state = replace(decoded.state, roll=nacbrac.state.roll)
    return Subject(state, read_decision(nacbrac)._replace(state=state), decoded)


def resolve(
    decoded: Decoded,
    nacbracs: tuple[Nacbrac | CubeNacbrac, ...],
    settings: SequenceSettings,
    face: Face,
    *,
    looks_lost: bool = False,
) -> tuple[NacbracRead | CubeRead, ...]:
    """Return the nacbracs after a sequence with their states and plays. Raises IllegalError."""
    from gnubg_nactation.nacbracs.nacbrac import Nacbrac
    from gnubg_nactation.nacbracs.reading import CubeRead, read_cubes, read_nacbracs

    start = parse_state(settings.start) if settings.start else None
    roll = start.roll if start else None
    cubes = read_cubes(decoded, nacbracs, roll=roll)
    of_plays = [nacbrac for nacbrac in cubes if isinstance(nacbrac, Nacbrac)]
    if not of_plays:
        return tuple(nacbrac for nacbrac in cubes if isinstance(nacbrac, CubeRead))
    reads = iter(
        read_nacbracs(
            decoded,
            of_plays,
            roll=roll,
            strict=settings.strict,
            looks_lost=looks_lost,
            equities=equities_of(settings, face),
        )
    )
    return tuple(next(reads) if isinstance(cube, Nacbrac) else cube for cube in cubes)


def read_named(
    text: str, settings: StartSettings, face: Face, *, about_cube: bool = False
) -> Subject | None:
    """Read a position or a place in a match; return None for any other text.

    `about_cube` and errors as in `read_subject`.
    """
    if copied := _copied(text, face, about_cube):
        return copied
    place = _PLACE.fullmatch(text)
    named = None if place else parse_state(text)
    if (place or named) and settings.start:
        raise IllegalError("--from goes with a sequence")
    if place is None:
        return Subject(named) if named else None
    from gnubg_nactation.decisions.decision import cube_decision, play_decision

    (*turns, turn), players = read_place(place, face)
    if turn.state is None:
        raise IllegalError(f"the board is not known at {place['game']}.{place['move']}")
    about_cube = about_cube or not isinstance(turn.action, Move)
    decision = cube_decision(turn) if about_cube else play_decision(turn)
    state = replace(turn.state, roll=None) if about_cube else turn.state
    game, move, match = (int(place[name] or 1) for name in ("game", "move", "match"))
    where = place_name(game, move, turn.action.player, match)
    return Subject(state, decision, None, (*turns,), turn, players, where)


def _position_in(text: str) -> Subject | None:
    """Return the position of a text with a board, as XG and gnubg copy it; None for other texts."""
    if not _BOARD.search(text):
        return None
    from gnubg_nactation.files.copied import read_copied

    states = [copied.state for copied in read_copied(text)]
    return Subject(states[0]) if len(states) == 1 and states[0] else None


def copied_in_text(text: str) -> tuple[Copied, ...]:
    """Return the positions of a text that XG or gnubg copies; none for other texts."""
    if not _EQUITY.search(text):
        return ()
    return copied_in(text)


def _copied(text: str, face: Face, about_cube: bool) -> Subject | None:
    """Return the position of a text that XG or gnubg copies; None for other texts.

    Reports what is left out. Raises MalformedError if the analysis cannot be used at all.
    """
    positions = copied_in_text(text)
    if not positions:
        return _position_in(text)
    from gnubg_nactation.decisions.decision import decisions_of

    copied, *others = positions
    if others:
        count = len(positions)
        raise IllegalError(f"the text has {count} positions; name one, as in FILE#2 or -#2")
    if copied.state is None or (copied.problems and not copied.has_analysis):
        raise MalformedError(f"line {copied.line}: {copied.problems[0]}")
    report_problems(copied, face)
    decisions = decisions_of(copied)
    wanted = [decision for decision in decisions if (decision.cube is not None) == about_cube]
    if about_cube and not wanted:
        raise IllegalError("the text has no cube decision")
    decision = next(iter(wanted or decisions), None)
    return Subject(decision.state if decision else copied.state, decision, copied=copied)


def read_turn(words: Sequence[str], settings: SequenceSettings, face: Face) -> tuple[Subject, str]:
    """Read `SUBJECT [ROLL [PLAY]]`: the subject, with the roll in its state, and the play's text.

    Raises as `read_subject` does.
    """
    first, *tail = words
    first = text_of(first, face)
    turns = [*takewhile(_is_turn, words)]  # only those of a game can be its subject
    text = " ".join(["-".join(turns), *words[len(turns) :]] if turns else [first, *tail])
    turn = None if _EQUITY.search(first) else _split_turn(text)
    if turn:
        first, *tail = turn
        subject = read_subject(first, settings, face)
    else:
        subject_by_name = read_named(first, settings, face)
        if not subject_by_name and tail and not (_ROLL.fullmatch(tail[0]) and _is_name(tail[1:])):
            first, tail = text, []  # a sequence in several words
        subject = subject_by_name or read_subject(first, settings, face)
    roll = subject.state.roll
    if not tail or (roll and not tail[0].isdecimal()):
        return subject, " ".join(tail)
    state = replace(subject.state, roll=Roll.parse(tail[0]), doubled=False)
    return Subject(state), " ".join(tail[1:])


def _split_turn(text: str) -> tuple[str, str, str] | None:
    """Split a text before and after its last roll if it ends with a play in traditional notation.

    As in `54S-63R 31: 8/5 6/5`; the colon is optional. None for other texts.
    """
    words = text.split()
    at = len(words)
    while at and _is_move(words[at - 1]):
        at -= 1
    moves, head_text = words[at:], " ".join(words[:at])
    head, colon, first = head_text.rpartition(":")  # no blank after it
    if colon and _is_move(first):
        head_text, moves = head, [first, *moves]
    head_text = head_text.removesuffix(":").rstrip()
    separate = len(head_text) == 2 or head_text[-3:-2] in {" ", "-"}
    if not moves or not separate or not _ROLL.fullmatch(head_text[-2:]):
        return None
    return head_text[:-2].rstrip(" -"), head_text[-2:], " ".join(moves)


def _is_move(word: str) -> bool:
    try:
        return bool(parse_hops(word))
    except MalformedError:
        return False


def _is_turn(word: str) -> bool:
    return bool(_ROLL.fullmatch(word[:2])) and len(word) > 2 and _is_name([word[2:]])


def _is_name(words: Sequence[str]) -> bool:
    """Whether there are no words, or they are a Nactation."""
    try:
        return not words or bool(parse_nactation(" ".join(words)))
    except MalformedError:
        return False


def decision_of(subject: Subject, settings: SequenceSettings, face: Face) -> Decision:
    """Return the decision of a subject; an engine finds the choices if nothing else has them.

    Raises EngineError, and IllegalError if there is nothing to decide.
    """
    from gnubg_nactation.decisions.decision import MAX_BEST, NEAR, decide_play
    from gnubg_nactation.engines.nacbracs import judge_cube, plays_to_judge
    from gnubg_nactation.engines.shortlist import rank_best

    if subject.decision:
        return subject.decision
    if settings.engine == NONE:
        raise EngineError("this decision has no analysis, and --engine is none")
    state = subject.state
    check_playable(state)
    engine = face.open_engine()
    depth = engine.bot.depth()
    with showing_progress(face, f"asking {engine.bot.name}, {engine.bot.level(depth)}"):
        if not state.roll:
            return judge_cube(engine, state, depth)
        plays = plays_to_judge(state)
        rated = rank_best(engine, state, depth, within=NEAR)
        return decide_play(state, rated[:MAX_BEST], plays)
