"""The turns of a page in less room: what they have alike stands together, what follows goes.

Like stands by like, which packs better; the script takes it apart again as it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gnubg_nactation.exports.page.data import TurnData
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.exports.page.considered import Considered

__all__ = ["PLAYED", "pack"]

PLAYED = "~"  # the play made, where it ends a nacbrac behind others that are left out
_COLUMNS = ("heads", "names", "losses", "says", *(f"chances{at}" for at in range(5)))


def pack(turns: Iterable[TurnData]) -> dict[str, str]:
    """The plays that were considered at the turns of all games, in columns.

    Turns are divided by `;`, plays by `,` in `says` and by blanks elsewhere. A head is the equity
    of the best, the place of the play made, and its rank where it is not among the best: `-8:5:12`.
    A play is left out where the table of moves has it, as that which was made.

    The turns lose what is told before: `source` where it does not change, and of a nacbrac as many
    plays as begin it, of which the number is told, and what stands behind those (`5 E56~`), but
    where the score before it, or who says so, changes.
    """
    columns: dict[str, list[str]] = {name: [] for name in _COLUMNS}
    ends, source = ("", ""), ""
    for told, considered in turns:
        if considered is None:
            continue
        for column, text in zip(columns.values(), _columns(considered), strict=True):
            column.append(text)
        if considered.source == source:
            del told["source"]
        source = considered.source
        if "nacbrac" in told:
            told["nacbrac"], ends = _shortened(told["nacbrac"], ends, considered)
    return {name: ";".join(column) for name, column in columns.items()}


def _columns(considered: Considered) -> Iterator[str]:
    rows, made, rank = considered.plays, considered.made, considered.rank
    yield ":".join(map(str, [considered.worth, *[made] * bool(made), *[rank] * bool(rank)]))
    yield " ".join([row.name for row in rows])
    yield " ".join([f"{row.loss}{row.marks}" for row in rows])
    yield ",".join(["" if at == made else row.said for at, row in enumerate(rows)])
    for place in range(5):
        yield " ".join([str(row.chances[place]) if row.chances else "" for row in rows]).rstrip()


def _shortened(
    nacbrac: str, ends: tuple[str, str], considered: Considered
) -> tuple[str, tuple[str, str]]:
    """What of a nacbrac is not known from the plays and the one before; what stands around it."""
    head, _, rest = nacbrac.partition("[")
    inside, _, tail = rest.partition("]")
    if (head, tail) != ends:
        return nacbrac, (head, tail)
    taken = count = 0
    for row in considered.plays:
        piece = f" {row.name}{row.loss}" if count else row.name
        if not f"{inside[taken:]} ".startswith((f"{piece} ", f"{piece}...")):
            break
        taken, count = taken + len(piece), count + 1
    inside = inside[taken:]
    if considered.made >= 0:
        row = considered.plays[considered.made]
        behind = f"...{row.name}{row.loss}"
        inside = f"{inside.removesuffix(behind)}{PLAYED}" if inside.endswith(behind) else inside
    return f"{count}{inside}", ends
