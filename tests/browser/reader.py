"""A reader of the page, with a mouse and a keyboard."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By

from gnubg_nactation.exports.page.html import format_html
from tests.exports.pages import read

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
# Chromium without windows and extensions: its tests take a quarter less of the processor.
SHELL = Path("/usr/lib/chromium/chromium-headless-shell")
_FLAGS = (
    "no-sandbox",
    "disable-gpu",
    "disable-background-networking",
    "no-first-run",
    "disable-sync",
    "disable-component-update",
    "disable-ipc-flooding-protection",  # of a history in which tests step faster than people
)

DESKTOP, PHONE = (1280, 860), (320, 640)
SIZES = ((390, 844), (844, 390), (1280, 800), (1920, 1080))


_BOX = "const b = arguments[0].getBoundingClientRect(); return [b.x, b.y, b.width, b.height]"


# A script begins when it has unpacked the data of its page.
_BEGUN = """
return !document.querySelector('#data') || matchMedia('(scripting: none)').matches
  || document.documentElement.matches('.scripted') || document.querySelector('main > .trouble');
"""


class Reader:
    """A browser with the page, and what one does with it."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.page = folder / "page.html"
        self.page.write_text(format_html(read("match-7pt.mat")), encoding="utf-8")

    def open(self, anchor: str = "", size: tuple[int, int] = DESKTOP, page: str = "") -> None:
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 900},
        )
        self.browser.get("about:blank")
        path = self.page
        if page:
            path = self.folder / "other.html"
            path.write_text(page, encoding="utf-8")
        self.browser.get(f"{path.as_uri()}{anchor}")
        while not self.run(_BEGUN):
            self.wait(5)

    def find(self, selector: str) -> Any:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[Any]:
        return list(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    @property
    def actions(self) -> ActionChains:
        """What a mouse does, which is moved at once."""
        return ActionChains(self.browser, duration=0)

    def press(self, *keys: str) -> None:
        actions = self.actions
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def hover(self, element: Any) -> None:
        self.actions.move_to_element(element).perform()

    def click(self, element: Any) -> None:
        """Click, where it is in sight and nothing else lies upon it."""
        self.actions.click(element).perform()

    def box(self, element: Any) -> tuple[float, float, float, float]:
        """Where an element is in the window: x, y, width and height."""
        x, y, width, height = self.run(_BOX, element)
        return x, y, width, height

    def touch(self, element: Any, *, by: int = 0) -> None:
        """Put a finger on the middle of an element, draw it sideways, and take it away."""
        x, y, width, height = self.box(element)
        self._touch(x + width / 2, y + height / 2, by)

    def touch_at(self, selector: str, x: float, y: float) -> None:
        """Put a finger on a place of a drawing, in its own units."""
        self._touch(*self._place(selector, x, y), 0)

    def click_at(self, selector: str, x: float, y: float) -> None:
        """Click at a place of a drawing, in its own units."""
        at_x, at_y = self._place(selector, x, y)
        left, top, width, height = self.box(self.find(selector))
        way = round(at_x - left - width / 2), round(at_y - top - height / 2)
        self.actions.move_to_element_with_offset(self.find(selector), *way).click().perform()

    def _place(self, selector: str, x: float, y: float) -> tuple[float, float]:
        script = """
            const matrix = arguments[0].getScreenCTM();
            const { x, y } = new DOMPoint(arguments[1], arguments[2]).matrixTransform(matrix);
            return [x, y];
        """
        at_x, at_y = self.run(script, self.find(selector), x, y)
        return at_x, at_y

    def _touch(self, x: float, y: float, by: int) -> None:
        """All at once, or a busy machine makes a long press of a tap."""
        pointer: Any = PointerInput  # which has no types
        builder = ActionBuilder(self.browser, pointer("touch", "finger"), duration=0)
        finger: Any = builder.pointer_action
        finger.move_to_location(round(x), round(y)).pointer_down()
        for at in range(1, 5) if by else ():
            finger.move_to_location(round(x + by * at / 4), round(y))
        finger.pointer_up()
        builder.perform()

    def wait(self, milliseconds: int = 50) -> None:
        self.browser.execute_async_script(f"setTimeout(arguments[0], {milliseconds})")

    def awaited(self, selector: str) -> list[Any]:
        """What a selector finds as soon as it finds something; nothing after ten minutes."""
        for _ in range(6000):
            if elements := self.all(selector):
                return elements
            self.wait(100)
        return []

    def open_menus(self) -> None:
        """Open every menu of the page."""
        self.run("for (const menu of document.querySelectorAll('.menu')) menu.open = true")

    def go(self, anchor: str) -> None:
        """Go to an anchor of the page, and wait until the page has been told."""
        self.browser.execute_async_script(
            "const [anchor, told] = arguments; const before = location.href;"
            "const heard = () => setTimeout(told);"
            "addEventListener('hashchange', heard, { once: true }); location.hash = anchor;"
            "if (location.href === before) { removeEventListener('hashchange', heard); told() }",
            anchor,
        )

    def back(self) -> None:
        self.browser.execute_async_script(
            "const [told] = arguments;"
            "addEventListener('popstate', () => setTimeout(told), { once: true }); history.back()"
        )

    def violations(self, axe: str) -> Any:
        """What axe-core finds."""
        if not self.run("return !!window.axe"):
            self.run(axe)
        return self.browser.execute_async_script(
            "axe.run({ resultTypes: ['violations'] })"
            ".then(({ violations }) => arguments[0](violations))"
        )

    @property
    def anchor(self) -> str:
        return str(self.run("return location.hash"))

    @property
    def felt(self) -> str:
        """The colour of the board's field."""
        field = self.run(
            "const { fill } = getComputedStyle(document.querySelector('.nbl-field'));"
            "const felt = document.querySelector('#board-felt .felt');"  # between dark trays
            "return fill.startsWith('url') ? getComputedStyle(felt).stopColor : fill"
        )
        return "#{:02x}{:02x}{:02x}".format(*map(int, re.findall(r"\d+", field)))

    @property
    def explanation(self) -> str:
        return str(self.find("#explanation").text)

    def media(self, **features: str) -> None:
        settings = [{"name": name.replace("_", "-"), "value": to} for name, to in features.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": settings})
        # Who listens to a change hears of it with the next frame.
        self.browser.execute_async_script(
            "const told = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(told))"
        )

    def complaints(self) -> list[Any]:
        return [entry["message"] for entry in self.browser.get_log("browser")]


def start(profile: Path, *flags: str, display: str = "") -> Chrome:
    """Debian's Chromium with a profile of its own and further flags, without a screen or on one."""
    screen = "ozone-platform=x11" if display else "headless=new"
    return _start(CHROMIUM, profile, screen, f"user-data-dir={profile}", *flags, display=display)


def start_shell(downloads: Path) -> Chrome:
    """Debian's Chromium without windows, with a profile that its driver makes and deletes."""
    return _start(SHELL, downloads)


def _start(program: Path, downloads: Path, *flags: str, display: str = "") -> Chrome:
    options = ChromeOptions()
    options.binary_location = str(program)
    for flag in (*_FLAGS, *flags):
        options.add_argument(f"--{flag}")
    # Else they go to the current folder, or to that of the user.
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # Without keeping connections, which have the deadline that they began with.
    service = Service(str(DRIVER), env=os.environ | ({"DISPLAY": display} if display else {}))
    browser = Chrome(options=options, service=service, keep_alive=False)
    connection: Any = browser.command_executor
    connection.client_config.timeout = 720  # which only ends a hopeless wait
    browser.set_script_timeout(660)
    return browser
