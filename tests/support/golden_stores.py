"""Golden stores: a small house of each release, copied in the middle of a shoe and of a round.

Every later version must open each of them, find what stood there, and deal on. `tools/stores.py` makes that of this
version; those of versions that were released are never made again.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
from pathlib import Path
from typing import Any

import msgspec

from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.record.durable import create
from baccarat.record.key import KeyKind, Signer
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.backup import back_up, check_store, open_reads
from baccarat.serve.runtime.recovery import RecoveredHouse, recover
from baccarat.serve.store.base import Reads
from paths import ROOT
from playing import SEAT, STAKE, play_rounds, sit_down
from served import served

FOLDER = ROOT / "tests" / "data" / "stores"
TABLE = "ma-midi-4"
HOUSE, SEAL, FACTS = "house.db", "seal.key", "expected.json"
PACE = 0.05
OWNER = "example.org/golden"
COMPRESSED = 20
"""Up to this entry the table's stream is compressed, as closed shoes are."""


def versions() -> list[str]:
    """The versions of which there is a store."""
    return sorted(path.name for path in FOLDER.iterdir() if (path / HOUSE).exists())


def copied(version: str, folder: Path) -> dict[str, Any]:
    """A golden store, copied so that it can be opened; what stood in it."""
    for name in (HOUSE, SEAL):
        shutil.copyfile(FOLDER / version / name, folder / name)
        (folder / name).chmod(0o600)
    facts: dict[str, Any] = msgspec.json.decode((FOLDER / version / FACTS).read_bytes())
    return facts


def facts_of(reads: Reads, found: RecoveredHouse) -> dict[str, Any]:
    """What every later version must find in a store: heads, and how the table stands where a round was begun."""
    state = found.state.tables[TABLE]
    return {
        "heads": {stream: [head.seq, head.hash.hex()] for stream, head in sorted(reads.heads().items())},
        "signed": {each: note.size for each in sorted(reads.heads()) if (note := reads.latest_checkpoint(each))},
        "compressed": len(reads.read("select 1 from archive")),
        "tables": sorted(found.state.tables),
        "step": state.step,
        "shoe": state.shoe.number,
        "round": state.round.number,
        "turned": len(state.round.turned),
        "wagers": len(state.round.wagers),
        "chips": {str(seat): held.chips for seat, held in enumerate(state.seats.participants, 1) if held is not None},
    }


def found_in(path: Path) -> dict[str, Any]:
    """The facts of a store, after everything in it was checked."""
    with open_reads(path) as reads:
        check_store(reads)
        found = recover(reads)
        assert found is not None
        return facts_of(reads, found)


async def make(folder: Path, work: Path) -> dict[str, Any]:
    """Play some rounds, and copy the house while the cards of another are being turned; what stands in the copy."""
    key = work / "sign.key"
    create(key, f"{Signer(OWNER, KeyKind.LOG, secrets.token_bytes(32)).secret}\n".encode(), mode=0o600)
    settings: dict[str, Any] = {"pace": PACE, "house": OWNER, "sign_key": str(key)}
    async with served(work, **settings) as (live, address), Client(address) as client:
        await client.visit()
        async with client.table(TABLE) as table:
            await sit_down(client, table)
            await play_rounds(table, 2)
            live.keep_snapshot(after=1)
            await live.house.writer.wait_until_flushed()
            await live.house.writer.run_exclusive(lambda: live.store.archive(table_stream(TABLE), COMPRESSED))
            await play_rounds(table, 2)
            await table.until(lambda view: view["state"]["step"] == "wager")
            assert (await table.do("place_wager", seat=SEAT, on="banker", stake=STAKE)).is_done
            return await _copy_in_a_round(live, folder)


async def _copy_in_a_round(live: HouseServer, folder: Path) -> dict[str, Any]:
    while len(live.house.state.tables[TABLE].round.turned) < 2:
        await asyncio.sleep(0.001)
    await live.house.writer.wait_until_flushed()
    folder.mkdir(parents=True)
    await asyncio.to_thread(back_up, Path(live.setting.place), folder / HOUSE)
    shutil.copyfile(live.setting.folder / SEAL, folder / SEAL)
    facts = found_in(folder / HOUSE)
    for each in ("-wal", "-shm"):
        (folder / f"{HOUSE}{each}").unlink(missing_ok=True)
    assert facts["turned"] >= 2, facts
    assert facts["heads"][table_stream(TABLE)][0] > 50
    (folder / FACTS).write_bytes(msgspec.json.format(msgspec.json.encode(facts)) + b"\n")
    return facts
