"""The text on the clipboard, read with a program of the system."""

from __future__ import annotations

import os
import shutil
import subprocess

from gnubg_nactation.errors import NactationError

_TIMEOUT = 10  # seconds
_MAX_BYTES = 8 << 20
_POWERSHELL = "[Console]::OutputEncoding=[Text.Encoding]::UTF8;Get-Clipboard -Raw"
_PROGRAMS = (
    ("wl-paste", "--no-newline", "--type", "text"),
    ("xclip", "-selection", "clipboard", "-out"),
    ("xsel", "--clipboard", "--output"),
    ("pbpaste",),
    ("powershell.exe", "-NoProfile", "-Command", _POWERSHELL),
    ("pwsh", "-NoProfile", "-Command", _POWERSHELL),
)


def read_clipboard() -> bytes:
    """Return the text on the clipboard. Raises NactationError if no program can read it."""
    programs = [words for words in _PROGRAMS if shutil.which(words[0])]
    if "WAYLAND_DISPLAY" not in os.environ:  # wl-paste fails without one
        programs.sort(key=lambda words: words[0] == "wl-paste")
    if not programs:
        names = "wl-paste, xclip, xsel, pbpaste or PowerShell"
        raise NactationError(f"the clipboard cannot be read without {names}; use `-` and paste")
    problem = ""
    for words in programs:
        try:
            done = subprocess.run(words, capture_output=True, check=True, timeout=_TIMEOUT)
        except subprocess.CalledProcessError as error:
            lines = error.stderr.decode("utf-8", "replace").splitlines()
            problem = f"{words[0]}: {next(filter(str.strip, lines), 'it failed')}"
            continue
        except (OSError, subprocess.TimeoutExpired) as error:
            problem = f"{words[0]}: {error}"
            continue
        if len(done.stdout) > _MAX_BYTES:
            raise NactationError(f"the clipboard has more than {_MAX_BYTES >> 20} MB of text")
        if done.stdout.strip():
            return done.stdout
        problem = problem or "it has no text"
    raise NactationError(f"the clipboard cannot be read: {problem}")
