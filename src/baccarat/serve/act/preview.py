"""What an act would lead to if it were done now: the events that it would enter, in sentences, or why it is refused.

The table or the book itself is asked, with nothing entered: so a page can show beforehand what will be recorded, and
offers nothing that would be refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from baccarat.engine.entries import AnyCommand, decide_in_stream
from baccarat.house.pit import latest
from baccarat.house.registry import book_of
from baccarat.house.state import HouseState
from baccarat.house.stream import Stream, is_table_stream, stream_name
from baccarat.play.refusal import RefusalCode, RefusalNote, Refused, refusal_sentence, spoken_params
from baccarat.record.directory import Directory
from baccarat.serve.access.may import name_of
from baccarat.serve.runtime.house import HouseEngine
from baccarat.serve.watch.sentence import ToldEvent, told_event, told_in_book
from baccarat.serve.watch.sentence import as_sentence as capital
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Event, StepBegan
from baccarat.table.correction import Correction
from baccarat.table.role import Role
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.two_persons import with_assumed_second
from baccarat.table.view import Viewer

ANY_APPROVER = "somebody else"
"""In place of the second person while nobody has approved."""


class CitedSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence with the clauses behind it."""

    say: str
    cites: list[str] = []
    parts: list[str] = []
    """If it lists several things, each of them as a sentence of its own."""
    part_notes: list[RefusalNote] = []
    """The same as names and parameters."""
    what: str = ""
    """The name of the sentence."""
    params: dict[str, Any] = {}
    """Its parameters."""


class ActPreview(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an act: sentences of its events, or the refusal; and whether it needs a second person."""

    events: list[CitedSentence] = []
    refused: CitedSentence | None = None
    code: RefusalCode | None = None
    """Why it is refused, as a code."""
    second: Role | None = None
    """The capacity of the assumed second person; none if one person does it alone."""

    @property
    def cites(self) -> list[str]:
        """The clauses behind it."""
        if self.refused is not None:
            return self.refused.cites
        return list(dict.fromkeys(cite for each in self.events for cite in each.cites))


def preview_act(  # noqa: PLR0913  who does what, with whom, and who sees it
    house: HouseEngine,
    stream: Stream,
    command: AnyCommand,
    *,
    who: str,
    role: Role,
    approver: tuple[str, Role] | None = None,
    viewer: Viewer | None = None,
    now: int = 0,
    state: HouseState | None = None,
) -> ActPreview:
    """The outcome of an act of a person in a role, approved by another, in the words for a viewer or for the person.

    `now` is the house's clock, in seconds; `state` is the house as it will be then, if not as it is.
    """
    held = house.state if state is None else state
    early = early_refusal(held, stream, command, now=now)
    if early is not None:
        return ActPreview(refused=early)
    approvals = (Approval(approver[0], approver[1], name_of(command)),) if approver is not None else ()
    actor = Actor(who=who, role=role, approvals=approvals)
    tried = _with_assumed_second(held, stream, actor)
    _, found = decide_in_stream(tried, house.rules, stream, command, actor, house.event_at(stream))
    if isinstance(found, Refused):
        return ActPreview(refused=refusal_text(found, house.names), code=found.code)
    own = next((each.events for each in found.appended if each.stream == stream), ())
    told = list(_event_sentences(house, stream, own, viewer or Viewer(role)))
    return ActPreview(events=told, second=approver[1] if approver is not None else None)


def _with_assumed_second(state: HouseState, stream: Stream, actor: Actor) -> HouseState:
    """The house on which an act is tried out before anybody has approved it."""
    name = stream_name(stream)
    if not is_table_stream(stream) or name not in state.tables:
        return state
    for second in actor.approvals:
        if second.who == ANY_APPROVER:
            tables = {**state.tables, name: with_assumed_second(state.tables[name], second)}
            state = msgspec.structs.replace(state, tables=tables)
    return state


def refusal_text(refused: Refused, names: Directory | None) -> CitedSentence:
    """A refusal as it is shown next to the act, which need not be named again; people have names there, not ids."""
    notes = [each for param in refused.params.values() if isinstance(param, tuple) for each in param]
    tell = str if names is None else names.fill_names
    alone = msgspec.structs.replace(refused, act=None)
    told = ToldEvent(refusal_sentence(alone), refused.what, spoken_params(refused)).with_names(tell)
    parted = [ToldEvent(each.say, each.what, each.params).with_names(tell) for each in notes] if len(notes) > 1 else []
    return CitedSentence(
        say=capital(told.say),
        cites=list(map(str, refused.cites)),
        parts=[capital(each.say) for each in parted],
        part_notes=[RefusalNote(each.what, each.params) for each in parted],
        what=told.what,
        params=told.params,
    )


def _event_sentences(
    house: HouseEngine, stream: Stream, events: Iterable[object], viewer: Viewer
) -> Iterable[CitedSentence]:
    book = book_of(stream)
    for event in events:
        if isinstance(event, StepBegan):
            continue
        if isinstance(event, Event):
            told = told_event(event, viewer)
        else:
            assert book is not None, "a stream that is not a table is a book"
            told = told_in_book(book, event)
        if told.say:
            yield cited_event(house, told, getattr(event, "cites", ()))


def cited_event(house: HouseEngine, told: ToldEvent, cites: Iterable[str]) -> CitedSentence:
    """An event in a sentence, with the names of persons and the clauses behind it."""
    names = house.names
    named = told.with_names(str if names is None else names.fill_names)
    return CitedSentence(say=named.say, cites=list(cites), what=named.what, params=named.params)


def corrected_entry(house: HouseEngine, stream: Stream, command: AnyCommand, viewer: Viewer) -> CitedSentence | None:
    """The entry that a correction names, in the words for a viewer."""
    event = house.event_at(stream)(command.corrects) if isinstance(command, Correction) else None
    return next(iter(_event_sentences(house, stream, [event], viewer)), None) if event is not None else None


def with_names(house: HouseEngine, value: Any) -> Any:
    """Plain data with names and remarks in place of their ids, for those who decide on it."""
    if isinstance(value, str):
        return house.names.fill_names(value) if house.names is not None else value
    if isinstance(value, dict):
        return {key: with_names(house, each) for key, each in value.items()}
    return [with_names(house, each) for each in value] if isinstance(value, list | tuple) else value


def early_refusal(state: HouseState, stream: Stream, command: AnyCommand, *, now: int) -> CitedSentence | None:
    """Why an act at a table comes too early: the table is not open yet, or the rules that were filed do not hold yet.

    A decision knows no clock, so the house's own clock is checked here.
    """
    table = stream_name(stream)
    pit = next((pit for pit in state.pits.values() if table in pit.tables), None) if is_table_stream(stream) else None
    if pit is None:
        return None
    opens = pit.tables[table][0].since
    if opens > now:
        say = f"{table} opens in {_wait_text(opens - now)}; nothing is done there before."
        params = {"table": table, "seconds": opens - now}
        return CitedSentence(say=say, cites=["house §filed-rules"], what="opens_later", params=params)
    held = latest(pit, table)
    if not isinstance(command, AdoptRules) or held.since <= now:
        return None
    say = (
        f"The rules that pit {pit.name} has filed for {table} take effect in {_wait_text(held.since - now)}; a shoe "
        "that begins before then is played by the present ones."
    )
    params = {"pit": pit.name, "table": table, "seconds": held.since - now}
    return CitedSentence(say=say, cites=["house §filed-rules"], what="rules_later", params=params)


def _wait_text(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes} min {rest:02} s"
