"""`nactate book`: made in parts, shown, compared and checked; and books as an engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from gnubg_nactation.archive.book_making import check_book
from gnubg_nactation.backgammon.analysis import RatedPlay
from gnubg_nactation.backgammon.plays import legal_plays
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.engines import registry
from gnubg_nactation.engines.book import BookEngine
from gnubg_nactation.engines.engine import Depth, Watch
from gnubg_nactation.engines.nacbracs import judge
from gnubg_nactation.engines.registry import EngineEntry
from gnubg_nactation.errors import EngineError
from gnubg_nactation.nacbracs.book import header_of, parse_book, read_book, sections_of, unpack
from gnubg_nactation.nacbracs.nacbrac import at_score
from gnubg_nactation.sequences.decode import decode
from tests.archive.thumb import Thumb, equity
from tests.cli.running import error_of, output_of, run

MAKE = ("book", "make", "--engine", "gnubg", "--plies", "0", "--date", "2026-11-23")


class RankingThumb(Thumb):
    """Ranks plays, and counts down the answers that are left to all engines together."""

    def __init__(self, left: list[int]) -> None:
        super().__init__()
        self._left = left

    def rank(
        self,
        state: GameState,
        depth: Depth,
        watch: Watch | None = None,  # noqa: ARG002
    ) -> tuple[RatedPlay, ...]:
        self._left[0] -= 1
        if self._left[0] < 0:
            raise EngineError("the engine has ended")
        assert state.roll
        plays = sorted(legal_plays(state.position, state.roll), key=equity, reverse=True)
        if depth.trials:  # the last of the plays wins by .007
            *others, best = plays[: depth.plays]
            rolled_out = [RatedPlay(best, 0.25, "rollout", 0.003)]
            rolled_out += [RatedPlay(play, 0.243, "rollout", 0.004) for play in others]
            return tuple(rolled_out)
        return tuple(RatedPlay(play, equity(play), str(depth)) for play in plays)


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many answers are left to the engine, which is a rule of thumb instead of gnubg."""
    answers = [10**6]
    entry = EngineEntry("gnubg", lambda: lambda *_: RankingThumb(answers))
    monkeypatch.setattr(registry, "ENGINES", (entry,))
    return answers


@pytest.mark.usefixtures("left")
def test_a_book_has_the_first_rolls_and_the_replies_at_each_score(tmp_path: Path) -> None:
    path = tmp_path / "two.book"
    assert output_of(*MAKE, "--score", "money", "--score", "dmp", "-o", path) == ""
    text = path.read_text()
    assert header_of(text)["scores"] == "money dmp"
    assert len(list(sections_of(text))) == 1 + 30  # the start, and the usual openings
    # Openings have no doublets: 15 rolls. All 21 after each of them.
    assert len(read_book(path).lines) == 2 * (15 + 30 * 21)


def test_an_interrupted_book_continues_and_becomes_the_same(
    left: list[int], tmp_path: Path
) -> None:
    whole, parts = tmp_path / "whole.book.gz", tmp_path / "parts.book.gz"
    options = "--rolls", "3", "--after", "0", "--third", "31P"
    output_of(*MAKE, *options, "-o", whole)
    runs = 0
    while not parts.exists():
        left[0] = 300
        ran = run(*MAKE, *options, "-o", parts)
        assert ran.status == 0 or "the engine has ended" in ran.err
        runs += 1
    assert runs > 2
    assert parts.read_bytes() == whole.read_bytes()
    assert not list(tmp_path.glob("*.part"))
    # After the opening come the third rolls of each best reply, in a section of its own.
    sections = list(sections_of(unpack(whole.read_bytes())))
    assert all("-" in section.splitlines()[0] for section in sections[31:])
    assert 15 <= len(sections) - 31 <= 30


def test_other_options_do_not_continue_a_book(left: list[int], tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    left[0] = 100
    assert "ended" in error_of(*MAKE, "-o", path)
    left[0] = 10**6
    assert "with other options" in error_of(*MAKE, "--score", "gg", "-o", path)


def test_wrong_usage_names_the_option(tmp_path: Path) -> None:
    assert "-o goes with make" in error_of("book", "make", status=2)
    assert "-o goes with make and join" in error_of("book", "join", "a", status=2)
    assert "too many files" in error_of("book", "show", "a", "b", status=2)
    third = "book", "make", "--rolls", "3", "--score", "gg", "-o", tmp_path / "x"
    assert "add --score money" in error_of(*third, status=2)
    for option in (("--third", "31P"), ("--after", ".03")):
        made = "book", "make", *option, "-o", tmp_path / "x"
        assert "--after and --third go with --rolls 3" in error_of(*made, status=2)


ROLLOUT = "--rolls", "1", "--rollout", "36", "--truncate", "7", "--close", ".01"


def test_close_plays_are_rolled_out_and_the_others_keep_their_losses(
    left: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NACTATION_CACHE", str(tmp_path / "answers.sqlite"))
    searched, path = tmp_path / "searched.book", tmp_path / "rolled.book"
    output_of(*MAKE, "--rolls", "1", "-o", searched)
    left[0] = 17
    assert "the engine has ended" in error_of(*MAKE, *ROLLOUT, "-o", path)
    left[0] = 17  # enough for the rest, as the cache has the answers of the first run
    output_of(*MAKE, *ROLLOUT, "-o", path)
    book = read_book(path)
    assert "0-ply rollout 36 trials" in book.properties["rollout"]
    assert "rolled out" in book.label
    count = 0
    for key, line in book.lines.items():
        before = read_book(searched).lines[key].plays
        close = [play for _, play, loss in before if (loss or 0.0) <= 0.01]
        if len(close) < 2:
            assert line.plays == before
            assert line.levels is None
            continue
        count += 1
        losses = {play: loss for _, play, loss in line.plays}
        assert line.read.nacbrac.equity == 0.25
        assert line.plays[0][1] == close[-1]
        assert all(losses[play] == 0.007 for play in close[:-1])
        assert all(losses[play] == loss for _, play, loss in before if play not in close)
        assert line.levels
        # The error of a difference is the hypotenuse of both: .003 and .004.
        assert line.levels.errors == [0.005] * (len(close) - 1)
        assert set(line.levels.lesser.values()) == (
            {"0-ply"} if len(before) > len(close) else set()
        )
    assert 0 < count < 15


@pytest.mark.usefixtures("left")
def test_rollouts_of_another_book_are_joined(tmp_path: Path) -> None:
    searched, rolled, path = (tmp_path / f"{name}.book" for name in ("one", "two", "joined"))
    output_of(*MAKE, "--rolls", "2", "-o", searched)
    output_of(*MAKE, *ROLLOUT, "-o", rolled)
    output_of("book", "join", searched, rolled, "-o", path)
    first, second, book = read_book(searched), read_book(rolled), read_book(path)
    assert list(book.lines) == list(first.lines)
    assert book.source == first.source
    assert "rolled out" not in book.label
    assert "0-ply rollout 36 trials" in book.properties["rolled out"]
    count = 0
    for key, line in book.lines.items():
        other = second.at(*key)
        taken = other if other and other.is_rolled_out else first.lines[key]
        count += taken is other
        assert ("36 trials" in book.label_of(line)) == (taken is other)
        assert str(line.read.nacbrac) == str(taken.read.nacbrac)
        assert line.plays == taken.plays
    assert 0 < count < 15
    error = error_of("book", "join", searched, rolled, "-o", searched, status=2)
    assert "would overwrite" in error


def test_a_header_may_have_its_source_alone(tmp_path: Path) -> None:
    first, second, path = (tmp_path / f"{name}.book" for name in ("one", "two", "joined"))
    first.write_text(BOOK, "utf-8")
    second.write_text(ROLLED_OUT, "utf-8")
    output_of("book", "join", first, second, "-o", path)
    assert "31P-42 [-170 P Z12 U33] gnubg 0-ply rollout 36 trials" in path.read_text("utf-8")
    assert read_book(path).properties == {
        "source": "gnubg 2-ply",
        "rolled out": "0-ply rollout 36 trials",
    }


def test_rollouts_are_joined_one_after_the_other(tmp_path: Path) -> None:
    books = [tmp_path / f"{name}.book" for name in ("source", "36", "72", "one", "two", "again")]
    source, short, long, one, two, again = books
    source.write_text(BOOK, "utf-8")
    short.write_text(ROLLED_OUT, "utf-8")
    long.write_text(ROLLED_OUT.replace("36 trials", "72 trials"), "utf-8")
    output_of("book", "join", source, short, "-o", one)
    output_of("book", "join", one, long, "-o", two)
    header = read_book(two).properties
    assert header["rolled out"] == "0-ply rollout 36 trials; 0-ply rollout 72 trials"
    assert "72 trials" in two.read_text("utf-8").partition("31P-42")[2]
    output_of("book", "join", two, long, "-o", again)
    assert again.read_bytes() == two.read_bytes()


def test_a_list_by_hand_is_not_joined(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("31P-42 [P Z151]\n", "utf-8")
    error = error_of("book", "join", "book", path, "-o", tmp_path / "x")
    assert "only books of `nactate book make`" in error


def test_options_of_a_rollout_need_it(tmp_path: Path) -> None:
    path = tmp_path / "x"
    assert "go with --rollout" in error_of(*MAKE, "--close", ".01", "-o", path, status=2)


ROLLED_OUT = """\
# Nactation book
# source: gnubg 2-ply
# rollout: 0-ply rollout 36 trials

# sGfwATDgc/ABMA 31P
31P-42 [-170 P Z12 U33] gnubg 0-ply rollout 36 trials, standard error 4, 2-ply for U d[-83 P Z5]

"""


def test_the_label_of_a_nacbrac_says_which_plays_a_book_has_rolled_out() -> None:
    engine = BookEngine(parse_book(ROLLED_OUT, "book"))
    state = decode("31P-42").state
    decision = judge(engine, state, Depth(2))
    words = "book: gnubg 0-ply rollout 36 trials, standard error 4, 2-ply for U"
    assert decision.source == words
    assert [choice.standard_error for choice in decision.choices] == [0.0, 0.004, None]
    assert judge(engine, at_score(state, "d"), Depth(2)).source == "book: gnubg 2-ply"


def test_a_check_leaves_out_what_is_rolled_out() -> None:
    book = parse_book(ROLLED_OUT, "book")
    checked = check_book(book, [*book.lines], RankingThumb([9]), Depth(2))
    assert [deviation.line.nacbrac.score for deviation in checked] == ["d"]


BOOK = """\
# Nactation book
# source: gnubg 2-ply

# sGfwATDgc/ABMA 31P
31P-42 [-170 P Z151] d[-83 P Z65]
31P-64 [-324 R S15]

"""


def test_books_are_compared_decision_by_decision(tmp_path: Path) -> None:
    first, second = tmp_path / "a.book", tmp_path / "b.book"
    first.write_text(BOOK)
    second.write_text("31P-42 [P Z20]\n31P-64 [S R1]\n")
    out = output_of("book", "compare", first, second)
    assert "31P-64 [-324 R S15]  best play differs" in out
    assert "2 decisions in both, 1 with another best play" in out
    assert "+.131" in out  # Z loses .151 and .020


def test_a_book_shows_its_header_and_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    path.write_text(BOOK)
    out = output_of("book", "show", path)
    assert "source: gnubg 2-ply" in out
    assert "money: 2 rolls in 1 position" in out
    assert output_of("book", "show", path, "--at", "31P-64") == "31P-64 [-324 R S15]\n"
    assert "does not have 43D" in error_of("book", "show", path, "--at", "43D")


def test_a_chart_is_written_as_a_book_and_read_again(tmp_path: Path) -> None:
    theory, path = tmp_path / "theory.txt", tmp_path / "chart.book"
    theory.write_text("31P-42 [-170 P Z20]\n43Z-31 [P N10]\n")
    output_of("replies", "31P", "43Z", "--from", theory, "-o", path)
    assert "31P-42 [-170 P Z20]\n" in path.read_text()
    assert parse_book(path.read_text(), "").lines.keys() == read_book(theory).lines.keys()
    same = output_of("replies", "--diff", theory, path, "31P")
    assert "0 of 1 replies in both charts differ" in same
