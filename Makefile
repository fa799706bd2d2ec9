# The two commands of the README: make demo, make test. Both set everything up by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
ENGINES := $(VENV)/.engines

.PHONY: demo test test-all lint docs bench clean

demo: $(STAMP)
	$(BIN)/sudare demo

test: $(ENGINES) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow"

test-all: $(ENGINES) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(ENGINES)
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

docs: $(STAMP)
	$(BIN)/python -m pip install --quiet --requirement requirements/docs.txt
	$(BIN)/python -m sphinx -W -b html docs docs/_build/html
	$(BIN)/python -m sphinx -W -b html -D language=ja docs docs/_build/html-ja

bench: $(ENGINES)
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
$(STAMP): pyproject.toml requirements/dev.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "sudare needs Python 3.11 or newer; set PYTHON=python3.11 or similar." >&2; exit 1; }
	[ -x $(BIN)/python ] && $(BIN)/python -m pip --version >/dev/null 2>&1 || \
		$(PYTHON) -m venv $(VENV) 2>/dev/null || \
		{ rm -rf $(VENV) && $(PYTHON) -m pip install --quiet --target .bootstrap virtualenv && \
		PYTHONPATH=.bootstrap $(PYTHON) -m virtualenv --quiet $(VENV); }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $(STAMP)

# PySpark and the peers are large, so the demo does without them.
$(ENGINES): $(STAMP) requirements/engines.txt requirements/peers.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/engines.txt --requirement requirements/peers.txt
	touch $(ENGINES)

clean:
	rm -rf $(VENV) .bootstrap sudare-demo docs/_build
