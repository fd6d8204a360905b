"""The openings to take away: a chart to print, and flashcards for Anki."""

from __future__ import annotations

from gnubg_nactation.archive.replies import chart_of_book
from gnubg_nactation.exports.chart_page import chart_page
from gnubg_nactation.exports.deck import simple_head, simple_rows
from gnubg_nactation.exports.flashcards import flashcards_of_chart, flashcards_of_first_rolls
from gnubg_nactation.exports.views import View
from gnubg_nactation.nacbracs.book import shipped_book
from gnubg_nactation.nacbracs.score import parse_score
from gnubg_nactation.sequences.openings import openings


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
