"""What an analysis says of the turns of a match: remarks for move lists, totals for players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gnubg_nactation.annotate import AnnotatedMatch, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAnalysis, Mark, MoveAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, acting
from gnubg_nactation.backgammon.state import Player

__all__ = ["Totals", "cube_of", "play_of", "remark", "totals"]


@dataclass(frozen=True, slots=True)
class Totals:
    """The errors of a player, in points for a cube of the value it had then (EMG in matches).

    `moves` counts the rolls that could be played in several ways and are analysed; `decisions`
    the analysed cube decisions, rolls without doubling too. `unknown` are analysed decisions
    whose error cannot be told in points. The play and the cube of a roll are marked apart.
    """

    moves: int = 0
    decisions: int = 0
    play_error: float = 0.0
    cube_error: float = 0.0
    doubtful: int = 0
    bad: int = 0
    very_bad: int = 0
    luck: float = 0.0
    unknown: int = 0

    @property
    def error(self) -> float:
        """What plays and cube actions lost together."""
        return self.play_error + self.cube_error

    @property
    def error_per_move(self) -> float | None:
        """The errors of plays and cube for each of `moves`, in thousandths; None without moves."""
        return 1000 * self.error / self.moves if self.moves else None


def totals(annotated: AnnotatedMatch) -> tuple[Totals, Totals]:
    """The errors of both players; all counts are 0 where nothing is analysed."""
    turns = [turn for game in annotated.games for turn in game.turns]
    first, second = (
        _total([turn for turn in turns if acting(turn.turn.action) is player]) for player in Player
    )
    return first, second


def play_of(turn: AnnotatedTurn) -> PlayAnalysis | None:
    """The analysis of the play of a turn."""
    action = turn.turn.action
    return action.analysis.play if isinstance(action, Move) and action.analysis else None


def cube_of(turn: AnnotatedTurn) -> CubeAnalysis | None:
    """The analysis of the cube decision of a turn: a cube action, or a roll without doubling."""
    action = turn.turn.action
    match action:
        case Move(analysis=MoveAnalysis(cube=cube)):
            return cube
        case Double() | Take() | Drop():
            return action.analysis
    return None


def remark(turn: AnnotatedTurn) -> str:
    """What was wrong with a turn, errors in thousandths: `x28 best R`, `x120 missed double`.

    Empty if nothing was, or if no thousandth was lost.
    """
    return ", ".join(_remarks(turn))


def _remarks(turn: AnnotatedTurn) -> Iterator[str]:
    cube, play = cube_of(turn), play_of(turn)
    if cube and (lost := _thousandths(cube.error)):
        yield f"x{lost} {cube.fault}"
    if play and (lost := _thousandths(play.error)):
        yield f"x{lost} best {turn.best.nactation}" if turn.best else f"x{lost}"


def _thousandths(error: float | None) -> int:
    return round(1000 * (error or 0.0))


def _total(turns: list[AnnotatedTurn]) -> Totals:
    unforced = [turn for turn in turns if len(turn.turn.plays) != 1]
    plays = [play for turn in unforced if (play := play_of(turn)) and play.candidates]
    cubes = [cube for turn in turns if (cube := cube_of(turn))]
    judged: list[PlayAnalysis | CubeAnalysis] = [*plays, *cubes]
    marks = [one.mark for one in judged]
    return Totals(
        moves=len(plays),
        decisions=len(cubes),
        play_error=sum(play.error or 0.0 for play in plays),
        cube_error=sum(cube.error or 0.0 for cube in cubes),
        doubtful=marks.count(Mark.DOUBTFUL),
        bad=marks.count(Mark.BAD),
        very_bad=marks.count(Mark.VERY_BAD),
        luck=sum(_luck(turn) for turn in turns),
        unknown=[one.error for one in judged].count(None),
    )


def _luck(turn: AnnotatedTurn) -> float:
    match turn.turn.action:
        case Move(analysis=MoveAnalysis(luck=float(luck))):
            return luck
    return 0.0
