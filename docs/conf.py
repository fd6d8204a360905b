"""How Sphinx builds the site: `bash scripts/site.sh FOLDER`.

The reference of commands is generated from the parsers of the command line, and the reference of
the library from the docstrings of the front door. Neither is checked in.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import gnubg_nactation
import gnubg_nactation.archive
from gnubg_nactation.cli.commands import GROUPS, module_of
from gnubg_nactation.cli.declaring import Parser, declare
from gnubg_nactation.tasks.settings import Settings, type_of

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

project = "gnubg-nactation"
version = release = gnubg_nactation.__version__
author = "The gnubg-nactation developers"
project_copyright = author

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.githubpages"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
default_role = "code"
highlight_language = "text"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
nitpicky = True
# Types of the standard library, and of rooms behind the doors, are shown without a link.
nitpick_ignore_regex = [("py:class", r"(collections|os|sqlite3|gnubg_nactation)\..+|[A-Z]\w+")]
suppress_warnings = ["misc.highlighting_failure"]  # outputs with `...` are not whole JSON

html_theme = "furo"
html_title = "gnubg-nactation"
html_favicon = "../gnubg_nactation/web/icon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "announcement": '<a href="playground/index.html">Try it in your browser: the playground</a>',
}


class MarkdownFormatter(argparse.HelpFormatter):
    """The arguments of a command as definition lists of Markdown."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self.lines: list[str] = []

    def start_section(self, heading: str | None) -> None:
        """Begin a group of arguments."""
        self.lines += ["", f"**{(heading or '').capitalize()}**"]

    def end_section(self) -> None:
        """End a group of arguments."""

    def add_text(self, text: str | None) -> None:
        """Leave out the description and the examples, which `command_reference` writes."""

    def add_usage(
        self, usage: str | None, actions: Iterable[argparse.Action], *_: object, **__: object
    ) -> None:
        """Add the usage without the options, which follow anyway."""
        words = [self._format_args(it, it.dest) for it in actions if not it.option_strings]
        short = " ".join([f"{self._prog} [options]", *words])
        self.lines += ["```text", usage % {"prog": self._prog} if usage else short, "```"]

    def add_arguments(self, actions: Iterable[argparse.Action]) -> None:
        """Add a term and its definition for each argument; none for an empty group."""
        shown = [action for action in actions if action.help not in (None, argparse.SUPPRESS)]
        if not shown:
            del self.lines[-2:]
        for action in shown:
            names = escaped(self._format_action_invocation(action), code=True)
            self.lines += ["", names, f": {escaped(self._expand_help(action))}"]

    def format_help(self) -> str:
        """Return the lists."""
        return "\n".join(self.lines)


def escaped(text: str, *, code: bool = False) -> str:
    """Escape what is markup in Markdown, outside backticks."""
    text = " ".join(text.split())
    if code:
        return f"`{text}`"
    parts = re.split(r"(`[^`]+`)", text)
    parts[::2] = [re.sub(r"([\\*_<>\[\]{}|`])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def command_reference() -> str:
    """The reference of all commands in Markdown."""
    lines: list[str] = []
    for group, names in GROUPS.items():
        lines += ["", f"## {group}"]
        for name in names:
            module = module_of(name)
            assert module, name
            parser = Parser(prog=f"nactate {name}", description=module.DESCRIPTION)
            if hasattr(module, "USAGE"):
                parser.usage = f"%(prog)s [options] {module.USAGE}".rstrip()
            declare(parser, module.Options)
            parser.formatter_class = MarkdownFormatter
            lines += ["", f"### nactate {name}", "", escaped(module.DESCRIPTION), ""]
            lines += [parser.format_help()]
            lines += ["", "**Examples**", "", "```text", module.EXAMPLES.rstrip(), "```"]
    return "\n".join(lines)


def add_command_reference(_: Sphinx, page: str, source: list[str]) -> None:
    """Put the reference of commands in its place."""
    if page == "commands":
        source[0] = source[0].replace("<!-- commands -->", command_reference())


def resolve_type(
    app: Sphinx, environment: BuildEnvironment, node: pending_xref, content: Element
) -> Element | None:
    """Link a type in a signature to its entry: annotations name it without its module."""
    name = node.get("reftarget", "").rpartition(".")[2]
    for door in (gnubg_nactation, gnubg_nactation.archive):
        if node.get("refdomain") == "py" and name in door.__all__:
            domain = environment.get_domain("py")
            target = f"{door.__name__}.{name}"
            return domain.resolve_xref(
                environment, node["refdoc"], app.builder, "obj", target, node, content
            )
    return None


def drop_field_numbers(*details: Any) -> None:
    """Drop the docstrings that named tuples give their fields."""
    lines: list[str] = details[-1]
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def list_settings(_: Sphinx, kind: str, __: str, thing: Any, ___: object, lines: list[str]) -> None:
    """Add the fields of a class of settings, whose signature does not have them."""
    if kind != "class" or not issubclass(thing, Settings):
        return
    for name, field in thing.declared.items():
        if name not in thing.hidden:
            text = re.sub(r"([\\*|])", r"\\\1", field.help)
            lines.append(f"- `{name}` ({type_of(thing, name)}): {text}")


def setup(app: Sphinx) -> None:
    """Connect what this project adds to Sphinx."""
    app.connect("source-read", add_command_reference)
    app.connect("missing-reference", resolve_type)
    app.connect("autodoc-process-docstring", drop_field_numbers)
    app.connect("autodoc-process-docstring", list_settings)
