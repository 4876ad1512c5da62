"""Throttles: repeated tries have to wait longer and longer; the memory for that is bounded.

A try is counted when it begins, not when it fails: a hundred concurrent tries are a hundred. A success clears them.
Time is monotonic here (`Clock.steady`); were it set back all the same, nobody waits longer than the delay that is due.
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
    """How long to wait: after some free tries the first delay, then twice as long each time, up to the longest."""

    free: int
    first: int = ONE_SECOND
    longest: int
    forget: int
    """How long after the last try all of them are forgotten."""

    def delay_after(self, tries: int) -> int:
        """The delay after a number of tries."""
        over = tries - self.free
        return 0 if over < 0 else min(self.longest, self.first << min(over, 40))


BY_NAME = Delays(free=5, longest=MINUTE, forget=60 * MINUTE)
"""Short, so that nobody can shut somebody else out for long by typing the other's name."""
BY_ADDRESS = Delays(free=30, longest=15 * MINUTE, forget=60 * MINUTE)
"""Many people may come from one address."""
BY_CODE = Delays(free=10, longest=15 * MINUTE, forget=60 * MINUTE)
BY_VISIT = Delays(free=200, first=ONE_SECOND, longest=10 * ONE_SECOND, forget=10 * MINUTE)


class Throttle:
    """How often each has tried, and until when each has to wait. Keys are stored as hashes."""

    def __init__(self, delays: Delays, *, most_kept: int = MOST_KEPT) -> None:
        self._delays, self._most = delays, most_kept
        self._salt = secrets.token_bytes(16)
        self._tried: OrderedDict[bytes, tuple[int, int]] = OrderedDict()
        """How many tries, and when the last was; the oldest first."""

    def __len__(self) -> int:
        return len(self._tried)

    def wait(self, key: str, now: int) -> int:
        """How long to wait before the next try; 0 if it may be made."""
        tries, last = self._tried.get(self._hash(key), (0, now))
        delay = 0 if now - last >= self._delays.forget else self._delays.delay_after(tries)
        return max(0, min(delay, last + delay - now))

    def count(self, key: str, now: int) -> None:
        """Count a try."""
        kept = self._hash(key)
        tries, last = self._tried.pop(kept, (0, now))
        self._tried[kept] = (1 if now - last >= self._delays.forget else tries + 1, now)
        if len(self._tried) > self._most:
            self._tried.popitem(last=False)

    def forgive(self, key: str, *, all_of_them: bool) -> None:
        """Uncount a try that was right, or all tries."""
        kept = self._hash(key)
        tries, last = self._tried.get(kept, (0, 0))
        if all_of_them or tries <= 1:
            self._tried.pop(kept, None)
        else:
            self._tried[kept] = (tries - 1, last)

    def _hash(self, key: str) -> bytes:
        return hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=16, key=self._salt).digest()


class KnownPlaces:
    """From where each name was signed on with; the pairs used last are remembered, as hashes."""

    def __init__(self, *, most_kept: int = MOST_KEPT) -> None:
        self._most = most_kept
        self._salt = secrets.token_bytes(16)
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def add(self, name: str, address: str) -> None:
        """Remember that somebody signed on with this name from there."""
        pair = self._hash(name, address)
        self._known[pair] = None
        self._known.move_to_end(pair)
        if len(self._known) > self._most:
            self._known.popitem(last=False)

    def has(self, name: str, address: str) -> bool:
        """Whether somebody signed on with this name from there."""
        return self._hash(name, address) in self._known

    def _hash(self, name: str, address: str) -> bytes:
        pair = f"{len(name)} {name}{address_key(address)}".encode("utf-8", "replace")
        return hashlib.blake2b(pair, digest_size=16, key=self._salt).digest()


def address_key(address: str) -> str:
    """The key of an address: all 2^64 IPv6 addresses of a network's customer have the same."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
