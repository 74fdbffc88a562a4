#!/bin/sh
# Run tests as a user's machine might: sh tests/anywhere.sh TESTS... (arguments of pytest)
# In a copy without git under a path with blanks and an umlaut, as nobody if we are root, without a home, with temporary files elsewhere,
# every warning an error, in random order (the seed is printed; repeat an order with -p randomly_seed=N). The libraries are installed once.
set -eu
user=
[ "$(id -u)" != 0 ] || user="setpriv --reuid 65534 --regid 65534 --clear-groups"
if [ ! -e build/anywhere/.ready ] || [ pyproject.toml -nt build/anywhere/.ready ]; then
    found=
    for python in "${PYTHON:-python3}" /usr/bin/python3; do # the first one may stand in a folder of root's
        if $user "$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then found=$python; break; fi
    done
    [ "$found" ] || { echo "anywhere: PYTHON = ${PYTHON:-python3}: must be a Python >= 3.11 that an ordinary user may run" >&2; exit 2; }
    "$found" -m venv --clear build/anywhere
    build/anywhere/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test]' pytest-randomly 'setuptools>=70.1' # builds wheels by itself
    touch build/anywhere/.ready
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
