"""`python3 -m gnubg_nactation` is `nactate`."""

from gnubg_nactation.cli.main import run

run()
