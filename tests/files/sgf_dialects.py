"""SGF as each program writes it, after real files of these programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gnubg_nactation.backgammon.match import Double, Drop, Game, Match, Move, Resign, Take
from gnubg_nactation.backgammon.position import BAR, OFF
from gnubg_nactation.backgammon.state import Player


class Dialect(NamedTuple):
    """How a program writes SGF; the defaults are those of gnubg."""

    program: str = "GNU Backgammon:1.08.003"
    start: str = "(;"
    end: str = ")\n"
    names: str = "PW[{white}]PB[{black}]"
    resigned: str = "R"  # after the result
    resigning: bool = False  # has nodes for it
    pending: bool = False  # the roll after which a player resigned
    low_first: bool = False  # dice as rolled
    play: str = ""  # further properties of a play, with its {letters}
    cube: str = ""
    root: str = ""
    line_end: str = "\n"


_CHANCES = "0.5 0.1 0.01 0.1 0.01"
DIALECTS = {
    "gnubg": Dialect(pending=True, root="GS[M:1 2][C:3][D:-inf 0]"),
    "gnubg, analysed": Dialect(
        root="GS[M:1 2][C:3][D:-inf nan]",
        play=f"A[0][{{letters}} E ver 3 {_CHANCES} 0.21 2C 0 1 0.0 1]MR[]LU[-inf]GW[1]",
        cube=f"DA[E ver 3 0C 1 0.0 1 {_CHANCES} 0.06 0.5 {_CHANCES} 0.06 0.4]DR[]BC[1]",
    ),
    "gnubg, with comments": Dialect(
        root="C[on the game]", play="C[\\[a\\] backslash \\\\\nsecond line: {letters}]"
    ),
    "Gibbon": Dialect(
        program="Gibbon (libgsgf):0.2.0",
        names="PB[{black}]PW[{white}]",
        resigned="Resign",
        resigning=True,
        low_first=True,
    ),
    "BackgammonMobile": Dialect(
        program="BackgammonMobile:0.1", start="(\n;", end="\n)\n", pending=True
    ),
    "choue.net": Dialect(program="choue.net", line_end="\r\n", end=")\n\n"),
}


def letters(player: Player, point: int) -> str:
    """The letter of a point that is numbered from its player."""
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return chr(ord("a") + (point - 1 if player is Player.FIRST else 24 - point))


def write(match: Match, dialect: Dialect) -> bytes:
    """The file of a match."""
    games = (
        dialect.start + "\n;".join(_nodes(match, index, game, dialect)) + dialect.end
        for index, game in enumerate(match.games)
    )
    return "".join(games).replace("\n", dialect.line_end).encode()


def _nodes(match: Match, index: int, game: Game, dialect: Dialect) -> Iterator[str]:
    yield _root(match, index, game, dialect)
    for action in game.actions:
        colour = "WB"[action.player]
        match action:
            case Move(player):
                dice = str(action.roll)[:: -1 if dialect.low_first else 1]
                hops = "".join(
                    letters(player, hop.source) + letters(player, hop.target) for hop in action.hops
                )
                more = dialect.play.format(letters=hops) if hops else ""
                yield f"{colour}[{dice}{hops}]{more}"
            case Double():
                yield f"{colour}[double]{dialect.cube}"
            case Take():
                yield f"{colour}[take]"
            case Drop():
                yield f"{colour}[drop]"
            case Resign() if dialect.resigning:
                yield f"{colour}[resign:{game.points}]"
                yield f"{'BW'[action.player]}[accept]"
            case Resign() if dialect.pending:
                yield f"PL[{colour}]DI[62]"


def _root(match: Match, index: int, game: Game, dialect: Dialect) -> str:
    ws, bs = game.score
    white, black = match.players
    info = f"[length:{match.length}][game:{index}][ws:{ws}][bs:{bs}]"
    rules = [name for name, holds in _rules(match, game).items() if holds]
    result = ""
    if game.winner is not None:
        suffix = dialect.resigned if game.resigned else ""
        result = f"RE[{'WB'[game.winner]}+{game.points}{suffix}]"
    return (
        f"FF[4]GM[6]CA[UTF-8]AP[{dialect.program}]MI{info}"
        + dialect.names.format(white=white, black=black)
        + ("DT[2026-03-14]EV[Club night]" if index == 0 else "")
        + (f"RU[{':'.join(rules)}]" if rules else "")
        + result
        + dialect.root
    )


def _rules(match: Match, game: Game) -> dict[str, bool]:
    return {
        "Crawford": match.length > 1,
        "CrawfordGame": game.crawford,
        "Jacoby": match.jacoby,
    }
