"""Founding a house: what a new one contains, and the kind of house that a store is for, which never changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from baccarat.engine.entries import AnyCommand
from baccarat.house.book import HouseCommand
from baccarat.house.cage import tray_of
from baccarat.house.cage_act import BringBankroll, CloseTray, OpenTray
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import AddPit
from baccarat.house.inventory import Inventory
from baccarat.house.notice import Notice
from baccarat.house.pit_book import GiveNotice
from baccarat.house.state import HouseState
from baccarat.house.stream import CAGE_STREAM, HOUSE_STREAM, pit_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions, usual_submission
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.house import HouseEngine
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.runtime.recovery import RecoveredHouse
from baccarat.serve.setting import FORMS_TRAINING, TRAINING, Mode, Setting, is_for_training
from baccarat.serve.store.base import Store, StoreError
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from baccarat.table.witness_keys import witnesses_text

MODE_SETTING = "mode"
"""The setting of a store that says which kind of house it is for."""


def check_mode(setting: Setting, kept: str | None, writer: GroupCommitter[PendingBatch], *, is_new: bool) -> None:
    """Store the kind of house in a new store; `StoreError` if `kept`, that of an existing store, is the other kind.

    Visitors and automated dealers have acted in a practice house: its journal must not pass for that of real tables.
    """
    wanted = setting.mode.value
    if kept is None and is_new:
        writer.batch.settings[MODE_SETTING] = wanted
        writer.stage()
    elif (kept or Mode.PRACTICE.value) != wanted:
        how = "without --production" if setting.mode is Mode.PRODUCTION else "with --production"
        raise StoreError(
            f"{setting.place}: is the store of a {kept} house, which cannot change; name another, or serve {how}"
        )


def check_reopened(before: HouseServer, store: Store, found: RecoveredHouse | None) -> None:
    """`StoreError` if what is stored is not the house from which this node was cut off, as far as that was durable.

    A database that went back in time, such as a standby that had not received everything, has lost what was answered.
    A copy in another server, which may be written at the same time, is refused though nothing in it is wrong.
    """
    place = before.setting.place
    if store.id != before.store.id or found is None or before.node is None:
        raise StoreError(f"{place}: a different house from the one that was served from it")
    if store.system_id != before.store.system_id:
        raise StoreError(
            f"{place}: a different database server (identifier {store.system_id or 'unknown'}, expected "
            f"{before.store.system_id or 'unknown'}). The original may still be written to; stop every node before "
            "serving a copy"
        )
    for stream, head in before.node.durable_heads().items():
        stored = found.heads.get(stream)
        if stored is None or stored.seq < head.seq:
            raise StoreError(
                f"{place}: {stream} ends at entry {stored.seq if stored else -1}, but entry {head.seq} was stored "
                "there and acknowledged: the database has lost entries; find out why before serving it"
            )
        entry = store.entry(stream, head.seq)
        if entry is not None and entry.hash != head.hash:  # a practice table may have dropped it
            raise StoreError(
                f"{place}: entry {head.seq} of {stream} differs from the one that was acknowledged; the database "
                "has a different history: find out why before serving it"
            )


def unstated_tables(state: HouseState) -> Iterator[str]:
    """Tables that were opened before the kind of a table was recorded, and what to do about each."""
    for table, held in sorted(state.tables.items()):
        if held.cards is UNSET:
            yield (
                f"{table}: its kind is not recorded, so no electronic shoe starts there and the program does not "
                "deal. Two persons record it in the pit's book, between two shoes (state_table_kind)"
            )


def witness_differences(state: HouseState, known: Collection[str]) -> Iterator[str]:
    """How the file of witnesses differs from the records of electronic tables, and what to do about it.

    `known` are the share keys of the file. The record decides: the file says only where a witness is found.
    """
    for table, held in sorted(state.tables.items()):
        if held.witnesses is UNSET:
            continue
        missing = [key for key in held.witnesses if key not in known]
        if missing:
            yield (
                f"{table}: its witness {witnesses_text(tuple(missing))} is not in witness_keys, so no shoe can "
                "commit. Restore the line, or change the witnesses in the pit's book (change_witnesses)"
            )
        more = tuple(sorted(set(known) - set(held.witnesses)))
        if more:
            yield (
                f"{table}: {witnesses_text(more)} is in witness_keys but is no witness of this table, so it is not "
                "asked for shares. To add it, change the witnesses in the pit's book (change_witnesses)"
            )


def create_practice_house(
    house: HouseEngine, witnesses: Sequence[str] = (), *, reveal_within: StatedDeadline = UNSET
) -> None:
    """Create what a practice house has: a table for each shipped Submission, two for training, and money in the cage.

    An older house gets what it lacks of the last two. `witnesses` are the share keys that its tables state, and
    `reveal_within` is the deadline for their seeds.
    """
    wanted = dict(TRAINING_RULES)
    if not house.state.tables:
        wanted = {**{name: (name, {}) for name in shipped_submissions()}, **wanted}
    for name, (submission, terms) in wanted.items():
        if name not in house.state.tables:
            _open_practice_table(house, name, rulebook(submission, **terms), tuple(sorted(witnesses)), reveal_within)
    if not house.state.day.is_closed:
        _stock_cage(house)


TRAINING_RULES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    TRAINING: (usual_submission("training"), {"goodwill_limit": "$500.00", "vig_collection": "deferred"}),
    FORMS_TRAINING: (usual_submission("forms"), {"vig_collection": "deferred"}),
}
"""The tables that visitors deal, with what their Submissions elect beyond a shipped one, so that all of the house's
work arises there: what is given away, vigorish that is owed, and the forms by which it is waived."""
BANKROLL = 20_000_000_00
OPENING_CHIPS = Inventory({25: 400, 1_00: 1_000, 5_00: 2_000, 25_00: 2_000, 100_00: 1_000, 500_00: 200, 1_000_00: 100})
"""The tray of a practice table: more than its participants win in many shoes."""


def _stock_cage(house: HouseEngine) -> None:
    """Bring the bankroll of a practice house, and open each tray that is not open.

    A tray that an older house has used without opening it is closed first, by a count that finds nothing there.
    """
    admin, floor = (Actor(who=role.value, role=role) for role in (Role.ADMINISTRATOR, Role.FLOORPERSON))
    if not house.state.cage.bankroll:
        _enter_by_two(house, BringBankroll(amount=BANKROLL), admin, Role.CAGE_CASHIER)
    for table in house.state.tables:
        if table in house.state.cage.trays:
            continue
        if house.state.ledger.balance(tray_of(table)):
            _enter_by_two(house, CloseTray(table=table, counted=Inventory({})), floor, Role.PIT_BOSS)
        _enter_by_two(house, OpenTray(table=table, chips=OPENING_CHIPS), floor, Role.CAGE_CASHIER)


def _enter_by_two(house: HouseEngine, act: HouseCommand, actor: Actor, second: Role) -> None:
    """Enter an act of the cage that somebody does with a second person."""
    approval = Approval(second.value, second, str(act.__struct_config__.tag))
    kept = house.enter(CAGE_STREAM, act, Envelope(actor=replace(actor, approvals=(approval,))))
    assert kept.refused is None, kept.refused


def _open_practice_table(
    house: HouseEngine, name: str, rules: Rulebook, witnesses: tuple[str, ...], within: StatedDeadline
) -> None:
    """Open a table in a pit of its own, because the tables of a pit share some options."""
    admin = Envelope(actor=Actor(who=Role.ADMINISTRATOR.value, role=Role.ADMINISTRATOR))
    second = Approval(Role.CAGE_CASHIER.value, Role.CAGE_CASHIER, "open_table")
    approvals = (second,) if rules.elections.goodwill_limit else ()
    boss = Envelope(actor=Actor(who=Role.PIT_BOSS.value, role=Role.PIT_BOSS, approvals=approvals))
    acts: list[AnyCommand] = [GiveNotice(notice=notice) for notice in _notices(rules, name)]
    house.enter(HOUSE_STREAM, AddPit(name=name), admin)
    cards = TableCards.REAL if is_for_training(name) else TableCards.AUTOMATED  # in training a visitor deals
    opened = OpenTable(table=name, filed=file_rules(rules), effective=0, cards=cards)
    if cards is not TableCards.REAL:
        opened = replace(opened, witnesses=witnesses, reveal_within=within)
    for act in (*acts, opened):
        kept = house.enter(pit_stream(name), act, boss)
        assert kept.refused is None, f"{name}: {kept.refused}"


def _notices(rules: Rulebook, pit: str) -> Iterator[Notice]:
    """The notices to surveillance and the Commission before a table opens; in practice, dated before all time."""
    for law in rules.edition.notices:
        for option in law.options:
            for whom in law.to:
                yield Notice(to=whom, pit=pit, option=option, value=rules.elects(option), sent=-86_400)
