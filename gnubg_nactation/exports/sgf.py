"""Write the Nactation into the comments of gnubg's SGF, and read it from there."""

from __future__ import annotations

import re

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take
from gnubg_nactation.decisions.severity import cube_of, thousandths
from gnubg_nactation.errors import MalformedError, wrong_type
from gnubg_nactation.files import sgf
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.showing import quoted, shown_lines
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.nacbracs.nacbrac import Nacbrac

PREFIX = "Nactation: "
_GAP = "  "  # between the play, its nacbrac and the cube


def comment_lines(annotated: AnnotatedMatch, *, errors: bool = False) -> dict[tuple[int, int], str]:
    """The comment lines by the indices of game and action, such as `Nactation: 31P`.

    With `errors`, an analysed turn gets its nacbrac with the bot, and a missed double the cube's:
    `Nactation: 31P  [P @79 H87] gnubg 2-ply  no double [D/T N 48 D/P 310] gnubg 2-ply`. An analysed
    cube action gets its own line: `Nactation: P [D/T N 48 D/P 310] gnubg 2-ply`.
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
    from gnubg_nactation.decisions.decision import turn_nacbrac  # noqa: PLC0415
    from gnubg_nactation.nacbracs.nacbrac import MONEY  # noqa: PLC0415

    return turn_nacbrac(turn, MONEY, cube=cube)


def cube_letter(turn: AnnotatedTurn) -> str:
    """The letter of a cube action: C double, R redouble, T take, P pass; else empty."""
    match turn.action:
        case Double():
            return "R" if turn.state and turn.state.owner is not None else "C"
        case Take():
            return "T"
        case Drop():
            return "P"
    return ""


def annotate_sgf(data: bytes, *, errors: bool = False) -> bytes:
    """Return an SGF file with the Nactation in the comment of each move; the rest stays.

    `errors` adds the nacbracs of analysed turns. Raises MalformedError if the file is not SGF,
    TypeError if `data` is not bytes.
    """
    if not isinstance(data, bytes):
        raise wrong_type("the bytes of an SGF file", data)
    records = sgf.read_all(data)
    return b"".join(format_sgf(annotate(record.match), record, errors=errors) for record in records)


def format_sgf(
    annotated: AnnotatedMatch, record: sgf.SgfRecord | None = None, *, errors: bool = False
) -> bytes:
    """The match as SGF with its Nactations, in the bytes of `record` if it was read from SGF.

    The rest of the record stays, and a second run changes nothing. `errors` as in comment_lines;
    without it, the errors written by an earlier run are removed.
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


_ROLL = re.compile(r"[1-6]{2}")
_TROUBLES = ("board unknown", "illegal play", "play missing")
# After the names of a play: a nacbrac, the cube, a remark, or errors in the old form.
_AFTER_NAMES = re.compile(r"  |\s(?=[\[(]|x[0-9])|\Z")


def own_comment(comment: str) -> str:
    """The user's comment on a turn, without our lines, prepared for display."""
    lines = (line for line in comment.splitlines() if not line.startswith(PREFIX))
    return shown_lines("\n".join(lines)).strip()


class Comment(NamedTuple):
    """The contents of a line that `comment_lines` wrote for a roll.

    `roll` is empty if the line has none. `names` are the Nactations of the play, empty if the line
    says that it has none.
    """

    roll: str
    names: tuple[Nactation, ...]
    nacbrac: Nacbrac | None


def parse_comment_line(line: str) -> Comment:
    """Read the line of a roll, with its prefix; also the old forms `P` and `T x129 best S`.

    Raises MalformedError.
    """
    if not line.startswith(PREFIX):
        raise MalformedError(f"the line does not begin with {quoted(PREFIX)}", text=line)
    from gnubg_nactation.nacbracs.reading import parse_nacbrac  # noqa: PLC0415 (slow to import)

    text = line[len(PREFIX) :].strip()
    match = _ROLL.match(text)
    roll = match[0] if match else ""
    if text[len(roll) :].strip() in _TROUBLES:
        return Comment(roll, (), None)
    after = _AFTER_NAMES.search(text)
    end = after.start() if after else len(text)
    names = tuple(map(parse_nactation, text[len(roll) : end].split()))
    rest = text[end:].lstrip()
    nacbrac = parse_nacbrac(rest[: rest.find("]") + 1 or None]) if rest.startswith("[") else None
    return Comment(roll, names, nacbrac)
