"""Nobody is both a participant and one of the house's people at one table (reading A-101)."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted, Command
from baccarat.table.dealers import ComeOn, GoOff
from baccarat.table.machine import Table, decide
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import StatedCards, TableCards

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", ["ma-midi-4", "nj-punto-banco"])
each_kind = pytest.mark.parametrize("cards", list(TableCards))
DORA, SPELLED, GUEST = "Dora Dealer", " dora  DEALER", "G. Uest"
PARTICIPANT = Actor(who=DORA, role=Role.PARTICIPANT)
STAFF = (Role.DEALER, Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS, Role.PIT_CLERK)


def opened(edition: str, cards: StatedCards = TableCards.REAL) -> Table:
    """A table just opened."""
    return Table(rulebook(edition), cards)


def same_person(table: Table, command: Command, actor: Actor) -> str:
    """The sentence of a refusal because the person has another capacity at this table."""
    found = table.do(command, actor)
    assert isinstance(found, Refused), (command, actor)
    assert found.code.value == "same_person"
    assert found.cites
    return found.what


@each_edition
def test_whoever_is_on_the_game_takes_no_seat_there(edition: str) -> None:
    table = opened(edition)
    assert isinstance(table.do(ComeOn(person=DORA), Actor(who="f", role=Role.FLOORPERSON)), Accepted)
    for who in (DORA, SPELLED):
        assert same_person(table, Sit(seat=1), Actor(who=who, role=Role.PARTICIPANT)) == "works_at_this_table"
        for by in (Actor(who="dealer"), Actor(who="f", role=Role.FLOORPERSON)):
            assert same_person(table, Sit(seat=1, person=who), by) == "works_at_this_table"
    assert isinstance(table.do(GoOff(person=DORA), Actor(who="f", role=Role.FLOORPERSON)), Accepted)
    assert isinstance(table.do(Sit(seat=1), PARTICIPANT), Accepted)


@each_edition
@each_kind
def test_dealer_and_floorperson_do_not_seat_themselves(edition: str, cards: TableCards) -> None:
    table = opened(edition, cards)
    for role in (Role.DEALER, Role.FLOORPERSON):
        for named in ("", DORA, SPELLED):
            found = same_person(table, Sit(seat=2, person=named), Actor(who=DORA, role=role))
            assert found == "works_at_this_table"
        assert isinstance(table.do(Sit(seat=2, person=GUEST), Actor(who=DORA, role=role)), Accepted)
        assert isinstance(table.do(Leave(seat=2), Actor(who=DORA, role=role)), Accepted)


@each_edition
def test_whoever_sits_there_does_not_come_on_the_game(edition: str) -> None:
    table = opened(edition)
    assert isinstance(table.do(Sit(seat=1), PARTICIPANT), Accepted)
    for command in (ComeOn(person=SPELLED), ComeOn(person=DORA, instead_of="dealer")):
        assert same_person(table, command, Actor(who="f", role=Role.FLOORPERSON)) == "sits_at_this_table"
    assert same_person(table, ComeOn(), Actor(who=DORA)) == "sits_at_this_table"
    assert isinstance(table.do(Leave(seat=1), PARTICIPANT), Accepted)
    assert isinstance(table.do(ComeOn(person=DORA), Actor(who="f", role=Role.FLOORPERSON)), Accepted)


@each_edition
@each_kind
@pytest.mark.parametrize("role", STAFF)
def test_whoever_sits_there_neither_does_nor_approves_the_houses_work(
    edition: str, cards: TableCards, role: Role
) -> None:
    table, away = opened(edition, cards), AbandonShoe(reason="the count favours me")
    assert isinstance(table.do(Sit(seat=1), PARTICIPANT), Accepted)
    assert isinstance(table.do(BuyIn(seat=1, amount=100_000), Actor(who="d")), Accepted)
    tried = {kind: Actor(who=SPELLED, role=role) for kind in (BuyIn(seat=1, amount=500), away) if role in kind.ROLES}
    for command, actor in tried.items():
        assert same_person(table, command, actor) == "sits_at_this_table"
    by = Actor(who="f", role=Role.FLOORPERSON, approvals=(Approval(who=SPELLED, role=role, what="abandon_shoe"),))
    assert same_person(table, away, by) == "sits_at_this_table"
    if role in Leave.ROLES:  # but he is never stuck in his chair
        assert isinstance(table.do(Leave(seat=1), Actor(who=DORA, role=role)), Accepted)


@each_edition
@pytest.mark.parametrize("role", [Role.DEALER, Role.FLOORPERSON])
def test_who_sits_at_a_table_does_not_say_there_that_another_has_left(edition: str, role: Role) -> None:
    """A floorperson with a seat sent home who was offered the cut before her, and whoever had wagered against her."""
    table = opened(edition)
    for seat, who in ((1, DORA), (2, GUEST)):
        assert isinstance(table.do(Sit(seat=seat), Actor(who=who, role=Role.PARTICIPANT)), Accepted)
    gone = Leave(seat=2)
    for who in (DORA, SPELLED):
        assert same_person(table, gone, Actor(who=who, role=role)) == "sits_at_this_table"
        before = decide(table.rules, table.state, gone, Actor(who=who, role=role), behaviour=2)
        assert isinstance(before, Accepted)
    assert isinstance(table.do(gone, Actor(who="f", role=role)), Accepted)
    assert isinstance(table.do(Leave(seat=1), Actor(who=SPELLED, role=role)), Accepted), "his own seat"


def test_a_table_of_an_older_journal_does_as_it_did() -> None:
    table = opened("ma-midi-4", UNSET)
    assert isinstance(table.do(Sit(seat=1), Actor(who=DORA, role=Role.FLOORPERSON)), Accepted)
    assert isinstance(table.do(ComeOn(person=DORA), Actor(who=DORA, role=Role.FLOORPERSON)), Accepted)
    assert isinstance(table.do(BuyIn(seat=1, amount=500), Actor(who=DORA)), Accepted)
    wager = table.do(PlaceWager(seat=1, on=WagerKind.TIE, stake=500), PARTICIPANT)
    assert isinstance(wager, Refused)
    assert wager.code.value == "wrong_step"
