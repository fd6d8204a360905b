"""What the layouts of a sample match look like as text and as posts, kept for people to read.

Each Nactation in them is checked elsewhere; here it is their arrangement. To renew the files:

    python -m tests.golden.golden

Then read the difference (`git diff tests/golden`) before it is committed.
"""

from __future__ import annotations

from pathlib import Path

from gnubg_nactation.tasks.annotating import LAYOUTS
from tests.cli.running import SAMPLES, run

FOLDER = Path(__file__).parent
MATCH = SAMPLES / "match-5pt.mat"  # all there is: fans, two cubes, a drop, a take, a whole match
ANALYSED = SAMPLES / "match-3pt-analysed.sgf"  # where errors are asked for
CASES: dict[str, tuple[str, ...]] = {
    "columns.txt": (),
    "traditional.txt": ("--traditional",),
    "row.txt": ("--layout", "row"),
    "paired.txt": ("--layout", "paired"),
    "column.txt": ("--layout", "column"),
    "styles.txt": ("--layout=row", "--fans=^", "--forced=name", "--start-mark=-->"),
    "boards.md": ("--to=markdown", "--layout=row", "--boards=25"),
    "errors.txt": ("--errors",),
    "errors.md": ("--to=markdown", "--layout=row", "--errors"),
}
for target, suffix in {
    "markdown": "md",
    "discourse": "md",
    "backgammonforums": "md",
    "reddit": "md",
    "discord": "md",
    "bbcode": "bbcode",
    "html-forum": "html",
    "plain": "txt",
}.items():
    for layout in LAYOUTS:
        CASES[f"post-{target}-{layout}.{suffix}"] = (f"--to={target}", f"--layout={layout}")


def annotated(name: str) -> str:
    """What the command line prints for a case."""
    options = CASES[name]
    ran = run("annotate", *options, ANALYSED if "--errors" in options else MATCH)
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def renew() -> None:
    """Write all files anew."""
    for name in CASES:
        (FOLDER / name).write_text(annotated(name), encoding="utf-8")


if __name__ == "__main__":
    renew()
