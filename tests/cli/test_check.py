"""`nactate check` on what `nactate annotate` has written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import SAMPLES, run

# 52 was played 13/6, the stack; the analysis holds the split for best.
ANALYSED = SAMPLES / "match-3pt-analysed.sgf"


@pytest.mark.parametrize("characters", ["preferred", "areal", "basic", "all"])
@pytest.mark.parametrize("errors", [[], ["--errors"]])
@pytest.mark.parametrize("sample", sorted(SAMPLES.iterdir()), ids=lambda path: path.name)
def test_what_annotate_writes_is_right(
    sample: Path, errors: list[str], characters: str, tmp_path: Path
) -> None:
    written = tmp_path / "written.sgf"
    options = ["--to", "sgf", "--characters", characters, *errors, "-o", written]
    assert run("annotate", *options, sample).status == 0
    checked = run("check", written)
    assert (checked.status, checked.err) == (0, "")
    lines = checked.out.splitlines()
    assert lines
    assert all(line.startswith(f"{written}: game ") for line in lines)
    if characters == "preferred":
        assert all(line.endswith(": ok") for line in lines)


@pytest.mark.parametrize("characters", ["numerals", "assumption"])
def test_what_annotate_writes_in_a_hurry_is_right(characters: str, tmp_path: Path) -> None:
    written = tmp_path / "written.sgf"
    run("annotate", "--to", "sgf", "--characters", characters, "-o", written, ANALYSED)
    checked = run("check", written)
    assert (checked.status, checked.err) == (0, "")
    assert "valid for" in checked.out


def test_the_shipped_sample_is_right() -> None:
    checked = run("check", SAMPLES / "match-5pt-annotated.sgf")
    assert (checked.status, checked.err) == (0, "")
    assert "wrong" not in checked.out


@pytest.mark.parametrize("line", ["T", "T x129 best S", "52T x129 best S", "52T (well, well)"])
def test_comments_of_earlier_versions_are_read(line: str, tmp_path: Path) -> None:
    written = tmp_path / "written.sgf"
    data = ANALYSED.read_bytes().replace(b";B[52", f";C[Nactation: {line}]B[52".encode(), 1)
    written.write_bytes(data)
    checked = run("check", written)
    assert (checked.status, checked.err) == (0, "")
    assert checked.out == f"{written}: game 1, turn 1: 52T: ok\n"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("52Z", "it says 24/22 13/8; probably T was meant, 13/6"),
        ("31T", "found the roll 31, expected 52"),
        ("52Ten", "not a Nactation: 'Ten'"),
        ("52T  [S K37\\]", "K names no play of 52"),
        ("52T  [S", "the bracket is not closed"),
    ],
)
def test_a_wrong_comment_is_told_with_its_place(line: str, complaint: str, tmp_path: Path) -> None:
    written = tmp_path / "written.sgf"
    data = ANALYSED.read_bytes().replace(b";B[52", f";C[Nactation: {line}]B[52".encode(), 1)
    written.write_bytes(data)
    checked = run("check", written)
    assert checked.status == 1
    assert f"{written}: game 1, turn 1: " in checked.out + checked.err
    assert complaint in checked.out + checked.err


def test_a_match_without_comments_has_nothing_to_check() -> None:
    checked = run("check", ANALYSED)
    assert (checked.status, checked.out) == (0, "")
    assert "nothing to check" in checked.err
