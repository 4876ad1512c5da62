"""Marks of clauses on tests: which clauses an id means, which of them a test bears, what shows what."""

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
def resolve(name: str) -> tuple[str, ...]:
    """The clauses that an id means: itself, or all below it where it is no clause itself (`MA:12(c)`)."""
    ids = [clause.id for clause in catalogue()]
    found = (name,) if name in ids else tuple(each for each in ids if _is_below(each, name))
    if not found:
        hint = nearest(name, ids)
        raise UnknownClause(
            f"{name!r} is no clause of the catalogue, nor are any below it"
            + (f"; did you mean {hint!r}?" if hint else "")
        )
    return found


def _is_below(each: str, name: str) -> bool:
    """Whether one id goes on where the other ends: not `10(a)` after `1`, not `3ii` after `3i`."""
    if not each.startswith(name) or ":" not in name:
        return False
    last, following = name[-1:], each[len(name) :][:1]
    return not (last.isdigit() and following.isdigit()) and not (last.isalpha() and following.isalpha())


def borne(item: pytest.Item) -> frozenset[str]:
    """The clauses that a test's marks name."""
    marks = item.iter_markers("clause")
    return frozenset(clause for mark in marks for name in mark.args for clause in resolve(name))


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


def clauses(refs: list[str], edition: str) -> list[str]:
    """The clauses of an edition that these references name, whole or by their beginning; readings left out."""
    there = [clause for clause in catalogue() if edition in clause.editions]
    found: dict[str, None] = {}
    for key in [ref.partition(":")[2] for ref in refs if not ref.startswith("A-")]:
        for family in {each.id.partition(":")[0] for each in there if each.key.startswith(key)}:
            found |= dict.fromkeys(resolve(f"{family}:{key}"))
    return list(found)


def bearing(refs: list[str], edition: str) -> list[pytest.MarkDecorator]:
    """The mark that these references make."""
    found = clauses(refs, edition)
    return [pytest.mark.clause(*found)] if found else []
