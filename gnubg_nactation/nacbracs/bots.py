"""The bot after a nacbrac: its name, its level and its trials (section 17)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from gnubg_nactation.values import NamedTuple

_BOTS = {
    "~": "Snowie",
    "/": "gnubg, 2-ply",
    "|": "gnubg, 3-ply",
    "\\": "gnubg, 4-ply",
    "'": "XG 1",
    '"': "XG 2",
    "'\"": "XG 1 and XG 2",
}
_LEVELS = {
    "<": "3-ply",
    "^": "4-ply",
    ">": "5-ply",
    "=": "Roller",
    "+": "Roller+",
    "++": "Roller++",
    "&": "Roller++",
}
# As text: slow to compile, and needed only to read nacbracs.
_SYMBOLS = r"""(?P<bot> ~ | / | \| | \\ | '"? | " )? \s*
    (?P<levels> [<^>=+&]* ) \s*
    (?: (?P<evaluation> e )
      | (?P<counts> (?: [0-9]{1,6} (?:\.[0-9])? [kt] [^\s0-9]{0,3} (?:\s+|\Z) )+ )
      | (?P<trials> [0-9]{1,6} (?: [*\s]+ [0-9]{1,6} )* ) )? [*\s]*
    [\s,;.]*"""
_COUNT = re.compile(r"([0-9]{1,6}(?:\.[0-9])?)[kt]([^\s0-9]{0,3})")
_REMARK = re.compile(r"\([^()]*\)")
_LEVEL = re.compile(r"\+\+|.")
_DEPTH = r"(?:[0-9]-ply(?:\s+red|\+)?|Roller\+{0,2}|book|rollout)"
# Any engine may be credited by its label: a word with a capital, then its plies.
_WORDS = rf"""(?:book:\s+)?(?P<bot>gnubg|XG|Sage|BGBlitz|(?-i:[A-Z][A-Za-z]+)(?=\ [0-9]-ply)),?
    (?:\s+(?P<level>(?!rollout){_DEPTH})(?![+]),?)?
    (?:\s+evaluation
    | \s+(?P<rollout>rollout),?(?:\s+(?P<trials>[0-9]{{1,9}})(?:\s+trials)?)?
      (?P<until>\s+or\s+until\s+[0-9]?\.[0-9]{{3}})?
      (?P<truncated>\s+truncated\s+at\s+[0-9]{{1,9}}\s+plies(?:\s+by\s+[0-9]-ply)?)?)?
    (?P<errors>,?\s+standard\s+errors?(?:\s+[0-9]{{1,6}})+)?
    (?P<lesser>(?:,\s+{_DEPTH}\s+for(?:\s+[^\s,]+)+)*)"""
_BOT_NAMES = {name.lower(): name for name in ("gnubg", "XG", "Sage", "BGBlitz")}
_LONGEST, _LONGEST_SYMBOLS = 1000, 100


def describe_bot(suffix: str, names: Collection[str] = ()) -> str:
    """The text after a nacbrac in words; empty if it names no bot.

    `"<=62*15 5` is `XG 2, 3-ply, Roller, 62 thousand trials, 15 and 5 for lesser plays`, and
    `7k 2kR` is `7,000 trials, 2,000 trials for R`, if R is among the `names` of the nacbrac.
    Skips comments in parentheses, and the `or` before another nacbrac.
    """
    text = suffix.strip()
    if len(text) > _LONGEST:
        return ""
    text = _REMARK.sub(" ", text).strip().replace("\u2264", "<=")
    text = text.removesuffix(" or").rstrip(" ,;")
    flags = re.VERBOSE | re.ASCII
    bare = text.rstrip(" ,;.")
    for form in (text, bare):
        if match := re.fullmatch(_WORDS, form, flags | re.IGNORECASE):
            return _in_words(match)
    match = re.fullmatch(_SYMBOLS, bare, flags) if len(bare) <= _LONGEST_SYMBOLS else None
    if match is None:
        return ""
    trials, *fewer = re.split(r"[*\s]+", match["trials"] or "")
    parts = [
        _BOTS.get(match["bot"], ""),
        *(_LEVELS[level] for level in _LEVEL.findall(match["levels"])),
        "evaluation" if match["evaluation"] else "",
        *(_count(number, name, names) for number, name in _COUNT.findall(match["counts"] or "")),
        f"{int(trials)} thousand trials" if trials else "",
        f"{' and '.join(fewer)} for lesser plays" if fewer else "",
    ]
    return ", ".join(filter(None, parts))


def _in_words(match: re.Match[str]) -> str:
    """Normalise a suffix in words."""
    level, rollout = match["level"] or "", match["rollout"]
    level = level.capitalize() if level.lower().startswith("roller") else level.lower()
    parts = [
        _BOT_NAMES.get(match["bot"].lower(), match["bot"]),
        " ".join(level.split()),
        "rollout" if rollout else "evaluation" * (level not in {"", "book"}),
        f"{match['trials']} trials" if match["trials"] else "",
        *(" ".join((match[group] or "").split()).strip(", ").lower() for group in _FURTHER),
        " ".join(match["lesser"].split()).strip(", "),
    ]
    return ", ".join(filter(None, parts))


_FURTHER = "until", "truncated", "errors"


class Levels(NamedTuple):
    """The `level` of a nacbrac's plays, and of others by their names (`lesser`).

    `errors` are the standard errors of the losses at the first level, in points.
    """

    bot: str
    level: str
    errors: Sequence[float]
    lesser: Mapping[str, str]


def read_levels(suffix: str) -> Levels | None:
    """The levels in a suffix as `analysis_suffix` writes it; None for any other."""
    if len(suffix) > _LONGEST or not (match := re.fullmatch(_WORDS, suffix, re.VERBOSE | re.ASCII)):
        return None
    begins, ends = match.end("bot"), match.start("errors" if match["errors"] else "lesser")
    lesser: dict[str, str] = {}
    for part in filter(None, match["lesser"].split(", ")):
        level, _, names = part.partition(" for ")
        lesser |= dict.fromkeys(names.split(), level)
    errors = [int(number) / 1000 for number in re.findall(r"[0-9]+", match["errors"] or "")]
    return Levels(match["bot"], suffix[begins:ends].strip(), errors, lesser)


def _count(thousands: str, name: str, names: Collection[str]) -> str:
    """The number of trials, and for which play; R is a rollout if no play has that name."""
    trials = f"{round(1000 * float(thousands)):,} trials"
    if name == "R" and name not in names:
        return f"rollout of {trials}"
    return f"{trials} for {name}" if name else trials


def gnubg_suffix(
    plies: int,
    trials: int = 0,
    *,
    stops: str = "",
    errors: Sequence[float] = (),
    symbols: bool = False,
) -> str:
    """The suffix of plays that gnubg has evaluated or, with `trials`, rolled out.

    In words: `gnubg 2-ply`, `gnubg 0-ply rollout 1296 trials`. `stops`: those of Depth.
    `errors` are the standard errors of the losses of all plays but the best, in points. With
    `symbols`, the community's signs, `/e` or `/5`, which exist for 2, 3 and 4 plies, and for at
    least a thousand trials, all played and to the end.
    """
    sign = {2: "/", 3: "|", 4: "\\"}.get(plies, "") if symbols else ""
    if sign and not trials:
        return f"{sign}e"
    if sign and trials >= 1000 and not stops:
        return f"{sign}{trials // 1000}"
    words = f"gnubg {plies}-ply" + (f" rollout {trials} trials{stops}" if trials else "")
    return ", ".join([words, *_in_thousandths(errors)])


def _in_thousandths(errors: Sequence[float]) -> list[str]:
    """The standard errors in words, as part of a suffix; nothing without any."""
    numbers = " ".join(str(round(1000 * error)) for error in errors)
    return [f"standard error{'s' * (len(errors) > 1)} {numbers}"] if errors else []


def bot_of(method: str) -> tuple[str, str]:
    """The bot and the level of a `Candidate.method`: gnubg for `2-ply`, XG for `XG Roller`."""
    bot, _, level = method.partition(" ")
    is_level = not bot or bot[0].isdigit() or bot in {"rollout", "book"}
    return ("gnubg", method) if is_level else (bot, level)


def analysis_suffix(
    methods: Sequence[str],
    names: Sequence[str] = (),
    *,
    errors: Sequence[float] = (),
    symbols: bool = False,
) -> str:
    """The suffix of an analysis: `gnubg 2-ply`, `XG Roller++`, `XG rollout`.

    `methods` has the `Candidate.method` of each entry, the best first. Others than the first are
    listed with the `names` of their entries: `XG Roller++, 3-ply for H X`. `errors`: see
    gnubg_suffix. With `symbols`, the community's sign, if all have the same level and it has one;
    the XG of a file counts as XG 2.
    """
    best, *_ = methods
    bot, level = bot_of(best)
    lesser: dict[str, list[str]] = {}
    for method, name in zip(methods, names, strict=False):
        if method != best and bot_of(method)[1]:
            lesser.setdefault(bot_of(method)[1], []).append(name)
    if symbols and not lesser and best in _SIGNS:
        return f"{_SIGNS[best]}e"
    parts = [f"{bot} {level}".rstrip(), *_in_thousandths(errors)]
    parts += [f"{level} for {' '.join(entries)}" for level, entries in lesser.items()]
    return ", ".join(parts)


_SIGNS = {
    "2-ply": "/",
    "3-ply": "|",
    "4-ply": "\\",
    "XG 3-ply": '"<',
    "XG 4-ply": '"^',
    "XG 5-ply": '">',
    "XG Roller": '"=',
    "XG Roller+": '"+',
    "XG Roller++": '"&',
}
