"""The subject of a command: a position, the end of a sequence, or a decision."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from itertools import takewhile

from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.match import Move, place_name
from gnubg_nactation.backgammon.notation import parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.arguments import file_argument, read_sequence, report_doubts
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.annotation import AnnotatedTurn
    from gnubg_nactation.decisions.decision import Decision
    from gnubg_nactation.files.copied import Copied

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


def add_cube_option(parser: argparse.ArgumentParser) -> None:
    """Declare --cube, for decisions of a match."""
    parser.add_argument(
        "--cube", action="store_true", help="use the cube decision before the roll of a match"
    )


def text_of(word: str, streams: Streams) -> str:
    """Return the stripped text of an argument: standard input for `-`, a copied text for a file.

    Raises MalformedError, IllegalError and OSError.
    """
    word = word.strip()
    is_short = len(word) < _ARGUMENT_CHARS
    if is_short and (word.startswith("-") or file_argument(word.partition("#")[0])):
        from gnubg_nactation.cli.copied import source_text

        return source_text(word, streams)
    return word


def read_subject(text: str, options: argparse.Namespace, streams: Streams) -> Subject:
    """Read any text that names a subject; a sequence may have a nacbrac after it.

    Raises MalformedError, IllegalError and OSError.
    """
    subject = read_named(text, options, streams)
    if subject:
        return subject
    if "[" not in text:
        try:
            decoded = read_sequence(text, options, streams)
        except MalformedError:
            if _ROLL.search(text):
                raise
            raise MalformedError(f"{_NO_SUBJECT}: {quoted(text)}") from None
        report_doubts(decoded, streams)
        return Subject(decoded.state, decoded=decoded)
    from gnubg_nactation.decisions.decision import read_decision
    from gnubg_nactation.nacbracs.parts import split
    from gnubg_nactation.nacbracs.resolving import CubeRead
    from gnubg_nactation.tasks.subjects import resolve

    (sequence, nacbracs), *others = split(text)
    if others or len(nacbracs) != 1:
        raise IllegalError("expected one sequence with one nacbrac")
    decoded = read_sequence(sequence, options, streams)
    report_doubts(decoded, streams)
    (nacbrac,) = resolve(decoded, nacbracs, options, streams)
    if isinstance(nacbrac, CubeRead):
        raise IllegalError("expected a nacbrac of plays, not of the cube")
    state = replace(decoded.state, roll=nacbrac.state.roll)
    return Subject(state, read_decision(nacbrac)._replace(state=state), decoded)


def read_named(text: str, options: argparse.Namespace, streams: Streams) -> Subject | None:
    """Read a position or a place in a match; return None for any other text.

    Raises as `read_subject` does.
    """
    if copied := _copied(text, options, streams):
        return copied
    place = _PLACE.fullmatch(text)
    named = None if place else parse_state(text)
    if (place or named) and getattr(options, "start", None):
        raise IllegalError("--from goes with a sequence")
    if place is None:
        return Subject(named) if named else None
    from gnubg_nactation.cli.match_places import read_place
    from gnubg_nactation.decisions.decision import cube_decision, play_decision

    (*turns, turn), players = read_place(place, streams)
    if turn.state is None:
        raise IllegalError(f"the board is not known at {place['game']}.{place['move']}")
    about_cube = getattr(options, "cube", False) or not isinstance(turn.action, Move)
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
    from gnubg_nactation.cli.copied import copied_in

    return copied_in(text)


def _copied(text: str, options: argparse.Namespace, streams: Streams) -> Subject | None:
    """Return the position of a text that XG or gnubg copies; None for other texts.

    Reports what is left out. Raises MalformedError if the analysis cannot be used at all.
    """
    positions = copied_in_text(text)
    if not positions:
        return _position_in(text)
    from gnubg_nactation.cli.copied import report_problems
    from gnubg_nactation.decisions.copied import decisions_of

    copied, *others = positions
    if others:
        count = len(positions)
        raise IllegalError(f"the text has {count} positions; name one, as in FILE#2 or -#2")
    if copied.state is None or (copied.problems and not copied.has_analysis):
        raise MalformedError(f"line {copied.line}: {copied.problems[0]}")
    report_problems(copied, streams)
    about_cube = getattr(options, "cube", False)
    decisions = decisions_of(copied)
    wanted = [decision for decision in decisions if (decision.cube is not None) == about_cube]
    if about_cube and not wanted:
        raise IllegalError("the text has no cube decision")
    decision = next(iter(wanted or decisions), None)
    return Subject(decision.state if decision else copied.state, decision, copied=copied)


def read_turn(
    words: Sequence[str], options: argparse.Namespace, streams: Streams
) -> tuple[Subject, str]:
    """Read `SUBJECT [ROLL [PLAY]]`: the subject, with the roll in its state, and the play's text.

    Raises as `read_subject` does.
    """
    first, *tail = words
    first = text_of(first, streams)
    turns = [*takewhile(_is_turn, words)]  # only those of a game can be its subject
    text = " ".join(["-".join(turns), *words[len(turns) :]] if turns else [first, *tail])
    turn = None if _EQUITY.search(first) else _split_turn(text)
    if turn:
        first, *tail = turn
        subject = read_subject(first, options, streams)
    else:
        subject_by_name = read_named(first, options, streams)
        if not subject_by_name and tail and not (_ROLL.fullmatch(tail[0]) and _is_name(tail[1:])):
            first, tail = text, []  # a sequence in several words
        subject = subject_by_name or read_subject(first, options, streams)
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


def decision_of(subject: Subject, options: argparse.Namespace, streams: Streams) -> Decision:
    """Return the decision of a subject; an engine finds the choices if nothing else has them.

    Raises EngineError, and IllegalError if there is nothing to decide.
    """
    from gnubg_nactation.cli.engine import NONE
    from gnubg_nactation.cli.progress import waiting
    from gnubg_nactation.decisions.decision import MAX_BEST, NEAR, decide_play
    from gnubg_nactation.engines.engine import check_playable
    from gnubg_nactation.engines.nacbracs import judge_cube, plays_to_judge
    from gnubg_nactation.engines.shortlist import rank_best
    from gnubg_nactation.errors import EngineError

    if subject.decision:
        return subject.decision
    if options.engine == NONE:
        raise EngineError("this decision has no analysis, and --engine is none")
    state = subject.state
    check_playable(state)
    engine = options.open_engine()
    depth = engine.bot.depth()
    with waiting(streams, f"asking {engine.bot.name}, {engine.bot.level(depth)}"):
        if not state.roll:
            return judge_cube(engine, state, depth)
        plays = plays_to_judge(state)
        rated = rank_best(engine, state, depth, within=NEAR)
        return decide_play(state, rated[:MAX_BEST], plays)
