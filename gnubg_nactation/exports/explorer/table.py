"""The explorer as text or CSV: the plays of a position in columns, or a tree of plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gnubg_nactation.archive.nodes import LeadingSequence, Mean, Node, PlayRow, RollRow, Tally
from gnubg_nactation.archive.trees import after, branches
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.decisions.severity import points_lost
from gnubg_nactation.errors import UnknownError
from gnubg_nactation.exports.spreadsheet import csv_text
from gnubg_nactation.language.nactation import parse_nactation
from gnubg_nactation.nacbracs.nacbrac import Entry, Nacbrac, format_nacbrac
from gnubg_nactation.showing import counted, json_line, shown, with_sign
from gnubg_nactation.values import TYPE_CHECKING, Any, NamedTuple, replace

if TYPE_CHECKING:
    from gnubg_nactation.archive.trees import BookAtScore


_FIRST_WIDTH = 30  # characters for a play and its name, before count and share
_BOOK_WIDTH = 7
_MAX_POINTS = 99  # of a margin of error, which would not fit its column
_MAX_WAYS = 4  # sequences listed
_NO_PLAY, _LEFT_BOOK = "no play", "\u2260"


class _Column(NamedTuple):
    """A column of means."""

    title: str
    width: int
    of: Callable[[Tally], Mean | None]
    write: Callable[[float], str]


def _loss(error: float) -> str:
    return points_lost(error) if round(error, 3) else ".000"


def _result(result: float) -> str:
    return with_sign(result, 2) if result < _MAX_POINTS else f">{_MAX_POINTS}"


_COLUMNS = (
    _Column("error", 12, lambda row: row.error, _loss),
    _Column("adjusted", 13, lambda row: row.adjusted, _result),
    _Column("result", 13, lambda row: row.result, _result),
)


def format_node(
    node: Node,
    heading: str,
    about: str,
    nacbracs: Mapping[Roll, str],
    book: BookAtScore | None = None,
) -> str:
    """The plays of each roll, with the nacbrac of the analyses in the files.

    `about` describes the turns that count; `nacbracs` are an engine's. Lines have at most 80
    characters, with losses by a book 87, except the heading and nacbracs.
    """
    rows: list[Tally] = [play for row in node.rolls for play in row.plays]
    columns = [column for column in _COLUMNS if any(map(column.of, [*rows, *node.cube]))]
    lines = [*_head(node, heading, about), *_legend(book), ""]
    if rows or node.cube:
        lines.append(_titles(columns, book))
    for act in node.cube:
        lines += _line(act.action, act, columns, book and "")
    for row in filter(lambda row: row.plays, node.rolls):
        lines += ["", _thrown(row)]
        if row.roll in nacbracs:
            lines.append(f"    {nacbracs[row.roll]}")
        if book and (nacbrac := book.nacbrac(node.position, row.roll)):
            lines.append(f"    {nacbrac} by the book")
        for play in row.plays:
            theory = book and _theory(node, row, play, book)
            text = play.play or _NO_PLAY
            lines += _line(f"{play.nactation:>4}  {text}", play, columns, theory)
    return "\n".join(lines) + "\n"


def format_tree(
    nodes: Mapping[Position, Node],
    root: Position,
    depth: int,
    heading: str,
    about: str,
    book: BookAtScore | None = None,
) -> str:
    """The plays of a tree, each indented below the play that it follows."""
    rows = [play for node in nodes.values() for row in node.rolls for play in row.plays]
    columns = [column for column in _COLUMNS if any(map(column.of, rows))]
    lines = [*_head(nodes[root], heading, about), *_legend(book), "", _titles(columns, book)]
    for branch in branches(nodes, root, depth):
        indent = "  " * (len(branch.tokens) - 1)
        text = branch.play.play or _NO_PLAY
        theory = book and _theory(branch.parent, branch.roll, branch.play, book)
        lines += _line(f"{indent}{branch.tokens[-1]} {text}", branch.play, columns, theory)
        if branch.earlier_tokens:
            lines.append(f"{indent}  as after {'-'.join(branch.earlier_tokens)}")
    return "\n".join(lines) + "\n"


def _legend(book: BookAtScore | None) -> list[str]:
    if book is None:
        return []
    name = shown(book.book.source or book.book.name)
    return [f"book: loss by the book, {name}; {_LEFT_BOOK}: not listed there"]


def _theory(node: Node, row: RollRow, play: PlayRow, book: BookAtScore) -> str:
    """What a play loses by the book; empty if the book does not have the roll."""
    if not book.line(node.position, row.roll):
        return ""
    loss = book.loss_of(node.position, row.roll, play.play)
    return _LEFT_BOOK if loss is None else _loss(loss)


def check_known(node: Node, path: str, sequence: str = "", about: str = "") -> None:
    """Raise UnknownError if no game reached the node, to which `sequence` leads."""
    if not node.count and not node.cube:
        reached = format_position_id(node.position)
        place = f"{sequence} ({reached})" if sequence else reached
        words = f"{shown(path)} has no game that reached {place}"
        raise UnknownError(f"{words}, {about}" if about else words)


def of_roll(node: Node, roll: Roll) -> Node:
    """The node with only one of its rolls; UnknownError if that was never thrown there."""
    rows = tuple(row for row in node.rolls if row.roll == roll)
    if not rows:
        raise UnknownError(f"no {roll} among the {counted(node.count, 'roll')} here")
    return replace(node, rolls=rows)


def nacbrac_by_files(row: RollRow) -> str:
    """A roll's nacbrac by the analyses in the files, with mean losses: `[P H76]`, or empty.

    The first play is the one that most analyses rank best. The others are plays that were made.
    """
    if not row.best:
        return ""
    losses = [
        (round(play.error.value, 3), play.nactation)
        for play in row.plays
        if play.error and play.nactation != row.best
    ]
    pairs = [(0.0, row.best), *sorted(losses)]
    entries = tuple(Entry(parse_nactation(name), error) for error, name in pairs)
    return format_nacbrac(Nacbrac(entries))


def share_words(share: float) -> str:
    """A share in percent: `33%`, or `<1%`."""
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


def _head(node: Node, heading: str, about: str) -> Iterator[str]:
    yield f"{heading}  {format_position_id(node.position)}".lstrip()
    if about:
        yield shown(about)
    yield counted(node.count, "roll") + (f" {_ways(node.ways)}" if node.ways else "")


def _ways(ways: Iterable[LeadingSequence]) -> str:
    first, *others = ways
    if not others:
        return f"after {first.sequence}" if first.sequence else "at the start of a game"
    texts = [f"{way.sequence or 'the start'} ({way.count:,})" for way in (first, *others)]
    more = len(texts) - _MAX_WAYS
    return f"after {', '.join(texts[:_MAX_WAYS])}" + (f" and {more:,} more" if more > 0 else "")


def _thrown(row: RollRow) -> str:
    words = f"{row.roll}  {counted(row.count, 'roll')}, {share_words(row.share)}"
    analysed = sum(play.error.count for play in row.plays if play.error)
    nacbrac = nacbrac_by_files(row)
    return f"{words}; {nacbrac}, {analysed:,} analysed" if nacbrac else words


def _titles(columns: Iterable[_Column], book: BookAtScore | None) -> str:
    means = "".join(f"{column.title:>{column.width - 7}}{'':7}" for column in columns)
    theory = f"{'book':>{_BOOK_WIDTH}}" if book else ""
    return f"{'':{_FIRST_WIDTH}}{'n':>6}{'share':>6}{theory}  {means}".rstrip()


def _line(
    head: str, row: Tally, columns: Iterable[_Column], theory: str | None = None
) -> Iterator[str]:
    """The line of a play; `theory` is its text in the column of the book, None without a book."""
    if len(head) > _FIRST_WIDTH:
        yield head
        head = ""
    means = "".join(_mean(column, column.of(row)) for column in columns)
    book = "" if theory is None else f"{theory:>{_BOOK_WIDTH}}"
    yield f"{head:{_FIRST_WIDTH}}{row.count:6,}{share_words(row.share):>6}{book}  {means}".rstrip()


def _mean(column: _Column, mean: Mean | None) -> str:
    """The mean, aligned by its sign, and its margin of error."""
    if mean is None:
        return " " * column.width
    value = f"{column.write(mean.value):>{column.width - 7}}"
    within = "" if mean.within is None else f" \u00b1{column.write(mean.within).lstrip('+-')}"
    return f"{value}{within:7}"


_MEANS = "error", "adjusted", "result"
_DIGITS = 6  # after the point
_CSV_COLUMNS = (
    *("sequence", "position_id", "roll", "nactation", "play", "after", "count", "share"),
    *(f"{mean}{part}" for mean in _MEANS for part in ("", "_within", "_count")),
)

Placed = tuple[str, Node]


def placed(
    nodes: Mapping[Position, Node], root: Position, depth: int, sequence: str = ""
) -> Iterator[Placed]:
    """The nodes of a tree in reading order, each once, with the sequence that leads there."""
    yield sequence, nodes[root]
    head = (sequence,) if sequence else ()
    visited = {root}
    for branch in branches(nodes, root, depth):
        if branch.reached in nodes and branch.reached not in visited:
            visited.add(branch.reached)
            yield "-".join((*head, *branch.tokens)), nodes[branch.reached]


def json_lines(
    nodes: Sequence[Placed], nacbracs: Mapping[Roll, str], book: BookAtScore | None = None
) -> str:
    """A line for each node; see `node_views`."""
    return "".join(json_line(line, close=True) for line in node_views(nodes, nacbracs, book))


def node_views(
    nodes: Sequence[Placed], nacbracs: Mapping[Roll, str], book: BookAtScore | None = None
) -> list[dict[str, Any]]:
    """One object per node; means are in points, `within` is their 95 % margin of error.

    `nacbracs` are an engine's, for the rolls of the first node. If the book has a roll, `book` is
    its nacbrac, and `left` of each play says whether it leaves the book.
    """
    return [
        _node(sequence, node, {} if at else nacbracs, book)
        for at, (sequence, node) in enumerate(nodes)
    ]


def csv_nodes(nodes: Iterable[Placed]) -> str:
    """A row for each play of each node, and for each cube action (without a roll)."""
    return csv_text([_CSV_COLUMNS, *(row for place in nodes for row in _csv_rows(*place))])


def _csv_rows(sequence: str, node: Node) -> Iterator[tuple[object, ...]]:
    here = sequence, format_position_id(node.position)
    for act in node.cube:
        yield (*here, "", act.action, "", "", *_numbers(act))
    for row in node.rolls:
        for play in row.plays:
            reached = format_position_id(after(node.position, play.play))
            yield (*here, str(row.roll), play.nactation, play.play, reached, *_numbers(play))


def _numbers(row: Tally) -> Iterator[object]:
    yield row.count
    yield round(row.share, _DIGITS)
    for mean in (row.error, row.adjusted, row.result):
        yield from (_mean_value(mean) or {"mean": None, "within": None, "count": 0}).values()


def _node(
    sequence: str, node: Node, nacbracs: Mapping[Roll, str], book: BookAtScore | None
) -> dict[str, Any]:
    books = {row.roll: book.nacbrac(node.position, row.roll) if book else "" for row in node.rolls}
    return {
        "sequence": sequence,
        "position_id": format_position_id(node.position),
        "count": node.count,
        "ways": [{"sequence": way.sequence, "count": way.count} for way in node.ways],
        "cube": [{"action": act.action} | _row(act) for act in node.cube],
        "rolls": [
            {
                "roll": str(row.roll),
                "count": row.count,
                "share": round(row.share, _DIGITS),
                "best": row.best or None,
                "nacbrac": nacbrac_by_files(row) or None,
                **({"engine": nacbracs[row.roll]} if row.roll in nacbracs else {}),
                **({"book": books[row.roll]} if books[row.roll] else {}),
                "plays": [
                    {
                        "nactation": play.nactation,
                        "play": play.play,
                        "after": format_position_id(after(node.position, play.play)),
                    }
                    | _book(node, row, play, book)
                    | _row(play)
                    for play in row.plays
                ],
            }
            for row in node.rolls
        ],
    }


def _book(node: Node, row: RollRow, play: PlayRow, book: BookAtScore | None) -> dict[str, Any]:
    if book is None or not book.nacbrac(node.position, row.roll):
        return {}
    place = node.position, row.roll, play.play
    return {"left": book.leaves_book(*place), "book_loss": book.loss_of(*place)}


def _row(row: Tally) -> dict[str, Any]:
    means = {name: _mean_value(getattr(row, name)) for name in _MEANS}
    return {"count": row.count, "share": round(row.share, _DIGITS)} | means


def _mean_value(mean: Mean | None) -> dict[str, Any] | None:
    if mean is None:
        return None
    within = None if mean.within is None else round(mean.within, _DIGITS)
    return {"mean": round(mean.value, _DIGITS), "within": within, "count": mean.count}
