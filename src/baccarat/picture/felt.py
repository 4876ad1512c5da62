"""The felt as the Submission lays it out, drawn: one crescent, its seats numbered from the elected side.

Every seat is `<g class="seat" data-seat data-x data-y>`, every area in it `<g class="area" data-seat data-on data-x
data-y data-r>`: a page puts chips there, listens there, and marks who sits where by classes of its own.
"""

from __future__ import annotations

from math import degrees

from baccarat.law.rulebook import Rulebook
from baccarat.picture.felt_plan import MIDDLE, Area, FeltPlan, SeatPlan, plan
from baccarat.picture.paint import with_paint
from baccarat.picture.svg import Markup, document, element, path_data, translation

LEFT, WIDTH = -12.0, 1024.0
EDGE = 1.4
SIGN = "A Banker wager pushes on a Dragon 7"


def felt(rules: Rulebook, *, hands: bool = False) -> Markup:
    """The picture of a table under these rules; `hands` adds the places of the two hands, for use without a page."""
    made = plan(rules)
    parts = [with_paint("path", "cloth", d=sector(made, made.inner, made.outer, -made.spread, made.spread))]
    if made.inscription:
        parts.append(_inscription(made))
    if made.sign:
        parts.append(_sign())
    if made.boxes:
        parts.append(_boxes(made))
    if hands:
        parts += [_hand("Player", MIDDLE - 226), _hand("Banker", MIDDLE + 46)]
    label = f"Layout of {made.title}, {len(made.seats)} seats"
    return document(
        WIDTH, made.height, parts, [_seat(made, seat) for seat in made.seats], label=label, role="group",
        viewBox=f"{LEFT:g} 0 {WIDTH:g} {made.height:g}", class_="felt", data_seats=len(made.seats),
    )  # fmt: skip


def sector(made: FeltPlan, inner: float, outer: float, start: float, end: float) -> str:
    """A part of the crescent between two radii and two angles, as the data of a path."""
    a, b, c, d = made.at(outer, start), made.at(outer, end), made.at(inner, end), made.at(inner, start)
    return path_data(
        "M", a.x, a.y, "A", outer, outer, 0, 0, 0, b.x, b.y, "L", c.x, c.y, "A", inner, inner, 0, 0, 1, d.x, d.y, "Z"
    )


def _seat(made: FeltPlan, seat: SeatPlan) -> Markup:
    turn = -degrees(seat.turn)
    spots = [area for area in seat.areas if area.is_spot]
    inmost = made.inner + (22 if made.inscription else 0)
    under = (
        [with_paint("path", "area-cloth", d=sector(made, inmost, made.sides, seat.start, seat.end))] if spots else []
    )
    line = with_paint("path", "seat-line", d=sector(made, inmost, made.outer, seat.start, seat.end))
    in_by = EDGE / made.sides  # within the seat, so that its neighbours do not cover it
    edge = with_paint(
        "path", "seat-edge", d=sector(made, inmost + EDGE, made.outer - EDGE, seat.start + in_by, seat.end - in_by)
    )
    number = element(
        "g",
        with_paint("circle", "seat-disc", r=12),
        with_paint("text", "seat-number", str(seat.number), y=4.3, font_size=12),
        transform=translation(seat.disc.x, seat.disc.y),
    )
    return element(
        "g", under, [_area(made, area, turn) for area in seat.areas], line, edge, number, _combination(seat, turn),
        class_="seat", data_seat=seat.number, data_x=seat.disc.x, data_y=seat.disc.y, data_name_x=seat.name.x,
        data_name_y=seat.name.y, data_turn=turn,
    )  # fmt: skip


def _area(made: FeltPlan, area: Area, turn: float) -> Markup:
    if area.is_spot:
        shape = with_paint("circle", "area-pot", cx=area.chips.x, cy=area.chips.y, r=area.radius)
        size = min(9.0, area.radius * 0.78) if len(area.letters) > 1 else min(11.0, area.radius * 0.95)
        name = with_paint("text", "pot-name", area.letters, x=area.name_at.x, y=area.name_at.y + size * 0.35,
                       font_size=size)  # fmt: skip
    else:
        shape = with_paint("path", "area-cloth", d=sector(made, area.inner, area.outer, area.start, area.end))
        room = (area.end - area.start) * area.inner
        size = max(3.0, min(11.0, (room - 10) / (len(area.letters) * 0.85)))
        paint = f"area-name area-{area.on.word}" if area.on.word in ("player", "banker", "tie") else "area-name"
        name = with_paint(
            "text", paint, area.letters, transform=translation(area.name_at.x, area.name_at.y, angle=turn),
            dy=size * 0.36,
            font_size=size,
        )  # fmt: skip
    kind = "area spot" if area.is_spot else "area band"
    return element(
        "g", element("title", area.title), shape, name, class_=f"{kind} {area.on.word.replace('_', '-')}",
        data_seat=area.seat, data_on=area.on.word, data_x=area.chips.x, data_y=area.chips.y, data_r=area.radius,
    )  # fmt: skip


def _combination(seat: SeatPlan, turn: float) -> Markup:
    """The cards of a seat, if Royal 9 is offered."""
    if not seat.combination:
        return Markup()
    return with_paint(
        "text", "seat-combination", seat.combination, dy=4, font_size=11,
        transform=translation(seat.combination_at.x, seat.combination_at.y, angle=turn),
    )  # fmt: skip


def _inscription(made: FeltPlan) -> Markup:
    """The words that an EZ table must show on its felt."""
    start, end = made.at(made.inner + 15, -made.spread), made.at(made.inner + 15, made.spread)
    line = path_data("M", start.x, start.y, "A", made.inner + 15, made.inner + 15, 0, 0, 0, end.x, end.y)
    words = element("textPath", SIGN.upper(), href="#felt-inscription", startOffset="50%")
    return Markup(
        with_paint("path", "inscription-cloth", d=sector(made, made.inner, made.inner + 22, -made.spread, made.spread))
        + element("path", id="felt-inscription", d=line, fill="none")
        + with_paint("text", "inscription", words, font_size=11)
    )


def _sign() -> Markup:
    """The sign at an EZ table whose felt does not have these words."""
    return element(
        "g",
        with_paint("rect", "sign-plate", x=MIDDLE - 130, y=8, width=260, height=30, rx=3),
        with_paint("text", "sign-text", SIGN, x=MIDDLE, y=27.5, font_size=12.5),
        class_="sign",
    )


def _hand(name: str, x: float) -> Markup:
    """The places of a hand's first two cards, in front of the dealer."""
    places = [with_paint("rect", "card-place", x=x + 94 * k, y=126, width=86, height=120, rx=6) for k in range(2)]
    return element("g", with_paint("text", "word", name, x=x + 90, y=114, font_size=13), places, class_="hand")


def _boxes(made: FeltPlan) -> Markup:
    """The numbered spaces in front of the dealer, in which vigorish is marked."""
    wide = min(50.0, 960 / len(made.seats))
    left, top = MIDDLE - wide * len(made.seats) / 2, 46.0 if made.sign else 8.0
    boxes = [
        element(
            "g",
            with_paint("rect", "box", x=left + k * wide, y=top, width=wide, height=34),
            with_paint("text", "box-number", str(seat.number), x=left + (k + 0.5) * wide, y=top + 11.5, font_size=10),
            class_="vigorish-box", data_seat=seat.number, data_x=left + (k + 0.5) * wide, data_y=top + 22,
        )
        for k, seat in enumerate(made.seats)
    ]  # fmt: skip
    return element("g", boxes, class_="vigorish-boxes")
