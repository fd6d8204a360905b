"""Match text as each program writes it.

The layouts were read off real files of these programs. `write` puts a match into one of them.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from gnubg_nactation.backgammon.match import Double, Drop, Game, Match, Move, Resign, Take
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.position import BAR, OFF
from gnubg_nactation.backgammon.state import Player

Cell = tuple[Player, str]
Tags = tuple[tuple[str, str], ...]

_RAISES = "Doubles", "Beavers", "Raccoons"


class Dialect(NamedTuple):
    """How a program writes match text; the defaults are those of most."""

    players: tuple[str, str] = ("Ann", "Ben")
    tags: Tags = ()
    length_line: str = "{} point match"
    game_line: str = " Game {}"
    blank_lines: int = 1  # between games
    score: str = " : "
    name_column: int = 33  # of the right player
    number: str = "{:3d}) "
    width: int = 27  # of a left cell, before the blank that follows
    right_width: int = 0
    after_play: str = ""
    cube_indent: str = " "
    double: str = "{} => {}"
    bar: str = "25"
    off: str = "0"
    stars: bool = False
    short: bool = False  # 24/14 and 13/9(2)
    upwards: bool = False  # the order of the hops is not that of the dice
    low_first: bool = False  # dice as rolled
    dance: str = ""
    wins: str = "open"  # its place: "line", "row", or "open", in the right cell if that is next
    plural: str = "s"
    wins_1: str = "point"
    wins_match: str = ""
    resigns: tuple[str, ...] = ("",)  # by turns
    capped: bool = False  # no more points than the player needs
    bom: bool = False
    line_end: str = "\n"
    end: str = "\n"  # of the file


def _tags(site: str, *more: tuple[str, str]) -> Tags:
    """The tags of most programs."""
    return (
        ("Site", site),
        ("Match ID", "-42"),
        ("Player 1", "Ann"),
        ("Player 2", "Ben"),
        ("EventDate", "2026.03.14"),
        *more,
        ("Variation", "Backgammon"),
        ("Crawford", "On"),
    )


_ELO = (("Player 1 Elo", "1600.00/0"), ("Player 2 Elo", "1600.00/0"))
_COMMA = (("Player 1 Elo", "9,00/0"), ("Player 2 Elo", "0,00/0"))
_OPEN_GAMMON = (("EventTime", "17:44"), ("Beaver", "Off"), ("Cubelimit", "64"))
_GNUBG = Dialect(
    length_line=" {} point match",
    name_column=32,
    after_play=" ",
    stars=True,
    resigns=("", "{dice}: "),
)
_XG = Dialect(
    players=("Kévin Roux Nora Lind", "Zoë Ny"),
    tags=(
        ("Player 1", "Zoë Ny"),  # the right column
        ("Player 2", "Kévin Roux Nora Lind"),
        *_tags("Aachen", *_ELO)[4:],
        ("Transcriber", "Kévin Roux"),
    ),
    blank_lines=3,
    name_column=39,
    width=35,
    right_width=35,
    bar="Bar",
    off="Off",
    stars=True,
    short=True,
    dance="Cannot Move",
    plural="",
    wins_match=" and the match",
    resigns=("{dice}: ????", "", "????", "{dice}: Concedes"),
    bom=True,
    line_end="\r\n",
)
_STUDIO = Dialect(
    tags=_tags("Backgammon Studio", ("EventTime", "18.11"), ("ClockType", "Speed 168/6")),
    game_line="\n Game {}",
    name_column=40,
    number="  {}) ",
    width=35,
    bar="bar",
    off="off",
    stars=True,
    short=True,
    dance="Cannot Move",
    wins="row",
    plural="",
    resigns=("{dice}: ????", "00: ????", "Concedes"),
    end="\n  99) \n",
)
_OPEN = Dialect(
    tags=_tags("OpenGammon", *_OPEN_GAMMON),
    score=": ",
    name_column=42,
    number="  {}) ",
    width=43,
    right_width=37,
    cube_indent="",
    low_first=True,
    wins_1="points",
    wins_match=" and the match",
    resigns=("", "Resigned Game", "Resigned Match"),
    capped=True,
    end="",
)
DIALECTS = {
    "gnubg": _GNUBG,
    "gnubg with a header": _GNUBG._replace(
        tags=_tags("", ("Round", "Final")), name_column=33, plural=""
    ),
    "DailyGammon": _GNUBG._replace(
        name_column=37,
        width=31,
        after_play="",
        wins_match=" and the match",
        resigns=("",),
    ),
    "GridGammon": _GNUBG._replace(
        players=("Ann,1529", "Ben,1723"),
        name_column=34,
        after_play="",
        stars=False,
        upwards=True,
        low_first=True,
        resigns=("{dice}: ", ""),
        end="",
    ),
    "Galaxy": Dialect(
        tags=_tags("BackgammonGalaxy", *_COMMA),
        plural="",
        wins_match=" and the match",
        resigns=("Losses {points} point",),
        capped=True,
    ),
    "Backgammon Studio": _STUDIO,
    "Heroes": _STUDIO._replace(end=""),
    "choue.net": _STUDIO._replace(
        game_line="Game {}", cube_indent=" ", double="{} ==> {}", wins="line", end="\n"
    ),
    "XG": _XG,
    "XG as match text": _XG._replace(
        name_column=33,
        width=27,
        right_width=0,
        bar="25",
        off="0",
        stars=False,
        short=False,
        dance="",
        wins_match="",
        resigns=("{dice}: ???",),
    ),
    "XG Mobile": Dialect(
        tags=_tags("XG Mobile", ("TimeControl", "*0"), *_ELO),
        game_line="Game {} ",
        number="{:2d}) ",
        width=31,
        low_first=True,
        wins="row",
        plural="",
        end="",
    ),
    "OpenGammon": _OPEN,
    "Foxamon": _OPEN._replace(stars=True, right_width=0, wins_match="", end="\n"),
    "HedgeHog": _OPEN._replace(
        tags=_tags("HedgeHog", ("Time", "13:00")),
        name_column=37,
        width=38,
        right_width=0,
        stars=True,
        short=True,
        wins_1="point",
        resigns=("Resigns",),
        end="\n",
    ),
    "GammonView": _OPEN._replace(
        tags=_tags("GammonView"),
        name_column=44,
        bar="bar",
        off="off",
        stars=True,
        short=True,
        wins="row",
        wins_match="",
        resigns=("Resigns",),
    ),
    "PlayOK": _GNUBG._replace(tags=_tags("PlayOK"), low_first=True),
    "JavaFIBS": _GNUBG._replace(stars=False, low_first=True, line_end="\r\n"),
    "BgTournament": Dialect(tags=_tags("BgTournament"), plural="", wins="line"),
}


def recorded(match: Match, dialect: Dialect) -> Match:
    """The match with the names, tags and points that the dialect records."""
    games, score = [], (0, 0)
    for game in match.games:
        points = game.points
        if dialect.capped and match.length and game.winner is not None:
            points = min(points, match.length - score[game.winner])
        games.append(replace(game, score=score, points=points))
        score = games[-1].score_after
    tags = dialect.tags + ((("Jacoby", "On"),) if match.jacoby and dialect.tags else ())
    return replace(
        match,
        players=dialect.players,
        games=tuple(games),
        headers=tags,
        jacoby=match.jacoby and bool(dialect.tags),
    )


def write(match: Match, dialect: Dialect) -> bytes:
    """The file of a match whose names, tags and points are `recorded`."""
    lines = [f'; [{key} "{value}"]' for key, value in match.headers]
    lines += ["", dialect.length_line.format(match.length), ""]
    for game in match.games:
        lines += [*_game_lines(match, game, dialect), *[""] * dialect.blank_lines]
    text = "\n".join(lines).rstrip("\n") + dialect.end
    text = text.replace("\n", dialect.line_end)
    return codecs.BOM_UTF8 * dialect.bom + text.encode()


def _game_lines(match: Match, game: Game, dialect: Dialect) -> Iterator[str]:
    yield dialect.game_line.format(game.number)
    first, second = (
        f"{name}{dialect.score}{score}"
        for name, score in zip(match.players, game.score, strict=True)
    )
    yield f" {first}".ljust(dialect.name_column - 1) + f" {second}"
    cells = list(_cells(game, dialect))
    winner, wins = game.winner, _wins(match, game, dialect)
    fits = winner is Player.SECOND and bool(cells) and cells[-1][0] is Player.FIRST
    if winner is not None and (dialect.wins == "row" or (dialect.wins == "open" and fits)):
        cells.append((winner, f"{dialect.cube_indent}{wins}"))
        winner = None
    yield from _rows(cells, dialect)
    if winner is not None:
        yield " " * (6 if winner is Player.FIRST else dialect.name_column + 1) + wins


def _rows(cells: list[Cell], dialect: Dialect) -> Iterator[str]:
    left, number = "", 0
    for player, text in cells:
        if left and player is Player.FIRST:
            yield left
        if player is Player.FIRST or not left:
            number += 1
            cell = text if player is Player.FIRST else ""
            left = f"{dialect.number.format(number)}{cell:<{dialect.width}} "
        if player is Player.SECOND:
            yield left + text.ljust(dialect.right_width)
            left = ""
    if left:
        yield left.ljust(len(left) + dialect.right_width)


def _cells(game: Game, dialect: Dialect) -> Iterator[Cell]:
    cube, raised = game.cube, 0
    for action in game.actions:
        raised = raised + 1 if isinstance(action, Double) else 0
        match action:
            case Move(player):
                yield player, _move(action, dialect)
            case Double(player):
                cube *= 2
                words = dialect.double.format(_RAISES[raised - 1], cube)
                yield player, dialect.cube_indent + words
            case Take(player):
                yield player, f"{dialect.cube_indent}Takes"
            case Drop(player):
                yield player, f"{dialect.cube_indent}Drops"
            case Resign(player):
                words = dialect.resigns[game.number % len(dialect.resigns)]
                if words:
                    indent = "" if words.startswith(("{", "0", "?")) else dialect.cube_indent
                    yield player, indent + words.format(dice="62", points=game.points)


def _wins(match: Match, game: Game, dialect: Dialect) -> str:
    unit = dialect.wins_1 if game.points == 1 else f"point{dialect.plural}"
    won = match.length and max(game.score_after) >= match.length
    return f"Wins {game.points} {unit}{dialect.wins_match if won else ''}"


def _move(move: Move, dialect: Dialect) -> str:
    dice = str(move.roll)[::-1] if dialect.low_first else str(move.roll)
    if not move.hops:
        return f"{dice}: {dialect.dance}"
    hops = list(move.hops)
    if dialect.upwards:
        hops.sort(key=lambda hop: hop.source)
    words = _short_words(hops, dialect) if dialect.short else [_hop(hop, dialect) for hop in hops]
    return f"{dice}: {' '.join(words)}{dialect.after_play if len(words) < 4 else ''}"


def _hop(hop: Hop, dialect: Dialect) -> str:
    source = dialect.bar if hop.source == BAR else str(hop.source)
    target = dialect.off if hop.target == OFF else str(hop.target)
    return f"{source}/{target}{'*' * (hop.hits and dialect.stars)}"


def _short_words(hops: list[Hop], dialect: Dialect) -> list[str]:
    """A play with the hops of a checker joined unless it hits on the way, and repeats counted."""
    joined: list[Hop] = []
    for hop in hops:
        for at, before in enumerate(joined):
            if before.target == hop.source and not before.hits:
                joined[at] = Hop(before.source, hop.target, hop.hits)
                break
        else:
            joined.append(hop)
    counts: dict[tuple[int, int], list[Hop]] = {}
    for hop in joined:
        counts.setdefault((hop.source, hop.target), []).append(hop)
    return [
        _hop(Hop(*ends), dialect)
        + "*" * any(hop.hits for hop in same)
        + (f"({len(same)})" if len(same) > 1 else "")
        for ends, same in counts.items()
    ]
