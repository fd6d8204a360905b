"""The head of a score sheet: `Alice - Bob, 7 point match, Crawford, 2026-11-23, City Open`."""

from __future__ import annotations

import re

from gnubg_nactation.backgammon.position import VARIATIONS
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple

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
_BETWEEN = re.compile(r"(?<!\s)\s+(?:-+|vs?\.?|versus|against)\s+", re.IGNORECASE)
_LABEL = re.compile(r"\b(?:match|players?)\s*:\s*", re.IGNORECASE)
_NAMES_AFTER = re.compile(rf"\s*:\s*(?=\S)([^,;()|]+?{_BETWEEN.pattern}[^,;()|]+)", re.IGNORECASE)
_QUOTED = re.compile(r"\"([^\"]*)\"|[^\"].*", re.DOTALL)
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
