"""`python3 -m gnubg_nactation` is `nactate`."""

import os
import signal


def start() -> None:
    """Run as a program, which Ctrl-C ends without a word, even before it has begun."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from gnubg_nactation.cli.main import run  # noqa: PLC0415 (that takes time)

    run()


if __name__ == "__main__":
    start()
