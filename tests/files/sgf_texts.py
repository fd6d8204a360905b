"""Small SGF files for the tests, and a form of matches that can be compared."""

from __future__ import annotations

from dataclasses import replace

from gnubg_nactation.backgammon.match import Action, Game, Match, Move, Resign
from gnubg_nactation.backgammon.notation import Hop
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.files import sgf

FIRST, SECOND = Player.FIRST, Player.SECOND
PREFIX = "Nactation: "

HEAD = b"FF[4]GM[6]CA[UTF-8]AP[Some Program:1.0]"
ONE_GAME = (
    b"(;" + HEAD + b"MI[length:5][game:0][ws:1][bs:2]PW[Nora]PB[Omar]DT[2026-03-14]EV[Club night]"
    b"RU[Crawford]RE[B+2R]GS[M:1 2][C:-inf]\n"
    b";B[31qtst]A[0][qtst E ver 3 0.5 \\] ][xtxw E]MR[]LU[-0.1]\n"
    b";W[66]C[a \\[quiet\\] remark\nof two lines]\n"
    b";B[double]DA[E ver 3]\n"
    b";W[take]ZZ[unknown]\n"
    b";B[13aelm]BM[1]\n"
    b";PL[W]DI[52])\n"
)


def game(*nodes: bytes, root: bytes = b"", info: bytes = b"[length:3][game:0]") -> bytes:
    return b"(;GM[6]MI" + info + b"PW[Nora]PB[Omar]" + root + b"".join(nodes) + b")"


def plain(match: Match) -> Match:
    """The match without lines, spellings and resignations."""

    def bare(action: Action) -> Action:
        if isinstance(action, Move):
            hops = tuple(Hop(hop.source, hop.target) for hop in action.hops)
            return replace(action, hops=hops, text="", line=0)
        return replace(action, line=0)

    def without_resignation(game: Game) -> tuple[Action, ...]:
        return tuple(bare(a) for a in game.actions if not isinstance(a, Resign))

    return replace(
        match, games=tuple(replace(g, actions=without_resignation(g)) for g in match.games)
    )


def all_lines(record: sgf.SgfRecord, text: str = "S") -> dict[tuple[int, int], str]:
    return {
        (at, number): f"{PREFIX}{text}{number}"
        for at, nodes in enumerate(record.nodes)
        for number, node in enumerate(nodes)
        if node is not None
    }


def annotated(data: bytes, text: str = "S") -> bytes:
    record = sgf.read(data)
    return sgf.with_comment_lines(record, PREFIX, all_lines(record, text))


def one_game_match(*actions: Action, cube: int = 1) -> Match:
    return Match(("Nora", "Omar"), 0, (Game(1, (0, 0), actions, cube=cube),))
