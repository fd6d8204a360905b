"""Cards: their texts and sizes, and that they show no answer unless asked."""

from __future__ import annotations

import sys
from pathlib import Path
from struct import unpack
from xml.etree.ElementTree import Element, fromstring

import pytest

from gnubg_nactation.decisions.decision import Decision
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.board import png_of
from gnubg_nactation.exports.card import card_svg, spell_svg
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.sequences.decode import decode
from tests.cli.running import SAMPLES, run

ANALYSED = SAMPLES / "match-3pt-analysed.sgf"
PICTURES = {(): (1200, 630), ("--square",): (1080, 1080)}
# Crowded boards, long names of plays, and long texts.
BUSY = (
    f"{ANALYSED}#1.10",
    f"{ANALYSED}#1.40b",
    "XGID=-BBaBbBbB---aA-B-b-aaA-ab-:1:1:1:44:13:12:0:25:10",
)
TEXT = "{http://www.w3.org/2000/svg}text"


def card_of(*words: object) -> tuple[Element, str]:
    """The card as SVG, and all text on it but for the description of the board."""
    ran = run("card", *words, "-o", "-", "--form", "svg")
    assert (ran.status, ran.err) == (0, "")
    root = fromstring(ran.out)
    return root, " ".join("".join(text.itertext()) for text in root.iter(TEXT))


@pytest.mark.thorough
@pytest.mark.parametrize("options", PICTURES)
def test_size(options: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    for at, words in enumerate(BUSY):
        answer = ["--answer"] if "#" in words else []
        out, again = tmp_path / f"{at}.png", tmp_path / f"{at}-again.png"
        for file in (out, again):
            assert run("card", *options, *answer, words, "-o", file).status == 0
        data = out.read_bytes()
        assert data == again.read_bytes()
        assert unpack(">II", data[16:24]) == PICTURES[options]
        assert len(data) < 200_000


@pytest.mark.parametrize("options", PICTURES)
def test_what_stands_on_it(options: tuple[str, ...]) -> None:
    root, text = card_of(*options, "54S-63R-31 [P @87 H94]")
    for part in ("X to play 31:", "play?", "Money game;", "54S-63R-31"):
        assert part in text
    assert "8/5" not in text
    assert "arrow" not in "".join(
        text for element in root.iter() for text in [element.get("class", "")]
    )
    root, text = card_of(*options, "--answer", "54S-63R-31 [P @87 H94]")
    for part in ("31P 8/5 6/5", "31@ 24/20", "-.087", "31H 13/10*/9", "-.094"):
        assert part in text
    assert any(element.get("class", "").endswith("-arrow") for element in root.iter())


def test_a_decision_of_a_match() -> None:
    _, text = card_of(f"{ANALYSED}#1.10")
    for part in ("Alice to play 22:", "3-away 3-away;", "1.10a", "-62H", "Bob"):
        assert part in text
    assert "bar/23" not in text
    _, text = card_of("--answer", f"{ANALYSED}#1.10")
    assert "22E bar/23 22/20 6/4(2) +.411" in text
    assert text.endswith("gnubg 0-ply")  # the source
    _, text = card_of("--answer", "--cube", f"{ANALYSED}#1.10")
    assert "Alice to roll: double?" in text
    assert "no double, take" in text


@pytest.mark.parametrize(
    ("subject", "row"),
    [
        ("N 41Q-21", "N 41Q-21"),
        ("-61P-31", "-61P-31"),
        (f"{SAMPLES / 'nackgammon-5pt.mat'}#1.2", "N "),
        (f"{ANALYSED}#1.2", "-52T"),
    ],
)
def test_how_a_sequence_begins(subject: str, row: str) -> None:
    """N for Nackgammon, and a hyphen where the second player starts."""
    _, text = card_of("--engine=none", subject)
    assert f" {row}" in text


def test_looks() -> None:
    """Italic, bold, underlined, coloured (section 14), and safe as XML."""
    spelled = {name: spell_svg(parse_nactation(name)) for name in ("P{7}", "E_", "<", "A.", "P{9}")}
    assert spelled["P{7}"] == '<tspan font-style="italic" font-weight="700">P</tspan>'
    assert spelled["E_"] == '<tspan text-decoration="underline">E</tspan>'
    assert (spelled["<"], spelled["A."]) == ("&lt;", "A.")
    assert 'fill="#ff0000"' in spelled["P{9}"]


def test_names_of_all_kinds_and_long_sequences() -> None:
    state = decode("31").state
    names = ("<&\"' \x00\u202e" + "W" * 90, "\u05d0" * 300)
    tokens = [("31P", "31P")] * 500
    for square in (False, True):
        root = fromstring(
            card_svg(Decision(state), players=names, tokens=tokens, square=square, theme="dark")
        )
        lines = ["".join(text.itertext()) for text in root.iter(TEXT)]
        assert any(line.startswith("\u202631P-") for line in lines)
        assert sum("31P-31P" in line for line in lines) == 3
        height = float(root.get("viewBox", "").split()[3])
        outer = [text for group in root.findall("{*}g") for text in group.findall(TEXT)]
        assert all(float(text.get("y", "")) < height for text in outer)


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["31"], 2, "--output"),
        (["--cube", "31", "-o", "-"], 2, "--cube goes with MATCH#GAME.MOVE"),
        (["31Q", "--strict", "-o", "-"], 1, "31Q"),
        (["no.mat#1.1", "-o", "-"], 1, "no.mat"),
        (["--answer", "--engine=none", "31", "-o", "-"], 1, "and --engine is none"),
    ],
)
def test_wrong_usage(
    words: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run("card", *words)
    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err + capsys.readouterr().err


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    ran = run("card", "31", "-o", tmp_path / "card.png")
    assert (ran.status, list(tmp_path.iterdir())) == (1, [])
    assert 'pip install -e ".[png]"' in ran.err
    assert run("card", "31", "-o", tmp_path / "card.svg").status == 0
    with pytest.raises(NactationError, match="png"):
        png_of(card_svg(Decision(decode("31").state)))
