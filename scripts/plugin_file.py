"""Nactation VERSION in GNU Backgammon: put this file into its folder `scripts`.

Then type `>import nactation_plugin` at gnubg's prompt. In the window this adds the menu Nactation.
The file holds the whole program, under the GPL, version 3 or later. Nothing is unpacked.
"""

from __future__ import annotations

import base64
import importlib.abc
import importlib.util
import io
import os
import sys
import zipfile
from importlib.machinery import ModuleSpec
from types import CodeType

_PACKED = ""


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports the package from the archive in this file."""

    def __init__(self, data: bytes) -> None:
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._names = frozenset(self._archive.namelist())

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Return the spec of a module of the archive."""
        name = self._file(fullname)
        if name not in self._names:
            return None
        place = os.path.join(__file__, *name.split("/"))
        folders = [os.path.dirname(place)] if self.is_package(fullname) else None
        return importlib.util.spec_from_file_location(
            fullname, place, loader=self, submodule_search_locations=folders
        )

    def is_package(self, fullname: str) -> bool:
        """Return whether a module of the archive is a package."""
        return self._file(fullname).endswith("/__init__.py")

    def get_source(self, fullname: str) -> str:
        """Return the source of a module, for tracebacks as well."""
        return self._archive.read(self._file(fullname)).decode("utf-8")

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of a module, with its place in this file."""
        place = os.path.join(__file__, *self._file(fullname).split("/"))
        code: CodeType = compile(self.get_source(fullname), place, "exec", dont_inherit=True)
        return code

    def get_data(self, path: str) -> bytes:
        """Return a file of the package by its path. Raises OSError if there is none."""
        name = os.path.relpath(path, __file__).replace(os.sep, "/")
        if name not in self._names:
            raise FileNotFoundError(path)
        return self._archive.read(name)

    def _file(self, fullname: str) -> str:
        place = fullname.replace(".", "/")
        package = f"{place}/__init__.py"
        return package if package in self._names else f"{place}.py"


if "gnubg_nactation" not in sys.modules:
    sys.meta_path.insert(0, _Finder(base64.b85decode(_PACKED.replace("\n", ""))))

from gnubg_nactation.plugin import *  # noqa: E402, F403
from gnubg_nactation.plugin import greet_at_each_import  # noqa: E402

greet_at_each_import(__name__)
