"""Runs inside gnubg: counts the legal plays of every row of the table again.

PYTHONPATH=. gnubg -t -q -r -p tests/gnubg/make_legal_play_counts.py </dev/null

Rows may be added to the table with any count before.
"""

from tests.gnubg.hinting import hinted_plays

TABLE = "tests/backgammon/legal_play_counts.tsv"

with open(TABLE, encoding="ascii") as file:
    head, *rows = file.read().splitlines()
with open(TABLE, "w", encoding="ascii") as file:
    print(head, file=file)
    for row in rows:
        position_id, roll, _ = row.split("\t")
        print(position_id, roll, len(hinted_plays(position_id, roll)), sep="\t", file=file)
