"""The deadline of the reveal: when it passes the table stops, everybody sees it, and only the seed ends that."""

from __future__ import annotations

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Accepted, table_rules
from baccarat.table.console.remedy_progress import steps_ahead
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.machine import replay
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit
from baccarat.table.shoe_state import LOST_SEED
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.overdue import ReportOverdueSeed, SeedOverdue
from baccarat.table.step.revealing import OVERDUE_SEED, ReportLostSeed, RevealSeed
from baccarat.table.story import tell
from baccarat.table.view import Viewer, view, view_event
from electronic_table import EDITIONS, electronic, seed_of, step_on
from table_driver import Game
from table_walk import as_json

WITHIN = 600
CLOCK = Actor(who="clock", origin=Origin.CLOCK)


def with_deadline(edition: str) -> Game:
    """A table that was opened with a deadline for seeds."""
    game = electronic(edition)
    game.table.state = replace(game.table.state, reveal_within=WITHIN)
    return game


def over(edition: str) -> Game:
    """The same at the end of its first shoe."""
    game = with_deadline(edition).go("wager")
    while game.step != "close":
        step_on(game)
    return game.go_to_act("reveal_seed")


def report(game: Game, seconds: int = WITHIN) -> str:
    """Have the clock report the seed; why it is refused, or nothing."""
    outcome = game.table.do(ReportOverdueSeed(due_for=seconds), CLOCK)
    return "" if isinstance(outcome, Accepted) else outcome.what


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_table_whose_seed_is_overdue_stops_until_it_is_revealed(edition: str) -> None:
    game = over(edition)
    assert report(game, WITHIN - 1) == "reveal_not_overdue_yet"
    assert not game.state.stopped
    assert report(game) == ""
    assert game.state.stopped == OVERDUE_SEED
    assert report(game) == "seed_overdue_already"
    game.refused(CloseShoe(), "stopped")
    game.refused(Sit(seat=2, person="Una"), "stopped")
    game.do(Leave(seat=1))
    assert [(due.act, due.optional) for due in game.table.expected] == [
        ("reveal_seed", False),
        ("report_lost_seed", True),
    ]
    game.do(RevealSeed(seed=seed_of(0).hex()))
    assert not game.state.stopped
    held = game.state.shoe.commitment
    assert held is not None
    assert (held.overdue, held.is_overdue) == (True, False)
    assert report(game) == "seed_revealed_already"
    game.do(CloseShoe())
    assert game.last(ShoeClosed).seed == "revealed"
    game.go("wager")
    assert game.state.shoe.commitment is not None
    assert game.state.shoe.commitment.overdue is UNSET
    assert replay(game.rules, game.table.log, reveal_within=WITHIN) == game.state


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_persons_who_report_an_overdue_seed_lost_end_the_stop(edition: str) -> None:
    game = over(edition)
    assert report(game, 7_200) == ""
    game.refused(ReportLostSeed(reason="gone"), "no_reason", who="Flo")
    game.do(ReportLostSeed(reason="the key is gone"), who="Flo", second="Sue")
    game.do(CloseShoe())
    assert game.last(ShoeClosed).seed == LOST_SEED
    game.go("wager")


@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_ends_the_stop_by_having_the_shoe_taken_away(edition: str) -> None:
    game = over(edition)
    assert report(game) == ""
    game.refused(AbandonShoe(reason="we go on"), "out_of_order", who="Flo", second="Sue")
    says = [step.say for step in steps_ahead(table_rules(game.rules), game.state)]
    assert says[1] == "The electronic shoe reveals its seed, or two persons report that it is lost."
    assert game.state.stopped == OVERDUE_SEED


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_shoe_that_stopped_the_table_owes_its_seed_in_time_too(edition: str) -> None:
    """Otherwise a house could have a shoe fail, leave it lying, and never show what it had sealed."""
    game = with_deadline(edition).go("wager").wager("1 t 500").go_to_act("turn_card")
    position = game.state.round.player[0]
    game.do(ConfirmCard(position=position, card=game.source.card(game.state, position + 1)[0]))
    before = game.state.stopped
    assert before.startswith("foul shoe")
    assert report(game) == ""
    assert game.state.stopped == before
    assert game.last(SeedOverdue) == SeedOverdue(due_for=WITHIN, within=WITHIN, cites=game.last(SeedOverdue).cites)
    for wager in game.state.round.wagers:
        game.do(Leave(seat=wager.seat))
    game.do(AbandonShoe(reason="the shoe is foul"), who="Flo", second="Sue")
    assert game.state.stopped == OVERDUE_SEED
    game.do(RevealSeed(seed=seed_of(0).hex()))
    assert not game.state.stopped


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_seed_is_overdue_before_the_shoe_is_over_or_without_a_deadline(edition: str) -> None:
    game = with_deadline(edition)
    assert report(game, 10**6) == "no_shoe_committed"
    steps = set()
    while game.step != "close":
        if game.state.shoe.commitment is not None:
            steps.add(game.step)
            assert report(game, 10**6) == "seed_stays_sealed_until_the_close"
        step_on(game)
    assert len(steps) > 8
    game.table.state = replace(game.state, reveal_within=UNSET)
    assert report(game, 10**6) == "reveal_has_no_deadline"


def test_only_the_clock_reports_an_overdue_seed() -> None:
    game = over("ma-midi-4")
    for role in Role:
        game.refused(ReportOverdueSeed(due_for=WITHIN), "wrong_origin", by=role)


def test_everybody_sees_that_a_seed_is_overdue() -> None:
    game = over("ma-midi-4")
    assert report(game) == ""
    for role in Role:
        seen = as_json(view(game.rules, game.state, Viewer(role, seat=1 if role is Role.PARTICIPANT else 0)).state)
        assert seen["shoe"]["commitment"]["overdue"] is True
        assert seen["reveal_within"] == WITHIN
        said = view_event(game.last(SeedOverdue), Viewer(role))
        assert said is not None
        assert said.due_for == WITHIN
    assert "for 600 seconds by the house's clock" in tell(game.last(SeedOverdue))
