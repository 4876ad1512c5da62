"""Must Hit: ended with the round; its trigger is sealed beforehand and opened only when it has been hit.

The seal is the end of a chain of hashes, one for each contribution that leads from the meter's start to the trigger.
Anyone who knows the trigger can prove at any round's end that the meter has not come so far, by a hash that lies a
certain number of steps before the seal and reveals nothing else about the trigger. So no round can hide a trigger that
was reached: the dealer proves that it was not, or opens it, or two persons report that the seal is lost.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from msgspec.structs import replace

from baccarat.chain import is_hash
from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import MustHit
from baccarat.money import Cents
from baccarat.play.refusal import Refused, Why
from baccarat.play.wager.must_hit import MustHitEnd, MustHitState, end_round, objection
from baccarat.table.actor import Actor, Origin
from baccarat.table.audience import sights
from baccarat.table.base import NO_PERSON, Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Label, Means, Remark, Sum
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import HexHash
from baccarat.table.registration import DUE_2, add_step, evolves, handles, handles_actor
from baccarat.table.role import DEALERS, SUPERVISORS, Role
from baccarat.table.seating_acts import with_chips
from baccarat.table.source import CardSource
from baccarat.table.state import TableState, with_meters
from baccarat.table.step.announcing import settles_nothing
from baccarat.table.step.must_hit_trigger import MUST_HIT, trigger_due
from baccarat.table.step_function import automates, tells
from baccarat.table.two_persons import refuse_unapproved


class SealTrigger(Command, frozen=True, kw_only=True, tag="seal_trigger"):
    """The trigger of a meter that begins again is sealed: its hash is known, its value is not."""

    seal: HexHash
    ORIGINS = (Origin.CARD_SOURCE, Origin.LINK)
    SEALS_TRIGGER = True
    CARD = CommandCard(ask="The dealer seals the Must Hit's trigger, before a wager feeds its meter.")


class EndRound(Command, frozen=True, kw_only=True, tag="end_round"):
    """The dealer ends the round for the Must Hit; a hit opens the trigger and states the lot, otherwise
    `not_reached` proves that the meter has not come so far.

    A seal that nobody can open any more (`lost` says why, a second person approves) is paid at the ceiling.
    """

    trigger: Annotated[Sum | None, Means("the sealed trigger, opened because it was hit")] = None
    salt: Annotated[Label, Means("what the trigger was sealed with")] = ""
    lot: Annotated[Count, Means("which of those who take part wins, counted from 0 by seat")] = 0
    not_reached: Annotated[
        Label, Means("the hash, 64 lower-case hexadecimal digits, that proves the trigger was not reached")
    ] = ""
    lost: Annotated[Remark, Means("why nobody can open the seal any more")] = ""
    ORIGINS = (Origin.PERSON, Origin.CARD_SOURCE, Origin.LINK)
    SECOND = SUPERVISORS
    STEPS = frozenset({MUST_HIT})
    CARD = CommandCard(
        pace="pay",
        console="plain",
        from_shoe=True,
        before_sealing=True,
        ask="The dealer ends the round for the Must Hit.",
        ask_is_public=True,
        discretion="trigger",
    )

    def is_discretionary(self, state: TableState, rules: Rulebook) -> bool:
        """Whether two persons say that nobody can open the seal any more."""
        del state, rules
        return bool(self.lost)

    @property
    def persons_at_automated(self) -> frozenset[Role]:
        """A seal that the program cannot open any more is reported by people."""
        return DEALERS if self.lost else NO_PERSON


class TriggerSealed(Event, frozen=True, kw_only=True, tag="trigger_sealed"):
    """A trigger is fixed, and hidden until it is hit."""

    seal: str
    CARD = EventCard(sights(everybody="seal"), sort="other")


class MustHitEnded(Event, frozen=True, kw_only=True, tag="must_hit_ended"):
    """The Must Hit was won by a seat, or not; where it is shown; the trigger only if it was hit."""

    hit: bool
    seat: int
    award: int
    meter: int
    shows: tuple[str, ...] = ()
    trigger: int | None = None
    salt: str = ""
    not_reached: str = ""
    """The hash that lies one step more before the seal than there are contributions in the meter: not reached."""
    withheld: bool = False
    """Whether an earlier round had already reached the trigger, and two persons ended it without opening it."""
    lost: str = ""
    requester: str = ""
    approver: str = ""
    CARD = EventCard(
        sights(
            everybody="hit seat award meter shows trigger salt not_reached withheld", floor="lost requester approver"
        ),
        sort="payment",
    )


def seal_of(terms: MustHit, trigger: int, salt: str) -> str:
    """The hash under which a trigger is sealed."""
    return _hash_along(_opening(trigger, salt), terms.contributions_to(trigger))


def not_reached(terms: MustHit, trigger: int, salt: str, *, meter: int) -> str:
    """The hash that proves that a meter below its trigger has not come so far."""
    left = terms.contributions_to(trigger) - terms.contributions_to(meter)
    assert left > 0, "a trigger that was reached is opened"
    return _hash_along(_opening(trigger, salt), left - 1)


def _is_not_reached(terms: MustHit, seal: str, proof: str, *, meter: int) -> bool:
    return is_hash(proof) and _hash_along(proof, terms.contributions_to(meter) + 1) == seal


def _opening(trigger: int, salt: str) -> str:
    return hashlib.sha256(f"baccarat/must-hit {trigger} {salt}".encode()).hexdigest()


def _hash_along(digest: str, steps: int) -> str:
    """The hash this many steps further along the chain."""
    value = bytes.fromhex(digest)
    for _ in range(steps):
        value = hashlib.sha256(b"baccarat/must-hit/step" + value).digest()
    return value.hex()


def _cite(rules: TableRules) -> tuple[str, ...]:
    law = rules.edition.must_hit
    assert law is not None, "only due where the document has it"
    return law.cite


@handles(SealTrigger)
def seal_trigger(rules: TableRules, state: TableState, command: SealTrigger) -> HandlerResult:
    """Once for every run of the meter, before anything is added to it."""
    elected = rules.elections.must_hit
    if elected is None:
        law = rules.edition.must_hit
        keys = law.cite if law is not None else rules.edition.deal.cite
        return refuse(rules, Reason.NOT_OFFERED, "no_must_hit_installed_table", *keys)
    if state.meters.must_hit_seal or state.meters.must_hit != elected.start:
        return refuse(rules, Reason.OUT_OF_ORDER, "meter_runs_trigger_fixed", *_cite(rules))
    if not is_hash(command.seal):
        return refuse(rules, Reason.WRONG_PROOF, "seal_64_lower_case_hexadecimal_digits", *_cite(rules))
    return [TriggerSealed(seal=command.seal, cites=rules.cite_text(*_cite(rules)))]


@handles_actor(EndRound)
def end_the_round(rules: TableRules, state: TableState, command: EndRound, actor: Actor) -> HandlerResult:
    """Without a trigger: proved not hit. With one: checked against its seal, and a hit for the seat of the lot."""
    if trigger_due(rules, state):
        return refuse(rules, Reason.OUT_OF_ORDER, "trigger_sealed_before_round_ended", *_cite(rules))
    if command.lost and (refused := _not_approved(rules, command, actor)):
        return refused
    seats = state.round.royal9_seats
    known = MustHitState(meter=state.meters.must_hit, trigger=_trigger(rules, command), lot=command.lot)
    end = None
    why = objection(rules.rulebook, known, seats)
    if why is None:
        end = end_round(rules.rulebook, known, seats)
        why = _contradiction(rules, state, command, end)
    if why is not None:
        return refuse(rules, Reason.WRONG_PROOF, why.what, *_cite(rules), **why.params)
    assert end is not None, "without an objection the round is ended"
    return [
        MustHitEnded(
            hit=end.hit,
            seat=end.seat or 0,
            award=end.award,
            meter=end.meter,
            shows=end.shows,
            trigger=command.trigger,
            salt=command.salt,
            not_reached=command.not_reached,
            withheld=_withheld(rules, state, command),
            lost=command.lost,
            requester=actor.who if command.lost else "",
            approver=_approver(command, actor),
            cites=tuple(map(str, end.cites)),
        )
    ]


def _approver(command: EndRound, actor: Actor) -> str:
    """The second person who says that a seal is lost."""
    return actor.approved_by(command.name, *command.SECOND) if command.lost else ""


def _terms(rules: TableRules) -> MustHit:
    elected = rules.elections.must_hit
    assert elected is not None, "only due where the licensee has it"
    return elected


def _trigger(rules: TableRules, command: EndRound) -> int:
    """The trigger that was opened, or the ceiling, at which every trigger has been hit."""
    return _terms(rules).ceiling if command.trigger is None else command.trigger


def _not_approved(rules: TableRules, command: EndRound, actor: Actor) -> Refused | None:
    """A trigger that cannot be opened stays sealed, or is paid at the ceiling, if two persons say so."""
    if command.trigger is not None:
        return refuse(rules, Reason.WRONG_PROOF, "trigger_opened_not_lost", *_cite(rules))
    what, reason = "the_report_of_a_lost_seal", command.lost
    return refuse_unapproved(rules, command, actor, *_cite(rules), what=what, reason=reason)


def _contradiction(rules: TableRules, state: TableState, command: EndRound, end: MustHitEnd) -> Why | None:
    """What contradicts the seal or the meter."""
    terms, seal = _terms(rules), state.meters.must_hit_seal
    if command.lot and not end.hit:
        return Why("no_lot_without_a_hit")
    if command.lost:
        return Why("lost_seal_shows_nothing") if command.not_reached else None
    if command.trigger is None:
        if end.hit:
            return Why("must_hit_at_its_ceiling")
        if _is_not_reached(terms, seal, command.not_reached, meter=end.meter):
            return None
        return Why("trigger_not_shown_to_be_unreached")
    if not end.hit:
        return Why("must_hit_below_its_trigger")
    if command.not_reached or seal_of(terms, command.trigger, command.salt) != seal:
        return Why("trigger_not_the_sealed_one")
    return None


def _withheld(rules: TableRules, state: TableState, command: EndRound) -> bool:
    """Whether the meter had been fed up to its trigger before this round, while its seal was reported lost."""
    started = _terms(rules).start < state.meters.must_hit
    return command.trigger is not None and started and command.trigger <= state.meters.must_hit


evolves(TriggerSealed)(lambda state, event: with_meters(state, must_hit_seal=event.seal))


@evolves(MustHitEnded)
def evolve_must_hit(state: TableState, event: MustHitEnded) -> TableState:
    """The meter continues, or begins again with no trigger yet."""
    round_, flow = replace(state.round, must_hit_due=False), state.meters.must_hit_flow
    if not event.hit:
        flow = replace(flow, contributed=flow.contributed + event.meter - state.meters.must_hit)
        meters = replace(state.meters, must_hit=event.meter, must_hit_flow=flow)
        return replace(state, round=round_, meters=meters)
    flow = replace(
        flow,
        contributed=flow.contributed + event.award - state.meters.must_hit,
        seeded=flow.seeded + event.meter,
        paid=flow.paid + event.award,
    )
    return replace(
        state,
        round=round_,
        meters=replace(
            state.meters,
            must_hit=event.meter,
            must_hit_seal="",
            must_hit_run=state.meters.must_hit_run + 1,
            must_hit_flow=flow,
        ),
        seats=with_chips(state, event.seat, event.award),
        money=replace(state.money, bank=state.money.bank - event.award),
    )


def must_hit_due(rules: TableRules, state: TableState) -> bool:
    """The Must Hit is installed, somebody took part, and the round has not been ended for it.

    Where corrected cards settle nothing every wager goes back, and nobody has taken part (reading A-30): it is due only
    if the cards are corrected once more. A table that does not say what it is does as it did.
    """
    return _was_due(rules, state) and not (state.is_on_record and settles_nothing(rules, state))


def _was_due(rules: TableRules, state: TableState) -> bool:
    """Whether it is due where it is not asked whether anything is settled: version 2 did not, whatever the table."""
    return rules.elections.must_hit is not None and state.round.must_hit_due and bool(state.round.royal9_seats)


def expect_must_hit(rules: TableRules, state: TableState) -> list[Due]:
    """The dealer ends the round; where another table of a link has won the meter, its next trigger comes first."""
    act = "seal_trigger" if trigger_due(rules, state) else "end_round"
    return [Due(by=Role.DEALER, act=act, cites=rules.cite_text(*_cite(rules)))]


add_step(MUST_HIT, due=must_hit_due, expect=expect_must_hit)
DUE_2[MUST_HIT] = _was_due


# ---------------------------------------------------------------------------------- asks, fills, tells


@automates(SealTrigger)
def _make_seal_trigger(rules: TableRules, state: TableState, _due: Due, source: CardSource) -> Command:
    opened, elected = source.must_hit(state), rules.elections.must_hit
    assert elected is not None, "only due where the licensee has it"
    return SealTrigger(seal=seal_of(elected, opened.trigger, opened.salt))


@automates(EndRound)
def _make_end_round(rules: TableRules, state: TableState, _due: Due, source: CardSource) -> Command:
    opened = source.must_hit(state)
    elected = rules.elections.must_hit
    assert elected is not None, "only due where the licensee has it"
    meter = state.meters.must_hit + elected.contribution * len(state.round.royal9_seats)
    if meter < opened.trigger:
        return EndRound(not_reached=not_reached(elected, opened.trigger, opened.salt, meter=meter))
    return EndRound(trigger=opened.trigger, salt=opened.salt, lot=opened.lot)


tells(TriggerSealed)(lambda x: f"The Must Hit's trigger is sealed under {x.seal[:16]}….")


@tells(MustHitEnded)
def _tell_must_hit(event: MustHitEnded) -> str:
    lost = f" Its seal could not be opened: {event.lost} (approved by {event.approver})." if event.lost else ""
    if not event.hit:
        return f"The Must Hit is not hit; its meter shows {Cents(event.meter)}.{lost}"
    return (
        f"The Must Hit of {Cents(event.award)} goes to seat {event.seat}, "
        f"shown at {', '.join(event.shows).replace('_', ' ')}."
        + (" Its trigger had been reached in an earlier round." if event.withheld else "")
        + lost
    )
