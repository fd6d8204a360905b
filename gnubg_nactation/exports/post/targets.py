"""The kinds of post: how each spells Nactations, escapes text and marks up paragraphs.

Every start asks for their names; what only posts need is imported and compiled for these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.showing import shown
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

__all__ = ["TARGETS", "Target"]

Rows = Sequence[tuple[str, str]]


class Target(NamedTuple):
    """How a kind of post is written: how its files end, how Nactations are spelled, its markup.

    `escape` makes one line of text safe; the other functions take text that is safe already, but
    for `preformatted`, which takes it raw, to be shown as it is, line by line. `line_break` joins
    lines of one paragraph. `spoiler` hides lines of text until they are asked for, where the
    site can; else they only come last. A post on the site has at most `longest` characters.
    """

    suffix: str
    spelling: str
    escape: Callable[[str], str]
    preformatted: Callable[[str], str]
    heading: Callable[[str], str] = "{}\n".format
    paragraph: Callable[[str], str] = "{}\n".format
    bold: Callable[[str], str] = "<b>{}</b>".format
    line_break: str = "\n"
    table: Callable[[Sequence[str], Rows], str] | None = None
    spoiler: Callable[[Sequence[str]], str] = "\n".join
    longest: int | None = None

    def spell(self, nactation: Nactation) -> str:
        """The Nactation in the target's markup."""
        from gnubg_nactation.writing.spelling import spell  # noqa: PLC0415 (as above)

        return spell(nactation, self.spelling)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    import re  # noqa: PLC0415 (as above)

    return re.compile(text)


def _one_line(text: str) -> str:
    """Text on one line, without what no markup may hold."""
    return " ".join(shown(text).split())


def _printable(text: str) -> str:
    """Lines of text without what no markup may hold."""
    return "\n".join(shown(line).rstrip() for line in text.split("\n"))


# Besides what CommonMark needs, what sites add: mathematics, mentions, superscripts.
_SIGNS = r"[\\`*_{}\[\]<>#|~$^@=+!]"
_NUMBERED = r"^(\d{1,9})([.)])"


def _escape_markdown(text: str) -> str:
    escaped = _pattern(_SIGNS).sub(r"\\\g<0>", _one_line(text).replace("&", "&amp;"))
    # Nor may a line begin like a list or a rule.
    escaped = f"\\{escaped}" if escaped.startswith("-") else escaped
    return _pattern(_NUMBERED).sub(r"\1\\\2", escaped)


def _fence(text: str) -> str:
    shown = _printable(text)
    longest = max((len(run) for run in _pattern("`+").findall(shown)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}\n{shown}\n{ticks}\n"


# What a typographer makes other signs of: quotes, (c), and some signs that stand twice.
_TYPOGRAPHY = r"""["']|\((?=(?i:[crp]|tm)\))|(?<=[.,?])(?=[.,?])|(?<=-)(?=-)"""


def _escape_discourse(text: str) -> str:
    return _pattern(_TYPOGRAPHY).sub(r"\\\g<0>", _escape_markdown(text))


# Reddit and Discord show the backslashes and entities that they do not need themselves.
_SIGNS_OF_REDDIT = r"[\\`*_\[\]<>#|~^&+!]"
_SIGNS_OF_DISCORD = r"[\\`*_\[\]<>#|~]|:(?=\w+:)"
_LINE_START = r"^(?=[-+])"


def _escape_for_site(signs: str, text: str) -> str:
    escaped = _pattern(signs).sub(r"\\\g<0>", _one_line(text))
    escaped = _pattern(_LINE_START).sub(r"\\", escaped)
    return _pattern(_NUMBERED).sub(r"\1\\\2", escaped)


def _escape_reddit(text: str) -> str:
    return _escape_for_site(_SIGNS_OF_REDDIT, text)


def _escape_discord(text: str) -> str:
    # A mention of everybody knows no escape; a word joiner keeps it from being one.
    return _escape_for_site(_SIGNS_OF_DISCORD, text).replace("@", "@\u2060")


def _indented(text: str) -> str:
    # Fences are shown by the older of Reddit's two faces.
    lines = (f"    {line}" if line else "" for line in _printable(text).split("\n"))
    return "\n".join(lines) + "\n"


def _discord_block(text: str) -> str:
    # Nothing can be escaped in a block, which ends at any three of these; spoilers, at two bars.
    shown = _pattern(r"(?<=`)(?=`)|(?<=\|)(?=\|)").sub("\u2060", _printable(text))
    return f"```\n{shown}\n```\n"


def _escape_bbcode(text: str) -> str:
    # BBCode knows no escape; a word joiner keeps a bracket from beginning a tag.
    return _pattern(r"\[(?=[/*A-Za-z])").sub("[\u2060", _one_line(text))


def _code(text: str) -> str:
    shown = _pattern(r"(?i)\[(?=/code)").sub("[\u2060", _printable(text))
    return f"[code]\n{shown}\n[/code]\n"


def _escape_html(text: str) -> str:
    return _escaped(_one_line(text))


def _escaped(text: str) -> str:
    from gnubg_nactation.writing.spelling import escape  # noqa: PLC0415 (as above)

    return escape(text)


def _html_table(names: Sequence[str], rows: Rows) -> str:
    head = f"<tr><th></th><th>{names[0]}</th><th>{names[1]}</th></tr>"
    body = "".join(
        f"\n<tr><td>{at}</td><td>{left}</td><td>{right}</td></tr>"
        for at, (left, right) in enumerate(rows, 1)
    )
    return f"<table>\n{head}{body}\n</table>\n"


def _spoiler(begins: str, between: str, ends: str) -> Callable[[Sequence[str]], str]:
    """How lines are hidden that stand between these."""

    def spoiler(lines: Sequence[str]) -> str:
        return f"{begins}{between.join(lines)}{ends}\n"

    return spoiler


_MARKDOWN = Target(
    suffix=".md",
    spelling="commonmark",
    escape=_escape_markdown,
    heading="### {}\n".format,
    bold="**{}**".format,
    preformatted=_fence,
    line_break="\\\n",
    spoiler=_spoiler("Solution:\n\n", "\\\n", ""),
)
TARGETS = {
    "markdown": _MARKDOWN,
    "discourse": _MARKDOWN._replace(
        escape=_escape_discourse,
        spoiler=_spoiler("[spoiler]\n\n", "\\\n", "\n\n[/spoiler]"),
    ),
    # A line that begins with the sign is a quotation to some readers of Reddit.
    "reddit": _MARKDOWN._replace(
        spelling="reddit",
        escape=_escape_reddit,
        preformatted=_indented,
        line_break="  \n",
        spoiler=_spoiler("Solution: >!", "  \n", "!<"),
    ),
    "discord": _MARKDOWN._replace(
        spelling="discord",
        escape=_escape_discord,
        preformatted=_discord_block,
        line_break="\n",
        spoiler=_spoiler("Solution: ||", "\n", "||"),
        longest=2000,
    ),
    "bbcode": Target(
        suffix=".bbcode",
        spelling="bbcode",
        escape=_escape_bbcode,
        heading="[b]{}[/b]\n".format,
        bold="[b]{}[/b]".format,
        preformatted=_code,
        spoiler=_spoiler("[spoiler]", "\n", "[/spoiler]"),
    ),
    "html-forum": Target(
        suffix=".html",
        spelling="html",
        escape=_escape_html,
        heading="<h3>{}</h3>\n".format,
        paragraph="<p>{}</p>\n".format,
        # The first line end behind <pre> is not shown.
        preformatted=lambda text: f"<pre>\n{_escaped(_printable(text))}\n</pre>\n",
        line_break="<br>\n",
        table=_html_table,
        spoiler=_spoiler(
            "<details>\n<summary>Solution</summary>\n<p>", "<br>\n", "</p>\n</details>"
        ),
    ),
    "plain": Target(
        suffix=".txt",
        spelling="plain",
        escape=_one_line,
        bold=str,
        preformatted=lambda text: f"{_printable(text)}\n",
        spoiler=_spoiler("Solution:\n", "\n", ""),
    ),
}
