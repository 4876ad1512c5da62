"""Acts of discretion in the books of a house: coupons issued, cancelled or missing, lost forms, counts that differ, and
other options or terms for wagers to come. Each command of a book says itself whether it was one, and what it gave."""

from __future__ import annotations

import msgspec

from baccarat.audit.discretion import DiscretionaryAct, place_of
from baccarat.engine.redecide import house_command_of
from baccarat.house.book import BookFindings, HouseCommand
from baccarat.house.coupon import IssuedRun
from baccarat.house.number_run import Runs, runs_within, with_run
from baccarat.house.stream import is_table_stream
from baccarat.record.entry import NO_BYTES, ActRecord
from baccarat.record.journal import JournalLine


class _Filed(msgspec.Struct, frozen=True):
    """Rules that were filed for a table."""

    ruleset: str
    hash: str


class _BookEvent(msgspec.Struct, frozen=True):
    """What the report needs of an event in a book."""

    cites: tuple[str, ...] = ()
    missing: tuple[int, ...] = ()
    strange: tuple[int, ...] = ()
    short: int = 0
    tables: dict[str, _Filed] = {}


class BookLedger:
    """The acts of discretion in the books of one file, as its records are read."""

    def __init__(self, file: str) -> None:
        self.acts: list[DiscretionaryAct] = []
        self._file = file
        self._coupons: Runs[IssuedRun] = ()
        """The coupons that were issued, in ascending order; no two have a number in common."""
        self._filed: dict[str, set[tuple[str, str]]] = {}
        """The edition and the rulebook of every table, by the stream of its pit."""

    def add(self, line: JournalLine) -> None:
        """An entry of any stream; those of tables are listed by `DiscretionLedger`."""
        record = line.entry
        if not isinstance(record, ActRecord) or is_table_stream(record.stream) or record.command is NO_BYTES:
            return
        command = house_command_of(record.stream, bytes(record.command)) if record.events else None
        if not isinstance(command, HouseCommand):
            return
        self._add_coupons(command.coupons_issued())
        if not command.CARD.discretion:
            return
        events = _read_events(record)
        known = self._filed.setdefault(record.stream, set())
        found = _findings(events, known=frozenset(known), coupons=self._coupons)
        known.update(command.rules_filed(found))
        if not command.is_discretionary(found):
            return
        self.acts.append(
            DiscretionaryAct(
                **place_of(record, self._file, line),
                act=str(command.__struct_config__.tag),
                reason=str(getattr(command, "reason", "")),
                clauses=tuple(dict.fromkeys(cite for each in events for cite in each.cites)),
                what=command.discretion_text(found),
                measure=command.CARD.discretion,
                worth="" if command.CARD.discretion == "terms" else f"{command.discretion_worth(found)}/1",
            )
        )

    def _add_coupons(self, run: IssuedRun | None) -> None:
        """Note coupons that were issued, unless a number was issued before: only a forged record does that."""
        if run is not None and next(runs_within(self._coupons, run.first, run.last), None) is None:
            self._coupons = with_run(self._coupons, run)


def _read_events(record: ActRecord) -> list[_BookEvent]:
    """What the report needs of the events; none where a forged record does not hold it."""
    try:
        return [msgspec.json.decode(event, type=_BookEvent) for event in record.events]
    except msgspec.MsgspecError:
        return []


def _findings(events: list[_BookEvent], *, known: frozenset[tuple[str, str]], coupons: Runs[IssuedRun]) -> BookFindings:
    """What is on record of an act, by its events and by what came before it."""
    return BookFindings(
        missing=tuple(number for each in events for number in each.missing),
        strange=tuple(number for each in events for number in each.strange),
        short=sum(each.short for each in events),
        filed=tuple((filed.ruleset, filed.hash) for each in events for filed in each.tables.values()),
        known=known,
        coupons=coupons,
    )
