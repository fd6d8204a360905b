"""What the page's script knows of a match: each step with its board, its plays and its cube.

A board that follows from the step before is left out, as a match to 25 points has a thousand turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.match import Double, Move, move_numbers
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.decisions.severity import (
    BLUNDER,
    cube_of,
    is_close,
    losses,
    play_of,
    severity,
    thousandths,
)
from gnubg_nactation.exports.page.played_before import PlaysAt, history_at
from gnubg_nactation.exports.text import action_words
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import decide, ranking_of
from gnubg_nactation.sequences.notation import token
from gnubg_nactation.showing import shown, shown_lines
from gnubg_nactation.values import Any, NamedTuple

_LONGEST = 200  # characters of a play that cannot be read
NEARLY = 0.02  # points: in the quiz a play that loses less is right, too
# By which right a Nactation names a play.
KINDS = {
    Right.AREAL.value: "areal letter",
    Right.STYLE.value: "style",
    Right.SYMBOL.value: "symbol",
    Right.NUMERAL.value: "numeral",
    Right.CONVENIENCE.value: "convenience: S names the Z plays, as no play is an S",
    Right.WAIVED.value: "the rest of the play, entering waived",
}


def action_text(turn: AnnotatedTurn) -> str:
    """The turn in words or traditional notation: `24/18 13/11`, `doubles to 2`."""
    action, state = turn.action, turn.state
    if not isinstance(action, Move):
        return action_words(turn)
    if turn.play:
        return format_play(turn.play)
    return shown(action.text, _LONGEST) or ("cannot move" if state and not turn.plays else "")


def cube_step(turn: AnnotatedTurn, blunder: float = BLUNDER) -> CubeAnalysis | None:
    """The decision not to double before a roll, where it is worth a step of its own.

    It is where it was wrong, or close by gnubg's limit. Double, take and drop are turns anyway.
    `blunder` as for `severity`.
    """
    cube = cube_of(turn)
    if cube is None or cube.act is not CubeAct.NO_DOUBLE:
        return None
    return cube if cube.error or severity(cube, blunder) or is_close(cube) else None


class StepData(NamedTuple):
    """The fields of a step for the script, without those that are nothing, and of its plays."""

    fields: dict[str, Any]
    plays: Sequence[dict[str, Any]] = ()


def game_steps(
    game: AnnotatedGame, blunder: float = BLUNDER, met: PlaysAt | None = None
) -> Iterator[StepData]:
    """The steps of a game for the script: its turns, and decisions not to double before rolls.

    `blunder` as for `severity`, `met` as for the page.
    """
    befores = (None, *game.turns)
    for turn, before, move in zip(game.turns, befores, move_numbers(game.turns), strict=False):
        place = {"move": move, "player": int(turn.action.player), **dict(_board(turn, before))}
        lost = [_loss(one, blunder) for one in losses(turn)]
        if cube := cube_step(turn, blunder) if isinstance(turn.action, Move) else None:
            faults = [one for one in lost if one[0]]
            fields = {**place, "said": cube.act.value, "on_cube": 1}
            yield StepData(_something({**fields, **dict(_cube(turn, cube)), "lost": faults}))
            lost = [one for one in lost if not one[0]]
        fields, plays = _turn(turn, blunder, met)
        yield StepData(_something({**place, **fields, "lost": lost}), plays)


def _something(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are there."""
    return {key: value for key, value in fields.items() if value not in (None, "", [])}


def _turn(
    turn: AnnotatedTurn, blunder: float, met: PlaysAt | None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The fields of a turn, and those of the plays that were considered."""
    action = turn.action
    naming = turn.namings[0] if turn.namings else None
    fields = dict(_action(turn, naming))
    plays: list[dict[str, Any]] = []
    if not isinstance(action, Move) and (cube := cube_of(turn)):
        fields |= _cube(turn, cube)
    if turn.play is not None and naming is not None:
        fields["right"] = naming.right.value if naming.right is not Right.AREAL else None
        fields["forced"] = 1 if len(turn.plays) == 1 else None
        if len(turn.plays) > 1:
            # First: whose members are ranked needs no place counted.
            fields["ranks"] = _rank(naming, turn.plays)
            judged, plays = _judged(turn, blunder)
            fields |= {"others": _others(turn), **judged}
    if "made" not in fields:
        fields["said"] = action_text(turn)  # else it is among the plays
    return fields | {"met": met and history_at(turn, met)}, plays


def _board(turn: AnnotatedTurn, before: AnnotatedTurn | None) -> Iterator[tuple[str, Any]]:
    """The board, unless it is the one that the turn before has reached."""
    if turn.state is None:
        yield "unknown", 1
    elif not _follows(turn, before):
        yield "xgid", format_xgid(turn.state).removeprefix("XGID=")


def _action(turn: AnnotatedTurn, naming: Naming | None) -> Iterator[tuple[str, Any]]:
    action = turn.action
    roll = str(action.roll) if isinstance(action, Move) else ""
    yield "roll", roll
    yield "name", turn.nactation
    written = token(turn, naming.nactation if naming else None)
    if not roll or written != f"{roll}{turn.nactation}":
        yield "token", written
    yield "comment", _comment(action.comment)
    yield "trouble", turn.problem or turn.trouble
    if isinstance(action, Double):
        yield "doubles", 1 if turn.raised < 2 else 2  # a beaver, of what is offered already


def _cube(turn: AnnotatedTurn, cube: CubeAnalysis) -> Iterator[tuple[str, Any]]:
    # Most matches have no analysis, and need not wait for these imports.
    from gnubg_nactation.decisions.nacbrac import turn_nacbrac  # noqa: PLC0415
    from gnubg_nactation.exports.page.candidates import cube_equities  # noqa: PLC0415

    yield "cube", cube_equities(cube)
    yield "cube_nacbrac", turn_nacbrac(turn, cube=True)


def _judged(turn: AnnotatedTurn, blunder: float) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What an analysis says of the plays of a turn, in all and of each."""
    if not (analysis := play_of(turn)):
        return {}, []
    from gnubg_nactation.decisions.decision import MAX_BEST, play_decision  # noqa: PLC0415
    from gnubg_nactation.decisions.nacbrac import turn_nacbrac  # noqa: PLC0415
    from gnubg_nactation.exports.page.candidates import play_fields, shortened  # noqa: PLC0415

    decision = play_decision(turn)
    nacbrac = turn_nacbrac(turn, most=MAX_BEST)
    if not decision:
        return {"nacbrac": nacbrac}, []
    plays = play_fields(decision, turn.plays, NEARLY if severity(analysis, blunder) else 0.0)
    fields = {
        "source": decision.source,
        "nacbrac": shortened(nacbrac, plays),
        "equity": thousandths(decision.choices[0].equity),
        "made": decision.made,
        "rank": decision.rank and decision.rank + 1,
        "plays": len(plays),
    }
    return _something(fields), plays


def _others(turn: AnnotatedTurn) -> list[list[str]]:
    """The other names of the play made, each with its right.

    Without numerals, which take most of the time and name hardly a play that stays aboard.
    """
    letters = turn.namings[1:] or (turn.plays.letters(turn.play) if turn.play else ())
    return [[str(one.nactation), one.right.value] for one in letters if one != turn.namings[0]]


def _follows(turn: AnnotatedTurn, before: AnnotatedTurn | None) -> bool:
    """Whether the board is that of the turn before with its play made, the other side to move.

    It may be that nothing could be played.
    """
    if before is None or before.state is None or not isinstance(turn.action, Move):
        return False
    moved = before.play is not None or (
        isinstance(before.action, Move) and not before.plays and not before.problem
    )
    return moved and before.action.player is not turn.action.player


def _loss(loss: CubeAnalysis | PlayAnalysis, blunder: float) -> list[Any]:
    size = None if loss.error is None else thousandths(loss.error)
    mark = severity(loss, blunder)
    return [loss.fault, size, mark.value if mark else ""]


def _comment(text: str) -> str:
    if not text:
        return ""
    # Imported only where there are comments: a match of another format has no use for SGF.
    from gnubg_nactation.exports.sgf import PREFIX  # noqa: PLC0415

    lines = (line for line in text.splitlines() if not line.startswith(PREFIX))
    return shown_lines("\n".join(lines)).strip()


def _rank(naming: Naming, plays: Plays) -> list[Any] | None:
    """The size of the family, the play's neighbour (its name, the play), and what decides.

    The neighbour is the member just above; for the first member it is the second.
    """
    nactation = naming.nactation
    reading = plays.reading(nactation.family, naming.right)
    members = reading.members
    if len(members) < 2:
        return None
    at = nactation.member - 1
    other = at - 1 if at else 1
    decision = decide(members[min(at, other)], members[max(at, other)], ranking_of(reading))
    neighbour = str(Nactation(nactation.family, other + 1))
    return [len(members), neighbour, format_play(members[other]), str(decision)]
