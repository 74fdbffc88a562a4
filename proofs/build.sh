#!/bin/sh
# build.sh BUILD [TARGET.vo ...]   compile the proofs that stand beside this script into the directory BUILD
# Sources are copied only where they differ, so a second run compiles nothing.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
shift
for file in "$source"/*.v "$source"/_CoqProject; do
    cmp -s "$file" "$(basename "$file")" || cp "$file" .
done
if [ ! -f Makefile.coq ] || [ _CoqProject -nt Makefile.coq ]; then
    coq_makefile -f _CoqProject -o Makefile.coq
fi
exec make --no-print-directory -j2 -f Makefile.coq "$@"
