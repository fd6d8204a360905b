"""The book of the program beside the tutorial's rollouts: nothing that differs is hidden."""

from __future__ import annotations

from tests.tutorial.book_differences import DOCS, compared, table


def test_the_documentation_lists_each_loss_in_which_book_and_tutorial_differ() -> None:
    assert table() in DOCS.read_text("utf-8")


def test_they_agree_about_most_of_the_best_plays_and_on_no_large_error() -> None:
    """A play that loses a tenth of a point in one is no good play in the other."""
    rows = list(compared())
    assert len(rows) >= 76
    for diagram, moves, play, there, here in rows:
        assert here is None or abs(there - here) <= 0.05 + there / 10, (diagram, moves, play)
        assert here is not None or there >= 0.08, (diagram, moves, play)
