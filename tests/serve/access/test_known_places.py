"""Where somebody has signed on before, strangers who try the name hold nobody back; a right link is no guess."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from access_house import ADDRESS, PASSWORD, AccessHouse, allowed, code_of
from baccarat.serve.access.base import ONE_SECOND, Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.device import enrolment_code
from baccarat.serve.access.link import Purpose, administrator_link, password_link
from baccarat.serve.access.person import Person
from baccarat.serve.access.session import IssuedSession
from baccarat.serve.access.throttle import BY_ADDRESS, BY_CODE, BY_NAME, KnownPlaces
from baccarat.table.role import Role

ELSEWHERE = "198.51.100.66"
WRONG = "wrong wrong wrong"


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse()
    made.add("ana", Role.DEALER)
    yield made
    made.close()


def strangers_try(house: AccessHouse, name: str = "ana", *, times: int = 2 * BY_NAME.free) -> None:
    """Strangers try a name until everybody else has to wait for it."""
    for number in range(times):
        house.try_sign_on(name, password=WRONG, address=f"198.51.100.{number}")
    assert code_of(house.try_sign_on(name, address="203.0.113.1")) == "too_many_tries"


def test_strangers_hold_nobody_back_at_an_address_from_which_the_person_signed_on(house: AccessHouse) -> None:
    house.sign_on("ana")
    strangers_try(house)
    for _ in range(29):
        assert isinstance(house.try_sign_on("ana"), IssuedSession)
        assert code_of(house.try_sign_on("ana", password=WRONG, address=ELSEWHERE)) == "too_many_tries"


def test_strangers_behind_the_same_address_hold_nobody_back_who_signed_on_from_there(house: AccessHouse) -> None:
    house.sign_on("ana")
    for number in range(BY_ADDRESS.free + 1):
        house.try_sign_on(f"name {number}", password=WRONG)
    house.add("new", Role.DEALER)
    assert code_of(house.try_sign_on("new")) == "too_many_tries", "from there, as somebody who never was there"
    assert isinstance(house.try_sign_on("ana"), IssuedSession)


def test_a_known_address_is_known_for_one_name_alone(house: AccessHouse) -> None:
    house.add("bob", Role.DEALER)
    house.sign_on("bob")
    strangers_try(house)
    assert code_of(house.try_sign_on("ana")) == "too_many_tries"


def test_where_the_person_was_before_tries_are_counted_as_well(house: AccessHouse) -> None:
    house.sign_on("ana")
    waits = []
    for _ in range(BY_NAME.free + 9):
        found = house.try_sign_on("ana", password=WRONG)
        assert isinstance(found, Denied)
        waits.append(found.wait)
        house.clock.go(found.wait * ONE_SECOND)
        if found.wait:
            assert code_of(house.try_sign_on("ana", password=WRONG)) == "wrong_sign_on"
    assert waits == [0] * 5 + [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert code_of(house.try_sign_on("ana", password=WRONG, address=ELSEWHERE)) == "wrong_sign_on", "others do not wait"


def test_a_wrong_password_makes_no_place_known(house: AccessHouse) -> None:
    assert code_of(house.try_sign_on("ana", password=WRONG)) == "wrong_sign_on"
    strangers_try(house)
    assert code_of(house.try_sign_on("ana")) == "too_many_tries"


def by_browser(house: AccessHouse, earlier: str, password: str = PASSWORD) -> IssuedSession | Denied:
    """Sign on as ana from an address where nobody was, in a browser that holds a token."""
    signing = house.desk.sign_on("ana", Secret(password), Role.DEALER, address=ELSEWHERE, earlier=earlier)
    return house.run(signing)


def test_a_browser_with_an_earlier_session_of_the_person_is_known_even_after_that_has_ended(house: AccessHouse) -> None:
    issued = allowed(house.try_sign_on("ana"))
    token = issued.token.reveal()
    house.add("bob", Role.DEALER)
    foreign = allowed(house.try_sign_on("bob")).token.reveal()
    house.run(house.desk.sign_off(issued.session))
    house.desk.recognition.known = KnownPlaces()  # as after a restart
    strangers_try(house)
    assert isinstance(by_browser(house, token), IssuedSession)
    house.desk.recognition.known = KnownPlaces()
    for other in (foreign, "x" * 43, "no token", "\0"):
        assert code_of(by_browser(house, other)) == "too_many_tries", other


# ------------------------------------------------------------------------------------------------- links


def test_twelve_new_people_set_their_passwords_from_one_address(house: AccessHouse) -> None:
    names = [f"new {number}" for number in range(12)]
    people = [house.add(name, Role.DEALER, password=None) for name in names]
    links = [
        house.done(lambda reads, now, id_=each.id: password_link(reads, id_, by="", now=now)).reveal()  # type: ignore[misc]
        for each in people
    ]

    async def all_at_one_moment() -> list[Person | Denied]:
        given = Secret(PASSWORD)
        return await asyncio.gather(*(house.desk.set_password(each, given, address=ADDRESS) for each in links))

    assert [allowed(each).id for each in house.run(all_at_one_moment())] == [each.id for each in people]
    assert all(isinstance(house.try_sign_on(name), IssuedSession) for name in names)


def test_a_right_link_or_code_waits_for_nobody_elses_wrong_ones(house: AccessHouse) -> None:
    found = [
        code_of(house.run(house.desk.set_password("x" * 43, Secret(PASSWORD), address=ADDRESS)))
        for _ in range(BY_CODE.free + 2)
    ]
    assert found == ["no_code"] * BY_CODE.free + ["too_many_tries"] * 2
    secret = house.done(lambda _reads, now: administrator_link(now=now)).reveal()
    made = house.run(house.desk.make_administrator(secret, "boss", Secret(PASSWORD), address=ADDRESS))
    assert isinstance(made, Person)
    code = house.done(lambda _reads, now: enrolment_code("T1", by="", now=now)).reveal()
    assert not isinstance(house.run(house.desk.enrol(code, b"k" * 32, address=ADDRESS)), Denied)
    again = house.run(house.desk.enrol(code, b"k" * 32, address=ADDRESS))
    assert code_of(again) == "too_many_tries", "one that was used is a guess again"


def test_a_link_for_something_else_is_a_guess(house: AccessHouse) -> None:
    secret = house.done(lambda _reads, now: administrator_link(now=now)).reveal()
    recognition = house.desk.recognition
    assert house.run(recognition.try_code(secret, Purpose.ADMINISTRATOR, ADDRESS)) is None
    for _ in range(BY_CODE.free):
        assert code_of(house.run(recognition.try_code(secret, Purpose.DEVICE, ADDRESS))) == "no_code"
    assert code_of(house.run(recognition.try_code(secret, Purpose.DEVICE, ADDRESS))) == "too_many_tries"


def test_known_places_are_bounded_and_hold_no_names() -> None:
    known = KnownPlaces(most_kept=100)
    for number in range(300):
        known.add("Ana Maria", ADDRESS)
        known.add(f"name {number}", ADDRESS)
    assert len(known) == 100
    assert known.has("Ana Maria", ADDRESS), "what is used stays"
    assert not known.has("name 5", ADDRESS)
    assert not known.has("Ana Maria", ELSEWHERE)
    assert b"Ana" not in repr(known._known).encode()
