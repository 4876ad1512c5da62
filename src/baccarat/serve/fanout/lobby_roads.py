"""The results of every table's shoe, cached for the lobby, which many people watch all the time.

They are read from the store again when another round has ended, or after a few seconds, because a correction changes a
round that is over. If too many are reading the store, the old results are shown: the lobby is always open.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

import msgspec

from baccarat.house.stream import table_stream
from baccarat.play.road import Bead
from baccarat.serve.fanout.table_room import TableRoom
from baccarat.serve.runtime.round_index import IndexedRound, rounds_of_shoe
from baccarat.serve.store.base import Reads
from baccarat.serve.store.read_pool import PoolExhausted, ReadPool

FRESH_SECONDS = 3.0


class _CachedRoad(msgspec.Struct, frozen=True):
    moment: tuple[int, int]
    """The shoe and the round of the table at the time of reading."""
    at: float
    rounds: tuple[IndexedRound, ...]
    """Those that a road shows."""

    @property
    def beads(self) -> tuple[Bead, ...]:
        return tuple(bead for each in self.rounds if (bead := each.result.bead) is not None)


class LobbyRoads:
    """The results of the shoes in play, by table."""

    def __init__(self, reading: ReadPool) -> None:
        self._reading = reading
        self._kept: dict[str, _CachedRoad] = {}
        self._asking = asyncio.Lock()

    async def results_at(self, rooms: Mapping[str, TableRoom]) -> dict[str, tuple[Bead, ...]]:
        """The results at some tables, so far."""
        async with self._asking:  # concurrent callers share the answer of the first
            moments = {name: (room.state.shoe.number, room.state.round.number) for name, room in rooms.items()}
            old = {name: moment for name, moment in moments.items() if not self._is_fresh(name, moment)}
            try:
                found = await self._reading.ask(lambda reads: _read(reads, old)) if old else {}
            except PoolExhausted:
                found = {}
            now = time.monotonic()
            self._kept |= {name: _CachedRoad(old[name], now, rounds) for name, rounds in found.items()}
        return {name: self._kept[name].beads if name in self._kept else () for name in rooms}

    async def last_round(self, name: str, room: TableRoom) -> IndexedRound | None:
        """The last round of the shoe in play at a table that had a result."""
        await self.results_at({name: room})
        rounds = self._kept[name].rounds if name in self._kept else ()
        return rounds[-1] if rounds else None

    def _is_fresh(self, name: str, moment: tuple[int, int]) -> bool:
        kept = self._kept.get(name)
        return kept is not None and kept.moment == moment and time.monotonic() - kept.at < FRESH_SECONDS


def _read(reads: Reads, moments: Mapping[str, tuple[int, int]]) -> dict[str, tuple[IndexedRound, ...]]:
    """The rounds of shoes that their roads show."""
    found = dict[str, tuple[IndexedRound, ...]]()
    for table, (shoe, _round) in moments.items():
        rows = rounds_of_shoe(reads, table_stream(table), shoe + 1)
        found[table] = tuple(row for row in rows if row.result.bead is not None)
    return found
