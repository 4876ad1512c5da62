"""Two people where a document names two: at a table that is on record nobody is both, whatever the role.

Every pair that the documents name, with its test, is in tests/data/persons_named.csv. Here are the pairs of readings
too: an exception report (A-38), a correction (A-88), a shoe given up where wagers were taken (A-94), or called foul
there; a recut takes one person, or two where that is filed (A-89).
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from acting import acting
from baccarat.cards import Card
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.base import Accepted
from baccarat.table.dealers import ComeOn, GoOff
from baccarat.table.exception_report import ExceptionReported, ReportException
from baccarat.table.foul_card import ConfirmCard, ShoeFouled
from baccarat.table.machine import decide
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Left, Sit
from baccarat.table.step.abandoning import AbandonShoe, ShoeAbandoned
from baccarat.table.step.closing import CloseShoe
from baccarat.table.step.opening import CardsPrepared, PrepareCards
from baccarat.table.step.shuffling import ShuffleCards
from baccarat.table.step.spoken_wager import ConfirmWager, SpeakWager, WagerConfirmed
from baccarat.table.step.wagering import PlaceWager, WagerPlaced, WithdrawWager
from baccarat.table.table_cards import TableCards
from card_scenes import BANKER_WINS, TIE
from electronic_table import electronic
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, new_game, seated

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
ONE, SAME, OTHER = "D. Ealer", " d. EALER", "F. Loor"


def on_record(game: Game) -> Game:
    """The same table, opened on record."""
    game.table.state = replace(game.state, cards=TableCards.REAL)
    return game


# --------------------------------------------------------------------------------- inspecting and verifying


@clause("MA:4(b).1", "NJ:3.4(b)")
@each_edition
def test_4_b_nobody_verifies_what_he_has_inspected(edition: str) -> None:
    game = on_record(game_at(edition, step="inspect"))
    game.do(PrepareCards(act="inspect"), who=ONE)
    assert game.last(CardsPrepared).inspector == ONE
    paragraph = "3.4(b)" if edition == NEW_JERSEY else "4(b)"
    for same in (ONE, SAME):
        game.refused(PrepareCards(act="verify"), "same_person", cites=paragraph, who=same)
    game.do(PrepareCards(act="verify"), who=OTHER)
    game.do(PrepareCards(act="spread"), who=OTHER)


@each_edition
def test_4_b_at_a_table_of_an_older_journal_nobody_was_named(edition: str) -> None:
    game = game_at(edition, step="inspect")
    game.do(PrepareCards(act="inspect"), who=ONE)
    game.do(PrepareCards(act="verify"), who=ONE)
    assert not game.last(CardsPrepared).inspector


# --------------------------------------------------------------------------------------- a spoken wager


@clause("NJ:3.2(c).2")
def test_3_2_c_dealer_and_casino_supervisor_who_confirm_a_wager_are_two_people() -> None:
    spoken = SpeakWager(seat=1, on=WagerKind.BANKER, stake=2_500, cash=True)
    confirm = ConfirmWager(seat=1, on=WagerKind.BANKER)
    for first, then in ((Role.DEALER, Role.CASINO_SUPERVISOR), (Role.CASINO_SUPERVISOR, Role.DEALER)):
        game = on_record(game_at(NEW_JERSEY, verbal_wagers=True))
        game.do(spoken)
        game.do(confirm, by=first, who=ONE)
        assert game.last(WagerConfirmed).person == ONE
        game.refused(confirm, "same_person", cites="3.2(c)", by=then, who=SAME)
        assert not game.of(WagerPlaced)
        game.do(confirm, by=then, who=OTHER)
        assert game.last(WagerPlaced).stake == 2_500
        game.do(WithdrawWager(seat=1, on=WagerKind.BANKER))
        game.do(spoken)  # another wager: who confirmed the one before does not count
        for role, who in ((first, OTHER), (then, ONE)):
            game.do(confirm, by=role, who=who)
    old = game_at(NEW_JERSEY, verbal_wagers=True)
    old.do(spoken)
    for role in (Role.DEALER, Role.CASINO_SUPERVISOR):
        old.do(confirm, by=role, who=ONE)
    assert old.last(WagerPlaced).stake == 2_500


# ------------------------------------------------------------------------------------------ three dealers


@clause("NJ:3.5(a)2")
def test_3_5_a_2_one_dealer_under_two_spellings_is_not_two_dealers() -> None:
    game = on_record(game_at(NEW_JERSEY, step="shuffle", shuffle_method=2))
    game.do(ComeOn(person=ONE))
    game.refused(ComeOn(person=SAME), "seat_taken")
    game.refused(ShuffleCards(device=True), "not_entitled", who=ONE)
    game.do(ComeOn(person=OTHER))
    game.do(ShuffleCards(device=True), who=ONE)
    game.refused(ShuffleCards(device=True), "out_of_order", who=ONE)
    game.do(GoOff(person=ONE))  # who comes back under the other spelling has shuffled all the same
    game.do(ComeOn(person=SAME))
    game.refused(ShuffleCards(device=True), "out_of_order", who=SAME)
    again = decide(game.rules, game.state, ShuffleCards(device=True), Actor(who=SAME), behaviour=2)
    assert isinstance(again, Accepted)
    game.do(ShuffleCards(device=True), who=OTHER)


# ------------------------------------------------------------------------------------- a shoe given up, A-94


TWO: dict[str, Any] = {"by": Role.FLOORPERSON, "who": "F. Loor", "second": "P. Boss", "second_role": Role.PIT_BOSS}


@each_edition
def test_a_shoe_in_which_wagers_were_taken_is_given_up_by_two_persons(edition: str) -> None:
    """A floorperson ended a shoe between rounds because the count favoured the players."""
    game = on_record(game_at(edition, TIE))
    give_up = AbandonShoe(reason="the count favours the players")
    game.play("1 p 2500")
    game.go("wager")
    game.refused(give_up, "no_reason", by=Role.FLOORPERSON, who="F. Loor")
    game.refused(give_up, "same_person", **TWO | {"second": "f.  loor"})
    game.refused(give_up, "wrong_role", **TWO | {"second_role": Role.DEALER})
    game.refused(replace(give_up, reason=" "), "no_reason", **TWO)
    game.do(give_up, **TWO)
    assert game.last(ShoeAbandoned).reason == give_up.reason


@each_edition
def test_a_shoe_that_nobody_has_wagered_in_is_given_up_by_one(edition: str) -> None:
    game = on_record(game_at(edition, TIE))
    game.do(AbandonShoe(reason="the table closes"), by=Role.FLOORPERSON)
    old = game_at(edition, TIE)
    old.play("1 p 2500")
    old.go("wager").do(AbandonShoe(reason="as it was"), by=Role.FLOORPERSON)


# ---------------------------------------------------------------------------- the marker of somebody who sits


def owing(edition: str) -> Game:
    """Seat 3, who owes $5.00, has no chips left."""
    game = game_at(edition, BANKER_WINS, chips=10_000, vig_collection="deferred",
                   end=f"{BANKER_WINS} 2C 3C 4C 5C 6C 7C 8C 9C TC")  # fmt: skip
    game.play("3 b 10000")
    game.go("wager")
    return on_record(game)


REPORT: dict[str, Any] = {"who": "F. Loor", "second": "S. Upervisor"}


@clause("MA:12(d)(2)(iii)")
@each_of_massachusetts
def test_12_d_2_iii_no_marker_is_removed_while_its_owner_sits(edition: str) -> None:
    """An exception report freed a friend of his debt, who went on playing."""
    game = owing(edition)
    game.skip(left=13, cover_out=True).play("3 p 20000")
    report = ReportException(seat=3, reason="walked away")
    game.do(report, **REPORT)
    assert game.last(ExceptionReported).amount == 500
    assert (game.last(Left).seat, game.last(Left).chips) == (3, 0)
    assert game.state.at(3) is None
    assert (game.state.money.markers, game.state.money.receivables) == ({}, {"participant 3": 500})
    game.do(CloseShoe())


@clause("MA:12(d)(2)(iii)")
def test_12_d_2_iii_wagers_and_chips_of_the_one_who_walked_away_pay_first() -> None:
    game = owing("ma-midi-4")
    report = ReportException(seat=3, reason="walked away")
    chips = game.chips(3)
    game.do(PlaceWager(seat=3, on=WagerKind.PLAYER, stake=chips))
    refused = game.refused(report, "vigorish_owed", cites="12(d)(2)(i)", **REPORT)
    assert "collected" in refused.say
    game.go("deal")
    game.refused(report, "wagers_on_table", **REPORT)


def test_somebody_who_comes_back_sits_down_again_with_the_debt_on_record() -> None:
    game = owing("ma-midi-4")
    game.skip(left=13, cover_out=True).play("3 p 20000")
    game.do(ReportException(seat=3, reason="walked away"), **REPORT)
    game.do(Sit(seat=3, person="participant 3"))
    game.do(BuyIn(seat=3, amount=100))
    assert game.state.money.receivables == {"participant 3": 500}


@clause("MA:12(d)(2)(iii)")
@each_of_massachusetts
def test_12_d_2_iii_who_sits_at_another_seat_has_not_walked_away(edition: str) -> None:
    """A friend with chips at a second seat was freed of the debt at the first, and went on playing."""
    game = owing(edition)
    game.do(Sit(seat=4, person=" Participant  3"))
    game.do(BuyIn(seat=4, amount=1_000_000))
    game.skip(left=13, cover_out=True).play("3 p 20000")
    report = ReportException(seat=3, reason="walked away")
    refused = game.refused(report, "vigorish_owed", cites="12(d)(2)(i)", **REPORT)
    assert "seat 4" in refused.say
    assert game.state.money.markers == {3: 500}
    actor = acting(game.table, report, who=REPORT["who"], second=REPORT["second"])
    assert isinstance(decide(game.rules, game.state, report, actor, behaviour=2), Accepted)
    game.do(Leave(seat=4))
    game.do(report, **REPORT)
    assert game.state.money.receivables == {"participant 3": 500}


# --------------------------------------------------------------------------------------------- a foul card


def foul_game(edition: str, cards: TableCards) -> tuple[Game, ConfirmCard]:
    """A live round after three cards, and an invented card that nobody can prove or the shoe cannot hold."""
    electronic_cards = cards is not TableCards.REAL
    game = electronic(edition) if electronic_cards else seated(new_game(edition), [1, 3])
    game.table.state = replace(game.state, cards=cards)
    game.go("wager").wager("1 t 500")
    while len(game.state.round.turned) < 3:
        game.act()
    invented, round_, shoe = Card.parse("9s"), game.state.round, game.state.shoe
    if not electronic_cards:
        seen = {**shoe.seen, str(invented): shoe.decks}
        game.table.state = replace(game.state, shoe=replace(shoe, seen=seen))
    position = next(place for place in (*round_.player, *round_.banker) if place not in round_.turned)
    return game, ConfirmCard(position=position, card=invented)


@pytest.mark.parametrize("cards", list(TableCards))
@pytest.mark.parametrize("edition", ["ma-midi-4", NEW_JERSEY])
def test_nobody_voids_a_round_alone_by_confirming_a_card_that_he_invented(edition: str, cards: TableCards) -> None:
    game, confirm = foul_game(edition, cards)
    game.refused(confirm, "no_reason", who=OTHER)
    game.refused(confirm, "same_person", who=OTHER, second=f" {OTHER.upper()}", second_role=Role.PIT_BOSS)
    game.refused(confirm, "wrong_role", who=OTHER, second=ONE, second_role=Role.DEALER)
    assert game.state.round.wagers
    assert not game.state.stopped
    game.do(confirm, who=OTHER, second="S. Uper", second_role=Role.CASINO_SUPERVISOR)
    assert game.last(ShoeFouled).position == confirm.position
    assert not game.state.round.wagers


def test_a_foul_card_before_the_first_wager_of_a_shoe_takes_one_person() -> None:
    """Nobody can win or lose by it; and a table whose opening states nothing does as it did."""
    game = electronic("ma-midi-4")
    game.table.state = replace(game.state, cards=TableCards.ELECTRONIC)
    game.go("burn").go_to_act("turn_card")
    game.do(ConfirmCard(position=game.state.shoe.next, card=Card.parse("9s")))
    assert game.of(ShoeFouled)
    game, confirm = foul_game("ma-midi-4", TableCards.ELECTRONIC)
    game.table.state = replace(game.state, cards=UNSET)
    game.do(confirm)
