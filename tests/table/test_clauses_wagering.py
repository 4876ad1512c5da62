"""Section 7 and 8(b), subchapters 3.2 and 3.7(a), at the table: wagers until no more bets are taken, and free hands."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.base import Accepted
from baccarat.table.machine import decide
from baccarat.table.role import Role
from baccarat.table.round_state import RoundKind
from baccarat.table.seating_acts import Leave, Left, Sit
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.calling import CallCards, CallNoMoreBets, CardsCalled, NoMoreBetsCalled
from baccarat.table.step.dealing import DrawCard
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.spoken_wager import ConfirmWager, SpeakWager, SpokenWagerOff
from baccarat.table.step.turning import (
    CardsHanded,
)
from baccarat.table.step.wagering import ChangeWager, PlaceWager, WithdrawWager
from baccarat.table.table_cards import TableCards
from printed import paragraphs
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import game_at, seated

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
SIX_CARDS = "2S 3D AH KC 4C 5C"
"""Player 3 draws a four, Banker 3 draws a five: 7 against 8."""


@clause("MA:7(b).1", "NJ:3.2(c).1", "MA-v1-3:7(c)", "MA-v4:7(d)", "NJ:3.2(d)", "MA:8(b)", "NJ:3.7(b).1")
@each_edition
def test_7_b_wagers_are_made_changed_and_withdrawn_until_no_more_bets(edition: str) -> None:
    game = game_at(edition, chips=10_000)
    place = "3.2(c)" if edition == NEW_JERSEY else "7(b)"
    assert game.table.expected[0].cites == paragraphs(edition, place)
    (made, *_) = game.do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500))
    assert made.cites == paragraphs(edition, "3.2(a)" if edition == NEW_JERSEY else "7(a)", place)
    game.refused(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500), "out_of_order")
    game.refused(PlaceWager(seat=2, on=WagerKind.BANKER, stake=2500), "seat_empty")
    game.refused(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=7600), "not_enough_chips")
    game.refused(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=0), "no_such_wager")
    game.refused(ChangeWager(seat=1, on=WagerKind.TIE, stake=600), "no_such_wager")
    game.refused(ChangeWager(seat=1, on=WagerKind.BANKER, stake=10_100), "not_enough_chips")
    game.do(ChangeWager(seat=1, on=WagerKind.BANKER, stake=10_000))
    assert game.chips(1) == 0
    game.do(ChangeWager(seat=1, on=WagerKind.BANKER, stake=2600))
    game.do(PlaceWager(seat=1, on=WagerKind.TIE, stake=500))
    game.do(WithdrawWager(seat=1, on=WagerKind.TIE))
    assert game.chips(1) == 7400
    game.refused(DrawCard(), "wrong_step")
    game.do(CallNoMoreBets())
    closed = {NEW_JERSEY: "3.2(d)", "ma-midi-4": "7(d)"}.get(edition, "7(c)")
    for late in (
        PlaceWager(seat=3, on=WagerKind.BANKER, stake=2500),
        ChangeWager(seat=1, on=WagerKind.BANKER, stake=5000),
        WithdrawWager(seat=1, on=WagerKind.BANKER),
    ):
        game.refused(late, "wagers_closed", cites=closed)


@clause("MA:8(b)", "NJ:3.7(b).1", "NJ:3.7(b).2")
@each_edition
def test_8_b_the_dealer_calls_no_more_bets_and_in_new_jersey_cards(edition: str) -> None:
    game = game_at(edition)
    game.refused(CallNoMoreBets(), "no_such_wager")
    game.wager("1 b 2500")
    for role in set(Role) - {Role.DEALER}:
        game.refused(CallNoMoreBets(), "wrong_role", by=role)
    game.do(CallNoMoreBets())
    called = game.last(NoMoreBetsCalled)
    assert called.say.lower() == "no more bets"
    assert called.cites == paragraphs(edition, "3.7(b)" if edition == NEW_JERSEY else "8(b)")
    if edition == NEW_JERSEY:
        assert game.step == "call_cards"
        game.refused(DrawCard(), "wrong_step")
        game.do(CallCards())
        assert game.last(CardsCalled).say == "Cards"
    assert game.step == "deal"


@clause("MA:7(b).2", "NJ:3.2(c).2")
@each_edition
def test_7_b_a_spoken_wager_stands_when_those_named_have_confirmed_it_and_the_cash_is_changed(edition: str) -> None:
    game = game_at(edition)
    game.refused(SpeakWager(seat=1, on=WagerKind.BANKER, stake=2500, cash=False), "not_enough_chips")
    game.do(SpeakWager(seat=1, on=WagerKind.BANKER, stake=2500, cash=True))
    game.refused(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500), "out_of_order")
    game.refused(ConfirmWager(seat=1, on=WagerKind.TIE), "no_such_wager")
    assert not game.state.round.wagers
    if edition == NEW_JERSEY:
        game.do(ConfirmWager(seat=1, on=WagerKind.BANKER))
        assert not game.state.round.wagers, "the casino supervisor confirms as well"
        game.do(ConfirmWager(seat=1, on=WagerKind.BANKER), by=Role.CASINO_SUPERVISOR)
    else:
        game.refused(ConfirmWager(seat=1, on=WagerKind.BANKER), "wrong_role", by=Role.CASINO_SUPERVISOR)
        game.do(ConfirmWager(seat=1, on=WagerKind.BANKER))
    assert [wager.stake for wager in game.state.round.wagers] == [2500]
    assert game.chips(1) == 10_000_000, "its chips came for cash"


@clause("MA:7(b).2", "NJ:3.2(c).2")
@each_edition
def test_7_b_a_wager_only_spoken_is_off_when_the_wagering_ends_or_its_owner_goes(edition: str) -> None:
    game = game_at(edition).wager("3 b 2500")
    game.do(SpeakWager(seat=1, on=WagerKind.BANKER, stake=2500, cash=True))
    game.do(SpeakWager(seat=5, on=WagerKind.BANKER, stake=2500, cash=True))
    game.do(Leave(seat=5))
    assert [off.seat for off in game.of(SpokenWagerOff)] == [5]
    game.refused(ConfirmWager(seat=5, on=WagerKind.BANKER), "no_such_wager")
    game.do(CallNoMoreBets())
    assert [off.seat for off in game.of(SpokenWagerOff)] == [5, 1]
    assert [wager.seat for wager in game.state.round.wagers] == [3]
    silent = game_at(edition, verbal_wagers=False)
    silent.refused(SpeakWager(seat=1, on=WagerKind.BANKER, stake=2500, cash=True), "not_offered")


@clause("MA:7(b).2", "NJ:3.2(c).2")
@each_edition
def test_7_b_a_dealer_confirms_the_sum_that_was_repeated_and_not_a_larger_one_spoken_meanwhile(edition: str) -> None:
    """$25 in cash lies there; the patron leaves, comes back and speaks of $2,500 while the dealer repeats $25."""
    game = game_at(edition).wager("3 b 2500")
    game.do(SpeakWager(seat=1, on=WagerKind.BANKER, stake=2500, cash=True))
    repeated = ConfirmWager(seat=1, on=WagerKind.BANKER, stake=2500)
    game.do(Leave(seat=1))
    game.do(Sit(seat=1, person="participant 1"))
    game.do(SpeakWager(seat=1, on=WagerKind.BANKER, stake=250_000, cash=True))
    said = game.refused(repeated, "wrong_sum")
    assert said.say.endswith("seat 1 has spoken a wager of $2,500.00, not $25.00"), said.say
    game.do(ConfirmWager(seat=1, on=WagerKind.BANKER, stake=250_000))


@pytest.mark.parametrize("cards", [TableCards.REAL, TableCards.ELECTRONIC])
def test_7_b_no_wager_is_spoken_where_the_program_deals_and_hears_none(cards: TableCards) -> None:
    """Nobody could confirm it: the patron could not wager on that area any more, and the shoe could not be given up."""
    game = game_at("ma-midi-4")
    spoken = SpeakWager(seat=1, on=WagerKind.BANKER, stake=2500, cash=True)
    at_automated = replace(game.state, cards=TableCards.AUTOMATED)
    by = Actor(who="participant 1", role=Role.PARTICIPANT)
    found = decide(game.rules, at_automated, spoken, by)
    assert isinstance(found, Refused)
    assert (found.what, found.cites) == ("no_spoken_wagers_here", game.rules.cite("7(b).2"))
    assert isinstance(decide(game.rules, at_automated, spoken, by, behaviour=2), Accepted), "as it was then"
    assert isinstance(decide(game.rules, replace(game.state, cards=cards), spoken, by), Accepted)


@clause("MA:7(b).2", "NJ:3.2(c).2", "NJ:3.2(b).2")
def test_7_b_a_spoken_wager_is_looked_at_again_when_it_is_confirmed() -> None:
    game = game_at(NEW_JERSEY, bonus_base_required=True).wager("1 b 2500")
    game.do(SpeakWager(seat=1, on=WagerKind.DRAGON_BANKER, stake=500, cash=True))
    game.do(WithdrawWager(seat=1, on=WagerKind.BANKER))
    game.do(ConfirmWager(seat=1, on=WagerKind.DRAGON_BANKER))
    game.refused(ConfirmWager(seat=1, on=WagerKind.DRAGON_BANKER), cites="3.2(b)", by=Role.CASINO_SUPERVISOR)


@clause("MA-v4:1 Free Hand", "MA-v4:7(c)", "MA:8(d).4")
def test_7_c_a_free_hand_is_dealt_on_request_without_any_wager() -> None:
    game = game_at("ma-midi-4", f"{SIX_CARDS} {PLAYER_WINS}", max_consecutive_free_hands=1)
    game.refused(RequestFreeHand(seat=2), "seat_empty")
    game.wager("1 tie 500")
    game.refused(RequestFreeHand(seat=1), "wagers_on_table", cites="7(c)")
    game.do(WithdrawWager(seat=1, on=WagerKind.TIE))
    game.do(RequestFreeHand(seat=1))
    game.do(PlaceWager(seat=3, on=WagerKind.BANKER, stake=2500))
    assert game.state.round.kind is RoundKind.WAGERED, "one who does wager is not shut out by one who does not"
    game.do(WithdrawWager(seat=3, on=WagerKind.BANKER))
    game.do(RequestFreeHand(seat=5))
    game.do(Leave(seat=5))
    assert game.state.round.kind is RoundKind.WAGERED, "nobody who is gone asks for anything"
    seated(game, [5]).do(RequestFreeHand(seat=1))
    before = [game.chips(seat) for seat in (1, 3, 5)]
    game.finish_round()
    assert game.last(ResultAnnounced).outcome == "banker"
    assert not game.of(CardsHanded)
    assert [game.chips(seat) for seat in (1, 3, 5)] == before
    game.refused(RequestFreeHand(seat=1), "not_offered")
    game.play("1 tie 500")
    game.do(RequestFreeHand(seat=1))


@clause("MA-v4:7(c)")
@pytest.mark.parametrize("edition", [*MASSACHUSETTS[:3], NEW_JERSEY])
def test_7_c_no_other_document_knows_a_free_hand(edition: str) -> None:
    game_at(edition).refused(RequestFreeHand(seat=1), "not_offered")


@clause("MA-v4:7(c)", "MA:9(d).2", "MA:9(d).3")
def test_7_c_a_free_hand_counts_as_the_last_hand() -> None:
    game = game_at("ma-midi-4", end=f"{TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC").skip(left=13, cover_out=True)
    game.do(RequestFreeHand(seat=1))
    game.finish_round()
    assert game.step == "close"


@clause("MA-v1-3:7(c)", "MA-v4:7(d)", "NJ:3.2(d)")
@each_edition
def test_7_leaving_takes_wagers_back_only_while_wagers_may_be_taken_back(edition: str) -> None:
    game = game_at(edition, BANKER_WINS).wager("1 b 2500", "1 t 500", "3 b 2500")
    game.do(Leave(seat=1))
    assert game.last(Left).chips == 10_000_000
    assert [wager.seat for wager in game.state.round.wagers] == [3]
    game.do(CallNoMoreBets())
    paragraph = {"nj-punto-banco": "3.2(d)", "ma-midi-4": "7(d)"}.get(edition, "7(c)")
    game.refused(Leave(seat=3), "wagers_on_table", cites=paragraph)
    game.finish_round()
    game.do(Leave(seat=3))
