"""A pit: its tables with their rulebooks, and what must be the same at all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from baccarat.house.book import HouseCommand
from baccarat.house.filed_rules import FiledRules, read_rules
from baccarat.house.notice import Notice, is_on
from baccarat.house.number_map import NumberMap, value_at, values_of, with_value, without_value
from baccarat.house.reason import HouseReason, refuse
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.role import PIT_MANAGERS


class RulesInForce(msgspec.Struct, frozen=True):
    """Filed rules and the time from which they hold, in seconds of the house's clock."""

    since: int
    filed: FiledRules

    @property
    def rules(self) -> Rulebook:
        """The rulebook."""
        return read_rules(self.filed)


class Pit(msgspec.Struct, frozen=True, kw_only=True):
    """A pit: the rules of each of its tables as they take effect, the notices given, and those that have served."""

    name: str
    tables: dict[str, tuple[RulesInForce, ...]] = {}
    given: NumberMap[Notice] = {}
    """Every notice, by how many were given before it."""
    count: int = 0
    by_content: NumberMap[tuple[int, ...]] = {}
    """The numbers of those that may say the same, by `content_number`."""
    unused: dict[str, NumberMap[Notice]] = {}
    """Those that no act has relied on yet, by their option: each serves once."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Every notice, in the order in which they were given."""
        return tuple(notice for _, notice in values_of(self.given))

    def unused_of(self, option: str) -> list[Notice]:
        """The notices of an option on which an act may rely, in the order in which they were given."""
        return [notice for _, notice in values_of(self.unused.get(option, {}))]

    def number_of(self, notice: Notice) -> int | None:
        """How many notices were given before this one; none if it was not given."""
        alike = value_at(self.by_content, content_number(notice)) or ()
        return next((number for number in alike if value_at(self.given, number) == notice), None)

    def has_served(self, notice: Notice) -> bool:
        """Whether an act has relied on a notice that was given."""
        number = self.number_of(notice)
        return number is not None and value_at(self.unused.get(notice.option, {}), number) is None

    def with_notice(self, notice: Notice) -> Pit:
        """The pit after a notice was given."""
        key, number, unused = content_number(notice), self.count, self.unused.get(notice.option, {})
        alike = value_at(self.by_content, key) or ()
        return replace(
            self,
            given=with_value(self.given, number, notice),
            count=number + 1,
            by_content=with_value(self.by_content, key, (*alike, number)),
            unused={**self.unused, notice.option: with_value(unused, number, notice)},
        )

    def with_served(self, notices: Sequence[Notice]) -> Pit:
        """The pit after an act that relied on notices: they do not serve again."""
        unused = dict(self.unused)
        for notice in notices:
            number = self.number_of(notice)
            assert number is not None, "no act relies on a notice that was not given"
            unused[notice.option] = without_value(unused[notice.option], number)
        return replace(self, unused=unused)


def content_number(notice: Notice) -> int:
    """A number that follows from the content of a notice; few others have the same."""
    said = msgspec.json.encode((notice.to, notice.pit, notice.option, notice.sent))
    return int.from_bytes(sha256(said + _value_bytes(notice.value)).digest()[:4], "big") >> 1


def _value_bytes(value: Any) -> bytes:
    """A value as bytes; equal values have equal bytes, and in Python true and 1 are equal."""
    return msgspec.json.encode(int(value) if isinstance(value, bool) else value, order="sorted")


class PitCommand(HouseCommand, frozen=True, kw_only=True):
    """An act of those who run the pit."""

    ROLES = PIT_MANAGERS

    def belongs_under(self, rules: Rulebook) -> tuple[Citation, ...]:
        """The clauses on what a pit's tables have in common."""
        return rules.cite(*pit_clauses(rules))


def rules_at(pit: Pit, table: str, time: int) -> Rulebook:
    """The rulebook for a shoe that begins at a time; a round in play continues under its own (reading A-63)."""
    held = [each for each in pit.tables[table] if each.since <= time]
    assert held, f"{table} was not open then"
    return held[-1].rules


def latest(pit: Pit, table: str) -> RulesInForce:
    """What holds at a table once every accepted change has taken effect."""
    return pit.tables[table][-1]


def opening_time(pits: Mapping[str, Pit], table: str) -> int:
    """When a table opens, in seconds; zero if it is in no pit, and so was always open."""
    return next((pit.tables[table][0].since for pit in pits.values() if table in pit.tables), 0)


def refuse_option(rules: Rulebook, option: str) -> Refused:
    """Refuse an option that the edition does not know."""
    why, keys, edition = HouseReason.NO_SUCH_OPTION, pit_clauses(rules), rules.edition.name
    return refuse(rules, why, "edition_knows_no_such_option", *keys, edition=edition, option=option)


def rules_of(pit: Pit) -> dict[str, Rulebook]:
    """The rulebook of each table once every accepted change has taken effect."""
    return {table: latest(pit, table).rules for table in pit.tables}


def refuse_not_uniform(tables: Mapping[str, Rulebook]) -> Refused | None:
    """The refusal if two tables would differ in an option that their document requires to be uniform in a pit."""
    seen: dict[str, tuple[str, Any]] = {}
    for table, rules in tables.items():
        for law in rules.edition.uniform:
            value = rules.elects(law.option)
            other, held = seen.setdefault(law.option, (table, value))
            if held != value and (is_on(held) or is_on(value)):
                both = {"held": held, "other": other, "value": value, "table": table}
                why = HouseReason.NOT_UNIFORM
                return refuse(rules, why, "option_uniform_in_a_pit", *law.cite, option=law.option, **both)
    return None


def clauses_on_options(rules: Rulebook, changes: Mapping[str, Any] | None = None) -> tuple[Citation, ...]:
    """The clauses on notice and uniformity of the options concerned, or of all."""
    edition = rules.edition
    keys = [
        *(key for law in edition.uniform if changes is None or law.option in changes for key in law.cite),
        *(key for law in edition.notices if changes is None or set(law.options) & set(changes) for key in law.cite),
        *(key for option in changes or () for key in edition.options[option].cite),
    ]
    return rules.cite(*keys)


def pit_clauses(rules: Rulebook) -> tuple[str, ...]:
    """The clauses on what a pit's tables have in common, or that on dealing where there are none."""
    law = rules.edition.uniform
    return law[0].cite if law else rules.edition.deal.cite
