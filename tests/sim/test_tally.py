"""Tallies add up, know what they are of, and are settled in whole cents by the rules of play."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import msgspec
import pytest

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.law.rulebook import Rulebook
from baccarat.odds import odds, royal9
from baccarat.play.book import open_book
from baccarat.play.settle import settle
from baccarat.play.wager import Wager
from baccarat.play.wager.royal9 import progressive
from baccarat.sim import plain
from baccarat.sim.plan import DETAILS, Detail
from baccarat.sim.tally import BadTally, Range, RangeCounts, Tally, merge_ranges, ranges_left, read_tally
from dealt_again import coups

SHOES = Range(0, 12)


def tally(rules: Rulebook, shoes: Range = SHOES, *, seed: int = 4, detail: Detail = "totals") -> Tally:
    found = plain.run(plain.plan(open_book(rules), detail), seed, shoes.first, shoes.shoes, None)
    return Tally(rules=rules, seed=seed, detail=detail, rounds_per_shoe=None, ranges=(shoes,), counts=found)


@pytest.mark.parametrize("detail", DETAILS)
def test_tallies_of_disjoint_shoes_add_up_in_any_order(detail: Detail) -> None:
    rules = rulebook("ma-midi-4-royal9")
    whole = tally(rules, Range(0, 12), detail=detail)
    one, two, three = (tally(rules, part, detail=detail) for part in (Range(0, 3), Range(3, 7), Range(10, 2)))
    for made in (one + two + three, three + one + two, two + (three + one)):
        assert made == whole
        assert made.hash == whole.hash
        assert made.ranges == (Range(0, 12),)
    assert (one + three).ranges == (Range(0, 3), Range(10, 2))
    assert (one + three).hash != whole.hash


def test_a_shoe_counted_twice_is_refused() -> None:
    rules = rulebook("ma-midi-4")
    with pytest.raises(BadTally, match=r"counted twice: shoe 3–4$"):
        tally(rules, Range(0, 5)) + tally(rules, Range(3, 4))
    with pytest.raises(BadTally, match=r"counted twice: shoe 3$"):
        merge_ranges([Range(3, 1), Range(0, 9)])


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (tally(rulebook("ma-midi-4", tie_odds=9), Range(12, 1)), "rulebook"),
        (tally(rulebook("ma-midi-4"), Range(12, 1), seed=5), "seed 4 and seed 5"),
        (tally(rulebook("ma-midi-4"), Range(12, 1), detail="pairs"), "detail totals and detail pairs"),
    ],
    ids=["rulebook", "seed", "detail"],
)
def test_tallies_of_something_else_do_not_add_up(other: Tally, why: str) -> None:
    with pytest.raises(BadTally, match=why):
        tally(rulebook("ma-midi-4")) + other


def test_what_is_missing_of_a_range_is_told() -> None:
    assert list(ranges_left(Range(0, 10), [Range(0, 2), Range(5, 1), Range(9, 4)])) == [Range(2, 3), Range(6, 3)]
    assert list(ranges_left(Range(4, 2), [Range(0, 20)])) == []
    assert list(ranges_left(Range(4, 2), [])) == [Range(4, 2)]
    assert list(ranges_left(Range(4, 2), [Range(0, 1), Range(90, 1)])) == [Range(4, 2)]


@pytest.mark.parametrize("detail", DETAILS)
def test_a_tally_is_read_back(detail: Detail) -> None:
    rules = rulebook("ma-midi-4-royal9")
    made = tally(rules, detail=detail)
    again = read_tally(msgspec.json.decode(msgspec.json.encode(made.as_data())), rules)
    assert again == made
    assert again.hash == made.hash


@pytest.mark.parametrize(
    "change",
    [
        {"rulebook": "0" * 64}, {"shoes": 13}, {"rounds": 5}, {"finishes": {"P6/2 B7/3": -1}}, {"finishes": {"P66": 1}},
        {"finishes": {"P6/2 B7/3": [1, 2, 3, 4]}}, {"royal9": {"P other B other": 1}}, {"seed": "4"}, {"more": 1},
        {"ranges": [[0, 12], [11, 1]]}, {"ranges": [[0, 0]]},
    ],
    ids=str,
)  # fmt: skip
def test_a_tally_that_does_not_agree_with_itself_is_refused(change: dict[str, object]) -> None:
    rules = rulebook("ma-midi-4")
    with pytest.raises(BadTally):
        read_tally(tally(rules).as_data() | change, rules)


def test_counts_are_by_name_and_add_up_alone() -> None:
    rules = rulebook("ma-midi-4")
    counted = tally(rules).counts_by_name()
    assert counted["shoes"] == 12
    assert sum(counted["finishes"].values()) == counted["rounds"]
    pairs = tally(rules, detail="pairs").counts_by_name()["finishes"]
    assert {name: sum(row) for name, row in pairs.items()} == counted["finishes"]


@pytest.mark.parametrize(
    ("submission", "on", "stake", "detail"),
    [
        ("ma-midi-4", BANKER, 10_300, "totals"),  # vigorish rounded up to a quarter
        ("ma-midi-4", PLAYER, 2_500, "totals"),
        ("ma-midi-4", TIE, 2_500, "totals"),
        ("ma-midi-4", WagerKind.DRAGON_BANKER, 2_500, "totals"),
        ("nj-punto-banco", BANKER, 2_700, "totals"),
        ("ma-midi-4", WagerKind.HOUSE_MONEY, 2_500, "pairs"),
    ],
    ids=lambda value: getattr(value, "word", value),
)
def test_a_wager_is_settled_from_counts_as_round_by_round(
    submission: str, on: WagerKind, stake: int, detail: Detail
) -> None:
    rules = rulebook(submission)
    if on not in open_book(rules).offered:
        pytest.skip(f"{on.word} is not offered under {submission}")
    found = tally(rules, detail=detail).estimate(on, stake)
    net = 0
    for number in range(SHOES.shoes):
        for coup in coups(rules, 4, number):
            settled = settle(rules, coup, [Wager(seat=1, on=on, stake=stake)])
            net += settled.lines[0].net  # type: ignore[union-attr]
    assert found.mean == Fraction(net, stake * found.rounds)
    price = odds(rules)[on].at(stake)
    assert found.exact == price.expected
    assert found.error == pytest.approx(float(price.deviation) / sqrt(found.rounds))
    assert found.z == pytest.approx(float(found.mean - found.exact) / found.error)


def test_rounded_vigorish_makes_the_estimate_depend_on_the_stake() -> None:
    made = tally(rulebook("ma-midi-4"))
    assert made.estimate(BANKER).mean > made.estimate(BANKER, 10_300).mean
    assert made.estimate(BANKER).exact == -odds(made.rules)[BANKER].edge


def test_royal_9_is_settled_from_opening_hands() -> None:
    rules = rulebook("ma-midi-4-royal9")
    progress = progressive(rules)
    assert progress is not None
    made, seat = tally(rules, Range(0, 30), detail="royal9"), 3
    meters = {meter.name: meter.seed for meter in progress.meters}
    net = 0
    for number in range(30):
        for coup in coups(rules, 4, number):
            wagers = [_main(rules, seat), Wager(seat=seat, on=WagerKind.ROYAL9, stake=progress.stake)]
            settled = settle(rules, coup, wagers, meters=meters)
            net += settled.lines[1].net  # type: ignore[union-attr]
    found = made.estimate(WagerKind.ROYAL9, seat=seat)
    assert found.won > 0
    assert found.mean == Fraction(net, progress.stake * found.rounds)
    assert found.exact == royal9(rules, seats=(seat,)).chairs[seat].expected


def _main(rules: Rulebook, seat: int) -> Wager:
    return Wager(seat=seat, on=PLAYER, stake=open_book(rules).limits[PLAYER].min)


def test_what_cannot_be_estimated_says_why() -> None:
    rules = rulebook("ma-midi-4")
    made = tally(rules)
    with pytest.raises(ValueError, match="needs detail 'pairs'; this tally has 'totals'"):
        made.estimate(WagerKind.HOUSE_MONEY)
    with pytest.raises(ValueError, match="not offered"):
        made.estimate(WagerKind.ROYAL9)
    with pytest.raises(ValueError, match="maximum"):
        made.estimate(BANKER, 10**12)
    with pytest.raises(ValueError, match="no round"):
        Tally.empty(rules, seed=1, detail="totals", rounds_per_shoe=None).estimate(BANKER)
    with pytest.raises(BadTally, match="399 counts"):
        Tally(
            rules=rules, seed=1, detail="totals", rounds_per_shoe=None, ranges=(), counts=RangeCounts(cells=(0,) * 399)
        )
