"""A reader of Discord's Markdown: one expression for each kind of markup, tried in turn.

It has no escapes in blocks, no entities, no HTML, its own underlines, and spoilers between two
bars; emphasis does not depend on the text around it. It follows the behaviour of the client and
uses nothing of the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# The kind, the group of the match inside it, and whether that contains markup.
_BLOCK = re.compile(r"```(?:[a-z0-9_+\-.#]+?\n)?\n*([^\n].*?)\n*```", re.DOTALL)
_INLINE = (
    ("escape", re.compile(r"\\([^0-9A-Za-z\s])")),
    ("pre", re.compile(r"(`+)(.*?[^`])\1(?!`)", re.DOTALL)),
    (
        "i",
        re.compile(
            r"\b_((?:__|\\.|[^\\_])+?)_\b|\*(?=\S)((?:\*\*|\s+(?:[^*\s]|\*\*)|[^\s*])+?)\*(?!\*)",
            re.DOTALL,
        ),
    ),
    ("b", re.compile(r"\*\*((?:\\.|[^\\])+?)\*\*(?!\*)", re.DOTALL)),
    ("u", re.compile(r"__((?:\\.|[^\\])+?)__(?!_)", re.DOTALL)),
    ("s", re.compile(r"~~(?=\S)(.*?\S)~~(?!_)", re.DOTALL)),
    ("spoiler", re.compile(r"\|\|(.+?)\|\|", re.DOTALL)),
    ("link", re.compile(r"\[([^\]\n]+)\]\([^)\s]+\)")),
    (
        "mention",
        re.compile(r"@everyone|@here|<(?:@[!&]?|#|a?:\w+:)\d+>|<t:\d+(?::\w)?>|<https?://[^>]+>"),
    ),
    ("emoji", re.compile(r":[a-z0-9_+-]+:")),
)
_LINE = re.compile(r"(?:#{1,3}|-#|>>>|>|[-*]|\d+\.) +")

# Each character with the set of its styles: i, b, u, pre, or a colour.
StyledText = list[tuple[str, frozenset[str]]]


def read(text: str) -> StyledText:
    """The characters shown, each with its styles."""
    return list(_read(text, frozenset(), starts=True))


def _read(
    text: str, around: frozenset[str], *, starts: bool
) -> Iterator[tuple[str, frozenset[str]]]:
    at = 0
    while at < len(text):
        if block := _BLOCK.match(text, at):
            yield from ((character, around | {"pre"}) for character in f"{block[1]}\n")
            at = block.end()
            continue
        if starts and (at == 0 or text[at - 1] == "\n") and (line := _LINE.match(text, at)):
            if not line[0].startswith("#"):
                yield from ((character, around | {"line"}) for character in line[0])
            at = line.end()
            continue
        parts = ((kind, pattern.match(text, at)) for kind, pattern in _INLINE)
        kind, match = next((part for part in parts if part[1]), ("", None))
        if match is None:
            yield text[at], around
            at += 1
            continue
        inside = match[0] if kind in {"mention", "emoji"} else match[match.lastindex or 0]
        if kind == "escape":
            yield inside, around
        elif kind in {"pre", "mention", "emoji"}:
            yield from ((character, around | {kind}) for character in inside)
        else:
            yield from _read(inside, around | {kind}, starts=kind == "spoiler")
        at = match.end()
