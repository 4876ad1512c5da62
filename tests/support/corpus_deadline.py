"""Forgeries of the deadline for seeds: stops that nobody stated, at the wrong time, and play while one holds."""

from __future__ import annotations

from corpus_base import DEADLINE, event, twin, with_event
from corpus_case import Forge, Kinds, of_kind, until
from corpus_shoe import ACTS, SHOES, again, moved
from remade import Json


def _said(due_for: int = DEADLINE, within: int = DEADLINE) -> Forge:
    """The clock says something else."""

    def forge(records: list[Json]) -> None:
        event(records, "seed_overdue").update(due_for=due_for, within=within)
        with_event(records, "seed_overdue")["command"]["due_for"] = due_for

    return forge


def _stated(within: int | None) -> Forge:
    """The opening states another deadline, or none."""

    def forge(records: list[Json]) -> None:
        records[0].pop("reveal_within", None)
        if within is not None:
            records[0]["reveal_within"] = within

    return forge


def _dealt(records: list[Json]) -> None:
    """A card is shown once more after the stop, with its proof."""
    records.append(twin(with_event(records, "card_turned")))


def cases() -> Kinds:
    """All of them."""
    make = of_kind("deadline-not-on-record", "house", "a table is stopped by a deadline that nobody stated", ACTS)
    stop = "seed_overdue"
    yield (
        make.kind,
        [
            make.signed("none", until(stop, _stated(None)), of="overdue"),
            make.signed("a-later-one", until(stop, _stated(2 * DEADLINE)), of="overdue"),
            make.signed("said-otherwise", until(stop, _said(within=DEADLINE - 1)), of="overdue"),
        ],
    )
    make = of_kind("overdue-at-the-wrong-time", "house", "a table is stopped though its seed is not overdue", ACTS)
    yield (
        make.kind,
        [
            make.signed("a-second-early", until(stop, _said(due_for=DEADLINE - 1)), of="overdue"),
            make.signed("before-the-end", moved(stop, after="order_sealed"), of="overdue"),
            make.signed("after-the-seed", moved(stop, after="seed_revealed"), of="overdue"),
            make.signed("after-the-loss", moved(stop, after="seed_lost"), of="overdue-and-lost"),
            make.signed("twice", until("seed_revealed", again(stop)), of="overdue"),
        ],
    )
    make = of_kind("dealt-while-overdue", "dealer", "a table goes on though it owes the seed of a shoe", ACTS)
    yield make.kind, [make.signed("a-card", until(stop, _dealt), of="overdue")]
    make = of_kind("deadline-without-seeds", "house", "a deadline is promised where no seed is ever shown", SHOES)
    yield (
        make.kind,
        [
            make.signed("real-cards", _stated(DEADLINE), of="real-cards"),
            make.signed("cards-not-stated", _stated(DEADLINE), of="unstated"),
        ],
    )
