"""Paper from the terminal: the PAR workbook and the lab report, with a bar while they are made."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path

from rich.progress import BarColumn, TextColumn

from baccarat.cli.output import exit_on, fail, progress_bar, put_line
from baccarat.law.rulebook import Rulebook
from baccarat.odds import ShoeCounts
from baccarat.report import CannotWrite, MissingExtra, check_path, lab_report, study
from baccarat.report.html import page
from baccarat.report.par import par
from baccarat.report.pdf import paper
from baccarat.report.save import HTML, PDF, WORKBOOK, save
from baccarat.report.study import Progress as Tell


def write(
    rules: Rulebook,
    shoe: ShoeCounts | None,
    *,
    stake: int | None,
    meters: Mapping[str, int] | None,
    xlsx: Path | None,
    html: Path | None,
    pdf: Path | None,
) -> None:
    """Price everything once, make all requested files, and only then write them."""
    with exit_on(CannotWrite, MissingExtra):
        places = [
            check_path(path, sort) for path, sort in ((xlsx, WORKBOOK), (html, HTML), (pdf, PDF)) if path is not None
        ]
        if len(set(places)) < len(places):
            fail("two reports cannot have the same file name")
        with progress_bar(TextColumn("{task.description}"), BarColumn()) as bar:
            task = bar.add_task("pricing", total=None)

            def step(label: str, done: int, total: int) -> None:
                bar.update(task, description=label, completed=done, total=total)

            made = _make_files(rules, shoe, stake, meters, xlsx=xlsx, html=html, pdf=pdf, step=step)
        written = [save(path, content) for path, content in made]
    for path in written:
        put_line(f"written: {path}")


def _make_files(
    rules: Rulebook, shoe: ShoeCounts | None, stake: int | None, meters: Mapping[str, int] | None,
    *, xlsx: Path | None, html: Path | None, pdf: Path | None, step: Tell,
) -> list[tuple[Path, bytes]]:  # fmt: skip
    """Every requested file with its content; plots are drawn once."""
    today = datetime.datetime.now(datetime.UTC).date()
    priced = study(rules, shoe, stakes=None if stake is None else [stake], meters=meters, progress=step)
    made: list[tuple[Path, bytes]] = []
    if xlsx is not None:
        made.append((xlsx, par(priced, date=today, progress=step)))
    if html is not None or pdf is not None:
        report = lab_report(priced, date=today, progress=step)
        if html is not None:
            made.append((html, page(report).encode()))
        if pdf is not None:
            made.append((pdf, paper(report)))
    return made
