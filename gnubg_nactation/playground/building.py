"""The static folder of the playground: its files, made of this package and of Pyodide.

What may change stands in folders named by content, so that a browser can keep it for ever; only
`index.html` and the service worker are looked for again. The same package and the same Pyodide
give the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
import sysconfig
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path

import gnubg_nactation
from gnubg_nactation import playground, web
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.page.board import board_colours, board_places, plain_board
from gnubg_nactation.exports.page.document import COLOURS, themed
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.files.formats import read
from gnubg_nactation.playground.letters import alphabet
from gnubg_nactation.playground.matches import MAX_BYTES
from gnubg_nactation.showing import json_text, read_json
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import Any, NamedTuple

PYODIDE = "314.0.7"  # the version that is downloaded, and that is tried
_CORE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
_PACKED = {".py", ".js", ".css", ".html", ".typed", ".1", ".bash", ".fish", ""}
_SAMPLES = "sample_matches"
_READ = {".mat", ".sgf", ".txt"}  # what the page reads without an extra
_SECONDS = 600  # to download
_LONGEST = 12  # characters of a name by content


class Core(NamedTuple):
    """Pyodide: its version, and the files by which it starts."""

    version: str
    files: dict[str, bytes]


def core_in(folder: Path) -> Core:
    """Pyodide in a folder, or as npm has installed it below that; NactationError, OSError."""
    places = (folder, folder / "pyodide", folder / "node_modules" / "pyodide")
    for place in places:
        if (place / _CORE[0]).is_file():
            try:
                version = read_json((place / "package.json").read_bytes())["version"]
            except (ValueError, TypeError, LookupError):
                raise NactationError(f"{place / 'package.json'}: names no version") from None
            return Core(str(version), {name: (place / name).read_bytes() for name in _CORE})
    raise NactationError(f"{folder}: no Pyodide there, as `npm install pyodide@{PYODIDE}` makes it")


def core_by_npm() -> Core:
    """Pyodide, downloaded by npm; NactationError where that cannot be."""
    wanted = f"pyodide@{PYODIDE}"
    program = shutil.which("npm")
    if program is None:
        raise NactationError(
            f"npm is not installed, which would download {wanted}; --pyodide names a folder with it"
        )
    with temporary_folder() as folder:
        command = [program, "pack", "--silent", "--pack-destination", folder, wanted]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            raise NactationError(f"npm has not downloaded {wanted} in {_SECONDS} s") from None
        except subprocess.CalledProcessError as error:
            told = [line for line in error.stderr.splitlines() if line.strip()] or ["it failed"]
            raise NactationError(f"npm cannot download {wanted}: {told[0]}") from None
        packed = next(Path(folder).glob("*.tgz"))
        with tarfile.open(packed) as archive:
            files = {name: _member(archive, f"package/{name}") for name in _CORE}
    return Core(PYODIDE, files)


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    try:
        file = archive.extractfile(name)
    except KeyError:
        file = None
    if file is None:
        raise NactationError(f"what npm has downloaded holds no {name}")
    return file.read()


def site(core: Core, wheels: Sequence[tuple[str, bytes]] = ()) -> Iterator[tuple[str, bytes]]:
    """The files of the folder, each by its path with `/`; `index.html` last.

    `wheels`, each with its name, are unpacked beside the package when it starts.
    """
    python = {f"pyodide-{core.version}/{name}": data for name, data in sorted(core.files.items())}
    samples = {f"samples/{path.name}": path.read_bytes() for path in _samples()}
    ours = _ours() | dict(wheels) | samples
    templates = {name: _resource(name).encode() for name in ("index.html", "service.js")}
    version = _digest({**python, **ours, **templates})
    folder = f"nactation-{version}"
    named = {f"{folder}/{name}": data for name, data in ours.items()}
    yield from (named | python).items()
    service = templates["service.js"].decode().replace("{version}", version)
    yield "service.js", service.replace("[/* files */]", json.dumps([*named, *python])).encode()
    data = _data(folder, core.version, [name for name, _ in wheels], samples)
    yield "index.html", _index(folder, data).encode()


def _digest(files: Mapping[str, bytes]) -> str:
    found = hashlib.sha256()
    for name, data in sorted(files.items()):
        found.update(f"{name} {len(data)}\n".encode() + data)
    return found.hexdigest()[:_LONGEST]


def _ours() -> dict[str, bytes]:
    """The scripts, the style and the package."""
    kit, own = Path(web.__path__[0], "kit"), Path(playground.__path__[0])
    files = {f"kit-{name}": data.replace(b"'./", b"'./kit-") for name, data in _scripts(kit)}
    files |= {name: data.replace(b"'../web/kit/", b"'./kit-") for name, data in _scripts(own)}
    style = themed(COLOURS) + _resource("style.css") + board_colours()
    return files | {"style.css": style.encode(), "package.zip": _package()}


def _scripts(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The modules of a folder; the service worker is none, and has a place of its own."""
    for path in sorted(folder.glob("*.js")):
        if path.name != "service.js":
            yield path.name, path.read_bytes()


def _resource(name: str) -> str:
    return Path(playground.__path__[0], name).read_text(encoding="utf-8")


def _package() -> bytes:
    """The sources of this package as a zip, in a fixed order and at a fixed time."""
    top = Path(gnubg_nactation.__path__[0])
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(top.rglob("*"), key=lambda path: path.relative_to(top).as_posix()):
            if path.is_file() and path.suffix in _PACKED and "__pycache__" not in path.parts:
                inside = path.relative_to(top.parent).as_posix()
                entry = zipfile.ZipInfo(inside)  # of 1980
                entry.external_attr = 0o644 << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    return made.getvalue()


def _samples() -> list[Path]:
    """The sample matches that came with the package, in a clone or as installed."""
    clone = Path(gnubg_nactation.__path__[0]).parent
    installed = Path(sysconfig.get_path("data"), "share", "gnubg-nactation")
    folder = next((top / _SAMPLES for top in (clone, installed) if (top / _SAMPLES).is_dir()), None)
    found = sorted(folder.iterdir()) if folder else []
    return [path for path in found if path.suffix in _READ]


def _sample_title(path: str, data: bytes) -> str:
    """What a sample is called in a menu: its name, its length, and whether it is analysed."""
    name, first = path.rpartition("/")[2], read(data)[0]
    kind = f"{first.length} point match" if first.length else "money session"
    actions = [one for game in first.games for one in game.actions]
    analysed = any(getattr(one, "analysis", None) for one in actions)
    return f"{name}: {kind}{', with analysis' if analysed else ''}"


def _data(
    folder: str, python: str, wheels: list[str], samples: Mapping[str, bytes]
) -> dict[str, Any]:
    """What the scripts find in the page: PlaygroundData of web/types.d.ts."""
    return {
        "board": board_places(),
        "python": f"../pyodide-{python}/",  # from the worker
        "archives": ["package.zip", *wheels],
        "samples": [f"{folder}/{name}" for name in samples],
        "titles": list(starmap(_sample_title, samples.items())),
        "start": format_xgid(GameState()),
        "largest": MAX_BYTES,
        "targets": list(TARGETS),
        "alphabet": alphabet(),
    }


def _index(folder: str, data: dict[str, Any]) -> str:
    island = json_text(data, close=True).replace("<", "\\u003c")
    parts: dict[str, Callable[[], str]] = {
        "policy": _policy,
        "folder": lambda: folder,
        "board": lambda: plain_board(GameState(), view=Player.FIRST),
        "data": lambda: island,
    }
    # By hand: the page has braces of its own.
    return re.sub(r"\{(\w+)\}", lambda found: parts[found[1]](), _resource("index.html"))


def _policy() -> str:
    """Nothing of another host; of the page of a match, shown in a frame, its script and style."""
    of_page = re.findall(r"'sha256-[\w+/=]+'", re.sub("&#x27;", "'", format_html([])))
    style, script = of_page[0], of_page[-1]
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {script}; "
        f"style-src-elem 'self' {style}; style-src-attr 'unsafe-inline'; "
        "connect-src 'self'; worker-src 'self'; img-src 'self' data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
