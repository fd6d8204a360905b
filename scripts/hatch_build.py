"""The hook that compiles a wheel by mypyc where HATCH_BUILD_HOOK_ENABLE_MYPYC=1 asks for it.

All is made in a folder of its own and goes into the wheel from there: nothing is left beside the
sources, which stay what runs from a clone.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_GROUP = "gnubg_nactation.compiled"  # the compiled code of all modules: in the package, as gnubg's
_WANTED = os.environ.get("HATCH_BUILD_HOOK_ENABLE_MYPYC") in {"1", "true"}  # path has no more


class CompilingHook(BuildHookInterface[Any]):
    """Compiles the modules that its configuration names by `include` without `exclude`."""

    def dependencies(self) -> list[str]:
        """What the build needs; see CONTRIBUTING.md before another version."""
        return ["mypy[mypyc]==2.4.1", "setuptools>=65"] if _WANTED else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless nobody asks or what is made is but a link to the sources."""
        if not _WANTED or version == "editable":
            return
        from mypyc.build import mypycify  # noqa: PLC0415 (one of `dependencies`)
        from setuptools import Distribution  # noqa: PLC0415

        self._folder = TemporaryDirectory()
        place = Path(self._folder.name)
        extensions = mypycify(
            [f"--cache-dir={place / 'cache'}", *self._sources()],
            target_dir=str(place / "c"),
            group_name=_GROUP,
            opt_level="2",
            debug_level="0",
        )
        build = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        build.build_lib, build.build_temp = str(place / "made"), str(place / "objects")
        build.ensure_finalized()
        build.run()
        build_data.update(infer_tag=True, pure_python=False)
        for file in (place / "made").rglob("*.*"):
            build_data["force_include"][str(file)] = str(file.relative_to(place / "made"))

    def _sources(self) -> list[str]:
        included, excluded = (
            {str(file) for glob in self.config[key] for file in Path().glob(glob)}
            for key in ("include", "exclude")
        )
        return sorted(included - excluded)
