"""Tables with an electronic shoe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.table.source import SealedShoe
from strategies import NEW_JERSEY
from table_driver import Game, new_game, seated
from table_walk import as_json, auditor_of
from triggers import FirstWager

EDITIONS = ["ma-midi-4", NEW_JERSEY]
TABLE = "T7"
SHORT = 380
"""A cover card so deep that a shoe has a few rounds only."""


def seed_of(number: int) -> bytes:
    """The seed of a shoe."""
    return bytes([number + 11]) * 32


def electronic(edition: str, *, seats: tuple[int, ...] = (1, 3, 5), seeds: Callable[[int], bytes] = seed_of,
               **elections: Any) -> Game:  # fmt: skip
    """A table just opened with an electronic shoe, and people at it."""
    game = new_game(edition, cover_card_depth=SHORT, **elections)
    game.source = SealedShoe(game.rules, seeds, table=TABLE, triggers=FirstWager(game.rules))
    return seated(game, seats)


def step_on(game: Game) -> None:
    """The next act that is due, or a wager where only that can come."""
    if game.step == "wager" and not game.state.round.wagers:
        game.wager("1 t 500")
    else:
        game.act()


def at_close(edition: str, **elections: Any) -> Game:
    """An electronic shoe played to its end."""
    game = electronic(edition, **elections).go("wager")
    while game.step != "close":
        step_on(game)
    return game.go_to_act("reveal_seed")


def committed(game: Game) -> Game:
    """The same table, its shoe committed to."""
    game.go_to_act("commit_shoe").act()
    return game


def audited(game: Game) -> None:
    """The log alone, read by somebody who shares no code with the table, and replayed."""
    assert auditor_of(game.rules).audit([as_json(event) for event in game.table.log]) == []
    game.check_replay()
