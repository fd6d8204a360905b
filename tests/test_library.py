"""The front door: the programs of docs/library.md run, and need only its names."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

import gnubg_nactation
import gnubg_nactation.archive
from gnubg_nactation import (
    DIALECTS,
    NACKGAMMON,
    ROLLS,
    STANDARD,
    AmbiguousError,
    AnnotatedGame,
    AnnotatedMatch,
    AnnotatedTurn,
    ArchiveError,
    Decoded,
    DecodedTurn,
    Dialect,
    Double,
    Drop,
    EngineError,
    Explanation,
    ExploreSettings,
    Finding,
    Game,
    GameState,
    IllegalError,
    IndexSettings,
    Judgement,
    LeaksSettings,
    Library,
    MalformedError,
    Match,
    Move,
    MyGameSettings,
    Nactation,
    NactationError,
    Naming,
    Pasted,
    Play,
    Player,
    Plays,
    Portion,
    Position,
    Preferred,
    Reading,
    Roll,
    SequenceSettings,
    Settings,
    SettingsError,
    Take,
    Turn,
    UnknownError,
    UnreadError,
    annotate,
    annotate_sgf,
    blunders,
    board_png,
    board_svg,
    check,
    decode,
    dialect_on,
    explore,
    find,
    format_play,
    game_sequences,
    index,
    leaks,
    legal_plays,
    nacbrac,
    open_archive,
    parse_nactation,
    parse_play,
    post,
    read,
    read_pasted,
    read_prose,
    sequence,
    spell,
)
from tests.gnubg.ingame import GNUBG
from tests.readme import ROOT

MATCH = Match(("Ann", "Bob"), 3, ())
_BLOCK = re.compile(r"^```python( gnubg| whole)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = ("README.md", "docs/library.md")
PROGRAMS = [
    pytest.param(code, kind, id=f"{page}-{number}")
    for page in PAGES
    for number, (kind, code) in enumerate(_BLOCK.findall((ROOT / page).read_text("utf-8")), 1)
]


@pytest.mark.parametrize(("code", "kind"), PROGRAMS)
def test_a_program_of_the_documentation(
    code: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It prints the text of the comments after `print`, and is short."""
    needs_gnubg = kind == " gnubg"
    if needs_gnubg and not Path(GNUBG).exists():
        pytest.skip("GNU Backgammon is not installed")
    (tmp_path / "sample_matches").symlink_to(ROOT / "sample_matches")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NACTATION_GNUBG", GNUBG)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "program", "exec"), {})
    lines = code.splitlines()
    if kind == " whole":
        assert len(lines) <= 15
    else:
        assert sum(not re.match(r"(from|import|\s*$)", line) for line in lines) <= 6
    for comment in re.findall(r"print\(.*?\)  # (.*)", code):
        if not comment.startswith("the "):
            sought, output = comment, printed.getvalue()
            if needs_gnubg:  # which reckons differently from version to version
                sought, output = (re.sub(r"\d+", "0", text) for text in (sought, output))
            assert sought in output
    assert printed.getvalue() or list(tmp_path.glob("*.[ps]*"))


def test_the_reference_lists_each_name_of_the_doors() -> None:
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    listed = re.findall(r"^\.\. (?:auto|py:)\w+:: (\w+)$", text, re.MULTILINE)
    doors = {*gnubg_nactation.__all__, *gnubg_nactation.archive.__all__}
    assert sorted(listed) == sorted(doors)


def imported_and_used(source: str) -> Iterator[str]:
    """The names of the front door that a program imports there and then uses."""
    tree = ast.parse(source)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "gnubg_nactation":
            yield from (alias.name for alias in node.names if (alias.asname or alias.name) in used)


def test_how_names_of_the_front_door_are_found() -> None:
    source = "from gnubg_nactation import Play, Roll as R, read\nfrom x import y\nR(y, read)\n"
    assert set(imported_and_used(source)) == {"Roll", "read"}


def test_every_name_of_the_front_door_is_tested() -> None:
    programs = [
        code for page in PAGES for _, code in _BLOCK.findall((ROOT / page).read_text("utf-8"))
    ]
    tests = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    tested = {name for source in programs + tests for name in imported_and_used(source)}
    assert not set(gnubg_nactation.__all__) - tested


def test_every_name_of_the_front_door_is_there() -> None:
    for name in gnubg_nactation.__all__:
        assert getattr(gnubg_nactation, name) is not None
    assert set(gnubg_nactation.__all__) <= set(dir(gnubg_nactation))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = gnubg_nactation.nothing


def test_the_package_alone_imports_next_to_nothing() -> None:
    code = "import sys, gnubg_nactation; print([n for n in sys.modules if 'nactation' in n])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['gnubg_nactation.hooks', 'gnubg_nactation']\n"


def test_values_are_sound_once_they_are_made() -> None:
    assert Roll(1, 3) == Roll(3, 1) == Roll.parse("13")
    assert str(Plays(STANDARD, Roll(1, 3)).name("8/4")) == "a"
    for dice in ((0, 1), (1, 7)):
        with pytest.raises(MalformedError):
            Roll(*dice)
    family = parse_nactation("P").family
    for member in (0, -1):
        with pytest.raises(MalformedError, match="the first is 1"):
            Nactation(family, member)


def test_text_is_for_players_and_repr_rebuilds() -> None:
    plays = Plays(STANDARD, Roll(3, 1))
    play = plays.play("P")
    names = {name: getattr(gnubg_nactation, name) for name in gnubg_nactation.__all__}
    names["family"] = lambda key: parse_nactation(key).family
    assert str(play) == "8/5 6/5"
    assert str(plays.name(play)) == "P"
    assert "+13-14-" in str(STANDARD)
    for value in (STANDARD, Roll(6, 5), parse_nactation("p{4}"), play):
        assert eval(repr(value), names) == value
        assert pickle.loads(pickle.dumps(value)) == value
    assert list(eval(repr(plays), names)) == list(plays)


def test_plays_are_a_sequence() -> None:
    plays = Plays(STANDARD, Roll(6, 5))
    assert plays[0] in plays
    assert list(plays[:2]) == [plays[0], plays[1]]
    assert len(plays) == len({*plays})
    assert not Plays.of(())
    again = Plays("4HPwATDgc/ABMA", "65")
    assert (again, hash(again)) == (plays, hash(plays))
    assert again != Plays(STANDARD, Roll(6, 4))
    assert again != tuple(plays)
    with pytest.raises(IllegalError):
        Plays.of(()).name("8/5 6/5")


def test_a_family_and_its_members() -> None:
    reading = Plays(STANDARD, Roll(4, 3)).family("Z")
    assert [str(play) for play in reading.members] == ["24/21 13/9"]
    assert reading.right.value == "areal"
    assert reading.order.name == "hit-more-6"
    with pytest.raises(KeyError):
        Plays(STANDARD, Roll(4, 3)).family("?")


def test_a_position_by_any_name() -> None:
    assert Position.parse("start") == Position.parse("4HPwATDgc/ABMA") == STANDARD
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"
    assert Position.parse(xgid) == STANDARD
    with pytest.raises(MalformedError):
        Position.parse("nowhere")


def test_read_takes_paths_and_bytes() -> None:
    path = ROOT / "sample_matches" / "match-3pt.mat"
    assert read(path) == read(str(path)) == read(path.read_bytes())
    with pytest.raises(OSError, match="no-such"):
        read("no-such.mat")


def test_a_match_and_its_annotated_form() -> None:
    [match] = read(ROOT / "sample_matches" / "nackgammon-5pt.mat")
    assert isinstance(match, Match)
    assert match.start == NACKGAMMON != STANDARD
    annotated = annotate(match)
    assert annotate(match) == annotated
    assert isinstance(annotated, AnnotatedMatch)
    assert annotated.match == match


def test_plays_as_text() -> None:
    plays = legal_plays(STANDARD, Roll(3, 1))
    assert all(isinstance(play, Play) for play in plays)
    assert [parse_play(format_play(play), STANDARD, Roll(3, 1)) for play in plays] == [*plays]
    with pytest.raises(IllegalError):
        parse_play("13/8", STANDARD, Roll(3, 1))


def test_text_will_do_for_boards_rolls_and_plays() -> None:
    board, after = "4HPwATDgc/ABMA", "4HPwCSDg8+ABIQ"  # the start, and 54S-63R
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    plays = Plays(STANDARD, Roll(3, 1))
    for name in (board, xgid, "start"):
        assert list(Plays(name, "13")) == list(legal_plays(name, "31")) == list(plays)
        assert parse_play("8/5 6/5", name, "31") == plays.play("P")
    state = decode("54S-63R").state
    assert Position.parse(after) == state.position
    assert decode("31H", start=after).state.position == decode("54S-63R-31H").state.position
    assert board_svg(after) == board_svg(state.position)
    there = decode("31").state
    assert board_svg(there, "8/5 6/5") == board_svg(there, plays.play("P"))
    assert spell("P{3}", "markdown") == spell(parse_nactation("P{3}"), "markdown") == "*P*"
    for wrong in (
        lambda: Plays("54S-63R", "31"),
        lambda: Plays(STANDARD, "71"),
        lambda: parse_play("8/5", "nowhere", "31"),
        lambda: nacbrac("nowhere", "31"),
        lambda: board_svg("8/5 6/5"),
        lambda: board_svg(STANDARD, "8/5 6/5"),
        lambda: spell("?", "html"),
        lambda: annotate(MATCH, "foo"),
    ):
        with pytest.raises(NactationError):
            wrong()


@pytest.mark.parametrize(
    "call",
    [
        lambda: Plays(STANDARD, cast("Any", 31)),
        lambda: legal_plays(cast("Any", None), "31"),
        lambda: parse_play("8/5 6/5", STANDARD, cast("Any", 31)),
        lambda: nacbrac(cast("Any", decode("54S-63R-31"))),
        lambda: board_svg(cast("Any", None)),
        lambda: annotate(cast("Any", "final.mat")),
        lambda: annotate(cast("Any", ())),
        lambda: blunders(cast("Any", MATCH)),
        lambda: post(cast("Any", MATCH)),
        lambda: game_sequences(cast("Any", "final.mat")),
        lambda: annotate_sgf(cast("Any", "final.sgf")),
    ],
)
def test_what_is_of_another_kind_is_told(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=r"expected.*; got \w"):  # compiled code has its own words
        call()


@pytest.mark.usefixtures("no_engine")
def test_errors_are_of_one_family() -> None:
    for kind in (AmbiguousError, ArchiveError, EngineError, IllegalError, MalformedError):
        assert issubclass(kind, NactationError)
    assert issubclass(UnreadError, IllegalError)
    with pytest.raises(ArchiveError, match="no such database"):
        open_archive("nowhere.db")
    archive = open_archive(":memory:", create=True)
    with pytest.raises(UnknownError, match="no player is called 'Zoe'"):
        leaks(archive, LeaksSettings(player="Zoe"))
    with pytest.raises(AmbiguousError, match="2 ways"):
        parse_play("24/14", Position.parse("kAAAAAAABAAAAA"), Roll(6, 4))
    with pytest.raises(EngineError, match="NACTATION_GNUBG=none"):
        nacbrac(STANDARD, "31")


def test_sequences_of_another_time() -> None:
    for dialect in (DIALECTS["2009"], dialect_on("2009-12-31")):
        assert str(decode("32S-51R", dialect=dialect).turns[1].play) == "24/18"
    for dialect in (DIALECTS["current"], dialect_on("2010-01-01")):
        with pytest.raises(IllegalError):
            decode("32S-51R", dialect=dialect)
    for day in ("2010-02-30", "2010", "20101231", "2010-W01-1", "today"):
        with pytest.raises(MalformedError, match="expected one such as 2010-05-01"):
            dialect_on(day)


def test_notebooks_show_boards_and_pages() -> None:
    play = Plays(STANDARD, Roll(3, 1)).play("P")
    assert STANDARD._repr_svg_() == board_svg(STANDARD)
    assert play._repr_svg_() == board_svg(play)
    assert play._repr_svg_() != STANDARD._repr_svg_()
    [match] = read(ROOT / "sample_matches" / "match-1pt.mat")
    assert annotate(match)._repr_html_().startswith("<iframe ")


def test_what_a_task_is_told() -> None:
    """Settings are frozen, and know their names; leaks need a player."""
    data = (ROOT / "sample_matches" / "match-3pt-analysed.sgf").read_bytes()
    archive, face = open_archive(":memory:", create=True), Library()
    index(archive, [("a.sgf", data), ("b.sgf", data), ("c.sgf", b"(;")], face=face)
    assert [message.partition(":")[0] for message in face.messages] == ["c.sgf"]
    again = index(archive, [("a.sgf", data)], IndexSettings(force=True))
    assert (again.contents.matches, again.contents.duplicates) == (1, 1)
    with pytest.raises(SettingsError, match="whose leaks"):
        leaks(archive)
    explored = explore(archive, "start", ExploreSettings(player="Bob"))
    assert sum(row.count for row in explored.nodes[STANDARD].rolls) == 1  # the match has one game
    assert not [*find(archive, "*-54X", MyGameSettings(player="Alice"))]
    assert len([*find(archive, "*-54X", MyGameSettings(player="Bob"))]) == 1
    assert [type(result) for _, result in check("54S-63R-32", SequenceSettings(strict=True))]
    settings = LeaksSettings(top=3)
    assert isinstance(settings, Settings)
    assert (settings.top, settings.min_count, settings) == (3, 2, LeaksSettings(top=3))
    assert pickle.loads(pickle.dumps(settings)) == settings
    assert {field.name: field.metadata["unit"] for field in fields(settings)}["top"] == "N"
    with pytest.raises(AttributeError):
        settings.top = 4  # type: ignore[misc]
    with pytest.raises(TypeError, match="no best"):
        LeaksSettings(best=3)  # type: ignore[call-arg]


def test_no_name_of_the_front_door_is_a_room() -> None:
    """A submodule, once imported, would hide it."""
    rooms = {path.stem for path in Path(gnubg_nactation.__file__).parent.iterdir()}
    assert not rooms & {*gnubg_nactation.__all__}


def test_what_the_front_door_returns_can_be_typed() -> None:
    [match] = read(ROOT / "sample_matches" / "match-3pt-analysed.sgf")
    annotated = annotate(match)
    plays = Plays(STANDARD, "31")
    decoded = decode("54S-63R")
    [finding] = read_prose("I like 54S-63R.")
    [pasted] = read_pasted("31: 8/5 6/5  63: 24/15")
    returned = {
        AnnotatedGame: annotated.games[0],
        AnnotatedTurn: annotated.games[0].turns[0],
        Judgement: blunders(annotated)[0],
        Decoded: decoded,
        DecodedTurn: decoded.turns[0],
        Dialect: DIALECTS["2010"],
        Explanation: plays.explain("P"),
        Finding: finding,
        Game: match.games[0],
        GameState: decoded.state,
        Move: pasted.match.games[0].actions[0],
        Naming: plays.names("8/5 6/5")[0],
        Pasted: pasted,
        Player: decoded.state.player,
        Portion: plays[0].portions[0],
        Preferred: plays.name("8/5 6/5"),
        Reading: plays.family("P"),
        Turn: decoded.turns[0],
    }
    assert [kind for kind, value in returned.items() if not isinstance(value, kind)] == []
    cubes = {type(turn.action) for turn in decode("C-T-31P-R-P").turns}
    assert {Double, Take, Drop} < cubes


def test_a_match_in_other_forms() -> None:
    [match] = read(ROOT / "sample_matches" / "match-3pt-analysed.sgf")
    annotated = annotate(match)
    assert "Nactation: 52T" in annotated.to_sgf()
    assert "Alice - Bob, 3 point match" in annotated.to_text()
    assert json.loads(annotated.to_json())["length"] == match.length
    assert annotated.to_html().startswith("<!doctype html>")
    for text in (annotated.to_mat(), annotated.to_sgf()):
        [again] = read(text.encode())
        assert game_sequences(annotate(again)) == game_sequences(annotated)


def test_a_sequence_of_plays_leads_where_they_do() -> None:
    random = Random(7)
    for _ in range(20):
        position, plays = STANDARD, []
        while position.opponent_off < 15:
            legal = Plays(position, random.choice(ROLLS))
            plays += [random.choice(legal)] if legal else []
            position = plays[-1].after if legal else position.switch_sides()
            if not legal and not plays[-1].after.bar:
                break  # a roll without a play does not show in the plays
        else:
            text = sequence(plays)
            turns = decode(text).turns
            assert [turn.play for turn in turns if turn.play] == plays
            assert sequence(turns) == text


def test_a_sequence_of_what_is_no_game() -> None:
    first = Plays(STANDARD, "31").play("P")
    assert sequence([]) == ""
    with pytest.raises(IllegalError, match=r"play 2, 8/5 6/5, starts from another board"):
        sequence([first, first])
    with pytest.raises(TypeError, match="plays, or turns"):
        sequence(cast("Any", ["31P"]))


def test_posts_and_pictures() -> None:
    [match] = read(ROOT / "sample_matches" / "match-1pt.mat")
    assert "4HPhASLgc" not in post("43Z", "plain")
    for subject in (annotate(match), decode("43Z"), "43Z", "start", STANDARD, decode("43Z").state):
        assert post(subject)
    with pytest.raises(MalformedError, match="no site 'nowhere'; expected one of: markdown"):
        post("43Z", "nowhere")
    assert board_png("start", width=100).startswith(b"\x89PNG")
