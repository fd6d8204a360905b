"""The lead-up sequences of all diagrams: read whole."""

import pytest

from gnubg_nactation.backgammon.ids import format_position_id, parse_position
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.sequences.decode import Decoded, decode
from tests.tutorial.cases import Caption, caption_of, read_captions

# Captions that do not say by the rules what the author means.
# 58: 43W is the fourth W; the author must have put "which point" before "more points".
# 73: 51D for the 5 down from the far outer board; the first D by the rules is bar/20 10/9.
# 84: 62O is a slip, as 13/7* 8/6 ranks above 13/7*/5.
_CORRECTED = {"58", "73", "84"}


def read(caption: Caption) -> Decoded:
    return decode(caption.by_rules, start=parse_position(caption.start))


def test_just_three_captions_are_corrected() -> None:
    captions = read_captions()
    differing = {caption.diagram for caption in captions if caption.sequence != caption.by_rules}
    assert differing == _CORRECTED


@pytest.mark.parametrize("caption", read_captions(), ids=lambda caption: caption.diagram)
def test_caption_leads_to_its_diagram(caption: Caption) -> None:
    decoded = read(caption)
    assert format_position_id(decoded.state.position) == caption.position_id
    for turn, text in zip(decoded.turns, caption.plays.split(";"), strict=True):
        if turn.play is not None and text and "/" in text:
            assert parse_play(text, turn.play.before, turn.play.roll) == turn.play


def test_sequences_may_begin_with_a_loose_reading_and_still_end_well() -> None:
    # Lost underlines of 44M (#61) and 55m (#88) come out by themselves.
    for diagram, note in (("61", "M_"), ("88", "m_")):
        caption = caption_of(diagram)
        assert any(note in turn.note for turn in read(caption).turns)
