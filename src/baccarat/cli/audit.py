"""`baccarat audit`: recorded rounds decided again; every fault with its row, its clause, expected and found."""

from __future__ import annotations

import gc
import sys
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from baccarat.cli.audit_source import AuditInput, open_source
from baccarat.cli.journal_files import RECEIPTS
from baccarat.cli.option import EDITIONS, JSON, flag, option, register_editions
from baccarat.cli.output import DONE, FAULT, REFUSED, fail
from baccarat.cli.same_file import keep_sources
from baccarat.cli.set_option import CHANGES, with_options

if TYPE_CHECKING:
    from baccarat.audit.rounds import LogOptions

FAULTS_LISTED = 10
"""Faults listed in full as text, unless `--limit` says otherwise."""
ON_PAPER = 500
"""Faults listed in full on a page, unless `--limit` says otherwise."""


SOURCES = typer.Argument(
    ..., metavar="FILE…", help="Journals; or one log of rounds: CSV, JSON lines or Parquet; - is standard input."
)
SUBMISSION = option("--submission -s", "NAME", "For a log: the Submission under which it was played.")
COLUMNS = option(
    "--column", "FIELD=NAME", "Which column holds what, such as player=P_hand, or player=P1+P2+P3 for a card each."
)
DELIMITER = option("--delimiter", "SIGN", "What separates cells; by default as in the header: , ; tab or |.")
CENTS = flag("--cents", "Sums are whole cents; without it they are dollars.")
LIMIT = typer.Option(
    None, "--limit", min=0, help=f"How many faults to list; by default {FAULTS_LISTED} as text, all as JSON."
)
KEYS = option("--key", "KEY", "For journals: public keys of logs or witnesses, or files with them.")
POLICY = option(
    "--policy", "FILE", "For journals: which logs and witnesses must have signed, and how many, instead of --key."
)
MEMORY = option(
    "--memory", "FILE", "For journals: remember the last checkpoint of each log here; later ones must agree."
)
CHECKPOINTS = option(
    "--checkpoint",
    "FILE",
    "For journals: a checkpoint that they must match, in addition to JOURNAL.checkpoint and .cosigned.",
)
DISCRETION = flag("--discretion", "For journals: also list the discretionary acts, by person, with their worth.")
HTML = option("--html", "FILE", "Also write the report as one HTML file.")


def audit(
    sources: list[str] = SOURCES,
    submission: str | None = SUBMISSION,
    column: list[str] = COLUMNS,
    delimiter: str = DELIMITER,
    cents: bool = CENTS,
    limit: int = LIMIT,
    key: list[str] = KEYS,
    policy: Path | None = POLICY,
    memory: Path | None = MEMORY,
    checkpoint: list[Path] = CHECKPOINTS,
    receipt: list[Path] = RECEIPTS,
    discretion: bool = DISCRETION,
    html: Path = HTML,
    changes: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Audit journals, or another program's log of rounds, by deciding everything again.

    A journal names its own rules: hashes, every act, money, shuffles and checkpoints are checked. A log is decided
    under a Submission: draws, totals, winners, payments, cards, order. Every fault is shown with its place, the clause
    that decides, what was expected and what was found. For a journal, the last lines say how far each stream was
    decided again, and how far the owners of the given keys have signed it.
    Examples: baccarat audit table.jsonl --html report.html ·
    baccarat audit docs/examples/faulty.csv --submission ma-midi-4 ·
    baccarat audit docs/examples/wagers.csv -s nj-punto-banco --column "winner=Who won"
    """
    keep_sources(html, [*sources, submission, *(key or []), *(checkpoint or []), *(edition or [])])
    keep_sources(memory, [*sources, *(key or []), *(checkpoint or []), *(edition or [])])
    register_editions(edition)
    if sources.count("-") > 1:
        fail("- is standard input, which can be read only once")
    with ExitStack() as stack:
        opened = [open_source(source, stack) for source in sources]
        if _are_journals(opened):
            if submission is not None or changes or column or delimiter or cents:
                fail("a journal names its own rules; --submission, --set and --column are for logs of rounds")
            from baccarat.cli.audit_journal import audit_files  # noqa: PLC0415
            from baccarat.cli.journal_files import read_reader_policy  # noqa: PLC0415

            status = audit_files(
                opened, policy=read_reader_policy(key or [], policy), checkpoints=checkpoint or [], limit=limit,
                html=html, json=json, discretion=discretion, receipts=receipt or [], memory=memory,
            )  # fmt: skip
        else:
            named = any(each is not None for each in (policy, memory))
            for_journals = bool(key or checkpoint or receipt or named or discretion)
            log, name = _single_log(opened, submission, for_journals=for_journals)
            options = _log_options(column, delimiter, in_cents=cents)
            status = _audit_log(log, name, options, limit=limit, html=html, changes=changes, json=json)
    raise typer.Exit(status)


def _cannot_read(name: str, error: Exception) -> NoReturn:
    fail(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}")


def _are_journals(opened: list[AuditInput]) -> bool:
    """Whether journals are audited: a log of rounds is audited alone; among journals, what is none is unreadable."""
    among = len(opened) > 1 and any(source.is_journal for source in opened)
    return among or all(source.is_journal for source in opened)


def _single_log(opened: list[AuditInput], submission: str | None, *, for_journals: bool) -> tuple[AuditInput, str]:
    """The log of rounds to audit, and the Submission under which it was played; exits with a message otherwise."""
    for source in opened:
        if source.fault:
            fail(f"{source.name}: {source.fault}")
    if len(opened) > 1:
        fail("one log of rounds at a time, or several journals")
    if submission is None:
        fail(f"{opened[0].name}: is not a journal; a log of rounds is audited with --submission NAME")
    if for_journals:
        fail("--key, --policy, --memory, --checkpoint, --receipt and --discretion are for journals")
    return opened[0], submission


def _log_options(columns: list[str] | None, delimiter: str | None, *, in_cents: bool) -> LogOptions:
    from baccarat.audit.rounds import LogOptions  # noqa: PLC0415

    return LogOptions(columns=_columns(columns), delimiter=_delimiter(delimiter), in_cents=in_cents)


def _columns(given: list[str] | None) -> dict[str, str]:
    """Fields and the columns named for them."""
    from baccarat.audit.rounds.column import ROUND_FIELDS, WAGER_FIELDS  # noqa: PLC0415
    from baccarat.law.error import unknown_message  # noqa: PLC0415

    found: dict[str, str] = {}
    for text in given or []:
        field, sign, name = (part.strip() for part in text.partition("="))
        if not sign or not name:
            fail(f"--column {text!r}: expected FIELD=NAME, such as player=P_hand")
        if field not in (*ROUND_FIELDS, *WAGER_FIELDS):
            fail(f"--column {text!r}: {unknown_message('field', field, (*ROUND_FIELDS, *WAGER_FIELDS))}")
        if field in found:
            fail(f"--column {text!r}: {field} already has a column")
        found[field] = name
    return found


def _delimiter(given: str | None) -> str | None:
    """The character between cells; a tab may be spelled out."""
    sign = {"tab": "\t", "\\t": "\t"}.get(given, given) if given is not None else None
    if sign is not None and (len(sign) != 1 or sign.isalnum() or sign in '"\r\n'):
        fail(f"--delimiter {given!r}: expected one character, such as ; or tab")
    return sign


def _audit_log(
    source: AuditInput, submission: str, options: LogOptions, *, limit: int | None, html: Path | None,
    changes: list[str] | None, json: bool,
) -> int:  # fmt: skip
    """Audit one log, print what was found, and give the exit status."""
    from baccarat.audit.rounds import Findings, UnreadableLog, audit_log  # noqa: PLC0415
    from baccarat.cli.audit_show import JsonFaults, bar, check_page, put_audit, save_page  # noqa: PLC0415
    from baccarat.report.optional_library import MissingExtra  # noqa: PLC0415

    rules = with_options(submission, changes)
    check_page(html)
    gc.disable()  # nothing here makes cycles, and searching for them takes a tenth of the time
    with JsonFaults(limit) if json else nullcontext() as listed:
        keep = max(
            FAULTS_LISTED if limit is None else limit, 0 if html is None else ON_PAPER if limit is None else limit
        )
        findings = Findings(keep=0 if json and html is None else keep, tell=listed)
        try:
            with bar() as progress:
                found = audit_log(rules, source.given, findings, options=options, progress=progress)
        except (UnreadableLog, MissingExtra) as error:
            fail(f"{source.name}: {error}")
        except (OSError, ValueError) as error:
            _cannot_read(source.name, error)
        if html is not None:
            from baccarat.audit.rounds.page import audit_report  # noqa: PLC0415

            save_page(html, audit_report(found, name=source.name), quiet=json)
        if listed is not None:
            listed.write_answer(found, sys.stdout.buffer)
        else:
            put_audit(found, name=source.name, limit=FAULTS_LISTED if limit is None else limit)
    return FAULT if found.unreadable else REFUSED if findings.total else DONE
