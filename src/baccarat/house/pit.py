"""The pit: tables with their rulebooks; what must be the same at all of them, and how an option changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.house.book import (
    Aggregate,
    BookFindings,
    BookOutcome,
    ByTwo,
    Context,
    HouseCommand,
    HouseEvent,
    TableFollows,
    house_cite,
    house_refuse,
)
from baccarat.house.filed_rules import FiledRules, check_filed, file_rules, read_rules
from baccarat.house.goodwill import refuse_raised_limit, seconds_of_filing
from baccarat.house.notice import Notice, is_on, notices_relied_on
from baccarat.house.reason import HouseReason, refuse
from baccarat.house.rule import cite_house
from baccarat.law.clause import Citation
from baccarat.law.edition import Edition, load_edition, loadable_editions
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.refusal import Refused, make_refusal
from baccarat.table.bounds import Elections, Instant, Labels, Means, StreamLabel, check_elected
from baccarat.table.card import CommandCard
from baccarat.table.reveal_deadline import StatedDeadline, deadline_text, is_deadline_idle
from baccarat.table.role import PIT_MANAGERS, Role
from baccarat.table.rules_adoption import named_options
from baccarat.table.table_cards import (
    ELECTRONIC_CARDS,
    KIND_STATED_SINCE,
    StatedCards,
    TableCards,
    cards_text,
    uses_electronic_shoes,
)
from baccarat.table.table_kind import AdoptKind, KindAdopted
from baccarat.table.witness_change import AdoptWitnesses, WitnessesChanged
from baccarat.table.witness_keys import StatedWitnesses, WitnessKeys, are_share_keys, witnesses_text

WITNESSES = "witnesses"
"""What a notice of a change of witnesses names in place of an option, and the house rule about them."""
TABLE_KIND_RULE = "table-kind"
"""The house rule about what a table is."""
REVEAL_RULE = "reveal-deadline"
"""The house rule about when seeds are revealed."""
NO_CARDS = "cards: expected real, electronic or automated: what the table is, for as long as it is open"
WITNESS_NOTICE_TO, WITNESS_NOTICE_SECONDS = "surveillance", 3_600
"""Who is notified of a change of witnesses, and how long before."""


IN_FORCE_SINCE = 3
"""The first version of the deciding functions that asks which rules of a pit hold already when a table opens."""


class RulesInForce(msgspec.Struct, frozen=True):
    """Filed rules and the time from which they hold, in seconds of the house's clock."""

    since: int
    filed: FiledRules

    @property
    def rules(self) -> Rulebook:
        """The rulebook."""
        return read_rules(self.filed)


class Pit(msgspec.Struct, frozen=True, kw_only=True):
    """A pit: the rules of each of its tables as they take effect, the notices given, and those that have served."""

    name: str
    tables: dict[str, tuple[RulesInForce, ...]] = {}
    notices: tuple[Notice, ...] = ()
    served: tuple[Notice, ...] = ()

    @property
    def fresh(self) -> list[Notice]:
        """The notices that have not been used yet: each serves once."""
        return [notice for notice in self.notices if notice not in self.served]


class PitCommand(HouseCommand, frozen=True, kw_only=True):
    """An act of those who run the pit."""

    ROLES = PIT_MANAGERS

    def belongs_under(self, rules: Rulebook) -> tuple[Citation, ...]:
        """The clauses on what a pit's tables have in common."""
        return rules.cite(*_any_cite(rules))


class GiveNotice(PitCommand, frozen=True, kw_only=True, tag="give_notice"):
    """Somebody who must be notified of a change is notified."""

    notice: Annotated[Notice, Means("the notice")]


class OpenTable(PitCommand, frozen=True, kw_only=True, tag="open_table"):
    """A table opens in the pit, under rules that were filed, from a time on; what it is holds as long as it is open."""

    table: Annotated[StreamLabel, Means("the table")]
    filed: Annotated[FiledRules, Means("the rules under which it opens")]
    effective: Annotated[Instant, Means("from when it holds")]
    cards: Annotated[
        StatedCards, Means("what the table is: real cards, an electronic shoe, or one the program deals")
    ] = UNSET
    """Records of version 1 do not state it; without it no table opens now."""
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


class ChangeOptions(PitCommand, frozen=True, kw_only=True, tag="change_options"):
    """Options change at tables of the pit, at all of them unless some are named, from a time on."""

    changes: Annotated[Elections, Means("the options that change, with what they are to be")]
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


class ChangeWitnesses(PitCommand, frozen=True, kw_only=True, tag="change_witnesses"):
    """Other witnesses have a share in the order of a table's shoes, from its next commitment on."""

    table: Annotated[StreamLabel, Means("the table")]
    witnesses: Annotated[WitnessKeys, Means("the share keys of its witnesses from now on, sorted")]
    effective: Annotated[Instant, Means("when it is done; the notice has been given long enough before")]
    SECOND = PIT_MANAGERS
    TAKES_EFFECT_NOW = "witnesses change when it is done, not later"
    FOLLOWED_BY = TableFollows(
        command=AdoptWitnesses, event=WitnessesChanged, refusal="pit_changes_witnesses", rule=WITNESSES
    )

    def table_commands(self) -> Iterator[tuple[str, AdoptWitnesses]]:
        """The table names them in every commitment from then on."""
        yield self.table, AdoptWitnesses(witnesses=self.witnesses)

    def belongs_under(self, rules: Rulebook) -> tuple[Citation, ...]:
        """The house's own rule."""
        del rules
        return cite_house("witnesses")


class StateTableKind(PitCommand, frozen=True, kw_only=True, tag="state_table_kind"):
    """Two persons say what a table is that opened before this was asked, once and between two shoes."""

    table: Annotated[StreamLabel, Means("the table", listed="table")]
    cards: Annotated[TableCards, Means("what the table is: real cards, an electronic shoe, or one the program deals")]
    SECOND = PIT_MANAGERS
    FOLLOWED_BY = TableFollows(
        command=AdoptKind, event=KindAdopted, refusal="pit_states_the_kind", rule=TABLE_KIND_RULE
    )
    COUNTS_DEALERS = True
    """Before a table says what it is, nobody who deals there sits there."""

    def table_commands(self) -> Iterator[tuple[str, AdoptKind]]:
        """The table is that from its next shoe on."""
        yield self.table, AdoptKind(cards=self.cards)

    def tables_concerned(self, of_book: Collection[str]) -> tuple[str, ...]:
        """The one that it names."""
        del of_book
        return (self.table,)

    def refuse_seated(self, who: str, table: str, *, is_on_record: bool) -> Refused | None:
        """Refused even if it is not on record who sits there: the table has never said what it is."""
        del is_on_record
        return PitCommand.refuse_seated(self, who, table, is_on_record=True)

    def belongs_under(self, rules: Rulebook) -> tuple[Citation, ...]:
        """The house's own rule."""
        del rules
        return cite_house(TABLE_KIND_RULE)


class NoticeGiven(HouseEvent, frozen=True, kw_only=True, tag="notice_given"):
    """A notice is recorded."""

    notice: Notice


class TableOpened(HouseEvent, frozen=True, kw_only=True, tag="table_opened"):
    """A table is open in the pit; the notices on which it relies are used up."""

    table: str
    filed: FiledRules
    since: int
    served: tuple[Notice, ...] = ()
    cards: StatedCards = UNSET
    witnesses: StatedWitnesses = UNSET
    reveal_within: StatedDeadline = UNSET


class WitnessesNamed(ByTwo, frozen=True, kw_only=True, tag="witnesses_named"):
    """Two persons have named other witnesses for a table; the notice on which that relies is used up."""

    table: str
    witnesses: tuple[str, ...]
    since: int
    served: tuple[Notice, ...]


class TableKindStated(ByTwo, frozen=True, kw_only=True, tag="table_kind_stated"):
    """Two persons have said what a table is."""

    table: str
    cards: TableCards


class OptionsChanged(HouseEvent, frozen=True, kw_only=True, tag="options_changed"):
    """Other rules hold at tables from a time on; the notices on which that relies are used up."""

    changes: dict[str, Any]
    tables: dict[str, FiledRules]
    since: int
    served: tuple[Notice, ...] = ()


def rules_at(pit: Pit, table: str, time: int) -> Rulebook:
    """The rulebook for a shoe that begins at a time; a round in play continues under its own (reading A-63)."""
    held = [each for each in pit.tables[table] if each.since <= time]
    assert held, f"{table} was not open then"
    return held[-1].rules


def latest(pit: Pit, table: str) -> RulesInForce:
    """What holds at a table once every accepted change has taken effect."""
    return pit.tables[table][-1]


def opening_time(pits: Mapping[str, Pit], table: str) -> int:
    """When a table opens, in seconds; zero if it is in no pit, and so was always open."""
    return next((pit.tables[table][0].since for pit in pits.values() if table in pit.tables), 0)


# ------------------------------------------------------------------------------------------- decisions


def give_notice(context: Context, state: Pit, command: GiveNotice) -> BookOutcome:
    """To this pit, and once."""
    rules, notice = context.rules, command.notice
    if notice.pit != state.name:
        return refuse(rules, HouseReason.NO_SUCH_TABLE, "notice_to_another_pit", *_any_cite(rules), pit=notice.pit)
    edition = _edition_with(notice.option, rules)
    if edition is None and notice.option != WITNESSES:
        return _refuse_option(rules, notice.option)
    if notice in state.notices:
        return refuse(rules, HouseReason.TWICE, "notice_on_record", *_any_cite(rules))
    if edition is None:
        return [NoticeGiven(notice=notice, cites=house_cite(WITNESSES))]
    asked = [key for law in edition.notices if notice.option in law.options for key in law.cite]
    keys = asked or edition.options[notice.option].cite
    return [NoticeGiven(notice=notice, cites=edition.cite_text(*keys))]


def _refuse_option(rules: Rulebook, option: str) -> Refused:
    why, keys, edition = HouseReason.NO_SUCH_OPTION, _any_cite(rules), rules.edition.name
    return refuse(rules, why, "edition_knows_no_such_option", *keys, edition=edition, option=option)


def _edition_with(option: str, rules: Rulebook) -> Edition | None:
    """The edition under which a notice of an option is given: the house's own, or another that has such an option.

    A house may have tables of several editions, and a notice comes before its table.
    """
    if option in rules.edition.options:
        return rules.edition
    return next((edition for edition in map(load_edition, loadable_editions()) if option in edition.options), None)


def open_table(context: Context, state: Pit, command: OpenTable) -> BookOutcome:
    """With notice where that is required, and with the pit's uniform options."""
    table = command.table
    try:
        rules = check_filed(command.filed)
    except RulesError as error:
        why, keys = HouseReason.INVALID_SUBMISSION, _any_cite(context.rules)
        return refuse(context.rules, why, "submission_not_admitted", *keys, options=named_options(error))
    if table in state.tables:
        return refuse(
            rules, HouseReason.TWICE, "table_open_in_the_pit", *_any_cite(rules), table=table, name=state.name
        )
    of_edition = [held for held in _rules_before(context, state, command) if held.edition is rules.edition]
    before = of_edition[0] if of_edition else None  # what the pit already does does not start with this table
    used = notices_relied_on(before, rules, state.fresh, pit=state.name, effective=command.effective, opening=True)
    if refused := _not_uniform({**_rules_of(state), table: rules}):
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
        cites=tuple(map(str, _cites(rules))),
    )
    return [opened]


def _rules_before(context: Context, state: Pit, command: OpenTable) -> list[Rulebook]:
    """The rules that hold in the pit when a table opens: those that take effect later have not begun with it.

    Until version 2 they counted, so that a table could begin an option before the half hour of its notice was over.
    """
    if context.behaviour < IN_FORCE_SINCE:
        return list(_rules_of(state).values())
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


def change_witnesses(context: Context, state: Pit, command: ChangeWitnesses) -> BookOutcome:
    """On notice to surveillance, in writing, of exactly these witnesses; the table itself says whether it has any."""
    if command.table not in state.tables:
        said = {"pit": state.name, "table": command.table}
        return house_refuse(HouseReason.NO_SUCH_TABLE, "pit_has_no_such_table", WITNESSES, **said)
    value = witnesses_notice(command.table, command.witnesses)
    given = [each for each in state.fresh if (each.to, each.option) == (WITNESS_NOTICE_TO, WITNESSES) and each.written]
    matching = [each for each in given if each.value == value]
    said = {"option": WITNESSES, "whom": WITNESS_NOTICE_TO}
    if not matching:
        return house_refuse(HouseReason.NO_NOTICE, "no_notice_given", WITNESSES, after=value, **said)
    first = min(matching, key=lambda notice: notice.sent)
    late = first.sent + WITNESS_NOTICE_SECONDS - command.effective
    if late > 0:
        return house_refuse(HouseReason.TOO_LATE, "notice_too_late", WITNESSES, seconds=late, **said)
    named = WitnessesNamed(
        table=command.table,
        witnesses=command.witnesses,
        since=command.effective,
        served=(first,),
        cites=house_cite(WITNESSES),
        **context.two_persons,
    )
    return [named]


def state_table_kind(context: Context, state: Pit, command: StateTableKind) -> BookOutcome:
    """Of a table of this pit; the table itself says whether it is known already, or a shoe is in play."""
    if command.table not in state.tables:
        said = {"pit": state.name, "table": command.table}
        return house_refuse(HouseReason.NO_SUCH_TABLE, "pit_has_no_such_table", TABLE_KIND_RULE, **said)
    cites = house_cite(TABLE_KIND_RULE)
    return [TableKindStated(table=command.table, cards=command.cards, cites=cites, **context.two_persons)]


def witnesses_notice(table: str, keys: Sequence[str]) -> str:
    """What a notice of a change of witnesses says: the table, and who they are from then on, by name and key id."""
    return f"{table}: {', '.join('+'.join(key.split('+')[:2]) for key in keys) or 'none'}"


def change_options(context: Context, state: Pit, command: ChangeOptions) -> BookOutcome:
    """Every table's Submission with the changes made must be sound, uniform and announced."""
    if not state.tables:
        return house_refuse(HouseReason.NO_SUCH_TABLE, "pit_without_tables", "known-table", name=state.name)
    first = latest(state, next(iter(state.tables))).rules
    if isinstance(made := _rulebooks_after(state, command, first), Refused):
        return made
    if not made:
        return refuse(first, HouseReason.NOTHING_CHANGES, "elections_hold_already", *_any_cite(first))
    if refused := _not_uniform({**_rules_of(state), **made}):
        return refused
    used: list[Notice] = []
    for table, rules in made.items():
        before = latest(state, table).rules
        found = notices_relied_on(before, rules, state.fresh, pit=state.name, effective=command.effective)
        if isinstance(found, Refused):
            return found
        if refused := refuse_raised_limit(context, command, before, rules):
            return refused
        used += found
    cites = dict.fromkeys(str(cite) for rules in made.values() for cite in _cites(rules, command.changes))
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
    unknown, keys = [table for table in wanted if table not in state.tables], _any_cite(first)
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
        return refuse(old, HouseReason.NO_SUCH_OPTION, "no_option_named", *_any_cite(old))
    if unknown:
        return _refuse_option(old, unknown[0])
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


def _rules_of(pit: Pit) -> dict[str, Rulebook]:
    return {table: latest(pit, table).rules for table in pit.tables}


def _not_uniform(tables: Mapping[str, Rulebook]) -> Refused | None:
    """The refusal if two tables would differ in an option that their document requires to be uniform in a pit."""
    seen: dict[str, tuple[str, Any]] = {}
    for table, rules in tables.items():
        for law in rules.edition.uniform:
            value = rules.elects(law.option)
            other, held = seen.setdefault(law.option, (table, value))
            if held != value and (is_on(held) or is_on(value)):
                both = {"held": held, "other": other, "value": value, "table": table}
                why = HouseReason.NOT_UNIFORM
                return refuse(rules, why, "option_uniform_in_a_pit", *law.cite, option=law.option, **both)
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


# ------------------------------------------------------------------------------------------- evolution


def evolve_notice(state: Pit, event: NoticeGiven) -> Pit:
    """The notice may be relied on."""
    return replace(state, notices=(*state.notices, event.notice))


def evolve_opened(state: Pit, event: TableOpened) -> Pit:
    """The table belongs to the pit."""
    tables = {**state.tables, event.table: (RulesInForce(event.since, event.filed),)}
    return replace(state, tables=tables, served=(*state.served, *event.served))


def evolve_changed(state: Pit, event: OptionsChanged) -> Pit:
    """The new rules are listed after the old."""
    held = {
        table: (*state.tables[table], RulesInForce(event.since, filed)) for table, filed in event.tables.items()
    }  # fmt: skip
    return replace(state, tables={**state.tables, **held}, served=(*state.served, *event.served))


def evolve_named(state: Pit, event: WitnessesNamed) -> Pit:
    """The notice has served; the table's own stream says who its witnesses are."""
    return replace(state, served=(*state.served, *event.served))


def evolve_kind(state: Pit, event: TableKindStated) -> Pit:
    """Nothing changes here: the table's own stream says what it is."""
    del event
    return state


def _changes_text(changes: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{option.replace('_', ' ')} is {value}" for option, value in changes)


PIT = Aggregate(
    "pit",
    Pit,
    handlers={
        GiveNotice: give_notice,
        OpenTable: open_table,
        ChangeOptions: change_options,
        ChangeWitnesses: change_witnesses,
        StateTableKind: state_table_kind,
    },
    evolvers={
        NoticeGiven: evolve_notice,
        TableOpened: evolve_opened,
        OptionsChanged: evolve_changed,
        WitnessesNamed: evolve_named,
        TableKindStated: evolve_kind,
    },
    tellers={
        NoticeGiven: lambda x: (
            f"The {x.notice.to} is told{'' if x.notice.written else ', not in writing,'} of "
            f"{x.notice.option.replace('_', ' ')} {x.notice.value} in pit {x.notice.pit}, at {x.notice.sent} seconds."
        ),
        TableOpened: lambda x: (
            f"{x.table} opens under {x.filed.ruleset} {x.filed.hash[:12]}, from {x.since} seconds"
            f"{'' if x.cards is UNSET else f': {cards_text(x.cards)}'}"
            f"{'' if x.witnesses is UNSET else f', witnesses: {witnesses_text(x.witnesses)}'}"
            f"{'' if x.reveal_within is UNSET else f', seeds revealed within {deadline_text(x.reveal_within)}'}."
        ),
        WitnessesNamed: lambda x: (
            f"{x.table} has other witnesses from its next shoe on: {witnesses_text(x.witnesses)}; {x.persons_text}."
        ),
        TableKindStated: lambda x: f"{x.table} is stated to be {cards_text(x.cards)}; {x.persons_text}.",
        OptionsChanged: lambda x: (
            f"From {x.since} seconds {_changes_text(x.changes.items())} at {', '.join(sorted(x.tables))}."
        ),
    },
)
