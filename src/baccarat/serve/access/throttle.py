"""Throttles: whoever tries again and again has to wait longer and longer; what is kept of that is bounded.

A try is counted when it is let in, not when it fails: a hundred tries at one moment are a hundred. Whoever succeeds is
forgiven. Time only goes on here (`Clock.steady`); were it set back all the same, nobody waits longer than the delay
that is due.
"""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections import OrderedDict

import msgspec

from baccarat.serve.access.base import MINUTE, ONE_SECOND

MOST_KEPT = 20_000


class Delays(msgspec.Struct, frozen=True, kw_only=True):
    """How long to wait: after so many free tries the first delay, then twice as long each time, up to the longest."""

    free: int
    first: int = ONE_SECOND
    longest: int
    forget: int
    """So long after the last try all of them are forgotten."""

    def delay_after(self, tries: int) -> int:
        """What is to be waited after so many tries."""
        over = tries - self.free
        return 0 if over < 0 else min(self.longest, self.first << min(over, 40))


BY_NAME = Delays(free=5, longest=MINUTE, forget=60 * MINUTE)
"""Short at most: nobody shall be able to shut somebody else out for long by typing the other's name."""
BY_ADDRESS = Delays(free=30, longest=15 * MINUTE, forget=60 * MINUTE)
"""Many people may come from one address."""
BY_CODE = Delays(free=10, longest=15 * MINUTE, forget=60 * MINUTE)
BY_VISIT = Delays(free=200, first=ONE_SECOND, longest=10 * ONE_SECOND, forget=10 * MINUTE)


class Throttle:
    """How often each has tried, and until when each has to wait. Keys are kept as hashes."""

    def __init__(self, delays: Delays, *, most_kept: int = MOST_KEPT) -> None:
        self._delays, self._most = delays, most_kept
        self._salt = secrets.token_bytes(16)
        self._tried: OrderedDict[bytes, tuple[int, int]] = OrderedDict()
        """How many tries, and when the last was; the oldest first."""

    def __len__(self) -> int:
        return len(self._tried)

    def wait(self, key: str, now: int) -> int:
        """How long to wait before the next try; 0 where it may be made."""
        tries, last = self._tried.get(self._hash(key), (0, now))
        delay = 0 if now - last >= self._delays.forget else self._delays.delay_after(tries)
        return max(0, min(delay, last + delay - now))

    def count(self, key: str, now: int) -> None:
        """A try is made."""
        kept = self._hash(key)
        tries, last = self._tried.pop(kept, (0, now))
        self._tried[kept] = (1 if now - last >= self._delays.forget else tries + 1, now)
        if len(self._tried) > self._most:
            self._tried.popitem(last=False)

    def forgive(self, key: str, *, all_of_them: bool) -> None:
        """A try was right: it does not count, or none before it does."""
        kept = self._hash(key)
        tries, last = self._tried.get(kept, (0, 0))
        if all_of_them or tries <= 1:
            self._tried.pop(kept, None)
        else:
            self._tried[kept] = (tries - 1, last)

    def _hash(self, key: str) -> bytes:
        return hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=16, key=self._salt).digest()


def address_key(address: str) -> str:
    """Whom an address stands for: a network's customer has 2^64 addresses of IPv6, which are one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
