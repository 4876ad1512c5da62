"""Cards of our own drawing: true pips, framed courts, indices in the corners that a thumb covers; and the back.

Every sign is a path, so a card looks the same with any fonts. A card is 250 by 350.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from baccarat.cards import DECK, Card, Rank, Suit
from baccarat.picture.court import COURTS, court
from baccarat.picture.sign import sign
from baccarat.picture.svg import XMLNS, Markup, document, element, path_data, rotation, translation

WIDTH, HEIGHT = 250, 350
MIDDLE_X, MIDDLE_Y = WIDTH / 2, HEIGHT / 2

FACE, EDGE = "#fffdf6", "#cfc7b4"
RED, BLACK, BLUE, GREEN = "#b3261e", "#1b201d", "#1f4fb8", "#17703d"
TWO_COLOURS = {Suit.SPADES: BLACK, Suit.HEARTS: RED, Suit.DIAMONDS: RED, Suit.CLUBS: BLACK}
FOUR_COLOURS = {Suit.SPADES: BLACK, Suit.HEARTS: RED, Suit.DIAMONDS: BLUE, Suit.CLUBS: GREEN}
BACK, BACK_LINE = "#2b4a7d", "#dfe6f3"

PIPS = {
    Suit.HEARTS: "M0 45C-9 29-45 11-45-16C-45-33-33-43-21-43C-11-43-4-37 0-27C4-37 11-43 21-43C33-43 45-33 45-16"
    "C45 11 9 29 0 45Z",
    Suit.DIAMONDS: "M0-49C9-29 21-13 37 0C21 13 9 29 0 49C-9 29-21 13-37 0C-21-13-9-29 0-49Z",
    Suit.SPADES: "M0-47C9-29 45-9 45 16C45 30 35 39 23 39C14 39 7 34 3 26C4 36 8 43 18 47H-18C-8 43-4 36-3 26"
    "C-7 34-14 39-23 39C-35 39-45 30-45 16C-45-9-9-29 0-47Z",
    Suit.CLUBS: "M0-47A20.5 20.5 0 0 1 14.5-12A20.5 20.5 0 1 1 4 22C5 33 9 43 18 47H-18C-9 43-5 33-4 22"
    "A20.5 20.5 0 1 1-14.5-12A20.5 20.5 0 0 1 0-47Z",
}
"""The sign of each suit, about its middle, in a square of 100."""

LEFT, RIGHT, TOP, BOTTOM = 79.0, 171.0, 68.0, 282.0


def _rows(*heights: float) -> list[tuple[float, float]]:
    return [(x, y) for y in heights for x in (LEFT, RIGHT)]


_THIRD = (BOTTOM - TOP) / 3
_HIGH, _LOW = (TOP + MIDDLE_Y) / 2, (BOTTOM + MIDDLE_Y) / 2
PIP_PLACES: dict[Rank, list[tuple[float, float]]] = {
    Rank.ACE: [(MIDDLE_X, MIDDLE_Y)],
    Rank.TWO: [(MIDDLE_X, TOP), (MIDDLE_X, BOTTOM)],
    Rank.THREE: [(MIDDLE_X, TOP), (MIDDLE_X, MIDDLE_Y), (MIDDLE_X, BOTTOM)],
    Rank.FOUR: _rows(TOP, BOTTOM),
    Rank.FIVE: [*_rows(TOP, BOTTOM), (MIDDLE_X, MIDDLE_Y)],
    Rank.SIX: _rows(TOP, MIDDLE_Y, BOTTOM),
    Rank.SEVEN: [*_rows(TOP, MIDDLE_Y, BOTTOM), (MIDDLE_X, _HIGH)],
    Rank.EIGHT: [*_rows(TOP, MIDDLE_Y, BOTTOM), (MIDDLE_X, _HIGH), (MIDDLE_X, _LOW)],
    Rank.NINE: [*_rows(TOP, TOP + _THIRD, BOTTOM - _THIRD, BOTTOM), (MIDDLE_X, MIDDLE_Y)],
    Rank.TEN: [
        *_rows(TOP, TOP + _THIRD, BOTTOM - _THIRD, BOTTOM),
        (MIDDLE_X, TOP + _THIRD / 2),
        (MIDDLE_X, BOTTOM - _THIRD / 2),
    ],
}
"""The positions of a number card's pips, in the traditional layout."""

RANK_NAMES = {Rank.ACE: "ace", Rank.TEN: "10", Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king"}


def name_of(card: Card) -> str:
    """A card in words: `8 of spades`."""
    return f"{RANK_NAMES.get(card.rank, card.rank.value)} of {card.suit.name.lower()}"


def pip(suit: Suit, x: float, y: float, size: float, *, upside_down: bool = False) -> Markup:
    """The sign of a suit at a point."""
    place = translation(x, y, scale=size / 100, angle=180 if upside_down else 0)
    return element("path", d=PIPS[suit], transform=place)


def _index(card: Card, hue: str) -> Markup:
    text = "10" if card.rank is Rank.TEN else card.rank.value
    return element("g", sign(text, 25, 15, high=30, weight=5.2, colour=hue), pip(card.suit, 25, 65, 25))


def face(card: Card, *, four_colours: bool = False) -> Markup:
    """The face of a card, edge and paper included."""
    hue = (FOUR_COLOURS if four_colours else TWO_COLOURS)[card.suit]
    corner = _index(card, hue)
    if card.rank in COURTS:
        middle = court(card, hue, PIPS[card.suit])
    else:
        size = 96 if card.rank is Rank.ACE else 46
        middle = element(
            "g", [pip(card.suit, x, y, size, upside_down=y > MIDDLE_Y) for x, y in PIP_PLACES[card.rank]], class_="pips"
        )
    indices = element("g", corner, element("g", corner, transform=rotation(180, MIDDLE_X, MIDDLE_Y)), class_="index")
    return Markup(_paper("card-face", FACE) + element("g", middle, indices, fill=hue, class_=f"suit-{card.suit.value}"))


def _paper(paint: str, colour: str) -> Markup:
    return element(
        "rect", class_=paint, x=0.75, y=0.75, width=WIDTH - 1.5, height=HEIGHT - 1.5, rx=15, fill=colour, stroke=EDGE,
        stroke_width=1.5,
    )  # fmt: skip


@cache
def back() -> Markup:
    """The back of every card: a lattice, and in the middle the crescent of the felt."""
    x0, y0, x1, y1, step = 19, 19, WIDTH - 19, HEIGHT - 19, 16
    middle_x, middle_y = MIDDLE_X, MIDDLE_Y
    lattice = list[str | float]()
    for k in range(-40, 41):
        lattice += _line_in(middle_x + k * step, 1, x0, y0, x1, y1)
        lattice += _line_in(middle_x + k * step, -1, x0, y0, x1, y1)
    diamond = path_data("M", middle_x, middle_y - 64, "L", middle_x + 48, middle_y, "L", middle_x, middle_y + 64,
                        "L", middle_x - 48, middle_y, "Z")  # fmt: skip
    crescent = path_data("M", middle_x - 31, middle_y - 10, "A", 45, 45, 0, 0, 0, middle_x + 31, middle_y - 10,
                         "L", middle_x + 25, middle_y + 10, "A", 52, 52, 0, 0, 1, middle_x - 25, middle_y + 10,
                         "Z")  # fmt: skip
    return Markup(
        _paper("card-face", FACE)
        + element("rect", class_="card-back", x=13, y=13, width=WIDTH - 26, height=HEIGHT - 26, rx=8, fill=BACK)
        + element("path", d=path_data(*lattice), fill="none", stroke=BACK_LINE, stroke_width=1, stroke_opacity=0.34)
        + element(
            "rect", x=x0, y=y0, width=x1 - x0, height=y1 - y0, rx=4, fill="none", stroke=BACK_LINE, stroke_width=1.5
        )
        + element("path", class_="card-back", d=diamond, fill=BACK, stroke=BACK_LINE, stroke_width=1.5)
        + element("path", d=crescent, fill=BACK_LINE)
    )


def _line_in(x: float, slope: int, x0: float, y0: float, x1: float, y1: float) -> Iterable[str | float]:
    """The part within a rectangle of the slanted line that crosses the middle of the card at `x`."""
    ends = sorted(
        {
            (px, py)
            for px, py in [
                (x0, MIDDLE_Y + slope * (x0 - x)),
                (x1, MIDDLE_Y + slope * (x1 - x)),
                (x + slope * (y0 - MIDDLE_Y), y0),
                (x + slope * (y1 - MIDDLE_Y), y1),
            ]
            if x0 <= px <= x1 and y0 <= py <= y1
        }
    )
    return ("M", *ends[0], "L", *ends[-1]) if len(ends) > 1 else ()


def card_picture(card: Card | None, *, four_colours: bool = False) -> Markup:
    """One card as a picture; None is a card face down."""
    inside = back() if card is None else face(card, four_colours=four_colours)
    label = "a card, face down" if card is None else name_of(card)
    return document(WIDTH, HEIGHT, inside, label=label, class_="card")


@cache
def deck(*, four_colours: bool = False) -> Markup:
    """All cards as symbols of one file, each under its name, such as `8s`, and the back under `back`."""
    view = f"0 0 {WIDTH} {HEIGHT}"
    cards = [element("symbol", face(card, four_colours=four_colours), id=str(card), viewBox=view) for card in DECK]
    return Markup(element("svg", cards, element("symbol", back(), id="back", viewBox=view), xmlns=XMLNS) + "\n")
