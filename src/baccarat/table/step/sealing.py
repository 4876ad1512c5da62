"""Sealing: an electronic shoe commits to its seed, takes contributions, and seals its order before the cut is offered.

The order of these acts is what makes the shuffle believable. The commitment comes first, so that the seed cannot
depend on what others contribute; contributions come next, so that no chooser of the seed can know the order; the root
comes before the cut is offered, so that the order cannot depend on the cut. `revealing.py` opens the seed at the end.
"""

from __future__ import annotations

from string import hexdigits
from typing import Annotated

from msgspec.structs import replace

from baccarat.shuffle import commitment, header_of
from baccarat.table.actor import Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Contributed, Hash, Label, Means
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import HexHash
from baccarat.table.gate import GateFault
from baccarat.table.registration import evolves, handles
from baccarat.table.role import Role
from baccarat.table.source import CardSource
from baccarat.table.state import LOST_SEED, Commitment, SeedContribution, TableState, shoe_in_words
from baccarat.table.step_function import asks, automates, tells

SHUFFLE, OFFER_CUT, CUT = "shuffle", "offer_cut", "cut"


class CommitShoe(Command, frozen=True, kw_only=True, tag="commit_shoe"):
    """An electronic shoe commits to its seed, before anything of its order is decided."""

    table: Annotated[Label, Means("the table's name, as the header of the shoe has it")]
    shoe: Annotated[Label, Means("the shoe's id, as its header has it")]
    commitment: Annotated[Hash, Means("SHA-256 of the header and the seed, 64 lower-case hexadecimal digits")]
    ORIGINS = (Origin.CARD_SOURCE,)
    OPENS_SHOE = True
    CARD = CommandCard(ask="An electronic shoe commits to its seed.", ask_is_public=True)


class Contribute(SeatCommand, frozen=True, kw_only=True, tag="contribute"):
    """A participant contributes a text to the order of an electronic shoe; nobody has to, and nobody waits for it."""

    value: Annotated[
        Contributed, Means("up to 64 hexadecimal digits or visible characters; their UTF-8 bytes go into the order")
    ]


class SealOrder(Command, frozen=True, kw_only=True, tag="seal_order"):
    """The order of the stack, not yet cut, is sealed under this root; every card will prove that it stood in it."""

    root: HexHash
    ORIGINS = (Origin.CARD_SOURCE,)
    STEPS = frozenset({OFFER_CUT, CUT})
    CARD = CommandCard(
        ask="The electronic shoe seals its order, before anybody is offered the cut.", ask_is_public=True
    )


class FailShoe(Command, frozen=True, kw_only=True, tag="fail_shoe"):
    """An electronic shoe reports that its order has failed the gate: it is not sealed, and the table stops."""

    why: Annotated[GateFault, Means("what is wrong with the order")]
    ORIGINS = (Origin.CARD_SOURCE,)


class ShoeCommitted(Event, frozen=True, kw_only=True, tag="shoe_committed"):
    """A seed is fixed, and hidden until the shoe is over; table, shoe, rulebook and decks form its header."""

    table: str
    shoe: str
    rulebook: str
    decks: int
    commitment: str
    CARD = EventCard(sights(everybody="table shoe rulebook decks commitment"), sort="other")


class ContributionMade(Event, frozen=True, kw_only=True, tag="contribution_made"):
    """A text of a participant goes into the order, after those that came before it."""

    seat: int
    value: str
    CARD = EventCard(sights(everybody="seat value"), sort="other")


class OrderSealed(Event, frozen=True, kw_only=True, tag="order_sealed"):
    """The order before the cut is fixed, whatever the cut will be."""

    root: str
    CARD = EventCard(sights(everybody="root"), sort="other")


class ShoeFailed(Event, frozen=True, kw_only=True, tag="shoe_failed"):
    """The order of an electronic shoe has failed the gate: the table stops."""

    why: GateFault
    CARD = EventCard(sights(everybody="why"), sort="irregularity")


# ------------------------------------------------------------------------------------------- deciding


def is_before_the_cut(state: TableState) -> bool:
    """Whether nobody has been offered the cut yet, so that the order cannot depend on it."""
    shoe = state.shoe
    return not (shoe.root or shoe.cut_offers or shoe.recuts or shoe.in_front is not None or shoe.finished)


def is_unsealed(state: TableState) -> bool:
    """Whether an electronic shoe has committed to a seed and has not sealed its order."""
    return state.shoe.commitment is not None and not state.shoe.root


def is_hash(text: str) -> bool:
    """Whether a text is a SHA-256 hash in lower-case hexadecimal digits."""
    return len(text) == 64 and text == text.lower() and all(digit in hexdigits for digit in text)


@handles(CommitShoe)
def commit_shoe(rules: TableRules, state: TableState, command: CommitShoe) -> HandlerResult:
    """Once per shoe, before the cut is offered, and to a seed other than the last shoe's, which everybody knows.

    Its id is the shoe's number at this table, from 0, so that a seed that is used again does not give the same order.
    """
    if state.shoe.commitment is not None:
        return refuse(rules, Reason.OUT_OF_ORDER, "shoe_committed_already", step=SHUFFLE)
    if not is_before_the_cut(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "order_sealed_before_the_cut", step=CUT)
    if not (command.table.strip() and command.shoe.strip()):
        return refuse(rules, Reason.INCOMPLETE, "commitment_names_table_and_shoe", step=SHUFFLE)
    if command.shoe != str(state.shoe.number):
        return refuse(rules, Reason.OUT_OF_ORDER, "shoe_id_is_its_number", step=SHUFFLE, number=state.shoe.number)
    if not is_hash(command.commitment):
        return refuse(rules, Reason.WRONG_PROOF, "commitment_64_lower_case_hexadecimal_digits", step=SHUFFLE)
    book, decks = rules.rulebook, rules.elections.decks or 0
    header = header_of(table=command.table, shoe=command.shoe, rulebook_hash=book.hash, decks=decks)
    former = state.shoe.former_seed
    if former not in ("", LOST_SEED) and commitment(bytes.fromhex(former), header).hex() == command.commitment:
        return refuse(rules, Reason.WRONG_PROOF, "seed_of_the_last_shoe", step=SHUFFLE)
    return [
        ShoeCommitted(
            table=command.table,
            shoe=command.shoe,
            rulebook=book.hash,
            decks=decks,
            commitment=command.commitment,
            cites=rules.cites[SHUFFLE],
        )
    ]


@handles(Contribute)
def contribute(rules: TableRules, state: TableState, command: Contribute) -> HandlerResult:
    """Once per seat, after the commitment and before the order is sealed."""
    held, seat = state.shoe.commitment, command.seat
    if state.at(seat) is None:
        keys = rules.edition.options["seats"].cite
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *keys, seat=seat)
    if held is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "no_shoe_committed", step=SHUFFLE)
    if not is_before_the_cut(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "order_sealed_already", step=CUT)
    if any(each.seat == seat for each in held.contributions):
        return refuse(rules, Reason.TWICE, "seat_has_contributed", step=SHUFFLE, seat=seat)
    if not command.value.strip():
        return refuse(rules, Reason.INCOMPLETE, "contribution_of_nothing", step=SHUFFLE)
    return [ContributionMade(seat=seat, value=command.value, cites=rules.cites[SHUFFLE])]


@handles(SealOrder)
def seal_order(rules: TableRules, state: TableState, command: SealOrder) -> HandlerResult:
    """Once, after the commitment and before the cut is offered."""
    if not is_before_the_cut(state):
        what = "order_sealed_already" if state.shoe.root else "order_sealed_before_the_cut"
        return refuse(rules, Reason.OUT_OF_ORDER, what, step=CUT)
    if state.shoe.commitment is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "no_shoe_committed", step=CUT)
    if not is_hash(command.root):
        return refuse(rules, Reason.WRONG_PROOF, "root_64_lower_case_hexadecimal_digits", step=CUT)
    return [OrderSealed(root=command.root, cites=rules.cites[CUT])]


@handles(FailShoe)
def fail_shoe(rules: TableRules, state: TableState, command: FailShoe) -> HandlerResult:
    """Between the commitment and the seal: nobody has wagered on such a shoe, and nobody will."""
    if not is_unsealed(state) or not is_before_the_cut(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "gate_between_commitment_and_seal", step=CUT)
    return [ShoeFailed(why=command.why, cites=rules.cite_text(*rules.edition.options["decks"].cite))]


# ------------------------------------------------------------------------------------------- evolving


@evolves(ShoeCommitted)
def evolve_committed(state: TableState, event: ShoeCommitted) -> TableState:
    """The shoe is an electronic one from now on."""
    held = Commitment(
        table=event.table, shoe=event.shoe, rulebook=event.rulebook, decks=event.decks, hash=event.commitment
    )
    return replace(state, shoe=replace(state.shoe, commitment=held))


@evolves(ContributionMade)
def evolve_contributed(state: TableState, event: ContributionMade) -> TableState:
    """The order depends on one more text."""
    held = state.shoe.commitment
    assert held is not None, "contributions come after the commitment"
    contributions = (*held.contributions, SeedContribution(event.seat, event.value))
    return replace(state, shoe=replace(state.shoe, commitment=replace(held, contributions=contributions)))


evolves(OrderSealed)(lambda state, event: replace(state, shoe=replace(state.shoe, root=event.root)))


@evolves(ShoeFailed)
def evolve_failed(state: TableState, event: ShoeFailed) -> TableState:
    """The table stops."""
    return replace(state, stopped=f"the electronic shoe failed its check: {event.why.words}")


# --------------------------------------------------------------------------------------- expected


def expect_before_the_cut(rules: TableRules, state: TableState) -> list[Due]:
    """An electronic shoe may commit at any time; from then on participants may contribute until it is sealed."""
    shoe = state.shoe
    if not is_before_the_cut(state):
        return []
    cites = rules.cites[SHUFFLE]
    if shoe.commitment is None:
        return [Due(by=Role.DEALER, act="commit_shoe", cites=cites, optional=True)]
    given = {each.seat for each in shoe.commitment.contributions}
    return [
        Due(by=Role.PARTICIPANT, act="contribute", seat=seat, cites=cites, optional=True)
        for seat in state.occupied
        if seat not in given
    ]


def expect_seal(rules: TableRules, state: TableState) -> list[Due]:
    """An electronic shoe is sealed before anything else of the cut; real cards are not."""
    if not is_unsealed(state):
        return []
    return [Due(by=Role.DEALER, act="seal_order", cites=rules.cites[CUT])]


# ---------------------------------------------------------------------------------- asks, fills, tells


@asks(Contribute)
def _ask_contribute(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} may contribute a text of its own to the order of the electronic shoe.")


@automates(CommitShoe)
def _make_commit(rules: TableRules, state: TableState, _due: Due, source: CardSource) -> Command:
    held = source.promise(rules.rulebook, state)
    assert held is not None, "only an electronic shoe commits to anything"
    return CommitShoe(table=held.table, shoe=held.shoe, commitment=held.hash)


automates(Contribute)(lambda _rules, _state, due, _source: Contribute(seat=due.seat, value=f"seat {due.seat}"))


@automates(SealOrder)
def _make_seal(_rules: TableRules, state: TableState, _due: Due, source: CardSource) -> Command:
    fault = source.gate(state)
    return SealOrder(root=source.root(state)) if fault is None else FailShoe(why=fault)


tells(ShoeCommitted)(
    lambda x: (
        f"The electronic shoe {shoe_in_words(x.shoe)} of {x.table}, {x.decks} decks, commits to its seed under "
        f"{x.commitment[:16]}…."
    )
)
tells(ContributionMade)(lambda x: f"Seat {x.seat} contributes “{x.value}” to the order of the shoe.")
tells(ShoeFailed)(lambda x: f"The electronic shoe fails its check: {x.why.words}. The table stops.")
tells(OrderSealed)(lambda x: f"The order of the stack is sealed under {x.root[:16]}….")
