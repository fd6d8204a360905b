"""What a user may name without a command: files, folders, databases, and texts of every kind."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.notation import parse_hops
from gnubg_nactation.decisions.severity import totals
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.exports.survey import FolderSummary, MatchSummary
from gnubg_nactation.files.formats import SUFFIXES, is_sgf, is_xg, read
from gnubg_nactation.files.mat import is_text
from gnubg_nactation.files.mat import read as read_mat
from gnubg_nactation.files.sheet import is_sheet
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.sequences.incremental import Progress, read_progress
from gnubg_nactation.tasks.face import Face, showing_progress
from gnubg_nactation.tasks.sources import (
    STANDARD_INPUT,
    Input,
    find_inputs,
    is_database,
)
from gnubg_nactation.tasks.subjects import copied_in_file, copied_in_text, is_place, text_of_bytes
from gnubg_nactation.tasks.text_field import recognise
from gnubg_nactation.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.backgammon.match import Match


class ThingKind(Enum):
    """The kinds of things; the program shows each in its own way."""

    MATCH = "match"
    MATCHES = "matches"  # several files
    FOLDER = "folder"
    DATABASE = "database"
    SHEET = "score sheet"
    ANALYSIS = "analysis"  # copied from XG or gnubg
    POST = "post"
    SEQUENCE = "sequence"
    POSITION = "position"
    ROLL = "roll"  # to be played in a position
    PLAY = "play"  # of a roll in a position
    DECISION = "decision"  # of a match
    CHARACTER = "character"
    MISSING = "missing file"


class Thing(NamedTuple):
    """A thing: its words for a command, and its text or bytes if the words do not name a file.

    `start` names the position before a sequence; it is empty for the usual one. `ends_in_play` is
    whether a sequence does: its last turn may also be a roll, or a cube action.
    """

    kind: ThingKind
    words: tuple[str, ...]
    text: str = ""
    start: str = ""
    ends_in_play: bool = False


_TURN = re.compile(r"(?:N\s+)?-?>?[1-6]{2}(?![\w/]*\.\w)", re.ASCII)
_ID = re.compile(r"(?:XG|OG)ID", re.ASCII)
_POST_WORDS = 3  # a text of fewer is rather a mistake


def identify(words: Sequence[str], face: Face) -> Thing | None:
    """What the words of a user name; None if nothing. Raises OSError."""
    text = " ".join(words).strip()
    if not text:
        return None
    if any(map(is_place, words[:1])) and len(words) == 1:
        return Thing(ThingKind.DECISION, tuple(words))
    if all(word == STANDARD_INPUT or os.path.exists(word) for word in words):
        if len(words) > 1:
            return Thing(ThingKind.MATCHES, tuple(words))
        return _identify_file(words[0], face)
    if os.path.exists(text):  # a name with blanks, without quotes
        return _identify_file(text, face)
    if len(words) > 1 and all(map(face.is_file, words)):
        return Thing(ThingKind.MATCHES, tuple(words))  # some are missing
    if is_play(text):  # without its roll, and no sequence of two rolls
        return None
    return _identify_text(text) or _identify_name(words, text)


def _identify_file(name: str, face: Face) -> Thing:
    if name != STANDARD_INPUT and os.path.isdir(name):
        return Thing(ThingKind.FOLDER, (name,))
    if name != STANDARD_INPUT and is_database(name):
        return Thing(ThingKind.DATABASE, (name,))
    data = face.read(name)
    text = text_of_bytes(data) if is_text(data[:1024]) else ""
    if is_sgf(data) or is_xg(data) or not text:
        return Thing(ThingKind.MATCH, (name,))
    if copied_in_file(data):
        return Thing(ThingKind.ANALYSIS, (name,))
    if is_sheet(text) and not _is_match(data):
        return Thing(ThingKind.SHEET, (name,))
    kind = recognise(text)
    if kind == "match" or (kind == "post" and name.lower().endswith((".mat", ".xg", ".sgf"))):
        return Thing(ThingKind.MATCH, (name,))
    if kind != "post" and (thing := _identify_text(text.strip())):
        return thing
    return Thing(ThingKind.POST, (name,))


def _is_match(data: bytes) -> bool:
    with suppress(NactationError):
        return any(match.games for match in read_mat(data))
    return False


def _identify_text(text: str) -> Thing | None:
    """What a text is, unless a name or words."""
    if copied_in_text(text):
        return Thing(ThingKind.ANALYSIS, (text,))
    with suppress(NactationError):
        progress = read_progress(" ".join(text.split()))
        if progress.error is None:
            return _identify_progress(text, progress)
        if progress.start and len(progress.sequence.split()) > 1:
            return Thing(ThingKind.PLAY, tuple(text.split()))
    if _ID.match(text):  # with a mistake, which its command explains
        return Thing(ThingKind.POSITION, (text,))
    if _TURN.match(text):  # so has this
        return Thing(ThingKind.SEQUENCE, (text,), text)
    return None


def _identify_progress(text: str, progress: Progress) -> Thing:
    row = progress.sequence.strip()
    start = progress.name.strip() if progress.start else ""
    if not row:
        has_roll = progress.start and progress.start.roll
        return Thing(ThingKind.ROLL if has_roll else ThingKind.POSITION, (text,))
    turns = progress.decoded.turns if progress.decoded else ()
    if start and len(turns) == 1 and turns[0].play is None and row.isdigit():
        return Thing(ThingKind.ROLL, (start, row))
    ends_in_play = bool(turns) and turns[-1].play is not None
    return Thing(ThingKind.SEQUENCE, (row,), row, start, ends_in_play)


def _identify_name(words: Sequence[str], text: str) -> Thing | None:
    if len(words) == 1:
        with suppress(MalformedError):
            return Thing(ThingKind.CHARACTER, (str(parse_nactation(text).family),))
    looks_like_file = text.lower().endswith(SUFFIXES) or bool({os.sep, "/"} & {*text})
    if len(words) == 1 and looks_like_file and not is_play(text):
        inputs = list(find_inputs(words))
        is_pattern = bool(inputs) and os.path.exists(inputs[0].path)
        return Thing(ThingKind.MATCHES if is_pattern else ThingKind.MISSING, tuple(words))
    if len(text.split()) > _POST_WORDS:
        return Thing(ThingKind.POST, (STANDARD_INPUT,), text)
    return None


def is_play(text: str) -> bool:
    """Whether a text is a play in traditional notation, such as `8/5 6/5`."""
    try:
        words = text.split()
        return bool(words) and all(map(parse_hops, words))
    except MalformedError:
        return False


# Folders


def summarise(names: Sequence[str], face: Face) -> FolderSummary:
    """Read the match files of folders; a file that cannot be read is a failure."""
    sources = list(find_inputs(names))
    matches: list[MatchSummary] = []
    failures: list[tuple[str, str]] = []
    with showing_progress(face, "reading", len(sources), "files"):
        for number, source in enumerate(sources, 1):
            try:
                matches += _summaries(source, face)
            except OSError as error:
                failures.append((source.path, error.strerror or str(error)))
            except NactationError as error:
                failures.append((source.path, str(error)))
            face.step(number, failed=len(failures))
    return FolderSummary(len(sources), tuple(matches), tuple(failures))


def _summaries(source: Input, face: Face) -> list[MatchSummary]:
    if source.error:
        raise source.error
    data = b"\n".join(map(face.read, (source.path, *source.others)))
    return [_summary(source.place, match) for match in read(data)]


def _summary(file: str, match: Match) -> MatchSummary:
    first = second = None
    if match.has_analysis:
        first, second = (total.performance_rating for total in totals(annotate(match)))
    return MatchSummary(
        file, match.players, match.length, len(match.games), match.score, (first, second)
    )
