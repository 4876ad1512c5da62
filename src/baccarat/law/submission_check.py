"""The progress of the check of a Submission: what was stated, what holds, what is wrong so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baccarat.law.edition import Edition
from baccarat.law.error import SubmissionFault
from baccarat.law.row import as_values


class SubmissionCheck:
    """The progress of one check: what was stated, what holds, what is wrong."""

    def __init__(self, edition: Edition, *, filed: bool) -> None:
        self.edition = edition
        self.filed = filed
        self.stated: dict[str, Any] = {}
        self.faults: list[SubmissionFault] = []
        self.warnings: list[SubmissionFault] = []
        self.has_listed_options = False
        """Whether a fault has named every option of the edition; one is enough."""

    def fault(self, where: str, say: str, allowed: str, cite: tuple[str, ...] = ()) -> None:
        """Note a fault."""
        self.faults.append(SubmissionFault(where=where, say=say, allowed=allowed, cites=self.edition.cite_text(*cite)))

    def value(self, key: str) -> Any:
        """The value that holds for an option: stated, or what silence means."""
        if key in self.stated:
            return self.stated[key]
        option = self.edition.options.get(key)
        return None if option is None else option.value_if_unstated

    def meets(self, conditions: Mapping[str, Any]) -> bool:
        """Whether the elections meet the conditions; a structured option counts as true when it is there."""
        return all(condition_value(self.value(key)) in as_values(wanted) for key, wanted in conditions.items())


def condition_value(value: Any) -> Any:
    """An election as conditions see it: *none* for silence, true for anything but a word or a number."""
    if value is None:
        return "none"
    return value if isinstance(value, bool | int | str) else True
