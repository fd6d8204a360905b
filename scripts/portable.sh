#!/usr/bin/env bash
# Run the tests that need no other program and nothing but Python and the extra `test`, on any
# system, and ten commands. The Python is that of the environment, or the one that PYTHON names.
#
#     bash scripts/portable.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON-python}
[[ -n ${PYTHON-} ]] || "$python" -m pip install --quiet --disable-pip-version-check --editable '.[test]'
"$python" -m pytest -q --tb=short -n auto \
    tests/backgammon tests/language tests/nacbracs tests/test_values.py tests/test_showing.py \
    tests/cli/test_schemas.py tests/cli/test_plays.py tests/cli/test_alphabet.py \
    --ignore tests/backgammon/test_legal_plays_against_others.py
"$python" scripts/single_files.py build/portable
bash scripts/smoke.sh "$python" build/portable/nactate.pyz
