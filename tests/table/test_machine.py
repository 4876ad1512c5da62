"""The machine under a state machine: random shoes of every edition, lawful and unlawful, watched by an auditor."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from msgspec.structs import replace

from baccarat.cards import Card, decks
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.automation import next_due, perform
from baccarat.table.base import Accepted, Reason
from baccarat.table.invariant import broken_invariants, worth
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.machine import Table
from baccarat.table.seating_acts import Leave
from baccarat.table.source import KeyedCards
from baccarat.table.state import with_money
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.closing import CollectVigorish
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.must_hit import SealTrigger
from baccarat.table.step.wagering import PlaceWager
from random_rulebooks import Filed, rulebooks
from table_walk import COMMANDS, Walk, keyed, press, sealed

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 2**32)
SHORT = st.integers(12, 70)
TRIED = tuple(kind for kind in COMMANDS if kind is not SealTrigger)
"""A trigger sealed by chance could never be opened again: no round could be ended."""


class AnyTable(RuleBasedStateMachine):
    """One table, driven by chance; every check stands in `Walk.do`."""

    walk: Walk

    @initialize(filed=rulebooks(), seed=SEEDS, rich=st.booleans(), electronic=st.integers(0, 4), short=SHORT)
    def opens(self, filed: Filed, seed: int, rich: bool, electronic: int, short: int) -> None:
        """Any rulebook, any cards; the cover card lies far forward, so that the shoe is short."""
        rules = filed.rules
        source = sealed(rules, seed % 1000) if electronic == 0 else keyed(rules, seed, rich=rich)
        self.walk, self.short = Walk(rules, source), short
        chance = random.Random(seed)
        seats = len(self.walk.state.seats.participants)
        self.walk.seat(*chance.sample(range(1, seats + 1), min(seats, chance.randint(1, 5))), chips=1_000_000)

    @rule(steps=st.integers(1, 25))
    def goes_on(self, steps: int) -> None:
        """What is due is done."""
        for _ in range(steps):
            if not self._can_go_on():
                return
            self.walk.go_on(short=self.short)

    def _can_go_on(self) -> bool:
        if self.walk.state.stopped:
            return False
        if self.walk.state.step == "wager" and not self.walk.state.round.wagers:
            self.walk.wager(random.Random(self.walk.state.round.number))
        return any(not due.optional for due in self.walk.expected)

    @rule(seed=SEEDS)
    def wagers(self, seed: int) -> None:
        """The company wagers, if it may."""
        self.walk.wager(random.Random(seed))

    @rule(seed=SEEDS, tries=st.integers(1, 12))
    def anybody_does_anything(self, seed: int, tries: int) -> None:
        """Commands of all kinds from all sides, wise and foolish."""
        chance = random.Random(seed)
        for _ in range(tries):
            self.walk.try_a(chance.choice(TRIED), chance)

    @rule(seed=SEEDS)
    def the_right_thing_wrongly(self, seed: int) -> None:
        """What is due, but with arguments of chance."""
        chance = random.Random(seed)
        due = [due.act for due in self.walk.expected]
        for kind in COMMANDS:
            if kind.__struct_config__.tag in due:
                self.walk.try_a(kind, chance)

    @precondition(lambda self: self.walk.state.shoe.loaded and self.walk.state.shoe.left)
    @rule(seen=st.booleans(), to=st.sampled_from([None, *Side]))
    def a_card_is_drawn_in_error(self, seen: bool, to: Side | None) -> None:
        """Seen or unseen, to any hand or to none."""
        card, proof = self.walk.source.card(self.walk.state, self.walk.state.shoe.next)
        self.walk.do(ReportErrorCard(to=to, card=card if seen else None, proof=proof if seen else None))

    @precondition(lambda self: self.walk.state.shoe.loaded and self.walk.state.shoe.left)
    @rule()
    def a_card_lies_face_up(self) -> None:
        """The next card of the shoe."""
        card, proof = self.walk.source.card(self.walk.state, self.walk.state.shoe.next)
        self.walk.do(ReportFaceUp(card=card, proof=proof))

    @precondition(lambda self: self.walk.state.step == "house_money")
    @rule(seed=SEEDS)
    def house_money_is_pressed(self, seed: int) -> None:
        """By the seat that is next."""
        press(self.walk, random.Random(seed))

    @rule(seed=SEEDS)
    def somebody_leaves(self, seed: int) -> None:
        """If nothing holds that person."""
        if self.walk.state.occupied:
            self.walk.do(Leave(seat=random.Random(seed).choice(self.walk.state.occupied)))

    @rule()
    def a_round_is_played(self) -> None:
        """To its end, whatever happened before."""
        number = self.walk.state.round.number, self.walk.state.shoe.number
        for _ in range(200):
            round_ = self.walk.state.round.number, self.walk.state.shoe.number
            if round_ != number or not self._can_go_on():
                return
            self.walk.go_on(short=self.short)

    def teardown(self) -> None:
        """The log leads to every state that there was."""
        if hasattr(self, "walk"):
            self.walk.replays()
            if not self.walk.state.stopped:
                self.walk.agrees_with_its_books()


def test_random_tables_hold_their_invariants_and_satisfy_the_auditor() -> None:
    run_state_machine_as_test(
        AnyTable, settings=settings(max_examples=40, stateful_step_count=40, report_multiple_bugs=False)
    )


@pytest.mark.parametrize(("place", "name"), list(enumerate(shipped_submissions())))
def test_a_whole_shoe_and_the_beginning_of_the_next(place: int, name: str) -> None:
    rules = rulebook(name)
    walk = Walk(rules, keyed(rules, 11) if place % 2 else sealed(rules, 11))
    walk.seat(1, 2, 4, 6)
    chance = random.Random(name)
    while walk.state.shoe.number == 0:
        walk.play_round(chance)
    walk.play_round(chance)
    walk.replays()
    walk.agrees_with_its_books()


@settings(max_examples=12)
@given(filed=rulebooks(), seed=SEEDS, rich=st.booleans())
def test_two_short_shoes_of_any_rulebook(filed: Filed, seed: int, rich: bool) -> None:
    rules = filed.rules
    walk = Walk(rules, keyed(rules, seed, rich=rich))
    walk.seat(*range(1, len(walk.state.seats.participants) + 1, 2))
    chance = random.Random(seed)
    while walk.state.shoe.number < 2:
        walk.play_round(chance, short=45)
    walk.replays()
    walk.agrees_with_its_books()


@pytest.mark.parametrize("seed", range(3))
def test_a_shoe_that_runs_out_voids_its_last_round(seed: int) -> None:
    """Edition four alone sets no least depth for the cover card (reading A-09); the auditor sees to the money."""
    rules = rulebook("ma-midi-4-royal9", cover_card_depth=1)
    walk = Walk(rules, keyed(rules, seed))
    walk.seat(1, 2, 4, 6)
    chance = random.Random(seed)
    while not walk.state.shoe.finished:
        walk.play_round(chance)
    assert walk.state.round.void
    assert walk.state.shoe.left == 0
    walk.go_to("wager")
    walk.replays()
    walk.agrees_with_its_books()


def four_cards_left(rules: Rulebook, opening: str, **seats: Any) -> tuple[Table, Walk]:
    """A prepared table at its wagers, with only these four cards left, and a walk that knows them."""
    last = [Card.parse(name) for name in opening.split()]
    rest = list(decks(8))
    for card in last:
        rest.remove(card)
    walk = Walk(rules, KeyedCards(lambda _number: (*rest[:208], *last, *rest[208:]), in_front=212))
    walk.seat(1, 2, **seats)
    walk.go_to("wager")
    table = Table(rules)
    table.state = replace(walk.state, shoe=replace(walk.state.shoe, next=412, cover_out=True))
    return table, walk


@pytest.mark.parametrize("portion", [[1, 1], [1, 2]])
@pytest.mark.parametrize("opening", ["2s 3h 2h 3d", "2s 3h 3s 4d"])
def test_a_void_round_undoes_house_money_and_its_press(opening: str, portion: list[int]) -> None:
    """M7, reading A-41: pairs won and pressed, or House Money lost."""
    table, walk = four_cards_left(rulebook("ma-midi-4", house_money_portion=portion), opening)
    before, money = table.state, worth(table.state)
    for on, stake in ((WagerKind.PLAYER, 5000), (WagerKind.BANKER, 2500), (WagerKind.HOUSE_MONEY, 1100)):
        assert isinstance(table.do(PlaceWager(seat=2, on=on, stake=stake)), Accepted)
    while not table.state.round.void:
        if table.state.step == "house_money":
            table.do(PressHouseMoney(seat=2, onto=WagerKind.PLAYER))
        assert isinstance(perform(table, next_due(table, walk.source), walk.source), Accepted)
        assert broken_invariants(table.rules, table.state) == []
        assert worth(table.state) == money
    assert table.state.seats == before.seats
    assert table.state.money.bank == before.money.bank


def test_chips_that_a_void_round_would_call_back_pay_no_debt() -> None:
    """M3: a marker is not collected out of a House Money payout while the round may still be void."""
    table, walk = four_cards_left(rulebook("ma-midi-4", vig_collection="deferred"), "2s 3h 2h 3d", chips=6100)
    table.state = with_money(table.state, markers={2: 2500})
    for on, stake in ((WagerKind.PLAYER, 5000), (WagerKind.HOUSE_MONEY, 1100)):
        assert isinstance(table.do(PlaceWager(seat=2, on=on, stake=stake)), Accepted)
    while not table.state.round.void:
        refused = table.do(CollectVigorish(seat=2))
        assert isinstance(refused, Refused)
        assert refused.code is Reason.NOT_ENOUGH_CHIPS
        assert isinstance(perform(table, next_due(table, walk.source), walk.source), Accepted)
        assert broken_invariants(table.rules, table.state) == []
    assert isinstance(table.do(CollectVigorish(seat=2)), Accepted)


def test_wagers_are_frozen_between_the_call_and_the_settlement() -> None:
    """M4: after the call, everything that would make, change or withdraw a wager is refused."""
    rules = rulebook("ma-midi-4")
    walk = Walk(rules, keyed(rules, 5))
    walk.seat(1, 2)
    walk.go_to("wager")
    walk.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2500))
    walk.do(CallNoMoreBets())
    while walk.state.round.number == 1:
        late = walk.do(PlaceWager(seat=2, on=WagerKind.BANKER, stake=2500))
        assert isinstance(late, Refused)
        assert late.code is Reason.WAGERS_CLOSED
        assert isinstance(walk.do(RequestFreeHand(seat=2)), Refused)
        walk.go_on()
    assert isinstance(walk.do(PlaceWager(seat=2, on=WagerKind.BANKER, stake=2500)), Accepted)
