"""Marks of clauses on tests: which clause a mark names, which of them a test bears, what shows what."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest

from baccarat.law.clause import catalogue
from baccarat.law.error import UnknownClause, nearest
from paths import ROOT

SHOWN = ROOT / "src" / "baccarat" / "law" / "shown.json"
"""The file that tells the package which tests show a clause."""


@cache
def resolve(name: str) -> str:
    """The clause that a mark names; a mark shows what it names, and nothing below it."""
    ids = [clause.id for clause in catalogue()]
    if name not in ids:
        hint = nearest(name, ids)
        raise UnknownClause(f"{name!r} is no clause of the catalogue" + (f"; did you mean {hint!r}?" if hint else ""))
    return name


@cache
def below(name: str) -> tuple[str, ...]:
    """The clauses of a paragraph: itself where it is a clause, otherwise all into which it is divided (`MA:12(c)`)."""
    ids = [clause.id for clause in catalogue()]
    return (name,) if name in ids else tuple(each for each in ids if _is_below(each, name))


def _is_below(each: str, name: str) -> bool:
    """Whether one id goes on where the other ends: not `10(a)` after `1`, not `3ii` after `3i`."""
    if not each.startswith(name) or ":" not in name:
        return False
    last, following = name[-1:], each[len(name) :][:1]
    return not (last.isdigit() and following.isdigit()) and not (last.isalpha() and following.isalpha())


def borne(item: pytest.Item) -> frozenset[str]:
    """The clauses that a test's marks name."""
    marks = item.iter_markers("clause")
    return frozenset(resolve(name) for mark in marks for name in mark.args)


def function_of(item: pytest.Item) -> str:
    """The id of the test function, the same for all its parameters."""
    return item.nodeid.partition("[")[0]


def shown_by(items: Iterable[pytest.Item]) -> dict[str, list[str]]:
    """The tests that show each clause, clauses in the order of the catalogue, tests by name."""
    found: dict[str, set[str]] = {}
    for item in items:
        for clause in borne(item):
            found.setdefault(clause, set()).add(function_of(item))
    return {clause.id: sorted(found[clause.id]) for clause in catalogue() if clause.id in found}


def paragraphs(refs: list[str], edition: str) -> list[tuple[str, ...]]:
    """For each reference of a vector that is no reading: the clauses of the edition that it could mean."""
    there = [clause for clause in catalogue() if edition in clause.editions]
    families = {clause.id.partition(":")[0] for clause in there}
    ids = {clause.id for clause in there}
    keys = [ref.partition(":")[2] for ref in refs if not ref.startswith("A-")]
    return [tuple(i for family in sorted(families) for i in below(f"{family}:{key}") if i in ids) for key in keys]


def bearing(refs: list[str], edition: str) -> list[pytest.MarkDecorator]:
    """The mark that these references make: a paragraph of several clauses does not say which of them is shown."""
    found = [each[0] for each in paragraphs(refs, edition) if len(each) == 1]
    return [pytest.mark.clause(*dict.fromkeys(found))] if found else []
