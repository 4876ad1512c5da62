"""Sentences for those who may not see everything: what a viewer does not see changes no sentence that he is told."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.hand import PLAYER_SIDE
from baccarat.serve.automation.timer import TIME_IS_OVER
from baccarat.serve.watch.sentence import sentence
from baccarat.table.actor import Origin
from baccarat.table.base import Event
from baccarat.table.card_correction import CardCorrected
from baccarat.table.payment_correction import PaymentCorrected
from baccarat.table.registry import EVENT_SHOWN, EVOLVERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import BoughtIn, Left, Sat
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.curating import ShoeAnswered, ShoePassed
from baccarat.table.step.cutting import CutAnswered, CutGivenUp
from baccarat.table.step.relinquishing import TurnAnswered, TurnFellToDealer, TurnRelinquished
from baccarat.table.step_function import TELL_OF_CLOCK
from baccarat.table.story import tell
from baccarat.table.view import Viewer

PUBLIC, OTHER, OWN = Viewer(Role.PUBLIC), Viewer(Role.PARTICIPANT, 3), Viewer(Role.PARTICIPANT, 5)


@pytest.mark.parametrize(
    "event",
    [Sat(seat=5, who="person-7"), BoughtIn(seat=5, amount=765_400), Left(seat=5, chips=765_400)],
    ids=lambda event: type(event).__name__,
)
def test_another_is_told_without_what_is_ones_own(event: Event) -> None:
    assert sentence(event, OWN) == tell(event)
    for viewer in (PUBLIC, OTHER):
        said = sentence(event, viewer)
        assert "7" not in said
        assert "person" not in said
    assert "seat 5" in sentence(event, OTHER).lower()


@pytest.mark.parametrize("kind", EVOLVERS, ids=lambda kind: kind.__name__)
def test_every_event_that_somebody_is_shown_in_part_can_be_told_in_part(kind: type[Event]) -> None:
    """No hidden field without a default may stand in a sentence: there is one that does without."""
    tag = str(kind.__struct_config__.tag)
    shown = EVENT_SHOWN[tag]
    required = {field.name for field in msgspec.structs.fields(kind) if field.required}
    for role in Role:
        if role not in shown.to:
            continue
        hidden = {name for name in required if name not in shown.fields or role not in shown.fields[name].roles}
        if hidden and role in shown.to.roles:
            assert kind.CARD.short, f"{tag}: {role.value} does not see {hidden}"


def test_a_hidden_reason_changes_nothing_in_the_sentence() -> None:
    made = PaymentCorrected(seat=5, amount=100, corrects=3, reason="dealer slipped", requester="p-1", approver="p-2")
    others = replace(made, amount=999, corrects=8, reason="another", requester="p-8", approver="p-9")
    assert sentence(made, OTHER) == sentence(others, OTHER)
    assert sentence(made, Viewer(Role.SURVEILLANCE)) == tell(made)


def test_the_dealer_is_told_the_sum_and_the_card_of_a_correction_and_not_who_asked_for_it_or_why() -> None:
    dealer = Viewer(Role.DEALER)
    by: dict[str, Any] = {"corrects": 3, "reason": "slipped", "requester": "p-1", "approver": "p-2"}
    more, less = PaymentCorrected(seat=5, amount=26_00, **by), PaymentCorrected(seat=5, amount=-5_00, **by)
    assert sentence(more, dealer) == "A payment to seat 5 is corrected: $26.00 more is paid."
    assert sentence(less, dealer) == "A payment to seat 5 is corrected: $5.00 is taken back."
    assert sentence(more, OTHER) == "A payment to seat 5 is corrected."
    card = CardCorrected(position=4, was=Card.parse("4s"), card=Card.parse("3s"), **by)
    assert sentence(card, dealer) == "Card 5 is corrected: it was keyed as the 4 of spades and is the 3 of spades."


BY_THE_CLOCK: list[Event] = [
    CutAnswered(seat=5, accept=False),
    CutGivenUp(seat=5),
    ShoeAnswered(seat=5, accept=False),
    ShoePassed(seat=5, reason=TIME_IS_OVER, ordered=True),
    TurnRelinquished(seat=5, side=PLAYER_SIDE, reason=TIME_IS_OVER),
    TurnAnswered(seat=5, side=PLAYER_SIDE, accept=False),
]


@pytest.mark.parametrize("event", BY_THE_CLOCK, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize(
    "viewer", [PUBLIC, OTHER, OWN, Viewer(Role.SURVEILLANCE)], ids=lambda viewer: viewer.role.value
)
def test_what_the_clock_has_brought_is_not_told_as_if_the_person_had_done_it(event: Event, viewer: Viewer) -> None:
    said = sentence(event, viewer, Origin.CLOCK)
    assert "seat 5" in said.lower()
    assert "in time" in said
    assert not any(word in said for word in ("declines", "gives up", "by order"))
    assert sentence(event, viewer, Origin.PERSON) == sentence(event, viewer)
    assert "in time" not in sentence(event, viewer)


def test_every_act_that_the_clock_may_bring_has_words_of_its_own() -> None:
    told = {type(event) for event in (*BY_THE_CLOCK, TurnFellToDealer(side=PLAYER_SIDE))} | {NoMoreBetsCalled}
    assert told == set(TELL_OF_CLOCK)
    called = NoMoreBetsCalled(say="No more bets.")
    assert sentence(called, PUBLIC, Origin.CLOCK) == "The time for wagers is over: the clock calls “No more bets.”."
    assert sentence(called, PUBLIC) == "The dealer calls “No more bets.”."
