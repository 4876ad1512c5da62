"""Signing on: as much work for a name that nobody has, slower and slower for whoever guesses, right at every moment."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from access_house import ADDRESS, CHEAP, NOON, PASSWORD, AccessHouse, MemoryStore, allowed, applied, code_of, count
from baccarat.serve.access.base import HOUR, MINUTE, ONE_SECOND, Secret, SystemClock
from baccarat.serve.access.change_queue import TRIES
from baccarat.serve.access.denial import Denial, Denied, too_many_tries
from baccarat.serve.access.log import read_log
from baccarat.serve.access.password import PasswordCheck, Passwords
from baccarat.serve.access.person import Person, set_active, set_password
from baccarat.serve.access.session import IssuedSession, Session
from baccarat.serve.access.throttle import BY_ADDRESS, BY_NAME
from baccarat.serve.store.base import Batch, StaleRow, StoreUnavailable
from baccarat.table.role import Role


class Counted(Passwords):
    """Counts how often a password is checked."""

    count = 0

    async def check(self, stored: str | None, password: Secret) -> PasswordCheck | Denied:
        """Count it, and do it."""
        self.count += 1
        return await super().check(stored, password)


class NoWork(Passwords):
    """Every password is wrong at once."""

    async def check(self, stored: str | None, password: Secret) -> PasswordCheck | Denied:
        """It is wrong."""
        del stored, password
        return PasswordCheck(is_right=False)


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse(passwords=Counted(CHEAP))
    made.add("ana", Role.DEALER)
    yield made
    made.close()


def test_somebody_unknown_somebody_wrong_and_somebody_who_is_out_are_told_the_same_after_the_same_work(
    house: AccessHouse,
) -> None:
    out = house.add("out", Role.DEALER)
    house.add("no password", Role.DEALER, password=None)
    house.done(lambda reads, now: set_active(reads, out.id, active=False, now=now, by=""))
    passwords = house.desk.recognition.passwords
    assert isinstance(passwords, Counted)
    answers = []
    for name, password in (
        ("ana", "wrong wrong wrong"), ("nobody", PASSWORD), ("out", PASSWORD), ("no password", PASSWORD),
        ("\0", PASSWORD), ("x" * 10**6, PASSWORD), ("", ""), ("\ud800", "\ud800"),
    ):  # fmt: skip
        before = passwords.count
        answers.append(house.try_sign_on(name, password=password))
        assert passwords.count == before + 1, name[:20]
    assert {code_of(each) for each in answers} == {"wrong_sign_on"}
    assert len({repr(each) for each in answers}) == 1
    assert not isinstance(house.try_sign_on("ana"), Denied)


def test_whoever_guesses_one_name_from_everywhere_waits_longer_and_longer(house: AccessHouse) -> None:
    waits = []
    for number in range(14):
        found = house.try_sign_on("ana", password=f"wrong wrong {number}", address=f"198.51.100.{number}")
        assert isinstance(found, Denied)
        waits.append(found.wait)
        while isinstance(found, Denied) and found.wait:
            house.clock.go(found.wait * ONE_SECOND)
            found = house.try_sign_on("ana", password="wrong wrong", address=f"198.51.100.{number}")
    assert waits == [0] * 5 + [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_whoever_guesses_many_names_from_one_address_waits_too_and_nobody_else_does(house: AccessHouse) -> None:
    found = [code_of(house.try_sign_on(f"name {number}")) for number in range(BY_ADDRESS.free + 3)]
    assert found == ["wrong_sign_on"] * BY_ADDRESS.free + ["too_many_tries"] * 3
    assert code_of(house.try_sign_on("ana")) == "too_many_tries", "from there"
    assert isinstance(house.try_sign_on("ana", address="203.0.113.9"), IssuedSession)


def test_a_network_of_addresses_is_one(house: AccessHouse) -> None:
    for number in range(BY_ADDRESS.free):
        house.try_sign_on(f"name {number}", address=f"2001:db8::{number:x}")
    assert code_of(house.try_sign_on("ana", address="2001:db8::ffff")) == "too_many_tries"


def test_whoever_signs_on_rightly_does_not_wait_for_what_went_before(house: AccessHouse) -> None:
    for _ in range(3):
        for _ in range(BY_NAME.free - 1):
            assert code_of(house.try_sign_on("ana", password="wrong wrong")) == "wrong_sign_on"
        assert isinstance(house.try_sign_on("ana"), IssuedSession)
    for _ in range(200):
        assert isinstance(house.try_sign_on("ana"), IssuedSession), "a whole shift from one address"


def test_while_one_waits_nothing_is_checked_and_nothing_stored(house: AccessHouse) -> None:
    passwords = house.desk.recognition.passwords
    assert isinstance(passwords, Counted)
    for number in range(BY_NAME.free):
        house.try_sign_on("ana", password=f"wrong wrong {number}")
    count, commits = passwords.count, house.store.commits
    for _ in range(1000):
        assert code_of(house.try_sign_on("ana")) == "too_many_tries", "even with the right password"
    assert (passwords.count, house.store.commits) == (count, commits)


def test_the_day_s_clock_does_not_shorten_a_wait(house: AccessHouse) -> None:
    for number in range(BY_NAME.free):
        house.try_sign_on("ana", password=f"wrong wrong {number}")
    for step in (HOUR, -2 * HOUR):
        house.clock.wall_now += step
        assert code_of(house.try_sign_on("ana")) == "too_many_tries"
    house.clock.steady_now += MINUTE
    house.clock.wall_now = NOON
    assert isinstance(house.try_sign_on("ana"), IssuedSession)


@pytest.mark.slow
def test_a_flood_of_sign_ons_with_names_that_nobody_has_leaves_nothing_behind() -> None:
    house = AccessHouse(passwords=NoWork(CHEAP))
    house.add("ana", Role.DEALER)
    stored, desk = house.store.everything(), house.desk

    async def flood() -> None:
        for number in range(50_000):  # more than twice as many as are remembered
            address = f"{number % 200}.{number // 200 % 250}.1.1"
            await desk.sign_on(f"name {number}", Secret(PASSWORD), Role.DEALER, address=address)

    house.run(flood())
    assert house.store.everything() == stored
    assert len(desk.recognition.names) <= 20_000
    assert len(desk.recognition.addresses) <= 20_000
    house.close()


def test_too_many_at_once_is_nobody_s_fault() -> None:
    house = AccessHouse(passwords=Passwords(CHEAP, at_once=1, most_waiting=0))
    for number in range(20):
        house.add(f"name {number}", Role.DEALER)

    async def crowd() -> list[IssuedSession | Denied]:
        tries = (
            house.desk.sign_on(f"name {number}", Secret(PASSWORD), Role.DEALER, address=ADDRESS) for number in range(20)
        )
        return await asyncio.gather(*tries)

    found = house.run(crowd())
    assert {code_of(each) for each in found if isinstance(each, Denied)} == {"busy"}
    assert any(isinstance(each, IssuedSession) for each in found)
    assert len(house.desk.recognition.names) == 0, "nobody's try counts"
    assert all(isinstance(house.try_sign_on(f"name {number}"), IssuedSession) for number in range(20))
    house.close()


# ------------------------------------------------------------------------------------------ at one moment


def meanwhile(house: AccessHouse, what: str) -> None:
    """Change somebody on another node, while the password is being checked on this one."""
    real, store = house.desk.recognition.passwords.check, house.store
    ana = str(store.read("select id from person")[0][0])

    async def check(stored: str | None, password: Secret) -> PasswordCheck | Denied:
        found = await real(stored, password)
        change = (
            set_active(store, ana, active=False, now=NOON, by="")
            if what == "out"
            else set_password(store, ana, CHEAP.hash("another good one"), now=NOON, by="")
        )
        applied(store, change)
        return found

    house.desk.recognition.passwords.check = check  # type: ignore[method-assign]


@pytest.mark.parametrize("what", ["out", "password"])
def test_whoever_is_out_or_has_another_password_a_moment_later_is_not_let_in(house: AccessHouse, what: str) -> None:
    meanwhile(house, what)
    assert code_of(house.try_sign_on("ana")) == "busy"
    assert count(house.store, "session") == 0


class OvertakenStore(MemoryStore):
    """Another node is first, a few times."""

    overtaken = 0

    async def commit(self, batch: Batch) -> None:
        """Refuse it, or store it."""
        if self.overtaken:
            self.overtaken -= 1
            raise StaleRow("another node was first")
        await super().commit(batch)


def test_a_plan_that_was_overtaken_is_made_again_and_not_for_ever() -> None:
    store = OvertakenStore()
    house = AccessHouse(store)
    house.add("ana", Role.DEALER)
    store.overtaken = TRIES - 1
    assert isinstance(house.try_sign_on("ana"), IssuedSession)
    store.overtaken = TRIES
    with pytest.raises(StaleRow):
        house.try_sign_on("ana")
    store.overtaken = 0
    assert isinstance(house.try_sign_on("ana"), IssuedSession), "the desk goes on"
    house.close()


class BrokenStore(MemoryStore):
    """Its disk fails."""

    is_broken = False

    async def commit(self, batch: Batch) -> None:
        """Fail, or store it."""
        if self.is_broken:
            raise StoreUnavailable("disk")
        await super().commit(batch)


def test_a_storage_error_is_not_answered() -> None:
    store = BrokenStore()
    house = AccessHouse(store)
    house.add("ana", Role.DEALER)
    store.is_broken = True
    with pytest.raises(StoreUnavailable):
        house.try_sign_on("ana")
    house.close()


class SlowStore(MemoryStore):
    """A store that takes its time; a test says when it goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.go.set()

    async def commit(self, batch: Batch) -> None:
        """Store it when it is time."""
        await self.go.wait()
        await super().commit(batch)


def test_what_was_begun_is_done_to_the_end_though_whoever_asked_has_gone() -> None:
    store = SlowStore()
    house = AccessHouse(store)
    ana = house.add("ana", Role.DEALER)
    held = house.sign_on("ana")

    async def impatient() -> None:
        store.go.clear()
        asked = asyncio.ensure_future(
            house.desk.change(lambda reads, now: set_active(reads, ana.id, active=False, now=now, by=""))
        )
        await asyncio.sleep(0.01)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert house.ended == []
        store.go.set()
        await asyncio.sleep(0.01)

    house.run(impatient())
    assert house.ended == [held.id], "the sockets are closed"
    assert code_of(house.run(house.desk.current_session(held))) == "revoked"
    house.close()


def test_a_crowd_of_visitors_waits_for_one_another_no_longer_than_for_one_batch() -> None:
    store = SlowStore()
    house = AccessHouse(store, is_practice=True)

    async def crowd() -> list[IssuedSession | Denied]:
        store.go.clear()
        tries = [asyncio.ensure_future(house.desk.visit(address=ADDRESS)) for _ in range(100)]
        await asyncio.sleep(0.01)
        assert not any(each.done() for each in tries), "nobody is in before it is stored"
        store.go.set()
        return await asyncio.gather(*tries)

    assert all(isinstance(each, IssuedSession) for each in house.run(crowd()))
    house.close()


def test_a_password_is_stored_anew_when_the_parameters_have_changed() -> None:
    old = AccessHouse(passwords=Passwords(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)))
    old.add("ana", Role.DEALER)
    before = old.store.read("select password from person")
    assert isinstance(old.try_sign_on("ana"), IssuedSession)
    after = old.store.read("select password from person")
    assert before != after
    assert "m=16,t=2" in str(after)
    assert isinstance(old.try_sign_on("ana"), IssuedSession)
    assert old.store.read("select password from person") == after, "once"
    old.close()


NEW = "another good password"


def change_password(house: AccessHouse, held: Session, old: str = PASSWORD, new: str = NEW) -> Person | Denied:
    """Change one's own password."""
    return house.run(house.desk.change_password(held, Secret(old), Secret(new)))


def test_whoever_is_signed_on_changes_his_own_password_and_signs_on_again(house: AccessHouse) -> None:
    held, other = house.sign_on("ana"), house.sign_on("ana")
    assert code_of(change_password(house, held, old="wrong wrong wrong")) == "wrong_sign_on"
    assert code_of(change_password(house, held, new="short")) == "bad_password"
    assert house.run(house.desk.current_session(held)) == held
    assert allowed(change_password(house, held)).id == held.person
    assert set(house.ended) == {held.id, other.id}
    assert code_of(house.try_sign_on("ana")) == "wrong_sign_on"
    assert isinstance(house.try_sign_on("ana", password=NEW), IssuedSession)
    assert code_of(change_password(house, held, old=NEW, new=PASSWORD)) == "revoked", "not with a session that is over"
    tries = [code_of(change_password(house, held, old=f"wrong wrong {number}")) for number in range(7)]
    assert tries == ["wrong_sign_on"] * 5 + ["too_many_tries"] * 2


def test_a_visitor_has_no_password_to_change() -> None:
    house = AccessHouse(is_practice=True)
    held = allowed(house.run(house.desk.visit(address=ADDRESS))).session
    assert code_of(change_password(house, held, old="")) == "wrong_sign_on"
    house.close()


# ---------------------------------------------------------------------------------------------- sentences


def test_every_denial_is_a_plain_sentence() -> None:
    assert len({why.value for why in Denial}) == len(Denial.__members__)
    for sentence in (why.value for why in Denial):
        assert sentence.endswith(".")
        assert sentence[0].isupper() or sentence.startswith("“")


@pytest.mark.parametrize(
    ("micro", "said"),
    [(1, "1 second "), (ONE_SECOND, "1 second "), (ONE_SECOND + 1, "2 seconds"), (119 * ONE_SECOND, "119 seconds"),
     (120 * ONE_SECOND, "2 minutes"), (15 * MINUTE, "15 minutes")],
)  # fmt: skip
def test_how_long_to_wait_is_told(micro: int, said: str) -> None:
    assert said in too_many_tries(micro).say


def test_the_machines_own_clocks_tell_microseconds() -> None:
    clock = SystemClock()
    assert clock.wall() > 1_700_000_000 * ONE_SECOND
    one = clock.steady()
    assert one <= clock.steady()


def test_nothing_but_what_happened_stands_in_the_log(house: AccessHouse) -> None:
    for number in range(30):
        house.try_sign_on(f"nobody {number}", address=f"198.51.100.{number}")
    assert len(read_log(house.store)) == 1, "only that ana was added: whoever is not known is not logged"
    allowed(house.try_sign_on("ana"))
    assert len(read_log(house.store)) == 2
