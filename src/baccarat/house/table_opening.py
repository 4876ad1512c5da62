"""A table opens in a pit, under rules that were filed, and states what it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET
from msgspec.structs import replace

from baccarat.house.book import BookFindings, BookOutcome, Context, HouseEvent, house_refuse
from baccarat.house.filed_rules import FiledRules, check_filed
from baccarat.house.goodwill import refuse_raised_limit, seconds_of_filing
from baccarat.house.notice import Notice, notices_relied_on
from baccarat.house.pit import (
    Pit,
    PitCommand,
    RulesInForce,
    clauses_on_options,
    pit_clauses,
    refuse_not_uniform,
    rules_of,
)
from baccarat.house.reason import HouseReason, refuse
from baccarat.house.table_statement import TABLE_KIND_RULE, WITNESSES
from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.bounds import Instant, Means, StreamLabel
from baccarat.table.card import CommandCard
from baccarat.table.reveal_deadline import StatedDeadline, is_deadline_idle
from baccarat.table.role import Role
from baccarat.table.rules_adoption import named_options
from baccarat.table.table_cards import ELECTRONIC_CARDS, KIND_STATED_SINCE, StatedCards, uses_electronic_shoes
from baccarat.table.witness_keys import StatedWitnesses, are_share_keys

REVEAL_RULE = "reveal-deadline"
"""The house rule about when seeds are revealed."""
NO_CARDS = "cards: expected real, electronic or automated: what the table is, for as long as it is open"


IN_FORCE_SINCE = 3
"""The first version of the deciding functions that asks which rules of a pit hold already when a table opens."""


class OpenTable(PitCommand, frozen=True, kw_only=True, tag="open_table"):
    """A table opens in the pit under filed rules, from a given time; its kind does not change while it is open."""

    table: Annotated[StreamLabel, Means("the table")]
    filed: Annotated[FiledRules, Means("the rules under which it opens")]
    effective: Annotated[Instant, Means("from when it holds")]
    cards: Annotated[
        StatedCards, Means("the kind of table: real cards, an electronic shoe, or one the program deals")
    ] = UNSET
    """Records of version 1 lack it; a table can no longer be opened without it."""
    CARD = CommandCard(discretion="terms")
    witnesses: Annotated[
        StatedWitnesses,
        Means(
            "the share keys of the witnesses of an electronic or automated table, sorted; left out, those that the "
            "server knows",
            is_optional=True,
        ),
    ] = UNSET
    reveal_within: Annotated[
        StatedDeadline,
        Means(
            "within how many seconds of its end the seed of an electronic or automated table's shoe is revealed, at "
            "most a week; left out, as the server is set",
            is_optional=True,
        ),
    ] = UNSET

    def seconds(self, role: Role) -> frozenset[Role]:
        """Somebody outside the pit where a goodwill limit is filed."""
        del role
        return seconds_of_filing(self.filed.stated)

    def refuse_in_book(self, open_tables: Collection[str]) -> Refused | None:
        """No two tables of the house have the same name, whatever their pits."""
        if self.table not in open_tables:
            return None
        return house_refuse(HouseReason.TWICE, "table_known_already", "known-table", table=self.table)

    def missing_field(self) -> str:
        """What the table is, for as long as it is open."""
        return NO_CARDS if self.cards is UNSET else ""

    def with_usual_terms(self, known: Sequence[str], within: StatedDeadline, earlier: Mapping[str, Any]) -> OpenTable:
        """An electronic table has witnesses and a deadline for its seeds."""
        filled = self
        if self.cards not in ELECTRONIC_CARDS:
            return self
        if self.witnesses is UNSET:
            filled = replace(filled, witnesses=tuple(earlier.get("witnesses", known)))
        if self.reveal_within is UNSET:
            filled = replace(filled, reveal_within=earlier.get("reveal_within", UNSET) if earlier else within)
        return filled

    def rules_filed(self, found: BookFindings) -> tuple[tuple[str, str], ...]:
        """Those under which it opens."""
        del found
        return ((self.filed.ruleset, self.filed.hash),)

    def is_discretionary(self, found: BookFindings) -> bool:
        """Under rules that no table of its pit has had which plays by the same edition."""
        is_known = (self.filed.ruleset, self.filed.hash) in found.known
        return not is_known and any(ruleset == self.filed.ruleset for ruleset, _ in found.known)

    def discretion_text(self, found: BookFindings) -> str:
        """Which table, and under which rules."""
        del found
        filed = self.filed
        return f"open {self.table} under other rules than its pit has: {filed.ruleset}, rulebook {filed.hash[:12]}"


class TableOpened(HouseEvent, frozen=True, kw_only=True, tag="table_opened"):
    """A table is open in the pit; the notices on which it relies are used up."""

    table: str
    filed: FiledRules
    since: int
    served: tuple[Notice, ...] = ()
    cards: StatedCards = UNSET
    witnesses: StatedWitnesses = UNSET
    reveal_within: StatedDeadline = UNSET


def open_table(context: Context, state: Pit, command: OpenTable) -> BookOutcome:
    """With notice where that is required, and with the pit's uniform options."""
    table = command.table
    try:
        rules = check_filed(command.filed)
    except RulesError as error:
        why, keys = HouseReason.INVALID_SUBMISSION, pit_clauses(context.rules)
        return refuse(context.rules, why, "submission_not_admitted", *keys, options=named_options(error))
    if table in state.tables:
        return refuse(
            rules, HouseReason.TWICE, "table_open_in_the_pit", *pit_clauses(rules), table=table, name=state.name
        )
    of_edition = [held for held in _rules_before(context, state, command) if held.edition is rules.edition]
    before = of_edition[0] if of_edition else None  # what the pit already does does not start with this table
    used = notices_relied_on(before, rules, state.unused_of, pit=state.name, effective=command.effective, opening=True)
    if refused := refuse_not_uniform({**rules_of(state), table: rules}):
        return refused
    if isinstance(used, Refused):
        return used
    if command.cards is UNSET and context.behaviour >= KIND_STATED_SINCE:  # older journals are still read
        return house_refuse(HouseReason.INCOMPLETE, "table_states_no_kind", TABLE_KIND_RULE)
    if refused := _wrong_witnesses(command):
        return refused
    if is_deadline_idle(command.cards, command.reveal_within):
        return house_refuse(HouseReason.NOT_OFFERED, "real_cards_have_no_seed", REVEAL_RULE)
    if command.cards in ELECTRONIC_CARDS and not uses_electronic_shoes(rules):
        keys = rules.edition.options["electronic_cut"].cite
        return refuse(rules, HouseReason.NOT_OFFERED, "electronic_shoes_not_used", *keys)
    if refused := refuse_raised_limit(context, command, None, rules):
        return refused
    opened = TableOpened(
        table=table,
        filed=command.filed,
        since=command.effective,
        served=used,
        cards=command.cards,
        witnesses=command.witnesses,
        reveal_within=command.reveal_within,
        cites=tuple(map(str, clauses_on_options(rules))),
    )
    return [opened]


def _rules_before(context: Context, state: Pit, command: OpenTable) -> list[Rulebook]:
    """The rules that hold in the pit when a table opens: those that take effect later have not begun with it.

    Until version 2 they counted, so that a table could begin an option before the half hour of its notice was over.
    """
    if context.behaviour < IN_FORCE_SINCE:
        return list(rules_of(state).values())
    held = [[each for each in filed if each.since <= command.effective] for filed in state.tables.values()]
    return [each[-1].rules for each in held if each]


def _wrong_witnesses(command: OpenTable) -> Refused | None:
    """Why a table cannot open with these witnesses: it has no electronic shoe, or they are no share keys."""
    if command.witnesses is UNSET:
        return None
    if command.cards not in ELECTRONIC_CARDS:
        return house_refuse(HouseReason.NOT_OFFERED, "real_cards_have_no_witnesses", WITNESSES)
    if not are_share_keys(command.witnesses):
        return house_refuse(HouseReason.INCOMPLETE, "witness_keys_not_in_form", WITNESSES)
    return None


def evolve_opened(state: Pit, event: TableOpened) -> Pit:
    """The table belongs to the pit."""
    tables = {**state.tables, event.table: (RulesInForce(event.since, event.filed),)}
    return replace(state, tables=tables).with_served(event.served)
