# Every target creates or updates .venv when needed. On a fresh machine `make demo` or `make test` is enough.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory --no-builtin-rules
# Container images often set this variable. Each of hundreds of processes would then compile all modules (half a second).
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
ARGS ?=
# Test processes. Many tests of the server wait for a disk or for other processes, so two cores can run four.
TESTERS ?= 4
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-stamp
BASELINE := proto/baseline.binpb
DOCS_STAMP := $(VENV)/.docs-stamp
# Compiled rules are stored apart from the sources. Only these targets have them on their path.
ON_COMPILED = RULES_BUILD=compiled PYTHONPATH=$$($(BIN)/python tools/compile_rules.py) \
	$(call pytest,compiled) -n $(TESTERS) -m "not soak and not interpreted"
# In CI, failed tests are repeated alone, and reports with that name are written to build/tests.
pytest = $(BIN)/python $(if $(CI),tools/ci_tests.py $(1),-m pytest)
GUARDS := tests/test_compiled.py tests/table tests/golden tests/perft tests/stability
BOTH_WAYS := $(GUARDS) tests/families tests/game tests/kit tests/titles tests/test_effects_and_visibilities.py
EXAMPLES := go java rust cpp

.PHONY: help setup proto web examples foreign viewer pictures docs run run-postgresql demo collected test compiled test-compiled test-compiled-all test-postgresql test-grpcio \
	soak mutants bench bench-gate format lock derive proto-baseline clean check check-format check-lint check-words \
	check-types check-imports check-protos check-docs check-web

help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo; echo "  Pass arguments with ARGS: make run ARGS='--listen 127.0.0.1:8060'"

setup: $(STAMP) ## create or update the Python environment in .venv

$(STAMP): pyproject.toml requirements.lock hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Boardkeeper needs Python 3.11 or newer. Name one with: make PYTHON=/path/to/python3.11")'
	@test -x $(BIN)/python && echo "Updating the Python environment in $(VENV) ..." >&2 || \
		echo "Creating the Python environment in $(VENV) (downloads packages; about a minute) ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@echo "Installing Boardkeeper in $(VENV) ..." >&2
	@BOARDKEEPER_COMPILE= BOARDKEEPER_BUILD_CLIENT= $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

proto: $(STAMP) ## generate Python code: from changed .proto files, and the blocking client from the asyncio client
	@$(BIN)/python tools/generate_protos.py
	@$(BIN)/python tools/generate_blocking_client.py

web: proto ## build the web client and the TypeScript SDK
	@$(BIN)/python tools/build_web.py

viewer: proto ## build the record viewer as one HTML file, dist/boardkeeper.html
	@$(BIN)/python tools/build_web.py --viewer dist/boardkeeper.html

docs: proto $(DOCS_STAMP) ## build the documentation site in build/docs/site
	@$(BIN)/python tools/build_docs.py

$(DOCS_STAMP): docs/requirements.lock $(STAMP)
	@echo "Installing the documentation tools ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r docs/requirements.lock
	@touch $@

pictures: proto ## build the picture engine (for boardkeeper show --svg)
	@$(BIN)/python tools/build_web.py --pictures

examples: $(EXAMPLES:%=example-%) ## build the example clients that need a compiler

# Retry once in case a download failed.
example-%: $(STAMP)
	@$(MAKE) -C clients/examples/$* || $(MAKE) -C clients/examples/$*

foreign: examples ## build the test clients of other gRPC implementations
	@for each in $(EXAMPLES); do $(MAKE) -C tests/foreign/$$each || $(MAKE) -C tests/foreign/$$each || exit 1; done

run: proto ## start the server and the web client (COMPILED=0: without compiled rules)
	@$(BIN)/python tools/build_web.py --client --pictures --optional
	@$(BIN)/python tools/with_compiled_rules.py $(BIN)/boardkeeper serve $(ARGS)

run-postgresql: proto ## start a private PostgreSQL and two server processes on it; Ctrl-C stops all
	@$(BIN)/python tools/build_web.py --client --pictures --optional
	@$(BIN)/python tools/with_compiled_rules.py $(BIN)/python tools/run_postgresql.py $(ARGS)

demo: proto ## let bots play a whole game in the terminal
	$(BIN)/boardkeeper demo $(ARGS)

collected: proto ## load all tests once, so that the test processes find the compiled modules
	@said=$$($(BIN)/python -m pytest --collect-only -qq 2>&1) || { echo "$$said"; exit 1; }

test: proto ## run the tests, except the soak tests
	$(call pytest,main) -n $(TESTERS) -m "not soak" $(ARGS)

compiled: $(STAMP) ## compile the rules below build/compiled and print the folder (needs a C compiler)
	@$(BIN)/python tools/compile_rules.py

test-compiled: proto compiled ## run the most important tests on the compiled rules
	$(ON_COMPILED) $(if $(ARGS),$(ARGS),$(GUARDS))

test-compiled-all: proto compiled ## run all tests of the rules on the compiled rules
	$(ON_COMPILED) $(BOTH_WAYS) $(ARGS)

test-postgresql: proto ## run the server's tests on PostgreSQL
	$(BIN)/python -m pytest -n $(TESTERS) -m "not soak" tests/service --database postgresql $(ARGS)

test-grpcio: proto ## run the server's tests with the gRPC server of grpcio (docs/running.md)
	$(BIN)/python -m pytest -n $(TESTERS) -m "not soak" tests/service --grpc-server grpcio $(ARGS)

soak: proto ## run the soak tests: thousands of random games, hundreds of kills
	$(BIN)/python -m pytest -n 2 -m soak --timeout 0 $(ARGS)

mutants: proto ## run mutation tests of the rules (ARGS='verbs/deeds', ARGS=--full)
	$(BIN)/python tools/mutants.py $(ARGS)

bench: proto ## run the benchmarks (ARGS='NAME ...' selects some)
	$(BIN)/python -m bench $(ARGS)

bench-gate: proto ## fail if a decision needs more instructions than the baseline (needs valgrind)
	@$(BIN)/python -m bench.gate $(ARGS)

check: check-format check-lint check-words check-types check-imports check-protos check-docs check-web ## run every check; `make -k check` continues after a failure

check-format: $(STAMP) ## check the format of the Python code
	$(BIN)/ruff format --check --quiet .

check-lint: $(STAMP) ## lint the Python code with ruff
	$(BIN)/ruff check --quiet .

check-words: $(STAMP) ## check the words of the texts that users read (tools/words.toml)
	@$(BIN)/python tools/word_lint.py

check-types: proto ## check types with mypy --strict
	$(BIN)/mypy --no-error-summary

check-imports: proto ## check the direction of imports
	$(BIN)/lint-imports --no-logo

check-protos: $(STAMP) ## check the .proto files: lint, format, breaking changes
	$(BIN)/python tools/check_protos.py

check-docs: proto ## check that the tables of the docs say what the code says
	@$(BIN)/python tools/derive_docs.py --check

check-web: $(STAMP) ## check the TypeScript code: format, lint, types
	@$(BIN)/python tools/build_web.py --check --optional

format: $(STAMP) ## format Python, TypeScript and .proto files
	$(BIN)/ruff check --quiet --fix-only .
	$(BIN)/ruff format --quiet .
	$(BIN)/buf format --write
	@$(BIN)/python tools/build_web.py --format --optional

lock: $(STAMP) ## update both requirements.lock files (ARGS=--upgrade for newer versions)
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --quiet \
		--output-file requirements.lock $(ARGS)
	$(BIN)/uv pip compile docs/requirements.in --constraint requirements.lock --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --quiet \
		--output-file docs/requirements.lock $(ARGS)

derive: proto ## write the titles' .proto files from their structs, and the tables of the docs from the code
	@$(BIN)/python tools/derive_protos.py
	@$(BIN)/python tools/derive_docs.py

proto-baseline: $(STAMP) ## at a release: save the protos as the baseline for compatibility checks
	$(BIN)/buf build --exclude-source-info --output $(BASELINE)

clean: ## remove .venv, caches and generated code
	rm -rf clients/web/src/gen clients/python/boardkeeper/client/viewer clients/terminal/boardkeeper/terminal/pictures/made
	rm -rf clients/examples/*/gen clients/examples/*/build clients/examples/*/target tests/foreign/*/build
	rm -rf clients/node_modules clients/typescript/dist clients/typescript/src/gen service/boardkeeper/service/transport/client
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -f clients/python/boardkeeper/client/client.py clients/python/boardkeeper/client/blocking_connection.py
	find proto -name '*_pb2*.py' -delete -o -name '*_pb2*.pyi' -delete -o -name py.typed -delete
