# Everything here needs Python 3.11 or newer and make; the rest is installed into .venv at first use.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
DEMO := demo
PIP := -m pip --disable-pip-version-check -qq
# Python keeps what it has parsed, whatever the shell says; else every process parses every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo fleet-demo test test-all lint types docs package lock clean
.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.installed ## A week of a hot 25 MVA transformer: data, the standard's answer, the whole report
	@rm -rf $(DEMO)
	$(BIN)/agewise twin --case aged-substation --days 7 --out $(DEMO)
	$(BIN)/agewise thermal $(DEMO)/profile.csv --nameplate $(DEMO)/nameplate.toml --out $(DEMO)/thermal.csv
	$(BIN)/agewise assess $(DEMO)/profile.csv --nameplate $(DEMO)/nameplate.toml --scenario $(DEMO)/scenario.csv --truth $(DEMO)/truth.nc --out $(DEMO)/run

fleet-demo: $(VENV)/.installed ## Thirty made transformers: assessed, ranked, and in a browser until Ctrl-C
	@rm -rf $(DEMO)-fleet
	$(BIN)/agewise twin --fleet 30 --out $(DEMO)-fleet/made
	$(BIN)/agewise fleet assess $(DEMO)-fleet/made --out $(DEMO)-fleet/out
	$(BIN)/agewise fleet rank $(DEMO)-fleet/out --budget 3
	$(BIN)/agewise serve $(DEMO)-fleet/out

test: $(VENV)/.installed ## All tests
	@$(BIN)/python -m pytest

test-all: $(VENV)/.installed ## All tests, with four times as many random cases of spoiled files, and what takes long
	@AGEWISE_TESTS=all $(BIN)/python -m pytest

lint: $(VENV)/.installed ## ruff: rules and format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.installed ## pyright: package, tests and experiments
	@$(BIN)/pyright

docs: $(VENV)/.installed ## The documentation site, links checked, in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html opens in any browser, offline."

# The wheel runs where nothing but its declared dependencies is installed, at the locked versions; the tests that
# an sdist carries find all that they need in it.
package: $(VENV)/.installed ## Source and wheel in dist, the wheel tried in an empty environment
	@rm -rf dist build/empty build/unpacked build/tried && mkdir -p build/unpacked build/tried
	@$(BIN)/python -m build --no-isolation --outdir dist . > build/package.log 2>&1 || (cat build/package.log; exit 1)
	@if $(BIN)/python -m zipfile -l dist/agewise-*.whl | grep -E '^(reproduction|tests|benchmarks)/'; then exit 1; fi
	@$(PYTHON) -m venv build/empty
	@grep -oE '^[A-Za-z0-9._-]+==[^ ;\\]+' requirements.lock > build/constraints.txt
	@build/empty/bin/python $(PIP) install -c build/constraints.txt dist/agewise-*.whl
	@cd build/tried && ../empty/bin/agewise --version && ../empty/bin/agewise twin --days 1 --out twin \
		&& ../empty/bin/agewise thermal twin/profile.csv --nameplate twin/nameplate.toml --out thermal.csv
	@tar -xzf dist/agewise-*.tar.gz -C build/unpacked --strip-components 1
	@cd build/unpacked && ../../$(BIN)/python -m pytest tests/test_docs.py tests/test_architecture.py tests/plant tests/library
	@ls -l dist

# The stamp is written last, so an interrupted installation starts again.
$(VENV)/.installed: requirements.lock pyproject.toml
	@echo "Setting up $(VENV) (once, about a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "agewise needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP) install --require-hashes -r requirements.lock
	@$(BIN)/python $(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

lock: $(VENV)/.installed ## Resolve pyproject.toml, keeping what still fits; with UPGRADE=1 take the newest
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --all-extras \
		$(if $(UPGRADE),--upgrade) --custom-compile-command "make lock" --output-file requirements.lock pyproject.toml

clean: ## Remove what was built or installed
	@rm -rf $(VENV) $(DEMO) $(DEMO)-fleet build dist
