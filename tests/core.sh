#!/bin/sh
# Run the tests of the machine without the claims of its first paper: sh tests/core.sh [TESTS...] (arguments of pytest; all of tests/ if none).
# In a copy whose claims/ folders, the paper's and those of extensions, are empty. Left out is what is about these claims: tests marked
# fedigw, and two folders, tests/verify/claims and tests/verify/pages (of the documentation).
set -eu
python=$(pwd)/.venv/bin/python
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
tar c --exclude=./.git --exclude=./.venv --exclude=./build --exclude=./.hypothesis --exclude='./.*_cache' --exclude=__pycache__ . | tar x -C "$place"
cd "$place"
find verify/papers/fedigw/claims fedigw_extensions/*/claims -mindepth 1 ! -name __init__.py -prune -exec rm -r {} +
[ $# -gt 0 ] || set -- tests
PYTHONPATH=$place "$python" -m pytest -n 2 --dist loadfile -m "not long and not fedigw" \
    --ignore tests/verify/claims --ignore tests/verify/pages "$@"
