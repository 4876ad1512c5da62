"""Signatures of checkpoints under the keys that a reader has: one rule for `verify`, `audit` and pages of a round.

- A signature with the name and the id of a known key that is not by that key makes the checkpoint wrong.
- If keys of logs are known and none of them has signed, it is wrong as well: another key proves nothing.
- The key of a house, `example.org/house`, is also that of its streams, such as `example.org/house/table/1`.
- If no key of a log is known, or signatures cannot be computed, the log's signature was not checked.
- If a reader names a witness that has not cosigned, the cosignature was not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from baccarat.audit.finding import COSIGNATURES, SIGNATURES, AuditCheck
from baccarat.audit.promise import CHECK_SUBJECTS
from baccarat.record.key import KeyKind, MissingCryptography, Verifier, time_of
from baccarat.record.note import SignedNote, UnknownSigners, UntrustedNote

NO_KEY = "no key is given: name the log's with --key"
NO_COSIGNATURE = "no known witness has cosigned: anyone who holds every copy could have rewritten it"
NOT_SIGNED = "a key is given, but it is not signed: there is no checkpoint"


class Signers(msgspec.Struct, frozen=True, kw_only=True):
    """Who has signed a checkpoint, as far as known keys show it."""

    logs: tuple[Verifier, ...] = ()
    witnesses: tuple[tuple[Verifier, int], ...] = ()
    """Each with the time at which it cosigned, in seconds since 1970."""
    wrong: str = ""
    unchecked: str = ""
    """Why the signature of the log was not checked."""


def signers_of(note: SignedNote, known: Sequence[Verifier]) -> Signers:
    """Who has signed a checkpoint."""
    if not known:
        return Signers(unchecked=NO_KEY)
    origin = note.text.partition("\n")[0]
    try:
        found = note.verified_signatures(list(dict.fromkeys([*known, *_house_keys(known, origin)])))
    except MissingCryptography as error:
        return Signers(unchecked=str(error))
    except UnknownSigners as error:
        if any(key.kind is KeyKind.LOG for key in known):
            return Signers(wrong=str(error))
        found = {}
    except (UntrustedNote, ValueError) as error:
        return Signers(wrong=str(error))
    logs = tuple(key for key in found if key.kind is KeyKind.LOG and key.name == origin)
    witnesses = tuple((key, time_of(sign.data)) for key, sign in found.items() if key.kind is KeyKind.WITNESS)
    if logs:
        return Signers(logs=logs, witnesses=witnesses)
    if any(key.kind is KeyKind.LOG for key in known):
        return Signers(witnesses=witnesses, wrong=f"no known key of the log {origin} has signed it")
    return Signers(witnesses=witnesses, unchecked=f"the log's key is not given: name that of {origin} with --key")


def _house_keys(known: Sequence[Verifier], origin: str) -> list[Verifier]:
    """The keys of houses under the name of a log: a house signs each stream under its own name and the stream's."""
    houses = [key for key in known if key.kind is KeyKind.LOG and origin.startswith(f"{key.name}/")]
    return [Verifier(origin, KeyKind.LOG, key.public) for key in houses]


def names_witness(known: Sequence[Verifier]) -> bool:
    """Whether a reader named a witness, and so expects a cosignature."""
    return any(key.kind is KeyKind.WITNESS for key in known)


def utc(seconds: int) -> str:
    """A time in UTC, or the number if no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return str(seconds)


class Signatures:
    """The signatures of all checkpoints of an audit, under the keys that its reader has."""

    def __init__(self, known: Sequence[Verifier]) -> None:
        self._known = known
        self._checked = self._cosigned = 0
        self._unchecked = ""

    def check_note(self, note: SignedNote) -> str:
        """Check one checkpoint; returns what is wrong with its signatures, if anything."""
        found = signers_of(note, self._known)
        self._unchecked = self._unchecked or found.unchecked
        self._checked += not found.unchecked
        self._cosigned += bool(found.witnesses)
        return found.wrong

    def checks(self, *, failed: int) -> Iterator[AuditCheck]:
        """What was checked; nothing if there is no signature and no key is given."""
        if self._checked or self._unchecked or failed:
            left_out = "" if failed else self._unchecked
            yield AuditCheck(
                name=SIGNATURES, what=CHECK_SUBJECTS[SIGNATURES], times=self._checked, failed=failed, left_out=left_out
            )  # fmt: skip
        if self._cosigned or names_witness(self._known):
            left_out = "" if self._cosigned else NO_COSIGNATURE
            yield AuditCheck(
                name=COSIGNATURES, what=CHECK_SUBJECTS[COSIGNATURES], times=self._cosigned, left_out=left_out
            )
