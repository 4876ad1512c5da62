"""Price and play agree: under random rulebooks the mean of `settle` over all deals of a small shoe is the price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from baccarat.cards import Card, parse_cards
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.odds import ShoeCounts, coupon, odds, press, royal9, together
from baccarat.play.book import open_book
from baccarat.play.coup import Coup, deal_by
from baccarat.play.settle import settle_by
from baccarat.play.settlement import Settlement
from baccarat.play.wager import BANKER, PLAYER, Wager, WagerKind
from baccarat.play.wager.royal9 import MICRO, progressive
from strategies import CODES, EDITIONS, NEW_JERSEY, elections, rules_of
from strategies import cards as six_cards
from strategies import progressive as royal9_elections

pytestmark = pytest.mark.slow

rounds = settings(max_examples=11, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


class Small:
    """A shoe of seven cards under a rulebook, and every way in which it is dealt."""

    def __init__(self, rules: Rulebook, cards: Sequence[Card], meters: Mapping[str, int] | None, cents: int) -> None:
        self.rules, self.book, self.meters, self.cents = rules, open_book(rules), meters, cents
        self.shoe = ShoeCounts.of(Counter(cards), decks=8)
        self.deals = every_deal(rules, tuple(cards))
        self.total = sum(ways for _, ways in self.deals)

    def stake(self, on: WagerKind) -> int:
        """The stake on a wager, brought within its limits."""
        limit = self.book.limits.get(on)
        return self.cents if limit is None else max(limit.min, self.cents - self.cents % limit.increment)

    def net(self, coup: Coup, *wagers: Wager) -> int:
        """What these wagers gain together in a round, by play."""
        micro = {name: cents * MICRO for name, cents in (self.meters or {}).items()}
        settled = settle_by(self.book, coup, wagers, meters=micro if self.meters else None)
        assert isinstance(settled, Settlement), settled
        return sum(line.net for line in settled.lines)

    def mean(self, *wagers: Wager) -> Fraction:
        """The mean over all deals of what these wagers gain."""
        return self.moments(*wagers)[0]

    def moments(self, *wagers: Wager) -> tuple[Fraction, Fraction]:
        """The mean over all deals of what these wagers gain, and of its square."""
        nets = [(self.net(coup, *wagers), ways) for coup, ways in self.deals]
        first, second = (sum(ways * net**power for net, ways in nets) for power in (1, 2))
        return Fraction(first, self.total), Fraction(second, self.total)


@lru_cache(maxsize=4)
def every_deal(rules: Rulebook, cards: tuple[Card, ...]) -> list[tuple[Coup, int]]:
    """Every pair of hands that is dealt from a few cards, and from how many of their orders."""
    dealt: Counter[tuple[tuple[Card, ...], tuple[Card, ...]]] = Counter()
    coups: dict[tuple[tuple[Card, ...], tuple[Card, ...]], Coup] = {}
    book = open_book(rules)
    for six in permutations(cards, 6):
        coup = deal_by(book, six)
        dealt[coup.player, coup.banker] += 1
        coups[coup.player, coup.banker] = coup
    return [(coups[hands], ways) for hands, ways in dealt.items()]


MASSACHUSETTS = tuple(edition for edition in EDITIONS if edition != NEW_JERSEY)
PORTIONS = st.sampled_from([[1, 1], [1, 2], [2, 3], [3, 7]])
FREE = st.sampled_from([None, "total_card_exempt", "six_half"])


@st.composite
def smalls(draw: DrawFn, editions: tuple[str, ...] = EDITIONS, must: str = "") -> Small:
    """Any rulebook with seven cards and a stake; `must` names what it must offer."""
    ruleset = draw(st.sampled_from(editions))
    made: dict[str, Any] = {**draw(elections(ruleset)), "decks": 8}
    if must:
        made.pop("limits", None)
    if must == "royal9":
        made = {key: made[key] for key in made if key not in ("must_hit", "secondary_seed_bp")}
        made |= draw(royal9_elections(ruleset))
    elif must == "house_money":
        made |= {"house_money": True, "house_money_portion": draw(PORTIONS)}
    elif must == "total_card_wagers":
        made |= {"total_card_wagers": True, "no_commission": draw(FREE)}
        made = {key: made[key] for key in made if made["no_commission"] != "six_half" or not key.startswith("vig_")}
    elif must == "match_play":
        made |= {"match_play": True}
    royal = made.get("royal9")
    combos = royal.get("combos", {"1": "SH"}) if royal else None
    codes = [*draw(six_cards(combos)), draw(st.sampled_from(CODES))]
    record = {"id": "small", "ruleset": ruleset, "options": made, "cards": codes[:6], "wagers": []}
    cents = draw(st.one_of(st.integers(1, 2_000), st.sampled_from([100, 2_501, 10_000])))
    meters = royal["meters"] if royal else None
    return Small(rules_of(record), [Card.parse(code) for code in codes], meters, cents)


@rounds
@given(smalls())
def test_every_wager_is_priced_as_it_is_settled(small: Small) -> None:
    prices = odds(small.rules, small.shoe)
    assert {price.on for price in prices} == small.book.offered
    for price in prices:
        if price.on is not WagerKind.ROYAL9:
            stake = small.stake(price.on)
            wager = Wager(seat=1, on=price.on, stake=stake)
            priced = price.at(stake)
            mean, square = small.moments(wager)
            assert priced.expected * stake == mean, price.on
            assert (priced.variance + priced.expected**2) * stake**2 == square, price.on
    assert small.total == prices.shoe.deals


ELECTED: list[tuple[str, dict[str, Any]]] = [
    ("ma-midi-1", {}), ("ma-midi-2", {"vig_rounding": False}), ("ma-midi-3", {"tie_odds": 9, "dragon_paytable": "B"}),
    ("ma-midi-4", {"vig_rounding": True, "dragon_paytable": "C"}), ("ma-midi-4-ez", {}),
    ("ma-midi-4", {"house_money_portion": [1, 3], "vig_rounding": False}), ("nj-punto-banco", {"vig_rate": 4}),
    ("nj-punto-banco", {"vig_rate": 4, "vig_rounding": True}), ("nj-punto-banco", {"vig_rounding": False}),
    ("nj-punto-banco-six-half", {}), ("nj-punto-banco-exempt", {"tie_odds": 9}),
]  # fmt: skip
HANDS = ("2s 4h 6d 9c Ks 3d 8c", "As 5h 7d Tc 6s 2h 2d")
"""Shoes that make naturals, ties, sevens, eights and six on three cards."""


@pytest.mark.parametrize("cards", HANDS)
@pytest.mark.parametrize("cents", [2_500, 10_305])
@pytest.mark.parametrize(("name", "changes"), ELECTED, ids=str)
def test_every_election_is_priced_as_it_is_settled(name: str, changes: dict[str, Any], cards: str, cents: int) -> None:
    rules = rulebook(name, **changes)
    small = Small(rules, parse_cards(cards), None, cents)
    for price in odds(rules, small.shoe):
        limit = small.book.limits[price.on]
        stake = min(limit.max, small.stake(price.on))
        priced, wager = price.at(stake), Wager(seat=1, on=price.on, stake=stake)
        mean, square = small.moments(wager)
        assert priced.expected * stake == mean, price.on
        assert (priced.variance + priced.expected**2) * stake**2 == square, price.on


@rounds
@given(smalls(MASSACHUSETTS, must="royal9"), st.data())
def test_royal_9_is_priced_as_it_is_awarded(small: Small, data: st.DataObject) -> None:
    progress = progressive(small.rules)
    assert progress is not None
    seats = data.draw(st.lists(st.sampled_from(sorted(progress.chairs)), min_size=1, max_size=4, unique=True))
    priced = royal9(small.rules, small.shoe, meters=small.meters, seats=seats)
    wagers = [Wager(seat=seat, on=WagerKind.ROYAL9, stake=500) for seat in seats]
    gained = dict.fromkeys(seats, 0)
    for coup, ways in small.deals:
        micro = {name: cents * MICRO for name, cents in (small.meters or {}).items()}
        settled = settle_by(small.book, coup, wagers, meters=micro)
        assert isinstance(settled, Settlement)
        for line in settled.lines:
            gained[line.wager.seat] += ways * line.net
    for seat in seats:
        assert priced.chairs[seat].expected * 500 * small.total == gained[seat]
    if len(seats) == 1 and seats[0] == min(progress.chairs):
        assert (
            odds(small.rules, small.shoe, meters=small.meters)[WagerKind.ROYAL9].expected * 500 * small.total
            == gained[1]
        )


@rounds
@given(smalls(MASSACHUSETTS, must="house_money"))
def test_house_money_is_pressed_as_it_is_settled(small: Small) -> None:
    stake = small.stake(WagerKind.HOUSE_MONEY)
    for onto in (PLAYER, BANKER):
        beside = small.stake(onto)
        taken, main = Wager(seat=1, on=WagerKind.HOUSE_MONEY, stake=stake), Wager(seat=1, on=onto, stake=beside)
        pressed = Wager(seat=1, on=WagerKind.HOUSE_MONEY, stake=stake, press=onto)
        by_opening: dict[tuple[tuple[Card, ...], tuple[Card, ...]], list[int]] = {}
        for coup, ways in small.deals:
            four = by_opening.setdefault((coup.player[:2], coup.banker[:2]), [0, 0])
            four[0] += ways * (small.net(coup, taken, main) - small.net(coup, main))
            four[1] += ways * (small.net(coup, pressed, main) - small.net(coup, main))
        found = press(small.rules, onto, small.shoe, stake=stake, beside=beside)
        unit = small.total * stake
        assert -found.never * unit == sum(never for never, _ in by_opening.values())
        assert -found.always * unit == sum(always for _, always in by_opening.values())
        assert -found.best * unit == sum(map(max, by_opening.values()))
        winners = Counter[bool]()
        for coup, ways in small.deals:
            never, always = by_opening[coup.player[:2], coup.banker[:2]]
            if small.net(coup, taken) > 0:
                winners[always > never] += ways
        if winners:
            assert found.pressed == Fraction(winners[True], winners.total())


@rounds
@given(smalls((NEW_JERSEY,), must="total_card_wagers"), st.integers(1, 2), st.integers(1, 3))
def test_wagers_together_are_priced_as_they_are_settled(small: Small, four: int, banker: int) -> None:
    units = {BANKER: banker, WagerKind.TOTAL4: four, WagerKind.TOTAL6: 1}
    unit = small.cents
    wagers = [Wager(seat=1, on=on, stake=count * unit) for on, count in units.items()]
    priced = together(small.rules, units, small.shoe).at(unit)
    mean, squared = small.moments(*wagers)
    assert priced.expected * sum(units.values()) * unit == mean
    square = squared / (sum(units.values()) * unit) ** 2
    assert priced.variance == square - priced.expected**2
    ends = Counter[int]()
    for coup, ways in small.deals:
        gained = small.net(coup, *wagers)
        ends[(gained > 0) - (gained < 0)] += ways
    assert (priced.hit, priced.push) == (Fraction(ends[1], small.total), Fraction(ends[0], small.total))


@rounds
@given(smalls(must="match_play"))
def test_a_coupon_is_worth_what_it_adds_in_play(small: Small) -> None:
    for on in (PLAYER, BANKER):
        price, face = odds(small.rules, small.shoe)[on], small.stake(on)
        if price.push == 1:
            continue
        found = coupon(small.rules, on, small.shoe, face=face)
        alone = small.mean(Wager(seat=1, on=on, stake=face))
        both = small.mean(Wager(seat=1, on=on, stake=face, coupon=face))
        assert found.adds * face == both - alone
        assert found.value * face == (both - alone) / (1 - price.push)
        assert found.whole * face == both / (1 - price.push)
