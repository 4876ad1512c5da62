"""Checks of a small verifier, each removed from a copy of its source, and what the conformance corpus shows of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from conformance import Verdict, read_corpus

PASSES = 3
USAGE = frozenset(
    {"policy_of_arguments", "memory_of_argument", "keys_of_arguments", "main", "with_unused_keys"}
    | {"keysOfArguments", "readerOf", "memoryOfFile", "parseArguments", "fromTerminal", "withUnusedKeys", "asBytes"}
)
"""Functions of either verifier that look at how it was called: what they refuse is no check of a file."""


class Removal(msgspec.Struct, frozen=True):
    """A check that is left out: its number among all, and the line where it stands."""

    number: int
    line: int
    text: str


NOTHING = Removal(-1, 0, "")
"""Every check is there."""


class Shown(msgspec.Struct, frozen=True):
    """What a removal does: the first forgery that then passes, or else a file with another answer."""

    removal: Removal
    passes: str = ""
    otherwise: str = ""

    def __str__(self) -> str:
        """The check, and what shows that it is missing."""
        said = self.passes or (f"another answer: {self.otherwise}" if self.otherwise else "NOT SHOWN")
        return f"line {self.removal.line}: {self.removal.text[:150]}: {said}"


def cases() -> list[Verdict]:
    """The cases of the corpus, small files first."""
    return sorted(read_corpus().cases, key=lambda case: (case.file.stat().st_size, case.path, case.keys))


def shown(removal: Removal, answers: Sequence[tuple[Verdict, int | str, str]]) -> Shown:
    """What a removal does, by the status and the gaps that each case then gets; a text stands for a crash."""
    otherwise = ""
    for case, status, gaps in answers:
        expected = case.status_without_rules
        if status == PASSES != expected:
            return Shown(removal, passes=case.path)
        if status != expected:
            otherwise = otherwise or f"{case.path} {status}"
        elif expected == PASSES and case.gap_without_rules not in gaps:
            otherwise = otherwise or f"{case.path} without the gap {case.gap_without_rules!r}"
    return Shown(removal, otherwise=otherwise)
