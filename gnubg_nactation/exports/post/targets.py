"""The kinds of post: how each spells Nactations, escapes text and marks up paragraphs."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence

from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.spelling import spell

__all__ = ["TARGETS", "Target"]

Rows = Sequence[tuple[str, str]]


class Target(NamedTuple):
    """How a kind of post is written: the spelling of Nactations, and its markup.

    `escape` makes one line of text safe; the other functions take text that is safe already, but
    for `preformatted`, which takes it raw, to be shown as it is, line by line. `line_break` joins
    lines of one paragraph.
    """

    spelling: str
    escape: Callable[[str], str]
    preformatted: Callable[[str], str]
    heading: Callable[[str], str] = "{}\n".format
    paragraph: Callable[[str], str] = "{}\n".format
    line_break: str = "\n"
    table: Callable[[Sequence[str], Rows], str] | None = None

    def spell(self, nactation: Nactation) -> str:
        """The Nactation in the target's markup."""
        return spell(nactation, self.spelling)


# Controls, halves of characters, what is no character: no markup may hold them. And what turns
# the direction of the text around it.
_UNFIT = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef]"
    f"|[{''.join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))}]"
)


def _one_line(text: str) -> str:
    """Text on one line, without what no markup may hold."""
    return " ".join(_UNFIT.sub(" ", text).split())


def _printable(text: str) -> str:
    """Lines of text without what no markup may hold."""
    return "\n".join(_UNFIT.sub(" ", line).rstrip() for line in text.split("\n"))


# Besides what CommonMark needs, what sites add: mathematics, mentions, superscripts.
_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~$^@=+!]")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])")


def _escape_markdown(text: str) -> str:
    escaped = _SIGNS.sub(r"\\\g<0>", _one_line(text).replace("&", "&amp;"))
    # Nor may a line begin like a list or a rule.
    escaped = re.sub(r"^-", r"\\-", escaped)
    return _NUMBERED.sub(r"\1\\\2", escaped)


def _fence(text: str) -> str:
    shown = _printable(text)
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}\n{shown}\n{ticks}\n"


def _escape_bbcode(text: str) -> str:
    # BBCode knows no escape; a word joiner keeps a bracket from beginning a tag.
    return re.sub(r"\[(?=[/*A-Za-z])", "[\u2060", _one_line(text))


def _code(text: str) -> str:
    shown = re.sub(r"\[(?=/code)", "[\u2060", _printable(text), flags=re.IGNORECASE)
    return f"[code]\n{shown}\n[/code]\n"


def _escape_html(text: str) -> str:
    return html.escape(_one_line(text))


def _html_table(names: Sequence[str], rows: Rows) -> str:
    head = f"<tr><th></th><th>{names[0]}</th><th>{names[1]}</th></tr>"
    body = "".join(
        f"\n<tr><td>{at}</td><td>{left}</td><td>{right}</td></tr>"
        for at, (left, right) in enumerate(rows, 1)
    )
    return f"<table>\n{head}{body}\n</table>\n"


TARGETS = {
    "plain": Target(
        spelling="plain", escape=_one_line, preformatted=lambda text: f"{_printable(text)}\n"
    ),
    "markdown": Target(
        spelling="markdown",
        escape=_escape_markdown,
        heading="### {}\n".format,
        preformatted=_fence,
        line_break="\\\n",
    ),
    "bbcode": Target(
        spelling="bbcode", escape=_escape_bbcode, heading="[b]{}[/b]\n".format, preformatted=_code
    ),
    "html-forum": Target(
        spelling="html",
        escape=_escape_html,
        heading="<h3>{}</h3>\n".format,
        paragraph="<p>{}</p>\n".format,
        # The first line end behind <pre> is not shown.
        preformatted=lambda text: f"<pre>\n{html.escape(_printable(text))}\n</pre>\n",
        line_break="<br>\n",
        table=_html_table,
    ),
}
