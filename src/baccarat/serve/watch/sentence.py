"""Sentences for those who may not see everything: an event in words, made only from the fields that a viewer sees.

Hidden fields are set to their defaults before the sentence is made, so that no sentence can say more than the viewer's
fields do. If a hidden field has no default, the event's card has a sentence without it, or none.

What the clock submitted, because somebody's time was over, is not worded as if that person had done it.
"""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec.structs import replace

from baccarat.table.actor import CLOCK, PERSON, Origin
from baccarat.table.base import Event
from baccarat.table.step_function import TELL_IN_PART, TELL_OF_CLOCK
from baccarat.table.story import tell
from baccarat.table.story_words import seat_name
from baccarat.table.view import Viewer


def sentence(event: Event, viewer: Viewer, origin: Origin = PERSON) -> str:
    """An event in a sentence for a viewer who may see it; empty where none can be said."""
    shown, owner = event.CARD.shown, getattr(event, "seat", 0)
    hidden = {
        name
        for name in event.__struct_fields__
        if name not in shown.fields or not viewer.sees(shown.fields[name], owner)
    }
    if origin is CLOCK and type(event) in TELL_OF_CLOCK and not {"seat", "side", "say"} & hidden:
        return tell(event, origin)  # it says nothing of any other field
    defaults = _defaults(type(event))
    if all(name in defaults for name in hidden):
        return tell(replace(event, **{name: defaults[name] for name in hidden}))
    if type(event) in TELL_IN_PART:
        told_with, teller = TELL_IN_PART[type(event)]
        if not told_with & hidden:
            return teller(event)
    return event.CARD.short.format(seat=owner, who=seat_name(owner))


@cache
def _defaults(kind: type[Event]) -> dict[str, object]:
    """The fields of an event that have a default, and what it is."""
    found = dict[str, object]()
    for field in msgspec.structs.fields(kind):
        if field.default is not msgspec.NODEFAULT:
            found[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = field.default_factory()
    return found


def as_sentence(text: str) -> str:
    """A text as one sentence: it begins with a capital and ends with a full stop."""
    return text if not text else text[0].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
