"""The grammar of SGF, compared with an independent reader on random trees and bytes."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from gnubg_nactation.errors import MalformedError, NactationError
from gnubg_nactation.files.sgf import (
    Edit,
    Node,
    Property,
    Tree,
    apply_edits,
    escape,
    find_property,
    format_property,
    line_starts,
    main_line,
    parse,
    unescape,
)

SPACES = st.sampled_from([b"", b"", b" ", b"\n", b"\r\n", b"\t\n "])
NAMES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=3).map(str.encode)
TEXTS = st.binary(max_size=12) | st.text(max_size=8).map(str.encode)
VALUES = TEXTS.map(escape) | st.sampled_from(
    [b"", b"a\\\nb", b"x\\:y", b"\\\\", b"[;(", b"one\r\ntwo"]
)


@st.composite
def properties(draw: st.DrawFn) -> bytes:
    values = draw(st.lists(VALUES, min_size=1, max_size=2))
    return draw(NAMES) + b"".join(draw(SPACES) + b"[%b]" % value for value in values)


@st.composite
def nodes(draw: st.DrawFn) -> bytes:
    pieces = draw(st.lists(properties(), max_size=2))
    return b";" + b"".join(draw(SPACES) + piece for piece in pieces) + draw(SPACES)


def trees() -> st.SearchStrategy[bytes]:
    row = st.lists(nodes(), min_size=1, max_size=3).map(b"".join)
    return st.recursive(
        row.map(lambda text: b"(" + text + b")"),
        lambda inner: st.tuples(row, st.lists(inner, max_size=2)).map(
            lambda both: b"(" + both[0] + b"\n".join(both[1]) + b")\n"
        ),
        max_leaves=4,
    )


def shape(tree: Tree) -> object:
    """sgfmill's form: maps of properties in a row, then the branches."""
    row = []
    for node in tree.nodes:
        values: dict[str, list[bytes]] = {}
        for entry in node.properties:
            values.setdefault(entry.name.decode(), []).extend(entry.values)
        row.append(values)
    return row, [shape(branch) for branch in tree.branches]


def shape_of_mill(tree: sgf_grammar.Coarse_game_tree) -> object:
    return tree.sequence, [shape_of_mill(child) for child in tree.children]


def test_a_value_ends_at_the_first_bracket_without_a_backslash() -> None:
    # FF[4]: the character after a backslash is text, also another backslash.
    (tree,) = parse(rb"(;C[a\]b][\\]KM [x\\\]y]AB[])")
    entries = tree.nodes[0].properties
    assert [(part.name, part.values) for part in entries] == [
        (b"C", (rb"a\]b", rb"\\")),
        (b"KM", (rb"x\\\]y",)),
        (b"AB", (b"",)),
    ]
    assert [unescape(value) for part in entries for value in part.values] == [
        *(b"a]b", b"\\", rb"x\]y", b"")
    ]


@given(st.lists(trees(), min_size=1, max_size=2), st.sampled_from([b"", b"\xef\xbb\xbf", b"text "]))
def test_sgfmill_reads_the_same_trees(sources: list[bytes], start: bytes) -> None:
    source = start + b"\n".join(sources)
    expected = [shape_of_mill(tree) for tree in sgf_grammar.parse_sgf_collection(source)]
    assert [shape(tree) for tree in parse(source)] == expected


@given(VALUES)
def test_sgfmill_reads_the_same_texts(value: bytes) -> None:
    assert unescape(value) == sgf_grammar.text_value(value)


@given(TEXTS)
def test_escaped_texts_read_back(text: bytes) -> None:
    plain = re.sub(rb"\r\n|\n\r|\r", b"\n", text).translate(bytes.maketrans(b"\t\v\f", b"   "))
    assert unescape(escape(text)) == plain
    assert parse(b"(;C[%b])" % escape(text))[0].nodes[0].properties[0].values == (escape(text),)


@given(trees())
def test_every_byte_has_its_place(source: bytes) -> None:
    """Properties, nodes and the bytes between them make up the source."""
    stack = list(parse(source))
    pieces = {}
    while stack:
        tree = stack.pop()
        stack += tree.branches
        for node in tree.nodes:
            pieces[node.start] = (node.start + 1, b";")
            for entry in node.properties:
                assert source[entry.start : entry.end].startswith(entry.name)
                assert [m for m in entry.values if m not in source[entry.start : entry.end]] == []
                pieces[entry.start] = (entry.end, source[entry.start : entry.end])
    remainder, at = b"", 0
    for start, (end, _) in sorted(pieces.items()):
        remainder += source[at:start]
        at = end
    assert not (remainder + source[at:]).strip(b"() \t\r\n")


@given(st.binary(max_size=60) | st.text("(;)[]AB\\ \n", max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(source: bytes) -> None:
    try:
        entry = parse(source)
    except NactationError:
        return
    assert all(main_line(tree) for tree in entry)


@given(trees(), st.data())
def test_a_tree_cut_short_is_malformed(source: bytes, data: st.DataObject) -> None:
    source = source.rstrip()
    cut = source[: data.draw(st.integers(0, len(source) - 1))]
    with pytest.raises(MalformedError):
        parse(cut)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"", "not SGF: no '(;' in the file"),
        (b"5 point match", "not SGF: no '(;' in the file"),
        (b"(;A[1]\n;B", "byte 10 (line 2): expected '[' after B, found the end of the file"),
        (
            b"(;A[1]\r\n;B[x\\]",
            "byte 11 (line 2): expected ']' to end this value, found the end of",
        ),
        (b"(;A[1]", "byte 7 (line 1): expected ';', '(', ')' or a property, found the end of the"),
        (b"(;[1])", "byte 3 (line 1): expected the name of a property before a value, found '['"),
        (b"(;A[1]?)", "byte 7 (line 1): expected ';', '(', ')' or a property, found '?'"),
        (b"(;(;);)", "byte 6 (line 1): expected '(' or ')' (no node may follow a variation)"),
        (b"(;())", "byte 4 (line 1): expected ';' (a tree begins with a node), found ')'"),
        (b"(;(A[1]))", "byte 4 (line 1): expected ';' (a property belongs to a node), found 'A'"),
        (b"(;((;)))", "byte 4 (line 1): expected ';' (a tree begins with a node), found '('"),
    ],
)
def test_errors_have_place_and_expectation(source: bytes, message: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse(source)
    assert str(caught.value).startswith(message)


def test_lower_case_letters_of_old_names_are_dropped() -> None:
    (entry,) = parse(b"(;CoPyright[x])")[0].nodes[0].properties
    assert entry.name == b"CP"


def property_of(node: Node, name: bytes) -> Property:
    entry = find_property(node, name)
    assert entry
    return entry


SOURCE = b"(;A[1] B[2]\t[3] ;C[c] A[4]\n\n( ;X[]) )tail"


def test_edits_change_nothing_else() -> None:
    root, second = parse(SOURCE)[0].nodes
    first, removed = property_of(root, b"A"), property_of(second, b"C")
    edits = [
        Edit(second.end, second.end, format_property(b"D", [b"x", b"y"])),
        Edit(removed.start, removed.end, b""),
        Edit(first.start, first.end, format_property(b"A", [b"9"])),
    ]
    expected = b"(;A[9] B[2]\t[3] ; A[4]D[x][y]\n\n( ;X[]) )tail"
    assert apply_edits(SOURCE, edits) == expected
    assert apply_edits(SOURCE, []) == SOURCE


def test_the_last_property_of_a_name_is_found() -> None:
    node = parse(b"(;C[1]C[2])")[0].nodes[0]
    assert property_of(node, b"C").values == (b"2",)
    assert find_property(node, b"X") is None


def test_properties_are_written_with_their_values() -> None:
    assert format_property(b"AW", [b"a", b"b"]) == b"AW[a][b]"


def test_lines_are_counted_at_all_line_ends() -> None:
    assert line_starts(b"a\nb\r\nc\rd") == [0, 2, 5, 7]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "source",
    [
        b"(;C[" + b"\\]" * 200_000,
        b"(;C[" + b"\\" * 400_001 + b"]",
        b"(;" * 100_000 + b")" * 100_000,
        b"(;" * 100_000,
        b"(;A" + b"[]" * 100_000 + b"x",
        b"(;A[]" + b" " * 400_000 + b"x",
        b"(;" + b"A[] " * 100_000,
        b"( " * 200_000,
        b"(;A[" * 100_000,
        b"(;" + b"(;)" * 100_000 + b")",
    ],
    ids=lambda source: source[:6].decode(),
)
def test_hostile_files_take_no_longer_than_others(source: bytes) -> None:
    # Anything quadratic would run into the time limit of the tests.
    nodes = 0
    with contextlib.suppress(MalformedError):
        nodes = len(main_line(parse(source)[0]))
    assert nodes <= len(source)
