"""Progressives that tables share: contributions, hits, awards and resets, to the micro-cent and conserved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec.structs import replace

from baccarat.house.book import house_refuse
from baccarat.house.reason import HouseReason, refuse
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, Cents
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import progressive, progressive_cite, shares_of
from baccarat.table.bounds import Means, Micro


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a meter begins with, and what each wager adds to it and to the reserve, in micro-cents."""

    seed: Annotated[Micro, Means("what the meter begins with, in millionths of a cent")]
    contribution: Annotated[Micro, Means("what a wager adds to it, in millionths of a cent")]
    reserve: Annotated[Micro, Means("what a wager adds to the reserve, in millionths of a cent")] = 0


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A winning seat: at which table, when, and for how much of the meter."""

    table: str
    seat: int
    at: int
    percent: int = 100


class LinkedMeter(msgspec.Struct, frozen=True, kw_only=True):
    """One shared meter in micro-cents; frozen from its first recorded hit until the award."""

    terms: Terms
    displayed: int
    carried: int = 0
    """What came in while it was frozen: it belongs to the next jackpot."""
    hits: tuple[Hit, ...] = ()
    next_terms: Terms | None = None
    jackpot: int = 1


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """The meters that some tables share, and all that has come in and gone out, in micro-cents."""

    tables: tuple[str, ...]
    meters: dict[str, LinkedMeter]
    refills: bool = False
    other_reserve: int = 0
    reserve: int = 0
    contributed: int = 0
    seeded: int = 0
    paid: int = 0

    @property
    def displayed(self) -> int:
        """What all meters show."""
        return sum(meter.displayed for meter in self.meters.values())

    @property
    def carried(self) -> int:
        """What waits for the next jackpots."""
        return sum(meter.carried for meter in self.meters.values())

    @property
    def is_conserved(self) -> bool:
        """Whether contributions and seeds are what was paid, is shown, reserved or carried (M8)."""
        return self.contributed + self.seeded == self.paid + self.displayed + self.reserve + self.carried


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """A meter paid out: what each winner gets, in cents, and the link after it."""

    link: Link
    meter: str
    shares: tuple[tuple[Hit, int], ...]

    @property
    def total(self) -> int:
        """What is paid in all, in cents."""
        return sum(amount for _, amount in self.shares)


def terms_of(rules: Rulebook) -> dict[str, Terms]:
    """The terms of the meters that a rulebook's progressive has."""
    progress = progressive(rules)
    return {
        meter.name: Terms(seed=meter.seed, contribution=meter.contribution, reserve=meter.reserve)
        for meter in (progress.meters if progress else ())
    }


def cite(rules: Rulebook) -> tuple[str, ...]:
    """The clauses of the progressive."""
    return progressive_cite(rules.edition)


def link(tables: Mapping[str, Rulebook]) -> Link | Refused:
    """The progressive of tables that play it on the same terms, each meter at its seed."""
    assert tables, "a link joins tables"
    first, *others = tables.values()
    terms, progress = terms_of(first), progressive(first)
    if progress is None:
        return refuse(first, HouseReason.NOT_OFFERED, "table_offers_no_progressive", *cite(first))
    for rules in others:
        other = progressive(rules)
        alike = other is not None and (other.reserve, other.refills) == (progress.reserve, progress.refills)
        if not alike or terms_of(rules) != terms:
            return refuse(rules, HouseReason.OTHER_TERMS, "linked_tables_share_seeds_rates_and_reserve", *cite(rules))
    return Link(
        tables=tuple(tables),
        meters={name: LinkedMeter(terms=each, displayed=each.seed) for name, each in terms.items()},
        refills=progress.refills,
        other_reserve=progress.reserve,
        seeded=sum(each.seed for each in terms.values()),
    )


def contributions_of(linked: Link, *, wagers: int) -> tuple[dict[str, int], int]:
    """What this number of wagers in a round adds to each meter, and to the reserve, on the current terms."""
    assert wagers >= 0, "a number of wagers"
    kept = linked.other_reserve + sum(meter.terms.reserve for meter in linked.meters.values())
    return {name: meter.terms.contribution * wagers for name, meter in linked.meters.items()}, kept * wagers


def contribute(linked: Link, *, wagers: int) -> Link:
    """The link after this number of wagers in a round, on the current terms (reading A-15)."""
    return add(linked, *contributions_of(linked, wagers=wagers))


def add(linked: Link, amounts: Mapping[str, int], kept: int) -> Link:
    """The link after the contributions of a round to its meters, and to the reserve."""
    meters = {name: _feed_meter(meter, amounts[name]) for name, meter in linked.meters.items()}
    put_in = sum(amounts.values()) + kept
    return replace(linked, meters=meters, reserve=linked.reserve + kept, contributed=linked.contributed + put_in)


def _feed_meter(meter: LinkedMeter, amount: int) -> LinkedMeter:
    if meter.hits:
        return replace(meter, carried=meter.carried + amount)
    return replace(meter, displayed=meter.displayed + amount)


def raise_meter(linked: Link, *, meter: str, amount: int) -> Link:
    """The link after the house has put into a meter what was missing there."""
    assert amount > 0, "a meter falls by an award only"
    meters = {**linked.meters, meter: _feed_meter(linked.meters[meter], amount)}
    return replace(linked, meters=meters, seeded=linked.seeded + amount)


def record_hit(linked: Link, *, meter: str, hit: Hit) -> Link | Refused:
    """The link with a hit recorded: the first freezes the meter, others at the same time share it (A-18)."""
    current = linked.meters.get(meter)
    if current is None:
        return house_refuse(HouseReason.NOT_OFFERED, "no_such_shared_meter", "linked-figure", meter=meter)
    if hit.table not in linked.tables:
        return house_refuse(
            HouseReason.NO_SUCH_TABLE, "table_does_not_share_the_meter", "linked-figure", table=hit.table
        )
    if not 1 <= hit.percent <= 100 or hit.seat < 1:
        return house_refuse(HouseReason.WRONG_SUM, "no_part_of_a_meter", "linked-figure")
    if any((each.table, each.seat) == (hit.table, hit.seat) for each in current.hits):
        return house_refuse(HouseReason.TWICE, "hit_recorded_already", "linked-figure", seat=hit.seat, table=hit.table)
    if current.hits and (current.hits[0].at, current.hits[0].percent) != (hit.at, hit.percent):
        return house_refuse(HouseReason.FROZEN, "meter_frozen_at_its_first_hit", "linked-figure")
    return replace(linked, meters={**linked.meters, meter: replace(current, hits=(*current.hits, hit))})


def award(linked: Link, *, meter: str) -> Award | Refused:
    """The payment of a frozen meter: equal shares, odd cents to the lower seats; then it begins again."""
    current = linked.meters.get(meter)
    if current is None or not current.hits:
        return house_refuse(HouseReason.OUT_OF_ORDER, "meter_not_hit", "linked-figure", meter=meter)
    percent = current.hits[0].percent
    winners = sorted(current.hits, key=lambda hit: (hit.seat, linked.tables.index(hit.table)))
    amounts = shares_of(current.displayed, percent=percent, winners=len(winners))
    shares, total = tuple(zip(winners, amounts, strict=True)), sum(amounts)
    left = current.displayed - total * MICRO + current.carried
    terms, jackpot, put_up = current.terms, current.jackpot, 0
    if percent == 100:
        terms, jackpot = current.next_terms or current.terms, current.jackpot + 1
        put_up = terms.seed
    elif linked.refills:
        put_up = max(0, current.terms.seed - left)
    from_reserve = min(put_up, linked.reserve)
    fresh = LinkedMeter(
        terms=terms, displayed=left + put_up, jackpot=jackpot, next_terms=None if percent == 100 else current.next_terms
    )
    after = replace(
        linked,
        meters={**linked.meters, meter: fresh},
        reserve=linked.reserve - from_reserve,
        seeded=linked.seeded + put_up - from_reserve,
        paid=linked.paid + total * MICRO,
    )
    return Award(link=after, meter=meter, shares=shares)


def change_terms(linked: Link, *, meter: str, terms: Terms) -> Link | Refused:
    """The link with other terms for the next jackpot of a meter; the running one keeps its own (M8)."""
    current = linked.meters.get(meter)
    if current is None:
        return house_refuse(HouseReason.NOT_OFFERED, "no_such_shared_meter", "linked-figure", meter=meter)
    if terms.seed <= 0 or terms.contribution < 0 or terms.reserve < 0:
        return house_refuse(HouseReason.WRONG_SUM, "meter_has_a_seed_and_is_fed", "next-jackpot")
    return replace(linked, meters={**linked.meters, meter: replace(current, next_terms=terms)})


def displayed_cents(linked: Link) -> dict[str, Cents]:
    """What the displays show: whole cents."""
    return {name: Cents(meter.displayed // MICRO) for name, meter in linked.meters.items()}
