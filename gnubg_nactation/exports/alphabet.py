"""The alphabet: as lines of text, as a Markdown table and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.language.alphabet import Family
from gnubg_nactation.values import Any

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


def _shown(family: Family) -> str:
    return " ".join(character + family.suffix for character in family.characters)


def _codes(family: Family) -> str:
    """Return the codes of full rolls: their number of runs, downs, jumps and insides."""
    dice = [code for code in family.dice if sum(map(int, code)) == 2]
    doublet = [code for code in family.doublet if sum(map(int, code)) == 4]
    return " ".join(dice + doublet)


def alphabet_lines(families: Sequence[Family]) -> list[str]:
    """Return the lines of the list of families, after a legend of the areas."""
    return [*_LEGEND, *(line for family in families for line in _entry(family))]


def _entry(family: Family) -> list[str]:
    areas = f" ({_codes(family)})" if _codes(family) else ""
    text = f"{_shown(family):6}{family.word}{areas}: {family.meaning}"
    indent = " " * 6
    return [*textwrap.wrap(text, _WIDTH, subsequent_indent=indent), f"{indent}{_example(family)}"]


def _example(family: Family, *, quote: str = "") -> str:
    position, roll, *play = family.example.split(" ")
    name = f"{quote}{roll}{family.key}{quote}"
    return f"{name} is {' '.join(play) or 'a fan'} in {quote}{position}{quote}"


def sections_of(family: Family) -> str:
    """The sections of the tutorial about a family: `section 5`, `sections 1, 12`."""
    return f"section{'s' if ',' in family.section else ''} {family.section}"


def family_lines(family: Family) -> list[str]:
    """Return the lines that explain a family, with the board of its example."""
    position, *_ = family.example.split(" ")
    lines = [
        f"{_shown(family)}  {family.word} ({family.right.value}; tutorial, {sections_of(family)})",
        *textwrap.wrap(family.meaning, _WIDTH, initial_indent="  ", subsequent_indent="  "),
    ]
    if _codes(family):
        lines.append(f"  runs, downs, jumps, insides: {_codes(family)}")
    lines.append(f"  example: {_example(family)}")
    return [*lines, str(parse_position_id(position))]


def alphabet_table(families: Sequence[Family]) -> list[str]:
    """Return the lines of a Markdown table."""
    names = ("character", "name", "areas", "meaning", "example", "section")
    lines = [f"| {' | '.join(names)} |", "|" + " --- |" * len(names)]
    for family in families:
        code = " ".join(f"`{character}{family.suffix}`" for character in family.characters)
        example = _example(family, quote="`")
        cells = code, family.word, _codes(family), family.meaning, example, family.section
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def family_view(family: Family) -> dict[str, Any]:
    """Return a family as a JSON object, as `nactate --json-schema alphabet` describes it."""
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
