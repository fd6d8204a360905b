#!/usr/bin/env bash
# Build everything that a release publishes, and try it; say what was skipped and why.
#
#     bash scripts/artifacts.sh FOLDER
#
# PYTHON is the Python to use, with pip and shtab (default: .venv's). NACTATION_TRIXIE is a folder
# for scripts/debian.sh, which needs root: it builds the Debian package there. Exit status: 1 if a
# build or a trial failed; what is skipped is no failure.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON-}
[[ -n $python ]] || { python=python3 && [[ ! -x .venv/bin/python ]] || python=$PWD/.venv/bin/python; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
skipped=() failed=()
build() { # a name, then the command
    local name=$1
    shift
    if "$@" >"$place/said" 2>&1; then
        echo "built: $name"
    else
        failed+=("$name") && sed 's/^/    /' "$place/said"
    fi
}
skip() { skipped+=("$1: $2"); }

"$python" -m pip wheel --help >/dev/null || { echo "$python has no pip" >&2; exit 2; }
backend=$("$python" -c 'import hatchling' 2>/dev/null && echo --no-build-isolation || true)
build wheel "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
    ${backend:+"$backend"} --wheel-dir "$folder" .
if "$python" -c 'import hatchling' 2>/dev/null; then
    build sdist "$python" -m hatchling build -t sdist -d "$folder"
    build "recipes for conda and Homebrew" \
        "$python" scripts/recipes.py "$folder"/gnubg_nactation-*.tar.gz "$folder"
else
    skip sdist "$python has no hatchling"
fi
try_wheel() {
    "$python" -m venv "$place/venv"
    "$place/venv/bin/pip" install --quiet --no-index "$folder"/gnubg_nactation-*.whl
    bash scripts/smoke.sh "$place/venv/bin/nactate"
}
build "ten commands of the wheel" try_wheel
build "program in one file, and plugin file" "$python" scripts/single_files.py "$folder"
build "ten commands of the program in one file" bash scripts/smoke.sh "$python" "$folder/nactate.pyz"

if [[ -e build/engine/SHA256SUMS ]] || dpkg-query --show wasi-libc lld clang >/dev/null 2>&1; then
    build "wheel of the engine" bash scripts/engine_wheel.sh "$folder"
else
    skip "wheel of the engine" "it is built on Debian 12 (scripts/engine.sh)"
fi
pack_extension() {
    local core=() browser
    [[ ! -d .venv/node_modules/pyodide ]] || core=(--pyodide .venv/node_modules/pyodide)
    "$python" -m gnubg_nactation playground --extension -o "$place/extension" "${core[@]}"
    for browser in chromium firefox; do
        (cd "$place/extension/$browser" &&
            "$python" -m zipfile -c "$folder/nactation-reader-$browser.zip" *)
    done
}
if [[ -d .venv/node_modules/pyodide ]] || command -v npm >/dev/null; then
    build "extension for Chromium and Firefox" pack_extension
else
    skip "extension for Chromium and Firefox" "it needs npm or .venv/node_modules/pyodide"
fi
if [[ -n ${PYINSTALLER-} ]] || command -v pyinstaller >/dev/null; then
    build executable env PYINSTALLER="${PYINSTALLER:-pyinstaller}" bash scripts/executable.sh "$folder"
else
    skip executable "there is no pyinstaller (PYINSTALLER names one)"
fi
if "$python" -c 'import twine' 2>/dev/null; then
    shopt -s nullglob
    build "metadata for the index" "$python" -m twine check --strict "$folder"/*.whl "$folder"/*.tar.gz
    shopt -u nullglob
else
    skip "metadata for the index" "$python has no twine"
fi
tools=(debhelper dh-python pybuild-plugin-pyproject python3-hatchling python3-shtab)
if dpkg-query --show "${tools[@]}" >/dev/null 2>&1; then
    build "Debian package" bash scripts/debian/build.sh "$folder"
elif [[ -n ${NACTATION_TRIXIE-} ]]; then
    build "Debian package, and a trial of everything" \
        bash scripts/debian.sh -r "$NACTATION_TRIXIE" -p "$folder"
else
    skip "Debian package" "NACTATION_TRIXIE names no folder for a root, and one of these is missing: ${tools[*]}"
fi
(cd "$folder" && rm -f SHA256SUMS && sha256sum -- * >"$place/sums" && mv "$place/sums" SHA256SUMS)
for row in "${skipped[@]}"; do echo "skipped: $row"; done
for row in "${failed[@]}"; do echo "FAILED: $row"; done
((${#failed[@]} == 0))
