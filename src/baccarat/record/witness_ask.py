"""The log's side of a witness's folder: asks for a cosignature, and checks the answer."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import Verifier
from baccarat.record.log import Log
from baccarat.record.note import SignedNote, UnreadableNote, UntrustedNote
from baccarat.record.witness import OK, AddCheckpointRequest, WitnessAnswer
from baccarat.record.witness_folder import answer_to, ask, take_back


class CosignOutcome(msgspec.Struct, frozen=True):
    """The outcome: cosigned, with the cosigned checkpoint; refused, and why; or only asked so far."""

    state: Literal["cosigned", "refused", "asked"]
    say: str
    note: SignedNote | None = None


def ask_witness(folder: Path, log: Log, note: SignedNote, witness: Verifier, last: SignedNote | None) -> CosignOutcome:
    """Ask for a cosignature on a checkpoint of the log, or read the answer if there is one; safe to repeat.

    `last` is the last checkpoint that any witness cosigned: it tells from which size the witness wants the growth
    proved. If that is not known the first answer says it, and the request is made again from there.
    """
    size = read_checkpoint(note).size
    if last is not None and last.text == note.text and any(each.is_by(witness) for each in last.signatures):
        return _check_cosignature(last, None, witness)
    tried: dict[int, str] = {}  # the names of the requests, by the size from which each proves the growth
    old = _known_size(last, witness, size)
    while True:
        request = AddCheckpointRequest(old, log.prove_consistency(old, size), note)
        tried[old] = ask(folder, request)
        answer = answer_to(folder, tried[old])
        if answer is None:
            return CosignOutcome("asked", f"{witness.name} is asked to cosign {size} records; there is no answer yet")
        known = answer.known_size
        if known is None or known in tried or known > size:
            break
        old = known
    for name in tried.values():  # only now, because earlier answers say from which size to prove
        take_back(folder, name)
    return _read_answer(answer, request, last, witness, size)


def _known_size(last: SignedNote | None, witness: Verifier, size: int) -> int:
    if last is None or not any(each.is_by(witness) for each in last.signatures):
        return 0
    return min(read_checkpoint(last).size, size)


def _read_answer(
    answer: WitnessAnswer, request: AddCheckpointRequest, last: SignedNote | None, witness: Verifier, size: int
) -> CosignOutcome:
    known = answer.known_size
    if answer.status == OK:
        try:
            cosignatures = [each for each in answer.cosignatures if each.is_by(witness)]
        except UnreadableNote as error:
            return CosignOutcome("refused", f"the answer of {witness.name} cannot be read: {error}")
        return _check_cosignature(request.note.with_signatures(*cosignatures), last, witness)
    if known is None:
        return CosignOutcome("refused", f"{witness.name} refuses to cosign ({answer.status}): {answer.body.strip()}")
    if known > size:
        return CosignOutcome(
            "refused", f"{witness.name} has cosigned {known} records, and this checkpoint covers only {size}"
        )
    if known == request.old:
        return CosignOutcome(
            "refused", f"{witness.name} has cosigned other records: the first {known} are not those it knows"
        )
    return CosignOutcome("refused", f"{witness.name} has cosigned something else in the meantime; ask again")


def _check_cosignature(cosigned: SignedNote, last: SignedNote | None, witness: Verifier) -> CosignOutcome:
    """The cosigned checkpoint, with the cosignatures of other witnesses, if this cosignature is right."""
    try:
        cosigned.verified_signatures([witness])
    except UntrustedNote:
        return CosignOutcome(
            "refused", f"there is no cosignature by {witness.name} over this checkpoint, or it is wrong"
        )
    if last is not None and last.text == cosigned.text:
        made = {(each.name, each.key) for each in cosigned.signatures}
        cosigned = cosigned.with_signatures(*(each for each in last.signatures if (each.name, each.key) not in made))
    return CosignOutcome("cosigned", f"{witness.name} has cosigned {read_checkpoint(cosigned).size} records", cosigned)
