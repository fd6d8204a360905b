"""Plays as people paste them: `31: 8/5 6/5  63: 24/15`, from a forum, a mail or a score sheet.

Rows may be numbered, in one column or two, with the names of the players or without, and with an
XGID, a Position ID or `Nackgammon` before them. Lines that hold no play are passed over, as are
remarks in parentheses; all else that is not understood, or cannot be played, is refused.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import accumulate, pairwise

from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Match,
    Move,
    Resign,
    Take,
    one_game,
    turn_cube,
)
from gnubg_nactation.backgammon.notation import Hop, false_star, format_play, parse_hops, resolve
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import CHECKERS, NACKGAMMON, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.sequences.tiers import fans
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

_LONGEST = 1_000_000  # characters of a text
_SHOWN = 3  # plays that a message names
_MOST_WORDS = 8  # of a play
_COLUMN = 15  # a first cell that begins further right is the second player's
_GAP = 8  # blanks behind the number of a row, at least, that are an empty cell


class Place(NamedTuple):
    """Where something stands: the place in the text from 0, line and column from 1."""

    at: int
    line: int
    column: int


class Pasted(NamedTuple):
    """A game that was pasted, as a match of one game, and where each of its turns stands.

    `start` is the state that it begins with. What the match does before the first turn, to set
    the cube, stands nowhere.
    """

    start: GameState
    match: Match
    places: tuple[Place, ...]


# What a text holds. Of what looks alike the first that fits is meant.

_DICE = (
    r"(?:[(\[{][ ]?[1-6][ ]?[-,]?[ ]?[1-6][ ]?[)\]}]|[1-6][1-6](?![\w/*])"
    r"|[1-6](?:[ ]|[ ]?[-,][ ]?)[1-6](?![\w/*-]))"
)
_HOPS = (
    r"(?:[0-9]{1,2}|b(?:ar)?(?=/))(?:\*?/(?:[0-9]{1,2}|[a-z]{1,4})){1,8}\*?"
    r"(?:[ ]?(?:\([x\xd7]?[1-4]x?\)|[x\xd7][ ]?[1-4])\*?)?(?![\w/])"
)
_NO_PLAY = (
    r"(?:(?:cannot|can'?t|can[ ]not)[ ](?:move|play|enter)"
    r"|no[ ](?:legal[ ])?(?:play|move)s?(?:[ ]possible)?"
    r"|danc(?:es?|ed|ing)|fan(?:s|ned)?|stay(?:s|ed)?[ ](?:out|off|on[ ]the[ ]bar)|(?-i:F)|\^)"
    r"(?!\w)"
)
_TURNED = r"(?:[ ]*(?:=+>|->|to|at)[ ]*[0-9]{1,9})?"
_CUBE = rf"""(?:
    (?P<offer>(?:d(?:ouble)?)[ ]?/[ ]?(?:(?P<taken>t(?:ake)?)|(?:p(?:ass)?|d(?:rop)?))(?!\w))
  | (?P<double>(?:(?:re-?)?double[sd]?|(?:re)?cube[sd]?|cub|rcb)(?![\w:]){_TURNED})
  | (?P<beaver>(?:beaver|raccoon)(?:s|ed)?(?!\w){_TURNED})
  | (?P<take>(?:takes?|took|tak|accept(?:s|ed)?)(?!\w))
  | (?P<drop>(?:drop(?:s|ped)?|pas|pass(?:es|ed)?|(?:reject|fold)(?:s|ed)?|declines?d?)(?!\w))
  | (?P<resign>(?:resign(?:s|ed)?|concede[sd]?|gives?[ ]up)(?!\w).*)
  | (?P<result>(?:wins?|won|los(?:es?|s|ses|t))(?!\w)(?=[ ]*(?:[0-9]|the[ ]|a[ ]|$)).*)
)"""
_CUBE_WORD = re.sub(r"\?P<\w+>", "?:", _CUBE)
_WORD = r"(?:player[ ]?[12](?!\w)|[^\W\d_][\w'.-]*)"
_TOKEN = re.compile(
    rf"""(?P<play>{_HOPS}) | (?P<none>\(?{_NO_PLAY}\)?) | {_CUBE}
  | (?P<row>[0-9]{{1,3}})[ ]?[.)](?P<dots>\.{{2,}}|[ ]*(?:\.{{3}}|…))?
      (?=[ \t]*\S)(?![ \t]*(?:{_HOPS}|\(?{_NO_PLAY}))
  | (?P<bare>[0-9]{{1,3}}):?(?=[\s|]+(?:{_DICE}|{_CUBE_WORD}|(?!{_NO_PLAY}){_WORD}))
  | (?P<dice>{_DICE}) | (?P<remark>[(\[{{][^()\[\]{{}}]{{0,1000}}[)\]}}])
  | (?P<word>{_WORD}) | (?P<skip>[\s,;:|>&\#`•·!?…=~_*"'.+)\]}}/]+|-+>?|[(\[{{](?={_HOPS}))
  | (?P<bad>\w+|.)""",
    re.VERBOSE | re.IGNORECASE,
)
# A line is of the game if a play is in it, or if it begins like one.
_LEADS = re.compile(
    rf"""[\s>*|`•·-]* (?:[0-9]{{1,3}}[.):]*\s+)? (?!score|match|game)(?:{_WORD}[\s:,]+){{0,4}}
         (?:{_DICE}(?:[ ]?:|[\s.]*$|[\s,]*\(?{_NO_PLAY}) | {_CUBE_WORD} | \(?{_NO_PLAY})
      | [\s>*|`•·-]*(?:[0-9]{{1,3}}[.):]*\s+)?{_DICE}(?![ -]?points?)""",
    re.VERBOSE | re.IGNORECASE,
)
_PLAYED = re.compile(_HOPS, re.IGNORECASE)
_EMPTY = re.compile(r"\s*[0-9]+[.)]\s*")
_GAME = re.compile(r"[\s>*|-]*Game\s+[0-9]+", re.IGNORECASE)
_FILLING = re.compile(
    "a|and|for|from|ha(?:s|ve)|is|it|next|now|of|on|opens?|opening|(?:play|roll|move|start)(?:s|ed)?|the|then|to"
    "|turn|with|\\."
)
_SEATS = {"white": Player.FIRST, "w": Player.FIRST, "black": Player.SECOND, "b": Player.SECOND}

_START = re.compile(
    rf"""(?<![\w+/:-]) (?:
        (?P<xgid>XGID[ ]?=[ ]?[-\w:]+|[-A-P]{{26}}(?::-?\w{{1,5}}){{8,9}})
      | (?P<told>(?:GNU[ ]?BG[ ]?ID|GNU[ ]?ID|Position[ ]?ID)[ ]?[:=]?\s*)?
        (?P<id>[A-Z0-9+/]{{14}})(?P<match>:[A-Z0-9+/]{{12}}
          |[\s,;]{{1,20}}Match[ ]?ID[ ]{{0,9}}[:=]?[ ]{{0,9}}[A-Z0-9+/]{{12}})?
      | (?P<nackgammon>Nack-?gammon)
      ) (?![\w+/:])
      | \A\s*(?P<n>N(?:ack)?)[:\s]+(?={_DICE})""",
    re.VERBOSE | re.IGNORECASE,
)
_MARKUP = re.compile(
    r"</?[a-z][^<>\n]{0,300}>|\[/?[a-z]{1,10}(?:=[^\[\]\n]{0,200})?\]", re.IGNORECASE
)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#[0-9]{1,5});", re.IGNORECASE)
_SLASH = re.compile(r"[0-9]/(?:[0-9]|off)|bar/", re.IGNORECASE)
_HYPHENS = re.compile(r"(?<![\w(\[{-])(?:[0-9]{1,2}|bar)(?:\*?-(?:[0-9]{1,2}|off))+(?![\w:)\]}-])")
# Dashes, slashes, quotes and blanks of print.
_OTHERS = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2044\u2215\u2019\xa0\u200b\ufeff", "------//'   "
)


class _Token(NamedTuple):
    kind: str  # the name of a group of _TOKEN; "line" before each, "game", "start"
    text: str
    place: Place
    state: GameState | None = None
    edge: int = 0  # the place in the line with tabs as blanks

    def part(self, found: re.Match[str]) -> _Token:
        """The play that is found in the token's text."""
        at, line, column = self.place
        place = Place(at + found.start(), line, column + found.start())
        return self._replace(kind="play", text=found[0], place=place)


class _Said(NamedTuple):
    """A turn as it is told; `kind` is that of the token that it begins with."""

    kind: str
    text: str
    place: Place
    label: str
    line: int  # counts the lines that are of a game
    edge: int
    gap: int  # blanks behind the number of the row, 0 if none stands right before
    roll: Roll | None = None
    plays: tuple[_Token, ...] = ()
    none: str = ""  # the words that nothing is played

    @property
    def is_roll(self) -> bool:
        """Whether it is no cube action."""
        return self.kind in {"dice", "none"}


class _Telling:
    """A game as it is told: where it begins, the words above it, its turns."""

    def __init__(self, start: GameState | None) -> None:
        self.start = start
        self.heard: list[str] = []
        self.turns: list[_Said] = []
        self.is_right = False  # it is said that the first cell of its first row is empty


def read_pasted(text: str, start: GameState | None = None) -> tuple[Pasted, ...]:
    """The games of a text, one at least; `start` is where the first begins, if it does not say.

    A game begins with `Game N`, with an ID, and where the rows are numbered from 1 again. What is
    told must be legal: MalformedError, IllegalError and AmbiguousError say the place, line and
    column, and the turn, what is found there and what was expected.
    """
    if len(text) > _LONGEST:
        raise MalformedError(f"over {_LONGEST} characters; what is pasted is shorter")
    reader = _Reader(text, start)
    for token in _tokens(text):
        reader.read(token)
    reader.end_line()
    games = [one for one in reader.games if any(turn.kind != "result" for turn in one.turns)]
    if not games:
        example = "31: 8/5 6/5  63: 24/15"
        raise MalformedError(f"no plays in {quoted(text.strip())}, expected such as {example!r}")
    many = len(games) > 1
    return tuple(
        _replayed(text, one, f"game {number}, " if many else "")
        for number, one in enumerate(games, 1)
    )


# What is told


def _tokens(text: str) -> Iterator[_Token]:
    """What a text holds, with a token `line` before each line that is of a game."""
    text = text.replace("\r\n", " \n").replace("\r", "\n")
    text = _ENTITY.sub(_entity, text).translate(_OTHERS)
    breaks = [-1, *(match.start() for match in re.finditer("\n", text))]

    def place(at: int) -> Place:
        line = bisect(breaks, at - 1)
        return Place(at, line, at - breaks[line - 1])

    starts: list[_Token] = []

    def start(found: re.Match[str]) -> str:
        state = _state(found)
        if state is None:
            return found[0]
        starts.append(_Token("start", found[0], place(found.start()), state))
        return _blank(found)

    text = _START.sub(start, text)
    starts.reverse()
    text = _MARKUP.sub(_blank, text)
    if not _SLASH.search(text):  # `31: 8-5 6-5`
        text = _HYPHENS.sub(lambda found: found[0].replace("-", "/"), text)
    for row in re.finditer(r"[^\n]+", text):
        while starts and starts[-1].place.at < row.end():
            yield starts.pop()
        line, first = row[0], place(row.start())
        if line.lstrip().startswith((";", "# ")) or _EMPTY.fullmatch(line):
            continue
        if _GAME.match(line):
            yield _Token("game", line, first)
        elif _PLAYED.search(line) or _LEADS.match(line):
            yield _Token("line", line, first)
            edges = list(accumulate(line, _next_edge, initial=0))
            for found in _TOKEN.finditer(line):
                kind = found.lastgroup or ""
                kind = "row" if kind == "dots" else "offer" if kind == "taken" else kind
                if kind != "skip":
                    at = place(row.start() + found.start())
                    yield _Token(kind, found[0], at, edge=edges[found.start()])
        else:
            yield _Token("heading", line, first)


def _next_edge(edge: int, sign: str) -> int:
    return edge + (8 - edge % 8 if sign == "\t" else 1)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _entity(found: re.Match[str]) -> str:
    """What an entity of HTML stands for, with blanks behind it, so that places stay."""
    return re.sub(r"\s", " ", unescape(found[0])).ljust(len(found[0]))


def _state(found: re.Match[str]) -> GameState | None:
    """The state that an ID names; None if it only looks like one."""
    if found["nackgammon"] or found["n"]:
        return GameState(NACKGAMMON)
    name, match_id = found["xgid"] or found["id"], found["match"]
    sure = found["told"] or found["xgid"] or match_id
    if not sure and (name.isalpha() or _PLAYED.fullmatch(name)):
        return None
    try:
        return parse_state(f"{name}:{match_id[-12:]}" if match_id else name.replace(" ", ""))
    except MalformedError as error:
        if not sure:
            return None
        raise MalformedError(str(error), text=found.string, at=found.start()) from None


class _Reader:
    """Puts the tokens of a text together to the turns of its games."""

    def __init__(self, text: str, start: GameState | None) -> None:
        self.text = text
        self.games = [_Telling(start)]
        self.line = self.row = self.numbered = 0  # the last two are a row's number and its end
        self.words: list[_Token] = []  # of the line, that belong to the next turn

    def read(self, token: _Token) -> None:
        """Take the next token."""
        game, text = self.games[-1], token.text
        match token.kind:
            case "line" | "heading" | "game":
                self.end_line()
                self.line += 1
                game = self._begin(game) if token.kind == "game" else game
                if token.kind == "heading" and not game.turns:
                    game.heard += re.findall(_WORD, text.casefold())
            case "start":
                self._begin(game).start = token.state
            case "row" | "bare":
                self._row(token)
            case "word":
                self.words += [] if _FILLING.fullmatch(text.casefold()) else [token]
            case "play":
                self._play(token)
            case "none":
                self._none(token)
            case "remark":
                if _PLAYED.match(text, 1) and self._is_open:  # `31 (8/5 6/5)`
                    for found in _PLAYED.finditer(text):
                        self._play(token.part(found))
            case "offer":  # `double/take`
                answer = "take" if "t" in text.rpartition("/")[2].casefold() else "drop"
                for kind in ("double", answer):
                    self._turn(token._replace(kind=kind))
            case "bad":
                raise self._found(token, _EXPECTED)
            case _:
                self._turn(token)

    def end_line(self) -> None:
        """What stands behind the last turn of a line is of no use."""
        if self.words:
            raise self._found(self.words[0], _EXPECTED)
        self.numbered = 0

    @property
    def _is_open(self) -> bool:
        turns = self.games[-1].turns
        return bool(turns) and turns[-1].kind == "dice" and not (turns[-1].plays or turns[-1].none)

    def _begin(self, game: _Telling) -> _Telling:
        """The next game; a variation stays what it is."""
        if game.turns:
            stays = game.start == GameState(NACKGAMMON)
            self.games.append(_Telling(game.start if stays else None))
            self.games[-1].heard = game.heard
            self.row = 0
        return self.games[-1]

    def _row(self, token: _Token) -> None:
        digits = re.sub("[^0-9]", "", token.text)
        number, game = int(digits), self.games[-1]
        rolled = len(digits) == 2 and not digits.strip("123456")
        inside = bool(game.turns) and game.turns[-1].line == self.line
        unexpected = number != self.row + 1 or self.numbered or (inside and token.text[-1] == ":")
        if token.kind == "bare" and unexpected and (rolled or game.turns):
            if not rolled:
                raise self._found(token, _EXPECTED)
            self._turn(token._replace(kind="dice", text=digits))
            return
        if number == 1 < self.row:
            game = self._begin(game)
        self.row, self.numbered = number, token.edge + len(token.text)
        game.is_right |= not game.turns and token.text.endswith(("..", "…"))

    def _turn(self, token: _Token) -> None:
        dice = re.findall("[1-6]", token.text) if token.kind == "dice" else ()
        roll = Roll.parse("".join(dice)) if dice else None
        gap = token.edge - self.numbered if self.numbered else 0
        label = " ".join(word.text for word in self.words).casefold()
        turn = _Said(token.kind, token.text, token.place, label, self.line, token.edge, gap, roll)
        self.games[-1].turns.append(turn)
        self.words, self.numbered = [], 0

    def _play(self, token: _Token) -> None:
        game = self.games[-1]
        if self.words:
            raise self._found(self.words[0], "a play such as 8/5 6/5")
        if not game.turns and game.start and game.start.roll:  # that of the XGID
            self._turn(token._replace(kind="dice", text=str(game.start.roll)))
        last = game.turns[-1] if game.turns else None
        if not last or last.kind != "dice" or last.none:
            raise self._found(token, "a roll before the play, such as 31:")
        if len(last.plays) == _MOST_WORDS:
            raise self._found(token, "the next roll")
        game.turns[-1] = last._replace(plays=(*last.plays, token))

    def _none(self, token: _Token) -> None:
        if self._is_open and not self.words:
            turns = self.games[-1].turns
            turns[-1] = turns[-1]._replace(none=token.text)
        else:
            self._turn(token)

    def _found(self, token: _Token, expected: str) -> NactationError:
        turns = len(self.games[-1].turns) + (not self._is_open)
        many = len([one for one in self.games if one.turns])
        game = f"game {many}, " if many > 1 else ""
        told = f"found {quoted(token.text.strip())}, expected {expected}"
        return _error(MalformedError, self.text, token.place, f"{game}turn {turns}", told)


_EXPECTED = (
    "a roll such as 31:, a play such as 8/5 6/5, `doubles`, `takes`, `drops` or `cannot move`"
)


def _error(
    kind: type[NactationError], text: str, place: Place, turn: str, told: str
) -> NactationError:
    where = f"line {place.line}, column {place.column}, {turn}"
    return kind(f"{where}: {told}", text=text, at=place.at)


# Who plays


def _sides(turns: Sequence[_Said], *, doubled: bool) -> list[int]:
    """Whose each turn is: 0 is who is on roll at the start, who has doubled then if `doubled`."""
    sides: list[int] = []
    on_roll, answers = 0, 1 if doubled else None
    for turn in turns:
        if turn.is_roll or turn.kind == "double" or answers is None:
            sides.append(on_roll)
            answers = 1 - on_roll if turn.kind == "double" else None
            on_roll ^= turn.is_roll
        else:
            sides.append(answers)
            answers = 1 - answers if turn.kind == "beaver" else None
    return sides


def _seats(told: _Telling) -> dict[str, Player]:
    """The seats of the players by the names beside the turns; none if they are no two names."""
    names = list(dict.fromkeys(turn.label for turn in told.turns if turn.label))
    if all(name in _SEATS for name in names):
        return {name: _SEATS[name] for name in names}
    if len(names) != 2:
        return {}
    words = [name.split()[0] for name in names]
    if all(word in told.heard for word in words):
        names.sort(key=lambda name: told.heard.index(name.split()[0]))
    return dict(zip(names, Player, strict=True))


def _starts_right(told: _Telling) -> bool:
    """Whether the first turn stands in the right of two columns."""
    first, *others = told.turns
    if told.is_right:
        return True
    if others and others[0].line == first.line:
        return False
    for left, right in pairwise(others):
        if left.line == right.line:
            return abs(first.edge - right.edge) < abs(first.edge - left.edge)
    return first.gap >= _GAP and first.edge > _COLUMN


# What is played


class _Board(NamedTuple):
    """The game at a turn: the board from the player on roll, and the state of the cube.

    `doubler` is who offered the cube, where it awaits an answer, and `over` how the game ended.
    """

    position: Position
    on_roll: Player
    cube: GameState
    doubler: Player
    over: str = ""


def _replayed(text: str, told: _Telling, game: str) -> Pasted:
    """The game, each turn of it legal."""
    start = told.start or GameState()
    sides, seats = _sides(told.turns, doubled=start.doubled), _seats(told)
    named = [
        (turn, Player(seats[turn.label] ^ side))  # who is side 0 by the name beside a turn
        for turn, side in zip(told.turns, sides, strict=True)
        if turn.label in seats
    ]
    if start == GameState(start.position):  # which does not say who begins
        right = Player.SECOND if _starts_right(told) else Player.FIRST
        start = replace(start, player=named[0][1] if named else right)
    first = start.player.other if start.doubled else start.player
    position = start.position.switch_sides() if start.doubled else start.position
    board = _Board(position, first, start, first)
    strays = {turn.place for turn, who in named if who is not named[0][1]}
    actions: list[Action] = []
    places: list[Place] = []
    ends = {"resign", "result"}
    last = max((at for at, turn in enumerate(told.turns, 1) if turn.kind not in ends), default=0)
    for at, (turn, side) in enumerate(zip(told.turns, sides, strict=True), 1):
        where = f"{game}turn {at}"
        try:
            if board.over and turn.kind != "result":
                raise IllegalError(f"found {quoted(turn.text)}, but {board.over}")
            if turn.place in strays:
                other = next((name for name in seats if name != turn.label), "the opponent")
                message = f"found a turn of {quoted(turn.label)}, expected one of {quoted(other)}"
                raise IllegalError(message)
            player = Player(first ^ side)
            if turn.kind in _ACTIONS:
                action, board = _turned(turn, player, board)
            elif turn.kind == "result":
                board = board._replace(over="the game has its result")
                continue
            else:
                action, board = _moved(
                    turn, board, told.start if at == 1 else None, is_last=at == last
                )
        except _UnreadError as error:
            raise _error(MalformedError, text, error.place, where, str(error)) from None
        except NactationError as error:
            place = turn.plays[0].place if turn.plays else turn.place
            raise _error(type(error), text, place, where, str(error)) from None
        actions.append(replace(action, line=turn.place.line))
        places.append(turn.place)
    return Pasted(start, one_game(start, actions), tuple(places))


class _UnreadError(MalformedError):
    """A word of a play that is none, with its own place."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.place = place


_ACTIONS: dict[str, type[Double | Take | Drop | Resign]] = {
    "double": Double,
    "beaver": Double,
    "take": Take,
    "drop": Drop,
    "resign": Resign,
}


def _turned(turn: _Said, player: Player, board: _Board) -> tuple[Action, _Board]:
    """What is done about the cube, or the end of the game by words."""
    action, cube = _ACTIONS[turn.kind](player), board.cube
    expected = ""
    if turn.kind == "double":
        if cube.doubled:
            expected = "an answer to the double"
        elif cube.crawford or cube.owner is player.other:
            expected = "a roll: the cube is not this player's"
    elif not cube.doubled and turn.kind != "resign":
        expected = "a double before it"
    if expected:
        raise IllegalError(f"found {quoted(turn.text)}, expected {expected}")
    if turn.kind in {"drop", "resign"}:
        return action, board._replace(over=f"the game is over with the {turn.kind} before it")
    doubler = player if turn.kind == "double" else board.doubler
    turned = cube if isinstance(action, Resign) else turn_cube(cube, action, doubler)
    return action, board._replace(cube=turned, doubler=doubler)


def _moved(
    turn: _Said, board: _Board, start: GameState | None, *, is_last: bool
) -> tuple[Move, _Board]:
    """What is played with a roll; `start` is the first turn's, whose roll must be this one."""
    position, player = board.position, board.on_roll
    if start and start.roll and turn.roll != start.roll:
        raise IllegalError(f"found {quoted(turn.text)}, expected {start.roll}, the roll of the ID")
    roll = turn.roll or next(iter(fans(position)), None)
    if roll is None:
        raise IllegalError(f"found {quoted(turn.text)}, expected a roll with it")
    plays = legal_plays(position, roll)
    play = _chosen(turn, position, roll, plays)
    if play is None and plays and not is_last:
        raise IllegalError(f"found {quoted(turn.text)} without a play, {_expected(plays, roll)}")
    cube = board.cube
    if cube.doubled:  # a take goes without saying when play goes on
        cube = turn_cube(cube, Take(board.doubler.other), board.doubler)
    after = play.after if play else position.switch_sides()
    off = after.opponent_off == CHECKERS
    board = _Board(after, player.other, cube, board.doubler, "the game is over" * off)
    hops = tuple(Hop(*portion[:2], portion.hits) for portion in play.portions) if play else ()
    return Move(player, roll, hops, " ".join(token.text for token in turn.plays)), board


def _chosen(turn: _Said, position: Position, roll: Roll, plays: Sequence[Play]) -> Play | None:
    """The play that is told, or the only one; None if nothing is played."""
    if not turn.plays:
        if (turn.none or turn.kind == "none") and plays:
            found = turn.none or turn.text
            raise IllegalError(f"found {quoted(found)}, {_expected(plays, roll)}")
        return plays[0] if len(plays) == 1 else None
    hops = [hop for token in turn.plays for hop in _hops(token)]
    found = " ".join(token.text for token in turn.plays)
    if turn.none:
        raise IllegalError(f"found {quoted(found)} and {quoted(turn.none)}, expected one of them")
    if not plays:
        raise IllegalError(f"found {quoted(found)}, expected no play: {roll} has none here")
    try:
        play = resolve(hops, position, roll, plays)
    except IllegalError:
        raise IllegalError(f"found {quoted(found)}, {_expected(plays, roll)}") from None
    if wrong := false_star(hops, play):
        nothing = f"nothing is hit on {wrong.target}"
        raise IllegalError(f"found {quoted(found)}, expected {format_play(play)}: {nothing}")
    return play


def _hops(token: _Token) -> tuple[Hop, ...]:
    try:
        return parse_hops(_usual(token.text))
    except MalformedError:
        told = f"found {quoted(token.text)}, expected a play such as 8/5"
        raise _UnreadError(told, token.place) from None


def _usual(word: str) -> str:
    """A part of a play as `parse_hops` reads it, of `b/22`, `3/o`, `8/5 (2)` and `8/5x2`."""
    word = word.lower().replace(" ", "").replace("\xd7", "x")
    word = re.sub(r"\(?x?([1-4])x?\)?(\*?)$", r"(\1)\2", word) if {*"(x"} & {*word} else word
    return re.sub(r"/o\b", "/off", re.sub(r"^b/", "bar/", word))


def _expected(plays: Sequence[Play], roll: Roll) -> str:
    shown = [format_play(play) for play in plays[: _SHOWN + 1]]
    shown[_SHOWN:] = ["..."] * (len(shown) > _SHOWN)
    return f"expected a play of {roll}: {', '.join(shown)}"
