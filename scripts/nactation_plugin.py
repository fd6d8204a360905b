"""Nactation in GNU Backgammon: type `>import nactation_plugin` at its prompt."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gnubg_nactation.plugin import *  # noqa: F403
from gnubg_nactation.plugin import greet_at_each_import

greet_at_each_import(__name__)
