"""Long lists in little memory: for what is gone through from the start to the end."""

from __future__ import annotations

import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from gnubg_nactation.values import Generic, TypeVar

_TOGETHER = 256  # items packed together, of which one lot is unpacked at a time
T = TypeVar("T")


class Packed(Generic[T]):
    """Items that can be pickled, kept compressed: names of files take ten bytes or so each."""

    def __init__(self, items: Iterable[T]) -> None:
        self._lots: list[bytes] = []
        self._last: list[T] = []  # few are never packed
        for item in items:
            self._last.append(item)
            if len(self._last) == _TOGETHER:
                import pickle

                self._lots.append(zlib.compress(pickle.dumps(self._last), 1))
                self._last = []

    def __len__(self) -> int:
        return len(self._lots) * _TOGETHER + len(self._last)

    def __iter__(self) -> Iterator[T]:
        for lot in self._lots:
            import pickle

            yield from pickle.loads(zlib.decompress(lot))
        yield from self._last


def repeated(words: Callable[[], Iterable[str]]) -> set[str]:
    """Those that come more than once; asked for twice, so that eight bytes are kept of each."""
    hashes = sorted(array("q", map(hash, words())))
    again = {one for one, other in pairwise(hashes) if one == other}
    if not again:
        return set()
    counts = Counter(word for word in words() if hash(word) in again)
    return {word for word, count in counts.items() if count > 1}
