"""Reads the analyses that XG, GNU Backgammon and BGBlitz copy as text, and forums quote."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.analysis import (
    CubeAct,
    CubeAnalysis,
    RatedPlay,
    is_chance,
    is_equity,
)
from gnubg_nactation.backgammon.ids import parse_state
from gnubg_nactation.backgammon.ids_in_text import find_ids
from gnubg_nactation.backgammon.notation import Hop, false_star, parse_hops, resolve
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import AmbiguousError, IllegalError, MalformedError
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, replace

# A number with a decimal point or comma. The digits end before other numbers if the cells of a
# table run together: the next play in `+0.2182. 4-ply`, a footnote in `+0.21811296 Games`.
_DIGITS = r"[.,](?:\d{3,4}(?=\d\.\s?(?:\d-|[^\W\d_]))|\d{3}(?=\d\d)|\d{1,4})"
SIGNS = "+\\-\u2212\u2014\u2013\u2012\u2010\u2011"
NUMBER = rf"[{SIGNS}]?\s?\d{{0,2}}{_DIGITS}"
SIGNED = rf"[{SIGNS}]\s?\d{{0,2}}{_DIGITS}"

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,1000}>|\[/?[a-zA-Z]{1,12}(?:=[^\[\]\n]{0,200})?\]")
_LINE_TAG = re.compile(r"</?(?:br|tr|p|div|li|h\d|table|pre)\b", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,12});")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")

_ROLLER = re.compile(r"Roller\s?(\+\s?\+?)?", re.IGNORECASE)
_PLIES = re.compile(r"(?<![\d.,])(\d)\s?-?\s?[^\W\d_]{2,}(?P<red>\s?red\b)?(\+)?", re.IGNORECASE)
_ROLLOUT = re.compile("rollout|rolled out", re.IGNORECASE)
_BOOK = re.compile(
    "book|buch|libro|livre|manuale|kirja|\u043a\u043d\u0438\u0433\u0430|\u672c", re.IGNORECASE
)
_GNUBG = re.compile("cubeful|cubeless", re.IGNORECASE)
# Any level, in a text where other words are next to it.
LEVEL = re.compile(
    r"(?:XG\s?)?Roller\s?(?:\+\s?\+?)?|Rollout|(?<![\d.,])\d\s?-\s?[^\W\d_]{2,9}(?:\s?red\b)?",
    re.IGNORECASE,
)


def plain_text(text: str) -> str:
    """The text with blanks instead of the markup of HTML, BBCode and Markdown, of equal length."""
    if "<" in text or "[" in text:
        text = _TAG.sub(_blank_tag, text)
    if "&" in text:
        text = _ENTITY.sub(_character, text)
    return _ESCAPE.sub(r"\1 ", text) if "\\" in text else text


def _blank_tag(match: re.Match[str]) -> str:
    tag = match[0]
    if tag.startswith("[") and len(tag) == 3:  # a nacbrac such as [P]
        return tag if tag[1].isupper() else "   "
    filling = "\n" if _LINE_TAG.match(tag) else " "
    return filling + " " * (len(tag) - 1)


def _character(match: re.Match[str]) -> str:
    return html.unescape(match[0])[:1].rjust(len(match[0]))


def to_number(text: str) -> float:
    """The value of a NUMBER."""
    digits = "".join(character for character in text if character.isdigit() or character in ".,")
    return float(digits.replace(",", ".")) * (-1 if text[0] in SIGNS[1:] else 1)


def level_of(text: str, *, is_gnubg: bool = False, is_rollout: bool = False) -> str:
    """The level in a text, as in `Candidate.method`: `XG Roller++`, `XG 3-ply red`, `2-ply`.

    `is_rollout` means that a margin of error is given. Only the bot if the level is unknown.
    """
    bot = "" if is_gnubg or _GNUBG.search(text) else "XG "
    if roller := _ROLLER.search(text):
        return f"XG Roller{'+' * (roller[1] or '').count('+')}"
    if _ROLLOUT.search(text):
        return f"{bot}rollout"
    if plies := _PLIES.search(text):
        return f"{bot}{plies[1]}-ply{' red' * bool(plies['red'])}{plies[3] or ''}"
    if _BOOK.search(text):
        return f"{bot}book"
    if is_rollout:
        return f"{bot}rollout"
    return bot.strip() or "gnubg"


_WORD = r"[^\W\d_]"
# After an equity: the difference from the best, and of a rollout the margin of error.
_REST = (
    rf"(?P<percent>\s?%)?(?:[\s|]{{0,8}}\(\s?{NUMBER}\s?\))?"
    rf"(?:[\s|]{{0,8}}(?:\xb1|\+/-)[\d\s.,()+\-{SIGNS}]{{0,60}})?"
)
_PAIR = re.compile(
    rf"""(?P<double> {_WORD}{{2,16}} ) \s? [/,] \s? (?P<answer> {_WORD}{{2,16}} )
         [\s|]{{0,60}} (?: (?:eq\.?\s?)? [:\uff1a] [\s|]{{0,40}} (?P<number>{NUMBER})
                         | (?P<signed>{SIGNED}) ) {_REST}""",
    re.VERBOSE | re.IGNORECASE,
)
_NO_DOUBLE = re.compile(
    rf"""(?: (?:no|not|never|pas\ de|nicht|non|sin|ei)\s (?:re-?)? (?:d(?:ou|o|u)[bp]\w{{2,8}})
              | \u30ce\u30fc(?:\u30ea)?\u30c0\u30d6\u30eb )
         [\s|]{{0,60}} (?: (?:eq\.?\s?)? [:\uff1a] [\s|]{{0,40}} (?P<number>{NUMBER})
                         | (?P<signed>{SIGNED}) ) {_REST}""",
    re.VERBOSE | re.IGNORECASE,
)
# A line of any language, right before the first pair.
_ANY_LINE = re.compile(
    rf"""(?<![^\n|]) [\s|]{{0,40}} {_WORD} [^\n|:\uff1a=%]{{1,30}} [:\uff1a] [\s|]{{0,40}}
         (?P<number>{SIGNED}) {_REST} [\s|]{{0,40}} \Z""",
    re.VERBOSE,
)
_ANSWERS = {
    True: "take beaver prend prendre prise beave annehmen nehmen toma tomar acepta aceptar prende "
    "accetta accept accepte ota \u30c6\u30a4\u30af \u30d3\u30fc\u30d0\u30fc",
    False: "pass drop reject passe refuser rejeter ablehnen refuse rechaza rechazar pasa pasar "
    "rifiuta passa passo \u30d1\u30b9 \u043f\u0430\u0441",
}
_IS_TAKE = {word: is_take for is_take, words in _ANSWERS.items() for word in words.split()}
_TOGETHER_CHARS, _LEVEL_CHARS = 200, 1200
_ROUNDING = 0.0006  # of a pass, which is worth 1


class CopiedCube(NamedTuple):
    """A cube decision, from offset `start` of the text up to `end`; `answers` are its words."""

    start: int
    end: int
    analysis: CubeAnalysis
    answers: tuple[str, ...]


def find_cube(text: str, start: int, end: int, *, is_match: bool = False) -> CopiedCube | None:
    """The first cube decision in a part of a text. Raises MalformedError.

    In a match, numbers may also be match winning chances.
    """
    if rows := _bgblitz_rows(text, start, end):
        return _read_rows(text, start, rows, is_match=is_match)
    pairs = list(_PAIR.finditer(text, start, end))
    for first, second in pairwise([*pairs, None]):
        if first is None:
            break
        together = [first]
        if second and second.start() - first.end() < _TOGETHER_CHARS:
            together.append(second)
        if len(together) == 2 or _is_take(first) is not None:
            return _read(text, start, end, together)
    return None


def _is_take(pair: re.Match[str]) -> bool | None:
    """Whether a pair is a take; None if its word is unknown."""
    return _IS_TAKE.get(pair["answer"].lower())


def _read(text: str, start: int, end: int, pairs: Sequence[re.Match[str]]) -> CopiedCube:
    take, passed = _take_and_pass(pairs)
    first, last = pairs[0].start(), pairs[-1].end()
    no_double = next(_no_doubles(text, max(start, first - _TOGETHER_CHARS), first, last, end), None)
    matches = [no_double, take, passed]
    if no_double is None or take is None:
        missing = "without a double" if no_double is None else "of double and take"
        raise MalformedError(f"the cube analysis lacks the equity {missing}")
    for match in filter(None, matches):
        label = " ".join(match[0].split())
        if match["percent"]:
            raise MalformedError(f"{quoted(label)} is a percentage, expected an equity")
        if not is_equity(_equity(match)):
            raise MalformedError(f"{quoted(label)} is no equity")
    if passed and abs(_equity(passed) - 1) > _ROUNDING:
        label = " ".join(passed[0].split())
        raise MalformedError(f"{quoted(label)}: expected +1.000, the value of a pass")
    places = [match.start() for match in matches if match]
    until = max(last, no_double.end())
    analysis = CubeAnalysis(
        CubeAct.NO_DOUBLE, _equity(no_double), _equity(take), _level(text, start, first)
    )
    answers = tuple(pair["answer"].lower() for pair in pairs)
    return CopiedCube(min(places), until, analysis, answers)


def _take_and_pass(
    pairs: Sequence[re.Match[str]],
) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Sort the pairs by their words; where they are unknown, by value and order."""
    first, *rest = pairs
    if not rest:
        return (first, None) if _is_take(first) else (None, first)
    second = rest[0]
    turned = _is_take(first) is False or _is_take(second) is True
    if _is_take(first) is None and _is_take(second) is None:
        turned = _equity(first) == 1 != _equity(second)
    return (second, first) if turned else (first, second)


def _no_doubles(text: str, start: int, first: int, last: int, end: int) -> Iterator[re.Match[str]]:
    """The lines that may be the equity without a double, the likeliest first."""
    yield from reversed(list(_NO_DOUBLE.finditer(text, start, first)))
    yield from _NO_DOUBLE.finditer(text, first, min(end, last + _TOGETHER_CHARS))
    if match := _ANY_LINE.search(text, start, first):
        yield match


def _equity(match: re.Match[str]) -> float:
    fields = match.groupdict()
    return to_number(fields["number"] or fields.get("signed", ""))


def _level(text: str, start: int, first: int) -> str:
    """The last level before the equities: `Analyzed in XG Roller++`, `2-ply cubeless equity`."""
    levels = list(LEVEL.finditer(text, max(start, first - _LEVEL_CHARS), first))
    if not levels:
        return "XG"
    following = text[levels[-1].end() : levels[-1].end() + 20].lower()
    is_gnubg = following.lstrip().startswith("cube")
    return level_of(levels[-1][0], is_gnubg=is_gnubg)


BGBLITZ = "BGBlitz"
_INDENT = r"^[^\S\n]{0,20}[>|\t ]{0,20}"  # also of a quoted mail
# One action with the equity and its difference from the right action; in a match the match winning
# chances with theirs come first. XG and gnubg write no difference after the right action.
_ROW = re.compile(
    rf"""{_INDENT} (?P<label>{_WORD}[^\d:\uff1a\n]{{1,60}}?) \s{{0,40}} [:\uff1a]
         \s{{0,20}} (?P<first>{NUMBER}) \s{{0,20}} \(\s{{0,4}} (?P<loss>{NUMBER}) \s{{0,4}}\)
         (?: \s{{1,20}} (?P<second>{NUMBER})
             \s{{0,20}} \(\s{{0,4}} (?P<second_loss>{NUMBER}) \s{{0,4}}\) )? [^\S\n]*$""",
    re.VERBOSE | re.MULTILINE,
)
_SLASH = re.compile("[/\uff0f]")
# In every language, above the plays or the actions if their points are equities.
_EMG = re.compile(rf"(?<!{_WORD})EMG(?!{_WORD})", re.IGNORECASE)
_HEADING_CHARS = 200
_ROW_ROUNDING = 0.0021  # of two numbers and of their differences


def _bgblitz_rows(text: str, start: int, end: int) -> list[re.Match[str]]:
    """The three actions of a cube decision of BGBlitz, in adjacent lines; empty without them."""
    rows = list(_ROW.finditer(text, start, end))
    for at in range(len(rows) - 2):
        three = rows[at : at + 3]
        if all(not text[one.end() : two.start()].strip() for one, two in pairwise(three)):
            return three
    return []


def _read_rows(
    text: str, start: int, rows: Sequence[re.Match[str]], *, is_match: bool
) -> CopiedCube:
    """Read the three actions of BGBlitz, known by their shape. Raises MalformedError."""
    first = rows[0].start()
    has_both = all(row["second"] for row in rows)
    if any(row["second"] for row in rows) and not has_both:
        raise MalformedError("the lines of the cube decision have different numbers of columns")
    heading = text[max(start, first - _HEADING_CHARS) : first]
    if is_match and not has_both and not _EMG.search(heading):
        raise MalformedError("the cube decision has match winning chances, expected equities (EMG)")
    equities = {row: to_number(row["second" if has_both else "first"]) for row in rows}
    losses = {row: to_number(row["second_loss" if has_both else "loss"]) for row in rows}
    for row, equity in equities.items():
        if not is_equity(equity):
            raise MalformedError(f"{quoted(_text(row))} is no equity")
    no_double, take, passed = _sort_rows(equities)
    best = equities[no_double] - losses[no_double]
    for row in rows:
        if abs(equities[row] - losses[row] - best) > _ROW_ROUNDING:
            raise MalformedError(f"{quoted(_text(row))} contradicts the other lines")
    chances: tuple[float, ...] = ()
    if has_both:
        chances = tuple(to_number(row["first"]) for row in (no_double, take, passed))
        if not all(map(is_chance, chances)):
            raise MalformedError("the match winning chances of the cube decision are impossible")
    analysis = CubeAnalysis(
        CubeAct.NO_DOUBLE,
        equities[no_double],
        equities[take],
        BGBLITZ,
        match_chances=chances,
    )
    right = max(analysis.no_double or 0.0, min(equities[take], 1.0))
    if abs(right - best) > _ROW_ROUNDING:
        raise MalformedError(f"{quoted(_text(rows[0]))} is not the best of the three actions")
    answers = (_answer(take["label"]), _answer(passed["label"]))
    return CopiedCube(first, rows[2].end(), analysis, answers)


def _sort_rows(
    equities: Mapping[re.Match[str], float],
) -> tuple[re.Match[str], re.Match[str], re.Match[str]]:
    """The rows of no double, of double and take, and of double and pass. Raises MalformedError.

    No double is the one without a slash, or that which begins with another word; a pass has its
    value and maybe a known word.
    """
    rows = list(equities)
    alone = [row for row in rows if not _SLASH.search(row["label"])]
    if len(alone) != 1:
        starts = [row["label"][:2].lower() for row in rows]
        alone = [row for row, word in zip(rows, starts, strict=True) if starts.count(word) == 1]
    if len(alone) != 1:
        raise MalformedError("the cube analysis lacks the equity without a double")
    first, second = (row for row in rows if row is not alone[0])
    words = [_IS_TAKE.get(_answer(row["label"])) for row in (first, second)]
    turned = words[0] is False or words[1] is True
    if words == [None, None]:
        turned = abs(equities[first] - 1) <= _ROUNDING < abs(equities[second] - 1)
    take, passed = (second, first) if turned else (first, second)
    if abs(equities[passed] - 1) > _ROUNDING:
        raise MalformedError(f"{quoted(_text(passed))}: expected 1.000, the value of a pass")
    return alone[0], take, passed


def _answer(label: str) -> str:
    """The answer in the label of an action: `take` of `Double / Take`."""
    return _SLASH.split(label)[-1].strip().lower()


_FOOTER = re.compile(r"eXtreme\s?Gammon\s+Version", re.IGNORECASE)
_MARKS = "\xb9\xb2\xb3\u2070\u2074-\u2079"
_FOOTNOTE = re.compile(rf"[{_MARKS}]|\d{{1,2}}\s{{1,4}}\d{{2,7}}\s")
_AROUND = " \t\r\xa0|>"
# Lines of an analysis in any language: chances, margins, the board, or digits after a colon.
_NUMBERS = re.compile(
    r"""\d% .{0,5} \( \s? G | \xb1\s?\d | [+-]\d\d?-\d\d?- | \d[.,]\d+ \s+ \d[.,]\d+ \s+ \d[.,]\d
      | ^[\s|v^]*\|.*\|""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = re.compile(
    r"""Games\srolled | Dice\sSeed | Variance\sReduction | ^Duration\b | ^Conf(?:idence|\.)
      | ^Best\sCube\saction | ^Percentage\sof\swrong | ^(?:Player|Opponent)\b.{0,20}:\s*$
      | ^Moves?:.*(?:ply|Roller|Book) | cube\sdecisions: | ^Rollout:?$ | Decision\sconfidence
      | ^Search\sinterval | ^Truncat | ^Score\sis\b | ^Pip\scount | ^Cube:\s*\d
      | ^X:.*\bO: | ^\S{1,30}\sto\splay\s[1-6]{2}$ | on\sroll,\scube\saction$
      | ^(?:score|pip):\s*\d+$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_VALUE = re.compile(r"^[^:\uff1a]{1,160}[:\uff1a]\s*[\xb1+\-\u2212]?\s?\d")
_RULE = re.compile(r"^[\W_]*$|^(?:position|problem|no\.?|#)?\s*\d{1,3}\s*[.):]?$", re.IGNORECASE)


def note_after(text: str, start: int, end: int, answers: Sequence[str] = ()) -> str:
    """The note after an analysis that ends at offset `start`; empty if there is none.

    It ends before the version of XG, or at `end`. `answers` are the words for take and pass, with
    which the line of the best cube action ends.
    """
    footer = _FOOTER.search(text, start, end)
    lines = text[start : footer.start() if footer else end].split("\n")
    rest_of_line, *following = lines
    kept: list[str] = [] if _is_analysis(rest_of_line.strip(_AROUND)) else [rest_of_line]
    below_numbers, in_footnote = True, False
    for raw in following:
        line = raw.strip(_AROUND)
        if not line:
            below_numbers = in_footnote = False
            kept.append("")
            continue
        goes_on = raw[:1].isspace() or _VALUE.match(line)
        in_footnote = bool(_FOOTNOTE.match(line) or (in_footnote and goes_on))
        below_numbers = below_numbers and bool(_VALUE.match(line))
        if in_footnote or below_numbers or _is_analysis(line) or _is_best(line, answers):
            below_numbers = below_numbers or not in_footnote
            kept.append("")
        else:
            below_numbers = False
            kept.append(line)
    return "\n".join(_tidy(kept))


def _is_analysis(line: str) -> bool:
    return bool(_NUMBERS.search(line) or _WORDS.search(line))


def _is_best(line: str, answers: Sequence[str]) -> bool:
    """Whether a line is the best cube action: `Best Cube action: No double / Take`."""
    before, slash, last = line.lower().rpartition("/")
    return bool(slash and before and last.strip(" .|") in answers)


def _tidy(lines: Sequence[str]) -> list[str]:
    """The lines without rules, and with one blank line between paragraphs."""
    tidy: list[str] = []
    for line in lines:
        if not _RULE.match(line) or (not line and tidy and tidy[-1]):
            tidy.append(line.strip(_AROUND))
    while tidy and not tidy[-1]:
        tidy.pop()
    return tidy


# The source may have the digits of a footnote before it: `Rollout18/2 6/2`.
_SOURCE = rf"(?:\d{{1,4}}|bar|(?<![\w+\-]){_WORD}{{1,8}})"
_TARGET = rf"(?:\d{{1,2}}|off|{_WORD}{{1,6}}(?![^\W_]))"
_HOP = rf"{_SOURCE}\*?(?:/{_TARGET}\*?){{1,4}}(?:\s?\([1-4]\)\*?)?"
_PLAY = re.compile(
    rf"(?<![\d/.,]){_HOP}(?:(?:[\s,;]{{1,4}}|(?<=[)*])){_HOP}){{0,3}}", re.IGNORECASE
)
_EQUITY = re.compile(
    rf"""[\s|]{{0,80}} (?: (?P<label>{_WORD}{{1,8}}\.?) \s{{0,3}} [:\uff1a=] [\s|]{{0,20}}
                         (?P<number>{NUMBER}) | (?P<signed>{SIGNED}) )
         (?P<percent>\s?%)? (?: [\s|]{{0,8}} \( \s{{0,12}} (?P<loss>{NUMBER}) \s{{0,3}} \) )?""",
    re.VERBOSE | re.IGNORECASE,
)
_HEAD = re.compile(
    rf"""(?P<made>\*)? \s{{0,9}} (?<![\d.,]) (?P<rank>\d{{1,2}}) \s? [.)] [\s|]{{0,20}}
         (?P<level> (?: {_WORD} | [+\-*\s|] | \d(?![.,%]) ){{0,45}} ) \Z""",
    re.VERBOSE,
)
_HEAD_CHARS = 70
# Half of the interval that has the equity with 95 %; gnubg gives the standard error itself.
_MARGIN = re.compile(rf"(?:\xb1|\+/-)\s{{0,3}}(?P<margin>{NUMBER})")
_STANDARD_ERROR = re.compile(rf"\[[^\[\]]{{0,120}}CF\s{{0,6}}(?P<error>{NUMBER})\s{{0,3}}\]")
_MARGINS_CHARS = 400  # after the equity
_QUANTILE = 1.96
_PLAY_ROUNDING = 0.0025  # of an equity and of its difference from the best


class CopiedPlay(NamedTuple):
    """A play as the text has it, from offset `start` up to `end`, the end of its numbers.

    The `readings` are its hops: several if the digits of a footnote may be part of it. `rank` and
    `loss` are None if the text does not give them. `made` is gnubg's mark of the play made.
    `problem` is what is wrong with its numbers.
    """

    start: int
    end: int
    text: str
    readings: tuple[tuple[Hop, ...], ...]
    rank: int | None
    equity: float
    loss: float | None
    level: str
    standard_error: float | None = None
    made: bool = False
    problem: str = ""
    match_chance: float | None = None


class Ranking(NamedTuple):
    """Legal plays, the best first, and the play made if the text marks it.

    The best is that which the source ranked first, or a better one of its level; the others follow
    by their equity.
    `gaps` are the indexes of plays before which one is left out; `problems` says why.
    """

    rated: tuple[RatedPlay, ...] = ()
    made: Play | None = None
    gaps: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()


def find_plays(text: str, start: int, end: int, *, is_match: bool = False) -> list[CopiedPlay]:
    """The ranked plays in a part of a text, in its order; `is_match` as in `find_cube`."""
    if plays := _bgblitz_plays(text, start, end, is_match=is_match):
        return plays
    plays = []
    for match in _PLAY.finditer(text, start, end):
        if not any(map(str.isdigit, match[0])):
            continue  # `Double/Take`
        last = plays[-1].end if plays else start
        before = text[max(last, match.start() - _HEAD_CHARS) : match.start()]
        head = _HEAD.search(before)
        equity = _EQUITY.match(text, match.end(), end)
        if equity:
            plays.append(_play(match, head, equity, before))
        elif head and head["level"].strip(" |\n"):  # else it may be a line of a note
            name = _text(match)
            problem = f"{quoted(name)} has no equity"
            place = match.start(), match.end()
            plays.append(
                CopiedPlay(*place, name, (), int(head["rank"]), 0, None, "", problem=problem)
            )
    return [_with_margin(play, text, until) for play, until in _followed(plays, end)]


# BGBlitz writes the numbers of a play before it, and those of the best without a difference.
_BGBLITZ_LINE = re.compile(
    rf"{_INDENT}(?P<rank>\d{{1,2}})[.)]\s{{1,20}}(?P<rest>{NUMBER}\s[^\n]+)$",
    re.MULTILINE,
)
_BGBLITZ_PLAY = re.compile(
    rf"""(?: (?P<chance>{NUMBER}) \s{{0,4}} {_WORD}{{0,8}} \s{{0,4}} [/\uff0f] \s{{0,4}} )?
         (?P<number>{NUMBER}) (?: \s{{0,4}} (?P<unit>{_WORD}{{1,8}}) )?
         (?: \s{{1,20}} \(\s{{0,4}} (?P<loss>{NUMBER}) \s{{0,4}}\) )?
         \s{{1,40}} (?P<play> {_HOP} (?:[\s,;]{{1,4}}{_HOP}){{0,3}} ) \s*""",
    re.VERBOSE | re.IGNORECASE,
)


def _bgblitz_plays(text: str, start: int, end: int, *, is_match: bool) -> list[CopiedPlay]:
    """The plays of BGBlitz in a part of a text; empty without them."""
    lines = list(_BGBLITZ_LINE.finditer(text, start, end))
    matches = [_BGBLITZ_PLAY.fullmatch(line["rest"]) for line in lines]
    if not any(matches):
        return []
    first = lines[0].start()
    heading = text[max(start, first - _HEADING_CHARS) : first]
    is_points = not is_match or bool(_EMG.search(heading))
    plays: list[CopiedPlay] = []
    for line, match in zip(lines, matches, strict=True):
        play = _bgblitz_play(line, match, is_points=is_points)
        plays.append(_with_points_lost(play, plays[0]) if plays else play)
    return plays


def _bgblitz_play(
    line: re.Match[str], match: re.Match[str] | None, *, is_points: bool
) -> CopiedPlay:
    """The play of a line; `is_points` means that a single number is an equity."""
    places, rank = line.span("rest"), int(line["rank"])
    if match is None:
        problem = f"{quoted(' '.join(line[0].split()))} is not a play with its equity"
        return CopiedPlay(*places, line["rest"], (), rank, 0, None, BGBLITZ, problem=problem)
    name = " ".join(match["play"].split())
    chance = to_number(match["chance"]) if match["chance"] else None
    problem = ""
    if chance is None and (match["unit"] or not is_points):
        problem = f"{quoted(name)} has match winning chances, expected an equity (EMG)"
    elif match["unit"] or not is_chance(chance or 0.0):
        problem = f"{quoted(name)} has impossible match winning chances"
    return CopiedPlay(
        *places,
        name,
        tuple(_readings(match["play"], after_letter=False)),
        rank,
        to_number(match["number"]),
        to_number(match["loss"]) if match["loss"] else None,
        BGBLITZ,
        problem=problem,
        match_chance=chance,
    )


def _with_points_lost(play: CopiedPlay, best: CopiedPlay) -> CopiedPlay:
    """The play without a difference that is one of match winning chances."""
    loss, chance, best_chance = play.loss, play.match_chance, best.match_chance
    if loss is None or chance is None or best_chance is None:
        return play
    is_of_chances = abs(chance - best_chance - loss) <= _ROW_ROUNDING
    is_of_points = abs(play.equity - best.equity - loss) <= _PLAY_ROUNDING
    return play._replace(loss=None) if is_of_chances and not is_of_points else play


def _text(match: re.Match[str]) -> str:
    return " ".join(match[0].split())


def _play(
    match: re.Match[str], head: re.Match[str] | None, equity: re.Match[str], before: str
) -> CopiedPlay:
    line = before.rpartition("\n")[2]
    level = head["level"] if head else line
    is_gnubg = (equity["label"] or "").endswith(".")
    loss, name = equity["loss"], _text(match)
    return CopiedPlay(
        match.start(),
        equity.end(),
        name,
        tuple(_readings(match[0], after_letter=before[-1:].isalpha())),
        int(head["rank"]) if head else None,
        to_number(equity["number"] or equity["signed"]),
        to_number(loss) if loss else None,
        f"{'' if is_gnubg else 'XG '}{level}",
        made=bool(head and head["made"]),
        problem=f"{quoted(name)} has a percentage, expected an equity" * bool(equity["percent"]),
    )


def _readings(text: str, *, after_letter: bool) -> Iterator[tuple[Hop, ...]]:
    """The hops of a play, also without the first digits if they may be those of a footnote."""
    text = re.sub(r"\s(?=\()", "", text).lower()
    text = re.sub(r"(?<=\))(?=[\db])|(?<=\*)(?=[\db])", " ", text)
    text = re.sub(rf"(?<!{_WORD}){_WORD}+(?=\*?/)", "bar", re.sub(rf"(?<=/){_WORD}+", "off", text))
    for footnote in range(3 if after_letter else 1):
        if text[footnote : footnote + 1].isalnum() and text[:footnote].isdigit() == bool(footnote):
            try:
                yield parse_hops(text[footnote:].replace(";", " "))
            except MalformedError:
                continue


def _followed(plays: Sequence[CopiedPlay], end: int) -> Iterator[tuple[CopiedPlay, int]]:
    """Each play with the offset where the text about it ends."""
    for play, following in pairwise([*plays, None]):
        if play:
            until = following.start if following else end
            yield play, min(until, play.end + _MARGINS_CHARS)


def _with_margin(play: CopiedPlay, text: str, until: int) -> CopiedPlay:
    """The play with its standard error, and with its level as `Candidate.method` has it."""
    is_gnubg = not play.level.startswith("XG ")
    pattern = _STANDARD_ERROR if is_gnubg else _MARGIN
    match = pattern.search(text, play.end, until)
    error = abs(to_number(match[1])) / (1 if is_gnubg else _QUANTILE) if match else None
    level = play.level.removeprefix("XG ")
    level = level_of(level, is_gnubg=is_gnubg, is_rollout=error is not None)
    return play._replace(level=level, standard_error=error)


def rate_copied(copied: Sequence[CopiedPlay], legal: Sequence[Play]) -> Ranking:
    """Match the plays of a text with the legal plays.

    None are rated if the best is wrong, as the others are measured against it.
    """
    rated: list[RatedPlay] = []
    followers: list[Play | None] = []
    is_gap = False
    problems: list[str] = []
    made = None
    ordered = _ordered(copied)
    for play in ordered:
        try:
            result = _resolve(play, legal)
            _check(play, ordered[0], [each.play for each in rated], result)
        except (AmbiguousError, IllegalError) as error:
            problems.append(str(error))
            if not rated:
                break
            is_gap = True
            continue
        followers += [result] * is_gap
        is_gap = False
        rated.append(
            RatedPlay(result, play.equity, play.level, play.standard_error, play.match_chance)
        )
        made = result if play.made else made
    followers += [None] * is_gap
    level = rated[0].method if rated else ""
    rated.sort(key=lambda play: (play.method != level, -play.equity))
    rated[1:] = sorted(rated[1:], key=lambda play: -play.equity)
    places = {play.play: at for at, play in enumerate(rated)}
    gaps = tuple(places[play] if play else len(rated) for play in followers)
    return Ranking(tuple(rated), made, gaps, tuple(problems))


def _ordered(copied: Sequence[CopiedPlay]) -> Sequence[CopiedPlay]:
    """The plays by the numbers of the text, if each has one of its own."""
    ranks = [play.rank for play in copied if play.rank is not None]
    if len({*ranks}) < len(copied):
        return copied
    return sorted(copied, key=lambda play: play.rank or 0)


def _resolve(copied: CopiedPlay, legal: Sequence[Play]) -> Play:
    """The legal play that a text names. Raises IllegalError, AmbiguousError."""
    if copied.problem:
        raise IllegalError(copied.problem)
    if not legal:
        raise IllegalError(f"{quoted(copied.text)} is listed, but no play is legal here")
    first = legal[0]
    results: dict[Play, None] = {}
    problem: AmbiguousError | IllegalError | None = None
    illegal = f"{quoted(copied.text)} is not a legal play of {first.roll}"
    for hops in copied.readings:
        try:
            play = resolve(hops, first.before, first.roll, legal)
        except IllegalError:
            continue
        except AmbiguousError as error:
            problem = problem or error
            continue
        if star := false_star(hops, play):
            problem = IllegalError(f"{quoted(copied.text)}: nothing is hit on {star.target}")
            continue
        results[play] = None
    if len(results) > 1:
        raise AmbiguousError(
            f"{quoted(copied.text)} can be read in {len(results)} ways", [*results]
        )
    if not results:
        raise problem or IllegalError(illegal)
    return next(iter(results))


def _check(copied: CopiedPlay, best: CopiedPlay, others: Sequence[Play], play: Play) -> None:
    """Raise IllegalError for a play listed twice, or with numbers that contradict each other."""
    if play in others:
        raise IllegalError(f"{quoted(copied.text)} is listed twice")
    if not is_equity(copied.equity):
        raise IllegalError(f"{quoted(copied.text)} has an impossible equity, {copied.equity:+}")
    loss = copied.loss
    if copied is best and abs(loss or 0.0) > _PLAY_ROUNDING:
        raise IllegalError(f"the best play is missing: {quoted(copied.text)} comes first")
    if loss is not None and abs(abs(copied.equity - best.equity) - abs(loss)) > _PLAY_ROUNDING:
        numbers = f"{copied.equity:+.3f} ({loss:+.3f})"
        raise IllegalError(
            f"{quoted(copied.text)} has {numbers}, but the best play has {best.equity:+.3f}"
        )


_MAX_CHARS = 2_000_000
_XGID = re.compile(
    r"XG\s?ID\s?[=:]?\s?[-A-Oa-o]{26}(?::-?\d{1,2}){3}:(?:\d\d|[DBR])(?::\d{1,5}){4}:(?:10|\d)",
    re.IGNORECASE,
)
_TO_PLAY = re.compile(
    r"(?:to\s{1,9}play|to\s{1,9}move|rolled|rolls|has|\xe0\s{1,9}jouer|zum?\s{1,9}spielen|para\s{1,9}jugar|gioca|heitti"
    r"|\u03bd\u03b1\s{1,9}\u03c0\u03b1\u03af\u03be\u03b5\u03b9|\u0438\u0433\u0440\u0430\u0442\u044c"
    r"|\u30d7\u30ec\u30a4)\s{0,9}:?\s{0,9}([1-6])\s?-?\s?([1-6])(?!\d|\spips)",
    re.IGNORECASE,
)
_EQUITY_LINE = re.compile(SIGNED)
_ENTRY = re.compile(rf"\beq\.?\s?:\s{{0,9}}{SIGNED}", re.IGNORECASE)


class Copied(NamedTuple):
    """A position of a text, from offset `start` up to `end`, with its analysis and its note.

    The ID is from `id_start` up to `id_end`, and so the analysis. `legal` are the legal plays of
    the roll, `ranking` those of the text. `cube` is the cube decision before the roll. `problems`
    are lines about what is wrong and left out.
    """

    start: int
    end: int
    line: int
    id_start: int
    id_end: int
    analysis_start: int
    analysis_end: int
    state: GameState | None
    legal: tuple[Play, ...] = ()
    ranking: Ranking = Ranking()
    cube: CubeAnalysis | None = None
    note: str = ""
    problems: tuple[str, ...] = ()

    def overlaps(self, start: int, end: int) -> bool:
        """Whether a part of the text shares characters with the ID or the numbers."""
        parts = (self.id_start, self.id_end), (self.analysis_start, self.analysis_end)
        return any(start < last and first < end for first, last in parts)

    @property
    def has_analysis(self) -> bool:
        """Whether it has a play or a cube decision that can be used."""
        return bool(self.ranking.rated or self.cube)


class _Id(NamedTuple):
    start: int
    end: int
    state: GameState | None
    problem: str = ""
    is_xgid: bool = False


def read_copied(text: str) -> tuple[Copied, ...]:
    """The positions of a text, in its order; none if it has no ID with a label or a score.

    Raises MalformedError if the text is too long.
    """
    if len(text) > _MAX_CHARS:
        raise MalformedError(f"over {_MAX_CHARS:,} characters; paste fewer positions at a time")
    plain = plain_text(text)
    parts = [_read_position(plain, *part) for part in _parts(plain, _ids(plain))]
    return tuple(_numbered(text, parts))


def _numbered(text: str, parts: Sequence[Copied]) -> Iterator[Copied]:
    """The positions with the numbers of their lines."""
    line, at = 1, 0
    for copied in parts:
        line += text.count("\n", at, copied.id_start)
        at = copied.id_start
        yield copied._replace(line=line)


def _ids(text: str) -> list[_Id]:
    """The certain IDs of a text in order, with their states."""
    # A word may follow an XGID without a blank.
    places = {match.start(): (match.end(), match[0]) for match in _XGID.finditer(text)}
    for place in find_ids(text):
        if place.is_certain:
            places.setdefault(place.start, (place.end, place.name))
    ids: list[_Id] = []
    for start, (end, name) in sorted(places.items()):
        if ids and start < ids[-1].end:
            continue
        try:
            is_xgid = bool(_XGID.match(text, start))
            ids.append(_Id(start, end, parse_state(name), is_xgid=is_xgid))
        except MalformedError as error:
            ids.append(_Id(start, end, None, str(error)))
    return ids


def _parts(text: str, ids: Sequence[_Id]) -> Iterator[tuple[_Id, int, int]]:
    """Each ID with the part of the text about it; several names of a board share one."""
    merged: list[_Id] = []
    seen = 0
    for place in ids:
        last = merged[-1] if merged else None
        if (
            last
            and _is_same(last.state, place.state)
            and not _EQUITY_LINE.search(text, seen, place.start)
        ):
            known, state = last.state, place.state
            if known and state and (not known.roll or (place.is_xgid and state.roll)):
                merged[-1] = last._replace(state=place.state)
        else:
            merged.append(place)
        seen = place.end
    ends = [*(place.start for place in merged), len(text)][1:]
    for place, end in zip(merged, ends, strict=False):
        yield place, 0 if len(merged) == 1 else place.start, end


def _is_same(first: GameState | None, second: GameState | None) -> bool:
    """Whether two IDs may be of the same decision."""
    if first is None or second is None or first.position != second.position:
        return False
    return first.roll == second.roll or not first.roll or not second.roll


def _read_position(text: str, place: _Id, start: int, end: int) -> Copied:
    """Read the part of a text about a position."""
    places = place.start, place.end
    copied = Copied(start, end, 0, *places, place.end, place.end, place.state)
    state = place.state
    if state is None:
        return copied._replace(problems=(place.problem,))
    if state.length and max(state.score) >= state.length:
        first, second = state.score
        problem = f"the score {first}-{second} of the ID ends a match to {state.length}"
        return copied._replace(state=None, problems=(problem,))
    is_match = state.length > 0
    plays = find_plays(text, start, end, is_match=is_match)
    problems: list[str] = []
    cube: CopiedCube | None = None
    try:
        cube = find_cube(text, start, end, is_match=is_match)
    except MalformedError as error:
        problems.append(str(error))
    if cube and (problem := _cube_problem(state)):
        problems.append(problem)
        cube = None
    legal: Sequence[Play] = ()
    if plays and state.roll is None:
        roll = _TO_PLAY.search(text, start, end)
        if roll is None or state.doubled:
            problems.append(f"{quoted(plays[0].text)} is listed, but the ID has no roll")
            plays = []
        else:
            state = replace(state, roll=Roll.parse(roll[1] + roll[2]))
    if state.roll and not state.doubled:
        legal = legal_plays(state.position, state.roll)
        if not (legal or plays) and _ENTRY.search(text, start, end):
            problems.append(f"nothing can be played with {state.roll}")
    ranking = rate_copied(plays, legal)
    parts = [(play.start, play.end) for play in plays]
    parts += [(cube.start, cube.end)] if cube else []
    analysis_start = min((first for first, _ in parts), default=place.end)
    analysis_end = max((last for _, last in parts), default=place.end)
    levels = [play.level for play in plays] or [cube.analysis.method if cube else ""]
    has_xg = any(level.startswith("XG") for level in levels)
    note = ""
    if has_xg:
        answers = cube.answers if cube else ()
        note = note_after(text, max(analysis_end, place.end), end, answers)
    return copied._replace(
        state=state,
        analysis_start=analysis_start,
        analysis_end=analysis_end,
        legal=tuple(legal),
        ranking=ranking,
        cube=cube.analysis if cube else None,
        note=note,
        problems=(*problems, *ranking.problems),
    )


def _cube_problem(state: GameState) -> str:
    """Why the player cannot have this cube decision; empty if he can."""
    if state.doubled:
        return ""
    if state.crawford:
        return "a cube analysis, but the ID is of the Crawford game"
    if state.owner not in {None, state.player}:
        return "a cube analysis, but the opponent owns the cube"
    return ""
