"""Prices for a person to read: as text, and as a table of HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from baccarat.odds.measure import PriceDistribution, PriceLine
    from baccarat.odds.price import Prices

LINE_HEADS = ("", "pays", "combinations", "probability", "return")
PRICE_HEADS = ("wager", "house edge", "of resolved", "deviation", "wins", "pushes")


def rounded_text(value: Fraction | Decimal, places: int) -> str:
    """A number to `places` places, a half rounded to the even digit."""
    scaled = round(Fraction(value) * 10**places)
    whole, part = divmod(abs(scaled), 10**places)
    return f"{'−' if scaled < 0 else ''}{whole}.{part:0{places}d}"


def signed_text(value: Fraction | Decimal, places: int) -> str:
    """A number with its sign, plus or minus."""
    return ("+" if value > 0 else "") + rounded_text(value, places)


def percent(value: Fraction | Decimal | None, places: int = 5) -> str:
    """A number as a percentage; a dash if there is none."""
    return "–" if value is None else f"{rounded_text(Fraction(value) * 100, places)} %"


def price_title(price: PriceDistribution) -> str:
    """A wager, and its stake if it is priced at one."""
    return price.name if price.stake is None else f"{price.name} at {price.stake}"


def heading(price: PriceDistribution) -> str:
    """A wager and its edge in one line."""
    return f"{price_title(price)}: house edge {percent(price.edge)}"


def advantage(name: str, edge: Fraction) -> str:
    """The remark on a house edge below zero."""
    return f"{name}: the house edge is {percent(edge)}, below zero: the participant has the advantage"


def _measures(price: PriceDistribution) -> str:
    return (
        f"of resolved {percent(price.edge_resolved)}, deviation {rounded_text(price.deviation, 6)}, "
        f"wins {percent(price.hit)}, pushes {percent(price.push)}"
    )


def _pays(line: PriceLine) -> str:
    if line.award is not None:
        return str(line.award)
    if line.pays is None:
        return ""
    return f"{line.pays} less vigorish" if line.vigorish else str(line.pays)


def line_rows(price: PriceDistribution) -> list[tuple[str, ...]]:
    """The lines of a pay table, and their total, in words and figures."""
    rows = [(line.row, _pays(line), line.combinations, line.probability, line.returns) for line in price.paytable]
    rows.append(("total", "", price.deals, Fraction(1), price.expected))
    return [(*said, f"{ways:,}", rounded_text(chance, 9), rounded_text(gain, 9)) for *said, ways, chance, gain in rows]


def _price_rows(prices: Iterable[PriceDistribution]) -> list[tuple[str, ...]]:
    return [
        (
            price_title(price), percent(price.edge),
            percent(price.edge_resolved), rounded_text(price.deviation, 6), percent(price.hit), percent(price.push),
        )
        for price in prices
    ]  # fmt: skip


def price_text(price: PriceDistribution) -> str:
    """A price as text: its measures, then its lines."""
    return "\n".join([heading(price), _measures(price), *_text(LINE_HEADS, line_rows(price))])


def price_html(price: PriceDistribution) -> str:
    """A price as HTML."""
    return _html(f"{heading(price)}; {_measures(price)}", LINE_HEADS, line_rows(price))


def _title(prices: Prices) -> str:
    return f"{prices.rules.edition.title}: {prices.shoe}"


def _more(prices: Prices) -> list[str]:
    remarks = [advantage(price_title(price), price.edge) for price in prices if price.edge < 0]
    return [*remarks, *prices.missing.values(), *prices.notes]


def prices_text(prices: Prices) -> str:
    """Prices as text, one line per wager."""
    return "\n".join([_title(prices), *_text(PRICE_HEADS, _price_rows(prices)), *_more(prices)])


def prices_html(prices: Prices) -> str:
    """Prices as HTML, one row per wager."""
    notes = "".join(f"<p>{escape(note)}</p>\n" for note in _more(prices))
    return _html(_title(prices), PRICE_HEADS, _price_rows(prices)) + notes


def _text(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    made = []
    for first, *others in (heads, *rows):
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        made.append("  ".join(cells).rstrip())
    return made


def _html(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in others)}</tr>\n'
        for first, *others in rows
    )
    return (
        f'<table class="baccarat-odds">\n<caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
    )
