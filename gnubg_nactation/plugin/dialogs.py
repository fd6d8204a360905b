"""Boxes in gnubg's window that ask for a text, a file or a yes.

gnubg does not wait for them: a function is called with the answer, from GTK's main loop.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

from gnubg_nactation.plugin.window import Window, encoded

_SAVE = 1  # the kind of GTK's box for files
_CANCEL, _ANSWER, _PASTE = -6, -3, 1  # what a button answers; the first two are GTK's numbers
_BORDER, _WIDTH = 12, 50  # pixels, characters
_POINTER = ctypes.c_void_p
_ON_RESPONSE = ctypes.CFUNCTYPE(None, _POINTER, ctypes.c_int, _POINTER)
_callbacks: list[object] = []  # functions that GTK may call for as long as gnubg runs


def ask_text(window: Window, prompt: str, button: str, then: Callable[[str], object]) -> None:
    """Ask for a line of text, which a button pastes."""
    gtk, box = window.gtk, _box(window, prompt)
    entry = gtk.gtk_entry_new()
    gtk.gtk_entry_set_width_chars(entry, _WIDTH)
    gtk.gtk_entry_set_activates_default(entry, 1)
    gtk.gtk_container_add(gtk.gtk_dialog_get_content_area(box), entry)

    def answer(response: int) -> None:
        if response == _PASTE:
            gtk.gtk_editable_paste_clipboard(entry)
            return
        text = (gtk.gtk_entry_get_text(entry) or b"").decode("utf-8", "replace").strip()
        gtk.gtk_widget_destroy(box)
        if response == _ANSWER and text:
            then(text)

    gtk.gtk_dialog_add_button(box, b"Paste", _PASTE)
    _show(window, box, button, answer)


def ask_yes(window: Window, question: str, button: str, then: Callable[[], object]) -> None:
    """Ask for a click on a button."""
    gtk, box = window.gtk, _box(window, question)

    def answer(response: int) -> None:
        gtk.gtk_widget_destroy(box)
        if response == _ANSWER:
            then()

    _show(window, box, button, answer)


def ask_file(window: Window, title: str, proposal: str, then: Callable[[str], object]) -> None:
    """Ask for a file to write, with a proposed path; GTK asks before one is overwritten."""
    gtk = window.gtk
    box = gtk.gtk_file_chooser_dialog_new(encoded(title), window.window, _SAVE, None)
    gtk.gtk_file_chooser_set_do_overwrite_confirmation(box, 1)
    folder, name = os.path.split(proposal)
    gtk.gtk_file_chooser_set_current_folder(box, os.fsencode(folder))
    gtk.gtk_file_chooser_set_current_name(box, encoded(name))

    def answer(response: int) -> None:
        path = gtk.gtk_file_chooser_get_filename(box) if response == _ANSWER else None
        chosen = os.fsdecode(ctypes.string_at(path)) if path else ""
        gtk.g_free(path)
        gtk.gtk_widget_destroy(box)
        if chosen:
            then(chosen)

    _show(window, box, "Save", answer)


def _box(window: Window, text: str) -> int:
    gtk = window.gtk
    box: int = gtk.gtk_dialog_new()
    gtk.gtk_window_set_title(box, b"Nactation")
    gtk.gtk_window_set_transient_for(box, window.window)
    gtk.gtk_container_set_border_width(box, _BORDER)
    content = gtk.gtk_dialog_get_content_area(box)
    gtk.gtk_container_add(content, gtk.gtk_label_new(encoded(text)))
    return box


def _show(window: Window, box: int, button: str, answer: Callable[[int], None]) -> None:
    """Show a box with its buttons; `answer` gets what the clicked one answers."""
    gtk = window.gtk
    function = _ON_RESPONSE(lambda _, response, __: answer(response))
    _callbacks.append(function)
    gtk.gtk_dialog_add_button(box, b"Cancel", _CANCEL)
    gtk.gtk_dialog_add_button(box, encoded(button), _ANSWER)
    gtk.gtk_dialog_set_default_response(box, _ANSWER)
    gtk.g_signal_connect_data(box, b"response", ctypes.cast(function, _POINTER), None, None, 0)
    gtk.gtk_widget_show_all(box)
