"""The pit: tables with their rulebooks; what must be the same at all of them, and how an option changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from baccarat.house.notice import Notice, is_on, relied_on
from baccarat.house.reason import HouseReason, refuse
from baccarat.law.clause import Citation
from baccarat.law.error import InvalidSubmission
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.refusal import Refused


class RulesInForce(msgspec.Struct, frozen=True):
    """A rulebook and the time from which it holds, in seconds of the house's clock."""

    since: int
    rules: Rulebook


class Pit(msgspec.Struct, frozen=True, kw_only=True):
    """A pit: the rulebooks of each of its tables as they take effect, and the notices that have served."""

    name: str
    tables: dict[str, tuple[RulesInForce, ...]] = {}
    served: tuple[Notice, ...] = ()


class PitAccepted(msgspec.Struct, frozen=True, kw_only=True):
    """A change taken: the pit after it, the tables concerned, and the clauses that asked for notice or uniformity."""

    pit: Pit
    tables: tuple[str, ...]
    cites: tuple[Citation, ...]


def rules_at(pit: Pit, table: str, time: int) -> Rulebook:
    """The rulebook for a shoe that begins at a time; a round in play goes on under its own (reading A-63)."""
    held = [each for each in pit.tables[table] if each.since <= time]
    assert held, f"{table} was not open then"
    return held[-1].rules


def latest(pit: Pit, table: str) -> RulesInForce:
    """What holds at a table once every change that was taken has its effect."""
    return pit.tables[table][-1]


def open_table(
    pit: Pit, *, table: str, rules: Rulebook, notices: Iterable[Notice] = (), effective: int
) -> PitAccepted | Refused:
    """Open a table in a pit: announced where that is asked for, and with the pit's uniform options."""
    if table in pit.tables:
        return refuse(rules, HouseReason.TWICE, f"{table} is open in {pit.name}", *_any_cite(rules))
    beside = [held for held in _rules_of(pit).values() if held.edition is rules.edition]
    before = beside[0] if beside else None  # what is done in the pit already is not begun anew
    fresh = [notice for notice in notices if notice not in pit.served]
    used = relied_on(before, rules, fresh, pit=pit.name, effective=effective, opening=True)
    refused = _not_uniform({**_rules_of(pit), table: rules})
    if refused is not None:
        return refused
    if isinstance(used, Refused):
        return used
    tables = {**pit.tables, table: (RulesInForce(effective, rules),)}
    opened = replace(pit, tables=tables, served=(*pit.served, *used))
    return PitAccepted(pit=opened, tables=(table,), cites=_cites(rules))


def change_option(
    pit: Pit,
    notices: Iterable[Notice],
    *,
    changes: Mapping[str, Any],
    effective: int,
    tables: Iterable[str] | None = None,
) -> PitAccepted | Refused:
    """Change options at tables of a pit, all of them unless some are named, from a time on."""
    assert pit.tables, "a change is made where there are tables"
    wanted = tuple(pit.tables if tables is None else tables)
    fresh = [notice for notice in notices if notice not in pit.served]
    first = latest(pit, next(iter(pit.tables))).rules
    unknown = [table for table in wanted if table not in pit.tables]
    if unknown or not wanted:
        say = f"{pit.name} has no table {unknown[0]}" if unknown else "no table is named"
        return refuse(first, HouseReason.NO_SUCH_TABLE, say, *_any_cite(first))
    made: dict[str, Rulebook] = {}
    for table in wanted:
        new = _changed(pit, table, changes, effective)
        if isinstance(new, Refused):
            return new
        if not _same(new, latest(pit, table).rules):
            made[table] = new
    if not made:
        return refuse(first, HouseReason.NOTHING_CHANGES, "these elections hold already", *_any_cite(first))
    refused = _not_uniform({**_rules_of(pit), **made})
    if refused is not None:
        return refused
    used: list[Notice] = []
    for table, rules in made.items():
        found = relied_on(latest(pit, table).rules, rules, fresh, pit=pit.name, effective=effective)
        if isinstance(found, Refused):
            return found
        used += found
    held = {table: (*pit.tables[table], RulesInForce(effective, rules)) for table, rules in made.items()}
    cites = tuple(dict.fromkeys(cite for rules in made.values() for cite in _cites(rules, changes)))
    after = replace(pit, tables={**pit.tables, **held}, served=(*pit.served, *dict.fromkeys(used)))
    return PitAccepted(pit=after, tables=tuple(made), cites=cites)


def _changed(pit: Pit, table: str, changes: Mapping[str, Any], effective: int) -> Rulebook | Refused:
    """The rulebook of one table with the changes made to its Submission."""
    held = latest(pit, table)
    old = held.rules
    unknown = [key for key in changes if key not in old.edition.options]
    if unknown or not changes:
        say = f"{old.edition.name} knows no option {unknown[0]!r}" if unknown else "no option is named"
        return refuse(old, HouseReason.NO_SUCH_OPTION, say, *_any_cite(old))
    cite = next(iter(old.edition.options[key].cite for key in changes))
    if effective < held.since:
        say = f"{table} goes over to other rules at {held.since}, which is later"
        return refuse(old, HouseReason.OUT_OF_ORDER, say, *cite)
    try:
        return rulebook({"ruleset": old.edition.name, **old.stated}, **changes)
    except InvalidSubmission as error:
        return Refused(HouseReason.INVALID_SUBMISSION, error.say, _parsed(error) or old.cite(*cite))


def _same(one: Rulebook, other: Rulebook) -> bool:
    return all(one.elects(key) == other.elects(key) for key in one.edition.options)


def _parsed(error: InvalidSubmission) -> tuple[Citation, ...]:
    return tuple(Citation.parse(cite) for cite in error.cites)


def _rules_of(pit: Pit) -> dict[str, Rulebook]:
    return {table: latest(pit, table).rules for table in pit.tables}


def _not_uniform(tables: Mapping[str, Rulebook]) -> Refused | None:
    """Whether two tables would differ in an option that their document wants to be the same in a pit."""
    seen: dict[str, tuple[str, Any]] = {}
    for table, rules in tables.items():
        for law in rules.edition.uniform:
            value = rules.elects(law.option)
            other, held = seen.setdefault(law.option, (table, value))
            if held != value and (is_on(held) or is_on(value)):
                say = f"{law.option} is the same at all tables of a pit: {held} at {other}, {value} at {table}"
                return refuse(rules, HouseReason.NOT_UNIFORM, say, *law.cite)
    return None


def _cites(rules: Rulebook, changes: Mapping[str, Any] | None = None) -> tuple[Citation, ...]:
    """The clauses on notice and uniformity of the options concerned, or of all."""
    edition = rules.edition
    keys = [
        *(key for law in edition.uniform if changes is None or law.option in changes for key in law.cite),
        *(key for law in edition.notices if changes is None or set(law.options) & set(changes) for key in law.cite),
        *(key for option in changes or () for key in edition.options[option].cite),
    ]
    return rules.cite(*keys)


def _any_cite(rules: Rulebook) -> tuple[str, ...]:
    law = rules.edition.uniform
    return law[0].cite if law else rules.edition.deal.cite
