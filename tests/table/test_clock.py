"""The clock at the table: what it may bring for somebody who does not act in time, and nothing more (reading A-95)."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.record.canonical import canonical
from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Accepted, Command
from baccarat.table.machine import decide
from baccarat.table.registration import CLOCK_LIMITS
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.state import DEALER
from baccarat.table.step.calling import CallNoMoreBets, NoMoreBetsCalled
from baccarat.table.step.curating import AnswerShoe, OrderPass, ShoeFellToDealer, ShoePassed
from baccarat.table.step.cutting import AnswerCut, CardsCut, CutFellToDealer, CutGivenUp, GiveUpCut
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.overdue import ReportOverdueSeed
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish, TurnFellToDealer, TurnRelinquished
from baccarat.table.step.turning import ReturnCards
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from campaign import times
from table_driver import Game, game_at
from table_proposer import Proposer
from table_walk import COMMANDS, Walk, keyed

clause = pytest.mark.clause
CLOCK = Actor(who="clock", origin=Origin.CLOCK)
OVER = "time is over"
each_edition = pytest.mark.parametrize("edition", ["ma-midi-3", "ma-midi-4", "nj-punto-banco"])


def rings(game: Game, command: Command) -> tuple[str, ...]:
    """What the clock brings, which is accepted: the names of the events."""
    outcome = game.table.do(command, CLOCK)
    assert isinstance(outcome, Accepted), outcome
    assert all(event.cites for event in outcome.events)
    return tuple(type(event).__name__ for event in outcome.events)


def silenced(game: Game, command: Command, what: str = "") -> Refused:
    """What the clock brings, which is refused and changes nothing, whatever role it claims."""
    before = game.state
    refusals = [game.table.do(command, replace(CLOCK, role=role)) for role in Role]
    assert game.state is before
    assert isinstance(refusals[0], Refused), f"accepted: {command}"
    assert refusals == refusals[:1] * len(refusals), "a clock has no role"
    if what:
        assert refusals[0].what == what
    return refusals[0]


# ------------------------------------------------------------------------------------------ the wagering


@clause("MA:8(b)", "NJ:3.7(b).1")
@each_edition
def test_the_clock_ends_the_wagering_once_a_wager_lies_there(edition: str) -> None:
    game = game_at(edition)
    silenced(game, CallNoMoreBets(), "no_wager_lies_table")
    game.wager("1 p 2500")
    assert NoMoreBetsCalled.__name__ in rings(game, CallNoMoreBets())
    game.refused(PlaceWager(seat=3, on=WagerKind.BANKER, stake=2500), "wagers_closed")
    silenced(game, CallNoMoreBets())


@each_edition
def test_the_clock_makes_and_withdraws_no_wager_and_asks_for_no_hand(edition: str) -> None:
    game = game_at(edition).wager("1 p 2500")
    for command in (
        PlaceWager(seat=3, on=WagerKind.BANKER, stake=2500),
        WithdrawWager(seat=1, on=WagerKind.PLAYER),
        RequestFreeHand(seat=1),
    ):
        assert silenced(game, command, "comes_from_elsewhere").code.value == "wrong_origin"


# ----------------------------------------------------------------------------------------------- the cut


@clause("MA-v1-3:5(c).3", "MA-v4:5(c).3", "NJ:3.5(c).3")
@each_edition
def test_the_clock_declines_the_cut_for_everybody_and_the_dealer_cuts(edition: str) -> None:
    game = game_at(edition, step="offer_cut")
    for _ in range(3):
        seat = game.next_act().seat
        silenced(game, AnswerCut(seat=seat, accept=True), "clock_accepts_for_nobody")
        silenced(game, AnswerCut(seat=seat % 5 + 2, accept=False), "cut_offered_seat_now")
        rings(game, AnswerCut(seat=seat, accept=False))
    assert game.of(CutFellToDealer)
    assert game.next_act() == replace(game.next_act(), act="cut_cards", by=Role.DEALER, seat=DEALER)


@clause("MA-v1-3:5(c).2", "MA-v4:5(c).2", "NJ:3.5(c).2")
@each_edition
def test_a_cut_that_was_taken_and_is_not_made_is_offered_on(edition: str) -> None:
    game = game_at(edition, step="offer_cut")
    silenced(game, GiveUpCut(seat=5))
    game.do(AnswerCut(seat=5, accept=True))
    assert game.step == "cut"
    silenced(game, GiveUpCut(seat=3), "another_has_the_cut")
    assert rings(game, GiveUpCut(seat=5))[0] == CutGivenUp.__name__
    assert game.step == "offer_cut"
    assert game.next_act().seat not in (DEALER, 5)


@each_edition
def test_with_nobody_left_to_be_offered_the_cut_it_falls_to_the_dealer(edition: str) -> None:
    game = game_at(edition, step="offer_cut", seats=[3])
    game.do(AnswerCut(seat=3, accept=True))
    game.refused(GiveUpCut(seat=3), "wrong_role", by=Role.FLOORPERSON)
    game.refused(GiveUpCut(seat=3), "not_entitled", by=Role.PARTICIPANT, who="somebody else")
    assert [type(event) for event in game.do(GiveUpCut(seat=3), by=Role.DEALER)] == [CutGivenUp, CutFellToDealer]
    game.refused(GiveUpCut(seat=3), "not_entitled")
    assert game.next_act().seat == DEALER
    game.act()
    assert game.last(CardsCut).seat == DEALER


# -------------------------------------------------------------------------------------- the cards in the hand


@clause("MA:8(d).1", "MA:8(d).4")
@pytest.mark.parametrize("edition", ["ma-midi-1", "ma-midi-4"])
def test_cards_that_are_not_given_back_are_offered_on_and_turned_by_the_dealer(edition: str) -> None:
    game = game_at(edition, "7S 9D TH KC").wager("1 p 2500", "3 b 5000")
    silenced(game, OrderRelinquish(reason=OVER))
    game.go("turn_player")
    assert game.next_act().act == "hand_cards"
    silenced(game, OrderRelinquish(reason=OVER), "clock_waits_for_nobody")
    game.go_to_act("return_cards")
    silenced(game, ReturnCards(seat=1), "comes_from_elsewhere")
    silenced(game, OrderRelinquish(reason=OVER), "clock_waits_for_nobody")
    silenced(game, OrderRelinquish(seat=3, reason=OVER), "clock_waits_for_nobody")
    assert rings(game, OrderRelinquish(seat=1, reason=OVER)) == (TurnRelinquished.__name__,)
    for _ in range(2):
        seat = game.next_act().seat
        silenced(game, OrderRelinquish(seat=1, reason=OVER), "clock_waits_for_nobody")
        silenced(game, AnswerTurn(seat=seat, accept=True), "clock_accepts_for_nobody")
        rings(game, AnswerTurn(seat=seat, accept=False))
    assert game.of(TurnFellToDealer)
    assert game.next_act().act == "turn_card"
    silenced(game, OrderRelinquish(reason=OVER), "clock_waits_for_nobody")
    game.finish_round()


@clause("NJ:3.7(d)1")
def test_where_no_clause_passes_the_right_on_the_dealer_turns_the_cards() -> None:
    game = game_at("nj-punto-banco", "7S 9D TH KC", reveal="face_down").wager("1 p 2500", "3 b 5000")
    game.go_to_act("return_cards")
    assert rings(game, OrderRelinquish(seat=1, reason=OVER)) == (TurnRelinquished.__name__, TurnFellToDealer.__name__)
    assert game.next_act().act == "turn_card"
    game.finish_round()


# ---------------------------------------------------------------------------------------------- the shoe


@clause("NJ:3.6(b).2", "NJ:3.6(d)2")
def test_the_clock_declines_the_shoe_for_everybody_and_the_dealer_deals() -> None:
    game = game_at("nj-punto-banco", step="offer_shoe")
    for _ in range(3):
        seat = game.next_act().seat
        silenced(game, AnswerShoe(seat=seat, accept=True), "clock_accepts_for_nobody")
        silenced(game, AnswerShoe(seat=seat, accept=True, dealer_deals=True), "clock_accepts_for_nobody")
        rings(game, AnswerShoe(seat=seat, accept=False))
    assert game.of(ShoeFellToDealer)
    assert game.state.seats.curator == DEALER


@clause("NJ:3.11(a)2", "NJ:3.11(b)")
@pytest.mark.parametrize("drawn", range(4))
def test_a_curator_who_does_not_deal_loses_the_shoe_in_the_middle_of_the_round(drawn: int) -> None:
    game = game_at("nj-punto-banco", "7S 9D TH KC 2S 3S", curator=3)
    silenced(game, OrderPass(seat=3, reason=OVER), "clock_waits_for_nobody")
    game.wager("1 p 2500").go("call_cards")
    silenced(game, OrderPass(seat=3, reason=OVER), "clock_waits_for_nobody")
    game.go("deal")
    for _ in range(drawn):
        game.act()
    silenced(game, OrderPass(seat=1, reason=OVER), "clock_waits_for_nobody")
    silenced(game, OrderPass(reason=OVER), "clock_waits_for_nobody")
    assert ShoePassed.__name__ in rings(game, OrderPass(seat=3, reason=OVER))
    while game.step == "offer_shoe":
        silenced(game, OrderPass(seat=3, reason=OVER))
        rings(game, AnswerShoe(seat=game.next_act().seat, accept=False))
    assert game.state.seats.curator == DEALER
    assert game.next_act() == replace(game.next_act(), act="draw_card", by=Role.DEALER)
    silenced(game, OrderPass(seat=3, reason=OVER), "clock_waits_for_nobody")
    game.finish_round()
    game.check_replay()


def test_an_order_that_names_another_seat_is_refused_and_one_that_names_none_is_written_as_before() -> None:
    game = game_at("nj-punto-banco", curator=3)
    game.refused(OrderPass(seat=1, reason="slow"), "not_entitled", cites="3.11(a)2")
    game.do(OrderPass(seat=3, reason="slow"))
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500").go_to_act("return_cards")
    game.refused(OrderRelinquish(seat=3, reason="slow"), "not_entitled", cites="8(d)")
    game.do(OrderRelinquish(seat=1, reason="slow"))
    game.refused(OrderRelinquish(seat=1, reason="slow"), "not_entitled")
    assert canonical(OrderRelinquish(reason="slow")) == b'{"do":"order_relinquish","reason":"slow"}'
    assert canonical(OrderPass(reason="slow")) == b'{"do":"order_pass","reason":"slow"}'


# ------------------------------------------------------------------------------------ nothing more than that


def test_what_the_clock_may_bring_is_listed_and_each_has_its_limit() -> None:
    assert set(CLOCK_LIMITS) == {kind for kind in HANDLERS if Origin.CLOCK in kind.ORIGINS}
    assert set(CLOCK_LIMITS) == {
        CallNoMoreBets, AnswerCut, GiveUpCut, AnswerShoe, OrderPass, AnswerTurn, OrderRelinquish, ReportOverdueSeed,
    }  # fmt: skip
    usual = {kind.ORIGINS[0] for kind in CLOCK_LIMITS if kind is not ReportOverdueSeed}
    assert usual == {Origin.PERSON}, "a person usually does it"
    assert ReportOverdueSeed.ORIGINS == (Origin.CLOCK,), "nobody else says what time it is"


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_whatever_the_clock_is_made_to_bring_it_accepts_nothing_and_moves_no_chip(name: str) -> None:
    """At every act of a short shoe what a clock may bring; at the first acts of each step commands of every kind."""
    chance = random.Random(name)
    walk = Walk(rulebook(name), keyed(rulebook(name), 2, rich=True))
    walk.seat(1, 2, 4, 5)
    taken: set[str] = set()
    acts: Counter[str] = Counter()
    while walk.state.shoe.number < 1:
        if walk.state.step == "wager" and not walk.state.round.wagers:
            walk.wager(chance)
        proposer = Proposer(walk, chance)
        acts[walk.state.step] += 1
        for kind in COMMANDS if acts[walk.state.step] <= times(4) else CLOCK_LIMITS:
            command = proposer.a_command(kind)
            actor = Actor(who="clock", origin=Origin.CLOCK, role=chance.choice(tuple(Role)))
            outcome = decide(walk.rules, walk.state, command, actor, walk.event_at)
            if isinstance(outcome, Refused):
                continue
            taken.add(command.name)
            assert kind in CLOCK_LIMITS
            assert not getattr(command, "accept", False), command
            assert outcome.state.money == walk.state.money
            assert outcome.state.round.wagers == walk.state.round.wagers
            assert [each and each.chips for each in outcome.state.seats.participants] == [
                each and each.chips for each in walk.state.seats.participants
            ]
        walk.go_on(short=60)
    assert "call_no_more_bets" in taken
