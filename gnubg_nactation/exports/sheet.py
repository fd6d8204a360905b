"""What annotated text needs besides its plays, so that `transcribe` reads it as the same match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gnubg_nactation.annotation import AnnotatedMatch, AnnotatedTurn, presentable
from gnubg_nactation.backgammon.match import (
    Double,
    Game,
    Match,
    Move,
    Resign,
    Take,
    Turn,
    turn_cube,
)
from gnubg_nactation.backgammon.results import Result, result_of
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files.heading import MARKUP, comment_lines, tag_lines, written_names
from gnubg_nactation.showing import shown
from gnubg_nactation.values import NamedTuple, replace


class Extras(NamedTuple):
    """What the sequence of a game leaves out.

    `words` end the sequence. With `has_title` the number, score or cube of the game do not follow
    from the games before it; with `has_result` its result does not follow from its turns.
    """

    words: tuple[str, ...] = ()
    has_title: bool = False
    has_result: bool = False


def named(annotated: AnnotatedMatch) -> AnnotatedMatch:
    """The match with names that can be shown, none of them empty."""
    annotated = presentable(annotated)
    names = written_names(annotated.match.players)
    if names == annotated.match.players:
        return annotated
    return replace(annotated, match=replace(annotated.match, players=names))


def title_names(players: tuple[str, str]) -> tuple[str, str]:
    """The names for the title, in quotes if they could not be read otherwise.

    These names contain a hyphen between blanks, or begin with markup or a quote.
    """
    first, second = (
        f'"{name}"' if " - " in f" {name} " or name.startswith((*MARKUP, '"')) else name
        for name in players
    )
    return first, second


def record_lines(match: Match) -> list[str]:
    """The tags and comments of a match, as match text has them."""
    return [shown(line) for line in (*tag_lines(match), *comment_lines(match.comments))]


def game_comments(game: Game) -> list[str]:
    """The comments on a game, as match text has them."""
    return [shown(line) for line in comment_lines(game.comments)]


def extras(annotated: AnnotatedMatch) -> Iterator[Extras]:
    """The extras of each game."""
    number, score = 1, (0, 0)
    games = annotated.games
    for game in games:
        expected = (number, score, 1)
        recorded = None if game.winner is None else Result(game.winner, game.points)
        worked, words = result_of(game.turns), list[str]()
        played = [turn for turn in game.turns if not isinstance(turn.action, Resign)]
        if played and isinstance(played[-1].action, Take):
            words.append("T")
        if recorded and not worked and (size := _resigned(played, recorded)):
            words.append(f"(resign {size})")  # in parentheses, as readers of sequences skip it
            worked = recorded
        is_open = recorded is None and game is not games[-1]
        has_title = (game.number, game.score, game.cube) != expected or not game.turns
        yield Extras(tuple(words), has_title, recorded != worked or is_open)
        number, score = game.number + 1, game.score_after


def _resigned(turns: Sequence[AnnotatedTurn], result: Result) -> int:
    """1 to 3 for a single game, gammon or backgammon given up by the player to act; else 0."""
    last = turns[-1] if turns else None
    if last is None or last.state is None or _to_act(turns, last) is result.winner:
        return 0
    cube = turn_cube(last.state, last.action, Player.FIRST).cube
    size, rest = divmod(result.points, cube)
    return size if not rest and size <= 3 else 0


def _to_act(turns: Sequence[AnnotatedTurn], last: Turn) -> Player:
    """Who acts after the last turn."""
    player = last.action.player
    if isinstance(last.action, Take):
        doubles = [turn for turn in turns if isinstance(turn.action, Double) and turn.raised == 1]
        return doubles[-1].action.player if doubles else player.other
    is_to_play = isinstance(last.action, Move) and last.play is None and bool(last.plays)
    return player if is_to_play else player.other
