"""Meters: what a link of tables shows at this one, and a meter set right by two persons."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.play.refusal import Refused
from baccarat.table.base import Command, Event, Outcome, Reason, TableRules, evolves, handles, refuse
from baccarat.table.correction import Correction, approved
from baccarat.table.state import State, with_meters
from baccarat.table.step.sealing import is_hash

MUST_HIT = "must_hit"
"""The name of the Must Hit among the meters that were won elsewhere."""


class ShowMeters(Command, frozen=True, kw_only=True, tag="show_meters"):
    """What the link shows now, in micro-cents (the Must Hit in cents), and which meters fell elsewhere, and why."""

    meters: dict[str, int] = {}
    reserve: int = 0
    must_hit: int = 0
    must_hit_seal: str = ""
    won: tuple[str, ...] = ()
    given_back: tuple[str, ...] = ()
    """The meters that are lower because a round at another table was void, and gave back what it had added."""


class CorrectMeter(Correction, frozen=True, kw_only=True, tag="correct_meter"):
    """A meter shows too little, so many micro-cents; it falls by awards only."""

    meter: str
    amount: int


class MetersShown(Event, frozen=True, kw_only=True, tag="meters_shown"):
    """The meters as the link shows them."""

    meters: dict[str, int]
    reserve: int
    must_hit: int
    must_hit_seal: str
    won: tuple[str, ...] = ()
    given_back: tuple[str, ...] = ()


class MeterCorrected(Event, frozen=True, kw_only=True, tag="meter_corrected"):
    """The house puts into a meter what was missing there."""

    corrects: int
    meter: str
    amount: int
    reason: str
    requester: str
    approver: str


def _cite(rules: TableRules) -> tuple[str, ...]:
    law = rules.edition.royal9
    return law.cite if law is not None else rules.edition.void.cite


@handles(ShowMeters)
def show_meters(rules: TableRules, state: State, command: ShowMeters) -> Outcome:
    """Before the result, so that an award is measured on what the link shows; a meter falls by an award only (M8)."""
    refused = _unbelievable(rules, state, command)
    if refused is not None:
        return refused
    shown = MetersShown(
        meters=command.meters,
        reserve=command.reserve,
        must_hit=command.must_hit,
        must_hit_seal=command.must_hit_seal,
        won=command.won,
        given_back=command.given_back,
        cites=rules.cite_text(*_cite(rules)),
    )
    return [shown]


def _unbelievable(rules: TableRules, state: State, command: ShowMeters) -> Refused | None:
    keys, elected = _cite(rules), rules.elections.must_hit
    if not state.meters.amounts:
        return refuse(rules, Reason.NOT_OFFERED, "this table offers no progressive", *keys)
    if set(command.meters) != set(state.meters.amounts) or min(*command.meters.values(), command.reserve) < 0:
        say = f"expected one figure for each of {', '.join(state.meters.amounts)}, none below zero"
        return refuse(rules, Reason.NO_SUCH_WAGER, say, *keys)
    if elected is None and (command.must_hit or command.must_hit_seal):
        return refuse(rules, Reason.NOT_OFFERED, "no Must Hit is installed at this table", *keys)
    if elected is not None and not elected.start <= command.must_hit < elected.ceiling:
        say = f"the Must Hit shows {command.must_hit}, outside {elected.start} to {elected.ceiling}"
        return refuse(rules, Reason.NO_SUCH_WAGER, say, *keys)
    if command.must_hit_seal and not is_hash(command.must_hit_seal):
        return refuse(rules, Reason.WRONG_PROOF, "a seal is 64 lower-case hexadecimal digits", *keys)
    fallen = [name for name, value in state.meters.amounts.items() if command.meters[name] < value]
    if command.must_hit < state.meters.must_hit or (state.meters.must_hit_seal not in ("", command.must_hit_seal)):
        fallen.append(MUST_HIT)
    said = {*command.won, *(name for name in command.given_back if name != MUST_HIT)}
    unsaid = [name for name in fallen if name not in said]
    if unsaid:
        say = f"{', '.join(unsaid).replace('_', ' ')} would fall or begin anew, and no award or void round is named"
        return refuse(rules, Reason.OUT_OF_ORDER, say, *keys)
    return None


@handles(CorrectMeter)
def correct_meter(rules: TableRules, state: State, command: CorrectMeter) -> Outcome:
    """Upwards only, by two persons."""
    keys = _cite(rules)
    refused = approved(rules, command, *keys)
    if refused is not None:
        return refused
    if command.meter not in state.meters.amounts:
        return refuse(rules, Reason.NOT_OFFERED, f"no meter {command.meter!r} at this table", *keys)
    if command.amount <= 0:
        return refuse(rules, Reason.OUT_OF_ORDER, "a meter falls by an award only: a correction raises it", *keys)
    if state.round.announced:
        return refuse(rules, Reason.OUT_OF_ORDER, "this round's awards are measured: correct it after them", *keys)
    corrected = MeterCorrected(
        corrects=command.corrects,
        meter=command.meter,
        amount=command.amount,
        reason=command.reason,
        requester=command.name,
        approver=command.approver,
        cites=rules.cite_text(*keys),
    )
    return [corrected]


@evolves(MetersShown)
def evolve_shown(state: State, event: MetersShown) -> State:
    """What came from elsewhere, or went there, is kept apart from what this table put in and paid."""
    royal9 = sum(event.meters.values()) + event.reserve - sum(state.meters.amounts.values()) - state.meters.reserve
    flow = state.meters.must_hit_flow
    return with_meters(
        state,
        amounts=event.meters,
        reserve=event.reserve,
        elsewhere=state.meters.elsewhere + royal9,
        must_hit=event.must_hit,
        must_hit_seal=event.must_hit_seal,
        must_hit_flow=replace(flow, elsewhere=flow.elsewhere + event.must_hit - state.meters.must_hit),
    )


@evolves(MeterCorrected)
def evolve_corrected(state: State, event: MeterCorrected) -> State:
    """The house's seed."""
    amounts = {**state.meters.amounts, event.meter: state.meters.amounts[event.meter] + event.amount}
    return with_meters(state, amounts=amounts, seeded=state.meters.seeded + event.amount)
