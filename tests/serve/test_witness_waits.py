"""A shoe that waits for a witness: everybody is shown for which one, for what and since when, until it answers."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.chain import leaf_hash
from baccarat.client import Client, TableClient
from baccarat.house.stream import table_stream
from baccarat.record import witness_http
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.fanout import witness_waits
from baccarat.serve.job import share_exchange
from baccarat.serve.job.share_exchange import TableShares
from baccarat.serve.live import HouseServer
from baccarat.serve.route.requester import COOKIE
from baccarat.serve.store.base import all_entries
from baccarat.table.role import Role
from followed_house import Following, following
from house_of_roles import Asked
from played import next_round, play_round
from running_witness import answered_shares, settings, witnesses
from served import audited, run_for, served, soon
from witness_process import WitnessProcess

pytestmark = pytest.mark.slow

TABLE, OTHER = "ma-midi-4", "ma-midi-3"
STREAM = table_stream(TABLE)
ORIGIN = f"example.org/house/table/{TABLE}"
SILENT = "example.org/surveillance"
VERBS = {"promise": "promise a share in its order", "share": "open the share that was promised"}


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[WitnessProcess]:
    made = WitnessProcess(tmp_path / "witness")
    yield made
    made.kill()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share_exchange, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(share_exchange, "SHOW_SECONDS", 0.05)
    monkeypatch.setattr(witness_waits, "ALARM_SECONDS", 0.0)


class Watched:
    """A house that people of several roles watch: a participant at the table, staff at their screens."""

    def __init__(self, live: HouseServer, address: str, table: TableClient, staff: Asked, floor: Following) -> None:
        self.live, self.address, self.table, self.staff, self.floor = live, address, table, staff, floor

    @property
    def wait(self) -> Any:
        """What the participant is shown that the shoe waits for."""
        return self.table.words.get("witness_wait")

    async def get(self, path: str, role: Role | None = None) -> Any:
        """What somebody is answered."""
        return (await self.staff.get(path, role=role)).json

    async def problems(self) -> list[str]:
        """What readiness says after its first line."""
        async with httpx.AsyncClient(base_url=self.address) as http:
            found = await http.get("/readyz")
        assert found.status_code == 200
        first, *more = found.text.splitlines()
        assert first == "ok"
        return more

    async def alerts(self) -> list[dict[str, Any]]:
        """The alerts about witnesses, as surveillance has them."""
        found = (await self.get("/api/alerts", Role.SURVEILLANCE))["alerts"]
        return [each for each in found if each["kind"] == "witness_awaited"]

    async def floor_shows(self, is_so: Callable[[Any], bool]) -> None:
        """The floor is sent this about the wait of the table."""
        await asyncio.wait_for(
            self.floor.until(lambda topics: is_so(topics[f"table {TABLE}"]["witness_wait"])), timeout=120
        )

    async def everybody_is_shown(self, part: str, names: tuple[str, ...] = (SILENT,)) -> None:
        """Participants, strangers, staff, operators and surveillance see for whom the shoe waits."""
        await soon(lambda: self.wait is not None and self.wait["witnesses"] == list(names), f"no {part} is waited for")
        wait = self.wait
        assert wait["part"] == part
        assert abs(wait["since"] - self.live.desk.now) < 120 * ONE_SECOND
        say = f"The shoe waits for {' and '.join(names)} to {VERBS[part]}."
        assert self.table.words["then"] == {
            "say": say, "cites": [], "what": f"waits_for_{part}", "params": {"witnesses": ", ".join(names)},
        }  # fmt: skip
        for role in (None, Role.PARTICIPANT):
            told = await self.get(f"/api/tables/{TABLE}/moment", role)
            assert (told["then"]["say"], told["witness_wait"]) == (say, wait)
            assert say in [each["say"] for each in told["rulings"]]
        for role in (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE):
            assert (await self.get(f"/api/tables/{TABLE}/work", role))["witness_wait"] == wait, role
        await self.floor_shows(lambda found: found == wait)
        (alert,) = await self.alerts()
        assert (alert["table"], alert["at"], alert["say"], alert["what"]) == (
            TABLE, wait["since"], say, f"waits_for_{part}",
        )  # fmt: skip
        (line,) = await self.problems()
        noun = "witness" if len(names) == 1 else "witnesses"
        start = f"not well: table {TABLE}: the shoe has waited for {noun} {' and '.join(names)} to {VERBS[part]} since "
        assert line.startswith(start)
        assert line.endswith(" UTC")
        assert "baccarat_witness_waits 1.0" in self.live.metrics.page().decode()

    async def nobody_is_shown_anything(self) -> None:
        """All of that is gone."""
        await soon(lambda: self.wait is None, "the wait is still shown")
        assert self.live.witness_waits.at(TABLE) is None
        assert "waits" not in self.table.words["then"]["what"]
        assert (await self.get(f"/api/tables/{TABLE}/work", Role.DEALER))["witness_wait"] is None
        await self.floor_shows(lambda found: found is None)
        assert await self.alerts() == []
        assert await self.problems() == []
        assert "baccarat_witness_waits 0.0" in self.live.metrics.page().decode()

    async def plays_on(self, client: Client) -> None:
        """The shoe is sealed, and a round is dealt from it."""
        await soon(lambda: bool(self.live.house.state.tables[TABLE].shoe.root), "the order is not sealed")
        await self.nobody_is_shown_anything()
        await client.buy_in(TABLE, 100_000)
        await next_round(self.table)


@asynccontextmanager
async def watched(live: HouseServer, address: str, client: Client) -> AsyncIterator[Watched]:
    """People of several roles come; the participant sits down."""
    await client.visit()
    tokens = dict[Role, str]()
    for role in (Role.PARTICIPANT, Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE):
        async with httpx.AsyncClient(base_url=address) as http:
            came = await http.post("/api/visit", json={"role": role.value})
            tokens[role] = came.cookies[COOKIE]
    staff = Asked(live, address, tokens, {})
    async with following(staff, Role.FLOORPERSON) as floor, client.table(TABLE, words="moment") as table:
        assert (await table.do("sit", seat=2)).is_done
        yield Watched(live, address, table, staff, floor)


def on_first_question(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], None]) -> threading.Event:
    """Do something when a witness is asked this for the first time, before it hears it; set once that is done."""
    real: Callable[..., Any] = getattr(share_exchange, name)
    done = threading.Event()

    def asking(*words: Any, **more: Any) -> Any:
        if not done.is_set():
            act()
            done.set()
        return real(*words, **more)

    monkeypatch.setattr(share_exchange, name, asking)
    return done


@pytest.mark.parametrize("part", ["promise", "share"])
def test_everybody_is_shown_for_which_silent_witness_a_shoe_waits_until_it_answers(
    tmp_path: Path, witness: WitnessProcess, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """One of two witnesses is dead: the other is not named."""
    died = on_first_question(monkeypatch, f"ask_{part}", witness.kill)

    async def work() -> None:
        async with served(tmp_path, **named) as (live, address), Client(address) as client:
            async with watched(live, address, client) as house:
                await soon(died.is_set, "it was never asked")
                await house.everybody_is_shown(part)
                witness.start()
                await house.plays_on(client)
            audited(live, tmp_path)

    with witnesses(tmp_path, ["commission"]) as others:
        named = settings(tmp_path, [witness, *others])
        run_for(work())


@pytest.mark.parametrize("part", ["promise", "share"])
def test_everybody_is_shown_for_which_slow_witness_a_shoe_waits_and_another_table_plays_on(
    tmp_path: Path, witness: WitnessProcess, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """It accepts connections, and has not answered yet: nothing has failed, and people are told all the same."""

    async def work() -> None:
        async with served(tmp_path, **settings(tmp_path, [witness])) as (live, address), Client(address) as client:
            async with Client(address) as elsewhere:
                await elsewhere.visit()
                async with elsewhere.table(OTHER) as other:
                    await play_round(other, elsewhere)
                    slow = on_first_question(monkeypatch, f"ask_{part}", witness.pause)
                    async with watched(live, address, client) as house:
                        await soon(slow.is_set, "it was never asked")
                        await house.everybody_is_shown(part)
                        await next_round(other)
                        assert house.wait is not None
                        witness.resume()
                        await house.plays_on(client)
            audited(live, tmp_path)

    run_for(work())


def test_neither_another_question_nor_the_answer_of_another_witness_begins_the_wait_again(
    tmp_path: Path, witness: WitnessProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness_http, "SECONDS", 0.5)  # after which a witness that is silent is given up for now
    paused = on_first_question(monkeypatch, "ask_share", witness.pause)
    given_up = list[str]()
    complain = TableShares._complain

    def complaining(shares: TableShares, error: Exception, name: str) -> None:
        given_up.append(name)
        complain(shares, error, name)

    monkeypatch.setattr(TableShares, "_complain", complaining)

    async def work() -> None:
        async with (
            served(tmp_path, **named) as (live, address),
            Client(address) as client,
            watched(live, address, client) as house,
        ):
            await soon(paused.is_set, "it was never asked")
            await soon(lambda: house.wait is not None, "it is not shown")
            first = house.wait["since"]
            shown = list[int]()
            monkeypatch.setattr(live.witness_waits, "end", lambda _table: shown.append(0))
            await soon(lambda: len(given_up) >= 3, "it is not asked again")
            held = live.house.state.tables[TABLE].shoe.commitment
            assert held is not None
            assert len(held.shares) == 1, "the other has answered"
            assert house.wait == {"part": "share", "witnesses": [SILENT], "since": first}
            assert shown == []
            assert set(given_up) == {SILENT}, "the log names it"
            witness.resume()
            monkeypatch.undo()
            await house.plays_on(client)

    with witnesses(tmp_path, ["commission"]) as others:
        named = settings(tmp_path, [witness, *others])
        run_for(work())


def test_everybody_is_shown_that_a_shoe_waits_for_a_witness_that_was_rolled_back(
    tmp_path: Path, witness: WitnessProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its memory lacks what it has cosigned: it stops, and opens nothing before its operator has restored it."""
    memory, safe = tmp_path / "witness", tmp_path / "safe"

    def roll_back() -> None:
        witness.kill()
        shutil.copytree(memory, safe)
        lost = list(memory.rglob("*.checkpoint"))
        assert lost, "it has cosigned something"
        for each in lost:
            each.unlink()
        witness.start()

    done = on_first_question(monkeypatch, "ask_share", roll_back)

    async def work() -> None:
        async with served(tmp_path, **settings(tmp_path, [witness])) as (live, address), Client(address) as client:
            async with watched(live, address, client) as house:
                await soon(done.is_set, "it was never asked")
                await house.everybody_is_shown("share")
                assert await asyncio.to_thread(witness.wait) != 0, "it has stopped by itself"
                assert not live.house.state.tables[TABLE].shoe.root, "it has opened nothing"
                shutil.rmtree(memory)
                shutil.copytree(safe, memory)
                witness.start()
                await house.plays_on(client)
            await live.house.writer.wait_until_flushed()
            (closing,) = [row for row in all_entries(live.store, STREAM) if b'"event":"inputs_closed"' in row.body]
            assert answered_shares(witness.address, ORIGIN) == {"0": leaf_hash(closing.body)}, "one closing, one share"
            audited(live, tmp_path)

    run_for(work())


def test_a_short_wait_is_shown_at_the_table_and_alerts_nobody_and_ends_with_the_audience(
    tmp_path: Path, witness: WitnessProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness_waits, "ALARM_SECONDS", 3_600.0)
    witness.kill()

    async def work() -> None:
        async with served(tmp_path, **settings(tmp_path, [witness])) as (live, address), Client(address) as client:
            async with watched(live, address, client) as house:
                await soon(lambda: house.wait is not None, "it is not shown")
                assert await house.alerts() == []
                assert await house.problems() == []
                monkeypatch.setattr(witness_waits, "ALARM_SECONDS", 0.0)
                assert len(await house.alerts()) == len(await house.problems()) == 1
            await soon(lambda: live.witness_waits.at(TABLE) is None, "nobody is there, and it is still waited for")

    run_for(work())


def test_an_answer_in_time_is_never_shown_as_a_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list[str]()
    monkeypatch.setattr(share_exchange, "SHOW_SECONDS", 3_600.0)

    async def work() -> None:
        async with served(tmp_path, **named) as (live, address), Client(address) as client:
            monkeypatch.setattr(live.witness_waits, "_on_changed", shown.append)
            async with watched(live, address, client) as house:
                await house.plays_on(client)
            assert shown == []

    with witnesses(tmp_path) as running:
        named = settings(tmp_path, running)
        run_for(work())
