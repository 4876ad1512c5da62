"""Acts of discretion in the books of a house: coupons issued, cancelled or missing, lost forms, counts that differ, and
other options or terms for wagers to come."""

from __future__ import annotations

import msgspec

from baccarat.audit.discretion import DiscretionaryAct, place_of
from baccarat.engine.redecide import house_command_of
from baccarat.house.book import HouseCommand
from baccarat.house.cage import CountDrop, InventoryCommand
from baccarat.house.coupon_book import MOST_ISSUED, CancelCoupons, CountCoupons, IssueCoupons
from baccarat.house.link_event import SetNextTerms
from baccarat.house.pit import ChangeOptions, OpenTable
from baccarat.house.stream import is_table_stream
from baccarat.money import MICRO, Cents
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
        self._coupons: dict[int, int] = {}
        """What each coupon is worth, by its number."""
        self._filed: dict[str, set[tuple[str, str]]] = {}
        """The edition and the rulebook of every table, by the stream of its pit."""

    def add(self, line: JournalLine) -> None:
        """An entry of any stream; those of tables are listed by `DiscretionLedger`."""
        record = line.entry
        if not isinstance(record, ActRecord) or is_table_stream(record.stream) or record.command is NO_BYTES:
            return
        command = house_command_of(record.stream, bytes(record.command)) if record.events else None
        if isinstance(command, IssueCoupons) and command.last - command.first < MOST_ISSUED:
            self._coupons.update(dict.fromkeys(range(command.first, command.last + 1), command.value))
        if not isinstance(command, HouseCommand) or not command.CARD.discretion:
            return
        events = _read_events(record)
        if isinstance(command, ChangeOptions):
            filed = (each for event in events for each in event.tables.values())
            self._known(record.stream).update((each.ruleset, each.hash) for each in filed)
        missing = tuple(number for each in events for number in each.missing)
        strange = tuple(number for each in events for number in each.strange)
        short = sum(each.short for each in events)
        is_usual = isinstance(command, OpenTable) and not self._opens_otherwise(record.stream, command)
        agrees = isinstance(command, CountCoupons) and not (missing or strange)
        if is_usual or agrees or (command.CARD.discretion == "count" and not short):
            return
        self.acts.append(
            DiscretionaryAct(
                **place_of(record, self._file, line),
                act=str(command.__struct_config__.tag),
                reason=str(getattr(command, "reason", "")),
                clauses=tuple(dict.fromkeys(cite for each in events for cite in each.cites)),
                what=_in_words(command, missing, strange, short),
                measure=command.CARD.discretion,
                worth="" if command.CARD.discretion == "terms" else f"{self._worth(command)}/1",
            )
        )

    def _known(self, pit: str) -> set[tuple[str, str]]:
        return self._filed.setdefault(pit, set())

    def _opens_otherwise(self, pit: str, command: OpenTable) -> bool:
        """Whether a table opens under rules that no table of its pit has had which plays by the same edition."""
        rules, known = (command.filed.ruleset, command.filed.hash), self._known(pit)
        is_other = rules not in known and any(ruleset == rules[0] for ruleset, _ in known)
        known.add(rules)
        return is_other

    def _worth(self, command: HouseCommand) -> int:
        """The value of coupons: participants have it by their issue, and lose it if they are cancelled.

        One that was taken before costs nobody.
        """
        if isinstance(command, IssueCoupons):
            return command.value * (command.last - command.first + 1)
        if not isinstance(command, CancelCoupons):
            return 0
        return -sum(value for number, value in self._coupons.items() if command.first <= number <= command.last)


def _read_events(record: ActRecord) -> list[_BookEvent]:
    """What the report needs of the events; none where a forged record does not hold it."""
    try:
        return [msgspec.json.decode(event, type=_BookEvent) for event in record.events]
    except msgspec.MsgspecError:
        return []


def _in_words(command: HouseCommand, missing: tuple[int, ...], strange: tuple[int, ...], short: int) -> str:
    if isinstance(command, InventoryCommand | CountDrop):
        where = "drop box" if isinstance(command, CountDrop) else "tray"
        return f"count the {where} of {command.table}: {Cents(abs(short))} {'short' if short > 0 else 'over'}"
    if isinstance(command, IssueCoupons):
        return f"issue coupons {command.first} to {command.last} of {Cents(command.value)} to {command.patron}"
    if isinstance(command, ChangeOptions):
        changes = ", ".join(f"{option} {value}" for option, value in sorted(command.changes.items()))
        return f"change options at {'every table' if command.tables is None else ', '.join(command.tables)}: {changes}"
    if isinstance(command, SetNextTerms):
        seed, added = (Cents(each // MICRO) for each in (command.terms.seed, command.terms.contribution))
        return f"the next jackpot of {command.meter} begins at {seed} and takes {added} a wager"
    if isinstance(command, CancelCoupons):
        return f"cancel coupons {command.first} to {command.last}"
    if isinstance(command, OpenTable):
        filed = command.filed
        return f"open {command.table} under other rules than its pit has: {filed.ruleset}, rulebook {filed.hash[:12]}"
    if isinstance(command, CountCoupons):
        found = {"missing": missing, "not taken there": strange}
        said = (f"{name}: {', '.join(map(str, numbers))}" for name, numbers in found.items() if numbers)
        return f"count coupons of {command.table}, {'; '.join(said)}"
    return ""
