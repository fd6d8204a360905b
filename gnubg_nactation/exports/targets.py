"""The kinds of posts: how each spells Nactations, escapes text and marks up paragraphs.

The command line needs their names at each start, so the rest is imported and compiled later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.showing import shown
from gnubg_nactation.values import NamedTuple

Rows = Sequence[tuple[str, str]]
# Patterns and their replacements; {} is the matched text. The patterns must also be valid in
# JavaScript, as match pages write posts.
Rules = Sequence[tuple[str, str]]


class Block(NamedTuple):
    """Preformatted text: the text around it, and the indent of each line that is not empty.

    {} in `begins` and `ends` is a run of backticks, longer than any in the lines. `rules` change
    text that would end the block, if nothing can be escaped in it.
    """

    begins: str
    ends: str
    indent: str = ""
    rules: Rules = ()


class Markup(NamedTuple):
    """The markup of a kind of post; {} is the text.

    `rules`, applied in order, escape a line of text. `line_break` joins the lines of a paragraph.
    `spoiler` is the text before, between and after hidden lines. `board` is drawn by the site, and
    {} in it is the XGID; empty if the site draws no boards.
    """

    rules: Rules
    block: Block
    spoiler: tuple[str, str, str]
    heading: str = "{}\n"
    paragraph: str = "{}\n"
    bold: str = "<b>{}</b>"
    line_break: str = "\n"
    board: str = ""


class Target(NamedTuple):
    """A kind of post: the suffix of its files, the spelling of Nactations, and its markup.

    `escape` escapes one line of text. The other methods take escaped text, except `preformatted`.
    A post on the site has at most `longest` characters.
    """

    suffix: str
    spelling: str
    markup: Markup
    table: Callable[[Sequence[str], Rows], str] | None = None
    longest: int | None = None

    @property
    def line_break(self) -> str:
        """Joins the lines of a paragraph."""
        return self.markup.line_break

    def spell(self, nactation: Nactation) -> str:
        """The Nactation in the target's markup."""
        from gnubg_nactation.writing.spelling import spell  # noqa: PLC0415 (as above)

        return spell(nactation, self.spelling)

    def escape(self, text: str) -> str:
        """The text escaped, on one line and without control characters."""
        return _replaced(" ".join(shown(text).split()), self.markup.rules)

    def heading(self, text: str) -> str:
        """The text as a heading."""
        return self.markup.heading.replace("{}", text)

    def paragraph(self, text: str) -> str:
        """The text as a paragraph."""
        return self.markup.paragraph.replace("{}", text)

    def bold(self, text: str) -> str:
        """The text in bold, within a line."""
        return self.markup.bold.replace("{}", text)

    def preformatted(self, text: str) -> str:
        """Lines of text unchanged, except for control characters."""
        begins, ends, indent, rules = self.markup.block
        lines = "\n".join(shown(line).rstrip() for line in text.split("\n"))
        lines = _replaced(lines, rules)
        if indent:
            lines = "\n".join(line and indent + line for line in lines.split("\n"))
        if "{}" in begins:
            longest = max(map(len, _pattern("`+").findall(lines)), default=0)
            ticks = "`" * max(3, longest + 1)
            begins, ends = begins.replace("{}", ticks), ends.replace("{}", ticks)
        return f"{begins}{lines}{ends}"

    def drawn(self, xgid: str) -> str:
        """The markup with which the site draws a board; empty if it draws none."""
        return self.markup.board.replace("{}", xgid)

    def spoiler(self, lines: Sequence[str]) -> str:
        """Lines that the site hides until a click, if it can."""
        begins, between, ends = self.markup.spoiler
        return f"{begins}{between.join(lines)}{ends}\n"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def _replaced(text: str, rules: Rules) -> str:
    for pattern, by in rules:
        text = _pattern(pattern).sub(by.replace("\\", "\\\\").replace("{}", r"\g<0>"), text)
    return text


def _html_table(names: Sequence[str], rows: Rows) -> str:
    head = f"<tr><th></th><th>{names[0]}</th><th>{names[1]}</th></tr>"
    body = "".join(
        f"\n<tr><td>{at}</td><td>{left}</td><td>{right}</td></tr>"
        for at, (left, right) in enumerate(rows, 1)
    )
    return f"<table>\n{head}{body}\n</table>\n"


_ESCAPED = "\\{}"
_JOINED = "{}\u2060"  # with a word joiner, if there is no escape
_NUMBERED = (r"^[0-9]{1,9}(?=[.)](?:[ \t]|$))", "{}\\")
# The beginning of a list, a rule or a quotation.
_LINE_START = ("^(?=[-+])", _ESCAPED)
# For CommonMark and what sites add to it: mathematics, mentions, superscripts.
_IN_MARKDOWN = (
    ("&", "&amp;"),
    (r"[\\`*_{}\[\]<>#|~$^@=+!]", _ESCAPED),
    _LINE_START,
    _NUMBERED,
)
# Text that a typographer replaces: quotes, (c), and some doubled signs.
_TYPOGRAPHY = r"""["']|\((?=(?:[cCrRpP]|[tT][mM])\))|(?<=[.,?])(?=[.,?])|(?<=-)(?=-)"""
# Reddit and Discord show backslashes and entities that they do not need.
_IN_REDDIT = (
    (r"[\\`*_\[\]<>#|~^&+!]", _ESCAPED),
    _LINE_START,
    _NUMBERED,
    ("^=", _JOINED),  # the underline of a heading
)
_IN_DISCORD = (
    (r"[\\`*_\[\]<>#|~]|:(?=[A-Za-z0-9_]+:)", _ESCAPED),
    _LINE_START,
    _NUMBERED,
    ("@", _JOINED),  # a mention of everyone
)
_IN_HTML = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;"))

_MARKDOWN = Markup(
    rules=_IN_MARKDOWN,
    block=Block("{}\n", "\n{}\n"),
    spoiler=("Solution:\n\n", "\\\n", ""),
    heading="### {}\n",
    bold="**{}**",
    line_break="\\\n",
)
_DISCOURSE = _MARKDOWN._replace(
    rules=(*_IN_MARKDOWN, (_TYPOGRAPHY, _ESCAPED)),
    spoiler=("[spoiler]\n\n", "\\\n", "\n\n[/spoiler]"),
)
TARGETS = {
    "markdown": Target(".md", "commonmark", _MARKDOWN),
    "discourse": Target(".md", "commonmark", _DISCOURSE),
    # Its theme draws the board of an XGID.
    "backgammonforums": Target(
        ".md",
        "commonmark",
        _DISCOURSE._replace(board="<div data-theme-position>{}</div>\n"),
    ),
    "reddit": Target(
        ".md",
        "reddit",
        _MARKDOWN._replace(
            rules=_IN_REDDIT,
            # Old Reddit shows fences as text.
            block=Block("", "\n", indent="    "),
            # Some Reddit apps show a line that begins with >! as a quotation.
            spoiler=("Solution: >!", "  \n", "!<"),
            line_break="  \n",
        ),
    ),
    "discord": Target(
        ".md",
        "discord",
        _MARKDOWN._replace(
            rules=_IN_DISCORD,
            # Three backticks end a block, two bars a spoiler.
            block=Block("```\n", "\n```\n", rules=((r"`(?=`)|\|(?=\|)", _JOINED),)),
            spoiler=("Solution: ||", "\n", "||"),
            line_break="\n",
        ),
        longest=2000,
    ),
    "bbcode": Target(
        ".bbcode",
        "bbcode",
        Markup(
            rules=((r"\[(?=[/*A-Za-z])", _JOINED),),  # the beginning of a tag
            block=Block("[code]\n", "\n[/code]\n", rules=((r"\[(?=/[cC][oO][dD][eE])", _JOINED),)),
            spoiler=("[spoiler]", "\n", "[/spoiler]"),
            heading="[b]{}[/b]\n",
            bold="[b]{}[/b]",
        ),
    ),
    "html-forum": Target(
        ".html",
        "html",
        Markup(
            rules=_IN_HTML,
            # Browsers drop the first line end after <pre>.
            block=Block("<pre>\n", "\n</pre>\n", rules=_IN_HTML),
            spoiler=("<details>\n<summary>Solution</summary>\n<p>", "<br>\n", "</p>\n</details>"),
            heading="<h3>{}</h3>\n",
            paragraph="<p>{}</p>\n",
            line_break="<br>\n",
        ),
        table=_html_table,
    ),
    "plain": Target(
        ".txt",
        "plain",
        Markup(rules=(), block=Block("", "\n"), spoiler=("Solution:\n", "\n", ""), bold="{}"),
    ),
}
