# Every task of the house. `make help` lists them.
# The environment is built with uv where uv is present, else with Python's own venv.

PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11 python,$(if $(shell $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo ok),$(p))))
VENV := .venv
CLIENT := src/lostcities/server/static/.digest
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
ARGS ?=

ifdef UV
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
else
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

.DEFAULT_GOAL := help
.PHONY: help play web web-types web-check test screens extras lint format coverage mutation kill-test conformance bench train-demo pictures wheel clean

help: ## list all tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  (pass options with ARGS, for example: make play ARGS="--colors 6 --plain")'

play: $(VENV)/.warm $(CLIENT) ## play a match against the computer
	@$(BIN)/lostcities play $(ARGS)

test: $(VENV)/.test $(VENV)/.warm $(CLIENT) ## run the tests
	@$(BIN)/python -m pytest $(ARGS)

web: $(CLIENT) ## build the browser client, if it changed (a Node comes from PyPI where there is none)

web-types: $(VENV)/.installed ## write the client's types anew from the server's schema
	@$(BIN)/python web/generate_types.py

web-check: $(CLIENT) $(VENV)/.installed ## check the client: types, languages, tests
	@$(BIN)/python web/generate_types.py --check
	@$(BIN)/python web/build.py --check

screens: $(VENV)/.test $(CLIENT) ## picture every screen into artifacts/screens (needs Chromium)
	@$(BIN)/python -m pytest tests/browser/test_screens.py $(ARGS)

extras: $(VENV)/.extras ## install what the optional parts need, so that no test is skipped

lint: $(VENV)/.lint $(VENV)/.test ## check style, types and layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(VENV)/.lint ## put the code into its usual shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

coverage: $(VENV)/.test ## branch coverage of rules, notation and play, which must be whole
	@$(BIN)/python -m pytest tests/rules tests/notation tests/play tests/secrecy tests/conformance --cov $(ARGS)
	@$(BIN)/python -m coverage report --fail-under=100 --include='src/lostcities/rules/*,src/lostcities/notation/*,src/lostcities/play/*'

mutation: $(VENV)/.mutation ## change the rules in small ways and see whether the tests notice (half an hour)
	@$(BIN)/python tests/mutation/check.py $(ARGS)

kill-test: $(VENV)/.test ## kill the server under load for ten minutes on each database; no acknowledged turn may be lost
	@LOSTCITIES_KILL_SECONDS=$${SECONDS_OF_KILLING:-600} $(BIN)/python -m pytest tests/server/test_kill.py --timeout 1200 -rP $(ARGS)

conformance: $(VENV)/.installed ## run the neutral cases and the perft counts
	@$(BIN)/lostcities conformance conformance/*cases.jsonl
	@$(BIN)/lostcities conformance --engine kernel conformance/*cases.jsonl
	@$(BIN)/lostcities perft conformance/perft.jsonl
	@$(BIN)/lostcities perft --engine kernel conformance/perft.jsonl

bench: $(VENV)/.installed ## time the kernel against a tuned C program (needs gcc)
	@$(BIN)/python benchmarks/bench_kernel.py $(ARGS)

train-demo: $(VENV)/.train ## train a network from nothing for two minutes and measure what it gained
	@$(BIN)/python docs/examples/train_demo.py $(ARGS)

pictures: $(VENV)/.pictures ## draw the pictures of the documentation again
	@$(BIN)/python docs/draw_pictures.py

wheel: $(VENV)/.installed ## build a wheel into dist/
	@$(INSTALL) -c constraints.txt build && $(BIN)/python -m build --wheel

clean: ## remove everything that the tasks made
	rm -rf $(VENV) web/node_modules src/lostcities/server/static build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage mutants

# --- the environment -------------------------------------------------------------------------

$(VENV)/.created:
	@if [ -z "$(PYTHON)" ]; then \
	  echo "lostcities needs Python 3.11 or newer, and no such 'python3' was found on the PATH" >&2; exit 2; fi
ifdef UV
	@$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
else
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "$(PYTHON) cannot make a virtual environment: its 'venv' or 'ensurepip' is missing." >&2; \
	  echo "On Debian and Ubuntu: apt-get install python3-venv. Elsewhere: install uv (https://docs.astral.sh/uv/)." >&2; \
	  exit 2; }
endif
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml constraints.txt
	@echo 'setting up .venv ...'
	@$(INSTALL) -c constraints.txt --editable .
	@touch $@

# What compiled code is named after: whoever changes a kernel waits before the game, not in the middle.
KERNELS := $(wildcard src/lostcities/kernel/*.py src/lostcities/adapters/*.py)

$(VENV)/.warm: $(VENV)/.installed $(KERNELS)
	@echo 'getting the kernels ready ...'
	@$(BIN)/lostcities warm-up || echo 'the kernels will be compiled when they are first needed'
	@touch $@

# What the client is made of, and what is written last when it was built.
WEB := $(shell find web -type f -not -path 'web/node_modules/*' 2>/dev/null)

$(CLIENT): $(WEB) | $(VENV)/.created
	@package="$$($(BIN)/python web/build.py --needs-node)"; \
	  if [ -n "$$package" ]; then $(INSTALL) -c constraints.txt "$$package"; fi
	@$(BIN)/python web/build.py
	@touch $@

$(VENV)/.extras: $(VENV)/.installed $(VENV)/.train
	@$(INSTALL) -c constraints.txt --editable '.[cluster,postgres,research]'
	@touch $@

# torch comes through pip, which finds the build for this machine where an administrator has put
# one; uv asks the package index only, and is sent gigabytes for graphics cards.
$(VENV)/.train: $(VENV)/.installed
	@$(BIN)/python -m pip --version > /dev/null 2>&1 || $(INSTALL) pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch
	@$(INSTALL) -c constraints.txt --editable '.[train]'
	@touch $@

$(VENV)/.test $(VENV)/.lint $(VENV)/.mutation $(VENV)/.pictures: $(VENV)/.%: $(VENV)/.installed
	@$(BIN)/python -c "import sys, tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['dependency-groups'][sys.argv[1]], sep='\n')" $* > $(VENV)/$*.txt
	@$(INSTALL) -c constraints.txt -r $(VENV)/$*.txt
	@touch $@
