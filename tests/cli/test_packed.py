"""Long lists in little memory."""

from __future__ import annotations

import pytest

from gnubg_nactation.cli.packed import Packed, repeated


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 1000])
def test_what_is_packed_comes_out_again_and_again(count: int) -> None:
    names = [f"in/{number}.mat" for number in range(count)]
    packed = Packed(iter(names))
    assert len(packed) == count
    assert list(packed) == list(packed) == names


def test_words_that_come_more_than_once() -> None:
    assert repeated(lambda: iter("abcbd")) == {"b"}
    assert repeated(lambda: iter("abcba")) == {"a", "b"}
    assert repeated(lambda: iter("abc")) == repeated(lambda: ()) == set()
