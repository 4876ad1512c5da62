"""`baccarat verify`: checks a bundle or a journal without a server, or the installed program against its hashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer
from msgspec.structs import replace

from baccarat.audit.bundle.form import MOST_BYTES, Bundle, UnreadableBundle, read_bundle
from baccarat.audit.bundle.verdict import SIGNS, WRONG, BundleCheck, BundleVerdict, failed_check, gap_check
from baccarat.audit.coverage import signed_nothing, with_gaps
from baccarat.audit.receipt import ReceiptVerdict
from baccarat.audit.signature import signers_of
from baccarat.cli.bundle import KEYS, MEMORY, POLICY, stored_notes
from baccarat.cli.journal_files import (
    RECEIPTS,
    exit_on_misread,
    exit_on_write_error,
    read_checkpoint_memory,
    read_reader_policy,
)
from baccarat.cli.option import EDITIONS, JSON, flag, option, register_editions
from baccarat.cli.output import DONE, FAULT, REFUSED, complain, exit_on, fail, put_coverage, put_json, put_line
from baccarat.cli.receipt import check_bundle_receipts, check_stream_receipts, read_receipts, show_receipts
from baccarat.cli.same_file import keep_sources
from baccarat.cli.status import worst
from baccarat.house.stream import HOUSE_STREAM, is_table_stream
from baccarat.record import durable
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.checkpoint_memory import CheckpointMemory
from baccarat.record.journal import BEFORE_HASH, CHAIN, CHECKPOINT, MOST_LINE, JournalFault
from baccarat.record.journal_file import read_journal
from baccarat.record.log import Log
from baccarat.record.note import SignedNote, UnreadableNote, read_note
from baccarat.record.policy import Policy
from baccarat.record.witness_folder import read_at_most

STYLES = {"holds": "green", "wrong": "bold red", "unchecked": "yellow"}
HOLDS = {"holds": True, "wrong": False, "unchecked": None}


FILES = typer.Argument(None, metavar="FILE", help="Bundles, or journals.")
CARD = option(
    "--card",
    "FILE",
    "Also write the round as a page to print: what was dealt, ruled and paid. A PDF where FILE ends in .pdf.",
)
PROGRAM = flag("--program", "The hash of every installed file of this program.")
MANIFEST = option("--manifest", "FILE", "With --program: compare with these hashes, as --program --json gives them.")


def verify(
    bundles: list[Path] = FILES,
    key: list[str] = KEYS,
    policy: Path | None = POLICY,
    memory: Path | None = MEMORY,
    receipt: list[Path] = RECEIPTS,
    card: Path | None = CARD,
    program: bool = PROGRAM,
    manifest: Path | None = MANIFEST,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Check bundles and journals: is anything wrong, how far is it covered, and by whom.

    Hashes, proofs, signatures and rules are checked, every act is decided again, and every card is derived. It needs no
    account, no server and no network. Status 0 only if nothing is wrong and everything is covered by the keys that you
    gave; keys and editions that a bundle itself contains cover nothing.
    Examples: baccarat verify round-17.json --key house.pub ·
    baccarat verify journal.jsonl --policy ours.policy --memory seen.json · baccarat verify --program ·
    baccarat verify journal.jsonl --key house.pub --receipt wager.receipt
    """
    if program:
        if bundles or card is not None or key or policy is not None or memory is not None or receipt:
            fail("--program can be combined only with --manifest")
        raise typer.Exit(_program(manifest, json=json))
    if manifest is not None:
        fail("--manifest requires --program")
    if not bundles:
        fail("expected a bundle, a journal or --program")
    keep_sources(card, [*bundles, *(key or []), *(edition or [])])
    keep_sources(memory, [*bundles, *(key or []), *(edition or [])])
    register_editions(edition)
    remembered = CheckpointMemory() if memory is None else read_checkpoint_memory(memory)
    reader = _FileVerifier(read_reader_policy(key or [], policy), remembered, receipt or [])
    answers: list[tuple[Path, BundleVerdict | _UnreadableFile]]
    answers = _with_unused_keys([(path, answer) for path in bundles for answer in reader.check_file(path)])
    receipts = reader.receipts.verdicts()
    if card is not None:
        _card(answers, reader, card)
    if memory is not None:
        with exit_on_write_error(memory):
            remembered.write(memory)
    _put_answers(answers, receipts, json=json)
    raise typer.Exit(worst([*(answer.status for _, answer in answers), *(each.status for each in receipts)]))


class _UnreadableFile(NamedTuple):
    """A file that could not be checked, and why."""

    say: str
    status: int = FAULT


class _FileVerifier:
    """Checks files one after another, all under the reader's policy, with one memory and one set of receipts."""

    def __init__(self, policy: Policy, memory: CheckpointMemory, receipts: Sequence[Path] = ()) -> None:
        self.policy, self.memory = policy, memory
        self.receipts = read_receipts(receipts, policy)
        self.bundles: dict[Path, Bundle] = {}
        """The bundles among the files, as they were read."""

    def check_file(self, path: Path) -> list[BundleVerdict | _UnreadableFile]:
        """The verdict on a bundle, or on each stream of a journal; what is wrong with a file hides no other."""

        try:
            return [*(self._journal(path) if _is_journal(path) else [self._bundle(path)])]
        except JournalFault as fault:
            return [_UnreadableFile(str(fault), REFUSED if fault.kind == CHAIN else FAULT)]
        except (UnreadableBundle, UnreadableNote) as error:
            return [_UnreadableFile(str(error))]
        except OSError as error:
            return [_UnreadableFile(f"cannot be read: {error.strerror}")]

    def _bundle(self, path: Path) -> BundleVerdict:
        from baccarat.audit.bundle.verification import verify_bundle  # noqa: PLC0415

        bundle = self.bundles[path] = read_bundle(read_at_most(path, MOST_BYTES))
        verdict = verify_bundle(bundle, policy=self.policy)
        if verdict.status != REFUSED:
            check_bundle_receipts(self.receipts, bundle, verdict, file=str(path))
        notes = [] if bundle.checkpoint is None else [read_note(bundle.checkpoint.encode())]
        return self._remember(verdict, notes, None)

    def _journal(self, path: Path) -> Iterator[BundleVerdict | _UnreadableFile]:
        """The verdict on each stream of a journal, with the checkpoints in it and next to it."""
        from baccarat.audit.bundle.derivation import DerivationBudget  # noqa: PLC0415
        from baccarat.audit.bundle.make import BundleJournal  # noqa: PLC0415
        from baccarat.audit.bundle.verification import (  # noqa: PLC0415
            verify_book,
            verify_house,
            verify_ids,
            verify_stream,
        )
        from baccarat.audit.shuffle import RevealedShoe  # noqa: PLC0415

        source = BundleJournal(read_journal(path))
        if not source.streams:
            yield _UnreadableFile("a journal without any entry")
        unread, seeds = dict[str, None](), dict[str, RevealedShoe]()
        size = sum(len(line.body) for lines in source.streams.values() for line in lines)
        budget = DerivationBudget(size)
        (house, found), repeated = verify_house(source), verify_ids(source)
        for stream in source.streams:
            try:
                notes = stored_notes(source, path, stream)
            except UnreadableNote as error:  # it hides nothing of the journal itself
                unread[str(error)] = None
                notes = source.notes.get(stream, [])
            check_stream_receipts(self.receipts, source, stream, notes, file=str(path))
            if is_table_stream(stream):
                verdict = verify_stream(
                    source, stream, notes, policy=self.policy, house=house, seeds=seeds, budget=budget
                )
            else:
                verdict = verify_book(source, stream, notes, policy=self.policy, house=house)
            if stream == HOUSE_STREAM:
                verdict = replace(verdict, checks=(*verdict.checks, *found))
            if stream in repeated:
                verdict = replace(verdict, checks=(*verdict.checks, repeated[stream]))
            yield self._remember(verdict, notes, source.log(stream))
        yield from map(_UnreadableFile, unread)

    def _remember(self, verdict: BundleVerdict, notes: Sequence[SignedNote], log: Log | None) -> BundleVerdict:
        """The verdict with what the reader remembers of the log; only what a known key signed is remembered."""

        if verdict.status == WRONG:
            return verdict
        checks, coverage = list(verdict.checks), verdict.coverage
        for note in sorted(notes, key=lambda note: read_checkpoint(note).size):
            if not signers_of(note, self.policy.keys, verdict.scope.stream).logs:
                continue
            answer = self.memory.compare(note, log)
            if answer.wrong:
                checks.append(failed_check("memory", answer.wrong))
            elif answer.unknown:
                checks.append(gap_check("memory", answer.unknown))
                coverage = replace(coverage, gaps=(*coverage.gaps, answer.unknown))
            elif log is not None:
                self.memory.hold_log(note, log)
        return replace(verdict, checks=tuple(checks), coverage=coverage)


def _put_answers(
    answers: list[tuple[Path, BundleVerdict | _UnreadableFile]], receipts: tuple[ReceiptVerdict, ...], *, json: bool
) -> None:
    """Print what was found of every file, and of every receipt."""
    if json:
        put_json([*(_answer_data(path, answer) for path, answer in answers), *receipts])
        return
    for path, answer in answers:
        _show(path, answer)
    show_receipts(receipts)


def _with_unused_keys(
    answers: list[tuple[Path, BundleVerdict | _UnreadableFile]],
) -> list[tuple[Path, BundleVerdict | _UnreadableFile]]:
    """The answers; a key that was given and has signed nothing in any of the files is missing in each."""

    verdicts = [answer for _, answer in answers if not isinstance(answer, _UnreadableFile)]
    if not verdicts:
        return answers
    unused = sorted(frozenset.intersection(*(verdict.unused for verdict in verdicts)), key=str)
    more = [signed_nothing(key) for key in unused]
    return [
        (path, answer)
        if isinstance(answer, _UnreadableFile)
        else (path, replace(answer, coverage=with_gaps(answer.coverage, more if answer.coverage.signed else [])))
        for path, answer in answers
    ]


def _is_journal(path: Path) -> bool:
    """Whether the first line is an entry or a checkpoint of a journal; a bundle may begin with its checkpoint, too."""

    with path.open("rb") as file:
        line = file.readline(MOST_LINE)
    is_note = line.startswith(CHECKPOINT) and b'"stream":' in line and b'"bundle":' not in line
    return line.startswith(BEFORE_HASH) or (is_note and line.endswith(b"\n"))


def _answer_data(path: Path, answer: BundleVerdict | _UnreadableFile) -> dict[str, Any]:
    if isinstance(answer, _UnreadableFile):
        return {"file": str(path), "status": answer.status, "unreadable": answer.say}
    checks = [
        {"name": each.name, "holds": HOLDS[each.state], "say": each.say, "more": each.more} for each in answer.checks
    ]
    log = {"size": answer.size, "root": answer.root}
    return {
        "file": str(path), "status": answer.status, "scope": answer.scope, "log": log, "coverage": answer.coverage,
        "checks": checks,
    }  # fmt: skip


def _show(path: Path, answer: BundleVerdict | _UnreadableFile) -> None:
    if isinstance(answer, _UnreadableFile):
        complain(f"{path}: {answer.say}")
        return
    put_line((str(path), "bold"), f": {answer.scope}")
    for check in answer.checks:
        _show_check(check)
    put_coverage(answer.coverage)
    put_line((str(answer), STYLES["wrong"] if answer.status == WRONG else "bold"))


def _show_check(check: BundleCheck) -> None:

    if check.is_gap:
        return  # it is listed with all that is not covered
    style = STYLES[check.state]
    put_line((f" {SIGNS[check.state]} ", style), (f"{check.name:<16}", "bold"), f"  {check.say}")
    for more in check.more:
        put_line((f" {SIGNS[check.state]} ", style), " " * 18, more)


def _card(answers: list[tuple[Path, BundleVerdict | _UnreadableFile]], reader: _FileVerifier, path: Path) -> None:
    from baccarat.audit.bundle.dispute import NotARound, dispute_page, dispute_sheet  # noqa: PLC0415
    from baccarat.report.optional_library import MissingExtra  # noqa: PLC0415
    from baccarat.report.pdf import NotTypeset  # noqa: PLC0415
    from baccarat.report.save import CannotWrite, check_path, sort_of  # noqa: PLC0415

    if len(answers) != 1 or answers[0][0] not in reader.bundles or isinstance(answers[0][1], _UnreadableFile):
        if not any(isinstance(answer, _UnreadableFile) for _, answer in answers):
            fail("--card: expected one bundle of a round")
        return
    bundle, verdict = reader.bundles[answers[0][0]], answers[0][1]
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
