"""What is copied from the page: posts as `nactate post` writes them, the board as a picture."""

from __future__ import annotations

import base64
import os
from functools import cache

import pytest

from gnubg_nactation.annotation import AnnotatedMatch, annotate
from gnubg_nactation.backgammon.match import Match
from gnubg_nactation.exports.card import Frame, animated_png
from gnubg_nactation.exports.page.html import format_html
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.files import formats
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.tasks import subjects
from tests.cli.running import SAMPLES, run
from tests.exports.pages import read

if not os.environ.get("CI"):
    pytest.importorskip("selenium", reason="selenium is not installed")

from tests.browser.reader import Reader

# Of each step from the first on the post for a site, the next site for the next step; null where
# the page offers none.
POSTS = """
    const [sites, all] = arguments;
    const found = [];
    let now;
    navigator.clipboard.writeText = async (text) => { now = text; };
    for (let last = ''; last !== location.hash;) {
      last = location.hash;
      const button = document.querySelector('[data-copy=post]');
      for (const at of all ? sites.keys() : [found.length % sites.length]) {
        document.querySelector('#site').value = sites[at];
        now = null;
        button.click();
        found.push([last.slice(1), sites[at], button.disabled ? null : now]);
      }
      document.querySelector('[data-step=next]').click();
    }
    return found;
"""


@pytest.fixture
def one_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reads and annotates each file once."""
    original = formats.read

    @cache
    def matches(data: bytes, encoding: str | None = None) -> tuple[Match, ...]:
        return original(data, encoding)

    cache_by_id: dict[int, AnnotatedMatch] = {}

    def annotated(match: Match) -> AnnotatedMatch:
        return cache_by_id.setdefault(id(match), cache_by_id.get(id(match)) or annotate(match))

    monkeypatch.setattr(formats, "read", matches)
    monkeypatch.setattr(subjects, "annotate", annotated)


@pytest.mark.usefixtures("one_reading")
@pytest.mark.parametrize("name", ["match-3pt-analysed.sgf", "money-raccoon.sgf", "match-7pt.mat"])
def test_posts_are_those_of_the_command(reader: Reader, name: str) -> None:
    reader.open("#g1", page=format_html(read(name)))
    posts = reader.run(POSTS, [*TARGETS], False)
    assert sum(text is not None for *_, text in posts) > len(posts) / 2
    for anchor, site, text in posts:
        if text is None:
            continue
        place, cube, _ = anchor.partition("c")
        options = ["--to", site, *["--cube"] * bool(cube)]
        ran = run("post", *options, "--engine", "none", "--spoiler", f"{SAMPLES / name}#{place}")
        if ran.status:
            ran = run("post", *options, f"{SAMPLES / name}#{place}")  # nobody knows the answer
        assert text == ran.out, (anchor, site)


def test_a_picture_is_saved_where_it_cannot_be_copied(reader: Reader) -> None:
    reader.open("#1.2b", page=format_html(read("match-1pt.mat")))
    script = """
        const done = arguments[0];
        navigator.clipboard.write = () => Promise.reject(new Error('not here'));
        HTMLAnchorElement.prototype.click = function () {
          done([this.download, this.href.split(':')[0]]);
        };
        document.querySelector('[data-copy=picture]').click();
    """
    assert reader.browser.execute_async_script(script) == ["1.2b.png", "blob"]
    reader.open_menus()
    assert reader.find("#copied").text == "Saved as 1.2b.png"


def test_a_picture_has_the_colours_of_the_board(reader: Reader) -> None:
    """On the page checkers and frame have paint that the picture cannot refer to."""
    reader.open("#1.2b", page=format_html(read("match-1pt.mat")))
    script = """
        const [x, y, done] = arguments;
        navigator.clipboard.write = async ([item]) => {
          const bitmap = await createImageBitmap(await item.getType('image/png'));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const drawing = canvas.getContext('2d', { willReadFrequently: true });
          drawing.drawImage(bitmap, 0, 0);
          done([[x, y], [310, 60]].map(([left, top]) => (
            [...drawing.getImageData(2 * left, 2 * top, 1, 1).data])));
        };
        document.querySelector('[data-copy=picture]').click();
    """
    white = reader.find("#board .nbl-first circle[cy]")
    at = [int(str(white.get_attribute(name))) for name in ("cx", "cy")]
    checker, frame = reader.browser.execute_async_script(script, *at)
    assert checker == [255, 250, 240, 255]  # of the green board
    assert frame == [59, 40, 32, 255]


# How many frames the browser finds in a picture, and for how many milliseconds it shows each.
FRAMES = """
    const [base64, done] = arguments;
    (async () => {
      const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const decoder = new ImageDecoder({ type: 'image/png', data });
      await Promise.all([decoder.tracks.ready, decoder.completed]);
      const { frameCount } = decoder.tracks.selectedTrack;
      const durations = [];
      for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) {
        const { image } = await decoder.decode({ frameIndex });
        durations.push(image.duration / 1000);
        image.close(); // the browser complains of those that it has to collect
      }
      return durations;
    })().then(done, (error) => done(String(error)));
"""


def test_the_browser_shows_the_frames_of_an_animated_card(reader: Reader) -> None:
    pytest.importorskip("resvg_py")
    turn = decode("31P").turns[0]
    frames = [Frame(turn.state, play, [("31P", "31P")]) for play in (turn.play, None)]
    data = base64.b64encode(animated_png(frames)).decode()
    reader.open()
    assert reader.browser.execute_async_script(FRAMES, data) == [1600, 4000]
