"""The lead-up sequences of all diagrams: read whole, written back, and the author's choices."""

import pytest

from gnubg_nactation.backgammon.ids import format_position_id, parse_position
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.language.decode import Decoded, decode
from gnubg_nactation.language.families import Families
from gnubg_nactation.language.preference import preferred
from tests.tutorial.cases import Caption, read_captions

# Captions that do not say by the rules what the author means, with what would.
_CORRECTED = {
    # The fourth W: the author must have put "which point" before "more points".
    "58": ("43W", "43w{4}"),
    # D for the 5 down from the far outer board; the first D by the rules is bar/20 10/9.
    "73": ("-51D-", "-51S-"),
    # The author's slip: 13/7* 8/6 ranks above 13/7*/5.
    "84": ("62O", "62o"),
}


def read(caption: Caption) -> Decoded:
    text = caption.sequence
    if caption.diagram in _CORRECTED:
        printed, corrected = _CORRECTED[caption.diagram]
        assert printed in text
        text = text.replace(printed, corrected)
    return decode(text, start=parse_position(caption.start))


@pytest.mark.parametrize("caption", read_captions(), ids=lambda caption: caption.diagram)
def test_caption_leads_to_its_diagram(caption: Caption) -> None:
    decoded = read(caption)
    assert format_position_id(decoded.state.position) == caption.position_id
    for turn, text in zip(decoded.turns, caption.plays.split(";"), strict=True):
        if turn.play is not None and text and "/" in text:
            assert parse_play(text, turn.play.before, turn.play.roll) == turn.play


def test_the_author_agrees_in_95_of_100_plays() -> None:
    seen: set[tuple[str, str]] = set()
    agreed = 0
    for caption in read_captions():
        for turn in read(caption).turns:
            if turn.play is None or not turn.token.names:
                continue
            key = format_position_id(turn.before.position), turn.token.text
            if key not in seen:
                seen.add(key)
                choice = preferred(turn.play, Families(turn.plays)).naming.nactation
                agreed += choice == turn.nactation
    assert len(seen) > 400
    assert agreed / len(seen) >= 0.95


def test_sequences_may_begin_with_a_loose_reading_and_still_end_well() -> None:
    # Lost underlines of 44M (#61) and 55m (#88) come out by themselves.
    for diagram, note in (("61", "M_"), ("88", "m_")):
        caption = next(one for one in read_captions() if one.diagram == diagram)
        assert any(note in turn.note for turn in read(caption).turns)
