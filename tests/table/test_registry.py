"""Registration: a wrong handler fails the type checker, a missing one fails the import, no module is left out."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import baccarat.table
from baccarat.table import registry
from baccarat.table.base import Command, Event
from baccarat.table.registration import kinds_of
from paths import ROOT

STRAY = """
from baccarat.table.base import {base}
from baccarat.table.registration import evolves
from baccarat.table.audience import sights
from baccarat.table.card import EventCard
class Stray({base}, frozen=True, kw_only=True, tag="stray"):
    number: int
"""
EVOLVED = "evolves(Stray)(lambda state, event: state)\n"
WITH_CARD = "Stray.CARD = EventCard(sights(), sort='other')\n"


@pytest.mark.parametrize(
    ("base", "more", "module", "say"),
    [
        ("Command", "", "registry", "no handler for Stray"),
        ("Event", "", "registry", "no evolver for Stray"),
        ("Event", EVOLVED, "registry", "no card for Stray"),
        ("Event", EVOLVED + WITH_CARD, "registry", "no sentence for Stray"),
    ],
)
@pytest.mark.slow
def test_a_kind_that_nothing_is_registered_for_stops_the_import(base: str, more: str, module: str, say: str) -> None:
    code = f"{STRAY.format(base=base)}{more}import baccarat.table.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith(f"TypeError: {say}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("handles(seating_acts.BuyIn)(seating_acts.buy_in)", False),
        ("handles(seating_acts.Sit)(seating_acts.buy_in)", True),
        ("evolves(seating_acts.Left)(seating_acts.evolve_left)", False),
        ("evolves(seating_acts.Sat)(seating_acts.evolve_left)", True),
        ("tells(seating_acts.Sat)(lambda event: event.who)", False),
        ("tells(seating_acts.Left)(lambda event: event.who)", True),
    ],
)
def test_a_function_of_another_kind_fails_the_type_checker(tmp_path: Path, line: str, wrong: bool) -> None:
    source = tmp_path / "stray.py"
    lines = (
        "from baccarat.table import seating_acts",
        "from baccarat.table.registration import evolves, handles",
        "from baccarat.table.step_function import tells",
        line,
    )
    source.write_text("\n".join((*lines, "")), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(source)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == wrong, done.stdout + done.stderr


def test_every_module_that_owns_a_command_or_an_event_is_on_the_one_list() -> None:
    walked = pkgutil.walk_packages(baccarat.table.__path__, "baccarat.table.")
    names = {each.name for each in walked}
    for name in sorted(names):
        import_module(name)
    owners = {kind.__module__ for base in (Command, Event) for kind in kinds_of(base)} & names
    assert owners <= {module.__name__ for module in registry.MODULES}
