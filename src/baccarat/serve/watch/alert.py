"""Alerts: what somebody who oversees tables should look at, found in records, figures and proposals.

An alert accuses nobody and changes nothing: it names a record, or a figure, and the clauses that bear on it. All of
this is pure; `alert_board.py` reads what it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import msgspec

from baccarat.engine.redecide import command_of
from baccarat.house.stream import is_table_stream, stream_name
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.refusal import Refused, spoken_params
from baccarat.record.entry import ActRecord
from baccarat.serve.fanout.witness_waits import WitnessWait
from baccarat.serve.runtime.past_state import ReplayedRecord
from baccarat.serve.runtime.resume_point import HistoryFinding
from baccarat.serve.watch.narration import Tell, act_name, refusal_of
from baccarat.serve.watch.sentence import ToldEvent, event_params, told_event
from baccarat.table.base import Command
from baccarat.table.correction import Correction
from baccarat.table.registry import COMMANDS
from baccarat.table.role import Role
from baccarat.table.state import TableState
from baccarat.table.step.wagering import WagerChanged, WagerPlaced
from baccarat.table.step_function import ATTEMPTS
from baccarat.table.step_function import act_name as name_of_kind
from baccarat.table.view import Viewer

LATE_QUARTER = 4
"""A shoe is late when less than a quarter of the cards before its cover card are left."""
LEAST_ROUNDS = 30
"""After fewer rounds a table's win says nothing."""
WAGER_ACTS = frozenset(name for name, kind in COMMANDS.items() if kind.CARD.is_wager)


class AlertKind(Enum):
    """What an alert is about."""

    LATE_WAGER = "late_wager"
    MAXIMUM_LATE = "maximum_late"
    VIGORISH = "vigorish"
    """Vigorish that was earned and is not collected, or a form that does not account for it."""
    STOPPED = "stopped"
    OVERDUE = "overdue"
    """The seed of an electronic shoe that is over was not revealed by the deadline."""
    PROGRAM_STOPPED = "program_stopped"
    """The same fault of the program has stopped what runs the table."""
    WITNESS_AWAITED = "witness_awaited"
    """A witness has not answered for long, and the shoe waits for it."""
    CORRECTION = "correction"
    CORRECTION_ASKED = "correction_asked"
    OUTSIDE_BAND = "outside_band"
    HISTORY = "history"
    """An entry, or something stored next to it, is not what history leads to."""


class Alert(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to look at: what and where it is, since when, in microseconds UTC, a sentence and clauses."""

    id: str
    """The same alert has the same id whenever it is asked for."""
    kind: AlertKind
    table: str
    """Empty if it concerns no single table."""
    at: int
    say: str
    cites: tuple[str, ...] = ()
    shoe: int = 0
    round: int = 0
    seq: int = 0
    """The record that caused it, or that is to be corrected; 0 if there is none, or it was dropped."""
    what: str = ""
    """The name of the sentence, for readers of another language; empty if it has none."""
    params: dict[str, Any] = {}


def alerts_in(step: ReplayedRecord, rules: Rulebook, table: str, tell: Tell) -> Iterator[Alert]:
    """The alerts of one record."""
    record, before, after = step.record, step.before, step.state_after
    refused = refusal_of(record)

    def made(kind: AlertKind, told: ToldEvent, cites: tuple[str, ...], index: int = 0) -> Alert:
        name, told = f"{table} {record.seq} {kind.value} {index}", told.with_names(tell)
        return Alert(
            id=name, kind=kind, table=table, at=record.at, say=told.say, what=told.what, params=told.params,
            cites=cites,
            shoe=before.shoe.number + 1, round=before.round.number, seq=record.seq,
        )  # fmt: skip

    if refused is not None:
        if before.round.closed and act_name(record) in WAGER_ACTS:
            yield made(AlertKind.LATE_WAGER, _too_late_words(record, refused), tuple(map(str, refused.cites)))
        return
    for index, event in enumerate(step.events):
        if isinstance(event, WagerPlaced | WagerChanged) and _is_maximum(rules, event) and is_late(before):
            yield made(AlertKind.MAXIMUM_LATE, _late_words(before, event), event.cites, index)
        elif event.CARD.alert:
            yield made(AlertKind(event.CARD.alert), told_event(event, Viewer(Role.SURVEILLANCE)), event.cites, index)
    if after.stopped and not before.stopped:
        cites = step.events[-1].cites if step.events else ()
        told = ToldEvent(f"The table has stopped: {after.stopped}.", "alert_stopped", {"why": after.stopped})
        yield made(AlertKind.STOPPED, told, cites)


def _too_late_words(record: ActRecord, refused: Refused) -> ToldEvent:
    command = command_of(bytes(record.command))
    if not isinstance(command, Command) or type(command) not in ATTEMPTS:
        say = refused.say[:1].upper() + refused.say[1:] + "."
        return ToldEvent(say, refused.what, {**spoken_params(refused)})
    say = f"Seat {command.as_refused.seat} tried to {ATTEMPTS[type(command)](command)} after “no more bets”."
    return ToldEvent(say, f"alert_late_{name_of_kind(type(command))}", event_params(command))


def _is_maximum(rules: Rulebook, event: WagerPlaced | WagerChanged) -> bool:
    limit = (rules.elections.limits or {}).get(event.on.value)
    return limit is not None and event.stake >= limit.max


def cards_before_cover(state: TableState) -> int | None:
    """How many cards are left before the cover card; None if there is none."""
    shoe = state.shoe
    return None if shoe.cover is None else max(0, shoe.cards - shoe.cover - shoe.next)


def is_late(state: TableState) -> bool:
    """Whether less than a quarter of the cards before the cover card are left."""
    left, shoe = cards_before_cover(state), state.shoe
    return left is not None and shoe.cover is not None and LATE_QUARTER * left < shoe.cards - shoe.cover


def _late_words(state: TableState, event: WagerPlaced | WagerChanged) -> ToldEvent:
    left = cards_before_cover(state)
    where = "after the cover card" if not left else f"{left} card{'s' * (left != 1)} before the cover card"
    say = f"Seat {event.seat} wagers the maximum, {Cents(event.stake)} on {event.on.title}, {where}."
    params = {"seat": event.seat, "stake": event.stake, "on": event.on.value, "left": left or 0}
    return ToldEvent(say, "alert_maximum_late", params)


# -------------------------------------------------------------------------------- figures and proposals


class DayWin(msgspec.Struct, frozen=True, kw_only=True):
    """What a table has won on a gaming day, and the band that theory expects, in cents."""

    table: str
    day: str
    rounds: int
    win: int
    low: int
    high: int


def outside_band(standing: DayWin, at: int) -> Alert | None:
    """A table whose win is further from theory than two standard deviations, once it has had some rounds."""
    if standing.rounds < LEAST_ROUNDS or standing.low <= standing.win <= standing.high:
        return None
    say = (
        f"The win of {Cents(standing.win)} after {standing.rounds:,} rounds lies outside "
        f"{Cents(standing.low)} to {Cents(standing.high)}, two deviations around theory."
    )
    name = f"{standing.table} band {standing.day}"
    params = {"win": standing.win, "rounds": standing.rounds, "low": standing.low, "high": standing.high}
    return Alert(
        id=name, kind=AlertKind.OUTSIDE_BAND, table=standing.table, at=at, say=say, what="alert_outside_band",
        params=params,
    )  # fmt: skip


class OpenProposal(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal that waits for a second person."""

    id: str
    table: str
    act: str
    role: str
    by: tuple[str, ...]
    """In which capacities a second person may approve it."""
    at: int
    shoe: int = 0
    round: int = 0
    seq: int = 0
    """The record with the entry that is to be corrected; 0 if it can no longer be shown."""


def correction_alert(waiting: OpenProposal) -> Alert | None:
    """A correction that somebody has proposed."""
    kind = COMMANDS[waiting.act]
    if not issubclass(kind, Correction):
        return None
    say = f"The {waiting.role} asks to correct a {kind.CORRECTED}; it waits for a {' or '.join(waiting.by)}."
    return Alert(
        id=waiting.id, kind=AlertKind.CORRECTION_ASKED, table=waiting.table, at=waiting.at, say=say,
        shoe=waiting.shoe, round=waiting.round, seq=waiting.seq, what="alert_correction_asked",
        params={"role": waiting.role, "act": waiting.act, "by": ", ".join(waiting.by)},
    )  # fmt: skip


def history_alerts(since: Mapping[HistoryFinding, int]) -> list[Alert]:
    """What verification found to be wrong, each with the time at which it did."""
    return [
        Alert(
            id=f"history {found.stream} {found.seq} {number}", kind=AlertKind.HISTORY, at=at, say=f"{found}.",
            table=stream_name(found.stream) if is_table_stream(found.stream) else "", cites=found.clauses,
        )
        for number, (found, at) in enumerate(since.items())
    ]  # fmt: skip


def program_alerts(stopped: Mapping[str, int]) -> list[Alert]:
    """The tables that this node runs no longer, because the same fault came each time, with the time of the last."""
    return [
        Alert(
            id=f"{table} program {at}", kind=AlertKind.PROGRAM_STOPPED, table=table, at=at,
            say="The program stopped at this table after the same fault occurred three times; see the log. "
            "Everyone may leave with their chips.", what="alert_program_stopped",
        )
        for table, at in stopped.items()
    ]  # fmt: skip


def witness_alerts(waits: Mapping[str, WitnessWait]) -> list[Alert]:
    """The tables of this node whose shoes have long waited for a witness."""
    return [
        Alert(
            id=f"{table} witness {wait.since}", kind=AlertKind.WITNESS_AWAITED, table=table, at=wait.since,
            say=wait.words.say, what=wait.words.what, params=wait.words.params,
        )
        for table, wait in waits.items()
    ]  # fmt: skip


def newest_first(alerts: list[Alert]) -> list[Alert]:
    """In the order in which they are shown."""
    return sorted(alerts, key=lambda alert: (-alert.at, alert.id))
