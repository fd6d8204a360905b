"""The positions in which a sequence, a play or a nacbrac of a text may start."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.errors import NactationError
from gnubg_nactation.prose.chains import ANY_WORD, has_odd_neighbour
from gnubg_nactation.prose.page import UNREADABLE, Finding, Page
from gnubg_nactation.prose.spans import Span
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import Budget, Decoded
from gnubg_nactation.sequences.openings import OPENINGS
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.values import NamedTuple, replace

_REPLIES = re.compile(
    r"\b(?:white|black|opp(?:onent)?|other side"
    r"|repl(?:y|ied|ies)|answer(?:s|ed)?|respond(?:s|ed)?)\b",
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


def is_reply(
    before: str, between: str, *, in_game: bool, is_same_roll: bool, is_doublet: bool = False
) -> bool:
    """Whether a play answers the previous one, by the words before that and between the two.

    `in_game` means that the previous play answers another one, and `is_doublet` that this play
    cannot open. Words such as `Black` or `replied` suffice close to it; else two
    players take turns: `I opened 51$. He missed with 31P`.
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


MAX_GAP = 40  # characters between a sequence or a play and a finding about it
MAX_WORDS = 200  # characters between a play and the reply to it
MAX_DISTANCE = 1000  # characters between a sequence and a play that goes on from it
_MAX_TURNS = 100  # last turns of a sequence that a single play may be about
_MIN_TOKENS_TO_IMPLY = 15  # legal tokens that imply their position
# Letters of usual openings, and reverse splits (section 1). Other tokens with $ may be prices.
_USUAL = set("DPRSZ")
_SLOTS = {"21$", "41$", "51$", "62$"}


class StartCandidate(NamedTuple):
    """A possible start, how sure it is, and a `note` on its reason.

    If `only` is a play, the start is right only if the text names this play.
    """

    start: Position | GameState | None
    sure: Confidence = Confidence.SURE
    note: str = ""
    only: Play | None = None


class Attempt(NamedTuple):
    """A finding read from a start candidate.

    If it `settles`, no other candidate is tried. A last resort ranks below all others.
    """

    finding: Finding
    settles: bool = False
    is_last_resort: bool = False

    @property
    def rank(self) -> tuple[bool, Confidence]:
        """A sort key, higher is better; all last resorts are equal."""
        sure = Confidence.DOUBTFUL if self.is_last_resort else self.finding.sure
        return not self.is_last_resort, sure


def surest(
    candidates: Iterable[StartCandidate],
    read: Callable[[StartCandidate], Attempt | None],
    budget: Budget,
) -> tuple[Attempt | None, NactationError | None]:
    """The surest attempt, None if nothing could be read, and the first error.

    After an attempt that is no last resort, no doubtful start is tried. Each candidate after the
    second costs one reading of the budget. If the budget is used up, only the first candidate is
    tried, and the second if it is not doubtful.
    """
    best: Attempt | None = None
    problem: NactationError | None = None
    for number, candidate in enumerate(candidates):
        is_doubtful = candidate.sure is Confidence.DOUBTFUL
        if budget.is_used_up and number > (0 if is_doubtful else 1):
            break
        budget.spend(number > 1)
        if is_doubtful and best and not best.is_last_resort:
            break
        try:
            attempt = read(candidate)
        except UNREADABLE as error:
            problem = problem or error
            continue
        if attempt and (best is None or attempt.rank > best.rank):
            best = attempt
        if attempt and attempt.settles:
            break
    return best, problem


# Words around a sequence or a play that the later plays of the paragraph answer.
_AFTER = r"after|following|against|facing|(?:repl(?:y|ies)|responses?|answers?) to"
_WHOSE = r"(?: an?| the| opening| my| your| his| her| their| [a-z]{1,16}['\u2019]s)*"
_ANSWERED = re.compile(
    rf"\b(?:{_AFTER}"
    r"|(?:if|when|had|suppose|should) (?:I|you|he|she|they|white|black|(?:my|your|the) opponent)"
    rf"(?: [a-z]{{1,12}}){{1,3}}){_WHOSE}\s*\Z"
    rf"|\b(?:{_AFTER}){_WHOSE} (?:{ANY_WORD})s? \(\Z"  # `against the slot (41$)`
    rf"|(?:\A|[\n.,;:(])[ \t]*(?:versus|vs\.?){_WHOSE}[ ]\Z",  # `Replies: vs 43Z: 11N`
    re.IGNORECASE,
)
_REPLY_TO = re.compile(
    r"\b(?:repl(?:y|ies)|responses?|answers?) to(?: an?| the)?\s*\Z", re.IGNORECASE
)
_SENTENCE_INTRO = re.compile(
    r"(?:(?:\A|[.;:!?\n>)\"] ?)(?P<word>After|Against|Following|Facing|(?i:versus|vs\.?))"
    r"|; (?:and |but )?(?P<clause>after|against|following|facing)) "
    r"(?:an? |the )?"
    rf"(?:(?i:{ANY_WORD})s? \()?\Z"
)
_PREPOSITION = re.compile(r"\b(after|against|following|facing)\s\Z", re.IGNORECASE)
_IS_ANSWERED = re.compile(r",? (?:is|was|can be|gets) (?:answered|met|followed) (?:by|with)\b")
# Words between a turn and the replies to it: `On 43D, the best replies are 64R and 62H`.
_REPLIES_NEXT = re.compile(
    r"[^\n0-9]{0,80}?\b(?:repl(?:y|ies)|responses?|answers?)(?: (?!to\b)[a-z]{1,12}){0,4}"
    r"(?: are| is| include|:) ?(?=[1-6]{2}[-A-Z$@&])"
)
# Words before a token that is no opening but a reply.
_NO_OPENING = re.compile(r"\b(?:white|black|opponent)['\u2019]s\s*\Z", re.IGNORECASE)
# Between a topic and another: `after 63R or 52S`.
_EITHER = re.compile(r",? (?:or|vs\.?) |/")
# Text after which a roll may be that of an opening again.
_OTHER_SUBJECT = re.compile(r"\n[ \t>]*\n|\bopen(?:ing|ed|s)?\b", re.IGNORECASE)
# Words before an alternative to the play made.
_INSTEAD = re.compile(
    r"\b(?:(?:should|could|might|would) have (?:played |made |been )?|instead of |rather than )\Z",
    re.IGNORECASE,
)


def changes_subject(page: Page, start: int, end: int) -> bool:
    """Whether a paragraph or an opening begins between two offsets not far apart."""
    return end - start > MAX_DISTANCE or _OTHER_SUBJECT.search(page.bare, start, end) is not None


class Topic(NamedTuple):
    """The turn that the plays of a paragraph answer: 61P in `after 61P, 63R or 63S?`.

    It is the last of `decoded`, at offset `start`; `end` is where the paragraph ends.
    `intro` is the first word of its sentence if the turn is next: `After`. If it `announces`
    replies, `43D, the best replies are`, they answer it even with its own roll.
    """

    decoded: Decoded
    line: int
    start: int
    end: int
    intro: str = ""
    announces: bool = False

    def is_parallel(self, page: Page, span: Span) -> bool:
        """Whether a sentence begins again as that of the topic: `After 54S ... After 65R`."""
        return bool(self.intro) and sentence_intro(page, span).lower() == self.intro.lower()

    def after(self) -> StartCandidate:
        """The position after its last turn."""
        token = self.decoded.turns[-1].token.text
        note = f"a reply to {token} of line {self.line}"
        return StartCandidate(before_roll(self.decoded.state), Confidence.LIKELY, note)


def topic_of(page: Page, span: Span, finding: Finding) -> Topic | None:
    """The topic that a sequence or a play sets by the words before it; None if it sets none."""
    words = page.bare[max(span.start - MAX_GAP, 0) : span.start]
    decoded = finding.decoded
    if not (decoded and decoded.turns and decoded.turns[-1].play):
        return None
    announces = _REPLIES_NEXT.match(page.bare, span.end) is not None
    is_answered = announces or _IS_ANSWERED.match(page.bare, span.end)
    if not (is_answered or _ANSWERED.search(words)):
        return None
    end = page.bare.find("\n\n", span.end)
    end = len(page.bare) if end < 0 else end
    word = _PREPOSITION.search(words)
    intro = sentence_intro(page, span) or (word[1].lower() if word else "")
    return Topic(decoded, finding.line, span.start, end, intro, announces)


def sentence_intro(page: Page, span: Span) -> str:
    """The word before a play that begins a sentence or clause, `After`; empty if there is none."""
    first = max(span.start - MAX_GAP, 0)
    intro = _SENTENCE_INTRO.search(page.bare, first, span.start)
    return (intro["word"] or intro["clause"]) if intro else ""


class Context(NamedTuple):
    """The last readable sequence, which ends at offset `end` of the bare text.

    A position counts as a sequence of its roll, or as an empty one.
    """

    decoded: Decoded
    line: int
    end: int
    is_position: bool = False

    @property
    def where(self) -> str:
        """Its name in notes."""
        return f"the {'position' if self.is_position else 'sequence'} of line {self.line}"

    @property
    def last(self) -> GameState | None:
        """The state of its last turn, with the roll if there is one; None if it has no turns."""
        turns = self.decoded.turns
        return turns[-1].state if turns else None

    @property
    def is_doubled(self) -> bool:
        """Whether the cube was turned or answered last, and no roll is discussed."""
        return self.last is not None and self.last.roll is None

    def start(self, sure: Confidence = Confidence.SURE) -> StartCandidate:
        """The position itself, before its roll."""
        return StartCandidate(before_roll(self.decoded.state), sure, f"from {self.where}")

    def after(self) -> StartCandidate:
        """The position after its last turn."""
        state = before_roll(self.decoded.state)
        return StartCandidate(state, Confidence.DOUBTFUL, f"after {self.where}")

    def is_about(self, roll: Roll | None, place: int) -> bool:
        """Whether it is a position, and a finding with this roll at this offset is about it."""
        if self.decoded.turns:
            return self.is_position and self.ends_with(roll)
        return self.is_position and place - self.end < MAX_GAP

    @property
    def roll_to_play(self) -> Roll | None:
        """The roll that it ends with if no play follows it."""
        turns = self.decoded.turns
        return turns[-1].state.roll if turns and turns[-1].how is ReadingKind.TO_PLAY else None

    def ends_with(self, roll: Roll | None) -> bool:
        """Whether this roll is its last, which the text discusses."""
        return self.last is not None and self.last.roll == roll is not None


class PlayAlone(NamedTuple):
    """A single play, which ends at offset `end` of the bare text, and the `words` before it.

    `in_game` means that it answers another play.
    """

    decoded: Decoded
    line: int
    end: int
    words: str
    in_game: bool = False


def before_roll(state: GameState) -> GameState:
    """A copy of the state without its roll."""
    return replace(state, roll=None)


def reason_to_doubt(token: str) -> str:
    """Why a token may be no play but, say, a number with a unit; empty if that is unlikely."""
    if len(token) != 3:
        return ""
    if token[0] < token[1]:
        return "the lower number comes first: it may be something else"
    usual = token in _SLOTS or token[2] in _USUAL
    return "" if usual else "it may be something else"


# Sequences


def sequence_starts(page: Page, span: Span, context: Context | None) -> Iterator[StartCandidate]:
    """The positions in which a sequence may start, the likeliest first."""
    roll = page.roll(span)  # None for a cube action or a fan
    further = list(_further_starts(context, roll))
    if context and context.is_about(roll, span.start) and not _leads_to(page, span):
        yield context.start()
    if span.goes_on or not roll or roll.is_doublet:
        yield from further
    yield StartCandidate(page.start)
    marked = span.start < span.pieces[0].start
    if context and marked and not page.bare[context.end : span.start].strip():
        yield from (start._replace(sure=Confidence.LIKELY) for start in further[-1:])
    if page.start is not None:
        yield from further
        yield StartCandidate(None, note="from the opening")
        return
    is_long = len(span.pieces) >= _MIN_TOKENS_TO_IMPLY
    if not (is_long or page.names_nackgammon):
        yield from further  # a wrong letter is likelier than a game that nobody names
        return
    sure = Confidence.LIKELY if is_long else Confidence.DOUBTFUL
    nackgammon = StartCandidate(NACKGAMMON, sure, "as a sequence of Nackgammon")
    yield from (*further, nackgammon) if marked else (nackgammon, *further)


def _leads_to(page: Page, span: Span) -> bool:
    """Whether the position before a span is the one after it: `sGfwATDgc/ABMA after 31P`."""
    return page.bare.endswith(("after ", "After ", "from "), 0, span.start)


def _further_starts(context: Context | None, roll: Roll | None) -> Iterator[StartCandidate]:
    """The positions from which a later sequence may continue the context."""
    if context and context.is_position:
        yield context.start(Confidence.DOUBTFUL)
    elif context:
        if context.last and context.ends_with(roll):
            note = f"instead of the last roll of {context.where}"
            yield StartCandidate(before_roll(context.last), Confidence.LIKELY, note)
        yield context.after()


# Plays


def opening_starts(page: Page, span: Span) -> Iterator[StartCandidate]:
    """The start of a single play if it is an opening."""
    roll = page.roll(span)
    if page.start is not None:
        yield StartCandidate(page.start, Confidence.LIKELY)
    elif roll and not roll.is_doublet:
        token = page.token(span.pieces[0])
        doubt = reason_to_doubt(token)
        is_price = token[2] == "$" and token not in OPENINGS
        if token[0] > token[1] and not is_price and page.subject.is_backgammon(span.start):
            doubt = ""
        sure = Confidence.DOUBTFUL if doubt else Confidence.LIKELY
        yield StartCandidate(None, sure, doubt or "taken for an opening")


def play_starts(
    page: Page, span: Span, context: Context | None, played: PlayAlone | None, topic: Topic | None
) -> Iterator[StartCandidate]:
    """The positions that a single play may be about, the likeliest first."""
    roll, is_clear = page.roll(span), span.pieces[0].clear
    replies = list(reply_starts(page, span, played)) if is_clear else []
    if topic and is_clear and span.start < topic.end and not topic.is_parallel(page, span):
        is_after_topic = played is not None and played.decoded is topic.decoded
        gap = page.bare[played.end : span.start] if played and is_after_topic else ""
        if not _EITHER.fullmatch(gap):
            replies = [topic.after(), *replies]
    before = page.bare[max(span.start - MAX_GAP, 0) : span.pieces[0].start]
    is_opening = is_clear and not _NO_OPENING.search(before)
    openings = list(opening_starts(page, span)) if is_opening else []
    if page.start is None and not page.subject.is_backgammon(span.start):
        openings = []
    likely = [start for start in openings if start.sure is Confidence.LIKELY]
    if context is None:  # without the doubtful openings
        if has_odd_neighbour(page.bare, span.start, span.end):
            likely = []
        yield from (*likely, *replies) if _REPLY_TO.search(before) else (*replies, *likely)
        return
    if context.is_about(roll, span.start) and not _leads_to(page, span):
        yield context.start(Confidence.LIKELY)
    if topic and replies and (topic.start >= context.end or topic.announces):
        yield replies.pop(0)
    same = [
        StartCandidate(
            before_roll(turn.state),
            Confidence.LIKELY,
            f"as {turn.token.text} of {context.where}",
            turn.play,
        )
        for turn in reversed(context.decoded.turns[-_MAX_TURNS:])
        if turn.state.roll == roll
    ]
    is_near = span.start < context.end + MAX_DISTANCE
    is_discussed = (
        is_near and context.ends_with(roll) and not changes_subject(page, context.end, span.start)
    )
    if is_near and page.bare.startswith("-?", context.end):  # the text asks for what follows
        yield context.after()._replace(sure=Confidence.LIKELY)
    if _INSTEAD.search(before):
        yield from (start._replace(only=None) for start in same)
    elif context.ends_with(roll):
        yield same.pop(0)._replace(only=None)  # any play of the roll that the text discusses
    yield from (*replies, *same)
    if not is_discussed:
        yield from likely
    yield from (start._replace(only=None, sure=Confidence.DOUBTFUL) for start in same)
    if is_clear and is_near and "\n\n" not in page.bare[context.end : span.start]:
        yield context.after()
    if not is_discussed:
        yield from openings


def reply_starts(page: Page, span: Span, played: PlayAlone | None) -> Iterator[StartCandidate]:
    """The position of or after the previous play, if the words between are about it."""
    if played is None or span.start - played.end > MAX_WORDS:
        return
    between = page.bare[played.end : span.start]
    turn = played.decoded.turns[0]
    roll = page.roll(span)
    is_same_roll, is_doublet = turn.state.roll == roll, roll is not None and roll.is_doublet
    if is_same_roll and _OR.fullmatch(between):
        note = f"as {turn.token.text} of line {played.line}"
        yield StartCandidate(before_roll(turn.state), Confidence.LIKELY, note)
    elif is_reply(
        played.words,
        between,
        in_game=played.in_game,
        is_same_roll=is_same_roll,
        is_doublet=is_doublet,
    ):
        note = f"a reply to {turn.token.text} of line {played.line}"
        yield StartCandidate(before_roll(played.decoded.state), Confidence.LIKELY, note)


# Nacbracs


def nacbrac_starts(
    page: Page, roll_span: Span | None, context: Context | None, *, adjacent: bool
) -> Iterator[StartCandidate]:
    """The states, each with its roll, that a nacbrac may be about, the likeliest first.

    Without a roll before it, it is about the last roll of the context: surely if it is `adjacent`.
    """
    last = context.last if context else None
    if roll_span is None:
        if last and last.roll and context:
            sure = Confidence.SURE if adjacent else Confidence.LIKELY
            note = "" if adjacent else f"taken to be about {context.where}"
            yield StartCandidate(last, sure, note)
        return
    roll = page.roll(roll_span)
    if last and context and last.roll == roll:
        yield StartCandidate(last, note=f"about {context.where}")
    if context and context.is_about(roll, roll_span.start):
        state = replace(context.decoded.state, roll=roll)
        yield StartCandidate(state, note=f"about {context.where}")
    if page.start or not (roll and roll.is_doublet):
        is_nackgammon = page.bare.startswith("N", roll_span.start)
        opening = to_state(page.start or (NACKGAMMON if is_nackgammon else STANDARD))
        yield StartCandidate(replace(opening, roll=roll))
    if last and context:
        note = f"instead of the last roll of {context.where}"
        yield StartCandidate(replace(last, roll=roll), Confidence.LIKELY, note)
        after = replace(context.decoded.state, roll=roll)
        yield StartCandidate(after, Confidence.LIKELY, f"after {context.where}")
