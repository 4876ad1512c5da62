"""A socket at a table: the client joins with a ticket, sends commands, and is shown what it may see.

With a ticket that names no table it follows the whole house, and sends no commands.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from baccarat.engine.entries import EnteredAct
from baccarat.play.refusal import refusal_sentence, told_with
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.session import Session
from baccarat.serve.act.intake import NotBrought, NotBroughtReason, submit
from baccarat.serve.fanout.house_room import HouseFollower
from baccarat.serve.fanout.message import (
    Bye,
    Do,
    Done,
    Join,
    Ping,
    Pong,
    ProblemMessage,
    RefusedAnswer,
    Said,
    SeenMessage,
    message,
    read_said,
)
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import Subscriber
from baccarat.serve.http.shield import Rate
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.pending_batch import Superseded

JOIN_SECONDS = 10.0
"""So long a socket may take to say who it is."""
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading a message may raise; the last where a text is nested as deep as it is long."""
MOST_UNREADABLE = 20
"""So many messages that cannot be read, and the line ends."""


async def talk(socket: WebSocket[Any, Any, Any], live: HouseServer) -> None:
    """Everything that is said over one socket."""
    await socket.accept()
    counts = live.metrics.counts
    line = Outbox(counts=counts)
    counts.sockets += 1

    async def send(text: str) -> None:
        if not live.readiness.holds_lease():  # what waited while this node stood still may be wrong by now
            raise WebSocketDisconnect(detail="this node has stopped")
        await socket.send_text(text)

    sending = asyncio.create_task(line.run(send))
    try:
        said = await asyncio.wait_for(_next(socket), JOIN_SECONDS)
        if not isinstance(said, Join):
            line.end(Bye(why="no_ticket", say="The first message joins a table, with a ticket."))
        else:
            await _until_it_ends(line, sending, _joined(socket, live, line, said))
    except TimeoutError:
        line.end(Bye(why="no_ticket", say="Nobody said with which ticket this is; join again."))
    except UNREADABLE:
        line.end(Bye(why="no_ticket", say="The first message could not be read: expected a join with a ticket."))
    except WebSocketDisconnect:
        line.end()
    finally:
        line.end()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(sending, 2.0)
        counts.sockets -= 1
        if line.is_too_slow:
            counts.too_slow += 1
            live.log.say("slow_reader", "a socket was let go: nobody read what was sent", level="debug")
        with contextlib.suppress(Exception):
            await socket.close()


async def _until_it_ends(line: Outbox, sending: asyncio.Task[None], talking: Coroutine[Any, Any, None]) -> None:
    """Listen until the client goes, or the line ends: then what the client still says is not heard any more.

    The line of a client that does not read ends though the last message is never sent.
    """
    listening = asyncio.create_task(talking)
    line.on_end = listening.cancel
    try:
        await asyncio.wait({sending, listening}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if not listening.done():
            listening.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await listening


async def _next(socket: WebSocket[Any, Any, Any]) -> Said:
    return read_said.decode(await socket.receive_text())


async def _joined(socket: WebSocket[Any, Any, Any], live: HouseServer, line: Outbox, said: Join) -> None:
    found = live.desk.take_ticket(said.ticket, address=live.address)
    if isinstance(found, Denied) and live.node is not None:
        found = await live.desk.take_stored_ticket(said.ticket, address=live.address)
    if isinstance(found, Denied):
        line.end(Bye(why=found.code, say=found.say))
        return
    ticket, session = found
    if not ticket.table:
        assert session is not None, "only somebody who works here is given such a ticket"
        await _follow(socket, live, line, session, said)
        return
    if live.node is not None and not live.node.owns(ticket.table):
        say = "This table is served by another node now; join again."
        line.end(Bye(why="moved", say=say, address=live.node.owner(ticket.table)))
        return
    guest = Subscriber(ticket.person, ticket.role, line, session=ticket.session)
    live.rooms.join(ticket.table, guest, run=said.run, after=said.after)
    try:
        await _listen(socket, live, line, session, ticket.table)
    finally:
        live.rooms.leave(ticket.table, guest)


async def _follow(
    socket: WebSocket[Any, Any, Any], live: HouseServer, line: Outbox, session: Session, said: Join
) -> None:
    guest = HouseFollower(session, line)
    if not live.rooms.house_room.check_now(guest):
        return
    live.rooms.follow(guest, run=said.run, after=said.after)
    try:
        async for heard in _heard(socket, live, line):
            match heard:
                case Ping():
                    if live.rooms.house_room.check_now(guest):
                        line.put(message(Pong()))
                case Do():
                    line.put(message(ProblemMessage(id=heard.id, say="Nothing is done over this line; it only shows.")))
                case SeenMessage():
                    line.seen = heard.seq
                case Join():
                    line.put(message(ProblemMessage(say="You have joined already.")))
    finally:
        live.rooms.house_room.leave(guest)


async def _heard(socket: WebSocket[Any, Any, Any], live: HouseServer, line: Outbox) -> AsyncIterator[Said]:
    """What a client says, until too much of it cannot be read, or nobody listens any more."""
    unreadable, rate = 0, Rate(live.setting.requests_a_second, live.setting.requests_at_once)
    while True:
        while wait := rate.wait(""):
            await asyncio.sleep(wait)  # who sends more is read later, and nothing of it is lost
        try:
            said = await _next(socket)
        except UNREADABLE:
            unreadable += 1
            live.metrics.count_unreadable()
            if unreadable > MOST_UNREADABLE:
                line.end(Bye(why="unreadable", say="Too many messages could not be read."))
                return
            line.put(message(ProblemMessage(say="This message could not be read: expected do, seen, ping or join.")))
            continue
        if line.is_ended:
            return  # nobody acts whose session was ended while the message was on its way
        yield said


async def _listen(
    socket: WebSocket[Any, Any, Any], live: HouseServer, line: Outbox, session: Session | None, table: str
) -> None:
    async for said in _heard(socket, live, line):
        match said:
            case Do():
                session = do(live, line, session, table, said)
            case Ping():
                session = watching(live, session)
                line.put(message(Pong()))
            case SeenMessage():
                session = watching(live, session)
                line.seen = said.seq
            case Join():
                line.put(message(ProblemMessage(say="You have joined already.")))


def watching(live: HouseServer, session: Session | None) -> Session | None:
    """Whoever looks on uses the session, too, though a console locks all the same; one that is over is ended by
    whoever tidies."""
    used = live.desk.use(session, acted=False) if session is not None else None
    return used if isinstance(used, Session) else session


def do(live: HouseServer, line: Outbox, session: Session | None, table: str, said: Do) -> Session | None:
    """Bring a person's command to the table; the answer comes when it is on the disk. The session, which was used."""
    if session is None:
        line.put(message(ProblemMessage(id=said.id, say="Whoever only watches does nothing here.")))
        return None
    used = live.desk.use(session, acted=True)
    if isinstance(used, Denied):
        line.end(Bye(why=used.code, say=used.say))
        return session
    try:
        session = used
        submit(
            live, session, table, bytes(said.command), id_=said.id, then=lambda kept: line.put(answer(said.id, kept))
        )
    except NotBrought as error:
        problem = message(ProblemMessage(id=said.id, say=error.say, again=error.is_for_later))
        if error.why is NotBroughtReason.DENIED:  # that the table would have taken it tells how the table stands
            live.house.writer.on_durable(lambda: line.put(problem))
        else:
            line.put(problem)
    return session


def answer(id_: str, kept: EnteredAct) -> str:
    """What a client is told of its command."""
    assert not isinstance(kept, Superseded), "the acts of people at a table are decided until they are stored"
    seq = kept.record.seq if kept.record is not None else 0
    if kept.refused is None:
        return message(Done(id=id_, seq=seq, repeat=kept.is_repeat))
    refused = kept.refused
    cites = tuple(map(str, refused.cites))
    return message(
        RefusedAnswer(
            id=id_,
            code=refused.code.value,
            say=refusal_sentence(refused),
            what=refused.what,
            params=told_with(refused),
            cites=cites,
            seq=seq,
            repeat=kept.is_repeat,
        )
    )
