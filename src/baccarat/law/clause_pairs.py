"""Clauses of two documents paired by meaning: by what each of them rules, not by its number.

Two clauses may rule the same place of the law and still be about different things, such as the number of seats and the
seat that is offered the shoe first. So a pair of changed clauses must also have words in common. And what one document
fixes another may have made an option, in another place of the law: clauses that rule neighbouring places are a pair if
most of their words are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from baccarat.law.bare_value import bare_value, citing_field
from baccarat.law.clause import Clause
from baccarat.law.edition import Edition
from baccarat.law.section import is_cite

Rulings = dict[str, set[tuple[str, bytes]]]
"""By clause, the places of the table that it rules, each with what is said there."""

PHYSICAL_PLACE = "physical"
"""The place of everything that no program can obey or break: two clauses in it need not be related."""
MEANINGFUL_LETTERS = 4
"""The least letters of a word that may carry meaning; shorter words are mostly conjunctions and articles."""
MANY_COMMON_WORDS = 4
"""How many common words make clauses that rule neighbouring places a pair, if they are half of the shorter clause."""
KINDS_OF_PLACE = frozenset({"option", "step", "call", "choices", "rules", "value", "cite"})
"""Words of a place that say how something is written, not what it is about."""


class Pairing(NamedTuple):
    """How the clauses of one document relate to those of another; each clause is in exactly one field."""

    alike: tuple[str, ...]
    """Keys under which both say the same in the same words."""
    moved: tuple[tuple[str, str], ...]
    """The same words under another number."""
    restated: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    """The same law in other words, perhaps in fewer or more clauses."""
    changed: tuple[tuple[str, str], ...]
    deleted: tuple[str, ...]
    added: tuple[str, ...]


def pair_clauses(a: Edition, b: Edition) -> Pairing:
    """The clauses of `a` and `b`, paired."""
    ours, theirs = dict(a.clauses), dict(b.clauses)
    alike = tuple(key for key in ours if key in theirs and _same_words(ours[key], theirs[key]))
    for key in alike:
        del ours[key], theirs[key]
    moved = tuple(_moved_pairs(ours, theirs))
    for left, right in moved:
        del ours[left], theirs[right]
    rules_a, rules_b = rulings(a), rulings(b)
    restated = tuple(_restated_groups({key: rules_a[key] for key in ours}, {key: rules_b[key] for key in theirs}))
    for lefts, rights in restated:
        for key in lefts:
            del ours[key]
        for key in rights:
            del theirs[key]
    changed = tuple(_changed_pairs(ours, theirs, rules_a, rules_b, by_number=bool(alike)))
    gone, come = {left for left, _ in changed}, {right for _, right in changed}
    return Pairing(
        alike=alike, moved=moved, restated=restated, changed=changed,
        deleted=tuple(key for key in ours if key not in gone), added=tuple(key for key in theirs if key not in come),
    )  # fmt: skip


def _same_words(one: Clause, other: Clause) -> bool:
    return one.requirement == other.requirement


def _moved_pairs(ours: Mapping[str, Clause], theirs: Mapping[str, Clause]) -> Iterator[tuple[str, str]]:
    left = dict(theirs)
    for key, clause in ours.items():
        there = next((other for other, each in left.items() if _same_words(each, clause)), None)
        if there is not None:
            del left[there]
            yield key, there


def _restated_groups(ours: Rulings, theirs: Rulings) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Groups of clauses on either side that together rule the same places and say the same there."""
    says_a, says_b = set().union(*ours.values()), set().union(*theirs.values())
    mine = {key: ruled for key, ruled in ours.items() if ruled and ruled <= says_b}
    other = {key: ruled for key, ruled in theirs.items() if ruled and ruled <= says_a}
    while mine:
        first = next(iter(mine))
        lefts, rights, reached = {first}, set[str](), set(mine[first])
        before = -1
        while before != len(reached):
            before = len(reached)
            lefts |= {key for key, ruled in mine.items() if ruled & reached}
            rights |= {key for key, ruled in other.items() if ruled & reached}
            reached = reached.union(*(mine[key] for key in lefts), *(other[key] for key in rights))
        group = tuple(key for key in mine if key in lefts), tuple(key for key in other if key in rights)
        mine = {key: ruled for key, ruled in mine.items() if key not in lefts}
        other = {key: ruled for key, ruled in other.items() if key not in rights}
        if rights:
            yield group


def _changed_pairs(
    ours: Mapping[str, Clause], theirs: Mapping[str, Clause], rules_a: Rulings, rules_b: Rulings, *, by_number: bool
) -> Iterator[tuple[str, str]]:
    """Clauses that rule the same places differently, those that share most first; then those that rule neighbouring
    places in much the same words; then those that rule nothing, by number."""
    left, right = dict(ours), dict(theirs)
    places_a = {key: {place for place, _ in rules_a[key] if place != PHYSICAL_PLACE} for key in left}
    places_b = {key: {place for place, _ in rules_b[key] if place != PHYSICAL_PLACE} for key in right}
    words_a, words_b = ({key: _words(each) for key, each in side.items()} for side in (left, right))
    shared = [
        (-len(rules_a[one] & rules_b[two]), -len(words_a[one] & words_b[two]), -len(mine & other), one != two, one, two)
        for one, mine in places_a.items()
        for two, other in places_b.items()
        if mine & other and _is_similar(words_a[one], words_b[two])
    ]
    for *_, one, two in sorted(shared):
        if one in left and two in right:
            del left[one], right[two]
            yield one, two
    near = [
        (-len(words_a[one] & words_b[two]), one, two)
        for one in left
        for two in right
        if _subjects(places_a[one]) & _subjects(places_b[two]) and _is_very_similar(words_a[one], words_b[two])
    ]
    for _, one, two in sorted(near):
        if one in left and two in right:
            del left[one], right[two]
            yield one, two
    for key in [key for key in left if by_number and key in right and not (rules_a[key] and rules_b[key])]:
        yield key, key


def _words(clause: Clause) -> frozenset[str]:
    """The words of a clause that carry its meaning, without their endings."""
    found = re.findall(r"[a-z]+|[0-9]+", clause.requirement.lower())
    return frozenset(word[:5] for word in found if len(word) >= MEANINGFUL_LETTERS or word.isdigit())


def _is_similar(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a third of the words of the shorter clause also occur in the other."""
    return 3 * len(one & other) >= min(len(one), len(other))


def _is_very_similar(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether half of the words of the shorter clause, and more than a few, also occur in the other; numbers aside."""
    one, other = (frozenset(word for word in words if not word.isdigit()) for words in (one, other))
    common = len(one & other)
    return common >= MANY_COMMON_WORDS and 2 * common >= min(len(one), len(other))


def _subjects(places: Iterable[str]) -> frozenset[str]:
    """What places are about, word by word: `burn` and `option.burn_exposure` are both about the burn."""
    found = {word for place in places for word in re.split(r"[^a-z]+", place.lower())}
    return frozenset(word for word in found - KINDS_OF_PLACE if len(word) >= MEANINGFUL_LETTERS)


# ------------------------------------------------------------------------------------- what a clause rules


def rulings(edition: Edition) -> Rulings:
    """What each clause of an edition rules: places and their content, without citations and our own words."""
    found: Rulings = {key: set() for key in edition.clauses}
    law = {word: value for word, value in edition.table.items() if word not in ("clause", "record", "pending")}
    for clause, place, content in _walk(law, ""):
        found.setdefault(clause, set()).add((place, msgspec.json.encode(content, order="deterministic")))
    for clause, how in edition.physical.items():
        found[clause].add((PHYSICAL_PLACE, how.encode()))
    return found


def _walk(node: Any, place: str) -> Iterator[tuple[str, str, Any]]:
    if isinstance(node, list):
        for each in node:
            yield from _walk(each, f"{place}.{_row_name(each)}")
    if not isinstance(node, Mapping):
        return
    if node.get("house"):  # an option that the house files and no clause states
        return
    for key, value in node.items():
        if is_cite(key):
            where = place if key == "cite" else f"{place}.{key.removesuffix('_cite')}"
            yield from ((clause, where, _content(node, key)) for clause in value)
        elif not (place == "" and key == "physical"):
            yield from _walk(value, f"{place}.{key}" if place else key)


def _row_name(row: Any) -> str:
    """What a row of a list is about, so that two rows about one thing are seen to differ."""
    if not isinstance(row, Mapping):
        return ""
    for key in ("name", "option", "event", "result"):
        if key in row:
            return str(row[key])
    about = [row.get("options", ()), row.get("if", {}), row.get("when", {}), row.get("need", {}), row.get("differ", ())]
    held = map(str, (row.get("hand", ""), row.get("holds", "")))
    return " ".join([*held, *(word for words in about for word in words)])


def _content(table: Mapping[str, Any], cite: str) -> Any:
    """What a citation covers: the fields named for it, or all that no other citation of the table covers."""
    fields = {key: value for key, value in table.items() if not is_cite(key)}
    by = {key: citing_field(key, table) for key in fields}
    mine = {key: value for key, value in fields.items() if by[key] == cite and not _cites_itself(value)}
    return bare_value(mine)


def _cites_itself(value: Any) -> bool:
    """Whether a value has citations of its own."""
    if isinstance(value, Mapping):
        return any(map(is_cite, value)) or any(map(_cites_itself, value.values()))
    return isinstance(value, list) and any(map(_cites_itself, value))
