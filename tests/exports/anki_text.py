"""Reads the texts that Anki imports, as its manual describes them."""

from __future__ import annotations

import csv
import html
import io


def head_of(text: str) -> dict[str, str]:
    """The lines for Anki, by their names."""
    lines = [line for line in text.splitlines() if line.startswith("#")]
    return dict(line[1:].split(":", 1) for line in lines)


def rows_of(text: str) -> list[dict[str, str]]:
    """The rows by their columns; the cells as text, except for the board."""
    head = head_of(text)
    columns = head["columns"].split(",")
    body = text.split("\r\n", len(head))[-1]
    return [
        {
            name: cell if name == "Board" else _plain(cell)
            for name, cell in zip(columns, row, strict=True)
        }
        for row in csv.reader(io.StringIO(body, newline=""))
    ]


def _plain(cell: str) -> str:
    return html.unescape(cell.replace("<br>", "\n"))
