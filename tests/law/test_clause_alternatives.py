"""Each alternative of a clause is reached by a test that is named, or the list says why none can reach it."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from typing import NamedTuple

import pytest

from baccarat.law.clause import catalogue
from baccarat.law.coverage import clause_tests
from paths import DATA

NO_TEST_YET = "no test yet"
WITHOUT_A_TEST = 0
"""How many alternatives no test reaches. It may only fall."""


class Alternative(NamedTuple):
    """One way in which a clause applies, or one part of it, and the test that reaches it or the reason for none."""

    clause: str
    alternative: str
    shown_by: str

    @property
    def is_tested(self) -> bool:
        """Whether a test is named."""
        return self.shown_by.startswith("tests/")


def _listed() -> list[Alternative]:
    with (DATA / "clause_alternatives.csv").open(encoding="utf-8", newline="") as file:
        return [Alternative(**row) for row in csv.DictReader(file)]


LISTED = _listed()
TESTED = [each for each in LISTED if each.is_tested]


def _joined_by(words: str) -> set[str]:
    return {clause.id for clause in catalogue() if re.search(rf"\b(?:{words})\b", clause.requirement)}


@pytest.mark.parametrize("words", ["or|either|neither|whichever", "and|both"])
def test_every_clause_with_alternatives_or_parts_is_in_the_list(words: str) -> None:
    assert _joined_by(words) - {each.clause for each in LISTED} == set()


def test_the_list_names_clauses_of_the_catalogue_in_its_order_and_nothing_twice() -> None:
    order = {clause.id: place for place, clause in enumerate(catalogue())}
    assert [each.clause for each in LISTED if each.clause not in order] == []
    places = [order[each.clause] for each in LISTED]
    assert places == sorted(places)
    named = [(each.clause, each.alternative) for each in LISTED]
    assert len(named) == len(set(named))
    assert all(each.alternative.strip() for each in LISTED)


@pytest.mark.parametrize("clause", sorted({each.clause for each in TESTED}))
def test_a_test_that_is_named_exists_and_bears_the_clause(clause: str) -> None:
    named = {each.shown_by for each in TESTED if each.clause == clause}
    assert named - set(clause_tests()[clause]) == set()


def test_what_has_no_test_says_why() -> None:
    reasons = [each.shown_by for each in LISTED if not each.is_tested and each.shown_by != NO_TEST_YET]
    assert [each for each in reasons if not re.fullmatch(r"(physical|not recorded): .{10,}", each)] == []


def test_a_clause_that_nothing_records_has_no_other_alternatives() -> None:
    how: dict[str, set[bool]] = defaultdict(set)
    for each in LISTED:
        how[each.clause].add(each.shown_by.startswith("physical: "))
    assert [clause for clause, found in how.items() if len(found) > 1] == []


def test_alternatives_without_a_test_only_become_fewer() -> None:
    missing = [each for each in LISTED if each.shown_by == NO_TEST_YET]
    assert len(missing) == WITHOUT_A_TEST, missing
