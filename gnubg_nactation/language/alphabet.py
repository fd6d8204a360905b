"""The alphabet of Nactation: the one table that code, documentation and tests read.

A character, plain, underlined or dotted, names a family of plays. The numbers of runs, downs,
jumps and insides in a play define areal families (tutorial sections 5, 12, 15 and 16). The action
of a play defines style families and symbols (sections 6, 7 and 13).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from gnubg_nactation.language import conventions, styles
from gnubg_nactation.language.conventions import Order
from gnubg_nactation.language.styles import Style


class Diacritic(Enum):
    """The mark of a character: none, a line below it, or a dot after or below it."""

    NONE = "none"
    UNDERLINE = "underline"
    DOT = "dot"


class Right(Enum):
    """The right by which a character names a play.

    The first four belong to families: areas of the board, a style of play, a symbol, a number. The
    last two are further readings of letters: S for Z if there is no S (#6), and the letter of the
    portions after entering (#46). The first three are strict.
    """

    AREAL = "areal"
    STYLE = "style"
    SYMBOL = "symbol"
    NUMERAL = "numeral"
    CONVENIENCE = "convenience"
    WAIVED = "waived"

    __hash__ = object.__hash__  # that of Enum is a function in Python, and slow


_ADVANCED = set("FGMYQ")
_MARKS = {"": Diacritic.NONE, "_": Diacritic.UNDERLINE, ".": Diacritic.DOT}


class Family:
    """A family of plays: a unique entry of the alphabet, compared by `is`.

    `key` is its name in plain text: `E`, `E_`, `E.`. `example` is a Position ID, a roll and the
    first play of the family in that position. `section` gives the tutorial's sections. `partner` is
    the second character of a family that has two (V, %, #). `dice` and `doublet` list the codes of
    an areal family for rolls of two different dice and for doublets: the numbers of runs, downs,
    jumps and insides, in this order. `style` defines a style family, and `order` ranks it. All
    other families are ranked by hit-more-6.
    """

    def __init__(  # noqa: PLR0913 (an entry of the alphabet defines the whole family)
        self,
        key: str,
        right: Right,
        word: str,
        meaning: str,
        *,
        example: str,
        section: str,
        partner: str = "",
        dice: str = "",
        doublet: str = "",
        style: Style | None = None,
        order: Order = conventions.HIT_MORE_6,
    ) -> None:
        self.key, self.right, self.word, self.meaning = key, right, word, meaning
        self.example, self.section, self.partner = example, section, partner
        self.dice, self.doublet = tuple(dice.split()), tuple(doublet.split())
        self.style, self.order = style, order
        self.character, self.suffix = key[0], key[1:]
        self.mark = _MARKS[self.suffix]
        # Advanced knowledge: characters with a mark, and the letters of sections 6 and 16.
        self.is_advanced = self.mark is not Diacritic.NONE or key in _ADVANCED
        self.characters = self.character + partner
        # The characters of its first members: `Pp`, `UVuv`, `$%`, `&`.
        cases = self.characters.lower() if self.characters.isalpha() else ""
        self.glyphs = self.characters + cases
        # The right by which the character names a play of its style: otherwise Q is areal.
        self.style_right = Right.SYMBOL if right is Right.SYMBOL else Right.STYLE

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        return family, (self.key,)

    def __repr__(self) -> str:
        return f"family({self.key!r})"

    def __str__(self) -> str:
        return self.key


def _to(digit: int) -> str:
    """The meaning of a numeral: the points with this last digit, the likeliest first."""
    lowest, *higher = (f"to the {point}pt" if point else "off" for point in range(digit, 25, 10))
    return f"A checker goes {lowest}, else {' or '.join(higher)}."


# The tutorial does not cover plays with fewer portions than the roll has. One area takes its own
# letter, two areas the letter of the nearest full code, three areas that of the code with the
# highest doubled.
# Examples show the first member of a family, nearly all from the tutorial's diagrams.
FAMILIES = (
    Family("U", Right.AREAL, "up",
           "All on the far side, nothing beyond the 18pt.",
           section="2, 5, 12", example="4PPgASjgc/ABMA 43 24/21 24/20",
           partner="V", dice="2000 1000", doublet="4000 3000 2000 1000"),
    Family("R", Right.AREAL, "run",
           "All on the far side, something to the 17pt-13pt.",
           section="1, 12", example="4PPgASHgc/ABMA 63 24/15",
           dice="2000 1000", doublet="4000 3000 2000 1000"),
    Family("D", Right.AREAL, "down",
           "All to or within the outer board.",
           section="1, 12", example="4HPwATDgc/ABMA 52 13/11 13/8",
           dice="0200 0100", doublet="0400 0300 0200 0100"),
    Family("J", Right.AREAL, "jump",
           "All from the 7pt or higher into the inner board.",
           section="5", example="4HPkASLQc+EBMA 63 9/3 8/5",
           dice="0020 0010", doublet="0040 0030 0020 0010"),
    Family("I", Right.AREAL, "inside",
           "All within the inner board, bearing off included.",
           section="5", example="4PPgASTQc+QBMA 31 6/5 6/3*",
           dice="0002 0001", doublet="0004 0003 0002 0001"),
    Family("S", Right.AREAL, "split",
           "Split and down: the larger die on the far side, the smaller down from there. "
           "Doublets: three runs, one down.",
           section="1, 12, 15", example="4HPwATDgc/ABMA 64 24/18 13/9",
           dice="1100", doublet="3100 2100"),
    Family("Z", Right.AREAL, "zplit",
           "Reverse split: the smaller die on the far side, the larger down from there. "
           "Doublets: one run, three downs.",
           section="2, 12, 15", example="4HPwATDgc/ABMA 43 24/21 13/9",
           dice="1100", doublet="1300 1200"),
    Family("B", Right.AREAL, "both",
           "A run and a down within the outer board. Doublets: two runs, two downs.",
           section="3, 4, 12", example="4PPgASjgc/ABMA 44 24/20(2) 13/9(2)",
           dice="1100", doublet="2200 1100"),
    Family("E", Right.AREAL, "each",
           "A run and an inside, or two of each.",
           section="3, 4", example="4PPCATDgc/ABMA 22 24/22(2) 6/4(2)",
           dice="1001", doublet="2002 1001"),
    Family("A", Right.AREAL, "attack",
           "A jump and an inside, or two of each.",
           section="3, 4", example="4PPgASjgc/ABMA 44 8/4(2) 6/2*(2)",
           dice="0011", doublet="0022 0011"),
    Family("C", Right.AREAL, "cross",
           "A run and a jump, or two of each.",
           section="3, 4", example="0HPhATDgc/ABMA 33 24/21(2) 8/5(2)",
           dice="1010", doublet="2020 1010"),
    Family("O", Right.AREAL, "outer",
           "A down and a jump, or two of each.",
           section="3, 4", example="4NvgATDgc/ABMA 66 13/7(2) 8/2(2)",
           dice="0110", doublet="0220 0110"),
    Family("N", Right.AREAL, "near",
           "A down and an inside, or two of each.",
           section="3, 4", example="4HPwATDgc/ABMA 21 13/11 6/5",
           dice="0101", doublet="0202 0101"),
    Family("E_", Right.AREAL, "each",
           "Three runs and an inside.",
           section="15", example="cOdsACjEc2KAIw 33 24/18 21/18 6/3",
           doublet="3001 2001"),
    Family("A_", Right.AREAL, "attack",
           "Three jumps and an inside.",
           section="15", example="cOdsACjEc2KAIw 33 8/5(3) 6/3",
           doublet="0031 0021"),
    Family("C_", Right.AREAL, "cross",
           "Three runs and a jump.",
           section="15", example="4JkxYCrIOfgIJA 44 24/16 22/18 8/4",
           doublet="3010 2010"),
    Family("O_", Right.AREAL, "outer",
           "Three downs and a jump.",
           section="15", example="4JkxYCrIOfgIJA 44 13/9(3) 8/4",
           doublet="0310 0210"),
    Family("N_", Right.AREAL, "near",
           "Three downs and an inside.",
           section="15", example="cOdsACjEc2KAIw 33 13/7 10/7 6/3",
           doublet="0301 0201"),
    Family("E.", Right.AREAL, "each",
           "A run and three insides.",
           section="15", example="MefIARRYF+UBFA 11 23/22 6/5 4/3*(2)",
           doublet="1003 1002"),
    Family("A.", Right.AREAL, "attack",
           "A jump and three insides.",
           section="15", example="MefIARRYF+UBFA 11 7/5 4/3*(2)",
           doublet="0013 0012"),
    Family("C.", Right.AREAL, "cross",
           "A run and three jumps.",
           section="15", example="2EZmQDTgLuMAMg 22 24/22 8/6 7/5*(2)",
           doublet="1030 1020"),
    Family("O.", Right.AREAL, "outer",
           "A down and three jumps.",
           section="15", example="2EZmQDTgLuMAMg 22 10/8 7/5*(3)",
           doublet="0130 0120"),
    Family("N.", Right.AREAL, "near",
           "A down and three insides.",
           section="15", example="hufgASTgc+RBIA 11 11/10 6/5(3)",
           doublet="0103 0102"),
    Family("Q", Right.AREAL, "quarters, quadruple split",
           "Doublets: a portion in each area. Other rolls: blots are moved up to the 18pt or "
           "higher and four or more of these points are held.",
           section="6, 16", example="Ns7BgDA0J/EgIg 33 21/18 13/10 8/5* 6/3",
           doublet="1111", style=styles.QUADRUPLE_SPLIT, order=conventions.STYLE_HIT_MORE_6),
    Family("U_", Right.AREAL, "up",
           "Two runs (none beyond the 18pt), a jump and an inside.",
           section="16", example="4HPGATBiz8IIMA 44 24/20(2) 9/5 6/2",
           partner="V", doublet="2011 1011"),
    Family("R_", Right.AREAL, "run",
           "Two runs (one to the 17pt-13pt), a jump and an inside.",
           section="16", example="4HPGATBiz8IIMA 44 24/16 9/5 6/2",
           doublet="2011 1011"),
    Family("D_", Right.AREAL, "down",
           "Two downs, a jump and an inside.",
           section="16", example="mHPiAyDI7eABKA 22 13/11(2) 8/4",
           doublet="0211 0111"),
    Family("J_", Right.AREAL, "jump",
           "Two jumps, a down and an inside.",
           section="16", example="mHPiAyDI7eABKA 22 13/11 7/5(2) 6/4",
           doublet="0121"),
    Family("I_", Right.AREAL, "inside",
           "Two insides, a down and a jump.",
           section="16", example="hufgASTgc+RBIA 11 8/5 6/5",
           doublet="0112"),
    Family("F", Right.AREAL, "field",
           "Two runs, a down and an inside.",
           section="16", example="4HPGATBiz8IIMA 44 24/16 13/9 6/2",
           doublet="2101 1101"),
    Family("G", Right.AREAL, "glasses",
           "Two downs, a run and an inside.",
           section="16", example="mHPiAyDI7eABKA 22 24/22 13/11(2) 6/4",
           doublet="1201"),
    Family("M", Right.AREAL, "magnify",
           "Two jumps, a run and an inside.",
           section="16", example="mHPiAyDI7eABKA 22 24/22 7/5(2) 6/4",
           doublet="1021"),
    Family("Y", Right.AREAL, "yosemite",
           "Two insides, a run and a jump.",
           section="16", example="mPPgASTg3cgBKA 11 23/22 7/5 6/5",
           doublet="1012"),
    Family("F_", Right.AREAL, "field",
           "Two runs, a down and a jump.",
           section="16", example="jOfgACOwqfiAGA 33 23/20(2) 13/10 9/6",
           doublet="2110 1110"),
    Family("G_", Right.AREAL, "glasses",
           "Two downs, a run and a jump.",
           section="16", example="jOfgACOwqfiAGA 33 23/20 13/10(2) 9/6",
           doublet="1210"),
    Family("M_", Right.AREAL, "magnify",
           "Two jumps, a run and a down.",
           section="16", example="jOfgACOwqfiAGA 33 23/20 13/10 9/6 8/5",
           doublet="1120"),
    Family("Y_", Right.AREAL, "yosemite",
           "Two insides, a run and a down.",
           section="16", example="mPPgASTg3cgBKA 11 23/22 11/10 6/5(2)",
           doublet="1102"),
    Family("P", Right.STYLE, "point",
           "Everything makes or covers one point, up to the 22pt; it had one own checker at "
           "most and has two now. Entering and forced portions are waived.",
           section="1, 13", example="4HPwCSDg8+ABIQ 31 8/5 6/5",
           style=styles.POINT, order=conventions.STYLE_HIT_MORE_6),
    Family("@", Right.SYMBOL, "anchor",
           "A P on the far side.",
           section="7, 13", example="4HPKASjgc/ABUA 32 bar/22 24/22",
           partner="#", style=styles.ANCHOR, order=conventions.STYLE_HIT_MORE_6),
    Family("H", Right.STYLE, "hit",
           "One loose hit. If a portion is left over, it is down. Entering and forced portions are "
           "waived.",
           section="2, 13", example="4HPwCSDg8+ABIQ 31 13/10*/9",
           style=styles.HIT, order=conventions.HIGHER_MORE_6),
    Family("X", Right.STYLE, "hit and split",
           "One loose hit on the near side, the rest on the far side.",
           section="2, 13", example="4HPhASLgc/ABMA 32 24/21 6/4*",
           style=styles.HIT_AND_SPLIT, order=conventions.HIGHER_MORE_6),
    Family("K", Right.STYLE, "kill",
           "Two hits, nothing left over.",
           section="2, 13", example="4HPhASLgc/ABMA 32 6/4*/1*",
           style=styles.KILL, order=conventions.HIGHER_MORE_6),
    Family("L", Right.STYLE, "lift",
           "A blot goes to a point that holds two or more. No doublets.",
           section="6, 13", example="sGfiQSCw58gBMA 42 11/7*/5",
           style=styles.LIFT, order=conventions.HIT_MORE_FEWER_6),
    Family("T", Right.STYLE, "stack, tower",
           "All checkers end on points with four or more. Entering and forced portions are waived.",
           section="6, 13", example="4PPgASTgc/ADIA 43 13/6",
           style=styles.TOWER, order=conventions.HIT_MORE_FEWER_6),
    Family("$", Right.SYMBOL, "slot",
           "A new blot on one vacant point, the 7pt or lower. If a portion is left over, it is "
           "down.",
           section="1, 7, 13", example="4HPwATDgc/ABMA 21 13/11 6/5",
           partner="%", style=styles.SLOT, order=conventions.MORE_WHICH_6),
    Family("&", Right.SYMBOL, "double slot",
           "New blots on two vacant points, the 7pt or lower; nothing left over.",
           section="7, 13", example="4HPwATDgc/ABMA 61 13/7 6/5",
           style=styles.DOUBLE_SLOT, order=conventions.MORE_WHICH_6),
    Family("W", Right.STYLE, "wild",
           "A blot on the far side and a slot, nothing left over.",
           section="6, 13", example="jGfwAQbg88gBMA 41 24/20 6/5",
           style=styles.WILD, order=conventions.MORE_WHICH_6),
    Family("^", Right.SYMBOL, "fan",
           "No checker enters.",
           section="7", example="M07wATDg8+ABYA 31"),
    Family("<", Right.SYMBOL, "enter one",
           "One of several checkers enters, nothing else can be played.",
           section="7", example="M07wATDg8+ABYA 21 bar/23"),
    Family(">", Right.SYMBOL, "enter all",
           "Two or more checkers enter, nothing is left to play.",
           section="7", example="M07wATDg8+ABYA 42 bar/23 bar/21"),
    Family("0", Right.NUMERAL, "to 0",
           _to(0),
           section="9", example="hufgASTgc+RBIA 11 11/10 6/5(3)"),
    Family("1", Right.NUMERAL, "to 1",
           _to(1),
           section="9", example="mOfEAyDg88QHAA 65 13/7 6/1*"),
    Family("2", Right.NUMERAL, "to 2",
           _to(2),
           section="9", example="mOfEAyDg88QHAA 65 13/2"),
    Family("3", Right.NUMERAL, "to 3",
           _to(3),
           section="9", example="4HPkQSDgc/ABMA 33 13/7* 6/3(2)"),
    Family("4", Right.NUMERAL, "to 4",
           _to(4),
           section="9", example="mOfEAyDg88QHAA 65 13/8 10/4"),
    Family("5", Right.NUMERAL, "to 5",
           _to(5),
           section="9", example="4PngAQzgefAARg 51 bar/20 6/5"),
    Family("6", Right.NUMERAL, "to 6",
           _to(6),
           section="9", example="hufgASTgc+RBIA 11 8/5 6/5"),
    Family("7", Right.NUMERAL, "to 7",
           _to(7),
           section="9", example="4PngAQzgefAARg 51 bar/20 8/7"),
    Family("8", Right.NUMERAL, "to 8",
           _to(8),
           section="9", example="4HPwATDgc/ABMA 41 13/8"),
    Family("9", Right.NUMERAL, "to 9",
           _to(9),
           section="9", example="hufgASTgc+RBIA 11 11/9 6/5(2)"),
    Family("=", Right.NUMERAL, "two off",
           "Two checkers are borne off from the highest points.",
           section="9", example="d7cNAADb7g4AAA 65 6/off 5/off"),
    Family("+", Right.NUMERAL, "four off",
           "Four checkers, or the last three, are borne off.",
           section="9", example="d7cNAADb7g4AAA 66 6/off(3) 5/off"),
)  # fmt: skip

_BY_KEY = {row.key: row for row in FAMILIES}


def family(key: str) -> Family:
    """The family with this key (`E`, `E_`, `E.`); KeyError if there is none."""
    return _BY_KEY[key]


_LISTED_FIRST = "K@PXH&$WTLQ"

# The families that a style defines, in the order in which a play's Nactations are listed.
STYLE_FAMILIES = tuple(
    sorted(
        (row for row in FAMILIES if row.style),
        key=lambda row: (_LISTED_FIRST + row.key).index(row.key),
    )
)
