"""Company at practice tables: within the limits, from a seed of its own, and never in anybody's way."""

from __future__ import annotations

import random

import pytest

from automated import Automated
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.serve.automation.attendant import Attendant
from baccarat.serve.automation.company import TableCompany
from baccarat.table.automated_company import lowest_wagers, main_wagers, prompt_answer, wagers_of
from baccarat.table.machine import Table
from baccarat.table.seating_acts import BoughtIn, Left, Sat, Sit
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.wagering import WagerPlaced
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
