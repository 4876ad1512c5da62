"""Rounds in which something is irregular, and what becomes of them."""

from __future__ import annotations

from typing import Any

from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.round_state import RoundKind
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.turning import CardsHanded
from baccarat.table.step.wagering import PlaceWager
from table_driver import Game, game_at, parse


def counted(edition: str, cards: str, *, wagers: tuple[str, ...] = ("1 p 2500", "3 b 2500"), **elections: Any) -> Game:
    """A round whose two counts are called."""
    game = game_at(edition, cards, **elections).wager(*wagers)
    while set(game.state.round.counted) != set(Side):
        game.act()
    return game


def simulated_from(game: Game, *cards: str) -> None:
    """A simulated round stands, opened by these cards, without wagers; it changes nobody's chips."""
    round_ = game.state.round
    assert round_.kind is RoundKind.SIMULATED
    opening = [game.state.round.turned[place] for place in sorted((*round_.player, *round_.banker))]
    assert opening == parse(" ".join(cards))
    game.refused(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500))
    handed, chips = len(game.of(CardsHanded)), [person.chips for person in game.state.seats.participants if person]
    game.finish_round()
    assert len(game.of(CardsHanded)) == handed, "the dealer turns the cards"
    assert [person.chips for person in game.state.seats.participants if person] == chips
    assert game.of(ResultAnnounced)
