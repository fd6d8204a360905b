"""A Match as SGF in gnubg's dialect, laid out as gnubg writes it."""

from __future__ import annotations

import re
from itertools import pairwise

from gnubg_nactation.backgammon.match import Double, Game, Match, Move, Resign, replay
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files.names import written_names
from gnubg_nactation.files.sgf.nodes import (
    COLOURS,
    ENCODING,
    format_node,
    format_position,
    format_text,
)
from gnubg_nactation.files.sgf.records import HEADERS, STARTS, SgfRecord
from gnubg_nactation.files.sgf.tree import Node, format_property


def from_match(match: Match, *, named: bool = True) -> SgfRecord:
    """Write the match as gnubg's SGF; the record has the bytes and the same match.

    Players without names become White and Black. With `named` false no names are written, so
    that gnubg keeps the names it has. Legal plays are written one die at a time, others as they
    are recorded. SGF cannot hold, and the bytes leave out: which side resigned (the result
    shows that the game was resigned), the text of unreadable plays (their roll stays), headers
    other than HEADERS, and problems.
    """
    pieces: list[bytes] = []
    spans: list[list[tuple[int, int] | None]] = []
    end = 0
    for game, index in zip(match.games, _game_indices(match), strict=True):
        texts, numbers = _write_game(match, game, index, named)
        places = []
        for text in texts:
            start = end + 1  # after a parenthesis or a line end
            end = start + 1 + len(text)
            places.append((start, end))
        end += 2
        pieces.append(b"(;" + b"\n;".join(texts) + b")\n")
        spans.append([None if number is None else places[number] for number in numbers])
    data = b"".join(pieces)
    nodes = tuple(tuple(span and Node(data, *span) for span in game) for game in spans)
    return SgfRecord(data, ENCODING, match, nodes)


def _write_game(
    match: Match, game: Game, index: int, named: bool
) -> tuple[list[bytes], list[int | None]]:
    """Return the texts of the game's nodes, and the node number of each action."""
    nodes = [(_root(match, game, index, named), "\n".join(game.comments))]  # properties, comment
    numbers: list[int | None] = []
    if match.start not in (STANDARD, *STARTS.values()):
        nodes.append((format_position(Player.FIRST, match.start), ""))
    last = max((n for n, a in enumerate(game.actions, 1) if isinstance(a, Move)), default=0)
    following = iter([action for action in game.actions if not isinstance(action, Resign)][1:])
    for previous, turn in zip((None, *game.actions), replay(match, game), strict=False):
        action = turn.action
        if isinstance(action, Resign):
            properties, earlier = nodes[-1]
            nodes[-1] = properties, "\n".join(filter(None, (earlier, action.comment)))
            numbers.append(None)
        else:
            if isinstance(action, Move) and isinstance(previous, Double):  # the take is implied
                nodes.append((format_text(COLOURS[previous.player.other], "take"), ""))
            numbers.append(len(nodes))
            text = format_node(turn, next(following, None), ends=turn.number == last)
            nodes.append((text, action.comment))
    texts = [head + (format_text("C", comment) if comment else b"") for head, comment in nodes]
    return texts, numbers


def _root(match: Match, game: Game, index: int, named: bool) -> bytes:
    info = {"length": match.length, "game": index, "ws": game.score[0], "bs": game.score[1]}
    pieces = [
        b"FF[4]GM[6]CA[UTF-8]AP[gnubg-nactation]",
        format_property(b"MI", [f"{name}:{number}".encode() for name, number in info.items()]),
    ]
    if named:
        pieces += map(format_text, ("PW", "PB"), written_names(match.players))
    if game is match.games[0]:
        tags = {tag.lower(): text for tag, text in reversed(match.headers)}
        for name, tag in HEADERS.items():
            if text := tags.get(tag.lower()):
                date = re.fullmatch(r"(\d{4})[./](\d\d)[./](\d\d)", text)
                pieces.append(format_text(name, "-".join(date.groups()) if date else text))
        if match.comments:
            pieces.append(format_text("GC", "\n".join(match.comments)))
    rules = {
        "Crawford": match.length > 1,
        "CrawfordGame": game.crawford,
        "Jacoby": match.jacoby,
        **{name: match.start == start for name, start in STARTS.items()},
    }
    if any(rules.values()):
        pieces.append(format_text("RU", ":".join(name for name, holds in rules.items() if holds)))
    if game.cube > 1:
        pieces.append(format_text("CV", str(game.cube)))
    if game.winner is not None:
        resigned = game.resigned or any(isinstance(a, Resign) for a in game.actions)
        result = f"{COLOURS[game.winner]}+{game.points}{'R' if resigned else ''}"
        pieces.append(format_text("RE", result))
    return b"".join(pieces)


def _game_indices(match: Match) -> list[int]:
    """Return the game numbers from 0, counted here if those of the match do not increase."""
    numbers = [game.number - 1 for game in match.games]
    if min(numbers, default=0) < 0 or any(later <= number for number, later in pairwise(numbers)):
        return list(range(len(numbers)))
    return numbers
