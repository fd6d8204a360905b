"""Sequences as file names that are safe on every system and can be read back (sections 7 and 14).

    54S-63R-31P -> 54S-63R-31P        32Z-41h-11 -> 32Z-41hh-11

The spelling of `spell_safe` keeps names different even if case is ignored. `top-` in front marks
the second player as the starter, `nack-` Nackgammon. A name that would be too long is cut at a
hyphen and ends with `_` and eight digits of a hash: it is unique, but cannot be read back.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator

from gnubg_nactation.backgammon.match import Game, Match
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import NACKGAMMON
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.alphabet import Diacritic
from gnubg_nactation.sequences.tokens import (
    SAFE_NAME,
    SAFE_WORDS,
    Token,
    TokenKind,
    parse_sequence,
    read_safe,
    spell_safe,
)
from gnubg_nactation.showing import quoted

LONGEST = 80  # characters: long enough for 20 rolls, and paths stay short
_HASH = 8
_ACTIONS = {
    TokenKind.DOUBLE: "C",
    TokenKind.REDOUBLE: "R",
    TokenKind.TAKE: "T",
    TokenKind.PASS: "P",
    TokenKind.FAN: "F",
}
_TOKEN = re.compile(
    rf"(?P<action>[crtpf])|(?P<die>[1-6])|(?P<off>two|four)|(?P<roll>[1-6]{{2}})(?:{SAFE_NAME})?"
)
_SHORTENED = re.compile(rf"_[0-9a-f]{{{_HASH}}}", re.IGNORECASE)
# Windows reserves these names for devices, with any ending.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))}


def file_name(text: str, longest: int = LONGEST) -> str:
    """The file name of a sequence, without an ending; raises MalformedError."""
    parsed = parse_sequence(text)
    if not parsed.tokens:
        raise MalformedError("no name for an empty sequence", text=text)
    words = ["nack"] if parsed.start == NACKGAMMON else []
    words += ["top"] if parsed.starts is Player.SECOND else []
    words += map(_word, parsed.tokens)
    return shortened("-".join(words), longest)


def read_file_name(name: str) -> str:
    """The sequence in a file name, in plain spelling; case and ending (`.txt`) are ignored.

    Raises MalformedError for a name that was shortened or is no sequence.
    """
    stem = name.partition(".")[0].lower()
    if _SHORTENED.search(stem):
        raise MalformedError(f"{quoted(name)} was shortened and cannot be read back", text=name)
    words, at = stem.split("-"), 0
    marks = ""
    for prefix, mark in (("nack", "N "), ("top", "-")):
        if words[:1] == [prefix]:
            marks += mark
            at += len(words.pop(0)) + 1
    if not words:  # `top` alone
        raise MalformedError(f"not a name of a sequence: {quoted(name)}", text=name, at=at)
    tokens: list[str] = []
    for word in words:
        if word in {"p", "t"} and tokens and tokens[-1].isdigit() and len(tokens[-1]) == 2:
            tokens[-1] += word.upper()  # a letter of the roll: only a double is passed or taken
        else:
            tokens.append(_read(word, name, at))
        if tokens == ["+"] and not marks.endswith("-"):  # a leading + would be a start mark
            raise MalformedError(f"not a name of a sequence: {quoted(name)}", text=name, at=at)
        at += len(word) + 1
    return marks + "-".join(tokens)


def shortened(name: str, longest: int = LONGEST) -> str:
    """The name; if it is too long, its beginning and a hash of the whole."""
    if len(name) <= longest:
        return name
    digest = hashlib.sha256(name.casefold().encode()).hexdigest()[:_HASH]
    head = name[: max(longest - _HASH - 1, 1)]
    return f"{head.rpartition('-')[0] or head}_{digest}"


def safe_name(text: str) -> str:
    """Any text as a file name that every system accepts: ASCII letters, digits and a few signs."""
    name = re.sub(r"[^A-Za-z0-9_+~-]+", "-", text).strip("-") or "x"
    return f"{name}_" if name.casefold() in _RESERVED else name


def _word(token: Token) -> str:
    if token.kind in _ACTIONS:
        return _ACTIONS[token.kind]
    if token.kind is TokenKind.ENTER:
        return str(token.die)
    name = spell_safe(token.names[0]) if token.names else ""
    return name if token.kind is TokenKind.OFF else f"{token.roll}{name}"


def _read(word: str, name: str, at: int) -> str:
    """The token of a word in a file name."""
    match = _TOKEN.fullmatch(word)
    if match is None:
        raise MalformedError(f"not a name of a sequence: {quoted(word)}", text=name, at=at)
    if match["off"]:
        return "=" if match["off"] == SAFE_WORDS["="] else "+"
    roll = str(Roll.parse(match["roll"])) if match["roll"] else word.upper()
    if not match["name"]:
        return roll
    try:
        nactation = read_safe(match)
        if nactation.mark is Diacritic.DOT and roll[0] != roll[1]:
            raise MalformedError(f"{nactation} names plays of doublets only")
        return f"{roll}{nactation}"
    except MalformedError as error:
        raise MalformedError(str(error), text=name, at=at) from None


def game_names(
    matches: Iterable[Match],
    game: int | None = None,
    turn: int | None = None,
    longest: int = LONGEST,
) -> list[str]:
    """The file name of each game, or of the one with this number; `turn` is added to it.

    Raises IllegalError if there is none.
    """
    end = f"-t{turn}" if turn is not None else ""
    names = [
        shortened(safe_name(_game_name(match, each) + end), longest)
        for match in matches
        for each in match.games
        if game in {None, each.number}
    ]
    if not names:
        raise IllegalError(f"there is no game {game}")
    return list(_unique(names))


def _game_name(match: Match, game: Game) -> str:
    first, second = map(_initials, match.players)
    length = f"{match.length}pt" if match.length else "money"
    return f"{first}-{second}-{length}-g{game.number}-{game.score[0]}to{game.score[1]}"


def _initials(player: str) -> str:
    """Return the first letters of a player's names, without accents; X if none is ASCII."""
    plain = unicodedata.normalize("NFKD", player)
    words = "".join(
        c if c.isalnum() else " " if not unicodedata.combining(c) else "" for c in plain
    )
    return "".join(word[0].upper() for word in words.split() if word[0].isascii()) or "X"


def _unique(names: list[str]) -> Iterator[str]:
    """Yield the names, with a number after those that appeared before, in any case."""
    seen: set[str] = set()
    for name in names:
        unique, number = name, 1
        while unique.casefold() in seen:
            number += 1
            unique = f"{name}-{number}"
        seen.add(unique.casefold())
        yield unique
