"""Differences of documents: what they lead to, in Python, in the script of the pages and in the one of the docs."""

from __future__ import annotations

import copy
import json
import re
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.law.rulebook import rulebook
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.automation import next_due, perform
from baccarat.table.base import Event
from baccarat.table.console.console_work import work_of
from baccarat.table.explanation import explain
from baccarat.table.json_difference import apply_difference, difference
from baccarat.table.machine import Table, expected
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.wagering import PlaceWager
from javascript import run_node
from page_script import run_page_script
from paths import ROOT
from watching import canonical, read

LEAVES = st.none() | st.integers(-3, 3) | st.text("ab.", max_size=2)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab.", max_size=2), inner, max_size=4)
)
DOCUMENTS = st.dictionaries(st.sampled_from("abcdef"), VALUES, max_size=6)


def after(document: Any, changes: Any) -> Any:
    """A document with changes applied; the one that is given stays as it is."""
    found = copy.deepcopy(document)
    apply_difference(found, changes)
    return found


@pytest.mark.slow
@given(DOCUMENTS, DOCUMENTS)
@settings(max_examples=500, deadline=None)
def test_a_difference_leads_from_one_document_to_the_other(one: Any, other: Any) -> None:
    found = difference(one, other)
    assert after(one, found) == other
    assert bool(found) == (one != other)
    assert all(found.values()), "no part without content"
    assert after(one, read(found)) == other, "it may travel as JSON"


def test_what_has_stayed_is_not_said_again() -> None:
    step = [{"name": name, "state": "ahead"} for name in "abc"]
    one = {
        "steps": step,
        "said": [{"n": 2, "say": "x"}, {"n": 1, "say": "y"}],
        "call": {"say": "", "cites": [1], "what": "w"},
    }
    other: Any = copy.deepcopy(one)
    other["steps"][1]["state"] = "now"
    other["said"].insert(0, {"n": 3, "say": "z"})
    other["call"]["say"] = "“Player 6”"
    assert difference(one, other) == {
        "splice": {"said": [0, 0, {"n": 3, "say": "z"}]}, "set": {"steps.1.state": "now", "call.say": "“Player 6”"},
    }  # fmt: skip


def test_names_that_cannot_be_part_of_a_path_are_sent_with_the_object_that_has_them() -> None:
    one = {"clauses": {"nj-13.69 §1": "a", "b": "b", "c": "c"}}
    other = {"clauses": {"nj-13.69 §1": "other", "b": "b", "c": "c"}}
    assert difference(one, other) == {"set": {"clauses": other["clauses"]}}


# ------------------------------------------------------------------------------------------------ real words


def words_of_a_round(name: str) -> list[list[Any]]:
    """The moments and the work of two rounds, act by act."""
    table = Table(rulebook(name))
    shoe = SealedShoe(table.rules, lambda number: bytes([number]) * 32, table="T")
    for seat in (1, 4):
        table.do(Sit(seat=seat, person=f"p{seat}"))
        table.do(BuyIn(seat=seat, amount=1_000_000))
    moments, works, wagered = list[Any](), list[Any](), 0

    def event_at(number: int) -> Event | None:
        return table.log[number] if 0 <= number < len(table.log) else None

    while table.state.round.number < 3:
        if table.state.step == "wager" and table.state.round.number != wagered:
            wagered = table.state.round.number
            for seat in (1, 4):
                table.do(PlaceWager(seat=seat, on=WagerKind.BANKER, stake=2_500))
        moments.append(read(explain(table.rules, table.state, expected(table.rules, table.state))))
        dealer = Actor(who="d", role=Role.DEALER)
        work = work_of(table.rules, table.state, dealer, event_at, len(table.log))
        works.append(msgspec.json.decode(msgspec.json.encode(work, enc_hook=str)))
        perform(table, next_due(table, shoe), shoe)
    return [moments, works]


FOLLOW = """
const walks = %s;
for (const [first, changes, last] of walks) for (const change of changes) applyChanges(first, change);
const found = walks.map(([first]) => first);
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-4", "nj-punto-banco"])
def test_both_scripts_follow_the_words_of_a_round(name: str) -> None:
    walks = []
    for words in words_of_a_round(name):
        changes = [difference(*pair) for pair in pairwise(words)]
        assert len(changes) > 50
        sent = sum(len(json.dumps(each)) for each in changes)
        assert 2 * sent < sum(len(json.dumps(each)) for each in words[1:]), "most of the words stay"
        walks.append([words[0], changes, words[-1]])
    follow = FOLLOW % json.dumps(walks)
    script = 'const { applyChanges } = await import("/page/js/table_socket.js");'
    by_page = run_page_script(script + follow)
    (code,) = re.findall(r"```javascript\n(.*?)```", (ROOT / "docs" / "wire.md").read_text(), re.DOTALL)
    process = run_node("--input-type=module", "--eval", code + follow + "console.log(JSON.stringify(found));")
    assert process.returncode == 0, process.stderr.decode()
    for (_, _, last), paged, documented in zip(walks, by_page, json.loads(process.stdout), strict=True):
        assert canonical(paged) == canonical(documented) == canonical(last)
