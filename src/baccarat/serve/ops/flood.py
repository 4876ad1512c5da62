"""Floods: what repeats so fast that it is only counted, until one line says how often.

The first occurrences of each kind are written whole. If more follow faster than the pace of the kind allows, the rest
are a flood: they are only counted, and from time to time the count is taken to be written (`FloodCounter.due`). That is
when the flood is over, and while it lasts after pauses that grow, so that a flood of hours writes little.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

import msgspec

K = TypeVar("K", bound=Hashable)

FIRST_PAUSE, LONGEST_PAUSE = 60.0, 30 * 60.0
"""How many seconds a flood that goes on is counted until that is written: at first, and at most."""
MOST_FLOODS = 2_000
"""How many kinds are watched at a time."""


class FloodPace(msgspec.Struct, frozen=True):
    """How fast something may come before it is a flood."""

    at_once: int
    """How many are written whole before the others are a flood."""
    a_second: float
    """How many in a second, one after another, are no flood."""
    over_after: float
    """After how many seconds without another one a flood is certainly over."""


class FloodCount(msgspec.Struct, frozen=True):
    """How many were counted, and the times of the first and the last of them."""

    count: int
    first: int
    last: int


class Flood(msgspec.Struct):
    """What is known of one kind."""

    pace: FloodPace
    level: float = 0.0
    """How many more than are allowed came lately."""
    settled: float = 0.0
    """When the level was computed; on the steady clock, as everything that decides what is counted."""
    is_folding: bool = False
    count: int = 0
    """How many have been counted and are not written."""
    since: float = 0.0
    """When the first of these was counted."""
    first: int = 0
    last: int = 0
    """The times of the first and the last of them, as they are recorded."""
    pause: float = FIRST_PAUSE

    def add(self, steady: float) -> bool:
        """Another one; whether it is one of a flood."""
        self.settle(steady)
        self.level = min(self.level + 1, self.pace.a_second * self.pace.over_after)
        self.is_folding = self.is_folding or self.level > self.pace.at_once
        return self.is_folding

    def settle(self, steady: float) -> None:
        """Note how much time has passed."""
        self.level = max(0.0, self.level - self.pace.a_second * (steady - self.settled))
        self.settled = steady
        if not self.level:
            self.is_folding = False

    def is_due(self, steady: float) -> bool:
        """Whether what was counted should be written now."""
        self.settle(steady)
        return self.count > 0 and (not self.is_folding or steady - self.since >= self.pause)

    def is_over(self, steady: float) -> bool:
        """Whether nothing is left of it: the next one is the first."""
        self.settle(steady)
        return not self.level and not self.count

    def take(self) -> FloodCount:
        """The count, which is written now: the next one of the same flood may take longer."""
        found = FloodCount(self.count, self.first, self.last)
        self.count = 0
        self.pause = min(2 * self.pause, LONGEST_PAUSE) if self.is_folding else FIRST_PAUSE
        return found


class FloodCounter(Generic[K]):
    """The floods of one process, each under its key."""

    def __init__(self, steady: Callable[[], float], pace: FloodPace) -> None:
        """`steady` are seconds that no change of the clock touches."""
        self._steady, self._pace = steady, pace
        self._floods = OrderedDict[K, Flood]()
        self._crowded_out = list[tuple[K, Flood]]()
        """Floods that are no longer watched, and whose counts are not written."""

    def __contains__(self, key: K) -> bool:
        return key in self._floods

    def __iter__(self) -> Iterator[K]:
        return iter(self._floods)

    def add(self, key: K) -> bool:
        """Another one; whether it is one of a flood, and only to be counted."""
        return self._flood(key).add(self._steady())

    def count(self, key: K, at: int) -> None:
        """Count one that came at a time; the whole ones before it are on disk."""
        flood = self._flood(key)
        if not flood.count:
            flood.first, flood.since = at, self._steady()
        flood.last = max(flood.last, at)
        flood.count += 1

    def take_back(self, key: K) -> None:
        """One that was added did not happen after all."""
        flood = self._floods.get(key)
        if flood is not None:
            flood.level = max(0.0, flood.level - 1)
            flood.is_folding = flood.is_folding and flood.level > 0

    def due(self, all_of: Callable[[K], bool]) -> Iterator[tuple[K, FloodCount]]:
        """What should be written now, and everything of some keys; what is taken here is counted no more."""
        now = self._steady()
        crowded, self._crowded_out = self._crowded_out, []
        for key, flood in (*crowded, *self._floods.items()):
            if flood.is_due(now) or (flood.count and (all_of(key) or self._floods.get(key) is not flood)):
                yield key, flood.take()
        for key in [key for key, flood in self._floods.items() if flood.is_over(now)]:
            del self._floods[key]

    def _flood(self, key: K) -> Flood:
        found = self._floods.get(key)
        if found is None:
            found = self._floods[key] = Flood(self._pace, settled=self._steady())
        self._floods.move_to_end(key)
        if len(self._floods) > MOST_FLOODS:
            gone, flood = self._floods.popitem(last=False)
            if flood.count:
                self._crowded_out.append((gone, flood))
        return found
