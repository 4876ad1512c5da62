"""A change of a table's witnesses: two persons name others, in the book of its pit, and on notice.

The act belongs to the pit (`house/table_statement.py`); the table enters what follows from it. It holds from the next
commitment: a shoe that has committed waits for those that its commitment names, or is abandoned.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET
from msgspec.structs import replace

from baccarat.table.actor import Actor
from baccarat.table.audience import sights
from baccarat.table.base import Event, FollowingCommand, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Means
from baccarat.table.card import EventCard
from baccarat.table.registration import evolves, handles_actor
from baccarat.table.state import TableState
from baccarat.table.step_function import tells
from baccarat.table.table_cards import REAL
from baccarat.table.two_persons import refuse_unapproved
from baccarat.table.witness_keys import WitnessKeys, are_share_keys, witnesses_text


class AdoptWitnesses(FollowingCommand, frozen=True, kw_only=True, tag="adopt_witnesses"):
    """Two persons replace this table's witnesses; every later commitment names the new ones."""

    witnesses: Annotated[WitnessKeys, Means("the share keys of the witnesses, as text, sorted")]


class WitnessesChanged(Event, frozen=True, kw_only=True, tag="witnesses_changed"):
    """Other witnesses have a share in the order of this table's shoes, from the next commitment on."""

    witnesses: tuple[str, ...]
    """The share keys that every commitment names from now on, sorted."""
    requester: str
    """Who asked for it."""
    approver: str
    """Who approved it."""
    CARD = EventCard(
        sights(everybody="witnesses", floor="requester approver"),
        sort="other",
        short="Other witnesses have a share in the order of the next shoe.",
    )


@handles_actor(AdoptWitnesses)
def adopt_witnesses(rules: TableRules, state: TableState, command: AdoptWitnesses, actor: Actor) -> HandlerResult:
    """At a table with an electronic shoe, by two persons, and different from those on record."""
    keys = rules.edition.options["decks"].cite
    if state.cards is REAL:
        return refuse(rules, Reason.NOT_OFFERED, "real_cards_have_no_witnesses", *keys)
    approver = actor.approved_by(command.name, *command.SECOND)
    if refused := refuse_unapproved(rules, command, actor, *keys, what="changing_witnesses", reason="witnesses"):
        return refused
    if not are_share_keys(command.witnesses):
        return refuse(rules, Reason.WRONG_PROOF, "witness_keys_not_in_form", *keys)
    if state.witnesses is not UNSET and state.witnesses == command.witnesses:
        return refuse(rules, Reason.TWICE, "witnesses_on_record_already", *keys)
    cites = rules.cite_text(*keys)
    return [WitnessesChanged(witnesses=command.witnesses, requester=actor.who, approver=approver, cites=cites)]


evolves(WitnessesChanged)(lambda state, event: replace(state, witnesses=event.witnesses))
tells(WitnessesChanged)(
    lambda x: (
        f"From the next shoe on its order has shares of these witnesses: {witnesses_text(x.witnesses)} "
        f"({x.requester}, approved by {x.approver})."
    )
)
