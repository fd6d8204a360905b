"""The tokens of a sequence, split and read without any position (section 11).

Reads `54S-63R-31P` as people write it: with other separators, pairs run together, words
(`54-split`), a hyphen before the letter (`41-n`), file names (`41hh`), longhand (`63: 24/15`), bare
rolls, fans, single digits, cube letters, emphasis and comments, and styles pasted from a forum.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from enum import Enum

from gnubg_nactation.backgammon.notation import Hop, hops_at, resolve
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, OFF, STANDARD, Position
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError
from gnubg_nactation.language.alphabet import FAMILIES, Diacritic, family
from gnubg_nactation.language.dialects import CURRENT, Dialect
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.markup import Glyph
from gnubg_nactation.writing.scan import CHARACTERS, Scan

SAFE_WORDS = {
    "^": "fan",
    "<": "in",
    ">": "all",
    "=": "two",
    "+": "four",
    "&": "and",
    "$": "slot",
    "@": "anchor",
}
_SYMBOLS = {word: symbol for symbol, word in SAFE_WORDS.items()}
SAFE_NAME = (
    rf"(?P<name>{'|'.join(sorted(_SYMBOLS, key=len, reverse=True))}"
    r"|(?P<letter>[a-z])(?P=letter)?|\d)"
    r"(?P<mark>[_~]?)(?:\+(?P<member>[1-9]\d{0,5}))?"
)
"""Matches a safe spelling in any case; `read_safe` reads the match."""


def spell_safe(name: Nactation) -> str:
    """Spell a Nactation in safe characters."""
    family = name.family
    mark: str = family.suffix.replace(".", "~")
    if family.character.isalpha() and not name.is_formatted:
        letter = name.look.character  # only case differs: P pp, U V uu vv
        return f"{letter if letter.isupper() else 2 * letter}{mark}"
    first = SAFE_WORDS.get(family.character, family.character)
    return f"{first}{mark}+{name.member}" if name.member > 1 else first + mark


def read_safe(match: re.Match[str]) -> Nactation:
    """Read a match of SAFE_NAME; raises MalformedError for a mark its letter cannot have."""
    letter, name = match["letter"], match["name"].lower()
    if letter:
        glyph = letter.lower() if len(name) > 1 else letter.upper()
    else:
        glyph = _SYMBOLS.get(name, name)
    nactation = parse_nactation(glyph + match["mark"].replace("~", "."))
    return Nactation(nactation.family, int(match["member"] or nactation.member))


def is_plain(match: re.Match[str]) -> bool:
    """Whether a match may also be a Nactation in its usual spelling."""
    return len(match["name"]) == 1 and match["mark"] != "~" and not match["member"]


_AFTER_ROLL = re.compile(r"(?:\s*[:,]|-{1,3}>?)?\s*")
_BETWEEN = re.compile(r"\s*,?\s*")
_AROUND = " .,:;=!?"  # of a play in a comment: `(= 8/5 6/5!)`
_MAX_WORDS = 4


def longhand_after(bare: str, at: int, roll: Roll) -> tuple[tuple[Hop, ...], int]:
    """The hops of the play after a roll that ends at an offset, and where the play ends.

    Without a play there are no hops. Only hops that fit the dice count: in `54 21/11` no checker
    can move ten pips, so 21 and 11 are rolls. After a colon all hops count: those that do not fit
    are an illegal play.
    """
    gap = _AFTER_ROLL.match(bare, at)
    start = gap.end() if gap else at
    hops, end = longhand_at(bare, start, roll)
    if not hops and ":" in bare[at:start]:
        for word, stop in play_words(bare, start):
            hops, end = (*hops, *word), stop
    return hops, end


def longhand_at(bare: str, at: int, roll: Roll) -> tuple[tuple[Hop, ...], int]:
    """The hops at an offset that fit the dice, and where they end; no hops without a play."""
    pips = 4 * roll.high if roll.is_doublet else roll.high + roll.low
    hops: list[Hop] = []
    end = at
    for word, stop in play_words(bare, at):
        pips -= sum(hop.source - hop.target for hop in word)
        if pips < 0 or not all(_fits(hop, roll) for hop in word):
            break
        hops += word
        end = stop
    return tuple(hops), end


def longhand_alone(text: str) -> tuple[Hop, ...]:
    """The hops of a text that is a play and nothing else, legal or not; else none."""
    text = text.strip(_AROUND)
    words = list(play_words(text, 0))
    hops = [hop for word, _ in words for hop in word]
    if not words or words[-1][1] < len(text) or any(hop.source <= hop.target for hop in hops):
        return ()  # `(1/2)` is a fraction
    return tuple(hops)


_HOP = re.compile(r"(?<![\w/.,-])(?:bar|[12]?[0-9])/(?=\d|off)", re.IGNORECASE)
_BLANK_OR_COMMA = re.compile(r",? |,")
# A play goes on in the next line of a sentence, but not in that of a table.
_IN_SENTENCE = re.compile(r"[a-z]{2}|[(=]")
_OR_NEXT_LINE = re.compile(
    r",?[ \t]?\n[ \t]?(?=[^\s=]+(?:\)|[,.;:]? (?!is [A-Z@$&]\b)[a-z]{2}))"
    rf"|{_BLANK_OR_COMMA.pattern}"
)
_MAX_BEFORE = 80  # characters


def longhand_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the plays in a text begin and end, legal or not."""
    at = 0
    while hop := _HOP.search(text, at):
        start, at = hop.span()
        line = text[max(start - _MAX_BEFORE, 0) : start].rpartition("\n")[2]
        between = _OR_NEXT_LINE if _IN_SENTENCE.search(line) else _BLANK_OR_COMMA
        if ends := [end for _, end in play_words(text, start, between)]:
            at = ends[-1]
            yield start, at


def plays_of(hops: Sequence[Hop], plays: Sequence[Play], roll: Roll) -> tuple[Play, ...]:
    """The legal plays that hops may be: one, none, or several if they leave a choice."""
    if not plays:
        return ()
    try:
        return (resolve(hops, plays[0].before, roll, plays),)
    except AmbiguousError as error:
        return tuple([play for play in error.candidates if isinstance(play, Play)])
    except IllegalError:
        return ()


def other_play(
    glosses: Iterable[tuple[Hop, ...]], play: Play | None, plays: Sequence[Play]
) -> tuple[tuple[Hop, ...], tuple[Play, ...]]:
    """The first of the plays in comments that is not `play`: its hops and the plays it may be.

    `play` is None for a fan. Without another play there are no hops; one that is not legal counts.
    """
    for hops in glosses:
        meant = plays_of(hops, plays, play.roll) if play else ()
        if play not in meant:
            return hops, meant
    return (), ()


def play_words(
    bare: str, at: int, between: re.Pattern[str] = _BETWEEN
) -> Iterator[tuple[tuple[Hop, ...], int]]:
    """The hops of each word of a play from an offset on, with its end; at most four words.

    `between` matches what separates two words.
    """
    for _ in range(_MAX_WORDS):
        hops, end = hops_at(bare, at)
        if not hops:
            return
        yield hops, end
        gap = between.match(bare, end)
        at = gap.end() if gap else end


def _fits(hop: Hop, roll: Roll) -> bool:
    """Whether one checker can make this hop with one or more of the dice."""
    pips = hop.source - hop.target
    dice = {roll.high, roll.low, roll.high + roll.low}
    if roll.is_doublet:
        dice |= {3 * roll.high, 4 * roll.high}
    return pips in dice or (hop.target == OFF and 0 < pips < max(dice))


class TokenKind(Enum):
    """The kinds of tokens."""

    PLAY = "play"  # a roll and a name for the play, or the play in traditional notation
    ROLL = "roll"  # a roll alone
    FAN = "fan"  # nothing enters; the roll is not given
    ENTER = "enter"  # one checker enters with `die`
    OFF = "bear off"  # checkers are borne off; the roll is not given
    OFFER = "double or redouble"
    DOUBLE = "double"
    REDOUBLE = "redouble"
    BEAVER = "beaver"
    TAKE = "take"
    PASS = "pass"


class Token(NamedTuple):
    """One turn as written: `text` at offset `at` of the sequence.

    `names` are its possible Nactations, the likeliest first (a period after a letter may be a dot
    or a separator). `die` is the one that enters, or that a play comes down with (`51-5-down`),
    else 0. `natural` is set by a dot after the name, which asks for the natural play. `remark` is
    any emphasis or comment after the token: `!?`, `(a comment)`. `longhand` is its play in
    traditional notation, if it has no name. `glosses` are such plays in comments after that.
    """

    kind: TokenKind
    text: str
    at: int
    roll: Roll | None = None
    names: tuple[Nactation, ...] = ()
    die: int = 0
    natural: bool = False
    remark: str = ""
    longhand: tuple[Hop, ...] = ()
    glosses: tuple[tuple[Hop, ...], ...] = ()

    @property
    def is_marked(self) -> bool:
        """Whether the name was written with an underline, a dot, or in italics."""
        return any(name.mark is not Diacritic.NONE or name.is_formatted for name in self.names[:1])


class Parsed(NamedTuple):
    """A whole sequence, its start position, and the player who starts.

    Its characters name plays by `dialect`.
    """

    text: str
    start: Position
    starts: Player
    tokens: tuple[Token, ...]
    dialect: Dialect = CURRENT


# The words of plays: those of the alphabet without advanced letters, and other words in use.
WORDS = {
    word: Nactation(family)
    for family in FAMILIES
    if not family.is_advanced and not family.key.isdigit()
    for word in family.word.split(", ")
} | {
    word: Nactation(family(key), member)
    for key, member, words in (
        ("Z", 1, "zsplit, reverse split"),
        ("$", 2, "alternate slot, alt slot"),
        ("@", 2, "alternate anchor, alt anchor"),
        ("^", 1, "dance, dances, stay off, stays off"),
    )
    for word in words.split(", ")
}
_ACTIONS = {
    word: kind
    for kind, words in {
        TokenKind.DOUBLE: "c, cub, cube, double",
        TokenKind.REDOUBLE: "r, rcb, redouble",
        TokenKind.BEAVER: "beaver, raccoon, bvr, rcn",
        TokenKind.TAKE: "t, tak, take",
        TokenKind.PASS: "p, pas, pass, drop",
        TokenKind.FAN: "f, fan, ^, dance, dances, stay off, stays off",
        TokenKind.OFF: "=, +",
    }.items()
    for word in words.split(", ")
}


OPENING = r"(?:White|Black)['\u2019]s\s+opening"  # as the tutorial heads a sequence
START_MARK = r"(?:-+>?|top-)"  # before the first roll: the second player starts
_START = re.compile(
    r"\s*(?:[\"']{1,2}\s*)?(?P<nackgammon>N(?:ack(?:gammon)?)?(?:[\s:]+(?=\S)|(?=[1-6]))|nack-)?"
    rf"(?:(?:{OPENING}|opening)[\s:]+)?"
    rf"\s*(?:\+|(?P<second>{START_MARK}))?\s*",
    re.IGNORECASE,
)
# Arrows, punctuation, row numbers, and the quotes that end the text.
_SEPARATORS = re.compile(
    r"(?:-{1,3}>|[\s/,;:|.-]|(?<![^\s])\d{1,3}[.)](?=\s)|[\"'](?=[\s\"'.,;]{0,9}\Z))*"
)
_PHRASE = re.compile(r"([A-Za-z]+)(?:[\s-]+([A-Za-z]+)(?:[\s-]+([A-Za-z]+))?)?")
_SAFE = re.compile(rf"(?:{SAFE_NAME})(?![A-Za-z0-9])", re.IGNORECASE)
_DOWN = re.compile(r"[\s,-]*([1-6])[\s-]?down(?![A-Za-z0-9])", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_EMPHASIS = re.compile(r"[!*][!?*]*|[?][!?*]*")
_JOINED_NAME = re.compile(r"[1-6]{2}[^\s/,;:|.-]")
_HYPHENATED_NAME = re.compile(r"[1-6]{2}-[A-Za-z$%@#&](?<![CRFcrf])(?![A-Za-z0-9])")
_PERIOD_BEFORE_ROLL = re.compile(r"\.\s*\d")
_OTHER_SEPARATOR = re.compile(r"[/,;:|-]|[^\s.]\s+[^\s.]")


class _Habits(NamedTuple):
    """How a text is written: with hyphens, or with periods as the only separators.

    With `apart`, every letter comes after a hyphen (`41-n`), none directly after its roll.
    """

    hyphens: bool
    periods: bool
    apart: bool

    @classmethod
    def of(cls, bare: str) -> _Habits:
        """The habits of a text without its start mark."""
        apart = not _JOINED_NAME.search(bare) and bool(_HYPHENATED_NAME.search(bare))
        periods = bool(_PERIOD_BEFORE_ROLL.search(bare)) and not _OTHER_SEPARATOR.search(bare)
        return cls("-" in bare, periods, apart)


def parse_sequence(
    text: str, glyphs: Sequence[Glyph] | None = None, *, dialect: Dialect = CURRENT
) -> Parsed:
    """Split a sequence into tokens.

    With `glyphs`, from `read_markup`, only these characters of the text are read. Raises
    MalformedError with the offset of the first unreadable character.
    """
    scan = Scan(text, glyphs)
    at, start, starts = 0, STANDARD, Player.FIRST
    if match := _START.match(scan.bare):
        at = match.end()
        start = NACKGAMMON if match["nackgammon"] else STANDARD
        starts = Player.SECOND if match["second"] else Player.FIRST
    habits = _Habits.of(scan.bare[at:])
    tokens: list[Token] = []
    remarks: dict[int, list[str]] = {}  # by token; the first also gets those before it
    while (at := scan.skip(_SEPARATORS, at)) < len(scan.bare):
        if scan.bare[at] == "(":
            remark, at = _comment(scan, at)
            if tokens:
                tokens[-1] = _with_longhand(tokens[-1], remark[1:-1])
        else:
            _check_joined(scan, at, tokens[-1:])
            new, at = _read(scan, at, habits)
            tokens += new
            emphasis = _EMPHASIS.match(scan.bare, at)
            remark = emphasis[0] if emphasis else ""
            if tokens[-1].kind is TokenKind.ROLL and _is_unknown(scan, at):
                continue
            at += len(remark)
        if remark:
            remarks.setdefault(max(len(tokens) - 1, 0), []).append(remark)
    if remarks and not tokens:
        raise scan.error("found a comment in parentheses, expected a sequence", 0)
    for token, words in remarks.items():
        tokens[token] = tokens[token]._replace(remark=" ".join(words))
    return Parsed(text, start, starts, tuple(tokens), dialect)


def _is_unknown(scan: Scan, at: int) -> bool:
    """Whether the play of a roll that ends at an offset is unknown, as in `31?-64P`.

    At the end of a sequence `31?` only asks for it: the roll is to be played.
    """
    mark = _EMPHASIS.match(scan.bare, at)
    if mark is None or not mark[0].startswith("?"):
        return False
    return scan.skip(_SEPARATORS, mark.end()) < len(scan.bare)


def _comment(scan: Scan, at: int) -> tuple[str, int]:
    """A comment with its parentheses, and the offset after it."""
    depth = 0
    for end in range(at, len(scan.bare)):
        depth += (scan.bare[end] == "(") - (scan.bare[end] == ")")
        if not depth:
            return " ".join(scan.bare[at : end + 1].split()), end + 1
    raise scan.error("found '(' without its ')'", at)


def _check_joined(scan: Scan, at: int, previous: Sequence[Token]) -> None:
    """Raise MalformedError for a letter apart from its roll, or dice apart: `54 S`, `5-4S`."""
    bare, die = scan.bare, previous[0].text if previous else ""
    if die.isdecimal() and len(die) == 1 and _LONE_DIE.match(bare, at):
        raise scan.error(f"found {die}-{bare[at]}, expected a roll such as {die}{bare[at]}", at)
    is_roll = bool(previous) and previous[0].kind is TokenKind.ROLL
    word, _ = _phrase(bare, at, _ACTIONS)
    if is_roll and word not in _ACTIONS and bare[at] in CHARACTERS and not bare[at].isdigit():
        letter = bare[at]
        raise scan.error(f"found {letter!r} apart from its roll, expected {die}{letter}", at)


_MAX_GLOSSES = 8  # one of them is enough to contradict
_LONE_DIE = re.compile(r"[1-6][A-Za-z$%@#&^]")


def _with_longhand(token: Token, comment: str) -> Token:
    """The token with the play that its comment holds in traditional notation, if that is all."""
    hops = longhand_alone(comment)
    if not hops or hops in token.glosses or len(token.glosses) == _MAX_GLOSSES:
        return token
    if token.kind is TokenKind.ROLL:
        return token._replace(kind=TokenKind.PLAY, longhand=hops)
    return token._replace(glosses=(*token.glosses, hops))


def _read(scan: Scan, at: int, habits: _Habits) -> tuple[list[Token], int]:
    """The token at an offset, or several run together, and the offset after them."""
    if match := _DIGITS.match(scan.bare, at):
        return _read_digits(scan, at, match.end(), habits)
    word, end = _phrase(scan.bare, at, _ACTIONS)
    if word not in _ACTIONS:
        expected = "expected a roll (31), a digit, F, or a cube letter (C R P)"
        raise scan.error(f"found {quoted(scan.bare[at:end])}, {expected}", at)
    kind = _ACTIONS[word]
    names = (Nactation(family(word)),) if kind is TokenKind.OFF else ()
    return [Token(kind, scan.bare[at:end], scan.glyphs[at].at, names=names)], end


def _phrase(bare: str, at: int, phrases: Container[str]) -> tuple[str, int]:
    """The longest of these phrases at an offset, in lower case, and its end.

    Without one, the first word or character. A hyphen counts as a blank.
    """
    match = _PHRASE.match(bare, at)
    if match is None:
        return bare[at : at + 1], at + 1
    words = [word.lower() for word in match.groups() if word]
    while len(words) > 1 and " ".join(words) not in phrases:
        del words[-1]
    return " ".join(words), match.end(len(words))


def _read_digits(scan: Scan, at: int, end: int, habits: _Habits) -> tuple[list[Token], int]:
    """Read digits as rolls, rolls with a numeral (`654`), or single dice that enter."""
    tokens = []
    reserved = 2 * (scan.bare[end : end + 1] in CHARACTERS)  # the roll of the name that follows
    while at < end:
        digits, digit, place = end - at - reserved, scan.bare[at], scan.glyphs[at].at
        if digits == 1:
            if digit not in "123456":
                raise scan.error(f"found {quoted(digit)}, expected a die from 1 to 6", at)
            tokens.append(Token(TokenKind.ENTER, digit, place, die=int(digit)))
            at += 1
        elif (digits > 3 and digits % 3) or (digits == 2 and reserved):
            roll = _roll(scan, at)
            tokens.append(Token(TokenKind.ROLL, str(roll), place, roll))
            at += 2
        else:
            token, at = _read_roll(scan, at, habits)
            tokens.append(token)
    return tokens, at


def _roll(scan: Scan, at: int) -> Roll:
    try:
        return Roll.parse(scan.bare[at : at + 2])
    except MalformedError as error:
        raise scan.error(str(error), at) from None


def _read_roll(scan: Scan, at: int, habits: _Habits) -> tuple[Token, int]:
    """A roll and the Nactation or word after it, if there is one."""
    roll, bare, end = _roll(scan, at), scan.bare, at + 2
    token = Token(TokenKind.PLAY, "", scan.glyphs[at].at, roll)
    safe = _SAFE.match(bare, end)
    between = bare[end : end + 1]
    is_separated = between == "-" or (between.isspace() and between not in "\r\n")
    word, word_end = _phrase(bare, end + is_separated, WORDS)
    hops, hops_end = longhand_after(bare, end, roll)
    if hops:
        token, end = token._replace(longhand=hops), hops_end
    elif safe and not is_plain(safe):
        try:
            token, end = token._replace(names=(read_safe(safe),)), safe.end()
        except MalformedError as error:
            raise scan.error(str(error), end) from None
    elif word in WORDS and not bare[word_end : word_end + 1].isalnum():
        name, end = WORDS[word], word_end
        if word == "split" and bare[at] < bare[at + 1]:
            name = Nactation(family("Z"))  # `34-split` splits with the 3
        token = token._replace(names=(name,))
    elif (down := _DOWN.match(bare, end)) and int(down[1]) in {roll.high, roll.low}:
        token, end = token._replace(names=(_LETTER_D,), die=int(down[1])), down.end()
    elif bare[end : end + 1] in CHARACTERS:
        token, end = _named(scan, token, end, habits)
    elif choice := _choice(scan, token, end, habits):
        token, end = choice
    elif (
        end < len(bare)
        and scan.skip(_SEPARATORS, end) == end
        and (bare[end] not in "(!*?" or _is_unknown(scan, end))
    ):
        raise scan.error(f"found {quoted(bare[end])}, expected a Nactation or a hyphen", end)
    kind = TokenKind.PLAY if token.names or token.longhand else TokenKind.ROLL
    return token._replace(kind=kind, text=bare[at:end]), end


def _named(scan: Scan, token: Token, at: int, habits: _Habits) -> tuple[Token, int]:
    """The token named by the character at an offset, and the offset after it."""
    bare, roll = scan.bare, token.roll
    digit = bare[at + 2 : at + 3].isdigit()
    dots: tuple[str, ...] = ()
    if roll and roll.is_doublet:  # between digits a period separates tokens, unless hyphens do
        dots = ("", ".") if digit and not habits.hyphens else (".", "")
    # A style that the roll has, too, is that of the text, not of the character.
    names, end = scan.names(at, scan.glyphs[at - 1], dots)
    if not (roll and roll.is_doublet):  # families with a mark hold doublets only
        names = tuple([name for name in names if name.mark is Diacritic.NONE]) or names
    parts = habits.periods or (bare[end + 1 : end + 2].isdigit() and not habits.hyphens)
    natural = bare[end : end + 1] == "." != bare[end + 1 : end + 2] and not parts
    return token._replace(names=names, natural=natural), end + natural


def _choice(scan: Scan, token: Token, at: int, habits: _Habits) -> tuple[Token, int] | None:
    """`_named` for a character after a hyphen; None if that starts another token.

    Digits, `=` and `+` do, and so do C, R, F and ^, unless the text writes its letters `apart`. P
    and T do not: a roll cannot be passed or taken.
    """
    sign, letter, own = scan.bare[at : at + 1], scan.bare[at + 1 : at + 2].upper(), "=+0123456789"
    if sign != "-" or letter not in CHARACTERS or letter in own + "CRF^" * (not habits.apart):
        return None
    token, end = _named(scan, token, at + 1, habits)
    return None if scan.bare[end : end + 1].isalnum() else (token, end)


_LETTER_D = Nactation(family("D"))
