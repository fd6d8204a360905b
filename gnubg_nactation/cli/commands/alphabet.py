"""`nactate alphabet`: print the characters of Nactation, or explain one."""

from __future__ import annotations

from gnubg_nactation import MalformedError
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.alphabet import (
    alphabet_lines,
    alphabet_table,
    family_lines,
    family_view,
)
from gnubg_nactation.language.alphabet import FAMILIES, Family
from gnubg_nactation.showing import json_line, quoted
from gnubg_nactation.tasks.settings import Settings, setting

DESCRIPTION = """\
List the characters of Nactation, or explain one with an example.
Prints text, a Markdown table or JSON."""
EXAMPLES = """\
  nactate alphabet
  nactate alphabet H
  nactate alphabet E_            the underlined E (E. has a dot)
"""


class Options(Settings):
    """The character, and how it is printed."""

    character: str | None = setting(None, "explain this character", "CHARACTER", words="optional")
    json: bool = setting(False, "print a JSON object per character", only_one="form")
    markdown: bool = setting(False, "print a Markdown table", only_one="form")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    families = FAMILIES if settings.character is None else _families_of(settings.character)
    if settings.json:
        streams.print("".join(json_line(family_view(family)) for family in families))
        return Status.OK
    if settings.markdown:
        lines = alphabet_table(families)
    elif settings.character is None:
        lines = alphabet_lines(families)
    else:
        lines = [line for family in families for line in family_lines(family)]
    streams.print("\n".join(lines) + "\n")
    return Status.OK


def _families_of(text: str) -> tuple[Family, ...]:
    """Return the families of a character, in either case, or of a code such as 2101.

    Raises MalformedError if there is none.
    """
    key = text.upper()
    if len(key) == 4 and (coded := tuple(it for it in FAMILIES if key in (*it.dice, *it.doublet))):
        return coded
    exact = tuple(family for family in FAMILIES if family.key.upper() == key)
    families = exact or tuple(family for family in FAMILIES if key and key in family.characters)
    if not families:
        raise MalformedError(f"no character {quoted(text)}; `nactate alphabet` lists all")
    return families
