"""How closely a study knows its figures, in the terminal: errors, intervals, and what is not known."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.cli.study_figures import nonzero_width, number
from study_verb import ONE_DAY, said, told


def nulls(found: Any) -> set[str]:
    """The names of all fields that are not known, however deep."""
    if isinstance(found, list):
        return set().union(*map(nulls, found))
    if not isinstance(found, dict):
        return set()
    return {name for name, value in found.items() if value is None}.union(*map(nulls, found.values()))


@pytest.mark.slow
def test_the_error_of_a_single_sample_is_not_known() -> None:
    """One session, one day: null in JSON, – for people, and never nought."""
    seat = ("--seat", "banker=$100")
    once = ("patrons", "ma-midi-4", *seat, "--sessions", "1", "--shoes", "1")
    [alone] = told(*once)["seats"]
    assert nulls(alone) >= {"error", "deviation", "stayed_error", "staked_error", "of_staked_error"}
    assert alone["ruined_within"] == [0.0, pytest.approx(0.7935, abs=1e-4)]
    assert "± –" in said(*once)
    both = told(*once, "--compare-vigorish")
    assert [both["changes"][0][name]["error"] for name in ("result", "ruined", "stayed", "staked")] == [None] * 4
    assert "0.00 ± –" in said(*once, "--compare-vigorish")
    found = told("house", "ma-midi-4-royal9", *ONE_DAY)
    for part in (found["day"], found["with_progressive"]):
        assert nulls(part) >= {"error", "deviation"}
    assert nulls(found) >= {"hold_error", "of_staked_error", "staked_error", "drop_error"}
    shown = said("house", "ma-midi-4-royal9", *ONE_DAY)
    assert "± $0.00" not in shown
    assert shown.count("± –") >= 6


@pytest.mark.slow
def test_nothing_seen_is_not_said_to_be_nought() -> None:
    """No shoe of these had a wager on the tie: what a wager gains is not known, nor how far shoes lie apart."""
    words = ("counts", "ma-midi-4-ez", "tie", "--shoes", "2")
    counter = told(*words)["depths"][0]["counter"]
    assert (counter["share"], counter["per_shoe"]) == (0, 0)
    assert nulls(counter) == {"edge", "error", "came_error", "share_error", "edge_error"}
    shown = " ".join(said(*words).split())
    assert "0.00 % ± – – 0.0000 – 0.000 –" in shown
    assert "–: unknown, because no shoe had a wager" in shown


@pytest.mark.slow
def test_few_samples_have_the_wider_interval_of_student() -> None:
    words = ("patrons", "ma-midi-4", "--seat", "banker=$25", "--sessions", "3", "--shoes", "1")
    [seat] = told(*words)["seats"]
    assert f"${4.3026527 * seat['error'] / 100:,.2f}" in said(*words)


@pytest.mark.slow
def test_a_share_is_shown_with_wilsons_interval() -> None:
    words = ("patrons", "ma-midi-4", "--seat", "banker=$100", "--sessions", "40", "--goal", "$1,500")
    [seat] = told(*words)["seats"]
    shown = " ".join(said(*words).split())
    for name in ("ruined", "reached"):
        share, (low, high) = seat[name], seat[f"{name}_within"]
        assert 0 < low < share < high < 1
        assert f"{100 * share:.2f} % ({100 * low:.2f}–{100 * high:.2f})" in shown


def test_what_stands_after_plus_or_minus_is_half_of_the_95_percent_interval() -> None:
    words = ("patrons", "ma-midi-4", "--seat", "banker=$25", "--sessions", "50", "--shoes", "1")
    seat = told(*words)["seats"][0]
    shown = said(*words)
    assert "± 95 %" in shown
    assert f"${2.0095752 * seat['error'] / 100:.2f}" in shown


@pytest.mark.parametrize(
    ("shown", "stands"), [("0.0000", "<0.0001"), ("$0.00", "<$0.01"), ("0.0010", "0.0010"), ("0", "<1"), ("$10", "$10")]
)
def test_a_width_that_rounds_to_nought_is_not_said_to_be_nought(shown: str, stands: str) -> None:
    assert nonzero_width(shown) == stands


@pytest.mark.parametrize(("value", "shown"), [(-0.001, "0.00"), (0.001, "0.00"), (-1.5, "−1.50"), (1.5, "+1.50")])
def test_nought_has_no_sign(value: float, shown: str) -> None:
    assert number(value, 2, sign="+") == shown
