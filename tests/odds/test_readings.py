"""Figures in the readings: each is computed here from the odds, the settlement or the data, and found in the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from baccarat.law.reading import Reading, readings
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.money import Cents
from baccarat.odds import odds
from baccarat.odds.royal9 import Royal9Odds, royal9
from baccarat.play.book import open_book
from baccarat.play.coup import deal
from baccarat.play.settle import settle
from baccarat.play.settlement import Settlement
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.royal9 import MICRO, progressive

FIGURE = re.compile(r"once in [\d,]+|\d[\d,.]* ?(?:%|¢)|\$\d+(?:,\d{3})*(?:\.\d\d)?|(?<!\d)\.\d{4,}")
"""Chances, percentages and sums of money: what a reading may get wrong without anybody noticing."""
SEAT, MAJOR = 1, "Any Two Personal Progressive"


def text_of(reading: Reading) -> str:
    """All that a reading says."""
    return " ".join((reading.problem, reading.reading, reading.why))


def figures(reading: Reading) -> list[str]:
    """The figures of a reading in the order of its text, each once."""
    return list(dict.fromkeys(FIGURE.findall(text_of(reading))))


def percent(share: Fraction, digits: int) -> str:
    """A share as a reading writes it."""
    return f"{float(100 * share):.{digits}f} %"


def sums(*cents: int) -> list[str]:
    """Sums as a reading writes them: whole dollars without cents, less than a dollar in cents."""
    return [f"{each}¢" if each < 100 else str(Cents(each)).removesuffix(".00") for each in cents]


def any_two(switch: str, paytable: int) -> Royal9Odds:
    """The progressive over eight decks under one sense of the undefined prize."""
    return royal9(rulebook("ma-midi-1-royal9", decks=8, any_two=switch, royal9={"paytable": paytable}))


def once_in(found: Royal9Odds) -> str:
    (line,) = [line for line in found.chairs[SEAT].lines if line.row == MAJOR]
    return f"once in {round(1 / line.probability):,}"


def returned(found: Royal9Odds, digits: int) -> str:
    return percent(1 - found.chairs[SEAT].edge, digits)


def in_the_long_run(found: Royal9Odds) -> str:
    return percent(1 - found.long_run_edge(SEAT), 1)


def drained_to(found: Royal9Odds) -> str:
    """Where a meter comes to rest that is won in tenths: what comes in is what a tenth takes out in the mean."""
    (line,) = [line for line in found.chairs[SEAT].lines if line.row == MAJOR]
    level = found.contribution["major"] * 10 / line.probability
    return f"${int(round(level / 100, -2)):,}"


def a_01() -> list[str]:
    rules = rulebook("nj-punto-banco", decks=8)
    prices = odds(rules)
    banker, player = (prices[kind] for kind in (WagerKind.BANKER, WagerKind.PLAYER))
    return [f"{float(chance):.6f}".removeprefix("0") for chance in (banker.hit, player.hit, prices[WagerKind.TIE].hit)]


def a_12() -> list[str]:
    """A pair of the Player's pays 3 to 1 on $10, pressed onto $100 on a Banker who wins."""
    rules = rulebook("ma-midi-4", house_money_portion=None)
    coup = deal(rules, "3s 9d 3h Kc")
    wagers = [
        Wager(seat=1, on=WagerKind.BANKER, stake=10_000),
        Wager(seat=1, on=WagerKind.HOUSE_MONEY, stake=1_000, press=WagerKind.BANKER),
    ]
    settled = settle(rules, coup, wagers)
    assert isinstance(settled, Settlement)
    (line,) = [line for line in settled.lines if line.wager.on is WagerKind.BANKER]
    assert line.pressed is not None
    return sums(10_000, line.pressed, line.win, line.vigorish)


def a_13() -> list[str]:
    own, other = any_two("own_chair", 1), any_two("other_chair_identical", 1)
    posted, posted_2 = any_two("any_posted", 1), any_two("any_posted", 2)
    (seed,) = [meter.seed // MICRO for meter in own.progress.meters if meter.name == "major"]
    later = progressive(rulebook("ma-midi-4-royal9"))
    assert later is not None
    (identical,) = [prize.prize for prize in later.prizes if prize.row.startswith("Other Personal")]
    assert seed // 10 == identical, "a tenth of the seed is the prize of the third edition"
    return [
        once_in(own), returned(own, 2), in_the_long_run(own), once_in(other), returned(other, 2),
        in_the_long_run(other), once_in(posted), returned(posted, 2), returned(posted_2, 2), drained_to(posted),
        *sums(seed, identical),
    ]  # fmt: skip


def a_14() -> list[str]:
    progress = progressive(rulebook("ma-midi-4-royal9"))
    assert progress is not None
    return sums(progress.stake)


def _rate(rules: Rulebook, meter: str) -> tuple[Fraction, int]:
    """The rate of a meter, and what it makes of one wager."""
    progress = progressive(rules)
    assert progress is not None
    (cents,) = [each.contribution // MICRO for each in progress.meters if each.name == meter]
    return Fraction(cents, progress.stake), cents


def a_15() -> list[str]:
    one, two = (rulebook("ma-midi-1-royal9", royal9={"paytable": table}) for table in (1, 2))
    (major, cents), (major_2, cents_2), (king, cents_k) = (
        _rate(one, "major"),
        _rate(two, "major"),
        _rate(one, "k9_banker"),
    )
    assert _rate(one, "k9_player") == (king, cents_k)
    rates = [percent(major, 2), *a_14(), *sums(cents), percent(major_2, 2), *sums(cents_2)]
    return [*rates, percent(king, 0), *sums(cents_k)]


def a_18() -> list[str]:
    progress = progressive(rulebook("ma-midi-4-royal9"))
    assert progress is not None
    fixed = [prize.prize for prize in progress.prizes if prize.prize]
    (both,) = [prize.prize for prize in progress.prizes if prize.row == "Royal 9 vs. Royal 9"]
    return list(dict.fromkeys(sums(both, *fixed)))


def a_19() -> list[str]:
    rules = rulebook("ma-midi-1-royal9", royal9={"paytable": 1})
    progress = progressive(rules)
    assert progress is not None
    seeds = [meter.seed // MICRO for meter in progress.meters]
    rates = [percent(_rate(rules, meter.name)[0], 0) for meter in progress.meters]
    return list(dict.fromkeys([*sums(*seeds), *rates]))


def a_20() -> list[str]:
    def vigorish(edition: str, stake: int, **more: int) -> int:
        return open_book(rulebook(edition, vig_rounding=True, **more)).vigorish(stake)

    three, twelve, ten = (vigorish("ma-midi-4", stake) for stake in (300, 1_200, 1_000))
    jersey = vigorish("nj-punto-banco", 300, vig_rate=4)
    return list(dict.fromkeys(sums(three, 300, three, 1_200, twelve, 1_000, ten, jersey)))


COMPUTED: dict[str, Callable[[], list[str]]] = {
    "A-01": a_01, "A-12": a_12, "A-13": a_13, "A-14": a_14, "A-15": a_15, "A-18": a_18, "A-19": a_19, "A-20": a_20,
    "A-41": a_14,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("number", COMPUTED)
def test_every_figure_of_a_reading_is_what_the_odds_make_it(number: str) -> None:
    assert figures(readings()[number]) == COMPUTED[number]()


def test_no_reading_has_a_figure_that_is_not_computed_here() -> None:
    assert {number for number, reading in readings().items() if figures(reading)} == set(COMPUTED)
