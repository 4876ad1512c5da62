"""Acts of people: a command that somebody sends, by socket or request, read, signed with who it is, and brought in.

Who acts is never read from the message: it is whoever the session is. What a message may leave out is filled in here:
whoever sits down, sits down himself.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import msgspec

from baccarat.engine.entries import EnteredAct
from baccarat.house.stream import table_stream
from baccarat.record.journal_file import TooLong
from baccarat.record.line import UnreadableLine
from baccarat.record.wire import Beside, read_command
from baccarat.serve.access.base import SECOND
from baccarat.serve.access.denial import Denial as NotHis
from baccarat.serve.access.may import name_of, why_denied, why_denied_at_table
from baccarat.serve.access.session import Session
from baccarat.serve.act.card_source import from_the_shoe
from baccarat.serve.act.preview import too_early
from baccarat.serve.live import HouseServer
from baccarat.table.actor import Actor, Envelope
from baccarat.table.base import Command
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit

NOTHING_BESIDE = Beside()
SITS = str(Sit.__struct_config__.tag)


class NotBroughtReason(Enum):
    """Why an act was not even brought to the table."""

    UNREADABLE = "unreadable"
    DENIED = "denied"
    CLOSING = "closing"
    TOO_LONG = "too_long"
    ELSEWHERE = "elsewhere"
    TOO_EARLY = "too_early"
    """The house's clock says that its time has not come; a decision knows no clock."""


class NotBrought(Exception):  # noqa: N818
    """An act that did not come to the table: nothing is decided and nothing kept of it."""

    def __init__(self, why: NotBroughtReason, say: str, cites: tuple[str, ...] = ()) -> None:
        super().__init__(say)
        self.why, self.say, self.cites = why, say, cites

    @property
    def is_for_later(self) -> bool:
        """Whether nobody has looked at the act, and whoever has the table in a moment decides it: sent again under the
        same id it is done, or answered as it was. The line to the client ends at once, and so it is sent again."""
        return self.why in (NotBroughtReason.CLOSING, NotBroughtReason.ELSEWHERE)


def submit(
    live: HouseServer, session: Session, table: str, command: bytes, *, id_: str, then: Callable[[EnteredAct], None]
) -> None:
    """Bring a person's command to a table; `then` is called when its outcome is on the disk."""
    commands = live.metrics.counts.commands
    try:
        kept = _brought(live, session, table, command, id_=id_, then=then)
    except NotBrought as error:
        commands[error.why.value] += 1
        raise
    commands["repeated" if kept.is_repeat else "refused" if kept.refused is not None else "done"] += 1


def _brought(
    live: HouseServer, session: Session, table: str, command: bytes, *, id_: str, then: Callable[[EnteredAct], None]
) -> EnteredAct:
    _check_is_taken(live, table)
    stream, envelope = table_stream(table), session.envelope(id_=id_, now=0)
    try:
        meant = understood(from_the_shoe(live, session, table, command, id_=id_), session)
        refused = why_denied(session, stream, meant, live.sits_at)
        is_kept = refused is None or (
            refused.why is not NotHis.OTHER_PERSON and live.house.would_refuse(stream, meant, envelope.actor)
        )
        if refused is not None and not is_kept:  # of a name that is not his own, nothing is kept at all
            live.desk.deny(session, refused, about=f"{name_of(meant)} {stream}")
            raise NotBrought(NotBroughtReason.DENIED, refused.say)
        misplaced = why_denied_at_table(session, meant, live.house.state.tables[table]) if refused is None else None
        if (
            misplaced is not None and live.house.find(session.person, id_) is None
        ):  # what was done before is answered alike
            live.desk.deny(session, misplaced, about=f"{name_of(meant)} {stream}")
            raise NotBrought(NotBroughtReason.DENIED, misplaced.say)
        early = too_early(live.house.state, stream, meant, now=live.desk.now // SECOND)
        if early is not None:
            raise NotBrought(NotBroughtReason.TOO_EARLY, early.say, tuple(early.cites))
        return live.enter(stream, meant, envelope, then)
    except TooLong as error:
        raise NotBrought(NotBroughtReason.TOO_LONG, str(error)) from None
    except UnreadableLine as error:
        live.count_unreadable()
        raise NotBrought(NotBroughtReason.UNREADABLE, str(error)) from None


def _check_is_taken(live: HouseServer, table: str) -> None:
    """`NotBrought` where nothing is taken at a table now."""
    if live.is_draining:
        raise NotBrought(NotBroughtReason.CLOSING, "The house is closing: nothing new is taken; send it again later.")
    if live.node is not None and not live.node.owns(table):
        raise NotBrought(NotBroughtReason.ELSEWHERE, "This table is served by another node.")


def understood(data: bytes, session: Session) -> Command:
    """The command that somebody means; `UnreadableLine` where it is none."""
    command, beside = read_command(_completed(data, session))
    if beside != NOTHING_BESIDE:
        raise UnreadableLine("a command says what is to be done; who does it, and its id, stand beside it")
    return command


def _completed(data: bytes, session: Session) -> bytes:
    """Whoever sits down without saying who, is the one who asks."""
    if session.role is not Role.PARTICIPANT or SITS.encode() not in data:
        return data
    try:
        fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return data  # what is wrong with it is said by whoever reads it
    if fields.get("do") == f'"{SITS}"'.encode() and "person" not in fields:
        fields["person"] = msgspec.Raw(msgspec.json.encode(session.person))
        return msgspec.json.encode(fields)
    return data


def sell_chips(
    live: HouseServer, table: str, seat: int, amount: int, *, id_: str, then: Callable[[EnteredAct], None]
) -> None:
    """At a practice table the automated dealer changes play money into chips for whoever asks."""
    _check_is_taken(live, table)
    dealer = live.rooms[table].state.seats.dealers[0]
    envelope = Envelope(actor=Actor(who=dealer, role=Role.DEALER), id=id_)
    live.enter(table_stream(table), BuyIn(seat=seat, amount=amount), envelope, then)
