"""A log, a rewritten one, and a witness."""

from __future__ import annotations

from baccarat.record.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from baccarat.record.key import KeyKind, Signer
from baccarat.record.log import Log
from baccarat.record.note import Signature, SignedNote
from baccarat.record.witness import (
    AddCheckpointRequest,
)
from baccarat.record.witness_folder import (
    FolderMemory,
)

LOG = Signer("example.org/table-1", KeyKind.LOG, b"L" * 32)
STRANGER = Signer("example.org/table-1", KeyKind.LOG, b"S" * 32)
WITNESS = Signer("example.org/surveillance", KeyKind.WITNESS, b"W" * 32)
ENTRIES = [b"entry %d" % number for number in range(20)]
HONEST = Log(ENTRIES)
NOW = 1_800_000_000
COSIGNATURES = """— witness.example/w1 CMp+6LWBU0anHGH5aNDTJkH/gj79sG+T6+iP2ThYN5krrDJbR1HDnucjL39QsZTSvVjyQLrdk3DXDqI5G2HgLatVs0pWh6Up69HVOw==
— witness.example/w1 I7rEps0pvK2UqkS2gSpVUDhrhVtQV9lgF6pRrWAvjJHjyWpW7VcE3SiOlVlbQNt64vWhO+DlkL0+UfzuOBMh9ChdMkP1vi/lCAsmlw==
— witness.example/w2 AWui8Sk55XjYLOijihBjhqEH6nS1ndDymE0a+6idX7pLcnoB+dhnz0854aLZgrrKbYKA7nC3HNJhm/kWl7oJlqU3rXXvpysAdyP3wQ==
"""  # noqa: E501


def note_of(size: int, log: Log = HONEST, signer: Signer = LOG, origin: str = "example.org/table-1") -> SignedNote:
    return sign_checkpoint(Checkpoint(origin=origin, size=size, root=log.root(size)), signer)


def request(old: int, size: int, log: Log = HONEST, signer: Signer = LOG) -> bytes:
    return bytes(AddCheckpointRequest(old, log.prove_consistency(old, size), note_of(size, log, signer)))


def cosigned(note: SignedNote) -> SignedNote:
    key = WITNESS.verifier
    return note.with_signatures(Signature(key.name, key.id, WITNESS.cosign(note.text, time=NOW)))


def size_kept(memory: FolderMemory) -> int | None:
    note = memory.last_cosigned("example.org/table-1")
    return None if note is None else read_checkpoint(note).size
