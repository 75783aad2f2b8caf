# make demo: install and run the main job on the built-in world.
# make quick: a first check in under a minute.   make test: everything a commit needs.   make full: in a browser, too.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INPUTS := pyproject.toml constraints.txt
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# Two processes with one compute thread each. A module stays whole, so that its fixtures are made once; slow ones go first.
PYTEST := $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: demo quick test full lint types imports unit browser service screenshots wheel pythons format clean

demo: $(VENV)/.installed
	$(BIN)/counterec demo --out runs/demo

quick: lint imports
	$(PYTEST) -m "not slow and not browser and not slow_service"

test: lint types imports unit

full: test browser service

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

imports: $(VENV)/.installed-dev
	$(BIN)/lint-imports

unit: $(VENV)/.installed-dev
	$(PYTEST) -m "not browser and not slow_service"

# Installs Chromium and nginx where they are missing.
browser: $(VENV)/.installed-dev
	$(BIN)/python -m scripts.set_up_browser
	$(PYTEST) -m browser

# Thousands of generated requests.
service: $(VENV)/.installed-dev
	$(PYTEST) -m slow_service

# Makes the pictures of the README again.
screenshots: $(VENV)/.installed-dev
	$(BIN)/python -m scripts.screenshots

wheel: $(VENV)/.installed-dev
	$(BIN)/python -m build --wheel --no-isolation

# The wheel with every Python on the machine: downloads what it needs for each.
pythons: $(VENV)/.installed-dev
	$(BIN)/python -m tests.try_pythons

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# torch first and by itself: its pin must be decided before another package's open range is looked at.
$(VENV)/.installed: $(INPUTS)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) torch
	$(PIP_INSTALL) -e ".[report]"
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP_INSTALL) -e ".[dev]"
	@touch $@

clean:
	rm -rf $(VENV) build dist runs .mypy_cache .ruff_cache .pytest_cache .hypothesis
