"""A server that is behind: its delay is nobody else's, and it lets nobody new in meanwhile."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from access_house import MemoryStore, SetClock, allowed, applied, code_of
from baccarat.client import Client
from baccarat.serve.access import ticket
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.lateness import BEAT, LATELY, LONGEST_WAIT, SLACK, TOO_LATE, Lateness
from baccarat.serve.access.ticket import TICKET_LIFETIME, Ticket, Tickets, redeem_stored, stored_ticket
from baccarat.serve.fanout.message import Join
from baccarat.serve.http import socket
from baccarat.table.role import Role
from house_of_roles import is_problem, sign_everybody_on
from served import run_for, served

TABLE = "ma-midi-4"
TICKET = Ticket(session="session-1", person="person-1", role=Role.DEALER, table=TABLE, address="here")


class Watched:
    """A loop that comes round when a test says so."""

    def __init__(self) -> None:
        self.clock = SetClock(steady=ONE_SECOND)
        self.lateness = Lateness(self.clock.steady)
        self.lateness.beat()

    def keep_up(self, micro: int) -> None:
        """The loop comes round as it should for a while."""
        for _ in range(micro // BEAT):
            self.clock.go(BEAT)
            self.lateness.beat()

    def stand_still(self, micro: int) -> None:
        """Something takes long; then the loop comes round."""
        self.clock.go(micro)
        self.lateness.beat()


def test_the_clock_stands_still_while_the_server_is_behind_and_never_goes_back() -> None:
    watched = Watched()
    before = watched.lateness.kept_up()
    watched.keep_up(10 * ONE_SECOND)
    assert watched.lateness.kept_up() - before == 10 * ONE_SECOND
    seen = [watched.lateness.kept_up()]
    for _ in range(100):
        watched.clock.go(BEAT)
        seen.append(watched.lateness.kept_up())
    assert seen == sorted(seen)
    assert seen[-1] - seen[0] == BEAT + SLACK, "what is usual is no delay"
    watched.lateness.beat()
    assert watched.lateness.kept_up() == seen[-1]
    watched.keep_up(ONE_SECOND)
    assert watched.lateness.kept_up() == seen[-1] + ONE_SECOND


def test_a_ticket_lives_thirty_seconds_in_which_the_server_keeps_up() -> None:
    watched, tickets = Watched(), Tickets()
    given = [allowed(tickets.issue(TICKET, watched.lateness.kept_up())).token.reveal() for _ in range(2)]
    watched.stand_still(100 * ONE_SECOND)
    watched.keep_up(TICKET_LIFETIME - 2 * ONE_SECOND)
    assert tickets.redeem(given[0], address="here", now=watched.lateness.kept_up()) == TICKET
    watched.keep_up(2 * ONE_SECOND)
    assert code_of(tickets.redeem(given[1], address="here", now=watched.lateness.kept_up())) == "no_ticket"


def test_a_ticket_of_another_node_is_taken_by_one_that_was_behind() -> None:
    store, watched = MemoryStore(), Watched()
    issued = watched.clock.wall()
    given = [applied(store, stored_ticket(TICKET, issued)).token.reveal() for _ in range(3)]
    watched.stand_still(60 * ONE_SECOND)

    def redeemed(token: str) -> Ticket | Denied:
        late = watched.lateness.lately()
        change = redeem_stored(store, token, address="here", now=watched.clock.wall(), late=late)
        return change if isinstance(change, Denied) else applied(store, change)

    assert redeemed(given[0]) == TICKET
    applied(store, stored_ticket(TICKET, watched.clock.wall()))  # this deletes no ticket that may still be redeemed
    watched.keep_up(20 * ONE_SECOND)
    assert redeemed(given[1]) == TICKET
    watched.keep_up(20 * ONE_SECOND)
    assert code_of(redeemed(given[2])) == "no_ticket"
    watched.keep_up(LATELY)
    assert watched.lateness.lately() == 0


def test_nobody_new_is_let_in_while_the_server_is_far_behind() -> None:
    watched = Watched()
    watched.stand_still(TOO_LATE)
    assert watched.lateness.denial() is None
    watched.clock.go(TOO_LATE + BEAT + SLACK)
    denied = watched.lateness.denial()
    assert denied is not None
    assert (denied.code, denied.wait) == ("behind", 1 + TOO_LATE // ONE_SECOND)
    watched.lateness.beat()
    assert watched.lateness.denial() == denied, "it was behind a moment ago"
    watched.keep_up(BEAT)
    assert watched.lateness.denial() is None
    watched.clock.go(3600 * ONE_SECOND)
    denied = watched.lateness.denial()
    assert denied is not None
    assert denied.wait == LONGEST_WAIT


def test_where_nobody_watches_the_loop_nothing_is_late() -> None:
    clock = SetClock()
    lateness = Lateness(clock.steady)
    clock.go(3600 * ONE_SECOND)
    assert lateness.kept_up() == clock.steady()
    assert lateness.denial() is None


def test_a_client_whose_join_lies_there_while_the_server_is_behind_is_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ticket and the time for the join have lapsed by the clock when the loop comes round."""
    monkeypatch.setattr(ticket, "TICKET_LIFETIME", 2 * ONE_SECOND)
    monkeypatch.setattr(socket, "JOIN_SECONDS", 2.0)

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            token, where = await client.ticket(TABLE)
            async with connect(where) as line:
                await asyncio.sleep(0)
                await line.send(json.dumps({"type": "join", "ticket": token}))
                time.sleep(3.5)
                assert json.loads(await line.recv())["type"] == "view"
            assert live.desk.lateness.lately() >= 2 * ONE_SECOND

    run_for(work())


def test_the_time_for_the_first_message_stands_still_while_the_server_is_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "JOIN_SECONDS", 0.05)
    clock = SetClock()

    async def first() -> Join:
        await asyncio.sleep(0.3)
        clock.go(ONE_SECOND)
        return Join(ticket="t")

    async def never() -> Join:
        clock.go(ONE_SECOND)
        await asyncio.sleep(3600)
        raise AssertionError

    async def work() -> None:
        lateness = Lateness(clock.steady)
        found = await socket._wait_for_first(asyncio.create_task(first()), lateness)
        assert found == Join(ticket="t")
        with pytest.raises(TimeoutError):
            await socket._wait_for_first(asyncio.create_task(never()), lateness)

    run_for(work())


def test_a_house_that_is_behind_says_when_to_ask_for_a_ticket_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address):
            house = await sign_everybody_on(live, address)
            behind = make_denial(Denial.BEHIND, wait_seconds=4)
            live.desk.lateness.denial = lambda: behind  # type: ignore[method-assign]
            for path, body in (("/api/tickets", {"table": TABLE}), ("/api/house-tickets", {})):
                found = await house.ask("POST", path, body, role=Role.SURVEILLANCE)
                is_problem(found, 503, "behind")
                assert found.headers["retry-after"] == "4"

    run_for(work())
