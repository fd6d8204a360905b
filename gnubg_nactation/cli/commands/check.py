"""`nactate check`: proof-read a sequence, a text or an annotated match."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from gnubg_nactation import (
    MalformedError,
    NactationError,
    annotate,
    decode,
    format_play,
)
from gnubg_nactation.backgammon.match import Move, places_in
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.cli.arguments import (
    Joined,
    add_sequence_options,
    file_argument,
    read_sequences,
    start_of,
)
from gnubg_nactation.cli.checking import (
    Check,
    check_comment,
    check_json,
    check_page,
    check_prose,
    check_row,
)
from gnubg_nactation.cli.engine import equities_of
from gnubg_nactation.cli.inputs import STANDARD_INPUT, Input, read_input
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.exports.sgf import PREFIX
from gnubg_nactation.files.formats import is_sgf, is_xg, read_sources
from gnubg_nactation.language.dialects import Dialect
from gnubg_nactation.prose.charts import charts
from gnubg_nactation.prose.move_lists import is_entry
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.budget import Budget
from gnubg_nactation.sequences.check import CheckedName, Verdict, check_sequence
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.tokens import parse_sequence
from gnubg_nactation.showing import quoted, shown

DESCRIPTION = """\
Proof-read Nactation: report each token, and each claim such as `P is 8/5 6/5`, as ok, valid but
unusual, or wrong. Reads sequences, prose, or annotated matches; the exit status is 1 if anything
is wrong."""
EXAMPLES = """\
  nactate check 54S-63R-31P
  nactate check post.txt                a text, or one sequence per line
  nactate check annotated.sgf           the comments of an annotated match
"""

_MATCH_TEXT = re.compile(rb"^ {0,8}[0-9]{1,4}\) [^\n]{0,200}[1-6]{2}:", re.MULTILINE)
_MIN_STRICT = 30  # characters of a sequence that fits the rules of a start by no accident


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [options] FILE-or-SEQUENCE"
    words = "a file, a sequence, or `-`"
    parser.add_argument("text", metavar="FILE-or-SEQUENCE", nargs="+", action=Joined, help=words)
    add_sequence_options(parser)


def run(options: argparse.Namespace, streams: Streams) -> int:
    """Run the command and return its exit status."""
    path = file_argument(options.text)
    if path is None:
        text = streams.text_of(options.text)
        if options.text == STANDARD_INPUT and not _are_sequences([text]):
            return _report(_check_text(text, "standard input", options, streams), streams)
        return _report(_check_lines([("", text)], options, streams), streams)
    data = read_input(Input(str(path), path.name), streams.stdin)
    if is_sgf(data) or is_xg(data) or _MATCH_TEXT.search(data):
        return _report(_check_match(path, data, options.dialect, streams), streams)
    text = data.decode("utf-8-sig", "replace")
    lines = [line for line in text.splitlines() if not _is_comment(line)]
    if _are_sequences(lines) and not _is_column(lines):
        numbered = enumerate(text.splitlines(), 1)
        places = [(f"{path}:{number}: ", line) for number, line in numbered]
        return _report(_check_lines(places, options, streams), streams)
    return _report(_check_text(text, str(path), options, streams), streams)


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _are_sequences(lines: list[str]) -> bool:
    """Whether each line is one word or a sequence, and they are no reply chart."""
    if any(charts("\n".join(lines))):
        return False
    return all(len(line.split()) == 1 or _parses(line) for line in lines)


def _is_column(lines: list[str]) -> bool:
    """Whether the lines are the tokens of one game, not sequences from the opening."""
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


def _check_lines(
    lines: list[tuple[str, str]], options: argparse.Namespace, streams: Streams
) -> Iterator[Check]:
    """Check lines that are one sequence each, with their places."""
    budget = Budget(sum(len(line) for _, line in lines))
    for place, line in lines:
        if _is_comment(line):
            continue
        nackgammon = _decode_nackgammon(line, options, budget)
        try:
            plays = read_sequences(line, options, streams, budget) if not nackgammon else ()
        except NactationError as error:
            checks = check_row(line, place, start=start_of(options), dialect=options.dialect)
            if checks == []:
                streams.report(f"{place}a pattern: nothing to check")
            yield from [Check(place, error)] if checks is None else checks
            continue
        for decoded in (nackgammon,) if nackgammon else plays:
            for turn, verdict in check_sequence(decoded):
                yield Check(f"{place}{turn.token.text}", verdict)


def _decode_nackgammon(line: str, options: argparse.Namespace, budget: Budget) -> Decoded | None:
    """Decode a long sequence that is strictly correct from Nackgammon's start only."""
    if options.start is None and len(line) > _MIN_STRICT:
        for start in (STANDARD, NACKGAMMON):
            try:
                decoded = decode(
                    line, start=start, strict=True, dialect=options.dialect, budget=budget
                )
            except NactationError:
                continue
            return decoded if start is NACKGAMMON else None
    return None


def _check_text(text: str, name: str, options: argparse.Namespace, streams: Streams) -> list[Check]:
    """Check prose, or a match as JSON or as a page."""
    checks = check_json(text, name) or check_page(text, name)
    if checks is None:
        assume = equities_of(options, streams)
        settings = {"strict": options.strict, "dialect": options.dialect}
        checks = check_prose(text, name, start=start_of(options), assume=assume, **settings)
    listed = list(checks)
    if not listed:
        streams.report(f"{name}: no Nactation found: nothing to check")
    return listed


def _check_match(path: Path, data: bytes, dialect: Dialect, streams: Streams) -> Iterator[Check]:
    """Check the comments of a match file, and the plays of match text."""
    is_annotated = False
    for source in read_sources(data):
        for game in annotate(source.match).games:
            for turn, at in zip(game.turns, places_in(game.number, game.turns), strict=True):
                place = f"{path}: {at}: "
                for line in turn.action.comment.splitlines():
                    if line.startswith(PREFIX):
                        is_annotated = True
                        yield from check_comment(place, turn, line, dialect)
                if turn.trouble and not source.record:
                    action = turn.action
                    text = f"{action.roll} {action.text}" if isinstance(action, Move) else ""
                    yield Check(place, MalformedError(f"{turn.trouble}: {quoted(text)}"))
    if not is_annotated:
        streams.report(f"{path}: no comment begins with {quoted(PREFIX.strip())}: nothing to check")


def _report(checks: Iterable[Check], streams: Streams) -> int:
    """Print verdicts and report errors; return FAILED if anything is wrong."""
    status = Status.OK
    for place, result in checks:
        if isinstance(result, NactationError):
            streams.report(f"{place}{result}", result.excerpt())
            status = Status.FAILED
            continue
        doubt = f"; {result.doubt}" if result.sure is not Confidence.SURE else ""
        streams.print(f"{shown(place)}: {_verdict(result)}{doubt}\n")
        if result.verdict is Verdict.WRONG:
            status = Status.FAILED
    return status


def _verdict(name: CheckedName) -> str:
    intended = format_play(name.intended) if name.intended else "no play"
    if name.verdict is Verdict.OK:
        return "ok"
    if name.verdict is Verdict.VALID:
        return f"valid for {intended}, though {name.preferred} is preferred"
    names = f"it names {format_play(name.play) if name.play else 'no play'}"
    if name.intended is None:
        return f"wrong: {names}, unlike its comment"
    if name.name is None:
        return f"wrong: the roll leaves a choice; probably {name.preferred}, {intended}"
    return f"wrong: {names}; probably {name.preferred} was meant, {intended}"
