# make verify   check the theory (quick profile), write build/verify/report.html
# make test     linters, type checker, import direction, test suite
# make docs     regenerate the generated pages of docs/
# make site     the documentation as a site that opens offline, build/site/index.html
# make matrix   the test suite on the oldest dependencies that are allowed (make lowest), every Python from 3.11 to 3.13 that is here, and
#               in a copy without git, as a user who is not root, in random order (make anywhere); SUITE=tests/verify for a part of it
# make core     the tests in a copy whose first paper has no claims: what is not about them passes
# make mutants  seed faults into copies of the checkout and count which ones the tests notice (build/mutants.md)
# make mutants10  ten of these faults at once, three draws: the quick campaign, no test, must notice each time
# make fuzz     10,000 mutated instance files, 1,000 large worlds, 30,000 bounds at edge values, 200 plug-ins: only input errors may come out
# make faults   50 kills of campaigns with users' claims, and of a cluster and its scheduler: the same bytes after --resume
# make scale    a Dask cluster of 8 workers that come, go, stop and have no disk: the bytes of one process; what 10,000 empty checks cost
# make judges   ask other programs: cvc5 the scalar steps, flower the aggregates, ville the intervals, PEPit the worst round of Theorem G
# make bench    speed, regret, growth and memory beside five bandit libraries and the last committed figures (build/bench)
# make experiments  the paper's figures on real data, resumable (needs `python -m verify data add bibtex PATH`, and delicious)
# make proofs   check the Coq proofs anew: compile, coqchk, axioms, and the record that campaigns take (installs coq if it may)
# All set themselves up: a machine needs Python >= 3.11 and make.

PYTHON ?= python3
export NEW_ENOUGH := import sys; sys.version_info < (3, 11) and sys.exit('make: Python 3.11 or newer is needed: make PYTHON=python3.11')
BIN := .venv/bin
READY := .venv/.ready
JUDGES := tests/verify/formal/test_second_solver.py tests/fedigw/test_flower.py fedigw_extensions/robust/tests/test_flower_robust.py tests/bounds/test_pep.py \
	tests/verify/statistics/test_statistics.py::test_intervals_shrink_and_agree_with_another_program

.PHONY: help verify full test lint long experiments docs site matrix versions lowest anywhere core mutants mutants10 fuzz faults scale judges bench proofs statements clean

verify: $(READY)
	$(BIN)/python -m verify all --profile quick --out build/verify

help: # the lines at the head of this file
	@sed -n '/^$$/q; s/^# //p' Makefile

full: $(READY)
	$(BIN)/python -m verify all --profile full --out build/verify-full

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not long"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

long: $(READY)
	$(BIN)/python -m pytest -m long --hypothesis-profile=explore
	$(BIN)/python -m pytest --hypothesis-profile=explore tests/finite_class/test_lemmas.py tests/verify/experiments/test_local_methods.py

# Every finished run is kept in build/experiments; JOBS=2, ENGINE=dask, SCHEDULER=tcp://... where there is more than one core.
JOBS ?= 1
ENGINE ?= local
experiments: $(READY)
	$(BIN)/python -m fedigw_extensions.neural.figures --jobs $(JOBS) --engine $(ENGINE) $(if $(SCHEDULER),--scheduler $(SCHEDULER))
	$(BIN)/python -m fedigw_extensions.neural.page

proofs:
	sh proofs/check.sh build/proofs

# After a change in proofs/: record what Coq answers and render the page.
statements: $(READY)
	$(BIN)/python -m verify.pages.formal

# The stamp carries the dependency list: an unchanged pyproject.toml never reinstalls.
$(READY): pyproject.toml
	test -x $(BIN)/python || { $(PYTHON) -c "$$NEW_ENOUGH" && $(PYTHON) -m venv .venv; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	$(BIN)/python -c 'from verify.verbs.bound import forms; forms.fill()' # makes closed forms once: later starts are instant
	touch $(READY)

mutants: $(READY)
	$(BIN)/python tests/mutants/run.py --out build/mutants.md

mutants10: $(READY)
	for seed in 1 2 3; do $(BIN)/python tests/mutants/run.py --at-once 10 --seed $$seed || exit 1; done

fuzz: $(READY)
	$(BIN)/python tests/fuzz/run.py --seed 1 --files 10000 --sizes 1000 --bounds 30000
	$(BIN)/python tests/fuzz/plug_ins.py --claims 100 --parts 100

faults: $(READY)
	$(BIN)/python tests/campaign_faults.py --seed 1 --cycles 50
	$(BIN)/python tests/campaign_faults.py --seed 1 --cycles 6 --engine dask

scale: $(READY)
	$(BIN)/python tests/cluster_scale.py --profile full
	$(BIN)/python tests/cluster_scale.py --empty 2500 5000 10000

# In an environment of its own: nothing of ours needs these libraries.
judges: build/judges/.ready
	build/judges/bin/python -m pytest -p no:cacheprovider -rs -s $(JUDGES)

build/judges/.ready: pyproject.toml
	test -x build/judges/bin/python || $(PYTHON) -m venv build/judges
	build/judges/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test,judges]'
	touch build/judges/.ready

# In an environment of its own, for the peers that it races with. KEEP=--keep makes figures and page the committed ones.
bench: build/bench_python/.ready
	build/bench_python/bin/python benchmarks/bench.py --out build/bench $(KEEP)

build/bench_python/.ready: pyproject.toml
	test -x build/bench_python/bin/python || $(PYTHON) -m venv build/bench_python
	build/bench_python/bin/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	touch build/bench_python/.ready

docs: $(READY)
	$(BIN)/python -m verify.catalogue
	$(BIN)/python -m verify.pages.claims > docs/claims.md
	$(BIN)/python -m verify.pages.rates > docs/rates.md
	$(BIN)/python -m verify.pages.rates picture docs/rates.svg
	$(BIN)/python -m verify.pages.constants docs/constants.svg
	$(BIN)/python -m verify.pages.formal
	$(BIN)/python -m verify.pages.notebooks
	for page in commands api instance_files; do $(BIN)/python -m verify.pages.$$page > docs/reference/$$page.md || exit 1; done
	$(BIN)/python -m verify.pages.instance_files schema > docs/reference/instance.schema.json
	$(BIN)/python -m fedigw_extensions.neural.page
	$(BIN)/python -m fedigw_extensions.rivals.page
	$(BIN)/python benchmarks/bench.py --page

# The documentation as a site that opens offline: build/site/index.html.
site: build/docs/.ready $(READY)
	$(BIN)/python -m verify.pages.site build/site_source
	build/docs/bin/zensical build --strict --clean

build/docs/.ready: pyproject.toml
	test -x build/docs/bin/python || $(PYTHON) -m venv build/docs
	build/docs/bin/python -m pip install --quiet --disable-pip-version-check 'zensical==0.0.73'
	touch build/docs/.ready

# The suite on every Python that is here, on the oldest versions of every dependency that pyproject.toml allows, and anywhere, each in an
# environment of its own. SUITE: these tests only. What old libraries say of newer ones (deprecations) is no finding about ours.
PYTHONS ?= 3.11 3.12 3.13
SUITE ?=
matrix: lowest versions anywhere

versions: $(foreach version,$(PYTHONS),$(if $(shell command -v python$(version)),build/python$(version)/.ready))
	for ready in $^; do $$(dirname $$ready)/bin/python -m pytest -n 2 -m "not long" $(SUITE) || exit 1; done

build/python%/.ready: pyproject.toml
	python$* -m venv build/python$*
	build/python$*/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

lowest: build/lowest/.ready
	build/lowest/bin/python -m pytest -n 2 -m "not long" -W default::DeprecationWarning -W default::PendingDeprecationWarning $(SUITE)
	$(if $(SUITE),,build/lowest/bin/python -m verify all --out build/verify-lowest) # every verdict as expected

build/lowest/.ready: pyproject.toml
	$(PYTHON) -m venv build/lowest
	build/lowest/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lowest/bin/uv pip install --quiet --python build/lowest/bin/python --resolution lowest-direct -e '.[test]'
	touch $@

# The libraries, for a Python that an ordinary user may run: the first one may stand in a folder of root's.
anywhere: build/anywhere/.ready
	sh tests/anywhere.sh $(SUITE)

core: $(READY)
	sh tests/core.sh $(SUITE)

build/anywhere/.ready: pyproject.toml
	$$(sh tests/anywhere.sh --python $(PYTHON) /usr/bin/python3) -m venv --clear build/anywhere
	build/anywhere/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test]' pytest-randomly 'setuptools>=70.1'
	touch $@

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
