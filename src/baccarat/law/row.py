"""Rows of law: conditions on facts and elections, of which exactly one answers a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

import msgspec

from baccarat.law.error import ConflictingRules, NoRule, RulesError, hint
from baccarat.law.section import Cite


class WagerResult(Enum):
    """How a wager ends; *push* is the word for a wager returned."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow

    def __init__(self, word: str) -> None:
        self.word = word  # as `value`, at the speed of a plain attribute


class PayRule(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a wager's law: under these facts and elections, this result."""

    path: str
    cite: tuple[str, ...]
    result: WagerResult
    facts: dict[str, tuple[Any, ...]]
    when: dict[str, tuple[Any, ...]]
    pays: str | None = None
    row: str | None = None
    vigorish: bool = False


class Draw(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of the tableau: with these points a hand draws or stays."""

    hand: str
    act: str
    cite: Cite
    natural: bool
    holds: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    third: tuple[int, ...] | str | None = None
    restored: bool = False

    def meets(self, *, hand: str, natural: bool, holds: int, third: int | None) -> bool:
        """Whether this row applies to the case."""
        if hand != self.hand or natural != self.natural or holds not in self.holds:
            return False
        if self.third is None:
            return True
        if isinstance(self.third, str):
            return third is None
        return third is not None and third in self.third


RULE_KEYS = ("result", "pays", "row", "vigorish", "cite", "when")
"""The words of a rule's row that are not facts."""


def as_values(value: Any) -> tuple[Any, ...]:
    """A condition's allowed values: one value stands for a list of one."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def conditions(table: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Conditions with every value turned into the list of values that it allows."""
    return {key: as_values(value) for key, value in table.items()}


def parse_rule(table: Mapping[str, Any], *, path: str, known_facts: Iterable[str]) -> PayRule:
    """The rule written in one TOML row; whatever is not a known word must be a known fact."""
    known = set(known_facts)
    facts = {key: value for key, value in table.items() if key not in RULE_KEYS}
    for key in facts:
        if key not in known:
            raise RulesError(f"{path}: unknown fact {key!r}{hint(key, [*known, *RULE_KEYS])}")
        if isinstance(table[key], Mapping):
            raise RulesError(f"{path}.{key}: a table is not a value of a fact")
    cite, when = table.get("cite"), table.get("when", {})
    cited = isinstance(cite, list | tuple) and bool(cite) and all(isinstance(key, str) for key in cite)
    if "result" not in table or not cited:
        raise RulesError(f"{path}: a rule says its result and cites its clause")
    if not isinstance(when, Mapping):
        raise RulesError(f"{path}.when: {when!r} is not a table of elections")
    try:
        result = WagerResult(table["result"])
    except ValueError:
        raise RulesError(f"{path}.result: {table['result']!r} is not win, lose or push") from None
    return PayRule(
        path=path,
        cite=tuple(table["cite"]),
        result=result,
        facts=conditions(facts),
        when=conditions(when),
        pays=table.get("pays"),
        row=table.get("row"),
        vigorish=table.get("vigorish", False),
    )


def conditions_hold(conditions: Mapping[str, tuple[Any, ...]], facts: Mapping[str, Any]) -> bool:
    """Whether every condition is met by the facts."""
    for key, allowed in conditions.items():  # noqa: SIM110  called ten thousand times while an edition is loaded
        if facts[key] not in allowed:
            return False
    return True


def rules_in_force(rules: Sequence[PayRule], elections: Mapping[str, Any]) -> list[PayRule]:
    """The rules that hold under these elections."""
    return [rule for rule in rules if conditions_hold(rule.when, elections)]


def answer(rules: Sequence[PayRule], facts: Mapping[str, Any], *, question: str) -> PayRule:
    """The one rule that answers; none or two is an error in the law."""
    found = [rule for rule in rules if conditions_hold(rule.facts, facts)]
    if len(found) == 1:
        return found[0]
    case = ", ".join(f"{key}={value}" for key, value in facts.items())
    if not found:
        raise NoRule(f"{question}: no row answers the case {case}")
    rows = " and ".join(rule.path for rule in found)
    cites = tuple(key for rule in found for key in rule.cite)
    raise ConflictingRules(f"{question}: {rows} both answer the case {case}", cites=cites)


def assignments(options: Mapping[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Every way to choose one value for each option."""
    if not options:
        yield {}
        return
    (first, values), *rest = options.items()
    for tail in assignments(dict(rest)):
        for value in values:
            yield {first: value, **tail}
