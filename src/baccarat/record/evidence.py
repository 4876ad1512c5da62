"""Evidence against a log, checked by anybody: whether two statements that it has signed cannot both be true."""

from __future__ import annotations

from baccarat.record.checkpoint import Relation, compare_checkpoints, read_checkpoint
from baccarat.record.log import contradicts
from baccarat.record.note import SignedNote, read_note
from baccarat.record.tlog_proof import read_hashes
from baccarat.record.witness import TWO_CLOSINGS, TWO_ROOTS, Evidence
from baccarat.record.witness_share import ShareRequest, read_closing, read_share_request


def evidence_notes(evidence: Evidence) -> tuple[SignedNote, SignedNote]:
    """The two checkpoints on which evidence rests; `UnreadableNote` if there are none. No signature is checked here."""
    if evidence.kind == TWO_CLOSINGS:
        first, second = (request.proof.note for request in _closings(evidence))
    else:
        first, second = read_note(evidence.cosigned.encode()), read_note(evidence.shown.encode())
    for note in (first, second):
        read_checkpoint(note)
    return first, second


def is_contradiction(evidence: Evidence) -> bool:
    """Whether the two statements contradict each other, if the log has signed both checkpoints."""
    cosigned, shown = map(read_checkpoint, evidence_notes(evidence))
    if evidence.kind == TWO_CLOSINGS:
        return cosigned.origin == shown.origin and _close_twice(*_closings(evidence), origin=shown.origin)
    relation = compare_checkpoints(shown, cosigned)
    if evidence.kind == TWO_ROOTS:
        return relation is Relation.FORKED
    proof = read_hashes(list(evidence.proof))
    sizes = {"size": shown.size, "old_size": cosigned.size}
    return relation is Relation.LARGER and contradicts(shown.root, old_root=cosigned.root, proof=proof, **sizes)


def _closings(evidence: Evidence) -> tuple[ShareRequest, ShareRequest]:
    return read_share_request(evidence.cosigned.encode()), read_share_request(evidence.shown.encode())


def _close_twice(first: ShareRequest, second: ShareRequest, *, origin: str) -> bool:
    """Whether both are records of the log that close the inputs of one shoe, and not the same record."""
    if first.body == second.body or not all(each.proof.shows(each.body) for each in (first, second)):
        return False
    try:
        return read_closing(first.body, origin=origin).shoe == read_closing(second.body, origin=origin).shoe
    except ValueError:
        return False
