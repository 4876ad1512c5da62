"""Findings: every fault counted by kind, clause and position, the first ones stored, all passed to a listener."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from baccarat.audit.rounds.fault import FaultKind, RoundFault

BINS = 512
"""The most stretches of rows in which positions are counted."""


class Positions:
    """How many faults of each kind are where: in stretches of rows, which double in length as the log grows."""

    def __init__(self) -> None:
        self.rows_a_bin = 1
        self.bins: dict[FaultKind, Counter[int]] = {}

    def add(self, kind: FaultKind, row: int) -> None:
        """Count one fault."""
        while (row - 1) // self.rows_a_bin >= BINS:
            self.rows_a_bin *= 2
            for each, counted in self.bins.items():
                halved: Counter[int] = Counter()
                for index, count in counted.items():
                    halved[index // 2] += count
                self.bins[each] = halved
        self.bins.setdefault(kind, Counter())[(row - 1) // self.rows_a_bin] += 1

    def strip(self, kind: FaultKind, *, rows: int, columns: int) -> list[int]:
        """The faults of a kind in `columns` stretches of equal length, first rows first."""
        strip = [0] * columns
        for index, count in self.bins.get(kind, {}).items():
            middle = index * self.rows_a_bin + self.rows_a_bin // 2
            strip[min(columns - 1, middle * columns // max(rows, 1))] += count
        return strip


class Findings:
    """What an audit has found so far. `keep` faults are stored; `tell` is called with every one."""

    def __init__(self, *, keep: int, tell: Callable[[RoundFault], None] | None = None) -> None:
        self.counts: Counter[tuple[FaultKind, str | None]] = Counter()
        self.kept: list[RoundFault] = []
        self.positions = Positions()
        self._keep = keep
        self._tell = tell

    def add(self, fault: RoundFault) -> None:
        """Add one fault."""
        self.counts[fault.kind, fault.clause] += 1
        self.positions.add(fault.kind, fault.row)
        if len(self.kept) < self._keep:
            self.kept.append(fault)
        if self._tell is not None:
            self._tell(fault)

    @property
    def total(self) -> int:
        """How many faults there are."""
        return sum(self.counts.values())

    @property
    def by_kind(self) -> dict[FaultKind, int]:
        """How many faults of each kind there are, in the order of the kinds."""
        found: Counter[FaultKind] = Counter()
        for (kind, _), count in self.counts.items():
            found[kind] += count
        return {kind: found[kind] for kind in FaultKind if found[kind]}

    @property
    def summary(self) -> list[dict[str, Any]]:
        """How many faults of each kind each clause has, most first."""
        ordered = sorted(self.counts.items(), key=lambda each: (-each[1], each[0][0].value, each[0][1] or ""))
        return [{"kind": kind.value, "clause": clause, "count": count} for (kind, clause), count in ordered]
