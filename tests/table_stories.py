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
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.settlement import Paid
from baccarat.table.step.turning import CardTurned
from baccarat.table.story import transcript
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at

FOLDER = Path(__file__).parent / "data" / "transcripts"
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


def corrections(edition: str, elections: dict[str, Any]) -> Game:
    """A card keyed wrongly, and a payment that was too high."""
    game = opened(edition, f"{BANKER_WINS} {NEXT}", elections).wager("1 b 2500").go("turn_banker")
    names: dict[str, Any] = {"name": "D. Ealer", "approver": "F. Loor"}
    place = game.state.round.player[0]
    keyed = next(at for at, event in enumerate(game.table.log) if isinstance(event, CardTurned))
    game.do(CorrectCard(corrects=keyed, position=place, card=Card.parse("6S"), reason="a six, not a seven", **names))
    game.finish_round()
    paid = next(at for at, event in enumerate(game.table.log) if isinstance(event, Paid))
    game.do(CorrectPayment(corrects=paid, seat=1, amount=-100, reason="a dollar too much", **names))
    return game


def foul_shoe(edition: str, elections: dict[str, Any]) -> Game:
    """A card comes once more than the decks hold it."""
    game = opened(edition, f"6S 6S 6S 6S 6S 6S {NEXT}", elections, decks=6)
    game.play("1 t 500")
    game.go("wager").wager("1 t 500").go_to_act("turn_card")
    game.do(ConfirmCard(position=game.state.round.player[0], card=Card.parse("6S")))
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
        ("face-up-later", "The third card of a round lies face up in the shoe", face_up(2)),
        ("seen-in-its-place", "A card of the Banker's is seen before its turn", exposed),
        ("cover-card", "The cover card appears in the middle of a round", cover_card),
        ("runs-out", "The shoe cannot finish a round", runs_out),
        ("corrections", "A card keyed wrongly, and a wrong payment", corrections),
        ("foul-shoe", "A card comes once more than the decks hold it", foul_shoe),
    ]  # fmt: skip
    for name, title, tell in plain:
        yield Story(name, title, edition, {}, tell)
    yield from _filed(edition, "third-card-seen-banker-stays", "A third card seen with a Player who stays; the Banker "
                      "stays as well", error_card(STAND, "5D", to=player, seen=True))  # fmt: skip
    if edition in MASSACHUSETTS:
        yield Story("error-card-seen", "A card drawn in error and seen after both hands are complete", edition, {},
                    error_card(STAND, "9H", to=None, seen=True))  # fmt: skip
        yield Story("drawn-early-and-seen", "A card drawn and seen before the wagering has ended", edition, {},
                    drawn_early)  # fmt: skip
        yield Story("two-at-once", "Two cards drawn in error, the second seen", edition, {}, two_at_once)
        yield Story("seen-in-its-place-set-aside", "A card of the Banker's is seen before its turn", edition,
                    {"disclosed_correct_card": "set_aside"}, exposed)  # fmt: skip
        return
    yield from _filed(edition, "error-card-seen", "A ten-value card drawn in error and seen after both hands are "
                      "complete", error_card(STAND, "KD", to=None, seen=True))  # fmt: skip
    yield from _filed(edition, "drawn-early-and-seen", "A card drawn and seen before the wagering has ended",
                      drawn_early)  # fmt: skip
    yield from _filed(edition, "two-at-once", "Two cards drawn in error, the second seen", two_at_once)


STORIES = [story for edition in EDITIONS for story in _stories(edition)]
