"""`nactate check`: proof-read a sequence, or the Nactation in a file."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path

from gnubg_nactation import (
    MalformedError,
    NactationError,
    Play,
    annotate,
    decode,
    format_play,
)
from gnubg_nactation.annotation import AnnotatedTurn
from gnubg_nactation.backgammon.match import Move
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.cli.arguments import (
    Joined,
    add_sequence_options,
    file_argument,
    read_sequence,
    start_of,
)
from gnubg_nactation.cli.checking import (
    Check,
    check_comment,
    check_json,
    check_page,
    check_prose,
)
from gnubg_nactation.cli.engine import equities_of, is_weighed
from gnubg_nactation.cli.inputs import STANDARD_INPUT, Input, read_input
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.sgf import PREFIX
from gnubg_nactation.files.formats import is_sgf, is_xg, read_sources
from gnubg_nactation.language.dialects import Dialect
from gnubg_nactation.prose.scanning import is_entry
from gnubg_nactation.sequences.assumption import Confidence, Evaluator
from gnubg_nactation.sequences.budget import Budget
from gnubg_nactation.sequences.check import CheckedName, Verdict, check_sequence
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.showing import quoted, shown

DESCRIPTION = (
    "Say of each token whether it is right, right but not what the author of the "
    "language would write, or wrong. The exit status is 1 if anything is wrong."
)
EXAMPLES = """\
  nactate check 54S-63R-31P
  nactate check moves.txt               a sequence on each line
  nactate check post.txt                prose, each token with line and column
  nactate check annotated.sgf           the comments of an annotated match
"""

_MATCH_TEXT = re.compile(rb"^ {0,8}[0-9]{1,4}\) [^\n]{0,200}[1-6]{2}:", re.MULTILINE)
_LONG = 30  # characters of a sequence that is by the rules of no start by accident


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    words = "a file, a sequence, in one word or several, or `-`"
    parser.add_argument("text", metavar="FILE-or-SEQUENCE", nargs="+", action=Joined, help=words)
    add_sequence_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = file_argument(options.text)
    if path is None:
        text = streams.text_of(options.text)
        if options.text == STANDARD_INPUT and not _is_sequences([text]):
            return _check_text(text, "standard input", options, streams)
        return _check_sequences([("", text)], options, streams)
    data = read_input(Input(str(path), path.name), streams.stdin)
    if is_sgf(data) or is_xg(data) or _MATCH_TEXT.search(data):
        return _check_match(path, data, options.dialect, streams)
    text = data.decode("utf-8-sig", "replace")
    lines = [line for line in text.splitlines() if not _is_remark(line)]
    if _is_sequences(lines) and not _is_column(lines):
        numbered = enumerate(text.splitlines(), 1)
        sequences = [(f"{path}:{number}: ", line) for number, line in numbered]
        return _check_sequences(sequences, options, streams)
    return _check_text(text, str(path), options, streams)


def _is_remark(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _is_sequences(lines: list[str]) -> bool:
    """Whether each text is one word, or reads as a sequence throughout."""
    return all(len(line.split()) == 1 or _parses(line) for line in lines)


def _is_column(lines: list[str]) -> bool:
    """Whether lines are the tokens of a game, and not each a sequence from the opening."""
    words = [line.strip() for line in lines]
    return len(words) > 3 and all(map(is_entry, words)) and not all(map(_decodes, words))


def _parses(line: str) -> bool:
    try:
        return bool(parse_sequence(line).tokens)
    except NactationError:
        return False


def _decodes(word: str) -> bool:
    try:
        return all(turn.sure is Confidence.SURE for turn in decode(word).turns)
    except NactationError:
        return False


def _check_sequences(
    lines: list[tuple[str, str]], options: argparse.Namespace, streams: Streams
) -> int:
    """Proof-read texts that are a sequence each."""
    status, budget = Status.OK, Budget(sum(len(line) for _, line in lines))
    for place, line in lines:
        if _is_remark(line):
            continue
        try:
            decoded = _of_nackgammon(line, options, budget) or read_sequence(
                line, options, streams, budget
            )
        except NactationError as error:
            streams.report(f"{place}{error}", error.excerpt())
            status = Status.FAILED
            continue
        said = (Check(f"{place}{turn.token.text}", one) for turn, one in check_sequence(decoded))
        status = max(status, _report(said, streams))
    return status


def _of_nackgammon(line: str, options: argparse.Namespace, budget: Budget) -> Decoded | None:
    """A game of Nackgammon, which rows do not tell: it is by the rules from there alone."""
    if options.start is None and len(line) > _LONG:
        for start in (STANDARD, NACKGAMMON):
            try:
                decoded = decode(
                    line, start=start, strict=True, dialect=options.dialect, budget=budget
                )
            except NactationError:
                continue
            return decoded if start is NACKGAMMON else None
    return None


def _check_text(text: str, name: str, options: argparse.Namespace, streams: Streams) -> int:
    """Proof-read prose, or a match as JSON or as a page."""
    said = check_json(text, name) or check_page(text, name)
    if said is None:
        start, equities = start_of(options), _equities(options, streams)
        said = check_prose(
            text,
            name,
            start=start,
            equities=equities,
            strict=options.strict,
            dialect=options.dialect,
        )
    found = list(said)
    if not found:
        streams.report(f"{name}: no Nactation found: nothing to check")
    return _report(found, streams)


def _equities(options: argparse.Namespace, streams: Streams) -> Evaluator | None:
    """Prose holds too many doubts to ask about unless that is wished."""
    return equities_of(options, streams) if is_weighed(options) else None


def _check_match(path: Path, data: bytes, dialect: Dialect, streams: Streams) -> int:
    """Proof-read the comments of a match file, and the plays of match text."""
    status, found = Status.OK, False
    for source in read_sources(data):
        for game in annotate(source.match).games:
            for turn in game.turns:
                place = f"{path}: game {game.number}, turn {turn.number}: "
                lines = turn.action.comment.splitlines()
                written = [line for line in lines if line.startswith(PREFIX)]
                found = found or bool(written)
                said = [
                    one for line in written for one in check_comment(place, turn, line, dialect)
                ]
                if turn.trouble and not source.record:
                    said.append(Check(place, MalformedError(_trouble(turn))))
                status = max(status, _report(said, streams))
    if not found:
        streams.report(f"{path}: no comment begins with {quoted(PREFIX.strip())}: nothing to check")
    return status


def _trouble(turn: AnnotatedTurn) -> str:
    action = turn.action
    told = f"{action.roll} {action.text}" if isinstance(action, Move) else ""
    return f"{turn.trouble}: {quoted(told)}"


def _report(said: Iterable[Check], streams: Streams) -> int:
    """Print a line for each token, and report what cannot be read; FAILED if one is wrong."""
    status = Status.OK
    for place, found in said:
        if isinstance(found, NactationError):
            streams.report(f"{place}{found}", found.excerpt())
            status = Status.FAILED
            continue
        streams.print(f"{shown(place)}: {_line(found)}\n")
        if found.verdict is Verdict.WRONG:
            status = Status.FAILED
    return status


def _line(one: CheckedName) -> str:
    if one.verdict is Verdict.OK:
        return "ok"
    if one.verdict is Verdict.VALID:
        return f"valid for {_play(one.intended)}, though {one.preferred} is preferred"
    if one.name is None:
        return (
            f"wrong: a choice without a character; probably {one.preferred}, {_play(one.intended)}"
        )
    says = f"it says {_play(one.play)}" if one.play else "it names no play"
    return f"wrong: {says}; probably {one.preferred} was meant, {_play(one.intended)}"


def _play(play: Play | None) -> str:
    return format_play(play) if play else "no play"
