#!/bin/sh
# check.sh BUILD   set up Coq, compile all proofs, run coqchk, print the assumptions of the headline theorems
# Fails, naming the reason, if Coq cannot be had, a file does not compile, something is admitted, an axiom outside
# assumptions.allowed is used, or record.json is not what Coq answers. Exit status 3: no Coq here and none to be had.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
build=$1

fail() {
    echo "proofs: $*" >&2
    exit 1
}
cannot_have_coq() { # a machine without Coq is not an error of the proofs: its own exit status
    echo "proofs: $*" >&2
    exit 3
}

if ! command -v coqc >/dev/null 2>&1; then
    command -v apt-get >/dev/null 2>&1 || cannot_have_coq "coqc is missing and there is no apt-get; install Coq 8.16 and run again"
    [ "$(id -u)" = 0 ] || cannot_have_coq "coqc is missing; as root: apt-get install coq (8.16), then run again"
    echo "proofs: coqc is missing, installing the Debian package coq"
    apt-get update -qq && apt-get install -y -qq --no-install-recommends coq >/dev/null ||
        cannot_have_coq "coqc is missing and apt-get could not install the package coq"
fi
version=$(coqc --version | sed -n 's/.*version \([0-9.]*\).*/\1/p')
case $version in
8.16*) ;;
*) echo "proofs: written for Coq 8.16, trying with $version" >&2 ;;
esac

if grep -nwE 'Admitted|admit|Axiom|Parameter|Conjecture' "$source"/*.v; then
    fail "the lines above admit something without proof"
fi
if grep -nE 'Unset +.*Checking|bypass_check|Type In Type' "$source"/*.v; then
    fail "the lines above switch a check of Coq off"
fi

sh "$source/build.sh" "$build" || fail "a file does not compile"

modules=$(sed -n 's/^\([A-Za-z]*\)\.v$/FedIGW.\1/p' "$source/_CoqProject")
# coqchk re-checks every compiled file with the kernel alone; its stamp is younger than all of them.
if [ ! -f "$build/coqchk.log" ] || [ -n "$(find "$build" -name '*.vo' -newer "$build/coqchk.log")" ]; then
    echo "proofs: coqchk"
    # shellcheck disable=SC2086
    (cd "$build" && coqchk -silent -o -Q . FedIGW $modules >coqchk.new 2>&1) ||
        { cat "$build/coqchk.new" >&2; fail "coqchk rejects the compiled files"; }
    mv "$build/coqchk.new" "$build/coqchk.log"
fi
sed -n '/^\* Axioms/,/^\* Constants/p' "$build/coqchk.log" | sed '$d'

# Print Assumptions of all theorems that statements.toml names, together.
theorems=$(sed -n 's/^\(theorem\|repair\) *= *"\([A-Za-z0-9_.]*\)".*/\2/p' "$source/statements.toml" | sort -u)
{
    echo "Set Printing Width 100."
    for module in $modules; do echo "Require $module."; done
    echo "Definition headline := (I"
    for theorem in $theorems; do echo "  , @FedIGW.$theorem"; done
    echo "). Print Assumptions headline."
} >"$build/AssumptionsQuery.v"
(cd "$build" && coqc -Q . FedIGW AssumptionsQuery.v) >"$build/assumptions.log" || fail "a theorem of statements.toml is missing"
rm -f "$build"/AssumptionsQuery.* "$build"/.AssumptionsQuery.*
# An entry begins a line and goes on in indented ones; whatever is not an allowed axiom, name and type, is refused.
entries=$(sed -n '/^Axioms:/,$p' "$build/assumptions.log" | sed 1d | sed -e ':a' -e '$!N' -e 's/\n  */ /' -e 'ta' -e 'P' -e 'D' | sed 's/  */ /g')
echo "$entries" | while IFS= read -r entry; do
    [ -z "$entry" ] || grep -qxF -- "$entry" "$source/assumptions.allowed" ||
        fail "the axiom ${entry%% *} is not in assumptions.allowed"
done
echo "proofs: $(echo "$theorems" | wc -l) headline theorems, 0 admitted; axioms used:"
echo "$entries" | sed 's/ : .*//; s/^/    /'

# What campaigns take as recorded must be what Coq answers on these sources. Python's own library is enough.
python=$source/../.venv/bin/python
[ -x "$python" ] || python=python3
build=$(cd "$build" && pwd)
cd "$source/.." && exec "$python" -m verify.formal.record "$build" "$source"
