"""An electronic shoe is given up before it is over, and the table goes on."""

from __future__ import annotations

import pytest

from baccarat.table.role import Role
from baccarat.table.step.abandoning import AbandonShoe, ShoeAbandoned
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.revealing import ReportLostSeed, SeedRevealed
from baccarat.table.step.turning import TurnCard
from electronic_table import EDITIONS, audited, committed, electronic, seed_of
from strategies import NEW_JERSEY
from table_driver import Game

BEFORE_THE_CUT = ("receive", "inspect", "verify", "spread", "wash", "stack", "shuffle", "lace", "offer_cut")


def owing(edition: str) -> Game:
    """A table between rounds at which vigorish is marked."""
    game = electronic(edition, vig_collection="deferred").go("wager")
    for _ in range(9):
        game.play("1 b 10000")
        if game.state.money.markers and game.step == "wager":
            return game
        game.go("wager")
    raise AssertionError("the Banker wins now and then")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_shoe_is_given_up_between_rounds_and_goes_the_way_of_every_shoe(edition: str) -> None:
    game = owing(edition)
    give_up = AbandonShoe(reason="the table closes")
    game.refused(AbandonShoe(reason=" "), "no_reason")
    game.refused(give_up, "wrong_role", by=Role.DEALER)
    game.wager("3 p 10000")
    game.refused(give_up, "wagers_on_table")
    game.go_to_act("call_no_more_bets").act()
    while game.step not in ("wager", "close"):
        code = game.refused(give_up).code.value
        assert code in ("wagers_on_table", "out_of_order"), code
        game.act()
    game.do(give_up)
    assert game.step == "close"
    assert game.table.expected[0].act == "collect_vigorish"
    game.refused(CloseShoe(), "vigorish_owed")
    game.go_to_act("reveal_seed").go_to_act("close_shoe")
    game.refused(give_up, "out_of_order")
    game.act()
    assert not game.state.money.markers
    assert game.of(ShoeAbandoned)
    assert game.last(ShoeClosed).seed == "revealed"
    assert game.last(ShoeClosed).same_set is (edition == NEW_JERSEY)
    game.refused(give_up, "out_of_order")
    game.go("wager")
    audited(game)


GIVEN_UP_AT = {
    "ma-midi-4": ("receive", "inspect", "spread", "shuffle", "lace", "offer_cut", "cut", "cover_card", "load", "burn",
                  "wager"),
    NEW_JERSEY: ("receive", "verify", "wash", "shuffle", "offer_cut", "cover_card", "burn", "offer_shoe", "wager"),
}  # fmt: skip


@pytest.mark.parametrize(("edition", "step"), [(name, step) for name, steps in GIVEN_UP_AT.items() for step in steps])
def test_a_shoe_may_be_given_up_at_every_step_before_its_first_round_and_the_table_goes_on(
    edition: str, step: str
) -> None:
    game = committed(electronic(edition)).go(step)
    if step == "burn":
        game.act()
    game.do(AbandonShoe(reason="the source is silent"))
    assert game.step == "close"
    assert game.table.expected[0].act == "reveal_seed"
    while game.state.shoe.number == 0:
        for due in game.table.expected:
            if due.act == "turn_card":
                position = next(each for each in game.state.shoe.burn if each not in game.state.shoe.burned)
                card, proof = game.source.card(game.state, position)
                game.do(TurnCard(position=position, card=card, proof=proof))
        game.act()
    assert game.last(SeedRevealed).sealed is (step not in (*BEFORE_THE_CUT, "cut"))
    assert game.state.shoe.former_seed == seed_of(0).hex()
    game.go("wager").play("1 t 500")
    audited(game)


def test_nothing_is_given_up_where_no_shoe_has_begun() -> None:
    game = electronic("ma-midi-4")
    game.refused(AbandonShoe(reason="too early"), "out_of_order")
    game.act()
    game.do(AbandonShoe(reason="the seed was lost at once"))
    game.do(ReportLostSeed(reason="a restart"), who="Flo", second="Sue")
    game.do(CloseShoe())
    assert game.state.shoe.used_sets == ()
    game.do(ReceiveCards(set_id="set 1", decks=8), by=Role.DEALER)
