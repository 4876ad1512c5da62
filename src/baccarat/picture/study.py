"""Plots of studies in plain SVG: lines, bars and fans, each with its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from baccarat.picture.paint import with_paint
from baccarat.picture.plot import NAMES, RIGHT, ROW, WIDTH, Frame, Points, bar_name, plot_document
from baccarat.picture.svg import Markup, document, element, path_data, translation

HUES = ("line-banker", "line-player", "line-tie", "line-other")
FILLS = ("fill-banker", "fill-player", "fill-tie", "bar-other")
HIGH, BELOW = 230.0, 48.0
"""Between the axes of lines and fans, and below them."""
FAN_TOP = 52.0
FAN_HEIGHT = FAN_TOP + HIGH + BELOW


def _frame(points: Points, *, top: float, zero: bool) -> Frame:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low, high = min(ys), max(ys)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    room = (high - low) * 0.05 or 1.0
    return Frame(70, WIDTH - 14, top, top + HIGH, min(xs), max(xs), low - room * (low < 0 or not zero), high + room)


def line_plot(
    title: str, lines: Mapping[str, Points], *, across: str, said: str, zero: bool = True, dashed: str | None = None,
    marks: Sequence[tuple[float, str]] = (),
) -> Markup:  # fmt: skip
    """Lines over one axis, each with its name above; one may be dashed, so that another shows through it.

    marks: vertical dashed lines, each at its value with its words.
    """
    assert lines, "a plot has a line"
    top = 34.0 + 18 * len(lines)
    frame = _frame([point for line in lines.values() for point in line], top=top, zero=zero)
    parts = frame.axes()
    for k, (name, line) in enumerate(lines.items()):
        hue, y = HUES[k % len(HUES)], 38.0 + 18 * k
        dashes = "5 3" if k >= len(HUES) or name == dashed else None
        drawn, key = frame.line(line), path_data("M", frame.left, y - 4, "h", 18)
        rounded = {"stroke_linejoin": "round", "stroke_dasharray": dashes}
        parts.append(with_paint("path", hue, d=drawn, stroke_width=1.8, **rounded))
        parts.append(with_paint("path", hue, d=key, stroke_width=2, stroke_dasharray=dashes))
        parts.append(with_paint("text", "word-start", name, x=frame.left + 26, y=y, font_size=12.5))
    if frame.y_low < 0 < frame.y_high:
        parts.append(frame.level("axis", 0))
    parts += _marks(frame, [mark for mark in marks if frame.x_low <= mark[0] <= frame.x_high])
    parts.append(frame.caption(across))
    return plot_document(title, said, frame.bottom + BELOW, parts)


def _marks(frame: Frame, marks: Sequence[tuple[float, str]]) -> list[Markup]:
    """Vertical lines with their words: the first of several has them on its left, so that no line crosses them."""
    parts = []
    for k, (value, words) in enumerate(sorted(marks)):
        x, y = frame.x(value), frame.bottom - 12 - 16 * k
        is_left = (k == 0 and len(marks) > 1) or x > (frame.left + 3 * frame.right) / 4
        parts.append(with_paint("path", "mean", d=path_data("M", x, frame.top, "V", frame.bottom)))
        paint, aside = ("word-end", -6) if is_left else ("word-start", 6)
        parts.append(with_paint("text", paint, words, x=x + aside, y=y, font_size=12))
    return parts


def fan_plot(title: str, fan: Mapping[int, Points], *, across: str, note: str, said: str) -> Markup:
    """Percentiles over time: bands from each low one to its counterpart, and the median as a line."""
    lows = sorted(percent for percent in fan if percent < 50)
    assert lows, "a fan has a band"
    frame = _frame([point for line in fan.values() for point in line], top=FAN_TOP, zero=True)
    parts = frame.axes()
    for low in lows:
        edge = [*fan[low], *reversed(fan[100 - low])]
        parts.append(with_paint("path", "fill-player", d=f"{frame.line(edge)}Z", fill_opacity=0.22))
    parts.append(with_paint("path", "line-player", d=frame.line(fan[50]), stroke_width=2))
    if frame.y_low < 0 < frame.y_high:
        parts.append(frame.level("axis", 0))
    parts.append(with_paint("text", "word-start", note, x=frame.left, y=40, font_size=12.5))
    parts.append(frame.caption(across))
    return plot_document(title, said, frame.bottom + BELOW, parts)


def stack_plots(plots: Sequence[Markup], *, height: float, label: str) -> Markup:
    """Plots of equal height, one below another, as one picture."""
    parts = [element("g", plot, transform=translation(0, k * height)) for k, plot in enumerate(plots)]
    return document(WIDTH, len(plots) * height, parts, label=label)


def bar_plot(title: str, bars: Sequence[tuple[str, float, str]], *, said: str, fair: float | None = None) -> Markup:
    """Bars with a name on the left and a figure on the right; a dashed line at the fair value."""
    low = min(0.0, *(value for _, value, _ in bars))
    high = max(0.0, *(value for _, value, _ in bars), fair or 0.0) or 1.0
    scale = (WIDTH - NAMES - RIGHT) / (high - low)
    zero = NAMES - low * scale
    parts, y = list[Markup](), 34.0
    for name, value, figure in bars:
        start, wide = (zero, value * scale) if value >= 0 else (zero + value * scale, -value * scale)
        parts += [
            *bar_name(name, y),
            with_paint("rect", FILLS[1] if value >= 0 else FILLS[0], x=start, y=y + 4, width=max(1.0, wide),
                    height=ROW - 12, rx=2),
            with_paint("text", "word-start", figure, x=max(zero, start + wide) + 8, y=y + 17, font_size=12.5),
        ]  # fmt: skip
        y += ROW
    parts.append(with_paint("path", "axis", d=path_data("M", zero, 30, "V", y)))
    if fair is not None:
        parts.append(with_paint("path", "mean", d=path_data("M", zero + fair * scale, 30, "V", y)))
    return plot_document(title, said, y + 10, parts)
