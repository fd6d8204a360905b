"""A reader with Firefox, which Debian has without geckodriver: Marionette drives it."""

from __future__ import annotations

import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any

with warnings.catch_warnings():  # about what a module below looks up of the system
    warnings.simplefilter("ignore")
    from marionette_driver.addons import Addons
    from marionette_driver.by import By
    from marionette_driver.marionette import Marionette

FIREFOX = Path("/usr/bin/firefox-esr")
_PATIENCE = 600  # seconds; it only ends a hopeless wait


class Firefox:
    """A window of Firefox with a page."""

    def __init__(self, marionette: Marionette) -> None:
        self.marionette = marionette

    def visit(self, address: str) -> None:
        """Open an address, even where only its end is another."""
        self.marionette.navigate("about:blank")
        self.marionette.navigate(address)

    def find(self, selector: str) -> Any:
        return self.marionette.find_element(By.CSS_SELECTOR, selector)

    def until(self, script: str, *arguments: Any) -> Any:
        """What a script returns as soon as that is true."""
        return self.marionette.execute_async_script(
            "const given = [...arguments]; const done = given.pop();"
            f"(function again() {{ const found = (function () {{ return {script} }})(...given);"
            "if (found) done(found); else setTimeout(again, 20); })()",
            script_args=arguments,
            new_sandbox=False,
        )

    def shows(self, selector: str, text: str) -> None:
        """Wait until an element says something."""
        self.until(
            "document.querySelector(arguments[0])?.textContent.replace(/\\s+/g, ' ')"
            ".includes(arguments[1])",
            selector,
            text,
        )

    def click(self, selector: str, text: str = "") -> None:
        """Click the first of these elements that begins with a text, once it is there."""
        self.until(
            "(() => { const one = [...document.querySelectorAll(arguments[0])]"
            ".find((other) => other.textContent.startsWith(arguments[1]));"
            "one?.click(); return Boolean(one); })()",
            selector,
            text,
        )


@contextmanager
def firefox(profile: Path, extension: Path | None = None) -> Iterator[Firefox]:
    """Start Firefox without a screen, with an empty profile, and perhaps with an extension."""
    preferences = '("marionette.port", 0);'  # a free one, which it writes down
    profile.joinpath("user.js").write_text(f"user_pref{preferences}\n", encoding="utf-8")
    command = [str(FIREFOX), "--headless", "--no-remote", "--marionette", "--profile", str(profile)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        try:
            port = profile / "MarionetteActivePort"
            while not port.exists() or not port.read_text(encoding="utf-8"):
                assert process.poll() is None, "Firefox did not start"
                sleep(0.05)
            number = int(port.read_text(encoding="utf-8"))
            marionette = Marionette(port=number, socket_timeout=2 * _PATIENCE)
            marionette.start_session()
            marionette.timeout.script = _PATIENCE
            if extension:
                Addons(marionette).install(str(extension), temp=True)
            yield Firefox(marionette)
            marionette.delete_session()
        finally:
            process.terminate()
            process.wait()
