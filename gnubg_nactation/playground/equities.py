"""The engine's judgement of what is on the board: the plays of a roll, or the cube before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.decision import USUAL
from gnubg_nactation.decisions.nacbrac import nacbrac_text
from gnubg_nactation.decisions.severity import points
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import Depth, Evaluation
from gnubg_nactation.engines.evaluating import evaluate
from gnubg_nactation.engines.nacbracs import decide_ranked, judge_cube, plays_to_judge, suffix_by
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.exports.views import View
from gnubg_nactation.playground.stepping import UnfinishedError, engine_for_a_step
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.incremental import read_progress
from gnubg_nactation.sequences.moves import sequence
from gnubg_nactation.sequences.notation import start_prefix
from gnubg_nactation.values import replace

_MINUS = "\u2212"


def equities(text: str, at: int, plies: int) -> View:
    """The judgement of the turn `at` of a text, or of the state after its last turn.

    `plays` are those of the roll, the best first, each with its equity, its loss and its chances
    in percent: wins, gammons, backgammons, and the opponent's. Without a roll, `actions` are those
    of the cube, the best first, and `chances` and `equity` those of the position. `nacbrac` is the
    text to copy. `unfinished` means that the same question goes on with the work. Raises
    EngineError, and IllegalError if there is nothing to judge.
    """
    engine = engine_for_a_step()
    state, head = _subject(text, at)
    depth = Depth(plies)
    try:
        view = _plays(engine, state, depth) if state.roll else _cube(engine, state, depth)
    except UnfinishedError:
        return {"unfinished": 1}
    if nacbrac := view.get("nacbrac"):
        view["nacbrac"] = f"{head} {nacbrac}".lstrip()
    return view | {"level": engine.bot.level(depth)}


@lru_cache(maxsize=8)
def _subject(text: str, at: int) -> tuple[GameState, str]:
    """The state that is judged, and the sequence before its nacbrac, up to the roll."""
    progress = read_progress(text)
    decoded = progress.decoded
    turns = decoded.turns if decoded else ()
    if at < len(turns):
        state = turns[at].state
        is_cube = not isinstance(turns[at].action, Move)
    else:
        following = progress.next_token if progress.error else None
        state = decoded.state if decoded else progress.start or GameState()
        state, is_cube = following.state if following else state, False
    if is_cube or state.doubled:
        state = replace(state.before_double, roll=None)
    head = ""
    if decoded:
        head = start_prefix(decoded.parsed.start) + "-" * (decoded.parsed.starts is Player.SECOND)
    tokens = [
        f"{turn.state.roll}{turn.nactation}" if turn.nactation else turn.token.text
        for turn in turns[:at]
    ]
    return state, head + "-".join([*tokens, *([str(state.roll)] if state.roll else [])])


def _plays(engine: CompiledGnubg, state: GameState, depth: Depth) -> View:
    plays = plays_to_judge(state)
    count = len(rank_best(engine, state, depth, within=USUAL.reach)) if depth.plies else 0
    ranked = engine.rank_with_chances(state, replace(depth, plays=count))
    best = tuple([play for play, _ in ranked[: count or None]])
    top = ranked[0][0].equity
    decision = decide_ranked(state, best, plays, suffix_by(engine.bot, depth))
    return {
        "nacbrac": nacbrac_text(decision),
        "plays": [
            {
                "said": format_play(play.play),
                "equity": signed(play.equity),
                "loss": signed(play.equity - top) if play.equity < top else "",
                "chances": _percent(chances),
                "level": "" if play.method == ranked[0][0].method else play.method,
            }
            for play, chances in ranked
        ],
    }


def _cube(engine: CompiledGnubg, state: GameState, depth: Depth) -> View:
    evaluation: Evaluation = engine.evaluate(state, depth)
    view: View = {
        "chances": _percent(evaluation.chances),
        "equity": signed(evaluation.cubeful),
    }
    if not state.may_double:
        return view
    decision = judge_cube(engine, state, depth)
    actions = [
        [
            choice.text.capitalize(),
            signed(choice.equity or 0.0),
            signed(-choice.loss) if choice.loss else "",
        ]
        for choice in decision.choices
    ]
    return view | {"actions": actions, "nacbrac": nacbrac_text(decision)}


def signed(equity: float) -> str:
    """An equity or a loss as players write it, with a real minus."""
    return points(equity).replace("-", _MINUS)


def _percent(chances: Sequence[float]) -> list[str]:
    return [f"{100 * chance:.1f}" for chance in chances]


def resolve(text: str) -> View:
    """A sequence whose assumed plays the engine has chosen (section 8), written in full letters.

    `turns` are the choices, each with its reason. `unfinished` as in `equities`.
    """
    engine = engine_for_a_step()
    progress = read_progress(text)
    try:
        decoded = decode(
            progress.sequence, start=progress.start, assume=lambda state: evaluate(engine, state)
        )
    except UnfinishedError:
        return {"unfinished": 1}
    notes = [
        f"{turn.token.text}: {format_play(turn.play)}, {turn.note}"
        for turn in decoded.turns
        if turn.play and turn.note
    ]
    return {"text": f"{progress.name} {sequence(decoded.turns)}".lstrip(), "notes": notes}
