"""The hooks of the build: generated files in a wheel, and the readme of the index page.

These are the completion scripts, the manual page and the module that GNU Backgammon imports. If
HATCH_BUILD_HOOK_ENABLE_MYPYC=1, modules compiled by mypyc are added. All come from a temporary
folder: a clone always runs from its sources.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_GROUP = "gnubg_nactation.compiled"  # the compiled code of all modules: in the package, as gnubg's
# The lines of scripts/nactation_plugin.py that find the package of a clone.
_OF_CLONES = """\
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

"""
_ENABLED = os.environ.get("HATCH_BUILD_HOOK_ENABLE_MYPYC") in {"1", "true"}  # path has no more


class MetadataHook(MetadataHookInterface):
    """Adds the readme, whose links and pictures work outside the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        absolute = with_absolute_links(text, metadata["urls"]["Source"])
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute}


def with_absolute_links(markdown: str, repository: str) -> str:
    """Return Markdown whose links to files lead to the main branch of a repository."""

    def link(match: re.Match[str]) -> str:
        view = "raw" if match[1] else "blob"
        return f"{match[1]}[{match[2]}]({repository}/{view}/main/{match[3]})"

    return re.sub(r"(!?)\[([^\]\[]*)\]\((?!https?://|#)([^()]*)\)", link, markdown)


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
        shell = place / "wheel" / "gnubg_nactation" / "cli" / "shell"
        self._write_shell_files(shell)
        # Where installers put it into share/man, and pipx links it. Older hatchlings ignore it.
        manual = build_data.setdefault("shared_data", {})
        manual[str(shell / "nactate.1")] = "share/man/man1/nactate.1"
        plugin = Path(self.root, "scripts", "nactation_plugin.py").read_text(encoding="utf-8")
        head, _, rest = plugin.partition(_OF_CLONES)
        (place / "wheel" / "nactation_plugin.py").write_text(head + rest, encoding="utf-8")
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
            with suppress(NotImplementedError):  # a shell that an older shtab does not know
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
