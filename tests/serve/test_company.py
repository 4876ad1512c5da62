"""Company at practice tables: within the limits, from a seed of its own, and never in anybody's way."""

from __future__ import annotations

import random

import pytest

from automated import Automated
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.wager import WagerKind
from baccarat.serve.automation.attendant import Attendant
from baccarat.serve.automation.company import TableCompany
from baccarat.table.automated_company import lowest_wagers, main_wagers, prompt_answer, wagers_of
from baccarat.table.base import table_rules
from baccarat.table.console.prepared_acts import acts_of_others
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BoughtIn, BuyIn, Leave, Left, Sat, Sit
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.wagering import PlaceWager, WagerPlaced, WithdrawWager
from table_driver import game_at
from table_walk import keyed

NAMES = {1: "company 1", 2: "company 2", 4: "company 4"}


def at_work(name: str, seed: int = 1, *, purse: int = 100_000) -> Automated:
    """A practice table with company, from nothing."""
    rules = rulebook(name)
    guests = TableCompany(NAMES, random.Random(seed), purse=purse)
    source = keyed(rules, 1)
    return Automated(Table(rules), Attendant(source, is_practice=True, guests=guests))


def rounds(house: Automated) -> int:
    """How many rounds are over."""
    return sum(isinstance(event, TableCleared) for event in house.table.log)


@pytest.mark.parametrize("name", shipped_submissions())
@pytest.mark.slow
def test_company_sits_down_buys_in_and_wagers_within_the_limits(name: str) -> None:
    house = at_work(name)
    house.run(lambda _table: rounds(house) == 12)
    assert not house.refused, "they never try what is not allowed"
    limits = house.table.rules.elections.limits or {}
    placed = [event for event in house.table.log if isinstance(event, WagerPlaced)]
    assert len(placed) > 20
    for wager in placed:
        limit = limits[wager.on.value]
        assert limit.min <= wager.stake <= limit.max
        assert (wager.stake - limit.min) % limit.increment == 0
        assert wager.seat in NAMES


def test_what_they_do_follows_from_their_seed() -> None:
    logs = []
    for seed in (1, 1, 2):
        house = at_work("ma-midi-4", seed)
        house.run(lambda _table, house=house: rounds(house) == 5)  # type: ignore[misc]
        logs.append(house.table.log)
    assert logs[0] == logs[1] != logs[2]


def test_they_come_and_go_and_whoever_runs_out_buys_in_again() -> None:
    house = at_work("ma-midi-4", purse=5_000)
    house.run(lambda _table: rounds(house) == 60)
    log = house.table.log
    assert sum(isinstance(event, Left) for event in log) >= 2
    assert sum(isinstance(event, Sat) for event in log) > len(NAMES)
    assert sum(isinstance(event, BoughtIn) for event in log) > sum(isinstance(event, Sat) for event in log)
    assert not house.refused


def test_a_person_in_their_seat_is_left_alone_and_never_answered_for() -> None:
    house = at_work("ma-midi-4")
    house.do(Sit(seat=1, person="a guest"))
    guests = house.attendant.guests
    assert guests is not None
    house.run(lambda _table: rounds(house) == 3)
    person = house.table.state.at(1)
    assert person is not None
    assert person.who == "a guest"
    assert 1 not in guests.seats(house.table.state)
    assert not house.refused


def test_company_is_no_reason_to_wait() -> None:
    """A round of company alone is over in half the time that one silent person would take."""
    house = at_work("ma-midi-4")
    house.run(lambda table: table.state.round.closed)
    begun = house.now
    house.run(lambda table: not table.state.round.closed)
    assert house.now - begun < 20


def test_company_sits_at_practice_tables_only() -> None:
    rules = rulebook("ma-midi-4")
    with pytest.raises(AssertionError, match="practice"):
        Attendant(keyed(rules, 1), is_practice=False, guests=TableCompany(NAMES, random.Random(1), purse=1))


def test_what_the_company_answers_accepts_nothing() -> None:
    game = game_at("nj-punto-banco", step="offer_cut")
    acts = set()
    while game.step != "wager":
        due = game.next_act()
        answer = prompt_answer(due) if due.seat else None
        if answer is None:
            game.act()
            continue
        acts.add(answer.name)
        assert not getattr(answer, "accept", False)
        game.do(answer)
    assert acts == {"answer_cut", "answer_shoe"}


def test_whoever_has_nothing_wagers_nothing_and_the_lowest_wagers_may_stand_alone() -> None:
    game = game_at("ma-midi-4", chips=400)
    assert wagers_of(game.rules, game.state, [1, 3, 5], random.Random(1)) == []
    assert set(main_wagers(game.rules)) <= set(lowest_wagers(game.rules))


class AlwaysPasses(random.Random):
    """Chance by which everybody of the company passes whenever they may, and nobody comes or goes."""

    def randrange(self, start: int, *more: int) -> int:  # type: ignore[override]
        assert not more
        return 0 if start == 10 else start - 1


@pytest.mark.parametrize("deals", [True, False], ids=["automated", "a person deals"])
def test_a_table_where_all_the_company_would_pass_does_not_stand_still(deals: bool) -> None:
    """And where a person deals, no more bets can be called."""
    rules = rulebook("ma-midi-4")
    guests = TableCompany(NAMES, AlwaysPasses(1), purse=100_000)
    house = Automated(Table(rules), Attendant(keyed(rules, 1), is_practice=True, guests=guests, deals=True))
    house.run(lambda table: table.state.step == "wager")
    house.attendant = Attendant(keyed(rules, 1), is_practice=True, guests=guests, deals=deals)
    house.attendant.update(house.table, house.now)
    house.run(lambda table: any(due.act == "call_no_more_bets" for due in table.expected), most=50)
    assert len(house.table.state.round.wagers) == 1, "one of them wagers, so that the round goes on"
    assert not house.refused


def test_where_the_last_wager_was_taken_back_the_company_wagers() -> None:
    guests = TableCompany({4: "company 4"}, AlwaysPasses(1), purse=100_000)
    rules = rulebook("ma-midi-4")
    house = Automated(Table(rules), Attendant(keyed(rules, 1), is_practice=True, guests=guests))
    house.do(Sit(seat=1, person="a guest"))
    house.do(BuyIn(seat=1, amount=100_000))
    house.run(lambda table: table.state.step == "wager")
    house.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2_500))
    house.run(lambda _table: guests._thought is not None and guests._thought[2], most=50)
    assert [wager.seat for wager in house.table.state.round.wagers] == [1], "the company passes: a wager lies there"
    house.do(WithdrawWager(seat=1, on=WagerKind.PLAYER))
    house.run(lambda table: table.state.round.closed, most=50)
    assert [wager.seat for wager in house.table.state.round.wagers] == [4]


def test_where_all_the_company_is_away_it_comes_back_for_a_round_that_nobody_plays() -> None:
    guests = TableCompany({4: "company 4"}, AlwaysPasses(1), purse=100_000)
    rules = rulebook("ma-midi-4")
    house = Automated(Table(rules), Attendant(keyed(rules, 1), is_practice=True, guests=guests))
    house.do(Sit(seat=1, person="a guest"))
    house.run(lambda table: table.state.step == "wager")
    house.do(Leave(seat=4))
    house.run(lambda table: bool(table.state.round.wagers), most=50)
    assert [wager.seat for wager in house.table.state.round.wagers] == [4]


def test_company_that_cannot_wager_tries_a_few_times_and_no_more() -> None:
    """Its purse does not pay for a wager: it sits there, and nothing is tried for ever."""
    guests = TableCompany(NAMES, AlwaysPasses(1), purse=100)
    rules = rulebook("ma-midi-4")
    house = Automated(Table(rules), Attendant(keyed(rules, 1), is_practice=True, guests=guests))
    house.do(Sit(seat=5, person="a guest"))
    house.run(lambda table: table.state.step == "wager")
    for _ in range(50):
        if not house.tick():
            break
    assert house.attendant.next_at is None
    assert not house.refused


def test_a_dealer_who_waits_for_wagers_is_told_so() -> None:
    game = game_at("ma-midi-4", seats=[1])
    (awaited,) = acts_of_others(table_rules(game.rules), game.state, game.table.expected, Role.DEALER)
    assert (awaited.by, awaited.act, awaited.say) == (Role.PARTICIPANT, "place_wager", "Participants may wager.")
