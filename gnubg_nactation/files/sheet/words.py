"""The tokens of a game on a score sheet.

A sheet has words that sequences do not: `D` for a double or redouble, `doubles to 4`, `takes`,
`beavers`, `resign 2`.
"""

from __future__ import annotations

import re
from contextlib import suppress

from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.sequences.tokens import Parsed, Token, TokenKind, parse_sequence
from gnubg_nactation.values import NamedTuple


class SheetToken(NamedTuple):
    """A token, whose offset is that in the sheet.

    `value` is the typed value of the cube, else 0; `resigned` is 1 to 3 for a resignation, 0 for
    one without a size, else None.
    """

    token: Token
    value: int = 0
    resigned: int | None = None

    @property
    def is_end(self) -> bool:
        """Whether it ends the game: a pass or a resignation."""
        return self.resigned is not None or self.token.kind is TokenKind.PASS


class Tokens(NamedTuple):
    """The tokens of a text, the position that it names, and the error about the next token."""

    tokens: list[SheetToken]
    start: Position
    error: MalformedError | None = None


_ANSWER = r"(?=[\s,;:/|-]*(?:t|p|b|tak|pas|take|pass|drop|beaver|bvr|raccoon)s?(?![A-Za-z0-9]))"
_TURNED = r"(?:[ \t]*(?:=+>|->|to|at)[ \t]*(?P<{}>[0-9]{{1,9}}))?"
_RESIGN = (
    r"(?:resign|concede)(?:s|d|ed)?"
    r"(?:[ \t:-]*(?:a[ ])?"
    r"(?P<size>[0-9]{1,9}(?![0-9A-Za-z])|single(?:[ ]game)?|gammon|backgammon))?"
)
_WORD = re.compile(
    rf"""(?<![A-Za-z0-9'])(?:
      (?P<offer>(?:re-?)?doubl(?:es?|ed|ing)){_TURNED.format("to")}
    | (?P<letter>D)(?:{_ANSWER}|(?<!\d[ -]D)(?<!\d\d[ ][ ]D))
    | (?P<beaver>(?:beaver|raccoon)(?:s|ed)?|bvr){_TURNED.format("on")}
    | (?P<take>takes|took|taken|accept(?:s|ed)?)
    | (?P<drop>drop(?:s|ped)|pass(?:es|ed)|(?:reject|fold)(?:s|ed)?)
    | (?P<resign>{_RESIGN})
    )(?![A-Za-z0-9])""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_PLAIN_RESIGN = _RESIGN.replace("?P<size>", "?:")
_SIZES = {"s": 1, "g": 2, "b": 3}
_LETTERS = {
    "offer": "C",
    "letter": "C",
    "beaver": "C",
    "take": "T",
    "drop": "P",
    "resign": "C",
}
_KINDS = {
    "offer": TokenKind.OFFER,
    "letter": TokenKind.OFFER,
    "beaver": TokenKind.BEAVER,
    "take": TokenKind.TAKE,
    "drop": TokenKind.PASS,
}
_HYPHEN = re.compile(r"(?<=[0-9])-\Z")
_ERROR = re.compile(r"(?<=\s)(?:[?!]{1,2}\s)?-[0-9]{0,3}\.[0-9]{3}(?![0-9])")
_HOPS = r"(?:[0-9]{1,2}|bar)/[0-9a-z/*]{1,20}(?:\([1-4]\)\*?)?"
# After a letter; parentheses take the place of the white space around the play.
_PLAY = re.compile(
    rf"((?<![A-Za-z0-9])[1-6]{{2}}[^\s(/:,;|-][_.]?(?:\{{[0-9]{{1,6}}\}})?[ \t]*)[ \t]"
    rf"({_HOPS}(?:[ \t]+{_HOPS}){{0,3}})\s",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(rf"\({_PLAIN_RESIGN}\)", re.IGNORECASE)
_REMARK = re.compile(rf"\((?!{_PLAIN_RESIGN}\))[^()]*\)", re.IGNORECASE)


def read_tokens(text: str, at: int) -> Tokens:
    """Read the tokens of a text that begins at this offset of the sheet.

    Losses after a turn (`52T ?? -.129 (S)`) are skipped, and a play in traditional notation after
    a letter is compared with it.
    """
    hidden = _REMARK.sub(lambda match: re.sub(r"[^\n]", ".", match[0]), text)
    words = {match.start(): match for match in _WORD.finditer(hidden)}
    text = _ERROR.sub(lambda match: " " * len(match[0]), text)
    text = _PLAY.sub(r"\1(\2)", f"{text}\n")
    text = _GIVEN_UP.sub(lambda match: f" {match[0][1:-1]} ", text)
    parts: list[str] = []
    done = 0
    for start, word in words.items():
        # After a hyphen, the letter would be the name of the roll before it.
        before = _HYPHEN.sub(" ", text[done:start])
        parts += before, _LETTERS[_group(word)].ljust(len(word[0]))
        done = word.end()
    plain = "".join([*parts, text[done:]])
    try:
        parsed, error = parse_sequence(plain), None
    except MalformedError as problem:
        error = problem
        parsed = _before(plain, problem.at)
    return Tokens([_sheet_token(token, words, at) for token in parsed.tokens], parsed.start, error)


def _before(text: str, at: int) -> Parsed:
    """The tokens before an error."""
    with suppress(MalformedError):
        return parse_sequence(text[:at].rstrip(" -"))
    return parse_sequence("")


def _group(word: re.Match[str]) -> str:
    return next(name for name in _LETTERS if word[name])


def _sheet_token(token: Token, words: dict[int, re.Match[str]], at: int) -> SheetToken:
    """The token at its offset in the sheet; with the meaning of its word if it stands for one."""
    word = words.get(token.at)
    token = token._replace(at=token.at + at)
    if word is None:
        return SheetToken(token)
    group = _group(word)
    token = token._replace(text=word[0], kind=_KINDS.get(group, token.kind))
    if group == "resign":
        size = (word["size"] or "0").lower()
        return SheetToken(token, resigned=_SIZES.get(size[0], int(size) if size.isdigit() else 0))
    return SheetToken(token, int(word["to"] or word["on"] or 0))
