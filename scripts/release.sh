#!/usr/bin/env bash
# Check, build, try and tag the version that gnubg_nactation/__init__.py says. Nothing is published.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(python3 -c 'import gnubg_nactation; print(gnubg_nactation.__version__)')
[[ -z $(git status --porcelain) ]] || { echo "there are changes that are not committed"; exit 1; }
grep -q "^## $version" CHANGELOG.md || { echo "CHANGELOG.md says nothing of $version"; exit 1; }
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && { echo "v$version is there already"; exit 1; }

bash scripts/test.sh
bash scripts/pythons.sh
rm -rf dist
.venv/bin/python -m pip install --quiet build
.venv/bin/python -m build --outdir dist .
bash scripts/engine_wheel.sh dist
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
python3 -m venv "$try/venv"
"$try/venv/bin/pip" install --quiet --no-index dist/gnubg_nactation-*.whl
(cd "$try" && venv/bin/nactate decode 54S-63R-31P >/dev/null)
[[ $("$try/venv/bin/nactate" --version) == *"$version" ]]
git tag -a "v$version" -m "Version $version"
echo "v$version is tagged; dist/ holds what can be published"
