"""What can be corrected in a round of the shoe in play, without knowing the numbers of events."""

from __future__ import annotations

import msgspec
from litestar.params import FromPath

from baccarat.house.stream import table_stream
from baccarat.serve.route.allow import RouteGroup
from baccarat.serve.route.replay import bounds, steps_of
from baccarat.serve.route.requester import HttpRequest, live_of, require_served_here, require_session
from baccarat.serve.route.table import room_of
from baccarat.serve.route.work import TABLE_STAFF_READ, CorrigibleShown, corrigible_answer
from baccarat.serve.store.base import Reads
from baccarat.table.base import table_rules
from baccarat.table.console.correctable import corrigible_among
from baccarat.table.console.remedy_progress import Recent

routes = RouteGroup("tables")


class RoundCorrigible(msgspec.Struct, frozen=True, kw_only=True):
    """The entries of a round that two persons may correct, the latest first."""

    table: str
    shoe: int
    round: int
    entries: list[CorrigibleShown]


@routes.get(
    "/api/tables/{name:str}/rounds/{number:int}/corrigible",
    "What can be corrected in a round of the shoe in play",
    TABLE_STAFF_READ,
    404,
    409,
    410,
    421,
)
async def round_corrigible(request: HttpRequest, name: FromPath[str], number: FromPath[int]) -> RoundCorrigible:
    """Each entry as a sentence, with the command that corrects it, except for the right value and the reason."""
    live, session = live_of(request), await require_session(request)
    room_of(live, name)
    require_served_here(request, name)
    house, stream = await live.durable_state(), table_stream(name)
    state = house.tables[name]
    shoe = state.shoe.number + 1

    def read(reads: Reads) -> Recent:
        first, last, _ = bounds(reads, stream, shoe, number, state)
        return tuple(
            (step.record.event + index, event)
            for step in steps_of(live.states, reads, stream, first, last)
            for index, event in enumerate(step.events)
        )

    events = await live.reading.ask(read)
    rules = table_rules(house.rules(name))
    found = await live.house.with_events(
        lambda: corrigible_among(rules, state, events, live.house.event_at(stream), session.role)
    )
    entries = [corrigible_answer(each, session.role) for each in found]
    return RoundCorrigible(table=name, shoe=shoe, round=number, entries=entries)
