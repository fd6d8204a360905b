"""One game of match text: its rows cut into cells, and the cells read."""

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
    is_crawford_game,
)
from gnubg_nactation.backgammon.notation import Hop, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import OFF
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.mat.boards import ILLEGAL_PLAY, parse_illegal_play, parse_set_pos
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_LAST_LEFT_COLUMN = 15  # a first cell that begins further right is the right player's
_COLUMN_GAP = " " * 3  # parts columns, never the hops of a play
_WIDEST_GAP = 2  # blanks between dice and an end word that belongs to them
_LONGEST_NUMBER = 9
HIGHEST_CUBE = 1 << 29  # the highest power of two in nine digits

_ROW_NUMBER = re.compile(r"(?<![^\s:])[0-9]+\)")
_CELL = re.compile(
    r"""(?<![^\s):])(?:
      (?P<dice>[0-6?][0-6?]):
    | (?P<double>(?:(?:Re)?Doubles?|Beavers?|Raccoons?)(?![A-Za-z])(?:\s*=+>\s*[0-9]+)?)
    | (?P<take>Takes?|Accepts?)(?![A-Za-z])
    | (?P<drop>Drops?|Pass(?:es)?|Rejects?)(?![A-Za-z])
    | (?P<wins>Wins?(?![A-Za-z])(?:\s+[0-9]+(?:\s+points?)?)?(?:\s+and\s+the\s+match)?)
    | (?P<loses>(?:Loss(?:es)?|Loses?)(?![A-Za-z])(?:\s+[0-9]+(?:\s+points?)?)?)
    | (?P<resign>Concedes?|Resign(?:s|ed)?(?:\s+(?:Game|Match))?(?![A-Za-z])|\?{2,}(?!\S))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_BOARD = re.compile(  # without an end if the line is cut off
    r"Illegal play \((?:(?:(?!Illegal play \().){0,498}?;\))?"
)
_NO_PLAY = "cannot move"
# A row of two plays or one, as nine in ten are, is cut by this in one go, to the same cells. What
# it lets pass in a play can begin no cell and no row.
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
        """What is wrong with the line, with its place."""
        return f"line {self.number}: {text}"


class _Cell(NamedTuple):
    player: Player
    kind: str  # the name of the group of _CELL that it begins with
    value: str  # the dice, or the number that stands with the word
    text: str  # what follows up to the next cell, without the blanks at its end
    extra: bool  # neither the left nor the right cell of the row


class _Result(NamedTuple):
    winner: Player
    points: int
    line: Line
    implied: bool = False  # by the loser's `Losses n point`


class _Turned(NamedTuple):
    double: Double
    value: int | None  # None: not stated


class _Remark(NamedTuple):
    text: str


_Event = Action | _Result | _Turned | _Remark | str  # a problem


def read_game(
    number: int, score: tuple[int, int], lines: Sequence[Line], players: tuple[str, str], own: int
) -> tuple[Game, tuple[str, ...]]:
    """The game told by `lines` (those after the line of players), and its problems.

    `own` is the number of checkers that a player starts with. A game counts as resigned if the
    record says so by a word or by question marks, or if it has a winner although nobody dropped
    a double and the record does not bring all of the winner's checkers home; only in the first
    case is there a Resign. The game is not replayed here.
    """
    actions: list[Action] = []
    comments: list[str] = []
    problems: list[str] = []
    result: _Result | None = None
    implied: _Result | None = None
    stated: list[_Turned | SetCube] = []
    for event in _read_lines(lines, players):
        match event:
            case str():
                problems.append(event)
            case _Remark(text):
                comments.append(text)
            case _Result(implied=True):
                implied = implied or event
            case _Result(line=line) if result:
                problems.append(line.problem("a second result of the game, passed over"))
            case _Result():
                result = event
            case _Turned(double):
                stated.append(event)
                actions.append(double)
            case SetCube(1, None) if not stated:
                pass  # so the cube stands anyway
            case SetCube():
                stated.append(event)
                actions.append(event)
            case Move() if len(stated) > 2 and _is_raccoon(actions[-3:]):
                # Its take is an empty cell in gnubg's text.
                actions += [Take(event.player.other, line=actions[-1].line), event]
            case _:
                actions.append(event)
    result = result or implied
    winner = result.winner if result else None
    settled = _settle(actions, winner)
    start, told = _check_cube(stated)
    game = Game(
        number=number,
        score=score,
        actions=settled,
        winner=winner,
        points=result.points if result else 0,
        resigned=winner is not None and _is_resigned(settled, winner, own),
        cube=start,
        comments=tuple(comments),
    )
    return game, (*problems, *told)


def _is_raccoon(actions: Sequence[Action]) -> bool:
    return [type(action) for action in actions] == [Double, Double, Double]


def _check_cube(stated: Sequence[_Turned | SetCube]) -> tuple[int, list[str]]:
    """The cube at the start of the game (automatic doubles turn it), and values that do not fit."""
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
            told = f"the cube is turned to {value} instead of {cube}"
            problems.append(f"line {turn.double.line}: {told}")
        cube = value
    return start, problems


def _settle(actions: Sequence[Action], winner: Player | None) -> tuple[Action, ...]:
    """Put right what only the later lines tell: who moves from a set board, who resigned."""
    settled: list[Action] = []
    following: Player | None = None
    for action in reversed(actions):
        match action:
            case SetPosition(player, position) if following is player.other:
                turned = position.switch_sides()
                settled.append(replace(action, player=following, position=turned))
            case Resign(player) if player is winner:  # the marks may stand beside the winner's dice
                settled.append(replace(action, player=player.other))
            case _:
                settled.append(action)
        if isinstance(action, Move | Double):
            following = action.player
    return tuple(reversed(settled))


def _is_resigned(actions: Sequence[Action], winner: Player, own: int) -> bool:
    told = next((one for one in actions if isinstance(one, Resign | Drop | SetPosition)), None)
    if told:
        return isinstance(told, Resign)
    moves = [one for one in actions if isinstance(one, Move) and one.player is winner]
    return sum([hop.target == OFF for move in moves for hop in move.hops]) < own


def _read_lines(lines: Sequence[Line], players: tuple[str, str]) -> Iterator[_Event]:
    for line in lines:
        comment = line.comment
        if comment is not None:
            yield from _read_remark(comment, line)
        elif line.text.strip():
            yield from _read_row(line, players)


def _read_remark(comment: str, line: Line) -> Iterator[_Event]:
    try:
        board = parse_set_pos(comment)
    except MalformedError as error:
        yield line.problem(str(error))
        return
    yield from [replace(action, line=line.number) for action in board]
    if not board:
        yield _Remark(comment)


def _read_row(line: Line, players: tuple[str, str]) -> Iterator[_Event]:
    """The events of a row, or of a line without a row number that begins with a cell."""
    text = line.text
    usual = _USUAL_ROW.fullmatch(text)
    right_only = usual is not None and usual.start(1) > _LAST_LEFT_COLUMN
    if usual and not (right_only and usual[3]):
        left = Player.SECOND if right_only else Player.FIRST
        yield from _read_dice(_Cell(left, "dice", usual[1], usual[2], extra=False), line, players)
        if usual[3]:
            right = _Cell(Player.SECOND, "dice", usual[3], usual[4], extra=False)
            yield from _read_dice(right, line, players)
        return
    # What stands in `Illegal play (...)` is blotted out, for names look like cells.
    masked = _BOARD.sub(lambda found: "." * len(found[0]), text)
    indent = len(masked) - len(masked.lstrip())
    starts = [begin for match in _ROW_NUMBER.finditer(masked) if (begin := match.start()) > indent]
    # A second row number in the middle begins a row of its own, with its own left column.
    for begin, end in pairwise([0, *starts, len(text)]):
        part, part_masked = text[begin:end], masked[begin:end]
        number = _ROW_NUMBER.match(part_masked.lstrip())
        head = len(part_masked) - len(part_masked.lstrip()) + number.end() if number else 0
        cells = list(_CELL.finditer(part_masked, head))
        stray = part[head : cells[0].start() if cells else None].strip()
        if stray:
            yield line.problem(f"neither a row of the game nor a comment: {quoted(stray)}")
        for cell in _cut_cells(part, cells):
            yield from _read_cell(cell, line, players)


def _cut_cells(row: str, found: Sequence[re.Match[str]]) -> Iterator[_Cell]:
    joined: list[re.Match[str]] = []
    for match in found:
        if joined and match["resign"] and joined[-1]["dice"]:
            gap = row[joined[-1].end() : match.start()]
            if not gap.strip() and len(gap) <= _WIDEST_GAP:
                continue  # `62: Concedes` is one cell
        joined.append(match)
    if not joined:
        return
    given_up = False
    right_only = joined[0].start() > _LAST_LEFT_COLUMN
    ends = [match.start() for match in joined[1:]] + [len(row)]
    for index, (match, end) in enumerate(zip(joined, ends, strict=True), start=right_only):
        kind = match.lastgroup or ""
        value = match["dice"] or "".join(re.findall("[0-9]", match[0]))
        text = row[match.end() : end].rstrip()
        player = Player.FIRST if index == 0 or (index > 1 and given_up) else Player.SECOND
        yield _Cell(player, kind, value, text, index > 1)
        given_up = kind in ("drop", "loses", "resign") or _is_end_word(text.strip())


def _is_end_word(text: str) -> bool:
    match = _CELL.match(text)
    return match is not None and match["resign"] is not None


def _read_cell(cell: _Cell, line: Line, players: tuple[str, str]) -> Iterator[_Event]:
    player, kind, at = cell.player, cell.kind, line.number
    if cell.extra and kind != "wins":
        found = f"{kind} {cell.value}{cell.text}".strip()
        yield line.problem(f"a row has two cells, this one has a third: {quoted(found)}")
        return
    if kind == "dice":
        yield from _read_dice(cell, line, players)
        return
    if cell.text:
        yield line.problem(f"not understood: {quoted(cell.text.strip())}")
    value = parse_number(cell.value)
    if cell.value and value is None:
        yield line.problem(f"a number of {len(cell.value)} digits, passed over")
    match kind:
        case "double":
            yield _Turned(Double(player, line=at), value)
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


def crawford_game(length: int, games: Sequence[Game]) -> int | None:
    """The place of the game that is the Crawford game by its score; None if there is none."""
    return next((at for at, g in enumerate(games) if is_crawford_game(length, g.score, [])), None)


def parse_number(digits: str) -> int | None:
    """The number, or None if there is none or it is out of range (over 9 digits)."""
    significant = digits.lstrip("0") or digits[-1:]
    return int(significant) if 0 < len(significant) <= _LONGEST_NUMBER else None


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
    """The hops of a play, its spelling, and what is left of a right cell that cannot be read."""
    stripped = text.strip()
    stray = ""
    hops = _hops(stripped)
    if not hops and not stripped.startswith(ILLEGAL_PLAY):
        play, _, rest = text.partition(_COLUMN_GAP)
        stripped, stray = play.strip(), rest.strip()
        hops = _hops(stripped)
    return hops, "" if stripped.lower() == _NO_PLAY else stripped, stray


def _hops(text: str) -> tuple[Hop, ...]:
    """The hops of a play, none if it cannot be read."""
    if not text:
        return ()
    try:
        return parse_hops(text)
    except MalformedError:
        return ()
