"""The site: its links, its search, the way to the playground, and narrow screens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import html5lib
import pytest

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")
    pytest.importorskip("furo", reason="the extra site is not installed")

from tests.browser.reader import Reader
from tests.browser.visitor import Visitor
from tests.readme import PAGES, ROOT
from tests.sharing import shared_folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site that NACTATION_SITE names, or else a new one, for all workers."""
    if path := os.environ.get("NACTATION_SITE"):
        return Path(path)
    return shared_folder(tmp_path_factory, "site", _build)


def _build(folder: Path) -> None:
    script = ROOT / "scripts" / "site.sh"
    done = subprocess.run(
        ["bash", script, folder], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of the site, by a plain server of files."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        [*command, "--directory", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout
        port = re.search(r"port (\d+)", server.stdout.readline())
        assert port
        yield f"http://127.0.0.1:{port[1]}/"
        server.terminate()


@pytest.fixture
def visitor(reader: Reader) -> Visitor:
    return Visitor(reader)


def test_each_link_leads_to_a_place_on_the_site(folder: Path) -> None:
    pages = {
        path.name: html5lib.parse(path.read_bytes(), namespaceHTMLElements=False)
        for path in folder.glob("*.html")
    }
    assert len(pages) > len(PAGES)
    places = {name: {element.get("id") for element in page.iter()} for name, page in pages.items()}
    dead = set()
    for name, page in pages.items():
        for element in page.iter():
            link = urlsplit(element.get("href") or element.get("src") or "")
            if link.scheme or link.netloc:
                continue
            path = unquote(link.path) or name
            there = places.get(path, {unquote(link.fragment)})
            if not (folder / path).exists() or (link.fragment and link.fragment not in there):
                dead.add((name, link.geturl()))
    assert not {(name, link) for name, link in dead if link != "#"}


def test_search_leads_to_a_page(visitor: Visitor, address: str) -> None:
    visitor.size(1280, 800)
    visitor.visit(f"{address}index.html")
    field = visitor.find(".sidebar-search")
    field.send_keys("nacbrac")
    field.submit()
    visitor.until("document.querySelectorAll('#search-results li > a').length > 3")  # one by one
    visitor.click(visitor.find("#search-results li > a"))
    visitor.until("document.querySelector('article h1')")
    assert "nacbrac" in visitor.text("article").lower()


def test_a_link_leads_to_the_playground(visitor: Visitor, address: str) -> None:
    visitor.visit(f"{address}index.html")
    visitor.click(visitor.find(".announcement a"))
    visitor.until("location.pathname.startsWith('/playground/')")
    visitor.shows("#places", "Openings")


def test_nothing_scrolls_sideways_on_a_phone(visitor: Visitor, address: str, folder: Path) -> None:
    visitor.size(390, 844)
    wide = []
    for page in sorted(folder.glob("*.html")):
        visitor.visit(address + page.name)
        if visitor.run("return document.documentElement.scrollWidth") > 390:
            wide.append(page.name)
    assert not wide
