"""A house's clock that a test has moved on."""

from __future__ import annotations

from typing import Any


class LaterClock:
    """The house's clock, with another time of day."""

    def __init__(self, before: Any, micros: int) -> None:
        self.before, self.micros = before, micros

    def wall(self) -> int:
        return int(self.before.wall()) + self.micros

    def steady(self) -> int:
        return int(self.before.steady())
