# make verify   check the theory (quick profile), write build/verify/report.html
# make test     linters, type checker, import direction, test suite
# make docs     regenerate docs/claims.md, docs/proof_*.md, docs/claim_graph.svg, docs/experiments.md
# make steps    check every proof step, save the solver texts in build/steps
# make mutants  seed faults into copies of the checkout and count which ones the tests notice (build/mutants.md)
# make judges   ask other programs: cvc5 the proof steps, flower the aggregates, ville the intervals
# make experiments  the paper's figures on real data, resumable (needs `python -m verify data add bibtex PATH`, and delicious)
# make proofs   check the Coq proofs anew: compile, coqchk, axioms, and the record that campaigns take (installs coq if it may)
# All set themselves up: a machine needs Python >= 3.11 and make.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
JUDGES := tests/bounds/proofs/test_second_solver.py tests/fedigw/test_flower.py \
	tests/verify/statistics/test_statistics.py::test_intervals_shrink_and_agree_with_another_program

.PHONY: verify full test lint long experiments docs steps mutants judges proofs statements clean

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

# Every finished run is kept in build/experiments; JOBS=2, ENGINE=dask, SCHEDULER=tcp://... where there is more than one core.
JOBS ?= 1
ENGINE ?= local
experiments: $(READY)
	$(BIN)/python -m verify.experiments.figures --jobs $(JOBS) --engine $(ENGINE) $(if $(SCHEDULER),--scheduler $(SCHEDULER))
	$(BIN)/python -m verify.pages.experiments

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

mutants: $(READY)
	$(BIN)/python tests/mutants/run.py --out build/mutants.md

# In an environment of its own: nothing of ours needs these libraries.
judges: build/judges/.ready
	build/judges/bin/python -m pytest -p no:cacheprovider -rs -s $(JUDGES)

build/judges/.ready: pyproject.toml
	test -x build/judges/bin/python || $(PYTHON) -m venv build/judges
	build/judges/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test,judges]'
	touch build/judges/.ready

docs: $(READY)
	$(BIN)/python -m verify.pages.claims > docs/claims.md
	$(BIN)/python -m verify.pages.proof repaired > docs/proof_repaired.md
	$(BIN)/python -m verify.pages.proof sharpened > docs/proof_sharpened.md
	$(BIN)/python -m verify.pages.claim_graph > docs/claim_graph.svg
	$(BIN)/python -m verify.pages.formal
	$(BIN)/python -m verify.pages.experiments

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
