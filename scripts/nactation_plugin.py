"""Nactation in GNU Backgammon: type `>import nactation_plugin` at its prompt."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gnubg_nactation.plugin import (
    annotate,
    export_sgf,
    export_text,
    greet,
    show,
)

__all__ = ["annotate", "export_sgf", "export_text", "show"]

greet()
