"""Reads match text (.mat, .txt) in every dialect.

The format has no official definition. The reader accepts what programs really write, and adds
everything it does not understand to `Match.problems`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.match import Game, Match
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.heading import crawford_game
from gnubg_nactation.files.mat.game import Line, parse_number, read_game
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
    """Read all matches of a file of match text, usually one.

    Without `encoding` a byte order mark decides, then UTF-8 and Windows-1252 are tried.
    Raises MalformedError if there is no match; the message begins with the line number if one
    line is the reason.
    """
    lines = _to_lines(decode_text(data, encoding))
    starts = [index for index, line in enumerate(lines) if _LENGTH.fullmatch(line.text)]
    if not starts:
        raise _no_match_text(lines)
    begins = [0, *(_header_start(lines, start) for start in starts[1:]), len(lines)]
    results = [
        _try_match(lines[begin:start], lines[start], lines[start + 1 : end])
        for start, (begin, end) in zip(starts, pairwise(begins), strict=True)
    ]
    matches = [match for match in results if isinstance(match, Match)]
    failures = [error for error in results if isinstance(error, MalformedError)]
    if not matches:
        raise failures[0]
    problems = (*matches[0].problems, *map(str, failures))
    return (replace(matches[0], problems=problems), *matches[1:])


def _try_match(
    header: Sequence[Line], length_line: Line, after: Sequence[Line]
) -> Match | MalformedError:
    try:
        return _read_match(header, length_line, after)
    except MalformedError as error:
        return error


def decode_text(data: bytes, encoding: str | None) -> str:
    """Decode a file, in the encoding that `read` would detect; raises MalformedError."""
    if not data.strip():
        raise MalformedError("the file is empty; expected match text")
    if encoding is None:
        encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    try:
        text = data.decode(encoding or "utf-8")
    except (ValueError, LookupError) as error:
        if encoding is not None:
            message = f"not match text in the encoding {quoted(encoding)}: {error}"
            raise MalformedError(message) from None
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise MalformedError(f"line {line}: a zero byte; expected match text")
    return text


def _to_lines(text: str) -> list[Line]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs()
    return [Line(number, line) for number, line in enumerate(text.split("\n"), start=1)]


def _no_match_text(lines: Sequence[Line]) -> MalformedError:
    for line in lines:
        if line.has_content:
            problem = f"found {quoted(line.text.strip())}, expected a line such as '7 point match'"
            return MalformedError(line.problem(problem))
    return MalformedError("no line such as '7 point match' in the file")


def _header_start(lines: Sequence[Line], start: int) -> int:
    """Return the start of the comments and blank lines right before lines[start]."""
    while start > 0 and not lines[start - 1].has_content:
        start -= 1
    return start


def _read_match(header: Sequence[Line], length_line: Line, after: Sequence[Line]) -> Match:
    words = _LENGTH.fullmatch(length_line.text)
    length = parse_number(words[1]) if words else None
    if length is None:
        raise MalformedError(length_line.problem("the match length has more than 9 digits"))
    starts = [index for index, line in enumerate(after) if _GAME.fullmatch(line.text)]
    tags, comments, problems = _read_header([*header, *after[: starts[0] if starts else None]])
    values = {key.lower(): value for key, value in reversed(tags)}
    start = VARIATIONS.get(_variation(values.get("variation", "")), STANDARD)
    openings = [_read_opening(after[begin:end]) for begin, end in pairwise([*starts, len(after)])]
    players = next((opening.players for opening in openings if opening.players), None)
    if players is None:
        problem = f"{quoted(length_line.text.strip())} is not followed by a game"
        expected = "a line 'Game 1' and one such as 'Ann : 0     Ben : 0'"
        raise MalformedError(length_line.problem(f"{problem}; expected {expected}"))
    games, game_problems = _read_games(openings, players, sum(n for n in start.points if n > 0))
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
        problems=(*problems, *game_problems),
    )


def _read_header(lines: Sequence[Line]) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Return the tags, the comments, and a problem for each other line."""
    tags, comments, problems = [], [], []
    for line in lines:
        comment = line.comment
        if line.has_content:
            text = quoted(line.text.strip())
            problems.append(line.problem(f"neither a tag nor a comment: {text}"))
        elif comment is None:
            continue
        elif tag := _TAG.fullmatch(comment.strip()):
            key, value = tag[1].strip(), tag[2]
            tags.append((key, value))
            if key.lower() == "variation" and _variation(value) not in VARIATIONS:
                problem = f"an unknown variation {quoted(value)}, read as backgammon"
                problems.append(line.problem(problem))
        else:
            comments.append(comment)
    return tags, comments, problems


def _variation(value: str) -> str:
    return value.strip().lower() or "backgammon"


class _Opening(NamedTuple):
    """A game of which only the first two lines are read."""

    line: Line
    number: int | None
    players: tuple[str, str] | None
    score: tuple[int | None, int | None]
    rows: Sequence[Line]


def _read_opening(lines: Sequence[Line]) -> _Opening:
    head, *rows = lines
    game = _GAME.fullmatch(head.text)
    number = parse_number(game[1]) if game else None
    first = next((line for line in rows if line.has_content), None)
    players = None if first is None or _ROW.match(first.text) else _split_players(first.text)
    if first is None or players is None:
        return _Opening(head, number, None, (None, None), rows)
    rows.remove(first)
    return _Opening(head, number, *players, rows)


def _split_players(text: str) -> tuple[tuple[str, str], tuple[int | None, int | None]] | None:
    """Read the names and scores of `name : 3      name : 0`; a name may contain colons."""
    scores = list(_SCORE.finditer(text.rstrip()))
    if len(scores) < 2 or scores[-1].end() != len(text.rstrip()):
        return None

    def gap(score: re.Match[str]) -> int:
        after = text[score.end() :]
        return len(after) - len(after.lstrip())

    second = scores.pop()
    first = max(scores[-50:], key=gap)  # the widest gap separates the columns
    names = (text[: first.start()].strip(), text[first.end() : second.start()].strip())
    return names, (parse_number(first[1]), parse_number(second[1]))


def _names(players: tuple[str, str]) -> str:
    return f"({', '.join(map(quoted, players))})"


def _read_games(
    openings: Sequence[_Opening], players: tuple[str, str], own: int
) -> tuple[list[Game], list[str]]:
    games: list[Game] = []
    problems: list[str] = []
    score = (0, 0)
    for index, opening in enumerate(openings, start=1):
        stated = opening.players
        if stated and stated != players:
            problem = f"the players are now {_names(stated)}, not {_names(players)}"
            problems.append(opening.line.problem(problem))
        possible = {
            "a game without a line of players and scores": stated is None,
            "the game number has more than 9 digits": opening.number is None,
            "a score of more than 9 digits, ignored": stated and None in opening.score,
        }
        problems += [opening.line.problem(text) for text, applies in possible.items() if applies]
        first, second = (
            last if new is None else new for last, new in zip(score, opening.score, strict=True)
        )
        number = index if opening.number is None else opening.number
        game, game_problems = read_game(number, (first, second), opening.rows, players, own)
        games.append(game)
        problems += game_problems
        # Without a winner the points are 0.
        score = (first + game.points, second) if not game.winner else (first, second + game.points)
    return games, problems
