"""The shield: which addresses count as one, which pages count as ours, and what whoever is kept out is told."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from baccarat.serve.access.budget import Budgets
from baccarat.serve.http.shield import EdgeMiddleware
from baccarat.serve.route.problem_page import meanings

JSON = (b"content-type", b"application/json")


async def answers(scope: Any, _receive: Any, send: Any) -> None:
    """An application that answers everything."""
    del scope
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def shield(**more: Any) -> EdgeMiddleware:
    """A shield around it."""
    limits = {"budgets": Budgets(1.0, 1000), "origins": frozenset[str](), "secure": False, **more}
    return EdgeMiddleware(answers, **limits)


def asked(
    before: EdgeMiddleware,
    *headers: tuple[bytes, bytes],
    client: str = "192.0.2.1",
    method: str = "POST",
    path: str = "/api/x",
) -> tuple[int, dict[str, Any]]:
    """One request: the status, and what was said."""
    sent = list[Any]()

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {"type": "http", "method": method, "path": path, "headers": list(headers), "client": (client, 1)}
    asyncio.run(before(scope, receive, send))
    return sent[0]["status"], json.loads(sent[1]["body"])


def test_a_network_of_ipv6_is_one_address() -> None:
    before = shield(budgets=Budgets(0.001, 3))
    found = [asked(before, client=f"2001:db8::{number}")[0] for number in range(5)]
    assert found == [200, 200, 200, 429, 429]
    assert asked(before, client="2001:db8:0:1::1")[0] == 200
    assert asked(before, client="::ffff:192.0.2.7")[0] == 200
    assert [asked(before, client="192.0.2.7")[0] for _ in range(3)] == [200, 200, 429], "the same, written otherwise"


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ("http://localhost:8414", "localhost:8414", 200),
        ("http://house.localhost:8414", "house.localhost:8414", 200),
        ("http://127.0.0.1:8414", "127.0.0.1:8414", 200),
        ("http://192.168.1.5:8414", "192.168.1.5:8414", 200),
        ("http://[::1]:8414", "[::1]:8414", 200),
        ("http://LOCALHOST:8414", "localhost:8414", 200),
        ("http://evil.example:8414", "evil.example:8414", 403),
        ("http://localhost.evil.example", "localhost.evil.example", 403),
        ("http://evil.example", "localhost", 403),
        ("http://localhost:1", "localhost:8414", 403),
        ("null", "localhost:8414", 403),
        ("null", "", 403),
        ("http://127.0.0.1.evil.example", "127.0.0.1.evil.example", 403),
        ("http://[", "[", 403),
    ],
)
def test_in_practice_a_page_is_ours_under_a_name_that_nobody_else_can_point_here(
    origin: str, host: str, status: int
) -> None:
    assert asked(shield(), (b"origin", origin.encode()), (b"host", host.encode()))[0] == status


def test_the_name_that_a_practice_house_listens_on_is_ours_too() -> None:
    before = shield(names=frozenset({"table.home.arpa"}))
    assert asked(before, (b"origin", b"http://table.home.arpa:1"), (b"host", b"table.home.arpa:1"))[0] == 200
    assert asked(before, (b"origin", b"http://evil.example"), (b"host", b"evil.example"))[0] == 403


OWN_HOSTS = (
    b"localhost", b"localhost:8414", b"LocalHost:1", b"localhost.", b"a.localhost:8414", b"127.0.0.1:8414",
    b"[::1]:8414", b"192.168.1.7", b"[2001:db8::1]", b"table.home.arpa:8414", b"TABLE.home.arpa", b"",
)  # fmt: skip
OTHER_HOSTS = (
    b"evil.example", b"evil.example:8414", b"localhost.evil.example", b"127.0.0.1.evil.example", b"xlocalhost", b"[::1",
    b"table.home.arpa.evil.example", b"evil.example@localhost.example", b":8414", b"1.2.3.4.5",
)  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_practice_house_answers_only_under_names_that_nobody_else_can_point_at_it(method: str) -> None:
    before = shield(names=frozenset({"table.home.arpa"}), any_host=False)
    for host in OWN_HOSTS:
        assert asked(before, (b"host", host), method=method)[0] == 200, host
    for host in OTHER_HOSTS:
        for path in ("/", "/api/x", "/metrics", "/healthz"):
            status, told = asked(before, (b"host", host), method=method, path=path)
            assert (status, told.get("code")) == (400, "unknown_host"), host
        assert asked(shield(), (b"host", host), method=method)[0] == 200, "a house for real tables is behind a proxy"


def test_whoever_is_kept_out_is_told_a_code_that_is_explained() -> None:
    busy = shield(budgets=Budgets(0.001, 1))
    asked(busy)
    kept_out = {
        429: asked(busy, path='/api/"x'),
        400: asked(shield(any_host=False), (b"host", b"elsewhere.example")),
        403: asked(shield(), (b"origin", b"https://elsewhere.example")),
        413: asked(shield(), (b"content-length", b"70000"), JSON),
        415: asked(shield(), (b"content-length", b"7"), (b"content-type", b"text/plain")),
    }
    for status, (found, told) in kept_out.items():
        assert found == told["status"] == status
        assert told["code"] in meanings()
        assert told["type"] == f"/docs/problem#{told['code']}"
        assert told["title"]
        assert told["instance"].startswith("/api/")


def test_a_body_that_is_on_its_way_is_taken_before_it_is_refused() -> None:
    """Otherwise the connection is closed while it comes, and whoever sends it never reads why."""
    order = list[str]()

    async def send(message: Any) -> None:
        order.append(message["type"])

    async def receive() -> Any:
        order.append("taken")
        return {"type": "http.request", "body": b"x" * 10, "more_body": order.count("taken") < 3}

    headers = [(b"content-length", b"30"), (b"content-type", b"text/plain")]
    scope = {"type": "http", "method": "POST", "path": "/api/x", "headers": headers, "client": ("192.0.2.1", 1)}
    asyncio.run(shield()(scope, receive, send))
    assert order == ["taken"] * 3 + ["http.response.start", "http.response.body"]


@pytest.mark.parametrize("size", [10, 100_000])
def test_a_body_that_never_comes_or_never_ends_is_refused_all_the_same(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baccarat.serve.http.shield.TAKEN_SECONDS", 0.1)
    order, taken = list[int](), 0

    async def send(message: Any) -> None:
        order.extend([message["status"]] if "status" in message else [])

    async def receive() -> Any:
        nonlocal taken
        taken += size
        await asyncio.sleep(0.0 if size > 10 else 60.0)
        return {"type": "http.request", "body": b"x" * size, "more_body": True}

    headers = [(b"content-length", b"1" * 9), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/x", "headers": headers, "client": ("192.0.2.1", 1)}
    asyncio.run(shield()(scope, receive, send))
    assert order == [413]
    assert taken <= 1_000_000


def test_a_node_that_may_not_answer_any_more_says_so_and_nothing_else() -> None:
    """What it has found may be wrong by now; an answer that was begun is cut off."""
    status, told = asked(shield(may_answer=lambda: False), JSON)
    assert (status, told["code"]) == (503, "not_now")
    assert told["detail"] == "The house cannot answer at the moment: it is not open. Try again."
    looks = iter([True, True, False])
    with pytest.raises(ConnectionAbortedError):
        asked(shield(may_answer=lambda: next(looks, False)), JSON)


def test_a_request_that_waits_is_answered_when_nothing_may_be_answered_any_more() -> None:
    """Its handler may wait for a database that never answers."""

    async def hangs(_scope: Any, _receive: Any, _send: Any) -> None:
        await asyncio.Event().wait()

    sent, may_answer = list[Any](), True

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def work() -> None:
        nonlocal may_answer
        before = shield(may_answer=lambda: may_answer)
        before.app = hangs
        scope = {"type": "http", "method": "GET", "path": "/api/x", "headers": [], "client": ("192.0.2.1", 1)}
        waiting = asyncio.create_task(before(scope, receive, send))
        await asyncio.sleep(0)
        before.end_unanswerable()
        await asyncio.sleep(0)
        assert not sent, "it may still be answered"
        may_answer = False
        before.end_unanswerable()
        before.end_unanswerable()
        await asyncio.wait_for(waiting, 60)

    asyncio.run(work())
    assert sent[0]["status"] == 503
    assert dict(sent[0]["headers"])[b"retry-after"] == b"1"
    assert json.loads(sent[1]["body"])["code"] == "not_now"
