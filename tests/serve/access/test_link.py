"""One-time links and codes: once, in time, stored as hashes; visitors in practice alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from access_house import ADDRESS, PASSWORD, AccessHouse, allowed, code_of, count
from baccarat.serve.access.base import DAY, HOUR, MINUTE, SKEW, Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.link import (
    CODE_LASTS,
    LINK_LASTS,
    Purpose,
    administrator_link,
    code_hash,
    make_code,
    new_code,
    password_link,
    use_code,
)
from baccarat.serve.access.person import Person, set_active
from baccarat.serve.access.session import SessionKind
from baccarat.serve.access.throttle import BY_CODE, BY_VISIT
from baccarat.table.role import Role


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse()
    yield made
    made.close()


def link(house: AccessHouse) -> str:
    """The secret of a new link for an administrator."""
    return house.done(lambda _reads, now: administrator_link(now=now)).reveal()


def make(house: AccessHouse, secret: str, name: str = "boss", password: str = PASSWORD) -> Person | Denied:
    """Use a link."""
    return house.run(house.desk.make_administrator(secret, name, Secret(password), address=ADDRESS))


def test_the_administrator_is_made_by_a_link_once(house: AccessHouse) -> None:
    secret = link(house)
    assert secret not in house.store.everything()
    boss = allowed(make(house, secret))
    assert boss.roles == {Role.ADMINISTRATOR}
    assert house.sign_on("boss", Role.ADMINISTRATOR).person == boss.id
    assert code_of(make(house, secret, "another")) == "no_code"


def test_a_link_lapses(house: AccessHouse) -> None:
    secret = link(house)
    house.clock.go(LINK_LASTS)
    assert code_of(make(house, secret)) == "no_code"


def test_a_newer_link_voids_the_older_one(house: AccessHouse) -> None:
    old, new = link(house), link(house)
    assert code_of(make(house, old)) == "no_code"
    assert isinstance(make(house, new), Person)


def test_a_link_is_not_used_up_by_a_bad_name_or_a_bad_password(house: AccessHouse) -> None:
    secret = link(house)
    assert code_of(make(house, secret, "\0")) == "bad_name"
    assert code_of(make(house, secret, password="short")) == "bad_password"
    assert isinstance(make(house, secret), Person)


def test_a_link_of_another_store_or_for_another_purpose_is_none(house: AccessHouse) -> None:
    other = AccessHouse()
    foreign = link(other)
    other.close()
    ana = house.add("ana", Role.DEALER, password=None)
    for_password = house.done(lambda reads, now: password_link(reads, ana.id, by="", now=now)).reveal()
    link(house)
    for bad in (foreign, for_password, "", "x" * 43, "x" * 10**6, "\0", "\ud800"):
        assert code_of(make(house, bad)) == "no_code"


def test_links_are_not_tried_without_end(house: AccessHouse) -> None:
    found = [code_of(make(house, "x" * 43)) for _ in range(BY_CODE.free + 2)]
    assert found == ["no_code"] * BY_CODE.free + ["too_many_tries"] * 2


def test_two_who_use_one_link_at_one_moment(house: AccessHouse) -> None:
    secret = link(house)

    async def both() -> list[Person | Denied]:
        return await asyncio.gather(
            *(
                house.desk.make_administrator(secret, name, Secret(PASSWORD), address=ADDRESS)
                for name in ("one", "two", "three")
            )
        )

    found = house.run(both())
    assert sum(isinstance(each, Person) for each in found) == 1
    assert {code_of(each) for each in found if isinstance(each, Denied)} == {"no_code"}


def test_a_person_sets_a_password_that_nobody_else_ever_knew(house: AccessHouse) -> None:
    ana = house.add("ana", Role.DEALER, password=None)
    secret = house.done(lambda reads, now: password_link(reads, ana.id, by="boss", now=now)).reveal()
    assert code_of(house.try_sign_on("ana")) == "wrong_sign_on"
    allowed(house.run(house.desk.set_password(secret, Secret(PASSWORD), address=ADDRESS)))
    assert house.sign_on("ana").person == ana.id
    again = house.run(house.desk.set_password(secret, Secret("another good one"), address=ADDRESS))
    assert code_of(again) == "no_code"


def test_nobody_who_is_out_gets_a_link(house: AccessHouse) -> None:
    ana = house.add("ana", Role.DEALER)
    house.done(lambda reads, now: set_active(reads, ana.id, active=False, now=now, by=""))
    for id_ in (ana.id, "", "person-" + "0" * 32):
        made = house.change(lambda reads, now, id_=id_: password_link(reads, id_, by="", now=now))  # type: ignore[misc]
        assert code_of(made) == "no_such_person"


# ------------------------------------------------------------------------------------------------ codes


def test_a_code_is_read_however_it_is_typed() -> None:
    code = new_code().reveal()
    plain = code.replace("-", "")
    assert len(plain) == 16
    for typed in (plain, plain.lower(), " ".join(plain), code.replace("0", "O").replace("1", "l"), plain.ljust(100)):
        assert code_hash(typed) == code_hash(code)
    for bad in (plain[:-1], plain + "0", "U" * 16, "", "-" * 50, plain.ljust(101), "x" * 10**6):
        assert code_hash(bad) is None


def test_a_code_is_valid_from_when_it_is_made_until_it_lapses(house: AccessHouse) -> None:
    secret = new_code()
    made = house.clock.wall()
    house.done(lambda _r, now: make_code(Purpose.DEVICE, secret, about="T1", by="", now=now, lasts=CODE_LASTS))
    for when in (-SKEW, 0, CODE_LASTS - 1):
        assert not isinstance(use_code(house.store, secret.reveal(), Purpose.DEVICE, now=made + when), Denied), when
    for when in (-HOUR, -SKEW - 1, CODE_LASTS, DAY):
        assert isinstance(use_code(house.store, secret.reveal(), Purpose.DEVICE, now=made + when), Denied), when
    assert CODE_LASTS == 10 * MINUTE


def test_codes_that_lapsed_are_forgotten(house: AccessHouse) -> None:
    for number in range(30):
        about = f"T{number}"
        house.done(
            lambda _r, now, about=about: make_code(  # type: ignore[misc]
                Purpose.DEVICE, new_code(), about=about, by="", now=now, lasts=CODE_LASTS
            )
        )
        house.clock.go(5 * MINUTE)
        assert count(house.store, "one_time_code") >= min(number + 1, 2), "what is valid stays"
    assert count(house.store, "one_time_code") <= 3


# --------------------------------------------------------------------------------------------- visitors


def test_a_visitor_is_a_fresh_participant_whom_nobody_knows(practice: AccessHouse) -> None:
    one = allowed(practice.run(practice.desk.visit(address=ADDRESS)))
    other = allowed(practice.run(practice.desk.visit(address=ADDRESS)))
    assert one.session.person != other.session.person
    assert one.session.role is Role.PARTICIPANT
    assert one.session.kind is SessionKind.VISITOR
    assert practice.run(practice.desk.session(one.token.reveal())) == one.session
    assert count(practice.store, "person") == 0
    assert count(practice.store, "name") == 0
    assert count(practice.store, "access_log") == 0, "nobody known has come"


def test_a_production_house_has_no_visitors_not_even_those_of_its_practice(house: AccessHouse) -> None:
    assert code_of(house.run(house.desk.visit(address=ADDRESS))) == "not_practice"
    before = AccessHouse(house.store, clock=house.clock, is_practice=True)
    visitor = allowed(before.run(before.desk.visit(address=ADDRESS)))
    before.close()
    assert code_of(house.run(house.desk.session(visitor.token.reveal()))) == "not_practice"
    assert code_of(house.run(house.desk.current_session(visitor.session))) == "not_practice"


def test_one_address_does_not_fill_the_store_with_visitors(practice: AccessHouse) -> None:
    found = [practice.run(practice.desk.visit(address=ADDRESS)) for _ in range(BY_VISIT.free + 5)]
    assert sum(isinstance(each, Denied) for each in found) == 5
    assert isinstance(practice.run(practice.desk.visit(address="198.51.100.1")).session.id, str)  # type: ignore[union-attr]
