"""Linked tables: three tables at once on shared meters, every award measured on what all of them put in."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import partial

import pytest
from msgspec.structs import replace

from baccarat.cards import Card, decks
from baccarat.house.linked import Linked, follow, heard, join, show
from baccarat.house.reason import HouseReason
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager import Kind
from baccarat.table.automation import next_due, perform
from baccarat.table.base import Accepted
from baccarat.table.meters import CorrectMeter, ShowMeters
from baccarat.table.source import KeyedCards, Opened
from baccarat.table.state import State
from baccarat.table.step.must_hit import MustHitEnded, SealTrigger
from baccarat.table.step.settlement import Awarded
from baccarat.table.step.wagering import PlaceWager
from house_books import Books, seated

RANGE = {"start": 10_000, "ceiling": 10_400, "contribution": 25}
MEASURED = ("call_no_more_bets", "announce_result", "end_round", "seal_trigger")
NAMES = ("T1", "T2", "T3")


def royal_nines(seed: str, shoe: int) -> list[Card]:
    """A shoe full of nines and court cards, so that meters are won."""
    chance = random.Random(f"{seed} {shoe}")
    cards = chance.sample(decks(8), 416)
    rich = [card for card in cards if card.rank.value in "9K"]
    return [*rich, *(card for card in cards if card.rank.value not in "9K")] if chance.random() < 0.8 else cards


@dataclass
class Floor:
    """Tables that share their meters, played by chance."""

    rules: Rulebook
    chance: random.Random
    linked: Linked
    tables: dict[str, Books] = field(default_factory=dict)
    sources: dict[str, KeyedCards] = field(default_factory=dict)

    @classmethod
    def opened(cls, rules: Rulebook, seed: int) -> Floor:
        """Three tables with three people each."""
        linked = join(dict.fromkeys(NAMES, rules))
        assert isinstance(linked, Linked)
        floor = cls(rules, random.Random(seed), linked)
        for name in NAMES:
            floor.tables[name] = Books(rules)
            seated(floor.tables[name], (1, 4, 6))
            floor.sources[name] = source = KeyedCards(partial(royal_nines, f"{seed} {name}"))
            source.must_hit = floor.chance_of  # type: ignore[method-assign]
        return floor

    def chance_of(self, state: State) -> Opened:
        """One trigger for each run of the shared meter."""
        del state
        assert self.linked.must_hit is not None
        run = self.linked.must_hit.jackpot
        return Opened(RANGE["start"] + run * 37 % 401, 0, f"salt {run}")

    def show(self, name: str) -> None:
        """Show a table what the link shows."""
        table = self.tables[name]
        command = show(self.linked, name, table.state)
        if command is not None:
            outcome = table.do(command)
            assert isinstance(outcome, Accepted), outcome
        self.linked = heard(self.linked, name)
        assert show(self.linked, name, table.state) is None

    def act(self, name: str) -> None:
        """One act that is due at a table, entered into the link."""
        table, source = self.tables[name], self.sources[name]
        if table.state.step == "wager" and not table.state.round.wagers:
            for seat in (1, 4, 6):
                table.do(PlaceWager(seat=seat, on=Kind.TIE, stake=1000))
                if self.chance.random() < 0.8:
                    table.do(PlaceWager(seat=seat, on=Kind.ROYAL9, stake=500))
        due = next_due(table, source)
        if due.act in MEASURED:
            self.show(name)
            due = next_due(table, source)
        mark = len(table.log)
        outcome = perform(table, due, source)
        assert isinstance(outcome, Accepted), outcome
        followed = follow(self.linked, name, table.log[mark:])
        assert isinstance(followed, Linked), followed
        self.linked = followed
        self.conserved()

    def conserved(self) -> None:
        """M8: of the link, and of its tables taken together."""
        link, must_hit = self.linked.royal9, self.linked.must_hit
        assert link.is_conserved
        states = [table.state for table in self.tables.values()]
        assert link.contributed == sum(state.meters.contributed for state in states)
        assert link.seeded == sum(meter.terms.seed for meter in link.meters.values()) + sum(
            s.meters.seeded for s in states
        )
        if must_hit is None:
            return
        assert must_hit.is_conserved
        assert must_hit.contributed == sum(state.meters.must_hit_flow.contributed for state in states)
        assert must_hit.paid == sum(state.meters.must_hit_flow.paid for state in states)


@pytest.mark.clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2", "MA-v3-4:12(j).4")
@pytest.mark.parametrize("kept_back", [0, 2500])
def test_m8_three_tables_share_meters_and_every_award_is_what_the_link_shows(kept_back: int) -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE, reserve_share_bp=kept_back)
    floor = Floor.opened(rules, 5)
    for _ in range(12_000):
        floor.act(floor.chance.choice(NAMES))
    logs = [event for table in floor.tables.values() for event in table.log]
    assert sum(isinstance(event, Awarded) and event.amount > 1_000_00 for event in logs) >= 3
    hits = [event for event in logs if isinstance(event, MustHitEnded) and event.hit]
    assert len(hits) >= 5
    assert all(RANGE["start"] <= hit.trigger <= hit.award <= RANGE["ceiling"] + 50 for hit in hits if hit.trigger)
    assert not any(hit.withheld for hit in hits)
    assert len({table.state.meters.must_hit_flow.elsewhere for table in floor.tables.values()}) > 1


def test_a_table_that_does_not_show_the_link_is_noticed() -> None:
    """A meter is won on a figure without what other tables put in."""
    floor = Floor.opened(rulebook("ma-midi-1-royal9"), 6)
    for name in ("T1", "T2", "T1", "T2"):
        for _ in range(400):
            floor.act(name)
    lonely = floor.tables["T3"]
    seen: Refused | None = None
    while seen is None:
        if lonely.state.step == "wager" and not lonely.state.round.wagers:
            for on, stake in ((Kind.TIE, 1000), (Kind.ROYAL9, 500)):
                lonely.do(PlaceWager(seat=1, on=on, stake=stake))
        mark = len(lonely.log)
        perform(lonely, next_due(lonely, floor.sources["T3"]), floor.sources["T3"])
        followed = follow(floor.linked, "T3", lonely.log[mark:])
        if isinstance(followed, Refused):
            seen = followed
        else:
            floor.linked = followed
    assert seen.code is HouseReason.WRONG_SUM
    assert "another figure than the link shows" in seen.say


def test_one_trigger_is_sealed_at_a_time() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 6)
    for name in ("T1", "T2"):
        outcome = floor.tables[name].do(SealTrigger(seal="0" * 64))
        assert isinstance(outcome, Accepted)
        followed = follow(floor.linked, name, outcome.events)
        if name == "T1":
            assert isinstance(followed, Linked)
            floor.linked = followed
        else:
            assert isinstance(followed, Refused)
            assert followed.code is HouseReason.WRONG_SEAL


def test_a_link_joins_tables_on_the_same_terms() -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE)
    for other in (rulebook("ma-midi-4-royal9"), rulebook("ma-midi-4")):
        outcome = join({"T1": rules, "T2": other})
        assert isinstance(outcome, Refused)
        assert outcome.code is HouseReason.OTHER_TERMS
    linked = join({"T1": rules})
    assert isinstance(linked, Linked)
    outside = follow(linked, "T9", [])
    assert isinstance(outside, Refused)
    assert outside.code is HouseReason.NO_SUCH_TABLE


def test_m8_a_meter_shown_falls_only_by_an_award_that_is_named() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 7)
    table = floor.tables["T1"]
    floor.show("T1")
    right = ShowMeters(
        meters=dict(table.state.meters.amounts), must_hit=table.state.meters.must_hit, must_hit_seal="0" * 64, reserve=0
    )
    name = next(iter(right.meters))
    lower = {**right.meters, name: right.meters[name] - 1}
    wrong = {
        "out_of_order": [replace(right, meters=lower)],
        "wrong_proof": [replace(right, must_hit_seal="1")],
        "no_such_wager": [
            replace(right, meters={}), replace(right, meters={**right.meters, "tenth": 1}), replace(right, reserve=-1),
            replace(right, must_hit=9_999), replace(right, must_hit=RANGE["ceiling"]),
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


def test_d3_a_meter_is_raised_by_two_persons_and_never_lowered() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 8)
    table, name = floor.tables["T1"], next(iter(floor.tables["T1"].state.meters.amounts))
    right = CorrectMeter(
        corrects=0, meter=name, amount=25 * MICRO, reason="a sensor missed a wager", name="Ann", approver="Flo"
    )
    wrong = {
        "same_person": replace(right, approver=" Ann "),
        "no_reason": replace(right, reason=" "),
        "not_offered": replace(right, meter="none"),
        "out_of_order": replace(right, amount=-1),
    }
    for code, command in wrong.items():
        outcome = table.do(command)
        assert isinstance(outcome, Refused)
        assert outcome.code.value == code
    before = table.state.meters.amounts[name]
    nothing = table.do(right)
    assert isinstance(nothing, Refused)
    assert "nothing that this could correct" in nothing.say
    table.do(ShowMeters(meters=dict(table.state.meters.amounts), must_hit=table.state.meters.must_hit))
    right = replace(right, corrects=len(table.log) - 1)
    mark = len(table.log)
    assert isinstance(table.do(right), Accepted)
    assert table.state.meters.amounts[name] == before + 25 * MICRO
    followed = follow(floor.linked, "T1", table.log[mark:])
    assert isinstance(followed, Linked)
    assert followed.royal9.is_conserved
    assert followed.royal9.meters[name].displayed == table.state.meters.amounts[name]
