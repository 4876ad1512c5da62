"""The engine `dask`: ranges of shoes on the workers of a Dask cluster, an existing one or one of our own.

A range that a worker had when it died is dealt again by another: shoes have numbers, so nothing can be lost or counted
twice. The workers must run this same version of the program: what they make of the rulebook is compared by its hash.
"""

from __future__ import annotations

import logging
import socket
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError
from functools import lru_cache
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import msgspec

from baccarat import __version__
from baccarat.sim.engine import Dealer, Dealt, NoEngine, NotInstalled, best_dealer
from baccarat.sim.job import Job, SentRules, decode_rulebook, encode_rulebook, make_job
from baccarat.sim.plan import Detail
from baccarat.sim.tally import Range, RangeCounts
from baccarat.sim.threads import ITEMS_AHEAD, processors

SCHEDULER_SECONDS = 10
"""Seconds that a scheduler may take to answer, and a cluster without workers to get one."""
MOST_RETRIES = 5
"""How often a range is retried after workers died with it."""
RANGE_FACTOR = 2
"""How many times longer a range for a cluster is than for a thread: sending it takes a few milliseconds."""

IGNORE_SIGINT = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
"""
"""What workers of our own run first: a terminal sends Ctrl-C to them too, but the program stops them itself."""


class WorkerOrder(msgspec.Struct, frozen=True, kw_only=True):
    """All that a worker must know of a job, except for the shoes."""

    rules: SentRules
    seed: int
    rounds: int | None
    detail: Detail
    version: str


class WrongVersion(Exception):  # noqa: N818  shown to the user
    """A worker that runs another version of the program."""


@lru_cache(maxsize=8)
def _dealer(order: WorkerOrder) -> Dealer:
    """The dealer of an order, made once in each worker."""
    if order.version != __version__:
        raise WrongVersion(f"a worker runs baccarat {__version__}, and {order.version} is asked for")
    try:
        rules = decode_rulebook(order.rules)
    except ValueError as error:
        raise WrongVersion(str(error)) from None
    job = make_job(rules, seed=order.seed, shoes=1, rounds=order.rounds, detail=order.detail)
    return best_dealer(job)[0]


def deal_range(order: WorkerOrder, first: int, shoes: int) -> tuple[tuple[int, ...], int]:
    """Deal a range in a worker: the counts and the void rounds."""
    counts = _dealer(order).deal(Range(first, shoes))
    return counts.cells, counts.void


class DaskEngine:
    """The workers of a cluster."""

    name = "dask"

    def __init__(self, job: Job, *, address: str | None, workers: int | None) -> None:
        if find_spec("distributed") is None:
            raise NotInstalled("the engine dask needs the package distributed: pip install 'baccarat[dask]'")
        start = perf_counter()
        self.order = WorkerOrder(
            rules=encode_rulebook(job.rules), seed=job.seed, rounds=job.rounds, detail=job.detail, version=__version__
        )  # fmt: skip
        here, self.notes = best_dealer(job)
        self.shoes = RANGE_FACTOR * here.shoes
        self._cluster: Any = None
        if address is not None and "://" not in address:
            address = f"tcp://{address}"
        if address is None:
            self._cluster = _own_cluster(workers or processors())
            address = self._cluster.scheduler_address
        try:
            self._client = _client(address)
            self.workers = self._wait_for_workers(address, workers)
        except BaseException:
            self.close()
            raise
        self.about = f"cluster at {address}" if self._cluster is None else "a cluster of its own"
        self.prepared = perf_counter() - start

    def _wait_for_workers(self, address: str, workers: int | None) -> int:
        from distributed import TimeoutError as TooLate  # noqa: PLC0415

        try:
            self._client.wait_for_workers(1 if workers is None else workers, timeout=SCHEDULER_SECONDS)
        except (TooLate, TimeoutError):
            found = len(self._client.scheduler_info(n_workers=-1)["workers"])
            wanted = "one is needed" if workers is None else f"{workers} are asked for"
            say = (
                f"the cluster at {address} has {found or 'no'} workers after {SCHEDULER_SECONDS} seconds, and {wanted}"
            )
            raise NoEngine(say) from None
        return sum(self._client.nthreads().values())

    def deal(self, ranges: Iterator[Range]) -> Dealt:
        """Each range with its counts, in order; a range whose worker died is dealt again."""
        waiting: deque[tuple[Range, Any]] = deque()
        try:
            for shoes in ranges:
                waiting.append((shoes, self._submit(shoes)))
                if len(waiting) >= ITEMS_AHEAD * self.workers:
                    yield self._result(*waiting.popleft())
            while waiting:
                yield self._result(*waiting.popleft())
        finally:
            for _, future in waiting:
                future.release()

    def _submit(self, shoes: Range) -> Any:
        return self._client.submit(deal_range, self.order, shoes.first, shoes.shoes, pure=False)

    def _result(self, shoes: Range, future: Any) -> tuple[Range, RangeCounts]:
        from distributed import KilledWorker  # noqa: PLC0415

        for _ in range(MOST_RETRIES):
            try:
                cells, void = future.result()
            except KilledWorker:  # workers were killed one after another, each of which had it
                future = self._submit(shoes)
            except (WrongVersion, ModuleNotFoundError) as error:
                raise NoEngine(f"the cluster cannot deal: {error}") from None
            except (CancelledError, OSError) as error:
                why = str(error).partition("\n")[0] or type(error).__name__
                raise NoEngine(f"the cluster is lost, and {shoes} are the first shoes not counted ({why})") from None
            else:
                return shoes, RangeCounts(cells=cells, void=void)
        raise NoEngine(f"shoes {shoes}: {MOST_RETRIES} times every worker that had them died")

    def close(self) -> None:
        """Release the cluster; one of our own is shut down."""
        for each in (getattr(self, "_client", None), self._cluster):
            if each is not None:
                each.close()


def _client(address: str) -> Any:
    from distributed import Client  # noqa: PLC0415

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report errors ourselves, once
    try:
        _probe_address(address)
        return Client(address, timeout=SCHEDULER_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:  # an invalid address is a ValueError
        why = getattr(error, "strerror", None) or error
        raise NoEngine(f"no Dask scheduler answers at {address}: {why}") from None


def _probe_address(address: str) -> None:
    """Find out quickly whether anything listens there: a client would retry until its timeout, and log at length."""
    from distributed.comm.addressing import get_address_host_port, parse_address  # noqa: PLC0415

    if parse_address(address)[0] in ("tcp", "tls"):
        socket.create_connection(get_address_host_port(address, strict=True), timeout=SCHEDULER_SECONDS).close()


def _own_cluster(workers: int) -> Any:
    from distributed import LocalCluster  # noqa: PLC0415

    return LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
        preload=IGNORE_SIGINT,
    )
