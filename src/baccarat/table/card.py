"""Cards: what the lists of the program say of an event, as a value next to its class.

Lists, forms and pages are derived from the cards, so that a new kind is described in one place: in the module that owns
it. What it is called in each language stands in the files of words.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from baccarat.table.audience import Shown

EventSort = Literal["step", "wager", "card", "call", "payment", "irregularity", "correction", "other"]
"""By what a journal is filtered; steps head what follows them."""


class EventCard(msgspec.Struct, frozen=True):
    """What is known of a kind of event: who sees it, how it is sorted, and how it is told to those who see a part."""

    shown: Shown
    """Who sees the event, and each of its fields; a field that is not listed is shown to nobody."""
    sort: EventSort
    short: str = ""
    """A sentence for those who do not see a field that has no default, made with `{seat}` or `{who}`; empty: none."""
