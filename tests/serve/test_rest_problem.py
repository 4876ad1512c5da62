"""Problems: every answer that is not what was asked for is one by RFC 9457, with clauses where a clause decides."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from baccarat.cli import make_app
from baccarat.client import command_id
from baccarat.law import check as check_module
from baccarat.law.error import hint
from baccarat.serve.http import problem as problem_module
from baccarat.serve.http.shield import MOST_BODY
from baccarat.serve.route.problem_page import meanings
from baccarat.table.role import Role
from house_of_roles import Asked, is_problem, sign_everybody_on
from paths import ROOT
from served import run_for, served

pytestmark = pytest.mark.slow


def asked(work: Any, tmp_path: Path, **settings: Any) -> None:
    """Ask a practice house."""

    async def inner() -> None:
        async with served(tmp_path, **settings) as (live, address):
            await work(await sign_everybody_on(live, address))

    run_for(inner())


def test_a_problem_is_no_echo_of_a_long_name(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        name = "x" * 5000
        addresses = (
            f"/api/tables/{name}", f"/api/tables/{name}/felt.svg", f"/api/submissions/{name}", f"/api/editions/{name}",
            f"/picture/felt/{name}.svg", f"/api/{name}",
        )  # fmt: skip
        for address in addresses:
            found = await house.get(address, role=Role.REGULATOR)
            assert found.status in (400, 404), address
            assert len(json.dumps(found.json)) < 800, address
        found = await house.get(f"/api/tables/{name}", role=Role.REGULATOR)
        assert is_problem(found, 404, "no_such_table")["detail"] == f"There is no table '{'x' * 80}…'."
        found = await house.ask("POST", "/api/tickets", {"table": name}, role=Role.REGULATOR)
        assert len(json.dumps(found.json)) < 800

    asked(work, tmp_path)


def test_each_kind_of_fault_is_a_problem(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        boss = Role.PIT_BOSS
        key = {"Idempotency-Key": command_id()}
        is_problem(await house.get("/api/nothing"), 404)
        is_problem(await house.get("/api/tables/nowhere"), 404, "no_such_table")
        other = await house.ask("PUT", "/api/tables")
        is_problem(other, 405)
        assert "GET" in other.headers["allow"]
        is_problem(await house.get("/api/tables/ma-midi-4/rounds?limit=1000"), 400)
        is_problem(await house.get("/api/tables/ma-midi-4/rounds?cursor=%2A%2A"), 400, "bad_cursor")
        is_problem(await house.get("/api/people"), 401, "no_session")
        denied = is_problem(await house.get("/api/people", role=boss), 403, "wrong_role")
        assert denied["detail"] == "“Who may sign on” is for administrator; you are signed on as pit boss."
        is_problem(await house.ask("POST", "/api/people", b"{", role=Role.ADMINISTRATOR), 400)
        is_problem(await house.ask("POST", "/api/people", {"name": 3, "roles": []}, role=Role.ADMINISTRATOR), 400)
        path = "/api/books/cage/acts"
        is_problem(await house.ask("POST", path, {"do": "fly"}, headers=key, role=boss), 400, "unreadable")
        is_problem(await house.ask("POST", path, {"do": "close_tray"}, role=boss), 400)
        long = b'{"x": "' + b"x" * MOST_BODY + b'"}'
        is_problem(await house.ask("POST", path, long, headers=key, role=boss), 413)
        text = {**key, "Content-Type": "text/plain"}
        is_problem(await house.ask("POST", path, b"close the tray", headers=text, role=boss), 415)
        foreign = {**key, "Origin": "https://elsewhere.example"}
        is_problem(await house.ask("POST", path, {}, headers=foreign, role=boss), 403)

    asked(work, tmp_path)


def test_whoever_looks_with_a_browser_finds_a_page_where_there_is_nothing(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        looking = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        page = await house.ask("GET", "/nowhere", headers=looking)
        assert page.status == 404
        assert page.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "/page/js/page/nothing.js" in page.text
        is_problem(await house.get("/nowhere"), 404)
        is_problem(await house.ask("GET", "/api/nowhere", headers=looking), 404)

    asked(work, tmp_path)


def test_the_type_of_a_problem_points_at_what_it_means(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        told = is_problem(await house.get("/api/tables/nowhere"), 404)
        path, _, code = told["type"].partition("#")
        page = await house.get(path)
        assert page.headers["content-type"].startswith("text/html")
        assert f'id="{code}"' in page.text

    asked(work, tmp_path)


def test_every_code_of_a_problem_is_explained() -> None:
    found = set(problem_module.BY_STATUS.values())
    for path in (*(ROOT / "src" / "baccarat" / "serve" / "route").glob("*.py"), Path(problem_module.__file__)):
        found |= set(re.findall(r'code="([a-z_]+)"', path.read_text(encoding="utf-8")))
    assert found
    assert found <= set(meanings())


def test_a_body_without_a_length_is_bounded_too(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        import asyncio  # noqa: PLC0415

        def send() -> int:
            connection = http.client.HTTPConnection(house.address.removeprefix("http://"), timeout=60)
            pieces = (b"x" * 10_000 for _ in range(20))
            headers = {"Authorization": f"Bearer {house.tokens[Role.PIT_BOSS]}", "Content-Type": "application/json"}
            headers["Idempotency-Key"] = command_id()
            try:
                connection.request("POST", "/api/books/cage/acts", body=pieces, headers=headers, encode_chunked=True)
                return connection.getresponse().status
            except OSError:
                return 0
            finally:
                connection.close()

        assert await asyncio.to_thread(send) in (0, 413)

    asked(work, tmp_path)


def test_a_refusal_names_its_clauses(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        sent = {"do": "give_notice", "notice": {"to": "commission", "pit": "elsewhere", "option": "decks", "value": 8}}
        headers = {"Idempotency-Key": command_id()}
        path = "/api/books/pit%20ma-midi-4/acts"
        told = is_problem(await house.ask("POST", path, sent, role=Role.PIT_BOSS, headers=headers), 409)
        assert told["clauses"]
        assert all("§" in clause for clause in told["clauses"])
        again = is_problem(await house.ask("POST", path, sent, role=Role.PIT_BOSS, headers=headers), 409)
        assert again == told, "a refusal is answered again as it was"

    asked(work, tmp_path)


def test_a_submission_is_checked_with_every_fault_and_its_clause(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        filed = (await house.get("/api/submissions/ma-midi-4")).json["submission"]
        path = "/api/submissions/check"
        good = await house.ask("POST", path, filed, role=Role.PARTICIPANT)
        assert good.json["valid"] is True
        bad = await house.ask("POST", path, {**filed, "decks": 5, "seats": 99}, role=Role.PARTICIPANT)
        told = bad.json
        assert told["valid"] is False
        assert {fault["option"] for fault in told["faults"]} == {"decks", "seats"}
        assert all(fault["clauses"] for fault in told["faults"])
        none = await house.ask("POST", path, {"ruleset": "atlantis"}, role=Role.PARTICIPANT)
        assert none.json["faults"][0]["option"] == "ruleset"

    asked(work, tmp_path)


def test_a_check_says_all_that_the_program_says_of_a_sound_submission(tmp_path: Path) -> None:
    """Warnings, and wagers on which the house would lose; so does the plan of the same draft at a table."""

    async def work(house: Asked) -> None:
        filed = (await house.get("/api/submissions/ma-midi-4")).json["submission"]
        draft = {**filed, "tie_odds": "15 to 1", "shoe_given_up": None}
        path = tmp_path / "draft.json"
        path.write_text(json.dumps(draft))
        said = json.loads(CliRunner().invoke(make_app("rules"), ["rules", "check", str(path), "--json"]).stdout)
        assert said["valid"]
        assert said["remarks"]
        assert said["warnings"]
        checked = (await house.ask("POST", "/api/submissions/check", draft, role=Role.PARTICIPANT)).json
        planned = await house.ask("POST", "/api/tables/ma-midi-4/plan", draft, role=Role.PIT_BOSS)
        assert planned.json["checked"] == checked
        assert checked["hash"] == said["hash"]
        assert checked["remarks"] == said["remarks"]
        assert len(checked["warnings"]) == len(said["warnings"])

    asked(work, tmp_path)


def test_thousands_of_unknown_options_are_counted_and_few_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    nearest = hint

    def counted(word: str, words: Iterable[str]) -> str:
        compared.append(word)
        return nearest(word, words)

    monkeypatch.setattr(check_module, "hint", counted)

    async def work(house: Asked) -> None:
        filed = (await house.get("/api/submissions/ma-midi-4")).json["submission"]
        draft = {**filed, **{f"option {number}": number for number in range(2_000)}}
        found = await house.ask("POST", "/api/submissions/check", draft, role=Role.PARTICIPANT)
        told = found.json
        assert len(told["faults"]) + told["more_faults"] == 2_000
        assert len(told["faults"]) == 100
        assert len(found.body) < 40_000
        assert len(compared) == 50, "comparing each with all known options took seconds"
        few = (await house.ask("POST", "/api/submissions/check", {**filed, "deks": 8}, role=Role.PARTICIPANT)).json
        assert few["more_faults"] == 0
        assert "did you mean 'decks'?" in few["faults"][0]["say"]

    asked(work, tmp_path)


def test_whoever_asks_too_often_is_told_when_to_come_again(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for _ in range(90):
            found = await house.get("/api/tables")
            if found.status == 429:
                break
        is_problem(found, 429)
        assert int(found.headers["retry-after"]) >= 1

    asked(work, tmp_path, requests_a_second=0.5, requests_at_once=5)


def test_the_description_is_openapi_3_1_and_names_every_problem(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        described = (await house.get("/api/schema/openapi.json")).json
        assert described["openapi"].startswith("3.1")
        for path, methods in described["paths"].items():
            for method, operation in methods.items():
                if not path.startswith("/api/"):
                    continue
                assert operation["summary"], (method, path)
                for status, answer in operation["responses"].items():
                    if int(status) >= 400:
                        assert list(answer["content"]) == ["application/problem+json"], (method, path, status)
        text = json.dumps(described)
        assert "cdn." not in text
        marks = described["components"]["schemas"]["GradedAnswer"]["properties"]["cites"]
        assert marks == {"type": "array", "items": {"type": "string"}, "maxItems": 40}
        assert ", {}]" not in text, "what is one of several sorts is never just anything"

    asked(work, tmp_path)


def test_whoever_comes_with_a_session_that_is_over_is_not_taken_for_the_public(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        wanted = {"table": "ma-midi-4"}
        assert (await house.ask("POST", "/api/tickets", wanted)).status == 201, "the public watches"
        assert (await house.ask("POST", "/api/tickets", wanted, role=Role.DEALER)).status == 201
        assert (await house.ask("DELETE", "/api/session", role=Role.DEALER)).status == 204
        is_problem(await house.ask("POST", "/api/tickets", wanted, role=Role.DEALER), 401, "no_session")
        cookie = {"Cookie": f"baccarat={house.tokens[Role.DEALER]}"}
        is_problem(await house.ask("POST", "/api/tickets", wanted, headers=cookie), 401, "no_session")

    asked(work, tmp_path)
