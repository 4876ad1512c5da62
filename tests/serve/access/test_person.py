"""People: opaque ids, roles, who may sign on; whatever takes a right away ends what rests on it at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from access_house import NOON, PASSWORD, AccessHouse, allowed, code_of
from baccarat.record.directory import DirectoryEntry
from baccarat.serve.access.base import Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.log import AccessEvent, read_log
from baccarat.serve.access.person import (
    add_person,
    erase_person,
    find_person,
    has_administrator,
    may_act_as,
    people,
    set_active,
    set_password,
    set_roles,
)
from baccarat.table.bounds import Words
from baccarat.table.role import Role

D, F, A = Role.DEALER, Role.FLOORPERSON, Role.ADMINISTRATOR


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse()
    yield made
    made.close()


def test_an_id_is_opaque_and_fits_the_name_in_the_directory(house: AccessHouse) -> None:
    ana = house.add("Ana Maria", D, F)
    assert re.fullmatch(r"person-[0-9a-f]{32}", ana.id)
    [(id_, salt, name)] = house.store.read("select id, salt, text from name")
    assert isinstance(salt, bytes)
    entry = DirectoryEntry(id=str(id_), salt=salt.hex(), text=str(name))
    assert entry.id == ana.id
    assert entry.text == "Ana Maria"
    assert entry.matches_id
    assert house.names.id_of(Words.PERSON, " ANA maria") == ana.id, "a form that names her names this person"
    assert house.names.fill_names(f"{ana.id} sat down") == "Ana Maria sat down"


def test_no_name_stands_beside_the_directory(house: AccessHouse) -> None:
    house.add("Ana Maria", D)
    house.try_sign_on("Ana Maria")
    house.try_sign_on("Ana Maria", password="wrong wrong wrong")
    assert "ana" not in house.store.everything().lower().replace("'dealer'", "")
    assert "Ana Maria" in house.store.everything(names=True)


def test_two_people_never_have_one_id_nor_one_name(house: AccessHouse) -> None:
    one, other = house.add("ana", D), house.add("bob", D)
    assert one.id != other.id
    assert code_of(house.change(lambda reads, now: add_person(reads, house.key, name="ANA", roles={D}, now=now))) == (
        "name_taken"
    )


def test_a_name_that_the_directory_has_already_keeps_its_id(house: AccessHouse) -> None:
    first = house.add("ana", D)
    [(id_, salt, name)] = house.store.read("select id, salt, text from name")
    assert isinstance(salt, bytes)
    entry = DirectoryEntry(id=str(id_), salt=salt.hex(), text=str(name))
    kept = DirectoryEntry(id="person-" + "2" * 32, salt="0" * 64, text="cy")
    change = allowed(add_person(house.store, house.key, name="cy", roles={D}, now=0, entry=kept))
    assert (change.answer.id, change.names) == (kept.id, ())
    taken = house.change(lambda reads, now: add_person(reads, house.key, name="bob", roles={D}, now=now, entry=entry))
    assert code_of(taken) == "name_taken", "no second person under an id that is in use"
    assert find_person(house.store, first.id) == first


@pytest.mark.parametrize(
    "roles",
    [set(), {Role.PUBLIC}, {Role.PUBLIC, D}, {Role.SURVEILLANCE, D}, {Role.REGULATOR, Role.PARTICIPANT},
     {Role.SURVEILLANCE, Role.REGULATOR}],
)  # fmt: skip
def test_roles_that_nobody_has_together(house: AccessHouse, roles: set[Role]) -> None:
    ana = house.add("ana", D)
    made = house.change(lambda reads, now: add_person(reads, house.key, name="bob", roles=roles, now=now))
    assert code_of(made) == "bad_roles"
    assert code_of(house.change(lambda reads, now: set_roles(reads, ana.id, roles, now=now, by=""))) == "bad_roles"
    assert find_person(house.store, ana.id) == ana


def test_whoever_watches_has_that_role_alone_and_may_have_it(house: AccessHouse) -> None:
    for role in (Role.SURVEILLANCE, Role.REGULATOR):
        person = house.add(role.value, role)
        assert house.sign_on(role.value, role).person == person.id


def test_whether_a_person_may_act_in_a_role_now(house: AccessHouse) -> None:
    ana = house.add("ana", D)
    assert may_act_as(house.store, ana.id, D, now=NOON)
    assert not may_act_as(house.store, ana.id, F, now=NOON)
    assert not may_act_as(house.store, "person-" + "0" * 32, D, now=NOON)
    house.done(lambda reads, now: set_active(reads, ana.id, active=False, now=now, by=""))
    assert not may_act_as(house.store, ana.id, D, now=NOON)


def test_one_role_a_session_and_only_ones_own(house: AccessHouse) -> None:
    house.add("ana", D, F)
    assert house.sign_on("ana", D).role is D
    assert house.sign_on("ana", F).role is F
    for role in set(Role) - {D, F}:
        assert code_of(house.try_sign_on("ana", role)) == "not_your_role"


def test_a_role_that_is_taken_away_ends_the_sessions_in_it_and_no_other(house: AccessHouse) -> None:
    ana = house.add("ana", D, F)
    dealing, walking = house.sign_on("ana", D), house.sign_on("ana", F)
    house.done(lambda reads, now: set_roles(reads, ana.id, {F}, now=now, by="boss"))
    assert house.ended == [dealing.id]
    assert code_of(house.run(house.desk.current_session(dealing))) == "revoked"
    assert house.run(house.desk.current_session(walking)) == walking
    assert code_of(house.try_sign_on("ana", D)) == "not_your_role"


def test_whoever_is_no_longer_active_is_out_at_once_and_cannot_come_back(house: AccessHouse) -> None:
    ana = house.add("ana", D)
    token = allowed(house.try_sign_on("ana")).token.reveal()
    house.done(lambda reads, now: set_active(reads, ana.id, active=False, now=now, by="boss"))
    assert code_of(house.run(house.desk.session(token))) == "revoked"
    assert code_of(house.try_sign_on("ana")) == "wrong_sign_on", "as if the name were not known"
    back = house.done(lambda reads, now: set_active(reads, ana.id, active=True, now=now, by="boss"))
    assert back == ana
    assert [line.what for line in read_log(house.store)][-3:] == [
        AccessEvent.DEACTIVATED, AccessEvent.SIGN_ON_FAILED, AccessEvent.ACTIVATED,
    ]  # fmt: skip
    assert code_of(house.run(house.desk.session(token))) == "revoked", "what has ended stays ended"
    assert not isinstance(house.try_sign_on("ana"), Denied)


def test_a_new_password_ends_all_sessions_and_the_old_one_is_wrong(house: AccessHouse) -> None:
    ana = house.add("ana", D)
    before = house.sign_on("ana")
    hashed = allowed(house.run(house.desk.recognition.passwords.hash(Secret("another good one"))))
    assert house.done(lambda reads, now: set_password(reads, ana.id, hashed, now=now, by=ana.id)) == ana
    assert house.ended == [before.id]
    assert code_of(house.try_sign_on("ana")) == "wrong_sign_on"
    assert not isinstance(house.try_sign_on("ana", password="another good one"), Denied)


def test_nobody_signs_on_before_a_password_is_set(house: AccessHouse) -> None:
    house.add("ana", D, password=None)
    for typed in ("", PASSWORD, "None", "null"):
        assert code_of(house.try_sign_on("ana", password=typed)) == "wrong_sign_on"


def test_somebody_who_is_erased_leaves_an_id_and_nothing_else(house: AccessHouse) -> None:
    house.add("boss", A)
    ana = house.add("ana", D)
    held = house.sign_on("ana")
    house.done(lambda reads, now: erase_person(reads, ana.id, now=now, by="boss"))
    assert house.ended == [held.id]
    assert house.store.read("select sign_on, password, roles, active from person where id = ?", (ana.id,)) == [
        (None, None, "", 0)
    ]
    again = house.add("ana", D)
    assert again.id != ana.id, "somebody else may have the name"


def test_the_last_administrator_stays(house: AccessHouse) -> None:
    assert not has_administrator(house.store)
    boss = house.add("boss", A)
    house.add("no password", A, password=None)
    assert has_administrator(house.store)
    for plan in (
        lambda reads, now: set_active(reads, boss.id, active=False, now=now, by=boss.id),
        lambda reads, now: set_roles(reads, boss.id, {D}, now=now, by=boss.id),
        lambda reads, now: erase_person(reads, boss.id, now=now, by=boss.id),
    ):
        assert code_of(house.change(plan)) == "last_administrator"
    house.add("other", A)
    house.done(lambda reads, now: set_active(reads, boss.id, active=False, now=now, by=boss.id))


@pytest.mark.parametrize(
    "id_", ["", "person-", "x" * 10**6, "\0", "\ud800", "person-" + "g" * 32, "person-" + "0" * 32]
)
def test_whoever_is_not_there(house: AccessHouse, id_: str) -> None:
    for plan in (
        lambda reads, now: set_active(reads, id_, active=False, now=now, by=""),
        lambda reads, now: set_roles(reads, id_, {D}, now=now, by=""),
        lambda reads, now: set_password(reads, id_, "x", now=now, by=""),
        lambda reads, now: erase_person(reads, id_, now=now, by=""),
    ):
        assert code_of(house.change(plan)) == "no_such_person"


def test_people_come_in_pages(house: AccessHouse) -> None:
    made = sorted((house.add(f"name {number}", D) for number in range(7)), key=lambda person: person.id)
    found, after = [], ""
    while page := people(house.store, after=after, limit=3):
        found += page
        after = page[-1].id
    assert found == made


def test_what_was_done_stands_in_the_log_by_ids(house: AccessHouse) -> None:
    ana = house.add("Ana Maria", D)
    house.sign_on("ana maria")
    house.try_sign_on("ana maria", password="wrong wrong wrong")
    house.done(lambda reads, now: set_roles(reads, ana.id, {F}, now=now, by="person-boss"))
    lines = read_log(house.store)
    assert [line.what for line in lines] == [
        AccessEvent.PERSON_ADDED, AccessEvent.SIGNED_ON, AccessEvent.SIGN_ON_FAILED, AccessEvent.ROLES_CHANGED,
    ]  # fmt: skip
    assert {line.person for line in lines} == {ana.id}
    assert lines[-1].by == "person-boss"
    assert read_log(house.store, after=lines[1].number, limit=1) == [lines[2]]
