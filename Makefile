# `make run` and `make test` need only Python 3.11 or newer, git and make: each sets up .venv from requirements.lock first.
.DEFAULT_GOAL := help
.PHONY: help setup run test chaos check format bench lock clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCKED := $(VENV)/.locked
READY := $(VENV)/.ready
UV := $(shell command -v uv 2>/dev/null)
INSTALL := $(if $(UV),$(UV) pip install -q --python $(BIN)/python,$(BIN)/python -m pip install -q --disable-pip-version-check)

help: ## say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## create .venv with the locked dependencies

$(LOCKED): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Pocha needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	@echo "== setting up $(VENV): the locked dependencies (once, about a minute)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(INSTALL) --require-hashes -r requirements.lock
	@touch $@

$(READY): $(LOCKED) pyproject.toml
	@$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

run: $(READY) ## start the service with its embedded Postgres and say where to look
	@$(BIN)/pocha serve

test: $(READY) ## run all the tests, with the coverage of the rules
	@echo "== running the tests"
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest
	@$(BIN)/coverage report --include='domain/*' --fail-under=100 >$(VENV)/coverage.txt || { cat $(VENV)/coverage.txt; exit 1; }

chaos: $(READY) ## play for two minutes while processes, connections and Postgres are killed
	@$(BIN)/python -m tests.chaos --seconds 120

check: $(READY) ## lint, format, types, layers, contract
	@echo "== ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "== types (pyright strict, by basedpyright)"
	@$(BIN)/basedpyright
	@echo "== layers"
	@$(BIN)/lint-imports
	@echo "== contract"
	@$(BIN)/openapi-spec-validator api/openapi.yaml
	@! grep -nE 'https?://' requirements.lock || { echo "requirements.lock must name no address"; exit 1; }

format: $(READY) ## put the code into its one form
	@$(BIN)/ruff check --fix-only -q .
	@$(BIN)/ruff format .

bench: $(READY) ## measure, and print ratios to limits taken in the same run
	@$(BIN)/python -m tests.bench

lock: $(READY) ## renew requirements.lock from pyproject.toml (needs uv)
	@$(UV) pip compile pyproject.toml --group dev --universal --generate-hashes --no-header --upgrade -q -o requirements.lock

clean: ## remove what the other targets made here (never a game)
	rm -rf $(VENV) build dist .coverage .hypothesis .pytest_cache .ruff_cache
