"""Coming in to a house: requests that are tried again where that is safe."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Self

import httpx

from baccarat.client.identity import command_id
from baccarat.client.seat import AdmissionDenied, Lost, TableClient
from baccarat.table.role import Role

TRIES = 6
MISDIRECTED = HTTPStatus.MISDIRECTED_REQUEST
FOR_LATER = (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS, MISDIRECTED)
"""Answers after which the same request is sent again; the last where its table has moved on meanwhile."""
COOKIE = "baccarat"
FIRST_WAIT = 0.1


class Client:
    """Somebody at a house, by its address."""

    def __init__(self, address: str, *others: str, token: str = "", timeout: float = 5.0) -> None:
        """`others` are further nodes of the same house, which are asked when the first does not answer."""
        self._addresses = [each.rstrip("/") for each in (address, *others)]
        self._http = httpx.AsyncClient(base_url=self._addresses[0], timeout=timeout)
        self._token = token
        self.who = ""

    @property
    def address(self) -> str:
        """The node that is asked first at present."""
        return self._addresses[0]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up: on every connection, though who does it is cancelled meanwhile."""
        closing = asyncio.create_task(self._http.aclose())
        try:
            await asyncio.shield(closing)
        finally:
            await closing  # it waits for nobody else

    async def visit(self, role: Role = Role.PARTICIPANT) -> str:
        """Come in to a practice house, in a role; who you are there."""
        self.who = (await self.ask("POST", "/api/visit", json={"role": role.value}))["who"]
        return self.who

    async def take_role(self, role: Role, *, password: str = "") -> str:
        """Go on in another role; who you are then. A visitor gives no password, and becomes somebody new.

        `httpx.HTTPStatusError` with 401 where this was asked before and the answer was lost: come in again.
        """
        body = {"role": role.value, **({"password": password} if password else {})}
        self.who = (await self.ask("PUT", "/api/session/role", json=body))["who"]
        return self.who

    async def tables(self) -> list[dict[str, Any]]:
        """The tables of the house."""
        found: list[dict[str, Any]] = (await self.ask("GET", "/api/tables"))["tables"]
        return found

    async def buy_in(self, table: str, amount: int) -> None:
        """Play money for chips at a practice table, in cents."""
        headers = {"Idempotency-Key": command_id()}
        await self.ask("POST", f"/api/tables/{table}/chips", json={"amount": amount}, headers=headers)

    async def ticket(self, table: str) -> tuple[str, str]:
        """A ticket for one socket at a table, and the socket's address; `AdmissionDenied` where the house gives
        none."""
        try:
            found = await self.ask("POST", "/api/tickets", json={"table": table})
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            kind = Lost if status >= HTTPStatus.INTERNAL_SERVER_ERROR else AdmissionDenied
            raise kind(f"{self.address} gives no ticket for {table}: {status} {error.response.text[:200]}") from None
        where: str = found["socket"]
        if where.startswith("/"):
            where = "ws" + self.address.removeprefix("http") + where
        return found["ticket"], where

    def table(self, name: str) -> TableClient:
        """A table, to be joined with `async with`."""
        return TableClient(name, self.ticket)

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """Ask, and ask again where the house is not there for a moment; every request may safely come twice.

        `Lost` where it stays away; `httpx.HTTPStatusError` where it refuses.
        """
        wait, last = FIRST_WAIT, ""
        for _ in range(TRIES):
            try:
                answer = await self._route_request(method, path, **more)
            except httpx.TransportError as error:
                last = str(error) or type(error).__name__
            else:
                if answer.status_code not in FOR_LATER:
                    answer.raise_for_status()
                    return answer.json()
                last = answer.text
                wait = max(wait, float(answer.headers.get("retry-after", 0)))
            await asyncio.sleep(wait)
            wait *= 2
        raise Lost(f"{self.address} does not answer: {last}")

    async def _route_request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request, at the node that serves its table: the first that is asked says where that is.

        Where that one is gone, the first is asked again, which learns of it; only where the first itself is gone the
        next is first from then on.
        """
        try:
            answer = await self._send_request(method, f"{self.address}{path}", **more)
        except httpx.TransportError:
            self._addresses.append(self._addresses.pop(0))
            raise
        where = answer.headers.get("location", "") if answer.status_code == MISDIRECTED else ""
        return await self._send_request(method, where, **more) if where else answer

    async def _send_request(
        self, method: str, url: str, *, headers: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        """One request; who we are goes along to every node of the house, whatever its name."""
        known = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        answer = await self._http.request(method, url, headers={**known, **(headers or {})}, **more)
        for cookie in answer.cookies.jar:
            if cookie.name == COOKIE and cookie.value:
                self._token = cookie.value
        return answer
