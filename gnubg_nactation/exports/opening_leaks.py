"""Opening leaks as text and as JSON."""

from __future__ import annotations

from gnubg_nactation.archive.opening_leaks import OpeningLeak, OpeningLeaks
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.decisions.severity import points_lost
from gnubg_nactation.nacbracs.score import describe_score
from gnubg_nactation.showing import counted, rounded, shown
from gnubg_nactation.values import Any

_NOT_LISTED = "\u2260"


def opening_leaks_text(leaks: OpeningLeaks) -> str:
    """The section of the openings; empty if the book has none of the plays."""
    if not leaks.plays:
        return ""
    lines = ["", openings_head(leaks)]
    rows = [(f"{leak.times} of {leak.faced}", _each(leak), _words(leak)) for leak in leaks.leaks]
    width = max((len(times) for times, *_ in rows), default=0)
    if rows:
        lines.append(f"  {'times':>{width}}   each")
    lines += [f"  {times:>{width}}  {each:>5}  {words}" for times, each, words in rows]
    if any(leak.loss is None for leak in leaks.leaks):
        lines.append(f"{_NOT_LISTED}: the book does not list the play; it loses more")
    return "".join(f"{line}\n" for line in lines)


def openings_head(leaks: OpeningLeaks) -> str:
    """The heading of the section, with the source and the totals."""
    source = f"{shown(leaks.source)}, {describe_score(leaks.score)}"
    total = f"{leaks.wrong} of {counted(leaks.plays, 'play')} not the best"
    if leaks.lost:
        total += f", {points_lost(leaks.lost)} in all"
    return f"Openings by the book ({source}): {total}"


def _each(leak: OpeningLeak) -> str:
    return _NOT_LISTED if leak.loss is None else points_lost(leak.loss)


def _words(leak: OpeningLeak) -> str:
    """The play in its sequence, and the best: `31P-42Z where P is best`."""
    return f"{leak.line.sequence}{leak.made} where {leak.line.plays[0][0]} is best"


def opening_leaks_view(leaks: OpeningLeaks) -> dict[str, Any]:
    """The opening leaks as JSON; losses are in points."""
    return {
        "source": leaks.source,
        "score": leaks.score,
        "plays": leaks.plays,
        "wrong": leaks.wrong,
        "lost": rounded(leaks.lost),
        "leaks": [
            {
                "sequence": leak.line.sequence,
                "position_id": format_position_id(leak.line.state.position),
                "made": leak.made,
                "play": leak.play,
                "best": str(leak.line.plays[0][0]),
                "times": leak.times,
                "faced": leak.faced,
                "loss": rounded(leak.loss),
            }
            for leak in leaks.leaks
        ],
    }
