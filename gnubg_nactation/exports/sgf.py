"""Annotated matches as gnubg's SGF, the Nactation in the comment of each move."""

from __future__ import annotations

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take
from gnubg_nactation.files import sgf
from gnubg_nactation.statistics import cube_of, thousandths

__all__ = ["PREFIX", "annotate_sgf", "comment_lines", "cube_letter", "format_sgf"]

PREFIX = "Nactation: "
_GAP = "  "  # between the play, its nacbrac and what is said of the cube


def comment_lines(annotated: AnnotatedMatch, *, errors: bool = False) -> dict[tuple[int, int], str]:
    """The line for each move that gets one, by the places of its game and action (from 0).

    It is the roll and the Nactation: `Nactation: 31P`. With `errors` analysed turns have their
    nacbrac, the play that was made as its last entry if it is far behind, and what was lost with
    the cube: `Nactation: 31P  [P @79 H87]  no double -.048 (double, take)`. Analysed cube
    actions have a line of their own: `Nactation: C`, `Nactation: P -.210 (double, take)`.
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
        return f"{cube_letter(turn)} {_lost(cube)}".rstrip() if cube else ""
    if turn.trouble:
        return f"{action.roll} {turn.trouble}"
    if not turn.nactations:
        return ""
    parts = [f"{action.roll}{turn.nactations}", _nacbrac(turn) if errors else ""]
    if cube and _lost(cube):
        parts.append(f"{cube.act.value} {_lost(cube)}")
    return _GAP.join(filter(None, parts))


def _nacbrac(turn: AnnotatedTurn) -> str:
    # What reads nacbracs is slow to import, and most matches have no analysis.
    from gnubg_nactation.exports.nacbracs import nacbrac_of_turn  # noqa: PLC0415
    from gnubg_nactation.nacbracs.nacbrac import format_nacbrac  # noqa: PLC0415

    nacbrac = nacbrac_of_turn(turn)
    return format_nacbrac(nacbrac) if nacbrac else ""


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


def _lost(cube: CubeAnalysis) -> str:
    """What was lost about the cube, in points, and what was right; empty if nothing was."""
    lost = thousandths(cube.error)
    return f"-{lost / 1000:.3f} ({cube.best})".replace("-0.", "-.") if lost else ""


def annotate_sgf(data: bytes, *, errors: bool = False) -> bytes:
    """An SGF file with the Nactation in the comment of each move; all else in it stays.

    `errors` as in comment_lines. Raises MalformedError.
    """
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
