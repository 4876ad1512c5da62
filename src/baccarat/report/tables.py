"""Tables of a report: the figures of a study in words and digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from baccarat.cards import Rank
from baccarat.law.row import WagerResult
from baccarat.money import Cents, Ratio
from baccarat.odds import Price
from baccarat.odds.band import PERCENTS, ROUNDS
from baccarat.odds.measure import PriceDistribution, PriceLine
from baccarat.odds.royal9 import Royal9Odds
from baccarat.odds.show import rounded_text, signed_text
from baccarat.play.wager import WagerKind
from baccarat.report.facts import Election, ReadingInForce
from baccarat.report.model import Column, TableBlock
from baccarat.report.plots import decision_grid
from baccarat.report.study import Study

NONE = "–"
PAIRS = ("No pair", "A pair in one hand", "A pair in each hand")
POWERS = {3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷"}


def percent(value: Fraction | Decimal | None, places: int = 5) -> str:
    """A percentage without its sign, which is in the head of the column."""
    return NONE if value is None else rounded_text(Fraction(value) * 100, places)


def money(cents: int | None) -> str:
    """A sum of money with a true minus sign."""
    return NONE if cents is None else str(Cents(cents)).replace("-", "−")


def in_cents(value: Fraction | None, places: int = 4) -> str:
    """A fraction of cents in dollars."""
    if value is None:
        return NONE
    whole, point, part = rounded_text(abs(value) / 100, places).partition(".")
    return f"{'−' if value < 0 else ''}${int(whole):,}{point}{part}"


def events(price: Price) -> tuple[str, ...]:
    """The lines of a pay table, capitalised; a wager that is decided early names its pairs."""
    early = price.book.early.get(price.on, ())
    pairs: dict[Ratio | None, str] = {
        verdict.odds: words for verdict, words in zip(early, PAIRS, strict=False) if verdict.odds is not None
    }
    return tuple(pairs.get(line.pays) or line.row[:1].upper() + line.row[1:] for line in price.paytable)


def pays(line: PriceLine) -> str:
    """What a line pays."""
    if line.result is WagerResult.LOSE:
        return NONE
    if line.award is not None:
        return money(line.award)
    if line.pays is None:
        return "stake back"
    return f"{line.pays} less vigorish" if line.vigorish else str(line.pays)


def words(head: str, *, share: int = 0) -> Column:
    """A column of words."""
    return Column(head, words=True, share=share)


def figures(*heads: str) -> tuple[Column, ...]:
    """Columns of figures."""
    return tuple(map(Column, heads))


def _table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[str]], **more: bool) -> TableBlock:
    return TableBlock(caption=caption, columns=tuple(columns), rows=tuple(map(tuple, rows)), **more)


# ------------------------------------------------------------------------------------------------ prices


def summary(prices: Iterable[PriceDistribution], caption: str) -> TableBlock:
    """One row for each wager: edge, deviation, how often it wins and is pushed."""
    rows = []
    for price in prices:
        edges, often = map(percent, (price.edge, price.edge_resolved)), map(percent, (price.hit, price.push))
        rows.append((wager_title(price), *edges, rounded_text(price.deviation, 6), *often))
    heads = figures("House edge, %", "of resolved, %", "Deviation", "Wins, %", "Pushes, %")
    return _table(caption, [words("Wager"), *heads], rows)


def wager_title(price: PriceDistribution) -> str:
    """A wager with its stake, if it has one."""
    return price.name if price.stake is None else f"{price.name} at {money(price.stake)}"


def wager(price: Price) -> TableBlock:
    """The pay table of a wager: Event, Pays, Combinations, Probability, Return."""
    rows = [
        (event, pays(line), f"{line.combinations:,}", rounded_text(line.probability, 9), rounded_text(line.returns, 9))
        for event, line in zip(events(price), price.paytable, strict=True)
    ]
    rows.append(("Total", "", f"{price.deals:,}", rounded_text(Fraction(1), 9), rounded_text(price.expected, 9)))
    columns = [words("Event"), *figures("Pays", "Combinations", "Probability", "Return")]
    return _table(f"{wager_title(price)}: a unit staked", columns, rows, total=True)


def at_stakes(study: Study, on: WagerKind) -> TableBlock:
    """The edge of a wager at some stakes, compared with its edge without rounding."""
    unit = study.prices[on]
    rows = []
    for price in study.at_stakes[on]:
        by_rounding = signed_text((price.edge - unit.edge) * 100, 5)
        rows.append((money(price.stake), percent(price.edge), by_rounding, rounded_text(price.deviation, 6)))
    rows.append(("without rounding", percent(unit.edge), rounded_text(Fraction(0), 5), rounded_text(unit.deviation, 6)))
    columns = [words("Stake"), *figures("House edge, %", "by rounding, points", "Deviation")]
    return _table(f"{unit.name} at a stake", columns, rows, total=True)


def bands(study: Study, share: int) -> TableBlock:
    """Where the house's win lies after given numbers of rounds."""
    assert share in PERCENTS
    rows = []
    for price in study.prices:
        found = {band.rounds: band for band in price.bands if band.percent == share}
        rows.append((price.name, *(f"{percent(b.low, 2)} to {percent(b.high, 2)}" for b in found.values())))
    heads = [f"10{POWERS[len(str(rounds)) - 1]} rounds" for rounds in ROUNDS]
    caption = f"The house’s win, % of what is staked: the range in {share} of 100 cases"
    return _table(caption, [words("Wager"), *figures(*heads)], rows, small=True)


def alternatives(study: Study) -> TableBlock:
    """The edge under other elections, wager by wager."""
    rows = []
    for price in study.prices:
        others = [each for each in study.alternatives if price.on in each.edges]
        if others:
            rows.append((price.name, "as filed", percent(price.edge), ""))
        for each in others:
            edge = each.edges[price.on]
            change = signed_text((edge - price.edge) * 100, 5)
            rows.append((price.name, f"{each.key} = {each.value}", percent(edge), change))
    columns = [words("Wager"), words("Election"), *figures("House edge, %", "Change, points")]
    return _table("Elections that would change a price", columns, rows)


# ------------------------------------------------------------------------------------------- side wagers


def presses(study: Study) -> TableBlock:
    """House Money pressed never, always and at best."""
    rows = []
    for each in study.presses:
        at = "per unit" if each.stake is None else f"{money(each.stake)} with {money(each.beside)}"
        shares = map(percent, (each.never, each.always, each.best, each.pressed))
        rows.append((each.onto.word.capitalize(), at, *shares))
    heads = figures("Never, %", "Always, %", "At best, %", "then pressed, %")
    columns = [words("Pressed onto"), words("Stakes"), *heads]
    return _table("House edge per unit of House Money", columns, rows)


def decision_table(study: Study, onto: WagerKind) -> TableBlock:
    """What a pressed unit gains on average, by the counts of both opening hands."""
    grid = decision_grid(study, onto)
    rows = [
        (str(player), *(signed_text(grid[player, b], 3) if (player, b) in grid else "" for b in range(10)))
        for player in range(10)
    ]
    caption = f"A unit pressed onto {onto.word.capitalize()}: mean gain by Player’s count (down) and Banker’s (across)"
    return _table(caption, [words("Count"), *figures(*map(str, range(10)))], rows, small=True)


def chairs(study: Study) -> TableBlock:
    """Royal 9 by chair."""
    royal9 = study.royal9
    assert royal9 is not None
    meters = [meter.name for meter in royal9.progress.meters]
    rows = [
        (
            str(seat), percent(price.edge), percent(_long_run(royal9, seat)), rounded_text(price.deviation, 4),
            percent(price.hit), *(money(study.break_even[seat][name]) for name in meters),
        )
        for seat, price in royal9.chairs.items()
    ]  # fmt: skip
    heads = [f"{name.replace('_', ' ')} breaks even" for name in meters]
    columns = [words("Chair"), *figures("House edge, %", "in the long run, %", "Deviation", "Wins, %", *heads)]
    return _table("Royal 9 by chair, each wagering alone", columns, rows, small=True)


def at_seed(study: Study) -> TableBlock:
    """What each meter must show while the others are at their seeds."""
    names = list(next(iter(study.break_even_at_seed.values())))
    rows = [(str(seat), *(money(even[name]) for name in names)) for seat, even in study.break_even_at_seed.items()]
    columns = [words("Chair"), *figures(*(name.replace("_", " ") for name in names))]
    return _table("Break-even of each meter, the others at their seeds", columns, rows, small=True)


def _long_run(royal9: Royal9Odds, seat: int) -> Fraction | None:
    return royal9.long_run_edge(seat) if royal9.has_long_run(seat) else None


def meters(study: Study) -> TableBlock:
    """The meters: what they show, where they begin, what a wager adds."""
    royal9 = study.royal9
    assert royal9 is not None
    seat = min(royal9.chairs)
    seeding = royal9.seed_per_wager(seat) if royal9.has_long_run(seat) else {}
    rows = [
        (
            meter.name.replace("_", " "), money(royal9.meters[meter.name]), money(meter.seed // 1_000_000),
            in_cents(royal9.contribution[meter.name]), in_cents(seeding.get(meter.name)),
        )
        for meter in royal9.progress.meters
    ]  # fmt: skip
    columns = [words("Meter"), *figures("shows", "seed", "a wager adds", "seeding cost per wager")]
    return _table(f"Meters; the cost of seeding is that of chair {seat}", columns, rows)


def must_hit(study: Study) -> TableBlock:
    """The Must Hit by the number of participants."""
    rows = [
        (str(each.participants), rounded_text(each.rounds, 2), in_cents(each.award, 2), in_cents(each.cost))
        for each in study.must_hit
    ]
    columns = [words("Participants"), *figures("Mean rounds to a hit", "Mean award", "Cost per wager")]
    return _table("Must Hit by the number of participants in every round", columns, rows)


def seats(study: Study) -> TableBlock:
    """The value of a seat by meter and participants."""
    shown = [count for count in sorted({seat.participants for seat in study.seats}) if count in (1, 2, 4, 7)]
    found = {(seat.meter, seat.participants): seat for seat in study.seats}
    rows = [
        (money(meter), *(in_cents(found[meter, count].value) for count in shown))
        for meter in dict.fromkeys(seat.meter for seat in study.seats)
    ]
    heads = [f"{count} participant{'s' if count > 1 else ''}" for count in shown]
    caption = "What a seat of the coming round is worth, at what the meter shows"
    return _table(caption, [words("Meter"), *figures(*heads)], rows)


def coupons(study: Study) -> TableBlock:
    """Match play coupons."""
    rows = [
        (each.on.word.capitalize(), percent(each.value, 4), percent(each.adds, 4), percent(each.whole, 4))
        for each in study.coupons
    ]
    columns = [words("On"), *figures("Value, % of face", "in one round, %", "chips and coupon gain, %")]
    return _table("A match play coupon with as much in chips, played until it is taken", columns, rows)


def removal(study: Study) -> TableBlock:
    """How the edge of each wager moves when one card of a rank is removed."""
    prices = list(study.prices)
    rows = [
        (_rank(each.rank), *(signed_text(study.effect(price.on, each) * 100, 5) for price in prices))
        for each in study.removed
    ]
    heads = [price.name.replace(" Baccarat", "") for price in prices]
    caption = "Change of the house edge in percentage points when one card of a rank is removed"
    return _table(caption, [words("Rank"), *figures(*heads)], rows, small=True)


def _rank(rank: Rank) -> str:
    return {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}.get(rank.value, rank.value)


# ---------------------------------------------------------------------------------------------- the rules


def elections_table(found: Iterable[Election]) -> TableBlock:
    """The elections with their clauses."""
    rows = [
        (each.key, each.value + ("" if each.filed else " (by default)"), each.description, " ".join(each.cites))
        for each in found
    ]
    columns = [words("Option"), words("Elected", share=3), words("What it says", share=4), words("Clause", share=2)]
    return _table("Elections", columns, rows, small=True)


def readings_table(found: Iterable[ReadingInForce]) -> TableBlock:
    """Readings with their clauses."""
    rows = [
        (
            each.reading.id, " ".join(each.reading.problem.split()),
            " ".join([*each.reading.reading.split(), *(f"[{election}]" for election in each.elected)]),
            " ".join(each.cites),
        )
        for each in found
    ]  # fmt: skip
    columns = [words("No."), words("The text", share=4), words("How it is read", share=6), words("Clause", share=2)]
    return _table("Readings that bear on these prices", columns, rows, small=True)
