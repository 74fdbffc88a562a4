#!/bin/sh
# Run tests as on a user's machine: sh tests/anywhere.sh TESTS... (arguments of pytest), with the libraries in build/anywhere.
# In a copy without git under a path with blanks and an umlaut, as nobody if we are root, without a home, with temporary files elsewhere,
# every warning an error, in random order (-p no:randomly for the usual one; the seed is printed).
# sh tests/anywhere.sh --python NAMES... prints the first of these Pythons that the user may run and that is new enough.
set -eu
user=
[ "$(id -u)" != 0 ] || user="setpriv --reuid 65534 --regid 65534 --clear-groups"
if [ "${1:-}" = --python ]; then
    shift
    for python; do
        python=$(command -v "$python") || continue  # for the user a name may mean another one
        if $user env "$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then echo "$python"; exit; fi
    done
    echo "anywhere: PYTHON = $*: must be a Python >= 3.11 that an ordinary user may run" >&2
    exit 2
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
copy="$place/ein Pfad für Prüfungen"
mkdir "$copy" "$place/tmp"
tar c --exclude=./.git --exclude=./.venv --exclude=./build --exclude=./.hypothesis --exclude='./.*_cache' --exclude=__pycache__ . | tar x -C "$copy"
cp -r build/anywhere "$copy/.venv"
cd "$copy"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
[ -z "$user" ] || chown -R 65534:65534 "$place"
$user env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME=/nonexistent TMPDIR="$place/tmp" \
    .venv/bin/python -W error -m pytest -n 2 --dist loadfile -m "not long" "$@"
