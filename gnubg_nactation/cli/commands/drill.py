"""`nactate drill`: practise letters and plays."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

from gnubg_nactation import IllegalError
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.board import board_text
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
from gnubg_nactation.tasks.settings import Settings, SettingsError, setting
from gnubg_nactation.tasks.sources import encoding_setting
from gnubg_nactation.tasks.study import ask_best_plays, subjects_of
from gnubg_nactation.tasks.subjects import read_matches

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


class Options(Settings):
    """What is asked, and how often."""

    source: str = setting(
        "alphabet",
        "source of the plays (default: alphabet)",
        "alphabet|openings|FILE",
        words="optional",
    )
    ask: str = setting(
        "both",
        "ask for letters, plays or both (default: both), or for the best plays of openings",
        choices=("letter", "play", "both", "best"),
    )
    count: int = setting(10, "number of questions (default: 10)", "N", least=1, most=1000)
    seed: int | None = setting(
        None, "repeat the questions of an earlier run with the same number", "N"
    )
    json: bool = setting(False, "print the questions as JSON, one per line")
    encoding: str | None = encoding_setting()


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    rng = random.Random(settings.seed)
    if settings.ask == "best" and settings.source != "openings":
        raise SettingsError("--ask best goes with openings")
    drill = list(islice(_questions(settings, rng, streams), settings.count))
    if not drill:
        raise IllegalError(f"{settings.source}: no roll leaves a choice to ask about")
    if settings.json:
        for question in drill:
            streams.print(json_line(question_value(question)))
        return Status.OK
    return _ask_all(drill, streams)


def _questions(settings: Options, rng: random.Random, streams: Streams) -> Iterator[Question]:
    if settings.ask == "best":
        return ask_best_plays(rng)
    both = [QuestionKind.LETTER, QuestionKind.PLAY]
    kinds = both if settings.ask == "both" else [QuestionKind(settings.ask)]
    return questions(_subjects(settings, rng, streams), kinds, rng)


def _subjects(settings: Options, rng: random.Random, streams: Streams) -> Iterator[Subject]:
    if settings.source in _SOURCES:
        return _SOURCES[settings.source](rng)
    return subjects_of(read_matches(settings.source, streams, settings.encoding), rng)


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
