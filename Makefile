# `make run` and `make test` need only Python 3.11 or newer with venv (Debian, Ubuntu: python3-venv), git and make. Each sets up .venv first:
# `make run` with what running needs (requirements-local.lock), the others with all tools of development (requirements.lock).
.DEFAULT_GOAL := help
.PHONY: help setup hooks run unit test test-all test-citus chaos check audit format bench docs client lock clean

# Tests start hundreds of processes; where this is set, each would compile for itself all that it imports.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
READY := $(VENV)/.ready
SEARCH := $(VENV)/.search
INSTALL := sh scripts/install.sh "$(PYTHON)" $(VENV)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## create .venv with the tools for development

$(READY): requirements.lock pyproject.toml
	@$(INSTALL) requirements.lock
	@touch $(RUNS) $@

$(RUNS): requirements-local.lock pyproject.toml
	@$(INSTALL) requirements-local.lock
	@touch $@

hooks: $(READY) ## install the pre-commit hooks, which run the tools of make check
	@$(BIN)/pre-commit install

run: $(RUNS) ## start the service with an embedded Postgres
	@$(BIN)/pocha serve

# Tests wait for processes and browsers about as long as they compute.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(3 * os.cpu_count() // 2)')
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

UNIT := tests/domain tests/application tests/rest tests/auth

# Each process of the tests would compile it for itself, while the others do the same.
$(SEARCH): $(READY) $(wildcard domain/robots/kernel/*.py)
	@echo "== compiling the search of hard robots (once)"
	@$(BIN)/python -m domain.robots.warm_up
	@touch $@

unit: $(SEARCH) ## run the tests that need no Postgres and no other process (some three minutes on two cores)
	@$(PYTEST) -q $(UNIT)

test: $(SEARCH) ## run all tests but the longest, and check the coverage of the rules (some twenty minutes on two cores)
	@echo "== running the tests, on all processors"
	@$(PYTEST) --cov=domain --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100

test-all: $(SEARCH) ## run the longest tests too: build the container and play in it (needs root, buildah, mmdebstrap)
	@$(PYTEST) -m ''

test-citus: $(READY) ## test on the Citus cluster of POCHA_TEST_CITUS_URL, which needs a database without games (tests/citus)
	@test -n "$$POCHA_TEST_CITUS_URL" || { echo "set POCHA_TEST_CITUS_URL to the coordinator, see tests/citus/test_cluster.py"; exit 1; }
	@$(BIN)/python -m pytest -q tests/citus tests/adapters/test_bucketed.py tests/adapters/test_retention.py -k "cluster or BucketedPostgres or bucket"

chaos: $(READY) ## play for two minutes while processes, connections and Postgres are killed
	@$(BIN)/python -m tests.chaos --seconds 120

check: $(READY) ## check lint, format, types, layers, contract, Dockerfile
	@echo "== ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "== types (pyright strict, by basedpyright)"
	@$(BIN)/basedpyright
	@echo "== layers"
	@$(BIN)/lint-imports
	@echo "== contract"
	@$(BIN)/openapi-spec-validator api/openapi.yaml
	@! grep -nE 'https?://' requirements*.lock || { echo "lock files must name no address"; exit 1; }
	@echo "== Dockerfile"
	@$(BIN)/hadolint Dockerfile

audit: ## list known vulnerabilities of the locked dependencies (needs the internet)
	@$(PYTHON) -m venv build/audit
	@build/audit/bin/python -m pip install -q --disable-pip-version-check 'pip-audit>=2.9,<3'
	@build/audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements.lock

format: $(READY) ## format the code
	@$(BIN)/ruff check --fix-only -q .
	@$(BIN)/ruff format .

bench: $(READY) ## measure, and print ratios to limits measured in the same run
	@$(BIN)/python -m tests.bench

LOCK := uv pip compile --universal --generate-hashes --no-header -q
# What Litestar asks for and a service without its command line, its test client and its plug-in for HTMX never imports.
UNUSED := faker polyfactory httpx litestar-htmx rich rich-click pygments
LOCK_TO_RUN := $(LOCK) -c requirements.lock pyproject.toml $(UNUSED:%=--no-emit-package %)

docs: $(READY) ## generate parts of the documentation (presets, glossary), and the Python client's models
	@$(BIN)/python -m tests.docs
	@$(BIN)/python clients/python/generate.py

client: ## compile the TypeScript client and the table in the browser (needs node and npm)
	@sh clients/build.sh

lock: $(READY) ## update the lock files from pyproject.toml (needs uv)
	@$(LOCK) --upgrade pyproject.toml --extra embedded --extra otel --group dev -o requirements.lock
	@$(LOCK_TO_RUN) --extra otel -o requirements-run.lock
	@$(LOCK_TO_RUN) --extra embedded --group local -o requirements-local.lock
	@$(LOCK) -c requirements.lock --group build -o requirements-build.lock

clean: ## remove what the other targets created here (never a game)
	rm -rf $(VENV) build dist .coverage .hypothesis .pytest_cache .ruff_cache
