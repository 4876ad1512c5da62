"""Goodwill in a house: the filed limit holds for the whole gaming day, and does not begin again with the next shoe."""

from __future__ import annotations

import pytest

from baccarat.house.cage import drop_box_of, tray_of
from baccarat.house.cage_act import CountDrop, CountTray
from baccarat.house.coupon_book import IssueCoupons
from baccarat.house.filed_rules import file_rules
from baccarat.house.gaming_day import CloseDay, OpenDay
from baccarat.house.house import House, HouseTable, decide_in_book
from baccarat.house.inventory import Inventory
from baccarat.house.option_change import ChangeOptions
from baccarat.house.state import Decision
from baccarat.house.stream import CAGE_STREAM, COUPON_STREAM, DAY_STREAM, pit_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.goodwill import PayGoodwill
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.table_cards import TableCards
from book_acts import in_pit
from house_books import (
    ADMIN,
    ADMIN_AND_CASHIER,
    BOSS,
    DEALER_AND_FLOOR,
    PIT_NAME,
    TWO_COUNTERS,
    actor,
    open_table,
    opened_house,
    replay_house,
    stacks,
    taken,
)

RULES = rulebook("ma-midi-4", goodwill_limit="$100.00", match_play=True)
OUTSIDE = Approval("admin", Role.ADMINISTRATOR, "pay_goodwill")
TWO = Actor(who="floor", role=Role.FLOORPERSON, approvals=(OUTSIDE,))


def a_house() -> tuple[House, HouseTable]:
    house = opened_house(RULES)
    table = open_table(house, RULES)
    assert isinstance(table.do(Sit(seat=1, person="p1")), Accepted)
    assert isinstance(table.do(BuyIn(seat=1, amount=1_000_000)), Accepted)
    run_until(table, stacks(RULES, "goodwill"), stop=lambda t: t.state.step == "wager", wagers=lambda _: None)
    return house, table


def give(table: HouseTable, amount: int, by: Actor = TWO) -> str:
    outcome = table.do(PayGoodwill(seat=1, amount=amount, reason="an apology"), by)
    return outcome.what if isinstance(outcome, Refused) else "given"


def next_shoe(table: HouseTable) -> None:
    """The shoe is abandoned between two rounds, and the next one is ready."""
    number = table.state.shoe.number + 1
    assert isinstance(table.do(AbandonShoe(reason="the cards are worn")), Accepted)
    stop = lambda t: (t.state.shoe.number, t.state.step) == (number, "wager")  # noqa: E731
    run_until(table, stacks(RULES, "goodwill"), stop=stop, wagers=lambda _: None)


def test_the_limit_does_not_begin_again_with_the_next_shoe_of_a_day() -> None:
    """$100 a shoe, and the floor ended shoe after shoe."""
    house, table = a_house()
    assert (give(table, 6_000), give(table, 5_000)) == ("given", "goodwill_above_the_limit")
    next_shoe(table)
    assert table.state.shoe.goodwill == 0
    before = house.state
    assert give(table, 5_000) == "goodwill_above_the_limit_of_the_day"
    assert house.state is before
    assert give(table, 4_000) == "given"
    next_shoe(table)
    refused = table.do(PayGoodwill(seat=1, amount=1, reason="an apology"), TWO)
    assert isinstance(refused, Refused)
    assert [str(cite) for cite in refused.cites] == ["house §goodwill"]
    assert "only $0.00 of the $100.00 goodwill limit of T1 for the gaming day remains" in refused.say
    count_and_close(house)
    taken(house.do(OpenDay(name="2"), ADMIN, stream=DAY_STREAM))
    assert give(table, 10_000) == "given"
    assert replay_house(house.journal) == house.state


def count_and_close(house: House) -> None:
    """Tray and drop box are counted, and the day is closed."""
    tray = house.state.ledger.balances[tray_of("T1")] // MICRO
    taken(house.do(CountTray(table="T1", counted=Inventory({1: tray})), DEALER_AND_FLOOR, stream=CAGE_STREAM))
    drop = house.state.ledger.balances[drop_box_of("T1")] // MICRO
    taken(house.do(CountDrop(table="T1", counted=drop), TWO_COUNTERS, stream=CAGE_STREAM))
    taken(house.do(CloseDay(), ADMIN, stream=DAY_STREAM))


def test_nobody_issues_a_coupon_to_himself_or_approves_it() -> None:
    house = opened_house(RULES)
    for patron in ("admin", " Cashier"):
        issue = IssueCoupons(first=1, last=9, value=2_500, patron=patron)
        refused = house.do(issue, ADMIN_AND_CASHIER, stream=COUPON_STREAM)
        assert isinstance(refused, Refused)
        assert (refused.what, refused.code.value) == ("coupon_to_oneself", "same_person")


# --------------------------------------------------------------------------------------- raising the limit


def raised(limit: object, tables: tuple[str, ...] | None = None) -> ChangeOptions:
    return ChangeOptions(changes={"goodwill_limit": limit}, effective=0, tables=tables)


def filing(table: str = "T2") -> OpenTable:
    return OpenTable(table=table, filed=file_rules(RULES), effective=0, cards=TableCards.REAL)


def approved(role: Role, who: str, second: str, second_role: Role) -> Actor:
    return actor(role, who, (second, second_role))


OTHERS_REFUSED = {
    "nobody": (actor(Role.PIT_BOSS, "boss"), "act_takes_two_persons"),
    "himself": (approved(Role.PIT_BOSS, "boss", " BOSS", Role.ADMINISTRATOR), "nobody_approves_his_own_act"),
    "of the pit": (approved(Role.PIT_BOSS, "boss", "another", Role.PIT_BOSS), "role_may_not_approve"),
    "an administrator alone": (actor(Role.ADMINISTRATOR, "admin"), "act_takes_two_persons"),
}


@pytest.mark.parametrize(("by", "what"), OTHERS_REFUSED.values(), ids=OTHERS_REFUSED)
@pytest.mark.parametrize("command", [raised(1_000_000), raised(10_001, ("T1",)), filing()], ids=["all", "one", "new"])
def test_nobody_raises_the_limit_alone(command: ChangeOptions | OpenTable, by: Actor, what: str) -> None:
    """A pit boss filed $10,000 of goodwill, and the floor gave it to a friend."""
    house, _table = a_house()
    before = house.state
    refused = in_pit(house, PIT_NAME, command, by)
    assert isinstance(refused, Refused)
    assert (refused.what, [str(cite) for cite in refused.cites]) == (what, ["house §goodwill"])
    assert house.state is before
    for second in ("admin", "cashier"):
        role = Role.ADMINISTRATOR if second == "admin" else Role.CAGE_CASHIER
        found = decide_in_book(
            house.state, RULES, command, approved(Role.PIT_BOSS, "boss", second, role), stream=pit_stream(PIT_NAME)
        )
        assert isinstance(found, Decision), found


@pytest.mark.parametrize("limit", [None, 0, 5_000])
def test_a_limit_is_lowered_by_one_person(limit: int | None) -> None:
    house, _table = a_house()
    taken(in_pit(house, PIT_NAME, raised(limit), BOSS))
    refused = in_pit(house, PIT_NAME, raised(10_000), BOSS)
    assert isinstance(refused, Refused), "back to what it was is raised again"
    assert refused.what == "act_takes_two_persons"


@pytest.mark.parametrize("version", range(1, BEHAVIOUR + 1))
def test_in_older_versions_one_person_raised_it(version: int) -> None:
    house, _table = a_house()
    for command in (raised(1_000_000), filing()):
        found = decide_in_book(house.state, RULES, command, BOSS, stream=pit_stream(PIT_NAME), behaviour=version)
        assert isinstance(found, Refused if version >= 3 else Decision)


def test_other_options_and_tables_without_a_limit_take_one_person() -> None:
    house, _table = a_house()
    taken(in_pit(house, PIT_NAME, ChangeOptions(changes={"match_play": False}, effective=0), BOSS))
    open_table(opened_house(rulebook("ma-midi-4")), rulebook("ma-midi-4"))
