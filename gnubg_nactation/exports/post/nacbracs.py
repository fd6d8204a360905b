"""Nacbracs in posts: looks that tell members apart, and the best play in bold."""

from __future__ import annotations

from contextlib import suppress

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.post.targets import Target
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.nacbracs.cube import CubeNacbrac, format_cube
from gnubg_nactation.nacbracs.nacbrac import Nacbrac, format_nacbrac
from gnubg_nactation.nacbracs.parsing import parse_nacbrac
from gnubg_nactation.values import replace


def spell_nacbrac(
    nacbrac: Nacbrac | CubeNacbrac, target: Target, *, bold_best: bool = False
) -> str:
    """The nacbrac in the target's markup, with `bold_best` the best plays in bold.

    It reads back as it is: where looks that tell members apart would be taken for emphasis, the
    names have the numbers of their members (`P{5}`), and nothing is bold where that does not do.
    """
    if isinstance(nacbrac, CubeNacbrac):
        return format_cube(nacbrac, target.escape, target.bold if bold_best else str)

    def numbered(name: Nactation) -> str:
        return target.escape(str(name)) if name.member > 1 else target.spell(name)

    def typed(name: Nactation) -> str:
        return target.escape(str(name))

    bold = target.bold if bold_best and len(nacbrac.entries) > 1 else str
    ways = ((target.spell, bold), (numbered, bold), (target.spell, str), (numbered, str))
    for spell, best in (*ways, (typed, bold)):
        text = format_nacbrac(nacbrac, spell, target.escape, best)
        with suppress(MalformedError):
            if replace(parse_nacbrac(text), suffix=nacbrac.suffix) == nacbrac:
                return text
    return format_nacbrac(nacbrac, typed, target.escape)
