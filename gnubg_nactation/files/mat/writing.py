"""Match text as gnubg writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
    is_crawford_game,
)
from gnubg_nactation.backgammon.position import VARIATIONS, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.mat.boards import ILLEGAL_PLAY, format_set_pos, parse_illegal_play
from gnubg_nactation.files.mat.game import HIGHEST_CUBE

__all__ = ["write"]

_CELL_WIDTH = 27
_EMPTY_CELL = " " * _CELL_WIDTH
_NAME_WIDTH = 31
_LEFT_MARGIN = " " * 6
_RIGHT_MARGIN = " " * 34
_DROP_TO_RIGHT = " " * 23  # from a drop on the left to the result on the right
_MOST_HOPS = 4  # gnubg puts a blank after a play of fewer
_VARIATION_NAMES = {  # as gnubg spells them
    VARIATIONS[name.lower()]: name
    for name in ("NackGammon", "HyperGammon (1)", "HyperGammon (2)", "HyperGammon (3)")
}
_LINE_ENDS = re.compile(r"\r\n|\r|\n")


def write(match: Match) -> str:
    """The match as gnubg exports it, with all tags and with the comments on match and games.

    The plays are written as they are recorded: bar 25, off 0, a star for each recorded hit,
    repeats spelled out. The format has no words for a resignation (only its points are
    written), the comments on single actions, a cube that is turned without a double, and a take
    after a beaver.
    """
    tags = [f'; [{_one_line(key)} "{_one_line(value)}"]' for key, value in _tags(match)]
    remarks = ["", *_remarks(match.comments)] if match.comments else []
    head = [*tags, *remarks, "", f" {match.length} point match", "", ""]
    games = [text for game in match.games for text in _write_game(match.players, game)]
    return "\n".join(head) + "".join(games)


def _tags(match: Match) -> list[tuple[str, str]]:
    """The tags of the record, and those without which the match would be read otherwise."""
    tags = list(match.headers)
    present = {key.lower() for key, _ in tags}
    if match.start in _VARIATION_NAMES and "variation" not in present:
        tags.append(("Variation", _VARIATION_NAMES[match.start]))
    if match.jacoby and "jacoby" not in present:
        tags.append(("Jacoby", "On"))
    scores = [game.score for game in match.games]
    if "crawford" not in present and not any(game.crawford for game in match.games):
        for index, score in enumerate(scores):
            if is_crawford_game(match.length, score, scores[:index]):
                tags.append(("Crawford", "Off"))
                break
    return tags


def _one_line(text: str) -> str:
    return _LINE_ENDS.sub(" ", text)


def _remarks(comments: Iterable[str]) -> list[str]:
    return [f"; {line}" for comment in comments for line in _LINE_ENDS.split(comment)]


def _write_game(players: tuple[str, str], game: Game) -> Iterator[str]:
    """The parts of the text of a game, with the empty line after it."""
    left, right = (f"{_one_line(n)} : {s}" for n, s in zip(players, game.score, strict=True))
    # gnubg leaves no blank after a long name, and then the two cannot be told apart.
    yield f" Game {game.number}\n {left.ljust(_NAME_WIDTH - 1)} {right}\n"
    yield from (f"{remark}\n" for remark in _remarks(game.comments))
    row, left_is_open = 0, False
    for cell in _cells(game, players):
        if cell.player is None:  # a line of its own
            yield f"{_end(left_is_open)}{cell.text}\n"
            left_is_open = False
        elif cell.player is Player.FIRST:
            row += 1
            yield f"{_end(left_is_open)}{row:3d}) {cell.text:<{_CELL_WIDTH}} "
            left_is_open = True
        else:
            row += not left_is_open
            yield f"{cell.text}\n" if left_is_open else f"{row:3d}) {_EMPTY_CELL} {cell.text}\n"
            left_is_open = False
    yield _write_result(game, left_is_open=left_is_open)


def _end(is_open: bool) -> str:
    return "\n" if is_open else ""


def _write_result(game: Game, *, left_is_open: bool) -> str:
    last = _last_told(game)
    if game.winner is None:
        return f"{_end(left_is_open)}\n"
    if last is not None and last is _result_cell(game):
        return "\n\n"
    wins = _wins(game)
    if game.winner is Player.FIRST:
        return f"{_end(left_is_open)}{_LEFT_MARGIN}{wins}\n\n"
    if not left_is_open:
        return f"{_RIGHT_MARGIN}{wins}\n\n"
    # gnubg puts it a column further left when a roll was not played
    unplayed = isinstance(last, Move) and not last.hops and not last.text
    return f"{'' if unplayed else ' '}{wins}\n\n"


def _last_told(game: Game) -> Action | None:
    told = (action for action in reversed(game.actions) if not isinstance(action, Resign))
    return next(told, None)


def _result_cell(game: Game) -> Drop | None:
    """The last action, if it is a drop on the left: then the result stands in its row."""
    last = _last_told(game)
    if isinstance(last, Drop) and last.player is Player.FIRST and game.winner is Player.SECOND:
        return last
    return None


def _wins(game: Game) -> str:
    return f"Wins {game.points} point{'' if game.points == 1 else 's'}"


class _Cell(NamedTuple):
    player: Player | None  # None: a line of its own
    text: str


def _cells(game: Game, players: tuple[str, str]) -> Iterator[_Cell]:
    cube, doubles = game.cube, 0
    turned = cube != 1  # whether a board that is set up must leave the cube alone
    for index, action in enumerate(game.actions):
        match action:
            case Move(player):
                doubles = 0
                yield _Cell(player, _write_move(action))
            case Double(player):
                doubles, turned = doubles + 1, True
                cube = min(2 * cube, HIGHEST_CUBE)
                yield _Cell(player, f" {'Doubles' if doubles == 1 else 'Beavers'} => {cube}")
            case Take(player):
                if doubles < 2:  # after a beaver play simply goes on
                    doubles = 0
                    yield _Cell(player, " Takes")
            case Drop(player):
                said = f"{_DROP_TO_RIGHT}{_wins(game)}" if action is _result_cell(game) else ""
                yield _Cell(player, f" Drops{said}")
            case SetPosition():
                before, after = game.actions[:index][-1:], game.actions[index + 1 : index + 2]
                if not before or not _tells_board(before[0], action, players):
                    yield _Cell(None, _write_board(action, after, turned=turned))
            case SetCube(value):
                cube, turned = value, True


def _write_move(move: Move) -> str:
    if not move.hops:
        return f"{move.roll}: {_one_line(move.text)}"
    words = [f"{source}/{target}{'*' * hits}" for source, target, hits in move.hops]
    return f"{move.roll}: {' '.join(words)}{'' if len(words) >= _MOST_HOPS else ' '}"


def _tells_board(action: Action, board: SetPosition, players: tuple[str, str]) -> bool:
    """Whether the text of the action, `Illegal play (...)`, puts up this board itself."""
    if not isinstance(action, Move) or not action.text.startswith(ILLEGAL_PLAY):
        return False
    try:
        told = parse_illegal_play(action.text, players, action.player)
    except MalformedError:
        return False
    return _from_left(told) == _from_left(board)


def _from_left(board: SetPosition) -> Position:
    return board.position if board.player is Player.FIRST else board.position.switch_sides()


def _write_board(board: SetPosition, after: Sequence[Action], *, turned: bool) -> str:
    cube = next((action for action in after if isinstance(action, SetCube)), None)
    if cube is None and not turned:
        cube = SetCube(1, None)
    return f"; {format_set_pos(_from_left(board), cube)}"
