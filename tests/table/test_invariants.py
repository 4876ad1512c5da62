"""Invariants can be falsified: a state in which one does not hold, by a hair, is named; its neighbour is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.play.wager import Verbal, Wager, WagerKind
from baccarat.table.invariant import broken_invariants, layout
from baccarat.table.round_state import Act, RoundKind, Spoken
from baccarat.table.state import Flow, TableState, with_meters, with_money, with_round, with_seats, with_shoe
from table_driver import Game, game_at, parse

REST = "2C 3C 4C 5C 6C 7C 8C 9C"


@pytest.fixture(scope="module")
def game() -> Game:
    """A round whose opening cards are turned."""
    return game_at("ma-midi-4-royal9", f"2S 3H 3D 4C {REST}").wager("1 p 2500").go("third_cards")


def chips(state: TableState, amount: int) -> TableState:
    """Seat 1 with so many cents."""
    person = state.at(1)
    assert person is not None
    return replace(state, seats=state.seats.with_person(1, replace(person, chips=amount)))


def meter(state: TableState, amount: int) -> TableState:
    """The first meter at so much."""
    name = next(iter(state.meters.amounts))
    return with_meters(state, amounts={**state.meters.amounts, name: amount})


def third(state: TableState, more: int) -> TableState:
    """The Player's hand with so many of the cards before it, which are not on the layout."""
    round_ = state.round
    earlier = tuple(range(min(round_.player) - more, min(round_.player)))
    return with_round(state, player=(*round_.player, *earlier))


def bankers(state: TableState, more: int) -> TableState:
    """The same for the Banker's."""
    earlier = tuple(range(min(state.round.player) - more, min(state.round.player)))
    return with_round(state, banker=(*state.round.banker, *earlier))


def twice(state: TableState, place: str) -> TableState:
    """A card of the Player's hand that also waits."""
    position = state.round.player[0]
    value: Any = {position: parse("2S")[0]} if place == "disclosed" else (position,)
    return with_shoe(state, **{place: value})


def held(state: TableState, spoken: bool, kind: RoundKind) -> TableState:
    """A round of a kind, with a wager that lies there or is only spoken."""
    if spoken:
        words = Spoken(3, WagerKind.PLAYER, 500, Verbal(cash=True))
        return with_round(state, kind=kind, wagers=(), spoken=(words,))
    return with_round(state, kind=kind)


def flow(state: TableState, **more: int) -> TableState:
    """The Must Hit after something more has gone through it."""
    was = state.meters.must_hit_flow
    return with_meters(state, must_hit_flow=Flow(**{name: getattr(was, name) + more.get(name, 0) for name in FLOW}))


FLOW = Flow.__struct_fields__
SEEN = {"2S": 8}
BROKEN: list[tuple[str, Callable[[TableState], TableState]]] = [
    ("C1 a position lies in two places", lambda s: twice(s, "carried")),
    ("C1 a position lies in two places", lambda s: twice(s, "pending")),
    ("C1 a position lies in two places", lambda s: twice(s, "disclosed")),
    ("C2 a card on the table is still in the shoe", lambda s: with_shoe(s, next=s.shoe.next - 1)),
    ("C2 417 cards have left a shoe of 416", lambda s: with_shoe(s, next=417)),
    ("C2 a hand of more than three cards", lambda s: third(s, 2)),
    ("C2 a hand of more than three cards", lambda s: bankers(s, 2)),
    ("C1 a turned card lies nowhere", lambda s: with_round(s, turned={**s.round.turned, 99: parse("2S")[0]})),
    ("C1 a card has been seen more often", lambda s: with_shoe(s, seen={"2S": 9})),
    ("C4 1 cards burned after As", lambda s: with_shoe(s, burn=s.shoe.burn[:1])),
    ("M3 seat 1 has -1", lambda s: chips(s, -1)),
    ("M3 less than nothing is payable", lambda s: with_money(s, payable={1: -1})),
    ("M8 a meter is below zero", lambda s: meter(s, -1)),
    ("M8 the Must Hit shows", lambda s: flow(s, contributed=1)),
    ("M8 the Must Hit shows", lambda s: flow(s, seeded=1)),
    ("M8 the Must Hit shows", lambda s: flow(s, elsewhere=1)),
    ("M8 the Must Hit shows", lambda s: flow(s, paid=1)),
    ("M6 a marker for nothing", lambda s: with_money(s, markers={1: 0})),
    ("C6 a simulated holds wagers", lambda s: held(s, False, RoundKind.SIMULATED)),
    ("C6 a simulated holds wagers", lambda s: held(s, True, RoundKind.SIMULATED)),
    ("C6 a free hand holds wagers", lambda s: held(s, True, RoundKind.FREE_HAND)),
]
WHOLE: list[Callable[[TableState], TableState]] = [
    lambda s: s,
    lambda s: third(s, 1),
    lambda s: bankers(s, 1),
    lambda s: with_shoe(s, next=416),
    lambda s: with_shoe(s, seen=SEEN),
    lambda s: with_shoe(s, burn=s.shoe.burn[:1], burn_left=1),
    lambda s: with_shoe(s, burn=s.shoe.burn[:1], cover_out=True),
    lambda s: with_shoe(s, burn=s.shoe.burn[:1], burn_corrected=True),
    lambda s: chips(s, 0),
    lambda s: meter(s, 0),
    lambda s: with_money(s, markers={1: 1}, payable={1: 0}),
    lambda s: flow(s, contributed=1, paid=1),
    lambda s: flow(s, seeded=1, elsewhere=-1),
    lambda s: with_round(s, kind=RoundKind.FREE_HAND, wagers=()),
    lambda s: held(s, True, RoundKind.WAGERED),
    lambda s: with_seats(s, participants=(None,) * 7),
]


@pytest.mark.parametrize(("say", "change"), BROKEN, ids=[f"{at} {say[:40]}" for at, (say, _) in enumerate(BROKEN)])
def test_a_state_that_cannot_be_is_named(game: Game, say: str, change: Callable[[TableState], TableState]) -> None:
    (found,) = broken_invariants(game.rules, change(game.state))
    assert str(found).startswith(say)


@pytest.mark.parametrize("change", WHOLE, ids=range(len(WHOLE)))
def test_a_state_that_only_looks_like_it_is_not(game: Game, change: Callable[[TableState], TableState]) -> None:
    assert broken_invariants(game.rules, change(game.state)) == []


def test_the_layout_holds_what_nobody_has_taken_up_yet() -> None:
    """Wagers and what was pressed until the result; then losers until collected, winners until paid, and pushes."""
    state = game_at("ma-midi-4").state
    wagers = (
        Wager(seat=1, on=WagerKind.PLAYER, stake=2500),
        Wager(seat=1, on=WagerKind.HOUSE_MONEY, stake=500),
        Wager(seat=3, on=WagerKind.HOUSE_MONEY, stake=700),
    )
    open_ = with_round(state, wagers=wagers)
    assert layout(open_) == 3700
    paid = with_round(open_, house_lines=(Act("pay", 1, 1500, stake=500),), pressed={1: 1500})
    assert layout(paid) == 2500 + 700 + 1500
    acts = (Act("collect_losing_wagers", 3, 900), Act("pay", 1, 4000, stake=4000), Act("vigorish", 1, 50))
    lines = (*paid.round.house_lines, Act("collect", 3, 700))
    called = with_round(paid, announced=True, house_lines=lines, acts=acts, returned_due={5: 250})
    assert layout(called) == 900 + 4000 + 250
