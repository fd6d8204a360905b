"""A decision as a picture in the form of a card, and a sequence as an animated picture (APNG)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from struct import pack

from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.decisions.decision import (
    Decision,
    Names,
    cube_words,
    question,
    right_actions,
    score_words,
    token,
)
from gnubg_nactation.decisions.severity import points, points_lost
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.board import (
    HEIGHT,
    PALETTES,
    WIDTH,
    Theme,
    board_svg,
    png_of,
    shorten,
    width_of,
)
from gnubg_nactation.language.alphabet import Diacritic
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.showing import shown, shown_lines
from gnubg_nactation.values import NamedTuple
from gnubg_nactation.writing.colours import colour_text
from gnubg_nactation.writing.spelling import escape

FONT = 'system-ui,"Segoe UI",Roboto,"DejaVu Sans",Arial,sans-serif'
_LETTER = 0.62  # width of a wide small letter, as part of the font size
_LEADING = 1.3  # line height, as part of the font size
_MAX_LINES = 3  # of a sequence, whose end matters most
_RIGHT, _WRONG = {"light": "#1a7f37", "dark": "#5fd38d"}, {"light": "#c0202c", "dark": "#ff7b80"}


class _Place(NamedTuple):
    """The layout of a card: its size, its width in pixels, the board, and columns for words."""

    width: int
    height: int
    pixels: int
    board: tuple[int, int, int]  # left, top, width
    words: tuple[int, int, int]
    answer: tuple[int, int, int] | None  # None: below the words


_WIDE = _Place(1200, 630, 1200, (24, 20, 653), (706, 36, 470), None)
_SQUARE = _Place(1200, 1200, 1080, (130, 20, 940), (40, 890, 540), (620, 890, 540))


class _Line(NamedTuple):
    """A line of a card, plain to measure it and as SVG; `ends` is right-aligned."""

    text: str
    svg: str
    size: int
    bold: bool = False
    colour: str = ""
    ends: str = ""


def card_svg(
    decision: Decision,
    *,
    players: Names | None = None,
    tokens: Sequence[tuple[str, str]] = (),
    where: str = "",
    square: bool = False,
    theme: Theme = "light",
) -> str:
    """A decision as a picture, 1,200 by 630 or square, with the answer if it has choices.

    The `tokens` of the sequence that led there are plain and in `spell_svg`; `where` is the place
    in a match. Raises IllegalError as `board_svg` does.
    """
    theme = "dark" if theme == "dark" else "light"
    place, palette = _SQUARE if square else _WIDE, PALETTES[theme]
    names = players and (_short(players[0]), _short(players[1]))
    state, choices = decision.state, decision.choices
    left, top, width = place.board
    height = round(width * HEIGHT / WIDTH)
    sides = ("X", "O") if state.player is Player.FIRST else ("O", "X")
    play = choices[0].play if choices else None
    svg = board_svg(state, play, theme=theme, players=players or sides)
    at = f'<svg x="{left}" y="{top}" width="{width}" height="{height}" '
    board = svg.replace("<svg ", at, 1)
    about = state, names, tokens, where
    words, answer = (
        [*_words(*about, place.words[2])],
        [*_answer(decision, theme, (place.answer or place.words)[2])],
    )
    if place.answer is None:
        words, answer = [*words, *answer], []
    elif not answer:
        words = [*_words(*about, 2 * place.words[2])]
    texts = "".join(_column(words, place.words, place.height, palette["text"]))
    if place.answer:
        texts += "".join(_column(answer, place.answer, place.height, palette["text"]))
    tall = place.pixels * place.height // place.width
    size = f'width="{place.width}" height="{place.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{place.pixels}" height="{tall}" '
        f'viewBox="0 0 {place.width} {place.height}" role="img">'
        f'<rect {size} fill="{palette["page"]}" />{board}'
        f"<g font-family='{FONT}'>{texts}</g></svg>"
    )


def spell_svg(nactation: Nactation) -> str:
    """The Nactation in its style, as SVG."""
    character, italic, bold, colour = nactation.look
    styles = {
        'font-style="italic"': italic,
        'font-weight="700"': bold,
        'text-decoration="underline"': nactation.mark is Diacritic.UNDERLINE,
        f'fill="{colour_text(colour) if colour else ""}"': colour,
    }
    attributes = " ".join(style for style, applies in styles.items() if applies)
    text = escape(character)
    if attributes:
        text = f"<tspan {attributes}>{text}</tspan>"
    return text + "." * (nactation.mark is Diacritic.DOT)


def _short(name: str) -> str:
    return shorten(shown(" ".join(name.split())))


def _words(
    state: GameState,
    names: Names | None,
    tokens: Sequence[tuple[str, str]],
    where: str,
    room: int,
) -> Iterator[_Line]:
    """The question, the score, the place in a match, and the sequence."""
    for line in _wrapped(_escaped(question(state, names)), room, 34):
        yield line._replace(bold=True)
    for text in filter(None, (f"{score_words(state)}; {cube_words(state, names)}", where)):
        yield from _wrapped(_escaped(text), room, 24)
    lines = [*_wrapped(tokens, room, 28, between="-")]
    if len(lines) > _MAX_LINES:
        first, *others = lines[-_MAX_LINES:]
        lines = [first._replace(text=f"\u2026{first.text}", svg=f"\u2026{first.svg}"), *others]
    yield from lines


def _escaped(text: str) -> list[tuple[str, str]]:
    return [(word, escape(word)) for word in text.split()]


def _answer(decision: Decision, theme: str, room: int) -> Iterator[_Line]:
    if right := right_actions(decision):
        yield _Line(right, escape(right), 28, bold=True)
    for choice, is_made, details in decision.details():
        colour = "" if choice.loss and not is_made else (_WRONG if choice.loss else _RIGHT)[theme]
        equity = "" if choice.equity is None else points(choice.equity)
        ends = points_lost(choice.loss) if choice.loss else equity
        plain = f"{'22E_ ' if choice.name else ''}{choice.text}"  # as wide as any
        svg = token(choice, spell_svg) + escape(choice.text)
        if details:
            plain, svg = f"{plain}, {details}", f"{svg}, {escape(details)}"
        yield _Line(plain, svg, 24, not choice.loss, colour, ends)
    if decision.source:
        yield _Line(decision.source, escape(decision.source), 20)
    for line in shown_lines(decision.note).splitlines():
        yield from _wrapped(_escaped(line), room, 19)


def _wrapped(
    words: Sequence[tuple[str, str]], room: int, size: int, between: str = " "
) -> Iterator[_Line]:
    """Words, plain and as SVG, in lines that fit the room."""
    max_width = room / (size * _LETTER)
    line: list[tuple[str, str]] = []
    for at, (plain, svg) in enumerate(words):
        ends = between if at + 1 < len(words) else ""
        if line and width_of("".join(word for word, _ in line) + plain) > max_width:
            yield _line(line, size)
            line = []
        line.append((plain + ends, svg + ends))
    if line:
        yield _line(line, size)


def _line(words: Sequence[tuple[str, str]], size: int) -> _Line:
    return _Line(
        "".join(text for text, _ in words).rstrip(), "".join(svg for _, svg in words), size
    )


def _column(
    lines: Sequence[_Line], column: tuple[int, int, int], height: int, colour: str
) -> Iterator[str]:
    """The lines below one another, with a gap where the size changes; the rest is left out."""
    left, y, width = column
    size = 0
    for line in lines:
        y += round(line.size * (_LEADING if line.size == size else _LEADING + 0.5 * bool(size)))
        if y > height - 16:
            return
        size = line.size
        room = width - (6.5 * size * _LETTER if line.ends else 0)
        fitting = min(size, int(room / (_LETTER * max(width_of(line.text), 1))))
        attributes = f'font-size="{fitting}" fill="{line.colour or colour}"'
        attributes += ' font-weight="700"' * line.bold
        yield f'<text x="{left}" y="{y}" {attributes}>{line.svg.rstrip()}</text>'
        if line.ends:
            ends = escape(line.ends)
            yield f'<text x="{left + width}" y="{y}" text-anchor="end" {attributes}>{ends}</text>'


MAX_FRAMES = 60  # the last turns of a longer sequence
_MAX_MOVING_BYTES = 8_000_000  # chats refuse larger pictures
_MILLISECONDS, _LAST_MILLISECONDS = 1600, 4000  # how long a frame stays
_FOOT = 56  # below the board, for the tokens
_SIZE = 30  # of the tokens
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Frame(NamedTuple):
    """A board with the play made, and the tokens up to it, plain and in `spell_svg`."""

    state: GameState
    play: Play | None
    tokens: Sequence[tuple[str, str]]


def animated_png(
    frames: Sequence[Frame], *, players: Names | None = None, theme: Theme = "light"
) -> bytes:
    """The last `MAX_FRAMES` frames, shown one after the other for ever, from the first player.

    Raises NactationError without the extra `png`, and IllegalError if the picture is too large.
    """
    pictures = [png_of(_frame_svg(frame, players, theme)) for frame in frames[-MAX_FRAMES:]]
    data = assemble(pictures, [*[_MILLISECONDS] * (len(pictures) - 1), _LAST_MILLISECONDS])
    if len(data) > _MAX_MOVING_BYTES:
        size = f"{len(data) / 1e6:.0f} MB, more than {_MAX_MOVING_BYTES / 1e6:.0f}"
        raise IllegalError(f"the animation would have {size}: name a shorter sequence")
    return data


def assemble(pictures: Sequence[bytes], milliseconds: Sequence[int]) -> bytes:
    """PNG pictures of one size and kind as an APNG; `milliseconds` are those of each picture."""
    chunks = [list(_chunks_of(picture)) for picture in pictures]
    heads = {data for picture in chunks for kind, data in picture if kind == b"IHDR"}
    if len(heads) != 1:
        raise ValueError("the pictures differ in size or kind")
    (head,) = heads
    parts = [_chunk(b"IHDR", head), _chunk(b"acTL", pack(">II", len(pictures), 0))]
    number = 0
    for at, (picture, time) in enumerate(zip(chunks, milliseconds, strict=True)):
        # A whole frame: its size, no offset, its time in thousandths of a second.
        control = pack(">I", number) + head[:8] + pack(">IIHHBB", 0, 0, time, 1000, 0, 0)
        parts.append(_chunk(b"fcTL", control))
        number += 1
        for data in (data for kind, data in picture if kind == b"IDAT"):
            if at:
                parts.append(_chunk(b"fdAT", pack(">I", number) + data))
                number += 1
            else:
                parts.append(_chunk(b"IDAT", data))
    return _SIGNATURE + b"".join(parts) + _chunk(b"IEND", b"")


def _chunks_of(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG: kind and data."""
    at = len(_SIGNATURE)
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length  # with the length, the kind and the checksum


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


def _frame_svg(frame: Frame, players: Names | None, theme: Theme) -> str:
    palette = PALETTES["dark" if theme == "dark" else "light"]
    board = board_svg(frame.state, frame.play, theme=theme, view=Player.FIRST, players=players)
    at = f'<svg x="0" y="0" width="{WIDTH}" height="{HEIGHT}" '
    size = f'width="{WIDTH}" height="{HEIGHT + _FOOT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        f'<rect {size} fill="{palette["page"]}" />{board.replace("<svg ", at, 1)}'
        f'<text x="22" y="{HEIGHT + 32}" font-family=\'{FONT}\' font-size="{_SIZE}" '
        f'fill="{palette["text"]}">{_last_tokens(frame.tokens)}</text></svg>'
    )


def _last_tokens(tokens: Sequence[tuple[str, str]]) -> str:
    """As many of the last tokens as fit into the line, as SVG."""
    room = (WIDTH - 44) / (_SIZE * _LETTER)
    shown: list[str] = []
    for plain, svg in reversed(tokens):
        room -= width_of(f"{plain}-")
        if room < 0:
            return "-".join(["\u2026", *shown])
        shown.insert(0, svg)
    return "-".join(shown)
