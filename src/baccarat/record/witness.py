"""A witness (C2SP tlog-witness): a second party that cosigns a log's checkpoint only if the log has only grown.

A log asks with the size at which the witness last cosigned it, the proof of its growth since, and the checkpoint. The
witness stores what it last cosigned for each log, and never cosigns less. If a log signs two histories, the witness
stores both, signed by the log itself, as evidence. A proof that shows nothing is no evidence: the request is at fault.
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
"""The possible answers, with the specification's status numbers."""


class AddCheckpointRequest(msgspec.Struct, frozen=True):
    """What a log asks: the size that the witness knows, the proof of the growth since, the signed checkpoint."""

    old: int
    proof: tuple[bytes, ...]
    note: SignedNote

    def __bytes__(self) -> bytes:
        rows = (f"old {self.old}", *map(to_base64, self.proof))
        return "".join(f"{row}\n" for row in rows).encode() + b"\n" + bytes(self.note)


def read_request(data: bytes) -> AddCheckpointRequest:
    """Read a request; nothing in it is checked yet."""
    head, blank, note = data.partition(b"\n\n")
    try:
        first, *rows = head.decode().split("\n")
    except UnicodeDecodeError:
        raise UnreadableNote("not UTF-8") from None
    old = from_decimal(first.removeprefix("old "), LARGEST_SIZE) if blank and first.startswith("old ") else None
    if old is None:
        raise UnreadableNote("not a request; expected old and a size, a line per hash, a blank line, the checkpoint")
    return AddCheckpointRequest(old, read_hashes(rows), read_note(note))


class WitnessAnswer(msgspec.Struct, frozen=True):
    """The answer of a witness: a status, and cosignatures, the size that it knows, or a sentence."""

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
    """Read an answer."""
    try:
        head, blank, body = data.decode().partition("\n\n")
    except UnicodeDecodeError:
        raise UnreadableNote("not UTF-8") from None
    status = from_decimal(head.partition(" ")[0], 999)
    if not blank or status not in REASONS or head != f"{status} {REASONS[status]}" or not body.endswith("\n"):
        raise UnreadableNote("not an answer of a witness; expected a status such as 200 OK, a blank line and a body")
    return WitnessAnswer(status, body)


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Two checkpoints that a log has signed and that cannot both be true; `times` counts how often this was found.

    Both kinds can be checked by anybody who has the log's public key.
    """

    kind: Literal["two roots at one size", "other records before the growth"]
    cosigned: str
    shown: str
    proof: tuple[str, ...] = ()
    times: int = 1


class Memory(Protocol):
    """What a witness stores. `keep` returns when it is durable; nobody else changes it between `last` and `keep`."""

    def last_cosigned(self, origin: str) -> SignedNote | None:
        """The last checkpoint of a log that was cosigned, with the cosignature."""

    def keep(self, origin: str, note: SignedNote) -> None:
        """Replace the last checkpoint by this one."""

    def accuse(self, origin: str, evidence: Evidence) -> None:
        """Store evidence against a log: the first of each kind, and how often there was more."""


class Witness:
    """A witness with its key, the keys of the logs that it watches, and what it stores of them."""

    def __init__(self, signer: Signer, logs: Mapping[str, Iterable[Verifier]], memory: Memory) -> None:
        if signer.verifier.kind is not KeyKind.WITNESS:
            raise ValueError("this is the key of a log; a witness has a key of its own kind")
        self._signer = signer
        self._logs = {origin: tuple(keys) for origin, keys in logs.items()}
        self._memory = memory

    def answer(self, request: bytes, *, now: int) -> WitnessAnswer:
        """Answer a request, at a time in seconds since 1970; what it cosigns is stored before it is answered."""
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
        """Why a checkpoint that its log has signed is not cosigned; None if the log has only grown."""
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
        time = min(max(now, earlier), LATEST)  # a larger log never looks older, even if the clock was set back
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
