"""A headless Chromium for the page, and axe-core to judge it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
MODULES = Path(__file__).parent / "node_modules"


def missing(what: str) -> None:
    """Skip for want of a program; where everything is to be installed, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """One browser for the tests of a module, with a profile of its own."""
    if not (CHROMIUM.exists() and DRIVER.exists()):
        missing("Debian's chromium with chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (
        "headless=new",
        "no-sandbox",
        "disable-gpu",
        "disable-background-networking",
        "no-first-run",
        "disable-sync",
        "disable-component-update",
        f"user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, installed beside the tests."""
    source = MODULES / "axe-core" / "axe.min.js"
    if not source.exists():
        if not shutil.which("npm"):
            missing("axe-core (and npm to get it)")
        command = ["npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"]
        subprocess.run([*command, "--prefix", str(MODULES.parent), "axe-core@4"], check=True)
    return source.read_text(encoding="utf-8")
