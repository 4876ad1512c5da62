"""The twenty lines of JavaScript in docs/wire.md follow a table as `apply_patch` does."""

from __future__ import annotations

import json
import random
import re

import msgspec
import pytest

from baccarat.law.rulebook import rulebook
from baccarat.table.automation import run_until
from baccarat.table.machine import Table
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.view import view_moment
from house_books import stacks, wagering
from javascript import run_node
from paths import ROOT
from watching import Watchers, canonical, every_table_watched, read

FOLLOW = """
import fs from 'node:fs';
const [views, frames] = JSON.parse(fs.readFileSync(0, 'utf8'));
views.forEach((view, number) => frames[number].forEach((frame) => applyPatch(view, JSON.parse(frame))));
process.stdout.write(JSON.stringify(views));
"""


def documented() -> str:
    """The function as the page has it."""
    page = (ROOT / "docs" / "wire.md").read_text()
    (code,) = re.findall(r"```javascript\n(.*?)```", page, re.DOTALL)
    return str(code)


@pytest.mark.parametrize("name", ["ma-midi-4-royal9", "nj-punto-banco"])
@pytest.mark.slow
def test_the_documented_function_brings_every_view_to_where_the_table_is(name: str) -> None:
    rules = rulebook(name)
    table = Table(rules)
    for seat in (1, 3, 6):
        table.do(Sit(seat=seat, person=f"person {seat}"))
    start = Watchers(rules, table.state)
    first = read([start.views[viewer] for viewer in start.viewers])
    with every_table_watched(compare_every=10**9) as watched:
        for seat in (1, 3, 6):
            table.do(BuyIn(seat=seat, amount=10**9))
        run_until(
            table,
            stacks(rules, name),
            stop=lambda t: t.state.round.number == 6,
            wagers=wagering(random.Random(name)),
        )
    (watchers,) = watched
    frames = [[each.decode() for each in watchers.frames[viewer]] for viewer in watchers.viewers]
    assert {key for sent in frames for each in sent for key in json.loads(each)} == {
        "splice", "set", "drop", "due", "events",
    }  # fmt: skip
    process = run_node("--input-type=module", "--eval", documented() + FOLLOW, text=json.dumps([first, frames]))
    assert process.returncode == 0, process.stderr.decode()
    for viewer, view in zip(watchers.viewers, msgspec.json.decode(process.stdout), strict=True):
        assert canonical(view) == canonical(view_moment(watchers.now, viewer)), viewer


def test_the_example_of_the_page_is_read_by_both() -> None:
    page = (ROOT / "docs" / "wire.md").read_text()
    examples = map(json.loads, re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    (patch,) = (each for each in examples if each["type"] == "patch" and "from" in each)
    assert list(patch) == ["type", "from", "seq", "splice", "set", "drop", "due", "events"]
