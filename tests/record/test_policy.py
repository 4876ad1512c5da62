"""Whether enough witnesses have cosigned, whichever of them did."""

from __future__ import annotations

from itertools import combinations

import pytest

from baccarat.audit.coverage import CoverageCollector
from baccarat.audit.signature import Signers
from baccarat.record.key import KeyKind, Signer, Verifier
from baccarat.record.policy import Policy, policy_of_keys, read_policy

LOG = Signer("example.org/house/table/1", KeyKind.LOG, bytes([1]) * 32).verifier
WITNESSES = tuple(Signer(f"example.org/w{n}", KeyKind.WITNESS, bytes([n]) * 32).verifier for n in (2, 3, 4))
SUBSETS = [subset for count in range(4) for subset in combinations(WITNESSES, count)]


def policy(least: str) -> Policy:
    """A policy that requires some of three witnesses."""
    names = [f"witness w{n} {key}" for n, key in enumerate(WITNESSES)]
    return read_policy("\n".join([f"log {LOG}", *names, f"group enough {least} w0 w1 w2", "quorum enough"]))


@pytest.mark.parametrize("signed", SUBSETS)
@pytest.mark.parametrize(("least", "count"), [("any", 1), ("1", 1), ("2", 2), ("3", 3), ("all", 3)])
def test_any_witnesses_of_the_group_are_enough_if_they_are_as_many_as_it_requires(
    least: str, count: int, signed: tuple[Verifier, ...]
) -> None:
    enough = len(signed) >= count
    assert policy(least).is_met_by(signed) is enough
    assert policy(least).is_met_by(key for key in signed) is enough, "those that are counted while they are found"
    reach = CoverageCollector(policy(least))
    reach.add(10, Signers(logs=(LOG,), witnesses=tuple((key, 1) for key in signed)))
    assert (not reach.coverage("table 1", entries=10, decided=10, size=10).gaps) is enough


@pytest.mark.parametrize("signed", SUBSETS)
def test_a_reader_who_names_keys_one_by_one_requires_each_of_them(signed: tuple[Verifier, ...]) -> None:
    reach = CoverageCollector(policy_of_keys((LOG, *WITNESSES)))
    reach.add(10, Signers(logs=(LOG,), witnesses=tuple((key, 1) for key in signed)))
    assert (not reach.coverage("table 1", entries=10, decided=10, size=10).gaps) is (len(signed) == 3)


def test_entries_are_covered_as_far_as_enough_witnesses_have_cosigned_them() -> None:
    reach = CoverageCollector(policy("2"))
    for size, key in zip((10, 7, 4), WITNESSES, strict=True):
        reach.add(size, Signers(logs=(LOG,), witnesses=((key, 1),)))
    (gap,) = reach.coverage("table 1", entries=10, decided=10, size=10).gaps
    assert gap == "the last 3 of 10 entries are not cosigned by the witnesses that were asked for (3)"
