"""`baccarat resettle`: the rounds of a journal under another rulebook."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from baccarat.cli.lines import source_name
from baccarat.cli.option import EDITIONS, JSON, RECORDED, option, register_editions
from baccarat.cli.output import DONE, FAULT, REFUSED, complain, exit_on, fail, figures, put_json, put_line, put_table
from baccarat.cli.same_file import keep_sources
from baccarat.cli.set_option import CHANGES, with_options
from baccarat.cli.submission_name import shipped_name, typed_name
from baccarat.record.text import visible

if TYPE_CHECKING:
    from baccarat.audit.resettle import JournalRounds, ResettleReport, RoundReport
    from baccarat.cli.redecided_acts import Lines, WrongLine

ROUNDS_LISTED = 20
"""Rounds shown as text, unless `--limit` says otherwise."""


def resettle(
    journal: str = RECORDED,
    submission: str = option(
        "--submission -s", "NAME", "The Submission under which the rounds are settled again.", default=...
    ),
    changes: list[str] = CHANGES,
    rounds: Path | None = option(
        "--csv", "FILE", "Also write every round to this file, one row per person; sums in cents."
    ),
    limit: int = typer.Option(
        ROUNDS_LISTED, "--limit", min=0, help="How many differing rounds to show; JSON has them all."
    ),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Settle the rounds of a journal under other rules: what each person and the house would have had.

    Every command is decided again, and every round is first settled under its own rules, as a check. Rounds keep
    their first cards; if one would have run differently, that is reported with the clause. Status 1 if
    some rounds cannot be resettled, or the journal is wrong from some line on; 2 if it cannot be read. Example:
    baccarat resettle table.jsonl --submission ma-midi-4-ez --set tie_odds=9
    """
    from baccarat.audit.resettle import resettle_tables  # noqa: PLC0415

    keep_sources(rounds, [journal, submission, *(edition or [])])
    register_editions(edition)
    other, name = with_options(submission, changes), typed_name(submission, changes)
    tables, wrong = _read(journal)
    report = resettle_tables(tables, other)
    if rounds is not None:
        _write_csv(rounds, report)
    if json:
        from baccarat.audit.resettle.report import as_json  # noqa: PLC0415

        names = {"submissions": _played_names(report), "other_submission": name}
        put_json(as_json(report) | names | ({"wrong": wrong.say} if wrong is not None else {}))
    else:
        _show(report, limit, name)
    if wrong is not None:
        fail(f"{source_name(journal)}: {wrong.say}", wrong.status)
    if report.faults:
        complain(f"{source_name(journal)}: {report.faults} rounds are not settled as their own rules say")
    raise typer.Exit(REFUSED if report.unresolved_rounds or report.faults else DONE)


def _read(journal: str) -> tuple[dict[str, JournalRounds], WrongLine | None]:
    """The rounds of every table, up to the first line that is wrong."""
    from baccarat.cli.redecided_acts import open_lines  # noqa: PLC0415

    coming, is_journal = open_lines(journal)
    tables, wrong = _read_journal(coming) if is_journal else _read_answers(journal, coming)
    if not tables:
        fail(f"{source_name(journal)}: {wrong.say if wrong is not None else 'no table is opened in it'}")
    return tables, wrong


def _read_journal(coming: Lines) -> tuple[dict[str, JournalRounds], WrongLine | None]:
    from baccarat.audit.resettle.journal_rounds import CannotHaveHappened, JournalTables  # noqa: PLC0415
    from baccarat.cli.redecided_acts import WrongLine  # noqa: PLC0415
    from baccarat.record.journal import JournalFault, JournalLine, JournalReader  # noqa: PLC0415

    found = JournalTables()
    try:
        for each in JournalReader().read(coming):
            if isinstance(each, JournalLine):
                found.add_entry(each)
    except CannotHaveHappened as fault:
        say = f"line {fault.line} cannot have happened: {fault.say}"
        return found.rounds, WrongLine(number=fault.line, say=say, status=REFUSED)
    except JournalFault as fault:
        return found.rounds, WrongLine(number=fault.line, say=str(fault), status=FAULT)
    return found.rounds, None


def _read_answers(source: str, coming: Lines) -> tuple[dict[str, JournalRounds], WrongLine | None]:
    from baccarat.audit.resettle import JournalRounds  # noqa: PLC0415
    from baccarat.cli.redecided_acts import WrongLine, acts_of_answers  # noqa: PLC0415

    answers = acts_of_answers(source, coming)
    played = JournalRounds(answers.table.rules)
    for act in answers.acts:
        if isinstance(act, WrongLine):
            return {"table": played}, act
        played.add_events(act.number, act.events)
    return {"table": played}, None


def _write_csv(path: Path, report: ResettleReport) -> None:
    from baccarat.audit.resettle.report import CSV_HEADER, csv_rows  # noqa: PLC0415
    from baccarat.report.save import CannotWrite, save  # noqa: PLC0415

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(CSV_HEADER)
    writer.writerows(csv_rows(report))
    with exit_on(CannotWrite):
        save(path, text.getvalue().encode())


# ------------------------------------------------------------------------------------------------ text


def _played_names(report: ResettleReport) -> list[str | None]:
    """The Submissions under which a journal was played, by name; None for one that is not shipped."""
    return [
        next((name for edition in report.editions if (name := shipped_name(edition, rulebook))), None)
        for rulebook in report.rulebooks
    ]


def _show(report: ResettleReport, limit: int, name: str) -> None:
    from baccarat.audit.resettle.report import percent  # noqa: PLC0415
    from baccarat.money import Cents  # noqa: PLC0415

    own = f"a Submission under {' and '.join(report.editions)}"
    for played, rulebook in zip(_played_names(report), report.rulebooks, strict=True):
        put_line((f"Played under {played or own}", "bold"), (f"  rulebook {rulebook[:16]}…", "dim"))
    other = f"  rulebook {report.other_rulebook[:16]}…"
    put_line((f"Settled under {name}", "bold"), (other, "dim"))
    table = figures("person", "", "wagered", "net", "vigorish", "difference")

    def add(who: str, played: tuple[int, ...], would_be: tuple[int, ...]) -> None:
        table.add_row(Text(visible(who)), "played", *(str(Cents(amount)) for amount in played))
        table.add_row("", "would be", *(str(Cents(amount)) for amount in would_be))

    for each in report.patrons:
        would_be = each.other_wagered, each.other_net, each.other_vigorish, each.difference
        add(each.who, (each.wagered, each.net, each.vigorish), would_be)
    house = report.house
    would_be = house.other_wagered, house.other_win, house.other_vigorish, house.difference
    add("the house wins", (house.wagered, house.win, house.vigorish), would_be)
    put_table(table)
    hold = f"{percent(house.win, house.drop) or 'none'}, would be {percent(house.other_win, house.drop) or 'none'}"
    put_line(f"Hold, of {Cents(house.drop)} bought in: {hold}")
    counts = [f"{report.differing_rounds} run or end differently"]
    counts += [f"{report.corrected_rounds} were corrected"] if report.corrected_rounds else []
    counts += [f"{report.unresolved_rounds} cannot be resettled"] if report.unresolved_rounds else []
    rounds = "1 round" if report.rounds == 1 else f"{report.rounds} rounds"
    put_line(f"{rounds}: {', '.join(counts)}")
    for differing in report.reported[:limit]:
        _show_round(differing)
    left = len(report.reported) - limit
    if left > 0:
        put_line((f"{left} more; --limit shows them, --csv writes all", "yellow"))
    put_line(("Assumptions", "bold"))
    for say in report.assumed:
        put_line(f"  {say}")


def _show_round(each: RoundReport) -> None:
    table = f"{each.table} " if each.table else ""
    put_line((f"{table}shoe {each.shoe} round {each.round}", "bold"), (f"  line {each.line}", "dim"))
    for reason in each.reasons:
        kind = reason.kind.replace("_", " ")
        put_line(f"  {kind}: {reason.say}", (f"  {', '.join(reason.clauses)}", "dim"))
