"""What may be meant by a text that cannot be read as it stands: other texts, which can.

What leaves no doubt is proposed, and nothing is put in the place of what was typed: the case of a
letter, say, has its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from gnubg_nactation.backgammon.ids import AROUND, IdKind, find_ids, format_xgid, parse_state
from gnubg_nactation.backgammon.position import NACKGAMMON, STANDARD
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.files.pasted import read_pasted
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.findings import Finding, Kind
from gnubg_nactation.prose.scanning import scan_prose
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import DecodedTurn
from gnubg_nactation.sequences.incremental import Progress, read
from gnubg_nactation.sequences.moves import sequence
from gnubg_nactation.sequences.notation import rewrite, start_prefix
from gnubg_nactation.sequences.tiers import SLIGHT, ReadingKind
from gnubg_nactation.sequences.tokens import TokenKind
from gnubg_nactation.values import NamedTuple

_MOST = 3
# Characters that are looked at, for plays and for prose: who types waits for it at each key.
_LONGEST, _LONGEST_PROSE = 1500, 600
_MOST_PIECES = 60
_MOST_IDS = 5
_POST, _WORD, _WORDS = 400, re.compile(r"[A-Za-z]{3}"), 10  # a post's least characters and words


class Suggestions(NamedTuple):
    """Texts that may be meant, the likeliest first, and whether this is rather a post."""

    texts: tuple[str, ...] = ()
    is_post: bool = False


def suggest(progress: Progress) -> Suggestions:
    """What else may be meant by a text that is wrong, or that is read with a doubt."""
    if progress.error is None:
        return Suggestions(tuple(_alternatives(progress))[:_MOST])
    if progress.is_unfinished:
        return Suggestions()
    text, state = progress.text, progress.start
    front, rest = _plain(progress.name), progress.sequence
    if state is None:
        front, rest, state = _position_in(text)
    rows, findings = _rows(rest[:_LONGEST], state)
    texts = [f"{front} {row}".lstrip() for row in rows]
    texts += _from_findings(findings, front, state, rest)
    if front:  # with lines behind it a copy of what another program shows
        texts.insert(0 if "\n" in rest.strip() else len(texts), front)
    others = dict.fromkeys(other for other in texts if other != text.strip())
    is_post = len(findings) > 1 or (len(text) > _POST and _has_words(text[:_LONGEST]))
    return Suggestions(tuple(islice(others, _MOST)), is_post)


def _alternatives(progress: Progress) -> Iterator[str]:
    """What leaves no doubt, for a text that is read with one."""
    rest, turns = progress.sequence, progress.decoded.turns if progress.decoded else ()
    rows: Iterable[str] = ()
    if _HOPS.search(rest) and any(map(_is_guess, turns)):
        rows = _traditional(rest[:_LONGEST], progress.start)
    elif turns and turns[-1].token.natural and rest.rstrip().endswith("."):
        rows = [rest.strip()[:-1]]  # the end of a sentence
    return (f"{_plain(progress.name)} {row}".lstrip() for row in rows)


def _plain(name: str) -> str:
    """The name of a position in one line, without what stands around it."""
    return " ".join(name.strip(_AROUND).split())


def _has_words(text: str) -> bool:
    return len(_WORD.findall(text)) >= _WORDS


def _is_guess(turn: DecodedTurn) -> bool:
    return turn.how is ReadingKind.ASSUMED and turn.token.kind is TokenKind.ROLL


def _position_in(text: str) -> tuple[str, str, GameState | None]:
    """The position that is named somewhere in a text, what is behind it, and its state."""
    ids = find_ids(text[:_LONGEST])
    clear = (one for one in ids if one.is_labelled or one.kind is IdKind.XGID)
    for one in islice(clear, _MOST_IDS):
        with suppress(MalformedError):
            if state := parse_state(one.name):
                return _plain(text[one.start : one.end]), text[one.end :], state
    return "", text, None


def _rows(rest: str, state: GameState | None) -> tuple[list[str], tuple[Finding, ...]]:
    """The sequences that a text may stand for, and what is found in it where there is none."""
    rows = list(_respelled(rest, state)) or list(_traditional(rest, state))
    return rows, () if rows or _pieces(rest) else _findings(rest, state)


# The same, spelt otherwise

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


def _respelled(rest: str, state: GameState | None) -> Iterator[str]:
    """The same without what is around it or between, and with the letters of the cube."""
    bare = _ARROW.sub("-", rest.strip(_AROUND))
    plain = bare.rstrip(_AROUND + ".?!")
    spaced, count = _SPACED.subn(r"\1\2\3", plain)
    spaced = re.sub(r"(?<![\s,;])[\s,;]+(?=[1-6]{2})", "-", spaced) if count else spaced
    forms = [bare, plain, spaced, _with_cube(spaced, state)]
    if state and state.roll and not rest.strip()[:1].isdigit():
        mark = "-" if state.player is Player.SECOND else ""
        forms = [f"{mark}{state.roll}{form}" for form in forms]
    for form in dict.fromkeys(forms):
        if form and form != rest.strip() and _is_sound(form, state):
            yield form
            return
    if cased := _cased(forms[-1], state):
        yield cased
        if forms[-1].islower() and _is_sound(cased.upper(), state):
            yield cased.upper()  # who writes no capitals may mean them all


def _is_sound(row: str, state: GameState | None) -> bool:
    """Whether a sequence can be read, and leaves no doubt."""
    try:
        turns = read(row, state).turns
    except (IllegalError, MalformedError):
        return False
    return bool(turns) and all(turn.cost <= SLIGHT for turn in turns)


def _with_cube(row: str, state: GameState | None) -> str:
    """With C, R, T and P for other words."""
    turned = state is not None and state.owner is not None

    def letter(found: re.Match[str]) -> str:
        nonlocal turned
        kind = found.lastgroup or ""
        if kind not in {"again", "C"}:
            return kind
        letter = "R" if turned or kind == "again" else "C"
        turned = True
        return letter

    return _CUBE.sub(letter, row)


def _cased(row: str, state: GameState | None) -> str:
    """With letters of the other case where that alone can be played; empty if it is no help."""
    head, pieces = _HEAD.match(row), _pieces(row)
    done = head[0].lstrip().upper() if head else ""
    known = done + "".join(f"{piece}-" for piece in pieces[:-1])
    if known != done and _is_sound(known[:-1], state):  # as most is that is typed
        done, pieces = known, pieces[-1:]
    for piece in pieces:
        fitting = _fitting(done, piece, state)
        if not fitting:
            return ""
        done += f"{fitting}-"
    return done[:-1] if pieces else ""


@lru_cache(maxsize=512)
def _fitting(before: str, piece: str, state: GameState | None) -> str:
    """A piece that can stand there, as it is or else in the other case; empty if neither can."""
    forms = dict.fromkeys((piece, piece.swapcase()))
    return next((one for one in forms if _is_sound(before + one, state)), "")


def _pieces(row: str) -> list[str]:
    """The tokens of a text that is nothing else; none if it is, or is long."""
    head = _HEAD.match(row)
    at = head.end() if head else 0
    found: list[str] = []
    while at < len(row) and len(found) < _MOST_PIECES:
        piece = _PIECE.match(row, at)
        if piece is None:
            return []
        found.append(piece[1])
        at = piece.end()
    return found if at == len(row) else []


# Plays in traditional notation

_HOPS = re.compile(r"(?:\d|bar)\*?[/-](?:\d|off)", re.IGNORECASE)


def _traditional(rest: str, state: GameState | None) -> Iterator[str]:
    """The sequences of plays as people post them."""
    if not _HOPS.search(rest):
        return
    try:
        games = read_pasted(rest, state)
    except NactationError:
        return
    for game in games[:_MOST]:
        row = sequence(game.turns)
        if state is None:
            named = game.start.position in {STANDARD, NACKGAMMON}
            yield row if named else f"{format_xgid(game.start)} {row}"
        elif game.start.position == state.position:
            yield row.removeprefix(start_prefix(state.position))


# What is found in prose

_ASKED = re.compile(
    r"(?:play|rolle?[ds]?|with)(?: an?)? (?P<play>[1-6]{2})(?![\w/-])"
    r"|(?<![\w/-])(?P<ask>[1-6]{2})(?=\s?\?| to play)"
)


def _findings(rest: str, state: GameState | None) -> tuple[Finding, ...]:
    rest = rest[:_LONGEST_PROSE]
    spans = scan_prose(rest)  # of markup it knows nothing, which only makes the text longer
    return _read_findings(rest[: spans[-1].end + 2], state) if spans else ()


@lru_cache(maxsize=16)
def _read_findings(text: str, state: GameState | None) -> tuple[Finding, ...]:
    """As by `read_prose`; who types words behind a sequence asks for the same again."""
    findings = read_prose(text, start=state)
    return tuple(finding for finding in findings if finding.decoded or finding.nacbrac)


def _from_findings(
    findings: Sequence[Finding], front: str, state: GameState | None, text: str
) -> Iterator[str]:
    """The sequences that are found, those that are sure before others, with where they begin."""
    ordered = sorted(findings, key=lambda one: (one.kind is not Kind.PLAY, one.sure), reverse=True)
    for finding in ordered:
        decoded = finding.decoded
        if decoded is None or finding.sure is Confidence.DOUBTFUL:
            continue
        start, row = decoded.start, rewrite(decoded)
        if any(turn.cost > SLIGHT for turn in decoded.turns):
            row = _cased(row, start) or row
        own = front if state and start.position == state.position else ""
        own = own or decoded.start_name
        asked = _ASKED.search(text, finding.end)
        if asked and decoded.turns and decoded.turns[-1].how is not ReadingKind.TO_PLAY:
            longer = f"{row}-{asked['play'] or asked['ask']}"
            if _is_sound(longer, start):
                yield f"{own} {longer}".lstrip()
        yield f"{own} {row}".lstrip()
