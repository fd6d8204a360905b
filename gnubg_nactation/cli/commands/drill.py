"""`nactate drill`: practise letters and plays."""

from __future__ import annotations

import argparse
import random
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

from gnubg_nactation import IllegalError
from gnubg_nactation.backgammon.match import replay
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.arguments import between
from gnubg_nactation.cli.inputs import add_encoding_option
from gnubg_nactation.cli.match_places import read_matches
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.board.rendering import board_text
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.nacbracs.score import MONEY
from gnubg_nactation.sequences.drill import (
    Answer,
    Question,
    QuestionKind,
    Subject,
    failing_clause,
    from_alphabet,
    from_openings,
    judge,
    question_value,
    questions,
)
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.settings import SettingsError

DESCRIPTION = """\
Practise letters and plays: name the play shown, or find the play of a letter.
Asks on the terminal, and asks again what you got wrong; an empty line ends it."""
EXAMPLES = """\
  nactate drill                         the examples of the alphabet
  nactate drill openings --count 20     opening moves and replies
  nactate drill openings --ask best     their best plays, from the opening book
  nactate drill match.mat --ask letter  the plays of a match
"""
_SOURCES = {"alphabet": from_alphabet, "openings": from_openings}
_MAX_ANSWER = 1000  # bytes
_DELAY = 3  # questions before a wrong answer is asked again
_CLOSE = 0.01  # points that a right play may lose: a deeper search often changes such an order


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "source",
        metavar="alphabet|openings|FILE",
        nargs="?",
        default="alphabet",
        help="source of the plays (default: alphabet)",
    )
    parser.add_argument(
        "--ask",
        choices=("letter", "play", "both", "best"),
        default="both",
        help="ask for letters, plays or both (default: both), or for the best plays of openings",
    )
    parser.add_argument(
        "--count",
        type=between(int, 1, 1000),
        default=10,
        metavar="N",
        help="number of questions (default: 10)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="repeat the questions of an earlier run with the same number",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the questions as JSON, one per line"
    )
    add_encoding_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    rng = random.Random(options.seed)
    if options.ask == "best" and options.source != "openings":
        raise SettingsError("--ask best goes with openings")
    drill = list(islice(_questions(options, rng, streams), options.count))
    if not drill:
        raise IllegalError(f"{options.source}: no roll leaves a choice to ask about")
    if options.json:
        for question in drill:
            streams.print(json_line(question_value(question)))
        return Status.OK
    return _ask_all(drill, streams)


def _questions(
    options: argparse.Namespace, rng: random.Random, streams: Streams
) -> Iterator[Question]:
    if options.ask == "best":
        return _best_plays(rng)
    both = [QuestionKind.LETTER, QuestionKind.PLAY]
    kinds = both if options.ask == "both" else [QuestionKind(options.ask)]
    return questions(_subjects(options, rng, streams), kinds, rng)


def _best_plays(rng: random.Random) -> Iterator[Question]:
    """Ask for the best plays in the opening book for money, in random order.

    Plays that lose at most _CLOSE are accepted, as in the playground.
    """
    book = shipped_book()
    keys = [key for key in book.lines if key[2] == MONEY]
    for key in rng.sample(keys, len(keys)):
        line = book.at(*key)
        if line and len(line.plays) > 1:
            plays = Plays(line.state.position, key[1])
            close = [play for _, play, loss in line.plays if not loss or loss <= _CLOSE]
            names = [plays.name(play).naming.nactation for play in close]
            why = f"{line.sequence} {line.read.nacbrac} {book.label}"
            accepted = tuple(map(str, names))
            yield Question(QuestionKind.BEST, close[0], plays, names[0], accepted, why)


def _subjects(
    options: argparse.Namespace, rng: random.Random, streams: Streams
) -> Iterator[Subject]:
    if options.source in _SOURCES:
        return _SOURCES[options.source](rng)
    matches = read_matches(options.source, streams, options.encoding)
    subjects = [
        Subject(turn.play, Plays.of(turn.plays))
        for match in matches
        for game in match.games
        for turn in replay(match, game)
        if turn.play and len(turn.plays) > 1
    ]
    return iter(rng.sample(subjects, len(subjects)))


def _ask_all(drill: Sequence[Question], streams: Streams) -> int:
    """Ask until all answers are right or the input ends, then print the score."""
    waiting = deque(enumerate(drill, 1))
    missed: set[int] = set()
    status = Status.OK
    try:
        while waiting:
            number, question = waiting[0]
            answer = _ask(question, f"{number}/{len(drill)}", streams)
            if not answer:
                break
            waiting.popleft()
            verdict = judge(question, answer)
            streams.print(f"{_reply(question, verdict, answer)}\n\n")
            if verdict is Answer.WRONG:
                missed.add(number)
                waiting.insert(_DELAY, (number, question))
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
    left = {number for number, _ in waiting}
    done = len(drill) - len(left)
    at_once = sum(number not in missed | left for number in range(1, len(drill) + 1))
    later = f", {done - at_once} after a mistake" if done > at_once else ""
    unanswered = f", {len(left)} left" if left else ""
    streams.print(f"\n{at_once} of {len(drill)} right at once{later}{unanswered}\n")
    return status


def _ask(question: Question, number: str, streams: Streams) -> str:
    """Print a question and return the answer; empty at the end of the input."""
    state = GameState(question.play.before, roll=question.play.roll)
    prompt = f"{question.prompt}  which {question.kind.value}?"
    streams.print(f"{board_text(state)}\n\n{number}  {prompt} ")
    streams.flush()
    return streams.stdin.readline(_MAX_ANSWER).decode("utf-8", "replace").strip()


def _reply(question: Question, verdict: Answer, answer: str) -> str:
    preferred, *others = question.accepted
    if verdict is Answer.PREFERRED:
        return f"Right: {question.explanation}"
    if verdict is Answer.RIGHT:
        return f"Right, though {preferred} is preferred: {question.explanation}"
    also = f"; also right: {' '.join(others)}" if others else ""
    clause = failing_clause(question, answer)
    return f"No: {question.explanation}{also}{f'; {clause}' if clause else ''}"
