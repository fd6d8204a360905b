"""Nacbracs in posts: styles that distinguish members, and the best play in bold."""

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

    It always reads back: if styles of members could be taken for emphasis, names get the numbers of
    their members instead (`P{5}`), and if that is not enough, nothing is bold.
    """
    if isinstance(nacbrac, CubeNacbrac):
        return format_cube(nacbrac, target.escape, target.bold if bold_best else str)

    def numbered(name: Nactation) -> str:
        return plain(name) if name.member > 1 else target.spell(name)

    def plain(name: Nactation) -> str:
        return target.escape(str(name))

    bold = target.bold if bold_best and len(nacbrac.entries) > 1 else str
    styles = ((target.spell, bold), (numbered, bold), (target.spell, str), (numbered, str))
    for spell, best in (*styles, (plain, bold)):
        text = format_nacbrac(nacbrac, spell, target.escape, best)
        with suppress(MalformedError):
            if replace(parse_nacbrac(text), suffix=nacbrac.suffix) == nacbrac:
                return text
    return format_nacbrac(nacbrac, plain, target.escape)
