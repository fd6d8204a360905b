"""Which files the arguments stand for."""

from __future__ import annotations

from pathlib import Path

import pytest

from gnubg_nactation.cli.inputs import find_inputs


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.mat", "a.SGF", "notes.md", "sub/c.txt", "sub/deep/d.mat", "[x].mat", "x.mat"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.chdir(tmp_path)


def found(*arguments: str) -> list[str]:
    return [str(source.path) for source in find_inputs(arguments)]


def test_a_folder_is_walked_for_match_files_in_order() -> None:
    assert found(".") == ["[x].mat", "a.SGF", "b.mat", "x.mat", "sub/c.txt", "sub/deep/d.mat"]


def test_places_are_below_the_folder_that_was_named() -> None:
    assert [str(source.place) for source in find_inputs(["sub"])] == ["c.txt", "deep/d.mat"]
    assert [str(source.place) for source in find_inputs(["sub/c.txt"])] == ["c.txt"]


def test_patterns() -> None:
    assert found("[bx].mat") == ["b.mat", "x.mat"]
    assert found("**/*.mat") == ["[x].mat", "b.mat", "sub/deep/d.mat", "x.mat"]


def test_a_pattern_that_finds_a_folder_walks_it() -> None:
    assert found("s*") == ["sub/c.txt", "sub/deep/d.mat"]


def test_a_name_that_exists_is_no_pattern() -> None:
    assert found("[x].mat") == ["[x].mat"]


def test_what_does_not_exist_comes_out_as_it_is() -> None:
    assert found("gone.mat", "gone*.mat") == ["gone.mat", "gone*.mat"]


def test_any_ending_if_named() -> None:
    assert found("notes.md") == ["notes.md"]


def test_each_file_once_in_the_order_of_the_arguments() -> None:
    assert found("x.mat", "b.mat", "./x.mat", "*.mat") == ["x.mat", "b.mat", "[x].mat"]


def test_standard_input() -> None:
    (source,) = find_inputs(["-"])
    assert source.is_standard_input
    (source,) = find_inputs(["b.mat"])
    assert not source.is_standard_input
