"""Receipts compared with journals and bundles: a log that lacks what a receipt shows is proved wrong by it.

A receipt counts if a key that the reader gave has signed its checkpoint. Another entry at its number, or another root
at its size, is then wrong. A file that ends before the entry, or does not hold it, is not covered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from baccarat.audit.bundle.verdict import GOOD, UNCOVERED, UNREADABLE, WRONG
from baccarat.audit.signature import signers_of
from baccarat.house.stream import Stream
from baccarat.record.key import Verifier
from baccarat.record.origin import split_successor
from baccarat.record.receipt import Receipt


class ReceiptVerdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a receipt shows of the files."""

    receipt: str
    """The file of the receipt."""
    status: int
    """The exit status, as of a bundle: one that is not right itself proves nothing, and counts as unreadable."""
    say: str


class StreamReceipts:
    """Receipts compared with one stream of one file, as it is read."""

    def __init__(self, receipts: Sequence[Receipt]) -> None:
        self._receipts = receipts
        self._wrong: dict[int, str] = {}
        self._met: set[int] = set()
        self._origins: set[str] = set()

    def take_origin(self, origin: str) -> None:
        """The name of the log, as a checkpoint of the file says it."""
        self._origins.add(split_successor(origin)[0])

    def take_entry(self, index: int, body: bytes) -> None:
        """An entry of the stream."""
        for place, each in enumerate(self._receipts):
            if each.index == index and each.body == body:
                self._met.add(place)
            elif each.index == index:
                self._wrong[place] = f"entry {index} is another than the receipt shows: it was changed or replaced"

    def take_root(self, size: int, root: bytes) -> None:
        """The root of the stream's log at a size."""
        for place, each in enumerate(self._receipts):
            if each.log.size == size and each.log.root != root:
                say = f"the first {size} entries are not those that {each.log.origin} signed in the receipt"
                self._wrong.setdefault(place, f"{say}: there are two histories")

    def sizes(self) -> set[int]:
        """The sizes at which the root is to be compared."""
        return {each.log.size for each in self._receipts}

    def contradictions(self) -> dict[Receipt, str]:
        """What the receipts prove wrong; those of another house's log say nothing of this one."""
        return {self._receipts[place]: say for place, say in self._wrong.items() if self._is_of(self._receipts[place])}

    def confirmed_receipts(self) -> list[Receipt]:
        """The receipts whose entry is there."""
        return [each for place, each in enumerate(self._receipts) if place in self._met and self._is_of(each)]

    def _is_of(self, receipt: Receipt) -> bool:
        return not self._origins or split_successor(receipt.log.origin)[0] in self._origins


class ReceiptChecker:
    """Checks all receipts that a reader gave against whatever is read."""

    def __init__(
        self, given: Sequence[tuple[str, Receipt]], keys: Sequence[Verifier], unread: Mapping[str, str] | None = None
    ) -> None:
        """With `unread`, why files could not be read as receipts."""
        self._verdicts: dict[str, ReceiptVerdict] = {}
        for file, say in (unread or {}).items():
            self._set(file, UNREADABLE, say)
        self._open: list[tuple[str, Receipt]] = []
        for file, receipt in given:
            found = signers_of(receipt.note, keys, receipt.stream)
            if found.wrong:
                self._set(file, UNREADABLE, found.wrong)
            elif not found.logs:
                say = found.unchecked or f"no known key of the log {receipt.log.origin} has signed it"
                self._set(file, UNCOVERED, f"it proves nothing: {say}")
            else:
                self._open.append((file, receipt))
        self._compare_receipts()

    def _compare_receipts(self) -> None:
        """Two receipts may show two histories of one log, whatever is in the files: a known key has signed both."""
        seen: dict[tuple[str, str], tuple[bytes, str]] = {}
        for file, receipt in self._open:
            log = receipt.log
            shown = {f"entry {receipt.index:,}": receipt.body, f"the first {log.size:,} entries": log.root}
            for what, data in shown.items():
                known, other = seen.setdefault((log.origin, what), (data, file))
                if known != data:
                    say = f"{what} of {log.origin}: {other} shows another history, which it has signed, too"
                    self._set(file, WRONG, say)

    def __bool__(self) -> bool:
        """Whether any receipt was given."""
        return bool(self._open or self._verdicts)

    def of_stream(self, stream: Stream) -> StreamReceipts | None:
        """Those of a stream, to be compared with it; None if there is none."""
        found = [receipt for _, receipt in self._open if receipt.stream == stream]
        return StreamReceipts(found) if found else None

    def add(self, found: StreamReceipts, *, where: str) -> None:
        """What was found in a stream that was read to its end."""
        contradictions, confirmed = found.contradictions(), found.confirmed_receipts()
        for file, receipt in self._open:
            before = self._verdicts.get(file)
            if receipt in contradictions:
                self._set(file, WRONG, f"{where}: {contradictions[receipt]}")
            elif receipt in confirmed and (before is None or before.status != WRONG):
                self._set(file, GOOD, f"entry {receipt.index} of {receipt.stream} in {where} is what the receipt shows")

    def verdicts(self) -> tuple[ReceiptVerdict, ...]:
        """One for each receipt, after all files."""
        for file, receipt in self._open:
            if file not in self._verdicts:
                say = f"entry {receipt.index} of {receipt.log.origin}, which the receipt shows, is in no file"
                self._set(file, UNCOVERED, f"{say}: the given files end before it or omit it")
        return tuple(self._verdicts.values())

    def _set(self, file: str, status: int, say: str) -> None:
        self._verdicts[file] = ReceiptVerdict(receipt=file, status=status, say=say)
