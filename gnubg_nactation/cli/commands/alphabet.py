"""`nactate alphabet`: print the characters of Nactation, or explain one."""

from __future__ import annotations

import argparse
import textwrap

from gnubg_nactation import MalformedError
from gnubg_nactation.backgammon.ids import parse_position_id
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.language.alphabet import FAMILIES, Family
from gnubg_nactation.showing import json_text, quoted
from gnubg_nactation.values import Any

DESCRIPTION = "Print the table of all characters, or the meaning of one with an example."
EXAMPLES = """\
  nactate alphabet
  nactate alphabet H
  nactate alphabet E_            the underlined E; E. is the one with a dot
  nactate alphabet --markdown
"""
_WIDTH = 79
_LEGEND = (
    "Areas, by where a portion of a play starts and ends:",
    "  run     to the 13pt or higher (entering is a run)",
    "  down    to the 12pt-7pt",
    "  jump    from the 7pt or higher to the 6pt or lower",
    "  inside  from the 6pt or lower (bearing off is inside)",
    "A code counts them: 1001 is a run and an inside; of a doublet four portions.",
    "Of style characters and symbols, entering and forced portions may be waived.",
    "",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "character", metavar="CHARACTER", nargs="?", help="a character of the table"
    )
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="one JSON object for each row")
    forms.add_argument("--markdown", action="store_true", help="the table as Markdown")


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    rows = FAMILIES if options.character is None else _rows_of(options.character)
    if options.json:
        lines = [json_text(_value(row)) for row in rows]
    elif options.markdown:
        lines = _markdown(rows)
    elif options.character is None:
        lines = [*_LEGEND, *(line for row in rows for line in _entry(row))]
    else:
        lines = [line for row in rows for line in _details(row)]
    streams.print("\n".join(lines) + "\n")
    return Status.OK


def _rows_of(text: str) -> tuple[Family, ...]:
    """The rows of a character, lower case or its partner included; MalformedError if none."""
    exact = tuple(row for row in FAMILIES if row.key.upper() == text.upper())
    rows = exact or tuple(row for row in FAMILIES if text and text.upper() in row.characters)
    if not rows:
        raise MalformedError(
            f"{quoted(text)} is no character of Nactation; `nactate alphabet` lists all"
        )
    return rows


def _shown(row: Family) -> str:
    return " ".join(character + row.suffix for character in row.characters)


def _codes(row: Family) -> str:
    """The areas of full rolls: how many runs, downs, jumps and insides."""
    dice = [code for code in row.dice if sum(map(int, code)) == 2]
    doublet = [code for code in row.doublet if sum(map(int, code)) == 4]
    return " ".join(dice + doublet)


def _entry(row: Family) -> list[str]:
    areas = f" ({_codes(row)})" if _codes(row) else ""
    text = f"{_shown(row):6}{row.word}{areas}: {row.meaning}"
    indent = " " * 6
    return [*textwrap.wrap(text, _WIDTH, subsequent_indent=indent), f"{indent}{_example(row)}"]


def _example(row: Family, *, quote: str = "") -> str:
    position, roll, *play = row.example.split(" ")
    name = f"{quote}{roll}{row.key}{quote}"
    return f"{name} is {' '.join(play) or 'a fan'} in {quote}{position}{quote}"


def _details(row: Family) -> list[str]:
    position, *_ = row.example.split(" ")
    sections = f"section{'s' if ',' in row.section else ''} {row.section}"
    lines = [
        f"{_shown(row)}  {row.word} ({row.right.value}; tutorial, {sections})",
        *textwrap.wrap(row.meaning, _WIDTH, initial_indent="  ", subsequent_indent="  "),
    ]
    if _codes(row):
        lines.append(f"  runs, downs, jumps, insides: {_codes(row)}")
    lines.append(f"  example: {_example(row)}")
    return [*lines, str(parse_position_id(position))]


def _markdown(rows: tuple[Family, ...]) -> list[str]:
    names = ("character", "name", "areas", "meaning", "example", "section")
    lines = [f"| {' | '.join(names)} |", "|" + " --- |" * len(names)]
    for row in rows:
        code = " ".join(f"`{character}{row.suffix}`" for character in row.characters)
        cells = (code, row.word, _codes(row), row.meaning, _example(row, quote="`"), row.section)
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _value(row: Family) -> dict[str, Any]:
    position, roll, *play = row.example.split(" ")
    return {
        "character": row.character,
        "partner": row.partner or None,
        "mark": row.mark.value,
        "kind": row.right.value,
        "name": row.word,
        "definition": row.meaning,
        "section": row.section,
        "dice": list(row.dice),
        "doublet": list(row.doublet),
        "example": {"position_id": position, "roll": roll, "play": " ".join(play)},
    }
