"""Annotated editions: nothing of a document is left out, and what is said of a clause is so."""

from __future__ import annotations

import pytest

from baccarat.law.annotation import annotate, edition_before, section_of
from baccarat.law.clause import Citation
from baccarat.law.coverage import ClauseStatus
from baccarat.law.difference import DifferenceKind
from baccarat.law.edition import load_edition, shipped_editions


@pytest.mark.parametrize("name", shipped_editions())
def test_every_clause_stands_in_a_section_that_has_a_name(name: str) -> None:
    edition = load_edition(name)
    found = annotate(edition)
    notes = [note for section in found.sections for each in section.paragraphs for note in each.clauses]
    assert sorted(note.key for note in notes) == sorted(edition.clauses)
    assert sum(found.states.values()) == found.clauses == len(edition.clauses)
    assert found.states[ClauseStatus.UNACCOUNTED] == 0
    assert all(section.title for section in found.sections)
    for section in found.sections:
        assert all(section_of(each.paragraph) == section.number for each in section.paragraphs)


@pytest.mark.parametrize("name", shipped_editions())
def test_the_tableau_is_the_usual_one_and_stands_where_it_is_cited(name: str) -> None:
    found = annotate(load_edition(name)).tableau
    assert found.counts == tuple(range(8))
    assert found.player == ("draw",) * 6 + ("stay",) * 2
    rows = ["".join(act[0] for act in row) for row in found.banker]
    assert rows == [
        "ddddddddddd",
        "ddddddddddd",
        "ddddddddddd",
        "ddddddddd" + "sd",
        "dssddddddss",
        "dssssddddss",
        "sssssssddss",
        "sssssssssss",
    ]
    assert found.section in {section_of(Citation.parse(cite).paragraph) for cite in found.cites}


def test_an_edition_follows_the_one_before_of_the_same_document() -> None:
    before = {name: edition_before(load_edition(name)) for name in shipped_editions()}
    assert {name: each.name if each else None for name, each in before.items()} == {
        "ma-midi-1": None,
        "ma-midi-2": "ma-midi-1",
        "ma-midi-3": "ma-midi-2",
        "ma-midi-4": "ma-midi-3",
        "nj-punto-banco": None,
    }


def test_what_has_changed_since_is_marked_and_nothing_else() -> None:
    found = annotate(load_edition("ma-midi-4"))
    changes = {each.paragraph: each.change for section in found.sections for each in section.paragraphs}
    assert changes["7(c)"] is DifferenceKind.ADDED
    assert changes["5(e)"] is DifferenceKind.CHANGED
    assert changes["12(c)"] is None
    first = annotate(load_edition("ma-midi-1"))
    assert all(each.change is None for section in first.sections for each in section.paragraphs)
