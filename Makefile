# condyle: everything runs inside .venv, which these targets make themselves.
PYTHON ?= python3
PIP = .venv/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test quick smoke slow lint peers bench docs wheel clean

demo: .venv/installed
	@echo "Fitting and simulating; the first run compiles the kernels and keeps them …"
	.venv/bin/condyle demo leg

test: .venv/test
	$(MAKE) --no-print-directory --jobs 2 quick lint

# `make quick PACKAGE=ik` runs the quick tests of one package
quick: .venv/test
	.venv/bin/python -m pytest -n 2 --dist loadfile -m "not peers and not site and not slow" tests/$(PACKAGE)

smoke: .venv/test
	grep -v '^#' tests/smoke.txt | xargs .venv/bin/python -m pytest -m "not peers and not site and not slow"

slow: .venv/test
	.venv/bin/python -m pytest -n 2 --dist loadfile -m "slow and not peers and not site" tests

lint: .venv/test
	.venv/bin/ruff check src tests examples benchmarks packaging docs/*.py docs/_ext
	.venv/bin/ruff format --check src tests examples benchmarks packaging docs/*.py docs/_ext
	.venv/bin/pyright --pythonpath .venv/bin/python
	.venv/bin/lint-imports

peers: .venv/peers
	.venv/bin/python -m pytest -n 2 --dist loadfile -m peers tests
	.venv/bin/python docs/make_opensim_parity.py

bench: .venv/peers
	.venv/bin/python -m benchmarks

docs: .venv/docs
	.venv/bin/python -m sphinx --builder html --nitpicky --fail-on-warning --keep-going --quiet docs docs/_build/html
	@echo "Open docs/_build/html/index.html."

wheel: .venv/installed
	.venv/bin/python packaging/make_wheel.py

.venv/installed: pyproject.toml
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	$(PIP) --editable .
	touch $@

.venv/test: .venv/installed
	$(PIP) --editable ".[test]"
	touch $@

.venv/peers: .venv/test
	$(PIP) --editable ".[test,peers]"
	touch $@

.venv/docs: .venv/installed
	$(PIP) --editable ".[docs]"
	touch $@

clean:
	rm -rf .venv demo build dist docs/_build docs/gallery
