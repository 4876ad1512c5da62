"""What a participant has chosen for his own protection, and what the house offers: by person, whatever the device."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from msgspec.structs import replace

from baccarat.house.number_map import NumberMap, value_at, with_value

HOUR = 3600
LEAST_WAIT_HOURS = 24
"""The least time, in hours, after which a higher limit may take effect."""


class ProtectionTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What a house has elected: no document names it, so it is in no Submission."""

    wait_hours: int = LEAST_WAIT_HOURS
    """How long a higher limit on loss waits."""
    reminder_minutes: int = 60
    """After how many minutes of play a participant is reminded who has chosen nothing; 0: never."""


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of one participant; times are in seconds of the house's clock."""

    limit: int = 0
    """The most that may be lost in a gaming day, in cents; 0: no limit."""
    wanted: int | None = None
    """The higher limit that was asked for, or 0 for none; None if nothing was asked for."""
    wanted_from: int = 0
    """When that may be confirmed."""
    reminder_minutes: int | None = None
    """Between two reminders of the time; 0: none; None: as the house does."""
    out_until: int = 0
    """Until when the participant takes a time-out or is excluded, and longer: until he says that he is back."""
    is_excluded: bool = False
    """Whether it is an exclusion, and no time-out."""
    tables: tuple[str, ...] = ()
    """The tables at which he has sat since there was a limit: on them depends what he has lost."""

    @property
    def is_out(self) -> bool:
        """Whether he may neither sit down nor wager."""
        return self.out_until > 0


PeopleByNumber = NumberMap[dict[str, Player]]


class PlayerBook(msgspec.Struct, frozen=True, kw_only=True):
    """What participants have chosen, by a number of each person; few have the same."""

    terms: ProtectionTerms = ProtectionTerms()
    people: PeopleByNumber = {}

    def player(self, who: str) -> Player | None:
        """What a person has chosen; None if nothing."""
        return (value_at(self.people, number_of(who)) or {}).get(who) if self.people else None

    def with_player(self, who: str, **changes: object) -> PlayerBook:
        """The book after a person has chosen something else."""
        number = number_of(who)
        held = value_at(self.people, number) or {}
        changed = replace(held.get(who, Player()), **changes)
        return replace(self, people=with_value(self.people, number, {**held, who: changed}))


def number_of(who: str) -> int:
    """A number that follows from who somebody is."""
    return int.from_bytes(sha256(who.encode()).digest()[:4], "big") >> 1


DayGains = NumberMap[dict[str, int]]
"""What people with a limit have won in this gaming day, in cents, by the numbers of persons."""


def gain_of_day(gains: DayGains, who: str) -> int:
    """What a person with a limit has won in this gaming day; below zero, what he has lost."""
    return (value_at(gains, number_of(who)) or {}).get(who, 0) if gains else 0


def with_day_gain(gains: DayGains, who: str, amount: int) -> DayGains:
    """The gains of the day after one more."""
    number = number_of(who)
    held = value_at(gains, number) or {}
    return with_value(gains, number, {**held, who: held.get(who, 0) + amount})
