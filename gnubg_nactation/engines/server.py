"""What the child gnubg runs, `gnubg --python=server.py`: it answers questions until its input ends.

A question is a line of JSON on standard input, an answer one on standard output, behind a mark,
as gnubg may print there before this starts; lines of a rollout's progress, with another, may come
before it. What gnubg prints later goes to standard error.

This file stands alone: gnubg may have another Python than the rest of the package runs in. The
current folder becomes that of TMPDIR, which is this process's own.
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
DONE = "nactation: "  # before the number of games that a rollout has done of each play
GIVEN = "given"  # in the current folder: what is to be imported
SAVED = "match.sgf"  # in the current folder: what gnubg made of the last SGF
# gnubg 1.08 takes the cube for more efficient in a look of less than 2 plies than in a deeper one,
# but keeps what it has worked out in either for both: answers would depend on those before.
FORGET = "clear cache"
_DEEP = 2
_STEPS, _LEAST_STEP = 100, 12  # of a rollout, and its games in one
_KILL = 9
_PARENT_DEATH = 1  # prctl's PR_SET_PDEATHSIG


def _main() -> None:
    import gnubg  # type: ignore[import-not-found]  # noqa: PLC0415 (the rest is for others too)

    os.chdir(os.environ["TMPDIR"])  # gnubg for Windows goes to where it is installed
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if sys.platform.startswith("linux"):  # even in the middle of an analysis
        import ctypes  # noqa: PLC0415 (as above)

        ctypes.CDLL(None).prctl(_PARENT_DEATH, _KILL)
    gnubg.command("set display off")
    gnubg.command("set confirm new off")
    _answer(answers, {"version": _version(gnubg)})
    kept: bool | None = False  # what is kept is of this depth
    for line in iter(sys.stdin.readline, ""):
        question = json.loads(line)
        plies = None if question.get("rollout") else question.get("plies")
        deep = None if plies is None else plies >= _DEEP
        if deep is not kept:
            gnubg.command(FORGET)
        kept = deep
        os.ftruncate(2, 0)  # only what gnubg says of this question is of use
        try:
            if "board" in question:
                answer = _evaluate(gnubg, question)
            elif "import" in question:
                answer = _import(gnubg, question["import"])
            else:
                answer = _analyse(gnubg, question, answers)
        except Exception as error:  # who asks must hear of it, whatever it is
            answer = {"error": f"{type(error).__name__}: {error}"}
        _answer(answers, answer)


_EMPTY = "(;FF[4]GM[6]MI[length:1][game:0][ws:0][bs:0]\n;W[31hefe])"


def _version(gnubg: Any) -> str:
    """The program and its version, as it signs what it saves."""
    _save(gnubg, _EMPTY)
    with open(SAVED, encoding="latin-1") as file:
        found = re.search(r"AP\[([^][:]*):([^][]*)\]", file.read())
    return " ".join(found.groups()) if found else "GNU Backgammon"


def _import(gnubg: Any, format_name: str) -> dict[str, Any]:
    """Import a file of another program; if gnubg makes nothing of it, it keeps the match it has."""
    _save(gnubg, _EMPTY)
    with open(SAVED, "rb") as file:
        before = file.read()
    os.remove(SAVED)
    gnubg.command(f"import {format_name} {GIVEN}")
    gnubg.command(f'save match "{SAVED}"')
    with open(SAVED, "rb") as file:
        imported = file.read() != before
    with contextlib.suppress(OSError, AttributeError):  # C keeps what it prints for a while
        import ctypes  # noqa: PLC0415 (as above)

        ctypes.CDLL(None).fflush(None)
    return {"imported": imported}


def _analyse(gnubg: Any, question: dict[str, Any], answers: Any) -> dict[str, Any]:
    """Analyse an SGF; with `rollout` that many plays of its one roll are then played out.

    That is done in steps, as gnubg goes on with a rollout of the same settings, so that it can be
    seen how far it is: while it works it says nothing, and Python does not run.

    What gnubg makes of it is no part of the answer: it is long, and would have to be quoted.
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
        for done in [*range(0, trials, max(_LEAST_STEP, -(-trials // _STEPS)))[1:], trials]:
            gnubg.command(f"set rollout trials {done}")
            gnubg.command(f"analyse rollout move {numbers}")
            answers.write(f"{DONE}{done}\n")
            answers.flush()

    _save(gnubg, question["sgf"], analyse, question["nodes_before"])
    return {}


def _evaluate(gnubg: Any, question: dict[str, Any]) -> dict[str, Any]:
    return {"evaluation": evaluation(gnubg, question)}


def _save(
    gnubg: Any, sgf: str, work: Callable[[], None] | None = None, nodes_before: int = 0
) -> None:
    """Load an SGF, go so many nodes on, do some work there, and save the match."""
    with open(SAVED, "w", encoding="latin-1") as file:
        file.write(sgf)
    gnubg.command(f'load match "{SAVED}"')
    os.remove(SAVED)  # gnubg would ask whether it may be overwritten
    if nodes_before:
        gnubg.navigate()
        gnubg.navigate(next=nodes_before)
    if work:
        work()
    gnubg.command(f'save match "{SAVED}"')


def evaluation(gnubg: Any, question: dict[str, Any]) -> list[float]:
    """The five chances of a position, its equity without the cube, and those with it."""
    cubeless = gnubg.evaluate(*_position(gnubg, question, cubeful=0))
    return [*cubeless[:6], *cubeful_equities(gnubg, question)]


def cubeful_equities(gnubg: Any, question: dict[str, Any]) -> list[float]:
    """What a position is worth with the cube, and without a double, with a take, with a pass."""
    return list(gnubg.cfevaluate(*_position(gnubg, question, cubeful=1))[:4])


def _position(gnubg: Any, question: dict[str, Any], cubeful: int) -> tuple[Any, ...]:
    cube = gnubg.cubeinfo(*question["cube"]) | question["rules"]
    return question["board"], cube, gnubg.evalcontext(cubeful, question["plies"], 1, 1, 0.0)


def _answer(answers: Any, value: dict[str, Any]) -> None:
    answers.write(f"{MARK}{json.dumps(value)}\n")
    answers.flush()


if __name__ == "__main__":
    _main()
