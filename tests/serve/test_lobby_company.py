"""Company plays while somebody is in the lobby or at a table, and whoever sits down can soon wager."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from automated import Automated
from baccarat.client import Client
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.wager import WagerKind
from baccarat.serve.automation.attendant import WARM_ROUNDS, Attendant
from baccarat.serve.automation.company import TableCompany, company_id
from baccarat.serve.automation.dealer import Pace
from baccarat.serve.fanout.rooms import LOBBY_SECONDS, Lobby
from baccarat.serve.job.table_loop import has_begun
from baccarat.serve.live import HouseServer
from baccarat.serve.setting import TRAINING
from baccarat.table.machine import Table
from baccarat.table.offer import decline_offer, is_offer
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.cutting import CutAnswered
from baccarat.table.step.wagering import WAGER, PlaceWager
from served import audited, run_for, served, soon
from table_walk import keyed

TABLE = "ma-midi-4"
SOON = 6.0
"""Within how many seconds of sitting down a person can wager."""


def at_work(name: str = TABLE, *, is_hurried: bool = True) -> Automated:
    """A practice table at the usual pace, with company at its last seats."""
    rules = rulebook(name)
    guests = TableCompany({seat: company_id(seat) for seat in (7, 8, 9)}, random.Random(3), purse=100_000)
    pace = Pace.uniform(0.7) if is_hurried else Pace()
    return Automated(Table(rules), Attendant(keyed(rules, 1), is_practice=True, guests=guests, pace=pace))


def seconds_to_wager(house: Automated) -> float:
    """Somebody sits down, and declines whatever is offered: after how many seconds this person can wager."""
    began = house.now
    house.do(Sit(seat=1, person="a guest"))
    while house.table.state.step != WAGER or house.table.state.round.closed:
        due = next((each for each in house.table.expected if not each.optional), None)
        if due is not None and due.seat == 1 and is_offer(due):
            house.do(decline_offer(due))
        else:
            assert house.tick()
    return house.now - began


class TestWhoeverSitsDown:
    @pytest.mark.parametrize("name", shipped_submissions())
    def test_can_wager_soon_although_the_shoe_is_not_prepared(self, name: str) -> None:
        assert seconds_to_wager(at_work(name)) <= SOON

    def test_can_wager_soon_although_a_round_of_company_has_just_begun(self) -> None:
        house = at_work()
        house.run(lambda table: table.state.round.closed)
        assert seconds_to_wager(house) <= SOON

    def test_is_shown_a_round_with_a_wager_of_a_person_at_the_usual_pace(self) -> None:
        took = list[float]()
        for wagers in (True, False):
            house = at_work()
            house.run(lambda table: table.state.step == WAGER)
            house.do(Sit(seat=2, person="a guest"))
            house.do(BuyIn(seat=2, amount=100_000))
            if wagers:
                house.do(PlaceWager(seat=2, on=WagerKind.TIE, stake=2_500))
            house.run(lambda table: table.state.round.closed)
            began = house.now
            house.run(lambda table: not table.state.round.closed)
            took.append(house.now - began)
        assert took[0] > 10 > SOON > took[1]

    def test_finds_every_act_of_the_preparation_on_record_in_its_order(self) -> None:
        logs = []
        for is_hurried in (True, False):
            house = at_work(is_hurried=is_hurried)
            house.run(lambda table: table.state.step == WAGER)
            logs.append([event for event in house.table.log if not isinstance(event, CutAnswered)])
        assert logs[0] == logs[1]
        assert len(logs[0]) > 20


def test_while_only_the_lobby_looks_on_a_shoe_soon_has_a_road() -> None:
    """Six rounds within half a minute; later company plays at the usual pace, with less time for its wagers."""
    house = at_work()
    began, over = house.now, list[float]()
    while len(over) < WARM_ROUNDS + 2:
        before = len(house.table.log)
        house.attendant.update(house.table, house.now, is_alone=True)
        at = house.attendant.next_at
        assert at is not None
        house.now = max(house.now, at)
        for command, actor in house.attendant.due(house.table, house.now):
            house.table.do(command, actor)
        if any(isinstance(event, TableCleared) for event in house.table.log[before:]):
            over.append(house.now)
    assert over[5] - began < 30
    assert 8 < over[-1] - over[-2] < 30


class TestLobby:
    def test_is_visited_for_some_seconds_after_each_look(self) -> None:
        times = [100.0]
        lobby = Lobby(clock=lambda: times[-1])
        seen = [lobby.is_visited]
        lobby.note_visit()
        seen.append(lobby.is_visited)
        times.append(100.0 + LOBBY_SECONDS)
        seen.append(lobby.is_visited)
        assert seen == [False, True, False]


async def rest(live: HouseServer) -> None:
    """Wait until nobody is in the lobby, and what has begun is over."""
    live.rooms.lobby.end_visits()
    for table in live.rooms:
        live.rooms.table_changed(table).set()
    await soon(lambda: not any(has_begun(state) for state in live.house.state.tables.values()), "rounds go on")
    await live.house.writer.wait_until_flushed()


@pytest.mark.slow
def test_company_plays_for_the_lobby_and_an_unvisited_house_writes_nothing(tmp_path: Path) -> None:
    """The list of tables, a page, and somebody who sat down and left are no visits of the lobby."""

    async def work() -> None:
        async with served(tmp_path, company=3) as (live, address), Client(address) as client:
            heads = dict(live.house.state.heads)
            for _ in range(20):
                await client.tables()
            await live.house.writer.wait_until_flushed()
            assert dict(live.house.state.heads) == heads, "nobody has looked yet"
            looked = await client.ask("GET", "/api/lobby")
            assert {each["table"] for each in looked["tables"]} == set(live.rooms)
            await soon(lambda: live.house.state.tables[TABLE].round.number > 2, "company does not play")
            assert not live.rooms[TRAINING].state.occupied, "nobody deals there for them"
            looked = await client.ask("GET", "/api/lobby")
            shown = next(each for each in looked["tables"] if each["table"] == TABLE)
            assert set(shown["automated"]) <= {7, 8, 9}
            assert shown["marks"]
            await rest(live)
            heads = dict(live.house.state.heads)
            for _ in range(20):
                await client.tables()
            await live.house.writer.wait_until_flushed()
            assert dict(live.house.state.heads) == heads, "automated seats are nobody to play for"
            audited(live, tmp_path)

    run_for(work())
