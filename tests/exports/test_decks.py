"""Decks of flashcards: their contents in Anki's own library and as CSV."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from gnubg_nactation.annotation import annotate
from gnubg_nactation.archive.filters import Filters
from gnubg_nactation.archive.leaks import list_distinct_mistakes
from gnubg_nactation.archive.replies import chart_of_book
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.decisions.decision import choice_words
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.deck import deck_apkg, deck_csv
from gnubg_nactation.exports.flashcards import (
    Flashcard,
    flashcards_of_alphabet,
    flashcards_of_chart,
    flashcards_of_match,
    flashcards_of_mistakes,
    once,
)
from gnubg_nactation.files.formats import read
from gnubg_nactation.language.alphabet import FAMILIES
from gnubg_nactation.nacbracs.book import parse_book
from gnubg_nactation.sequences.openings import openings
from gnubg_nactation.tasks import study
from tests.archive.by_hand import Played, Record, fill
from tests.cli.running import SAMPLES
from tests.exports.anki_text import head_of, rows_of

SOME = openings(("31P", "43Z", "43D"))
BOOK = "31P-42 [P Z20]\n43Z-31 [P N10]\n43D-33 [C E19]\n"
DECK_TIME = 1_700_000_000.0


def cards_of(text: str, score: str = "") -> list[Flashcard]:
    return list(flashcards_of_chart(chart_of_book(parse_book(text, "theory.txt"), SOME, score)))


def errors_of(file: str = "final.sgf", min_loss: float = 0.05, player: str = "") -> list[Flashcard]:
    (match,) = read((SAMPLES / "match-3pt-analysed.sgf").read_bytes())
    return list(flashcards_of_match(annotate(match), file, min_loss, player))


@pytest.fixture(scope="module")
def replies() -> list[Flashcard]:
    return cards_of(BOOK)


@pytest.fixture(scope="module")
def errors() -> list[Flashcard]:
    return errors_of()


@pytest.fixture(scope="module")
def alphabet() -> list[Flashcard]:
    return list(flashcards_of_alphabet())


def rows(cards: list[Flashcard]) -> list[dict[str, str]]:
    return rows_of(deck_csv(cards))


def test_a_reply_is_asked_and_answered(replies: list[Flashcard]) -> None:
    row = rows(replies)[0]
    assert row["Question"] == "31P-42: your play? Money game."
    assert row["Answer"].splitlines() == ["42P 8/4 6/4", "42Z 24/22 13/9 (-.020)"]
    assert row["Nacbrac"] == "[P Z20]"
    assert row["Explanation"].startswith("P is point: ")
    assert row["Sequence"] == "31P-42"
    assert row["XGID"].startswith("XGID=")
    assert row["Source"] == "theory.txt, money"


def test_the_identity_is_that_of_the_question_and_not_of_the_answer(
    replies: list[Flashcard],
) -> None:
    better = cards_of("31P-42 [P N30]\n43Z-31 [P N12]\n43D-33 [E C1]\n")
    assert [card.identity for card in better] == [card.identity for card in replies]
    cards = [*replies, *cards_of("31P-42 d[P Z20]", "d"), *cards_of("31P-43 [D U2]")]
    assert len({card.identity for card in cards}) == len(cards)
    assert replies[0]._replace(kind="errors").identity != replies[0].identity


def test_an_error_has_its_decision_and_what_was_played(errors: list[Flashcard]) -> None:
    first = rows(errors)[0]
    # The first error of the sample, as `annotate --errors` lists it: 52T, -.129, best S.
    assert first["Question"].startswith("Black to play 52: your play? 3-away 3-away")
    answer = first["Answer"].splitlines()
    assert answer[0].startswith("52S 24/22 13/8, ")
    assert [line for line in answer if line.endswith(", as played")] == [
        line for line in answer if line.startswith("52T 13/6, ") and "(-.129)" in line
    ]
    assert first["Source"] == "final.sgf#1.1b"
    cubes = [row for row in rows(errors) if "double?" in row["Question"]]
    assert cubes
    assert all("no double" in row["Answer"] for row in cubes)


def test_the_place_of_an_error_in_a_later_match_of_a_file_has_its_number() -> None:
    data = (SAMPLES / "match-3pt-analysed.sgf").read_bytes()
    first = {card.source for card in study.cards(("final.sgf", data))}
    other = b"(;FF[4]GM[6]CA[UTF-8]PW[Ann]PB[Ben]MI[length:1][game:0][ws:0][bs:0]\n;W[31hefe])\n"
    second = {card.source for card in study.cards(("final.sgf", other + data))}
    assert len(first) > 1
    assert second == {place.replace("#", "#2.") for place in first}


def test_errors_of_one_player_and_of_one_size() -> None:
    assert {card.source[-1] for card in errors_of(player="ALICE")} <= {"a"}
    (match,) = read((SAMPLES / "match-3pt-analysed.sgf").read_bytes())
    first, second = (errors_of(player=name) for name in match.players)
    assert len(first) + len(second) == len(errors_of())
    assert len(errors_of(min_loss=0.0)) > len(errors_of()) > len(errors_of(min_loss=0.2))
    assert all(card.decision.choices for card in errors_of(min_loss=0.0))


def test_the_mistakes_of_an_archive() -> None:
    after = SOME[0].play.after
    turns = (
        Played(STANDARD, 0, 31, "P", "8/5 6/5", error=0),
        Played(after, 1, 42, "Z", "24/22 13/9", error=12000, best="P"),
    )
    cube = Played(after, 1, 42, "P", "8/4 6/4", error=0, missed=9000, owner=1)
    beaver = Played(after, 1, 0, "beaver", error=9000)  # without a question
    records = [Record(turns), Record(turns), Record((turns[0], cube, beaver))]
    with closing(fill(records)) as connection:
        mistakes = list(list_distinct_mistakes(connection, Filters(), 0.05))
        costly = list(list_distinct_mistakes(connection, Filters(), 0.1))
        repeated = list(list_distinct_mistakes(connection, Filters(min_count=2)))
    play, double = flashcards_of_mistakes(mistakes)
    assert [*map(choice_words, play.decision.choices)] == [
        "42P 8/4 6/4",
        "42Z 24/22 13/9 (-.120)",
    ]
    assert play.source.endswith("2 times in all")
    assert [*map(choice_words, double.decision.choices)] == ["double", "missed redouble (-.090)"]
    assert costly == repeated == [mistakes[0]]
    # The same question as that of a match file would be: the same card.
    assert play.identity == play._replace(source="final.sgf#1.1b").identity


def test_the_alphabet_asks_both_ways(alphabet: list[Flashcard]) -> None:
    # Of all families but the fan, which names no play.
    assert len(alphabet) == 2 * (len(FAMILIES) - 1)
    assert len({card.identity for card in alphabet}) == len(alphabet)
    letters = [card for card in alphabet if card.question.endswith("which letter?")]
    assert len(letters) == len(alphabet) / 2
    assert all(card.drawn_play for card in letters)
    plays = [card for card in alphabet if card.question.endswith("which play?")]
    assert not any(card.drawn_play for card in plays)


def test_a_question_is_asked_once(replies: list[Flashcard]) -> None:
    later = [card._replace(source="later") for card in replies]
    assert once([*replies, *later]) == replies
    assert once([*replies, later[0]]) == replies  # the costliest errors come first


def test_boards_are_small_drawings_without_scripts(
    replies: list[Flashcard], errors: list[Flashcard], alphabet: list[Flashcard]
) -> None:
    for row in rows([*replies, *errors, *alphabet[:20]]):
        board = row["Board"]
        assert len(board.encode()) < 10_000
        assert ElementTree.fromstring(board).tag == "{http://www.w3.org/2000/svg}svg"
        assert not re.search(r"(?i)<script|\son\w+=|javascript:|https?://(?!www\.w3\.org)", board)


def test_the_question_does_not_show_the_answer(alphabet: list[Flashcard]) -> None:
    for card, row in zip(alphabet, rows(alphabet), strict=True):
        if card.drawn_play is None:
            assert card.decision.choices[0].text not in row["Question"] + row["Board"]


def test_names_are_text() -> None:
    (match,) = read((SAMPLES / "match-3pt-analysed.sgf").read_bytes())
    cards = list(flashcards_of_match(annotate(match), "=<b>\x1b[1m\udcff", 0.05))
    assert rows(cards)[0]["Source"] == "=<b>\ufffd[1m\ufffd#1.1b"
    assert ",=" not in deck_csv(cards)  # a formula in a spreadsheet
    deck_csv(cards).encode()
    pytest.importorskip("genanki", reason="the extra cards is not installed")
    assert b"<b>" not in deck_apkg(cards, DECK_TIME)


def test_without_the_extra(replies: list[Flashcard], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genanki", None)
    with pytest.raises(NactationError, match=r"pip install -e .*cards"):
        deck_apkg(replies, DECK_TIME)
    assert deck_csv(replies)


class Collection:
    """A collection of Anki, in its own library."""

    def __init__(self, folder: Path) -> None:
        anki: Any = pytest.importorskip("anki.collection", reason="anki is not installed")
        self._anki, self._folder = anki, folder
        self.held = anki.Collection(str(folder / "collection.anki2"))

    def take(self, deck: bytes) -> tuple[int, int]:
        """Import a deck; how many notes are new, and how many others got better."""
        path = self._folder / "deck.apkg"
        path.write_bytes(deck)
        options = self._anki.ImportAnkiPackageOptions()
        request = self._anki.ImportAnkiPackageRequest(package_path=str(path), options=options)
        log = self.held.import_anki_package(request).log
        return len(log.new), len(log.updated)

    def take_text(self, text: str) -> tuple[int, int]:
        """Import CSV as Anki's dialog does, without a change in it."""
        path = self._folder / "deck.csv"
        path.write_text(text, encoding="utf-8", newline="")
        metadata = self.held.get_csv_metadata(path=str(path), delimiter=None)
        request = self._anki.ImportCsvRequest(path=str(path), metadata=metadata)
        log = self.held.import_csv(request).log
        return len(log.new), len(log.updated)

    def notes(self) -> list[Any]:
        return [self.held.get_note(note) for note in self.held.find_notes("")]


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    pytest.importorskip("genanki", reason="the extra cards is not installed")
    collection = Collection(tmp_path)
    yield collection
    collection.held.close()


def test_anki_imports_a_deck_and_nothing_twice(
    collection: Collection,
    replies: list[Flashcard],
    errors: list[Flashcard],
    alphabet: list[Flashcard],
) -> None:
    for cards in (replies, errors, alphabet):
        deck = deck_apkg(cards, DECK_TIME)
        assert collection.take(deck) == (len(cards), 0)
        assert collection.take(deck) == (0, 0)
        assert collection.take(deck_apkg(cards, DECK_TIME + 1))[0] == 0
    anki = collection.held
    assert anki.note_count() == anki.card_count() == len(replies) + len(errors) + len(alphabet)
    names = {deck.name for deck in anki.decks.all_names_and_ids()}
    errors_decks = {"Nactation::Errors::Checker plays", "Nactation::Errors::Cube"}
    assert {"Nactation::Replies", "Nactation::Alphabet", *errors_decks} <= names
    for name, is_cube in (("Checker plays", False), ("Cube", True)):
        found = anki.find_notes(f'"deck:Nactation::Errors::{name}"')
        asked = [anki.get_note(note)["Question"] for note in found]
        assert asked
        assert all(("your play?" not in question) is is_cube for question in asked)


def test_a_better_answer_takes_the_place_of_the_old_one(
    collection: Collection, replies: list[Flashcard]
) -> None:
    collection.take(deck_apkg(replies, DECK_TIME))
    better = cards_of("31P-42 [P Z25]\n43Z-31 [P N10]\n43D-33 [C E19]\n")
    new, _ = collection.take(deck_apkg(better, DECK_TIME + 60))
    assert new == 0
    notes = {note["Sequence"]: note for note in collection.notes()}
    assert len(notes) == 3
    assert notes["31P-42"]["Nacbrac"] == "[P Z25]"


def test_own_notes_and_tags_survive_all_updates(
    collection: Collection, replies: list[Flashcard]
) -> None:
    """Anki dates an edit with the present; packages of any later date must not replace it."""
    collection.take(deck_apkg(replies, DECK_TIME))
    (note,) = (note for note in collection.notes() if note["Sequence"] == "31P-42")
    note["My notes"] = "Learned in Munich."
    note.tags.append("hard")
    collection.held.update_note(note)
    collection.held.decks.id("Mine")
    collection.held.set_deck(note.card_ids(), collection.held.decks.id("Mine"))

    def mine() -> tuple[str, list[str], str, str]:
        again = collection.held.get_note(note.id)
        (card,) = again.cards()
        deck = collection.held.decks.name(card.did)
        return again["My notes"], again.tags, deck, again["Nacbrac"]

    own = "Learned in Munich.", ["hard", "replies"], "Mine"
    better = cards_of("31P-42 [P Z25]\n43Z-31 [P N12]\n43D-33 [C E19]\n")
    now = time.time()
    for at in (now, now + 86_400):
        _, updated = collection.take(deck_apkg(better, at))
        assert updated > 0
        assert mine() == (*own, "[P Z20]")
        assert "Learned in Munich." in note.cards()[0].answer()
    notes = {note["Sequence"]: note for note in collection.notes()}
    assert notes["43Z-31"]["Nacbrac"] == "[P N12]"  # not edited, so updated
    assert collection.take_text(deck_csv(better)) == (0, 1)  # the others are the same
    assert mine() == (*own, "[P Z25]")
    assert collection.held.card_count() == len(better)


def test_csv_adds_what_a_package_adds(collection: Collection, errors: list[Flashcard]) -> None:
    """All but the first come by CSV; each is the same note, in the same deck, as by a package."""
    text = deck_csv(errors)
    assert head_of(text)["tags"] == "errors"
    collection.take(deck_apkg(errors[:1], DECK_TIME))
    assert collection.take_text(text) == (len(errors) - 1, 0)

    def contents() -> list[tuple[Any, ...]]:
        return sorted(
            (note.guid, note.fields, note.tags, collection.held.decks.name(note.cards()[0].did))
            for note in collection.notes()
        )

    by_text = contents()
    assert len(by_text) == len(errors)
    collection.held.remove_notes([note.id for note in collection.notes()])
    collection.take(deck_apkg(errors, DECK_TIME))
    assert contents() == by_text


def test_the_comments_of_a_file_are_on_the_back(collection: Collection) -> None:
    data = (SAMPLES / "match-3pt-analysed.sgf").read_bytes()
    own = b"C[Nactation: 52T ours\nHurried. <b>Breathe.]"
    (match,) = read(data.replace(b";B[52", b";" + own + b"B[52", 1))
    cards = list(flashcards_of_match(annotate(match), "final.sgf", 0.05))
    assert rows(cards)[0]["Comment"] == "Hurried. <b>Breathe."
    assert not any(row["Comment"] for row in rows(cards)[1:])
    collection.take(deck_apkg(cards[:1], DECK_TIME))
    (note,) = collection.notes()
    (card,) = note.cards()
    assert "Hurried. &lt;b&gt;Breathe." in card.answer()
    assert "Hurried" not in card.question()


def test_a_card_shows_the_board_first_and_then_all_of_it(
    collection: Collection, replies: list[Flashcard]
) -> None:
    collection.take(deck_apkg(replies, DECK_TIME))
    (note,) = (note for note in collection.notes() if note["Sequence"] == "43D-33")
    (card,) = note.cards()
    front, back = card.question(), card.answer()
    assert "<svg" in front
    assert "43D-33: your play?" in front
    assert "24/21(2) 8/5(2)" not in front
    for part in ("24/21(2) 8/5(2)", "[C E19]", "C is ", "XGID=", "theory.txt"):
        assert part in back
    assert "<script" not in back


def test_the_same_cards_made_at_the_same_time_are_the_same_bytes(replies: list[Flashcard]) -> None:
    pytest.importorskip("genanki", reason="the extra cards is not installed")
    assert deck_apkg(replies, DECK_TIME) == deck_apkg(replies, DECK_TIME)
    assert deck_apkg(replies, DECK_TIME) != deck_apkg(replies, DECK_TIME + 1)
