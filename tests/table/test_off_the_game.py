"""A dealer who is off the game does no dealer's work at that table, and approves none (reading A-101)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted, Command, table_rules
from baccarat.table.card_correction import CorrectCard
from baccarat.table.console.console_work import CommandPreview, outlook, work_of
from baccarat.table.dealers import ComeOn, GoOff
from baccarat.table.machine import BEHAVIOUR, Table, decide
from baccarat.table.owed import dues
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave
from baccarat.table.step.clearing import ClearTable
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.settlement import Paid
from baccarat.table.table_cards import StatedCards, TableCards
from correction_scenes import keyed
from strategies import EDITIONS
from table_driver import Game, new_game, seated

Persons = Callable[[str, Command], Actor]
each_edition = pytest.mark.parametrize("edition", EDITIONS)
BANKER_WINS, REST = "7S 9D TH KC", "2C 3C 4C 5C 6C 7C 8C 9C"
ON, SPELLED, OFF, FLOOR = "D. Ora", " d.  ORA", "D. Off", "F. Loor"


def owing(edition: str, cards: StatedCards = TableCards.REAL, *, on: str = ON) -> tuple[Game, CorrectPayment]:
    """A table where one dealer has come on, a card was corrected, and what that changes is owed."""
    game = new_game(edition, f"{BANKER_WINS} {REST}")
    game.table = Table(game.rules, cards)
    seated(game, (1, 3, 5))
    if on:
        game.do(ComeOn(person=on, instead_of="dealer"), by=Role.FLOORPERSON, who=FLOOR)
    game.go("wager").wager("1 b 10000").go("settle")
    while game.step == "settle":
        game.act()
    place = game.state.round.banker[0]
    fixed = CorrectCard(corrects=keyed(game, place), position=place, card=Card.parse("7D"), reason="a seven")
    game.do(fixed, who=game.state.seats.dealers[0], second=FLOOR)
    number = max(at for at, event in enumerate(game.table.log) if isinstance(event, Paid))
    due = dues(table_rules(game.rules), game.state)[1]
    return game, CorrectPayment(corrects=number, seat=1, amount=due, reason="by the cards")


def persons(who: str, role: Role, second: str, second_role: Role, command: Command) -> Actor:
    """Somebody, and a second person who approves this command."""
    return Actor(who=who, role=role, approvals=(Approval(who=second, role=second_role, what=command.name),))


def by_dealer(who: str, command: Command) -> Actor:
    """A dealer asks, the floorperson approves."""
    return persons(who, Role.DEALER, FLOOR, Role.FLOORPERSON, command)


def by_floor(who: str, command: Command) -> Actor:
    """The floorperson asks, a dealer approves."""
    return persons(FLOOR, Role.FLOORPERSON, who, Role.DEALER, command)


def is_off(game: Game, command: Command, actor: Actor) -> None:
    """The command is refused because this dealer is off the game, and the refusal names the person."""
    found = game.table.do(command, actor)
    assert isinstance(found, Refused), (command, actor)
    assert (found.code.value, found.what) == ("not_entitled", "not_on_the_game")
    assert found.params["who"] == OFF
    assert found.cites


@each_edition
@pytest.mark.parametrize("actor", [by_dealer, by_floor])
def test_a_dealer_who_is_off_the_game_corrects_no_payment_and_approves_none(edition: str, actor: Persons) -> None:
    for who in (ON, SPELLED):
        game, fixed = owing(edition)
        is_off(game, fixed, actor(OFF, fixed))
        assert isinstance(game.table.do(fixed, actor(who, fixed)), Accepted)


@each_edition
def test_nor_does_one_who_has_gone_off(edition: str) -> None:
    game, fixed = owing(edition, on=OFF)
    game.do(ComeOn(person=ON), by=Role.FLOORPERSON, who=FLOOR)
    game.do(GoOff(person=OFF), by=Role.FLOORPERSON, who=FLOOR)
    is_off(game, fixed, by_dealer(OFF, fixed))
    is_off(game, fixed, by_floor(OFF, fixed))
    assert isinstance(game.table.do(fixed, by_dealer(ON, fixed)), Accepted)


@each_edition
def test_nor_does_such_a_dealer_anything_else_but_come_on(edition: str) -> None:
    game, _fixed = owing(edition)
    for command in (BuyIn(seat=3, amount=500), Leave(seat=3)):
        is_off(game, command, Actor(who=OFF))
    place = game.state.round.banker[0]
    again = CorrectCard(corrects=keyed(game, place), position=place, card=Card.parse("8D"), reason="an eight")
    is_off(game, again, by_dealer(OFF, again))
    is_off(game, GoOff(), Actor(who=OFF))
    assert isinstance(game.table.do(ComeOn(), Actor(who=OFF)), Accepted)
    assert isinstance(game.table.do(BuyIn(seat=3, amount=500), Actor(who=OFF)), Accepted)


@each_edition
def test_where_nobody_has_come_on_a_dealer_who_acts_is_taken_to_deal(edition: str) -> None:
    game, fixed = owing(edition, on="")
    if len(game.state.seats.dealers) > 1:  # enough of them had to shuffle
        is_off(game, fixed, by_dealer(OFF, fixed))
    else:
        assert isinstance(game.table.do(fixed, by_dealer(OFF, fixed)), Accepted)


@each_edition
@pytest.mark.parametrize("version", range(1, BEHAVIOUR + 1))
def test_older_versions_did_not_ask_who_was_on_the_game(edition: str, version: int) -> None:
    game, fixed = owing(edition)
    for actor in (by_dealer(OFF, fixed), by_floor(OFF, fixed)):
        found = decide(game.rules, game.state, fixed, actor, game.table.event_at, behaviour=version)
        assert isinstance(found, Refused if version >= 3 else Accepted)


def test_nor_does_a_table_that_does_not_say_what_it_is() -> None:
    game, fixed = owing("ma-midi-4", UNSET)
    assert isinstance(game.table.do(fixed, by_dealer(OFF, fixed)), Accepted)


@pytest.mark.parametrize("actor", [by_dealer, by_floor])
def test_at_an_automated_table_nobody_is_on_the_game(actor: Persons) -> None:
    """An old table, whose dealers had names, became automated: what is left to people there is any dealer's."""
    game, fixed = owing("ma-midi-4")
    state = replace(game.state, cards=TableCards.AUTOMATED)
    found = decide(game.rules, state, fixed, actor(OFF, fixed), game.table.event_at)
    assert isinstance(found, Accepted), found


@each_edition
def test_a_preview_assumes_that_the_dealer_who_will_approve_is_on_the_game(edition: str) -> None:
    game, fixed = owing(edition)
    floor = Actor(who=FLOOR, role=Role.FLOORPERSON)
    assert isinstance(outlook(game.rules, game.state, fixed, floor, game.table.event_at), CommandPreview)
    found = outlook(game.rules, game.state, fixed, by_floor(OFF, fixed), game.table.event_at)
    assert isinstance(found, Refused)


@each_edition
def test_a_console_shows_the_settlement_where_a_dealer_has_come_on(edition: str) -> None:
    game = new_game(edition, f"{BANKER_WINS} {REST}")
    game.table = Table(game.rules, TableCards.REAL)
    seated(game, (1, 3, 5))
    game.do(ComeOn(person=ON, instead_of="dealer"), by=Role.FLOORPERSON, who=FLOOR)
    game.go("wager").wager("1 b 10000").go("announce")
    shown = work_of(game.rules, game.state, Actor(who=ON), game.table.event_at, game.table.count)
    assert shown.settlement


# ------------------------------------------------------------------------- who is on the game is nobody else there


def is_dealer_alone(game: Game, command: Command, actor: Actor) -> None:
    """The command is refused because one of its persons deals at this table."""
    found = game.table.do(command, actor)
    assert isinstance(found, Refused), (command, actor)
    assert (found.code.value, found.what) == ("same_person", "deals_at_this_table")
    assert found.cites


@each_edition
@pytest.mark.parametrize("who", [ON, SPELLED])
def test_a_dealer_on_the_game_is_not_its_floorperson_too(edition: str, who: str) -> None:
    """Two dealers corrected what they had dealt: one of them signed on as the floorperson."""
    game, fixed = owing(edition)
    second = "D. Second"
    game.do(ComeOn(person=second), by=Role.FLOORPERSON, who=FLOOR)
    for actor in (
        persons(who, Role.FLOORPERSON, second, Role.DEALER, fixed),
        persons(second, Role.DEALER, who, Role.FLOORPERSON, fixed),
    ):
        is_dealer_alone(game, fixed, actor)
        before = decide(game.rules, game.state, fixed, actor, game.table.event_at, behaviour=2)
        assert isinstance(before, Accepted)
    alone = ComeOn(person="somebody")
    is_dealer_alone(game, alone, Actor(who=who, role=Role.FLOORPERSON))
    game.do(GoOff(person=ON), by=Role.FLOORPERSON, who=FLOOR)
    for actor in (
        persons(who, Role.FLOORPERSON, second, Role.DEALER, fixed),
        persons(second, Role.DEALER, who, Role.FLOORPERSON, fixed),
    ):
        found = game.table.do(fixed, actor)
        assert isinstance(found, Refused)
        assert (found.code.value, found.what) == ("same_person", "dealt_in_this_round"), "he was relieved to approve it"
        assert isinstance(decide(game.rules, game.state, fixed, actor, game.table.event_at, behaviour=2), Accepted)
    assert isinstance(game.table.do(fixed, persons(second, Role.DEALER, FLOOR, Role.FLOORPERSON, fixed)), Accepted)
    game.do(ClearTable(), who=second)
    after = Actor(who=who, role=Role.FLOORPERSON)
    assert isinstance(game.table.do(alone, after), Accepted), "one capacity at a time"


@each_edition
def test_a_dealer_who_was_relieved_before_the_wagers_were_frozen_has_dealt_nothing(edition: str) -> None:
    game = new_game(edition, f"{BANKER_WINS} {REST}")
    game.table = Table(game.rules, TableCards.REAL)
    seated(game, (1, 3, 5))
    game.do(ComeOn(person=ON, instead_of="dealer"), by=Role.FLOORPERSON, who=FLOOR)
    game.go("wager").do(ComeOn(person=OFF, instead_of=ON), who=OFF)
    found = game.table.do(ComeOn(person="somebody"), Actor(who=ON, role=Role.FLOORPERSON))
    assert isinstance(found, Accepted)


@each_edition
def test_who_deals_is_asked_although_everybody_has_gone_off_again(edition: str) -> None:
    """A dealer came on and went off; then anybody dealt without coming on, and was floorperson in the same round."""
    table = Table(new_game(edition).rules, TableCards.REAL)
    arrival = ReceiveCards(set_id="set 1", decks=8)
    assert isinstance(table.do(ComeOn(person=ON), Actor(who=ON)), Accepted)
    assert isinstance(table.do(GoOff(), Actor(who=ON)), Accepted)
    assert table.state.seats.dealers == ("dealer",)
    found = table.do(arrival, Actor(who=OFF))
    assert isinstance(found, Refused)
    assert (found.code.value, found.what) == ("not_entitled", "not_on_the_game")
    assert isinstance(table.do(ComeOn(), Actor(who=OFF)), Accepted)
    assert isinstance(table.do(arrival, Actor(who=OFF)), Accepted)
