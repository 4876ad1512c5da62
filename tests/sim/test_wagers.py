"""Every wager over many shoes: the exact odds at fixed rounds, and the cut-card effect on two paths."""

from __future__ import annotations

import pytest

from baccarat import Kind, rulebook
from baccarat.sim.study.record import records
from baccarat.sim.study.wagers import cut_card_effect, held, study_wagers, surely


def test_every_shoe_has_as_many_rounds_as_surely_says() -> None:
    for rules in (rulebook("ma-midi-4"), rulebook("nj-punto-banco", decks=6, cover_card_depth=100)):
        for block in records(rules, seed=1, shoes=2_000):
            assert (block.starts[1:] - block.starts[:-1]).min() >= surely(rules)


def test_z_beside_an_edge_is_that_of_the_edge() -> None:
    found = study_wagers(rulebook("ma-midi-4"), seed=6, shoes=200, effect_shoes=2)
    for each in found.wagers:
        assert each.fixed_z == pytest.approx((each.fixed - each.exact) / each.fixed_error)
        assert each.to_cover_z == pytest.approx((each.to_cover - each.exact) / each.to_cover_error)


def test_more_rounds_than_every_shoe_holds_are_not_compared_with_exact_odds() -> None:
    rules = rulebook("ma-midi-4")
    assert study_wagers(rules, seed=6, shoes=8, effect_shoes=2, rounds=67).rounds_at_fixed == 8 * 67
    with pytest.raises(ValueError, match="not every shoe has cards for them; 1 to 67"):
        study_wagers(rules, seed=6, shoes=8, effect_shoes=2, rounds=68)


@pytest.mark.slow
def test_means_are_exact_at_fixed_rounds_and_the_effect_is_what_lies_between() -> None:
    found = study_wagers(rulebook("ma-midi-4-ez"), seed=6, shoes=30_000, effect_shoes=400)
    assert found.rounds_at_fixed == 30_000 * 60
    assert {each.on for each in found.wagers} >= {Kind.PLAYER, Kind.BANKER, Kind.TIE, Kind.DRAGON7, Kind.HOUSE_MONEY}
    for each in found.wagers:
        assert each.fixed_z is not None
        assert abs(each.fixed_z) < 4
        if each.effect is not None and each.effect_error is not None:
            error = (each.to_cover_error**2 + each.effect_error**2) ** 0.5
            assert abs(each.to_cover - each.exact - each.effect) < 4 * error
            assert each.effect_error < each.to_cover_error  # so few shoes tell more than seventy times as many results


def test_shoes_hold_the_rounds_that_the_effect_counts_on() -> None:
    for rules in (rulebook("ma-midi-4"), rulebook("nj-punto-banco", decks=6)):
        assert held(rules) > surely(rules)
        for block in records(rules, seed=7, shoes=6_000, rounds=1_000):
            assert (block.starts[1:] - block.starts[:-1]).min() >= held(rules)


def test_an_effect_needs_shoes_that_differ() -> None:
    with pytest.raises(ValueError, match="two at least"):
        cut_card_effect(rulebook("ma-midi-4"), seed=1, shoes=1)
