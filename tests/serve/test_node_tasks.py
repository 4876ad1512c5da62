"""Every task of a node fails, wherever it stands: it is started again, and does its work."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client
from baccarat.house.house_book import AddPit
from baccarat.house.stream import HOUSE_STREAM, table_stream
from baccarat.serve.cluster import node as node_module
from baccarat.serve.cluster.lease import Lease
from baccarat.serve.cluster.node import TABLES, Node
from baccarat.serve.live import HouseServer
from baccarat.serve.ops import supervisor
from baccarat.serve.ops.supervisor import Supervisor
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.table_jobs import TableJobs
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from declared_tasks import NODE, declared_tasks
from house_books import open_table
from house_of_roles import Asked
from postgres_server import PostgresServer
from served import run_for, soon
from task_faults import TaskFaults
from two_nodes import HERE, RULES, AsHouse, two_nodes

pytestmark = pytest.mark.slow
TIMES = 2
"""How often each fails at each node: after the third time a node would end."""
QUIET: dict[str, Any] = {"betting_seconds": 3600.0, "pace": 60.0}


@pytest.mark.parametrize("seed", range(2))
def test_every_task_of_a_node_that_fails_is_started_again_and_does_its_work(
    seed: int, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "PAUSES", (0.05,))
    faults = TaskFaults(seed, 4.0, lambda: True, most=TIMES)
    monkeypatch.setattr(Supervisor, "_run_once", faults.failing(Supervisor._run_once))
    done = watched(monkeypatch)
    declared = declared_tasks(NODE)

    async def work() -> None:
        async with two_nodes(postgres, tmp_path, **QUIET) as ((one, house), (two, asked)):
            await soon(
                lambda: all(faults.restarted[name] == 2 * TIMES for name in declared),
                f"not every task has failed twice at both nodes: {faults.failed}",
            )
            assert {name: faults.failed[name] for name in declared} == dict.fromkeys(declared, 2 * TIMES)
            before = Counter(done)
            await tables_are_taken(one, two)
            await entries_are_read(one, two)
            await changes_are_noticed(one, house, asked)
            for what in ("renewed", "commits watched"):
                await soon(lambda what=what: done[what] > before[what] + 2, f"not {what} any more")  # type: ignore[misc]

    run_for(work())


def watched(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a lease was renewed, and commits were looked after."""
    done, renew, waits = Counter[str](), Lease.renew, vars(GroupCommitter)["waiting_seconds"]

    def renewed(lease: Lease) -> None:
        renew(lease)
        done["renewed"] += 1

    def watched(writer: Any) -> float:
        done["commits watched"] += 1
        return float(waits.fget(writer))

    monkeypatch.setattr(Lease, "renew", renewed)
    monkeypatch.setattr(GroupCommitter, "waiting_seconds", property(watched))
    monkeypatch.setattr(node_module, "COMMIT_SECONDS", 1.0)
    return done


# -------------------------------------------------------------------- in the middle of taking and handing over


@pytest.mark.parametrize("place", ["_catch_up", "_is_learnt", "_take_over"])
def test_a_table_is_not_lost_between_its_claim_and_its_first_act(
    place: str, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "PAUSES", (0.05,))

    async def work() -> None:
        async with two_nodes(postgres, tmp_path, **QUIET) as ((one, _), (two, _)):
            failed = fails_once(monkeypatch, Node, place)
            await tables_are_taken(one, two)
            assert failed.is_set()

    run_for(work())


@pytest.mark.parametrize(
    ("owner", "place"),
    [
        (TableJobs, "stop_at"),
        (GroupCommitter, "wait_until_flushed"),
        (Lease, "release_streams"),
        (Node, "announce_move"),
    ],
)
def test_a_table_is_not_lost_in_the_middle_of_its_hand_over(
    owner: type, place: str, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It arrives, and whoever watches it is told."""
    monkeypatch.setattr(supervisor, "PAUSES", (0.05,))

    async def work() -> None:
        async with two_nodes(postgres, tmp_path, **QUIET) as ((one, house), (two, _)):
            assert two.node is not None
            stream = table_stream(HERE)
            async with Client(house.address, token=house.tokens[Role.SURVEILLANCE]) as client, client.table(HERE):
                (guest,) = one.rooms[HERE].guests
                failed = fails_once(monkeypatch, owner, place)
                async with two.node.hold_streams([stream]) as is_there:
                    assert is_there
                    assert failed.is_set()
                    await soon(lambda: guest.line.is_ended, "nobody tells who watches")
            await tables_are_taken(one, two)

    run_for(work())


def fails_once(patch: pytest.MonkeyPatch, owner: type, name: str) -> asyncio.Event:
    """A method that fails the first time it is called from a task of a node; the event says that it has failed."""
    method, failed = getattr(owner, name), asyncio.Event()

    def is_to_fail() -> bool:
        task = asyncio.current_task() if threading.current_thread() is threading.main_thread() else None
        is_now = not failed.is_set() and (task is None or task.get_name() == TABLES)
        if is_now:
            failed.set()
        return is_now

    def fails(*args: Any, **more: Any) -> Any:
        if is_to_fail():
            raise ArithmeticError("planted")
        return method(*args, **more)

    patch.setattr(owner, name, fails)
    return failed


# ---------------------------------------------------------------------------------------- what each of them does


async def tables_are_taken(one: HouseServer, two: HouseServer) -> None:
    """A new table, and every other, is served by one of them, and both know by which."""
    open_table(AsHouse(one), RULES, "T9")  # type: ignore[arg-type]
    await one.house.writer.wait_until_flushed()

    def are_served() -> bool:
        assert one.node is not None
        assert two.node is not None
        nodes = one.node, two.node
        return all(
            sum(node.owns(name) for node in nodes) == 1 and len({node.owner(name) for node in nodes}) == 1
            for name in one.house.state.tables
        )

    await soon(are_served, "a table is served by nobody")


async def entries_are_read(one: HouseServer, two: HouseServer) -> None:
    """What one node enters, the other reads."""
    for enters, reads, pit in ((one, two, "early"), (two, one, "late")):
        entered = enters.enter(HOUSE_STREAM, AddPit(name=pit), Envelope(actor=Actor(who="a", role=Role.ADMINISTRATOR)))
        assert entered.refused is None
        await enters.house.writer.wait_until_flushed()
        head = enters.house.journal.head(HOUSE_STREAM).seq
        await soon(lambda reads=reads, head=head: reads.house.journal.head(HOUSE_STREAM).seq >= head, "it is not read")  # type: ignore[misc]


async def changes_are_noticed(one: HouseServer, house: Asked, asked: Asked) -> None:
    """Whose session is ended at one node loses the socket at the other."""
    async with Client(house.address, token=house.tokens[Role.SURVEILLANCE]) as client, client.table(HERE):
        (guest,) = one.rooms[HERE].guests
        listed = await asked.get(f"/api/people/{house.people[Role.SURVEILLANCE]}/sessions", role=Role.ADMINISTRATOR)
        (session,) = (each["id"] for each in listed.json["sessions"])
        found = await asked.ask("DELETE", f"/api/sessions/{session}", role=Role.ADMINISTRATOR)
        assert found.status == 204, found
        await soon(lambda: guest not in one.rooms[HERE].guests, "the socket is still there")
