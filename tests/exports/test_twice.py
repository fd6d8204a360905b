"""Annotating an annotated file changes nothing, whatever its problems."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.sgf import annotate_sgf, format_sgf
from gnubg_nactation.files.formats import is_sgf, read_sources
from tests.cli.running import SAMPLES
from tests.files.mat_texts import one_game

_ROWS = 10  # of a game: enough for problems, and quick
_WORDS = {  # in damaged files of match text and of SGF
    False: (
        *(b"xyz", b" 31: 8/5 6/5", b" 11: 24/23 23/22 22/21 21/20 20/19", b" Cannot Move", b"*"),
        *(b" Doubles => 2", b" Takes", b" Drops", b" Beavers", b" Wins 1 point", b"????", b"\n"),
        *(b"bar/", b"off", b"(3)", b"  2) ", b" 00:", b"; Set Pos=-a-B--D-B---dE---c-e----B-\n"),
    ),
    True: (
        *(b";PL[W]DI[31]", b";PL[B]DI[52]", b";W[31]", b";W[31?]", b";W[55gbgbgbgbgb]", b"C[x]"),
        *(b";W[double]", b";B[take]", b";B[drop]", b";CV[4]CP[w]", b";PL[W]AE[a:y]AW[f][y]AB[s]"),
        *(b"PL[B]", b";AE[a:x]AW[f]AB[s]", b"[", b"]", b"(", b")", b";", b"\\", b"z", b"y"),
    ),
}


def _seeds() -> Iterator[bytes]:
    """The games of the samples, cut short."""
    for file in sorted(SAMPLES.iterdir()):
        data = file.read_bytes()
        if is_sgf(data):
            for tree in re.split(rb"(?m)^(?=\(;)", data)[1:]:
                yield b"".join(re.split(rb"(?m)(?=^;)", tree)[: 2 * _ROWS]) + b")"
        else:
            head, *games = re.split(rb"(?m)^(?=\s*Game \d)", data)
            for game in games:
                yield head + b"".join(game.splitlines(keepends=True)[: _ROWS + 2])


_SEEDS = list(_seeds())


def _damaged(seed: int) -> bytes:
    random = Random(seed)
    data = random.choice(_SEEDS)
    words = _WORDS[is_sgf(data)]
    for _ in range(random.choice((1, 1, 2, 4))):
        lines = data.splitlines(keepends=True)
        at, line = random.randrange(len(data) + 1), random.randrange(len(lines) + 1)
        end = at + random.randrange(12)
        match random.randrange(7):
            case 0:
                data = data[:at] + data[end:]
            case 1:
                data = data[:at] + random.choice(words) + data[at:]
            case 2:
                data = data[:at] + random.choice(words) + data[end:]
            case 3:
                data = b"".join(lines[:line] + lines[line + 1 :])
            case 4:
                data = b"".join([*lines[:line], random.choice(lines), *lines[line:]])
            case 5:
                random.shuffle(some := lines[line : line + 3])
                data = b"".join([*lines[:line], *some, *lines[line + 3 :]])
            case _:
                byte = random.choice(b"0123456789/*() abx:;[]")
                data = data[:at] + bytes([byte]) + data[at + 1 :]
        if not data:
            break
    return data


def _annotated(data: bytes) -> bytes:
    return b"".join(
        format_sgf(annotate(source.match), source.record) for source in read_sources(data)
    )


@pytest.mark.thorough
def test_damaged_files_are_annotated_once() -> None:
    read = 0
    for seed in range(1500):
        try:
            once = _annotated(_damaged(seed))
        except NactationError:
            continue
        read += 1
        assert annotate_sgf(once) == once, f"seed {seed}"
    assert read > 600


@pytest.mark.parametrize(
    ("rows", "parts"),
    [
        # A roll whose play cannot be read, before a play of the same player.
        ("1) 31: xyz\n2) 31: 8/5 6/5   52: 13/8 24/22\n", ["play missing", "board unknown"]),
        ("1) 31: xyz\n2) 52: 8/5 6/5   52: 13/8 24/22\n", ["play missing", "board unknown"]),
        ("1) 31: \n2) 31: 8/5 6/5   52: 13/8 24/22\n", ["play missing", "board unknown"]),
        # The last play of the record cannot be read, or the only legal one.
        ("1) 31: 8/5 6/5   52: xyz\n", ["31P", "52 play missing"]),
        ("; Set Pos=-A---------------------aab\n1) 66: xyz  52: 1/0\n2) 11: 1/0 \n", []),
        # Five hops.
        ("1) 11: 24/23 23/22 22/21 21/20 6/5   31: 8/5 6/5\n", ["11 illegal play", "31P"]),
        # A take that answers no double, and stars that no way of playing has.
        ("1) 31: 8/5 6/5   Takes\n2) 52: 13/8 24/22  31: 8/5 6/5\n", ["52"]),
        ("1) 21: 13/11 6/5  54: 24/15*\n", ["54"]),
    ],
)
def test_what_is_unknown_stays_unknown(rows: str, parts: list[str]) -> None:
    once = _annotated(one_game(rows).encode())
    assert annotate_sgf(once) == once
    comments = re.findall(rb"C\[Nactation: ([^\]]*)", once)
    for part in parts:
        assert any(part.encode() in comment for comment in comments)
