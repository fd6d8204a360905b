"""Match files as pages and in other formats."""

from __future__ import annotations

import binascii
from collections.abc import Sequence
from functools import lru_cache

from gnubg_nactation.annotation import AnnotatedMatch, annotate, remarks_on
from gnubg_nactation.backgammon.analysis import MoveAnalysis
from gnubg_nactation.backgammon.match import Match, Turn
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.totals import totals
from gnubg_nactation.engines.analysing import analyse_match, decisions
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import Analyses, Depth
from gnubg_nactation.errors import EngineError, MalformedError
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.exports.post.posts import PostStyle, format_matches
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.text import format_columns, match_title
from gnubg_nactation.exports.views import View
from gnubg_nactation.files.formats import Source, is_sgf, is_xg, read_sources
from gnubg_nactation.playground.stepping import (
    UnfinishedError,
    engine_for_a_step,
    engine_without_end,
)
from gnubg_nactation.values import NamedTuple

MAX_BYTES = 8_000_000  # a larger match file would take minutes
_MAX_DECISIONS = 4000  # in some ten long matches

_ADVICE = "export the match as .mat from the program that saved it"
_ANALYSED_TEXT = (
    "this is an analysis exported from GNU Backgammon as text; save the match there as .sgf"
)


def match(data: bytes) -> View:
    """The page of a match file, its title, and the problems in the file.

    `analysed` is whether the file has an analysis, without which the page has no quiz.
    """
    return _page(_annotated(data))


def analyse(data: bytes, plies: int, done: int) -> View:
    """Analyse a match file with the engine of the page, in steps.

    `done` of `total` decisions are analysed, from where the page asks on. After the last step
    comes the page of the analysed file, as `match` returns it. Raises EngineError.
    """
    engine = engine_for_a_step()
    states = _decisions(data)
    try:
        for state in states[done:]:
            _analysis(engine, state, plies)
            done += 1
    except UnfinishedError:
        return {"done": done, "total": len(states)}
    return _page(_annotated(data, plies))


def _page(sources: Sequence[tuple[Source, AnnotatedMatch]]) -> View:
    matches = [annotated for _, annotated in sources]
    titles = [match_title(annotated.match) for annotated in matches]
    return {
        "title": titles[0] if len(titles) == 1 else f"{len(titles)} matches",
        "page": format_html(matches),
        "analysed": any(total.is_analysed for match in matches for total in totals(match)),
        "remarks": [remark for match in matches for remark in remarks_on(match)],
    }


def export_match(data: bytes, form: str, plies: int | None = None) -> str:
    """A match file as `sgf`, `text`, or the post for a target, in base64.

    With `plies` it has the analysis by the engine of the page, and the errors.
    """
    matches, errors = _annotated(data, plies), plies is not None
    match form:
        case "sgf":
            data = b"".join(
                format_sgf(match, source.record, errors=errors) for source, match in matches
            )
        case "text":
            data = "\n".join(format_columns(match, errors=errors) for _, match in matches).encode()
        case _:
            style = PostStyle(errors=errors)
            data = format_matches([match for _, match in matches], TARGETS[form], style).encode()
    return binascii.b2a_base64(data, newline=False).decode()


@lru_cache(maxsize=1)
def _decisions(data: bytes) -> list[GameState]:
    """All states of a match file that are analysed."""
    states = [
        state
        for _, annotated in _annotated(data)
        for game in annotated.games
        for state in decisions(game.turns)
        if state is not None
    ]
    if len(states) > _MAX_DECISIONS:
        raise EngineError(f"{len(states)} decisions; this page analyses up to {_MAX_DECISIONS}")
    return states


@lru_cache(maxsize=2 * _MAX_DECISIONS)
def _analysis(engine: CompiledGnubg, state: GameState, plies: int) -> MoveAnalysis:
    ((_, analysis),) = engine.analyse([state], Depth(plies))
    return analysis


class _Remembering(NamedTuple):
    """An Analyser that analyses each state once."""

    engine: CompiledGnubg

    def analyse(self, states: Sequence[GameState], depth: Depth) -> Analyses:
        """See Analyser."""
        for index, state in enumerate(states):
            yield index, _analysis(self.engine, state, depth.plies)


@lru_cache(maxsize=2)  # a match is saved after its page was shown
def _annotated(data: bytes, plies: int | None = None) -> tuple[tuple[Source, AnnotatedMatch], ...]:
    if len(data) > MAX_BYTES:
        size, limit = len(data) / 1e6, MAX_BYTES // 10**6
        raise MalformedError(f"a file of {size:.0f} MB; this page reads up to {limit} MB")
    try:
        sources = read_sources(data)
    except MalformedError as error:
        if is_sgf(data) or is_xg(data):
            raise
        advice = _ANALYSED_TEXT if b"\nMove number 1: " in data else _ADVICE
        raise MalformedError(f"{error}; {advice}") from None
    if plies is None:
        return tuple((source, annotate(source.match)) for source in sources)
    analyser, depth = _Remembering(engine_without_end()), Depth(plies)

    def analyse(match: Match, games: Sequence[Sequence[Turn]]) -> Match:
        return analyse_match(match, analyser, depth, games=games)

    return tuple((source, annotate(source.match, analyse=analyse)) for source in sources)
