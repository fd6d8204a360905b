"""gnubg's own analyses of the sample matches at 0 plies, made once for all workers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gnubg.ingame import ROOT, run_in_gnubg
from tests.sharing import shared_folder

NAMES = ("match-1pt", "match-3pt", "match-5pt", "match-7pt", "money", "nackgammon-5pt")


def analysed_samples(factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder with an SGF of each name, and gnubg's data of each."""

    def fill(folder: Path) -> None:
        pairs = [
            (str(ROOT / "sample_matches" / f"{name}.mat"), str(folder / f"{name}.sgf"))
            for name in NAMES
        ]
        run_in_gnubg("inside_analysis.py", pairs, folder)

    folder = shared_folder(factory, "analysed_samples", fill)
    answers = json.loads((folder / "answer.json").read_text("utf-8"))
    return folder, dict(zip(NAMES, answers, strict=True))
