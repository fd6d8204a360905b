#!/usr/bin/env bash
# Build the Debian package into a folder, on a Debian from trixie on with the Build-Depends of
# scripts/debian/debian/control, and let lintian judge it if it is there.
#
#     bash scripts/debian/build.sh FOLDER
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
version=$(python3 -B -c 'import gnubg_nactation; print(gnubg_nactation.__version__)')
sources=$place/gnubg-nactation-$version
mkdir "$sources"
cp -r gnubg_nactation sample_matches docs scripts README.md CHANGELOG.md LICENSE pyproject.toml "$sources"
find "$sources" -name __pycache__ -prune -exec rm -rf {} +
mv "$sources/scripts/debian/debian" "$sources/debian"
if [[ -x .venv/bin/python ]]; then # whose shtab knows fish, as Debian's does not
    .venv/bin/python -B -c 'from gnubg_nactation.cli.shell_files import generate
print(generate("nactate.fish"), end="")' >"$sources/debian/nactate.fish"
fi
cat >"$sources/debian/changelog" <<END
gnubg-nactation ($version) unstable; urgency=medium

  * CHANGELOG.md lists the changes.

 -- The gnubg-nactation developers <gnubg-nactation@example.org>  $(date -R)
END
# -d: build-essential would be needed, though nothing is compiled.
(cd "$sources" && dpkg-buildpackage -d -us -uc -b)
! command -v lintian >/dev/null || lintian --allow-root --fail-on error,warning "$place"/*.changes
cp "$place"/*.deb "$folder"
