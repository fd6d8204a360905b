"""Render posts by independent CommonMark, BBCode and HTML5 parsers.

Each site is defined by its differences from CommonMark. Only Discourse allows HTML, without most
tags and all styles; it has typography. Reddit has superscripts and spoilers, and old Reddit fewer
escapes.
"""

from __future__ import annotations

import html
import re
from xml.etree.ElementTree import Element

import bbcode
import html5lib
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from gnubg_nactation.exports.targets import TARGETS
from tests.exports import discord
from tests.exports.discord import StyledText

_BLOCKS = {"div", "p", "h3", "table", "tbody", "tr", "th", "td", "br"}
_INLINE = {"span", "i", "b", "u", "em", "strong", "pre", "code", "sup", "s", "spoiler"}
_NAMES = {"em": "i", "strong": "b", "code": "pre"}
_SAFE = {"html": False}
_MARKDOWN = MarkdownIt("commonmark", _SAFE)
_DISCOURSE = MarkdownIt("commonmark", {"html": True, "typographer": True, "breaks": True}).enable(
    ["table", "strikethrough", "replacements", "smartquotes"]
)
_DROPPED = re.compile(r"</?(?:u|span|font|style|script)\b[^>]*>", re.IGNORECASE)
_ESCAPED_ON_OLD_REDDIT = "\\`*_{}[]()#+-.!:|&<>/^~"


def _spoiler_of_reddit(state: StateInline, silent: bool) -> bool:
    """Text between >! and !<."""
    if not state.src.startswith(">!", state.pos) or silent:
        return False
    end = state.src.find("!<", state.pos + 2)
    if end < 0 or end >= state.posMax:
        return False
    return _inside(state, "spoiler", state.pos + 2, end, end + 2)


def _superscript(state: StateInline, silent: bool) -> bool:
    """The text after a caret, up to a blank."""
    match = re.compile(r"\^(?=\S)[^\s^]*").match(state.src, state.pos, state.posMax)
    if match is None or silent:
        return False
    return _inside(state, "sup", match.start() + 1, match.end(), match.end())


def _inside(state: StateInline, tag: str, start: int, end: int, after: int) -> bool:
    inside: list[Token] = []
    state.md.inline.parse(state.src[start:end], state.md, state.env, inside)
    state.push("open", tag, 1)
    state.tokens.extend(inside)
    state.push("close", tag, -1)
    state.pos = after
    return True


def _few_escapes(state: StateInline, silent: bool) -> bool:
    """A backslash is shown before signs that the older Reddit does not know."""
    following = state.src[state.pos + 1 : state.pos + 2]
    if state.src[state.pos] != "\\" or following == "\n" or following in _ESCAPED_ON_OLD_REDDIT:
        return False
    if not silent:
        state.pending += "\\"
    state.pos += 1
    return True


def _reddit(*, old: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", _SAFE).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "spoiler", _spoiler_of_reddit)
    parser.inline.ruler.before("escape", "superscript", _superscript)
    if old:
        parser.disable("fence")
        parser.inline.ruler.before("escape", "few escapes", _few_escapes)
    return parser


_REDDIT = {"reddit": _reddit(old=False), "old reddit": _reddit(old=True)}
_BBCODE = bbcode.Parser(newline="\n", replace_cosmetic=False, replace_links=False)
for _, options in _BBCODE.recognized_tags.values():
    options.replace_cosmetic = False  # two hyphens are no dash


def as_html(target: str, text: str) -> str:
    """The HTML that a forum makes of a post."""
    if target == "markdown":
        return str(_MARKDOWN.render(text))
    if target in {"discourse", "backgammonforums"}:
        # Its plugin needs each tag on a separate line.
        text = re.sub(r"^\[(/?spoiler)\]$", r"<\1>", text, flags=re.MULTILINE)
        return _DROPPED.sub("", str(_DISCOURSE.render(text)))
    if target == "discord":
        return pasted(discord.read(text))
    if target in _REDDIT:
        return str(_REDDIT[target].render(text))
    if TARGETS[target].spelling == "bbcode":
        return str(_BBCODE.format(text)).replace("\u2060", "")
    return text


def rendered(target: str, text: str) -> StyledText:
    """The text that readers see, with blanks for line ends; fails if a parser does."""
    if target == "discord":
        return [(c, marks) for c, marks in discord.read(text) if c != "\u2060"]
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root = parser.parseFragment(as_html(target, text))
    return list(_walk(root, frozenset()))


def _walk(element: Element, around: frozenset[str]) -> StyledText:
    inside = around
    if element.tag not in _BLOCKS and element.tag != "DOCUMENT_FRAGMENT":
        style = element.attrib.get("style", "").replace(" ", "").rstrip(";")
        assert element.tag in _INLINE, element.tag
        inside = around | {style if element.tag == "span" else _NAMES.get(element.tag, element.tag)}
    characters: StyledText = [(c, inside) for c in element.text or ""]
    for child in element:
        characters += _walk(child, inside)
        characters += [(c, inside) for c in child.tail or ""]
    return characters


def pasted(characters: StyledText) -> str:
    """The text that readers see and copy, as HTML."""
    copied = []
    for character, marks in characters:
        text = html.escape(character)
        for mark in sorted(marks):
            name, _, colour = mark.partition(":")
            if name in {"i", "b", "u"}:
                text = f"<{name}>{text}</{name}>"
            elif colour:
                text = f'<span style="{mark}">{text}</span>'
        copied.append(text)
    return "".join(copied)


def words(characters: StyledText) -> str:
    """The characters alone, blanks run together."""
    return " ".join("".join(character for character, _ in characters).split())
