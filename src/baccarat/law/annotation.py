"""Annotated editions: every clause in our words, with its readings, where it is ruled, and what has changed in it."""

from __future__ import annotations

from functools import cache

import msgspec

from baccarat.law.cached_value import cached_on_value
from baccarat.law.clause import Citation, Clause
from baccarat.law.coverage import ClauseAccount, ClauseStatus, accounts, clause_tests
from baccarat.law.difference import DifferenceKind, differences
from baccarat.law.edition import Edition, load_edition, shipped_editions
from baccarat.law.fact import COUNTS, tableau_row
from baccarat.law.reading import readings
from baccarat.law.shipped_file import shipped_table

MARKED_DIFFERENCES = (DifferenceKind.CHANGED, DifferenceKind.ADDED, DifferenceKind.MOVED)
"""Which differences from the previous edition are marked at a clause; the same law in other words is not one."""


class ClauseNote(msgspec.Struct, frozen=True, kw_only=True):
    """One clause: our words, how it is accounted for and where, and how many tests show it."""

    key: str
    say: str
    kind: str
    state: ClauseStatus
    places: tuple[str, ...]
    tests: int


class ParagraphNote(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph of a document, as it is cited: its clauses, the readings that they rely on, and what has changed."""

    paragraph: str
    clauses: tuple[ClauseNote, ...]
    readings: tuple[str, ...]
    change: DifferenceKind | None = None
    """How it differs from the previous edition."""


class SectionNote(msgspec.Struct, frozen=True, kw_only=True):
    """A section of a document: its number, what it is about, and its paragraphs in order."""

    number: str
    title: str
    paragraphs: tuple[ParagraphNote, ...]


class TableauNote(msgspec.Struct, frozen=True, kw_only=True):
    """The tableau as a table: what each hand does on its count, unless a hand is a natural."""

    section: str
    """The section that contains it."""
    counts: tuple[int, ...]
    """The counts on which somebody may draw."""
    player: tuple[str, ...]
    """What the Player does on each: `draw` or `stay`."""
    banker: tuple[tuple[str, ...], ...]
    """What the Banker does on each: first where the Player has stayed, then against a third card worth 0 to 9."""
    cites: tuple[str, ...]


class ReadingNote(msgspec.Struct, frozen=True, kw_only=True):
    """What is doubtful in a text, how it is read, and why."""

    problem: str
    reading: str
    why: str


class AnnotatedEdition(msgspec.Struct, frozen=True, kw_only=True):
    """An edition as a person reads it."""

    edition: str
    title: str
    revision: int
    before: str
    """The previous edition, if it comes with the program."""
    clauses: int
    states: dict[ClauseStatus, int]
    """How many clauses are in each state."""
    unshown: int
    """How many are ruled but shown by no test."""
    sections: tuple[SectionNote, ...]
    tableau: TableauNote
    readings: dict[str, ReadingNote]


@cached_on_value
def annotate(edition: Edition) -> AnnotatedEdition:
    """An edition with everything that is known about its clauses."""
    found, before = accounts(edition), edition_before(edition)
    changes = _changes(before, edition) if before is not None else {}
    paragraphs: dict[str, list[tuple[Clause, ClauseAccount]]] = {}
    for key, clause in edition.clauses.items():
        paragraphs.setdefault(clause.paragraph, []).append((clause, found[key]))
    notes = [_paragraph(name, rows, changes.get(name)) for name, rows in paragraphs.items()]
    used = sorted({name for note in notes for name in note.readings})
    every = [note for each in notes for note in each.clauses]
    return AnnotatedEdition(
        edition=edition.name,
        title=edition.title,
        revision=edition.revision,
        before=before.name if before is not None else "",
        clauses=len(every),
        states={state: sum(note.state is state for note in every) for state in ClauseStatus},
        unshown=sum(note.state is ClauseStatus.RULED and not note.tests for note in every),
        sections=_sections(edition, notes),
        tableau=_tableau(edition),
        readings={name: _reading(name) for name in used},
    )


def edition_before(edition: Edition) -> Edition | None:
    """The shipped edition of the same document that came before."""
    names = shipped_editions()
    if edition.name not in names:
        return None
    earlier = [load_edition(name) for name in names[: names.index(edition.name)]]
    same = [each for each in earlier if each.jurisdiction == edition.jurisdiction]
    return same[-1] if same else None


def _changes(before: Edition, edition: Edition) -> dict[str, DifferenceKind]:
    """How paragraphs differ from the previous edition; a change in law takes precedence over one in words."""
    found: dict[str, DifferenceKind] = {}
    for each in differences(before, edition):
        if each.change in MARKED_DIFFERENCES:
            for cite in map(Citation.parse, each.cites):
                if cite.edition == edition.name:
                    found.setdefault(cite.paragraph, each.change)
    return found


def _paragraph(name: str, rows: list[tuple[Clause, ClauseAccount]], change: DifferenceKind | None) -> ParagraphNote:
    notes = tuple(
        ClauseNote(
            key=clause.key,
            say=clause.requirement,
            kind=clause.kind,
            state=account.state,
            places=account.places,
            tests=len(clause_tests().get(clause.id, ())),
        )
        for clause, account in rows
    )
    used = {name for clause, account in rows for name in (*clause.readings, *account.readings)}
    return ParagraphNote(paragraph=name, clauses=notes, readings=tuple(sorted(used)), change=change)


def _sections(edition: Edition, notes: list[ParagraphNote]) -> tuple[SectionNote, ...]:
    by_number: dict[str, list[ParagraphNote]] = {}
    for note in notes:
        by_number.setdefault(section_of(note.paragraph), []).append(note)
    family = next((clause.id.partition(":")[0] for clause in edition.clauses.values()), "")
    titles = _headings().get(family, {})
    return tuple(
        SectionNote(number=number, title=titles.get(number, ""), paragraphs=tuple(each))
        for number, each in by_number.items()
    )


def _tableau(edition: Edition) -> TableauNote:
    counts = tuple(count for count in COUNTS if not edition.definitions.is_natural(count=count, cards=2))

    def act(hand: str, count: int, third: int | None) -> str:
        return tableau_row(edition.tableau, hand=hand, natural=False, points=count, third=third).act

    cites = edition.cite(*dict.fromkeys(key for row in edition.tableau for key in row.cite))
    return TableauNote(
        section=section_of(cites[-1].paragraph),
        counts=counts,
        player=tuple(act("player", count, None) for count in counts),
        banker=tuple(tuple(act("banker", count, third) for third in (None, *COUNTS)) for count in counts),
        cites=tuple(map(str, dict.fromkeys(cites))),
    )


def section_of(paragraph: str) -> str:
    """The number of the section that contains a paragraph: 12 of 12(c), 3.3 of 3.3(e)2."""
    return paragraph.partition("(")[0].partition(" ")[0]


@cache
def _headings() -> dict[str, dict[str, str]]:
    return shipped_table("headings.toml")


def _reading(name: str) -> ReadingNote:
    held = readings()[name]
    return ReadingNote(problem=held.problem, reading=held.reading, why=held.why)
