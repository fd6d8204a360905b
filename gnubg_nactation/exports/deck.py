"""Decks of flashcards: for Anki, with the extra `cards`, and as CSV for other programs."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

from gnubg_nactation.backgammon.state import PLAYER_NAMES
from gnubg_nactation.decisions.decision import Decision
from gnubg_nactation.decisions.wording import choice_words, right_actions
from gnubg_nactation.exports.board.rendering import board_svg
from gnubg_nactation.exports.flashcards import Flashcard
from gnubg_nactation.exports.page.text import safe_text
from gnubg_nactation.exports.post.nacbracs import spell_nacbrac
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.exports.spreadsheet import csv_text
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.system.extras import import_extra
from gnubg_nactation.system.temporary import temporary_folder
from gnubg_nactation.writing.spelling import spell

# Anki identifies decks and kinds of notes by numbers, which must never change.
_MODEL = 1_780_411_973
_DECKS = {
    "replies": (1_780_411_974, "Nactation::Replies"),
    "errors": (1_780_411_975, "Nactation::Errors"),
    "alphabet": (1_780_411_976, "Nactation::Alphabet"),
    "positions": (1_780_411_977, "Nactation::Positions"),
}
_FIELDS = ("Question", "Board", "Answer", "Nacbrac", "Explanation", "Sequence", "XGID", "Source")
_COLUMNS = ("id", *(name.lower() for name in _FIELDS))
_FRONT = '<div class="board">{{Board}}</div><p class="asked">{{Question}}</p>'
_BACK = """{{FrontSide}}<hr id="answer">
<p class="answer">{{Answer}}</p>
{{#Nacbrac}}<p class="nacbrac">{{Nacbrac}}</p>{{/Nacbrac}}
<p>{{Explanation}}</p>
<p class="link">{{#Sequence}}{{Sequence}}<br>{{/Sequence}}{{XGID}}
{{#Source}}<br>{{Source}}{{/Source}}</p>"""
_CSS = """\
.card{font:20px system-ui,sans-serif;text-align:center}
.board{max-width:36rem;margin:0 auto}
.board svg{display:block;width:100%;height:auto}
.answer,.nacbrac{font-size:1.1em}
.link{font-size:.7em;overflow-wrap:anywhere}
"""
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest in an archive


def deck_csv(cards: Iterable[Flashcard]) -> str:
    """A head, then a row for each card; `board` is the drawing as SVG."""
    return csv_text([_COLUMNS, *((card.identity, *_plain(card)) for card in cards)])


def _plain(card: Flashcard) -> tuple[str, ...]:
    return (
        card.question,
        _board(card),
        "\n".join(_answer(card.decision, str, str)),
        spell_nacbrac(card.nacbrac, TARGETS["plain"]) if card.nacbrac else "",
        card.explanation,
        card.sequence,
        card.xgid,
        card.source,
    )


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
    """The cards, all of one kind, as a deck for Anki. Raises NactationError without the extra.

    Anki recognises a card by its identity: importing it twice adds nothing, and a later answer
    replaces an earlier one. `time` is the time of the answers in seconds since 1970; the same cards
    at the same time are the same bytes.
    """
    genanki = import_extra("genanki", "a deck for Anki", "cards")
    model = genanki.Model(
        _MODEL,
        "Nactation",
        fields=[{"name": name} for name in _FIELDS],
        templates=[{"name": "Card", "qfmt": _FRONT, "afmt": _BACK}],
        css=_CSS,
    )
    number, name = _DECKS[cards[0].kind]
    deck = genanki.Deck(number, name)
    for at, card in enumerate(cards):
        fields, tags = list(_formatted(card)), [card.kind]
        deck.add_note(genanki.Note(model, fields, guid=card.identity, tags=tags, due=at))
    with temporary_folder() as folder:
        # genanki's own file is not compressed, and contains the present time.
        path = Path(folder, "collection.anki2")
        with closing(sqlite3.connect(path)) as connection:
            genanki.Package(deck).write_to_db(connection.cursor(), time, count(int(time * 1000)))
            connection.commit()
        return _packed({path.name: path.read_bytes(), "media": b"{}"})


def _formatted(card: Flashcard) -> Iterable[str]:
    """The fields as HTML."""
    yield safe_text(card.question)
    yield _board(card)
    yield "<br>".join(_answer(card.decision, lambda name: spell(name, "html"), safe_text))
    yield spell_nacbrac(card.nacbrac, TARGETS["html-forum"]) if card.nacbrac else ""
    yield "<br>".join(map(safe_text, card.explanation.splitlines()))
    yield from map(safe_text, (card.sequence, card.xgid, card.source))


def _packed(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            packed.writestr(info, content, zipfile.ZIP_DEFLATED)
    return data.getvalue()
