"""Sentences and posts as people write them, and what each means (corpus.txt, posts.txt)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import format_position_id
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.position import STANDARD
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.exports.prose import format_prose
from gnubg_nactation.playground.answers import find_in_post, read_text
from gnubg_nactation.prose.finder import read_prose
from gnubg_nactation.prose.page import Finding, Kind
from gnubg_nactation.sequences.assumption import Confidence
from gnubg_nactation.sequences.decode import decode
from gnubg_nactation.tasks.checking import are_sequences
from tests.cli.running import run

_CORPUS = [
    Path(__file__).with_name(name)
    for name in ("corpus.txt", "posts.txt", "pages.txt", "strangers.txt")
]
_SHARE = 0.95
_CHAIN = re.compile(r"[^\s-]{3}(?:-[^\s-]{2,5})+")


class Meaning(NamedTuple):
    """A piece of Nactation: what it is, how it is written, and what it comes to."""

    kind: str
    text: str
    result: str


class Sentence(NamedTuple):
    text: str
    meanings: list[Meaning]


@cache
def sentences() -> tuple[Sentence, ...]:
    return tuple(_sentences())


def _sentences() -> Iterator[Sentence]:
    texts = [path.read_text("utf-8") for path in _CORPUS]
    for block in re.split(r"\n\s*\n", "\n\n".join(texts)):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        text = [line[2:] for line in lines if line.startswith(("= ", "| ", "|"))]
        meanings = [line for line in lines if not line.startswith(("=", "|"))]
        yield Sentence("\n".join(text), [_meaning(line) for line in meanings])


def _meaning(line: str) -> Meaning:
    kind, _, rest = line.partition(" ")
    if kind == "sequence":
        text, _, plays = rest.rpartition(": ")
        return Meaning(kind, text, _replayed(to_state(STANDARD), plays.split(", "), text))
    if kind in {"position", "pattern"}:
        return Meaning(kind, rest, "")
    text, _, about = rest.partition(" after ")
    if kind == "play":
        sequence, _, play = about.partition(": ")
        if not re.match(r"[1-6]{2}(?!/)", text):  # without its roll
            sequence, _, dice = sequence.rpartition("-")
        else:
            dice = text[:2]
        state, roll = _after(sequence), Roll.parse(dice)
        return Meaning(kind, text, format_position_id(parse_play(play, state.position, roll).after))
    return Meaning(kind, text, about)


def _after(sequence: str) -> GameState:
    return to_state(STANDARD) if sequence == "start" else decode(sequence).to_roll


def _replayed(state: GameState, plays: list[str], text: str) -> str:
    """The Position ID after plays in traditional notation, each with the roll of its token."""
    position = state.position
    rolls = iter(_rolls(text))
    for play in plays:
        roll = next(rolls, None)  # a fan may have none
        if play == "fan":
            position = position.switch_sides()
        else:
            assert roll
            position = parse_play(play, position, roll).after
    return format_position_id(position)


def _rolls(text: str) -> Iterator[Roll]:
    bare = re.sub(r"(?:bar|[0-9]{1,2})(?:/[0-9]{1,2}[*]?)+", "", text)  # no longhand
    for match in re.finditer(r"(?<![0-9])[1-6]{2}(?![0-9])", bare):
        yield Roll.parse(match[0])


def meaning_of(finding: Finding) -> Meaning:
    kind = finding.kind.value
    if finding.claim:
        claim = finding.claim
        verdict = "?"
        if claim.state:
            verdict = "right" if claim.right else f"wrong, {claim.instead}"
        return Meaning(kind, f"{claim.letter} = {claim.play}", verdict)
    if finding.decoded and not finding.error:
        return Meaning(kind, finding.text, format_position_id(finding.decoded.state.position))
    if finding.nacbrac:
        state = finding.nacbrac.state
        text = finding.text[finding.text.index("[") :]
        return Meaning(kind, text, f"{state.roll} {format_position_id(state.position)}")
    if finding.kind is Kind.POSITION:
        return Meaning(kind, finding.text.removeprefix("Position ID ").strip(" :"), "")
    return Meaning(kind, finding.text, "error" if finding.error else "")


def expected(meaning: Meaning) -> Meaning:
    if meaning.kind == "claim":
        _, _, verdict = meaning.result.partition(": ")
        return meaning._replace(result=verdict or "?")
    if meaning.kind == "nacbrac":
        sequence, _, roll = meaning.result.rpartition("-")
        position = _after(sequence).position
        text = meaning.text[meaning.text.index("[") :]
        result = f"{Roll.parse(roll)} {format_position_id(position)}"
        return meaning._replace(text=text, result=result)
    return meaning


def plays_of(finding: Finding) -> list[Meaning]:
    """The plays of a game in words, `I opened 54S, he rolled 63R`; other findings unchanged."""
    is_game = finding.kind is Kind.SEQUENCE and re.search(r"[a-z]{2} |[,;.:] ", finding.text)
    if not (is_game and finding.decoded):
        return [meaning_of(finding)]
    return [
        Meaning("play", turn.token.text, format_position_id(turn.play.after))
        for turn in finding.decoded.turns
        if turn.play
    ]


def misread(sentence: Sentence) -> bool:
    findings = read_prose(sentence.text)
    meant = sorted(map(expected, sentence.meanings))
    plays = sorted(meaning for finding in findings for meaning in plays_of(finding))
    return meant not in (sorted(map(meaning_of, findings)), plays)


def test_sentences_mean_what_people_mean() -> None:
    corpus = sentences()
    wrong = [sentence.text for sentence in corpus if misread(sentence)]
    assert len(corpus) >= 200
    assert len(wrong) <= (1 - _SHARE) * len(corpus), wrong


@pytest.mark.parametrize("sentence", sentences(), ids=lambda sentence: sentence.text)
def test_nothing_is_silently_wrong(sentence: Sentence) -> None:
    # What is read otherwise than it is meant is left out, or is not sure.
    meant = list(map(expected, sentence.meanings))
    for finding in read_prose(sentence.text):
        is_meant = meaning_of(finding) in meant or set(plays_of(finding)) <= set(meant)
        if finding.kind is not Kind.POSITION and not is_meant:
            assert finding.sure is not Confidence.SURE or finding.error


@pytest.mark.thorough
@pytest.mark.parametrize("sentence", sentences(), ids=lambda sentence: sentence.text)
def test_a_sentence_is_read_alike_everywhere(sentence: Sentence) -> None:
    """In `read`, its JSON and its page, in the playground, and in `check`, which judges it."""
    text = sentence.text
    findings = read_prose(text)
    expected = [(finding.kind.value, finding.text, finding.sure.value) for finding in findings]
    rows = run("read", "--json", "-", stdin=text.encode()).out.splitlines()
    for views in (map(json.loads, rows), find_in_post(text)["findings"]):
        assert [(view["kind"], view["text"], view["sure"]) for view in views] == expected
    looks = set(_BUTTON.findall(format_prose(text, findings, "post")))
    sure = {"error" if finding.error else finding.sure.value for finding in findings}
    assert looks <= sure
    assert bool(looks) == bool(sure)
    claims = [finding.claim for finding in findings if finding.claim]
    is_wrong = any(finding.error for finding in findings) or any(
        claim.right is False for claim in claims
    )
    if are_sequences([text]):  # `check` takes the whole text as a sequence
        return
    checked = run("check", "-", stdin=text.encode())
    assert checked.status == is_wrong, checked.err
    for claim in claims if not is_wrong else ():
        assert claim.state is None or f"{claim.letter} = {claim.play}: " in checked.out


_BUTTON = re.compile(r'<button type="button" class="([a-z]+)"')
_DOUBTFUL = ["64S-33D-11$", "64S-44D", "65R-43Z-66U", "43D-33D.", "41S-66u", "54S-63R-517-51D"]
_SEQUENCES = {
    meaning.text
    for sentence in sentences()
    for meaning in sentence.meanings
    if meaning.kind == "sequence" and _CHAIN.fullmatch(meaning.text)
}


@pytest.mark.parametrize("text", sorted(_SEQUENCES.union(_DOUBTFUL)))
def test_a_sequence_is_as_sure_everywhere(text: str) -> None:
    turns = [(turn.sure, turn.note, turn.others) for turn in decode(text).turns]
    (finding,) = read_prose(text)
    assert finding.decoded
    assert [(turn.sure, turn.note, turn.others) for turn in finding.decoded.turns] == turns
    assert finding.sure <= min(sure for sure, *_ in turns)
    sure = [(sure.value, note) for sure, note, _ in turns]
    rows = run("decode", "--json", text).out.splitlines()
    (found,) = map(json.loads, run("read", "--json", "-", stdin=text.encode()).out.splitlines())
    for views in (map(json.loads, rows), found["turns"], read_text(text)["turns"]):
        assert [(view["sure"], view.get("note", "")) for view in views] == sure
    lines = run("check", text).out.splitlines()
    shown = run("decode", text).out.splitlines()
    for line, row, turn in zip(lines, shown, decode(text).turns, strict=False):
        is_sure = turn.sure is Confidence.SURE
        assert is_sure or line.endswith(f"; {turn.doubt}")
        assert is_sure or row.endswith(f"  {turn.doubt}")
