"""One budget over all lines, in a served house: sockets and requests of a person are paid from it, others are not."""

from __future__ import annotations

import asyncio
from pathlib import Path

from baccarat.client import Client, command_id
from baccarat.serve.access.budget import ACTING, REFUSED, Budgets
from baccarat.table.role import Role
from house_of_roles import is_problem, sign_everybody_on
from served import run_for, served

TABLE = "ma-midi-4"


def test_what_a_visitor_does_over_sockets_is_paid_by_the_address_and_nobody_who_signed_on_waits(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, betting_seconds=3600.0, pace=60.0) as (live, address):
            house = await sign_everybody_on(live, address)
            await house.get("/api/session", role=Role.DEALER)  # from here on the dealer pays for the dealer
            async with Client(address) as one, Client(address) as other:
                await one.visit()
                await other.visit()
                async with one.table(TABLE) as first, one.table(TABLE) as second, other.table(TABLE) as third:
                    live.budgets = Budgets(1e-9, 2 * (ACTING + REFUSED))  # it never fills again
                    assert not (await first.do("leave", seat=9)).is_done
                    assert not (await second.do("leave", seat=9)).is_done
                    waiting = asyncio.create_task(third.do("leave", seat=9))
                    assert live.budgets.wait("address 127.0.0.1") > 0, "all three pay from one budget"
                    assert live.budgets.wait(house.people[Role.DEALER]) == 0
                    done, _ = await asyncio.wait({waiting}, timeout=0.5)
                    assert not done, "it is read later"
                    waiting.cancel()

    run_for(work())


def test_a_limit_is_a_problem_that_says_when_to_try_again_and_a_person_pays_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address):
            house = await sign_everybody_on(live, address)
            for role in (Role.DEALER, Role.FLOORPERSON):
                assert (await house.get("/api/session", role=role)).status == 200
            asked = {"Idempotency-Key": "none"}
            live.budgets.per_second = 0.01
            while True:
                found = await house.ask("POST", f"/api/tables/{TABLE}/acts", {}, role=Role.DEALER, headers=asked)
                if found.status == 429:
                    break
                is_problem(found, 400)
                live.budgets.charge(house.people[Role.DEALER], live.budgets.at_once / 3)
            is_problem(found, 429, "too_many_requests")
            assert int(found.headers["retry-after"]) >= 1
            assert (await house.get("/api/session", role=Role.FLOORPERSON)).status == 200, "behind the same address"
            assert (await house.ask("POST", "/api/visit", {})).status == 200
            key = {"Idempotency-Key": command_id()}
            again = await house.ask("POST", f"/api/tables/{TABLE}/acts", {}, role=Role.DEALER, headers=key)
            is_problem(again, 429, "too_many_requests")

    run_for(work())
