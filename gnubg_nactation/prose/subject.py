"""Whether a passage is about backgammon, by its words: seats and sizes look like plays too."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

from gnubg_nactation.sequences.openings import OPENINGS

# The terms of the game. One suffices.
_TERMS = (
    r"(?:back|nack)gammon|gammons?|gammon-(?:go|save)|nact\w*|dice|dances?|danced|fans|fanned"
    r"|roll(?:s|ed|ing|out|outs)?|openings?|opens?|opened|openers?|repl(?:y|ies|ied)"
    r"|slots?|slotted|slotting|blots?|checkers?|anchors?|primes?|cubes?|cubeful|redoubles?"
    r"|doublets?|midpoint|builders?|equity|blunders?|chouette|pips?|crawford|dmp|xg(?:id)?|gnubg"
    r"|snowie|(?:one|two|three|four|five|bar|[1-8])[- ]point|[1-6]{2}-[a-z]+|[1-6]-[1-6]"
    r"|zplits?|splits|splitting|tutorial|answered (?:by|with)"
)
# Words that discussions of plays share with other subjects. It takes two.
_COMMON = (
    r"split|runs?|running|ran|hits?|hitting|plays?|played|points?|double[sd]?|takes?|prefers?|likes?"
    r"|best|better|worse|right|wrong|error|positions?|diagram|sequence|games?|match|money|scores?"
    r"|white|black|opponent|bots?|answers?|against|versus|vs|moves?|letters?|safe|bold|natural"
    r"|hates?|down|up|threw|throws?|wins|won|starts?|started|begins?|began|chart|candidates?"
    r"|after|following|facing|responses?|responds?|responded|answered|opp|playable|votes?|poll"
    r"|theory|common|choice|analy[sz]\w+"
)
_WORD = re.compile(rf"(?<![\w-])(?:(?P<term>{_TERMS})|(?:{_COMMON}))(?![\w-])", re.IGNORECASE)
# Longhand: two portions, a hit, an entry, or one right after a letter. Or one play above another.
_NOTATION = re.compile(
    r"(?<![\w./])(?:bar|[0-9]{1,2})/[0-9]{1,2}(?:\*|[(,; ]{1,2}(?:bar|[0-9]{1,2})/)|\bbar/[0-9]"
    r"|[1-6]{2}[A-Z$@&](?: is| =|:)? \(?[0-9]{1,2}/[0-9]|[1-6]{2}[A-Z$@&] > [1-6]{2}[A-Z$@&]"
)
# Two usual openings together: alternatives for a roll, or a list.
_OPENING = "|".join(sorted({re.escape(token) for token in OPENINGS}))
_TOKEN = re.compile(rf"(?<![\w-])(?:{_OPENING})(?!\w)")
_NEXT = re.compile(r"\W{1,6}(?:[A-Za-z]{1,4}\W{1,3}){0,2}")
_MAX_ALTERNATIVE = 40  # characters between alternatives
_MAX_WORDS = 3  # of a text that is hardly more than a play
_STEP = 500  # characters
_MIN_WORDS = 2


class Subject:
    """The words of a text that belong to backgammon, by their places."""

    def __init__(self, bare: str) -> None:
        self._words: defaultdict[int, set[str]] = defaultdict(set)
        self._terms: set[int] = set()
        for match in _WORD.finditer(bare):
            place = match.start() // _STEP
            if match["term"]:
                self._terms.add(place)
            else:
                self._words[place].add(match[0].lower())
        self._terms.update(match.start() // _STEP for match in _NOTATION.finditer(bare))
        self._is_bare = len(bare) < _STEP and _is_bare(bare)
        for first, second in pairwise(_TOKEN.finditer(bare)):
            between = bare[first.end() : min(second.start(), first.end() + _STEP)]
            is_alternative = first[0][:2] == second[0][:2] and len(between) <= _MAX_ALTERNATIVE
            place = second.start() // _STEP
            if is_alternative or _NEXT.fullmatch(between):
                self._terms.add(place)
            elif first[0] != second[0] and len(between) < _STEP:
                self._words[place].add("openings")

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
        words: set[str] = set()
        return len(words.union(*(self._words.get(place, ()) for place in places))) >= _MIN_WORDS


def _is_bare(text: str) -> bool:
    """Whether a short text has few words, or half of them are plays."""
    words = re.findall(r"\w\S*", text)
    plays = sum(re.match(r"[1-6]{2}[A-Z$@&]", word) is not None for word in words)
    return len(words) <= _MAX_WORDS or 2 * plays >= len(words)
