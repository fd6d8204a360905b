"""The library of the playground: matches come in, are analysed, studied, and never lost."""

from __future__ import annotations

import base64
import html
import json
import os
import random
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gnubg_nactation.exports.views import look_view
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.nactation import Nactation
from tests.cli.running import MATCH, SAMPLES, run
from tests.files import mat_dialects, sgf_dialects

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from tests.browser.stations import (
    DESKTOP,
    DROPPED,
    PHONE,
    Size,
    check_layout,
    copied,
    enter,
    saved,
    uses,
)
from tests.browser.visitor import Manner, Served, Visitor, by_keys, by_mouse

FILES = sorted(SAMPLES.iterdir())
SMALL = [SAMPLES / "match-1pt.mat", SAMPLES / "match-3pt.mat", SAMPLES / "match-3pt-analysed.sgf"]
IDLE = "document.documentElement.dataset.shelf === 'open'"
MATCHES = "document.querySelectorAll('#kept-matches li').length"


def choose(visitor: Visitor, files: list[Path]) -> None:
    """Choose files in the dialog of the browser."""
    visitor.until("document.documentElement.dataset.shelf === 'open'")
    visitor.find("#file").send_keys("\n".join(map(str, files)))


def be(visitor: Visitor, name: str) -> None:
    """Say who you are, where nobody asks."""
    for text in ("Who are you?", name, "Done"):
        visitor.use(by_mouse, "#whose button", text)
    visitor.shows("#whose", f"You are {name}.")


def enter_as(visitor: Visitor, playground: Served, name: str) -> None:
    """Open a library of two matches, and say who you are."""
    enter(visitor, f"{playground.address}#library")
    choose(visitor, SMALL[1:])
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    be(visitor, name)


def stored(visitor: Visitor, path: Path) -> Path:
    """The database of the page, as a file."""
    data = visitor.browser.execute_async_script(
        "import(`${arguments[0]}/library-shelf.js`).then(({ databaseBytes }) => databaseBytes())"
        ".then((bytes) => arguments[1](btoa([...new Uint8Array(bytes)]"
        ".map((one) => String.fromCharCode(one)).join(''))))",
        visitor.scripts,
    )
    path.write_bytes(base64.b64decode(data))
    return path


def contents(path: Path) -> dict[str, Any]:
    """The rows of a database by the names of its files: their numbers follow the order of work."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            name: connection.execute(
                "SELECT m.place, m.counted, m.analysed, m.date, g.number, g.sequence, g.winner,"
                " (SELECT group_concat(turn || nactation || coalesce(error, '')) FROM"
                " (SELECT * FROM turns WHERE game = g.id ORDER BY turn))"
                " FROM files AS f LEFT JOIN matches AS m ON m.file = f.id"
                " LEFT JOIN games AS g ON g.match = m.id WHERE f.id = ? ORDER BY m.place, g.number",
                (number,),
            ).fetchall()
            for number, name in (
                (number, Path(path).name)
                for number, path in connection.execute("SELECT id, path FROM files")
            )
        }


def indexed(folder: Path, files: list[Path], *options: str) -> Path:
    path = folder / "indexed.db"
    assert run("index", "--db", path, *options, *files).status in {0, 1}
    return path


@uses(keys=PHONE)
def test_an_evening(
    visitor: Visitor, axe: str, playground: Served, manner: Manner, size: Size, tmp_path: Path
) -> None:
    """Matches come in, names are chosen, the worst decision is opened, mistakes are asked again."""
    enter(visitor, f"{playground.address}#library", size)
    wrong = tmp_path / "notes.txt"
    wrong.write_text("buy milk", encoding="utf-8")
    choose(visitor, [*FILES, wrong])
    visitor.shows("#shelf-state", "1 file could not be read")
    visitor.until(f"{MATCHES} === 10 && {IDLE}")
    assert contents(stored(visitor, tmp_path / "page.db")) == contents(
        indexed(tmp_path, [*FILES, wrong])
    )
    check_layout(visitor, axe, "library")
    visitor.use(manner, "#whose button", "Alice")
    visitor.use(manner, "#whose button", "Done")
    visitor.shows("#whose", "You are Alice.")
    printed = json.loads(
        run(
            *("leaks", "--db", tmp_path / "indexed.db", "--json", "--player", "Alice"),
            *("--top", "999"),
        ).out
    )
    mistakes = sum(wrong["lost"] >= 0.02 for wrong in printed["costliest"])
    visitor.shows("#kept-matches", "\u2212.206")  # hers; Bob's is .207
    if size == PHONE:  # matches are in sight, above the places
        row, places = visitor.find("#kept-matches li:nth-child(2)"), visitor.find("#places")
        assert visitor.run("scrollTo(0, 0)") is None
        assert sum(visitor.box(row)[1::2]) < visitor.box(places)[1]
        with visitor.letters(32):
            check_layout(visitor, axe, "large letters")
    visitor.shows("#overview", f"{mistakes} mistakes to try again")
    assert printed["themes"][0]["name"] in visitor.text("#overview .leaks li")
    check_layout(visitor, axe, "overview")
    manner(visitor, visitor.find("#within [href='#leaks']"))
    worst = printed["costliest"][0]
    visitor.shows("#leaks .boards li", f"\u2212{worst['lost']:.3f}".replace("0.", "."))
    assert visitor.text("#leaks .boards li small") == place_words(worst)
    assert visitor.run(BARS) == 1
    check_layout(visitor, axe, "leaks")
    visitor.go("find=31P")
    visitor.shows("#finds", "turns")
    check_layout(visitor, axe, "find")
    visitor.go("leaks=since=2020-05-01")
    visitor.write(manner, "#leaks-opponent", "Bob\n")
    visitor.shows("#leaks", "before 1 May 2020.")
    assert visitor.anchor == "#leaks=opponent=Bob&since=2020-05-01"
    visitor.go("leaks=opponent=Nobody%2526Co")
    visitor.shows("#leaks", "Nobody&Co")
    visitor.go("leaks")
    visitor.shows("#leaks .boards li", "\u2212")
    visitor.use(manner, "#leaks .boards a")
    visitor.shows("#doing", f"Alice {worst['roll']}")
    asked_again(visitor, axe, manner, mistakes)


# At how many places the bars of a list begin, also if a loss is 10 points or more.
BARS = """
document.querySelector('#leaks .leak .trouble').textContent = '\u221212.345';
return new Set([...document.querySelectorAll('#leaks .bar')]
  .map((bar) => bar.getBoundingClientRect().left)).size;
"""


def place_words(decision: dict[str, Any]) -> str:
    """Where a decision was, as a player names it."""
    place = re.search(r"#(\d+)\.(\d+)([ab])$", decision["place"])
    assert place
    opponent = decision["players"][place[3] == "a"]
    day = date.fromisoformat(decision["date"])
    return f"against {opponent}, {day:%-d %b %Y}, game {place[1]}, move {place[2]}"


def asked_again(visitor: Visitor, axe: str, manner: Manner, least: int) -> None:
    """A mistake is asked; a right answer counts, and it comes again later."""
    manner(visitor, visitor.find("#places [data-place=learn]"))
    visitor.use(manner, "#lessons a", "\u00d7")
    visitor.until("document.querySelectorAll('#study-guesses button').length > 1")
    assert int(visitor.text("#deck option").split("(")[1].rstrip(")")) >= least
    check_layout(visitor, axe, "study")
    visitor.use(manner, "#study-guesses button")
    visitor.until("!document.querySelector('#study-outcome').hidden")
    visitor.until("/Right|Wrong/.test(document.querySelector('#study-verdict').textContent)")
    assert "In the match:" in visitor.text("#study-verdict")
    visitor.use(manner, "#study-notes button", "Star")
    visitor.shows("#deck", "starred (1)")
    check_layout(visitor, axe, "notes")
    manner(visitor, visitor.find("#study-next"))
    visitor.until("document.querySelector('#study-outcome').hidden")


# Whether a luck of -21.6 fits into its column, on one line.
_LONG_LUCK = """
const luck = document.querySelector('#kept-matches .luck');
const height = luck.offsetHeight;
luck.textContent = '\u221221.6';
return [luck.offsetHeight === height, luck.scrollWidth <= luck.clientWidth];
"""


def test_the_list_is_searched_sorted_and_kept_in_the_address(
    visitor: Visitor, playground: Served
) -> None:
    enter(visitor, f"{playground.address}#library")
    choose(visitor, FILES)
    visitor.until(f"{MATCHES} === 10 && {IDLE}")
    assert len(visitor.all("#kept-matches bdi")) == 20  # no name turns the other one round
    visitor.run("arguments[0].focus()", visitor.find("#kept-q"))
    visitor.press(*"chloe")
    visitor.until(f"{MATCHES} === 1")
    assert visitor.anchor == "#library=q=chloe"
    visitor.use(by_mouse, "#chips button", "All 10")
    visitor.until(f"{MATCHES} === 10")
    bobs = sum("Bob" in row.text for row in visitor.all("#kept-matches li"))
    for chip, address, count in [
        ("Not analysed 9", "=analysed=no", 9),
        ("Bob", "=q=Bob&analysed=no", bobs - 1),
        ("Not analysed 9", "=q=Bob", bobs),
        ("Bob", "", 10),  # it is set, and cleared
    ]:
        visitor.use(by_mouse, "#chips button", chip)
        visitor.until(f"{MATCHES} === {count}")
        assert visitor.anchor == f"#library{address}"
    visitor.begin(f"{playground.address}#library=by=constructor")  # no order has this name
    visitor.until(f"{MATCHES} === 10")
    visitor.begin(f"{playground.address}#library=length=3&by=worst")
    visitor.until(f"{MATCHES} === 2")
    assert "\u2212.206" in visitor.text("#kept-matches li").replace("\u2212.207", "\u2212.206")
    assert not visitor.find("#samples").is_displayed()  # below matches of one's own
    visitor.size(1280, 300)
    assert visitor.run(_LONG_LUCK) == [True, True]
    visitor.run("scrollTo(0, 250)")
    visitor.run("document.querySelector('#kept-matches a').click()")
    visitor.shows("#summary", "PR of Alice")
    assert visitor.run("return scrollY") == 0
    visitor.browser.back()
    visitor.until("document.querySelector('#kept-matches').checkVisibility()")
    assert visitor.run("return scrollY") == 250  # where the list was
    visitor.go("find=4HPwATDgc/ABMA")  # the first turns of all games
    visitor.until("document.querySelectorAll('#finds li').length > 9")
    visitor.run("scrollTo(0, 250)")
    visitor.run("document.querySelector('#finds a').click()")
    visitor.shows("#match-bar", "point match")
    visitor.browser.back()
    visitor.until("document.querySelector('#finds').checkVisibility()")
    assert visitor.run("return scrollY") == 250


def test_a_removed_match_comes_back(visitor: Visitor, playground: Served, tmp_path: Path) -> None:
    """Its copy does not take its place, and Undo brings all back."""
    enter(visitor, f"{playground.address}#library")
    choose(visitor, FILES)
    visitor.until(f"{MATCHES} === 10 && {IDLE}")
    before = contents(stored(visitor, tmp_path / "before.db"))
    visitor.use(by_mouse, "#kept-matches li:has([href*='match-3pt-analysed']) button")
    visitor.until(f"{MATCHES} === 9 && {IDLE}")
    enter(visitor, f"{playground.address}#library")
    visitor.until(f"{MATCHES} === 9 && {IDLE}")
    visitor.use(by_mouse, "#kept-matches li:has([href*='match-7pt']) button")
    visitor.until(f"{MATCHES} === 8 && {IDLE}")
    visitor.use(by_mouse, "#removed button", "Undo")
    visitor.until(f"{MATCHES} === 9 && {IDLE}")
    after = contents(stored(visitor, tmp_path / "after.db"))
    gone = {"match-3pt-analysed.sgf", "match-3pt.xg"}
    assert after == {name: rows for name, rows in before.items() if name not in gone}


MAT_DIALECTS = "gnubg", "DailyGammon", "Galaxy", "XG", "OpenGammon", "PlayOK"
SGF_DIALECTS = "gnubg", "BackgammonMobile"
UNREADABLE = {
    "notes.txt": b"buy milk",
    "empty game.mat": b" 7 point match\n\n Game 1\n",
    "cut.sgf": b"(;FF[4]GM[6",
    "picture.xg": b"\x89PNG\r\n\x1a\n" + bytes(64),
    "other game.sgf": b"(;FF[4]GM[1]SZ[19];B[pd])",
}


def evening(folder: Path) -> list[Path]:
    """The first turns of 55 matches by Ann in eight dialects, and five unreadable files."""
    (whole,) = read((SAMPLES / "match-1pt.mat").read_bytes())
    (game,) = whole.games
    files = {}
    for number in range(55):
        begun = replace(game, actions=game.actions[: 4 + number % 5], winner=None, points=0)
        match = replace(whole, players=("Ann", f"Ben {number}"), games=(begun,))
        name = (*MAT_DIALECTS, *SGF_DIALECTS)[number % 8]
        if number % 8 < len(MAT_DIALECTS):
            dialect = mat_dialects.DIALECTS[name]._replace(players=match.players)
            data = mat_dialects.write(mat_dialects.recorded(match, dialect), dialect)
        else:
            data = sgf_dialects.write(match, sgf_dialects.DIALECTS[name])
        files[f"{number} {name}.{'mat' if number % 8 < len(MAT_DIALECTS) else 'sgf'}"] = data
    for name, data in (files | UNREADABLE).items():
        (folder / name).write_bytes(data)
    return [folder / name for name in (*files, *UNREADABLE)]


# The latest copy of the database that is kept, and the depths of the analyses.
KEPT = """
const [done] = arguments;
indexedDB.databases().then(([{ name }]) => {
  indexedDB.open(name).onsuccess = ({ target: { result } }) => {
    const read = result.transaction(['copies', 'depths']);
    const [copies, names, depths] = [read.objectStore('copies').getAll(),
      read.objectStore('depths').getAllKeys(), read.objectStore('depths').getAll()];
    read.oncomplete = () => {
      result.close();
      const last = copies.result.sort((one, other) => other.number - one.number)[0];
      const text = [...new Uint8Array(last?.bytes)].map((one) => String.fromCharCode(one));
      done([btoa(text.join('')), names.result.map((one, at) => [one, depths.result[at]])]);
    };
  };
});
"""
# Notice when a transaction that saves the database begins.
NOTICES_SAVING = """
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (...given) {
  window.saving ||= this.name === 'copies';
  return put.apply(this, given);
};
"""


@pytest.mark.timeout(0)  # each wait in it ends by itself
def test_a_whole_evening_of_killed_tabs_loses_nothing(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """A tab ends in the middle of reading, saving and analysing, and goes on; 20 times.

    After each the database that is kept is whole: its rows are those of `nactate index`.
    """
    rng = random.Random(45)
    folder = tmp_path / "matches"
    folder.mkdir()
    files = evening(folder)
    read_only = contents(indexed(tmp_path, files))
    options = "--analyse", "--turns", "1000", "--engine", "builtin", "--plies", "0"
    (tmp_path / "indexed.db").unlink()
    analysed = contents(indexed(tmp_path, files, *options))
    address = f"{playground.address}#library"

    def check() -> tuple[dict[str, Any], dict[str, int]]:
        data, depths = visitor.browser.execute_async_script(KEPT)
        copy = tmp_path / "copy.db"
        copy.write_bytes(base64.b64decode(data))
        kept = contents(copy) if data else {}
        for name, rows in kept.items():
            known = [read_only[name], analysed[name]]
            assert rows in known or dict(depths).get(name, 0) > 0, name
        return kept, dict(depths)

    enter(visitor, address)
    choose(visitor, files)
    visitor.shows("#shelf-state", "Reading")  # so all are kept
    with visitor.before_each_page(NOTICES_SAVING):
        for at in range(8):
            kill(visitor, rng, address, saving=at % 4 == 3)
            check()
            visitor.until("['open', 'busy'].includes(document.documentElement.dataset.shelf)")
            assert "damaged" not in visitor.text("#shelf-state")
    visitor.until(f"{IDLE} && {MATCHES} === 55")
    visitor.shows("#shelf-state", "5 files could not be read")
    assert check()[0] == read_only
    visitor.use(by_mouse, "#whose button", "Ann")
    visitor.use(by_mouse, "#whose button", "Done")
    visitor.shows("#whose", "You are Ann.")
    visitor.use(by_mouse, "#analysing button", "Analyse")
    with visitor.before_each_page(NOTICES_SAVING):
        for at in range(12):
            visitor.until("document.querySelector('#analysing progress')")
            kill(visitor, rng, address, saving=at % 4 == 3)
            check()
            visitor.until("['open', 'busy'].includes(document.documentElement.dataset.shelf)")
            assert "damaged" not in visitor.text("#shelf-state")
    visitor.until(f"{MATCHES} === 55 && !document.querySelector('#kept-matches .match > small')")
    visitor.use(by_mouse, "#analysing button", "Pause")
    visitor.until(IDLE)
    kept, depths = check()
    shallow = {name for name in analysed if depths.get(name, 0) < 1}
    assert len(shallow) > len(UNREADABLE)
    assert {name: kept[name] for name in shallow} == {name: analysed[name] for name in shallow}
    assert kept.keys() == analysed.keys()


def kill(visitor: Visitor, rng: random.Random, address: str, *, saving: bool) -> None:
    """End the tab at a random moment, or in the middle of the next saving, and open it again.

    Once, in many runs, the board came instead of the library; then the page is opened again.
    """
    if saving:  # unless a quick machine has read all by now
        visitor.until(f"window.saving || ({IDLE} && {MATCHES} === 55)")
    visitor.wait(rng.randrange(10 if saving else 1500))
    visitor.begin(address, "document.documentElement.dataset.view === 'library'")


def test_an_analysis_goes_on_after_a_killed_tab(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """It is stored as `nactate index --analyse` stores it, and shown on the board."""
    enter(visitor, f"{playground.address}#library")
    choose(visitor, SMALL[:2])
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.use(by_mouse, "#analysing button", "Analyse")
    for _ in range(2):
        visitor.until("document.querySelector('#analysing progress')")
        visitor.begin(f"{playground.address}#library")
    visitor.until("document.querySelector('#analysing')?.textContent.includes('2-ply')")
    visitor.use(by_mouse, "#analysing button", "Pause")
    visitor.until(f"!document.querySelector('#kept-matches .match > small') && {IDLE}")
    options = "--analyse", "--turns", "1000", "--engine", "builtin", "--plies", "0"
    kept = contents(stored(visitor, tmp_path / "page.db"))
    assert kept == contents(indexed(tmp_path, SMALL[:2], *options))
    visitor.use(by_mouse, "#kept-matches li:has([href*='match-1pt']) button")
    visitor.until(f"{MATCHES} === 1 && {IDLE}")
    visitor.use(by_mouse, "#removed button", "Undo")  # it brings the analysis back, too
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    assert contents(stored(visitor, tmp_path / "page.db")) == kept
    visitor.use(by_mouse, "#kept-matches a[href*='match-1pt']")
    visitor.shows("#analysis", "Analysed at 0-ply")
    visitor.shows("#summary", "PR of Alice")


def test_a_copy_is_what_the_command_line_uses(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """Save a copy, and open one that `nactate index` made; the files here join it."""
    enter(visitor, f"{playground.address}#library")
    choose(visitor, SMALL[1:])
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.use(by_mouse, "#save-copy")
    copy = tmp_path / "copy.db"
    copy.write_bytes(saved(visitor, "games.db"))
    assert run("explore", "--db", copy, "--json").out.count("\n") == 1
    other = indexed(tmp_path, [SAMPLES / "money.mat"])
    visitor.find("#file").send_keys(str(other))
    visitor.until(f"{MATCHES} === 3 && {IDLE}")
    enter(visitor, f"{playground.address}#library")
    visitor.until(f"{MATCHES} === 3 && {IDLE}")


def test_a_copy_without_its_files_can_be_added_to(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """Its matches are lost neither to Undo nor to files of the same name, empty or not."""
    enter(visitor, f"{playground.address}#library")
    visitor.until(IDLE)
    files = [tmp_path / f"my {path.name}" for path in SMALL]  # no samples have these names
    for path, sample in zip(files, SMALL, strict=True):
        path.write_bytes(sample.read_bytes())
    with closing(sqlite3.connect(indexed(tmp_path, files))) as connection:
        connection.execute("UPDATE files SET path = replace(path, ?, '')", (f"{tmp_path}/",))
        connection.commit()
    copy = (tmp_path / "indexed.db").read_bytes()
    visitor.run(DROPPED, "games.db", base64.b64encode(copy).decode())
    visitor.shows("#said", "games.db added")
    visitor.until(f"{MATCHES} === 3 && {IDLE}")
    before = contents(stored(visitor, tmp_path / "page.db"))
    visitor.use(by_mouse, "#kept-matches li:has([href*='match-1pt']) button")
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.use(by_mouse, "#removed button", "Undo")
    visitor.until(f"{MATCHES} === 3 && {IDLE}")
    assert contents(stored(visitor, tmp_path / "page.db")) == before
    visitor.use(by_mouse, "#kept-matches a[href*='match-1pt']")
    visitor.shows("#outcome", "The file my match-1pt.mat is not on this device.")
    last = tmp_path / "three plays.mat"
    last.write_bytes(MATCH)
    choose(visitor, [*files[:2], last])
    visitor.until(f"{MATCHES} === 4 && {IDLE}")
    visitor.use(by_mouse, "#kept-matches a[href*='match-1pt']")
    visitor.shows("#outcome", "Alice - Bob")
    visitor.go("library")
    files[0].write_bytes(b"")
    files[2].write_bytes((SAMPLES / "money.mat").read_bytes())
    choose(visitor, [files[0], files[2], tmp_path / "indexed.db"])
    visitor.until(f"{MATCHES} === 5 && {IDLE}")
    assert len(visitor.all("#kept-matches a[href*='match-3pt-analysed%20(2).sgf']")) == 1
    visitor.shows("#shelf-state", "it is a database; add it alone")
    visitor.find("#shelf-state details").click()
    visitor.use(by_mouse, "#shelf-state button", "Forget these files")
    visitor.until("!document.querySelector('#shelf-state details')")
    enter(visitor, f"{playground.address}#library")
    visitor.until(f"{MATCHES} === 5 && {IDLE}")


def test_undo_brings_back_the_analysis_of_a_copy(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """Though another file has come with the name; and no engine here replaces that analysis."""
    (tmp_path / "new").mkdir()
    name = f"my {SMALL[0].name}"
    analysed, other = tmp_path / name, tmp_path / "new" / name
    analysed.write_bytes(SMALL[0].read_bytes())
    other.write_bytes(MATCH)
    options = "--analyse", "--turns", "1000", "--engine", "builtin", "--plies", "0"
    copy = indexed(tmp_path, [analysed], *options).read_bytes()
    enter(visitor, f"{playground.address}#library")
    choose(visitor, [analysed])
    visitor.until(f"{MATCHES} === 1 && {IDLE}")
    visitor.run(DROPPED, "games.db", base64.b64encode(copy).decode())
    visitor.until(f"!document.querySelector('#kept-matches .match > small') && {IDLE}")
    visitor.browser.execute_async_script(
        "const [folder, name, done] = arguments; import(`${folder}/library-keeping.js`)"
        ".then(({ keepAnalysis, keptFile }) => keptFile(name).then((bytes) => keepAnalysis(name,"
        " { version: '', done: -1, kept: [], begun: [] }, bytes))).then(done)",
        visitor.scripts,
        name,
    )
    before = contents(stored(visitor, tmp_path / "page.db"))
    visitor.use(by_mouse, "#kept-matches li:has([href*='match-1pt']) a")
    visitor.shows("#outcome", "Alice - Bob")  # though the copy knows its file by a folder, too
    visitor.go("library")
    visitor.use(by_mouse, "#kept-matches li:has([href*='match-1pt']) button")
    visitor.until(f"{MATCHES} === 0 && {IDLE}")
    choose(visitor, [other])
    visitor.until("document.documentElement.dataset.view === 'match'")
    visitor.shows("#outcome", "Ann - Ben")
    visitor.go("library")
    visitor.until(f"{MATCHES} === 1 && {IDLE}")
    visitor.use(by_mouse, "#removed button", "Undo")
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.use(by_mouse, "#analysing button", "Analyse")
    visitor.until("!document.querySelector('#analysing')?.textContent")
    after = contents(stored(visitor, tmp_path / "page.db"))
    assert after["my match-1pt (2).mat"] == before[name]


# Somebody leaves for the list when a file is kept, before the page hears of the new address.
LEAVES = """
const { add } = IDBObjectStore.prototype;
IDBObjectStore.prototype.add = function (...given) {
  const { oncomplete } = this.transaction;
  if (this.name === 'files') {
    this.transaction.oncomplete = (event) => {
      location.hash = 'library';
      oncomplete(event);
    };
  }
  return add.apply(this, given);
};
"""


def test_a_match_that_was_left_stays_left(visitor: Visitor, playground: Served) -> None:
    with visitor.before_each_page(LEAVES):
        enter(visitor, f"{playground.address}#library")
        choose(visitor, SMALL[:1])
        visitor.until(f"{MATCHES} === 1 && {IDLE}")
        assert visitor.anchor == "#library"
        visitor.until("document.documentElement.dataset.view === 'library'")


# Two boxes for notes on a decision, as in two tabs: one writes, then the other gets a star. Then
# tags for a decision of another match with the same name. And analyses of files that were
# removed in the meantime; another one has come in the place of the second.
AT_ONCE = """
const [folder, decision, other, done] = arguments;
Promise.all(['notes', 'keeping'].map((name) => import(`${folder}/library-${name}.js`)))
  .then(async ([{ noteBox }, { keepAnalysis, keepFile, keptDepths, keptNotes }]) => {
    const boxes = await Promise.all([0, 1].map(() => new Promise((go) => {
      const box = noteBox(decision, () => go(box));
      box.querySelector('input').value = 'blots';
      box.querySelector('input').dispatchEvent(new Event('change'));
    })));
    const text = boxes[0].querySelector('textarea');
    text.value = 'count first';
    text.dispatchEvent(new Event('change'));
    boxes[1].querySelector('button').click();
    const first = [...await keptNotes()];
    await new Promise((go) => {
      const box = noteBox(other, go);
      box.querySelector('input').value = 'race';
      box.querySelector('input').dispatchEvent(new Event('change'));
    });
    const none = { version: '', done: 0, kept: [], begun: [] };
    await keepAnalysis('gone.mat', none, new ArrayBuffer(1));
    await keepFile('other.mat', new ArrayBuffer(2));
    await keepAnalysis('other.mat', none, new ArrayBuffer(1));
    done([first, [...await keptNotes()], [...await keptDepths()]]);
  });
"""


def test_two_tabs_may_write_about_a_decision(visitor: Visitor, playground: Served) -> None:
    """Neither loses what the other has written, nor is it about another position."""
    enter(visitor, f"{playground.address}#library")
    visitor.until(IDLE)
    rest = ":0:0:1:31:0:0:0:0:10"
    decision, other = (
        {"place": "a.mat#1.1a", "roll": "31", "xgid": f"XGID={position}{rest}"}
        for position in ("-b----E-C---eE---c-e----B-", "-a----E-D-a-eD---c-eA---A-")
    )
    first, then, depths = visitor.browser.execute_async_script(
        AT_ONCE, visitor.scripts, decision, other
    )
    note = {"isStarred": True, "tags": ["blots"], "text": "count first", "decision": decision}
    assert first == [["a.mat#1.1a", note]]
    note = {"isStarred": False, "tags": ["race"], "text": "", "decision": other}
    assert then == [["a.mat#1.1a", note]]
    assert depths == []


def test_another_tab_follows(visitor: Visitor, playground: Served) -> None:
    """The first tab reads the files of both; the other follows, and reads once it is alone."""
    enter(visitor, f"{playground.address}#library")
    visitor.until(IDLE)
    first = visitor.browser.current_window_handle
    visitor.browser.switch_to.new_window("tab")
    second = visitor.browser.current_window_handle
    visitor.browser.get(f"{playground.address}#library")
    visitor.shows("#shelf-state", "Another tab of this page changes the library")
    visitor.browser.switch_to.window(first)
    choose(visitor, SMALL[:1])
    visitor.until(f"{MATCHES} === 1 && {IDLE}")
    visitor.browser.switch_to.window(second)
    visitor.until(f"{MATCHES} === 1")
    choose(visitor, SMALL[1:2])
    visitor.shows("#outcome h2", "Alice")
    visitor.until("location.hash.includes('=')")  # it has the name of the kept file
    visitor.go("library")
    visitor.until(f"{MATCHES} === 2")
    visitor.browser.switch_to.window(first)
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.browser.get("about:blank")
    visitor.browser.switch_to.window(second)
    visitor.until("!document.querySelector('#shelf-state').textContent.includes('Another tab')")
    choose(visitor, SMALL[1:])
    visitor.until(f"{MATCHES} === 3 && {IDLE}")
    visitor.browser.close()
    visitor.browser.switch_to.window(first)
    visitor.browser.get(playground.address)


def test_shared_files_come_in(visitor: Visitor, playground: Served) -> None:
    """Another app sends files as the manifest says, and the library takes them once."""
    enter(visitor, f"{playground.address}#library")
    visitor.until("navigator.serviceWorker.controller")
    visitor.browser.execute_async_script(
        "const [texts, done] = arguments; const body = new FormData();"
        "for (const [name, text] of texts) body.append('files', new File([text], name));"
        "fetch('share', { method: 'POST', body }).then(done)",
        [(path.name, path.read_text(encoding="utf-8")) for path in SMALL[:2]],
    )
    with visitor.before_each_page("IDBFactory.prototype.open = () => ({});"):
        visitor.begin(f"{playground.address}#learn")
        visitor.until("location.hash === '#library'")  # and it is left before they are kept
    elsewhere = "navigator.locks.request = async (name, options, does) => does?.(null);"
    with visitor.before_each_page(elsewhere):
        visitor.begin(f"{playground.address}#learn")
        visitor.shows("#shelf-state", "Another tab of this page changes the library")
        wait_until_taken(visitor)
    enter(visitor, f"{playground.address}#library")
    visitor.until(f"{MATCHES} === 2 && {IDLE}")


def wait_until_taken(visitor: Visitor) -> None:
    """Until the library has taken all shared files."""
    while visitor.browser.execute_async_script(
        "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name)"
        ".then((cache) => cache.keys())))).then((all) => arguments[0](all.flat()"
        ".filter(({ url }) => url.includes('/shared/')).length))"
    ):
        visitor.wait(20)


def test_a_full_disk_leaves_the_library_whole(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """What was kept stays; the rest can be added again."""
    enter(visitor, f"{playground.address}#library")
    choose(visitor, SMALL[:2])
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.run(
        "IDBObjectStore.prototype.add = () => {"
        " throw new DOMException('no room', 'QuotaExceededError'); }"
    )
    choose(visitor, [SAMPLES / "money.mat", SAMPLES / "match-5pt.mat"])
    visitor.shows("#shelf-state", "The disk is full")
    enter(visitor, f"{playground.address}#library")
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    kept = contents(stored(visitor, tmp_path / "page.db"))
    assert kept == contents(indexed(tmp_path, SMALL[:2]))


# Change the bytes of the copies of the database that are kept, the latest first.
CHANGED = """
const [count, start, end, byte, done] = arguments;
indexedDB.databases().then(([{ name }]) => {
  indexedDB.open(name).onsuccess = ({ target: { result } }) => {
    const change = result.transaction('copies', 'readwrite');
    const store = change.objectStore('copies');
    store.getAll().onsuccess = ({ target: { result: copies } }) => {
      copies.sort((one, other) => other.number - one.number);
      for (const copy of copies.slice(0, count)) {
        new Uint8Array(copy.bytes).fill(byte, start, end);
        store.put(copy, copy.number % 2);
      }
    };
    change.oncomplete = () => { result.close(); done(); };
  };
});
"""


@pytest.mark.parametrize(
    ("spoilt", "place", "says"),
    [
        (1, (4096, 12000), "The copy before the last change"),
        (2, (4096, 12000), "made again from the match"),
        (1, (-4096, -1), "The copy before the last change"),  # which only the check sees
        (2, (-4096, -1), "made again from the match"),
    ],
)
def test_a_damaged_database_is_made_whole(
    spoilt: int, place: tuple[int, int], says: str, visitor: Visitor, playground: Served
) -> None:
    enter(visitor, f"{playground.address}#library")
    choose(visitor, SMALL[:1])
    visitor.until(f"location.hash === '#match=match-1pt.mat' && {IDLE}")
    choose(visitor, SMALL[1:])
    visitor.until(f"{MATCHES} === 3 && {IDLE}")
    visitor.browser.execute_async_script(CHANGED, spoilt, *place, 7)
    enter(visitor, f"{playground.address}#library")
    visitor.shows("#shelf-state", says)
    visitor.until(f"{MATCHES} === 3 && {IDLE}")


KEEP = """
const [folder, text, done] = arguments;
import(`${folder}/library-keeping.js`).then(({ keepDatabase }) =>
  keepDatabase(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)).buffer)).then(done);
"""
READ = """
const [folder, done] = arguments;
import(`${folder}/library-shelf.js`).then(({ readWaiting }) => readWaiting()).then(done);
"""


def test_files_that_an_older_version_has_read_are_read_once_more(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """The names of plays may be better now. A match of a copy has no file to read."""
    enter_as(visitor, playground, "Alice")
    before = contents(path := stored(visitor, tmp_path / "library.db"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE files SET made = '1'")
        connection.execute("UPDATE turns SET nactation = 'X' WHERE roll = 31")
        connection.execute("UPDATE games SET sequence = '31X'")
        connection.execute("INSERT INTO files VALUES (99, 'elsewhere.mat', 1, 0, x'', '1', '')")
        connection.commit()
    assert contents(path) != before
    visitor.browser.execute_async_script(
        KEEP, visitor.scripts, base64.b64encode(path.read_bytes()).decode()
    )
    enter(visitor, f"{playground.address}#library")
    visitor.until(f"{MATCHES} === 2")
    visitor.browser.execute_async_script(READ, visitor.scripts)
    after = contents(stored(visitor, tmp_path / "after.db"))
    assert after.pop("elsewhere.mat") == [(None,) * 8]
    assert after == before


def test_a_newer_library_is_read_and_not_changed(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """Its matches are listed, and a copy can be saved; nothing is added."""
    enter_as(visitor, playground, "Alice")
    visitor.browser.execute_async_script(CHANGED, 2, 63, 64, 9)  # the version, in four bytes
    before = stored(visitor, tmp_path / "before.db")
    enter(visitor, f"{playground.address}#library")
    visitor.shows("#shelf-state", "a newer version of this page")
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    choose(visitor, FILES[:2])
    visitor.shows("#said", "a newer version of this page")
    visitor.use(by_mouse, "#save-copy")
    copy = saved(visitor, "games.db")
    assert copy[63] == 9
    after = stored(visitor, tmp_path / "after.db")
    assert contents(after) == contents(before)
    visitor.go("leaks")
    visitor.until("document.querySelectorAll('#leaks .boards li').length")


# The checkers and arrows of small boards, once there are some.
DRAWN = """[[...document.querySelectorAll(`${arguments[0]} .boards svg`)].map((svg) =>
  [...svg.querySelectorAll('circle, path')].map((part) =>
    ['cx', 'cy', 'd'].map((name) => part.getAttribute(name))).join(' '))]
  .find(({ length }) => length)
"""


TILES = """
const [folder, names, done] = arguments;
import(`${folder}/library-leaks.js`)
  .then(({ tileOf }) => done(names.map((name) => tileOf(name).outerHTML)));
"""


def tile(name: Nactation) -> str:
    look = look_view(name)
    shown = html.escape(look["text"])
    for tag in look.get("tags", ""):
        shown = f"<{tag}>{shown}</{tag}>"
    return f'<span class="glyph">{shown}{"." * ("dot" in look)}</span>'


def small_boards(visitor: Visitor) -> None:
    """Those of Bob, who plays Black, are those of his match, and letters have their style."""
    visitor.go("leaks")
    worst = visitor.until(DRAWN, "#leaks")[0]
    assert "J" in visitor.texts("#leaks .boards .glyph i")  # the third member of its family
    names = [Nactation(family, n + 1) for family in FAMILIES for n in range(4 * len(family.glyphs))]
    tiles = visitor.browser.execute_async_script(TILES, visitor.scripts, [*map(str, names)])
    assert tiles == [*map(tile, names)]
    visitor.go("match=match-3pt-analysed.sgf")
    assert worst in visitor.until(DRAWN, "#summary")
    assert (
        visitor.text("#summary .figures small") == "Bob \u2013 Alice"
    )  # what is yours comes first
    heads = ["Your costliest decisions", "Games", "Your opponent\u2019s costliest decisions"]
    assert visitor.texts("#summary h2") == heads


def judged_worse(path: Path, by: float = 0.05) -> Path:
    """The analysed sample as a stricter analysis has it: plays that are not the best lose more."""

    def worse(match: re.Match[bytes]) -> bytes:
        number = int(match[1])
        candidates = match[2].split(b"][")
        words = candidates[number].split(b" ")
        words[_EQUITY] = b"%.6f" % (float(words[_EQUITY]) - by)
        candidates[number] = b" ".join(words)
        return b"A[%d]%s" % (number, b"][".join(candidates))

    data = SMALL[2].read_bytes()
    path.write_bytes(re.sub(rb"\bA\[([1-9]\d*)\]((?:\[[^]]*\])+)", worse, data))
    return path


_EQUITY = 9  # the word of a candidate in gnubg's SGF


def has_one_loss(visitor: Visitor) -> bool:
    """The play of the match loses what its analysis says; whether the list of plays has it."""
    verdict = visitor.text("#study-verdict")
    made = re.search(r"In the match: \S+ (.+), (\u2212\S+) according to its analysis", verdict)
    assert made, verdict
    assert "Other plays are judged at 0-ply" in visitor.text("#study-place")
    own = rf"(?<![\d/]){re.escape(made[1])}(?![\d/*(])"
    rows = [row for row in visitor.texts("#study-plays li") if re.search(own, row)]
    assert all(row.endswith(f"{made[1]} {made[2]}") for row in rows), (verdict, rows)
    return bool(rows)


def answer_until_wrong(visitor: Visitor) -> None:
    listed = 0
    for _ in range(9):
        visitor.until("document.querySelector('#study-guesses button')")
        visitor.use(by_mouse, "#study-guesses button")
        visitor.until("/Right|Wrong/.test(document.querySelector('#study-verdict').textContent)")
        if visitor.all("#study-plays li"):
            listed += has_one_loss(visitor)
        if "Wrong" in visitor.text("#study-verdict"):
            break
        visitor.use(by_mouse, "#study-next")
    assert listed


def test_what_is_due_is_on_the_first_screen(
    visitor: Visitor, playground: Served, tmp_path: Path
) -> None:
    """A wrong answer is due at once; decks go to Anki, questions into a link, notes into a copy."""
    enter(visitor, f"{playground.address}#library")
    choose(visitor, [SMALL[1], judged_worse(tmp_path / SMALL[2].name)])
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    be(visitor, "Bob")
    small_boards(visitor)
    visitor.go("study")
    visitor.shows("#doing", "Black to play")
    assert visitor.text("#deck option:checked").startswith("all mistakes")
    answer_until_wrong(visitor)
    visitor.use(by_mouse, "#study-links button", "Copy question")
    question = copied(visitor)
    visitor.run("arguments[0].focus()", visitor.find("#study-notes input"))
    visitor.press(*"blots, =home", "\t")
    visitor.shows("#deck", "tag: =home (1)")
    visitor.run("arguments[0].focus()", visitor.find("#study-notes textarea"))
    visitor.press(*"count first", "\t")
    by_mouse.choose(visitor, visitor.find("#deck"), "tag: blots (1)")
    visitor.use(by_mouse, "#study-cards", "Save for Anki")
    cards = saved(visitor, "tag-blots.txt").decode()
    assert cards.count("<svg") == 1
    assert "count first" in cards
    visitor.go("s=31P")
    visitor.begin(playground.address)
    visitor.shows("#due-line", "Due today: 1 of your mistakes")
    assert visitor.text("#due-badge") == "1"
    visitor.go("library")
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.use(by_mouse, "#save-copy")
    copy = saved(visitor, "games.db")
    visitor.browser.get("about:blank")
    origin = {"origin": playground.address, "storageTypes": "local_storage,indexeddb"}
    visitor.browser.execute_cdp_cmd("Storage.clearDataForOrigin", origin)
    enter(visitor, f"{playground.address}#library")
    visitor.until(IDLE)
    visitor.run(DROPPED, "games.db", base64.b64encode(copy).decode())
    visitor.until(f"{MATCHES} === 2 && {IDLE}")
    visitor.go("study")
    visitor.shows("#deck", "tag: blots (1)")
    # The note is about another match, which had this name before.
    visitor.browser.execute_async_script(
        "const [folder, done] = arguments;"
        "import(`${folder}/library-keeping.js`).then(({ keepNotes, keptNotes }) => keptNotes()"
        ".then((notes) => keepNotes([...notes].map(([name, { decision, ...note }]) =>"
        " [name, { ...note, decision: { ...decision, xgid: 'XGID=-a' } }])))).then(done)",
        visitor.scripts,
    )
    visitor.go("library")
    visitor.go("study")
    visitor.until("!document.querySelector('#deck').textContent.includes('tag:')")
    visitor.shows("#deck", "all mistakes")
    assert question.startswith(f"{playground.address}#question=")
    visitor.begin(question)
    visitor.shows("#decision", "Your play?")


def test_without_a_store_there_is_a_sentence(visitor: Visitor, playground: Served) -> None:
    """A match can be opened all the same."""
    nothing = "Object.defineProperty(window, 'indexedDB', { value: undefined });"
    with visitor.before_each_page(nothing):
        enter(visitor, f"{playground.address}#library")
        visitor.shows("#shelf-state", "This browser keeps no files for this page")
        visitor.run(DROPPED, "three plays.mat", base64.b64encode(MATCH).decode())
        visitor.shows("#outcome", "Ann - Ben")
        for view in ("leaks", "study"):
            visitor.go(view)
            visitor.shows(f"#{'study-asked' if view == 'study' else view}", "keeps no files")


def test_your_games_on_the_board_and_finds(visitor: Visitor, playground: Served) -> None:
    enter(visitor, f"{playground.address}#library")
    choose(visitor, FILES)
    visitor.until(f"{MATCHES} === 10 && {IDLE}")
    visitor.go("s=31P-42")
    visitor.use(by_mouse, "#tab-yours")
    visitor.shows("#yours", "1 time with 42 in your library")
    visitor.shows("#yours .leaks", "42 P 8/4 6/41\u00d7")
    assert visitor.anchor == "#s=31P-42&games"
    visitor.go("s=31P-66")
    visitor.shows("#yours", "in your library, never with 66")
    visitor.go("s=31P-42&games")
    visitor.use(by_mouse, "#tab-why")
    assert visitor.anchor == "#s=31P-42"
    enter(visitor, f"{playground.address}#s=31P-42&games")
    visitor.shows("#yours", "1 time with 42 in your library")
    visitor.go("find=.100")
    visitor.shows("#finds", "say who you are in the library")
    visitor.go("find=missed hat")
    visitor.shows("#finds", "say who you are in the library")
    visitor.go("library")
    for text in ("Alice", "Done"):
        visitor.use(by_mouse, "#whose button", text)
    visitor.shows("#whose", "You are Alice.")
    visitor.go("find=missed hat")
    visitor.shows("#finds", "and none of your mistakes has this theme")
    visitor.go("find=31P-42P")
    visitor.shows("#finds", "42P 8/4 6/4")
    visitor.shows("#finds", "1 turn")
    visitor.use(by_keys, "#finds a")
    visitor.shows("#doing", "42")
    visitor.size(*DESKTOP)
