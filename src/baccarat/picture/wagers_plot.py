"""The picture of every wager: the cut-card effect on it, and the rounds that cause it."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.picture.paint import with_paint
from baccarat.picture.plot import NAMES, ROW, WIDTH, Frame, bar_name, plot_document, ticks
from baccarat.picture.svg import Markup, path_data
from baccarat.sim.estimate import SIGMAS_95
from baccarat.sim.study.cut_card import LateRound
from baccarat.sim.study.wagers import WagerFound, WagerStudy

FIGURES = 160.0
"""The width of the figures on the right."""
LEAST_SHARE = 0.02
"""Rounds that fewer of the shoes have are not drawn: too little is known of them."""
SURE_ERRORS = 4
"""Standard errors beyond which an effect is significant."""
HUES = ("player", "banker")


def wagers_plot(found: WagerStudy) -> Markup:
    """Above: the effect on each wager with its 95 % interval. Below: the edge by the number of the round."""
    measured = [each for each in found.wagers if each.effect is not None]
    assert measured, "the effect is known for at least one wager"
    parts, below = _effects(measured)
    clear = sorted(sorted(measured, key=_is_clear)[-len(HUES) :], key=lambda each: each.effect or 0.0, reverse=True)
    more, height = _by_round(clear, below + 40)
    figures = "; ".join(f"{each.name} {_figure(each)}" for each in measured)
    said = (
        f"How much more of a unit the house wins to the cover card: {figures}. Rounds that every shoe has are like the "
        f"first; in those that only some shoes have, the edge differs."
    )
    return plot_document("The cut-card effect on the house edge, % of a unit", said, height, parts, more)


def _is_clear(each: WagerFound) -> tuple[bool, float]:
    """Whether the effect is far from zero for its error, and how far."""
    assert each.effect is not None
    assert each.effect_error is not None
    return abs(each.effect) > SURE_ERRORS * each.effect_error, abs(each.effect)


def _figure(each: WagerFound) -> str:
    assert each.effect is not None
    assert each.effect_error is not None
    return f"{100 * each.effect:+.5f} ± {100 * SIGMAS_95 * each.effect_error:.5f} %".replace("-", "−")


def _effects(found: Sequence[WagerFound]) -> tuple[list[Markup], float]:
    """One row per wager: its effect as a dot in its interval; and where the rows end."""
    spans = []
    for each in found:
        assert each.effect is not None
        assert each.effect_error is not None
        half = SIGMAS_95 * each.effect_error
        spans.append((100 * (each.effect - half), 100 * each.effect, 100 * (each.effect + half)))
    low, high = min(0.0, *(span[0] for span in spans)), max(0.0, *(span[2] for span in spans))
    right, bottom = WIDTH - FIGURES, 34.0 + ROW * len(found)
    frame = Frame(NAMES, right, 34.0, bottom, low, high if high > low else low + 1.0, 0.0, 1.0)
    levels = ticks(frame.x_low, frame.x_high, about=6)
    step = levels[1] - levels[0] if len(levels) > 1 else 1.0
    parts = [with_paint("path", "rule", d=path_data("M", frame.x(level), 30, "V", bottom)) for level in levels]
    parts += [
        with_paint("text", "faint", f"{level:+.{_places(step)}f}".replace("-", "−") if level else "0",
                x=frame.x(level), y=bottom + 15, font_size=12)
        for level in levels
    ]  # fmt: skip
    parts.append(with_paint("path", "axis", d=path_data("M", frame.x(0), 30, "V", bottom), stroke_width=1.5))
    for k, (each, (start, middle, end)) in enumerate(zip(found, spans, strict=True)):
        y, hue = 34.0 + ROW * k, HUES[0] if middle >= 0 else HUES[1]
        parts += [
            *bar_name(each.name, y),
            with_paint("path", f"line-{hue}", d=path_data("M", frame.x(start), y + 13, "H", frame.x(end)),
                       stroke_width=2),
            with_paint("circle", f"fill-{hue}", cx=frame.x(middle), cy=y + 13, r=3.6),
            with_paint("text", "word-start", _figure(each), x=right + 12, y=y + 17, font_size=12),
        ]  # fmt: skip
    return parts, bottom + 20


def _places(step: float) -> int:
    """The decimal places of a multiple of this step."""
    return next((places for places in range(8) if abs(round(step, places) - step) < 1e-9 * step), 8)


def _by_round(clear: Sequence[WagerFound], top: float) -> tuple[list[Markup], float]:
    """The edge in late rounds, for the wagers with the clearest effect; and the resulting height of the picture."""
    lines = [[late for late in each.late if late.share >= LEAST_SHARE] for each in clear]
    lines = [line for line in lines if line]
    if not lines:
        return [], top - 30
    head = "House edge before a round, less that of a full shoe, %"
    parts = [with_paint("text", "word-start", head, x=0, y=top, font_size=14)]
    for k, each in enumerate(clear):
        y = top + 20 + 18 * k
        parts.append(with_paint("path", f"line-{HUES[k]}", d=path_data("M", 70, y - 4, "h", 18), stroke_width=2))
        parts.append(with_paint("text", "word-start", f"{each.name}, and its 95 % interval", x=96, y=y, font_size=12.5))
    y = top + 20 + 18 * len(clear)
    parts.append(with_paint("rect", "band-1", x=70, y=y - 10, width=18, height=10))
    parts.append(with_paint("text", "word-start", "of all shoes, those that have the round (full height: all of them)",
                         x=96, y=y, font_size=12.5))  # fmt: skip
    frame = _frame(lines, y + 14)
    parts += [_share(frame, late) for late in lines[0]]
    parts += frame.axes()
    parts.append(frame.level("axis", 0))
    for k, line in enumerate(lines):
        high, low = ([(late.number, 100 * (late.above + sign * SIGMAS_95 * late.error)) for late in line]
                     for sign in (1, -1))  # fmt: skip
        band = f"{frame.line([*high, *reversed(low)])}Z"
        parts.append(with_paint("path", f"fill-{HUES[k]}", d=band, fill_opacity=0.22))
        points = [(late.number, 100 * late.above) for late in line]
        parts.append(with_paint("path", f"line-{HUES[k]}", d=frame.line(points), stroke_width=1.8))
    parts.append(frame.caption("round of the shoe"))
    return parts, frame.bottom + 48


def _frame(lines: Sequence[Sequence[LateRound]], top: float) -> Frame:
    ends = [100 * (late.above + sign * SIGMAS_95 * late.error) for line in lines for late in line for sign in (1, -1)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = (high - low) * 0.05 or 1.0
    numbers = [late.number for late in lines[0]]
    return Frame(70, WIDTH - 14, top, top + 230, numbers[0] - 0.5, numbers[-1] + 0.5, low - room, high + room)


def _share(frame: Frame, late: LateRound) -> Markup:
    high = late.share * (frame.bottom - frame.top)
    left, right = frame.x(late.number - 0.4), frame.x(late.number + 0.4)
    return with_paint(
        "rect", "band-1", x=left, y=frame.bottom - high, width=right - left, height=high, fill_opacity=0.45
    )
