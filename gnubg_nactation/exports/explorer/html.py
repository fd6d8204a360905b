"""The explorer as one web page."""

from __future__ import annotations

from collections.abc import Mapping

from gnubg_nactation.archive.nodes import Node
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState

__all__ = ["format_explorer"]


def format_explorer(nodes: Mapping[Position, Node], root: GameState, sequence: str) -> str:
    """TO DO."""
    return f"{nodes}{root}{sequence}"
