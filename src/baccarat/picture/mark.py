"""The marks of roads, about a point: letters on discs, rings, half discs and strokes, never told apart by colour alone.

Derived roads show red and blue by shape as well: Big Eye Boy a ring or a ring with a point, Small Road a disc or a half
disc, Cockroach Pig a rising or a falling stroke.
"""

from __future__ import annotations

from functools import cache

from baccarat.picture.paint import with_paint
from baccarat.picture.svg import XMLNS, Markup, element, path_data
from baccarat.play.road import REACH, Bead, BigCell, Road, RoadMark


def bead(result: Bead, x: float, y: float, size: float) -> Markup:
    """A round on the bead plate: a disc with its letter, the pairs as points at its corners."""
    word = result.outcome.value
    return Markup(
        with_paint("circle", f"fill-{word}", cx=x, cy=y, r=size * 0.42)
        + with_paint("text", f"on-{word}", result.outcome.letter, x=x, y=y + size * 0.17, font_size=size * 0.48)
        + _pairs(result, x, y, size)
    )


def _pairs(result: Bead | BigCell, x: float, y: float, size: float) -> Markup:
    off, radius = size * 0.31, max(1.4, size * 0.12)
    banker = with_paint("circle", "dot-banker", cx=x - off, cy=y - off, r=radius) if result.banker_pair else ""
    player = with_paint("circle", "dot-player", cx=x + off, cy=y + off, r=radius) if result.player_pair else ""
    return Markup(banker + player)


def circle(cell: BigCell, x: float, y: float, size: float) -> Markup:
    """A result on the big road: a hollow circle; ties are a stroke through it, with their number above one."""
    paint, width = f"line-{cell.outcome.value}", max(1.6, size * 0.13)
    parts = [with_paint("circle", paint, cx=x, cy=y, r=size * 0.36, stroke_width=width)]
    if cell.ties:
        reach, width = size * 0.4, max(1.6, size * 0.12)
        stroke = path_data("M", x - reach, y + reach, "L", x + reach, y - reach)
        parts.append(with_paint("path", "line-tie", d=stroke, stroke_width=width, stroke_linecap="round"))
    if cell.ties > 1:
        at = {"x": x, "y": y + size * 0.18, "font_size": size * 0.5, "stroke_width": size * 0.12}
        parts.append(with_paint("text", "tie-count", str(cell.ties), **at))
    return Markup("".join(parts) + _pairs(cell, x, y, size))


def mark(road: Road, colour: RoadMark, x: float, y: float, size: float) -> Markup:
    """A mark of a derived road."""
    word, is_red = colour.value, colour is RoadMark.RED
    if road is Road.BIG_EYE_BOY:
        ring = with_paint("circle", f"line-{word}", cx=x, cy=y, r=size * 0.33, stroke_width=size * 0.14)
        return ring if is_red else Markup(ring + with_paint("circle", f"fill-{word}", cx=x, cy=y, r=size * 0.12))
    if road is Road.SMALL_ROAD:
        if is_red:
            return with_paint("circle", f"fill-{word}", cx=x, cy=y, r=size * 0.37)
        half = path_data("M", x, y - size * 0.36, "A", size * 0.36, size * 0.36, 0, 0, 0, x, y + size * 0.36, "Z")
        ring = with_paint("circle", f"line-{word}", cx=x, cy=y, r=size * 0.32, stroke_width=size * 0.1)
        return Markup(ring + with_paint("path", f"fill-{word}", d=half))
    assert road is Road.COCKROACH_PIG, f"{road} has no such marks"
    reach, rise = size * 0.33, size * 0.33 * (1 if is_red else -1)
    stroke = path_data("M", x - reach, y + rise, "L", x + reach, y - rise)
    return with_paint("path", f"line-{word}", d=stroke, stroke_width=size * 0.19, stroke_linecap="round")


@cache
def marks() -> Markup:
    """All marks of the derived roads as symbols of one file, such as `big-eye-boy-red`, in a square of 24."""
    symbols = [
        element("symbol", mark(road, colour, 12, 12, 22), id=f"{road.value.replace('_', '-')}-{colour.value}",
                viewBox="0 0 24 24")
        for road in REACH for colour in RoadMark
    ]  # fmt: skip
    return Markup(element("svg", symbols, xmlns=XMLNS) + "\n")
