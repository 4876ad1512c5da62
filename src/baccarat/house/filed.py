"""Filed rules: a rulebook as a book can keep it, by its edition and what was stated, read back when it is needed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from baccarat.law.rulebook import Rulebook, rulebook


class Filed(msgspec.Struct, frozen=True, kw_only=True):
    """What was filed for a table: the edition, every election stated, and the hash of both."""

    ruleset: str
    stated: dict[str, Any]
    hash: str


def file_rules(rules: Rulebook) -> Filed:
    """A rulebook as it is kept; what was stated is plain data, so that it reads back alike."""
    stated = msgspec.json.decode(msgspec.json.encode(dict(rules.stated)))
    return Filed(ruleset=rules.edition.name, stated=stated, hash=rules.hash)


def read_rules(filed: Filed) -> Rulebook:
    """The rulebook that was filed."""
    made = _read(msgspec.json.encode({"ruleset": filed.ruleset, **filed.stated}, order="sorted"))
    assert made.hash == filed.hash, f"{filed.ruleset} {filed.hash[:12]} reads back as {made.hash[:12]}"
    return made


@lru_cache(maxsize=1024)
def _read(table: bytes) -> Rulebook:
    return rulebook(msgspec.json.decode(table))
