"""Prices in the terminal: all wagers of a Submission, one of them in full, the effect of removal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from fractions import Fraction

from baccarat.cards import Rank
from baccarat.cli.output import complain, console, fail, figures, line, put_csv, put_json, put_line, put_table
from baccarat.cli.price_data import (
    extra_prices,
    fraction,
    press_targets,
    price_as_data,
    prices_as_data,
    royal9_meters,
    rulebook_data,
    signed_percent,
    write_csv,
)
from baccarat.cli.submission_name import name_of
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds.advantage import remarks
from baccarat.odds.band import PERCENTS
from baccarat.odds.house_money import decisions, press
from baccarat.odds.joint_wagers import exempt_pairs
from baccarat.odds.match_play import coupon
from baccarat.odds.measure import Price, PriceDistribution
from baccarat.odds.must_hit import kept_with_royal9, must_hit, must_hit_seat
from baccarat.odds.price import Prices
from baccarat.odds.removal import effect_of_removal
from baccarat.odds.royal9 import royal9
from baccarat.odds.shoe import ShoeCounts
from baccarat.odds.show import line_rows, percent, price_title, rounded_text
from baccarat.play.wager import WagerKind


class OutputFormat(Enum):
    """How prices are printed."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


STAKES = (500, 1000, 2500, 10_000, 10_300, 100_000, 500_000)
"""Stakes at which a wager is shown, in cents, if its limits allow them."""


def show_prices(prices: Prices, *, meters: Mapping[str, int] | None, form: OutputFormat) -> None:
    """Every wager on one line, then the extras of some."""
    rules = prices.rules
    if form is OutputFormat.CSV:
        write_csv(prices)
        _remark(remarks(prices), form)
        return
    if form is OutputFormat.JSON:
        put_json(prices_as_data(prices, meters))
        return
    put_line((rules.edition.title, "bold"), f"  {name_of(rules)}  ", (f"rulebook {rules.hash[:16]}…", "dim"))
    put_line((f"from {prices.shoe}; {prices.shoe.deals:,} ordered deals of six cards", "dim"), "\n")
    table = figures("wager", "house edge", "of resolved", "deviation", "wins", "pushes")
    for each in prices:
        measures = (percent(each.edge), percent(each.edge_resolved), rounded_text(each.deviation, 6))
        table.add_row(*map(line, (price_title(each), *measures, percent(each.hit, 3), percent(each.push, 3))))
    put_table(table)
    _show_extras(rules, prices, meters)
    _remark(remarks(prices), form)
    for note in (*prices.missing.values(), *prices.notes, *rules.notes):
        put_line((note, "dim"))


def _remark(said: Iterable[str], form: OutputFormat) -> None:
    """Print what a reader of prices should not overlook; with CSV, on standard error."""
    for each in said:
        if form is OutputFormat.CSV:
            complain(each)
        else:
            put_line(("!", "yellow"), f" {each}")


def _show_extras(rules: Rulebook, prices: Prices, meters: Mapping[str, int] | None) -> None:
    """The press of House Money, the exemption, the meters, the Must Hit, if the rulebook has them."""
    if WagerKind.HOUSE_MONEY in prices:
        put_line("\n", ("House Money with its press", "bold"), "  edge per unit of House Money")
        _press_table(rules, prices.shoe)
    pairs = exempt_pairs(rules, prices.shoe)
    if pairs:
        put_line("\n", ("Free of vigorish through another wager", "bold"), "  edge per unit of both stakes")
        for both in pairs:
            put_line(f"  {both.name}  ", (percent(both.edge), "bold"))
    if WagerKind.ROYAL9 in prices:
        _royal9(rules, prices.shoe, meters)
    if rules.elections.must_hit is not None:
        _must_hit(rules, prices.shoe, meters)


def _press_table(rules: Rulebook, shoe: ShoeCounts, *, stake: int | None = None, beside: int | None = None) -> None:
    table = figures("onto", "never", "always", "at best", "pressed of winners")
    for onto in press_targets(rules):
        made = press(rules, onto, shoe, stake=None if beside is None else stake, beside=beside)
        cells = (percent(made.never), percent(made.always), percent(made.best), percent(made.pressed, 2))
        table.add_row(*map(line, (onto.word.capitalize(), *cells)))
    put_table(table)


def _royal9(rules: Rulebook, shoe: ShoeCounts, meters: Mapping[str, int] | None) -> None:
    found = royal9(rules, shoe, meters=royal9_meters(meters))
    shown = ", ".join(f"{name} {cents}" for name, cents in found.meters.items())
    put_line("\n", ("Royal 9 by chair", "bold"), f"  meters {shown}")
    names = list(found.meters)
    table = figures("chair", "house edge", "in the long run", *(f"{name} breaks even at" for name in names))
    for seat, each in found.chairs.items():
        even = [found.break_even(seat, name) for name in names]
        cells = ["never" if cents is None else str(cents) for cents in even]
        run = percent(found.long_run_edge(seat)) if found.has_long_run(seat) else "–"
        table.add_row(*map(line, (str(seat), percent(each.edge), run, *cells)))
    put_table(table)
    added = ", ".join(f"{name} {rounded_text(value, 2)}¢" for name, value in found.contribution.items())
    seat = min(found.chairs)
    if found.has_long_run(seat):
        cost = rounded_text(found.seeding_cost(seat), 2)
        put_line((f"each wager adds {added}; seeding costs {cost}¢ per wager in the long run", "dim"))
    else:
        why = "meters are refilled after partial awards, so no long run is given"
        put_line((f"each wager adds {added}; {why}", "dim"))


def _must_hit(rules: Rulebook, shoe: ShoeCounts, meters: Mapping[str, int] | None) -> None:
    terms = rules.elections.must_hit
    assert terms is not None, "only called if the licensee has it"
    put_line("\n", ("Must Hit", "bold"), f"  {Cents(terms.start)} to {Cents(terms.ceiling)}")
    whole = must_hit(rules)
    after = rounded_text(whole.rounds, 1)
    put_line(f"  costs {rounded_text(whole.cost, 3)}¢ per wager; won after {after} wagers on average")
    meter = (meters or {}).get("must_hit", (terms.start + terms.ceiling) // 2)
    at = must_hit_seat(rules, meter=meter)
    put_line(f"  a seat that plays alone at {Cents(meter)} wins {rounded_text(at.value, 2)}¢ on average")
    kept = kept_with_royal9(royal9(rules, shoe, meters=royal9_meters(meters)), whole)
    if kept is not None:
        put_line("  of Royal 9 and the Must Hit together the house keeps ", (percent(kept), "bold"), " in the long run")


def show_price(
    prices: Prices, kind: WagerKind, *, meters: Mapping[str, int] | None, beside: int | None, form: OutputFormat
) -> None:
    """One wager in full: its pay table, its measures, the same at stakes, bands of the win."""
    rules, price = prices.rules, prices[kind]
    if beside is not None and (kind is not WagerKind.HOUSE_MONEY or price.stake is None):
        fail("--beside is the main wager of a press: with house_money and --stake only")
    said = remarks(prices, [kind])
    if form is OutputFormat.CSV:
        write_csv([price])
        _remark(said, form)
        return
    if form is OutputFormat.JSON:
        more = extra_prices(rules, prices.shoe, [kind], meters, stake=price.stake, beside=beside)
        put_json({**rulebook_data(rules), **price_as_data(price), **more, "remarks": said})
        return
    put_line((price.name, "bold"), "" if price.stake is None else f" at {price.stake}", "  ",
                       (f"{name_of(rules)}, rulebook {rules.hash[:16]}…", "dim"), "\n")  # fmt: skip
    _lines(price)
    resolved = f" of what is staked, {percent(price.edge_resolved)} of what is resolved\n"
    others = f"deviation {rounded_text(price.deviation, 6)}, wins {percent(price.hit)}, pushes {percent(price.push)}"
    put_line("\nhouse edge ", (percent(price.edge), "bold"), resolved, others)
    if price.stake is None and price.verdicts:
        _show_stakes(price)
    _bands(price)
    law = rules.edition.match_play
    if law is not None and rules.elects(law.offered) and kind.word in law.wagers:
        worth = coupon(rules, kind, prices.shoe, face=price.stake)
        put_line("\na match play coupon on it is worth ", (percent(worth.value, 3), "bold"), " of its face")
    if kind is WagerKind.HOUSE_MONEY:
        put_line("\n", ("with its press", "bold"), "  edge per unit; --decisions lists every opening")
        _press_table(rules, prices.shoe, stake=price.stake, beside=beside)
        if price.stake is not None and beside is None:
            put_line(("per unit; --beside SUM gives the main wager for the press at this stake", "dim"))
    if kind is WagerKind.ROYAL9:
        _royal9(rules, prices.shoe, meters)
    _remark(said, form)


def _lines(price: PriceDistribution) -> None:
    table = figures("event", "pays", "combinations", "probability", "return")
    for cells in line_rows(price):
        table.add_row(*map(line, cells))
    put_table(table)


def _show_stakes(price: Price) -> None:
    table = figures("at a stake of", "house edge", "change")
    for stake in STAKES:
        try:
            at = price.at(stake)
        except ValueError:
            continue
        table.add_row(*map(line, (str(at.stake), percent(at.edge), signed_percent(at.edge - price.edge))))
    if table.row_count:
        console.print()
        put_table(table)


def _bands(price: PriceDistribution) -> None:
    put_line("\n", ("win of the house per unit staked", "bold"), "  exact, rounds independent")
    table = figures("rounds", *(f"{percent_} %" for percent_ in PERCENTS))
    by_rounds: dict[int, list[str]] = {}
    for band in price.bands:
        by_rounds.setdefault(band.rounds, []).append(f"{percent(band.low, 3)} … {percent(band.high, 3)}")
    for rounds, cells in by_rounds.items():
        table.add_row(*map(line, (f"{rounds:,}", *cells)))
    put_table(table)
    if any(line_.award is not None for line_ in price.lines):
        put_line(("the meters stay at their present sums in every round", "dim"))


def removal(rules: Rulebook, shoe: ShoeCounts | None, *, only: WagerKind | None, form: OutputFormat) -> None:
    """By wager and rank, the change of the edge when one card of the rank is removed."""
    found = effect_of_removal(rules, shoe)
    kinds = list(found) if only is None else [only]
    by_kind = {kind: found[kind] for kind in kinds}
    ranks = list(Rank)
    if form is OutputFormat.JSON:
        put_json({kind.word: {rank.value: fraction(each[rank]) for rank in ranks} for kind, each in by_kind.items()})
        return
    if form is OutputFormat.CSV:
        rows = (
            [kind.word, *("" if each[rank] is None else each[rank] for rank in ranks)] for kind, each in by_kind.items()
        )
        put_csv(["wager", *(rank.value for rank in ranks)], rows)
        return
    put_line(("Effect of removal", "bold"), "  on the house edge, in hundredths of a percent")
    put_line((f"from {found.shoe}\n", "dim"))
    table = figures("one card less", *(kind.word.replace("_", " ") for kind in kinds))
    for rank in ranks:
        effects = (by_kind[kind][rank] for kind in kinds)
        table.add_row(*map(line, (_name(rank), *("–" if e is None else rounded_text(e * 10_000, 3) for e in effects))))
    put_table(table)


def _name(rank: Rank) -> str:
    return rank.name.lower() if rank.value in "AJQK" else rank.value.replace("T", "10")


def decision_table(rules: Rulebook, shoe: ShoeCounts | None, *, only: WagerKind | None, form: OutputFormat) -> None:
    """House Money's decisions: every opening with a pair, and what a unit on either hand then gains on average."""
    if only not in (None, WagerKind.HOUSE_MONEY):
        fail("--decisions are those of House Money")
    found = decisions(rules, shoe)
    if form is OutputFormat.JSON:
        put_json([
            {
                "player": [rank.value for rank in each.player], "banker": [rank.value for rank in each.banker],
                "pairs": each.pairs, "combinations": each.combinations, "on_player": fraction(each.on_player),
                "on_banker": fraction(each.on_banker),
            }
            for each in found
        ])  # fmt: skip
        return
    heads = ("player", "banker", "pairs", "combinations", "on player", "on banker", "press onto")
    rows = (
        (
            "".join(rank.value for rank in each.player), "".join(rank.value for rank in each.banker), each.pairs,
            each.combinations, each.on_player, each.on_banker, _better(each.on_player, each.on_banker),
        )
        for each in found
    )  # fmt: skip
    if form is OutputFormat.CSV:
        put_csv([head.replace(" ", "_") for head in heads], rows)
        return
    table = figures(*heads)
    for player, banker, pairs, ways, one, two, better in rows:
        cells = (player, banker, str(pairs), f"{ways:,}", rounded_text(one, 6), rounded_text(two, 6), better)
        table.add_row(*map(line, cells))
    put_table(table)


def _better(on_player: Fraction, on_banker: Fraction) -> str:
    if max(on_player, on_banker) <= 0:
        return "neither"
    return "Player" if on_player >= on_banker else "Banker"


def comparison(pair: tuple[Prices, Prices], names: tuple[str, str], *, json: bool) -> None:
    """Two prices side by side, under the names of their Submissions.

    If only one is at the requested stake, no change is shown.
    """
    left, right = pair
    kinds = list(dict.fromkeys([*left.wagers, *right.wagers]))
    rows = [(kind, left.wagers.get(kind), right.wagers.get(kind)) for kind in kinds]
    if json:
        put_json({
            "a": rulebook_data(left.rules) | {"submission": names[0]},
            "b": rulebook_data(right.rules) | {"submission": names[1]},
            "wagers": {
                kind.word: {
                    "a": None if one is None else fraction(one.edge), "b": None if two is None else fraction(two.edge),
                    "stake_a": _stake(one), "stake_b": _stake(two), "change": fraction(_change(one, two)),
                }
                for kind, one, two in rows
            },
            "remarks": {"a": remarks(left), "b": remarks(right)},
            "notes": [*left.notes, *right.notes],
        })  # fmt: skip
        return
    for side, name, prices in zip("ab", names, pair, strict=True):
        rules = prices.rules
        put_line((f"{side} {name}", "bold"), (f"  rulebook {rules.hash[:16]}…  {rules.edition.title}", "dim"))
    console.print()
    table = figures("wager", "house edge a", "house edge b", "change")
    for _, one, two in rows:
        either = one or two
        assert either is not None, "each wager is in one of the two"
        cells = ("not offered" if each is None else f"{_stake_phrase(each)}{percent(each.edge)}" for each in (one, two))
        change = _change(one, two)
        table.add_row(*map(line, (either.name, *cells, "–" if change is None else signed_percent(change))))
    put_table(table)
    for side, prices in (("a", left), ("b", right)):
        _remark((f"{side}: {each}" for each in remarks(prices)), OutputFormat.TEXT)
        for note in prices.notes:
            put_line((f"{side}: {note}", "dim"))


def _stake(price: Price | None) -> int | None:
    return None if price is None or price.stake is None else int(price.stake)


def _stake_phrase(price: Price) -> str:
    return "" if price.stake is None else f"at {price.stake} "


def _change(one: Price | None, two: Price | None) -> Fraction | None:
    return None if one is None or two is None or _stake(one) != _stake(two) else two.edge - one.edge
