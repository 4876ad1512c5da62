"""Chips: every sum in the fewest, their colours apart, their values printed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.picture.chip import CHIPS, MOST_SHOWN, STEP, chip_face, chips, split, stack_picture
from baccarat.picture.svg import document
from picture_tree import check_picture, classed


@given(st.integers(0, 10_000_000))
def test_chips_make_up_every_sum_with_the_fewest(cents: int) -> None:
    found = split(cents)
    assert sum(chip.cents for chip in found) == cents
    assert [chip.cents for chip in found] == sorted((chip.cents for chip in found), reverse=True)
    worth = [chip.cents for chip in CHIPS]
    for chip, count in Counter(chip.cents for chip in found).items():
        if chip != worth[0]:
            assert chip * count < worth[worth.index(chip) - 1], "these would be one chip of the next kind"


def test_a_sum_without_end_makes_a_stack_of_its_most_valuable_chips_only() -> None:
    found = split(10**15, most=MOST_SHOWN)
    assert [chip.id for chip in found] == ["chip-1000"] * MOST_SHOWN
    assert [chip.id for chip in split(1_234_567, most=4)] == ["chip-1000"] * 4


def test_new_jerseys_colours() -> None:
    named = {chip.id: chip for chip in CHIPS}
    assert list(named)[:6] == ["chip-1000", "chip-500", "chip-100", "chip-25", "chip-5", "chip-1"]
    assert len({chip.body for chip in CHIPS if not chip.is_coin}) == 6


@pytest.mark.parametrize("chip", CHIPS, ids=lambda chip: chip.id)
def test_a_chip_is_a_whole_picture(chip: object) -> None:
    found = next(each for each in CHIPS if each is chip)
    assert "chip" in check_picture(
        document(100, 100, chip_face(found), label="chip", viewBox="-50 -50 100 100", class_="chip")
    ).get("class", "")


def test_the_file_of_chips_says_what_each_is_worth() -> None:
    root = check_picture(chips())
    assert {each.get("id"): int(each.get("data-cents", "0")) for each in root} == {
        chip.id: chip.cents for chip in CHIPS
    }


@pytest.mark.parametrize("cents", [0, 1, 525, 10_300, 22_500, 163_000, 10**12])
def test_a_stack_is_as_high_as_its_chips(cents: int) -> None:
    root = check_picture(stack_picture(cents))
    (found,) = classed(root, "stack")
    levels = min(MOST_SHOWN, len(split(cents, most=100)))
    assert len(found) == levels
    assert float(root.get("height", "0")) == 100 + STEP * max(0, levels - 1)
