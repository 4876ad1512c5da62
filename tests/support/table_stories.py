"""Stories of irregularities: short scenes at a table, told as transcripts; the golden files are made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import Kind
from baccarat.table.correction import ConfirmCard, CorrectCard, CorrectPayment
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import ReportExposedCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.owing import ComplimentaryForm, DocumentVigorish, ReceiveForms
from baccarat.table.source import SealedShoe
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.burning import BurnCards
from baccarat.table.step.closing import CloseShoe
from baccarat.table.step.cutting import OrderRecut
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.revealing import ReportLostSeed
from baccarat.table.step.sealing import Contribute
from baccarat.table.step.settlement import LosersCollected, Paid
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import PlaceWager, RequestFreeHand
from baccarat.table.story import transcript
from paths import DATA
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, new_game, seated
from triggers import FirstWager

FOLDER = DATA / "transcripts"
STAND, BANKER_DRAWS, PLAYER_DRAWS = "2S 2H 4D 4C", "2S 2H 4D 2C", "2S 3H 3D 4C"
BANKER_WINS, TIE = "7S 9D TH KC", "7S 7D TH KC"
NEXT = "7S 9D TH KC 2C 3C 4C 5C"


class Story(NamedTuple):
    """One scene: what it shows, under which edition and elections, and how it goes."""

    name: str
    title: str
    edition: str
    elections: dict[str, Any]
    tell: Callable[[str, dict[str, Any]], Game]

    @property
    def path(self) -> Path:
        """The golden file."""
        return FOLDER / f"{self.edition}-{self.name}.txt"

    def lines(self) -> Iterator[str]:
        """The story: its title, what was filed, and what happened after the table was opened."""
        yield f"{self.title} ({self.edition})"
        for key, value in self.elections.items():
            yield f"filed: {key} = {value}"
        yield ""
        game = self.tell(self.edition, self.elections)
        yield from transcript(game.table.log[game.opened :])


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
        game.go("house_money").do(PressHouseMoney(seat=1, onto=Kind.PLAYER))
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


PERSONS: dict[str, Any] = {"who": "D. Ealer", "second": "F. Loor"}


def keyed(game: Game, position: int) -> int:
    """The number of the event by which a card was turned."""
    found = (at for at, event in enumerate(game.table.log) if isinstance(event, CardTurned))
    return next(at for at in found if getattr(game.table.log[at], "position", None) == position)


def set_right(game: Game, place: int, card: str, reason: str) -> None:
    """A mis-keyed card corrected by dealer and floorperson."""
    right = Card.parse(card)
    game.do(CorrectCard(corrects=keyed(game, place), position=place, card=right, reason=reason), **PERSONS)


def corrected_in_time(edition: str, elections: dict[str, Any]) -> Game:
    """A card keyed wrongly is set right before the third cards: its hand is counted anew."""
    game = opened(edition, f"{BANKER_WINS} {NEXT}", elections).wager("1 b 2500").go("turn_banker")
    set_right(game, game.state.round.player[0], "6S", "a six, not a seven")
    game.finish_round()
    return game


def corrected_after_third(edition: str, elections: dict[str, Any]) -> Game:
    """The Player drew on five and had six: the card is the Banker's."""
    game = counted(edition, "2S 3H 3D KC 4C", elections)
    game.act()
    set_right(game, game.state.round.player[0], "3S", "a three, not a two")
    game.finish_round()
    return game


def corrected_late(edition: str, elections: dict[str, Any]) -> Game:
    """A card keyed wrongly is noticed after the payment: the hand was a tie, and the stake should have gone back."""
    game = opened(edition, f"{BANKER_WINS} {NEXT}", elections).wager("1 b 2500").go("settle")
    while game.step == "settle":
        game.act()
    set_right(game, game.state.round.banker[0], "7D", "a seven, not a nine: the hands were equal")
    paid = next(at for at, event in enumerate(game.table.log) if isinstance(event, Paid))
    win, vigorish = 2500, 125
    game.do(CorrectPayment(corrects=paid, seat=1, amount=vigorish - win, reason="a tie pays nothing"), **PERSONS)
    game.finish_round()
    return game


def stake_taken(edition: str, elections: dict[str, Any]) -> Game:
    """A card keyed wrongly made a loser of a winner: stake and winnings are paid after all."""
    game = opened(edition, f"9S 7D TH KC {NEXT}", elections).wager("1 b 2500", "3 p 2500").go("settle")
    while game.step == "settle":
        game.act()
    set_right(game, game.state.round.player[0], "6S", "a six, read upside down as a nine: the Banker won")
    taken = next(at for at, event in enumerate(game.table.log) if isinstance(event, LosersCollected))
    game.do(CorrectPayment(corrects=taken, seat=1, amount=2500 + 2375, reason="the Banker won"), **PERSONS)
    paid = next(at for at, event in enumerate(game.table.log) if isinstance(event, Paid))
    game.do(CorrectPayment(corrects=paid, seat=3, amount=-5000, reason="the Player lost"), **PERSONS)
    game.finish_round()
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


def coupons(edition: str, elections: dict[str, Any]) -> Game:
    """Match play coupons that win, lose and push."""
    game = opened(edition, f"{BANKER_WINS} {TIE}", {"match_play": True, **elections})
    for _ in range(2):
        game.go("wager").do(PlaceWager(seat=1, on=Kind.BANKER, stake=2500, coupon=2500))
        game.do(PlaceWager(seat=3, on=Kind.PLAYER, stake=5000, coupon=5000))
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
        serial=1, amount=500, patron="P. Atron", dealer="D. Ealer", pit_boss="B. Oss", pit_clerk="C. Lerk",
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


SEEN: dict[str, list[dict[str, Any]]] = {
    **{
        edition: [{"disclosed_third_card": "discard_two"}, {"disclosed_third_card": "simulated_round"}]
        for edition in MASSACHUSETTS
    },
    NEW_JERSEY: [
        {"disclosed_card_procedure": 1, "ten_value_extra": 10},
        {"disclosed_card_procedure": 2},
        {"disclosed_card_procedure": 3},
    ],
}
"""What may be filed for a card that was seen."""


def _filed(edition: str, name: str, title: str, tell: Callable[[str, dict[str, Any]], Game]) -> Iterator[Story]:
    """A story for each procedure that may be filed."""
    for elections in SEEN[edition]:
        word = str(next(iter(elections.values()))).replace("_", "-")
        yield Story(f"{name}-filed-{word}", title, edition, elections, tell)


def _stories(edition: str) -> Iterator[Story]:
    player, banker = Side.PLAYER, Side.BANKER
    plain: list[tuple[str, str, Callable[[str, dict[str, Any]], Game]]] = [
        ("error-card-unseen", "An unseen card drawn in error after both hands are complete",
         error_card(STAND, "9H", to=None, seen=False)),
        ("third-card-unseen-banker-draws", "An unseen third card to a Player who stays; the Banker must draw",
         error_card(BANKER_DRAWS, "5D", to=player, seen=False)),
        ("third-card-unseen-banker-stays", "An unseen third card to a Player who stays; the Banker stays as well",
         error_card(STAND, "5D", to=player, seen=False)),
        ("third-card-seen-banker-draws", "A third card seen with a Player who stays; the Banker must draw",
         error_card(BANKER_DRAWS, "5D", to=player, seen=True)),
        ("third-card-to-the-wrong-hand", "The Player's third card laid, in its turn, on the Banker's hand",
         error_card(PLAYER_DRAWS, "2D", to=banker, seen=False)),
        ("face-up-first", "The first card of a round lies face up in the shoe", face_up(0)),
        ("face-up-later", "The Player's second card lies face up in the shoe", face_up(2)),
        ("seen-in-its-place", "A card of the Banker's is seen before its turn", exposed),
        ("cover-card", "The cover card appears in the middle of a round", cover_card),
        ("runs-out", "The shoe cannot finish a round", runs_out),
        ("runs-out-in-the-deal", "The shoe ends before four cards are dealt", runs_out_early),
        ("card-corrected-in-time", "A card keyed wrongly, noticed before the third cards", corrected_in_time),
        ("card-corrected-after-a-third-card", "A card keyed wrongly, noticed after a third card was dealt on it",
         corrected_after_third),
        ("payment-corrected", "A card keyed wrongly, noticed after the payment", corrected_late),
        ("winning-stake-taken", "A winning stake taken, because a card was keyed wrongly", stake_taken),
        ("banker-third-card-unseen", "An unseen third card to a Banker who stays", banker_third("5D", seen=False)),
        ("two-unseen", "Two unseen cards drawn in error after both hands are complete", two_unseen),
        ("no-next-hand", "An unseen card drawn in error after the last hand of the shoe", no_next_hand),
        ("face-up-at-a-third-card", "The card that the Player is to draw lies face up in the shoe", face_up_third),
        ("foul-shoe", "A card comes once more than the decks hold it", foul_shoe),
        ("banker-stays-against-an-ace", "The Banker stays on six against an ace", stays_against_an_ace),
        ("face-up-in-the-burn", "A card to be burned lies face up in the shoe", face_up_in_the_burn),
        ("coupons", "Match play coupons win, lose and push", coupons),
        ("recut", "A casino supervisor orders a new cut", recut),
        ("electronic-shoe", "An electronic shoe, from its commitment to its seed, given up after a round",
         electronic_shoe),
        ("lost-seed", "The seed of an electronic shoe is lost before its order is sealed", lost_seed),
    ]  # fmt: skip
    for name, title, tell in plain:
        yield Story(name, title, edition, {}, tell)
    yield from _filed(edition, "third-card-seen-banker-stays", "A third card seen with a Player who stays; the Banker "
                      "stays as well", error_card(STAND, "5D", to=player, seen=True))  # fmt: skip
    if edition in MASSACHUSETTS[1:]:
        yield Story("plugged", "A set that was played before comes again", edition, {}, plugged)
    if edition in MASSACHUSETTS:
        yield Story("cover-card-in-a-simulated-round", "The cover card appears in a simulated round", edition, {},
                    cover_card_simulated)  # fmt: skip
        yield Story("banker-third-card-seen", "A third card to a Banker who stays, seen", edition, {},
                    banker_third("5D", seen=True))  # fmt: skip
        if edition == MASSACHUSETTS[-1]:
            yield Story("free-hand", "A hand without wagers", edition, {}, free_hand)
        yield Story("error-card-seen", "A card drawn in error and seen after both hands are complete", edition, {},
                    error_card(STAND, "9H", to=None, seen=True))  # fmt: skip
        yield Story("drawn-early-and-seen", "A card drawn and seen before the wagering has ended", edition, {},
                    drawn_early)  # fmt: skip
        yield Story("two-at-once", "Two cards drawn in error, the second seen", edition, {}, two_at_once)
        yield Story("seen-in-its-place-set-aside", "A card of the Banker's is seen before its turn", edition,
                    {"disclosed_correct_card": "set_aside"}, exposed)  # fmt: skip
        return
    yield Story("curator-over-a-reshuffle", "A curator who has not lost deals on after a reshuffle", edition, {},
                kept_over_a_reshuffle)  # fmt: skip
    yield Story("vigorish-waived", "Vigorish is waived on a form that the patron has not signed", edition, {}, waived)
    yield Story("curator", "An unseen card drawn in error while a participant deals", edition, {}, with_curator)
    yield Story("error-card-seen-filed-1-one-more", "A ten-value card drawn in error and seen; one more is filed",
                edition, {"disclosed_card_procedure": 1, "ten_value_extra": 1},
                error_card(STAND, "KD", to=None, seen=True))  # fmt: skip
    yield Story("third-card-seen-banker-draws-filed", "A third card seen with a Player who stays; the Banker must "
                "draw, and the filed procedure comes first", edition, {"nj_disclosed_banker_third": "filed_procedure"},
                error_card(BANKER_DRAWS, "5D", to=player, seen=True))  # fmt: skip
    yield Story("third-card-unseen-open-style", "An unseen third card to a Player who stays, the cards dealt face up",
                edition, {"reveal": "face_up"}, error_card(BANKER_DRAWS, "5D", to=player, seen=False))  # fmt: skip
    yield Story("cover-card-in-a-simulated-round", "The cover card appears in a simulated round", edition,
                {"disclosed_card_procedure": 3}, cover_card_simulated)  # fmt: skip
    yield from _filed(edition, "banker-third-card-seen", "A third card to a Banker who stays, seen",
                      banker_third("5D", seen=True))  # fmt: skip
    yield from _filed(edition, "error-card-seen", "A ten-value card drawn in error and seen after both hands are "
                      "complete", error_card(STAND, "KD", to=None, seen=True))  # fmt: skip
    yield from _filed(edition, "drawn-early-and-seen", "A card drawn and seen before the wagering has ended",
                      drawn_early)  # fmt: skip
    yield from _filed(edition, "two-at-once", "Two cards drawn in error, the second seen", two_at_once)


STORIES = [story for edition in EDITIONS for story in _stories(edition)]
