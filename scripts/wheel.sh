#!/usr/bin/env bash
# Build the compiled wheel into a folder.
#
#     bash scripts/wheel.sh FOLDER
set -euo pipefail
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
HATCH_BUILD_HOOK_ENABLE_MYPYC=1 .venv/bin/python -m pip wheel --quiet --disable-pip-version-check \
    --no-deps --wheel-dir "$folder" .
