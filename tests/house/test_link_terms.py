"""The terms of a link: seeds, rates, who joins, and meters raised by two persons."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.house.book import Context
from baccarat.house.house import decide_at_table, decide_in_book
from baccarat.house.house_book import LinkTables
from baccarat.house.invariant import broken_invariants
from baccarat.house.link import LINK, LinkState, display_command, join
from baccarat.house.link_event import (
    MeterRaised,
    SetNextTerms,
    TriggerShared,
)
from baccarat.house.progressive import Terms
from baccarat.house.reason import HouseReason
from baccarat.house.state import Decision
from baccarat.house.stream import HOUSE_STREAM, link_stream
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Reason
from baccarat.table.machine import Table
from baccarat.table.meters import CorrectMeter, JoinLink, ShowMeters
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.must_hit import SealTrigger
from baccarat.table.step.wagering import PlaceWager
from book_acts import in_link
from house_books import ADMIN_AND_SUPERVISOR, decided, open_table, taken
from linked_floor import LINK_NAME, NAMES, RANGE, Floor, royal_nines
from linked_round import until_closed
from triggers import FirstWager

pytestmark = pytest.mark.slow


# ------------------------------------------------------------------------------------------------ terms


def next_terms(floor: Floor, **changes: int) -> Any:
    terms = replace(floor.linked.royal9.meters["spade"].terms, **changes)
    command = SetNextTerms(meter="spade", terms=terms)
    return in_link(floor.house, LINK_NAME, command, ADMIN_AND_SUPERVISOR)


def test_m8_another_seed_for_the_next_jackpot_waits_for_it_and_the_tables_follow() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9"), 5)
    taken(next_terms(floor, seed=20_000 * MICRO))
    assert floor.linked.royal9.meters["spade"].displayed == 35_000 * MICRO
    while floor.linked.royal9.meters["spade"].jackpot == 1:
        floor.act(floor.chance.choice(NAMES), check=False)
    assert floor.linked.royal9.meters["spade"].displayed < 21_000 * MICRO
    assert broken_invariants(floor.house.state) == []
    for _ in range(300):
        floor.act(floor.chance.choice(NAMES))
    assert {table.state.meters.amounts["spade"] < 30_000 * MICRO for table in floor.tables.values()} == {True}


def test_terms_of_a_link_change_by_two_persons_for_a_meter_that_it_has() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9"), 5)
    terms = floor.linked.royal9.meters["star"].terms

    def code(who: Any, meter: str = "star", **changes: int) -> Any:
        command = SetNextTerms(meter=meter, terms=replace(terms, **changes))
        outcome = decided(LINK, Context(rules=floor.rules, actor=who), floor.linked, command)
        return outcome.code if isinstance(outcome, Refused) else outcome

    alone = replace(ADMIN_AND_SUPERVISOR, approvals=())
    assert code(alone) is HouseReason.INCOMPLETE
    assert code(ADMIN_AND_SUPERVISOR, meter="moon") is HouseReason.NOT_OFFERED
    assert code(ADMIN_AND_SUPERVISOR, seed=0) is HouseReason.WRONG_SUM
    assert code(ADMIN_AND_SUPERVISOR, contribution=-1) is HouseReason.WRONG_SUM
    assert code(ADMIN_AND_SUPERVISOR, reserve=-1) is HouseReason.WRONG_SUM
    after = code(ADMIN_AND_SUPERVISOR, seed=7)
    assert after.royal9.meters["star"].next_terms == Terms(seed=7, contribution=terms.contribution)
    assert after.royal9.meters["star"].terms == terms
    assert after.seq == floor.linked.seq + 1


@pytest.mark.parametrize("who", ["admin", " SUPERVISOR"])
def test_nobody_changes_the_terms_of_a_meter_for_which_he_plays(who: str) -> None:
    """Two who had seats at tables of the link let the next jackpot begin at a thousand times its filed seed."""
    floor = Floor.opened(rulebook("ma-midi-4-royal9"), 5)
    assert isinstance(floor.tables["T2"].do(Sit(seat=2, person=who)), Accepted)
    refused = next_terms(floor, seed=35_000_000 * MICRO)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.what) == (HouseReason.SAME_PERSON, "plays_for_this_meter")
    terms = replace(floor.linked.royal9.meters["spade"].terms, seed=35_000_000 * MICRO)
    command, stream = SetNextTerms(meter="spade", terms=terms), link_stream(LINK_NAME)
    state, by = floor.house.state, ADMIN_AND_SUPERVISOR
    assert isinstance(decide_in_book(state, floor.rules, command, by, stream=stream, behaviour=2), Decision)
    assert isinstance(floor.tables["T2"].do(Leave(seat=2)), Accepted)
    taken(next_terms(floor, seed=35_000_000 * MICRO))


def test_a_sealed_trigger_is_told_by_the_beginning_of_its_seal() -> None:
    told = LINK.tell(TriggerShared(table="T1", seq=4, seal="0123456789abcdef" * 4))
    assert told == "T1 seals the Must Hit's trigger under 0123456789abcdef…."


def test_a_link_joins_tables_on_the_same_terms() -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE)
    for other, paragraph in ((rulebook("ma-midi-4-royal9"), "12(j)"), (rulebook("ma-midi-4"), "12(i)")):
        outcome = join({"T1": rules, "T2": other})
        assert isinstance(outcome, Refused)
        assert outcome.code is HouseReason.OTHER_TERMS
        assert [cite.paragraph for cite in outcome.cites] == [paragraph]
    assert isinstance(join({"T1": rules}), LinkState)


def test_tables_that_have_been_played_on_are_not_linked_nor_any_twice() -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE)
    floor = Floor.opened(rules, 7)
    late = open_table(floor.house, rules, "T4")
    late.do(SealTrigger(seal="0" * 64))

    def code(*tables: str, name: str = "second") -> Any:
        command = LinkTables(name=name, tables=tables)
        outcome = floor.house.do(command, ADMIN_AND_SUPERVISOR, stream=HOUSE_STREAM)
        return outcome.code if isinstance(outcome, Refused) else outcome

    assert code("T4") is HouseReason.OUT_OF_ORDER
    assert code("T1") is HouseReason.TWICE
    assert code("T9") is HouseReason.NO_SUCH_TABLE
    assert code() is HouseReason.NO_SUCH_TABLE
    assert code("T4", name=LINK_NAME) is HouseReason.TWICE
    for name, say in ((LINK_NAME, f"there is a link {LINK_NAME}"), (" ", "name the link")):
        outcome = floor.house.do(LinkTables(name=name, tables=("T4",)), ADMIN_AND_SUPERVISOR, stream=HOUSE_STREAM)
        assert isinstance(outcome, Refused)
        assert say in outcome.say
    open_table(floor.house, rules, "T5")
    open_table(floor.house, rulebook("ma-midi-4"), "T6")
    assert code("T5", "T5") is HouseReason.TWICE
    assert code("T5", "T6") is HouseReason.OTHER_TERMS
    assert isinstance(code("T5"), Decision)
    assert broken_invariants(floor.house.state) == []


def linked_table() -> Table:
    """A table alone that two persons have joined to a link."""
    table = Table(rulebook("ma-midi-4-royal9", must_hit=RANGE))
    assert isinstance(table.do(JOIN, acting(table, JOIN, who="Sue", second="Max")), Accepted)
    return table


JOIN = JoinLink(link="L")


def shown_now(table: Table) -> ShowMeters:
    """The figures that a table shows already, with a trigger sealed."""
    meters = table.state.meters
    return ShowMeters(meters=dict(meters.amounts), must_hit=meters.must_hit, must_hit_seal="0" * 64)


def test_m8_a_meter_shown_falls_only_by_an_award_that_is_named() -> None:
    table = linked_table()
    right = shown_now(table)
    name = next(iter(right.meters))
    lower = {**right.meters, name: right.meters[name] - 1}
    wrong = {
        "out_of_order": [
            replace(right, meters=lower), replace(right, reserve=-1), replace(right, meters=dict.fromkeys(lower, 0)),
            replace(right, meters=dict.fromkeys(lower, -1), won=tuple(lower)),
            replace(right, meters=dict.fromkeys(lower, 0), won=(name,)),
        ],
        "wrong_proof": [replace(right, must_hit_seal="1"), replace(right, must_hit=10_025, must_hit_seal="")],
        "no_such_wager": [
            replace(right, meters={}), replace(right, meters={**right.meters, "tenth": 1}),
            replace(right, must_hit=9_999), replace(right, must_hit=RANGE["ceiling"]), replace(right, must_hit=10_001),
            replace(right, won=("tenth",)),
        ],
    }  # fmt: skip
    before = table.state
    for code, commands in wrong.items():
        for command in commands:
            outcome = table.do(command)
            assert isinstance(outcome, Refused)
            assert (outcome.code.value, bool(outcome.cites)) == (code, True)
    assert table.state is before
    assert isinstance(table.do(replace(right, meters=lower, won=(name,))), Accepted)
    again = table.do(replace(right, meters=lower, must_hit_seal="1" * 64))
    assert isinstance(again, Refused), "a trigger that was sealed is not exchanged"
    kept = table.do(replace(right, meters=lower, won=("must_hit",), must_hit_run=1))
    assert isinstance(kept, Refused), "a trigger that was opened is not kept"
    other = replace(right, meters=lower, must_hit_seal="1" * 64)
    for wrong_run in (
        replace(other, won=("must_hit",)),
        replace(other, must_hit_run=1),
        replace(other, must_hit_run=-1),
    ):
        assert isinstance(table.do(wrong_run), Refused), "a run begins by an award, and an award begins a run"
    assert isinstance(table.do(replace(other, won=("must_hit",), must_hit_run=2)), Accepted)
    assert table.state.meters.must_hit_run == 2


def test_an_unlinked_table_is_shown_nothing_and_pays_what_its_own_meters_hold() -> None:
    """The dealer alone cannot raise or empty a meter: two persons join a table to a link, before its meters run."""
    alone = Table(rulebook("ma-midi-4-royal9", must_hit=RANGE))
    for factor in (0, 1, 1000):
        command = ShowMeters(
            meters={name: value * factor for name, value in alone.state.meters.amounts.items()},
            must_hit=alone.state.meters.must_hit,
            won=() if factor else tuple(alone.state.meters.amounts),
        )
        outcome = alone.do(command)
        assert isinstance(outcome, Refused)
        assert outcome.code.value == "not_offered"
    two: dict[str, Any] = {"who": "Sue", "second": "Max"}
    wrong: list[tuple[Table, JoinLink, dict[str, Any], str]] = [
        (alone, JOIN, {"who": "Sue", "second": "sue"}, "same_person"),
        (alone, replace(JOIN, link=" "), two, "no_reason"),
        (alone, JOIN, {**two, "by": Role.DEALER}, "wrong_role"),
        (linked_table(), JOIN, two, "out_of_order"),
        (Table(rulebook("ma-midi-4")), JOIN, two, "not_offered"),
    ]
    running = Table(rulebook("ma-midi-4-royal9", must_hit=RANGE))
    running.do(SealTrigger(seal="0" * 64))
    for table, join_, persons, code in (*wrong, (running, JOIN, two, "out_of_order")):
        outcome = table.do(join_, acting(table, join_, **persons))
        assert isinstance(outcome, Refused)
        assert outcome.code.value == code


def test_a_link_shows_a_table_nothing_that_leaves_less_than_its_own_round_has_put_in() -> None:
    """With all meters at zero, and awards named, the announcement used to break."""
    table = linked_table()
    source = KeyedCards(partial(royal_nines, "any"), triggers=FirstWager(table.rules))
    for command in (Sit(seat=1, person="A"), BuyIn(seat=1, amount=100_000)):
        table.do(command)
    run_until(table, source, stop=lambda t: t.state.step == "wager", wagers=lambda _: None)
    for on, stake in ((WagerKind.TIE, 500), (WagerKind.ROYAL9, 500)):
        assert isinstance(table.do(PlaceWager(seat=1, on=on, stake=stake)), Accepted)
    run_until(table, source, stop=lambda t: t.state.step == "announce", wagers=lambda _: None)
    right = replace(shown_now(table), must_hit_seal=table.state.meters.must_hit_seal)
    everything = tuple(right.meters)
    assert isinstance(table.do(replace(right, meters=dict.fromkeys(everything, 0), won=everything)), Refused)
    least = {"star": 45 * MICRO, "spade": 25 * MICRO, "heart": 25 * MICRO}
    assert isinstance(table.do(replace(right, meters=least, won=everything)), Accepted)
    run_until(table, source, stop=lambda t: t.state.round.number == 2, wagers=lambda _: None)


def test_nobody_but_the_link_brings_figures_to_a_table_of_a_house_or_joins_it() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 7)
    table = floor.tables["T1"]
    assert table.state.meters.link == LINK_NAME
    higher = {name: value * 1000 for name, value in table.state.meters.amounts.items()}
    outcome = table.do(replace(shown_now(table), meters=higher, must_hit_seal=""))
    assert isinstance(outcome, Refused)
    assert outcome.code is HouseReason.WRONG_SUM
    fourth = open_table(floor.house, rulebook("ma-midi-4-royal9", must_hit=RANGE), "T4")
    apart = fourth.do(JOIN, acting(fourth, JOIN, who="Sue", second="Max"))
    assert isinstance(apart, Refused)
    assert apart.code is HouseReason.OUT_OF_ORDER


def test_nobody_shows_a_table_of_the_house_other_meters_than_its_link_has() -> None:
    """A meter a thousand times higher, one that fell, another seal: whoever brings it, the link is asked."""
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE)
    floor = Floor.opened(rules, 7)
    unlinked = open_table(floor.house, rules, "T4")
    for _ in range(120):
        floor.act("T2", check=False)
    right = display_command(floor.linked, "T1", floor.house.state.tables["T1"])
    assert right is not None
    before = floor.house.state
    lower = {name: amount - 1 for name, amount in right.meters.items()}
    for wrong in (
        replace(right, meters={name: 1000 * amount for name, amount in right.meters.items()}),
        replace(right, meters=lower, won=(*right.won, *right.meters)),
        replace(right, reserve=5 * MICRO),
        replace(right, must_hit=right.must_hit + RANGE["contribution"]),
        replace(right, must_hit_seal="1" * 64),
        replace(right, must_hit_run=right.must_hit_run + 1, won=("must_hit",)),
    ):
        outcome = floor.tables["T1"].do(wrong)
        assert isinstance(outcome, Refused)
        assert outcome.code is HouseReason.WRONG_SUM, wrong
    outcome = unlinked.do(replace(right, must_hit_seal=""))
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.cites[0].paragraph) == (Reason.NOT_OFFERED, "12(i)")
    assert floor.house.state is before
    assert isinstance(floor.tables["T1"].do(right), Accepted)
    assert broken_invariants(floor.house.state) == []


def test_d3_a_meter_is_raised_by_two_persons_and_never_lowered() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE, goodwill_limit="$0.40"), 8)
    table, name = floor.tables["T1"], next(iter(floor.tables["T1"].state.meters.amounts))
    right = CorrectMeter(corrects=0, meter=name, amount=25 * MICRO, reason="a sensor missed a wager")
    wrong = {
        "same_person": right,
        "no_reason": replace(right, reason=" "),
        "not_offered": replace(right, meter="none"),
        "out_of_order": replace(right, amount=-1),
    }
    for code, command in wrong.items():
        second = " Ann " if code == "same_person" else "Flo"
        outcome = table.do(command, acting(table, command, who="Ann", second=second))
        assert isinstance(outcome, Refused)
        assert outcome.code.value == code
    before = table.state.meters.amounts[name]
    nothing = table.do(right, acting(table, right, who="Ann", second="Flo"))
    assert isinstance(nothing, Refused)
    assert "cannot be corrected in this way" in nothing.say
    until_closed(floor, "T1")
    before = table.state.meters.amounts[name]
    called = next(at for at, event in enumerate(table.log) if isinstance(event, NoMoreBetsCalled))
    right = replace(right, corrects=called)
    assert isinstance(table.do(right, acting(table, right, who="Ann", second="Flo")), Accepted)
    assert table.state.meters.amounts[name] == before + 25 * MICRO
    shown = floor.linked.royal9.meters[name].displayed + floor.linked.open["T1"].amounts[name]
    assert shown == table.state.meters.amounts[name]
    assert isinstance(floor.house.logs[link_stream(LINK_NAME)][-1], MeterRaised)
    assert broken_invariants(floor.house.state) == []
    again = table.do(right, acting(table, right, who="Ann", second="Flo"))
    assert isinstance(again, Refused)
    assert again.what == "goodwill_above_the_limit"


@pytest.mark.parametrize("who", ["Ann", " FLO", "anybody"])
def test_nobody_raises_a_meter_for_which_he_plays_at_another_table(who: str) -> None:
    """A floorperson of one table had a seat at another one of its link, and gave its meter $400."""
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE, goodwill_limit="$0.40"), 8)
    table, name = floor.tables["T1"], next(iter(floor.tables["T1"].state.meters.amounts))
    until_closed(floor, "T1")
    called = next(at for at, event in enumerate(table.log) if isinstance(event, NoMoreBetsCalled))
    right = CorrectMeter(corrects=called, meter=name, amount=25 * MICRO, reason="a sensor missed a wager")
    assert isinstance(floor.tables["T2"].do(Sit(seat=2, person=who)), Accepted)
    by = acting(table, right, who="Ann", second="Flo")
    state, at = floor.house.state, table.event_at
    assert isinstance(decide_at_table(state, "T1", right, by, at, behaviour=2), Decision)
    found = decide_at_table(state, "T1", right, by, at)
    if who == "anybody":
        assert isinstance(found, Decision)
    else:
        assert isinstance(found, Refused)
        assert (found.code.value, found.what, found.params["table"]) == ("same_person", "plays_for_this_meter", "T2")
    assert isinstance(floor.tables["T2"].do(Leave(seat=2)), Accepted)
    assert isinstance(table.do(right, by), Accepted)
