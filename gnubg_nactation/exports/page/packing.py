"""The turns of a page in less room: what they have alike stands together, what follows goes.

Like stands by like, which packs better; the script takes it apart again as it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gnubg_nactation.statistics import PARTS
from gnubg_nactation.values import Any

__all__ = ["PLAYED", "pack"]

PLAYED = "~"  # the play made, where it ends a nacbrac behind others that are left out
_COLUMNS = ("heads", "names", "losses", "says", *(f"chances{at}" for at in range(5)))


def pack(turns: Iterable[dict[str, Any]], blunder: float) -> dict[str, str]:
    """The candidates of the turns of all games, in columns; what is in these the turns lose.

    Turns are divided by `;`, plays by `,` in `says` and by blanks elsewhere. A head is the equity
    of the best, the place of the play made, and its rank where it is not among the best: `-8:5:12`.
    A play is left out where the table of moves has it, as that which was made, and in `ranks` where
    it is a candidate of that name. Of a nacbrac so many
    plays are told as begin it, and what stands behind those (`5 E56~`), but where the score before
    it, or who says so, changes; and of `source` where it changes. What a play
    lost goes from `lost` where its mark is that of its size, by what a `blunder` loses; `sound`
    says that nothing was lost, whatever the columns tell.
    """
    columns: dict[str, list[str]] = {name: [] for name in _COLUMNS}
    ends, source = ("", ""), ""
    for turn in turns:
        if "plays" not in turn:
            continue
        rows = [re.fullmatch(_ROW, row) for row in turn["plays"].split(",")]
        found = [row.groups() for row in rows if row]
        made = turn.get("made", 0)
        for name, column in zip(_COLUMNS, _columns(turn, found, made), strict=True):
            columns[name].append(column)
        if "ranks" in turn:
            size, other, play, by = turn["ranks"]
            known = any(row[0] == other and row[4] == play for row in found)
            turn["ranks"] = [size, other, "" if known else play, by]
        _without_loss(turn, int(found[made][1]) if made >= 0 else 0, 1000 * blunder)
        turn["plays"] = 1
        for gone in ("worth", "made", "place"):
            turn.pop(gone, None)
        if turn["source"] == source:
            del turn["source"]
        source = turn.get("source", source)
        if "nacbrac" in turn:
            turn["nacbrac"], ends = _shortened(turn["nacbrac"], ends, found, made)
    return {name: ";".join(column) for name, column in columns.items()}


def _without_loss(turn: dict[str, Any], loss: int, blunder: float) -> None:
    """Take the loss of the play out of what a turn has lost, if that is known from its size."""
    if loss <= 0:
        return
    *others, last = turn.get("lost", [None])
    mark = next((mark.value for mark, part in PARTS.items() if loss >= blunder / part), "")
    if last == ["", loss, mark]:
        turn["lost"] = others
    elif last is None or last[0]:
        turn["sound"] = 1
    if not turn.get("lost"):
        turn.pop("lost", None)


_ROW = r"(\S+) (-?\d+)([+-]?~?)((?: -?\d+)*) ([^\s/]*/.*)"


def _columns(turn: dict[str, Any], rows: Sequence[Sequence[str]], made: int) -> Iterator[str]:
    head = [turn["worth"], *([made] if made else []), *([turn["place"]] if "place" in turn else [])]
    yield ":".join(map(str, head))
    yield " ".join(row[0] for row in rows)
    yield " ".join(f"{row[1]}{row[2]}" for row in rows)
    yield ",".join("" if at == made else row[4] for at, row in enumerate(rows))
    chances = [row[3].split() for row in rows]
    for place in range(5):
        yield " ".join(one[place] if one else "" for one in chances).rstrip()


def _shortened(
    nacbrac: str, ends: tuple[str, str], rows: Sequence[Sequence[str]], made: int
) -> tuple[str, tuple[str, str]]:
    """What of a nacbrac is not known from the plays and the one before; what stands around it."""
    head, _, rest = nacbrac.partition("[")
    inside, _, tail = rest.partition("]")
    if (head, tail) != ends:
        return nacbrac, (head, tail)
    taken = count = 0
    for name, loss, *_ in rows:
        piece = f" {name}{loss}" if count else name
        if not f"{inside[taken:]} ".startswith((f"{piece} ", f"{piece}...")):
            break
        taken, count = taken + len(piece), count + 1
    inside = inside[taken:]
    if made >= 0:
        name, loss, *_ = rows[made]
        behind = f"...{name}{loss}"
        inside = f"{inside.removesuffix(behind)}{PLAYED}" if inside.endswith(behind) else inside
    return f"{count}{inside}", ends
