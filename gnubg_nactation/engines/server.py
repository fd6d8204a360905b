"""The script of the child gnubg, which answers questions: `gnubg --python=server.py`.

A question is a line of JSON on standard input. Its answer is a line of JSON on standard output,
after MARK, as gnubg may print there earlier; lines with DONE may come before it. Later output of
gnubg goes to standard error.

This file imports nothing of the package, because gnubg may have another Python. The current folder
becomes TMPDIR, which belongs to this process alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys

TYPE_CHECKING = False  # checkers know this name

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MARK = "nactation "
DONE = "nactation: "  # before the number of games that a rollout has played of each play
# In the current folder: the file to import, and the SGF that gnubg saves.
IMPORT_FILE, SAVED_FILE = "given", "match.sgf"
# gnubg 1.08 rates the cube as more efficient in searches of less than 2 plies, but shares its cache
# with deeper ones: without this, answers would depend on earlier questions.
FORGET = "clear cache"
_DEEP = 2
_STEPS, _MIN_STEP = 100, 12  # of a rollout; games of a step
_KILL = 9
_PARENT_DEATH = 1  # prctl's PR_SET_PDEATHSIG


def _main() -> None:
    import gnubg  # type: ignore[import-not-found]  # noqa: PLC0415 (others import the rest)

    os.chdir(os.environ["TMPDIR"])  # gnubg for Windows goes to where it is installed
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if sys.platform.startswith("linux"):  # end with the parent, even during an analysis
        import ctypes  # noqa: PLC0415 (as above)

        ctypes.CDLL(None).prctl(_PARENT_DEATH, _KILL)
    gnubg.command("set display off")
    gnubg.command("set confirm new off")
    _answer(answers, {"version": _version(gnubg)})
    cached: bool | None = False  # whether the cache is of deep searches
    for line in iter(sys.stdin.readline, ""):
        question = json.loads(line)
        plies = None if question.get("rollout") else question.get("plies")
        deep = None if plies is None else plies >= _DEEP
        if deep is not cached:
            gnubg.command(FORGET)
        cached = deep
        os.ftruncate(2, 0)  # drop the output of earlier questions
        try:
            if "board" in question:
                answer: dict[str, Any] = {"evaluation": evaluation(gnubg, question)}
            elif "import" in question:
                answer = _import(gnubg, question["import"])
            else:
                answer = _analyse(gnubg, question, answers)
        except Exception as error:  # the parent reports it, whatever it is
            answer = {"error": f"{type(error).__name__}: {error}"}
        _answer(answers, answer)


_EMPTY = "(;FF[4]GM[6]MI[length:1][game:0][ws:0][bs:0]\n;W[31hefe])"


def _version(gnubg: Any) -> str:
    """The program and its version, from a match that it saves."""
    _save(gnubg, _EMPTY)
    with open(SAVED_FILE, encoding="latin-1") as file:
        match = re.search(r"AP\[([^][:]*):([^][]*)\]", file.read())
    return " ".join(match.groups()) if match else "GNU Backgammon"


def _import(gnubg: Any, format_name: str) -> dict[str, Any]:
    """Import a file of another program; if gnubg cannot, the match stays unchanged."""
    _save(gnubg, _EMPTY)
    with open(SAVED_FILE, "rb") as file:
        before = file.read()
    os.remove(SAVED_FILE)
    gnubg.command(f"import {format_name} {IMPORT_FILE}")
    gnubg.command(f'save match "{SAVED_FILE}"')
    with open(SAVED_FILE, "rb") as file:
        imported = file.read() != before
    with contextlib.suppress(OSError, AttributeError):  # write the output that C has buffered
        import ctypes  # noqa: PLC0415 (as above)

        ctypes.CDLL(None).fflush(None)
    return {"imported": imported}


def _analyse(gnubg: Any, question: dict[str, Any], answers: Any) -> dict[str, Any]:
    """Analyse an SGF, then roll out the first `rollout` plays of its only roll.

    A rollout is done in steps, each of which continues the last, to report progress in between.
    The answer is the saved file, which would be long in JSON.
    """
    for command in question["commands"]:
        gnubg.command(command)

    def analyse() -> None:
        gnubg.command("analyse match")
        if not question["rollout"]:
            return
        numbers = " ".join(str(number + 1) for number in range(question["rollout"]))
        trials = question["trials"]
        gnubg.command(FORGET)
        for done in [*range(0, trials, max(_MIN_STEP, -(-trials // _STEPS)))[1:], trials]:
            gnubg.command(f"set rollout trials {done}")
            gnubg.command(f"analyse rollout move {numbers}")
            answers.write(f"{DONE}{done}\n")
            answers.flush()

    _save(gnubg, question["sgf"], analyse, question["nodes_before"])
    return {}


def _save(
    gnubg: Any, sgf: str, work: Callable[[], None] | None = None, nodes_before: int = 0
) -> None:
    """Load an SGF, go to the node after `nodes_before`, do the work, and save the match."""
    with open(SAVED_FILE, "w", encoding="latin-1") as file:
        file.write(sgf)
    gnubg.command(f'load match "{SAVED_FILE}"')
    os.remove(SAVED_FILE)  # gnubg would ask whether to overwrite it
    if nodes_before:
        gnubg.navigate()
        gnubg.navigate(next=nodes_before)
    if work:
        work()
    gnubg.command(f'save match "{SAVED_FILE}"')


def evaluation(gnubg: Any, question: dict[str, Any]) -> list[float]:
    """The five chances of a position, its cubeless equity, and those of `cubeful_equities`."""
    cubeless = gnubg.evaluate(*_position(gnubg, question, cubeful=0))
    return [*cubeless[:6], *cubeful_equities(gnubg, question)]


def cubeful_equities(gnubg: Any, question: dict[str, Any]) -> list[float]:
    """The cubeful equity of a position, and the equities of no double, take and pass."""
    return list(gnubg.cfevaluate(*_position(gnubg, question, cubeful=1))[:4])


def _position(gnubg: Any, question: dict[str, Any], cubeful: int) -> tuple[Any, ...]:
    cube = gnubg.cubeinfo(*question["cube"]) | question["rules"]
    return question["board"], cube, gnubg.evalcontext(cubeful, question["plies"], 1, 1, 0.0)


def _answer(answers: Any, value: dict[str, Any]) -> None:
    answers.write(f"{MARK}{json.dumps(value)}\n")
    answers.flush()


if __name__ == "__main__":
    _main()
