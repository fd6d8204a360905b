"""The author's choice between several right characters: his captions and his rollout table."""

import runpy
from pathlib import Path
from typing import Any

_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "agreement.py"

# Captions that break his habits, and the names by the rules: a deliberate numeral (#41), areal
# letters for hits (#58, #93), Z instead of S (#57, #89), and three captions whose letters do not
# name the plays he means (58, 73 and 84 of test_sequences.py).
_BROKEN_HABITS = {
    "654": "$",
    "42B": "H",
    "43Z": "X",
    "61Z": "S",
    "31Z": "S",
    "43W": "C{3}",
    "51D": "S",
    "62O": "o",
}


def compared(source: str) -> list[Any]:
    return list(runpy.run_path(str(_SCRIPT))[source]())


def test_the_captions_agree_but_for_eight_plays() -> None:
    choices = compared("captions")
    assert len(choices) == 416
    assert {
        choice.token: str(choice.name) for choice in choices if not choice.agrees
    } == _BROKEN_HABITS


def test_the_rollout_table_agrees_in_lists_more_than_play_by_play() -> None:
    choices = compared("entries")
    assert len(choices) == 279
    assert sum(alone.agrees for alone, _ in choices) == 248
    assert sum(together.agrees for _, together in choices) == 260


def test_no_digit_reads_otherwise_by_the_fixed_reading() -> None:
    """Section 9, by the ruling of 2014."""
    script = runpy.run_path(str(_SCRIPT))
    samples = sorted((_SCRIPT.parents[1] / "sample_matches").glob("*.mat"))
    for source in (script["played"](samples), script["generated"](12)):
        plays, digits, different = script["digits"](source)
        assert plays > 400
        assert digits > 0
        assert different == 0
