"""The style sheets of page, explorer and playground share one set of design tokens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gnubg_nactation
from gnubg_nactation.exports.page.document import board_choices, board_colours, design

TOP = Path(gnubg_nactation.__path__[0])
SHEETS = ("exports/page/page.css", "exports/explorer/explorer.css", "playground/style.css")


def defined(css: str) -> set[str]:
    return set(re.findall(r"--([\w-]+):", css))


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_token_that_is_used_is_defined(sheet: str) -> None:
    css = (TOP / sheet).read_text(encoding="utf-8")
    used = set(re.findall(r"var\(--([\w-]+)", css))
    assert used <= defined(design()) | defined(board_colours()) | defined(css)


@pytest.mark.parametrize("sheet", SHEETS)
def test_corners_shadows_and_fonts_are_tokens(sheet: str) -> None:
    css = (TOP / sheet).read_text(encoding="utf-8")
    assert not re.findall(r"border-radius: [\d.]+rem|box-shadow: [\d.]|system-ui|Georgia", css)


def test_boards_change_only_colours_that_a_board_has() -> None:
    assert defined(board_choices()) <= defined(board_colours())
