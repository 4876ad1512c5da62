"""Readings: where a text is silent, doubled or broken, what we do, and why."""

from __future__ import annotations

from functools import cache

import msgspec

from baccarat.law.shipped_file import shipped_table


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key of the Submission by which a licensee may change a reading, and the editions that have it.

    No `values`: a whole number. No `default`: nothing is assumed, the licensee states it.
    """

    name: str
    editions: tuple[str, ...]
    values: tuple[str | int | bool, ...] = ()
    default: str | int | bool | None = None


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What we take a doubtful text to mean; `hard` marks the consequential ones."""

    id: str
    where: str
    problem: str
    reading: str
    why: str
    hard: bool = False
    ask: bool = False
    """Whether money hangs on its switches: a Submission that does not state them is played by the reading, and loading
    it gives a warning."""
    switches: tuple[Switch, ...] = ()


@cache
def _readings() -> dict[str, Reading]:
    tables = shipped_table("readings.toml")
    return {name: msgspec.convert({"id": name, **table}, Reading) for name, table in tables.items()}


def readings() -> dict[str, Reading]:
    """Every reading by its number, A-01 first."""
    return dict(_readings())
