"""Compare the character that the program prefers with the author's, over his captions.

Reads tests/tutorial/sequences.tsv and prints the plays for which the two differ, each with the
rule that decided, and the share that agrees. Captions have lost their underlines.

    python3 scripts/agreement.py
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gnubg_nactation.backgammon.ids import format_position_id, parse_position  # noqa: E402
from gnubg_nactation.backgammon.notation import format_play  # noqa: E402
from gnubg_nactation.sequences.decode import decode  # noqa: E402
from gnubg_nactation.sequences.tokens import parse_sequence  # noqa: E402


def main() -> None:
    """Print the table."""
    table = (ROOT / "tests" / "tutorial" / "sequences.tsv").read_text(encoding="utf-8")
    seen: dict[tuple[str, str], bool] = {}
    for row in csv.DictReader(table.splitlines()[1:], delimiter="\t"):
        printed = parse_sequence(row["sequence"]).tokens
        turns = decode(row["by_rules"], start=parse_position(row["start"])).turns
        for token, turn in zip(printed, turns, strict=True):
            key = format_position_id(turn.state.position), token.text
            if turn.play is None or not token.names or key in seen:
                continue
            choice = turn.plays.name(turn.play)
            written = str(choice.naming.nactation).replace("_", "")
            seen[key] = written == str(token.names[0])
            if not seen[key]:
                play = format_play(turn.play)
                print(f"#{row['diagram']:4}{token.text:6}{play:20} {written:5} {choice.rule}")
    agreed = sum(seen.values())
    print(f"{agreed} of {len(seen)} plays agree: {100 * agreed / len(seen):.1f} %")


main()
