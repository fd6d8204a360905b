"""`nactate annotate`: match files with the Nactation of every play."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gnubg_nactation.annotate import AnnotatedMatch, annotate
from gnubg_nactation.cli.inputs import Input, find_inputs
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.exports.jsonlines import format_json
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.text import format_columns, format_row
from gnubg_nactation.files import mat, sgf
from gnubg_nactation.files.atomic import write_atomically
from gnubg_nactation.files.formats import is_sgf
from gnubg_nactation.language.preference import CHARACTERS

if TYPE_CHECKING:
    from argparse import _SubParsersAction

__all__ = ["Result", "add_parser", "annotate_data"]

_EXAMPLES = """\
examples:
  nactate annotate match.mat                    the move list on the screen
  nactate annotate --traditional match.mat      with 8/5 6/5 beside each character
  nactate annotate --layout row match.mat       one line a game: 54S-63R-31P-...
  nactate annotate --to sgf -o out.sgf match.mat
  nactate annotate --to sgf -o annotated/ matches/ 'old/*.mat'
  nactate annotate --in-place match.sgf         comments into the file itself
  nactate annotate --to json - < match.mat
"""
_SUFFIX = {"text": ".txt", "sgf": ".sgf", "json": ".jsonl"}


class Result(NamedTuple):
    """What became of one file: the annotated bytes, and remarks on what was wrong in it."""

    data: bytes
    remarks: tuple[str, ...]


def add_parser(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "annotate",
        help="nactate every play of match files",
        description="Nactate every play of match files: match text (.mat, .txt) of any program, "
        "or gnubg's SGF.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a match file, a folder (searched for .mat, .txt and .sgf), a pattern, or `-`",
    )
    parser.add_argument("--to", choices=_SUFFIX, help="the form of the result (default: text)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE-or-FOLDER",
        help="where to write; a folder if it ends in / or is one, or if there are several files",
    )
    parser.add_argument(
        "--in-place", action="store_true", help="write the comments into the SGF files themselves"
    )
    parser.add_argument(
        "--layout",
        choices=("columns", "row"),
        default="columns",
        help="text: two columns (default) or one line of tokens for each game",
    )
    parser.add_argument(
        "--traditional", action="store_true", help="text: add the plays in traditional notation"
    )
    parser.add_argument(
        "--characters",
        choices=CHARACTERS,
        default="preferred",
        help="which Nactation to write: the one that the author of the language would (default), "
        "the areal letter, a basic character where one fits, or all",
    )
    parser.add_argument("--encoding", help="the encoding of the files, where guessing fails")
    parser.set_defaults(command=_run, parser=parser)


def annotate_data(data: bytes, options: argparse.Namespace) -> Result:
    """Annotate the bytes of one file, a pure function; MalformedError if they are no match."""
    records: tuple[sgf.SgfRecord | None, ...]
    if is_sgf(data):
        records = sgf.read_all(data, options.encoding)
        annotated = [annotate(record.match, options.characters) for record in records]
    else:
        matches = mat.read(data, options.encoding)
        annotated = [annotate(match, options.characters) for match in matches]
        records = (None,) * len(annotated)
    if options.to == "sgf":
        result = b"".join(map(format_sgf, annotated, records))
    elif options.to == "json":
        result = "".join(map(format_json, annotated)).encode()
    elif options.layout == "row":
        result = "".join(map(format_row, annotated)).encode()
    else:
        texts = (format_columns(one, traditional=options.traditional) for one in annotated)
        result = "\n".join(texts).encode()
    return Result(result, tuple(remark for one in annotated for remark in _remarks(one)))


def _remarks(annotated: AnnotatedMatch) -> Iterator[str]:
    yield from annotated.match.problems
    for game in annotated.games:
        for turn in game.turns:
            if turn.turn.problem:
                line = f"line {turn.turn.action.line}, " if turn.turn.action.line else ""
                place = f"{line}game {game.game.number}, turn {turn.turn.number}"
                yield f"{place}: {turn.turn.problem}"


def _run(options: argparse.Namespace, streams: Streams) -> int:
    inputs = list(find_inputs(options.files))
    if not inputs:
        streams.complain(f"annotate: no match files in {', '.join(options.files)}")
        return Status.FAILED
    options.to = options.to or ("sgf" if options.in_place else _by_suffix(options.output))
    targets = _targets(options, inputs)
    wrong = _wrong_usage(options, inputs, targets)
    if wrong:
        streams.complain(f"annotate: {wrong}")
        return Status.USAGE
    status = Status.OK
    blank = b"\n" if options.to == "text" and options.layout == "columns" else b""
    between = b""
    for source, target in zip(inputs, targets, strict=True):
        name = "standard input" if source.is_standard_input else str(source.path)
        try:
            data = streams.stdin.read() if source.is_standard_input else source.path.read_bytes()
            if options.in_place and not is_sgf(data):
                raise MalformedError("not SGF, so no comments can be put into it")
            result = annotate_data(data, options)
            if target is None:
                streams.stdout.write(between + result.data)
                between = blank
            elif not target.is_file() or target.read_bytes() != result.data:
                write_atomically(target, result.data)
        except BrokenPipeError:
            raise
        except OSError as error:
            streams.complain(f"{error.filename or name}: {error.strerror or error}")
            status = Status.FAILED
        except NactationError as error:
            streams.complain(f"{name}: {error}")
            status = Status.FAILED
        else:
            for remark in result.remarks:
                streams.complain(f"{name}: {remark}")
    return status


def _wrong_usage(
    options: argparse.Namespace, inputs: list[Input], targets: list[Path | None]
) -> str:
    """What is wrong with the options taken together; empty if nothing is."""
    if options.encoding and not _known_encoding(options.encoding):
        return f"no such encoding: {options.encoding!r}"
    if options.in_place:
        if options.output or options.to != "sgf":
            return "--in-place goes with SGF alone and without -o"
        if any(source.is_standard_input for source in inputs):
            return "--in-place cannot write to standard input"
        return ""
    if len(inputs) > 1 and options.to == "sgf" and options.output in {None, "-"}:
        return "several files to SGF need -o FOLDER"
    places = [target.resolve() for target in targets if target]
    for source in inputs:
        if source.path.resolve() in places:
            return f"{source.path} would be overwritten; --in-place annotates SGF in place"
    twice = [place for place, count in Counter(places).items() if count > 1]
    return f"two results would be written to {twice[0]}" if twice else ""


def _known_encoding(name: str) -> bool:
    try:
        return isinstance(" ".encode(name), bytes)
    except (LookupError, ValueError):
        return False


def _by_suffix(output: str | None) -> str:
    """The form that the name of the output asks for, text if none."""
    suffix = Path(output or "").suffix.lower()
    return {".json": "json", **{end: form for form, end in _SUFFIX.items()}}.get(suffix, "text")


def _targets(options: argparse.Namespace, inputs: list[Input]) -> list[Path | None]:
    """Where each result goes; None is standard output.

    In a folder a result keeps the name of its file with the ending of the new form; where two
    would be the same, both keep their old ending too (`a.mat.sgf`).
    """
    if options.in_place:
        return [source.path for source in inputs]
    if options.output in {None, "-"}:
        return [None] * len(inputs)
    output = Path(options.output)
    to_folder = options.output.endswith(("/", "\\")) or output.is_dir()
    if len(inputs) == 1 and not to_folder and not Path(options.files[0]).is_dir():
        return [output]
    ending = _SUFFIX[options.to]
    places = [_named(source).with_suffix(ending) for source in inputs]
    alike = Counter(places)
    return [
        output / (place if alike[place] == 1 else f"{_named(source)}{ending}")
        for place, source in zip(places, inputs, strict=True)
    ]


def _named(source: Input) -> Path:
    return Path("stdin") if source.is_standard_input else source.place
