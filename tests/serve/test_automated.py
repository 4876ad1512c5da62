"""Tables that run by themselves: whoever is silent blocks nobody, every round is finished, and another shoe follows."""

from __future__ import annotations

import random

import pytest

from automated import Automated, everybody_wagers, some_answer
from baccarat.house.invariant import broken_invariants
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.serve.automation.attendant import Attendant
from baccarat.serve.automation.company import TableCompany
from baccarat.serve.automation.dealer import Pace
from baccarat.serve.automation.timer import WaitTimes
from baccarat.serve.job.table_loop import wait_times
from baccarat.serve.setting import Setting
from baccarat.table.actor import Origin
from baccarat.table.automation import actor_for, command_for
from baccarat.table.base import Accepted
from baccarat.table.registration import CLOCK_LIMITS
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import CardSource
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.turning import CardTurned
from linked_floor import RANGE, Floor
from table_walk import Walk, keyed, sealed

MOST_SECONDS = 30
"""How long a round lasts at most when nobody does anything after “no more bets”."""


def short_shoe(name: str, *, depth: int = 340) -> Rulebook:
    """A shipped Submission with a shoe of a dozen rounds."""
    return rulebook(name, cover_card_depth=depth)


def full(rules: Rulebook, source: CardSource, *, times: WaitTimes | None = None) -> Automated:
    """A practice table with somebody at every seat, who has just sat down."""
    walk = Walk(rules, source)
    house = Automated(walk, Attendant(source, is_practice=True, times=times))
    for seat in range(1, len(walk.state.seats.participants) + 1):
        house.do(Sit(seat=seat, person=f"guest {seat}"))
        house.do(BuyIn(seat=seat, amount=50_000_000))
    return house


def play_shoe(house: Automated, chance: random.Random, *, answers: float = 0.0, cuts: bool = True) -> list[float]:
    """A whole shoe and the beginning of the next; how long each round lasted since the last act of a person."""
    table, lasted = house.table, []
    touched = house.now
    while table.state.shoe.number < 1 or table.state.step != "wager":
        if table.state.step == "wager" and not table.state.round.wagers:
            everybody_wagers(house, chance)
        for due in table.expected:
            asked = chance.random() < answers and (cuts or due.act not in ("answer_cut", "contribute"))
            command = some_answer(due, chance) if asked else None
            if command is not None and isinstance(house.do(command), Accepted):
                touched = house.now
                break
        if table.state.step == "wager" and not table.state.round.wagers:
            continue
        open_before, length = table.state.round.closed, len(table.log)
        assert house.tick(), f"nothing happens any more at {table.state}"
        if table.state.round.closed and not open_before:
            touched = house.now
        if any(isinstance(event, TableCleared) for event in table.log[length:]):
            lasted.append(house.now - touched)
    return lasted


def check(house: Automated, lasted: list[float]) -> None:
    """A shoe was played to its end, and the clock did nothing but what it may."""
    walk = house.table
    assert isinstance(walk, Walk)
    assert [event for event in walk.log if isinstance(event, ShoeClosed)]
    assert not [event for event in walk.log if isinstance(event, RoundVoided)], "a round is void by its clause only"
    assert len(lasted) > 5
    assert max(lasted) <= MOST_SECONDS, f"{max(lasted)} seconds"
    assert {type(command) for command in house.by_clock} <= set(CLOCK_LIMITS)
    assert not [command for command in house.by_clock if getattr(command, "accept", False)]
    wrong = [(command, why) for command, actor, why in house.refused if actor.role is not Role.PARTICIPANT]
    assert not wrong, "the dealer and the clock are never wrong about what is due"
    walk.agrees_with_its_books()


@pytest.mark.slow
@pytest.mark.parametrize("as_served", [False, True], ids=["usual times", "times of the server's settings"])
@pytest.mark.parametrize("name", shipped_submissions())
def test_d5_with_everybody_silent_every_round_of_a_shoe_is_finished_and_another_shoe_opens(
    name: str, as_served: bool
) -> None:
    rules, setting = short_shoe(name), Setting()
    house = full(rules, sealed(rules, 7), times=wait_times(setting) if as_served else None)
    if as_served:
        house.attendant.pace = Pace.uniform(setting.pace)
    check(house, play_shoe(house, random.Random(name)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", shipped_submissions())
def test_d5_with_people_who_answer_some_of_the_time_it_goes_on_as_well(name: str, seed: int) -> None:
    rules, chance = short_shoe(name), random.Random(f"{name} {seed}")
    house = full(rules, keyed(rules, seed))
    check(house, play_shoe(house, chance, answers=chance.choice((0.1, 0.4, 0.9))))


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_at_a_live_table_a_program_is_the_dealer_and_nobody_who_watches_over_games(name: str) -> None:
    """A shoe with deferred vigorish that some cannot pay: people of the floor and the pit do what is theirs."""
    options = {"vig_collection": "deferred"} if rulebook(name).elections.vig_collection else {}
    rules, chance = rulebook(name, cover_card_depth=370, **options), random.Random(name)
    source = sealed(rules, 11)
    walk = Walk(rules, source)
    house = Automated(walk, Attendant(source, is_practice=False))
    by_people: set[Role] = set()
    for seat in (1, 2, 4):
        house.do(Sit(seat=seat, person=f"guest {seat}"))
        house.do(BuyIn(seat=seat, amount=2_000_000))
    while walk.state.shoe.number < 1:
        if walk.state.step == "wager" and not walk.state.round.wagers:
            everybody_wagers(house, chance)
        due = next((due for due in walk.expected if not due.optional), None)
        if due is not None and due.by not in (Role.DEALER, Role.PARTICIPANT):
            by_people.add(due.by)
            assert house.attendant.agenda.act is None, f"a program would do what the {due.by.value} does"
            command = command_for(walk, due, source)
            assert isinstance(house.do(command, actor_for(walk, command)), Accepted)
            continue
        assert house.tick(), f"nothing happens any more at {walk.state}"
    persons = {(actor.role, actor.approvals) for _, actor in house.given if actor.origin is Origin.PERSON}
    assert persons == {(Role.DEALER, ())}
    assert Role.FLOORPERSON in by_people


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-4", "nj-punto-banco"])
def test_a_whole_shoe_of_eight_decks_with_company_alone(name: str) -> None:
    rules = rulebook(name)
    source = sealed(rules, 3)
    guests = TableCompany({seat: f"company {seat}" for seat in (1, 2, 4, 5)}, random.Random(1), purse=100_000)
    house = Automated(Walk(rules, source), Attendant(source, is_practice=True, guests=guests))
    house.run(lambda table: table.state.shoe.number == 1 and table.state.round.wagers != ())
    rounds = [event for event in house.table.log if isinstance(event, TableCleared)]
    assert len(rounds) > 55
    assert not house.refused


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-4", "nj-punto-banco"])
def test_c7_the_cards_are_the_same_whoever_wagers_answers_or_lets_time_run_out(name: str) -> None:
    """The same sealed shoe three times, with other people, other wagers and other times: each position has its card."""
    rules, shoes = short_shoe(name, depth=300), []
    for times, answers in ((WaitTimes(), 0.0), (WaitTimes(betting=1, squeeze=0, answer=0), 0.0), (WaitTimes(), 0.5)):
        house = full(rules, sealed(rules, 9), times=times)
        play_shoe(house, random.Random(f"{name} {answers}"), answers=answers, cuts=False)
        cards = {}
        for event in house.table.log:
            if isinstance(event, ShoeClosed):
                break
            if isinstance(event, CardTurned):
                cards[event.position] = event.card
        shoes.append(cards)
    assert all(len(cards) > 80 for cards in shoes)
    for position in set.intersection(*map(set, shoes)):
        assert len({str(cards[position]) for cards in shoes}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("must_hit", [None, RANGE])
def test_three_tables_of_a_link_run_by_themselves_beside_each_other(must_hit: dict[str, int] | None) -> None:
    """What one table does changes what another shows, in the middle of its round; no act is refused for that."""
    elections = {"must_hit": must_hit} if must_hit else {}
    floor = Floor.opened(rulebook("ma-midi-4-royal9", **elections), 1)
    houses = {
        name: Automated(table, Attendant(floor.sources[name], is_practice=True)) for name, table in floor.tables.items()
    }
    done = dict.fromkeys(houses, 0)
    while min(done.values()) < 4:
        name = min(houses, key=lambda each: houses[each].attendant.next_at or houses[each].now)
        house = houses[name]
        if house.table.state.step == "wager" and not house.table.state.round.wagers:
            floor.wager(name)
            house.attendant.update(house.table, house.now)
        length = len(house.table.log)
        assert house.tick()
        done[name] += sum(isinstance(event, TableCleared) for event in house.table.log[length:])
        assert not house.refused
    assert broken_invariants(floor.house.state) == []
