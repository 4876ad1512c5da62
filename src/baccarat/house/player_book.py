"""The book of player protection: a limit on loss, reminders of the time, time-outs and exclusions, each by its person.

A lower limit holds immediately, a higher one only after a wait, when the person confirms it. Nothing ends by itself:
who has been away says that he is back. So every decision follows from what is on record, and needs no clock but the
time that a command states.
"""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.house.book import (
    Aggregate,
    BookOutcome,
    ByTwo,
    Context,
    HouseCommand,
    HouseEvent,
    house_cite,
    house_refuse,
)
from baccarat.house.player import HOUR, LEAST_WAIT_HOURS, Player, PlayerBook, ProtectionTerms
from baccarat.house.reason import HouseReason
from baccarat.house.rule import cite_house
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.table.bounds import Count, Instant, Means
from baccarat.table.field_type import Amount
from baccarat.table.role import ADMINISTRATORS, HOUSE_MANAGERS, PARTICIPANTS

RULE = "player-protection"
MOST_OUT_HOURS, MOST_EXCLUDED_DAYS, MOST_MINUTES = 42 * 24, 36_500, 24 * 60
"""Six weeks of time-out, a hundred years of exclusion, a day between two reminders."""
Now = Annotated[Instant, Means("the time of the house's clock, in seconds")]
COUNTS_NOW = "a choice about one's own play counts from when it is made"


class PlayerCommand(HouseCommand, frozen=True, kw_only=True):
    """What a participant chooses for himself; nobody else does."""

    effective: Now
    ROLES = PARTICIPANTS
    TAKES_EFFECT_NOW = COUNTS_NOW

    def belongs_under(self, rules: Rulebook) -> tuple[Citation, ...]:
        """The house's own rule: no document names it."""
        del rules
        return cite_house(RULE)


class SetLossLimit(PlayerCommand, frozen=True, kw_only=True, tag="set_loss_limit"):
    """The most that a participant wants to lose in a gaming day; 0 is no limit."""

    amount: Amount


class ConfirmLossLimit(PlayerCommand, frozen=True, kw_only=True, tag="confirm_loss_limit"):
    """A participant still wants the higher limit, or none, for which he asked a day ago."""


class SetPlayReminder(PlayerCommand, frozen=True, kw_only=True, tag="set_play_reminder"):
    """After how many minutes of play a participant is reminded; 0: never."""

    minutes: Annotated[Count, Means("the minutes between two reminders")]


class TakeTimeOut(PlayerCommand, frozen=True, kw_only=True, tag="take_time_out"):
    """A participant wants to stay away for some hours."""

    hours: Annotated[Count, Means("for how many hours")]


class ExcludeMyself(PlayerCommand, frozen=True, kw_only=True, tag="exclude_myself"):
    """A participant excludes himself for some days."""

    days: Annotated[Count, Means("for how many days")]


class ReturnToPlay(PlayerCommand, frozen=True, kw_only=True, tag="return_to_play"):
    """A participant is back, after the time for which he wanted to stay away."""


class ElectProtection(HouseCommand, frozen=True, kw_only=True, tag="elect_protection"):
    """The house elects how long a higher limit waits, and when it reminds participants who have chosen nothing."""

    wait_hours: Annotated[Count, Means("how many hours a higher limit on loss waits")]
    reminder_minutes: Annotated[Count, Means("the minutes between two reminders")]
    ROLES = ADMINISTRATORS
    SECOND = HOUSE_MANAGERS


class LossLimitSet(HouseEvent, frozen=True, kw_only=True, tag="loss_limit_set"):
    """A limit on loss holds, or none; the tables are those at which its person sits."""

    who: str
    amount: int
    tables: tuple[str, ...] = ()


class HigherLimitAsked(HouseEvent, frozen=True, kw_only=True, tag="higher_limit_asked"):
    """A participant wants a higher limit, or none: he may confirm it later."""

    who: str
    amount: int
    since: int


class PlayReminderSet(HouseEvent, frozen=True, kw_only=True, tag="play_reminder_set"):
    """A participant is reminded of the time so often."""

    who: str
    minutes: int


class TimeOutTaken(HouseEvent, frozen=True, kw_only=True, tag="time_out_taken"):
    """A participant stays away at least until then."""

    who: str
    until: int
    excluded: bool


class PlayResumed(HouseEvent, frozen=True, kw_only=True, tag="play_resumed"):
    """A participant may play again."""

    who: str


class LimitedPlayerSat(HouseEvent, frozen=True, kw_only=True, tag="limited_player_sat"):
    """A participant with a limit has sat down at a table, where he may lose from now on."""

    who: str
    table: str


class ProtectionElected(ByTwo, frozen=True, kw_only=True, tag="protection_elected"):
    """What the house does to protect its participants."""

    wait_hours: int
    reminder_minutes: int


class PlayerContext(Context, frozen=True, kw_only=True):
    """What these acts depend on: at which tables the person sits."""

    seated: tuple[str, ...] = ()


CITES = house_cite(RULE)


def _hours_until(then: int, now: int) -> int:
    """The hours that are left, rounded up."""
    return -(-(then - now) // HOUR)


def set_loss_limit(context: PlayerContext, state: PlayerBook, command: SetLossLimit) -> BookOutcome:
    """A first or a lower limit holds immediately; a higher one, or none, only after the wait."""
    who, amount = context.actor.who, command.amount
    held = state.player(who) or Player()
    if amount < 0:
        return house_refuse(HouseReason.INCOMPLETE, "limit_below_zero", RULE)
    if amount == held.limit and held.wanted is None:
        return house_refuse(HouseReason.NOTHING_CHANGES, "limit_is_that_already", RULE)
    if amount == held.limit or (amount and (not held.limit or amount < held.limit)):
        return [LossLimitSet(who=who, amount=amount, tables=context.seated, cites=CITES)]
    since = command.effective + state.terms.wait_hours * HOUR
    return [HigherLimitAsked(who=who, amount=amount, since=since, cites=CITES)]


def confirm_loss_limit(context: PlayerContext, state: PlayerBook, command: ConfirmLossLimit) -> BookOutcome:
    """Once the wait is over."""
    who = context.actor.who
    held = state.player(who) or Player()
    if held.wanted is None:
        return house_refuse(HouseReason.OUT_OF_ORDER, "no_higher_limit_asked", RULE)
    if command.effective < held.wanted_from:
        hours = _hours_until(held.wanted_from, command.effective)
        return house_refuse(HouseReason.OUT_OF_ORDER, "higher_limit_waits", RULE, hours=hours)
    return [LossLimitSet(who=who, amount=held.wanted, tables=context.seated, cites=CITES)]


def set_play_reminder(context: PlayerContext, state: PlayerBook, command: SetPlayReminder) -> BookOutcome:
    """From now on."""
    del state
    if not 0 <= command.minutes <= MOST_MINUTES:
        return house_refuse(HouseReason.INCOMPLETE, "reminder_within_a_day", RULE, most=MOST_MINUTES)
    return [PlayReminderSet(who=context.actor.who, minutes=command.minutes, cites=CITES)]


def take_time_out(context: PlayerContext, state: PlayerBook, command: TakeTimeOut) -> BookOutcome:
    """For hours; never shorter than what holds."""
    if not 1 <= command.hours <= MOST_OUT_HOURS:
        return house_refuse(HouseReason.INCOMPLETE, "time_out_of_hours", RULE, most=MOST_OUT_HOURS)
    return _stay_away(context, state, command.effective + command.hours * HOUR, excluded=False)


def exclude_myself(context: PlayerContext, state: PlayerBook, command: ExcludeMyself) -> BookOutcome:
    """For days; never shorter than what holds."""
    if not 1 <= command.days <= MOST_EXCLUDED_DAYS:
        return house_refuse(HouseReason.INCOMPLETE, "exclusion_of_days", RULE, most=MOST_EXCLUDED_DAYS)
    return _stay_away(context, state, command.effective + command.days * 24 * HOUR, excluded=True)


def _stay_away(context: PlayerContext, state: PlayerBook, until: int, *, excluded: bool) -> BookOutcome:
    who = context.actor.who
    held = state.player(who) or Player()
    if until <= held.out_until:
        return house_refuse(HouseReason.NOTHING_CHANGES, "stays_away_longer_already", RULE)
    return [TimeOutTaken(who=who, until=until, excluded=excluded or held.is_excluded, cites=CITES)]


def return_to_play(context: PlayerContext, state: PlayerBook, command: ReturnToPlay) -> BookOutcome:
    """Once the time is over for which the participant wanted to stay away."""
    who = context.actor.who
    held = state.player(who) or Player()
    if not held.is_out:
        return house_refuse(HouseReason.OUT_OF_ORDER, "is_not_away", RULE)
    if command.effective < held.out_until:
        hours = _hours_until(held.out_until, command.effective)
        return house_refuse(HouseReason.OUT_OF_ORDER, "stays_away_for_hours", RULE, hours=hours)
    return [PlayResumed(who=who, cites=CITES)]


def elect_protection(context: PlayerContext, state: PlayerBook, command: ElectProtection) -> BookOutcome:
    """Never less than a day for a higher limit."""
    del state
    if command.wait_hours < LEAST_WAIT_HOURS or command.wait_hours > MOST_OUT_HOURS:
        return house_refuse(
            HouseReason.INCOMPLETE, "wait_of_a_higher_limit", RULE, least=LEAST_WAIT_HOURS, most=MOST_OUT_HOURS
        )
    if not 0 <= command.reminder_minutes <= MOST_MINUTES:
        return house_refuse(HouseReason.INCOMPLETE, "reminder_within_a_day", RULE, most=MOST_MINUTES)
    return [
        ProtectionElected(
            wait_hours=command.wait_hours,
            reminder_minutes=command.reminder_minutes,
            cites=house_cite("two-persons", RULE),
            **context.two_persons,
        )
    ]


# ------------------------------------------------------------------------------------------------ evolving


def evolve_limit(state: PlayerBook, event: LossLimitSet) -> PlayerBook:
    """The limit holds, and nothing else is asked for."""
    held = state.player(event.who) or Player()
    tables = tuple(dict.fromkeys((*held.tables, *event.tables)))
    return state.with_player(event.who, limit=event.amount, wanted=None, wanted_from=0, tables=tables)


def evolve_asked(state: PlayerBook, event: HigherLimitAsked) -> PlayerBook:
    """It waits."""
    return state.with_player(event.who, wanted=event.amount, wanted_from=event.since)


def evolve_reminder(state: PlayerBook, event: PlayReminderSet) -> PlayerBook:
    """From now on."""
    return state.with_player(event.who, reminder_minutes=event.minutes)


def evolve_away(state: PlayerBook, event: TimeOutTaken) -> PlayerBook:
    """Until the participant is back."""
    return state.with_player(event.who, out_until=event.until, is_excluded=event.excluded)


def evolve_back(state: PlayerBook, event: PlayResumed) -> PlayerBook:
    """Nothing keeps the participant away."""
    return state.with_player(event.who, out_until=0, is_excluded=False)


def evolve_sat(state: PlayerBook, event: LimitedPlayerSat) -> PlayerBook:
    """What happens there counts for the limit."""
    held = state.player(event.who) or Player()
    return state.with_player(event.who, tables=(*held.tables, event.table))


def evolve_elected(state: PlayerBook, event: ProtectionElected) -> PlayerBook:
    """The terms of the house."""
    terms = ProtectionTerms(wait_hours=event.wait_hours, reminder_minutes=event.reminder_minutes)
    return replace(state, terms=terms)


PLAYERS = Aggregate(
    "players",
    PlayerBook,
    handlers={
        SetLossLimit: set_loss_limit,
        ConfirmLossLimit: confirm_loss_limit,
        SetPlayReminder: set_play_reminder,
        TakeTimeOut: take_time_out,
        ExcludeMyself: exclude_myself,
        ReturnToPlay: return_to_play,
        ElectProtection: elect_protection,
    },
    evolvers={
        LossLimitSet: evolve_limit,
        HigherLimitAsked: evolve_asked,
        PlayReminderSet: evolve_reminder,
        TimeOutTaken: evolve_away,
        PlayResumed: evolve_back,
        LimitedPlayerSat: evolve_sat,
        ProtectionElected: evolve_elected,
    },
    tellers={
        LossLimitSet: lambda x: (
            f"{x.who} loses {Cents(x.amount)} at most in a gaming day."
            if x.amount
            else f"{x.who} has no limit on loss."
        ),
        HigherLimitAsked: lambda x: (
            f"{x.who} wants {f'a limit on loss of {Cents(x.amount)}' if x.amount else 'no limit on loss'}, "
            f"and may confirm that from {x.since} seconds."
        ),
        PlayReminderSet: lambda x: f"{x.who} is reminded of the time every {x.minutes} minutes.",
        TimeOutTaken: lambda x: (
            f"{x.who} {'is excluded' if x.excluded else 'takes a time-out'} at least until {x.until} seconds."
        ),
        PlayResumed: lambda x: f"{x.who} may play again.",
        LimitedPlayerSat: lambda x: f"{x.who}, who has a limit on loss, sits at {x.table}.",
        ProtectionElected: lambda x: (
            f"A higher limit on loss waits {x.wait_hours} hours, and participants are reminded of the time every "
            f"{x.reminder_minutes} minutes ({x.persons_text})."
        ),
    },
)
