"""The index of what was played misses nothing: whichever event ends a round or seats somebody is looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from baccarat.serve.runtime.round_index import INDEXED_EVENTS, RoundResult
from baccarat.table.registry import EVOLVERS
from baccarat.table.round_state import RoundKind
from baccarat.table.state import TableState
from table_stories import STORIES, Story

Evolve = Callable[[TableState, Any], TableState]


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.edition} {story.name}")
def test_no_other_event_ends_a_round_or_a_shoe_or_changes_who_sits(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set[type[Any]]()

    def watched(kind: type[Any], evolve: Evolve) -> Evolve:
        def evolved(state: TableState, event: Any) -> TableState:
            after = evolve(state, event)
            ended = (after.shoe.number, after.round.number) != (state.shoe.number, state.round.number)
            sat, sits = ([each and each.who for each in held.seats.participants] for held in (state, after))
            assert kind in INDEXED_EVENTS or not (ended or sat != sits), kind.__name__
            seen.add(kind)
            return after

        return evolved

    for kind, evolve in list(EVOLVERS.items()):
        monkeypatch.setitem(EVOLVERS, kind, watched(kind, evolve))
    story.tell(story.edition, story.elections)
    assert len(seen) > 3


@pytest.mark.parametrize("kind", list(RoundKind))
def test_the_roads_show_rounds_with_wagers_alone(kind: RoundKind) -> None:
    bead = RoundResult(kind=kind.value, outcome="banker").bead
    assert (bead is not None) is (kind is RoundKind.WAGERED)
