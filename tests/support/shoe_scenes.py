"""Scenes of the stories: how shoes begin and end, who deals, and hands without the usual wagers."""

from __future__ import annotations

from typing import Any

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.source import SealedShoe
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.closing import CloseShoe
from baccarat.table.step.cutting import OrderRecut
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.revealing import ReportLostSeed
from baccarat.table.step.sealing import Contribute
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from card_scenes import BANKER_WINS, NEXT, PLAYER_DRAWS, TIE, opened
from table_driver import Game, game_at, new_game, seated
from triggers import FirstWager


def free_hand(edition: str, elections: dict[str, Any]) -> Game:
    """A hand without wagers, at a participant's request."""
    game = opened(edition, f"{PLAYER_DRAWS} 8C 2D {NEXT}", elections)
    game.do(RequestFreeHand(seat=3))
    game.finish_round()
    return game


def with_curator(edition: str, elections: dict[str, Any]) -> Game:
    """A participant deals; a card drawn in error does not cost the shoe, a lost Banker does."""
    game = game_at(edition, f"9S 7D TH KC 5D {NEXT}", seats=[1, 3], curator=3, **elections)
    game.opened = len(game.table.log)
    game.wager("1 p 2500")
    while set(game.state.round.counted) != set(Side):
        game.act()
    game.do(ReportErrorCard())
    game.finish_round()
    game.act()
    return game


def coupons(edition: str, elections: dict[str, Any]) -> Game:
    """Match play coupons that win, lose and push."""
    game = opened(edition, f"{BANKER_WINS} {TIE}", {"match_play": True, **elections})
    for _ in range(2):
        game.go("wager").do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500, coupon=2500))
        game.do(PlaceWager(seat=3, on=WagerKind.PLAYER, stake=5000, coupon=5000))
        game.finish_round()
    return game


def shoe_over(game: Game) -> Game:
    """The shoe comes to its end."""
    game.skip(left=13, cover_out=True).play("1 t 500")
    return game


def plugged(edition: str, elections: dict[str, Any]) -> Game:
    """A set that was played two shoes ago comes again, and is plugged."""
    game = game_at(edition, seats=[1, 3], **elections)
    shoe_over(game).go("receive").do(ReceiveCards(set_id="set 2", decks=8))
    shoe_over(game.go("wager")).go("receive")
    game.opened = len(game.table.log)
    game.do(ReceiveCards(set_id="set 1", decks=8))
    return game.go("offer_cut")


def kept_over_a_reshuffle(edition: str, elections: dict[str, Any]) -> Game:
    """A curator who has not lost deals on after a reshuffle (reading A-90)."""
    game = game_at(edition, end=f"{BANKER_WINS} 2C 3C 4C 5C 6C 7C 8C 9C TC", seats=[1, 3], curator=3, **elections)
    game.opened = len(game.table.log)
    shoe_over(game).go("wager").wager("1 b 2500").go("deal").act()
    return game


def recut(edition: str, elections: dict[str, Any]) -> Game:
    """A casino supervisor orders a new cut, alone."""
    game = game_at(edition, step="cover_card", seats=[1, 3], **elections)
    game.opened = len(game.table.log)
    game.do(OrderRecut(reason="the cut card was seen to bend"), who="S. Upervisor")
    return game.go("cover_card")


def waived(edition: str, elections: dict[str, Any]) -> Game:
    """Vigorish is waived on a form that the patron has not signed."""
    game = opened(edition, f"{BANKER_WINS} {NEXT}", {"vig_collection": "deferred", **elections})
    game.play("1 b 10000")
    game.do(ReceiveForms(first=1, last=50))
    form = ComplimentaryForm(
        serial=1, amount=500, patron="participant 1", dealer="D. Ealer", pit_boss="B. Oss", pit_clerk="C. Lerk",
        why_not_signed="the patron has left the casino", stated_by="B. Oss",
    )  # fmt: skip
    game.do(DocumentVigorish(seat=1, form=form))
    return game


def foul_shoe(edition: str, elections: dict[str, Any]) -> Game:
    """A card comes once more than the decks hold it."""
    game = opened(edition, f"6S 6S 6S 6S 6S 6S {NEXT}", elections, decks=6)
    game.play("1 t 500")
    game.go("wager").wager("1 t 500").go_to_act("turn_card")
    game.do(ConfirmCard(position=game.state.round.player[0], card=Card.parse("6S")))
    return game


def electronic_shoe(edition: str, elections: dict[str, Any]) -> Game:
    """An electronic shoe commits, takes contributions, is given up after a round, and reveals its seed."""
    game = new_game(edition, **elections)
    game.source = SealedShoe(game.rules, lambda _number: bytes(range(32)), table="T7", triggers=FirstWager(game.rules))
    seated(game, [1, 3]).act()
    game.do(Contribute(seat=3, value="7 of March"))
    game.go("wager").play("1 t 500")
    game.do(AbandonShoe(reason="the table closes"))
    game.act()
    game.act()
    return game


def lost_seed(edition: str, elections: dict[str, Any]) -> Game:
    """The seed of an electronic shoe is lost before its order is sealed."""
    game = new_game(edition, **elections)
    game.source = SealedShoe(game.rules, lambda _number: bytes(range(32)), table="T7", triggers=FirstWager(game.rules))
    seated(game, [1, 3]).go("offer_cut")
    game.opened = len(game.table.log)
    game.do(AbandonShoe(reason="the shoe does not answer"))
    game.do(ReportLostSeed(reason="its key was destroyed"), who="F. Loor", second="S. Upervisor")
    game.do(CloseShoe())
    return game
