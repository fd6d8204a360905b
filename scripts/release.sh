#!/usr/bin/env bash
# Check, build, try and tag the version that gnubg_nactation/showing.py says. Nothing is published:
# .github/workflows/release.yml does that when the tag is pushed.
#
#     bash scripts/release.sh             everything; the changelog must have the version
#     bash scripts/release.sh --dry-run   only build and try what would be published, in dist/
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1-} == --dry-run ]]; then
    rm -rf dist
    exec bash scripts/artifacts.sh dist
fi
version=$(python3 -c 'import gnubg_nactation; print(gnubg_nactation.__version__)')
[[ -z $(git status --porcelain) ]] || { echo "there are changes that are not committed"; exit 1; }
python3 scripts/release_notes.py "$version" >/dev/null
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && { echo "v$version is there already"; exit 1; }

bash scripts/test.sh
bash scripts/pythons.sh
rm -rf dist
bash scripts/artifacts.sh dist
git tag -a "v$version" -m "Version $version"
echo "v$version is tagged; dist/ holds what can be published"
