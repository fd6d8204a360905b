"""Posts as others see them: rendered by CommonMark, BBCode and HTML5 parsers that are not ours."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import bbcode
import html5lib
from markdown_it import MarkdownIt

# A character as shown, with the set of what it stands in: i, b, u, pre, or a colour.
Shown = list[tuple[str, frozenset[str]]]

_BLOCKS = {"p", "h3", "table", "tbody", "tr", "th", "td", "br"}
_NAMES = {"em": "i", "strong": "b", "code": "pre"}
_MARKDOWN = MarkdownIt("commonmark")
_BBCODE = bbcode.Parser(newline="\n", replace_cosmetic=False, replace_links=False)
for _, options in _BBCODE.recognized_tags.values():
    options.replace_cosmetic = False  # two hyphens are no dash


def as_html(target: str, text: str) -> str:
    """The HTML that a forum makes of a post."""
    if target == "markdown":
        return str(_MARKDOWN.render(text))
    if target == "bbcode":
        return str(_BBCODE.format(text)).replace("\u2060", "")
    return text


def shown(target: str, text: str) -> Shown:
    """What readers see, line ends as blanks; an error if a parser finds one."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root = parser.parseFragment(as_html(target, text))
    return list(_walk(root, frozenset()))


def _walk(element: Element, around: frozenset[str]) -> Shown:
    inside = around
    if element.tag not in _BLOCKS and element.tag != "DOCUMENT_FRAGMENT":
        style = element.attrib.get("style", "").replace(" ", "").rstrip(";")
        assert element.tag in {"span", "i", "b", "u", "em", "strong", "pre", "code"}, element.tag
        inside = around | {style if element.tag == "span" else _NAMES.get(element.tag, element.tag)}
    seen: Shown = [(c, inside) for c in element.text or ""]
    for child in element:
        seen += _walk(child, inside)
        seen += [(c, inside) for c in child.tail or ""]
    return seen


def words(seen: Shown) -> str:
    """The characters alone, blanks run together."""
    return " ".join("".join(character for character, _ in seen).split())
