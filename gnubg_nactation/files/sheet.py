"""Reads score sheets: matches that people write down in Nactation, and our own annotated text."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import suppress

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Game,
    Match,
    Move,
    Resign,
    Take,
    is_crawford_game,
    replay,
    stake_problem,
)
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.position import CHECKERS, STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.results import Result, points_for, result_of
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.files.heading import MARKUP, written_names
from gnubg_nactation.files.mat import decode_text
from gnubg_nactation.sequences.assumption import NO_ENGINE, Confidence
from gnubg_nactation.sequences.decode import (
    Decoded,
    DecodedTurn,
    impossible,
    legal_names,
    read_strictly,
    some,
    spot_of,
)
from gnubg_nactation.sequences.tiers import TIERS, ReadingKind, TokenInPosition, readings_of
from gnubg_nactation.sequences.tokens import START_MARK, Parsed, Token, TokenKind, parse_sequence
from gnubg_nactation.showing import counted, quoted, shown
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.markup import read_markup

_MAX_MEANINGS = 3  # plays that a letter may mean


def doubtful_token(read: Decoded) -> str:
    """Why the token after the turns of `read` has no certain reading, and what is possible."""
    spot = spot_of(read, NO_ENGINE)
    token, state = spot.token, spot.state
    if token.kind is TokenKind.ROLL:
        reason = f"expected the letter of a play, as {token.roll} can be played in several ways"
    else:
        reason = impossible(spot)
    if names := legal_names(spot):
        possible = f"possible: {names}"
    elif token.roll:
        possible = f"possible: {token.roll} alone" + (", or F for a fan" * bool(state.position.bar))
    elif state.doubled:
        possible = "possible: T or P" + (", or beaver" * (not state.length))
    else:
        possible = "possible: a roll" + ", or D" * _may_double(spot)
    meanings = _meanings(spot)
    meant = f"; perhaps it means {meanings}: write it like that" if meanings else ""
    return f"found {quoted(token.text)}: {reason}; {possible}{meant}"


def _may_double(spot: TokenInPosition) -> bool:
    state = spot.state
    return not state.crawford and state.owner in {None, state.player}


def _meanings(spot: TokenInPosition) -> str:
    """The plays of doubtful readings: by assumption, or with an underline that is missing."""
    if spot.token.kind is not TokenKind.PLAY or not spot.plays:
        return ""
    readings = [reading for tier in TIERS[1:] for reading in readings_of(tier, spot)]
    plays = dict.fromkeys(reading.play for reading in readings if reading.play)
    roll = spot.token.roll
    names = [f"{roll}({format_play(play)})" for play in plays]
    return some(names, _MAX_MEANINGS, " or ")


EXAMPLE = "'Alice - Bob, 7 point match' or 'Alice - Bob, money'"


class Head(NamedTuple):
    """The names and the length of a match (0: money), and its tags; `problem` if it is doubtful."""

    players: tuple[str, str]
    length: int
    tags: tuple[tuple[str, str], ...] = ()
    problem: str = ""


_MAX_CHARS = 2000
_KIND = re.compile(
    r"""(?<![\w.])(?:
      (?P<points>[0-9]{1,9})[ -]?(?:points?|pts?)(?:[ -]?match)?
    | (?:match[ ]|first[ ])?to[ ](?P<target>[0-9]{1,9})(?:[ ]points?)?
    | (?P<money>money(?:[ -](?:session|game|match|play))?|unlimited(?:[ -](?:session|match))?)
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_SPOKEN = re.compile(r"[1-6][1-6]-point")
_BETWEEN = re.compile(r"(?<!\s)\s+(?:-+|vs?\.?|versus|against)\s+", re.IGNORECASE)
_LABEL = re.compile(r"\b(?:match|players?)\s*:\s*", re.IGNORECASE)
_NAMES_AFTER = re.compile(rf"\s*:\s*(?=\S)([^,;()|]+?{_BETWEEN.pattern}[^,;()|]+)", re.IGNORECASE)
_RULES = {
    "crawford": "Crawford",
    "jacoby": "Jacoby",
    "beaver": "Beaver",
    "beavers": "Beaver",
}
_WORD = re.compile(r"(?:(?P<off>no|without|with)\s+)?(?:the\s+)?(?P<rule>\w+)(?:\s+rule)?", re.I)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})[-./](?P<m>\d{1,2})[-./](?P<d>\d{1,2})(?!\d)", re.ASCII),
    re.compile(r"(?<!\d)(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)", re.ASCII),
    re.compile(r"(?<!\d)(?P<d>\d{1,2})\.?\s(?P<w>[A-Z][a-z]{2,8})\.?,?\s(?P<y>\d{4})(?!\d)", re.A),
    re.compile(r"\b(?P<w>[A-Z][a-z]{2,8})\.?\s(?P<d>\d{1,2}),?\s(?P<y>\d{4})(?!\d)", re.ASCII),
)
_KEYS = {
    "event": "Event",
    "tournament": "Event",
    "round": "Round",
    "date": "EventDate",
    "eventdate": "EventDate",
    "time": "EventTime",
    "place": "Site",
    "site": "Site",
    "venue": "Site",
    "location": "Site",
    "variation": "Variation",
    "crawford": "Crawford",
    "jacoby": "Jacoby",
    "beaver": "Beaver",
    "beavers": "Beaver",
    "transcriber": "Transcriber",
    "annotator": "Annotator",
}
_KEY_LINE = re.compile(r"\s*([A-Za-z]{4,12})\s*:\s*(\S.*)")


def read_head(text: str) -> Head | None:
    """Read a head line; None for any other line."""
    if len(text) > _MAX_CHARS:
        return None
    for kind in _KIND.finditer(text):
        names = _LABEL.sub("", text[: kind.start()]).strip().rstrip(",:;(|").strip()
        rest = text[kind.end() :]
        if _SPOKEN.fullmatch(kind[0]) and not names.strip("+-> "):
            continue  # the first turn of a row
        if not names and (after := _NAMES_AFTER.match(rest)):  # `7 point match: Alice - Bob`
            names, rest = after[1], rest[after.end() :]
        players, problem = _players(names.removesuffix(" -")) if names else (("", ""), "")
        if players is None:
            continue
        tags, tag_problem = _tags(rest)
        length = 0 if kind["money"] else int(kind["points"] or kind["target"])
        return Head(players, length, tags, problem or tag_problem)
    return None


class HeadLines:
    """Collects a head of several lines: `White: Alice`, `Black: Bob`, `Length: 7`."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def read(self, text: str) -> bool:
        """Read a line; False if it is no such line, or repeats one."""
        match = _HEAD_LINE.fullmatch(text)
        if match is None:
            return False
        key = match.lastgroup or ""
        is_new = key not in self._values
        self._values.setdefault(key, match[key].strip())
        return is_new

    @property
    def head(self) -> Head | None:
        """The head; None without both names and the length."""
        values = self._values
        if values.keys() != {"first", "second", "length"}:
            return None
        players = _unquoted(values["first"]), _unquoted(values["second"])
        length = values["length"]
        return Head(players, int(length)) if length.isdecimal() else _with(players, length)


def _with(players: tuple[str, str], length: str) -> Head | None:
    head = read_head(length)
    return head and head._replace(players=players)


_HEAD_LINE = re.compile(
    r"(?:white|player ?1|first player) ?: ?(?P<first>\S.*)"
    r"|(?:black|player ?2|second player) ?: ?(?P<second>\S.*)"
    r"|(?:length|match(?: length)?|points) ?: ?"
    r"(?P<length>[1-9][0-9]{0,3}(?: ?(?:points?|pts?))?|money)",
    re.IGNORECASE | re.ASCII,
)


def read_key(text: str) -> tuple[str, str] | None:
    """Read a line such as `Event: City Open` as a tag; None for any other line."""
    match = _KEY_LINE.fullmatch(text)
    key = _KEYS.get(match[1].lower()) if match else None
    if match is None or key is None:
        return None
    value = match[2].strip()
    date = _date(value) if key == "EventDate" else None
    return key, date[0] if date and date[1] == (0, len(value)) else value


def _players(text: str) -> tuple[tuple[str, str] | None, str]:
    """The two names, and a problem if they could be split in several ways."""
    splits = [
        (text[: match.start()], text[match.end() :])
        for match in _BETWEEN.finditer(text)
        if text.count('"', 0, match.start()) % 2 == 0  # not within quotes
    ]
    if not splits:
        return ((_unquoted(text[:-1].rstrip()), "") if text.endswith("-") else None), ""
    pairs = [(_unquoted(first), _unquoted(second)) for first, second in splits]
    if len(pairs) == 1:
        return pairs[0], ""
    ways = " or ".join(f"{quoted(first)} and {quoted(second)}" for first, second in pairs[:3])
    return pairs[0], f'the players may be {ways}; put a name with a hyphen into quotes: "A - B"'


def _unquoted(name: str) -> str:
    name = name.strip()
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name


def _tags(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """The tags for rules, date, event and place, and a problem if there is one."""
    tags: list[tuple[str, str]] = []
    if date := _date(text):
        (start, end) = date[1]
        tags.append(("EventDate", date[0]))
        text = f"{text[:start]},{text[end:]}"
    others: list[str] = []
    for item in re.split(r"[,;()|]|\s-\s", text):
        words = item.strip(" .-:")
        rule = _WORD.fullmatch(words)
        if not words:
            continue
        if rule and rule["rule"].lower() in _RULES:
            is_off = (rule["off"] or "with").lower() != "with"
            tags.append((_RULES[rule["rule"].lower()], "Off" if is_off else "On"))
        elif words.lower() in VARIATIONS:
            tags.append(("Variation", words))
        elif re.fullmatch(r"(?:1[89]|2[01])\d\d", words, re.ASCII) and not date:
            tags.append(("EventDate", words))
        else:
            others.append(words)
    if others:
        tags.append(("Event", others[0]))
    if others[1:]:
        tags.append(("Site", ", ".join(others[1:])))
    return tuple(tags), ""


def _date(text: str) -> tuple[str, tuple[int, int]] | None:
    """The first date in a text, as match files write it, with its place."""
    for pattern in _DATES:
        if match := pattern.search(text):
            groups = match.groupdict()
            word = (groups.get("w") or "")[:3].lower()
            month = _MONTHS.index(word) + 1 if word in _MONTHS else int(groups.get("m") or 0)
            if 1 <= month <= 12 and 1 <= int(match["d"]) <= 31:
                return f"{match['y']}.{month:02}.{int(match['d']):02}", match.span()
    return None


class Fault(NamedTuple):
    """A problem with its place in the sheet; line and column count from 1."""

    line: int
    column: int
    message: str

    @property
    def place(self) -> str:
        """Line and column, as in `3:14`."""
        return f"{self.line}:{self.column}"

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class Line(NamedTuple):
    """A line of the sheet without its line end; `at` is its offset in the text."""

    number: int
    at: int
    text: str

    def shift(self, count: int) -> Line:
        """The line without its first characters."""
        return Line(self.number, self.at + count, self.text[count:])


class SheetText:
    """The text of a file, with plain hyphens and quotes, and blanks for what cannot be shown."""

    def __init__(self, text: str) -> None:
        text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_TYPOGRAPHY)
        text = _SPECIAL.sub(lambda match: match[0] if shown(match[0]) == match[0] else " ", text)
        self.text = _BLOCK_TAG.sub(lambda tag: tag["letter"] or " " * len(tag[0]), text)
        self._starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def lines(self) -> list[Line]:
        """All lines."""
        texts = self.text.split("\n")
        return [
            Line(number, at, text)
            for number, (at, text) in enumerate(zip(self._starts, texts, strict=True), 1)
        ]

    def line_of(self, at: int) -> int:
        """The number of the line at an offset."""
        return bisect(self._starts, at)

    def column_of(self, at: int) -> int:
        """How many characters precede the offset on its line, with tabs expanded."""
        return len(self.text[self._starts[self.line_of(at) - 1] : at].expandtabs())

    def fault(self, at: int, message: str) -> Fault:
        """A fault at an offset."""
        line = self.line_of(at)
        return Fault(line, at - self._starts[line - 1] + 1, message)


# Tags of posts around lines; those around single letters show their style.
_BLOCK_TAG = re.compile(
    r"</?(?:pre|code|p|div|blockquote|h[1-6]|table|thead|tbody|t[rdh])(?:\s[^<>\n]{0,300})?>"
    r"|(?P<letter>\[b\](?:\[[iu]\])*[^\[\]\n](?:\[/[iu]\])*\[/b\])"
    r"|\[/?(?:code|pre|quote|spoiler|b)\]|`{3}\w*",
    re.IGNORECASE,
)
_SPECIAL = re.compile(r"[^\n\t -~]")
_TYPOGRAPHY = str.maketrans(  # dashes, quotes, blanks
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u201c\u201d\xa0\u2007\u202f",
    "------''\"\"   ",
)


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


_MARKUP = re.compile(
    r"</?[A-Za-z][^<>]*>|\[/?[A-Za-z]{1,10}(?:=[^\[\]]*)?\]|\*\*|__|&[a-z]+;|\\[^A-Za-z0-9\s]"
)
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
        if several.read(_title(plain)):
            if several.head:
                return True
        elif plain and not plain.startswith(";"):
            head = read_head(_title(plain))
            return head is not None and any(head.players)
    return False


def _title(plain: str) -> str:
    """A line without the markup of a title."""
    return plain.lstrip(f"{MARKUP} ")


def split_matches(sheet: SheetText) -> list[MatchText]:
    """Sort the lines of a sheet; a head begins a match."""
    matches: list[MatchText] = []
    comments: list[str] = []
    reader: _Reader | None = None
    several = HeadLines()
    for line in sheet.lines():
        plain = _plain(line.text)
        if reader is None and several.read(_title(plain)):
            head = several.head
            if head is None:
                continue
        else:
            head = None if plain[:1] == ";" else read_head(_title(plain))
            if head and reader and reader.is_result(plain):
                head = None  # a name may have a hyphen: `Jean - Luc wins 2 points`
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

    def is_result(self, plain: str) -> bool:
        """Whether a line is the result of a game of this match."""
        return self._read_result(0, plain) is not None

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


class SheetToken(NamedTuple):
    """A token, whose offset is that in the sheet.

    `value` is the typed value of the cube, else 0; `resigned` is 1 to 3 for a resignation, 0 for
    one without a size, else None.
    """

    token: Token
    value: int = 0
    resigned: int | None = None


class Tokens(NamedTuple):
    """The tokens of a text, the position that it names, and the error about the next token."""

    tokens: list[SheetToken]
    start: Position
    error: MalformedError | None = None


_ANSWER = r"(?=[\s,;:/|-]*(?:t|p|b|tak|pas|take|pass|drop|beaver|bvr|raccoon)s?(?![A-Za-z0-9]))"
_TURNED = r"(?:[ \t]*(?:=+>|->|to|at)[ \t]*(?P<{}>[0-9]{{1,9}}))?"
_RESIGN = (
    r"(?:resign|concede)(?:s|d|ed)?"
    r"(?:[ \t:-]*(?:a[ ])?"
    r"(?P<size>[0-9]{1,9}(?![0-9A-Za-z])|single(?:[ ]game)?|gammon|backgammon))?"
)
_ANY_WORD = re.compile(
    rf"""(?<![A-Za-z0-9'])(?:
      (?P<offer>(?:re-?)?doubl(?:es?|ed|ing)){_TURNED.format("to")}
    | (?P<letter>D)(?:{_ANSWER}|(?<!\d[ -]D)(?<!\d\d[ ][ ]D))
    | (?P<beaver>(?:beaver|raccoon)(?:s|ed)?|bvr){_TURNED.format("on")}
    | (?P<take>takes|took|taken|accept(?:s|ed)?)
    | (?P<drop>drop(?:s|ped)|pass(?:es|ed)|(?:reject|fold)(?:s|ed)?)
    | (?P<resign>{_RESIGN})
    )(?![A-Za-z0-9])""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_STYLED = re.compile(r"[1-6]{2}(?:[*_~]|<[^<>]*>|\[[^\[\]]*\])+\Z")  # dice, then markup
_MAX_STYLE = 200


def _is_styled(text: str, at: int) -> bool:
    """Whether only markup is between dice and an offset."""
    return _STYLED.search(text, max(at - _MAX_STYLE, 0), at) is not None


_PLAIN_RESIGN = _RESIGN.replace("?P<size>", "?:")
_WORD_SIZES = {"s": 1, "g": 2, "b": 3}
_LETTERS = {
    "offer": "C",
    "letter": "C",
    "beaver": "C",
    "take": "T",
    "drop": "P",
    "resign": "C",
}
_KINDS = {
    "offer": TokenKind.OFFER,
    "letter": TokenKind.OFFER,
    "beaver": TokenKind.BEAVER,
    "take": TokenKind.TAKE,
    "drop": TokenKind.PASS,
}
_HYPHEN = re.compile(r"(?<=[0-9])-\Z")
_ERROR = re.compile(r"(?<=\s)(?:[?!]{1,2}\s)?-[0-9]{0,3}\.[0-9]{3}(?![0-9])")
_HOPS = r"(?:[0-9]{1,2}|bar)/[0-9a-z/*]{1,20}(?:\([1-4]\)\*?)?"
# After a letter; parentheses take the place of the white space around the play.
_PLAY = re.compile(
    rf"((?<![A-Za-z0-9])[1-6]{{2}}[^\s(/:,;|-][_.]?(?:\{{[0-9]{{1,6}}\}})?[ \t]*)[ \t]"
    rf"({_HOPS}(?:[ \t]+{_HOPS}){{0,3}})\s",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(rf"\({_PLAIN_RESIGN}\)", re.IGNORECASE)
_REMARK = re.compile(rf"\((?!{_PLAIN_RESIGN}\))[^()]*\)", re.IGNORECASE)


def read_tokens(text: str, at: int) -> Tokens:
    """Read the tokens of a text that begins at this offset of the sheet.

    Losses after a turn (`52T ?? -.129 (S)`) are skipped, and a play in traditional notation after
    a letter is compared with it.
    """
    hidden = _REMARK.sub(lambda match: re.sub(r"[^\n]", ".", match[0]), text)
    words = {
        match.start(): match
        for match in _ANY_WORD.finditer(hidden)
        if not (match["letter"] and _is_styled(hidden, match.start()))
    }
    text = _ERROR.sub(lambda match: " " * len(match[0]), text)
    text = _PLAY.sub(r"\1(\2)", f"{text}\n")
    text = _GIVEN_UP.sub(lambda match: f" {match[0][1:-1]} ", text)
    parts: list[str] = []
    done = 0
    for start, word in words.items():
        # After a hyphen, the letter would be the name of the roll before it.
        before = _HYPHEN.sub(" ", text[done:start])
        parts += before, _LETTERS[_group(word)].ljust(len(word[0]))
        done = word.end()
    plain = "".join([*parts, text[done:]])
    try:
        parsed, error = parse_sequence(plain), None
    except MalformedError as problem:
        error = problem
        parsed = _before(plain, problem.at)
    return Tokens([_sheet_token(token, words, at) for token in parsed.tokens], parsed.start, error)


def _before(text: str, at: int) -> Parsed:
    """The tokens before an error."""
    with suppress(MalformedError):
        return parse_sequence(text[:at].rstrip(" -"))
    return parse_sequence("")


def _group(word: re.Match[str]) -> str:
    return next(name for name in _LETTERS if word[name])


def _sheet_token(token: Token, words: dict[int, re.Match[str]], at: int) -> SheetToken:
    """The token at its offset in the sheet; with the meaning of its word if it stands for one."""
    word = words.get(token.at)
    token = token._replace(at=token.at + at)
    if word is None:
        return SheetToken(token)
    group = _group(word)
    token = token._replace(text=word[0], kind=_KINDS.get(group, token.kind))
    if group == "resign":
        size = (word["size"] or "0").lower()
        return SheetToken(
            token, resigned=_WORD_SIZES.get(size[0], int(size) if size.isdigit() else 0)
        )
    return SheetToken(token, int(word["to"] or word["on"] or 0))


_MIN_GAP = 8  # blanks after a row number that are an empty cell


class Columns(NamedTuple):
    """The player of the first token of each line, by the offset of the token."""

    players: dict[int, Player]

    @classmethod
    def of(cls, sheet: SheetText, text: GameText, tokens: Sequence[SheetToken]) -> Columns | None:
        """The columns of a game; None if its lines have no numbers and no names above them."""
        lines: dict[int, list[int]] = {}
        for token in tokens:
            at = token.token.at
            lines.setdefault(sheet.line_of(at), []).append(at)
        is_table = text.is_numbered or text.right is not None
        if not is_table or not lines or max(map(len, lines.values())) > 2:
            return None
        pairs = [line for line in lines.values() if len(line) == 2]
        lefts = [sheet.column_of(line[0]) for line in pairs]
        rights = [sheet.column_of(line[1]) for line in pairs]
        right = text.right if text.right is not None else min(rights, default=None)
        left = min(lefts, default=None)
        players: dict[int, Player] = {}
        for row in text.rows:
            line = lines.get(row.number, [])
            if len(line) == 1 and _is_right(sheet, row.at, line[0], left, right):
                players[line[0]] = Player.SECOND
            elif line:
                players[line[0]] = Player.FIRST
        return cls(players)


def _is_right(sheet: SheetText, row: int, at: int, left: int | None, right: int | None) -> bool:
    """Whether the only token of a row is in the right column."""
    column = sheet.column_of(at)
    start = sheet.column_of(row)
    before = sheet.text[row:at]
    if "..." in before:
        return True
    if "|" in before:  # a table, whose columns need not be aligned
        return before.lstrip().removeprefix("|").count("|") > 0
    if right is None:
        return column - start >= _MIN_GAP
    return abs(column - right) < abs(column - (start if left is None else left))


_MAX_SIZE = 3  # of a loss
RESIGNS = "`resign 1` (2 for a gammon, 3 for a backgammon)"


class Rules(NamedTuple):
    """The names, the length and the rules of a match."""

    names: tuple[str, str]
    length: int
    start: Position
    crawford: bool
    jacoby: bool
    beavers: bool


class Reading(NamedTuple):
    """The tokens of a game and their turns, as far as they can be read."""

    tokens: Sequence[SheetToken]
    decoded: Decoded
    resigned: SheetToken | None = None
    in_row: bool = True  # only the mark shows who starts


def masked(sheet: SheetText, rows: Sequence[Line]) -> str:
    """The text from the first row of a game to its last, with blanks for everything else."""
    begin, end = rows[0].at, rows[-1].at + len(rows[-1].text)
    parts, at = list[str](), begin
    for row in rows:
        parts += re.sub(r"[^\n]", " ", sheet.text[at : row.at]), row.text
        at = row.at + len(row.text)
    return "".join(parts) if at == end else ""


_Message = tuple[int, str]  # with the offset


def replayed(
    sheet: SheetText, tokens: list[SheetToken], state: GameState
) -> tuple[Reading, list[SheetToken], _Message | None]:
    """Replay tokens up to the end of a game, with the tokens after it, and what went wrong."""
    ends = [
        at
        for at, it in enumerate(tokens, 1)
        if it.resigned is not None or it.token.kind is TokenKind.PASS
    ]
    first = tokens[: ends[0]] if ends else tokens
    resigned = first[-1] if first and first[-1].resigned is not None else None
    turns = [it.token for it in first if it.resigned is None]
    parsed = Parsed(sheet.text, state.position, state.player, tuple(turns))
    message: _Message | None = None
    try:
        decoded = read_strictly(parsed, state)
    except IllegalError as error:
        count = next(at for at, token in enumerate(turns) if token.at == error.at)
        known = read_strictly(parsed._replace(tokens=tuple(turns[:count])), state)
        message = error.at, doubtful_token(known._replace(parsed=parsed))
        decoded, resigned = known, None
    over = [at for at, turn in enumerate(decoded.turns, 1) if _is_over(turn)]
    if over:
        count = over[0]
        decoded = decoded._replace(turns=decoded.turns[:count])
        return Reading(tokens[:count], decoded), tokens[count:], None
    count = len(decoded.turns) if message else len(first)
    return Reading(first[:count], decoded, resigned), tokens[len(first) :], message


def _is_over(turn: DecodedTurn) -> bool:
    return turn.play is not None and turn.play.after.opponent_off == CHECKERS


def in_columns(
    reading: Reading, columns: Columns, rules: Rules, message: _Message | None
) -> tuple[Reading, _Message | None]:
    """Compare the players of the turns with the columns; end the reading at a contradiction."""
    for count, turn in enumerate(reading.decoded.turns):
        column = columns.players.get(turn.token.at)
        if column is not None and column is not turn.state.player:
            name, other = rules.names[column], rules.names[column.other]
            text = f"found {quoted(turn.token.text)} in the column of {name}, but {other} is to "
            text += "play; a turn before it is missing, or one too many"
            decoded = reading.decoded._replace(turns=reading.decoded.turns[:count])
            return Reading(reading.tokens[:count], decoded), (turn.token.at, text)
    return reading, message


def in_sequence(
    sheet: SheetText, text: GameText, reading: Reading, state: GameState
) -> _Message | None:
    """The first turn of the sequence below the columns that differs from them."""
    if not text.again:
        return None
    begin = text.again[0].at
    tokens = read_tokens(masked(sheet, text.again), begin).tokens
    below, _, message = replayed(sheet, tokens, state)
    above = _moves(reading.decoded)
    for turn, other in zip(above, _moves(below.decoded), strict=False):
        rolls = turn.token.roll, other.token.roll
        if turn.play != other.play or (None not in rolls and rolls[0] != rolls[1]):
            found, expected = quoted(other.token.text), quoted(turn.token.text)
            return other.token.at, f"found {found}, but {expected} in the columns above"
    if message:
        return message
    if len(_moves(below.decoded)) != len(above):
        return begin, f"found {len(_moves(below.decoded))} rolls, but {len(above)} in the columns"
    return None


def _moves(decoded: Decoded) -> list[DecodedTurn]:
    return [turn for turn in decoded.turns if isinstance(turn.action, Move)]


def typed_faults(sheet: SheetText, reading: Reading, rules: Rules) -> Iterator[Fault]:
    """Check the typed values of the cube, the beavers, and the first roll."""
    turns = reading.decoded.turns
    if reading.resigned and (reading.resigned.resigned or 0) > _MAX_SIZE:
        token = reading.resigned.token
        yield sheet.fault(token.at, f"found {quoted(token.text)}, expected {RESIGNS}")
    for it, turn in zip(reading.tokens, turns, strict=False):
        offered = turn.state.cube * (4 if turn.state.doubled else 2)
        if it.value not in {0, offered}:
            text = f"found {quoted(it.token.text)}, but the cube is turned to {offered} here"
            yield sheet.fault(it.token.at, text)
        if it.token.kind is TokenKind.BEAVER and not rules.beavers:
            yield sheet.fault(it.token.at, "found a beaver, but the head excludes beavers")
        # The rule of the tutorial for numerals is fixed.
        if turn.sure is not Confidence.SURE and turn.how is not ReadingKind.NUMERAL:
            text = f"found {quoted(it.token.text)}, read as {turn.meaning}, but {turn.doubt}"
            yield sheet.fault(it.token.at, text)
    first = turns[0] if turns else None
    if first and first.token.roll and first.token.roll.is_doublet:
        text = f"found {quoted(first.token.text)}, but the first roll of a game is no doublet"
        yield sheet.fault(first.token.at, text)


def actions_of(sheet: SheetText, reading: Reading) -> tuple[Action, ...]:
    """The actions of a game, with the takes that the sheet leaves out."""
    actions: list[Action] = []
    answers: Player | None = None
    for turn in reading.decoded.turns:
        line = sheet.line_of(turn.token.at)
        if answers is not None and isinstance(turn.action, Move):
            actions.append(Take(answers, line=line))
        actions.append(replace(turn.action, line=line))
        answers = turn.after.player if isinstance(turn.action, Double) else None
    if it := reading.resigned:
        actions.append(Resign(reading.decoded.state.player, line=sheet.line_of(it.token.at)))
    return tuple(actions)


def worked_out(reading: Reading, *, is_typed: bool) -> Result | None:
    """The result by the plays, or by the resignation; if it has no size, a typed result counts."""
    state, resigned = reading.decoded.state, reading.resigned
    if resigned and (resigned.resigned or not is_typed):
        return Result(state.player.other, points_for(state, resigned.resigned or 1))
    return result_of(reading.decoded.turns)


class Played(NamedTuple):
    """A game as far as it can be read, its faults, and how many tokens leave the dice open.

    `at` and `end` are the offsets of its first and last token.
    """

    game: Game
    at: int
    end: int
    faults: tuple[Fault, ...] = ()
    without_dice: int = 0


class _Standing(NamedTuple):
    """The number of a game, the score before it, and those before earlier games.

    The score is None after a game whose result is not known. Nothing is checked by a doubtful one.
    """

    number: int = 1
    score: tuple[int, int] | None = (0, 0)
    earlier: tuple[tuple[int, int], ...] = ()
    is_doubtful: bool = False


def play_match(sheet: SheetText, texts: Sequence[GameText], rules: Rules) -> list[Played]:
    """Replay the games of a match, as far as they can be read."""
    games = _Games(sheet, rules)
    for text in texts:
        games.read(text)
    return games.played


class _Games:
    """The games of a match, read one after the other."""

    def __init__(self, sheet: SheetText, rules: Rules) -> None:
        self.sheet, self.rules = sheet, rules
        self.standing = _Standing()
        self.played: list[Played] = []
        self.faults: list[Fault] = []  # of the next game
        self.is_over = False  # a fault about the end of the match was reported
        self.is_settled = True  # the last game has a result, or the sheet shows that it has none

    def read(self, text: GameText) -> None:
        """Read the lines of one game, or of several games of one line each."""
        self._open(text)
        sheet, tokens, error = self.sheet, list[SheetToken](), None
        if text.rows:
            begin = text.rows[0].at
            found = read_tokens(masked(sheet, text.rows), begin)
            tokens = found.tokens
            error = found.error and sheet.fault(begin + found.error.at, str(found.error))
        columns = Columns.of(sheet, text, tokens)
        starts = columns.players.get(tokens[0].token.at) if columns and tokens else None
        while True:
            if tokens and _has_mark(sheet, tokens[0].token.at):
                starts = Player.SECOND
            reading, rest = self._play(text, tokens, starts or Player.FIRST, columns)
            if not rest and error and not self.faults:
                self.faults.append(error)
            self._close(text, reading, [] if rest else text.results)
            if not rest:
                break
            tokens, starts, columns = rest, None, None

    def _fault(self, at: int, message: str) -> None:
        self.faults.append(self.sheet.fault(at, message))

    def _open(self, text: GameText) -> None:
        """Check the head of a game against the games before it."""
        if not self.is_settled:
            last = self.played.pop()
            self.played.append(_with_faults(last, [self.sheet.fault(last.end, _UNSETTLED)]))
            self.standing = self.standing._replace(score=None)
        head = text.head
        if head is None:
            return
        standing, is_first = self.standing, not self.standing.earlier
        if head.number is not None and head.number != standing.number:
            if not is_first and not standing.is_doubtful:
                self._fault(head.at, f"found Game {head.number}, expected Game {standing.number}")
            standing = standing._replace(number=head.number)
        if head.score is not None and head.score != standing.score:
            problem = self._score_problem(head)
            if problem and not standing.is_doubtful:
                self.faults.append(problem)
            standing = standing._replace(score=head.score)
        self.standing = standing._replace(is_doubtful=bool(self.faults))
        if head.is_crawford and standing.score and not self.faults and not self._is_crawford:
            self._fault(head.at, "found 'Crawford', but by the score it is not the Crawford game")

    def _score_problem(self, head: GameHead) -> Fault | None:
        """Why a typed score cannot be right; None if it can."""
        standing, rules, score = self.standing, self.rules, head.score or (0, 0)
        if rules.length and max(score) >= rules.length:
            if self.is_over:
                return None
            self.is_over = True
            message = f"found the score {_score(score)}, but then {_leader(rules, score)}"
            return self.sheet.fault(head.at, message)
        known = standing.score
        if known is None or not standing.earlier or (not rules.length and score == (0, 0)):
            return None
        expected = f"found the score {_score(score)}, expected {_score(known)}"
        others = [it for it in self.played if _with_other_winner(known, it.game) == score]
        lines = " or ".join(str(self.sheet.line_of(it.at)) for it in others)
        hint = f"; does the other player begin in line {lines}?" if others else ""
        at = others[0].at if len(others) == 1 else head.at
        return self.sheet.fault(at, f"{expected} by the games before{hint}")

    @property
    def _is_crawford(self) -> bool:
        """Whether the next game is the Crawford game."""
        rules, standing = self.rules, self.standing
        score, earlier = standing.score, list(standing.earlier)
        if score is None or standing.is_doubtful or self.is_over or not rules.crawford:
            return False
        return is_crawford_game(rules.length, score, earlier)

    def _play(
        self, text: GameText, tokens: list[SheetToken], starts: Player, columns: Columns | None
    ) -> tuple[Reading, list[SheetToken]]:
        """Replay the next game of the tokens; return it with the tokens after it."""
        rules, score = self.rules, self.standing.score or (0, 0)
        if rules.length and max(score) >= rules.length and not self.is_over:
            self.is_over = True
            self._fault(_place(text, tokens), f"found another game, but {_leader(rules, score)}")
        state = GameState(
            rules.start,
            starts,
            cube=text.head.cube if text.head else 1,
            score=score,
            length=rules.length,
            crawford=self._is_crawford,
            jacoby=rules.jacoby,
        )
        reading, rest, message = replayed(self.sheet, tokens, state)
        if columns:
            reading, message = in_columns(reading, columns, rules, message)
            reading = reading._replace(in_row=False)
            message = message or in_sequence(self.sheet, text, reading, state)
        if (
            not message
            and rest
            and self.sheet.line_of(rest[0].token.at)
            == self.sheet.line_of(tokens[len(tokens) - len(rest) - 1].token.at)
        ):
            message = rest[0].token.at, f"found {quoted(rest[0].token.text)}, but the game is over"
        if message:
            self._fault(*message)
            rest = []
        self.faults += typed_faults(self.sheet, reading, rules)
        return reading, rest

    def _close(self, text: GameText, reading: Reading, results: Sequence[TypedResult]) -> None:
        """Work out the result of a game, and check the typed one."""
        standing, decoded = self.standing, reading.decoded
        score = standing.score or (0, 0)
        actions = actions_of(self.sheet, reading)
        cube = text.head.cube if text.head else 1
        game = Game(standing.number, score, actions, crawford=self._is_crawford, cube=cube)
        worked = worked_out(reading, is_typed=bool(results))
        end = reading.tokens[-1].token.at if reading.tokens else _place(text, [])
        final, is_settled = worked, worked is not None
        for typed in [] if self.faults else results:
            final, is_settled = self._check_result(typed, final, game, reading), True
        if final:
            resigned = reading.resigned is not None or result_of(decoded.turns) is None
            game = replace(game, winner=final.winner, points=final.points, resigned=resigned)
        game = replace(game, comments=tuple(text.comments))
        faults = tuple(self.faults)
        count = sum(
            turn.token.roll is None and isinstance(turn.action, Move) for turn in decoded.turns
        )
        self.played.append(Played(game, _place(text, reading.tokens), end, faults, count))
        self.is_settled = is_settled or text.is_open or bool(faults)
        won = game.points
        after = (
            (score[0] + won, score[1])
            if game.winner is Player.FIRST
            else (score[0], score[1] + won)
        )
        is_known = standing.score is not None and not (faults or text.is_open)
        earlier = (*standing.earlier, score)
        number, is_doubtful = standing.number + 1, standing.is_doubtful
        self.standing = _Standing(number, after if is_known else None, earlier, is_doubtful)
        self.faults = []

    def _check_result(
        self, typed: TypedResult, worked: Result | None, game: Game, reading: Reading
    ) -> Result | None:
        """Compare a typed result with that of the plays; return the one that counts."""
        names, length = self.rules.names, self.rules.length
        shown = f"{names[worked.winner]} wins {counted(worked.points, 'point')}" if worked else ""
        if typed.winner is None:
            if worked:
                self._fault(typed.at, f"found 'not finished', but by the plays {shown}")
            return worked
        winner = Player(typed.winner)
        points = typed.points or points_for(reading.decoded.state, typed.size or 0)
        if worked:
            needed = length - game.score[winner] if length else 0
            is_capped = points == needed < worked.points
            if winner is worked.winner and (not points or points == worked.points or is_capped):
                return Result(winner, points or worked.points)
            if winner is not worked.winner and points == worked.points and reading.in_row:
                hint = _start_hint(self.sheet, reading.tokens[0].token.at)
                text = f"by the plays {shown}, but the result is another; {hint}"
                self._fault(reading.tokens[0].token.at, text)
            else:
                self._fault(typed.at, f"found another result; by the plays {shown}")
            return worked
        if not points:
            self._fault(typed.at, "the points are missing, as in 'wins 2 points'")
            return None
        stated = replace(game, winner=winner, points=points)
        match = Match(names, length, (stated,), self.rules.start, self.rules.jacoby)
        if problem := stake_problem(match, stated, [*replay(match, stated)]):
            self._fault(typed.at, problem)
        return Result(winner, points)


_UNSETTLED = (
    f"the game is not over here; expected its next turn, {RESIGNS}, or a line such as "
    "'Bob wins 2 points' or 'not finished'"
)


def _with_other_winner(score: tuple[int, int], game: Game) -> tuple[int, int]:
    """The score if the other player had won a game."""
    points = game.points if game.winner is Player.SECOND else -game.points
    return score[0] + points, score[1] - points


def _with_faults(played: Played, faults: Sequence[Fault]) -> Played:
    return played._replace(faults=(*played.faults, *faults))


def _leader(rules: Rules, score: tuple[int, int]) -> str:
    points = max(score)
    name = rules.names[score.index(points)]
    return f"{name} has {counted(points, 'point')} in a match to {rules.length}"


def _score(score: tuple[int, int]) -> str:
    return f"{score[0]}-{score[1]}"


def _place(text: GameText, tokens: Sequence[SheetToken]) -> int:
    """The offset of a game."""
    if tokens:
        return tokens[0].token.at
    places = [row.at for row in text.rows] + [result.at for result in text.results]
    return text.head.at if text.head else places[0] if places else 0


_MARK = re.compile(rf"(?<![\w-]){START_MARK}\s*$", re.IGNORECASE)


def _has_mark(sheet: SheetText, at: int) -> bool:
    """Whether the mark for a start by the second player precedes an offset on its line."""
    begin = sheet.text.rfind("\n", 0, at) + 1
    end = sheet.text.find("\n", at)
    line = sheet.text[begin : end if end >= 0 else None]  # whole: a style may end after `at`
    glyphs = read_markup(line)
    before = "".join(glyph.character for glyph in glyphs if begin + glyph.at < at)
    return _MARK.search(before) is not None


def _start_hint(sheet: SheetText, at: int) -> str:
    """How to let the other player begin."""
    change = "leave out the hyphen" if _has_mark(sheet, at) else "write a hyphen"
    return f"if the other player begins, {change} before the first roll"


class Sheet(NamedTuple):
    """A match of a score sheet, as far as it can be read.

    `faults` have everything that is wrong or doubtful, in the order of the sheet; `notes` are
    remarks on what a sheet may leave open. A game with a fault ends before it.
    """

    match: Match
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()


def read(data: bytes, encoding: str | None = None) -> tuple[Match, ...]:
    """Read the matches of a score sheet; raises MalformedError about its first fault."""
    sheets = read_sheets(decode_text(data, encoding))
    faults = [fault for sheet in sheets for fault in sheet.faults]
    if faults:
        more = f" ({counted(len(faults), 'fault')} in this score sheet)" if faults[1:] else ""
        raise MalformedError(f"{faults[0]}{more}; `nactate transcribe --check` lists faults")
    return tuple(sheet.match for sheet in sheets)


def read_sheets(text: str) -> tuple[Sheet, ...]:
    """Read the matches of a text, each with its faults; raises MalformedError without a match."""
    sheet = SheetText(text)
    sheets = tuple(_read_match(sheet, match) for match in split_matches(sheet))
    if not sheets:
        raise MalformedError(f"no score sheet; expected a head such as {EXAMPLE} and a game")
    return sheets


def _read_match(sheet: SheetText, text: MatchText) -> Sheet:
    head = text.head
    tags = [*text.tags]
    present = {key.lower() for key, _ in tags}
    tags += [tag for tag in (head.tags if head else ()) if tag[0].lower() not in present]
    values = {key.lower(): value.strip().lower() for key, value in reversed(tags)}
    faults = [*text.faults]
    variation = values.get("variation") or "backgammon"
    if variation not in VARIATIONS:
        message = f"unknown variation {quoted(variation)}; expected Nackgammon or HyperGammon (3)"
        faults.append(sheet.fault(text.at, message))
    length = head.length if head else 0
    rules = Rules(
        names=written_names(text.players),
        length=length,
        start=VARIATIONS.get(variation, STANDARD),
        crawford=values.get("crawford") != "off",
        jacoby=not length and values.get("jacoby") == "on",
        beavers=values.get("beaver") != "off",
    )
    played = play_match(sheet, text.games, rules)
    faults += [fault for game in played for fault in game.faults]
    if not played and not faults:
        faults.append(sheet.fault(text.at, "no game after the head; expected 54S-63R-31P-..."))
    match = Match(
        players=text.players,
        length=length,
        games=tuple(game.game for game in played),
        start=rules.start,
        jacoby=rules.jacoby,
        headers=tuple(tags),
        comments=tuple(text.comments),
        beavers=not length and values.get("beaver") == "on",
    )
    return Sheet(match, tuple(sorted(faults)), _notes(played, has_head=head is not None))


def _notes(played: Sequence[Played], *, has_head: bool) -> tuple[str, ...]:
    notes = []
    if not has_head:
        notes.append("no head with names and length; read as a money session of White and Black")
    if count := sum(game.without_dice for game in played):
        words = counted(count, "turn")
        notes.append(f"{words} without dice, such as F for a fan: written with dice that fit")
    last = played[-1] if played else None
    if last and last.game.winner is None and not last.faults:
        notes.append(f"game {last.game.number} is not finished")
    return tuple(notes)
