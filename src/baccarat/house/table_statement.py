"""What two persons state of a table of a pit: that it has other witnesses, or what it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

from baccarat.house.book import BookOutcome, ByTwo, Context, TableFollows, house_cite, house_refuse
from baccarat.house.notice import Notice
from baccarat.house.pit import Pit, PitCommand
from baccarat.house.reason import HouseReason
from baccarat.house.rule import cite_house
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.bounds import Instant, Means, StreamLabel
from baccarat.table.role import PIT_MANAGERS
from baccarat.table.table_cards import TableCards
from baccarat.table.table_kind import AdoptKind, KindAdopted
from baccarat.table.witness_change import AdoptWitnesses, WitnessesChanged
from baccarat.table.witness_keys import WitnessKeys

WITNESSES = "witnesses"
"""What a notice of a change of witnesses names in place of an option, and the house rule about them."""
TABLE_KIND_RULE = "table-kind"
"""The house rule about what a table is."""


WITNESS_NOTICE_TO, WITNESS_NOTICE_SECONDS = "surveillance", 3_600
"""Who is notified of a change of witnesses, and how long before."""


class ChangeWitnesses(PitCommand, frozen=True, kw_only=True, tag="change_witnesses"):
    """Other witnesses have a share in the order of a table's shoes, from its next commitment on."""

    table: Annotated[StreamLabel, Means("the table")]
    witnesses: Annotated[WitnessKeys, Means("the share keys of its witnesses from now on, sorted")]
    effective: Annotated[Instant, Means("when it takes effect; the notice must have been given long enough before")]
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
    """Two persons record the kind of a table opened before that was required, once, between two shoes."""

    table: Annotated[StreamLabel, Means("the table", listed="table")]
    cards: Annotated[TableCards, Means("the kind of table: real cards, an electronic shoe, or one the program deals")]
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


def change_witnesses(context: Context, state: Pit, command: ChangeWitnesses) -> BookOutcome:
    """On notice to surveillance, in writing, of exactly these witnesses; the table itself says whether it has any."""
    if command.table not in state.tables:
        said = {"pit": state.name, "table": command.table}
        return house_refuse(HouseReason.NO_SUCH_TABLE, "pit_has_no_such_table", WITNESSES, **said)
    value = witnesses_notice(command.table, command.witnesses)
    given = [each for each in state.unused_of(WITNESSES) if each.to == WITNESS_NOTICE_TO and each.written]
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


def evolve_named(state: Pit, event: WitnessesNamed) -> Pit:
    """The notice has served; the table's own stream says who its witnesses are."""
    return state.with_served(event.served)


def evolve_kind(state: Pit, event: TableKindStated) -> Pit:
    """Nothing changes here: the table's own stream says what it is."""
    del event
    return state
