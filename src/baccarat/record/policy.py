"""Policies: whose signatures a reader requires (C2SP tlog-policy): which logs, which witnesses, how many of them.

A policy is a text of lines; `#` begins a comment. `log KEY [URL]` names the key of a log or of a house. `witness NAME
KEY [URL]` names a witness, `share NAME KEY` the key by which that witness signs its shares of orders, `group NAME K
MEMBER…` a group of which `K` members (a number, `any` or `all`) are required, and `quorum NAME` the witness or the
group that must have cosigned, or `none`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from baccarat.record.encoding import from_decimal
from baccarat.record.key import KeyKind, UnreadableKey, Verifier
from baccarat.record.origin import is_name_under, names_named_stream
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
    shares: Mapping[str, Verifier] = {}
    """The share keys of witnesses, by name: each must have a part in every order that is sealed."""
    is_each_required: bool = False
    """Whether every log's key must have signed something: so it is where a reader names keys one by one."""

    @property
    def keys(self) -> tuple[Verifier, ...]:
        """Every key that it names."""
        return (*self.logs, *self.witnesses.values())

    @property
    def share_keys(self) -> tuple[Verifier, ...]:
        """Every key that may have signed shares; of those given one by one, which do not say whose they are, no log's.

        A house has the keys of its logs: as a witness of its own orders it would have the part of nobody else.
        """
        given = self.logs if self.is_each_required else ()
        return (*(key for key in given if not self._is_of_log(key)), *self.shares.values())

    def _is_of_log(self, key: Verifier) -> bool:
        """Whether a key is that of a log or a house, by its name or by another log's key that was given too."""
        others = [other for other in self.logs if other != key]
        return names_named_stream(key.name) or any(
            other.public == key.public or is_name_under(other.name, key.name) for other in others
        )

    def asked_shares(self, named: Iterable[str]) -> dict[str, str]:
        """The share keys that each sealed order must name, with the name of each; `named` are those that any has."""
        found = {str(key): name for name, key in self.shares.items()}
        held = set(named)
        return found | {str(key): key.name for key in self.logs if self.is_each_required and str(key) in held}

    def is_met_by(self, cosigned: Iterable[Verifier]) -> bool:
        """Whether these witnesses are enough."""
        given = frozenset(cosigned)
        present = {name for name, key in self.witnesses.items() if key in given}
        for name, group in self.groups.items():  # each comes after its members
            if sum(member in present for member in group.members) >= group.least:
                present.add(name)
        return self.quorum == NONE or self.quorum in present


def policy_of_keys(keys: Sequence[Verifier]) -> Policy:
    """The policy of a reader who names keys one by one: a log must have signed, and every witness cosigned."""
    logs = tuple(key for key in keys if key.kind is KeyKind.LOG)
    witnesses = {str(key): key for key in keys if key.kind is KeyKind.WITNESS}
    if not witnesses:
        return Policy(logs, is_each_required=True)
    return Policy(logs, witnesses, {"all": Group(len(witnesses), tuple(witnesses))}, "all", is_each_required=True)


def read_policy(text: str) -> Policy:  # noqa: PLR0912  one case for each kind of line
    """Read a policy."""
    logs: list[Verifier] = []
    witnesses: dict[str, Verifier] = {}
    groups: dict[str, Group] = {}
    shares: dict[str, Verifier] = {}
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
            case ["share", name, key]:
                if name not in witnesses or name in shares:
                    raise _fault(number, "a share key is that of a witness that was named before it, one for each")
                shares[name] = _key(number, key, KeyKind.LOG)
            case ["group", name, least, *members] if members:
                _check_new(number, name, {*witnesses, *groups})
                groups[name] = _group(number, least, members, {*witnesses, *groups})
            case ["quorum", name]:
                if name != NONE and name not in witnesses and name not in groups:
                    raise _fault(number, f"no witness and no group is called {visible(name)[:60]}")
                quorum = name
            case _:
                expected = "log KEY, witness NAME KEY, share NAME KEY, group NAME K MEMBER… or quorum NAME"
                raise _fault(number, f"expected {expected}")
    if not quorum:
        raise UnreadablePolicy("there is no quorum; expected a last line such as quorum none")
    named = [*logs, *witnesses.values(), *shares.values()]
    if len(set(named)) != len(named):
        raise UnreadablePolicy("a key is named twice")
    return Policy(tuple(logs), witnesses, groups, quorum, shares)


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
