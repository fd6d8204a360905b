"""The GNU Backgammon that Python runs in: its commands, and what it and we print.

Commands end with gnubg doing what the user has clicked meanwhile, which may lead it to another
place or another match. So what belongs together is given to it at once, as a file of commands:
between those it does nothing else.
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

_STATUS_LINE = 80  # letters; gnubg puts longer texts into a box, too
_STEP = "_nactation_step"
_LONGEST = 2000  # bytes of a line in a file of commands; gnubg cuts longer ones


def gnubg_module() -> Any:
    """The module that GNU Backgammon has built in; NactationError outside it."""
    # The package of this name on PyPI is another thing.
    if "gnubg" not in sys.builtin_module_names:
        raise NactationError("this works inside GNU Backgammon only")
    return importlib.import_module("gnubg")


_working: list[str] = []  # what is being done; GTK may call us while we wait for gnubg


def reporting(function: Callable[_P, str]) -> Callable[_P, None]:
    """Decorate a function to print its result, or one line on why it failed; one runs at a time."""

    @wraps(function)
    def speak(*args: _P.args, **kwargs: _P.kwargs) -> None:
        if _working:
            say(f"nactation: {_working[0]} is still at work")
            return
        _working.append(function.__name__)
        try:
            text = function(*args, **kwargs)
        except NactationError as error:
            text = f"nactation: {error}"
        except KeyboardInterrupt:
            text = "nactation: interrupted"
        except Exception as error:  # a mistake, of ours or of who typed; the window must show it
            if sys.stderr:
                import traceback  # noqa: PLC0415 (slow, and seldom wanted)

                with suppress(OSError):
                    traceback.print_exc()
            text = f"nactation: {type(error).__name__}: {shown(str(error))}"
        finally:
            _working.clear()
        say(text)

    return speak


def say(text: str) -> None:
    """Print a text where Python prints, and show it in gnubg's window if it has one.

    As gnubg's own texts it goes to the panel Message, if that is switched on; else a short line
    to the status line, another text to a box.
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
    # No more than ASCII where LANG is C.
    encoding = screen.encoding or "ascii"
    with suppress(OSError):
        if not _is_socket(screen):
            print(text.encode(encoding, "replace").decode(encoding), flush=True)  # noqa: T201


def _is_socket(screen: IO[str]) -> bool:
    """Whether what should be the screen is something else, as started without a terminal."""
    try:
        return stat.S_ISSOCK(os.fstat(screen.fileno()).st_mode)
    except OSError:  # a stream that Python has put there has no number
        return False


Step: TypeAlias = "str | Callable[[], Iterable[Step]]"


def run_at_once(*steps: Step) -> None:
    """Have gnubg do commands one after the other, and nothing else between them.

    A step that is a function is called in its turn, and what it gives are the steps to do then.
    Raises what a step raises, without doing further ones that are functions; KeyboardInterrupt
    if gnubg was stopped on the way.
    """
    gnubg = gnubg_module()
    ended: list[bool] = []
    raised: list[BaseException] = []

    def end() -> tuple[Step, ...]:
        ended.append(True)
        return ()

    functions: list[Callable[[], Iterable[Step]]] = [lambda: (*steps, end)]
    with temporary_folder() as folder:

        def write(number: int) -> None:
            """Call a function, and write the file of commands that are its steps."""
            lines: list[str] = []
            try:
                for step in () if raised else functions[number]():
                    if isinstance(step, str):
                        lines.append(step)
                    else:
                        lines += [f">{_STEP}({len(functions)})", load(len(functions))]
                        functions.append(step)
                if not all(map(is_line, lines)):
                    raise NactationError("a command is too long for gnubg, or more than one line")
            except BaseException as error:  # gnubg would print it and go on
                raised.append(error)
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
                run_command(load(0))  # what it prints is not for the terminal
        finally:
            delattr(main, _STEP)
    if raised:
        raise raised[0]
    if not ended:
        raise KeyboardInterrupt


def is_line(command: str) -> bool:
    """Whether a command can stand in a file of commands."""
    long = len(command.encode("utf-8", "surrogateescape")) > _LONGEST
    return not (long or re.search(r"[\r\n\0]", command))


@contextmanager
def output_shown_again(back: Iterable[Step]) -> Iterator[None]:
    """Do these steps, and have gnubg show its output again, if it is stopped on the way."""
    try:
        yield
    except KeyboardInterrupt:
        run_at_once(*back, SHOW_OUTPUT)
        raise


def run_command(command: str) -> bytes:
    """What gnubg prints at a command, errors too."""
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
    """Lead to a file what gnubg prints, which goes by C and past `sys.stdout`."""
    libc = ctypes.CDLL("msvcrt" if os.name == "nt" else None)

    def flush() -> None:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with suppress(OSError):
                stream.flush()
        libc.fflush(None)

    flush()
    screen = {number: os.dup(number) for number in (1, 2)}
    try:
        for number in screen:
            os.dup2(file.fileno(), number)
        yield
    finally:
        flush()
        for number, kept in screen.items():
            os.dup2(kept, number)
            os.close(kept)
