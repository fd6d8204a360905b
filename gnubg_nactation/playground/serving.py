"""Serve a static folder to this machine only."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# Modules and WebAssembly need the right type, whatever the system has registered.
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
