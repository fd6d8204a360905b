"""The data of a page for its script: games, steps, plays and names, as in page.schema.json.

A step is a turn, or a decision not to double before a roll. It has no board if its board follows
from the step before, since a match to 25 points has a thousand turns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, ErrorMark, PlayAnalysis
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.match import Double, Match, Move, move_numbers
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.decisions.decision import MAX_BEST, play_decision, turn_nacbrac
from gnubg_nactation.decisions.severity import (
    BLUNDER,
    cube_of,
    is_close_cube,
    losses,
    play_of,
    severity,
    thousandths,
)
from gnubg_nactation.exports.page.document import anchor_start, board_places, columns
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.exports.text import action_words
from gnubg_nactation.exports.views import look_view
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.explain import ranking_of
from gnubg_nactation.language.nactation import Nactation, Naming, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import decide
from gnubg_nactation.sequences.notation import token
from gnubg_nactation.showing import shown
from gnubg_nactation.values import TYPE_CHECKING, Any
from gnubg_nactation.writing.spelling import LIKE, spell

if TYPE_CHECKING:
    from typing import TypeAlias

    from gnubg_nactation.archive.nodes import PlayRow  # SQLite takes long to import

PlaysAt: TypeAlias = "Callable[[Position, Roll], Sequence[PlayRow]]"
_Fields = dict[str, Any]

_MAX_PLAY = 200  # characters of a play that cannot be read
_MIN_ROLLS = 2  # of an archive: a single one is usually that of the page's own match
_TOLERANCE = 0.02  # points: in the quiz a play that loses less is right
_BETWEEN = re.compile(r"(^[^[]*\[| |=|\.\.\.|\].*)")  # the entries of a nacbrac
_RIGHTS = {
    Right.AREAL: "areal letter",
    Right.STYLE: "style",
    Right.SYMBOL: "symbol",
    Right.NUMERAL: "numeral",
    Right.CONVENIENCE: "convenience: S names the Z plays, as no play is an S",
    Right.WAIVED: "the rest of the play, entering waived",
}


def page_data(
    games: Iterable[tuple[Match, str, AnnotatedGame]], blunder: float, plays_at: PlaysAt | None
) -> _Fields:
    """The data of games, each with its match and its anchor.

    `blunder` is as for `severity`; `plays_at` looks plays up in an archive.
    """
    rows: list[_Fields] = []
    steps: list[_Fields] = []
    for match, anchor, game in games:
        turns = list(game_steps(game, blunder, plays_at))
        row = {"id": anchor, "start": anchor_start(anchor), "title": f"Game {game.number}"}
        rows.append({**row, "players": list(match.players), "steps": len(turns)})
        steps += turns
    plays = [play for step in steps for play in step.get("plays", ())]
    spelled = {name for play in plays for name in (play["name"], *play["also"])}
    mentioned = spelled.union(*map(_names, steps))
    mentioned |= {parse_nactation(name).family.key for name in mentioned}
    names = sorted(map(parse_nactation, mentioned), key=lambda name: (name.family.key, name.member))
    return {
        "board": board_places(),
        "rights": {right.value: words for right, words in _RIGHTS.items()},
        "tolerance": thousandths(_TOLERANCE),
        "families": {name.family.key: [name.family.word, name.family.meaning] for name in names},
        "names": columns([_name(name, spelled) for name in names]),
        "like": LIKE,
        "sites": {name: [target.spelling, target.markup] for name, target in TARGETS.items()},
        "games": rows,
        "turns": columns([{**step, "plays": len(step.get("plays", ())) or None} for step in steps]),
        "plays": columns(plays),
    }


def _names(step: Mapping[str, Any]) -> Iterator[str]:
    """The plain spelling of every Nactation of a step, except those of its plays."""
    if name := step.get("name"):
        yield name
    yield from (step.get("ranks") or ())[1:2]
    yield from (step.get("why_not") or ())[:1]
    yield from (name for name, _ in step.get("others", ()))


def _name(name: Nactation, spelled: set[str]) -> _Fields:
    """The look of a Nactation; if posts may spell it, also the forms that LIKE does not give."""
    view = look_view(name) | {"family": name.family.key, "member": name.member}
    if str(name) in spelled:
        forms = {form: spell(name, form) for form in ("plain", *LIKE)}
        view |= {form: forms[form] for form in LIKE if forms[form] != forms[LIKE[form]]}
    return view


def game_steps(
    game: AnnotatedGame, blunder: float = BLUNDER, plays_at: PlaysAt | None = None
) -> Iterator[_Fields]:
    """The steps of a game, with their `plays` as a list; arguments as for `page_data`."""
    previous = None
    for turn, move in zip(game.turns, move_numbers(game.turns), strict=True):
        place = {"move": move, "player": int(turn.action.player), **_board(turn, previous)}
        errors = [_error(loss, blunder) for loss in losses(turn)]
        if cube := cube_step(turn, blunder):
            fields = {**place, "said": cube.act.value, "on_cube": 1, **_cube(turn, cube)}
            yield fields | {"lost": [error for error in errors if error[0]]}
            errors = [error for error in errors if not error[0]]
        yield {**place, **_turn(turn, blunder, plays_at), "lost": errors}
        previous = turn


def cube_step(turn: AnnotatedTurn, blunder: float = BLUNDER) -> CubeAnalysis | None:
    """The decision not to double before a roll, if it was wrong or close by gnubg's limit.

    `blunder` is as for `severity`.
    """
    cube = cube_of(turn)
    if cube is None or cube.act is not CubeAct.NO_DOUBLE or not isinstance(turn.action, Move):
        return None
    return cube if cube.error or severity(cube, blunder) or is_close_cube(cube) else None


def action_text(turn: AnnotatedTurn) -> str:
    """The turn in words or traditional notation: `24/18 13/11`, `doubles to 2`."""
    action, state = turn.action, turn.state
    if not isinstance(action, Move):
        return action_words(turn)
    if turn.play:
        return format_play(turn.play)
    return shown(action.text, _MAX_PLAY) or ("cannot move" if state and not turn.plays else "")


def _turn(turn: AnnotatedTurn, blunder: float, plays_at: PlaysAt | None) -> _Fields:
    action = turn.action
    naming = turn.namings[0] if turn.namings else None
    roll = str(action.roll) if isinstance(action, Move) else ""
    token_text = token(turn, naming.nactation if naming else None)
    fields: _Fields = {
        "roll": roll,
        "name": turn.nactation,
        "token": "" if roll and token_text == f"{roll}{turn.nactation}" else token_text,
        "comment": _comment(action.comment),
        "trouble": turn.problem or turn.trouble,
    }
    if isinstance(action, Double):
        fields["doubles"] = 1 if turn.raised < 2 else 2  # a beaver doubles the offered cube
    if not isinstance(action, Move) and (cube := cube_of(turn)):
        fields |= _cube(turn, cube)
    if turn.play is not None and naming is not None:
        fields["right"] = naming.right.value if naming.right is not Right.AREAL else None
        fields["forced"] = 1 if len(turn.plays) == 1 else None
        if len(turn.plays) > 1:
            # First, because it ranks the family, which is then quicker to name.
            fields["ranks"] = _rank(naming, turn.plays)
            fields["others"] = _other_names(turn)
            fields |= _decision(turn, blunder)
    if fields.get("made") is None:
        fields["said"] = action_text(turn)
    if plays_at and isinstance(action, Move) and turn.state and len(turn.plays) > 1:
        fields["archive"] = _archive(plays_at(turn.state.position, action.roll))
    return fields


def _decision(turn: AnnotatedTurn, blunder: float) -> _Fields:
    """The decision of a turn, if it was analysed, with the fields of its plays."""
    if not (analysis := play_of(turn)):
        return {}
    # Most matches have no analysis, and need not wait for this import.
    from gnubg_nactation.exports.page.choices import (  # noqa: PLC0415
        confused_letter,
        legal_letters,
        play_fields,
    )

    nacbrac = turn_nacbrac(turn, top=MAX_BEST)
    decision = play_decision(turn)
    if not decision:
        return {"nacbrac": [nacbrac]}
    mark, why_not = severity(analysis, blunder), None
    if mark is ErrorMark.VERY_BAD and turn.play and turn.namings:
        why_not = confused_letter(turn.play, turn.namings[0].nactation, turn.plays)
    tolerance = _TOLERANCE if mark else 0.0
    plays = play_fields(decision, turn.plays, tolerance)
    entries = {f"{play['name']}{play['loss'] if at else ''}": at for at, play in enumerate(plays)}
    return {
        "source": decision.source,
        "nacbrac": [entries.get(part, part) for part in _BETWEEN.split(nacbrac) if part],
        "equity": thousandths(decision.choices[0].equity),
        "made": decision.made,
        "rank": decision.rank and decision.rank + 1,
        "plays": plays,
        "why_not": why_not,
        "legal": legal_letters(turn.plays) if mark else None,
    }


def _cube(turn: AnnotatedTurn, cube: CubeAnalysis) -> _Fields:
    from gnubg_nactation.exports.page.choices import cube_fields  # noqa: PLC0415 (as above)

    return {**cube_fields(cube), "cube_nacbrac": turn_nacbrac(turn, cube=True)}


def _board(turn: AnnotatedTurn, previous: AnnotatedTurn | None) -> _Fields:
    """The board, unless the turn before leads to it."""
    if turn.state is None:
        return {"unknown": 1}
    if _follows(turn, previous):
        return {}
    return {"xgid": format_xgid(turn.state).removeprefix("XGID=")}


def _follows(turn: AnnotatedTurn, previous: AnnotatedTurn | None) -> bool:
    """Whether the board is that after the play of the turn before, if anything could be played."""
    if previous is None or previous.state is None or not isinstance(turn.action, Move):
        return False
    moved = previous.play is not None or (
        isinstance(previous.action, Move) and not previous.plays and not previous.problem
    )
    return moved and previous.action.player is not turn.action.player


def _error(loss: CubeAnalysis | PlayAnalysis, blunder: float) -> list[Any]:
    size = None if loss.error is None else thousandths(loss.error)
    mark = severity(loss, blunder)
    return [loss.fault, size, mark.value if mark else ""]


def _comment(text: str) -> str:
    if not text:
        return ""
    from gnubg_nactation.exports.sgf import own_comment  # noqa: PLC0415 (few matches have comments)

    return own_comment(text)


def _other_names(turn: AnnotatedTurn) -> list[list[str]]:
    """The other names of the play made, each with its right.

    Numerals are left out: they take most of the time, and rarely name a play without bearoff.
    """
    letters = turn.namings[1:] or (turn.plays.letters(turn.play) if turn.play else ())
    first = turn.namings[0]
    return [[str(name.nactation), name.right.value] for name in letters if name != first]


def _rank(naming: Naming, plays: Plays) -> list[Any] | None:
    """The size of the family, the member above (for the first the one below), and what decides."""
    nactation = naming.nactation
    reading = plays.reading(nactation.family, naming.right)
    members = reading.members
    if len(members) < 2:
        return None
    at = nactation.member - 1
    near = at - 1 if at else 1
    reason = decide(members[min(at, near)], members[max(at, near)], ranking_of(reading))
    neighbour = Nactation(nactation.family, near + 1)
    return [len(members), str(neighbour), format_play(members[near]), str(reason)]


def _archive(rows: Sequence[PlayRow]) -> list[Any] | None:
    """How often a roll was thrown, and for each play how often it was made and its mean error."""
    count = sum(row.count for row in rows)
    if count < _MIN_ROLLS:
        return None
    errors = {row.play: [thousandths(row.error.value)] if row.error else [] for row in rows}
    return [count, {row.play: [row.count, *errors[row.play]] for row in rows}]
