"""Folders, databases and score sheets in a few lines, and why a play has its letter in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.decisions.severity import points_lost
from gnubg_nactation.files.formats import SUFFIXES
from gnubg_nactation.showing import counted, shown, table_lines
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gnubg_nactation.backgammon.match import Match
    from gnubg_nactation.language.ranking_reasons import Explanation

_GAP = 2
_MAX_PLAYERS, _MAX_MATCHES = 12, 200  # listed; the others are counted


class MatchSummary(NamedTuple):
    """A match of a folder: its file, players and score, and the ratings if it is analysed."""

    file: str
    players: tuple[str, str]
    length: int
    games: int
    score: tuple[int, int]
    ratings: tuple[float | None, float | None]

    @property
    def is_analysed(self) -> bool:
        """Whether a player has a rating."""
        return self.ratings != (None, None)


class FolderSummary(NamedTuple):
    """The matches of a folder, and for other files why they cannot be read."""

    files: int
    matches: tuple[MatchSummary, ...]
    failures: tuple[tuple[str, str], ...]


class DatabaseSummary(NamedTuple):
    """What a database holds: its players with their matches, the most first, and its dates.

    Dates are ISO, empty if no match has one.
    """

    matches: int
    games: int
    turns: int
    players: tuple[tuple[str, int], ...]
    first: str
    last: str


def folder_text(summary: FolderSummary, following: str) -> str:
    """A line for each match, the totals, and the command that stores them."""
    if not summary.matches:
        return "" if summary.failures else f"no match files ({', '.join(SUFFIXES)})\n"
    rows = [_match_row(match) for match in islice(summary.matches, _MAX_MATCHES)]
    lines = [*table_lines(rows, _GAP)]
    if more := len(summary.matches) - len(rows):
        lines.append(f"... and {counted(more, 'more match', 'more matches')}")
    games = counted(sum(match.games for match in summary.matches), "game")
    analysed = sum(match.is_analysed for match in summary.matches)
    total = counted(len(summary.matches), "match", "matches")
    lines += [
        "",
        f"{counted(summary.files, 'file')}, {total}, {games}; {analysed or 'none'} analysed",
        f"To search them and see what they cost: {following}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _match_row(match: MatchSummary) -> tuple[str, ...]:
    first, second = map(shown, match.players)
    rates = " / ".join("n/a" if rate is None else f"{rate:.1f}" for rate in match.ratings)
    return (
        shown(match.file),
        f"{first} - {second}",
        counted(match.length, "point") if match.length else "money",
        "{}-{}".format(*match.score),
        f"PR {rates}" if match.is_analysed else "not analysed",
    )


def database_text(name: str, summary: DatabaseSummary) -> str:
    """The numbers of matches, games and turns, the players, and the first and the last date."""
    matches = counted(summary.matches, "match", "matches")
    games, turns = counted(summary.games, "game"), counted(summary.turns, "turn")
    lines = [f"{shown(name)}: {matches}, {games}, {turns}"]
    if summary.players:
        most = summary.players[:_MAX_PLAYERS]
        players = ", ".join(f"{shown(player)} ({times})" for player, times in most)
        more = len(summary.players) - len(most)
        lines.append(f"Players, with their matches: {players}{f' and {more} more' if more else ''}")
    if summary.first:
        lines.append(f"Dates: {summary.first} to {summary.last}")
    return "".join(f"{line}\n" for line in lines)


def sheet_text(name: str, matches: Sequence[Match]) -> str:
    """A line for a score sheet without faults."""
    games = counted(sum(len(match.games) for match in matches), "game")
    players = ", ".join(shown(" - ".join(match.players)) for match in matches)
    return f"{shown(name)}: no faults; {players}; {games}\n"


def best_text(nacbrac: Mapping[str, Any]) -> str:
    """The plays of the JSON of a nacbrac, the best first, with what they lose."""
    rows = [
        (f"{nacbrac['roll']}{play['nactation']}", play["play"], points_lost(play["error"] or 0.0))
        for play in nacbrac["plays"]
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"Best plays: {nacbrac['nacbrac']}"]
    for (name, play, lost), best in zip(rows, [True, *[False] * len(rows)], strict=False):
        loss = "" if best else lost
        lines.append(f"  {name:{widths[0]}}  {play:{widths[1]}}  {loss}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def reason_text(explanation: Explanation) -> str:
    """Why the preferred Nactation of a play is that one, in a line, and its other names."""
    play, name = explanation.play, explanation.preferred
    others = [str(it.naming.nactation) for it in explanation.nactations]
    others = [other for other in others if other != str(name)]
    also = f"; also {', '.join(others)}" if others else ""
    return f"{play.roll}{name} is {format_play(play)}: {explanation.reason}{also}\n"
