"""The turns of pasted games, put together from the tokens of a text."""

from __future__ import annotations

import re

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.files.pasted.lexer import PLAY, WORD, Kind, TextPosition, Token, tokens
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple

_MOST_WORDS = 8  # of a play
_FILLING = re.compile(
    "a|and|for|from|ha(?:s|ve)|is|it|next|now|of|on|opens?|opening|(?:play|roll|move|start)(?:s|ed)?|the|then|to"
    "|turn|with|\\."
)


class TurnText(NamedTuple):
    """A turn as the text has it; `kind` is that of the token that it begins with."""

    kind: Kind
    text: str
    place: TextPosition
    label: str
    line: int  # counts the lines that are of a game
    edge: int
    gap: int  # blanks behind the number of the row, 0 if none is right before
    roll: Roll | None = None
    plays: tuple[Token, ...] = ()
    none: str = ""  # the words that nothing is played

    @property
    def is_roll(self) -> bool:
        """Whether it is no cube action."""
        return self.kind in {Kind.DICE, Kind.NO_PLAY}


class GameText:
    """A game as the text has it: where it begins, the words above it, its turns."""

    def __init__(self, start: GameState | None) -> None:
        self.start = start
        self.words_above: list[str] = []
        self.turns: list[TurnText] = []
        self.is_right = False  # the text says that the first cell of its first row is empty


def read_games(text: str, start: GameState | None) -> list[GameText]:
    """The games of a text, as yet unplayed; MalformedError."""
    reader = _Reader(text, start)
    for token in tokens(text):
        reader.read(token)
    reader.end_line()
    return reader.games


class _Reader:
    """Puts the tokens of a text together to the turns of its games."""

    def __init__(self, text: str, start: GameState | None) -> None:
        self.text = text
        self.games = [GameText(start)]
        self.line = self.row = self.numbered = 0  # the last two are a row's number and its end
        self.words: list[Token] = []  # of the line, that belong to the next turn

    def read(self, token: Token) -> None:
        """Take the next token."""
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
            case Kind.NO_PLAY:
                self._none(token)
            case Kind.REMARK:
                if PLAY.match(text, 1) and self._is_open:  # `31 (8/5 6/5)`
                    for found in PLAY.finditer(text):
                        self._play(token.part(found))
            case Kind.OFFER:  # `double/take`
                is_taken = "t" in text.rpartition("/")[2].casefold()
                for kind in (Kind.DOUBLE, Kind.TAKE if is_taken else Kind.DROP):
                    self._turn(token._replace(kind=kind))
            case Kind.BAD:
                raise self._unexpected(token, _EXPECTED)
            case _:
                self._turn(token)

    def end_line(self) -> None:
        """Words after the last turn of a line belong to none: MalformedError."""
        if self.words:
            raise self._unexpected(self.words[0], _EXPECTED)
        self.numbered = 0

    @property
    def _is_open(self) -> bool:
        turns = self.games[-1].turns
        return (
            bool(turns) and turns[-1].kind is Kind.DICE and not (turns[-1].plays or turns[-1].none)
        )

    def _begin(self, game: GameText) -> GameText:
        """The next game; a variation stays what it is."""
        if game.turns:
            stays = game.start == GameState(NACKGAMMON)
            self.games.append(GameText(game.start if stays else None))
            self.games[-1].words_above = game.words_above
            self.row = 0
        return self.games[-1]

    def _row(self, token: Token) -> None:
        digits = re.sub("[^0-9]", "", token.text)
        number, game = int(digits), self.games[-1]
        rolled = len(digits) == 2 and not digits.strip("123456")
        inside = bool(game.turns) and game.turns[-1].line == self.line
        unexpected = number != self.row + 1 or self.numbered or (inside and token.text[-1] == ":")
        if token.kind is Kind.NUMBER and unexpected and (rolled or game.turns):
            if not rolled:
                raise self._unexpected(token, _EXPECTED)
            self._turn(token._replace(kind=Kind.DICE, text=digits))
            return
        if number == 1 < self.row:
            game = self._begin(game)
        self.row, self.numbered = number, token.edge + len(token.text)
        game.is_right |= not game.turns and token.text.endswith(("..", "…"))

    def _turn(self, token: Token) -> None:
        dice = re.findall("[1-6]", token.text) if token.kind is Kind.DICE else ()
        roll = Roll.parse("".join(dice)) if dice else None
        gap = token.edge - self.numbered if self.numbered else 0
        label = " ".join(word.text for word in self.words).casefold()
        turn = TurnText(
            token.kind, token.text, token.place, label, self.line, token.edge, gap, roll
        )
        self.games[-1].turns.append(turn)
        self.words, self.numbered = [], 0

    def _play(self, token: Token) -> None:
        game = self.games[-1]
        if self.words:
            raise self._unexpected(self.words[0], "a play such as 8/5 6/5")
        if not game.turns and game.start and game.start.roll:  # that of the XGID
            self._turn(token._replace(kind=Kind.DICE, text=str(game.start.roll)))
        last = game.turns[-1] if game.turns else None
        if not last or last.kind is not Kind.DICE or last.none:
            raise self._unexpected(token, "a roll before the play, such as 31:")
        if len(last.plays) == _MOST_WORDS:
            raise self._unexpected(token, "the next roll")
        game.turns[-1] = last._replace(plays=(*last.plays, token))

    def _none(self, token: Token) -> None:
        if self._is_open and not self.words:
            turns = self.games[-1].turns
            turns[-1] = turns[-1]._replace(none=token.text)
        else:
            self._turn(token)

    def _unexpected(self, token: Token, expected: str) -> NactationError:
        turns = len(self.games[-1].turns) + (not self._is_open)
        many = len([one for one in self.games if one.turns])
        game = f"game {many}, " if many > 1 else ""
        message = f"found {quoted(token.text.strip())}, expected {expected}"
        return error_at(MalformedError, self.text, token.place, f"{game}turn {turns}", message)


_EXPECTED = (
    "a roll such as 31:, a play such as 8/5 6/5, `doubles`, `takes`, `drops` or `cannot move`"
)


def error_at(
    kind: type[NactationError], text: str, place: TextPosition, turn: str, message: str
) -> NactationError:
    """An error that names its place in the text."""
    where = f"line {place.line}, column {place.column}, {turn}"
    return kind(f"{where}: {message}", text=text, at=place.at)
