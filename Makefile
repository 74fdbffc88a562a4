# make verify   check the theory (quick profile), write build/verify/report.html
# make test     linters, type checker, import direction, test suite
# make docs     regenerate docs/claims.md, docs/proof_*.md, docs/claim_graph.svg
# make steps    check every proof step, save the solver texts in build/steps
# make proofs   check the Coq proofs anew: compile, coqchk, axioms, and the record that campaigns take (installs coq if it may)
# All set themselves up: a machine needs Python >= 3.11 and make.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: verify full test lint long docs steps proofs statements clean

verify: $(READY)
	$(BIN)/python -m verify all --profile quick --out build/verify

full: $(READY)
	$(BIN)/python -m verify all --profile full --out build/verify-full

test: lint
	$(BIN)/python -m pytest -n 2 -m "not long"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

long: $(READY)
	$(BIN)/python -m pytest -m long

proofs:
	sh proofs/check.sh build/proofs

# After a change in proofs/: record what the kernel answers and render the page.
statements: $(READY)
	$(BIN)/python -m verify.pages.formal

# The stamp carries the dependency list: an unchanged pyproject.toml never reinstalls.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	$(BIN)/python -m verify.commands.kept # reads the proofs once: later starts are instant
	touch $(READY)

steps: $(READY)
	$(BIN)/python -m bounds.proofs build/steps

docs: $(READY)
	$(BIN)/python -m verify.pages.claims > docs/claims.md
	$(BIN)/python -m verify.pages.proof repaired > docs/proof_repaired.md
	$(BIN)/python -m verify.pages.proof sharpened > docs/proof_sharpened.md
	$(BIN)/python -m verify.pages.claim_graph > docs/claim_graph.svg
	$(BIN)/python -m verify.pages.formal

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
