"""Readers of foreign bytes, each with the laws of its results.

A reader accepts bytes or refuses them with an error of the project. Anything else is a find:
another exception, a message that is not one plain line, a broken law.
"""

from __future__ import annotations

import html
import json
import random
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from gnubg_nactation.annotation import AnnotatedMatch, annotate
from gnubg_nactation.archive.indexing import match_row
from gnubg_nactation.backgammon.analysis import CubeAct, CubeAnalysis, MoveAnalysis
from gnubg_nactation.backgammon.ids import (
    format_gnubg_id,
    format_position_id,
    format_xgid,
    parse_gnubg_id,
    parse_position,
    parse_state,
    parse_xgid,
)
from gnubg_nactation.backgammon.match import replay
from gnubg_nactation.backgammon.notation import format_hops, parse_hops, parse_play
from gnubg_nactation.backgammon.ogid import format_ogid, parse_ogid
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import decisions_of, nacbrac_of, near_decisions_of
from gnubg_nactation.decisions.severity import rate_plays
from gnubg_nactation.engines.cache import Cached, Store
from gnubg_nactation.engines.child import Gnubg
from gnubg_nactation.engines.engine import GNUBG, Depth, Evaluation
from gnubg_nactation.engines.questions import format_questions, read_answers, read_evaluation
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.jsonlines import format_json
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.exports.ogxm import format_ogxm
from gnubg_nactation.exports.page.document import clean
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.exports.prose import format_prose
from gnubg_nactation.exports.sgf import annotate_sgf, format_sgf, parse_comment_line
from gnubg_nactation.exports.text import format_columns, format_row, game_sequence, game_sequences
from gnubg_nactation.files import mat, ogxm, report
from gnubg_nactation.files.copied import read_copied
from gnubg_nactation.files.formats import read_sources
from gnubg_nactation.files.pasted import read_pasted
from gnubg_nactation.files.sheet import read_sheets
from gnubg_nactation.language.dialects import DIALECTS, dialect_on
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.nacbracs.book import parse_book
from gnubg_nactation.nacbracs.bots import describe_bot
from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac, format_nacbrac
from gnubg_nactation.nacbracs.reading import parse_nacbrac, parts_of, read_nacbracs
from gnubg_nactation.playground.answers import find_in_post
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.sequences.decode import Decoded, decode, sound_in
from gnubg_nactation.sequences.filename import file_name, read_file_name
from gnubg_nactation.sequences.notation import PLAIN
from gnubg_nactation.sequences.pattern import ends, parse_pattern
from gnubg_nactation.tasks.checking import check_prose
from gnubg_nactation.values import replace
from gnubg_nactation.writing.markup import read_markup
from gnubg_nactation.writing.spelling import read_spelling, spell
from tests.files import bgf_files, xg_files
from tests.files.mat_texts import expressible
from tests.fuzz.databases import read_database
from tests.fuzz.programs import PROGRAMS
from tests.fuzz.strict import strict_json

SEEDS = Path(__file__).with_name("seeds")
_ROOT = Path(__file__).resolve().parents[2]
_LONGEST_MESSAGE = 1000
_BEGINNING = 1200  # bytes, so that an input takes milliseconds
_BIDIRECTIONAL = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_TOKENS = ["54S", "63R", "31P", "66A", "C", "T", "61S", "52^", "31p", "31?"]
_STATE = GameState(roll=Roll(3, 1))
_DEPTH = Depth(plies=0)


def try_input(reader: str, data: bytes) -> None:
    """Run a reader; any exception from it is a find."""
    try:
        READERS[reader](data)
    except NactationError as error:
        message = str(error)
        assert message, "an empty message"
        assert len(message) <= _LONGEST_MESSAGE, "a message without end"
        assert not any(map(_controls, message)), f"a message that controls: {message!r}"


def _controls(character: str) -> bool:
    """Whether a character in a message starts a line, or does something to the screen."""
    control = unicodedata.category(character) in {"Cc", "Zl", "Zp"}
    return control or unicodedata.bidirectional(character) in _BIDIRECTIONAL


def _match(data: bytes) -> None:
    """Match text or SGF: it reads back, can be stored, and is annotated only once."""
    for source in read_sources(data):
        annotated = annotate(source.match)
        _check_outputs(annotated)
        sgf_data = format_sgf(annotated, source.record)
        assert annotate_sgf(sgf_data) == sgf_data, "annotating twice changes something"
        if source.record:
            continue  # match text cannot express all of SGF
        (again,) = mat.read(mat.write(source.match).encode())
        expected = replace(source.match, players=again.players)  # gnubg cannot read all names
        assert expressible(again) == expressible(expected), "it does not read back"


def _report(data: bytes) -> None:
    """Text reports of gnubg: what is read can be shown, stored and written."""
    for match in report.read(data):
        annotated = annotate(match)
        _check_outputs(annotated)
        sgf_data = format_sgf(annotated)
        assert annotate_sgf(sgf_data) == sgf_data, "annotating twice changes something"
        mat.read(mat.write(match).encode())
    heading = report.read_heading(data)
    assert heading is None or heading.games >= 0


def _zip(data: bytes) -> None:
    """An archive: each match in it can be shown, stored and written."""
    for source in read_sources(data):
        _check_outputs(annotate(source.match))


def _sheet(data: bytes) -> None:
    """A score sheet: what has no fault is written as match text and as a sheet again."""
    for sheet in read_sheets(_text(data)):
        for fault in sheet.faults:
            assert min(fault.line, fault.column) > 0, "a fault without a place"
            assert not any(map(_controls, fault.message)), "a message that controls"
        annotated = annotate(sheet.match)
        _check_outputs(annotated)
        text = format_mat(annotated)
        if sheet.faults or not sheet.match.games:
            continue
        mat.read(text.encode())
        (again,) = read_sheets(format_row(annotated, style=PLAIN._replace(fan="^")))
        assert format_mat(annotate(again.match)) == text, "it does not read back"


def _xg(data: bytes) -> None:
    """A file of XG changed by the data: every three bytes are a place and a value.

    So inputs are short, though a record has 2,560 bytes. Data of an odd length change the packed
    file, others its records before packing. Comments follow the first line end.
    """
    changes, _, comments = data.partition(b"\r\n")
    records, packed = bytearray(_xg_records()), len(changes) % 2
    parts = {"temp.xg": bytes(records), "temp.xgc": comments}
    changed = bytearray(xg_files.archive(parts)) if packed else records
    for at in range(0, len(changes) - 2, 3):
        changed[int.from_bytes(changes[at : at + 2], "big") % len(changed)] = changes[at + 2]
    whole = bytes(changed) if packed else xg_files.archive({**parts, "temp.xg": bytes(records)})
    for source in read_sources(whole):
        _check_outputs(annotate(source.match))


def _ogxm(data: bytes) -> None:
    """A match in OGXM changed by the data as .xg files are; those of even length get a checksum.

    Whatever is read can be written again, and then says the same.
    """
    changed = _changed(_ogxm_sample(), data)
    if len(data) % 2 == 0:
        changed = _with_checksum(changed)
    for source in read_sources(changed):
        _writable(annotate(source.match))


def _bgf(data: bytes) -> None:
    """A match of BGBlitz changed by the data as .xg files are, before packing if it is even."""
    unpacked = _changed(_bgf_sample(packed=False), data)
    whole = unpacked if len(data) % 2 == 0 else _changed(_bgf_sample(packed=True), data)
    for source in read_sources(whole):
        _writable(annotate(source.match))


def _gva(data: bytes) -> None:
    """JSON like GammonView's."""
    for match in ogxm.read(data):
        _writable(annotate(match))


def _writable(annotated: AnnotatedMatch) -> None:
    _check_outputs(annotated)
    (again,) = ogxm.read(format_ogxm(annotated))
    _check_outputs(annotate(again))


def _changed(sample: bytes, data: bytes) -> bytes:
    changed = bytearray(sample)
    for at in range(0, len(data) - 2, 3):
        changed[int.from_bytes(data[at : at + 2], "big") % len(changed)] = data[at + 2]
    return bytes(changed)


@lru_cache
def _ogxm_sample() -> bytes:
    text = b" 5 point match\n\n Game 1\n A : 0  B : 0\n" + b"".join(
        (
            b"  1) 31: 8/5 6/5    63: 24/15*\n",
            b"  2) 52: bar/23 13/8    Doubles => 2\n",
            b"  3) Takes    42: 8/4 6/4\n",
        )
    )
    return format_ogxm(annotate(mat.read(text)[0]))


_CHECKSUM_AT = -8  # of an OGXM file: the four bytes before its end


def _with_checksum(data: bytes) -> bytes:
    """The file with a checksum of its content, so that a change is read."""
    start = len(data) - 4 - 4 - 9  # of the section, which has the kind, its size and flags
    return data[:_CHECKSUM_AT] + zlib.crc32(data[:start]).to_bytes(4, "little") + data[-4:]


@lru_cache
def _bgf_sample(*, packed: bool) -> bytes:
    point, split = [(8, 5), (6, 5)], [(24, 23), (13, 10)]
    moves = [
        bgf_files.move(-1, (3, 1), point, [(point, 0.15, 0.55), (split, -0.01, 0.5)]),
        *bgf_files.cube(1, accepted=True, no_double=0.4, take=0.5),
        bgf_files.move(1, (6, 3), [(24, 18), (18, 15)]),
    ]
    return bgf_files.bgf_file(bgf_files.match(moves), packed=packed)


def _check_outputs(annotated: AnnotatedMatch) -> None:
    """Check that the match can be printed, exported and stored."""
    format_columns(annotated, errors=True)
    strict_json(format_json(annotated))
    format_html([annotated])
    _storable(match_row(annotated))


def _storable(row: object) -> None:
    if isinstance(row, tuple):
        for cell in row:
            _storable(cell)
    elif isinstance(row, int):
        assert abs(row) < 1 << 63, "a number of more than 64 bits"
    elif isinstance(row, str):
        row.encode()


@lru_cache
def _xg_records() -> bytes:
    hops, start = (7, 4, 5, 4), STANDARD.points
    point = legal_plays(STANDARD, Roll(3, 1))[0].reached.points
    candidates = [xg_files.Plays(hops, 0.1, 3, point)]
    return b"".join(
        (
            xg_files.header(comment=0),
            xg_files.game(comment=1),
            xg_files.cube(1, start, "take", analysis=xg_files.Cube(0.4, 0.5), comment=2),
            xg_files.move(
                1, (start, point), (3, 1), hops, candidates=candidates, luck=0.2, comment=3
            ),
            xg_files.footer(1, 2, 101),
        )
    )


def _sequence(data: bytes) -> None:
    _replayed(decode(_text(data)))


def _dialect(data: bytes) -> None:
    """A year or a day, and a sequence of that time."""
    when, _, text = _text(data).partition(" ")
    _replayed(decode(text, dialect=DIALECTS.get(when) or dialect_on(when)))
    sound = sound_in(text)
    if sound:
        decode(text, dialect=sound, strict=True)


def _replayed(decoded: Decoded) -> None:
    annotated = annotate(decoded.match)
    again = decode(game_sequences(annotated)[0], start=decoded.start)
    plays, expected = (
        [turn.play for turn in sequence.turns if turn.play] for sequence in (again, decoded)
    )
    assert plays == expected, "it does not read back"


def _name(data: bytes) -> None:
    sequence = read_file_name(_text(data))
    if sequence:
        name = file_name(sequence, 10**6)
        assert file_name(read_file_name(name), 10**6) == name, "it does not read back"


def _pasted(data: bytes) -> None:
    """Legal games, whose sequences give the same plays."""
    text = _text(data)
    for game in read_pasted(text):
        (annotated,) = annotate(game.match).games
        replayed = tuple(replay(game.match, game.match.games[0]))
        assert game.turns == replayed, "other turns than those of its match"
        assert not any(turn.problem for turn in annotated.turns), "an illegal turn"
        assert all(0 <= place.at < len(text) for place in game.places), (
            "a place outside of the text"
        )
        plays = [turn.play for turn in annotated.turns if turn.play]
        decoded = decode(game_sequence(annotated), start=game.start)
        again = [turn.play for turn in decoded.turns if turn.play]
        assert again == plays, "it does not read back"


def _copied(data: bytes) -> None:
    """Legal plays, each once, whose nacbracs read back; the parts of a text in order."""
    text, end = _text(data), 0
    for copied in read_copied(text):
        assert end <= copied.start <= copied.id_start < copied.id_end <= copied.end, "a wrong place"
        assert copied.start <= copied.analysis_start <= copied.analysis_end <= len(text)
        assert copied.line == text.count("\n", 0, copied.id_start) + 1, "another line"
        end = copied.end
        for problem in copied.problems:
            assert not any(map(_controls, problem)), f"a problem that controls: {problem!r}"
        plays = [rated.play for rated in copied.ranking.rated]
        assert set(plays) <= set(copied.legal), "an illegal play"
        assert len(set(plays)) == len(plays), "a play twice"
        for decision in decisions_of(copied):
            nacbrac_of(decision)
        for decision in near_decisions_of(copied):
            nacbrac = replace(nacbrac_of(decision), score="")
            if decision.cube is None:
                assert parse_nacbrac(str(nacbrac)) == nacbrac, "it does not read back"
    end = 0
    for finding in read_prose(text):
        assert end <= finding.start < finding.end <= len(text), "a wrong place of a finding"
        end = finding.end
    find_in_post(text)
    list(check_prose(text, "post"))


def _prose(data: bytes) -> None:
    """Findings are in the text, in order and separate; a page shows the text and no more."""
    text = _text(data)
    results, end = read_prose(text), 0
    for finding in results:
        assert end <= finding.start < finding.end <= len(text), "a wrong place of a finding"
        assert text.count("\n", 0, finding.start) == finding.line - 1, "another line"
        assert finding.column == finding.start - text.rfind("\n", 0, finding.start), (
            "another column"
        )
        assert (
            sum(map(bool, (finding.decoded, finding.nacbrac, finding.cube, finding.error))) == 1
        ), "two results at once"
        end = finding.end
    page = format_prose(text, results, "post")
    post = re.sub(r"<[^<>]*>", "", page[page.index("<main>") : page.index("</main>")])
    marked_text = "".join(f"{glyph.character}{glyph.dot * _DOT}" for glyph in read_markup(text))
    assert html.unescape(post) == clean(marked_text), "not the text that was read"
    list(check_prose(text, "post"))


_DOT = "\u0323"


def _post(data: bytes) -> None:
    """A post of many different lines like these, which must not take quadratic time."""
    chance = random.Random(data)
    lines = _text(data[:_BEGINNING]).splitlines() or [""]
    text = ""
    while len(text) < _POST:
        line = chance.choice(lines)[:200] or "31P-"
        text += re.sub(r"[1-6]", lambda die: chance.choice((*"123456", die[0], die[0])), line)
        text += chance.choice(("\n\n", "\n", ". ", ", ", "-"))
    read_prose(text)


_POST = 8000  # characters


def _nacbrac(data: bytes) -> None:
    nacbrac = parse_nacbrac(_text(data))
    again = parse_nacbrac(format_nacbrac(nacbrac))
    if not describe_bot(nacbrac.suffix):  # it is text, which may have markup
        again = replace(again, suffix=nacbrac.suffix)
    assert again == nacbrac, "it does not read back"
    read_nacbracs(_opened(), [nacbrac])


def _nacbracs(data: bytes) -> None:
    text = _text(data)
    parts = parts_of(text)
    nacbrac_count = sum(len(part.nacbracs) for part in parts)
    assert nacbrac_count <= text.count("[") + text.count("&"), "more nacbracs than brackets"
    for part in parts:
        assert len(part.places) == len(part.sequence), "a character without a place"
        assert all(0 <= at < len(text) for at in part.places), "a place outside of the text"
        assert 0 <= part.end <= len(text), "an end outside of the text"
        if part.trouble:
            assert 0 <= part.trouble.at <= len(text), "trouble outside of the text"
        for nacbrac in part.nacbracs:
            if isinstance(nacbrac, CubeNacbrac):
                cube_text = str(replace(nacbrac, suffix=""))
                again = parts_of(cube_text)[0].nacbracs
                assert again == (replace(nacbrac, suffix=""),), "the cube does not read back"


def _book(data: bytes) -> None:
    text = _text(data)
    book = parse_book(text, "book")
    for (position, roll, score), line in book.lines.items():
        assert book.at(position, roll, score) is line
        plays = [play for _, play, _ in line.plays]
        assert set(plays) <= set(legal_plays(position, roll))
        assert len(set(plays)) == len(plays)
        assert 1 <= line.number <= len(text.splitlines())


@lru_cache
def _opened() -> Decoded:
    return decode("54S-63R-31")


def _pattern(data: bytes) -> None:
    pattern = parse_pattern(_text(data))
    results = list(ends(pattern, _TOKENS))
    assert results == sorted({*results} & {*range(len(_TOKENS))})
    steps = pattern.steps if pattern.steps[0] is None else (None, *pattern.steps)
    assert set(results) <= set(ends(pattern._replace(steps=steps), _TOKENS)), (
        "a search anywhere finds less"
    )


def _ids(data: bytes) -> None:
    text = _text(data)
    position = _or_none(parse_position, text)
    if position:
        assert parse_position(format_position_id(position)) == position
    _or_none(parse_state, text)
    formats = (
        (parse_xgid, format_xgid),
        (parse_gnubg_id, format_gnubg_id),
        (parse_ogid, format_ogid),
    )
    for parse, write in formats:
        state = _or_none(parse, text)
        if state:
            assert parse(write(state)) == state, "it does not read back"


def _notation(data: bytes) -> None:
    text = _text(data)
    hops = parse_hops(text)
    assert format_hops(parse_hops(format_hops(hops))) == format_hops(hops)
    parse_play(text, STANDARD, Roll(3, 1))


def _markup(data: bytes) -> None:
    text = _text(data)
    assert all(0 <= glyph.at <= len(text) for glyph in read_markup(text))
    _or_none(parse_nactation, text)
    _or_none(parse_comment_line, f"Nactation: {text}")
    nactation = read_spelling(text)
    assert read_spelling(spell(nactation, "html")) == nactation, "it does not read back"


def _answers(data: bytes) -> None:
    _, places = format_questions([_STATE])
    read_answers(data, [_STATE], places)
    read_evaluation(_json(data))


def _cache(data: bytes) -> None:
    """A row of the cache: an unusable row counts as missing."""
    for row in (data, zlib.compress(data), data.decode("utf-8", "replace")):
        engine = _Engine()
        cached = Cached(cast(Gnubg, engine), Store(Path(":memory:")))
        for kind in ("rank", "turn", "evaluate", "cube"):
            place = (cached._key(kind, _STATE, _DEPTH), row, 0)
            cached._store._connection.execute("INSERT INTO answers VALUES (?, ?, ?)", place)
        rated = cached.rank(_STATE, _DEPTH)
        assert {play.play for play in rated} <= set(_plays())
        assert len(cached.evaluate(_STATE, _DEPTH).chances) == 5
        assert cached.judge_cube(_STATE, _DEPTH).double_pass == 1
        assert [place for place, _ in cached.analyse([_STATE], _DEPTH)] == [0]
        cached.close()


class _Engine:
    """A stand-in for gnubg, used if the cache has no answer."""

    bot, fingerprint = GNUBG, "x"
    start = close = staticmethod(lambda: None)

    def rank(self, *_: object) -> Sequence[object]:
        return rate_plays([], _plays())

    def evaluate(self, *_: object) -> Evaluation:
        return Evaluation((0.5, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0)

    def judge_cube(self, *_: object) -> CubeAnalysis:
        return CubeAnalysis(CubeAct.NO_DOUBLE, 0.0, 0.0, "0-ply")

    def analyse(self, states: Sequence[object], _: object) -> Iterator[tuple[int, MoveAnalysis]]:
        return iter([(place, MoveAnalysis()) for place in range(len(states))])


@lru_cache
def _plays() -> Sequence[Play]:
    return legal_plays(_STATE.position, Roll(3, 1))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data


def _or_none(parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text)
    except NactationError:
        return None


READERS: dict[str, Callable[[bytes], None]] = {
    "mat": _match,
    "sgf": _match,
    "xg": _xg,
    "ogxm": _ogxm,
    "bgf": _bgf,
    "gva": _gva,
    "report": _report,
    "zip": _zip,
    "sequence": _sequence,
    "dialect": _dialect,
    "name": _name,
    "nacbrac": _nacbrac,
    "pasted": _pasted,
    "sheet": _sheet,
    "copied": _copied,
    "prose": _prose,
    "post": _post,
    "nacbracs": _nacbracs,
    "book": _book,
    "ids": _ids,
    "notation": _notation,
    "pattern": _pattern,
    "markup": _markup,
    "answers": _answers,
    "cache": _cache,
    **PROGRAMS,
    "database": read_database,
}


_SAME_INPUTS = {"found": "prose", "page": "mat", "typed": "sequence"}


def seeds_of(reader: str) -> list[bytes]:
    """The seeds of a reader, then the beginnings of the samples that it reads."""
    folders = (SEEDS / name for name in (reader, _SAME_INPUTS.get(reader)) if name)
    whole = [path.read_bytes() for folder in folders for path in sorted(folder.glob("*"))]
    samples = sorted((_ROOT / "sample_matches").glob(f"*.{reader}"))
    return whole + [path.read_bytes()[:_BEGINNING] for path in samples]
