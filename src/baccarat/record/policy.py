"""Policies: whose signatures a reader requires (C2SP tlog-policy): which logs, which witnesses, how many of them.

A policy is a text of lines; `#` begins a comment. `log KEY [URL]` names the key of a log or of a house. `witness NAME
KEY [URL]` names a witness, `group NAME K MEMBER…` a group of which `K` members (a number, `any` or `all`) are required,
and `quorum NAME` the witness or the group that must have cosigned, or `none`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from baccarat.record.encoding import from_decimal
from baccarat.record.key import KeyKind, UnreadableKey, Verifier
from baccarat.record.text import visible

NONE = "none"


class UnreadablePolicy(ValueError):  # noqa: N818
    """A text that is not a policy: the line, and what is wrong with it."""


class Group(msgspec.Struct, frozen=True):
    """Members, each a witness or a group by its name, of which some number is required."""

    least: int
    members: tuple[str, ...]


class Policy(msgspec.Struct, frozen=True):
    """Whose signatures a reader requires."""

    logs: tuple[Verifier, ...] = ()
    witnesses: Mapping[str, Verifier] = {}
    groups: Mapping[str, Group] = {}
    quorum: str = NONE

    @property
    def keys(self) -> tuple[Verifier, ...]:
        """Every key that it names."""
        return (*self.logs, *self.witnesses.values())

    def is_met_by(self, cosigned: Iterable[Verifier]) -> bool:
        """Whether these witnesses are enough."""
        present = {name for name, key in self.witnesses.items() if key in set(cosigned)}
        return self.quorum == NONE or self._is_met(self.quorum, present)

    def _is_met(self, name: str, present: set[str]) -> bool:
        group = self.groups.get(name)
        if group is None:
            return name in present
        return sum(self._is_met(member, present) for member in group.members) >= group.least


def policy_of_keys(keys: Sequence[Verifier]) -> Policy:
    """The policy of a reader who names keys one by one: a log must have signed, and every witness cosigned."""
    logs = tuple(key for key in keys if key.kind is KeyKind.LOG)
    witnesses = {str(key): key for key in keys if key.kind is KeyKind.WITNESS}
    if not witnesses:
        return Policy(logs)
    return Policy(logs, witnesses, {"all": Group(len(witnesses), tuple(witnesses))}, "all")


def read_policy(text: str) -> Policy:
    """Read a policy."""
    logs: list[Verifier] = []
    witnesses: dict[str, Verifier] = {}
    groups: dict[str, Group] = {}
    quorum = ""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if quorum:
            raise _fault(number, "quorum is the last line")
        match words:
            case ["log", key] | ["log", key, _]:
                logs.append(_key(number, key, KeyKind.LOG))
            case ["witness", name, key] | ["witness", name, key, _]:
                _check_new(number, name, {*witnesses, *groups})
                witnesses[name] = _key(number, key, KeyKind.WITNESS)
            case ["group", name, least, *members] if members:
                _check_new(number, name, {*witnesses, *groups})
                groups[name] = _group(number, least, members, {*witnesses, *groups})
            case ["quorum", name]:
                if name != NONE and name not in witnesses and name not in groups:
                    raise _fault(number, f"no witness and no group is called {visible(name)[:60]}")
                quorum = name
            case _:
                raise _fault(number, "expected log KEY, witness NAME KEY, group NAME K MEMBER… or quorum NAME")
    if not quorum:
        raise UnreadablePolicy("there is no quorum; expected a last line such as quorum none")
    if len(set(logs)) != len(logs) or len(set(witnesses.values())) != len(witnesses):
        raise UnreadablePolicy("a key is named twice")
    return Policy(tuple(logs), witnesses, groups, quorum)


def _key(number: int, text: str, kind: KeyKind) -> Verifier:
    try:
        key = Verifier.parse(text)
    except UnreadableKey as error:
        raise _fault(number, str(error)) from None
    if key.kind is not kind:
        raise _fault(number, f"the key is not that of a {kind.name.lower()}")
    return key


def _check_new(number: int, name: str, known: set[str]) -> None:
    if name == NONE or name in known:
        raise _fault(number, f"the name {visible(name)[:60]} is taken")


def _group(number: int, least: str, members: list[str], known: set[str]) -> Group:
    unknown = [member for member in members if member not in known]
    if unknown or len(set(members)) != len(members):
        raise _fault(number, "a group has members that were named before it, each once")
    count = {"any": 1, "all": len(members)}.get(least, from_decimal(least, len(members)))
    if not count:
        raise _fault(number, f"expected any, all or a number from 1 to {len(members)}")
    return Group(count, tuple(members))


def _fault(number: int, say: str) -> UnreadablePolicy:
    return UnreadablePolicy(f"line {number}: {say}")
