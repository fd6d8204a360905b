#!/usr/bin/env bash
# Build the engine `builtin`: GNU Backgammon's evaluation as WebAssembly, with its nets and tables.
#
#     bash scripts/engine.sh FOLDER
#
# writes gnubg.wasm and SHA256SUMS into the folder, and source.tar.gz: these scripts, which the GPL
# asks for next to the engine.
#
# It runs on Debian 12, with the packages below. gnubg's source comes from Debian's source package,
# or is the tarball that GNUBG_SOURCE names. The result is the same on every machine: its hash is in
# scripts/engine/SHA256SUMS. An engine that is up to date is not built again.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
source=$(realpath "${GNUBG_SOURCE:-$folder/gnubg_1.07.001.orig.tar.gz}")
cd "$(dirname "${BASH_SOURCE[0]}")/engine"
export PATH=$PATH:/usr/games LC_ALL=C

inputs=$(find .. -path ../engine.sh -o -path '../engine/*.[chS]' -o -path ../engine/NOTICE | sort | xargs sha256sum)
if [[ -f $folder/inputs && $(<"$folder/inputs") == "$inputs" ]] &&
    (cd "$folder" && sha256sum --check --status SHA256SUMS && [[ -f source.tar.gz ]]); then
    exit
fi
rm -f "$folder/inputs"

packages=(clang lld wasi-libc libclang-rt-14-dev-wasm32 gnubg)
dpkg-query --show "${packages[@]}" >/dev/null 2>&1 || {
    echo "$0: install first: apt-get install ${packages[*]}" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The source package, by lists of its own: the machine may have no source entries.
download() {
    local apt=$work/apt
    mkdir -p "$apt"/{sources,cache,lists/partial}
    sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/*.sources \
        >"$apt/sources/all.sources" 2>/dev/null || true
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n 's/^deb /deb-src /p' >"$apt/sources/all.list" || true
    local options=(-qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/sources"
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root)
    (cd "$work" && apt-get "${options[@]}" update &&
        apt-get "${options[@]}" source --download-only gnubg=1.07.001-1) >&2 || true
    mv "$work/${source##*/}" "$folder" || {
        echo "$0: cannot download gnubg's source; name it by GNUBG_SOURCE=${source##*/}" >&2
        exit 1
    }
}
[[ -n ${GNUBG_SOURCE-} || -f $source ]] || download
echo "72399729419cad9f112c3066a12d0000da450a456add7b094d89155069d6821e  $source" |
    sha256sum --check --quiet
tar -x -f "$source" -C "$work" --strip-components 1

(
    cd "$work"
    makeweights -f gnubg.wd gnubg.weights
    makebearoff -o 6 -f gnubg_os0.bd
) >/dev/null 2>"$work/messages" || { cat "$work/messages" >&2; exit 1; }

# Other warnings are gnubg's. A call of an undeclared function would fail when it is reached.
clang --target=wasm32-wasi -mexec-model=reactor -O3 -flto \
    -Wno-everything -Werror=implicit-function-declaration \
    -msimd128 -DUSE_SIMD_INSTRUCTIONS -DUSE_SSE2 -DHAVE_SSE -DDISABLE_SIMD_TEST \
    -Ishims -I"$work" -I"$work/lib" \
    -Wl,--fatal-warnings,--strip-all,--gc-sections,-z,stack-size=1048576,--max-memory=67108864 \
    -o "$folder/gnubg.wasm" {entry,bearoffs,dice,surroundings}.c files.S \
    "$work"/{bearoff,bearoffgammon,matchequity,mec,positionid}.c \
    "$work"/lib/{cache,inputs,isaac,list,md5,mt19937ar,neuralnet,neuralnetsse}.c

tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --exclude=__pycache__ --directory .. -c engine.sh engine | gzip -n9 >"$folder/source.tar.gz"
chmod 644 "$folder"/{gnubg.wasm,source.tar.gz}
(cd "$folder" && sha256sum gnubg.wasm >SHA256SUMS)
echo "$inputs" >"$folder/inputs"
cmp --quiet SHA256SUMS "$folder/SHA256SUMS" ||
    echo "$0: the engine is not the one of scripts/engine/SHA256SUMS" >&2
