"""A table of scores as text, CSV, JSON, a page and a picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from gnubg_nactation.backgammon.analysis import in_prose
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.decisions.decision import Choice, Decision
from gnubg_nactation.decisions.scores import (
    CLOSE,
    MAX_LETTERS,
    Kind,
    Place,
    ScoreTable,
    close_choices,
    is_close,
    kind_of,
    kinds_of,
    lead_of,
    plays_shown,
)
from gnubg_nactation.decisions.severity import points
from gnubg_nactation.exports.board import HEIGHT, PALETTES, WIDTH, Theme, board_svg, width_of
from gnubg_nactation.exports.card import FONT, spell_svg
from gnubg_nactation.exports.page.document import (
    REPORT_CSS,
    board_colours,
    design,
    document,
    glyph,
    logo,
    plain_board,
    safe_text,
    themed,
)
from gnubg_nactation.exports.spreadsheet import csv_text
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.nacbracs.nacbrac import cube_nacbrac_of, describe_score, score_of
from gnubg_nactation.showing import counted, json_line, rounded
from gnubg_nactation.values import Any, NamedTuple
from gnubg_nactation.writing.spelling import escape
from gnubg_nactation.writing.terminal import shaded

_LEVELS = (CLOSE, 0.025, 0.05, 0.1)  # points; leads above each get a stronger colour
_MOSTLY = 0.7  # of the scores of a play, for the sentence
_DIFFERS = "*"
_CUBE = {
    "no double, take": ("N", "no double"),
    "double, take": ("D", "double, take"),
    "double, pass": ("P", "double, pass"),
    "no double, pass": ("G", "too good to double"),
}
_REDOUBLE = {"N": "X", "D": "R"}


class Letter(NamedTuple):
    """A letter of a cell: a Nactation, or a letter for actions of the cube."""

    text: str
    name: Nactation | None = None

    def spelled(self, spell: Callable[[Nactation], str], escape: Callable[[str], str]) -> str:
        """The letter in markup."""
        return spell(self.name) if self.name else escape(self.text)


class Shown(NamedTuple):
    """What a cell shows: its letters, the level of its lead, 0 to 4, and its decision in words.

    It `differs` if the best is not that for money, and is `here` at the score in force.
    """

    letters: tuple[Letter, ...]
    level: int = 0
    differs: bool = False
    here: bool = False
    words: str = ""

    @property
    def text(self) -> str:
        """The letters, with an asterisk if the best is not that for money."""
        return "".join(letter.text for letter in self.letters) + _DIFFERS * self.differs


_NO_CUBE = Letter("-")


def shown_cell(table: ScoreTable, place: Place) -> Shown:
    """What the cell of a place shows."""
    decision = table.cells[place]
    if not decision.choices:
        return Shown((_NO_CUBE,), words=f"{_at(place)}: no double is possible")
    lead = _clearness(decision)
    return Shown(
        _letters(decision)[:MAX_LETTERS],
        sum(round(lead, 3) > level for level in _LEVELS),
        table.differs(decision),
        place == table.here,
        f"{_at(place)}: {_verdict(decision)}",
    )


def _at(place: Place) -> str:
    return describe_score(place.score)


def _letters(decision: Decision) -> tuple[Letter, ...]:
    """The letter of the best choice, and those of the choices that are close to it."""
    if decision.cube is None:
        names = [choice.name for choice in close_choices(decision)]
        return tuple([Letter(str(name), name) for name in names if name])
    best = decision.cube.best
    action, _, answer = best.rpartition(", ")
    error, answer_error = _cube_errors(decision)
    words = [best]
    if is_close(error):
        words.append(f"{'no double' if action == 'double' else 'double'}, {answer}")
    if is_close(answer_error) and action == "double":
        words.append(f"{action}, {'take' if answer == 'pass' else 'pass'}")
    return tuple([Letter(_cube_letter(decision, each)) for each in words])


def _cube_letter(decision: Decision, actions: str) -> str:
    letter, _ = _CUBE[actions]
    return _REDOUBLE.get(letter, letter) if decision.state.owner is not None else letter


def _cube_errors(decision: Decision) -> tuple[float, float]:
    """What the wrong action and the wrong answer lose, in points."""
    nacbrac = decision.cube and cube_nacbrac_of(decision.cube, redouble=False)
    return (nacbrac.error or 0.0, nacbrac.answer_error or 0.0) if nacbrac else (0.0, 0.0)


def _clearness(decision: Decision) -> float:
    """The lead; of a double the smaller one of its two decisions."""
    if decision.cube is None:
        return lead_of(decision) or 0.0
    error, answer_error = _cube_errors(decision)
    return min(error, answer_error) if decision.cube.best.startswith("double") else error


def _kind_name(decision: Decision) -> str:
    """The best choice in a sentence: `P`, `no double`."""
    if decision.cube is None:
        return _letters(decision)[0].text
    words = _CUBE[decision.cube.best][1]
    return in_prose(_redoubled(words) if decision.state.owner is not None else words)


def _redoubled(words: str) -> str:
    return words.replace("double", "redouble")


def _verdict(decision: Decision) -> str:
    """The best choice and its lead: `P 8/5 6/5, by .081`."""
    if not decision.choices:
        return "no double is possible"
    lead, play = lead_of(decision), decision.choices[0].play
    by = "" if lead is None else f", by {points(lead)[1:]}"
    return f"{_kind_name(decision)}{f' {format_play(play)}' if play else ''}{by}"


def summary(table: ScoreTable) -> str:
    """A sentence, such as `H at 22 scores, mostly when you trail; P elsewhere`."""
    kinds = kinds_of(table)
    if not kinds:
        return "No double is possible at any score."
    main, *others = kinds
    name = _kind_name(main.decision)
    parts = [_kind_words(kind) for kind in others]
    parts.append(f"{name} elsewhere" if others else f"{name} at every score")
    money = table.money
    if money.choices and kind_of(money) not in {kind_of(kind.decision) for kind in kinds}:
        parts.append(f"{_kind_name(money)} for money")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _kind_words(kind: Kind) -> str:
    name, scores = _kind_name(kind.decision), kind.places
    if len(scores) == 1:
        return f"{name} at {_named(scores[0])}"
    return f"{name} at {len(scores)} scores{_when(scores)}"


def _named(place: Place) -> str:
    """The score of a place in a sentence: `DMP`, `-2-1C`."""
    return "DMP" if place == Place(1, 1) else place.score


_GROUPS: dict[str, Callable[[Place], bool]] = {
    "in the Crawford game": lambda place: place.crawford,
    "after the Crawford game": lambda place: (
        not place.crawford and (place.away == 1) != (place.opponent_away == 1)
    ),
    "when you trail": lambda place: place.away > place.opponent_away,
    "when you lead": lambda place: place.away < place.opponent_away,
}


def _when(scores: Sequence[Place]) -> str:
    shares = {words: sum(map(has, scores)) / len(scores) for words, has in _GROUPS.items()}
    for words, share in shares.items():
        if share == 1:
            return f", all {words}"
    for words, share in shares.items():
        if share >= _MOSTLY:
            return f", mostly {words}"
    return ""


# Rows and columns


def labels(places: Collection[Place]) -> list[str]:
    """The labels of rows and columns: `1C` for the Crawford game, `1` to the last."""
    crawford = ["1C"] if any(place.crawford for place in places) else []
    away = max(place.away for place in places)
    return [*crawford, *(str(number) for number in range(1, away + 1))]


def labels_of(place: Place) -> tuple[str, str]:
    """The labels of the row and the column of a place."""
    own, other = (
        f"{away}{'C' * (place.crawford and away == 1)}"
        for away in (place.away, place.opponent_away)
    )
    return own, other


def place_at(row: str, column: str) -> Place | None:
    """The place in a row and a column; None if there is none."""
    crawford = "1C" in {row, column}
    own, other = (int(label.removesuffix("C")) for label in (row, column))
    if crawford and own == other:
        return None
    return Place(own, other, crawford)


def title_of(table: ScoreTable) -> str:
    """The heading: `Best play of 31 at each score, gnubg 2-ply`."""
    roll = table.state.roll
    what = f"Best play of {roll}" if roll else "Cube action"
    return f"{what} at each score, {table.level}"


def reference_lines(table: ScoreTable) -> list[str]:
    """The decisions next to the table, and what is best: `DMP: P, by .010`."""
    jacoby = " with Jacoby" * table.money.state.jacoby
    return [f"Money{jacoby}: {_verdict(table.money)}", f"DMP: {_verdict(table.dmp)}"]


def legend(table: ScoreTable) -> str:
    """What the marks mean."""
    crawford = "; 1C: the Crawford game" if "1C" in labels(table.cells) else ""
    return (
        f"Rows: points you need; columns: points the opponent needs{crawford}. "
        f"{_DIFFERS} not as for money. Two letters: within {points(CLOSE)[1:]}."
    )


def letter_lines(table: ScoreTable) -> list[tuple[Letter, str, str]]:
    """Each letter of the table, what it stands for, and at how many scores it is best."""
    counts = {kind_of(kind.decision): len(kind.places) for kind in kinds_of(table)}
    if not table.about_cube:
        return [
            (Letter(str(choice.name), choice.name), choice.text, _times(counts.get(choice.play, 0)))
            for choice in plays_shown(table)
            if choice.name
        ]
    decisions = [each for each in (table.money, *table.cells.values()) if each.choices]
    used = {letter.text for decision in decisions for letter in _letters(decision)}
    lines = []
    for actions, (_, words) in _CUBE.items() if decisions else ():
        letter = _cube_letter(decisions[0], actions)
        if letter in used:
            text = _redoubled(words) if table.state.owner is not None else words
            lines.append((Letter(letter), in_prose(text), _times(counts.get(actions, 0))))
    return lines


def _times(count: int) -> str:
    return f"best at {counted(count, 'score')}" if count else "close"


# Text


def scores_text(table: ScoreTable, *, shades: bool = False) -> str:
    """The table as text; with `shades`, leads as background colours of a terminal."""
    names = labels(table.cells)
    cells = {
        (row, column): shown_cell(table, place)
        for row in names
        for column in names
        if (place := place_at(row, column))
    }
    texts = {at: f"[{cell.text}]" if cell.here else cell.text for at, cell in cells.items()}
    width = max(map(len, (*texts.values(), *names))) | 1  # odd, so that single letters are centred
    lines = [title_of(table), summary(table), ""]
    lines += reference_lines(table)
    lines += ["", " " * 5 + "".join(f" {name:^{width}}" for name in names).rstrip()]
    for row in names:
        line = f"  {row:>2} "
        for column in names:
            at = (row, column)
            text = f"{texts.get(at, ''):^{width}}"
            if shades and at in cells:
                text = shaded(text, cells[at].level, other=cells[at].differs)
            line += f" {text}"
        lines.append(line.rstrip())
    lines += ["", legend(table), ""]
    rows = letter_lines(table)
    wide = max((len(letter.text) for letter, _, _ in rows), default=0)
    text_width = max((len(words) for _, words, _ in rows), default=0)
    lines += [
        f"  {letter.text:{wide}}  {words:{text_width}}  {times}" for letter, words, times in rows
    ]
    return "".join(f"{line}\n" for line in lines)


# CSV and JSON


def scores_csv(table: ScoreTable) -> str:
    """A row for each score, first those for money and DMP; leads are in points."""
    rows: list[Sequence[object]] = [
        ("player_away", "opponent_away", "crawford", "best", "play", "lead", "close", "differs")
    ]
    entries: list[tuple[Sequence[object], Decision]] = [(("money", "", ""), table.money)]
    entries += [
        ((place.away, place.opponent_away, int(place.crawford)), decision)
        for place, decision in table.cells.items()
    ]
    for head, decision in entries:
        view = _decision_view(table, decision)
        close = " ".join(letter.text for letter in _letters(decision)[1:]) if view["best"] else ""
        what = view.get("play", view.get("actions"))
        rows.append((*head, view["best"], what, view["lead"], close, int(view["differs"])))
    return csv_text(rows)


def scores_json(table: ScoreTable) -> str:
    """The table as a line of JSON."""
    return json_line(scores_view(table))


def scores_view(table: ScoreTable) -> dict[str, Any]:
    """The table as one JSON object; equities and leads are in points."""
    state = table.state
    counts = {kind_of(kind.decision): len(kind.places) for kind in kinds_of(table)}
    view: dict[str, Any] = {
        "position_id": format_position_id(state.position),
        "xgid": format_xgid(state),
        "roll": str(state.roll) if state.roll else None,
        "level": table.level,
        "score": score_of(state),
        "summary": summary(table),
        "money": _decision_view(table, table.money),
        "dmp": _decision_view(table, table.dmp),
        "cells": [
            {
                "player_away": place.away,
                "opponent_away": place.opponent_away,
                "crawford": place.crawford,
                **_decision_view(table, decision),
            }
            for place, decision in table.cells.items()
        ],
    }
    if not table.about_cube:
        view["plays"] = [
            {
                "nactation": str(choice.name),
                "play": choice.text,
                "scores": counts.get(choice.play, 0),
            }
            for choice in plays_shown(table)
        ]
    return view


def _decision_view(table: ScoreTable, decision: Decision) -> dict[str, Any]:
    """The best choice, its lead, and what is close; `best` is None if no double is possible."""
    cube, choices = decision.cube, decision.choices
    if table.about_cube:
        error, answer_error = _cube_errors(decision)
        return {
            "best": _letters(decision)[0].text if cube else None,
            "actions": cube.best if cube else None,
            "lead": rounded(error) if cube else None,
            "answer_lead": rounded(answer_error) if cube else None,
            "differs": table.differs(decision),
        }
    best = choices[0]
    return {
        "best": str(best.name),
        "play": best.text,
        "lead": rounded(lead_of(decision)),
        "equity": rounded(best.equity),
        "close": [_close_view(choice) for choice in close_choices(decision)[1:]],
        "differs": table.differs(decision),
    }


def _close_view(choice: Choice) -> dict[str, Any]:
    return {"nactation": str(choice.name), "play": choice.text, "loss": rounded(choice.loss)}


# A page

_SHADES = {
    "same": (
        ("#f1f0ea", "#262b31"),
        ("#e0f0e4", "#1d3326"),
        ("#c2e3cb", "#1f4a30"),
        ("#98d1a9", "#225c39"),
        ("#6cbb84", "#22703f"),
    ),
    "other": (
        ("#f1f0ea", "#262b31"),
        ("#fdeccf", "#3d2f14"),
        ("#fbd9a3", "#574014"),
        ("#f6bf6f", "#6e5012"),
        ("#eda33f", "#86600f"),
    ),
}
_PAIRS = {f"{kind}{at}": pair for kind, pairs in _SHADES.items() for at, pair in enumerate(pairs)}
_RULES = "".join(f".{name}{{background:var(--{name})}}\n" for name in _PAIRS)
_SCORES_CSS = f"""\
{_RULES}.scores{{border-collapse:separate;border-spacing:2px}}
.scores th{{color:var(--soft);font-weight:500;padding:.1rem .25rem;text-align:center;
white-space:nowrap}}
.scores td{{min-width:2.2rem;height:2.2rem;padding:0 .15rem;text-align:center;white-space:nowrap;
border-radius:.3rem}}
.scores .here{{outline:2px solid var(--ink);outline-offset:0}}
.scores .void{{background:none}}
@media(max-width:40rem){{.scores{{font-size:.8rem}}.scores td{{min-width:1.85rem;padding:0}}
.scores th{{padding:.1rem}}}}
"""


def scores_style() -> str:
    """The style of tables of scores, light or dark like the page."""
    return themed(_PAIRS) + _SCORES_CSS


_PAGE_CSS = """\
.wide{overflow-x:auto}
main{display:grid;gap:0 2rem;grid-template-columns:minmax(0,26rem) minmax(0,1fr);align-items:start}
.intro,.foot{grid-column:1/-1}
.intro p,.foot p{margin:.2rem 0}
.board svg{display:block;width:100%;height:auto}
dl{display:grid;grid-template-columns:auto 1fr auto;gap:.2rem .8rem;
margin:.8rem 0;align-items:baseline}
dd{margin:0}
dd+dd{color:var(--soft)}
@media(max-width:60rem){main{grid-template-columns:minmax(0,1fr)}.board{max-width:26rem}}
@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}.wide{overflow:visible}}
"""
_BODY = """\
<header>{logo}<h1>{title}</h1></header>
<main>
<div class="intro"><p>{summary}</p>
<p>{references}</p></div>
<div class="board">{board}
<dl>
{letters}
</dl></div>
<div class="wide" tabindex="0" role="region" aria-label="Scores">
{table}
</div>
<div class="foot"><p>{legend} A stronger colour is a larger lead.</p></div>
</main>"""


def scores_page(table: ScoreTable) -> str:
    """The page, with the board, the table, and the plays that its letters stand for."""
    title = title_of(table)
    best = table.money.choices[0].play if table.money.choices else None
    body = _BODY.format(
        logo=logo(),
        title=safe_text(title),
        summary=safe_text(summary(table)),
        references=safe_text(f"{'. '.join(reference_lines(table))}."),
        board=plain_board(table.state, best),
        letters="\n".join(
            f"<dt>{_html(letter)}</dt><dd>{safe_text(words)}</dd><dd>{safe_text(times)}</dd>"
            for letter, words, times in letter_lines(table)
        ),
        table=html_table(table),
        legend=safe_text(legend(table)),
    )
    css = design() + REPORT_CSS + board_colours() + scores_style() + _PAGE_CSS
    return document(title, css, body)


def html_table(table: ScoreTable) -> str:
    """The table as HTML, for `scores_style`."""
    names = labels(table.cells)
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    rows = [
        f'<tr><th scope="row">{row}</th>'
        + "".join(_html_cell(table, place_at(row, column)) for column in names)
        + "</tr>"
        for row in names
    ]
    corner = '<th scope="col"><span class="unseen">You need</span></th>'
    body = "\n".join(rows)
    return (
        f'<table class="scores">\n<thead><tr>{corner}{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table>"
    )


def _html_cell(table: ScoreTable, place: Place | None) -> str:
    if place is None:
        return '<td class="void"></td>'
    cell = shown_cell(table, place)
    letters = "".join(map(_html, cell.letters)) + _DIFFERS * cell.differs
    here = " here" * cell.here
    return f'<td class="{shade_of(cell)}{here}" title="{safe_text(cell.words)}">{letters}</td>'


def _html(letter: Letter) -> str:
    return letter.spelled(lambda name: glyph(str(name)), safe_text)


def shade_of(cell: Shown) -> str:
    """The class of a cell in `scores_style`."""
    return f"{'other' if cell.differs else 'same'}{cell.level}"


# A picture

_PICTURE = 1200, 630
_BOARD = 54, 20, 440  # left, top, width
_GRID = 570, 44, 606, 546  # left, top, width, height
_SIZE = 22


def scores_svg(table: ScoreTable, *, theme: Theme = "light") -> str:
    """The board, the table and its letters as a picture of 1,200 by 630."""
    theme = "dark" if theme == "dark" else "light"
    palette = PALETTES[theme]
    left, top, wide = _BOARD
    tall = round(wide * HEIGHT / WIDTH)
    best = table.money.choices[0].play if table.money.choices else None
    sides = ("X", "O") if table.state.player is Player.FIRST else ("O", "X")
    board = board_svg(table.state, best, theme=theme, players=sides)
    at = f'<svg x="{left}" y="{top}" width="{wide}" height="{tall}" '
    words = [*_picture_words(table)]
    size = f'width="{_PICTURE[0]}" height="{_PICTURE[1]}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {_PICTURE[0]} {_PICTURE[1]}" role="img" '
        f'aria-label="{escape(title_of(table))}">'
        f'<rect {size} fill="{palette["page"]}" />{board.replace("<svg ", at, 1)}'
        f"<g font-family='{FONT}' fill=\"{palette['text']}\">"
        f"{''.join(_picture_lines(words, 24, top + tall, 530))}"
        f"{''.join(_picture_cells(table, theme, palette['text']))}</g></svg>"
    )


def _picture_words(table: ScoreTable) -> Iterator[tuple[str, str, int, bool]]:
    """Lines below the board, plain and as SVG, their size, and whether they are bold."""
    title = title_of(table)
    yield title, escape(title), _SIZE, True
    for line in _wrapped(summary(table), 50):
        yield line, escape(line), 17, False
    for letter, words, times in letter_lines(table):
        spelled, text = letter.spelled(spell_svg, escape), f"  {words}, {times}"
        yield f"{letter.text}{text}", f"{spelled}{escape(text)}", 17, False


def _wrapped(text: str, width: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + len(word) >= width:
            yield line
            line = ""
        line = f"{line} {word}".lstrip()
    yield line


def _picture_lines(
    lines: Sequence[tuple[str, str, int, bool]], left: int, top: int, room: int
) -> Iterator[str]:
    y = top
    for plain, svg, size, bold in lines:
        y += round(1.35 * size)
        if y > _PICTURE[1] - 12:
            return
        fitting = min(size, int(room / (0.56 * max(width_of(plain), 1))))
        weight = ' font-weight="700"' * bold
        yield f'<text x="{left}" y="{y}" font-size="{fitting}"{weight}>{svg}</text>'


def _picture_cells(table: ScoreTable, theme: str, ink: str) -> Iterator[str]:
    names = labels(table.cells)
    left, top, width, height = _GRID
    step = min(width / (len(names) + 0.8), height / (len(names) + 0.8))
    side, size = step - 3, round(0.42 * step)
    dark = theme == "dark"
    for at, name in enumerate(names):
        middle = left + step * (at + 1.3)
        yield _text(name, middle, top + 0.45 * step, size)
        yield _text(name, left + 0.4 * step, top + step * (at + 1.45), size)
    needs = "rows: points you need; columns: points the opponent needs"
    yield _text(needs, left + step * (len(names) / 2 + 0.8), top - 14, 16)
    marks = f"{_DIFFERS} not as for money" + "; 1C: Crawford game" * ("1C" in names)
    yield _text(marks, left + step * (len(names) / 2 + 0.8), _PICTURE[1] - 12, 16)
    for row, own in enumerate(names):
        for column, other in enumerate(names):
            place = place_at(own, other)
            if place is None:
                continue
            cell = shown_cell(table, place)
            kind = "other" if cell.differs else "same"
            x, y = left + step * (column + 0.8), top + step * (row + 0.8)
            line = f' stroke="{ink}" stroke-width="3"' * cell.here
            yield (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" rx="5" '
                f'fill="{_SHADES[kind][cell.level][dark]}"{line} />'
            )
            letters = "".join(letter.spelled(spell_svg, escape) for letter in cell.letters)
            text = letters + _DIFFERS * cell.differs
            fitting = size if len(cell.text) < 3 else round(0.33 * step)
            yield _text(text, x + side / 2, y + 0.62 * side, fitting)


def _text(svg: str, x: float, y: float, size: int) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="middle">{svg}</text>'
