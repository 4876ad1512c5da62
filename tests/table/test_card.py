"""Cards and what stands next to a step: one place for one thing, and what a field means changes nothing else."""

from __future__ import annotations

from typing import Annotated, get_args

import msgspec
import pytest

from baccarat.table.bounds import Means, Micro, PersonText, Seat, Words, meaning_of, without_meaning
from baccarat.table.card import NO_CARD
from baccarat.table.card_correction import CardCorrected
from baccarat.table.due_text import ASKERS
from baccarat.table.registry import COMMANDS, EVOLVERS
from baccarat.table.step.cutting import CutCards
from baccarat.table.step.loading import LoadShoe
from baccarat.table.step.shuffling import LaceCards
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.step_function import asks, automates, fills, tells, tells_attempt, tells_in_part

OWN = Annotated[Seat, Means("who cuts")]


def test_a_field_tells_its_own_meaning_before_that_of_its_type() -> None:
    assert meaning_of(Seat).say == "the number of a seat"
    assert meaning_of(OWN).say == "who cuts"
    assert meaning_of(int).say == meaning_of(Micro).say == ""


def test_a_type_without_its_meaning_is_the_type() -> None:
    assert without_meaning(OWN) == without_meaning(Seat)
    assert without_meaning(Annotated[Micro, Means("a sum")]) == Micro
    assert without_meaning(Annotated[Micro | None, Means("a sum")]) == Micro | None
    assert without_meaning(Annotated[int, Means("a number")]) is int
    assert Words.PERSON in get_args(without_meaning(Annotated[PersonText, Means("somebody")]))


def test_what_a_field_means_is_no_part_of_its_schema() -> None:
    for plain in (Micro, PersonText, bool):
        assert msgspec.json.schema(Annotated[plain, Means("something")]) == msgspec.json.schema(plain)
    assert msgspec.json.schema(Seat) == msgspec.json.schema(without_meaning(Seat))


def test_a_card_of_a_command_says_something() -> None:
    for kind in COMMANDS.values():
        assert "CARD" not in vars(kind) or kind.CARD != NO_CARD, kind.__name__


@pytest.mark.parametrize(
    ("register", "kind"),
    [(fills, LoadShoe), (fills, CutCards), (asks, LaceCards), (asks, CutCards), (automates, CutCards)],
)
def test_nothing_is_said_twice(register: object, kind: type) -> None:
    assert callable(register)
    with pytest.raises(AssertionError, match=kind.__name__):
        register(kind)(lambda *_: None)


def test_no_event_is_told_twice() -> None:
    event = next(iter(EVOLVERS))
    with pytest.raises(AssertionError, match=f"{event.__name__} is described twice"):
        tells(event)(lambda _: "")
    with pytest.raises(AssertionError, match="CardCorrected is described twice"):
        tells_in_part(CardCorrected, "card")(lambda _: "")
    with pytest.raises(AssertionError, match="an attempt at PlaceWager is described twice"):
        tells_attempt(PlaceWager)(lambda _: "")


def test_what_names_debts_forms_boxes_or_wagers_is_not_asked_before_everybody() -> None:
    assert {name for name in ASKERS if not COMMANDS[name].CARD.ask_is_public} == {
        "contribute", "call_no_more_bets", "press_house_money", "place_wager", "report_exception", "confirm_card",
        "report_uncollected",
        "report_lost_seed", "abandon_shoe", "seal_trigger", "receive_forms", "receive_cards", "collect_vigorish",
        "document_vigorish", "come_on",
    }  # fmt: skip
    for kind in COMMANDS.values():
        assert not (kind.CARD.ask_is_public and kind.CARD.public_ask), kind.__name__
