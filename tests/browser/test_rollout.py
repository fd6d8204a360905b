"""Rollouts on the Board, in workers of the page."""

from __future__ import annotations

import os

import pytest

from tests.cli.running import run
from tests.engines.built import FOLDER

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.support.ui import Select

from tests.browser.stations import check_layout, copied, enter
from tests.browser.visitor import Served, Visitor, by_mouse

RACE = "XGID=-ACBA---------------abbcc-:0:0:1:61:4:1:0:5:10"  # several plays are nearly equal


def test_the_result_is_that_of_the_command_line(
    visitor: Visitor, axe: str, playground: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the digit: the same games, whoever plays them."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.go(f"s={RACE}")
    visitor.shows("#depth", "2-ply")
    Select(visitor.find("#trials")).select_by_visible_text("36")
    visitor.use(by_mouse, "#roll-out")
    visitor.shows("#rolled code", "rollout")
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    words = "--rollout", "36", "--truncate", "7", "--truncate-plies", "0", RACE
    ran = run("nacbrac", "--engine", "builtin", *words)
    assert visitor.text("#rolled code") == ran.out.rstrip()
    rows = visitor.texts("#rolled li")
    assert len(rows) >= 2
    assert all("36 games" in row for row in rows)
    visitor.use(by_mouse, "#rolled button")
    assert copied(visitor) == ran.out.rstrip()
    check_layout(visitor, axe, "s")
    # It is kept: another decision hides it, and the same one shows it again.
    visitor.go("s=31")
    visitor.until("!document.querySelector('#rolled').children.length")
    visitor.go(f"s={RACE}")
    visitor.shows("#rolled code", "rollout")
    assert visitor.text("#rolled code") == ran.out.rstrip()
    assert visitor.texts("#rolled li") == rows


def test_a_rollout_stops_and_goes_on(visitor: Visitor, playground: Served) -> None:
    enter(visitor, f"{playground.address}#alphabet")
    visitor.go(f"s={RACE}")
    visitor.shows("#depth", "2-ply")
    visitor.use(by_mouse, "#roll-out")
    visitor.until("/^[1-9][0-9]* of 1296/.test(document.querySelector('#rolled > p')?.textContent)")
    visitor.use(by_mouse, "#roll-on", "Stop")
    visitor.shows("#roll-on", "Go on")
    stopped = visitor.text("#rolled > p")
    assert len(visitor.texts("#rolled li")) >= 2
    visitor.use(by_mouse, "#roll-on", "Go on")
    visitor.until("document.querySelector('#rolled > p').textContent !== arguments[0]", stopped)
    assert int(visitor.text("#rolled > p").split()[0]) > int(stopped.split()[0])
    visitor.go("s=31")
    visitor.until("!document.querySelector('#rolled').children.length")  # another turn ends it
