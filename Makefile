# `make demo` and `make test` need Python 3.11 or newer and make; everything else is installed here.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
DEMO := demo

.PHONY: demo test lint types lock clean

demo: $(VENV)/.installed
	@rm -rf $(DEMO)
	$(BIN)/agewise twin --case aged-substation --days 7 --out $(DEMO)
	$(BIN)/agewise thermal $(DEMO)/profile.csv --nameplate $(DEMO)/nameplate.toml --out $(DEMO)/thermal.csv
	$(BIN)/agewise assess $(DEMO)/profile.csv --nameplate $(DEMO)/nameplate.toml --scenario $(DEMO)/scenario.csv --truth $(DEMO)/truth.nc --out $(DEMO)/run

test: $(VENV)/.installed
	@$(BIN)/python -m pytest

lint: $(VENV)/.installed
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.installed
	@$(BIN)/pyright

# The stamp is written last, so an interrupted installation starts again.
$(VENV)/.installed: requirements.lock pyproject.toml
	@echo "Setting up $(VENV) (once, about a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "agewise needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

# Resolve pyproject.toml afresh and write name==version lines.
lock:
	@rm -rf build/lock && $(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip install -qq --disable-pip-version-check '.[dev]'
	@build/lock/bin/python -m pip list --format=freeze --exclude agewise --exclude pip --exclude setuptools > requirements.lock

clean:
	@rm -rf $(VENV) $(DEMO) build dist
