"""`nactate alphabet`: print the characters of Nactation, or explain one."""

from __future__ import annotations

import textwrap

from gnubg_nactation import MalformedError
from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.language.alphabet import FAMILIES, Family
from gnubg_nactation.showing import json_line, quoted
from gnubg_nactation.tasks.settings import Settings, setting
from gnubg_nactation.values import Any

DESCRIPTION = """\
List the characters of Nactation, or explain one with an example.
Prints text, a Markdown table or JSON."""
EXAMPLES = """\
  nactate alphabet
  nactate alphabet H
  nactate alphabet E_            the underlined E (E. has a dot)
"""
_WIDTH = 79
_LEGEND = (
    "Areas, by where a portion of a play starts and ends:",
    "  run     to the 13pt or higher (entering is a run)",
    "  down    to the 12pt-7pt",
    "  jump    from the 7pt or higher to the 6pt or lower",
    "  inside  from the 6pt or lower (bearing off is inside)",
    "A code counts them: 1001 is a run and an inside. A doublet has four portions.",
    "Style characters and symbols may leave out entering and forced portions.",
    "",
)


class Options(Settings):
    """The character, and how it is printed."""

    character: str | None = setting(None, "explain this character", "CHARACTER", words="optional")
    json: bool = setting(False, "print a JSON object per character", only_one="form")
    markdown: bool = setting(False, "print a Markdown table", only_one="form")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    families = FAMILIES if settings.character is None else _families_of(settings.character)
    if settings.json:
        streams.print("".join(json_line(_value(family)) for family in families))
        return Status.OK
    if settings.markdown:
        lines = _markdown(families)
    elif settings.character is None:
        lines = [*_LEGEND, *(line for family in families for line in _entry(family))]
    else:
        lines = [line for family in families for line in _details(family)]
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


def _shown(family: Family) -> str:
    return " ".join(character + family.suffix for character in family.characters)


def _codes(family: Family) -> str:
    """Return the codes of full rolls: their number of runs, downs, jumps and insides."""
    dice = [code for code in family.dice if sum(map(int, code)) == 2]
    doublet = [code for code in family.doublet if sum(map(int, code)) == 4]
    return " ".join(dice + doublet)


def _entry(family: Family) -> list[str]:
    areas = f" ({_codes(family)})" if _codes(family) else ""
    text = f"{_shown(family):6}{family.word}{areas}: {family.meaning}"
    indent = " " * 6
    return [*textwrap.wrap(text, _WIDTH, subsequent_indent=indent), f"{indent}{_example(family)}"]


def _example(family: Family, *, quote: str = "") -> str:
    position, roll, *play = family.example.split(" ")
    name = f"{quote}{roll}{family.key}{quote}"
    return f"{name} is {' '.join(play) or 'a fan'} in {quote}{position}{quote}"


def _details(family: Family) -> list[str]:
    position, *_ = family.example.split(" ")
    sections = f"section{'s' if ',' in family.section else ''} {family.section}"
    lines = [
        f"{_shown(family)}  {family.word} ({family.right.value}; tutorial, {sections})",
        *textwrap.wrap(family.meaning, _WIDTH, initial_indent="  ", subsequent_indent="  "),
    ]
    if _codes(family):
        lines.append(f"  runs, downs, jumps, insides: {_codes(family)}")
    lines.append(f"  example: {_example(family)}")
    return [*lines, str(parse_position_id(position))]


def _markdown(families: tuple[Family, ...]) -> list[str]:
    names = ("character", "name", "areas", "meaning", "example", "section")
    lines = [f"| {' | '.join(names)} |", "|" + " --- |" * len(names)]
    for family in families:
        code = " ".join(f"`{character}{family.suffix}`" for character in family.characters)
        example = _example(family, quote="`")
        cells = code, family.word, _codes(family), family.meaning, example, family.section
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _value(family: Family) -> dict[str, Any]:
    position, roll, *play = family.example.split(" ")
    return {
        "character": family.character,
        "partner": family.partner or None,
        "mark": family.mark.value,
        "kind": family.right.value,
        "name": family.word,
        "definition": family.meaning,
        "section": family.section,
        "dice": list(family.dice),
        "doublet": list(family.doublet),
        "example": {"position_id": position, "roll": roll, "play": " ".join(play)},
    }
