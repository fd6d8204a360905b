"""The architecture: imports, sizes of modules, and the examples of the documentation."""

from __future__ import annotations

import ast
import difflib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import islice
from pathlib import Path

import pytest

from tests.gnubg.ingame import GNUBG, gnubg_version
from tests.readme import (
    ALPHABET,
    PAGES,
    ROOT,
    TOP,
    agrees,
    copy_of_the_project,
    make_programs,
    renew,
    run_shown,
    shown_commands,
    with_alphabet,
)

PACKAGE = ROOT / "gnubg_nactation"
MODULES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = sorted((ROOT / "scripts").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
NAMES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in MODULES
}
EXTRAS = {  # the packages of extras that a module may import
    "deck.py": {"genanki"},
    "javascript.py": {"nactation_engine", "pyodide"},  # in a web page
    "ogxm.py": {"gvformat"},
    "parquet.py": {"duckdb"},
    "processes.py": {"distributed"},
    "registry.py": {"bgsage", "wasmtime"},
    "board.py": {"resvg_py"},
    "sage.py": {"bgbot_cpp", "bgsage"},
    "shell_files.py": {"shtab"},  # in a clone; the wheel contains its output
    "settings.py": {"typing_extensions"},  # for type checkers only
    "streams.py": {"rich"},
    "wasm.py": {"gnubg_nactation_engine", "wasmtime"},
}
# No test decides by a clock, and what ends a hopeless wait waits for ten minutes.
CLOCKS = {
    "archive/disturbed.py os.times": "when to kill a process; any moment will do",
    "archive/disturbed.py setitimer": "when to kill a process; any moment will do",
    "browser/conftest.py from time import gmtime": "where it is noon now; no test decides by it",
    "browser/test_side_by_side.py Date.now": "ends a hopeless wait",
    "browser/visitor.py Date.now": "ends a hopeless wait",
    "browser/visitor.py time.time": "Chromium wants the times of touches",
    "engines/agreement.py process_time": "prints the time for docs/equities.md",
    "exports/test_decks.py time.time": "Anki compares it with its own clock",
    "gnubg/terminal.py monotonic": "ends a hopeless wait",
    "gnubg/terminal.py select 0.2": "looks again and again",
    "gnubg/window.py monotonic": "ends a hopeless wait",
}
CLOCK = re.compile(
    r"\b(?:(?:perf_counter|process_time|thread_time|monotonic|time\.time)(?:_ns)?|clock_gettime"
    r"|from time import (?!sleep\b)\w+|timeit|os\.times|setitimer(?=\()|RLIMIT_CPU|hrtime"
    r"|(?:date(?:time)?|Date|performance)\.(?:now|utcnow|today)|console\.time)\b|new Date\(\)"
)
LONGEST = 600  # seconds
WAITS = {
    *("acquire", "alarm", "communicate", "implicitly_wait", "join", "result", "select"),
    *("set_page_load_timeout", "set_script_timeout", "settimeout", "timeout", "wait"),
    *("WebDriverWait",),
}
PAUSES = ("reader.wait", "visitor.wait", "self.wait")  # of a browser, in milliseconds


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> Iterator[str]:
    """The top names of everything that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0]
            case ast.Call(
                func=ast.Attribute(attr="import_module")
                | ast.Name(id="import_module" | "import_extra"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name.partition(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_package_imports_the_standard_library_only(path: Path) -> None:
    allowed = sys.stdlib_module_names | {"gnubg_nactation"}
    if path.name in {"program.py", "server.py"}:
        allowed |= {"gnubg"}  # built into GNU Backgammon
    allowed |= EXTRAS.get(path.name, set())
    assert set(imported(path)) <= allowed


def test_the_top_of_the_tree() -> None:
    """Nothing is committed that a test or a tool has left there."""
    if not ((ROOT / ".git").exists() and shutil.which("git")):
        pytest.skip("not a clone, or no git")
    command = ["git", "-c", "safe.directory=*", "ls-files"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    top = {path.partition("/")[0] for path in listed.stdout.splitlines()}
    assert {name for name in top if not name.startswith(".")} == TOP


def test_no_string_imports_a_module_of_the_package() -> None:
    """Lower rooms reach upper ones by hooks, which the front door registers."""
    strings = {
        (name, node.value)
        for name, path in NAMES.items()
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and node.value in NAMES
    }
    # A room may read the files in its own folder.
    assert not {(name, text) for name, text in strings if not name.startswith(f"{text}.")}


def test_no_circle_of_modules() -> None:
    """All imports count: within functions, for type checkers only, and by the strings of doors."""
    below = {name: {*modules_imported(path)} & {*NAMES} - {name} for name, path in NAMES.items()}
    assert [*TopologicalSorter(below).static_order()]  # or it raises CycleError


def modules_imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                for alias in names:
                    whole = f"{module}.{alias.name}"
                    yield whole if whole in NAMES else module
            case ast.ImportFrom():
                pytest.fail(f"{path.name} has a relative import")
            case ast.Constant(value=str(text)) if "." in text:  # the room of a hook, of a name
                yield f"{PACKAGE.name}.{text.removeprefix('.')}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_namespace_leaves_the_parser(path: Path) -> None:
    """Commands and tasks read typed settings; `cli/declaring.py` alone reads a parsed line."""
    if path == PACKAGE / "cli" / "declaring.py":
        return
    tree = ast.parse(path.read_bytes())
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert "Namespace" not in names
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    assert path.parent != PACKAGE / "cli" / "commands" or "options" not in parameters


def test_how_imports_are_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "import os.path, gnubg\nfrom a.b import c\nfrom . import d\n"
        "def f():\n    import late\n    return importlib.import_module('dynamic.x')\n"
    )
    assert set(imported(module)) == {"os", "gnubg", "a", "late", "dynamic"}
    module.write_text(
        "from gnubg_nactation import web, annotate\n"
        "if TYPE_CHECKING:\n    from gnubg_nactation.errors import NactationError\n"
        "def f():\n    import gnubg_nactation.hooks\n    register('exports.sgf')\n"
    )
    assert {name.removeprefix("gnubg_nactation.") for name in modules_imported(module)} == {
        *("gnubg_nactation", "web", "errors", "hooks", "exports.sgf")
    }


def clocks_of(path: Path) -> set[str]:
    """The clocks of a test, also those within its strings, and waits that may be too short."""
    source = path.read_text(encoding="utf-8")
    found = set(CLOCK.findall(source))
    for node in ast.walk(ast.parse(source)) if path.suffix == ".py" else ():
        given: list[ast.expr | None] = []
        match node:
            case ast.Call(func=function, args=args, keywords=keywords):
                name = ast.unparse(function)
                given = [word.value for word in keywords if word.arg == "timeout"]
                if name not in PAUSES and name.rpartition(".")[2] in WAITS:
                    given += args
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if re.search("timeout|patience|deadline", name, re.IGNORECASE):
                given = [value]
        found |= {
            f"{name.rpartition('.')[2]} {value.value}"
            for value in given
            if isinstance(value, ast.Constant)
            and isinstance(value.value, int | float)
            and value.value < LONGEST
            and (name, value.value) != ("pytest.mark.timeout", 0)
        }
    return found


def test_no_test_decides_by_a_clock() -> None:
    files = [
        path for kind in ("py", "mjs", "js", "sh") for path in (ROOT / "tests").rglob(f"*.{kind}")
    ]
    found = {
        f"{path.relative_to(ROOT / 'tests').as_posix()} {clock}"
        for path in files
        if path != Path(__file__)
        for clock in clocks_of(path)
    }
    assert found == CLOCKS.keys()


def test_how_clocks_are_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "import time\nSTARTED = time.perf_counter_ns()\nTIMEOUT_SECONDS = 9.5\n"
        "PROGRAM = 'const end = performance.now()'\nrun(['x'], timeout=60)\nprocess.wait(30)\n"
        "process.communicate(b'', timeout=600)\nvisitor.wait(50)\nterminal.wait('31')\n"
        "@pytest.mark.timeout(0)\ndef test(): pass\n"
    )
    assert clocks_of(module) == {
        *("perf_counter_ns", "performance.now", "TIMEOUT_SECONDS 9.5", "run 60", "wait 30"),
    }


def test_only_doors_list_their_names() -> None:
    """Elsewhere a leading underscore marks private names; `values` re-exports stand-ins."""
    listing = {path for path in MODULES if "\n__all__ = " in path.read_text(encoding="utf-8")}
    assert {path.name for path in listing} == {"__init__.py", "values.py"}


def test_layers() -> None:
    lint = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert lint, "import-linter is not installed"
    done = subprocess.run(
        [lint, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", [*MODULES, *SCRIPTS, *TESTS], ids=name_of)
def test_modules_say_what_they_are(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not source or ast.get_docstring(ast.parse(source))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_documentation_shows_what_happens(page: Path, tmp_path: Path) -> None:
    examples = shown_commands(page.read_text(encoding="utf-8"))
    if not examples:
        return
    copy, programs = copy_of_the_project(tmp_path), make_programs(tmp_path)
    for line in examples:
        if line.by_gnubg and not (Path(GNUBG).exists() or os.environ.get("CI")):
            continue
        output = run_shown(line.command, copy, programs)
        if not agrees(output, line, gnubg_version() if line.by_gnubg else ""):
            difference = difflib.unified_diff(line.output, output, "shown", "printed", lineterm="")
            pytest.fail("\n".join([f"$ {line.command}", *islice(difference, 30)]))


MARKDOWN = """\
```console
$ echo one; echo two
one
two

$ python3 -c 'import sys; print(sys.version)'
...
$ seq 9
1
...
9
```
```console norun
$ rm -r /
```
```console gnubg
$ echo "[P @79 H76]"
[P H78 @81]
```
```console gnubg 1.07
$ echo "[P @79 H76]"
[P @79 H76]
```
"""


def test_the_readme_is_a_door() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert "](docs/index.md)" in text
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in {*PAGES[1:]} - {ROOT / "docs" / "index.md"}:
        assert f"]({page.name})" in index


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_a_page_begins_with_the_questions_of_its_readers(page: Path) -> None:
    comment, end, _ = page.read_text(encoding="utf-8").partition("-->")
    assert comment.startswith("<!-- Questions:")
    assert end
    assert comment.count("?") == 5


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_no_remark_follows_a_command(page: Path) -> None:
    """Pasted into cmd or PowerShell each of its words would be an argument."""
    blocks = re.findall(r"```console norun\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    commands = [line for line in lines if line.startswith(("$ ", "> "))]
    assert not [line for line in commands if re.search(r" #|  ", line)]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert "://" in link or (page.parent / link).exists(), link


def test_the_documentation_lists_the_menu_of_gnubg() -> None:
    text = (ROOT / "docs" / "gnubg.md").read_text(encoding="utf-8")
    labels = re.findall(r'Entry\("(.+?)"', (PACKAGE / "tasks" / "gnubg_menu.py").read_text("utf-8"))
    assert labels
    assert re.findall(r"^\| ([A-Z].+?) \|", text, re.MULTILINE)[1 : len(labels) + 1] == labels


def test_the_documentation_holds_the_alphabet(tmp_path: Path) -> None:
    text = ALPHABET.read_text(encoding="utf-8")
    assert text == with_alphabet(text, ROOT, make_programs(tmp_path))


def test_the_board_in_the_documentation_is_drawn_by_its_command(tmp_path: Path) -> None:
    command = "nactate board 54S-63R-31P --play --theme light"
    text = (ROOT / "docs" / "posts.md").read_text(encoding="utf-8")
    assert f"$ {command} -o board.svg" in text
    output = "\n".join(run_shown(f"{command} --svg", ROOT, make_programs(tmp_path)))
    golden = (ROOT / "tests" / "golden" / "readme-board.svg").read_text(encoding="utf-8")
    assert output.strip() == golden.strip()


def test_how_the_readme_is_read(tmp_path: Path) -> None:
    examples = shown_commands(MARKDOWN)
    assert [line.command[:4] for line in examples] == ["echo", "pyth", "seq ", "echo", "echo"]
    programs = make_programs(tmp_path)
    assert [line.version for line in examples] == ["", "", "", "", "1.07"]
    for line in examples:
        assert agrees(run_shown(line.command, tmp_path, programs), line)
    assert not agrees(["[P @79 H76]"], examples[3]._replace(by_gnubg=False))
    assert not agrees(["[P H90 @99]"], examples[3])
    assert agrees(["[P H90 @99]"], examples[3], "1.08.003")
    assert not agrees(["[P @79 X76]"], examples[3], "1.08.003")
    assert agrees(["[P X1]"], examples[4], "1.08.003")
    assert not agrees(["[P X1]", "more"], examples[4], "1.08.003")
    assert run_shown(examples[1].command, tmp_path, programs) == sys.version.splitlines()
    assert not agrees(["one", "three"], examples[0])
    assert not agrees(["one"], examples[0])
    assert not agrees(["one", "two", "three"], examples[0])
    assert not agrees(["1", "2", "8"], examples[2])
    wrong = MARKDOWN.replace("two\n\n", "three\nfour\n\n")
    assert renew(wrong, tmp_path, programs) == MARKDOWN.replace("two\n\n", "two\n").replace(
        "[P H78 @81]", "[P @79 H76]"
    )
