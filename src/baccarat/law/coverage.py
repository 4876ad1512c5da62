"""Coverage: for every clause, where it is ruled, which tests show it, and which readings it relies on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any

import msgspec

from baccarat.law.clause import Clause, catalogue
from baccarat.law.edition import Edition, load_edition, shipped_editions
from baccarat.law.shipped_file import shipped_file


class ClauseStatus(Enum):
    """How a clause is accounted for, the weakest first."""

    UNACCOUNTED = "unaccounted"
    PENDING = "pending"
    PHYSICAL = "physical"
    RULED = "ruled"


STATES = tuple(ClauseStatus)


class ClauseAccount(msgspec.Struct, frozen=True, kw_only=True):
    """How one edition accounts for one clause: the states that its places give, the places, the readings."""

    states: tuple[ClauseStatus, ...]
    places: tuple[str, ...]
    readings: tuple[str, ...]

    @property
    def state(self) -> ClauseStatus:
        """The weakest of the states; more than one is a contradiction."""
        return min(self.states, key=STATES.index, default=ClauseStatus.UNACCOUNTED)


class CoveredClause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause of the catalogue: its places by edition, the tests that show it, the readings behind it."""

    clause: Clause
    accounts: dict[str, ClauseAccount]
    shown_by: tuple[str, ...]

    @property
    def places(self) -> dict[str, tuple[str, ...]]:
        """The places at which each edition rules the clause, or says why it does not."""
        return {edition: account.places for edition, account in self.accounts.items()}

    @property
    def readings(self) -> tuple[str, ...]:
        """The readings that the clause itself and the tables that rule it rely on."""
        bound = (reading for account in self.accounts.values() for reading in account.readings)
        return tuple(sorted({*self.clause.readings, *bound}))

    @property
    def state(self) -> ClauseStatus:
        """The weakest state in any of its editions."""
        return min((account.state for account in self.accounts.values()), key=STATES.index)


class CoverageSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How many clauses of an edition are in which state, and how many a test shows."""

    edition: str
    clauses: int
    ruled: int
    pending: int
    physical: int
    unaccounted: int
    shown: int


def accounts(edition: Edition) -> dict[str, ClauseAccount]:
    """How an edition, shipped or not, accounts for each of its clauses, by key."""
    found: dict[str, list[tuple[ClauseStatus, str]]] = {key: [] for key in edition.clauses}
    for key, place in edition.bindings():
        found[key].append((ClauseStatus.RULED, place))
    for whom, keys in edition.pending.items():
        for key in keys:
            found.setdefault(key, []).append((ClauseStatus.PENDING, f"pending: {whom}"))
    for key, how in edition.physical.items():
        found.setdefault(key, []).append((ClauseStatus.PHYSICAL, f"physical: {how}"))
    readings = _readings(edition)
    return {
        key: ClauseAccount(
            states=tuple(dict.fromkeys(state for state, _ in entries)),
            places=tuple(dict.fromkeys(place for _, place in entries)),
            readings=tuple(sorted(readings.get(key, ()))),
        )
        for key, entries in found.items()
    }


def coverage() -> tuple[CoveredClause, ...]:
    """Every clause of the catalogue, in its order, with what accounts for it and what shows it."""
    by_edition = {name: accounts(load_edition(name)) for name in shipped_editions()}
    return tuple(
        CoveredClause(
            clause=clause,
            accounts={name: by_edition[name][clause.key] for name in clause.editions},
            shown_by=clause_tests().get(clause.id, ()),
        )
        for clause in catalogue()
    )


def summary() -> tuple[CoverageSummary, ...]:
    """The counts of every shipped edition."""
    covered = coverage()
    return tuple(_summary(name, [each for each in covered if name in each.accounts]) for name in shipped_editions())


def _summary(name: str, covered: list[CoveredClause]) -> CoverageSummary:
    count = {state.value: sum(each.accounts[name].state is state for each in covered) for state in ClauseStatus}
    shown = sum(bool(each.shown_by) for each in covered)
    return CoverageSummary(edition=name, clauses=len(covered), shown=shown, **count)


@cache
def clause_tests() -> Mapping[str, tuple[str, ...]]:
    """The tests that show each clause, according to the marks on the tests when these were last recorded."""
    text = shipped_file("shown.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, tuple[str, ...]])


def _readings(edition: Edition) -> dict[str, set[str]]:
    """The readings in the same table as a clause's citation."""
    found: dict[str, set[str]] = {}
    for table in _tables(edition.table):
        for key in table.get("cite", ()) if "reading" in table else ():
            found.setdefault(key, set()).add(table["reading"])
    return found


def _tables(node: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(node, Mapping):
        yield node
        for value in node.values():
            yield from _tables(value)
    elif isinstance(node, list):
        for value in node:
            yield from _tables(value)
