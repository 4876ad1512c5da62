"""Steps of a table, act by act."""

from __future__ import annotations

from baccarat.table.role import Role
from table_driver import Game


def acts(game: Game, until: str) -> list[tuple[str, Role]]:
    """The steps on the way to another, with whose act each is."""
    found: list[tuple[str, Role]] = []
    while game.step != until:
        due = game.next_act()
        if not found or found[-1][0] != game.step:
            found.append((game.step, due.by))
        game.act()
    return found


def offered(game: Game) -> list[int]:
    """The seats to which the cut is offered while all decline."""
    order: list[int] = []
    while game.step == "offer_cut":
        order.append(game.next_act().seat)
        game.act()
    return order
