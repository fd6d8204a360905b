"""Whether a passage is about backgammon, by its words: seats and sizes look like plays too."""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from itertools import pairwise

from gnubg_nactation.prose.chains import chosen_letters
from gnubg_nactation.sequences.openings import OPENINGS

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
)
_WORD = re.compile(rf"(?<![\w-])(?:(?P<term>{_TERMS})|(?:{_COMMON}))(?![\w-])", re.IGNORECASE)
_PLAY = re.compile(rf"(?<![\w-]){_TURN}")
# A noun before a code is its label: `slot 21S`.
_LABEL = re.compile(rf"(?:slot|anchor|cube|roll|prime) {_TURN}", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!][\"')]?\s+(?=\S)")
# Longhand: two portions, a hit, an entry, or one right after a letter. Or one play above another.
# Or a turn in words: `opened with 51S`, `a reply to 51S`, `33 after 43D`, `51S is answered by`.
_VERBS = r"opens|opened|replie[sd]|answer(?:s|ed)|respond(?:s|ed)|rolls|rolled|threw|plays|played"
_NOTATION = re.compile(
    r"(?<![\w./])(?:bar|[0-9]{1,2})/[0-9]{1,2}(?:\*|[(,; ]{1,2}(?:bar|[0-9]{1,2})/)|\bbar/[0-9]"
    r"|[1-6]{2}[A-Z$@&](?: is| =|:)? \(?[0-9]{1,2}/[0-9]|[1-6]{2}[A-Z$@&] > [1-6]{2}[A-Z$@&]"
    rf"|\b(?i:(?:{_VERBS})(?: with)?|(?:repl(?:y|ies)|answers?|responses?) to) {_TURN}"
    rf"|(?<![\w./:-])[1-6]{{2}}[A-Z$@&]? (?:after|against|vs\.?) {_TURN}"
    rf"|\b(?i:after|following|against|facing|versus) {_TURN}, {_TURN}"
    r"|\b(?:rolls|rolled|threw) (?:an? )?(?:[1-6]{2}|[1-6]-[1-6])(?![\w./:-]\w|\w)"
    rf"|(?<!\w){_TURN} (?:is|was) answered (?:by|with)\b"
    rf"|(?<![\w-]){_TURN}-[1-6]{{2}}[:,;?]? [A-Z$@&](?:, [A-Z$@&])*,? or [A-Z$@&](?!\w)"
)
_ROLL = re.compile(r"(?<![\w./:-])[1-6]{2}(?![\w%/:]|[.-]\w)")
_LONE_ROLL = re.compile(r"(?<![\w./:-])[1-6]{2}(?!\w)")
# A player right before a play, `me 65R`, at the start of a clause.
_PLAYER = re.compile(rf"(?:\A|[\n.,;!?]) ?(?i:(me|you|him|her|them|us)):? {_TURN}")
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
        for match in _LONE_ROLL.finditer(bare):
            tokens = [match[0] + bare[at] for at, _ in chosen_letters(bare, match.end())]
            usual = [token for token in tokens if token in OPENINGS]
            if tokens and len(usual) >= min(len(tokens), 2):
                rolls[bisect(ends, match.start())].add(match[0])
                self._add_sign(match.start(), usual[0] if len(tokens) == 1 else "alternatives")
        for match in _WORD.finditer(bare):
            if match["term"]:
                self.add(match.start())
            elif bisect(ends, match.start()) in rolls and not _LABEL.match(bare, match.start()):
                self._add_sign(match.start(), match[0].lower())
        for match in _ROLL.finditer(bare):
            if match[0] in rolls.get(bisect(ends, match.start()), ()):
                self._add_sign(match.start(), "roll of a play")
        for match in _PLAYER.finditer(bare):
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
