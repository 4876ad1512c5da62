"""Progressives that tables share: contributions, hits, awards, resets, to the micro-cent; Must Hit under seal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.house.progressive import (
    Award,
    Hit,
    Link,
    Terms,
    award,
    change_terms,
    contribute,
    displayed_cents,
    link,
    record_hit,
)
from baccarat.house.reason import HouseReason
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.play.refusal import Refused

clause = pytest.mark.clause
RULES = rulebook("ma-midi-4-royal9")
EARLY = rulebook("ma-midi-1-royal9")
TABLES = {"T1": RULES, "T2": RULES}


def linked(**changes: object) -> Link:
    rules = rulebook("ma-midi-4-royal9", **changes) if changes else RULES
    made = link({"T1": rules, "T2": rules})
    assert isinstance(made, Link)
    return made


def with_hit(made: Link, meter: str, *hits: Hit) -> Link:
    for hit in hits:
        outcome = record_hit(made, meter=meter, hit=hit)
        assert isinstance(outcome, Link), outcome
        made = outcome
    return made


def paid(made: Link, meter: str) -> Award:
    outcome = award(made, meter=meter)
    assert isinstance(outcome, Award), outcome
    assert outcome.link.is_conserved
    return outcome


def refused(outcome: object) -> HouseReason:
    assert isinstance(outcome, Refused), outcome
    assert outcome.cites
    assert isinstance(outcome.code, HouseReason)
    return outcome.code


# --------------------------------------------------------------------------------------- Royal 9, linked


@clause("MA-v3-4:12(i).pay1", "MA-v3-4:12(i).pay2", "MA-v3-4:12(i).pay3")
def test_12_i_each_wager_at_any_table_feeds_the_shared_meters() -> None:
    made = contribute(contribute(linked(), wagers=3), wagers=1)
    assert {name: meter.displayed for name, meter in made.meters.items()} == {
        "star": (5_000_000 + 4 * 45) * MICRO,
        "spade": (35_000 + 4 * 25) * MICRO,
        "heart": (35_000 + 4 * 25) * MICRO,
    }
    assert made.is_conserved
    assert str(displayed_cents(made)["spade"]) == "$351.00"


def test_a_15_a_rate_of_nine_per_cent_of_less_than_a_cent_is_kept_to_the_micro_cent() -> None:
    made = linked(royal9={
        "combos": {"1": "SH", "2": "SD", "3": "CH", "4": "CD", "5": "HS", "6": "HC", "7": "DS"},
        "seeds": {"star": 100, "spade": 100, "heart": 100}, "rates_bp": {"star": 1, "spade": 3, "heart": 7},
    })  # fmt: skip
    made = contribute(made, wagers=1)
    assert made.meters["star"].displayed == 100 * MICRO + 50_000, "a hundredth of a per cent of $5 is 0.05 cents"
    assert made.is_conserved


@clause("MA-v1-2:12(i).pay1", "MA-v3-4:12(i).pay1")
def test_12_i_a_won_meter_is_paid_as_displayed_and_begins_at_its_seed() -> None:
    made = contribute(linked(), wagers=7)
    outcome = paid(with_hit(made, "star", Hit(table="T2", seat=3, at=1)), "star")
    assert [(hit.table, hit.seat, amount) for hit, amount in outcome.shares] == [("T2", 3, 5_000_315)]
    after = outcome.link.meters["star"]
    assert (after.displayed, after.jackpot, after.hits) == (5_000_000 * MICRO, 2, ())
    assert outcome.link.meters["spade"].jackpot == 1


def test_a_18_winners_at_the_same_time_share_equally_and_the_lower_seat_has_the_odd_cent() -> None:
    made = contribute(linked(), wagers=3)
    hits = (Hit(table="T1", seat=5, at=9), Hit(table="T2", seat=2, at=9))
    outcome = paid(with_hit(made, "spade", *hits), "spade")
    assert [(hit.table, hit.seat, amount) for hit, amount in outcome.shares] == [("T2", 2, 17_538), ("T1", 5, 17_537)]
    assert outcome.total == 35_075


def test_a_18_a_frozen_meter_does_not_grow_and_what_comes_in_is_carried() -> None:
    made = with_hit(contribute(linked(), wagers=1), "heart", Hit(table="T1", seat=1, at=5))
    later = contribute(made, wagers=4)
    assert later.meters["heart"].displayed == made.meters["heart"].displayed
    assert later.meters["heart"].carried == 100 * MICRO
    assert later.meters["spade"].displayed == (35_000 + 5 * 25) * MICRO
    assert later.is_conserved
    outcome = paid(later, "heart")
    assert outcome.total == 35_025
    assert outcome.link.meters["heart"].displayed == (35_000 + 100) * MICRO


@clause("MA-v1-2:12(i).pay2")
@pytest.mark.parametrize("refills", [False, True])
def test_12_i_a_tenth_of_the_major_is_deducted_and_not_refilled_unless_filed(refills: bool) -> None:
    rules = rulebook("ma-midi-1-royal9", partial_refill_to_seed=refills)
    made = link({"T1": rules, "T2": rules})
    assert isinstance(made, Link)
    made = contribute(made, wagers=1)
    hit = record_hit(made, meter="major", hit=Hit(table="T1", seat=1, at=1, percent=10))
    assert isinstance(hit, Link)
    outcome = award(hit, meter="major")
    assert isinstance(outcome, Award)
    shown = made.meters["major"].displayed
    tenth = -(-(shown // MICRO) // 10)
    assert outcome.total == tenth, "raised to the cent"
    after = outcome.link.meters["major"]
    assert after.displayed == (5_000_000 * MICRO if refills else shown - tenth * MICRO)
    assert after.jackpot == 1
    assert outcome.link.is_conserved


def test_a_15_the_reserve_puts_up_the_next_seed_as_far_as_it_goes() -> None:
    made = contribute(linked(reserve_share_bp=5_000), wagers=2_000)
    held = made.reserve
    assert held == 2_000 * (45 + 25 + 25) * MICRO // 2
    outcome = paid(with_hit(made, "spade", Hit(table="T1", seat=1, at=1)), "spade")
    assert outcome.link.reserve == held - 35_000 * MICRO
    assert outcome.link.seeded == made.seeded, "the house put up nothing"
    little = contribute(linked(reserve_share_bp=5_000), wagers=20)
    assert 0 < little.reserve < 35_000 * MICRO
    outcome = paid(with_hit(little, "spade", Hit(table="T1", seat=1, at=1)), "spade")
    assert outcome.link.reserve == 0
    assert outcome.link.seeded == little.seeded + 35_000 * MICRO - little.reserve, "the house put up the rest"


def test_m8_terms_of_a_running_jackpot_do_not_change() -> None:
    terms = Terms(seed=70_000 * MICRO, contribution=10 * MICRO)
    made = change_terms(linked(), meter="spade", terms=terms)
    assert isinstance(made, Link)
    assert contribute(made, wagers=1).meters["spade"].displayed == 35_025 * MICRO
    outcome = paid(with_hit(made, "spade", Hit(table="T1", seat=1, at=1)), "spade")
    assert outcome.link.meters["spade"].displayed == 70_000 * MICRO
    assert contribute(outcome.link, wagers=1).meters["spade"].displayed == 70_010 * MICRO


@clause("MA-v1-2:12(i).pay2")
def test_m8_a_partial_award_ends_no_jackpot_so_the_next_terms_still_wait() -> None:
    made = link({"T1": EARLY})
    assert isinstance(made, Link)
    terms = Terms(seed=70_000 * MICRO, contribution=10 * MICRO)
    made = change_terms(made, meter="major", terms=terms)
    assert isinstance(made, Link)
    hit = record_hit(made, meter="major", hit=Hit(table="T1", seat=1, at=1, percent=10))
    assert isinstance(hit, Link)
    part = award(hit, meter="major")
    assert isinstance(part, Award)
    assert part.link.meters["major"].next_terms == terms
    assert part.link.meters["major"].terms == made.meters["major"].terms
    whole = record_hit(part.link, meter="major", hit=Hit(table="T1", seat=1, at=2))
    assert isinstance(whole, Link)
    after = award(whole, meter="major")
    assert isinstance(after, Award)
    assert (after.link.meters["major"].terms, after.link.meters["major"].next_terms) == (terms, None)


def test_12_i_a_partial_award_that_leaves_more_than_the_seed_takes_nothing_from_the_meter_but_itself() -> None:
    rules = rulebook("ma-midi-1-royal9", partial_refill_to_seed=True)
    made = link({"T1": rules})
    assert isinstance(made, Link)
    made = contribute(made, wagers=20_000)
    shown = made.meters["major"].displayed
    hit = record_hit(made, meter="major", hit=Hit(table="T1", seat=1, at=1, percent=10))
    assert isinstance(hit, Link)
    part = award(hit, meter="major")
    assert isinstance(part, Award)
    assert part.link.meters["major"].displayed == shown - part.total * MICRO > made.meters["major"].terms.seed
    assert part.link.seeded == made.seeded
    assert part.link.is_conserved


def test_a_15_what_is_kept_for_secondary_seeds_goes_into_the_reserve_of_the_link_too() -> None:
    made = contribute(linked(secondary_seed_bp=100), wagers=3)
    assert made.reserve == 3 * 5 * MICRO, "one per cent of $5"
    assert made.is_conserved
    both = contribute(linked(secondary_seed_bp=100, reserve_share_bp=5_000), wagers=2)
    assert both.reserve == 2 * 5 * MICRO + 2 * (45 + 25 + 25) * MICRO // 2


def test_what_a_link_refuses() -> None:
    other = rulebook("ma-midi-4-royal9", reserve_share_bp=100)
    differ = link({"T1": RULES, "T2": other})
    assert refused(differ) is HouseReason.OTHER_TERMS
    assert isinstance(differ, Refused)
    assert [cite.paragraph for cite in differ.cites] == ["12(i)"]
    secondary = rulebook("ma-midi-4-royal9", secondary_seed_bp=100)
    assert refused(link({"T1": RULES, "T2": secondary})) is HouseReason.OTHER_TERMS
    refilled = rulebook("ma-midi-1-royal9", partial_refill_to_seed=True)
    assert refused(link({"T1": EARLY, "T2": refilled})) is HouseReason.OTHER_TERMS
    assert isinstance(link({"T1": EARLY, "T2": EARLY}), Link)
    assert refused(link({"T1": RULES, "T2": rulebook("ma-midi-4")})) is HouseReason.OTHER_TERMS
    assert refused(link({"T1": rulebook("ma-midi-4")})) is HouseReason.NOT_OFFERED
    assert refused(link({"T1": rulebook("nj-punto-banco")})) is HouseReason.NOT_OFFERED
    made = with_hit(linked(), "star", Hit(table="T1", seat=1, at=5))

    def hit(meter: str = "star", **changes: object) -> object:
        said = {"table": "T2", "seat": 2, "at": 5, **changes}
        return record_hit(made, meter=meter, hit=Hit(**said))  # type: ignore[arg-type]

    assert refused(hit(meter="moon")) is HouseReason.NOT_OFFERED
    assert refused(hit(table="T9")) is HouseReason.NO_SUCH_TABLE
    assert refused(hit(seat=0)) is HouseReason.WRONG_SUM
    assert refused(hit(percent=101)) is HouseReason.WRONG_SUM
    assert refused(hit(table="T1", seat=1)) is HouseReason.TWICE
    assert refused(hit(at=6)) is HouseReason.FROZEN
    assert refused(hit(at=4)) is HouseReason.FROZEN, "the journal's order decides what came first"
    assert refused(hit(percent=10)) is HouseReason.FROZEN
    assert refused(award(made, meter="spade")) is HouseReason.OUT_OF_ORDER
    bad = Terms(seed=0, contribution=0)
    assert refused(change_terms(made, meter="star", terms=bad)) is HouseReason.WRONG_SUM
    assert refused(change_terms(made, meter="moon", terms=bad)) is HouseReason.NOT_OFFERED
    least = Terms(seed=1, contribution=0)
    assert isinstance(change_terms(made, meter="star", terms=least), Link), "a meter need not be fed"


METERS = ("star", "spade", "heart")
ACTS = st.one_of(
    st.tuples(st.just("contribute"), st.integers(0, 7)),
    st.tuples(st.just("hit"), st.sampled_from(METERS), st.integers(1, 7), st.sampled_from((10, 100))),
    st.tuples(st.just("award"), st.sampled_from(METERS)),
    st.tuples(st.just("terms"), st.sampled_from(METERS), st.integers(1, 10**12)),
)


@given(st.lists(ACTS, max_size=60), st.sampled_from((0, 1000, 3333)), st.booleans())
@pytest.mark.slow
def test_m8_a_link_is_conserved_to_the_micro_cent(acts: list[tuple[object, ...]], share_bp: int, refills: bool) -> None:
    made = linked(reserve_share_bp=share_bp) if share_bp else linked()
    made = made if not refills else Link(**{f: getattr(made, f) for f in made.__struct_fields__} | {"refills": True})
    given_out = 0
    for moment, act in enumerate(acts):
        before = made
        match act:
            case ("contribute", int(wagers)):
                made = contribute(made, wagers=wagers)
            case ("hit", str(meter), int(seat), int(percent)):
                hit = Hit(table="T1", seat=seat, at=moment // 4, percent=percent)
                outcome = record_hit(made, meter=meter, hit=hit)
                made = outcome if isinstance(outcome, Link) else made
            case ("award", str(meter)):
                payment = award(made, meter=meter)
                if isinstance(payment, Award):
                    made, given_out = payment.link, given_out + payment.total
            case ("terms", str(meter), int(seed)):
                changed = change_terms(made, meter=meter, terms=Terms(seed=seed, contribution=1))
                assert isinstance(changed, Link)
                made = changed
        assert made.is_conserved
        assert made.paid == given_out * MICRO
        assert all(meter.displayed >= 0 and meter.carried >= 0 for meter in made.meters.values())
        if act[0] != "award":
            falls = [name for name in METERS if made.meters[name].displayed < before.meters[name].displayed]
            assert not falls, "a meter falls only by a recorded award"
