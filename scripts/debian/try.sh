#!/usr/bin/env bash
# Try what a release publishes in this Debian, as root: install the wheel with pip and with pipx and
# the Debian package, run ten commands of each, of the program in one file and of the executable,
# and see that removing leaves nothing behind.
#
#     bash scripts/debian/try.sh FOLDER    where scripts/artifacts.sh has put it
#
# Without a Debian package in the folder, it is built first, which takes trixie. scripts/debian.sh -p
# runs this in a new root.
set -euo pipefail
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export DEBIAN_FRONTEND=noninteractive HOME=/root
install() { apt-get install -qq --no-install-recommends "$@" >/dev/null; }
apt-get update -qq
install gnubg python3-venv pipx man-db
if ! compgen -G "$folder/*.deb" >/dev/null; then
    install debhelper dh-python lintian pybuild-plugin-pyproject python3-all python3-hatchling python3-shtab
    [[ -x .venv/bin/python ]] || python3 -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --root-user-action=ignore shtab
    bash scripts/debian/build.sh "$folder"
fi

everything() { # but lists and logs of apt
    find /etc /home /opt /root /usr /var -xdev -path "$PWD" -prune -o \
        \( -path '/var/lib/dpkg' -o -path '/var/lib/apt' -o -path '/var/cache' -o -path '/var/log' \
        -o -path '*/__pycache__' -o -path '/root/.cache' \) -prune -o -print | sort
}
left() { # a name: fail if there are more files than before
    diff <(echo "$before") <(everything) || { echo "left behind by $1" >&2; exit 1; }
}
before=$(everything)
wheel=$(echo "$folder"/gnubg_nactation-*.whl)

echo "== wheel"
python3 -m venv /opt/try
/opt/try/bin/pip install --quiet --no-index "$wheel"
bash scripts/smoke.sh /opt/try/bin/nactate
/opt/try/bin/nactate gnubg-setup --at-start >/dev/null
/opt/try/bin/nactate gnubg-setup --undo >/dev/null
rm -r /opt/try
left "the wheel"

echo "== pipx"
export PIPX_HOME=/opt/pipx PIPX_BIN_DIR=/opt/bin PIPX_MAN_DIR=/opt/man
pipx install --pip-args=--no-index "$wheel" >/dev/null
bash scripts/smoke.sh /opt/bin/nactate
pipx uninstall gnubg-nactation >/dev/null
[[ -z $(find /opt -name '*nact*') ]]
rm -rf /opt/pipx /opt/bin /opt/man
left pipx

echo "== program in one file"
bash scripts/smoke.sh python3 "$folder/nactate.pyz"
if [[ -x $folder/nactate ]]; then
    echo "== executable"
    bash scripts/smoke.sh "$folder/nactate"
fi
left "the programs in one file"

echo "== plugin for gnubg in one file"
in_gnubg() { # a folder that is the home as well: what the plugin prints there
    (cd "$1" && printf '>import nactation_plugin; print("loaded", nactation_plugin.__file__)\n%s\n' \
        '>nactation_plugin.decode("54S-63R-31P")' | HOME=$1 gnubg -t -q 2>&1)
}
home=$(mktemp -d)
mkdir "$home/scripts"
cp "$folder/nactation_plugin.py" "$home/scripts"
output=$(in_gnubg "$home")
[[ $output == *"loaded "*"scripts/nactation_plugin.py"* && $output == *"8/5 6/5"* ]] ||
    { echo "$output" >&2; exit 1; }

echo "== Debian package"
apt-get install -qq "$folder"/*.deb >/dev/null
bash scripts/smoke.sh nactate
version=$(python3 -c 'import gnubg_nactation; print(gnubg_nactation.__version__)')
man nactate | grep -q "$version" || { echo "the manual page has another version" >&2; exit 1; }
for file in bash-completion/completions/nactate zsh/vendor-completions/_nactate \
    fish/vendor_completions.d/nactate.fish; do
    [[ -s /usr/share/$file ]] || { echo "no /usr/share/$file" >&2; exit 1; }
done
output=$(in_gnubg "$(mktemp -d)")
[[ $output == *"loaded /usr/lib/python3/dist-packages/"* && $output == *"8/5 6/5"* ]] ||
    { echo "$output" >&2; exit 1; }
apt-get purge -qq gnubg-nactation >/dev/null
left "the Debian package"
[[ -z $(find /usr -iname '*nactat*') ]]
