"""The library of the page: answers from a database, the same that `nactate index` writes.

The page keeps the bytes of the database and of the match files; here the database is a file in the
memory of Python. The name of a match file is its path in the database. Losses are in points.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import wraps
from itertools import islice
from pathlib import Path

from gnubg_nactation.archive.database import UNIT, VERSION, archive_at
from gnubg_nactation.archive.indexing import (
    file_known,
    files_to_recount,
    forget,
    is_current,
    replace_handles,
)
from gnubg_nactation.archive.merging import merge
from gnubg_nactation.archive.stats import StoredMatch, count_by_player, stored_matches
from gnubg_nactation.archive.tallies import has_column
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.errors import (
    ArchiveError,
    DamagedArchiveError,
    ForeignArchiveError,
    NactationError,
    UnknownError,
)
from gnubg_nactation.exports.deck import simple_head, simple_rows
from gnubg_nactation.exports.explorer.table import node_views, placed
from gnubg_nactation.exports.finds import found_view
from gnubg_nactation.exports.flashcards import Flashcard, flashcard_of_decision, once
from gnubg_nactation.exports.leaks import decision_view, leaks_view
from gnubg_nactation.exports.stats import luck_view, rating_view, statistics_view
from gnubg_nactation.exports.views import View
from gnubg_nactation.showing import FORMAT
from gnubg_nactation.tasks import library
from gnubg_nactation.tasks.face import Library
from gnubg_nactation.tasks.games import MyGameSettings, PlayerSettings
from gnubg_nactation.tasks.judging import KeptGnubg
from gnubg_nactation.tasks.library import ExploreSettings, IndexSettings, LeaksSettings
from gnubg_nactation.tasks.settings import from_json
from gnubg_nactation.values import Any, replace

_PATH = "library.db"  # in the current folder, which is in memory
_OTHER = "other.db"  # while its files are added
_SIDE_FILES = "-wal", "-shm", "-journal"
_VERSION_AT = slice(60, 64)  # of `user_version` in the bytes of a database
_NEWER = (
    "This library was written by a newer version of this page. It can be read, but not changed."
    " Reload the page to get that version."
)
_DAMAGED = "The database is damaged. Open another copy of it."
_FOREIGN = "This is neither a copy of a library nor a database of `nactate index`."
_MAX_FOUND = 60
_ALL_TURNS = 1000  # of a game, the most that `index` analyses


_STUDY = "study"  # the table with notes and answers in a copy; the command line does not read it


@contextmanager
def _archive() -> Iterator[sqlite3.Connection]:
    """Open the database, which `library_open` has completed; a newer one only for queries."""
    is_newer = _version(_PATH) > VERSION
    try:
        with archive_at(_PATH, create=not Path(_PATH).exists(), newer=is_newer) as archive:
            yield archive
    except DamagedArchiveError as error:  # what it advises is for a command line
        raise ArchiveError(_DAMAGED) from error


def _version(path: str) -> int:
    try:
        with Path(path).open("rb") as file:
            return int.from_bytes(file.read(_VERSION_AT.stop)[_VERSION_AT], "big")
    except FileNotFoundError:
        return 0


_kept: dict[tuple[str, str], Any] = {}  # answers about the whole library, while it is the same
_MAX_KEPT = 16


def _keeps(answer: Callable[..., Any]) -> Callable[..., Any]:
    """Keep what a function returns for some settings until the library changes."""

    @wraps(answer)
    def keeping(*settings: Any) -> Any:
        key = answer.__name__, json.dumps(settings, sort_keys=True)
        if key not in _kept:
            value = answer(*settings)
            while len(_kept) >= _MAX_KEPT:
                del _kept[next(iter(_kept))]  # the oldest
            _kept[key] = value
        return _kept[key]

    return keeping


@contextmanager
def _changing() -> Iterator[sqlite3.Connection]:
    """Open the database to change it. Raises ArchiveError if it is of a newer version."""
    _kept.clear()
    if _version(_PATH) > VERSION:
        raise ArchiveError(_NEWER)
    with _archive() as archive:
        yield archive


def library_open(data: bytes = b"") -> View:
    """Take the bytes of a database, or begin an empty one.

    Returns the names of the `files` in it, with `problems` of those that have no match for that
    reason; `older` are those to read once more, as an older version has read them. If the database
    cannot be opened, `problem` says why, and the library is empty. If it `is_newer` than this
    program, `problem` says so, too, and it can only be read. `library_check` finds more damage.
    """
    _kept.clear()
    _remove(_PATH)
    problem = _problem(_PATH, data, is_own=True) if data else ""
    try:
        return _opened(problem)
    except ArchiveError:
        _remove(_PATH)
        return _opened(_DAMAGED)


def _opened(problem: str) -> View:
    with _archive() as archive:
        if problem != _NEWER:
            # With a write-ahead log, each opening would take memory that is never given back.
            archive.execute("PRAGMA journal_mode = DELETE")
        made = dict(archive.execute("SELECT path, made FROM files ORDER BY path"))
        problems = dict(archive.execute(_PROBLEMS))
    current = {*filter(is_current, {*made.values()})}
    return {
        "files": [*made],
        "older": [name for name, how in made.items() if how not in current],
        "problems": problems,
        "problem": problem,
        "is_newer": problem == _NEWER,
    }


_PROBLEMS = (
    "SELECT path, problem FROM files WHERE problem <> ''"
    " AND NOT EXISTS (SELECT 1 FROM matches WHERE file = files.id) ORDER BY path"
)


def library_check() -> str:
    """What is wrong with the database; empty if nothing is. This reads all of it."""
    try:
        with _archive() as archive:
            return _damage(archive)
    except ArchiveError:
        return _DAMAGED


def _damage(archive: sqlite3.Connection) -> str:
    (found,) = archive.execute("PRAGMA quick_check(1)").fetchone()
    return "" if found == "ok" else _DAMAGED


def library_merge(data: bytes, only: list[str] | None = None) -> View:
    """Add the files of another database; a `problem` as in `library_open` leaves all as it was.

    `study` is what `library_file` was given for that copy, empty if nothing. `names` has the names
    here, by those there, of files that have another name here. `only` names the files to add.
    """
    problem, study, names = _problem(_OTHER, data), "", {}
    if not problem:
        before = Path(_PATH).read_bytes()
        try:
            with _changing() as archive, archive_at(_OTHER) as other:
                names = merge(archive, other, only)
                if has_column(other, _STUDY, "kept"):
                    (study,) = other.execute(f"SELECT kept FROM {_STUDY}").fetchone() or ("",)
        except BaseException as error:
            Path(_PATH).write_bytes(before)
            is_damage = isinstance(error, (ArchiveError, UnicodeError)) and str(error) != _NEWER
            if not is_damage:  # a cell that is no text is
                raise
            problem, names = _DAMAGED, {}
        finally:
            _remove(_OTHER)
    return {"problem": problem, "study": study, "names": names}


def _problem(path: str, data: bytes, *, is_own: bool = False) -> str:
    """Write the bytes of a database to a file, completed if they are of an older version.

    Returns what is wrong with them; then there is no file. The page's own is checked later, and
    stays if it is only too new.
    """
    Path(path).write_bytes(data)
    is_newer = _version(path) > VERSION
    try:
        with archive_at(path, create=not is_newer, newer=is_newer) as archive:
            word = "" if is_own else _damage(archive)
    except ForeignArchiveError:
        word = _FOREIGN
    except ArchiveError:
        word = _DAMAGED
    word = word or (_NEWER if is_newer else "")
    if word and not (word == _NEWER and is_own):
        _remove(path)
    return word


def _remove(path: str) -> None:
    for suffix in ("", *_SIDE_FILES):
        Path(path + suffix).unlink(missing_ok=True)


def library_file(study: str = "") -> View:
    """Name the `file` that holds the whole database, with notes and answers in a copy of it."""
    if not study:
        return {"file": _PATH}
    Path(_OTHER).write_bytes(Path(_PATH).read_bytes())
    with closing(sqlite3.connect(_OTHER)) as copy, copy:
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute(f"DROP TABLE IF EXISTS {_STUDY}")
        copy.execute(f"CREATE TABLE {_STUDY} (kept TEXT NOT NULL)")
        copy.execute(f"INSERT INTO {_STUDY} VALUES (?)", (study,))
    return {"file": _OTHER}


def library_has(data: bytes, name: str) -> bool:
    """Whether the matches of a name are those of this file."""
    with _archive() as archive:
        stored = file_known(archive, name)
    return stored is not None and stored.digest == library.digest_of(data)


def library_add(data: bytes, name: str, plies: int = 0, kept: Sequence[Any] = ()) -> View:
    """Store the matches of a file; `problem` says why it cannot be read.

    `kept` are all analyses of its decisions at `plies`, if the page has made them. If the file
    replaces one whose matches are in other files, too, `again` are the files to add once more.
    """
    settings, engine = IndexSettings(), None
    if kept:  # as `nactate index --analyse --engine builtin` stores them
        engine = KeptGnubg(data, kept)
        settings = IndexSettings(analyse=True, turns=_ALL_TURNS, plies=plies)
    with _changing() as archive:
        failures = library.index(archive, [(name, data)], settings, Library(engine)).failures
        again = [other for other in files_to_recount(archive) if other != name]
    return {"problem": failures.get(name, ""), "again": again}


def library_forget(names: list[str]) -> View:
    """Remove files and their matches; `again` are the files to add once more."""
    with _changing() as archive:
        forget(archive, names)
        return {"again": files_to_recount(archive)}


def library_matches() -> View:
    """All `matches`, the latest first, the names that `you` have, and all `players` by matches.

    Of the two players of a match `rating` is XG's PR, and `worst` the largest loss of a decision.
    `copies` are the other files with the match.
    """
    with _archive() as archive:
        matches = list(map(_match_view, stored_matches(archive)))
        players = [name for name, _ in count_by_player(archive)]
        you = [name for (name,) in archive.execute("SELECT name FROM handles ORDER BY name")]
        copies: dict[str, list[str]] = {}
        for file, other in archive.execute(f"{_COPIES} AND a.counted"):
            copies.setdefault(file, []).append(other)
    for match in matches:
        match["copies"] = copies.get(match["file"], [])
    return {"matches": matches, "you": you, "players": players}


_COPIES = (
    "SELECT DISTINCT f.path, g.path FROM matches AS a JOIN matches AS b ON a.content = b.content"
    " JOIN files AS f ON f.id = a.file JOIN files AS g ON g.id = b.file WHERE f.id <> g.id"
)


def library_copies(name: str) -> list[str]:
    """The other files with a match of a file."""
    with _archive() as archive:
        return [copy for _, copy in archive.execute(f"{_COPIES} AND f.path = ?", (name,))]


def _match_view(match: StoredMatch) -> View:
    view = match._asdict()
    del view["tallies"]
    return {
        **view,
        "rating": list(map(rating_view, match.tallies)),
        "luck": list(map(luck_view, match.tallies)),
        "worst": [None if loss is None else loss / UNIT for loss in match.worst],
        "analysed": any(tally.analysed for tally in match.tallies),
    }


def library_you(names: list[str]) -> None:
    """Store the names that you play under."""
    with _changing() as archive:
        replace_handles(archive, names)


@_keeps
def library_leaks(settings: dict[str, Any]) -> View:
    """What your mistakes cost, as `nactate leaks --json` prints it; see LeaksSettings."""
    options = from_json(LeaksSettings, settings)
    with _archive() as archive:
        found, openings, whose = library.leaks(archive, options)
        return {"format": FORMAT} | leaks_view(found, whose, openings)


@_keeps
def library_mistakes(
    settings: dict[str, Any], most: int = 1000, theme: str = "", least: float = 0
) -> list[View]:
    """Your wrong decisions, the costliest first, with what decks are made of; see PlayerSettings.

    At `most` so many, with a theme or any, that lose at `least` so many points. `players` are those
    of the match. `play_named` gives the best play in traditional notation.
    """
    options = from_json(PlayerSettings, settings)
    with _archive() as archive:
        found = library.mistakes(archive, options, most, theme, least)
    return [
        decision_view(mistake.example)
        | {
            "theme": mistake.theme,
            "phase": mistake.phase,
            "opening": mistake.opening,
        }
        for mistake in found
    ]


@_keeps
def library_mistake_count(settings: dict[str, Any], most: int, least: float) -> int:
    """How many wrong decisions `library_mistakes` returns."""
    options = from_json(PlayerSettings, settings)
    with _archive() as archive:
        return library.count_mistakes(archive, options, most, least)


@_keeps
def library_stats(settings: dict[str, Any]) -> View:
    """Your ratings, as `nactate stats --json` prints them; see PlayerSettings."""
    options = from_json(PlayerSettings, settings)
    with _archive() as archive:
        statistics, whose = library.stats(archive, options)
        return {"format": FORMAT} | statistics_view(statistics, whose)


def library_explore(text: str, settings: dict[str, Any]) -> list[View]:
    """What was played in a position, as the lines of `nactate explore --json`.

    See ExploreSettings; the list is empty if no game reached the position. If none had the roll
    there, it has the other rolls.
    """
    options = from_json(ExploreSettings, settings)
    face = Library()
    root = library.root_of(text, options, face)
    with _archive() as archive, suppress(UnknownError):
        try:
            explored = library.explore(archive, root, options, face, ways=True)
        except UnknownError:
            if root.roll is None:
                raise
            root = root._replace(roll=None)
            explored = library.explore(archive, root, options, face, ways=True)
        (state, sequence, _), depth, nodes, _, book, nacbracs = explored
        found = list(placed(nodes, state.position, depth, sequence))
        return [{"format": FORMAT} | node for node in node_views(found, nacbracs, book)]
    return []


def library_find(text: str, settings: dict[str, Any]) -> View:
    """The turns with a sequence, a pattern or a position, as `nactate find --json` prints them.

    At most 60 are `found`; `more` says that there are more. See MyGameSettings.
    """
    options, sought = from_json(MyGameSettings, settings), library.sought_by(text, Library())
    with _archive() as archive:
        finds = list(islice(library.find(archive, sought, options, soon=True), _MAX_FOUND + 1))
        found = [{"format": FORMAT} | found_view(find) for find in finds[:_MAX_FOUND]]
    return {"found": found, "more": len(finds) > _MAX_FOUND}


def library_cards(decisions: list[dict[str, Any]]) -> View:
    """Cards for Anki about decisions as `library_mistakes` returns them: `rows` after a `head`.

    The `note` of a decision has the visitor's `text` and `tags`. A decision that is not legal is
    left out.
    """
    cards, tags = [], {}
    for decision in decisions:
        note = decision.get("note") or {}
        with suppress(NactationError):
            card = _card(decision)._replace(comment=str(note.get("text", "")))
            cards.append(card)
            tags[card.identity] = [str(tag) for tag in (decision["theme"], *note.get("tags", ()))]
    return {"head": simple_head(), "rows": simple_rows(once(cards), tags)}


def _card(decision: dict[str, Any]) -> Flashcard:
    state = to_state(str(decision["xgid"]))
    if decision["roll"] is None:
        state = replace(state, roll=None)
    made, best, place = (str(decision[name] or "") for name in ("made", "best", "place"))
    return flashcard_of_decision(state, made, best, float(decision["lost"]), place)


LIBRARY_ANSWERS: Sequence[Any] = (
    library_open,
    library_check,
    library_merge,
    library_file,
    library_has,
    library_add,
    library_forget,
    library_matches,
    library_copies,
    library_you,
    library_leaks,
    library_mistake_count,
    library_mistakes,
    library_stats,
    library_explore,
    library_find,
    library_cards,
)
