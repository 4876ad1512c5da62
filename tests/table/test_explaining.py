"""What is said at a table, and why: after every act of every story of irregularities, with clauses that resolve."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.base import Accepted
from baccarat.table.explanation import Explained, explain
from baccarat.table.machine import Table, expected
from baccarat.table.state import TableState
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish, Relinquish
from table_driver import game_at
from table_stories import STORIES, Story

IDS = [f"{story.edition}-{story.name}" for story in STORIES]


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Rulebook, TableState]]:
    """Every state in which a table of this test has stood after an act."""
    found: list[tuple[Rulebook, TableState]] = []
    plain = Table.do

    def do(self: Table, *given: Any, **more: Any) -> Accepted | Refused:
        answer = plain(self, *given, **more)
        found.append((self.rules, self.state))
        return answer

    monkeypatch.setattr(Table, "do", do)
    return found


def cites(found: Explained) -> Iterator[str]:
    """Every clause that is named."""
    for said in (found.call, found.then, *found.rulings):
        yield from said.cites
    for line in found.lines:
        yield from line.cites


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES, ids=IDS)
def test_every_moment_has_words_and_clauses_and_tells_nobodys_debts(
    story: Story, moments: list[tuple[Rulebook, TableState]]
) -> None:
    story.tell(story.edition, story.elections)
    assert moments
    edition = moments[0][0].edition
    known = {clause.paragraph for clause in edition.clauses.values()}
    for rules, state in moments:
        assert rules.edition is edition
        for at_table in (True, False):
            found = explain(rules, state, expected(rules, state), at_table=at_table)
            for text in cites(found):
                assert Citation.parse(text).paragraph in known
            for said in (found.call, *found.rulings):
                assert not said.say or said.cites or state.stopped, f"{said.say} names no clause"
            for said in (found.then, *found.rulings):
                assert bool(said.say) == bool(said.what), f"{said.say}: a sentence has a name"
                assert all(str(value) for value in said.params.values())
            words = " ".join([found.call.say, found.then.say, found.question, *(each.say for each in found.rulings)])
            assert "marker says" not in words
            assert not state.shoe.former_set or f"set than {state.shoe.former_set}" not in words
        assert not found.lines, "whoever is not at the table sees no wager"


def test_a_round_is_called_counted_and_settled_wager_by_wager() -> None:
    game = game_at("ma-midi-4", "2S 2H 4D 2C 9S", step="wager")
    game.wager("1 b 2500", "3 p 2500", "5 t 500")
    game.go("settle")
    found = explain(game.rules, game.state, game.table.expected)
    assert found.call.say.startswith("“Player 6, Banker ")
    assert found.question == "Why did the Banker draw?"
    assert {line.seat: line.result for line in found.lines} == {1: "lose", 3: "win", 5: "lose"}
    assert found.tableau is not None
    assert found.hands["player"].count == 6


def test_the_question_about_turning_goes_with_the_right_from_its_holder_over_the_offer_to_whoever_takes_it() -> None:
    game = game_at("ma-midi-4", "2S 2H 4D 2C 9S", step="wager")
    game.wager("1 p 2500", "3 p 5000", "5 p 2500")
    game.go_to_act("hand_cards")

    def asked() -> tuple[str, str, tuple[str, ...]]:
        found = explain(game.rules, game.state, game.table.expected)
        (ruling,) = found.rulings
        return found.topic, found.question, ruling.cites

    held = asked()
    assert held[:2] == ("turning", "Why does seat 3 turn the Player’s cards?")
    given_up = ("ma-midi-4 §8(d)",)
    assert held[2] != given_up
    game.do(Relinquish(seat=3))
    offered = game.table.expected[0].seat
    assert offered != 3
    assert asked() == ("turning", f"Why is seat {offered} offered to turn the Player’s cards?", given_up)
    game.do(AnswerTurn(seat=offered, accept=False))
    second = game.table.expected[0].seat
    assert second not in (3, offered)
    assert asked() == ("turning", f"Why is seat {second} offered to turn the Player’s cards?", given_up)
    game.do(AnswerTurn(seat=second, accept=True))
    assert asked() == ("turning", f"Why does seat {second} turn the Player’s cards?", given_up)
    game.do(OrderRelinquish(seat=second, reason="he does not turn them"))
    while game.state.round.offering is not None:
        game.do(AnswerTurn(seat=game.table.expected[0].seat, accept=False))
    assert asked() == ("turning", "Why does the dealer turn the Player’s cards?", given_up)
