"""Copies to take from the page: a sequence as a post, a board as a picture."""

from __future__ import annotations

from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.notation import parse_play
from gnubg_nactation.backgammon.plays import Roll
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.exports.board.rendering import board_svg
from gnubg_nactation.exports.board.style import Theme
from gnubg_nactation.exports.post.posts import PostStyle, format_position, format_sequence
from gnubg_nactation.exports.post.targets import TARGETS
from gnubg_nactation.sequences.incremental import read_progress
from gnubg_nactation.values import replace


def as_post(text: str, target: str) -> str:
    """A typed text as a post in the markup of a target."""
    progress = read_progress(text)
    if progress.error:
        raise progress.error
    if progress.decoded is None:
        return format_position(progress.start or GameState(), TARGETS[target])
    return format_sequence(progress.decoded, TARGETS[target], PostStyle())


def board_image(board: str, roll: str, text: str, theme: str, view: int) -> str:
    """The board as SVG, with the arrows of the play, if any; player `view` is at the bottom."""
    state = to_state(board)
    dice = Roll.parse(roll) if roll else None
    play = parse_play(text, state.position, dice) if dice and text else None
    colours: Theme = "dark" if theme == "dark" else "light"
    return board_svg(replace(state, roll=dice), play, theme=colours, view=Player(view), width=1240)
