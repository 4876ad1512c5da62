"""Metrics of a running server, for Prometheus: how much, how long, how many; never who or which card.

Frequent events are counted in plain numbers on the event loop (`ServerCounters`), which are read when the page is
requested."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import msgspec
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4"  # the framework adds the charset to every text
OUTCOMES = ("done", "refused", "repeated", "denied", "unreadable", "too_long", "closing", "elsewhere", "too_early")
"""The possible outcomes of a command: the values of the only label."""
SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
SLOW_COMMIT_SECONDS = 1.0
ENTRIES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class ServerCounters(msgspec.Struct):
    """Counts since the start."""

    commands: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    frames: int = 0
    """Messages that were sent to sockets."""
    too_slow: int = 0
    """Sockets that were closed because the client did not read."""
    unreadable: int = 0
    """Messages that could not be read."""
    sockets: int = 0
    """Sockets that are open now."""
    faults: int = 0
    """Requests that failed because of a bug in the program."""
    task_faults: int = 0
    """Faults of background tasks, such as the loop of a table."""


class Gauges(msgspec.Struct, frozen=True, kw_only=True):
    """What is read from the house when the page is requested."""

    rooms: Callable[[], int]
    seated: Callable[[], int]
    log_bytes: Callable[[], int]
    is_ready: Callable[[], bool]
    since_commit: Callable[[], float]
    unwell: Callable[[], int]
    stopped_tables: Callable[[], int]
    verified: Callable[[], int]
    entries: Callable[[], int]
    verified_at: Callable[[], float]
    history_findings: Callable[[], int]
    overdue_seeds: Callable[[], int]
    witness_waits: Callable[[], int]


class CommitFigures:
    """The durations and sizes of commits, recorded by the thread that writes."""

    def __init__(self, on_slow: Callable[[float], None] | None = None) -> None:
        """`on_slow` is called, by the writing thread, after a commit longer than `SLOW_COMMIT_SECONDS` seconds."""
        self._on_slow = on_slow or (lambda _seconds: None)
        self.registry = CollectorRegistry()
        self._commit = _histogram("commit_seconds", "How long commits took.", SECONDS, self.registry)
        self._batch = _histogram("batch_entries", "How many entries were in a commit.", ENTRIES, self.registry)

    def committed(self, entries: int, seconds: float) -> None:
        """Record a commit."""
        self._commit.observe(seconds)
        self._batch.observe(entries)
        if seconds > SLOW_COMMIT_SECONDS:
            self._on_slow(seconds)


class Metrics:
    """The metrics of one house."""

    def __init__(
        self, gauges: Gauges, commits: CommitFigures, *, recovered: int = 0, recovery_seconds: float = 0.0
    ) -> None:
        """`recovered` is how many entries were replayed after the last snapshot."""
        self.counts = ServerCounters()
        self.gauges, self._commits = gauges, commits
        self.recovered, self.recovery_seconds = recovered, recovery_seconds
        self._registry = CollectorRegistry()
        self._registry.register(_Collector(self))

    def count_unreadable(self) -> None:
        """Count a message that could not be read; nothing else is recorded of it."""
        self.counts.unreadable += 1

    def page(self) -> bytes:
        """The current metrics."""
        return generate_latest(self._registry) + generate_latest(self._commits.registry)


class Stopwatch:
    """How long something took."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._start


class _Collector(Collector):
    """Reads the plain counts when the page is requested."""

    def __init__(self, metrics: Metrics) -> None:
        self._of = metrics

    def collect(self) -> Iterable[Metric]:
        counts = self._of.counts
        commands = CounterMetricFamily("baccarat_commands", "Commands of people, by outcome.", labels=["outcome"])
        for outcome, count in counts.commands.items():
            commands.add_metric([outcome], count)
        yield commands
        counters = (
            ("frames", "Messages sent to sockets.", counts.frames),
            ("slow_readers", "Sockets closed because the client did not read.", counts.too_slow),
            ("unreadable_messages", "Messages that could not be read.", counts.unreadable),
            ("faults", "Requests that failed because of a bug.", counts.faults),
            ("task_faults", "Faults of background tasks.", counts.task_faults),
        )
        for name, what, count in counters:
            yield CounterMetricFamily(f"baccarat_{name}", what, value=count)
        found = self._of.gauges
        gauges = (
            ("sockets", "Sockets that are open.", counts.sockets),
            ("recovery_seconds", "How long the house took to recover.", self._of.recovery_seconds),
            ("recovered_entries", "Entries replayed after the snapshot.", self._of.recovered),
            ("rooms", "Tables that can be joined.", found.rooms()),
            ("seated", "Participants who sit at a table.", found.seated()),
            ("wal_bytes", "Bytes of the store's log.", found.log_bytes()),
            ("ready", "Whether commands are accepted.", float(found.is_ready())),
            ("unwell_tasks", "Background tasks that have stopped, or have failed recently.", found.unwell()),
            ("stopped_tables", "Tables stopped by a fault of the program.", found.stopped_tables()),
            ("verified_entries", "Entries that were decided again.", found.verified()),
            ("history_entries", "Entries that there were when that was counted.", found.entries()),
            ("verified_timestamp_seconds", "When it was counted, in seconds UTC.", found.verified_at()),
            ("history_findings", "What is wrong with the history of the house.", found.history_findings()),
            ("overdue_seeds", "Tables whose shoe was not revealed by the deadline.", found.overdue_seeds()),
            ("witness_waits", "Tables whose shoe has long waited for a witness.", found.witness_waits()),
            ("commit_in_flight_seconds", "Age of a commit that has not ended.", found.since_commit()),
        )
        for name, what, value in gauges:
            yield GaugeMetricFamily(f"baccarat_{name}", what, value=value)


def _histogram(name: str, what: str, buckets: tuple[float, ...], registry: CollectorRegistry) -> Histogram:
    return Histogram(f"baccarat_{name}", what, buckets=buckets, registry=registry)
