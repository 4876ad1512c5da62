"""Forgeries by an older version: a house that says that it ran one, to leave out what later ones must state."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import UNSET

from baccarat.table.step.abandoning import AbandonShoe
from corpus_base import ALL, PLAIN, SHARE, Evening, base, journal, older
from corpus_case import UNCOVERED, Case, Forge, KindMaker, Kinds, Names, forged, of_kind, remade_records, until
from corpus_honest import BY_VERSION_2
from corpus_reader import policy_of
from corpus_shoe import ACTS, following
from remade import Json, records_of

COVERAGE = Names(*["coverage"] * 3)
NEVER_IN_ORDER_1 = f"{SHARE[0].verifier.name}, whose share was asked for, is not named in the order of shoe 2"
"""What is said of a second shoe in which the witnesses of the first have no share."""


@cache
def downgraded() -> bytes:
    """Two witnesses have shares of the first order; the second has order 1."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), cards=UNSET).electronic().begun().round().given_up()
        number = evening.game.state.shoe.number
        while evening.game.state.shoe.number == number:
            evening.game.act()
        return evening.electronic(order=1).begun().round().given_up().over()


@cache
def _ended_by_one() -> bytes:
    """Cards of which nothing is on record, and one person who ends their shoe."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), cards=UNSET).round()
        evening.game.go("wager").do(AbandonShoe(reason="the count favours the players"), who="fay")
        return evening.over()


def _stated(version: int, **fields: object) -> Forge:
    """Every record names a version, and the opening states more."""

    def forge(records: list[Json]) -> None:
        for record in records:
            record["behaviour"] = version
        records[0].update(fields)

    return forge


def _adopted(records: list[Json]) -> list[Json]:
    """Two persons have said that the table is electronic; the next shoe has order 1."""
    _stated(3)(records)
    return following("kind_adopted", "shoe_committed", cards="electronic")(records)  # type: ignore[return-value]


def _without_witnesses(records: list[Json]) -> None:
    del records[0]["witnesses"]


def cases() -> Kinds:
    """All of them."""
    make = of_kind("order-1-on-record", "house", "an order that the house knew is dealt where none may be known", ACTS)
    electronic = _stated(3, cards="electronic", witnesses=[])
    yield (
        make.kind,
        [
            make.signed("electronic", electronic, of="order-1"),
            make.signed("committed", until("shoe_committed", electronic), of="order-1"),
            make.signed(
                "automated", until("shoe_committed", _stated(3, cards="automated", witnesses=[])), of="order-1"
            ),
            make.signed("adopted", _adopted, of="order-1"),
        ],
    )
    aim = "the shares of witnesses are avoided by an order that has none"
    make = of_kind("downgraded-to-order-1", "house", aim, COVERAGE)
    asked = policy_of(f"share watcher {SHARE[0].verifier}", witnessed=False, quorum="watcher")
    gap = "watcher, whose share was asked for, is not named in the order of shoe 1"
    fields: Json = {"keys": (), "gap": gap, "status": UNCOVERED, "status_without_rules": UNCOVERED}
    yield (
        make.kind,
        [
            _uncovered(make, "second-shoe", records_of(downgraded()), NEVER_IN_ORDER_1, ALL),
            _uncovered(make, "second-shoe-in-version-2", records_of(older(downgraded())), NEVER_IN_ORDER_1, ALL),
            make.given("asked-for", journal(base("order-1")), path="honest/order-1.jsonl", policy=asked, **fields),
        ],
    )
    yield from claimed()


def claimed() -> Kinds:
    """Tables that say less than they must, by a version that they claim or by their own."""
    aim = "what later versions demand is avoided by saying that an older one was run"
    make = of_kind("older-version-claimed", "house", aim, COVERAGE)
    in_order_1 = until("shoe_committed", _stated(2, cards="electronic", witnesses=[]))
    yield (
        make.kind,
        [
            _uncovered(make, "ended-by-one", records_of(older(_ended_by_one())), BY_VERSION_2),
            _uncovered(make, "electronic", forged(base("order-1"), in_order_1), BY_VERSION_2),
            _uncovered(make, "witnesses-not-stated", forged(base(), _unstated_in_version_2), BY_VERSION_2, ALL),
        ],
    )
    aim = "each shoe could name the witnesses that suit the house"
    make = of_kind("witnesses-not-on-record", "house", aim, COVERAGE)
    gap = "the opening does not say who has a share in the orders of the table"
    yield (
        make.kind,
        [
            _uncovered(make, "two-named", forged(base(), _without_witnesses), gap, ALL),
            _uncovered(make, "none-named", forged(base("house-alone"), _without_witnesses), gap),
        ],
    )


def _unstated_in_version_2(records: list[Json]) -> None:
    _stated(2)(records)
    _without_witnesses(records)


def _uncovered(make: KindMaker, name: str, records: list[Json], gap: str, keys: tuple[str, ...] = PLAIN) -> Case:
    """A table of which nothing is wrong, and not everything covered."""
    data = journal(remade_records(records))
    return make.case(name, data, keys=keys, gap=gap, status=UNCOVERED, status_without_rules=UNCOVERED)
