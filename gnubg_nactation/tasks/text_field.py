"""A text while it is typed: a position, a sequence, or a sequence after a position.

A text that is wrong, or read with a doubt, comes with suggestions: similar texts that are right.
They are only offered, never applied, because the case of a letter, say, has a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from gnubg_nactation.backgammon.ids import AROUND, format_xgid, parse_state
from gnubg_nactation.backgammon.ids_in_text import IdKind, find_ids
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.files.copied import read_copied
from gnubg_nactation.files.formats import read as read_match
from gnubg_nactation.files.pasted import read_pasted
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.page import Finding, Kind
from gnubg_nactation.prose.scanning import scan_prose
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import alternatives
from gnubg_nactation.sequences.incremental import Progress, read, read_progress
from gnubg_nactation.sequences.moves import sequence
from gnubg_nactation.sequences.notation import start_prefix
from gnubg_nactation.sequences.tiers import SLIGHT, ReadingKind
from gnubg_nactation.sequences.tokens import TokenKind
from gnubg_nactation.values import NamedTuple

_MAX_CHARS = 20_000
_MAX_SUGGESTIONS = 3
# Characters searched for suggestions, as plays and as prose: every key that is typed waits for it.
_MAX_SEARCHED, _MAX_PROSE = 1500, 600
_MAX_PIECES = 60
_MAX_IDS = 5
_EQUITY = re.compile(r"[.,]\d\d")  # in every analysis that XG or gnubg copies
_CLEAR = {IdKind.XGID, IdKind.OGID}  # no words even without a label
_POST_CHARS, _POST_WORDS, _WORD = 400, 10, re.compile(r"[A-Za-z]{3}")  # a post has more than that


class TypedText(NamedTuple):
    """How far a text can be read.

    `suggestions` are texts that may be meant instead, the likeliest first. `is_post` means that
    the text is rather a post.
    """

    progress: Progress
    suggestions: list[str]
    is_post: bool = False

    @property
    def state(self) -> GameState:
        """The state after all that can be read."""
        progress, decoded = self.progress, self.progress.decoded
        following = progress.next_token
        if progress.error and following and not progress.is_unfinished:
            return following.state
        if decoded and (decoded.turns or not progress.error):
            return decoded.state
        return progress.start or GameState()


def read_text(text: str) -> TypedText:
    """Read a text as far as possible.

    Raises MalformedError for a wrong position, or if the text is too long.
    """
    if len(text) > _MAX_CHARS:
        raise MalformedError(f"a text of {len(text)} characters is too long for a sequence")
    progress = read_progress(text)
    if progress.is_unfinished:
        return TypedText(progress, [])
    if progress.error is None:
        return TypedText(progress, list(_alternatives(progress)))
    return TypedText(progress, *_corrections(progress))


def recognise(text: str) -> str:
    """What a text is: `match`, `sequence`, `position`, or `post` for all else."""
    with suppress(NactationError):
        if any(match.games for match in read_match(text.encode())):
            return "match"
    with suppress(NactationError):
        progress = read_progress(" ".join(text.split()))
        if progress.error is None:
            return "sequence" if progress.sequence.strip() else "position"
    return "post"


def _alternatives(progress: Progress) -> Iterator[str]:
    """Texts that leave no doubt, for one that is read with a doubt."""
    tail, turns = progress.sequence, progress.decoded.turns if progress.decoded else ()
    rows: Iterator[str] = iter(())
    guesses = (
        turn
        for turn in turns
        if turn.how is ReadingKind.ASSUMED and turn.token.kind is TokenKind.ROLL
    )
    listed = alternatives(progress.decoded.parsed) if progress.decoded else ()
    if listed and progress.start is None:
        rows = iter(listed)
    elif _HOPS.search(tail) and any(guesses):
        rows = _from_traditional(tail[:_MAX_SEARCHED], progress.start)
    elif turns and turns[-1].token.natural and tail.rstrip().endswith("."):
        rows = iter([tail.strip()[:-1]])  # the end of a sentence
    return (f"{_in_one_line(progress.name)} {row}".lstrip() for row in rows)


def _corrections(progress: Progress) -> tuple[list[str], bool]:
    """The likeliest meanings of a wrong text, and whether it is rather a post."""
    text, state = progress.text, progress.start
    front, tail = _in_one_line(progress.name), progress.sequence
    if state is None:
        front, tail, state = _split_at_position(text)
    start = tail[:_MAX_SEARCHED]
    rows = list(_respelled(start, state)) or list(_from_traditional(start, state))
    findings = () if rows or _pieces(start) else _findings(start, state)
    texts = [f"{front} {row}".lstrip() for row in rows]
    texts += _from_findings(findings, front, state, tail)
    if front:  # followed by lines it was copied from another program
        texts.insert(0 if "\n" in tail.strip() else len(texts), front)
    corrections = dict.fromkeys(row for row in texts if row != text.strip())
    is_copied = _EQUITY.search(text) and any(each.has_analysis for each in read_copied(text))
    is_long = len(text) > _POST_CHARS and len(_WORD.findall(text[:_MAX_SEARCHED])) >= _POST_WORDS
    is_post = len(findings) > 1 or is_long or bool(is_copied)
    return list(corrections)[:_MAX_SUGGESTIONS], is_post


def _in_one_line(name: str) -> str:
    """The name of a position in one line, without what is around it."""
    return " ".join(name.strip(_AROUND).split())


def _split_at_position(text: str) -> tuple[str, str, GameState | None]:
    """The first position named anywhere in a text, the text after it, and the state it names."""
    ids = find_ids(text[:_MAX_SEARCHED])
    clear = (place for place in ids if place.is_labelled or place.kind in _CLEAR)
    for place in islice(clear, _MAX_IDS):
        with suppress(MalformedError):
            if state := parse_state(place.name):
                return _in_one_line(text[place.start : place.end]), text[place.end :], state
    return "", text, None


# The same sequence, spelt otherwise

_AROUND = f"{AROUND}«»:|"
_ARROW = re.compile(r"(?<!\s)\s*[-=~]{0,3}[>»]\s*(?=[1-6]{2})")
_SPACED = re.compile(r"(?<!\w)([1-6])[ -]?([1-6])[ :]{0,2}([A-Za-z$%@#&^<>])(?!\w)")
_CUBE = re.compile(
    r"(?<!\w)(?<!\d-)(?:(?P<again>r(?:dbl|d|edbl|edoubles?))|(?P<C>d(?:bl)?|doubles?|x2)"
    r"|(?P<T>takes?|took|accepts?)|(?P<P>drop(?:s|ped)?|pass(?:es|ed)?))(?!\w)",
    re.IGNORECASE,
)
_PIECE = re.compile(
    r"""[\s,;/|:-]* ( [1-6]{2} (?: [0-9=+](?![\w{])
          | [A-Za-z$%@#&^<>](?![A-Za-z])[_.]?(?:\{\d{1,3}\})? )?
        | [CRTPF](?!\w) )""",
    re.VERBOSE,
)
_HEAD = re.compile(r"\s*(?:N\s+)?[-+]?", re.IGNORECASE)


def _respelled(tail: str, state: GameState | None) -> Iterator[str]:
    """The sequence without characters around or between its tokens, or with other letters.

    Words for cube actions become letters. At last letters of the other case are tried.
    """
    bare = _ARROW.sub("-", tail.strip(_AROUND))
    plain = bare.rstrip(_AROUND + ".?!")
    spaced, count = _SPACED.subn(r"\1\2\3", plain)
    spaced = re.sub(r"(?<![\s,;])[\s,;]+(?=[1-6]{2})", "-", spaced) if count else spaced
    forms = [bare, plain, spaced, _with_cube_letters(spaced, state)]
    if state and state.roll and not tail.strip()[:1].isdigit():
        mark = "-" if state.player is Player.SECOND else ""
        forms = [f"{mark}{state.roll}{form}" for form in forms]
    for form in dict.fromkeys(forms):
        if form and form != tail.strip() and _is_sound(form, state):
            yield form
            return
    if cased := _with_fixed_case(forms[-1], state):
        yield cased
        if forms[-1].islower() and _is_sound(cased.upper(), state):
            yield cased.upper()  # someone who writes no capitals may mean them all


def _is_sound(row: str, state: GameState | None) -> bool:
    """Whether a sequence can be read without doubt."""
    try:
        turns = read(row, state).turns
    except (IllegalError, MalformedError):
        return False
    return bool(turns) and all(turn.cost <= SLIGHT for turn in turns)


def _with_cube_letters(row: str, state: GameState | None) -> str:
    """The row with C, R, T and P instead of words such as `double`."""
    is_turned = state is not None and state.owner is not None

    def letter(match: re.Match[str]) -> str:
        nonlocal is_turned
        kind = match.lastgroup or ""
        if kind not in {"again", "C"}:
            return kind
        letter = "R" if is_turned or kind == "again" else "C"
        is_turned = True
        return letter

    return _CUBE.sub(letter, row)


def _with_fixed_case(row: str, state: GameState | None) -> str:
    """The row with letters in the case that can be played; empty if there is none."""
    head, pieces = _HEAD.match(row), _pieces(row)
    start = head[0].lstrip().upper() if head else ""
    prefix = start + "".join(f"{piece}-" for piece in pieces[:-1])
    if prefix != start and _is_sound(prefix[:-1], state):  # the usual case while typing
        start, pieces = prefix, pieces[-1:]
    for piece in pieces:
        fixed = _fix_case(start, piece, state)
        if not fixed:
            return ""
        start += f"{fixed}-"
    return start[:-1] if pieces else ""


@lru_cache(maxsize=512)
def _fix_case(prefix: str, piece: str, state: GameState | None) -> str:
    """The piece, unchanged or in the other case, if it can be played after `prefix`; else empty."""
    forms = dict.fromkeys((piece, piece.swapcase()))
    return next((form for form in forms if _is_sound(prefix + form, state)), "")


def _pieces(row: str) -> list[str]:
    """The tokens of a text that consists of tokens only; none if it does not, or is long."""
    head = _HEAD.match(row)
    at = head.end() if head else 0
    pieces: list[str] = []
    while at < len(row) and len(pieces) < _MAX_PIECES:
        piece = _PIECE.match(row, at)
        if piece is None:
            return []
        pieces.append(piece[1])
        at = piece.end()
    return pieces if at == len(row) else []


# Plays in traditional notation

_HOPS = re.compile(r"(?:\d|bar)\*?[/-](?:\d|off)", re.IGNORECASE)


def _from_traditional(tail: str, state: GameState | None) -> Iterator[str]:
    """The sequences of plays such as `31: 8/5 6/5`."""
    if not _HOPS.search(tail):
        return
    try:
        games = read_pasted(tail, state)
    except NactationError:
        return
    for game in games[:_MAX_SUGGESTIONS]:
        row = sequence(game.turns)
        if state is None:
            is_named = game.start.position in {STANDARD, NACKGAMMON}
            yield row if is_named else f"{format_xgid(game.start)} {row}"
        elif game.start.position == state.position:
            yield row.removeprefix(start_prefix(state.position))


# Sequences in prose

_QUESTION = re.compile(
    r"(?:play|rolle?[ds]?|with)(?: an?)? (?P<to_play>[1-6]{2})(?![\w/-])"
    r"|(?<![\w/-])(?P<roll>[1-6]{2})(?=\s?\?| to play)"
)


def _findings(tail: str, state: GameState | None) -> tuple[Finding, ...]:
    tail = tail[:_MAX_PROSE]
    spans = scan_prose(tail)  # does not know markup, which only makes the text longer
    return _read_findings(tail[: spans[-1].end + 2], state) if spans else ()


@lru_cache(maxsize=16)
def _read_findings(text: str, state: GameState | None) -> tuple[Finding, ...]:
    """As `read_prose`; cached because words typed after a sequence do not change it."""
    findings = read_prose(text, start=state)
    return tuple(finding for finding in findings if finding.decoded or finding.nacbrac)


def _from_findings(
    findings: Sequence[Finding], front: str, state: GameState | None, text: str
) -> Iterator[str]:
    """The sequences with their positions, the most certain first."""

    def certainty(finding: Finding) -> tuple[bool, Confidence]:
        return finding.kind is not Kind.PLAY, finding.sure

    for finding in sorted(findings, key=certainty, reverse=True):
        decoded = finding.decoded
        if decoded is None or finding.sure is Confidence.DOUBTFUL:
            continue
        start, row = decoded.start, decoded.sequence
        if any(turn.cost > SLIGHT for turn in decoded.turns):
            row = _with_fixed_case(row, start) or row
        own = front if state and start.position == state.position else ""
        own = own or decoded.start_name
        question = _QUESTION.search(text, finding.end)
        if question and decoded.turns and decoded.turns[-1].how is not ReadingKind.TO_PLAY:
            longer = f"{row}-{question['to_play'] or question['roll']}"
            if _is_sound(longer, start):
                yield f"{own} {longer}".lstrip()
        yield f"{own} {row}".lstrip()
