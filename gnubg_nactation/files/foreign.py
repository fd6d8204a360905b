"""Formats that GNU Backgammon can import and this package cannot, recognised by how they begin.

`engines.importing` has gnubg convert them to SGF. gnubg trusts such files: it aborts at lines it
does not know, and writes past its memory for names that are too long. So this module checks a
file before gnubg gets it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple


class Foreign(NamedTuple):
    """A format: its name, the word after gnubg's `import`, and how to recognise it.

    `begins` takes the first lines of a file, blank ones left out. `names` takes a line and whether
    it is the first, and returns what gnubg would read as player names in it.
    """

    name: str
    command: str
    begins: Callable[[Sequence[str]], bool]
    names: Callable[[str, bool], Sequence[str]]


_MAX_NAME_BYTES = 31  # in gnubg
_MAX_LINE_CHARS = 1000
_HEAD_LINES = 40  # read to recognise a format
_SGG_GAME = re.compile(r"Game [0-9]{1,9}\.[0-9]")
_TMG_GAME = re.compile(r"Game [0-9]{1,9}: [0-9]{1,9}-[0-9]")
_TMG_OPTION = re.compile(r"[A-Za-z0-9]{1,20}:")
_ROW = re.compile(r"[0-9]{1,4}\)")
_SCORE = re.compile(r"Score is ([0-9]{1,9})-([0-9]{1,9})")
_POSITION = re.compile(r"[0-9]{1,9};[01];[0-9]{1,9};[0-9]{1,9};[01];")

# The lines above the first game of a .sgg file that gnubg can read; it aborts at any other line.
_SGG_READABLE = re.compile(
    "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|GamesGrid|ELO:|Jacoby:|Automatic Doubles:"
    "|Crawford:|Beavers:|Raccoons:|Doubling Cube:|Rated:|Match Length:"
    r"|Variant: ?(?:HyperGammon|Nackgammon|Backgammon)$"
)


def _begins_sgg(lines: Sequence[str]) -> bool:
    return " vs. " in lines[0] and any(map(_SGG_GAME.match, lines))


def _sgg_names(line: str, is_first: bool) -> Sequence[str]:
    return line.split(" vs. ", 1) if is_first else ()


def _begins_oldmoves(lines: Sequence[str]) -> bool:
    score = next((at for at, line in enumerate(lines) if _SCORE.search(line)), len(lines))
    return any(" is X - " in line and line.endswith(" is O") for line in lines[score + 1 :][:1])


def _oldmoves_names(line: str, _: bool) -> Sequence[str]:
    first, is_x, second = line.partition("is X")
    return (first, second[2:].partition("is O")[0]) if is_x else ()


def _begins_tmg(lines: Sequence[str]) -> bool:
    game = next((at for at, line in enumerate(lines) if _TMG_GAME.match(line)), 0)
    return game > 0 and all(map(_TMG_OPTION.match, lines[:game]))


def _tmg_names(line: str, _: bool) -> Sequence[str]:
    return line.split() if line.startswith(("Player1:", "Player2:")) else ()


def _begins_empire(lines: Sequence[str]) -> bool:
    return len(lines) > 1 and len(lines[0].split()) == 2 and lines[1].startswith("1) ")


def _empire_names(line: str, _: bool) -> Sequence[str]:
    if _ROW.match(line):
        return ()
    words = line.split()
    if len(words) < 2:
        raise MalformedError(f"found {quoted(line)}, expected the names of two players")
    return words[:2]


_FORMATS = (
    Foreign("a GamesGrid or GridGammon match (.sgg)", "sgg", _begins_sgg, _sgg_names),
    Foreign("a FIBS oldmoves file", "oldmoves", _begins_oldmoves, _oldmoves_names),
    Foreign("a TrueMoneyGames match (.tmg)", "tmg", _begins_tmg, _tmg_names),
    Foreign("a GammonEmpire game (.gam)", "empire", _begins_empire, _empire_names),
    Foreign(
        "a position of Snowie (.txt)",
        "snowietxt",
        lambda lines: bool(_POSITION.match(lines[0])) and lines[0].count(";") in {39, 40},
        lambda _, __: (),  # gnubg cuts long names here
    ),
)


def recognised(text: str) -> Foreign | None:
    """Return the foreign format of a text, or None."""
    lines = [line.strip() for line in _lines(text)[: 2 * _HEAD_LINES] if line.strip()]
    begin = lines[:_HEAD_LINES]
    return next((foreign for foreign in _FORMATS if begin and foreign.begins(begin)), None)


def matches_of(text: str, foreign: Foreign) -> list[str]:
    """Return the text of each match, with its lines at their numbers.

    gnubg reads only the first match of oldmoves, and joins matches of the same players. A match
    begins with other players, another length, or a score that has not grown.
    """
    if foreign.command != "oldmoves":
        return [text]
    lines = _lines(text)
    begins: list[int] = []
    last: object = None
    total = 0
    for at, line in enumerate(lines):
        score = _SCORE.search(line)
        names = next((each for each in lines[at + 1 : at + _HEAD_LINES] if each.strip()), "")
        if score is None or " is X - " not in names:
            continue
        points = int(score[1]) + int(score[2])
        players = {name.strip() for name in foreign.names(names, at == 0)}
        match = players, line[score.end() :].strip()
        if match != last or points <= total:
            begins.append(at)
        last, total = match, points
    begins[:1] = [0]  # what is before the first match is read with it
    return [
        "\n" * begin + "\n".join(lines[begin:end]) for begin, end in pairwise([*begins, len(lines)])
    ]


def prepared(text: str, foreign: Foreign) -> str:
    """Return the text without lines that gnubg aborts at; MalformedError if gnubg would crash."""
    lines = _lines(text)
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    for at, line in enumerate(lines):
        if len(line) > _MAX_LINE_CHARS:
            raise MalformedError(f"line {at + 1}: longer than {_MAX_LINE_CHARS} characters")
        for name in foreign.names(line.strip(), at == first) if line.strip() else ():
            if not 0 < len(name.strip().encode()) <= _MAX_NAME_BYTES:
                problem = f"is empty or longer than {_MAX_NAME_BYTES} bytes, GNU Backgammon's limit"
                raise MalformedError(f"line {at + 1}: the name {quoted(name.strip())} {problem}")
    if foreign.command == "sgg":
        game = next((at for at, line in enumerate(lines) if _SGG_GAME.match(line)), len(lines))
        lines[first + 1 : game] = filter(_SGG_READABLE.match, lines[first + 1 : game])
    return "\n".join(lines)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
