"""Who may ask for what: every role at every route, against a list written by hand; nobody sees what is another's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.record.directory import Directory
from baccarat.serve.access.session import SessionKind
from baccarat.serve.app import api_routes
from baccarat.serve.live import HouseServer
from baccarat.serve.route.visit import routes as visit_routes
from baccarat.serve.setting import Mode
from baccarat.table.role import Role
from house_of_roles import ROLES, Asked, open_tables, production, sign_everybody_on
from looked_at import concrete
from played import next_round, play_round
from served import run_for, served

pytestmark = pytest.mark.slow


def directory_of(live: HouseServer) -> Directory:
    """The names that a house of people has ids for."""
    assert live.house.names is not None
    return live.house.names


ALL = frozenset({None, *ROLES})
SIGNED_ON = frozenset(ROLES)
ADMIN = frozenset({Role.ADMINISTRATOR})
WATCHERS = ADMIN | {Role.SURVEILLANCE, Role.REGULATOR}
MANAGERS = WATCHERS | {Role.CASINO_SUPERVISOR, Role.PIT_BOSS}
OFFICE = MANAGERS | {Role.FLOORPERSON, Role.PIT_CLERK, Role.CAGE_CASHIER}
STAFF = OFFICE | {Role.DEALER}
ACTORS = STAFF - {Role.SURVEILLANCE, Role.REGULATOR}
AT_THE_TABLE = STAFF - {Role.ADMINISTRATOR, Role.CAGE_CASHIER}
CALLERS = frozenset({Role.DEALER, Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS})
SUPERVISORS = ADMIN | {Role.CASINO_SUPERVISOR}

MAY: dict[str, frozenset[Role | None]] = {
    "GET /api/tables": ALL,
    "GET /api/lobby": ALL,
    "GET /api/tables/{name}/sign": ALL,
    "GET /api/tables/{name}": ALL,
    "GET /api/tables/{name}/view": ALL,
    "GET /api/tables/{name}/moment": ALL,
    "GET /api/tables/{name}/held": SIGNED_ON,
    "GET /api/tables/{name}/shoes": ALL,
    "GET /api/tables/{name}/rounds": ALL,
    "GET /api/tables/{name}/shoes/{shoe}/rounds/{number}": ALL,
    "GET /api/tables/{name}/shoes/{shoe}/proof": ALL,
    "GET /api/tables/{name}/shoes/{shoe}": ALL,
    "GET /api/tables/{name}/roads": ALL,
    "GET /api/tables/{name}/roads.txt": ALL,
    "GET /api/tables/{name}/submission": ALL,
    "GET /api/tables/{name}/odds": ALL,
    "GET /api/clauses": ALL,
    "GET /api/tables/{name}/felt.svg": ALL,
    "GET /picture/deck.svg": ALL,
    "GET /picture/deck-4.svg": ALL,
    "GET /picture/chips.svg": ALL,
    "GET /picture/marks.svg": ALL,
    "GET /picture/felt/{file}": ALL,
    "GET /picture/road/{road}/{file}": ALL,
    "GET /picture/steps/{file}": ALL,
    "GET /picture/band.svg": ALL,
    "GET /picture/odds/{name}/{file}": ALL,
    "GET /api/submissions": ALL,
    "GET /api/submissions/{name}": ALL,
    "GET /api/submissions/{name}/odds": ALL,
    "GET /api/editions/{edition}/clauses": ALL,
    "GET /api/editions/{edition}/differences/{other}": ALL,
    "GET /api/coverage": ALL,
    "GET /api/drills/{name}": ALL,
    "POST /api/drills/{name}/exercise": ALL,
    "POST /api/drills/{name}/answer": ALL,
    "POST /api/drills/{name}/sheet.json": ALL,
    "POST /api/drills/{name}/sheet.csv": ALL,
    "POST /api/drills/{name}/sheet.html": ALL,
    "POST /api/lessons": ALL,
    "POST /api/lessons/{name}/round": ALL,
    "POST /api/lessons/{name}/end": ALL,
    "GET /api/meters": ALL,
    "GET /api/keys": ALL,
    "GET /api/exports/tables/{name}/rounds.csv": ALL,
    "GET /api/exports/tables/{name}/rounds.jsonl": ALL,
    "GET /api/own/rounds": SIGNED_ON,
    "GET /api/own/totals": SIGNED_ON,
    "GET /api/own/protection": SIGNED_ON,
    "POST /api/own/protection": SIGNED_ON,
    "GET /api/exports/own/rounds.csv": SIGNED_ON,
    "GET /api/exports/own/rounds.jsonl": SIGNED_ON,
    "POST /api/visit": ALL,
    "POST /api/session": ALL,
    "POST /api/administrator": ALL,
    "POST /api/tickets": ALL,
    "POST /api/house-tickets": STAFF,
    "POST /api/password": ALL,
    "POST /api/devices": ALL,
    "POST /api/devices/{device}/challenge": ALL,
    "POST /api/session/unlock": SIGNED_ON,
    "POST /api/session/password": SIGNED_ON,
    "GET /api/welcome": ALL,
    "GET /api/session": SIGNED_ON,
    "PUT /api/session/role": SIGNED_ON,
    "DELETE /api/session": SIGNED_ON,
    "POST /api/submissions/check": SIGNED_ON,
    "POST /api/tables/{name}/acts": SIGNED_ON,
    "POST /api/tables/{name}/chips": SIGNED_ON,
    "GET /api/tables/{name}/receipts/{seq}": SIGNED_ON,
    "GET /api/tables/{name}/work": AT_THE_TABLE,
    "POST /api/tables/{name}/outlook": AT_THE_TABLE,
    "GET /api/tables/{name}/rounds/{number}/corrigible": AT_THE_TABLE,
    "POST /api/tables/{name}/floor-call": CALLERS,
    "DELETE /api/tables/{name}/floor-call": CALLERS,
    "GET /api/floor-calls": STAFF,
    "GET /api/streams": WATCHERS,
    "GET /api/journal": WATCHERS,
    "GET /api/streams/{name}/journal": WATCHERS,
    "GET /api/streams/{name}/checkpoints": WATCHERS,
    "GET /api/streams/{name}/checkpoint": WATCHERS,
    "POST /api/streams/{name}/checkpoint": WATCHERS,
    "GET /api/streams/{name}/witness-request": WATCHERS,
    "POST /api/streams/{name}/cosignatures": WATCHERS,
    "GET /api/tables/{name}/shoes/{shoe}/bundle": WATCHERS,
    "GET /api/tables/{name}/shoes/{shoe}/rounds/{number}/bundle": WATCHERS,
    "GET /api/access-log": WATCHERS,
    "GET /api/tables/{name}/shoes/{shoe}/replay": WATCHERS,
    "GET /api/tables/{name}/shoes/{shoe}/search": WATCHERS,
    "GET /api/tables/{name}/shoes/{shoe}/rounds/{number}/card": WATCHERS,
    "GET /api/streams/{name}/signed": WATCHERS,
    "GET /api/alerts": WATCHERS,
    "POST /api/streams/{name}/audit": WATCHERS,
    "GET /api/audits/{audit}": WATCHERS,
    "GET /api/audits/{audit}/discretion": WATCHERS,
    "GET /api/day": MANAGERS,
    "GET /api/days": MANAGERS,
    "GET /api/exports/day.csv": MANAGERS,
    "GET /api/exports/day.jsonl": MANAGERS,
    "GET /api/pits": OFFICE,
    "GET /api/notices": OFFICE,
    "GET /api/forms": OFFICE,
    "GET /api/cage": MANAGERS | {Role.CAGE_CASHIER},
    "GET /api/cage/slips": MANAGERS | {Role.CAGE_CASHIER},
    "GET /api/floor": OFFICE,
    "GET /api/me/acts": STAFF,
    "GET /api/forms/{serial}": frozenset({Role.PIT_CLERK, Role.PIT_BOSS, Role.CASINO_SUPERVISOR}),
    "GET /api/editions": ALL,
    "GET /api/editions/{edition}/options": ALL,
    "GET /api/tables/{name}/filed": MANAGERS | {Role.FLOORPERSON},
    "POST /api/tables/{name}/plan": MANAGERS | {Role.FLOORPERSON},
    "POST /api/submissions/odds": MANAGERS | {Role.FLOORPERSON},
    "POST /api/books/{stream}/acts": ACTORS,
    "POST /api/proposals": ACTORS,
    "GET /api/proposals": STAFF,
    "GET /api/proposals/{proposal}": STAFF,
    "POST /api/proposals/{proposal}/approval": ACTORS,
    "POST /api/proposals/{proposal}/step-up": ACTORS,
    "POST /api/proposals/{proposal}/refusal": ACTORS,
    "GET /api/people": ADMIN,
    "POST /api/people": ADMIN,
    "GET /api/people/{person}": ADMIN,
    "PATCH /api/people/{person}": ADMIN,
    "DELETE /api/people/{person}": ADMIN,
    "POST /api/people/{person}/link": ADMIN,
    "GET /api/people/{person}/sessions": ADMIN,
    "DELETE /api/sessions/{session}": SUPERVISORS,
    "GET /api/devices": SUPERVISORS,
    "POST /api/devices/code": SUPERVISORS,
    "DELETE /api/devices/{device}": SUPERVISORS,
}
"""Every route of the interface, and who may ask in a house for real tables; None is whoever is not signed on."""
OPEN_IN_PRACTICE = frozenset({
    "GET /api/streams", "GET /api/journal", "GET /api/streams/{name}/journal", "GET /api/streams/{name}/checkpoints",
    "GET /api/streams/{name}/checkpoint", "GET /api/streams/{name}/signed",
    "GET /api/tables/{name}/shoes/{shoe}/bundle", "GET /api/tables/{name}/shoes/{shoe}/rounds/{number}/card",
    "GET /api/tables/{name}/shoes/{shoe}/rounds/{number}/bundle", "GET /api/day", "GET /api/days",
    "GET /api/exports/day.csv",
    "GET /api/exports/day.jsonl",
})  # fmt: skip
ENDS = "DELETE /api/session"
DENIED = (401, 403)


def routes() -> set[str]:
    """Every route that the program has."""
    found = set[str]()
    for handler in (*api_routes(), *visit_routes):
        for path in getattr(handler, "paths", ()):
            plain = path.replace(":str}", "}").replace(":int}", "}")
            found |= {f"{method} {plain}" for method in getattr(handler, "http_methods", ())}
    return found


def test_the_list_names_every_route() -> None:
    assert routes() == set(MAY)


async def is_let_in(house: Asked, name: str, role: Role | None) -> bool:
    """Whether a role comes past the entrance of a route: what it asks for is empty, and mostly refused further in."""
    method, path = name.split(" ")
    body: Any = None if method in ("GET", "DELETE") else {}
    found = await house.ask(method, concrete(path), body, role=role)
    assert found.status < 500, (name, role, found)
    assert found.status < 400 or found.headers["content-type"] == "application/problem+json", (name, role, found)
    if found.status == 401:
        assert found.headers["www-authenticate"] == "Bearer"
    return found.status not in DENIED


@pytest.mark.parametrize("is_practice", [False, True], ids=["production", "practice"])
def test_each_role_is_let_in_where_the_list_says_and_nowhere_else(is_practice: bool, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **({} if is_practice else production(tmp_path))) as (live, address):
            house = await sign_everybody_on(live, address)
            if not is_practice:
                await open_tables(house, "ma-midi-4")
            wrong = list[str]()
            for name, allowed in MAY.items():
                if name in (ENDS, "POST /api/visit"):
                    continue
                for role in ALL:
                    expected = role in allowed or (is_practice and name in OPEN_IN_PRACTICE)
                    if await is_let_in(house, name, role) is not expected:
                        wrong.append(f"{role}: {name}, expected {expected}")
            assert not wrong, "\n".join(sorted(wrong))

    run_for(work())


def test_what_is_denied_to_a_known_person_is_in_the_access_log(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            assert (await house.get("/api/people", role=Role.DEALER)).status == 403
            await live.house.writer.wait_until_flushed()
            log = (await house.get("/api/access-log?limit=100", role=Role.REGULATOR)).json["lines"]
            denials = [each for each in log if each["what"] == "denied"]
            assert [(each["person"], each["about"]) for each in denials] == [
                (house.people[Role.DEALER], "wrong_role /api/people")
            ]

    run_for(work())


def test_a_participant_sees_nothing_of_another_in_any_answer(tmp_path: Path) -> None:
    """Two visitors play; then the house is taken for one with real tables, and each role asks for everything."""

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as one, Client(address) as other:
            house = await sign_everybody_on(live, address)
            await one.visit()
            await other.visit()
            async with one.table("ma-midi-4") as table, other.table("ma-midi-4") as beside:
                assert (await beside.do("sit", seat=5)).is_done
                await other.buy_in("ma-midi-4", 7_654_300)
                await play_round(table, one)
                await next_round(table)
                await live.house.writer.wait_until_flushed()
                live.setting = replace(live.setting, mode=Mode.PRODUCTION)
                await look_at_everything(house)

    run_for(work())


FORM = {"serial": 1, "amount": 100, "dealer": "x", "pit_boss": "y", "pit_clerk": "z"}
NAMING: list[dict[str, Any]] = [
    {"do": "come_on", "person": "dealer one"},
    {"do": "come_on", "person": "nobody", "instead_of": " DEALER  One "},
    {"do": "document_vigorish", "seat": 2, "form": {**FORM, "patron": "dealer one"}},
    {"do": "pay_goodwill", "seat": 2, "amount": 100, "reason": "x", "patron": "dealer one"},
]


@pytest.mark.parametrize("act", NAMING, ids=lambda act: act["do"])
@pytest.mark.parametrize("role", [Role.PARTICIPANT, Role.CAGE_CASHIER], ids=lambda role: role.value)
def test_nobody_has_a_name_turned_into_an_id_by_an_act_that_is_not_his(
    role: Role, act: dict[str, Any], tmp_path: Path
) -> None:
    """The record of a refused act has ids in place of names, and its receipt is for whoever was refused."""

    async def work() -> None:
        async with served(tmp_path) as (live, address):
            house = await sign_everybody_on(live, address)
            before = len(directory_of(live).entries)
            path, headers = "/api/tables/ma-midi-4/acts", {"Idempotency-Key": command_id()}
            answer = await house.ask("POST", path, act, role=role, headers=headers)
            assert answer.status == 403, answer
            assert house.people[Role.DEALER] not in answer.text
            await live.house.writer.wait_until_flushed()
            rows = live.store.entries(table_stream("ma-midi-4"), after=-1, limit=100)
            assert not [row for row in rows if house.people[Role.DEALER].encode() in row.body]
            assert len(directory_of(live).entries) == before, "nobody is entered in the directory"

    run_for(work())


def test_a_proposal_that_is_not_his_enters_nobody_in_the_directory(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address):
            house = await sign_everybody_on(live, address)
            before = len(directory_of(live).entries)
            command = {"do": "issue_coupons", "first": 1, "last": 2, "value": 100, "patron": "A. Patron"}
            body, headers = {"stream": "coupons", "command": command}, {"Idempotency-Key": command_id()}
            answer = await house.ask("POST", "/api/proposals", body, role=Role.DEALER, headers=headers)
            assert answer.status == 403, answer
            assert len(directory_of(live).entries) == before

    run_for(work())


async def look_at_everything(house: Asked) -> None:
    """A participant at seat 2, one who does not sit, and the public ask for everything that can be looked at."""
    seats = house.live.rooms["ma-midi-4"].state.seats.participants
    own, other = seats[1], seats[4]
    assert own is not None
    assert other is not None
    token = await token_of(house.live, own.who)
    for name in MAY:
        method, path = name.split(" ")
        if method != "GET":
            continue
        for asks_with, role in ((token, None), ("", Role.PARTICIPANT), ("", None)):
            found = await house.ask("GET", concrete(path), role=role, token=asks_with)
            assert other.who not in found.text, name
            assert str(other.chips) not in found.text, name
            assert "7654300" not in found.text, name
            assert asks_with or own.who not in found.text, name
    round_ = (await house.get("/api/tables/ma-midi-4/shoes/1/rounds/1", token=token)).json
    bought = [each["event"] for each in round_["events"] if each["event"]["event"] == "bought_in"]
    assert [(each["seat"], each.get("amount")) for each in bought] == [(5, None), (2, 100_000)]
    watcher = (await house.get("/api/tables/ma-midi-4/shoes/1/rounds/1", role=Role.SURVEILLANCE)).text
    assert "7654300" in watcher, "whoever may see it does"


async def token_of(live: Any, person: str) -> str:
    """A session of a visitor of a practice house, as a person who is signed on."""
    from baccarat.serve.access.session import open_session  # noqa: PLC0415

    issued = await live.desk.change(
        lambda reads, now: open_session(
            reads, person=person, role=Role.PARTICIPANT, now=now, lifetimes=live.desk.lifetimes, kind=SessionKind.PERSON
        )
    )
    token: str = issued.token.reveal()
    return token


def test_whoever_takes_a_seat_later_does_not_see_what_the_one_before_had_there(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as one, Client(address) as other:
            house = await sign_everybody_on(live, address)
            await one.visit()
            await other.visit()
            async with one.table("ma-midi-4") as table:
                await play_round(table, one, seat=2)
                await table.until(lambda view: view["state"]["step"] == "wager")
                assert (await table.do("leave", seat=2)).is_done
            async with other.table("ma-midi-4") as table:
                await play_round(table, other, seat=2)
            await live.house.writer.wait_until_flushed()
            second = next(held.who for held in live.rooms["ma-midi-4"].state.seats.participants if held)
            token = await token_of(live, second)
            first_round = (await house.get("/api/tables/ma-midi-4/shoes/1/rounds/1", token=token)).json
            own = (await house.get("/api/tables/ma-midi-4/shoes/1/rounds/2", token=token)).json
            assert first_round["seat"] == 0
            bought = [each["event"] for each in first_round["events"] if each["event"]["event"] == "bought_in"]
            assert [each.get("amount") for each in bought] == [None]
            assert own["seat"] == 2
            bought = [each["event"] for each in own["events"] if each["event"]["event"] == "bought_in"]
            assert [each.get("amount") for each in bought] == [100_000]

    run_for(work())
