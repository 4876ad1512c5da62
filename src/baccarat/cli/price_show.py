"""Prices in the terminal: all wagers of a Submission, one of them in full, the effect of removal."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping

from rich.table import Table

from baccarat.cli.out import console, grid, line, put_json
from baccarat.cli.price import fraction, signed, told_price, write_csv
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds import Counts, Price, Prices, effect_of_removal, must_hit, must_hit_seat, press, royal9, together
from baccarat.odds.measure import Measured
from baccarat.odds.show import percent, rounded
from baccarat.play.book import open_book
from baccarat.play.wager import Kind

STAKES = (500, 1000, 2500, 10_000, 10_300, 100_000, 500_000)
"""Stakes at which a wager is shown, in cents, where its limits admit them."""


def _figures(*headings: str) -> Table:
    """A table whose columns of figures end at the right."""
    table = grid(*headings)
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def all_(rules: Rulebook, prices: Prices, *, meters: Mapping[str, int] | None) -> None:
    """Every wager in one line, then what belongs to some of them."""
    console.print(line((rules.edition.title, "bold"), "  ", (rules.hash[:16], "dim")))
    console.print(line((f"from {prices.shoe}; {prices.shoe.deals:,} ordered deals of six cards", "dim"), "\n"))
    table = _figures("wager", "house edge", "of resolved", "deviation", "wins", "pushes")
    for each in prices:
        name = each.name if each.stake is None else f"{each.name} at {each.stake}"
        measures = (percent(each.edge), percent(each.edge_resolved), rounded(each.deviation, 6))
        table.add_row(*map(line, (name, *measures, percent(each.hit, 3), percent(each.push, 3))))
    console.print(table)
    _besides(rules, prices, meters)
    for note in (*prices.missing.values(), *prices.notes, *rules.notes):
        console.print(line((note, "dim")))


def _besides(rules: Rulebook, prices: Prices, meters: Mapping[str, int] | None) -> None:
    """The press of House Money, the exemption, the meters, the Must Hit: where the rulebook has them."""
    book = open_book(rules)
    if Kind.HOUSE_MONEY in prices:
        console.print(line("\n", ("House Money with its press", "bold"), "  edge per unit of House Money"))
        _press_table(rules, prices.shoe)
    if book.exempt:
        console.print(line("\n", ("Free of vigorish through another wager", "bold"), "  edge per unit of both stakes"))
        for kind in sorted(book.exempt, key=list(Kind).index):
            both = together(rules, {Kind.BANKER: 1, kind: 1}, prices.shoe)
            console.print(line(f"  {both.name}  ", (percent(both.edge), "bold")))
    if Kind.ROYAL9 in prices:
        _royal9(rules, prices.shoe, meters)
    if rules.elections.must_hit is not None:
        _must_hit(rules)


def _press_table(rules: Rulebook, shoe: Counts) -> None:
    table = _figures("onto", "never", "always", "at best", "pressed of winners")
    for onto in (Kind.PLAYER, Kind.BANKER):
        made = press(rules, onto, shoe)
        cells = (percent(made.never), percent(made.always), percent(made.best), percent(made.pressed, 2))
        table.add_row(*map(line, (onto.word.capitalize(), *cells)))
    console.print(table)


def _royal9(rules: Rulebook, shoe: Counts, meters: Mapping[str, int] | None) -> None:
    found = royal9(rules, shoe, meters=meters)
    shown = ", ".join(f"{name} {cents}" for name, cents in found.meters.items())
    console.print(line("\n", ("Royal 9 by chair", "bold"), f"  meters {shown}"))
    names = list(found.meters)
    table = _figures("chair", "house edge", "in the long run", *(f"{name} breaks even at" for name in names))
    for seat, each in found.chairs.items():
        even = [found.break_even(seat, name) for name in names]
        cells = ["never" if cents is None else str(cents) for cents in even]
        table.add_row(*map(line, (str(seat), percent(each.edge), percent(found.long_run_edge(seat)), *cells)))
    console.print(table)
    added = ", ".join(f"{name} {rounded(value, 2)}¢" for name, value in found.contribution.items())
    seat = min(found.chairs)
    cost = rounded(found.seeding_cost(seat), 2)
    console.print(line((f"each wager adds {added}; seeding costs {cost}¢ a wager in the long run", "dim")))


def _must_hit(rules: Rulebook) -> None:
    terms = rules.elections.must_hit
    assert terms is not None, "only asked where the licensee has it"
    console.print(line("\n", ("Must Hit", "bold"), f"  {Cents(terms.start)} to {Cents(terms.ceiling)}"))
    whole = must_hit(rules)
    halfway = (terms.start + terms.ceiling) // 2
    at = must_hit_seat(rules, meter=halfway)
    after = rounded(whole.rounds, 1)
    console.print(line(f"  costs {rounded(whole.cost, 3)}¢ a wager; won after {after} wagers in the mean"))
    console.print(line(f"  a seat that plays alone at {Cents(halfway)} wins {rounded(at.value, 2)}¢ in the mean"))


def one(
    rules: Rulebook,
    prices: Prices,
    kind: Kind,
    *,
    meters: Mapping[str, int] | None,
    stake: int | None,
    csv_: bool,
    json: bool,
) -> None:
    """One wager in full: its pay table, its measures, the same at stakes, bands of the win."""
    price = prices[kind]
    if csv_:
        write_csv([price])
        return
    if json:
        put_json({"edition": rules.edition.name, "hash": rules.hash, **told_price(price, full=True)})
        return
    console.print(line((price.name, "bold"), "" if price.stake is None else f" at {price.stake}", "  ",
                       (f"{rules.edition.name} {rules.hash[:16]}", "dim"), "\n"))  # fmt: skip
    _lines(price)
    resolved = f" of what is staked, {percent(price.edge_resolved)} of what is resolved\n"
    others = f"deviation {rounded(price.deviation, 6)}, wins {percent(price.hit)}, pushes {percent(price.push)}"
    console.print(line("\nhouse edge ", (percent(price.edge), "bold"), resolved, others))
    if stake is None and price.verdicts:
        _at_stakes(price)
    _bands(price)
    if kind is Kind.HOUSE_MONEY:
        _press_table(rules, prices.shoe)
    if kind is Kind.ROYAL9:
        _royal9(rules, prices.shoe, meters)


def _lines(price: Measured) -> None:
    table = _figures("event", "pays", "combinations", "probability", "return")
    for each in price.paytable:
        pays = str(each.award) if each.award is not None else "" if each.pays is None else str(each.pays)
        pays += " less vigorish" if each.vigorish else ""
        cells = (pays, f"{each.combinations:,}", rounded(each.probability, 9), rounded(each.returns, 9))
        table.add_row(*map(line, (each.row, *cells)))
    table.add_row(*map(line, ("total", "", f"{price.deals:,}", "1.000000000", rounded(price.expected, 9))))
    console.print(table)


def _at_stakes(price: Price) -> None:
    table = _figures("at a stake of", "house edge", "change")
    for stake in STAKES:
        try:
            at = price.at(stake)
        except ValueError:
            continue
        table.add_row(*map(line, (str(at.stake), percent(at.edge), signed(at.edge - price.edge))))
    if table.row_count:
        console.print()
        console.print(table)


def _bands(price: Measured) -> None:
    console.print(line("\n", ("win of the house per unit staked", "bold"), "  normal approximation"))
    table = _figures("rounds", *(f"{percent_} %" for percent_ in (90, 95, 99)))
    by_rounds: dict[int, list[str]] = {}
    for band in price.bands:
        by_rounds.setdefault(band.rounds, []).append(f"{percent(band.low, 3)} … {percent(band.high, 3)}")
    for rounds, cells in by_rounds.items():
        table.add_row(*map(line, (f"{rounds:,}", *cells)))
    console.print(table)


def removal(rules: Rulebook, shoe: Counts | None, *, json: bool, csv_: bool) -> None:
    """By wager and rank, the change of the edge when one card of the rank is gone."""
    found = effect_of_removal(rules, shoe)
    ranks = list(next(iter(found.effects.values())))
    if json:
        put_json({
            kind.word: {rank.value: fraction(found[kind][rank]) for rank in ranks} for kind in found
        })  # fmt: skip
        return
    if csv_:
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(["wager", *(rank.value for rank in ranks)])
        for kind in found:
            out.writerow([kind.word, *("" if each is None else each for each in found[kind].values())])
        return
    console.print(line(("Effect of removal", "bold"), "  on the house edge, in hundredths of a percent"))
    console.print(line((f"from {found.shoe}\n", "dim")))
    table = _figures("one card less", *(kind.word.replace("_", " ") for kind in found))
    for rank in ranks:
        cells = (found[kind][rank] for kind in found)
        name = rank.name.lower() if rank.value in "AJQK" else rank.value.replace("T", "10")
        table.add_row(*map(line, (name, *("–" if each is None else rounded(each * 10_000, 3) for each in cells))))
    console.print(table)
