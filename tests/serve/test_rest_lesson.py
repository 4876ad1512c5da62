"""The lesson over HTTP: the same wagers give the same cards, nothing is stored, and wrong requests say why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.serve.act.lesson import MOST_ROUNDS
from served import run_for, served

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
