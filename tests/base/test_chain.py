"""Trees of hashes: the examples of RFC 6962's reference log, every proof of every small tree, what no proof is."""

from __future__ import annotations

import hashlib

import pytest

from baccarat.chain import Tree, leaf_hash, node_hash, path, root, root_from

ENTRIES = tuple(
    bytes.fromhex(each)
    for each in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
)
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The roots over the first none, one, two … of the entries, as the reference log publishes them."""


@pytest.mark.parametrize("size", range(len(ROOTS)))
def test_roots_are_those_of_the_reference_log(size: int) -> None:
    assert root([leaf_hash(each) for each in ENTRIES[:size]]).hex() == ROOTS[size]


def test_entries_and_nodes_are_hashed_apart() -> None:
    assert leaf_hash(b"ab") == hashlib.sha256(b"\x00ab").digest()
    assert node_hash(b"a", b"b") == hashlib.sha256(b"\x01ab").digest()


def test_a_proof_of_the_reference_log() -> None:
    leaves = [leaf_hash(each) for each in ENTRIES]
    assert [each.hex() for each in path(leaves, 5)] == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@pytest.mark.parametrize("size", range(1, 20))
def test_every_proof_leads_to_the_root_and_to_no_other_place(size: int) -> None:
    leaves = [leaf_hash(bytes([number])) for number in range(size)]
    whole = root(leaves)
    for index, leaf in enumerate(leaves):
        proof = path(leaves, index)
        assert root_from(leaf, index=index, size=size, proof=proof) == whole
        for other in range(size):
            if other != index:
                assert root_from(leaf, index=other, size=size, proof=proof) != whole, "a proof is of one place only"
        assert root_from(leaf, index=index, size=size, proof=(*proof, leaf)) is None, "too long"
        if proof:
            assert root_from(leaf, index=index, size=size, proof=proof[1:]) is None, "too short"


@pytest.mark.parametrize("index", [-1, 3, 4, 2**40])
def test_no_place_outside_the_tree_has_a_proof(index: int) -> None:
    leaves = [leaf_hash(bytes([number])) for number in range(3)]
    with pytest.raises(ValueError, match=f"no entry {index} in a tree of 3"):
        path(leaves, index)
    assert root_from(leaves[0], index=index, size=3, proof=path(leaves, 0)) is None


def test_an_empty_tree_has_no_entry() -> None:
    with pytest.raises(ValueError, match="no entry 0 in a tree of 0"):
        path([], 0)
    assert root_from(leaf_hash(b""), index=0, size=0, proof=()) is None


@pytest.mark.parametrize("size", [*range(1, 18), 31, 32, 33, 312, 416])
@pytest.mark.slow
def test_a_kept_tree_gives_the_same_root_and_the_same_proofs(size: int) -> None:
    leaves = [leaf_hash(number.to_bytes(2, "big")) for number in range(size)]
    tree = Tree(leaves)
    assert (len(tree), tree.root) == (size, root(leaves))
    for index in range(size):
        assert tree.path(index) == path(leaves, index)
    for outside in (-1, size, size + 1):
        with pytest.raises(ValueError, match="no entry"):
            tree.path(outside)


def test_a_kept_tree_of_nothing_is_the_hash_of_nothing() -> None:
    assert Tree([]).root == root([])
    with pytest.raises(ValueError, match="no entry"):
        Tree([]).path(0)
