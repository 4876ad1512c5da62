"""A witness (C2SP tlog-witness): a second party that cosigns a log's checkpoint only if the log has only grown.

A log asks with the size at which the witness last cosigned it, the proof of its growth since, and the checkpoint. The
witness stores what it last cosigned for each log, and never cosigns less. If a log signs two histories, the witness
stores both, signed by the log itself, as evidence. A proof that shows nothing is no evidence: the request is at fault.

It watches single logs, each by its name, and houses, whose key signs every stream under the one name that belongs to it
(`origin.py`). A successor of a log is watched after its operator has admitted it, and then instead of the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, Protocol

import msgspec

from baccarat.record.checkpoint import Checkpoint, Relation, compare_checkpoints, read_checkpoint
from baccarat.record.encoding import from_decimal, to_base64
from baccarat.record.key import LATEST, KeyKind, Signer, Verifier, time_of
from baccarat.record.log import EMPTY_ROOT, LARGEST_SIZE, contradicts, extends
from baccarat.record.note import Signature, SignedNote, UnreadableNote, UntrustedNote, read_note, read_signature
from baccarat.record.origin import house_of, split_successor, stream_in
from baccarat.record.tlog_proof import read_hashes

OK, UNREADABLE, WRONG_KEY, UNKNOWN_LOG, CONFLICT, WRONG_PROOF = 200, 400, 403, 404, 409, 422
REASONS = {
    OK: "OK",
    UNREADABLE: "Bad Request",
    WRONG_KEY: "Forbidden",
    UNKNOWN_LOG: "Not Found",
    CONFLICT: "Conflict",
    WRONG_PROOF: "Unprocessable Entity",
}
"""The possible answers, with the specification's status numbers."""


class WitnessStopped(ValueError):  # noqa: N818  an answer to its operator
    """Why a witness must answer nothing more: what it remembers is damaged, or older than what it has cosigned."""


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
        rows = self.body.removesuffix("\n").split("\n") if self.status == OK else []
        return tuple(map(read_signature, rows))

    @property
    def known_size(self) -> int | None:
        """The size that the witness cosigned last, if that is why it refused."""
        return from_decimal(self.body.removesuffix("\n"), LARGEST_SIZE) if self.status == CONFLICT else None


NOT_WATCHED = WitnessAnswer(UNKNOWN_LOG, "no log of this name is watched here\n")


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


TWO_ROOTS: Final = "two roots at one size"
OTHER_RECORDS: Final = "other records before the growth"
TWO_CLOSINGS: Final = "two closings of one shoe"
EvidenceKind = Literal["two roots at one size", "other records before the growth", "two closings of one shoe"]


class Evidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two statements of a log, both signed by it, that cannot both be true; `times` counts how often this was found.

    They are checkpoints, or for two closings of one shoe requests for a share: a record with the proof that the log
    holds it. Anybody who has the log's public key can check each kind (`evidence.py`).
    """

    kind: EvidenceKind
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

    def newest_name(self, origin: str) -> str:
        """The name under which a log is watched now: that of its newest successor, or its own."""

    def admit(self, origin: str, successor: str) -> None:
        """Replace the name under which a log is watched."""

    def distrust(self, origin: str, note: SignedNote) -> None:
        """Store a cosignature of the witness itself that this memory does not know: it must not be used again."""


class Witness:
    """A witness with its key, the keys of the logs and houses that it watches, and what it stores of them."""

    def __init__(
        self,
        signer: Signer,
        logs: Mapping[str, Iterable[Verifier]],
        memory: Memory,
        *,
        houses: Iterable[Verifier] = (),
    ) -> None:
        if signer.verifier.kind is not KeyKind.WITNESS:
            raise ValueError("this is the key of a log; a witness has a key of its own kind")
        self._signer = signer
        self._logs = {origin: tuple(keys) for origin, keys in logs.items()}
        self._houses = tuple(houses)
        self._memory = memory
        _refuse_second_names([key for keys in self._logs.values() for key in keys], self._houses)

    @property
    def verifier(self) -> Verifier:
        """The public key by which it cosigns."""
        return self._signer.verifier

    def watches(self, origin: str) -> bool:
        """Whether this is the name of a log that it watches, now or before a successor was admitted."""
        return bool(self._first_keys(origin) or self._first_keys(split_successor(origin)[0]))

    def keys_of(self, origin: str) -> tuple[Verifier, ...]:
        """The keys of a log that it cosigns: none if it is not watched, has a successor, or is one not admitted."""
        first = origin if self._first_keys(origin) else split_successor(origin)[0]
        keys = self._first_keys(first)
        if not keys or self._memory.newest_name(first) != origin:
            return ()
        return keys if origin == first else tuple(Verifier(origin, KeyKind.LOG, key.public) for key in keys)

    def _first_keys(self, origin: str) -> tuple[Verifier, ...]:
        """The keys of a log that is no successor: its own, and that of the house that it is a stream of."""
        houses = [key for key in self._houses if stream_in(origin, house=key.name) is not None]
        by_house = [Verifier(origin, KeyKind.LOG, key.public) for key in houses]
        return tuple(dict.fromkeys([*self._logs.get(origin, ()), *by_house]))

    def admit(self, successor: str) -> SignedNote | None:
        """Watch a successor from now on in place of its log; returns what was last cosigned of the log before it.

        `ValueError` if it is not the next successor of a log that is watched. Nobody can take this back.
        """
        first, number = split_successor(successor)
        if number == 1 or not self._first_keys(first) or self._first_keys(successor):
            raise ValueError(f"{successor} is not the successor of a log that is watched here")
        before = self._memory.newest_name(first)
        if number != split_successor(before)[1] + 1:
            raise ValueError(f"{before} is watched now; its successor is {first}/{split_successor(before)[1] + 1}")
        self._memory.admit(first, successor)
        return self._memory.last_cosigned(before)

    def stop_if_rolled_back(self, note: SignedNote, shown: Checkpoint) -> None:
        """Stop for good if a checkpoint has this witness's own cosignature, and it remembers less."""
        try:
            note.verified_signatures([self._signer.verifier])
        except UntrustedNote:
            return
        known = _last_known(shown.origin, self._memory.last_cosigned(shown.origin))
        if compare_checkpoints(shown, known) in (Relation.LARGER, Relation.FORKED):
            self._memory.distrust(shown.origin, note)
            raise WitnessStopped(
                f"this witness has cosigned {shown.size} records of {shown.origin} that it does not remember, only "
                f"{known.size}: its memory was rolled back, and it must not continue with this key"
            )

    def answer(self, request: bytes, *, now: int) -> WitnessAnswer:
        """Answer a request, at a time in seconds since 1970; what it cosigns is stored before it is answered."""
        try:
            asked = read_request(request)
            shown = read_checkpoint(asked.note)
        except UnreadableNote as error:
            return WitnessAnswer(UNREADABLE, f"{error}\n")
        keys = self.keys_of(shown.origin)
        if not keys:
            return NOT_WATCHED
        try:
            asked.note.verified_signatures(keys)
        except UntrustedNote as error:
            return WitnessAnswer(WRONG_KEY, f"{error}\n")
        self.stop_if_rolled_back(asked.note, shown)
        if asked.old > shown.size:
            return WitnessAnswer(
                UNREADABLE, "the checkpoint is smaller than the size from which it is said to have grown\n"
            )
        last = self._memory.last_cosigned(shown.origin)
        return self._refusal(asked, shown, last) or self._cosign(asked.note, shown, last, now)

    def _refusal(self, asked: AddCheckpointRequest, shown: Checkpoint, last: SignedNote | None) -> WitnessAnswer | None:
        """Why a checkpoint that its log has signed is not cosigned; None if the log has only grown."""
        known = _last_known(shown.origin, last)
        if last is not None and compare_checkpoints(shown, known) is Relation.FORKED:
            self._memory.accuse(shown.origin, _evidence(TWO_ROOTS, asked, last))
            return WitnessAnswer(CONFLICT, f"{known.size}\n")
        if asked.old != known.size:
            return WitnessAnswer(CONFLICT, f"{known.size}\n")
        if not extends(shown.root, size=shown.size, old_root=known.root, old_size=known.size, proof=asked.proof):
            if last is not None and contradicts(
                shown.root, size=shown.size, old_root=known.root, old_size=known.size, proof=asked.proof
            ):
                self._memory.accuse(shown.origin, _evidence(OTHER_RECORDS, asked, last))
            return WitnessAnswer(WRONG_PROOF, "the proof does not show that the log has kept what it had\n")
        return None

    def _cosign(self, note: SignedNote, shown: Checkpoint, last: SignedNote | None, now: int) -> WitnessAnswer:
        key = self._signer.verifier
        earlier = max((time_of(each.data) for each in (last.signatures if last else ()) if each.is_by(key)), default=0)
        time = min(max(now, earlier), LATEST)  # a larger log never looks older, even if the clock was set back
        cosignature = Signature(key.name, key.id, self._signer.cosign(note.text, time=time))
        self._memory.keep(shown.origin, note.with_signatures(cosignature))
        return WitnessAnswer(OK, str(cosignature))


def _last_known(origin: str, last: SignedNote | None) -> Checkpoint:
    """The checkpoint that the witness cosigned last; of a log that it has never cosigned, that of no records."""
    return Checkpoint(origin=origin, size=0, root=EMPTY_ROOT) if last is None else read_checkpoint(last)


def _refuse_second_names(logs: Sequence[Verifier], houses: Sequence[Verifier]) -> None:
    """Refuse keys under which one stream could have two names, and so two histories."""
    for outer in houses:
        for inner in houses:
            if inner.name.startswith(f"{outer.name}/"):
                raise ValueError(f"{outer.name} and {inner.name}: a stream of one house would have two names")
    named = [(key.public, key.name, house_of(key.name) or key.name) for key in logs]
    named += [(key.public, key.name, key.name) for key in houses]
    for public, name, house in named:
        for other_public, other_name, other_house in named:
            if public == other_public and house != other_house:
                raise ValueError(f"{name} and {other_name} have the same key: a stream would have two names")


def _evidence(kind: EvidenceKind, asked: AddCheckpointRequest, last: SignedNote) -> Evidence:
    cosigned, shown = bytes(last).decode(), bytes(asked.note).decode()
    return Evidence(kind=kind, cosigned=cosigned, shown=shown, proof=tuple(map(to_base64, asked.proof)))
