"""A Match as SGF in gnubg's dialect, laid out as gnubg writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
    Turn,
    replay,
)
from gnubg_nactation.backgammon.position import BAR, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files.sgf.nodes import COLOURS, LETTERS
from gnubg_nactation.files.sgf.reading import HEADERS, STARTS, SgfRecord
from gnubg_nactation.files.sgf.tree import Node, escape, format_property, main_line, parse

__all__ = ["format_position", "from_match"]

_ENCODING = "utf-8"


def from_match(match: Match) -> SgfRecord:
    """The match in gnubg's SGF, as the record's bytes; the record keeps the match as given.

    Legal plays are written one die at a time, others as they are recorded. What SGF cannot hold
    is left out: which side resigned (the result says that the game was), plays that are no
    checker plays (their roll stays), headers other than `sgf_reading.HEADERS` and problems.
    """
    written = [
        _write_game(match, game, index)
        for game, index in zip(match.games, _game_indices(match), strict=True)
    ]
    data = b"".join(game.data for game in written)
    trees = parse(data) if written else ()
    nodes = tuple(
        _nodes_of_actions(game.nodes, main_line(tree))
        for game, tree in zip(written, trees, strict=True)
    )
    return SgfRecord(data, _ENCODING, match, nodes)


class _Written(NamedTuple):
    data: bytes
    nodes: tuple[int | None, ...]  # for each action the number of its node


def _nodes_of_actions(
    numbers: Iterable[int | None], line: tuple[Node, ...]
) -> tuple[Node | None, ...]:
    return tuple(None if number is None else line[number] for number in numbers)


def _write_game(match: Match, game: Game, index: int) -> _Written:
    root = _root(match, game, index), "\n".join(game.comments)
    nodes = [root]  # properties and comment
    numbers: list[int | None] = []
    if match.start not in (STANDARD, *STARTS.values()):
        nodes.append((format_position(Player.FIRST, match.start), ""))
    last = max((n for n, a in enumerate(game.actions, 1) if isinstance(a, Move)), default=0)
    for before, turn in zip((None, *game.actions), replay(match, game), strict=False):
        comment = turn.action.comment
        if isinstance(turn.action, Resign):
            properties, earlier = nodes[-1]
            nodes[-1] = properties, "\n".join(filter(None, (earlier, comment)))
            numbers.append(None)
        else:
            if isinstance(turn.action, Move) and isinstance(before, Double):
                nodes.append((_text(COLOURS[before.player.other], "take"), ""))  # it went unsaid
            numbers.append(len(nodes))
            nodes.append((_node(turn, ends=turn.number == last), comment))
    texts = [
        properties + (_text("C", comment) if comment else b"") for properties, comment in nodes
    ]
    return _Written(b"(;" + b"\n;".join(texts) + b")\n", tuple(numbers))


def _root(match: Match, game: Game, index: int) -> bytes:
    info = (
        b"length:%d" % match.length,
        b"game:%d" % index,
        b"ws:%d" % game.score[0],
        b"bs:%d" % game.score[1],
    )
    pieces = [
        b"FF[4]GM[6]CA[UTF-8]AP[gnubg-nactation]",
        format_property(b"MI", info),
        _text("PW", match.players[0]),
        _text("PB", match.players[1]),
    ]
    if game is match.games[0]:
        tags = {tag.lower(): text for tag, text in reversed(match.headers)}
        for name, tag in HEADERS.items():
            if text := tags.get(tag.lower()):
                date = re.fullmatch(r"(\d{4})[./](\d\d)[./](\d\d)", text)
                pieces.append(_text(name, "-".join(date.groups()) if date else text))
        if match.comments:
            pieces.append(_text("GC", "\n".join(match.comments)))
    rules = {
        "Crawford": match.length > 1,
        "CrawfordGame": game.crawford,
        "Jacoby": match.jacoby,
        **{name: match.start == start for name, start in STARTS.items()},
    }
    if any(rules.values()):
        pieces.append(_text("RU", ":".join(name for name, holds in rules.items() if holds)))
    if game.cube > 1:
        pieces.append(b"CV[%d]" % game.cube)
    if game.winner is not None:
        resigned = game.resigned or any(isinstance(a, Resign) for a in game.actions)
        result = f"{COLOURS[game.winner]}+{game.points}{'R' if resigned else ''}"
        pieces.append(_text("RE", result))
    return b"".join(pieces)


def _game_indices(match: Match) -> list[int]:
    """The numbers of the games, from 0; plain counting where those of the match do not grow."""
    numbers = [game.number - 1 for game in match.games]
    if min(numbers, default=0) < 0 or any(later <= number for number, later in pairwise(numbers)):
        return list(range(len(numbers)))
    return numbers


def _node(turn: Turn, *, ends: bool) -> bytes:
    """The node of an action; `ends` tells that no play comes after it in the game."""
    match turn.action:
        case Move():
            return _move(turn, turn.action, ends=ends)
        case Double(player):
            return _text(COLOURS[player], "double")
        case Take(player):
            return _text(COLOURS[player], "take")
        case Drop(player):
            return _text(COLOURS[player], "drop")
        case SetPosition(player, position):
            return format_position(
                player, position if player is Player.FIRST else position.switch_sides()
            )
        case SetCube(value, owner):
            colour = "c" if owner is None else COLOURS[owner].lower()
            return b"CV[%d]CP[%b]" % (value, colour.encode())
    raise AssertionError(turn.action)  # a resignation has no node


def _move(turn: Turn, move: Move, *, ends: bool) -> bytes:
    hops = turn.play.portions if turn.play else move.hops
    colour = COLOURS[move.player]
    if not hops and (move.text or (turn.plays if turn.state else ends)):
        return _text("PL", colour) + _text("DI", str(move.roll))  # rolled, no play known
    letters = LETTERS[move.player]
    return _text(colour, str(move.roll) + "".join(letters[h[0]] + letters[h[1]] for h in hops))


def format_position(player: Player, board: Position) -> bytes:
    """A set-up node of a board that is numbered from the first player; `player` is to move."""
    letters = LETTERS[Player.FIRST].encode()
    white = [letters[p : p + 1] for p, n in enumerate(board.points) for _ in range(n)]
    black = [
        letters[p or BAR : (p or BAR) + 1] for p, n in enumerate(board.points) for _ in range(-n)
    ]
    stones = [(b"AE", [b"a:y"]), (b"AW", white), (b"AB", black)]
    return _text("PL", COLOURS[player]) + b"".join(
        format_property(name, places) for name, places in stones if places
    )


def _text(name: str, text: str) -> bytes:
    return format_property(name.encode(), [escape(text.encode(_ENCODING, "replace"))])
