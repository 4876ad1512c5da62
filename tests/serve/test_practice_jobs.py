"""Every job of the house in a practice house, over HTTP: each role does what it does in a house for real tables."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from baccarat.cards import decks
from baccarat.client import Client, TableClient, command_id
from baccarat.house.cage import drop_box_of, tray_of
from baccarat.house.filed_rules import file_rules
from baccarat.house.stream import Stream, stream_kind
from baccarat.law.rulebook import rulebook
from baccarat.ledger import AT_LARGE
from baccarat.serve.access.link import VISITOR_ROLES
from baccarat.serve.access.may import NAMED_STREAMS, RULES
from baccarat.serve.job.practice_day import NextDay
from baccarat.serve.live import HouseServer
from baccarat.serve.setting import FORMS_TRAINING, TRAINING
from baccarat.table.automation import command_for
from baccarat.table.role import GUESTS, SPECTATORS, Role
from baccarat.table.source import KeyedCards
from baccarat.table.state import TableState
from played import play_round
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow

WORKERS = tuple(role for role in VISITOR_ROLES if role not in GUESTS | SPECTATORS)
STREAMS = tuple(
    Stream(name)
    for name in (
        f"table {TRAINING}", f"table {FORMS_TRAINING}", f"pit {TRAINING}", "cage", "forms", "coupons", "day",
    )
)  # fmt: skip
WITHOUT_LINKS = {"set_next_terms"}
"""No tables of a practice house are linked."""
SUPERVISOR, BOSS, FLOOR, CLERK = Role.CASINO_SUPERVISOR, Role.PIT_BOSS, Role.FLOORPERSON, Role.PIT_CLERK
CASHIER, DEALER, PARTICIPANT = Role.CAGE_CASHIER, Role.DEALER, Role.PARTICIPANT


class Crew:
    """A visitor in every role of a practice house."""

    def __init__(self, live: HouseServer, people: dict[Role, Client]) -> None:
        self.live, self.people = live, people

    async def ask(self, role: Role, method: str, path: str, body: Any = None, **params: Any) -> Any:
        """A request that is answered."""
        headers = {"Idempotency-Key": command_id()}
        try:
            return await self.people[role].ask(method, path, json=body, params=params, headers=headers)
        except httpx.HTTPStatusError as error:
            error.add_note(f"{role.value}: {body}: {error.response.text}")
            raise

    async def status(self, role: Role, path: str, body: Any) -> tuple[int, str]:
        """How a request is answered: its status and its code."""
        try:
            await self.ask(role, "POST", path, body)
        except httpx.HTTPStatusError as error:
            return error.response.status_code, error.response.json()["code"]
        return 200, ""

    async def acts(self, role: Role, stream: Stream) -> dict[str, Any]:
        """What a role may do in a stream, by name."""
        return {each["act"]: each for each in (await self.ask(role, "GET", "/api/me/acts", stream=stream))["acts"]}

    async def do(self, role: Role, stream: str, act: str, /, **fields: Any) -> None:
        """An act of one person."""
        kind, _, name = stream.partition(" ")
        path = f"/api/tables/{name}/acts" if kind == "table" else f"/api/books/{stream.replace(' ', '%20')}/acts"
        await self.ask(role, "POST", path, {"do": act, **fields})

    async def together(self, role: Role, second: Role, stream: str, act: str, /, **fields: Any) -> None:
        """An act of two persons, proposed by one and approved by the other, who sees it wait."""
        listed = (await self.acts(role, Stream(stream)))[act]
        assert second.value in listed["approvers"], f"the second person: {listed}"
        body = {"stream": stream, "command": {"do": act, **fields}}
        made = await self.ask(role, "POST", "/api/proposals", body)
        seen = {each["id"]: each for each in (await self.ask(second, "GET", "/api/proposals"))["proposals"]}
        assert seen[made["id"]]["may_approve"]
        assert seen[made["id"]]["refused"] is None, seen[made["id"]]["refused"]
        await self.ask(second, "POST", f"/api/proposals/{made['id']}/approval", {"seen": made["hash"]})

    async def draft(self, role: Role, stream: str, act: str) -> dict[str, Any]:
        """What the house fills in of an act that is open."""
        found = (await self.acts(role, Stream(stream)))[act]
        assert found["open"], found["refused"]
        return dict(found["drafts"][0])


@asynccontextmanager
async def crew(folder: Path, **settings: Any) -> AsyncIterator[Crew]:
    """A new practice house with a visitor in every role; afterwards its journal passes the audit."""
    async with served(folder, **settings) as (live, address), AsyncExitStack() as stack:
        people = dict[Role, Client]()
        for role in VISITOR_ROLES:
            people[role] = await stack.enter_async_context(Client(address))
            await people[role].visit(role)
        yield Crew(live, people)
        await live.house.writer.wait_until_flushed()
        audited(live, folder)


def test_every_role_is_offered_every_act_of_the_role_and_never_told_that_it_only_visits(tmp_path: Path) -> None:
    async def work() -> None:
        async with crew(tmp_path) as house:
            for role in WORKERS:
                found = {act: each for stream in STREAMS for act, each in (await house.acts(role, stream)).items()}
                kinds = {stream_kind(stream) if stream_kind(stream) in NAMED_STREAMS else stream for stream in STREAMS}
                own = {name for name, rule in RULES.items() if role in rule.roles and rule.stream in kinds}
                assert set(found) == own
                assert {name for name, rule in RULES.items() if role in rule.roles} - own <= WITHOUT_LINKS
                for act, each in found.items():
                    why = (each["refused"] or {"say": ""})["say"]
                    assert "isitors" not in why, (role, act, why)
                    assert "onsole" not in why, (role, act, why)
                    assert not re.search("person-[0-9a-f]{32}", why, re.IGNORECASE), (role, act, why)

    run_for(work())


def test_visitors_run_a_whole_day_with_its_papers_and_close_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with crew(tmp_path) as house:
            await file_a_limit(house)
            await move_chips(house)
            await issue_coupons(house)
            async with house.people[DEALER].table(TRAINING) as dealt, house.people[PARTICIPANT].table(TRAINING) as seat:
                await sit_down(house, TRAINING, seat)
                assert (await dealt.do("come_on", instead_of="dealer")).is_done
                await deal_until(house, TRAINING, dealt, is_owed, coupon=7)
                here = f"table {TRAINING}"
                await house.together(FLOOR, CASHIER, here, "pay_goodwill", seat=3, amount=25_00, reason="waited")
                await report_an_exception(house, dealt)
            async with (
                house.people[DEALER].table(FORMS_TRAINING) as dealt,
                house.people[PARTICIPANT].table(FORMS_TRAINING) as seat,
            ):
                await sit_down(house, FORMS_TRAINING, seat)
                assert (await dealt.do("come_on", instead_of="dealer")).is_done
                await deal_until(house, FORMS_TRAINING, dealt, is_owed)
                await write_forms(house)
                assert (await seat.do("leave", seat=3)).is_done
            await house.do(CASHIER, "cage", "cash_out", amount=house.live.house.state.ledger.cents(AT_LARGE))
            async with house.people[PARTICIPANT].table("ma-midi-4") as seat:
                await play_round(seat, house.people[PARTICIPANT])
            await close_the_day(house)

    run_for(work())


async def file_a_limit(house: Crew) -> None:
    """The pit boss notifies, files a changed limit and opens a table; the floorperson puts the limit in force."""
    notice = {"to": "surveillance", "pit": TRAINING, "option": "reshuffle_after_lace", "value": "washed"}
    await house.do(BOSS, f"pit {TRAINING}", "give_notice", notice=notice)
    draft = (await house.ask(BOSS, "GET", f"/api/tables/{TRAINING}/filed"))["submission"]
    draft["limits"]["player"]["max"] = "$2,500.00"
    plan = await house.ask(SUPERVISOR, "POST", f"/api/tables/{TRAINING}/plan", draft)
    assert plan["refused"] is None
    filed = {"changes": plan["changes"], "effective": plan["earliest"], "tables": [TRAINING]}
    await house.do(SUPERVISOR, f"pit {TRAINING}", "change_options", **filed)
    before = house.live.house.state.playing[TRAINING].hash
    await house.do(
        FLOOR, f"table {TRAINING}", "adopt_rules", **await house.draft(FLOOR, f"table {TRAINING}", "adopt_rules")
    )
    assert house.live.house.state.playing[TRAINING].hash != before
    limits = house.live.house.state.rules(TRAINING).elections.limits
    assert limits is not None
    assert limits["player"].max == 2_500_00
    opened = {"cards": "real", "filed": msgspec.to_builtins(file_rules(rulebook("ma-midi-4")), enc_hook=str)}
    path = f"/api/books/pit%20{TRAINING}/acts"
    elsewhere = {"do": "open_table", "table": "for everybody", **opened}
    assert await house.status(BOSS, path, elsewhere) == (403, "for_those_who_play")
    await house.do(BOSS, f"pit {TRAINING}", "open_table", table="training-third", **opened)
    assert "training-third" in house.live.rooms
    assert await house.status(BOSS, "/api/books/pit%20ma-midi-4/acts", {"do": "give_notice", "notice": notice}) == (
        403, "for_those_who_play",
    )  # fmt: skip


async def move_chips(house: Crew) -> None:
    """A fill and a credit, each by two; a count by the dealer and the pit clerk; nobody moves those of other tables."""
    sent = house.live.house.state.cage.sent[TRAINING]
    await house.together(FLOOR, CASHIER, "cage", "fill_tray", table=TRAINING, chips={"chips": {"2500": 40}})
    await house.together(BOSS, CASHIER, "cage", "credit_tray", table=TRAINING, chips={"chips": {"100": 5}})
    assert house.live.house.state.cage.sent[TRAINING] == sent + 995_00
    other = {"stream": "cage", "command": {"do": "fill_tray", "table": "ma-midi-4", "chips": {"chips": {"100": 5}}}}
    assert await house.status(FLOOR, "/api/proposals", other) == (403, "for_those_who_play")


async def issue_coupons(house: Crew) -> None:
    who = house.people[PARTICIPANT].who
    await house.together(SUPERVISOR, CASHIER, "coupons", "issue_coupons", first=7, last=8, value=25_00, patron=who)
    await house.together(SUPERVISOR, CASHIER, "coupons", "cancel_coupons", first=8, last=8, reason="printed twice")


async def sit_down(house: Crew, table: str, seat: TableClient) -> None:
    assert (await seat.do("sit", seat=3)).is_done
    await house.people[PARTICIPANT].buy_in(table, 50_00)


async def deal_until(
    house: Crew, name: str, dealt: TableClient, is_so: Callable[[TableState], bool], *, coupon: int = 0
) -> None:
    """The visiting dealer deals real cards to Banker wagers of the participant until something is so."""
    table = house.live.house.table(name)
    size = table.rules.elections.decks or 0
    source = KeyedCards(lambda _: tuple(decks(size)), in_front=26 * size)
    while not is_so(table.state):
        due = next((each for each in table.expected if not each.optional), None)
        if table.state.step == "wager" and not table.state.round.wagers:
            paper = {"coupon": 25_00, "coupon_number": coupon} if coupon else {}
            await house.do(PARTICIPANT, f"table {name}", "place_wager", seat=3, on="banker", stake=25_00, **paper)
            coupon = 0
        elif due is None or due.by not in (DEALER, PARTICIPANT):
            await asyncio.sleep(0.01)  # the program is the floor here
        else:
            fields = msgspec.to_builtins(command_for(table, due, source))
            await house.do(due.by, f"table {name}", fields.pop("do"), **fields)


def is_owed(state: TableState) -> bool:
    """Whether vigorish of seat 3 is marked, and the next round takes wagers."""
    return bool(state.money.markers.get(3)) and state.step == "wager"


async def report_an_exception(house: Crew, dealt: TableClient) -> None:
    """The participant stakes all chips until they are lost: what is owed cannot be paid, so two persons report it."""
    here, table = f"table {TRAINING}", house.live.house.table(TRAINING)
    while (person := table.state.at(3)) is not None and person.chips:
        number = table.state.round.number
        await house.do(PARTICIPANT, here, "place_wager", seat=3, on="player", stake=person.chips)
        await deal_until(house, TRAINING, dealt, lambda state, number=number: state.round.number > number)  # type: ignore[misc]
    await house.together(FLOOR, SUPERVISOR, here, "report_exception", seat=3, reason="cannot pay")


async def write_forms(house: Crew) -> None:
    """The pit clerk has a pad, spoils a form, misses one with the pit boss, and waives vigorish by the next; accounting
    has them, and what was waived is booked."""
    here = f"table {FORMS_TRAINING}"
    await house.do(CLERK, here, "receive_forms", **await house.draft(CLERK, here, "receive_forms"))
    await house.together(CLERK, BOSS, here, "void_form", serial=1)
    await house.together(CLERK, BOSS, here, "miss_form", serial=2, reason="not in the pad")
    form = (await house.draft(CLERK, here, "document_vigorish"))["form"]
    signed = {**form, "patron_signed": True, "pit_boss": house.people[BOSS].who}
    await house.together(CLERK, BOSS, here, "document_vigorish", seat=3, form=signed)
    booked = (await house.draft(CLERK, "day", "book_complimentary"))["booked"]
    await house.do(CLERK, "day", "book_complimentary", booked={**booked, "code": "C-1"})
    await house.do(CLERK, "forms", "forward_forms")


async def close_the_day(house: Crew) -> None:
    """Visitors count what belongs to the training tables, the program the rest; nobody plays until a day begins."""
    state = house.live.house.state
    kept_open = (await house.acts(SUPERVISOR, Stream("day")))["close_day"]
    assert not kept_open["open"]
    assert "ma-midi-4" not in kept_open["refused"]["say"], "the program counts what it deals"
    for table in [name for name in state.tables if name.startswith(TRAINING)]:
        if table in state.cage.trays:
            lies = state.ledger.cents(tray_of(table))
            counted = {"chips": {"1": lies % 100_00, "10000": lies // 100_00}}
            await house.together(DEALER, FLOOR, "cage", "count_tray", table=table, counted=counted)
        if dropped := state.ledger.cents(drop_box_of(table)):
            await house.together(CASHIER, SUPERVISOR, "cage", "count_drop", table=table, counted=dropped)
    await house.together(CASHIER, SUPERVISOR, "coupons", "count_coupons", table=TRAINING, numbers=[7])
    await house.do(SUPERVISOR, "day", "close_day", **await house.draft(SUPERVISOR, "day", "close_day"))
    assert house.live.house.state.day.is_closed
    path = f"/api/tables/{TRAINING}/acts"
    assert (await house.status(PARTICIPANT, path, {"do": "sit", "seat": 4}))[0] == 409
    await house.do(SUPERVISOR, "day", "open_day", **await house.draft(SUPERVISOR, "day", "open_day"))
    assert (await house.status(PARTICIPANT, path, {"do": "sit", "seat": 4}))[0] == 200


def test_a_day_that_nobody_begins_is_begun_by_the_program(tmp_path: Path) -> None:
    async def work() -> None:
        async with crew(tmp_path) as house:
            for table in (TRAINING, FORMS_TRAINING):
                lies = house.live.house.state.ledger.cents(tray_of(table))
                counted = {"chips": {"10000": lies // 100_00}}
                await house.together(DEALER, FLOOR, "cage", "count_tray", table=table, counted=counted)
            await house.do(SUPERVISOR, "day", "close_day")
            now = [0.0]
            waits = NextDay(house.live, after=60.0, clock=lambda: now[0])
            assert not waits.begin_if_due()
            now[0] = 59.0
            assert not waits.begin_if_due()
            assert house.live.house.state.day.is_closed
            now[0] = 60.0
            assert waits.begin_if_due()
            await soon(lambda: house.live.house.state.day.number == 2)

    run_for(work())


def test_a_visitor_is_another_person_in_a_second_window(tmp_path: Path) -> None:
    """The browser's cookie stays; the token of the second window is in the answer, and only in a practice house."""

    async def work() -> None:
        async with served(tmp_path) as (_live, address), httpx.AsyncClient(base_url=address) as browser:
            first = (await browser.post("/api/visit", json={"role": "floorperson"})).json()
            cookie = dict(browser.cookies)
            assert "token" not in first
            made = await browser.post("/api/visit", json={"role": "cage cashier", "second_window": True})
            second = made.json()
            assert "set-cookie" not in made.headers
            assert second["who"] != first["who"]
            bearer = {"Authorization": f"Bearer {second['token']}"}
            assert (await browser.get("/api/session", headers=bearer)).json()["role"] == "cage cashier"
            body = {"role": "pit boss", "second_window": True}
            changed = await browser.put("/api/session/role", json=body, headers=bearer)
            assert "set-cookie" not in changed.headers
            bearer = {"Authorization": f"Bearer {changed.json()['token']}"}
            assert (await browser.get("/api/session", headers=bearer)).json()["role"] == "pit boss"
            assert dict(browser.cookies) == cookie
            assert (await browser.get("/api/session")).json()["who"] == first["who"]

    run_for(work())
