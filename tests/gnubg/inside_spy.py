"""Runs inside gnubg with its window: reports the widgets on the screen, and runs commands.

Every 10 ms it looks for two files. If the file that SPY names is missing, it writes the widgets
there. It runs a line of `SPY.ask` as a command, from GTK's main loop like a click. It uses no code
of the plugin.
"""

import contextlib
import ctypes
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gnubg  # type: ignore[import-not-found]

P = ctypes.c_void_p
GTK = ctypes.CDLL(None)
WIDGETS = Path(os.environ["SPY"])
COMMANDS = Path(f"{WIDGETS}.ask")
RECT = ctypes.c_int * 4


class List(ctypes.Structure):
    pass


List._fields_ = [("data", P), ("next", ctypes.POINTER(List)), ("previous", P)]


def function(name: str, result: object, *arguments: object) -> Any:
    function = getattr(GTK, name)
    function.restype, function.argtypes = result, arguments
    return function


toplevels = function("gtk_window_list_toplevels", P)
children = function("gtk_container_get_children", P, P)
free = function("g_list_free", None, P)
type_name = function("g_type_name_from_instance", ctypes.c_char_p, P)
container = function("gtk_container_get_type", ctypes.c_size_t)
is_a = function("g_type_check_instance_is_a", ctypes.c_int, P, ctypes.c_size_t)
mapped = function("gtk_widget_get_mapped", ctypes.c_int, P)
has_window = function("gtk_widget_get_has_window", ctypes.c_int, P)
gdk_window = function("gtk_widget_get_window", P, P)
origin = function("gdk_window_get_origin", ctypes.c_int, P, P, P)
allocation = function("gtk_widget_get_allocation", None, P, P)
at_pointer = function("gdk_window_at_pointer", P, P, P)
toplevel = function("gdk_window_get_toplevel", P, P)
texts = {
    "GtkLabel": function("gtk_label_get_text", ctypes.c_char_p, P),
    "GtkAccelLabel": function("gtk_label_get_text", ctypes.c_char_p, P),
    "GtkWindow": function("gtk_window_get_title", ctypes.c_char_p, P),
    "GtkMessageDialog": function("gtk_window_get_title", ctypes.c_char_p, P),
    "GtkFileChooserEntry": function("gtk_entry_get_text", ctypes.c_char_p, P),
    "GtkEntry": function("gtk_entry_get_text", ctypes.c_char_p, P),
    "GtkFileChooserDialog": function("gtk_window_get_title", ctypes.c_char_p, P),
    "GtkDialog": function("gtk_window_get_title", ctypes.c_char_p, P),
}
buffer_of = function("gtk_text_view_get_buffer", P, P)
start = function("gtk_text_buffer_get_start_iter", None, P, P)
end = function("gtk_text_buffer_get_end_iter", None, P, P)
text_of = function("gtk_text_buffer_get_text", ctypes.c_char_p, P, P, P, ctypes.c_int)


def items(head: int | None) -> list[int]:
    pointers: list[int] = []
    at = ctypes.cast(head or 0, ctypes.POINTER(List))
    while at:
        pointers.append(at.contents.data)
        at = at.contents.next
    free(head)
    return pointers


def pointed() -> int | None:
    """The window below the pointer, if it is gnubg's: a new one may not be in its place yet."""
    x, y = ctypes.c_int(), ctypes.c_int()
    window = at_pointer(ctypes.byref(x), ctypes.byref(y))
    return toplevel(window) if window else None


def look(widget: int, below: int | None, depth: int = 0) -> Iterator[list[str | int]]:
    if not mapped(widget):
        return
    kind = type_name(widget).decode()
    text = texts[kind](widget) if kind in texts else b""
    if kind == "GtkTextView":
        first, last = ctypes.create_string_buffer(256), ctypes.create_string_buffer(256)
        buffer = buffer_of(widget)
        start(buffer, first)
        end(buffer, last)
        text = text_of(buffer, first, last, 0)
    x, y, rect = ctypes.c_int(), ctypes.c_int(), RECT()
    origin(gdk_window(widget), ctypes.byref(x), ctypes.byref(y))
    allocation(widget, rect)
    if not has_window(widget):
        x, y = ctypes.c_int(x.value + rect[0]), ctypes.c_int(y.value + rect[1])
    yield [
        kind,
        (text or b"").decode("utf-8", "replace"),
        x.value,
        y.value,
        rect[2],
        rect[3],
        depth,
        toplevel(gdk_window(widget)) == below,
    ]
    if is_a(widget, container()):
        for child in items(children(widget)):
            yield from look(child, below, depth + 1)


def report() -> None:
    below = pointed()
    widgets = [widget for window in items(toplevels()) for widget in look(window, below)]
    temporary = WIDGETS.with_suffix(".new")
    temporary.write_text(json.dumps(widgets))
    os.replace(temporary, WIDGETS)


def listen(_: int) -> int:
    if not WIDGETS.exists():
        report()
    if COMMANDS.exists():
        idle(do, None)  # a separate source of GTK: this one must keep reporting while gnubg works
    return 1


def answer(_data: int) -> int:
    with contextlib.suppress(FileNotFoundError):
        number, _, line = COMMANDS.read_text().partition("\n")
        COMMANDS.unlink()
        gnubg.command(line)
        Path(f"{WIDGETS}.done{number}").touch()
    return 0


FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, P)
callbacks = FUNCTION(listen), FUNCTION(answer)
do = ctypes.cast(callbacks[1], P)
idle = function("g_idle_add", ctypes.c_uint, P, P)
function("g_timeout_add", ctypes.c_uint, ctypes.c_uint, P, P)(
    10, ctypes.cast(callbacks[0], P), None
)
