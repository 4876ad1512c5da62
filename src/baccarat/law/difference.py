"""Differences between two editions, generated from what their tables say and from their clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from baccarat.law.bare_value import RESTORED_MARK, bare_value, citing_field, is_law, is_odds
from baccarat.law.clause import Clause, paragraph_of
from baccarat.law.clause_pairs import pair_clauses
from baccarat.law.edition import NOT_LAW, Edition
from baccarat.law.section import OUR_WORDS, is_cite
from baccarat.values import expect, short_repr

FAMILIES = ("definition", "option", "wager", "step")
"""Sections of named entries: an entry that differs is one difference, not one per field."""
IN_ORDER = ("call", "royal9.ladder")
"""Lists of rows whose order is law; elsewhere exactly one row answers, wherever it stands."""
NAMED_PLACES = ("definition", "option", "wager", "choices")
"""The last words of places whose entries an edition names: the same entry under another name is one difference."""
ABSENT = "–"


class DifferenceKind(Enum):
    """How two editions differ in one point."""

    CHANGED = "changed"
    ADDED = "added"
    DELETED = "deleted"
    MOVED = "moved"
    RESTATED = "same law in other words"


class EditionDifference(msgspec.Struct, frozen=True):
    """One point in which two editions differ: where, what each says, the clauses on either side, and how it differs."""

    place: str
    left: str
    right: str
    cites: tuple[str, ...] = ()
    change: DifferenceKind = DifferenceKind.CHANGED

    @property
    def is_clause(self) -> bool:
        """Whether clauses are compared here, and not what the edition's table says."""
        return self.place.startswith("clause ")

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        cites = f" [{', '.join(self.cites)}]" if self.cites else ""
        return f"{self.place}: {self.left} → {self.right}{cites}"


def differences(a: Edition, b: Edition) -> tuple[EditionDifference, ...]:
    """Every point in which `b` differs from `a`, in the order of `a`'s table, then clause by clause."""
    for edition in (a, b):
        expect(edition, Edition, "an Edition, as load_edition() gives it")
    ours, theirs = ({_identity(each) for each in edition.clauses.values()} for edition in (a, b))
    walk = _Walk(numbered_alike=not ours.isdisjoint(theirs))
    left, right = (_with_named_steps(edition.table) for edition in (a, b))
    words = [word for word in _keys(left, right) if word not in NOT_LAW]
    points = [point for word in words for point in walk.values(word, _Side(left).child(word), _Side(right).child(word))]
    cited = [(point, (*a.cite_text(*point.ours), *b.cite_text(*point.theirs))) for point in points]
    in_law = (EditionDifference(point.place, point.left, point.right, cites, point.change) for point, cites in cited)
    return (*in_law, *_clauses(a, b))


class DifferenceSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How many points of law differ, and how many clauses, by the way in which they do."""

    law: dict[DifferenceKind, int]
    clauses: dict[DifferenceKind, int]
    alike: int
    """Clauses that both have under one number and in the same words."""


def summary(a: Edition, b: Edition) -> DifferenceSummary:
    """The differences of two editions in numbers."""
    found = differences(a, b)

    def count(*, clauses: bool) -> dict[DifferenceKind, int]:
        return {
            kind: sum(each.change is kind and each.is_clause is clauses for each in found) for kind in DifferenceKind
        }

    return DifferenceSummary(law=count(clauses=False), clauses=count(clauses=True), alike=len(pair_clauses(a, b).alike))


def _with_named_steps(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table with its steps by name, so that each is compared as one; calls lose their names, which are ours."""
    calls = [{key: value for key, value in row.items() if key != "name"} for row in table.get("call", ())]
    table = {**table, "call": calls} if calls else table
    steps: dict[str, Any] = {}
    for row in table.get("step", ()):
        name, again = row["name"], 2
        while name in steps:
            name, again = f"{row['name']} {again}", again + 1
        steps[name] = {key: value for key, value in row.items() if key != "name"}
    return {**table, "step": steps} if steps else table


class _Side(NamedTuple):
    """What one edition says at a place, and the clauses that say it; no value where it is silent."""

    value: Any
    cites: tuple[str, ...] = ()

    def child(self, key: str) -> _Side:
        """What this side says one step further in."""
        if not isinstance(self.value, Mapping) or key not in self.value:
            return _Side(None)
        value, around = self.value[key], self.value.get("cite", self.cites)
        own = citing_field(key, self.value)
        return _Side(value, tuple((self.value[own] if own != "cite" else ()) or _cites_in(value) or around))

    def part(self, keys: Iterable[str]) -> _Side:
        """This side with no more than these of its entries."""
        entries = {key: self.value[key] for key in keys}
        return _Side(entries, tuple(_cites_in(entries)))

    def with_rows(self, rows: Sequence[Mapping[str, Any]]) -> _Side:
        """This side with no more than these of its rows."""
        return _Side(list(rows), tuple(_cites_in(list(rows)))) if rows else _Side(None)


class _Point(NamedTuple):
    """A difference whose clauses are still listed by side."""

    place: str
    left: str
    right: str
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    known: DifferenceKind | None = None
    """How the point differs, where it does not follow from which side is silent."""

    @property
    def change(self) -> DifferenceKind:
        """How the point differs."""
        if self.known is not None:
            return self.known
        if self.left == ABSENT:
            return DifferenceKind.ADDED
        return DifferenceKind.DELETED if self.right == ABSENT else DifferenceKind.CHANGED


class _Walk(NamedTuple):
    """A walk through two tables; paragraphs are compared only where both documents number them alike."""

    numbered_alike: bool

    def values(self, place: str, left: _Side, right: _Side) -> Iterator[_Point]:
        """The points in which two values at one place differ."""
        family, _, name = place.partition(".")
        if _is_rows(left.value) and _is_rows(right.value):
            yield from self.rows(place, left, right)
        elif not (_is_table(left.value) and _is_table(right.value)):
            if bare_value(left.value) != bare_value(right.value):
                yield _point(place, left, right)
        elif family in FAMILIES and name:
            yield from self.entry(place, left, right)
        else:
            yield from self.paragraphs(place, left.value, right.value)
            renamed = _renamed_entries(left.value, right.value) if place.rpartition(".")[2] in NAMED_PLACES else {}
            if renamed:
                ours, theirs = left.part(renamed), right.part(renamed.values())
                yield _point(place, ours, theirs)._replace(known=DifferenceKind.MOVED)
            told = {*renamed, *renamed.values()}
            for key in filter(is_law, _keys(left.value, right.value)):
                if key not in told:
                    yield from self.values(f"{place}.{key}", left.child(key), right.child(key))

    def entry(self, place: str, left: _Side, right: _Side) -> Iterator[_Point]:
        """The point, if any, in which two entries of one name differ: the fields that do, and no others."""
        points: list[_Point] = []
        for key in filter(is_law, _keys(left.value, right.value)):
            ours, theirs = left.child(key), right.child(key)
            if _is_rows(ours.value) and _is_rows(theirs.value):
                points += self.rows(key, ours, theirs)
            elif bare_value(ours.value) != bare_value(theirs.value):
                points.append(_point(key, ours, theirs, inside=True))
        if points:
            yield _Point(
                place,
                "; ".join(f"{each.place} {each.left}" for each in points if each.left != ABSENT) or ABSENT,
                "; ".join(f"{each.place} {each.right}" for each in points if each.right != ABSENT) or ABSENT,
                tuple(cite for each in points for cite in each.ours) or tuple(left.value.get("cite", ())),
                tuple(cite for each in points for cite in each.theirs) or tuple(right.value.get("cite", ())),
                DifferenceKind.CHANGED,
            )
        else:
            yield from self.paragraphs(place, left.value, right.value)

    def rows(self, place: str, left: _Side, right: _Side) -> Iterator[_Point]:
        """The points in which two lists of rows differ, compared by what the rows say."""
        ours, theirs = _by_content(left.value), _by_content(right.value)
        only_ours = [row for key, row in ours.items() if key not in theirs]
        only_theirs = [row for key, row in theirs.items() if key not in ours]
        if only_ours or only_theirs:
            yield _point(place, left.with_rows(only_ours), right.with_rows(only_theirs))
        common, in_their_order = [k for k in ours if k in theirs], [k for k in theirs if k in ours]
        if place in IN_ORDER and common != in_their_order:
            before = left.with_rows([ours[key] for key in common])
            yield _point(f"{place} order", before, right.with_rows([theirs[key] for key in in_their_order]))
        for key in common:
            yield from self.paragraphs(place, ours[key], theirs[key])
        marked = [[row for row in side.value if row.get(RESTORED_MARK)] for side in (left, right)]
        if len(marked[0]) != len(marked[1]):
            ours_say = f"{len(marked[0])} of {len(left.value)} rows"
            theirs_say = f"{len(marked[1])} of {len(right.value)} rows"
            cites = left.with_rows(marked[0]).cites, right.with_rows(marked[1]).cites
            yield _Point(f"{place} {RESTORED_MARK}", ours_say, theirs_say, *cites)

    def paragraphs(self, place: str, left: Mapping[str, Any], right: Mapping[str, Any]) -> Iterator[_Point]:
        """The changes of paragraph under which the same thing is said."""
        for key in left if self.numbered_alike else ():
            if is_cite(key) and key in right:
                ours, theirs = ([*dict.fromkeys(map(paragraph_of, side[key]))] for side in (left, right))
                if set(ours) != set(theirs):
                    where = place if key == "cite" else f"{place}.{key.removesuffix('_cite')}"
                    cites = tuple(left[key]), tuple(right[key])
                    yield _Point(where, ", ".join(ours), ", ".join(theirs), *cites, DifferenceKind.MOVED)


def _point(place: str, left: _Side, right: _Side, *, inside: bool = False) -> _Point:
    ours, theirs = _text(left.value, inside=inside), _text(right.value, inside=inside)
    return _Point(place, ours, theirs, left.cites, right.cites)


def _clauses(a: Edition, b: Edition) -> Iterator[EditionDifference]:
    """The clauses that are not the same in both, paired by what they rule."""
    found = pair_clauses(a, b)
    pairs = [
        *(((left,), (right,), DifferenceKind.CHANGED) for left, right in found.changed),
        *(((), (key,), DifferenceKind.ADDED) for key in found.added),
        *(((key,), (), DifferenceKind.DELETED) for key in found.deleted),
        *(((left,), (right,), DifferenceKind.MOVED) for left, right in found.moved),
        *((lefts, rights, DifferenceKind.RESTATED) for lefts, rights in found.restated),
    ]
    for lefts, rights, change in pairs:
        keys = dict.fromkeys(filter(None, (", ".join(lefts), ", ".join(rights))))
        yield EditionDifference(
            f"clause {' → '.join(keys)}",
            " ".join(a.clauses[key].requirement for key in lefts) or ABSENT,
            " ".join(b.clauses[key].requirement for key in rights) or ABSENT,
            (*a.cite_text(*lefts), *b.cite_text(*rights)),
            change,
        )


def _renamed_entries(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, str]:
    """The entries that say the same under another name: from the name on the left to the one on the right."""
    found: dict[str, str] = {}
    only_there = {key: value for key, value in right.items() if key not in left}
    for key, value in left.items():
        there = next((other for other, each in only_there.items() if _is_same_law(each, value)), None)
        if key not in right and there is not None:
            found[key] = there
            del only_there[there]
    return found


def _is_same_law(one: Any, other: Any) -> bool:
    """Whether two entries are one: the same law, and where we describe it, in the same words."""
    descriptions = [each.get("description") for each in (one, other) if isinstance(each, Mapping)]
    return bare_value(one) == bare_value(other) and len({*descriptions}) <= 1


def _identity(clause: Clause) -> tuple[str, str]:
    """What makes two clauses one: the same place and the same words, whichever catalogue they are in."""
    return clause.key, clause.requirement


def _keys(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys([*a, *b]))


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) and not is_odds(value)


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_table, value))


def _cites_in(value: Any) -> list[str]:
    """Every clause cited inside a value."""
    if isinstance(value, Mapping):
        return [cite for key, each in value.items() for cite in (each if is_cite(key) else _cites_in(each))]
    return [cite for each in value for cite in _cites_in(each)] if isinstance(value, list) else []


def _by_content(rows: Sequence[Mapping[str, Any]]) -> dict[bytes, Mapping[str, Any]]:
    return {msgspec.json.encode(bare_value(row), order="deterministic"): row for row in rows}


def _text(value: Any, *, inside: bool = False) -> str:
    """A value as a reader of the table would write it."""
    if value is None:
        return ABSENT
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_odds(value):
        return str(value["odds"])
    if isinstance(value, Mapping):
        words = ", ".join(f"{key} {_text(each, inside=True)}" for key, each in value.items() if is_law(key))
        ours = next((value[key] for key in OUR_WORDS if key in value), None)
        text = words if ours is None else f"{ours} ({words})"
        return f"{{{text}}}" if inside else text
    if isinstance(value, list):
        if not _is_rows(value):
            return f"[{', '.join(_text(each, inside=True) for each in value)}]"
        rows = "; ".join(map(_text, value))
        return f"[{rows}]" if inside else rows
    return str(value)
