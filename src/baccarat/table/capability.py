"""Capabilities: the sets of roles that the house chooses itself, read from one file and checked on loading.

This module knows the file and its rules, but no role: `role.py` names the roles, and gives each set its name in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

EVERYBODY = "everybody"
"""In a list: all roles."""
NOT = "not "
"""Before a name in a list: these roles are removed."""

Members = Mapping[str, frozenset[str]]


class CapabilityError(ValueError):
    """The file of capabilities contradicts itself, or does not fit the roles."""


class Capabilities(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The names of the roles in every set, by section."""

    sets: Members
    """Sets that lists, and the program under the same name, may refer to."""
    pages: Members
    tasks: Members
    shows: Members


class _Lists(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sections as they are written."""

    sets: dict[str, list[str]]
    pages: dict[str, list[str]]
    tasks: dict[str, list[str]]
    shows: dict[str, list[str]]


def load_capabilities(roles: Sequence[str]) -> Capabilities:
    """The capabilities that come with the package."""
    from importlib.resources import files  # noqa: PLC0415  as for the files of the law

    return parse_capabilities(files(__package__).joinpath("capabilities.toml").read_text(encoding="utf-8"), roles)


def parse_capabilities(text: str, roles: Sequence[str]) -> Capabilities:
    """The capabilities in a file, for these roles; `CapabilityError` says what is wrong with it."""
    import tomllib  # noqa: PLC0415  only where a file is read

    try:
        lists = msgspec.convert(tomllib.loads(text), _Lists)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CapabilityError(f"capabilities: {error}") from None
    sets = _sets(lists.sets, frozenset(roles))
    sections: dict[str, dict[str, frozenset[str]]] = {"sets": sets}
    known = {**_singles(roles), **sets}
    for section in ("pages", "tasks", "shows"):
        written: dict[str, list[str]] = getattr(lists, section)
        sections[section] = {name: _members(f"{section}.{name}", items, known.get) for name, items in written.items()}
    return Capabilities(**sections)


def _singles(roles: Sequence[str] | frozenset[str]) -> dict[str, frozenset[str]]:
    """What a list may name besides sets: each role, and all of them."""
    return {**{role: frozenset({role}) for role in roles}, EVERYBODY: frozenset(roles)}


def _sets(lists: Mapping[str, list[str]], roles: frozenset[str]) -> dict[str, frozenset[str]]:
    """The roles of every set, each resolved before the sets that name it."""
    singles, found, open_ = _singles(roles), dict[str, frozenset[str]](), list[str]()

    def resolve(name: str) -> frozenset[str] | None:
        if name in singles:
            return singles[name]
        if name in open_:
            raise CapabilityError(f"sets.{name}: a cycle: {' → '.join([*open_[open_.index(name) :], name])}")
        if name not in found and name in lists:
            open_.append(name)
            found[name] = _members(f"sets.{name}", lists[name], resolve)
            open_.pop()
        return found.get(name)

    for name in lists:
        if name in singles:
            raise CapabilityError(f"sets.{name}: this is the name of a role; a set needs another")
        resolve(name)
    sets = {name: found[name] for name in lists}
    _check_distinct(sets)
    _check_all_placed(lists, roles)
    return sets


def _members(where: str, items: Sequence[str], resolve: Callable[[str], frozenset[str] | None]) -> frozenset[str]:
    """The roles that a list stands for."""
    taken, away = frozenset[str](), frozenset[str]()
    for item in items:
        name = item.removeprefix(NOT)
        if items.count(item) > 1:
            raise CapabilityError(f"{where}: {item!r} is listed twice")
        roles = resolve(name)
        if roles is None:
            raise CapabilityError(f"{where}: {name!r} is neither a role nor a set")
        if item.startswith(NOT):
            away |= roles
        else:
            taken |= roles
    if not taken - away:
        raise CapabilityError(f"{where}: holds no role")
    return taken - away


def _check_distinct(sets: Members) -> None:
    """No set of roles has two names."""
    names: dict[frozenset[str], str] = {}
    for name, roles in sets.items():
        first = names.setdefault(roles, name)
        if first != name:
            raise CapabilityError(f"sets.{name}: holds the same roles as sets.{first}; use one name for both")


def _check_all_placed(lists: Mapping[str, list[str]], roles: frozenset[str]) -> None:
    """Every role is named by some set: to be among all roles is not enough."""
    missing = roles.difference(*lists.values())
    if missing:
        raise CapabilityError(f"sets: no set names the role {' or '.join(repr(role) for role in sorted(missing))}")
