"""Finds the positions in a text with copied analyses, and reads each with its plays and note."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gnubg_nactation.backgammon.analysis import CubeAnalysis
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.ids_in_text import find_ids
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.copied.cube import CopiedCube, find_cube
from gnubg_nactation.files.copied.layout import SIGNED, plain_text
from gnubg_nactation.files.copied.notes import note_after
from gnubg_nactation.files.copied.plays import Ranking, find_plays, rate_copied
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_MAX_CHARS = 2_000_000
_XGID = re.compile(
    r"XG\s?ID\s?[=:]?\s?[-A-Oa-o]{26}(?::-?\d{1,2}){3}:(?:\d\d|[DBR])(?::\d{1,5}){4}:(?:10|\d)",
    re.IGNORECASE,
)
_TO_PLAY = re.compile(
    r"(?:to\s{1,9}play|to\s{1,9}move|rolled|rolls|\xe0\s{1,9}jouer|zum?\s{1,9}spielen|para\s{1,9}jugar|gioca|heitti"
    r"|\u03bd\u03b1\s{1,9}\u03c0\u03b1\u03af\u03be\u03b5\u03b9|\u0438\u0433\u0440\u0430\u0442\u044c"
    r"|\u30d7\u30ec\u30a4)\s{0,9}:?\s{0,9}([1-6])\s?-?\s?([1-6])(?!\d)",
    re.IGNORECASE,
)
_EQUITY = re.compile(SIGNED)
_ENTRY = re.compile(rf"\beq\.?\s?:\s{{0,9}}{SIGNED}", re.IGNORECASE)


class Copied(NamedTuple):
    """A position of a text, from offset `start` up to `end`, with its analysis and its note.

    The ID is from `id_start` up to `id_end`, and so the analysis. `legal` are the legal plays of
    the roll, `ranking` those of the text. `cube` is the cube decision before the roll. `problems`
    are lines about what is wrong and left out.
    """

    start: int
    end: int
    line: int
    id_start: int
    id_end: int
    analysis_start: int
    analysis_end: int
    state: GameState | None
    legal: tuple[Play, ...] = ()
    ranking: Ranking = Ranking()
    cube: CubeAnalysis | None = None
    note: str = ""
    problems: tuple[str, ...] = ()

    @property
    def has_analysis(self) -> bool:
        """Whether it has a play or a cube decision that can be used."""
        return bool(self.ranking.rated or self.cube)


class _Id(NamedTuple):
    start: int
    end: int
    state: GameState | None
    problem: str = ""


def read_copied(text: str) -> tuple[Copied, ...]:
    """The positions of a text, in its order; none if it has no ID with a label or a score.

    Raises MalformedError if the text is too long.
    """
    if len(text) > _MAX_CHARS:
        raise MalformedError(f"over {_MAX_CHARS:,} characters; paste fewer positions at a time")
    plain = plain_text(text)
    parts = [_read(plain, *part) for part in _parts(plain, _ids(plain))]
    return tuple(_numbered(text, parts))


def _numbered(text: str, parts: Sequence[Copied]) -> Iterator[Copied]:
    """The positions with the numbers of their lines."""
    line, at = 1, 0
    for copied in parts:
        line += text.count("\n", at, copied.id_start)
        at = copied.id_start
        yield copied._replace(line=line)


def _ids(text: str) -> list[_Id]:
    """The certain IDs of a text in order, with their states."""
    # A word may follow an XGID without a blank.
    places = {match.start(): (match.end(), match[0]) for match in _XGID.finditer(text)}
    for place in find_ids(text):
        if place.is_certain:
            places.setdefault(place.start, (place.end, place.name))
    ids: list[_Id] = []
    for start, (end, name) in sorted(places.items()):
        if ids and start < ids[-1].end:
            continue
        try:
            ids.append(_Id(start, end, parse_state(name)))
        except MalformedError as error:
            ids.append(_Id(start, end, None, str(error)))
    return ids


def _parts(text: str, ids: Sequence[_Id]) -> Iterator[tuple[_Id, int, int]]:
    """Each ID with the part of the text about it; several names of a board share one."""
    merged: list[_Id] = []
    seen = 0
    for place in ids:
        last = merged[-1] if merged else None
        if (
            last
            and _is_same(last.state, place.state)
            and not _EQUITY.search(text, seen, place.start)
        ):
            if last.state and last.state.roll is None:
                merged[-1] = last._replace(state=place.state)
        else:
            merged.append(place)
        seen = place.end
    ends = [*(place.start for place in merged), len(text)][1:]
    for place, end in zip(merged, ends, strict=False):
        yield place, 0 if len(merged) == 1 else place.start, end


def _is_same(first: GameState | None, second: GameState | None) -> bool:
    """Whether two IDs may be of the same decision."""
    if first is None or second is None or first.position != second.position:
        return False
    return first.roll == second.roll or not first.roll or not second.roll


def _read(text: str, place: _Id, start: int, end: int) -> Copied:
    """Read the part of a text about a position."""
    places = place.start, place.end
    copied = Copied(start, end, 0, *places, place.end, place.end, place.state)
    state = place.state
    if state is None:
        return copied._replace(problems=(place.problem,))
    if state.length and max(state.score) >= state.length:
        first, second = state.score
        problem = f"the score {first}-{second} of the ID ends a match to {state.length}"
        return copied._replace(state=None, problems=(problem,))
    plays = find_plays(text, start, end)
    problems: list[str] = []
    cube: CopiedCube | None = None
    try:
        cube = find_cube(text, start, end)
    except MalformedError as error:
        problems.append(str(error))
    if cube and (problem := _cube_problem(state)):
        problems.append(problem)
        cube = None
    legal: Sequence[Play] = ()
    if plays and state.roll is None:
        roll = _TO_PLAY.search(text, start, end)
        if roll is None or state.doubled:
            problems.append(f"{quoted(plays[0].text)} is listed, but the ID has no roll")
            plays = []
        else:
            state = replace(state, roll=Roll.parse(roll[1] + roll[2]))
    if state.roll and not state.doubled:
        legal = legal_plays(state.position, state.roll)
        if not (legal or plays) and _ENTRY.search(text, start, end):
            problems.append(f"nothing can be played with {state.roll}")
    ranking = rate_copied(plays, legal)
    parts = [(play.start, play.end) for play in plays]
    parts += [(cube.start, cube.end)] if cube else []
    analysis_start = min((first for first, _ in parts), default=place.end)
    analysis_end = max((last for _, last in parts), default=place.end)
    levels = [play.level for play in plays] or [cube.analysis.method if cube else ""]
    has_xg = any(level.startswith("XG") for level in levels)
    note = ""
    if has_xg:
        answers = cube.answers if cube else ()
        note = note_after(text, max(analysis_end, place.end), end, answers)
    return copied._replace(
        state=state,
        analysis_start=analysis_start,
        analysis_end=analysis_end,
        legal=tuple(legal),
        ranking=ranking,
        cube=cube.analysis if cube else None,
        note=note,
        problems=(*problems, *ranking.problems),
    )


def _cube_problem(state: GameState) -> str:
    """Why the player cannot have this cube decision; empty if he can."""
    if state.doubled:
        return ""
    if state.crawford:
        return "a cube analysis, but the ID is of the Crawford game"
    if state.owner not in {None, state.player}:
        return "a cube analysis, but the opponent owns the cube"
    return ""
