"""Editions that differ where the shipped ones agree: the order of the deal, the burn, the shuffle, forms, remedies."""

from __future__ import annotations

import random
from typing import Any

import pytest

from baccarat.play.coup import deal
from baccarat.table.automation import command_for, next_due
from baccarat.table.base import Accepted
from baccarat.table.invariant import broken_invariants
from baccarat.table.machine import Table
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.settlement import CollectLosers, LosersCollected, Paid, VigorishTaken
from edited_edition import own, play, rules_under
from table_driver import Game, in_order, parse, seated

pytestmark = pytest.mark.slow

NJ, MA4 = "nj-punto-banco", "ma-midi-4"
IN_PAIRS = ["player", "player", "banker", "banker"]


@pytest.mark.parametrize("submission", [NJ, MA4])
@pytest.mark.parametrize("hands", [IN_PAIRS, IN_PAIRS[::-1], ["banker", "player", "player", "banker"]])
def test_the_first_four_cards_may_go_to_the_hands_in_any_order(
    submission: str, hands: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = own(submission)
    table["deal"]["hands"] = hands
    play(table, submission, monkeypatch)


def test_the_ruling_of_the_deal_says_which_cards_each_hand_has(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(MA4)
    table["deal"]["hands"] = IN_PAIRS[::-1]
    rules = rules_under(table, MA4, monkeypatch)
    said = deal(rules, "2s 3h Kd 9c").why[0].say
    assert said == "Cards one and two to the Banker, three and four to the Player: Kd 9c against 2s 3h"


@pytest.mark.parametrize("more", [4, 0])
def test_the_invariants_expect_the_burn_of_the_edition(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(MA4)
    table["burn"]["value"] = [{"ranks": "23456789TJQKA", "value": more, "cite": table["burn"]["cite"]}]
    play(table, MA4, monkeypatch)


def test_a_burn_that_is_not_the_edition_s_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    filed = rules_under(own(MA4), MA4, monkeypatch)
    table = own(MA4)
    table["burn"]["value"] = [{"ranks": "23456789TJQKA", "value": 11, "cite": table["burn"]["cite"]}]
    rules = rules_under(table, MA4, monkeypatch)
    game = Table(rules)
    game.do(Sit(seat=1, person="guest"))
    game.do(BuyIn(seat=1, amount=1_000_000))
    source = SealedShoe(rules, lambda _number: bytes(32), table="T1")
    while game.state.step != "wager":
        assert isinstance(game.do(command_for(game, next_due(game, source), source)), Accepted)
    assert broken_invariants(rules, game.state) == []
    assert [each.promise for each in broken_invariants(filed, game.state)] == ["C4"]


@pytest.mark.parametrize(
    ("elements", "last"), [(["riffle", "strip"], "strip"), (["plug", "turn"], "turn"), (["box", "cut"], "cut")]
)
def test_a_shuffle_by_hand_may_have_other_elements(
    elements: list[str], last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = own(MA4)
    table["manual_shuffle"] |= {"elements": elements, "last": last}
    play(table, MA4, monkeypatch)


def test_a_document_may_want_a_form_in_three_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(NJ)
    table["vigorish_form"]["copies"] = 3
    play(table, NJ, monkeypatch, vig_collection="deferred")


@pytest.mark.parametrize("remedy", ["discard_two", "simulated_round"])
def test_a_card_found_face_up_may_have_another_remedy(remedy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table: dict[str, Any] = own(NJ)
    table["face_up"] = {"fixed": remedy, "cite": table["face_up"]["cite"]}
    play(table, NJ, monkeypatch)


def test_the_shoe_may_be_offered_first_to_another_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(NJ)
    table["curator"]["first_seat"] = random.Random(3).randrange(2, 8)
    play(table, NJ, monkeypatch)


def test_winners_may_be_paid_before_the_losing_wagers_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(MA4)
    table["settlement"]["losers_first"] = False
    rules = rules_under(table, MA4, monkeypatch)
    game = Game(rules, lambda _number: in_order(8, parse("As 9c 7S 9D TH KC")))
    seated(game, [1, 3]).go("wager").wager("1 p 2500", "3 b 10000").go("settle")
    game.refused(CollectLosers(), "out_of_order")
    kinds = Paid, VigorishTaken, LosersCollected
    settled = [type(event) for event in game.finish_round() if isinstance(event, kinds)]
    assert settled == [VigorishTaken, Paid, LosersCollected]
    assert [game.chips(seat) - 10_000_000 for seat in (1, 3)] == [-2500, 9500]
