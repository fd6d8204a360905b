"""Give every reader of foreign bytes changed inputs, and report the problems.

Each reader gets its seeds first, then inputs derived from them. A find is an exception that is not
a NactationError, a broken law, more than 2 seconds of processor time or more than 200 MB of memory.
With --keep it becomes a seed in tests/fuzz/seeds, so that every later run tries it again.

    python scripts/fuzz.py --inputs 200              # for each reader, as the tests do
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

_MEMORY_LIMIT = 1 << 30  # bytes of address space, so that no input takes the machine down
_MEMORY_ALLOWED = 200  # megabytes
_TIME_LIMIT = 10  # seconds of processor time after which an input is stopped, if not more allowed
_ROUND = 100  # inputs of a reader before the next one


class TooLongError(Exception):
    """An input took too much time of the processor."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLongError if the block takes too long."""
    signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, _TIME_LIMIT))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(*_: object) -> None:
    raise TooLongError


def problem(reader: str, data: bytes, seconds: float) -> str:
    """The problem of a reader with an input; empty if there is none."""
    memory, start = _peak_memory(), time.process_time()
    try:
        with limited(seconds):
            try_input(reader, data)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        trace = error.__traceback__
        while trace and trace.tb_next:
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
        message = str(error).partition("\n")[0][:120]
        return f"{type(error).__name__} {message} at {where.removeprefix(f'{ROOT}/')}"
    duration, peak = time.process_time() - start, _peak_memory()
    if duration > seconds:
        return f"{duration:.1f} s"
    return f"{peak} MB" if peak > max(memory, _MEMORY_ALLOWED) else ""


def _peak_memory() -> int:
    """The peak memory of this process, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def main() -> int:
    """Run the readers of the options; returns 1 if there are finds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {' '.join(READERS)}")
    parser.add_argument("--inputs", type=int, default=1000, help="for each reader (default: 1000)")
    parser.add_argument("--minutes", type=float, help="run this long instead")
    parser.add_argument("--seed", type=int, default=1, help="selects the inputs (default: 1)")
    parser.add_argument(
        "--seconds", type=float, default=2, help="processor time allowed for an input (default: 2)"
    )
    parser.add_argument("--keep", action="store_true", help="write finds to tests/fuzz/seeds")
    options = parser.parse_args()
    if unknown := set(options.readers) - set(READERS):
        parser.error(f"no such reader: {' '.join(sorted(unknown))}; there are {' '.join(READERS)}")
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))
    signal.signal(signal.SIGVTALRM, _stop)
    end = time.monotonic() + 60 * options.minutes if options.minutes else None
    seeds = {reader: seeds_of(reader) for reader in options.readers or READERS}
    streams = {reader: inputs(seeds[reader], options.seed) for reader in seeds}
    counts = dict.fromkeys(seeds, 0)
    problems: set[str] = set()
    todo = {reader: seeds[reader] for reader in seeds}
    while any(todo.values()):
        for reader, batch in todo.items():
            for data in batch:
                counts[reader] += 1
                new = problem(reader, data, options.seconds)
                if new and new not in problems:
                    problems.add(new)
                    name = f"find-{hashlib.sha256(data).hexdigest()[:8]}"
                    print(f"{reader} {name}: {new}\n  {data[:300]!r}", flush=True)
                    if options.keep:
                        (SEEDS / reader).mkdir(exist_ok=True)
                        (SEEDS / reader / name).write_bytes(data)
        for reader in todo:
            count = options.inputs - (counts[reader] - len(seeds[reader]))
            if end:
                count = _ROUND if time.monotonic() < end else 0
            todo[reader] = list(islice(streams[reader], max(min(count, _ROUND), 0)))
    total = ", ".join(f"{reader} {count}" for reader, count in counts.items())
    print(f"{sum(counts.values())} inputs ({total}), {len(problems)} finds")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
