"""Why a play has its Nactations: definitions, families in rank order, and what decides between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gnubg_nactation.backgammon.plays import Play, Portion
from gnubg_nactation.language import conventions
from gnubg_nactation.language.alphabet import Family, Kind
from gnubg_nactation.language.areas import area, area_counts, areal_family
from gnubg_nactation.language.conventions import Order
from gnubg_nactation.language.deciding import Decision, Loops, decide
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.nactate import CONVENIENCE, WAIVED, Naming
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.numerals import numeral_points
from gnubg_nactation.language.preference import nactate, preferred
from gnubg_nactation.language.waived import WAIVED_ORDER
