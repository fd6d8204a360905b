"""Print digests of the results for random games and boards, and for the sample matches.

Two trees with the same digests give the same results: pure Python and compiled, or two commits.
Run it in the root of each.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from gnubg_nactation import NACKGAMMON, STANDARD, Plays, Position, annotate, read  # noqa: E402
from gnubg_nactation.backgammon.plays import ROLLS, Roll  # noqa: E402
from gnubg_nactation.language.alphabet import FAMILIES  # noqa: E402


def _boards(random: Random) -> Iterator[tuple[Position, Roll]]:
    for game in range(20):
        position = NACKGAMMON if game % 4 == 0 else STANDARD
        for _ in range(50):
            roll = random.choice(ROLLS)
            yield position, roll
            plays = Plays(position, roll)
            position = random.choice(plays).after if plays else position.switch_sides()
    for _ in range(300):
        yield _scattered(random), random.choice(ROLLS)


def _scattered(random: Random) -> Position:
    """A board with checkers anywhere, the bar included."""
    points = [0] * 26
    for _ in range(random.randint(1, 15)):
        points[random.choice((25, *range(1, 25)))] += 1
    for _ in range(random.randint(1, 15)):
        point = random.choice([point for point in range(25) if points[point] <= 0])
        points[point] -= 1
    return Position(tuple(points))


def _of_boards() -> Iterator[str]:
    random = Random(1)
    for position, roll in _boards(random):
        plays = Plays(position, roll)
        yield "\n".join(f"{play!r} {plays.areal(play)}" for play in plays)
        for play in random.sample(list(plays), min(2, len(plays))):
            yield f"{plays.name(play)!r} {plays.names(play)!r} {plays.explain(play)}"
            yield repr([plays.place(play, family) for family in FAMILIES])
            yield repr([plays.play(naming.nactation) for naming in plays.names(play)])
        yield repr([plays.reading(family).right for family in FAMILIES])


def _of_samples() -> Iterator[str]:
    for file in sorted((ROOT / "sample_matches").iterdir()):
        for match in read(file.read_bytes()):
            for characters in ("preferred", "all"):
                annotated = annotate(match, characters)
                yield repr(annotated)


def _digest(texts: Iterable[str]) -> str:
    digest = sha256()
    for text in texts:
        digest.update(text.encode())
    return digest.hexdigest()


print("boards", _digest(_of_boards()))
print("samples", _digest(_of_samples()))
