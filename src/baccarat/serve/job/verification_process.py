"""The process that decides the history of a house again, started by `verification.py`: it reads, and writes nothing.

It is a process of its own so that no act waits for it: it has another interpreter, the lowest priority, and a bounded
share of one processor. On standard input it gets one `VerificationOrder`, on standard output it answers with reports,
each with its length before it. It holds no key: a resume point is checked before it comes here, and sealed after it has
left. When the house ends, the next report cannot be sent, and it ends too.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from typing import IO

import msgspec

from baccarat.serve.ops.supervisor import fault_key
from baccarat.serve.runtime.bounded_share import BoundedShare, lower_priority
from baccarat.serve.runtime.history_check import HistoryCheck
from baccarat.serve.runtime.resume_point import HistoryFinding, ResumePoint
from baccarat.serve.store import open_reader
from baccarat.serve.store.base import StoreError, StoreUnavailable

REPORT_SECONDS, POINT_SECONDS = 0.5, 60.0
"""How often progress is reported, and a resume point."""
MODULE = __name__ if __name__ != "__main__" else "baccarat.serve.job.verification_process"


class VerificationOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be verified."""

    db: str
    share: float
    point: bytes = b""
    """From where; empty for the beginning."""
    compares_bytes: bool = True
    """Whether the entries before the point are read as well, to compare their hashes."""


class VerificationProgress(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """How far it has come."""

    verified: int
    entries: int
    skipped: int
    findings: tuple[HistoryFinding, ...]
    point: bytes = b""
    """A resume point, now and then."""
    is_done: bool = False


class StoreUnreadable(msgspec.Struct, frozen=True, tag=True):
    """The store cannot be read now."""

    why: str


class VerificationBug(msgspec.Struct, frozen=True, tag=True):
    """A bug in the program: its kind and its place."""

    kind: str
    place: str


Report = VerificationProgress | StoreUnreadable | VerificationBug
_decode = msgspec.msgpack.Decoder(Report).decode


def write_frame(stream: IO[bytes], message: msgspec.Struct) -> None:
    """Send a message with its length before it."""
    data = msgspec.msgpack.encode(message)
    stream.write(len(data).to_bytes(4, "big") + data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message; None at the end."""
    size = stream.read(4)
    data = stream.read(int.from_bytes(size, "big")) if len(size) == 4 else b""
    return data if len(size) == 4 and len(data) == int.from_bytes(size, "big") else None


def read_reports(stream: IO[bytes]) -> Iterator[Report]:
    """Every report, to the end."""
    while (data := read_frame(stream)) is not None:
        yield _decode(data)


def main() -> int:
    """Verify what standard input orders."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may be written between the reports
    data = read_frame(sys.stdin.buffer)
    if data is None:
        return 2
    order = msgspec.msgpack.decode(data, type=VerificationOrder)
    lower_priority()
    try:
        verify(order, answers)
    except BrokenPipeError:
        os._exit(0)  # the house has ended
    except (StoreError, StoreUnavailable) as error:
        write_frame(answers, StoreUnreadable(str(error)))
    except Exception as error:  # noqa: BLE001  reported to the house, which logs it
        write_frame(answers, VerificationBug(*fault_key(error)))
    return 0


def verify(order: VerificationOrder, answers: IO[bytes]) -> None:
    """Verify a store, and report."""
    share = BoundedShare(order.share)
    with closing(open_reader(order.db)) as reads:
        check = HistoryCheck(reads, ResumePoint.decode(order.point) if order.point else None)
        entries = check.count()
        reported = pointed = time.monotonic()
        for _ in _steps(check, compares_bytes=order.compares_bytes):
            share.step()
            now = time.monotonic()
            if now - reported < REPORT_SECONDS:
                continue
            point = check.point() if now - pointed >= POINT_SECONDS else None
            pointed = now if point is not None else pointed
            write_frame(answers, _progress(check, entries, point))
            reported = time.monotonic()
        write_frame(answers, _progress(check, check.count(), check.point(), is_done=True))


def _steps(check: HistoryCheck, *, compares_bytes: bool) -> Iterator[None]:
    if compares_bytes:
        yield from check.compare_bytes()
    yield from check.decide()


def _progress(
    check: HistoryCheck, entries: int, point: ResumePoint | None, *, is_done: bool = False
) -> VerificationProgress:
    return VerificationProgress(
        verified=check.verified,
        entries=max(entries, check.verified),
        skipped=check.skipped,
        findings=tuple(check.findings),
        point=b"" if point is None else point.encode(),
        is_done=is_done,
    )


if __name__ == "__main__":
    sys.exit(main())
