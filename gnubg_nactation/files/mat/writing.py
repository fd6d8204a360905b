"""Writes match text like gnubg."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
)
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.heading import comment_lines, one_line, tag_lines
from gnubg_nactation.files.mat.boards import ILLEGAL_PLAY, format_set_pos, parse_illegal_play
from gnubg_nactation.files.mat.game import HIGHEST_CUBE
from gnubg_nactation.files.names import written_names

_CELL_WIDTH = 27
_NAME_WIDTH = 31
_LEFT_MARGIN = " " * 6
_RIGHT_MARGIN = " " * 34
_MAX_HOPS = 4  # gnubg adds a blank after a play of fewer
_RAISES = "Doubles", "Beavers", "Raccoons"
_CONTROLS = re.compile(r"[\0-\x1f\x7f-\x9f\u2028\u2029]")
_MAX_NAME_BYTES = 400  # gnubg reads lines of 1,023 bytes, and keeps 31 of a name


def write(match: Match) -> str:
    """Write the match as gnubg exports it, with all tags and the comments on match and games.

    Plays are written as recorded: bar 25, off 0, a star for each recorded hit, repeats spelled
    out. Unlike gnubg, which writes a second beaver and an empty cell, this writes `Raccoons` and
    `Takes`; gnubg and others can read that. The format cannot hold a resignation (only its points
    are written), comments on single actions, or a cube turned without a double.

    gnubg crashes if a name is missing or contains a colon. So a missing name becomes White or
    Black, a colon becomes a dot, and characters that would begin a comment are removed.
    """
    players = _names(match.players)
    comments = ["", *comment_lines(match.comments)] if match.comments else []
    head = [*tag_lines(match), *comments, "", f" {match.length} point match", "", ""]
    games = [text for game in match.games for text in _write_game(players, game)]
    return "\n".join(head) + "".join(games)


def _names(players: tuple[str, str]) -> tuple[str, str]:
    first, second = map(_plain_name, players)
    return written_names((first, second))


def _plain_name(name: str) -> str:
    text = _CONTROLS.sub(" ", one_line(name)).replace(":", ".").lstrip(" ;#")
    return text.encode(errors="replace")[:_MAX_NAME_BYTES].decode(errors="ignore").strip()


def _write_game(players: tuple[str, str], game: Game) -> Iterator[str]:
    """Yield the parts of a game's text, with the empty line after it."""
    first, second = (f"{n} : {s}" for n, s in zip(players, game.score, strict=True))
    # gnubg leaves no blank after a long name, so that the names run together.
    yield f" Game {game.number}\n {first.ljust(_NAME_WIDTH - 1)} {second}\n"
    yield from (f"{comment}\n" for comment in comment_lines(game.comments))
    row, left_is_open = 0, False
    for player, text in _cells(game, players):
        if player is Player.SECOND and left_is_open:
            yield f"{text}\n"
        elif player is None:  # a whole line
            yield f"{_end(left_is_open)}{text}\n"
        else:
            row += 1
            first, second = ("", f"{text}\n") if player is Player.SECOND else (text, "")
            yield f"{_end(left_is_open)}{row:3d}) {first:<{_CELL_WIDTH}} {second}"
        left_is_open = player is Player.FIRST
    yield _write_result(game, left_is_open=left_is_open)


def _end(is_open: bool) -> str:
    return "\n" if is_open else ""


def _write_result(game: Game, *, left_is_open: bool) -> str:
    wins = f"Wins {game.points} point{'' if game.points == 1 else 's'}"
    if game.winner is None:
        return f"{_end(left_is_open)}\n"
    if game.winner is Player.FIRST:
        return f"{_end(left_is_open)}{_LEFT_MARGIN}{wins}\n\n"
    if not left_is_open:
        return f"{_RIGHT_MARGIN}{wins}\n\n"
    match [action for action in game.actions if not isinstance(action, Resign)][-1]:
        case Drop():
            return f" {wins} \n\n"
        case Move(hops=(), text=""):  # gnubg writes it a column further left
            return f"{wins}\n\n"
    return f" {wins}\n\n"


def _cells(game: Game, players: tuple[str, str]) -> Iterator[tuple[Player | None, str]]:
    """Yield the cells of a game with their players; a whole line has None."""
    cube, doubles = game.cube, 0
    turned = cube != 1  # then a board that is set up leaves the cube alone
    actions = game.actions
    for previous, action, following in zip(
        (None, *actions), actions, (*actions[1:], None), strict=False
    ):
        match action:
            case Move(player):
                if doubles >= len(_RAISES):  # gnubg needs the implied take
                    yield player.other, " Takes"
                doubles = 0
                yield player, _write_move(action)
            case Double(player):
                doubles, turned = doubles + 1, True
                cube = min(2 * cube, HIGHEST_CUBE)
                yield player, f" {_RAISES[min(doubles, len(_RAISES)) - 1]} => {cube}"
            case Take(player):
                doubles = 0
                yield player, " Takes"
            case Drop(player):
                yield player, " Drops"
            case SetPosition():
                doubles = 0  # what was not answered is over
                if not _has_board(previous, action, players):
                    stated = following if isinstance(following, SetCube) else None
                    stated = stated or (None if turned else SetCube(1, None))
                    yield None, f"; {format_set_pos(_from_left(action), stated)}"
            case SetCube(value):
                cube, turned = value, True


def _write_move(move: Move) -> str:
    if not move.hops:
        return f"{move.roll}: {one_line(move.text)}"
    words = [f"{source}/{target}{'*' * hits}" for source, target, hits in move.hops]
    return f"{move.roll}: {' '.join(words)}{'' if len(words) >= _MAX_HOPS else ' '}"


def _has_board(action: Action | None, board: SetPosition, players: tuple[str, str]) -> bool:
    """Whether the text of the action, `Illegal play (...)`, already sets up this board."""
    if not isinstance(action, Move) or not action.text.startswith(ILLEGAL_PLAY):
        return False
    try:
        own = parse_illegal_play(action.text, players, action.player)
    except MalformedError:
        return False
    return _from_left(own) == _from_left(board)


def _from_left(board: SetPosition) -> Position:
    return board.position if board.player is Player.FIRST else board.position.switch_sides()
