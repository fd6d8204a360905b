"""What a post or a card is about: a position, the end of a sequence, or a decision of a match."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, annotate
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.match import Double, Drop, Move, Take, Turn, move_numbers
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.cli.arguments import read_sequence
from gnubg_nactation.cli.engine import NONE
from gnubg_nactation.cli.inputs import Input, read_input
from gnubg_nactation.cli.progress import waiting
from gnubg_nactation.cli.streams import Streams
from gnubg_nactation.decisions.decision import (
    MAX_BEST,
    NEAR,
    Decision,
    cube_decision,
    decide_play,
    play_decision,
    read_decision,
)
from gnubg_nactation.engines.engine import check_playable
from gnubg_nactation.engines.nacbracs import judge_cube, plays_to_judge
from gnubg_nactation.engines.shortlist import rank_best
from gnubg_nactation.errors import EngineError, IllegalError
from gnubg_nactation.exports.names import presentable
from gnubg_nactation.exports.post.posts import token_read
from gnubg_nactation.files.formats import read
from gnubg_nactation.nacbracs.resolving import CubeRead
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.notation import SequenceLayout, begins, token
from gnubg_nactation.values import NamedTuple, replace

MATCH_HELP = (
    "or MATCH#GAME.MOVE, a decision of a match file with the numbers of its move list, as in "
    "`match.sgf#2.13`; `2.13a` is the first player's, `2.13b` the second's; `2.1.13` is of the "
    "second match of a file"
)
_IN_MATCH = re.compile(
    r"(?P<file>.+)#(?:(?P<match>\d{1,4})\.)?(?P<game>\d{1,4})\.(?P<move>\d{1,4})(?P<who>[ab]?)",
    re.DOTALL | re.ASCII,
)


class Subject(NamedTuple):
    """What a command is about: a decision, with choices if they are known, and what led to it.

    That is a sequence that was `decoded`, or the `turns` of a match before it, which is `where` in
    words.
    """

    decision: Decision
    players: tuple[str, str] | None = None
    decoded: Decoded | None = None
    turns: tuple[AnnotatedTurn, ...] = ()
    where: str = ""


def add_cube_option(parser: argparse.ArgumentParser) -> None:
    """Declare which decision of a roll in a match is meant."""
    parser.add_argument(
        "--cube",
        action="store_true",
        help="of a roll in a match, the decision about the cube before it",
    )


def tokens(subject: Subject, style: SequenceLayout) -> list[str]:
    """The tokens of what led to a decision, the first with the marks that begin a sequence."""
    if subject.decoded:
        turns: Sequence[Turn] = subject.decoded.turns
        texts = [token_read(turn, style) for turn in subject.decoded.turns]
    else:
        turns = subject.turns
        names = (turn.namings[0].nactation if turn.namings else None for turn in subject.turns)
        found = (token(turn, name, style) for turn, name in zip(turns, names, strict=True))
        texts = [text for text in found if text]
    if not texts:
        return []
    first = next((turn for turn in turns if isinstance(turn.action, Move)), turns[0])
    start = begins(first.state.position if first.state else None)
    start += style.start * (first.action.player is Player.SECOND)
    return [start + texts[0], *texts[1:]]


def subject_of(text: str, options: argparse.Namespace, streams: Streams) -> Subject:
    """What a text names: a position, a sequence with nacbracs or not, or a decision of a match.

    Raises MalformedError, IllegalError and OSError.
    """
    found = in_match(text, options, streams)
    if found:
        return found
    state = parse_state(text)
    if state is not None:
        return Subject(Decision(state))
    if "[" not in text:
        decoded = read_sequence(text, options, streams)
        return Subject(Decision(decoded.state), decoded=decoded)
    from gnubg_nactation.cli.decode_nacbrac import resolve
    from gnubg_nactation.nacbracs.parts import split

    (sequence, nacbracs), *others = split(text)
    if others or len(nacbracs) != 1:
        raise IllegalError("one sequence with one nacbrac is expected here")
    decoded = read_sequence(sequence, options, streams)
    (nacbrac,) = resolve(decoded, nacbracs, options, streams)
    if isinstance(nacbrac, CubeRead):
        raise IllegalError("a nacbrac of plays is expected here, and not one of the cube")
    state = replace(decoded.state, roll=nacbrac.state.roll)
    return Subject(read_decision(nacbrac)._replace(state=state), decoded=decoded)


def in_match(text: str, options: argparse.Namespace, streams: Streams) -> Subject | None:
    """The decision of a match file that a text names; None if it names none."""
    named = _IN_MATCH.fullmatch(text)
    if named is None:
        return None
    path = Path(named["file"])
    matches = read(read_input(Input(str(path), path.name), streams.stdin))
    at = int(named["match"] or 1)
    if not 1 <= at <= len(matches):
        raise IllegalError(f"there is no match {at}; the file has {len(matches)}")
    annotated = presentable(annotate(matches[at - 1]))
    turns = _turns(annotated, int(named["game"]), int(named["move"]), named["who"])
    turn = turns[-1]
    if turn.state is None:
        raise IllegalError(f"the board is not known at {named['game']}.{named['move']}")
    if options.cube or not isinstance(turn.action, Move):
        decision = cube_decision(turn) or Decision(replace(turn.state, roll=None))
    else:
        decision = play_decision(turn) or Decision(turn.state)
    where = f"game {named['game']}, move {named['move']}"
    return Subject(decision, annotated.match.players, None, turns[:-1], where)


def _turns(annotated: AnnotatedMatch, game: int, move: int, who: str) -> tuple[AnnotatedTurn, ...]:
    """A game up to the decision with these numbers, the first of its move if nobody is named."""
    games = [one for one in annotated.games if one.number == game]
    if not games:
        raise IllegalError(f"there is no game {game}; the match has {len(annotated.games)}")
    turns = games[0].turns
    numbers = move_numbers(turns)
    player = Player("ab".index(who)) if who else None
    for at, (turn, number) in enumerate(zip(turns, numbers, strict=True), 1):
        decides = isinstance(turn.action, Move | Double | Take | Drop)
        if number == move and decides and player in {None, turn.action.player}:
            return turns[:at]
    last = max(numbers, default=0)
    raise IllegalError(f"there is no decision {move}{who} in game {game}; it has {last} moves")


def answered(subject: Subject, options: argparse.Namespace, streams: Streams) -> Subject:
    """The subject with what is right there, by an engine where nothing else tells.

    Raises EngineError, and IllegalError where there is nothing to decide.
    """
    if subject.decision.choices:
        return subject
    if options.engine == NONE:
        raise EngineError("what is right there is not known, and no engine is to be asked")
    state = subject.decision.state
    check_playable(state)
    engine = options.open_engine()
    depth = engine.bot.depth()
    with waiting(streams, f"asking {engine.bot.name}, {engine.bot.level(depth)}"):
        if state.roll:
            plays = plays_to_judge(state)
            rated = rank_best(engine, state, depth, within=NEAR)
            decision = decide_play(state, rated[:MAX_BEST], plays)
        else:
            decision = judge_cube(engine, state, depth)
    return subject._replace(decision=decision)
