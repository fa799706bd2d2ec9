# The two commands of the README: make demo, make test. Both set everything up by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# One environment that grows: what the demo shows, then what the tests need. A stamp is made last, so
# whatever was interrupted is taken up again.
DEMO := $(VENV)/.demo
DEV := $(VENV)/.dev
# Bytecode by as many processes as there are cores: pip would take one, and where Python may not write
# it, every start would compile some 400 modules again. Some packages ship sources of other versions.
COMPILE := $(BIN)/python -m compileall -qq -j 0 2>/dev/null -x 'tests?/|_vendor/'
# Two workers have both cores, so that threads of their own would only get in each other's way.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadgroup

.PHONY: demo test test-integration test-all lint docs bench clean

demo: $(DEMO)
	@$(BIN)/sudare demo

# The tests of every commit; then what needs real components, with more examples for properties;
# then everything, with the slow ones.
test: $(DEV) lint
	$(PYTEST) -m "not integration and not slow"

test-integration: $(DEV)
	$(PYTEST) --hypothesis-profile=thorough -m "(integration or hypothesis) and not slow"

test-all: $(DEV) lint
	$(PYTEST) --hypothesis-profile=thorough

lint: $(DEV)
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

docs: $(DEMO)
	$(PIP) install --requirement requirements/docs.txt
	$(BIN)/python -m sphinx -W -b html docs docs/_build/html
	$(BIN)/python -m sphinx -W -b html -D language=ja docs docs/_build/html-ja

bench: $(DEV)
	$(BIN)/python benchmarks/noise.py
	$(BIN)/python benchmarks/queries.py
	$(BIN)/python benchmarks/tables.py
	$(BIN)/python benchmarks/local.py
	$(BIN)/python benchmarks/audit_local.py
	$(BIN)/python benchmarks/postgres.py
	$(BIN)/python benchmarks/spark.py
	$(BIN)/python benchmarks/ledger.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/inner.py
	$(BIN)/python benchmarks/check_tables.py
	$(BIN)/python benchmarks/records.py
	$(BIN)/python benchmarks/estimates.py
	$(BIN)/python benchmarks/estimates_fresh.py
	$(BIN)/python benchmarks/regression_cover.py
	$(BIN)/python benchmarks/histogram_cover.py
	$(BIN)/python benchmarks/shuffle.py
	$(BIN)/python benchmarks/sets.py
	$(BIN)/python benchmarks/sets_growth.py
	$(BIN)/python benchmarks/sets_mining.py
	$(BIN)/python benchmarks/sets_optimum.py
	$(BIN)/python benchmarks/sets_km.py
	$(BIN)/python benchmarks/link_keys.py
	$(BIN)/python benchmarks/link_transport.py
	$(BIN)/python benchmarks/link_session.py
	$(BIN)/python benchmarks/link_hybrid.py
	$(BIN)/python benchmarks/link_secure.py
	$(BIN)/python benchmarks/smooth_median.py
	$(BIN)/python benchmarks/kmeans_speed.py
	$(BIN)/python benchmarks/learning.py

# Some systems ship python3 without venv's ensurepip; virtualenv from pip then does the same.
$(DEMO): pyproject.toml requirements/runtime.txt requirements/demo.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "sudare needs Python 3.11 or newer; set PYTHON=python3.11 or similar." >&2; exit 1; }
	@echo "Installing what the demo shows into $(VENV); this takes a minute or two, once."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || \
		{ rm -rf $(VENV) && $(PYTHON) -m venv $(VENV) >/dev/null 2>&1; } || \
		{ rm -rf $(VENV) && $(PYTHON) -m pip install --quiet --target .bootstrap virtualenv && \
		PYTHONPATH=.bootstrap $(PYTHON) -m virtualenv --quiet $(VENV); }
	@$(PIP) install --no-compile --requirement requirements/runtime.txt --requirement requirements/demo.txt
	@$(PIP) install --no-compile --no-deps --editable .
	@$(COMPILE) $(VENV)/lib src/sudare || true
	@touch $(DEMO)

# Compilers, engines, peers and the tools of the tests are large, so the demo does without them.
$(DEV): $(DEMO) requirements/sets.txt requirements/dev.txt requirements/engines.txt requirements/peers.txt
	@echo "Installing what the tests need into $(VENV); this takes some minutes, once."
	@$(PIP) install --no-compile --requirement requirements/sets.txt --requirement requirements/dev.txt \
		--requirement requirements/engines.txt --requirement requirements/peers.txt
	@$(COMPILE) $(VENV)/lib || true
	@touch $(DEV)

clean:
	rm -rf $(VENV) .bootstrap sudare-demo docs/_build
