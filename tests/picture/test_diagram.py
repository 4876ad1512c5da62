"""The steps of a table, win bands, and the plots of odds: they show what the rules and the prices say."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.odds import Prices, odds
from baccarat.odds.show import percent
from baccarat.picture.band import DEVIATION, MIDDLE, MOST_DEVIATIONS, win_band
from baccarat.picture.plot import (
    LONGEST_LABEL,
    chance_of,
    edge_plot,
    edges_by_stake,
    hit_plot,
    result_plot,
    rounds_plot,
    stake_plot,
    ticks,
)
from baccarat.picture.steps import parts_of, steps_of, steps_picture
from baccarat.play.wager import BANKER, PLAYER, WagerKind
from baccarat.table.base import table_rules
from picture_tree import SVG, check_picture, classed

EVERY = shipped_submissions()


def words(root: ET.Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


def bars(root: ET.Element) -> list[ET.Element]:
    return [each for each in root.iter(f"{SVG}rect") if "band-2" not in each.get("class", "")]


# -------------------------------------------------------------------------------------------------- steps


@pytest.mark.parametrize("name", EVERY)
def test_the_diagram_shows_the_steps_in_force_in_their_order_with_their_clauses(name: str) -> None:
    rules = rulebook(name)
    found = steps_of(rules)
    assert tuple(step.name for step in found) == table_rules(rules).steps
    root = check_picture(steps_picture(rules))
    assert len(list(classed(root, "p-step"))) == len(found)
    assert len(list(classed(root, "p-step-within"))) == sum(len(step.within) for step in found)
    said = words(root)
    for step in found:
        assert step.name.replace("_", " ") in said
        assert step.clauses, step.name
        assert any(step.clauses[0] in each for each in said)


def test_a_step_that_is_not_elected_is_not_drawn() -> None:
    def names(**elected: object) -> set[str]:
        return {step.name for step in steps_of(rulebook("ma-midi-4", **elected))}

    assert "offer_cut" in names()
    assert "offer_cut" not in names(cut_mode="dealer_cuts")
    assert "reshuffle" not in names()
    assert "reshuffle" in names(reshuffle_after_lace="all")


def test_parts_of_the_tables_life() -> None:
    parts = parts_of(steps_of(rulebook("nj-punto-banco")))
    assert [title for title, _ in parts] == ["At any time", "A new shoe", "Between rounds", "A round"]


# -------------------------------------------------------------------------------------------------- bands


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9), st.integers(-(10**9), 10**9))
def test_the_pointer_stands_as_many_deviations_out_as_the_win(theoretical: int, deviation: int, win: int) -> None:
    root = check_picture(win_band(theoretical=theoretical, deviation=deviation, win=win))
    far = (win - theoretical) / deviation
    pointer = next(each for each in root if each.get("class", "").startswith("p-pointer"))
    x = float(pointer.get("d", "").split()[1])
    assert x == pytest.approx(MIDDLE + max(-MOST_DEVIATIONS, min(MOST_DEVIATIONS, far)) * DEVIATION, abs=0.01)
    assert (pointer.get("class") == "p-pointer-outside") is (abs(far) > 2)


def test_a_band_says_its_figures() -> None:
    root = check_picture(win_band(theoretical=70_100, deviation=223_500, win=72_400))
    assert words(root) == ["−$3,769", "$701", "$5,171"]
    assert root.get("aria-label") == (
        "Win $724.00, 0.0 deviations above the theoretical $701.00; one deviation is $2,235.00"
    )


def test_a_band_before_the_first_round() -> None:
    root = check_picture(win_band(theoretical=0, deviation=0, win=0))
    assert words(root) == ["$0", "$0", "$0"]


# -------------------------------------------------------------------------------------------------- plots


@pytest.fixture(scope="module")
def plain() -> Prices:
    return odds(rulebook("ma-midi-4"))


def test_every_wager_has_a_bar_as_long_as_its_edge(plain: Prices) -> None:
    root = check_picture(edge_plot(plain))
    lengths = [float(bar.get("width", "0")) for bar in bars(root)]
    most = max(float(price.edge) for price in plain)
    for length, price in zip(lengths, plain, strict=True):
        assert length == pytest.approx(float(price.edge) / most * max(lengths), abs=0.02)
        assert price.name in words(root) or len(price.name) > LONGEST_LABEL
        assert percent(price.edge, 4) in words(root)


def test_a_wager_with_an_edge_below_zero_reaches_to_the_other_side(plain: Prices) -> None:
    lines = tuple(msgspec.structs.replace(line, gain=-line.gain) for line in plain[BANKER].lines)
    turned = msgspec.structs.replace(plain[BANKER], lines=lines)
    assert turned.edge < 0
    prices = msgspec.structs.replace(plain, wagers={BANKER: turned, PLAYER: plain[PLAYER]})
    below, above = bars(check_picture(edge_plot(prices)))
    assert float(below.get("x", "0")) + float(below.get("width", "0")) == pytest.approx(
        float(above.get("x", "0")), abs=0.02
    )


def test_edge_against_stake_is_drawn_for_wagers_that_are_rounded_and_for_no_others(plain: Prices) -> None:
    root = check_picture(stake_plot(plain) or "")
    assert plain[BANKER].name in " ".join(words(root))
    points = len(edges_by_stake(plain[BANKER]))
    data = [each.get("d", "") for each in classed(root, "p-line-banker") if each.get("d", "").count("L") > 1]
    assert [each.count("L") for each in data] == [points - 1]
    assert stake_plot(odds(rulebook("ma-midi-4-ez"))) is None, "no vigorish, nothing to round"


def test_how_often_a_wager_wins(plain: Prices) -> None:
    root = check_picture(hit_plot(plain))
    wide = [each for each in root.iter(f"{SVG}rect") if "p-band-2" in each.get("class", "")]
    assert len(wide) == len(plain)
    whole = float(wide[0].get("width", "0"))
    wins = [each for each in bars(root) if "p-band-1" not in each.get("class", "")]
    for bar, price in zip(wins, plain, strict=True):
        assert float(bar.get("width", "0")) == pytest.approx(float(price.hit) * whole, abs=0.02)


@pytest.mark.parametrize("name", EVERY)
def test_every_result_of_every_wager_has_a_bar(name: str) -> None:
    for price in odds(rulebook(name)):
        root = check_picture(result_plot(price))
        chances = {-win: Fraction(ways, price.deals) for win, ways in price.wins if ways}
        assert sum(chances.values()) == 1
        assert len(bars(root)) == len(chances)
        for chance in chances.values():
            assert chance_of(chance) in words(root)


@pytest.mark.parametrize("kind", [BANKER, WagerKind.TIE, WagerKind.DRAGON_PLAYER], ids=str)
@pytest.mark.slow
def test_bands_narrow_about_the_edge_as_rounds_grow(plain: Prices, kind: WagerKind) -> None:
    root = check_picture(rounds_plot(plain[kind]))
    shaded = [each for each in root.iter(f"{SVG}path") if each.get("fill-opacity")]
    assert len(shaded) == 3
    (mean,) = classed(root, "p-mean")
    edge = float(mean.get("d", "").split()[2])
    widths = list[list[float]]()
    for band in shaded:
        numbers = [float(each) for each in band.get("d", "").replace("M", "").replace("L", "").rstrip("Z ").split()]
        ys = numbers[1::2]
        half = len(ys) // 2
        low, high = ys[:half], ys[half:][::-1]
        assert high[-1] - 1 <= edge <= low[-1] + 1
        widths.append([a - b for a, b in zip(low, high, strict=True)])
        assert widths[-1] == sorted(widths[-1], reverse=True)
    for wide, narrow in pairwise(widths):
        assert all(a >= b for a, b in zip(wide, narrow, strict=True)), "99 % holds 95 %, and that 90 %"


def test_a_chance_is_said_so_that_it_tells_something() -> None:
    assert chance_of(Fraction(1, 8)) == "12.5000 %"
    assert chance_of(Fraction(1, 100_000)) == "0.0010 %"
    assert chance_of(Fraction(3, 4_000_000)) == "1 in 1,333,333"


def test_colours_of_results_are_those_of_the_wagers_that_win_by_them(plain: Prices) -> None:
    root = check_picture(edge_plot(plain))
    named = dict(zip([price.on for price in plain], [bar.get("class") for bar in bars(root)], strict=True))
    assert named[BANKER] == "p-fill-banker"
    assert named[WagerKind.DRAGON_PLAYER] == "p-fill-player"
    assert named[WagerKind.HOUSE_MONEY] == "p-bar-other"


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_are_round_and_within(low: float, span: float) -> None:
    found = ticks(low, low + span)
    assert 1 <= len(found) <= 11
    assert all(low - span * 1e-6 <= each <= low + span * (1 + 1e-6) for each in found)
