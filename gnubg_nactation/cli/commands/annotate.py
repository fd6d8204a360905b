"""`nactate annotate`: annotate matches with Nactation."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from gnubg_nactation.cli.results import Coloured, largest_setting, on_terminal, width_of
from gnubg_nactation.cli.streams import FILES, Status, Streams
from gnubg_nactation.showing import quoted, shown
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.system.litter import sweep_files
from gnubg_nactation.tasks.annotating import (
    FORM_OF_SUFFIX,
    FORMS,
    AnnotateSettings,
    Rendering,
    Result,
    attempt,
    by_suffix,
    rendering_of,
)
from gnubg_nactation.tasks.engines import AUTO, NONE, jobs_setting, scheduler_setting
from gnubg_nactation.tasks.face import showing_progress
from gnubg_nactation.tasks.outcomes import Failure, failure_of
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.sources import (
    STANDARD_INPUT,
    Input,
    Job,
    below,
    find_inputs,
    read_input,
    tidy,
    write,
)
from gnubg_nactation.values import TYPE_CHECKING, replace

if TYPE_CHECKING:
    from collections.abc import Generator

    from gnubg_nactation.engines.engine import Program
    from gnubg_nactation.tasks.batches import BatchSettings, Done

DESCRIPTION = """\
Annotate matches with Nactation.
Reads .xg, .mat, .txt and .sgf files; writes text, SGF, JSON, web pages or forum posts."""
EXAMPLES = """\
  nactate annotate match.xg                         print the move list
  nactate annotate -o match.html match.xg           a web page with boards
  nactate annotate --analyse --traditional match.mat
  nactate annotate --to sgf -o annotated/ matches/  all files of a folder
  nactate annotate --to json - < match.mat

Folders are searched with their subfolders. Results that are up to date are not written again.
"""
USAGE = "FILE ..."
_TEXTS = {"text", "plain"}
_TEXT_OPTIONS = (
    "letters",
    "traditional",
    "layout",
    "boards",
    "fans",
    "forced",
    "start_mark",
    "spoken",
)
_TO_SCREEN = {None, "-"}
_MANY = "many files"


class Options(Coloured, AnnotateSettings, first="files to output in_place encoding db largest"):
    """The settings of the task, its files, and where the results go."""

    files: tuple[str, ...] = setting(
        (),
        "a match file (.xg, .mat, .sgf, .ogxm ...), a folder, a pattern, or `-` (standard input)",
        "FILE",
        words="some",
    )
    output: str | None = setting(
        None,
        "file to write, or a folder ending in / (default: standard output)",
        "FILE-or-FOLDER",
        flags="-o --output",
    )
    largest: int = largest_setting()
    jobs: int = jobs_setting("annotate N files", _MANY)
    scheduler: str | None = scheduler_setting("annotate", _MANY)
    force: bool = setting(False, "annotate again even if results are up to date", group=_MANY)
    report: str | None = setting(
        None, "write the result of each file as JSON; implies --summary", "FILE", group=_MANY
    )
    summary: bool = setting(
        False,
        "end with a count of files, games, plays and failures (default: on a terminal)",
        group=_MANY,
    )


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    form = settings.to or ("sgf" if settings.in_place else by_suffix(settings.output))
    jobs = _find_jobs(settings.files, form, settings.output, in_place=settings.in_place)
    if not jobs:
        streams.report(f"annotate: no match files in {', '.join(settings.files)}")
        return Status.FAILED
    if problem := _conflict(settings, form, jobs):
        raise SettingsError(problem)
    rendering = rendering_of(settings, form)
    force = settings.force
    if rendering.db is not None:
        from gnubg_nactation.archive.database import open_archive

        open_archive(rendering.db).close()  # report a missing database once, not for each file
        force = True  # earlier results may be of another state of the database
    is_printed = form in _TEXTS and settings.output in _TO_SCREEN
    if is_printed and (streams.stdout.isatty() or settings.color == "always"):
        streams = on_terminal(streams, settings)
        rendering = replace(rendering, width=width_of(streams))
    engine = None
    if settings.analyse and not settings.scheduler:
        engine = streams.open_engine()  # report a missing engine once
        plies = engine.bot.depth(settings.plies).plies
        rendering = replace(rendering, fingerprint=engine.fingerprint, plies=plies)
    if len(jobs) == 1 and not (settings.report or settings.summary or settings.scheduler):
        return _run_one(jobs[0], rendering, engine, settings.largest, streams)
    return _run_many(jobs, rendering, engine, settings, force, streams)


def _run_one(
    job: Job, settings: Rendering, engine: Program | None, megabytes: int, streams: Streams
) -> int:
    outcome: Result | Failure
    try:
        data = read_input(job.source, streams.stdin, megabytes)
        with showing_progress(streams, "analysing", unit="turns analysed"):
            outcome = attempt(data, settings, engine, streams.step)
        if isinstance(outcome, Result):
            if job.target:
                sweep_files(os.path.dirname(job.target))
                write(job.target, outcome.data, lasting=settings.in_place)
            elif settings.to in _TEXTS:
                streams.print(outcome.data.decode())
            else:
                streams.write(outcome.data)
    except OSError as error:
        outcome = failure_of(error, "unreadable")
    _report_outcome(job, outcome, streams)
    is_whole = isinstance(outcome, Result) and not outcome.counts.incomplete
    return Status.OK if is_whole else Status.FAILED


def _run_many(
    jobs: Sequence[Job],
    rendering: Rendering,
    engine: Program | None,
    settings: Options,
    force: bool,
    streams: Streams,
) -> int:
    """Annotate files in order; a failure does not stop the run."""
    from contextlib import closing
    from itertools import groupby

    from gnubg_nactation.tasks.batches import Account, BatchSettings, result_log

    for folder, _ in groupby(os.path.dirname(target) for _, target in jobs if target):
        sweep_files(folder)
    account = Account(keeps_rows=settings.report is not None)
    blank = b"\n" if rendering.to in _TEXTS and rendering.layout == "columns" else b""
    between = b""
    batch = BatchSettings(rendering, force, streams.stdin, settings.largest)
    result_log.cache_clear()  # another process may have written since
    with (
        showing_progress(streams, "annotating", len(jobs), FILES),
        closing(_all_done(jobs, batch, engine, settings)) as all_done,
    ):
        for job, done in zip(jobs, all_done, strict=True):
            outcome = done.outcome
            if isinstance(outcome, Result) and not job.target:
                outcome = _print(outcome, between, streams)
            if isinstance(outcome, Result):
                between = blank
            if isinstance(outcome, Failure) or outcome.remarks:
                _report_outcome(job, outcome, streams)
            account.add(job, outcome, is_up_to_date=done.is_up_to_date)
            streams.step(account.files, failed=account.failures.total())
    if rendering.to == "html":
        _add_contents([target for _, target in jobs if target], settings.output)
    if settings.report == "-":
        streams.write(account.as_json())
    elif settings.report:
        write_atomically(settings.report, account.as_json())
    streams.flush()  # an error of standard output comes before the summary
    if settings.summary or settings.report or streams.stderr.isatty():
        streams.report(account.summary())
    return Status.FAILED if account.failures or account.counts.incomplete else Status.OK


def _all_done(
    jobs: Sequence[Job], batch: BatchSettings, engine: Program | None, settings: Options
) -> Generator[Done, None, None]:
    from gnubg_nactation.tasks.batches import by_processes, by_scheduler

    if settings.scheduler:
        return by_scheduler(jobs, batch, settings.scheduler)
    return by_processes(jobs, batch, min(settings.jobs, len(jobs)), engine)


def _print(result: Result, between: bytes, streams: Streams) -> Result | Failure:
    try:
        streams.print((between + result.data).decode("utf-8", "surrogateescape"))
    except OSError as error:
        return failure_of(error, "unwritable")
    return result


def _conflict(settings: Options, form: str, jobs: list[Job]) -> str:
    """Return an error if options conflict; empty if they do not."""
    if not settings.analyse and settings.engine != NONE:
        for name, value in (("plies", settings.plies), ("engine", settings.engine)):
            if value not in {None, AUTO}:
                return f"--{name} goes with --analyse"
    if conflict := _option_conflict(settings, form) or _report_conflict(settings, jobs):
        return conflict
    if settings.in_place:
        if settings.output or form != "sgf":
            return "--in-place works only with SGF files and without -o"
        if any(job.source.is_standard_input for job in jobs):
            return "--in-place cannot write to standard input"
        return ""
    if len(jobs) > 1 and settings.output in _TO_SCREEN and form in {"sgf", "html", "ogxm"}:
        return f"several files to {form.upper()} need -o FOLDER"
    return "" if settings.output in _TO_SCREEN else _overwriting(jobs, settings)


def _option_conflict(settings: Options, form: str) -> str:
    """Name an option without effect on the form or layout; empty if there is none."""

    def is_set(name: str) -> bool:
        return bool(getattr(settings, name) != settings.declared[name].default)

    text_option = next(filter(is_set, _TEXT_OPTIONS), "")
    if text_option and form in {"sgf", "mat", "ogxm", "json", "html"}:
        return f"--{text_option.replace('_', '-')} does nothing for --to {form}"
    if settings.db is not None and form != "html":
        return f"--db does nothing for --to {form}"
    if settings.db is not None and settings.scheduler:
        return "--db is a file of this machine, which workers elsewhere do not have"
    judging = list(filter(is_set, ("blunder", "words")))
    if judging and (form in {"sgf", "mat", "ogxm"} or (judging[-1], form) == ("words", "json")):
        return f"--{judging[-1]} does nothing for --to {form}"
    if settings.traditional and settings.layout != "columns":
        return f"--traditional does nothing for --layout {settings.layout}"
    return ""


# The files: what is read, and where results go


def _find_jobs(
    files: Sequence[str], form: str, output: str | None, *, in_place: bool = False
) -> list[Job]:
    """Return the files to read, each with the file for its result.

    Results of an earlier run in a folder inside a searched one are no inputs, nor is this folder
    next to other inputs, as from the pattern `m/*`. In a folder, a result has the name of its file
    with a new ending. If two would get the same name, both also keep the old one (`a.mat.sgf`).
    """
    inputs = list(find_inputs(files))
    if in_place or output is None or output == STANDARD_INPUT:
        return [Job(source, source.path if in_place else None) for source in inputs]
    folder, real = tidy(output), _resolver()
    is_folder = os.path.isdir(folder)
    around = {os.path.dirname(tidy(name)) for name in files if tidy(name) != folder}
    is_named = folder in map(tidy, files) and os.path.dirname(folder) in around
    if is_folder and (is_named or any(_is_below(real(folder), real(name)) for name in files)):
        inputs = [source for source in inputs if not _is_below(real(source.path), real(folder))]
    to_folder = output.endswith(("/", "\\")) or is_folder
    if len(inputs) == 1 and not to_folder and not os.path.isdir(files[0]):
        return [Job(inputs[0], folder)]
    ending = FORMS[form].suffix
    places = [_with_ending(_name(source), ending) for source in inputs]
    # Names that differ only in case are the same on many systems.
    counts = Counter(place.casefold() for place in places)
    return [
        Job(
            source,
            below(folder) + (place if counts[place.casefold()] == 1 else _name(source) + ending),
        )
        for source, place in zip(inputs, places, strict=True)
    ]


def _overwriting(jobs: list[Job], settings: Options) -> str:
    """Name an input that a result would overwrite, a target of two, or a folder like a file."""
    real, output = _resolver(), settings.output or ""
    has_ending = os.path.splitext(output)[1].lower() in FORM_OF_SUFFIX
    if jobs[0].target != tidy(output) and not os.path.isdir(output):
        if os.path.exists(tidy(output)):
            return f"-o needs a folder here; {shown(tidy(output))} is not one"
        if has_ending:
            return f"several files need -o FOLDER; {quoted(output + '/')} would be one"
    targets = Counter(real(target) for _, target in jobs if target)
    for path in [path for source, _ in jobs for path in (source.path, *source.others)]:
        if real(path) in targets:
            return f"{path} would be overwritten; --in-place annotates SGF in place"
    if settings.db is not None and real(settings.db) in targets:
        return f"{settings.db} would be overwritten"
    twice = next((target for target, count in targets.items() if count > 1), "")
    return f"two results would be written to {twice}" if twice else ""


def _report_conflict(settings: Options, jobs: Sequence[Job]) -> str:
    """Return an error if the report would overwrite an input or a result."""
    report = settings.report
    if report in _TO_SCREEN:
        return ""
    real = _resolver()
    files = [path for job in jobs for path in (job.source.path, *job.source.others, job.target)]
    is_taken = real(report or "") in map(real, filter(None, [*files, settings.db]))
    return f"--report would overwrite {report}, an input or a result" if is_taken else ""


def _resolver() -> Callable[[str], str]:
    """Return a fast `realpath` for many files in few folders."""

    @cache
    def real_folder(path: str) -> str:
        return os.path.realpath(path)

    def real(path: str) -> str:
        folder, name = os.path.split(path)
        if name in {"", ".", ".."}:
            return real_folder(path)
        place = os.path.join(real_folder(folder), name)
        return os.path.realpath(place) if os.path.islink(place) else place

    return real


def _is_below(path: str, folder: str) -> bool:
    """Whether a real path is inside a folder, at any depth."""
    return path != folder and path.startswith(os.path.join(folder, ""))


def _name(source: Input) -> str:
    return "stdin" if source.is_standard_input else source.place


def _with_ending(place: str, ending: str) -> str:
    """Replace the ending of a name; a first or last dot begins no ending."""
    dot = place.rfind(".")
    has_ending = place.rfind(os.sep) + 1 < dot < len(place) - 1
    return (place[:dot] if has_ending else place) + ending


def _report_outcome(job: Job, outcome: Result | Failure, streams: Streams) -> None:
    """Report a failure, or the warnings about a file that was annotated."""
    if isinstance(outcome, Failure):
        streams.report(f"{outcome.where or job.name}: {outcome.reason}")
        return
    for remark in outcome.remarks:
        streams.report(f"{job.name}: {remark}")


def _add_contents(targets: Sequence[str], output: str | None) -> None:
    """Write the contents page of a folder for these pages, unless another file has its name.

    It is made from the pages themselves, also from those of an earlier run. Raises OSError.
    """
    from pathlib import Path

    from gnubg_nactation.exports.contents_page import (
        CONTENTS,
        contents_page,
        is_contents_page,
        read_entries,
    )

    if output is None or not os.path.isdir(output):
        return
    folder = Path(output)
    contents = folder / CONTENTS
    if contents.is_file() and not is_contents_page(contents.read_bytes()):
        return
    pages = [
        (Path(os.path.relpath(target, output)).as_posix(), entries)
        for target in map(Path, targets)
        if target.is_file() and (entries := read_entries(target.read_bytes()))
    ]
    if pages:
        write(str(contents), contents_page(pages).encode())
