"""Coverage: how far a stream was decided again, and how far known keys have signed and cosigned it.

Whether something is wrong is another question. What is not covered is not wrong, but nobody vouches for it: it may
have been rewritten by anyone who holds the file, or by the house itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from baccarat.audit.signature import Signers
from baccarat.record.key import Verifier
from baccarat.record.policy import NONE, Policy
from baccarat.record.utc import utc_text

NOT_DECIDED = "none of it was decided again: the house's own stream is not in the same file"
"""Why a stream that is not a table's is not covered."""


class KeyCoverage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How many entries a key has signed, counted from the first."""

    name: str
    key: str
    """The id of the key, in hexadecimal digits."""
    to: int
    at: int = 0
    """When a witness cosigned last, in seconds since 1970."""


class UncosignedStretch(msgspec.Struct, frozen=True, kw_only=True):
    """Entries that one cosignature left open and the next closed: until then the house could rewrite them."""

    entries: int
    seconds: int

    def __str__(self) -> str:
        """The stretch in words."""
        return f"longest stretch open to rewriting: {self.entries:,} entries, {self.seconds:,} s"


class StreamCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """How far a stream is covered, and by whom."""

    stream: str
    entries: int
    decided: int
    signed: tuple[KeyCoverage, ...] = ()
    cosigned: tuple[KeyCoverage, ...] = ()
    witnesses: int = 0
    """How many witnesses the reader named."""
    longest_open: UncosignedStretch | None = None
    gaps: tuple[str, ...] = ()
    """What is not covered, in sentences; each makes the exit status 3."""

    def __str__(self) -> str:
        """All of it in a line."""
        parts = [
            f"{self.stream}: {self.entries:,} {'entry' if self.entries == 1 else 'entries'}",
            f"decided again {self.decided:,}",
        ]
        parts += [f"signed to {each.to:,} by {each.name}" for each in self.signed] or [
            "signed by no key that was given"
        ]
        parts += [f"cosigned to {each.to:,} by {each.name}" for each in self.cosigned]
        if self.witnesses:
            parts[-1] += f" ({len(self.cosigned)} of {self.witnesses})" if self.cosigned else ""
            parts += [] if self.cosigned else [f"cosigned by none of {self.witnesses}"]
        return " · ".join(parts)


class CoverageCollector:
    """Collects who has signed the checkpoints of a stream, and up to which entry."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._logs: dict[Verifier, int] = {}
        self._witnesses: dict[Verifier, tuple[int, int]] = {}
        self._cosigned: list[tuple[int, int, Verifier]] = []
        """Of each cosignature its time, the size, and the witness."""
        self._expected: dict[Verifier, None] = {}
        """Every key of the stream's log, or of its house, that the reader gave."""
        self._unchecked: dict[str, None] = {}
        """Why signatures of logs were not checked, each reason once."""
        self._misnamed: dict[str, None] = {}
        """Names of logs that do not say which stream they are of, or from where they continue, each once."""
        self.continued: dict[str, None] = {}
        """Which logs were continued under another name, and from where."""

    def __bool__(self) -> bool:
        """Whether a log whose key is known has signed anything."""
        return bool(self._logs)

    @property
    def has_cosignature(self) -> bool:
        """Whether a witness whose key is known has cosigned anything."""
        return bool(self._witnesses)

    def signed_text(self) -> str:
        """Which logs have signed, up to which entry."""
        signed = [f"signed to {to:,} by {key.name}+{key.id.hex()}" for key, to in self._logs.items()]
        return ", ".join((*signed, *self.continued))

    def cosigned_text(self) -> str:
        """Which witnesses have cosigned, up to which entry, and when they did last."""
        found = self._witnesses.items()
        return ", ".join(
            f"cosigned to {to:,} by {key.name}+{key.id.hex()} at {utc_text(at)}" for key, (to, at) in found
        )

    def add(self, size: int, found: Signers) -> None:
        """A checkpoint of this size, which matches the entries."""
        for key in found.logs:
            self._logs[key] = max(self._logs.get(key, 0), size)
        for key, time in found.witnesses:
            self._witnesses[key] = max(self._witnesses.get(key, (0, 0)), (size, time))
            self._cosigned.append((time, size, key))
        self._expected |= dict.fromkeys(found.expected)
        if found.unchecked:
            self._unchecked[found.unchecked] = None
        if found.misnamed:
            self._misnamed[found.misnamed] = None
        if found.continues:
            self.continued[found.continues] = None

    def unused_keys(self, share_keys: Iterable[str] = ()) -> frozenset[Verifier]:
        """The keys of logs that were given one by one and have signed nothing here, neither checkpoints nor shares."""
        if not self._policy.is_each_required:
            return frozenset()
        shares = set(share_keys)
        return frozenset(key for key in self._policy.logs if key not in self._logs and str(key) not in shares)

    def coverage(
        self,
        stream: str,
        *,
        entries: int,
        decided: int,
        size: int,
        times: tuple[int, int] = (0, 0),
        gaps: Iterable[str] = (),
    ) -> StreamCoverage:
        """How far the stream is covered; `size` is how many entries must be signed, `times` when the first and the
        last of them were made, in seconds since 1970."""
        return StreamCoverage(
            stream=stream,
            entries=entries,
            decided=decided,
            signed=tuple(KeyCoverage(name=key.name, key=key.id.hex(), to=to) for key, to in self._logs.items()),
            cosigned=tuple(
                KeyCoverage(name=key.name, key=key.id.hex(), to=to, at=at) for key, (to, at) in self._witnesses.items()
            ),
            witnesses=len(self._policy.witnesses),
            longest_open=self._longest_open(size, *times),
            gaps=(*gaps, *self._gaps(size)),
        )

    def _gaps(self, size: int) -> Iterator[str]:
        """What the keys do not cover."""
        reach = max(self._logs.values(), default=0)
        if not self._policy.keys:
            yield "no key was given: whose signatures it bears was not checked"
        elif not self._logs:
            yield f"no key that was given has signed it: {'; '.join(self._unchecked) or 'there is no checkpoint'}"
        elif reach < size:
            yield f"{_last(size - reach, size)} not signed: nobody signed after entry {reach:,}"
        for key in self._expected:
            to = self._logs.get(key, 0)
            if to < reach:
                yield signed_nothing(key) if not to else f"{key.name} has signed it to entry {to:,} only"
        yield from self._misnamed
        yield from (f"{each}: some entries were lost and may have been replaced" for each in self.continued)
        if self._policy.quorum == NONE:
            return
        enough = self._reach_of({key: to for key, (to, _) in self._witnesses.items()})
        if enough < size:
            count = len(self._policy.witnesses)
            yield f"{_last(size - enough, size)} not cosigned by the witnesses that were asked for ({count})"

    def _reach_of(self, cosigned: Mapping[Verifier, int]) -> int:
        """Up to which entry enough witnesses have cosigned; without a quorum any of them is enough."""
        if self._policy.quorum == NONE:
            return max(cosigned.values(), default=0)
        sizes = sorted(set(cosigned.values()), reverse=True)
        return next((to for to in sizes if self._policy.is_met_by(key for key in cosigned if cosigned[key] >= to)), 0)

    def _longest_open(self, size: int, first_at: int, last_at: int) -> UncosignedStretch | None:
        """The longest stretch that the house could rewrite: before enough witnesses cosigned it, or after the last."""
        if not self._policy.witnesses:
            return None
        stretches: list[UncosignedStretch] = []
        cosigned: dict[Verifier, int] = {}
        reach, since = 0, first_at
        for time, to, key in sorted(self._cosigned, key=lambda each: each[:2]):
            cosigned[key] = max(cosigned.get(key, 0), to)
            enough = self._reach_of(cosigned)
            if enough > reach:
                seconds = max(0, time - since) if since else 0
                stretches.append(UncosignedStretch(entries=enough - reach, seconds=seconds))
                reach, since = enough, time
        stretches.append(UncosignedStretch(entries=size - reach, seconds=max(0, last_at - since) if since else 0))
        return max(stretches, key=lambda each: (each.entries, each.seconds))


def with_gaps(coverage: StreamCoverage, more: Iterable[str]) -> StreamCoverage:
    """The same coverage with more gaps; those it already has are not repeated."""
    return msgspec.structs.replace(coverage, gaps=tuple(dict.fromkeys((*coverage.gaps, *more))))


def signed_nothing(key: Verifier) -> str:
    """A key that was given and has signed nothing of a stream."""
    return f"{key.name} signed none of it"


def _last(count: int, size: int) -> str:
    return f"all {size:,} entries are" if count == size else f"the last {count:,} of {size:,} entries are"
