"""A witness's part in the order of a shoe: it promises a share, and opens it once, for one closing of the inputs.

It opens a share when it is shown the record that closed the inputs, in the log of a checkpoint that it has cosigned
itself. What it opened is stored before it is answered, with the proof of that closing: the same closing gets the same
note again, and another closing of the same shoe gets both proofs, which show that the log has closed twice.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from baccarat.chain import leaf_hash
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.entry import ActRecord, HexHash, read_body
from baccarat.record.key import Verifier
from baccarat.record.misread import MISREAD
from baccarat.record.note import SignedNote, UnreadableNote, UntrustedNote
from baccarat.record.origin import fits_stream
from baccarat.record.share import ShareSigner, is_line
from baccarat.record.tlog_proof import ProvedEntry, read_proved_entry
from baccarat.record.witness import (
    CONFLICT,
    NOT_WATCHED,
    OK,
    TWO_CLOSINGS,
    UNREADABLE,
    WRONG_KEY,
    WRONG_PROOF,
    Evidence,
    Witness,
    WitnessAnswer,
    WitnessStopped,
)


class ShareRequest(ProvedEntry, frozen=True):
    """What a house asks with: the record that closed the inputs, and the proof that its log holds it."""


def read_share_request(data: bytes) -> ShareRequest:
    """Read a request; nothing in it is checked yet."""
    proved = read_proved_entry(data)
    return ShareRequest(proved.body, proved.proof)


class NamedWitness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A witness that a closing names: its share key, and its promise in hexadecimal digits."""

    key: str
    promise: HexHash


class Closing(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", tag="inputs_closed"
):
    """The event that closes the inputs of a shoe, as its record holds it."""

    origin: str
    shoe: str
    witnesses: tuple[NamedWitness, ...]
    inputs: HexHash
    cites: tuple[str, ...] = ()


def read_closing(body: bytes, *, origin: str) -> Closing:
    """The closing in the canonical body of a record of a log; `ValueError` says why it is none."""
    record = read_body(body)
    try:
        again = msgspec.json.encode(msgspec.json.decode(body), order="sorted")
    except MISREAD:
        again = b""
    if again != body:
        raise ValueError("the record is not written in canonical form (RFC 8785)")
    if not fits_stream(origin, record.stream):
        raise ValueError(f"the stream {record.stream!r} does not belong to the log {origin}")
    if not isinstance(record, ActRecord) or len(record.events) != 1:
        raise ValueError("the record does not have exactly one event")
    try:
        closing = msgspec.json.decode(record.events[0], type=Closing)
    except MISREAD:
        raise ValueError("the event of the record is not inputs_closed, or not of its form") from None
    if closing.origin != origin or not is_line(closing.shoe):
        raise ValueError("the event names another log, or a shoe that no note can name")
    return closing


class OpenedShare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A share that a witness has opened: for which log and shoe, the note, and the request that it answered."""

    origin: str
    shoe: str
    note: str
    request: str

    @property
    def leaf(self) -> bytes:
        """The leaf hash of the closing that it was opened for."""
        return leaf_hash(read_share_request(self.request.encode()).body)


class ShareMemory(Protocol):
    """What a witness stores of its shares. `keep_share` returns when it is durable, and stores all of it or nothing."""

    def opened_share(self, origin: str, shoe: str) -> OpenedShare | None:
        """The share that was opened for a shoe."""

    def keep_share(self, opened: OpenedShare) -> None:
        """Store an opened share."""

    def answered(self, origin: str) -> dict[str, bytes]:
        """The leaf hash of the closing for which a share was opened, for each shoe of a log."""

    def accuse(self, origin: str, evidence: Evidence) -> None:
        """Store evidence against a log: the first of each kind, and how often there was more."""


class ShareWitness:
    """A witness that has a part in the order of shoes."""

    def __init__(self, witness: Witness, signer: ShareSigner, memory: ShareMemory) -> None:
        if signer.verifier.public == witness.verifier.public:
            raise ValueError("the share key and the cosigning key are the same; a witness needs two")
        self._witness, self._signer, self._memory = witness, signer, memory

    @property
    def verifier(self) -> Verifier:
        """The public share key."""
        return self._signer.verifier

    def promise(self, data: bytes) -> WitnessAnswer:
        """The promise for a log and a shoe, each in a line; nothing is stored."""
        try:
            match data.decode().split("\n"):
                case [origin, shoe, ""] if is_line(origin) and is_line(shoe):
                    pass
                case _:
                    return WitnessAnswer(UNREADABLE, "expected two lines: the name of the log, and the shoe\n")
        except UnicodeDecodeError:
            return WitnessAnswer(UNREADABLE, "not UTF-8\n")
        if not self._witness.keys_of(origin):
            return NOT_WATCHED
        return WitnessAnswer(OK, f"{to_base64(self._signer.promise(origin=origin, shoe=shoe))}\n")

    def share(self, data: bytes) -> WitnessAnswer:
        """The note that opens the share for a closing; it is stored before it is answered.

        `WitnessStopped` if the witness has cosigned more than it remembers.
        """
        try:
            asked = read_share_request(data)
            shown = read_checkpoint(asked.proof.note)
        except UnreadableNote as error:
            return WitnessAnswer(UNREADABLE, f"{error}\n")
        # 1: the log is watched, has signed the checkpoint, and this witness has cosigned it
        keys = self._witness.keys_of(shown.origin)
        if not keys:
            return NOT_WATCHED
        try:
            for known in (keys, [self._witness.verifier]):
                asked.proof.note.verified_signatures(known)
        except UntrustedNote as error:
            return WitnessAnswer(WRONG_KEY, f"{error}\n")
        # 2: its own cosignature is on nothing that it does not remember
        self._witness.stop_if_rolled_back(asked.proof.note, shown)
        # 3: the record is in that log, and closes the inputs of a shoe that this witness has a promise for
        if not asked.proof.shows(asked.body):
            return WitnessAnswer(WRONG_PROOF, "the proof does not show that the log holds this record\n")
        try:
            closing = read_closing(asked.body, origin=shown.origin)
        except ValueError as error:
            return WitnessAnswer(WRONG_PROOF, f"{error}\n")
        if not self._is_named(closing):
            return WitnessAnswer(WRONG_PROOF, "the closing does not name this witness's share key with its promise\n")
        # 4: one closing for each shoe
        return self._open(asked, closing)

    def answered(self, origin: str) -> WitnessAnswer:
        """Every share of a log that was opened: the closing's leaf hash in base64, a space, and the shoe, in a line."""
        if not self._witness.watches(origin):
            return NOT_WATCHED
        rows = sorted(self._memory.answered(origin).items())
        return WitnessAnswer(OK, "".join(f"{to_base64(leaf)} {shoe}\n" for shoe, leaf in rows))

    def _is_named(self, closing: Closing) -> bool:
        promises = [each.promise for each in closing.witnesses if each.key == str(self._signer.verifier)]
        return promises == [self._signer.promise(origin=closing.origin, shoe=closing.shoe).hex()]

    def _open(self, asked: ShareRequest, closing: Closing) -> WitnessAnswer:
        before = self._memory.opened_share(closing.origin, closing.shoe)
        if before is None:
            made = self._note(closing, leaf_hash(asked.body))
            self._memory.keep_share(
                OpenedShare(
                    origin=closing.origin,
                    shoe=closing.shoe,
                    note=bytes(made).decode(),
                    request=bytes(asked).decode(),
                )
            )
            return WitnessAnswer(OK, bytes(made).decode())
        if before.note != bytes(self._note(closing, before.leaf)).decode():
            raise WitnessStopped(f"the share of {closing.origin} for the shoe {closing.shoe} was changed in its memory")
        if before.leaf == leaf_hash(asked.body):
            return WitnessAnswer(OK, before.note)
        evidence = Evidence(kind=TWO_CLOSINGS, cosigned=before.request, shown=bytes(asked).decode())
        self._memory.accuse(closing.origin, evidence)
        return WitnessAnswer(CONFLICT, f"{msgspec.json.encode(evidence).decode()}\n")

    def _note(self, closing: Closing, leaf: bytes) -> SignedNote:
        return self._signer.open(origin=closing.origin, shoe=closing.shoe, leaf=leaf)
