"""For whoever runs a house: whether it lives and is ready, its figures, and a log that gives nobody away."""

from __future__ import annotations

import io
import json
import logging
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.cards import Rank, Suit
from baccarat.client import Client
from baccarat.house.stream import Stream
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.log import FIELDS, ServerLog
from baccarat.serve.ops.metrics import OUTCOMES
from baccarat.serve.ops.metrics_token import read_metrics_token
from baccarat.serve.setting import Setting
from baccarat.serve.store.base import StoreError, StoreUnavailable
from playing import play_rounds, sit_down
from served import run_for, served

LABELS = {"outcome", "le"}
"""The labels that a figure may have: what came of a command, and the bounds of a histogram."""


async def fetched(address: str, path: str, **headers: str) -> httpx.Response:
    """What a house answers to whoever runs it."""
    async with httpx.AsyncClient(base_url=address) as client:
        return await client.get(path, headers=headers)


def figures(page: str) -> dict[str, float]:
    """Each figure of the page by its name and label."""
    lines = [line for line in page.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


TOKEN = "0123456789abcdef0123456789abcdef"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


def token_file(folder: Path) -> str:
    """The file with the operator's token."""
    path = folder / "metrics.token"
    path.write_text(f"{TOKEN}\n")
    return str(path)


async def play(address: str, *, rounds: int = 1) -> list[dict[str, Any]]:
    """A visitor plays some rounds; all that he was shown to happen."""
    async with Client(address) as client:
        await client.visit()
        async with client.table("ma-midi-4") as table:
            await sit_down(client, table)
            await play_rounds(table, rounds)
            assert not (await table.do("sit", seat=2)).is_done
            return table.events()


@pytest.mark.slow
def test_the_figures_count_what_happened_and_name_nobody(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, metrics_token=token_file(tmp_path)) as (live, address):
            await play(address, rounds=2)
            answer = await fetched(address, "/metrics", **OPERATOR)
            page, found = answer.text, figures(answer.text)
            assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
            assert found['baccarat_commands_total{outcome="done"}'] == 3
            assert found['baccarat_commands_total{outcome="refused"}'] == 1
            assert found["baccarat_commit_seconds_count"] == found["baccarat_batch_entries_count"] > 10
            assert found["baccarat_batch_entries_sum"] >= live.house.journal.head(Stream("table ma-midi-4")).seq
            assert found["baccarat_frames_total"] > 10
            assert found["baccarat_rooms"] == len(live.rooms)
            assert found["baccarat_seated"] == 1
            assert found["baccarat_sockets"] == 0
            assert found["baccarat_wal_bytes"] > 0
            assert found["baccarat_ready"] == 1
            labels = set(re.findall(r'[{,]([a-z_]+)="', page))
            assert labels == LABELS
            assert set(re.findall(r'outcome="([a-z_]+)"', page)) == set(OUTCOMES)

    run_for(work())


@pytest.mark.slow
def test_the_figures_are_for_the_operator_alone(tmp_path: Path) -> None:
    """Nobody is believed for where a request comes from: a proxy on this machine may pass on anybody's."""

    async def without_token() -> None:
        async with served(tmp_path) as (_, address):
            for headers in ({}, OPERATOR, {"Authorization": "Bearer x"}):
                assert (await fetched(address, "/metrics", **headers)).status_code == 404

    async def with_token() -> None:
        async with served(tmp_path, metrics_token=token_file(tmp_path)) as (_, address):
            wrong: tuple[dict[str, str], ...] = (
                {},
                {"Authorization": f"Bearer {TOKEN}x"},
                {"Authorization": TOKEN},
                {"X-Forwarded-For": "::1"},
            )
            for headers in wrong:
                assert (await fetched(address, "/metrics", **headers)).status_code == 404
            assert (await fetched(address, "/metrics", **OPERATOR)).status_code == 200

    run_for(without_token())
    run_for(with_token())


@pytest.mark.parametrize("content", [b"", b"short", b"two words of sixteen", b"x" * 2_000, b"\xf6" * 20])
def test_a_token_that_cannot_be_used_is_named_before_the_house_opens(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "token"
    with pytest.raises(StoreError, match="cannot be read"):
        read_metrics_token(Setting(metrics_token=str(path)))
    path.write_bytes(content)
    with pytest.raises(StoreError, match="in one line, 16 to 1000 letters and digits"):
        read_metrics_token(Setting(metrics_token=str(path)))
    path.write_bytes(b"0123456789abcdef\n")
    assert read_metrics_token(Setting(metrics_token=str(path))) == b"0123456789abcdef"


def is_problem_until(found: httpx.Response, seconds: str) -> str:
    """The sentence of an answer that is a problem (RFC 9457) and says when to try again."""
    assert (found.status_code, found.headers["content-type"]) == (503, "application/problem+json")
    assert found.headers["retry-after"] == seconds
    told = found.json()
    assert (told["status"], told["code"], told["instance"]) == (503, "not_now", "/readyz")
    return str(told["detail"])


@pytest.mark.slow
def test_a_house_is_ready_until_it_closes_or_its_store_fails(tmp_path: Path) -> None:
    async def work() -> None:
        token = token_file(tmp_path)
        async with served(tmp_path, stopped=lambda _error: None, metrics_token=token) as (live, address):
            assert (await fetched(address, "/readyz")).status_code == 200
            live.readiness.is_draining = True
            closing = await fetched(address, "/readyz")
            assert is_problem_until(closing, "5") == "No command is accepted now: the house is closing."
            assert (await fetched(address, "/healthz")).status_code == 200
            live.readiness.is_draining = False
            live.house.writer.fail(StoreUnavailable("planted"))
            assert figures((await fetched(address, "/metrics", **OPERATOR)).text)["baccarat_ready"] == 0
            for path in ("/readyz", "/healthz", "/api/tables"):
                failed = await fetched(address, path)
                assert (failed.status_code, failed.headers["retry-after"]) == (503, "1"), path
                why = (
                    "The house cannot answer at the moment: the store has failed, and the house is closing. Try again."
                )
                assert failed.json()["detail"] == why, "and nothing of the house"

    run_for(work())


@pytest.mark.slow
def test_a_slow_commit_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()

    async def work() -> None:
        async with served(tmp_path, log=ServerLog(json=True, file=out)) as (live, _):
            monkeypatch.setattr("baccarat.serve.ops.metrics.SLOW_COMMIT_SECONDS", -1.0)
            live.keep_snapshot(after=0)
            await live.house.writer.wait_until_flushed()

    run_for(work())
    first = json.loads(out.getvalue().splitlines()[0])
    assert (first["event"], first["level"]) == ("slow_commit", "warning")


@pytest.mark.slow
def test_a_store_that_fails_beside_a_commit_stops_the_house_too(tmp_path: Path) -> None:
    stopped: list[BaseException] = []

    def broken() -> None:
        raise StoreUnavailable("planted")

    async def work() -> None:
        async with served(tmp_path, stopped=stopped.append) as (live, _):
            with pytest.raises(StoreUnavailable):
                await live.house.writer.run_exclusive(broken)
            with pytest.raises(StoreUnavailable):
                await live.house.writer.wait_until_flushed()

    run_for(work())
    assert [str(each) for each in stopped] == ["planted"]


# -------------------------------------------------------------------------------------------------- the log


def test_only_listed_fields_can_be_logged() -> None:
    log = ServerLog(json=True, file=io.StringIO())
    with pytest.raises(AssertionError, match="card may not be logged"):
        log.say("turned", "a card was turned", card="9s")
    with pytest.raises(AssertionError, match="port is logged as int"):
        log.say("serving", "it serves", port="9s")
    assert not {"who", "person", "name", "card", "token", "seed", "session"} & set(FIELDS)


def test_of_a_fault_the_log_has_where_it_arose_and_nothing_that_somebody_typed() -> None:
    out = io.StringIO()
    try:
        int("Donald Duck, 9s")
    except ValueError as error:
        ServerLog(json=True, file=out).fault(error, "a request failed because of a bug in the program")
    (line,) = out.getvalue().splitlines()
    found = json.loads(line)
    assert (found["event"], found["fault"], found["level"]) == ("fault", "ValueError", "error")
    assert found["where"][0].startswith("test_operating.py:")
    assert "Duck" not in line
    assert found["time"].endswith("Z")


def test_warnings_of_libraries_come_without_what_was_put_into_them() -> None:
    out, root = io.StringIO(), logging.getLogger()
    kept = root.handlers, root.level
    try:
        ServerLog(json=True, file=out).take_over()
        logging.getLogger("uvicorn.error").warning("no such %s", "Donald Duck")
        logging.getLogger("uvicorn.error").error("Cancel %s running task(s), %(why)s %5.1f 100%%", 3)
        logging.getLogger("uvicorn.error").error("Cancel %s running task(s)", 3)
        logging.getLogger("uvicorn.error").error("%(count)d of %(what)s", {"count": 4, "what": "Donald Duck"})
        logging.getLogger("asyncio").error("Task exception was never retrieved\nfuture: Donald Duck")
        logging.getLogger("websockets").info("frame %s", "Donald Duck")
    finally:
        root.handlers, root.level = kept
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [each["say"] for each in found] == [
        "no such …",
        "Cancel … running task(s), … … 100%%",
        "Cancel 3 running task(s)",
        "4 of …",
        "Task exception was never retrieved",
    ]


def test_a_connection_that_was_cut_is_no_fault_of_the_program() -> None:
    out, root = io.StringIO(), logging.getLogger()
    kept = root.handlers, root.level
    try:
        ServerLog(json=True, file=out).take_over()
        try:
            raise RuntimeError("after the response") from ConnectionAbortedError("may not answer")
        except RuntimeError:
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    finally:
        root.handlers, root.level = kept
    assert not out.getvalue()


def secrets_of(live: HouseServer, shown: list[dict[str, Any]]) -> dict[str, list[str]]:
    """What must not be logged, by kind: the cards of the shoe as they are written, names, seeds, tokens."""
    cards = [f"{rank.value}{suit.value}" for rank in Rank for suit in Suit]
    seeds = [seed.hex() for held in live.vault._open.values() for seed in held.values() if isinstance(seed, bytes)]
    people = [person.who for table in live.house.state.tables.values() for person in table.seats.participants if person]
    assert any(event["event"] == "card_turned" for event in shown)
    assert seeds
    assert people
    return {"cards": cards, "seeds": seeds, "people": people}


@pytest.mark.slow
def test_a_whole_session_logs_no_card_no_name_no_token_and_no_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()

    def broken(*_: object) -> None:
        raise ValueError("Donald turned 9s")

    held: dict[str, list[str]] = {}

    async def work() -> None:
        root = logging.getLogger()
        kept = root.handlers, root.level
        log = ServerLog(json=True, level="debug", file=out)
        log.take_over()
        try:
            async with served(tmp_path, log=log) as (live, address):
                shown = await play(address, rounds=3)
                monkeypatch.setattr("baccarat.serve.route.table.card_of", broken)
                await attack(address)
                held.update(secrets_of(live, shown))
                held["tokens"] = await tokens(address)
        finally:
            root.handlers, root.level = kept

    run_for(work())
    text = out.getvalue()
    assert '"event": "fault"' in text, "the session met a planted fault, which is logged"
    for kind, found in held.items():
        for secret in found:
            assert not re.search(rf"\b{re.escape(secret)}\b", text), kind
    assert "Donald" not in text


async def attack(address: str) -> None:
    """Requests that somebody who means harm sends, one of which meets a fault."""
    async with httpx.AsyncClient(base_url=address) as client:
        await client.post("/api/session", json={"name": "Donald", "password": "Donald 9s", "role": "dealer"})
        await client.get("/api/tables/Donald")
        assert (await client.get("/api/tables")).status_code == 500


async def tokens(address: str) -> list[str]:
    """Tokens and tickets as a visitor gets them."""
    async with httpx.AsyncClient(base_url=address) as client:
        came = await client.post("/api/visit")
        ticket = await client.post("/api/tickets", json={"table": "ma-midi-4"})
        return [came.cookies["baccarat"], ticket.json()["ticket"]]
