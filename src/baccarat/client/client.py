"""HTTP requests to a house, retried until it answers."""

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
"""Answers after which the same request is sent again; the last one if its table has moved to another node meanwhile."""
COOKIES = ("baccarat", "__Host-baccarat")
"""The cookie of a session: that of a house over plain HTTP, and that of a house over TLS."""
FIRST_WAIT = 0.1


class Client:
    """One person's connection to a house, by its address."""

    def __init__(self, address: str, *others: str, token: str = "", timeout: float = 5.0) -> None:
        """`others` are further nodes of the same house, to be asked if the first does not answer."""
        self._addresses = [each.rstrip("/") for each in (address, *others)]
        self._http = httpx.AsyncClient(base_url=self._addresses[0], timeout=timeout)
        self._token = token
        self.who = ""

    @property
    def address(self) -> str:
        """The node that is currently asked first."""
        return self._addresses[0]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection, even if the caller is cancelled meanwhile."""
        closing = asyncio.create_task(self._http.aclose())
        try:
            await asyncio.shield(closing)
        finally:
            await closing

    async def visit(self, role: Role = Role.PARTICIPANT) -> str:
        """Enter a practice house in a role; returns your id there."""
        self.who = (await self.ask("POST", "/api/visit", json={"role": role.value}))["who"]
        return self.who

    async def take_role(self, role: Role, *, password: str = "") -> str:
        """Continue in another role; returns your new id. A visitor gives no password and becomes a new person.

        `httpx.HTTPStatusError` with 401 if this was asked before and the answer was lost: enter the house again.
        """
        body = {"role": role.value, **({"password": password} if password else {})}
        self.who = (await self.ask("PUT", "/api/session/role", json=body))["who"]
        return self.who

    async def tables(self) -> list[dict[str, Any]]:
        """The tables of the house."""
        found: list[dict[str, Any]] = (await self.ask("GET", "/api/tables"))["tables"]
        return found

    async def buy_in(self, table: str, amount: int) -> None:
        """Exchange play money for chips at a practice table, in cents."""
        headers = {"Idempotency-Key": command_id()}
        await self.ask("POST", f"/api/tables/{table}/chips", json={"amount": amount}, headers=headers)

    async def ticket(self, table: str) -> tuple[str, str]:
        """A ticket for one socket at a table, and the socket's address; `AdmissionDenied` if the house refuses one."""
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

    def table(self, name: str, *, words: str = "") -> TableClient:
        """A table, to be joined with `async with`; `words` is what else is followed: its "moment", or its "work"."""
        return TableClient(name, self.ticket, words=words)

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """Send a request, and retry while the house is briefly unavailable; every request may safely arrive twice.

        `Lost` if it stays unavailable; `httpx.HTTPStatusError` if it refuses.
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
        """Send one request to the node that serves its table; the first node says which one that is.

        If that node is down, the retry asks the first again, which will have noticed by then. Only if the first itself
        is down does the next take its place.
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
        """Send one request, with our token, to any node of the house."""
        known = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        answer = await self._http.request(method, url, headers={**known, **(headers or {})}, **more)
        for cookie in answer.cookies.jar:
            if cookie.name in COOKIES and cookie.value:
                self._token = cookie.value
        return answer
