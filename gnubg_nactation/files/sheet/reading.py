"""Reads score sheets as matches: replays their games and works out scores and results."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS
from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.mat.match_text import decode_text
from gnubg_nactation.files.names import written_names
from gnubg_nactation.files.sheet.games import Played, play_match
from gnubg_nactation.files.sheet.head import EXAMPLE
from gnubg_nactation.files.sheet.lines import MatchText, split_matches
from gnubg_nactation.files.sheet.replaying import Rules
from gnubg_nactation.files.sheet.text import Fault, SheetText
from gnubg_nactation.showing import counted, quoted
from gnubg_nactation.values import NamedTuple


class Sheet(NamedTuple):
    """A match of a score sheet, as far as it can be read.

    `faults` have everything that is wrong or doubtful, in the order of the sheet; `notes` are
    remarks on what a sheet may leave open. A game with a fault ends before it.
    """

    match: Match
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()


def read(data: bytes, encoding: str | None = None) -> tuple[Match, ...]:
    """Read the matches of a score sheet; raises MalformedError about its first fault."""
    sheets = read_sheets(decode_text(data, encoding))
    faults = [fault for sheet in sheets for fault in sheet.faults]
    if faults:
        more = f" ({counted(len(faults), 'fault')} in this score sheet)" if faults[1:] else ""
        raise MalformedError(f"{faults[0]}{more}; `nactate transcribe --check` lists faults")
    return tuple(sheet.match for sheet in sheets)


def read_sheets(text: str) -> tuple[Sheet, ...]:
    """Read the matches of a text, each with its faults; raises MalformedError without a match."""
    sheet = SheetText(text)
    sheets = tuple(_read_match(sheet, match) for match in split_matches(sheet))
    if not sheets:
        raise MalformedError(f"no score sheet; expected a head such as {EXAMPLE} and a game")
    return sheets


def _read_match(sheet: SheetText, text: MatchText) -> Sheet:
    head = text.head
    tags = [*text.tags]
    present = {key.lower() for key, _ in tags}
    tags += [tag for tag in (head.tags if head else ()) if tag[0].lower() not in present]
    values = {key.lower(): value.strip().lower() for key, value in reversed(tags)}
    faults = [*text.faults]
    variation = values.get("variation") or "backgammon"
    if variation not in VARIATIONS:
        message = f"unknown variation {quoted(variation)}; expected Nackgammon or HyperGammon (3)"
        faults.append(sheet.fault(text.at, message))
    length = head.length if head else 0
    rules = Rules(
        names=written_names(text.players),
        length=length,
        start=VARIATIONS.get(variation, STANDARD),
        crawford=values.get("crawford") != "off",
        jacoby=not length and values.get("jacoby") == "on",
        beavers=values.get("beaver") != "off",
    )
    played = play_match(sheet, text.games, rules)
    faults += [fault for game in played for fault in game.faults]
    if not played and not faults:
        faults.append(sheet.fault(text.at, "no game after the head; expected 54S-63R-31P-..."))
    match = Match(
        players=text.players,
        length=length,
        games=tuple(game.game for game in played),
        start=rules.start,
        jacoby=rules.jacoby,
        headers=tuple(tags),
        comments=tuple(text.comments),
    )
    return Sheet(match, tuple(sorted(faults)), _notes(played, has_head=head is not None))


def _notes(played: Sequence[Played], *, has_head: bool) -> tuple[str, ...]:
    notes = []
    if not has_head:
        notes.append("no head with names and length; read as a money session of White and Black")
    if count := sum(game.without_dice for game in played):
        words = counted(count, "turn")
        notes.append(f"{words} without dice, such as F for a fan: written with dice that fit")
    last = played[-1] if played else None
    if last and last.game.winner is None and not last.faults:
        notes.append(f"game {last.game.number} is not finished")
    return tuple(notes)
