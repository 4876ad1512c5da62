"""Figures exactly at a limit, and one beyond it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from baccarat import BANKER, PLAYER, WagerKind, rulebook
from baccarat.cards import Rank
from baccarat.law.row import WagerResult
from baccarat.money import MICRO
from baccarat.odds import ShoeCounts, bulk, effect_of_removal, groups, must_hit_seat, odds, press, royal9, together
from baccarat.odds.engine import EngineName
from baccarat.odds.gain import unit_gain
from baccarat.odds.series import edges_from
from baccarat.play.book import Book, WagerVerdict, open_book

MA = "ma-midi-4"


def test_a_press_up_to_the_maximum_is_taken_and_a_cent_more_is_not() -> None:
    """One pair pays 3 to 1 on $5, two pairs more: the payout fills the wager up to its maximum, or goes over it."""
    strict, open_handed = (rulebook(MA, press_over_max=over) for over in (False, True))
    book = open_book(strict)
    most = book.limits[PLAYER].max
    one, two = (verdict.odds for verdict in book.early[WagerKind.HOUSE_MONEY][1:])
    assert one is not None
    assert two is not None
    for pays in (one, two):
        at_most = most - book.portion.part(pays.payout(500))
        kept, wanted = (press(rules, PLAYER, stake=500, beside=at_most) for rules in (strict, open_handed))
        if pays is two:  # the larger payout fits, so both are pressed
            assert kept == wanted
        else:  # with one pair it fits, with two it does not
            assert kept.always != wanted.always
        over = press(strict, PLAYER, stake=500, beside=at_most + 100)
        assert over.always != press(open_handed, PLAYER, stake=500, beside=at_most + 100).always
    never = press(strict, PLAYER, stake=500, beside=most - book.portion.part(one.payout(500)) + 100)
    assert never.always == never.never == never.best


def test_as_many_cards_of_a_kind_as_there_can_be_and_no_more() -> None:
    for counts, more in ((([8] * 52), 52), (([32] * 13), 13), (([128] + [32] * 9), 10)):
        assert ShoeCounts.of(counts, decks=8).size == 416
        for index in range(more):
            with pytest.raises(ValueError, match=r"hold no more than (32|8|128)$"):
                ShoeCounts.of([*counts[:index], counts[index] + 1, *counts[index + 1 :]], decks=8)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_bulk_takes_a_million_of_a_kind_and_no_more(engine: EngineName) -> None:
    rules, most = rulebook(MA), np.full((1, 10), 1_000)
    most[0, 3] = bulk.MOST_OF_A_KIND
    assert np.isfinite(bulk.edges(rules, most, engine=engine)[BANKER]).all()
    most[0, 3] = bulk.MOST_OF_A_KIND + 1
    with pytest.raises(ValueError, match=r"shoe 0: 1e\+06 cards of value 3; no shoe holds more than 1,000,000"):
        bulk.edges(rules, most, engine=engine)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_no_finish_comes_less_often_than_never(engine: EngineName) -> None:
    """Where cards are so many that numbers are rounded, what is taken back may exceed what it is taken from."""
    shoes = [
        [1, 0, 1, 0, 0, 0, 1, 0, 1, 100_000], [0, 100_000, 1, 2, 100_000, 0, 0, 0, 0, 100_000],
        [1, 0, 0, 0, 1, 1, 0, 0, 1_000_000, 0], [1_000_000, 1, 0, 0, 2, 0, 1, 0, 1, 0],
    ]  # fmt: skip
    found = bulk.joint(rulebook("nj-punto-banco"), np.array(shoes), engine=engine)
    assert (found >= 0).all()


def test_the_must_hit_at_its_start_at_its_last_cent_and_beyond() -> None:
    rules = rulebook("ma-midi-4-royal9")
    terms = rules.elections.must_hit
    assert terms is not None
    last = must_hit_seat(rules, meter=terms.ceiling - 1)
    assert last.chance == 1
    first = must_hit_seat(rules, meter=terms.start)
    assert first.chance == Fraction(terms.contribution + 1, terms.ceiling - terms.start + 1)
    second = must_hit_seat(rules, meter=terms.start + 1)
    assert second.chance == Fraction(terms.contribution, terms.ceiling - terms.start - 1)
    for meter in (terms.ceiling, terms.ceiling + 1, terms.start - 1):
        with pytest.raises(ValueError, match="meter"):
            must_hit_seat(rules, meter=meter)


def test_edges_are_remembered_by_the_wagers_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, shoe = rulebook(MA), np.array([[128] + [32] * 9])
    asked: list[object] = []

    def watched(book: Book, verdict: WagerVerdict) -> Fraction:
        asked.append(verdict)
        return unit_gain(book, verdict)

    monkeypatch.setattr(groups, "unit_gain", watched)
    first = bulk.edges(rules, shoe)
    asked.clear()
    again = bulk.edges(rules, shoe)
    assert not asked, "gains are found once for a rulebook"
    one = bulk.edges(rules, shoe, wagers=[BANKER])[BANKER]
    assert [*one] == pytest.approx([*first[BANKER]], abs=1e-14)
    for kind, each in again.items():
        assert [*each] == [*first[kind]]
        assert [*each] == pytest.approx([float(odds(rules)[kind].edge)], abs=1e-13)


def test_where_nothing_is_gained_by_pressing_nothing_is_pressed() -> None:
    """Eight decks' kings alone: every hand is a pair, and every round a tie."""
    found = press(rulebook(MA), PLAYER, ShoeCounts.of({"K": 32}, decks=8))
    assert found.pressed == 0
    assert found.always == found.best == found.never


def test_the_fewest_cards_from_which_something_is_told() -> None:
    rules = rulebook("nj-punto-banco")
    six, seven = (ShoeCounts.of({"9": 3, "K": number}, decks=8) for number in (3, 4))
    assert edges_from(rules, six, None)
    assert edges_from(rules, ShoeCounts.of({"9": 3, "K": 2}, decks=8), None) == {}
    effects = effect_of_removal(rules, seven)[PLAYER]
    assert effects[Rank.NINE] is not None
    with pytest.raises(ValueError, match="6 cards are left"):
        effect_of_removal(rules, six)


def test_wagers_together_are_won_lost_or_even_as_a_whole() -> None:
    rules = rulebook("nj-punto-banco-exempt")
    prices = odds(rules)
    pair = together(rules, {BANKER: 1, PLAYER: 1})
    assert pair.edge * 2 == prices[BANKER].edge + prices[PLAYER].edge, "neither frees the other"
    six = together(rules, {BANKER: 1, WagerKind.TOTAL6: 1})
    for line in six.lines:
        wanted = WagerResult.WIN if line.gain > 0 else WagerResult.PUSH if line.gain == 0 else WagerResult.LOSE
        assert line.result is wanted
    assert six.hit > 0
    assert len({line.gain for line in six.lines if line.result is WagerResult.LOSE}) > 1
    assert six.paytable == six.lines, "losses of several sizes are kept apart"


def test_only_a_meter_that_is_won_whole_is_seeded_anew() -> None:
    nines = royal9(rulebook("ma-midi-1-royal9"))
    rows = {line.row: line for line in nines.chairs[1].lines}
    major = next(meter for meter in nines.progress.meters if meter.name == "major")
    assert any(prize.meter == "major" and prize.percent < 100 for prize in nines.progress.prizes)
    assert nines.seed_per_wager(1)["major"] == rows["Exact Match Personal Progressive"].probability * major.seed / MICRO
