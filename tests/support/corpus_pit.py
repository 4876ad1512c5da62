"""Forgeries of what a pit opened, and of the order in which what an act leads to is entered in several streams.

The files end where the forgery is found, and every stream of a house is signed and cosigned to its end.
"""

from __future__ import annotations

from collections.abc import Callable

from baccarat.law.rulebook import rulebook
from corpus_base import DEADLINE, SHARE, twin
from corpus_case import UNCOVERED, Case, KindMaker, Kinds, of_kind
from corpus_house import BOOKS, KEYS, STREAMS, house, house_journal_of, record_of, upto
from remade import Json

Change = Callable[[list[Json]], list[Json]]


def of_house(make: KindMaker, name: str, change: Change, **fields: object) -> Case:
    """A case of the linked house."""
    return make.case(name, house_journal_of(change(house())), **{"keys": KEYS, **fields})


# ------------------------------------------------------------------------------------------------------- openings


def _opened(**fields: object) -> Change:
    """The first table is opened otherwise than its pit has opened it; the house ends there."""

    def change(records: list[Json]) -> list[Json]:
        at = _index(records, "table T1", 0)
        records[at].update(fields)
        return records[: at + 1]

    return change


def _index(records: list[Json], stream: str, seq: int) -> int:
    return next(index for index, each in enumerate(records) if (each["stream"], each["seq"]) == (stream, seq))


def _under_other_rules(records: list[Json]) -> list[Json]:
    """The table is opened under rules that were filed too, and that its pit has not given notice of."""
    rules = rulebook("ma-midi-4")
    return _opened(rulebook=rules.hash, submission=dict(rules.submission))(records)


def _unknown_book(records: list[Json]) -> list[Json]:
    """An act is entered in a book that no house has."""
    opening, brought = twin(records[_index(records, "cage", 0)]), twin(record_of(records, "bankroll_brought"))
    for record in (opening, brought):
        record["stream"] = "safe"
    at = _index(records, "cage", 1)
    return [*records[: at + 1], opening, brought]


def _unknown_table(records: list[Json]) -> list[Json]:
    """Somebody sits down at a table of which no pit knows."""
    opening, sat = twin(records[_index(records, "table T1", 0)]), twin(record_of(records, "sat"))
    for record in (opening, sat):
        record["stream"] = "table T9"
    return [*records[: records.index(record_of(records, "sat"))], opening, sat | {"seq": 1, "event": 0}]


OPENINGS: dict[str, Change] = {
    "electronic": _opened(cards="electronic"),
    "witnesses": _opened(witnesses=[str(SHARE[0].verifier)]),
    "no-witnesses": _opened(witnesses=[]),
    "other-rules": _under_other_rules,
    "no-such-book": _unknown_book,
}


def openings() -> Kinds:
    """Streams that are opened otherwise than the house has opened them."""
    make = of_kind("opened-otherwise", "house", "a table is another one than its pit opened", BOOKS)
    found = [of_house(make, name, change, status_without_rules=UNCOVERED) for name, change in OPENINGS.items()]
    yield make.kind, [*found, _deadline(make)]
    make = of_kind("table-of-no-pit", "house", "a table is played that no pit has opened", STREAMS)
    yield make.kind, [of_house(make, "sat", _unknown_table)]


def _deadline(make: KindMaker) -> Case:
    """An electronic table whose seeds are due within a minute, as its stream says, and at any time, by its pit."""
    change = _opened(cards="electronic", reveal_within=DEADLINE)
    records = change(_electronic_house())
    return make.case("deadline", house_journal_of(records), keys=KEYS, status_without_rules=UNCOVERED)


def _electronic_house() -> list[Json]:
    """The linked house, whose pit says that its first table is electronic."""
    records = house()
    opened = record_of(records, "table_opened")
    opened["command"]["cards"] = opened["events"][0]["cards"] = "electronic"
    return records


# ------------------------------------------------------------------------------------------------------- the order


def _exchanged(records: list[Json]) -> list[Json]:
    """What an act led to in two streams is entered in another order than in its list."""
    made = upto(record_of(records, "tables_linked"), records)
    one, two = _index(made, "table T1", 1), _index(made, "table T2", 1)
    made[one], made[two] = made[two], made[one]
    return made


def _act_between(records: list[Json]) -> list[Json]:
    """Somebody sits down between an act and what it led to."""
    at = _index(records, "table T3", 1)
    return [*records[:at], records[_index(records, "table T1", 2)], records[at]]


def _led_to_nothing(records: list[Json]) -> list[Json]:
    """A table is linked a second time, and nobody did that."""
    made = upto(record_of(records, "tables_linked"), records)
    again = twin(made[_index(made, "table T1", 1)])
    return [*made, again | {"seq": 2, "event": 1}]


def _end_missing(records: list[Json]) -> list[Json]:
    """The last record that an act led to is missing at the end."""
    return upto(record_of(records, "tables_linked"), records)[:-1]


ORDERS: dict[str, Change] = {"exchanged": _exchanged, "act-between": _act_between}
UNLED: dict[str, Change] = {
    "led-to-nothing": _led_to_nothing,
    "end-missing": _end_missing,
    "act-instead": lambda records: _act_between(records)[:-1],
}


def orders() -> Kinds:
    """What an act leads to is entered directly after it, in the order of its list."""
    make = of_kind("led-to-in-another-order", "house", "an act is put before what another has led to", BOOKS)
    yield make.kind, [of_house(make, name, each, status_without_rules=UNCOVERED) for name, each in ORDERS.items()]
    make = of_kind("led-to-otherwise", "house", "an act leads to less, or to more, than its record says", STREAMS)
    yield make.kind, [of_house(make, name, change) for name, change in UNLED.items()]
    make = of_kind("meters-of-a-link", "house", "a table shows other meters than its link", BOOKS)
    found = [of_house(make, name, change, status_without_rules=UNCOVERED) for name, change in SHOWN.items()]
    yield make.kind, found


def _shown(change: Callable[[Json], object]) -> Change:
    def forge(records: list[Json]) -> list[Json]:
        record = record_of(records, "meters_shown")
        change(record)
        return upto(record, records)

    return forge


def _not_shown(record: Json) -> None:
    del record["shown"]
    record["events"] = [each for each in record["events"] if each["event"] != "meters_shown"]


SHOWN: dict[str, Change] = {
    "not-shown": _shown(_not_shown),
    "in-the-command-alone": _shown(lambda r: r["shown"]["meters"].update(star="1")),
}


def cases() -> Kinds:
    """All of them."""
    yield from openings()
    yield from orders()
