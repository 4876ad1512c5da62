"""Drills and editions by REST: exercises without answers, grades with clauses, clauses that can be pointed at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.law.edition import load_edition, shipped_editions
from baccarat.law.rulebook import rulebook, shipped_submissions
from served import run_for, served

pytestmark = pytest.mark.slow


def asked(work: Any, tmp_path: Path) -> None:
    """Ask a practice house, as somebody whom nobody knows."""

    async def inner() -> None:
        async with served(tmp_path) as (_live, address), httpx.AsyncClient(base_url=address) as http:
            await work(http)

    run_for(inner())


def test_an_exercise_is_asked_graded_and_comes_back(tmp_path: Path) -> None:
    async def work(http: httpx.AsyncClient) -> None:
        for name in shipped_submissions():
            offered = (await http.get(f"/api/drills/{name}")).json()
            assert offered["rulebook"] == rulebook(name).hash
            assert offered["drills"]
            state: dict[str, Any] = {"seed": "s", "trainee": {}}
            seen = []
            for _ in range(4):
                shown = await http.post(f"/api/drills/{name}/exercise", json=state)
                assert shown.status_code == 200, shown.text
                assert set(shown.json()) == {"number", "kind", "seconds", "question"}
                again = await http.post(f"/api/drills/{offered['rulebook']}/exercise", json=state)
                assert again.content == shown.content, "stateless: the same request, the same exercise"
                done = await http.post(f"/api/drills/{name}/answer", json={**state, "answer": "", "milliseconds": 900})
                assert done.json()["graded"]["right"] is False
                assert all(cite.startswith(offered["edition"]) for cite in done.json()["graded"]["cites"])
                seen.append(done.json()["mark"]["case"])
                state["trainee"] = done.json()["trainee"]
            assert seen[3] == seen[0], "what went wrong comes back after two others"

    asked(work, tmp_path)


def test_answers_are_right_wrong_or_not_to_be_read(tmp_path: Path) -> None:
    async def work(http: httpx.AsyncClient) -> None:
        where, state = "/api/drills/ma-midi-4", {"seed": "s", "kinds": ["draw"]}
        grades = []
        for given in ("d", "s"):
            answer = await http.post(f"{where}/answer", json={**state, "answer": given, "milliseconds": 1})
            grades.append(answer.json()["graded"]["right"])
        assert sorted(grades) == [False, True]
        odd = await http.post(f"{where}/answer", json={**state, "answer": "perhaps", "milliseconds": 1})
        assert (odd.status_code, odd.json()["code"]) == (422, "unreadable_answer")
        other = {**state, "trainee": {"rulebook": "f" * 64}}
        assert (await http.post(f"{where}/exercise", json=other)).json()["code"] == "other_rules"
        none = await http.post("/api/drills/ma-midi-4-ez/exercise", json={"seed": "s", "kinds": ["vigorish"]})
        assert none.json()["code"] == "no_cases"
        assert (await http.get("/api/drills/nowhere")).status_code == 404
        for bad in ({}, {"seed": ""}, {"seed": "s", "kinds": ["juggling"]}, {"seed": "s", "trainee": {"answered": -1}}):
            assert (await http.post(f"{where}/exercise", json=bad)).status_code == 400, bad

    asked(work, tmp_path)


def test_a_score_sheet_comes_as_a_file_in_three_forms(tmp_path: Path) -> None:
    async def work(http: httpx.AsyncClient) -> None:
        where = "/api/drills/nj-punto-banco"
        done = await http.post(f"{where}/answer", json={"seed": "s", "answer": "", "milliseconds": 1500})
        marks = {"marks": [{**done.json()["mark"], "given": "<b>me</b>"}]}
        forms = {"csv": ("text/csv", "number,drill"), "html": ("text/html", "&lt;b&gt;me")}
        for form, (kind, sign) in {**forms, "json": ("application/json", '"marks":[{')}.items():
            file = f"sheet.{form}"
            found = await http.post(f"{where}/{file}", json=marks)
            assert found.status_code == 200, found.text
            assert found.headers["content-disposition"] == f'attachment; filename="{file}"'
            assert sign in found.text
            assert found.headers["content-type"].split(";")[0] == kind

    asked(work, tmp_path)


def test_every_paragraph_that_can_be_cited_stands_once_among_the_clauses(tmp_path: Path) -> None:
    async def work(http: httpx.AsyncClient) -> None:
        for name in shipped_editions():
            found = (await http.get(f"/api/editions/{name}/clauses")).json()
            stands = [each["paragraph"] for section in found["sections"] for each in section["paragraphs"]]
            edition = load_edition(name)
            assert sorted(stands) == sorted({clause.paragraph for clause in edition.clauses.values()})
            assert all(section["title"] for section in found["sections"])
            keys = [c["key"] for s in found["sections"] for p in s["paragraphs"] for c in p["clauses"]]
            assert sorted(keys) == sorted(edition.clauses)
            used = {reading for s in found["sections"] for p in s["paragraphs"] for reading in p["readings"]}
            assert used == set(found["readings"])
        assert (await http.get("/api/editions/nowhere/clauses")).json()["code"] == "no_such_edition"

    asked(work, tmp_path)


def test_clauses_say_what_changed_and_answers_that_one_has_are_not_sent_again(tmp_path: Path) -> None:
    async def work(http: httpx.AsyncClient) -> None:
        answer = await http.get("/api/editions/ma-midi-4/clauses")
        found = answer.json()
        assert found["before"] == "ma-midi-3"
        changed = {p["paragraph"]: p["change"] for s in found["sections"] for p in s["paragraphs"] if p["change"]}
        assert changed["7(c)"], "the Free Hand is new in the fourth edition"
        assert "12(a)" not in changed
        again = await http.get("/api/editions/ma-midi-4/clauses", headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        differ = (await http.get("/api/editions/ma-midi-4/differences/ma-midi-3")).json()
        assert (differ["left"], differ["right"]) == ("ma-midi-3", "ma-midi-4")
        assert any(each["place"] == "option.free_hand" and each["left"] == "–" for each in differ["law"])
        same = (await http.get("/api/editions/ma-midi-4/differences/ma-midi-4")).json()
        assert same["law"] == same["clauses"] == []
        cover = (await http.get("/api/coverage")).json()["editions"]
        assert [each["edition"] for each in cover][:5] == list(shipped_editions())
        assert all(sum(each["states"].values()) == each["clauses"] for each in cover)

    asked(work, tmp_path)
