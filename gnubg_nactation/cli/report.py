"""The account of a run over many files: for people a line or two, for programs JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from operator import add

from gnubg_nactation import __version__
from gnubg_nactation.cli.work import Counts, Failure, Result
from gnubg_nactation.showing import counted, json_text
from gnubg_nactation.values import Any


@dataclass
class Account:
    """What has been counted so far; `rows` only for a report, as they grow with the files."""

    keeps_rows: bool = False
    files: int = 0
    up_to_date: int = 0
    with_remarks: int = 0
    counts: Counts = field(default_factory=Counts)
    failures: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)

    def add(self, name: str, outcome: Result | Failure, target: str | None, *, known: bool) -> None:
        """Count a file."""
        self.files += 1
        if isinstance(outcome, Failure):
            self.failures[outcome.kind] += 1
        else:
            self.up_to_date += known
            self.with_remarks += bool(outcome.remarks)
            self.counts = Counts(*map(add, self.counts, outcome.counts))
        if self.keeps_rows:
            self.rows.append(_row(name, outcome, target, known=known))

    def summary(self) -> str:
        """The counts on one line."""
        games, plays = self.counts.games, self.counts.plays
        text = f"{counted(self.files, 'file')}, {counted(games, 'game')}, {counted(plays, 'play')}"
        if self.up_to_date:
            text += f"; {self.up_to_date} up to date"
        if self.with_remarks:
            text += f"; {self.with_remarks} with remarks"
        failed = sum(self.failures.values())
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.failures.items()))
        return f"{text}; {failed} failed ({kinds})" if failed else text


def _row(
    name: str, outcome: Result | Failure, target: str | None, *, known: bool
) -> dict[str, Any]:
    if isinstance(outcome, Failure):
        return {"file": name, "status": outcome.kind, "reason": outcome.reason}
    row = {"file": name, "status": "up to date" if known else "done", "output": target}
    return row | outcome.counts._asdict() | {"remarks": list(outcome.remarks)}


def format_report(account: Account) -> bytes:
    """The whole account as JSON."""
    value = {
        "version": __version__,
        "files": account.files,
        "failed": sum(account.failures.values()),
        "failures": dict(sorted(account.failures.items())),
        "up_to_date": account.up_to_date,
        "with_remarks": account.with_remarks,
        **account.counts._asdict(),
        "results": account.rows,
    }
    text = json_text(value, indent=1) + "\n"
    return text.encode("utf-8", "surrogateescape")
