"""Values as pictures: what `show` gives for a card, a round, a shoe's roads, a rulebook, a price or a sum of money."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds.measure import Price
from baccarat.odds.price import Prices
from baccarat.picture.card import card_picture
from baccarat.picture.chip import stack_picture
from baccarat.picture.felt import felt
from baccarat.picture.hand import cards_picture, coup_picture
from baccarat.picture.plot import edge_plot, result_plot
from baccarat.picture.road import roads_picture
from baccarat.play.coup import Coup
from baccarat.play.road import Roads
from baccarat.values import brief_repr


class ShownPicture(msgspec.Struct, frozen=True):
    """A picture: a notebook draws it, and `save` writes it to a file."""

    svg: str

    def __repr__(self) -> str:
        return f"<Picture of {len(self.svg):,} characters>"

    def __str__(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write the picture to a file, which should end in .svg; returns the given path."""
        written = Path(path)
        written.write_text(self.svg, encoding="utf-8")
        return written


MAKERS: dict[type, Callable[[Any], str]] = {
    Card: card_picture,
    Cents: stack_picture,
    Coup: coup_picture,
    Price: result_plot,
    Prices: edge_plot,
    Roads: roads_picture,
    Rulebook: partial(felt, hands=True),
}
"""How each kind of value is drawn. A rulebook is shown as the felt that it lays out."""


def show_value(value: object) -> ShownPicture:
    """The picture of a value, or of a series of cards."""
    for kind, make in MAKERS.items():
        if isinstance(value, kind):
            return ShownPicture(make(value))
    if isinstance(value, Iterable) and not isinstance(value, str):
        cards = list(value)
        if all(card is None or isinstance(card, Card) for card in cards):
            return ShownPicture(cards_picture(cards))
    kinds = ", ".join(kind.__name__ for kind in MAKERS)
    raise TypeError(f"no picture of {brief_repr(value)}; expected cards, or one of {kinds}")
