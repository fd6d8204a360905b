"""Lines in the comments of SGF, which change nothing else; and hostile files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnubg_nactation.backgammon.match import Move, Resign, replay
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.files import sgf
from tests.files.sgf_texts import (
    ONE_GAME,
    PREFIX,
    all_lines,
    annotated,
    game,
    one_game_match,
    plain,
)
from tests.strategies import random_match

FIRST = Player.FIRST


# Comments


def with_line(node: bytes, line: str | None) -> bytes:
    data = game(b";W[31hefe]" + node, root=b"RE[W+1] ")
    record = sgf.read(data)
    changed = sgf.with_comment_lines(record, PREFIX, {(0, 0): line})
    again = sgf.with_comment_lines(sgf.read(changed), PREFIX, {(0, 0): line})
    assert again == changed
    assert changed.startswith(game(root=b"RE[W+1] ")[:-1] + b";W[31hefe]")
    return changed[data.index(b"hefe]") + 5 : -1]


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (b"", b"C[Nactation: S]"),
        (b" LU[1]\r\n", b" LU[1]C[Nactation: S]\r\n"),
        (b"C[]LU[1]", b"C[Nactation: S]LU[1]"),
        (b"C [a\\]b] \n", b"C [Nactation: S\na\\]b] \n"),
        (b"C[a\r\nb]", b"C[Nactation: S\r\na\r\nb]"),
        (b"C[\r\nb]", b"C[Nactation: S\r\n\r\nb]"),
        (b"C[a\\\nb\rc]", b"C[Nactation: S\ra\\\nb\rc]"),
        (b"C[a\nNactation: X\nb]", b"C[a\nNactation: S\nb]"),
        (b"C[Nactation: X]", b"C[Nactation: S]"),
        (b"C[Nactation: \\S]", b"C[Nactation: \\S]"),
        (b"C[Nact\\\nation: S\n]", b"C[Nact\\\nation: S\n]"),
        (b"C[Nactation: X\nb\nNactation: Y\n]", b"C[Nactation: S\nb\n]"),
        (b"C[b\nNactation: X\nNactation: Y]", b"C[b\nNactation: S]"),
        (b"C[see Nactation: X]", b"C[Nactation: S\nsee Nactation: X]"),
        (b"C[one]LU[1]C[two][three]", b"C[one]LU[1]C[Nactation: S\ntwo][three]"),
        (b"C[caf\xc3\xa9 \\\\]", b"C[Nactation: S\ncaf\xc3\xa9 \\\\]"),
    ],
)
def test_the_line_replaces_its_predecessor_or_comes_first(node: bytes, expected: bytes) -> None:
    assert with_line(node, "Nactation: S") == expected


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (b"", b""),
        (b"C[]", b"C[]"),
        (b"C[text]", b"C[text]"),
        (b"LU[1]C[Nactation: X] ", b"LU[1] "),
        (b"C[Nactation: X\ntext]", b"C[text]"),
        (b"C[text\r\nNactation: X]", b"C[text]"),
        (b"C[text\nNactation: X\n]", b"C[text\n]"),
        (b"C[Nactation: X\na\nNactation: Y]", b"C[a]"),
        (b"C[Nactation: X][more]", b"C[][more]"),
    ],
)
def test_the_line_can_be_removed(node: bytes, expected: bytes) -> None:
    assert with_line(node, None) == expected


def test_everything_else_is_unchanged() -> None:
    once = annotated(ONE_GAME)
    assert once != ONE_GAME
    assert annotated(once) == once
    record = sgf.read(once)
    removed = sgf.with_comment_lines(record, PREFIX, dict.fromkeys(all_lines(record)))
    assert removed == ONE_GAME
    again = annotated(once, "other ")
    assert again == once.replace(b"Nactation: S", b"Nactation: other ")
    comments = [action.comment for action in record.match.games[0].actions]
    assert comments[1] == "Nactation: S1\na [quiet] remark\nof two lines"
    assert plain(sgf.read(removed).match) == plain(sgf.read(ONE_GAME).match)


def test_lines_are_escaped_and_encoded_like_the_file() -> None:
    line = "Nactation: Zé]\\"
    latin = game(b";W[31]C[caf\xe9]")
    record = sgf.read(latin)
    changed = sgf.with_comment_lines(record, PREFIX, {(0, 0): line})
    assert changed == game(b";W[31]C[Nactation: Z\xe9\\]\\\\\ncaf\xe9]")
    assert sgf.read(changed).match.games[0].actions[0].comment == line + "\ncafé"
    assert sgf.with_comment_lines(sgf.read(changed), PREFIX, {(0, 0): line}) == changed
    with pytest.raises(MalformedError, match="cannot be written in cp1252"):
        sgf.with_comment_lines(record, PREFIX, {(0, 0): "Nactation: ♠"})


@pytest.mark.parametrize("line", ["S", "nactation: S", "Nactation: S\nmore"])
def test_lines_need_the_prefix_and_no_line_end(line: str) -> None:
    with pytest.raises(MalformedError):
        sgf.with_comment_lines(sgf.read(ONE_GAME), PREFIX, {(0, 0): line})


def test_a_resignation_cannot_have_a_line() -> None:
    record = sgf.from_match(one_game_match(Move(FIRST, Roll(3, 1)), Resign(FIRST)))
    with pytest.raises(IllegalError, match=r"1\.2a has no node"):
        sgf.with_comment_lines(record, PREFIX, {(0, 1): "Nactation: S"})


@given(st.text(max_size=20), st.text(max_size=20).map(lambda text: " ".join(text.split())))
def test_any_comment_keeps_its_text(comment: str, text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    record = sgf.from_match(one_game_match(Move(FIRST, Roll(3, 1), comment=comment)))
    changed = sgf.with_comment_lines(record, PREFIX, {(0, 0): PREFIX + text})
    original = sgf.read(record.data).match.games[0].actions[0].comment
    changed_comment = sgf.read(changed).match.games[0].actions[0].comment
    assert changed_comment == f"{PREFIX}{text}" + (f"\n{original}" if original else "")
    back = sgf.with_comment_lines(sgf.read(changed), PREFIX, {(0, 0): None})
    assert sgf.read(back).match.games[0].actions[0].comment == original


# Hostile files


@given(
    st.binary(max_size=80) | st.text("(;)[]WBCADIPLV0123:abyz\\ \n", max_size=80).map(str.encode)
)
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    for data in (body, b"(;GM[6]" + body + b")", b"(;GM[6]CA[" + body + b"])"):
        try:
            records = sgf.read_all(data)
        except NactationError:
            continue
        assert b"".join(record.data for record in records) == data


@pytest.mark.thorough
@given(st.integers(0, 200), st.data())
def test_mutated_files_are_read_or_refused(seed: int, data: st.DataObject) -> None:
    source = sgf.from_match(random_match(seed, max_games=2)).data + ONE_GAME
    start = data.draw(st.integers(0, len(source) - 1))
    length = data.draw(st.integers(0, 40))
    insert = data.draw(
        st.binary(max_size=6) | st.sampled_from([b"]", b"(;", b")", b"\\", b"AW[a]"])
    )
    mutated = source[:start] + insert + source[start + length :]
    try:
        records = sgf.read_all(mutated)
    except NactationError:
        return
    for record in records:
        lines = all_lines(record)
        once = sgf.with_comment_lines(record, PREFIX, lines)
        assert sgf.with_comment_lines(sgf.read(once), PREFIX, lines) == once
        for played in record.match.games:
            assert len(list(replay(record.match, played))) == len(played.actions)
        again = sgf.from_match(record.match)
        assert len(sgf.read_all(again.data)[0].match.games) == len(record.match.games)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "body",
    [
        b";CV[2]" * 20_000,
        b";W[double];CV[2]" * 10_000,
        b";W[31zz]" + b";AW[a]" * 20_000,
        b";W[31]C[" + b"Nactation: \n" * 30_000 + b"]",
        b"(;W[31]" * 20_000 + b")" * 20_000,
    ],
    ids=lambda body: body[:12].decode(),
)
def test_hostile_files_take_no_longer_than_others(body: bytes) -> None:
    record = sgf.read(b"(;GM[6]" + body + b")")
    # Anything quadratic would run into the time limit of the tests.
    nothing = dict.fromkeys([(0, 0)] if record.nodes[0] else [])
    assert len(sgf.with_comment_lines(record, PREFIX, nothing)) <= len(record.data)
