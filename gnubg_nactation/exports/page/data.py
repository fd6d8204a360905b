"""What the page's script knows of a match: each turn with its board, its plays and its cube.

What the page shows in its tables anyway, and what follows from the turn before, is left out: a
match to 25 points has a thousand turns.
"""

from __future__ import annotations

from collections.abc import Iterator

from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn
from gnubg_nactation.backgammon.analysis import Candidate, CubeAct, CubeAnalysis, PlayAnalysis
from gnubg_nactation.backgammon.ids import format_xgid
from gnubg_nactation.backgammon.match import Double, Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.engines.rating import rate_plays
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.text import action_words
from gnubg_nactation.language.alphabet import Right
from gnubg_nactation.language.nactation import Nactation, Naming, parse_nactation
from gnubg_nactation.language.numerals import is_named_first
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import decide, ranking_of
from gnubg_nactation.language.styles import resting_points
from gnubg_nactation.sequences.notation import token
from gnubg_nactation.showing import shown, shown_lines
from gnubg_nactation.statistics import (
    BLUNDER,
    cube_of,
    is_close,
    losses,
    play_of,
    severity,
    thousandths,
)
from gnubg_nactation.values import Any

__all__ = ["KINDS", "NEARLY", "cube_step", "game_data", "said"]

_LONGEST = 200  # characters of a play that cannot be read
_TOP = 5  # candidates that are listed; if the play made is not among them, it comes behind
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


def said(turn: AnnotatedTurn) -> str:
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


def game_data(game: AnnotatedGame, blunder: float = BLUNDER) -> list[dict[str, Any]]:
    """The turns of a game for the script; absent keys stand for nothing.

    `blunder` as for `severity`.
    """
    befores = (None, *game.turns)
    return [
        {key: value for key, value in _turn(turn, before, blunder) if value is not None}
        for turn, before in zip(game.turns, befores, strict=False)
    ]


def _turn(
    turn: AnnotatedTurn, before: AnnotatedTurn | None, blunder: float
) -> Iterator[tuple[str, Any]]:
    action, state = turn.action, turn.state
    # The other player's turn, and the board that the play before has reached, go without saying.
    if before is None or before.action.player is action.player:
        yield "player", int(action.player)
    if state is not None and not _follows(turn, before):
        yield "xgid", format_xgid(state).removeprefix("XGID=")
    if state is None:
        yield "unknown", 1
    naming = turn.namings[0] if turn.namings else None
    name = turn.nactation
    written = token(turn, naming.nactation if naming else None)
    if not isinstance(action, Move) or written != f"{action.roll}{name}":
        yield "token", written or None
    yield "comment", _comment(action.comment) or None
    yield "trouble", turn.problem or turn.trouble or None
    if isinstance(action, Double):
        yield "doubles", 1 if turn.raised < 2 else 2  # a beaver, of what is offered already
    cube = cube_step(turn, blunder) if isinstance(action, Move) else cube_of(turn)
    if cube:
        yield "cube", _cube(cube)
        yield "cube_nacbrac", _cube_nacbrac(turn)
    yield "lost", [_loss(loss, blunder) for loss in losses(turn)] or None
    yield "name", name or None
    if turn.play is None or naming is None:
        return
    yield "right", naming.right.value if naming.right is not Right.AREAL else None
    if len(turn.plays) == 1:
        yield "forced", 1
        return
    plays = turn.plays
    ranks = _rank(naming, plays)  # first: whose members are ranked needs no place counted
    # Without numerals, which take most of the time and name hardly a play that stays aboard.
    letters = turn.namings[1:] or plays.letters(turn.play)
    others = [[str(one.nactation), one.right.value] for one in letters if one != naming]
    yield "others", others or None
    yield "ranks", ranks
    yield from _candidates(turn, plays, blunder)
    yield "nacbrac", _nacbrac(turn) or None


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


def _nacbrac(turn: AnnotatedTurn) -> str:
    """The nacbrac of the plays that are listed, with an ellipsis where others are as near."""
    if play_of(turn) is None:
        return ""
    # Most matches have no analysis, and need not wait for what writes nacbracs to be imported.
    from gnubg_nactation.exports.nacbracs import judged_turn  # noqa: PLC0415

    judged = judged_turn(turn, told=_TOP)
    return str(judged.nacbrac) if judged else ""


def _cube_nacbrac(turn: AnnotatedTurn) -> str | None:
    from gnubg_nactation.exports.nacbracs import judged_cube  # noqa: PLC0415 (as above)

    judged = judged_cube(turn)
    return str(judged.nacbrac) if judged else None


def _loss(loss: CubeAnalysis | PlayAnalysis, blunder: float) -> list[Any]:
    size = None if loss.error is None else thousandths(loss.error)
    mark = severity(loss, blunder)
    return [loss.fault, size, mark.value if mark else ""]


def _cube(cube: CubeAnalysis) -> list[Any]:
    """The three equities, what was right, what was done, and what that lost.

    Then what the other choice of who decides loses, and who says so.
    """
    from gnubg_nactation.exports.moment import answer_of_cube  # noqa: PLC0415 (as above)

    answer = answer_of_cube(cube, taking=cube.act in {CubeAct.TAKE, CubeAct.DROP})
    told = [thousandths(answer.choices[-1].loss), answer.source] if answer else []
    equities = [cube.no_double, cube.double_take, cube.double_pass]
    known = [None if one is None else thousandths(one) for one in equities]
    return [*known, cube.best, cube.act.value, thousandths(cube.error), *told]


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


# The plays that were considered


def _candidates(turn: AnnotatedTurn, plays: Plays, blunder: float) -> Iterator[tuple[str, Any]]:
    """The best plays, each as `S 0 508 135 7 132 5 24/22 13/8`: name, loss, chances, play.

    Loss and chances are in thousandths; behind the first play, by how much the chances differ.
    `worth` is the equity of the best. A `+` or `-` behind the loss says that the equity is one
    thousandth more or less than follows, `~` that the play was looked at less closely. `made` is
    the place of the play made, if it is another than the first, -1 if it was not considered, and
    `place` its rank where it is not among the best. `source` is who says so. `names` has for the
    quiz every name of the plays that are right answers to a mistake, in their order.
    """
    analysis = play_of(turn)
    if analysis is None or not analysis.candidates:
        return
    best = analysis.candidates[0]
    top = list(analysis.candidates[:_TOP])
    rank = analysis.rank
    if rank is not None and rank >= _TOP:
        top.append(analysis.candidates[rank])
        yield "place", rank + 1
    try:
        found = [one.play for one in rate_plays(top, turn.plays)]
    except NactationError:  # of another board than the one that was reached here
        return
    from gnubg_nactation.exports.moment import chosen  # noqa: PLC0415 (as above)
    from gnubg_nactation.language.lists import listed  # noqa: PLC0415
    from gnubg_nactation.nacbracs.bots import analysis_suffix  # noqa: PLC0415

    answer = chosen([one.method for one in top])
    at = next((at for at, play in enumerate(found) if play == turn.play), None)
    if at is not None and at not in answer:
        answer.append(at)
    names = listed([found[place] for place in answer], plays)
    known = {found[place]: name for place, name in zip(answer, names, strict=True)}
    yield "worth", thousandths(best.equity)
    yield "source", analysis_suffix([best.method])
    yield (
        "plays",
        ",".join(
            _row(one, best, play, known.get(play) or plays.name(play).naming)
            for one, play in zip(top, found, strict=True)
        ),
    )
    if at != 0:
        yield "made", -1 if at is None else at
    if severity(analysis, blunder):
        right = [
            play for one, play in zip(top, found, strict=True) if best.equity - one.equity < NEARLY
        ]
        answers = [_answers(found[0], plays), *map(plays.letters, right[1:])]
        yield "names", ",".join([" ".join(map(str, names)) for names in answers])


def _answers(best: Play, plays: Plays) -> Iterator[Naming]:
    """What the best play may be called, but for numerals that name another play first.

    To rank those would take longer than all the rest of the page.
    """
    yield from plays.letters(best)
    passed = (
        best.portions if best.roll.is_doublet else ()
    )  # of a doublet a digit may mean these, too
    landings = [*resting_points(best.portions), *(portion.target for portion in passed)]
    for digit in dict.fromkeys(str(point % 10) for point in landings):
        if is_named_first(best, digit, plays, plays.forced):
            yield Naming(parse_nactation(digit), Right.NUMERAL)


def _row(one: Candidate, best: Candidate, play: Play, naming: Naming) -> str:
    loss = thousandths(best.equity - one.equity)
    more = thousandths(one.equity) - thousandths(best.equity) + loss
    marks = ("", "+", "-")[more] + "~" * (one.method != best.method)
    chances = _thousandths(one)
    if chances and one is not best:
        chances = [own - other for own, other in zip(chances, _thousandths(best), strict=False)]
    return " ".join([str(naming), f"{loss}{marks}", *map(str, chances), format_play(play)])


def _thousandths(one: Candidate) -> list[int]:
    return [round(1000 * number) for number in one.chances or ()]
