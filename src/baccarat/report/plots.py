"""Plots of a study as SVG, drawn without any network request."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from baccarat.odds.band import PERCENTS
from baccarat.odds.measure import Price
from baccarat.odds.shoe import RANKS, points_of
from baccarat.odds.show import rounded_text, signed_text
from baccarat.picture.plot import outcome_of
from baccarat.play.book import open_book
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.report.model import Plot
from baccarat.report.optional_library import require_library
from baccarat.report.study import Study

FONT = "Libertinus Serif"
"""A font that typst includes; a page falls back on what its reader has."""

INK, FAINT, RULE = "#222222", "#666666", "#d9d9d9"
BLUE, RED, GREEN, SLATE = "#2457a5", "#b3262e", "#2e7d4f", "#5b5f6b"
HUES = {"player": BLUE, "banker": RED, "tie": GREEN}
"""Banker red, Player blue, Tie green, everywhere."""

STEPS = tuple(Fraction(each, 10) for each in (-6, -3, -1, 1, 3, 6))
DARK, LIGHT = STEPS[-1], "#ffffff"
BROWN_TO_TEAL = ("#8c510a", "#d8b365", "#f6e8c3", "#f5f5f5", "#c7eae5", "#5ab4ac", "#01665e")
"""Seven steps that stay distinct for every kind of colour vision."""

WIDTH = 560
"""Points from margin to margin."""


def hue_of(price: Price) -> str:
    """The colour of the one outcome in which a wager wins; slate if it wins in more than one."""
    return HUES.get(outcome_of(price), SLATE)


def plots(study: Study) -> dict[str, Plot]:
    """Every plot that the study has data for, by its name."""
    makers: dict[str, Callable[[Study], Plot | None]] = {
        "stakes": edge_by_stake, "options": options_plot, "bands": bands, "decisions": house_money,
        "removal": removal,
    }  # fmt: skip
    found = {name: make(study) for name, make in makers.items()}
    return {name: plot for name, plot in found.items() if plot is not None}


def edge_by_stake(study: Study) -> Plot | None:
    """The edge of wagers whose vigorish or halves are rounded, stake by stake."""
    shown = {on: line for on, line in study.by_stake.items() if len({edge for _, edge in line}) > 1}
    if not shown:
        return None
    canvas = Canvas()
    alt = canvas.alt
    layers = []
    for on, line in shown.items():
        name, unit = study.prices[on].name, study.prices[on].edge
        data = canvas.data([{"stake": stake / 100, "edge": _percent(edge)} for stake, edge in line])
        base = alt.Chart(data).encode(
            x=alt.X("stake:Q", title="stake, dollars", scale=alt.Scale(nice=False, zero=False)),
            y=alt.Y("edge:Q", title="house edge, %", scale=alt.Scale(domain=_domain(shown.values()), nice=False)),
        )
        hue = hue_of(study.prices[on])
        layers += [
            base.mark_line(color=hue, strokeWidth=0.9, strokeOpacity=0.55),
            base.mark_circle(color=hue, size=11, opacity=1),
            _rule(
                canvas, _percent(unit), f"{name} without rounding {rounded_text(unit * 100, 5)} %", line[-1][0] / 100
            ),
        ]
    lows = {study.prices[on].name: min(line, key=lambda each: each[1]) for on, line in shown.items()}
    highs = {study.prices[on].name: max(line, key=lambda each: each[1]) for on, line in shown.items()}
    said = "; ".join(
        f"{name}: lowest {rounded_text(low[1] * 100, 5)} % at {low[0]}, "
        f"highest {rounded_text(highs[name][1] * 100, 5)} % at {highs[name][0]}"
        for name, low in lows.items()
    )
    chart = alt.layer(*layers).properties(width=WIDTH, height=210)
    said = f"A saw-tooth, because rounding matters less on a larger stake. {said}."
    return canvas.plot(chart, "House edge by stake", said)


def _domain(lines: Iterable[Sequence[tuple[int, Fraction]]]) -> list[float]:
    """From the lowest edge to the highest, with room below for the words of a line."""
    edges = [_percent(edge) for line in lines for _, edge in line]
    room = max(edges) - min(edges)
    return [min(edges) - 0.1 * room, max(edges) + 0.04 * room]


def _rule(canvas: Canvas, at: float, words: str, right: float) -> Any:
    """A horizontal line with its name above its right end."""
    alt, data = canvas.alt, canvas.data([{"edge": at, "stake": right, "words": words}])
    line = alt.Chart(data).mark_rule(color=INK, strokeDash=[4, 3], strokeWidth=0.8).encode(y="edge:Q")
    text = alt.Chart(data).mark_text(align="right", baseline="top", dy=4, color=INK, fontSize=10, font=FONT)
    return line + text.encode(x="stake:Q", y="edge:Q", text="words:N")


def options_plot(study: Study) -> Plot | None:
    """The edges under the elections that would change them, the filed ones in full colour."""
    rows: list[dict[str, object]] = []
    for price in study.prices:
        others = [each for each in study.alternatives if price.on in each.edges and each.key != "decks"]
        filed = [("as filed", price.edge, 1.0)] if others else []
        for words, edge, shade in (
            *filed,
            *((f"{each.key} = {each.value}".replace("_", " "), each.edges[price.on], 0.45) for each in others),
        ):
            rows.append({
                "label": f"{price.name}, {words}", "edge": _percent(edge), "words": rounded_text(edge * 100, 5),
                "end": max(0.0, _percent(edge)),
                "hue": hue_of(price), "shade": shade,
            })  # fmt: skip
    if not rows:
        return None
    canvas = Canvas()
    alt = canvas.alt
    order = [str(row["label"]) for row in rows]
    base = alt.Chart(canvas.data(rows)).encode(
        y=alt.Y("label:N", sort=order, title=None, axis=alt.Axis(labelLimit=300, ticks=False, domain=False)),
        x=alt.X("edge:Q", title="house edge, %", scale=alt.Scale(domain=_room(rows), nice=False)),
    )
    bars = base.mark_bar(height=10).encode(
        color=alt.Color("hue:N", scale=None), opacity=alt.Opacity("shade:Q", scale=None)
    )
    words = base.mark_text(align="left", dx=5, color=INK, fontSize=10, font=FONT).encode(
        x=alt.X("end:Q"), text="words:N"
    )
    chart = (bars + words).properties(width=330, height=alt.Step(17))
    said = "; ".join(f"{row['label']}, {row['words']} %" for row in rows)
    return canvas.plot(chart, "The edge under other elections", f"Bars, one for each election. {said}.")


def _room(rows: Iterable[dict[str, Any]]) -> list[float]:
    """An axis from zero, or from the lowest negative edge, with room for the words at the end of the longest bar."""
    edges = [float(row["edge"]) for row in rows]
    low, high = min(0.0, *edges), max(0.0, *edges)
    return [low, high + 0.28 * (high - low)]


def bands(study: Study) -> Plot | None:
    """Where the house's win per unit staked lies after a thousand to ten million rounds, wager by wager."""
    canvas = Canvas()
    alt = canvas.alt
    rounds = [10**power * times for power in range(3, 7) for times in (1, 3)] + [10**7]
    panels = []
    for price in study.prices:
        rows = []
        for number in rounds:
            for percent in PERCENTS:
                found = price.band(rounds=number, percent=percent)
                rows.append({
                    "rounds": number, "percent": percent,
                    "low": float(found.low * 100), "high": float(found.high * 100),
                })  # fmt: skip
        hue = hue_of(price)
        base = alt.Chart(canvas.data(rows)).encode(
            x=alt.X(
                "rounds:Q", title="rounds", scale=alt.Scale(type="log", domain=[1e3, 1e7]),
                axis=alt.Axis(values=[1e3, 1e4, 1e5, 1e6, 1e7], labelExpr=POWERS, grid=False, labelOverlap=False),
            ),
            y=alt.Y("low:Q", title=None, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5, minExtent=22)),
            y2="high:Q",
        )  # fmt: skip
        layers = [
            base.transform_filter(f"datum.percent == {percent}").mark_area(color=hue, fillOpacity=shade, opacity=1)
            for percent, shade in ((99, 0.16), (95, 0.2), (90, 0.26))
        ]
        zero = alt.Chart(canvas.data([{"at": 0}])).mark_rule(color=INK, strokeWidth=0.7).encode(y="at:Q")
        line = alt.Chart(canvas.data([{"at": _percent(price.edge)}])).mark_rule(color=hue, strokeWidth=1.4)
        title = alt.TitleParams(
            price.name.replace(" Baccarat", ""), anchor="start", frame="group", fontSize=11, offset=5
        )
        panels.append(alt.layer(*layers, zero, line.encode(y="at:Q")).properties(width=150, height=105, title=title))
    if not panels:
        return None
    chart = alt.concat(*panels, columns=3, spacing={"row": 16, "column": 26})
    return canvas.plot(
        chart, "The house’s win after many rounds, % of what is staked",
        "Small charts, one for each wager. The line in the middle is the house edge; about it lie the exact bands of "
        "90, 95 and 99 %, which narrow as rounds grow from a thousand to ten million. The figures "
        "are in the tables.",
    )  # fmt: skip


POWERS = "'10' + {'3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷'}[round(log(datum.value) / log(10)) + '']"


def decision_grid(study: Study, onto: WagerKind) -> dict[tuple[int, int], Fraction]:
    """By the counts of both opening hands, at least one a pair, what a unit on a hand gains on average."""
    points = dict(zip(RANKS, points_of(open_book(study.rules)), strict=True))
    sums: dict[tuple[int, int], tuple[Fraction, int]] = {}
    for each in study.decisions:
        player, banker = (sum(points[rank] for rank in hand) % 10 for hand in (each.player, each.banker))
        gained, ways = sums.get((player, banker), (Fraction(0), 0))
        more = each.on_player if onto is open_book(study.rules).main[Side.PLAYER] else each.on_banker
        sums[player, banker] = gained + more * each.combinations, ways + each.combinations
    return {counts: gained / ways for counts, (gained, ways) in sums.items()}


def house_money(study: Study) -> Plot | None:
    """Where a payout of House Money is best pressed, by the counts of both opening hands."""
    if not study.decisions:
        return None
    canvas = Canvas()
    alt = canvas.alt
    panels = []
    for onto in dict.fromkeys(each.onto for each in study.presses):
        rows = [
            {
                "player": str(player), "banker": str(banker), "words": signed_text(gained, 2),
                "hue": shade(gained), "ink": LIGHT if abs(gained) > DARK else INK,
            }
            for (player, banker), gained in decision_grid(study, onto).items()
        ]  # fmt: skip
        base = alt.Chart(canvas.data(rows)).encode(
            x=alt.X("banker:O", title="Banker’s opening count", axis=alt.Axis(orient="top", labelAngle=0)),
            y=alt.Y("player:O", title="Player’s opening count"),
        )
        cells = base.mark_rect().encode(color=alt.Color("hue:N", scale=None))
        words = base.mark_text(fontSize=8, font=FONT).encode(text="words:N", color=alt.Color("ink:N", scale=None))
        title = alt.TitleParams(
            f"Pressed onto {onto.word.capitalize()}", anchor="start", frame="group", fontSize=11, offset=6
        )
        panels.append((cells + words).properties(width=246, height=216, title=title))
    chart = alt.hconcat(*panels, spacing=28)
    return canvas.plot(
        chart, "House Money: what a pressed unit gains on average",
        "Two grids, Player’s opening count down, Banker’s across. A payout is best pressed where the figure is above "
        "zero (teal), and kept where it is below (brown). Blank cells cannot hold a pair. The figures are in the "
        "tables.",
    )  # fmt: skip


def removal(study: Study) -> Plot | None:
    """How the edge of each wager moves when one card of a rank has left the shoe."""
    if not study.removed:
        return None
    canvas, rows = Canvas(), []
    alt = canvas.alt
    for price in study.prices:
        effects = {each.rank: study.effect(price.on, each) for each in study.removed}
        most = max(map(abs, effects.values())) or Fraction(1)
        rows += [
            {
                "wager": price.name, "rank": rank.value.replace("T", "10"), "words": signed_text(effect * 100, 3),
                "hue": shade(effect / most), "ink": LIGHT if abs(effect / most) > DARK else INK,
            }
            for rank, effect in effects.items()
        ]  # fmt: skip
    base = alt.Chart(canvas.data(rows)).encode(
        x=alt.X(
            "rank:O", sort=[rank.value.replace("T", "10") for rank in RANKS], title="rank of the removed card",
            axis=alt.Axis(orient="top", labelAngle=0),
        ),
        y=alt.Y("wager:N", sort=[price.name for price in study.prices], title=None, axis=alt.Axis(labelLimit=230)),
    )  # fmt: skip
    cells = base.mark_rect().encode(color=alt.Color("hue:N", scale=None))
    words = base.mark_text(fontSize=8, font=FONT).encode(text="words:N", color=alt.Color("ink:N", scale=None))
    chart = (cells + words).properties(width=430, height=alt.Step(22))
    return canvas.plot(
        chart, "Effect of removal, percentage points of house edge",
        "A grid of wagers by ranks. Teal: the edge of the house rises when such a card is removed; brown: it falls. "
        "The shade compares within a wager. The figures are in the table.",
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ drawing


class Canvas:
    """A plot in progress. Its rows are added at the end, because altair copies its data many times."""

    def __init__(self) -> None:
        self.alt = require_library("altair", what="a plot")
        self.rows: dict[str, list[dict[str, Any]]] = {}

    def data(self, rows: list[dict[str, Any]]) -> Any:
        """Register rows to draw, under a name."""
        name = f"rows{len(self.rows)}"
        self.rows[name] = rows
        return self.alt.NamedData(name=name)

    def plot(self, chart: Any, title: str, description: str) -> Plot:
        """The chart as a plot, in muted colours."""
        quiet = {"labelColor": INK, "titleColor": INK, "tickColor": RULE, "domainColor": RULE, "gridColor": RULE}
        spec = (
            chart.configure(font=FONT, background="transparent", padding=2)
            .configure_axis(
                labelFontSize=10, titleFontSize=10.5, titleFontWeight="normal", gridWidth=0.5, gridOpacity=0.7, **quiet
            )
            .configure_view(stroke=None)
            .configure_title(color=INK, fontWeight="bold", font=FONT)
            .to_dict(validate=False)
        )
        spec["datasets"] = self.rows
        convert = require_library("vl_convert", what="a plot")
        wanted = ".".join(self.alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])
        version = wanted if wanted in convert.get_vegalite_versions() else None  # None: its newest
        svg = convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[])
        return Plot(title=title, description=description, svg=with_title(svg, title=title, description=description))


def shade(part: Fraction) -> str:
    """The colour of a part of the largest effect, from minus one to one."""
    return BROWN_TO_TEAL[bisect(STEPS, part)]


def _percent(value: Fraction) -> float:
    return float(value * 100)


def with_title(svg: str, *, title: str, description: str) -> str:
    """The picture with a title and a description for screen readers."""
    head, sign, rest = svg.partition(">")
    return f'{head} role="img"{sign}<title>{escape(title)}</title><desc>{escape(description)}</desc>{rest}'
