"""A house whose witnesses have a share in every order: asked at the closing, and the same again after a crash."""

from __future__ import annotations

import asyncio
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import make_bundle
from baccarat.audit.bundle.shoe_checks import ORDERS
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.chain import leaf_hash
from baccarat.client import Client
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.entry import ActRecord, read_body
from baccarat.record.note import read_note
from baccarat.record.policy import policy_of_keys
from baccarat.record.witness_http import WitnessUnreachable, ask_share
from baccarat.serve.job import share_exchange
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.store.base import Batch, all_entries
from baccarat.serve.store.journal_export import signed_journal
from baccarat.serve.store.sqlite import SqliteStore
from bundles import source_of
from played import next_round, play_round
from running_witness import HOUSE, WITNESSES, RunningWitness, answered_shares, settings, witnesses
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
STREAM = Stream(f"table {TABLE}")
ORIGIN = f"example.org/house/table/{TABLE}"


def events(live: HouseServer) -> list[tuple[ActRecord, dict[str, Any]]]:
    """Every event of the table, with its record."""
    found = []
    for row in all_entries(live.store, STREAM):
        record = read_body(row.body)
        if isinstance(record, ActRecord):
            found += [(record, msgspec.json.decode(bytes(raw))) for raw in record.events]
    return found


def of(live: HouseServer, name: str) -> list[dict[str, Any]]:
    """The events of this name."""
    return [event for _, event in events(live) if event["event"] == name]


async def sealed(live: HouseServer, address: str) -> None:
    """Somebody sits down and stays until the order of the shoe is sealed."""
    async with Client(address) as client:
        await client.visit()
        async with client.table(TABLE) as table:
            if table.state["seats"]["participants"][1].get("taken") is False:
                assert (await table.do("sit", seat=2)).is_done
            await soon(lambda: bool(live.house.state.tables[TABLE].shoe.root))
    await live.house.writer.wait_until_flushed()


def copy_disk(folder: Path, to: Path) -> None:
    """What is on the disk at this moment; a witness may replace a file while its folder is read."""
    while True:
        try:
            shutil.copytree(folder, to, ignore=shutil.ignore_patterns("*.lock"))
        except shutil.Error:
            shutil.rmtree(to)
        else:
            return


@pytest.mark.parametrize("names", [(), WITNESSES[:1], WITNESSES])
def test_a_round_is_played_from_an_order_in_which_every_witness_has_a_share(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    async def work(running: Sequence[RunningWitness]) -> None:
        async with served(tmp_path, **settings(tmp_path, running)) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                await play_round(table, client)
            await live.house.writer.wait_until_flushed()
            made = of(live, "shoe_committed")[0]
            assert (made["order"], made["origin"]) == (2, ORIGIN)
            keys = sorted(str(each.shares.verifier) for each in running)
            assert [each["key"] for each in made.get("witnesses", [])] == keys
            assert sorted(each["key"] for each in of(live, "share_given")) == keys
            (closing,) = [record for record, event in events(live) if event["event"] == "inputs_closed"]
            (sealing,) = [record for record, event in events(live) if event["event"] == "order_sealed"]
            assert len(closing.events) == 1
            assert sealing.at - closing.at < 10_000_000, "a second, and more on a busy machine"
            sizes = [row.size for row in live.store.checkpoints(STREAM)]
            for name in ("shoe_committed", "order_sealed", "result_announced"):
                (first, *_) = [record.seq for record, event in events(live) if event["event"] == name]
                assert first + 1 in sizes, f"signed at {name}"
            assert [size for size in sizes if closing.seq < size <= sealing.seq], "signed before the seal"
            audited(live, tmp_path)
            said = orders(live, running)
            if not names:
                assert said == ["order of shoe 1: the house alone could have known this order beforehand"]
            else:
                many = f"{len(names)} witness{'es' * (len(names) > 1)}"
                assert said == [f"order of shoe 1: {many} named, {len(names)} shown"]

    with witnesses(tmp_path, names) as running:
        run_for(work(running))


def orders(live: HouseServer, running: Sequence[RunningWitness]) -> list[str]:
    """What the bundle of the whole table says of its orders, to a reader who has all keys."""
    data = b"".join(signed_journal(live.store))
    bundle = make_bundle(source_of(data), Scope(kind="all", stream=STREAM))
    keys = [HOUSE.verifier, *(each.shares.verifier for each in running)]
    verdict = verify_bundle(bundle, policy=policy_of_keys(keys))
    assert not [check for check in verdict.checks if check.state == "wrong" and check.name != "signature"]
    return [check.say for check in verdict.checks if check.name == ORDERS]


POINTS = ("before ask_promise", "after ask_promise", "before cosign_stream", "after cosign_stream", "before ask_share",
          "after ask_share")  # fmt: skip


@pytest.mark.parametrize("point", POINTS)
def test_a_house_that_dies_between_commitment_and_seal_gets_the_same_share_and_no_second_order(
    tmp_path: Path, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk as it is at that moment is all that is left; another house opens it, and the witnesses are the same."""
    place, name = point.split()
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    real: Callable[..., Any] = getattr(share_exchange, name)
    died = threading.Event()

    def die() -> None:
        if not second.exists():
            copy_disk(first, second)
        died.set()
        raise WitnessUnreachable("the house has died here")

    async def dying_async(*words: Any, **more: Any) -> Any:
        if place == "after":
            await real(*words, **more)
        die()

    def dying(*words: Any, **more: Any) -> Any:
        if place == "after":
            real(*words, **more)
        die()

    async def until_it_dies(running: Sequence[RunningWitness]) -> None:
        async with served(first, **settings(first, running)) as (_, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                assert (await table.do("sit", seat=2)).is_done
                await soon(died.is_set)

    async def as_before(running: Sequence[RunningWitness]) -> None:
        async with served(second, **settings(second, running)) as (live, address):
            await asyncio.wait_for(sealed(live, address), 120)
            (closing,) = [row for row in all_entries(live.store, STREAM) if b'"event":"inputs_closed"' in row.body]
            for each in running:
                assert answered_shares(each.address, ORIGIN) == {"0": leaf_hash(closing.body)}, "one closing, one share"
            assert len(of(live, "share_given")) == len(running)
            assert len(of(live, "order_sealed")) == 1
            covering = read_checkpoint(read_note(live.store.checkpoints(STREAM)[-1].note))
            assert covering.size > closing.seq
            audited(live, tmp_path)

    with witnesses(tmp_path) as running:
        monkeypatch.setattr(share_exchange, name, dying_async if asyncio.iscoroutinefunction(real) else dying)
        run_for(until_it_dies(running))
        monkeypatch.setattr(share_exchange, name, real)
        run_for(as_before(running))


def test_a_power_cut_after_any_commit_between_commitment_and_seal_leads_to_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """House and witnesses lose power together: what each had on disk then is all that is left of it."""
    first, copies = tmp_path / "first", list[Path]()
    (first / "house").mkdir(parents=True)
    real = SqliteStore.append

    def append(store: SqliteStore, batch: Batch) -> None:
        real(store, batch)
        copies.append(tmp_path / f"cut {len(copies)}")
        copy_disk(first, copies[-1])

    async def until_sealed(running: Sequence[RunningWitness]) -> None:
        async with served(first / "house", **settings(first / "house", running)) as (live, address):
            monkeypatch.setattr(SqliteStore, "append", append)
            await sealed(live, address)
            monkeypatch.setattr(SqliteStore, "append", real)
            roots.append(live.house.state.tables[TABLE].shoe.root)

    async def after_the_cut(folder: Path, running: Sequence[RunningWitness]) -> None:
        async with served(folder / "house", **settings(folder / "house", running)) as (live, address):
            held = live.house.state.tables[TABLE].shoe.commitment
            steps.append((held is not None, bool(held and held.inputs), len(held.shares) if held else 0))
            await asyncio.wait_for(sealed(live, address), 120)
            (closing,) = [row for row in all_entries(live.store, STREAM) if b'"event":"inputs_closed"' in row.body]
            for each in running:
                assert answered_shares(each.address, ORIGIN) == {"0": leaf_hash(closing.body)}, "one closing, one share"
            assert (len(of(live, "share_given")), len(of(live, "order_sealed"))) == (2, 1)
            if steps[-1][1]:
                assert live.house.state.tables[TABLE].shoe.root == roots[0], "what was closed gives no second order"
            audited(live, folder)

    roots, steps = list[str](), list[tuple[bool, bool, int]]()
    with witnesses(first) as running:
        run_for(until_sealed(running))
    for folder in copies:
        with witnesses(folder) as running:  # started again, with what they remember
            run_for(after_the_cut(folder, running))
    assert {(True, False, 0), (True, True, 0), (True, True, 2)} <= set(steps), steps


def test_a_shoe_waits_for_a_witness_that_is_silent_and_goes_on_when_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_exchange, "RETRY_SECONDS", 0.05)
    real, calls = ask_share, list[str]()

    def silent(address: str, request: Any) -> Any:
        calls.append(address)
        if len(calls) < 6:
            raise WitnessUnreachable("it is silent")
        return real(address, request)

    monkeypatch.setattr(share_exchange, "ask_share", silent)

    async def work(running: Sequence[RunningWitness]) -> None:
        async with served(tmp_path, **settings(tmp_path, running)) as (live, address):
            await sealed(live, address)
            assert len(calls) >= 6
            audited(live, tmp_path)

    with witnesses(tmp_path) as running:
        run_for(work(running))


def test_a_witness_that_is_deleted_from_the_file_is_not_dropped_but_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record says who has a share; the file says only where they are."""
    monkeypatch.setattr(share_exchange, "RETRY_SECONDS", 0.05)
    said = list[str]()

    def say(_log: ServerLog, event: str, text: str, **_fields: Any) -> None:
        said.append(f"{event}: {text}")

    monkeypatch.setattr(ServerLog, "say", say)

    async def opened(running: Sequence[RunningWitness]) -> None:
        async with served(tmp_path, **settings(tmp_path, running)) as (live, _):
            keys = tuple(sorted(str(each.shares.verifier) for each in running))
            assert live.house.state.tables[TABLE].witnesses == keys
            assert not [each for each in said if "witnesses_differ" in each]

    async def waits(running: Sequence[RunningWitness]) -> None:
        async with served(tmp_path, **settings(tmp_path, running)) as (live, address), Client(address) as client:
            assert [each for each in said if "witnesses_differ" in each and "change_witnesses" in each]
            await client.visit()
            async with client.table(TABLE) as table:
                assert (await table.do("sit", seat=2)).is_done
                await soon(lambda: any("share_missing" in each and "commission" in each for each in said))
            assert live.house.state.tables[TABLE].shoe.commitment is None, "nothing is committed without it"

    async def goes_on(running: Sequence[RunningWitness]) -> None:
        async with served(tmp_path, **settings(tmp_path, running)) as (live, address):
            await sealed(live, address)
            assert len(of(live, "share_given")) == len(running)
            audited(live, tmp_path)

    with witnesses(tmp_path) as running:
        run_for(opened(running))
        run_for(waits(running[:1]))
        run_for(goes_on(running))


def test_a_silent_witness_is_asked_again_after_some_seconds_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_exchange, "RETRY_SECONDS", 0.3)
    real, calls = ask_share, list[float]()

    def silent(address: str, request: Any) -> Any:
        calls.append(time.monotonic())
        if len(calls) < 4:
            raise WitnessUnreachable("it is silent")
        return real(address, request)

    monkeypatch.setattr(share_exchange, "ask_share", silent)

    async def work(running: Sequence[RunningWitness]) -> None:
        async with served(tmp_path, **settings(tmp_path, running)) as (live, address):
            await sealed(live, address)

    with witnesses(tmp_path, WITNESSES[:1]) as running:
        run_for(work(running))
    assert min(after - before for before, after in pairwise(calls)) >= 0.3


def test_a_checkpoint_is_signed_when_a_shoe_is_closed(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **settings(tmp_path, [])) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                await play_round(table, client)
                while table.state["shoe"]["number"] == 0:
                    await next_round(table)
            await live.house.writer.wait_until_flushed()
            (closed,) = [record.seq for record, event in events(live) if event["event"] == "shoe_closed"]
            assert closed + 1 in [row.size for row in live.store.checkpoints(STREAM)]

    run_for(work())
