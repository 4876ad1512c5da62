"""Meters: a table joins a link, is shown what the link shows, and a meter is corrected by two persons."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.chain import is_hash
from baccarat.money import MICRO, Cents
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import progressive_cite
from baccarat.table.actor import Actor, Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Event, FollowingCommand, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Hash, Label, Labels, Means, MeterFigures, Micro, Sum
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.card_correction import CardCorrected
from baccarat.table.correction import Correction, approver_of, both_persons
from baccarat.table.goodwill import as_known_to_version_2, refuse_above_goodwill
from baccarat.table.owed import meters_owed, meters_raised_too_far
from baccarat.table.registration import HANDLERS_1, HANDLERS_2, evolves, handles, handles_actor
from baccarat.table.role import GOODWILL_APPROVERS, LINK_APPROVERS, Role
from baccarat.table.state import TableState, with_meters, with_round, with_shoe
from baccarat.table.step.calling import pending_contributions
from baccarat.table.step_function import tells
from baccarat.table.story_words import by_two
from baccarat.table.two_persons import refuse_same_person, refuse_unapproved

MUST_HIT = "must_hit"
"""The name of the Must Hit among the meters that were won elsewhere."""
METERS_TAKEN_BACK_SINCE = 3
"""The first version of the deciding functions that takes back what a correction has put into a meter by mistake."""


class JoinLink(FollowingCommand, frozen=True, kw_only=True, tag="join_link"):
    """Two persons let this table share the meters of a link; without that its meters are its own."""

    link: Annotated[Label, Means("the name of the link of tables")]
    SECOND = LINK_APPROVERS


class ShowMeters(Command, frozen=True, kw_only=True, tag="show_meters"):
    """What the link shows now, in micro-cents (the Must Hit in cents), and which meters were won elsewhere."""

    meters: Annotated[MeterFigures, Means("what each meter shows, in millionths of a cent")] = {}
    reserve: Annotated[Micro, Means("what the reserve holds, in millionths of a cent")] = 0
    must_hit: Annotated[Sum, Means("what the Must Hit shows")] = 0
    must_hit_seal: Annotated[Hash, Means("the seal of its trigger")] = ""
    must_hit_run: Annotated[Count, Means("how often the Must Hit has begun again, at any table of the link")] = 0
    """How often the Must Hit has begun again, at any table of the link."""
    won: Annotated[Labels, Means("the names of meters that were won at another table")] = ()
    ORIGINS = (Origin.LINK,)


class CorrectMeter(Correction, frozen=True, kw_only=True, tag="correct_meter"):
    """A meter shows too little, by this sum; it falls by awards only.

    Everything on record is already in the meter, so someone outside the pit approves, within the goodwill limit.
    """

    meter: Annotated[Label, Means("the name of the meter")]
    amount: Annotated[Micro, Means("what is added, in millionths of a cent")]
    CORRECTED = "meter"
    READS_LINK = True
    """Nobody raises a meter who plays for it at another table."""
    CARD = CommandCard(group="corrections", discretion="sum")

    def seconds(self, role: Role) -> frozenset[Role]:
        """Those who approve goodwill payments, in whatever role it is asked for."""
        del role
        return GOODWILL_APPROVERS


class LinkJoined(Event, frozen=True, kw_only=True, tag="link_joined"):
    """The meters of this table are those of a link."""

    link: str
    """The name of the link."""
    requester: str
    """Who asked for it."""
    approver: str
    """Who approved it."""
    CARD = EventCard(
        sights(everybody="link", floor="requester approver"),
        sort="other",
        short="The table shares its meters with others from now on.",
    )


class MetersShown(Event, frozen=True, kw_only=True, tag="meters_shown"):
    """The meters as the link shows them."""

    meters: dict[str, Micro]
    reserve: Micro
    must_hit: int
    must_hit_seal: str
    must_hit_run: int = 0
    won: Labels = ()
    CARD = EventCard(
        sights(everybody="meters must_hit must_hit_seal must_hit_run won", office="reserve"),
        sort="other",
        short="The table shows the meters of its link.",
    )


class MeterCorrected(Event, frozen=True, kw_only=True, tag="meter_corrected"):
    """The house puts into a meter what was missing there; below zero, takes back what it has put in by mistake."""

    corrects: int
    meter: str
    amount: Micro
    reason: str
    requester: str
    approver: str
    goodwill: bool | UnsetType = UNSET
    """Whether it was given away; not written where the cards of a corrected round owe it to the meter."""
    CARD = EventCard(
        sights(everybody="meter amount", house="corrects", floor="reason requester approver", office="goodwill"),
        sort="correction",
        alert="correction",
        short="A meter is corrected.",
        given="cents",
    )

    @property
    def cents(self) -> Fraction:
        """What is put into the meter, in cents."""
        return Fraction(self.amount, MICRO)

    @property
    def is_goodwill(self) -> bool:
        """Whether nothing on record owes it to the meter."""
        return self.goodwill is True


@handles_actor(JoinLink)
def join_link(rules: TableRules, state: TableState, command: JoinLink, actor: Actor) -> HandlerResult:
    """Before anything has gone into the table's own meters: nothing that people put in is ever left behind."""
    keys, meters = progressive_cite(rules.edition), state.meters
    if not meters.amounts:
        return refuse(rules, Reason.NOT_OFFERED, "table_offers_no_progressive", *keys)
    approver = actor.approved_by(command.name, *command.SECOND)
    if refused := refuse_unapproved(rules, command, actor, *keys, what="joining_a_link", reason=command.link):
        return refused
    if meters.link:
        return refuse(rules, Reason.OUT_OF_ORDER, "table_shares_meters_already", *keys, link=meters.link)
    flow = meters.must_hit_flow
    if meters.contributed or meters.seeded or meters.must_hit_seal or flow.contributed or meters.must_hit_run:
        return refuse(rules, Reason.OUT_OF_ORDER, "own_meters_run_already", *keys)
    cites = rules.cite_text(*keys)
    return [LinkJoined(link=command.link, requester=actor.who, approver=approver, cites=cites)]


@handles(ShowMeters)
def show_meters(rules: TableRules, state: TableState, command: ShowMeters) -> HandlerResult:
    """Before the result, so that an award is measured on what the link shows; a meter falls by an award only (M8)."""
    if refused := _unbelievable(rules, state, command):
        return refused
    shown = MetersShown(
        meters=command.meters,
        reserve=command.reserve,
        must_hit=command.must_hit,
        must_hit_seal=command.must_hit_seal,
        won=command.won,
        must_hit_run=command.must_hit_run,
        cites=rules.cite_text(*progressive_cite(rules.edition)),
    )
    return [shown]


def _unbelievable(rules: TableRules, state: TableState, command: ShowMeters) -> Refused | None:
    """Why a link cannot show these amounts at this table."""
    keys = progressive_cite(rules.edition)
    if not state.meters.amounts:
        return refuse(rules, Reason.NOT_OFFERED, "table_offers_no_progressive", *keys)
    if not state.meters.link:
        return refuse(rules, Reason.NOT_OFFERED, "table_no_link_meters_own", *keys)
    if set(command.meters) != set(state.meters.amounts) or not set(command.won) <= {*state.meters.amounts, MUST_HIT}:
        return refuse(
            rules, Reason.NO_SUCH_WAGER, "expected_figures_and_awards", *keys, amounts=", ".join(state.meters.amounts)
        )
    low = _meters_too_low(rules, state, command)
    if low:
        return refuse(rules, Reason.OUT_OF_ORDER, "meter_shows_too_little", *keys, low=", ".join(low))
    return _unbelievable_must_hit(rules, state, command)


def _meters_too_low(rules: TableRules, state: TableState, command: ShowMeters) -> list[str]:
    """The meters that show less than they can: each falls by awards only, and has this round's contributions in it."""
    (own, kept), meters = pending_contributions(rules, state), state.meters
    least = {name: own.get(name, 0) if name in command.won else value for name, value in meters.amounts.items()}
    low = [name for name, value in command.meters.items() if value < least[name]]
    if command.reserve < (kept if command.won else meters.reserve):
        low.append("reserve")
    return low


def _unbelievable_must_hit(rules: TableRules, state: TableState, command: ShowMeters) -> Refused | None:
    keys, elected, begun = progressive_cite(rules.edition), rules.elections.must_hit, MUST_HIT in command.won
    if begun is not (command.must_hit_run > state.meters.must_hit_run) or command.must_hit_run < 0:
        return refuse(
            rules, Reason.OUT_OF_ORDER, "must_hit_begins_by_an_award", *keys, must_hit_run=state.meters.must_hit_run + 1
        )
    if elected is None:
        if command.must_hit or command.must_hit_seal or begun:
            return refuse(rules, Reason.NOT_OFFERED, "no_must_hit_installed_table", *keys)
        return None
    fed = command.must_hit - elected.start
    if not elected.start <= command.must_hit < elected.ceiling or fed % (elected.contribution or 1):
        why, start, ceiling, shown = Reason.NO_SUCH_WAGER, elected.start, elected.ceiling, command.must_hit
        return refuse(
            rules, why, "must_hit_no_sum_of_contributions", *keys, must_hit=shown, start=start, ceiling=ceiling
        )
    if command.must_hit_seal and not is_hash(command.must_hit_seal):
        return refuse(rules, Reason.WRONG_PROOF, "seal_64_lower_case_hexadecimal_digits", *keys)
    if fed and not command.must_hit_seal:
        return refuse(rules, Reason.WRONG_PROOF, "must_hit_fed_trigger_not_sealed", *keys)
    resets = command.must_hit < state.meters.must_hit or state.meters.must_hit_seal not in ("", command.must_hit_seal)
    if resets and not begun:
        return refuse(rules, Reason.OUT_OF_ORDER, "must_hit_begins_without_an_award", *keys)
    if begun and state.meters.must_hit_seal and command.must_hit_seal == state.meters.must_hit_seal:
        return refuse(rules, Reason.WRONG_PROOF, "another_trigger_follows", *keys)
    return None


@handles_actor(CorrectMeter)
def correct_meter(rules: TableRules, state: TableState, command: CorrectMeter, actor: Actor) -> HandlerResult:
    """Upwards only, and as goodwill: contributions, seeds and awards on record are in the meter already."""
    keys, approver = progressive_cite(rules.edition), approver_of(command, actor)
    if actor.approvals and not approver:
        return refuse(rules, Reason.WRONG_ROLE, "meter_raised_by_somebody_outside_the_pit", *keys)
    refused = refuse_same_person(rules, "a_correction", (actor.who, approver), command.reason, *keys) or _refuse_raise(
        rules, state, command
    )
    if refused is not None:
        return refused
    if refused := refuse_above_goodwill(rules, state, whole_cents(command.amount)):
        return refused
    cites, said = rules.cite_text(*keys), both_persons(command, actor)
    amount, meter, corrects = command.amount, command.meter, command.corrects
    return [MeterCorrected(corrects=corrects, meter=meter, amount=amount, goodwill=True, cites=cites, **said)]


HANDLERS_2[CorrectMeter] = lambda rules, state, command, actor: correct_meter(
    rules, as_known_to_version_2(state), command, actor
)


def whole_cents(micro: int) -> int:
    """Micro-cents as cents, raised to the next one."""
    return -(-micro // MICRO)


def _refuse_raise(rules: TableRules, state: TableState, command: CorrectMeter) -> Refused | None:
    """Why a meter cannot be raised by this now, by anybody."""
    keys = progressive_cite(rules.edition)
    if command.meter not in state.meters.amounts:
        return refuse(rules, Reason.NOT_OFFERED, "no_such_meter", *keys, meter=command.meter)
    if command.amount <= 0:
        return refuse(rules, Reason.OUT_OF_ORDER, "correction_raises_a_meter", *keys)
    if state.round.announced:
        return refuse(rules, Reason.OUT_OF_ORDER, "awards_are_measured", *keys)
    return None


def _correct_meter_by_version_1(
    rules: TableRules, state: TableState, command: CorrectMeter, actor: Actor
) -> HandlerResult:
    """Version 1 let dealer and floorperson raise a meter by any sum."""
    keys, seconds = progressive_cite(rules.edition), Correction.seconds(command, actor.role)
    approver = actor.approved_by(command.name, *seconds)
    if actor.approvals and not approver:
        return refuse(rules, Reason.WRONG_ROLE, "correction_by_dealer_and_floorperson", *keys)
    said = {"reason": command.reason, "requester": actor.who, "approver": approver}
    names = (actor.who, approver)
    if refused := refuse_same_person(rules, "a_correction", names, command.reason, *keys) or _refuse_raise(
        rules, state, command
    ):
        return refused
    cites, amount, corrects = rules.cite_text(*keys), command.amount, command.corrects
    return [MeterCorrected(corrects=corrects, meter=command.meter, amount=amount, goodwill=UNSET, cites=cites, **said)]


HANDLERS_1[CorrectMeter] = _correct_meter_by_version_1


def restore_meter_events(
    rules: TableRules, state: TableState, events: Sequence[Event], *, takes_back: bool
) -> list[Event]:
    """What the house puts into meters that an award has emptied by mistake, as a corrected card shows.

    If another correction of the round shows that the award was right, it `takes_back` what it has put in, except where
    other tables have been shown it: who won the meter has it, and nobody else is given it once more.
    """
    corrected = next(event for event in events if isinstance(event, CardCorrected))
    if not state.round.announced or not state.round.royal9_seats:
        return []
    said = {name: getattr(corrected, name) for name in ("corrects", "reason", "requester", "approver")}
    cites = rules.cite_text(*progressive_cite(rules.edition))
    owed = meters_owed(rules, state)
    if takes_back and not state.meters.link:
        owed |= {meter: -amount for meter, amount in meters_raised_too_far(rules, state).items()}
    return [
        MeterCorrected(meter=meter, amount=amount, goodwill=UNSET, cites=cites, **said)
        for meter, amount in owed.items()
    ]


evolves(LinkJoined)(lambda state, event: with_meters(state, link=event.link))


@evolves(MetersShown)
def evolve_shown(state: TableState, event: MetersShown) -> TableState:
    """What came from elsewhere, or went there, is counted separately from what this table put in and paid."""
    royal9 = sum(event.meters.values()) + event.reserve - sum(state.meters.amounts.values()) - state.meters.reserve
    flow = state.meters.must_hit_flow
    return with_meters(
        state,
        amounts=event.meters,
        reserve=event.reserve,
        elsewhere=state.meters.elsewhere + royal9,
        must_hit=event.must_hit,
        must_hit_seal=event.must_hit_seal,
        must_hit_run=event.must_hit_run,
        must_hit_flow=replace(flow, elsewhere=flow.elsewhere + event.must_hit - state.meters.must_hit),
    )


@evolves(MeterCorrected)
def evolve_corrected(state: TableState, event: MeterCorrected) -> TableState:
    """The house's seed; what it gives away counts towards the limit of goodwill payments."""
    amounts = {**state.meters.amounts, event.meter: state.meters.amounts[event.meter] + event.amount}
    if state.round.announced:
        raised = state.round.raised
        state = with_round(state, raised={**raised, event.meter: raised.get(event.meter, 0) + event.amount})
    goodwill = state.meters.goodwill
    if event.is_goodwill:
        goodwill += event.amount
        state = with_shoe(state, goodwill=state.shoe.goodwill + whole_cents(event.amount))
    return with_meters(state, amounts=amounts, seeded=state.meters.seeded + event.amount, goodwill=goodwill)


# ---------------------------------------------------------------------------------- asks, fills, tells


def _meters_text(event: MetersShown) -> str:
    shown = [f"{name.replace('_', ' ')} {Cents(value // MICRO)}" for name, value in event.meters.items()]
    return ", ".join((*shown, f"Must Hit {Cents(event.must_hit)}") if event.must_hit else shown)


def _won_text(names: tuple[str, ...]) -> str:
    return f"; {', '.join(names).replace('_', ' ')} won at another table" if names else ""


tells(LinkJoined)(lambda x: f"The table shares the meters of {x.link} ({x.requester}, approved by {x.approver}).")
tells(MetersShown)(lambda x: f"The link shows {_meters_text(x)}{_won_text(x.won)}.")
tells(MeterCorrected)(
    lambda x: (
        f"Event {x.corrects} is corrected: {Cents(abs(x.amount) // MICRO)} {'more' if x.amount > 0 else 'less'} in the "
        f"{x.meter} meter; {by_two(x)}."
    )
)
