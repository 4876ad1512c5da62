"""A served house in which somebody of every role is signed on, for tests of the REST interface."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from access_house import CHEAP, PASSWORD
from baccarat.client import command_id
from baccarat.house.filed_rules import file_rules
from baccarat.law.rulebook import rulebook
from baccarat.record.sealed_seed import SealingKey
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.person import add_person
from baccarat.serve.access.session import open_session
from baccarat.serve.live import HouseServer
from baccarat.serve.setting import Mode
from baccarat.table.role import Role
from served import served

ROLES = tuple(role for role in Role if role is not Role.PUBLIC)


class Answer(msgspec.Struct, frozen=True):
    """What a request was answered with."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


def is_problem(found: Answer, status: int, code: str = "") -> dict[str, Any]:
    """An answer that is a problem of a status."""
    assert found.status == status, found
    assert found.headers["content-type"] == "application/problem+json"
    assert "no-store" in found.headers["cache-control"]
    told: dict[str, Any] = found.json
    assert told["status"] == status
    assert told["title"]
    assert told["detail"].endswith("."), told
    assert told["code"] == (code or told["code"])
    assert told["type"] == f"/docs/problem#{told['code']}"
    return told


class Asked(msgspec.Struct, frozen=True):
    """A house that is asked over HTTP, by people in every role."""

    live: HouseServer
    address: str
    tokens: dict[Role, str]
    people: dict[Role, str]

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        role: Role | None = None,
        token: str = "",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Ask as somebody in a role, as whoever has a token, or as nobody."""
        token = token or (self.tokens[role] if role is not None else "")
        return await asyncio.to_thread(ask, method, self.address + path, body, token, headers or {})

    async def get(self, path: str, *, role: Role | None = None, token: str = "") -> Answer:
        """Look at something."""
        return await self.ask("GET", path, role=role, token=token)


def ask(method: str, url: str, body: Any, token: str, headers: dict[str, str]) -> Answer:
    """One request."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    sent = {**({"Content-Type": "application/json"} if data is not None else {}), **headers}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, data=data, method=method, headers=sent)
    try:
        with urllib.request.urlopen(request, timeout=30) as found:
            return Answer(found.status, {key.lower(): value for key, value in found.headers.items()}, found.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, {key.lower(): value for key, value in error.headers.items()}, error.read())


async def sign_everybody_on(live: HouseServer, address: str) -> Asked:
    """Somebody of every role, with the token of a session."""
    tokens, people = dict[Role, str](), dict[Role, str]()
    hashed = CHEAP.hash(PASSWORD)
    for role in ROLES:
        made = await live.desk.change(
            lambda reads, now, role=role: add_person(  # type: ignore[misc]
                reads, live.store.id, name=f"{role.value} one", roles={role}, now=now, password=hashed
            )
        )
        assert not isinstance(made, Denied), made
        person: str = made.id
        issued = await live.desk.change(
            lambda reads, now, role=role, person=person: open_session(  # type: ignore[misc]
                reads, person=person, role=role, now=now, lifetimes=live.desk.lifetimes
            )
        )
        assert not isinstance(issued, Denied), issued
        tokens[role], people[role] = issued.token.reveal(), person
    return Asked(live, address, tokens, people)


async def open_tables(house: Asked, *names: str) -> None:
    """A pit with a table for each Submission, opened as its people do it, over HTTP."""
    headers = {"Idempotency-Key": command_id()}
    pit = {"do": "add_pit", "name": "main"}
    await expect(house, 200, "/api/books/house/acts", pit, Role.ADMINISTRATOR, headers)
    for name in names:
        filed = msgspec.to_builtins(file_rules(rulebook(name)), enc_hook=str)
        opening = {"do": "open_table", "table": name, "filed": filed, "cards": "real"}
        headers = {"Idempotency-Key": command_id()}
        await expect(house, 200, "/api/books/pit%20main/acts", opening, Role.PIT_BOSS, headers)


async def expect(
    house: Asked, status: int, path: str, body: Any, role: Role, headers: dict[str, str] | None = None
) -> Answer:
    """A request that is answered with this status."""
    found = await house.ask("POST", path, body, role=role, headers=headers)
    assert found.status == status, found
    return found


def production(folder: Path, **more: Any) -> dict[str, Any]:
    """The settings of a house for real tables."""
    key = folder / "seal.key"
    if not key.exists():
        SealingKey.create(key)
    return {"mode": Mode.PRODUCTION, "house": "example.org/house", "seal_key": str(key), **more}


@contextmanager
def served_in_thread(folder: Path, **settings: Any) -> Iterator[Asked]:
    """The same in a thread of its own, for whoever asks from outside any event loop."""
    ready, stop = threading.Event(), asyncio.Event()
    found: list[Any] = []

    async def work() -> None:
        async with served(folder, **settings) as (live, address):
            found.append(await sign_everybody_on(live, address))
            found.append(asyncio.get_running_loop())
            ready.set()
            await stop.wait()

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException as error:
            found.append(error)
            ready.set()
            raise

    thread = threading.Thread(target=run, name="house")
    thread.start()
    try:
        assert ready.wait(60), "the house did not open"
        assert isinstance(found[0], Asked), found
        yield found[0]
    finally:
        if len(found) > 1:
            found[1].call_soon_threadsafe(stop.set)
        thread.join(30)
