"""A socket at a table: the client joins with a ticket, sends commands, and is shown what it may see.

With a ticket that names no table it follows the whole house, and sends no commands.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from baccarat.engine.entries import EnteredAct
from baccarat.house.stream import table_stream
from baccarat.play.refusal import refusal_sentence, spoken_params
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.access.budget import Budgets
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.lateness import Lateness
from baccarat.serve.access.session import Session
from baccarat.serve.act.intake import CommandNotSubmitted, WhyNotSubmitted, load_for_act, submit
from baccarat.serve.fanout.house_room import HouseFollower
from baccarat.serve.fanout.message import (
    Bye,
    Do,
    Done,
    Follow,
    Join,
    Ping,
    Pong,
    ProblemMessage,
    RefusedAnswer,
    Said,
    SeenMessage,
    WordsKind,
    message,
    read_said,
)
from baccarat.serve.fanout.outbox import Outbox, Send
from baccarat.serve.fanout.table_room import Subscriber
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.runtime.pending_batch import Superseded

Socket = WebSocket[Any, Any, Any]
JOIN_SECONDS = 10.0
"""How long a client may take to send its ticket."""
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading a message may raise; the last if a text is nested as deep as it is long."""
UNREADABLE_MESSAGE = "This message could not be read: expected do, seen, ping, follow or join."
MOST_UNREADABLE = 20
"""After more messages than this that cannot be read, the line ends."""


async def talk(socket: Socket, live: HouseServer) -> None:
    """Serve one socket, from the join to the end of the line."""
    await socket.accept()
    counts = live.metrics.counts
    line = Outbox(counts=counts)
    counts.sockets += 1

    async def send(text: str) -> None:
        if not live.readiness.holds_lease():  # what waited while this node hung may be wrong by now
            raise WebSocketDisconnect(detail="this node has stopped")
        await socket.send_text(text)

    async with OwnedTasks() as tasks:
        await _talk(socket, live, line, tasks, send)


async def _talk(socket: Socket, live: HouseServer, line: Outbox, tasks: OwnedTasks, send: Send) -> None:
    # One task sends what waits in the outbox, so that nobody who adds to it waits for this client.
    sending, counts = tasks.start(line.run(send), name="outbox"), live.metrics.counts
    # The first message is the ticket; whatever else it is ends the line.
    try:
        reading = tasks.start(_read_message(socket), name="first message")
        first = await _wait_for_first(reading, live.desk.lateness)
        if not isinstance(first, Join):
            line.end(Bye(why="no_ticket", say="The first message joins a table, with a ticket."))
        else:
            serving = tasks.start(_serve_joined(socket, live, line, first), name="socket")
            await _until_line_ends(line, sending, serving)
    except TimeoutError:
        line.end(Bye(why="no_ticket", say="There was no join with a ticket in time; join again."))
    except UNREADABLE:
        line.end(Bye(why="no_ticket", say="The first message could not be read: expected a join with a ticket."))
    except WebSocketDisconnect:
        line.end()
    finally:
        # However it ended: send what still waits if the client reads it soon, and close the socket.
        line.end()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(sending, 2.0)
        counts.sockets -= 1
        if line.is_too_slow:
            counts.too_slow += 1
            live.log.say("slow_reader", "a socket was closed: the client did not read what was sent", level="debug")
        with contextlib.suppress(Exception):
            await socket.close()


async def _until_line_ends(line: Outbox, sending: asyncio.Task[None], serving: asyncio.Task[None]) -> None:
    """Serve a client until it goes, or its line ends: what it sends after that is not read any more.

    The line of a client that does not read ends even though the last message is never sent.
    """
    line.on_end(serving.cancel)
    try:
        await asyncio.wait({sending, serving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if not serving.done():
            serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving


async def _serve_joined(socket: Socket, live: HouseServer, line: Outbox, join: Join) -> None:
    """Serve a client by its ticket: the house, or one table, until it goes."""
    # The ticket says who this is; where several nodes serve the house, another may have issued it.
    found = await live.desk.take_ticket(join.ticket, address=live.address)
    if isinstance(found, Denied) and live.node is not None:
        found = await live.desk.take_stored_ticket(join.ticket, address=live.address)
    if isinstance(found, Denied):
        line.end(Bye(why=found.code, say=found.say))
        return
    ticket, session = found
    # Without a table it is for the whole house; and a table may have moved to another node since it was issued.
    if not ticket.table:
        assert session is not None, "only staff get such a ticket"
        await _serve_house(socket, live, line, session, join)
        return
    if live.node is not None and not live.node.owns(ticket.table):
        say = "This table is served by another node now; join again."
        line.end(Bye(why="moved", say=say, address=live.node.owner(ticket.table)))
        return
    # From here on the client is shown the table, and its messages are read.
    if not join.words.may_be_sent_to(ticket.role):
        line.put(message(ProblemMessage(say="The work of a table is shown to those who deal there or oversee it.")))
    if session is not None and join.words is WordsKind.WORK:
        await live.house.load_recent(table_stream(ticket.table))  # the work names the last events
        current = await live.desk.current_session(session)
        if isinstance(current, Denied):
            line.end(Bye(why=current.code, say=current.say))
            return
        session = current
    subscriber = Subscriber(ticket.person, ticket.role, line, session=ticket.session, held=session, words=join.words)
    live.rooms.join(ticket.table, subscriber, run=join.run, after=join.after)
    try:
        await _serve_table(socket, live, subscriber, ticket.table)
    finally:
        live.rooms.leave(ticket.table, subscriber)


async def _serve_house(socket: Socket, live: HouseServer, line: Outbox, session: Session, join: Join) -> None:
    """Show the whole house to a client; it sends no commands."""
    follower, room = HouseFollower(session, line), live.rooms.house_room
    if not await room.check_now(follower):
        return
    live.rooms.follow(follower, run=join.run, after=join.after)
    try:
        async for received in _read_messages(socket, live, line):
            match received:
                case Ping():
                    if await room.check_now(follower):
                        line.put(message(Pong()))
                case Do():
                    line.put(message(ProblemMessage(id=received.id, say="This connection accepts no commands.")))
                case SeenMessage():
                    line.seen = received.seq
                case Follow():
                    room.follow_stream(follower, received.stream)
                case Join():
                    line.put(message(ProblemMessage(say="You have joined already.")))
    finally:
        room.leave(follower)


async def _serve_table(socket: Socket, live: HouseServer, subscriber: Subscriber, table: str) -> None:
    """Handle each message of a client that has joined a table."""
    line = subscriber.line
    address = socket.client.host if socket.client is not None else ""
    async for received in _read_messages(socket, live, line):
        match received:
            case Do():
                # All lines of a person have one budget: a client that sends more is read later.
                payer = live.budgets.payer(subscriber.held, address, now=live.desk.now)
                while wait := live.budgets.wait(payer):
                    await asyncio.sleep(wait)
                await live.turns.wait(table)
                if subscriber.held is not None:
                    await load_for_act(live, subscriber.held, table, bytes(received.command), id_=received.id)
                if line.is_ended:
                    return
                subscriber.held = handle_do(live, line, subscriber.held, table, received, payer=payer)
            case Ping():
                subscriber.held = _used_by_watching(live, subscriber.held)
                line.put(message(Pong()))
            case SeenMessage():
                subscriber.held = _used_by_watching(live, subscriber.held)
                line.seen = received.seq
            case Join():
                line.put(message(ProblemMessage(say="You have joined already.")))
            case Follow():
                line.put(message(ProblemMessage(say="This connection follows one table.")))


async def _wait_for_first(reading: asyncio.Task[Said], lateness: Lateness) -> Said:
    """The first message of a client; `TimeoutError` if it does not come in time, of which our own delay is no part."""
    begun = lateness.kept_up()
    while (left := JOIN_SECONDS - (lateness.kept_up() - begun) / ONE_SECOND) > 0:
        await asyncio.wait({reading}, timeout=left)
        if reading.done():
            return reading.result()
    reading.cancel()
    raise TimeoutError


async def _read_message(socket: Socket) -> Said:
    return read_said.decode(await socket.receive_text())


async def _read_messages(socket: Socket, live: HouseServer, line: Outbox) -> AsyncIterator[Said]:
    """The messages of a client, until too many of them cannot be read, or the connection has ended."""
    unreadable, line_budget = 0, Budgets(live.setting.requests_a_second, live.setting.requests_at_once)
    while True:
        while wait := line_budget.wait(""):
            await asyncio.sleep(wait)  # a client that sends more is read later, and nothing of it is lost
        try:
            received = await _read_message(socket)
        except UNREADABLE:
            unreadable += 1
            live.metrics.count_unreadable()
            if unreadable > MOST_UNREADABLE:
                line.end(Bye(why="unreadable", say="Too many messages could not be read."))
                return
            line.put(message(ProblemMessage(say=UNREADABLE_MESSAGE)))
            continue
        if line.is_ended:
            return  # the session was ended while the message was on its way
        yield received


def _used_by_watching(live: HouseServer, session: Session | None) -> Session | None:
    """The session, used by somebody who only watches: that does not keep a console from locking.

    A session that is over is left as it is; upkeep ends it.
    """
    used = live.desk.use(session, acted=False) if session is not None else None
    return used if isinstance(used, Session) else session


def handle_do(
    live: HouseServer, line: Outbox, session: Session | None, table: str, act: Do, *, payer: str = ""
) -> Session | None:
    """Submit a person's command to the table, and answer when it is on disk; returns the session after that.

    A refusal is charged to the payer when it is decided, not when it is on disk: what follows is then read later.
    """
    if session is None:
        line.put(message(ProblemMessage(id=act.id, say="You only watch here; you cannot act.")))
        return None
    # A session that is over, or locked, does nothing more: its connection ends.
    used = live.desk.use(session, acted=True)
    if isinstance(used, Denied):
        line.end(Bye(why=used.code, say=used.say))
        return session
    # The answer is put into the outbox by the writer, after the commit that holds the act.
    try:
        entered = submit(
            live,
            used,
            table,
            bytes(act.command),
            id_=act.id,
            on_durable=lambda entered: line.put(answer(act.id, entered)),
        )
        if entered.refused is not None:
            live.budgets.charge(payer)
    except CommandNotSubmitted as error:
        if not error.is_for_later:
            live.budgets.charge(payer)
        problem = message(
            ProblemMessage(
                id=act.id,
                say=error.say,
                what=error.sentence.what,
                params=error.sentence.params,
                again=error.is_for_later,
            )
        )
        if error.why is WhyNotSubmitted.DENIED:  # that the table would have accepted it would reveal its state
            live.house.writer.on_durable(lambda: line.put(problem))
        else:
            line.put(problem)
    return used


def answer(id_: str, entered: EnteredAct) -> str:
    """The answer to a client's command."""
    assert not isinstance(entered, Superseded), "the acts of people at a table are decided until they are stored"
    seq = entered.record.seq if entered.record is not None else 0
    if entered.refused is None:
        return message(Done(id=id_, seq=seq, repeat=entered.is_repeat))
    refused = entered.refused
    cites = tuple(map(str, refused.cites))
    return message(
        RefusedAnswer(
            id=id_,
            code=refused.code.value,
            say=refusal_sentence(refused),
            what=refused.what,
            params=spoken_params(refused),
            cites=cites,
            seq=seq,
            repeat=entered.is_repeat,
        )
    )
