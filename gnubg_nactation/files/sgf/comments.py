"""Adds our own lines to the comments of a match in SGF; all other bytes stay the same."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gnubg_nactation.backgammon.match import count_moves, place_name
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.files.sgf.records import SgfRecord
from gnubg_nactation.files.sgf.tree import (
    Edit,
    Node,
    apply_edits,
    escape,
    find_property,
    format_property,
    unescape,
)
from gnubg_nactation.showing import quoted

# A line of a raw value and its end; an escaped line end does not end it.
_LINE = re.compile(rb"([^\\\r\n]*(?:\\(?:\r\n|\n\r|.)[^\\\r\n]*)*)(\r\n|\n\r|\n|\r|\Z)", re.DOTALL)


def with_comment_lines(
    record: SgfRecord, prefix: str, lines: Mapping[tuple[int, int], str | None]
) -> bytes:
    """Return the record's bytes with one line of ours in the comment of each action in `lines`.

    The keys are (game, action), both from 0. Every line must begin with `prefix`. It replaces the
    line with this prefix in the comment (any further ones are removed), or else comes first. None
    removes our line, and an empty comment with it. If a node has several comments, the line goes
    into the one that gnubg reads, the first value of the last C. Writing the same lines twice
    changes nothing.
    Raises MalformedError if a line lacks the prefix, has a line end or cannot be encoded, and
    IllegalError if an action has no node.
    """
    edits: dict[int, Edit] = {}
    head = _encode(prefix, record.encoding)
    for (game, action), line in lines.items():
        node = record.nodes[game][action]
        if node is None:
            players = [each.player for each in record.match.games[game].actions]
            place = place_name(game + 1, count_moves(players)[action], players[action])
            raise IllegalError(f"{place} has no node for {line and quoted(line)}")
        if line is not None and not (prefix and line.startswith(prefix)):
            raise MalformedError(f"not a line that begins with {prefix!r}: {quoted(line)}")
        new = None if line is None else _encode(line, record.encoding)
        edits[node.start] = _edit_comment(record.data, node, head, new)
    return apply_edits(record.data, edits.values())


def _encode(line: str, encoding: str) -> bytes:
    if "\n" in line or "\r" in line:
        raise MalformedError(f"more than one line: {quoted(line)}")
    try:
        return line.encode(encoding)
    except UnicodeError:
        raise MalformedError(f"cannot be written in {encoding}: {quoted(line)}") from None


def _edit_comment(data: bytes, node: Node, prefix: bytes, line: bytes | None) -> Edit:
    comment = find_property(node, b"C")
    if comment is None:
        text = b"" if line is None else format_property(b"C", [escape(line)])
        return Edit(node.end, node.end, text)
    old = comment.values[0]
    new = _edit_lines(old, prefix, line)
    if old and not new and len(comment.values) == 1:
        return Edit(comment.start, comment.end, b"")
    start = data.index(b"[", comment.start) + 1
    return Edit(start, start + len(old), new)


def _edit_lines(raw: bytes, prefix: bytes, line: bytes | None) -> bytes:
    lines = _split_lines(raw)
    ours = [at for at, (body, _) in enumerate(lines) if unescape(body).startswith(prefix)]
    if not ours:
        if line is None or not raw:
            return raw if line is None else escape(line)
        return escape(line) + (lines[0][1] or b"\n") + raw
    if line is not None:
        first = ours.pop(0)
        body, end = lines[first]
        new = escape(line)
        lines[first] = (body if unescape(body) == unescape(new) else new, end)
    removed = set(ours)
    remaining = [pair for at, pair in enumerate(lines) if at not in removed]
    if remaining and len(lines) - 1 in removed:
        remaining[-1] = (remaining[-1][0], b"")  # the last line has no line end
    return b"".join(body + end for body, end in remaining)


def _split_lines(raw: bytes) -> list[tuple[bytes, bytes]]:
    """Split into lines with their ends; the last line, perhaps empty, has no end."""
    lines = _LINE.findall(raw)
    return lines[: 1 + next(at for at, (_, end) in enumerate(lines) if not end)]
