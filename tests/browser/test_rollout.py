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

# Workers play no game whose number is beyond a limit, as if it took long; and all are counted.
HOLD_GAMES = """
Object.assign(window, { limit: arguments[0], asked: 0 });
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function hold(message, ...others) {
  const { first, count } = message.games || { first: 0, count: 0 };
  if (first >= window.limit) return;
  window.asked += count;
  postMessage.call(this, message, ...others);
};
"""


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


def test_a_rollout_stops_and_goes_on(
    visitor: Visitor, playground: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after the page was left in the middle of it: only the rest is played."""
    enter(visitor, f"{playground.address}#alphabet")
    visitor.go(f"s={RACE}")
    visitor.shows("#depth", "2-ply")
    Select(visitor.find("#trials")).select_by_visible_text("144")
    visitor.browser.execute_script(HOLD_GAMES, 42)
    visitor.use(by_mouse, "#roll-out")
    visitor.shows("#rolled > p", "42 of 144 games")
    visitor.use(by_mouse, "#roll-on", "Stop")
    visitor.shows("#roll-on", "Go on")
    plays = len(visitor.texts("#rolled li"))
    assert plays >= 2
    visitor.browser.execute_script("limit = 84")
    visitor.use(by_mouse, "#roll-on", "Go on")
    visitor.shows("#rolled > p", "84 of 144 games")
    enter(visitor, f"{playground.address}#s={RACE}")
    visitor.shows("#rolled > p", "of 144 games")
    kept = [int(row.split(", ")[1].split()[0]) for row in visitor.texts("#rolled li")]
    assert len(kept) == plays
    assert min(kept) >= 36
    visitor.browser.execute_script(HOLD_GAMES, 144)
    visitor.use(by_mouse, "#roll-on", "Go on")
    visitor.shows("#rolled code", "rollout")
    assert visitor.browser.execute_script("return asked") == 144 * plays - sum(kept)
    monkeypatch.setenv("NACTATION_ENGINE", str(FOLDER))
    words = "--rollout", "144", "--truncate", "7", "--truncate-plies", "0", RACE
    ran = run("nacbrac", "--engine", "builtin", *words)
    assert visitor.text("#rolled code") == ran.out.rstrip()
    visitor.go("s=31")
    visitor.until("!document.querySelector('#rolled').children.length")  # another turn ends it
