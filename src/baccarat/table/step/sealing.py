"""Sealing: an electronic shoe commits to its seed, takes contributions, closes its inputs and seals its order.

The order of these acts is what makes the shuffle believable: nobody who knows the order may still choose anything that
it depends on. In *order 2* the commitment comes first; then participants contribute, and the stack is cut (the cut is
chosen now, and carried out on the shuffled order: reading A-96). `close_inputs` fixes all of it on record. Only then do
the witnesses that the commitment names open their shares, and only with all of them can anybody derive the order, which
is sealed. `revealing.py` opens the seed at the end.

*Order 1*, which older journals have, is sealed before the cut is offered and has no shares: the house, which knows the
seed, could know the order while others still contributed, and the dealer still cut.
"""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import quote

from msgspec import UNSET, Meta
from msgspec.structs import replace

from baccarat.chain import is_hash
from baccarat.play.refusal import Refused
from baccarat.shuffle import MOST_WITNESSES
from baccarat.table.actor import Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Contributed, Count, Hash, Label, Means, NoteLines
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import HexHash
from baccarat.table.gate import GateFault
from baccarat.table.proof import commitment_for, inputs_for
from baccarat.table.registration import HANDLERS_2, evolves, handles
from baccarat.table.role import Role
from baccarat.table.share_note import read_share_key, read_share_note
from baccarat.table.shoe_state import (
    LOST_SEED,
    Commitment,
    SeedContribution,
    WitnessPromise,
    WitnessShare,
    shoe_in_words,
)
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.step_function import asks, automates, tells
from baccarat.table.table_cards import REAL, uses_electronic_shoes
from baccarat.table.witness_keys import are_share_keys, witnesses_text
from baccarat.values import count_text

SHUFFLE, OFFER_CUT, CUT = "shuffle", "offer_cut", "cut"
ORDER_2_SINCE = 3
"""The first version of the deciding functions in which a table on record takes no shoe of order 1."""
WitnessPromises = Annotated[tuple[WitnessPromise, ...], Meta(max_length=MOST_WITNESSES)]


# What records of order 1 do not have is left out there: `omit_defaults`.
class CommitShoe(Command, frozen=True, kw_only=True, tag="commit_shoe", omit_defaults=True):
    """An electronic shoe commits to its seed, before anything of its order is decided."""

    table: Annotated[Label, Means("the table's name, as the header of the shoe has it")]
    shoe: Annotated[Label, Means("the shoe's id, as its header has it")]
    commitment: Annotated[Hash, Means("SHA-256 of the header and the seed, 64 lower-case hexadecimal digits")]
    order: Annotated[Count, Means("how the order is derived: 1, or 2, with a closing and shares")] = 1
    log: Annotated[Label, Means("the name of the table's log; empty if nobody signs it")] = ""
    promises: Annotated[
        WitnessPromises, Means("what witnesses have promised for this shoe: objects with `key` and `promise`, sorted")
    ] = ()
    ORIGINS = (Origin.CARD_SOURCE,)
    OPENS_SHOE = True
    CARD = CommandCard(ask="An electronic shoe commits to its seed.", ask_is_public=True, although_optional="promised")


class Contribute(SeatCommand, frozen=True, kw_only=True, tag="contribute"):
    """A participant contributes a text to the order of an electronic shoe; nobody has to, and nobody waits for it."""

    value: Annotated[
        Contributed, Means("up to 64 hexadecimal digits or visible characters; their UTF-8 bytes go into the order")
    ]


class CloseInputs(Command, frozen=True, kw_only=True, tag="close_inputs"):
    """Everything that the order depends on but the witnesses' shares is fixed: nobody contributes or cuts any more."""

    ORIGINS = (Origin.CARD_SOURCE,)
    STEPS = frozenset({CUT})
    CARD = CommandCard(
        pace="none",
        ask="The inputs of the electronic shoe are closed; nothing about its order can be chosen any more.",
        ask_is_public=True,
    )


class GiveShare(Command, frozen=True, kw_only=True, tag="give_share"):
    """A witness opens the share that it promised, in a note that it has signed for this closing."""

    key: Annotated[Label, Means("the witness's share key, as text")]
    note: Annotated[NoteLines, Means("its signed note, line by line")]
    ORIGINS = (Origin.CARD_SOURCE,)
    STEPS = frozenset({CUT})
    CARD = CommandCard(
        pace="none", ask="A witness opens its share in the order of the electronic shoe.", ask_is_public=True
    )


class SealOrder(Command, frozen=True, kw_only=True, tag="seal_order"):
    """The order of the stack, not yet cut, is sealed under this root; every card will prove that it stood in it."""

    root: HexHash
    ORIGINS = (Origin.CARD_SOURCE,)
    STEPS = frozenset({OFFER_CUT, CUT})
    CARD = CommandCard(pace="none", ask="The electronic shoe seals its order.", ask_is_public=True)


class FailShoe(Command, frozen=True, kw_only=True, tag="fail_shoe"):
    """An electronic shoe reports that its order has failed the gate: it is not sealed, and the table stops."""

    why: Annotated[GateFault, Means("what is wrong with the order")]
    ORIGINS = (Origin.CARD_SOURCE,)
    CARD = CommandCard(discretion="shoe")

    @property
    def stated_reason(self) -> str:
        """What is wrong with the order, in words."""
        return self.why.words


class ShoeCommitted(Event, frozen=True, kw_only=True, tag="shoe_committed", omit_defaults=True):
    """A seed is fixed, and hidden until the shoe is over; everything but the commitment forms its header."""

    table: str
    """The table, as in the name of its stream."""
    shoe: str
    """The number of shoes closed at the table before, in decimal."""
    rulebook: str
    """The hash of the rules, as text."""
    decks: int
    """How many decks, 1 to 1000."""
    commitment: str
    """The hash of seed and header."""
    order: int = 1
    """Which derivation: 1 or 2."""
    origin: str = ""
    """Of order 2, the name of the log of the table."""
    witnesses: tuple[WitnessPromise, ...] = ()
    """Of order 2, who has a share, sorted by key."""
    CARD = EventCard(sights(everybody="table shoe rulebook decks commitment order origin witnesses"), sort="other")


class ContributionMade(Event, frozen=True, kw_only=True, tag="contribution_made"):
    """A text of a participant goes into the order, after those that came before it."""

    seat: int
    """Whose."""
    value: str
    """1 to 64 visible characters; its UTF-8 bytes go into the order."""
    CARD = EventCard(sights(everybody="seat value"), sort="other")


class InputsClosed(Event, frozen=True, kw_only=True, tag="inputs_closed"):
    """Seed, contributions and cut are fixed, under one hash; the witnesses open their shares for this record."""

    origin: str
    """As in the commitment."""
    shoe: str
    """As in the commitment."""
    witnesses: tuple[WitnessPromise, ...]
    """As in the commitment."""
    inputs: str
    """The hash of header, commitment, contributions and cut."""
    CARD = EventCard(sights(everybody="origin shoe witnesses inputs"), sort="other")


class ShareGiven(Event, frozen=True, kw_only=True, tag="share_given"):
    """A witness has opened its share, in a signed note, line by line."""

    key: str
    """The share key of the witness."""
    note: tuple[str, ...]
    """The seven lines of its signed note."""
    CARD = EventCard(sights(everybody="key note"), sort="other")


class OrderSealed(Event, frozen=True, kw_only=True, tag="order_sealed"):
    """The order before the cut is fixed, and every card will prove that it stood in it."""

    root: str
    """The root of the card tree."""
    CARD = EventCard(sights(everybody="root"), sort="other")


class ShoeFailed(Event, frozen=True, kw_only=True, tag="shoe_failed"):
    """The order of an electronic shoe has failed the gate: the table stops."""

    why: GateFault
    """What the shoe found in its order."""
    CARD = EventCard(sights(everybody="why"), sort="irregularity")


# ------------------------------------------------------------------------------------------- deciding


def is_before_the_cut(state: TableState) -> bool:
    """Whether nobody has been offered the cut yet."""
    shoe = state.shoe
    return not (shoe.root or shoe.cut_offers or shoe.recuts or shoe.in_front is not None or shoe.finished)


def takes_contributions(state: TableState) -> bool:
    """Whether participants may still contribute: until the inputs are closed; to order 1 until the cut is offered."""
    held = state.shoe.commitment
    if held is None or held.order == 1:
        return is_before_the_cut(state)
    return not (held.inputs or state.shoe.finished)


def seals_before_the_cut(state: TableState) -> bool:
    """Whether an electronic shoe of order 1 has committed to a seed and has not sealed its order."""
    held = state.shoe.commitment
    return held is not None and held.order == 1 and not state.shoe.root


def is_to_be_sealed(state: TableState) -> bool:
    """Whether a shoe of order 2 has committed to a seed and has not sealed its order: the table does not move on."""
    held = state.shoe.commitment
    return held is not None and held.order == 2 and not state.shoe.root


def is_without_commitment(state: TableState) -> bool:
    """Whether a table that was opened for an electronic shoe has none that has committed to a seed.

    What a table was opened as (`table_cards.py`) binds anyone who deals there, whether or not the shoe is present.
    """
    return state.is_electronic and state.shoe.commitment is None


def is_unsealed(state: TableState) -> bool:
    """Whether an electronic shoe, or the one that the table was opened for, has not sealed its order."""
    return not state.shoe.root and (state.shoe.commitment is not None or state.is_electronic)


def refuse_unsealed(rules: TableRules, why: Reason, *, step: str = CUT) -> Refused:
    """The refusal of a card, or of an act that puts cards into play, before the electronic shoe is sealed."""
    return refuse(rules, why, "order_not_sealed", step=step)


def are_inputs_closed(state: TableState) -> bool:
    """Whether everything that the order depends on is fixed: nobody contributes or cuts any more."""
    held = state.shoe.commitment
    return held is not None and bool(held.inputs)


def names_table(origin: str, table: str) -> bool:
    """Whether the name of a log is that of a table: `HOUSE/table/3`, or its successor `HOUSE/table/3/2`."""
    path = re.escape(f"/table/{quote(table, safe='-._~')}")
    return re.fullmatch(rf"[^\s+]+{path}(/[2-9]|/[1-9][0-9]{{1,3}})?", origin) is not None


@handles(CommitShoe)
def commit_shoe(rules: TableRules, state: TableState, command: CommitShoe) -> HandlerResult:
    """Once per shoe, before the cut is offered, and to a seed other than the last shoe's, which everybody knows.

    Its id is the shoe's number at this table, from 0, so that a seed that is used again does not give the same order.
    Order 1 lets anyone who knows the seed contribute last or cut, so a table that is on record takes no such shoe.
    """
    if command.order == 1 and state.is_electronic:
        return refuse(rules, Reason.NOT_OFFERED, "order_1_of_older_journals_alone", step=SHUFFLE)
    return _commit_shoe_by_version_2(rules, state, command)


def _commit_shoe_by_version_2(rules: TableRules, state: TableState, command: CommitShoe) -> HandlerResult:
    """The same until version 2, which took order 1 at every table with an electronic shoe."""
    if state.cards is REAL:
        return refuse(rules, Reason.NOT_OFFERED, "real_cards_commit_to_nothing", step=SHUFFLE)
    if not uses_electronic_shoes(rules.rulebook):
        return refuse(rules, Reason.NOT_OFFERED, "electronic_shoes_not_used", step=CUT)
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
    if refused := _wrong_witnesses(rules, state, command):
        return refused
    made = ShoeCommitted(
        table=command.table,
        shoe=command.shoe,
        rulebook=rules.rulebook.hash,
        decks=rules.elections.decks or 0,
        commitment=command.commitment,
        order=command.order,
        origin=command.log,
        witnesses=command.promises,
        cites=rules.cites[SHUFFLE],
    )
    former, held = state.shoe.former_seed, _commitment_of(made)
    if former not in ("", LOST_SEED) and commitment_for(held, bytes.fromhex(former)) == command.commitment:
        return refuse(rules, Reason.WRONG_PROOF, "seed_of_the_last_shoe", step=SHUFFLE)
    return [made]


HANDLERS_2[CommitShoe] = _commit_shoe_by_version_2


def _wrong_witnesses(rules: TableRules, state: TableState, command: CommitShoe) -> Refused | None:
    """Whether the log is this table's, and the witnesses are those on record, in the form that a header has."""
    keys = [each.key for each in command.promises]
    if command.order not in (1, 2):
        return refuse(rules, Reason.WRONG_PROOF, "order_1_or_2", step=SHUFFLE, order=command.order)
    if command.order == 1 and (command.log or keys):
        return refuse(rules, Reason.WRONG_PROOF, "order_1_has_no_witnesses", step=SHUFFLE)
    if command.log and not names_table(command.log, command.table):
        return refuse(rules, Reason.WRONG_PROOF, "log_of_another_table", step=SHUFFLE, log=command.log)
    if keys and not command.log:
        return refuse(rules, Reason.WRONG_PROOF, "witnesses_watch_a_signed_log", step=SHUFFLE)
    if not are_share_keys(keys) or not all(is_hash(each.promise) for each in command.promises):
        return refuse(rules, Reason.WRONG_PROOF, "witnesses_not_in_form", step=SHUFFLE)
    if state.witnesses is not UNSET and tuple(keys) != state.witnesses:
        named = witnesses_text(state.witnesses)
        return refuse(rules, Reason.WRONG_PROOF, "other_witnesses_on_record", step=SHUFFLE, named=named)
    return None


@handles(Contribute)
def contribute(rules: TableRules, state: TableState, command: Contribute) -> HandlerResult:
    """Once per seat, after the commitment and before the inputs are closed, or an order 1 is sealed."""
    held, seat = state.shoe.commitment, command.seat
    if state.at(seat) is None:
        keys = rules.edition.options["seats"].cite
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *keys, seat=seat)
    if held is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "no_shoe_committed", step=SHUFFLE)
    if not takes_contributions(state):
        what = "order_sealed_already" if held.order == 1 else "inputs_closed_already"
        return refuse(rules, Reason.OUT_OF_ORDER, what, step=CUT)
    if any(each.seat == seat for each in held.contributions):
        return refuse(rules, Reason.TWICE, "seat_has_contributed", step=SHUFFLE, seat=seat)
    if not command.value.strip():
        return refuse(rules, Reason.INCOMPLETE, "contribution_of_nothing", step=SHUFFLE)
    return [ContributionMade(seat=seat, value=command.value, cites=rules.cites[SHUFFLE])]


@handles(CloseInputs)
def close_inputs(rules: TableRules, state: TableState, _command: CloseInputs) -> HandlerResult:
    """Once, when the stack is cut and somebody sits: the record has this event alone, and the witnesses answer it."""
    held, in_front = state.shoe.commitment, state.shoe.in_front
    if held is None or held.order == 1:
        what = "no_shoe_committed" if held is None else "order_1_closes_nothing"
        return refuse(rules, Reason.OUT_OF_ORDER, what, step=CUT)
    if held.inputs:
        return refuse(rules, Reason.OUT_OF_ORDER, "inputs_closed_already", step=CUT)
    if in_front is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "stack_not_cut_yet", step=CUT)
    if not state.occupied:
        return refuse(rules, Reason.OUT_OF_ORDER, "nothing_closes_at_an_empty_table", step=CUT)
    inputs = inputs_for(held, in_front)
    closed = InputsClosed(
        origin=held.origin, shoe=held.shoe, witnesses=held.witnesses, inputs=inputs, cites=rules.cites[CUT]
    )
    return [closed]


@handles(GiveShare)
def give_share(rules: TableRules, state: TableState, command: GiveShare) -> HandlerResult:
    """Once per witness, after the closing: the note says exactly what was asked, and its share is the promised one.

    Its signature, and that it names the record of the closing, are checked where the journal is available: before a
    house records it, and by every verifier. All notes of a shoe name the same record.
    """
    held = state.shoe.commitment
    if held is None or not held.inputs:
        return refuse(rules, Reason.OUT_OF_ORDER, "inputs_not_closed_yet", step=CUT)
    named = next((each for each in held.witnesses if each.key == command.key), None)
    if named is None:
        return refuse(rules, Reason.NOT_ENTITLED, "witness_not_named", step=CUT)
    if command.key not in held.missing_shares:
        return refuse(rules, Reason.TWICE, "share_given_already", step=CUT)
    key, note = read_share_key(command.key), read_share_note(command.note)
    if key is None or note is None or not note.is_by(key) or (note.origin, note.shoe) != (held.origin, held.shoe):
        return refuse(rules, Reason.WRONG_PROOF, "note_is_not_for_this_shoe", step=CUT)
    if not note.opens(bytes.fromhex(named.promise), key=command.key):
        return refuse(rules, Reason.WRONG_PROOF, "share_is_not_the_promised_one", step=CUT)
    if any(each.leaf != note.leaf.hex() for each in held.shares):
        return refuse(rules, Reason.WRONG_PROOF, "share_for_another_closing", step=CUT)
    return [ShareGiven(key=command.key, note=command.note, cites=rules.cites[CUT])]


@handles(SealOrder)
def seal_order(rules: TableRules, state: TableState, command: SealOrder) -> HandlerResult:
    """Once: order 1 after the commitment and before the cut is offered, order 2 when every named share is on record."""
    held = state.shoe.commitment
    if state.shoe.root:
        return refuse(rules, Reason.OUT_OF_ORDER, "order_sealed_already", step=CUT)
    if (held is None or held.order == 1) and not is_before_the_cut(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "order_sealed_before_the_cut", step=CUT)
    if held is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "no_shoe_committed", step=CUT)
    if not held.is_derivable:
        what = "every_share_comes_first" if held.inputs else "inputs_not_closed_yet"
        return refuse(rules, Reason.OUT_OF_ORDER, what, step=CUT)
    if not is_hash(command.root):
        return refuse(rules, Reason.WRONG_PROOF, "root_64_lower_case_hexadecimal_digits", step=CUT)
    return [OrderSealed(root=command.root, cites=rules.cites[CUT])]


@handles(FailShoe)
def fail_shoe(rules: TableRules, state: TableState, command: FailShoe) -> HandlerResult:
    """When the order can be derived, and before it is sealed: nobody has wagered on such a shoe, and nobody will."""
    held = state.shoe.commitment
    is_time = is_before_the_cut(state) if held is None or held.order == 1 else held.is_derivable
    if held is None or state.shoe.root or not is_time:
        return refuse(rules, Reason.OUT_OF_ORDER, "gate_between_commitment_and_seal", step=CUT)
    return [ShoeFailed(why=command.why, cites=rules.cite_text(*rules.edition.options["decks"].cite))]


# ------------------------------------------------------------------------------------------- evolving


@evolves(ShoeCommitted)
def evolve_committed(state: TableState, event: ShoeCommitted) -> TableState:
    """The shoe is an electronic one from now on."""
    return replace(state, shoe=replace(state.shoe, commitment=_commitment_of(event)))


def _commitment_of(event: ShoeCommitted) -> Commitment:
    return Commitment(
        order=event.order,
        origin=event.origin,
        witnesses=event.witnesses,
        table=event.table,
        shoe=event.shoe,
        rulebook=event.rulebook,
        decks=event.decks,
        hash=event.commitment,
    )


@evolves(ContributionMade)
def evolve_contributed(state: TableState, event: ContributionMade) -> TableState:
    """The order depends on one more text."""
    held = _commitment(state)
    contributions = (*held.contributions, SeedContribution(event.seat, event.value))
    return _with_commitment(state, replace(held, contributions=contributions))


@evolves(InputsClosed)
def evolve_closed_inputs(state: TableState, event: InputsClosed) -> TableState:
    """From here on nobody contributes or cuts; the seated are recorded, because later arrivals see a note."""
    held = replace(_commitment(state), inputs=event.inputs, seated=tuple(state.occupied))
    return _with_commitment(state, held)


@evolves(ShareGiven)
def evolve_share(state: TableState, event: ShareGiven) -> TableState:
    """The order can be derived once every witness that the commitment names has opened its share."""
    held, note = _commitment(state), read_share_note(event.note)
    assert note is not None, "a note is read before it is recorded"
    share = WitnessShare(key=event.key, share=note.share.hex(), leaf=note.leaf.hex())
    return _with_commitment(state, replace(held, shares=(*held.shares, share)))


def _commitment(state: TableState) -> Commitment:
    assert state.shoe.commitment is not None, "these acts come after the commitment"
    return state.shoe.commitment


def _with_commitment(state: TableState, held: Commitment) -> TableState:
    return replace(state, shoe=replace(state.shoe, commitment=held))


evolves(OrderSealed)(lambda state, event: replace(state, shoe=replace(state.shoe, root=event.root)))


@evolves(ShoeFailed)
def evolve_failed(state: TableState, event: ShoeFailed) -> TableState:
    """The table stops until the shoe is taken away: nobody wagers on an order that was not sealed."""
    return replace(state, stopped=f"the electronic shoe failed its check: {event.why.words}")


# --------------------------------------------------------------------------------------- expected


def expect_contributions(rules: TableRules, state: TableState) -> list[Due]:
    """An electronic shoe may commit before the cut; from then on participants may contribute, as long as it counts."""
    shoe = state.shoe
    if state.cards is REAL or not takes_contributions(state):
        return []
    cites = rules.cites[SHUFFLE]
    if shoe.commitment is None:
        is_due = state.is_electronic and state.step in (OFFER_CUT, CUT)  # nobody comes past the shuffle without it
        return [Due(by=Role.DEALER, act="commit_shoe", cites=cites, optional=not is_due)]
    given = {each.seat for each in shoe.commitment.contributions}
    return [
        Due(by=Role.PARTICIPANT, act="contribute", seat=seat, cites=cites, optional=True)
        for seat in state.occupied
        if seat not in given
    ]


def expect_seal(rules: TableRules, state: TableState) -> list[Due]:
    """An electronic shoe of order 1 is sealed before anything else of the cut; real cards are not."""
    return [Due(by=Role.DEALER, act="seal_order", cites=rules.cites[CUT])] if seals_before_the_cut(state) else []


def expect_closing(rules: TableRules, state: TableState) -> list[Due]:
    """After the cut of order 2: the closing, each missing share, the seal. Nothing closes at an empty table."""
    held = _commitment(state)
    if not held.inputs and not state.occupied:
        return []
    act = "close_inputs" if not held.inputs else "give_share" if held.missing_shares else "seal_order"
    return [Due(by=Role.DEALER, act=act, cites=rules.cites[CUT])]


# ---------------------------------------------------------------------------------- asks, fills, tells


@asks(Contribute)
def _ask_contribute(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} may contribute a text of its own to the order of the electronic shoe.")


@automates(CommitShoe)
def _make_commit(rules: TableRules, state: TableState, _due: Due, source: CardSource) -> Command:
    held = source.promise(rules.rulebook, state)
    assert held is not None, "only an electronic shoe commits to anything"
    return CommitShoe(
        table=held.table,
        shoe=held.shoe,
        commitment=held.hash,
        order=held.order,
        log=held.origin,
        promises=held.witnesses,
    )


automates(Contribute)(lambda _rules, _state, due, _source: Contribute(seat=due.seat, value=f"seat {due.seat}"))


automates(CloseInputs)(lambda *_: CloseInputs())


@automates(GiveShare)
def _make_share(_rules: TableRules, state: TableState, _due: Due, source: CardSource) -> Command:
    found = source.share(state)
    assert found is not None, "a witness has answered"
    key, note = found
    return GiveShare(key=key, note=note)


@automates(SealOrder)
def _make_seal(_rules: TableRules, state: TableState, _due: Due, source: CardSource) -> Command:
    fault = source.gate(state)
    return SealOrder(root=source.root(state)) if fault is None else FailShoe(why=fault)


tells(ShoeCommitted)(
    lambda x: (
        f"The electronic shoe {shoe_in_words(x.shoe)} of {x.table}, {x.decks} decks, commits to its seed under "
        f"{x.commitment[:16]}…"
        + (
            f"; {count_text(len(x.witnesses), 'witness', 'witnesses')} will open a share in its order"
            if x.witnesses
            else ""
        )
        + "."
    )
)
tells(InputsClosed)(
    lambda x: (
        f"The inputs of the electronic shoe are closed under {x.inputs[:16]}…: nothing about the order can change now."
    )
)
tells(ShareGiven)(lambda x: f"The witness {x.key.partition('+')[0]} opens its share in the order of the shoe.")
tells(ContributionMade)(lambda x: f"Seat {x.seat} contributes “{x.value}” to the order of the shoe.")
tells(ShoeFailed)(lambda x: f"The electronic shoe fails its check: {x.why.words}. The table stops.")
tells(OrderSealed)(lambda x: f"The order of the stack is sealed under {x.root[:16]}….")
