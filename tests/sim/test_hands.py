"""Hands that shuffle: each motion against an exact count, and what is left of the order against exact limits."""

from __future__ import annotations

from collections import Counter
from itertools import product

import msgspec
import numpy as np
import pytest

from baccarat import rulebook
from baccarat.audit.battery import battery
from baccarat.audit.battery.shoe import ShoeOrder, order_from_numbers
from baccarat.cards import Card, Suit
from baccarat.odds import odds
from baccarat.play.book import open_book
from baccarat.play.shoe import burn, rounds
from baccarat.sim.study import hand_motion as motion
from baccarat.sim.study import hands
from baccarat.sim.study.book_arrays import RANKS, first_cards_gains
from baccarat.sim.study.compiled import chance
from baccarat.sim.study.hands import (
    GROUPS,
    Model,
    _groups,
    _jackknife,
    fair_gap,
    hand_orders,
    procedure_fault,
    study_hands,
    usual_procedure,
)


def chi_square(found: Counter[tuple[int, ...]], exact: dict[tuple[int, ...], float], times: int) -> float:
    assert set(found) <= set(exact)
    return sum((found[key] - times * share) ** 2 / (times * share) for key, share in exact.items())


def test_a_riffle_has_the_chances_of_gilbert_shannon_and_reeds() -> None:
    """All 32 ways to mark five cards with coins, equally likely, undo a riffle: the exact chance of every order."""
    exact: dict[tuple[int, ...], float] = {}
    for coins in product((0, 1), repeat=5):
        back = [k for k in range(5) if not coins[k]] + [k for k in range(5) if coins[k]]
        order = [0] * 5
        for card, position in enumerate(back):
            order[position] = card
        exact[tuple(order)] = exact.get(tuple(order), 0.0) + 1 / 32
    found, state, room, times = Counter[tuple[int, ...]](), chance(5, 0), np.empty(10, np.int64), 20_000
    for _ in range(times):
        cards = np.arange(5)
        motion.riffle(cards, 0, 5, room, state)
        found[tuple(cards.tolist())] += 1
    assert chi_square(found, exact, times) < 60  # 26 orders: 25 degrees; 60 is past one in 10,000


def test_a_strip_reverses_packets_and_a_wash_keeps_clumps_as_often_as_their_mean_says() -> None:
    state, room = chance(6, 0), np.empty(2 * 416, np.int64)
    apart = together = 0
    for _ in range(400):
        cards = np.arange(416)
        motion.strip(cards, 0, 416, room, state, 8)
        steps = np.diff(cards)
        apart += int((steps != 1).sum())
        cards = np.arange(416)
        motion.wash(cards, room, state, 3)
        together += int((np.diff(cards) == 1).sum())
        assert sorted(cards.tolist()) == list(range(416))
    assert abs(apart / 400 - 415 / 8) < 1.5  # a packet ends after each card with a chance of one eighth
    # two cards stay together within a clump; or a clump falls behind the one before it by chance
    assert abs(together / 400 - 415 * (2 / 3) - 1) < 2


def test_lacing_puts_one_card_in_each_stretch_and_a_cut_and_a_plug_keep_the_order_of_their_parts() -> None:
    state, room = chance(7, 0), np.empty(2 * 416, np.int64)
    cards = np.arange(416)
    motion.lace(cards, room, state, 52)
    at = np.flatnonzero(cards < 52)
    assert cards[at].tolist() == list(range(52))
    assert cards[cards >= 52].tolist() == list(range(52, 416))
    assert np.diff(at).max() <= 15
    cards = np.arange(416)
    motion.cut(cards, 100, room)
    assert cards.tolist() == [*range(100, 416), *range(100)]
    cards = np.arange(416)
    motion.plug(cards, 403, room, state, 1)
    assert cards[cards < 403].tolist() == list(range(403))
    start = cards.tolist().index(403)
    assert cards[start : start + 13].tolist() == list(range(403, 416))


@pytest.mark.clause("MA-v2-4:5(g)(1)", "MA-v2-4:5(g)(3)", "MA-v2-4:5(g)(4)", "MA:5(a).2", "NJ:3.5(a)2")
def test_procedures_are_those_of_the_documents() -> None:
    assert usual_procedure(rulebook("ma-midi-1")) == ("plug", "riffle", "riffle", "riffle", "lace", "cut")
    by_elements = usual_procedure(rulebook("ma-midi-4"))
    assert by_elements == ("plug", "riffle", "riffle", "turn", "riffle", "strip", "lace", "cut")
    washed = rulebook("nj-punto-banco", shuffle_method=2, reshuffle_after_lace=None)
    assert usual_procedure(washed) == (
        "wash",
        *("riffle",) * 3,
        "turn",
        *("riffle",) * 3,
        "turn",
        *("riffle",) * 3,
        "cut",
    )
    for riffles in (3, 5, 9):
        assert procedure_fault(rulebook("ma-midi-4"), usual_procedure(rulebook("ma-midi-4"), riffles=riffles)) is None
    assert "5(g)(3)" in str(
        procedure_fault(rulebook("ma-midi-4"), ("plug", "riffle", "riffle", "strip", "lace", "cut"))
    )


@pytest.mark.slow
def test_what_a_fair_shuffle_and_a_mere_cut_leave_is_what_theory_says() -> None:
    rules = rulebook("ma-midi-4-ez")
    fair = study_hands(rules, seed=1, shoes=1_500, steps=("fair",))
    assert sum(fair_gap(416, d) for d in range(-415, 416)) == pytest.approx(1.0)
    assert abs(fair.next - fair.fair_next) < 4 * (fair.fair_next / (1_500 * 415)) ** 0.5
    assert fair.bits < 0.001
    assert fair.region < 0.005
    assert fair.tracker is not None
    assert fair.tracker.wagers < 100  # of 120,000 rounds
    kept = study_hands(rules, seed=1, shoes=1_500, steps=("cut",), model=Model(renew=1))
    assert kept.next == pytest.approx(414 / 415)
    book = open_book(rules)
    kinds = tuple(kind for kind in book.kinds if kind in book.verdicts)
    gains, weights = first_cards_gains(book, kinds)
    for kind, row in zip(kinds, gains, strict=True):
        assert (row * weights).sum() == pytest.approx(-float(odds(rules)[kind].edge))
    best = float((np.maximum(gains.max(axis=0), 0.0) * weights).sum())  # who knows the first two cards of every round
    assert kept.tracker is not None
    assert kept.tracker.error is not None
    assert kept.tracker.expected / (kept.tracker.rounds / kept.tracker.shoes) == pytest.approx(best, rel=0.02)
    assert abs(kept.tracker.gain - kept.tracker.expected) < 4 * kept.tracker.error


def test_three_riffles_a_pack_leave_a_tenth_of_old_neighbours() -> None:
    rules = rulebook("ma-midi-4")
    steps = ("plug", "riffle", "riffle", "strip", "riffle", "cut")
    found = study_hands(rules, seed=1, shoes=1_000, steps=steps, model=Model(plugs=13), tracker=False)
    assert found.next == pytest.approx(0.1008, abs=0.002)
    assert found.fair_next == pytest.approx(0.0024, abs=0.0001)
    one, two = (study_hands(rules, seed=s, shoes=50, tracker=False) for s in (1, 1))
    assert one == two


@pytest.mark.slow
def test_the_production_battery_rejects_hands_and_passes_a_fair_shuffle() -> None:
    rules = rulebook("ma-midi-4")

    def shoes(steps: tuple[str, ...] | None) -> list[ShoeOrder]:
        made: list[ShoeOrder] = []
        for order in hand_orders(rules, seed=3, shoes=120, steps=steps):
            made.append(order_from_numbers(order, last=made[-1] if made else None))
        return made

    assert not battery(rules, shoes(("fair",))).rejected
    found = battery(rules, shoes(None))
    assert {"rising since last", "neighbours since last"} <= {each.name for each in found.results if each.rejected}


@pytest.mark.clause("MA-v1-3:5(e).4", "MA-v4:5(e).2", "NJ:3.5(e).4")
@pytest.mark.parametrize("name", ["ma-midi-1", "ma-midi-4", "nj-punto-banco"])
def test_a_tracker_sits_through_the_rounds_that_the_table_deals(name: str) -> None:
    """The same orders dealt by the ordinary engine: cards burned, to the cover card, and the hand after it."""
    rules, shoes = rulebook(name), 30
    found = study_hands(rules, seed=4, shoes=shoes, steps=("riffle", "cut"), model=Model(renew=shoes))
    orders, numbers = np.empty((shoes, 416), np.int64), np.array([52, 8, 6, 52, 3, shoes, rules.edition.cut.at_least])
    steps = np.array([motion.RIFFLE, motion.CUT])
    motion.orders(np.arange(416), 0, shoes, 407, steps, numbers, chance(4, 1), orders)
    dealt = 0
    for order in orders.tolist():
        cards = tuple(Card(RANKS[number % 13], tuple(Suit)[number // 13 % 4]) for number in order)
        dealt += len(list(rounds(rules, cards, position=len(burn(rules, cards).cards))))
    assert found.tracker is not None
    assert found.tracker.rounds == dealt


@pytest.mark.clause("MA-v4:5(e).2", "MA-v4:5(e).4")
def test_a_tracker_does_not_see_cards_burned_face_down() -> None:
    """After a mere cut every card foretells the next: the first round of a shoe is known only if they were shown."""
    down, up = (
        study_hands(rulebook("ma-midi-4", burn_exposure=how), seed=1, shoes=300, steps=("cut",), model=Model(renew=1))
        for how in ("face_down", "face_up")
    )
    assert down.tracker is not None
    assert up.tracker is not None
    assert down.tracker.rounds == up.tracker.rounds
    more = (up.tracker.expected - down.tracker.expected) / (up.tracker.expected / (up.tracker.rounds / 300))
    assert 0.7 < more < 1.3  # of what a round brings: one round a shoe, but for shoes whose first round told nothing


def test_a_study_is_the_same_however_it_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of ten shoes go on from one block to the next."""
    rules, found, orders = rulebook("ma-midi-4"), [], []
    for at_once in (7, 256):
        monkeypatch.setattr(hands, "AT_ONCE", at_once)
        found.append(study_hands(rules, seed=2, shoes=64, steps=("riffle", "cut")))
        orders.append(list(hand_orders(rules, seed=2, shoes=30, steps=("riffle", "cut"))))
    one, other = found
    assert orders[0] == orders[1]
    assert msgspec.structs.replace(one, tracker=None) == msgspec.structs.replace(other, tracker=None)
    assert one.tracker is not None
    assert other.tracker is not None
    assert msgspec.structs.astuple(one.tracker) == pytest.approx(msgspec.structs.astuple(other.tracker))


def test_what_hands_cannot_do_is_refused() -> None:
    rules = rulebook("ma-midi-4")
    with pytest.raises(ValueError, match="no step 'fold'"):
        study_hands(rules, seed=1, shoes=1, steps=("fold",))
    with pytest.raises(ValueError, match="grab is 1 to 416, not 0"):
        study_hands(rules, seed=1, shoes=1, model=Model(grab=0))
    with pytest.raises(ValueError, match="shoes: 0; expected 1 at least"):
        study_hands(rules, seed=1, shoes=0)
    with pytest.raises(ValueError, match="laced is 1 to 208"):
        study_hands(rules, seed=1, shoes=1, model=Model(laced=400))


def test_groups_of_shoes_are_of_whole_sets() -> None:
    assert _groups(95, 10) == [range(start, min(start + 10, 95)) for start in range(0, 95, 10)]
    assert _groups(7, 10) == [range(7)]
    groups = _groups(10_003, 10)
    assert len(groups) == GROUPS
    assert [each.start for each in groups[1:]] == [each.stop for each in groups[:-1]]
    assert (groups[0].start, groups[-1].stop) == (0, 10_003)
    assert all(each.start % 10 == 0 for each in groups)


def test_the_jackknife_of_means_is_their_standard_error() -> None:
    own = np.random.default_rng(1).normal(size=(12, 4))
    without = [(own.sum(axis=0) - each) / 11 for each in own]
    assert _jackknife([tuple(each) for each in without]) == pytest.approx(own.std(axis=0, ddof=1) / 12**0.5)
    assert _jackknife([]) == [None] * 4


@pytest.mark.slow
def test_what_order_is_left_is_known_as_closely_as_its_errors_say() -> None:
    """Over other seeds the figures scatter so; of one set of cards no error is known."""
    rules = rulebook("ma-midi-4")
    found = [study_hands(rules, seed=seed, shoes=200, steps=("riffle", "cut"), tracker=False) for seed in range(24)]
    for name in ("next", "near", "bits", "region"):
        values = np.array([getattr(each, name) for each in found])
        errors = [getattr(each, f"{name}_error") for each in found]
        assert np.mean(errors) == pytest.approx(values.std(ddof=1), rel=0.5), name
    alone = study_hands(rules, seed=1, shoes=10, steps=("riffle", "cut"))
    assert (alone.groups, alone.next_error, alone.bits_error) == (1, None, None)
    assert alone.tracker is not None
    assert alone.tracker.error is None
