"""`nactate playground`: build the static page that runs this program in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.litter import sweep_files
from gnubg_nactation.system.temporary import temporary_folder

DESCRIPTION = (
    "Build a folder with a page that runs this program in any browser: to type sequences, play, "
    "read posts and match files, and learn the alphabet. Any static server can give it out, from "
    "any path, and nothing that is typed there leaves the visitor's machine. Python comes with "
    "it as Pyodide, which npm downloads unless --pyodide names a folder that has it."
)
EXAMPLES = """\
  nactate playground -o site                       a folder to be put on a server
  nactate playground -o site --pyodide node_modules/pyodide
  nactate playground --serve                       on this machine, in the browser
  nactate playground --serve --port 8765 --no-browser
  nactate playground -o site --wheel xgparse.whl   reads .xg, too
"""
_HIGHEST = 65535  # of ports


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="where it is built")
    parser.add_argument(
        "--pyodide",
        type=Path,
        metavar="FOLDER",
        help="Pyodide as npm installs it (default: npm downloads it)",
    )
    parser.add_argument(
        "--wheel",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a wheel of pure Python that the page gets, too; may be given several times",
    )
    parser.add_argument(
        "--serve",
        action="store_true",
        help="give it out on this machine alone, and open the browser, until Ctrl-C",
    )
    parser.add_argument(
        "--port",
        type=between(int, 0, _HIGHEST),
        metavar="N",
        help="of --serve (default: any that is free)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="with --serve: only print the address"
    )


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    if not (options.output or options.serve):
        streams.report("playground: name a folder with -o, or --serve it from here")
        return Status.USAGE
    if not options.serve and (options.no_browser or options.port is not None):
        streams.report("playground: --port and --no-browser go with --serve")
        return Status.USAGE
    if options.output:
        _build(options.output, options, streams)
    if not options.serve:
        return Status.OK
    from gnubg_nactation.playground.serving import serve

    def tell(address: str) -> None:
        streams.print(f"{address}\n")
        streams.flush()

    port, opens = options.port or 0, not options.no_browser
    if options.output:
        serve(options.output, port, tell, opens=opens)
    else:
        with temporary_folder() as folder:
            _build(Path(folder), options, streams)
            serve(Path(folder), port, tell, opens=opens)
    return Status.OK


def _build(folder: Path, options: argparse.Namespace, streams: Streams) -> None:
    from gnubg_nactation.playground.building import PYODIDE, core_by_npm, core_in, site

    if options.pyodide is None:
        streams.report(f"npm downloads pyodide {PYODIDE}, 14 MB")
        core = core_by_npm()
    else:
        core = core_in(options.pyodide)
        if core.version != PYODIDE:
            streams.report(f"pyodide {core.version}, where {PYODIDE} is what is tried")
    wheels = [(path.name, path.read_bytes()) for path in options.wheel]
    # The folders of other versions, too: whatever is in the site is published.
    parts = ("nactation-*", "nactation-*/samples", "pyodide-*")
    for place in (folder, *(place for part in parts for place in folder.glob(part))):
        sweep_files(str(place))
    size = 0
    for name, data in site(core, wheels):
        write_atomically(folder / name, data, lasting=False, sweeps=False)
        size += len(data)
    if options.output:
        streams.print(f"{folder / 'index.html'}: {size / 1e6:.1f} MB\n")
