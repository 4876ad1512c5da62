"""Every act that is due says in words what to do, with the sum, the card and the seat that it then really concerns."""

from __future__ import annotations

import random
from typing import Any

import pytest

from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.money import Cents
from baccarat.play.wager import WagerKind
from baccarat.table.automation import MAKERS, command_for, next_due
from baccarat.table.base import Accepted, Due, Event
from baccarat.table.due_text import ASKERS
from baccarat.table.exception_report import ExceptionReported
from baccarat.table.machine import Table, decide, expected
from baccarat.table.seating_acts import BuyIn, Sit, VigorishCollected
from baccarat.table.state import with_shoe
from baccarat.table.step.burning import BurnedCardTurned, CardsBurned
from baccarat.table.step.dealing import CardDrawn
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid
from baccarat.table.step.settlement import Awarded, LosersCollected, Paid, VigorishTaken
from baccarat.table.step.turning import CardsHanded, CardTurned, CountAnnounced
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.vigorish_debt import VigorishDocumented
from edited_edition import own, rules_under
from house_books import stacks
from table_driver import game_at

MONEY: dict[type[Event], Any] = {
    HouseMoneyCollected: lambda x: x.stake,
    HouseMoneyPaid: lambda x: x.win,
    LosersCollected: lambda x: sum(x.amounts.values()),
    VigorishTaken: lambda x: x.amount,
    Paid: lambda x: x.win,
    Awarded: lambda x: x.amount,
    VigorishCollected: lambda x: x.amount,
    VigorishDocumented: lambda x: x.form.amount,
    ExceptionReported: lambda x: x.amount,
}
CARDS: dict[type[Event], Any] = {
    CardDrawn: lambda x: x.position,
    CardTurned: lambda x: x.position,
    BurnedCardTurned: lambda x: x.position,
    CardsBurned: lambda x: x.positions[0],
    CardsHanded: lambda x: x.positions[0],
}
SEATED = (
    HouseMoneyCollected, HouseMoneyPaid, VigorishTaken, Paid, Awarded, VigorishCollected, VigorishDocumented,
    ExceptionReported, CardsHanded,
)  # fmt: skip


def agrees(due: Due, events: tuple[Event, ...]) -> set[type[Event]]:
    """What was asked for is what then happened."""
    seen: set[type[Event]] = set()
    for event in events:
        kind = type(event)
        if kind in MONEY:
            assert due.amount == MONEY[kind](event), event
            assert str(Cents(due.amount)) in due.say
            if isinstance(event, VigorishTaken):
                assert (" marks " in due.say, " collects " in due.say) == (event.marked, not event.marked)
        elif kind in CARDS:
            assert due.position == CARDS[kind](event), event
        elif kind is CountAnnounced:
            assert f"“{event.side} {event.count}”" in due.say  # type: ignore[attr-defined]
        else:
            continue
        if kind in SEATED:
            assert due.seat == event.seat  # type: ignore[attr-defined]
            assert f"seat {due.seat}" in due.say.lower()
        if due.position is not None and kind is not CardsBurned:
            assert str(due.position + 1) in due.say or kind is CardsHanded
        seen.add(kind)
        break
    return seen


def wager(table: Table, chance: random.Random) -> None:
    for seat in table.state.occupied:
        table.do(PlaceWager(seat=seat, on=chance.choice((WagerKind.PLAYER, WagerKind.BANKER)), stake=10_300))
        for kind in (WagerKind.TIE, WagerKind.HOUSE_MONEY, WagerKind.ROYAL9):
            table.do(PlaceWager(seat=seat, on=kind, stake=500))


def played(name: str, acts: int, **changes: Any) -> set[type[Event]]:
    rules, seen = rulebook(name, **changes), set[type[Event]]()
    table, chance, source = Table(rules), random.Random(name), stacks(rules, name)
    for seat in (1, 2, 5):
        table.do(Sit(seat=seat, person=f"p{seat}"))
        table.do(BuyIn(seat=seat, amount=10**8))
    for _ in range(acts):
        if table.state.step == "wager" and not table.state.round.wagers:
            wager(table, chance)
        for each in table.expected:
            assert each.say.endswith("."), each
            assert each.say[0].isupper()
            assert each.cites
        due = next_due(table, source)
        outcome = table.do(command_for(table, due, source))
        assert isinstance(outcome, Accepted), outcome
        seen |= agrees(due, outcome.events)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_what_is_asked_for_is_what_happens_in_every_submission(name: str) -> None:
    seen = played(name, 2_500)
    assert {CardDrawn, CardTurned, CardsBurned, Paid, LosersCollected, CountAnnounced} <= seen
    if rulebook(name).elects("vig_collection") is not None:
        seen |= played(name, 2_500, vig_collection="deferred")
        assert {VigorishTaken, VigorishCollected} <= seen


def test_a_call_is_asked_for_by_its_name_wherever_its_row_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = own("nj-punto-banco")
    edition["call"].insert(0, {"name": "greeting", "say": "good evening", "cite": edition["call"][0]["cite"]})
    rules = rules_under(edition, "nj-punto-banco", monkeypatch)
    table, source, asked = Table(rules), stacks(rules, "calls"), dict[str, str]()
    table.do(Sit(seat=1, person="p1"))
    table.do(BuyIn(seat=1, amount=10**6))
    while table.state.step != "deal":
        wager(table, random.Random(1))
        due = next_due(table, source)
        asked[due.act] = due.say
        assert isinstance(table.do(command_for(table, due, source)), Accepted)
    assert "“No More Bets”" in asked["call_no_more_bets"]
    assert asked["call_cards"] == "The dealer calls “Cards”."


def test_every_act_that_can_be_due_is_asked_for() -> None:
    assert set(MAKERS) <= set(ASKERS)
    assert set(ASKERS) - set(MAKERS) == {"place_wager", "press_house_money"}, "which nobody must do"


def test_a_card_that_was_carried_over_is_asked_for_before_the_shoe() -> None:
    rules = rulebook("ma-midi-4")
    table, source = Table(rules), stacks(rules, "carried")
    table.do(Sit(seat=1, person="p1"))
    table.do(BuyIn(seat=1, amount=10**6))
    while table.state.step != "deal":
        wager(table, random.Random(1))
        assert isinstance(table.do(command_for(table, next_due(table, source), source)), Accepted)
    waiting = table.state.shoe.next - 1
    state = with_shoe(table.state, carried=(waiting,), carried_cites={waiting: ()})
    (due,) = expected(rules, state)
    command = command_for(table, due, source)
    outcome = decide(rules, state, command, table.usual_actor(command))
    assert isinstance(outcome, Accepted)
    drawn = next(event for event in outcome.events if isinstance(event, CardDrawn))
    assert (due.position, drawn.position, drawn.carried) == (waiting, waiting, True)
    assert f"carried over, card {waiting + 1}," in due.say
    empty = with_shoe(table.state, next=table.state.shoe.cards)
    assert (
        expected(rules, empty)[0].say
        == "No card is left for the Player: the round is void as soon as one is asked for."
    )


def test_a_winner_of_house_money_is_asked_with_the_sum_that_may_be_pressed() -> None:
    game = game_at("ma-midi-4", "4S 2H 4H KD 2C 3C 4C 5C", seats=[1]).wager("1 p 2500", "1 house_money 1000")
    settle, press = game.go("house_money").table.expected
    assert (settle.act, settle.seat, settle.amount) == ("settle_house_money", 1, 3000)
    assert (press.act, press.seat, press.amount, press.optional) == ("press_house_money", 1, 3000, True)
    assert press.say == "Seat 1 may have its $30.00 of House Money added to a wager."
