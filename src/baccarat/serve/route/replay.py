"""Shoes and rounds replayed: every record in sentences, with the table before the first and what each event changed.

A client that applies the changes one by one sees the table after any event, forwards and, from the beginning, back. It
holds what the person may see of the table, and nothing else: no state holds a card that is not turned.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from litestar.params import FromPath, QueryParameter

from baccarat.house.stream import Stream, table_stream
from baccarat.record.entry import NO_BYTES
from baccarat.serve.http.problem import dropped_problem, not_found, problem
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import EVERYBODY, RouteGroup, only
from baccarat.serve.route.requester import HttpRequest, live_of, require_session
from baccarat.serve.route.round import RoundCard
from baccarat.serve.route.table import room_of
from baccarat.serve.runtime.past_state import RecordsDropped, ReplayedRecord, ReplayTooLong, StateCache
from baccarat.serve.runtime.round_index import ends_of_shoe, rounds_of_shoe
from baccarat.serve.store.base import Reads
from baccarat.serve.watch.expected_win import rules_filed
from baccarat.serve.watch.narration import NarratedAct, ReplayNarrator, Tell, narrate, words_of
from baccarat.serve.watch.sentence import ToldEvent, told_event
from baccarat.table.role import RECORD_READERS
from baccarat.table.state import TableState
from baccarat.table.view import Viewer, view_event

routes = RouteGroup("records")

MOST_ACTS, MOST_FOUND = 500, 200
"""How many records one answer holds, and how many found by a search."""
READS_RECORDS = only(RECORD_READERS)
Number = FromPath[int]
Seq = Annotated[int, QueryParameter(name="after", ge=0, lt=2**53, description="only the records after this one")]
RoundOf = Annotated[int, QueryParameter(name="round", ge=0, lt=2**53, description="0 for what came before the first")]
SearchWords = Annotated[str, QueryParameter(name="words", max_length=100, description="all of them must occur")]
ClauseQuery = Annotated[str, QueryParameter(name="clause", max_length=100, description="such as `§8(b)`")]


class ReplayedShoe(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe: its rounds that are over, in order, and whether it is closed."""

    table: str
    shoe: int
    over: bool
    round: int
    """The round in play, or the last."""
    rounds: list[RoundCard]


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A round in sentences: the whole table before its first record, then every record with what each event changed."""

    table: str
    shoe: int
    round: int
    over: bool
    rulebook: str
    view: Any
    """None if only the records after one were requested."""
    acts: list[NarratedAct]
    last: int
    """The last record here, or already known: ask for those after it."""
    more: bool = False
    """Whether there are more records: an answer has at most 500."""


class FoundAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act in which something was found: the round, the number of its record and of its event, and the sentence."""

    round: int
    seq: int
    number: int
    at: int
    sort: str
    say: str
    what: str
    params: dict[str, Any]
    cites: tuple[str, ...]


class FoundActs(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found in a shoe, in order."""

    table: str
    shoe: int
    found: list[FoundAct]
    more: bool
    """Whether there was more than is listed."""


@routes.get("/api/tables/{name:str}/shoes/{shoe:int}", "One shoe and its rounds", EVERYBODY, 404, tag="tables")
async def one_shoe(request: HttpRequest, name: FromPath[str], shoe: Number) -> ReplayedShoe:
    """The rounds of a shoe that are over, in order, as everybody saw them."""
    live = live_of(request)
    now = _shoe(live, name, shoe)
    rows = await live.reading.ask(lambda reads: rounds_of_shoe(reads, table_stream(name), shoe))
    is_over = shoe <= now.shoe.number
    last = (rows[-1].round if rows else 0) if is_over else now.round.number
    return ReplayedShoe(
        table=name, shoe=shoe, over=is_over, round=last, rounds=[RoundCard.from_index(row) for row in rows]
    )


def _shoe(live: HouseServer, table: str, shoe: int) -> TableState:
    """The current table; a problem if it has no such shoe."""
    now = room_of(live, table).state
    if not 0 < shoe <= now.shoe.number + 1:
        raise not_found(f"shoe {shoe} at table {table}", code="no_such_shoe")
    return now


# --------------------------------------------------------------------------------------------- one round


@routes.get(
    "/api/tables/{name:str}/shoes/{shoe:int}/replay",
    "A round, replayed event by event",
    READS_RECORDS,
    404,
    409,
    410,
)
async def replay(
    request: HttpRequest, name: FromPath[str], shoe: Number, round_: RoundOf = 0, after: Seq = 0
) -> Replay:
    """Every record of a round, done or refused, and the table as it was after each event, as far as you may see it."""
    live, viewer = live_of(request), Viewer((await require_session(request)).role)
    now = _shoe(live, name, shoe)
    rules, tell = rules_filed(live.house.state), teller(live)

    def read(reads: Reads) -> Replay:
        first, last, is_over = bounds(reads, table_stream(name), shoe, round_, now)
        if first > last:  # a round that has just begun
            return Replay(table=name, shoe=shoe, round=round_, over=False, rulebook="", view=None, acts=[], last=last)
        whole = after < first
        start, end = (first if whole else after + 1), last
        last_told = min(end, start + MOST_ACTS - 1)
        film, acts, rulebook = None, list[NarratedAct](), ""
        for step in steps_of(live.states, reads, table_stream(name), start, last_told):
            film = film or ReplayNarrator(step, viewer, rules, tell)
            acts.append(film.act(step))
            rulebook = step.record.rulebook
        return Replay(
            table=name, shoe=shoe, round=round_, over=is_over, rulebook=rulebook,
            view=film.view if film is not None and whole else None, acts=acts, last=max(last_told, after),
            more=last_told < end,
        )  # fmt: skip

    return await live.reading.ask(read)


def bounds(reads: Reads, stream: Stream, shoe: int, round_: int, now: TableState) -> tuple[int, int, bool]:
    """The first and the last record of a round, and whether it is over; a problem if there is no such round."""
    ends = ends_of_shoe(reads, stream, shoe)
    head = _head(reads, stream)
    first = ends.begins
    for number, last in ends.rounds:
        if number == round_:
            return first, last, True
        first = last + 1
    if (shoe, round_) != (now.shoe.number + 1, now.round.number):
        raise not_found(f"round {round_} of shoe {shoe} at {stream}", code="no_such_round")
    return first, head, False


def _head(reads: Reads, stream: Stream) -> int:
    """The last record of a table; 0 if nothing has happened there yet."""
    found = reads.heads().get(stream)
    return found.seq if found is not None else 0


def steps_of(states: StateCache, reads: Reads, stream: Stream, first: int, last: int) -> Iterator[ReplayedRecord]:
    """Records with the table before and after each; a problem if they can no longer be replayed."""
    try:
        yield from states.steps(reads, stream, first, last)
    except RecordsDropped:
        raise dropped_problem("The records of this shoe were", code="dropped") from None
    except ReplayTooLong:
        say = "There are too many records between this round and the last stored state; export the journal instead."
        raise problem(409, say, code="too_long") from None


def teller(live: HouseServer) -> Tell:
    """Replaces ids by names, for those who oversee the house."""
    names = live.house.names
    return (lambda text: text) if names is None else names.fill_names


# ----------------------------------------------------------------------------------------------- search


@routes.get(
    "/api/tables/{name:str}/shoes/{shoe:int}/search", "Search the journal of a shoe", READS_RECORDS, 404, 409, 410
)
async def search(
    request: HttpRequest, name: FromPath[str], shoe: Number, words: SearchWords = "", clause: ClauseQuery = ""
) -> FoundActs:
    """The acts of a shoe whose sentence, clauses or cards have all of these words, such as `seat 6` or `8s`."""
    live, viewer = live_of(request), Viewer((await require_session(request)).role)
    _shoe(live, name, shoe)
    tell, stream, wanted = teller(live), table_stream(name), search_patterns(words)

    def read(reads: Reads) -> FoundActs:
        ends = ends_of_shoe(reads, stream, shoe)
        last = ends.rounds[-1][1] if ends.is_over else _head(reads, stream)
        found = list[FoundAct]()
        lasts = [each for _, each in ends.rounds]
        for step in steps_of(live.states, reads, stream, ends.begins, last):
            index = bisect_left(lasts, step.record.seq)
            number = ends.rounds[index][0] if index < len(lasts) else step.before.round.number
            found += matches(step, number, viewer, tell, wanted, clause)
            if len(found) > MOST_FOUND:
                break
        return FoundActs(table=name, shoe=shoe, found=found[:MOST_FOUND], more=len(found) > MOST_FOUND)

    return await live.reading.ask(read)


_TOKEN = re.compile(r"seat \d+|card \d+|\S+")


def search_patterns(words: str) -> list[re.Pattern[str]]:
    """The patterns of a search: each matches a word from its beginning, a number whole, and that of a seat with it."""
    return [re.compile(rf"(?<!\w){re.escape(token)}(?!\d)") for token in _TOKEN.findall(words.casefold())]


def matches(
    step: ReplayedRecord, round_: int, viewer: Viewer, tell: Tell, wanted: list[re.Pattern[str]], clause: str
) -> Iterator[FoundAct]:
    """The events of a record, or its refusal, that match a search."""

    def made(number: int, sort: str, told: ToldEvent, cites: tuple[str, ...]) -> FoundAct:
        record = step.record
        return FoundAct(
            round=round_, seq=record.seq, number=number, at=record.at, sort=sort, say=told.say, what=told.what,
            params=told.params, cites=cites,
        )  # fmt: skip

    def is_wanted(text: str, cites: tuple[str, ...]) -> bool:
        return all(word.search(text) for word in wanted) and (
            not clause or any(cite.partition(" ")[2] == clause or cite == clause for cite in cites)
        )

    if step.record.refused is not NO_BYTES or step.record.folded is not None:
        act = narrate(step, tell, [])
        assert act.refused is not None, "it was refused"
        text = " ".join((act.refused.say, *(cite.partition(" ")[2] for cite in act.refused.cites))).casefold()
        if is_wanted(text, act.refused.cites):
            told = ToldEvent(act.refused.say, act.refused.what, act.refused.params)
            yield made(step.record.event, "refusal", told, act.refused.cites)
    for index, event in enumerate(step.events):
        if view_event(event, viewer) is None:
            continue
        raw = told_event(event, viewer, step.record.origin)
        told = raw.with_names(tell)
        sort = event.CARD.sort
        if sort != "step" and is_wanted(words_of(event, f"{told.say} {raw.say}"), event.cites):
            yield made(step.record.event + index, sort, told, tuple(event.cites))
