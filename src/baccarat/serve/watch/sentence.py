"""Sentences for those who may not see everything: an event in words, made only from the fields that a viewer sees.

Hidden fields are set to their defaults before the sentence is made, so that no sentence can say more than the viewer's
fields do. If a hidden field has no default, the event's card has a sentence without it, or none.

What the clock submitted, because somebody's time was over, is not worded as if that person had done it.

A sentence also has a name and parameters, from which a page makes it in another language (`words.js`): the name of the
event, and how much of it the sentence tells; the fields that it may tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.house.book import Aggregate
from baccarat.house.inventory import Inventory
from baccarat.play.refusal import RefusalNote
from baccarat.serve.watch.person_name import name_persons
from baccarat.table.actor import CLOCK, PERSON, Origin
from baccarat.table.base import Event
from baccarat.table.step_function import TELL_IN_PART, TELL_OF_CLOCK
from baccarat.table.story import tell
from baccarat.table.story_words import seat_name
from baccarat.table.view import Viewer


class ToldEvent(msgspec.Struct, frozen=True):
    """An event in a sentence: in English, and as a name and parameters."""

    say: str
    what: str = ""
    params: dict[str, Any] = {}

    def with_names(self, tell: Callable[[str], str]) -> ToldEvent:
        """The same with names in place of ids, as far as `tell` knows them; other ids are shortened."""

        def fill(value: Any) -> Any:
            if isinstance(value, str):
                return name_persons(None, tell(value))
            if isinstance(value, RefusalNote):
                return {"what": value.what, "params": fill(value.params)}
            if isinstance(value, dict):
                return {key: fill(each) for key, each in value.items()}
            return list(map(fill, value)) if isinstance(value, list | tuple) else value

        return ToldEvent(fill(self.say), self.what, fill(self.params))


def sentence(event: Event, viewer: Viewer, origin: Origin = PERSON) -> str:
    """An event in a sentence for a viewer who may see it; empty where none can be said."""
    return told_event(event, viewer, origin).say


def told_event(event: Event, viewer: Viewer, origin: Origin = PERSON) -> ToldEvent:
    """An event in a sentence for a viewer who may see it, and the same as data; empty where none can be said."""
    shown, owner = event.CARD.shown, getattr(event, "seat", 0)
    what = event_name(type(event))
    hidden = {
        name
        for name in event.__struct_fields__
        if name not in shown.fields or not viewer.sees(shown.fields[name], owner)
    }
    if origin is CLOCK and type(event) in TELL_OF_CLOCK and not {"seat", "side", "say"} & hidden:
        return ToldEvent(tell(event, origin), f"{what}_of_clock", event_params(event, {"seat", "side", "say"}))
    defaults = _defaults(type(event))
    if all(name in defaults for name in hidden):
        seen = replace(event, **{name: defaults[name] for name in hidden})
        return ToldEvent(tell(seen), what, event_params(seen))
    if type(event) in TELL_IN_PART:
        told_with, teller = TELL_IN_PART[type(event)]
        if not told_with & hidden:
            return ToldEvent(teller(event), f"{what}_in_part", event_params(event, told_with))
    say = event.CARD.short.format(seat=owner, who=seat_name(owner))
    return ToldEvent(say, f"{what}_short" if say else "", {"seat": owner} if say else {})


def told_in_book(book: Aggregate[Any], event: Any) -> ToldEvent:
    """An event of one of the house's books in a sentence, and the same as data; those who see a book see all of it."""
    return ToldEvent(book.tell(event), event_name(type(event)), event_params(event))


def event_name(kind: type[Any]) -> str:
    """The name of the sentence about a kind of event."""
    return f"event_{kind.__struct_config__.tag}"


def event_params(event: msgspec.Struct, names: Iterable[str] | None = None) -> dict[str, Any]:
    """The fields of an event, or those named, as parameters: plain data, cards by their short names, the fields of a
    form or a notice in it as `form_serial`, chips by their worth."""
    wanted = event.__struct_fields__ if names is None else names
    found = dict[str, Any]()
    for name in wanted:
        value = getattr(event, name, UNSET)
        if value is UNSET or name in ("cites", "submission"):
            continue
        if isinstance(value, Inventory):
            found |= {name: value.value, f"{name}_text": str(value)}
        elif isinstance(value, msgspec.Struct) and not isinstance(value, Card):
            found |= {f"{name}_{inner}": each for inner, each in event_params(value).items()}
        else:
            found[name] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, tuple | list | frozenset):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {str(msgspec.to_builtins(key)): _plain(each) for key, each in value.items()}
    return msgspec.to_builtins(value, str_keys=True, enc_hook=str)


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
