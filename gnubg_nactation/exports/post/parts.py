"""Split posts into parts, for sites that limit the number of characters.

Each part can be sent alone: a long block or spoiler becomes several, and a long sequence is cut at
a hyphen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gnubg_nactation.exports.post.targets import Target

CUT = "-------- 8< -------- part {} of {}"

_FENCE = "```\n"
_SPOILER = "||"
_HEADING = "### "
# Must not be cut: words and tokens, each with the blank or hyphen after it.
_SIGNS = re.compile(r"\\.|.", re.DOTALL)
_WORDS = re.compile(r"(?:\\.|[^\s\\-])*(?:[\s-]|\Z|\\\Z)")


def as_post(blocks: Sequence[str], target: Target) -> str:
    """The blocks as a post; in parts with a line between them if the site has a limit."""
    if target.longest is None:
        return "\n".join(blocks)
    parts = in_parts(blocks, target.longest)
    return "\n".join(
        f"{CUT.format(at, len(parts))}\n\n{part}" if at > 1 else part
        for at, part in enumerate(parts, 1)
    )


def size(text: str) -> int:
    """The number of characters of a text for Discord, which counts some twice."""
    return len(text) + sum(character > "\uffff" for character in text)


def in_parts(blocks: Iterable[str], longest: int) -> list[str]:
    """The blocks in as few parts as possible; a heading stays with the block below it."""
    pieces: list[str] = []
    room = longest  # left by the headings before a block
    for block in blocks:
        heading = block.startswith(_HEADING)
        pieces += _cut(block, longest if heading else room)
        room = max(room - size(block) - 1, longest // 2) if heading else longest
    parts: list[str] = []
    for at, piece in enumerate(pieces):
        end = at + 1
        while end < len(pieces) and pieces[end - 1].startswith(_HEADING):
            end += 1
        together = "\n".join(pieces[at:end])
        if (parts and size(f"{parts[-1]}\n{together}") <= longest) or (
            at and pieces[at - 1].startswith(_HEADING) and size(f"{parts[-1]}\n{piece}") <= longest
        ):
            parts[-1] += f"\n{piece}"
        else:
            parts.append(piece)
    return parts


def _cut(block: str, longest: int) -> Iterator[str]:
    """The block, or several that are short enough."""
    if size(block) <= longest:
        yield block
        return
    begins = ends = ""
    inside = block.removesuffix("\n")
    if block.startswith(_FENCE):
        begins, ends = _FENCE, "\n```"
    elif block.startswith(_HEADING):
        begins = _HEADING
    elif inside.endswith(_SPOILER):
        begins, ends = block[: block.index(_SPOILER) + 2], _SPOILER
    inside = inside.removeprefix(begins).removesuffix(ends)
    room = longest - size(f"{begins}{ends}\n")
    for piece in _filled(_lines(inside, room), room):
        yield f"{begins}{piece}{ends}\n"


def _lines(text: str, room: int) -> Iterator[str]:
    """The lines of a text with their ends; long ones are cut at words and tokens."""
    for line in text.splitlines(keepends=True):
        if size(line.rstrip("\n")) <= room:
            yield line
            continue
        for word in _WORDS.findall(line):
            signs = _SIGNS.findall(word) if size(word) > room else [word]
            for at in range(0, len(signs), room // 2):  # each has two characters at most
                yield "".join(signs[at : at + room // 2])


def _filled(texts: Iterable[str], room: int) -> Iterator[str]:
    """Join texts up to `room` characters each, without blanks and line ends at the end."""
    filled = ""
    for text in texts:
        if filled and size((filled + text).rstrip()) > room:
            yield filled.rstrip()
            filled = ""
        filled += text
    if filled.strip():
        yield filled.rstrip()
