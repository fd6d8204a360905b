"""Annotated matches as gnubg's SGF: the Nactation in the comment of each move, and read again."""

from __future__ import annotations

import re

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take
from gnubg_nactation.decisions.severity import cube_of, thousandths
from gnubg_nactation.errors import MalformedError, wrong_type
from gnubg_nactation.files import sgf
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.nacbracs.nacbrac import Nacbrac

PREFIX = "Nactation: "
_GAP = "  "  # between the play, its nacbrac and what is said of the cube


def comment_lines(annotated: AnnotatedMatch, *, errors: bool = False) -> dict[tuple[int, int], str]:
    """The line for each move that gets one, by the places of its game and action (from 0).

    It is the roll and the Nactation: `Nactation: 31P`. With `errors` analysed turns have their
    nacbrac with the bot behind it, the play that was made as its last entry if it is far behind,
    and the nacbrac of a cube that should have been turned:
    `Nactation: 31P  [P @79 H87] gnubg 2-ply  no double [D/T N 48 D/P 310] gnubg 2-ply`. Analysed
    cube actions have a line of their own: `Nactation: P [D/T N 48 D/P 310] gnubg 2-ply`.
    """
    texts = {
        (game_at, turn_at): _text(turn, errors=errors)
        for game_at, game in enumerate(annotated.games)
        for turn_at, turn in enumerate(game.turns)
    }
    return {place: f"{PREFIX}{text}" for place, text in texts.items() if text}


def _text(turn: AnnotatedTurn, *, errors: bool) -> str:
    cube = cube_of(turn) if errors else None
    action = turn.action
    if not isinstance(action, Move):
        return f"{cube_letter(turn)} {_nacbrac(turn, cube=True)}".rstrip() if cube else ""
    if turn.trouble:
        return f"{action.roll} {turn.trouble}"
    if not turn.nactations:
        return ""
    parts = [f"{action.roll}{turn.nactations}", _nacbrac(turn) if errors else ""]
    if cube and thousandths(cube.error):
        parts.append(f"{cube.act.value} {_nacbrac(turn, cube=True)}")
    return _GAP.join(filter(None, parts))


def _nacbrac(turn: AnnotatedTurn, *, cube: bool = False) -> str:
    # Slow to import, and most matches have no analysis.
    from gnubg_nactation.decisions.nacbrac import turn_nacbrac  # noqa: PLC0415
    from gnubg_nactation.nacbracs.score import MONEY  # noqa: PLC0415

    return turn_nacbrac(turn, MONEY, cube=cube)


def cube_letter(turn: AnnotatedTurn) -> str:
    """The letter of a cube action: C double, R redouble, T take, P pass; empty for another."""
    match turn.action:
        case Double():
            return "R" if turn.state and turn.state.owner is not None else "C"
        case Take():
            return "T"
        case Drop():
            return "P"
    return ""


def annotate_sgf(data: bytes, *, errors: bool = False) -> bytes:
    """An SGF file with the Nactation in the comment of each move; all else in it stays.

    `errors` as in comment_lines. Raises MalformedError.
    """
    if not isinstance(data, bytes):
        raise wrong_type("the bytes of an SGF file", data)
    records = sgf.read_all(data)
    return b"".join(format_sgf(annotate(one.match), one, errors=errors) for one in records)


def format_sgf(
    annotated: AnnotatedMatch, record: sgf.SgfRecord | None = None, *, errors: bool = False
) -> bytes:
    """The match with its Nactations, in the bytes of `record` if it was read from SGF.

    Everything else that the record holds stays; a second run changes nothing. `errors` as in
    comment_lines; without them the errors that an earlier run has written go away.
    """
    if record is None:
        record = sgf.from_match(annotated.match)
    lines: dict[tuple[int, int], str | None] = {
        (game_at, turn_at): None
        for game_at, game in enumerate(annotated.games)
        for turn_at, turn in enumerate(game.turns)
        if isinstance(turn.action, Double | Take | Drop)
    }
    return sgf.with_comment_lines(record, PREFIX, lines | comment_lines(annotated, errors=errors))


# Reading

_ROLL = re.compile(r"[1-6]{2}")
_TROUBLES = ("board unknown", "illegal play", "play missing")
# What may stand behind the names of a play: a nacbrac, the cube, a remark, or errors as of old.
_BEHIND = re.compile(r"  |\s(?=[\[(]|x[0-9])|\Z")


class Comment(NamedTuple):
    """A line that `comment_lines` writes for a roll, read again.

    `roll` is empty where the line does not have it. `names` are the Nactations of the play, none
    where the line says that there is no play to name.
    """

    roll: str
    names: tuple[Nactation, ...]
    nacbrac: Nacbrac | None


def parse_comment_line(line: str) -> Comment:
    """Read the line of a roll, with its prefix; also as of old: `P`, `T x129 best S`.

    Raises MalformedError.
    """
    if not line.startswith(PREFIX):
        raise MalformedError(f"not a line that begins with {quoted(PREFIX)}", text=line)
    from gnubg_nactation.nacbracs.parsing import parse_nacbrac  # noqa: PLC0415 (slow, too)

    text = line[len(PREFIX) :].strip()
    found = _ROLL.match(text)
    roll = found[0] if found else ""
    if text[len(roll) :].strip() in _TROUBLES:
        return Comment(roll, (), None)
    behind = _BEHIND.search(text)
    end = behind.start() if behind else len(text)
    names = tuple(map(parse_nactation, text[len(roll) : end].split()))
    rest = text[end:].lstrip()
    nacbrac = parse_nacbrac(rest[: rest.find("]") + 1 or None]) if rest.startswith("[") else None
    return Comment(roll, names, nacbrac)
