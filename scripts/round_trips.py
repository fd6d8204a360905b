"""Turn match files into score sheets and back, and let gnubg import the results.

    python3 scripts/round_trips.py [--gnubg] FILE-or-FOLDER ...

Each match without illegal plays is annotated in every layout, and the text is transcribed again.
The result must be the match text of the original, byte for byte. Prints a line for each match that
differs, with its layouts and the first difference, and then the number of round trips. With
`--gnubg`, gnubg imports the match text of each match, and must export the same plays.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gnubg_nactation.annotation import AnnotatedMatch, annotate  # noqa: E402
from gnubg_nactation.backgammon.match import Match  # noqa: E402
from gnubg_nactation.errors import NactationError  # noqa: E402
from gnubg_nactation.exports.mat import format_mat  # noqa: E402
from gnubg_nactation.files import mat  # noqa: E402
from gnubg_nactation.files.formats import read  # noqa: E402
from gnubg_nactation.files.sheet import read_sheets  # noqa: E402
from gnubg_nactation.tasks.annotating import FORMS, LAYOUTS, Rendering  # noqa: E402
from gnubg_nactation.tasks.sources import find_inputs  # noqa: E402
from tests.gnubg.test_mat_in_gnubg import without_cube  # noqa: E402
from tests.gnubg.test_sgf_in_gnubg import through_gnubg  # noqa: E402

_BATCH = 20  # matches for one run of gnubg


def main() -> int:
    """Print the matches that differ; return 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE-or-FOLDER")
    parser.add_argument("--gnubg", action="store_true", help="let gnubg import the match texts")
    parser.add_argument("--fans", default=Rendering().fans, help="as for `annotate`")
    options = parser.parse_args()
    matches = list(_matches(options.files))
    differing = 0
    for name, match in matches:
        places: defaultdict[str, list[str]] = defaultdict(list)
        for layout in LAYOUTS:
            if difference := _difference(match, layout, options.fans):
                places[difference].append(layout)
        differing += bool(places)
        for difference, layouts in places.items():
            print(f"{name} ({', '.join(layouts)}): {difference}", flush=True)
    print(f"{len(matches)} matches in {len(LAYOUTS)} layouts, of which {differing} differ")
    refused = list(_refused_by_gnubg(matches)) if options.gnubg else []
    if options.gnubg:
        print("".join(f"{line}\n" for line in refused), end="")
        print(f"gnubg read {len(matches) - len(refused)} of {len(matches)} with the same plays")
    return int(bool(differing or refused))


def _matches(files: Sequence[str]) -> Iterator[tuple[str, AnnotatedMatch]]:
    """All matches without illegal or unreadable plays."""
    for source in find_inputs(files):
        try:
            matches = read(Path(source.path))
        except NactationError as error:
            print(f"{source.path}: {error}")
            continue
        for match in map(annotate, matches):
            if any(turn.problem for game in match.games for turn in game.turns):
                print(f"{source.path}: skipped, as it has plays that are not legal")
            else:
                yield source.path, match


def _difference(match: AnnotatedMatch, layout: str, fans: str) -> str:
    """The first difference after a round trip; empty if there is none."""
    options = Rendering(layout=layout, fans=fans)
    text = FORMS["text"].render([match], [None], options).decode()
    sheets = read_sheets(text)
    if len(sheets) != 1:
        return f"{len(sheets)} matches"
    sheet, faults, _ = sheets[0]
    if faults:
        return f"{faults[0]}"
    before, after = format_mat(match), format_mat(annotate(sheet))
    for lines in zip_longest(before.splitlines(), after.splitlines(), fillvalue=""):
        if lines[0] != lines[1]:
            return f"{lines[0].strip()!r} is now {lines[1].strip()!r}"
    return ""


def _refused_by_gnubg(matches: Sequence[tuple[str, AnnotatedMatch]]) -> Iterator[str]:
    """The matches that gnubg imports with other plays."""
    for at in range(0, len(matches), _BATCH):
        batch = matches[at : at + _BATCH]
        texts = [format_mat(match).encode() for _, match in batch]
        with tempfile.TemporaryDirectory() as folder:
            results = through_gnubg(Path(folder), texts, "import mat")
        for (name, _), text, (exported, record) in zip(batch, texts, results, strict=True):
            ours: Match = mat.read(text)[0]
            if not without_cube(record.match) == without_cube(exported) == without_cube(ours):
                yield f"{name}: gnubg reads other plays"


if __name__ == "__main__":
    sys.exit(main())
