"""Sorts the lines of a score sheet: heads, games, names above columns, results, comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gnubg_nactation.files.sheet.head import EXAMPLE, Head, HeadLines, read_head, read_key
from gnubg_nactation.files.sheet.text import Fault, Line, SheetText
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.markup import read_markup


class GameHead(NamedTuple):
    """A line such as `Game 3: Alice 2, Bob 0, Crawford`."""

    at: int
    number: int | None
    score: tuple[int, int] | None
    cube: int = 1
    is_crawford: bool = False


class TypedResult(NamedTuple):
    """A line such as `Bob wins 2 points`.

    `winner` is an index of the names, None for a game that is not finished. `points` is None if
    they are not typed; `size` is 1 to 3 for a resignation.
    """

    at: int
    winner: int | None
    points: int | None = None
    size: int | None = None


class GameText:
    """The lines of one game, or of several games of one line each."""

    def __init__(self) -> None:
        self.head: GameHead | None = None
        self.rows: list[Line] = []  # without their numbers
        self.results: list[TypedResult] = []
        self.again: list[Line] = []  # the sequence below columns
        self.comments: list[str] = []
        self.right: int | None = None  # the column of the second name
        self.is_numbered = self.is_closed = False
        self.is_open = False  # its result cannot be read


class MatchText:
    """The lines of one match."""

    def __init__(self, head: Head | None, at: int) -> None:
        self.head, self.at = head, at
        self.tags: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.games: list[GameText] = []
        self.faults: list[Fault] = []

    @property
    def players(self) -> tuple[str, str]:
        """The names in the head."""
        return self.head.players if self.head else ("", "")


_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|\[/?[A-Za-z]{1,10}(?:=[^\[\]]*)?\]|\*\*|__|&[a-z]+;")
_MAX_LINE = 20_000
_TAG = re.compile(r'\[([^"\[\]]*)"(.*)"\s*\]')
_GAME = re.compile(r"(?:#+\s*)?game\s+([0-9]{1,9})(?![0-9-])\s*(?:[:.,;-]\s*)?(\S.*|)", re.I | re.A)
_NUMBERS = re.compile(r"([0-9]{1,9})\s*[-:]\s*([0-9]{1,9})(?![0-9])", re.ASCII)
_CRAWFORD = re.compile(r"(?<!post-)(?<!post )(?<!no )\bcrawford", re.IGNORECASE)
_CUBE = re.compile(r"cube (?:at|on) ([0-9]{1,9})(?![0-9])", re.IGNORECASE | re.ASCII)
_WINS = re.compile(
    r"(?:wins|won)(?:\s+(?:by\s+)?(?:([0-9]{1,9})(?:\s+points?)?|a\s+(single\s+game|gammon|backgammon)"
    r"|the\s+(?:game|match)))?(?:\s+and\s+the\s+match)?\s*[.!]?",
    re.IGNORECASE | re.ASCII,
)
_RESIGNS = re.compile(
    r"(?:resigns?|resigned|concedes?)(?:\s+(?:a\s+)?([123]|single(?:\s+game)?|gammon|backgammon))?[.!]?",
    re.IGNORECASE | re.ASCII,
)
_SIZES = {"1": 1, "2": 2, "3": 3, "s": 1, "g": 2, "b": 3}
_UNFINISHED = re.compile(r"(?:game\s+)?(?:not\s+finished|unfinished)\s*[.!]?", re.IGNORECASE)
_ROW_NUMBER = re.compile(r"\s*(?:\|\s*)?([0-9]{1,3})(?:[.):]+(?=\s|$)|(?=\s))", re.ASCII)
_ACCOUNT = re.compile(r"Errors by \S|Errors, |Blunders\s*$")
# How the first line of a game begins.
_ROW = re.compile(
    r"""[\s>+*.-]*(?:top-)?(?:
        [1-9][0-9](?![0-9]) | [1-9][1-9][0-9](?![0-9]) | [1-9][0-9](?=[1-9][0-9])
      | N(?:ack(?:gammon)?)?[\s:-]*[1-6][1-6]
      | (?:White|Black)'s\s+opening
      | (?:position|cube)\ set\ to
      | (?:[CRTPDF^]|cub|rcb|tak|pas|fan|pass|take|drop|(?:re)?doubles?|resigns?)(?![\w'])
      | \((?:position|cube)\ set\ to
    )""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_TOKEN = re.compile(r"(?<![0-9A-Za-z./])[1-6]{2}[A-Za-z$%@&^](?![A-Za-z0-9])")
_ANY_RESULT = re.compile(
    r"([^\W\d].{0,200}?)\s+(?:wins?|won|resigns?|resigned)(?!\w).{0,40}", re.IGNORECASE
)
_FENCE = re.compile(r"\s*(?:`{3}.*|(?:[-=*_]{3,}|\|{2})\s*|\|[\s|:]*-[-\s|:]*)")
_HEAD_CELL = re.compile(r"(?:#|no\.?|move|turn|roll)?\s*\|\s*", re.IGNORECASE)  # above row numbers


def is_sheet(text: str) -> bool:
    """Whether a text begins like a score sheet: with the names and the length of a match."""
    several = HeadLines()
    for line in text.split("\n", 60)[:60]:
        plain = _plain(line[:_MAX_LINE])
        if several.read(plain.lstrip("#*> ")):
            if several.head:
                return True
        elif plain and not plain.startswith(";"):
            head = read_head(plain.lstrip("#*> "))
            return head is not None and any(head.players)
    return False


def split_matches(sheet: SheetText) -> list[MatchText]:
    """Sort the lines of a sheet; a head begins a match."""
    matches: list[MatchText] = []
    comments: list[str] = []
    reader: _Reader | None = None
    several = HeadLines()
    for line in sheet.lines():
        plain = _plain(line.text)
        if reader is None and several.read(plain.lstrip("#*> ")):
            head = several.head
            if head is None:
                continue
        else:
            head = read_head(plain.lstrip("#*> ")) if plain[:1] != ";" else None
        if head or (reader is None and plain and plain[0] != ";"):
            match = MatchText(head, line.at)
            matches.append(match)
            reader = _Reader(sheet, match)
            for comment in comments:
                reader.comment(comment)
            if head and head.problem:
                match.faults.append(sheet.fault(_first(line), head.problem))
        if head:
            continue
        if reader is None:
            comments += [plain] if plain else []
        else:
            reader.read(line, plain)
    return matches


def _plain(text: str) -> str:
    """A line without the markup of posts, and without blanks at its ends."""
    if len(text) <= _MAX_LINE and _MARKUP.search(text):
        text = "".join(glyph.character for glyph in read_markup(text))
    return text.strip()


def _first(line: Line) -> int:
    """The offset of the first character of a line that is not blank."""
    return line.at + len(line.text) - len(line.text.lstrip())


class _Reader:
    """Reads the lines of one match after its head."""

    def __init__(self, sheet: SheetText, match: MatchText) -> None:
        self.sheet, self.match = sheet, match
        self.is_after_blank = True
        self.is_in_account = False

    def read(self, line: Line, plain: str) -> None:
        """Read the next line."""
        if not plain or _FENCE.fullmatch(plain):
            self.is_after_blank = True
            return
        if not self._reads_structure(line, plain):
            self._row(line, plain)
        self.is_after_blank = False

    def comment(self, plain: str) -> None:
        """Read a comment or a tag."""
        text = plain[1:].removeprefix(" ")
        tag = _TAG.fullmatch(text.strip())
        match = self.match
        if tag and not match.games:
            match.tags.append((tag[1].strip(), tag[2]))
        else:
            (match.games[-1].comments if match.games else match.comments).append(text)

    def _game(self) -> GameText | None:
        games = self.match.games
        return games[-1] if games else None

    def _new(self) -> GameText:
        self.match.games.append(GameText())
        return self.match.games[-1]

    def _reads_structure(self, line: Line, plain: str) -> bool:
        """Read a line that is no row of a game; False for any other line."""
        game = self._game()
        if plain.startswith(";"):
            self.comment(plain)
        elif found := _GAME.fullmatch(plain):
            self.is_in_account = False
            self._new().head = self._read_game_head(_first(line), found)
        elif self.is_in_account or (self.is_after_blank and _ACCOUNT.match(plain)):
            self.is_in_account = True
        elif result := self._read_result(_first(line), plain):
            if game is None:
                game = self._new()
            game.results.append(result)
            game.is_closed = True
        elif (right := self._read_names(line)) is not None:
            if game is None or game.rows or game.is_closed:
                game = self._new()
            game.right = right
        elif not self.match.games and (tag := read_key(plain)):
            self.match.tags.append(tag)
        elif (result_text := _ANY_RESULT.fullmatch(plain)) and not _TOKEN.search(plain):
            if self.match.head:
                names = " or ".join(map(quoted, self.match.players))
                text = f"found {quoted(result_text[1])}, expected {names}"
                self.match.faults.append(self.sheet.fault(_first(line), text))
            if game:
                game.is_closed = game.is_open = True
        else:
            return False
        return True

    def _row(self, line: Line, plain: str) -> None:
        """Read a row of a game."""
        game = self._game()
        number = _ROW_NUMBER.match(line.text)
        goes_on = game is not None and not game.is_closed
        if game and game.rows and self.is_after_blank and not game.is_numbered:
            goes_on = False
        if game and game.is_numbered and game.is_closed and not self.is_after_blank and not number:
            game.again.append(line)
            return
        is_first = number is not None and int(number[1]) == 1
        row = line.text[number.end() :] if number and is_first else line.text
        is_row = _ROW.match(row) or _TOKEN.search(row)
        if game is None or not goes_on or (is_first and game.is_numbered):
            if not (is_row or is_first):
                expected = f"expected a game such as 54S-63R-31P, or a head such as {EXAMPLE}"
                text = f"found {quoted(plain)}, {expected}"
                self.match.faults.append(self.sheet.fault(_first(line), text))
                return
            game = self._new()
        if not game.rows:
            game.is_numbered = is_first
        if number and game.is_numbered:
            line = line.shift(number.end())
        game.rows.append(line)

    def _read_game_head(self, at: int, found: re.Match[str]) -> GameHead:
        rest = found[2]
        cube = _CUBE.search(rest)
        score: tuple[int, int] | None = None
        names = self.match.players
        number = r"\s*(?::\s*)?([0-9]{1,9})"
        pattern = rf"{re.escape(names[0])}{number}\s*(?:[,;-]\s*)?{re.escape(names[1])}{number}"
        scores = re.match(pattern, rest, re.ASCII) if any(names) else None
        scores = scores or _NUMBERS.search(rest)
        if scores:
            score = int(scores[1]), int(scores[2])
        is_crawford = _CRAWFORD.search(rest) is not None
        return GameHead(at, int(found[1]), score, int(cube[1]) if cube else 1, is_crawford)

    def _read_result(self, at: int, plain: str) -> TypedResult | None:
        if _UNFINISHED.fullmatch(plain):
            return TypedResult(at, None)
        for player, rest in self._after_names(plain):
            if found := _WINS.fullmatch(rest):
                size = _SIZES[found[2][0].lower()] if found[2] else None
                return TypedResult(at, player, int(found[1]) if found[1] else None, size)
            if found := _RESIGNS.fullmatch(rest):
                size = _SIZES[found[1][0].lower()] if found[1] else 1
                return TypedResult(at, 1 - player, None, size)
        return None

    def _after_names(self, plain: str) -> Iterator[tuple[int, str]]:
        for player, name in enumerate(self.match.players):
            if name and plain.casefold().startswith(f"{name.casefold()} "):
                yield player, plain[len(name) :].strip()

    def _read_names(self, line: Line) -> int | None:
        """The column of the second name, if the line has both names and nothing else."""
        first, second = self.match.players
        words = line.text.strip("| ")
        if "|" in line.text and (cell := _HEAD_CELL.match(words)):
            words = words[cell.end() :]
        if not (first and second and words.startswith(first) and words.endswith(second)):
            return None
        if words[len(first) : len(words) - len(second)].strip(" \t|") or len(words) < len(
            first
        ) + len(second):
            return None
        return self.sheet.column_of(line.at + len(line.text.rstrip("| ")) - len(second))
