"""What the page's script knows of a match: each turn with its board, its plays and its cube.

What the page shows in its tables anyway, and what follows from the turn before, is left out: a
match to 25 points has a thousand turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.match import Double, Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.decisions.severity import (
    BLUNDER,
    PARTS,
    cube_of,
    is_close,
    losses,
    play_of,
    severity,
    thousandths,
)
from gnubg_nactation.exports.page.met import Met, met_at
from gnubg_nactation.exports.text import action_words
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Nactation, Naming
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import decide, ranking_of
from gnubg_nactation.sequences.notation import token
from gnubg_nactation.showing import shown, shown_lines
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.decisions.decision import Decision

_LONGEST = 200  # characters of a play that cannot be read
NEARLY = 0.02  # points: in the quiz a play that loses less is right, too
# By which right a Nactation names a play.
KINDS = {
    Right.AREAL.value: "areal letter",
    Right.STYLE.value: "style",
    Right.SYMBOL.value: "symbol",
    Right.NUMERAL.value: "numeral",
    Right.CONVENIENCE.value: "convenience: S names the Z plays, as no play is an S",
    Right.WAIVED.value: "the rest of the play, entering waived",
}


def action_text(turn: AnnotatedTurn) -> str:
    """The turn in words or traditional notation: `24/18 13/11`, `doubles to 2`."""
    action, state = turn.action, turn.state
    if not isinstance(action, Move):
        return action_words(turn)
    if turn.play:
        return format_play(turn.play)
    return shown(action.text, _LONGEST) or ("cannot move" if state and not turn.plays else "")


def cube_step(turn: AnnotatedTurn, blunder: float = BLUNDER) -> CubeAnalysis | None:
    """The decision not to double before a roll, where it is worth a step of its own.

    It is where it was wrong, or close by gnubg's limit. Double, take and drop are turns anyway.
    `blunder` as for `severity`.
    """
    cube = cube_of(turn)
    if cube is None or cube.act is not CubeAct.NO_DOUBLE:
        return None
    return cube if cube.error or severity(cube, blunder) or is_close(cube) else None


class TurnData(NamedTuple):
    """The fields of a turn for the script, without those that are nothing, and its plays.

    `accepted` has for the quiz every name of each right play, if a mistake was made.
    """

    fields: dict[str, Any]
    decision: Decision | None = None
    accepted: Sequence[Sequence[str]] = ()


def game_data(
    game: AnnotatedGame, blunder: float = BLUNDER, met: Met | None = None
) -> list[TurnData]:
    """The turns of a game for the script. `blunder` as for `severity`, `met` as for the page."""
    befores = (None, *game.turns)
    return [
        _turn_data(turn, before, blunder, met)
        for turn, before in zip(game.turns, befores, strict=False)
    ]


def _turn_data(
    turn: AnnotatedTurn, before: AnnotatedTurn | None, blunder: float, met: Met | None
) -> TurnData:
    naming = turn.namings[0] if turn.namings else None
    ranks = decision = None
    accepted: list[list[str]] = []
    choice = turn.play is not None and naming is not None and len(turn.plays) > 1
    if choice and naming:
        ranks = _rank(naming, turn.plays)  # first: whose members are ranked needs no place counted
        if analysis := play_of(turn):
            # Most matches have no analysis, and need not wait for these imports.
            from gnubg_nactation.decisions.decision import play_decision  # noqa: PLC0415
            from gnubg_nactation.exports.page.candidates import accepted_names  # noqa: PLC0415

            decision = play_decision(turn)
            if decision and severity(analysis, blunder):
                accepted = accepted_names(decision, turn.plays, NEARLY)
    lost = [_loss(one, blunder) for one in losses(turn)]
    pairs = [
        *_turn(turn, before, naming),
        *_cube(turn, blunder),
        ("lost", _without_known(lost, decision, blunder) or None),
        *_named(turn, naming),
    ]
    if choice:
        pairs += [
            ("others", _others(turn) or None),
            ("ranks", ranks and _without_play(ranks, decision)),
            *_judged(turn, decision, accepted),
        ]
    pairs += [
        ("met", met and met_at(turn, met)),
        ("sound", 1 if decision and thousandths(decision.loss) and _is_sound(lost) else None),
    ]
    fields = {key: value for key, value in pairs if value is not None}
    return TurnData(fields, decision, accepted)


def _turn(
    turn: AnnotatedTurn, before: AnnotatedTurn | None, naming: Naming | None
) -> Iterator[tuple[str, Any]]:
    action, state = turn.action, turn.state
    # The other player's turn, and the board that the play before has reached, go without saying.
    if before is None or before.action.player is action.player:
        yield "player", int(action.player)
    if state is not None and not _follows(turn, before):
        yield "xgid", format_xgid(state).removeprefix("XGID=")
    if state is None:
        yield "unknown", 1
    written = token(turn, naming.nactation if naming else None)
    if not isinstance(action, Move) or written != f"{action.roll}{turn.nactation}":
        yield "token", written or None
    yield "comment", _comment(action.comment) or None
    yield "trouble", turn.problem or turn.trouble or None
    if isinstance(action, Double):
        yield "doubles", 1 if turn.raised < 2 else 2  # a beaver, of what is offered already


def _cube(turn: AnnotatedTurn, blunder: float) -> Iterator[tuple[str, Any]]:
    cube = cube_step(turn, blunder) if isinstance(turn.action, Move) else cube_of(turn)
    if cube:
        from gnubg_nactation.decisions.nacbrac import turn_nacbrac  # noqa: PLC0415 (as above)
        from gnubg_nactation.exports.page.candidates import cube_equities  # noqa: PLC0415

        yield "cube", cube_equities(cube)
        yield "cube_nacbrac", turn_nacbrac(turn, cube=True) or None


def _named(turn: AnnotatedTurn, naming: Naming | None) -> Iterator[tuple[str, Any]]:
    yield "name", turn.nactation or None
    if turn.play is not None and naming is not None:
        yield "right", naming.right.value if naming.right is not Right.AREAL else None
        yield "forced", 1 if len(turn.plays) == 1 else None


def _others(turn: AnnotatedTurn) -> list[list[str]]:
    """The other names of the play made, each with its right.

    Without numerals, which take most of the time and name hardly a play that stays aboard.
    """
    letters = turn.namings[1:] or (turn.plays.letters(turn.play) if turn.play else ())
    return [[str(one.nactation), one.right.value] for one in letters if one != turn.namings[0]]


def _judged(
    turn: AnnotatedTurn, decision: Decision | None, accepted: Sequence[Sequence[str]]
) -> Iterator[tuple[str, Any]]:
    if decision:
        yield "source", decision.source
        yield "plays", 1
        yield "names", ",".join(map(" ".join, accepted)) or None
    if play_of(turn):
        from gnubg_nactation.decisions.decision import MAX_BEST  # noqa: PLC0415 (as above)
        from gnubg_nactation.decisions.nacbrac import turn_nacbrac  # noqa: PLC0415

        yield "nacbrac", turn_nacbrac(turn, most=MAX_BEST) or None


def _follows(turn: AnnotatedTurn, before: AnnotatedTurn | None) -> bool:
    """Whether the board is that of the turn before with its play made, the other side to move.

    It may be that nothing could be played.
    """
    if before is None or before.state is None or not isinstance(turn.action, Move):
        return False
    moved = before.play is not None or (
        isinstance(before.action, Move) and not before.plays and not before.problem
    )
    return moved and before.action.player is not turn.action.player


def _loss(loss: CubeAnalysis | PlayAnalysis, blunder: float) -> list[Any]:
    size = None if loss.error is None else thousandths(loss.error)
    mark = severity(loss, blunder)
    return [loss.fault, size, mark.value if mark else ""]


def _without_known(
    lost: Sequence[list[Any]], decision: Decision | None, blunder: float
) -> list[list[Any]]:
    """What was lost, without the play's loss where the plays tell it and its size the mark."""
    loss = thousandths(decision.loss) if decision else 0
    mark = next((mark for mark, part in PARTS.items() if loss >= 1000 * blunder / part), None)
    return [one for one in lost if loss <= 0 or one != ["", loss, mark.value if mark else ""]]


def _is_sound(lost: Sequence[list[Any]]) -> bool:
    """Whether the record tells of no loss by the play, whatever the plays tell."""
    return all(fault for fault, *_ in lost)


def _comment(text: str) -> str:
    if not text:
        return ""
    # Imported only where there are comments: a match of another format has no use for SGF.
    from gnubg_nactation.exports.sgf import PREFIX  # noqa: PLC0415

    lines = (line for line in text.splitlines() if not line.startswith(PREFIX))
    return shown_lines("\n".join(lines)).strip()


def _rank(naming: Naming, plays: Plays) -> list[Any] | None:
    """The size of the family, the play's neighbour (its name, the play), and what decides.

    The neighbour is the member just above; for the first member it is the second.
    """
    nactation = naming.nactation
    reading = plays.reading(nactation.family, naming.right)
    members = reading.members
    if len(members) < 2:
        return None
    at = nactation.member - 1
    other = at - 1 if at else 1
    decision = decide(members[min(at, other)], members[max(at, other)], ranking_of(reading))
    neighbour = str(Nactation(nactation.family, other + 1))
    return [len(members), neighbour, format_play(members[other]), str(decision)]


def _without_play(ranks: list[Any], decision: Decision | None) -> list[Any]:
    """The rank without the neighbour's play, if that is a choice with this name."""
    size, name, play, by = ranks
    choices = decision.choices if decision else ()
    known = any(str(choice.name) == name and choice.text == play for choice in choices)
    return [size, name, "" if known else play, by]
