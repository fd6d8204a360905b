"""What is typed in the text field: a position, a sequence, or a sequence after a position."""

from __future__ import annotations

import re
from functools import lru_cache

from gnubg_nactation.backgammon.ids import find_state, format_xgid
from gnubg_nactation.backgammon.match import Drop, Move
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import NACKGAMMON, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.exports.views import View, board_view, look_view, turn_step
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays, fan_naming
from gnubg_nactation.playground.suggestions import Suggestions, alternatives, suggest
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.incremental import Progress, read_progress
from gnubg_nactation.sequences.notation import rewrite
from gnubg_nactation.values import replace

_MAX_CHARS = 20_000  # of a sequence
_AFTER_POSITION = " \t\r\n\"'`\u201d\u2019)],;."


def read_text(text: str) -> View:
    """Read a text as far as possible.

    `turns` are those that can be read, `state` the board after them, `options` what may follow, of
    which the `token` belongs after `keep`: all plays of the last roll, or the answers to a double.
    `front` counts the characters of the position. `error` is what is wrong and where, with the
    looks of what is `possible` there, and `unfinished` says that a token has only begun. `instead`
    are texts that can be read and may be meant, the likeliest first, and `prose` says that it is
    rather a post. Raises MalformedError for a wrong position, and if the text is too long.
    """
    if len(text) > _MAX_CHARS:
        raise MalformedError(f"a text of {len(text)} characters is no sequence")
    state, front, begin = split_position(text)
    return _text_view(text, begin, state) | {"front": front}


def split_position(text: str) -> tuple[GameState | None, int, int]:
    """The position before a sequence, its end, and where the sequence begins."""
    state, front = find_state(text)
    rest = text[front:]
    begin = front + len(rest) - len(rest.lstrip(_AFTER_POSITION)) if front else 0
    return state, front, begin


def _text_view(text: str, begin: int, start: GameState | None) -> View:
    name, rest = text[:begin].strip(), text[begin:]
    if not rest.strip():
        return _start_view(start or GameState(), name)
    if start is None and rest.strip() in {"N", "n"}:  # what follows it is to be typed or rolled
        return _start_view(GameState(NACKGAMMON), text.strip())
    progress = read_progress(rest, start)
    if progress.decoded is None:
        value = _position_view(start or GameState(), name)
    else:
        value = _sequence_view(progress.decoded)
    if progress.error is None and progress.decoded:
        value |= _next_view(text, progress.decoded)
        return value | _suggestions_view(alternatives(text, begin, start, progress.decoded))
    if re.fullmatch("[1-6]", rest[progress.at :].strip()):
        return value | {"unfinished": "the second die"}
    value |= _error_view(text, begin, progress)
    return value | _suggestions_view(suggest(text, begin, start))


def _suggestions_view(suggestions: Suggestions) -> View:
    value: View = {"instead": list(suggestions.texts)} if suggestions.texts else {}
    return value | {"prose": True} if suggestions.is_post else value


def _position_view(state: GameState, name: str) -> View:
    """A position that nothing readable follows, with its name if it has one."""
    value: View = {"turns": [], "state": board_view(state), "sequence": ""}
    return value | {"named": True} if name else value


def _start_view(state: GameState, name: str) -> View:
    """A position and what may follow it."""
    value = _position_view(state, name)
    if options := _to_follow(state):
        # The player on roll in the ID stays the same.
        mark = "-" if state.player is Player.SECOND else ""
        value |= {"options": options, "keep": f"{name} {mark}{value['state']['roll']}"}
    return value


def _sequence_view(decoded: Decoded) -> View:
    value: View = {
        "turns": list(map(turn_step, decoded.turns)),
        "state": board_view(decoded.state),
        "sequence": rewrite(decoded),
    }
    if decoded.start != GameState(decoded.parsed.start, decoded.parsed.starts):
        value["start"] = format_xgid(decoded.start)
    return value | {"over": 1} if _is_over(decoded) else value


def _is_over(decoded: Decoded | None) -> bool:
    """Whether the last turn ends the game."""
    if decoded is None or not decoded.turns:
        return False
    passed = isinstance(decoded.turns[-1].action, Drop)
    return passed or not decoded.state.position.opponent_pips


def _next_view(text: str, decoded: Decoded) -> View:
    """The plays of the last roll, or the answers to a double, and the text that they follow."""
    last = decoded.turns[-1] if decoded.turns else None
    if last is None:
        return {}
    text = text.rstrip()
    if last.state.roll and isinstance(last.action, Move) and last.plays:
        value: View = {"options": _options(last.state.position, last.state.roll)}
        token = last.token.text
        if text.endswith(token):
            value["keep"] = text[: 2 - len(token)] if token[2:] else text
        return value
    if decoded.state.doubled and not _is_over(decoded):
        return {"options": _to_follow(decoded.state), "keep": text.rstrip(" -,;") + "-"}
    return {}


def _error_view(text: str, begin: int, progress: Progress) -> View:
    """What is wrong in a text and where, and what is possible there."""
    error, at = progress.error, begin + progress.at
    named = isinstance(error, IllegalError) and re.match("[1-6]{2}", text[at:])
    wrong = re.match(r"[^\s,;-]*", text[at + 2 :]) if named else None
    first = at + (2 if wrong and wrong[0] else 0)
    last = first + max(1, len(wrong[0]) if wrong else 1)
    message: View = {
        "message": error.reason if isinstance(error, IllegalError) else str(error),
        "before": text[max(first - 40, 0) : first],
        "wrong": text[first:last],
        "after": text[last : last + 20],
    }
    value: View = {"error": message}
    if named and progress.state and not _is_over(progress.decoded):
        state = replace(progress.state, roll=Roll.parse(named[0]))
        options = _to_follow(state)
        value |= {"options": options, "keep": text[: at + 2], "state": board_view(state)}
        message["possible"] = [option["look"] for option in options if "look" in option]
    return value


def _to_follow(state: GameState) -> list[View]:
    """What may follow in a state: the answers to a double, or the plays of its roll."""
    if state.doubled:
        return [{"said": "take", "token": "T"}, {"said": "pass", "token": "P"}]
    return _options(state.position, state.roll) if state.roll else []


@lru_cache(maxsize=64)
def _options(position: Position, roll: Roll) -> list[View]:
    """All plays of a roll with their letters, family by family, or that there is none."""
    plays = Plays(position, roll)
    if not plays:
        fan = fan_naming(position, plays)
        return [_option_of(fan.nactation, fan.nactation.family.word) if fan else _NO_PLAY]
    return [
        _option(play, plays)
        for family in plays.areal_families()
        for play in plays.reading(family).members
    ]


def _option(play: Play, plays: Plays) -> View:
    name = plays.name(play).naming.nactation
    others = [
        look_view(naming.nactation) for naming in plays.letters(play) if naming.nactation != name
    ]
    value = _option_of(name, format_play(play))
    return value | {"others": others} if others else value


def _option_of(name: Nactation, said: str) -> View:
    return {"look": look_view(name), "said": said, "token": str(name)}


_NO_PLAY = {"said": "no play", "token": ""}  # the roll alone says it
