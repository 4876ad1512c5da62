"""A witness (C2SP tlog-witness): a second party that cosigns a log's checkpoint only if the log has grown and kept what
it had.

A log asks with the size at which the witness last cosigned it, the proof of its growth since, and the checkpoint. What
the witness last cosigned is kept for each log; it never goes back to less, and of a log that tells two stories it keeps
both, signed by the log itself: that is the evidence. A proof that shows nothing is the fault of whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, Protocol

import msgspec

from baccarat.record.checkpoint import Checkpoint, Relation, compare_checkpoints, read_checkpoint
from baccarat.record.encoding import from_decimal, to_base64
from baccarat.record.key import LATEST, KeyKind, Signer, Verifier, time_of
from baccarat.record.log import EMPTY_ROOT, LARGEST_SIZE, contradicts, extends
from baccarat.record.note import Signature, SignedNote, UnreadableNote, UntrustedNote, read_note, read_signature
from baccarat.record.tlog_proof import read_hashes

COSIGNED, UNREADABLE, WRONG_KEY, UNKNOWN_LOG, CONFLICT, WRONG_PROOF = 200, 400, 403, 404, 409, 422
REASONS = {
    COSIGNED: "OK",
    UNREADABLE: "Bad Request",
    WRONG_KEY: "Forbidden",
    UNKNOWN_LOG: "Not Found",
    CONFLICT: "Conflict",
    WRONG_PROOF: "Unprocessable Entity",
}
"""What an answer can be, as the specification numbers it."""


class AddCheckpointRequest(msgspec.Struct, frozen=True):
    """What a log asks: the size that the witness knows, the proof of the growth since, the signed checkpoint."""

    old: int
    proof: tuple[bytes, ...]
    note: SignedNote

    def __bytes__(self) -> bytes:
        rows = (f"old {self.old}", *map(to_base64, self.proof))
        return "".join(f"{row}\n" for row in rows).encode() + b"\n" + bytes(self.note)


def read_request(data: bytes) -> AddCheckpointRequest:
    """The request that bytes say; nothing in it is checked against anything yet."""
    head, blank, note = data.partition(b"\n\n")
    try:
        first, *rows = head.decode().split("\n")
    except UnicodeDecodeError:
        raise UnreadableNote("not UTF-8") from None
    old = from_decimal(first.removeprefix("old "), LARGEST_SIZE) if blank and first.startswith("old ") else None
    if old is None:
        raise UnreadableNote("no request; expected old and a size, a line for each hash, a blank line, the checkpoint")
    return AddCheckpointRequest(old, read_hashes(rows), read_note(note))


class WitnessAnswer(msgspec.Struct, frozen=True):
    """What the witness says: a number, and cosignatures, the size that it knows, or a sentence."""

    status: int
    body: str

    def __bytes__(self) -> bytes:
        return f"{self.status} {REASONS[self.status]}\n\n{self.body}".encode()

    @property
    def cosignatures(self) -> tuple[Signature, ...]:
        """The signatures of an answer that cosigns."""
        rows = self.body.removesuffix("\n").split("\n") if self.status == COSIGNED else []
        return tuple(map(read_signature, rows))

    @property
    def known_size(self) -> int | None:
        """The size that the witness cosigned last, if that is why it refused."""
        return from_decimal(self.body.removesuffix("\n"), LARGEST_SIZE) if self.status == CONFLICT else None


def read_answer(data: bytes) -> WitnessAnswer:
    """The answer that bytes say."""
    try:
        head, blank, body = data.decode().partition("\n\n")
    except UnicodeDecodeError:
        raise UnreadableNote("not UTF-8") from None
    status = from_decimal(head.partition(" ")[0], 999)
    if not blank or status not in REASONS or head != f"{status} {REASONS[status]}" or not body.endswith("\n"):
        raise UnreadableNote("no answer of a witness; expected a status such as 200 OK, a blank line, and what it says")
    return WitnessAnswer(status, body)


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Two checkpoints that a log has signed and that cannot both be true; `times` says how often it was found out.

    Both kinds can be checked by anybody who has the log's public key.
    """

    kind: Literal["two roots at one size", "other records before the growth"]
    cosigned: str
    shown: str
    proof: tuple[str, ...] = ()
    times: int = 1


class Memory(Protocol):
    """What a witness keeps. `keep` returns when it is durable; nobody else changes it between `last` and `keep`."""

    def last_cosigned(self, origin: str) -> SignedNote | None:
        """The last checkpoint of a log that was cosigned, with the cosignature."""

    def keep(self, origin: str, note: SignedNote) -> None:
        """Put a checkpoint in the place of the last one."""

    def accuse(self, origin: str, evidence: Evidence) -> None:
        """Keep evidence against a log: the first of each kind, and how often there was more."""


class Witness:
    """A witness with its key, the keys of the logs that it watches, and what it keeps of them."""

    def __init__(self, signer: Signer, logs: Mapping[str, Iterable[Verifier]], memory: Memory) -> None:
        if signer.verifier.kind is not KeyKind.WITNESS:
            raise ValueError("this is the key of a log; a witness has a key of its own kind")
        self._signer = signer
        self._logs = {origin: tuple(keys) for origin, keys in logs.items()}
        self._memory = memory

    def answer(self, request: bytes, *, now: int) -> WitnessAnswer:
        """What it says to a request, at a time in seconds since 1970; what it cosigns is kept before it is said."""
        try:
            asked = read_request(request)
            shown = read_checkpoint(asked.note)
        except UnreadableNote as error:
            return WitnessAnswer(UNREADABLE, f"{error}\n")
        keys = self._logs.get(shown.origin)
        if keys is None:
            return WitnessAnswer(UNKNOWN_LOG, "no log of this name is watched here\n")
        try:
            asked.note.verified_signatures(keys)
        except UntrustedNote as error:
            return WitnessAnswer(WRONG_KEY, f"{error}\n")
        if asked.old > shown.size:
            return WitnessAnswer(
                UNREADABLE, "the checkpoint is smaller than the size from which it is said to have grown\n"
            )
        last = self._memory.last_cosigned(shown.origin)
        return self._refusal(asked, shown, last) or self._cosign(asked.note, shown, last, now)

    def _refusal(self, asked: AddCheckpointRequest, shown: Checkpoint, last: SignedNote | None) -> WitnessAnswer | None:
        """Why a checkpoint that its log has signed is not cosigned; None where it has grown and kept what it had."""
        known = Checkpoint(origin=shown.origin, size=0, root=EMPTY_ROOT) if last is None else read_checkpoint(last)
        if last is not None and compare_checkpoints(shown, known) is Relation.FORKED:
            self._memory.accuse(shown.origin, _evidence("two roots at one size", asked, last))
            return WitnessAnswer(CONFLICT, f"{known.size}\n")
        if asked.old != known.size:
            return WitnessAnswer(CONFLICT, f"{known.size}\n")
        if not extends(shown.root, size=shown.size, old_root=known.root, old_size=known.size, proof=asked.proof):
            if last is not None and contradicts(
                shown.root, size=shown.size, old_root=known.root, old_size=known.size, proof=asked.proof
            ):
                self._memory.accuse(shown.origin, _evidence("other records before the growth", asked, last))
            return WitnessAnswer(WRONG_PROOF, "the proof does not show that the log has kept what it had\n")
        return None

    def _cosign(self, note: SignedNote, shown: Checkpoint, last: SignedNote | None, now: int) -> WitnessAnswer:
        key = self._signer.verifier
        earlier = max((time_of(each.data) for each in (last.signatures if last else ()) if each.is_by(key)), default=0)
        time = min(max(now, earlier), LATEST)  # a clock that was set back does not make a larger log look older
        cosignature = Signature(key.name, key.id, self._signer.cosign(note.text, time=time))
        self._memory.keep(shown.origin, note.with_signatures(cosignature))
        return WitnessAnswer(COSIGNED, str(cosignature))


def _evidence(
    kind: Literal["two roots at one size", "other records before the growth"],
    asked: AddCheckpointRequest,
    last: SignedNote,
) -> Evidence:
    cosigned, shown = bytes(last).decode(), bytes(asked.note).decode()
    return Evidence(kind=kind, cosigned=cosigned, shown=shown, proof=tuple(map(to_base64, asked.proof)))
