"""Splits pasted text into tokens: rolls, plays, cube actions, row numbers, names, positions."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from enum import Enum
from html import unescape
from itertools import accumulate
from operator import itemgetter

from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.ids_in_text import IdInText, find_ids
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.sequences.tokens import WORDS
from gnubg_nactation.values import NamedTuple


class TextPosition(NamedTuple):
    """A position in a text: the offset from 0, line and column from 1."""

    at: int
    line: int
    column: int


class Kind(Enum):
    """The kind of a token; most are groups of `_TOKEN`."""

    LINE = "line"  # before the tokens of a line of a game
    HEADING = "heading"  # any other line
    GAME = "game"  # `Game 2`
    START = "start"  # an ID, or `Nackgammon`
    PLAY = "play"
    NO_PLAY = "none"
    OFFER = "offer"  # `double/take`
    DOUBLE = "double"
    BEAVER = "beaver"
    TAKE = "take"
    DROP = "drop"
    RESIGN = "resign"
    RESULT = "result"
    ROW = "row"
    NUMBER = "bare"  # of a row, or a roll
    DICE = "dice"
    NAME = "name"  # a roll with a Nactation (`63R`), or the die that enters
    REMARK = "remark"
    WORD = "word"
    BAD = "bad"


class Token(NamedTuple):
    """Part of a text and its kind."""

    kind: Kind
    text: str
    place: TextPosition
    state: GameState | None = None
    edge: int = 0  # its index in the line with tabs expanded

    def play(self, match: re.Match[str]) -> Token:
        """Return the token of a play within the token's text."""
        at, line, column = self.place
        place = TextPosition(at + match.start(), line, column + match.start())
        return self._replace(kind=Kind.PLAY, text=match[0], place=place)


# The first pattern that matches decides.

_DICE = (
    r"(?:[(\[{][ ]?[1-6][ ]?[-,]?[ ]?[1-6][ ]?[)\]}]|[1-6][1-6](?![\w/*])"
    r"|[1-6](?:[ ]|[ ]?[-,][ ]?)[1-6](?![\w/*-]))"
)
_HOPS = (
    r"(?:[0-9]{1,2}|b(?:ar)?(?=/))(?:\*?/(?:[0-9]{1,2}|[a-z]{1,4})){1,8}\*?"
    r"(?:[ ]?(?:\([x\xd7]?[1-4]x?\)|[x\xd7][ ]?[1-4])\*?)?(?![\w/])"
)
# `63R`, `31-point`, `654` between hyphens; in pairs (`54S63R`) the next roll follows at once.
_NAME = (
    r"(?:(?:11|22|33|44|55|66)[a-z]\.(?:\{[0-9]{1,3}\}|(?![\w/]))|"
    rf"[1-6][1-6](?:-(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})(?!\w)"
    r"|[a-z$%@\#&<>][_\u0300-\u036f]?(?:\{[0-9]{1,3}\})?(?![a-z]|/(?![1-6]{2}[^\d/*]))"
    r"(?![0-9](?![1-6](?![0-9])))|[0-9](?=-)|(?<=-[1-6]{2})[0-9](?![\w/*.)])))"
)
_NO_PLAY = (
    r"(?:(?:cannot|can'?t|can[ ]not)[ ](?:move|play|enter)"
    r"|no[ ](?:legal[ ])?(?:play|move)s?(?:[ ]possible)?"
    r"|danc(?:es?|ed|ing)|fan(?:s|ned)?|stay(?:s|ed)?[ ](?:out|off|on[ ]the[ ]bar)|(?-i:F)|\^)"
    r"(?!\w)"
)
_TURNED = r"(?:[ ]*(?:=+>|->|to|at)[ ]*[0-9]{1,9})?"
_CUBE = rf"""(?:
    (?P<offer>(?:d(?:ouble)?)[ ]?/[ ]?(?:t(?:ake)?|p(?:ass)?|d(?:rop)?)(?!\w))
  | (?P<double>(?:(?:re-?)?double[sd]?|(?:re)?cube[sd]?|cub|rcb)(?![\w:]){_TURNED}
      |(?<=-)(?-i:[CR])(?=[\s-]|$)|(?-i:[CR])(?=[ ]+(?:(?-i:[PT])(?!\S)|{_NAME})))
  | (?P<beaver>(?:beaver|raccoon)(?:s|ed)?(?!\w){_TURNED})
  | (?P<take>(?:takes?|took|tak|accept(?:s|ed)?)(?!\w)
      |(?:(?<=-)|(?<=-[CR][ ])|(?<=[ ][CR][ ]))(?-i:T)(?=[\s-]|$))
  | (?P<drop>(?:drop(?:s|ped)?|pas|pass(?:es|ed)?|(?:reject|fold)(?:s|ed)?|declines?d?)(?!\w)
      |(?:(?<=-)|(?<=-[CR][ ])|(?<=[ ][CR][ ]))(?-i:P)(?=[\s-]|$))
  | (?P<resign>(?:resign(?:s|ed)?|concede[sd]?|gives?[ ]up)(?!\w).*)
  | (?P<result>(?:wins?|won|los(?:es?|s|ses|t))(?!\w)(?=[ ]*(?:[0-9]|the[ ]|a[ ]|$)).*)
)"""
_CUBE_WORD = re.sub(r"\?P<\w+>", "?:", _CUBE)
WORD = r"(?:player[ ]?[12](?!\w)|[^\W\d_][\w'.-]*)"
_TOKEN = re.compile(
    rf"""(?P<play>{_HOPS}) | (?P<name>{_NAME}) | (?P<none>\(?{_NO_PLAY}\)?) | {_CUBE}
  | (?P<row>[0-9]{{1,3}})[ ]?[.)](?:\.{{2,}}|[ ]*(?:\.{{3}}|…))?
      (?=[ \t]*\S)(?![ \t]*(?:{_HOPS}|\(?{_NO_PLAY}))
  | (?P<bare>[0-9]{{1,3}}):?(?=[\s|]+(?:{_DICE}|{_NAME}|{_CUBE_WORD}|(?!{_NO_PLAY}){WORD}))
  | (?P<dice>{_DICE}) | (?P<die>(?<=-)[1-6](?=[\s-]|$))
  | (?P<remark>[(\[{{][^()\[\]{{}}]{{0,1000}}[)\]}}])
  | (?P<word>{WORD}) | (?P<skip>[\s,;:|>&\#`•·!?…=~_*"'.+)\]}}/]+|-+>?|[(\[{{](?={_HOPS}))
  | (?P<bad>\w+|.)""",
    re.VERBOSE | re.IGNORECASE,
)
# A line belongs to a game if it contains a play, or begins like this.
_LEADS = re.compile(
    rf"""[\s>*|`•·-]* (?:[0-9]{{1,3}}[.):]*\s+)? (?!score|match|game)(?:{WORD}[\s:,]+){{0,4}}
         (?:{_DICE}(?:[ ]?:|[\s.]*$|[\s,]*\(?{_NO_PLAY}) | {_CUBE_WORD} | \(?{_NO_PLAY})
      | [\s>*|`•·-]*(?:[0-9]{{1,3}}[.):]*[\s|]+)?
        (?:{_DICE}(?![ -]?points?)|(?:{WORD}(?:[ ]{WORD})?:\s*)?{_NAME}
          |(?:{WORD}[\s:,]+){{0,4}}{_NAME}[\s.!?]*$)""",
    re.VERBOSE | re.IGNORECASE,
)
PLAY = re.compile(_HOPS, re.IGNORECASE)
_EMPTY = re.compile(r"\s*[0-9]+[.)]\s*")
_GAME = re.compile(r"[\s>*|-]*Game\s+[0-9]+", re.IGNORECASE)
_NACKGAMMON = re.compile(
    rf"(?<![\w+/:-])Nack-?gammon(?![\w+/:])|\A\s*N(?:ack)?[:\s]+(?={_DICE}|{_NAME})", re.IGNORECASE
)
_MARKUP = re.compile(
    r"</?[a-z][^<>\n]{0,300}>|\[/?[a-z]{1,10}(?:=[^\[\]\n]{0,200})?\]", re.IGNORECASE
)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#[0-9]{1,5});", re.IGNORECASE)
_SLASH = re.compile(r"[0-9]/(?:[0-9]|off)|bar/", re.IGNORECASE)
_HYPHENS = re.compile(r"(?<![\w(\[{-])(?:[0-9]{1,2}|bar)(?:\*?-(?:[0-9]{1,2}|off))+(?![\w:)\]}-])")
_TYPOGRAPHY = str.maketrans(  # dashes, slashes, quotes, blanks
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2044\u2215\u2019\xa0\u200b\ufeff", "------//'   "
)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, with a LINE before those of each line of a game."""
    text = text.replace("\r\n", " \n").replace("\r", "\n")
    text = _ENTITY.sub(_entity, text).translate(_TYPOGRAPHY)
    breaks = [-1, *(match.start() for match in re.finditer("\n", text))]

    def place(at: int) -> TextPosition:
        line = bisect(breaks, at - 1)
        return TextPosition(at, line, at - breaks[line - 1])

    states = [(word.start, word.end, _state(word, text)) for word in find_ids(text)]
    states += [(*match.span(), GameState(NACKGAMMON)) for match in _NACKGAMMON.finditer(text)]
    starts: list[Token] = []
    parts: list[str] = []
    done = 0
    for start, end, state in sorted(states, key=itemgetter(0)):
        if state:
            starts.append(Token(Kind.START, text[start:end], place(start), state))
            parts += text[done:start], _blanks(text[start:end])
            done = end
    text = "".join([*parts, text[done:]])
    starts.reverse()
    text = _MARKUP.sub(lambda match: _blanks(match[0]), text)
    if not _SLASH.search(text):  # `31: 8-5 6-5`
        text = _HYPHENS.sub(lambda match: match[0].replace("-", "/"), text)
    for row in re.finditer(r"[^\n]+", text):
        while starts and starts[-1].place.at < row.end():
            yield starts.pop()
        line, first = row[0], place(row.start())
        if line.lstrip().startswith((";", "# ")) or _EMPTY.fullmatch(line):
            continue
        if _GAME.match(line):
            yield Token(Kind.GAME, line, first)
        elif PLAY.search(line) or _LEADS.match(line):
            yield Token(Kind.LINE, line, first)
            edges = list(accumulate(line, _next_edge, initial=0))
            for match in _TOKEN.finditer(line):
                if match.lastgroup != "skip":
                    at = place(row.start() + match.start())
                    kind = Kind.NAME if match.lastgroup == "die" else Kind(match.lastgroup)
                    yield Token(kind, match[0], at, edge=edges[match.start()])
        else:
            yield Token(Kind.HEADING, line, first)


def _next_edge(edge: int, sign: str) -> int:
    return edge + (8 - edge % 8 if sign == "\t" else 1)


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _entity(match: re.Match[str]) -> str:
    """Return the character of an HTML entity, padded with blanks to keep all places."""
    return re.sub(r"\s", " ", unescape(match[0])).ljust(len(match[0]))


def _state(word: IdInText, text: str) -> GameState | None:
    """Return the state of an ID; None if the word only looks like an ID."""
    if not word.is_certain and (word.name.isalpha() or PLAY.fullmatch(word.name)):
        return None
    try:
        return parse_state(word.name)
    except MalformedError as error:
        if not word.is_certain:
            return None
        raise MalformedError(str(error), text=text, at=word.start) from None
