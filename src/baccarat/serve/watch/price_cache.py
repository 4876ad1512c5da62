"""Prices of the tables: exact odds of each rulebook, computed once, outside the event loop, and cached by its hash."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from fractions import Fraction

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.odds import Prices, odds, remarks
from baccarat.odds.show import line_rows, percent, rounded_text
from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.store.read_pool import ReadPool

MOST_KEPT = 64
"""How many rulebooks' prices are cached."""
DECIMAL_PLACES = 9


class PayLinePrice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a pay table: its probability, and what a unit gains by it; exact, as fractions."""

    row: str
    combinations: str
    probability: str
    gain: str
    pays: str = ""
    award: int | None = None


class Measures(msgspec.Struct, frozen=True, kw_only=True):
    """What a wager costs, for reading: percentages, and the deviation of a unit staked."""

    edge: str
    edge_resolved: str
    deviation: str
    hit: str
    push: str


class WagerPrice(msgspec.Struct, frozen=True, kw_only=True):
    """What a wager costs: the house edge of a unit staked, exactly and to nine places, and its spread."""

    wager: str
    name: str
    edge: str
    edge_decimal: str
    edge_resolved_decimal: str
    deviation_decimal: str
    hit_decimal: str
    push_decimal: str
    deals: str
    lines: list[PayLinePrice]
    measures: Measures
    table: list[tuple[str, ...]]
    """The pay table for reading: event, pays, combinations, probability, return; the total last."""


class RulebookPrices(msgspec.Struct, frozen=True, kw_only=True):
    """The prices of all wagers of a rulebook, from a full shoe."""

    rulebook: str
    edition: str
    title: str
    cards: int
    """How many cards the full shoe has from which it is priced."""
    wagers: list[WagerPrice]
    missing: dict[str, str]
    remarks: list[str]
    notes: list[str]


class PriceCache:
    """Computes prices once, and caches them."""

    def __init__(self, reading: ReadPool) -> None:
        self._reading = reading
        self._kept: OrderedDict[str, asyncio.Future[RulebookPrices]] = OrderedDict()
        self.tasks = OwnedTasks()
        """The prices that are being computed."""

    async def prices_of(self, rules: Rulebook) -> RulebookPrices:
        """The prices of a rulebook; concurrent callers wait for the same computation."""
        held = self._kept.get(rules.hash)
        if held is None:
            work = self._reading.run_in_thread(lambda: price_rulebook(rules))
            held = self.tasks.start(work, name=f"price {rules.hash[:12]}")
            self._kept[rules.hash] = held
            held.add_done_callback(lambda done: self._forget_failed(rules.hash, done))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return await asyncio.shield(held)

    def _forget_failed(self, hash_: str, done: asyncio.Future[RulebookPrices]) -> None:
        if done.cancelled() or done.exception() is not None:
            self._kept.pop(hash_, None)


def price_rulebook(rules: Rulebook) -> RulebookPrices:
    """The prices of a rulebook as they are shown."""
    found = odds(rules)
    return RulebookPrices(
        rulebook=rules.hash,
        edition=rules.edition.name,
        title=rules.edition.title,
        cards=found.shoe.size,
        wagers=list(_wagers(found)),
        missing={kind.word: why for kind, why in found.missing.items()},
        remarks=[str(each) for each in remarks(found, alone=True)],
        notes=list(found.notes),
    )


def _wagers(found: Prices) -> list[WagerPrice]:
    return [
        WagerPrice(
            wager=price.on.word,
            name=price.name,
            edge=str(price.edge),
            edge_decimal=_decimal(price.edge),
            edge_resolved_decimal=_decimal(price.edge_resolved),
            deviation_decimal=rounded_text(price.deviation, DECIMAL_PLACES),
            hit_decimal=_decimal(price.hit),
            push_decimal=_decimal(price.push),
            deals=str(price.deals),
            lines=[
                PayLinePrice(
                    row=line.row,
                    combinations=str(line.combinations),
                    probability=str(line.probability),
                    gain=str(line.gain),
                    pays="" if line.pays is None else str(line.pays),
                    award=None if line.award is None else int(line.award),
                )
                for line in price.paytable
            ],
            measures=Measures(
                edge=percent(price.edge),
                edge_resolved=percent(price.edge_resolved),
                deviation=rounded_text(price.deviation, 6),
                hit=percent(price.hit, 3),
                push=percent(price.push, 3),
            ),
            table=line_rows(price),
        )
        for price in found
    ]


def _decimal(value: Fraction | None) -> str:
    return "" if value is None else rounded_text(value, DECIMAL_PLACES).replace("−", "-")
