"""Forgeries of what the cards owe, by acts that an older version let pass; and of two persons who are one."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from baccarat.engine.journaled_table import JournaledTable
from baccarat.engine.redecide import command_of, redecide
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.record.canonical import encode_list_unchecked
from baccarat.record.entry import ActRecord, StreamOpening, read_body
from baccarat.record.journal_file import JournalFile
from baccarat.table.base import Accepted, Command
from baccarat.table.machine import Table, decide
from baccarat.table.meters import CorrectMeter
from baccarat.table.role import Role
from baccarat.table.step.calling import NoMoreBetsCalled
from corpus_base import NOON, PLAIN, STREAM, act, base, journal
from corpus_case import UNCOVERED, Case, KindMaker, Kinds, Names, of_kind
from remade import Json, canonical, records_of, renumbered
from table_driver import new_game, seated

DECIDED = Names("decided again", "", "")


@cache
def _meter() -> bytes:
    """A round before whose cards $90,000 are put into a meter, as goodwill within the filed limit."""
    with TemporaryDirectory() as folder:
        file, moments = JournalFile(Path(folder) / "journal.jsonl", sync=False), count(NOON, 10**6)
        assert not list(file.open())
        game = new_game("ma-midi-4-royal9", "7S 9D TH KC", goodwill_limit="$100,000.00")
        game.table = JournaledTable.begin(game.rules, file, STREAM, clock=lambda: next(moments))
        seated(game, (1,)).go("wager").wager("1 p 2500", "1 royal9 500").go("deal")
        called = next(at for at, event in enumerate(game.table.log) if isinstance(event, NoMoreBetsCalled))
        generous = CorrectMeter(corrects=called, meter="star", amount=9_000_000 * MICRO, reason="generous")
        game.do(generous, by=Role.FLOORPERSON, who="F. Loor", second="A. Dmin", second_role=Role.ADMINISTRATOR)
        file.close()
        return (Path(folder) / "journal.jsonl").read_bytes()


def ruled_by(version: int, records: list[Json]) -> list[Json]:
    """Records of which all name a version, and the last has the events that this version decides."""
    for record in records:
        record["behaviour"] = version
    opening, *entries = [read_body(canonical(record)) for record in records]
    assert isinstance(opening, StreamOpening)
    table = Table(rulebook(dict(opening.submission)), opening.cards, opening.witnesses, opening.reveal_within)
    for entry in entries[:-1]:
        assert redecide(table, entry) is None, entry
    last = entries[-1]
    assert isinstance(last, ActRecord)
    command = command_of(bytes(last.command))
    assert isinstance(command, Command)
    outcome = decide(table.rules, table.state, command, last.actor, table.event_at, behaviour=version)
    assert isinstance(outcome, Accepted), outcome
    records[-1]["events"] = json.loads(encode_list_unchecked(outcome.events))
    return records


def _until(name: str, change: Callable[[Json], object], of: str = "corrected") -> list[Json]:
    """The records until an act, which is changed."""
    records = base(of)
    record = act(records, name)
    change(record)
    return records[: records.index(record) + 1]


def _raised() -> list[Json]:
    """Dealer and floor alone raise the meter: no goodwill, and nobody outside the pit."""
    records = records_of(_meter())
    records[-1]["approvals"][0]["role"] = "dealer"
    return records


OLDER: dict[str, Callable[[], list[Json]]] = {
    "payment-beyond-it": lambda: _until("correct_payment", lambda record: record["command"].update(amount=900_000)),
    "meter-beyond-it": _raised,
}


def older() -> Kinds:
    """What the first version of the deciding functions let pass, and no version owes anybody."""
    aim = "money is given away that nobody owes, by naming a version which allowed that"
    make = of_kind("owed-by-no-version", "floor", aim, DECIDED)
    fields: Json = {"keys": PLAIN, "status_without_rules": UNCOVERED}
    yield (
        make.kind,
        [make.case(name, journal(ruled_by(1, records())), **fields) for name, records in OLDER.items()],
    )
    aim = "one person asks for an act and approves it, and the record says so"
    make = of_kind("approved-by-who-asked", "floor", aim, DECIDED)
    yield make.kind, [_by_one(make, name) for name in ("correct_card", "correct_payment")]


def _by_one(make: KindMaker, name: str) -> Case:
    def change(record: Json) -> None:
        asked = record["events"][0]["requester"]
        record["approvals"][0]["who"] = record["events"][0]["approver"] = f"{asked.upper()} "

    records = _until(name, change)
    return make.case(name, journal(renumbered(records)), keys=PLAIN, status_without_rules=UNCOVERED)


def cases() -> Kinds:
    """All of them."""
    yield from older()
