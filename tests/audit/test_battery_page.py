"""The battery's page: what its two pictures show, and how its tables write a p-value."""

from __future__ import annotations

import random
import re

import pytest

from baccarat.audit.battery.battery_run import feed_battery
from baccarat.audit.battery.page import COLOURS, html
from baccarat.audit.battery.shoe import order_from_numbers
from baccarat.audit.battery.word import probability
from baccarat.law.rulebook import rulebook
from bad_shuffles import fair

RULES = rulebook("ma-midi-4")
AS_EXPECTED, FAR_TOO_MANY = COLOURS[3], COLOURS[-1]


def pictures(orders: list[list[int]]) -> list[str]:
    """The two pictures of the page about these orders: where each card was, and which card follows which."""
    battery = feed_battery(RULES, map(order_from_numbers, orders))
    page = html(RULES, battery, battery.report(source="test"))
    positions, pairs = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    return [positions, pairs]


def rows_of(picture: str) -> list[list[str]]:
    """The colours of the cells, row by row; the seven after them are the key."""
    colours = re.findall(r'<rect [^>]*fill="(#\w+)"', picture)[: 52 * 52]
    return [colours[start : start + 52] for start in range(0, len(colours), 52)]


@pytest.mark.slow
def test_unshuffled_decks_stand_out_at_each_cards_place_and_the_next() -> None:
    """In a single deck no card can follow itself; that none does is as expected."""
    positions, pairs = (rows_of(picture) for picture in pictures([list(range(52))] * 12))
    for place in range(52):
        after = (place + 1) % 52
        assert positions[place] == [FAR_TOO_MANY if card == place else AS_EXPECTED for card in range(52)]
        assert pairs[place] == [FAR_TOO_MANY if card == after else AS_EXPECTED for card in range(52)]


@pytest.mark.slow
@pytest.mark.parametrize("orders", [[list(range(52))] * 12, [fair(random.Random(2), 416) for _ in range(3)]])
def test_the_sentence_about_a_picture_counts_the_cells_of_the_two_outermost_colours(orders: list[list[int]]) -> None:
    for picture in pictures(orders):
        far = sum(row.count(COLOURS[0]) + row.count(COLOURS[-1]) for row in rows_of(picture))
        assert f"<desc>{far} of 2704 cells lie more than 3.5 deviations from what is expected" in picture


def test_the_sign_of_each_card_stands_over_its_column() -> None:
    for picture in pictures([list(range(52))]):
        signs = re.findall(r'<text x="(\d+)"[^>]*rotate[^>]*>([^<]+)</text>', picture)
        cells = re.findall(r'<rect x="(\d+)" y="\d+" width="(\d+)"', picture)[:52]
        assert [sign for _, sign in signs[:2]] == ["A♠", "2♠"]
        for (x, _), (left, width) in zip(signs, cells, strict=True):
            assert int(left) <= int(x) < int(left) + int(width)


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (None, ""),
        (1.0, "1.0000"),
        (0.04996, "0.0500"),
        (0.0001, "0.0001"),
        (0.000099, "9.9e-05"),
        (1e-300, "1.0e-300"),
        (0.0, "<1e-300"),
    ],
)
def test_a_p_value_has_four_decimals_down_to_one_in_ten_thousand(p: float | None, text: str) -> None:
    assert probability(p) == text
