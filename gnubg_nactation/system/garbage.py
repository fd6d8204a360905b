"""Python's garbage collector, which frees values that refer to each other in a circle."""

import gc

_SELDOM = 200_000  # values since the last time; Python itself waits for 700 or 2,000


def collect_seldom() -> None:
    """Let the collector look for circles seldom, in a process of our own.

    Our values have none, so it finds nothing, and took a tenth of the time of `nactate index`.
    """
    gc.set_threshold(_SELDOM)
