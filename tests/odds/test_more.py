"""Stakes, effect of removal, recorded shoes, House Money decisions, and how prices are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest

from baccarat.cards import Card, Rank, parse_cards
from baccarat.law.row import WagerResult
from baccarat.law.rulebook import rulebook
from baccarat.money import Ratio, dollars
from baccarat.odds import (
    PriceLine,
    ShoeCounts,
    before_each_round,
    coupon,
    decisions,
    effect_of_removal,
    odds,
    press,
    together,
)
from baccarat.odds.measure import PriceDistribution
from baccarat.odds.show import percent, rounded_text
from baccarat.play.wager import BANKER, PLAYER, TIE, WagerKind
from odds_slow import finishes_by_rank, mean, player_gain, rounds_by_rank

MA, NJ = "ma-midi-4", "nj-punto-banco"

# ------------------------------------------------------------------------------------------------ stakes


def test_one_stake_is_for_all_that_admit_it_and_the_rest_is_said() -> None:
    prices = odds(rulebook("ma-midi-4-royal9"), stake=dollars("$1,000"))
    assert prices[BANKER].stake == dollars("$1,000")
    assert prices[TIE].stake is None
    assert prices[WagerKind.ROYAL9].stake == dollars("$5")
    assert any("Tie is priced by the unit" in note and "posted maximum of $500.00" in note for note in prices.notes)
    chosen = odds(rulebook(MA), stake={BANKER: 10_300})
    assert chosen[BANKER].edge == odds(rulebook(MA))[BANKER].at(10_300).edge
    assert chosen[PLAYER].stake is None


def test_a_price_at_a_stake_can_be_asked_at_another() -> None:
    banker = odds(rulebook(MA))[BANKER]
    assert banker.expected != banker.at(10_300).expected
    assert banker.at(10_300).at(10_000).expected == banker.expected


BAD: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: odds(rulebook(MA))[BANKER].at(dollars("$24")),
        r"\$24.00 on banker is below the posted minimum of \$25.00",
    ),
    (lambda: odds(rulebook(MA))[BANKER].at(dollars("$5,001")), r"above the posted maximum of \$5,000.00"),
    (lambda: odds(rulebook(MA))[BANKER].at(2_550), r"\$25.50 on banker is no multiple of \$1.00"),
    (lambda: odds(rulebook(MA))[BANKER].at(0), "whole cents and more than zero, not 0"),
    (lambda: odds(rulebook(MA))[BANKER].at(True), "whole cents and more than zero, not True"),
    (lambda: odds(rulebook(MA))[BANKER].at(25.0), "whole cents and more than zero, not 25.0"),  # type: ignore[arg-type]
    (lambda: odds(rulebook(MA), stake=1), "no wager takes this stake: .* below the posted minimum"),
    (lambda: odds(rulebook(MA), stake={WagerKind.TOTAL4: 500}), "stakes on what is not priced: total4"),
    (lambda: odds(rulebook(MA), stake={TIE: 100}), "below the posted minimum"),
    (lambda: together(rulebook(MA), {}), "no wager is given"),
    (lambda: together(rulebook(MA), {WagerKind.TOTAL4: 1}), "total4 is not offered"),
    (lambda: together(rulebook(MA), {BANKER: 0}), "banker: a whole number of units, one at least, not 0"),
    (lambda: together(rulebook(MA), {WagerKind.HOUSE_MONEY: 1}), "House Money does not depend on a round's finish"),
    (lambda: together(rulebook(MA), {BANKER: 1, TIE: 1}).at(dollars("$24")), "below the posted minimum"),
    (lambda: press(rulebook(NJ), PLAYER), "House Money is not offered"),
    (lambda: decisions(rulebook(MA), ShoeCounts.of([128, *[32] * 9], decks=8)), "known by values only"),
    (lambda: press(rulebook(MA), TIE), "a payout is pressed onto player or banker, not onto tie"),
    (lambda: press(rulebook(MA), PLAYER, stake=500), "are given together, or neither"),
    (lambda: press(rulebook(MA), PLAYER, stake=400, beside=2_500), "below the posted minimum"),
    (lambda: press(rulebook(MA), PLAYER, stake=500, beside=2_400), "below the posted minimum"),
    (lambda: coupon(rulebook(MA, match_play=False), PLAYER), "match play coupons are not taken"),
    (lambda: coupon(rulebook(MA), TIE), "a coupon lies with a wager on player or banker, not on tie"),
    (lambda: coupon(rulebook(MA), PLAYER, face=100), "below the posted minimum"),
    (lambda: coupon(rulebook(MA), PLAYER, ShoeCounts.of({"K": 6}, decks=8)), "a coupon is never taken"),
    (
        lambda: effect_of_removal(rulebook(MA), ShoeCounts.of({"K": 6}, decks=8)),
        "with one removed no price could be given",
    ),
    (lambda: effect_of_removal(rulebook(MA))[WagerKind.TOTAL4], "total4 is not priced from this shoe; priced: player"),
    (lambda: list(before_each_round(rulebook(MA), ["9s"] * 10)), "round 9: 1 times 9s cannot have left this shoe"),
    (lambda: list(before_each_round(rulebook(MA), [], burned=["9s"] * 9)), "burned: 9 times 9s"),
    (lambda: odds(rulebook(MA))[TIE].band(rounds=0, percent=95), "one round or more, not 0"),
    (lambda: odds(rulebook(MA))[TIE].band(rounds=10, percent=50), "a band of 50 %; expected one of 90, 95, 99"),
]


@pytest.mark.parametrize(("made", "say"), BAD)
def test_what_cannot_be_is_refused_in_a_sentence(made: Callable[[], Any], say: str) -> None:
    with pytest.raises(ValueError, match=say):
        made()


# ------------------------------------------------------------------------------------------- House Money


def test_the_decision_table_holds_every_opening_with_a_pair() -> None:
    table = decisions(rulebook(MA))
    assert len(table) == 13 * 91 + 78 * 13
    deals = 416 * 415 * 414 * 413 * 412 * 411
    paid = sum(row.combinations * (15 if row.pairs == 2 else 3) for row in table)
    lost = deals - sum(row.combinations for row in table)
    assert odds(rulebook(MA))[WagerKind.HOUSE_MONEY].expected == Fraction(paid - lost, deals)
    best = sum(row.combinations * (15 if row.pairs == 2 else 3) * row.on_player for row in table if row.on_player > 0)
    assert -press(rulebook(MA), PLAYER).best == Fraction(paid - lost + best, deals)
    fours = [row for row in table if row.player == (Rank.FOUR, Rank.FOUR) and row.banker == (Rank.KING, Rank.KING)]
    assert [row.on_player for row in fours] == [1], "a natural eight against nothing has won"
    assert fours[0].on_banker == -1


@pytest.mark.slow
def test_decisions_are_the_means_of_a_second_derivation() -> None:
    shoe = ShoeCounts.full(1).without("9s 9h 9d 2c 2d Ks")
    slow = {(each.player, each.banker): each for each in rounds_by_rank(shoe.by_rank) if each.pairs}
    ranks = list(Rank)
    table = decisions(rulebook(MA), shoe)
    assert len(table) == len(slow)
    for row in table[::7]:
        opened = slow[
            (ranks.index(row.player[0]), ranks.index(row.player[1])),
            (ranks.index(row.banker[0]), ranks.index(row.banker[1])),
        ]
        assert row.combinations == opened.ways * sum(opened.ends.values())
        gains = {end: player_gain(end) for end in opened.ends}
        assert row.on_player == mean(opened.ends, gains)
        banker = {end: -each if each >= 0 else Fraction(95, 100) for end, each in gains.items()}
        assert row.on_banker == mean(opened.ends, banker)


def test_a_smaller_portion_moves_the_press_in_proportion() -> None:
    whole, half = press(rulebook(MA), PLAYER), press(rulebook(MA, house_money_portion=[1, 2]), PLAYER)
    assert half.portion == Ratio(1, 2)
    assert half.never == whole.never
    assert 2 * (half.never - half.best) == whole.never - whole.best
    assert 2 * (half.never - half.always) == whole.never - whole.always
    assert press(rulebook(MA), PLAYER, portion=Ratio(1, 2)) == half
    assert press(rulebook(MA), PLAYER, portion=Ratio(0, 1)).best == whole.never
    assert whole.best < whole.never < whole.always


# -------------------------------------------------------------------------------------- match play coupon


def test_a_coupon_is_worth_a_little_less_than_half_its_face() -> None:
    price, found = odds(rulebook(MA))[PLAYER], coupon(rulebook(MA), PLAYER)
    assert found.adds == price.hit
    assert found.value == price.hit / (1 - price.push)
    assert percent(found.value, 4) == "49.3175 %"
    assert found.whole == (2 * price.hit - (1 - price.hit - price.push)) / (1 - price.push)
    assert coupon(rulebook(MA), BANKER, face=10_000).adds == Fraction(95, 100) * odds(rulebook(MA))[BANKER].hit


# ------------------------------------------------------------------------------------------------ removal


@pytest.mark.parametrize("submission", ["ma-midi-4-royal9", "nj-punto-banco-six-half"])
def test_the_next_card_leaves_the_price_as_it_is_in_the_mean(submission: str) -> None:
    rules = rulebook(submission)
    shoe = ShoeCounts.full(8).without("9s 9s 9h Kd Kd 5c 5d 2s Ah Qh Js")
    found = effect_of_removal(rules, shoe)
    assert set(found) == {price.on for price in odds(rules, shoe)}
    for on in found:
        effects = [effect for effect in found[on].values() if effect is not None]
        assert len(effects) == 13
        assert any(effects)
        assert sum(count * effect for count, effect in zip(shoe.by_rank, effects, strict=True)) == 0


@pytest.mark.slow
def test_the_effect_of_a_five_is_that_of_a_second_derivation() -> None:
    found = effect_of_removal(rulebook(MA))[PLAYER]
    edges = []
    for fives in (32, 31):
        ends, _ = finishes_by_rank([32] * 4 + [fives] + [32] * 8)
        edges.append(-mean(ends, {end: player_gain(end) for end in ends}))
    assert found[Rank.FIVE] == edges[1] - edges[0] < 0
    assert found[Rank.TEN] == found[Rank.KING]


def test_a_rank_that_is_gone_has_no_effect_to_speak_of() -> None:
    shoe = ShoeCounts.of([32] * 12 + [0], decks=8)
    found = effect_of_removal(rulebook(MA), shoe)
    assert found[PLAYER][Rank.KING] is None
    assert found[PLAYER][Rank.QUEEN] is not None
    by_value = effect_of_removal(rulebook(MA), ShoeCounts.of(shoe.by_value, decks=8))
    assert by_value[PLAYER][Rank.KING] == found[PLAYER][Rank.QUEEN], "a value does not tell king from queen"
    assert WagerKind.HOUSE_MONEY not in set(by_value)


# ------------------------------------------------------------------------------------------------- series


def test_a_recorded_shoe_is_priced_before_every_round() -> None:
    rules = rulebook("ma-midi-4-royal9")
    seen: list[str | Iterable[Card | str]] = [
        "2s 3h Ad Jd Tc 5s",
        parse_cards("9s Kd 9h Kc"),
        ["4s", "4h", "6d", "7c", "Ks"],
    ]
    found = list(before_each_round(rules, seen, burned="7d"))
    assert [each.round for each in found] == [1, 2, 3]
    assert [each.unseen.size for each in found] == [415, 409, 405]
    for each in found:
        assert each.edges == {price.on: price.edge for price in odds(rules, each.unseen)}
    assert found[2].unseen == ShoeCounts.full(8).without("7d 2s 3h Ad Jd Tc 5s 9s Kd 9h Kc")
    assert len({each.edges[PLAYER] for each in found}) == 3


def test_a_recorded_shoe_is_priced_at_the_meters_that_are_told() -> None:
    rules, meters = rulebook("ma-midi-4-royal9"), {"star": 100_000_000}
    (before,) = before_each_round(rules, ["2s 3h Ad Jd"], meters=meters)
    assert before.edges[WagerKind.ROYAL9] == odds(rules, meters=meters)[WagerKind.ROYAL9].edge
    assert before.edges[WagerKind.ROYAL9] != odds(rules)[WagerKind.ROYAL9].edge


@pytest.mark.parametrize("portion", [Ratio(2, 1), Ratio(4, 3)])
def test_a_portion_is_of_the_payout(portion: Ratio) -> None:
    with pytest.raises(ValueError, match="some or all of it"):
        press(rulebook(MA), PLAYER, portion=portion)


def test_what_the_maximum_forbids_is_not_pressed() -> None:
    rules = rulebook(MA, press_over_max=False)
    most = (rules.elections.limits or {})["player"].max
    found = press(rules, PLAYER, stake=500, beside=most)
    assert found.never == found.always == found.best


def test_a_round_that_may_not_be_finished_has_no_edges() -> None:
    short = ShoeCounts.of({"9s": 4, "Kh": 6}, decks=8)
    found = list(before_each_round(rulebook(MA), ["9s Kh 9s Kh 9s", "Kh"], shoe=short))
    assert found[0].edges
    assert found[1].edges == {}


# --------------------------------------------------------------------------------------------------- shown


class Cells(HTMLParser):
    """The text of every cell, and whether every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        assert all(value for _, value in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th", "caption", "p"):
            self.cells.append(data)


def read(html: str) -> list[str]:
    """The cells of a table that is well formed."""
    parser = Cells()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.cells


def test_prices_are_shown_as_text_and_as_a_table() -> None:
    prices = odds(rulebook(MA), stake=dollars("$1,000"))
    cells = read(prices._repr_html_())
    assert "Banker at $1,000.00" in cells
    assert "1.05791 %" in cells
    assert any(cell.startswith("Tie is priced by the unit") for cell in cells)
    assert "Player at $1,000.00" in str(prices)
    assert "14.35963 %" in str(prices)
    assert repr(prices).startswith("<Prices of 6 wagers under ma-midi-4 ")


def test_a_price_is_shown_with_its_lines() -> None:
    dragon = odds(rulebook(MA))[WagerKind.DRAGON_BANKER]
    text = str(dragon)
    assert text.startswith("Dragon Bonus on Banker: house edge 9.37307 %\n")
    assert "win by 9" in text
    assert "30 to 1" in text
    assert len(dragon.lines) > len(dragon.paytable) == 9
    assert [line.result for line in dragon.paytable[-2:]] == [WagerResult.PUSH, WagerResult.LOSE]
    assert sum(line.combinations for line in dragon.paytable) == dragon.deals
    cells = read(dragon._repr_html_())
    assert "4,998,398,275,503,360" in cells
    assert "natural winner" in cells
    banker = odds(rulebook(MA))[BANKER]
    assert "1 to 1 less vigorish" in str(banker)
    assert repr(banker) == "<Price Banker: house edge 1.05791 %>"


def test_what_is_shown_is_escaped() -> None:
    line = PriceLine(row="<script>", result=WagerResult.LOSE, combinations=1, deals=1, gain=Fraction(-1))
    other = PriceLine(row="a & b", result=WagerResult.WIN, combinations=0, deals=1, gain=Fraction(1))
    html = PriceDistribution(name='<b>"x"', lines=(line, other), deals=1)._repr_html_()
    assert "<script>" not in html
    assert "<b>" not in html
    assert "a &amp; b" in html


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (Fraction(1, 3), 5, "0.33333"),
        (Fraction(-1, 200), 2, "0.00"),
        (Fraction(-3, 200), 2, "−0.02"),
        (Fraction(5, 2), 1, "2.5"),
        (Fraction(-12345, 100), 1, "−123.4"),
    ],
)
def test_numbers_are_rounded_to_the_even_digit(value: Fraction, places: int, shown: str) -> None:
    assert rounded_text(value, places) == shown
