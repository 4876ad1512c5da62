"""Cases of the conformance corpus: a file, what its reader is given, and the verdict that every verifier must give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from corpus_base import ALL, base, journal, keys_of, shares_again
from remade import Json, renumbered

GOOD, WRONG, UNREADABLE, UNCOVERED = 0, 1, 2, 3

ATTACKERS = ("house", "dealer", "floor", "patron", "outsider", "outsider with the disk")


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of forgery: who does it, what for, and the check that refuses it, as each verifier calls it."""

    name: str
    attacker: str
    aim: str
    program: str
    python: str
    javascript: str


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One file with the keys that its reader has, and the verdict."""

    path: str
    data: bytes
    kind: str = ""
    """Empty for an honest file."""
    keys: tuple[str, ...] = ALL
    status: int = WRONG
    """Of a verifier that knows the rules."""
    status_without_rules: int = WRONG
    gap: str = ""
    """What a verifier says of status 3, in part."""
    beside: dict[str, bytes] = {}
    """The files next to it, by their names."""
    receipts: dict[str, bytes] = {}
    """The receipts that its reader gives, by their paths in the corpus."""
    policy: dict[str, bytes] = {}
    """The policy that its reader gives in place of keys, by its path; at most one."""
    memory: dict[str, bytes] = {}
    """What its reader remembers of logs, by its path; at most one."""


Forge = Callable[[Any], object]
"""Changes records, or a part of them, in place, or gives other records."""


class Names(NamedTuple):
    """What a check is called in the reports of the program and of both small verifiers."""

    program: str
    python: str
    javascript: str


class KindMaker:
    """Makes the cases of one kind."""

    def __init__(self, kind: Kind) -> None:
        assert kind.attacker in ATTACKERS
        self.kind = kind

    def case(self, name: str, data: bytes, **fields: object) -> Case:
        """A case of any bytes."""
        ending = "json" if data.lstrip().startswith(b'{"bundle"') or fields.pop("is_bundle", False) else "jsonl"
        path = f"forged/{self.kind.name}/{name}.{ending}"
        return msgspec.convert({"path": path, "data": data, "kind": self.kind.name, **fields}, Case)

    def given(self, name: str, data: bytes, *, path: str = "", **fields: object) -> Case:
        """A case of a file under what its reader gives: `receipt`, `policy` or `memory`, named after the case.

        With `path` it is a file that another case has, too.
        """
        for field, ending in (("receipts", "receipt"), ("policy", "policy"), ("memory", "memory")):
            if field in fields:
                fields[field] = {f"forged/{self.kind.name}/{name}.{ending}": fields[field]}
        made = self.case(name, data, **fields)
        return msgspec.structs.replace(made, path=path) if path else made

    def signed(self, name: str, forge: Forge, *, of: str = "order-2", remade: bool = True, **fields: object) -> Case:
        """A case of a table whose house tells it otherwise, signs all of it again, and has it cosigned."""
        records = forged(base(of), forge)
        data = journal(remade_records(records) if remade else records)
        return self.case(name, data, **{"keys": keys_of(of), **fields})


def of_kind(name: str, attacker: str, aim: str, names: Names) -> KindMaker:
    """What makes the cases of a kind."""
    return KindMaker(Kind(name=name, attacker=attacker, aim=aim, **names._asdict()))


def forged(records: list[Json], forge: Forge) -> list[Json]:
    """Records that were changed."""
    made = forge(records)
    return made if isinstance(made, list) else records


def remade_records(records: list[Json]) -> list[Json]:
    """Records numbered anew; witnesses have opened their shares for the closing as it is told now."""
    records = renumbered(records)
    has_closing = any(e["event"] == "inputs_closed" for r in records for e in r.get("events", []))
    return shares_again(records) if has_closing else records


def until(name: str, then: Forge, nth: int = 0) -> Forge:
    """A forgery of the records up to the first with this event; the later ones are left out."""

    def forge(records: list[Json]) -> list[Json]:
        found = [i for i, r in enumerate(records) if any(e["event"] == name for e in r.get("events", []))]
        return forged(records[: found[nth] + 1], then)

    return forge


Kinds = Iterator[tuple[Kind, list[Case]]]
