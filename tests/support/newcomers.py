"""New people who come to a house while others play: half of them visit, half set a password by a link and sign on."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from access_house import PASSWORD
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.link import password_link
from baccarat.serve.access.person import add_person
from baccarat.serve.live import HouseServer
from baccarat.serve.setting import TRAINING
from baccarat.table.role import Role
from many_screens import TABLES, Evening, TableScreen

NEWCOMERS = 12
_FILES = re.compile(r'["\'](/page/[\w./-]+\.(?:js|mjs|css))["\']')
"""The files that a page, or a script of it, names."""


class Newcomer(TableScreen):
    """Somebody who opens the page, loads all of it, comes in, and looks on at a table."""

    def __init__(self, evening: Evening, number: int, *, name: str = "", link: str = "") -> None:
        super().__init__(evening, 400 + number, (*TABLES, TRAINING)[number % 4])
        self._name, self._link = name, link
        self.has_come = asyncio.Event()

    async def enter(self) -> None:
        """Load the page, set a password by the link, and sign on; or visit, where there is none."""
        await self._load("/sign-on" if self._link else "/")
        await self.client.look("/api/welcome")
        if not self._link:
            await self.client.visit(Role.PARTICIPANT)
        else:
            await self._post("/api/password", {"link": self._link, "password": PASSWORD})
            await self._post("/api/session", {"name": self._name, "password": PASSWORD, "role": "participant"})
        await self._load(f"/table/{self.name}")
        await self.client.look("/api/welcome")
        await self.client.look(self.here)

    async def see(self) -> None:
        """The table is on the screen."""
        await super().see()
        self.has_come.set()

    async def _post(self, path: str, body: dict[str, Any]) -> None:
        answer = await self.client._send_request("POST", self.client.address + path, json=body)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"

    async def _load(self, page: str) -> None:
        """A page with every file that it names, and that these name, as a browser without a cache asks for them."""
        wanted, known = [page], {page}
        while wanted:
            answer = await self.client._send_request("GET", self.client.address + wanted.pop())
            new = set(_FILES.findall(answer.text)) - known
            known |= new
            wanted += sorted(new)


async def newcomers(live: HouseServer, evening: Evening) -> list[Newcomer]:
    """The newcomers; those with a link were entered by an administrator before."""
    made = [Newcomer(evening, number) for number in range(NEWCOMERS // 2)]
    for number in range(NEWCOMERS // 2, NEWCOMERS):
        name = f"newcomer {number}"
        found = await live.desk.change(
            lambda reads, now, name=name: add_person(  # type: ignore[misc]
                reads, live.store.id, name=name, roles={Role.PARTICIPANT}, now=now
            )
        )
        assert not isinstance(found, Denied), found
        link = await live.desk.change(
            lambda reads, now, person=found.id: password_link(reads, person, by="office", now=now)  # type: ignore[misc]
        )
        assert not isinstance(link, Denied), link
        made.append(Newcomer(evening, number, name=name, link=link.reveal()))
    return made
