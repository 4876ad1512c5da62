"""Sessions: tokens that are stored hashed, end at once, by themselves or when told, and survive no clock."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from access_house import NOON, AccessHouse, MemoryStore, allowed, applied, code_of, count
from baccarat.serve.access.base import DAY, HOUR, MINUTE, ONE_SECOND, SKEW, token_hash
from baccarat.serve.access.denial import Denial, Denied
from baccarat.serve.access.log import AccessEvent, read_log
from baccarat.serve.access.session import (
    MOST_SESSIONS,
    NOTED_AFTER,
    RETENTION,
    Lifetimes,
    Session,
    SessionKind,
    end_session,
    ended_sessions,
    expire,
    expiry_denial,
    lock_denial,
    note_use,
    open_session,
    plan_unlock,
    session_by_id,
    sessions_of,
)
from baccarat.serve.store.base import Batch
from baccarat.table.actor import Approval, Origin
from baccarat.table.role import Role

HELD = Session(
    id="session-" + "0" * 32, person="person-" + "1" * 32, role=Role.DEALER, made_at=NOON, seen_at=NOON, acted_at=NOON,
    ends_at=NOON + 12 * HOUR,
)  # fmt: skip
LIVES = Lifetimes()


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse()
    made.add("ana", Role.DEALER, Role.FLOORPERSON)
    yield made
    made.close()


def token(house: AccessHouse) -> str:
    """The token of a new session."""
    return allowed(house.try_sign_on("ana")).token.reveal()


def test_a_token_has_256_bits_and_only_its_hash_is_stored(house: AccessHouse) -> None:
    tokens = {token(house) for _ in range(10)}
    assert len(tokens) == 10
    assert {len(each) for each in tokens} == {43}
    stored = house.store.everything(names=True)
    for each in tokens:
        assert each not in stored
        assert hashlib.sha256(each.encode()).digest() == token_hash(each)
        assert repr(token_hash(each)) in stored
        assert isinstance(house.run(house.desk.session(each)), Session)


def test_a_token_of_another_store_half_a_token_and_rubbish_let_nobody_in(house: AccessHouse) -> None:
    good, other = token(house), AccessHouse()
    other.add("ana", Role.DEALER)
    foreign = token(other)
    other.close()
    held = allowed(house.run(house.desk.session(good)))
    for bad in (
        foreign, good[:21], good[:-1], good + "A", good[:-1] + "_" * (good[-1] != "_"), good.swapcase(), " " + good,
        good + "\n", good + "\0", "", "\0", "x" * 10**6, "\ud800" * 43, "é" * 43, held.id, repr(token_hash(good)),
    ):  # fmt: skip
        if bad != good:
            assert code_of(house.run(house.desk.session(bad))) == "no_session", bad[:50]


def test_a_session_ends_at_once_when_told(house: AccessHouse) -> None:
    good, other = token(house), token(house)
    held = allowed(house.run(house.desk.session(good)))
    assert house.run(house.desk.sign_off(held)) == held.id
    assert house.ended == [held.id]
    assert code_of(house.run(house.desk.session(good))) == "revoked"
    assert code_of(house.run(house.desk.current_session(held))) == "revoked"
    assert isinstance(house.run(house.desk.session(other)), Session), "the other one goes on"
    assert code_of(house.run(house.desk.sign_off(held))) == "no_session", "once"


@pytest.mark.parametrize("id_", ["", "\0", "session-", "x" * 10**6, "session-" + "0" * 32, "' or 1=1"])
def test_a_session_that_is_not_there_is_not_ended(house: AccessHouse, id_: str) -> None:
    token(house)
    assert code_of(house.change(lambda reads, now: end_session(reads, id_, "x", now=now))) == "no_session"
    assert house.ended == []


def test_a_session_that_is_not_used_ends_and_one_that_is_used_goes_on_until_its_whole_time_is_over(
    house: AccessHouse,
) -> None:
    busy, idle = token(house), token(house)
    for _ in range(12 * 60 // 20 - 1):
        house.clock.go(20 * MINUTE)
        held = house.run(house.desk.session(busy))
        assert isinstance(held, Session)
        assert isinstance(house.desk.use(held, acted=True), Session)
    assert code_of(house.run(house.desk.session(idle))) == "expired"
    house.clock.go(20 * MINUTE)
    assert code_of(house.run(house.desk.session(busy))) == "expired"


def test_at_the_very_moment() -> None:
    assert expiry_denial(HELD, now=NOON + LIVES.idle - 1, lifetimes=LIVES) is None
    assert code_of(expiry_denial(HELD, now=NOON + LIVES.idle, lifetimes=LIVES)) == "expired"
    used_late = replace(HELD, seen_at=NOON + LIVES.whole - 2)
    assert expiry_denial(used_late, now=NOON + LIVES.whole - 1, lifetimes=LIVES) is None
    assert code_of(expiry_denial(used_late, now=NOON + LIVES.whole, lifetimes=LIVES)) == "expired"


def test_a_visitor_s_session_lives_two_hours_unused_and_a_day_at_all() -> None:
    visitor = replace(HELD, kind=SessionKind.VISITOR, ends_at=NOON + DAY)
    assert (LIVES.whole_of(SessionKind.VISITOR), LIVES.whole_of(SessionKind.PERSON)) == (DAY, 12 * HOUR)
    assert expiry_denial(visitor, now=NOON + 2 * HOUR - 1, lifetimes=LIVES) is None
    assert code_of(expiry_denial(visitor, now=NOON + 2 * HOUR, lifetimes=LIVES)) == "expired"
    assert LIVES.idle_of(SessionKind.PERSON) == 30 * MINUTE


@pytest.mark.parametrize(
    ("kind", "after", "is_over"),
    [
        (SessionKind.PERSON, 30 * MINUTE - 1, False),
        (SessionKind.PERSON, 30 * MINUTE, True),
        (SessionKind.VISITOR, 2 * HOUR - 1, False),
        (SessionKind.VISITOR, 2 * HOUR, True),
        (SessionKind.PERSON, -SKEW, False),
        (SessionKind.PERSON, -SKEW - 1, True),
    ],
)
def test_tidying_ends_what_is_over_and_nothing_else(kind: SessionKind, after: int, is_over: bool) -> None:
    store = MemoryStore()
    opening = open_session(store, person=HELD.person, role=Role.DEALER, now=NOON, lifetimes=LIVES, kind=kind)
    made = applied(store, opening)
    assert isinstance(session_by_id(store, made.session.id, now=NOON + after, lifetimes=LIVES), Denied) is is_over
    change = expire(store, NOON + after, LIVES)
    assert (change.answer, change.ended) == ((1, (made.session.id,)) if is_over else (0, ()))
    store.append(change.batch)
    found = session_by_id(store, made.session.id, now=NOON, lifetimes=LIVES)
    assert isinstance(found, Denied) is is_over
    assert expire(store, NOON, LIVES).answer == 0


def test_tidying_ends_a_session_whose_whole_time_is_over_though_it_is_used() -> None:
    store = MemoryStore()
    made = applied(store, open_session(store, person=HELD.person, role=Role.DEALER, now=NOON, lifetimes=LIVES))
    for now, ended in ((NOON + LIVES.whole - 1, 0), (NOON + LIVES.whole, 1)):
        store.append(Batch(statements=note_use(made.session, now=now, acted=True)[1]))
        assert expire(store, now, LIVES).answer == ended


# ------------------------------------------------------------------------------------------------ clocks


def test_a_session_that_was_used_in_the_future_is_over() -> None:
    ahead = replace(HELD, seen_at=NOON + HOUR)
    assert code_of(expiry_denial(ahead, now=NOON, lifetimes=LIVES)) == "expired"


def test_a_small_step_back_of_the_clock_ends_nothing_and_a_large_one_ends_it(house: AccessHouse) -> None:
    good = token(house)
    house.clock.wall_now -= SKEW
    assert isinstance(house.run(house.desk.session(good)), Session)
    house.clock.wall_now -= 1
    assert code_of(house.run(house.desk.session(good))) == "expired", "nobody can say when it ends"


def test_a_session_made_while_the_clock_was_years_ahead_does_not_live_for_years(house: AccessHouse) -> None:
    house.clock.wall_now += 5 * 365 * DAY
    good = token(house)
    house.clock.wall_now -= 5 * 365 * DAY
    assert code_of(house.run(house.desk.session(good))) == "expired"


def test_what_is_over_stays_over_when_the_clock_is_set_back(house: AccessHouse) -> None:
    good = token(house)
    held = allowed(house.run(house.desk.session(good)))
    house.clock.go(31 * MINUTE)
    assert house.run(house.desk.tidy()) == 1
    assert house.ended == [held.id]
    house.clock.wall_now -= 30 * MINUTE
    assert code_of(house.run(house.desk.session(good))) == "revoked"


@given(steps=st.lists(st.integers(-2 * HOUR, 2 * HOUR), max_size=20))
def test_the_times_of_a_session_only_go_on_however_the_clock_is_set(steps: list[int]) -> None:
    held, now, seen = HELD, NOON, [HELD]
    for step in steps:
        now += step
        held, _ = note_use(held, now=now, acted=step % 2 == 0)
        seen.append(held)
    assert all(one.seen_at <= two.seen_at and one.acted_at <= two.acted_at for one, two in pairwise(seen))
    assert held.ends_at == HELD.ends_at


@pytest.mark.parametrize(
    ("seen", "acted", "now", "is_act", "is_stored"),
    [
        (0, 0, NOTED_AFTER - 1, True, False),
        (0, 0, NOTED_AFTER, False, True),
        (0, 0, NOTED_AFTER, True, True),
        (MINUTE, 0, MINUTE, True, True),  # looked on all the time, and acts now
        (MINUTE, 0, MINUTE, False, False),
        (MINUTE, MINUTE - NOTED_AFTER, MINUTE, True, True),
        (MINUTE, MINUTE - NOTED_AFTER + 1, MINUTE, True, False),
    ],
)
def test_when_it_is_stored_that_a_session_was_used(
    seen: int, acted: int, now: int, is_act: bool, is_stored: bool
) -> None:
    held = replace(HELD, seen_at=NOON + seen, acted_at=NOON + acted)
    after, statements = note_use(held, now=NOON + now, acted=is_act)
    assert bool(statements) is is_stored
    assert (after != held) is is_stored


def test_unlocking_is_a_use() -> None:
    change = plan_unlock(replace(HELD, device="device-1"), now=NOON + 6 * MINUTE)
    assert (change.answer.seen_at, change.answer.acted_at) == (NOON + 6 * MINUTE, NOON + 6 * MINUTE)
    earlier = plan_unlock(HELD, now=NOON - ONE_SECOND)
    assert (earlier.answer.seen_at, earlier.answer.acted_at) == (NOON, NOON), "times only go on"


def test_a_lock_says_how_long() -> None:
    found = lock_denial(replace(HELD, device="device-1"), now=NOON + 5 * MINUTE)
    assert found is not None
    assert "after 5 minutes" in found.say


def test_that_a_session_is_used_is_not_stored_at_every_act(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    commits = house.store.commits
    for _ in range(60):
        house.clock.go(ONE_SECOND)
        held = allowed(house.desk.use(held, acted=True))
    assert 2 <= house.store.commits - commits <= 3
    assert allowed(house.run(house.desk.current_session(held))).acted_at == held.acted_at


# ----------------------------------------------------------------------------------------------- the rest


def test_a_person_has_so_many_sessions_and_the_one_unused_for_longest_ends_first(house: AccessHouse) -> None:
    tokens = []
    for _ in range(MOST_SESSIONS + 3):
        house.clock.go(ONE_SECOND)
        tokens.append(token(house))
    found = [isinstance(house.run(house.desk.session(each)), Session) for each in tokens]
    assert found == [False] * 3 + [True] * MOST_SESSIONS
    assert len(house.ended) == 3
    person = allowed(house.run(house.desk.session(tokens[-1]))).person
    assert len(sessions_of(house.store, person, now=house.clock.wall(), lifetimes=LIVES)) == MOST_SESSIONS


def test_sessions_that_are_over_for_long_are_forgotten_and_the_log_is_not(house: AccessHouse) -> None:
    token(house)
    house.clock.go(DAY)
    house.run(house.desk.tidy())
    house.clock.go(RETENTION + 1)
    house.run(house.desk.tidy())
    assert count(house.store, "session") == 0
    assert AccessEvent.SIGNED_ON in {line.what for line in read_log(house.store)}


def test_tidying_a_house_in_which_nothing_is_over_writes_nothing(house: AccessHouse) -> None:
    token(house)
    commits = house.store.commits
    for _ in range(20):
        house.clock.go(MINUTE)
        assert house.run(house.desk.tidy()) == 0
    assert house.store.commits == commits


def test_which_of_many_sessions_have_ended_elsewhere(house: AccessHouse) -> None:
    live, gone = house.sign_on("ana"), house.sign_on("ana")
    house.run(house.desk.sign_off(gone))
    ids = [live.id, gone.id, "session-" + "f" * 32]
    assert ended_sessions(house.store, ids) == ids[1:]
    assert ended_sessions(house.store, []) == []
    assert ended_sessions(house.store, [gone.id]) == [gone.id]
    assert len(ended_sessions(house.store, ids * 1000)) == 2000


def test_the_actor_is_the_session_and_nothing_that_a_client_says() -> None:
    second = Approval("person-2", Role.FLOORPERSON, "correct_card")
    envelope = HELD.envelope(second, id_="x", now=NOON + 1)
    assert (envelope.actor.who, envelope.actor.role, envelope.actor.origin) == (HELD.person, Role.DEALER, Origin.PERSON)
    assert envelope.actor.approvals == (second,)
    assert (envelope.id, envelope.at, envelope.device) == ("x", NOON + 1, "")


def test_a_session_whose_role_was_forged_in_memory_is_still_what_is_stored(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    forged = replace(held, role=Role.ADMINISTRATOR)
    assert house.run(house.desk.current_session(forged)) == held


def test_what_was_denied_to_a_known_person_is_logged_and_what_a_visitor_tries_is_not(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    over = house.desk.deny(held, Denied(Denial.EXPIRED), about="show_meters")
    assert over.code == "expired"
    last = read_log(house.store)[-1]
    assert (last.what, last.person, last.about) == (AccessEvent.DENIED, held.person, "expired show_meters")
    visitor = replace(held, kind=SessionKind.VISITOR)
    house.desk.deny(visitor, over, about="show_meters")
    assert read_log(house.store)[-1] == last
