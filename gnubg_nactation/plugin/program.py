"""The GNU Backgammon that Python runs in: its commands and its output, and ours.

After each command gnubg handles the user's clicks, which may lead it to another place or match.
So commands that belong together are written to one file, which gnubg runs without a break.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps

from gnubg_nactation.errors import NactationError
from gnubg_nactation.plugin.window import find_window, show_box, show_message, show_status
from gnubg_nactation.showing import shown, shown_lines
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import IO, BinaryIO, ParamSpec, TypeAlias

    _P = ParamSpec("_P")

HIDE_OUTPUT, SHOW_OUTPUT = "set output output off", "set output output on"

_STATUS_LINE = 80  # characters; gnubg shows longer texts in a box, too
_STEP = "_nactation_step"
_MAX_LINE = 2000  # bytes; gnubg cuts longer lines of a file of commands


def gnubg_module() -> Any:
    """The built-in module of GNU Backgammon; NactationError outside it."""
    # Not the package of this name on PyPI.
    if "gnubg" not in sys.builtin_module_names:
        raise NactationError("this works only inside GNU Backgammon")
    return importlib.import_module("gnubg")


_working: list[str] = []  # the call at work; GTK may make another while we wait for gnubg


def reporting(function: Callable[_P, str]) -> Callable[_P, None]:
    """Make a function print its result or, in a line, its error; only one runs at a time."""

    @wraps(function)
    def report(*args: _P.args, **kwargs: _P.kwargs) -> None:
        if _working:
            say(f"nactation: {_working[0]} is still running")
            return
        _working.append(function.__name__)
        try:
            text = function(*args, **kwargs)
        except NactationError as error:
            text = f"nactation: {error}"
        except KeyboardInterrupt:
            text = "nactation: interrupted"
        except Exception as error:  # a bug, or wrong arguments; the window must show it
            if sys.stderr:
                import traceback  # noqa: PLC0415 (slow to import)

                with suppress(OSError):
                    traceback.print_exc()
            text = f"nactation: {type(error).__name__}: {shown(str(error))}"
        finally:
            _working.clear()
        say(text)

    return report


def say(text: str) -> None:
    """Print a text, and show it in gnubg's window if there is one.

    Like gnubg's own texts it appears in the panel Message if that is on; otherwise a short line
    appears in the status line, and a longer text in a box.
    """
    text = shown_lines(text)
    if text and (window := find_window() if "gnubg" in sys.builtin_module_names else None):
        short = len(text) <= _STATUS_LINE and "\n" not in text
        if short:
            show_status(window, text)
        if not show_message(window, text) and not short:
            show_box(window, text)
    screen = sys.stdout
    if screen is None or not text:
        return
    # With LANG=C only ASCII can be printed.
    encoding = screen.encoding or "ascii"
    with suppress(OSError):
        if not _is_socket(screen):
            print(text.encode(encoding, "replace").decode(encoding), flush=True)  # noqa: T201


def _is_socket(screen: IO[str]) -> bool:
    """Whether gnubg was started without a terminal, so that its output is a socket."""
    try:
        return stat.S_ISSOCK(os.fstat(screen.fileno()).st_mode)
    except OSError:  # a stream made by Python has no file number
        return False


Step: TypeAlias = "str | Callable[[], Iterable[Step]]"


def run_at_once(*steps: Step) -> None:
    """Make gnubg run commands, and nothing else between them.

    A step that is a function is called in its turn and returns more steps to do then. After an
    error in a step, which is raised, no further function is called. KeyboardInterrupt if gnubg was
    stopped.
    """
    gnubg = gnubg_module()
    ended: list[bool] = []
    errors: list[BaseException] = []

    def end() -> tuple[Step, ...]:
        ended.append(True)
        return ()

    functions: list[Callable[[], Iterable[Step]]] = [lambda: (*steps, end)]
    with temporary_folder() as folder:

        def write(number: int) -> None:
            """Call a function, and write its steps to a file of commands."""
            lines: list[str] = []
            try:
                for step in () if errors else functions[number]():
                    if isinstance(step, str):
                        lines.append(step)
                    else:
                        lines += [f">{_STEP}({len(functions)})", load(len(functions))]
                        functions.append(step)
                if not all(map(is_line, lines)):
                    raise NactationError("a command is too long for gnubg, or more than one line")
            except BaseException as error:  # gnubg would print it and go on
                errors.append(error)
                lines = []
            text = "".join(f"{line}\n" for line in lines)
            with open(os.path.join(folder, str(number)), "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))

        def load(number: int) -> str:
            return f"load commands {path_argument(os.path.join(folder, str(number)))}"

        main = sys.modules["__main__"]
        setattr(main, _STEP, write)
        try:
            write(0)
            if find_window():
                gnubg.command(load(0))
            else:
                run_command(load(0))  # without its output in the terminal
        finally:
            delattr(main, _STEP)
    if errors:
        raise errors[0]
    if not ended:
        raise KeyboardInterrupt


def is_line(command: str) -> bool:
    """Whether a command fits into a line of a file of commands."""
    is_long = len(command.encode("utf-8", "surrogateescape")) > _MAX_LINE
    return not (is_long or re.search(r"[\r\n\0]", command))


@contextmanager
def output_shown_again(back: Iterable[Step]) -> Iterator[None]:
    """If gnubg is stopped, do these steps and make it show its output again."""
    try:
        yield
    except KeyboardInterrupt:
        run_at_once(*back, SHOW_OUTPUT)
        raise


def run_command(command: str) -> bytes:
    """Run a command; returns gnubg's output, with its errors."""
    with tempfile.TemporaryFile() as output:
        with output_to(output):
            gnubg_module().command(command)
        output.seek(0)
        return output.read()


def path_argument(path: str) -> str:
    """The path in quotes, as gnubg's commands read it."""
    return '"{}"'.format(re.sub(r'(["\\])', r"\\\1", path))


@contextmanager
def output_to(file: BinaryIO) -> Iterator[None]:
    """Redirect gnubg's output, which does not pass through `sys.stdout`, to a file."""
    libc = ctypes.CDLL("msvcrt" if os.name == "nt" else None)

    def flush() -> None:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with suppress(OSError):
                stream.flush()
        libc.fflush(None)

    flush()
    copies = {number: os.dup(number) for number in (1, 2)}
    try:
        for number in copies:
            os.dup2(file.fileno(), number)
        yield
    finally:
        flush()
        for number, copy in copies.items():
            os.dup2(copy, number)
            os.close(copy)
