"""Spans of a text that look like Nactation: chains, single plays, lists, rolls of nacbracs.

Hyphens join a chain, `54S-63R-31`; other plays in a row are a list or a sequence.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.sequences.openings import OPENINGS
from gnubg_nactation.sequences.tokens import longhand_after, longhand_alone
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.scan import CHARACTERS

SIGNS = re.escape("".join(sorted(CHARACTERS)))
NAME = rf"[{SIGNS}](?:_|\.(?=[-,{{]|[1-6]{{2}}\D))?(?:\{{[1-9][0-9]{{0,5}}\}})?"
CUBE = "Cub|Tak|Pas|Rcb|Bvr|Rcn"  # in columns of three characters
CELL_NAME = rf"{NAME}\.?"  # the dot marks a doublet: no sentence ends in a cell
MIN_CHAIN_TOKENS = 3  # of a chain that looks like nothing else


class Shape(Enum):
    """The shapes of spans."""

    CHAIN = "chain"  # tokens joined by hyphens, or one token with the mark of a side
    LIST = "list"  # plays that may be a sequence, or separate plays
    TABLE = "table"  # the numbered rows of a move list
    PLAY = "play"  # a single play
    ROLL = "roll"  # the roll of the nacbrac after it
    NACBRAC = "nacbrac"
    CUBE = "cube"  # a nacbrac of the cube
    CELL = "cell"  # a letter in a reply chart, or its opening
    PATTERN = "pattern"
    POSITION = "position"  # an XGID, or a Position ID with that label or a Match ID


class Piece(NamedTuple):
    """A possible token, from offset `start` of the bare text up to `end`.

    `named` means more than a roll. `clear` means that its name is a word, a capital or a symbol,
    unlike those of numbers with a unit. `longhand` means that its play is in traditional notation
    and has no name. `roll` is the offset of the roll if it is elsewhere: that of S in `63R/S`.
    """

    start: int
    end: int
    named: bool = False
    clear: bool = False
    longhand: bool = False
    roll: int = -1

    @property
    def roll_start(self) -> int:
        """The offset of the roll."""
        return self.start if self.roll < 0 else self.roll

    @property
    def alone(self) -> Span:
        """The token as a single play."""
        return Span(Shape.PLAY, self.start, self.end, (self,))


class Span(NamedTuple):
    """Possible Nactation, from offset `start` of the bare text up to `end`.

    The mark of a side and the `N` of Nackgammon belong to the span. A `broken` span continues with
    text that is not a token; `goes_on` means an ellipsis before it. `is_game` means a list whose
    words describe a game: `54S, he rolled 63R and then 31P`. `move` is the move of a match that a
    nacbrac is about: `1.2b`. `name` is the ID of a position,
    `is_bare` without a label, `is_result` if the text before it leads there. `answered` is the
    opening that a letter in a reply chart answers.
    """

    shape: Shape
    start: int
    end: int
    pieces: tuple[Piece, ...] = ()
    broken: bool = False
    goes_on: bool = False
    is_game: bool = False
    move: str = ""
    name: str = ""
    is_bare: bool = False
    is_result: bool = False
    answered: Span | None = None

    @property
    def is_distinct(self) -> bool:
        """Whether it looks like nothing but Nactation."""
        clear = sum(piece.clear for piece in self.pieces)
        if self.shape in {Shape.NACBRAC, Shape.CUBE}:
            return clear > 0
        if self.shape is Shape.CHAIN or (self.shape is Shape.LIST and self.is_game):
            return len(self.pieces) >= MIN_CHAIN_TOKENS and clear > 1
        return self.shape in {Shape.CELL, Shape.PATTERN, Shape.POSITION, Shape.TABLE}


def is_clear(name: str | None) -> bool:
    """Whether a name is a capital or a symbol, unlike those of numbers with a unit."""
    return name is not None and (name[0].isupper() or name[0] in "@$&^")


# A line end within a sentence. A name and a colon begin another turn, `vs 21S: 64H` other replies.
_WRAP = re.compile(r"(?<!\n)\n(?=(?!vs|versus)[a-z]+[ ,]|\()|(?<=[a-z])\n(?=[1-6]{2})")


def flowing(bare: str) -> str:
    """The text, as long as before, with blanks for the line ends within sentences."""
    return _WRAP.sub(" ", bare)


class Parts:
    """The parts of a text that spans occupy already."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._parts = sorted((span.start, span.end) for span in spans)
        self._starts = [start for start, _ in self._parts]

    def end_around(self, place: int) -> int:
        """The end of the part around an offset; 0 if there is none."""
        at = bisect(self._starts, place) - 1
        return self._parts[at][1] if at >= 0 and place < self._parts[at][1] else 0

    def next_start(self, place: int) -> int | None:
        """The start of the next part after an offset; None if there is none."""
        at = bisect(self._starts, place)
        return self._starts[at] if at < len(self._starts) else None

    def is_free(self, span: Span) -> bool:
        """Whether no part overlaps a span."""
        following = self.next_start(span.start)
        return not self.end_around(span.start) and (following is None or following >= span.end)


_MAX_BEFORE, _MAX_AFTER = 40, 40  # characters
_CODES = (
    r"rooms?|flats?|apartments?|suites?|units?|stands?|flights?|gates?|seats?|models?|bus|routes?"
    r"|bays?|tickets?|lessons?|lockers?|plates?|platforms?|SKU|ASIN|barcodes?|passwords?"
    r"|postcodes?|spots?|park\w*|items?|fax|tel\.?"
    r"|(?:part|serial|account|ticket|order|item|phone) (?:no\.?|numbers?)"
    r"|zimmer|raum|saal|tisch|platz|sitz(?:platz)?|gleis|spind|linie|flug"
    r"|salle|chambre|si[e\u00e8]ge|quai|vol|sala|camera|stanza|binario|posto|tavolo"
    r"|habitaci[o\u00f3]n|mesa|asiento|and[e\u00e9]n|puerta|porte|voie"
    r"|v[a\u00e6]relse|lokale|bord|plads|spor"
)
_BEFORE = re.compile(
    rf"\b(?i:{_CODES})(?: is| was| are| were| ends in)?[ :#]{{0,3}}(?:[A-Z]{{2}} )?\Z"
    r"|(?<!\bthe )(?<!\bthis )(?<!\bmy )(?<!\bour )\btables? \Z"  # `meet at table 54S`
    r"|\b(?!XG)(?:[A-Z]{2,5}[0-9]{1,4}|[A-Z][0-9]{2,4}) \Z"  # a model: `MG62 52D`
)
_STREET = re.compile(
    r",? (?:[A-Z][a-z]{1,15} ){1,2}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Square)\b"
    r"|,? (?:rue|avenue|boulevard|quai|place) (?:de |du |des |la )*[A-Z]"
)
_NUMBER = re.compile(r" [0-9]{3,}(?![\w-])")  # a number plate: `43D 652`
_AMOUNT = (
    r"costs?|paid|pays?|lost|lose|won|win|bet|stakes?|entry|fees?|pri[cz]es?|pool|fund|buy-in|worth"
)
_PRICE = re.compile(
    rf"\b(?i:{_AMOUNT})(?: me| him| her| us| you)?(?: only| is| was| of)?:? "
    r"(?:[0-9]{1,4}\$(?:,? (?:and |or )?)){0,9}\Z"
)
_QUANTITY = re.compile(
    r"(?<=\$) (?:each|per|entry|fee|prize|buy-in|vouchers?|tickets?|members?|guests?)\b"
    r"|(?<=P) (?:signs?|park\w*|zones?)\b"
    r"|(?<=[KM]) (?:views|visits|members|users|followers|downloads)\b"
    r"|(?<=[CF]) (?:outside|inside|degrees)\b"
)
_TABLE = re.compile(r"\b(?i:tables?|boards?) \Z")  # numbered, but for `on this board 31P`
_ALSO = re.compile(r",? (?:and |or )?|/")  # between look-alikes: `rooms 43D, 52S and 61P`
_NEIGHBOUR = r"([1-6]{2}[A-Z])"
_PREVIOUS = re.compile(rf"(?<!\w){_NEIGHBOUR}(?:,? (?:and |or )?|/)\Z")
_NEXT = re.compile(rf"(?:,? (?:and |or )?|/){_NEIGHBOUR}(?!\w)")
_USUAL = set("DPSZ")


def is_look_alike(bare: str, start: int, end: int) -> bool:
    """Whether the words around a possible play or sequence show that it is something else."""
    before = bare[max(start - _MAX_BEFORE, 0) : start]
    after = bare[end : end + _MAX_AFTER]
    last = bare[end - 1] if end - start == len("31P") else ""
    is_price = last == "$" and _PRICE.search(before) is not None
    is_number = last in {*"ABCEF"} and _TABLE.search(before) is not None
    is_quantity = last != "" and _QUANTITY.match(bare, end) is not None
    is_address = _STREET.match(after) or _NUMBER.match(after) or _BEFORE.search(before)
    return is_price or is_number or is_quantity or is_address is not None


def has_odd_neighbour(bare: str, start: int, end: int) -> bool:
    """Whether a possible opening is in a list with a token that nobody would open with.

    That token may be the size of a resistor or a seat, `21A, 21B and 31D`.
    """
    previous = _PREVIOUS.search(bare[max(start - _MAX_BEFORE, 0) : start])
    following = _NEXT.match(bare[end : end + _MAX_AFTER])
    tokens = [match[1] for match in (previous, following) if match]
    odd = [token for token in tokens if token not in OPENINGS and token[2] not in _USUAL]
    return any(token[0] != token[1] for token in odd)


# The words of the alphabet, without those of advanced letters.
_WORDS = {
    word
    for family in FAMILIES
    if not family.is_advanced
    for word in family.word.split(", ")
    if word.isalpha()
} | {"zsplit", "reverse split"}
ANY_WORD = "|".join(map(re.escape, sorted(_WORDS)))
_PIECE = re.compile(
    rf"""(?P<roll>[1-6]{{2}})
         (?: (?P<word>-?(?i:{ANY_WORD})(?![A-Za-z0-9])) | (?P<name>{NAME}) )?
      | (?: {CUBE} | Fan | beaver | raccoon | [CRPTF^] | [1-6] ) (?![A-Za-z0-9])""",
    re.VERBOSE,
)
_BEGINS = re.compile(r"(?<![A-Za-z0-9])[1-6]{2}")
_MARK = re.compile(r"-{1,3}>?\Z|\+\Z")
_NACKGAMMON = re.compile(r"(?<![A-Za-z0-9])(?:N(?:ack)?|(?i:nackgammon))[ :]+\Z")
_LONGEST_MARK, _MAX_LISTED, _MAX_INTRO, _MAX_ALONE, _MAX_QUOTE = 15, 30, 40, 80, 4
_MAX_ROLL, _MAX_SLIP = 12, 5
_OPENS = "([{\"'*~,;:|<>)]}!?"
_HYPHEN = re.compile(r"-[ \t]*\n[ \t]*-?| ?-{1,3}>? ?")
_BETWEEN_NAMES = re.compile(rf"{_HYPHEN.pattern}|[/,;:|.]")
_TOGETHER = re.compile(rf"[1-6]{{2}}(?:[{SIGNS}]|[-/,]|(?!\w))")
# Text that cannot follow a token or chain.
_RUNS_ON = re.compile(r"[A-Za-z0-9_%#@]|[-/+=\\][A-Za-z0-9]|[.,:][0-9]")
_OTHER_LETTER = re.compile(
    rf"[/=](?P<dice>[1-6]{{2}})?(?P<letter>(?=[A-Z@$&])[{SIGNS}])(?!\w|/[^A-Z@$&1-6])"
)
# Letters after a roll: `43: Z or D?`, `31, is it P, N or S?`, `With 42: P again.`
_LETTER = rf"(?=[A-Z@$&])[{SIGNS}](?![\w'\u2019])"
_CHOSEN = re.compile(_LETTER)
_CHOICE = re.compile(
    r"(?: at the start| to open)?[:,;?]? "
    r"(?:is it |(?:do|should|would) (?:I|you|we) (?:play|choose) |play )?"
    rf"(?P<letters>{_LETTER}(?:, {_LETTER})*,? or {_LETTER}|{_LETTER}(?:/{_LETTER})+)"
    rf"|: (?P<letter>{_LETTER})(?= (?:again|too|also|of course)\b|[.!]?\s*(?:\n|\Z))"
)
_WITH_ROLL = re.compile(r"\b(?i:with|on|for|against)\s[1-6]{2}\Z")
_CHOSEN_ALONE = re.compile(rf": (?P<letter>{_LETTER})(?=[.;,!])")  # `With 31: P. With 42: S.`
# Openings with their letters apart, in rows or in one line: `65 R`, `62 (S), 43 (Z)`.
_APART = r"[ \t]{0,8}(?:[ \t]|[:=\u2013\u2014]|\|{1,2}|(?<=[ \t])-(?=[ \t]))[ \t]{0,8}"
_PAIR = re.compile(
    rf"(?<![\w./:,-])(?P<roll>[1-6]{{2}})"
    rf"(?:{_APART}(?P<letter>{_LETTER})| ?\((?P<inner>{_LETTER})\))"
)
_NEXT_PAIR = re.compile(
    r"[ \t]{0,2}(?:[,;|/]?[ \t]{1,8}(?:(?:and|or|&)[ \t])?"
    r"|(?:[^\w\n][^\n]{0,60})?\n[ \t>*\u2022|-]{0,8})"
)
_SURNAME = re.compile(r"\. ?[A-Z][a-z]")  # after an initial: `31 P. Smith`
_PLAY_NEXT = re.compile(r"[ \t:=|]{1,9}\(?(?:bar|[0-9]{1,2})/")
_ASKED = re.compile(
    r"(?:(?<=[A-Za-z@$&%])[-\u2013]|\b(?:roll(?:s|ed)?|threw) (?:an? )?)(?P<roll>[1-6]{2})"
    r"(?!\w|[-.,:\u2013]\w| ?%)"
)
_NEXT_CHOICE = re.compile(r"(?:,? (?:or|vs\.?|and|not|but not|never)|,) ")
_AMBIGUOUS = set("AIOX")  # words and players after a roll: `with 31 I would`, `31 X`
_MAX_FROM_ASKED, _MAX_ASKED = 1000, 5  # characters, and sequences before a roll
_MISPRINT = re.compile(r"-[0-9]{2}[A-Z$@&](?![A-Za-z0-9])")  # no roll, but like a token: `71P`
# A token without a digit or turned round, `6R` or `R63`, before or after an opening and others.
_SLIP = r"(?:[1-6][A-Z$@&]|[A-Z$@&][1-6]{2})"
_SLIP_AFTER = re.compile(rf"-{_SLIP}-[1-6]{{2}}[A-Z$@&](?!\w)")
_SLIP_BEFORE = re.compile(rf"(?<![\w-]){_SLIP}-\Z")
_BRACKET = re.compile(r" ?\(([^()\n]{1,60})\)")
_CLAIMED = re.compile(rf" ?(?:=|is)\s*[{SIGNS}](?!\w)")  # `8/5 6/5 = P` is a claim
_NEXT_LINE = re.compile(r"[ \t]*\n")
_NEXT_PIECE = re.compile(r" ?-{1,3}>? ?[1-6]{2}")
_ROW_END = re.compile(r"(?: -)? [A-Z$@&%#](?=[.!?)]*(?:\n|\Z)| or )")
_WORD = re.compile(r"[^\s,;()\[\]]*")
# After a token of a chain: `54S!-63R?`, `54S (his usual) - 63R`; no numbers or other tokens.
_ASIDE = re.compile(
    r"[!?*]{0,3}(?: ?\((?![-+.0-9]|[^()]*[1-6]{2}[A-Z$@&])(?=[^()]*[A-Za-z!?])[^()\n]{1,60}\))?"
    r"[!?*]{0,3}(?=-| -{1,3}>? ?[1-6]{2}[A-Z$@&])"
)
_FANS = re.compile(
    r"(?<=[1-6]{2})(?::|,)? \(?(?:fan(?:s|ned)?|danced?s?|no (?:move|play))\b\)?(?=[,;:.])"
)
_LAST_DOT = re.compile(rf"(?<=(?:{'|'.join(2 * die for die in '123456')})[A-Za-z])\.(?=\n|\Z)")
_UNKNOWN = re.compile(r"\?+(?=-)")  # an unknown play: later tokens cannot be read
_POINTS = 24  # `21-point` is a point of the board, or the length of a match
_LISTED = re.compile(r"(?: \([^()\n0-9]{1,30}\))?(?:,? |,?[ \t]*\n[ \t]*|[ \t]{2,12})")
_GOES_ON = re.compile(r",?(?: +|\n)(?:and|or|&)\s")
_SIDE = r"(?:I|he|she|they|we|you|(?i:white|black)|(?:my |his |her |the )?opponent)"
_ROLLS = r"(?:roll(?:ed|s)?|repl(?:ied|ies|y)|answer(?:ed|s)?|respond(?:ed|s)?)(?: with)?(?: an?)?"
_ROLL_CLAUSE = rf"(?:(?:and|but|then|now) )*(?:{_SIDE} )?(?:then )?{_ROLLS}\s"
_NEXT_TURN = re.compile(rf"[,;]? (?:{_ROLL_CLAUSE}|(?:and )?then\s)")  # between plays of a game
_MOVES = re.compile(r"\bfirst (?:\w+ )?(?:moves|turns|plays) (?:were|are):? \Z")
_TO_PLAY = re.compile(
    rf"(?:,?(?: |\s(?=and|now))(?:and )?(?:now )?|[,;]?\s{_ROLL_CLAUSE})([1-6]{{2}})"
    r"(?=\s*(?:[\[?.!,;:)\n\"\u201d]|(?:instead|and now|now|what|how|I|he|she|to play)\b|\Z))"
    r"(?![.,:][0-9])"
)

# A player before each play: `Bob: 31P / Me: 62S`.
_PLAYER = r"(?P<player>[A-Za-z][\w'.-]{0,15}(?: [A-Z]\w{0,15})?)[ \t]?:[ \t]{1,3}"
_PLAYER_BEFORE = re.compile(
    rf"(?:\A|[\n.;,/]|[ \t]{{2}}|(?<=[1-6][A-Z@$&])[ \t])[ \t]{{0,3}}{_PLAYER}\Z"
)
_NEXT_PLAYER = re.compile(rf"[ \t]{{0,3}}[.;,/]?(?:[ \t]{{1,3}}|[ \t]{{0,3}}\n){_PLAYER}")
_NEXT_ROLL = re.compile(rf"{_NEXT_PLAYER.pattern}([1-6]{{2}})(?=[ \t.]*(?:[?!,;)\n]|\Z))")
_PLAYERS = frozenset(re.findall("[a-z]+", "i me you he she they him her opp opponent white black"))


def chains(bare: str, parts: Parts, nacbracs: set[int]) -> Iterator[Span]:
    """The chains, single plays and rolls of nacbracs outside the given parts."""
    at = code_end = 0  # the end of the last look-alike
    while match := _BEGINS.search(bare, at):
        at = match.start()
        if part_end := parts.end_around(at):
            at = part_end
            continue
        start = _start(bare, at)
        pieces, end = _pieces(bare, at, parts.next_start(at))
        if start < 0:
            yield from _after_slip(bare, at, pieces)
            at = end
            continue
        letters = list(filter(parts.is_free, _other_letters(bare, pieces, end)))
        broken = not letters and _RUNS_ON.match(bare, end) is not None
        if broken:
            end = _word_end(bare, end)
        span = Span(
            Shape.CHAIN, start, end, pieces, broken, bare[max(start - 3, 0) : start] == "..."
        )
        at = end
        shape = _shape(bare, span, nacbracs)
        is_listed = code_end and _ALSO.fullmatch(bare, code_end, span.start)
        if is_listed or is_look_alike(bare, span.start, span.end):
            code_end = span.end
            continue
        if shape:
            yield span._replace(shape=shape)
        if shape or (letters and len(pieces) == 1):
            yield from letters
            at = letters[-1].end if letters else at


def _after_slip(bare: str, at: int, pieces: tuple[Piece, ...]) -> Iterator[Span]:
    """The chain of a misprint and the tokens after it, from an offset on: `5S-63R-31P`."""
    slip = _SLIP_BEFORE.search(bare, max(at - _MAX_SLIP, 0), at)
    is_chain = sum(piece.clear for piece in pieces) > 1 and _has_opening(bare, pieces)
    if slip and is_chain and not is_look_alike(bare, slip.start(), pieces[-1].end):
        yield Span(Shape.CHAIN, slip.start(), pieces[-1].end, pieces, broken=True)


def _has_opening(bare: str, pieces: Sequence[Piece]) -> bool:
    """Whether one of the tokens is a usual opening."""
    return any(bare[piece.start : piece.end] in OPENINGS for piece in pieces)


def _other_letters(bare: str, pieces: Sequence[Piece], at: int) -> Iterator[Span]:
    """The letters after the last roll: S of `63R/S` or `54S-63R/63S`, Z and D of `43: Z or D`."""
    while pieces and pieces[-1].clear and (letter := _OTHER_LETTER.match(bare, at)):
        if letter["dice"] not in {None, _dice(bare, pieces[-1])}:
            return
        yield _letter(pieces[-1], *letter.span("letter"))
        at = letter.end()
    is_roll = pieces and bare[pieces[-1].start : pieces[-1].end].isdecimal()
    if is_roll and at == pieces[-1].end:
        for span in chosen_letters(bare, at):
            yield _letter(pieces[-1], *span)


def chosen_letters(bare: str, at: int) -> list[tuple[int, int]]:
    """The places of the letters after a roll that ends at an offset: `43: Z or D?`, `42: P`."""
    choice = _CHOICE.match(bare, at)
    if not choice and _WITH_ROLL.search(bare, max(at - _MAX_ROLL, 0), at):
        choice = _CHOSEN_ALONE.match(bare, at)
    if not choice:
        letter = _letters_apart(bare).get(at)
        return [letter] if letter else []
    return [match.span() for match in _CHOSEN.finditer(bare, *choice.span(choice.lastgroup or 0))]


def _together(pair: re.Match[str]) -> str:
    """The token of a roll and its letter."""
    return f"{pair['roll']}{pair['letter'] or pair['inner']}"


@lru_cache(maxsize=1)  # asked for each roll of a text
def _letters_apart(bare: str) -> dict[int, tuple[int, int]]:
    """The places of letters apart from their rolls, by where these end: `65 R`, above `64 S`.

    Three rolls in a run look like nothing else if most are usual openings, and two with brackets,
    `62 (S), 43 (Z)`, if one is. So do two openings of a roll, `64 S or 64 R`, and a roll that a
    sequence asks about: `43Z-62S-65: I like 65 R`.
    """
    pairs = list(_PAIR.finditer(bare))
    runs: list[list[re.Match[str]]] = [[]]
    for pair in pairs:
        if runs[-1] and not _NEXT_PAIR.fullmatch(bare, runs[-1][-1].end(), pair.start()):
            runs.append([])
        runs[-1].append(pair)
    kept: list[re.Match[str]] = []
    for run in runs:
        tokens = {_together(pair) for pair in run}
        least = 2 if all(pair["inner"] for pair in run) else 3
        is_long = len({token[:2] for token in tokens}) >= least
        are_names = sum(_SURNAME.match(bare, pair.end()) is not None for pair in run) > 1
        if is_long and not are_names and 2 * len(tokens.intersection(OPENINGS)) >= len(tokens):
            has_replies = not tokens.issubset(OPENINGS)  # `66 B 24/18(2) 13/7(2)` is a claim
            kept += [
                pair for pair in run if not (has_replies and _PLAY_NEXT.match(bare, pair.end()))
            ]
    for pair, other in pairwise(pairs):
        are_usual = {_together(pair), _together(other)}.issubset(OPENINGS)
        is_choice = are_usual and pair["roll"] == other["roll"] and pair[0] != other[0]
        if is_choice and _NEXT_CHOICE.fullmatch(bare, pair.end(), other.start()):
            kept += pair, other
    asked = [(match.end(), match["roll"]) for match in _ASKED.finditer(bare)]
    for pair in pairs if asked else ():
        before = bisect(asked, (pair.start(), ""))
        near = asked[max(before - _MAX_ASKED, 0) : before]
        is_asked = any(
            roll == pair["roll"] and pair.start() - end < _MAX_FROM_ASKED for end, roll in near
        )
        is_claim = _PLAY_NEXT.match(bare, pair.end()) is not None
        if is_asked and not is_claim and _together(pair)[2] not in _AMBIGUOUS:
            kept.append(pair)
    return {pair.end("roll"): pair.span(pair.lastgroup or 0) for pair in kept}


def _letter(roll: Piece, start: int, end: int) -> Span:
    return Span(Shape.PLAY, start, end, (Piece(start, end, True, True, roll=roll.start),))


def _dice(bare: str, piece: Piece) -> str:
    return bare[piece.start : piece.start + 2]


def _start(bare: str, at: int) -> int:
    """The offset of the marks before a roll, or of the roll; -1 if no token can begin there."""
    before = bare[max(at - _LONGEST_MARK, 0) : at]
    for mark in (_MARK, _NACKGAMMON):
        if match := mark.search(before):
            before = before[: match.start()]
            at -= len(match[0])
    last, second_last = before[-1:], before[-2:-1]
    attached = last and not last.isspace() and not before.endswith("...")
    if attached and (last not in _OPENS or (last in ":,'" and second_last.isalnum())):
        return -1  # as in 1:54 and 1,254
    return at


def _pieces(bare: str, at: int, until: int | None) -> tuple[tuple[Piece, ...], int]:
    """The tokens from an offset on, and the end of the last.

    Stops at `until`, where another part begins, such as the score of a nacbrac.
    """
    until = len(bare) if until is None else until
    pieces: list[Piece] = []
    separators: set[str] = set()
    end = at
    line_start = bare[max(at - _LONGEST_MARK, 0) : at].rpartition("\n")[2]
    while match := _PIECE.match(bare, at, until):
        pieces.append(_piece(bare, match, until))
        at = end = pieces[-1].end
        if _UNKNOWN.match(bare, at) and not pieces[-1].named:
            pieces.pop()
            end = _word_end(bare, at)
            break
        if pieces[-1].named and (aside := _ASIDE.match(bare, at, until)):
            at = end = aside.end()
        elif aside := _FANS.match(bare, at, until):
            at = end = aside.end()  # `66: fan`
            pieces[-1] = pieces[-1]._replace(named=True)
        between = (_BETWEEN_NAMES if pieces[-1].named else _HYPHEN).match(bare, at)
        if len(pieces) > 1 and bare.startswith(f"/{_dice(bare, pieces[-1])}", at):
            break  # `54S-63R/63S`
        if between and (following := _PIECE.match(bare, between.end(), until)):
            if between[0] == "/" and following[0].isalpha() and separators != {"/"}:
                break  # C of `65R-44B/C` is another play, but a double in `54S/63R/C`
            separators.add(between[0])
            at = between.end()
        elif not (pieces[-1].named and _TOGETHER.match(bare, at)):
            break
    is_open = len(pieces) > 1 and not pieces[-1].named and not _CHOICE.match(bare, end)
    if is_open and (letter := _ROW_END.match(bare, end, until)):
        end = letter.end()  # `52D-64H R`
        pieces[-1] = pieces[-1]._replace(end=end, named=True, clear=True)
    if len(pieces) > 1 and not line_start.strip(" ->") and _LAST_DOT.match(bare, end):
        end += 1  # a doublet's dot: the line consists of tokens and is no sentence
        pieces[-1] = pieces[-1]._replace(end=end)
    return tuple(pieces), end


def _word_end(bare: str, at: int) -> int:
    word = _WORD.match(bare, at)
    return word.end() if word else at


def _piece(bare: str, match: re.Match[str], until: int) -> Piece:
    """A token, with its play in longhand: `63: 24/15`, `63(24/15)`, `54S(24/20 13/8)-63R`.

    A claim stays outside: longhand before a letter, `54 24/20 13/8 = S`, and longhand in brackets
    after a letter if no token follows.
    """
    word, name, (start, end) = match["word"], match["name"], match.span()
    is_named = bool(word or name)
    if match["roll"]:
        roll = Roll.parse(match["roll"])
        is_title = _NEXT_LINE.match(bare, end)  # the plays below it are candidates
        hops, stop = ((), end) if is_named or is_title else longhand_after(bare, end, roll)
        is_claim = bool(hops) and _CLAIMED.match(bare, stop) is not None
        if not hops and (bracket := _BRACKET.match(bare, end)):
            hops, stop = longhand_alone(bracket[1]), bracket.end()
            is_claim = is_named and not _NEXT_PIECE.match(bare, stop)
        if hops and stop <= until and not is_claim:
            return Piece(start, stop, True, True, longhand=not is_named)
    return Piece(start, end, is_named, bool(word) or is_clear(name))


def _shape(bare: str, span: Span, nacbracs: set[int]) -> Shape | None:
    """The shape of a chain; None if it is not Nactation."""
    pieces = span.pieces
    clear = sum(piece.clear for piece in pieces)
    if span.broken:
        end = pieces[-1].end if pieces else span.end
        is_slip = _SLIP_AFTER.match(bare, end) is not None and _has_opening(bare, pieces)
        clear += is_slip or _MISPRINT.match(bare, end) is not None
        return Shape.CHAIN if clear > 1 else None
    if len(pieces) == 2 and pieces[0].end == pieces[1].start and not pieces[1].named:
        return None  # as 65R15, a size of tyres
    if len(pieces) > 1:
        return Shape.CHAIN if clear else None
    if not pieces:
        return None
    if _before_nacbrac(bare, span.end) in nacbracs and not pieces[0].named:
        return Shape.ROLL
    text = bare[pieces[0].start : span.end]
    if not pieces[0].named or text[2].isdigit() or text[2] in "%=+<>":
        return None
    if text[2:].lower() in {"-point", "point"} and int(text[:2]) <= _POINTS:
        return None
    return Shape.PLAY


def _before_nacbrac(bare: str, end: int) -> int:
    """The offset at which a nacbrac, or its score, may follow a roll."""
    return end + (bare[end : end + 1] in {" ", "-"})


def with_lists(bare: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The chains, with adjacent single plays joined to lists."""
    plays: list[Span] = []
    is_game = False
    for chain in spans:
        is_marked = chain.start < chain.pieces[0].start if chain.pieces else True
        is_single = chain.shape is Shape.PLAY and not (chain.goes_on or chain.broken)
        if plays and (is_marked or not is_single or len(plays) == _MAX_LISTED):
            yield from _listed(bare, plays, is_game)
            plays = []
        if plays:
            between = flowing(bare[plays[-1].end : chain.start])
            is_next_turn = _NEXT_TURN.fullmatch(between) is not None or bool(
                between in {" and ", ", and "}
                and _MOVES.search(bare, max(plays[0].start - _MAX_INTRO, 0), plays[0].start)
            )
            is_next_turn = is_next_turn or _is_by_next_player(bare, plays, chain)
            # S of `63R/S`, but not of `31P 63: S`
            is_letter = bool(chain.pieces) and 0 <= chain.pieces[0].roll <= plays[-1].start
            if not (is_next_turn or is_letter or _LISTED.fullmatch(between)):
                yield from _listed(bare, plays, is_game)
                plays = []
            is_game = bool(plays) and (is_game or is_next_turn)
        if is_single:
            plays.append(chain)
        else:
            yield chain
    yield from _listed(bare, plays, is_game)


def _is_by_next_player(bare: str, plays: Sequence[Span], play: Span) -> bool:
    """Whether players are named in turn before the plays of a game: `Bob: 31P / Me: 62S`.

    One of them is `me` or the like, or the first player follows again. Plays of one roll are
    answers of several people.
    """
    previous = plays[-1]
    named = _NEXT_PLAYER.fullmatch(bare, previous.end, play.start)
    names = [_player_before(bare, each) for each in (*plays[-2:], play)]
    if not named or not names[-2] or names[-1] == names[-2]:
        return False
    if len(plays) > 1:
        return names[-1] == names[-3]
    following = _NEXT_PLAYER.match(bare, play.end)
    is_known = not _PLAYERS.isdisjoint(names)
    is_game = is_known or (following is not None and following["player"].lower() == names[-2])
    return is_game and _dice(bare, previous.pieces[0]) != _dice(bare, play.pieces[0])


def _player_before(bare: str, play: Span) -> str:
    """The name before a play, in small letters; empty if there is none."""
    match = _PLAYER_BEFORE.search(bare, max(play.start - _MAX_INTRO, 0), play.start)
    return match["player"].lower() if match else ""


def _is_named_or_told(bare: str, play: Span) -> bool:
    """Whether a play has a letter, or is longhand in a sentence or alone: no row of a record."""
    if not play.pieces[0].longhand:
        return True
    before = bare[max(play.start - _MAX_QUOTE, 0) : play.start].rstrip(" (\"'")
    is_alone = len(bare) < _MAX_ALONE and not bare[play.end :].strip(".!? \n")
    return before[-1:].isalpha() or (is_alone and not bare[: play.start].strip())


def _listed(bare: str, plays: list[Span], is_game: bool) -> Iterator[Span]:
    """Adjacent plays as one list with the roll to play, or unchanged if they are no list."""
    if not plays:
        return
    end, pieces = plays[-1].end, [play.pieces[0] for play in plays]
    is_apart = pieces[-1].roll >= 0  # D of `43: D, 32: S`
    to_play = None if is_apart else _TO_PLAY.match(bare, end)  # `54-split, 63-run, 31`
    if not to_play and is_game:
        to_play = _NEXT_ROLL.match(bare, end)
    if not to_play and (len(plays) < 2 or _GOES_ON.match(bare, end)):
        yield from (play for play in plays if _is_named_or_told(bare, play))
        return
    if to_play:
        end = to_play.end()
        pieces.append(Piece(*to_play.span(to_play.lastindex or 0)))
    yield Span(Shape.LIST, plays[0].start, end, tuple(pieces), is_game=is_game)


_TURN = r"[1-6]{2}[A-Z$@&](?!\w)"
# The terms of the game alone. One suffices.
_TERMS = (
    r"(?:back|nack)gammon|gammons?|gammon-(?:go|save)|nact\w*|rollouts?|blots?|checkers?"
    r"|redoubles?|doublets?|cubeful|chouette|pips?|crawford|dmp|xg(?:id)?|gnubg|snowie"
    r"|(?:one|two|three|four|five|bar)[- ]point|zplits?"
    r"|[1-6]{2}-(?:split|reverse|slot|run|point|down|up|hit)"
)
# Words that discussions of plays share with other subjects. It takes two, in sentences with a play.
_COMMON = (
    r"dice|dances?|danced|fans|fanned|roll(?:s|ed|ing|outs)?|openings?|opens?|opened|openers?"
    r"|repl(?:y|ies|ied)|slots?|slotted|slotting|anchors?|primes?|cubes?|midpoint|builders?"
    r"|equity|blunders?|splits|splitting|tutorial|[1-8]-point|[1-6]-[1-6]"
    r"|split|runs?|running|ran|hits?|hitting|plays?|played|points?|double[sd]?|takes?|prefers?|likes?"
    r"|best|better|worse|right|wrong|error|positions?|diagram|sequence|games?|match|money|scores?"
    r"|white|black|opponent|bots?|answers?|against|versus|vs|moves?|letters?|safe|bold|natural"
    r"|hates?|favou?rites?|threw|throws?|wins|won|starts?|started|begins?|began|candidates?"
    r"|following|facing|responses?|responds?|responded|answered|opp|playable|votes?|poll"
    rf"|theory|common|choice|analy[sz]\w+|after(?= {_TURN})"
    # German, French, Italian, Spanish, Dutch, Swedish and Danish
    r"|er\u00f6ffn\w+|gegner\w*|(?:ge)?w\u00fcrf\w+|wurf|(?:ge)?spiel\w*|antwort\w*|zug|besser|stellung"
    r"|ouv(?:re|ert|rir)\w*|adversaire|d\u00e9s|jou(?:e|er|ez|\u00e9)|coup|r\u00e9pon\w+|mieux|meilleure?"
    r"|apr(?:o|e|ire|i)|aper(?:to|tura)\w*|avversari\w+|dadi|gioc\w+|mossa|rispo\w+|meglio"
    r"|abr(?:o|e|\u00ed|i\u00f3|ir)|rival|dados|jueg\w+|jug\w+|jugada|mejor|respuesta"
    r"|pr\u00e9f\u00e8re|prefi?er\w+"
    rf"|(?:nach|apr\u00e8s|efter|dopo|despu\u00e9s de|tras|na)(?= {_TURN})"
    r"|speel\w*|gespeeld|gooi\w*|tegenstander\w*|spelar|spelade|motst\u00e5ndar\w*"
    r"|\u00e5bn\w+|modstander\w*|terning\w*|slog|spill\w+|tr\u00e6k|svar\w*|bedre|bedst"
)
_SUBJECT_WORD = re.compile(
    rf"(?<![\w-])(?:(?P<term>{_TERMS})|(?:{_COMMON}))(?![\w-])", re.IGNORECASE
)
_PLAY = re.compile(rf"(?<![\w-]){_TURN}")
# A noun before a code is its label: `slot 21S`.
_LABEL = re.compile(rf"(?:slot|anchor|cube|roll|prime) {_TURN}", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!][\"')]?\s+(?=\S)")
# Longhand: two portions, a hit, an entry, or one right after a letter. Or one play above another.
# Or a turn in words: `opened with 51S`, `a reply to 51S`, `33 after 43D`, `51S is answered by`.
_VERBS = (
    r"(?:I|you|we|they|to|would|always|usually) open|opens|opened|replie[sd]|answer(?:s|ed)"
    r"|respond(?:s|ed)|rolls|rolled|threw|plays|played"
)
_NOTATION = re.compile(
    r"(?<![\w./])(?:bar|[0-9]{1,2})/[0-9]{1,2}(?:\*|[(,; ]{1,2}(?:bar|[0-9]{1,2})/)|\bbar/[0-9]"
    r"|[1-6]{2}[A-Z$@&](?: is| =|:)? \(?[0-9]{1,2}/[0-9]|[1-6]{2}[A-Z$@&] > [1-6]{2}[A-Z$@&]"
    rf"|\b(?i:(?:{_VERBS})(?: with)?|(?:repl(?:y|ies)|answers?|responses?) to) {_TURN}"
    rf"|(?<![\w./:-])[1-6]{{2}}[A-Z$@&]? (?:after|against|vs\.?) {_TURN}"
    rf"|\b(?i:after|following|against|facing|versus) {_TURN}, {_TURN}"
    r"|\b(?:rolls|rolled|threw) (?:an? )?(?:[1-6]{2}|[1-6]-[1-6])(?![\w./:-]\w|\w)"
    rf"|(?<!\w){_TURN} (?:is|was) answered (?:by|with)\b"
    rf"|(?<=-){_TURN}-\?"
    rf"|(?<![\w-]){_TURN}-[1-6]{{2}}[:,;?]? [A-Z$@&](?:, [A-Z$@&])*,? or [A-Z$@&](?!\w)"
)
_ROLL = re.compile(r"(?<![\w./:-])[1-6]{2}(?![\w%/:]|[.-]\w)")
LONE_ROLL = re.compile(r"(?<![\w./:-])[1-6]{2}(?!\w)")
# A player right before a play, `me 65R`, at the start of a clause.
_PLAYER_WORD = re.compile(rf"(?:\A|[\n.,;!?]) ?(?i:(me|you|him|her|them|us)):? {_TURN}")
# Usual openings, and what joins two of one roll or any two.
_OPENING = "|".join(sorted({re.escape(token) for token in OPENINGS}))
_TOKEN = re.compile(rf"(?<![\w-])(?:{_OPENING})(?!\w)")
_OR = re.compile(r"[,;]? ?(?:or|and not|versus|vs\.?|not|over|but not|/|>) ?")
_AND = re.compile(r" (?:and|or) (?:the|a) ")
_MAX_ALTERNATIVE = 40  # characters between alternatives
_MAX_WORDS = 3  # of a text that is hardly more than a play
_STEP = 500  # characters
_MIN_SIGNS = 2


class Subject:
    """The signs of backgammon in a text, by their places."""

    def __init__(self, bare: str) -> None:
        self._signs: defaultdict[int, set[str]] = defaultdict(set)
        self._terms: set[int] = set()
        ends = [match.end() for match in _SENTENCE_END.finditer(bare)]
        rolls: defaultdict[int, set[str]] = defaultdict(set)  # of the plays in each sentence
        for match in _PLAY.finditer(bare):
            rolls[bisect(ends, match.start())].add(match[0][:2])
        runs = _letters_apart(bare)
        for match in LONE_ROLL.finditer(bare):
            tokens = [match[0] + bare[at] for at, _ in chosen_letters(bare, match.end())]
            usual = [token for token in tokens if token in OPENINGS]
            if tokens and len(usual) >= min(len(tokens), 2):
                rolls[bisect(ends, match.start())].add(match[0])
                is_apart = match.end() in runs
                sign = usual[0] if len(tokens) == 1 and not is_apart else "alternatives"
                self._add_sign(match.start(), sign)
                if is_apart and usual[0][2] in "PZ$":  # no party and no size of clothes
                    self._add_sign(match.start(), usual[0][2])
        for match in _SUBJECT_WORD.finditer(bare):
            if match["term"]:
                self.add(match.start())
            elif bisect(ends, match.start()) in rolls and not _LABEL.match(bare, match.start()):
                self._add_sign(match.start(), match[0].lower())
        for match in _ROLL.finditer(bare):
            if match.end() not in runs and match[0] in rolls.get(bisect(ends, match.start()), ()):
                self._add_sign(match.start(), "roll of a play")
        for match in _PLAYER_WORD.finditer(bare):
            self._add_sign(match.start(), match[1].lower())
        for match in _NOTATION.finditer(bare):
            self.add(match.start())
        self._add_openings(bare)
        self._is_bare = len(bare) < _STEP and _is_bare(bare)

    def _add_openings(self, bare: str) -> None:
        """Add usual openings close together: alternatives for a roll, or two slots."""
        alternatives = 1  # in a row
        for first, second in pairwise(_TOKEN.finditer(bare)):
            is_near = second.start() - first.end() <= _MAX_ALTERNATIVE and first[0] != second[0]
            is_alternative = is_near and first[0][:2] == second[0][:2]
            alternatives = alternatives + 1 if is_alternative else 1
            are_slots = is_near and first[0][2] == second[0][2] == "$"
            joint = _OR if is_alternative else _AND
            are_joined = is_near and joint.fullmatch(bare, first.end(), second.start())
            if alternatives > 2 or are_slots or are_joined:
                self.add(second.start())
            elif is_alternative:
                self._add_sign(second.start(), "alternatives")

    def _add_sign(self, at: int, sign: str) -> None:
        """Add a sign of backgammon; it takes two."""
        self._signs[at // _STEP].add(sign)

    def add(self, at: int) -> None:
        """Add a place of Nactation that looks like nothing else."""
        self._terms.add(at // _STEP)

    def is_backgammon(self, at: int) -> bool:
        """Whether the words around an offset are about backgammon."""
        if self._is_bare:
            return True
        places = range(at // _STEP - 2, at // _STEP + 3)
        if not self._terms.isdisjoint(places):
            return True
        signs: set[str] = set()
        return len(signs.union(*(self._signs.get(place, ()) for place in places))) >= _MIN_SIGNS


def _is_bare(text: str) -> bool:
    """Whether a short text has few words of several characters, or most of them are plays."""
    words = re.findall(r"\w\S+", text)
    plays = sum(re.match(r"[1-6]{2}[A-Z$@&]", word) is not None for word in words)
    return len(words) <= _MAX_WORDS or 2 * plays > len(words)
