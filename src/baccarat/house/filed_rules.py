"""Filed rules: a rulebook as a book stores it, by its edition and what was stated, read back when needed."""

from __future__ import annotations

from typing import Annotated

import msgspec

from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.table.bounds import Elections, Hash, Label, Means, check_elected


class FiledRules(msgspec.Struct, frozen=True, kw_only=True):
    """What was filed for a table: the edition, every election stated, and the hash of both."""

    ruleset: Annotated[Label, Means("the edition")]
    stated: Annotated[Elections, Means("what was filed under it")]
    hash: Annotated[Hash, Means("the hash of both")]

    def __post_init__(self) -> None:
        check_elected("stated", self.stated)


def file_rules(rules: Rulebook) -> FiledRules:
    """A rulebook as it is stored; what was stated is plain data, so that it reads back unchanged."""
    stated = msgspec.json.decode(msgspec.json.encode(dict(rules.stated)))
    return FiledRules(ruleset=rules.edition.name, stated=stated, hash=rules.hash)


def read_rules(filed: FiledRules) -> Rulebook:
    """The rulebook that was filed; the hash of a filing from outside must have been checked (`check_filed`)."""
    made = _BY_HASH.get(filed.hash)
    if made is None:
        made = _BY_HASH[filed.hash] = check_filed(filed)
    return made


class OtherHash(RulesError):  # noqa: N818
    """A filing whose hash does not match."""

    @property
    def options(self) -> tuple[str, ...]:
        """The hash itself, in addition to the options."""
        return ("hash",)


def check_filed(filed: FiledRules) -> Rulebook:
    """The rulebook of a filing that comes from outside: sound, and with the hash that it states."""
    made = rulebook({"ruleset": filed.ruleset, **filed.stated})
    if made.hash != filed.hash:
        raise OtherHash(f"{filed.ruleset}: the hash of what is filed is {made.hash[:12]}…, not {filed.hash[:12]}…")
    return made


_BY_HASH: dict[str, Rulebook] = {}
"""Rulebooks that have been read: one for each hash."""
