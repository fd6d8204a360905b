"""Match text (.mat, .txt): every dialect read, and one written.

There is no official definition of the format; what programs really write is read, and what
cannot be understood is kept in `Match.problems`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.match import Game, Match
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.mat.game import Line, crawford_game, parse_number, read_game
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_LENGTH = re.compile(r"\s*([0-9]+)\s*points?\s+match\s*", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+([0-9]+)\s*", re.IGNORECASE)
_TAG = re.compile(r'\[([^"\[\]]*)"(.*)"\s*\]')
_ROW = re.compile(r"\s*[0-9]+\)\s*(?:[0-6?][0-6?]:|$)")
_SCORE = re.compile(r":\s*([0-9]+)")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read(data: bytes, encoding: str | None = None) -> tuple[Match, ...]:
    """All matches of a file of match text; as a rule one.

    Without `encoding` a byte order mark decides, else UTF-8 is tried, then Windows-1252.
    Raises MalformedError when no match can be made out; its text begins with `line N: ` where
    a line is at fault.
    """
    lines = _to_lines(decode_text(data, encoding))
    starts = [index for index, line in enumerate(lines) if _LENGTH.fullmatch(line.text)]
    if not starts:
        raise _no_match_text(lines)
    begins = [0, *(_header_start(lines, start) for start in starts[1:]), len(lines)]
    found = [
        _try_match(lines[begin:start], lines[start], lines[start + 1 : end])
        for start, (begin, end) in zip(starts, pairwise(begins), strict=True)
    ]
    matches = [match for match in found if isinstance(match, Match)]
    failures = [error for error in found if isinstance(error, MalformedError)]
    if not matches:
        raise failures[0]
    first, *others = matches
    problems = (*first.problems, *map(str, failures))
    return (replace(first, problems=problems), *others)


def _try_match(
    before: Sequence[Line], length_line: Line, after: Sequence[Line]
) -> Match | MalformedError:
    try:
        return _read_match(before, length_line, after)
    except MalformedError as error:
        return error


def decode_text(data: bytes, encoding: str | None) -> str:
    """The text of a file in its encoding, as `read` finds it out; MalformedError."""
    if not data.strip():
        raise MalformedError("the file is empty; expected match text")
    if encoding is None:
        encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    try:
        text = data.decode(encoding or "utf-8")
    except (ValueError, LookupError) as error:
        if encoding is not None:
            raise MalformedError(
                f"not match text in the encoding {quoted(encoding)}: {error}"
            ) from None
        text = _decode_windows(data)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise MalformedError(f"line {line}: a zero byte; expected match text")
    return text


def _decode_windows(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _to_lines(text: str) -> list[Line]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs()
    return [Line(number, line) for number, line in enumerate(text.split("\n"), start=1)]


def _no_match_text(lines: Sequence[Line]) -> MalformedError:
    for line in lines:
        if line.has_content:
            found = f"found {quoted(line.text.strip())}"
            return MalformedError(line.problem(f"{found}, expected such as '7 point match'"))
    return MalformedError("no line such as '7 point match' in the file")


def _header_start(lines: Sequence[Line], start: int) -> int:
    """The first of the comments and blank lines that stand right before lines[start]."""
    while start > 0 and not lines[start - 1].has_content:
        start -= 1
    return start


def _read_match(before: Sequence[Line], length_line: Line, after: Sequence[Line]) -> Match:
    found = _LENGTH.fullmatch(length_line.text)
    length = parse_number(found[1]) if found else None
    if length is None:
        raise MalformedError(
            length_line.problem("the match length is out of range (over 9 digits)")
        )
    starts = [index for index, line in enumerate(after) if _GAME.fullmatch(line.text)]
    tags, comments, problems = _read_header([*before, *after[: starts[0] if starts else None]])
    values = {key.lower(): value for key, value in reversed(tags)}
    start = VARIATIONS.get(_variation(values.get("variation", "")), STANDARD)
    openings = [_read_opening(after[begin:end]) for begin, end in pairwise([*starts, len(after)])]
    players = next((opening.players for opening in openings if opening.players), None)
    if players is None:
        written = f"{quoted(length_line.text.strip())} is not followed by a game"
        expected = "a line 'Game 1' and one such as 'Ann : 0     Ben : 0'"
        raise MalformedError(length_line.problem(f"{written}; expected {expected}"))
    games, told = _read_games(openings, players, sum(n for n in start.points if n > 0))
    crawford = crawford_game(length, games)
    if crawford is not None and values.get("crawford", "").lower() != "off":
        games[crawford] = replace(games[crawford], crawford=True)
    return Match(
        players=players,
        length=length,
        games=tuple(games),
        start=start,
        jacoby=not length and values.get("jacoby", "").lower() == "on",
        headers=tuple(tags),
        comments=tuple(comments),
        problems=(*problems, *told),
    )


def _read_header(lines: Sequence[Line]) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """The tags, the comments, and what is neither."""
    tags, comments, problems = [], [], []
    for line in lines:
        comment = line.comment
        if line.has_content:
            found = line.text.strip()
            problems.append(line.problem(f"neither a tag nor a comment: {quoted(found)}"))
        elif comment is None:
            continue
        elif tag := _TAG.fullmatch(comment.strip()):
            key, value = tag[1].strip(), tag[2]
            tags.append((key, value))
            if key.lower() == "variation" and _variation(value) not in VARIATIONS:
                told = f"an unknown variation {quoted(value)}, read as backgammon"
                problems.append(line.problem(told))
        else:
            comments.append(comment)
    return tags, comments, problems


def _variation(value: str) -> str:
    return value.strip().lower() or "backgammon"


class _Opening(NamedTuple):
    """A game with its first two lines read, the others not yet."""

    line: Line
    number: int | None
    players: tuple[str, str] | None
    score: tuple[int | None, int | None]
    rows: Sequence[Line]


def _read_opening(lines: Sequence[Line]) -> _Opening:
    head, *rows = lines
    game = _GAME.fullmatch(head.text)
    number = parse_number(game[1]) if game else None
    said = next((line for line in rows if line.has_content), None)
    found = None if said is None or _ROW.match(said.text) else _split_players(said.text)
    if said is None or found is None:
        return _Opening(head, number, None, (None, None), rows)
    rows.remove(said)
    return _Opening(head, number, *found, rows)


def _split_players(text: str) -> tuple[tuple[str, str], tuple[int | None, int | None]] | None:
    """Names and scores of `name : 3      name : 0`; names may hold anything, also colons."""
    found = list(_SCORE.finditer(text.rstrip()))
    if len(found) < 2 or found[-1].end() != len(text.rstrip()):
        return None

    def gap(match: re.Match[str]) -> int:
        rest = text[match.end() :]
        return len(rest) - len(rest.lstrip())

    right = found.pop()
    left = max(found[-50:], key=gap)  # the widest gap parts the columns
    names = (text[: left.start()].strip(), text[left.end() : right.start()].strip())
    return names, (parse_number(left[1]), parse_number(right[1]))


def _names(players: tuple[str, str] | None) -> str:
    """Both players in a message."""
    return f"({', '.join(map(quoted, players or ()))})"


def _read_games(
    openings: Sequence[_Opening], players: tuple[str, str], own: int
) -> tuple[list[Game], list[str]]:
    games: list[Game] = []
    problems: list[str] = []
    score = (0, 0)
    for index, opening in enumerate(openings, start=1):
        stated = opening.players
        if stated not in (None, players):
            told = f"the players are now {_names(stated)}, not {_names(players)}"
            problems.append(opening.line.problem(told))
        troubles = {
            "a game without a line of players and scores": stated is None,
            "the number of the game is out of range (over 9 digits)": opening.number is None,
            "a score out of range (over 9 digits), ignored": stated and None in opening.score,
        }
        problems += [opening.line.problem(told) for told, holds in troubles.items() if holds]
        first, second = (
            last if new is None else new for last, new in zip(score, opening.score, strict=True)
        )
        number = index if opening.number is None else opening.number
        game, found = read_game(number, (first, second), opening.rows, players, own)
        games.append(game)
        problems += found
        # Without a winner the points are 0.
        score = (first + game.points, second) if not game.winner else (first, second + game.points)
    return games, problems
