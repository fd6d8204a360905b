"""gnubg's window: its title, its status line, boxes, and a menu of our own.

gnubg does not offer these to Python, but it has loaded GTK, whose functions can be called.
Those used here are the same in GTK 2.24 (gnubg 1.07) and GTK 3.24 (1.08); in other versions none is
called. Only the thread that gnubg runs Python in may call them.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace

from gnubg_nactation.values import Any, NamedTuple

# Versions. A function of GTK that is called in a wrong way would end gnubg, and with it the match
# that the user has not saved. So it is called only in the versions that were tested.

_TESTED = {"1.07": (2, 24), "1.08": (3, 24)}  # the GTK of each gnubg
_NAME = re.compile(rb"GNU Backgammon[ :](\d{1,3}\.\d{2})")
_MAX_PATH = 4096


def untested(libraries: Sequence[ctypes.CDLL]) -> str:
    """Why GTK of these libraries is not called; empty if this gnubg and its GTK were tested."""
    gtk = next((each for each in libraries if hasattr(each, "gtk_check_version")), None)
    if gtk is None:
        return "gnubg has no GTK"
    version = gnubg_version()
    if version not in _TESTED:
        return f"gnubg {version or 'of an unknown version'} was not tested"
    return (
        "" if _is_gtk(gtk, *_TESTED[version]) else f"gnubg {version} with this GTK was not tested"
    )


def _is_gtk(library: ctypes.CDLL, major: int, minor: int) -> bool:
    check = library.gtk_check_version
    check.restype, check.argtypes = ctypes.c_char_p, [ctypes.c_uint] * 3
    return check(major, minor, 0) is None  # else the reason why it is another


@cache
def gnubg_version() -> str:
    """The version of the gnubg that this runs in, such as 1.07; empty if it cannot be read.

    gnubg shows it to users only, so it is read from the program's file.
    """
    try:
        with open(_program(), "rb") as file:
            name = _NAME.search(file.read())
    except OSError:
        return ""
    return name[1].decode() if name else ""


def _program() -> str:
    if os.name != "nt":
        return "/proc/self/exe"
    path = ctypes.create_unicode_buffer(_MAX_PATH)
    ctypes.windll.kernel32.GetModuleFileNameW(None, path, _MAX_PATH)  # type: ignore[attr-defined]
    return path.value


# The window

_LIBRARIES = {  # gnubg for Windows has these; elsewhere they are linked to the program
    "nt": ("libgtk-3-0.dll", "libgtk-win32-2.0-0.dll", "libgobject-2.0-0.dll", "libglib-2.0-0.dll")
}
_SETTINGS = b"gnubgautorc"  # part of gnubg's line about its saved settings
_CONTEXT = b"gnubg output"  # the context of gnubg's own texts in the status line
_TITLE = re.compile(r"[^(]* \((.*)\)", re.DOTALL)  # the program (the file without its ending)
_MODAL, _INFO, _CLOSE = 0, 0, 2
_ITERATOR = 256  # bytes, more than GTK's iterator needs
_POLL, _MOMENT = 100, 300  # milliseconds
_POINTER, _TEXT, _TYPE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_NUMBER, _COUNT, _REAL = ctypes.c_int, ctypes.c_uint, ctypes.c_double
_ON_CLICK = ctypes.CFUNCTYPE(None, _POINTER, _POINTER)
_ON_TIME = ctypes.CFUNCTYPE(_NUMBER, _POINTER)
_SIGNATURES: dict[tuple[Any, ...], str] = {  # the result and arguments of functions of GTK
    (_TYPE,): "gtk_container_get_type gtk_label_get_type gtk_menu_bar_get_type "
    "gtk_statusbar_get_type gtk_text_view_get_type",
    (_POINTER,): "gtk_dialog_new gtk_entry_new gtk_invisible_new gtk_menu_new "
    "gtk_window_list_toplevels",
    (_POINTER, _POINTER): "gtk_container_get_children gtk_dialog_get_content_area "
    "gtk_file_chooser_get_filename gtk_statusbar_get_message_area gtk_text_view_get_buffer",
    (_POINTER, _POINTER, _TEXT, _NUMBER): "gtk_dialog_add_button",
    (_POINTER, _TEXT): "gtk_label_new gtk_menu_item_new_with_label",
    (_POINTER, _TEXT, _POINTER, _NUMBER, _POINTER): "gtk_file_chooser_dialog_new",
    (_POINTER, _POINTER, _NUMBER, _NUMBER, _NUMBER, _POINTER): "gtk_message_dialog_new",
    (_TEXT, _POINTER): "gtk_entry_get_text gtk_label_get_text gtk_menu_item_get_label "
    "gtk_window_get_title",
    (_NUMBER, _POINTER): "gtk_text_view_get_editable gtk_widget_get_mapped",
    (_NUMBER, _POINTER, _TEXT): "gtk_file_chooser_set_current_folder",
    (_NUMBER, _POINTER, _TYPE): "g_type_check_instance_is_a",
    (_NUMBER, _POINTER, _POINTER, _REAL, _NUMBER, _REAL, _REAL): "gtk_text_view_scroll_to_iter",
    (_COUNT, _COUNT, _POINTER, _POINTER): "g_timeout_add",
    (_COUNT, _POINTER, _TEXT): "gtk_statusbar_get_context_id",
    (_COUNT, _POINTER, _COUNT, _TEXT): "gtk_statusbar_push",
    (ctypes.c_ulong, _POINTER, _TEXT, *[_POINTER] * 3, _NUMBER): "g_signal_connect_data",
    (None, _POINTER): "g_free g_list_free gtk_editable_paste_clipboard gtk_grab_add "
    "gtk_grab_remove gtk_widget_destroy gtk_widget_show_all",
    (None, _POINTER, _COUNT): "gtk_container_set_border_width gtk_statusbar_pop",
    (None, _POINTER, _NUMBER): "gtk_dialog_set_default_response gtk_entry_set_activates_default "
    "gtk_entry_set_width_chars gtk_file_chooser_set_do_overwrite_confirmation "
    "gtk_window_set_modal",
    (None, _POINTER, _POINTER): "gtk_container_add gtk_menu_item_set_submenu "
    "gtk_menu_shell_append gtk_text_buffer_get_end_iter gtk_window_set_transient_for",
    (None, _POINTER, _POINTER, _TEXT, _NUMBER): "gtk_text_buffer_insert",
    (None, _POINTER, _TEXT): "gtk_file_chooser_set_current_name gtk_message_dialog_set_markup "
    "gtk_window_set_title",
}
_last: list[str] = []  # the text to repeat in the status line
_callbacks: list[object] = []  # functions that GTK may call for as long as gnubg runs


class Window(NamedTuple):
    """GTK's pointers to the main window of gnubg, its menu bar and its status line."""

    gtk: Any
    window: int
    menu_bar: int
    status: int


class _List(ctypes.Structure):
    """GLib's list."""


_List._fields_ = [("data", _POINTER), ("next", ctypes.POINTER(_List)), ("previous", _POINTER)]


def find_window() -> Window | None:
    """Gnubg's main window; None if it has none, or GTK cannot be reached."""
    gtk = _gtk()
    if gtk is None:
        return None
    for window in _items(gtk, gtk.gtk_window_list_toplevels()):
        bars = _widgets(gtk, window, gtk.gtk_menu_bar_get_type())
        if bars and (status := _widgets(gtk, window, gtk.gtk_statusbar_get_type())):
            return Window(gtk, window, bars[0], status[0])
    return None


def title(window: Window) -> str:
    """The title of the window: the program and, in brackets, the file of the match."""
    return (window.gtk.gtk_window_get_title(window.window) or b"").decode("utf-8", "replace")


def set_title(window: Window, text: str) -> None:
    """Give the window a title."""
    window.gtk.gtk_window_set_title(window.window, encoded(text))


def file_name(window: Window | None) -> str:
    """The name of the match's file, without its folder and ending; empty if there is none."""
    match = _TITLE.fullmatch(title(window)) if window else None
    return match[1] if match else ""


def show_status(window: Window, text: str) -> None:
    """Show a text in the status line, instead of the last one.

    It is shown again if gnubg replaces it by its line about saved settings, as it does after a
    file of commands.
    """
    _push(window, text)
    _last[:] = [text]
    window.gtk.g_timeout_add(_MOMENT, ctypes.cast(_REPEAT_LAST, _POINTER), None)


def _push(window: Window, text: str) -> None:
    gtk, status = window.gtk, window.status
    context = gtk.gtk_statusbar_get_context_id(status, _CONTEXT)
    gtk.gtk_statusbar_pop(status, context)
    gtk.gtk_statusbar_push(status, context, encoded(text))


def _repeat_last(_: object) -> int:
    window = find_window()
    if window and _last:
        gtk, text = window.gtk, _last.pop()
        area = gtk.gtk_statusbar_get_message_area(window.status)
        labels = _widgets(gtk, area, gtk.gtk_label_get_type())
        if any(_SETTINGS in (gtk.gtk_label_get_text(label) or b"") for label in labels):
            _push(window, text)
    return 0


_REPEAT_LAST = _ON_TIME(_repeat_last)


def show_message(window: Window, text: str) -> bool:
    """Add a text to gnubg's panel Message; False if that is off."""
    gtk = window.gtk
    widget = _panel(window, editable=False)
    if widget is None:
        return False
    place = ctypes.create_string_buffer(_ITERATOR)
    buffer = gtk.gtk_text_view_get_buffer(widget)
    gtk.gtk_text_buffer_get_end_iter(buffer, place)
    gtk.gtk_text_buffer_insert(buffer, place, encoded(f"\n{text}"), -1)
    gtk.gtk_text_view_scroll_to_iter(widget, place, 0.0, 0, 0.0, 1.0)
    return True


def shows_comments(window: Window) -> bool:
    """Whether gnubg's panel Commentary is open."""
    return _panel(window, editable=True) is not None


def _panel(window: Window, *, editable: bool) -> int | None:
    """An open panel with a text: Commentary, which can be edited, or Message."""
    gtk = window.gtk
    for top in _items(gtk, gtk.gtk_window_list_toplevels()):
        for widget in _widgets(gtk, top, gtk.gtk_text_view_get_type()):
            is_editable = bool(gtk.gtk_text_view_get_editable(widget))
            if gtk.gtk_widget_get_mapped(widget) and is_editable is editable:
                return widget
    return None


def show_box(window: Window, text: str) -> None:
    """Show a text in a box, with a monospaced font; gnubg does not wait for it."""
    from html import escape  # noqa: PLC0415 (slow to import)

    gtk = window.gtk
    box = gtk.gtk_message_dialog_new(window.window, _MODAL, _INFO, _CLOSE, None)
    gtk.gtk_message_dialog_set_markup(box, encoded(f"<tt>{escape(text, quote=False)}</tt>"))
    gtk.gtk_window_set_title(box, b"Nactation")
    close = ctypes.cast(gtk.gtk_widget_destroy, _POINTER)
    gtk.g_signal_connect_data(box, b"response", close, None, None, 0)
    gtk.gtk_widget_show_all(box)


def fill_menu(
    window: Window, name: str, entries: Sequence[tuple[str, Callable[[], object]]]
) -> bool:
    """Add a menu to the menu bar; False if there is one with this name already."""
    gtk = window.gtk
    heads = _items(gtk, gtk.gtk_container_get_children(window.menu_bar))
    if encoded(name) in map(gtk.gtk_menu_item_get_label, heads):
        return False
    menu = gtk.gtk_menu_new()
    for label, call in entries:
        item = gtk.gtk_menu_item_new_with_label(encoded(label))
        function = _ON_CLICK(lambda _, __, call=call: call())
        _callbacks.append(function)
        address = ctypes.cast(function, _POINTER)
        gtk.g_signal_connect_data(item, b"activate", address, None, None, 0)
        gtk.gtk_menu_shell_append(menu, item)
    head = gtk.gtk_menu_item_new_with_label(encoded(name))
    gtk.gtk_menu_item_set_submenu(head, menu)
    gtk.gtk_menu_shell_append(window.menu_bar, head)
    gtk.gtk_widget_show_all(head)
    return True


def when_shown(call: Callable[[Window], object]) -> None:
    """Call a function with gnubg's window as soon as there is one."""

    def look(_: object) -> int:
        if window := find_window():
            call(window)
        return int(window is None)  # GLib calls again after 1

    gtk = _gtk()
    if gtk is not None and look(None):
        function = _ON_TIME(look)
        _callbacks.append(function)
        gtk.g_timeout_add(_POLL, ctypes.cast(function, _POINTER), None)


@contextmanager
def without_clicks(window: Window | None) -> Iterator[None]:
    """Keep clicks and keys from all windows of gnubg."""
    if window is None:
        yield
        return
    gtk = window.gtk
    trap = gtk.gtk_invisible_new()
    gtk.gtk_grab_add(trap)
    try:
        yield
    finally:
        gtk.gtk_grab_remove(trap)
        gtk.gtk_widget_destroy(trap)


def why_no_window() -> str:
    """Why gnubg's window cannot be reached; empty if it can."""
    return untested(_libraries())


@cache
def _libraries() -> tuple[ctypes.CDLL, ...]:
    names = _LIBRARIES.get(os.name, (None,))
    return tuple(library for name in names if (library := _library(name)))


@cache
def _gtk() -> Any:
    """GTK's functions by their names; None if one is missing, or this version was not tested."""
    libraries = _libraries()
    if untested(libraries):
        return None
    functions = {}
    for (result, *arguments), words in _SIGNATURES.items():
        for name in words.split():
            library = next((library for library in libraries if hasattr(library, name)), None)
            if library is None:
                return None
            function = functions[name] = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    return SimpleNamespace(**functions)


def _library(name: str | None) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def _items(gtk: Any, head: int | None) -> list[int]:
    """The items of a list of GLib, which is then freed."""
    items = []
    at = ctypes.cast(head or 0, ctypes.POINTER(_List))
    while at:
        items.append(at.contents.data)
        at = at.contents.next
    gtk.g_list_free(head)
    return items


def _widgets(gtk: Any, widget: int, kind: int) -> list[int]:
    """All widgets of a type inside a widget, itself included, but not those in menus."""
    widgets = [widget] if gtk.g_type_check_instance_is_a(widget, kind) else []
    if gtk.g_type_check_instance_is_a(widget, gtk.gtk_container_get_type()):
        for inner in _items(gtk, gtk.gtk_container_get_children(widget)):
            widgets += _widgets(gtk, inner, kind)
    return widgets


def encoded(text: str) -> bytes:
    """The text as GTK takes it."""
    return text.encode("utf-8", "replace").replace(b"\0", b" ")


# Boxes that ask for a text, a file or a yes. gnubg does not wait for them: a function is called
# with the answer, from GTK's main loop.

_SAVE = 1  # the kind of GTK's box for files
_CANCEL, _ANSWER, _PASTE = -6, -3, 1  # what a button answers; the first two are GTK's numbers
_BORDER, _WIDTH = 12, 50  # pixels, characters
_ON_RESPONSE = ctypes.CFUNCTYPE(None, _POINTER, ctypes.c_int, _POINTER)


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
    """Ask for a file to write, with a proposed path; GTK asks before one is overwritten.

    Until then no other match can be loaded, which would be saved instead.
    """
    gtk = window.gtk
    box = gtk.gtk_file_chooser_dialog_new(encoded(title), window.window, _SAVE, None)
    gtk.gtk_file_chooser_set_do_overwrite_confirmation(box, 1)
    gtk.gtk_window_set_modal(box, 1)
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
