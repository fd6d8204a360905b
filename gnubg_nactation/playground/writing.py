"""A match that is written key by key: its score sheet, what comes next, and the files to save."""

from __future__ import annotations

from functools import lru_cache

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.draft import draft_text, head_line, new_draft, read_draft
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.views import View, board_view, play_option
from gnubg_nactation.files.names import written_names
from gnubg_nactation.files.sheet.head import read_head
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.draft import Ask, Draft, by_nature, keys_of_name, plays_of
from gnubg_nactation.sequences.live import choices, news, press, question
from gnubg_nactation.showing import quoted

_STEP = 50  # keys read at a time, if none of them has been read before


def new_match(names: list[str], length: int, rules: dict[str, bool], details: str) -> str:
    """The sheet of a match that is to be written; `length` 0 is a money session.

    `rules` has `crawford` and `jacoby`; `details` are a date, an event and a place, or empty.
    Raises MalformedError for names that a sheet cannot hold.
    """
    first, second = (" ".join(name.split()) for name in names)
    players = written_names((first, second))
    tags = [("Crawford", "Off")] if length and not rules["crawford"] else []
    tags += [("Jacoby", "On")] if rules["jacoby"] and not length else []
    line = head_line(Match(players, length, (), headers=tuple(tags)))
    draft = new_draft(", ".join(filter(None, (line, " ".join(details.split())))))
    is_head = any(read_head(f"{player} wins") for player in players)  # a line of a sheet
    if is_head or (draft.match.players, draft.match.length) != (players, length):
        words = "'match', 'points' or 'money'"
        raise MalformedError(f"found {quoted(line)}, expected names without {words}")
    return draft_text(draft)


def write_match(sheet: str, keys: str) -> View:
    """The match after keys that were typed since the sheet was written.

    `sheet` is the sheet after them, `question` and `choices` are what can be typed next, and
    `options` the plays of the roll, whose `token` has the keys that take it. `note` explains a
    wrong key. `news` is the last turn in words, and `pending` has the keys of the turn begun. With
    `rolls` dice are expected.
    """
    for end in range(_STEP, len(keys), _STEP):
        _typed(sheet, keys[:end])
    draft = _typed(sheet, keys)
    state = draft.state
    return {
        "sheet": draft_text(draft),
        "board": board_view(state) | {"players": list(draft.match.players)},
        "question": question(draft),
        "note": draft.note,
        "news": news(draft),
        "pending": draft.pending,
        "choices": [list(choice) for choice in choices(draft)],
        "options": list(_options(plays_of(state))) if draft.choices else [],
        "rolls": draft.ask in {Ask.OPENING, Ask.ROLL},
    }


def save_match(sheet: str, form: str) -> str:
    """The complete turns of a sheet as `mat` or `sgf`."""
    match = annotate(read_draft(sheet).recorded)
    return format_sgf(match).decode() if form == "sgf" else format_mat(match)


@lru_cache(maxsize=_STEP)
def _typed(sheet: str, keys: str) -> Draft:
    """The draft of a sheet after some keys; all but the last are mostly known."""
    if not keys:
        return read_draft(sheet)
    return press(_typed(sheet, keys[:-1]), keys[-1])


@lru_cache(maxsize=8)
def _options(plays: Plays) -> tuple[View, ...]:
    """The plays of a roll, the most natural first."""
    names = [plays.name(play).naming.nactation for play in by_nature(plays)]
    return tuple(
        play_option(play, plays) | {"token": keys_of_name(name)}
        for play, name in zip(by_nature(plays), names, strict=True)
    )
