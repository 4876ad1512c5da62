"""Linked tables: what happens at one is entered into the meters they share, and shown at all the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from baccarat.house.must_hit import SharedMustHit, ended, sealed, share, shows_less
from baccarat.house.progressive import Hit, Link, award, cite, contribute, link, raise_meter, record_hit, take_back
from baccarat.house.reason import HouseReason, refuse
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import Prize, progressive
from baccarat.table.base import Event
from baccarat.table.irregularity.remedy import RoundMadeSimulated
from baccarat.table.meters import MUST_HIT, MeterCorrected, ShowMeters
from baccarat.table.state import Act, State
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.must_hit import MustHitEnded, TriggerSealed
from baccarat.table.step.settlement import AWARD, ResultAnnounced


class Linked(msgspec.Struct, frozen=True, kw_only=True):
    """The shared meters, and which of them each table has yet to hear were won."""

    rules: Rulebook
    royal9: Link
    must_hit: SharedMustHit | None = None
    unheard: dict[str, tuple[str, ...]] = {}
    events: int = 0
    """How many events have been entered: their order decides which hit came first."""


def join(tables: Mapping[str, Rulebook]) -> Linked | Refused:
    """Tables that play the same progressive on the same terms, its meters at their seeds."""
    royal9 = link(tables)
    if isinstance(royal9, Refused):
        return royal9
    must_hit = share(tables)
    if isinstance(must_hit, Refused):
        return must_hit
    return Linked(rules=next(iter(tables.values())), royal9=royal9, must_hit=must_hit)


def show(linked: Linked, table: str, state: State) -> ShowMeters | None:
    """What a table is to be shown now; None where it shows it already.

    A table is shown the link before it closes the wagering, before its result, and before it ends the round
    for the Must Hit, so that every award is measured on what all tables have put in.
    """
    shared = linked.must_hit
    command = ShowMeters(
        meters={name: meter.displayed for name, meter in linked.royal9.meters.items()},
        reserve=linked.royal9.reserve,
        must_hit=shared.meter if shared else 0,
        must_hit_seal=shared.seal if shared else "",
        won=linked.unheard.get(table, ()),
    )
    shown = (state.meters.amounts, state.meters.reserve, state.meters.must_hit, state.meters.must_hit_seal)
    return None if shown == (command.meters, command.reserve, command.must_hit, command.must_hit_seal) else command


def heard(linked: Linked, table: str) -> Linked:
    """The link after a table has been shown it."""
    return replace(linked, unheard={name: won for name, won in linked.unheard.items() if name != table})


def follow(linked: Linked, table: str, events: Iterable[Event]) -> Linked | Refused:
    """The link after what happened at one of its tables; refused where the table did not show the link."""
    if table not in linked.royal9.tables:
        say = f"{table} does not share these meters"
        return refuse(linked.rules, HouseReason.NO_SUCH_TABLE, say, *cite(linked.rules))
    for event in events:
        after = _enter(linked, table, event)
        if isinstance(after, Refused):
            return after
        linked = replace(after, events=linked.events + 1)
    return linked


def _enter(linked: Linked, table: str, event: Event) -> Linked | Refused:
    royal9 = linked.royal9
    match event:
        case NoMoreBetsCalled(contributions=added) if added:
            name, amount = next(iter(added.items()))
            wagers = amount // royal9.meters[name].terms.contribution
            return replace(linked, royal9=contribute(royal9, wagers=wagers))
        case RoundVoided(contributions=added, reserve=kept) | RoundMadeSimulated(contributions=added, reserve=kept):
            return replace(linked, royal9=take_back(royal9, contributions=added, reserve=kept))
        case ResultAnnounced():
            return _awarded(linked, table, event)
        case MeterCorrected():
            return replace(linked, royal9=raise_meter(royal9, meter=event.meter, amount=event.amount))
        case TriggerSealed() if linked.must_hit is not None:
            if linked.must_hit.seal:
                say = f"{table} sealed a trigger while another runs"
                return refuse(linked.rules, HouseReason.WRONG_SEAL, say, *cite(linked.rules))
            return replace(linked, must_hit=sealed(linked.must_hit, event.seal))
        case MustHitEnded() if linked.must_hit is not None:
            return _must_hit_ended(linked, table, event, linked.must_hit)
    return linked


def _won_elsewhere(linked: Linked, table: str, name: str) -> dict[str, tuple[str, ...]]:
    others = (other for other in linked.royal9.tables if other != table)
    return {**linked.unheard, **{other: (*linked.unheard.get(other, ()), name) for other in others}}


def _awarded(linked: Linked, table: str, event: ResultAnnounced) -> Linked | Refused:
    """Every row of the pay table that was won out of a meter, in the order of the pay table."""
    progress = progressive(linked.rules)
    assert progress is not None, "a link has a progressive"
    for prize in progress.prizes:
        acts = [act for act in event.acts if act.act == AWARD and act.row == prize.row]
        if prize.meter is None or not acts:
            continue
        after = _row_awarded(linked, table, prize, acts)
        if isinstance(after, Refused):
            return after
        linked = after
    return linked


def _row_awarded(linked: Linked, table: str, prize: Prize, acts: list[Act]) -> Linked | Refused:
    assert prize.meter is not None, "asked only of rows that a meter pays"
    royal9: Link | Refused = linked.royal9
    for act in acts:
        hit = Hit(table=table, seat=act.seat, at=linked.events, percent=prize.percent)
        assert isinstance(royal9, Link)
        royal9 = record_hit(linked.rules, royal9, meter=prize.meter, hit=hit)
        if isinstance(royal9, Refused):
            return royal9
    assert isinstance(royal9, Link)
    paid = award(linked.rules, royal9, meter=prize.meter)
    if isinstance(paid, Refused):
        return paid
    if {hit.seat: amount for hit, amount in paid.shares} != {act.seat: act.amount for act in acts}:
        say = f"{table} paid {prize.row} on another figure than the link shows"
        return refuse(linked.rules, HouseReason.WRONG_SUM, say, *cite(linked.rules))
    return replace(linked, royal9=paid.link, unheard=_won_elsewhere(linked, table, prize.meter))


def _must_hit_ended(linked: Linked, table: str, event: MustHitEnded, shared: SharedMustHit) -> Linked | Refused:
    """Contributions came in, and perhaps the whole meter went out."""
    if shows_less(shared, event):
        say = f"{table} ended its round on another figure than the link shows"
        return refuse(linked.rules, HouseReason.WRONG_SUM, say, *cite(linked.rules))
    after = replace(linked, must_hit=ended(shared, event))
    return replace(after, unheard=_won_elsewhere(linked, table, MUST_HIT)) if event.hit else after
