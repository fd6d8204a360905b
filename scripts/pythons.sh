#!/usr/bin/env bash
# Run the tests on every Python from 3.10 that is on PATH, or on those named (`pythons.sh 3.13`),
# each in a virtual environment of its own; without the browser and gnubg's window, where the
# interpreter makes no difference. Fails if any of them fails, or none is found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

(($#)) || set -- 3.10 3.11 3.12 3.13 3.14
passed=() failed=() missing=()
for version; do
    if ! "python$version" -c 'import ensurepip, venv' 2>/dev/null; then
        missing+=("$version")
        continue
    fi
    venv=.venv-$version
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "python$version" -m venv --clear "$venv"
    echo "== $("$venv/bin/python" --version)"
    if "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable '.[dev]' &&
        "$venv/bin/python" -m pytest -q -n auto --tb=short \
            --ignore tests/browser --ignore tests/gnubg/test_plugin_in_window.py; then
        passed+=("$version")
    else
        failed+=("$version")
    fi
done

echo "passed: ${passed[*]:-none}; failed: ${failed[*]:-none}; not found: ${missing[*]:-none}"
((${#failed[@]} == 0 && ${#passed[@]}))
