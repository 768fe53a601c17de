# Everything runs in a virtual environment beside this file; the first target that needs it makes it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Many tests wait, so that three processes of them keep two cores busy. They start many more, and what these import is
# not to be compiled anew by each, whatever the environment says.
COMPILED := env -u PYTHONDONTWRITEBYTECODE

.PHONY: help play demo test check unit soak bench catalogues format clean

help: ## show the targets
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' $(MAKEFILE_LIST)

play: $(VENV)/.installed ## sit down with three bots; without a terminal, watch four peers play and verify the game
	@if [ -t 0 ] && [ -t 1 ]; then P2PDURAK_LOOPBACK=1 $(BIN)/p2pdurak play; \
	else P2PDURAK_LOOPBACK=1 $(BIN)/p2pdurak demo; fi

demo: $(VENV)/.installed ## watch a whole game between four peers on this machine, and its verification
	@P2PDURAK_LOOPBACK=1 $(BIN)/p2pdurak demo

test: check unit ## all checks and all everyday tests

check: $(VENV)/.developing ## style, types, import layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.developing ## the everyday tests
	P2PDURAK_LOOPBACK=1 $(COMPILED) $(BIN)/pytest -n 3

soak: $(VENV)/.developing ## the long runs, some of an hour
	P2PDURAK_LOOPBACK=1 $(COMPILED) $(BIN)/pytest -n 2 -m soak

bench: $(VENV)/.developing ## print the benchmarks
	$(BIN)/python -m tests.benchmarks

catalogues: $(VENV)/.developing ## extract and compile the message catalogues
	$(BIN)/python -m tests.ui.make_catalogues

format: $(VENV)/.developing ## put all files into the project's form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "p2pdurak needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 play"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.developing: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed
