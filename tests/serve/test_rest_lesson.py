"""The lesson over HTTP: the same wagers give the same cards, nothing is stored, and wrong requests say why."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.law.rulebook import usual_submission
from baccarat.serve.access.budget import ACTING, LESSON
from baccarat.serve.act.lesson import MOST_ROUNDS, play_lesson
from baccarat.serve.route import lesson as lesson_route
from baccarat.serve.store.read_pool import MOST_WAITING, SEATS
from baccarat.table.role import Role
from house_of_roles import sign_everybody_on
from served import run_for, served, soon

BANKER = [{"on": "banker", "stake": 10_000}]


@pytest.mark.slow
def test_a_lesson_is_played_again_for_each_request_and_refuses_what_a_table_refuses(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), httpx.AsyncClient(base_url=address) as http:
            begun = (await http.post("/api/lessons")).json()
            other = (await http.post("/api/lessons")).json()
            assert begun["commitment"] != other["commitment"]
            where = f"/api/lessons/{begun['lesson']}"

            async def asked(last: str, wagers: Any) -> httpx.Response:
                return await http.post(f"{where}/{last}", json={"wagers": wagers})

            first = (await asked("round", [BANKER])).json()
            second = (await asked("round", [BANKER, BANKER])).json()
            assert (await asked("round", [BANKER, BANKER])).json() == second
            assert (first["round"], second["round"]) == (1, 2)
            assert "seed" not in str(second)
            whole = (await asked("end", [BANKER, BANKER])).json()
            assert whole["commitment"] == begun["commitment"]
            assert whole["seed"], "the shoe is over"
            shown = {each["card"] for each in whole["cards"]}
            for event in (each["event"] for each in first["events"] + second["events"]):
                assert event["event"] != "card_turned" or event["card"]["rank"] + event["card"]["suit"] in shown

            refused = await asked("round", [[{"on": "banker", "stake": 10}]])
            assert refused.status_code == 409
            assert refused.json()["clauses"], refused.text
            assert (await asked("round", [BANKER] * (MOST_ROUNDS + 1))).status_code in (400, 422)
            assert (await asked("round", [])).status_code in (400, 422)
            assert (await http.post("/api/lessons/nobody/round", json={"wagers": [BANKER]})).status_code == 404
            assert "table lesson" not in live.house.journal.heads

    run_for(work())


@pytest.mark.slow
def test_rounds_of_a_lesson_are_paid_for_and_who_floods_the_house_with_them_keeps_nobody_from_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()

    def held(*asked: Any) -> Any:
        assert may_end.wait(60)
        return play_lesson(*asked)

    async def work() -> None:
        async with served(tmp_path, requests_a_second=0.001, requests_at_once=1000) as (live, address):
            house = await sign_everybody_on(live, address)
            asked = f"/api/tables/{usual_submission('lesson')}/rounds"
            assert (await house.get(asked, role=Role.DEALER)).status == 200, (
                "from here on the dealer pays for the dealer"
            )
            async with httpx.AsyncClient(base_url=address, timeout=60) as http:
                monkeypatch.setattr(lesson_route, "play_lesson", held)
                where, body = f"/api/lessons/{'1' * 32}/round", {"wagers": [BANKER]}
                flood = [asyncio.create_task(http.post(where, json=body)) for _ in range(SEATS + MOST_WAITING + 2)]
                await soon(lambda: sum(each.done() for each in flood) >= 2)
                reading = asyncio.create_task(house.get(asked, role=Role.DEALER))
                await soon(lambda: reading.done() or sum(each.done() for each in flood) >= 3)
                may_end.set()
                assert (await reading).status == 200
                statuses = Counter(each.status_code for each in await asyncio.gather(*flood))
                assert statuses[503] >= 3, "two too many, and one that gave up its place"
                left = live.budgets.at_once - len(flood) * (ACTING + LESSON)
                assert live.budgets.wait("address 127.0.0.1", cost=left + ACTING) > 0
                assert live.budgets.wait("address 127.0.0.1", cost=left - ACTING) == 0

    run_for(work())
