"""Counts: exact where theory is exact, and the known figures of a known count."""

from __future__ import annotations

import numpy as np
import pytest

from baccarat import WagerKind, rulebook
from baccarat.cards import Rank
from baccarat.odds import odds
from baccarat.picture.study_plot import counts_plot
from baccarat.play.book import open_book
from baccarat.sim.study import counts
from baccarat.sim.study.counts import effects_on_gain, linear_count, study_counts
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.round_columns import block_of

EZ = rulebook("ma-midi-4-ez")
KNOWN = {Rank(word): -1 for word in "4567"} | {Rank(word): 2 for word in "89"}


def test_the_best_small_count_on_dragon_7_is_the_known_one() -> None:
    found = linear_count(EZ, WagerKind.DRAGON7, level=2)
    assert {rank: tag for rank, tag in found.tags.items() if tag} == KNOWN
    assert found == linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN)
    assert found.correlation == pytest.approx(0.96419, abs=1e-5)
    finer = linear_count(EZ, WagerKind.DRAGON7, level=8)
    assert finer.correlation > 0.998


@pytest.mark.slow
def test_effects_of_removal_cancel_over_the_whole_shoe() -> None:
    """Taking any card at random changes nothing in the mean: the effects, weighed by the cards, sum to nought."""
    for kind in (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE, WagerKind.DRAGON7, WagerKind.PANDA8):
        assert abs(effects_on_gain(EZ, kind).sum()) < 1e-12


@pytest.mark.slow
def test_a_known_count_gains_what_is_known_of_it() -> None:
    linear = linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN)
    found = study_counts(EZ, linear, seed=1, shoes=1_500, index=4, depths=(14, 52))
    at, shallow = found.depths
    assert at.counter.share == pytest.approx(0.092, abs=0.004)
    assert at.counter.edge == pytest.approx(0.08, abs=0.008)
    assert at.counter.came_error is not None
    assert abs(at.counter.came - at.counter.per_shoe) < 4 * at.counter.came_error
    assert at.perfect.per_shoe > at.counter.per_shoe > shallow.counter.per_shoe
    assert at.rounds == pytest.approx(81.48, abs=0.15)
    # by the slope alone: between true counts of -4 and 6 the gain rises by the same for each point
    inner = [(count, gain) for count, (_, gain) in found.by_count.items() if -4 <= count <= 6]
    rise = np.polyfit([count for count, _ in inner], [gain for _, gain in inner], 1)[0]
    assert rise == pytest.approx(linear.slope, rel=0.05)


def test_the_exact_odds_before_any_round_are_in_the_mean_those_of_a_full_shoe() -> None:
    """Cards not seen are exchangeable: to whoever sees nothing every round is like the first, at fixed rounds."""
    linear = linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN)
    # a cover card so deep that nearly half the shoe stays behind it: few rounds, the same number but for one or two
    rules = rulebook("ma-midi-4-ez", cover_card_depth=14)
    found = study_counts(rules, linear, seed=4, shoes=400, index=-1000.0, depths=(200,))
    gain = found.depths[1].counter
    assert gain.share == 1.0
    assert gain.edge == pytest.approx(-float(odds(rules)[WagerKind.DRAGON7].edge), abs=0.004)


def test_without_a_last_hand_a_round_less_is_played_and_less_is_gained() -> None:
    linear = linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN)
    with_it, without = (study_counts(EZ, linear, seed=1, shoes=300, last_hand=last).depths[0] for last in (True, False))
    assert with_it.rounds - without.rounds == pytest.approx(1.0)
    assert with_it.perfect.per_shoe > without.perfect.per_shoe


@pytest.mark.parametrize("last_hand", [True, False])
def test_gains_by_the_true_count_are_those_of_the_rounds_that_are_played(last_hand: bool) -> None:
    """Whoever wagers in every round gains what all counts together gain."""
    linear = linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN)
    found = study_counts(EZ, linear, seed=1, shoes=100, index=-10_000, last_hand=last_hand, depths=(52,))
    shares, gains = zip(*found.by_count.values(), strict=True)
    assert sum(shares) == pytest.approx(1)
    assert found.depths[0].counter.share == 1
    assert np.dot(shares, gains) == pytest.approx(found.depths[0].counter.edge, rel=1e-9)


@pytest.mark.slow
def test_a_count_that_does_not_add_up_to_nought_is_balanced_first() -> None:
    """One more on every rank tells nothing: the same rounds are wagered in, and the same is gained."""
    plain = linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN)
    raised = linear_count(EZ, WagerKind.DRAGON7, tags={rank: KNOWN.get(rank, 0) + 1 for rank in Rank})
    assert (raised.correlation, raised.slope, raised.index) == pytest.approx(
        (plain.correlation, plain.slope, plain.index)
    )
    one, other = (study_counts(EZ, each, seed=2, shoes=200, index=4) for each in (plain, raised))
    assert (one.depths, one.by_count) == (other.depths, other.by_count)
    finer = study_counts(EZ, linear_count(EZ, WagerKind.DRAGON7, level=8), seed=1, shoes=1_000).depths[0]
    assert finer.counter.per_shoe > 0.88 * finer.perfect.per_shoe


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(ValueError, match="royal9 is no wager here; offered are player, banker, tie"):
        linear_count(EZ, WagerKind.ROYAL9)
    with pytest.raises(ValueError, match="needs a rank"):
        linear_count(EZ, WagerKind.TIE, tags={})
    for depths, message in (((0,), r"depth of 0: 14 cards lie behind .* are 14 at least"), ((416,), r"has 416 cards")):
        with pytest.raises(ValueError, match=message):
            study_counts(EZ, linear_count(EZ, WagerKind.TIE), seed=1, shoes=2, depths=depths)
    deep = rulebook("ma-midi-4-ez", cover_card_depth=11)
    with pytest.raises(ValueError, match=r"of 11, as elected: the last round may lack cards; .* from 12 on"):
        study_counts(deep, linear_count(deep, WagerKind.TIE), seed=1, shoes=2)
    with pytest.raises(ValueError, match="at least two"):
        study_counts(EZ, linear_count(EZ, WagerKind.TIE), seed=1, shoes=1)


def test_no_count_of_ranks_foretells_a_wager_on_pairs_but_perfect_play_can_be_studied() -> None:
    linear = linear_count(EZ, WagerKind.HOUSE_MONEY)
    assert not any(linear.tags.values())
    assert (linear.correlation, linear.slope, linear.index) == (0.0, 0.0, None)
    found = study_counts(EZ, linear, seed=1, shoes=40, depths=(200,))
    assert [at.counter.share for at in found.depths] == [0.0, 0.0]
    assert list(found.by_count) == [0]
    (share, gain), edge = found.by_count[0], float(odds(EZ)[WagerKind.HOUSE_MONEY].edge)
    assert share == 1
    assert gain == pytest.approx(-edge, abs=0.02)
    tagged = linear_count(EZ, WagerKind.HOUSE_MONEY, tags=KNOWN)
    assert (tagged.correlation, tagged.slope, tagged.index) == (0.0, 0.0, None)
    counts_plot(found)  # a picture without a line that is foretold
    assert "predicts" in counts_plot(found)


@pytest.mark.slow
def test_royal_9_is_counted_by_the_ranks_of_its_hands_and_played_perfectly_by_suits() -> None:
    rules = rulebook("ma-midi-4-royal9")
    linear = linear_count(rules, WagerKind.ROYAL9)
    assert {rank.value for rank, tag in linear.tags.items() if tag < 0} <= {"9", "J", "Q", "K"}
    assert linear.name == "Royal 9 Baccarat Progressive, chair 1"
    found = study_counts(rules, linear, seed=1, shoes=300, index=-1000.0, depths=(200,))
    for at in found.depths:
        assert at.counter.share == 1
        assert at.counter.edge == pytest.approx(-float(odds(rules)[WagerKind.ROYAL9].edge), abs=0.02)
        assert at.counter.came_error is not None
        assert abs(at.counter.came - at.counter.per_shoe) < 5 * at.counter.came_error
    assert found.depths[0].perfect.per_shoe >= found.depths[1].perfect.per_shoe >= 0


def test_the_picture_of_a_count_names_the_wager_and_marks_where_it_gains_and_from_where_was_wagered() -> None:
    found = study_counts(EZ, linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN), seed=1, shoes=40, index=4)
    picture = counts_plot(found)
    for words in ("What a unit on Dragon 7 Insurance gains", "gains from 3.5", "wagered from 4"):
        assert words in picture
    never = study_counts(EZ, linear_count(EZ, WagerKind.DRAGON7, tags={Rank.EIGHT: -1}), seed=1, shoes=40)
    assert "nan" not in counts_plot(never)


def test_an_index_and_tags_that_no_count_has_are_refused() -> None:
    linear = linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN)
    for index in (float("nan"), float("inf"), 1e30):
        with pytest.raises(ValueError, match="an index is a number from -10,000 to 10,000"):
            study_counts(EZ, linear, seed=1, shoes=2, index=index)
    for tag in (101, 10**15, 10**23):
        with pytest.raises(ValueError, match="tags are whole numbers from -100 to 100"):
            linear_count(EZ, WagerKind.DRAGON7, tags={Rank.ACE: tag})
    for shoes in (1, 10**12, 10**20):
        with pytest.raises(ValueError, match="takes 1,000,000,000 at most"):
            study_counts(EZ, linear, seed=1, shoes=shoes, index=4)


def test_blocks_of_samples_give_the_mean_and_error_of_them_all() -> None:
    samples = np.random.default_rng(3).normal(1e6, 1.0, (2, 5_000)) * [[1.0], [0.0]]
    found = Moments(2)
    for block in np.split(samples, [1, 1, 700, 4_000], axis=1):
        found.add(block)
    assert found.mean() == pytest.approx(samples.mean(axis=1), rel=1e-14)
    assert found.error() == pytest.approx(samples.std(axis=1, ddof=1) / 5_000**0.5, rel=1e-9)


def test_memory_does_not_grow_with_the_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same blocks again and again: the studies keep sums, not a figure for each shoe."""
    linear = linear_count(EZ, WagerKind.DRAGON7, tags=KNOWN)
    block = block_of(open_book(EZ), 1, 0, 2, 0)
    monkeypatch.setattr(counts, "records", lambda *_, **__: iter([block._replace(first=10**15)] * 3))
    found = study_counts(EZ, linear, seed=1, shoes=10**9, index=4)
    once = study_counts(EZ, linear, seed=1, shoes=6, index=4)
    assert found.depths == once.depths
    assert found.depths[0].rounds == block.rows / 2
