"""The one way from the page to Python: it calls a function by name and gets JSON back.

The functions in ANSWERS take and return JSON values; some get the bytes of a match first. A board
is an XGID, a player 0 or 1 as in Player, and a play is in traditional notation. The work is that of
tasks, the JSON that of views. Everything is imported here, because the page keeps the memory of a
Python that has imported this module.
"""

from __future__ import annotations

import binascii
import json
import random
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from math import inf
from time import monotonic

from gnubg_nactation.annotation import remarks_on
from gnubg_nactation.archive.replies import chart_of_book
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.notation import format_play, parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.decision import nacbrac_text
from gnubg_nactation.decisions.severity import totals
from gnubg_nactation.engines.compiled import CompiledGnubg
from gnubg_nactation.engines.engine import Depth
from gnubg_nactation.engines.javascript import ask, open_in_page
from gnubg_nactation.engines.nacbracs import plays_to_judge
from gnubg_nactation.errors import EngineError, IllegalError, MalformedError, NactationError
from gnubg_nactation.exports.board import Theme, board_svg
from gnubg_nactation.exports.chart import chart_page
from gnubg_nactation.exports.deck import simple_head, simple_rows
from gnubg_nactation.exports.draft import draft_text
from gnubg_nactation.exports.flashcards import flashcards_of_chart, flashcards_of_first_rolls
from gnubg_nactation.exports.page.html import format_html, match_view
from gnubg_nactation.exports.post import PostStyle, format_matches, format_position, format_sequence
from gnubg_nactation.exports.sgf import format_sgf
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.exports.text import Judging, format_columns, match_title
from gnubg_nactation.exports.views import (
    View,
    board_view,
    family_view,
    play_option,
    progress_view,
)
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.nacbracs.nacbrac import at_score, name_of_score, parse_score
from gnubg_nactation.playground.library import LIBRARY_ANSWERS
from gnubg_nactation.playground.views import (
    book_view,
    draft_options,
    explanation_view,
    hint_view,
    letter_question_view,
    post_view,
    score_cells_view,
    verdict_view,
    written_view,
)
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.sequences.incremental import read_progress
from gnubg_nactation.sequences.live import Ask, choices, news, plays_of, question
from gnubg_nactation.sequences.openings import openings
from gnubg_nactation.showing import json_text, quoted
from gnubg_nactation.tasks import study, text_field
from gnubg_nactation.tasks.face import Library
from gnubg_nactation.tasks.judging import (
    MAX_BYTES,
    Asked,
    KeptGnubg,
    MatchFile,
    Steps,
    StoppedError,
    analyse_states,
    annotated_file,
    best_plays,
    decide_rolled_out,
    judge_state,
    kept_analyses,
    recall_analyses,
    state_in_text,
    states_to_analyse,
    write_in_full,
)
from gnubg_nactation.tasks.openings import LookedUp, look_up
from gnubg_nactation.tasks.positions import check_position
from gnubg_nactation.tasks.scores import GrowingScores, ScoresSettings
from gnubg_nactation.tasks.settings import from_json, report_view, settings_of
from gnubg_nactation.tasks.transcribing import (
    RulesSettings,
    begin_match,
    correct_turn,
    match_file,
    type_keys,
)
from gnubg_nactation.values import Any, replace

# The engine of the page. Python in the page cannot be interrupted, except by starting it again. So
# a question that takes longer than a step is `unfinished`, and the page asks it again, unless
# something else was typed.

_STEP = 0.03  # seconds: short enough not to delay a key


class _Step(Library):
    """The watch of a step."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = monotonic() + seconds

    def is_stopped(self) -> bool:
        """Whether the step is over."""
        return monotonic() > self._end


@lru_cache(maxsize=1)
def _opened() -> tuple[Steps, CompiledGnubg]:
    steps = Steps(ask)
    return steps, open_in_page(steps.ask)


def _engine(seconds: float | None = None) -> CompiledGnubg:
    """The engine of the page, for a step that begins now. Raises EngineError if there is none."""
    steps, engine = _opened()
    steps.begin(_Step(_STEP if seconds is None else seconds))
    return engine


# The text field


def read_text(text: str) -> View:
    """Read a text as far as possible.

    `turns` are those that can be read, and `state` is the board after them. `options` are all plays
    of the last roll, or the answers to a double; the `token` of an option belongs after `keep`.
    `front` is the length of the position. `error` has a message, its place, and the `possible`
    letters there; `unfinished` means that a token has only begun. `instead` are suggestions, the
    likeliest first. `prose` means that the text is rather a post. Raises MalformedError for a
    wrong position, or if the text is too long.
    """
    return _typed_view(text_field.read_text(text))


def _typed_view(typed: text_field.TypedText) -> View:
    progress, suggestions, is_post = typed
    value = progress_view(progress) | {"front": progress.front}
    value |= {"instead": suggestions} if suggestions else {}
    return value | ({"prose": True} if is_post else {})


def equities(text: str, at: int, plies: int) -> View:
    """The judgement of the turn `at` of a text, or of the state after its last turn.

    `plays` are those of the roll, the best first, each with its equity, its loss and its chances
    in percent: wins, gammons, backgammons, and the opponent's. Without a roll, `actions` are those
    of the cube, the best first, and `chances` and `equity` those of the position. `nacbrac` is the
    text to copy. `unfinished` means that the same question goes on with the work. Raises
    EngineError, and IllegalError if there is nothing to judge.
    """
    engine = _engine()
    state, head = state_in_text(text, at)
    try:
        return hint_view(judge_state(engine, state, plies), head)
    except StoppedError:
        return {"unfinished": 1}


def plays_to_roll_out(text: str, at: int) -> View:
    """The best `plays` of the same turn, each with its name and the engine's `question` about it.

    `unfinished` as in `equities`. Raises EngineError, and IllegalError without a roll to play.
    """
    engine = _engine()
    state, _ = state_in_text(text, at)
    try:
        plays = best_plays(engine, state)
    except StoppedError:
        return {"unfinished": 1}
    names = plays_to_judge(state)
    return {
        "plays": [
            {
                "said": format_play(play),
                "name": str(names.name(play).naming.nactation),
                "question": engine.question_after(state, play, Depth()),
            }
            for play in plays
        ]
    }


def rolled_out(
    text: str,
    at: int,
    settings: tuple[int, int, int],
    results: Sequence[tuple[str, float, float]],
) -> View:
    """The `nacbrac` of a rollout of the plays of the same turn, and `by` whom in words.

    From a thousand games on it has their number as players write it: `[P H76 @79] 1k`. `settings`
    are the games, the rolls of each and the plies of the evaluation after them. `results` has each
    play as `plays_to_roll_out` says it, its equity, and the error of that.
    """
    state, head = state_in_text(text, at)
    trials, truncate, ends = settings
    depth = Depth(trials=trials, truncate=truncate, ends=ends)
    decision = decide_rolled_out(state, depth, results)
    by = decision.source
    if thousands := trials // 1000:
        decision = decision._replace(source=f"{thousands}k")
    return {"nacbrac": f"{head} {nacbrac_text(decision)}".lstrip(), "by": by}


def score_cells(text: str, plies: int, done: int) -> View:
    """The table of scores after a text, as far as it is judged: the cells after the first `done`.

    The page asks again until `done` of the answer is its `total`; see `score_cells_view`. Raises
    EngineError, and IllegalError if there is nothing to decide.
    """
    engine, watch = _engine(), _Step(_STEP)
    state, _ = state_in_text(text, sys.maxsize)
    growing, depth = _growing(state, plies), engine.bot.depth(plies)
    with suppress(StoppedError):
        while not growing.is_complete and not watch.is_stopped():
            growing.grow(engine, depth)
    return score_cells_view(growing, engine.bot.label(depth), done)


@lru_cache(maxsize=4)
def _growing(state: GameState, plies: int) -> GrowingScores:
    return GrowingScores(state, ScoresSettings(plies=plies))


def resolve(text: str) -> View:
    """A sequence whose assumed plays the engine has chosen (section 8), written in full letters.

    `notes` are the choices, each with its reason. `unfinished` as in `equities`.
    """
    try:
        written, notes = write_in_full(_engine(), text)
    except StoppedError:
        return {"unfinished": 1}
    return {"text": written, "notes": notes}


def as_post(text: str, target: str) -> str:
    """A typed text as a post in the markup of a target."""
    progress = read_progress(text)
    if progress.error:
        raise progress.error
    if progress.decoded is None:
        return format_position(progress.start or GameState(), TARGETS[target])
    return format_sequence(progress.decoded, TARGETS[target], PostStyle())


def find_in_post(text: str) -> View:
    """Find the Nactation in a post; see `post_view`."""
    return post_view(text, read_prose(text))


# A board


def board_image(board: str, roll: str, text: str, theme: str, view: int) -> str:
    """The board as SVG, with the arrows of the play, if any; player `view` is at the bottom."""
    state = to_state(board)
    dice = Roll.parse(roll) if roll else None
    play = parse_play(text, state.position, dice) if dice and text else None
    colours: Theme = "dark" if theme == "dark" else "light"
    return board_svg(replace(state, roll=dice), play, theme=colours, view=Player(view), width=1240)


def explain_play(board: str, roll: str, text: str) -> View:
    """Why a play has its Nactations, the preferred one first, and what decides in each family."""
    return explanation_view(Plays(to_state(board).position, Roll.parse(roll)).explain(text))


def play_named(board: str, roll: str, text: str) -> str:
    """The play of a letter or of points (`8/4 6/4`), in traditional notation.

    Raises MalformedError or IllegalError if the text names no play of the roll.
    """
    return format_play(study.find_play(Plays(board, roll), roll, text))


# Letters


def alphabet() -> list[View]:
    """The table of all characters, each with the board and the play of its example."""
    return list(map(family_view, FAMILIES))


def letters(data: bytes, seed: int, count: int, keys: Sequence[str] = ()) -> list[View]:
    """Questions about the letters of plays in a match file, the same for the same seed.

    `keys` are those of the families to ask about; all if there are none.
    """
    questions = study.ask_letters(read(data), random.Random(seed), keys)
    return list(map(letter_question_view, islice(questions, count)))


def check_answer(board: str, roll: str, text: str, answer: str) -> View:
    """Whether an answer is the letter of a play: `preferred`, `right` or `wrong`, and why.

    `would` is the play that a wrong letter names, empty if it names no play of the roll, and
    `clause` says which clause of its definition fails.
    Raises MalformedError for an answer that is no letter of the roll.
    """
    plays = Plays(board, roll)
    return verdict_view(study.judge_letter(plays, plays.explain(text).play, answer))


# Openings


def opening(text: str) -> View:
    """Read a text such as `31P-42` or `31P-42 dmp`, and look up its position in the book.

    The result is that of `read_text` for the sequence, with `book`:

    - `score` is its name, `source` the book's, `xgid` that of the position at the score
    - `rolls` are those that the book has, if no roll is to be played, each with its best plays
    - `plays` are those of the roll to play, the best first; `goes_on` means that the book has the
      position after the play; all other plays lose at least `beyond` thousandths of a point
    - `scores` are all scores that have the roll, or the position, with the best plays of the roll

    A play that is the best at a score, but not for money, `differs`. Raises MalformedError.
    """
    return _opening_view(look_up(text))


def _opening_view(found: LookedUp) -> View:
    state = found.typed.state
    view = _typed_view(found.typed)
    if found.error:
        view["error"] = {"message": found.error}
    rolled_out = found.entry.rolled_out if found.entry else ""
    book = {
        "text": found.sequence,
        "score": name_of_score(found.score),
        "source": rolled_out or shipped_book().label,
        "xgid": at_score(state, found.score).xgid,
        "rolled_out": bool(rolled_out),
    }
    return view | {"book": book | (book_view(found.entry, state) if found.entry else {})}


def training_question(text: str) -> View:
    """A question such as `31P-42 dmp`: the result of `opening`, with the player on roll as White.

    `choices` are the plays to choose from: those of the book, and others that look natural.
    """
    found = look_up(text)
    position, roll = found.typed.state.position, found.typed.state.roll
    if roll is None or not (found.entry and found.entry.plays):
        raise IllegalError(f"{quoted(text)}: the book has no such roll")
    plays = Plays(position, roll)
    rated = [play.choice.play for play in found.entry.plays]
    options = [play_option(play, plays) for play in study.choices_of(plays, rated)]
    options.sort(key=lambda option: str(option["token"]))
    state = at_score(GameState(position, roll=roll), found.score)
    return _opening_view(found) | {"state": board_view(state), "choices": options}


def opening_chart(score: str) -> str:
    """The page with the replies to the usual openings at a score of the book."""
    return chart_page(chart_of_book(shipped_book(), openings(), parse_score(score)))


def opening_cards(token: str, score: str) -> View:
    """The `rows` about the replies to an opening, or the first rolls if `token` is empty.

    They follow `head` in a file for Anki. First rolls have all scores of the book.
    """
    book = shipped_book()
    if token:
        cards = flashcards_of_chart(chart_of_book(book, openings((token,)), parse_score(score)))
    else:
        cards = flashcards_of_first_rolls(book)
    return {"head": simple_head(), "rows": simple_rows(cards)}


# Match files

_MAX_DECISIONS = 4000  # in some ten long matches


def match(data: bytes, plies: int | None = None, kept: Sequence[Any] = ()) -> View:
    """A match file: its title, its steps and summaries, and the problems in it.

    `analysed` is whether the file has an analysis, without which there is no quiz. `kept` are all
    analyses of its decisions at `plies`, if the page has made them.
    """
    if kept and plies is not None:
        _kept.clear()
        _kept[data, plies] = kept
    return _match(_annotated(data, plies))


_kept: dict[tuple[bytes, int], Sequence[Any]] = {}  # those of the match that was opened last


def analyse(data: bytes, plies: int, done: int) -> View:
    """Analyse a match file with the engine of the page, in steps.

    `done` of `total` decisions are analysed, from where the page asks on. After the last step
    comes the analysed file, as `match` returns it. Raises EngineError.
    """
    engine = _engine()
    states = _states(data)
    done = analyse_states(engine, states, plies, done)
    if done < len(states):
        return {"done": done, "total": len(states)}
    return _match(_annotated(data, plies))


def go_on_analysing(data: bytes, plies: int, kept: list[Any]) -> View:
    """Begin or go on to analyse a match file, of whose decisions the first are `kept`.

    `done` of `total` decisions are analysed. Raises EngineError.
    """
    engine = _engine()
    states = _states(data)
    return {"done": recall_analyses(engine, states, plies, kept), "total": len(states)}


def analyse_more(data: bytes, plies: int, done: int, seconds: float) -> View:
    """Analyse more decisions of a match file for some seconds.

    `done` of them are analysed after that, and `kept` are the new ones, for `go_on_analysing`.
    Raises EngineError.
    """
    engine = _engine(seconds)
    states = _states(data)
    now = analyse_states(engine, states, plies, done)
    return {"done": now, "kept": kept_analyses(engine, states[done:now], plies)}


def _match(file: MatchFile) -> View:
    matches = [annotated for _, annotated in file]
    titles = [match_title(annotated.match) for annotated in matches]
    return {
        "title": titles[0] if len(titles) == 1 else f"{len(titles)} matches",
        **match_view(matches),
        "analysed": any(total.is_analysed for match in matches for total in totals(match)),
        "remarks": [remark for match in matches for remark in remarks_on(match)],
    }


def export_match(data: bytes, form: str, plies: int | None = None) -> str:
    """A match file as `sgf`, `text`, `html`, or the post for a target, in base64.

    With `plies` it has the analysis by the engine of the page, and the errors.
    """
    file, errors = _annotated(data, plies), plies is not None
    match form:
        case "sgf":
            data = b"".join(
                format_sgf(match, source.record, errors=errors) for source, match in file
            )
        case "html":
            data = format_html([match for _, match in file]).encode()
        case "text":
            judging = Judging(plays=True)  # as on the command line
            data = "\n".join(
                format_columns(match, errors=errors, judging=judging) for _, match in file
            ).encode()
        case _:
            style = PostStyle(errors=errors)
            data = format_matches([match for _, match in file], TARGETS[form], style).encode()
    return binascii.b2a_base64(data, newline=False).decode()


@lru_cache(maxsize=1)
def _states(data: bytes) -> list[Asked]:
    """All states of a match file that are analysed."""
    states = states_to_analyse(_annotated(data))
    if len(states) > _MAX_DECISIONS:
        raise EngineError(f"{len(states)} decisions; this page analyses up to {_MAX_DECISIONS}")
    return states


@lru_cache(maxsize=2)  # a match is saved after its page was shown
def _annotated(data: bytes, plies: int | None = None) -> MatchFile:
    if len(data) > MAX_BYTES:
        size, limit = len(data) / 1e6, MAX_BYTES // 10**6
        raise MalformedError(f"a file of {size:.0f} MB; this page reads up to {limit} MB")
    if plies is None:
        return annotated_file(data)
    kept = _kept.get((data, plies))
    return annotated_file(data, KeptGnubg(data, kept) if kept else _engine(inf), plies)


# A match to write down


def new_match(names: list[str], length: int, rules: dict[str, bool], details: str) -> str:
    """The sheet of a match that is to be written; `length` 0 is a money session.

    `rules` are RulesSettings; `details` are a date, an event and a place, or empty.
    Raises MalformedError for names that a sheet cannot hold.
    """
    first, second = names
    settings = from_json(RulesSettings, rules)
    return draft_text(begin_match((first, second), length, settings, details))


def write_match(sheet: str, keys: str, at: int | None = None) -> View:
    """The match after keys that were typed since the sheet was written, or that correct a turn.

    `sheet` is the sheet after them, `question` and `choices` are what can be typed next, and
    `options` the plays of the roll, whose `token` has the keys that take it. `note` explains a
    wrong key. `news` is the last turn in words, and `pending` has the keys of the turn begun. With
    `rolls` dice are expected. `games` and `turns` as in `written_view`.

    With `at`, the keys replace the turn of that number. It `is_open` until the new turn is
    complete; then `lost` counts the turns after it that are not possible any more.
    """
    if at is None:
        draft = whole = type_keys(sheet, keys)
        view = written_view(draft)
    else:
        draft, is_open, lost = correct_turn(sheet, at, keys)
        whole = type_keys(sheet, "") if is_open else draft
        view = written_view(whole, at if is_open else None) | {"is_open": is_open, "lost": lost}
    return view | {
        "sheet": draft_text(whole),
        "board": board_view(draft.state) | {"players": list(draft.match.players)},
        "question": question(draft),
        "note": draft.note,
        "news": news(draft),
        "pending": draft.pending,
        "choices": [list(choice) for choice in choices(draft)],
        "options": _options(plays_of(draft.state)) if draft.choices else [],
        "rolls": draft.ask in {Ask.OPENING, Ask.ROLL},
    }


_options = lru_cache(maxsize=8)(draft_options)


def plain(task: Any) -> Callable[..., Any]:
    """The answer of a task: settings come as a JSON object, and the report goes as one."""
    kind = settings_of(task)

    def answer(*values: Any) -> Any:
        arguments = (*values[:-1], from_json(kind, values[-1])) if kind else values
        return report_view(task(*arguments))

    return answer


TASKS = {
    "recognise": text_field.recognise,
    "check_position": check_position,
    "training_questions": study.ask_openings,
    "save_match": match_file,
}
ANSWERS: dict[str, Callable[..., Any]] = {
    answer.__name__: answer
    for answer in (
        read_text,
        explain_play,
        equities,
        plays_to_roll_out,
        rolled_out,
        score_cells,
        resolve,
        as_post,
        board_image,
        match,
        analyse,
        go_on_analysing,
        analyse_more,
        export_match,
        find_in_post,
        alphabet,
        letters,
        check_answer,
        new_match,
        write_match,
        opening,
        training_question,
        play_named,
        opening_chart,
        opening_cards,
        *LIBRARY_ANSWERS,
    )
} | {name: plain(task) for name, task in TASKS.items()}


def handle(name: str, arguments: str, data: bytes = b"") -> str:
    """Call a function of ANSWERS; returns JSON: `{"value": ...}` or `{"error": message}`.

    `arguments` is a JSON list; `data`, if there is any, is the argument before them. Never raises.
    """
    reply: dict[str, Any]
    try:
        reply = {"value": ANSWERS[name](*([data] if data else []), *json.loads(arguments))}
    except NactationError as error:
        reply = {"error": str(error)}
    except (MemoryError, RecursionError):
        reply = {"error": "this needs more memory than a page has"}
    except Exception as error:  # a bug: report its place
        at = traceback.extract_tb(error.__traceback__)[-1]
        reply = {"error": f"internal error at {at.name}, line {at.lineno}: {error!r}"[:500]}
    return json_text(reply, close=True)
