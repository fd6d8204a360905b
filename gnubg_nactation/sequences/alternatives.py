"""Whether tokens without hyphens are a list of plays rather than a game: `21S 41S 51S`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.sequences.openings import OPENINGS
from gnubg_nactation.sequences.tokens import Parsed, Token, TokenKind


def alternatives(parsed: Parsed) -> tuple[str, ...]:
    """The plays of a list, such as `21S 41S 51S` or `43D/43Z`; none of a game.

    They are plays of one roll, or openings with the same letter.
    """
    tokens = list(map(_text, parsed.tokens))
    return tuple(tokens) if _is_apart(parsed) and is_list(tokens, _gaps(parsed)) else ()


def is_list(tokens: Sequence[str], gaps: Sequence[str]) -> bool:
    """Whether tokens with these characters between them are a list of plays."""
    if len(set(tokens)) < max(len(tokens), 2):
        return False
    if len({token[:2] for token in tokens}) == 1:
        return all(_is_blank(gap) or _is_slash(gap) for gap in gaps)
    is_family = len({token[2:] for token in tokens}) == 1
    return is_family and _are_openings(tokens) and all(map(_is_blank, gaps))


def list_doubts(parsed: Parsed) -> dict[int, str]:
    """Why tokens may be no turns of a game, by their index."""
    text, tokens = parsed.text, parsed.tokens
    if not tokens or ("-" in text and "/" not in text):
        return {}
    gaps = _gaps(parsed)
    if gaps == [""] and _is_low_roll(tokens[1]):  # `65R15` is a size of tyres
        return {1: "it may be no roll: no hyphen is before it"}
    if gaps and _is_apart(parsed) and all(map(_is_blank, gaps)):
        plays = [_text(token) for token in tokens if not (token.roll and token.roll.is_doublet)]
        if plays[:1] == [_text(tokens[0])] and _are_openings(plays):
            return {1: "or a list of openings: hyphens join the turns of a game"}
    doubt = "or another play of the same roll: hyphens join the turns of a game"
    return {
        at: doubt
        for at, ((before, token), gap) in enumerate(zip(pairwise(tokens), gaps, strict=True), 1)
        if before.roll == token.roll is not None and before.text != token.text and _is_slash(gap)
    }


def _is_blank(gap: str) -> bool:
    """Whether this is blanks, perhaps after a comma or semicolon; a line break is not."""
    blanks = gap[1:] if gap[:1] in {",", ";"} else gap
    return bool(blanks) and not blanks.strip(" \t")


def _is_slash(gap: str) -> bool:
    return gap.strip(" \t") == "/"


def _is_low_roll(token: Token) -> bool:
    """Whether this is a roll alone with its lower die first."""
    return token.kind is TokenKind.ROLL and token.text[0] < token.text[1]


def _is_apart(parsed: Parsed) -> bool:
    """Whether all tokens are plays with letters, from the opening and without a mark."""
    return (
        parsed.start == STANDARD
        and bool(parsed.tokens)
        and not parsed.text[: parsed.tokens[0].at].strip("\"' \t")
        and all(map(_is_letter, parsed.tokens))
    )


def _is_letter(token: Token) -> bool:
    return token.kind is TokenKind.PLAY and bool(token.names) and not token.remark


def _text(token: Token) -> str:
    """The token without the period that ends a sentence."""
    return token.text[:-1] if token.natural else token.text


def _are_openings(tokens: Iterable[str]) -> bool:
    return all(token in OPENINGS for token in tokens)


def _gaps(parsed: Parsed) -> list[str]:
    """The characters between tokens."""
    return [
        parsed.text[before.at + len(before.text) : token.at]
        for before, token in pairwise(parsed.tokens)
    ]
