"""Another role for whoever is signed on: the old session ends as the new one begins, in one batch or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from access_house import ADDRESS, PASSWORD, AccessHouse, MemoryStore, SetClock, allowed, code_of, count
from baccarat.serve.access import session as sessions
from baccarat.serve.access.base import HOUR, MINUTE, Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.link import VISITOR_ROLES
from baccarat.serve.access.log import AccessEvent, read_log
from baccarat.serve.access.person import set_active, set_roles
from baccarat.serve.access.session import MOST_SESSIONS, IssuedSession, Session, SessionKind
from baccarat.serve.access.throttle import BY_VISIT
from baccarat.serve.setting import TRAINING
from baccarat.serve.store.base import StaleRow
from baccarat.table.role import Role

ROLES = (Role.DEALER, Role.FLOORPERSON, Role.ADMINISTRATOR)


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse()
    made.add("ana", *ROLES)
    made.add("boss", Role.ADMINISTRATOR)
    yield made
    made.close()


def take(
    house: AccessHouse, held: Session, role: Role, *, password: str | None = PASSWORD
) -> IssuedSession | Session | Denied:
    """Ask for another role."""
    given = None if password is None else Secret(password)
    return house.run(house.desk.take_role(held, role, password=given, address=ADDRESS))


def visitor(house: AccessHouse, role: Role = Role.PARTICIPANT) -> Session:
    """Somebody who visits."""
    return allowed(house.run(house.desk.visit(address=ADDRESS, role=role))).session


def issued(found: IssuedSession | Session | Denied) -> IssuedSession:
    """A session that has just begun."""
    assert isinstance(found, IssuedSession), found
    return found


# ------------------------------------------------------------------------------------------ a real house


def test_a_person_takes_another_of_his_roles_and_the_old_session_is_over(house: AccessHouse) -> None:
    old = allowed(house.try_sign_on("ana"))
    before = house.store.commits
    new = issued(take(house, old.session, Role.FLOORPERSON))
    assert house.store.commits == before + 1, "one batch"
    assert (new.session.person, new.session.role) == (old.session.person, Role.FLOORPERSON)
    assert house.run(house.desk.session(new.token.reveal())) == new.session
    assert code_of(house.run(house.desk.session(old.token.reveal()))) == "revoked"
    assert house.ended == [old.session.id], "its sockets are ended"
    assert house.store.read("select why from session where id = ?", (old.session.id,)) == [("exchanged",)]


def test_the_log_says_that_one_session_ended_and_which_began(house: AccessHouse) -> None:
    old = house.sign_on("ana")
    new = issued(take(house, old, Role.FLOORPERSON)).session
    ended, began = read_log(house.store)[-2:]
    assert (ended.what, ended.person, ended.by) == (AccessEvent.SESSION_ENDED, old.person, old.person)
    assert ended.about == f"exchanged, {old.id}"
    assert (began.what, began.person, began.by) == (AccessEvent.SIGNED_ON, old.person, old.person)
    assert began.about == f"floorperson, {new.id}"


@pytest.mark.parametrize(
    ("role", "password", "code"),
    [
        (Role.PIT_BOSS, PASSWORD, "not_your_role"),
        (Role.PUBLIC, PASSWORD, "not_your_role"),
        (Role.FLOORPERSON, "wrong wrong wrong", "wrong_sign_on"),
        (Role.FLOORPERSON, None, "password_needed"),
        (Role.PARTICIPANT, None, "password_needed"),
    ],
)
def test_what_signing_on_would_not_give_no_exchange_gives_and_the_old_session_lives(
    role: Role, password: str | None, code: str, house: AccessHouse
) -> None:
    old = allowed(house.try_sign_on("ana"))
    assert code_of(take(house, old.session, role, password=password)) == code
    assert house.run(house.desk.session(old.token.reveal())) == old.session
    assert house.ended == []
    assert count(house.store, "session") == 1


def test_the_same_role_again_changes_nothing(house: AccessHouse) -> None:
    old = house.sign_on("ana")
    new = issued(take(house, old, Role.FLOORPERSON)).session
    before = house.store.commits
    assert take(house, new, Role.FLOORPERSON) == new
    assert take(house, new, Role.FLOORPERSON, password=None) == new
    assert house.store.commits == before
    assert house.ended == [old.id]


def test_whoever_guesses_the_password_waits_and_keeps_the_session(house: AccessHouse) -> None:
    old = house.sign_on("ana")
    tries = [code_of(take(house, old, Role.ADMINISTRATOR, password=f"wrong wrong {number}")) for number in range(7)]
    assert tries == ["wrong_sign_on"] * 5 + ["too_many_tries"] * 2
    assert code_of(take(house, old, Role.ADMINISTRATOR)) == "too_many_tries", "though it is the right one"
    assert house.run(house.desk.current_session(old)) == old
    house.clock.go(MINUTE)
    assert issued(take(house, old, Role.ADMINISTRATOR)).session.role is Role.ADMINISTRATOR


def test_a_session_that_is_over_is_exchanged_for_nothing(house: AccessHouse) -> None:
    ended, idle = house.sign_on("ana"), house.sign_on("ana")
    house.run(house.desk.sign_off(ended))
    assert code_of(take(house, ended, Role.FLOORPERSON)) == "revoked"
    house.clock.go(HOUR)
    assert code_of(take(house, idle, Role.FLOORPERSON)) == "expired"
    assert count(house.store, "session") == 2


def test_who_is_deactivated_or_loses_the_role_meanwhile_gets_no_session(house: AccessHouse) -> None:
    old = house.sign_on("ana")
    house.done(lambda reads, now: set_roles(reads, old.person, {Role.DEALER}, now=now, by=""))
    assert code_of(take(house, old, Role.FLOORPERSON)) == "not_your_role"
    assert house.run(house.desk.current_session(old)) == old
    house.done(lambda reads, now: set_active(reads, old.person, active=False, now=now, by=""))
    assert code_of(take(house, old, Role.FLOORPERSON)) == "wrong_sign_on", "as when signing on"
    assert count(house.store, "session") == 1


@pytest.mark.parametrize("role", [Role.FLOORPERSON, Role.ADMINISTRATOR])
def test_two_tabs_at_once_make_one_new_session(role: Role, house: AccessHouse) -> None:
    old = house.sign_on("ana")

    async def both() -> list[IssuedSession | Session | Denied]:
        asked = (
            house.desk.take_role(old, each, password=Secret(PASSWORD), address=ADDRESS)
            for each in (Role.FLOORPERSON, role)
        )
        return await asyncio.gather(*asked)

    found = house.run(both())
    made = [each for each in found if isinstance(each, IssuedSession)]
    (late,) = (each for each in found if isinstance(each, Denied))
    assert len(made) == 1
    assert code_of(late) == "revoked"
    assert house.ended == [old.id]
    assert house.store.read("select id from session where ended_at is null") == [(made[0].session.id,)]


def test_a_new_session_that_cannot_be_stored_leaves_the_old_one_living(
    house: AccessHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = allowed(house.try_sign_on("ana"))
    monkeypatch.setattr(sessions, "new_token", lambda: old.token)  # the insert fails: this token already exists
    with pytest.raises(StaleRow):
        take(house, old.session, Role.FLOORPERSON)
    assert house.run(house.desk.session(old.token.reveal())) == old.session
    assert house.ended == []
    assert AccessEvent.SESSION_ENDED not in {line.what for line in read_log(house.store)}


def test_an_exchange_crowds_nobody_out(house: AccessHouse) -> None:
    """A person may have twenty sessions, and has as many after it."""
    held = [house.sign_on("ana") for _ in range(MOST_SESSIONS)]
    for old in (held[0], held[-1]):
        issued(take(house, old, Role.FLOORPERSON))
    assert house.ended == [held[0].id, held[-1].id]
    assert len(house.store.read("select id from session where ended_at is null")) == MOST_SESSIONS


# ------------------------------------------------------------------------------------- a practice house


@pytest.mark.parametrize("role", [role for role in VISITOR_ROLES if role is not Role.PARTICIPANT], ids=str)
def test_a_visitor_takes_any_role_that_is_visited_as_somebody_new(role: Role, practice: AccessHouse) -> None:
    old = visitor(practice)
    new = issued(take(practice, old, role, password=None)).session
    assert (new.role, new.kind) == (role, SessionKind.VISITOR)
    assert new.person != old.person
    assert new.table == ("" if role in (Role.SURVEILLANCE, Role.REGULATOR) else TRAINING)
    assert code_of(practice.run(practice.desk.current_session(old))) == "revoked"
    assert practice.ended == [old.id]
    ended, began = read_log(practice.store)
    assert (ended.what, ended.person, ended.about) == (AccessEvent.SESSION_ENDED, old.person, f"exchanged, {old.id}")
    assert (began.what, began.person, began.by) == (AccessEvent.SIGNED_ON, new.person, old.person)
    assert began.about == f"{role.value}, {new.id}"


@pytest.mark.parametrize("role", [Role.ADMINISTRATOR, Role.PUBLIC])
def test_no_visitor_takes_a_role_that_nobody_visits_in(role: Role, practice: AccessHouse) -> None:
    old = visitor(practice)
    assert code_of(take(practice, old, role, password=None)) == "not_visited"
    assert code_of(take(practice, old, role)) == "wrong_sign_on", "a visitor has no password"
    assert practice.run(practice.desk.current_session(old)) == old


def test_a_person_in_a_practice_house_who_gives_no_password_goes_on_as_a_visitor(practice: AccessHouse) -> None:
    """As after signing off; a role of his own takes his password, there too."""
    practice.add("ana", Role.DEALER, Role.ADMINISTRATOR)
    old = practice.sign_on("ana")
    assert code_of(take(practice, old, Role.ADMINISTRATOR, password=None)) == "not_visited"
    own = issued(take(practice, old, Role.ADMINISTRATOR)).session
    assert (own.person, own.kind) == (old.person, SessionKind.PERSON)
    new = issued(take(practice, own, Role.DEALER, password=None)).session
    assert new.kind is SessionKind.VISITOR
    assert new.person != old.person


def test_whoever_changes_roles_again_and_again_waits_like_a_crowd_of_visitors(practice: AccessHouse) -> None:
    held, roles = visitor(practice), (Role.DEALER, Role.FLOORPERSON)
    for number in range(BY_VISIT.free - 1):
        held = issued(take(practice, held, roles[number % 2], password=None)).session
    assert code_of(take(practice, held, roles[BY_VISIT.free % 2 - 1], password=None)) == "too_many_tries"
    assert take(practice, held, held.role, password=None) == held, "what changes nothing counts as nothing"
    assert practice.run(practice.desk.current_session(held)) == held


def test_the_sessions_of_visitors_are_worth_nothing_in_a_house_that_lets_none_in() -> None:
    store, clock = MemoryStore(), SetClock()
    before = AccessHouse(store, clock=clock, is_practice=True)
    held = visitor(before)
    after = AccessHouse(store, clock=clock)
    assert code_of(take(after, held, Role.DEALER, password=None)) == "password_needed"
    assert code_of(take(after, held, Role.DEALER)) == "wrong_sign_on"
    for house in (before, after):
        house.close()
