"""`nactate drill`: practise letters and plays, and repeat what was wrong."""

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
from gnubg_nactation.sequences.drill import (
    Answer,
    Question,
    QuestionKind,
    Subject,
    from_alphabet,
    from_openings,
    judge,
    question_value,
    questions,
)
from gnubg_nactation.showing import json_text

DESCRIPTION = (
    "Ask for the letter of a play, or for the play of a letter. Every valid answer is right; what "
    "was wrong comes again until it is right. An empty line, or the end of the input, ends it."
)
EXAMPLES = """\
  nactate drill                         the examples of the alphabet
  nactate drill openings --count 20     opening moves and replies
  nactate drill match.mat --ask letter  the plays of a match
  nactate drill openings --json         the questions, one JSON object a line
"""
_SOURCES = {"alphabet": from_alphabet, "openings": from_openings}
_LONGEST = 1000  # bytes of an answer
_LATER = 3  # how many questions stand between a wrong answer and its repetition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "source",
        metavar="alphabet|openings|FILE",
        nargs="?",
        default="alphabet",
        help="where the plays are from: the alphabet (default), openings, or a match file",
    )
    parser.add_argument(
        "--ask",
        choices=("letter", "play", "both"),
        default="both",
        help="for the letter of a play, for the play of a letter, or for either (default)",
    )
    parser.add_argument(
        "--count",
        type=between(int, 1, 1000),
        default=10,
        metavar="N",
        help="how many questions (default: 10)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="the same questions each time with the same number"
    )
    parser.add_argument("--json", action="store_true", help="print the questions, and ask nothing")
    add_encoding_option(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    rng = random.Random(options.seed)
    asked = list(QuestionKind) if options.ask == "both" else [QuestionKind(options.ask)]
    chosen = list(islice(questions(_subjects(options, rng, streams), asked, rng), options.count))
    if not chosen:
        raise IllegalError(f"{options.source}: there is no play with a choice to ask about")
    if options.json:
        for question in chosen:
            streams.print(json_text(question_value(question)) + "\n")
        return Status.OK
    return _drill(chosen, streams)


def _subjects(
    options: argparse.Namespace, rng: random.Random, streams: Streams
) -> Iterator[Subject]:
    if options.source in _SOURCES:
        return _SOURCES[options.source](rng)
    matches = read_matches(options.source, streams, options.encoding)
    played = [
        Subject(turn.play, Plays.of(turn.plays))
        for match in matches
        for game in match.games
        for turn in replay(match, game)
        if turn.play and len(turn.plays) > 1
    ]
    return iter(rng.sample(played, len(played)))


def _drill(chosen: Sequence[Question], streams: Streams) -> int:
    """Ask until all is right or nobody answers, and say how it went."""
    waiting = deque(enumerate(chosen, 1))
    missed: set[int] = set()
    status = Status.OK
    try:
        while waiting:
            number, question = waiting[0]
            answer = _ask(question, f"{number}/{len(chosen)}", streams)
            if not answer:
                break
            waiting.popleft()
            verdict = judge(question, answer)
            streams.print(f"{_reply(question, verdict)}\n\n")
            if verdict is Answer.WRONG:
                missed.add(number)
                waiting.insert(_LATER, (number, question))
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
    left = {number for number, _ in waiting}
    done = len(chosen) - len(left)
    at_once = sum(number not in missed | left for number in range(1, len(chosen) + 1))
    later = f", {done - at_once} after a mistake" if done > at_once else ""
    unanswered = f", {len(left)} left" if left else ""
    streams.print(f"\n{at_once} of {len(chosen)} right at once{later}{unanswered}\n")
    return status


def _ask(question: Question, number: str, streams: Streams) -> str:
    """Show a question and give the answer; empty at the end of the input."""
    state = GameState(question.play.before, roll=question.play.roll)
    asked = f"{question.prompt}  which {question.kind.value}?"
    streams.print(f"{board_text(state)}\n\n{number}  {asked} ")
    streams.flush()
    return streams.stdin.readline(_LONGEST).decode("utf-8", "replace").strip()


def _reply(question: Question, verdict: Answer) -> str:
    preferred, *others = question.accepted
    if verdict is Answer.PREFERRED:
        return f"Right: {question.explanation}"
    if verdict is Answer.RIGHT:
        return f"Right, though {preferred} is preferred: {question.explanation}"
    also = f"; right, too: {' '.join(others)}" if others else ""
    return f"No: {question.explanation}{also}"
