"""One's own rounds: they add up to the money that one has, they are nobody else's, and they are read from an index."""

from __future__ import annotations

import csv
import io
import json
import random
import sqlite3
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from baccarat.cli import make_app
from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.law.rulebook import rulebook
from baccarat.ledger import OF_A_PARTICIPANT
from baccarat.money import MICRO
from baccarat.odds import odds
from baccarat.play.wager import WagerKind
from baccarat.serve import store
from baccarat.serve.runtime.own_round import own_round_rows, own_rounds
from baccarat.table.actor import Actor
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.invariant import money_brought_in
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.wagering import PlaceWager
from house_books import TABLE, Books, seated, stacks, wagering
from house_of_roles import sign_everybody_on
from played import next_round, play_round
from served import audited, run_for, served

pytestmark = pytest.mark.slow
NAME = "ma-midi-4"


@pytest.mark.parametrize("name", ["ma-midi-1", "ma-midi-4-royal9"])
def test_what_rounds_gave_to_people_is_all_that_their_money_has_grown(name: str) -> None:
    """Everything that is posted to a seat and is no exchange of cash is in the gains of one round, and only there."""
    books = Books(rulebook(name, cover_card_depth=200, goodwill_limit=None))
    seated(books, (1, 3, 5))
    run_until(
        books, stacks(books.rules, name), stop=lambda t: t.state.shoe.number == 1, wagers=wagering(random.Random(name))
    )
    gained = Counter[str]()
    house, rounds = type(books.house)(books.house.rules), 0
    for decision in books.house.journal:
        before = house.state.gains.get(TABLE)
        house.append_decision(decision)
        after = house.state.gains.get(TABLE)
        if before is not None and after is not None and after.former is not before.former:
            gained.update(after.former)
            rounds += 1
    gained.update(house.state.gains[TABLE].now)
    brought = sum(map(money_brought_in, house.logs[table_stream(TABLE)]))
    has = sum(
        line.balance
        for line in house.state.ledger.trial_balance()
        if line.account.of == TABLE and line.account.seat and line.account.place in OF_A_PARTICIPANT
    )
    assert house.state == books.house.state
    assert rounds > 10
    assert len(gained) > 3, "also of somebody who came later"
    assert sum(gained.values()) == has // MICRO - brought


def test_a_person_sees_his_own_rounds_with_theory_and_nobody_elses(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as one, Client(address) as other:
            house = await sign_everybody_on(live, address)
            await one.visit()
            await other.visit()
            async with one.table(NAME) as mine, other.table(NAME) as theirs:
                await play_round(mine, one)
                for _ in range(3):
                    await next_round(mine)
                assert (await theirs.do("sit", seat=5)).is_done
                await live.house.writer.wait_until_flushed()
                chips = mine.state["seats"]["participants"][1]["chips"]
                found = (await one.ask("GET", "/api/own/rounds"))["rounds"]
                assert len(found) == 4
                assert sum(each["net"] for each in found) == chips - 100_000
                for each in found:
                    [line] = each["lines"]
                    assert (each["table"], each["seat"], each["staked"]) == (NAME, 2, 2_500)
                    assert (line["on"], line["stake"]) == ("banker", 2_500)
                    assert (
                        each["net"]
                        == {"win": line["win"] - line["vigorish"], "lose": -2_500, "push": 0}[line["result"]]
                    )
                    assert each["vigorish"] == line["vigorish"]
                    assert line["rate"] == (5 if line["result"] == "win" else 0)
                    assert line["cites"], "why"
                pages, cursor = [], ""
                while True:
                    page = await one.ask("GET", f"/api/own/rounds?limit=1&cursor={cursor}")
                    pages += page["rounds"]
                    cursor = page["next"]
                    if not cursor:
                        break
                assert pages == found
                assert (await one.ask("GET", "/api/own/rounds?table=nj-punto-banco"))["rounds"] == []
                wanted = f"/api/own/rounds?table={NAME}&shoe={found[1]['shoe']}&round={found[1]['round']}"
                assert (await one.ask("GET", wanted))["rounds"] == [found[1]]
                totals = await one.ask("GET", "/api/own/totals")
                assert (totals["rounds"], totals["staked"]) == (4, 10_000)
                assert totals["net"] == chips - 100_000
                price = next(each for each in odds(rulebook(NAME)) if each.on is WagerKind.BANKER)
                assert totals["expected"] == -round(price.edge * 10_000)
                assert totals["two_deviations"] ** 2 >= 4 * price.variance * 2_500**2 * 4
                wins = sorted((each["net"] for each in found if each["net"] > 0), reverse=True)
                assert [each["net"] for each in totals["best"]] == wins[:3]
                for asked in (wanted, "/api/own/rounds"):
                    assert (await other.ask("GET", asked))["rounds"] == [], "nobody else's"
                    assert (await house.get(asked, role=Role.SURVEILLANCE)).json["rounds"] == []
                assert (await other.ask("GET", "/api/own/totals"))["rounds"] == 0

                async def text(form: str) -> str:
                    return (await one._send_request("GET", f"{address}/api/exports/own/rounds.{form}")).text

                lines = (await text("jsonl")).splitlines()
                assert [json.loads(line) for line in lines] == found
                rows = list(csv.DictReader(io.StringIO(await text("csv"))))
                assert [int(row["net"]) for row in rows] == [each["net"] for each in found]

    run_for(work())


def test_who_sits_at_two_seats_has_the_wagers_of_both_in_his_round() -> None:
    books = Books(rulebook(NAME))
    for seat in (2, 4):
        assert isinstance(books.do(Sit(seat=seat, person="ann"), Actor(who="dealer", role=Role.DEALER)), Accepted)
        assert isinstance(books.do(BuyIn(seat=seat, amount=1_000_000)), Accepted)
    source = stacks(books.rules, "two seats")
    run_until(books, source, stop=lambda table: table.state.step == "wager", wagers=lambda _table: None)
    for seat, on, stake in ((2, WagerKind.BANKER, 2_500), (4, WagerKind.BANKER, 5_000), (4, WagerKind.TIE, 2_500)):
        assert isinstance(books.do(PlaceWager(seat=seat, on=on, stake=stake)), Accepted)
    run_until(books, source, stop=lambda table: table.state.step == "clear", wagers=lambda _table: None)
    [row] = own_round_rows(books.rules, books.state, {"ann": 1}, stream=table_stream(TABLE), at=1)
    who, place, stakes, staked, lines = (row.params[index] for index in (0, 5, 7, 8, 12))
    assert (who, place, staked) == ("ann", 2, 10_000)
    assert json.loads(str(stakes)) == {"banker": 7_500, "tie": 2_500}
    assert sorted(line["seat"] for line in json.loads(str(lines))) == [2, 4, 4]


def test_no_request_looks_at_more_rows_than_it_shows() -> None:
    """The list comes from the primary key, in its order: nothing is sorted, and no round of another table is read."""
    schema = resources.files(store) / "schema" / "sqlite" / "0008.sql"
    connection, asked = sqlite3.connect(":memory:"), list[str]()
    connection.executescript(schema.read_text())

    class Plans:
        def read(self, sql: str, params: Any = ()) -> list[Any]:
            asked.extend(str(row[-1]) for row in connection.execute(f"explain query plan {sql}", params))
            return []

    own_rounds(Plans(), "person-1", limit=20)
    assert asked == ["SEARCH own_round USING PRIMARY KEY (person=? AND (at,stream,shoe,round)<(?,?,?,?))"]


def test_a_limit_and_a_time_out_hold_at_every_table_and_only_for_oneself(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as one, Client(address) as other:
            house = await sign_everybody_on(live, address)
            await one.visit()
            await other.visit()

            async def choose(client: Client, **command: Any) -> Any:
                headers = {"Idempotency-Key": command_id()}
                sent = await client._send_request(
                    "POST", f"{address}/api/own/protection", json=command, headers=headers
                )
                return sent.status_code, sent.json()

            async with one.table(NAME) as mine, other.table(NAME) as theirs:
                assert (await mine.do("sit", seat=2)).is_done
                await one.buy_in(NAME, 100_000)
                assert (await choose(one, do="set_loss_limit", amount=5_000))[0] == 200
                await mine.until(lambda view: view["state"]["step"] == "wager")
                refused = await mine.do("place_wager", seat=2, on="player", stake=5_100)
                assert "more than your limit of $50.00" in refused.say
                assert "house §player-protection" in refused.cites
                placed = await mine.do("place_wager", seat=2, on="player", stake=2_500)
                assert placed.is_done, placed.say
                held = await one.ask("GET", "/api/own/protection")
                assert (held["limit"], held["lost"], held["at_risk"]) == (5_000, 0, 2_500)
                assert (await choose(one, do="set_loss_limit", amount=9_000))[0] == 200
                status, why = await choose(one, do="confirm_loss_limit")
                assert (status, why["detail"]) == (409, "Your higher limit can be confirmed in 24 hours.")
                status, _ = await choose(one, do="set_loss_limit", amount=9_000, effective=1)
                assert status == 400, "the time is the house's"
                assert (await choose(one, do="take_time_out", hours=2))[0] == 200
                await mine.until(lambda view: view["state"]["step"] == "wager" and not view["state"]["round"]["wagers"])
                more = await mine.do("place_wager", seat=2, on="player", stake=2_500)
                assert "time-out" in more.say
                async with one.table("nj-punto-banco") as elsewhere:
                    assert "time-out" in (await elsewhere.do("sit", seat=2)).say
                assert (await other.ask("GET", "/api/own/protection"))["limit"] == 0
                assert (await theirs.do("sit", seat=4)).is_done, "nobody else is away"
            away, key = {"do": "take_time_out", "hours": 2}, {"Idempotency-Key": command_id()}
            asked = await house.ask("POST", "/api/own/protection", away, role=Role.DEALER, headers=key)
            assert asked.status == 403, "only a participant chooses"
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)
            exported = await house.get(f"/api/streams/table%20{NAME}/journal", role=Role.SURVEILLANCE)
            (tmp_path / "table.jsonl").write_bytes(exported.body)
            told = CliRunner().invoke(make_app("transcript"), ["transcript", str(tmp_path / "table.jsonl")])
            assert told.exit_code == 0, told.output
            assert told.stdout.count("Taken as it stands: a rule of the house refused") == 2, told.stdout

    run_for(work())
