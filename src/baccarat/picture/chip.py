"""Chips in New Jersey's colours, coins for what is less than a dollar, and stacks by value.

The value is printed on every chip, so that nothing depends on colour alone.
"""

from __future__ import annotations

from functools import cache

import msgspec

from baccarat.money import Cents
from baccarat.picture.sign import sign
from baccarat.picture.svg import XMLNS, Markup, document, element, translation

CREAM = "#f6f2e6"
RADIUS, STEP = 48.0, 9.0
"""A chip in its square of 100; and how far each chip of a stack lies above the one below."""
MOST_SHOWN = 12
"""A stack shows no more chips than this; its sum is always shown next to it."""


class Chip(msgspec.Struct, frozen=True):
    """One kind of chip or coin: its worth in cents, what is printed on it, its colours."""

    cents: int
    says: str
    body: str
    spot: str
    ink: str

    @property
    def is_coin(self) -> bool:
        """Whether it is a coin, worth less than a dollar."""
        return self.cents < 100

    @property
    def id(self) -> str:
        """The name of its symbol: `chip-25` is worth 25 dollars, `coin-25` 25 cents."""
        return f"coin-{self.cents}" if self.is_coin else f"chip-{self.cents // 100}"


def _coin(cents: int, body: str = "#d3d5d8") -> Chip:
    return Chip(cents, f"{cents}¢", body, "#9a9fa6", "#33383d")


CHIPS = (
    Chip(100_000, "1K", "#c4500f", CREAM, "#ffffff"),
    Chip(50_000, "500", "#6a3d9f", CREAM, "#ffffff"),
    Chip(10_000, "100", "#1b201d", CREAM, "#ffffff"),
    Chip(2_500, "25", "#1d7f48", CREAM, "#ffffff"),
    Chip(500, "5", "#b3261e", CREAM, "#ffffff"),
    Chip(100, "1", "#faf7ee", "#3a5fa8", "#1b201d"),
    _coin(50),
    _coin(25),
    _coin(10),
    _coin(5),
    _coin(1, "#d8a378"),
)
"""From the most valuable to the least; together they make up every sum."""


def split(cents: int, *, most: int | None = None) -> list[Chip]:
    """The fewest chips and coins that make up a sum, the most valuable first; no more than `most` of them."""
    found, left = list[Chip](), cents
    for chip in CHIPS:
        count, left = divmod(left, chip.cents)
        found += [chip] * (count if most is None else min(count, most - len(found)))
    return found


def chip_face(chip: Chip) -> Markup:
    """A chip about its middle, in a square of 100."""
    line = element("circle", r=RADIUS, fill="none", stroke="#000000", stroke_opacity=0.45, stroke_width=2)
    # a light rim sets a chip off from a cloth of its own colour and from the chip below it
    light = element("circle", r=RADIUS - 2.2, fill="none", stroke=CREAM, stroke_opacity=0.7, stroke_width=2.4)
    edge = Markup(line + light)
    high = {1: 34.0, 2: 30.0, 3: 24.0}[len(chip.says)]
    value = sign(chip.says, 0, -high / 2, high=high, weight=5.4, colour=chip.ink)
    if chip.is_coin:
        rim = element("circle", r=RADIUS - 6, fill="none", stroke=chip.spot, stroke_width=3, stroke_dasharray="2 3")
        return Markup(element("circle", r=RADIUS, fill=chip.body) + rim + edge + value)
    spots = [
        element("path", d="M-7.5-47.4A48 48 0 0 1 7.5-47.4L5.6-35.4A36 36 0 0 0-5.6-35.4Z", fill=chip.spot,
                transform=f"rotate({turn})" if turn else None)
        for turn in range(0, 360, 60)
    ]  # fmt: skip
    return Markup(
        element("circle", r=RADIUS, fill=chip.body)
        + "".join(spots)
        + element("circle", r=33, fill="none", stroke=chip.spot, stroke_width=1.6, stroke_opacity=0.75)
        + element("circle", r=29.5, fill="none", stroke=chip.spot, stroke_width=0.8, stroke_opacity=0.5)
        + edge
        + value
    )


def stack(cents: int, *, x: float = 0.0, y: float = 0.0, radius: float = RADIUS) -> Markup:
    """A stack that is worth a sum, the least valuable on top; its lowest chip lies about a point."""
    shown = split(cents, most=MOST_SHOWN)
    scale = radius / RADIUS
    return element(
        "g",
        [element("g", chip_face(chip), transform=translation(0, -STEP * level)) for level, chip in enumerate(shown)],
        transform=translation(x, y, scale=scale),
        class_="stack",
    )


def stack_picture(cents: int) -> Markup:
    """A stack as a picture, as high as it needs to be."""
    rise = STEP * max(0, len(split(cents, most=MOST_SHOWN)) - 1)
    view = f"-50 {-50 - rise:g} 100 {100 + rise:g}"
    return document(100, 100 + rise, stack(cents), label=str(Cents(cents)), viewBox=view, class_="chips")


@cache
def chips() -> Markup:
    """All chips and coins as symbols of one file, each with its worth in cents."""
    symbols = [
        element("symbol", chip_face(chip), id=chip.id, viewBox="-50 -50 100 100", data_cents=chip.cents)
        for chip in CHIPS
    ]
    return Markup(element("svg", symbols, xmlns=XMLNS) + "\n")
