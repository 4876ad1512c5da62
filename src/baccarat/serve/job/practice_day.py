"""The end of the gaming day in a practice house, where visitors close it and the program counts what it dealt itself.

Visitors count what belongs to the training tables. At all others the program deals, so it also does there what a day's
end needs, in the names of the house's roles: it counts trays, drop boxes and coupons, and finds what the books have. If
nobody begins the next day, the program does, because no table plays while the day is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from baccarat.house.book import HouseCommand
from baccarat.house.cage import drop_box_of, tray_of
from baccarat.house.cage_act import CountDrop, CountTray
from baccarat.house.coupon_book import CountCoupons
from baccarat.house.gaming_day import OpenDay
from baccarat.house.house import decide_in_book
from baccarat.house.inventory import Inventory
from baccarat.house.state import HouseState, apply_decision
from baccarat.house.stream import CAGE_STREAM, COUPON_STREAM, DAY_STREAM, Stream
from baccarat.play.refusal import Refused
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.house import HouseEngine
from baccarat.serve.runtime.pending_batch import Misdirected
from baccarat.serve.setting import is_for_training
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.role import Role
from baccarat.table.round_state import Round

CLOSED_SECONDS = 60.0
"""How long the day stays closed if nobody begins the next one."""
ROUND_SECONDS = 30.0
"""How long the close of a day waits for rounds that the program deals; none takes longer."""
LOOK_SECONDS = 0.05
CHIP_VALUES = (1_000_00, 500_00, 100_00, 25_00, 5_00, 1_00, 25, 1)
"""The values in which the program counts a tray, in cents, the highest first; the last makes every sum possible."""


async def prepare_day_end(live: HouseServer) -> None:
    """Count what belongs to the tables that the program deals, once no round is in play there.

    If rounds are still in play at the end of the wait, the day's book says so to the person who closes the day. Nothing
    waits between the last count and the return: the caller closes the day before anybody plays again.
    """
    ends = time.monotonic() + ROUND_SECONDS
    while is_playing(live.house.state) and time.monotonic() < ends:
        await asyncio.sleep(LOOK_SECONDS)
    with contextlib.suppress(Misdirected):  # another node has one of the tables: the day's book says what keeps it open
        for stream, act in list(counts_due(live.house.state)):
            _enter_by_two(live, stream, act)


def is_playing(state: HouseState) -> bool:
    """Whether a round is in play at a table that the program deals."""
    rounds = (held.round for table, held in state.tables.items() if not is_for_training(table))
    return any(each.wagers or each.spoken or each.closed for each in rounds)


def counts_due(state: HouseState) -> Iterator[tuple[Stream, HouseCommand]]:
    """The counts that the day's end needs at the tables that the program deals, each as the books have it."""
    for table in state.tables:
        if is_for_training(table):
            continue
        tray, lies = state.cage.trays.get(table), state.ledger.cents(tray_of(table))
        if tray is not None and tray.counted != lies:
            yield CAGE_STREAM, CountTray(table=table, counted=_chips_worth(max(0, lies)))
        if dropped := state.ledger.cents(drop_box_of(table)):
            yield CAGE_STREAM, CountDrop(table=table, counted=dropped)
        if taken := state.coupons.taken_at(table):
            yield COUPON_STREAM, CountCoupons(table=table, numbers=tuple(sorted(taken)))


def state_once_counted(house: HouseEngine) -> HouseState:
    """The house as the close of its day will find it: the program has counted, and its rounds are over."""
    state = house.state
    idle = {
        table: held if is_for_training(table) else replace(held, round=Round(number=held.round.number))
        for table, held in state.tables.items()
    }
    state = replace(state, tables=idle)
    for stream, act in counts_due(state):
        found = decide_in_book(state, house.rules, act, _counting_actor(act), stream=stream)
        if not isinstance(found, Refused):
            state = apply_decision(state, found)
    return state


def _counting_actor(act: HouseCommand) -> Actor:
    """Two roles that may make a count together."""
    first, second = min(act.ROLES, key=_name), max(act.SECOND, key=_name)
    return Actor(
        who=first.value, role=first, approvals=(Approval(second.value, second, str(act.__struct_config__.tag)),)
    )


def _chips_worth(cents: int) -> Inventory:
    """The fewest chips that are worth a sum."""
    found: dict[int, int] = {}
    for value in CHIP_VALUES:
        found[value], cents = divmod(cents, value)
    return Inventory({value: number for value, number in found.items() if number})


def _enter_by_two(live: HouseServer, stream: Stream, act: HouseCommand) -> None:
    """Enter a count; one that is refused keeps the day open, and the day's book says why."""
    live.house.enter(stream, act, Envelope(actor=_counting_actor(act)))


def _name(role: Role) -> str:
    return role.value


class NextDay:
    """Begins the next day of a practice house if nobody else does."""

    def __init__(
        self, live: HouseServer, *, after: float = CLOSED_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._live, self._after, self._clock = live, after, clock
        self._closed_since: float | None = None

    def begin_if_due(self) -> bool:
        """Begin the next day if this one has been closed for long enough; whether it was begun."""
        day, now = self._live.house.state.day, self._clock()
        if not day.is_closed:
            self._closed_since = None
            return False
        if self._closed_since is None:
            self._closed_since = now
        if now - self._closed_since < self._after:
            return False
        supervisor = Actor(who=Role.CASINO_SUPERVISOR.value, role=Role.CASINO_SUPERVISOR)
        entered = self._live.house.enter(DAY_STREAM, OpenDay(name=str(day.number + 1)), Envelope(actor=supervisor))
        return not isinstance(entered.refused, Refused)
