"""The parts of the menu that need no gnubg: which versions are tested, and its boxes."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gnubg_nactation import plugin
from gnubg_nactation.plugin import board, calls, match, window
from gnubg_nactation.plugin.window import Window
from gnubg_nactation.tasks.gnubg_menu import ENTRIES


class Gtk:
    """A library with the check of GTK's version, as GTK answers: None if it is compatible."""

    def __init__(self, major: int, minor: int) -> None:
        def gtk_check_version(wanted: int, least: int, _: int) -> str | None:
            return None if (wanted == major and least <= minor) else "another version"

        self.gtk_check_version = gtk_check_version


@pytest.mark.parametrize(
    ("version", "gtk", "reason"),
    [
        ("1.07", (2, 24), ""),
        ("1.08", (3, 24), ""),
        ("1.08", (2, 24), "gnubg 1.08 with this GTK was not tested"),
        ("1.07", (3, 24), "gnubg 1.07 with this GTK was not tested"),
        ("1.07", (2, 22), "gnubg 1.07 with this GTK was not tested"),
        ("1.09", (3, 24), "gnubg 1.09 was not tested"),
        ("1.06", (2, 24), "gnubg 1.06 was not tested"),
        ("", (2, 24), "gnubg of an unknown version was not tested"),
    ],
)
def test_gtk_is_called_only_in_the_versions_that_were_tested(
    version: str, gtk: tuple[int, int], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "gnubg_version", lambda: version)
    library: Any = Gtk(*gtk)
    assert window.untested([SimpleNamespace(), library]) == reason  # type: ignore[list-item]


def test_without_gtk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "gnubg_version", lambda: "1.07")
    assert window.untested([]) == "gnubg has no GTK"


@pytest.mark.parametrize(
    ("content", "version"),
    [
        (b"\x7fELF\0GNU Backgammon 1.07.001 20230103\0", "1.07"),
        (b"MZ AP[GNU Backgammon:1.08.003]", "1.08"),
        (b"GNU Backgammon\0", ""),
    ],
)
def test_the_version_is_that_of_the_program(
    content: bytes, version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "gnubg"
    program.write_bytes(content)
    monkeypatch.setattr(window, "_program", lambda: str(program))
    assert window.gnubg_version.__wrapped__() == version
    program.unlink()
    assert window.gnubg_version.__wrapped__() == ""


def test_an_untested_version_has_the_files_and_a_word_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = "gnubg 1.09 was not tested"
    monkeypatch.setattr(window, "untested", lambda _: reason)
    window._gtk.cache_clear()
    try:
        assert window.find_window() is None
        plugin.greet()
    finally:
        window._gtk.cache_clear()
    assert capsys.readouterr().out.startswith(f"No menu: {reason}. Use File > Open Commands")


def test_the_entries_of_the_menu() -> None:
    assert [entry.label for entry in ENTRIES] == [
        "Annotate this match",
        "Nacbrac of this roll",
        "Nacbrac of the cube",
        "Nacbracs of all rolls",
        "Best play",
        "Sequence to this position",
        "Move list",
        "Save as text...",
        "Save as SGF...",
        "Page in the browser",
        "Quiz me on the mistakes",
        "Load a sequence...",
        "Explore this position",
        "Remove Nactation comments",
    ]
    for entry in ENTRIES:  # those of the command files
        assert entry.call.partition("(")[0] in plugin.__all__


class FakeGtk:
    """Notes the calls; `answers` are results of functions, `click` answers the last box."""

    def __init__(self, **answers: object) -> None:
        self.calls: list[str] = []
        self.answers = answers
        self.respond = 0

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> object:
            self.calls.append(name)
            if name == "g_signal_connect_data":
                self.respond = arguments[2].value
            return self.answers.get(name, 1)

        return call

    def click(self, response: int) -> None:
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
        kind(self.respond)(None, response, None)


_LEFT, _CANCEL, _ANSWER, _PASTE = -4, -6, -3, 1


def window_with(gtk: FakeGtk) -> Window:
    return Window(gtk, 1, 2, 3)


def test_a_text_is_asked_for() -> None:
    gtk = FakeGtk(gtk_entry_get_text=b" 54S-63R \n")
    texts: list[str] = []
    for response in (_PASTE, _CANCEL, _LEFT, _ANSWER):
        window.ask_text(window_with(gtk), "A sequence:", "Load", texts.append)
        gtk.calls.clear()
        gtk.click(response)
        assert ("gtk_editable_paste_clipboard" in gtk.calls) is (response == _PASTE)
        assert ("gtk_widget_destroy" in gtk.calls) is (response != _PASTE)
    assert texts == ["54S-63R"]
    gtk.answers["gtk_entry_get_text"] = b"  "
    window.ask_text(window_with(gtk), "A sequence:", "Load", texts.append)
    gtk.click(_ANSWER)
    assert len(texts) == 1


def test_a_yes_is_asked_for() -> None:
    gtk = FakeGtk()
    answers: list[bool] = []
    for response in (_CANCEL, _LEFT, _ANSWER):
        window.ask_yes(window_with(gtk), "Sure?", "Replace", lambda: answers.append(True))
        gtk.click(response)
        assert len(answers) == (response == _ANSWER)


def test_a_file_is_asked_for(tmp_path: Path) -> None:
    path = ctypes.create_string_buffer(str(tmp_path / "x y.sgf").encode())
    gtk = FakeGtk(gtk_file_chooser_get_filename=ctypes.addressof(path))
    paths: list[str] = []
    for response in (_CANCEL, _LEFT, _ANSWER):
        window.ask_file(window_with(gtk), "Save", str(tmp_path / "a.sgf"), paths.append)
        assert "gtk_file_chooser_set_do_overwrite_confirmation" in gtk.calls
        assert "gtk_window_set_modal" in gtk.calls  # or another match might be loaded and saved
        gtk.click(response)
    assert paths == [str(tmp_path / "x y.sgf")]


def test_a_file_is_asked_for_also_without_our_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "Nactation"
    folder.write_text("a file")
    gtk = FakeGtk(gtk_window_get_title=b"GNU Backgammon (my match)")
    annotated = SimpleNamespace(match=None)
    monkeypatch.setattr(match, "find_window", lambda: window_with(gtk))
    monkeypatch.setattr(match, "our_folder", lambda: folder)
    monkeypatch.setattr(match, "_annotated", lambda: (None, annotated))
    assert match.ask_where("SGF", str) == ""
    assert "gtk_widget_show_all" in gtk.calls


def test_only_the_match_that_was_asked_about_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the box is open, another match can be loaded."""
    gtk = FakeGtk()
    loaded = ["Alice - Bob"]
    replaced: list[str] = []
    questions: list[str] = []

    def ask(_: Window, question: str) -> int:
        questions.append(question)
        return 1

    def load(text: str, *, replace: bool) -> str:
        assert replace
        replaced.append(text)
        return ""

    monkeypatch.setattr(board, "find_window", lambda: window_with(gtk))
    monkeypatch.setattr(board, "_loss", lambda: loaded[0])
    monkeypatch.setattr(board, "decode", load)
    monkeypatch.setattr(window, "_box", ask)
    calls._load("54S-63R-31")
    loaded[0] = "Cara - Dan"
    gtk.click(_ANSWER)
    assert replaced == []
    assert [question.splitlines()[1] for question in questions] == ["Alice - Bob.", "Cara - Dan."]
    gtk.click(_ANSWER)
    assert replaced == ["54S-63R-31"]
