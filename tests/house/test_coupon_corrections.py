"""Coupons after a correction: the corrected result decides what becomes of one, whatever was announced (A-23, A-88).

Every announced result with every corrected one, at every point of the settlement: a coupon is paid at most once, and
it is never both paid and good again.
"""

from __future__ import annotations

from itertools import product

import pytest

from baccarat.cards import Card
from baccarat.house.coupon import CouponPlace
from baccarat.house.coupon_book import IssueCoupons
from baccarat.house.house import House
from baccarat.house.stream import COUPON_STREAM
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.card_correction import CorrectCard
from baccarat.table.coupon import CouponReturned, CouponTaken
from baccarat.table.invariant import worth
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import PlaceWager
from correction_scenes import PERSONS
from house_books import ADMIN_AND_CASHIER, open_table, opened_house, taken
from plain_settlement import net_of
from table_driver import Game, new_game

VALUE, CHIPS = 2_500, 10_000_000
NATURALS = {"banker": "7S 9D", "tie": "7S 7D", "player": "9S 7D"}
"""The first card of each hand; the second is a ten, so that no hand draws."""
UNFINISHED = "2S 7D"
"""Cards that call for a third one, which was never dealt: everything goes back."""
CORRECTED = {**NATURALS, "unfinished": UNFINISHED}
REST = "TH KC 2C 3C 4C 5C 6C 7C 8C 9C"
AFTER = 6
"""More acts than any of these settlements has."""


def with_coupon(edition: str, cards: str, on: WagerKind) -> tuple[Game, House]:
    """A round in a house at which p1 has laid coupon 101 with his wager, and p1 has used coupon 100 before."""
    first, second = cards.split()
    game = new_game(edition, f"9S 7D TH KC {first} {second} {REST}", match_play=True)
    house = opened_house(game.rules)
    game.table = open_table(house, game.rules)
    game.worth = worth(game.state)
    issue = IssueCoupons(first=100, last=101, value=VALUE, patron="p1")
    taken(house.do(issue, ADMIN_AND_CASHIER, stream=COUPON_STREAM))
    for seat in (1, 3):
        game.do(Sit(seat=seat, person=f"p{seat}"))
        game.do(BuyIn(seat=seat, amount=CHIPS))
    game.go("wager")
    game.do(PlaceWager(seat=1, on=on, stake=VALUE, coupon=VALUE, coupon_number=100))
    game.finish_round()
    assert place(house, 100) is CouponPlace.TAKEN, "it stays so, whatever becomes of the next one at this seat"
    game.go("wager")
    game.do(PlaceWager(seat=1, on=on, stake=VALUE, coupon=VALUE, coupon_number=101))
    game.wager("3 t 500")
    return game, house


def place(house: House, number: int) -> CouponPlace:
    return house.state.coupons.place_of(number)


def correct(game: Game, cards: str) -> None:
    """The first card of each hand is set right, where it is another."""
    for position, text in zip((game.state.round.player[0], game.state.round.banker[0]), cards.split(), strict=True):
        card = Card.parse(text)
        if game.state.round.turned[position] != card:
            number = max(
                at
                for at, event in enumerate(game.table.log)
                if isinstance(event, CardTurned) and event.position == position
            )
            game.do(CorrectCard(corrects=number, position=position, card=card, reason="mis-keyed"), **PERSONS)


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["ma-midi-4", "nj-punto-banco"])
@pytest.mark.parametrize("on", [WagerKind.PLAYER, WagerKind.BANKER])
@pytest.mark.clause("MA:7(b).1")
def test_a_coupon_is_decided_by_the_corrected_result_wherever_the_settlement_stopped(
    edition: str, on: WagerKind
) -> None:
    reached = set[tuple[str, str, int]]()
    for announced, right, acts in product(NATURALS, CORRECTED, range(AFTER)):
        if announced == right:
            continue
        game, house = with_coupon(edition, NATURALS[announced], on)
        before, begun = game.chips(1), len(game.table.log)
        number = game.state.round.number
        game.go("settle")
        done = 0
        while done < acts and game.step == "settle":
            game.act()
            done += 1
        if done < acts:
            continue
        reached.add((announced, right, acts))
        correct(game, CORRECTED[right])
        while game.state.round.number == number:
            player, banker = ([str(card) for card in game.state.round.cards(side)] for side in Side)
            game.act()
        net = net_of(player, banker, on.value[0], VALUE, coupon=VALUE)
        case = (announced, right, acts)
        assert game.chips(1) - before - game.state.money.markers.get(1, 0) - VALUE == net, case
        log = game.table.log[begun:]
        taken_, returned = (sum(isinstance(event, kind) for event in log) for kind in (CouponTaken, CouponReturned))
        assert taken_ <= 1, case
        assert returned == (net == 0), case
        assert place(house, 101) is (CouponPlace.TAKEN if net else CouponPlace.WITH_PATRON), case
        assert place(house, 100) is CouponPlace.TAKEN, case
    assert {(a, r) for a, r, _ in reached} == {(a, r) for a, r in product(NATURALS, CORRECTED) if a != r}
    assert {acts for *_, acts in reached} >= {0, 1, 2}
