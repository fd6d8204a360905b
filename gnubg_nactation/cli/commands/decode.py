"""`nactate decode`: replay a sequence such as 54S-63R-31P."""

from __future__ import annotations

import re
from contextlib import suppress

from gnubg_nactation.backgammon.analysis import in_prose
from gnubg_nactation.backgammon.ids import format_match_id, format_position_id, format_xgid
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.cli.results import Coloured, on_terminal
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.errors import EngineError, IllegalError, MalformedError, NactationError
from gnubg_nactation.sequences.decode import Decoded, DecodedTurn, decode
from gnubg_nactation.sequences.tiers import ReadingKind
from gnubg_nactation.showing import json_line, rounded, shown, table_lines, with_sign
from gnubg_nactation.tasks.engines import plies_setting
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.subjects import (
    SequenceSettings,
    read_sequence,
    read_sequences,
    resolve,
    start_of,
)
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.nacbracs.reading import CubeRead, NacbracRead, Part, ResolvedEntry
    from gnubg_nactation.tasks.nacbracs import CheckedPlays

DESCRIPTION = """\
Replay a sequence: print each play, the position reached, and how sure the reading is.
Reads plain text, HTML, BBCode or Markdown, including nacbracs after a sequence."""
EXAMPLES = """\
  nactate decode 54S-63R-31P
  nactate decode -- -61P-63R                the second player starts
  nactate decode --from 4HPwATDgc/ABMA 43Z-43X
  nactate decode '54S-63R-31 [P @87 H94]'   with the plays of a nacbrac
  nactate decode - < sequence.txt
"""
USAGE = "SEQUENCE"


class Options(SequenceSettings, Coloured, first="sequence json color looks_lost check plies"):
    """The sequence, how it is read, and how it is printed."""

    sequence: str = setting(
        "", "a sequence, with or without nacbracs, or `-`", "SEQUENCE", words="joined"
    )
    json: bool = setting(False, "print a JSON object per turn or play")
    looks_lost: bool = setting(
        False,
        "italics and underlines were lost in copying: prefer natural plays",
        group="nacbracs",
    )
    check: bool = setting(False, "compare their errors with an engine's", group="nacbracs")
    plies: int | None = plies_setting("nacbracs")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, settings)
    text = streams.text_of(settings.sequence)
    if not text:
        raise SettingsError("a sequence is missing, as in `nactate decode 54S-63R-31P`")
    if settings.plies is not None and not settings.check:
        raise SettingsError("--plies goes with --check")
    if settings.check and "[" not in text:
        raise SettingsError("--check needs a nacbrac, such as [P @87 H94]")
    try:
        if _LISTED.search(text):
            return _decode_parts(text, settings, streams)
        for number, decoded in enumerate(read_sequences(text, settings, streams)):
            streams.print("\n" * (number > 0 and not settings.json))
            _print(decoded, settings, streams)
    except IllegalError as error:
        with suppress(NactationError):  # the turns before the break
            if before := error.text[: error.at].strip():
                _print(decode(before, start=start_of(settings)), settings, streams)
                streams.flush()  # before the error
        raise
    return Status.OK


# A text that may have nacbracs, headings, or a remark in place of nacbracs.
_LISTED = re.compile(r"\[|#[0-9]|[Oo]pening|\([Ss]ame")


def _print(decoded: Decoded, settings: Options, streams: Streams) -> None:
    if settings.json:
        from gnubg_nactation.exports.views import turn_view

        for turn in decoded.turns:
            streams.print(json_line(turn_view(turn)))
        return
    for line in table_lines(map(_row, decoded.turns), 2):
        streams.print(f"{line}\n")
    state = decoded.state
    streams.print(
        f"\n{state.position}\n\n"
        f"{'X to play ' + str(state.roll) if state.roll else 'X to roll'}\n"
        f"Position ID: {format_position_id(state.position)}  "
        f"Match ID: {format_match_id(state)}\n{format_xgid(state)}\n"
    )


def _row(turn: DecodedTurn) -> tuple[str, str, str, str]:
    """Return token, play, Position ID, and what is not certain about the reading."""
    play = format_play(turn.play) if turn.play else _WORDS.get(turn.how, turn.token.kind.value)
    doubt = f"{turn.token.remark}  {turn.doubt}".strip()
    return turn.token.text, play, format_position_id(turn.after.position), doubt


_WORDS = {
    ReadingKind.FAN: "fan",
    ReadingKind.FORCED: "no play",
    ReadingKind.TO_PLAY: "to be played",
}


# The nacbracs after a sequence: a line for each play or cube action


def _decode_parts(text: str, settings: Options, streams: Streams) -> int:
    """Read the parts of a text and print them; return the exit status.

    If there are several, the error of a part is reported with its line and column, and the others
    are printed. The error of the only part is raised, and so is EngineError.
    """
    from gnubg_nactation.nacbracs.reading import CubeRead, parts_of

    parts = parts_of(text)
    failed = printed = False
    for part in parts:
        if part.note:
            streams.report(f"{_line(text, part.end)}: {shown(part.note, 60)} skipped")
            if not part.sequence.strip():
                continue
        try:
            if part.trouble:
                raise part.trouble
            decoded = read_sequence(part.sequence, settings, streams)
            nacbracs = (
                resolve(decoded, part.nacbracs, settings, streams, looks_lost=settings.looks_lost)
                if part.nacbracs
                else ()
            )
        except EngineError:
            raise
        except NactationError as error:
            if len(parts) == 1:
                raise
            _report_part(error, part, text, streams)
            failed = True
            continue
        streams.print("\n" * (printed and not settings.json))
        _print(decoded, settings, streams)
        for number, nacbrac in enumerate(nacbracs, 1):
            if isinstance(nacbrac, CubeRead):
                _print_cube(nacbrac, number, settings, streams)
            else:
                _print_plays(nacbrac, number, settings, streams)
        printed = True
    return Status.FAILED if failed else Status.OK


def _report_part(error: NactationError, part: Part, text: str, streams: Streams) -> None:
    at = error.at if error.text == text else part.place(error.at)
    excerpt = MalformedError("", text=text, at=at).excerpt()
    column = at - text.rfind("\n", 0, at)
    streams.report(f"{_line(text, at)}, column {column}: {error}", excerpt)


def _line(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


def _print_cube(read: CubeRead, number: int, settings: Options, streams: Streams) -> None:
    """Print the error of each cube action; with --check also its error by an engine."""
    from gnubg_nactation.exports.views import action_view
    from gnubg_nactation.nacbracs.bots import bot_of, describe_bot
    from gnubg_nactation.nacbracs.nacbrac import actions_of, describe_score

    nacbrac, state = read
    check = None
    if settings.check:
        from gnubg_nactation.tasks.nacbracs import check_cube_nacbrac

        check = check_cube_nacbrac(read, settings.plies, streams)
    actions = actions_of(nacbrac)
    if settings.json:
        for action in actions:
            value = action_view(nacbrac, state, number, action)
            if check:
                value["engine"] = " ".join(bot_of(check.method))
                value["engine_error"] = rounded(check.errors[action.words])
            streams.print(json_line(value))
        return
    score = describe_score(nacbrac.score) if nacbrac.score else ""
    by = _in_brackets(score, describe_bot(nacbrac.suffix))
    lines = [f"cube {nacbrac}{by}: {in_prose(nacbrac.best)}"]
    if check:
        lines.append(_check_head(*bot_of(check.method), f"best {in_prose(check.best)}"))
    for action in actions:
        errors = _errors(action.error, check.errors[action.words] if check else None)
        lines.append(f"{in_prose(action.words):9}  {errors}".rstrip())
    streams.print("\n" + "".join(f"{line}\n" for line in lines))


def _print_plays(read: NacbracRead, number: int, settings: Options, streams: Streams) -> None:
    """Print the plays of a nacbrac; with --check also their errors by an engine."""
    check = None
    if settings.check:
        from gnubg_nactation.tasks.nacbracs import check_plays_nacbrac

        check = check_plays_nacbrac(read, settings.plies, streams)
    if settings.json:
        from gnubg_nactation.exports.views import entry_view

        for entry in read.entries:
            checked = check and {
                "engine": check.bot.label(check.depth),
                "engine_error": rounded(check.losses[entry.play]),
            }
            value = entry_view(read, number, entry, checked)
            streams.print(json_line(value))
    else:
        streams.print(f"\n{_table(read, check)}")


def _table(read: NacbracRead, check: CheckedPlays | None) -> str:
    from gnubg_nactation.nacbracs.bots import describe_bot
    from gnubg_nactation.nacbracs.nacbrac import describe_score, format_nacbrac

    nacbrac = read.nacbrac
    about = _in_brackets(
        describe_score(nacbrac.score) if nacbrac.score else "",
        "" if nacbrac.equity is None else f"equity {nacbrac.equity:+.3f}",
        describe_bot(nacbrac.suffix, [str(entry.entry.name) for entry in read.entries]),
    )
    lines = [f"{read.state.roll} {format_nacbrac(nacbrac)}{about}"]
    if check:
        best = f"best {check.best}" if check.losses[read.entries[0].play] else ""
        lines.append(_check_head(check.bot.name, check.bot.level(check.depth), best))
    rows = [
        (
            entry.entry.text,
            _errors(entry.entry.error, check.losses[entry.play] if check else None),
            format_play(entry.play),
            format_position_id(entry.play.after),
            _doubt(entry),
        )
        for entry in read.entries
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for text, errors, play, after, doubt in rows:
        cells = f"{text:{widths[0]}}  {errors:>{widths[1]}}  {play:{widths[2]}}  {after}  {doubt}"
        lines.append(cells.rstrip())
    return "".join(f"{line}\n" for line in lines)


def _in_brackets(*words: str) -> str:
    text = "; ".join(filter(None, words))
    return f"  ({text})" if text else ""


def _check_head(bot: str, level: str, best: str) -> str:
    head = ", ".join(filter(None, ("checked by " + bot, level, best)))
    return f"{head}; errors: nacbrac, engine, difference"


def _errors(error: float | None, checked: float | None) -> str:
    """Return the error in a nacbrac, the error by the engine, and their difference, if known."""
    words = [] if error is None else [f"{error:.3f}"]
    if checked is not None:
        words.append(f"{checked:.3f}")
        if error is not None:
            words.append(with_sign(checked - error, 3))
    return " ".join(words)


def _doubt(entry: ResolvedEntry) -> str:
    reading = "" if entry.how is ReadingKind.STRICT else entry.how.value
    return f"{reading} ({entry.note})" if reading and entry.note else reading or entry.note
