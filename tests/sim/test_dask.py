"""The engine `dask`: the same tally from a cluster, also where a worker is killed; a dead cluster says so."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from baccarat import rulebook
from baccarat.sim.dask_engine import DaskEngine, WorkerOrder, WrongVersion, deal_range
from baccarat.sim.engine import NoEngine, grow_tally, make_engine, simulate
from baccarat.sim.job import Job, encode_rulebook, make_job

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of other people's sockets and loops
]

RULES = rulebook("ma-midi-4", cover_card_depth=11)
"""The plain path, which is slow enough for a worker to be killed in the middle of a range."""


def job(seed: int, shoes: int = 1 << 15) -> Job:
    return make_job(RULES, seed=seed, shoes=shoes)


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskEngine]:
    made = make_engine(job(7), "dask", workers=2)
    assert isinstance(made, DaskEngine)
    yield made
    made.close()


def test_a_killed_workers_ranges_are_dealt_again(cluster: DaskEngine) -> None:
    before = set(cluster._client.run(os.getpid).values())
    assert len(before) == 2
    growing = grow_tally(job(7), cluster)
    next(growing)
    os.kill(min(before), signal.SIGKILL)
    *_, found = growing
    assert min(before) not in cluster._client.run(os.getpid).values()
    assert found.hash == simulate(RULES, seed=7, shoes=1 << 15, engine="plain", workers=1).hash


def test_a_cluster_is_used_by_its_address_and_its_end_is_told(cluster: DaskEngine) -> None:
    """The last of this file: it ends the cluster."""
    address = cluster._client.scheduler.address
    found = simulate(RULES, seed=8, shoes=300, engine="dask", cluster=address)
    assert found == simulate(RULES, seed=8, shoes=300)
    other = DaskEngine(job(9), address=address.removeprefix("tcp://"), workers=None)
    growing = grow_tally(job(9), other)
    first = next(growing)
    cluster.close()
    with pytest.raises(NoEngine, match="the cluster is lost"):
        list(growing)
    assert first.shoes
    assert first == simulate(RULES, seed=9, shoes=first.shoes)
    other.close()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "nonsense", "tcp://no-such-host.invalid:8786"])
def test_no_cluster_at_an_address_is_told_at_once(address: str) -> None:
    with pytest.raises(NoEngine, match=f"no Dask scheduler answers at .*{address}"):
        make_engine(job(1), "dask", cluster=address)


def test_a_worker_of_another_version_is_refused() -> None:
    order = WorkerOrder(rules=encode_rulebook(RULES), seed=1, rounds=None, detail="totals", version="0.0.0")
    with pytest.raises(WrongVersion, match="and 0\\.0\\.0 is asked for"):
        deal_range(order, 0, 1)
