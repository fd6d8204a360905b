"""gnubg in its window on a virtual display, with mouse and keyboard."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.gnubg.ingame import GNUBG, OUTSIDE, ROOT

_NEEDED = ("Xvfb", "openbox", "xdotool")
_MISSING = [name for name in _NEEDED if shutil.which(name) is None]
needs_display = pytest.mark.skipif(
    bool(_MISSING) and not os.environ.get("CI"), reason=f"not installed: {', '.join(_MISSING)}"
)
_PATIENCE = 600  # seconds, for a busy machine


@contextmanager
def display_without_a_screen(size: str = "1280x900", frames: str = "") -> Iterator[str]:
    """The name of a new display that has a window manager, without which nothing has the keys.

    The folder `frames` keeps its screen, for `picture`.
    """
    reading, writing = os.pipe()
    server = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    server += ["-fbdir", frames] if frames else []
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(server, pass_fds=[writing], **quiet) as xvfb:  # type: ignore[call-overload]
        os.close(writing)
        try:
            with os.fdopen(reading) as numbers:
                display = f":{numbers.readline().strip()}"
            environment = os.environ | {"DISPLAY": display}
            with subprocess.Popen(["openbox"], env=environment, **quiet) as manager:  # type: ignore[call-overload]
                yield display
                manager.terminate()
        finally:
            xvfb.terminate()


class Widget(NamedTuple):
    """A widget on the screen: its kind, its text and its place."""

    kind: str
    text: str
    x: int
    y: int
    width: int
    height: int
    depth: int
    is_pointed: bool  # its window is below the pointer


class GnubgWindow:
    """The window of a gnubg that has loaded `inside_spy`."""

    def __init__(self, folder: Path, display: str) -> None:
        self._spy = folder / "spy"
        self._asked = 0
        self._environment = os.environ | {"DISPLAY": display}

    def widgets(self) -> list[Widget]:
        """The widgets on the screen now."""
        self._spy.unlink(missing_ok=True)  # an older report
        self.wait(self._spy.exists, "the widgets")
        return [Widget(*widget) for widget in json.loads(self._spy.read_text())]

    @property
    def title(self) -> str:
        return next(text for text in self.texts() if text.startswith("GNU Backgammon"))

    @property
    def status(self) -> str:
        """The text of the status line."""
        widgets = iter(self.widgets())
        bar = next((widget for widget in widgets if widget.kind == "GtkStatusbar"), None)
        return next((widget.text for widget in widgets if bar and widget.kind == "GtkLabel"), "")

    def texts(self) -> list[str]:
        """All texts in the window and in boxes."""
        return [widget.text for widget in self.widgets() if widget.text]

    def find(self, text: str, kind: str = "") -> Widget | None:
        """A widget with just this text."""
        widgets = (part for part in self.widgets() if part.text == text and kind in part.kind)
        return next(widgets, None)

    def wait(self, condition: Callable[[], object], description: str = "") -> None:
        deadline = time.monotonic() + _PATIENCE
        while not self._look(condition):
            assert time.monotonic() < deadline, (description, self._spy.exists() and self.texts())
            time.sleep(0.01)

    def _look(self, condition: Callable[[], object]) -> bool:
        try:
            return bool(condition())
        except StopIteration:  # gnubg is still starting
            return False

    def wait_for_text(self, text: str) -> None:
        self.wait(lambda: any(text in line for line in self.texts()), text)

    def wait_for_status(self, text: str) -> str:
        self.wait(lambda: text in self.status, text)
        return self.status

    def click(self, text: str, kind: str = "") -> None:
        """Click a widget as soon as it is there, and its window is where it says."""
        self.wait(lambda: self._reaches(text, kind), f"to click {text!r}")
        self.do("click", "1")

    def _reaches(self, text: str, kind: str) -> bool:
        """Move the mouse to a widget; whether it is there."""
        if not (widget := self.find(text, kind)):
            return False
        middle = widget.x + widget.width // 2, widget.y + widget.height // 2
        self.do("mousemove", *map(str, middle))
        return self.find(text, kind) == widget._replace(is_pointed=True)

    def close(self, button: str = "OK") -> None:
        """Click a button of gnubg's boxes until all are gone: of 1.08 there may be two alike."""
        self.click(button, "Label")
        while not self._within(lambda: self.find(button, "Label") is None):
            if self._reaches(button, "Label"):
                self.do("click", "1")

    def click_at(self, x: int, y: int) -> None:
        self.do("mousemove", str(x), str(y), "click", "1")

    def do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._environment, check=True, timeout=600)

    def menu(self, *path: str) -> None:
        """Choose an entry of a menu with the mouse."""
        for name, inner in pairwise([*path, ""]):
            self.click(name, "Label")
            while inner and not self._comes(inner):  # a busy machine may have missed the click
                self.do("key", "Escape")
                self.click(name, "Label")

    def _comes(self, text: str) -> bool:
        return self._within(lambda: self.find(text, "Label") is not None)

    def _within(self, condition: Callable[[], bool]) -> bool:
        for _ in range(40):
            time.sleep(0.05)
            if condition():
                return True
        return False

    def ask(self, command: str, *, wait: bool = True) -> None:
        """Have gnubg do a command, from its main loop, as if a click had asked for it."""
        commands = Path(f"{self._spy}.ask")
        self._asked += 1
        done = Path(f"{self._spy}.done{self._asked}")
        self.wait(lambda: not commands.exists(), "the command before")
        temporary = Path(f"{commands}.new")
        temporary.write_text(f"{self._asked}\n{command}", encoding="utf-8")
        temporary.replace(commands)
        if wait:
            self.wait(done.exists, command)


def picture(frames: str) -> bytes:
    """The screen as PNG, from the xwd file of the display server."""
    data = Path(frames, "Xvfb_screen0").read_bytes()
    header = struct.unpack(">25I", data[:100])
    start, width, height, row, colours = header[0], header[4], header[5], header[12], header[19]
    start += 12 * colours
    lines = b"".join(
        b"\0" + bytes(value for at in range(0, 4 * width, 4) for value in line[at : at + 3][::-1])
        for line in (data[start + y * row : start + (y + 1) * row] for y in range(height))
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in (
            (b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(lines, 9)),
            (b"IEND", b""),
        )
    )


@contextmanager
def short_folder() -> Iterator[Path]:
    """A new folder whose path fits into messages of the status line; TMPDIR may be too long.

    gnubg and the plugin show a message of more than 80 characters in a box.
    """
    with tempfile.TemporaryDirectory(prefix="g", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextmanager
def gnubg_in_window(
    folder: Path, display: str, *arguments: str, terminal: bool = True, rc: str = ""
) -> Iterator[GnubgWindow]:
    """gnubg's window, once it is there; its home is `folder`, its settings those of a new user.

    With `terminal` off all three standard files are closed. `rc` are lines of the start-up file.
    """
    settings = folder / ".gnubg" / "gnubgrc"
    settings.parent.mkdir(exist_ok=True)
    temporary = folder / ".cache"
    temporary.mkdir(exist_ok=True)
    lines = [*settings.read_text().splitlines()] if settings.exists() else []
    spy = folder / "spy.py"  # gnubg opens no path that is not ASCII
    shutil.copy(Path(__file__).with_name("inside_spy.py"), spy)
    settings.write_text("\n".join([*lines, rc, f'load python "{spy}"', ""]))
    environment = {
        "DISPLAY": display,
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "PATH": OUTSIDE,
        "PYTHONDONTWRITEBYTECODE": "1",
        "SPY": str(folder / "spy"),
        "BROWSER": os.environ.get("BROWSER", ""),
        "TMPDIR": str(temporary),  # it is killed at the end
    }
    if not (folder / "no-path").exists():
        environment["PYTHONPATH"] = str(ROOT / "scripts")
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"] if not terminal else []
    with (
        (folder / "stdout").open("wb") as output,
        subprocess.Popen(
            [*command, GNUBG, "-q", "-w", *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as gnubg,
    ):
        try:
            window = GnubgWindow(folder, display)
            window.wait(lambda: window.find("Game", "Label"), "the window")
            yield window
        finally:
            gnubg.kill()
