"""Tickets: once, within thirty seconds, at the address that they name, in memory or in the store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pytest

from access_house import AccessHouse, MemoryStore, SetClock, allowed, applied, code_of, count
from baccarat.serve.access.base import HOUR, ONE_SECOND, SKEW
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.lateness import LATELY
from baccarat.serve.access.session import Session
from baccarat.serve.access.ticket import TICKET_LIFETIME, IssuedTicket, Ticket, Tickets, redeem_stored, stored_ticket
from baccarat.serve.store.base import StaleRow
from baccarat.table.role import Role

HERE = "wss://one.example/socket"
TICKET = Ticket(session="session-1", person="person-1", role=Role.DEALER, table="T1", address=HERE)


class Book(Protocol):
    """Tickets, wherever they are kept."""

    def issue(self, ticket: Ticket, now: int) -> IssuedTicket | Denied: ...
    def redeem(self, token: str, *, address: str, now: int) -> Ticket | Denied: ...


class Stored:
    """The tickets of the store, given out by one node and taken by another."""

    def __init__(self) -> None:
        self.store = MemoryStore()

    def issue(self, ticket: Ticket, now: int) -> IssuedTicket | Denied:
        """Give one out."""
        return applied(self.store, stored_ticket(ticket, now))

    def redeem(self, token: str, *, address: str, now: int) -> Ticket | Denied:
        """Take one."""
        change = redeem_stored(self.store, token, address=address, now=now)
        return change if isinstance(change, Denied) else applied(self.store, change)


@pytest.fixture(params=[Tickets, Stored])
def book(request: pytest.FixtureRequest) -> Book:
    found: Book = request.param()
    return found


NOW = 10**15


def test_a_ticket_lets_in_once(book: Book) -> None:
    given = allowed(book.issue(TICKET, NOW))
    assert given.ticket == TICKET
    token = given.token.reveal()
    assert book.redeem(token, address=HERE, now=NOW + ONE_SECOND) == TICKET
    assert code_of(book.redeem(token, address=HERE, now=NOW + ONE_SECOND)) == "no_ticket"


@pytest.mark.parametrize(
    ("after", "is_valid"), [(0, True), (TICKET_LIFETIME - 1, True), (TICKET_LIFETIME, False), (HOUR, False)]
)
def test_a_ticket_lasts_thirty_seconds(book: Book, after: int, is_valid: bool) -> None:
    token = allowed(book.issue(TICKET, NOW)).token.reveal()
    found = book.redeem(token, address=HERE, now=NOW + after)
    assert isinstance(found, Ticket) is is_valid
    assert TICKET_LIFETIME == 30 * ONE_SECOND


def test_a_clock_set_back_by_an_hour_does_not_make_a_ticket_last_longer(book: Book) -> None:
    token = allowed(book.issue(TICKET, NOW)).token.reveal()
    assert code_of(book.redeem(token, address=HERE, now=NOW - HOUR)) == "no_ticket"
    assert code_of(book.redeem(token, address=HERE, now=NOW)) == "no_ticket", "it was used up"


def test_the_clock_of_another_node_may_be_a_little_behind() -> None:
    book = Stored()
    for behind, is_valid in ((SKEW, True), (SKEW + 1, False)):
        token = allowed(book.issue(TICKET, NOW)).token.reveal()
        assert isinstance(book.redeem(token, address=HERE, now=NOW - behind), Ticket) is is_valid


def test_a_ticket_is_for_the_owner_that_it_names(book: Book) -> None:
    token = allowed(book.issue(TICKET, NOW)).token.reveal()
    assert code_of(book.redeem(token, address="wss://two.example/socket", now=NOW)) == "no_ticket"
    assert code_of(book.redeem(token, address=HERE, now=NOW)) == "no_ticket", "whoever shows it elsewhere has lost it"


@pytest.mark.parametrize("bad", ["", "\0", "x" * 43, "x" * 10**6, "\ud800", "' or '1'='1"])
def test_what_is_no_ticket(book: Book, bad: str) -> None:
    allowed(book.issue(TICKET, NOW))
    assert code_of(book.redeem(bad, address=HERE, now=NOW)) == "no_ticket"


def test_half_a_ticket_lets_nobody_in_and_uses_nothing_up(book: Book) -> None:
    token = allowed(book.issue(TICKET, NOW)).token.reveal()
    for bad in (token[:20], token[:-1], token + "A"):
        assert code_of(book.redeem(bad, address=HERE, now=NOW)) == "no_ticket"
    assert book.redeem(token, address=HERE, now=NOW) == TICKET


def test_two_nodes_that_take_one_ticket_at_one_moment() -> None:
    book = Stored()
    token = allowed(book.issue(TICKET, NOW)).token.reveal()
    one = allowed(redeem_stored(book.store, token, address=HERE, now=NOW))
    other = allowed(redeem_stored(book.store, token, address=HERE, now=NOW))
    book.store.append(one.batch)
    with pytest.raises(StaleRow):
        book.store.append(other.batch)
    assert code_of(book.redeem(token, address=HERE, now=NOW)) == "no_ticket"


def test_a_ticket_stands_nowhere_as_it_is(book: Book) -> None:
    given = allowed(book.issue(TICKET, NOW))
    kept = book.store.everything() if isinstance(book, Stored) else repr(vars(book))
    assert given.token.reveal() not in kept + repr(given)


def test_the_number_of_tickets_is_bounded_and_those_that_lapsed_make_room() -> None:
    book = Tickets(most=10)
    given = [book.issue(TICKET, NOW) for _ in range(11)]
    assert code_of(given[10]) == "busy"
    assert not isinstance(book.issue(TICKET, NOW + TICKET_LIFETIME), Denied)
    assert len(book) == 1
    crowded = Tickets(most=2)
    old, young = (allowed(crowded.issue(TICKET, when)).token.reveal() for when in (NOW, NOW + ONE_SECOND))
    allowed(crowded.issue(TICKET, NOW + TICKET_LIFETIME))
    assert code_of(crowded.redeem(old, address=HERE, now=NOW + TICKET_LIFETIME)) == "no_ticket", "it has made room"
    assert crowded.redeem(young, address=HERE, now=NOW + TICKET_LIFETIME) == TICKET
    stored = Stored()
    for number in range(50):
        stored.issue(TICKET, NOW + number * 10 * ONE_SECOND)
    lasting = TICKET_LIFETIME + SKEW + LATELY
    assert count(stored.store, "ticket") <= 1 + lasting // (10 * ONE_SECOND) < 50, "a late node may still redeem them"


# ------------------------------------------------------------------------------------------ at the desk


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse()
    made.add("ana", Role.DEALER)
    yield made
    made.close()


def test_a_ticket_brings_the_session_as_it_stands_then(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    given = allowed(house.desk.give_ticket(held, table="T1", address=HERE))
    found = house.run(house.desk.take_ticket(given.token.reveal(), address=HERE))
    assert not isinstance(found, Denied)
    ticket, session = found
    assert (ticket.person, ticket.role, ticket.table) == (held.person, Role.DEALER, "T1")
    assert session == held


def test_a_ticket_of_a_session_that_has_ended_meanwhile_lets_nobody_in(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    given = allowed(house.desk.give_ticket(held, table="T1", address=HERE))
    house.run(house.desk.sign_off(held))
    assert code_of(house.run(house.desk.take_ticket(given.token.reveal(), address=HERE))) == "no_ticket"


def test_a_ticket_of_a_session_that_another_node_has_ended_lets_nobody_in(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    given = allowed(house.desk.give_ticket(held, table="T1", address=HERE))
    other = AccessHouse(house.store, clock=house.clock)
    other.run(other.desk.sign_off(held))
    other.close()
    assert code_of(house.run(house.desk.take_ticket(given.token.reveal(), address=HERE))) == "revoked"


def test_one_node_gives_a_ticket_and_the_owner_takes_it_once(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    owner = AccessHouse(house.store, clock=house.clock)
    given = allowed(house.run(house.desk.give_stored_ticket(held, table="T1", address=HERE)))
    token = given.token.reveal()
    assert owner.run(owner.desk.take_stored_ticket(token, address=HERE)) == (given.ticket, held)
    for each in (owner, house):
        assert code_of(each.run(each.desk.take_stored_ticket(token, address=HERE))) == "no_ticket"
    public = allowed(house.run(house.desk.give_stored_ticket(None, table="T1", address=HERE)))
    assert owner.run(owner.desk.take_stored_ticket(public.token.reveal(), address=HERE)) == (public.ticket, None)
    late = allowed(house.run(house.desk.give_stored_ticket(held, table="T1", address=HERE))).token.reveal()
    house.run(house.desk.sign_off(held))
    assert code_of(owner.run(owner.desk.take_stored_ticket(late, address=HERE))) == "revoked"
    owner.close()


def test_the_public_gets_tickets_and_is_nobody(house: AccessHouse) -> None:
    given = allowed(house.desk.give_ticket(None, table="T1", address=HERE))
    found = house.run(house.desk.take_ticket(given.token.reveal(), address=HERE))
    assert found == (Ticket(table="T1", address=HERE), None)
    assert given.ticket.role is Role.PUBLIC


def test_a_console_of_one_table_gets_no_ticket_to_another() -> None:
    clock = SetClock()
    held = Session(
        id="s",
        person="p",
        role=Role.DEALER,
        device="d",
        table="T1",
        made_at=0,
        seen_at=0,
        acted_at=0,
        ends_at=clock.wall(),
    )
    assert code_of(Ticket.for_session(held, table="T2", address=HERE)) == "other_table"
    assert isinstance(Ticket.for_session(held, table="T1", address=HERE), Ticket)
