"""A house whose table closes the inputs of a shoe, and a witness that has a share in its order."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import Checkpoint, sign_checkpoint
from baccarat.record.entry import ActRecord, body_of
from baccarat.record.key import KeyKind, Signer
from baccarat.record.log import Log
from baccarat.record.note import SignedNote, read_note
from baccarat.record.share import ShareSigner
from baccarat.record.tlog_proof import EntryProof
from baccarat.record.witness import OK, AddCheckpointRequest, Witness
from baccarat.record.witness_folder import FolderMemory
from baccarat.record.witness_share import ShareRequest, ShareWitness
from baccarat.table.role import Role
from log_floor import bodies
from witnessed import NOW, WITNESS

HOUSE = Signer("example.org/house", KeyKind.LOG, b"H" * 32)
ORIGIN = "example.org/house/table/1"
STREAM = Stream("table 1")
SHARES = ShareSigner(Signer("example.org/surveillance", KeyKind.LOG, b"Z" * 32), b"k" * 32)


def promised(*, origin: str = ORIGIN, shoe: str = "17", shares: ShareSigner = SHARES) -> dict[str, str]:
    return {"key": str(shares.verifier), "promise": shares.promise(origin=origin, shoe=shoe).hex()}


def closing_event(
    *, origin: str = ORIGIN, shoe: str = "17", inputs: str = "ab" * 32, **more: object
) -> dict[str, object]:
    named = [promised(origin=origin, shoe=shoe)]
    return {"event": "inputs_closed", "origin": origin, "shoe": shoe, "witnesses": named, "inputs": inputs, **more}


def closing_body(*events: dict[str, object], stream: Stream = STREAM, seq: int = 8) -> bytes:
    """The body of a record with these events; of none, with the one that closes the shoe 17."""
    raw = tuple(Raw(msgspec.json.encode(each, order="sorted")) for each in events or (closing_event(),))
    record = ActRecord(
        v=1, stream=stream, seq=seq, event=0, rulebook="0" * 64, behaviour=1, who="d1", role=Role.DEALER,
        command=Raw(b'{"do":"close_inputs"}'), events=raw,
    )  # fmt: skip
    return body_of(record)


def log_with(body: bytes, *, before: int = 8, after: int = 0) -> Log:
    return Log([*bodies(before), body, *(b"later %d" % number for number in range(after))])


def signed(log: Log, size: int, *, origin: str = ORIGIN, signer: Signer = HOUSE) -> SignedNote:
    return sign_checkpoint(Checkpoint(origin=origin, size=size, root=log.root(size)), signer.with_name(origin))


def cosign(witness: Witness, log: Log, size: int, *, old: int = 0, origin: str = ORIGIN) -> SignedNote:
    """The checkpoint of a log with the cosignature that the witness gives for it."""
    note = signed(log, size, origin=origin)
    answer = witness.answer(bytes(AddCheckpointRequest(old, log.prove_consistency(old, size), note)), now=NOW)
    assert answer.status == OK, answer
    return note.with_signatures(*answer.cosignatures)


def closing_request(witness: Witness, body: bytes, *, old: int = 0, origin: str = ORIGIN) -> ShareRequest:
    """The request for a share: the closing, in a log that the witness has cosigned."""
    log = log_with(body)
    note = cosign(witness, log, log.size, old=old, origin=origin)
    return ShareRequest(body, EntryProof(8, log.prove_inclusion(8), note))


def share_witness(memory: FolderMemory) -> tuple[Witness, ShareWitness]:
    witness = Witness(WITNESS, {}, memory, houses=[HOUSE.verifier])
    return witness, ShareWitness(witness, SHARES, memory)


def with_note(asked: ShareRequest, note: SignedNote) -> ShareRequest:
    return ShareRequest(asked.body, EntryProof(asked.proof.index, asked.proof.path, note))


def reread(note: str) -> SignedNote:
    return read_note(note.encode())
