"""A client that follows the whole house over its line, for tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from baccarat.table.role import Role
from house_of_roles import Asked


class Following:
    """What a client knows of the house: the topics, and every frame that brought them."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.topics: dict[str, Any] = {}
        self.frames: list[dict[str, Any]] = []
        self.others: list[dict[str, Any]] = []

    @property
    def last(self) -> dict[str, Any]:
        """The last frame."""
        return self.frames[-1]

    async def next(self, seconds: float = 120.0) -> dict[str, Any]:
        """The next thing that the house says."""
        said: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        if said["type"] == "house":
            self.frames.append(said)
            self.topics |= said["set"]
        else:
            self.others.append(said)
        return said

    async def until(self, is_so: Callable[[dict[str, Any]], Any]) -> None:
        """Take frames until the topics are as wanted."""
        while not self.frames or not is_so(self.topics):
            await self.next()


@asynccontextmanager
async def following(
    house: Asked, role: Role, *, token: str = "", run: str = "", after: int | None = None
) -> AsyncIterator[Following]:
    """Somebody of a role who follows the house; with `run` and `after`, coming back."""
    found = await house.ask("POST", "/api/house-tickets", role=role, token=token)
    assert found.status == 201, found
    address = house.address.replace("http", "ws", 1) + found.json["socket"]
    async with websockets.connect(address, max_size=2**22, close_timeout=0.5) as socket:
        had = {"run": run, "after": after} if run else {}
        await socket.send(json.dumps({"type": "join", "ticket": found.json["ticket"], **had}))
        yield Following(socket)
