"""The turns of a page in less room: what they have alike stands together, what follows goes.

Like stands by like, which packs better; the script takes it apart again as it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gnubg_nactation.backgammon.analysis import read_chances
from gnubg_nactation.decisions.severity import thousandths
from gnubg_nactation.exports.page.data import TurnData
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.decisions.decision import Choice, Decision

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
    for fields, decision, _ in turns:
        if decision is None:
            continue
        for column, text in zip(columns.values(), _columns(decision), strict=True):
            column.append(text)
        if decision.source == source:
            del fields["source"]
        source = decision.source
        if "nacbrac" in fields:
            fields["nacbrac"], ends = _shortened(fields["nacbrac"], ends, decision)
    return {name: ";".join(column) for name, column in columns.items()}


def _columns(decision: Decision) -> Iterator[str]:
    choices, rank = decision.choices, decision.rank
    best, made = choices[0], -1 if decision.made is None else decision.made
    head = [thousandths(best.equity), *[made] * bool(made), *([rank + 1] if rank else [])]
    yield ":".join(map(str, head))
    yield " ".join([str(choice.name) for choice in choices])
    yield " ".join([_loss(choice, best) for choice in choices])
    yield ",".join(["" if at == made else choice.text for at, choice in enumerate(choices)])
    chances = [[round(1000 * one) for one in read_chances(choice.odds) or ()] for choice in choices]
    for own in chances[1:]:  # by how much they differ from the best
        own[:] = [chance - other for chance, other in zip(own, chances[0], strict=False)]
    for place in range(5):
        yield " ".join([str(one[place]) if one else "" for one in chances]).rstrip()


def _loss(choice: Choice, best: Choice) -> str:
    """The loss in thousandths, with marks.

    `+` or `-` says that the equity is one thousandth more or less than the loss says, `~` that the
    play was judged less closely.
    """
    own, other = choice.equity or 0.0, best.equity or 0.0
    loss = thousandths(other - own)
    more = thousandths(own) - thousandths(other) + loss
    return f"{loss}{('', '+', '-')[more]}{'~' * (choice.level != best.level)}"


def _shortened(
    nacbrac: str, ends: tuple[str, str], decision: Decision
) -> tuple[str, tuple[str, str]]:
    """What of a nacbrac is not known from the plays and the one before; what stands around it."""
    head, _, rest = nacbrac.partition("[")
    inside, _, tail = rest.partition("]")
    if (head, tail) != ends:
        return nacbrac, (head, tail)
    taken = count = 0
    for choice in decision.choices:
        piece = f" {_entry(choice, decision)}" if count else str(choice.name)
        if not f"{inside[taken:]} ".startswith((f"{piece} ", f"{piece}...")):
            break
        taken, count = taken + len(piece), count + 1
    inside = inside[taken:]
    if decision.made is not None:
        behind = f"...{_entry(decision.choices[decision.made], decision)}"
        inside = f"{inside.removesuffix(behind)}{PLAYED}" if inside.endswith(behind) else inside
    return f"{count}{inside}", ends


def _entry(choice: Choice, decision: Decision) -> str:
    loss = (decision.choices[0].equity or 0.0) - (choice.equity or 0.0)
    return f"{choice.name}{thousandths(loss)}"
