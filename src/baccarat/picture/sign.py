"""Signs: ranks and figures as lines of our own, so that they look the same with any fonts."""

from __future__ import annotations

from baccarat.picture.svg import Markup, element, translation

HIGH = 30
"""The height of every sign."""
GAP = 7.0

SIGNS: dict[str, tuple[float, str]] = {
    "A": (21, "M0 30L10.5 0L21 30M4.2 20H16.8"),
    "0": (14, "M7 0C11 0 13.8 3.2 13.8 9V21C13.8 26.8 11 30 7 30C3 30 .2 26.8 .2 21V9C.2 3.2 3 0 7 0Z"),
    "1": (6, "M0 6.5L6 .5V30"),
    "2": (19, "M.5 8.5C.5 3.5 4.3 0 9.5 0C14.6 0 18.3 3.2 18.3 8C18.3 11.5 16.5 14.2 13 18L1.5 30H19"),
    "3": (19, "M1 0H17.5L8.5 11.7C14.8 11.5 18.8 15.3 18.8 20.6C18.8 26.2 14.7 30 9 30C4.7 30 1.6 28 .2 24.6"),
    "4": (20, "M12.5 0L.8 21.8H20M14.2 12.5V30"),
    "5": (19, "M17.3 0H3.6L2 13.2C4 11.5 6.6 10.8 9.4 10.8C15 10.8 18.9 14.6 18.9 20.3C18.9 26.1 14.8 30 9 30"
              "C4.9 30 1.8 28.2 .2 25"),
    "6": (19, "M13 0L2.2 14.8M9.5 11A9.5 9.5 0 1 1 9.5 30A9.5 9.5 0 1 1 9.5 11Z"),
    "7": (19, "M0 0H18.5L7 30"),
    "8": (19, "M9.5 0A6.9 6.9 0 1 1 9.5 13.8A6.9 6.9 0 1 1 9.5 0ZM9.5 13.8A8.1 8.1 0 1 1 9.5 30"
              "A8.1 8.1 0 1 1 9.5 13.8Z"),
    "9": (19, "M6 30L16.8 15.2M9.5 19A9.5 9.5 0 1 1 9.5 0A9.5 9.5 0 1 1 9.5 19Z"),
    "J": (16, "M5 0H14V21.5C14 27 11.2 30 7 30C3.2 30 .6 27.8 0 24"),
    "Q": (20, "M10 0C15.5 0 19.5 3.6 19.5 9.5V20.5C19.5 26.4 15.5 30 10 30C4.5 30 .5 26.4 .5 20.5V9.5"
              "C.5 3.6 4.5 0 10 0ZM11.5 21.5L20.5 33"),
    "K": (20, "M1.5 0V30M19.5 0L1.5 19.5M8 12.8L20.5 30"),
    "¢": (16, "M16 10C14.6 7 12 5.5 8.8 5.5C3.6 5.5 .2 9.5 .2 15C.2 20.5 3.6 24.5 8.8 24.5"
              "C12 24.5 14.6 23 16 20M8.5 0V30"),
}  # fmt: skip
"""Each sign as a line, with its width."""


def sign(text: str, x: float, y: float, *, high: float, weight: float, colour: str | None) -> Markup:
    """A few signs, their middle at `x`, their top at `y`; `weight` is the width of the line when signs are 30 high."""
    wide = sum(SIGNS[each][0] for each in text) + GAP * (len(text) - 1)
    scale, at, parts = high / HIGH, 0.0, list[Markup]()
    for each in text:
        width, line = SIGNS[each]
        parts.append(element("path", d=line, transform=translation(at, 0) if at else None))
        at += width + GAP
    return element(
        "g", parts, transform=translation(x - wide * scale / 2, y, scale=scale), fill="none",
        stroke=colour, stroke_width=weight, stroke_linejoin="round", stroke_linecap="round",
    )  # fmt: skip
