"""Decks of flashcards for Anki: packages, with the extra `cards`, and CSV.

Users write their own notes and tags in Anki. A package replaces a whole note of Anki if the
package's is newer, so ours are dated `_AGE` seconds back: newer than those of earlier packages,
older than anything that the user has edited. CSV changes only the fields that it has.
"""

from __future__ import annotations

import io
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from types import MappingProxyType

from gnubg_nactation.backgammon.state import PLAYER_NAMES
from gnubg_nactation.decisions.decision import Decision, choice_words, right_actions
from gnubg_nactation.exports.board import board_svg
from gnubg_nactation.exports.flashcards import Flashcard
from gnubg_nactation.exports.page.document import safe_text
from gnubg_nactation.exports.post import spell_nacbrac
from gnubg_nactation.exports.spreadsheet import FORMULAS, csv_text
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.values import Any
from gnubg_nactation.writing.spelling import spell

# Anki identifies decks and kinds of notes by numbers, which must never change.
_MODEL = 1_780_411_973
_NOTE_TYPE = "Nactation"
_PLAYS, _CUBE = "Checker plays", "Cube"
_DECKS = {
    "Replies": 1_780_411_974,
    "Alphabet": 1_780_411_976,
    f"Errors::{_PLAYS}": 1_780_411_978,
    f"Errors::{_CUBE}": 1_780_411_979,
    f"Positions::{_PLAYS}": 1_780_411_980,
    f"Positions::{_CUBE}": 1_780_411_981,
    "Openings": 1_780_411_982,
}
_OURS = (
    *("Question", "Board", "Answer", "Nacbrac", "Explanation", "Comment"),
    *("Sequence", "XGID", "Source"),
)
_YOURS = "My notes"  # we never fill it
_GUID, _DECK = "GUID", "Deck"  # columns of CSV
_NO_TAGS: Mapping[str, Sequence[str]] = MappingProxyType({})
_AGE = 20 * 365 * 24 * 3600
_FRONT = '<div class="board">{{Board}}</div><p class="asked">{{Question}}</p>'
_BACK = """{{FrontSide}}<hr id="answer">
<p class="answer">{{Answer}}</p>
{{#Nacbrac}}<p class="nacbrac">{{Nacbrac}}</p>{{/Nacbrac}}
<p>{{Explanation}}</p>
{{#Comment}}<p class="comment">{{Comment}}</p>{{/Comment}}
{{#My notes}}<div class="own">{{My notes}}</div>{{/My notes}}
<p class="link">{{#Sequence}}{{Sequence}}<br>{{/Sequence}}{{XGID}}
{{#Source}}<br>{{Source}}{{/Source}}</p>"""
_CSS = """\
.card{font:20px system-ui,sans-serif;text-align:center}
.board{max-width:36rem;margin:0 auto}
.board svg{display:block;width:100%;height:auto}
.answer,.nacbrac{font-size:1.1em}
.comment{font-style:italic}
.own{margin:1em auto;padding:.5em;max-width:36rem;border-left:3px solid;text-align:left}
.link{font-size:.7em;overflow-wrap:anywhere}
"""
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest in an archive


def deck_csv(cards: Iterable[Flashcard]) -> str:
    """The cards, all of one kind, as Anki imports text: lines for Anki, then a row for each card.

    Cells are HTML; `Board` is the drawing as SVG. Anki's kind of note comes with a package.
    """
    cards = list(cards)
    columns = _GUID, *_OURS, _DECK
    lines = [
        *("#separator:Comma", "#html:true", f"#notetype:{_NOTE_TYPE}"),
        *(f"#tags:{cards[0].kind}", "#guid column:1", f"#deck column:{len(columns)}"),
        f"#columns:{','.join(columns)}",
    ]
    rows = [(card.identity, *_cells(card), _deck_name(card)) for card in cards]
    return "".join(f"{line}\r\n" for line in lines) + csv_text(rows)


def _cells(card: Flashcard) -> list[str]:
    """The fields as HTML that no spreadsheet reads as a formula."""
    return [
        f"&#{ord(cell[0])};{cell[1:]}" if cell.startswith(FORMULAS) else cell
        for cell in _formatted(card)
    ]


def simple_head() -> str:
    """The lines for Anki before `simple_rows`."""
    lines = "#separator:Comma", "#html:true", "#notetype:Basic"
    columns = "#guid column:1", "#tags column:4", "#deck column:5"
    return "".join(f"{line}\r\n" for line in (*lines, *columns))


def simple_rows(cards: Iterable[Flashcard], tags: Mapping[str, Sequence[str]] = _NO_TAGS) -> str:
    """Rows for Anki's own kind of note, which needs no package before: a front and a back.

    `tags` are those of cards by their identity, besides the kind.
    """
    return csv_text(
        [
            (
                f"{card.identity}-basic",
                *_sides(card),
                " ".join([card.kind, *filter(None, map(_tag, tags.get(card.identity, ())))]),
                _deck_name(card),
            )
            for card in cards
        ]
    )


def _tag(text: str) -> str:
    """A tag as one word, as Anki has them."""
    return safe_text("_".join(text.split()))


def _sides(card: Flashcard) -> tuple[str, str]:
    """The front and the back of a card as HTML."""
    question, board, answer, *more = _formatted(card)
    back = "".join(f"<p>{text}</p>" for text in more if text)
    return f"{board}<p>{question}</p>", f"<p><b>{answer}</b></p>{back}"


def _deck_name(card: Flashcard) -> str:
    deck = card.kind.capitalize()
    if card.kind in {"errors", "positions"}:
        deck += f"::{_CUBE if card.decision.cube or not card.decision.state.roll else _PLAYS}"
    return f"{_NOTE_TYPE}::{deck}"


def _answer(
    decision: Decision, spell: Callable[[Nactation], str], escape: Callable[[str], str]
) -> list[str]:
    """The lines of an answer; the right cube actions come first if the best choice differs."""
    right = right_actions(decision)
    lines = [escape(right)] if right not in {"", decision.choices[0].action} else []
    return lines + [
        choice_words(choice, spell, escape, details)
        + ", as played" * (is_made and bool(choice.loss))
        for choice, is_made, details in decision.details()
    ]


def _board(card: Flashcard) -> str:
    return board_svg(card.decision.state, card.drawn_play, theme="light", players=PLAYER_NAMES)


def deck_apkg(cards: Sequence[Flashcard], time: float) -> bytes:
    """The cards, all of one kind, as a package for Anki. Raises NactationError without the extra.

    Anki recognises a card by its identity: importing it twice adds nothing. A later answer replaces
    an earlier one, except on cards that the user has edited. `time` is the time of the answers in
    seconds since 1970; the same cards at the same time are the same bytes.
    """
    genanki = import_extra("genanki", "a deck for Anki", "cards")
    model = genanki.Model(
        _MODEL,
        _NOTE_TYPE,
        fields=[{"name": name} for name in (*_OURS, _YOURS)],
        templates=[{"name": "Card", "qfmt": _FRONT, "afmt": _BACK}],
        css=_CSS,
    )
    decks: dict[str, Any] = {}
    for at, card in enumerate(cards):
        name = _deck_name(card)
        if name not in decks:
            decks[name] = genanki.Deck(_DECKS[name.partition("::")[2]], name)
        fields, tags = [*_cells(card), ""], [card.kind]
        decks[name].add_note(genanki.Note(model, fields, guid=card.identity, tags=tags, due=at))
    with temporary_folder() as folder:
        # genanki's own file is not compressed, and contains the present time.
        path = Path(folder, "collection.anki2")
        with closing(sqlite3.connect(path)) as connection:
            package = genanki.Package([*decks.values()])
            package.write_to_db(connection.cursor(), time, count(int(time * 1000)))
            connection.execute("UPDATE notes SET mod = ?", (max(int(time) - _AGE, 1),))
            connection.commit()
        return _packed({path.name: path.read_bytes(), "media": b"{}"})


def _formatted(card: Flashcard) -> Iterable[str]:
    yield safe_text(card.question)
    yield _board(card)
    yield "<br>".join(_answer(card.decision, lambda name: spell(name, "html"), safe_text))
    yield spell_nacbrac(card.nacbrac, TARGETS["html-forum"]) if card.nacbrac else ""
    for text in (card.explanation, card.comment):
        yield "<br>".join(map(safe_text, text.splitlines()))
    yield from map(safe_text, (card.sequence, card.xgid, card.source))


def _packed(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            packed.writestr(info, content, zipfile.ZIP_DEFLATED)
    return data.getvalue()
