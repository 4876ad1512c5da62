"""The catalogue: every clause of every shipped edition in our own words, and how a clause is cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from baccarat.law.error import RulesError, UnknownClause, nearest
from baccarat.law.shipped_file import shipped_text
from baccarat.values import expect

_CITATION = re.compile(r"(?P<edition>[^\s§]+) §(?P<paragraph>[^\s§](?:[^§\n]*[^\s§])?)")
_SUBDIVISION = re.compile(r"(?P<paragraph>.*\).*)\.[^()]+")
_DRAW_TABLE = "10 Table1 "
_MISSING = " [missing]"


class Citation(msgspec.Struct, frozen=True, order=True, cache_hash=True):
    """A paragraph of an edition, written `ma-midi-4 §12(c)`; what is printed parses back."""

    edition: str
    paragraph: str

    def __str__(self) -> str:
        return f"{self.edition} §{self.paragraph}"

    @staticmethod
    def parse(text: str) -> Citation:
        """The citation that `text` writes."""
        expect(text, str, "a citation as text, an edition and a paragraph")
        found = _CITATION.fullmatch(text)
        if found is None:
            raise ValueError(f"not a citation: {text!r}; expected an edition and a paragraph, such as ma-midi-4 §12(c)")
        return Citation(edition=found["edition"], paragraph=found["paragraph"])


class Clause(msgspec.Struct, frozen=True):
    """One atomic requirement of one or more editions, in our own words."""

    id: str
    editions: tuple[str, ...]
    actors: tuple[str, ...]
    kind: str
    requirement: str
    readings: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name of the clause within an edition: `12(c).1` of `MA:12(c).1`."""
        return self.id.partition(":")[2]

    @property
    def paragraph(self) -> str:
        """The document's own paragraph, without our subdivision: `12(c)` of `12(c).1`."""
        return paragraph_of(self.key)

    @property
    def restored(self) -> bool:
        """Whether the clause is missing from its document and is listed as a reading restores it."""
        return self.key.endswith(_MISSING)


def paragraph_of(key: str) -> str:
    """The document's own paragraph that contains the clause `key`."""
    if key.startswith("1 "):  # a definition is found by its term
        return key
    if key.startswith(_DRAW_TABLE):
        return "10 Table 1"
    divided = _SUBDIVISION.fullmatch(key)
    return (divided["paragraph"] if divided else key).partition(" ")[0]


def is_citable(edition: str) -> bool:
    """Whether an edition of this name can be cited: one word without a paragraph sign."""
    return _CITATION.fullmatch(f"{edition} §1") is not None


@cache
def catalogue() -> tuple[Clause, ...]:
    """All clauses of the shipped editions, in the order of the documents."""
    import csv  # noqa: PLC0415  `import baccarat` stays fast

    text = shipped_text("catalogue.csv")
    return tuple(
        Clause(
            id=row["id"],
            editions=tuple(row["editions"].split()),
            actors=tuple(row["actors"].split("; ")),
            kind=row["kind"],
            requirement=row["requirement"],
            readings=tuple(row["reading"].split()),
        )
        for row in csv.DictReader(text.splitlines())
    )


@cache
def _by_edition() -> dict[str, dict[str, Clause]]:
    names = dict.fromkeys(name for clause in catalogue() for name in clause.editions)
    return {name: _by_key(clause for clause in catalogue() if name in clause.editions) for name in names}


def _by_key(clauses: Iterable[Clause]) -> dict[str, Clause]:
    found: dict[str, Clause] = {}
    for clause in clauses:
        assert clause.key not in found, f"{clause.id} and {found[clause.key].id} are the same clause of one edition"
        found[clause.key] = clause
    return found


def clauses_of(edition: str) -> dict[str, Clause]:
    """The clauses of a shipped edition by key, in the order of its document."""
    return dict(_shipped_clauses(edition))


def _shipped_clauses(edition: str) -> dict[str, Clause]:
    found = _by_edition().get(edition)
    if found is None:
        near = nearest(edition, _by_edition())
        raise UnknownClause(f"the catalogue has no clauses of {edition!r}{_hint(near)}", near=near)
    return found


def own_clauses(edition: str, table: Mapping[str, str]) -> dict[str, Clause]:
    """The clauses that an edition defines in its own data, from key to requirement."""
    for key, requirement in table.items():
        if not requirement.strip() or _CITATION.fullmatch(f"{edition} §{key}") is None:
            say = "needs a paragraph that can be cited, and our words for it"
            raise RulesError(f"{edition}: clause.{key}: {key!r} {say}")
    return _by_key(
        Clause(id=f"{edition}:{key}", editions=(edition,), actors=(), kind="own", requirement=requirement)
        for key, requirement in table.items()
    )


def cite(edition: str, key: str, *, among: Mapping[str, Clause] | None = None) -> Citation:
    """The citation of the clause `key`: of a shipped edition, or `among` the edition's own clauses."""
    clauses = _shipped_clauses(edition) if among is None else among
    clause = clauses.get(key)
    if clause is None:
        near = nearest(key, clauses)
        raise UnknownClause(f"{edition} has no clause {key!r}{_hint(near)}", near=near)
    return Citation(edition=edition, paragraph=clause.paragraph)


def _hint(near: str | None) -> str:
    return f"; did you mean {near!r}?" if near else ""
