"""Logs that grow: the reference log's roots and proofs, every pair of sizes up to 64, and whatever is no proof."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat import chain
from baccarat.record.encoding import from_base64
from baccarat.record.log import EMPTY_ROOT, Frontier, Log, contradicts, extends, includes
from paths import ROOT

pytestmark = pytest.mark.slow

MOST = 64
ENTRIES = [b"entry %d" % number for number in range(MOST + 1)]
LOG = Log(ENTRIES)
ROOTS = [LOG.root(size) for size in range(MOST + 2)]
VECTORS: dict[str, Any] = msgspec.json.decode((ROOT / "tests" / "data" / "log" / "vectors.json").read_bytes())

REFERENCE = [
    bytes.fromhex(each)
    for each in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
"""The entries of the reference log of Certificate Transparency; its roots are in test_chain.py."""
REFERENCE_GROWTH = {
    (1, 1): (),
    (1, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (6, 8): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 5): (
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
    (6, 7): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
}
"""Consistency proofs of the reference log, as its tests publish them."""
REFERENCE_PATHS = {
    (0, 1): (),
    (0, 8): REFERENCE_GROWTH[1, 8],
    (5, 8): (
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 3): ("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",),
    (1, 5): (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}
"""Inclusion proofs of the reference log: index and size."""


def holds(index: int, size: int, proof: tuple[bytes, ...]) -> bool:
    return includes(ROOTS[size], size=size, entry=ENTRIES[index], index=index, proof=proof)


def follows(old: int, size: int, proof: tuple[bytes, ...]) -> bool:
    return extends(ROOTS[size], size=size, old_root=ROOTS[old], old_size=old, proof=proof)


def spoiled(proof: tuple[bytes, ...]) -> Iterator[tuple[bytes, ...]]:
    """A proof with one bit changed in each hash, one hash more or less, two changed over, one of another length."""
    for at, each in enumerate(proof):
        yield (*proof[:at], bytes([each[0] ^ 1]) + each[1:], *proof[at + 1 :])
        yield (*proof[:at], each[:-1] + bytes([each[-1] ^ 128]), *proof[at + 1 :])
        yield (*proof[:at], *proof[at + 1 :])
        yield (*proof[:at], each, *proof[at:])
        yield (*proof[:at], each[:-1], *proof[at + 1 :])
        yield (*proof[:at], each + b"\0", *proof[at + 1 :])
        yield from ((*proof[:at], proof[at + 1], each, *proof[at + 2 :]) for _ in range(at + 1 < len(proof)))
    yield (*proof, EMPTY_ROOT)
    yield (EMPTY_ROOT, *proof)


# ------------------------------------------------------------------------- what others publish


@pytest.mark.parametrize(("index", "size"), REFERENCE_PATHS)
def test_inclusion_proofs_are_those_of_the_reference_log(index: int, size: int) -> None:
    proof = Log(REFERENCE).prove_inclusion(index, size)
    assert tuple(each.hex() for each in proof) == REFERENCE_PATHS[index, size]


@pytest.mark.parametrize(("old", "size"), REFERENCE_GROWTH)
def test_consistency_proofs_are_those_of_the_reference_log(old: int, size: int) -> None:
    proof = Log(REFERENCE).prove_consistency(old, size)
    assert tuple(each.hex() for each in proof) == REFERENCE_GROWTH[old, size]


def test_a_program_of_others_makes_the_same_roots_and_judges_proofs_alike() -> None:
    """golang.org/x/mod/sumdb/tlog made these; half of the proofs it spoiled first."""
    roots = [from_base64(each) or b"" for each in VECTORS["roots"]]
    entries = [b"entry %d" % number for number in range(len(roots) - 1)]
    log = Log(entries)
    assert [log.root(size) for size in range(1, len(roots))] == roots[1:], "for no entry that version has zeros"
    for case in VECTORS["records"]:
        proof = tuple(from_base64(each) or b"" for each in case["Proof"] or ())
        assert (proof == log.prove_inclusion(case["Index"], case["Size"])) is case["Right"]
        answer = includes(
            roots[case["Size"]], size=case["Size"], entry=entries[case["Index"]], index=case["Index"], proof=proof
        )
        assert answer is case["Right"], case
    for case in VECTORS["growths"]:
        proof = tuple(from_base64(each) or b"" for each in case["Proof"] or ())
        old, size = case["Old"], case["Size"]
        assert (proof == log.prove_consistency(old, size)) is case["Right"]
        answer = extends(roots[size], size=size, old_root=roots[old], old_size=old, proof=proof)
        assert answer is case["Right"], case
    assert {case["Right"] for case in (*VECTORS["records"], *VECTORS["growths"])} == {True, False}


# --------------------------------------------------------------------- every pair of sizes up to 64


def test_roots_are_those_of_the_tree_that_is_built_at_once() -> None:
    frontier, leaves = Frontier(), [chain.leaf_hash(each) for each in ENTRIES]
    for size, entry in enumerate(ENTRIES):
        assert LOG.root(size) == frontier.root() == chain.root(leaves[:size])
        assert frontier.size == size
        frontier.append(entry)
    assert LOG.root() == frontier.root() == chain.root(leaves)


SIZES = [*range(1, 20), *(pytest.param(size, marks=pytest.mark.slow) for size in range(20, MOST + 1))]
"""Each takes a fifth of a second at most; together they are slow."""


@pytest.mark.parametrize("size", SIZES)
def test_every_entry_is_proved_and_nothing_else_is(size: int) -> None:
    leaves = [chain.leaf_hash(each) for each in ENTRIES[:size]]
    for index in range(size):
        proof = LOG.prove_inclusion(index, size)
        assert proof == chain.path(leaves, index)
        assert holds(index, size, proof)
        assert chain.root_from(leaves[index], index=index, size=size, proof=proof) == ROOTS[size]
        assert not any(holds(index, size, other) for other in spoiled(proof)), "a changed proof"
        for other in {0, size - 1, index - 1, index + 1, size, -1, index ^ 1} - {index}:
            found = includes(ROOTS[size], size=size, entry=ENTRIES[index], index=other, proof=proof)
            assert not found, "a proof is of one index only"
        for other in {*range(MOST + 2)} - {size}:
            found = includes(ROOTS[other], size=other, entry=ENTRIES[index], index=index, proof=proof)
            assert not found, "a proof is of one checkpoint only"
        for other in (0, -size, 2**64, 4 * size):
            assert not includes(ROOTS[size], size=other, entry=ENTRIES[index], index=index, proof=proof)
        assert not includes(ROOTS[size - 1], size=size, entry=ENTRIES[index], index=index, proof=proof)
        assert not includes(ROOTS[size], size=size, entry=ENTRIES[index] + b"x", index=index, proof=proof)


@pytest.mark.parametrize("size", [0, *SIZES])
def test_growth_from_every_size_is_proved_and_nothing_else_is(size: int) -> None:
    for old in range(size + 1):
        proof = LOG.prove_consistency(old, size)
        assert follows(old, size, proof)
        assert not any(follows(old, size, other) for other in spoiled(proof)), "a changed proof"
        another = chain.leaf_hash(b"another log")
        if old:
            assert not extends(ROOTS[size], size=size, old_root=another, old_size=old, proof=proof)
        if old or not size:
            assert not extends(another, size=size, old_root=ROOTS[old], old_size=old, proof=proof)
        assert old == size or not follows(size, old, proof), "a log does not shrink"
        if 0 < old < size:
            for other in range(1, size):
                assert other == old or not follows(other, size, proof), "a proof is from one size only"
            for other in {*range(MOST + 2)} - {size}:
                assert not follows(old, other, proof), "a proof is to one checkpoint only"
            for other in (0, -size, 2**64, 4 * size):
                assert not extends(ROOTS[size], size=other, old_root=ROOTS[old], old_size=old, proof=proof)


@pytest.mark.parametrize("changed", range(9))
def test_a_log_with_one_entry_changed_does_not_extend_the_old_one(changed: int) -> None:
    entries = [*ENTRIES[:changed], b"changed", *ENTRIES[changed + 1 : 20]]
    other = Log(entries)
    for old in range(changed + 1, 20):
        proof = other.prove_consistency(old, 20)
        assert extends(other.root(20), size=20, old_root=other.root(old), old_size=old, proof=proof)
        assert not extends(other.root(20), size=20, old_root=ROOTS[old], old_size=old, proof=proof)


@pytest.mark.parametrize("changed", [0, 6, 15, 18])
def test_a_changed_log_proves_against_itself_where_its_old_root_is_in_the_proof(changed: int) -> None:
    other = Log([*ENTRIES[:changed], b"changed", *ENTRIES[changed + 1 : 20]])
    for old in range(21):
        proof = other.prove_consistency(old, 20)
        shown = contradicts(other.root(20), size=20, old_root=ROOTS[old], old_size=old, proof=proof)
        assert shown is (changed < old < 20 and old.bit_count() > 1), old
        assert not contradicts(other.root(20), size=20, old_root=other.root(old), old_size=old, proof=proof)
        assert not contradicts(ROOTS[20], size=20, old_root=ROOTS[old], old_size=old, proof=proof), "of another root"


@pytest.mark.parametrize("old", [1, 2, 4, 8, 16])
def test_no_proof_from_a_power_of_two_shows_anything_though_its_old_root_is_added(old: int) -> None:
    other = Log([b"changed", *ENTRIES[1:20]])
    proof = [other.root(old), *other.prove_consistency(old, 20)]
    assert not contradicts(other.root(20), size=20, old_root=ROOTS[old], old_size=old, proof=proof)


@given(
    st.integers(0, 20), st.lists(st.sampled_from([bytes(32), *ROOTS[:9], *LOG.prove_consistency(11, 20)]), max_size=7)
)
def test_nobody_proves_against_a_log_that_kept_what_it_had(old: int, proof: list[bytes]) -> None:
    assert not contradicts(ROOTS[20], size=20, old_root=ROOTS[old], old_size=old, proof=proof)


def test_every_other_order_of_a_proof_fails() -> None:
    proof = LOG.prove_consistency(21, 50)
    assert len(set(proof)) == len(proof) == 7
    assert sum(follows(21, 50, other) for other in permutations(proof)) == 1
    proof = LOG.prove_inclusion(21, 50)
    assert sum(holds(21, 50, other) for other in permutations(proof)) == 1


# --------------------------------------------------------------------------------- whatever comes in


@given(
    st.integers(-3, 70),
    st.integers(-3, 2**70),
    st.lists(st.binary(max_size=40) | st.sampled_from(ROOTS), max_size=70),
    st.sampled_from(ROOTS) | st.binary(max_size=33),
)
def test_verifying_is_total(index: int, size: int, proof: list[bytes], root: bytes) -> None:
    assert includes(root, size=size, entry=b"", index=index, proof=proof) is False
    if index > 0 and index != size:
        assert extends(root, size=size, old_root=ROOTS[1], old_size=index, proof=proof) is False


@given(st.integers(1, MOST), st.data())
def test_any_byte_of_a_proof_counts(size: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, size))
    index = data.draw(st.integers(0, size - 1))
    grown, path = LOG.prove_consistency(old, size), LOG.prove_inclusion(index, size)
    if grown:
        assert not follows(old, size, changed_byte(grown, data))
    if path:
        assert not holds(index, size, changed_byte(path, data))


def changed_byte(proof: tuple[bytes, ...], data: st.DataObject) -> tuple[bytes, ...]:
    whole = bytearray(b"".join(proof))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    return tuple(bytes(whole[at : at + 32]) for at in range(0, len(whole), 32))


@pytest.mark.parametrize(("index", "size"), [(-1, 5), (5, 5), (0, 0), (3, 2)])
def test_no_entry_outside_the_log_has_a_proof(index: int, size: int) -> None:
    with pytest.raises(ValueError, match=f"no entry {index} in a log of {size}"):
        LOG.prove_inclusion(index, size)


def test_no_proof_reaches_beyond_the_log() -> None:
    with pytest.raises(ValueError, match="the log has 65 entries, not 66"):
        LOG.prove_inclusion(3, 66)
    with pytest.raises(ValueError, match="the log has 65 entries, not -1"):
        LOG.root(-1)
    with pytest.raises(ValueError, match="a log of 4 entries does not follow one of 5"):
        LOG.prove_consistency(5, 4)
    with pytest.raises(ValueError, match="does not follow one of -1"):
        LOG.prove_consistency(-1, 4)


def test_every_log_follows_the_empty_one_and_the_empty_one_only_itself() -> None:
    assert follows(0, 0, ())
    assert follows(0, 7, ())
    assert not follows(0, 7, (ROOTS[7],)), "no proof is needed, and none is taken"
    assert not extends(ROOTS[7], size=7, old_root=ROOTS[1], old_size=0, proof=()), "the empty log has one root"
    assert not extends(ROOTS[1], size=0, old_root=ROOTS[1], old_size=0, proof=())
    assert not extends(ROOTS[1], size=0, old_root=EMPTY_ROOT, old_size=0, proof=())


def test_an_entry_is_not_taken_for_a_pair_of_hashes() -> None:
    """Without the byte that keeps them apart, two hashes shown as one entry would be a second log of this root."""
    pair = chain.leaf_hash(ENTRIES[0]) + chain.leaf_hash(ENTRIES[1])
    assert Log([pair]).root() != ROOTS[2]
    assert not includes(ROOTS[2], size=1, entry=pair, index=0, proof=())


def test_a_log_that_is_begun_from_an_edge_proves_growth_from_there_as_the_whole_log_does() -> None:
    entries = [b"entry %d" % number for number in range(40)]
    whole = Log(entries)
    for first in range(1, 34):
        frontier = Frontier()
        for entry in entries[:first]:
            frontier.append(entry)
        log = Log.from_edge(first, frontier.edge)
        assert (log.first, log.size) == (first, first)
        for size in range(first, len(entries) + 1):
            assert log.size == size
            for old in range(first, size + 1):
                assert log.prove_consistency(old, size) == whole.prove_consistency(old, size)
            for index in range(first, size):
                assert log.prove_inclusion(index, size) == whole.prove_inclusion(index, size)
            assert log.root() == whole.root(size)
            if size < len(entries):
                log.append(entries[size])
    with pytest.raises(ValueError, match="nothing can be proved within them"):
        log.prove_inclusion(0)
