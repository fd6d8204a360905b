"""The hook that adds generated files to a wheel.

These are the completion scripts and the manual page. If HATCH_BUILD_HOOK_ENABLE_MYPYC=1, modules
compiled by mypyc are added. All come from a temporary folder: a clone always runs from its sources.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_GROUP = "gnubg_nactation.compiled"  # the compiled code of all modules: in the package, as gnubg's
_ENABLED = os.environ.get("HATCH_BUILD_HOOK_ENABLE_MYPYC") in {"1", "true"}  # path has no more


class BuildHook(BuildHookInterface[Any]):
    """Builds shell files, and compiles the modules of its `include` that `exclude` leaves."""

    def dependencies(self) -> list[str]:
        """Return what compiling needs; see CONTRIBUTING.md before another version."""
        return ["mypy[mypyc]==2.4.1", "setuptools>=65"] if _ENABLED else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless the wheel is only a link to the sources."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory()
        place = Path(self._folder.name)
        self._write_shell_files(place / "wheel" / "gnubg_nactation" / "cli" / "shell")
        if _ENABLED:
            self._compile(place)
            build_data.update(infer_tag=True, pure_python=False)
        for file in (place / "wheel").rglob("*"):
            if file.is_file():
                build_data["force_include"][str(file)] = str(file.relative_to(place / "wheel"))

    def _write_shell_files(self, folder: Path) -> None:
        sys.dont_write_bytecode = True
        sys.path.insert(0, self.root)
        from gnubg_nactation.cli import shell_files  # noqa: PLC0415 (not there before)

        folder.mkdir(parents=True)
        for name in (*shell_files.COMPLETIONS.values(), shell_files.MANUAL):
            (folder / name).write_text(shell_files.generate(name), encoding="utf-8")

    def _compile(self, place: Path) -> None:
        from mypyc.build import mypycify  # noqa: PLC0415 (one of `dependencies`)
        from setuptools import Distribution  # noqa: PLC0415

        extensions = mypycify(
            [f"--cache-dir={place / 'cache'}", *self._sources()],
            target_dir=str(place / "c"),
            group_name=_GROUP,
            opt_level="2",
            debug_level="0",
        )
        build = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        build.build_lib, build.build_temp = str(place / "wheel"), str(place / "objects")
        build.ensure_finalized()
        build.run()

    def _sources(self) -> list[str]:
        included, excluded = (
            {str(file) for glob in self.config[key] for file in Path().glob(glob)}
            for key in ("include", "exclude")
        )
        return sorted(included - excluded)
