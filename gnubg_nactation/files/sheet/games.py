"""Replays the games of a score sheet and checks what is typed against the plays."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gnubg_nactation.backgammon.match import (
    Game,
    Match,
    Move,
    is_crawford_game,
    replay,
    stake_problem,
)
from gnubg_nactation.backgammon.results import Result, result_of
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.files.sheet.columns import Columns
from gnubg_nactation.files.sheet.lines import GameHead, GameText, TypedResult
from gnubg_nactation.files.sheet.replaying import (
    RESIGNS,
    Reading,
    Rules,
    actions_of,
    in_columns,
    in_sequence,
    masked,
    replayed,
    typed_faults,
    worked_out,
)
from gnubg_nactation.files.sheet.text import Fault, SheetText
from gnubg_nactation.files.sheet.words import SheetToken, read_tokens
from gnubg_nactation.showing import counted, quoted
from gnubg_nactation.values import NamedTuple, replace


class Played(NamedTuple):
    """A game as far as it can be read, its faults, and how many tokens leave the dice open.

    `at` and `end` are the offsets of its first and last token.
    """

    game: Game
    at: int
    end: int
    faults: tuple[Fault, ...] = ()
    without_dice: int = 0


class _Standing(NamedTuple):
    """The number of a game, the score before it, and those before earlier games.

    The score is None after a game whose result is not known. Nothing is checked by a doubtful one.
    """

    number: int = 1
    score: tuple[int, int] | None = (0, 0)
    earlier: tuple[tuple[int, int], ...] = ()
    is_doubtful: bool = False


def play_match(sheet: SheetText, texts: Sequence[GameText], rules: Rules) -> list[Played]:
    """Replay the games of a match, as far as they can be read."""
    games = _Games(sheet, rules)
    for text in texts:
        games.read(text)
    return games.played


class _Games:
    """The games of a match, read one after the other."""

    def __init__(self, sheet: SheetText, rules: Rules) -> None:
        self.sheet, self.rules = sheet, rules
        self.standing = _Standing()
        self.played: list[Played] = []
        self.faults: list[Fault] = []  # of the next game
        self.is_over = False  # a fault about the end of the match was reported
        self.is_settled = True  # the last game has a result, or the sheet shows that it has none

    def read(self, text: GameText) -> None:
        """Read the lines of one game, or of several games of one line each."""
        self._open(text)
        sheet, tokens, error = self.sheet, list[SheetToken](), None
        if text.rows:
            begin = text.rows[0].at
            found = read_tokens(masked(sheet, text.rows), begin)
            tokens = found.tokens
            error = found.error and sheet.fault(begin + found.error.at, str(found.error))
        columns = Columns.of(sheet, text, tokens)
        starts = columns.players.get(tokens[0].token.at) if columns and tokens else None
        while True:
            if tokens and _has_mark(sheet, tokens[0]):
                starts = Player.SECOND
            reading, rest = self._play(text, tokens, starts or Player.FIRST, columns)
            if not rest and error and not self.faults:
                self.faults.append(error)
            self._close(text, reading, [] if rest else text.results)
            if not rest:
                break
            tokens, starts, columns = rest, None, None

    def _fault(self, at: int, message: str) -> None:
        self.faults.append(self.sheet.fault(at, message))

    def _open(self, text: GameText) -> None:
        """Check the head of a game against the games before it."""
        if not self.is_settled:
            last = self.played.pop()
            self.played.append(_with_faults(last, [self.sheet.fault(last.end, _UNSETTLED)]))
            self.standing = self.standing._replace(score=None)
        head = text.head
        if head is None:
            return
        standing, is_first = self.standing, not self.standing.earlier
        if head.number is not None and head.number != standing.number:
            if not is_first and not standing.is_doubtful:
                self._fault(head.at, f"found Game {head.number}, expected Game {standing.number}")
            standing = standing._replace(number=head.number)
        if head.score is not None and head.score != standing.score:
            problem = self._score_problem(head)
            if problem and not standing.is_doubtful:
                self.faults.append(problem)
            standing = standing._replace(score=head.score)
        self.standing = standing._replace(is_doubtful=bool(self.faults))
        if head.is_crawford and standing.score and not self.faults and not self._is_crawford:
            self._fault(head.at, "found 'Crawford', but by the score it is not the Crawford game")

    def _score_problem(self, head: GameHead) -> Fault | None:
        """Why a typed score cannot be right; None if it can."""
        standing, rules, score = self.standing, self.rules, head.score or (0, 0)
        if rules.length and max(score) >= rules.length:
            if self.is_over:
                return None
            self.is_over = True
            message = f"found the score {_score(score)}, but then {_leader(rules, score)}"
            return self.sheet.fault(head.at, message)
        known = standing.score
        if known is None or not standing.earlier or (not rules.length and score == (0, 0)):
            return None
        expected = f"found the score {_score(score)}, expected {_score(known)}"
        others = [it for it in self.played if _with_other_winner(known, it.game) == score]
        lines = " or ".join(str(self.sheet.line_of(it.at)) for it in others)
        hint = f"; does the other player begin in line {lines}?" if others else ""
        at = others[0].at if len(others) == 1 else head.at
        return self.sheet.fault(at, f"{expected} by the games before{hint}")

    @property
    def _is_crawford(self) -> bool:
        """Whether the next game is the Crawford game."""
        rules, standing = self.rules, self.standing
        score, earlier = standing.score, list(standing.earlier)
        if score is None or standing.is_doubtful or self.is_over or not rules.crawford:
            return False
        return is_crawford_game(rules.length, score, earlier)

    def _play(
        self, text: GameText, tokens: list[SheetToken], starts: Player, columns: Columns | None
    ) -> tuple[Reading, list[SheetToken]]:
        """Replay the next game of the tokens; return it with the tokens after it."""
        rules, score = self.rules, self.standing.score or (0, 0)
        if rules.length and max(score) >= rules.length and not self.is_over:
            self.is_over = True
            self._fault(_place(text, tokens), f"found another game, but {_leader(rules, score)}")
        state = GameState(
            rules.start,
            starts,
            cube=text.head.cube if text.head else 1,
            score=score,
            length=rules.length,
            crawford=self._is_crawford,
            jacoby=rules.jacoby,
        )
        reading, rest, message = replayed(self.sheet, tokens, state)
        if columns:
            reading, message = in_columns(reading, columns, rules, message)
            reading = reading._replace(in_row=False)
            message = message or in_sequence(self.sheet, text, reading, state)
        if (
            not message
            and rest
            and self.sheet.line_of(rest[0].token.at)
            == self.sheet.line_of(tokens[len(tokens) - len(rest) - 1].token.at)
        ):
            message = rest[0].token.at, f"found {quoted(rest[0].token.text)}, but the game is over"
        if message:
            self._fault(*message)
            rest = []
        self.faults += typed_faults(self.sheet, reading, rules)
        return reading, rest

    def _close(self, text: GameText, reading: Reading, results: Sequence[TypedResult]) -> None:
        """Work out the result of a game, and check the typed one."""
        standing, decoded = self.standing, reading.decoded
        score = standing.score or (0, 0)
        actions = actions_of(self.sheet, reading)
        cube = text.head.cube if text.head else 1
        game = Game(standing.number, score, actions, crawford=self._is_crawford, cube=cube)
        worked = worked_out(reading, is_typed=bool(results))
        end = reading.tokens[-1].token.at if reading.tokens else _place(text, [])
        final, is_settled = worked, worked is not None
        for typed in [] if self.faults else results:
            final, is_settled = self._check_result(typed, final, game, reading), True
        if final:
            resigned = reading.resigned is not None or result_of(decoded.turns) is None
            game = replace(game, winner=final.winner, points=final.points, resigned=resigned)
        game = replace(game, comments=tuple(text.comments))
        faults = tuple(self.faults)
        count = sum(
            turn.token.roll is None and isinstance(turn.action, Move) for turn in decoded.turns
        )
        self.played.append(Played(game, _place(text, reading.tokens), end, faults, count))
        self.is_settled = is_settled or text.is_open or bool(faults)
        won = game.points
        after = (
            (score[0] + won, score[1])
            if game.winner is Player.FIRST
            else (score[0], score[1] + won)
        )
        is_known = standing.score is not None and not (faults or text.is_open)
        earlier = (*standing.earlier, score)
        number, is_doubtful = standing.number + 1, standing.is_doubtful
        self.standing = _Standing(number, after if is_known else None, earlier, is_doubtful)
        self.faults = []

    def _check_result(
        self, typed: TypedResult, worked: Result | None, game: Game, reading: Reading
    ) -> Result | None:
        """Compare a typed result with that of the plays; return the one that counts."""
        names, length = self.rules.names, self.rules.length
        shown = f"{names[worked.winner]} wins {counted(worked.points, 'point')}" if worked else ""
        if typed.winner is None:
            if worked:
                self._fault(typed.at, f"found 'not finished', but by the plays {shown}")
            return worked
        winner = Player(typed.winner)
        cube = reading.decoded.state.cube
        points = typed.points or (typed.size or 0) * cube
        if worked:
            needed = length - game.score[winner] if length else 0
            is_capped = points == needed < worked.points
            if winner is worked.winner and (not points or points == worked.points or is_capped):
                return Result(winner, points or worked.points)
            if winner is not worked.winner and points == worked.points and reading.in_row:
                hint = _start_hint(self.sheet, reading.tokens[0].token.at)
                text = f"by the plays {shown}, but the result is another; {hint}"
                self._fault(reading.tokens[0].token.at, text)
            else:
                self._fault(typed.at, f"found another result; by the plays {shown}")
            return worked
        if not points:
            self._fault(typed.at, "the points are missing, as in 'wins 2 points'")
            return None
        stated = replace(game, winner=winner, points=points)
        match = Match(names, length, (stated,), self.rules.start, self.rules.jacoby)
        if problem := stake_problem(match, stated, [*replay(match, stated)]):
            self._fault(typed.at, problem)
        return Result(winner, points)


_UNSETTLED = (
    f"the game is not over here; expected its next turn, {RESIGNS}, or a line such as "
    "'Bob wins 2 points' or 'not finished'"
)


def _with_other_winner(score: tuple[int, int], game: Game) -> tuple[int, int]:
    """The score if the other player had won a game."""
    points = game.points if game.winner is Player.SECOND else -game.points
    return score[0] + points, score[1] - points


def _with_faults(played: Played, faults: Sequence[Fault]) -> Played:
    return played._replace(faults=(*played.faults, *faults))


def _leader(rules: Rules, score: tuple[int, int]) -> str:
    points = max(score)
    name = rules.names[score.index(points)]
    return f"{name} has {counted(points, 'point')} in a match to {rules.length}"


def _score(score: tuple[int, int]) -> str:
    return f"{score[0]}-{score[1]}"


def _place(text: GameText, tokens: Sequence[SheetToken]) -> int:
    """The offset of a game."""
    if tokens:
        return tokens[0].token.at
    places = [row.at for row in text.rows] + [result.at for result in text.results]
    return text.head.at if text.head else places[0] if places else 0


_MARK = re.compile(r"(?:^|[\s>\]])\\?(?:-+>?|top-)\s*$")


def _has_mark(sheet: SheetText, token: SheetToken) -> bool:
    """Whether the mark for a start by the second player precedes a token on its line."""
    at = token.token.at
    begin = sheet.text.rfind("\n", 0, at) + 1
    return _MARK.search(sheet.text[begin:at]) is not None


def _start_hint(sheet: SheetText, at: int) -> str:
    """How to let the other player begin."""
    has_mark = _MARK.search(sheet.text[sheet.text.rfind("\n", 0, at) + 1 : at])
    change = "leave out the hyphen" if has_mark else "write a hyphen"
    return f"if the other player begins, {change} before the first roll"
