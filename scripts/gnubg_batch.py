"""Annotate match files in GNU Backgammon without a screen, in all formats that gnubg imports.

gnubg passes no arguments to a script, so it reads its settings from the environment:

  NACTATE_FILES   files, folders (searched for .mat, .txt and .sgf) and patterns, one per line
  NACTATE_OUTPUT  the folder for the results
  NACTATE_TO      sgf (default), text or json

  NACTATE_FILES=matches NACTATE_OUTPUT=annotated gnubg -t -q -r --python=scripts/gnubg_batch.py

Run it in the project's folder, or with the folder of `nactation_plugin.py` in PYTHONPATH, or
after `nactate gnubg-setup`. Exit status: 0 success, 1 some file failed, 2 nothing to do.
"""

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

with contextlib.redirect_stdout(io.StringIO()):
    import nactation_plugin  # noqa: F401  adds the package to the path

from gnubg_nactation import plugin
from gnubg_nactation.annotation import annotate
from gnubg_nactation.errors import NactationError
from gnubg_nactation.exports.jsonlines import format_json
from gnubg_nactation.exports.sgf import comment_lines, format_sgf
from gnubg_nactation.exports.text import format_columns
from gnubg_nactation.system.atomic import write_atomically
from gnubg_nactation.tasks.sources import Input, find_inputs

OURS = "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon]MI[length:1]PW[none]PB[none];W[31hefe];B[31qtst])"
UNUSABLE = re.compile(rb'["\\]|[^\x20-\x7e]')  # in the names of files that gnubg imports
ENDINGS = {"sgf": ".sgf", "text": ".txt", "json": ".jsonl"}


def main() -> int:
    """Annotate the files, with the settings of the environment."""
    inputs = list(find_inputs(os.environ.get("NACTATE_FILES", "").splitlines()))
    output = os.environ.get("NACTATE_OUTPUT", "")
    form = os.environ.get("NACTATE_TO", "sgf")
    if not inputs or not output or form not in ENDINGS:
        plugin.say("set NACTATE_FILES, NACTATE_OUTPUT, and NACTATE_TO to sgf, text or json")
        return 2
    for setting in ("display off", "player 0 human", "player 1 human", "confirm new off"):
        plugin.run_command(f"set {setting}")
    places = targets(inputs, Path(output), ENDINGS[form])
    todo = [(Path(source.path), place) for source, place in zip(inputs, places, strict=True)]
    done = 0
    while todo:
        results = convert_all(todo, form)
        done += sum(results)
        if len(results) < len(todo):
            plugin.say(f"{todo[len(results)][0]}: failed: gnubg crashes over it")
        todo = todo[len(results) + 1 :]
    plugin.say(f"{done} of {len(inputs)} files annotated")
    return 1 if done < len(inputs) else 0


def convert_all(todo: list[tuple[Path, Path]], form: str) -> list[bool]:
    """Convert files; whether each succeeded, up to the first one that crashes gnubg.

    A fork of this process converts them, if the system can fork, so that this one survives a crash.
    """
    if not hasattr(os, "fork"):
        return [report(source, target, form) for source, target in todo]
    sys.stdout.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            for source, target in todo:
                is_done = report(source, target, form)
                sys.stdout.flush()
                os.write(writing, b"1" if is_done else b"0")
        except BaseException:  # the rest of the program is not for the fork
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        results = [answer == ord("1") for answer in answers.read()]
    os.waitpid(child, 0)
    return results


def report(source: Path, target: Path, form: str) -> bool:
    """Convert one file and print the result; whether it succeeded."""
    try:
        plugin.say(f"{source}: {convert(source, target, form)}")
    except (NactationError, OSError) as error:
        plugin.say(f"{source}: failed: {error}")
        return False
    return True


def targets(inputs: list[Input], folder: Path, ending: str) -> list[Path]:
    """The files to write; `a.mat` and `a.sgf` in one folder also keep their old endings."""
    alike = Counter(Path(source.place).with_suffix(ending) for source in inputs)
    return [
        folder / (place if alike[place] == 1 else f"{source.place}{ending}")
        for source in inputs
        for place in [Path(source.place).with_suffix(ending)]
    ]


def convert(source: Path, target: Path, form: str) -> str:
    """Import one file, write its result, and return a summary."""
    if source.resolve() == target.resolve():
        raise NactationError("the result would overwrite it")
    warnings = import_file(source)
    record = plugin.loaded_match()
    annotated = annotate(record.match)
    lines = comment_lines(annotated)
    if not lines:
        raise NactationError("nothing has been played in it")
    if form == "sgf":
        data = format_sgf(annotated, record)
    else:
        data = (format_json if form == "json" else format_columns)(annotated).encode()
    write_atomically(target, data)
    troubled = sum(bool(turn.trouble) for game in annotated.games for turn in game.turns)
    troubles = [f"{troubled} without Nactation"] if troubled else []
    return "; ".join([f"{len(lines)} moves", *troubles, *warnings, f"{target} written"])


def import_file(path: Path) -> list[str]:
    """Import a file and return gnubg's warnings. Raises NactationError if gnubg cannot.

    gnubg does not report whether it could, and may keep the match that it had, so load ours first.
    """
    ours = load_ours()
    with tempfile.TemporaryDirectory() as folder:
        name = os.fsencode(path)
        if UNUSABLE.search(name):
            name = os.fsencode(shutil.copy2(path, Path(folder, "match")))
        else:
            path.open("rb").close()  # raises OSError with a reason, unlike gnubg
        output = plugin.run_command(f"import auto {plugin.path_argument(name.decode())}")
    # After the warnings comes the board.
    warnings = output.decode("utf-8", "replace").partition(" GNU Backgammon ")[0].splitlines()
    try:
        imported = plugin.loaded_match().data != ours
    except NactationError:
        imported = False
    if not imported:
        raise NactationError("; ".join(["gnubg does not import it", *warnings[:1]]))
    return warnings[:3]


def load_ours() -> bytes:
    """Load a match of our own, and return it as gnubg saves it.

    It is loaded twice, because gnubg loses the first game after an SGF file that is cut off.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ours.sgf")
        path.write_text(OURS, encoding="ascii")
        for _ in range(2):
            plugin.run_command(f"load match {plugin.path_argument(str(path))}")
    return plugin.loaded_match().data


if __name__ == "__main__":
    sys.exit(main())
