"""Readiness: whether this process may answer now, whether it accepts commands, and what in it is not well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from baccarat.serve.ops.supervisor import Supervisor, UnwellJob
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.history_view import HistoryView
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.store.base import NodeCutOff, StoreUnavailable

_OVERDUE = "table {}: the seed of its electronic shoe was not revealed in time, and the table has stopped"
_UNREADABLE = "history: it is not verified, because the process that verifies it cannot read the database; see the log"
LONG_COMMIT = 5.0
"""After how many seconds of one commit no more commands should be sent here."""


class Readiness:
    """What can prevent a house from answering: its store, its lease, or that it is closing; and its unwell tasks."""

    def __init__(
        self,
        writer: GroupCommitter[PendingBatch],
        history: HistoryView,
        *,
        overdue: Callable[[], Iterable[str]] = lambda: (),
        waiting: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """`overdue` gives the tables at which the seed of a shoe is overdue; `waiting` those whose shoe has long
        waited for a witness, each with a sentence."""
        self._writer, self._history, self._overdue, self._waiting = writer, history, overdue, waiting
        self._supervisors: list[Supervisor] = []
        self.is_draining = False
        """Whether the house is closing: what was begun is finished, and nothing new is accepted."""

    def watch(self, supervisor: Supervisor) -> None:
        """Report what is not well among the tasks of a supervisor, too."""
        self._supervisors.append(supervisor)

    def holds_lease(self) -> bool:
        """Whether this node may answer now; if not, its house is closed."""
        try:
            self._writer.check_may_answer()
        except StoreUnavailable as error:
            self._writer.fail(error)
        return self._writer.fault is None

    def why_not_ready(self) -> str:
        """Why no command is accepted now; empty if commands are."""
        if not self.holds_lease():
            if isinstance(self._writer.fault, NodeCutOff):
                return "this node is cut off from its database, and reopens the house when the database answers"
            return "the store has failed, and the house is closing"
        if self.is_draining:
            return "the house is closing"
        return "the disk does not answer" if self._writer.waiting_seconds > LONG_COMMIT else ""

    @property
    def unwell(self) -> list[UnwellJob]:
        """The tasks that have stopped, or have failed a short while ago."""
        return [job for supervisor in self._supervisors for job in supervisor.unwell]

    def what_is_unwell(self) -> list[str]:
        """What is not well, a sentence each; commands are accepted all the same."""
        wrong = [f"history: {each}" for each in self._history.status.findings]
        wrong += [_UNREADABLE] if self._history.is_unreadable else []
        waiting = (f"table {table}: {say}" for table, say in self._waiting().items())
        return [*map(_unwell_words, self.unwell), *map(_OVERDUE.format, self._overdue()), *waiting, *wrong]

    @property
    def history_text(self) -> str:
        """How far history was verified, for the operator; empty before anything was."""
        status = self._history.status
        return f"history {status}" if status.at else ""


def _unwell_words(job: UnwellJob) -> str:
    if job.is_stopped:
        return f"{job.name}: stopped after the same fault occurred three times; see the log"
    times = "once" if job.faults == 1 else f"{job.faults} times"
    return f"{job.name}: failed {times} in the last ten minutes and was restarted; see the log"
