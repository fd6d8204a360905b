#!/usr/bin/env bash
# Install the compiled wheel, the one that NACTATION_WHEEL names or one built now, and run a command
# in a copy of this tree whose package is the installed one. By default it compares what the two
# builds make of the same boards and matches, which is all that the rules work out, and runs the
# tests of how compiled code behaves.
#
#     bash scripts/compiled.sh [COMMAND ...]    as in: python scripts/bench.py --only rules
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pure=$PWD python=$PWD/.venv/bin/python
[[ -d ../shared/matches ]] && matches=$(realpath ../shared/matches) || matches=
export PATH=$PWD/.venv/bin:$PATH
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if [[ -z ${NACTATION_WHEEL:-} ]]; then
    bash scripts/wheel.sh "$place"
    NACTATION_WHEEL=$(echo "$place"/*.whl)
fi
export NACTATION_WHEEL
"$python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
    --no-index --target "$place/site" "$NACTATION_WHEEL"
tree=$place/tree
mkdir "$tree"
git -c 'safe.directory=*' ls-files -z --cached --others --exclude-standard |
    while IFS= read -rd '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done |
    tar -c --null -T - | tar -x -C "$tree"
rm -r "$tree/gnubg_nactation"
ln -s "$place/site/gnubg_nactation" "$tree"
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
    local form
    for form in text json sgf html; do
        made "$2" "$form" "$pure/sample_matches"
    done
    [[ -z $matches ]] || made "$2" json "$matches"
}
# Not all that lies beside the clone is a match; the messages are results, too.
made() {
    local name=$1/$2-${3##*/}
    python -m gnubg_nactation annotate --to "$2" -o "$name" "$3" >"$name.out" 2>"$name.err" || true
}
(results "$pure" "$place/made/pure") &
(results "$tree" "$place/made/compiled")
wait $!
sed -i "s|$place/made/[a-z]*/||g" "$place"/made/*/*.{out,err}
diff -r "$place/made/pure" "$place/made/compiled"

# Thorough tests are about the rules, and so about what was the same for both builds above.
python -m pytest -q -m "not thorough" -n auto --dist worksteal --tb=short -p no:cacheprovider \
    tests/test_values.py \
    tests/{backgammon,sequences,nacbracs} tests/tutorial/test_{areal,styles,sequences}.py \
    tests/language/test_{dialects,laws,lists,numerals,plausibility,preference}.py \
    tests/cli/test_{annotate,explain,plays,name,transcribe}.py
python scripts/bench.py --gate &
gate=$!
# The wheel by itself, and in gnubg's own Python.
(cd "$pure" && PYTHONPATH=$pure python -m pytest -q -p no:cacheprovider tests/test_wheel.py)
wait $gate
