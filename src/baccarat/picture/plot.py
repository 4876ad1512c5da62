"""Plots of odds in plain SVG: edges side by side, edge against stake, hit frequency, and how a round ends."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10
from typing import NamedTuple

from baccarat.law.row import WagerResult
from baccarat.money import Cents
from baccarat.odds.band import PERCENTS
from baccarat.odds.gain import stake_objection
from baccarat.odds.measure import Price
from baccarat.odds.price import Prices
from baccarat.odds.show import percent
from baccarat.picture.paint import with_paint
from baccarat.picture.svg import Markup, document, element, path_data

Points = Sequence[tuple[float, float]]
WIDTH, ROW, NAMES, RIGHT = 600.0, 30.0, 176.0, 92.0
LONGEST_LABEL = 22
"""A longer name takes two lines next to a bar."""
RARE = Fraction(1, 100_000)
STAKES = 200
"""How many steps of a stake are drawn."""


def outcome_of(price: Price) -> str:
    """The outcome in which a wager wins, which gives it its colour; `other` if it wins in more than one."""
    verdicts = price.book.verdicts.get(price.on, ())
    wins = [
        index for index, verdict in enumerate(verdicts) if verdict is not None and verdict.result is WagerResult.WIN
    ]
    outcomes = {str((price.book.facts[index] or {})["winner"]) for index in wins}
    return outcomes.pop() if len(outcomes) == 1 else "other"


def _fill(hue: str) -> str:
    return "bar-other" if hue == "other" else f"fill-{hue}"


def _line(hue: str) -> str:
    return "line-other" if hue == "other" else f"line-{hue}"


def ticks(low: float, high: float, *, about: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about `about` of them."""
    if high <= low:
        return [low]
    raw = (high - low) / about
    size = 10.0 ** floor(log10(raw))
    step = next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= raw * 0.999)
    first = -(-low // step)
    return [(first + k) * step for k in range(int((high - first * step) / step + 1e-9) + 1)]


def _figure(value: float, step: float) -> str:
    places = max(0, -floor(log10(step) + 1e-9)) if step > 0 else 0
    places += step * 10**places % 1 > 1e-9  # a step of 0.25 needs one more place
    return f"{value:,.{places}f}".replace("-", "−")


def plot_document(title: str, said: str, height: float, *parts: Sequence[Markup]) -> Markup:
    """A plot with its title, and a description in words for those who cannot see it."""
    head = with_paint("text", "title", title, x=0, y=18, font_size=min(16.0, WIDTH / (0.64 * len(title))))
    return document(WIDTH, height, element("desc", said), head, *parts, label=title, class_="plot")


def bar_name(words: str, y: float) -> list[Markup]:
    """What a bar stands for, on the left of it; a long name in two lines."""
    if len(words) <= LONGEST_LABEL:
        return [with_paint("text", "word-end", words, x=NAMES - 12, y=y + 17, font_size=13)]
    spaces = [k for k, letter in enumerate(words) if letter == " "] or [len(words)]
    middle = min(spaces, key=lambda k: abs(k - len(words) / 2))
    return [
        with_paint("text", "word-end", part.strip(), x=NAMES - 12, y=y + at, font_size=11)
        for part, at in ((words[:middle], 10.5), (words[middle:], 23))
    ]


# --------------------------------------------------------------------------------------------------- edges


def edge_plot(prices: Prices) -> Markup:
    """The house edge of every wager of a Submission, per unit staked."""
    found = list(prices)
    most = max((abs(float(price.edge)) for price in found), default=0.0) or 1.0
    low = min(0.0, *(float(price.edge) for price in found)) if found else 0.0
    zero = NAMES + (-low / (most - low)) * (WIDTH - NAMES - RIGHT)
    scale = (WIDTH - NAMES - RIGHT) / (most - low)
    parts, y = list[Markup](), 36.0
    for price in found:
        edge = float(price.edge)
        start, wide = (zero, edge * scale) if edge >= 0 else (zero + edge * scale, -edge * scale)
        parts += [
            *bar_name(price.name, y),
            with_paint("rect", _fill(outcome_of(price)), x=start, y=y + 4, width=max(1.0, wide), height=ROW - 12, rx=2),
            with_paint("text", "word-start", percent(price.edge, 4), x=max(zero, start + wide) + 8, y=y + 17,
                    font_size=12.5),
        ]  # fmt: skip
        y += ROW
    parts.append(with_paint("path", "axis", d=path_data("M", zero, 32, "V", y)))
    said = "; ".join(f"{price.name} {percent(price.edge)}" for price in found)
    return plot_document("House edge of a unit staked", f"{said}.", y + 8, parts)


# ------------------------------------------------------------------------------------------ edge and stake


def edges_by_stake(price: Price) -> list[tuple[int, Fraction]]:
    """The edge at every stake that the limits allow, from the lowest, for `STAKES` steps."""
    limit = price.book.limits.get(price.on)
    low, high, step = (limit.min, limit.max, limit.increment) if limit is not None else (2_500, 500_000, 100)
    stakes = range(low, min(high, low + (STAKES - 1) * step) + 1, step)
    return [(stake, price.at(stake).edge) for stake in stakes if stake_objection(price.book, price.on, stake) is None]


class Frame(NamedTuple):
    """The positions of a plot's axes, and what they span."""

    left: float
    right: float
    top: float
    bottom: float
    x_low: float
    x_high: float
    y_low: float
    y_high: float

    def x(self, value: float) -> float:
        """The horizontal position of a value."""
        return self.left + (value - self.x_low) / ((self.x_high - self.x_low) or 1) * (self.right - self.left)

    def y(self, value: float) -> float:
        """The vertical position of a value."""
        return self.bottom - (value - self.y_low) / ((self.y_high - self.y_low) or 1) * (self.bottom - self.top)

    def line(self, points: Points) -> str:
        """The data of a path through some points."""
        return path_data(
            *(part for n, (x, y) in enumerate(points) for part in ("L" if n else "M", self.x(x), self.y(y)))
        )

    def level(self, paint: str, value: float) -> Markup:
        """A horizontal line from end to end."""
        return with_paint("path", paint, d=path_data("M", self.left, self.y(value), "H", self.right))

    def caption(self, words: str) -> Markup:
        """What the figures along the bottom are."""
        return with_paint("text", "faint", words, x=(self.left + self.right) / 2, y=self.bottom + 38, font_size=12)

    def axes(self, *, figures: bool = True) -> list[Markup]:
        """Horizontal rules with their figures, and optionally figures along the bottom."""
        parts, levels = list[Markup](), ticks(self.y_low, self.y_high)
        for level in levels:
            y = self.y(level)
            step = levels[1] - levels[0] if len(levels) > 1 else 1.0
            parts.append(with_paint("path", "rule", d=path_data("M", self.left, y, "H", self.right)))
            parts.append(with_paint("text", "faint-end", _figure(level, step), x=self.left - 8, y=y + 4, font_size=12))
        across = ticks(self.x_low, self.x_high, about=8) if figures else []
        for value in across:
            step = across[1] - across[0] if len(across) > 1 else 1.0
            x = self.x(value)
            parts.append(with_paint("path", "axis", d=path_data("M", x, self.bottom, "V", self.bottom + 5)))
            parts.append(with_paint("text", "faint", _figure(value, step), x=x, y=self.bottom + 19, font_size=12))
        parts.append(with_paint("path", "axis", d=path_data("M", self.left, self.bottom, "H", self.right)))
        return parts


def stake_plot(prices: Prices) -> Markup | None:
    """Edge against stake for the wagers whose payment is rounded; None if no edge depends on the stake."""
    found = [(price, edges_by_stake(price)) for price in prices if price.stake is None and price.verdicts]
    lines = [(price, line) for price, line in found if len({edge for _, edge in line}) > 1]
    if not lines:
        return None
    stakes = [stake / 100 for _, line in lines for stake, _ in line]
    edges = [float(edge) * 100 for _, line in lines for _, edge in line]
    room, top = (max(edges) - min(edges)) * 0.06, 34.0 + 18 * len(lines)
    frame = Frame(64, WIDTH - 14, top, top + 230, min(stakes), max(stakes), min(edges) - room, max(edges) + room)
    parts, said = frame.axes(), list[str]()
    for k, (price, line) in enumerate(lines):
        paint = _line(outcome_of(price))
        points = frame.line([(stake / 100, float(edge) * 100) for stake, edge in line])
        parts.append(with_paint("path", paint, d=points, stroke_width=1.4, stroke_linejoin="round"))
        parts.append(frame.level("mean", float(price.edge) * 100))
        words, y = f"{price.name}; dashed, without rounding: {percent(price.edge, 4)}", 38.0 + 18 * k
        parts.append(with_paint("path", paint, d=path_data("M", frame.left, y - 4, "h", 18), stroke_width=2))
        parts.append(with_paint("text", "word-start", words, x=frame.left + 26, y=y, font_size=12.5))
        best, worst = min(line, key=lambda each: each[1]), max(line, key=lambda each: each[1])
        said.append(f"{price.name}: lowest {percent(best[1])} at {Cents(best[0])}, "
                    f"highest {percent(worst[1])} at {Cents(worst[0])}")  # fmt: skip
    parts.append(frame.caption("stake, dollars"))
    return plot_document("House edge, %, by stake", "; ".join(said) + ".", frame.bottom + 48, parts)


# ------------------------------------------------------------------------------------------ how rounds end


def hit_plot(prices: Prices) -> Markup:
    """How often each wager wins, is pushed and loses."""
    parts, y, said = list[Markup](), 40.0, list[str]()
    wide = WIDTH - NAMES - RIGHT
    for price in prices:
        hit, push = float(price.hit), float(price.push)
        parts += [
            *bar_name(price.name, y),
            with_paint("rect", "band-2", x=NAMES, y=y + 4, width=wide, height=ROW - 12),
            with_paint("rect", "band-1", x=NAMES, y=y + 4, width=wide * (hit + push), height=ROW - 12),
            with_paint("rect", _fill(outcome_of(price)), x=NAMES, y=y + 4, width=wide * hit, height=ROW - 12),
            with_paint("text", "word-start", percent(price.hit, 3), x=NAMES + wide + 8, y=y + 17, font_size=12.5),
        ]
        said.append(f"{price.name} wins {percent(price.hit, 3)} and is pushed {percent(price.push, 3)}")
        y += ROW
    note = "coloured: wins; darker: is pushed; light: loses"
    parts.append(with_paint("text", "faint-start", note, x=NAMES, y=y + 14, font_size=12))
    return plot_document("How often a wager wins", "; ".join(said) + ".", y + 24, parts)


def result_plot(price: Price) -> Markup:
    """What a unit on a wager gains in a round, and how often: every possible result."""
    chances = [(-win, Fraction(ways, price.deals)) for win, ways in price.wins if ways]
    chances.sort(reverse=True)
    most, wide = max(float(chance) for _, chance in chances), WIDTH - NAMES - RIGHT
    parts, y, said = list[Markup](), 36.0, list[str]()
    for gain, chance in chances:
        name = f"{'+' if gain > 0 else '−' if gain < 0 else '±'}{_gain(abs(gain))}"
        long = max(1.0, float(chance) / most * wide)
        paint = "band-1" if gain == 0 else _fill(outcome_of(price)) if gain > 0 else "bar-other"
        parts += [
            with_paint("text", "word-end", name, x=NAMES - 12, y=y + 17, font_size=13),
            with_paint("rect", paint, x=NAMES, y=y + 4, width=long, height=ROW - 12, rx=2),
            with_paint("text", "word-start", chance_of(chance), x=NAMES + long + 8, y=y + 17, font_size=12.5),
        ]
        said.append(f"{name}: {percent(chance)}")
        y += ROW
    title = f"{price.name}: what a unit gains in a round, and how often"
    return plot_document(title, "; ".join(said) + ".", y + 8, parts)


# --------------------------------------------------------------------------------------------- many rounds

POWERS = {3: "10³", 4: "10⁴", 5: "10⁵", 6: "10⁶", 7: "10⁷"}


def rounds_plot(price: Price) -> Markup:
    """Where the house's win of a unit lies after a thousand to ten million rounds: the exact bands of 90, 95, 99 %."""
    rounds = [times * 10**power for power in range(3, 7) for times in (1, 2, 5)] + [10**7]
    found = {percent_: [price.band(rounds=each, percent=percent_) for each in rounds] for percent_ in PERCENTS}
    values = [float(edge) * 100 for bands in found.values() for band in bands for edge in (band.low, band.high)]
    room = (max(values) - min(values)) * 0.04
    frame = Frame(64, WIDTH - 14, 40, 270, 3, 7, min(0.0, *values) - room, max(values) + room)
    parts, fill = frame.axes(figures=False), _fill(outcome_of(price))
    for percent_ in sorted(found, reverse=True):
        bands = found[percent_]
        low = [(log10(each), float(band.low) * 100) for each, band in zip(rounds, bands, strict=True)]
        high = [(log10(each), float(band.high) * 100) for each, band in zip(rounds, bands, strict=True)]
        parts.append(with_paint("path", fill, d=f"{frame.line([*low, *reversed(high)])} Z", fill_opacity=0.2))
    for power, words in POWERS.items():
        x = frame.x(power)
        parts.append(with_paint("path", "axis", d=path_data("M", x, frame.bottom, "V", frame.bottom + 5)))
        parts.append(with_paint("text", "faint", words, x=x, y=frame.bottom + 19, font_size=12))
    parts += [frame.level("axis", 0), frame.level("mean", float(price.edge) * 100)]
    words = f"dashed: the house edge, {percent(price.edge, 4)}; shaded: 90, 95 and 99 %"
    parts.append(with_paint("text", "word-end", words, x=frame.right, y=36, font_size=12.5))
    parts.append(frame.caption("rounds"))
    last = found[PERCENTS[-1]][-1]
    said = (
        f"The bands narrow about the edge as rounds grow. After ten million, {PERCENTS[-1]} % lies between "
        f"{percent(Fraction(last.low), 4)} and {percent(Fraction(last.high), 4)}."
    )
    title = f"{price.name}: the house’s win, % of what is staked, after many rounds"
    return plot_document(title, said, frame.bottom + 48, parts)


def chance_of(chance: Fraction) -> str:
    """A probability as a percentage, or if that would be tiny, as 1 in N."""
    return percent(chance, 4) if chance >= RARE else f"1 in {round(1 / chance):,}"


def _gain(gain: Fraction) -> str:
    """A gain in units: whole, or to three places."""
    return f"{gain.numerator:,}" if gain.denominator == 1 else f"{float(gain):,.3f}".rstrip("0")
