"""Forms: the serial inventory of Complimentary Vigorish Forms: every number received, and what happened to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import islice

import msgspec

from baccarat.house.number_map import NumberMap, value_at, values_of
from baccarat.house.number_run import NumberRun, Runs, run_of, runs_of, with_run, without_run
from baccarat.money import Cents
from baccarat.play.refusal import RefusalNote
from baccarat.table.vigorish_form import ComplimentaryForm

MOST_LOST = 2_000
"""How many numbers that nobody accounts for a refusal names: no record could hold more of them."""


class Series(NumberRun, frozen=True, kw_only=True, gc=False):
    """Forms received: a table's prenumbered forms, from one number to another."""

    table: str
    order: int
    """How many series the house had received before."""


class UsedForm(msgspec.Struct, frozen=True, kw_only=True, tag_field="paper", tag="used"):
    """A form made out: the clerk's duplicate, and the original once it lies in the drop box."""

    table: str
    duplicate: ComplimentaryForm
    original: ComplimentaryForm | None = None
    forwarded: bool = False


class VoidedForm(msgspec.Struct, frozen=True, kw_only=True, tag_field="paper", tag="void"):
    """A void form: both parts marked and signed, held by the pit clerk until accounting has them."""

    table: str
    pit_boss: str
    pit_clerk: str
    forwarded: bool = False


class MissingForm(msgspec.Struct, frozen=True, kw_only=True, tag_field="paper", tag="missing"):
    """A number that nobody can find, reported by one person and confirmed by another: an exception."""

    table: str
    reason: str
    by: str
    approver: str


AnyForm = UsedForm | VoidedForm | MissingForm


class FormBook(msgspec.Struct, frozen=True, kw_only=True):
    """Every form received, and what happened to each number that is no longer blank: today, and before.

    A number is one form, whichever table has it, so that the number alone names the paper.
    """

    series: Runs[Series] = ()
    received: int = 0
    """How many series the house has received."""
    blank: dict[str, Runs[NumberRun]] = {}
    """The numbers that are still blank, by the table that has them, in the order in which tables received their first
    series; a table whose forms are all used stays in its place."""
    papers: dict[int, AnyForm] = {}
    past: NumberMap[AnyForm] = {}

    def is_received(self, serial: int, table: str) -> bool:
        """Whether a table has received a number."""
        held = run_of(self.series, serial)
        return held is not None and held.table == table

    def next_serial(self, table: str) -> int | None:
        """The lowest number of a table that is still blank."""
        runs = self.blank.get(table, ())
        return runs[0][0].first if runs else None

    def paper(self, serial: int) -> AnyForm | None:
        """What happened to a number, if it is no longer blank."""
        return self.papers.get(serial) or value_at(self.past, serial)

    def is_known(self, serial: int) -> bool:
        """Whether what happened to a number is recorded."""
        return self.paper(serial) is not None

    def blanks(self) -> Iterator[tuple[int, str]]:
        """The numbers that are still blank, each with the table that has it."""
        for table, runs in self.blank.items():
            for run in runs_of(runs):
                for serial in range(run.first, run.last + 1):
                    yield serial, table

    @property
    def blank_count(self) -> int:
        """How many numbers are still blank."""
        return sum(run.last - run.first + 1 for runs in self.blank.values() for run in runs_of(runs))

    def is_blank(self, serial: int, table: str) -> bool:
        """Whether a table has a number, and it is still blank."""
        return run_of(self.blank.get(table, ()), serial) is not None

    @property
    def last_received(self) -> int:
        """The highest number that was received; 0 if none was."""
        return self.series[-1][-1].last if self.series else 0

    def series_received(self) -> list[Series]:
        """All series, in the order in which they were received."""
        return sorted(runs_of(self.series), key=lambda each: each.order)

    def all_papers(self) -> Iterator[tuple[int, AnyForm]]:
        """Every number that is no longer blank, in ascending order, with what happened to it."""
        return merge(values_of(self.past), sorted(self.papers.items()), key=lambda each: each[0])


def without_number(runs: Runs[NumberRun], number: int) -> Runs[NumberRun]:
    """Runs without one number; the same ones if none of them has it."""
    run = run_of(runs, number)
    if run is None:
        return runs
    runs = without_run(runs, run)
    for first, last in ((run.first, number - 1), (number + 1, run.last)):
        if first <= last:
            runs = with_run(runs, NumberRun(first=first, last=last))
    return runs


def form_note(what: str, serial: int, table: str, **params: int | str) -> RefusalNote:
    """A note about a form, named by its number and by the table that received it, if any."""
    return RefusalNote(what, {"serial": serial, "table": table, **params})


def compare(book: FormBook) -> tuple[RefusalNote, ...]:
    """What accounting finds when it compares originals with duplicates."""
    found: list[RefusalNote] = []
    for serial, paper in sorted(book.papers.items()):
        match paper:
            case UsedForm():
                found += _differences(serial, paper)
            case VoidedForm():
                if not paper.forwarded:
                    found.append(form_note("void_form_not_forwarded", serial, paper.table))
            case MissingForm():
                pass  # an exception that two persons have reported
    return tuple(found)


def _differences(serial: int, paper: UsedForm) -> Iterable[RefusalNote]:
    if not paper.forwarded:
        yield form_note("duplicate_not_forwarded", serial, paper.table)
    if paper.original is None:
        yield form_note("no_original_in_the_drop_box", serial, paper.table)
    elif paper.original != paper.duplicate:
        fields = [
            name for name in ComplimentaryForm.__struct_fields__
            if getattr(paper.original, name) != getattr(paper.duplicate, name)
        ]  # fmt: skip
        yield form_note("original_and_duplicate_differ", serial, paper.table, fields=", ".join(fields))


def unaccounted_serials(book: FormBook, *, blanks: Iterable[int]) -> tuple[RefusalNote, ...]:
    """Numbers that were received and are neither made out, void nor reported missing, nor counted as blank."""
    counted = set(blanks)
    lost = (form_note("form_lost", serial, table) for serial, table in book.blanks() if serial not in counted)
    strange = sorted(serial for serial in counted if not _is_blank_somewhere(book, serial))
    owners = ((serial, run_of(book.series, serial)) for serial in strange)
    return (
        *islice(lost, MOST_LOST),
        *(form_note("form_counted_as_blank", serial, owner.table if owner else "") for serial, owner in owners),
    )


def _is_blank_somewhere(book: FormBook, serial: int) -> bool:
    held = run_of(book.series, serial)
    return held is not None and book.is_blank(serial, held.table)


def waived_by_serial(book: FormBook) -> dict[int, Cents]:
    """What each form of today waived, by its number."""
    return {
        serial: Cents(paper.duplicate.amount) for serial, paper in book.papers.items() if isinstance(paper, UsedForm)
    }  # fmt: skip
