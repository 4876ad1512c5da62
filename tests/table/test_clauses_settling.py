"""Sections 11 and 9(d), subchapters 3.10 and 3.8(e), at the table: result, settlement, and the end of the shoe."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.play.wager import WagerKind
from baccarat.table.step.announcing import AnnounceResult, ResultAnnounced
from baccarat.table.step.clearing import ClearTable, LastHandCalled, ShoeFinished, TableCleared
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.dealing import CardDrawn, CoverCardOut
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.settlement import CollectLosers, LosersCollected, Paid, Pay, TakeVigorish, VigorishTaken
from baccarat.table.step.wagering import (
    PlaceWager,
)
from printed import paragraphs
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import game_at

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
SIX_CARDS = "2S 3D AH KC 4C 5C"
"""Player 3 draws a four, Banker 3 draws a five: 7 against 8."""


# -------------------------------------------------------------------------- 11, 3.10 result, settlement


@clause("MA:11(a).1", "MA:11(a).2", "NJ:3.10(a).1", "NJ:3.10(a).2", "NJ:3.10(a).3")
@pytest.mark.parametrize(
    ("cards", "calls"),
    [(PLAYER_WINS, "Player 9, Banker 7, Player wins"), (BANKER_WINS, "Player 7, Banker 9, Banker wins"), (TIE, "tie")],
)
@each_edition
def test_11_a_the_result_is_called_before_anything_is_settled(edition: str, cards: str, calls: str) -> None:
    game = game_at(edition, cards).wager("1 b 2500").go("announce")
    game.refused(CollectLosers(), "wrong_step")
    game.refused(ClearTable(), "wrong_step")
    game.do(AnnounceResult())
    event = game.last(ResultAnnounced)
    said = " ".join(event.calls).lower()
    for count in (event.player, event.banker):
        assert str(count) in said
    assert ("tie hand" in said) is (calls == "tie")
    assert event.outcome in said
    assert ("4" in said) is (edition == NEW_JERSEY), "the number of cards, where the wagers on it are offered"


SWEEPS = {1: "PP VV", 2: "VV PP", 3: "PV PV", 4: "VP VP"}


@clause("MA:11(b).1", "MA:11(b).2", "MA:11(b).3", "MA:11(b).4", "NJ:3.10(b)", "NJ:3.10(b)1", "NJ:3.10(b)2",
        "NJ:3.10(b)3", "NJ:3.10(b)4")  # fmt: skip
@pytest.mark.parametrize(("edition", "option"), [*((e, 4) for e in MASSACHUSETTS), *((NEW_JERSEY, n) for n in SWEEPS)])
def test_11_b_losers_first_then_winners_from_the_highest_seat_in_the_filed_order(edition: str, option: int) -> None:
    elections: dict[str, Any] = {"settlement_option": option} if edition == NEW_JERSEY else {}
    game = game_at(edition, BANKER_WINS, **elections).wager("1 p 2500", "3 b 10000", "5 b 20000", "5 t 500")
    game.go("settle")
    seats = {"PP VV": [5, 3, 5, 3], "VV PP": [5, 3, 5, 3], "PV PV": [5, 5, 3, 3], "VP VP": [5, 5, 3, 3]}[SWEEPS[option]]
    letters = SWEEPS[option].replace(" ", "")
    order = "3.10(b)" if edition == NEW_JERSEY else "11(b)"
    game.refused(Pay(seat=5), "out_of_order", cites=order)
    game.refused(TakeVigorish(seat=5), "out_of_order", cites=order)
    game.refused(ClearTable(), "wrong_step")
    game.do(CollectLosers())
    assert game.last(LosersCollected).amounts == {1: 2500, 5: 500}
    for letter, seat in zip(letters, seats, strict=True):
        right, wrong = (Pay(seat=seat), TakeVigorish(seat=seat)) if letter == "P" else (
            TakeVigorish(seat=seat), Pay(seat=seat))  # fmt: skip
        game.refused(wrong, "out_of_order", cites=order)
        game.refused(type(right)(seat=1), "out_of_order")
        game.do(right)
    assert [(event.seat, event.win) for event in game.of(Paid)] == [(5, 20000), (3, 10000)]
    assert [(event.seat, event.amount) for event in game.of(VigorishTaken)] == [(5, 1000), (3, 500)]
    game.finish_round()
    assert [game.chips(seat) - 10_000_000 for seat in (1, 3, 5)] == [-2500, 9500, 18500]


@clause("MA:11(c)", "NJ:3.10(a).1")
@each_edition
def test_11_c_the_cards_go_to_the_discards_and_the_next_round_begins(edition: str) -> None:
    game = game_at(edition, f"{SIX_CARDS} {TIE}").wager("1 t 500").go("clear")
    cards = (*game.state.round.player, *game.state.round.banker)
    game.refused(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500), "wagers_closed")
    assert game.table.expected[0].cites == paragraphs(edition, "3.7(b)" if edition == NEW_JERSEY else "11(c)")
    game.do(ClearTable())
    assert sorted(game.last(TableCleared).positions) == sorted(cards)
    assert (game.state.round.number, game.state.round.player) == (2, ())
    game.go("wager").play("1 t 500")


# --------------------------------------------------------------------- 9(d), 3.8(e) the end of the shoe


@clause("MA:9(d).1", "MA:9(d).2", "MA:9(d).3", "MA:9(d).4", "NJ:3.8(e).1", "NJ:3.8(e).2", "NJ:3.8(e).3")
@pytest.mark.parametrize("before", [0, 1, 2, 3])
@each_edition
def test_9_d_the_cover_card_first_or_in_a_round_ends_the_shoe_one_hand_later(edition: str, before: int) -> None:
    game = game_at(edition, end=f"{TIE} {TIE} {'2C 3C 4C 5C 6C 7C 8C 9C TC JC'}").skip(left=14 + before)
    events = [type(event) for event in game.play("1 t 500")]
    drawn = [kind for kind in events if kind in (CardDrawn, CoverCardOut)]
    assert drawn.index(CoverCardOut) == before
    assert events.index(TableCleared) < events.index(LastHandCalled)
    assert ShoeFinished not in events
    assert game.last(LastHandCalled).say == "last hand"
    out = "3.8(e)" if edition == NEW_JERSEY else "9(d)"
    assert game.last(CoverCardOut).cites == game.last(LastHandCalled).cites == paragraphs(edition, out)
    game.play("1 t 500")
    assert (game.step, len(game.of(LastHandCalled))) == ("close", 1)
    game.refused(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500), "wrong_step")
    assert game.table.expected[0].cites == paragraphs(edition, out)
    game.do(CloseShoe())


@clause("MA:9(d).1", "MA:9(d).2", "NJ:3.8(e).1", "NJ:3.8(e).2")
@each_edition
def test_9_d_before_the_cover_card_nothing_ends(edition: str) -> None:
    game = game_at(edition, end=f"{TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2D 3D").skip(left=18)
    game.play("1 t 500")
    assert not game.of(CoverCardOut)
    assert not game.of(LastHandCalled)


@clause("MA:9(d).4", "MA:13(e).2", "NJ:3.8(e).3", "MA:5(a).1", "NJ:3.5(a)")
@each_edition
def test_9_d_new_decks_replace_the_cards_or_the_set_is_shuffled_again(edition: str) -> None:
    game = game_at(edition, TIE).skip(left=13, cover_out=True)
    game.play("1 t 500")
    game.do(CloseShoe())
    assert game.last(ShoeClosed).same_set is (edition == NEW_JERSEY)
    if edition == NEW_JERSEY:
        assert (game.step, game.state.shoe.set_id) == ("shuffle", "set 1")
    else:
        assert game.step == "receive"
        game.refused(ReceiveCards(set_id="set 1", decks=8), "wrong_cards", cites="9(d)")
        game.do(ReceiveCards(set_id="set 2", decks=8))
        assert game.step == "inspect"
