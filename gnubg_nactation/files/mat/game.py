"""Reads one game of match text: splits its rows into cells and reads the cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
)
from gnubg_nactation.backgammon.notation import Hop, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import OFF
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.mat.boards import ILLEGAL_PLAY, parse_illegal_play, parse_set_pos
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_LAST_LEFT_COLUMN = 15  # a first cell that begins further right belongs to the right player
_COLUMN_GAP = " " * 3  # between columns, never between the hops of a play
_MAX_WORD_GAP = 2  # blanks between dice and an end word in the same cell
_MAX_DIGITS = 9
HIGHEST_CUBE = 1 << 29  # the highest power of two in nine digits

_ROW_NUMBER = re.compile(r"(?<![^\s:])[0-9]+\)")
_CELL = re.compile(
    r"""(?<![^\s):])(?:
      (?P<dice>[0-6?]-?[0-6?]):
    | (?P<double>(?<!Automatic\ )(?:(?:Re)?Doubles?|Beavers?|Raccoons?)(?![A-Za-z])
        (?:\s*=+>\s*[0-9]+)?)
    | (?P<take>Takes?|Accepts?)(?![A-Za-z])
    | (?P<drop>Drops?|Pass(?:es)?|Rejects?)(?![A-Za-z])
    | (?P<wins>Wins?(?![A-Za-z])(?:\s+[0-9]+(?:\s+points?)?)?(?:\s+and\s+the\s+match)?)
    | (?P<loses>(?:Loss(?:es)?|Loses?)(?![A-Za-z])(?:\s+[0-9]+(?:\s+points?)?)?)
    | (?P<resign>Concedes?|Resign(?:s|ed)?(?:\s+(?:Game|Match))?(?![A-Za-z])|\?{2,}(?!\S))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_LOST_TURN = re.compile(r"([0-9]{1,4}(?:[-, ][0-9]{1,4})?): ")
_BOARD = re.compile(  # the end may be missing, if the line is cut off
    r"Illegal play \((?:(?:(?!Illegal play \().){0,498}?;\))?"
)
_NO_PLAY = "cannot move"
# Nine rows in ten are one or two plays. This splits them at once, into the same cells: none of the
# characters it accepts in a play can begin a cell or a row.
_PLAYS = r"((?: +[0-9abforABFOR/*]+(?:\([1-4]\)\*?)?)*)"
_USUAL_ROW = re.compile(rf" *[0-9]+\) *([1-6][1-6]):{_PLAYS}(?: +([1-6][1-6]):{_PLAYS})? *")


class Line(NamedTuple):
    """A line of the file and its 1-based number."""

    number: int
    text: str

    @property
    def comment(self) -> str | None:
        """The text of a comment (`; text`, or gnubg's `# text`); None for any other line."""
        line = self.text.strip()
        return line[1:].removeprefix(" ") if line[:1] in (";", "#") and line else None

    @property
    def has_content(self) -> bool:
        """Whether it is neither blank nor a comment."""
        return self.comment is None and bool(self.text.strip())

    def problem(self, text: str) -> str:
        """Return the text with the line number before it."""
        return f"line {self.number}: {text}"


class _Cell(NamedTuple):
    player: Player
    kind: str  # the group of _CELL that it begins with
    value: str  # the dice, or the number after the word
    text: str  # up to the next cell, without trailing blanks
    extra: bool  # neither the left nor the right cell of the row


class _Result(NamedTuple):
    winner: Player
    points: int
    line: Line
    implied: bool = False  # from the loser's `Losses n point`


class _StatedDouble(NamedTuple):
    double: Double
    value: int | None  # of the cube, if the row has it


class _Comment(NamedTuple):
    text: str


_Event = Action | _Result | _StatedDouble | _Comment | str  # a problem


def read_game(
    number: int, score: tuple[int, int], lines: Sequence[Line], players: tuple[str, str], own: int
) -> tuple[Game, tuple[str, ...]]:
    """Read a game from the lines after the line of players; return it with its problems.

    `own` is the number of checkers that each player starts with. A game counts as resigned if a
    word or question marks show it. It also does if it has a winner, but no double was dropped and
    the winner has not borne off all checkers; then it has no Resign. The game is not replayed.
    """
    actions: list[Action] = []
    comments: list[str] = []
    problems: list[str] = []
    result: _Result | None = None
    implied: _Result | None = None
    stated: list[_StatedDouble | SetCube] = []
    for event in _read_lines(lines, players):
        match event:
            case str():
                problems.append(event)
            case _Comment(text):
                comments.append(text)
            case _Result(implied=True):
                implied = implied or event
            case _Result(line=line) if result:
                problems.append(line.problem("a second result of the game, ignored"))
            case _Result():
                result = event
            case _StatedDouble(double):
                stated.append(event)
                actions.append(double)
            case SetCube(1, None) if not stated:
                pass  # the cube is centred at 1 anyway
            case SetCube():
                stated.append(event)
                actions.append(event)
            case Move() if len(stated) > 2 and _is_raccoon(actions[-3:]):
                # gnubg writes an empty cell for the take of a raccoon.
                actions += [Take(event.player.other, line=actions[-1].line), event]
            case _:
                actions.append(event)
    result = result or implied
    winner = result.winner if result else None
    settled = _settle(actions, winner)
    cube, cube_problems = _check_cube(stated)
    game = Game(
        number=number,
        score=score,
        actions=settled,
        winner=winner,
        points=result.points if result else 0,
        resigned=winner is not None and _is_resigned(settled, winner, own),
        cube=cube,
        comments=tuple(comments),
    )
    return game, (*problems, *cube_problems)


def _is_raccoon(actions: Sequence[Action]) -> bool:
    return [type(action) for action in actions] == [Double, Double, Double]


def _check_cube(stated: Sequence[_StatedDouble | SetCube]) -> tuple[int, list[str]]:
    """Return the cube at the start (after automatic doubles), and problems with stated values."""
    start = cube = 1
    problems = []
    for index, turn in enumerate(stated):
        if isinstance(turn, SetCube):
            cube = turn.value
            continue
        cube = min(2 * cube, HIGHEST_CUBE)
        value = turn.value
        if value is None or value == cube:
            continue
        if index == 0 and value > cube and not value & (value - 1):
            start = value // 2
        else:
            line = turn.double.line
            problems.append(f"line {line}: the cube is turned to {value} instead of {cube}")
        cube = value
    return start, problems


def _settle(actions: Sequence[Action], winner: Player | None) -> tuple[Action, ...]:
    """Correct what only later lines show: who is on roll on a set board, and who resigned."""
    settled: list[Action] = []
    following: Player | None = None
    for action in reversed(actions):
        match action:
            case SetPosition(player, position) if following is player.other:
                switched = position.switch_sides()
                settled.append(replace(action, player=following, position=switched))
            case Resign(player) if player is winner:  # the marks may follow the winner's dice
                settled.append(replace(action, player=player.other))
            case _:
                settled.append(action)
        if isinstance(action, Move | Double):
            following = action.player
    return tuple(reversed(settled))


def _is_resigned(actions: Sequence[Action], winner: Player, own: int) -> bool:
    for action in actions:
        if isinstance(action, Resign | Drop | SetPosition):
            return isinstance(action, Resign)
    moves = [act for act in actions if isinstance(act, Move) and act.player is winner]
    return sum([hop.target == OFF for move in moves for hop in move.hops]) < own


def _read_lines(lines: Sequence[Line], players: tuple[str, str]) -> Iterator[_Event]:
    last = 0
    for line in lines:
        comment = line.comment
        if comment is not None:
            yield from _read_comment(comment, line)
        elif line.text.strip():
            number = _row_number(line.text)
            if number > last + 1 > 1 and ":" in line.text:  # `Wins` may be further down
                missing = "a row is missing; the turns after it may be read wrongly"
                yield line.problem(f"row {number} follows row {last}: {missing}")
            last = number or last
            yield from _read_row(line, players)


def _row_number(text: str) -> int:
    """The number of a row, `3)`; 0 without one."""
    head, bracket, _ = text[:_LAST_LEFT_COLUMN].partition(")")
    number = head.strip()
    return int(number) if bracket and number.isascii() and number.isdecimal() else 0


def _read_comment(comment: str, line: Line) -> Iterator[_Event]:
    try:
        board = parse_set_pos(comment)
    except MalformedError as error:
        yield line.problem(str(error))
        return
    yield from [replace(action, line=line.number) for action in board]
    if not board:
        yield _Comment(comment)


def _read_row(line: Line, players: tuple[str, str]) -> Iterator[_Event]:
    """Yield the events of a row, or of a line that begins with a cell instead of a number."""
    text = line.text
    usual = _USUAL_ROW.fullmatch(text)
    right_only = usual is not None and usual.start(1) > _LAST_LEFT_COLUMN
    if usual and not (right_only and usual[3]):
        player = Player.SECOND if right_only else Player.FIRST
        yield from _read_dice(_Cell(player, "dice", usual[1], usual[2], extra=False), line, players)
        if usual[3]:
            right = _Cell(Player.SECOND, "dice", usual[3], usual[4], extra=False)
            yield from _read_dice(right, line, players)
        return
    # Mask `Illegal play (...)`, as the names in it may look like cells.
    masked = _BOARD.sub(lambda match: "." * len(match[0]), text)
    indent = len(masked) - len(masked.lstrip())
    starts = [begin for match in _ROW_NUMBER.finditer(masked) if (begin := match.start()) > indent]
    # A second row number within the line begins another row, with its own left column.
    for begin, end in pairwise([0, *starts, len(text)]):
        part, part_masked = text[begin:end], masked[begin:end]
        number = _ROW_NUMBER.match(part_masked.lstrip())
        head = len(part_masked) - len(part_masked.lstrip()) + number.end() if number else 0
        cells = list(_CELL.finditer(part_masked, head))
        stray = part[head : cells[0].start() if cells else None].strip()
        if stray and (lost := _LOST_TURN.match(stray)):
            expected = "expected two dice from 1 to 6, as in 31:"
            yield line.problem(f"{quoted(lost[1])} is no roll; the turn is left out; {expected}")
        elif stray:
            yield line.problem(f"neither a row of the game nor a comment: {quoted(stray)}")
        for cell in _cut_cells(part, cells):
            yield from _read_cell(cell, line, players)


def _cut_cells(row: str, matches: Sequence[re.Match[str]]) -> Iterator[_Cell]:
    joined: list[re.Match[str]] = []
    for match in matches:
        if joined and match["resign"] and joined[-1]["dice"]:
            gap = row[joined[-1].end() : match.start()]
            if not gap.strip() and len(gap) <= _MAX_WORD_GAP:
                continue  # `62: Concedes` is one cell
        joined.append(match)
    if not joined:
        return
    has_ended = False
    right_only = joined[0].start() > _LAST_LEFT_COLUMN
    ends = [match.start() for match in joined[1:]] + [len(row)]
    for index, (match, end) in enumerate(zip(joined, ends, strict=True), start=right_only):
        kind = match.lastgroup or ""
        value = (match["dice"] or "").replace("-", "") or "".join(re.findall("[0-9]", match[0]))
        text = row[match.end() : end].rstrip()
        player = Player.FIRST if index == 0 or (index > 1 and has_ended) else Player.SECOND
        yield _Cell(player, kind, value, text, index > 1)
        has_ended = kind in ("drop", "loses", "resign") or _is_end_word(text.strip())


def _is_end_word(text: str) -> bool:
    match = _CELL.match(text)
    return match is not None and match["resign"] is not None


def _read_cell(cell: _Cell, line: Line, players: tuple[str, str]) -> Iterator[_Event]:
    player, kind, at = cell.player, cell.kind, line.number
    if cell.extra and kind != "wins":
        third = quoted(f"{kind} {cell.value}{cell.text}".strip())
        yield line.problem(f"a row has two cells, this one has a third: {third}")
        return
    if kind == "dice":
        yield from _read_dice(cell, line, players)
        return
    if cell.text:
        yield line.problem(f"not understood: {quoted(cell.text.strip())}")
    value = parse_number(cell.value)
    if cell.value and value is None:
        yield line.problem(f"a number of {len(cell.value)} digits, ignored")
    match kind:
        case "double":
            yield _StatedDouble(Double(player, line=at), value)
        case "take":
            yield Take(player, line=at)
        case "drop":
            yield Drop(player, line=at)
        case "wins":
            yield _Result(player, value or 0, line)
        case _:
            yield Resign(player, line=at)
            if value is not None:
                yield _Result(player.other, value, line, implied=True)


def parse_number(digits: str) -> int | None:
    """Read a number; None if it is empty or has more than 9 digits."""
    significant = digits.lstrip("0") or digits[-1:]
    return int(significant) if 0 < len(significant) <= _MAX_DIGITS else None


def _read_dice(cell: _Cell, line: Line, players: tuple[str, str]) -> Iterator[_Event]:
    player, at = cell.player, line.number
    resigned = _is_end_word(cell.text.strip())
    hops, text, stray = ((), "", "") if resigned else _read_play(cell.text)
    if stray:
        yield line.problem(f"not understood: {quoted(stray)}")
    if cell.value not in ("00", "??"):
        try:
            yield Move(player, Roll.parse(cell.value), hops, text, line=at)
        except MalformedError as error:
            yield line.problem(f"{error}, with {quoted(text)}")
    elif text:
        yield line.problem(f"a play without a roll: {quoted(text)}")
    if resigned:
        yield Resign(player, line=at)
    if text.startswith(ILLEGAL_PLAY):
        try:
            yield replace(parse_illegal_play(text, players, player), line=at)
        except MalformedError as error:
            yield line.problem(str(error))


def _read_play(text: str) -> tuple[tuple[Hop, ...], str, str]:
    """Return the hops of a play, its text, and the unreadable rest of the cell."""
    stripped = text.strip()
    stray = ""
    hops = _hops(stripped)
    if not hops and not stripped.startswith(ILLEGAL_PLAY):
        stripped, _, stray = map(str.strip, text.partition(_COLUMN_GAP))
        hops = _hops(stripped)
    return hops, "" if stripped.lower() == _NO_PLAY else stripped, stray


def _hops(text: str) -> tuple[Hop, ...]:
    """Return the hops of a play; none if it cannot be read."""
    try:
        return parse_hops(text) if text else ()
    except MalformedError:
        return ()
