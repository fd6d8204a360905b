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

from tests.browser.visitor import BEGUN, open_until

FIREFOX = Path("/usr/bin/firefox-esr")
# Alt, Shift and a letter, as a keyboard sends them to the window.
_PRESS = """
const letter = arguments[0];
const keyboard = Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor);
keyboard.beginInputTransactionForTests(window);
gURLBar.focus(); // a page would have the keys first, in another process
const last = [letter, `Key${letter}`, letter.charCodeAt(0)];
const keys = [["Alt", "AltLeft", 18], ["Shift", "ShiftLeft", 16], last]
  .map(([key, code, keyCode]) => new KeyboardEvent("", { key, code, keyCode }));
for (const key of keys) keyboard.keydown(key);
for (const key of keys.reverse()) keyboard.keyup(key);
"""
# A script in the window of the extension's icon, which is in another process.
_IN_POPUP = """
const [script, done] = arguments;
const browser = document.querySelector(".webextension-popup-browser");
const manager = browser?.messageManager;
if (!manager) done(null);
else {
  let looks = 0; // it may close before it answers, or be moved to its place just now
  const timer = setInterval(() => {
    if (!browser.isConnected || (looks += 1) > 40) done(null);
  }, 50);
  const name = `answer ${Math.random()}`;
  manager.addMessageListener(name, function heed({ data }) {
    manager.removeMessageListener(name, heed);
    clearInterval(timer);
    done(data);
  });
  const call = `const { document } = content; ${script}`;
  const reply = `sendAsyncMessage('${name}', (() => { ${call} })())`;
  manager.loadFrameScript(`data:,${encodeURIComponent(reply)}`, false);
}
"""
_CLICK = """
const box = document.querySelector('{}').getBoundingClientRect();
const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
for (const kind of ['mousemove', 'mousedown', 'mouseup']) {{
  content.synthesizeMouseEvent(kind, x, y, {{ clickCount: 1 }});
}}
"""
_PATIENCE = 600  # seconds; it only ends a hopeless wait


class Firefox:
    """A window of Firefox with a page."""

    def __init__(self, marionette: Marionette) -> None:
        self.marionette = marionette

    def visit(self, address: str) -> None:
        """Open an address, even where only its end is another, and wait for its scripts."""

        def visit() -> None:
            self.marionette.navigate("about:blank")
            self.marionette.navigate(address)

        open_until(f"return Boolean({BEGUN})", visit, self.marionette.execute_script)

    def find(self, selector: str) -> Any:
        return self.marionette.find_element(By.CSS_SELECTOR, selector)

    def until(self, script: str, *arguments: Any) -> Any:
        """What a script returns as soon as that is true.

        It is asked from here: a script that waits in the page would wait for ever if its timers,
        or the page itself, had gone.
        """
        for _ in range(_PATIENCE * 20):
            if found := self.marionette.execute_script(f"return {script}", script_args=arguments):
                return found
            sleep(0.05)
        said = (
            "return [location.href, {...document.documentElement.dataset}, document.body.innerText]"
        )
        state = self.marionette.execute_script(said)
        raise AssertionError(f"never: {script} {arguments}; {state}")

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


def press(driver: Marionette, letter: str) -> None:
    """Press Alt, Shift and a letter."""
    in_window(driver, _PRESS, letter)


def in_window(driver: Marionette, script: str, *arguments: Any) -> Any:
    """What a script returns in the browser's own window, which is around the page."""
    with driver.using_context("chrome"):
        return driver.execute_script(script, script_args=arguments)


def in_popup(driver: Marionette, script: str) -> Any:
    """What a script returns in the window of the extension's icon; None if it is not open."""
    with driver.using_context("chrome"):
        return driver.execute_async_script(_IN_POPUP, script_args=[script])


def click_in_popup(driver: Marionette, selector: str) -> None:
    """Click with the mouse in the window of the icon, which is open and may close."""
    in_popup(driver, _CLICK.format(selector))


@contextmanager
def firefox(profile: Path, extension: Path | None = None) -> Iterator[Firefox]:
    """Start Firefox without a screen, with an empty profile, and perhaps with an extension."""
    preferences = '("marionette.port", 0);'  # a free one, which it writes down
    profile.joinpath("user.js").write_text(f"user_pref{preferences}\n", encoding="utf-8")
    command = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(profile)]
    command += ["--marionette", "--remote-allow-system-access"]  # to reach its keys and windows
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
