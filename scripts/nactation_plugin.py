"""Nactation in GNU Backgammon: type `>import nactation_plugin` at its prompt."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from gnubg_nactation.plugin import *  # noqa: F403
from gnubg_nactation.plugin import greet_at_each_import

greet_at_each_import(__name__)
