"""`baccarat doctor`: looks at a house and says whether all is well, and otherwise what to do."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import typer

from baccarat.cli.option import JSON, option
from baccarat.cli.output import console, errors, exit_on, fail, put_json, put_line
from baccarat.cli.status import DONE, PARTLY, REFUSED

if TYPE_CHECKING:
    from baccarat.serve.doctor.diagnosis import Diagnosis

NARROWEST, WIDEST = 40, 100
"""The bounds on the width of a paragraph: a narrower terminal wraps by itself, and longer lines are hard to read."""
STATE_WIDTH, NAME_WIDTH = 12, 10
STYLES = {"well": "green", "attention": "yellow", "wrong": "bold red", "not checked": "dim"}


def doctor(
    db: str | None = option("--db", "FILE|URL", "Where the house is stored, as for baccarat serve."),
    config: Path | None = option("--config", "FILE", "The settings with which the house is served."),
    copies: Path | None = option("--copies", "FOLDER", "The folder with its copies; the last is restored on trial."),
    hours: float = option("--hours", "N", "How old the last copy may be, in hours.", default=24.0),
    json: bool = JSON,
) -> None:
    """Check a house, running or not: report whether everything is well and, if not, what to do.

    It checks server, keys, database, history, clock, copies, free space, witnesses and the TLS certificate, and writes
    nothing to the house. Run it as the user of the house with the settings of the house, for example every hour.
    Example: baccarat doctor --db club/house.db --copies copies
    """
    missing = [name for name in ("apsw", "cryptography") if find_spec(name) is None]
    if missing:
        fail(f"looking at a house needs {', '.join(missing)}: pip install 'baccarat[serve]'")
    from baccarat.serve.doctor.diagnosis import Health  # noqa: PLC0415
    from baccarat.serve.doctor.examination import Doctor, NoHouse, worst_of  # noqa: PLC0415
    from baccarat.serve.setting import SettingFault, read_setting  # noqa: PLC0415

    if not hours > 0:
        fail(f"--hours: expected a number above 0, not {hours:g}")
    with exit_on(SettingFault):
        setting = read_setting({"db": db}, os.environ, config)
    with exit_on(NoHouse), errors.status("looking at the house …"):
        found = list(Doctor(setting, copies=copies, copy_hours=hours).run_checks())
    if json:
        put_json({"house": setting.place, "health": worst_of(found).value, "found": found})
    else:
        _put_all(setting.place, found)
    statuses = {Health.WRONG: REFUSED, Health.ATTENTION: PARTLY}
    raise typer.Exit(statuses.get(worst_of(found), DONE))


def _put_all(place: str, found: list[Diagnosis]) -> None:
    """A line for everything, with what to do below it."""
    put_line((place, "bold"))
    put_line()
    indent = " " * (STATE_WIDTH + NAME_WIDTH)
    width = max(NARROWEST, min(console.width, WIDEST) - len(indent))
    for each in found:
        state = each.health.value
        first, *others = wrap(each.say, width) or [""]
        put_line((f"{state:<{STATE_WIDTH}}", STYLES[state]), f"{each.name:<{NAME_WIDTH}}{first}")
        for more in others:
            put_line(indent + more)
        for number, more in enumerate(wrap(each.do, width - 2)):
            put_line(indent, ("→ " if not number else "  ") + more)
    put_line()
    put_line(_summary(found))


def _summary(found: list[Diagnosis]) -> str:
    """How many of each, the worst first."""
    counts = [(sum(each.health.value == state for each in found), state) for state in reversed(STATES)]
    return " · ".join(f"{count} {state}" for count, state in counts if count)


STATES = ("not checked", "well", "attention", "wrong")
