# Two commands for a newcomer: make try, make test. For developers: make check.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DOCS ?= README.md CONTRIBUTING.md CHANGELOG.md docs
QUERY ?= how does a search fuse its two sides?
TRY_HOME ?= .tamis-try

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: try test check lint types contracts slow bench clean

# Index a folder and ask it something: make try DOCS=~/notes QUERY="…"
try: $(VENV)/.run
	@$(BIN)/tamis --home $(TRY_HOME) index try $(DOCS)
	@$(BIN)/tamis --home $(TRY_HOME) search -c try "$(QUERY)"

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto

check: lint types contracts test

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.dev
	$(BIN)/pyright

contracts: $(VENV)/.dev
	$(BIN)/lint-imports --no-cache
	$(BIN)/lint-imports --no-cache --config .importlinter-injection

slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow

clean:
	rm -rf $(VENV) $(TRY_HOME) .pytest_cache .ruff_cache .hypothesis

$(VENV)/.run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/pip install --quiet --editable . --group dev
	@touch $@
