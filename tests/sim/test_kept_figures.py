"""The figures that pages keep: the tools that make them count what they say, over a few shoes."""

from __future__ import annotations

import sys

import pytest

from baccarat import WagerKind, rulebook
from baccarat.play.shoe import burn, rounds
from baccarat.sim.interval import half_width
from baccarat.sim.stream import shoe
from baccarat.sim.study.counts import linear_count, study_counts
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import round_study
from counted_study import study_results
from studies import kept
from tested_hands import study_tested

pytestmark = pytest.mark.slow

EZ = rulebook(round_study.RULES)


def test_rounds_of_four_cards_are_those_of_the_cards() -> None:
    found = round_study.study_rounds(seed=5, batches=3, shoes=4)
    dealt = []
    for number in range(12):
        cards = shoe(EZ, 5, number)
        dealt += [each.coup.cards_dealt for each in rounds(EZ, cards, position=len(burn(EZ, cards).cards))]
    assert found.to_cover.rounds == len(dealt)
    assert found.to_cover.share == pytest.approx(dealt.count(4) / len(dealt))
    assert found.fixed.rounds == 12 * round_study.FIXED
    assert found.exact == pytest.approx(0.378868, abs=1e-6)


def test_what_a_counter_won_is_what_the_study_of_counts_says_came() -> None:
    linear = linear_count(EZ, WagerKind.DRAGON7, level=2)
    found = study_results(linear, index=4, seed=1, shoes=200)
    other = study_counts(EZ, linear, seed=1, shoes=200, index=4).depths[0]
    assert found.came == pytest.approx(other.counter.came)
    assert found.error == pytest.approx(other.counter.came_error)
    assert found.wagers == pytest.approx(other.counter.share * other.rounds)


def test_a_wash_is_rejected_and_a_fair_shuffle_is_not() -> None:
    rules = rulebook("ma-midi-4")
    assert "neighbours since last" in study_tested(rules, ("wash", "cut"), seed=1, shoes=24).rejected_by
    assert study_tested(rules, ("fair",), seed=1, shoes=24).rejected_by == ()


def test_the_figure_of_the_known_count_is_sure_enough_for_what_the_page_says_of_it() -> None:
    """Its interval is small beside what one card of depth makes, and longer runs of the same count agree with it."""
    known, results = kept("counts")[0], kept("counted-results")
    at, deeper = known.depths[:2]
    counter, perfect = at.counter, at.perfect
    assert (at.depth, deeper.depth) == (14, 15)
    assert half_width(counter.error) < 0.2 * (counter.per_shoe - deeper.counter.per_shoe)
    assert counter.share * at.rounds == pytest.approx(results.wagers, rel=0.002)
    assert abs(counter.per_shoe - results.came) < 4 * results.error
    page = " ".join((ROOT / "docs" / "studies.md").read_text().split())
    for gain in (counter, perfect):
        assert f"{gain.per_shoe:.3f} ± {half_width(gain.error):.3f}" in page
    assert f"{counter.per_shoe:.3f} with 14 cards behind the cover card, {deeper.counter.per_shoe:.3f} with 15" in page
    without = kept("counts")[1].depths[0].perfect
    assert f"perfect play gains {without.per_shoe:.3f}, not {perfect.per_shoe:.3f}" in page
    apart, error = counter.per_shoe - 0.597, half_width(results.error * (results.shoes / 1e8) ** 0.5)
    both = (error**2 + half_width(counter.error) ** 2) ** 0.5
    assert f"it is ± {error:.3f}. So two simulations of one count differ by {apart:.3f} ± {both:.3f}" in page
