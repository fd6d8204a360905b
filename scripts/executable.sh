#!/usr/bin/env bash
# Build the program as one executable file with PyInstaller, and try ten commands.
#
#     bash scripts/executable.sh FOLDER
#
# PYINSTALLER names the program to use; without it, one is installed into a temporary environment.
# The file runs on systems like the one that built it.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python=python3
[[ ! -x .venv/bin/python ]] || python=.venv/bin/python
pyinstaller=${PYINSTALLER-}
if [[ -z $pyinstaller ]]; then
    python3 -m venv "$place/venv"
    "$place/venv/bin/pip" install --quiet --disable-pip-version-check '.[release]'
    pyinstaller=$place/venv/bin/pyinstaller
fi
printf 'from gnubg_nactation.__main__ import start\n\nstart()\n' >"$place/nactate.py"
# From the wheel, which has the completion scripts. Commands are modules imported by their names.
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$place" .
python3 -m zipfile -e "$place"/gnubg_nactation-*.whl "$place/wheel"
PYTHONPATH=$place/wheel "$pyinstaller" --onefile --noconfirm --clean --log-level ERROR \
    --name nactate --collect-submodules gnubg_nactation --collect-data gnubg_nactation \
    --add-data "$place/wheel/gnubg_nactation/engines/server.py:gnubg_nactation/engines" \
    --distpath "$folder" --workpath "$place/work" --specpath "$place" "$place/nactate.py"
bash scripts/smoke.sh "$folder/nactate"
