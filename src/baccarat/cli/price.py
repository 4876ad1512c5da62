"""`baccarat price` and `baccarat compare`: what every wager of a Submission returns, exactly."""

from __future__ import annotations

import csv
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from baccarat.cli.out import EDITIONS, FAULT, JSON, console, fail, grid, know, line, put_json
from baccarat.cli.set_option import CHANGES, changed
from baccarat.law.error import nearest

if TYPE_CHECKING:
    from baccarat.law.rulebook import Rulebook
    from baccarat.odds import Counts, Price, Prices
    from baccarat.odds.measure import Measured
    from baccarat.play.wager import Kind

SUBMISSION = typer.Argument(..., help="The name of a shipped Submission, or the path of a TOML file.")
STAKE = typer.Option(None, "--stake", metavar="SUM", help="Price at this stake, such as $25, rounded as at the table.")
METERS = typer.Option(None, "--meters", metavar="NAME=SUM", help="What a Royal 9 meter shows; others at their seeds.")
WITHOUT = typer.Option(None, "--without", metavar="CARDS", help="Cards that have left the shoe, such as '5s 5h Kd'.")
LEFT = typer.Option(
    None,
    "--left",
    metavar="COUNTS",
    help="What is left: 52 counts by card, 13 by rank (ace first), or 10 by value.",
)


def price(
    submission: str = SUBMISSION,
    wager: str | None = typer.Argument(None, help="One wager in full: player, banker, tie, dragon7, royal9, …"),
    stake: str | None = STAKE,
    meters: list[str] = METERS,
    without: str | None = WITHOUT,
    left: str | None = LEFT,
    removal: bool = typer.Option(False, "--removal", help="The effect of removal of each rank on each wager."),
    shoe: str | None = typer.Option(
        None, "--shoe", metavar="FILE", help="Edges before every round of a recorded shoe: a line of cards a round."
    ),
    journal: str | None = typer.Option(
        None, "--journal", metavar="FILE", help="Edges before every round of a journal from `baccarat run`."
    ),
    xlsx: Path | None = typer.Option(None, "--xlsx", metavar="FILE", help="Write a PAR workbook with live formulas."),
    html: Path | None = typer.Option(None, "--html", metavar="FILE", help="Write the lab report as one HTML file."),
    pdf: Path | None = typer.Option(None, "--pdf", metavar="FILE", help="Write the lab report as PDF."),
    change: list[str] = CHANGES,
    csv_: bool = typer.Option(False, "--csv", help="Print every line of every pay table as CSV."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Price every wager of a Submission exactly: combinations, probability, return, edge, deviation.

    Example: baccarat price ma-midi-4 banker --stake '$25'
    """
    from baccarat.cli import paper, price_show, shoe_series  # noqa: PLC0415
    from baccarat.odds import odds  # noqa: PLC0415

    know(edition)
    rules = changed(submission, change)
    try:
        counts = counts_of(rules, without=without, left=left)
        shown = meters_of(meters)
        cents = None if stake is None else money("--stake", stake)
        if shoe is not None or journal is not None:
            shoe_series.show(rules, shoe=shoe, journal=journal, start=counts, meters=shown, csv_=csv_, json=json)
            return
        if removal:
            price_show.removal(rules, counts, json=json, csv_=csv_)
            return
        prices = odds(rules, counts, stake=_stakes(rules, cents, wager), meters=shown)
        if xlsx or html or pdf:
            paper.write(rules, prices, meters=shown, xlsx=xlsx, html=html, pdf=pdf)
            return
        if wager is not None:
            price_show.one(rules, prices, kind_of(wager), meters=shown, stake=cents, csv_=csv_, json=json)
            return
    except ValueError as error:
        fail(str(error), FAULT)
    if csv_:
        write_csv(prices)
    elif json:
        put_json(told(prices, full=True))
    else:
        price_show.all_(rules, prices, meters=shown)


def compare(
    a: str = typer.Argument(..., help="A Submission."),
    b: str | None = typer.Argument(None, help="Another; without it, the first with what --set changes."),
    stake: str | None = STAKE,
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Compare what two Submissions return, wager by wager: what an option, or an edition, costs.

    Example: baccarat compare ma-midi-4 --set ez=true
    """
    from baccarat.odds import odds  # noqa: PLC0415

    know(edition)
    if b is None and not change:
        fail("compare: a second Submission, or --set OPTION=VALUE, is wanted", FAULT)
    left, right = changed(a, []), changed(b or a, change)
    cents = None if stake is None else money("--stake", stake)
    try:
        pair = odds(left, stake=cents), odds(right, stake=cents)
    except ValueError as error:
        fail(str(error), FAULT)
    show_comparison(pair, json=json)


def show_comparison(pair: tuple[Prices, Prices], *, json: bool) -> None:
    """Two prices side by side."""
    from baccarat.odds.show import percent  # noqa: PLC0415

    left, right = pair
    kinds = list(dict.fromkeys([*left.wagers, *right.wagers]))
    rows = [(kind, left.wagers.get(kind), right.wagers.get(kind)) for kind in kinds]
    if json:
        put_json({
            "a": _named(left.rules), "b": _named(right.rules),
            "wagers": {
                kind.word: {
                    "a": None if one is None else fraction(one.edge), "b": None if two is None else fraction(two.edge),
                    "change": None if one is None or two is None else fraction(two.edge - one.edge),
                }
                for kind, one, two in rows
            },
        })  # fmt: skip
        return
    console.print(line(("a ", "bold"), str(left.rules), "  ", (left.rules.edition.title, "dim")))
    console.print(line(("b ", "bold"), str(right.rules), "  ", (right.rules.edition.title, "dim"), "\n"))
    table = grid("wager", "house edge a", "house edge b", "change")
    for column in table.columns[1:]:
        column.justify = "right"
    for _, one, two in rows:
        either = one or two
        assert either is not None, "each wager is of one of the two"
        cells = [percent(each.edge) if each else "not offered" for each in (one, two)]
        change = signed(two.edge - one.edge) if one and two else "–"
        table.add_row(*map(line, (either.name, *cells, change)))
    console.print(table)


def signed(value: Fraction) -> str:
    """A change of an edge in percentage points, with its sign."""
    from baccarat.odds.show import percent  # noqa: PLC0415

    return percent(value) if value < 0 else "0" if value == 0 else f"+{percent(value)}"


# ------------------------------------------------------------------------------------------- reading options


def money(option: str, text: str) -> int:
    """A sum in cents, or a clear end."""
    from baccarat.money import dollars  # noqa: PLC0415

    try:
        return int(dollars(text))
    except ValueError as error:
        fail(f"{option} {text!r}: {error}", FAULT)


def meters_of(given: list[str] | None) -> dict[str, int] | None:
    """What --meters says, in cents."""
    if not given:
        return None
    found: dict[str, int] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            fail(f"--meters {text!r}: expected NAME=SUM, such as star=$50,000", FAULT)
        if name.strip() in found:
            fail(f"--meters {name.strip()}: given twice", FAULT)
        found[name.strip()] = money("--meters", value.strip())
    return found


def counts_of(rules: Rulebook, *, without: str | None, left: str | None) -> Counts | None:
    """The shoe that --left and --without describe; None for a full one."""
    from baccarat.odds import Counts  # noqa: PLC0415

    decks = rules.elections.decks or 8
    if left is not None:
        try:
            numbers = [int(part) for part in left.replace(",", " ").split()]
        except ValueError:
            fail(f"--left {left!r}: expected whole numbers, 52, 13 or 10 of them", FAULT)
        counts = Counts.of(numbers, decks=decks)
    else:
        counts = Counts.full(decks)
    if without is None:
        return counts if left is not None else None
    return counts.without(without)


def kind_of(word: str) -> Kind:
    """The wager of a word, or a clear end."""
    from baccarat.play.wager import Kind  # noqa: PLC0415

    wanted = word.lower().replace("-", "_").replace(" ", "_")
    for kind in Kind:
        if wanted == kind.word:
            return kind
    words = [kind.word for kind in Kind]
    hint = nearest(wanted, words)
    return fail(f"no wager {word!r}; " + (f"did you mean {hint!r}?" if hint else f"expected one of {words}"), FAULT)


def _stakes(rules: Rulebook, cents: int | None, wager: str | None) -> Any:
    """One stake for all wagers, or for the one that is asked for."""
    if cents is None or wager is None:
        return cents
    kind = kind_of(wager)
    from baccarat.play.book import open_book  # noqa: PLC0415

    return {kind: cents} if kind in open_book(rules).offered else cents


# ---------------------------------------------------------------------------------------------- for programs


def fraction(value: Fraction | None) -> dict[str, Any] | None:
    """A fraction for a program: exactly, and as a decimal."""
    if value is None:
        return None
    return {"exact": f"{value.numerator}/{value.denominator}", "decimal": float(value)}


def _named(rules: Rulebook) -> dict[str, str]:
    return {"edition": rules.edition.name, "hash": rules.hash}


def told(prices: Prices, *, full: bool) -> dict[str, Any]:
    """Prices for a program."""
    return {
        **_named(prices.rules),
        "cards": prices.shoe.size,
        "deals": prices.shoe.deals,
        "wagers": {each.on.word: told_price(each, full=full) for each in prices},
        "missing": {kind.word: why for kind, why in prices.missing.items()},
        "notes": prices.notes,
    }


def told_price(each: Price | Measured, *, full: bool) -> dict[str, Any]:
    """One price for a program."""
    made: dict[str, Any] = {
        "name": each.name,
        "stake": None if each.stake is None else int(each.stake),
        "edge": fraction(each.edge),
        "edge_resolved": fraction(each.edge_resolved),
        "variance": fraction(each.variance),
        "deviation": float(each.deviation),
        "hit": fraction(each.hit),
        "push": fraction(each.push),
    }
    if full:
        made["lines"] = [
            {
                "row": one.row, "result": one.result.word, "pays": None if one.pays is None else str(one.pays),
                "combinations": one.combinations, "probability": fraction(one.probability), "gain": fraction(one.gain),
                "return": fraction(one.returns),
            }
            for one in each.lines
        ]  # fmt: skip
        made["bands"] = [
            {"rounds": band.rounds, "percent": band.percent, "low": float(band.low), "high": float(band.high)}
            for band in each.bands
        ]
    return made


def write_csv(prices: Prices | list[Price]) -> None:
    """Every line of every pay table, one a row."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["wager", "stake_cents", "row", "result", "pays", "combinations", "deals", "gain", "return"])
    for each in prices:
        for one in each.lines:
            out.writerow([
                each.on.word, "" if each.stake is None else int(each.stake), one.row, one.result.word,
                "" if one.pays is None else str(one.pays), one.combinations, each.deals, one.gain, one.returns,
            ])  # fmt: skip
