"""Checkpoints as signed notes, and the proofs that rest on them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.record.checkpoint import (
    Checkpoint,
    LogChanged,
    Relation,
    checkpoint_of,
    compare_checkpoints,
    open_checkpoint,
    sign_checkpoint,
)
from baccarat.record.encoding import to_base64
from baccarat.record.log import EMPTY_ROOT, Log
from baccarat.record.note import UnreadableNote, UntrustedNote, sign_note
from baccarat.record.tlog_proof import EntryProof, read_proof
from note_vector import LOG, VERIFIERS

pytestmark = pytest.mark.slow


ENTRIES = [b"entry %d" % number for number in range(24)]


# ------------------------------------------------------------------------------------------ checkpoints


def test_a_checkpoint_is_signed_and_opened() -> None:
    checkpoint = Checkpoint(origin="example.org/table-1", size=7, root=bytes(32), extensions=("more", "lines"))
    note = sign_checkpoint(checkpoint, LOG)
    assert note.text == f"example.org/table-1\n7\n{'A' * 43}=\nmore\nlines\n"
    assert open_checkpoint(bytes(note), [LOG.verifier], origin="example.org/table-1") == checkpoint
    with pytest.raises(UnreadableNote, match=r"expected one of example\.org/table-2"):
        open_checkpoint(bytes(note), [LOG.verifier], origin="example.org/table-2")
    with pytest.raises(UntrustedNote, match=r"expected Señor\+95714c31"):
        open_checkpoint(bytes(note), [VERIFIERS[1]])


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("o\n1\n", "expected lines"),
        ("\n1\nROOT\n", "expected lines"),
        ("o\n1\nROOT\n\nx\n", "expected lines"),
        ("o\n01\nROOT\n", "the size of the log"),
        ("o\n-1\nROOT\n", "the size of the log"),
        ("o\n1 \nROOT\n", "the size of the log"),
        ("o\n1e3\nROOT\n", "the size of the log"),
        (f"o\n{2**63}\nROOT\n", "the size of the log"),
        ("o\n1\nROO\n", "32 bytes in base64"),
        ("o\n1\nAAAA\n", "32 bytes in base64"),
        ("o\n0\nROOT\n", "not the root of a log without entries"),
    ],
)
def test_what_is_no_checkpoint(text: str, say: str) -> None:
    note = sign_note(text.replace("ROOT", to_base64(bytes(32))), LOG)
    with pytest.raises(UnreadableNote, match=say):
        open_checkpoint(bytes(note), [LOG.verifier])


@pytest.mark.parametrize("origin", ["", "a\nb", "a\tb"])
def test_a_checkpoint_that_would_be_read_otherwise_is_not_signed(origin: str) -> None:
    with pytest.raises(ValueError, match=r"this checkpoint|text of a note|not a checkpoint|the size"):
        sign_checkpoint(Checkpoint(origin=origin, size=7, root=bytes(32)), LOG)


def test_checkpoints_are_compared() -> None:
    one = Checkpoint(origin="o", size=7, root=bytes(32))
    assert compare_checkpoints(one, one) is Relation.SAME
    assert compare_checkpoints(Checkpoint(origin="o", size=8, root=bytes(32)), one) is Relation.LARGER
    assert compare_checkpoints(Checkpoint(origin="o", size=6, root=bytes(32)), one) is Relation.SMALLER
    assert compare_checkpoints(Checkpoint(origin="o", size=7, root=EMPTY_ROOT), one) is Relation.FORKED
    assert compare_checkpoints(Checkpoint(origin="p", size=7, root=EMPTY_ROOT), one) is Relation.OTHER_LOG


ROUNDS = (0, 5, 9, 9, 17, 24)
"""The sizes at which checkpoints were signed."""


SEEN = [checkpoint_of("o", ENTRIES[:size]) for size in ROUNDS]


def changed_between(entries: list[bytes]) -> tuple[int, int]:
    """Between which checkpoints entries were changed."""
    with pytest.raises(LogChanged) as caught:
        checkpoint_of("o", entries, seen=SEEN)
    return caught.value.held, caught.value.size


def around(index: int) -> tuple[int, int]:
    """The checkpoints before and after an entry."""
    return max(size for size in ROUNDS if size <= index), min(size for size in ROUNDS if size > index)


def test_a_checkpoint_is_made_only_if_those_before_still_fit() -> None:
    assert checkpoint_of("o", ENTRIES, seen=SEEN) == SEEN[-1]
    assert checkpoint_of("o", [*ENTRIES, b"more"], seen=SEEN[::-1]).size == 25
    with pytest.raises(LogChanged, match="the first 0 still are") as caught:
        checkpoint_of("o", [b"changed", *ENTRIES[1:]], seen=SEEN[1:])
    assert (caught.value.held, caught.value.size) == (0, 5)
    with pytest.raises(LogChanged, match="there are 11 entries, and there were 17 before"):
        checkpoint_of("o", ENTRIES[:11], seen=SEEN)
    with pytest.raises(
        LogChanged, match="the first 9 entries are not those that were there before, the first 5 still are"
    ):
        checkpoint_of("o", [*ENTRIES[:7], b"changed", *ENTRIES[8:]], seen=SEEN)


@pytest.mark.parametrize("index", range(0, len(ENTRIES), 2))
def test_every_flipped_bit_is_found_between_its_checkpoints(index: int) -> None:
    entry = ENTRIES[index]
    for bit in range(len(entry) * 8):
        flipped = bytearray(entry)
        flipped[bit // 8] ^= 1 << bit % 8
        assert changed_between([*ENTRIES[:index], bytes(flipped), *ENTRIES[index + 1 :]]) == around(index)


@pytest.mark.parametrize("size", range(len(ENTRIES)))
def test_every_truncation_is_found(size: int) -> None:
    assert changed_between(ENTRIES[:size]) == around(size)
    for kept in range(len(ENTRIES[size])):
        assert changed_between([*ENTRIES[:size], ENTRIES[size][:kept]]) == around(size)


def test_deletions_insertions_swaps_and_rewrites_are_found_between_their_checkpoints() -> None:
    chance = random.Random(9)
    for _ in range(1000):
        first, second = sorted(chance.sample(range(len(ENTRIES)), 2))
        other = chance.randbytes(8)
        for changed in (
            [*ENTRIES[:first], *ENTRIES[first + 1 :], *[b"more"] * chance.randrange(3)],
            [*ENTRIES[:first], other, *ENTRIES[first:]],
            [*ENTRIES[:first], ENTRIES[second], *ENTRIES[first + 1 : second], ENTRIES[first], *ENTRIES[second + 1 :]],
            [*ENTRIES[:first], *(each + other for each in ENTRIES[first:])],
        ):
            assert changed_between(changed) == around(first)


# ------------------------------------------------------------------------------------ proofs as a text


def proved() -> tuple[list[bytes], EntryProof]:
    entries = [b"entry %d" % number for number in range(12)]
    log = Log(entries)
    note = sign_checkpoint(Checkpoint(origin="o", size=12, root=log.root()), LOG)
    return entries, EntryProof(5, log.prove_inclusion(5), note)


def test_the_proof_of_an_entry_is_one_text() -> None:
    entries, proof = proved()
    data = bytes(proof)
    assert data.startswith(b"c2sp.org/tlog-proof@v1\nindex 5\n")
    assert read_proof(data) == proof
    assert [proof.shows(entry) for entry in entries] == [number == 5 for number in range(12)]
    with_extra = data.replace(b"index", b"extra AAAA\nindex")
    assert read_proof(with_extra) == proof


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"@v1", b"@v2"),
        (b"index 5\n", b""),
        (b"index 5\n", b"index 05\n"),
        (b"index 5\n", b"5\n"),
        (b"index 5\n", b"index 5\nextra AAAA\n"),
        (b"index 5\n", b"extra A\nindex 5\n"),
        (b"index 5\n", b"index 5\nAAAA\n"),
        (b"index 5\n", b"index 5\n" + b"A" * 43 * 64 + b"=\n"),
        (b"\n\n", b"\n\n\n"),
        ("—".encode(), b"-"),
        (b"index", b"\xff"),
    ],
)
def test_what_is_no_proof_of_an_entry(old: bytes, new: bytes) -> None:
    _, proof = proved()
    with pytest.raises(UnreadableNote):
        read_proof(bytes(proof).replace(old, new, 1))


def test_a_proof_has_at_most_63_hashes_and_an_index() -> None:
    _, proof = proved()
    longest = EntryProof(5, (bytes(32),) * 63, proof.note)
    assert read_proof(bytes(longest)) == longest
    with pytest.raises(UnreadableNote, match="at most 63 hashes"):
        read_proof(bytes(EntryProof(5, (bytes(32),) * 64, proof.note)))
    with pytest.raises(UnreadableNote, match="the index of the entry is missing"):
        read_proof(b"c2sp.org/tlog-proof@v1\nextra AAAA\n\n" + bytes(proof.note))


@given(st.binary(max_size=100))
def test_any_bytes_are_refused_as_a_proof(data: bytes) -> None:
    with pytest.raises(UnreadableNote):
        read_proof(b"c2sp.org/tlog-proof@v1\n" + data)
