"""Whether a play in a text answers the play before it, by the words around them."""

from __future__ import annotations

import re

_REPLIES = re.compile(
    r"\b(?:white|black|opponent|other side|repl(?:y|ied|ies)|answer(?:s|ed)?|respond(?:s|ed)?)\b",
    re.IGNORECASE,
)
_SELF, _OPPONENT = "I", "opponent"
_PERSONS = {
    **dict.fromkeys(("i", "me", "we", "my"), _SELF),
    **dict.fromkeys(("he", "him", "she", "her", "they", "opp", "opponent"), _OPPONENT),
    **dict.fromkeys(("you", "white", "black", "red", "box", "captain", "villain", "hero"), ""),
}
_PERSON = "i|we|he|she|they|you|opp|opponent|white|black|red|box|captain|villain|hero"
_TURN = (
    r"(?:wins|won|opens|opened|starts|started|begins|began|rolls|rolled|throws|threw|plays|played"
    r"|hits|hit|misses|missed|covers|covered|splits|split|runs|ran|makes|made|slots|slotted|anchors"
    r"|anchored|replies|replied|answers|answered|responds|responded)"
)
# The players that the words name, by pronoun or side, or by name: `Then Mochy rolled`.
_SUBJECT = re.compile(
    rf"\b(?:(?P<person>(?i:{_PERSON}))|(?P<name>[A-Z][a-z]+)(?= {_TURN}\b))(?!\w|'s)"
)
_BEGINS = re.compile(r"\b(?:opens?|opened|starts?|started|begins?|began|(?:wins?|won) the)\b")
_LABEL = re.compile(rf"(?:\A|[\s.,;])(?P<person>(?i:{'|'.join(_PERSONS)})):? \Z")
_OTHER_PLAY = re.compile(r"\b(?:instead|rather|should|would|could|prefers?|better|used to)\b")
_MAX_GAP = 60  # characters
_PRONOUNS = {"he", "him", "she", "her", "they"}

# Words between alternatives for a roll.
_OR = re.compile(r"[,;!?\"]{0,3} ?(?:[ />]|(?:or|and|vs\.?|versus|but|not|over)? ?(?:never )?)")


def is_alternative(between: str) -> bool:
    """Whether the words between two plays of a roll make them alternatives."""
    return _OR.fullmatch(between) is not None


def is_reply(
    before: str, between: str, *, in_game: bool, is_same_roll: bool, is_doublet: bool = False
) -> bool:
    """Whether a play answers the previous one, by the words before that and between the two.

    `in_game` means that the previous play answers another one, and `is_doublet` that this play
    cannot open. Words such as `Black` or `replied`
    suffice close to it; else two players take turns: `I opened 51$. He missed with 31P`.
    """
    if "\n\n" in between:
        return False
    side = _REPLIES.search(between)
    if side and len(between) <= _MAX_GAP and side[0].lower() not in before.lower():
        return True
    if is_same_roll or _OTHER_PLAY.search(between):
        return False
    first_label, label = _LABEL.search(before), _LABEL.search(between)
    if first_label and label:
        return _differ(first_label["person"], label["person"])
    first, second = _subject(before), _subject(between)
    is_game = in_game or is_doublet or _BEGINS.search(before)
    return bool(first and second and is_game and _differ(first, second))


def _subject(words: str) -> str:
    """The player named last; empty if there is none."""
    subjects = [match[0] for match in _SUBJECT.finditer(words)]
    return subjects[-1] if subjects else ""


def _differ(first: str, second: str) -> bool:
    """Whether two words are certainly different players; a pronoun may mean any named player."""
    sides = {(_PERSONS.get(word.lower(), "") or word).lower() for word in (first, second)}
    has_pronoun = {first.lower(), second.lower()} & _PRONOUNS
    is_clear = _SELF.lower() in sides or not has_pronoun
    return len(sides) == 2 and is_clear
