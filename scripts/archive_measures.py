#!/usr/bin/env python3
"""How the database of an archive grows: its size, and the time to index, by the number of matches.

Run it in the repository with the `dev` extra installed:

    .venv/bin/python scripts/archive_measures.py [--matches FOLDER] [--counts 200,2000]

The matches are random legal games behind openings that were played: each game follows one of the
folder for some turns, and goes on at random.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


from gnubg_nactation.backgammon.match import Game, Match, Move, replay  # noqa: E402
from gnubg_nactation.backgammon.notation import Hop  # noqa: E402
from gnubg_nactation.backgammon.position import STANDARD, Position  # noqa: E402
from gnubg_nactation.backgammon.state import Player  # noqa: E402
from gnubg_nactation.errors import NactationError  # noqa: E402
from gnubg_nactation.files import mat  # noqa: E402
from tests.strategies import random_turns  # noqa: E402

__all__ = ["grown_matches"]

_TURNS = 40  # of a game, as long as it takes on the average
_GAMES = 5

Opening = tuple[tuple[Move, ...], Position]  # what was played, and the board of who is next


def openings(folder: Path) -> list[Opening]:
    """The first turns of the games of a folder, up to eight of each."""
    found: list[Opening] = []
    for file in sorted(folder.rglob("*.mat")):
        try:
            matches = mat.read(file.read_bytes())
        except NactationError:
            continue
        for match in matches:
            for game in match.games:
                if match.start == STANDARD:
                    found += _beginnings(match, game)
    return found


def _beginnings(match: Match, game: Game) -> Iterator[Opening]:
    moves: list[Move] = []
    for turn in replay(match, game):
        if not (isinstance(turn.action, Move) and turn.play and len(moves) < 8):
            return
        moves.append(turn.action)
        yield tuple(moves), turn.play.after


def grown_matches(folder: Path, count: int, seed: int = 1) -> Iterator[bytes]:
    """So many matches as match text, the same for the same seed."""
    rng = random.Random(seed)
    known = openings(folder)
    for number in range(count):
        games = [_game(rng, known, at) for at in range(1, _GAMES + 1)]
        players = f"P{number % 97:02}", f"Q{number:06}"
        yield mat.write(Match(players, 0, tuple(games))).encode()


def _game(rng: random.Random, known: list[Opening], number: int) -> Game:
    moves, board = rng.choice(known)
    actions = list(moves)
    player = moves[-1].player.other
    for _, roll, play in random_turns(rng, board):
        hops = tuple(Hop(p.source, p.target, p.hits) for p in play.portions) if play else ()
        actions.append(Move(player, roll, hops))
        player = player.other
        if len(actions) >= _TURNS + rng.randint(-20, 20):
            break
    return Game(number, (0, 0), tuple(actions), Player(rng.randint(0, 1)), rng.choice((1, 1, 1, 2)))
