"""What a viewer may not see changes nothing in what he is sent: not a byte, not the length, not how many frames."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.audience import STATE_SHOWN
from baccarat.table.automation import command_for, next_due
from baccarat.table.base import Accepted, Command
from baccarat.table.dealers import ComeOn
from baccarat.table.machine import Table
from baccarat.table.patch import changed_hands
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import CardSource, KeyedCards, SealedShoe
from baccarat.table.step.turning import TurnCard
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from baccarat.table.view import Viewer
from house_books import stacks
from table_walk import stack
from triggers import FirstWager, sealed_triggers
from watching import EVERYBODY, Watchers

Company = Callable[[Table], None]
CHIPS = {1: 1_000_003, 3: 2_000_003, 6: 3_000_003}


def seated(table: Table, *, names: str = "person", chips: int = 0) -> None:
    """Three people with chips."""
    for seat, amount in CHIPS.items():
        table.do(Sit(seat=seat, person=f"{names} {seat}"))
        table.do(BuyIn(seat=seat, amount=amount + chips))


def even_wagers(table: Table) -> None:
    """Everybody wagers the same in every round."""
    for seat in table.state.occupied:
        table.do(PlaceWager(seat=seat, on=WagerKind.PLAYER if seat % 2 else WagerKind.BANKER, stake=10_000))


def played(table: Table, source: CardSource, company: Company = even_wagers) -> Iterator[Command]:
    """A table that is played on and on; each command about to be done."""
    while True:
        if table.state.step == "wager" and not table.state.round.wagers:
            company(table)
        command = command_for(table, next_due(table, source), source)
        yield command
        assert isinstance(table.do(command), Accepted)


class Watched(Table):
    """A table with an audience."""

    def __init__(self, rules: Rulebook) -> None:
        super().__init__(rules)
        self.watchers = Watchers(rules, self.state, compare_every=10**9)

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command; the watchers are sent what it changed."""
        outcome = super().do(command, actor)
        if isinstance(outcome, Accepted):
            self.watchers.publish(self.rules, self.state, outcome.events)
        return outcome


def until_turn(rules: Rulebook, source: CardSource, turns: int) -> tuple[Watched, list[int]]:
    """A table before its next turn of a card, after so many; the positions turned so far."""
    table, turned = Watched(rules), list[int]()
    seated(table)
    for command in played(table, source):
        if isinstance(command, TurnCard):
            if len(turned) == turns:
                break
            turned.append(command.position)
    return table, turned


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_d1_shoes_that_differ_in_cards_not_turned_give_every_role_the_same_frames(name: str) -> None:
    rules = rulebook(name)
    first = stack(5, rules.elections.decks or 8)

    def keyed(cards: tuple[Card, ...]) -> CardSource:
        return KeyedCards(lambda _number: cards, triggers=FirstWager(rules))

    for turns in (0, 11):
        one, known = until_turn(rules, keyed(first), turns)
        fixed = {(position + (one.state.shoe.in_front or 0)) % len(first) for position in known}
        rest = [card for index, card in enumerate(first) if index not in fixed]
        random.Random(turns).shuffle(rest)
        second = tuple(card if index in fixed else rest.pop() for index, card in enumerate(first))
        two, also = until_turn(rules, keyed(second), turns)
        assert (known, first != second) == (also, True)
        assert one.watchers.frames == two.watchers.frames
        assert all(one.watchers.frames[viewer] for viewer in EVERYBODY)


HEX = re.compile(rb"[0-9a-f]{64}")


@pytest.mark.parametrize("name", ["ma-midi-4-royal9", "nj-punto-banco"])
def test_d1_seeds_and_triggers_show_in_commitments_only(name: str) -> None:
    """Electronic shoes of two seeds, with other triggers: the same frames but for the 64 digits of a commitment."""
    rules = rulebook(name)

    def source(seed: int) -> CardSource:
        triggers = sealed_triggers(rules, seed)
        return SealedShoe(rules, lambda _number: bytes([seed]) * 32, table="table", triggers=triggers)

    frames = [until_turn(rules, source(seed), 0)[0].watchers.frames for seed in (1, 2)]
    for viewer in EVERYBODY:
        one, two = ([HEX.sub(b"", each) for each in sent[viewer]] for sent in frames)
        assert one == two
        assert list(map(len, frames[0][viewer])) == list(map(len, frames[1][viewer]))
        assert frames[0][viewer] != frames[1][viewer], "the commitments themselves are published"


def rounds(table: Watched, source: CardSource, company: Company, *, until: int) -> Watched:
    """Some rounds."""
    for _ in played(table, source, company):
        if table.state.round.number == until:
            break
    return table


def test_the_public_is_sent_the_same_whoever_sits_there_and_whatever_they_stake() -> None:
    rules = rulebook("ma-midi-4")

    def modest(table: Table) -> None:
        """Who wagers most on a hand turns its cards, and whether there is anything to settle: that all may see."""
        table.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2_500))
        table.do(PlaceWager(seat=1, on=WagerKind.TIE, stake=2_500))
        table.do(PlaceWager(seat=6, on=WagerKind.BANKER, stake=2_500))

    def restless(table: Table) -> None:
        """Others wager, change their minds, are refused, buy in again; dealers come and go."""
        table.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=40_000))
        table.do(PlaceWager(seat=6, on=WagerKind.BANKER, stake=50_000))
        table.do(PlaceWager(seat=3, on=WagerKind.PLAYER, stake=10_000))
        for seat in (1, 3, 6):
            table.do(PlaceWager(seat=seat, on=WagerKind.TIE, stake=2_500))
            table.do(PlaceWager(seat=seat, on=WagerKind.TIE, stake=-1))
        table.do(WithdrawWager(seat=3, on=WagerKind.TIE))
        table.do(BuyIn(seat=6, amount=5_000))
        table.do(ComeOn(person=f"dealer {table.state.round.number}", instead_of=table.state.seats.dealers[0]))

    tables = []
    for names, company in (("ann", modest), ("zacharias", restless)):
        table = Watched(rules)
        seated(table, names=names, chips=len(names) * 1_000_000)
        tables.append(rounds(table, stacks(rules, "same"), company, until=8))
    assert len(tables[1].log) > len(tables[0].log) + 40
    one, two = (table.watchers.frames[Viewer(Role.PUBLIC)] for table in tables)
    assert one == two
    assert len(one) > 60


def test_a_participant_is_sent_the_same_whoever_the_others_are_and_whatever_lies_before_them() -> None:
    rules = rulebook("ma-midi-4")
    tables = []
    for others, more in (("ann", 0), ("zacharias", 7_777_700)):
        table = Watched(rules)
        table.do(Sit(seat=3, person="me"))
        table.do(BuyIn(seat=3, amount=9_000_000))
        for seat in (1, 6):
            table.do(Sit(seat=seat, person=f"{others} {seat}"))
            table.do(BuyIn(seat=seat, amount=8_000_000 + more))
        tables.append(rounds(table, stacks(rules, "same"), even_wagers, until=8))
    mine, floor = Viewer(Role.PARTICIPANT, 3), Viewer(Role.FLOORPERSON)
    one, two = (table.watchers.frames for table in tables)
    assert one[mine] == two[mine]
    assert one[floor] != two[floor]


STRANGER = (Leave(seat=3), Sit(seat=3, person="stranger"), BuyIn(seat=3, amount=777_700))
BACK_AGAIN = (Leave(seat=3), Sit(seat=3, person="person 3"), BuyIn(seat=3, amount=CHIPS[3] + 500))


@pytest.mark.parametrize("comes_back", [False, True])
def test_who_got_up_is_not_sent_what_is_the_next_persons(comes_back: bool) -> None:
    """One commit in which a seat changes hands, even twice."""
    rules = rulebook("ma-midi-4")
    table = Table(rules)
    seated(table)
    before, length = table.state, len(table.log)
    watchers = Watchers(rules, before)
    for command in (*STRANGER, *BACK_AGAIN) if comes_back else STRANGER:
        assert isinstance(table.do(command), Accepted)
    watchers.publish(rules, table.state, table.log[length:])
    assert changed_hands(before, table.state) == (set() if comes_back else {3})
    knows = {
        viewer
        for viewer, sent in watchers.frames.items()
        for patch in sent
        if b"stranger" in patch or b"777700" in patch
    }
    assert knows == {Viewer(role) for role in STATE_SHOWN["Participant"].fields["who"].roles}
    assert len(watchers.frames[Viewer(Role.PARTICIPANT, 3)]) == comes_back
