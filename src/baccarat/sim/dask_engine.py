"""The engine `dask`: ranges of shoes on the workers of a Dask cluster, one that is there or one of our own.

A range that a worker had when it died is dealt again by another: shoes have numbers, so nothing can be lost or counted
twice. The workers must run this same version of the program: what they make of the rulebook is compared by its hash.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import msgspec

from baccarat import __version__
from baccarat.sim.engine import Dealer, Dealt, NoEngine, best_dealer
from baccarat.sim.job import Job, SentRules, make_job, received, sent
from baccarat.sim.plan import Detail
from baccarat.sim.tally import Counts, Range
from baccarat.sim.threads import AHEAD, processors

PATIENCE = 10
"""Seconds that a scheduler may take to answer, and a cluster without workers to get one."""
LIVES = 5
"""So many times a range is given out again after workers died with it."""
LONGER = 8
"""A range for a cluster is so many times longer than for a thread: sending it takes a few milliseconds."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """All of a job that a worker must know, but for the shoes."""

    rules: SentRules
    seed: int
    rounds: int | None
    detail: Detail
    version: str


class WrongVersion(Exception):  # noqa: N818  an answer to the person
    """A worker that runs another version of the program."""


@lru_cache(maxsize=8)
def _dealer(order: Order) -> Dealer:
    """The dealer of an order, made once in each worker."""
    if order.version != __version__:
        raise WrongVersion(f"a worker runs baccarat {__version__}, and {order.version} is asked for")
    rules = received(order.rules)
    job = make_job(rules, seed=order.seed, shoes=1, rounds=order.rounds, detail=order.detail)
    return best_dealer(job)[0]


def deal_range(order: Order, first: int, shoes: int) -> tuple[str, tuple[int, ...], int]:
    """Deal a range in a worker: the dealer's name, the counts and the void rounds."""
    dealer = _dealer(order)
    counts = dealer.deal(Range(first, shoes))
    return dealer.name, counts.cells, counts.void


class DaskEngine:
    """The workers of a cluster."""

    name = "dask"

    def __init__(self, job: Job, *, address: str | None, workers: int | None) -> None:
        if find_spec("distributed") is None:
            raise NoEngine("the engine dask needs the package distributed: pip install 'baccarat[dask]'")
        start = perf_counter()
        self.order = Order(
            rules=sent(job.rules), seed=job.seed, rounds=job.rounds, detail=job.detail, version=__version__
        )  # fmt: skip
        here, self.notes = best_dealer(job)
        self.shoes = LONGER * here.shoes
        self._cluster: Any = None
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
            self._client.wait_for_workers(1 if workers is None else workers, timeout=PATIENCE)
        except (TooLate, TimeoutError):
            found = len(self._client.scheduler_info(n_workers=-1)["workers"])
            wanted = "none" if not found else f"{found}, and {workers} are asked for"
            raise NoEngine(f"the cluster at {address} has no workers: {wanted} after {PATIENCE} seconds") from None
        return sum(self._client.nthreads().values())

    def deal(self, ranges: Iterator[Range]) -> Dealt:
        """Each range with its counts, in order; a range whose worker died is dealt again."""
        waiting: deque[tuple[Range, Any]] = deque()
        try:
            for shoes in ranges:
                waiting.append((shoes, self._submit(shoes)))
                if len(waiting) >= AHEAD * self.workers:
                    yield self._result(*waiting.popleft())
            while waiting:
                yield self._result(*waiting.popleft())
        finally:
            for _, future in waiting:
                future.release()

    def _submit(self, shoes: Range) -> Any:
        return self._client.submit(deal_range, self.order, shoes.first, shoes.shoes, pure=False)

    def _result(self, shoes: Range, future: Any) -> tuple[Range, Counts]:
        from distributed import KilledWorker  # noqa: PLC0415

        for _ in range(LIVES):
            try:
                _, cells, void = future.result()
            except KilledWorker:  # it has taken several workers with it, or they were killed one after another
                future = self._submit(shoes)
            except (WrongVersion, ModuleNotFoundError) as error:
                raise NoEngine(f"the cluster cannot deal: {error}") from None
            except Exception as error:
                if type(error).__module__.partition(".")[0] not in ("distributed", "asyncio", "concurrent", "builtins"):
                    raise
                raise NoEngine(f"the cluster is lost: {type(error).__name__}: {error}") from None
            else:
                return shoes, Counts(cells=tuple(cells), void=void)
        raise NoEngine(f"shoes {shoes}: {LIVES} times every worker died that had them")

    def close(self) -> None:
        """Let the cluster go; one of our own is ended."""
        for each in (getattr(self, "_client", None), self._cluster):
            if each is not None:
                each.close()


def _client(address: str) -> Any:
    from distributed import Client  # noqa: PLC0415

    try:
        return Client(  # type: ignore[no-untyped-call]
            address, timeout=PATIENCE, set_as_default=False
        )
    except (OSError, ValueError, TimeoutError) as error:
        raise NoEngine(f"no Dask scheduler answers at {address}: {error}") from None


def _own_cluster(workers: int) -> Any:
    from distributed import LocalCluster  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a port that is taken is not our reader's business
        return LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="ERROR"
        )  # fmt: skip
