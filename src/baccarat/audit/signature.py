"""Signatures of checkpoints under the keys that a reader has: one rule for `verify`, `audit` and pages of a round.

- A signature with the name and the id of a known key that is not by that key makes the checkpoint wrong.
- A checkpoint of a log whose key is known, but which that key has not signed, is wrong as well.
- A checkpoint that names the log of another stream is wrong.
- The key of a house, `example.org/house`, is also the key of its streams, each under one name, such as
  `example.org/house/table/1`; a checkpoint under any other name that begins with that of the house is wrong.
- Anything else that the known keys do not cover is not wrong: `coverage.py` says how far they reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from baccarat.house.stream import Stream
from baccarat.record.key import KeyKind, MissingCryptography, Verifier, time_of
from baccarat.record.note import SignedNote, UnknownSigners, UntrustedNote
from baccarat.record.origin import (
    fits_stream,
    is_name_under,
    is_same_log,
    is_successor,
    may_sign,
    name_by,
    names_another_stream,
    origin_of,
    predecessor,
)

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
    expected: tuple[Verifier, ...] = ()
    """The keys of this log or its house that the reader gave: each of them should have signed."""
    misnamed: str = ""
    """Why the name of the log does not say which stream it is of, or from where a successor continues."""
    continues: str = ""
    """Which log a successor continues, and from which size."""


def signers_of(note: SignedNote, known: Sequence[Verifier], stream: Stream | None = None) -> Signers:
    """Who has signed a checkpoint; with `stream`, it must be of the log of this stream."""
    origin, misnamed, continues = note.text.partition("\n")[0], "", ""
    if stream is not None and names_another_stream(origin, stream):
        return Signers(wrong=f"the checkpoint is of the log {origin}, not of {stream}")
    if stream is not None and not fits_stream(origin, stream):
        misnamed = _misnamed_text(origin, stream)
    if stream is not None and is_successor(origin, stream):
        found_before = predecessor(origin, note.text.split("\n")[3:])
        if found_before is None:
            misnamed = f"the log {origin} is a successor, but its checkpoint does not name its predecessor"
        else:
            continues = f"{origin} continues {found_before.origin}, of which {found_before.size:,} entries were signed"
    if not known:
        return Signers(unchecked="no key was given", misnamed=misnamed)
    own = tuple(key for key in known if key.kind is KeyKind.LOG and may_sign(key.name, origin, stream))
    if not own and (wrong := _not_its_name(origin, known, stream)):
        return Signers(wrong=wrong)
    given = {Verifier(origin, key.kind, key.public) if key in own else key: key for key in known}
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
        return Signers(logs=logs, witnesses=witnesses, expected=own, misnamed=misnamed, continues=continues)
    if own:
        return Signers(wrong=f"no known key of the log {origin} has signed it")
    # A cosignature says nothing of a stream unless a known key of its log has signed as well.
    return Signers(unchecked=f"the key of the log {origin} was not given", misnamed=misnamed)


def logs_signed(found: Iterable[tuple[str, Signers]]) -> tuple[str, ...]:
    """The logs whose checkpoints a given key has signed, or all if it signed none; of successors only the last."""
    every = list(found)
    names = dict.fromkeys([origin for origin, signers in every if signers.logs] or [origin for origin, _ in every])
    return tuple(each for each in names if not any(each != one and is_same_log(each, one) for one in names))


def _not_its_name(origin: str, known: Sequence[Verifier], stream: Stream | None) -> str:
    """Why no key may sign under this name: a stream with two names could have two histories."""
    for key in known:
        if stream is not None and key.kind is KeyKind.LOG and is_name_under(origin, key.name):
            return (
                f"the checkpoint is of the log {origin}, but {key.name} signs {stream} as {name_by(key.name, stream)}"
            )
    return ""


def _misnamed_text(origin: str, stream: Stream) -> str:
    return (
        f"the log is called {origin}, which does not say that it is of {stream}: expected {origin_of('NAME', stream)}"
    )
