"""Slips of one line that no test used to notice, each with the case that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.base import table_rules
from baccarat.table.card_correction import CorrectCard
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.machine import decide, evolve
from baccarat.table.meters import CorrectMeter
from baccarat.table.role import Role
from baccarat.table.round_state import RoundKind
from baccarat.table.seating_acts import Leave, Sit
from baccarat.table.state import DEALER, with_meters, with_shoe
from baccarat.table.step.burning import BurnCards, BurnedCardTurned
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.clearing import ShoeFinished
from baccarat.table.step.cutting import CutCards, OrderRecut, RecutOrdered
from baccarat.table.step.dealing import CardDrawn, DrawCard, void
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.loading import CoverCardPlaced, PlaceCoverCard
from baccarat.table.step.must_hit import SealTrigger
from baccarat.table.step.sealing import SealOrder
from baccarat.table.step.shuffling import ShuffleCards
from baccarat.table.step.spoken_wager import ConfirmWager, SpeakWager
from baccarat.table.step.turning import CardTurned, TurnCard
from baccarat.table.step.wagering import ChangeWager, PlaceWager
from baccarat.table.story import tell
from strategies import EDITIONS, MASSACHUSETTS
from table_driver import Game, game_at, new_game, seated

TIE, REST = "7S 7D TH KC", "2C 3C 4C 5C 6C 7C 8C 9C"
TWO: dict[str, Any] = {"who": "D. Ealer", "second": "F. Loor"}
"""The dealer who asks for a correction, and the floorperson who approves it."""
LIMITS = {
    name: {"min": "$5.00", "max": "$80.00", "increment": "$1.00"}
    for name in ("player", "banker", "tie", "house_money", "dragon_player", "dragon_banker")
}


# ------------------------------------------------------------------------------------- the cut and the shuffle


def dealer_cut(**elections: Any) -> Game:
    """A table of the fourth edition at which the dealer cuts, and has cut."""
    game = game_at("ma-midi-4", step="cut", cut_mode="dealer_cuts", **elections)
    game.go("cover_card")
    return game


@pytest.mark.clause("MA:5(f).2")
def test_a_dealer_who_cut_cuts_again_whoever_else_could_be_entitled() -> None:
    game = dealer_cut(recut_by="next_entitled")
    game.do(Sit(seat=9, person="late"))
    game.do(recut())
    assert game.last(RecutOrdered).seat == DEALER
    game.go("cover_card")
    assert game.state.shoe.cutter == DEALER


def test_whoever_cuts_without_the_right_is_named_beside_whoever_has_it() -> None:
    game = game_at("ma-midi-4", step="cut", cut_mode="dealer_cuts")
    outcome = game.refused(CutCards(seat=3, in_front=100), "not_entitled", by=Role.PARTICIPANT, who="participant 3")
    assert "the dealer has the cut, not seat 3" in outcome.say


def recut() -> OrderRecut:
    """A new cut."""
    return OrderRecut(reason="not satisfied")


def test_an_order_is_not_sealed_after_a_recut_although_nobody_was_offered_the_cut() -> None:
    game = dealer_cut()
    game.do(recut())
    assert game.step == "cut"
    assert [due.act for due in game.table.expected] == ["cut_cards"]
    game.refused(SealOrder(root="0" * 64), "out_of_order")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("behind", "warned"), [(19, True), (20, False), (21, True), (60, True)])
def test_a_cover_card_shallower_or_deeper_than_filed_is_noted(edition: str, behind: int, warned: bool) -> None:
    game = game_at(edition, step="cover_card", cover_card_depth=20)
    game.do(PlaceCoverCard(behind=behind))
    assert ("20 are filed" in list(map(str, game.last(CoverCardPlaced).warnings))) is warned
    assert ("20 are filed)." in tell(game.last(CoverCardPlaced))) is warned


@pytest.mark.parametrize("edition", ["ma-midi-2", "ma-midi-3", "ma-midi-4"])
def test_the_last_element_of_a_manual_shuffle_is_done_once(edition: str) -> None:
    game = seated(new_game(edition), [1]).go("shuffle")
    right = ("riffle", "riffle", "turn", "riffle", "strip", "cut")
    game.refused(ShuffleCards(steps=(*right, "cut")), "out_of_order")
    game.refused(ShuffleCards(steps=("cut", *right)), "out_of_order")
    game.do(ShuffleCards(steps=right))


# ------------------------------------------------------------------------------------------------- cards


def test_cards_burned_face_down_are_neither_turned_nor_confirmed_before_the_shoe_is_over() -> None:
    """The floorperson does not look at them either, on the pretext that one cannot be there."""
    game = game_at("ma-midi-4", TIE, burn="9S 9C", burn_exposure="face_down").wager("1 t 500")
    game.go("turn_player")
    hidden = game.state.shoe.burn[1]
    assert [event.position for event in game.of(BurnedCardTurned)] == [0]
    game.refused(TurnCard(position=hidden, card=Card.parse("9C")), "wrong_cards")
    game.table.state = with_shoe(game.state, seen={**game.state.shoe.seen, str(Card.parse("As")): 8})
    game.refused(ConfirmCard(position=hidden, card=Card.parse("As")), "wrong_cards")
    game.do(ConfirmCard(position=game.state.round.player[0], card=Card.parse("As")))


def test_a_card_burned_face_down_is_not_turned_while_the_burn_goes_on() -> None:
    game = seated(new_game("ma-midi-4", REST, burn="9S 9C", burn_exposure="face_down"), [1]).go("burn")
    game.act()
    game.act()
    game.do(BurnCards(cards=3))
    assert game.step == "burn"
    game.refused(TurnCard(position=1, card=Card.parse("9C")), "wrong_cards")
    game.act()
    assert game.state.shoe.burned == {0: Card.parse("9S")}


@pytest.mark.parametrize("left", [2, 3, 10])
def test_a_burn_that_empties_the_shoe_ends_with_it(left: int) -> None:
    game = seated(new_game("ma-midi-4", burn="9S 9C", end="9S 2C 3C 4C 5C 6C 7C 8C 2D 3D"[-3 * left :].strip()), [1])
    game.go("burn").skip(left=left)
    while game.step == "burn":
        game.act()
    assert (len(game.state.shoe.burn), game.state.shoe.left, game.state.shoe.burn_left) == (left, 0, 0)


@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_a_simulated_round_is_not_the_last_hand(edition: str) -> None:
    game = game_at(edition, TIE).skip(left=40, cover_out=True)
    card, _ = game.source.card(game.state, game.state.shoe.next)
    game.wager("1 t 500").do(ReportFaceUp(card=card))
    assert game.state.round.kind is RoundKind.SIMULATED
    game.finish_round()
    assert not game.of(ShoeFinished)
    game.play("1 t 500")
    assert game.of(ShoeFinished)


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_third_card_is_dealt_after_the_first_chip_has_moved_whatever_is_corrected(edition: str) -> None:
    """Announced 7 to 9; the Banker's card is set right to a 3, on which it would have drawn: every wager goes back."""
    game = game_at(edition, f"7S 9D TH KC {REST}").wager("1 p 2500", "3 b 2500").go("settle")
    before = [game.chips(seat) + 2500 for seat in (1, 3)]
    game.act()
    position, cards = game.state.round.banker[0], len(game.of(CardDrawn))
    number = next(
        at for at, e in enumerate(game.table.log) if isinstance(e, CardTurned) and e.position == position
    )  # fmt: skip
    fixed = CorrectCard(reason="mis-keyed", corrects=number, position=position, card=Card.parse("3D"))
    game.do(fixed, **TWO)
    assert len(game.state.round.counted) == 2, "no hand is counted again"
    game.finish_round()
    assert len(game.of(CardDrawn)) == cards
    assert [game.chips(seat) for seat in (1, 3)] == before


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("step", ["turn_player", "turn_banker"])
def test_no_card_is_drawn_while_the_hands_are_turned_and_none_is_looked_at_to_say_why(edition: str, step: str) -> None:
    game = game_at(edition, f"2S 3H 3D 4C {REST}").wager("1 p 2500", "3 b 2500").go(step)
    game.refused(DrawCard(), "wrong_step")
    game.finish_round()


# ------------------------------------------------------------------------------------------------- money


@pytest.mark.parametrize("called", [False, True])
def test_a_round_that_is_void_before_the_call_takes_nothing_out_of_the_meters(called: bool) -> None:
    game = game_at("ma-midi-4-royal9", f"{TIE} {REST}", seats=[1]).wager("1 t 500", "1 royal9 500")
    if called:
        game.go("deal")
    seeds = {"star": 5_000_000 * MICRO, "spade": 35_000 * MICRO, "heart": 35_000 * MICRO}
    voided = void(table_rules(game.rules), game.state)
    assert bool(voided.contributions) is called
    assert evolve(game.state, voided).meters.amounts == seeds


@pytest.mark.clause("MA:8(c)(3)(i)a")
def test_a_press_may_reach_the_maximum_exactly_and_not_exceed_it() -> None:
    for stake, fine in ((5000, True), (5100, False)):
        game = game_at("ma-midi-4", f"4S 2H 4H KD {REST}", seats=[1], press_over_max=False, limits=LIMITS)
        game.wager(f"1 p {stake}", "1 house_money 1000").go("house_money")
        press = PressHouseMoney(seat=1, onto=WagerKind.PLAYER)
        if fine:
            game.do(press)
        else:
            game.refused(press, "not_entitled")
        game.finish_round()


@pytest.mark.parametrize(("stake", "fine"), [(499, False), (500, True), (550, False), (8000, True), (8100, False)])
def test_a_wager_is_changed_within_its_posted_limits(stake: int, fine: bool) -> None:
    game = game_at("ma-midi-4", seats=[1], limits=LIMITS).wager("1 p 2500")
    change = ChangeWager(seat=1, on=WagerKind.PLAYER, stake=stake)
    if fine:
        game.do(change)
    else:
        game.refused(change)
    assert [wager.stake for wager in game.state.round.wagers] == [stake if fine else 2500]


def test_a_posted_aggregate_is_shared_by_the_whole_table_whatever_else_a_seat_wagers() -> None:
    """Ties pay eight to one, $1,000 at most over all seats: $100 and $20 leave $5."""
    tie = {"min": "$5.00", "max": "$100.00", "increment": "$5.00", "aggregate_payout": "$1,000.00"}
    limits = {**LIMITS, "tie": tie}
    game = game_at("ma-midi-4", limits=limits).wager("3 p 2500", "1 t 10000", "3 t 2000")
    game.refused(PlaceWager(seat=5, on=WagerKind.TIE, stake=1000))
    game.refused(ChangeWager(seat=3, on=WagerKind.TIE, stake=3000))
    game.refused(SpeakWager(seat=5, on=WagerKind.TIE, stake=1000, cash=True))
    game.do(SpeakWager(seat=5, on=WagerKind.TIE, stake=500, cash=True))
    game.do(ChangeWager(seat=3, on=WagerKind.TIE, stake=2500))
    game.refused(ConfirmWager(seat=5, on=WagerKind.TIE))
    game.wager("5 p 8000", "1 b 8000")
    assert sum(wager.stake for wager in game.state.round.wagers if wager.on is WagerKind.TIE) == 12_500


def test_one_spoken_wager_of_several_is_confirmed_and_the_others_still_wait() -> None:
    game = game_at("nj-punto-banco", seats=[1, 3], verbal_wagers=True)
    for seat, on in ((1, WagerKind.BANKER), (1, WagerKind.TIE), (3, WagerKind.BANKER)):
        game.do(SpeakWager(seat=seat, on=on, stake=2500, cash=True))
    game.do(ConfirmWager(seat=1, on=WagerKind.BANKER))
    assert [spoken.verbal.confirmed_by for spoken in game.state.round.spoken] == [("dealer",), (), ()]
    game.do(ConfirmWager(seat=1, on=WagerKind.BANKER), by=Role.CASINO_SUPERVISOR)
    assert [(spoken.seat, spoken.on) for spoken in game.state.round.spoken] == [
        (1, WagerKind.TIE),
        (3, WagerKind.BANKER),
    ]
    assert [(wager.seat, wager.on) for wager in game.state.round.wagers] == [(1, WagerKind.BANKER)]


def test_a_stake_of_nothing_is_no_wager_however_it_is_made() -> None:
    game = game_at("ma-midi-4", seats=[1], verbal_wagers=True)
    for command in (
        PlaceWager(seat=1, on=WagerKind.PLAYER, stake=0),
        SpeakWager(seat=1, on=WagerKind.PLAYER, stake=0, cash=True),
    ):
        game.refused(command, "no_such_wager")
    for least in (
        PlaceWager(seat=1, on=WagerKind.PLAYER, stake=1),
        SpeakWager(seat=1, on=WagerKind.PLAYER, stake=1, cash=True),
    ):
        assert "minimum" in game.refused(least).say, "a cent is something"


@pytest.mark.parametrize(("edition", "paragraph"), [("ma-midi-4", "7(b)"), ("nj-punto-banco", "3.2(c)")])
def test_a_wager_that_lies_there_or_is_spoken_is_not_spoken_again(edition: str, paragraph: str) -> None:
    game = game_at(edition, seats=[1, 3], verbal_wagers=True).wager("1 p 2500")
    game.do(SpeakWager(seat=3, on=WagerKind.PLAYER, stake=2500, cash=True))
    for seat in (1, 3):
        game.refused(SpeakWager(seat=seat, on=WagerKind.PLAYER, stake=2500, cash=True), "out_of_order")
    nothing = game.refused(ConfirmWager(seat=1, on=WagerKind.PLAYER), "no_such_wager")
    assert [cite.paragraph for cite in nothing.cites] == [paragraph]


def test_a_wager_that_is_not_offered_has_no_limit_either_and_is_refused() -> None:
    game = game_at("ma-midi-4", seats=[1], limits=LIMITS).wager("1 p 2500")
    game.refused(PlaceWager(seat=1, on=WagerKind.ROYAL9, stake=500), "not_offered")


@pytest.mark.parametrize(("edition", "paragraph"), [("ma-midi-4", "7(b)"), ("nj-punto-banco", "3.2(c)")])
def test_a_spoken_wager_that_is_not_offered_is_refused_under_the_clause_on_spoken_wagers(
    edition: str, paragraph: str
) -> None:
    game = game_at(edition, seats=[1], verbal_wagers=False)
    outcome = game.refused(SpeakWager(seat=1, on=WagerKind.PLAYER, stake=2500, cash=True), "not_offered")
    assert [cite.paragraph for cite in outcome.cites] == [paragraph]


@pytest.mark.clause("MA-v4:7(c)")
def test_a_wager_ends_the_request_for_a_free_hand_and_nobody_has_asked_for_one_any_more() -> None:
    game = game_at("ma-midi-4", seats=[1, 3])
    game.do(RequestFreeHand(seat=1))
    assert (game.state.round.kind, game.state.round.asked_by) == (RoundKind.FREE_HAND, 1)
    game.wager("3 p 2500")
    assert (game.state.round.kind, game.state.round.asked_by) == (RoundKind.WAGERED, 0)
    gone = game_at("ma-midi-4", seats=[1, 3])
    gone.do(RequestFreeHand(seat=1))
    gone.do(Leave(seat=1))
    assert (gone.state.round.kind, gone.state.round.asked_by) == (RoundKind.WAGERED, 0)


def test_a_wager_is_raised_by_no_more_than_the_chips_that_are_left() -> None:
    game = game_at("ma-midi-4", seats=[1], chips=10_000).wager("1 p 2500")
    game.refused(ChangeWager(seat=1, on=WagerKind.PLAYER, stake=10_001), "not_enough_chips")
    game.do(ChangeWager(seat=1, on=WagerKind.PLAYER, stake=10_000))
    assert game.chips(1) == 0
    game.refused(ChangeWager(seat=1, on=WagerKind.PLAYER, stake=0), "no_such_wager")
    game.do(ChangeWager(seat=1, on=WagerKind.PLAYER, stake=2500))
    assert game.chips(1) == 7_500


def test_a_trigger_is_sealed_at_the_start_of_a_run_only() -> None:
    game = game_at("ma-midi-4-royal9")
    running = with_meters(game.state, must_hit=game.state.meters.must_hit + 25)
    seal = SealTrigger(seal="0" * 64)
    outcome = decide(game.rules, running, seal, game.table.usual_actor(seal))
    assert isinstance(outcome, Refused)
    assert outcome.code.value == "out_of_order"
    game.do(SealTrigger(seal="0" * 64))


def test_a_meter_is_not_corrected_between_the_result_and_the_next_round() -> None:
    game = game_at("ma-midi-4-royal9", f"{TIE} {REST}", seats=[1], goodwill_limit="$1.00")
    game.wager("1 t 500", "1 royal9 500").go("settle")
    called = next(at for at, event in enumerate(game.table.log) if isinstance(event, NoMoreBetsCalled))
    fixed = CorrectMeter(reason="mis-keyed", corrects=called, meter="star", amount=1)
    game.refused(fixed, "out_of_order", **TWO)
    game.finish_round()
    game.do(fixed, **TWO)


@pytest.mark.parametrize("edition", ["ma-midi-4", "nj-punto-banco"])
def test_a_spoken_wager_is_admitted_with_the_others_of_its_seat(edition: str) -> None:
    """Spoken beside a wager on the other hand, or confirmed when one lies there by then."""
    game = game_at(edition, seats=[1, 3], opposite_bets=False, verbal_wagers=True)
    roles = [Role.DEALER] if edition == "ma-midi-4" else [Role.DEALER, Role.CASINO_SUPERVISOR]
    aloud = SpeakWager(seat=1, on=WagerKind.BANKER, stake=2500, cash=True)
    game.do(aloud)
    game.wager("1 p 2500")
    for role in roles[:-1]:
        game.do(ConfirmWager(seat=1, on=WagerKind.BANKER), by=role)
    game.refused(ConfirmWager(seat=1, on=WagerKind.BANKER), by=roles[-1])
    game.wager("3 p 2500")
    game.refused(SpeakWager(seat=3, on=WagerKind.BANKER, stake=2500, cash=True))
    assert [(wager.seat, wager.on) for wager in game.state.round.wagers] == [
        (1, WagerKind.PLAYER),
        (3, WagerKind.PLAYER),
    ]
