"""The line over which the whole house is followed: to each what the role may see, and nothing twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from baccarat.client import command_id
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.session import Session
from baccarat.serve.fanout.house_room import HouseFollower, HouseRoom, TopicScope
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.runtime.table_jobs import job_name
from baccarat.table.role import Role
from followed_house import following
from house_of_roles import Asked, expect, is_problem, open_tables, production, sign_everybody_on
from played import play_round
from served import run_for, served
from watched_house import late_wager, visited

NAME = "ma-midi-4"
CALL = f"/api/tables/{NAME}/floor-call"


# ------------------------------------------------------------------------------------------ the room alone


class Board:
    """A house of three topics, of which one is for a scope alone; it counts how often each is found."""

    def __init__(self) -> None:
        self.room, self.values, self.found = HouseRoom(self), {"a": 1, "b": 1, "secret": 1}, list[TopicScope]()
        self.shown = [TopicScope("a"), TopicScope("b")]
        self.denial: Denied | None = None

    def wanted_by(self, session: Session, _stream: str | None) -> list[TopicScope]:
        shown = self.shown
        return [*shown, TopicScope("secret", session.id)] if session.role is Role.SURVEILLANCE else shown

    async def find(self, wanted: Collection[TopicScope]) -> dict[TopicScope, bytes]:
        self.found += wanted
        return {each: str(self.values[each.topic]).encode() for each in wanted}

    async def check(self, session: Session) -> Session | Denied:
        return self.denial or session

    def now(self) -> int:
        return 0

    def come(self, role: Role, session: str, **had: Any) -> HouseFollower:
        held = Session(id=session, person=session, role=role, made_at=0, seen_at=0, acted_at=0, ends_at=1)
        guest = HouseFollower(held, Outbox())
        self.room.join(guest, **had)
        return guest

    async def sent(self, guest: HouseFollower, **changed: int) -> list[dict[str, Any]]:
        """What somebody is sent once some topics have changed."""
        self.values |= changed
        if changed:
            self.room.mark_changed(*changed)
        await self.room.refresh()
        return [json.loads(text) for text in guest.line.drain()]


def test_a_newcomer_is_shown_everything_and_then_what_changes_alone() -> None:
    async def work() -> None:
        board = Board()
        guest = board.come(Role.FLOORPERSON, "one")
        (whole,) = await board.sent(guest)
        assert whole["set"] == {"a": 1, "b": 1}
        assert "after" not in whole
        assert await board.sent(guest) == []
        assert await board.sent(guest, a=1) == [], "it was marked as changed, and is as it was"
        (change,) = await board.sent(guest, b=2)
        assert (change["after"], change["seq"], change["set"]) == (whole["seq"], whole["seq"] + 1, {"b": 2})

    run_for(work())


def test_whoever_comes_back_is_sent_what_was_missed_and_an_answer_in_any_case() -> None:
    async def work() -> None:
        board = Board()
        guest = board.come(Role.FLOORPERSON, "one")
        (whole,) = await board.sent(guest)
        await board.sent(guest, a=2)  # this frame is lost on its way
        board.room.leave(guest)
        board.values["b"] = 3
        board.room.mark_changed("b")
        again = board.come(Role.FLOORPERSON, "one", run=whole["run"], after=whole["seq"])
        (missed,) = await board.sent(again)
        assert missed["set"] == {"a": 2, "b": 3}
        assert (missed["run"], missed["after"], missed["seq"]) == (whole["run"], whole["seq"], 3)
        third = board.come(Role.FLOORPERSON, "one", run=missed["run"], after=missed["seq"])
        assert again not in board.room.guests, "nobody had noticed that this line was lost"
        (nothing,) = await board.sent(third)
        assert (nothing["set"], nothing["seq"]) == ({}, 3)

    run_for(work())


def test_nobody_goes_on_from_what_another_was_shown() -> None:
    async def work() -> None:
        board = Board()
        guest = board.come(Role.SURVEILLANCE, "one")
        (whole,) = await board.sent(guest)
        assert whole["set"] == {"a": 1, "b": 1, "secret": 1}
        board.room.leave(guest)
        for session, run, after in (("two", whole["run"], 1), ("one", "other", 1), ("one", whole["run"], 99)):
            other = board.come(Role.FLOORPERSON, session, run=run, after=after)
            (shown,) = await board.sent(other)
            assert shown["set"] == {"a": 1, "b": 1}
            assert "after" not in shown
            board.room.leave(other)

    run_for(work())


def test_what_is_hidden_from_somebody_sends_and_numbers_nothing_and_topics_are_found_once_for_all() -> None:
    async def work() -> None:
        board = Board()
        floor, other, watch = (board.come(role, name) for name, role in (
            ("one", Role.FLOORPERSON), ("two", Role.PIT_CLERK), ("three", Role.SURVEILLANCE)))  # fmt: skip
        (before,) = await board.sent(floor)
        assert board.found.count(TopicScope("a")) == 1
        assert await board.sent(floor, secret=2) == []
        assert [json.loads(text)["set"] for text in watch.line.drain()][-1] == {"secret": 2}
        (after,) = await board.sent(floor, a=2)
        assert after["seq"] == before["seq"] + 1
        assert len(other.line.drain()) == 2
        for guest in (floor, other, watch):
            board.room.leave(guest)
        board.found.clear()
        board.room.mark_changed()
        await board.room.refresh()
        assert board.found == [], "nothing is found while nobody looks"

    run_for(work())


def test_what_takes_long_to_find_lets_nothing_else_wait() -> None:
    async def work() -> None:
        board = Board()
        board.values["alerts"] = 1
        board.shown = [TopicScope("a"), TopicScope("alerts")]
        guest = board.come(Role.FLOORPERSON, "one")
        first, then = await board.sent(guest)
        assert (first["set"], then["set"]) == ({"a": 1}, {"alerts": 1})
        assert (then["after"], then["seq"]) == (first["seq"], first["seq"] + 1)

    run_for(work())


def test_the_line_of_whoever_may_not_look_any_more_ends() -> None:
    async def work() -> None:
        board = Board()
        guest = board.come(Role.FLOORPERSON, "one")

        board.denial = make_denial(Denial.LOCKED, minutes=5)
        assert not await board.room.check_now(guest)
        assert json.loads(guest.line.drain()[-1])["why"] == "locked"
        assert guest not in board.room.guests

    run_for(work())


# ---------------------------------------------------------------------------------------- over real sockets


def in_house(work: Any, tmp_path: Path) -> None:
    """A real house with one table and people of every role."""

    async def inner() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_tables(house, NAME)
            await work(house)

    run_for(inner())


@pytest.mark.slow
def test_what_somebody_may_do_in_a_stream_comes_to_whoever_follows_it_and_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baccarat.serve.fanout.house_room.WHOLE_TICKS", 10**9)  # nothing comes by the clock alone

    async def work(house: Asked) -> None:
        table = f"table {NAME}"

        async def acts(role: Role, stream: str = table) -> dict[str, Any]:
            path = f"/api/me/acts?stream={quote(stream)}"
            return {"stream": stream, "acts": (await house.get(path, role=role)).json["acts"]}

        async def act(do: str, **fields: Any) -> None:
            keys = {"Idempotency-Key": command_id()}
            await expect(house, 200, f"/api/tables/{NAME}/acts", {"do": do, **fields}, Role.DEALER, keys)

        async with following(house, Role.FLOORPERSON) as floor, following(house, Role.DEALER) as dealer:
            for each in (floor, dealer):
                await each.next()
                await each.socket.send(json.dumps({"type": "follow", "stream": table}))
                await each.until(lambda seen: "acts" in seen)
            assert floor.topics["acts"] == await acts(Role.FLOORPERSON)
            before = dealer.topics["acts"]
            assert before == await acts(Role.DEALER)
            await act("sit", seat=3, person="Ada Lovelace")
            await asyncio.wait_for(dealer.until(lambda seen: seen["acts"] != before), 30)
            assert dealer.topics["acts"] == await acts(Role.DEALER), "each is shown the acts of the own role"
            await floor.socket.send(json.dumps({"type": "follow", "stream": "cage"}))
            await floor.until(lambda seen: seen["acts"]["stream"] == "cage")
            assert floor.topics["acts"] == await acts(Role.FLOORPERSON, "cage")
            await floor.socket.send(json.dumps({"type": "follow", "stream": "table of nobody"}))
            await floor.until(lambda seen: seen["acts"]["stream"] == "table of nobody")
            assert floor.topics["acts"]["acts"] == []

    in_house(work, tmp_path)


@pytest.mark.slow
def test_calls_proposals_and_tables_come_by_themselves_to_whoever_may_see_them(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        async with (
            following(house, Role.FLOORPERSON) as floor,
            following(house, Role.DEALER) as dealer,
            following(house, Role.PIT_CLERK) as clerk,
        ):
            for each in (floor, dealer, clerk):
                await each.next()
            table = f"table {NAME}"
            assert set(dealer.topics) == {"calls", "proposals"}
            assert set(floor.topics) == {"day", table, "notices", "books", "calls", "proposals"}
            assert [floor.topics[table]] == (await house.get("/api/floor", role=Role.FLOORPERSON)).json["tables"]
            assert clerk.topics[table]["figures"] is None
            assert clerk.topics["day"]["figures"] is None

            await expect(house, 200, CALL, None, Role.DEALER)
            await floor.until(lambda seen: seen["calls"]["calls"])
            (call,) = floor.topics["calls"]["calls"]
            assert (call["table"], call["name"], call["answered_at"]) == (NAME, "dealer one", 0)
            assert (await house.ask("DELETE", CALL, role=Role.FLOORPERSON)).status == 204
            await dealer.until(lambda seen: seen["calls"]["answered"])
            assert dealer.topics["calls"]["calls"] == []
            assert dealer.topics["calls"]["answered"][0]["answered_name"] == "floorperson one"

            command = {"do": "correct_payment", "corrects": 0, "seat": 3, "amount": 500, "reason": "too little"}
            body, keys = {"stream": table, "command": command}, {"Idempotency-Key": command_id()}
            made = (await expect(house, 201, "/api/proposals", body, Role.DEALER, keys)).json
            await floor.until(lambda seen: seen["proposals"])
            assert floor.topics["proposals"][0]["may_approve"] is True
            await dealer.until(lambda seen: seen["proposals"])
            assert dealer.topics["proposals"][0]["own"] is True
            refusal = f"/api/proposals/{made['id']}/refusal"
            await expect(house, 200, refusal, {"seen": made["hash"]}, Role.FLOORPERSON)
            await dealer.until(lambda seen: not seen["proposals"])
            assert clerk.topics["proposals"] == []

            keys = {"Idempotency-Key": command_id()}
            seating = {"do": "sit", "seat": 3, "person": "Ada Lovelace"}
            await expect(house, 200, f"/api/tables/{NAME}/acts", seating, Role.DEALER, keys)
            await clerk.until(lambda seen: 3 not in seen[table]["card"]["free"])
            keys = {"Idempotency-Key": command_id()}
            books = clerk.topics["books"]
            pit = {"do": "add_pit", "name": "north"}
            await expect(house, 200, "/api/books/house/acts", pit, Role.ADMINISTRATOR, keys)
            await clerk.until(lambda seen: seen["books"] > books)

    in_house(work, tmp_path)


@pytest.mark.slow
def test_a_line_answers_ends_with_its_session_and_is_for_staff_alone(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for other, status in ((None, 401), (Role.PARTICIPANT, 403)):
            is_problem(await house.ask("POST", "/api/house-tickets", role=other), status)
        async with following(house, Role.FLOORPERSON) as floor:
            first = await floor.next()
            await floor.socket.send('{"type": "ping"}')
            await floor.socket.send(
                json.dumps({"type": "do", "id": command_id(), "command": {"do": "order_recut", "reason": "x"}})
            )
            await floor.socket.send("not JSON")
            while len(floor.others) < 3:
                await floor.next()
            assert [each["type"] for each in floor.others] == ["pong", "problem", "problem"]
        async with following(house, Role.FLOORPERSON, run=first["run"], after=first["seq"]) as again:
            found = await again.next()
            assert (found["run"], found["after"]) == (first["run"], first["seq"])
            assert f"table {NAME}" not in found["set"], "nothing has happened there"
            assert (await house.ask("DELETE", "/api/session", role=Role.FLOORPERSON)).status == 204
            while not again.others:
                await again.next()
            assert (again.others[-1]["type"], again.others[-1]["why"]) == ("bye", "signed_off")

    in_house(work, tmp_path)


@pytest.mark.slow
def test_an_alert_comes_to_those_who_watch_and_to_nobody_else(tmp_path: Path) -> None:
    async def inner() -> None:
        async with visited(tmp_path, rounds=1) as here:
            house = await sign_everybody_on(here.live, here.address)
            await late_wager(here.table)
            await here.live.jobs.stop(job_name(NAME))  # the table alone: another job sends what is followed
            async with following(house, Role.SURVEILLANCE) as watch, following(house, Role.FLOORPERSON) as floor:
                await watch.until(lambda seen: any(each["kind"] == "late_wager" for each in seen.get("alerts", ())))
                assert watch.topics["alerts"] == (await house.get("/api/alerts", role=Role.SURVEILLANCE)).json["alerts"]
                await floor.next()
                assert "alerts" not in floor.topics
                assert floor.topics[f"table {NAME}"]["last"][0]["round"] == 1

    run_for(inner())


@pytest.mark.slow
def test_an_alert_is_pushed_while_somebody_watches(tmp_path: Path) -> None:
    async def inner() -> None:
        async with visited(tmp_path) as here:
            house = await sign_everybody_on(here.live, here.address)
            async with following(house, Role.REGULATOR) as watch:
                await watch.until(lambda seen: "alerts" in seen)
                assert watch.topics["alerts"] == []
                await play_round(here.table, here.client)
                await late_wager(here.table)
                await watch.until(lambda seen: seen["alerts"])

    run_for(inner())
