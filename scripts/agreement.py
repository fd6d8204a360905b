"""Compare the preferred characters with those that the author of the language wrote.

Reads tests/tutorial: the captions, and the entries of the rollout table, which has the diagrams
with odd numbers. Prints each play that differs, with the rule that decided, and the shares that
agree. Underlines, italics and other styles do not count: print does not show them.

    python3 scripts/agreement.py [MATCH ...]

Then it counts the digits in the named matches (default: sample_matches) and in generated games, and
those whose fixed reading, by the author's ruling of 2014, is a different play.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gnubg_nactation.annotation import annotate  # noqa: E402
from gnubg_nactation.backgammon.ids import (  # noqa: E402
    format_position_id,
    parse_position,
    parse_position_id,
)
from gnubg_nactation.backgammon.notation import format_play, parse_play  # noqa: E402
from gnubg_nactation.backgammon.plays import Play, Roll  # noqa: E402
from gnubg_nactation.backgammon.position import STANDARD  # noqa: E402
from gnubg_nactation.files.formats import read  # noqa: E402
from gnubg_nactation.language.lists import listed  # noqa: E402
from gnubg_nactation.language.nactation import Nactation  # noqa: E402
from gnubg_nactation.language.numerals import numeral_points  # noqa: E402
from gnubg_nactation.language.plausibility import plausibility  # noqa: E402
from gnubg_nactation.language.plays import Plays  # noqa: E402
from gnubg_nactation.nacbracs.reading import parse_nacbrac  # noqa: E402
from gnubg_nactation.sequences.decode import decode  # noqa: E402
from gnubg_nactation.sequences.tokens import parse_sequence  # noqa: E402

# Second versions of entries: by assumption, in numerals or with areal letters.
SECOND_VERSIONS = {"37a", "39a", "41a", "43a", "65a", "71a"}


class Choice(NamedTuple):
    """The author's name of a play, and the program's name with the rule for it."""

    diagram: str
    token: str
    play: str
    printed: str
    name: Nactation
    rule: str

    @property
    def agrees(self) -> bool:
        """Whether the characters are the same in print."""
        return _as_printed(self.name) == self.printed


def captions() -> Iterator[Choice]:
    """The plays of the captions that have a choice of names, each once."""
    keys = set()
    for row in _rows("sequences.tsv"):
        printed = parse_sequence(row["sequence"]).tokens
        turns = decode(row["by_rules"], start=parse_position(row["start"])).turns
        for token, turn in zip(printed, turns, strict=True):
            key = format_position_id(turn.state.position), token.text
            if turn.play and token.names and key not in keys:
                keys.add(key)
                chosen = turn.plays.name(turn.play)
                yield Choice(
                    row["diagram"],
                    token.text,
                    format_play(turn.play),
                    _as_printed(token.names[0]),
                    chosen.naming.nactation,
                    chosen.rule,
                )


def entries() -> Iterator[tuple[Choice, Choice]]:
    """The plays of the rollout table, each alone and in its list."""
    for row in _rows("nacbracs.tsv"):
        if row["id"] in SECOND_VERSIONS:
            continue
        position, roll = parse_position_id(row["position_id"]), Roll.parse(row["roll"])
        plays = Plays(position, roll)
        listing = zip(parse_nacbrac(row["nacbrac"]).entries, row["plays"].split(";"), strict=True)
        pairs = [  # one entry is unknown
            (_as_printed(entry.name), parse_play(text, position, roll))
            for entry, text in listing
            if text != "?"
        ]
        names = listed([play for _, play in pairs], plays)
        for (printed, play), name in zip(pairs, names, strict=True):
            chosen = plays.name(play)
            entry = row["id"], f"{roll}{printed}", format_play(play), printed
            alone = Choice(*entry, chosen.naming.nactation, chosen.rule)
            rule = "as alone" if name == chosen.naming else "in the list"
            yield alone, Choice(*entry, name.nactation, rule)


def _rows(name: str) -> csv.DictReader[str]:
    table = (ROOT / "tests" / "tutorial" / name).read_text(encoding="utf-8")
    return csv.DictReader(table.splitlines()[1:], delimiter="\t")


def _as_printed(name: Nactation) -> str:
    return name.look.character + (name.family.suffix if name.family.suffix == "." else "")


def report(title: str, choices: Sequence[Choice]) -> None:
    """Print the choices that differ, and the share that agrees."""
    for choice in choices:
        if not choice.agrees:
            name, play = str(choice.name), f"{choice.play:20}"
            print(f"#{choice.diagram:4}{choice.token:5}{play} {name:5}{choice.rule}")
    agreed = sum(choice.agrees for choice in choices)
    print(f"{title}: {agreed} of {len(choices)} agree, {100 * agreed / len(choices):.1f} %\n")


def played(paths: Sequence[Path]) -> Iterator[tuple[Plays, Play]]:
    """The plays of matches, each with all that were legal, if there was a choice."""
    games = [game for path in paths for match in read(path) for game in annotate(match).games]
    for turn in (turn for game in games for turn in game.turns):
        if turn.play is not None and len(turn.plays) > 1:
            yield turn.plays, turn.play


def generated(games: int = 40) -> Iterator[tuple[Plays, Play]]:
    """The same for generated games; four of five plays are natural, the others are random."""
    rng = random.Random(2014)
    for _ in range(games):
        position = STANDARD
        for _ in range(60):
            plays = Plays(position, Roll(rng.randint(1, 6), rng.randint(1, 6)))
            if not plays:
                position = position.switch_sides()
                continue
            play = max(plays, key=plausibility) if rng.random() < 0.8 else rng.choice(plays)
            if len(plays) > 1:
                yield plays, play
            position = play.after
            if not position.opponent_pips:
                break


def digits(choices: Iterable[tuple[Plays, Play]]) -> tuple[int, int, int]:
    """How many plays there are, get a digit, and get one whose fixed reading is another."""
    count = digit_count = misread = 0
    for plays, play in choices:
        count += 1
        digit = plays.name(play).naming.nactation.family.key
        if digit.isdigit():
            digit_count += 1
            first = numeral_points(digit, plays, plays.forced)[0]
            misread += first.plays[0] != play
    return count, digit_count, misread


if __name__ == "__main__":
    report("Captions", list(captions()))
    alone, together = zip(*entries(), strict=True)
    report("Rollout table, each play alone", alone)
    report("Rollout table, in lists", together)
    samples = sorted((ROOT / "sample_matches").glob("*.mat"))
    matches = [Path(name) for name in sys.argv[1:]] or samples
    for title, source in (("matches", played(matches)), ("generated games", generated())):
        choices, digit_count, misread = digits(source)
        share = f"{100 * digit_count / choices:.1f} %"
        print(f"Digits in {title}: {digit_count} of {choices} plays, {share}; {misread} different")
