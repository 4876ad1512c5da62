"""The socket that follows the whole house: who is shown which topics, and what each contains."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from baccarat.house.stream import Stream
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.session import Session
from baccarat.serve.act.open_acts import OpenAct, is_known_stream, open_acts
from baccarat.serve.fanout.house_room import TopicScope
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import RouteGroup, only
from baccarat.serve.route.book import open_proposals
from baccarat.serve.route.floor import floor_parts, tables_shown
from baccarat.serve.route.house import notices_of
from baccarat.serve.route.requester import HttpRequest, live_of, require_allowed, require_session
from baccarat.serve.route.visit import TicketAnswer
from baccarat.serve.route.watch import find_alerts
from baccarat.serve.route.work import calls_shown
from baccarat.serve.store.base import Reads
from baccarat.table.role import HOUSE_STAFF, OVERSEERS, PAPER_READERS, RECORD_READERS

routes = RouteGroup("session")

FIGURES = "figures"
"""The scope of those who may see what tables have won."""
TABLE = "table "
MOST_NOTICES = 100


@routes.post("/api/house-tickets", "A ticket to follow the house", only(HOUSE_STAFF))
async def house_ticket(request: HttpRequest) -> TicketAnswer:
    """A ticket with which one socket follows all that your role sees of the house: tables, proposals, calls, alerts."""
    live, session = live_of(request), await require_session(request)
    found = require_allowed(live.desk.give_ticket(session, table="", address=live.address))
    return TicketAnswer(ticket=found.token.reveal(), socket="/socket")


# ------------------------------------------------------------------------------------------------ topics


class ActsShown(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody may do in a stream, as in `GET /api/me/acts`."""

    stream: Stream
    acts: list[OpenAct]


async def _acts_shown(live: HouseServer, session: Session, stream: Stream) -> ActsShown:
    """What a session may do in a stream now; nothing in one that the house does not have."""
    acts = list[OpenAct]()
    if is_known_stream(live, stream):
        acts = await live.house.with_events(lambda: open_acts(live, session, stream))  # a correction names an old event
    return ActsShown(stream=stream, acts=acts)


class TopicsOfHouse:
    """The topics of a house, as its room shows them."""

    def __init__(self, live: HouseServer) -> None:
        self._live = live

    def wanted_by(self, session: Session, stream: Stream | None) -> Iterator[TopicScope]:
        """What a session may see; and, if there is a stream, what it may do in it."""
        if session.role in PAPER_READERS:
            scope = FIGURES if session.role in OVERSEERS else ""
            yield TopicScope("day", scope)
            for name in tables_shown(self._live, self._live.house.state):
                yield TopicScope(f"{TABLE}{name}", scope)
            yield from (TopicScope("notices"), TopicScope("books"))
        if session.role in RECORD_READERS:
            yield TopicScope("alerts")
        yield TopicScope("calls")
        yield TopicScope("proposals", session.id)
        if stream is not None:
            yield TopicScope("acts", f"{session.id} {stream}")

    async def find(self, wanted: Collection[TopicScope]) -> dict[TopicScope, bytes]:
        """Topics as they are on disk now."""
        live = self._live
        state = await live.durable_state()
        found = dict[TopicScope, Any]()
        for scope in (FIGURES, ""):
            of_floor = [each for each in wanted if each.scope == scope and each.topic.startswith((TABLE, "day"))]
            if of_floor:
                names = [each.topic.removeprefix(TABLE) for each in of_floor if each.topic.startswith(TABLE)]

                def read(reads: Reads, names: list[str] = names, scope: str = scope) -> tuple[Any, dict[str, Any]]:
                    return floor_parts(live, reads, state, names, sees=scope == FIGURES)

                day, tables = await live.reading.ask(read)
                found |= {TopicScope(f"{TABLE}{name}", scope): table for name, table in tables.items()}
                found[TopicScope("day", scope)] = day
        if TopicScope("alerts") in wanted:
            found[TopicScope("alerts")] = await find_alerts(live)
        guests = live.rooms.house_room.guests
        sessions = {guest.session: guest.held for guest in guests}
        streams = {f"{each.session} {each.stream}": (each.held, each.stream) for each in guests if each.stream}
        for each in wanted:
            match each.topic:
                case "notices":
                    found[each] = notices_of(state)[:MOST_NOTICES]
                case "books":
                    found[each] = live.rooms.house_room.changes
                case "calls":
                    found[each] = calls_shown(live)
                case "proposals" if each.scope in sessions:
                    found[each] = await open_proposals(live, sessions[each.scope])
                case "acts" if each.scope in streams:
                    found[each] = await _acts_shown(live, *streams[each.scope])
        return {each: msgspec.json.encode(value, enc_hook=str) for each, value in found.items()}

    async def check(self, session: Session) -> Session | Denied:
        """The current session."""
        desk = self._live.desk
        found = await desk.current_session(session)
        return found if isinstance(found, Denied) else desk.use(found, acted=False)

    def now(self) -> int:
        """The time of day in the house."""
        return self._live.desk.now
