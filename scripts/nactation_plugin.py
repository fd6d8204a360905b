"""Nactation in GNU Backgammon: type `>import nactation_plugin` at its prompt."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gnubg_nactation.plugin import (
    annotate,
    best,
    decode,
    export_sgf,
    export_text,
    greet,
    nacbrac,
    name,
    show,
)

__all__ = [
    "annotate",
    "best",
    "decode",
    "export_sgf",
    "export_text",
    "nacbrac",
    "name",
    "show",
]

greet()
