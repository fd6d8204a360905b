#!/usr/bin/env bash
# Run the tests in a Debian of another release, with its gnubg and its Python, as root on Debian:
#
#   bash scripts/debian.sh                       all tests in trixie (gnubg 1.08, Python 3.13)
#   bash scripts/debian.sh -r DIR tests/engines  in the root DIR, which is kept for the next time
#   bash scripts/debian.sh -s bookworm -- -n 2   another release; behind `--` comes what is for pytest
#   bash scripts/debian.sh -p dist               no tests, but scripts/debian/try.sh of what is in dist
#
# `-m MIRROR` takes another mirror than the host's own or mmdebstrap's.
#
# mmdebstrap builds the root in some minutes. What runs there is the last commit. Everything is
# mounted in a namespace of its own, which ends with this script, however that ends. The browser is
# not installed there, so its tests are skipped. Exit status: that of the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

suite=trixie root="" mirror=() published=""
while getopts s:r:m:p: option; do
    case $option in
    s) suite=$OPTARG ;;
    r) root=$OPTARG ;;
    m) mirror=("$OPTARG") ;;
    p) published=$(realpath "$OPTARG") ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
((EUID == 0)) || { echo "$0: run it as root" >&2; exit 2; }
for program in mmdebstrap unshare git; do
    command -v "$program" >/dev/null || { echo "$0: $program is not installed" >&2; exit 2; }
done

packages=gnubg,python3-venv,python3-dev,gcc,libc6-dev,git,ca-certificates,valgrind,zsh,fish
packages+=,xvfb,openbox,xdotool
[[ -z $published ]] || packages=gnubg,python3-venv,ca-certificates,git
if [[ -z $root ]]; then
    root=$(mktemp -d)
    trap 'rm -rf --one-file-system "$root"' EXIT
fi
root=$(realpath -m "$root")
[[ -x $root/usr/games/gnubg ]] ||
    mmdebstrap --quiet --variant=minbase --include="$packages" "$suite" "$root" "${mirror[@]}"

clone=$root/root/clone
mkdir -p "$clone"
git -C "$clone" init -q
git -C "$clone" fetch -q --depth 1 "file://$PWD" HEAD
git -C "$clone" checkout -q --force FETCH_HEAD
# How the host reaches the network; its certificates, too, of which it may have some of its own.
for file in /etc/resolv.conf /etc/hosts; do cp -L "$file" "$root$file"; done
certificates=/etc/ssl/certs/ca-certificates.crt
[[ ! -f $certificates ]] || cp -L "$certificates" "$root/root/certificates.crt"
passed=(PIP_CERT=/root/certificates.crt)
for name in {http,https,no}_proxy {HTTP,HTTPS,NO}_PROXY PIP_INDEX_URL PIP_DEFAULT_TIMEOUT; do
    [[ -z ${!name-} ]] || passed+=("$name=${!name}")
done

rm -rf "$root/root/dist"
[[ -z $published ]] || cp -r "$published" "$root/root/dist"
cat >"$root/root/tests.sh" <<'INSIDE'
set -euo pipefail
cd /root/clone
if [[ -d /root/dist ]]; then
    exec bash scripts/debian/try.sh /root/dist
fi
[[ -x .venv/bin/python ]] || python3 -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
    --editable '.[dev]'
echo "Debian $(cat /etc/debian_version), $(gnubg --version | head -1), $(python3 --version)"
PATH=$PWD/.venv/bin:$PATH .venv/bin/python -m pytest -q -rs --tb=short "${@:--nauto}"
INSIDE

# In the namespace: $1 is the root, the rest up to `--` the environment, then what is for pytest.
mounted='
set -euo pipefail
root=$1; shift
environment=()
while [[ $1 != -- ]]; do environment+=("$1"); shift; done
shift
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t tmpfs tmpfs "$root/tmp"
exec chroot "$root" /usr/bin/env -i "${environment[@]}" HOME=/root LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/usr/games bash /root/tests.sh "$@"
'
unshare --mount --propagation private --pid --fork --kill-child \
    bash -c "$mounted" debian.sh "$root" "${passed[@]}" -- "$@"
if [[ -n $published ]]; then
    cp "$root"/root/dist/*.deb "$published"
    cd "$published"
    if [[ -f SHA256SUMS ]]; then
        sed -i '/\.deb$/d' SHA256SUMS
        sha256sum -- *.deb >>SHA256SUMS
    fi
fi
