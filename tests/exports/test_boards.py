"""Boards: read positions back from the drawing by the point numbers at its edges."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise, product
from xml.etree import ElementTree as ET

import pytest

from gnubg_nactation.backgammon.notation import format_play, parse_hops
from gnubg_nactation.backgammon.plays import Play, Roll, legal_plays
from gnubg_nactation.backgammon.position import BAR, STANDARD, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, NactationError
from gnubg_nactation.exports.board import (
    HEIGHT,
    PALETTES,
    WIDTH,
    Home,
    Theme,
    board_png,
    board_svg,
    board_text,
)
from tests.backgammon.boards import board
from tests.golden.boards import BEAR_OFF, CASES, DOUBLED, FOLDER, HITS, OPENING, play_of
from tests.strategies import random_positions

SVG = "{http://www.w3.org/2000/svg}"
HOMES: tuple[Home, ...] = ("right", "left")
THEMES: tuple[Theme, ...] = ("light", "dark", "auto")


def random_states(count: int, seed: int) -> Iterator[tuple[GameState, Play | None]]:
    """Positions of random games with any cube, score and rules, and a legal play."""
    rng = random.Random(seed)
    for position, roll in random_positions(31 * count, seed)[::31]:  # of all stages
        length = rng.choice((0, 5, 25))
        state = GameState(
            position=position,
            player=rng.choice(tuple(Player)),
            roll=roll,
            cube=2 ** rng.randint(0, 7),
            owner=rng.choice((None, *Player)),
            score=(rng.randint(0, 24), rng.randint(0, 24)),
            length=length,
            crawford=length > 0 and rng.random() < 0.2,
            jacoby=not length,
        )
        plays = legal_plays(position, roll)
        yield state, rng.choice(plays) if plays else None


def seen_by(player: Player, state: GameState) -> Position:
    return state.position if player is state.player else state.position.switch_sides()


def of_class(root: ET.Element, kind: str) -> list[ET.Element]:
    return [element for element in root.iter() if f"-{kind} " in element.get("class", "") + " "]


def place(element: ET.Element) -> tuple[float, float]:
    x, y = element.get("x", element.get("cx")), element.get("y", element.get("cy"))
    return float(x or 0), float(y or 0)


def numbers(root: ET.Element) -> dict[tuple[float, bool], int]:
    """The number of the point at each distance from the left, in the upper or lower half."""
    (group,) = of_class(root, "number")
    return {
        (place(text)[0], place(text)[1] < HEIGHT / 2): int(text.text or "")
        for text in group.iter(f"{SVG}text")
    }


def read_side(root: ET.Element, side: str) -> tuple[list[int], int]:
    """The number of a side's checkers on each point of the drawing, and off."""
    points, off = [0] * (BAR + 1), 0
    key = numbers(root)
    for group in root.iter(f"{SVG}g"):
        if f"-{side}" not in group.get("class", "") or group.find(f"{SVG}rect") is not None:
            continue  # the other side's, or a die
        for circle in group.iter(f"{SVG}circle"):
            x, y = place(circle)
            points[key.get((x, y < HEIGHT / 2), BAR)] += 1
        for slabs in group.iter(f"{SVG}path"):
            off += slabs.get("d", "").count("M")
    for text in of_class(root, f"on-{side}"):
        x, y = place(text)
        point = key.get((x, y < HEIGHT / 2), BAR)
        if 70 < y < 490 and points[point] == 5 and (point != BAR or x == WIDTH / 2):
            points[point] = int((text.text or "").partition("+")[0])  # `7+1`: one arrives
    return points, off


@pytest.mark.parametrize(("home", "view"), list(product(HOMES, (None, *Player))))
def test_what_is_drawn_is_the_position(home: Home, view: Player | None) -> None:
    for state, play in random_states(60, seed=81):
        root = ET.fromstring(board_svg(state, play, home=home, view=view))
        viewer = state.player if view is None else view
        position = seen_by(viewer, state)
        own, off = read_side(root, viewer.name.lower())
        assert own == [max(n, 0) for n in position.points]
        assert off == position.off
        theirs, off = read_side(root, viewer.other.name.lower())
        assert [theirs[BAR], *theirs[1:BAR]] == [max(-n, 0) for n in position.points[:BAR]]
        assert off == position.opponent_off


def test_small_and_whole() -> None:
    for state, play in random_states(300, seed=82):
        svg = board_svg(state, play, players=("Ann & Co", "Ben"), width=640)
        assert len(svg.encode()) < 10_000
        assert ET.fromstring(svg).tag == f"{SVG}svg"


class Tags(HTMLParser):
    """The open tags by the rules of HTML, which may contain boards."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.open.append(tag)
        self.names.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_names_are_no_markup() -> None:
    svg = board_svg(OPENING, players=("<script>alert('1')</script>", "\"Ben\" & 'co' ]]>"))
    tags = Tags()
    tags.feed(svg)
    assert not tags.open
    assert set(tags.names) <= {
        *("svg", "title", "desc", "style", "g", "rect", "circle", "path", "text")
    }
    names = [text.text for text in of_class(ET.fromstring(svg), "name")]
    assert names == ["<script>alert('1')</script>", "\"Ben\" & 'co' ]]>"]


def described(svg: str) -> str:
    return ET.fromstring(svg).findtext(f"{SVG}desc") or ""


def test_long_names_are_cut_in_the_drawing_alone() -> None:
    name = "".join(random.Random(83).choices("abcdefgh ", k=500)).replace(" ", "i")
    svg = board_svg(OPENING, players=(name, "Ben"))
    first, second = (text.text or "" for text in of_class(ET.fromstring(svg), "name"))
    assert first == name[: len(first) - 1] + "\u2026"
    assert 20 < len(first) < 40
    assert second == "Ben"
    assert name in described(svg)


@pytest.mark.parametrize(
    "letter", ["W", "&", "\u6f22", "\U0001f3b2", "\u05e9", "e\u0301", "\u0301"]
)
def test_any_names_keep_it_small(letter: str) -> None:
    names = (letter * 500, letter * 499)
    for state, play in random_states(40, seed=84):
        assert len(board_svg(state, play, players=names).encode()) < 10_240
    texts = [
        text.text or "" for text in of_class(ET.fromstring(board_svg(HITS, players=names)), "name")
    ]
    assert all(text.endswith("\u2026") for text in texts)


def test_names_from_right_to_left() -> None:
    names = ("\u05d0\u05dc\u05d4", "\u202eBen\u2069")
    root = ET.fromstring(board_svg(OPENING, players=names))
    assert root.findtext(f"{SVG}title") == "\u2068\u05d0\u05dc\u05d4\u2069 to play 31."
    assert [text.text for text in of_class(root, "name")] == ["\u05d0\u05dc\u05d4", "Ben"]
    lines = board_text(OPENING, players=names).splitlines()
    assert (lines[0], lines[14]) == (" O  Ben", " X  \u05d0\u05dc\u05d4")


def test_names_with_what_xml_forbids() -> None:
    svg = board_svg(OPENING, players=("An\x00n\n\t B.", "Be\ud800n\ufffe"))
    names = [text.text for text in of_class(ET.fromstring(svg), "name")]
    assert names == ["An\ufffdn B.", "Be\ufffdn\ufffd"]


def test_title_and_description() -> None:
    play = play_of(OPENING, "8/5 6/5")
    root = ET.fromstring(board_svg(OPENING, play, players=("Ann", "Ben"), view=Player.SECOND))
    assert root.findtext(f"{SVG}title") == "Ann plays 31: 8/5 6/5."
    description = root.findtext(f"{SVG}desc") or ""
    assert description == board_text(OPENING, play, players=("Ann", "Ben"), view=Player.SECOND)
    assert str(OPENING.position.switch_sides()) in description
    assert description.endswith("O plays 31: 8/5 6/5, numbered from O")
    labels = (root.get("aria-labelledby") or "").split()
    assert labels == [root.find(f"{SVG}{tag}").get("id") for tag in ("title", "desc")]  # type: ignore[union-attr]
    assert root.get("role") == "img"


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (OPENING, "White to play 31."),
        (GameState(), "White to roll."),
        (DOUBLED, "Black is offered the cube at 4."),
        (GameState(board(p1=-1, p5=2)), "White to roll."),
        (GameState(board(p5=2)), "Black has borne off all checkers."),
    ],
)
def test_what_there_is_to_do(state: GameState, sentence: str) -> None:
    assert ET.fromstring(board_svg(state)).findtext(f"{SVG}title") == sentence


def test_many_boards_on_one_page() -> None:
    options = [(theme, home, view) for theme in THEMES for home in HOMES for view in Player]
    boards = [board_svg(STATE, theme=t, home=h, view=v) for t, h, v in options for STATE in STATES]
    boards.append(board_svg(OPENING, theme="light", home="right", view=Player.FIRST, key="again"))
    roots = [ET.fromstring(svg) for svg in boards]
    ids = [element.get("id") for root in roots for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids)) == 2 * len(boards)
    for root, (theme, *_) in zip(roots, [o for o in options for _ in STATES], strict=False):
        prefix = f"nb{theme[0]}"
        rules = root.findtext(f"{SVG}style") or ""
        assert set(re.findall(r"\.([a-z][\w-]*)", rules)) >= classes(root)
        assert all(name == prefix or name.startswith(f"{prefix}-") for name in classes(root))
        assert "http" not in rules
        assert "url(" not in rules
        # A rule that holds elsewhere on the page would reach out of the board.
        assert all(f".{prefix}" in rule for rule in re.findall(r"([^{}]+)\{[^{}]*\}", rules))


STATES = (OPENING, HITS)


def classes(root: ET.Element) -> set[str]:
    return {name for element in root.iter() for name in element.get("class", "").split()}


def test_both_homes_and_both_views() -> None:
    right, left = (numbers(ET.fromstring(board_svg(HITS, home=home))) for home in HOMES)
    assert left == {(WIDTH - x, above): point for (x, above), point in right.items()}
    assert max(right, key=lambda at: (right[at] == 1, at)) == (552, False)
    assert [right[x, False] for x in sorted(x for x, above in right if not above)] == [
        *range(12, 0, -1)
    ]
    assert [right[x, True] for x in sorted(x for x, above in right if above)] == [*range(13, 25)]
    first, second = (ET.fromstring(board_svg(HITS, view=view)) for view in Player)
    assert numbers(first) == numbers(second) == right
    for kind in ("first", "second"):
        up, down = (
            sorted(place(circle) for circle in of_class(root, kind)[0].iter(f"{SVG}circle"))
            for root in (first, second)
        )
        assert up == sorted((x, HEIGHT - y) for x, y in down)


def test_the_cube() -> None:
    def cube(state: GameState, home: Home = "right") -> tuple[str | None, float, float]:
        root = ET.fromstring(board_svg(state, view=Player.FIRST, home=home))
        (square,) = of_class(root, "cube")
        x, y = (at + 17 for at in place(square))
        (value,) = [t.text for t in of_class(root, "on-first") if place(t) == (x, y + 7)]
        return value, x, y

    middle = HEIGHT / 2
    assert cube(OPENING) == ("1", 27, middle)
    assert cube(HITS) == ("4", 27, 474)
    assert cube(HITS, "left") == ("4", WIDTH - 27, 474)
    assert cube(GameState(owner=Player.SECOND, cube=1024)) == ("1024", 27, HEIGHT - 474)
    value, x, y = cube(DOUBLED)  # on the field, in front of the player who answers
    assert (value, y) == ("4", middle)
    assert 60 < x < 280
    assert not of_class(ET.fromstring(board_svg(BEAR_OFF)), "cube")  # none in a Crawford game


def test_dice_pips_score_and_length() -> None:
    root = ET.fromstring(board_svg(HITS))
    dots = [pip.get("d", "").count("M") for pip in of_class(root, "pip")]
    assert dots == [5, 5]
    assert [text.text for text in of_class(root, "pips")] == ["pips 225", "pips 173"]
    assert of_class(root, "on-first")[0].text == "9"
    assert of_class(root, "on-second")[0].text == "10"
    assert "11 point match" in [text.text for text in of_class(root, "note")]
    root = ET.fromstring(board_svg(BEAR_OFF))
    assert "5 points, Crawford" in [text.text for text in of_class(root, "note")]
    assert [pip.get("d", "").count("M") for pip in of_class(root, "pip")] == [6, 5]
    root = ET.fromstring(board_svg(GameState()))
    assert not of_class(root, "pip") + of_class(root, "note") + of_class(root, "on-first")[1:]


def test_the_states_are_of_all_stages() -> None:
    positions = [state.position for state, _ in random_states(60, seed=81)]
    assert any(position.off for position in positions)
    assert any(position.opponent_off for position in positions)
    assert any(position.bar > 1 for position in positions)
    assert any(max(position.points) > 5 for position in positions)


@pytest.mark.parametrize("view", [None, *Player])
def test_arrows_lead_from_point_to_point(view: Player | None) -> None:
    for state, play in random_states(80, seed=85):
        if play is None:
            continue
        root = ET.fromstring(board_svg(state, play, view=view))
        key = {point: x for (x, _), point in numbers(root).items()} | {
            BAR: WIDTH / 2,
            0: WIDTH - 27,
        }
        hops = parse_hops(format_play(play))
        (path,) = of_class(root, "arrow")
        shafts = re.findall(r"M(\d+) (\d+)Q\S+ \S+ (\d+) (\d+)", path.get("d", ""))
        assert len(shafts) == len(hops)
        for (x1, _, x2, _), hop in zip(shafts, hops, strict=True):
            assert abs(int(x1) - key[hop.source]) <= 15
            assert abs(int(x2) - key[hop.target]) <= 21
        circles = [place(c) for side in of_class(root, side_of(state)) for c in side]
        starts = set()
        for (x1, y1, *_), hop, earlier in zip(shafts, hops, [None, *hops], strict=False):
            if earlier and earlier.target == hop.source:
                continue
            start = (int(x1), int(y1))
            assert min(abs(x - start[0]) + abs(y - start[1]) for x, y in circles) <= 20
            assert start not in starts or state.position.points[hop.source] > 5
            starts.add(start)
        crosses = "".join(path.get("d", "") for path in of_class(root, "hit"))
        assert crosses.count("M") == sum(hop.hits for hop in hops)


def test_a_checker_that_goes_on_after_a_hit() -> None:
    root = ET.fromstring(board_svg(HITS, play_of(HITS, "bar/20*/15* bar/20 13/8")))
    assert len(of_class(root, "ring")) == 2  # on 20 and 8; 15 has the mark of a hit
    text = board_svg(BEAR_OFF, play_of(BEAR_OFF, "3/off(2)"))
    assert not of_class(ET.fromstring(text), "ring")


def shafts(root: ET.Element) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The start and end of each arrow's shaft."""
    (path,) = of_class(root, "arrow")
    numbers = re.findall(r"M(\d+) (\d+)Q\d+ \d+ (\d+) (\d+)", path.get("d", ""))
    return [((int(a), int(b)), (int(c), int(d))) for a, b, c, d in numbers]


@pytest.mark.parametrize("view", Player)
def test_arrows_of_checkers_that_go_the_same_way_do_not_cross(view: Player) -> None:
    """The one that begins higher on the screen ends higher."""
    state = GameState(STANDARD, roll=Roll(4, 4))
    root = ET.fromstring(board_svg(state, play_of(state, "24/20(2) 13/9(2)"), view=view))
    ways = shafts(root)
    for pair in (ways[:2], ways[2:]):
        begins, ends = zip(*pair, strict=True)
        assert (begins[0][1] > begins[1][1]) == (ends[0][1] > ends[1][1])


def test_a_checker_that_comes_to_lie_on_a_full_stack() -> None:
    """It has no room for a ring, so the number shows it."""
    state = GameState(STANDARD, roll=Roll(2, 2))
    root = ET.fromstring(board_svg(state, play_of(state, "8/6(2) 13/11(2)")))
    rings = [place(ring) for ring in of_class(root, "ring")]
    checkers = [place(circle) for circle in root.iter(f"{SVG}circle") if not circle.get("class")]
    assert len(rings) == 2  # on the 11pt
    assert not set(rings) & set(checkers)
    assert "5+2" in [text.text for text in of_class(root, "on-first")]


def test_dice_and_words_lie_upon_the_arrows() -> None:
    state = GameState(STANDARD, roll=Roll(5, 5), length=7)
    shapes = list(ET.fromstring(board_svg(state, play_of(state, "13/3(2)"))))
    names = [element.get("class", "") for element in shapes]
    arrows = max(at for at, name in enumerate(names) if "arrow" in name)
    dice = [at for at, shape in enumerate(shapes) if shape.find(f"{SVG}rect") is not None]
    words = [at for at, shape in enumerate(shapes) if shape.text == "7 point match"]
    assert len(dice) == 2
    assert len(words) == 1
    assert min(*dice, *words) > arrows


def test_a_play_of_another_board() -> None:
    play = play_of(OPENING, "8/5 6/5")
    for state in (HITS, GameState(roll=Roll(6, 5))):
        with pytest.raises(IllegalError, match="another board"):
            board_svg(state, play)
        with pytest.raises(IllegalError, match="another board"):
            board_text(state, play)
    assert "plays 31" in board_text(GameState(), play)


def side_of(state: GameState) -> str:
    return state.player.name.lower()


def luminance(colour: str) -> float:
    """As WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(colour: str, ground: str) -> float:
    low, high = sorted((luminance(colour), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", PALETTES)
def test_contrast(theme: str) -> None:
    colours = PALETTES[theme]
    for text, ground in (("text", "page"), ("number", "frame"), ("white", "black")):
        assert contrast(colours[text], colours[ground]) >= 7
    for ground in ("field", "pale", "deep"):
        for checker, edge in (("white", "rim"), ("black", "edge")):
            best = max(contrast(colours[part], colours[ground]) for part in (checker, edge))
            assert best >= 3
    assert contrast(colours["note"], colours["field"]) >= 4.5
    for mark in ("arrow", "hit"):
        assert contrast(colours[mark], colours["halo"]) >= 3


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    assert CASES[name]() + "\n" == (FOLDER / name).read_text(encoding="utf-8")


def test_the_text_board_from_either_side() -> None:
    own, theirs = (
        board_text(HITS, view=view).splitlines() for view in (Player.SECOND, Player.FIRST)
    )
    assert own[:13] == str(HITS.position).splitlines()
    assert theirs[:13] == str(HITS.position.switch_sides()).splitlines()
    score = " Score: X 10, O 9, 11 point match"
    assert own[14:] == [score, " Cube: 4, owned by O", " X to play 55"]
    score = " Score: X 9, O 10, 11 point match"
    assert theirs[14:] == [score, " Cube: 4, owned by X", " O to play 55"]


def test_no_trailing_blanks() -> None:
    for state, play in random_states(50, seed=86):
        lines = board_text(state, play, players=("", "Ben")).splitlines()
        assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("theme", THEMES)
def test_png(theme: Theme) -> None:
    pytest.importorskip("resvg_py")
    play = play_of(HITS, "bar/20*/15* bar/20 13/8")
    data = board_png(HITS, play, theme=theme, home="left", players=("<Ann>", "&"), width=310)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert [int.from_bytes(data[a:b], "big") for a, b in pairwise((16, 20, 24))] == [310, 280]
    assert len(data) > 5000  # not empty


def test_png_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(NactationError, match=re.escape('pip install -e ".[png]"')):
        board_png(GameState(STANDARD))
