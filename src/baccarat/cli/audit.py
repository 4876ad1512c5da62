"""`baccarat audit`: what others wrote down, decided again; every fault with its row, its clause, expected and found."""

from __future__ import annotations

import gc
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from baccarat.cli.lines import named, standard_input
from baccarat.cli.out import DONE, EDITIONS, FAULT, JSON, REFUSED, fail, know
from baccarat.cli.set_option import CHANGES, changed

if TYPE_CHECKING:
    from baccarat.audit.rounds import LogOptions

LISTED = 10
"""Faults that text shows in full unless more are asked for."""
ON_PAPER = 500
"""Faults that a page shows in full unless another number is asked for."""


def audit(
    sources: list[str] = typer.Argument(
        ...,
        metavar="FILE…",
        help="Journals; or one log of rounds: CSV, JSON lines or Parquet, - for standard input.",
    ),
    submission: str | None = typer.Option(
        None, "--submission", "-s", metavar="NAME", help="For a log: the Submission under which it was played."
    ),
    column: list[str] = typer.Option(
        None,
        "--column",
        metavar="FIELD=NAME",
        help="Which column holds what, such as player=P_hand, or player=P1+P2+P3 for a card each.",
    ),
    delimiter: str = typer.Option(
        None, "--delimiter", metavar="SIGN", help="What separates cells; without it, the header shows: , ; tab or |."
    ),
    cents: bool = typer.Option(False, "--cents", help="Sums are whole cents; without it they are dollars."),
    limit: int = typer.Option(
        None, "--limit", min=0, help=f"List so many faults; without it, {LISTED} as text, all of them as JSON."
    ),
    key: list[str] = typer.Option(
        None, "--key", metavar="KEY", help="For journals: public keys that sign checkpoints, or files with them."
    ),
    checkpoint: list[Path] = typer.Option(
        None,
        "--checkpoint",
        metavar="FILE",
        help="For journals: a checkpoint, perhaps cosigned, that they must fit.",
    ),
    html: Path = typer.Option(None, "--html", metavar="FILE", help="Also write the report as one HTML file."),
    changes: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Audit journals, or a log of rounds that another program wrote: everything is decided again.

    A journal names its own rules: hashes, every act, money, shuffles and checkpoints are checked. A log is decided
    under a Submission: draws, totals, winners, payments, cards, order. Every fault is told with its place, the clause
    that decides, what was expected and what was found. Status 1 if there are faults, 2 if something is unreadable.
    Examples: baccarat audit table.jsonl --html report.html ·
    baccarat audit docs/examples/faulty.csv --submission ma-midi-4 ·
    baccarat audit docs/examples/wagers.csv -s nj-punto-banco --column "winner=Who won"
    """
    from baccarat.audit.rounds import LogOptions  # noqa: PLC0415

    know(edition)
    journals = [source for source in sources if _is_journal(source)]
    if len(journals) == len(sources):
        if submission is not None or changes or column or delimiter or cents:
            fail("a journal names its own rules; --submission, --set and --column are for logs of rounds", FAULT)
        from baccarat.cli.audit_journal import audit_files  # noqa: PLC0415

        paths = [Path(source) for source in journals]
        status = audit_files(paths, keys=key or [], checkpoints=checkpoint or [], limit=limit, html=html, json=json)
        raise typer.Exit(status)
    if len(sources) > 1:
        fail("one log of rounds at a time, or several journals", FAULT)
    if submission is None:
        fail(f"{named(sources[0])}: is no journal; a log of rounds is audited with --submission NAME", FAULT)
    if key or checkpoint:
        fail("--key and --checkpoint are for journals", FAULT)
    options = LogOptions(columns=_columns(column), delimiter=_delimiter(delimiter), in_cents=cents)
    raise typer.Exit(_audit_log(sources[0], submission, options, limit=limit, html=html, changes=changes, json=json))


def _columns(given: list[str] | None) -> dict[str, str]:
    """Fields and the columns that a person names for them."""
    from baccarat.audit.rounds.columns import ROUND_FIELDS, WAGER_FIELDS  # noqa: PLC0415
    from baccarat.law.error import unknown  # noqa: PLC0415

    found: dict[str, str] = {}
    for text in given or []:
        field, sign, name = (part.strip() for part in text.partition("="))
        if not sign or not name:
            fail(f"--column {text!r}: expected FIELD=NAME, such as player=P_hand", FAULT)
        if field not in (*ROUND_FIELDS, *WAGER_FIELDS):
            fail(f"--column {text!r}: {unknown('field', field, (*ROUND_FIELDS, *WAGER_FIELDS))}", FAULT)
        if field in found:
            fail(f"--column {text!r}: {field} has been given a column already", FAULT)
        found[field] = name
    return found


def _delimiter(given: str | None) -> str | None:
    """The sign between cells; a tab may be spelt out."""
    sign = {"tab": "\t", "\\t": "\t"}.get(given, given) if given is not None else None
    if sign is not None and (len(sign) != 1 or sign.isalnum() or sign in '"\r\n'):
        fail(f"--delimiter {given!r}: expected one sign, such as ; or tab", FAULT)
    return sign


def _is_journal(source: str) -> bool:
    """Whether a file is a journal of this program, and no log of rounds; standard input is taken for a log."""
    from baccarat.audit.rounds.journal_line import looks_like_journal  # noqa: PLC0415

    if source == "-":
        return False
    try:
        with Path(source).open("rb") as stream:
            return looks_like_journal(stream.readline(1 << 16))
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        _cannot_read(source, error)


def _cannot_read(source: str, error: Exception) -> NoReturn:
    fail(f"{named(source)}: cannot be read: {getattr(error, 'strerror', None) or error}", FAULT)


def _audit_log(
    source: str, submission: str, options: LogOptions, *, limit: int | None, html: Path | None,
    changes: list[str] | None, json: bool,
) -> int:  # fmt: skip
    """Audit one log, print what was found, and give the exit status."""
    from baccarat.audit.rounds import Findings, UnreadableLog, audit_log  # noqa: PLC0415
    from baccarat.cli.audit_show import JsonFaults, bar, check_page, put_audit, write_page  # noqa: PLC0415
    from baccarat.report.need import MissingExtra  # noqa: PLC0415

    rules = changed(submission, changes)
    check_page(html)
    gc.disable()  # nothing here makes cycles, and looking for them takes a tenth of the time
    with JsonFaults(limit) if json else nullcontext() as listed:
        keep = max(LISTED if limit is None else limit, 0 if html is None else ON_PAPER if limit is None else limit)
        findings = Findings(keep=0 if json and html is None else keep, tell=listed)
        try:
            with bar() as progress:
                stream = standard_input() if source == "-" else Path(source)
                found = audit_log(rules, stream, findings, options=options, progress=progress)
        except (UnreadableLog, MissingExtra) as error:
            fail(f"{named(source)}: {error}", FAULT)
        except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
            _cannot_read(source, error)
        write_page(html, found, name=named(source), quiet=json)
        if listed is not None:
            listed.put(found, sys.stdout.buffer)
        else:
            put_audit(found, name=named(source), limit=LISTED if limit is None else limit)
    return FAULT if found.unreadable else REFUSED if findings.total else DONE
