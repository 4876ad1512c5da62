"""How long a shoe waits for a witness on the same machine, compared with ten bare fdatasyncs on the same disk.

Run: make bench, or .venv/bin/python bench/witness.py [houses]
Each house opens one electronic shoe, in turns without a witness and with one, which is a process of its own. The wait
is the time from the closing of the inputs to the seal: the closing is synced and signed, the witness cosigns, opens its
share, the share is recorded. What comes before, from the commitment on, is the dealer's work and the offer of the cut,
which takes as long without a witness. Medians over all turns; at the end it says whether what is promised holds: the
wait is at most as long as ten fdatasyncs, and no shoe waits longer than a second.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from baccarat.client import Client  # noqa: E402
from baccarat.house.stream import Stream  # noqa: E402
from baccarat.record.entry import ActRecord, read_body  # noqa: E402
from baccarat.record.key import KeyKind, Signer  # noqa: E402
from baccarat.serve.store.base import all_entries  # noqa: E402
from served import served  # noqa: E402

HOUSES, SYNCS, A_SECOND = 9, 200, 1_000
TABLE = "ma-midi-4"
HOUSE = Signer("example.org/house", KeyKind.LOG, bytes(range(32)))
WITNESS = Signer("example.org/surveillance", KeyKind.WITNESS, bytes(range(1, 33)))


@contextmanager
def witness(folder: Path) -> Iterator[str]:
    """A witness of the house, as a process: its line in the file of witnesses."""
    for name, text in (("witness.key", WITNESS.secret), ("house.pub", f"{HOUSE.verifier}\n")):
        (folder / name).write_text(text)
        (folder / name).chmod(0o600)
    words = [sys.executable, "-m", "baccarat", "witness", "--listen", "127.0.0.1:0"]
    words += ["--key", str(folder / "witness.key"), "--house", str(folder / "house.pub")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None, "it is a pipe"
    address = share = ""
    try:
        while not (address and share):
            line = process.stdout.readline()
            assert line, "the witness has ended"
            found = line.split()
            address = next((word.removesuffix("/add-checkpoint") for word in found if "://" in word), address)
            share = next((word for word in found if word.startswith(f"{WITNESS.verifier.name}+")), share)
        yield f"{WITNESS.verifier} {address} {share}\n"
    finally:
        process.terminate()
        process.wait()


async def opening(folder: Path, line: str) -> tuple[float, float]:
    """The milliseconds from the commitment, and from the closing of the inputs, to the sealed order."""
    (folder / "sign.key").write_text(HOUSE.secret)
    (folder / "sign.key").chmod(0o600)
    settings: dict[str, Any] = {"sign_key": str(folder / "sign.key")}
    if line:
        (folder / "witness.pub").write_text(line)
        settings["witness_keys"] = str(folder / "witness.pub")
    async with served(folder, **settings) as (live, address), Client(address) as client:
        await client.visit()
        async with client.table(TABLE) as table:
            assert (await table.do("sit", seat=2)).is_done
            while not live.house.state.tables[TABLE].shoe.root:
                await asyncio.sleep(0.002)
        await live.house.writer.wait_until_flushed()
        at: dict[str, int] = {}
        for row in all_entries(live.store, Stream(f"table {TABLE}")):
            record = read_body(row.body)
            if isinstance(record, ActRecord):
                for raw in record.events:
                    at.setdefault(msgspec.json.decode(bytes(raw))["event"], record.at)
    since = [(at["order_sealed"] - at[name]) / 1000 for name in ("shoe_committed", "inputs_closed")]
    return since[0], since[1]


def ten_syncs(folder: Path) -> float:
    """The milliseconds of ten bare fdatasyncs: ten times the median."""
    found = []
    with (folder / "bare").open("wb", buffering=0) as file:
        for _ in range(SYNCS):
            begun = time.perf_counter()
            file.write(bytes(1024))
            os.fdatasync(file.fileno())
            found.append(time.perf_counter() - begun)
    return 10_000 * statistics.median(found)


def main() -> None:
    """Open houses in turns, and print the wait as a ratio."""
    houses = int(sys.argv[1]) if len(sys.argv) > 1 else HOUSES
    alone, together, syncs = list[tuple[float, float]](), list[tuple[float, float]](), list[float]()
    for _ in range(houses):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "alone").mkdir()
            (folder / "together").mkdir()
            alone.append(asyncio.run(opening(folder / "alone", "")))
            with witness(folder) as line:
                together.append(asyncio.run(opening(folder / "together", line)))
            syncs.append(ten_syncs(folder))
    ten = statistics.median(syncs)
    for place, what in enumerate(("from the commitment to the seal", "from the closing of the inputs to the seal")):
        before, after = _median(alone, place), _median(together, place)
        print(f"{what:<48} {before:>8,.1f} ms without a witness {after:>8,.1f} ms with one")
    print(f"{'ten bare fdatasyncs':<48} {ten:>8,.1f} ms")
    waits = [wait for _, wait in together]
    ratio, added = statistics.median(waits) / ten, (statistics.median(waits) - _median(alone, 1)) / ten
    print(f"{'closing to seal by ten fdatasyncs':<48} {ratio:>8.2f}   what the witness adds {added:>8.2f}")
    print(f"at most as long as ten fdatasyncs: {holds(ratio <= 1)}")
    print(f"closing to seal within a second, the longest took {max(waits):,.1f} ms: {holds(max(waits) <= A_SECOND)}")


def _median(found: list[tuple[float, float]], place: int) -> float:
    """The median of one of two waits, in milliseconds."""
    return statistics.median(each[place] for each in found)


def holds(is_so: bool) -> str:  # noqa: FBT001  a yes or no
    """Whether a promise holds, in words."""
    return "holds" if is_so else "DOES NOT HOLD"


if __name__ == "__main__":
    main()
