#!/usr/bin/env bash
# Build the engine, and the wheel gnubg-nactation-engine with its files, which the extra `engine`
# installs.
#
#     bash scripts/engine_wheel.sh FOLDER
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=python3
[[ ! -x .venv/bin/python ]] || python=.venv/bin/python
bash scripts/engine.sh build/engine
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$folder" \
    ./scripts/engine
