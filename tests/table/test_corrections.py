"""Corrections (reading A-88): a mis-keyed card and all that follows, a wrong payment; two persons, a named event."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.table.base import Event
from baccarat.table.card_correction import CardCorrected, CorrectCard, ThirdCardTakenBack
from baccarat.table.correctable_event import ROUND_OVER, _open_round
from baccarat.table.foul_card import ConfirmCard, ShoeFouled
from baccarat.table.irregularity.remedy import CardCarried, CardReassigned, CardsDiscarded, SimulatedRoundOrdered
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.proof import CardProof
from baccarat.table.role import Role
from baccarat.table.round_state import RoundKind
from baccarat.table.seating_acts import Leave
from baccarat.table.source import SealedShoe
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.burning import BurnCards, BurnedCardTurned
from baccarat.table.step.calling import CardsCalled
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.settlement import Paid
from baccarat.table.step.turning import AnnounceCount, CardTurned, TurnCard
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, new_game, seated

WHY = {"reason": "mis-keyed"}
TWO: dict[str, Any] = {"who": "D. Ealer", "second": "F. Loor"}
TIE, BANKER_WINS, REST = "7S 7D TH KC", "7S 9D TH KC", "2C 3C 4C 5C 6C 7C 8C 9C"
each_edition = pytest.mark.parametrize("edition", EDITIONS)


def number_of(game: Game, kind: type[Event], **fields: Any) -> int:
    """The number of the last event of a kind."""
    log = list(enumerate(game.table.log))
    return next(
        number
        for number, event in reversed(log)
        if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
    )


def mended(game: Game, position: int, card: str, **more: Any) -> CorrectCard:
    """The correction of a turned card."""
    corrects = number_of(game, CardTurned, position=position)
    return CorrectCard(**{**WHY, "corrects": corrects, "position": position, "card": Card.parse(card), **more})


def counted(edition: str, cards: str, **elections: Any) -> Game:
    """A round whose counts are called."""
    game = game_at(edition, f"{cards} {REST}", seats=[1, 3], **elections).wager("1 p 2500", "3 b 2500")
    while set(game.state.round.counted) != set(Side):
        game.act()
    return game


@each_edition
def test_a_mis_keyed_card_is_corrected_by_two_persons_and_counted_anew(edition: str) -> None:
    game = game_at(edition, TIE).wager("1 t 500").go("turn_banker")
    place = game.state.round.player[0]
    game.refused(mended(game, place, "6S"), "same_person", who="D. Ealer", second="d. EALER")
    game.refused(mended(game, place, "6S"), "wrong_role", by=Role.FLOORPERSON, second_role=Role.FLOORPERSON, **TWO)
    game.refused(mended(game, place, "6S", reason=""), "no_reason", **TWO)
    game.refused(mended(game, place, "7S"), "wrong_cards", **TWO)
    game.refused(CorrectCard(**WHY, corrects=0, position=400, card=Card.parse("6S")), "wrong_cards", **TWO)
    for other in (-1, 0, 10**9):
        game.refused(mended(game, place, "6S", corrects=other), "out_of_order", **TWO)
    game.do(mended(game, place, "6S"), **TWO)
    assert game.last(CardCorrected).was == Card.parse("7S")
    assert game.step == "turn_player"
    game.do(AnnounceCount())
    game.finish_round()
    assert game.last(ResultAnnounced).player == 6


@each_edition
def test_a_correction_that_changes_no_draw_leaves_third_cards_where_they_lie(edition: str) -> None:
    game = counted(edition, "2S 3D AH KC 4C 5C")
    while len(game.state.round.banker) < 3:
        game.act()
    hands = game.state.round.player, game.state.round.banker
    game.do(mended(game, game.state.round.player[0], "2H"), **TWO)
    assert (game.state.round.player, game.state.round.banker) == hands
    assert not game.of(ThirdCardTakenBack)
    game.finish_round()
    assert game.last(ResultAnnounced).player == 7


@each_edition
@pytest.mark.parametrize("turned", [False, True])
def test_a_third_card_dealt_to_a_player_who_stands_becomes_the_bankers(edition: str, turned: bool) -> None:
    """Keyed 5, really 6: the Player stands, the Banker on 3 must draw, and takes the card."""
    game = counted(edition, "2S 3D 3H KC 4C")
    game.act()
    if turned:
        while len(game.state.round.turned) < 5:
            game.act()
    place = game.state.round.player[2]
    game.do(mended(game, game.state.round.player[0], "3S"), **TWO)
    back, given = game.last(ThirdCardTakenBack), game.last(CardReassigned)
    assert (back.side, back.card) == (Side.PLAYER, Card.parse("4C") if turned else None)
    assert (given.position, given.to) == (place, Side.BANKER)
    assert len(game.state.round.player) == 2
    assert game.state.round.banker[2:] == (place,)
    game.finish_round()
    assert (game.last(ResultAnnounced).player, game.last(ResultAnnounced).banker) == (6, 7)


@pytest.mark.parametrize("edition", MASSACHUSETTS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_third_card_that_nobody_may_have_goes_where_the_clauses_say(edition: str, turned: bool) -> None:
    """Keyed 5, really 8: a natural, and both hands stand."""
    game = counted(edition, "2S 3D 3H 4C 4C", disclosed_third_card="discard_two")
    game.act()
    if turned:
        while len(game.state.round.turned) < 5:
            game.act()
    place = game.state.round.player[2]
    game.do(mended(game, game.state.round.player[0], "5S"), **TWO)
    assert len(game.state.round.player) == 2
    if turned:
        assert game.last(CardsDiscarded).positions == (place, place + 1)
    else:
        assert game.last(CardCarried).position == place
    game.finish_round()
    assert (game.last(ResultAnnounced).player, game.last(ResultAnnounced).banker) == (8, 7)
    if not turned:
        game.go("wager").wager("1 t 500").go("deal").act()
        assert game.state.round.player[0] == place


def test_both_third_cards_move_on_by_one_hand() -> None:
    """Keyed 5, really 6: the Player's third card is the Banker's, and the Banker's was drawn in error."""
    game = counted("ma-midi-4", "2S 3D 3H KC 4C 5C", disclosed_third_card="simulated_round")
    while len(game.state.round.turned) < 6:
        game.act()
    first, second = game.state.round.player[2], game.state.round.banker[2]
    game.do(mended(game, game.state.round.player[0], "3S"), **TWO)
    assert [event.position for event in game.of(ThirdCardTakenBack)] == [first, second]
    assert game.state.round.banker[2] == first
    assert game.last(SimulatedRoundOrdered).position == second
    game.finish_round()
    assert game.last(ResultAnnounced).banker == 7
    assert game.state.round.kind is RoundKind.SIMULATED


def test_a_bankers_third_card_is_the_players_who_should_have_drawn_first() -> None:
    """Keyed 6, really 5: the Player draws."""
    game = counted("nj-punto-banco", "3S 3D 3H KC 4C")
    game.act()
    place = game.state.round.banker[2]
    game.do(mended(game, game.state.round.player[0], "2S"), **TWO)
    assert game.state.round.player[2] == place
    assert len(game.state.round.banker) == 2
    game.finish_round()


@each_edition
def test_after_the_result_the_card_is_set_right_and_payments_one_by_one(edition: str) -> None:
    """The Banker had five and no third card: the cards settle nothing, and the win, less its vigorish, is due."""
    game = game_at(edition, f"{BANKER_WINS} {REST}").wager("1 b 2500").go("settle")
    while game.step == "settle":
        game.act()
    place = game.state.round.banker[0]
    seen = dict(game.state.shoe.seen)
    game.do(mended(game, place, "5D"), **TWO)
    assert game.state.shoe.seen["9d"] == seen["9d"] - 1
    before, paid = game.chips(1), number_of(game, Paid)
    right: dict[str, Any] = {**WHY, "corrects": paid, "seat": 1, "amount": -2375}
    game.refused(CorrectPayment(**{**right, "seat": 2}), "seat_empty", **TWO)
    game.refused(CorrectPayment(**{**right, "amount": 0}), "no_such_wager", **TWO)
    for amount in (-before - 1, -2376, 2375, 1):
        game.refused(CorrectPayment(**{**right, "amount": amount}), "wrong_sum", **TWO)
    game.refused(CorrectPayment(**{**right, "corrects": 0}), "out_of_order", **TWO)
    game.refused(CorrectPayment(**{**right, "corrects": paid, "seat": 3}), "wrong_sum", **TWO)
    game.do(CorrectPayment(**right), **TWO)
    assert game.chips(1) == before - 2375
    assert not [due for due in game.table.expected if due.act == "settle_due"]
    game.finish_round()


def burning(edition: str, first: str, **elections: Any) -> Game:
    """A table whose first burned card is keyed."""
    game = seated(new_game(edition, f"{first} {REST} {REST}", **elections), [1, 3]).go("burn")
    game.do(BurnCards())
    game.do(TurnCard(position=0, card=Card.parse(first)))
    return game


@each_edition
@pytest.mark.parametrize(("right", "burned"), [("5S", 6), ("2S", 3), ("AS", 2)])
def test_the_first_burned_card_is_corrected_while_the_burn_goes_on(edition: str, right: str, burned: int) -> None:
    game = burning(edition, "9S")
    fix = CorrectCard(**WHY, corrects=number_of(game, BurnedCardTurned), position=0, card=Card.parse(right))
    game.do(fix, **TWO)
    game.go("wager" if edition != NEW_JERSEY else "offer_shoe")
    assert len(game.state.shoe.burn) == burned
    assert game.state.shoe.burned[0] == Card.parse(right)


def test_cards_burned_too_many_stay_burned() -> None:
    game = burning("ma-midi-1", "3S").go("wager")
    fix = CorrectCard(**WHY, corrects=number_of(game, BurnedCardTurned, position=0), position=0,
                      card=Card.parse("AS"))  # fmt: skip
    seen = game.state.shoe.seen
    game.do(fix, **TWO)
    assert (len(game.state.shoe.burn), game.step) == (4, "wager")
    assert game.state.shoe.seen["3s"] == seen["3s"] - 1


@pytest.mark.parametrize("edition", ["ma-midi-4", NEW_JERSEY])
def test_j7_a_card_that_cannot_be_proved_stops_the_table_and_frees_everybody(edition: str) -> None:
    game = game_at(edition, step="offer_cut", seats=[1, 3])
    source = SealedShoe(game.table.rules, lambda number: bytes([number + 1]) * 32, table="T1")
    game.source = source
    game.go("wager").wager("1 t 500").go_to_act("turn_card")
    place = game.state.round.player[0]
    card, proof = source.card(game.state, place)
    assert proof is not None
    game.refused(ConfirmCard(position=place, card=card, proof=proof), "out_of_order")
    wrong = CardProof("00" * 16, proof.path)
    game.refused(TurnCard(position=place, card=card, proof=wrong), "wrong_proof")
    game.do(ConfirmCard(position=place, card=card, proof=wrong))
    assert "not the card that was sealed" in game.last(ShoeFouled).why
    assert game.state.stopped
    assert game.chips(1) == 10_000_000
    for seat in game.state.occupied:
        game.do(Leave(seat=seat))
    assert game.state.occupied == []


CLEARED, CALLED = TableCleared(positions=()), CardsCalled(say="")


def plain_open_round(number: int, log: list[Event]) -> list[tuple[int, Event]]:
    """The events that count for a payment: from its round on, those after the last round that was over."""
    first = number
    while first > 0 and not isinstance(log[first - 1], ROUND_OVER):
        first -= 1
    over = max((index for index in range(first, len(log)) if isinstance(log[index], ROUND_OVER)), default=first - 1)
    return [(index, log[index]) for index in range(over + 1, len(log))]


@given(st.lists(st.booleans(), min_size=1, max_size=300), st.data())
def test_what_counts_for_a_payment_is_found_without_reading_all_that_happened_since(
    ends: list[bool], data: st.DataObject
) -> None:
    log: list[Event] = [CLEARED if is_end else CALLED for is_end in ends]
    named, read = data.draw(st.integers(0, len(log) - 1)), list[int]()

    def event_at(number: int) -> Event | None:
        read.append(number)
        return log[number] if 0 <= number < len(log) else None

    found = _open_round(named, event_at)
    assert found == plain_open_round(named, log)
    assert len(read) <= len(found) + 2 * (len(log) - named).bit_length() + 3
