"""`nactate nacbrac`: rank the best plays of a roll, as in [P @87 H94]."""

from __future__ import annotations

import io
from collections.abc import Sequence

from gnubg_nactation.backgammon.match import place_name
from gnubg_nactation.cli.results import Coloured, on_terminal, paste_setting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.decision import nacbrac_of
from gnubg_nactation.errors import EngineError, MalformedError, NactationError
from gnubg_nactation.exports.post import spell_nacbrac
from gnubg_nactation.exports.targets import TARGETS
from gnubg_nactation.exports.views import View, nacbrac_view, rated_views
from gnubg_nactation.files.formats import is_match_file, read
from gnubg_nactation.nacbracs.bots import bot_of
from gnubg_nactation.showing import json_line
from gnubg_nactation.tasks.engines import NONE
from gnubg_nactation.tasks.nacbracs import (
    Judged,
    JudgingSettings,
    Listed,
    MatchListingSettings,
    judge_words,
    list_copied,
    list_decisions,
    read_analysed,
)
from gnubg_nactation.tasks.outcomes import failure_of
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.sources import (
    STANDARD_INPUT,
    Job,
    encoding_setting,
    find_inputs,
    read_input,
)
from gnubg_nactation.tasks.subjects import (
    SUBJECT_HELP,
    copied_in_file,
    copied_in_text,
    positions_in,
    report_problems,
    text_of,
)
from gnubg_nactation.values import TYPE_CHECKING, replace

if TYPE_CHECKING:
    from gnubg_nactation.annotation import AnnotatedMatch
    from gnubg_nactation.decisions.decision import Decision
    from gnubg_nactation.files.copied import Copied

DESCRIPTION = """\
Rank the best plays of a roll with their errors, as a nacbrac such as [P @87 H94].
Asks an engine about a position, or reads the analysis of match files."""
EXAMPLES = """\
  nactate nacbrac 54S-63R-31
  nactate nacbrac --score dmp --score=-3-5 65R-43Z-66
  nactate nacbrac --rollout 216 --limit 2 21S-64
  nactate nacbrac --cube 54S-63R-31P-42     the cube decision before the 42
  nactate nacbrac --errors .050 match.xg    the errors of a match

A score is dmp, gg (gammon go), gs (gammon save), money, jacoby, or the points needed by the player
on roll and by the opponent: -3-5, or -2-1C in the Crawford game. Errors are thousandths of a point.
"""
USAGE = "{SUBJECT [ROLL] | FILE ...}"


class _Written(Coloured, group="writing"):
    """How the output looks."""


class Options(
    MatchListingSettings,
    JudgingSettings,
    _Written,
    first="words paste cube score plies rollout rollout_plies truncate truncate_plies seed until "
    "jobs limit within suffix characters to bold_best json color "
    "game move errors analyse encoding",
):
    """The settings of the tasks, their subject, and how nacbracs are printed."""

    words: tuple[str, ...] = setting(
        (),
        f"{SUBJECT_HELP}; then a roll, unless the subject has one; or analysed match files",
        "SUBJECT-or-FILE",
        words="some",
    )
    paste: bool = paste_setting()
    cube: bool = setting(False, "judge the cube decision before the roll, not the plays")
    to: str = setting(
        "plain", "markup of a forum (default: plain)", choices=TARGETS, group="writing"
    )
    bold_best: bool = setting(False, "write the best play in bold", group="writing")
    json: bool = setting(False, "print a JSON object per nacbrac", group="writing")
    analyse: bool = setting(False, "analyse the files with an engine", group="match files")
    encoding: str | None = encoding_setting("match files")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    streams = on_terminal(streams, settings)
    data = streams.read(STANDARD_INPUT) if settings.words == (STANDARD_INPUT,) else None
    if positions := _copied(settings, data, streams):
        if conflict := _option_conflict(settings):
            raise SettingsError(conflict)
        name = "standard input" if data is not None else settings.words[0]
        return _print_copied(name, positions, settings, streams)
    is_file = _is_match(data) if data is not None else streams.is_file(settings.words[0])
    conflict = _conflict_with_file(settings) if is_file else _conflict_with_roll(settings)
    if conflict := _option_conflict(settings) or conflict:
        raise SettingsError(conflict)
    if is_file:
        return _print_files(settings, streams, data)
    if data is not None:
        streams = streams._replace(stdin=io.BytesIO(data))
    target = TARGETS[settings.to]
    for judged in judge_words(settings.words, settings, streams, target):
        _print_judged(judged, settings, streams)
    return Status.OK


def _copied(settings: Options, data: bytes | None, streams: Streams) -> tuple[Copied, ...]:
    """Return the positions of a copied text other than a file; none if an engine shall judge it."""
    word, *others = settings.words
    if others or settings.needs_engine or settings.start is not None:
        return ()
    if data is not None:
        return copied_in_file(data, settings.encoding)
    return () if streams.is_file(word) else copied_in_text(text_of(word, streams))


def _is_match(data: bytes) -> bool:
    """Whether bytes are a match file, not a sequence."""
    if is_match_file(data):
        return True
    try:
        return bool(read(data))
    except MalformedError:
        return False


def _option_conflict(settings: Options) -> str:
    """Return which options do not go together; empty if all do."""
    for name in ("rollout_plies", "truncate", "seed", "until"):
        if getattr(settings, name) is not None and not settings.rollout:
            return f"--{name.replace('_', '-')} goes with --rollout"
    if settings.truncate_plies is not None and not settings.truncate:
        return "--truncate-plies goes with --truncate"
    if settings.json and settings.to != "plain":
        return f"--to {settings.to} does nothing for --json"
    if settings.bold_best and (settings.json or settings.to == "plain"):
        return f"--bold-best does nothing for {'--json' if settings.json else '--to plain'}"
    return ""


def _conflict_with_file(settings: Options) -> str:
    """Return which option does nothing for a match file; empty if none."""
    unused = {"score": settings.score, "rollout": settings.rollout, "from": settings.start}
    conflict = next((f"--{name} does nothing" for name, value in unused.items() if value), "")
    if settings.plies is not None and not settings.analyse and settings.engine != NONE:
        conflict = conflict or "--plies goes with --analyse"
    if settings.move is not None and settings.game is None:
        conflict = conflict or "--move needs --game"
    return conflict and f"{conflict} for a match file"


def _conflict_with_roll(settings: Options) -> str:
    """Return which option goes only with match files; empty if none."""
    names = ("game", "move", "errors", "encoding")
    unused = [name for name in names if getattr(settings, name) is not None]
    unused += ["analyse"] * settings.analyse
    return f"--{unused[0]} goes with a match file" if unused else ""


def _print_judged(judged: Judged, settings: Options, streams: Streams) -> None:
    """Print the nacbrac of a decision, with the score as typed."""
    decision = judged.decision
    nacbrac = replace(nacbrac_of(decision), score=judged.score)
    if settings.json:
        value = nacbrac_view(decision, nacbrac) | {**judged.by}
        if decision.cube is None:
            value["plays"] = rated_views(decision)
        streams.print(json_line(value))
    else:
        target = TARGETS[settings.to]
        line = spell_nacbrac(nacbrac, target, bold_best=settings.bold_best)
        streams.print(target.paragraph(f"{judged.head} {line}".lstrip()))


def _print_files(settings: Options, streams: Streams, data: bytes | None) -> int:
    """Print the nacbracs of files, folders and patterns; return the exit status.

    `data` are the bytes of standard input, if they were read. A file without any analysis fails,
    and so does one without the game or move in the settings. Raises EngineError.
    """
    words = settings.words
    inputs = list(find_inputs(words))
    if not inputs:
        streams.report(f"nacbrac: no match files in {', '.join(words)}")
        return Status.FAILED
    status = Status.OK
    for source in inputs:
        job = Job(source, None)
        try:
            if source.path != STANDARD_INPUT or data is None:
                data = read_input(source, streams.stdin)
            if positions := copied_in_file(data, settings.encoding):
                alone = len(inputs) == 1
                status |= _print_copied(job.name, positions, settings, streams, alone=alone)
                continue
            analyse, encoding = settings.analyse, settings.encoding
            matches = read_analysed(data, settings, streams, analyse=analyse, encoding=encoding)
            _print_decisions(matches, job.name, settings, streams, alone=len(inputs) == 1)
        except (EngineError, SettingsError):
            raise
        except OSError as error:
            failure = failure_of(error, "unreadable")
            streams.report(f"{failure.where or job.name}: {failure.reason}")
            status = Status.FAILED
        except NactationError as error:
            hint = _hint(data) if isinstance(error, MalformedError) else ""
            streams.report(f"{job.name}: {hint or error}")
            status = Status.FAILED
    return status


def _hint(data: bytes | None) -> str:
    """Return a message about positions without an analysis; empty for other files."""
    positions = positions_in(data) if data and b"Game " not in data else ()
    if not positions:
        return ""
    return f"line {positions[0].line}: a position without an analysis; give its ID to ask an engine"


def _print_decisions(
    matches: Sequence[AnnotatedMatch],
    name: str,
    settings: Options,
    streams: Streams,
    *,
    alone: bool,
) -> None:
    """Print the nacbracs of a file, and report moves without analysis. Raises NactationError."""
    warnings: list[str] = []
    for listed in list_decisions(matches, settings, warnings):
        if settings.json:
            streams.print(_json(listed, name))
        else:
            streams.print(_line(listed, settings, f"{name}: " * (not alone)))
    for warning in warnings:
        streams.report(f"{name}: {warning}")


def _line(listed: Listed, settings: Options, head: str) -> str:
    """Return `1.2b, Bob: 21D [S D12] gnubg 2-ply`, in the markup of the settings."""
    target, decision = TARGETS[settings.to], listed.decision
    judgement = listed.judgement
    player = listed.annotated.match.players[judgement.player]
    at = place_name(judgement.game.number, judgement.move, judgement.player, listed.match)
    where = f"{head}{at}, {player}:"
    if decision.cube:
        action = target.escape(decision.cube.act.words)
    else:
        name = judgement.turn.name
        action = f"{decision.state.roll}{target.spell(name) if name else ''}"
    nacbrac = spell_nacbrac(nacbrac_of(decision), target, bold_best=settings.bold_best)
    return target.paragraph(f"{target.escape(where)} {action} {nacbrac}")


def _json(listed: Listed, file: str) -> str:
    judgement, decision = listed.judgement, listed.decision
    nacbrac = nacbrac_of(decision)
    engine, level = bot_of(decision.choices[0].level)
    value: View = {
        "file": file,
        "match": listed.match,
        "place": place_name(judgement.game.number, judgement.move, judgement.player, listed.match),
        "game": judgement.game.number,
        "move": judgement.move,
        "turn": judgement.turn.number,
        "player": int(judgement.player),
        "error": None if judgement.error is None else round(judgement.error, 6),
    }
    by = {"engine": engine, "level": level}
    if decision.cube:
        value |= {"made": decision.cube.act.words, **by, **nacbrac_view(decision, nacbrac)}
    else:
        nactation = judgement.turn.nactation or None
        value |= {**nacbrac_view(decision, nacbrac, nactation=nactation), **by}
        value["plays"] = _rated_with_levels(decision)
    return json_line(value)


def _print_copied(
    name: str,
    positions: Sequence[Copied],
    settings: Options,
    streams: Streams,
    *,
    alone: bool = True,
) -> int:
    """Print the nacbracs of the positions in a text; return the exit status.

    A text without a usable analysis fails, and so does one with anything wrong.
    """
    for option in ("game", "move", "errors", "analyse"):
        if getattr(settings, option) not in {None, False}:
            raise SettingsError(f"--{option} goes with a match file, not with copied positions")
    status, count = Status.OK, 0
    for number, copied in enumerate(positions, 1):
        if report_problems(copied, streams, name):
            status = Status.FAILED
        for decision in list_copied(copied, settings):
            count += 1
            if settings.json:
                streams.print(_copied_json(decision, copied, number, name))
            else:
                head = f"{name}: " * (not alone) + f"position {number}: " * (len(positions) > 1)
                streams.print(_copied_line(decision, head, settings))
    if not count and status == Status.OK:
        streams.report(f"{name}: no {'cube decision' if settings.cube else 'analysis'} in it")
        status = Status.FAILED
    return status


def _copied_line(decision: Decision, head: str, settings: Options) -> str:
    """Return `position 2: 31 [P S166] XG Roller++`, in the markup of the settings."""
    target = TARGETS[settings.to]
    nacbrac = spell_nacbrac(nacbrac_of(decision), target, bold_best=settings.bold_best)
    roll = f"{decision.state.roll} " if decision.state.roll else ""
    return target.paragraph(f"{target.escape(head + 'x')[:-1]}{roll}{nacbrac}")


def _copied_json(decision: Decision, copied: Copied, number: int, file: str) -> str:
    engine, level = bot_of(decision.choices[0].level)
    value: View = {"file": file, "position": number, "line": copied.line}
    value |= {"engine": engine, "level": level, "note": decision.note or None}
    value |= nacbrac_view(decision, nacbrac_of(decision))
    if decision.cube is None:
        value["plays"] = _rated_with_levels(decision)
    return json_line(value)


def _rated_with_levels(decision: Decision) -> list[View]:
    levels = [bot_of(choice.level)[1] for choice in decision.choices]
    plays = zip(rated_views(decision), levels, strict=False)
    return [play | {"level": level} for play, level in plays]
