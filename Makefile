# Two commands for a newcomer: make try, make test. For developers: make check.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DOCS ?= README.md CONTRIBUTING.md CHANGELOG.md docs
QUERY ?= how does a search fuse its two sides?
TRY_HOME ?= .tamis-try

export PIP_DISABLE_PIP_VERSION_CHECK = 1
# What a person gave goes to the shell as it was given: neither make nor the shell reads it as its own language.
override DOCS := $(value DOCS)
override QUERY := $(value QUERY)
override TRY_HOME := $(value TRY_HOME)
export DOCS QUERY TRY_HOME

.PHONY: try test check lint types contracts slow bench clean

# Index folders and ask them something: make try DOCS=~/notes QUERY="…"
# DOCS is one path, which may have spaces in it, or several with spaces between them.
try: $(VENV)/.run
	@case "$$DOCS" in "~/"*) DOCS="$$HOME/$${DOCS#??}";; esac; \
	if [ -e "$$DOCS" ]; then set -- "$$DOCS"; else set -f; set -- $$DOCS; fi; \
	$(BIN)/tamis --home "$$TRY_HOME" index try -- "$$@"
	@$(BIN)/tamis --home "$$TRY_HOME" search -c try -- "$$QUERY"

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
	rm -rf $(VENV) "$$TRY_HOME" .pytest_cache .ruff_cache .hypothesis

$(VENV)/.run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/pip install --quiet --editable . --group dev
	@touch $@
