"""What `baccarat shuffle battery` does: feeds shoes to the battery, and shows what it found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from baccarat.audit.battery.battery_run import Battery, feed_battery
from baccarat.audit.battery.judge import BatteryReport, TestResult
from baccarat.audit.battery.order_file import UnreadableOrder, read_orders
from baccarat.audit.battery.page import html as page
from baccarat.audit.battery.series import decks_of, series
from baccarat.audit.battery.shoe import BadOrder, ShoeOrder
from baccarat.audit.battery.word import number, probability, summary, verdict
from baccarat.cli.deal_run import seed_of
from baccarat.cli.lines import source_name, standard_input
from baccarat.cli.output import console, exit_on, fail, figures, line, progress_bar, put_json, put_line, put_table
from baccarat.cli.status import REFUSED
from baccarat.law.rulebook import Rulebook
from baccarat.report.save import HTML, CannotWrite, check_path, save

DEVIATIONS_WIDTH = 92
"""On a terminal narrower than this the deviations are left out."""


def run(rules: Rulebook, *, shoes: int, seed: str | None, orders: str | None, html: Path | None, json: bool) -> bool:
    """Test the shoes and show the result; returns whether they are rejected."""
    with exit_on(CannotWrite, ValueError):  # a rulebook that does not state its decks
        if html is not None:
            check_path(html, HTML)  # before the long work
        if orders is None:
            key = seed_of(seed)
            total, source, found = shoes, f"from seed {key.hex()}", series(rules, key, shoes)
        else:
            total, source, found = None, f"from {source_name(orders)}", _read(orders, 52 * decks_of(rules))
        tested = _feed_with_progress(rules, found, total, source_name(orders) if orders is not None else "")
        report = tested.report(source=source)
        if html is not None:
            save(html, page(rules, tested, report).encode())
    if json:
        put_json(
            {"rejected": report.rejected, "summary": summary(report), "rulebook": rules.hash}
            | msgspec.to_builtins(report)
        )
    else:
        _show(tested, report)
        if html is not None:
            put_line(f"written: {html}")
    return report.rejected


def _read(source: str, size: int) -> Iterator[ShoeOrder]:
    try:
        with nullcontext(standard_input()) if source == "-" else Path(source).open("rb") as stream:
            yield from read_orders(stream, size=size)
    except UnreadableOrder as error:
        fail(f"{source_name(source)}: {error}")
    except OSError as error:
        fail(f"{source_name(source)}: cannot be read: {error.strerror}")


def _feed_with_progress(rules: Rulebook, shoes: Iterable[ShoeOrder], total: int | None, name: str) -> Battery:
    with progress_bar(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()) as bar:
        task = bar.add_task("testing shoes", total=total)

        def watched() -> Iterator[ShoeOrder]:
            for shoe in shoes:
                yield shoe
                bar.advance(task)

        with exit_on(BadOrder, where=name, status=REFUSED):
            return feed_battery(rules, watched())


def _show(tested: Battery, report: BatteryReport) -> None:
    put_line((f"{report.shoes:,} shoes of {report.cards} cards, {report.source}", "bold"))
    console.print()
    wide = not console.is_terminal or console.width >= DEVIATIONS_WIDTH
    table = figures("test", "found", "expected", *(["deviation"] if wide else []), "p", "corrected", "verdict")
    table.columns[-1].justify = "left"
    for result in report.results:
        deviation = [number(result.deviation)] if wide else []
        table.add_row(
            result.name, number(result.found), number(result.expected), *deviation,
            probability(result.p), probability(result.adjusted),
            line((_verdict_text(result), "bold red" if result.rejected else "dim" if result.p is None else "")),
        )  # fmt: skip
    put_table(table)
    _show_remarks(report)
    console.print()
    rounds = tested.outcomes.rounds * report.shoes
    outcomes = figures(f"{rounds:,} rounds", "came", "share", "exact")
    for name, (count, chance) in report.outcomes.items():
        outcomes.add_row(name, f"{count:,}", f"{count / rounds:.4%}", f"{chance:.4%}")
    put_table(outcomes)
    console.print()
    put_line((summary(report), "bold red" if report.rejected else "bold"))


def _verdict_text(result: TestResult) -> str:
    return "left out" if result.p is None else verdict(result)


def _show_remarks(report: BatteryReport) -> None:
    """What rejected tests counted, and why others were left out."""
    for result in report.results:
        if result.rejected:
            put_line(("rejected: ", "bold red"), f"{result.name}: {result.what}")
    for reason in dict.fromkeys(result.left_out for result in report.results if result.left_out):
        names = ", ".join(result.name for result in report.results if result.left_out == reason)
        put_line(("left out: ", "dim"), f"{names}: {reason}")
