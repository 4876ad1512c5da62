"""A table of a house goes over to other rules: those that its pit has filed, with its books."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from baccarat.house.filed_rules import file_rules
from baccarat.house.house import House, HouseTable
from baccarat.house.house_book import LinkTables
from baccarat.house.invariant import broken_invariants
from baccarat.house.option_change import ChangeOptions
from baccarat.house.stream import HOUSE_STREAM
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.ledger import Account, Place
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import progressive
from baccarat.table.base import Accepted
from baccarat.table.rules_adoption import AdoptRules
from book_acts import in_pit
from house_books import (
    ADMIN_AND_SUPERVISOR,
    BOSS,
    PIT_NAME,
    Books,
    open_table,
    opened_house,
    play_shoe,
    replay_house,
    seated,
    taken,
)

ROYAL9 = "ma-midi-4-royal9"


def adopt(rules: Rulebook) -> AdoptRules:
    submission: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode({"ruleset": rules.edition.name, **rules.stated})
    )
    return AdoptRules(submission=submission)


def change(house: House, changes: dict[str, Any]) -> None:
    taken(in_pit(house, PIT_NAME, ChangeOptions(changes=changes, effective=10**6), BOSS))


def pools(table: HouseTable) -> dict[str, int]:
    names = [*table.state.meters.amounts, "must_hit"]
    balance = table.house.state.ledger.balance
    return {name: balance(Account(Place.POOL, table.name, 0, name)) for name in names}


def test_a_table_goes_over_only_to_what_its_pit_has_filed() -> None:
    old = rulebook("ma-midi-4")
    house = opened_house(old, bankroll=10**11)
    table = open_table(house, old)
    new = rulebook({"ruleset": "ma-midi-4", **file_rules(old).stated}, tie_odds=9)
    outcome = table.do(adopt(new))
    assert isinstance(outcome, Refused)
    filed = f"has filed rulebook {old.hash[:12]} for {table.name}, not {new.hash[:12]}"
    assert outcome.say.endswith(filed)
    change(house, {"tie_odds": 9})
    assert isinstance(table.do(adopt(new)), Accepted)
    assert table.rules.hash == new.hash == house.state.playing[table.name].hash
    assert house.state.rules(table.name).elections.tie_odds == new.elections.tie_odds
    assert replay_house(house.journal) == house.state
    assert isinstance(table.do(adopt(old)), Refused), "the pit has filed other rules since"


@pytest.mark.slow
def test_meters_that_are_given_up_and_taken_up_are_posted() -> None:
    rules = rulebook(ROYAL9)
    books = Books(rules)
    change(books.house, {"royal9": None, "must_hit": None})
    without = rulebook({"ruleset": "ma-midi-4", **file_rules(rules).stated}, royal9=None, must_hit=None)
    assert isinstance(books.do(adopt(without)), Accepted)
    assert books.state.meters.amounts == {}
    assert broken_invariants(books.house.state) == []
    change(
        books.house, {key: value for key, value in file_rules(rules).stated.items() if key in ("royal9", "must_hit")}
    )
    again = books.house.state.pits[PIT_NAME].tables[books.name][-1].rules
    assert isinstance(books.do(adopt(again)), Accepted)
    progress = progressive(again)
    assert progress is not None
    assert books.state.meters.amounts == {meter.name: meter.seed for meter in progress.meters}
    assert {name: pools(books)[name] for name in books.state.meters.amounts} == books.state.meters.amounts
    assert broken_invariants(books.house.state) == []
    seated(books, (1, 2, 5), 10**8)
    play_shoe(books, "adopted")
    assert broken_invariants(books.house.state) == []
    assert replay_house(books.house.journal) == books.house.state


def test_a_linked_table_keeps_its_rules() -> None:
    rules = rulebook(ROYAL9)
    house = opened_house(rules, bankroll=10**11)
    table = open_table(house, rules)
    taken(house.do(LinkTables(name="L", tables=(table.name,)), ADMIN_AND_SUPERVISOR, stream=HOUSE_STREAM))
    outcome = table.do(adopt(rules))
    assert isinstance(outcome, Refused)
    assert "shares its meters with the link L" in outcome.say
