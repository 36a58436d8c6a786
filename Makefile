# Village Petition: everything a person runs from the repository's root.
SHELL := /bin/bash
PYTHON := .venv/bin/python
# Packages that a person put under their home would shadow those that QGIS was built with.
export PYTHONNOUSERSITE := 1
CORE_CHECKS := $(PYTHON) -m pytest -q -p no:pytest_qgis -p no:pytest-qt
UI_CHECKS := QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest -q

SAMPLE := --parcels sample/parcels.gpkg --towns sample/towns.gpkg --territory sample/territory.gpkg \
	--rates sample/rates.csv --owners sample/owners.csv --signers sample/signers.csv \
	--inhabitants sample/inhabitants.csv --buildings sample/buildings.gpkg \
	--cities-villages sample/cities_villages.gpkg --unmapped sample/roll_without_polygon.csv \
	--overrides sample/overrides.csv --petition sample/petition.json

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint test-core test-ui bench package clean

help:
	@echo "make demo     set up, analyze the sample petition, open QGIS on it where there is a screen"
	@echo "make test     set up and pass every check and test"
	@echo "make setup    install QGIS and the libraries where they are missing, make .venv"
	@echo "make bench    time the overlay and the analysis against geopandas and QGIS"
	@echo "make package  build/village_petition.zip, checked as the plugin site checks it"
	@echo "make clean    remove what the other commands made, but for .venv"

setup:
	@scripts/setup.sh

demo: setup
	@$(PYTHON) -m core analyze $(SAMPLE) --summary --out build/demo
	@scripts/open_demo.sh

test: setup lint test-core test-ui package

lint: setup
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m mypy -p core

test-core: setup
	@$(CORE_CHECKS) -n 2 --ignore=tests/ui tests

test-ui: setup
	@$(UI_CHECKS) tests/ui

bench: setup
	@$(PYTHON) tests/benchmarks/bench.py

package: setup
	@$(PYTHON) scripts/package.py
	@$(PYTHON) scripts/gate.py build/village_petition.zip

clean:
	@rm -rf build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
