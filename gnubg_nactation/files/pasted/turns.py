"""Builds the turns of pasted games from the tokens of a text."""

from __future__ import annotations

import re
from itertools import pairwise

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.files.pasted.lexer import PLAY, WORD, Kind, TextPosition, Token, tokens
from gnubg_nactation.sequences.alternatives import is_list
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple

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
