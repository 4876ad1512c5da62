"""Signatures of checkpoints under the keys that a reader has: one rule for `verify`, `audit` and pages of a round.

- A signature with the name and the id of a known key that is not by that key makes the checkpoint wrong.
- A checkpoint of a log whose key is known, but which that key has not signed, is wrong as well.
- A checkpoint that names the log of another stream is wrong.
- The key of a house, `example.org/house`, is also that of its streams, such as `example.org/house/table/1`.
- Anything else that the known keys do not cover is not wrong: `coverage.py` says how far they reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from baccarat.house.stream import Stream
from baccarat.record.key import KeyKind, MissingCryptography, Verifier, time_of
from baccarat.record.note import SignedNote, UnknownSigners, UntrustedNote
from baccarat.record.origin import belongs_to, fits_stream, names_another_stream, origin_of

NO_COSIGNATURE = "no witness whose key was given has cosigned: anyone who holds every copy could have rewritten it"


class Signers(msgspec.Struct, frozen=True, kw_only=True):
    """Who has signed a checkpoint, as far as known keys show it."""

    logs: tuple[Verifier, ...] = ()
    """The keys as the reader gave them, each of the log itself or of its house."""
    witnesses: tuple[tuple[Verifier, int], ...] = ()
    """Each with the time at which it cosigned, in seconds since 1970."""
    wrong: str = ""
    unchecked: str = ""
    """Why the signature of the log was not checked."""
    misnamed: str = ""
    """Why the name of the log does not say which stream it is of."""


def signers_of(note: SignedNote, known: Sequence[Verifier], stream: Stream | None = None) -> Signers:
    """Who has signed a checkpoint; with `stream`, it must be of the log of this stream."""
    origin, misnamed = note.text.partition("\n")[0], ""
    if stream is not None and names_another_stream(origin, stream):
        return Signers(wrong=f"the checkpoint is of the log {origin}, not of {stream}")
    if stream is not None and not fits_stream(origin, stream):
        misnamed = _misnamed_text(origin, stream)
    if not known:
        return Signers(unchecked="no key was given", misnamed=misnamed)
    given = {_under_name(key, origin): key for key in known}
    try:
        found = note.verified_signatures(list(given))
    except MissingCryptography as error:
        return Signers(unchecked=str(error), misnamed=misnamed)
    except UnknownSigners:
        found = {}
    except (UntrustedNote, ValueError) as error:
        return Signers(wrong=str(error))
    logs = tuple(given[key] for key in found if key.kind is KeyKind.LOG and key.name == origin)
    witnesses = tuple((key, time_of(sign.data)) for key, sign in found.items() if key.kind is KeyKind.WITNESS)
    if logs:
        return Signers(logs=logs, witnesses=witnesses, misnamed=misnamed)
    if any(key.kind is KeyKind.LOG and belongs_to(origin, key.name) for key in known):
        return Signers(witnesses=witnesses, wrong=f"no known key of the log {origin} has signed it")
    return Signers(witnesses=witnesses, unchecked=f"the key of the log {origin} was not given", misnamed=misnamed)


def _under_name(key: Verifier, origin: str) -> Verifier:
    """A key as it signs a log: a house signs each stream under its own name and the stream's."""
    is_house = key.kind is KeyKind.LOG and origin.startswith(f"{key.name}/")
    return Verifier(origin, key.kind, key.public) if is_house else key


def _misnamed_text(origin: str, stream: Stream) -> str:
    return (
        f"the log is called {origin}, which does not say that it is of {stream}: expected {origin_of('NAME', stream)}"
    )


def utc(seconds: int) -> str:
    """A time in UTC, or the number if no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return str(seconds)
