"""The alphabet of Nactation: the one table that code, documentation and tests read.

A family of plays is named by a character, plain, underlined or dotted. Areal families are
defined by how many portions of a play are runs, downs, jumps and insides (tutorial sections 5,
12, 15 and 16); style families and symbols by what the play does (sections 6, 7 and 13).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

__all__ = ["FAMILIES", "Family", "Kind", "Mark", "family"]


class Mark(Enum):
    """What is written at a character: nothing, a line below it, or a dot after or below it."""

    NONE = "none"
    UNDERLINE = "underline"
    DOT = "dot"


class Kind(Enum):
    """What a character speaks of: areas of the board, a style of play, a symbol, a number."""

    AREAL = "areal"
    STYLE = "style"
    SYMBOL = "symbol"
    NUMERAL = "numeral"


@dataclass(frozen=True, eq=False)
class Family:
    """A row of the alphabet, of which there is one each, so that `is` compares them.

    `partner` is the second character of a family that has two (V, %, #). `dice` and `doublet`
    list the codes of an areal family for rolls of two different dice and for doublets: the
    numbers of runs, downs, jumps and insides, in this order. `section` names the tutorial's.
    """

    character: str
    mark: Mark
    kind: Kind
    name: str
    definition: str
    section: str
    partner: str = ""
    dice: tuple[str, ...] = ()
    doublet: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        return family, (self.key,)

    def __repr__(self) -> str:
        return f"family({self.key!r})"

    @property
    def characters(self) -> str:
        """The character and its partner, if it has one."""
        return self.character + self.partner

    @property
    def suffix(self) -> str:
        """The mark in plain text: `_` for the underline and `.` for the dot."""
        return _SUFFIX[self.mark]

    @cached_property
    def key(self) -> str:
        """The name of the family in plain text: `E`, `E_`, `E.`."""
        return self.character + self.suffix

    @property
    def example(self) -> str:
        """A Position ID, a roll and the play that is there the first of the family."""
        return _EXAMPLES[self.key]


_SUFFIX = {Mark.NONE: "", Mark.UNDERLINE: "_", Mark.DOT: "."}


def _areal(key: str, name: str, definition: str, section: str, *codes: str) -> Family:
    mark = {suffix: mark for mark, suffix in _SUFFIX.items()}[key[1:]]
    dice, doublet = (tuple(code.split()) for code in codes)
    partner = "V" if key[0] == "U" else ""
    return Family(key[0], mark, Kind.AREAL, name, definition, section, partner, dice, doublet)


def _other(characters: str, kind: Kind, name: str, definition: str, section: str) -> Family:
    return Family(characters[0], Mark.NONE, kind, name, definition, section, partner=characters[1:])


def _to(digit: int) -> str:
    """The points with this last digit, in the order in which a numeral means them."""
    lowest, *others = (f"to the {point}pt" if point else "off" for point in range(digit, 25, 10))
    return f"{lowest}, else {' or '.join(others)}"


# With fewer portions than the roll has, the tutorial is silent: one area takes its own letter,
# two areas the letter of the nearest full code, three areas that with the highest doubled.
FAMILIES = (
    _areal("U", "up", "All on the far side, nothing beyond the 18pt.", "2, 5, 12",
           "2000 1000", "4000 3000 2000 1000"),
    _areal("R", "run", "All on the far side, something to the 17pt-13pt.", "1, 12",
           "2000 1000", "4000 3000 2000 1000"),
    _areal("D", "down", "All to or within the outer board.", "1, 12",
           "0200 0100", "0400 0300 0200 0100"),
    _areal("J", "jump", "All from the 7pt or higher into the inner board.", "5",
           "0020 0010", "0040 0030 0020 0010"),
    _areal("I", "inside", "All within the inner board, bearing off included.", "5",
           "0002 0001", "0004 0003 0002 0001"),
    _areal("S", "split", "Split and down: the larger die on the far side, the smaller down from "
           "there. Doublets: three runs, one down.", "1, 12, 15", "1100", "3100 2100"),
    _areal("Z", "zplit", "Reverse split: the smaller die on the far side, the larger down from "
           "there. Doublets: one run, three downs.", "2, 12, 15", "1100", "1300 1200"),
    _areal("B", "both", "A run and a down within the outer board. Doublets: two runs, two downs.",
           "3, 4, 12", "1100", "2200 1100"),
    _areal("E", "each", "A run and an inside, or two of each.", "3, 4", "1001", "2002 1001"),
    _areal("A", "attack", "A jump and an inside, or two of each.", "3, 4", "0011", "0022 0011"),
    _areal("C", "cross", "A run and a jump, or two of each.", "3, 4", "1010", "2020 1010"),
    _areal("O", "outer", "A down and a jump, or two of each.", "3, 4", "0110", "0220 0110"),
    _areal("N", "near", "A down and an inside, or two of each.", "3, 4", "0101", "0202 0101"),
    _areal("E_", "each", "Three runs and an inside.", "15", "", "3001 2001"),
    _areal("A_", "attack", "Three jumps and an inside.", "15", "", "0031 0021"),
    _areal("C_", "cross", "Three runs and a jump.", "15", "", "3010 2010"),
    _areal("O_", "outer", "Three downs and a jump.", "15", "", "0310 0210"),
    _areal("N_", "near", "Three downs and an inside.", "15", "", "0301 0201"),
    _areal("E.", "each", "A run and three insides.", "15", "", "1003 1002"),
    _areal("A.", "attack", "A jump and three insides.", "15", "", "0013 0012"),
    _areal("C.", "cross", "A run and three jumps.", "15", "", "1030 1020"),
    _areal("O.", "outer", "A down and three jumps.", "15", "", "0130 0120"),
    _areal("N.", "near", "A down and three insides.", "15", "", "0103 0102"),
    _areal("Q", "quarters, quadruple split", "Doublets: a portion in each area. Other rolls: "
           "blots are moved up to the 18pt or higher and four or more of these points are held.",
           "6, 16", "", "1111"),
    _areal("U_", "up", "Two runs (none beyond the 18pt), a jump and an inside.", "16",
           "", "2011 1011"),
    _areal("R_", "run", "Two runs (one to the 17pt-13pt), a jump and an inside.", "16",
           "", "2011 1011"),
    _areal("D_", "down", "Two downs, a jump and an inside.", "16", "", "0211 0111"),
    _areal("J_", "jump", "Two jumps, a down and an inside.", "16", "", "0121"),
    _areal("I_", "inside", "Two insides, a down and a jump.", "16", "", "0112"),
    _areal("F", "field", "Two runs, a down and an inside.", "16", "", "2101 1101"),
    _areal("G", "glasses", "Two downs, a run and an inside.", "16", "", "1201"),
    _areal("M", "magnify", "Two jumps, a run and an inside.", "16", "", "1021"),
    _areal("Y", "yosemite", "Two insides, a run and a jump.", "16", "", "1012"),
    _areal("F_", "field", "Two runs, a down and a jump.", "16", "", "2110 1110"),
    _areal("G_", "glasses", "Two downs, a run and a jump.", "16", "", "1210"),
    _areal("M_", "magnify", "Two jumps, a run and a down.", "16", "", "1120"),
    _areal("Y_", "yosemite", "Two insides, a run and a down.", "16", "", "1102"),
    _other("P", Kind.STYLE, "point", "Everything makes or covers one point, up to the 22pt; it "
           "had one own checker at most and has two now.", "1, 13"),
    _other("@#", Kind.SYMBOL, "anchor", "A P on the far side.", "7, 13"),
    _other("H", Kind.STYLE, "hit", "One loose hit. If a portion is left over, it is down.",
           "2, 13"),
    _other("X", Kind.STYLE, "hit and split", "One loose hit on the near side, the rest on the far "
           "side.", "2, 13"),
    _other("K", Kind.STYLE, "kill", "Two hits, nothing left over.", "2, 13"),
    _other("L", Kind.STYLE, "lift", "A blot goes to a point that holds two or more. No doublets.",
           "6, 13"),
    _other("T", Kind.STYLE, "stack, tower", "All checkers end on points with four or more.",
           "6, 13"),
    _other("$%", Kind.SYMBOL, "slot", "A new blot on one vacant point, the 7pt or lower. If a "
           "portion is left over, it is down.", "1, 7, 13"),
    _other("&", Kind.SYMBOL, "double slot", "New blots on two vacant points, the 7pt or lower; "
           "nothing left over.", "7, 13"),
    _other("W", Kind.STYLE, "wild", "A blot on the far side and a slot, nothing left over.",
           "6, 13"),
    _other("^", Kind.SYMBOL, "fan", "No checker enters.", "7"),
    _other("<", Kind.SYMBOL, "enter one", "One of several checkers enters, nothing else can be "
           "played.", "7"),
    _other(">", Kind.SYMBOL, "enter all", "Two or more checkers enter, nothing is left to play.",
           "7"),
    *(_other(digit, Kind.NUMERAL, f"to {digit}", f"A checker goes {_to(int(digit))}.", "9")
      for digit in "0123456789"),
    _other("=", Kind.NUMERAL, "two off", "Two checkers are borne off from the highest points.",
           "9"),
    _other("+", Kind.NUMERAL, "four off", "Four checkers, or the last three, are borne off.", "9"),
)  # fmt: skip

# A play of each family's first member, nearly all from the tutorial's diagrams.
_EXAMPLES = {
    "U": "4PPgASjgc/ABMA 43 24/21 24/20",
    "R": "4PPgASHgc/ABMA 63 24/15",
    "D": "4HPwATDgc/ABMA 52 13/11 13/8",
    "J": "4HPkASLQc+EBMA 63 9/3 8/5",
    "I": "4PPgASTQc+QBMA 31 6/5 6/3*",
    "S": "4HPwATDgc/ABMA 64 24/18 13/9",
    "Z": "4HPwATDgc/ABMA 43 24/21 13/9",
    "B": "4PPgASjgc/ABMA 44 24/20(2) 13/9(2)",
    "E": "4PPCATDgc/ABMA 22 24/22(2) 6/4(2)",
    "A": "4PPgASjgc/ABMA 44 8/4(2) 6/2*(2)",
    "C": "0HPhATDgc/ABMA 33 24/21(2) 8/5(2)",
    "O": "4NvgATDgc/ABMA 66 13/7(2) 8/2(2)",
    "N": "4HPwATDgc/ABMA 21 13/11 6/5",
    "E_": "cOdsACjEc2KAIw 33 24/18 21/18 6/3",
    "A_": "cOdsACjEc2KAIw 33 8/5(3) 6/3",
    "C_": "4JkxYCrIOfgIJA 44 24/16 22/18 8/4",
    "O_": "4JkxYCrIOfgIJA 44 13/9(3) 8/4",
    "N_": "cOdsACjEc2KAIw 33 13/7 10/7 6/3",
    "E.": "MefIARRYF+UBFA 11 23/22 6/5 4/3*(2)",
    "A.": "MefIARRYF+UBFA 11 7/5 4/3*(2)",
    "C.": "2EZmQDTgLuMAMg 22 24/22 8/6 7/5*(2)",
    "O.": "2EZmQDTgLuMAMg 22 10/8 7/5*(3)",
    "N.": "hufgASTgc+RBIA 11 11/10 6/5(3)",
    "Q": "Ns7BgDA0J/EgIg 33 21/18 13/10 8/5* 6/3",
    "U_": "4HPGATBiz8IIMA 44 24/20(2) 9/5 6/2",
    "R_": "4HPGATBiz8IIMA 44 24/16 9/5 6/2",
    "D_": "mHPiAyDI7eABKA 22 13/11(2) 8/4",
    "J_": "mHPiAyDI7eABKA 22 13/11 7/5(2) 6/4",
    "I_": "hufgASTgc+RBIA 11 8/5 6/5",
    "F": "4HPGATBiz8IIMA 44 24/16 13/9 6/2",
    "G": "mHPiAyDI7eABKA 22 24/22 13/11(2) 6/4",
    "M": "mHPiAyDI7eABKA 22 24/22 7/5(2) 6/4",
    "Y": "mPPgASTg3cgBKA 11 23/22 7/5 6/5",
    "F_": "jOfgACOwqfiAGA 33 23/20(2) 13/10 9/6",
    "G_": "jOfgACOwqfiAGA 33 23/20 13/10(2) 9/6",
    "M_": "jOfgACOwqfiAGA 33 23/20 13/10 9/6 8/5",
    "Y_": "mPPgASTg3cgBKA 11 23/22 11/10 6/5(2)",
    "P": "4HPwCSDg8+ABIQ 31 8/5 6/5",
    "@": "4HPKASjgc/ABUA 32 bar/22 24/22",
    "H": "4HPwCSDg8+ABIQ 31 13/10*/9",
    "X": "4HPhASLgc/ABMA 32 24/21 6/4*",
    "K": "4HPhASLgc/ABMA 32 6/4*/1*",
    "L": "sGfiQSCw58gBMA 42 11/7*/5",
    "T": "4PPgASTgc/ADIA 43 13/6",
    "$": "4HPwATDgc/ABMA 21 13/11 6/5",
    "&": "4HPwATDgc/ABMA 61 13/7 6/5",
    "W": "jGfwAQbg88gBMA 41 24/20 6/5",
    "^": "M07wATDg8+ABYA 31",
    "<": "M07wATDg8+ABYA 21 bar/23",
    ">": "M07wATDg8+ABYA 42 bar/23 bar/21",
    "0": "hufgASTgc+RBIA 11 11/10 6/5(3)",
    "1": "mOfEAyDg88QHAA 65 13/7 6/1*",
    "2": "mOfEAyDg88QHAA 65 13/2",
    "3": "4HPkQSDgc/ABMA 33 13/7* 6/3(2)",
    "4": "mOfEAyDg88QHAA 65 13/8 10/4",
    "5": "4PngAQzgefAARg 51 bar/20 6/5",
    "6": "hufgASTgc+RBIA 11 8/5 6/5",
    "7": "4PngAQzgefAARg 51 bar/20 8/7",
    "8": "4HPwATDgc/ABMA 41 13/8",
    "9": "hufgASTgc+RBIA 11 11/9 6/5(2)",
    "=": "d7cNAADb7g4AAA 65 6/off 5/off",
    "+": "d7cNAADb7g4AAA 66 6/off(3) 5/off",
}

_BY_KEY = {row.key: row for row in FAMILIES}


def family(key: str) -> Family:
    """The family with this key (`E`, `E_`, `E.`); KeyError if there is none."""
    return _BY_KEY[key]
