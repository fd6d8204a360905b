"""Reads gnubg's dialect of SGF: trees with GM[6] become a Match and the nodes of its actions."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice, pairwise, zip_longest

from gnubg_nactation.backgammon.match import Action, Game, Match, Move
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.files.sgf.analysis import Properties, Stakes, is_analysed, with_analysis
from gnubg_nactation.files.sgf.nodes import (
    COLOURS,
    Board,
    Past,
    board_after,
    read_cube,
    read_node,
    sets_up,
)
from gnubg_nactation.files.sgf.tree import (
    Node,
    Tree,
    line_starts,
    main_line,
    main_trees,
    parse,
    unescape,
)
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.values import NamedTuple, dataclass, replace

# Properties of the first root and the matching tags of match text.
HEADERS = {"DT": "EventDate", "EV": "Event", "RO": "Round", "PC": "Site", "AN": "Transcriber"}

# Other starting positions by their words in RU.
STARTS = {
    "Nackgammon": VARIATIONS["nackgammon"],
    **{f"Hypergammon{n}": VARIATIONS[f"hypergammon ({n})"] for n in (1, 2, 3)},
}


@dataclass(frozen=True, slots=True)
class SgfRecord:
    """A match and its SGF bytes.

    `nodes[game][action]` is the node of `data` that holds the action, or None: written SGF has no
    node for a resignation.
    """

    data: bytes
    encoding: str
    match: Match
    nodes: tuple[tuple[Node | None, ...], ...]

    def __repr__(self) -> str:
        return f"SgfRecord(encoding={self.encoding!r}, match={self.match!r})"


def read(data: bytes, encoding: str | None = None) -> SgfRecord:
    """Read an SGF file with one match, like `read_all`; more are a MalformedError."""
    record, *more = read_all(data, encoding)
    if more:
        lines = len(line_starts(record.data))
        raise MalformedError(f"{len(more) + 1} matches in one file, the second from line {lines}")
    return record


def read_all(data: bytes, encoding: str | None = None) -> tuple[SgfRecord, ...]:
    """Read the matches (at least one) of an SGF file in gnubg's dialect.

    Each record holds its own part of the bytes; the parts joined are the file. A new match
    begins when the players or the length change, or when the game number does not increase.
    Without `encoding` the text is in the encoding of the CA property, UTF-8 or cp1252, the first
    that fits. Moves are not checked. Only the first variation is read.
    Raises MalformedError if the bytes are not SGF or not backgammon, or for an unknown encoding.
    """
    trees = parse(data)
    starts = line_starts(data)
    heads = [_read_head(tree.nodes[0]) for tree in trees]
    begins = [at for at, pair in enumerate(pairwise(heads), 1) if _begins_match(*pair)]
    for first, end in pairwise([0, *begins, len(trees)]):
        lines = [bisect_right(starts, tree.nodes[0].start) for tree in trees[first:end]]
        _check_games(heads[first:end], lines)
    cuts = [data.rindex(b"(", 0, trees[at].nodes[0].start) for at in begins]
    records = []
    for start, end in pairwise([0, *cuts, len(data)]):
        part = data[start:end]
        own = parse(part) if cuts else trees
        records.append(_read_match(part, own, encoding, starts, start))
    return tuple(records)


class _Head(NamedTuple):
    """A root node; `values` has the last property with each name."""

    values: Properties
    length: int
    game: int | None  # the index of the game in the match
    score: tuple[int, int]

    def value(self, name: bytes) -> bytes:
        """The first value of a property; empty if there is none."""
        return self.values[name][0] if name in self.values else b""


class _Source(NamedTuple):
    """The encoding and line starts of a match."""

    encoding: str
    starts: Sequence[int]  # of all lines of the file
    offset: int  # of the match in the file

    def line(self, node: Node) -> int:
        return bisect_right(self.starts, self.offset + node.start)

    def text(self, raw: bytes) -> str:
        return unescape(raw).decode(self.encoding, "replace")

    def rules(self, head: _Head) -> list[str]:
        return [word.strip() for word in self.text(head.value(b"RU")).split(":")]


_MI = re.compile(rb"\s*(length|game|ws|bs)\s*:\s*([0-9]{1,9})\s*")
_RESULT = re.compile(r"\s*([WB])\s*\+\s*([0-9]{1,9})\s*(R.*)?", re.IGNORECASE | re.DOTALL)
_NO_RESULT = ("", "?", "0", "draw", "void")


def _read_head(root: Node) -> _Head:
    values = {entry.name: entry.values for entry in root.properties}
    entries = filter(None, map(_MI.fullmatch, values.get(b"MI", ())))
    info = {entry[1]: int(entry[2]) for entry in entries}
    score = (info.get(b"ws", 0), info.get(b"bs", 0))
    return _Head(values, info.get(b"length", 0), info.get(b"game"), score)


def _check_games(heads: Sequence[_Head], lines: Sequence[int]) -> None:
    """Raise MalformedError unless all trees of a match are backgammon; one GM[6] is enough."""
    games = [head.value(b"GM").strip() for head in heads]
    for game, line in zip(games, lines, strict=True):
        if game != b"6" and (game or b"6" not in games):
            actual = f"GM[{game[:20].decode('latin-1')}]" if game else "no GM"
            raise MalformedError(f"line {line}: not backgammon: expected GM[6], found {actual}")


def _begins_match(previous: _Head, head: _Head) -> bool:
    if previous.length != head.length:
        return True
    if any(previous.value(name) != head.value(name) for name in (b"PW", b"PB")):
        return True
    return previous.game is not None and head.game is not None and head.game <= previous.game


# Python's names of encodings whose lower half may be ASCII. Its other codecs are not for text, add
# byte order marks or may be very slow.
_CHARSET = re.compile(r"utf-8|ascii|(iso8859|cp|koi8|mac|gb|big5|euc|shift_jis)[-_0-9a-z]*")
_ASCII = bytes(range(32, 127))


def _fits(data: bytes, encoding: str) -> bool:
    try:
        if not _CHARSET.fullmatch(codecs.lookup(encoding).name):
            return False
        data.decode(encoding)
        return _ASCII.decode(encoding) == _ASCII.decode("ascii")
    except (LookupError, ValueError):  # no such encoding, or not the one of these bytes
        return False


def _choose_encoding(data: bytes, charset: bytes, encoding: str | None) -> str:
    if encoding is not None:
        if not _fits(b"", encoding):
            raise MalformedError(f"not an encoding for SGF: {quoted(encoding)}")
        return encoding
    names = (charset.strip().decode("latin-1"), "utf-8", "cp1252")
    return next((name for name in names if _fits(data, name)), "latin-1")


def _read_match(
    data: bytes, trees: Sequence[Tree], encoding: str | None, starts: Sequence[int], offset: int
) -> SgfRecord:
    head = _read_head(trees[0].nodes[0])
    source = _Source(_choose_encoding(data, head.value(b"CA"), encoding), starts, offset)
    rules = source.rules(head)
    start = next((STARTS[word] for word in rules if word in STARTS), STANDARD)
    figures = Figures()
    read = [
        _read_game(source, tree, start, head.length, number, figures)
        for number, tree in enumerate(trees, 1)
    ]
    comment = source.text(head.value(b"GC"))
    match = Match(
        players=(source.text(head.value(b"PW")), source.text(head.value(b"PB"))),
        length=head.length,
        games=tuple([game for game, _, _ in read]),
        start=start,
        jacoby=not head.length and "Jacoby" in rules,
        headers=tuple(
            (HEADERS[name], source.text(entry.values[0]))
            for entry in trees[0].nodes[0].properties
            if (name := entry.name.decode("ascii")) in HEADERS
        ),
        comments=(comment,) if comment else (),
        problems=(*[text for _, _, problems in read for text in problems], *figures.problems),
    )
    return SgfRecord(data, source.encoding, match, tuple([nodes for _, nodes, _ in read]))


def _read_game(
    source: _Source, tree: Tree, start: Position, length: int, number: int, figures: Figures
) -> tuple[Game, tuple[Node, ...], list[str]]:
    """Return the game, the node of each of its actions, and its problems."""
    line = main_line(tree)
    head = _read_head(line[0])
    actions: list[Action] = []
    nodes: list[Node] = []
    analyses: dict[int, Properties] = {}  # by action index
    board, replayed = Board(start), 0  # the number of actions that led to the board
    is_bare = False  # whether the last action is only a roll
    comments: list[str] = []
    problems = [
        f"line {source.line(branch.nodes[0])}: a variation; only the main line is read"
        for part in main_trees(tree)
        for branch in part.branches[1:]
    ]
    winner, points, resigned = None, 0, False
    cube = 1
    try:
        winner, points, resigned = _read_result(source.text(head.value(b"RE")))
        cube = read_cube(head.value(b"CV") or b"1")
    except MalformedError as error:
        problems.append(f"line {source.line(line[0])}: {error}")
    for node, following in zip_longest(line, islice(line, 1, None)):
        root, at = node is line[0], source.line(node)
        properties = node.properties
        values = {entry.name: entry.values for entry in properties}
        if sets_up(values):
            board, replayed = board_after(board, actions[replayed:]), len(actions)
        try:
            new = read_node(properties, following, Past(board, cube, actions, at), root=root)
        except MalformedError as error:
            problems.append(f"line {at}: {error}")
            new = []
        if new and is_bare and _is_roll_of(actions[-1], new[0]):
            actions.pop()
            nodes.pop()
            analyses.pop(len(actions), None)
            replayed = min(replayed, len(actions))
        if comment := source.text(values[b"C"][0]) if b"C" in values else "":
            if new and not root:
                new[-1] = replace(new[-1], comment=comment)
            else:
                comments.append(comment)
        actions += new
        nodes += [node] * len(new)
        if new and is_analysed(values):
            analyses |= dict.fromkeys(range(len(actions) - len(new), len(actions)), values)
        is_bare = b"DI" in values if new else is_bare
    crawford = "CrawfordGame" in source.rules(head)
    stakes = Stakes(length, head.score, crawford, cube)
    game = Game(
        number=number if head.game is None else head.game + 1,
        score=head.score,
        actions=with_analysis(actions, analyses, stakes, figures),
        winner=winner,
        points=points,
        resigned=resigned,
        crawford=crawford,
        cube=cube,
        comments=tuple(comments),
    )
    return game, tuple(nodes), problems


def _is_roll_of(action: Action, new: Action) -> bool:
    """Whether the action is only the roll of the next play; gnubg also drops such a roll."""
    is_roll = isinstance(action, Move) and not action.hops
    return is_roll and isinstance(new, Move) and action.player is new.player


def _read_result(text: str) -> tuple[Player | None, int, bool]:
    if text.strip().lower() in _NO_RESULT:
        return None, 0, False
    result = _RESULT.fullmatch(text)
    if not result:
        raise MalformedError(f"not a result: RE[{shown(text, 60)}]")
    return Player(COLOURS.index(result[1].upper())), int(result[2]), bool(result[3])
