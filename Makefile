# Everything runs in .venv, which every target makes by itself: on a fresh machine `make demo` or `make test` is enough.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory --no-builtin-rules
# Images of containers often set it. Here each of hundreds of processes would compile all modules anew, for half a second.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
ARGS ?=
# Processes that run tests: many tests of the service wait, for a disk or for other processes, so two cores feed four.
TESTERS ?= 4
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-stamp
BASELINE := proto/baseline.binpb
DOCS_STAMP := $(VENV)/.docs-stamp
# What is compiled lies apart from the sources, and only these targets have it on their path.
COMPILED := build/compiled
ON_COMPILED = RULES_BUILD=compiled PYTHONPATH=$(CURDIR)/$(COMPILED) \
	$(call pytest,compiled) -n $(TESTERS) -m "not soak and not interpreted"
# In CI failed tests are repeated alone, and reports of that name are written to build/tests.
pytest = $(BIN)/python $(if $(CI),tools/ci_tests.py $(1),-m pytest)
GUARDS := tests/test_compiled.py tests/table tests/golden tests/perft tests/stability
BOTH_WAYS := $(GUARDS) tests/families tests/game tests/kit tests/titles tests/test_effects_and_visibilities.py
EXAMPLES := go java rust cpp

.PHONY: help setup proto web examples viewer pictures docs run run-postgresql demo collected test compiled test-compiled test-compiled-all test-postgresql \
	soak mutants bench bench-gate format lock proto-baseline clean check check-format check-lint check-types check-imports check-protos check-web

help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo; echo "  Further arguments: make run ARGS='--listen 127.0.0.1:50052'"

setup: $(STAMP) ## make .venv from the lock file (does nothing if it is up to date)

$(STAMP): pyproject.toml requirements.lock hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Boardkeeper needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	BOARDKEEPER_COMPILE= BOARDKEEPER_BUILD_CLIENT= $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

proto: $(STAMP) ## generate Python code from the .proto files that changed
	@$(BIN)/python tools/generate_protos.py

web: proto ## build the browser client and the SDK in TypeScript, where something changed
	@$(BIN)/python tools/build_web.py

viewer: proto ## build the viewer of records as one HTML file, dist/boardkeeper.html
	@$(BIN)/python tools/build_web.py --viewer dist/boardkeeper.html

docs: proto $(DOCS_STAMP) ## build the documentation as a site with search, build/docs/site/index.html
	@$(BIN)/python tools/build_docs.py

$(DOCS_STAMP): docs/requirements.lock $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r docs/requirements.lock
	@touch $@

pictures: proto ## build what draws pictures of boards (boardkeeper show --svg)
	@$(BIN)/python tools/build_web.py --pictures

examples: $(EXAMPLES:%=example-%) ## build those examples of clients that have to be compiled

# What did not come through the network may the second time.
example-%: $(STAMP)
	@$(MAKE) -C clients/examples/$* || $(MAKE) -C clients/examples/$*

run: proto ## start the service, with its browser client and what draws pictures where npm's packages can be had
	@$(BIN)/python tools/build_web.py --client --pictures --optional
	$(BIN)/boardkeeper serve $(ARGS)

run-postgresql: proto ## start a private PostgreSQL in ./postgresql-data and two server processes on it; Ctrl-C stops all
	@$(BIN)/python tools/build_web.py --client --pictures --optional
	@$(BIN)/python tools/run_postgresql.py $(ARGS)

demo: proto ## let bots play a whole game over a real socket
	$(BIN)/boardkeeper demo $(ARGS)

collected: proto ## load all tests once: what that makes of them, the processes that run them then find
	@said=$$($(BIN)/python -m pytest --collect-only -qq 2>&1) || { echo "$$said"; exit 1; }

test: proto ## run the tests, but not the soak
	$(call pytest,main) -n $(TESTERS) -m "not soak" $(ARGS)

compiled: $(COMPILED)/.stamp ## compile the hot path of the rules, in build/compiled (needs a C compiler)

$(COMPILED)/.stamp: $(STAMP) tools/compile_rules.py $(shell find domain -type f -not -name '*.pyc')
	@$(BIN)/python tools/compile_rules.py
	@touch $@

test-compiled: proto compiled ## run the tests that compiling the rules could break, on what was compiled
	$(ON_COMPILED) $(if $(ARGS),$(ARGS),$(GUARDS))

test-compiled-all: proto compiled ## run all tests of table, families, titles and games on what was compiled
	$(ON_COMPILED) $(BOTH_WAYS) $(ARGS)

test-postgresql: proto ## run every test of the service that is not about a file on PostgreSQL alone
	$(BIN)/python -m pytest -n $(TESTERS) -m "not soak" tests/service --database postgresql $(ARGS)

soak: proto ## run the long tests: thousands of random games
	$(BIN)/python -m pytest -n 2 -m soak --timeout 0 $(ARGS)

mutants: proto ## change the rules on purpose and see whether a test fails (ARGS='verbs/deeds', ARGS=--full)
	$(BIN)/python tools/mutants.py $(ARGS)

bench: proto ## measure (ARGS='NAME ...' runs only these)
	$(BIN)/python -m bench $(ARGS)

bench-gate: proto ## fail if a random decision of a title needs more instructions than the baseline (needs valgrind)
	@$(BIN)/python -m bench.gate $(ARGS)

check: check-format check-lint check-types check-imports check-protos check-web ## every check; `make -k check` goes on after a failure

check-format: $(STAMP) ## is Python in its form?
	$(BIN)/ruff format --check --quiet .

check-lint: $(STAMP) ## ruff's lint
	$(BIN)/ruff check --quiet .

check-types: proto ## mypy --strict
	$(BIN)/mypy --no-error-summary

check-imports: proto ## do imports run the right way?
	$(BIN)/lint-imports --no-logo

check-protos: $(STAMP) ## proto lint, form and breaking changes
	$(BIN)/python tools/check_protos.py

check-web: $(STAMP) ## form, lint and types of the TypeScript
	@$(BIN)/python tools/build_web.py --check --optional

format: $(STAMP) ## bring Python, TypeScript and proto files into their form
	$(BIN)/ruff check --quiet --fix-only .
	$(BIN)/ruff format --quiet .
	$(BIN)/buf format --write
	@$(BIN)/python tools/build_web.py --format --optional

lock: $(STAMP) ## renew both requirements.lock from pyproject.toml and docs/requirements.in (ARGS=--upgrade takes newer versions)
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --quiet \
		--output-file requirements.lock $(ARGS)
	$(BIN)/uv pip compile docs/requirements.in --constraint requirements.lock --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --quiet \
		--output-file docs/requirements.lock $(ARGS)

proto-baseline: $(STAMP) ## at a release: take today's protos as what later changes must not break
	$(BIN)/buf build --exclude-source-info --output $(BASELINE)

clean: ## remove the environment, caches and generated code
	rm -rf clients/web/src/gen clients/python/boardkeeper/client/viewer clients/python/boardkeeper/client/pictures/made
	rm -rf clients/examples/*/gen clients/examples/*/build clients/examples/*/target
	rm -rf clients/node_modules clients/typescript/dist clients/typescript/src/gen service/boardkeeper/service/web/client
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find proto -name '*_pb2*.py' -delete -o -name '*_pb2*.pyi' -delete -o -name py.typed -delete
