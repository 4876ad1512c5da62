"""Sentences for those who may not see everything: what a viewer does not see changes no sentence that he is told."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from baccarat.serve.sentence import WITHOUT, sentence
from baccarat.table.audience import EVENT_SHOWN
from baccarat.table.base import Event
from baccarat.table.correction import PaymentCorrected
from baccarat.table.people import BoughtIn, Left, Sat
from baccarat.table.registry import EVOLVERS
from baccarat.table.role import Role
from baccarat.table.story import tell
from baccarat.table.view import Viewer

PUBLIC, OTHER, OWN = Viewer(Role.PUBLIC), Viewer(Role.PARTICIPANT, 3), Viewer(Role.PARTICIPANT, 5)


@pytest.mark.parametrize(
    "event",
    [Sat(seat=5, who="person-7"), BoughtIn(seat=5, amount=765_400), Left(seat=5, chips=765_400)],
    ids=lambda event: type(event).__name__,
)
def test_another_is_told_without_what_is_ones_own(event: Event) -> None:
    assert sentence(event, OWN) == tell(event)
    for viewer in (PUBLIC, OTHER):
        said = sentence(event, viewer)
        assert "7" not in said
        assert "person" not in said
    assert "seat 5" in sentence(event, OTHER).lower()


@pytest.mark.parametrize("kind", EVOLVERS, ids=lambda kind: kind.__name__)
def test_every_event_that_somebody_is_shown_in_part_can_be_told_in_part(kind: type[Event]) -> None:
    """No hidden field without a default may stand in a sentence: there is one that does without."""
    tag = str(kind.__struct_config__.tag)
    shown = EVENT_SHOWN[tag]
    required = {field.name for field in msgspec.structs.fields(kind) if field.required}
    for role in Role:
        if role not in shown.to:
            continue
        hidden = {name for name in required if name not in shown.fields or role not in shown.fields[name].roles}
        if hidden and role in shown.to.roles:
            assert tag in WITHOUT, f"{tag}: {role.value} does not see {hidden}"


def test_a_hidden_reason_changes_nothing_in_the_sentence() -> None:
    made = PaymentCorrected(seat=5, amount=100, corrects=3, reason="dealer slipped", requester="p-1", approver="p-2")
    others = replace(made, amount=999, corrects=8, reason="another", requester="p-8", approver="p-9")
    assert sentence(made, OTHER) == sentence(others, OTHER)
    assert sentence(made, Viewer(Role.SURVEILLANCE)) == tell(made)
