"""`baccarat shuffle`: the shuffle for laboratories: its raw words and orders, and a battery of tests on orders."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.option import EDITIONS, JSON, SUBMISSION, flag, option, register_editions
from baccarat.cli.output import REFUSED, fail
from baccarat.cli.same_file import keep_sources
from baccarat.cli.set_option import CHANGES, with_options

app = typer.Typer(
    help="For laboratories: the words and orders of the shuffle, and tests on any orders.", no_args_is_help=True
)

SEED = typer.Option(
    None,
    "--seed",
    help="64 hexadecimal digits, or any words; by default a new one. Every shoe derives its own seed from it.",
)


@app.command()
def export(
    submission: str = SUBMISSION,
    words: int | None = option("--words", "N", "How many 32-bit words of one generator; by default endless.", min=1),
    shoes: int | None = option("--shoes", "N", "Instead, the words that the shuffles of N shoes consume.", min=1),
    orders: int | None = option("--orders", "N", "Instead, the orders of N shoes, one per line.", min=1),
    cards: bool = flag("--cards", "With --orders: cards such as 9s instead of numbers from 0."),
    csv: bool = flag("--csv", "With --orders: values between commas instead of JSON arrays."),
    seed: str | None = SEED,
    to: Path | None = option("--to", "FILE", "Write this file, whole or not at all; by default standard output."),
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = flag("--json", "With --to: report in JSON what was written."),
) -> None:
    """Export the shuffle's randomness, for any test battery: raw 32-bit words, big-endian, in the order of use.

    Without a number the words continue until the reader closes the pipe. A new seed is printed on
    standard error. Bytes are not written to a terminal (status 2).
    Examples: baccarat shuffle export ma-midi-4 --seed lab --words 100000 > words.bin ·
    baccarat shuffle export nj-punto-banco --seed lab --orders 200 --cards --csv --to machine.csv
    """
    from baccarat.cli import shuffle_export  # noqa: PLC0415

    if sum(each is not None for each in (words, shoes, orders)) > 1:
        fail("--words, --shoes or --orders: one of them")
    if orders is None and (cards or csv):
        fail("--cards and --csv go with --orders")
    if json and to is None:
        fail("--json reports what was written to a file: name it with --to")
    if to is not None and words is None and shoes is None and orders is None:
        fail("a file must have an end: give --words, --shoes or --orders")
    keep_sources(to, [submission, *(edition or [])])
    register_editions(edition)
    wanted = shuffle_export.ExportRequest(words=words, shoes=shoes, orders=orders, cards=cards, csv=csv)
    shuffle_export.export(with_options(submission, change), wanted, seed, to, json=json)


@app.command()
def battery(
    submission: str = SUBMISSION,
    shoes: int = option("--shoes", "N", "How many shoes of our own are shuffled.", default=5000, min=1),
    seed: str | None = SEED,
    orders: str | None = option("--orders", "FILE", "Test these shoes instead, one per line, or - for standard input."),
    html: Path | None = option("--html", "FILE", "Also write a page with pictures of where cards clustered."),
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Test orders of shoes, ours or others: positions, adjacency, rising sequences, repeats, outcomes.

    Each test has a p-value; all together reject a fair shuffle in one run of a hundred at most (Holm's correction).
    A line of a file is a shoe, top card first: a JSON array or values between commas, of cards such as 9s, or of
    numbers in the order of new decks. Some tests need numbers. Status 1 if the shoes are rejected or
    are not those of the decks, 2 if a file is unreadable.
    Examples: baccarat shuffle battery ma-midi-4 --shoes 1000 --seed lab ·
    baccarat shuffle battery nj-punto-banco --orders machine.csv --html machine.html
    """
    from baccarat.cli import shuffle_battery  # noqa: PLC0415

    keep_sources(html, [submission, orders, *(edition or [])])
    register_editions(edition)
    if orders is not None and seed is not None:
        fail("--seed is for our own shoes: it cannot be combined with --orders")
    rules = with_options(submission, change)
    if shuffle_battery.run(rules, shoes=shoes, seed=seed, orders=orders, html=html, json=json):
        raise typer.Exit(REFUSED)
