"""`nactate post`: write a sequence or a position for a forum."""

from __future__ import annotations

from collections.abc import Sequence

from gnubg_nactation import IllegalError, MalformedError
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.cli.results import paste_setting
from gnubg_nactation.cli.streams import Status, Streams
from gnubg_nactation.decisions.decision import Decision, decisions_of
from gnubg_nactation.exports.post import (
    PostStyle,
    as_post,
    format_position,
    format_question,
    format_sequence,
    sequence_row,
    spell_nacbrac,
)
from gnubg_nactation.exports.scores import scores_text
from gnubg_nactation.exports.targets import TARGETS, Target
from gnubg_nactation.nacbracs.reading import split
from gnubg_nactation.tasks.scores import added_scores, added_scores_setting
from gnubg_nactation.tasks.settings import SettingsError, setting
from gnubg_nactation.tasks.styles import (
    fans_setting,
    forced_setting,
    spoken_setting,
    start_mark_setting,
)
from gnubg_nactation.tasks.subjects import (
    CUBE_MISUSE,
    SUBJECT_HELP,
    SequenceSettings,
    copied_in_text,
    cube_setting,
    decision_of,
    read_named,
    read_sequence,
    read_subject,
    report_doubts,
    report_problems,
    resolve,
    text_of,
)
from gnubg_nactation.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gnubg_nactation.files.copied import Copied

DESCRIPTION = """\
Write a sequence, a position or a decision for a forum, with its board.
Prints the markup of the site, ready to paste."""
EXAMPLES = """\
  nactate post 43Z-32H-54
  nactate post --to bbcode 4HPwATDgc/ABMA
  nactate post --to reddit --spoiler '54S-63R-31 [P @87 H94 X101]'
  nactate post --to discord --spoiler match.sgf#2.13b
  nactate post --scores 0 54S-63R-31      with the best play at every score
"""
USAGE = "SUBJECT"


class Options(
    SequenceSettings,
    first="what paste to spoiler cube scores layout bold_best spoken fans forced start_mark",
):
    """What is posted, where, and how it is written."""

    what: str = setting(
        "", f"{SUBJECT_HELP}; nacbracs may follow a sequence", "SUBJECT", words="joined"
    )
    paste: bool = paste_setting()
    to: str = setting("markdown", "markup of the site (default: markdown)", choices=TARGETS)
    spoiler: bool = setting(
        False,
        "ask what to do, and hide the answer (from the nacbrac, the match or an engine)",
    )
    cube: bool = cube_setting()
    scores: int | None = added_scores_setting("add")
    layout: str = setting(
        "row",
        "write tokens singly (default) or in pairs",
        choices=("row", "paired"),
        group="style",
    )
    bold_best: bool = setting(False, "write the best play of a nacbrac in bold", group="style")
    spoken: bool = spoken_setting("style")
    fans: str = fans_setting("style")
    forced: str = forced_setting("style")
    start_mark: str = start_mark_setting("style")


def run(settings: Options, streams: Streams) -> int:
    """Run the command and return its exit status."""
    text = text_of(settings.what, streams)
    target = TARGETS[settings.to]
    if settings.bold_best and settings.to == "plain":
        raise SettingsError("--bold-best does nothing for --to plain")
    if settings.bold_best and "[" not in text:
        raise SettingsError("--bold-best needs a nacbrac, such as [P @87 H94]")
    if settings.scores is not None and settings.spoiler:
        raise SettingsError("--scores shows the answer that --spoiler hides")
    if positions := copied_in_text(text):
        return _print_copied(positions, target, settings, streams)
    subject = read_named(text, settings, streams, about_cube=settings.cube)
    if subject is None and (settings.spoiler or "[" not in text):
        subject = read_subject(text, settings, streams, about_cube=settings.cube)
    if settings.cube and not (subject and subject.where):
        raise SettingsError(CUBE_MISUSE)
    layout = settings.layout, settings.fans, settings.forced, settings.start_mark
    style = PostStyle(*layout, spoken=settings.spoken)
    if not subject:
        post = _nacbracs(text, target, style, settings, streams)
    elif settings.spoiler or subject.where:
        decision = subject.decision or Decision(subject.state)
        if settings.spoiler:
            decision = decision_of(subject, settings, streams)
        decoded, players = subject.decoded, subject.players
        row = sequence_row(decoded, target, style) if decoded and decoded.turns else ""
        post = format_question(
            decision,
            target,
            hidden=settings.spoiler,
            row=row,
            players=players,
            more=_scores(subject.state, target, settings, streams),
        )
    elif not text:
        raise MalformedError("nothing to post: name a sequence or a position")
    elif subject.decoded:
        more = _scores(subject.state, target, settings, streams)
        post = format_sequence(subject.decoded, target, style, more=more)
    else:
        blocks = [format_position(subject.state, target)]
        post = as_post([*blocks, *_scores(subject.state, target, settings, streams)], target)
    streams.print(post)
    return Status.OK


def _print_copied(
    positions: Sequence[Copied], target: Target, settings: Options, streams: Streams
) -> int:
    """Print the decisions of what XG or gnubg copies; return the exit status."""
    failed = [report_problems(copied, streams) for copied in positions]
    decisions = [decision for copied in positions for decision in decisions_of(copied)]
    decisions = [decision for decision in decisions if decision.cube or not settings.cube]
    posts = [
        format_question(
            decision,
            target,
            hidden=settings.spoiler,
            more=_scores(decision.state, target, settings, streams),
        )
        for decision in decisions
    ]
    streams.print("\n".join(posts))
    if not posts and not any(failed):
        raise IllegalError("the text has no cube decision")
    return Status.FAILED if any(failed) else Status.OK


def _nacbracs(
    text: str, target: Target, style: PostStyle, settings: Options, streams: Streams
) -> str:
    """Write a post of the sequences in a text, each with its nacbracs."""
    posts = []
    for sequence, nacbracs in split(text):
        decoded = read_sequence(sequence, settings, streams)
        report_doubts(decoded, streams)
        resolved = resolve(decoded, nacbracs, settings, streams) if nacbracs else ()
        roll = resolved[0].state.roll if resolved and not decoded.turns else None
        if roll:  # the nacbracs are about the roll of the start
            decoded = read_sequence(str(roll), settings, streams)
        bold = settings.bold_best
        lines = [spell_nacbrac(nacbrac.named, target, bold_best=bold) for nacbrac in resolved]
        state = resolved[0].state if resolved else decoded.state
        more = _scores(state, target, settings, streams)
        posts.append(format_sequence(decoded, target, style, lines or [""], more=more))
    return "\n".join(posts)


def _scores(state: GameState, target: Target, settings: Options, streams: Streams) -> list[str]:
    """Return the block of the table of all scores; none without the option."""
    if settings.scores is None:
        return []
    table = added_scores(state, settings.scores, settings, streams)
    return [target.preformatted(scores_text(table).rstrip())]
