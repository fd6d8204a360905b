"""`nactate completion`: what the Tab key knows, for bash, zsh and fish."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from gnubg_nactation.cli.streams import Status, Streams

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from gnubg_nactation.cli.parser_table import Command, Option

__all__ = ["SHELLS", "add_parser"]

SHELLS = ("bash", "zsh", "fish")
_EXAMPLES = """\
examples:
  nactate completion bash   > ~/.local/share/bash-completion/completions/nactate
  nactate completion zsh    > ~/.zfunc/_nactate
  nactate completion fish   > ~/.config/fish/completions/nactate.fish
"""


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "completion",
        help="print the completion script of a shell",
        description="Print a script that lets a shell complete commands, options and their "
        "values with the Tab key.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.set_defaults(command=_run, parser=parser)


def _run(options: argparse.Namespace, streams: Streams) -> int:
    from gnubg_nactation.cli.parser_table import commands

    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell]
    streams.print(write(commands()))
    return Status.OK


def _flags(command: Command) -> list[str]:
    return [flag for option in command.options for flag in option.flags]


def _values(command: Command) -> list[Option]:
    """The options whose values are known."""
    return [option for option in command.options if option.flags and option.choices]


_BASH = """\
# Completion of nactate for bash, made by `nactate completion bash`.
_nactate() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    local words=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words={names}
    else
        case ${{COMP_WORDS[1]}}:$previous in
{values}
        *)
            [[ $current == -* ]] && case ${{COMP_WORDS[1]}} in
{options}
            esac
            ;;
        esac
    fi
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}}
complete -o filenames -F _nactate nactate
"""


def _bash(commands: list[Command]) -> str:
    values, options = [], []
    for command in commands:
        for option in _values(command):
            patterns = "|".join(f"{command.name}:{flag}" for flag in option.flags)
            words = shlex.quote(" ".join(option.choices))
            values.append(f"        {patterns}) words={words} ;;")
        bare = [option for option in command.options if not option.flags and option.choices]
        if bare:  # as `completion` itself: its argument is one of a few words
            words = shlex.quote(" ".join(bare[0].choices))
            values.append(f"        {command.name}:{command.name}) words={words} ;;")
        words = shlex.quote(" ".join(_flags(command)))
        options.append(f"            {command.name}) words={words} ;;")
    return _BASH.format(
        names=shlex.quote(" ".join([*(command.name for command in commands), "--help"])),
        values="\n".join(values),
        options="\n".join(options),
    )


_ZSH = """\
#compdef nactate
# Completion of nactate for zsh, made by `nactate completion zsh`.
_nactate() {{
    local -a commands=(
{names}
    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
{cases}
    esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _nactate "$@"
else
    compdef _nactate nactate
fi
"""


def _zsh(commands: list[Command]) -> str:
    names = [f"        {shlex.quote(f'{one.name}:{_zsh_text(one.help)}')}" for one in commands]
    cases = []
    for command in commands:
        rows = [row for option in command.options for row in _zsh_rows(option)]
        cases.append(f"    {command.name})\n        _arguments " + " \\\n            ".join(rows))
        cases.append("        ;;")
    return _ZSH.format(names="\n".join(names), cases="\n".join(cases))


def _zsh_rows(option: Option) -> list[str]:
    action = f"({' '.join(option.choices)})" if option.choices else "_files"
    value = _zsh_text(option.value)
    if not option.flags:
        return [shlex.quote(f"*:{value}:{action}")]
    end = f":{value}:{action}" if option.value else ""
    return [shlex.quote(f"*{flag}[{_zsh_text(option.help)}]{end}") for flag in option.flags]


def _zsh_text(text: str) -> str:
    return "".join(f"\\{c}" if c in "[]:\\" else c for c in text.replace("%%", "%"))


def _fish(commands: list[Command]) -> str:
    lines = ["# Completion of nactate for fish, made by `nactate completion fish`."]
    for command in commands:
        name = shlex.quote(command.name)
        lines.append(
            "complete -c nactate -n __fish_use_subcommand -f "
            f"-a {name} -d {_fish_text(command.help)}"
        )
        seen = f"-n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            words = f" -f -a {_fish_text(' '.join(option.choices))}" if option.choices else ""
            if not option.flags and not words:
                continue
            flags = "".join(
                f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}"
                for flag in option.flags
            )
            takes = " -r" if option.flags and option.value else ""
            lines.append(
                f"complete -c nactate {seen}{flags}{takes}{words} -d {_fish_text(option.help)}"
            )
    return "\n".join(lines) + "\n"


def _fish_text(text: str) -> str:
    escaped = text.replace("%%", "%").replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
