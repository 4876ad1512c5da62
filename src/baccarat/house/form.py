"""Forms: the serial inventory of Complimentary Vigorish Forms: every number received, and what happened to it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from baccarat.money import Cents
from baccarat.play.refusal import RefusalNote
from baccarat.table.vigorish_form import ComplimentaryForm


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Forms received: a table's prenumbered forms, from one number to another."""

    table: str
    first: int
    last: int


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

    series: tuple[Series, ...] = ()
    papers: dict[int, AnyForm] = {}
    past: dict[int, AnyForm] = {}

    def serials(self, table: str) -> list[int]:
        """All numbers that a table has received, in order."""
        runs = sorted((each.first, each.last) for each in self.series if each.table == table)
        return [serial for first, last in runs for serial in range(first, last + 1)]

    def next_serial(self, table: str) -> int | None:
        """The lowest number of a table that is still blank."""
        return next((serial for serial in self.serials(table) if not self.is_known(serial)), None)

    def is_known(self, serial: int) -> bool:
        """Whether what happened to a number is recorded."""
        return serial in self.papers or serial in self.past

    def blanks(self) -> dict[int, str]:
        """The numbers that are still blank, each with the table that has it."""
        return {
            serial: table for table in self.tables for serial in self.serials(table) if not self.is_known(serial)
        }  # fmt: skip

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that have received forms."""
        return tuple(dict.fromkeys(each.table for each in self.series))


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
    counted, expected = set(blanks), book.blanks()
    lost = [form_note("form_lost", serial, table) for serial, table in expected.items() if serial not in counted]
    owner = {serial: each.table for each in book.series for serial in range(each.first, each.last + 1)}
    strange = sorted(counted - set(expected))
    return (*lost, *(form_note("form_counted_as_blank", serial, owner.get(serial, "")) for serial in strange))


def waived_by_serial(book: FormBook) -> dict[int, Cents]:
    """What each form of today waived, by its number."""
    return {
        serial: Cents(paper.duplicate.amount) for serial, paper in book.papers.items() if isinstance(paper, UsedForm)
    }  # fmt: skip
