"""Reads plays that people paste from a forum post or an email."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum
from html import unescape
from itertools import accumulate, pairwise
from operator import itemgetter

from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.ids_in_text import IdInText, find_ids
from gnubg_nactation.backgammon.match import (
    Double,
    Drop,
    Game,
    Match,
    Move,
    Replay,
    Resign,
    SetPosition,
    Take,
    Turn,
    one_game,
)
from gnubg_nactation.backgammon.notation import Hop, false_star, format_play, parse_hops, resolve
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import CHECKERS, NACKGAMMON, STANDARD, VARIATIONS
from gnubg_nactation.backgammon.results import Result, result_of
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.sequences.decode import DecodedTurn, decode, is_list
from gnubg_nactation.sequences.tiers import fans
from gnubg_nactation.sequences.tokens import WORDS
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace


class TextPosition(NamedTuple):
    """A position in a text: the offset from 0, line and column from 1."""

    at: int
    line: int
    column: int


class Kind(Enum):
    """The kind of a token; most are groups of `_TOKEN`."""

    LINE = "line"  # before the tokens of a line of a game
    HEADING = "heading"  # any other line
    GAME = "game"  # `Game 2`
    START = "start"  # an ID, or `Nackgammon`
    PLAY = "play"
    NO_PLAY = "none"
    OFFER = "offer"  # `double/take`
    DOUBLE = "double"
    BEAVER = "beaver"
    TAKE = "take"
    DROP = "drop"
    RESIGN = "resign"
    RESULT = "result"
    ROW = "row"
    NUMBER = "bare"  # of a row, or a roll
    DICE = "dice"
    NAME = "name"  # a roll with a Nactation (`63R`), or the die that enters
    REMARK = "remark"
    WORD = "word"
    BAD = "bad"


class Token(NamedTuple):
    """Part of a text and its kind."""

    kind: Kind
    text: str
    place: TextPosition
    state: GameState | None = None
    edge: int = 0  # its index in the line with tabs expanded

    def play(self, match: re.Match[str]) -> Token:
        """Return the token of a play within the token's text."""
        at, line, column = self.place
        place = TextPosition(at + match.start(), line, column + match.start())
        return self._replace(kind=Kind.PLAY, text=match[0], place=place)


# The first pattern that matches decides.

_DICE = (
    r"(?:[(\[{][ ]?[1-6][ ]?[-,]?[ ]?[1-6][ ]?[)\]}]|[1-6][1-6](?![\w/*])"
    r"|[1-6](?:[ ]|[ ]?[-,][ ]?)[1-6](?![\w/*-]))"
)
_HOPS = (
    r"(?:[0-9]{1,2}|b(?:ar)?(?=/))(?:\*?/(?:[0-9]{1,2}|[a-z]{1,4})){1,8}\*?"
    r"(?:[ ]?(?:\([x\xd7]?[1-4]x?\)|[x\xd7][ ]?[1-4])\*?)?(?![\w/])"
)
# `63R`, `31-point`, `654` between hyphens; in pairs (`54S63R`) the next roll follows at once.
_NAME = (
    r"(?:(?:11|22|33|44|55|66)[a-z]\.(?:\{[0-9]{1,3}\}|(?![\w/]))|"
    rf"[1-6][1-6](?:-(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})(?!\w)"
    r"|[a-z$%@\#&<>][_\u0300-\u036f]?(?:\{[0-9]{1,3}\})?(?![a-z]|/(?![1-6]{2}[^\d/*]))"
    r"(?![0-9](?![1-6](?![0-9])))|[0-9](?=-)|(?<=-[1-6]{2})[0-9](?![\w/*.)])))"
)
_NO_PLAY = (
    r"(?:(?:cannot|can'?t|can[ ]not)[ ](?:move|play|enter)"
    r"|no[ ](?:legal[ ])?(?:play|move)s?(?:[ ]possible)?"
    r"|danc(?:es?|ed|ing)|fan(?:s|ned)?|stay(?:s|ed)?[ ](?:out|off|on[ ]the[ ]bar)|(?-i:F)|\^)"
    r"(?!\w)"
)
_TURNED = r"(?:[ ]*(?:=+>|->|to|at)[ ]*[0-9]{1,9})?"
_CUBE = rf"""(?:
    (?P<offer>(?:d(?:ouble)?)[ ]?/[ ]?(?:t(?:ake)?|p(?:ass)?|d(?:rop)?)(?!\w))
  | (?P<double>(?:(?:re-?)?double[sd]?|(?:re)?cube[sd]?|cub|rcb)(?![\w:]){_TURNED}
      |(?<=-)(?-i:[CR])(?=[\s-]|$)|(?-i:[CR])(?=[ ]+(?:(?-i:[PT])(?!\S)|{_NAME})))
  | (?P<beaver>(?:beaver|raccoon)(?:s|ed)?(?!\w){_TURNED})
  | (?P<take>(?:takes?|took|tak|accept(?:s|ed)?)(?!\w)
      |(?:(?<=-)|(?<=-[CR][ ])|(?<=[ ][CR][ ]))(?-i:T)(?=[\s-]|$))
  | (?P<drop>(?:drop(?:s|ped)?|pas|pass(?:es|ed)?|(?:reject|fold)(?:s|ed)?|declines?d?)(?!\w)
      |(?:(?<=-)|(?<=-[CR][ ])|(?<=[ ][CR][ ]))(?-i:P)(?=[\s-]|$))
  | (?P<resign>(?:resign(?:s|ed)?|concede[sd]?|gives?[ ]up)(?!\w).*)
  | (?P<result>(?:wins?|won|los(?:es?|s|ses|t))(?!\w)(?=[ ]*(?:[0-9]|the[ ]|a[ ]|$)).*)
)"""
_CUBE_WORD = re.sub(r"\?P<\w+>", "?:", _CUBE)
WORD = r"(?:player[ ]?[12](?!\w)|[^\W\d_][\w'.-]*)"
_TOKEN = re.compile(
    rf"""(?P<play>{_HOPS}) | (?P<name>{_NAME}) | (?P<none>\(?{_NO_PLAY}\)?) | {_CUBE}
  | (?P<row>[0-9]{{1,3}})[ ]?[.)](?:\.{{2,}}|[ ]*(?:\.{{3}}|…))?
      (?=[ \t]*\S)(?![ \t]*(?:{_HOPS}|\(?{_NO_PLAY}))
  | (?P<bare>[0-9]{{1,3}}):?(?=[\s|]+(?:{_DICE}|{_NAME}|{_CUBE_WORD}|(?!{_NO_PLAY}){WORD}))
  | (?P<dice>{_DICE}) | (?P<die>(?<=-)[1-6](?=[\s-]|$))
  | (?P<remark>[(\[{{][^()\[\]{{}}]{{0,1000}}[)\]}}])
  | (?P<word>{WORD}) | (?P<skip>[\s,;:|>&\#`•·!?…=~_*"'.+)\]}}/]+|-+>?|[(\[{{](?={_HOPS}))
  | (?P<bad>\w+|.)""",
    re.VERBOSE | re.IGNORECASE,
)
# A line belongs to a game if it contains a play, or begins like this.
_LEADS = re.compile(
    rf"""[\s>*|`•·-]* (?:[0-9]{{1,3}}[.):]*\s+)? (?!score|match|game)(?:{WORD}[\s:,]+){{0,4}}
         (?:{_DICE}(?:[ ]?:|[\s.]*$|[\s,]*\(?{_NO_PLAY}) | {_CUBE_WORD} | \(?{_NO_PLAY})
      | [\s>*|`•·-]*(?:[0-9]{{1,3}}[.):]*[\s|]+)?
        (?:{_DICE}(?![ -]?points?)|(?:{WORD}(?:[ ]{WORD})?:\s*)?{_NAME}
          |(?:{WORD}[\s:,]+){{0,4}}{_NAME}[\s.!?]*$)""",
    re.VERBOSE | re.IGNORECASE,
)
PLAY = re.compile(_HOPS, re.IGNORECASE)
_EMPTY = re.compile(r"\s*[0-9]+[.)]\s*")
_GAME = re.compile(r"[\s>*|-]*Game\s+[0-9]+", re.IGNORECASE)
_NACKGAMMON = re.compile(
    rf"(?<![\w+/:-])Nack-?gammon(?![\w+/:])|\A\s*N(?:ack)?[:\s]+(?={_DICE}|{_NAME})", re.IGNORECASE
)
_MARKUP = re.compile(
    r"</?[a-z][^<>\n]{0,300}>|\[/?[a-z]{1,10}(?:=[^\[\]\n]{0,200})?\]", re.IGNORECASE
)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#[0-9]{1,5});", re.IGNORECASE)
_SLASH = re.compile(r"[0-9]/(?:[0-9]|off)|bar/", re.IGNORECASE)
_HYPHENS = re.compile(r"(?<![\w(\[{-])(?:[0-9]{1,2}|bar)(?:\*?-(?:[0-9]{1,2}|off))+(?![\w:)\]}-])")
_TYPOGRAPHY = str.maketrans(  # dashes, slashes, quotes, blanks
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2044\u2215\u2019\xa0\u200b\ufeff", "------//'   "
)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, with a LINE before those of each line of a game."""
    text = text.replace("\r\n", " \n").replace("\r", "\n")
    text = _ENTITY.sub(_entity, text).translate(_TYPOGRAPHY)
    breaks = [-1, *(match.start() for match in re.finditer("\n", text))]

    def place(at: int) -> TextPosition:
        line = bisect(breaks, at - 1)
        return TextPosition(at, line, at - breaks[line - 1])

    states = [(word.start, word.end, _state(word, text)) for word in find_ids(text)]
    states += [(*match.span(), GameState(NACKGAMMON)) for match in _NACKGAMMON.finditer(text)]
    starts: list[Token] = []
    parts: list[str] = []
    done = 0
    for start, end, state in sorted(states, key=itemgetter(0)):
        if state:
            starts.append(Token(Kind.START, text[start:end], place(start), state))
            parts += text[done:start], _blanks(text[start:end])
            done = end
    text = "".join([*parts, text[done:]])
    starts.reverse()
    text = _MARKUP.sub(lambda match: _blanks(match[0]), text)
    if not _SLASH.search(text):  # `31: 8-5 6-5`
        text = _HYPHENS.sub(lambda match: match[0].replace("-", "/"), text)
    for row in re.finditer(r"[^\n]+", text):
        while starts and starts[-1].place.at < row.end():
            yield starts.pop()
        line, first = row[0], place(row.start())
        if line.lstrip().startswith((";", "# ")) or _EMPTY.fullmatch(line):
            continue
        if _GAME.match(line):
            yield Token(Kind.GAME, line, first)
        elif PLAY.search(line) or _LEADS.match(line):
            yield Token(Kind.LINE, line, first)
            edges = list(accumulate(line, _next_edge, initial=0))
            for match in _TOKEN.finditer(line):
                if match.lastgroup != "skip":
                    at = place(row.start() + match.start())
                    kind = Kind.NAME if match.lastgroup == "die" else Kind(match.lastgroup)
                    yield Token(kind, match[0], at, edge=edges[match.start()])
        else:
            yield Token(Kind.HEADING, line, first)


def _next_edge(edge: int, sign: str) -> int:
    return edge + (8 - edge % 8 if sign == "\t" else 1)


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _entity(match: re.Match[str]) -> str:
    """Return the character of an HTML entity, padded with blanks to keep all places."""
    return re.sub(r"\s", " ", unescape(match[0])).ljust(len(match[0]))


def _state(word: IdInText, text: str) -> GameState | None:
    """Return the state of an ID; None if the word only looks like an ID."""
    if not word.is_certain and (word.name.isalpha() or PLAY.fullmatch(word.name)):
        return None
    try:
        return parse_state(word.name)
    except MalformedError as error:
        if not word.is_certain:
            return None
        raise MalformedError(str(error), text=text, at=word.start) from None


_MAX_PLAY_WORDS = 8
_FILLING = re.compile(
    "a|and|for|from|ha(?:s|ve)|is|it|next|now|of|on|opens?|opening|(?:play|roll|move|start)(?:s|ed)?|the|then|to"
    "|turn|with|\\."
)


class TurnText(NamedTuple):
    """A turn in a text; `kind` is that of its first token."""

    kind: Kind
    text: str
    place: TextPosition
    label: str
    line: int  # counts the lines of games
    edge: int
    gap: int  # blanks after the row number, 0 without one
    roll: Roll | None = None
    plays: tuple[Token, ...] = ()
    none: str = ""  # words such as `cannot move`

    @property
    def is_roll(self) -> bool:
        """Whether it is a roll, not a cube action."""
        return self.kind in {Kind.DICE, Kind.NAME, Kind.NO_PLAY}


class GameText:
    """A game in a text: its start, the words above it, its turns."""

    def __init__(self, start: GameState | None) -> None:
        self.start = start
        self.words_above: list[str] = []
        self.turns: list[TurnText] = []
        self.is_right = False  # dots show that the first cell of the first row is empty


def read_games(text: str, start: GameState | None) -> list[GameText]:
    """Read the games of a text without replaying them; raises MalformedError."""
    reader = _Reader(text, start)
    for token in tokens(text):
        reader.read(token)
    reader.end_line()
    return [part for game in reader.games for part in _parts(game, text)]


def _parts(game: GameText, text: str) -> list[GameText]:
    """The game, or a game for each play of a list: `21S 41S 51S`."""
    turns = game.turns
    if game.start or any(turn.kind is not Kind.NAME or turn.plays or turn.gap for turn in turns):
        return [game]
    gaps = [
        text[first.place.at + len(first.text) : second.place.at]
        for first, second in pairwise(turns)
    ]
    if not is_list([turn.text for turn in turns], gaps):
        return [game]
    parts = [GameText(None) for _ in turns]
    for part, turn in zip(parts, turns, strict=True):
        part.turns = [turn]
    return parts


class _Reader:
    """Collects tokens into turns."""

    def __init__(self, text: str, start: GameState | None) -> None:
        self.text = text
        self.games = [GameText(start)]
        self.line = self.row = self.row_end = 0  # `row` is a number, `row_end` where it ends
        self.words: list[Token] = []  # before the next turn of the line

    def read(self, token: Token) -> None:
        """Read the next token."""
        game, text = self.games[-1], token.text
        match token.kind:
            case Kind.LINE | Kind.HEADING | Kind.GAME:
                self.end_line()
                self.line += 1
                game = self._begin(game) if token.kind is Kind.GAME else game
                if token.kind is Kind.HEADING and not game.turns:
                    game.words_above += re.findall(WORD, text.casefold())
            case Kind.START:
                self._begin(game).start = token.state
            case Kind.ROW | Kind.NUMBER:
                self._row(token)
            case Kind.WORD:
                self.words += [] if _FILLING.fullmatch(text.casefold()) else [token]
            case Kind.PLAY:
                self._play(token)
            case Kind.NO_PLAY if self._is_open and not self.words and game.turns[-1].roll:
                game.turns[-1] = game.turns[-1]._replace(none=text)
            case Kind.REMARK:
                if PLAY.match(text, 1) and self._is_open:  # `31 (8/5 6/5)`
                    for match in PLAY.finditer(text):
                        self._play(token.play(match))
            case Kind.OFFER:  # `double/take`
                is_taken = "t" in text.rpartition("/")[2].casefold()
                for kind in (Kind.DOUBLE, Kind.TAKE if is_taken else Kind.DROP):
                    self._turn(token._replace(kind=kind))
            case Kind.BAD:
                raise self._unexpected(token, _EXPECTED)
            case _:
                self._turn(token)

    def end_line(self) -> None:
        """End a line; raises MalformedError if it has words after its last turn."""
        if self.words:
            raise self._unexpected(self.words[0], _EXPECTED)
        self.row_end = 0

    @property
    def _is_open(self) -> bool:
        """Whether the last turn is a roll or name without a play."""
        turn = next(reversed(self.games[-1].turns), None)
        return turn is not None and turn.kind in _ROLLS and not (turn.plays or turn.none)

    def _begin(self, game: GameText) -> GameText:
        """Begin the next game, unless this one has no turns; Nackgammon goes on."""
        if game.turns:
            is_nackgammon = game.start == GameState(NACKGAMMON)
            self.games.append(GameText(game.start if is_nackgammon else None))
            self.games[-1].words_above = game.words_above
            self.row = 0
        return self.games[-1]

    def _row(self, token: Token) -> None:
        digits = re.sub("[^0-9]", "", token.text)
        number, game = int(digits), self.games[-1]
        is_roll = len(digits) == 2 and not digits.strip("123456")
        inside = bool(game.turns) and game.turns[-1].line == self.line
        unexpected = number != self.row + 1 or self.row_end or (inside and token.text[-1] == ":")
        if token.kind is Kind.NUMBER and unexpected and (is_roll or game.turns):
            if not is_roll:
                raise self._unexpected(token, _EXPECTED)
            self._turn(token._replace(kind=Kind.DICE, text=digits))
            return
        if number == 1 < self.row:
            game = self._begin(game)
        self.row, self.row_end = number, token.edge + len(token.text)
        game.is_right |= not game.turns and token.text.endswith(("..", "…"))

    def _turn(self, token: Token) -> None:
        dice = re.findall("[1-6]", token.text) if token.kind is Kind.DICE else ()
        roll = Roll.parse("".join(dice)) if dice else None
        at, game = token.place.at, self.games[-1]
        if token.kind is Kind.NAME and not game.turns:  # `-61P`: the second player starts
            game.is_right |= bool(_HYPHEN.match(self.text[max(at - 2, 0) : at]))
        gap = token.edge - self.row_end if self.row_end else 0
        label = " ".join(word.text for word in self.words).casefold()
        turn = TurnText(
            token.kind, token.text, token.place, label, self.line, token.edge, gap, roll
        )
        game.turns.append(turn)
        self.words, self.row_end = [], 0

    def _play(self, token: Token) -> None:
        game = self.games[-1]
        if self.words:
            raise self._unexpected(self.words[0], "a play such as 8/5 6/5")
        if not game.turns and game.start and game.start.roll:  # from the XGID
            self._turn(token._replace(kind=Kind.DICE, text=str(game.start.roll)))
        last = game.turns[-1] if game.turns else None
        if not last or last.kind not in _ROLLS or last.none:
            raise self._unexpected(token, "a roll before the play, such as 31:")
        if len(last.plays) == _MAX_PLAY_WORDS:
            raise self._unexpected(token, "the next roll")
        game.turns[-1] = last._replace(plays=(*last.plays, token))

    def _unexpected(self, token: Token, expected: str) -> NactationError:
        message = f"found {quoted(token.text.strip())}, expected {expected}"
        return error_at(MalformedError, self.text, token.place, message)


_ROLLS = {Kind.DICE, Kind.NAME}
_HYPHEN = re.compile(r"(?:\A|\s)[-\u2010-\u2014\u2212]\Z|->\Z")
_EXPECTED = (
    "a roll such as 31:, a play such as 8/5 6/5, a name such as 31P, `doubles`, `takes`, `drops`"
    " or `cannot move`"
)


def error_at(
    kind: type[NactationError], text: str, place: TextPosition, message: str
) -> NactationError:
    """Return an error with its line and column."""
    where = f"line {place.line}, column {place.column}"
    return kind(f"{where}: {message}", text=text, at=place.at)


_MAX_CHARS = 1_000_000
_MAX_LISTED_PLAYS = 3
_LEFT_COLUMN = 15  # a first cell that begins further right belongs to the second player
_MIN_GAP = 8  # blanks after a row number that are an empty cell
_SEATS = {"white": Player.FIRST, "w": Player.FIRST, "black": Player.SECOND, "b": Player.SECOND}
_ACTIONS: dict[Kind, type[Double | Take | Drop | Resign]] = {
    Kind.DOUBLE: Double,
    Kind.BEAVER: Double,
    Kind.TAKE: Take,
    Kind.DROP: Drop,
    Kind.RESIGN: Resign,
}


class Pasted(NamedTuple):
    """A pasted game: its first state, a match of this one game, and its turns.

    The last turns have `places`; turns before them only set the cube and have none.
    """

    start: GameState
    match: Match
    turns: tuple[Turn, ...]
    places: tuple[TextPosition, ...]


def read_pasted(text: str, start: GameState | None = None) -> tuple[Pasted, ...]:
    """Read the games (at least one) of a text; `start` is used if the text has no ID.

    A game begins with `Game N`, with an ID, or when row numbers restart at 1. Each play of a list
    such as `21S 41S` is a game. Every turn must be legal. Raises MalformedError, IllegalError or
    AmbiguousError with the line and column, and with the legal plays.
    """
    if len(text) > _MAX_CHARS:
        raise MalformedError(f"over {_MAX_CHARS:,} characters; paste fewer games at a time")
    games = [
        game
        for game in read_games(text, start)
        if any(turn.kind is not Kind.RESULT for turn in game.turns)
    ]
    if not games:
        example = "31: 8/5 6/5  63: 24/15"
        raise MalformedError(f"no plays in {quoted(text.strip())}; write them like {example!r}")
    return tuple(_replay(text, game) for game in games)


# The player of each turn


def _sides(turns: Sequence[TurnText], *, doubled: bool) -> list[int]:
    """Return the side of each turn; 0 is on roll at the start, and has doubled if `doubled`."""
    sides: list[int] = []
    on_roll, answers = 0, 1 if doubled else None
    for turn in turns:
        if turn.is_roll or turn.kind is Kind.DOUBLE or answers is None:
            sides.append(on_roll)
            answers = 1 - on_roll if turn.kind is Kind.DOUBLE else None
            on_roll ^= turn.is_roll
        else:
            sides.append(answers)
            answers = 1 - answers if turn.kind is Kind.BEAVER else None
    return sides


def _seats(game: GameText) -> dict[str, Player]:
    """Return the players by the names before the turns; empty unless there are two names."""
    names = list(dict.fromkeys(turn.label for turn in game.turns if turn.label))
    if all(name in _SEATS for name in names):
        return {name: _SEATS[name] for name in names}
    if len(names) != 2:
        return {}
    words = [name.split()[0] for name in names]
    if all(word in game.words_above for word in words):
        names.sort(key=lambda name: game.words_above.index(name.split()[0]))
    return dict(zip(names, Player, strict=True))


def _starts_right(game: GameText) -> bool:
    """Whether the first turn is in the right of two columns."""
    first, *others = game.turns
    if game.is_right:
        return True
    if others and others[0].line == first.line:
        return False
    for turn, neighbour in pairwise(others):
        if turn.line == neighbour.line:
            return abs(first.edge - neighbour.edge) < abs(first.edge - turn.edge)
    return first.gap >= _MIN_GAP and first.edge > _LEFT_COLUMN


# The replay


class _WordError(MalformedError):
    """An unreadable word of a play, with its place."""

    def __init__(self, message: str, place: TextPosition) -> None:
        super().__init__(message)
        self.place = place


def _replay(text: str, game: GameText) -> Pasted:
    """Replay a game; raises an error if a turn is not legal."""
    start = game.start or GameState()
    sides, seats = _sides(game.turns, doubled=start.doubled), _seats(game)
    labelled = [
        (turn, Player(seats[turn.label] ^ side))  # the player of side 0 by this turn's label
        for turn, side in zip(game.turns, sides, strict=True)
        if turn.label in seats
    ]
    if start == GameState(start.position):  # the text does not show who begins
        seat = Player.SECOND if _starts_right(game) else Player.FIRST
        start = replace(start, player=labelled[0][1] if labelled else seat)
    first = start.player.other if start.doubled else start.player
    strays = {turn.place for turn, player in labelled if player is not labelled[0][1]}
    ends = {Kind.RESIGN, Kind.RESULT}
    last = max((at for at, turn in enumerate(game.turns, 1) if turn.kind not in ends), default=0)
    match = one_game(start, ())
    board = Replay(match, match.games[0])
    done = [board.turn(action) for action in match.games[0].actions]
    places: list[TextPosition] = []
    over = ""  # how the game has ended
    for at, (turn, side) in enumerate(zip(game.turns, sides, strict=True), 1):
        try:
            if over and turn.kind is not Kind.RESULT:
                raise IllegalError(f"found {quoted(turn.text)}, but {over}")
            if turn.place in strays:
                expected = next((name for name in seats if name != turn.label), "the opponent")
                message = (
                    f"found a turn of {quoted(turn.label)}, expected one of {quoted(expected)}"
                )
                raise IllegalError(message)
            player = Player(first ^ side)
            if turn.kind is Kind.RESULT:
                over = "the game has its result"
                continue
            if turn.kind in _ACTIONS:
                played = _cube_turn(turn, player, board)
                if turn.kind in {Kind.DROP, Kind.RESIGN}:
                    over = f"the game is over with the {turn.kind.value} before it"
            else:
                named = _named(turn, player, board) if turn.kind is Kind.NAME else None
                first_state = game.start if at == 1 else None
                roll = _roll_of(turn, player, board, first_state, named)
                played = _move(turn, player, roll, board, named=named, is_last=at == last)
                if board.board and board.board.off == CHECKERS:
                    over = "the game is over"
        except NactationError as error:
            place = turn.plays[0].place if turn.plays else turn.place
            kind = type(error)
            if isinstance(error, _WordError):
                kind, place = MalformedError, error.place
            raise error_at(kind, text, place, str(error)) from None
        done.append(replace(played, action=replace(played.action, line=turn.place.line)))
        places.append(turn.place)
    actions = [played.action for played in done[len(done) - len(places) :]]
    return Pasted(start, one_game(start, actions), tuple(done), tuple(places))


def _cube_turn(turn: TurnText, player: Player, board: Replay) -> Turn:
    """Carry out a cube action or a resignation; raises IllegalError."""
    state, expected = board.state, ""
    if turn.kind is Kind.DOUBLE:
        if state.doubled:
            expected = "an answer to the double"
        elif state.crawford or state.owner is player.other:
            expected = "a roll: the cube is not this player's"
    elif not state.doubled and turn.kind is not Kind.RESIGN:
        expected = "a double before it"
    if expected:
        raise IllegalError(f"found {quoted(turn.text)}, expected {expected}")
    return board.turn(_ACTIONS[turn.kind](player))


def _named(turn: TurnText, player: Player, board: Replay) -> DecodedTurn:
    """Read the Nactation of a turn as `decode` does; raises an error unless it is strict."""
    text = turn.text
    named = decode(text, start=board.board_of(player), strict=True).turns[0]
    written = named.token.names[:1]
    if written and named.nactation and written[0].mark is not named.nactation.mark:
        raise IllegalError(f"found {quoted(text)}, but no play is an {written[0]}")
    return named


def _roll_of(
    turn: TurnText,
    player: Player,
    board: Replay,
    start: GameState | None,
    named: DecodedTurn | None,
) -> Roll:
    """Return the roll of a turn; for the first turn `start` may have the roll of an ID."""
    rolled = named.state.roll if named else turn.roll
    if start and start.roll and rolled != start.roll:
        raise IllegalError(f"found {quoted(turn.text)}, expected {start.roll}, the roll of the ID")
    position = board.board_of(player)
    dancing = fans(position) if position else ()
    roll = rolled or next(iter(dancing), None)
    if roll is None:
        raise IllegalError(f"found {quoted(turn.text)}, expected a roll with it")
    return roll


def _move(
    turn: TurnText,
    player: Player,
    roll: Roll,
    board: Replay,
    *,
    named: DecodedTurn | None,
    is_last: bool,
) -> Turn:
    """Carry out a roll; the hops of its action are those of the legal play.

    Raises IllegalError or AmbiguousError.
    """
    text = " ".join(token.text for token in turn.plays)
    hops = tuple([hop for token in turn.plays for hop in _hops(token)])
    if named and named.play and not turn.plays:
        text = turn.text
        hops = tuple([Hop(*portion[:2], portion.hits) for portion in named.play.portions])
    replayed = board.turn(Move(player, roll, hops, text), goes_on=not is_last)
    if problem := _problem(turn, roll, hops, replayed):
        raise IllegalError(f"found {problem}")
    if named and named.play != replayed.play:
        meant = format_play(named.play) if named.play else "no play"
        raise IllegalError(f"found {quoted(text)}, but {turn.text} is {meant}")
    portions = replayed.play.portions if replayed.play else ()
    hops = tuple([Hop(*portion[:2], portion.hits) for portion in portions])
    return replace(replayed, action=Move(player, roll, hops, text))


def _problem(turn: TurnText, roll: Roll, hops: Sequence[Hop], replayed: Turn) -> str:
    """Explain why a play is not legal, or return an empty text; raises AmbiguousError."""
    plays, play = replayed.plays, replayed.play
    none = turn.none or (turn.text if turn.kind is Kind.NO_PLAY else "")
    if not turn.plays:
        if none and plays:
            return f"{quoted(none)}, {_expected(plays, roll)}"
        if replayed.problem:
            return f"{quoted(turn.text)} without a play, {_expected(plays, roll)}"
        return ""
    text = quoted(" ".join(token.text for token in turn.plays))
    if turn.none:
        return f"{text} and {quoted(turn.none)}, expected one of them"
    if not plays:
        return f"{text}, expected no play: {roll} has none here"
    if play is None:
        with suppress(IllegalError):
            resolve(hops, plays[0].before, roll, plays)  # raises AmbiguousError if it is ambiguous
        return f"{text}, {_expected(plays, roll)}"
    if wrong := false_star(hops, play):
        return f"{text}, expected {format_play(play)}: nothing is hit on {wrong.target}"
    return ""


def _hops(token: Token) -> tuple[Hop, ...]:
    try:
        return parse_hops(_usual(token.text))
    except MalformedError:
        message = f"found {quoted(token.text)}, expected a play such as 8/5"
        raise _WordError(message, token.place) from None


def _usual(word: str) -> str:
    """Rewrite words such as `b/22`, `3/o`, `8/5 (2)` and `8/5x2` for `parse_hops`."""
    word = word.lower().replace(" ", "").replace("\xd7", "x")
    word = re.sub(r"\(?x?([1-4])x?\)?(\*?)$", r"(\1)\2", word) if {*"(x"} & {*word} else word
    return re.sub(r"/o\b", "/off", re.sub(r"^b/", "bar/", word))


def _expected(plays: Sequence[Play], roll: Roll) -> str:
    names = [format_play(play) for play in plays[:_MAX_LISTED_PLAYS]]
    names += ["..."] * (len(plays) > _MAX_LISTED_PLAYS)
    return f"expected a play of {roll}: {', '.join(names)}"


def as_matches(pasted: Sequence[Pasted]) -> list[Match]:
    """The pasted games as matches, with results: games that can be of one match form one.

    A resignation without points counts as a single game.
    """
    matches: list[Match] = []
    for item in pasted:
        match = _with_board(item.match)
        (game,) = match.games
        result = _result(item)
        if result:
            game = replace(game, winner=result.winner, points=result.points)
        last = matches[-1] if matches else None
        if last and _goes_on(last, match):
            games = (*last.games, _after(last.games[-1], game))
            matches[-1] = replace(last, games=games)
        else:
            matches.append(replace(match, games=(game,)))
    return matches


def _with_board(match: Match) -> Match:
    """The match with a board that is set up, unless a variation of the game begins like that."""
    if match.start in VARIATIONS.values():
        return match
    (game,) = match.games
    board = SetPosition(Player.FIRST, match.start)
    return replace(match, start=STANDARD, games=(replace(game, actions=(board, *game.actions)),))


def _result(item: Pasted) -> Result | None:
    last = item.turns[-1] if item.turns else None
    if last and last.state and isinstance(last.action, Resign):
        return Result(last.action.player.other, last.state.cube)
    return result_of(item.turns)


def _goes_on(match: Match, other: Match) -> bool:
    rules = (match.start, match.length, match.jacoby)
    is_open = all(game.score == (0, 0) for game in other.games)
    over = match.length and max(match.games[-1].score_after) >= match.length
    return rules == (other.start, other.length, other.jacoby) and is_open and not over


def _after(last: Game, game: Game) -> Game:
    return replace(game, number=last.number + 1, score=last.score_after)
