"""Budgets: how much each person may ask of the house, over all lines together: requests and every socket.

A budget fills at a steady rate up to a bound; what somebody does is paid from it, and where it is empty, further
requests wait. Reading costs least and being refused most: somebody who plays is hardly ever refused, and somebody who
floods the house with what must be refused soon waits.

A person who has signed on has a budget of their own. People who have not signed on share that of their address, and so
do visitors in their first minutes: otherwise twenty new visitors would have twenty budgets. An IPv6 /64 network is one
address.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from baccarat.serve.access.base import MINUTE
from baccarat.serve.access.session import Session, SessionKind
from baccarat.serve.access.throttle import address_key

LOADING, READING, ACTING, REFUSED = 0.02, 0.1, 1.0, 20.0
"""The cost of a page's file, of a request that reads, of one that acts, and the extra cost of a refusal."""
LESSON = 9.0
"""The extra cost of a request about a lesson: all of its rounds are played again."""
NEW_FOR = 10 * MINUTE
"""How long a visitor counts as new and shares the budget of the address."""
MOST_PAYERS, MOST_TOKENS = 20_000, 20_000
"""How many budgets and how many tokens are remembered: those used last."""


class Budgets:
    """The budgets of all who come to one node."""

    def __init__(self, per_second: float, at_once: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        """A budget grows by `per_second`, up to `at_once`."""
        self.per_second, self.at_once, self._clock = per_second, at_once, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """What was left to each, and when; those used last at the end."""
        self._sessions: OrderedDict[bytes, Session] = OrderedDict()

    def __len__(self) -> int:
        return len(self._left)

    def wait(self, payer: str, cost: float = ACTING) -> float:
        """How many seconds this payer must wait; 0 if the cost is accepted, which is then paid."""
        left = self._balance(payer)
        is_enough = left >= cost
        self._store(payer, left - cost if is_enough else left)
        return 0.0 if is_enough else (cost - left) / self.per_second

    def charge(self, payer: str, cost: float = REFUSED) -> None:
        """Charge for what has happened already, into debt if need be, but no deeper than twice as much."""
        self._store(payer, max(self._balance(payer) - cost, -2 * cost))

    def _balance(self, payer: str) -> float:
        now = self._clock()
        left, then = self._left.get(payer, (self.at_once, now))
        return min(self.at_once, left + max(0.0, now - then) * self.per_second)

    def _store(self, payer: str, left: float) -> None:
        self._left[payer] = (left, self._clock())
        self._left.move_to_end(payer)
        if len(self._left) > MOST_PAYERS:
            self._left.popitem(last=False)

    # ------------------------------------------------------------------------------------------ who pays

    @staticmethod
    def payer(session: Session | None, address: str, *, now: int) -> str:
        """Who pays for what comes from this session and address; `now` is the time of day in microseconds."""
        is_new = session is None or (session.kind is SessionKind.VISITOR and now - session.made_at < NEW_FOR)
        return f"address {address_key(address)}" if session is None or is_new else session.person

    def recognise(self, headers: Mapping[bytes, bytes], session: Session) -> None:
        """Remember whose session the headers of a request name: requests with the same headers are paid by that person.

        What is remembered lets nobody in, and each request looks up its session all the same.
        """
        key = _key(headers)
        if key:
            self._sessions[key] = session
            self._sessions.move_to_end(key)
            if len(self._sessions) > MOST_TOKENS:
                self._sessions.popitem(last=False)

    def payer_of_request(self, headers: Mapping[bytes, bytes], address: str, *, now: int) -> str:
        """Who pays for a request, before its session has been looked up."""
        return self.payer(self._sessions.get(_key(headers)), address, now=now)


def _key(headers: Mapping[bytes, bytes]) -> bytes:
    """What identifies a session in the headers of a request, as a hash; empty if there is nothing."""
    found = headers.get(b"authorization") or headers.get(b"cookie") or b""
    return hashlib.blake2b(found, digest_size=16).digest() if found else b""
