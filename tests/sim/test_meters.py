"""Meters over tables and days: the cards of the tables' own shoes, the law of a link, to the micro-cent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from baccarat import PLAYER, Rulebook, rulebook
from baccarat.cards import Card
from baccarat.house.shared_must_hit import SharedMustHit, after_contribution, after_win, share_must_hit
from baccarat.money import MICRO
from baccarat.odds import royal9
from baccarat.odds.must_hit import must_hit
from baccarat.odds.royal9 import HANDS
from baccarat.play.book import open_book
from baccarat.play.wager.royal9 import Progressive, award, progressive
from baccarat.sim.stream import simulate_shoe
from baccarat.sim.study import strategy as play
from baccarat.sim.study.house_study import study_house
from baccarat.sim.study.meter_path import (
    MeterPath,
    MeterSeats,
    must_hit_path,
    must_hit_variance,
    pay_of,
    rounds_up_to,
)
from baccarat.sim.study.meters import POINTS, MeterStudy, moments_of, with_wins
from baccarat.sim.study.opening_hands import by_shoe, openings
from baccarat.sim.study.round_columns import records
from meter_study import study_meters

RULES = rulebook("ma-midi-4-royal9")
CHAIRS = (1, 2, 3, 4, 5, 6, 7)


def hands_of(cards: tuple[Card, ...]) -> dict[str, frozenset[Card]]:
    return {"player": frozenset(cards[0:4:2]), "banker": frozenset(cards[1:4:2])}


def rounds_of(rules: Rulebook, seed: int, first: int, shoes: int) -> list[tuple[Card, ...]]:
    """All rounds of a table's day, card by card, as the stream defines them."""
    depth = rules.elections.cover_card_depth or 0
    return [
        cards
        for number in range(first, first + shoes)
        for cards in simulate_shoe(open_book(rules), seed, number).rounds_to(depth)
    ]


@pytest.mark.parametrize("change", [{}, {"decks": 6}, {"cover_card_depth": 60}])
def test_opening_hands_are_those_of_the_shoes_card_by_card(change: dict[str, Any]) -> None:
    for name in ("ma-midi-1-royal9", "ma-midi-4-royal9"):
        if name == "ma-midi-1-royal9" and "decks" in change:
            continue
        book = open_book(rulebook(name, **change))
        fast, slow = openings(book, 5, 3, 30), by_shoe(book, 5, 3, 30)
        for one, other in zip(fast, slow, strict=True):
            assert one.tolist() == other.tolist()
        assert len(fast.shoe) > 50


def test_shoes_that_no_kernel_deals_have_opening_hands_too() -> None:
    rules = rulebook("ma-midi-4-royal9", cover_card_depth=1)
    found, block = openings(open_book(rules), 5, 0, 3), next(records(rules, seed=5, shoes=3))
    assert found.rounds.tolist() == np.diff(block.starts).tolist(), (
        "rounds that the shoe could not finish are not there"
    )
    assert len(found.shoe) > 10


ELECTED: tuple[dict[str, Any], ...] = (
    {},
    {"reserve_share_bp": 2_500},
    {"secondary_seed_bp": 300, "partial_refill_to_seed": True},
    {"royal9_return_stake": True},
)


@pytest.mark.slow
@pytest.mark.parametrize("elected", ELECTED)
def test_a_table_of_its_own_pays_what_the_rules_of_play_award_round_by_round(elected: dict[str, Any]) -> None:
    rules = rulebook("ma-midi-1-royal9", **elected)
    progress = progressive(rules)
    assert progress is not None
    found, wins = with_wins(rules, seats=(9, 1, 2, 5), seed=3, tables=2, days=4, shoes=2, link=False)
    paid, left, reserve = 0, 0, 0
    for table in range(2):
        meters = {meter.name: meter.seed for meter in progress.meters}
        for day in range(4):
            won = 0
            for cards in rounds_of(rules, 3, (table * 4 + day) * 2, 2):
                made = award(progress, meters, [1, 2, 5, 9], **hands_of(cards))
                meters, reserve = dict(made.after), reserve + made.reserve
                won -= sum(progress.net(made.rows[seat], made.awards[seat]) for seat in made.rows)
                paid += sum(made.awards.values())
            assert wins[table, day] == won
        left += sum(meters.values())
    assert found.paid == paid
    assert found.left_micro == left
    assert found.is_conserved
    assert found.reserve_micro <= reserve, "seeds come out of the reserve first (reading A-15)"
    assert sum(each.awards for each in found.meters) > 5
    assert found.won == wins.sum()


def linked_by_hand(progress: Progressive, days: Iterator[list[list[tuple[Card, ...]]]]) -> tuple[int, dict[str, int]]:
    """What seats 1 to 7 of some tables win out of meters that they share, and the meters: the law in a few lines."""
    meters, paid = {meter.name: meter.seed for meter in progress.meters}, 0
    for tables in days:
        for number in range(max(map(len, tables))):
            now = [rounds[number] for rounds in tables if number < len(rounds)]
            for meter in progress.meters:
                meters[meter.name] += meter.contribution * len(now) * len(CHAIRS)
            rows = [progress.row(seat, **hands_of(cards)) for cards in now for seat in CHAIRS]
            for prize in progress.prizes:
                winners = [row for row in rows if row is prize]
                if prize.meter and winners:
                    assert prize.percent == 100
                    cents = meters[prize.meter] // MICRO
                    paid += cents
                    seed = next(each.seed for each in progress.meters if each.name == prize.meter)
                    meters[prize.meter] += seed - cents * MICRO
    return paid, meters


@pytest.mark.slow
def test_linked_tables_feed_and_win_one_set_of_meters_round_by_round() -> None:
    progress = progressive(RULES)
    assert progress is not None
    found = study_meters(RULES, seats=CHAIRS, seed=8, tables=3, days=3, shoes=2, link=True)
    days = ([rounds_of(RULES, 8, (table * 3 + day) * 2, 2) for table in range(3)] for day in range(3))
    paid, meters = linked_by_hand(progress, days)
    assert sum(each.awards for each in found.meters) >= 10
    assert found.paid_micro == paid * MICRO
    assert found.left_micro == sum(meters.values())
    assert [each.left for each in found.meters] == [cents // MICRO for cents in meters.values()]
    assert found.is_linked
    assert found.is_conserved
    alone = study_meters(RULES, seats=CHAIRS, seed=8, tables=3, days=3, shoes=2)
    assert not alone.is_linked
    assert alone.rounds == found.rounds
    assert [each.times for each in alone.awarded] == [each.times for each in found.awarded], "the cards are the same"
    assert alone.left_micro > 2 * found.left_micro, "three seeds stand there, not one"


def number_of(hand: str) -> int:
    """The number of an opening hand, such as Ks9h."""
    return HANDS.index(frozenset({Card.parse(hand[:2]), Card.parse(hand[2:])}))


def king_9(suits: str) -> int:
    """The number of the hands: the Banker's is this King-9, the Player's no Royal 9."""
    return (len(HANDS) - 1) * len(HANDS) + number_of(f"K{suits[0]}9{suits[1]}")


def path_of(tables: int, rules: Rulebook = RULES) -> MeterPath:
    progress = progressive(rules)
    assert progress is not None
    return MeterPath(MeterSeats(rules, progress, CHAIRS, pay_of(progress, CHAIRS), (range(tables),)), range(tables))


def test_tables_that_win_a_meter_in_the_same_round_share_it_and_the_lower_seat_has_the_odd_cent() -> None:
    path, paid = path_of(3), np.zeros(3, np.int64)
    # chair 2 wins at the first table, chair 1 at the third: 21 wagers of 25 cents on a seed of $350.00
    path.day(np.array([4, 4, 4]), iter([(0, [(0, king_9("sd")), (2, king_9("sh"))])]), paid)
    assert paid.tolist() == [17_762, 0, 17_763]
    assert (path.found["spade"].awards, path.found["spade"].shared, path.times["Banker Personal King-9"]) == (1, 1, 2)
    assert path.link.is_conserved
    assert path.displayed_cents()[1] == 35_000 + 3 * 21 * 25, "begun again once, and three rounds more"


@pytest.mark.parametrize(("refills", "left"), [(False, 45_000_00), (True, 50_000_00)])
def test_a_whole_meter_is_paid_before_a_part_of_it_that_another_table_wins(refills: bool, left: int) -> None:
    path = path_of(2, rulebook("ma-midi-1-royal9", partial_refill_to_seed=refills))
    paid = np.zeros(2, np.int64)
    any_two = number_of("Kh9s") * len(HANDS) + number_of("Qh9s")  # chair 5: a tenth
    exact = number_of("Js9h") * len(HANDS) + number_of("Js9h")  # chair 1: all of it
    path.day(np.array([1, 1]), iter([(0, [(0, any_two), (1, exact)])]), paid)
    assert paid.tolist() == [5_000_00, 50_000_00 + 14 * 45], "a tenth of the seed, for the whole was paid first"
    assert path.displayed_cents()[0] == left
    assert path.link.is_conserved


def test_a_table_that_wins_a_round_later_wins_what_has_come_in_since() -> None:
    path, paid = path_of(2), np.zeros(2, np.int64)
    path.day(np.array([3, 2]), iter([(0, [(0, king_9("sd"))]), (1, [(1, king_9("sh"))])]), paid)
    assert paid.tolist() == [35_000 + 14 * 25, 35_000 + 14 * 25]
    assert path.found["spade"].shared == 0
    assert path.displayed_cents()[1] == 35_000 + 7 * 25, "the first table alone has a third round"


def test_the_longest_wait_counts_from_the_beginning_and_to_the_end() -> None:
    path, paid = path_of(1), np.zeros(1, np.int64)
    path.day(np.array([10]), iter([(3, [(0, king_9("sd"))]), (5, [(0, king_9("sd"))])]), paid)
    path.day(np.array([10]), iter([]), paid)
    path.end()
    assert path.found["spade"].longest == 14
    assert path.found["heart"].longest == 20
    assert path.found["spade"].highest == 35_000 + 4 * 7 * 25


def all_z(found: MeterStudy) -> list[float]:
    """Every z of a study; of rows and meters only those that are expected often enough to have a normal law."""
    often = [each.z for each in found.awarded if each.expected > 20]
    often += [each.z for each in found.meters if each.expected > 20 and each.z is not None]
    assert found.edge_z is not None
    return [*often, found.edge_z, *([found.must_hit.z] if found.must_hit and found.must_hit.z is not None else [])]


@pytest.mark.parametrize("link", [False, True])
def test_what_is_found_agrees_with_the_exact_chances(link: bool) -> None:
    found = study_meters(RULES, seats=(1, 2, 3), seed=2, tables=8, days=30, shoes=10, link=link)
    assert len(all_z(found)) > 7
    assert max(map(abs, all_z(found))) < 4
    assert found.is_conserved
    for each in found.awarded:
        assert abs(each.times - each.expected) < 4 * each.deviation + 1
    together = {each.row: each.deviation / each.expected**0.5 for each in found.awarded}
    assert together["Any Royal 9"] > 1.5, "chairs that share a hand win together: three vary nearly as one does"
    price = royal9(RULES)
    assert sum(each.expected for each in found.awarded) == pytest.approx(float(price.chairs[1].hit) * found.wagers)
    assert found.added_micro == sum(price.contribution.values(), Fraction(0)) * MICRO * found.wagers
    assert found.staked == found.wagers * 500 == found.rounds * 3 * 500
    assert found.exact_edge is not None
    if link:
        assert found.exact_edge > price.long_run_edge(1), "a shared award needs one new seed, not two"
        assert sum(each.shared for each in found.meters) > 0
    else:
        assert found.exact_edge == pytest.approx(float(price.long_run_edge(1)))


@pytest.mark.slow
def test_the_edge_by_exact_chances_is_that_of_the_long_run_in_both_pay_tables() -> None:
    for paytable in (1, 2):
        rules = rulebook("ma-midi-1-royal9", royal9={"paytable": paytable})
        found = study_meters(rules, seats=range(1, 10), seed=1, tables=2, days=2, shoes=1)
        assert found.exact_edge == pytest.approx(float(royal9(rules).long_run_edge(1)))
    kept = rulebook("ma-midi-1-royal9", reserve_share_bp=1_000)
    assert study_meters(kept, seats=(1,), seed=1, tables=1, days=1, shoes=1).exact_edge is None


def test_paths_are_percentiles_over_tables_or_the_one_path_of_a_link() -> None:
    alone = study_meters(RULES, seats=(1, 2), seed=1, tables=5, days=7, shoes=1)
    for meter in alone.meters:
        assert list(meter.path) == [5, 25, 50, 75, 95]
        assert [day for day, _ in meter.path[50]] == list(range(8))
        assert meter.path[50][0][1] == meter.path[5][0][1] == (5_000_000 if meter.name == "star" else 35_000)
        assert all(low <= high for (_, low), (_, high) in zip(meter.path[5], meter.path[95], strict=True))
    for meter in study_meters(RULES, seats=(1, 2), seed=1, tables=5, days=7, shoes=1, link=True).meters:
        assert list(meter.path) == [50]
        assert meter.path[50][-1] == (7, meter.left)
    many = moments_of(10_000)
    assert (many[0], many[-1], len(many) <= POINTS + 1) == (0, 10_000, True)


# ------------------------------------------------------------------------------------------------------ Must Hit


def test_a_must_hit_is_hit_as_often_as_it_must_be() -> None:
    terms = RULES.elections.must_hit
    assert terms is not None
    for link in (False, True):
        hit = study_meters(RULES, seats=(1, 2), seed=4, tables=6, days=40, shoes=12, link=link).must_hit
        assert hit is not None
        assert hit.hits > 150
        assert hit.z is not None
        assert abs(hit.z) < 4
        assert hit.is_conserved
        assert hit.exact_rounds == float(must_hit(RULES, participants=2).rounds)
        assert hit.error == pytest.approx((must_hit_variance(terms, 2) / (hit.hits + (1 if link else 6))) ** 0.5)
        assert abs(hit.mean_rounds - hit.exact_rounds) < 5 * hit.error
        assert hit.shortest is not None
        assert hit.longest is not None
        assert 1 <= hit.shortest <= hit.mean_rounds <= hit.longest <= 2_000
        assert 100_000 < hit.paid / hit.hits <= 200_000
        assert (100_000 if link else 600_000) <= hit.left <= (200_000 if link else 1_200_000)


def test_a_must_hit_that_was_not_hit_has_no_shortest_run() -> None:
    hit = study_meters(RULES, seats=(1,), seed=4, tables=1, days=1, shoes=1).must_hit
    assert hit is not None
    assert (hit.hits, hit.paid, hit.runs, hit.shortest) == (0, 0, 1, None)


def test_z_of_a_must_hit_holds_where_most_runs_are_not_over() -> None:
    hit = study_meters(RULES, seats=CHAIRS, seed=7, tables=300, days=1, shoes=2).must_hit
    assert hit is not None
    assert hit.hits < 300, "most tables see no hit in so few rounds"
    assert hit.longest is not None
    assert hit.longest < hit.exact_rounds, "and the hits that they see are those that come soon"
    assert hit.z is not None
    assert abs(hit.z) < 4


@pytest.mark.parametrize("link", [False, True])
def test_the_mean_of_a_must_hit_and_its_z_are_of_the_same_runs(link: bool) -> None:
    hit = study_meters(RULES, seats=(1, 2), seed=1, tables=2, days=2, shoes=12, link=link).must_hit
    assert hit is not None
    assert hit.runs == hit.hits + (1 if link else 2)
    assert hit.z == pytest.approx((hit.mean_rounds - hit.exact_rounds) / hit.error)


def test_the_variance_of_rounds_to_a_hit_is_exact() -> None:
    terms = RULES.elections.must_hit
    assert terms is not None
    for participants in (1, 3, 7):
        step = terms.contribution * participants
        needed = [max(1, -(-above // step)) for above in range(terms.ceiling - terms.start + 1)]
        mean = Fraction(sum(needed), len(needed))
        assert mean == must_hit(RULES, participants=participants).rounds
        variance = sum(number * (each - mean) ** 2 for each, number in Counter(needed).items()) / len(needed)
        assert must_hit_variance(terms, participants) == variance


def test_tables_that_share_a_must_hit_end_their_rounds_in_turn() -> None:
    terms = RULES.elections.must_hit
    assert terms is not None
    rounds = np.array([[700, 300], [500, 900], [701, 2]])
    order = [
        (table, day)
        for day in range(2)
        for number, table in product(range(1_000), range(3))
        if number < rounds[table, day]
    ]
    found = must_hit_path(terms, participants=7, rounds=rounds, chance=np.random.Generator(np.random.SFC64(1)))
    assert len(found.rounds) >= 8
    for position, where in zip(np.cumsum(found.rounds) - 1, found.days, strict=True):
        assert order[position] == where
    assert rounds_up_to(np.array([1, 3])).tolist() == [2, 3, 4]


def test_a_shared_must_hit_is_fed_and_won_as_the_house_keeps_it() -> None:
    rules = dict.fromkeys(("one", "two"), RULES)
    shared = share_must_hit(rules)
    assert isinstance(shared, SharedMustHit)
    rounds = np.array([[300, 500], [310, 480]])
    found = must_hit_path(shared.terms, participants=7, rounds=rounds, chance=np.random.Generator(np.random.SFC64(2)))
    amount = 7 * shared.terms.contribution
    for needed, cents in zip(found.rounds, found.awards, strict=True):
        for _ in range(needed - 1):
            shared = after_contribution(shared, amount)
        assert shared.meter + amount == cents
        shared = after_win(shared, amount)
    for _ in range(int(rounds.sum()) - sum(found.rounds)):
        shared = after_contribution(shared, amount)
    assert len(found.rounds) >= 3
    assert (shared.meter, shared.contributed, shared.paid) == (found.meter, found.fed, sum(found.awards))
    assert found.open > int(rounds.sum()) - sum(found.rounds), "the run that is not over needs more rounds"


# ----------------------------------------------------------------------------------------------------- the house


def test_the_house_wins_with_the_progressive_what_both_win() -> None:
    company = [play.flat(PLAYER, 10_000), play.flat(PLAYER, 2_500)]
    for link in (False, True):
        found = study_house(RULES, company, seed=5, tables=3, days=4, shoes=2, progressive=(1, 2), link=link)
        whole, meters = found.with_progressive, found.meters
        assert whole is not None
        assert meters is not None
        assert meters.rounds == round(found.day.rounds * 12), "the progressive is that of the rounds that were played"
        assert whole.win == pytest.approx(found.day.win + meters.won / 12)
        assert whole.staked == pytest.approx(found.day.staked + meters.staked / 12)
        assert whole.hold == pytest.approx(whole.win / (found.day.drop + meters.staked / 12))
        assert (whole.deviation or 0) > (found.day.deviation or 0) > 0
        assert [day for day, _ in whole.floor_path] == [1, 2, 3, 4]
        assert whole.floor_path[-1][1] == round(12 * whole.win)
    without = study_house(RULES, company, seed=5, tables=3, days=4, shoes=2)
    assert (without.meters, without.with_progressive) == (None, None)
    assert without.day == found.day


def test_chairs_that_cannot_make_the_wager_are_refused_before_the_tables_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baccarat.sim.study.house_study.block_of", None)
    with pytest.raises(ValueError, match="chairs with a combination"):
        study_house(RULES, [play.flat(PLAYER, 2_500)], seed=1, tables=1, days=1, progressive=(8,))


def test_what_no_progressive_could_do_is_refused() -> None:
    day: dict[str, Any] = {"seed": 1, "tables": 1, "days": 1}
    with pytest.raises(ValueError, match="not offered"):
        study_meters(rulebook("ma-midi-4"), seats=(1,), **day)
    with pytest.raises(ValueError, match="chairs with a combination"):
        study_meters(RULES, seats=(99,), **day)
    with pytest.raises(ValueError, match="chairs with a combination"):
        study_meters(RULES, seats=(), **day)
    with pytest.raises(ValueError, match="makes the progressive wager once"):
        study_meters(RULES, seats=(1, 2, 1), **day)
    with pytest.raises(ValueError, match="tables: 0; expected 1 at least"):
        study_meters(RULES, seats=(1,), seed=1, tables=0, days=1)
    with pytest.raises(ValueError, match="days of all tables together"):
        study_meters(RULES, seats=(1,), seed=1, tables=1_001, days=1_000)
    with pytest.raises(ValueError, match="shoes: 101; expected 100 at most"):
        study_meters(RULES, seats=(1,), **day, shoes=101)
