"""The files of the playground's static folder, made from this package and Pyodide.

Files that may change are in folders named after their content, so a browser can keep them for
ever; it only checks `index.html` and the service worker again. The same package and the same
Pyodide give the same bytes.
"""

from __future__ import annotations

import binascii
import hashlib
import io
import json
import posixpath
import re
import shutil
import subprocess
import sysconfig
import tarfile
import webbrowser
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, distribution
from itertools import starmap
from pathlib import Path

import gnubg_nactation
from gnubg_nactation.archive.replies import Chart
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.engines.wasm import MODULE, SOURCE
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.board import BOARDS, png_of
from gnubg_nactation.exports.chart import chart_page
from gnubg_nactation.exports.page.document import (
    COLOURS,
    board_choices,
    board_colours,
    board_paint,
    board_places,
    design,
    match_style,
    plain_board,
    usual_board,
)
from gnubg_nactation.exports.scores import scores_style
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.exports.views import family_view, progress_view, signed
from gnubg_nactation.files.formats import SUFFIXES, read
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.sequences.incremental import read_progress
from gnubg_nactation.sequences.openings import OPENINGS
from gnubg_nactation.showing import __version__, json_text, read_json
from gnubg_nactation.system.resources import package_file, package_text
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.tasks.judging import MAX_BYTES
from gnubg_nactation.tasks.openings import look_up
from gnubg_nactation.values import Any, NamedTuple
from gnubg_nactation.web.bundling import bundle

PYODIDE = "314.0.7"  # the version to download, which the tests use
_LIBRARY = "python_stdlib.zip"
_PACKAGE = "package.zip"
_CORE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    _LIBRARY,
    "pyodide-lock.json",
)
_PACKED = {".py", ".js", ".css", ".html", ".svg", ".typed", ".gz"}
_OTHER_FACES = {"cli", "plugin"}  # which the page never imports
_FACE = "playground"  # its scripts are files of the folder
_GNUBG_SOURCE = "https://deb.debian.org/debian/pool/main/g/gnubg/gnubg_1.07.001.orig.tar.gz"
# How the page looks as an installed app, and what it opens; addresses are relative to the manifest.
_MANIFEST = {
    "name": "Nactation playground",
    "short_name": "Nactation",
    "start_url": "../",
    "scope": "../",
    "display": "standalone",
    "background_color": COLOURS["ground"][0],
    "theme_color": COLOURS["ground"][0],
    "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    "file_handlers": [{"action": "../", "accept": {"application/octet-stream": [*SUFFIXES]}}],
    "share_target": {
        "action": "../share",
        "method": "POST",
        "enctype": "multipart/form-data",
        "params": {"files": [{"name": "files", "accept": ["text/*", "application/*"]}]},
    },
}
_TOUCH_ICON = "touch-icon.png"
_TOUCH_LINK = f'<link rel="apple-touch-icon" href="{{}}/{_TOUCH_ICON}">\n'
_EMBED_POLICY = (  # the small view loads its scripts and its style, and nothing later
    "default-src 'none'; script-src 'self'; style-src-elem 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'"
)
_READER = "gvformat"  # of matches of BGBlitz and in OGXM
_SAMPLES = "sample_matches"
_FOLDER = "nactation-"  # of the page's own files, with their digest
_TIMEOUT = 600  # seconds
_DIGEST_CHARS = 12


class Core(NamedTuple):
    """The version of Pyodide and the files it needs to start."""

    version: str
    files: dict[str, bytes]


def core_in(folder: Path) -> Core:
    """Read Pyodide from a folder, or from where npm installs it below; NactationError, OSError."""
    places = (folder, folder / "pyodide", folder / "node_modules" / "pyodide")
    for place in places:
        if (place / _CORE[0]).is_file():
            try:
                version = read_json((place / "package.json").read_bytes())["version"]
            except (ValueError, TypeError, LookupError):
                raise NactationError(f"{place / 'package.json'}: no version in it") from None
            return Core(str(version), {name: (place / name).read_bytes() for name in _CORE})
    raise NactationError(f"{folder}: no Pyodide here; try `npm install pyodide@{PYODIDE}`")


def core_by_npm() -> Core:
    """Download Pyodide with npm; NactationError if that fails."""
    package = f"pyodide@{PYODIDE}"
    program = shutil.which("npm")
    if program is None:
        raise NactationError(
            f"npm is needed to download {package}; install it, or name a folder with --pyodide"
        )
    with temporary_folder() as folder:
        command = [program, "pack", "--silent", "--pack-destination", folder, package]
        try:
            subprocess.run(
                command,
                check=True,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=_TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            raise NactationError(f"npm took over {_TIMEOUT} s to download {package}") from None
        except subprocess.CalledProcessError as error:
            reasons = [line for line in error.stderr.splitlines() if line.strip()] or ["it failed"]
            raise NactationError(f"npm cannot download {package}: {reasons[0]}") from None
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
        raise NactationError(f"no {name} in the package that npm downloaded")
    return file.read()


def site(
    core: Core, engine: Mapping[str, bytes] | None = None, *, compiles: bool = True
) -> Iterator[tuple[str, bytes]]:
    """The files of the folder with their paths, `index.html` last.

    `engine` has the files of `wasm.read_files`; without them the page has no equities. If Node is
    installed, much of Python's library and of the package is compiled, which takes 5 seconds;
    without `compiles` nothing is.
    """
    core, package = _compiled(core) if compiles else (core, _package())
    yield from _site(core, package, engine)


def _compiled(core: Core) -> tuple[Core, bytes]:
    """Pyodide and package.zip as compiling.mjs makes them; unchanged if Node cannot make them.

    Pyodide's folder gets another name, as a start from a kept memory needs the library of that.
    """
    package = _package()
    files = {**core.files, _PACKAGE: package}
    made = _made_by_node("compiling.mjs", files, [_LIBRARY, _PACKAGE])
    if made is None:
        return core, package
    library, package = made
    version = f"{core.version}-{_digest({_LIBRARY: library})}"
    return Core(version, {**core.files, _LIBRARY: library}), package


def _made_by_node(
    script: str, files: Mapping[str, bytes], made: Sequence[str]
) -> list[bytes] | None:
    """The files that a script writes in a folder with these files; None if Node cannot run it."""
    program = shutil.which("node")
    if program is None:
        return None
    with temporary_folder() as folder:
        for name, data in {**files, "script.mjs": package_file(f"playground/{script}")}.items():
            Path(folder, name).write_bytes(data)
        command = [program, str(Path(folder, "script.mjs")), folder]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_TIMEOUT)
            return [Path(folder, name).read_bytes() for name in made]
        except (OSError, subprocess.SubprocessError):
            return None


def _site(
    core: Core, package: bytes, engine: Mapping[str, bytes] | None
) -> Iterator[tuple[str, bytes]]:
    python = {f"pyodide-{core.version}/{name}": data for name, data in sorted(core.files.items())}
    samples = {f"samples/{path.name}": path.read_bytes() for path in _samples()}
    place = f"engine-{_digest(engine or {})}"
    engines = {f"{place}/{name}": data for name, data in (engine or {}).items()}
    ours = _ours() | {_PACKAGE: package} | samples
    templates = {
        name: _resource(name).encode() for name in ("index.html", "embed.html", "service.js")
    }
    version = _digest({**python, **engines, **ours, **templates})
    folder = f"{_FOLDER}{version}"
    ours = {f"{folder}/{name}": data for name, data in ours.items()}
    yield from (ours | python | engines).items()
    service = templates["service.js"].decode().replace("{version}", version)
    kept = ["embed.html", *ours, *python, *engines]
    yield "service.js", service.replace("[/* files */]", json.dumps(kept)).encode()
    data = _data(folder, core.version, samples)
    data["engine"] = _engine_data(place, engine) if engine else None
    yield (
        "embed.html",
        _page("embed.html", folder, {"board": data["board"]}, _EMBED_POLICY).encode(),
    )
    yield "index.html", _page("index.html", folder, data, _policy()).encode()


def _engine_data(folder: str, files: Mapping[str, bytes]) -> dict[str, str]:
    """The engine's module, seen from the worker, its hash, and where its source is."""
    digest = hashlib.sha256(files[MODULE]).digest()
    return {
        "file": f"../{folder}/{MODULE}",
        "integrity": f"sha256-{binascii.b2a_base64(digest, newline=False).decode()}",
        "source": _GNUBG_SOURCE,
        "scripts": f"{folder}/{SOURCE}",
    }


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:_DIGEST_CHARS]


def _ours() -> dict[str, bytes]:
    """The scripts and the style."""
    files = dict(_scripts())
    style = design() + match_style() + _resource("style.css")
    style += board_colours() + usual_board() + board_choices() + scores_style()
    files |= {_TOUCH_ICON: icon} if (icon := _touch_icon()) else {}
    return files | {
        "style.css": style.encode(),
        "embed.css": (design() + _resource("embed.css") + board_colours()).encode(),
        "icon.svg": package_file("web/icon.svg"),
        "manifest.json": json.dumps(_MANIFEST).encode(),
    }


def _touch_icon() -> bytes | None:
    """The icon as iOS wants it, without round corners; None without the extra `png`."""
    return _icon(180, ' rx="12"')


@cache
def _icon(size: int, without: str = "") -> bytes | None:
    """The icon as a PNG, perhaps without a part; None without the extra `png`."""
    icon = package_text("web/icon.svg").replace(without, "")
    try:
        return png_of(icon.replace("<svg ", f'<svg width="{size}" height="{size}" ', 1))
    except NactationError:
        return None


_IMPORT = re.compile(r"(?<=')\.{1,2}/[\w./-]+\.js(?=')")


def _scripts() -> Iterator[tuple[str, bytes]]:
    """The modules by flat names, `board-typing.js` for `board/typing.js`; no service worker."""
    top = Path(gnubg_nactation.__path__[0])
    paths = [*top.joinpath("web", "kit").glob("*.js"), *top.joinpath("playground").rglob("*.js")]
    for path in sorted(paths):
        if path.name != "service.js" and path.parent.name != _EXTENSION:
            yield _script(path.relative_to(top).as_posix())


def _script(name: str) -> tuple[str, bytes]:
    """A module of the package by its flat name, with its imports by theirs."""
    text = _IMPORT.sub(partial(_flat_import, posixpath.dirname(name)), package_text(name))
    return _flat(name), text.encode()


def _flat(name: str) -> str:
    return "-".join(name.removeprefix("web/").removeprefix("playground/").split("/"))


def _flat_import(folder: str, path: re.Match[str]) -> str:
    return f"./{_flat(posixpath.normpath(posixpath.join(folder, path[0])))}"


def _resource(name: str) -> str:
    return package_text(f"playground/{name}")


def _package() -> bytes:
    """What the page uses of this package, and the reader of more files, as a zip.

    The same sources give the same bytes.
    """
    top = Path(gnubg_nactation.__path__[0])
    paths = sorted(top.rglob("*"), key=lambda path: path.relative_to(top).as_posix())
    own = [
        (path.relative_to(top.parent).as_posix(), path.read_bytes())
        for path in paths
        if path.is_file() and _is_packed(path.relative_to(top))
    ]
    return _packed([*own, *_reader()])


def _is_packed(path: Path) -> bool:
    room = path.parts[0]
    suffixes = {".py"} if room == _FACE else _PACKED
    return path.suffix in suffixes and room not in _OTHER_FACES and "__pycache__" not in path.parts


def _reader() -> Iterator[tuple[str, bytes]]:
    """The package of the extra `files`, which is pure Python, with its licence; or nothing."""
    try:
        library = distribution("gammonview")
    except PackageNotFoundError:
        return
    for file in sorted(library.files or (), key=str):
        is_source = file.parts[0] == _READER and file.suffix == ".py"
        if is_source or "licenses" in file.parts:
            name = file.as_posix() if is_source else f"{_READER}/{file.name}"
            yield name, Path(file.locate()).read_bytes()


def _packed(members: Sequence[tuple[str, bytes]]) -> bytes:
    """Files as a zip; the same files give the same bytes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members:
            entry = zipfile.ZipInfo(name)  # dated 1980
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return data.getvalue()


def _samples() -> list[Path]:
    """The sample matches, in a clone or as installed with the package."""
    clone = Path(gnubg_nactation.__path__[0]).parent
    installed = Path(sysconfig.get_path("data"), "share", "gnubg-nactation")
    folder = next((top / _SAMPLES for top in (clone, installed) if (top / _SAMPLES).is_dir()), None)
    paths = sorted(folder.iterdir()) if folder else []
    return [path for path in paths if path.suffix in SUFFIXES]


def _sample_title(path: str, data: bytes) -> str:
    """The menu entry of a sample: its name, its length, and whether it has an analysis."""
    name, first = path.rpartition("/")[2], read(data)[0]
    kind = f"{first.length} point match" if first.length else "money session"
    return f"{name}: {kind}{', with analysis' if first.has_analysis else ''}"


def _data(folder: str, python: str, samples: Mapping[str, bytes]) -> dict[str, Any]:
    """The data in the page: PlaygroundData of web/types.d.ts."""
    return {
        "board": board_places(),
        "python": f"../pyodide-{python}/",  # from the worker
        "samples": [f"{folder}/{name}" for name in samples],
        "titles": list(starmap(_sample_title, samples.items())),
        "start": GameState().xgid,
        "largest": MAX_BYTES,
        "targets": list(TARGETS),
        "boards": list(BOARDS),
        "alphabet": list(map(family_view, FAMILIES)),
        "openings": list(OPENINGS),
        "first": _first_screen(),
    }


_FIRST = "54S-63R-31"


def _first_screen() -> dict[str, Any]:
    """The example that can be seen and played before Python is there: its reply and its plays."""
    progress = read_progress(_FIRST)
    entry = look_up(_FIRST).entry
    assert entry
    plays = [
        {
            "said": choice.text,
            "equity": signed(choice.equity or 0.0),
            "loss": signed(-choice.loss) if choice.loss else "",
            "chances": [],
            "level": "",
        }
        for choice, *_ in entry.plays
    ]
    judgement = {"level": "Opening book", "plays": plays}
    return {"text": _FIRST, "reply": progress_view(progress), "judgement": judgement}


def _page(name: str, folder: str, data: dict[str, Any], policy: str) -> str:
    parts = {
        "policy": policy,
        "folder": folder,
        "touch": _TOUCH_LINK.format(folder) if _touch_icon() else "",
        "board": plain_board(GameState(), view=Player.FIRST),
        "paint": board_paint(),
        "data": json_text(data, close=True).replace("<", "\\u003c"),
    }
    return re.sub(r"\{(\w+)\}", lambda match: parts[match[1]], _resource(name))


def _policy() -> str:
    """Allow nothing from other hosts, and the style of the chart in its frame."""
    chart = re.sub("&#x27;", "'", chart_page(Chart("", "", (), {})))
    style = re.findall(r"'sha256-[\w+/=]+'", chart)[0]
    return (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
        f"style-src-elem 'self' {style}; style-src-attr 'unsafe-inline'; "
        "connect-src 'self'; worker-src 'self'; manifest-src 'self'; img-src 'self' data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


# The extension for Chromium and Firefox: the whole page, the scripts that read other pages with its
# Python, and one manifest for each browser. Files keep their names: the browser takes all at once.

_EXTENSION = "extension"  # the folder of its own scripts
_CARD = f"playground/{_EXTENSION}"
BROWSERS = ("chromium", "firefox")
_SNAPSHOT = "snapshot.bin"
_PAGES = ("background", "host", "popup", "options")
_ICON_SIZE = 128
_EXTENSION_POLICY = (  # nothing leaves the browser
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; img-src 'self' data: blob:; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'"
)
_MANIFEST_OF_ALL: dict[str, Any] = {
    "manifest_version": 3,
    "name": "Nactation reader",
    "version": __version__,
    "description": "Shows the board of the Nactation, XGIDs and Position IDs on any page.",
    "permissions": ["activeTab", "scripting", "storage"],
    "optional_host_permissions": ["http://*/*", "https://*/*"],
    "action": {"default_popup": "popup.html", "default_title": "Read this page"},
    "options_ui": {"page": "options.html", "open_in_tab": True},
    "commands": {
        "_execute_action": {"suggested_key": {"default": "Alt+Shift+G"}},
        "next": {
            "suggested_key": {"default": "Alt+Shift+J"},
            "description": "Show the next board",
        },
    },
    "content_security_policy": {"extension_pages": _EXTENSION_POLICY},
}
_GECKO = {
    "gecko": {
        "id": "nactation-reader@gnubg-nactation",
        "strict_min_version": "142.0",
        "data_collection_permissions": {"required": ["none"]},
    },
    "gecko_android": {"strict_min_version": "142.0"},
}


def extension(core: Core, engine: Mapping[str, bytes] | None) -> Iterator[tuple[str, bytes]]:
    """The files of the folders in BROWSERS, with their paths; each can be loaded unpacked.

    `core` and `engine` as for `site`. If Node is installed, Python starts from a snapshot.
    """
    core, package = _compiled(core)
    files = dict(_site(core, package, engine))
    folder = next(name for name in files if name.startswith(_FOLDER)).partition("/")[0]
    place = next((name for name in files if name.startswith("engine-")), "").partition("/")[0]
    data = {
        "python": f"../pyodide-{core.version}/",
        "engine": _engine_data(place, engine) if engine else None,
    }
    for unused in ("service.js", "embed.html"):
        del files[unused]
    top = Path(gnubg_nactation.__path__[0], _CARD)
    for path in sorted(top.glob("*.js")):
        name, script = _script(f"{_CARD}/{path.name}")
        files[f"{folder}/{name}"] = script
    style = f"{design()}{_resource(f'{_EXTENSION}/pages.css')}"
    files |= {
        f"{folder}/pages.css": style.encode(),
        "marks.css": _resource(f"{_EXTENSION}/marks.css").encode(),
        "content.js": _content_script().encode(),
        "icon.svg": package_file("web/icon.svg"),
    }
    if snapshot := _snapshot(core, package):
        files[f"{folder}/{_SNAPSHOT}"] = snapshot
    for name in _PAGES:
        files[f"{name}.html"] = _page(f"{_EXTENSION}/{name}.html", folder, data, "").encode()
    icons = {"48": "icon.svg", "96": "icon.svg"}
    chromium: dict[str, Any] = {
        "minimum_chrome_version": "120",
        "background": {"service_worker": f"{folder}/extension-background.js", "type": "module"},
    }
    if icon := _icon(_ICON_SIZE):
        files["icon.png"] = icon
        chromium["icons"] = {str(_ICON_SIZE): "icon.png"}
    manifest = dict(_MANIFEST_OF_ALL)
    permissions = [*manifest["permissions"], "offscreen"]  # where Python runs
    manifests = (
        manifest | {"permissions": permissions} | chromium,
        manifest
        | {"background": {"page": "background.html"}, "icons": icons}
        | {"browser_specific_settings": _GECKO},
    )
    for browser, manifest in zip(BROWSERS, manifests, strict=True):
        text = json.dumps(manifest, indent=2)
        yield from ((f"{browser}/{name}", made) for name, made in files.items())
        yield f"{browser}/manifest.json", text.encode()


def _snapshot(core: Core, package: bytes) -> bytes | None:
    """The memory of a Python that has imported the package; None if Node cannot make it.

    Without it the extension works, and its first start takes some seconds.
    """
    files = {**core.files, _PACKAGE: package}
    made = _made_by_node(f"{_EXTENSION}/snapshot.mjs", files, [_SNAPSHOT])
    return made[0] if made else None


def _content_script() -> str:
    """The script that reads a page, with the board and the style of its card."""
    style = design() + match_style() + _resource(f"{_EXTENSION}/card.css") + board_colours()
    data = {
        "places": board_places(),
        "paint": board_paint(),
        "board": plain_board(GameState(), view=Player.FIRST),
        "style": _in_shadow(style + board_choices()),
        "targets": list(TARGETS),
    }
    return f"globalThis.nactationCard ??= {json_text(data)};\n{bundle(_CARD, ['content.js'])}\n"


_ROOT = re.compile(r":root((?:\[[^][:]{1,60}\]|:not\([^():]{1,60}\)){0,4})")


def _in_shadow(style: str) -> str:
    """A style sheet of a page for a shadow tree, whose host has the attributes of the root."""
    return _ROOT.sub(lambda hit: f":host({hit[1]})" if hit[1] else ":host", style)


# Serving to this machine only. Modules and WebAssembly need the right type, whatever the system has
# registered.

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | _TYPES

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as the base has it)
        """Print nothing: the command prints the address."""


def server_of(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of the folder on 127.0.0.1; port 0 takes a free one. Raises OSError."""
    handler = partial(_Handler, directory=str(folder))
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


def serve(folder: Path, port: int, report: Callable[[str], None], *, opens: bool) -> None:
    """Serve the folder until interrupted; `report` gets the address. Raises OSError."""
    with server_of(folder, port) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        report(address)
        if opens:
            webbrowser.open(address)
        server.serve_forever()
