# Two commands do everything: `make run` starts the workbench, `make test` runs every check.
PYTHON ?= python3
BIN := .venv/bin
# The tests run side by side, one BLAS thread each.
TEST_ENV := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 QT_QPA_PLATFORM=offscreen

.PHONY: run test setup clean
.DELETE_ON_ERROR:

run: .venv/installed
	$(BIN)/python -m workbench

test: .venv/installed
	bash .ci/system-packages test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(TEST_ENV) $(BIN)/python -m pytest -n 2

setup: .venv/installed

.venv/installed: pyproject.toml .ci/system-packages
	PYTHON=$(PYTHON) bash .ci/system-packages
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ": make PYTHON=python3.11 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	FIGMN_QUIET=1 $(BIN)/python -c 'import figmn.bench; figmn.bench.warm_up()' # compiles, so that the first start need not
	touch $@

clean:
	rm -rf .venv build dist
