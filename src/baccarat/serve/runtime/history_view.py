"""How far the history of an open house was verified, for all who show it."""

from __future__ import annotations

from baccarat.serve.runtime.resume_point import HistoryFinding, HistoryStatus


class HistoryView:
    """The current status, and since when each finding is known."""

    def __init__(self) -> None:
        self.status = HistoryStatus()
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
        findings = self.status.findings
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        return f"{findings[0]}{more}" if findings else ""
