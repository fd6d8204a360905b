"""Run `nactate` by `python3 -m gnubg_nactation`."""

import os
import signal
import sys

from gnubg_nactation.system.garbage import collect_seldom


def start() -> None:
    """Run the command line; Ctrl-C ends it without a traceback, even while it starts."""
    collect_seldom()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    if getattr(sys, "frozen", False):  # by PyInstaller, whose worker processes start here as well
        import multiprocessing  # noqa: PLC0415 (slow to import)

        multiprocessing.freeze_support()
    from gnubg_nactation.cli.main import run  # noqa: PLC0415 (slow to import)

    run()


if __name__ == "__main__":
    start()
