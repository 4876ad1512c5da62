"""Access on SQLite and on PostgreSQL: restarts, an approval with its record, one use at one moment, erasing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from argon2 import PasswordHasher

from access_house import ADDRESS, PASSWORD, SetClock, allowed, code_of
from baccarat.house.cage_act import FillTray
from baccarat.house.inventory import Inventory
from baccarat.house.stream import Stream
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.serve.access import session as sessions
from baccarat.serve.access.base import MINUTE, AccessChange, Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.desk import AccessControl
from baccarat.serve.access.link import Purpose, administrator_link, use_code, visit
from baccarat.serve.access.log import AccessEvent, read_log
from baccarat.serve.access.password import Passwords
from baccarat.serve.access.person import add_person, erase_person, has_administrator, set_roles
from baccarat.serve.access.proposal import ApprovedCommand, Approver, ProposalState, approve, find_proposal
from baccarat.serve.access.session import IssuedSession, Lifetimes, Session
from baccarat.serve.access.ticket import Ticket, redeem_stored, stored_ticket
from baccarat.serve.store.base import Batch, Row, StaleHead, StaleRow, Statement, Store
from baccarat.serve.store.row import RowReads
from baccarat.table.role import Role
from store_place import SqlitePlace, StorePlace

T = TypeVar("T")
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
FILL = FillTray(table="T1", chips=Inventory({5_00: 10}))
ID = "0190f5e4-0000-7000-8000-000000000001"
NAME = "Zebedee Quux"


class OnDisk:
    """A store with a desk; batches are stored in another thread."""

    def __init__(self, store: Store, clock: SetClock, *, is_practice: bool = False) -> None:
        self.store = store
        self._reader = store.reader()
        self.reads: RowReads = self._reader
        self.runner = asyncio.Runner()
        self.ended: list[str] = []
        self.desk = AccessControl(
            self,
            house=self.store.id,
            clock=clock,
            is_practice=is_practice,
            passwords=Passwords(CHEAP),
            on_ended=self.ended.extend,
        )

    async def ask(self, question: Callable[[RowReads], T]) -> T:
        """The answer to a question, in another thread."""
        return await asyncio.to_thread(question, self.reads)

    async def commit(self, batch: Batch) -> None:
        """Store a batch."""
        await asyncio.to_thread(self.store.append, batch)

    def add(self, batch: Batch) -> None:
        """Store a batch without anybody waiting."""
        self.store.append(batch)

    def close(self) -> None:
        """Close all."""
        self.desk.close()
        self.runner.close()
        self._reader.close()
        self.store.close()

    def person(self, name: str, *roles: Role) -> str:
        """Somebody who may sign on."""
        hashed = CHEAP.hash(PASSWORD)
        made = self.runner.run(
            self.desk.change(
                lambda reads, now: add_person(reads, self.store.id, name=name, roles=roles, now=now, password=hashed)
            )
        )
        return allowed(made).id

    def sign_on(self, name: str, role: Role) -> IssuedSession:
        """Sign on."""
        return allowed(self.runner.run(self.desk.sign_on(name, Secret(PASSWORD), role, address=ADDRESS)))


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def house(store_place: StorePlace, clock: SetClock) -> Iterator[OnDisk]:
    made = OnDisk(store_place.open(), clock)
    yield made
    made.close()


@pytest.mark.slow
def test_sessions_and_people_survive_a_restart_and_what_was_ended_stays_so(
    store_place: StorePlace, clock: SetClock
) -> None:
    first = OnDisk(store_place.open(), clock)
    link = allowed(first.runner.run(first.desk.change(lambda _reads, now: administrator_link(now=now))))
    allowed(first.runner.run(first.desk.make_administrator(link.reveal(), "boss", Secret(PASSWORD), address=ADDRESS)))
    live, gone = first.sign_on("boss", Role.ADMINISTRATOR), first.sign_on("boss", Role.ADMINISTRATOR)
    first.runner.run(first.desk.sign_off(gone.session))
    ticket = allowed(first.desk.give_ticket(live.session, table="T1", address="here"))
    first.close()

    again = OnDisk(store_place.open(), clock)
    assert has_administrator(again.reads)
    assert again.runner.run(again.desk.session(live.token.reveal())) == live.session
    assert code_of(again.runner.run(again.desk.session(gone.token.reveal()))) == "revoked"
    assert code_of(again.runner.run(again.desk.take_ticket(ticket.token.reveal(), address="here"))) == "no_ticket", (
        "clients ask again"
    )
    used = again.runner.run(again.desk.make_administrator(link.reveal(), "another", Secret(PASSWORD), address=ADDRESS))
    assert code_of(used) == "no_code"
    clock.go(31 * MINUTE)
    assert code_of(again.runner.run(again.desk.session(live.token.reveal()))) == "expired"
    again.close()


@pytest.mark.slow
def test_a_token_of_another_store_lets_nobody_in(tmp_path: Path, clock: SetClock, house: OnDisk) -> None:
    other = OnDisk(SqlitePlace(tmp_path / "other.db").open(), clock)
    for each in (house, other):
        each.person("ana", Role.DEALER)
    token = other.sign_on("ana", Role.DEALER).token.reveal()
    assert isinstance(other.runner.run(other.desk.session(token)), Session)
    assert code_of(house.runner.run(house.desk.session(token))) == "no_session"
    keys = [each.store.read("select sign_on from person") for each in (house, other)]
    assert keys[0] != keys[1], "one name, two stores"
    other.close()


@pytest.mark.slow
def test_an_approval_is_stored_with_its_record_or_not_at_all(house: OnDisk) -> None:
    house.person("flo", Role.FLOORPERSON)
    house.person("cas", Role.CAGE_CASHIER)
    floor, cage = house.sign_on("flo", Role.FLOORPERSON).session, house.sign_on("cas", Role.CAGE_CASHIER).session
    made = allowed(house.runner.run(
        house.desk.propose(floor, id_=ID, stream=Stream("cage"), command=FILL, sits_at=lambda _table, _seat: "")
    ))  # fmt: skip

    def record(approved: ApprovedCommand, seq: int) -> Row:
        body, actor = b"{}", approved.envelope.actor
        return Row(Stream("cage"), seq, body, hash_after(NO_HASH, body), 1, approved.envelope.id, actor.who)

    async def behind(approved: ApprovedCommand, statements: tuple[Statement, ...]) -> ApprovedCommand:
        await house.commit(Batch(rows=(record(approved, 7),), statements=statements))
        return approved

    async def right(approved: ApprovedCommand, statements: tuple[Statement, ...]) -> ApprovedCommand:
        if not approved.is_repeat:
            await house.commit(Batch(rows=(record(approved, 0),), statements=statements))
        return approved

    with pytest.raises(StaleHead):
        house.runner.run(house.desk.approve(cage, id_=ID, seen=made.hash.hex(), enter=behind))
    found = find_proposal(house.reads, ID)
    assert found is not None
    assert found.state is ProposalState.OPEN, "no record, no approval"
    assert "cage" not in house.store.heads()

    for _ in range(3):
        approved = house.runner.run(house.desk.approve(cage, id_=ID, seen=made.hash.hex(), enter=right))
        assert isinstance(approved, ApprovedCommand)
    assert house.store.heads()[Stream("cage")].seq == 0
    assert house.store.answer(ID, floor.person) is not None
    after = find_proposal(house.reads, ID)
    assert after is not None
    assert after.state is ProposalState.APPROVED


@pytest.mark.slow
def test_what_two_nodes_plan_at_one_moment_is_done_by_one_of_them(house: OnDisk) -> None:
    """Each plan is made on the same store; the second batch is refused whole, and its plan, made again, is denied."""
    store, now = house.store, house.desk.now
    flo = house.person("flo", Role.FLOORPERSON)
    house.person("cas", Role.CAGE_CASHIER)
    floor, cage = house.sign_on("flo", Role.FLOORPERSON).session, house.sign_on("cas", Role.CAGE_CASHIER).session
    made = allowed(house.runner.run(
        house.desk.propose(floor, id_=ID, stream=Stream("cage"), command=FILL, sits_at=lambda _table, _seat: "")
    ))  # fmt: skip
    link = allowed(house.runner.run(house.desk.change(lambda _reads, now: administrator_link(now=now)))).reveal()
    ticket = Ticket.for_session(floor, table="T1", address="here")
    assert isinstance(ticket, Ticket)
    given = stored_ticket(ticket, now)
    store.append(given.batch)
    token, seen = given.answer.token.reveal(), made.hash.hex()
    plans: list[Callable[[], AccessChange[Any] | Denied]] = [
        lambda: approve(store, Approver.from_session(cage), id_=ID, seen=seen, now=now),
        lambda: use_code(store, link, Purpose.ADMINISTRATOR, now=now),
        lambda: redeem_stored(store, token, address="here", now=now),
        lambda: set_roles(store, flo, {Role.DEALER}, now=now, by=""),
        lambda: add_person(store, store.id, name="dan", roles={Role.DEALER}, now=now),
        lambda: visit(store, is_practice=True, role=Role.DEALER, now=now, lifetimes=Lifetimes(), instead_of=cage),
    ]
    for plan in plans:
        one, other = allowed(plan()), allowed(plan())
        store.append(one.batch)
        with pytest.raises(StaleRow):
            store.append(other.batch)


@pytest.mark.slow
def test_a_session_is_exchanged_once_though_two_nodes_are_asked_at_one_moment(
    store_place: StorePlace, clock: SetClock
) -> None:
    """Two tabs of one browser, each at another node: one goes on, and the other is told that its session was ended."""
    one = OnDisk(store_place.open(), clock, is_practice=True)
    reader = one.store.reader()
    other = AccessControl(one, house=one.store.id, clock=clock, is_practice=True, passwords=Passwords(CHEAP))
    one.person("ana", Role.DEALER, Role.FLOORPERSON, Role.PIT_BOSS)
    visits = allowed(one.runner.run(one.desk.visit(address=ADDRESS)))
    for held, password in ((one.sign_on("ana", Role.DEALER), Secret(PASSWORD)), (visits, None)):

        async def both(held: Session = held.session, password: Secret | None = password) -> list[Any]:
            asked = zip((one.desk, other), (Role.FLOORPERSON, Role.PIT_BOSS), strict=True)
            return await asyncio.gather(
                *(desk.take_role(held, role, password=password, address=ADDRESS) for desk, role in asked)
            )

        found = one.runner.run(both())
        (made,) = (each for each in found if isinstance(each, IssuedSession))
        (late,) = (each for each in found if isinstance(each, Denied))
        assert code_of(late) == "revoked"
        assert code_of(one.runner.run(one.desk.session(held.token.reveal()))) == "revoked"
        assert one.runner.run(one.desk.session(made.token.reveal())) == made.session
        lines = [(each.what, each.about) for each in read_log(reader)][-2:]
        assert lines == [
            (AccessEvent.SESSION_ENDED, f"exchanged, {held.session.id}"),
            (AccessEvent.SIGNED_ON, f"{made.session.role.value}, {made.session.id}"),
        ]
    assert len(reader.read("select id from session where ended_at is null")) == 2
    reader.close()
    other.close()
    one.close()


@pytest.mark.slow
def test_an_exchange_that_the_store_refuses_leaves_the_old_session_living(
    house: OnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.person("ana", Role.DEALER, Role.FLOORPERSON)
    old = house.sign_on("ana", Role.DEALER)
    monkeypatch.setattr(sessions, "new_token", lambda: old.token)  # the insert fails: this token already exists
    with pytest.raises(StaleRow):
        house.runner.run(
            house.desk.take_role(old.session, Role.FLOORPERSON, password=Secret(PASSWORD), address=ADDRESS)
        )
    assert house.runner.run(house.desk.session(old.token.reveal())) == old.session
    assert house.ended == []
    assert AccessEvent.SESSION_ENDED not in {line.what for line in read_log(house.reads)}


def test_a_person_who_is_erased_is_in_no_file_of_the_store(tmp_path: Path, clock: SetClock) -> None:
    house = OnDisk(SqlitePlace(tmp_path / "house.db").open(), clock)
    house.person("boss", Role.ADMINISTRATOR)
    id_ = house.person(NAME, Role.DEALER)
    house.sign_on(NAME, Role.DEALER)
    assert _stands_in_files(tmp_path, NAME)
    erased = house.runner.run(house.desk.change(lambda reads, now: erase_person(reads, id_, now=now, by="")))
    assert erased == id_
    assert house.store.erase([id_]) == 1
    found = house.runner.run(house.desk.sign_on(NAME, Secret(PASSWORD), Role.DEALER, address=ADDRESS))
    assert isinstance(found, Denied)
    house.close()
    assert not _stands_in_files(tmp_path, NAME)


def _stands_in_files(folder: Path, text: str) -> bool:
    return any(text.lower().encode() in path.read_bytes().lower() for path in folder.iterdir())
