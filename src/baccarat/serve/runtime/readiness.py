"""Readiness: whether this process may answer now, and whether it accepts commands."""

from __future__ import annotations

from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.store.base import NodeCutOff, StoreUnavailable

LONG_COMMIT = 5.0
"""After how many seconds of one commit no more commands should be sent here."""


class Readiness:
    """What can prevent a house from answering: its store, its lease, or that it is closing."""

    def __init__(self, writer: GroupCommitter[PendingBatch]) -> None:
        self._writer = writer
        self.is_draining = False
        """Whether the house is closing: what was begun is finished, and nothing new is accepted."""

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
