"""The kinds of post: how each spells Nactations, escapes text and marks up paragraphs.

Every start asks for their names; what only posts need is imported and compiled for these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.showing import shown
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

Rows = Sequence[tuple[str, str]]
# What is replaced, and by what; {} stands for it. The patterns are JavaScript's, too: the page of
# a match writes posts by itself.
Rules = Sequence[tuple[str, str]]


class Block(NamedTuple):
    """How lines are shown as they are: what stands around them, and before each that has text.

    {} around them stands for backticks, more than are together in any line. Where nothing can be
    escaped there are rules for what would end the block.
    """

    begins: str
    ends: str
    indent: str = ""
    rules: Rules = ()


class Markup(NamedTuple):
    """What stands around what in a kind of post; {} stands for the text.

    `rules` make a line of text safe, one after the other. `line_break` joins lines of one
    paragraph. `spoiler` is what stands before hidden lines, between them and behind them.
    """

    rules: Rules
    block: Block
    spoiler: tuple[str, str, str]
    heading: str = "{}\n"
    paragraph: str = "{}\n"
    bold: str = "<b>{}</b>"
    line_break: str = "\n"


class Target(NamedTuple):
    """How a kind of post is written: how its files end, how Nactations are spelled, its markup.

    `escape` makes one line of text safe; the other functions take text that is safe already, but
    for `preformatted`, which takes it raw, to be shown as it is, line by line. A post on the site
    has at most `longest` characters.
    """

    suffix: str
    spelling: str
    markup: Markup
    table: Callable[[Sequence[str], Rows], str] | None = None
    longest: int | None = None

    @property
    def line_break(self) -> str:
        """What joins lines of one paragraph."""
        return self.markup.line_break

    def spell(self, nactation: Nactation) -> str:
        """The Nactation in the target's markup."""
        from gnubg_nactation.writing.spelling import spell  # noqa: PLC0415 (as above)

        return spell(nactation, self.spelling)

    def escape(self, text: str) -> str:
        """The text on one line, without what no markup may hold."""
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
        """Lines of text as they are, without what no markup may hold."""
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

    def spoiler(self, lines: Sequence[str]) -> str:
        """Lines hidden until they are asked for, where the site can; else they only come last."""
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
_JOINED = "{}\u2060"  # with a word joiner, where there is no escape
_NUMBERED = ("^[0-9]{1,9}(?=[.)])", "{}\\")
# Nor may a line begin like a list, a rule or a quotation.
_LINE_START = ("^(?=[-+])", _ESCAPED)
# Besides what CommonMark needs, what sites add: mathematics, mentions, superscripts.
_IN_MARKDOWN = (
    ("&", "&amp;"),
    (r"[\\`*_{}\[\]<>#|~$^@=+!]", _ESCAPED),
    _LINE_START,
    _NUMBERED,
)
# What a typographer makes other signs of: quotes, (c), and some signs that stand twice.
_TYPOGRAPHY = r"""["']|\((?=(?:[cCrRpP]|[tT][mM])\))|(?<=[.,?])(?=[.,?])|(?<=-)(?=-)"""
# Reddit and Discord show the backslashes and entities that they do not need themselves.
_IN_REDDIT = ((r"[\\`*_\[\]<>#|~^&+!]", _ESCAPED), _LINE_START, _NUMBERED)
_IN_DISCORD = (
    (r"[\\`*_\[\]<>#|~]|:(?=[A-Za-z0-9_]+:)", _ESCAPED),
    _LINE_START,
    _NUMBERED,
    ("@", _JOINED),  # a mention of everybody
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
TARGETS = {
    "markdown": Target(".md", "commonmark", _MARKDOWN),
    "discourse": Target(
        ".md",
        "commonmark",
        _MARKDOWN._replace(
            rules=(*_IN_MARKDOWN, (_TYPOGRAPHY, _ESCAPED)),
            spoiler=("[spoiler]\n\n", "\\\n", "\n\n[/spoiler]"),
        ),
    ),
    "reddit": Target(
        ".md",
        "reddit",
        _MARKDOWN._replace(
            rules=_IN_REDDIT,
            # Fences are shown by the older of Reddit's two faces.
            block=Block("", "\n", indent="    "),
            # A line that begins with the sign is a quotation to some readers of Reddit.
            spoiler=("Solution: >!", "  \n", "!<"),
            line_break="  \n",
        ),
    ),
    "discord": Target(
        ".md",
        "discord",
        _MARKDOWN._replace(
            rules=_IN_DISCORD,
            # A block ends at any three of these; spoilers, at two bars.
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
            rules=((r"\[(?=[/*A-Za-z])", _JOINED),),  # what would begin a tag
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
            # The first line end behind <pre> is not shown.
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
