"""Scenes of the stories: what was keyed or paid wrongly is set right by two persons."""

from __future__ import annotations

from typing import Any

from acting import acting
from baccarat.cards import Card
from baccarat.house.stream import table_stream
from baccarat.table.base import Accepted
from baccarat.table.card_correction import CorrectCard
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.step.settlement import LosersCollected, Paid
from baccarat.table.step.turning import CardTurned
from card_scenes import BANKER_WINS, NEXT, counted, opened
from table_driver import Game

PERSONS: dict[str, Any] = {"who": "D. Ealer", "second": "F. Loor"}


def keyed(game: Game, position: int) -> int:
    """The number of the event by which a card was turned."""
    found = (at for at, event in enumerate(game.table.log) if isinstance(event, CardTurned))
    return next(at for at in found if getattr(game.table.log[at], "position", None) == position)


def set_right(game: Game, place: int, card: str, reason: str) -> None:
    """A mis-keyed card corrected by dealer and floorperson."""
    right = Card.parse(card)
    game.do(CorrectCard(corrects=keyed(game, place), position=place, card=right, reason=reason), **PERSONS)


def key_again(table: Any, place: int, card: str) -> None:
    """The same at a table of a live house, which reads its events from its store."""
    event_at, number, at = table.house.event_at(table_stream(table.name)), -1, 0
    while (event := event_at(at)) is not None:
        number, at = (at if isinstance(event, CardTurned) and event.position == place else number), at + 1
    command = CorrectCard(corrects=number, position=place, card=Card.parse(card), reason="misread")
    outcome = table.do(command, acting(table, command, who=PERSONS["who"], second=PERSONS["second"]))
    assert isinstance(outcome, Accepted), outcome


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
