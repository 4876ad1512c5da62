"""A shoe of as many decks as a Submission may file is no forgery to any verifier."""

from __future__ import annotations

import re
from typing import Any

import pytest

from baccarat.audit.bundle.published_table import PublishedTable
from baccarat.law.submission import MOST_DECKS
from paths import ROOT


def committed(decks: int) -> dict[str, Any]:
    """The event by which a shoe commits to its seed."""
    return {
        "event": "shoe_committed", "table": "1", "shoe": "0", "rulebook": "0" * 64, "decks": decks,
        "commitment": "ab" * 32, "cites": [],
    }  # fmt: skip


@pytest.mark.parametrize(("decks", "is_lawful"), [(0, False), (1, True), (60, True), (1000, True), (1001, False)])
def test_a_shoe_has_as_many_decks_as_may_be_filed(decks: int, is_lawful: bool) -> None:
    shoes = PublishedTable("1")
    shoes.add_record(1, None, [committed(decks)])
    assert (not list(shoes.all_faults())) is is_lawful


@pytest.mark.parametrize(
    ("file", "constant"),
    [
        ("verifier/verify_baccarat.py", r"^DECKS = (\d+) "),
        ("src/baccarat/serve/page/js/verify_baccarat.mjs", r"^const MOST_DECKS = (\d+);"),
    ],
)
def test_the_small_verifiers_have_the_same_bound(file: str, constant: str) -> None:
    (found,) = re.findall(constant, (ROOT / file).read_text(), re.MULTILINE)
    assert int(found) == MOST_DECKS == 1000
