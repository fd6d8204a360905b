"""The static folder: its files, its reproducible bytes, and its server."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import zipfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from struct import unpack
from urllib.request import urlopen

import gvformat
import pytest

from gnubg_nactation.engines.wasm import read_files
from gnubg_nactation.errors import NactationError
from gnubg_nactation.tasks.site import (
    PYODIDE,
    core_by_npm,
    core_in,
    extension,
    server_of,
    site,
)
from tests.browser.conftest import missing
from tests.cli.running import ROOT, SAMPLES, run
from tests.engines.built import FOLDER, needs_builtin
from tests.system.test_litter import killed_while_writing

LICENCE = "https://www.gnu.org/licenses/gpl-3.0.html"  # linked, not loaded
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """A folder that looks like Pyodide."""
    folder = tmp_path / "node_modules" / "pyodide"
    folder.mkdir(parents=True)
    for name in FILES:
        (folder / name).write_text(f"this is {name}")
    (folder / "package.json").write_text(json.dumps({"version": PYODIDE}))
    return folder


@pytest.fixture(autouse=True)
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The files of an engine, which the command finds."""
    files = {"gnubg.wasm": b"a module", "source.tar.gz": b"its source"}
    folder = tmp_path / "engine"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "SHA256SUMS").write_text(f"{sha256(b'a module').hexdigest()}  gnubg.wasm\n")
    monkeypatch.setenv("NACTATION_ENGINE", str(folder))
    return files


@pytest.fixture
def files(pyodide: Path, engine: dict[str, bytes]) -> dict[str, bytes]:
    return dict(site(core_in(pyodide), engine))


def folder_of(files: dict[str, bytes]) -> str:
    return next(name for name in files if name.endswith("/app.js")).split("/")[0]


def test_two_builds_are_alike(
    files: dict[str, bytes], pyodide: Path, engine: dict[str, bytes]
) -> None:
    for place in (pyodide, pyodide.parent, pyodide.parents[1]):
        assert dict(site(core_in(place), engine)) == files


def test_another_python_is_another_folder(files: dict[str, bytes], pyodide: Path) -> None:
    (pyodide / FILES[0]).write_text("another")
    assert folder_of(dict(site(core_in(pyodide)))) != folder_of(files)


def test_what_the_page_uses_of_the_package_is_in_it_unchanged(files: dict[str, bytes]) -> None:
    packed = zipfile.ZipFile(io.BytesIO(files[f"{folder_of(files)}/package.zip"]))
    names = set(packed.namelist())
    other_faces = tuple(f"gnubg_nactation/{face}/" for face in ("cli", "plugin"))
    paths = (path.relative_to(ROOT) for path in (ROOT / "gnubg_nactation").rglob("*.py"))
    modules = {name for path in paths if not (name := path.as_posix()).startswith(other_faces)}
    assert modules | {"gnubg_nactation/web/icon.svg"} <= names  # a part of the pages of matches
    assert not any(name.startswith(other_faces) for name in names)
    assert not any("__pycache__" in name for name in names)
    installed = Path(gvformat.__path__[0]).parent
    for name in names:
        if not name.startswith("gvformat/"):
            assert packed.read(name) == (ROOT / name).read_bytes()
        elif name.endswith(".py"):  # the extra `files`
            assert packed.read(name) == (installed / name).read_bytes()
    assert "gvformat/reader.py" in names
    assert b"Permission is hereby granted" in packed.read("gvformat/LICENSE")
    assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_what_the_page_imports_of_python_is_compiled() -> None:
    """Everything else is unchanged, except for what no page can use."""
    folder = ROOT / ".venv/node_modules/pyodide"
    if not folder.exists() or not shutil.which("node"):
        missing("pyodide and node (npm install --prefix .venv pyodide)")
    made, again = (dict(site(core_in(folder))) for _ in range(2))
    assert made == again
    plain = dict(site(core_in(folder), compiles=False))
    (path,) = [name for name in plain if name.endswith("/python_stdlib.zip")]
    assert plain[path] == (folder / "python_stdlib.zip").read_bytes()
    (path,) = [name for name in made if name.endswith("/python_stdlib.zip")]
    library = zipfile.ZipFile(io.BytesIO(made[path]))
    package = zipfile.ZipFile(io.BytesIO(made[f"{folder_of(made)}/package.zip"]))
    original = zipfile.ZipFile(folder / "python_stdlib.zip")
    assert len(made[path]) < (folder / "python_stdlib.zip").stat().st_size
    assert {"json/decoder.pyc", "encodings/cp1252.py", "tarfile.py"} <= set(library.namelist())
    assert not {"json/decoder.py", "unittest/mock.py", "pdb.py"} & set(library.namelist())
    plays = "gnubg_nactation/language/plays.py"
    assert {plays, f"{plays}c"} <= set(package.namelist())  # the source is still there
    for packed, sources in ((library, original), (package, None)):
        for name in packed.namelist():
            data = packed.read(name)
            if name.endswith(".pyc"):
                assert data[4:8] == b"\1\0\0\0", name  # Python does not compare it with its source
            elif sources:
                assert data == sources.read(name)
            elif name.startswith("gnubg_nactation/"):
                assert data == (ROOT / name).read_bytes()


def test_all_that_the_page_asks_for_is_there(files: dict[str, bytes]) -> None:
    """Every address is relative, so that any path of any host will do."""
    page, folder = files["index.html"].decode(), folder_of(files)
    links = re.findall(r'(?:src|href)="([^"#]+)"', page)
    assert f"{folder}/app.js" in links
    assert set(links) - {LICENCE} <= set(files)
    if find_spec("resvg_py"):  # for iOS, which cannot read the SVG
        (link,) = re.findall('rel="apple-touch-icon" href="([^"]+)"', files["index.html"].decode())
        assert unpack(">II", files[link][16:24]) == (180, 180)
    manifest = json.loads(files[f"{folder}/manifest.json"])
    assert {f"{folder}/{icon['src']}" for icon in manifest["icons"]} <= set(files)
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
    assert set(data["samples"]) <= set(files)
    assert {name.split("/")[-1] for name in data["samples"]} == {
        path.name for path in SAMPLES.iterdir()
    }
    titles = [name.split("/")[-1] for name in data["samples"]]
    assert [title.partition(":")[0] for title in data["titles"]] == titles
    assert [title for title in data["titles"] if "with analysis" in title] == [
        "match-3pt-analysed.sgf: 3 point match, with analysis",
        "match-3pt.xg: 3 point match, with analysis",
    ]
    for name, script in files.items():
        if name.startswith(folder) and name.endswith(".js"):
            for module in re.findall(r"from '\./([^']+)'", script.decode()):
                assert f"{folder}/{module}" in files
            assert "innerHTML" not in script.decode()
            assert "https://" not in script.decode()
    cached = json.loads(re.findall(r"const FILES = (\[.*?\]);", files["service.js"].decode())[0])
    assert {*cached, "index.html", "service.js"} == set(files)


def test_the_policy_names_no_host(files: dict[str, bytes]) -> None:
    policy = re.findall(r'Security-Policy" content="([^"]*)"', files["index.html"].decode())[0]
    assert policy.startswith("default-src 'none'")
    assert "http" not in policy
    assert "*" not in policy
    assert "'unsafe-inline'" not in policy.replace("style-src-attr 'unsafe-inline'", "")
    assert "'unsafe-eval'" not in policy


def test_the_engine_and_its_source_are_in_it(files: dict[str, bytes]) -> None:
    page = files["index.html"].decode()
    engine = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])["engine"]
    assert files[engine["file"].removeprefix("../")] == b"a module"
    digest = base64.b64encode(sha256(b"a module").digest()).decode()
    assert engine["integrity"] == f"sha256-{digest}"
    assert files[engine["scripts"]] == b"its source"
    script = (ROOT / "scripts" / "engine.sh").read_text(encoding="utf-8")
    assert engine["source"].split("/")[-1] in script


def test_without_an_engine_the_command_says_what_is_missing(pyodide: Path, tmp_path: Path) -> None:
    (tmp_path / "engine" / "gnubg.wasm").write_bytes(b"damaged")
    ran = run("playground", "-o", tmp_path / "made", "--pyodide", pyodide)
    assert ran.status == 0
    assert ran.err.startswith("nactate: the page has no equities: ")
    assert "gnubg.wasm is damaged: install the extra `engine` again" in ran.err


def test_the_command_builds_it(pyodide: Path, tmp_path: Path, files: dict[str, bytes]) -> None:
    folder = tmp_path / "made"
    ran = run("playground", "-o", folder, "--pyodide", pyodide)
    assert ran.status == 0
    assert ran.err == ""
    assert str(folder / "index.html") in ran.out
    built = {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }
    assert built == files


# The extension


def test_the_command_builds_the_extension(
    pyodide: Path, tmp_path: Path, engine: dict[str, bytes]
) -> None:
    folder = tmp_path / "made"
    ran = run("playground", "--extension", "-o", folder, "--pyodide", pyodide)
    assert (ran.status, ran.err) == (0, "")
    assert [line.partition(": ")[0] for line in ran.out.splitlines()] == [
        str(folder / browser / "manifest.json") for browser in ("chromium", "firefox")
    ]
    built = {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }
    assert built == dict(extension(core_in(pyodide), engine))


def test_the_extension_may_do_little(pyodide: Path, engine: dict[str, bytes]) -> None:
    """No host is readable unless the user allows it, and no host can be reached at all."""
    files = dict(extension(core_in(pyodide), engine))
    expected = {
        "chromium": {"activeTab", "scripting", "storage", "offscreen"},
        "firefox": {"activeTab", "scripting", "storage"},
    }
    for browser, permissions in expected.items():
        manifest = json.loads(files[f"{browser}/manifest.json"])
        assert manifest["manifest_version"] == 3
        assert set(manifest["permissions"]) == permissions
        assert not {"host_permissions", "content_scripts", "web_accessible_resources"} & {*manifest}
        policy = manifest["content_security_policy"]["extension_pages"]
        assert policy.startswith("default-src 'none'")
        assert "connect-src 'self';" in policy
        assert "http" not in policy
        assert "*" not in policy


def test_all_that_the_extension_asks_for_is_there(pyodide: Path, engine: dict[str, bytes]) -> None:
    files = dict(extension(core_in(pyodide), engine))
    for browser in ("chromium", "firefox"):
        ours = {name.partition("/")[2]: data for name, data in files.items() if browser in name}
        manifest = json.loads(ours["manifest.json"])
        background = manifest["background"]
        asked = {
            background.get("service_worker") or background["page"],
            manifest["action"]["default_popup"],
            manifest["options_ui"]["page"],
            *manifest.get("icons", {}).values(),
        }
        for name, data in ours.items():
            if name.endswith(".html"):
                asked |= set(re.findall(r'(?:src|href)="([^"#:]+)"', data.decode())) - {""}
            if name.startswith("nactation-") and name.endswith(".js"):
                folder = name.partition("/")[0]
                asked |= {
                    f"{folder}/{module}"
                    for module in re.findall(r"(?:from|import) '\./([^']+)'", data.decode())
                }
        assert asked <= set(ours)
        script = ours["content.js"].decode()
        assert "innerHTML" not in script
        assert "import " not in script


@pytest.mark.skipif(sys.platform == "win32", reason="no locks, so nothing is swept")
def test_half_files_of_a_killed_run_are_not_published(pyodide: Path, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    names = ("index.html", "nactation-old/app.js", "nactation-old/samples/a.mat", "pyodide-1/a")
    halves = killed_while_writing(*(folder / name for name in names))
    assert run("playground", "-o", folder, "--pyodide", pyodide).status == 0
    assert [half for half in halves if half.exists()] == []


def test_another_version_is_told(pyodide: Path, tmp_path: Path) -> None:
    (pyodide / "package.json").write_text('{"version": "1.2.3"}')
    ran = run("playground", "-o", tmp_path / "made", "--pyodide", pyodide)
    assert ran.status == 0
    assert f"nactate: pyodide 1.2.3 is untested; the tests use {PYODIDE}\n" in ran.err


@pytest.mark.parametrize("package", ["", "[" * 100_000, "[]", '{"name": "x"}', '{"version": '])
def test_a_package_without_a_version_is_one_line(
    package: str, pyodide: Path, tmp_path: Path
) -> None:
    (pyodide / "package.json").write_text(package)
    ran = run("playground", "-o", tmp_path / "made", "--pyodide", pyodide)
    assert ran.err == f"nactate: {pyodide / 'package.json'}: no version in it\n"
    assert ran.status == 1


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ((), 2, "name a folder with -o"),
        (("-o", "x", "--port", "80"), 2, "go with --serve"),
        (("--extension", "--serve"), 2, "--extension does not go with --serve"),
        (("-o", "x", "--pyodide", "/nowhere"), 1, "/nowhere: no Pyodide here"),
    ],
)
def test_wrong_words_are_a_message(words: tuple[str, ...], status: int, message: str) -> None:
    ran = run("playground", *words)
    assert ran.status == status
    assert message in ran.err


def test_without_npm_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run("playground", "-o", tmp_path / "made")
    assert ran.status == 1
    assert "npm is needed to download" in ran.err
    assert not (tmp_path / "made").exists()


def test_what_npm_complains_of_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error no network' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NactationError, match="npm error no network"):
        core_by_npm()


# A stand-in for npm: `npm pack` gives the package that the registry would.
NPM = """\
#!/bin/sh
[ "$*" = "pack --silent --pack-destination $4 pyodide@{version}" ] || exit 9
tar -czf "$4/pyodide-{version}.tgz" --transform 's,^\\.,package,' -C {folder} .
"""


@needs_builtin
def test_the_workflow_builds_what_it_uploads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its steps, on what it checks out, with a Python that is old enough; pip has installed.

    The engine is the one that was built here, as the steps download it.
    """
    monkeypatch.delenv("NACTATION_ENGINE")
    if not os.environ.get("CI"):
        pytest.importorskip("furo", reason="the extra site is not installed")
    folder = ROOT / ".venv/node_modules/pyodide"
    if not folder.exists():
        missing("pyodide (npm install --prefix .venv pyodide)")
    workflow = (ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8")
    (python,) = re.findall(r'python-version: "3\.(\d+)"', workflow)
    (oldest,) = re.findall(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text())
    assert int(python) >= int(oldest)
    (node,) = re.findall(r"node-version: (\d+)", workflow)
    assert int(node) >= 18  # whose npm knows --pack-destination
    clone, programs = tmp_path / "clone", tmp_path / "bin"
    folders = "gnubg_nactation", "sample_matches", "docs", "scripts", "tests/golden", "build/engine"
    for name in folders:
        unwanted = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(ROOT / name, clone / name, ignore=unwanted)
    programs.mkdir()
    (programs / "npm").write_text(NPM.format(version=PYODIDE, folder=shlex.quote(str(folder))))
    (programs / "npm").chmod(0o755)
    (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python").chmod(0o755)
    runs = re.findall(r"^ +- run: (.+)$", workflow, re.MULTILINE)
    packages, engine, install, *steps = runs
    assert len(runs) == workflow.count("run:") == 4
    needed = re.search(r"packages=\((.+)\)", (ROOT / "scripts/engine.sh").read_text("utf-8"))
    assert needed
    assert set(needed[1].split()) <= set(packages.split())
    assert engine == "bash scripts/engine.sh build/engine"
    assert workflow.count("path: build/engine") == 2
    assert install == "python -m pip install --quiet '.[png,site]'"
    for step in steps:
        path = f"{programs}:/usr/bin:/bin"
        done = subprocess.run(
            ["bash", "-e", "-c", step],
            cwd=clone,
            env={"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    uploaded = re.findall(r"^ +path: (.+)$", workflow, re.MULTILINE)[-1]
    built = clone / uploaded
    assert (built / "index.html").is_file()
    built /= "playground"
    files = {
        p.relative_to(built).as_posix(): p.read_bytes() for p in built.rglob("*") if p.is_file()
    }
    ours = dict(site(core_in(folder), read_files(FOLDER)))
    names = sorted({*files, *ours})
    assert [name for name in names if files.get(name) != ours.get(name)] == []


def test_a_server_gives_it_out_with_its_kinds(tmp_path: Path) -> None:
    kinds = {
        "a.mjs": "text/javascript; charset=utf-8",
        "a.js": "text/javascript; charset=utf-8",
        "a.wasm": "application/wasm",
        "a.json": "application/json",
        "a.html": "text/html; charset=utf-8",
        "a.mat": "application/octet-stream",
    }
    for name in kinds:
        (tmp_path / name).write_bytes(b"some")
    with server_of(tmp_path) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert server.server_address[0] == "127.0.0.1"
        for name, kind in kinds.items():
            with urlopen(f"http://127.0.0.1:{server.server_port}/{name}") as response:
                assert response.headers["Content-Type"] == kind
                assert response.read() == b"some"
        server.shutdown()


def test_ctrl_c_ends_the_server(pyodide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("http.server.ThreadingHTTPServer.serve_forever", interrupt)
    ran = run("playground", "--serve", "--pyodide", pyodide)
    assert ran.status == 130
    assert [f"{address}\n" for address in opened] == [ran.out]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", ran.out)
    quiet = run("playground", "--serve", "--no-browser", "--pyodide", pyodide)
    assert (quiet.status, len(opened)) == (130, 1)
