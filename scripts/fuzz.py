"""Give the readers changed inputs, and stop at nothing: what is found becomes a seed.

First the seeds of each reader are read, then inputs made of them, within limits of time and
memory. A find is written to tests/fuzz/seeds, so that it is tried for ever, and named here.

    python scripts/fuzz.py --inputs 200              # of each reader, as the tests do
    python scripts/fuzz.py --minutes 10 --seed 7 mat sgf
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.fuzz.mutating import inputs  # noqa: E402
from tests.fuzz.readers import READERS, SEEDS, seeds_of, try_input  # noqa: E402

_MEMORY = 1 << 30  # bytes
_SECONDS = 10  # of the processor, where an input takes milliseconds
_ROUND = 100  # inputs of a reader before the next one


class TooLongError(Exception):
    """An input took too much time of the processor."""


@contextmanager
def limited() -> Iterator[None]:
    """Raise TooLongError in what does not end."""
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(*_: object) -> None:
    raise TooLongError


def finds(reader: str, data: bytes) -> str:
    """What is wrong with how a reader takes the input; empty if nothing is."""
    try:
        with limited():
            try_input(reader, data)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        trace = error.__traceback__
        while trace and trace.tb_next:
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
        said = str(error).partition("\n")[0][:120]
        return f"{type(error).__name__} {said} at {where.removeprefix(f'{ROOT}/')}"
    return ""


def main() -> int:
    """Run what the options ask for; 1 if anything was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {' '.join(READERS)}")
    parser.add_argument("--inputs", type=int, default=1000, help="of each reader (1000)")
    parser.add_argument("--minutes", type=float, help="go on for so long instead")
    parser.add_argument("--seed", type=int, default=1, help="which inputs are made (1)")
    parser.add_argument("--keep", action="store_true", help="write finds to tests/fuzz/seeds")
    options = parser.parse_args()
    if unknown := set(options.readers) - set(READERS):
        parser.error(f"no such reader: {' '.join(sorted(unknown))}; there are {' '.join(READERS)}")
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGVTALRM, _stop)
    end = time.monotonic() + 60 * options.minutes if options.minutes else None
    seeds = {reader: seeds_of(reader) for reader in options.readers or READERS}
    made = {reader: inputs(seeds[reader], options.seed) for reader in seeds}
    counts = dict.fromkeys(seeds, 0)
    known: set[str] = set()
    todo = {reader: seeds[reader] for reader in seeds}
    while any(todo.values()):
        for reader, batch in todo.items():
            for data in batch:
                counts[reader] += 1
                found = finds(reader, data)
                if found and found not in known:
                    known.add(found)
                    name = f"find-{hashlib.sha256(data).hexdigest()[:8]}"
                    print(f"{reader} {name}: {found}\n  {data[:300]!r}", flush=True)
                    if options.keep:
                        (SEEDS / reader / name).write_bytes(data)
        for reader in todo:
            left = options.inputs - (counts[reader] - len(seeds[reader]))
            wanted = _ROUND if end and time.monotonic() < end else 0 if end else min(left, _ROUND)
            todo[reader] = list(islice(made[reader], max(wanted, 0)))
    total = ", ".join(f"{reader} {count}" for reader, count in counts.items())
    print(f"{sum(counts.values())} inputs ({total}), {len(known)} finds")
    return bool(known)


if __name__ == "__main__":
    sys.exit(main())
