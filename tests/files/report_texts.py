"""A writer of text reports in the shape that gnubg gives them, one text for each game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gnubg_nactation.backgammon.analysis import CubeAnalysis, MoveAnalysis
from gnubg_nactation.backgammon.ids import format_gnubg_id
from gnubg_nactation.backgammon.match import Double, Drop, Game, Match, Move, Take, Turn, replay
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import GameState, Player

_TOP = "+13-14-15-16-17-18------19-20-21-22-23-24-+"
_BOTTOM = "+12-11-10--9--8--7-------6--5--4--3--2--1-+"


class Language(NamedTuple):
    """The words of a report; the braces are filled as in the English ones."""

    score: str = "The score (after {games}) is: {first}, {second}"
    length: str = " (match to {} points)"
    number: str = "Move number {}: "
    moves: str = "{name} moves {play}"
    cannot_move: str = "{name} cannot move"
    answers: tuple[str, str, str] = ("doubles", "accepts", "rejects")
    marker: str = "* "
    cubeful: str = "Cubeful {}-ply"
    cube: tuple[str, str, str] = ("No double", "Double, pass", "Double, take")
    comment: str = "Annotation"
    wins: str = "{name} wins {points} points"
    decimal: str = "."


ENGLISH = Language()
GERMAN = Language(
    "Der Spielstand (nach {games} Partien) ist: {first}, {second}",
    " (Match auf {} Punkte)",
    "Zug Nr. {}: ",
    "{name} zieht {play}",
    "{name} kann nicht ziehen",
    ("doppelt", "nimmt an", "lehnt ab"),
    "*.",
    "Mit Doppler {}-ply",
    ("Kein Doppel", "Doppel, Aufgabe", "Doppel, Annahme"),
    "Kommentare",
    "{name} gewinnt {points} Punkte",
    ",",
)
TURKISH = ENGLISH._replace(
    moves="{name} {play} oynuyor",  # the verb comes last
    cannot_move="{name} hamle yapam\u0131yor",
    decimal=",",
)
JAPANESE = ENGLISH._replace(
    score="スコア ({games} ゲーム後): {first}, {second}",
    cube=("ノーダブル", "ダブル、パス", "ダブル、テイク"),
)


def write_reports(
    match: Match, language: Language = ENGLISH, information: Mapping[str, str] | None = None
) -> list[str]:
    """Return the report of each game of a match, with its analysis and comments."""
    return [_report(match, game, language, information or {}) for game in match.games]


def _report(match: Match, game: Game, words: Language, information: Mapping[str, str]) -> str:
    names = [f"{name} {points}" for name, points in zip(match.players, game.score, strict=True)]
    head = words.score.format(games=f"{game.number - 1} games", first=names[0], second=names[1])
    if match.length:
        head += words.length.format(match.length)
    lines = [head, "", "Match Information:"]
    lines += [f"{label}: {text}" for label, text in information.items()] + [""]
    turns = [turn for turn in replay(match, game) if isinstance(turn.action, _SHOWN)]
    for number, turn in enumerate(turns, 1):
        lines += _turn(match.players, turn, number, words)
    if game.winner is not None:
        name = match.players[game.winner]
        lines += [words.wins.format(name=name, points=game.points), ""]
    player_columns = f"{match.players[0]:23} {match.players[1]:23}"
    lines += [f"Game statistics for game {game.number}", "", f"{'Player':39}  {player_columns}"]
    lines += ["", "Unforced moves                            12                       9", "", ""]
    return "\n".join([*lines, " by GNU Backgammon 1.07.001", ""])


_SHOWN = (Move, Double, Take, Drop)


def _turn(players: tuple[str, str], turn: Turn, number: int, words: Language) -> Iterator[str]:
    action, state = turn.action, turn.state
    assert state is not None
    name = players[action.player]
    yield f"{words.number.format(number)} {name} to act"
    yield ""
    yield from board(players, state)
    yield "Pip counts: O 167, X 167"
    yield ""
    if isinstance(action, Move) and turn.play:
        text = words.moves.format(name=name, play=format_play(turn.play))
    elif isinstance(action, Move):
        text = words.cannot_move.format(name=name)
    else:
        kind = next(
            word
            for shown, word in zip((Double, Take, Drop), words.answers, strict=True)
            if isinstance(action, shown)
        )
        text = f"{name} {kind}"
    yield words.marker + text
    yield ""
    analysis = getattr(action, "analysis", None)
    if isinstance(analysis, CubeAnalysis):
        yield from _cube(analysis, -1 if isinstance(action, Take | Drop) else 1, words)
    elif isinstance(analysis, MoveAnalysis):
        yield from _move(analysis, state, words)
    if isinstance(action, _SHOWN) and action.comment:
        yield f"{words.comment}:"
        yield action.comment


def board(players: tuple[str, str], state: GameState) -> Iterator[str]:
    """Yield what begins a turn: the IDs, and a board of which only the ends are drawn."""
    position_id, _, match_id = format_gnubg_id(state).partition(":")
    owners = [f" (Cube: {state.cube})" if state.owner is player else "" for player in Player]
    yield f" GNU Backgammon  Position ID: {position_id}"
    yield f"                 Match ID   : {match_id}"
    yield f" {_TOP}     O: {players[0]}{owners[0]}"
    yield "v|                  |BAR|                  |     "
    yield f" {_BOTTOM}     X: {players[1]}{owners[1]}"


def _cube(analysis: CubeAnalysis, sign: int, words: Language) -> Iterator[str]:
    assert analysis.no_double is not None
    assert analysis.double_take is not None
    if analysis.marked:
        yield f" [{analysis.marked.value}]"
    yield "Cube analysis"
    yield f"{analysis.method} cubeless equity {_signed(0.25, words)}"
    values = (analysis.no_double, 1.0, analysis.double_take)
    for rank, (label, value) in enumerate(zip(words.cube, values, strict=True), 1):
        yield f"{rank}. {label:20}{_signed(sign * value, words)}  ({_signed(0.1, words)})"


def _move(analysis: MoveAnalysis, state: GameState, words: Language) -> Iterator[str]:
    if analysis.luck_mark:
        yield f"Alert: {analysis.luck_mark.value} roll! ( {_signed(analysis.luck or 0, words)})"
    if analysis.play and analysis.play.marked:
        yield f"Alert: {analysis.play.marked.value} move ( {_signed(-0.1, words)})"
    if analysis.cube:
        yield from _cube(analysis.cube, 1, words)
        yield ""
    luck = f" ({_signed(analysis.luck, words)})" if analysis.luck is not None else ""
    yield f"Rolled {state.roll}{luck}:"
    for rank, play in enumerate(analysis.play.candidates if analysis.play else ()):
        made = "*" if analysis.play and analysis.play.rank == rank else " "
        method = "Rollout" if play.method == "rollout" else words.cubeful.format(play.method[0])
        yield f"{made}{rank + 1:5}. {method:18}{play.text:29}Eq.: {_signed(play.equity, words)}"
        if play.chances:
            yield _chances(play.chances, words)
        if play.standard_error is not None:
            errors = "0.004 0.002 0.000 - 0.004 0.002 0.000 CL  0.009"
            yield f"      [{errors} CF  {play.standard_error}]"
    yield ""


def _chances(chances: Sequence[float], words: Language) -> str:
    win, *rest = chances
    won, lost = [win, *rest[:2]], [1 - win, *rest[2:]]
    texts = [" ".join(f"{chance:.3f}" for chance in side) for side in (won, lost)]
    return f"       {texts[0]} - {texts[1]}".replace(".", words.decimal)


def _signed(number: float, words: Language) -> str:
    return f"{number:+.3f}".replace(".", words.decimal)
