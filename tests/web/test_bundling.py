"""Modules as one script: in order, in one scope, without unsupported statements."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gnubg_nactation.system import resources
from gnubg_nactation.web import bundling
from gnubg_nactation.web.bundling import bundle, scripts_of

Write = Callable[[dict[str, str]], str]


@pytest.fixture
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """The bundle that begins with `start.js` of these modules."""
    monkeypatch.setattr(resources, "_TOP", os.fspath(tmp_path))

    def write(sources: dict[str, str]) -> str:
        bundling._bundle.cache_clear()
        for name, source in sources.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(source, encoding="utf-8")
        return bundle("page", ["start.js"])

    return write


def test_each_module_comes_once_and_behind_those_that_it_imports(bundled: Write) -> None:
    script = bundled(
        {
            "page/start.js": "// A start.\nimport { b } from './b.js';\nimport './c.js';\nb();\n",
            "page/b.js": "import {\n  c,\n} from './c.js';\n\nexport const b = () => c;\n",
            "page/c.js": "import '../kit/d.js';\n/** One. @type {number} */\nexport let c = 1;\n",
            "kit/d.js": "export async function d() {\n  return 'http://d';\n}\n",
        }
    )
    assert script == (
        "'use strict';(async () => {\n"
        "async function d() {\nreturn 'http://d';\n}\nlet c = 1;\nconst b = () => c;\nb();\n})();"
    )


@pytest.mark.parametrize(
    ("start", "imported", "message"),
    [
        ("import { a } from './b.js';", "const a = 1;", "page/b.js exports no a"),
        ("import './b.js';\nconst a = 1;", "let a = 2;", "a is declared in page/b.js, too"),
        (
            "import './b.js';\nfunction a() {}",
            "const [b, { c: a }] = d;",
            "a is declared in page/b.js, too",
        ),
        ("import './b.js';", "import './start.js';", "imports itself by page/b.js"),
        ("import * as b from './b.js';", "", "cannot bundle: import * as b"),
        ("import { a as c } from './b.js';", "export const a = 1;", "cannot bundle: import { a as"),
        ("import { a } from 'b';", "", "cannot bundle: import { a } from 'b'"),
        ("import './b.js';", "export default 1;", "cannot bundle: export default"),
        ("import './b.js';", "export { a };", "cannot bundle: export { a }"),
    ],
)
def test_what_is_not_understood_is_refused(
    start: str, imported: str, message: str, bundled: Write
) -> None:
    with pytest.raises(ValueError, match="page/") as caught:
        bundled({"page/start.js": f"{start}\n", "page/b.js": f"{imported}\n"})
    assert message in str(caught.value)


def test_a_page_names_its_scripts() -> None:
    tag = '<script type="module" src="{}.js"></script>\n'
    html = f"<p>One</p>\n{tag.format('b')}{tag.format('a')}"
    assert scripts_of(html) == ("<p>One</p>\n", ["b.js", "a.js"])
