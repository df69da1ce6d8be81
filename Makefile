# Each target sets up what it needs in .venv by itself, again when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
.DELETE_ON_ERROR:
.PHONY: run test browser lint check format pictures clean

run: $(VENV)/.run
	@$(BIN)/quizapp

test: $(VENV)/.test
	$(BIN)/pytest -q -n auto --ignore=tests/browser

# The study sheet in a real browser: needs /usr/bin/chromium.
browser: $(VENV)/.browser
	$(BIN)/pytest -q tests/browser

# Packages through a real Anki, which is AGPL and needs a recent system: so it is no part of test.
interop: $(VENV)/.interop
	$(BIN)/pytest -q tests/interop

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The content: every deck is right, every formula, number and derivation in it holds.
check: $(VENV)/.run
	$(BIN)/quizapp decks check --strict
	$(BIN)/quizapp verify

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The pictures in README and docs, taken from the real app.
pictures: $(VENV)/.run
	$(BIN)/python scripts/pictures.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/.base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "quizapp needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Name another: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { \
	  echo "could not make $(VENV): on Debian and Ubuntu, apt install python3-venv" >&2; rm -rf $(VENV); exit 2; }
	@$(BIN)/python -m pip install -q --disable-pip-version-check -U 'pip>=25.1'
	@touch $@

$(VENV)/.run: $(VENV)/.base
	@echo "setting up $(VENV) (once)" >&2
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: $(VENV)/.run
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group test
	@touch $@

$(VENV)/.interop: $(VENV)/.test
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group interop
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group lint
	@touch $@

$(VENV)/.browser: $(VENV)/.test
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group browser
	@touch $@
