"""The real GNU Backgammon imports the match text that is written here, whatever the names."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.files import mat
from gnubg_nactation.files.formats import read
from gnubg_nactation.files.pasted import as_matches, read_pasted
from gnubg_nactation.files.sheet import read_sheets
from gnubg_nactation.tasks.annotating import FORMS, LAYOUTS, Rendering
from tests.files.mat_texts import read_one
from tests.gnubg.ingame import ROOT, needs_gnubg
from tests.gnubg.test_sgf_in_gnubg import plays, through_gnubg
from tests.strategies import random_match

pytestmark = needs_gnubg

# Names that ended gnubg, or made it read others, or could not be read back.
ODD_NAMES = [
    *("", " ", "\t", "\x0b", "\x1b\x07", "\x00", "\u200b", "\u3000"),
    *(":", "a:1", "Ann : 3", "a: b", ";a", "#1 Dad", " ; ", "1) 31:"),
    *("x" * 2000, "x" + "é" * 2000, "Zoë", "Game 2", "7 point match", "Smith, John"),
]


def without_cube(match: Match) -> list[list[object]]:
    """The plays; match text has no words for a cube that is turned without a double."""
    return [
        [(*play[:2], play[-1]) if isinstance(play, tuple) else play for play in game]
        for game in plays(match)
    ]


def test_every_match_is_imported_with_the_same_plays(tmp_path: Path) -> None:
    samples = sorted((ROOT / "sample_matches").iterdir())
    matches = [match for path in samples for match in read(path)]
    matches += [random_match(seed, max_games=3) for seed in range(20)]
    names = [*((name, "Ben") for name in ODD_NAMES), *(("Ann", name) for name in ODD_NAMES)]
    matches += [replace(random_match(0, max_games=1), players=both) for both in names]
    texts = [mat.write(match) for match in matches]
    results = through_gnubg(tmp_path, [text.encode() for text in texts], "import mat")
    for match, text, (_, record) in zip(matches, texts, results, strict=True):
        again = read_one(text)
        assert without_cube(record.match) == without_cube(again) == without_cube(match)
        assert all(name.strip() for name in again.players)
        assert [name[:15] for name in record.match.players] == [name[:15] for name in again.players]


def test_score_sheets_are_imported_with_the_plays_of_their_matches(tmp_path: Path) -> None:
    samples = sorted(
        path for path in (ROOT / "sample_matches").iterdir() if "setup" not in path.name
    )
    matches = [match for path in samples for match in read(path)]
    layouts = islice(cycle(LAYOUTS), len(matches))
    sheets = []
    for match, layout in zip(matches, layouts, strict=True):
        options = Rendering(layout=layout, fans="^")
        ((sheet, faults, _),) = read_sheets(
            FORMS["text"].render([annotate(match)], [None], options).decode()
        )
        assert faults == ()
        sheets.append(sheet)
    matches.append(as_matches(read_pasted("31: 8/5 6/5  63: 24/15\ndoubles drops"))[0])
    sheets.append(matches[-1])
    texts = [format_mat(annotate(sheet)).encode() for sheet in sheets]
    results = through_gnubg(tmp_path, texts, "import mat")
    for match, (_, record) in zip(matches, results, strict=True):
        assert without_cube(record.match) == without_cube(match)
        assert all(name.strip() for name in record.match.players)
