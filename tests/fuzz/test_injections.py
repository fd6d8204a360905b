"""Foreign names, events, comments and file names stay text in every output.

Each output is compared with that of a twin, the same match with harmless names. Independent parsers
read both: html5lib, a strict JSON reader, csv, XML, sgfmill and parsers of forum markup.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import html5lib
import pytest
from sgfmill.sgf_grammar import parse_sgf_collection

from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.playground.answers import handle
from tests.cli.running import run
from tests.cli.screens import on_screen
from tests.exports.pages import ANALYSED
from tests.exports.rendering import as_html
from tests.files import xg_files
from tests.fuzz.payloads import PAYLOADS
from tests.fuzz.strict import strict_json

HARMLESS = "Harmless"
_BIDIRECTIONAL = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "ALM"}
_PINGS = r"@everyone|@here|(?<!\\)<[@#]"
_CODE = re.compile(r"(?<=<script>|.<style>).{1000,}?(?=</script>|</style>)", re.DOTALL)
_MARKS = "\u200e\u200f\u061c"
_LINKS = {"href", "src", "action", "style", "srcdoc", "content"}


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The outputs for files with harmless names."""
    return _outputs(HARMLESS, tmp_path_factory.mktemp("twin"))


@pytest.mark.thorough
@pytest.mark.parametrize("payload", PAYLOADS)
def test_foreign_text_stays_text(payload: str, twin: dict[str, str], tmp_path: Path) -> None:
    outputs = _outputs(PAYLOADS[payload], tmp_path)
    assert outputs.keys() == twin.keys()
    for label, text in outputs.items():
        if label != "sgf":  # it keeps the text of the file
            more = _controls(text) - _controls(twin[label])
            assert not more, (label, more)
        law = _LAWS.get(label.split()[0])
        if law:
            law(text, twin[label], label)


@pytest.mark.parametrize("form", ["--files", "--places", "--sequences"])
def test_lists_on_a_terminal_have_no_control_characters(form: str, tmp_path: Path) -> None:
    evil = tmp_path / "\x1b[31m\u202eevil.sgf"
    evil.write_bytes(ANALYSED)
    database = tmp_path / "games.db"
    run("index", "--db", database, evil)
    find = ("find", "--db", database, form, "31P")
    assert ("\x1b[31m\u202eevil" in run(*find).out) == (form != "--sequences")
    assert not _controls(on_screen(80, *find))


def _outputs(name: str, folder: Path) -> dict[str, str]:
    """The outputs for files full of this name; a label begins with the form."""
    earlier = Path.cwd()
    os.chdir(folder)
    try:
        return _outputs_of(name)
    finally:
        os.chdir(earlier)


def _outputs_of(name: str) -> dict[str, str]:
    file = re.sub("[\0/]", "", name)
    sgf, mat, xg = (f"./{file}.{ending}" for ending in ("sgf", "mat", "xg"))
    for path, data in ((sgf, _sgf(name)), (mat, _mat(name)), (xg, _xg(name))):
        Path(path).write_bytes(data)
    run("index", sgf)
    player, event = _stored()
    ann = f"--player={player}"
    comments = ("--boards", "comments")
    runs = {
        "html page": ("annotate", "--to", "html", sgf),
        "html page of text": ("annotate", "--to", "html", mat),
        "html page of xg": ("annotate", "--to", "html", xg),
        "json": ("annotate", "--to", "json", sgf, mat, xg),
        "text": ("annotate", "--errors", *comments, sgf, xg),
        "text summary": ("annotate", "--summary", "-o", "out/", sgf, mat),
        "sgf": ("annotate", "--to", "sgf", sgf),
        "text check": ("check", mat),
        "text index": ("index", "--force", f"--me={name}", sgf),
        "text find": ("find", "31P"),
        "json find": ("find", "--json", "31P"),
        "text explore": ("explore", ann),
        "csv explore": ("explore", "--csv", ann),
        "html explore": ("explore", "--to", "html", ann, f"--event={event}"),
        "text leaks": ("leaks", ann, "--min", "1"),
        "json leaks": ("leaks", ann, "--min", "1", "--json"),
        "html leaks": ("leaks", ann, "--min", "1", "--to", "html"),
        "csv replies": ("replies", "--from", "archive", ann, "--to", "csv"),
        "html replies": ("replies", "--from", "archive", ann, "--to", "html"),
        "csv cards": ("cards", "errors", sgf, "--form", "csv", "-o", "-"),
        "svg card": ("card", f"{sgf}#1.1a", "--answer", "--form", "svg", "-o", "-"),
        "svg board": ("board", "--svg", "--players", f"Ann{name}", f"Ben{name}", "start"),
        "text no match": ("annotate", "--jobs", "1", f"{sgf}.none"),
        "text no sequence": ("decode", "--engine", "none", f"54S-{name}"),
    }
    for site in TARGETS:
        runs[f"post {site}"] = ("annotate", "--to", site, *comments, sgf)
        runs[f"post {site} decision"] = ("post", "--to", site, f"{sgf}#1.1a")
    outputs = {}
    for label, arguments in runs.items():
        ran = run(*arguments)
        outputs[label] = ran.out
        outputs[f"text errors of {label}"] = ran.err
    prose = f"{name} 54S-63R-31P [P @87] {name}\n\n{name}".encode()
    for form in ("html", "json", "text"):
        outputs[f"{form} read"] = run(
            "read", "--engine", "none", "--to", form, "-", stdin=prose
        ).out
    run("cards", "errors", sgf, "-o", "deck.apkg")
    outputs["html deck"] = _deck()
    outputs["json typed"] = handle("read_text", json.dumps([f"54S-{name}"]))
    return outputs


def _deck() -> str:
    """The fields of the cards for Anki, which are HTML."""
    with zipfile.ZipFile("deck.apkg") as deck:
        Path("deck.anki2").write_bytes(deck.read("collection.anki2"))
    with closing(sqlite3.connect("deck.anki2")) as connection:
        return "\n".join(
            fields for (fields,) in connection.execute("SELECT flds FROM notes")
        ).replace("\x1f", "\n<hr>\n")


# The laws of each form; only the name differs from the twin


def _controls(text: str) -> Counter[str]:
    """Characters that start a line, change the direction or control a terminal, except \\n."""
    return Counter(
        ascii(character)
        for character in re.findall(r"[^ -~\n]", text)
        if (unicodedata.category(character) in {"Cc", "Zl", "Zp"})
        or unicodedata.bidirectional(character) in _BIDIRECTIONAL
        or character in _MARKS
    )


def _html(text: str, twin: str, label: str) -> None:
    for code in _CODE.findall(twin):  # constant, and slow to parse
        text, twin = text.replace(code, ""), twin.replace(code, "")
    ours, theirs = _elements(text), _elements(twin)
    if label == "html read":  # lines, styles and findings come from the payload
        assert set(ours) <= {*theirs, ("b",), ("i",), ("u",)}
    else:
        if label == "html deck":  # the comment of a file keeps its lines
            ours, theirs = ([tag for tag in tags if tag != ("br",)] for tags in (ours, theirs))
        assert ours == theirs, label


@lru_cache(maxsize=64)  # the twin is read once
def _elements(text: str) -> list[tuple[str, ...]]:
    """The elements in order, each with the names of its attributes and its links."""
    root = html5lib.parse(text, namespaceHTMLElements=False)
    return [_element(element) for element in root.iter()]


def _element(element: ElementTree.Element) -> tuple[str, ...]:
    links = [f"{name}={value}" for name, value in element.attrib.items() if name in _LINKS]
    return (str(element.tag), *sorted(element.attrib), *links)


def _post(text: str, twin: str, label: str) -> None:
    """Compare posts; comments may have more lines than those of the twin."""
    site = label.split()[1]
    if site == "discord":
        assert not re.search(_PINGS, re.sub("(?s)^```.*?^```$", "", text, flags=re.M))
    if site != "plain":
        ours, theirs = (_elements(as_html(site, post)) for post in (text, twin))
        lines = {("p",), ("br",)}
        assert [e for e in ours if e not in lines] == [e for e in theirs if e not in lines], label


def _json(text: str, twin: str, label: str) -> None:
    ours, theirs = (
        [_shape(strict_json(line)) for line in lines.split("\n") if line] for lines in (text, twin)
    )
    assert ours == theirs or label in {"json read", "json typed"}  # the texts differ


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return {name: _shape(member) for name, member in value.items()}
    return [_shape(member) for member in value] if isinstance(value, list) else type(value)


def _csv(text: str, twin: str, _: str) -> None:
    ours, theirs = (list(csv.reader(io.StringIO(table, newline=""))) for table in (text, twin))
    assert [*map(len, ours)] == [*map(len, theirs)]
    for cell in chain(*ours):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or _is_number(cell), cell


def _svg(text: str, twin: str, _: str) -> None:
    """Long names need more lines of text."""
    ours, theirs = (
        {*map(_element, ElementTree.fromstring(image).iter())} for image in (text, twin)
    )
    assert ours == theirs


def _sgf_tree(text: str, twin: str, _: str) -> None:
    ours, theirs = (
        [sorted(node) for tree in parse_sgf_collection(data.encode()) for node in tree.sequence]
        for data in (text, twin)
    )
    assert ours == theirs


def _is_number(cell: str) -> bool:
    with suppress(ValueError):
        return bool(float(cell)) or True
    return False


_LAWS: dict[str, Callable[[str, str, str], None]] = {
    "html": _html,
    "post": _post,
    "json": _json,
    "csv": _csv,
    "svg": _svg,
    "sgf": _sgf_tree,
}


# Files


def _stored() -> tuple[str, str]:
    """The first player's name and the event as the database has them."""
    with closing(sqlite3.connect("games.db")) as connection:
        [(name,)] = connection.execute("SELECT name FROM players WHERE name LIKE '%Ann'")
        [(event,)] = connection.execute("SELECT event FROM matches")
    return str(name), str(event)


def _sgf(name: str) -> bytes:
    text = re.sub(r"([\\\]])", r"\\\1", name)
    head = f"PW[{text}Ann]PB[Ben{text}]EV[{text}]PC[{text}]GC[{text}]C[{text}]".encode()
    comment = f"C[{text}]".encode()
    return ANALYSED.replace(b"PW[Ann]PB[Ben]", head).replace(b"A[1]", comment + b"A[1]")


def _mat(name: str) -> bytes:
    line = " ".join(name.replace("\0", "").split()).replace(":", "")
    return f"""\
; [Event "{line}"]
; [Player 1 "{line}Ann"]
 3 point match

 Game 1
 Ann{line} : 0   Ben{line} : 0
  1) 31: 8/5 6/5    31: 24/23 24/21
""".encode()


def _xg(name: str) -> bytes:
    earlier, names = (7, 4, 5, 4), (f"{name}Ann", f"Ben{name}")
    start = xg_files._START
    records = (
        xg_files.header(names, event=name, comment=0),
        xg_files.game(),
        xg_files.move(1, (start, start), (3, 1), earlier, comment=0),
    )
    return xg_files.xg_file(*records, comments=[re.sub(r"[\r\n]+", " ", name).encode()])
