"""Published analysed matches in several formats, which must agree.

They are in the folder `data` of the public repository kevung/gbf. NACTATION_XG_FILES names the
folder; the default is a clone next to this project (`git clone https://github.com/kevung/gbf
../gbf`). Without the folder these tests are skipped.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match, Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.decisions.severity import totals
from gnubg_nactation.exports.text import game_sequences
from gnubg_nactation.files.formats import read
from tests.cli.running import run

_FOLDER = Path(
    os.environ.get("NACTATION_XG_FILES") or Path(__file__).resolve().parents[3] / "gbf" / "data"
)
_FORMS = ("xg", "mat", "txt", "sgf")
_FILES = sorted(_FOLDER.rglob("*.xg"))
_MATCHES = [path for path in _FILES if sum(path.with_suffix(f".{f}").exists() for f in _FORMS) > 1]
_CLOSE = 0.0001

if not _FILES:
    reason = f"no .xg files in {_FOLDER}; NACTATION_XG_FILES names their folder"
    pytest.skip(reason, allow_module_level=True)


def _plays(match: Match) -> list[list[str]]:
    return [
        [format_play(turn.play) for turn in game.turns if turn.play]
        for game in annotate(match).games
    ]


def _results(match: Match) -> list[tuple[str, int]]:
    return [
        ("" if game.winner is None else match.players[game.winner], game.points)
        for game in match.games
    ]


@pytest.mark.parametrize("path", _MATCHES, ids=lambda path: path.stem)
def test_all_files_of_a_match_have_the_same_plays(path: Path) -> None:
    files = [file for form in _FORMS if (file := path.with_suffix(f".{form}")).exists()]
    first, *copies = [read(file)[0] for file in files]
    for copy, file in zip(copies, files[1:], strict=True):
        assert _plays(copy) == _plays(first), file.name
        assert game_sequences(annotate(copy)) == game_sequences(annotate(first)), file.name
        assert _results(copy) == _results(first), file.name


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_an_independent_reader_gives_the_same_equities(path: Path) -> None:
    """gammonview reads the same candidates for every roll."""
    xg: Any = pytest.importorskip("gvformat.xg", reason="gammonview is not installed")
    games = xg.convert_xg(path)["games"]
    (match,) = read(path)
    for game, facts in zip(match.games, games, strict=True):
        ours = [
            [choice.equity for choice in action.analysis.play.candidates]
            for action in game.actions
            if isinstance(action, Move) and action.analysis and action.analysis.play
        ]
        rated = [(ply.get("analysis") or {}).get("alternatives") or [] for ply in facts["plies"]]
        theirs = [
            [choice["equity"] for choice in alternatives]
            for alternatives in rated
            if any(choice["move"] for choice in alternatives)
        ]
        assert [len(values) for values in ours] == [len(values) for values in theirs]
        for our, their in zip(ours, theirs, strict=True):
            assert sorted(our) == pytest.approx(sorted(their), abs=_CLOSE)


def test_themes_explain_what_each_player_loses(tmp_path: Path) -> None:
    """At most 15 % of the points lost are in "structure"; the costliest decisions come first."""
    database = ("--db", tmp_path / "games.db")
    assert run("index", *database, *_FILES).status == 0
    players = {name for path in _FILES for match in read(path) for name in match.players}
    assert len(players) > 10
    for player in players:
        leaks = json.loads(run("leaks", *database, "--player", player, "--json").out)
        themes = {theme["name"]: theme["lost"] for theme in leaks["themes"]}
        assert leaks["shown_share"] >= 0.85, player
        assert themes.get("structure", 0) <= 0.15 * sum(themes.values()), player
        losses = [decision["lost"] for decision in leaks["costliest"]]
        assert losses == sorted(losses, reverse=True)
        assert losses[0] >= max(each["lost"] for t in leaks["themes"] for each in t["examples"])


def test_decisions_are_counted_as_in_xgs_statistics() -> None:
    """The figures are from the statistics window of XG: unforced plays, doubles, takes, PR."""
    path = _FOLDER / "charlot1-charlot2_7p_2025-11-08-2305.xg"
    if not path.exists():
        pytest.skip(f"no {path}")
    first, second = totals(annotate(read(path)[0]))
    assert (first.moves, first.near) == (85, 3 + 2)
    assert (second.moves, second.near) == (64, 13 + 2)
    ratings = [player.performance_rating for player in (first, second)]
    assert ratings == pytest.approx([0.39, 0.42], abs=0.005)
