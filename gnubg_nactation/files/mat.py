"""Reads and writes match text (.mat, .txt), in the dialects of fifteen programs."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.ids import format_xgid, parse_xgid
from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Resign,
    SetCube,
    SetPosition,
    Take,
    replay,
)
from gnubg_nactation.backgammon.notation import Hop, parse_hops
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import BAR, OFF, STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.heading import (
    comment_lines,
    crawford_game,
    one_line,
    tag_lines,
    written_names,
)
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

ILLEGAL_PLAY = "Illegal play ("

_BOARD_FIELDS = BAR + 1
_NAME_FIELD = 5  # the name of the player on roll
_ALL_FIELDS = 40
_COUNT = re.compile(r"-?[0-9]{1,2}")
_SET_POS = re.compile(r"Set Pos=([-A-Pa-p]{26})(?:/(-?)([0-9]))?")


def parse_illegal_play(text: str, players: tuple[str, str], player: Player) -> SetPosition:
    """Read the board in `Illegal play (...)` in the cell of `player`; raises MalformedError.

    The fields are the length, the Jacoby rule, two unknown, the player on roll, both names (first
    the player on roll), Crawford, the scores, the cube, the opponent's bar, the points 1 to 24, the
    own bar and the dice. If the name does not show who is on roll, it is the opponent of `player`.
    """
    fields = text[len(ILLEGAL_PLAY) :].strip().rstrip(")").rstrip().rstrip(";").split(";")
    counts = fields[-_BOARD_FIELDS - 2 : -2]
    if len(counts) != _BOARD_FIELDS or not all(map(_COUNT.fullmatch, counts)):
        raise MalformedError(f"no board of {_BOARD_FIELDS} counts in {quoted(text)}")
    opponent_bar, *points = map(int, counts)
    position = Position((-abs(opponent_bar), *points))
    on_roll = player.other
    if len(fields) == _ALL_FIELDS and players[0] != players[1]:
        name = fields[_NAME_FIELD].strip()
        on_roll = Player(players.index(name)) if name in players else on_roll
    return SetPosition(on_roll, position)


def parse_set_pos(comment: str) -> list[SetPosition | SetCube]:
    """Read the board, and the cube if there is one, of `Set Pos=<26 letters>/<cube>`.

    Returns an empty list for any other comment. Capitals are the first player's checkers. The
    cube is the exponent of its power of two, with a minus if the first player owns it; 0 is the
    centred cube. Raises MalformedError if the board is impossible.
    """
    match = _SET_POS.match(comment.strip())
    if not match:
        return []
    board, minus, power = match.groups()
    position = parse_xgid(f"{board}:0:0:1:00:0:0:0:0:10").position
    actions: list[SetPosition | SetCube] = [SetPosition(Player.FIRST, position)]
    if power is not None:
        owner = None if power == "0" else Player.FIRST if minus else Player.SECOND
        actions.append(SetCube(1 << int(power), owner))
    return actions


def format_set_pos(position: Position, cube: SetCube | None) -> str:
    """Write the comment that `parse_set_pos` reads, from a board of the first player."""
    board = format_xgid(GameState(position=position)).partition("=")[2].partition(":")[0]
    if cube is None:
        return f"Set Pos={board}"
    power = min(cube.value.bit_length() - 1, 9) if cube.owner is not None else 0
    sign = "-" if power and cube.owner is Player.FIRST else ""
    return f"Set Pos={board}/{sign}{power}"


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
        (?:\s*(?:[=-]+>|→|to\b)\s*[0-9]+)?)
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


_LENGTH = re.compile(r"\s*([0-9]+)\s*points?\s+match\s*", re.IGNORECASE)
# gnubg reads `Game 5 (Crawford)` and `Game 5:` as well.
_GAME = re.compile(r"\s*Game\s+([0-9]+)\s*(?:\([^()]*\)\s*)?(?:[:.]\s*)?", re.IGNORECASE)
_TAG = re.compile(r'\[([^"\[\]]*)"(.*)"\s*\]')
_ROW = re.compile(r"\s*[0-9]+\)\s*(?:[0-6?][0-6?]:|$)")
_SCORE = re.compile(r":\s*([0-9]+)")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read(data: bytes, encoding: str | None = None) -> tuple[Match, ...]:
    """Read all matches of a file of match text, usually one.

    Without `encoding` a byte order mark decides, then UTF-8 and Windows-1252 are tried.
    Raises MalformedError if there is no match; the message begins with the line number if one
    line is the reason.
    """
    lines = _to_lines(decode_text(data, encoding))
    starts = [index for index, line in enumerate(lines) if _LENGTH.fullmatch(line.text)]
    if not starts:
        raise _no_match_text(lines)
    begins = [0, *(_header_start(lines, start) for start in starts[1:]), len(lines)]
    results = [
        _try_match(lines[begin:start], lines[start], lines[start + 1 : end])
        for start, (begin, end) in zip(starts, pairwise(begins), strict=True)
    ]
    matches = [match for match in results if isinstance(match, Match)]
    failures = [problem for problem in results if isinstance(problem, str)]
    if not matches:
        raise MalformedError(failures[0])
    problems = (*matches[0].problems, *failures)
    first = replace(matches[0], problems=problems, is_incomplete=bool(failures))
    return (first, *matches[1:])


def _try_match(header: Sequence[Line], length_line: Line, after: Sequence[Line]) -> Match | str:
    """The match, or why it cannot be read."""
    try:
        return _read_match(header, length_line, after)
    except MalformedError as error:
        return str(error)


def is_text(data: bytes) -> bool:
    """Whether bytes may be text: they have no zero byte, or the mark of UTF-16."""
    return b"\0" not in data or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def decode_text(data: bytes, encoding: str | None) -> str:
    """Decode a file, in the encoding that `read` would detect; raises MalformedError."""
    if not data.strip():
        raise MalformedError("the file is empty; expected match text")
    if encoding is None:
        encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    try:
        text = data.decode(encoding or "utf-8")
    except (ValueError, LookupError) as error:
        if encoding is not None:
            message = f"not match text in the encoding {quoted(encoding)}: {error}"
            raise MalformedError(message) from None
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise MalformedError(f"line {line}: a zero byte; expected match text")
    return text


def _to_lines(text: str) -> list[Line]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs()
    return [Line(number, line) for number, line in enumerate(text.split("\n"), start=1)]


def _no_match_text(lines: Sequence[Line]) -> MalformedError:
    for line in lines:
        if line.has_content:
            problem = f"found {quoted(line.text.strip())}, expected a line such as '7 point match'"
            return MalformedError(line.problem(problem))
    return MalformedError("no line such as '7 point match' in the file")


def _header_start(lines: Sequence[Line], start: int) -> int:
    """Return the start of the comments and blank lines right before lines[start]."""
    while start > 0 and not lines[start - 1].has_content:
        start -= 1
    return start


def _read_match(header: Sequence[Line], length_line: Line, after: Sequence[Line]) -> Match:
    words = _LENGTH.fullmatch(length_line.text)
    length = parse_number(words[1]) if words else None
    if length is None:
        raise MalformedError(length_line.problem("the match length has more than 9 digits"))
    starts = [index for index, line in enumerate(after) if _GAME.fullmatch(line.text)]
    tags, comments, problems = _read_header([*header, *after[: starts[0] if starts else None]])
    values = {key.lower(): value for key, value in reversed(tags)}
    start = VARIATIONS.get(_variation(values.get("variation", "")), STANDARD)
    openings = [_read_opening(after[begin:end]) for begin, end in pairwise([*starts, len(after)])]
    players = next((opening.players for opening in openings if opening.players), None)
    if players is None:
        problem = f"{quoted(length_line.text.strip())} is not followed by a game"
        expected = "a line 'Game 1' and one such as 'Ann : 0     Ben : 0'"
        raise MalformedError(length_line.problem(f"{problem}; expected {expected}"))
    match = Match(
        players=players,
        length=length,
        games=(),
        start=start,
        jacoby=not length and values.get("jacoby", "").lower() == "on",
        headers=tuple(tags),
        comments=tuple(comments),
        problems=tuple(problems),
        beavers=not length and values.get("beaver", "").lower() == "on",
    )
    has_crawford = values.get("crawford", "").lower() != "off"
    complete = _with_games(match, openings, has_crawford=has_crawford)
    if "variation" in values or all(map(_fits_backgammon, complete.games)):
        return complete
    for name in _UNNAMED_VARIATIONS:
        headers = (*match.headers, ("Variation", name))
        named = replace(match, start=VARIATIONS[name.lower()], headers=headers)
        other = _with_games(named, openings, has_crawford=has_crawford)
        if not any(turn.problem for game in other.games for turn in replay(other, game)):
            problem = f"read as {name}: no tag names the variation, but the plays are legal there"
            return replace(other, problems=(*other.problems, length_line.problem(problem)))
    return complete


_UNNAMED_VARIATIONS = "NackGammon", "HyperGammon (3)"  # in this order; gnubg tries them, too


def _with_games(match: Match, openings: Sequence[_Opening], *, has_crawford: bool) -> Match:
    own = sum(count for count in match.start.points if count > 0)
    games, problems = _read_games(openings, match.players, own)
    crawford = crawford_game(match.length, games)
    if crawford is not None and has_crawford:
        games[crawford] = replace(games[crawford], crawford=True)
    return replace(match, games=tuple(games), problems=(*match.problems, *problems))


def _fits_backgammon(game: Game) -> bool:
    """Whether the first play of each player can begin at the starting position of backgammon."""
    for player in Player:
        left = [max(count, 0) for count in STANDARD.points]
        for action in game.actions:
            if isinstance(action, SetPosition):
                return True
            if isinstance(action, Move) and action.player is player:
                for source, target, _ in sorted(action.hops, reverse=True):
                    if source == BAR:
                        break
                    if left[source] <= 0:
                        return False
                    left[source] -= 1
                    left[target] += 1
                break
    return True


def _read_header(lines: Sequence[Line]) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Return the tags, the comments, and a problem for each other line."""
    tags, comments, problems = [], [], []
    for line in lines:
        comment = line.comment
        if line.has_content:
            text = quoted(line.text.strip())
            problems.append(line.problem(f"neither a tag nor a comment: {text}"))
        elif comment is None:
            continue
        elif tag := _TAG.fullmatch(comment.strip()):
            key, value = tag[1].strip(), tag[2]
            tags.append((key, value))
            if key.lower() == "variation" and _variation(value) not in VARIATIONS:
                problem = f"an unknown variation {quoted(value)}, read as backgammon"
                problems.append(line.problem(problem))
        else:
            comments.append(comment)
    return tags, comments, problems


def _variation(value: str) -> str:
    return value.strip().lower() or "backgammon"


class _Opening(NamedTuple):
    """A game of which only the first two lines are read."""

    line: Line
    number: int | None
    players: tuple[str, str] | None
    score: tuple[int | None, int | None]
    rows: Sequence[Line]


def _read_opening(lines: Sequence[Line]) -> _Opening:
    head, *rows = lines
    game = _GAME.fullmatch(head.text)
    number = parse_number(game[1]) if game else None
    first = next((line for line in rows if line.has_content), None)
    players = None if first is None or _ROW.match(first.text) else _split_players(first.text)
    if first is None or players is None:
        return _Opening(head, number, None, (None, None), rows)
    rows.remove(first)
    return _Opening(head, number, *players, rows)


def _split_players(text: str) -> tuple[tuple[str, str], tuple[int | None, int | None]] | None:
    """Read the names and scores of `name : 3      name : 0`; a name may contain colons."""
    scores = list(_SCORE.finditer(text.rstrip()))
    if len(scores) < 2 or scores[-1].end() != len(text.rstrip()):
        return None

    def gap(score: re.Match[str]) -> int:
        after = text[score.end() :]
        return len(after) - len(after.lstrip())

    second = scores.pop()
    first = max(scores[-50:], key=gap)  # the widest gap separates the columns
    names = (text[: first.start()].strip(), text[first.end() : second.start()].strip())
    return names, (parse_number(first[1]), parse_number(second[1]))


def _shown_names(players: tuple[str, str]) -> str:
    return f"({', '.join(map(quoted, players))})"


def _read_games(
    openings: Sequence[_Opening], players: tuple[str, str], own: int
) -> tuple[list[Game], list[str]]:
    games: list[Game] = []
    problems: list[str] = []
    score = (0, 0)
    for index, opening in enumerate(openings, start=1):
        stated = opening.players
        if stated and stated != players:
            problem = f"the players are now {_shown_names(stated)}, not {_shown_names(players)}"
            problems.append(opening.line.problem(problem))
        possible = {
            "a game without a line of players and scores": stated is None,
            "the game number has more than 9 digits": opening.number is None,
            "a score of more than 9 digits, ignored": stated and None in opening.score,
        }
        problems += [opening.line.problem(text) for text, applies in possible.items() if applies]
        first, second = (
            last if new is None else new for last, new in zip(score, opening.score, strict=True)
        )
        number = index if opening.number is None else opening.number
        game, game_problems = read_game(number, (first, second), opening.rows, players, own)
        games.append(game)
        problems += game_problems
        # Without a winner the points are 0.
        score = (first + game.points, second) if not game.winner else (first, second + game.points)
    return games, problems


_CELL_WIDTH = 27
_NAME_WIDTH = 31
_LEFT_MARGIN = " " * 6
_RIGHT_MARGIN = " " * 34
_MAX_HOPS = 4  # gnubg adds a blank after a play of fewer
_RAISES = "Doubles", "Beavers", "Raccoons"
_CONTROLS = re.compile(r"[\0-\x1f\x7f-\x9f\u2028\u2029]")
_MAX_NAME_BYTES = 400  # gnubg reads lines of 1,023 bytes, and keeps 31 of a name


def write(match: Match) -> str:
    """Write the match as gnubg exports it, with all tags and the comments on match and games.

    Plays are written as recorded: bar 25, off 0, a star for each recorded hit, repeats spelled
    out. Unlike gnubg, which writes a second beaver and an empty cell, this writes `Raccoons` and
    `Takes`; gnubg and others can read that. The format cannot hold a resignation (only its points
    are written), comments on single actions, or a cube turned without a double.

    gnubg crashes if a name is missing or contains a colon. So a missing name becomes White or
    Black, a colon becomes a dot, and characters that would begin a comment are removed.
    """
    players = _names(match.players)
    comments = ["", *comment_lines(match.comments)] if match.comments else []
    head = [*tag_lines(match), *comments, "", f" {match.length} point match", "", ""]
    games = [text for game in match.games for text in _write_game(players, game)]
    return "\n".join(head) + "".join(games)


def _names(players: tuple[str, str]) -> tuple[str, str]:
    first, second = map(_plain_name, players)
    return written_names((first, second))


def _plain_name(name: str) -> str:
    text = _CONTROLS.sub(" ", one_line(name)).replace(":", ".").lstrip(" ;#")
    return text.encode(errors="replace")[:_MAX_NAME_BYTES].decode(errors="ignore").strip()


def _write_game(players: tuple[str, str], game: Game) -> Iterator[str]:
    """Yield the parts of a game's text, with the empty line after it."""
    first, second = (f"{n} : {s}" for n, s in zip(players, game.score, strict=True))
    # gnubg leaves no blank after a long name, so that the names run together.
    yield f" Game {game.number}\n {first.ljust(_NAME_WIDTH - 1)} {second}\n"
    yield from (f"{comment}\n" for comment in comment_lines(game.comments))
    row, left_is_open = 0, False
    for player, text in _cells(game, players):
        if player is Player.SECOND and left_is_open:
            yield f"{text}\n"
        elif player is None:  # a whole line
            yield f"{_end(left_is_open)}{text}\n"
        else:
            row += 1
            first, second = ("", f"{text}\n") if player is Player.SECOND else (text, "")
            yield f"{_end(left_is_open)}{row:3d}) {first:<{_CELL_WIDTH}} {second}"
        left_is_open = player is Player.FIRST
    yield _write_result(game, left_is_open=left_is_open)


def _end(is_open: bool) -> str:
    return "\n" if is_open else ""


def _write_result(game: Game, *, left_is_open: bool) -> str:
    wins = f"Wins {game.points} point{'' if game.points == 1 else 's'}"
    if game.winner is None:
        return f"{_end(left_is_open)}\n"
    if game.winner is Player.FIRST:
        return f"{_end(left_is_open)}{_LEFT_MARGIN}{wins}\n\n"
    if not left_is_open:
        return f"{_RIGHT_MARGIN}{wins}\n\n"
    match [action for action in game.actions if not isinstance(action, Resign)][-1]:
        case Drop():
            return f" {wins} \n\n"
        case Move(hops=(), text=""):  # gnubg writes it a column further left
            return f"{wins}\n\n"
    return f" {wins}\n\n"


def _cells(game: Game, players: tuple[str, str]) -> Iterator[tuple[Player | None, str]]:
    """Yield the cells of a game with their players; a whole line has None."""
    cube, doubles = game.cube, 0
    turned = cube != 1  # then a board that is set up leaves the cube alone
    actions = game.actions
    for at, (previous, action) in enumerate(zip((None, *actions), actions, strict=False), 1):
        match action:
            case Move(player):
                if doubles >= len(_RAISES):  # gnubg needs the implied take
                    yield player.other, " Takes"
                doubles = 0
                yield player, _write_move(action)
            case Double(player):
                doubles, turned = doubles + 1, True
                cube = min(2 * cube, HIGHEST_CUBE)
                yield player, f" {_RAISES[min(doubles, len(_RAISES)) - 1]} => {cube}"
            case Take(player):
                doubles = 0
                yield player, " Takes"
            case Drop(player):
                doubles = 0
                yield player, " Drops"
            case SetPosition():
                doubles = 0  # what was not answered is over
                if not _has_board(previous, action, players):
                    stated = None if turned else SetCube(1, None)
                    for cube_set in actions[at:]:
                        if not isinstance(cube_set, SetCube):
                            break
                        stated = cube_set
                    yield None, f"; {format_set_pos(_from_left(action), stated)}"
            case SetCube(value):
                cube, turned = value, True


def _write_move(move: Move) -> str:
    if not move.hops:
        return f"{move.roll}: {one_line(move.text)}"
    words = [f"{source}/{target}{'*' * hits}" for source, target, hits in move.hops]
    return f"{move.roll}: {' '.join(words)}{'' if len(words) >= _MAX_HOPS else ' '}"


def _has_board(action: Action | None, board: SetPosition, players: tuple[str, str]) -> bool:
    """Whether the text of the action, `Illegal play (...)`, already sets up this board."""
    if not isinstance(action, Move) or not action.text.startswith(ILLEGAL_PLAY):
        return False
    try:
        own = parse_illegal_play(action.text, players, action.player)
    except MalformedError:
        return False
    return _from_left(own) == _from_left(board)


def _from_left(board: SetPosition) -> Position:
    return board.position if board.player is Player.FIRST else board.position.switch_sides()
