"""`nactate playground`: build the web page that runs this program in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import EngineError
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.litter import sweep_files
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.tasks.settings import SettingsError

DESCRIPTION = """\
Build the web page that runs this program in a browser, or open it on this computer.
Writes a folder for any web server; npm downloads Pyodide, the Python inside the page. The page has
equities if the extra `engine` is installed."""
EXAMPLES = """\
  nactate playground --serve    open it in your browser
  nactate playground -o site    a folder for a web server
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options]"
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="folder to build")
    parser.add_argument(
        "--pyodide",
        type=Path,
        metavar="FOLDER",
        help="use this copy of Pyodide, installed by npm (default: download it)",
    )
    parser.add_argument(
        "--serve", action="store_true", help="serve it on this computer only, until Ctrl-C"
    )
    parser.add_argument(
        "--port",
        type=between(int, 0, 65535),
        metavar="N",
        help="port of --serve (default: any free port)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="with --serve, do not open the browser"
    )


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if not (options.output or options.serve):
        raise SettingsError("name a folder with -o, or use --serve")
    if not options.serve and (options.no_browser or options.port is not None):
        raise SettingsError("--port and --no-browser go with --serve")
    if options.output:
        _build(options.output, options, streams)
    if not options.serve:
        return Status.OK
    from gnubg_nactation.playground.serving import serve

    def print_address(address: str) -> None:
        streams.print(f"{address}\n")
        streams.flush()

    port, opens = options.port or 0, not options.no_browser
    if options.output:
        serve(options.output, port, print_address, opens=opens)
    else:
        with temporary_folder() as folder:
            _build(Path(folder), options, streams)
            serve(Path(folder), port, print_address, opens=opens)
    return Status.OK


def _build(folder: Path, options: argparse.Namespace, streams: Streams) -> None:
    from gnubg_nactation.engines.wasm import find_folder, read_files
    from gnubg_nactation.playground.building import (
        PYODIDE,
        core_by_npm,
        core_in,
        site,
    )

    if options.pyodide is None:
        streams.report(f"npm downloads Pyodide {PYODIDE}, 14 MB")
        core = core_by_npm()
    else:
        core = core_in(options.pyodide)
        if core.version != PYODIDE:
            streams.report(f"pyodide {core.version} is untested; the tests use {PYODIDE}")
    engine = None
    try:
        engine = read_files(find_folder())
    except EngineError as error:
        streams.report(f"the page has no equities: {error}")
    # Also in the folders of other versions: everything in the site is published.
    parts = ("nactation-*", "nactation-*/samples", "pyodide-*")
    for place in (folder, *(place for part in parts for place in folder.glob(part))):
        sweep_files(str(place))
    size = 0
    for name, data in site(core, engine):
        write_atomically(folder / name, data, lasting=False, sweeps=False)
        size += len(data)
    if options.output:
        streams.print(f"{folder / 'index.html'}: {size / 1e6:.1f} MB\n")
