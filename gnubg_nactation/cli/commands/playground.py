"""`nactate playground`: build the web page, or the extension, that runs in a browser."""

from __future__ import annotations

from pathlib import Path

from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import EngineError
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.litter import sweep_files
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting

DESCRIPTION = """\
Build the web page that runs this program in a browser, or open it on this computer.
Writes a folder for any web server; npm downloads Pyodide, the Python inside the page. The page has
equities if the extra `engine` is installed. With --extension it writes the browser extension that
shows the Nactation on any page."""
EXAMPLES = """\
  nactate playground --serve    open it in your browser
  nactate playground -o site    a folder for a web server
  nactate playground --extension -o reader    the extension for Chromium and Firefox
"""
USAGE = ""


class Options(Settings):
    """Where the page goes, and how it is served."""

    output: str | None = setting(None, "folder to build", "FOLDER", flags="-o --output")
    extension: bool = setting(False, "build the browser extension: a folder for each browser")
    pyodide: str | None = setting(
        None, "use this copy of Pyodide, installed by npm (default: download it)", "FOLDER"
    )
    serve: bool = setting(False, "serve it on this computer only, until Ctrl-C")
    port: int | None = setting(
        None, "port of --serve (default: any free port)", "N", least=0, most=65535
    )
    no_browser: bool = setting(False, "with --serve, do not open the browser")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if not (settings.output or settings.serve):
        raise SettingsError("name a folder with -o, or use --serve")
    if not settings.serve and (settings.no_browser or settings.port is not None):
        raise SettingsError("--port and --no-browser go with --serve")
    if settings.extension and settings.serve:
        raise SettingsError("--extension does not go with --serve; name a folder with -o")
    if settings.output:
        _build(Path(settings.output), settings, streams)
    if not settings.serve:
        return Status.OK
    from gnubg_nactation.tasks.site import serve

    def print_address(address: str) -> None:
        streams.print(f"{address}\n")
        streams.flush()

    port, opens = settings.port or 0, not settings.no_browser
    if settings.output:
        serve(Path(settings.output), port, print_address, opens=opens)
    else:
        with temporary_folder() as folder:
            _build(Path(folder), settings, streams)
            serve(Path(folder), port, print_address, opens=opens)
    return Status.OK


def _build(folder: Path, settings: Options, streams: Streams) -> None:
    from gnubg_nactation.engines.wasm import find_folder, read_files
    from gnubg_nactation.tasks.site import (
        BROWSERS,
        PYODIDE,
        core_by_npm,
        core_in,
        extension,
        site,
    )

    if settings.pyodide is None:
        streams.report(f"npm downloads Pyodide {PYODIDE}, 14 MB")
        core = core_by_npm()
    else:
        core = core_in(Path(settings.pyodide))
        if core.version != PYODIDE:
            streams.report(f"pyodide {core.version} is untested; the tests use {PYODIDE}")
    engine = None
    try:
        engine = read_files(find_folder())
    except EngineError as error:
        streams.report(f"the page has no equities: {error}")
    # Also in the folders of other versions: everything in the site is published.
    parts = ("nactation-*", "nactation-*/samples", "pyodide-*")
    tops = [folder / name for name in BROWSERS] if settings.extension else [folder]
    for place in (*tops, *(place for top in tops for part in parts for place in top.glob(part))):
        sweep_files(str(place))
    sizes = dict.fromkeys(map(str, tops), 0)
    is_kept = bool(settings.output)
    files = extension(core, engine) if settings.extension else site(core, engine, compiles=is_kept)
    for name, data in files:
        write_atomically(folder / name, data, lasting=False, sweeps=False)
        top = folder / name.partition("/")[0] if settings.extension else folder
        sizes[str(top)] += len(data)
    if settings.output:
        first = "manifest.json" if settings.extension else "index.html"
        for top in tops:
            streams.print(f"{top / first}: {sizes[str(top)] / 1e6:.1f} MB\n")
