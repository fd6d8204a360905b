#!/usr/bin/env bash
# Build the compiled wheel, install it in an empty virtual environment, and run a command in a copy
# of this tree whose package is the installed one; by default the tests that reach compiled code,
# and what the two builds make of the same boards and matches.
#
#     bash scripts/compiled.sh [COMMAND ...]    as in: python scripts/bench.py --only rules
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pure=$PWD python=$PWD/.venv/bin/python
[[ -d ../shared/matches ]] && matches=$(realpath ../shared/matches) || matches=
export PATH=$PWD/.venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
HATCH_BUILD_HOOK_ENABLE_MYPYC=1 "$python" -m pip wheel --quiet --disable-pip-version-check \
    --no-deps --wheel-dir "$place" .
"$python" -m venv "$place/venv"
"$place/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$place"/*.whl
tree=$place/tree
mkdir "$tree"
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$tree"
rm -r "$tree/gnubg_nactation"
ln -s "$place"/venv/lib/python3*/site-packages/gnubg_nactation "$tree"
export PYTHONPATH=$tree
cd "$tree"
found=$(python -c 'import gnubg_nactation.backgammon.plays as it; print(it.__file__)')
[[ $found == "$tree"/*.so ]] || { echo "not compiled: $found"; exit 1; }
if (($#)); then
    "$@"
    exit
fi

# What each build makes of the same: a tree, and where its results go.
results() {
    cd "$1"
    export PYTHONPATH=$1
    mkdir -p "$2"
    python scripts/digests.py >"$2/digests"
    for form in text json sgf html; do
        # Not all that lies beside the clone is a match; the messages are results, too.
        python -m gnubg_nactation annotate --to "$form" -o "$2/$form" \
            "$pure/sample_matches" ${matches:+"$matches"} >"$2/$form.out" 2>"$2/$form.err" || true
    done
}
(results "$pure" "$place/made/pure") &
(results "$tree" "$place/made/compiled")
wait $!
sed -i "s|$place/made/[a-z]*/||g" "$place"/made/*/*.{out,err}
diff -r "$place/made/pure" "$place/made/compiled"

python -m pytest -q -n auto --tb=short -p no:cacheprovider tests/test_values.py tests/golden \
    tests/{backgammon,language,tutorial,sequences,files,nacbracs} \
    tests/gnubg/test_{plays,replay}_in_gnubg.py tests/cli/test_{annotate,explain,plays,name}.py
python scripts/bench.py --gate
cd "$pure" # the wheel by itself, and in gnubg's own Python
export PYTHONPATH=$pure
NACTATION_WHEEL=$(echo "$place"/*.whl) python -m pytest -q -p no:cacheprovider tests/test_wheel.py
