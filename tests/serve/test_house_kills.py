"""The whole server, killed and frozen while people play: nothing that was answered is lost, done twice or changed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from baccarat.client import command_id
from campaign import CAMPAIGN
from killed_house import DONE_BETWEEN, Ordeal, Outcome, Player, endure, judge_answers, read_stored

pytestmark = pytest.mark.slow


def test_nothing_that_was_answered_is_lost_or_done_twice_when_the_server_is_killed(tmp_path: Path) -> None:
    ordeal = Ordeal(kills=3 if CAMPAIGN == 1 else 25, freezes=1 if CAMPAIGN == 1 else 15)
    outcome, players = asyncio.run(endure(tmp_path, ordeal))
    assert not outcome.wrong
    assert outcome.starts > ordeal.kills
    blows = ordeal.kills + ordeal.freezes
    assert outcome.done >= DONE_BETWEEN * (blows + 1), "people have played before the first, and on after each"
    assert outcome.joins > ordeal.players, "they have lost their lines, and come back"
    the_judge_is_not_blind(tmp_path / "house.db", players)


def the_judge_is_not_blind(db: Path, players: list[Player]) -> None:
    """Whatever is lost, doubled, strange or not shown is found: the answers are changed instead of the store."""
    one = next(player for player in players if sum(answer.is_done for _, _, answer in player.answers.values()) > 1)
    id_, (act, fields, answer) = next(each for each in one.answers.items() if each[1][2].is_done)
    stored = read_stored(str(db), db.parent)

    def found() -> str:
        outcome = Outcome()
        judge_answers(stored, players, outcome)
        return " ".join(outcome.wrong)

    one.answers[id_] = act, fields, replace(answer, seq=answer.seq + 1)
    assert "lost" in found()
    one.answers[id_] = act, fields, replace(answer, is_done=False, code="seat_taken")
    assert "lost" in found()
    one.answers[id_] = act, fields, replace(answer, is_done=False, code="problem")
    assert "wrongly refused" in found()
    one.answers[id_] = act, fields, answer
    never = command_id()
    one.answers[never] = act, fields, answer
    assert f"lost: {act} {never}" in found()
    del one.answers[never]
    one.asked.pop(id_)
    assert f"nobody gave the id {id_}" in found()
    one.asked[id_] = act
    one.table.view["state"]["round"]["number"] += 1
    assert "does not see" in found()
    one.table.view["state"]["round"]["number"] -= 1
    assert not found()
