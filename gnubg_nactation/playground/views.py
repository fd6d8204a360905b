"""The JSON of the page's answers that no command has; exports/views.py has the rest."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from gnubg_nactation.backgammon.analysis import in_prose
from gnubg_nactation.backgammon.match import Move, Turn
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import PLAYER_NAMES, GameState
from gnubg_nactation.decisions.decision import decisions_of, nacbrac_of, nacbrac_text
from gnubg_nactation.decisions.scores import Place, ScoreTable
from gnubg_nactation.decisions.severity import thousandths
from gnubg_nactation.exports.scores import (
    Letter,
    labels,
    labels_of,
    letter_lines,
    reference_lines,
    shade_of,
    shown_cell,
    summary,
)
from gnubg_nactation.exports.text import result
from gnubg_nactation.exports.views import (
    View,
    action_step,
    board_view,
    choice_step,
    entry_step,
    look_view,
    play_option,
    signed,
    turn_step,
)
from gnubg_nactation.files.copied import Copied
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.language.ranking_reasons import Explanation
from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac, actions_of, describe_score, name_of_score
from gnubg_nactation.prose.page import LONGEST, Finding
from gnubg_nactation.sequences.decode import Decoded
from gnubg_nactation.sequences.drill import Answer
from gnubg_nactation.sequences.live import (
    Draft,
    by_nature,
    keys_of_name,
    turn_text,
    turns_by_game,
)
from gnubg_nactation.sequences.moves import sequence
from gnubg_nactation.tasks.judging import Hint
from gnubg_nactation.tasks.openings import OF_OPPONENT, BookEntry, BookPlay
from gnubg_nactation.tasks.scores import FIRST_DECISIONS, GrowingScores
from gnubg_nactation.tasks.study import LetterQuestion, LetterVerdict
from gnubg_nactation.values import Any
from gnubg_nactation.writing.markup import read_markup

# Letters


def letter_question_view(asked: LetterQuestion) -> View:
    """A question with several letters, only one of which is right."""
    play = asked.question.play
    return {
        **board_view(GameState(play.before, roll=play.roll)),
        "said": format_play(play),
        "choices": [look_view(Nactation(family)) for family in asked.families],
        "right": asked.question.name.family.key,
    }


def verdict_view(verdict: LetterVerdict) -> View:
    """Whether an answer is the letter of a play, and why."""
    value = {
        "verdict": verdict.answer.value,
        "names": list(map(look_view, verdict.names)),
        "explanation": verdict.explanation,
    }
    if verdict.answer is Answer.WRONG:
        play = format_play(verdict.play) if verdict.play else ""
        value |= {"would": play, "clause": verdict.clause}
    return value


def explanation_view(explanation: Explanation) -> View:
    """The Nactations of a play, the preferred one first, and what decides in each family."""
    return {
        "said": format_play(explanation.play),
        "reason": explanation.reason,
        "order": explanation.order,
        "names": [
            {
                "look": look_view(name.naming.nactation),
                "word": name.family.word,
                "right": name.naming.right.value,
                "meaning": name.family.meaning,
                "note": name.note,
                "member": name.naming.nactation.member,
                "size": name.size,
                "rule": name.rule,
                "members": [
                    {
                        "look": look_view(member.nactation),
                        "said": format_play(member.play),
                        "why": str(member.decision) if member.decision else "",
                    }
                    for member in name.members
                ],
            }
            for name in explanation.nactations
        ],
    }


# Openings


def book_view(entry: BookEntry, state: GameState) -> View:
    """What the book has in a position, or about the roll of the state."""
    has_roll = state.roll is not None
    scores = [
        _score_view(state, score) | ({"plays": _book_plays(plays)} if has_roll else {})
        for score, plays in entry.scores.items()
    ]
    if has_roll:
        return {"plays": _book_plays(entry.plays), "beyond": entry.beyond, "scores": scores}
    rolls = [{"roll": str(roll), "plays": _book_plays(it)} for roll, it in entry.rolls.items()]
    return {"rolls": rolls, "scores": scores}


def _score_view(state: GameState, score: str) -> View:
    player = f" for {PLAYER_NAMES[state.player]}" if score in OF_OPPONENT else ""
    words = describe_score(score).capitalize() + player
    return {"score": name_of_score(score), "words": words}


def _book_plays(plays: Sequence[BookPlay]) -> list[View]:
    """The plays of the book, each with its equity and loss; `mills` are thousandths of a point."""
    views = []
    for at, (choice, goes_on, differs) in enumerate(plays):
        assert choice.name is not None
        view: View = {
            "look": look_view(choice.name),
            "said": choice.text,
            "token": str(choice.name),
            "equity": signed(choice.equity or 0.0),
            "loss": signed(-choice.loss) if at and choice.loss is not None else "",
            "mills": thousandths(choice.loss),
        }
        view |= {"differs": True} if differs else {}
        views.append(view | ({"goes_on": True} if goes_on else {}))
    return views


# Hints


def hint_view(hint: Hint, head: str) -> View:
    """The plays or cube actions with their equities; `head` comes before the nacbrac."""
    level, decision, ranked, evaluation = hint
    view: View = {"level": level}
    if decision:
        view["nacbrac"] = f"{head} {nacbrac_text(decision)}".lstrip()
    if evaluation:
        view |= {
            "chances": _percent(evaluation.chances),
            "equity": signed(evaluation.cubeful),
        }
        if decision:
            view["actions"] = [
                [
                    choice.text.capitalize(),
                    signed(choice.equity or 0.0),
                    _lost(choice.loss or 0.0),
                ]
                for choice in decision.choices
            ]
        return view
    best, _ = ranked[0]
    view["plays"] = [
        {
            "said": format_play(play.play),
            "equity": signed(play.equity),
            "loss": _lost(max(0.0, best.equity - play.equity)),
            "chances": _percent(chances),
            "level": "" if play.method == best.method else play.method,
        }
        for play, chances in ranked
    ]
    return view


def _lost(loss: float) -> str:
    """A loss with a real minus; empty if it is .000, which the page takes for right."""
    return signed(-loss) if thousandths(loss) else ""


def _percent(chances: Sequence[float]) -> list[str]:
    return [f"{100 * chance:.1f}" for chance in chances]


# Scores


def score_cells_view(growing: GrowingScores, level: str, done: int) -> View:
    """A table of scores so far: its `labels`, and the `cells` after the first `done` decisions.

    `letters` are those of the cells, each with its play. Letters of the cube are texts.
    """
    view: View = {"done": len(growing.decisions), "total": growing.total, "level": level}
    if view["done"] < FIRST_DECISIONS:
        return view | {"labels": [], "cells": [], "letters": [], "lines": []}
    table = growing.table(level)
    new = growing.order[
        max(done, FIRST_DECISIONS) - FIRST_DECISIONS : view["done"] - FIRST_DECISIONS
    ]
    lines = reference_lines(table)
    return view | {
        "labels": labels(growing.grid),
        "cells": [_score_cell_view(table, place) for place in new],
        "letters": [
            [_letter_view(letter), words, times] for letter, words, times in letter_lines(table)
        ],
        "lines": [summary(table), *lines] if growing.is_complete else lines,
    }


def _score_cell_view(table: ScoreTable, place: Place) -> View:
    cell = shown_cell(table, place)
    row, column = labels_of(place)
    return {
        "at": [row, column],
        "letters": list(map(_letter_view, cell.letters)),
        "shade": shade_of(cell),
        "differs": cell.differs,
        "here": cell.here,
        "words": cell.words,
    }


def _letter_view(letter: Letter) -> View:
    return look_view(letter.name) if letter.name else {"name": letter.text, "text": letter.text}


# Matches


def draft_options(plays: Plays) -> list[View]:
    """The plays of a roll, the most natural first; `token` has the keys that take one."""
    listed = by_nature(plays)
    names = [plays.name(play).naming.nactation for play in listed]
    return [
        play_option(play, plays) | {"token": keys_of_name(name)}
        for play, name in zip(listed, names, strict=True)
    ]


def written_view(draft: Draft, at: int | None = None) -> View:
    """The turns of a match that is being written, and its `games`.

    `turns` are those of the game of turn `at`, else of the last game that has any; `first` is the
    number of the first of them, counted over all games. A game has its title, its result and the
    number of its first turn.
    """
    games = turns_by_game(draft)
    firsts = list(accumulate(map(len, games), initial=0))
    shown = max(bisect_right(firsts, firsts[-1] - 1 if at is None else at) - 1, 0)
    match = draft.recorded
    return {
        "games": [
            [f"Game {game.number}", result(match, game) if game.winner is not None else "", first]
            for game, first in zip(match.games, firsts, strict=False)
        ],
        "first": firsts[shown],
        "turns": list(map(_written_turn, games[shown])) if games else [],
    }


@lru_cache(maxsize=512)
def _written_turn(turn: Turn) -> View:
    assert turn.state is not None
    view = board_view(turn.state) | {"player": int(turn.action.player), "sure": "sure"}
    words = turn_text(turn, ("", "")).partition(" ")[2]
    if not isinstance(turn.action, Move):
        return view | {"token": words, "cube": 1}
    roll = str(turn.action.roll)
    if turn.play is None:
        return view | {"token": roll, "reading": "not played" if turn.plays else "no play"}
    plays = Plays.of(turn.plays)
    look = {"look": look_view(plays.name(turn.play).naming.nactation)} if len(plays) > 1 else {}
    return view | look | {"token": roll, "said": format_play(turn.play)}


# Posts

_MAX_FINDINGS = 500


def post_view(text: str, findings: Sequence[Finding]) -> View:
    """The findings in a post, and its text without markup, cut at them.

    `pieces` are strings, and pairs of a string and a finding's number. `more` counts the findings
    after the last one listed.
    """
    glyphs = read_markup(text, longest=LONGEST)
    places = [glyph.at for glyph in glyphs]
    bare = "".join(glyph.character for glyph in glyphs)
    pieces: list[Any] = []
    at = 0
    for number, finding in enumerate(findings[:_MAX_FINDINGS]):
        first, last = bisect_left(places, finding.start), bisect_left(places, finding.end)
        if at <= first < last:
            pieces += [bare[at:first], [bare[first:last], number]]
            at = last
    return {
        "pieces": [*pieces, bare[at:]],
        "findings": list(map(_finding_view, findings[:_MAX_FINDINGS])),
        "more": max(0, len(findings) - _MAX_FINDINGS),
    }


def _analysis_view(copied: Copied) -> View:
    """The plays and cube actions of an analysis, and the user's note."""
    view: View = {"turns": []}
    for decision in decisions_of(copied):
        nacbrac = nacbrac_of(decision)
        if isinstance(nacbrac, CubeNacbrac):
            before = decision.state.before_double
            view["turns"] += [action_step(before, action) for action in actions_of(nacbrac)]
        else:
            view["turns"] += [choice_step(decision.state, choice) for choice in decision.choices]
    if copied.state:
        view |= {"state": board_view(copied.state), "link": copied.state.xgid}
    note = " / ".join(filter(None, (*copied.note.splitlines(), *copied.problems)))
    return view | ({"note": note} if note else {})


def _link(decoded: Decoded) -> str:
    """What shows a sequence on the Board, which reads today's letters: it may have older ones."""
    if not decoded.parsed.dialect.usages:
        return f"{decoded.start_name} {decoded.sequence}".lstrip()
    if any(turn.token.roll is None for turn in decoded.turns):  # its roll would be another
        return decoded.state.xgid
    return f"{decoded.start_name} {sequence(decoded.turns)}".lstrip()


def _finding_view(finding: Finding) -> View:
    value: View = {
        "kind": finding.kind.value,
        "text": finding.text,
        "sure": finding.sure.value,
        "line": finding.line,
        "place": [finding.start, finding.end],
        "turns": [],
    }
    if note := "; ".join(filter(None, (finding.words, finding.note))):
        value["note"] = note
    if finding.error:
        value["error"] = finding.trouble
    if decoded := finding.decoded:
        value["turns"] = list(map(turn_step, decoded.turns))
        value["state"] = board_view(decoded.state)
        value["link"] = _link(decoded)
    if finding.copied:
        return value | _analysis_view(finding.copied)
    nacbrac = finding.nacbrac
    claimed = finding.claim and finding.claim.state
    if state := finding.state or (nacbrac and nacbrac.state) or claimed:
        value |= {"state": board_view(state), "link": state.xgid}
    if nacbrac:
        value["turns"] = [entry_step(nacbrac.state, entry) for entry in nacbrac.entries]
    if finding.cube and state:
        value["turns"] = [action_step(state, action) for action in actions_of(finding.cube)]
    elif finding.cube:
        value["note"] = ", ".join(filter(None, (in_prose(finding.cube.best), finding.note)))
    return value
