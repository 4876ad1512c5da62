"""A program that holds a lease and writes to a table, to be frozen and killed: it says what it did, a line each.

Run: python lease_holder.py ADDRESS SECONDS [FAULT]. It waits until it may take `table 1`, and then appends to it after
the head in its memory, again and again, and answers: `wrote N`, or where it is refused `refused N`, which is an answer,
too, and so is checked against the lease. It ends with status 3 when its lease is over.

FAULT plants a fault, so that a test can show that it would be seen: `unfenced` writes in whatever epoch there is,
`unchecked` answers without looking at the lease.
"""

from __future__ import annotations

import sys
import threading
import time

from baccarat.house.stream import Stream
from baccarat.record.entry import hash_after
from baccarat.serve.cluster.lease import Lease, LeaseLapsed
from baccarat.serve.store.base import Batch, Row, StaleHead
from baccarat.serve.store.postgres import PostgresStore

STREAM = Stream("table 1")


def say(text: str) -> None:
    """One line, at once."""
    print(f"{time.time():.6f} {text}", flush=True)  # noqa: T201


class Holder:
    """A node that does nothing but write to one table."""

    def __init__(self, address: str, seconds: float, fault: str) -> None:
        self.store = PostgresStore.open(address)
        self.lease = Lease(self.store, "http://holder", seconds=seconds)
        self.fault, self.seconds = fault, seconds

    def renew(self) -> None:
        """In good time, for ever."""
        while True:
            time.sleep(self.seconds / 5)
            try:
                self.lease.renew()
            except LeaseLapsed:
                return

    def answer(self, text: str) -> None:
        """Say it, if this node may."""
        if self.fault != "unchecked":
            self.lease.check()
        say(text)

    def run(self) -> None:
        """Take the table, and write."""
        threading.Thread(target=self.renew, daemon=True).start()
        while not (owned := self.lease.claim_streams()):
            time.sleep(0.05)
        epoch, head = owned[0].epoch, self.store.heads()[STREAM]
        say(f"owns {epoch} {head.seq}")
        while True:
            body = b"%d" % owned[0].epoch
            if self.fault == "unfenced":
                head = self.store.heads()[STREAM]
                epoch = head.epoch
            row = Row(STREAM, head.seq + 1, body, hash_after(head.hash, body), events=0)
            try:
                self.store.append(Batch(rows=[row], epochs={STREAM: epoch}))
            except StaleHead:
                if self.fault == "unfenced":
                    continue
                self.answer(f"refused {row.seq}")
            else:
                head = type(head)(row.seq, 0, row.hash, 0, epoch)
                self.answer(f"wrote {row.seq}")
            time.sleep(0.005)


def main() -> int:
    """Until the lease is over."""
    address, seconds, *fault = sys.argv[1:]
    holder = Holder(address, float(seconds), fault[0] if fault else "")
    try:
        holder.run()
    except LeaseLapsed as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
