"""Win bands: what a table has won, compared with what was expected, with one and two deviations about it.

Every band is equally wide, so that tables compare at a glance, whatever their stakes are.
"""

from __future__ import annotations

from baccarat.money import Cents
from baccarat.picture.paint import with_paint
from baccarat.picture.svg import Markup, document, path_data

WIDTH, HEIGHT = 320.0, 62.0
MIDDLE, DEVIATION, TOP, HIGH = WIDTH / 2, 54.0, 20.0, 14.0
MOST_DEVIATIONS = 2.8
"""A win further out is drawn here, with its figure."""


def deviations(*, theoretical: int, deviation: int, win: int) -> float:
    """How many deviations a win lies above what was expected."""
    return (win - theoretical) / deviation if deviation else 0.0


def whole_dollars(cents: int) -> str:
    """A sum in whole dollars, with a true minus sign."""
    return str(Cents(round(cents / 100) * 100)).removesuffix(".00").replace("-", "−")


def win_band(*, theoretical: int, deviation: int, win: int) -> Markup:
    """The band of a table: cents that theory expects, one standard deviation, and the win."""
    assert deviation >= 0, "a deviation is not negative"
    far = deviations(theoretical=theoretical, deviation=deviation, win=win)
    x = MIDDLE + max(-MOST_DEVIATIONS, min(MOST_DEVIATIONS, far)) * DEVIATION
    pointer = "pointer" if abs(far) <= 2 else "pointer-outside"
    marks = [
        with_paint("rect", "band-2", x=MIDDLE - 2 * DEVIATION, y=TOP, width=4 * DEVIATION, height=HIGH, rx=2),
        with_paint("rect", "band-1", x=MIDDLE - DEVIATION, y=TOP, width=2 * DEVIATION, height=HIGH),
        with_paint("path", "mean", d=path_data("M", MIDDLE, TOP - 2, "V", TOP + HIGH + 2)),
        with_paint("path", pointer, d=path_data("M", x, TOP + HIGH, "V", TOP - 6)),
        with_paint("path", pointer, d=path_data("M", x, TOP - 4, "L", x - 6, TOP - 14, "H", x + 6, "Z")),
    ]
    words = [
        with_paint("text", "faint", whole_dollars(theoretical + k * deviation), x=MIDDLE + k * DEVIATION, y=HEIGHT - 12,
                font_size=12)
        for k in (-2, 0, 2)
    ]  # fmt: skip
    label = (
        f"Win {Cents(win)}, {abs(far):.1f} deviations {'above' if far >= 0 else 'below'} the theoretical "
        f"{Cents(theoretical)}; one deviation is {Cents(deviation)}"
    )
    return document(WIDTH, HEIGHT, marks, words, label=label, class_="win-band")
