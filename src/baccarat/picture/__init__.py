"""Pictures, all of them SVG: cards, chips, the felt, roads, the steps of a table, win bands and the plots of odds.

`show` draws a value; in a notebook, `%load_ext baccarat.picture` makes these values draw themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from baccarat.picture.display import ShownPicture

DRAWING = 2
"""The version of the drawings: raise it whenever a picture changes, because browsers cache pictures by it."""


def show(value: object) -> ShownPicture:
    """The picture of a card, several cards, a round, roads, a rulebook's felt, a price, all prices, or a sum."""
    from baccarat.picture.display import show_value  # noqa: PLC0415  only for those who ask

    return show_value(value)


def load_ipython_extension(shell: Any) -> None:
    """Let a notebook draw cards, rounds, roads, rulebooks, prices and sums: `%load_ext baccarat.picture`."""
    from baccarat.picture.display import MAKERS  # noqa: PLC0415

    formatter = shell.display_formatter.formatters["image/svg+xml"]
    for kind, make in MAKERS.items():
        formatter.for_type(kind, make)


def unload_ipython_extension(shell: Any) -> None:
    """Let a notebook print them again."""
    from baccarat.picture.display import MAKERS  # noqa: PLC0415

    formatter = shell.display_formatter.formatters["image/svg+xml"]
    for kind in MAKERS:
        formatter.pop(kind, None)
