"""Options change at tables of a pit, with notice, uniformly, and from a time on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any

from msgspec.structs import replace

from baccarat.house.book import BookFindings, BookOutcome, Context, HouseEvent, house_refuse
from baccarat.house.filed_rules import FiledRules, file_rules
from baccarat.house.goodwill import refuse_raised_limit, seconds_of_filing
from baccarat.house.notice import Notice, notices_relied_on
from baccarat.house.pit import (
    Pit,
    PitCommand,
    RulesInForce,
    clauses_on_options,
    latest,
    pit_clauses,
    refuse_not_uniform,
    refuse_option,
    rules_of,
)
from baccarat.house.reason import HouseReason, refuse
from baccarat.law.clause import Citation
from baccarat.law.error import InvalidSubmission
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.refusal import Refused, make_refusal
from baccarat.table.bounds import Elections, Instant, Labels, Means, check_elected
from baccarat.table.card import CommandCard
from baccarat.table.role import Role
from baccarat.table.rules_adoption import named_options


class ChangeOptions(PitCommand, frozen=True, kw_only=True, tag="change_options"):
    """Options change at tables of the pit, at all of them unless some are named, from a time on."""

    changes: Annotated[Elections, Means("the options that change, with their new values")]
    effective: Annotated[Instant, Means("from when it holds")]
    tables: Annotated[Labels | None, Means("the tables")] = None
    CARD = CommandCard(discretion="terms")

    def __post_init__(self) -> None:
        check_elected("changes", self.changes)

    def seconds(self, role: Role) -> frozenset[Role]:
        """Somebody outside the pit where the goodwill limit is raised."""
        del role
        return seconds_of_filing(self.changes)

    def tables_concerned(self, of_book: Collection[str]) -> Collection[str]:
        """Those that it names, or every table of the pit."""
        return of_book if self.tables is None else self.tables

    def discretion_text(self, found: BookFindings) -> str:
        """Which options, and at which tables."""
        del found
        changes = ", ".join(f"{option} {value}" for option, value in sorted(self.changes.items()))
        return f"change options at {'every table' if self.tables is None else ', '.join(self.tables)}: {changes}"


class OptionsChanged(HouseEvent, frozen=True, kw_only=True, tag="options_changed"):
    """Other rules hold at tables from a time on; the notices on which that relies are used up."""

    changes: dict[str, Any]
    tables: dict[str, FiledRules]
    since: int
    served: tuple[Notice, ...] = ()


def change_options(context: Context, state: Pit, command: ChangeOptions) -> BookOutcome:
    """Every table's Submission with the changes made must be sound, uniform and announced."""
    if not state.tables:
        return house_refuse(HouseReason.NO_SUCH_TABLE, "pit_without_tables", "known-table", name=state.name)
    first = latest(state, next(iter(state.tables))).rules
    if isinstance(made := _rulebooks_after(state, command, first), Refused):
        return made
    if not made:
        return refuse(first, HouseReason.NOTHING_CHANGES, "elections_hold_already", *pit_clauses(first))
    if refused := refuse_not_uniform({**rules_of(state), **made}):
        return refused
    used: list[Notice] = []
    for table, rules in made.items():
        before = latest(state, table).rules
        found = notices_relied_on(before, rules, state.unused_of, pit=state.name, effective=command.effective)
        if isinstance(found, Refused):
            return found
        if refused := refuse_raised_limit(context, command, before, rules):
            return refused
        used += found
    cites = dict.fromkeys(str(cite) for rules in made.values() for cite in clauses_on_options(rules, command.changes))
    return [
        OptionsChanged(
            changes=command.changes,
            tables={table: file_rules(rules) for table, rules in made.items()},
            since=command.effective,
            served=tuple(dict.fromkeys(used)),
            cites=tuple(cites),
        )
    ]


def _rulebooks_after(state: Pit, command: ChangeOptions, first: Rulebook) -> dict[str, Rulebook] | Refused:
    """The rulebooks of the tables at which something changes."""
    wanted = tuple(state.tables if command.tables is None else command.tables)
    unknown, keys = [table for table in wanted if table not in state.tables], pit_clauses(first)
    if not wanted:
        return refuse(first, HouseReason.NO_SUCH_TABLE, "no_table_named", *keys)
    if unknown:
        why, table = HouseReason.NO_SUCH_TABLE, unknown[0]
        return refuse(first, why, "pit_has_no_such_table", *keys, pit=state.name, table=table)
    made: dict[str, Rulebook] = {}
    for table in wanted:
        if isinstance(new := _rulebook_after(state, table, command.changes, command.effective), Refused):
            return new
        if not _elects_same(new, latest(state, table).rules):
            made[table] = new
    return made


def _rulebook_after(pit: Pit, table: str, changes: Mapping[str, Any], effective: int) -> Rulebook | Refused:
    """The rulebook of one table with the changes made to its Submission."""
    held = latest(pit, table)
    old = held.rules
    unknown = [key for key in changes if key not in old.edition.options]
    if not changes:
        return refuse(old, HouseReason.NO_SUCH_OPTION, "no_option_named", *pit_clauses(old))
    if unknown:
        return refuse_option(old, unknown[0])
    cite = next(iter(old.edition.options[key].cite for key in changes))
    if effective < held.since:
        return refuse(old, HouseReason.OUT_OF_ORDER, "other_rules_later", *cite, table=table, since=held.since)
    try:
        return rulebook({"ruleset": held.filed.ruleset, **held.filed.stated}, **changes)
    except InvalidSubmission as error:
        why, cites = HouseReason.INVALID_SUBMISSION, _fault_citations(error) or old.cite(*cite)
        return make_refusal(why, "submission_not_admitted", cites, options=named_options(error))


def _elects_same(one: Rulebook, other: Rulebook) -> bool:
    return all(one.elects(key) == other.elects(key) for key in one.edition.options)


def _fault_citations(error: InvalidSubmission) -> tuple[Citation, ...]:
    return tuple(Citation.parse(cite) for cite in error.cites)


def evolve_changed(state: Pit, event: OptionsChanged) -> Pit:
    """The new rules are listed after the old."""
    held = {
        table: (*state.tables[table], RulesInForce(event.since, filed)) for table, filed in event.tables.items()
    }  # fmt: skip
    return replace(state, tables={**state.tables, **held}).with_served(event.served)


def changes_text(changes: Iterable[tuple[str, Any]]) -> str:
    """Options with what they are to be, in words."""
    return ", ".join(f"{option.replace('_', ' ')} is {value}" for option, value in changes)
