"""Build the files that run without being installed: the program, and the plugin for gnubg.

    python scripts/single_files.py FOLDER

`nactate.pyz` runs with `python3 nactate.pyz COMMAND`. `nactation_plugin.py` goes into the folder
`scripts` of GNU Backgammon and needs nothing else. Both have the same bytes on every machine.
"""

from __future__ import annotations

import base64
import io
import stat
import sys
import textwrap
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
sys.dont_write_bytecode = True

from gnubg_nactation import NactationError, __version__  # noqa: E402 (of this clone)

_DATE = (1980, 1, 1, 0, 0, 0)
_START = "from gnubg_nactation.__main__ import start\n\nif __name__ == '__main__':\n    start()\n"
_PLUGIN = ROOT / "scripts" / "plugin_file.py"
_COLUMNS = 100


def package_files() -> Iterator[tuple[str, bytes]]:
    """Yield all files of the package with their names in an archive."""
    for path in sorted((ROOT / "gnubg_nactation").rglob("*")):
        if path.is_file() and path.suffix not in {".pyc", ".so", ".pyd"}:
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def shell_files() -> Iterator[tuple[str, bytes]]:
    """Yield the completion scripts and the manual page."""
    from gnubg_nactation.cli.shell_files import COMPLETIONS, MANUAL, generate  # noqa: PLC0415

    for name in (*COMPLETIONS.values(), MANUAL):
        yield f"gnubg_nactation/cli/shell/{name}", generate(name).encode()


def archive(files: Iterator[tuple[str, bytes]]) -> bytes:
    """Pack files, with the same bytes each time."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as packed:
        for name, data in files:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            packed.writestr(entry, data, compresslevel=9)
    return output.getvalue()


def program() -> bytes:
    """Return `nactate.pyz`."""
    files = {**dict(package_files()), **dict(shell_files()), "__main__.py": _START.encode()}
    return b"#!/usr/bin/env python3\n" + archive(iter(files.items()))


def plugin() -> str:
    """Return `nactation_plugin.py`: scripts/plugin_file.py with the package."""
    data = base64.b85encode(archive(package_files())).decode()
    lines = "\n".join(textwrap.wrap(data, _COLUMNS, break_on_hyphens=False))
    text = _PLUGIN.read_text(encoding="utf-8").replace("VERSION", __version__)
    return text.replace('_PACKED = ""', f'_PACKED = """\n{lines}\n"""')


def main(folder: Path) -> None:
    """Write both files, first the one that needs no shtab."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nactation_plugin.py").write_text(plugin(), encoding="ascii", newline="\n")
    place = folder / "nactate.pyz"
    place.write_bytes(program())
    place.chmod(0o755)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except NactationError as error:
        sys.exit(f"nactate.pyz not written: {error}")
