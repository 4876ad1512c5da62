"""The plan of a felt: where each seat's areas lie, as the Submission lays the table out; geometry without colour.

The felt is one crescent. Participants sit along its outer edge, the dealer stands within. From the edge inwards lie the
main wagers, Player, Banker and Tie, each across its seat; then the others as round spots. Angles run from the middle
of the crescent to the right, as participants see it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import cos, radians, sin

import msgspec

from baccarat.cards import SIGNS, Suit
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import Book, open_book
from baccarat.play.wager import WagerKind

MIDDLE = 500.0
OUTER = 980.0
"""The horizontal middle of the picture, and the radius of the outer edge."""
SPREAD = radians(29.2)
"""Half the angle of the whole crescent."""
WIDEST_SEAT = radians(13.5)
"""At a table of few seats the crescent is narrower, rather than its seats wider than this."""
INNER_Y = 312.0
"""How far down the inner edge reaches: above it lie the hands."""
DEPTHS, SHALLOW = (80.0, 78.0, 52.0), (70.0, 68.0, 48.0)
"""Of the main wagers, from the outer edge inwards, and the same if spots are in several rows; a further one is as
deep as the last."""
BELOW = 56.0
"""Room below the crescent, for numbers and names."""
POT, PITCH = 12.0, 24.6
"""A round spot's radius, and the distance of two side by side."""
ROW, STAGGERED_ROW, ROW_AT_EDGE = 27.0, 21.5, 20.5
"""The distance of two rows of spots, of two that interlock, and of a row from the edge next to it."""
INSCRIPTION = 22.0
NARROWEST = 1.0

LETTERS = {WagerKind.TOTAL4: "4", WagerKind.TOTAL5: "5", WagerKind.TOTAL6: "6"}
"""Where initials would mislead: a T is a Tie."""


class Point(msgspec.Struct, frozen=True):
    """A point of the picture."""

    x: float
    y: float


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """Where one wager of one seat is placed: a band across the seat, or a round spot.

    `chips` is where its chips lie, so that the name stays in sight; `radius` is that of the largest chip that fits.
    """

    seat: int
    on: WagerKind
    letters: str
    title: str
    inner: float
    outer: float
    start: float
    end: float
    is_spot: bool
    name_at: Point
    chips: Point
    radius: float


class SeatPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One seat: its areas, its wedge of the crescent, and the positions of its number and of its occupant's name."""

    number: int
    start: float
    end: float
    areas: tuple[Area, ...]
    disc: Point
    name: Point
    combination: str
    """Of Royal 9: the court cards and the nine, as `KQJ♠ 9♥`; empty if that wager is not offered."""
    combination_at: Point

    @property
    def turn(self) -> float:
        """The angle of the middle of the seat, in radians."""
        return (self.start + self.end) / 2


class FeltPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A whole felt."""

    seats: tuple[SeatPlan, ...]
    """As participants see them, from left to right."""
    inner: float
    outer: float
    spread: float
    centre_y: float
    height: float
    sides: float
    """The radius at which the round spots end and the main wagers begin."""
    inscription: bool
    sign: bool
    boxes: bool
    title: str

    def at(self, radius: float, angle: float) -> Point:
        """The point at a radius and an angle."""
        return Point(MIDDLE + radius * sin(angle), self.centre_y + radius * cos(angle))


def letters_of(kind: WagerKind) -> str:
    """A wager in a letter or two: `dragon_player` is DP, `panda8` is P8."""
    parts = re.findall("[a-z]+|[0-9]+", kind.word)
    return LETTERS.get(kind) or "".join(part if part.isdigit() else part[0].upper() for part in parts)[:3]


def title_of(book: Book, kind: WagerKind) -> str:
    """A wager in words, with what it pays."""
    wager = book.rules.edition.wagers[kind.word]
    hand = f" on {wager.hand.capitalize()}" if wager.hand and not wager.law.main else ""
    odds = {verdict.odds for verdict in book.table(kind) if verdict is not None and verdict.odds is not None}
    if not odds:
        return f"{wager.law.title}{hand}"
    best = max(odds, key=lambda each: each.to / each.one)
    return f"{wager.law.title}{hand}, pays {'up to ' if len(odds) > 1 else ''}{best}"


def rows_of(count: int, *, most: int) -> list[int]:
    """How many spots are in each row, from the dealer outwards, if a row has room for `most`."""
    if count <= most:
        return [count] if count else []
    if most == 2:  # two, one, two interlock, as on a die
        rows = list[int]()
        while sum(rows) < count:
            rows.append(min(2 - len(rows) % 2, count - sum(rows)))
        return rows
    number = -(-count // most)
    return [(count + k) // number for k in range(number)]


def _row_depths(rows: Sequence[int]) -> list[float]:
    """The distance of each row's middle from the edge of the first, and at the end the depth of all."""
    depths = list[float]()
    for k, row in enumerate(rows):
        if k == 0:
            depths.append(ROW_AT_EDGE)
        else:
            depths.append(depths[-1] + (STAGGERED_ROW if abs(rows[k - 1] - row) == 1 else ROW))
    return [*depths, depths[-1] + ROW_AT_EDGE] if depths else [0.0]


def _order(book: Book, kinds: Sequence[WagerKind]) -> list[WagerKind]:
    """The round spots in order: on the Player's hand, on the Banker's, the others."""
    hands = {"player": 0, "banker": 1}
    return sorted(kinds, key=lambda kind: hands.get(book.rules.edition.wagers[kind.word].hand or "", 2))


def plan(rules: Rulebook) -> FeltPlan:
    """The plan of a table under these rules."""
    book, elected = open_book(rules), rules.elections
    number = max(1, elected.seats or 0)
    spread = min(SPREAD, WIDEST_SEAT * number / 2)
    step = 2 * spread / number
    wagers = rules.edition.wagers
    main = [kind for kind in book.kinds if wagers[kind.word].law.main]
    spots = _order(book, [kind for kind in book.kinds if kind not in main])
    depths = _depths(len(main), DEPTHS)
    if len(_rows(len(spots), OUTER - sum(depths), step)) > 1:
        depths = _depths(len(main), SHALLOW)
    sides = OUTER - sum(depths)
    rows = _rows(len(spots), sides, step)
    inscription = bool(elected.ez and elected.layout_dragon7_inscription)
    inner = sides - _row_depths(rows)[-1] - (INSCRIPTION if inscription else 0)
    made = FeltPlan(
        seats=(), inner=inner, outer=OUTER, spread=spread, centre_y=INNER_Y - inner,
        height=INNER_Y - inner + OUTER + BELOW, sides=sides, inscription=inscription,
        sign=bool(elected.ez and elected.dragon7_sign and not inscription), boxes=book.vig_deferred,
        title=rules.edition.title,
    )  # fmt: skip
    numbers = range(1, number + 1) if book.seat_one == "dealer_right" else range(number, 0, -1)
    combos = _combinations(rules)
    seats = []
    for k, seat in enumerate(numbers):
        start, end = -spread + k * step, -spread + (k + 1) * step
        bands = _bands(made, book, seat, main, depths, (start, end))
        pots = _pots(made, book, seat, spots, rows, (start, end), sides)
        seats.append(_seat(made, seat, (*bands, *pots), (start, end), combos.get(seat, "")))
    return msgspec.structs.replace(made, seats=tuple(seats))


def _depths(number: int, of: Sequence[float]) -> list[float]:
    return [of[min(k, len(of) - 1)] for k in range(number)]


def _rows(count: int, sides: float, step: float) -> list[int]:
    """The rows of round spots: as many side by side as the innermost row has room for."""
    rows = [count]
    for _ in range(4):  # more rows reach further in, where a seat is narrower: a few iterations settle it
        room = (sides - _row_depths(rows)[-1] + POT) * step
        rows = rows_of(count, most=max(1, int(room // PITCH)))
    return rows


def _bands(
    made: FeltPlan,
    book: Book,
    seat: int,
    main: Sequence[WagerKind],
    depths: Sequence[float],
    wedge: tuple[float, float],
) -> list[Area]:
    found, outer, middle = list[Area](), made.outer, sum(wedge) / 2
    for kind, depth in zip(main, depths, strict=True):
        inner = outer - depth
        room = (inner + depth / 2) * (wedge[1] - wedge[0])
        radius = max(NARROWEST, min(15.0, room / 2 - 3, depth / 2 - 12))
        chips = min(10 + depth / 2, 26 + radius)  # below the name, with room for the sum below them
        found.append(
            Area(
                seat=seat, on=kind, letters=kind.word.upper(), title=title_of(book, kind), inner=inner, outer=outer,
                start=wedge[0], end=wedge[1], is_spot=False, name_at=made.at(inner + 13, middle),
                chips=made.at(inner + chips, middle), radius=radius,
            )
        )  # fmt: skip
        outer = inner
    return found


def _pots(
    made: FeltPlan, book: Book, seat: int, spots: Sequence[WagerKind], rows: Sequence[int], wedge: tuple[float, float],
    sides: float,
) -> list[Area]:  # fmt: skip
    depths = _row_depths(rows)
    inmost, middle, left = sides - depths[-1], sum(wedge) / 2, list(spots)
    found = list[Area]()
    for row, depth in zip(rows, depths, strict=False):
        radius = inmost + depth
        room = radius * (wedge[1] - wedge[0])
        most = max(rows)
        pitch = min(room / most, 29.0)
        size = max(NARROWEST, min(POT, room / most / 2 - 0.5))
        for k in range(row):
            angle = middle + (k - (row - 1) / 2) * pitch / radius
            point = made.at(radius, angle)
            kind = left.pop(0)
            found.append(
                Area(
                    seat=seat, on=kind, letters=letters_of(kind), title=title_of(book, kind), inner=radius - size,
                    outer=radius + size, start=angle - size / radius, end=angle + size / radius, is_spot=True,
                    name_at=point, chips=point, radius=size,
                )
            )  # fmt: skip
    return found


def _seat(made: FeltPlan, seat: int, areas: Sequence[Area], wedge: tuple[float, float], combination: str) -> SeatPlan:
    middle = sum(wedge) / 2
    aside = 22 / (made.outer + 19) if combination else 0.0
    return SeatPlan(
        number=seat, start=wedge[0], end=wedge[1], areas=tuple(areas), disc=made.at(made.outer + 19, middle - aside),
        name=made.at(made.outer + 43, middle), combination=combination,
        combination_at=made.at(made.outer + 19, middle + aside * len(combination) / 7),
    )  # fmt: skip


def _combinations(rules: Rulebook) -> dict[int, str]:
    """The combination of each seat, if Royal 9 is offered: the document's own, or those filed."""
    law, elected = rules.edition.royal9, rules.elections.royal9
    if law is None or elected is None:
        return {}
    combos = (elected.combos or {}) if law.chairs == "submission" else {s: each.suits for s, each in law.chairs.items()}
    return {int(seat): f"{law.courts}{_sign(suits[0])} 9{_sign(suits[1])}" for seat, suits in combos.items()}


def _sign(letter: str) -> str:
    return SIGNS[Suit(letter.lower())]
