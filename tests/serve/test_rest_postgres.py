"""The REST interface over a house on PostgreSQL: the same answers, and every address can be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client, command_id
from baccarat.table.role import Role
from house_of_roles import ROLES, is_problem, sign_everybody_on
from looked_at import every_look
from played import next_round, play_round
from postgres_server import PostgresServer
from served import audited, run_for, served

pytestmark = pytest.mark.slow

TABLE = "/api/tables/ma-midi-4"


def test_every_address_answers_and_the_index_is_kept(postgres: PostgresServer, tmp_path: Path) -> None:
    async def work() -> None:
        kept: dict[str, Any] = {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}
        async with served(tmp_path, **kept) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                await next_round(table)
                await live.house.writer.wait_until_flushed()
                for role in (None, *ROLES):
                    for path in every_look():
                        found = await house.get(path, role=role)
                        assert found.status < 500, (role, path, found.text[:300])
            for path in ("/api/own/rounds?table=a%00b", "/api/proposals?stream=table%20%00"):
                is_problem(await house.get(path, role=Role.FLOORPERSON), 400, "unreadable")
            assert [each["round"] for each in (await house.get(f"{TABLE}/rounds")).json["rounds"]] == [2, 1]
            assert (await house.get(f"{TABLE}/shoes")).json["shoes"][0]["rounds"] == 2
            assert (await house.get("/api/day")).json["tables"]["ma-midi-4"]["handle"] == {"banker": 5_000}
            body = {"stream": "cage", "command": {"do": "bring_bankroll", "amount": 500_00}}
            key = {"Idempotency-Key": command_id()}
            made = (await house.ask("POST", "/api/proposals", body, role=Role.ADMINISTRATOR, headers=key)).json
            path = f"/api/proposals/{made['id']}/approval"
            done = await house.ask("POST", path, {"seen": made["hash"]}, role=Role.CAGE_CASHIER)
            assert done.status == 200, done
            again = await house.ask("POST", path, {"seen": made["hash"]}, role=Role.CAGE_CASHIER)
            assert again.json == {**done.json, "repeat": True}
            state = (await house.get(f"/api/proposals/{made['id']}", role=Role.ADMINISTRATOR)).json["state"]
            assert state == "approved"
            person = await house.ask(
                "POST", "/api/people", {"name": "Ada", "roles": ["dealer"]}, role=Role.ADMINISTRATOR
            )
            assert person.status == 201
            gone = await house.ask("DELETE", f"/api/people/{person.json['id']}", role=Role.ADMINISTRATOR)
            assert gone.status == 204
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())
