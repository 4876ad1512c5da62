"""How far the history of an open house was verified, for all who show it."""

from __future__ import annotations

from baccarat.serve.runtime.resume_point import HistoryFinding, HistoryStatus
from baccarat.values import first_text


class HistoryView:
    """The current status, and since when each finding is known."""

    def __init__(self) -> None:
        self.status = HistoryStatus()
        self.is_unreadable = False
        """Whether verification could not read the store when it was last tried."""
        self.since: dict[HistoryFinding, int] = {}
        """In microseconds UTC."""

    def show(self, status: HistoryStatus) -> list[HistoryFinding]:
        """Show another status; returns the findings that were not known before."""
        self.status = status
        found = [each for each in status.findings if each not in self.since]
        self.since = {each: self.since.get(each, status.at) for each in status.findings}
        return found

    @property
    def wrong(self) -> str:
        """What is wrong, in one line; empty if nothing is."""
        return first_text(self.status.findings)
