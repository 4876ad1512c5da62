"""Absence: the seat of a person who has left a practice table without saying so is freed."""

from __future__ import annotations

import time
from collections.abc import Callable

from baccarat.play.refusal import Refused
from baccarat.serve.automation.company import is_company
from baccarat.serve.live import HouseServer
from baccarat.table.seating_acts import Leave
from baccarat.table.state import seat_of
from baccarat.table.usual_actor import dealer_of

AWAY_SECONDS = 300.0
"""How long a seat is held for a person whose page is closed."""


class Absences:
    """Who is away from a seat, and since when."""

    def __init__(
        self, live: HouseServer, *, after: float = AWAY_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._live, self._after, self._clock = live, after, clock
        self._since: dict[tuple[str, str], float] = {}

    def free_absent_seats(self) -> int:
        """Free the seats of those who have been away for too long; returns how many.

        A wager that can no longer be withdrawn keeps its seat until the round is over, and so does a debt.
        """
        now, freed = self._clock(), 0
        rooms, tables = self._live.rooms, self._live.house.state.tables
        away = {(table, who) for table in rooms for who in rooms.absent_persons(table, tables[table])}
        self._since = {key: self._since.get(key, now) for key in away if not is_company(key[1])}
        for (table, who), since in list(self._since.items()):
            if now - since >= self._after:
                freed += self._free_seat(table, who)
        return freed

    def _free_seat(self, table: str, who: str) -> bool:
        state = self._live.house.state.tables[table]
        seat = seat_of(state, who)
        if not seat:
            return False
        return not isinstance(self._live.house.table(table).do(Leave(seat=seat), dealer_of(state)), Refused)
