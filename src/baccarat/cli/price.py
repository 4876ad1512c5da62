"""`baccarat price` and `baccarat compare`: what every wager of a Submission returns, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from baccarat.cli.option import EDITIONS, JSON, SUBMISSION, flag, option, register_editions
from baccarat.cli.output import exit_on, fail
from baccarat.cli.same_file import keep_sources
from baccarat.cli.set_option import CHANGES, with_options

if TYPE_CHECKING:
    from baccarat.cli.price_show import OutputFormat
    from baccarat.law.rulebook import Rulebook

STAKE = option("--stake", "SUM", "Price at this stake in dollars, such as 25, rounded as at the table.")


def price(
    submission: str = SUBMISSION,
    wager: str | None = typer.Argument(None, help="One wager in full: player, banker, tie, dragon7, royal9, …"),
    stake: str | None = STAKE,
    beside: str | None = option(
        "--beside", "SUM", "With house_money and --stake: the main wager to which its payout is added."
    ),
    decisions: bool = flag("--decisions", "With house_money: every opening, and what a press gains."),
    meters: list[str] = option(
        "--meters", "NAME=SUM", "What a meter shows in dollars, such as star=50,000 or must_hit=1,500."
    ),
    without: str | None = option("--without", "CARDS", "Cards that have left the shoe, such as '5s 5h Kd'."),
    left: str | None = option(
        "--left", "COUNTS", "What is left: 52 counts by card, 13 by rank (ace first), or 10 by value."
    ),
    removal: bool = flag("--removal", "The effect of removal of each rank on each wager."),
    shoe: str | None = option(
        "--shoe", "FILE", "Edges before every round of a recorded shoe: one line of cards per round."
    ),
    journal: str | None = option("--journal", "FILE", "Edges before every round of a journal from `baccarat run`."),
    shoes: str | None = option(
        "--shoes", "FILE", "Edges of many shoes: one line of counts each, CSV or JSON; - for standard input."
    ),
    xlsx: Path | None = option("--xlsx", "FILE", "Write a PAR workbook with live formulas."),
    html: Path | None = option("--html", "FILE", "Write the lab report as one HTML file."),
    pdf: Path | None = option("--pdf", "FILE", "Write the lab report as PDF."),
    change: list[str] = CHANGES,
    csv: bool = flag("--csv", "Print CSV instead of text: every line of every pay table."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Price every wager of a Submission exactly: combinations, probability, return, edge, deviation.

    Examples: baccarat price ma-midi-4 · baccarat price ma-midi-4 banker --stake 103 ·
    baccarat price ma-midi-4-royal9 royal9 --meters 'star=$61,250.50'
    """
    asked = PriceRequest(
        wager=wager, stake=stake, beside=beside, decisions=decisions, meters=meters or [], without=without, left=left,
        removal=removal, shoe=shoe, journal=journal, shoes=shoes, xlsx=xlsx, html=html, pdf=pdf, csv=csv, json=json,
    )  # fmt: skip
    for path in asked.papers:
        keep_sources(path, [submission, *(edition or [])])
    register_editions(edition)
    rules = with_options(submission, change)
    _check_options(asked)
    with exit_on(ValueError):
        _answer(rules, asked)


class PriceRequest(NamedTuple):
    """The options of `baccarat price`, as typed."""

    wager: str | None
    stake: str | None
    beside: str | None
    decisions: bool
    meters: list[str]
    without: str | None
    left: str | None
    removal: bool
    shoe: str | None
    journal: str | None
    shoes: str | None
    xlsx: Path | None
    html: Path | None
    pdf: Path | None
    csv: bool
    json: bool

    @property
    def papers(self) -> list[Path]:
        """The files to which reports are written."""
        return [each for each in (self.xlsx, self.html, self.pdf) if each is not None]

    @property
    def special(self) -> list[str]:
        """The options that ask for something other than a table of prices."""
        modes = {
            "--removal": self.removal, "--shoe": self.shoe is not None, "--journal": self.journal is not None,
            "--decisions": self.decisions, "--shoes": self.shoes is not None,
        }  # fmt: skip
        return [option for option, is_asked in modes.items() if is_asked]

    @property
    def form(self) -> OutputFormat:
        """How the answer is printed."""
        from baccarat.cli.price_show import OutputFormat  # noqa: PLC0415

        return OutputFormat.CSV if self.csv else OutputFormat.JSON if self.json else OutputFormat.TEXT


def _check_options(asked: PriceRequest) -> None:
    """Exit with a message if options contradict each other."""
    special, paper = asked.special, bool(asked.papers)
    if len(special) > 1:
        fail(f"{' or '.join(special)}, not both")
    if asked.csv and asked.json:
        fail("--csv or --json, not both")
    if special and (asked.stake is not None or paper):
        fail(f"a stake or a report cannot be combined with {special[0]}")
    if paper and (asked.wager is not None or asked.beside is not None or asked.csv or asked.json):
        fail("a report covers all wagers: leave out the wager, --beside, --csv and --json")
    if asked.beside is not None and asked.wager is None:
        fail("--beside is the main wager of a press: with house_money and --stake only")
    if asked.shoes is not None and (asked.left or asked.without or asked.meters or asked.beside):
        fail("--shoes has one shoe per line: leave out --left, --without, --meters and --beside")


def _answer(rules: Rulebook, asked: PriceRequest) -> None:
    """Price what was requested, and print or write it."""
    from baccarat.cli import price_arguments, price_data, price_shoes, price_show, shoe_series  # noqa: PLC0415
    from baccarat.cli.money import sum_of  # noqa: PLC0415
    from baccarat.odds import odds  # noqa: PLC0415

    form = asked.form
    only = None if asked.wager is None else price_arguments.kind_of(rules, asked.wager)
    if asked.shoes is not None:
        raise typer.Exit(price_shoes.show(rules, asked.shoes, only=only, form=form))
    counts = price_arguments.counts_of(rules, without=asked.without, left=asked.left)
    meters = price_arguments.meters_of(asked.meters)
    royal9 = price_data.royal9_meters(meters)
    price_arguments.check_must_hit(rules, meters)
    stake = None if asked.stake is None else sum_of("--stake", asked.stake)
    if asked.shoe is not None or asked.journal is not None:
        shoe, journal = asked.shoe, asked.journal
        shoe_series.show(rules, shoe=shoe, journal=journal, start=counts, meters=royal9, only=only, form=form)
    elif asked.removal:
        if meters is not None:
            fail("--meters cannot be combined with --removal, which has the meters at their seeds")
        price_show.removal(rules, counts, only=only, form=form)
    elif asked.papers:
        from baccarat.cli import paper  # noqa: PLC0415

        xlsx, html, pdf = asked.xlsx, asked.html, asked.pdf
        paper.write(rules, counts, stake=stake, meters=royal9, xlsx=xlsx, html=html, pdf=pdf)
    elif asked.decisions:
        price_show.decision_table(rules, counts, only=only, form=form)
    elif only is None:
        price_show.show_prices(odds(rules, counts, stake=stake, meters=royal9), meters=meters, form=form)
    else:
        prices = odds(rules, counts, stake=None if stake is None else {only: stake}, meters=royal9)
        beside = None if asked.beside is None else sum_of("--beside", asked.beside)
        price_show.show_price(prices, only, meters=meters, beside=beside, form=form)


def compare(
    a: str = typer.Argument(..., help="A Submission."),
    b: str | None = typer.Argument(None, help="Another; by default the first with the changes of --set."),
    stake: str | None = STAKE,
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Compare what two Submissions return, wager by wager: what an option, or an edition, costs.

    Example: baccarat compare ma-midi-4 --set ez=true
    """
    from baccarat.cli import price_show  # noqa: PLC0415
    from baccarat.cli.money import sum_of  # noqa: PLC0415
    from baccarat.cli.submission_name import typed_name  # noqa: PLC0415
    from baccarat.odds import odds  # noqa: PLC0415

    register_editions(edition)
    if b is None and not change:
        fail("compare: expected a second Submission, or --set OPTION=VALUE")
    left, right = with_options(a, []), with_options(b or a, change)
    names = a, typed_name(b or a, change)
    cents = None if stake is None else sum_of("--stake", stake)
    with exit_on(ValueError):
        pair = odds(left, stake=cents), odds(right, stake=cents)
    price_show.comparison(pair, names, json=json)
