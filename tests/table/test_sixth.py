"""The sixth edition at the table: data only, citing its own clauses, audited like the others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import atlantis
from baccarat.law.edition import forget, register
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play import record
from baccarat.play.wager import WagerKind
from baccarat.table.base import Accepted
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.step.cutting import AnswerCut, CutCards
from baccarat.table.step.settlement import Paid, VigorishTaken
from baccarat.table.step.wagering import PlaceWager
from table_walk import Walk, agree, keyed, sealed


@pytest.fixture
def sixth(tmp_path: Path) -> Iterator[Rulebook]:
    """One house's rulebook in Atlantis, forgotten afterwards."""
    path, submission = atlantis.write(tmp_path)
    register(path)
    yield rulebook(submission)
    forget(atlantis.NAME)
    record.forget()


@pytest.mark.slow
@pytest.mark.parametrize("electronic", [True, False])
def test_it_plays_two_shoes_and_satisfies_the_auditor(sixth: Rulebook, electronic: bool) -> None:
    walk = Walk(sixth, sealed(sixth, 3) if electronic else keyed(sixth, 3, rich=True))
    walk.seat(1, 2, 5)
    chance = random.Random(2)
    while walk.state.shoe.number < 2:
        walk.play_round(chance, short=60)
        agree(walk)
    walk.replays()
    walk.agrees_with_its_books()
    cited = {cite for event in walk.log for cite in event.cites}
    assert all(cite.startswith(f"{atlantis.NAME} §") for cite in cited)
    assert {cite.partition("§")[2] for cite in cited} <= set(atlantis.ARTICLES)
    assert len(cited) > 10


def test_its_own_numbers_hold_at_the_table(sixth: Rulebook) -> None:
    """A cut of 26 is deep enough there, and winners are paid from the lowest seat up, vigorish after."""
    walk = Walk(sixth, keyed(sixth, 7))
    walk.seat(1, 2, 5)
    walk.go_to("offer_cut")
    walk.do(AnswerCut(seat=5, accept=True))
    assert not isinstance(walk.do(CutCards(seat=5, in_front=25)), Accepted)
    assert isinstance(walk.do(CutCards(seat=5, in_front=26)), Accepted)
    while not any(isinstance(event, VigorishTaken) for event in walk.log):
        walk.go_to("wager")
        for seat in (5, 1, 2):
            walk.do(PlaceWager(seat=seat, on=WagerKind.BANKER, stake=5000))
        while walk.state.round.wagers:
            walk.go_on()
    settled = [event for event in walk.log if isinstance(event, Paid | VigorishTaken)][-6:]
    assert [(type(event), event.seat) for event in settled] == [
        (kind, seat) for seat in (1, 2, 5) for kind in (Paid, VigorishTaken)
    ]


def test_anything_may_be_tried_there_and_irregularities_are_answered(sixth: Rulebook) -> None:
    walk = Walk(sixth, keyed(sixth, 9))
    walk.seat(1, 2, 5)
    chance = random.Random(9)
    for turn in range(400):
        if walk.state.step == "wager" and not walk.state.round.wagers:
            walk.wager(chance)
        if turn % 40 == 39 and walk.state.shoe.loaded and walk.state.shoe.left:
            walk.do(ReportFaceUp(card=walk.source.card(walk.state, walk.state.shoe.next)[0]))
        walk.try_a(PlaceWager, chance)
        walk.go_on(short=60)
    walk.replays()
