"""`baccarat verify`: checks a bundle or a journal without a server, or the installed program against its hashes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from baccarat.cli.bundle import KEYS, known_notes, read_source
from baccarat.cli.journal_files import exit_on_misread, exit_on_write_error, read_verifiers
from baccarat.cli.option import EDITIONS, JSON, flag, option, register_editions
from baccarat.cli.output import DONE, FAULT, REFUSED, complain, exit_on, fail, put_json, put_line
from baccarat.cli.same_file import keep_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baccarat.audit.bundle.form import Bundle
    from baccarat.audit.bundle.verdict import BundleCheck, BundleVerdict
    from baccarat.record.key import Verifier

STYLES = {"holds": "green", "wrong": "bold red", "unchecked": "yellow"}
HASHES = {"holds": True, "wrong": False, "unchecked": None}


def verify(
    bundles: list[Path] = typer.Argument(None, metavar="FILE", help="Bundles, or journals."),
    key: list[str] = KEYS,
    card: Path | None = option(
        "--card",
        "FILE",
        "Also write the round as a page to print: what was dealt, ruled and paid. A PDF where FILE ends in .pdf.",
    ),
    program: bool = flag("--program", "The hash of every installed file of this program."),
    manifest: Path | None = option(
        "--manifest", "FILE", "With --program: compare with these hashes, as --program --json gives them."
    ),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Check bundles and journals: hashes, proofs, signatures, rules, every act decided again, every card derived.

    It needs no account, no server and no network. Keys come from --key, otherwise from the bundle itself. Status 0 if
    nothing is wrong, 1 if something is, 2 if a file is not readable, 3 if nothing is wrong in what was checked but
    signatures were not: their key is not known, or cryptography is not installed.
    Examples: baccarat verify round-17.json --key t1.pub ·
    baccarat verify round-17.json --card round-17.html · baccarat verify --program
    """
    if program:
        if bundles or card is not None or key:
            fail("--program can be combined only with --manifest")
        raise typer.Exit(_program(manifest, json=json))
    if manifest is not None:
        fail("--manifest requires --program")
    if not bundles:
        fail("expected a bundle, a journal or --program")
    if card is not None and (len(bundles) != 1 or _is_journal(bundles[0])):
        fail("--card: expected one bundle of a round")
    keep_sources(card, [*bundles, *(key or []), *(edition or [])])
    register_editions(edition)
    keys = read_verifiers(key or [])
    raise typer.Exit(_verify(bundles, keys, card, json=json))


def _verify(paths: Sequence[Path], keys: Sequence[Verifier], card: Path | None, *, json: bool) -> int:
    from baccarat.audit.bundle.form import UnreadableBundle  # noqa: PLC0415

    answers: list[dict[str, Any]] = []
    worst = DONE
    for path in paths:
        try:
            verdicts = _journal(path, keys) if _is_journal(path) else [_bundle(path, keys, card)]
        except UnreadableBundle as error:
            worst = max(worst, FAULT, key=_rank)
            if json:
                answers.append({"file": str(path), "status": FAULT, "unreadable": str(error)})
            else:
                complain(f"{path}: {error}")
            continue
        for verdict in verdicts:
            worst = max(worst, verdict.status, key=_rank)
            if json:
                answers.append(_verdict_data(path, verdict))
            else:
                _show(path, verdict)
    if json:
        put_json(answers)
    return worst


def _rank(status: int) -> int:
    """How bad a status is: unreadable is worst, then wrong, then unsigned."""
    return (0, 3, 1, 2).index(status)


def _is_journal(path: Path) -> bool:
    from baccarat.record.journal import BEFORE_HASH  # noqa: PLC0415
    from baccarat.record.witness_folder import read_at_most  # noqa: PLC0415

    with exit_on_misread(path):
        return read_at_most(path, len(BEFORE_HASH)).startswith(BEFORE_HASH)


def _bundle(path: Path, keys: Sequence[Verifier], card: Path | None) -> BundleVerdict:
    """The verdict on the bundle in a file; its round is also written as a page, if requested."""
    from baccarat.audit.bundle.form import MOST_BYTES, read_bundle  # noqa: PLC0415
    from baccarat.audit.bundle.verification import verify_bundle  # noqa: PLC0415
    from baccarat.record.witness_folder import read_at_most  # noqa: PLC0415

    with exit_on_misread(path):
        bundle = read_bundle(read_at_most(path, MOST_BYTES))
    verdict = verify_bundle(bundle, trusted=keys)
    if card is not None:
        _card(bundle, verdict, card)
    return verdict


def _journal(path: Path, keys: Sequence[Verifier]) -> list[BundleVerdict]:
    """The verdict on each table of a journal, with its checkpoint."""
    from baccarat.audit.bundle.make import NoBundle  # noqa: PLC0415
    from baccarat.audit.bundle.verification import verify_stream  # noqa: PLC0415

    source = read_source(path)
    if not source.tables:
        fail(f"{path}: it has no table", REFUSED)
    notes = {stream: known_notes(source, path, stream, all_within=True) for stream in source.tables}
    with exit_on(NoBundle, where=path, status=REFUSED):
        return [verify_stream(source, stream, each, trusted=keys) for stream, each in notes.items()]


def _verdict_data(path: Path, verdict: BundleVerdict) -> dict[str, Any]:
    checks = [
        {"name": each.name, "holds": HASHES[each.state], "say": each.say, "more": each.more} for each in verdict.checks
    ]
    log = {"size": verdict.size, "root": verdict.root}
    return {"file": str(path), "status": verdict.status, "scope": verdict.scope, "log": log, "checks": checks}


def _show(path: Path, verdict: BundleVerdict) -> None:
    put_line((str(path), "bold"), f": {verdict.scope}")
    for check in verdict.checks:
        _show_check(check)
    put_line((str(verdict), STYLES["wrong"] if verdict.status == REFUSED else "bold"))


def _show_check(check: BundleCheck) -> None:
    from baccarat.audit.bundle.verdict import SIGNS  # noqa: PLC0415

    style = STYLES[check.state]
    put_line((f" {SIGNS[check.state]} ", style), (f"{check.name:<16}", "bold"), f"  {check.say}")
    for more in check.more:
        put_line((f" {SIGNS[check.state]} ", style), " " * 18, more)


def _card(bundle: Bundle, verdict: BundleVerdict, path: Path) -> None:
    from baccarat.audit.bundle.dispute import NotARound, dispute_page, dispute_sheet  # noqa: PLC0415
    from baccarat.record import durable  # noqa: PLC0415
    from baccarat.report.optional_library import MissingExtra  # noqa: PLC0415
    from baccarat.report.pdf import NotTypeset  # noqa: PLC0415
    from baccarat.report.save import CannotWrite, check_path, sort_of  # noqa: PLC0415

    try:
        is_pdf = path.suffix.lower() == ".pdf"
        page = dispute_sheet(bundle, verdict) if is_pdf else dispute_page(bundle, verdict).encode()
    except NotARound as error:
        fail(f"--card: {error}", REFUSED)
    except (MissingExtra, NotTypeset) as error:
        fail(f"--card: {error}")
    with exit_on(CannotWrite):
        check_path(path, sort_of(page))
    with exit_on_write_error(path):
        durable.replace(path, page)


def _program(manifest: Path | None, *, json: bool) -> int:
    from baccarat.audit.program import installed_files, read_manifest  # noqa: PLC0415
    from baccarat.record.witness_folder import read_at_most  # noqa: PLC0415

    found = installed_files()
    differences: tuple[str, ...] = ()
    if manifest is not None:
        with exit_on_misread(manifest), exit_on(ValueError, where=manifest):
            known = read_manifest(read_at_most(manifest))
        differences = found.differences(known)
    if json:
        put_json({**found.as_data(), **({"differences": differences} if manifest is not None else {})})
    else:
        for name, digest in found.files.items():
            put_line((digest, "dim"), f"  {name}")
        put_line((found.hash, "bold"), f"  {found.program}, {len(found.files)} files")
        for difference in differences:
            put_line((" ✗ ", STYLES["wrong"]), difference)
        if manifest is not None and not differences:
            put_line((" ✓ ", STYLES["holds"]), f"as in {manifest}")
    return REFUSED if differences else DONE
