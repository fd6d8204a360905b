"""Writes small matches as BGBlitz does: a line of JSON, then binary JSON (Smile), packed."""

from __future__ import annotations

import gzip
import json
from typing import Any

_HEAD = {"format": "BGF", "version": "1.0", "compress": True, "useSmile": True}
_START = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0, 0, 0]
GREEN, RED = -1, 1


def smile(value: Any) -> bytes:
    """A value as binary JSON, without its header."""
    if value is None:
        return b"\x21"
    if isinstance(value, bool):
        return b"\x23" if value else b"\x22"
    if isinstance(value, int):
        coded = 2 * value if value >= 0 else -2 * value - 1
        return bytes([0xC0 + coded]) if coded < 32 else b"\x24" + _number(coded)
    if isinstance(value, str):
        raw = value.encode("ascii")
        if not raw:
            return b"\x20"
        return bytes([0x3F + len(raw)]) + raw if len(raw) <= 32 else b"\xe0" + raw + b"\xfc"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(smile, value)) + b"\xf9"
    members = [bytes([0x7F + len(name)]) + name.encode() + smile(it) for name, it in value.items()]
    return b"\xfa" + b"".join(members) + b"\xfb"


def _number(coded: int) -> bytes:
    """Six bits in the last byte, which has the sign bit, seven in the others for small numbers."""
    digits = [0x80 | coded & 0x3F]
    coded >>= 6
    while coded:
        digits.append(coded & 0x3F)
        coded >>= 6
    return bytes(reversed(digits))


def bgf_file(match: Any, *, packed: bool = True, names: int = 0) -> bytes:
    """The file of a match, or of whatever value is given."""
    values = b":)\n" + bytes([names]) + smile(match)
    return (
        json.dumps(_HEAD).encode() + b"\n" + (gzip.compress(values, mtime=0) if packed else values)
    )


def equity(emg: float, win: float, *, cube: dict[str, Any] | None = None) -> dict[str, Any]:
    """The equity of a position; a third of the games won and lost are gammons."""
    return {
        "equity": f"{emg:.8f}",
        "myWins": f"{win:.8f}",
        "myGammon": f"{win / 3:.8f}",
        "myBackGammon": "0.00000000",
        "oppWins": f"{1 - win:.8f}",
        "oppGammon": f"{(1 - win) / 3:.8f}",
        "oppBackGammon": "0.00000000",
        "matchEquity": "0.50000000",
        "useMatchEquity": False,
        "emg": f"{emg:.8f}",
        "hasEMG": True,
        "cubeDecision": cube,
        "cube": 1,
    }


def move(
    player: int,
    dice: tuple[int, int],
    hops: list[tuple[int, int]],
    rated: list[tuple[list[tuple[int, int]], float, float]] | None = None,
) -> dict[str, Any]:
    """A roll, its play, and the candidates with equity and chance; the one played is marked."""
    return {
        "type": "amove",
        "red": dice[0],
        "green": dice[1],
        "player": player,
        **_places(hops),
        "equity": equity(0.0, 0.5),
        "moveAnalysis": [
            {
                "move": {"player": player, **_places(plays)},
                "eq": equity(emg, win),
                "ply": 3,
                "played": plays == hops,
            }
            for plays, emg, win in rated or []
        ],
        "luck": {"luckPlain": "0.01000000", "luckWeighted": "0.01000000", "mode": "Money"},
        "ply": 3,
        "pr": {"cubeError": "-99.00000000", "checkerError": "0.00000000"},
        "comment": None,
    }


def cube(player: int, *, accepted: bool, no_double: float, take: float) -> list[dict[str, Any]]:
    """A double and its answer, each a record."""
    records = []
    for side, sign in ((player, 1), (-player, -1)):
        decision = {
            "hasDoubled": True,
            "hasAccepted": accepted,
            "eqNoDouble": f"{sign * no_double:.8f}",
            "eqDoubleTake": f"{sign * take:.8f}",
            "eqDoublePass": f"{sign * 1.0:.8f}",
            "stateOnMove": "DOUBLE",
            "stateOther": "ACCEPT",
        }
        record = move(side, (1, 7), [])
        records.append({**record, "equity": equity(sign * no_double, 0.6, cube=decision)})
    return records


def match(moves: list[dict[str, Any]], *, won: int = 1, green: str = "Ann") -> dict[str, Any]:
    """A money session of one game between `green` and Ben, who wins with `won` below 0."""
    game = {
        "isCrawford": False,
        "wonPoints": abs(won),
        "scoreGreen": 0,
        "scoreRed": 0,
        "initial": {"cube": 1, "points": _START, "cubeOwner": 0},
        "moves": moves,
    }
    return {
        "matchlen": 0,
        "finalGreen": max(won, 0),
        "finalRed": max(-won, 0),
        "useCrawford": False,
        "useJacoby": True,
        "useBeaver": False,
        "cubeLimit": 1024,
        "date": "2026.01.10",
        "nameGreen": green,
        "nameRed": "Ben",
        "event": "Club night",
        "site": "",
        "games": [game],
    }


def _places(hops: list[tuple[int, int]]) -> dict[str, list[int]]:
    padded = [*hops, *[(-1, -1)] * (4 - len(hops))]
    return {"from": [hop[0] for hop in padded], "to": [hop[1] for hop in padded]}
