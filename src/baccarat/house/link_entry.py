"""Entries into a link: what the events of a table lead to in the meters that it shares with others.

The link trusts no figure. It reads from the table who wagered, computes what that adds and what a share is worth on
its own terms, and refuses if the table says otherwise. Each entry names the table and the number of the event there,
and no such event is entered twice. `joint_decision.py` decides a table's act and the link's entries together, so that
what is refused here never takes effect at a table."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from baccarat.house.book import BookOutcome, HouseEvent, house_refuse
from baccarat.house.link import LINK, LinkState, after_award, link_display
from baccarat.house.link_event import (
    ContributionsReturned,
    ContributionsStand,
    LinkShown,
    MeterRaised,
    MeterWon,
    MustHitFed,
    MustHitWon,
    TriggerShared,
    WagersAdded,
)
from baccarat.house.progressive import add, cite, contributions_of
from baccarat.house.reason import HouseReason, refuse
from baccarat.house.shared_must_hit import SharedMustHit
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import progressive
from baccarat.table.base import Event
from baccarat.table.irregularity.remedy import RoundMadeSimulated
from baccarat.table.meters import MeterCorrected, MetersShown, ShowMeters
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.must_hit import MustHitEnded, TriggerSealed
from baccarat.table.step.settlement import AWARD


class LinkEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a table about to be entered: its number there, and the table before the act it belongs to."""

    table: str
    seq: int
    state: TableState
    event: Event

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that play Royal 9 in this round, as the layout shows."""
        return tuple(self.state.round.royal9_seats)


def follow(
    rules: Rulebook, linked: LinkState, *, table: str, seq: int, state: TableState, events: Iterable[Event]
) -> tuple[HouseEvent, ...] | Refused:
    """The entries that follow from the events of an act at a table, or why one of them is refused.

    `seq` is the number of the first event there, `state` the table before the act.
    """
    if table not in linked.royal9.tables:
        return refuse(rules, HouseReason.NO_SUCH_TABLE, "table_not_in_this_link", *cite(rules), table=table)
    if seq <= linked.entered.get(table, -1):
        return house_refuse(
            HouseReason.TWICE, "event_entered_before", "linked-figure", seq=seq, table=table, last=linked.entered[table]
        )
    made: list[HouseEvent] = []
    for number, event in enumerate(events, start=seq):
        entries = _enter(rules, linked, LinkEntry(table=table, seq=number, state=state, event=event))
        if isinstance(entries, Refused):
            return entries
        linked = LINK.replay(linked, entries)
        made += entries
    return tuple(made)


def _enter(rules: Rulebook, linked: LinkState, entry: LinkEntry) -> BookOutcome:
    table, seq = entry.table, entry.seq
    match entry.event:
        case NoMoreBetsCalled():
            return _enter_wagers(rules, linked, entry)
        case RoundVoided() | RoundMadeSimulated():
            return _enter_return(rules, linked, entry)
        case ResultAnnounced():
            return _enter_awards(rules, linked, entry)
        case MeterCorrected(meter=meter, amount=amount):
            return [MeterRaised(table=table, seq=seq, meter=meter, amount=amount, cites=_cites(rules))]
        case MetersShown() as shown:
            if any(getattr(shown, field) != value for field, value in _figures(link_display(linked, table)).items()):
                return _other_figure(rules, table, "link_shows_another_figure_to_show_meters")
            return [LinkShown(table=table, seq=seq, cites=_cites(rules))]
        case TriggerSealed(seal=seal) if linked.must_hit is not None:
            if linked.must_hit.seal:
                return refuse(rules, HouseReason.WRONG_SEAL, "another_trigger_runs", *cite(rules), table=table)
            if seal == linked.must_hit.last_seal:  # no other table has been shown it, and its trigger is known
                return refuse(rules, HouseReason.WRONG_SEAL, "trigger_was_won_already", *cite(rules), table=table)
            return [TriggerShared(table=table, seq=seq, seal=seal, cites=_cites(rules))]
        case MustHitEnded() if linked.must_hit is not None:
            return _must_hit_ended(rules, linked.must_hit, entry)
    return []


def _cites(rules: Rulebook) -> tuple[str, ...]:
    return rules.edition.cite_text(*cite(rules))


def _other_figure(rules: Rulebook, table: str, what: str, **params: str) -> Refused:
    return refuse(rules, HouseReason.WRONG_SUM, what, *cite(rules), table=table, **params)


def _figures(command: ShowMeters) -> dict[str, object]:
    """Everything that a link shows with its meters."""
    fields = (field for field in ShowMeters.__struct_fields__ if field not in ("by", "name"))
    return {field: getattr(command, field) for field in fields}


def _enter_wagers(rules: Rulebook, linked: LinkState, entry: LinkEntry) -> BookOutcome:
    """What the wagers on the layout add on the link's terms; the table must have computed the same."""
    assert isinstance(entry.event, NoMoreBetsCalled)
    if not entry.seats:
        return []
    amounts, kept = contributions_of(linked.royal9, wagers=len(entry.seats))
    if (entry.event.contributions, entry.event.reserve) != (amounts, kept):
        return refuse(rules, HouseReason.OTHER_TERMS, "other_terms_than_the_link", *cite(rules), table=entry.table)
    return [
        WagersAdded(
            table=entry.table, seq=entry.seq, seats=entry.seats, contributions=amounts, reserve=kept,
            cites=_cites(rules),
        )
    ]  # fmt: skip


def _enter_return(rules: Rulebook, linked: LinkState, entry: LinkEntry) -> BookOutcome:
    """What this round had added, according to the link's own entry."""
    event = entry.event
    assert isinstance(event, RoundVoided | RoundMadeSimulated)
    if not entry.seats or not entry.state.round.closed:
        return []
    held = linked.open.get(entry.table)
    if held is None or (held.amounts, held.reserve) != (event.contributions, event.reserve):
        return _other_figure(rules, entry.table, "link_shows_another_figure_to_return_contributions")
    return [ContributionsReturned(table=entry.table, seq=entry.seq, of=held.seq, cites=_cites(rules))]


def _enter_awards(rules: Rulebook, linked: LinkState, entry: LinkEntry) -> BookOutcome:
    """Every row of the pay table that was won out of a meter, in the order of the pay table."""
    assert isinstance(entry.event, ResultAnnounced)
    progress = progressive(rules)
    assert progress is not None, "a link has a progressive"
    made: list[HouseEvent] = []
    royal9, held = linked.royal9, linked.open.get(entry.table)
    if held is not None:
        made.append(ContributionsStand(table=entry.table, seq=entry.seq, of=held.seq, cites=_cites(rules)))
        royal9 = add(royal9, held.amounts, held.reserve)
    before = royal9
    for prize in progress.prizes:
        acts = {act.seat: act.amount for act in entry.event.acts if act.act == AWARD and act.row == prize.row}
        if prize.meter is None or not acts:
            continue
        won_ = MeterWon(
            table=entry.table, seq=entry.seq, meter=prize.meter, percent=prize.percent, shares=acts,
            cites=_cites(rules),
        )  # fmt: skip
        paid = after_award(royal9, won_, at=linked.seq + len(made))
        if paid is None:
            return _other_figure(rules, entry.table, "link_shows_another_figure_to_pay", row=prize.row)
        royal9 = paid
        differs = entry.event.meters[prize.meter] != paid.meters[prize.meter].displayed
        made.append(replace(won_, to_be_shown=differs))
    if before.reserve - royal9.reserve != entry.event.from_reserve:
        return _other_figure(rules, entry.table, "link_shows_another_figure_to_refill")
    return made


def _must_hit_ended(rules: Rulebook, shared: SharedMustHit, entry: LinkEntry) -> BookOutcome:
    """The seats have fed the meter, and perhaps all of it goes out."""
    event = entry.event
    assert isinstance(event, MustHitEnded)
    table, seq, seats = entry.table, entry.seq, entry.seats
    amount = shared.terms.contribution * len(seats)
    if (event.award if event.hit else event.meter) != shared.meter + amount:
        return _other_figure(rules, table, "link_shows_another_figure_to_end_round")
    law = rules.edition.must_hit
    cites = rules.edition.cite_text(*law.cite) if law is not None else _cites(rules)
    if not event.hit:
        return [MustHitFed(table=table, seq=seq, seats=seats, amount=amount, cites=cites)]
    return [
        MustHitWon(table=table, seq=seq, seats=seats, amount=amount, seat=event.seat, award=event.award, cites=cites)
    ]
