"""Opening: the house's own stream: its pits, and which tables share their meters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from baccarat.house.book import (
    Aggregate,
    BookOutcome,
    Context,
    HouseCommand,
    HouseEvent,
    TableFollows,
    house_cite,
    house_refuse,
)
from baccarat.house.link import join
from baccarat.house.reason import HouseReason
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.bounds import Labels, Means, StreamLabel
from baccarat.table.machine import begin
from baccarat.table.meters import JoinLink, LinkJoined
from baccarat.table.role import ADMINISTRATORS, HOUSE_MANAGERS
from baccarat.table.state import TableState


class HouseLayout(msgspec.Struct, frozen=True, kw_only=True):
    """The pits of a house, and the tables of each link."""

    pits: tuple[str, ...] = ()
    links: dict[str, tuple[str, ...]] = {}


class HouseContext(Context, frozen=True, kw_only=True):
    """What these acts depend on: the tables that are open, their rulebooks and their states."""

    playing: dict[str, Rulebook] = {}
    tables: dict[str, TableState] = {}


class AddPit(HouseCommand, frozen=True, kw_only=True, tag="add_pit"):
    """The house has another pit."""

    name: Annotated[StreamLabel, Means("its name")]
    ROLES = ADMINISTRATORS


class LinkTables(HouseCommand, frozen=True, kw_only=True, tag="link_tables"):
    """Tables that have not been fed yet share their meters from now on."""

    name: Annotated[StreamLabel, Means("its name")]
    tables: Annotated[Labels, Means("the tables")]
    ROLES = ADMINISTRATORS
    SECOND = HOUSE_MANAGERS
    FOLLOWED_BY = TableFollows(
        command=JoinLink, event=LinkJoined, refusal="house_links_its_tables", rule="linked-figure"
    )

    def table_commands(self) -> Iterator[tuple[str, JoinLink]]:
        """Each table joins the link."""
        return ((table, JoinLink(link=self.name)) for table in self.tables)


class PitAdded(HouseEvent, frozen=True, kw_only=True, tag="pit_added"):
    """The house has a new pit."""

    name: str


class TablesLinked(HouseEvent, frozen=True, kw_only=True, tag="tables_linked"):
    """Tables share their meters."""

    name: str
    tables: tuple[str, ...]


def add_pit(context: Context, state: HouseLayout, command: AddPit) -> BookOutcome:
    """Under a name of its own."""
    del context
    if not command.name.strip():
        return house_refuse(HouseReason.INCOMPLETE, "pit_without_a_name", "known-table")
    if command.name in state.pits:
        return house_refuse(HouseReason.TWICE, "pit_known_already", "known-table", name=command.name)
    return [PitAdded(name=command.name, cites=house_cite("known-table"))]


def link_tables(context: HouseContext, state: HouseLayout, command: LinkTables) -> BookOutcome:
    """Tables on the same terms whose meters are still as opened: once wagered on, a table's meters are its own."""
    if not command.name.strip() or command.name in state.links:
        what = "link_known_already" if command.name.strip() else "link_without_a_name"
        return house_refuse(HouseReason.TWICE, what, "known-table", name=command.name)
    if not command.tables:
        return house_refuse(HouseReason.NO_SUCH_TABLE, "link_without_tables", "known-table")
    taken = {table for tables in state.links.values() for table in tables}
    for table in command.tables:
        if table not in context.tables:
            return house_refuse(HouseReason.NO_SUCH_TABLE, "no_such_table", "known-table", table=table)
        if table in taken or command.tables.count(table) > 1:
            return house_refuse(HouseReason.TWICE, "table_linked_already", "known-table", table=table)
        if _meters_differ(context.tables[table], begin(context.playing[table])):
            return house_refuse(
                HouseReason.OUT_OF_ORDER, "table_played_on_before_its_link", "linked-figure", table=table
            )
    if isinstance(joined := join({table: context.playing[table] for table in command.tables}), Refused):
        return joined
    return [TablesLinked(name=command.name, tables=command.tables, cites=house_cite("linked-figure"))]


def _meters_differ(state: TableState, fresh: TableState) -> bool:
    """Whether a table's meters differ from those of one that has just been opened."""
    return state.meters != fresh.meters


def evolve_pit(state: HouseLayout, event: PitAdded) -> HouseLayout:
    """One more pit."""
    return msgspec.structs.replace(state, pits=(*state.pits, event.name))


def evolve_linked(state: HouseLayout, event: TablesLinked) -> HouseLayout:
    """One more link."""
    return msgspec.structs.replace(state, links={**state.links, event.name: event.tables})


HOUSE_BOOK = Aggregate(
    "house",
    HouseLayout,
    handlers={AddPit: add_pit, LinkTables: link_tables},
    evolvers={PitAdded: evolve_pit, TablesLinked: evolve_linked},
    tellers={
        PitAdded: lambda x: f"The house has a pit {x.name}.",
        TablesLinked: lambda x: f"{', '.join(x.tables)} share their meters: link {x.name}.",
    },
)
