"""Views: every field is classified; a participant sees his own and the felt; hidden cards are nowhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.wager import WagerKind
from baccarat.table import state as parts
from baccarat.table.audience import STATE_SHOWN
from baccarat.table.automation import command_for, next_due
from baccarat.table.base import Accepted
from baccarat.table.machine import Table
from baccarat.table.registry import EVENT_SHOWN, EVOLVERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Left, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.state import TableState
from baccarat.table.step.turning import TurnCard
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.view import SeatView, Viewer, view, view_event, view_type
from house_books import stacks
from table_walk import stack
from triggers import FirstWager

PEOPLE = {1: ("person-one-7c1f", 10_000_019), 3: ("person-three-93ab", 20_000_033), 5: ("person-five-e07d", 30_000_057)}
VIEWERS = [Viewer(role) for role in Role if role is not Role.PARTICIPANT] + [
    Viewer(Role.PARTICIPANT, seat) for seat in (0, 1, 2, 3, 5)
]


def structs_in(kind: Any) -> Iterator[type[msgspec.Struct]]:
    """The struct types that a type speaks of."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
    for inner in get_args(kind):
        yield from structs_in(inner)


def parts_of(kind: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    """A struct type and all that it holds."""
    found, left = set[type[msgspec.Struct]](), [kind]
    while left:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += [inner for field in msgspec.structs.fields(each) for inner in structs_in(field.type)]
    return found


# ------------------------------------------------------------------------------------- the list is whole


def test_every_field_of_the_state_is_classified_and_nothing_else() -> None:
    kinds = {kind.__name__: kind for kind in parts_of(TableState) if kind is not Card}
    assert set(kinds) == set(STATE_SHOWN)
    for name, kind in kinds.items():
        fields = {field.name for field in msgspec.structs.fields(kind)}
        assert set(STATE_SHOWN[name].fields) == fields, name


def test_every_event_and_every_field_of_it_is_classified_and_nothing_else() -> None:
    tags = {kind.__struct_config__.tag: kind for kind in EVOLVERS}
    assert set(tags) == set(EVENT_SHOWN)
    for tag, kind in tags.items():
        fields = {field.name for field in msgspec.structs.fields(kind)}
        assert set(EVENT_SHOWN[str(tag)].fields) == fields, tag


def test_an_unclassified_field_is_shown_to_nobody() -> None:
    strange: Any = msgspec.defstruct("Strange", [("secret", str, "x")], tag="strange", tag_field="event")
    for viewer in VIEWERS:
        assert view_event(strange(), viewer) is None
    for name in STATE_SHOWN:
        kind = getattr(parts, name, None)
        for role in Role if kind is not None else ():
            assert set(view_type(kind, role).__struct_fields__) <= set(STATE_SHOWN[name].fields)


def test_surveillance_and_the_regulator_see_all_there_is_but_the_cites_within() -> None:
    for role in (Role.SURVEILLANCE, Role.REGULATOR):
        for kind in EVOLVERS:
            assert set(view_type(kind, role).__struct_fields__) == {f.name for f in msgspec.structs.fields(kind)}
        for part in ("TableState", "Seats", "Shoe", "Round", "Money", "Meters"):
            kind = getattr(parts, part)
            assert set(view_type(kind, role).__struct_fields__) == {f.name for f in msgspec.structs.fields(kind)}


def test_the_public_sees_nothing_that_a_participant_does_not() -> None:
    for shown in (*STATE_SHOWN.values(), *EVENT_SHOWN.values()):
        for name, sight in shown.fields.items():
            assert Role.PUBLIC not in sight or Role.PARTICIPANT in sight, name


PERSONS = {"who", "requester", "approver", "patron", "instead_of", "pit_boss", "pit_clerk", "dealers", "shuffled_by"}
"""Fields that say who somebody is."""
PRIVATE = {
    ("Participant", "chips"), ("Money", "payable"), ("Money", "markers"), ("bought_in", "amount"), ("left", "chips"),
    ("vigorish_collected", "amount"), ("payment_corrected", "amount"), ("exception_reported", "amount"),
    ("vigorish_documented", "form"),
}  # fmt: skip
"""Sums that lie in nobody's sight but their owner's and the house's."""
HOUSES_OWN = {
    "bank", "receivables", "vigorish_earned", "complimentary", "reserve", "contributed", "seeded", "elsewhere",
    "from_reserve", "forms", "void_forms", "missing_forms", "next_form", "last_form", "serial", "first",
}  # fmt: skip
"""Money and papers of the house."""


def test_who_somebody_is_and_what_is_his_is_nobody_elses_to_see() -> None:
    for name, shown in {**STATE_SHOWN, **EVENT_SHOWN}.items():
        for field, sight in shown.fields.items():
            if field in PERSONS and (name, field) != ("wager_confirmed", "who"):  # which is a role, not a person
                assert Role.PARTICIPANT not in sight.roles, (name, field)
            if (name, field) in PRIVATE:
                assert sight.own, (name, field)
                assert not {Role.PARTICIPANT, Role.PUBLIC} & sight.roles, (name, field)
            if field in HOUSES_OWN:
                assert not sight.own, (name, field)
                assert not {Role.PARTICIPANT, Role.PUBLIC, Role.DEALER} & sight.roles, (name, field)
            if field == "reason":
                assert not {Role.PARTICIPANT, Role.PUBLIC, Role.DEALER} & sight.roles, (name, field)


def test_a_participant_who_leaves_tells_his_chips_to_nobody_but_the_staff() -> None:
    event = Left(seat=3, chips=777)
    seen = {viewer: view_event(event, viewer) for viewer in VIEWERS}
    knows = {viewer for viewer, each in seen.items() if getattr(each, "chips", None) == 777}
    staff = {Role.DEALER, Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS, Role.PIT_CLERK}
    assert knows == {Viewer(Role.PARTICIPANT, 3)} | {
        Viewer(role) for role in (*staff, Role.SURVEILLANCE, Role.REGULATOR)
    }
    assert all(each is not None and each.seat == 3 for each in seen.values()), "that the seat is free is seen by all"
    assert as_text(seen[Viewer(Role.PARTICIPANT, 1)]) == '{"event":"left","cites":[],"seat":3}'


# ------------------------------------------------------------------------------------------- a table played


def played(rules: Rulebook, source: KeyedCards, acts: int, *, cashless: bool = False) -> Iterator[tuple[Table, Any]]:
    """A table with three people, act by act; each act about to be done."""
    table, chance = Table(rules), random.Random(7)
    for seat, (who, chips) in PEOPLE.items():
        table.do(Sit(seat=seat, person=who))
        if not cashless:
            table.do(BuyIn(seat=seat, amount=chips))
    for _ in range(acts):
        if table.state.step == "wager" and not table.state.round.wagers:
            for seat in table.state.occupied:
                table.do(PlaceWager(seat=seat, on=chance.choice((WagerKind.PLAYER, WagerKind.BANKER)), stake=10_300))
                table.do(PlaceWager(seat=seat, on=WagerKind.ROYAL9, stake=500))
        command = command_for(table, next_due(table, source), source)
        yield table, command
        assert isinstance(table.do(command), Accepted)


def as_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("name", ["ma-midi-4-royal9", "nj-punto-banco"])
def test_a_participant_sees_his_own_and_never_anothers(name: str) -> None:
    rules = rulebook(name)
    for table, _ in played(rules, stacks(rules, name), 300):
        for seat, (who, _chips) in PEOPLE.items():
            seen = as_text(view(rules, table.state, Viewer(Role.PARTICIPANT, seat)))
            person = table.state.at(seat)
            assert person is not None
            assert who in seen
            assert f'"chips":{person.chips}' in seen
            for other, (stranger, _) in PEOPLE.items():
                there = table.state.at(other)
                if other != seat and there is not None:
                    assert stranger not in seen
                    assert there.chips == person.chips or f'"chips":{there.chips}' not in seen
        public = as_text(view(rules, table.state, Viewer(Role.PUBLIC)))
        assert '"chips"' not in public
        assert '"wagers"' not in public
        assert not any(who in public for who, _ in PEOPLE.values())
    for event in table.log:
        for seat, (who, _) in PEOPLE.items():
            for other in PEOPLE:
                shown = as_text(view_event(event, Viewer(Role.PARTICIPANT, other)))
                assert other == seat or who not in shown
            if type(event).__name__ == "BoughtIn":
                amounts = [
                    getattr(view_event(event, Viewer(Role.PARTICIPANT, each)), "amount", None) for each in PEOPLE
                ]
                assert sum(isinstance(each, int) for each in amounts) == 1
                assert view_event(event, Viewer(Role.PUBLIC)) is None


@pytest.mark.slow
def test_debts_and_winnings_are_seen_by_their_owner_and_the_house() -> None:
    rules = rulebook("ma-midi-4", vig_collection="deferred")
    for table, _ in played(rules, stacks(rules, "debts"), 1_200):
        markers = table.state.money.markers
        for seat in PEOPLE:
            seen = view(rules, table.state, Viewer(Role.PARTICIPANT, seat)).state.money
            assert seen.markers == {each: owed for each, owed in markers.items() if each == seat}
            assert seen.payable == {each: owed for each, owed in table.state.money.payable.items() if each == seat}
            assert not hasattr(seen, "bank")
        for role in (Role.DEALER, Role.PIT_CLERK, Role.SURVEILLANCE, Role.CAGE_CASHIER):
            assert view(rules, table.state, Viewer(role)).state.money.markers == markers
        cashier = view(rules, table.state, Viewer(Role.CAGE_CASHIER)).state
        assert cashier.money.bank == table.state.money.bank
        assert not hasattr(cashier.money, "payable")
        assert not hasattr(view(rules, table.state, Viewer(Role.DEALER)).state.money, "bank")
    assert markers


def test_who_is_told_what_is_due() -> None:
    rules = rulebook("ma-midi-4")
    for table, _ in played(rules, stacks(rules, "due"), 150):
        asked = table.expected
        for role in (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.REGULATOR, Role.PIT_CLERK):
            assert view(rules, table.state, Viewer(role)).due == asked
        for seat in PEOPLE:
            mine = view(rules, table.state, Viewer(Role.PARTICIPANT, seat)).due
            assert all(due.by is Role.PARTICIPANT and due.seat in (0, seat) for due in mine)
        for role in (Role.PUBLIC, Role.CAGE_CASHIER, Role.ADMINISTRATOR):
            assert view(rules, table.state, Viewer(role)).due == ()


def test_nobody_but_a_participant_looks_from_a_seat() -> None:
    for role, seat in ((Role.PARTICIPANT, -1), (Role.DEALER, 1), (Role.PUBLIC, 3)):
        with pytest.raises(AssertionError, match="has a seat"):
            Viewer(role, seat)
    rules = rulebook("ma-midi-4")
    seats = view(rules, Table(rules).state, Viewer(Role.DEALER)).state.seats.participants
    assert seats[0] == SeatView(seat=1, taken=False)


@pytest.mark.parametrize("name", ["ma-midi-4-royal9", "nj-punto-banco"])
def test_a_participant_who_has_not_sat_down_sees_the_felt_and_nothing_of_anybody(name: str) -> None:
    rules, standing = rulebook(name), Viewer(Role.PARTICIPANT)
    for table, _ in played(rules, stacks(rules, name), 200):
        seen = view(rules, table.state, standing)
        assert seen.state.round.wagers == view(rules, table.state, Viewer(Role.PARTICIPANT, 1)).state.round.wagers
        assert (seen.state.money.payable, seen.state.money.markers, seen.due) == ({}, {}, ())
        assert not any(who in as_text(seen) for who, _ in PEOPLE.values())
        assert '"chips"' not in as_text(seen)
    for event in table.log:
        shown = as_text(view_event(event, standing))
        assert not any(who in shown for who, _ in PEOPLE.values())


# -------------------------------------------------------------------------------------------- hidden cards


def until_turn(rules: Rulebook, cards: tuple[Card, ...], turns: int) -> tuple[Table, list[int]]:
    """A table before its next turn of a card, after so many; the positions turned so far."""
    turned: list[int] = []
    for table, command in played(rules, KeyedCards(lambda _number: cards, triggers=FirstWager(rules)), 10**6):
        if isinstance(command, TurnCard):
            if len(turned) == turns:
                return table, turned
            turned.append(command.position)
    raise AssertionError("a table is always played on")


@pytest.mark.parametrize("name", shipped_submissions())
@pytest.mark.slow
def test_d1_two_shoes_that_differ_in_cards_not_turned_look_alike_to_every_role(name: str) -> None:
    rules = rulebook(name)
    first = stack(11, rules.elections.decks or 8)
    for turns in (0, 9, 40):
        one, known = until_turn(rules, first, turns)
        cut = one.state.shoe.in_front or 0
        fixed = {(position + cut) % len(first) for position in known}
        rest = [card for index, card in enumerate(first) if index not in fixed]
        random.Random(turns).shuffle(rest)
        second = tuple(card if index in fixed else rest.pop() for index, card in enumerate(first))
        two, also = until_turn(rules, second, turns)
        assert (known, first != second) == (also, True)
        for viewer in VIEWERS:
            assert as_text(view(rules, one.state, viewer)) == as_text(view(rules, two.state, viewer))
            events = [[as_text(view_event(event, viewer)) for event in table.log] for table in (one, two)]
            assert events[0] == events[1]
