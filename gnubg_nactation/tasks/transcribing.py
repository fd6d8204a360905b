"""Writing a match down key by key: its score sheet is all that is kept."""

from __future__ import annotations

from functools import lru_cache

from gnubg_nactation.annotation import annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.exports.draft import draft_text, head_line, new_draft, read_draft
from gnubg_nactation.exports.mat import format_mat
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.files.heading import written_names
from gnubg_nactation.files.mat import decode_text
from gnubg_nactation.files.sheet import Sheet, read_head, read_sheets
from gnubg_nactation.sequences.live import Corrected, Draft, correct, press
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.settings import Settings, setting

_STEP = 50  # keys read at a time, if none of them has been read before


class RulesSettings(Settings):
    """The rules of a match to write down."""

    crawford: bool = setting(True, "play the Crawford game of a match without the cube")
    jacoby: bool = setting(False, "count gammons of a money game only after a double")


def begin_match(
    players: tuple[str, str], length: int, rules: RulesSettings, details: str = ""
) -> Draft:
    """Begin a match; `length` 0 is a money session, `details` are a date, an event and a place.

    Raises MalformedError for names that a sheet cannot hold.
    """
    first, second = (" ".join(name.split()) for name in players)
    players = written_names((first, second))
    tags = [("Crawford", "Off")] if length and not rules.crawford else []
    tags += [("Jacoby", "On")] if rules.jacoby and not length else []
    line = head_line(Match(players, length, (), headers=tuple(tags)))
    draft = new_draft(", ".join(filter(None, (line, " ".join(details.split())))))
    is_head = any(read_head(f"{player} wins") for player in players)  # a line of a sheet
    if is_head or (draft.match.players, draft.match.length) != (players, length):
        words = "'match', 'points' or 'money'"
        raise MalformedError(f"found {quoted(line)}, expected names without {words}")
    return draft


def transcribe(sheet: str) -> tuple[Sheet, ...]:
    """Return the matches of a score sheet, each with its faults and notes.

    Raises MalformedError for an empty text.
    """
    return read_sheets(sheet)


def continue_sheet(data: bytes) -> tuple[Draft, bool]:
    """Return the draft in a sheet, and whether the file has more, such as remarks and layout.

    Raises MalformedError, and IllegalError if it cannot be continued key by key.
    """
    draft = read_draft(decode_text(data, None))
    return draft, draft_text(draft).encode() != data


def type_keys(sheet: str, keys: str) -> Draft:
    """Return the draft of a sheet after some keys. Raises as `read_draft` does."""
    for end in range(_STEP, len(keys), _STEP):
        _typed(sheet, keys[:end])
    return _typed(sheet, keys)


def correct_turn(sheet: str, at: int, keys: str) -> Corrected:
    """Return the draft of a sheet after keys that replace its turn `at`; see `correct`.

    Raises as `read_draft` does.
    """
    return correct(_typed(sheet, ""), at, keys)


@lru_cache(maxsize=_STEP)
def _typed(sheet: str, keys: str) -> Draft:
    """Return the draft of a sheet after some keys; all but the last are mostly known."""
    if not keys:
        return read_draft(sheet)
    return press(_typed(sheet, keys[:-1]), keys[-1])


def match_file(sheet: str, form: str) -> str:
    """Return the complete turns of a sheet as `mat` or `sgf`."""
    match = annotate(read_draft(sheet).recorded)
    return format_sgf(match).decode() if form == "sgf" else format_mat(match)
