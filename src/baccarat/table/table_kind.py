"""What an old table is: two persons say it, in the book of its pit, of a table that opened before this was recorded.

The act belongs to the pit (`house/table_statement.py`); the table enters what follows from it. It is said once,
between two shoes: a shoe in play ends as it began.
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
from baccarat.table.rules_adoption import is_between_shoes
from baccarat.table.state import TableState
from baccarat.table.step_function import tells
from baccarat.table.table_cards import ELECTRONIC_CARDS, TableCards, cards_text, uses_electronic_shoes
from baccarat.table.two_persons import refuse_unapproved


class AdoptKind(FollowingCommand, frozen=True, kw_only=True, tag="adopt_kind"):
    """Two persons record the kind of this table, opened before that was required; it does not change afterwards."""

    cards: Annotated[TableCards, Means("the kind of table: real cards, an electronic shoe, or one the program deals")]


class KindAdopted(Event, frozen=True, kw_only=True, tag="kind_adopted"):
    """It is on record what this table is, from the next shoe on."""

    cards: TableCards
    requester: str
    approver: str
    CARD = EventCard(
        sights(everybody="cards", floor="requester approver"),
        sort="other",
        short="It is on record what this table is.",
        changes_automation=True,
    )


@handles_actor(AdoptKind)
def adopt_kind(rules: TableRules, state: TableState, command: AdoptKind, actor: Actor) -> HandlerResult:
    """At a table that has never said it, by two persons, between two shoes."""
    keys = rules.edition.options["decks"].cite
    if state.cards is not UNSET:
        return refuse(rules, Reason.TWICE, "table_kind_on_record_already", *keys, cards=cards_text(state.cards))
    approver = actor.approved_by(command.name, *command.SECOND)
    if refused := refuse_unapproved(rules, command, actor, *keys, what="stating_the_kind", reason="cards"):
        return refused
    if not is_between_shoes(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "kind_is_stated_between_shoes", *keys)
    if command.cards in ELECTRONIC_CARDS and not uses_electronic_shoes(rules.rulebook):
        filed = rules.edition.options["electronic_cut"].cite
        return refuse(rules, Reason.NOT_OFFERED, "electronic_shoes_not_used", *filed)
    cites = rules.cite_text(*keys)
    return [KindAdopted(cards=command.cards, requester=actor.who, approver=approver, cites=cites)]


evolves(KindAdopted)(lambda state, event: replace(state, cards=event.cards))
tells(KindAdopted)(
    lambda x: f"From the next shoe on this table is {cards_text(x.cards)} ({x.requester}, approved by {x.approver})."
)
