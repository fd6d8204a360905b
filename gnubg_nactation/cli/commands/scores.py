"""`nactate scores`: show the best play of a roll, or the cube actions, at every score."""

from __future__ import annotations

from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.results import Printed, chosen_form, is_coloured, write_result
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.scores import ScoreTable
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.exports.board import Theme, png_of
from gnubg_nactation.exports.scores import (
    scores_csv,
    scores_json,
    scores_page,
    scores_svg,
    scores_text,
)
from gnubg_nactation.showing import quoted
from gnubg_nactation.tasks.scores import ScoresSettings, scores
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.subjects import SUBJECT_HELP, read_turn

DESCRIPTION = """\
Show the best play of a roll at every score of a match, a letter in each cell.
Without a roll, shows the cube actions. Asks an engine."""
EXAMPLES = """\
  nactate scores 54S-63R-31
  nactate scores --plies 0 --away 15 21S-64
  nactate scores 54S-63R                     the cube before the roll
  nactate scores 54S-63R-31 --to json
  nactate scores --jobs 0 43Z-66 -o 66.png   a picture for a post
"""
USAGE = "SUBJECT [ROLL]"
_FORMS = ("text", "csv", "json", "html", "svg", "png")


class Options(
    ScoresSettings, Printed, first="words cube away to output color theme plies jobs engine"
):
    """The subject, the settings of the task, and the form of the table."""

    words: tuple[str, ...] = setting(
        (), f"{SUBJECT_HELP}; then a roll", "SUBJECT ROLL", words="some"
    )
    to: str | None = setting(
        None,
        "format (default: by the ending of -o, else text)",
        choices=_FORMS,
        shortcuts={f"--{form}": (form, f"same as --to {form}") for form in ("json", "csv")},
    )
    theme: Theme = setting(
        "light", "colours of a picture (default: light)", choices=("light", "dark")
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    form = chosen_form(settings.to, settings.output, _FORMS, streams)
    if settings.theme != "light" and form not in {"svg", "png"}:
        raise SettingsError(f"--theme does nothing for --to {form}")
    table = scores(_state(settings, streams), settings, streams)
    if form != "text":
        write_result(_written(table, form, settings.theme), settings.output, streams)
    elif settings.output in {None, "-"} and is_coloured(streams, settings):
        streams.write(scores_text(table, shades=True).encode())
    else:
        write_result(scores_text(table).encode(), settings.output, streams)
    return Status.OK


def _state(settings: Options, streams: Streams) -> GameState:
    """Return the state that the words name."""
    subject, play = read_turn(settings.words, settings, streams)
    if play:
        raise IllegalError(f"unexpected text after the roll: {quoted(play)}")
    return subject.state


def _written(table: ScoreTable, form: str, theme: Theme) -> bytes:
    if form in {"svg", "png"}:
        picture = scores_svg(table, theme=theme)
        return png_of(picture) if form == "png" else f"{picture}\n".encode()
    write = {"csv": scores_csv, "json": scores_json, "html": scores_page}[form]
    return write(table).encode()
