"""Receipts that a person gives to `verify` or `audit`: read, compared with what was read, and shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from baccarat.cli.output import complain, put_line
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.encoding import from_base64
from baccarat.record.note import SignedNote, UnreadableNote, read_note
from baccarat.record.policy import Policy
from baccarat.record.witness_folder import read_at_most

if TYPE_CHECKING:
    from baccarat.audit.bundle.form import Bundle
    from baccarat.audit.bundle.make import BundleJournal
    from baccarat.audit.bundle.verdict import BundleVerdict
    from baccarat.audit.receipt import ReceiptChecker, ReceiptVerdict

MARKS = {0: (" ✓ ", "green"), 1: (" ✗ ", "bold red"), 3: (" – ", "yellow")}


def read_receipts(paths: Sequence[Path], policy: Policy) -> ReceiptChecker:
    """The receipts of these files; one that cannot be read is a verdict of its own and hides no other."""
    from baccarat.audit.receipt import ReceiptChecker  # noqa: PLC0415
    from baccarat.record.receipt import MOST_RECEIPT, Receipt, read_receipt  # noqa: PLC0415

    found, unread = list[tuple[str, Receipt]](), dict[str, str]()
    for path in dict.fromkeys(paths):
        try:
            found.append((str(path), read_receipt(read_at_most(path, MOST_RECEIPT))))
        except UnreadableNote as error:
            unread[str(path)] = str(error)
        except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
            unread[str(path)] = f"cannot be read: {getattr(error, 'strerror', None) or error}"
    return ReceiptChecker(found, policy.keys, unread)


def check_stream_receipts(
    receipts: ReceiptChecker, source: BundleJournal, stream: Stream, notes: Sequence[SignedNote], *, file: str
) -> None:
    """Compare the receipts of a stream with its entries in a journal."""

    held = receipts.of_stream(stream)
    if held is None:
        return
    log = source.log(stream)
    for note in notes:
        held.take_origin(read_checkpoint(note).origin)
    for line in source.streams[stream]:
        held.take_entry(line.entry.seq, line.body)
    for size in held.sizes():
        if size <= log.size:
            held.take_root(size, log.root(size))
    receipts.add(held, where=file)


def check_bundle_receipts(receipts: ReceiptChecker, bundle: Bundle, verdict: BundleVerdict, *, file: str) -> None:
    """Compare the receipts of a stream with the entries of a bundle, and with its checkpoint."""
    from baccarat.audit.bundle.form import canonical_bytes  # noqa: PLC0415

    held = receipts.of_stream(bundle.scope.stream)
    if held is None:
        return
    if bundle.checkpoint is not None:
        held.take_origin(read_checkpoint(read_note(bundle.checkpoint.encode())).origin)
    for entry in bundle.entries:
        held.take_entry(entry.index, canonical_bytes(bytes(entry.record)))
    held.take_root(verdict.size, from_base64(verdict.root) or b"")
    receipts.add(held, where=file)


def show_receipts(verdicts: Sequence[ReceiptVerdict]) -> None:
    """Print what each receipt shows."""
    for each in verdicts:
        if each.status in MARKS:
            put_line(MARKS[each.status], (f"receipt {each.receipt}", "bold"), f": {each.say}")
        else:
            complain(f"{each.receipt}: {each.say}")
