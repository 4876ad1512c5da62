"""A small house with three linked tables, honest and forged: records of several streams, meters, cage and pit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from baccarat.engine.idempotency_index import denial
from baccarat.house.stream import Stream
from baccarat.record.entry import written_refusal
from baccarat.record.journal import write_note
from baccarat.record.journal_file import JournalFile
from baccarat.record.origin import origin_of
from corpus_base import HOUSE, act, base, checkpoint, event, lines_of
from corpus_case import UNCOVERED, Case, Forge, Kinds, Names, of_kind
from house_journal import RULES, form_journal
from house_ruled_otherwise import day_closed
from journaled_house import JournaledHouse
from linked_floor import Floor
from remade import Json, records_of, renumbered

KEYS = ("house", "witness")
STREAMS = Names("house", "other streams", "other streams")
BOOKS = Names("house", "", "")


@cache
def _house() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            floor = Floor.opened(RULES, 2, JournaledHouse(RULES, file))
            for number in range(60):
                floor.act(("T1", "T2")[number % 2], check=False)
        return path.read_bytes()


def house() -> list[Json]:
    """The records of the house, of all its streams as they were written."""
    return records_of(_house())


def house_journal_of(records: list[Json]) -> bytes:
    """A journal whose house has signed every stream to its end, and had it cosigned."""
    streams = dict.fromkeys(record["stream"] for record in records)
    notes = []
    for stream in streams:
        own = [record for record in records if record["stream"] == stream]
        note = checkpoint(own, signer=HOUSE, origin=origin_of("example.org/house", Stream(stream)))
        notes.append(write_note(note, Stream(stream)))
    return b"".join([*lines_of(records), *notes])


def record_of(records: list[Json], event: str, nth: int = 0) -> Json:
    """A record that has an event of this name."""
    return [r for r in records if any(found["event"] == event for found in r.get("events", []))][nth]


def upto(record: Json, records: list[Json]) -> list[Json]:
    """The journal until a record, and what was entered together with it."""
    last = records.index(record)
    joined = record.get("joined", {})
    ends = [i for i, r in enumerate(records) if joined.get(r["stream"]) == r["seq"]]
    return records[: max([last, *ends]) + 1]


# ------------------------------------------------------------------------------------------------------- honest


def honest() -> Iterator[Case]:
    """The house as a whole, and single streams of it."""
    whole = house_journal_of(house())
    yield Case(path="honest/house.jsonl", data=whole, keys=KEYS, status=0, status_without_rules=UNCOVERED)
    for stream, gap in (
        ("table T1", "the act of the house that it follows is not in the file"),
        ("table T1", "the stream of the link, whose meters it shows, is not in the file"),
        ("table T1", "other streams that it was entered in are not in the file"),
        ("link main", "the house's own stream is not in the same file"),
        ("cage", "the house's own stream is not in the same file"),
    ):
        own = [record for record in house() if record["stream"] == stream]
        path = f"honest/house-{stream.replace(' ', '-')}.jsonl"
        yield Case(path=path, data=house_journal_of(own), keys=KEYS, status=3, status_without_rules=3, gap=gap)

    refused = "it was refused by a rule of the house, whose streams are not in the file"
    closed = [record for record in records_of(b"".join(day_closed())) if record["stream"].startswith("table ")]
    used = "the stream in which its id was used before is not in the file"
    for name, records, gap in (("day-over", closed, refused), ("id-used-elsewhere", _used_elsewhere(), used)):
        path, data = f"honest/table-{name}.jsonl", house_journal_of(records)
        yield Case(path=path, data=data, keys=KEYS, status=3, status_without_rules=3, gap=gap)
    gap = "the stream cage is not in the file: nothing was done in it, or it was left out"
    data = house_journal_of(_without("cage"))
    yield Case(path="honest/house-without-cage.jsonl", data=data, keys=KEYS, status=3, status_without_rules=3, gap=gap)


def _used_elsewhere() -> list[Json]:
    """A command is refused for its id, which the same person has used in the cage."""
    records = base("refused")
    record = records[-1]
    record["refused"] = json.loads(written_refusal(denial("again", Stream("cage"), 7)))
    return records


def _without(stream: str) -> list[Json]:
    """The house without one of its streams."""
    return [record for record in house() if record["stream"] != stream]


# ------------------------------------------------------------------------------------------------------- forged


def cases() -> Kinds:
    """All of them."""
    make = of_kind("act-not-in-all-its-streams", "house", "an act counts at the table and not in the books", STREAMS)
    yield make.kind, [
        make.case(name, house_journal_of(forge(house())), keys=KEYS) for name, forge in UNBOUND.items()
    ]  # fmt: skip
    aim = "a house changes by itself who has a share, or whose meters a table has"
    make = of_kind("what-only-follows-by-a-command", "house", aim, Names("decided again", *STREAMS[1:]))
    yield make.kind, [make.signed(name, forge) for name, forge in BY_COMMAND.items()]
    make = of_kind("house-opened-late", "house", "a house without books is blamed for acts of a table", STREAMS)
    yield make.kind, [make.case(name, house_journal_of(late()), keys=KEYS) for name, late in LATE.items()]
    make = of_kind("pit-left-out", "house", "a table is played that no pit has opened", STREAMS)
    yield make.kind, [make.case("pit", house_journal_of(_without("pit A")), keys=KEYS)]
    make = of_kind(
        "house-without-books",
        "house",
        "a refusal that was none is laid at the door of a house",
        Names("decided again", *STREAMS[1:]),
    )
    data = house_journal_of(_house_first())
    yield make.kind, [make.case("refused-wager", data, keys=KEYS)]
    make = of_kind("day-left-out", "house", "somebody is refused because of a day that is not shown", STREAMS)
    yield make.kind, [make.case("refused", _without_the_day(), keys=KEYS)]
    make = of_kind("meter-raised", "house", "a jackpot meter grows without a wager, or does not grow", BOOKS)
    yield make.kind, [_books(make.case, name, forge) for name, forge in METERS.items()]
    make = of_kind("books-otherwise", "floor", "money of the cage or a tray comes out of nowhere", BOOKS)
    yield make.kind, [_books(make.case, name, forge) for name, forge in CAGE.items()]
    aim = "a rule of the house is escaped by naming a version under which a table alone did not know it"
    make = of_kind("house-rule-of-an-older-version", "house", aim, BOOKS)
    data = house_journal_of(_seated_after_the_day())
    yield make.kind, [make.case("seated-after-the-day", data, keys=("house",), status_without_rules=UNCOVERED)]
    aim = "a series of blank forms fills the memory of a reader that compares them with the book"
    make = of_kind("series-without-end", "house", aim, BOOKS)
    data = house_journal_of(_too_many_forms())
    yield make.kind, [make.case("forms", data, keys=("house",), status_without_rules=UNCOVERED)]
    make = of_kind("second-person-of-the-books", "floor", "the books are changed by one person alone", BOOKS)
    yield make.kind, [_books(make.case, name, forge) for name, forge in PERSONS.items()]


def _seated_after_the_day() -> list[Json]:
    """The day is closed, and somebody sits down: the table alone would let him, and every entry names version 2."""
    records = records_of(b"".join(day_closed()))
    for record in records:
        record["behaviour"] = 2
    refused = records[-1]
    sat = record_of(records, "sat")["events"][0]
    del refused["refused"]
    refused["events"] = [sat | {"seat": 2, "who": "late"}]
    return records


def _too_many_forms() -> list[Json]:
    """A table takes one blank more than a series may have, and the form book has them all."""
    records = records_of(b"".join(form_journal()))
    for part in (act(records, "receive_forms")["command"], event(records, "forms_received")):
        part["last"] = 10_001
    event(records, "series_received")["last"] = 10_001
    return upto(record_of(records, "forms_received"), records)


def _without_the_day() -> bytes:
    """Somebody is refused because the day is over; the day that was closed is left out, and what was filed with it."""
    left_out = ("day", "forms")
    return house_journal_of(
        [record for record in records_of(b"".join(day_closed())) if record["stream"] not in left_out]
    )


def _refused_by_a_house() -> list[Json]:
    """A wager is said to have been refused by a rule of the house; the table is one of a house."""
    records = base("real-cards")
    wager = next(r for r in records if r.get("command", {}).get("do") == "place_wager")
    del wager["events"]
    wager["refused"] = {"cites": ["house coupons"], "code": "wrong_step", "what": "wrong_step"}
    return renumbered(records[: records.index(wager) + 1])


def _bare_house() -> Json:
    opening = base("real-cards")[0]
    del opening["cards"]
    return {**opening, "stream": "house"}


def _house_at_the_end() -> list[Json]:
    return [*_refused_by_a_house(), _bare_house()]


def _house_after_honest_acts() -> list[Json]:
    return [*base("real-cards"), _bare_house()]


def _house_between() -> list[Json]:
    opening, *acts = base("real-cards")
    return [opening, _bare_house(), *acts]


def _cage_first() -> list[Json]:
    """Everything is honest but the order of the first two entries."""
    records = house()
    cage = next(record for record in records if record["stream"] == "cage")
    return [cage, *(record for record in records if record is not cage)]


def _house_first() -> list[Json]:
    return [_bare_house(), *_refused_by_a_house()]


def _by_command(name: str, **fields: object) -> Callable[[list[Json]], list[Json]]:
    """A casino supervisor asks for it at the table itself, and a pit boss approves it."""

    def forge(records: list[Json]) -> list[Json]:
        bought = record_of(records, "bought_in")
        at = records.index(bought)
        event = {"event": name, "cites": [], "requester": "sue", "approver": "bob", **fields}
        do = {"link_joined": "join_link", "witnesses_changed": "adopt_witnesses"}[name]
        made = {k: v for k, v in bought.items() if k not in ("id", "device", "joined")}
        approvals = [{"who": "bob", "role": "pit boss", "what": do}]
        made |= {"who": "sue", "role": "casino supervisor", "approvals": approvals}
        made |= {"command": {"do": do, **fields}, "events": [event]}
        return [*records[: at + 1], made]

    return forge


def _adopted(records: list[Json]) -> list[Json]:
    """Exactly as the table itself would decide it, if it were asked."""
    made = _by_command("witnesses_changed", witnesses=[])(records)
    made[-1]["events"][0]["cites"] = ["ma-midi-4 §3(a)"]
    return made


BY_COMMAND: dict[str, Forge] = {
    "witnesses": _adopted,
    "link": _by_command("link_joined", link="main"),
}
LATE: dict[str, Callable[[], list[Json]]] = {
    "refused-wager": _house_at_the_end,
    "honest-acts": _house_after_honest_acts,
    "after-the-opening": _house_between,
    "after-the-cage": _cage_first,
}


def _books(make: Callable[..., Case], name: str, forge: Callable[[list[Json]], list[Json]]) -> Case:
    return make(name, house_journal_of(forge(house())), keys=KEYS, status_without_rules=UNCOVERED)


def _changed(event: str, change: Forge, nth: int = 0) -> Callable[[list[Json]], list[Json]]:
    """The journal until an event, which says something else."""

    def forge(records: list[Json]) -> list[Json]:
        record = record_of(records, event, nth)
        change(record)
        return upto(record, records)

    return forge


def _event(event: str, **fields: object) -> Callable[[list[Json]], list[Json]]:
    def change(record: Json) -> None:
        next(found for found in record["events"] if found["event"] == event).update(fields)

    return _changed(event, change)


def _cause(**fields: object) -> Callable[[list[Json]], list[Json]]:
    def forge(records: list[Json]) -> list[Json]:
        record = next(r for r in records if r["stream"] == "table T2" and "cause" in r)
        record["cause"] |= fields
        return records[: records.index(record) + 2]

    return forge


def _joined_otherwise(records: list[Json]) -> list[Json]:
    linked = record_of(records, "tables_linked")
    made = upto(linked, records)
    linked["joined"]["table T3"] = 2
    return made


def _not_joined(records: list[Json]) -> list[Json]:
    linked = record_of(records, "tables_linked")
    made = upto(linked, records)
    del linked["joined"]["table T3"]
    return made


def _joined_besides(records: list[Json]) -> list[Json]:
    """The act is said to have been entered in the cage, too, where another stands."""
    linked = record_of(records, "tables_linked")
    made = upto(linked, records)
    linked["joined"]["cage"] = 1
    return made


UNBOUND: dict[str, Callable[[list[Json]], list[Json]]] = {
    "another-record": _cause(seq=1),
    "the-opening": _cause(seq=0),
    "another-number": _joined_otherwise,
    "not-named": _not_joined,
    "one-more": _joined_besides,
}


def _raise(record: Json) -> None:
    """The meters are shown higher than they are, in the command and in the event alike."""
    for part in (record["shown"], next(e for e in record["events"] if e["event"] == "meters_shown")):
        part["meters"] = {name: str(int(value) + 10**6) for name, value in part["meters"].items()}


METERS: dict[str, Callable[[list[Json]], list[Json]]] = {
    "meters-shown": _changed("meters_shown", _raise),
    "trigger": _event("trigger_shared", seal="0" * 64),
}
CAGE: dict[str, Callable[[list[Json]], list[Json]]] = {
    "bankroll": _event("bankroll_brought", amount=10**12),
    "another-table": _event("tray_opened", table="T9"),
    "pit": _event("pit_added", name="B"),
}
PERSONS: dict[str, Callable[[list[Json]], list[Json]]] = {
    "bankroll": _changed("bankroll_brought", lambda record: record.pop("approvals")),
    "tray": _changed("tray_opened", lambda record: record.pop("approvals")),
    "link": _changed("tables_linked", lambda record: record.pop("approvals")),
    "the-same-twice": _changed("bankroll_brought", lambda r: r["approvals"][0].update(who=r["who"])),
}
