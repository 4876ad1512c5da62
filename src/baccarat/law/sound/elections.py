"""Elections that can be made together, for checks of what must hold whatever the licensee elects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from baccarat.law.row import as_values, assignments
from baccarat.law.section import Option
from baccarat.law.sound.words import choices

if TYPE_CHECKING:
    from baccarat.law.edition import Edition

MOST_VALUES = 100
"""The most values that an option may have if each of them is checked."""


def possible_elections(edition: Edition, conditions: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every way in which the options named in these conditions may be elected together."""
    asked: dict[str, set[Any]] = {}
    todo = list(conditions)
    while todo:
        for key, wanted in todo.pop().items():
            if key in edition.options:
                if key not in asked:
                    todo.append(edition.options[key].applies)
                asked.setdefault(key, set()).update(as_values(wanted))
    values = {key: _values(edition.options[key], wanted) for key, wanted in asked.items()}
    for elections in assignments(values):
        if all(_can_be(edition.options[key], value, elections) for key, value in elections.items()):
            yield elections


def _values(option: Option, wanted: Iterable[Any]) -> tuple[Any, ...]:
    """The values of an option that make a difference: all if they are few, otherwise those asked for and one other."""
    closed = choices(option)
    if closed is not None and len(closed) <= MOST_VALUES:
        return (*closed, "none") if "none" not in closed else tuple(closed)
    return tuple(dict.fromkeys((*wanted, "something else", "none")))


def _can_be(option: Option, value: Any, elections: Mapping[str, Any]) -> bool:
    """Whether an option can have this value together with the others: *none* where it does not apply or is left out."""
    if not conditions_met(option.applies, elections):
        return bool(value == "none")
    closed = choices(option) or ()
    return value != "none" or option.optional or "none" in closed


def conditions_met(conditions: Mapping[str, Any], elections: Mapping[str, Any]) -> bool:
    """Whether elections meet conditions."""
    return all(elections.get(key) in as_values(wanted) for key, wanted in conditions.items())


def elections_phrase(elections: Mapping[str, Any]) -> str:
    """Elections in the words of a message; empty if there are none."""
    return f" where {', '.join(f'{key} is {value}' for key, value in elections.items())}" if elections else ""
