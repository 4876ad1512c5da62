"""A witness: what it cosigns, and everything that it refuses."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.record.checkpoint import open_checkpoint, read_checkpoint
from baccarat.record.encoding import from_base64
from baccarat.record.key import KeyKind, Signer, UnreadableKey, Verifier, time_of
from baccarat.record.log import Log, contradicts
from baccarat.record.note import SignedNote, UnreadableNote, read_note
from baccarat.record.witness import (
    CONFLICT,
    OK,
    UNKNOWN_LOG,
    UNREADABLE,
    WRONG_KEY,
    WRONG_PROOF,
    AddCheckpointRequest,
    Evidence,
    Witness,
    WitnessAnswer,
    read_answer,
    read_request,
)
from baccarat.record.witness_folder import (
    FolderMemory,
    UnreadableMemory,
)
from evidence_files import accusations
from witnessed import COSIGNATURES, ENTRIES, HONEST, LOG, NOW, STRANGER, WITNESS, note_of, request, size_kept

pytestmark = pytest.mark.slow
REWRITTEN = Log([*ENTRIES[:3], b"another", *ENTRIES[4:]])
# the example of C2SP tlog-witness
REQUEST = b"""old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

\xe2\x80\x94 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
\xe2\x80\x94 example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
"""  # noqa: E501


# ------------------------------------------------------------------------------------------ it cosigns


def test_the_examples_of_the_specification_are_read_and_written_again() -> None:
    asked = read_request(REQUEST)
    assert (asked.old, len(asked.proof), len(asked.note.signatures)) == (20852014, 4, 2)
    assert bytes(asked) == REQUEST
    answer = WitnessAnswer(OK, COSIGNATURES)
    assert [each.name for each in answer.cosignatures] == ["witness.example/w1"] * 2 + ["witness.example/w2"]
    assert "".join(map(str, answer.cosignatures)) == COSIGNATURES
    assert read_answer(bytes(answer)) == answer
    assert answer.known_size is None
    assert (WitnessAnswer(CONFLICT, "7\n").known_size, WitnessAnswer(UNKNOWN_LOG, "7\n").known_size) == (7, None)
    assert WitnessAnswer(CONFLICT, COSIGNATURES).cosignatures == (), "a refusal cosigns nothing"


def test_consistent_growth_is_cosigned_step_by_step(witness: Witness, memory: FolderMemory) -> None:
    old = 0
    for now, size in enumerate((0, 1, 1, 2, 7, 8, 8, 20), start=NOW):
        answer = witness.answer(request(old, size), now=now)
        assert answer.status == OK, answer
        (cosignature,) = answer.cosignatures
        kept = note_of(size).with_signatures(cosignature)
        assert open_checkpoint(bytes(kept), [WITNESS.verifier]).size == size
        assert time_of(cosignature.data) == now
        assert memory.last_cosigned("example.org/table-1") == kept
        old = size


def test_a_clock_that_was_set_back_does_not_make_a_larger_log_look_older(witness: Witness) -> None:
    witness.answer(request(0, 5), now=NOW)
    (cosignature,) = witness.answer(request(5, 9), now=NOW - 1000).cosignatures
    assert time_of(cosignature.data) == NOW


def test_signatures_by_strangers_beside_the_logs_own_do_no_harm(witness: Witness) -> None:
    note = note_of(5).with_signatures(*note_of(5, signer=STRANGER).signatures)
    assert witness.answer(bytes(AddCheckpointRequest(0, (), note)), now=NOW).status == OK


def test_each_log_has_a_memory_of_its_own(memory: FolderMemory) -> None:
    other = Signer("example.org/table-2", KeyKind.LOG, b"O" * 32)
    logs = {signer.verifier.name: [signer.verifier] for signer in (LOG, other)}
    witness = Witness(WITNESS, logs, memory)
    assert witness.answer(request(0, 5), now=NOW).status == OK
    note = note_of(9, REWRITTEN, other, "example.org/table-2")
    assert witness.answer(bytes(AddCheckpointRequest(0, (), note)), now=NOW).status == OK
    assert size_kept(memory) == 5


# ------------------------------------------------------------------------------------------ it refuses


def test_it_never_goes_back(witness: Witness, memory: FolderMemory) -> None:
    assert witness.answer(request(0, 9), now=NOW).status == OK
    for old, size in ((0, 5), (5, 8), (0, 0), (8, 9), (0, 9), (0, 12), (8, 20), (10, 20)):
        answer = witness.answer(request(old, size), now=NOW)
        assert (answer.status, answer.known_size) == (CONFLICT, 9), (old, size)
        assert size_kept(memory) == 9
    assert witness.answer(request(9, 12), now=NOW).status == OK


def test_another_root_at_the_same_size_is_refused_and_both_are_kept(witness: Witness, memory: FolderMemory) -> None:
    witness.answer(request(0, 9), now=NOW)
    for old in (9, 0, 5):
        answer = witness.answer(bytes(AddCheckpointRequest(old, (), note_of(9, REWRITTEN))), now=NOW)
        assert (answer.status, answer.known_size) == (CONFLICT, 9)
    assert size_kept(memory) == 9
    assert memory.last_cosigned("example.org/table-1") is not None
    (path,) = accusations(memory)
    evidence = msgspec.json.decode(path.read_bytes(), type=Evidence)
    assert (evidence.kind, evidence.times) == ("two roots at one size", 3)
    pair = [open_checkpoint(text.encode(), [LOG.verifier]) for text in (evidence.cosigned, evidence.shown)]
    assert [each.size for each in pair] == [9, 9]
    assert [each.root for each in pair] == [HONEST.root(9), REWRITTEN.root(9)]


def test_a_rewritten_log_is_refused_whatever_it_proves(witness: Witness, memory: FolderMemory) -> None:
    witness.answer(request(0, 9), now=NOW)
    proofs = [REWRITTEN.prove_consistency(9, 15), HONEST.prove_consistency(9, 15), (), (HONEST.root(9),)]
    for proof in proofs:
        answer = witness.answer(bytes(AddCheckpointRequest(9, proof, note_of(15, REWRITTEN))), now=NOW)
        assert answer.status == WRONG_PROOF
    assert size_kept(memory) == 9
    (path,) = accusations(memory)
    evidence = msgspec.json.decode(path.read_bytes(), type=Evidence)
    assert (evidence.kind, evidence.times) == ("other records before the growth", 1), "one proof led to its own root"
    old, new = (open_checkpoint(text.encode(), [LOG.verifier]) for text in (evidence.cosigned, evidence.shown))
    shown = [from_base64(row) or b"" for row in evidence.proof]
    assert contradicts(new.root, size=new.size, old_root=old.root, old_size=old.size, proof=shown), "anybody can check"
    assert witness.answer(request(9, 15), now=NOW).status == OK, "the honest log goes on"


@pytest.mark.parametrize("known", [8, 9])
def test_an_honest_checkpoint_with_a_proof_of_nothing_accuses_nobody(
    witness: Witness, memory: FolderMemory, known: int
) -> None:
    """Whoever can write into the folder can add what the log has signed, beside any hashes."""
    witness.answer(request(0, known), now=NOW)
    right = HONEST.prove_consistency(known, 15)
    spoiled = [(*right[:at], bytes([at]) * 32, *right[at + 1 :]) for at in range(len(right))]
    tried = {*spoiled, (), right[1:], right[::-1], (*right, bytes(32)), REWRITTEN.prove_consistency(known, 15)}
    for proof in tried - {right}:
        assert witness.answer(bytes(AddCheckpointRequest(known, proof, note_of(15))), now=NOW).status == WRONG_PROOF
    assert not accusations(memory)
    assert sorted(path.suffix for path in Path(memory._folder).iterdir()) == [".checkpoint"]


def test_of_a_log_that_never_stops_lying_the_first_of_each_kind_is_kept_and_a_count(
    witness: Witness, memory: FolderMemory
) -> None:
    witness.answer(request(0, 9), now=NOW)
    for number in range(12):
        other = Log([*ENTRIES[:3], b"story %d" % number, *ENTRIES[4:]])
        witness.answer(bytes(AddCheckpointRequest(9, (), note_of(9, other))), now=NOW)
        witness.answer(request(9, 15, other), now=NOW)
    found = [msgspec.json.decode(path.read_bytes(), type=Evidence) for path in accusations(memory)]
    assert [(each.kind, each.times) for each in found] == [
        ("other records before the growth", 12),
        ("two roots at one size", 12),
    ]
    first = Log([*ENTRIES[:3], b"story 0", *ENTRIES[4:]])
    assert [read_checkpoint(read_note(each.shown.encode())).root for each in found] == [first.root(15), first.root(9)]


def test_evidence_that_cannot_be_read_is_not_overwritten(witness: Witness, memory: FolderMemory) -> None:
    witness.answer(request(0, 9), now=NOW)
    forked = bytes(AddCheckpointRequest(9, (), note_of(9, REWRITTEN)))
    witness.answer(forked, now=NOW)
    (path,) = accusations(memory)
    path.write_bytes(b"{")
    with pytest.raises(UnreadableMemory, match="the evidence against a log cannot be read"):
        witness.answer(forked, now=NOW)
    assert path.read_bytes() == b"{"


def test_a_proof_that_is_wrong_is_refused(witness: Witness) -> None:
    witness.answer(request(0, 9), now=NOW)
    right = HONEST.prove_consistency(9, 15)
    for proof in (right[1:], right[::-1], (*right, right[0]), (bytes(32), *right[1:])):
        assert witness.answer(bytes(AddCheckpointRequest(9, proof, note_of(15))), now=NOW).status == WRONG_PROOF
    assert witness.answer(bytes(AddCheckpointRequest(9, right[:1], note_of(9))), now=NOW).status == WRONG_PROOF, (
        "none is needed"
    )


def test_from_nothing_no_proof_is_taken(witness: Witness, memory: FolderMemory) -> None:
    assert witness.answer(bytes(AddCheckpointRequest(0, (bytes(32),), note_of(5))), now=NOW).status == WRONG_PROOF
    assert size_kept(memory) is None
    assert not accusations(memory), "nothing was cosigned with which this could be compared"


def test_a_log_that_is_not_watched_is_unknown(witness: Witness) -> None:
    note = note_of(5, origin="example.org/table-2")
    assert witness.answer(bytes(AddCheckpointRequest(0, (), note)), now=NOW).status == UNKNOWN_LOG


def test_a_checkpoint_by_another_key_is_refused_before_anything_is_kept(witness: Witness, memory: FolderMemory) -> None:
    witness.answer(request(0, 5), now=NOW)
    note = note_of(5)
    spoiled = SignedNote(note_of(5, REWRITTEN).text, note.signatures)
    for wrong in (note_of(9, signer=STRANGER), note_of(5, REWRITTEN, STRANGER), spoiled):
        assert witness.answer(bytes(AddCheckpointRequest(5, (), wrong)), now=NOW).status == WRONG_KEY
    assert size_kept(memory) == 5
    assert not accusations(memory), "a stranger cannot accuse a log"


def test_an_old_size_above_the_checkpoint_is_unreadable(witness: Witness) -> None:
    assert witness.answer(bytes(AddCheckpointRequest(6, (), note_of(5))), now=NOW).status == UNREADABLE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"old 20852014", b"old 020852014"),
        (b"old 20852014", b"old -1"),
        (b"old 20852014", b"20852014"),
        (b"old 20852014\n", b""),
        (b"kaw=", b"ka="),
        (b"\n\nexample", b"\nexample"),
        (b"\n\nexample", b"\n\n\nexample"),
        (b"20852163", b"20852163x"),
        (b"CsUYap", b"CsUY"),
        (b"old", b"\xff"),
        (b"old 20852014\n", b"old 20852014\n" + b"PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n" * 60),
    ],
)
def test_what_is_no_request(witness: Witness, old: bytes, new: bytes) -> None:
    assert witness.answer(REQUEST, now=NOW).status == UNKNOWN_LOG, "it can be read"
    assert witness.answer(REQUEST.replace(old, new, 1), now=NOW).status == UNREADABLE


@given(st.binary(max_size=300))
def test_any_bytes_are_answered(data: bytes) -> None:
    class Nothing:
        def last_cosigned(self, origin: str) -> SignedNote | None:
            raise AssertionError(origin)

        def keep(self, origin: str, note: SignedNote) -> None:
            raise AssertionError(origin, note)

        def accuse(self, origin: str, evidence: Evidence) -> None:
            raise AssertionError(origin, evidence)

        def newest_name(self, origin: str) -> str:
            return origin

        def admit(self, origin: str, successor: str) -> None:
            raise AssertionError(origin, successor)

        def distrust(self, origin: str, note: SignedNote) -> None:
            raise AssertionError(origin, note)

    witness = Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, Nothing())
    for tried in (data, b"old 0\n\n" + data, data + request(0, 5)):
        if tried != request(0, 5):
            answer = witness.answer(tried, now=NOW)
            assert answer.status in (UNREADABLE, UNKNOWN_LOG, WRONG_KEY)
            assert read_answer(bytes(answer)) == answer


@pytest.mark.parametrize(
    "data", [b"", b"200 OK", b"200\n\nx\n", b"200 OK\n\nx", b"500 Oh\n\nx\n", b"\xff", b"0200 OK\n\nx\n"]
)
def test_what_is_no_answer(data: bytes) -> None:
    with pytest.raises(UnreadableNote):
        read_answer(data)


def test_a_witness_does_not_sign_with_the_key_of_a_log(memory: FolderMemory) -> None:
    with pytest.raises(ValueError, match="the key of a log"):
        Witness(LOG, {}, memory)


def test_a_key_of_another_kind_has_another_id() -> None:
    """A log's key does not pass for a witness's, even where both have the same name and the same bytes."""
    log = LOG.verifier
    witness = Verifier(log.name, KeyKind.WITNESS, log.public)
    assert log.id != witness.id
    assert Verifier.parse(str(witness)) == witness
    with pytest.raises(UnreadableKey, match="does not belong"):
        Verifier.parse(str(witness).replace(witness.id.hex(), log.id.hex()))
