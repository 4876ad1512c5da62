"""Acts of people: a command that comes by socket or request is read, checked against the session, and entered.

The front door is `submit`. Who acts is never read from the message: it is the person of the session. What a message may
leave out is filled in here: who sits down, if nobody is named, is the sender.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from enum import Enum

import msgspec

from baccarat.engine.entries import EnteredAct
from baccarat.house.stream import table_stream
from baccarat.record.directory import holds_words
from baccarat.record.journal_file import TooLong
from baccarat.record.line import UnreadableLine
from baccarat.record.wire import LineEnvelope, read_command
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.access.denial import Denial as NotHis
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.may import name_of, why_denied, why_denied_at_table
from baccarat.serve.access.session import Session
from baccarat.serve.act.card_source import from_the_shoe
from baccarat.serve.act.preview import early_refusal
from baccarat.serve.job.table_loop import fetch_seeds
from baccarat.serve.live import HouseServer
from baccarat.table.actor import Actor, Envelope
from baccarat.table.base import Command
from baccarat.table.due_data import NO_SENTENCE, Sentence
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.state import TableState, seat_of
from baccarat.table.table_cards import TableCards
from baccarat.table.two_persons import NOBODY_YET
from baccarat.table.usual_actor import dealer_of

NOTHING_BESIDE = LineEnvelope()
ANY_SEAT = 1
"""The seat of a sale whose record was dropped: that its id was used is the answer, whatever the seat."""
SITS = str(Sit.__struct_config__.tag)


class WhyNotSubmitted(Enum):
    """Why an act was not even submitted to the table."""

    UNREADABLE = "unreadable"
    DENIED = "denied"
    CLOSING = "closing"
    TOO_LONG = "too_long"
    ELSEWHERE = "elsewhere"
    TOO_EARLY = "too_early"
    """Its time has not come by the house's clock; a decision knows no clock."""


class CommandNotSubmitted(Exception):  # noqa: N818
    """An act that was not submitted to the table: nothing is decided and nothing stored."""

    def __init__(
        self, why: WhyNotSubmitted, say: str, cites: tuple[str, ...] = (), *, sentence: Sentence = NO_SENTENCE
    ) -> None:
        super().__init__(say)
        self.why, self.say, self.cites, self.sentence = why, say, cites, sentence

    @property
    def is_for_later(self) -> bool:
        """Whether the act was not decided here, and another node will soon decide it: sent again under the same id it
        is done, or answered as before. The connection is closed immediately, which makes the client send it again."""
        return self.why in (WhyNotSubmitted.CLOSING, WhyNotSubmitted.ELSEWHERE)


def submit(
    live: HouseServer,
    session: Session,
    table: str,
    command: bytes,
    *,
    id_: str,
    on_durable: Callable[[EnteredAct], None],
) -> EnteredAct:
    """Submit a person's command to a table; `on_durable` is called with its outcome when that is on disk.

    What is returned must not be sent to anybody.

    `CommandNotSubmitted` if the table does not get to decide it. The outcome is counted either way.
    """
    outcomes = live.metrics.counts.commands
    try:
        _check_is_taken(live, table)
        meant = read_persons_command(from_the_shoe(live, session, table, command, id_=id_), session)
        # Who acts is never read from the message: the envelope is made from the session.
        envelope = session.envelope(id_=id_, now=0)
        # What was done before is answered as it was then, though the person may not do it, or could not, any more. What
        # was denied stays denied, though the person may do it by now: its sender was informed that it was not done.
        if not live.house.is_repeat(table_stream(table), meant, envelope):
            if say := live.denied_acts.find(session.person, id_):
                raise CommandNotSubmitted(WhyNotSubmitted.DENIED, say)
            _check_may_act(live, session, table, meant, envelope)
        entered = live.enter(table_stream(table), meant, envelope, on_durable)
    except (CommandNotSubmitted, TooLong, UnreadableLine) as error:
        not_brought = _as_not_brought(live, error)
        outcomes[not_brought.why.value] += 1
        raise not_brought from None
    outcomes["repeated" if entered.is_repeat else "refused" if entered.refused is not None else "done"] += 1
    return entered


async def load_for_act(live: HouseServer, session: Session, table: str, command: bytes, *, id_: str) -> None:
    """Load what deciding a person's command needs and only the store has; to be called just before `submit`.

    Hardly any command needs it: a repeat of an old one, a correction, the first card of a shoe.
    """
    if b"correct" in command or b"\\u" in command:  # a correction names an event, which may be an old one
        with contextlib.suppress(UnreadableLine):
            meant = read_persons_command(command, session)
            await live.house.load_for(table_stream(table), meant, session.envelope(id_=id_, now=0))
    if session.role is Role.DEALER and live.cards_at(table) is TableCards.ELECTRONIC:
        await fetch_seeds(live, table, live.house.table(table), live.table_jobs.cards.get(table))
    if live.house.answers.must_load(session.person, id_):
        await live.house.answers.load(session.person, id_, live.lookups)


def _as_not_brought(live: HouseServer, error: CommandNotSubmitted | TooLong | UnreadableLine) -> CommandNotSubmitted:
    """Why a command was not submitted, as it is reported."""
    if isinstance(error, UnreadableLine):
        live.metrics.count_unreadable()
        return CommandNotSubmitted(WhyNotSubmitted.UNREADABLE, str(error))
    return CommandNotSubmitted(WhyNotSubmitted.TOO_LONG, str(error)) if isinstance(error, TooLong) else error


def _check_is_taken(live: HouseServer, table: str) -> None:
    """`CommandNotSubmitted` if a table accepts nothing now."""
    if live.readiness.is_draining:
        raise CommandNotSubmitted(
            WhyNotSubmitted.CLOSING, "The house is closing and accepts nothing new; send it again later."
        )
    if live.node is not None and not live.node.owns(table):
        raise CommandNotSubmitted(WhyNotSubmitted.ELSEWHERE, "This table is served by another node.")


def _check_may_act(live: HouseServer, session: Session, table: str, meant: Command, envelope: Envelope) -> None:
    """`CommandNotSubmitted` if this person may not do this here and now, which the table itself cannot know."""
    stream = table_stream(table)
    # What the role may not do is denied, unless the table refuses it anyway: then its clauses are the answer. An act in
    # the name of somebody else is never entered; nor is one with a name or a remark, because its record would have the
    # id of the person who is named, and a receipt of it is for the sender.
    refused = why_denied(session, stream, meant, live.sits_at)
    is_left_to_table = refused is None or (
        refused.why is not NotHis.OTHER_PERSON
        and not holds_words(meant)
        and live.house.would_refuse(stream, meant, envelope.actor)
    )
    if refused is not None and not is_left_to_table:
        raise _denied(live, session, refused, about=f"{name_of(meant)} {stream}", id_=envelope.id)
    # The role may do it, but not in the current state, such as taking a second seat; under an id that has been used
    # nothing is decided anyway, and the table says so.
    misplaced = why_denied_at_table(session, meant, live.house.state.tables[table]) if refused is None else None
    if misplaced is not None and not live.house.has_used(session.person, envelope.id):
        raise _denied(live, session, misplaced, about=f"{name_of(meant)} {stream}", id_=envelope.id)
    # The clock is checked here, because a decision knows none.
    early = early_refusal(live.house.state, stream, meant, now=live.desk.now // ONE_SECOND)
    if early is not None:
        sentence = Sentence(what=early.what, params=early.params)
        raise CommandNotSubmitted(WhyNotSubmitted.TOO_EARLY, early.say, tuple(early.cites), sentence=sentence)


def _denied(live: HouseServer, session: Session, found: Denied, *, about: str, id_: str) -> CommandNotSubmitted:
    live.desk.deny(session, found, about=about)
    live.denied_acts.remember(session.person, id_, found.say)
    sentence = Sentence(what=f"denied_{found.code}", params=found.params)
    return CommandNotSubmitted(WhyNotSubmitted.DENIED, found.say, sentence=sentence)


def read_persons_command(data: bytes, session: Session) -> Command:
    """Read the command of a session's person; or `UnreadableLine`."""
    command, beside = read_command(_completed(data, session))
    if beside != NOTHING_BESIDE:
        raise UnreadableLine("a command says what is to be done; who does it, and its id, are not part of it")
    return command


def _completed(data: bytes, session: Session) -> bytes:
    """The command with the sender as the person who sits down, if nobody is named."""
    if session.role is not Role.PARTICIPANT or SITS.encode() not in data:
        return data
    try:
        fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return data  # reading it reports what is wrong
    if fields.get("do") == f'"{SITS}"'.encode() and "person" not in fields:
        fields["person"] = msgspec.Raw(msgspec.json.encode(session.person))
        return msgspec.json.encode(fields)
    return data


def sell_chips(
    live: HouseServer, table: str, session: Session, amount: int, *, key: str, on_durable: Callable[[EnteredAct], None]
) -> bool:
    """At a practice table the automated dealer changes play money into chips for anyone who sits there and asks.

    False, and nothing is entered, if the person has no seat.
    """
    _check_is_taken(live, table)
    state, id_ = live.house.state.tables[table], f"{session.person} {key}"
    # An earlier sale under this id comes before the seats of now: its buyer may have left, and its dealer gone off.
    sold = _earlier_sale(live, state, id_)
    seat, dealer = sold or (seat_of(state, session.person), dealer_of(state))
    if not seat:
        return False
    live.enter(table_stream(table), BuyIn(seat=seat, amount=amount), Envelope(actor=dealer, id=id_), on_durable)
    return True


def _earlier_sale(live: HouseServer, state: TableState, id_: str) -> tuple[int, Actor] | None:
    """The seat to which chips were sold under an id before, and in whose name; none if the id is new."""
    known = next((found for who in _sellers(state) if (found := live.house.find(who, id_)) is not None), None)
    if known is None:
        return None
    command = bytes(known.record.command)
    seat = msgspec.json.decode(command, type=_SeatSoldTo).seat if command else ANY_SEAT
    return seat, known.record.actor


def _sellers(state: TableState) -> list[str]:
    """Everyone who may have sold chips at a table; the dealer of now is one of them."""
    dealers = (*state.seats.dealers, *NOBODY_YET, *state.seats.relieved, dealer_of(state).who)
    return list(dict.fromkeys(dealers))


class _SeatSoldTo(msgspec.Struct):
    seat: int


async def load_for_chips(live: HouseServer, table: str, session: Session, *, key: str) -> None:
    """Load the answers to a request for chips, if it is a repeat; to be called just before `sell_chips`."""
    answers, id_ = live.house.answers, f"{session.person} {key}"
    while missing := [who for who in _sellers(live.house.state.tables[table]) if answers.must_load(who, id_)]:
        await answers.load(missing[0], id_, live.lookups)
