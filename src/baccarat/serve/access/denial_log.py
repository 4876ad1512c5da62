"""Denials in the access log: the first ones of a kind are lines of their own, the repeats of a flood are counted.

A person who is signed on can be denied the same thing thousands of times a second, and anyone can try a known name.
Each kind (what, whom, the reason and the act) is counted like refusals at a table (`ops/flood.py`): one line with the
count and the times of the first and the last is written when the flood is over, while it lasts after pauses that grow,
and when the house closes. What was counted and not written when the process is killed, or cut off from its database, is
lost: the lines before it show that there was a flood.

Somebody who is denied ever new things has a few kinds, and then one for each reason.
"""

from __future__ import annotations

from baccarat.serve.access.base import ONE_SECOND, AccessStore, Clock
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.log import AccessEvent, count_statement, log_statement
from baccarat.serve.ops.flood import FloodCounter, FloodPace
from baccarat.serve.store.base import Batch, Statement

DENIALS = FloodPace(at_once=5, a_second=1.0, over_after=30.0)
"""How many denials of a kind are lines of their own, and how fast others may follow: as for refusals at a table."""
FAILED_SIGN_ONS = FloodPace(at_once=5, a_second=1 / 120, over_after=1800.0)
"""The same for wrong passwords: who goes on trying waits a minute at most, and does so for days."""
MOST_ACTS = 20
"""How many acts of a person with one reason are listed separately in a flood; the rest only count by reason."""

DenialKey = tuple[str, str, str]
"""The person, the reason, and what was denied; the last is empty once there are too many."""


class DenialLog:
    """Writes what is denied to known persons."""

    def __init__(self, storage: AccessStore, clock: Clock) -> None:
        self._storage, self._clock = storage, clock

        def steady() -> float:
            return clock.steady() / ONE_SECOND

        self._denials = FloodCounter[DenialKey](steady, DENIALS)
        self._failed_sign_ons = FloodCounter[str](steady, FAILED_SIGN_ONS)

    def enter_denial(self, person: str, what: Denied, about: str) -> None:
        """Enter or count a denial; `about` is a stream or the name of a command, never a typed text."""
        key, at = self._denial_key(person, what.code, about), self._clock.wall()
        if self._denials.add(key):
            self._denials.count(key, at)
        else:
            note = f"{what.code} {about}".strip()
            self._store(log_statement(AccessEvent.DENIED, at=at, person=person, about=note))

    def enter_failed_sign_on(self, person: str) -> None:
        """Enter or count a wrong password for the name of a person."""
        at = self._clock.wall()
        if self._failed_sign_ons.add(person):
            self._failed_sign_ons.count(person, at)
        else:
            self._store(log_statement(AccessEvent.SIGN_ON_FAILED, at=at, person=person))

    def write_counts(self, *, is_closing: bool = False) -> None:
        """Write the counts that are due; all of them if the house closes."""
        now = self._clock.wall()
        denials = [
            count_statement(AccessEvent.DENIED, found, at=now, person=person, about=f"{code} {about}".strip())
            for (person, code, about), found in self._denials.due(lambda _key: is_closing)
        ]
        failed = [
            count_statement(AccessEvent.SIGN_ON_FAILED, found, at=now, person=person)
            for person, found in self._failed_sign_ons.due(lambda _person: is_closing)
        ]
        self._store(*denials, *failed)

    def _denial_key(self, person: str, code: str, about: str) -> DenialKey:
        key = (person, code, about)
        if key in self._denials:
            return key
        acts = sum(other[:2] == (person, code) for other in self._denials)
        return key if acts < MOST_ACTS else (person, code, "")

    def _store(self, *statements: Statement) -> None:
        if statements:
            self._storage.add(Batch(statements=statements))
