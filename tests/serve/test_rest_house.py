"""The house behind the tables, by REST: books, notices with their thirty minutes, acts of two persons, people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from access_house import PASSWORD
from baccarat.client import command_id
from baccarat.house.filed_rules import file_rules
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.store.base import Batch
from baccarat.table.role import Role
from house_of_roles import Answer, Asked, is_problem, open_tables, production, sign_everybody_on
from served import audited, run_for, served

pytestmark = pytest.mark.slow

SUBMISSION = "nj-punto-banco"


def in_house(work: Any, tmp_path: Path) -> None:
    """Ask a house for real tables; its whole journal passes the audit afterwards."""

    async def inner() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            await work(await sign_everybody_on(live, address))
            await live.house.writer.wait_until_flushed()
            if live.house.journal.heads:
                audited(live, tmp_path)

    run_for(inner())


async def do(house: Asked, stream: str, role: Role, act: str, *, key: str = "", **fields: Any) -> Answer:
    """An act in a book."""
    path = f"/api/books/{stream.replace(' ', '%20')}/acts"
    headers = {"Idempotency-Key": key or command_id()}
    return await house.ask("POST", path, {"do": act, **fields}, role=role, headers=headers)


async def propose(house: Asked, stream: Stream, role: Role, act: str, **fields: Any) -> dict[str, Any]:
    """A proposal that was taken."""
    body, headers = {"stream": stream, "command": {"do": act, **fields}}, {"Idempotency-Key": command_id()}
    found = await house.ask("POST", "/api/proposals", body, role=role, headers=headers)
    assert found.status == 201, found
    told: dict[str, Any] = found.json
    return told


async def approve(house: Asked, proposal: dict[str, Any], role: Role, **more: Any) -> Answer:
    """An approval of what was seen."""
    path = f"/api/proposals/{proposal['id']}/approval"
    return await house.ask("POST", path, {"seen": proposal["hash"], **more}, role=role)


# --------------------------------------------------------------------------------------------- two persons


def test_an_act_of_two_persons_is_proposed_by_one_approved_by_another_and_entered_once(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        alone = await do(house, "cage", Role.ADMINISTRATOR, "bring_bankroll", amount=1_000_000_00)
        assert is_problem(alone, 409)["clauses"]
        made = await propose(house, Stream("cage"), Role.ADMINISTRATOR, "bring_bankroll", amount=1_000_000_00)
        assert made["approvers"] == ["cage cashier"]
        is_problem(await approve(house, made, Role.ADMINISTRATOR), 403, "same_person")
        is_problem(await approve(house, made, Role.PIT_BOSS), 403, "may_not_approve")
        is_problem(await approve(house, {**made, "hash": "0" * 64}, Role.CAGE_CASHIER), 409, "command_changed")
        waiting = (await house.get("/api/proposals?stream=cage", role=Role.CAGE_CASHIER)).json["proposals"]
        assert [each["id"] for each in waiting] == [made["id"]]
        assert (await house.get("/api/proposals?stream=cage", role=Role.DEALER)).json["proposals"] == []
        done = await approve(house, made, Role.CAGE_CASHIER)
        assert done.status == 200, done
        again = await approve(house, made, Role.CAGE_CASHIER)
        assert again.json == {**done.json, "repeat": True}
        assert (await house.get("/api/cage", role=Role.CAGE_CASHIER)).json["bankroll"] == 1_000_000_00
        entry = house.live.store.entry(Stream("cage"), done.json["seq"])
        assert entry is not None
        record = read_body(entry.body)
        assert isinstance(record, ActRecord)
        assert record.who == house.people[Role.ADMINISTRATOR]
        assert [each.who for each in record.approvals] == [house.people[Role.CAGE_CASHIER]]

    in_house(work, tmp_path)


def test_the_approval_and_the_record_are_stored_in_one_batch(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        live, batches = house.live, list[Batch]()
        append = live.store.append

        def noted(batch: Batch) -> None:
            batches.append(batch)
            append(batch)

        live.store.append = noted  # type: ignore[method-assign]
        made = await propose(house, Stream("cage"), Role.ADMINISTRATOR, "bring_bankroll", amount=500_00)
        assert (await approve(house, made, Role.CAGE_CASHIER)).status == 200
        live.store.append = append  # type: ignore[method-assign]
        with_record = [each for each in batches if any(row.stream == "cage" for row in each.rows)]
        approving = [each for each in batches if any(_approves(one) for one in each.statements)]
        assert len(with_record) == 1
        assert approving == with_record

    in_house(work, tmp_path)


def _approves(statement: Any) -> bool:
    return "update proposal" in statement.sql and "approved" in statement.params


def test_a_second_person_steps_up_at_the_console_of_the_first(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        made = await propose(house, Stream("cage"), Role.ADMINISTRATOR, "bring_bankroll", amount=500_00)
        path = f"/api/proposals/{made['id']}/step-up"
        given = {"seen": made["hash"], "name": "cage cashier one", "password": PASSWORD, "role": "cage cashier"}
        wrong = await house.ask("POST", path, {**given, "password": "not this one"}, role=Role.ADMINISTRATOR)
        is_problem(wrong, 401, "wrong_sign_on")
        done = await house.ask("POST", path, given, role=Role.ADMINISTRATOR)
        assert done.status == 200, done

    in_house(work, tmp_path)


def test_a_proposal_that_is_declined_is_not_entered(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        made = await propose(house, Stream("cage"), Role.ADMINISTRATOR, "bring_bankroll", amount=500_00)
        path = f"/api/proposals/{made['id']}/refusal"
        found = await house.ask("POST", path, {"seen": made["hash"]}, role=Role.CAGE_CASHIER)
        assert found.json["state"] == "declined"
        is_problem(await approve(house, made, Role.CAGE_CASHIER), 409, "declined")
        assert (await house.get("/api/cage", role=Role.CAGE_CASHIER)).json["bankroll"] == 0

    in_house(work, tmp_path)


# --------------------------------------------------------------------------------------------------- books


def test_an_act_sent_again_is_done_once_and_another_under_its_key_is_refused(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        key = command_id()
        once = await do(house, "house", Role.ADMINISTRATOR, "add_pit", name="east", key=key)
        again = await do(house, "house", Role.ADMINISTRATOR, "add_pit", name="east", key=key)
        other = await do(house, "house", Role.ADMINISTRATOR, "add_pit", name="west", key=key)
        assert once.json["repeat"] is False
        assert again.json == {**once.json, "repeat": True}
        is_problem(other, 409, "repeated_id")
        assert is_problem(await do(house, "house", Role.ADMINISTRATOR, "add_pit", name="east"), 409)["clauses"]
        names = [each["name"] for each in (await house.get("/api/pits", role=Role.PIT_CLERK)).json["pits"]]
        assert "east" in names
        assert "west" not in names

    in_house(work, tmp_path)


def test_a_table_opens_thirty_minutes_after_its_notices_and_not_before(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        live, now = house.live, house.live.desk.now // 1_000_000
        await do(house, "house", Role.ADMINISTRATOR, "add_pit", name="east")
        rules = rulebook(SUBMISSION)
        filed = msgspec.to_builtins(file_rules(rules), enc_hook=str)
        for law in rules.edition.notices:
            for option in law.options:
                for whom in law.to:
                    notice = {"to": whom, "pit": "east", "option": option, "value": rules.elects(option)}
                    early = {**notice, "sent": now - 3600}
                    is_problem(await do(house, "pit east", Role.PIT_BOSS, "give_notice", notice=early), 400)
                    assert (await do(house, "pit east", Role.PIT_BOSS, "give_notice", notice=notice)).status == 200
        at = [each["sent"] for each in (await house.get("/api/notices?limit=100", role=Role.REGULATOR)).json["notices"]]
        assert max(at) - now < 60
        opens: dict[str, Any] = {"table": "east 1", "filed": filed, "cards": "real"}
        is_problem(await do(house, "pit east", Role.PIT_BOSS, "open_table", effective=now - 3600, **opens), 400)
        soon = await do(house, "pit east", Role.PIT_BOSS, "open_table", effective=now + 29 * 60, **opens)
        assert is_problem(soon, 409)["clauses"]
        later = await do(house, "pit east", Role.PIT_BOSS, "open_table", effective=max(at) + 30 * 60, **opens)
        assert later.status == 200, later
        assert "east 1" in live.rooms
        assert (await house.get("/api/tables/east%201")).json["edition"] == rules.edition.name
        sit = {"do": "receive_cards", "set_id": "set 1", "decks": rules.elections.decks}
        headers = {"Idempotency-Key": command_id()}
        refused = await house.ask("POST", "/api/tables/east%201/acts", sit, role=Role.DEALER, headers=headers)
        assert "opens in " in is_problem(refused, 409)["detail"], "its options would begin before their time"

    in_house(work, tmp_path)


def test_days_that_are_closed_keep_their_figures(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        await open_tables(house, "ma-midi-4")
        boss = Role.CASINO_SUPERVISOR
        assert (await house.get("/api/days", role=boss)).json["days"] == []
        for name in ("monday", "tuesday", "wednesday"):
            assert (await do(house, "day", boss, "close_day")).status == 200
            assert (await house.get("/api/day", role=boss)).json["closed"] is True
            is_problem(await do(house, "day", boss, "close_day"), 409)
            assert (await do(house, "day", boss, "open_day", name=name)).status == 200
        first = (await house.get("/api/days?limit=2", role=boss)).json
        rest = (await house.get(f"/api/days?limit=2&cursor={first['next']}", role=boss)).json
        found = [*first["days"], *rest["days"]]
        assert [(each["number"], each["name"]) for each in found] == [(3, "tuesday"), (2, "monday"), (1, "1")]
        assert all(list(each["tables"]) == ["ma-midi-4"] for each in found)
        assert rest["next"] == ""
        now = (await house.get("/api/day", role=boss)).json
        assert (now["name"], now["closed"]) == ("wednesday", False)

    in_house(work, tmp_path)


@pytest.mark.parametrize(
    ("stream", "role", "body"),
    [
        ("cage", Role.CAGE_CASHIER, {"do": "bring_bankrol", "amount": 5}),
        ("cage", Role.CAGE_CASHIER, {"do": "cash_out", "amount": "five"}),
        ("cage", Role.CAGE_CASHIER, {"do": "cash_out", "amont": 5}),
        ("cage", Role.CAGE_CASHIER, {"do": "cash_out", "amount": 10**20}),
        ("day", Role.ADMINISTRATOR, {"do": "open_day", "name": "two\u202eday"}),
        ("day", Role.ADMINISTRATOR, {"do": "open_day", "name": 2}),
        ("forms", Role.PIT_CLERK, {}),
        ("house", Role.ADMINISTRATOR, {"do": ["add_pit"]}),
    ],
)
def test_what_cannot_be_read_is_said_in_words_of_ours(
    stream: Stream, role: Role, body: dict[str, Any], tmp_path: Path
) -> None:
    async def work(house: Asked) -> None:
        before = house.live.house.journal.head(stream)
        headers = {"Idempotency-Key": command_id()}
        found = await house.ask("POST", f"/api/books/{stream}/acts", body, role=role, headers=headers)
        say = is_problem(found, 400, "unreadable")["detail"]
        assert "msgspec" not in say
        assert "Expected `" not in say, "the words of a library"
        assert house.live.house.journal.head(stream) == before

    in_house(work, tmp_path)


def test_an_act_for_another_role_is_denied_and_changes_nothing(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        is_problem(await do(house, "house", Role.PIT_BOSS, "add_pit", name="east"), 403, "wrong_role")
        is_problem(await do(house, "cage", Role.ADMINISTRATOR, "add_pit", name="east"), 400, "unreadable")
        is_problem(await do(house, "pit nowhere", Role.PIT_BOSS, "give_notice"), 404, "no_such_book")
        assert "east" not in house.live.house.state.pits

    in_house(work, tmp_path)


# ------------------------------------------------------------------------------------------------- people


async def sign_on(house: Asked, name: str, password: str, role: str) -> Answer:
    """Sign on by REST."""
    return await house.ask("POST", "/api/session", {"name": name, "password": password, "role": role})


def test_somebody_is_entered_sets_a_password_signs_on_and_is_erased(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        admin = Role.ADMINISTRATOR
        made = await house.ask("POST", "/api/people", {"name": "Ada Quick", "roles": ["dealer"]}, role=admin)
        assert (made.status, made.json["name"], made.json["has_password"]) == (201, "Ada Quick", False)
        twice = await house.ask("POST", "/api/people", {"name": "ada quick", "roles": ["dealer"]}, role=admin)
        is_problem(twice, 409, "name_taken")
        person = f"/api/people/{made.json['id']}"
        link = (await house.ask("POST", f"{person}/link", role=admin)).json["secret"]
        password = "a long enough password"
        set_ = await house.ask("POST", "/api/password", {"link": link, "password": password})
        assert set_.status == 200, set_
        is_problem(await house.ask("POST", "/api/password", {"link": link, "password": password}), 404, "no_code")
        on = await sign_on(house, "Ada Quick", password, "dealer")
        assert on.status == 201, on
        token = on.headers["set-cookie"].split("baccarat=")[1].split(";")[0]
        assert (await house.get("/api/session", token=token)).json["who"] == made.json["id"]
        assert len((await house.get(f"{person}/sessions", role=admin)).json["sessions"]) == 1
        changed = await house.ask("PATCH", person, {"roles": ["pit clerk"]}, role=admin)
        assert changed.json["roles"] == ["pit clerk"]
        is_problem(await house.get("/api/session", token=token), 401)
        assert (await house.ask("DELETE", person, role=admin)).status == 204
        is_problem(await sign_on(house, "Ada Quick", password, "pit clerk"), 401, "wrong_sign_on")
        everybody = (await house.get("/api/people?limit=100", role=admin)).text
        assert "Ada Quick" not in everybody
        assert made.json["id"] in everybody
        for path in tmp_path.glob("house.db*"):
            assert b"Ada Quick" not in path.read_bytes(), path.name

    in_house(work, tmp_path)


def test_a_person_goes_on_in_another_of_his_roles_by_rest(tmp_path: Path) -> None:
    """With the password, as when signing on; the log tells of both sessions."""

    async def work(house: Asked) -> None:
        admin = Role.ADMINISTRATOR
        body = {"name": "Ada Quick", "roles": ["dealer", "floorperson"]}
        person = (await house.ask("POST", "/api/people", body, role=admin)).json["id"]
        link = (await house.ask("POST", f"/api/people/{person}/link", role=admin)).json["secret"]
        password = "a long enough password"
        await house.ask("POST", "/api/password", {"link": link, "password": password})
        on = await sign_on(house, "Ada Quick", password, "dealer")
        old = on.headers["set-cookie"].split("baccarat=")[1].split(";")[0]

        async def take(role: str, token: str = old, **more: Any) -> Answer:
            return await house.ask("PUT", "/api/session/role", {"role": role, **more}, token=token)

        is_problem(await take("floorperson"), 403, "password_needed")
        is_problem(await take("pit boss", password=password), 403, "not_your_role")
        is_problem(await take("public", password=password), 403, "not_your_role")
        is_problem(await take("floorperson", password="wrong wrong wrong"), 401, "wrong_sign_on")
        is_problem(await take("nobody", password=password), 400)
        is_problem(await house.ask("PUT", "/api/session/role", {"role": "dealer"}), 401, "no_session")
        same = await take("dealer")
        assert (same.status, "set-cookie" in same.headers) == (200, False)
        done = await take("floorperson", password=password)
        assert (done.status, done.json["who"], done.json["role"]) == (200, person, "floorperson")
        cookie = done.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        new = cookie.split("baccarat=")[1].split(";")[0]
        assert (await house.get("/api/welcome", token=new)).json["roles"] == ["dealer", "floorperson"]
        is_problem(await take("floorperson", password=password), 401, "no_session")
        is_problem(await house.get("/api/session", token=old), 401)
        listed = (await house.get(f"/api/people/{person}/sessions", role=admin)).json["sessions"]
        assert [each["role"] for each in listed] == ["floorperson"]
        log = (await house.get("/api/access-log?newest=true&limit=2", role=Role.REGULATOR)).json["lines"]
        assert [(each["what"], each["about"].split(",")[0]) for each in log] == [
            ("signed on", "floorperson"), ("session ended", "exchanged")
        ]  # fmt: skip

    in_house(work, tmp_path)


def test_the_last_administrator_stays(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        own = f"/api/people/{house.people[Role.ADMINISTRATOR]}"
        for method, body in (("PATCH", {"active": False}), ("PATCH", {"roles": ["dealer"]}), ("DELETE", None)):
            found = await house.ask(method, own, body, role=Role.ADMINISTRATOR)
            is_problem(found, 409, "last_administrator")

    in_house(work, tmp_path)


def names_in(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The names of people that a page lists."""
    return [each["name"] for each in rows]


def test_people_come_in_pages(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        found, cursor = list[str](), ""
        while True:
            page = (await house.get(f"/api/people?limit=3&cursor={cursor}", role=Role.ADMINISTRATOR)).json
            found += names_in(page["people"])
            cursor = page["next"]
            if not cursor:
                break
        assert sorted(found) == sorted(f"{role.value} one" for role in house.people)

    in_house(work, tmp_path)
