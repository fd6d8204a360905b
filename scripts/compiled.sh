#!/usr/bin/env bash
# Build the compiled wheel, and run what exercises compiled code against what is in it: the rooms
# of tests, gnubg's own Python, and both builds on random positions and all sample matches.
# All in a folder of its own, as the compiler leaves its results beside the sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pure=$PWD python=$PWD/.venv/bin/python
export PYTHONDONTWRITEBYTECODE=1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git ls-files -z | tar --create --null --files-from - | tar --extract --directory "$place"
cd "$place"
HATCH_BUILD_HOOK_ENABLE_MYPYC=1 "$python" -m pip wheel --quiet --disable-pip-version-check \
    --no-deps --wheel-dir dist .
rm -r gnubg_nactation
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --target wheel dist/*.whl
mv wheel/gnubg_nactation .
compiled=$("$python" -c 'import gnubg_nactation.language.plays as it; print(it.__file__)')
[[ $compiled == "$place"/*.so ]] || { echo "not compiled: $compiled"; exit 1; }

(cd "$pure" && "$python" scripts/digests.py) >pure.txt
"$python" scripts/digests.py | diff pure.txt -
"$python" -m pytest -q -n auto --tb=short tests/{backgammon,language,tutorial,sequences,files,nacbracs,exports,golden} \
    tests/gnubg/test_{plays,replay}_in_gnubg.py tests/test_values.py tests/cli/test_gnubg_setup.py
