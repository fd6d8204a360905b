"""The nacbracs of copied analyses, for `nactate nacbrac FILE`: a line for each decision."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from gnubg_nactation.cli.copied import report_problems
from gnubg_nactation.cli.judged import nacbrac_object, play_objects, with_suffix
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.copied import near_decisions_of
from gnubg_nactation.decisions.decision import Decision, Listing
from gnubg_nactation.decisions.nacbrac import nacbrac_of
from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.files.copied import Copied
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.settings import SettingsError
from gnubg_nactation.values import Any

_UNUSED = ("game", "move", "errors", "analyse")


def print_copied_nacbracs(
    name: str,
    positions: Sequence[Copied],
    options: argparse.Namespace,
    streams: Streams,
    *,
    alone: bool = True,
) -> int:
    """Print the nacbracs of the positions in a file; return the exit status.

    A file without a usable analysis fails, and so does one with anything wrong.
    """
    for option in _UNUSED:
        if getattr(options, option) not in {None, False}:
            raise SettingsError(f"--{option} goes with a match file, not with copied positions")
    status, count = Status.OK, 0
    listing = Listing(options.limit, options.within, options.characters)
    for number, copied in enumerate(positions, 1):
        if report_problems(copied, streams, name):
            status = Status.FAILED
        for near in near_decisions_of(copied, listing):
            if options.cube and near.cube is None:
                continue
            count += 1
            decision = with_suffix(near, options.suffix)
            if options.json:
                streams.print(_json(decision, copied, number, name))
            else:
                head = f"{name}: " * (not alone) + f"position {number}: " * (len(positions) > 1)
                streams.print(_line(decision, head, options))
    if not count and status == Status.OK:
        streams.report(f"{name}: no {'cube decision' if options.cube else 'analysis'} in it")
        status = Status.FAILED
    return status


def _line(decision: Decision, head: str, options: argparse.Namespace) -> str:
    """Return `position 2: 31 [P S166] XG Roller++`, in the markup of the options."""
    target = TARGETS[options.to]
    nacbrac = spell_nacbrac(nacbrac_of(decision), target, bold_best=options.bold_best)
    roll = f"{decision.state.roll} " if decision.state.roll else ""
    return target.paragraph(f"{target.escape(head + 'x')[:-1]}{roll}{nacbrac}")


def _json(decision: Decision, copied: Copied, number: int, file: str) -> str:
    engine, level = bot_of(decision.choices[0].level)
    value: dict[str, Any] = {"file": file, "position": number, "line": copied.line}
    value |= {"engine": engine, "level": level, "note": decision.note or None}
    value |= nacbrac_object(decision, nacbrac_of(decision))
    if decision.cube is None:
        levels = [bot_of(choice.level)[1] for choice in decision.choices]
        plays = zip(play_objects(decision), levels, strict=True)
        value["plays"] = [play | {"level": level} for play, level in plays]
    return json_line(value)
