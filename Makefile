# make serve  sets up what serving needs and opens a practice house: play in the browser
# make test   sets everything up, checks the code and runs all tests, on all cores
# make quick  the quick tests, in under a minute
# make demo   deals three rounds under each edition in the terminal, each act with its clause
# make check  formats, lint, types (of the pages' scripts too), layers, class names that mean one class
# make fix    what the formatters can fix
# make pages  what make test leaves out in the browser: every irregularity at the dealer's console, and other long tests
# make fuzz   10,000 random edits of editions and Submissions: each is refused with its place, or plays
# make deep   a house that grinds for its order, a million clean rounds per edition audited, a thousand planted faults of each kind, a thousand shoes by two verifiers,
#             2,000 forgeries at random, every file of the corpus cut at every hundredth byte, a billion simulated rounds against the exact odds
# make bench  speed, as ratios in one run           make compare  the same against another revision: OLD=HEAD~10
# make soak-table  attacks tables and links at random for ten minutes (MINUTES=60): no chip lost, nobody stuck
# make soak   cuts the power under the store, kills and freezes the server, simulates houses: nothing answered is lost; 50,000 rounds need no more memory than 5,000,
#             and sixty screens behind one address meet no limit in an hour of play
# make faults causes every fault of the table in docs/operations.md, ten times as long as make test does (ONLY=kill TIMES=1), and prints what held
# make knockout  puts known faults back, removes each check of the small verifiers and each rule, breaks each function and page script:
#             a file of the corpus must show it, or a test go red (BROKEN="--within table --sample 500",
#             BROKEN_PAGES="--within floor --sample 50")
# make shots  takes pictures of every page: both themes, desktop, tablet and phone, and of the table in every size,
#             into build/shots (SHOTS="build/few --only watch", "build/few --only sizes")
# make docs   rewrites the generated pages          make clean    removes what the targets made
# make office installs LibreOffice, in which the tests recalculate workbooks, if it is missing
# make browser installs Chromium, in which the tests open the pages, if it is missing

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

STAMP_JS := node_modules/.installed
SCRIPTS := "src/baccarat/serve/page/js/**/*.js"

.PHONY: serve test suite pages quick check style types kernels fix demo fuzz deep soak soak-table faults bench compare knockout docs shots office browser clean venv python node

PROCESSORS := $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')
# four for two processors: a test waits for disks, clocks and other programs so long that three left them idle for a
# third of the time
WORKERS ?= $(shell expr $(PROCESSORS) '*' 3 / 2 + 1)
# ORDER=7 runs the files in another order, given by that seed
PARALLEL := -n $(WORKERS) --dist worksteal $(if $(ORDER),--file-order $(ORDER))

# bytecode is shared by workers, runs and the programs that tests start; recompiling each time takes minutes
unexport PYTHONDONTWRITEBYTECODE

# types are checked while the kernels are compiled and the first tests run: each of them alone would leave a core idle
test: $(STAMP) $(STAMP_JS) office browser
	@$(MAKE) --no-print-directory style
	@$(MAKE) --no-print-directory -j 2 types suite

suite: kernels
	$(BIN)/python -m pytest $(PARALLEL)

pages: $(STAMP) browser
	BACCARAT_PAGES=1 $(BIN)/python -m pytest -q $(PARALLEL) tests/pages

# quick tests do not wait, and each worker takes six seconds to find them all
quick: $(STAMP)
	$(BIN)/python -m pytest -q $(PARALLEL) -n $(PROCESSORS) -m "not slow"

check: style types

style: $(STAMP) $(STAMP_JS)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	node_modules/.bin/prettier --check --log-level warn $(SCRIPTS)
	$(BIN)/lint-imports
	$(BIN)/python tools/class_names.py

types: $(STAMP) $(STAMP_JS)
	node_modules/.bin/tsc --project .
	$(BIN)/mypy

# numba's cache is filled once, while the code is checked: otherwise each worker compiles what it meets first
kernels: $(STAMP)
	@$(BIN)/python tests/support/compile_kernels.py

fix: $(STAMP) $(STAMP_JS)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	node_modules/.bin/prettier --write --log-level warn $(SCRIPTS)
	$(BIN)/python tools/wrap.py

# serving needs neither the tools of the tests nor numpy, numba or altair; playing in the terminal needs no extra at all
SERVING := $(VENV)/.serving
$(SERVING): pyproject.toml | venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[serve]"
	@touch $(SERVING)

PLAYING := $(VENV)/.playing
$(PLAYING): pyproject.toml | venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $(PLAYING)

serve: $(SERVING)
	$(BIN)/baccarat serve

demo: $(PLAYING)
	@for edition in $$($(BIN)/baccarat rules list --names); do \
	  $(BIN)/baccarat play $$edition --script ';;;quit' --clauses --seed "demo $$edition" --company 4 || exit 1; \
	done; \
	echo "A whole shoe: $(BIN)/baccarat play ma-midi-4 --auto --clauses. To play yourself: $(BIN)/baccarat play ma-midi-4"

bench: $(STAMP)
	$(BIN)/python bench/start.py
	$(BIN)/python bench/settle.py
	$(BIN)/python bench/table.py
	$(BIN)/python bench/shoe.py
	$(BIN)/python bench/witness.py
	$(BIN)/python bench/views.py
	$(BIN)/python bench/house.py
	$(BIN)/python bench/growing.py
	$(BIN)/python bench/log.py
	$(BIN)/python bench/battery.py
	$(BIN)/python bench/odds.py
	$(BIN)/python bench/simulate.py
	$(BIN)/python bench/workers.py
	$(BIN)/python bench/study.py
	$(BIN)/python bench/rulebooks.py
	$(BIN)/python bench/audit.py
	$(BIN)/python bench/journal.py
	$(BIN)/python bench/store.py
	$(BIN)/python bench/serve.py
	$(BIN)/python bench/sit.py
	$(BIN)/python bench/frames.py
	$(BIN)/python bench/flood.py
	$(BIN)/python bench/rush.py
	$(BIN)/python bench/nodes.py

OLD ?= HEAD~10
compare: $(STAMP)
	$(BIN)/python bench/compare.py $(OLD)

fuzz: $(STAMP)
	$(BIN)/python tools/fuzz.py

# long campaigns of which make test runs a short part
deep: $(STAMP)
	$(BIN)/python tools/grind.py
	$(BIN)/python tools/audit_logs.py
	$(BIN)/python tools/forge_journals.py
	$(BIN)/python tools/forge_bundles.py
	$(BIN)/python tools/forge_files.py
	$(BIN)/python tools/cut_files.py
	$(BIN)/python tools/verify_shoes.py
	$(BIN)/python tools/outside_battery.py
	$(BIN)/python tools/studies.py --check
	$(BIN)/python tools/simulated_odds.py
	BACCARAT_CAMPAIGN=32 $(BIN)/python -m pytest -q $(PARALLEL) tests/sim/test_kernel.py tests/sim/test_gains_before.py

# tests that BACCARAT_CAMPAIGN makes that many times longer
CAMPAIGNS := $(addprefix tests/serve/test_, house_simulation.py schemathesis.py no_more_bets.py socket_attack.py every_role.py paired_runs.py node_kills.py client_cancelled.py)

soak: $(STAMP)
	$(BIN)/python tools/power_cuts.py --cuts 300
	$(BIN)/python tools/kills.py --kills 25 --freezes 15
	$(BIN)/python tools/memory.py
	$(BIN)/python tools/screens.py
	BACCARAT_CAMPAIGN=100 $(BIN)/python -m pytest -q $(PARALLEL) $(CAMPAIGNS)

faults: $(STAMP)
	$(BIN)/python tools/faults.py $(addprefix --only ,$(ONLY)) --times $(or $(TIMES),10) --jobs $(PROCESSORS)

soak-table: $(STAMP)
	$(BIN)/python tools/soak_table.py --minutes $(or $(MINUTES),10)
	BACCARAT_CAMPAIGN=4 $(BIN)/python -m pytest -q $(PARALLEL) tests/table/test_matrix.py tests/table/test_clock.py tests/table/test_owed_everywhere.py

knockout: $(STAMP)
	$(BIN)/python tools/known_faults.py
	$(BIN)/python tools/corpus_knockout.py
	$(BIN)/python tools/knockout.py
	$(BIN)/python tools/break_code.py $(BROKEN)
	$(BIN)/python tools/break_pages.py $(BROKEN_PAGES)

shots: $(STAMP) browser
	$(BIN)/python tools/shots.py $(SHOTS)

docs: $(STAMP)
	$(BIN)/python tools/docs.py

# the tests recalculate workbooks in a real spreadsheet program
office:
	@command -v soffice >/dev/null || command -v libreoffice >/dev/null || \
	  { echo "Installing LibreOffice, in which the tests recalculate workbooks …"; \
	    { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq --no-install-recommends libreoffice-calc-nogui >/dev/null; } || \
	    { echo "LibreOffice is needed. On Debian: apt-get install libreoffice-calc-nogui"; exit 1; }; }

# the tests look at the pages in a real browser; the headless shell needs a third less time than the whole of Chromium
browser:
	@command -v chromium-headless-shell >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "Installing Chromium, in which the tests look at the pages …" && \
	    apt-get update -qq && { apt-get install -y -qq --no-install-recommends chromium-headless-shell || \
	      apt-get install -y -qq --no-install-recommends chromium; } >/dev/null; } || \
	  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { echo "Chromium is needed. On Debian: apt-get install chromium-headless-shell"; exit 1; }

clean:
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build

$(STAMP): pyproject.toml | venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $(STAMP)

# the formatter and the type checker of the pages' scripts; what is served needs neither
$(STAMP_JS): package.json | node
	@npm install --no-package-lock --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
	@touch $(STAMP_JS)

node:
	@{ command -v node && command -v npm; } >/dev/null || \
	  { echo "Node and npm are needed, to check the scripts of the pages. On Debian: apt-get install nodejs npm"; exit 1; }

venv: python
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "The virtual environment could not be created. On Debian: apt-get install python3-venv"; exit 1; }

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Python 3.11 or later is needed; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Choose one: make PYTHON=python3.12 test"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing. On Debian: apt-get install python3-venv"; exit 1; }
