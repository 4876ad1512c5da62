"""The proof that several entries stand in a log: exhaustive on small logs, and compared with proofs of one entry."""

from __future__ import annotations

from itertools import combinations

import pytest

from baccarat.record.log import Log, includes
from baccarat.record.subset_proof import prove_subset, subset_root

ENTRIES = [b"entry %d" % number for number in range(9)]


def test_every_subset_of_every_small_log_is_proved_and_nothing_else() -> None:
    for size in range(1, len(ENTRIES) + 1):
        log = Log(ENTRIES)
        for count in range(1, size + 1):
            for indexes in combinations(range(size), count):
                proof = prove_subset(log, indexes, size)
                found = {index: ENTRIES[index] for index in indexes}
                assert subset_root(found, size=size, proof=proof) == log.root(size)
                if count == size:
                    assert proof == ()
                forged = {**found, indexes[-1]: b"another"}
                assert subset_root(forged, size=size, proof=proof) != log.root(size)


@pytest.mark.parametrize("index", range(9))
def test_for_one_entry_it_has_the_hashes_of_the_inclusion_proof(index: int) -> None:
    log = Log(ENTRIES)
    proof = log.prove_inclusion(index)
    assert set(prove_subset(log, [index])) == set(proof)
    assert includes(log.root(), size=9, entry=ENTRIES[index], index=index, proof=proof)


def test_a_hash_too_many_or_too_few_is_no_proof() -> None:
    log = Log(ENTRIES)
    proof, found = prove_subset(log, [2, 5]), {2: ENTRIES[2], 5: ENTRIES[5]}
    assert subset_root(found, size=9, proof=proof) == log.root()
    assert subset_root(found, size=9, proof=proof[:-1]) is None
    assert subset_root(found, size=9, proof=(*proof, proof[0])) is None
    assert subset_root(found, size=9, proof=(proof[0][:-1], *proof[1:])) is None
    assert subset_root({}, size=9, proof=(log.root(),)) is None
    assert subset_root(found, size=5, proof=proof) is None
    assert subset_root({-1: b"", **found}, size=9, proof=proof) is None
    assert subset_root(found, size=2**70, proof=proof) is None


def test_indexes_that_do_not_rise_or_are_not_there_are_refused() -> None:
    log = Log(ENTRIES)
    for indexes in ([], [5, 2], [2, 2], [9], [-1]):
        with pytest.raises(ValueError, match="rising indexes"):
            prove_subset(log, indexes)
