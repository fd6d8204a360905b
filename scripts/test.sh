#!/usr/bin/env bash
# Install all that the checks need on a Debian machine, then run every check.
# Fails if any of them fails; all of them run, so that one look shows everything.
#
#     bash scripts/test.sh [--quick]    between commits: what needs no gnubg, browser, build or network
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=$PWD/.venv/bin

quick=
case $#:${1-} in
0:) ;;
1:--quick) quick=1 ;;
*)
    echo "usage: bash scripts/test.sh [--quick]" >&2
    exit 2
    ;;
esac

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# All temporary files go here, and what is still here at the end is a failure.
mkdir "$place/t"
export TMPDIR=$place/t
unset PYTHONDONTWRITEBYTECODE # else each of hundreds of processes compiles its modules again
check() {
    echo "== $*"
    "$@" || echo "$*" >>"$place/failed"
}
finish() {
    # Also processes that have inherited the folder; grep has not, and so does not find itself.
    {
        ls -A "$TMPDIR"
        env -u TMPDIR grep -lsz "^TMPDIR=$TMPDIR" /proc/[0-9]*/environ || true
    } >"$place/left"
    [[ ! -s $place/left ]] || { (echo "left in $TMPDIR:"; cat "$place/left") >>"$place/failed"; }
    [[ -s $place/failed ]] || exit 0
    echo FAILED:
    cat "$place/failed"
    exit 1
}

if [[ $quick ]]; then
    for program in ruff mypy pytest; do
        [[ -x $bin/$program ]] && continue
        echo "$program is not installed: run bash scripts/test.sh once" >&2
        exit 1
    done
    unset CI # where it is set, what is missing is a failure
    check "$bin/ruff" check --quiet --output-format concise .
    check "$bin/ruff" format --check .
    "$bin/mypy" >"$place/mypy" 2>&1 || echo mypy >>"$place/failed" &
    # These rooms need other programs, or are tested by whole commands.
    check "$bin/pytest" -q --quick -n "$(nproc)" --dist worksteal --tb=short \
        --ignore=tests/{browser,cli,cluster,engines,gnubg,playground,web}
    wait
    cat "$place/mypy"
    finish
fi

# The system's own Python, whatever else is first on PATH: its venv package can be installed.
python=/usr/bin/python3
export PATH="$PATH:/usr/games"

packages=()
command -v gnubg >/dev/null || packages+=(gnubg)
"$python" -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
# The second one, without windows, for most of the tests.
[[ -x /usr/bin/chromium && -x /usr/lib/chromium/chromium-headless-shell && -x /usr/bin/chromedriver ]] ||
    packages+=(chromium chromium-headless-shell chromium-driver)
for program in firefox-esr:firefox-esr Xvfb:xvfb openbox:openbox xdotool:xdotool valgrind:valgrind zsh:zsh fish:fish; do
    command -v "${program%:*}" >/dev/null || packages+=("${program#*:}")
done
command -v gcc >/dev/null || packages+=(gcc libc6-dev)
"$python" -c 'import sysconfig; open(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
    packages+=(python3-dev)
command -v npm >/dev/null || packages+=(nodejs npm)
compilers=(clang lld wasi-libc libclang-rt-14-dev-wasm32) # of the built-in engine, in Debian 12
dpkg-query --show "${compilers[@]}" >/dev/null 2>&1 || packages+=("${compilers[@]}")
if ((${#packages[@]})); then
    as_root=()
    ((EUID == 0)) || as_root=(sudo)
    echo "installing ${packages[*]}"
    "${as_root[@]}" env -u TMPDIR apt-get update -qq
    "${as_root[@]}" env -u TMPDIR DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

.venv/bin/python -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear .venv
"$bin/python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
    --editable '.[dev]'

# Node does not look at the system's certificates by itself.
export NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
node_modules=.venv/node_modules
[[ -d $node_modules/axe-core && -d $node_modules/pyodide && -d $node_modules/typescript ]] ||
    npm install --loglevel error --no-save --no-package-lock --no-audit --no-fund --prefix .venv \
        axe-core@4 pyodide@314.0.7 typescript@5

# All that the tests want is here now, so what is missing is a failure and not a skip.
export CI=${CI:-true}

check "$bin/ruff" check --quiet --output-format concise .
check "$bin/ruff" format --check .
# Two things at a time, beside tests that often wait for windows, browsers and other processes. The
# contracts of imports are a test.
{
    check bash scripts/wheel.sh "$place"
    NACTATION_WHEEL=$(echo "$place"/*.whl) check bash scripts/compiled.sh
} >"$place/compiled" 2>&1 &
{
    check "$bin/mypy"
    check "$bin/basedpyright"
    check "$node_modules/.bin/tsc" --project gnubg_nactation/web/tsconfig.json
    check "$bin/python" scripts/bench.py --gate
} >"$place/static" 2>&1 &
# The tests need both.
export NACTATION_SITE=$place/site
check bash scripts/engine.sh build/engine
check bash scripts/site.sh "$NACTATION_SITE"
# One worker more than cores, since tests wait: with four more, browsers and collecting took a quarter
# longer. Where memory is short, there are fewer workers: each may have a browser of 1 GB. A file stays
# with one worker, so that its engine or browser is started once; tests/conftest.py sorts the longest
# to the front.
workers=$(($(nproc) + 1))
memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo) # for so many workers
((memory >= workers)) || workers=$((memory > 1 ? memory : 1))
check "$bin/pytest" -q -rs -n "$workers" --dist loadfile --no-loadscope-reorder --tb=short
wait
cat "$place/static" "$place/compiled"
finish
