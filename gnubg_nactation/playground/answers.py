"""What the page of the playground asks, by name, and gets as JSON.

Each of ANSWERS takes and gives values that JSON has; the page sends the bytes of a match beside
them. A board is an XGID; the player is 0 or 1, as in Player; a play is in traditional notation.

All that is needed is imported here: the page keeps the memory of a Python that has done so.
"""

from __future__ import annotations

import binascii
import json
import random
import re
import traceback
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice

from gnubg_nactation.annotation import AnnotatedMatch, annotate, remarks_on
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import find_state, format_position_id, format_xgid
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, replay, turn_cube
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.totals import totals
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.board.rendering import board_svg
from gnubg_nactation.exports.board.style import Theme
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.exports.page.text import on_black
from gnubg_nactation.exports.post.posts import (
    PostStyle,
    format_matches,
    format_position,
    format_sequence,
)
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.text import format_columns, match_title
from gnubg_nactation.files.formats import Source, is_sgf, is_xg, read, read_sources
from gnubg_nactation.language.alphabet import FAMILIES, Family, Right
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays, fan_naming
from gnubg_nactation.nacbracs.cube import Action, actions_of
from gnubg_nactation.nacbracs.resolving import ResolvedEntry
from gnubg_nactation.playground.meant import Meant, meant, meant_rather, written
from gnubg_nactation.prose.findings import Finding
from gnubg_nactation.prose.page import LONGEST
from gnubg_nactation.prose.reading import read_prose
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn, decode
from gnubg_nactation.sequences.drill import (
    Answer,
    Asked,
    Question,
    Subject,
    judge,
    letters_in,
    questions,
)
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import json_text, quoted
from gnubg_nactation.values import Any, replace
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.markup import read_markup

LARGEST = 8_000_000  # bytes of a match file, of which the page would take minutes
_LONGEST = 20_000  # characters of a sequence
_MOST = 500  # findings of a post
_CHOICES = 6  # letters to choose from
_TRIED = 200  # plays, to find some of certain letters
_LONGEST_ANSWER = 100  # characters of a letter and what may stand around it
_DEEPEST = 200  # tokens that are read one by one


def answer(name: str, arguments: str, data: bytes = b"") -> str:
    """What ANSWERS has for a name, as JSON: `{"value": ...}` or `{"error": message}`.

    `arguments` is a JSON list; where there is `data`, it goes before them. No error is raised.
    """
    try:
        given = [data] if data else []
        found: dict[str, Any] = {"value": ANSWERS[name](*given, *json.loads(arguments))}
    except NactationError as error:
        found = {"error": str(error)}
    except (MemoryError, RecursionError):
        found = {"error": "that is too much for the memory of a page"}
    except Exception as error:  # a mistake in this program, said with its place
        at = traceback.extract_tb(error.__traceback__)[-1]
        found = {"error": f"internal error at {at.name}, line {at.lineno}: {error!r}"[:500]}
    return json_text(found, close=True)


def look_of(name: Nactation) -> dict[str, Any]:
    """A Nactation as it looks: its plain spelling, the character, and what sets that apart."""
    character, italic, bold, colour = name.look
    tags = "i" * italic + "b" * bold + "u" * (name.family.suffix == "_")
    look: dict[str, Any] = {"name": str(name), "text": character}
    if tags:
        look["tags"] = tags
    if name.family.suffix == ".":
        look["dot"] = True
    if colour:
        look |= {"colour": colour_text(colour), "dark": on_black(colour)}
    return look


# What is typed


def typed(text: str) -> dict[str, Any]:
    """What a text says that is a position, a sequence, or a sequence behind a position.

    `turns` are as far as it can be read, `state` the board behind them, `options` what may follow,
    of which the `token` belongs behind `keep`: all plays of the last roll, or the answers to a
    double. `front` counts the characters of the position. `error` is what is wrong and where, with
    the looks of what is `possible` there, and `unfinished` says that a token has only begun.
    `instead` are texts that can be read and may be meant, the likeliest first, and `prose` says
    that it is rather a post.
    """
    if len(text) > _LONGEST:
        raise MalformedError(f"a text of {len(text)} characters is no sequence")
    state, front = find_state(text)
    begin = _begin(text, front)
    return _typed(text, begin, state) | {"front": front}


def _typed(text: str, begin: int, state: GameState | None) -> dict[str, Any]:
    rest = text[begin:]
    if not rest.strip():
        return _state_only(state or GameState(), text[:begin].strip())
    if state is None and rest.strip() in {"N", "n"}:  # what follows it is to be typed or rolled
        return _state_only(GameState(NACKGAMMON), text.strip())
    try:
        decoded = _read(rest, state)
    except (IllegalError, MalformedError) as error:
        return _broken(text, begin, state, error)
    value = _reading(decoded)
    token = value["turns"][-1]["token"] if value["turns"] else ""
    can_follow = "options" in value
    if can_follow and decoded.state.doubled:
        value["keep"] = text.rstrip(" -,;") + "-"
    elif can_follow and text.rstrip().endswith(token):
        value["keep"] = text.rstrip()[: 2 - len(token)] if token[2:] else text.rstrip()
    return value | _instead(meant_rather(text, begin, state, decoded))


def _begin(text: str, front: int) -> int:
    """Where the sequence begins behind a position that ends there."""
    return front + len(text[front:]) - len(text[front:].lstrip(_BEHIND)) if front else 0


_BEHIND = " \t\r\n\"'`\u201d\u2019)],;."


def _instead(found: Meant) -> dict[str, Any]:
    value: dict[str, Any] = {"instead": list(found.texts)} if found.texts else {}
    return value | {"prose": True} if found.is_post else value


def _state_only(state: GameState, name: str = "") -> dict[str, Any]:
    """A position without a sequence, or what stands before one that cannot be read."""
    value: dict[str, Any] = {"turns": [], "state": _board(state), "sequence": ""}
    if name:
        value["named"] = True
    if options := _to_follow(state):
        value["options"] = options
        # Who is on roll in the ID stays it.
        mark = "-" if state.player is Player.SECOND else ""
        value["keep"] = f"{name} {mark}{value['state']['roll']}"
    return value


def _to_follow(state: GameState) -> list[dict[str, Any]]:
    """What may follow in a state: the answers to a double, or the plays of its roll."""
    if state.doubled:
        return [{"said": "take", "token": "T"}, {"said": "pass", "token": "P"}]
    return _options(state.position, state.roll) if state.roll else []


def _reading(decoded: Decoded) -> dict[str, Any]:
    value: dict[str, Any] = {
        "turns": list(map(_turn, decoded.turns)),
        "state": _board(decoded.state),
        "sequence": written(decoded),
    }
    if decoded.start != GameState(decoded.parsed.start, decoded.parsed.starts):
        value["start"] = format_xgid(decoded.start)
    last = decoded.turns[-1] if decoded.turns else None
    if last and (isinstance(last.action, Drop) or not decoded.state.position.opponent_pips):
        value["over"] = 1
    if last and last.state.roll and isinstance(last.action, Move) and last.plays:
        value["options"] = _options(last.state.position, last.state.roll)
    elif decoded.state.doubled and "over" not in value:
        value["options"] = _to_follow(decoded.state)
    return value


def _broken(
    text: str, begin: int, start: GameState | None, error: IllegalError | MalformedError
) -> dict[str, Any]:
    """What can be read of a text that is wrong somewhere, and what is possible there."""
    at = error.at if error.text else 0
    rest = text[begin:]
    before = rest[:at].rstrip(" -,;")
    before = before if re.search("[A-Za-z0-9]{2}", before) else ""  # not `N ` alone
    try:
        read = _read(before, start) if before else None
    except (IllegalError, MalformedError):  # what is wrong may show only later
        read = None
    state = read.state if read else start
    name = text[:begin].strip()
    value = _reading(read) if read else _state_only(state or GameState(), name)
    for key in ("options", "keep"):
        value.pop(key, None)
    if re.fullmatch("[1-6]", rest[at:].strip()):
        return value | {"unfinished": "the second die"}
    rolled = re.match("[1-6]{2}", rest[at:])
    named = isinstance(error, IllegalError) and rolled is not None
    wrong = re.match(r"[^\s,;-]*", rest[at + 2 :]) if named else None
    first = begin + at + (2 if wrong and wrong[0] else 0)
    last = first + max(1, len(wrong[0]) if wrong else 1)
    told: dict[str, Any] = {
        "message": error.reason if isinstance(error, IllegalError) else str(error),
        "before": text[max(first - 40, 0) : first],
        "wrong": text[first:last],
        "after": text[last : last + 20],
    }
    if named and rolled and (read or not before) and "over" not in value:
        here = read.state if read else _opening(rest, start)
        opening = replace(_on_roll(here), roll=Roll.parse(rolled[0]))
        options = _to_follow(opening)
        value |= {"options": options, "keep": text[: begin + at + 2], "state": _board(opening)}
        told["possible"] = [one["look"] for one in options if "look" in one]
    return value | {"error": told} | _instead(meant(text, begin, start, _read))


def _on_roll(state: GameState) -> GameState:
    """Where the next roll is played: to roll takes a double that is offered."""
    if not state.doubled:
        return state
    taken = turn_cube(state, Take(state.player), state.player.other)
    position = state.position.switch_sides()
    return replace(taken, position=position, player=state.player.other)


def _opening(text: str, start: GameState | None) -> GameState:
    """Where a sequence begins whose first token cannot be read."""
    first = text.lstrip()[:1]
    nackgammon = NACKGAMMON if first in {"N", "n"} else None
    return decode("-" if first == "-" else "", start=start or nackgammon).state


# A token of a sequence that means the same whatever stands before it.
_TOKEN = r"[1-6]{2}(?:[A-Za-z0-9$%@#&^<>=+]_?(?:\{[1-9]\d*\})?)?|[CRTF]"
_HEAD = re.compile(rf"(?:N )?-?(?:{_TOKEN})(?:-(?:{_TOKEN}))*")
_TAIL = re.compile(rf"{_TOKEN}|P|[1-6]")
_NAMED = re.compile(r"[1-6]{2}[^-]")
_CHOICE = re.compile(r"(?:^|-)[1-6]{2}-[A-Z]")  # of the roll, and no action with the cube


def _read(text: str, start: GameState | None) -> Decoded:
    """As by `decode`, but only the last token is read where what stands before it is known.

    Who types asks at each key; a sequence is not read again for its last character.
    """
    head, _, tail = text.rpartition("-")
    before = None
    plain = _TAIL.fullmatch(tail) and len(head) < 4 * _DEEPEST and _HEAD.fullmatch(head)
    if plain and _NAMED.search(head) and not _CHOICE.search(text):
        before = _sound(head, start)
    if before is None:
        return decode(text, start=start)
    mark = "-" if before.state.player is Player.SECOND else ""
    try:
        after = decode(mark + tail, start=before.state)
    except IllegalError as error:
        at = len(head) + 1
        raise IllegalError(str(error), text=text, at=at, reason=error.reason) from None
    if any(turn.cost for turn in after.turns):
        return decode(text, start=start)
    count = len(before.turns)
    turns = [replace(turn, number=count + at) for at, turn in enumerate(after.turns, 1)]
    tokens = (*before.parsed.tokens, *after.parsed.tokens)
    parsed = before.parsed._replace(text=text, tokens=tokens)
    return Decoded(parsed, before.start, (*before.turns, *turns))


@lru_cache(maxsize=256)
def _sound(text: str, start: GameState | None) -> Decoded | None:
    """The reading of a text that leaves no doubt and no end of the game; else None."""
    head = text.rpartition("-")[0]
    if _NAMED.search(head) and _sound(head, start) is None:
        return None  # what stands behind a doubt does not end it
    try:
        decoded = _read(text, start)
    except (IllegalError, MalformedError):
        return None
    doubt = any(turn.cost or turn.how is ReadingKind.TO_PLAY for turn in decoded.turns)
    over = any(isinstance(turn.action, Drop) for turn in decoded.turns)
    return None if doubt or over else decoded


def _board(state: GameState) -> dict[str, Any]:
    """A board; of one that is `offered` a double, `player` is to answer the other."""
    value: dict[str, Any] = {
        "xgid": format_xgid(state),
        "id": format_position_id(state.position),
        "player": int(state.player),
        "roll": str(state.roll) if state.roll else "",
        "said": "",
    }
    return value | {"offered": 1} if state.doubled else value


def _turn(turn: DecodedTurn) -> dict[str, Any]:
    value: dict[str, Any] = _board(turn.state) | {
        "player": int(turn.action.player),
        "token": turn.token.text,
        "said": format_play(turn.play) if turn.play else "",
        "reading": turn.how.value,
        "sure": turn.sure.value,
    }
    if turn.nactation:
        value |= {"look": look_of(turn.nactation), "word": turn.nactation.family.word}
    if turn.note:
        value["note"] = turn.note
    if turn.others:
        value["others"] = [format_play(play) for play in turn.others]
    if not isinstance(turn.action, Move):
        value |= {"cube": 1, "reading": turn.token.kind.value}
        if isinstance(turn.action, Double):
            value["doubles"] = 1
    return value


@lru_cache(maxsize=64)
def _options(position: Position, roll: Roll) -> list[dict[str, Any]]:
    """All plays of a roll with their letters, family by family, or that there is none."""
    plays = Plays(position, roll)
    if not plays:
        fan = fan_naming(position, plays)
        return [_option_of(fan.nactation, fan.nactation.family.word) if fan else _NO_PLAY]
    return [
        _option(play, plays)
        for family in plays.areal_families()
        for play in plays.reading(family).members
    ]


def _option(play: Play, plays: Plays) -> dict[str, Any]:
    name = plays.name(play).naming.nactation
    others = [look_of(one.nactation) for one in plays.letters(play) if one.nactation != name]
    value = _option_of(name, format_play(play))
    return value | {"others": others} if others else value


def _option_of(name: Nactation, said: str) -> dict[str, Any]:
    return {"look": look_of(name), "said": said, "token": str(name)}


_NO_PLAY = {"said": "no play", "token": ""}  # the roll alone says it


# Why


def explained(board: str, roll: str, said: str) -> dict[str, Any]:
    """Why a play has its Nactations, the preferred one first, and what decides in each family."""
    state = to_state(board)
    plays = Plays(state.position, Roll.parse(roll))
    found = plays.explain(said)
    return {
        "said": format_play(found.play),
        "reason": found.reason,
        "names": [
            {
                "look": look_of(one.naming.nactation),
                "word": one.row.word,
                "right": one.naming.right.value,
                "meaning": one.row.meaning,
                "note": one.note,
                "member": one.naming.nactation.member,
                "size": one.size,
                "rule": one.rule,
                "members": [
                    {
                        "look": look_of(member.nactation),
                        "said": format_play(member.play),
                        "why": str(member.decision) if member.decision else "",
                    }
                    for member in one.members
                ],
            }
            for one in found.nactations
        ],
    }


# What is taken along


def posted(text: str, target: str) -> str:
    """The post of what is typed, in the markup of a target."""
    state, front = find_state(text)
    rest = text[_begin(text, front) :]
    if not rest.strip():
        return format_position(state or GameState(), TARGETS[target])
    return format_sequence(_read(rest, state), TARGETS[target], PostStyle())


def pictured(board: str, roll: str, said: str, theme: str, view: int) -> str:
    """The board as SVG, with the arrows of a play if there is one; `view` is at the bottom."""
    state = to_state(board)
    dice = Roll.parse(roll) if roll else None
    play = parse_play(said, state.position, dice) if dice and said else None
    shown: Theme = "dark" if theme == "dark" else "light"
    return board_svg(replace(state, roll=dice), play, theme=shown, view=Player(view), width=1240)


# Match files

_NOT_HERE = (
    "a file of eXtreme Gammon (.xg), which this page cannot read; "
    "export the match in XG as .mat or .txt"
)
_ADVICE = "the program that has the match can export it as .mat"
_ANALYSED_TEXT = (
    "this is the analysis that GNU Backgammon writes as text; save the match there as .sgf instead"
)


def match(data: bytes) -> dict[str, Any]:
    """The page of a match file, its title, and what is wrong in the file.

    `analysed` says whether there are errors to tell, without which the page has no quiz.
    """
    annotated = [one for _, one in _annotated(data)]
    titles = [match_title(one.match) for one in annotated]
    return {
        "title": titles[0] if len(titles) == 1 else f"{len(titles)} matches",
        "page": format_html(annotated),
        "analysed": any(total.is_analysed for one in annotated for total in totals(one)),
        "remarks": [remark for one in annotated for remark in remarks_on(one)],
    }


def exported(data: bytes, form: str) -> str:
    """A match file in another form: `sgf`, `text`, or a target of posts; base64 of its bytes."""
    annotated = _annotated(data)
    match form:
        case "sgf":
            made = b"".join(format_sgf(one, source.record) for source, one in annotated)
        case "text":
            made = "\n".join(format_columns(one) for _, one in annotated).encode()
        case _:
            post = format_matches([one for _, one in annotated], TARGETS[form], PostStyle())
            made = post.encode()
    return binascii.b2a_base64(made, newline=False).decode()


@lru_cache(maxsize=1)  # who saves a match has seen its page
def _annotated(data: bytes) -> tuple[tuple[Source, AnnotatedMatch], ...]:
    if len(data) > LARGEST:
        size, most = len(data) / 1e6, LARGEST // 10**6
        raise MalformedError(f"a file of {size:.0f} MB, and the page takes up to {most}")
    if is_xg(data) and find_spec("xgparse") is None:
        raise MalformedError(_NOT_HERE)
    try:
        sources = read_sources(data)
    except MalformedError as error:
        if is_sgf(data) or is_xg(data):
            raise
        advice = _ANALYSED_TEXT if b"\nMove number 1: " in data else _ADVICE
        raise MalformedError(f"{error}; {advice}") from None
    return tuple((source, annotate(source.match)) for source in sources)


# Posts


def found(text: str) -> dict[str, Any]:
    """What there is of Nactation in a post: its text in pieces, some with a finding's number."""
    findings = read_prose(text)
    glyphs = read_markup(text, longest=LONGEST)
    places = [glyph.at for glyph in glyphs]
    bare = "".join(glyph.character for glyph in glyphs)
    pieces: list[Any] = []
    at = 0
    for number, one in enumerate(findings[:_MOST]):
        first, last = bisect_left(places, one.start), bisect_left(places, one.end)
        if at <= first < last:
            pieces += [bare[at:first], [bare[first:last], number]]
            at = last
    return {
        "pieces": [*pieces, bare[at:]],
        "findings": list(map(_finding, findings[:_MOST])),
        "more": max(0, len(findings) - _MOST),
    }


def _finding(one: Finding) -> dict[str, Any]:
    value: dict[str, Any] = {"kind": one.kind.value, "text": one.text, "sure": one.sure.value}
    value |= {"line": one.line, "turns": []}
    if one.note:
        value["note"] = one.note
    if one.error:
        value["error"] = one.trouble
    if one.decoded:
        value["turns"] = list(map(_turn, one.decoded.turns))
        value["state"] = _board(one.decoded.state)
        plain = GameState(one.decoded.parsed.start, one.decoded.parsed.starts)
        start = "" if one.decoded.start == plain else f"{format_xgid(one.decoded.start)} "
        value["link"] = start + written(one.decoded)
    if one.nacbrac:
        state = one.nacbrac.state
        value["state"] = _board(state)
        value["link"] = format_xgid(state)
        value["turns"] = [_entry(state, entry) for entry in one.nacbrac.entries]
    if one.state:  # of a position, or of a nacbrac of the cube
        value |= {"state": _board(one.state), "link": format_xgid(one.state)}
    if one.cube and one.state:
        value["turns"] = [_action(one.state, action) for action in actions_of(one.cube)]
    elif one.cube:
        value["note"] = ", ".join(filter(None, (one.cube.best, one.note)))
    return value


def _entry(state: GameState, read: ResolvedEntry) -> dict[str, Any]:
    """A play of a nacbrac, on the board that it is about."""
    value = _board(state) | {
        "token": f"{read.play.roll}{read.entry.text}",
        "look": look_of(read.entry.name),
        "roll": str(read.play.roll),
        "said": format_play(read.play),
        "reading": read.sure.value,
        "sure": read.sure.value,
    }
    if read.entry.error:
        value["error"] = round(read.entry.error, 3)
    return value | ({"note": read.note} if read.note else {})


def _action(state: GameState, action: Action) -> dict[str, Any]:
    """What may be done about the cube, on the board of who may do it."""
    offered = action.words in {"take", "pass"}
    if offered:
        board, other = state.position.switch_sides(), state.player.other
        state = replace(state, position=board, player=other, doubled=True)
    value = _board(state) | {"token": action.words, "sure": Confidence.SURE.value}
    value["reading"] = "right" if action.right else "wrong"
    return value | ({"error": round(action.error, 3)} if action.error else {})


# The alphabet


def alphabet() -> list[dict[str, Any]]:
    """The table of all characters, each with the board and the play of its example."""
    return list(map(_row, FAMILIES))


def _row(row: Family) -> dict[str, Any]:
    position, roll, *said = row.example.split(" ", 2)
    state = to_state(position)
    return {
        "key": row.key,
        "looks": [look_of(Nactation(row, member)) for member in range(1, len(row.characters) + 1)],
        "word": row.word,
        "right": row.right.value,
        "meaning": row.meaning,
        "section": row.section,
        "xgid": format_xgid(replace(state, roll=Roll.parse(roll))),
        "player": int(state.player),
        "roll": roll,
        "said": said[0] if said else "",
    }


def letters(data: bytes, seed: int, count: int, keys: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Questions for the letter of plays of a match file, the same for the same seed.

    `keys` are those of the families that may be asked for; without them all may.
    """
    rng = random.Random(seed)
    played = [
        Subject(turn.play, Plays.of(turn.plays))
        for one in read(data)
        for game in one.games
        for turn in replay(one, game)
        if turn.play and len(turn.plays) > 1
    ]
    asked = [row for row in FAMILIES if not keys or row.key in keys]
    subjects = rng.sample(played, min(_TRIED, len(played)))
    found = (one for one in questions(subjects, [Asked.LETTER], rng) if one.name.family in asked)
    return [_question(one, asked, rng) for one in islice(found, count)]


def _question(question: Question, asked: Sequence[Family], rng: random.Random) -> dict[str, Any]:
    """A question with letters to choose from, of which one is right for the play."""
    play = question.play
    rights = {naming.nactation.family for naming in question.plays.names(play)}
    wrong = [
        row
        for row in asked
        if row not in rights
        and row.right is not Right.NUMERAL
        and (not row.suffix or play.roll.is_doublet)
    ]
    others = rng.sample(wrong, min(_CHOICES - 1, len(wrong)))
    choices = sorted([question.name.family, *others], key=lambda row: row.key)
    return {
        **_board(GameState(play.before, roll=play.roll)),
        "said": format_play(play),
        "choices": [look_of(Nactation(row)) for row in choices],
        "right": question.name.family.key,
    }


def judged(board: str, roll: str, said: str, given: str) -> dict[str, Any]:
    """Whether an answer is the letter of a play: `preferred`, `right` or `wrong`, and why.

    `would` is the play that a wrong letter names, empty if it names none of this roll. Raises
    MalformedError for what is no letter of the roll.
    """
    plays = Plays(board, roll)
    play = plays.explain(said).play
    (question,) = questions([Subject(play, plays)], [Asked.LETTER], random.Random(0))
    given = given.strip()[:_LONGEST_ANSWER]
    try:
        answers = letters_in(given, play.roll)
    except MalformedError:
        answers = ()
    if not answers:
        raise MalformedError(f"{quoted(given)} is no letter of {play.roll}")
    verdict = judge(question, given)
    names = [look_of(naming.nactation) for naming in plays.names(play)]
    value = {"verdict": verdict.value, "names": names, "explanation": question.explanation}
    return value | ({"would": _would(answers, plays)} if verdict is Answer.WRONG else {})


def _would(names: Sequence[Nactation], plays: Plays) -> str:
    """The play that a letter names; empty if it names none."""
    members = ((name, plays.reading(name.family).members) for name in names)
    found = (those[name.member - 1] for name, those in members if name.member <= len(those))
    return next(map(format_play, found), "")


ANSWERS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        typed,
        explained,
        posted,
        pictured,
        match,
        exported,
        found,
        alphabet,
        letters,
        judged,
    )
}
