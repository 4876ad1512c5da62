"""The words sent over sockets: the same as REST returns for a table's moment, or for its work."""

from __future__ import annotations

import msgspec

from baccarat.house.stream import table_stream
from baccarat.serve.access.denial import Denied
from baccarat.serve.fanout.message import Bye, WordsKind
from baccarat.serve.fanout.table_room import Subscriber, TableRoom
from baccarat.serve.fanout.table_words import WordsAudience
from baccarat.serve.fanout.witness_waits import WitnessWait
from baccarat.serve.live import HouseServer
from baccarat.serve.route.moment import cites_of_lines, explain_moment, spoken_moment
from baccarat.serve.route.work import shown_work
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE
from baccarat.table.explanation import Explained
from baccarat.table.json_difference import Json
from baccarat.table.view import TableMoment, Viewer


class _MomentWords:
    """The words of one moment of a table: explained once for all who see the felt, and once for the others."""

    def __init__(self, now: TableMoment, wait: WitnessWait | None) -> None:
        self.now, self.wait = now, wait
        self._explained: dict[bool, Explained] = {}
        self._documents: dict[tuple[bool, tuple[str, ...]], Json] = {}

    def find(self, room: TableRoom, viewer: Viewer) -> Json:
        """The words for a viewer; the same object for all who are shown the same."""
        at_table = viewer.role in TABLE.roles
        if at_table not in self._explained:
            self._explained[at_table] = explain_moment(room, self.wait, at_table=at_table)
        found = self._explained[at_table]
        like = at_table, cites_of_lines(found, viewer.seat)
        if like not in self._documents:
            self._documents[like] = _document(spoken_moment(room, found, viewer.seat, self.wait, at_table=at_table))
        return self._documents[like]


class WordsOfTables:
    """Finds the words of the tables of a house."""

    def __init__(self, live: HouseServer) -> None:
        self._live = live
        self._moments: dict[str, _MomentWords] = {}
        """The words of the last moment of each table."""

    def find(self, room: TableRoom, audience: WordsAudience) -> Json:
        """The words of a table as it is on disk."""
        if audience.kind is WordsKind.WORK:
            actor, at_hand = Actor(who=audience.who, role=audience.viewer.role), self._live.house.event_at_hand
            event_at = at_hand(table_stream(room.table))  # the last were loaded for the client that joined
            return _document(
                shown_work(self._live, room.table, room.rules, room.state, room.events_so_far, actor, event_at)
            )
        held, wait = self._moments.get(room.table), self._live.witness_waits.at(room.table)
        if held is None or held.now is not room.now or held.wait is not wait:
            held = self._moments[room.table] = _MomentWords(room.now, wait)
        return held.find(room, audience.viewer)

    def check(self, guest: Subscriber) -> Bye | None:
        """Why a client may no longer see the work: the session is over, or the console is locked."""
        if guest.held is None:
            return Bye(why="no_session", say="Nobody is signed on here.")
        found = self._live.desk.use(guest.held, acted=False)
        if isinstance(found, Denied):
            return Bye(why=found.code, say=found.say)
        guest.held = found
        return None

    def report(self, error: Exception) -> None:
        """Report that words could not be found because of a bug."""
        self._live.report_fault("finding the words of a table", error)


def _document(words: msgspec.Struct) -> Json:
    """Words as a reader of their JSON has them."""
    found: Json = msgspec.json.decode(msgspec.json.encode(words, enc_hook=str))
    return found
