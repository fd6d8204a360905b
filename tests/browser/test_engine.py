"""The built-in engine in Chromium: in the page it gives the bytes that it gives in CPython.

tests/web/test_engine.py asks all questions in Node, which has Chromium's WebAssembly.
"""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import missing
from tests.web.test_engine import questions_with_answers

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from tests.browser.reader import CHROMIUM, DRIVER, Reader, start
from tests.browser.visitor import Served, Visitor, serving

STEP = 20  # between the states of these questions
# The answers of the engine in the page, as hexadecimal bytes.
ANSWERS = """
const [folder, file, questions, done] = arguments;
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const start = async () => (await import(`${folder}/engine.js`))
  .startEngine(await (await fetch(file)).arrayBuffer());
(async () => {
  const ask = await start();
  return questions.map(([name, ...rest]) => hex(new Uint8Array(ask(name, ...rest).buffer)));
})().then(done, (error) => done(String(error)));
"""


def test_answers_are_equal_byte_for_byte(reader: Reader, playground: Served) -> None:
    """Under the policy of the page, which does not start Python here."""
    questions, answers = questions_with_answers(step=STEP)
    visitor = Visitor(reader)
    with visitor.before_each_page("delete globalThis.Worker"):
        visitor.visit(f"{playground.address}#alphabet")
        visitor.python("impossible")
        file = f"{visitor.scripts}/{json.loads(visitor.text('#data'))['engine']['file']}"
        run: Any = visitor.browser.execute_async_script
        assert run(ANSWERS, visitor.scripts, file, questions) == answers


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the flag is of another processor")
def test_without_simd_the_page_works_without_equities(built: Path, tmp_path: Path) -> None:
    """As in Safari before 16.4."""
    if not (CHROMIUM.exists() and DRIVER.exists()):
        missing("Debian's chromium with chromium-driver")
    with (
        start(tmp_path / "profile", "js-flags=--no-enable-sse4-1") as browser,
        serving(built, tmp_path / "site") as served,
    ):
        visitor = Visitor(Reader(browser, tmp_path))
        visitor.visit(f"{served.address}#s=31P")
        message = "this browser cannot run them. Please use one from 2023 or later."
        visitor.shows("#judgement", f"No equities: {message}")
        visitor.shows("#turns", "8/5 6/5")
        assert not visitor.complaints()
