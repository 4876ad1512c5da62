"""Scenes of the stories: cards drawn in error, seen, face up, or lacking; and what every scene begins with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import ReportExposedCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.step.burning import BurnCards
from baccarat.table.step.house_money import PressHouseMoney
from strategies import MASSACHUSETTS
from table_driver import Game, game_at

STAND, BANKER_DRAWS, PLAYER_DRAWS = "2S 2H 4D 4C", "2S 2H 4D 2C", "2S 3H 3D 4C"
BANKER_WINS, TIE = "7S 9D TH KC", "7S 7D TH KC"
NEXT = "7S 9D TH KC 2C 3C 4C 5C"


def opened(edition: str, cards: str, elections: dict[str, Any], **more: Any) -> Game:
    """A table ready for wagers, from where the story is told."""
    game = game_at(edition, cards, seats=[1, 3], **more, **elections)
    game.opened = len(game.table.log)
    return game


def counted(edition: str, cards: str, elections: dict[str, Any]) -> Game:
    """A round whose two counts are called."""
    game = opened(edition, f"{cards} {NEXT}", elections).wager("1 p 2500", "3 b 2500")
    while set(game.state.round.counted) != set(Side):
        game.act()
    return game


def to_the_end(game: Game) -> Game:
    """This round, and whatever round the card leads to."""
    game.finish_round()
    while game.step not in ("wager", "close", "pass_shoe", "offer_shoe"):
        game.act()
    if game.state.shoe.carried:
        game.go("wager").play("1 t 500")
    return game


def error_card(cards: str, card: str, *, to: Side | None, seen: bool) -> Callable[[str, dict[str, Any]], Game]:
    """A card drawn in error once the counts are called."""

    def tell(edition: str, elections: dict[str, Any]) -> Game:
        game = counted(edition, f"{cards} {card}", elections)
        game.do(ReportErrorCard(to=to, card=Card.parse(card) if seen else None))
        return to_the_end(game)

    return tell


def drawn_early(edition: str, elections: dict[str, Any]) -> Game:
    """A card drawn and seen before the wagering has ended."""
    game = opened(edition, f"3C {NEXT}", elections).wager("1 b 2500")
    game.do(ReportErrorCard(card=Card.parse("3C")))
    return to_the_end(game)


def two_at_once(edition: str, elections: dict[str, Any]) -> Game:
    """One card unseen and one seen, after the hands are complete."""
    game = counted(edition, f"{STAND} 9H 8H", elections)
    game.do(ReportErrorCard())
    game.do(ReportErrorCard(card=Card.parse("8H")))
    return to_the_end(game)


def face_up(dealt: int) -> Callable[[str, dict[str, Any]], Game]:
    """A card lies face up in the shoe after so many are dealt."""

    def tell(edition: str, elections: dict[str, Any]) -> Game:
        cards = BANKER_WINS.split()
        cards.insert(dealt, "3C")
        game = opened(edition, f"{' '.join(cards)} {NEXT}", elections).wager("1 b 2500")
        if dealt:
            game.go("deal")
            for _ in range(dealt):
                game.act()
        game.do(ReportFaceUp(card=Card.parse("3C")))
        return to_the_end(game)

    return tell


def exposed(edition: str, elections: dict[str, Any]) -> Game:
    """A Banker's card is seen before its turn."""
    game = opened(edition, f"{BANKER_WINS} {NEXT}", elections).wager("1 p 2500", "3 b 2500").go("turn_player")
    game.do(ReportExposedCard(position=game.state.round.banker[1], card=Card.parse("KC")))
    return to_the_end(game)


def runs_out(edition: str, elections: dict[str, Any]) -> Game:
    """The shoe runs out in a round whose House Money, where there is any, has been settled."""
    game = opened(edition, "", elections, end="2S 3D 2H KC 4C").wager("1 p 2500", "3 b 2500")
    if edition in MASSACHUSETTS:
        game.wager("1 house_money 500", "3 house_money 500")
    game.skip(left=5, cover_out=True)
    if edition in MASSACHUSETTS:
        game.go("house_money").do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    game.finish_round()
    while game.step == "close":
        game.act()
    return game


def cover_card(edition: str, elections: dict[str, Any]) -> Game:
    """The cover card comes out in a round; one more hand, and the shoe is closed."""
    game = opened(edition, "", elections, end=f"{TIE} {TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC").skip(left=17)
    game.play("1 t 500")
    game.play("1 t 500")
    game.act()
    return game


def banker_third(card: str, *, seen: bool) -> Callable[[str, dict[str, Any]], Game]:
    """A third card to a Banker who stays."""
    return error_card(STAND, card, to=Side.BANKER, seen=seen)


def no_next_hand(edition: str, elections: dict[str, Any]) -> Game:
    """An unseen card too many after the last hand of the shoe (reading A-45)."""
    game = opened(edition, "", elections, end=f"{TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC").skip(left=13, cover_out=True)
    game.wager("1 t 500").go("clear")
    game.do(ReportErrorCard())
    game.finish_round()
    game.act()
    return game


def cover_card_simulated(edition: str, elections: dict[str, Any]) -> Game:
    """The cover card comes out in a simulated round: one real hand more (reading A-44)."""
    game = opened(edition, "", elections, end=f"3C {TIE} {TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC").skip(left=18)
    if edition in MASSACHUSETTS:
        game.wager("1 t 500").do(ReportFaceUp(card=Card.parse("3C")))
    else:
        game.wager("1 t 500").do(ReportErrorCard(card=Card.parse("3C")))
    to_the_end(game)
    game.go("wager").play("1 t 500")
    game.act()
    return game


def face_up_third(edition: str, elections: dict[str, Any]) -> Game:
    """The card that the Player is to draw lies face up in the shoe."""
    game = counted(edition, f"{PLAYER_DRAWS} 8C 2D", elections)
    game.do(ReportFaceUp(card=Card.parse("8C")))
    return to_the_end(game)


def two_unseen(edition: str, elections: dict[str, Any]) -> Game:
    """Two unseen cards too many: the first and the second card of the next hand."""
    game = counted(edition, f"{STAND} 9H 8H", elections)
    game.do(ReportErrorCard())
    game.do(ReportErrorCard())
    return to_the_end(game)


def runs_out_early(edition: str, elections: dict[str, Any]) -> Game:
    """The shoe ends before the first four cards are dealt."""
    game = opened(edition, "", elections, end="2S 3D").wager("1 p 2500", "3 b 2500")
    game.skip(left=2, cover_out=True)
    game.finish_round()
    while game.step == "close":
        game.act()
    return game


def stays_against_an_ace(edition: str, elections: dict[str, Any]) -> Game:
    """The Player draws an ace, against which the Banker stays on six."""
    game = opened(edition, f"2S 3H AD 3D AC {NEXT}", elections).wager("1 p 2500", "3 b 2500")
    game.finish_round()
    return game


def face_up_in_the_burn(edition: str, elections: dict[str, Any]) -> Game:
    """The second card to be burned lies face up in the shoe."""
    game = game_at(edition, NEXT, step="burn", seats=[1, 3], burn="3S 4C 5C", **elections)
    game.opened = len(game.table.log)
    game.do(BurnCards())
    game.act()
    game.do(BurnCards(cards=1))
    game.do(ReportFaceUp(card=Card.parse("5C")))
    return game.go("deal" if edition in MASSACHUSETTS else "wager")
