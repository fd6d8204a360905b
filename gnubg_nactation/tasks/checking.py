"""Proof-reading: of sequences, of prose, and of matches as the program annotates them."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from gnubg_nactation.annotation import AnnotatedTurn, annotate
from gnubg_nactation.backgammon.ids import format_position_id, parse_position, parse_state
from gnubg_nactation.backgammon.match import Move, place_name, places_in
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.sgf import PREFIX, cube_letter, parse_comment_line
from gnubg_nactation.files.formats import is_match_file, read_sources
from gnubg_nactation.language.dialects import CURRENT, Dialect, plays_in
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.page import Finding, Kind
from gnubg_nactation.prose.scanning import charts, is_entry
from gnubg_nactation.sequences.assumption import Confidence, Evaluator
from gnubg_nactation.sequences.check import CheckedName, Verdict, check_name, check_sequence
from gnubg_nactation.sequences.decode import Budget, Decoded, decode
from gnubg_nactation.sequences.habits import is_understood
from gnubg_nactation.sequences.tokens import TokenKind, parse_sequence
from gnubg_nactation.showing import quoted, read_json
from gnubg_nactation.tasks.face import Face, Library
from gnubg_nactation.tasks.subjects import (
    SequenceSettings,
    dialect_hint,
    equities_of,
    read_sequences,
    start_of,
)
from gnubg_nactation.values import Any, NamedTuple
from gnubg_nactation.writing.codepage import decode_any
from gnubg_nactation.writing.spelling import read_spelling


class Check(NamedTuple):
    """The verdict on a token, or an error, with its place as the beginning of a message."""

    place: str
    result: CheckedName | NactationError


# Sequences and files


_MATCH_TEXT = re.compile(rb"^ {0,8}[0-9]{1,4}\) [^\n]{0,200}[1-6]{2}:", re.MULTILINE)
_MIN_STRICT = 30  # characters of a sequence that fits the rules of a start by no accident


def check(
    source: str | tuple[str, bytes],
    settings: SequenceSettings = SequenceSettings(),  # noqa: B008 (frozen)
    face: Face | None = None,
) -> list[Check]:
    """Proof-read a sequence, or a file given by its name and bytes. Raises EngineError.

    Each token and claim has a verdict, and each error its place.
    """
    face = face or Library()
    if isinstance(source, str):
        return list(check_text(source, settings, face))
    return list(check_file(*source, settings, face))


def check_text(text: str, settings: SequenceSettings, face: Face) -> Iterator[Check]:
    """Check a text that a user typed: one sequence."""
    return _check_lines([("", text)], settings, face)


def check_file(name: str, data: bytes, settings: SequenceSettings, face: Face) -> Iterable[Check]:
    """Check a file of any kind; `name` begins each place. Raises NactationError.

    It is an annotated match, prose, a page, or a text with a sequence on each line.
    """
    if is_match_file(data) or _MATCH_TEXT.search(data):
        return _check_match(name, data, settings.dialect, face)
    text = decode_any(data)
    lines = [line for line in text.splitlines() if not _is_comment(line)]
    if are_sequences(lines) and not _is_column(lines):
        numbered = enumerate(text.splitlines(), 1)
        places = [(f"{name}:{number}: ", line) for number, line in numbered]
        return _check_lines(places, settings, face)
    return check_prose_or_page(text, name, settings, face)


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def are_sequences(lines: list[str]) -> bool:
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
    lines: list[tuple[str, str]], settings: SequenceSettings, face: Face
) -> Iterator[Check]:
    """Check lines that are one sequence each, with their places."""
    budget = Budget(sum(len(line) for _, line in lines))
    for place, line in lines:
        if _is_comment(line):
            continue
        nackgammon = _decode_nackgammon(line, settings, budget)
        try:
            plays = read_sequences(line, settings, face, budget) if not nackgammon else ()
        except NactationError as error:
            checks = check_row(line, place, start=start_of(settings), dialect=settings.dialect)
            if checks == []:
                face.report(f"{place}a pattern: nothing to check")
            yield from [Check(place, error)] if checks is None else checks
            continue
        for decoded in (nackgammon,) if nackgammon else plays:
            for turn, verdict in check_sequence(decoded):
                yield Check(f"{place}{turn.token.text}", verdict)


def _decode_nackgammon(line: str, settings: SequenceSettings, budget: Budget) -> Decoded | None:
    """Decode a long sequence that is strictly correct from Nackgammon's start only."""
    if settings.start is None and len(line) > _MIN_STRICT:
        for start in (STANDARD, NACKGAMMON):
            try:
                decoded = decode(
                    line, start=start, strict=True, dialect=settings.dialect, budget=budget
                )
            except NactationError:
                continue
            return decoded if start is NACKGAMMON else None
    return None


def check_prose_or_page(
    text: str, name: str, settings: SequenceSettings, face: Face
) -> list[Check]:
    """Check prose, or a match as JSON or as a page."""
    checks = check_json(text, name) or check_page(text, name)
    if checks is None:
        assume = equities_of(settings, face)
        checks = check_prose(
            text,
            name,
            start=start_of(settings),
            assume=assume,
            strict=settings.strict,
            dialect=settings.dialect,
        )
    listed = list(checks)
    if not listed:
        face.report(f"{name}: no Nactation found: nothing to check")
    return listed


def _check_match(path: str, data: bytes, dialect: Dialect, face: Face) -> Iterator[Check]:
    """Check the comments of a match file, and the plays of match text."""
    is_annotated = False
    for number, source in enumerate(read_sources(data), 1):
        for game in annotate(source.match).games:
            places = places_in(game.number, game.turns, number)
            for turn, at in zip(game.turns, places, strict=True):
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
        face.report(f"{path}: no comment begins with {quoted(PREFIX.strip())}: nothing to check")


# Prose


def find_nactation(text: str, settings: SequenceSettings, face: Face) -> tuple[Finding, ...]:
    """Find the Nactation in a text, in the order of its places. Raises EngineError."""
    start, assume = start_of(settings), equities_of(settings, face)
    return tuple(read_prose(text, start=start, assume=assume, dialect=settings.dialect))


def check_prose(  # noqa: PLR0913 - options by keyword
    text: str,
    name: str,
    *,
    start: Position | GameState | None = None,
    assume: Evaluator | bool | None = False,
    strict: bool = False,
    dialect: Dialect = CURRENT,
    budget: Budget | None = None,
) -> Iterator[Check]:
    """Check the Nactation in prose; a place is `name`, line, column and, in a sequence, token."""
    lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(at: int) -> str:
        line = bisect(lines, at)
        return f"{name}:{line}:{at - lines[line - 1] + 1}: "

    findings = read_prose(
        text, start=start, assume=assume, strict=strict, dialect=dialect, budget=budget
    )
    for finding, following in zip_longest(findings, findings[1:]):
        if difference := _difference(finding, following):
            at, error = difference
            yield Check(place(at), error)
        elif finding.error:
            error = finding.error
            if finding.usage:
                message = f"{error}; it {dialect_hint(finding.usage)}"
                error = type(error)(message, text=error.text, at=error.at)
            yield Check(place(max(error.at, finding.start)), error)
        else:
            yield from _check_finding(finding, place)


def check_row(row: str, place: str, **settings: Any) -> list[Check] | None:
    """Check a row with a nacbrac, or with a claim or a pattern (`52D-64H R`) and no error, or None.

    A row with a nacbrac may have errors.
    """
    findings = read_prose(row, **settings)
    kinds = {finding.kind for finding in findings}
    is_sound = not any(finding.error for finding in findings)
    if Kind.NACBRAC not in kinds and not (is_sound and kinds & {Kind.CLAIM, Kind.PATTERN}):
        return None
    checks = check_prose(row, "", **settings)
    return [Check(place + check.place.partition(": ")[2], check.result) for check in checks]


def _check_finding(finding: Finding, place: Callable[[int], str]) -> Iterator[Check]:
    for turn, checked in check_sequence(finding.decoded) if finding.decoded else ():
        yield Check(place(finding.place_of(turn)) + turn.token.text, checked)
    if (claim := finding.claim) and claim.right is False and not claim.instead:
        yield Check(place(finding.start), IllegalError(f"{claim.letter} = {claim.verdict}"))
    elif claim and claim.state and claim.state.roll:
        plays = plays_in(Plays(claim.state.position, claim.state.roll), finding.dialect)
        play = parse_play(claim.play, claim.state.position, claim.state.roll)
        checked = check_name(parse_nactation(claim.letter), play, plays)
        yield Check(f"{place(finding.start)}{claim.letter} = {claim.play}", checked)
    if nacbrac := finding.nacbrac:
        plays = plays_in(Plays.of(nacbrac.plays), finding.dialect)
        for entry in nacbrac.entries:
            checked = check_name(entry.nactation, entry.play, plays)
            yield Check(f"{place(entry.entry.at)}{nacbrac.state.roll}{entry.entry.text}", checked)


def _difference(finding: Finding, following: Finding | None) -> tuple[int, NactationError] | None:
    """Return where a move list first differs from a following sequence of the same rolls."""
    if not (finding.tokens and following and following.decoded) or following.tokens:
        return None
    tokens = [turn.token for turn in following.decoded.turns if turn.token.kind not in _CUBE]
    if len(tokens) != len(finding.tokens):
        return None
    for (at, text), token in zip(finding.tokens, tokens, strict=True):
        if token.roll and text[:2].isdecimal() and token.roll != Roll.parse(text[:2]):
            return None  # another game
        if token.names and text[2:] and parse_nactation(text[2:]) not in token.names:
            where = f"the sequence of line {following.line}"
            return at, MalformedError(f"found {text} in the list, {token.text} in {where}")
    return None


_CUBE = {TokenKind.DOUBLE, TokenKind.REDOUBLE, TokenKind.TAKE, TokenKind.PASS}


# Comments of match files


def check_comment(
    place: str, turn: AnnotatedTurn, line: str, dialect: Dialect = CURRENT
) -> Iterator[Check]:
    """Check a line that `annotate` writes into the comment of a turn."""
    try:
        yield from [Check(place + text, checked) for text, checked in _line(turn, line, dialect)]
    except NactationError as error:
        yield Check(place, error)


def _line(turn: AnnotatedTurn, line: str, dialect: Dialect) -> Iterator[tuple[str, CheckedName]]:
    """Yield the verdicts on a comment. Raises NactationError if it does not fit the turn."""
    action = turn.action
    if not isinstance(action, Move):
        letter, text = cube_letter(turn), line[len(PREFIX) :].strip()
        word = text.partition(" ")[0]
        if not letter or not (word == letter or _OLD_ERROR.fullmatch(word)):
            expected = quoted(letter or "no Nactation")
            raise MalformedError(f"found {quoted(text)}, expected {expected}")
        return
    comment = parse_comment_line(line)
    if comment.roll and comment.roll != str(action.roll):
        raise MalformedError(f"found the roll {comment.roll}, expected {action.roll}")
    play, plays = turn.play, plays_in(Plays.of(turn.plays), dialect)
    for name in comment.names:
        if play is not None:
            yield f"{action.roll}{name}", _check_written(name, play, plays)
        elif str(name) == turn.nactation:  # a fan
            yield f"{action.roll}{name}", CheckedName(Verdict.OK, name, None, None, None)
        else:
            raise MalformedError(f"found {quoted(str(name))}, though there is no play to name")
    for entry in comment.nacbrac.entries if comment.nacbrac else ():
        plays.play(entry.name)


def _check_written(name: Nactation, play: Play, plays: Plays) -> CheckedName:
    """Return the verdict on a name as `annotate` writes it, which may need an assumption."""
    checked = check_name(name, play, plays)
    if checked.play is None and is_understood(name, play):
        return checked._replace(verdict=Verdict.VALID)
    return checked


# JSON and pages


def check_json(text: str, name: str) -> Iterator[Check] | None:
    """Check matches as JSON, one on each line; None if the text is something else."""
    matches = [(number, _json(line)) for number, line in enumerate(text.splitlines(), 1)]
    if not any(_list(match, "turns") for _, match in matches):
        return None
    return (
        check
        for number, match in matches
        for turn in _list(match, "turns")
        for check in _record(
            f"{name}:{number}: {_place(turn)}",
            (_text(turn, "roll"), _text(turn, "position_id"), _text(turn, "play")),
            [_text(turn, "nactation"), *map(str, _list(turn, "others"))],
        )
    )


def _place(turn: Any) -> str:
    """Return the place of a turn of JSON for a message; empty if the turn has none."""
    fields: dict[str, Any] = turn if isinstance(turn, dict) else {}
    numbers: list[Any] = [fields.get(key) for key in ("game", "move", "player")]
    if not all(isinstance(number, int) for number in numbers) or numbers[-1] not in {0, 1}:
        return ""
    return f"{place_name(*numbers)}: "


def check_page(text: str, name: str) -> Iterator[Check] | None:
    """Check the table and the data of a page of `annotate`; None if the text is no such page."""
    island = _ISLAND.search(text)
    if not island:
        return None
    # Deferred: most texts are no pages.
    from gnubg_nactation.exports.page.document import island_text

    try:
        data = read_json(island_text(island[1]))
    except ValueError:
        data = None
    return _page(text, name, _games(data))


def _games(data: Any) -> Iterator[dict[str, Any]]:
    """Yield the games of a page with their turns; earlier versions kept turns in the games."""
    table = data.get("turns") if isinstance(data, dict) else None
    members = table.items() if isinstance(table, dict) else ()
    columns = {name: column for name, column in members if isinstance(column, list)}
    rows = (dict(zip(columns, row, strict=True)) for row in zip_longest(*columns.values()))
    for game in _list(data, "games"):
        steps = game.get("steps") if isinstance(game, dict) else None
        if isinstance(steps, int) and steps >= 0:
            some = zip(range(steps), rows, strict=False)  # a page may have any number
            turns = [row for _, row in some if not row.get("on_cube")]
            yield {"title": _text(game, "title"), "turns": turns}
        else:
            yield game


def _page(text: str, name: str, games: Iterable[Any]) -> Iterator[Check]:
    sections = text.split(_SECTION)[1:]
    for game, section in zip_longest(games, sections, fillvalue=""):
        reached: Position | None = None
        cells = section.split(_TURN)[1:]
        turns = _list(game, "turns")
        for turn, cell in zip_longest(turns, cells, fillvalue=""):
            row = _CELL.match(cell)
            at, roll, name_shown, play = row.groups("") if row else ("", "", "", "")
            place = f"{name}: {at}: "
            here = _board(_text(turn, "xgid")) or reached
            reached = _after(here, roll, play)
            written = _text(turn, "name")
            others = [str(x[0]) for x in _list(turn, "others") if isinstance(x, list) and x]
            board = format_position_id(here) if here else ""
            yield from _record(place, (roll, board, play), [written, *others])
            try:
                shown = str(read_spelling(name_shown)) if name_shown else written
            except NactationError as error:
                yield Check(place, error)
                continue
            if shown != written:
                yield Check(place, MalformedError(f"the table has {shown}, the data {written}"))
    budget = Budget(len(text))
    for match in _ROW.finditer(text):
        before = " " * match.start(1)
        yield from check_prose(before + match[1], name, budget=budget)


def _board(xgid: str) -> Position | None:
    try:
        state = parse_state(xgid)
    except NactationError:
        return None
    return state.position if state else None


def _after(position: Position | None, roll: str, play: str) -> Position | None:
    """Return the board after a play, for the opponent; None if the play is not legal."""
    if position is None:
        return None
    try:
        rolled = Roll.parse(roll)
        plays = Plays(position, rolled)
        if not plays:
            return position.switch_sides()
        return parse_play(play, position, rolled, plays).reached.switch_sides()
    except NactationError:
        return None


def _record(place: str, play_fields: tuple[str, str, str], names: Sequence[str]) -> Iterator[Check]:
    """Check the names of a play with this roll, position ID and notation."""
    name_text, *more_names = names
    rolled, position_id, notation = play_fields
    if not (name_text and rolled and position_id):
        return
    try:
        position, roll = parse_position(position_id), Roll.parse(rolled)
        plays, name = Plays(position, roll), parse_nactation(name_text)
        if not plays:
            if name.family.key not in {"^", "F"}:
                raise MalformedError(f"found {quoted(name_text)}, though there is no play to name")
            yield Check(f"{place}{rolled}{name}", CheckedName(Verdict.OK, name, None, None, None))
            return
        play = parse_play(notation, position, roll, plays)
        for each in (name, *map(parse_nactation, more_names)):
            yield Check(f"{place}{rolled}{each}", _check_written(each, play, plays))
    except NactationError as error:
        yield Check(place, error)


# How earlier versions wrote errors of cube actions: `x120 wrong take`.
_OLD_ERROR = re.compile(r"x(0|[1-9][0-9]{0,3})")
_ISLAND = re.compile(r'<script type="[a-z/]{1,20}" id="data">([^<]*)</script>')
# The table of a page: its cells are the turns in order.
_SECTION, _TURN = '<section class="game"', '<div class="cell">'
_CELL = re.compile(
    r'<a id="m?([^"<>]{1,30})">([1-6]{2})</a>'
    r'(?:<button class="n">((?:[^<]|<(?!/button)){1,300})</button>)?<small>([^<]{0,300})</small>'
)
_ROW = re.compile(r'<p class="sequence">([^<]*)</p>')


def _json(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        return None


def _list(value: Any, key: str) -> list[Any]:
    """Return the list under a key of a JSON object; empty for anything else."""
    member = value.get(key) if isinstance(value, dict) else None
    return member if isinstance(member, list) else []


def _text(value: Any, key: str) -> str:
    member = value.get(key) if isinstance(value, dict) else None
    return str(member) if isinstance(member, str | int) else ""
