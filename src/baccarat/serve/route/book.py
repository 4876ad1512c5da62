"""Acts in the books of the house, proposals and approvals: acts of two persons are proposed by one, entered by both."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta

from baccarat.engine.entries import AnyCommand, EnteredAct
from baccarat.house.gaming_day import CloseDay
from baccarat.house.stream import Stream, is_table_stream, stream_name
from baccarat.record.journal_file import TooLong
from baccarat.record.line import UnreadableLine, decode_object
from baccarat.serve.access.base import ONE_SECOND, Secret
from baccarat.serve.access.may import name_of, why_denied, why_not_opened
from baccarat.serve.access.proposal import (
    ApprovedCommand,
    Proposal,
    ProposalState,
    find_proposal,
    open_anywhere,
    open_in,
)
from baccarat.serve.access.session import Session
from baccarat.serve.act.book_intake import NOTHING_EARLIER, command_data, read_act, with_patron, with_usual_terms
from baccarat.serve.act.preview import (
    ANY_APPROVER,
    ActPreview,
    CitedSentence,
    corrected_entry,
    early_refusal,
    preview_act,
    with_names,
)
from baccarat.serve.http.problem import ProblemResponse, not_found, problem, quoted_name, refused_problem
from baccarat.serve.job.practice_day import prepare_day_end
from baccarat.serve.live import HouseServer
from baccarat.serve.route.act import IdempotencyKey, check_key
from baccarat.serve.route.allow import RouteGroup, only
from baccarat.serve.route.requester import (
    HttpRequest,
    address_of,
    live_of,
    require_allowed,
    require_served_here,
    require_session,
)
from baccarat.serve.route.visit import Name, Password, SecretBody
from baccarat.serve.runtime.pending_batch import Misdirected, Superseded
from baccarat.serve.setting import Mode
from baccarat.serve.store.base import StaleRow, Statement
from baccarat.table.role import HOUSE_ACTORS, HOUSE_STAFF, RECORD_READERS, Role
from baccarat.table.two_persons import is_same_person
from baccarat.table.view import Viewer

routes = RouteGroup("house")

ACTS = only(HOUSE_ACTORS, acts=True)
STAFF_READ = only(HOUSE_STAFF)
StreamName = Annotated[Stream, Meta(min_length=1, max_length=100)]


class RecordedAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act that was done: its record, and those that it led to in other streams."""

    stream: Stream
    seq: int
    repeat: bool
    joined: dict[Stream, int] = {}


class ProposalRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An act that needs a second person: its stream, and the command."""

    stream: StreamName
    command: dict[str, Any]


class ApprovalBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hash of exactly what was shown."""

    seen: Annotated[str, Meta(min_length=64, max_length=64)]


class StepUp(SecretBody, frozen=True, kw_only=True):
    """Another person's approval, given at this console by name and password."""

    seen: Annotated[str, Meta(min_length=64, max_length=64)]
    name: Name
    password: Password
    role: Role


class ProposalShown(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal: what is to be done, by whom it was proposed, and the hash by which it is approved."""

    id: str
    stream: Stream
    act: str
    command: dict[str, Any]
    hash: str
    proposer: str
    role: Role
    approvers: list[Role]
    state: ProposalState
    made_at: int
    lapses_at: int
    proposer_name: str
    """The name of the proposer; empty if it is unknown."""
    own: bool
    """Whether you proposed it yourself: nobody approves their own proposal."""
    may_approve: bool
    corrects: CitedSentence | None
    """The entry that it corrects, as it was recorded; none if it corrects nothing."""
    leads_to: list[CitedSentence]
    """What would be recorded if it were approved now."""
    refused: CitedSentence | None
    """Why it would be refused if it were approved now."""


class Proposals(msgspec.Struct, frozen=True, kw_only=True):
    """Proposals that wait for a second person."""

    proposals: list[ProposalShown]


# --------------------------------------------------------------------------------------------------- acts


@routes.post_ok("/api/books/{stream:str}/acts", "Do something in a book of the house", ACTS, 404, 409)
async def act(
    request: HttpRequest, stream: FromPath[Stream], data: JSONBody[dict[str, Any]], idempotency_key: IdempotencyKey
) -> RecordedAct:
    """A command for `pit NAME`, `link NAME`, `cage`, `forms`, `day` or `house`; the answer comes when it is on disk."""
    del data
    live, session = live_of(request), await require_session(request)
    check_key(idempotency_key)
    if live.house.state.book(stream) is None:
        raise not_found(f"book {quoted_name(stream)} in this house", code="no_such_book")
    command = read_posted_act(
        live, stream, await request.body(), await command_entered_before(live, session, idempotency_key)
    )
    refused = why_denied(session, stream, command, live.sits_at)
    refused = refused or why_not_opened(session, command, live.house.state.tables)
    if refused is not None:
        require_allowed(live.desk.deny(session, refused, about=f"{name_of(command)} {stream}"))
    if isinstance(command, CloseDay) and live.setting.mode is Mode.PRACTICE:
        await prepare_day_end(live)
    envelope = session.envelope(id_=idempotency_key, now=0)
    return await enter_and_wait(live, stream, command, envelope)


async def command_entered_before(live: HouseServer, session: Session, id_: str) -> Mapping[str, Any]:
    """The command that a person has given under an id before; empty if it is new, or its record was dropped."""
    await live.house.answers.load(session.person, id_, live.lookups)
    known = live.house.find(session.person, id_)
    found = bytes(known.record.command) if known is not None else b""
    return msgspec.json.decode(found, type=dict[str, Any]) if found else NOTHING_EARLIER


async def _proposed_before(live: HouseServer, session: Session, id_: str) -> Mapping[str, Any]:
    """The command that a person has proposed under an id before; empty if it is new."""
    found = await live.reading.ask(lambda reads: find_proposal(reads, id_))
    if found is None or not is_same_person(found.proposer, session.person):
        return NOTHING_EARLIER
    return msgspec.json.decode(found.command, type=dict[str, Any])


def read_posted_act(live: HouseServer, stream: Stream, data: bytes, earlier: Mapping[str, Any]) -> AnyCommand:
    try:
        decode_object(data)
        command = read_act(stream, data, now=live.desk.now // ONE_SECOND, earlier=earlier)
        return with_usual_terms(command, live.share_keys, live.setting.reveal_within, earlier)
    except UnreadableLine as error:
        live.metrics.count_unreadable()
        raise problem(400, f"{error}.", code="unreadable") from None


async def enter_and_wait(
    live: HouseServer, stream: Stream, command: AnyCommand, envelope: Any, statements: tuple[Statement, ...] = ()
) -> RecordedAct:
    """Enter a command, and what is stored with it; returns when all of it is on disk.

    The tables of other nodes that an act touches are moved here first. `StaleRow` if what is stored with it no longer
    holds, because another node was first: nothing was entered then.
    """
    if live.readiness.is_draining:
        say = "The house is closing and accepts nothing new; send it again later."
        raise problem(503, say, code="closing", headers={"Retry-After": "5"})
    try:
        kept = await _enter_act(live, stream, command, envelope, statements)
    except Misdirected as error:
        assert live.node is not None, "only one of several nodes lacks a table"
        async with live.node.hold_streams(error.needed) as are_here:
            if not are_here:
                raise _handover_problem(error.streams) from None
            kept = await _enter_act(live, stream, command, envelope, statements)
    if kept.refused is not None:
        raise refused_problem(kept.refused)
    joined = dict(kept.record.joined) if kept.record is not None else {}
    return RecordedAct(stream=stream, seq=kept.record.seq if kept.record else 0, repeat=kept.is_repeat, joined=joined)


async def _enter_act(
    live: HouseServer, stream: Stream, command: AnyCommand, envelope: Any, statements: tuple[Statement, ...]
) -> EnteredAct:
    answer: asyncio.Future[EnteredAct] = asyncio.get_running_loop().create_future()
    await live.house.load_for(stream, command, envelope)
    try:
        live.enter(stream, command, envelope, answer.set_result, statements=statements)
    except TooLong as error:
        raise ProblemResponse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"{error}.", code="too_long") from None
    kept = await answer
    if isinstance(kept, Superseded):
        raise StaleRow(f"another node was first; {name_of(command)} was not entered")
    return kept


def _handover_problem(streams: Sequence[Stream]) -> ProblemResponse:
    tables = ", ".join(stream_name(stream) for stream in streams)
    say = (
        f"This act needs {tables}, which other nodes serve and did not hand over in time. Nothing was done; "
        "send it again in a moment."
    )
    return problem(503, say, code="not_handed_over", headers={"Retry-After": "1"})


# ---------------------------------------------------------------------------------------------- proposals


async def _proposal_answer(live: HouseServer, session: Session, found: Proposal) -> ProposalShown:
    """A proposal as it is shown to somebody."""
    may_approve = await live.lookups.ask(lambda reads: live.desk.may_not_approve(reads, session, found)) is None
    return await live.house.with_events(lambda: _shown_proposal(live, session, found, may_approve=may_approve))


def _shown_proposal(live: HouseServer, session: Session, found: Proposal, *, may_approve: bool) -> ProposalShown:
    own = is_same_person(session.person, found.proposer)
    approver = (session.person if may_approve else ANY_APPROVER, _capacity(session, found))
    command, viewer = found.read(), Viewer(session.role)
    seen = ActPreview()
    if found.state is ProposalState.OPEN:
        now = live.desk.now // ONE_SECOND
        seen = preview_act(
            live.house, found.stream, command, who=found.proposer, role=found.role, approver=approver, now=now,
            viewer=viewer,
        )  # fmt: skip
    return ProposalShown(
        id=found.id, stream=found.stream, act=found.name, command=with_names(live.house, command_data(command)),
        hash=found.hash.hex(), proposer=found.proposer, role=found.role,
        approvers=sorted(found.approvers, key=lambda role: role.value),
        state=_current_state(live, found),
        made_at=found.made_at, lapses_at=found.lapses_at, proposer_name=live.people.name_of(found.proposer), own=own,
        may_approve=may_approve, corrects=corrected_entry(live.house, found.stream, command, viewer),
        leads_to=seen.events, refused=seen.refused,
    )  # fmt: skip


def _current_state(live: HouseServer, found: Proposal) -> ProposalState:
    """The state of a proposal; an open one lapses by itself, without this being stored."""
    lapsed = found.state is ProposalState.OPEN and found.has_lapsed(live.desk.now)
    return ProposalState.LAPSED if lapsed else found.state


def _capacity(session: Session, found: Proposal) -> Role:
    """The capacity for an approval: that of the session, if it is one of those required."""
    return session.role if session.role in found.approvers else min(found.approvers, key=lambda role: role.value)


def _may_see(session: Session, found: Proposal) -> bool:
    return session.role in RECORD_READERS or session.person == found.proposer or session.role in found.approvers


@routes.post("/api/proposals", "Propose an act of two persons", ACTS, 404, 409)
async def propose(
    request: HttpRequest, data: JSONBody[ProposalRequest], idempotency_key: IdempotencyKey
) -> ProposalShown:
    """The act is stored with its hash; another person approves exactly that."""
    live, session = live_of(request), await require_session(request)
    check_key(idempotency_key)
    is_table = is_table_stream(data.stream) and stream_name(data.stream) in live.rooms
    if not is_table and live.house.state.book(data.stream) is None:
        raise not_found(f"stream {quoted_name(data.stream)} in this house", code="no_such_stream")
    try:
        decode_object(await request.body())
    except UnreadableLine as error:
        raise problem(400, f"{error}.", code="unreadable") from None
    earlier = await _proposed_before(live, session, idempotency_key)
    command = read_posted_act(live, data.stream, msgspec.json.encode(data.command), earlier)
    command = with_patron(command, data.stream, live.sits_at, earlier)
    require_allowed(why_not_opened(session, command, live.house.state.tables))
    require_allowed(why_denied(session, data.stream, command, live.sits_at))  # before anybody named has an id
    names = live.house.names
    hidden: Any = names.hide(command) if names is not None else command
    found = await live.desk.propose(
        session, id_=idempotency_key, stream=data.stream, command=hidden, sits_at=live.sits_at
    )
    live.rooms.house_room.mark_changed("proposals", "alerts")
    return await _proposal_answer(live, session, require_allowed(found))


@routes.get("/api/proposals", "What waits for a second person", STAFF_READ)
async def proposals(request: HttpRequest, stream: FromQuery[StreamName | None] = None) -> Proposals:
    """The open proposals, of a stream or of all, that you may decide on, or made, or oversee."""
    live, session = live_of(request), await require_session(request)
    await live.house.writer.wait_until_flushed()  # previews depend on the current state of the house
    return Proposals(proposals=await open_proposals(live, session, stream))


async def open_proposals(live: HouseServer, session: Session, stream: Stream | None = None) -> list[ProposalShown]:
    """The proposals that wait for a second person and that a session may see."""
    now = live.desk.now
    found = await live.lookups.ask(
        lambda reads: open_in(reads, stream, now=now) if stream is not None else open_anywhere(reads, now=now)
    )
    return [await _proposal_answer(live, session, each) for each in found if _may_see(session, each)]


@routes.get("/api/proposals/{proposal:str}", "One proposal", STAFF_READ, 404)
async def one_proposal(request: HttpRequest, proposal: FromPath[str]) -> ProposalShown:
    """A proposal, with the hash by which it is approved."""
    live, session = live_of(request), await require_session(request)
    found = await live.lookups.ask(lambda reads: find_proposal(reads, proposal))
    if found is None or not _may_see(session, found):
        raise not_found("such proposal", code="no_proposal")
    return await _proposal_answer(live, session, found)


@routes.post_ok("/api/proposals/{proposal:str}/approval", "Approve", ACTS, 404, 409, 421)
async def approve(request: HttpRequest, proposal: FromPath[str], data: JSONBody[ApprovalBody]) -> RecordedAct:
    """Approve exactly what was seen, in your own session; the act and the approval are stored together."""
    live, session = live_of(request), await require_session(request)
    await _require_owner(request, proposal)
    found = await live.desk.approve(session, id_=proposal, seen=data.seen, enter=partial(_enter_approved, live))
    return require_allowed(found)


@routes.post_ok("/api/proposals/{proposal:str}/step-up", "Approve at another's console", ACTS, 404, 409, 421)
async def step_up(request: HttpRequest, proposal: FromPath[str], data: JSONBody[StepUp]) -> RecordedAct:
    """A second person approves here by name and password; no session is made."""
    live, session = live_of(request), await require_session(request)
    await _require_owner(request, proposal)
    found = await live.desk.step_up(
        session,
        data.name,
        Secret(data.password),
        data.role,
        id_=proposal,
        seen=data.seen,
        address=address_of(request),
        enter=partial(_enter_approved, live),
    )
    return require_allowed(found)


@routes.post_ok("/api/proposals/{proposal:str}/refusal", "Decline", ACTS, 404, 409)
async def decline(request: HttpRequest, proposal: FromPath[str], data: JSONBody[ApprovalBody]) -> ProposalShown:
    """Decline a proposal, or withdraw your own."""
    live, session = live_of(request), await require_session(request)
    found = await live.desk.decline(session, id_=proposal, seen=data.seen)
    live.rooms.house_room.mark_changed("proposals", "alerts")
    return await _proposal_answer(live, session, require_allowed(found))


async def _require_owner(request: HttpRequest, id_: str) -> None:
    """A problem unless this node serves the table of a proposal: only that node enters it."""
    found = await live_of(request).lookups.ask(lambda reads: find_proposal(reads, id_))
    if found is not None and is_table_stream(found.stream):
        require_served_here(request, stream_name(found.stream))


async def _enter_approved(
    live: HouseServer, approved: ApprovedCommand, statements: tuple[Statement, ...]
) -> RecordedAct:
    """Enter an act of two persons, unless it is too early: only the house knows the time."""
    now = live.desk.now // ONE_SECOND
    early = early_refusal(live.house.state, approved.stream, approved.command, now=now)
    if early is not None and not approved.is_repeat:
        raise ProblemResponse(HTTPStatus.CONFLICT, early.say, code="too_early", clauses=tuple(early.cites))
    return await enter_and_wait(live, approved.stream, approved.command, approved.envelope, statements)
