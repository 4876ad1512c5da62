"""Attacks on money and on the way out of the table: each was a way to make, lose or hold back money, or to be stuck."""

from __future__ import annotations

from typing import Any

import pytest

from acting import acting
from baccarat.cards import Card
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.base import Accepted, Event
from baccarat.table.card_correction import CorrectCard
from baccarat.table.due_settlement import DueSettled
from baccarat.table.foul_card import ConfirmCard, ShoeFouled
from baccarat.table.invariant import worth
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.machine import decide
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.seating_acts import Leave
from baccarat.table.state import with_meters, with_money, with_shoe
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid, PressHouseMoney
from baccarat.table.step.must_hit import MustHitEnded
from baccarat.table.step.settlement import Paid
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import PlaceWager
from strategies import MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at
from table_walk import Walk, sealed
from triggers import sealed_triggers

TWO: dict[str, Any] = {"who": "D. Ealer", "second": "F. Loor"}
"""The dealer who asks for a correction, and the floorperson who approves it."""
ONE_PAIR, REST = "4S 2H 4H KD", "2C 3C 6C 7C 8C 9C TC JC"
"""A Player of 8 on a pair against a Banker of 2: nobody draws, the Player wins."""
LIMITS = {
    name: {"min": "$5.00", "max": "$80.00", "increment": "$1.00"}
    for name in ("player", "banker", "tie", "house_money", "dragon_player", "dragon_banker")
}


def number_of(game: Game, kind: type[Event], **fields: Any) -> int:
    """The number of the last event of a kind."""
    return next(
        number
        for number, event in reversed(list(enumerate(game.table.log)))
        if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
    )


def correct(game: Game, position: int, card: str) -> tuple[Event, ...]:
    """A turned card of this round is corrected by two persons."""
    corrects = number_of(game, CardTurned, position=position)
    fixed = CorrectCard(reason="mis-keyed", corrects=corrects, position=position, card=Card.parse(card))
    return game.do(fixed, **TWO)


def mend(game: Game, seat: int, amount: int, kind: type[Event]) -> CorrectPayment:
    """The correction of a payment to a seat."""
    return CorrectPayment(reason="mis-keyed", corrects=number_of(game, kind), seat=seat, amount=amount)


# ------------------------------------------------------------------- House Money that was paid and pressed


def pressed(edition: str = "ma-midi-4", cards: str = ONE_PAIR, **elections: Any) -> Game:
    """$50 on the Player, $10 of House Money on a pair: $30 are paid and pressed, so that $80 stand on the Player."""
    game = game_at(edition, f"{cards} {REST}", seats=[1], house_money=True, layout_house_money_areas=True, **elections)
    game.wager("1 p 5000", "1 house_money 1000").go("house_money")
    game.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    game.act()
    paid = game.last(HouseMoneyPaid)
    assert (paid.win, paid.to_wager) == (3000, 3000)
    return game


@pytest.mark.parametrize("edition", MASSACHUSETTS)
@pytest.mark.parametrize("right", ["3H", "5H"])
def test_a_pair_corrected_to_none_leaves_what_was_paid_and_pressed_where_it_lies(edition: str, right: str) -> None:
    game = pressed(edition)
    correct(game, game.state.round.player[1], right)
    game.finish_round()
    assert game.last(Paid).stake == 8000, "the $30 that were pressed lie there until their payment is corrected"
    assert game.last(Paid).win == 8000
    assert game.last(DueSettled).amount == -(1000 + 3000 + 3000), "House Money, and what its payout has won"
    assert game.chips(1) == 10_000_000 + 5000 - 1000


@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_a_pair_corrected_to_two_pays_nothing_more_on_a_wager_that_was_pressed(edition: str) -> None:
    game = pressed(edition, "4S 2H 4H KD")
    correct(game, game.state.round.banker[1], "2D")
    game.finish_round()
    assert (game.last(Paid).win, game.last(Paid).stake) == (8000, 8000)


@pytest.mark.parametrize("right", ["2D", "TD"])
def test_a_correction_after_a_press_at_the_maximum_breaks_nothing(right: str) -> None:
    game = pressed(press_over_max=False, limits=LIMITS)
    correct(game, game.state.round.banker[1], right)
    game.finish_round()
    assert game.last(Paid).stake == 8000


def test_a_press_chosen_on_a_wrong_card_is_chosen_anew() -> None:
    """One pair presses to the maximum; on two pairs the same press would exceed it, and nobody could settle."""
    game = game_at("ma-midi-4", f"{ONE_PAIR} {REST}", seats=[1], press_over_max=False, limits=LIMITS)
    game.wager("1 p 5000", "1 house_money 1000").go("house_money")
    game.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    correct(game, game.state.round.banker[1], "2D")
    game.go("house_money")
    game.refused(PressHouseMoney(seat=1, onto=WagerKind.PLAYER), "not_entitled")
    game.act()
    paid = game.last(HouseMoneyPaid)
    assert (paid.win, paid.to_wager, paid.onto) == (15_000, 0, None)
    game.finish_round()
    assert game.last(Paid).stake == 5000


def test_a_choice_to_press_survives_a_correction_that_changes_no_pair() -> None:
    game = game_at("ma-midi-4", f"{ONE_PAIR} {REST}", seats=[1])
    game.wager("1 p 5000", "1 house_money 1000").go("house_money")
    game.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    correct(game, game.state.round.banker[1], "QD")
    game.go("house_money").act()
    assert game.last(HouseMoneyPaid).to_wager == 3000


def test_a_void_round_takes_back_what_a_correction_has_left_of_house_money() -> None:
    """M7: paid $30 and its stake, corrected by −$30; a void round leaves the participant where the round began."""
    game = game_at("ma-midi-4", f"{ONE_PAIR} {REST}", seats=[1])
    game.wager("1 p 5000", "1 house_money 1000").go("house_money").act()
    correct(game, game.state.round.player[1], "AH")
    game.do(mend(game, 1, -4000, HouseMoneyPaid), **TWO)
    game.skip(left=0).go_to_act("draw_card").act()
    assert game.last(RoundVoided).returned == {1: 6000}
    assert game.chips(1) == 10_000_000
    assert game.state.money.bank == 0


def test_a_void_round_takes_back_what_a_correction_added_to_house_money() -> None:
    """M7, M3: lost, then corrected to a pair and paid by a correction; those chips are not free until the result."""
    game = game_at("ma-midi-4", f"2S 2H 3H KD {REST}", seats=[1], chips=6000)
    game.wager("1 p 5000", "1 house_money 1000").go("house_money").act()
    correct(game, game.state.round.player[1], "2D")
    game.refused(mend(game, 1, 4001, HouseMoneyCollected), "wrong_sum", **TWO)
    game.do(mend(game, 1, 4000, HouseMoneyCollected), **TWO)
    assert game.chips(1) == 4000
    game.refused(mend(game, 1, -1, HouseMoneyCollected), "wrong_sum", **TWO)
    game.skip(left=0).go_to_act("draw_card").act()
    assert (game.chips(1), game.state.money.bank) == (6000, 0)


# ------------------------------------------------------------------------------- a table that has stopped


def stopped(game: Game, position: int) -> Game:
    """A card that the shoe cannot hold, because all its copies have been seen, comes out of it."""
    card, shoe = Card.parse("As"), game.state.shoe
    game.table.state = with_shoe(game.state, seen={**shoe.seen, str(card): shoe.decks})
    game.do(ConfirmCard(position=position, card=card))
    assert game.of(ShoeFouled)
    return game


@pytest.mark.parametrize("edition", [*MASSACHUSETTS, NEW_JERSEY])
@pytest.mark.parametrize("act", ["hand_cards", "return_cards", "turn_card"])
def test_whoever_holds_cards_when_a_foul_shoe_stops_the_table_may_leave(edition: str, act: str) -> None:
    game = game_at(edition, f"{ONE_PAIR} {REST}", seats=[1, 3])
    game.wager("1 p 5000", "3 b 5000").go_to_act(act)
    stopped(game, game.state.round.banker[0])
    for seat in (1, 3):
        assert game.chips(seat) == 10_000_000
        game.do(Leave(seat=seat))
    assert game.state.occupied == []


@pytest.mark.parametrize("edition", [*MASSACHUSETTS, NEW_JERSEY])
def test_at_a_stopped_table_what_is_owed_is_still_due_and_then_its_debtor_leaves(edition: str) -> None:
    """$25 of vigorish are marked at seat 1, which has put its last chips on the Player."""
    game = game_at(edition, f"{ONE_PAIR} {REST}", seats=[1], chips=5000, vig_collection="deferred")
    game.table.state = with_money(game.state, markers={1: 10_000})
    game.wager("1 p 5000").go_to_act("turn_card")
    stopped(game, game.state.round.banker[0])
    game.refused(Leave(seat=1), "vigorish_owed")
    while game.state.money.markers:
        assert {due.seat for due in game.table.expected if not due.optional} == {1}
        game.act()
    assert [due.act for due in game.table.expected] == ["abandon_shoe"]
    game.do(Leave(seat=1))


# -------------------------------------------------------------------------------- the reserve of the meters


@pytest.mark.parametrize("kept", [0, 10**12])
def test_the_next_seed_comes_out_of_the_reserve_as_far_as_that_goes_and_the_rest_from_the_house(kept: int) -> None:
    """Seat 1 wins the meter that begins again at $350; `kept` is what earlier rounds have left in the reserve."""
    game = game_at("ma-midi-4-royal9", f"KS 2H 9H 4D {REST}", seats=[1], reserve_share_bp=5000)
    meters = game.state.meters
    game.table.state = with_meters(game.state, reserve=kept, contributed=meters.contributed + kept)
    game.worth = worth(game.state)
    game.wager("1 t 500", "1 royal9 500").go("settle")
    seed, own = 35_000 * MICRO, (45 + 25 + 25) * MICRO // 2
    result = game.last(ResultAnnounced)
    assert result.from_reserve == min(seed, own + kept)
    assert result.seeded == seed - result.from_reserve
    assert game.state.meters.reserve == own + kept - result.from_reserve >= 0


# ------------------------------------------------------------------------------------------- the Must Hit


def test_every_run_of_the_must_hit_opens_its_own_trigger_however_many_rounds_it_takes() -> None:
    """Once an expected act was refused: what the source opened moved with the meter, and was not what was sealed."""
    terms = {"start": "$100.00", "ceiling": "$101.00", "contribution": "$0.25"}
    rules = rulebook("ma-midi-4-royal9", must_hit=terms)
    walk = Walk(rules, sealed(rules, 5))
    walk.seat(1, 2)
    triggers = sealed_triggers(rules, 5)
    assert triggers is not None
    while walk.state.meters.must_hit_run < 4:
        walk.go_to("wager")
        number = walk.state.round.number, walk.state.shoe.number
        for on, stake in ((WagerKind.TIE, 500), (WagerKind.ROYAL9, 500)):
            assert isinstance(walk.do(PlaceWager(seat=1, on=on, stake=stake)), Accepted)
        while (walk.state.round.number, walk.state.shoe.number) == number and not walk.state.shoe.finished:
            walk.go_on()
    ended = [event for event in walk.log if isinstance(event, MustHitEnded)]
    hits = [event.trigger for event in ended if event.hit]
    wanted = [triggers.open_trigger(with_meters(walk.state, must_hit_run=run)).trigger for run in range(4)]
    assert hits == wanted
    assert len(set(hits)) > 1
    assert any(not event.hit and event.not_reached for event in ended), "some rounds end below their trigger"
    assert not any(event.withheld for event in ended)


# -------------------------------------------------------------------------------- cards known too early


@pytest.mark.parametrize("seen", [True, False])
def test_house_money_is_not_pressed_once_a_third_card_lies_on_the_table(seen: bool) -> None:
    """A card laid in error on a Player of 6 becomes the Banker's third card; then everybody knows who wins."""
    game = game_at("ma-midi-4", f"3S 2D 3H 2C 9C {REST}", seats=[1], house_money=True)
    game.wager("1 p 10000", "1 house_money 5000").go("house_money")
    assert "press_house_money" in {due.act for due in game.table.expected}
    game.do(ReportErrorCard(to=Side.PLAYER, card=Card.parse("9C") if seen else None))
    assert game.step == "house_money"
    assert len(game.state.round.banker) == 3
    assert "press_house_money" not in {due.act for due in game.table.expected}
    command = PressHouseMoney(seat=1, onto=WagerKind.PLAYER)
    game.refused(command, "wrong_step")
    old = decide(game.rules, game.state, command, acting(game.table, command), behaviour=1)
    assert isinstance(old, Accepted), "version 1 allowed it, and its journals say so"
    game.finish_round()
