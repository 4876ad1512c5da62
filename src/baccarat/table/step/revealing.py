"""Revealing: at the end of an electronic shoe its seed is opened, and everything that it promised is derived again.

That is at the close of the shoe, whether it was played to its last hand, void or abandoned, and at a table that has
stopped. A shoe is closed only when its seed is revealed, or when two persons have reported that nobody has it any
more; so nobody can hide a shoe that he would rather not show, and no table waits for ever for a seed.

The committed seed with another order than the sealed one proves that the shoe was not the one that was promised. Such a
seed is accepted, not refused: the proof is recorded, and the table stops.
"""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.chain import is_hash
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import HexHash, KeptReason
from baccarat.table.proof import commitment_for, order_from
from baccarat.table.registration import evolves, handles, handles_actor
from baccarat.table.role import SUPERVISORS, Role
from baccarat.table.shoe_state import Commitment
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.step_function import automates, tells
from baccarat.table.story_words import by_two
from baccarat.table.two_persons import refuse_unapproved

CLOSE = "close"
NO_SEED = "nobody has the seed any more"
OVERDUE_SEED = "the seed of the electronic shoe was not revealed in time"
"""Why a table has stopped at which the deadline of the reveal has passed (`overdue.py`)."""
NOT_THE_SEEDS = "the order that the electronic shoe sealed does not follow from its seed"


class RevealSeed(Command, frozen=True, kw_only=True, tag="reveal_seed"):
    """The seed of an electronic shoe that is over is opened, and shows whether the sealed order followed from it."""

    seed: HexHash
    ORIGINS = (Origin.CARD_SOURCE,)
    STOPPED = True
    CARD = CommandCard(
        ask="The electronic shoe reveals its seed, or two persons report that it is lost.",
        ask_is_public=True,
        shows_seed=True,
    )


class ReportLostSeed(Command, frozen=True, kw_only=True, tag="report_lost_seed"):
    """Nobody has the seed of a shoe any more: one person reports it, another confirms."""

    reason: KeptReason
    ROLE = Role.FLOORPERSON
    ROLES = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR})
    SECOND = SUPERVISORS
    STOPPED = True
    CARD = CommandCard(
        group="orders",
        console="reason",
        ask="The floorperson and another report that nobody has the seed of the electronic shoe any more.",
        discretion="nothing",
    )


class SeedRevealed(Event, frozen=True, kw_only=True, tag="seed_revealed"):
    """The seed is known, and everything that was published about the shoe follows from it."""

    seed: str
    """64 hexadecimal digits."""
    sealed: bool
    """Whether an order was sealed, and is this seed's; a shoe may have been abandoned before."""
    CARD = EventCard(sights(everybody="seed sealed"), sort="other")


class OrderDisproved(Event, frozen=True, kw_only=True, tag="order_disproved"):
    """The committed seed is known, and another order than its own was sealed: the table stops."""

    seed: str
    """64 hexadecimal digits."""
    sealed: str
    """The root that was sealed."""
    derived: str
    """The root that follows from the seed and from what was contributed."""
    CARD = EventCard(sights(everybody="seed sealed derived"), sort="irregularity")


class SeedLost(Event, frozen=True, kw_only=True, tag="seed_lost"):
    """The seed will never be known: what the shoe promised cannot be checked."""

    reason: str
    requester: str
    approver: str
    CARD = EventCard(
        sights(floor="reason requester approver"), sort="irregularity", short="The seed of the shoe is lost."
    )


def seed_is_due(state: TableState) -> bool:
    """Whether an electronic shoe owes its seed."""
    held = state.shoe.commitment
    return held is not None and not held.is_settled


def is_shoe_over(state: TableState) -> bool:
    """Whether no card of the shoe can still come: it is to be closed, or the table has stopped."""
    return bool(state.stopped) or state.step == CLOSE


def owes_seed(state: TableState) -> bool:
    """Whether the seed of an electronic shoe may be revealed now, and is not; the deadline counts from then."""
    return is_shoe_over(state) and seed_is_due(state)


def is_stopped_by_seed(state: TableState) -> bool:
    """Whether the table has stopped because a seed is overdue, and for no other reason: everybody may know why."""
    return state.stopped == OVERDUE_SEED


def owed_commitment(rules: TableRules, state: TableState) -> Commitment | Refused:
    """The commitment that is to be opened now, or why none is."""
    held = state.shoe.commitment
    if held is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "no_shoe_committed", step=CLOSE)
    if not is_shoe_over(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "seed_stays_sealed_until_the_close", step=CLOSE)
    if held.is_settled:
        what = "seed_reported_lost_already" if held.lost else "seed_revealed_already"
        return refuse(rules, Reason.OUT_OF_ORDER, what, step=CLOSE)
    return held


@handles(RevealSeed)
def reveal_seed(rules: TableRules, state: TableState, command: RevealSeed) -> HandlerResult:
    """Only the seed that was committed to; whether the sealed root follows from it is recorded either way."""
    if isinstance(held := owed_commitment(rules, state), Refused):
        return held
    if not is_hash(command.seed):
        return refuse(rules, Reason.WRONG_PROOF, "seed_64_lower_case_hexadecimal_digits", step=CLOSE)
    seed = bytes.fromhex(command.seed)
    if commitment_for(held, seed) != held.hash:
        return refuse(rules, Reason.WRONG_PROOF, "seed_not_the_committed_one", step=CLOSE)
    cites, sealed = rules.cites[CLOSE], state.shoe.root
    derived = order_from(held, seed).root if sealed else ""
    if derived != sealed:
        return [OrderDisproved(seed=command.seed, sealed=sealed, derived=derived, cites=cites)]
    return [SeedRevealed(seed=command.seed, sealed=bool(sealed), cites=cites)]


@handles_actor(ReportLostSeed)
def report_lost_seed(rules: TableRules, state: TableState, command: ReportLostSeed, actor: Actor) -> HandlerResult:
    """By two persons, with a reason, when the seed is due."""
    if isinstance(held := owed_commitment(rules, state), Refused):
        return held
    approver = actor.approved_by(command.name, *command.SECOND)
    keys = next(row.cite for row in rules.edition.steps if row.name == CLOSE)
    what = "the_report_of_a_lost_seed"
    if refused := refuse_unapproved(rules, command, actor, *keys, what=what, reason=command.reason):
        return refused
    return [SeedLost(reason=command.reason, requester=actor.who, approver=approver, cites=rules.cites[CLOSE])]


evolves(SeedRevealed)(lambda state, event: _settled(state, seed=event.seed))


@evolves(OrderDisproved)
def evolve_disproved(state: TableState, event: OrderDisproved) -> TableState:
    """The seed is known, the shoe is proved not to be the one that was promised, and the table stops."""
    return replace(_with(state, seed=event.seed, disproved=True), stopped=NOT_THE_SEEDS)


evolves(SeedLost)(lambda state, _: _settled(state, lost=True))


def _settled(state: TableState, **changes: str | bool) -> TableState:
    """What becomes of the seed is known: a table that had stopped only for that continues."""
    return replace(_with(state, **changes), stopped="" if is_stopped_by_seed(state) else state.stopped)


def _with(state: TableState, **changes: str | bool) -> TableState:
    held = state.shoe.commitment
    assert held is not None, "only a shoe that has committed to a seed owes one"
    return replace(state, shoe=replace(state.shoe, commitment=replace(held, **changes)))


def expect_seed(rules: TableRules, state: TableState) -> list[Due]:
    """The keeper of the seed opens it, or two persons report that nobody has it."""
    if not seed_is_due(state):
        return []
    cites = rules.cites[CLOSE]
    lost = Due(by=Role.FLOORPERSON, act="report_lost_seed", cites=cites, optional=True)
    return [Due(by=Role.DEALER, act="reveal_seed", cites=cites), lost]


@automates(RevealSeed)
def _make_reveal(_rules: TableRules, state: TableState, _due: Due, source: CardSource) -> Command:
    seed = source.seed(state)
    return RevealSeed(seed=seed) if seed else ReportLostSeed(reason=NO_SEED)


automates(ReportLostSeed)(lambda *_: ReportLostSeed(reason=NO_SEED))


tells(SeedRevealed)(
    lambda x: (
        f"The seed of the electronic shoe is revealed: {x.seed}; "
        + ("commitment, order and root follow from it." if x.sealed else "the commitment follows from it.")
    )
)
tells(OrderDisproved)(
    lambda x: (
        f"The seed of the electronic shoe is revealed: {x.seed}; the commitment follows from it, but the sealed order "
        f"does not: {x.sealed[:16]}… was sealed, and the seed gives {x.derived[:16]}…. The table stops."
    )
)
tells(SeedLost)(lambda x: f"The seed of the electronic shoe is lost, and its order cannot be checked: {by_two(x)}.")
