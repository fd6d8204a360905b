"""The analyses that XG and gnubg copy, among the findings of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.files.copied import Copied, read_copied
from gnubg_nactation.prose.findings import Finding, Kind
from gnubg_nactation.sequences.assumption import Confidence

_EQUITY = re.compile(r"[.,]\d\d")  # every analysis has one


def with_analyses(text: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with each copied analysis in the place of its position."""
    if not _EQUITY.search(text):
        return tuple(findings)
    positions = [copied for copied in read_copied(text) if copied.has_analysis or copied.problems]
    if not positions:
        return tuple(findings)
    kept = [finding for finding in findings if not _is_part(finding, positions)]
    kept += [_finding(text, copied) for copied in positions]
    return tuple(sorted(kept, key=attrgetter("start")))


def _is_part(finding: Finding, positions: Sequence[Copied]) -> bool:
    """Whether a finding is in the ID or the numbers of an analysis."""
    return any(
        finding.start < end and start < finding.end
        for copied in positions
        for start, end in (
            (copied.id_start, copied.id_end),
            (copied.analysis_start, copied.analysis_end),
        )
    )


def _finding(text: str, copied: Copied) -> Finding:
    start, end = copied.id_start, copied.id_end
    name = " ".join(text[start:end].split())
    column = start - text.rfind("\n", 0, start)
    place = start, end, copied.line, column
    if not copied.has_analysis:
        error = MalformedError(copied.problems[0], text=text, at=start)
        return Finding(Kind.ANALYSIS, *place, name, Confidence.DOUBTFUL, error=error)
    note = "; ".join(f"left out: {problem}" for problem in copied.problems)
    sure = Confidence.LIKELY if note else Confidence.SURE
    return Finding(Kind.ANALYSIS, *place, name, sure, state=copied.state, note=note, copied=copied)
