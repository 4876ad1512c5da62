"""Engines: how the shoes of a job are dealt, and the simulation itself. The tally is the same with every engine.

- `vector`: the compiled kernel, on threads (numba);
- `plain`: NumPy, on threads: any rulebook, any machine;
- `dask`: either of them on the workers of a cluster;
- `cuda`: the kernel on a GPU;
- `auto`: `vector` where it can be used, else `plain`; the engine's notes say why.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from importlib.util import find_spec
from time import perf_counter
from typing import Literal, NamedTuple, Protocol, SupportsIndex, get_args

from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.sim.job import Job, make_job
from baccarat.sim.plan import Detail, NoFastPath, plan_for_book
from baccarat.sim.stopping_rule import Until
from baccarat.sim.tally import Range, RangeCounts, Tally, ranges_left
from baccarat.sim.threads import in_order, processors
from baccarat.values import brief_repr, expect, whole_within

EngineName = Literal["auto", "vector", "plain", "dask", "cuda"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)

MOST_WORKERS = 4096
LEAST_SHOES = 256
"""The fewest shoes that a worker is given at a time, unless there are no more."""


class NoEngine(RuntimeError):  # noqa: N818  shown to the user
    """An engine that is not available here, or was lost meanwhile; the message says why."""


class NotInstalled(NoEngine):
    """An engine whose library is not installed; the message says what to install."""


class Dealer(NamedTuple):
    """One way of dealing a range of shoes in one thread."""

    name: str
    about: str
    """What it runs on, in a few words."""
    shoes: int
    """How many shoes it deals in about a tenth of a second: a power of two."""
    deal: Callable[[Range], RangeCounts]


Dealt = Generator[tuple[Range, RangeCounts], None, None]
"""Ranges with their counts; if closed before its end, it stops the work in progress."""


class Engine(Protocol):
    """What deals the ranges of a job, in their order."""

    name: str
    about: str
    workers: int
    shoes: int
    """How many shoes are best dealt in one go: a power of two."""
    notes: tuple[str, ...]
    prepared: float
    """Seconds until it was ready, including the compilation of kernels."""

    def deal(self, ranges: Iterator[Range]) -> Dealt:
        """Each range with its counts, in order; ranges are consumed as they are needed."""

    def close(self) -> None:
        """Release all resources."""


# ------------------------------------------------------------------------------------------------- dealers


def plain_dealer(job: Job) -> Dealer:
    """The plain path, for any rulebook."""
    if find_spec("numpy") is None:
        raise NotInstalled("simulations need numpy: pip install 'baccarat[odds]', or 'baccarat[sim]' for the fast path")
    from baccarat.sim import plain  # noqa: PLC0415  numpy is not needed before this

    plan = plain.plan(open_book(job.rules), job.detail)

    def deal(shoes: Range) -> RangeCounts:
        return plain.run(plan, job.seed, shoes.first, shoes.shoes, job.rounds)

    return Dealer("plain", "NumPy", 1 << 13, deal)


def vector_dealer(job: Job) -> Dealer:
    """The compiled kernel; `NoFastPath` where it cannot be used."""
    plan = plan_for_book(open_book(job.rules), job.detail)
    plan.admit_rounds(job.rounds)
    if find_spec("numba") is None:
        raise NoFastPath("numba is not installed: pip install 'baccarat[sim]'")
    try:
        from baccarat.sim import vector_run  # noqa: PLC0415  numba is not needed before
        from baccarat.sim.vector_machine import this_machine  # noqa: PLC0415
    except ImportError as error:  # numba raises this if its version does not fit numpy's
        raise NoFastPath(f"numba cannot be used here: {error}") from None
    machine = this_machine()
    vector_run.prove(plan, job.rounds, machine)  # compiled now, while the plain path can still be chosen instead

    def deal(shoes: Range) -> RangeCounts:
        cells = vector_run.run(plan, job.seed, shoes.first, shoes.shoes, job.rounds)
        return RangeCounts(cells=tuple(cells.tolist()))

    return Dealer("vector", f"numba, {machine.lanes} shoes side by side", 1 << 18, deal)


def cuda_dealer(job: Job) -> Dealer:
    """The kernel on a GPU; `NoEngine` if there is none or it cannot take the rulebook."""
    if find_spec("cupy") is None:
        raise NotInstalled("the engine cuda needs CuPy, and an NVIDIA GPU: pip install 'baccarat[gpu]'")
    from baccarat.sim import cuda  # noqa: PLC0415  CuPy is not needed before

    try:
        plan = plan_for_book(open_book(job.rules), job.detail)
        plan.admit_rounds(job.rounds)
        cuda.run(plan, job.seed, job.shoes.first, 1, job.rounds)
    except NoFastPath as why:
        raise NoEngine(f"no fast path: {why}; --engine plain takes it") from None
    except Exception as error:  # noqa: BLE001  the driver has exceptions of its own
        raise NoEngine(f"no GPU that works: {error}") from None

    def deal(shoes: Range) -> RangeCounts:
        cells = cuda.run(plan, job.seed, shoes.first, shoes.shoes, job.rounds)
        return RangeCounts(cells=tuple(cells.tolist()))

    return Dealer("cuda", "CuPy", 1 << 28, deal)


def best_dealer(job: Job, wanted: str = "auto") -> tuple[Dealer, tuple[str, ...]]:
    """The fastest dealer available here, or the one requested, with notes on why no faster one is used."""
    if wanted == "plain":
        return plain_dealer(job), ()
    if wanted == "vector" and find_spec("numba") is None:
        raise NotInstalled("the engine vector needs numba: pip install 'baccarat[sim]'")
    try:
        return vector_dealer(job), ()
    except NoFastPath as why:
        if wanted == "vector":
            raise NoEngine(f"no fast path: {why}; --engine plain takes it") from None
        return plain_dealer(job), (f"plain path: {why}",)


# ------------------------------------------------------------------------------------------------- engines


class ThreadedEngine:
    """A dealer on threads of this process."""

    def __init__(self, dealer: Dealer, *, workers: int, notes: tuple[str, ...], prepared: float) -> None:
        self.name, self.about, self.workers, self.shoes = dealer.name, dealer.about, workers, dealer.shoes
        self.notes, self.prepared = notes, prepared
        self._deal = dealer.deal

    def deal(self, ranges: Iterator[Range]) -> Dealt:
        """Each range with its counts, in order."""
        return in_order(self._deal, ranges, threads=self.workers)

    def close(self) -> None:
        """Nothing is held."""


def make_engine(
    job: Job, engine: str = "auto", *, workers: SupportsIndex | None = None, cluster: str | None = None
) -> Engine:
    """The engine of this name, prepared for a job; `NoEngine` says why it is not available."""
    if engine not in ENGINES:
        raise ValueError(f"engine: {brief_repr(engine)}; expected one of {', '.join(ENGINES)}")
    asked = None if workers is None else whole_within("workers", workers, least=1, most=MOST_WORKERS)
    if cluster is not None:
        expect(cluster, str, "the address of a Dask scheduler as text")
    if cluster is not None and engine != "dask":
        raise ValueError("a cluster goes with the engine dask")
    start = perf_counter()
    if engine == "dask":
        from baccarat.sim.dask_engine import DaskEngine  # noqa: PLC0415  the other engines need no cluster

        return DaskEngine(job, address=cluster, workers=asked)
    dealer, notes = (cuda_dealer(job), ()) if engine == "cuda" else best_dealer(job, engine)
    if dealer.name == "vector":
        dealer.deal(Range(job.shoes.first, 1))  # compiles, or loads from the cache
    most = 1 if dealer.name == "cuda" else processors()
    wanted = asked or min(most, max(1, job.shoes.shoes // LEAST_SHOES))
    return ThreadedEngine(dealer, workers=wanted, notes=notes, prepared=perf_counter() - start)


# ---------------------------------------------------------------------------------------------- simulation


def split_ranges(ranges: Iterable[Range], shoes: int) -> Iterator[Range]:
    """The ranges in pieces that end at multiples of `shoes` shoes, generated lazily."""
    for each in ranges:
        first = each.first
        while first < each.end:
            end = min(each.end, first - first % shoes + shoes)
            yield Range(first, end - first)
            first = end


def piece(job: Job, engine: Engine, until: Until | None) -> int:
    """How many shoes are dealt in one go: what suits the engine, but small enough that every worker has its share."""
    share = max(LEAST_SHOES, job.shoes.shoes // (4 * engine.workers))
    shoes = min(engine.shoes, 1 << share.bit_length() - 1)
    return shoes if until is None else min(shoes, until.grain)


def grow_tally(
    job: Job, engine: Engine, *, start: Tally | None = None, until: Until | None = None
) -> Generator[Tally, None, None]:
    """The tally as it grows, from `start` on; the last is complete. If closed meanwhile, it stops cleanly."""
    tally = job.empty_tally() if start is None else job.admit(start)
    if until is not None and until.is_met(tally):
        return
    ranges = split_ranges(ranges_left(job.shoes, tally.ranges), piece(job, engine, until))
    with closing(engine.deal(ranges)) as dealt:
        for shoes, counts in dealt:
            tally = tally.with_more((shoes,), counts)
            yield tally
            if until is not None and until.is_met(tally):
                return


def simulate(  # noqa: PLR0913  one argument for each setting
    rules: Rulebook,
    *,
    seed: SupportsIndex,
    shoes: SupportsIndex,
    first: SupportsIndex = 0,
    rounds: SupportsIndex | None = None,
    detail: Detail = "totals",
    engine: str = "auto",
    workers: SupportsIndex | None = None,
    cluster: str | None = None,
    start: Tally | None = None,
    until: Until | None = None,
) -> Tally:
    """Deal shoes `first` to `first + shoes - 1` of a seed and count how their rounds end.

    The tally depends on nothing but the rulebook, the seed, the shoes and how much is counted: not on engine or
    workers. `rounds` deals this many of every shoe, or as far as its cards go, instead of dealing to the cover card;
    `start` is a tally of some of these shoes, from which it resumes; `until` ends it before all shoes are dealt.
    `cluster` is the address of a Dask scheduler for the engine `dask`; without one it starts workers of its own.
    """
    job = make_job(rules, seed=seed, shoes=shoes, first=first, rounds=rounds, detail=detail)
    if until is not None:
        expect(until, Until, "an end, as parse_until() makes one")
    tally = job.empty_tally() if start is None else job.admit(expect(start, Tally, "a tally, as simulate() gives one"))
    with closing(make_engine(job, engine, workers=workers, cluster=cluster)) as ready:
        for grown in grow_tally(job, ready, start=tally, until=until):
            tally = grown
    return tally
