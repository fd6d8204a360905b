#!/usr/bin/env bash
# Run ten commands of a program that was built or installed, in an empty folder.
#
#     bash scripts/smoke.sh nactate
#     bash scripts/smoke.sh python3 dist/nactate.pyz
#
# GNU Backgammon gives equities if it is installed; the book of the program otherwise.
set -euo pipefail
samples=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../sample_matches")
program=()
for word in "$@"; do [[ -e $word ]] && program+=("$(realpath -s "$word")") || program+=("$word"); done
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
export HOME=$place XDG_CACHE_HOME=$place/cache NACTATION_DB=$place/games.db
step=0
try() { # the expected text, then the command
    local expected=$1 output
    shift
    output=$("${program[@]}" "$@" 2>&1) || { echo "failed: nactate $*"; echo "$output"; exit 1; }
    [[ $output == *"$expected"* ]] || { echo "no '$expected': nactate $*"; echo "$output"; exit 1; }
    step=$((step + 1))
    echo "$step: nactate $*"
}
engine=book
PATH=$PATH:/usr/games command -v gnubg >/dev/null && engine=gnubg
try "nactate " --version
try "8/5 6/5" decode 54S-63R-31P
try "files, " annotate --summary --jobs 2 --to html -o pages "$samples"/*.mat
try '"format":1' annotate --to json "$samples/match-3pt-analysed.sgf"
try "P" explain start 31 8/5 6/5
try "[P " nacbrac --engine "$engine" 31
try "games.db" index "$samples"
try "rolls" explore
try "</svg>" board --svg start
try "complete" help completion bash
[[ -s pages/match-1pt.html ]] || { echo "no page"; exit 1; }
