"""Claims about letters in a text: `B (Both) = 24/16* 13/9(2)`, `H is 13/8`, `31P (8/5 6/5)`."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from operator import attrgetter

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.notation import format_play, parse_hops
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.dialects import plays_in
from gnubg_nactation.language.nactation import Nactation, from_look, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.prose.chains import ANY_WORD, LONE_ROLL, Span, chosen_letters
from gnubg_nactation.prose.page import (
    UNREADABLE,
    Claim,
    Finding,
    Kind,
    Page,
    paragraph_of,
    roll_after,
    roll_before,
)
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.sequences.tokens import longhand_in, plays_of
from gnubg_nactation.values import NamedTuple, replace
from gnubg_nactation.writing.markup import Glyph
from gnubg_nactation.writing.scan import CHARACTERS

# The underscore of a letter that has an italic form: `R_`, but not `H_`.
_ITALIC = "".join(
    sorted({glyph for each in FAMILIES if each.suffix == "_" for glyph in each.glyphs})
)
_UNDERSCORE = rf"(?<=[{re.escape(_ITALIC)}])_"
_MEMBER = r"(?:\{[1-9][0-9]{0,5}\})?"
_SIGN = rf"[{re.escape(''.join(sorted(CHARACTERS)))}]"
_LETTER = rf"{_SIGN}(?:\.(?!\{{)|(?:{_UNDERSCORE})?{_MEMBER})"
_WORDS = r"[A-Za-z][A-Za-z -]{1,24}"
# Text before the play: a letter, perhaps with its roll, its word, and a sign or verb.
_LETTER_BEFORE = re.compile(
    rf"""(?:(?<![\w/])(?P<roll>[1-6]{{2}})|(?<![\w/$%@&#-]))(?P<letter>{_LETTER})
         (?P<link> ["'\u201d\u2019]? (?:[ ](?:play|move))? \s{{0,2}}
             (?:\({_WORDS}\) | \((?:{_WORDS},?\s)?)?
             (?: (?:,[ ](?:which|that)[ ]|,|\s{{1,2}})? (?:=|:|\bis\b|\bmeans\b)
                 (?:[ ](?:the[ ]|an?[ ])?(?i:{ANY_WORD}))? )?
             ,? (?:[ ]i\.e\.,?)? \s{{0,2}} )\Z""",
    re.VERBOSE,
)
_LETTER_AFTER = re.compile(
    r"(?:\s*(?:=|\bis\b)\s*(?:(?:an?|called|named) )?|,? (?:i\.e\.,?|called|(?:the )?letter) )"
    rf"(?P<letter>{_LETTER})"
    r"(?=[,;:!?)]|[.](?!\d)|\s+(?:and|or|after|in|with|for|from|at|here|if|when)\b|\s*\n|\s*\Z)"
)
_LIST_START = re.compile(r"(?:\A|[:,;(\n])[ \t]{0,3}\Z")
# A row that ends with another letter for its last play: `52D-64H R`.
_ROW_START = re.compile(r"(?:\A|\n)[\s0-9#().:>*|-]*\Z")
_ROW_LETTER = re.compile(
    rf"[ \t|]+(?P<letter>(?=[A-Z$@&]){_SIGN}(?:{_UNDERSCORE}|\.)?)[ \t|.!?)]*(?=\n|\Z)"
)
_PLAY_NEXT = r"(?=(?:bar|[12]?[0-9])/)"
# The plays of a poll, `A 24/20(2)` above `B 24/16`, or `a) 31P, b) 31H`: their letters are labels,
# and so are those of `option B` and `Position C`.
_LABEL = re.compile(
    rf"(?m)(?:^[ \t>*-]{{0,20}}|(?<!\w)(?=[A-Za-z][):]))(?P<label>[A-Za-z])[.):]{{0,2}}[ \t]+"
    rf"(?:{_PLAY_NEXT}|(?<=[).:] )(?=(?:[1-6]{{2}})?(?=[A-Z@$&]){_SIGN}(?!\w)))"
)
_CALLED = re.compile(
    r"(?:(?:\b(?i:option|candidate|(?<!my )choice|alternative|plan) |(?:\A|[\n.:;,] ?)Play (?=\w:))"
    r"(?=[A-F])|(?<!this )(?<!that )(?<!the )\b(?i:position|problem|diagram|figure|example|exercise"
    r"|appendix|section|chapter|part|volume|page|column|row|group|pool|team|player|table|flight"
    r"|division|class|category|league|level|grade|type|model|version|round|vitamin|m(?:r|rs|s)\.?"
    r"|dr\.?) )(?P<label>[A-Z])(?![\w'\u2019])"
)
_CAPITAL = re.compile(r"\b[A-Z]\b")
# A row or the edge of a board drawn with X and O, with what is beside it.
_DRAWN = re.compile(
    r"(?m)^[^\n0-9|+]{0,9}"
    r"(?:\|(?:[^\n0-9]*$|[ XO0-9]{12,30}\|[ A-Z0-9]{0,9}\|[ XO0-9]{12,30}\|)|\+[-+0-9]{20,60}\+)"
    r"[^\n]*$"
)
# X and O as players, not letters: `X to play`, `X: Ann`, `White (X)`.
_IS_PLAYER = (
    r"(?<=[XO])(?: (?:is |was )?(?:to (?:move|play|roll)|on roll)\b"
    r"| ha[sd] (?:[0-9]|to\b|the\b|won\b)| roll(?:s|ed)\b| owns?\b| double[sd]\b"
    r"|: (?:[A-Z]\w{1,15}|gnubg)(?=,|[ \t]{0,9}(?:\n|\Z))"
    r"| is (?:the )?(?:\w{1,12} )?player\b)"
    r"|\)(?<=[a-z] \([XO]\))"
)
# What a letter is, in a lesson: `S means split`, `Z is the reverse split`, `the same S as in 52S`.
_EXPLAINED = (
    r"[\"'\u201d\u2019]?,? (?:(?:stands for|means|denotes|as in)\b"
    rf"|is (?:the |an? )?[\"'\u201c\u2018]?(?i:{ANY_WORD})\b|= (?i:{ANY_WORD})(?=[,;.)\n]|\Z))"
    r"(?![^.;\n]{0,20}\b(?:bar|[0-9]{1,2})/)"  # but of a play, `P means Point: 8/5 6/5`
)
# A letter that is no word, initial or label; `X  24/21 6/4*` ends where the play begins.
_LETTER_ALONE = re.compile(
    r"(?<![\w.'\u2019/@-])(?:(?<!\d )|(?<=\n[1-6][1-6] ))"
    r"(?P<letter>(?:[B-HJ-Z@%#]|(?<=\b(?:or|vs) )A|(?<=\d: )A|(?<=\bplayed )A|(?<=\bprefer )A)"
    rf"(?:{_UNDERSCORE})?{_MEMBER})"
    r"(?!\.?[\w'\u2019/-]|:\w|: [0-9]{1,6}(?![\w/])|\)(?<=\n..)|"
    rf"{_IS_PLAYER}|{_EXPLAINED}|(?<=@) (?:the|an?|my|your|our|his|her)\b)"
    rf"(?:[ \t]{{1,8}}\(?{_PLAY_NEXT})?"
)
# Text before an initial: a first name, or the end of a letter.
_FIRST_NAME = re.compile(
    r"\b(?:[A-Z][a-z]+ "
    r"|(?:Best|Bye|[Rr]egards|[Cc]heers|[Tt]hanks|[Tt]hx|[Yy]ours),?\s{1,4}(?:-{1,2} ?)?)\Z"
)
# The number of an answer before its letter: `Answers: 1. Z, 2. P`, `A2: P` or `answers: A is Z`.
_NUMBERED = re.compile(
    r"(?<![\w.])(?P<answer>A(?=[0-9]))?#?(?P<number>(?![1-6]{2})[1-9][0-9]?|[A-H])"
    r"(?:[.):]{1,2}| is)[ \t]{1,3}\Z"
)
# The number of a question right before it: `Q2: 61P-53`, `Problem A. 61P-53`.
_QUESTION = re.compile(r"(?P<number>(?<![0-9])[1-9][0-9]?|(?<!\w)[A-H])[.):]{0,2}\s{0,3}\Z")
_ANSWERS = re.compile(r"\b(?:answers?|solutions?)\b", re.IGNORECASE)
# A roll in the same sentence as the letter after it.
_OTHER_ROLL = re.compile(
    r"(?<![\w./:,-])(?<![A-Z@$&] )(?P<roll>[1-6]{2}|(?<!at )[1-6]-[1-6])"
    r"(?![\w%/:-]|[.,][0-9]| (?:to|worse|better|behind)\b)(?!.{0,50}[.!?\n])"
)
_FAR = 1500  # characters after the last finding
_OTHER_WORDS = set("AICRTPDF")  # after a sequence, a word or a cube action
_MAX_LETTER_DISTANCE, _MAX_ROW_START, _MAX_TO_ROLL = 60, 20, 50  # characters
_MAX_CLAIMS, _MAX_CONTEXT, _MAX_LATER, _MAX_BLANKS = 1000, 50, 5, 4


class _Match(NamedTuple):
    """A claim from offset `start` of the bare text up to `end`, and the offsets of its play.

    `roll` is empty if it does not come with the letter. `at` is the offset of the letter.
    """

    start: int
    end: int
    letter: str
    roll: str
    play_start: int
    play_end: int
    at: int = 0


def with_claims(page: Page, findings: Sequence[Finding]) -> list[Finding]:
    """The findings of a text, in order, with its claims, and with plays and letters alone.

    Each is about the roll and position that the text discusses there. What overlaps an earlier
    finding is left out. Later plays and letters may be about the position of earlier ones.
    """
    plays, labels = dict(longhand_in(page.bare)), _labels(page.bare)
    claims = []
    with_letters = (_with_letter(page.bare, start, end) for start, end in plays.items())
    matches = (it for it in with_letters if it and it.start not in labels and _names_of(page, it))
    for match in islice(matches, _MAX_CLAIMS):
        blank = page.finding(Kind.CLAIM, match.start, match.end)
        before, after = _around(findings, blank)
        if _is_free(blank, before, after):
            claims.append(_claim(page, match, blank, before, after))
    found = sorted([*findings, *claims], key=attrgetter("start"))
    mentions: list[Finding] = []
    for match in islice(_mentions(page.bare, plays, labels), _MAX_CLAIMS):
        blank = page.finding(Kind.PLAY, match.start, match.end, Confidence.LIKELY)
        before, after = _around(found, blank)
        last = max([*before[-1:], *mentions[-1:]], key=attrgetter("start"), default=blank)
        if page.budget.is_used_up:
            break
        is_near = last.end <= blank.start <= last.end + _FAR
        if match.letter == "N" and not match.play_end and page.names_nackgammon:
            continue  # the sign of Nackgammon
        if before and is_near and _is_free(blank, before, after):
            with suppress(*UNREADABLE):
                mentions += _mention(page, match, blank, before, last)
    return sorted([*found, *mentions], key=attrgetter("start"))


def _around(findings: Sequence[Finding], blank: Finding) -> tuple[Sequence[Finding], ...]:
    """The last findings before a place, and the next ones after it."""
    at = bisect(findings, blank.start, key=attrgetter("start"))
    return findings[max(at - _MAX_CONTEXT, 0) : at], findings[at : at + _MAX_LATER]


def _is_free(blank: Finding, before: Sequence[Finding], after: Sequence[Finding]) -> bool:
    is_after = not before or before[-1].end <= blank.start
    return is_after and (not after or after[0].start >= blank.end)


def _mentions(bare: str, ends: Mapping[int, int], labels: set[int]) -> list[_Match]:
    """The plays in traditional notation, and letters alone or before such a play, in order.

    `ends` are those of the plays by where they begin.
    """
    matches = [_Match(start, end, "", "", start, end) for start, end in ends.items()]
    rolls = {
        start: match[0]
        for match in LONE_ROLL.finditer(bare)
        for start, _ in chosen_letters(bare, match.end())
    }
    for each in _LETTER_ALONE.finditer(bare):
        start, end = each.span("letter")
        if bare[end : end + 1] in {"", ".", "\n"} and _FIRST_NAME.search(
            bare, max(start - 20, 0), start
        ):
            continue
        play_end = ends.get(each.end(), 0)
        roll = rolls.get(start, "")
        place = each.end(), play_end
        matches.append(_Match(start, play_end or end, each["letter"], roll, *place, start))
    return sorted(match for match in matches if match.start not in labels)


def _mention(
    page: Page, match: _Match, blank: Finding, before: Sequence[Finding], last: Finding
) -> Iterator[Finding]:
    """The finding of a play or letter in the first of the states that allows it."""
    hops = parse_hops(_play_text(page, match)) if match.play_end else ()
    names = _names_of(page, match) if match.letter else []
    for state in _states_in_force(page, match, before, last):
        roll = state.roll
        if roll is None or (match.roll and Roll.parse(match.roll) != roll):
            continue
        plays = plays_in(_plays(state.position, roll), blank.dialect)
        named = {it: plays.reading(it.family).members[it.member - 1 :][:1] for it in names}
        meant = plays_of(hops, plays, roll) if hops else next(filter(None, named.values()), ())
        name = next((it for it, members in named.items() if meant and meant[0] in members), None)
        if len(meant) != 1 or (names and not name):
            continue
        written = format_play(meant[0])
        if name and hops:
            claim = Claim(str(name), written, state, right=True)
            yield blank._replace(kind=Kind.CLAIM, claim=claim)
            return
        text = f"{roll}{name or f' {written}'}"
        start, usage = replace(state, roll=None), blank.dialect
        decoded = decode(text, start=start, strict=True, dialect=usage, budget=page.budget)
        yield blank._replace(decoded=decoded, note=f"a play of {roll}")
        return


_plays = lru_cache(maxsize=16)(Plays)


def _names_of(page: Page, match: _Match) -> list[Nactation]:
    """The names that a letter may be: with its style, and without, because that may be emphasis.

    The style that the text next to it also has belongs to the text. Empty if it is no name.
    """
    names: list[Nactation] = []
    glyph, around = page.glyphs[match.at], _around_letter(page, match)
    italic = glyph.italic and not any(each.italic for each in around)
    bold = glyph.bold and not any(each.bold for each in around)
    if (italic or bold or glyph.underline) and len(match.letter) == 1:
        with suppress(MalformedError):
            names.append(from_look(glyph.character, glyph.marks[:1], italic, bold, 0))
    with suppress(MalformedError):
        names.append(parse_nactation(match.letter))
    return names


def _around_letter(page: Page, match: _Match) -> list[Glyph]:
    """The characters before and after a letter, without blanks."""
    end = match.at + len(match.letter)
    before = page.glyphs[max(match.at - _MAX_BLANKS, 0) : match.at]
    sides = before[::-1], page.glyphs[end : end + _MAX_BLANKS]
    shown = ([glyph for glyph in side if not glyph.character.isspace()] for side in sides)
    return [glyph for side in shown for glyph in side[:1]]


def _states_in_force(
    page: Page, match: _Match, before: Sequence[Finding], last: Finding
) -> Iterator[GameState]:
    """The states that a mention may be about: of a roll since the last finding, or of that."""
    first, _ = paragraph_of(page, match.start)
    number = _NUMBERED.search(page.bare, max(match.start - _MAX_ROW_START, 0), match.start)
    if number and (
        number["answer"]
        or _ANSWERS.search(page.bare, max(number.start() - _FAR, 0), number.start())
    ):
        questions = [(finding, state) for finding in before if (state := _asked(finding))]
        answered = [
            state
            for finding, state in questions
            if (label := _QUESTION.search(page.text, max(finding.start - 10, 0), finding.start))
            and label["number"] == number["number"]
        ]
        if answered or (len(questions) > 1 and number["number"].isdecimal()):
            yield from answered
            return
    row = roll_before(page, match.start)
    above = None if row else roll_before(page, max(first - 1, 0))
    row = row or (above if above and above.answered else None)
    if row and row.answered and page.glyphs[row.answered].at == last.start:
        yield from (state for state, _ in _with_roll([last], row.roll))
    if row is None or page.glyphs[row.start].at < last.end:
        near = max(match.start - _MAX_TO_ROLL, 0)
        others = list(_OTHER_ROLL.finditer(page.bare, near, match.start))
        is_new = others and page.glyphs[others[-1].start()].at >= last.end
        dice = others[-1]["roll"].replace("-", "") if is_new and not match.play_end else ""
        for finding in (last, *reversed(before[-4:])):
            states = [state for state, _ in _state_of(finding, is_firm=False)]
            yield from (it for it in states if not dice or it.roll == Roll.parse(dice))
        return
    same_line = [each.decoded for each in before[-2:] if each.line == before[-1].line]
    is_clear = len({each.state.position for each in same_line if each}) < 2
    answered = [state for state, _ in _with_roll(before, row.roll)] if is_clear else []
    decoded = [each.decoded for each in before[-2:] if each.decoded]
    rolls = {turn.state.roll for each in decoded for turn in each.turns}
    rolls |= {each.state.roll for each in before[-2:] if each.kind is Kind.POSITION and each.state}
    is_played = row.roll in rolls
    is_near = last.start >= page.glyphs[first].at and not page.bare.endswith("\n", 0, row.start)
    opening = replace(to_state(page.start or STANDARD), roll=row.roll)
    openings = [] if row.roll.is_doublet else [opening]
    answered = [] if row.is_label and not (is_near or is_played) else answered
    yield from (*answered, *openings) if is_near or is_played else (*openings, *answered)


def _asked(finding: Finding) -> GameState | None:
    """The state of a sequence or position whose roll is still to be played."""
    if finding.kind is Kind.SEQUENCE and finding.decoded and finding.decoded.turns:
        turn = finding.decoded.turns[-1]
        return turn.state if turn.how is ReadingKind.TO_PLAY else None
    state = finding.state if finding.kind is Kind.POSITION else None
    return state if state and state.roll else None


def read_row_claim(page: Page, span: Span, finding: Finding) -> list[Finding]:
    """The letter that ends a row after a sequence, `52D-64H R`, as a claim about its last play."""
    row_start = page.bare[max(span.start - _MAX_ROW_START, 0) : span.start]
    turn = finding.decoded.turns[-1] if finding.decoded and finding.decoded.turns else None
    match = _ROW_LETTER.match(page.bare, span.end)
    if not (match and turn and turn.play and turn.nactation and _ROW_START.search(row_start)):
        return []
    blank = page.finding(Kind.CLAIM, match.start("letter"), match.end("letter"))
    letter, plays = match["letter"].rstrip("."), Plays(turn.state.position, turn.play.roll)
    plays = plays_in(plays, blank.dialect)
    right = _is_right(parse_nactation(letter), turn.play, plays)
    if not right and letter in _OTHER_WORDS:
        return []
    instead = "" if right else str(turn.nactation)
    claim = Claim(letter, format_play(turn.play), turn.state, right, instead)
    return [blank._replace(claim=claim, sure=Confidence.SURE if right else Confidence.DOUBTFUL)]


def _labels(bare: str) -> set[int]:
    """The offsets of letters that label plays, A, B, C in order or `option B`, or are drawn.

    After a poll its labels are what people vote for: `I like B`.
    """
    labels = {at for match in _DRAWN.finditer(bare) for at in range(*match.span())}
    labels.update(match.start("label") for match in _CALLED.finditer(bare))
    row: list[re.Match[str]] = []
    polls: list[tuple[int, str]] = []  # where a poll ends, and its last label
    for match in _LABEL.finditer(bare):
        follows = bool(row) and ord(match["label"]) == ord(row[-1]["label"]) + 1
        row = [*row, match] if follows else [match] if match["label"] in "Aa" else []
        if len(row) > 1:
            labels.update(label.start("label") for label in row[-2:])
            polls.append((match.end(), match["label"].upper()))
    for vote in _CAPITAL.finditer(bare) if polls else ():
        end, last = polls[max(bisect(polls, (vote.start(),)) - 1, 0)]
        if end <= vote.start() < end + _FAR and vote[0] <= last:
            labels.add(vote.start())
    return labels


def _play_text(page: Page, match: _Match) -> str:
    return " ".join(page.bare[match.play_start : match.play_end].replace(",", " ").split())


def _with_letter(bare: str, start: int, end: int) -> _Match | None:
    """The claim about the play between two offsets; None if no letter is next to it."""
    if after := _LETTER_AFTER.match(bare, end):
        letter = after["letter"].rstrip(".")
        at = after.start("letter")
        return _Match(start, at + len(letter), letter, "", start, end, at)
    first = max(start - _MAX_LETTER_DISTANCE, 0)
    before = _LETTER_BEFORE.search(bare, first, start)
    if before is None:
        return None
    roll, letter, link = before["roll"] or "", before["letter"], before["link"]
    if (letter[0].isdigit() or letter == ">") and not re.search(r"=|\bis\b", link):
        return None  # the number of a row, or the mark of a quote
    if letter in {"a", "A", "I"} and re.search(r"\b(?:play|move)\b", link):
        return None  # `a play is`
    if roll:
        is_claim = bool(re.search(r"=|\b(?:is|means)\b|\A\s*\(\Z", link))
    elif re.search(r"[=(]|\b(?:is|means)\b", link):
        is_claim = True
    else:
        begins_item = bool(_LIST_START.search(bare, first, before.start("letter")))
        is_named = "," in link and bare.endswith("letter ", first, before.start("letter"))
        is_named = is_named or "i.e." in link
        is_word = letter in {"A", "I"}
        begins = begins_item or (":" in link and not is_word)
        is_claim = is_named or (not letter[0].islower() and begins and (":" in link or not is_word))
    if not is_claim:
        return None
    is_open = link.count("(") > link.count(")")
    claim_end = end + 1 if is_open and bare[end : end + 1] == ")" else end
    claim_start = before.start("letter")
    if roll:  # the roll and its letter are another finding
        claim_start = before.end("letter") + len(link) - len(link.lstrip(" "))
    at = before.start("letter")
    return _Match(claim_start, claim_end, letter.rstrip("."), roll, start, end, at)


def _claim(
    page: Page,
    match: _Match,
    blank: Finding,
    earlier: Sequence[Finding],
    later: Sequence[Finding],
) -> Finding:
    """The finding of a claim: right, wrong, or about an unknown position.

    `earlier` and `later` are the findings around it. A claim is wrong only in a position that the
    text clearly discusses.
    """
    *_, name = names = _names_of(page, match)
    text = _play_text(page, match)
    for state, is_firm in _states(page, match, blank, earlier, later):
        if state.roll is None:
            continue
        plays = plays_in(Plays(state.position, state.roll), blank.dialect)
        meant = plays_of(parse_hops(text), plays, state.roll)
        if not meant and match.roll and is_firm:  # `31P (13/7)`
            claim = Claim(match.letter, text, state, right=False)
            return blank._replace(claim=claim, sure=Confidence.SURE)
        if len(meant) != 1:
            continue
        (play,) = meant
        right = _is_right(name, play, plays)
        if not (right or is_firm):
            continue
        member = plays.reading(name.family).naming(play) or plays.name(play).naming
        instead = "" if right else str(member.nactation)
        exact = next((it for it in names if plays.place(play, it.family) == it.member), name)
        claim = Claim(str(exact), text, state, right, instead)
        return blank._replace(claim=claim, sure=Confidence.SURE if is_firm else Confidence.LIKELY)
    return blank._replace(claim=Claim(match.letter, text), sure=Confidence.LIKELY)


def _is_right(name: Nactation, play: Play, plays: Plays) -> bool:
    """Whether a character names a play; italics do not count because plain text loses them."""
    names = [naming.nactation for naming in plays.names(play)]
    if place := plays.place(play, name.family):  # in an older usage
        names.append(Nactation(name.family, place))
    if name.is_formatted:  # `P{3}`
        return name in names
    return any(
        name.family is each.family and name.look.character == each.look.character for each in names
    )


def _states(
    page: Page,
    match: _Match,
    blank: Finding,
    earlier: Sequence[Finding],
    later: Sequence[Finding],
) -> Iterator[tuple[GameState, bool]]:
    """The states that a claim may be about, the likeliest first.

    After each state comes whether the text clearly discusses it: in the same paragraph, or as its
    only sequence or position.
    """
    contexts = list(filter(_is_context, earlier))
    if match.roll:  # its token is the finding before the claim
        token = earlier[-1].decoded if earlier else None
        if token and token.turns and blank.start - earlier[-1].end < _MAX_LETTER_DISTANCE:
            is_opening = earlier[-1].kind is Kind.PLAY and token.start.position == STANDARD
            is_doubtful = earlier[-1].sure <= Confidence.DOUBTFUL
            yield token.turns[-1].state, not (is_doubtful or (is_opening and contexts))
        return
    first, last = paragraph_of(page, match.start)
    near = [finding for finding in earlier if finding.start >= page.glyphs[first].at]
    before, after = roll_before(page, match.start), roll_after(page, match.end)
    if before:
        yield from _with_roll(near or earlier, before.roll)
        if not before.roll.is_doublet:
            yield replace(to_state(page.start or STANDARD), roll=before.roll), not contexts
    for finding in reversed(earlier[-3:]):
        if finding in near:
            yield from _state_of(finding, is_firm=True)
    following = [
        finding
        for finding in later
        if _is_context(finding) and finding.start < page.glyphs[last - 1].at
    ]
    if after:
        yield from _with_roll(near, after.roll)
        if not (near or after.roll.is_doublet):
            is_firm = not (contexts or following)
            yield replace(to_state(page.start or STANDARD), roll=after.roll), is_firm
    for finding in following[:1]:
        yield from _state_of(finding, is_firm=len(following) == 1 and not near)
    for finding in reversed(earlier[-3:]):
        if finding not in near:
            yield from _state_of(finding, is_firm=[finding] == contexts)
    if not before and (above := roll_before(page, max(first - 1, 0))):  # `I have 64:`
        yield from ((state, False) for state, _ in _with_roll(earlier, above.roll))


def _is_context(finding: Finding) -> bool:
    """Whether a finding is a sequence, or a position that no play before it leads to."""
    is_position = finding.kind is Kind.POSITION and finding.sure is Confidence.SURE
    return is_position or finding.kind is Kind.SEQUENCE


def _with_roll(near: Sequence[Finding], roll: Roll) -> Iterator[tuple[GameState, bool]]:
    """The states of the last two findings with a roll that the text names, also of positions."""
    for finding in reversed(near[-2:]):
        state = finding.state if finding.kind is Kind.POSITION else None
        if state and state.roll in {None, roll}:
            yield replace(state, roll=roll), True
        turns = finding.decoded.turns if finding.decoded else ()
        states = [turn.state for turn in reversed(turns) if turn.state.roll == roll]
        if finding.decoded and turns:
            yield next(iter(states), replace(finding.decoded.state, roll=roll)), True


def _state_of(finding: Finding, *, is_firm: bool) -> Iterator[tuple[GameState, bool]]:
    """The state of the last turn of a finding, or of a position with a roll."""
    if finding.claim and finding.claim.state:
        yield finding.claim.state, is_firm
    elif finding.decoded and finding.decoded.turns:
        yield finding.decoded.turns[-1].state, is_firm
    elif finding.state and finding.state.roll:
        yield finding.state, is_firm
