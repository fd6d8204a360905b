#!/usr/bin/env bash
# Build the site: the documentation, and the playground in a folder below it.
#
#     bash scripts/site.sh FOLDER
#     python -m http.server --directory FOLDER
#
# Needs the extra `site`, npm or .venv/node_modules/pyodide, and the built-in engine, which
# scripts/engine.sh builds on Debian 12; NACTATION_ENGINE names the folder of one that is built. A
# warning, such as a link that leads nowhere, is an error.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=python
[[ ! -x .venv/bin/python ]] || python=.venv/bin/python
pyodide=()
[[ ! -d .venv/node_modules/pyodide ]] || pyodide=(--pyodide .venv/node_modules/pyodide)

if [[ -z ${NACTATION_ENGINE-} ]]; then
    bash scripts/engine.sh build/engine
    export NACTATION_ENGINE=$PWD/build/engine
fi
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
"$python" -m sphinx --fail-on-warning --keep-going --quiet \
    --doctree-dir "$temporary" docs "$folder"
"$python" -m gnubg_nactation playground -o "$folder/playground" "${pyodide[@]}"
