"""Paper from the terminal: the PAR workbook and the lab report, with a bar while they are made."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn

from baccarat.cli.out import FAULT, console, errors, fail, line
from baccarat.law.rulebook import Rulebook
from baccarat.odds import Counts
from baccarat.report import CannotWrite, MissingExtra, check_path, study, write_html, write_par, write_pdf


def write(
    rules: Rulebook,
    shoe: Counts | None,
    *,
    stake: int | None,
    meters: Mapping[str, int] | None,
    xlsx: Path | None,
    html: Path | None,
    pdf: Path | None,
) -> None:
    """Price everything once, and write what is asked for; a path that cannot be written is found out before."""
    wanted = [(path, writer) for path, writer in ((xlsx, write_par), (html, write_html), (pdf, write_pdf)) if path]
    today = datetime.datetime.now(datetime.UTC).date()
    try:
        for path, _ in wanted:
            check_path(path)
        with Progress(TextColumn("{task.description}"), BarColumn(), console=errors, transient=True) as bar:
            task = bar.add_task("pricing", total=None)

            def step(label: str, done: int, total: int) -> None:
                bar.update(task, description=label, completed=done, total=total)

            made = study(rules, shoe, stakes=None if stake is None else [stake], meters=meters, progress=step)
            written = [writer(made, path, date=today, progress=step) for path, writer in wanted]
    except (CannotWrite, MissingExtra) as error:
        fail(str(error), FAULT)
    for path in written:
        console.print(line(f"written: {path}"))
