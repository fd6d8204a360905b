"""Claims about letters in a text: `B (Both) = 24/16* 13/9(2)`, `H is 13/8`, `31P (8/5 6/5)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.notation import Hop, hops_at, resolve
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import AmbiguousError, IllegalError
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.prose.findings import Claim, Finding, Kind
from gnubg_nactation.prose.page import Page
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.scan import CHARACTERS

_LETTER = rf"[{re.escape(''.join(sorted(CHARACTERS)))}][_.]?"
_HOP = re.compile(r"(?<![\w/.,-])(?:bar|[12]?[0-9])/(?=\d|off)", re.IGNORECASE)
_BETWEEN = re.compile(r",? |,")
_WORDS = r"[A-Za-z][A-Za-z -]{1,24}"
# What comes before the play: a letter, with or without its roll, its word, and a sign or verb.
_BEFORE = re.compile(
    rf"""(?:(?<![\w/])(?P<roll>[1-6]{{2}})|(?<![\w/$%@&#-]))(?P<letter>{_LETTER})
         (?P<link>\s* (?:\({_WORDS}\)|\({_WORDS},?\s|\()? (?:,?\s*(?:=|:|\bis\b|\bmeans\b))? ,?\s*
           | \s+\(?)\Z""",
    re.VERBOSE,
)
_AFTER = re.compile(
    rf"\s*(?:=|\bis\b)\s*(?:an? )?(?P<letter>{_LETTER})"
    r"(?=[,;:!?)]|[.](?!\d)|\s+(?:and|or)\b|\s*\n|\s*\Z)"
)
_LIST_START = re.compile(r"(?:^|[:,;(\n])\s*\Z")
# A roll that a claim may be about.
_ROLL = re.compile(
    r"(?:\A|\n|\b(?:with|opening|roll(?:s|ed)?|is|an?|the)\s)(?P<roll>[1-6]{2})(?=[:,.;]?\s)",
    re.IGNORECASE,
)
_MAX_BEFORE, _MAX_ROLL_DISTANCE = 60, 400
_MAX_CLAIMS, _MAX_WORDS = 1000, 4


class _Match(NamedTuple):
    """A claim as written, from offset `start` of the bare text up to `end`."""

    start: int
    end: int
    letter: str
    roll: str
    hops_at: int
    hops_end: int


def read_claims(page: Page, findings: Sequence[Finding]) -> list[Finding]:
    """The claims of a text, each about the roll and position that the text was about before it."""
    claims = []
    for match in _matches(page.bare):
        blank = page.finding(Kind.CLAIM, match.start, match.end)
        before = [finding for finding in findings if finding.start < blank.end]
        overlaps = any(
            finding.start < blank.end and blank.start < finding.end for finding in findings
        )
        if not overlaps:
            claims.append(_claim(page, match, blank, before))
        if len(claims) == _MAX_CLAIMS:
            break
    return claims


def _matches(bare: str) -> Iterator[_Match]:
    at = 0
    while start := _HOP.search(bare, at):
        at = end = start.start()
        for _ in range(_MAX_WORDS):
            hops, stop = hops_at(bare, at)
            if not hops:
                break
            end = stop
            between = _BETWEEN.match(bare, end)
            at = between.end() if between else end
        if end == start.start():
            at = start.end()
            continue
        at = end
        if match := _with_letter(bare, start.start(), end):
            at = match.end
            yield match


def _with_letter(bare: str, start: int, end: int) -> _Match | None:
    """The claim that the play between two offsets belongs to; None if it belongs to none."""
    if after := _AFTER.match(bare, end):
        letter = after["letter"].rstrip(".")
        return _Match(start, after.start("letter") + len(letter), letter, "", start, end)
    first = max(start - _MAX_BEFORE, 0)
    before = _BEFORE.search(bare, first, start)
    if before is None:
        return None
    letter, link = before["letter"], before["link"]
    explicit = bool(re.search(r"[=(]|\b(?:is|means)\b", link))
    explicit = explicit or (":" in link and not (letter[0].islower() or letter in {"A", "I"}))
    if letter[0].isdigit() and not re.search(r"=|\bis\b", link):
        return None  # as in a numbered row
    if not explicit and not before["roll"]:
        listed = _LIST_START.search(bare, first, before.start("letter"))
        if not listed or (":" not in link and letter in {"A", "I"}) or letter[0].islower():
            return None
    if before["roll"] and not explicit and ":" not in link:
        return None
    opened = link.count("(") - link.count(")")
    closes = end + 1 if opened and bare[end : end + 1] == ")" else end
    begin = before.end("letter") + len(link) - len(link.lstrip(" ")) if before["roll"] else 0
    return _Match(
        begin or before.start("letter"),
        closes,
        letter.rstrip("."),
        before["roll"] or "",
        start,
        end,
    )


def _claim(page: Page, match: _Match, blank: Finding, before: Sequence[Finding]) -> Finding:
    """The finding of a claim; its letter is right, wrong, or about no known position."""
    name = parse_nactation(match.letter)
    text = " ".join(page.bare[match.hops_at : match.hops_end].replace(",", " ").split())
    for state in _states(page, match, before):
        play = _play(text, state)
        if play is None or state.roll is None:
            continue
        plays = Plays(state.position, state.roll)
        right = _is_right(name, play, plays)
        member = plays.reading(name.family).naming(play) or plays.name(play).naming
        instead = "" if right else str(member.nactation)
        claim = Claim(match.letter, text, state, right, instead)
        return blank._replace(claim=claim, sure=Confidence.SURE)
    return blank._replace(claim=Claim(match.letter, text), sure=Confidence.LIKELY)


def _is_right(name: Nactation, play: Play, plays: Plays) -> bool:
    """Whether a character names a play; italics, which plain text loses, do not count."""
    names = [naming.nactation for naming in plays.names(play)]
    return any(
        name.family is other.family and name.look.character == other.look.character
        for other in names
    )


def _play(text: str, state: GameState) -> Play | None:
    hops: list[Hop] = []
    at = 0
    while at < len(text):
        new, at = hops_at(text, at)
        if not new:
            return None
        hops += new
        at += 1
    try:
        return resolve(hops, state.position, state.roll) if state.roll else None
    except (AmbiguousError, IllegalError):
        return None


def _states(page: Page, match: _Match, before: Sequence[Finding]) -> Iterator[GameState]:
    """The states, each with its roll, that a claim may be about, the likeliest first."""
    roll = Roll.parse(match.roll) if match.roll else _roll_before(page, match.start)
    ends = [finding.decoded for finding in reversed(before) if finding.decoded]
    for decoded in ends[:2]:
        last = decoded.turns[-1].state if decoded.turns else None
        if last and roll and last.roll == roll:
            yield last
        if roll:
            yield replace(decoded.state, roll=roll)
    if roll and not roll.is_doublet:
        yield replace(to_state(page.start or STANDARD), roll=roll)
    for finding in reversed(before[-3:]):
        if finding.decoded and finding.decoded.turns:
            yield finding.decoded.turns[-1].state
        elif finding.state and finding.state.roll:
            yield finding.state


def _roll_before(page: Page, at: int) -> Roll | None:
    """The last roll named in the paragraph before a claim; None if there is none."""
    first = max(at - _MAX_ROLL_DISTANCE, page.bare.rfind("\n\n", 0, at), 0)
    rolls = [match["roll"] for match in _ROLL.finditer(page.bare, first, at)]
    return Roll.parse(rolls[-1]) if rolls else None
