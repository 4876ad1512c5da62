"""Rounds shown again: every record told, and the table as it was after each event, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.house.stream import Stream
from baccarat.record.entry import read_body
from baccarat.serve.job.upkeep import do_upkeep
from baccarat.serve.route.replay import search_patterns
from baccarat.serve.runtime.past_state import StateCache
from baccarat.serve.watch.narration import SORTS
from baccarat.table.patch import apply_patch
from baccarat.table.registry import EVOLVERS
from baccarat.table.role import Role
from baccarat.table.view import Viewer, view
from house_of_roles import Asked, is_problem, sign_everybody_on
from served import run_for
from watched_house import TABLE, two_shoes_played, watched

STREAM = Stream("table ma-midi-4")


def test_every_event_is_of_one_sort() -> None:
    assert {kind.CARD.sort for kind in EVOLVERS} | {"refusal"} == {*SORTS, "step"}


@pytest.mark.slow
def test_a_round_is_shown_again_event_by_event_as_it_was(tmp_path: Path) -> None:
    """The view before the first record and the changes after it lead to the very view of the state then."""

    async def work(house: Asked) -> None:
        shoe = (await house.get(f"{TABLE}/shoes/1")).json
        played = [each["round"] for each in shoe["rounds"]]
        assert played == list(range(1, len(played) + 1))
        assert len(played) >= 3
        for number in (1, 2, 3):
            told = (await house.get(f"{TABLE}/shoes/1/replay?round={number}", role=Role.SURVEILLANCE)).json
            seen, states = told["view"], house.live.states
            for act in told["acts"]:
                for event in act["events"]:
                    if "patch" in event:
                        apply_patch(seen, event["patch"])
                rules = house.live.rooms["ma-midi-4"].rules
                state = states.state_after(house.live.store, STREAM, act["seq"])
                now = msgspec.to_builtins(view(rules, state, Viewer(Role.SURVEILLANCE)), str_keys=True)
                assert seen == msgspec.json.decode(msgspec.json.encode(now)), act
                assert act["follows"] is True
                stored = house.live.store.entry(STREAM, act["seq"])
                assert stored is not None
                assert act["hash"] == stored.hash.hex()
                assert act["at"] == read_body(stored.body).at
            numbers = [event["number"] for act in told["acts"] for event in act["events"]]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "surveillance sees every event"
            assert all(event["say"] for act in told["acts"] for event in act["events"])

    watched(work, tmp_path)


@pytest.mark.slow
def test_refusals_stand_in_the_journal_that_is_told_and_can_be_followed(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        shoe = (await house.get(f"{TABLE}/shoes/1")).json
        rounds = [
            (await house.get(f"{TABLE}/shoes/1/replay?round={number}", role=Role.REGULATOR)).json
            for number in range(1, shoe["round"] + 1)
        ]
        told = [act for found in rounds for act in found["acts"]]
        refused = [act for act in told if act.get("refused")]
        assert refused, "a late wager was refused"
        assert refused[-1]["act"] == "place_wager"
        assert "no more bets" in refused[-1]["refused"]["say"]
        assert refused[-1]["refused"]["cites"]
        assert "events" not in refused[-1]
        assert [act["seq"] for act in told] == list(range(1, rounds[-1]["last"] + 1)), "no record is left out"
        begun = next(found for found in reversed(rounds) if len(found["acts"]) > 2)  # the last may have just begun
        number, after = begun["round"], begun["last"]
        rest = (await house.get(f"{TABLE}/shoes/1/replay?round={number}&after={after - 2}", role=Role.REGULATOR)).json
        assert rest["view"] is None
        assert [act["seq"] for act in rest["acts"]] == [after - 1, after]

    watched(work, tmp_path)


def test_a_search_for_a_seat_finds_no_other_seat_and_no_clause() -> None:
    def finds(words: str, text: str) -> bool:
        return all(pattern.search(text.casefold()) for pattern in search_patterns(words))

    assert finds("seat 2", "Losing wagers are collected: seat 2 $50.00.")
    assert not finds("seat 2", "Seat 6 is paid $45.00. §7(a)(2)(i)")
    assert not finds("Seat 2", "Seat 25 is paid.")
    assert finds("bets no MORE", "The dealer calls “no more bets”.")
    assert finds("8s", "Card 3 is the 8 of spades. 8s")
    assert finds("§8(c)(2)", "The dealer announces “Banker 5”. §8(c)(2)")
    assert finds("(((", "(((")
    assert not finds("(.*)+$", "anything")


@pytest.mark.slow
def test_a_shoe_is_searched_by_words_clauses_seats_and_cards(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        def asking(query: str) -> Any:
            return house.get(f"{TABLE}/shoes/1/search?{query}", role=Role.SURVEILLANCE)

        calls = (await asking("words=no%20more%20BETS%20calls")).json["found"]
        assert len(calls) >= 3
        assert {each["sort"] for each in calls} == {"call"}
        turned = [
            each["say"] for each in (await asking("words=is%20the%20of")).json["found"] if " is the " in each["say"]
        ]
        rank, _, suit = turned[-1].removesuffix(".").split(" is the ")[1].split()
        short = {"ace": "a", "jack": "j", "queen": "q", "king": "k", "10": "t"}.get(rank, rank) + suit[0]
        by_card = (await asking(f"words={short}")).json["found"]
        assert turned[-1] in [each["say"] for each in by_card]
        wagers = (await asking("words=seat%202%20wagers")).json["found"]
        assert "wager" in {each["sort"] for each in wagers}
        assert all("eat 2" in each["say"] and "wagers" in each["say"].lower() for each in wagers), wagers
        by_clause = (await asking("clause=%C2%A78(b)")).json["found"]
        assert by_clause
        assert all("ma-midi-4 §8(b)" in each["cites"] for each in by_clause)
        assert (await asking("words=nowhere%20at%20all")).json["found"] == []

    watched(work, tmp_path)


@pytest.mark.slow
def test_only_those_who_watch_are_shown_records_again(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for role in (None, Role.PARTICIPANT, Role.DEALER, Role.FLOORPERSON, Role.PIT_BOSS):
            found = await house.get(f"{TABLE}/shoes/1/replay?round=1", role=role)
            assert found.status == (401 if role is None else 403)
            assert (await house.get(f"{TABLE}/shoes/1/search?words=seat", role=role)).status == found.status
        is_problem(await house.get(f"{TABLE}/shoes/9/replay", role=Role.SURVEILLANCE), 404, "no_such_shoe")
        is_problem(await house.get(f"{TABLE}/shoes/1/replay?round=99", role=Role.SURVEILLANCE), 404, "no_such_round")

    watched(work, tmp_path, rounds=1)


@pytest.mark.slow
def test_a_practice_table_shows_its_last_shoes_again_after_older_ones_were_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table as it stood when a shoe was closed is stored with the record that closed it."""

    async def inner() -> None:
        async with two_shoes_played(tmp_path, monkeypatch) as here:
            live = here.live
            house = await sign_everybody_on(live, here.address)
            await do_upkeep(live, "ma-midi-4", list(live.house.shoe_ends["ma-midi-4"]))
            live.states = StateCache()  # as after a restart
            gone = await house.get(f"{TABLE}/shoes/1/replay?round=1", role=Role.SURVEILLANCE)
            assert gone.status in (404, 410)
            told = (await house.get(f"{TABLE}/shoes/2/replay?round=2", role=Role.SURVEILLANCE)).json
            assert told["view"]["state"]["shoe"]["number"] == 1
            assert told["acts"]

    run_for(inner())
