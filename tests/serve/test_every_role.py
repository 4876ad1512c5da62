"""Every role, every command, at every step, for the own seat and another's, over HTTP and sockets: nothing is allowed
that a list written by hand does not allow."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.play.wager import WagerKind
from baccarat.serve.job.table_loop import attendant_of, fetch_seeds
from baccarat.serve.live import HouseServer
from baccarat.table.actor import Actor, Envelope
from baccarat.table.automation import actor_for, command_for, next_due
from baccarat.table.base import Command
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.wagering import PlaceWager
from campaign import times
from house_of_roles import ROLES, Asked, sign_everybody_on
from served import audited, run_for, served
from table_proposer import Proposer
from table_walk import COMMANDS
from who_may import TABLE as MAY

pytestmark = pytest.mark.slow

NAME = "ma-midi-4"
OWN, OTHER = 3, 5
"""Where the participant who tries sits, and where somebody else does."""
TAKES_TWO = frozenset({
    "correct_card", "correct_payment", "correct_meter", "report_exception", "document_vigorish", "void_form",
    "miss_form", "report_uncollected", "pay_goodwill",
})  # fmt: skip
"""What nobody does alone."""


def is_allowed(role: Role | None, command: Command, person: str) -> bool:
    """Whether the list written by hand lets somebody in a role bring a command; then the table decides."""
    if role is None or role not in MAY[command.name] or command.name in TAKES_TWO:
        return False
    if role is not Role.PARTICIPANT:
        return True
    return command.person == person if isinstance(command, Sit) else getattr(command, "seat", 0) == OWN


class Attempts:
    """Tries what is not allowed, by request and over a socket, and looks whether anything has come of it."""

    def __init__(self, asked: Asked, chance: random.Random) -> None:
        self.asked, self.chance = asked, chance
        self.tried: Counter[str] = Counter()
        self.turns: Counter[Role | None] = Counter()
        self.steps: set[str] = set()
        self.sockets: dict[Role | None, ClientConnection] = {}
        self.http: dict[Role | None, httpx.AsyncClient] = {}

    async def come_in(self, stack: contextlib.AsyncExitStack) -> None:
        """Somebody of every role, and of the public, has a socket and asks by request."""
        for role in (None, *ROLES):
            token = self.asked.tokens[role] if role is not None else ""
            client = await stack.enter_async_context(Client(self.asked.address, token=token))
            ticket, address = await client.ticket(NAME)
            socket = await stack.enter_async_context(websockets.connect(address, close_timeout=1, max_size=2**22))
            await socket.send(json.dumps({"type": "join", "ticket": ticket}))
            self.sockets[role], self.http[role] = socket, client._http

    async def attempt(self, role: Role | None, command: Command) -> None:
        """Bring a command that is not allowed: it is refused, and nothing has changed."""
        live = self.asked.live
        before = live.house.state
        body = msgspec.json.encode(command)
        self.turns[role] += 1
        by_socket = self.turns[role] % 3 != 0  # every role comes both ways, whatever chance draws
        said = await (self._by_socket if by_socket else self._by_request)(role, body)
        what = f"{role.value if role else 'nobody'}: {body.decode()} at {before.tables[NAME].step}: {said}"
        assert live.house.state is before, f"something has changed: {what}"
        assert not any(each in json.dumps(said) for each in ("Traceback", "site-packages")), what
        self.tried[f"{role.value if role else 'nobody'} {'socket' if by_socket else 'request'}"] += 1
        self.steps.add(before.tables[NAME].step)

    async def _by_socket(self, role: Role | None, body: bytes) -> dict[str, Any]:
        given = command_id()
        await self.sockets[role].send(f'{{"type":"do","id":"{given}","command":{body.decode()}}}')
        async for text in self.sockets[role]:
            said: dict[str, Any] = json.loads(text)
            if said.get("id") == given or "could not be read" in str(text):
                assert said["type"] in ("refused", "problem"), f"{role}: {body.decode()}: {said}"
                return said
        raise AssertionError("the socket was closed")

    async def _by_request(self, role: Role | None, body: bytes) -> dict[str, Any]:
        headers = {"Idempotency-Key": command_id(), "Content-Type": "application/json"}
        answer = await self.http[role].post(f"/api/tables/{NAME}/acts", content=body, headers=headers)
        assert 400 <= answer.status_code < 500, f"{role}: {body.decode()}: {answer.status_code} {answer.text}"
        return dict(answer.json())


def seated(live: HouseServer, people: dict[Role, str]) -> None:
    """Two people with chips: the one who tries, and another."""
    dealer = Envelope(actor=Actor(who="dealer", role=Role.DEALER))
    for seat, who in ((OWN, people[Role.PARTICIPANT]), (OTHER, "person-" + "7" * 32)):
        for command, envelope in (
            (Sit(seat=seat, person=who), Envelope(actor=Actor(who=who, role=Role.PARTICIPANT))),
            (BuyIn(seat=seat, amount=1_000_000), dealer),
        ):
            assert live.enter(table_stream(NAME), command, envelope).refused is None


def at_seat(command: Command, seat: int) -> Command:
    """The same for another seat, where it has one."""
    return msgspec.structs.replace(command, seat=seat) if "seat" in command.__struct_fields__ else command


def test_nothing_is_allowed_that_the_list_does_not_allow(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), contextlib.AsyncExitStack() as stack:
            await live.jobs.stop_all()  # the test deals itself, and nobody else does anything
            asked = await sign_everybody_on(live, address)
            chance = random.Random(5)
            attempts = Attempts(asked, chance)
            await attempts.come_in(stack)
            seated(live, asked.people)
            await played(attempts, times(14))
            audited(live, tmp_path)
        assert len(attempts.steps) >= 12, attempts.steps
        assert len(attempts.tried) == 2 * (len(ROLES) + 1), "everybody has tried, both ways"

    run_for(work(), 300.0 * times(1))


async def played(attempts: Attempts, tries: int) -> None:
    """A shoe is prepared and two rounds are dealt; before each act others try it, and much else."""
    live, chance = attempts.asked.live, attempts.chance
    table: Any = live.house.table(NAME)
    table.source = source = attendant_of(live, NAME, table).source
    while table.state.round.number < 2 or table.state.step != "wager":
        if table.state.step == "wager" and not table.state.round.wagers:
            for seat in (OWN, OTHER):
                table.do(PlaceWager(seat=seat, on=WagerKind.BANKER, stake=2_500))
        await fetch_seeds(live, NAME, table, source)
        due = command_for(table, next_due(table, source), source)
        proposer = Proposer(table, chance)
        for number in range(tries):
            kind = chance.choice(COMMANDS)
            command = due if number % 2 else proposer.a_command(kind)
            command = at_seat(command, chance.choice((OWN, OTHER, getattr(command, "seat", OWN))))
            role = chance.choice((None, *ROLES))
            if not is_allowed(role, command, attempts.asked.people[Role.PARTICIPANT]):
                await attempts.attempt(role, command)
        await asyncio.sleep(0)
        table.do(due, actor_for(table, due))
