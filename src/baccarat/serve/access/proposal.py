"""Proposals: acts that need two persons. One proposes, another approves exactly that, once; then it is entered.

A proposal holds the command's canonical bytes and their SHA-256. The approver names the hash that was shown, in a
session of his or her own, or by giving name and password on the console where the proposal is shown (*stepping up*),
which makes no session. The approval is stored in the same batch as the record of the act, so that neither exists
without the other. The proposal's id is the command's id, so that a repeated request takes effect once.
"""

from __future__ import annotations

import hashlib
from enum import Enum

import msgspec

from baccarat.engine.entries import AnyCommand
from baccarat.house.stream import Stream
from baccarat.record.canonical import canonical, read_canonical
from baccarat.serve.access.base import MINUTE, SKEW, AccessChange
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.log import AccessEvent, log_statement
from baccarat.serve.access.may import RULES, SitsAt, name_of, why_denied, why_out_of_reach
from baccarat.serve.access.person import may_act_as
from baccarat.serve.access.session import Lifetimes, Session, Workplace
from baccarat.serve.command_id import is_command_id
from baccarat.serve.store.base import Statement, Value
from baccarat.serve.store.row import RowReads, as_bytes, as_int, as_text
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.role import Role
from baccarat.table.two_persons import is_same_person

PROPOSAL_LIFETIME = 10 * MINUTE
MOST_OPEN = 20
"""How many proposals of one person may be open."""
MOST_BYTES = 32_768
"""How long a proposed command may be: a record has at most twice as many bytes, and holds more than the command."""


class ProposalState(Enum):
    """The state of a proposal; an open one may have lapsed without this being recorded yet."""

    OPEN = "open"
    APPROVED = "approved"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A proposed act."""

    id: str
    stream: Stream
    name: str
    command: bytes
    hash: bytes
    proposer: str
    role: Role
    device: str
    made_at: int
    lapses_at: int
    state: ProposalState = ProposalState.OPEN
    decided_by: str = ""
    decided_as: Role | None = None
    decided_at: int = 0

    def read(self) -> AnyCommand:
        """The command."""
        found: AnyCommand = read_canonical(self.command, RULES[self.name].kind)
        return found

    @property
    def approvers(self) -> frozenset[Role]:
        """In which capacities another person may approve it."""
        return self.read().seconds(self.role)

    def has_lapsed(self, now: int) -> bool:
        """Whether its time is over, or unknown because a clock was wrong."""
        return not self.made_at - SKEW <= now < self.lapses_at


class Approver(msgspec.Struct, frozen=True, kw_only=True):
    """Who decides on a proposal, in which capacity, and where."""

    person: str
    role: Role
    at: Workplace = Workplace()
    stepped_up: bool = False

    @classmethod
    def from_session(cls, session: Session) -> Approver:
        """The person of a session."""
        return cls(person=session.person, role=session.role, at=session.workplace)


class ApprovedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal that is approved: what is to be entered, where, and by whom."""

    stream: Stream
    command: AnyCommand
    envelope: Envelope
    is_repeat: bool = False
    """Whether it was approved before: then it is answered from its record."""


# --------------------------------------------------------------------------------------------- proposing


def propose(
    reads: RowReads, session: Session, *, id_: str, stream: Stream, command: AnyCommand, sits_at: SitsAt, now: int
) -> AccessChange[Proposal] | Denied:
    """Propose an act; names and remarks in the command are already replaced by their ids."""
    if not is_command_id(id_):
        return make_denial(Denial.BAD_ID)
    refused = why_denied(session, stream, command, sits_at)
    if refused is not None:
        return refused
    if not command.seconds(session.role):
        return make_denial(Denial.ONE_PERSON, act=name_of(command), role=session.role.value)
    data = canonical(command)
    if len(data) > MOST_BYTES:
        return make_denial(Denial.TOO_LARGE, bytes=len(data), most=MOST_BYTES)
    proposal = Proposal(
        id=id_, stream=stream, name=name_of(command), command=data, hash=hashlib.sha256(data).digest(),
        proposer=session.person, role=session.role, device=session.device, made_at=now,
        lapses_at=now + PROPOSAL_LIFETIME,
    )  # fmt: skip
    before = find_proposal(reads, id_)
    if before is not None:
        is_same_one = (before.proposer, before.role, before.stream, before.hash) == (
            session.person, session.role, stream, proposal.hash,
        )  # fmt: skip
        return AccessChange(answer=before) if is_same_one else make_denial(Denial.OTHER_COMMAND)
    if len(open_of(reads, session.person, now=now)) >= MOST_OPEN:
        return make_denial(Denial.TOO_MANY_PROPOSALS, most=MOST_OPEN)
    return AccessChange(answer=proposal, statements=_insert_statements(proposal))


def _insert_statements(made: Proposal) -> tuple[Statement, ...]:
    insert = Statement(
        "insert into proposal (id, stream, name, command, hash, proposer, role, device, made_at, lapses_at, state, "
        "decided_by, decided_as, decided_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', '', '', 0)",
        (
            made.id, made.stream, made.name, made.command, made.hash, made.proposer, made.role.value, made.device,
            made.made_at, made.lapses_at,
        ),
        changes=1,
    )  # fmt: skip
    return insert, log_statement(
        AccessEvent.PROPOSED, at=made.made_at, person=made.proposer, about=f"{made.name}, {made.id}"
    )


# ------------------------------------------------------------------------------------------------ reading

_COLUMNS = (
    "id, stream, name, command, hash, proposer, role, device, made_at, lapses_at, state, "
    "decided_by, decided_as, decided_at"
)


def _proposal(row: tuple[Value, ...]) -> Proposal:
    id_, stream, name, command, hashed, proposer, role, device, made_at, lapses_at, state, by, decided_as, at = row
    return Proposal(
        id=as_text(id_), stream=Stream(as_text(stream)), name=as_text(name), command=as_bytes(command),
        hash=as_bytes(hashed),
        proposer=as_text(proposer), role=Role(role), device=as_text(device), made_at=as_int(made_at),
        lapses_at=as_int(lapses_at), state=ProposalState(state), decided_by=as_text(by),
        decided_as=Role(decided_as) if decided_as else None, decided_at=as_int(at),
    )  # fmt: skip


def find_proposal(reads: RowReads, id_: str) -> Proposal | None:
    """The proposal of an id."""
    sql = f"select {_COLUMNS} from proposal where id = ?"  # noqa: S608  no text from outside
    rows = reads.read(sql, (id_,)) if is_command_id(id_) else []
    return _proposal(rows[0]) if rows else None


def open_in(reads: RowReads, stream: Stream, *, now: int) -> list[Proposal]:
    """The proposals of a stream that wait for a second person."""
    sql = f"select {_COLUMNS} from proposal where stream = ? and state = 'open' order by made_at, id"  # noqa: S608
    return [each for each in map(_proposal, reads.read(sql, (stream,))) if not each.has_lapsed(now)]


def open_anywhere(reads: RowReads, *, now: int) -> list[Proposal]:
    """The proposals of all streams that wait for a second person."""
    sql = f"select {_COLUMNS} from proposal where state = 'open' order by made_at, id"  # noqa: S608
    return [each for each in map(_proposal, reads.read(sql)) if not each.has_lapsed(now)]


def open_of(reads: RowReads, person: str, *, now: int) -> list[Proposal]:
    """The proposals of a person that wait for somebody else."""
    sql = f"select {_COLUMNS} from proposal where proposer = ? and state = 'open' order by made_at, id"  # noqa: S608
    return [each for each in map(_proposal, reads.read(sql, (person,))) if not each.has_lapsed(now)]


# ----------------------------------------------------------------------------------------------- deciding


def approve(
    reads: RowReads, approver: Approver, *, id_: str, seen: str, now: int, visitors: Lifetimes | None = None
) -> AccessChange[ApprovedCommand] | Denied:
    """Approve what was seen: `seen` is the hash of it, 64 hexadecimal digits.

    The caller enters the command with these statements in the same batch. Approving again gives the same answer,
    without statements. `visitors` says how long sessions live in a house that lets visitors in.
    """
    found = _find_as_seen(reads, id_, seen)
    if isinstance(found, Denied):
        return found
    if found.state is ProposalState.APPROVED and is_same_person(found.decided_by, approver.person):
        assert found.decided_as is not None, "a decided proposal has the decider's capacity"
        role, at = found.decided_as, found.decided_at
        return AccessChange(answer=_approved_command(found, found.decided_by, role, at=at, is_repeat=True))
    refused = may_not_approve(reads, found, approver, now=now, visitors=visitors)
    if refused is not None:
        return refused
    statements = _decision_statements(found, ProposalState.APPROVED, approver, now)
    return AccessChange(answer=_approved_command(found, approver.person, approver.role, at=now), statements=statements)


def decline(reads: RowReads, approver: Approver, *, id_: str, seen: str, now: int) -> AccessChange[Proposal] | Denied:
    """Decline a proposal, as somebody who might approve it; its proposer withdraws it."""
    found = _find_as_seen(reads, id_, seen)
    if isinstance(found, Denied):
        return found
    is_own = is_same_person(found.proposer, approver.person)
    state = ProposalState.WITHDRAWN if is_own else ProposalState.DECLINED
    if found.state is state and is_same_person(found.decided_by, approver.person):
        return AccessChange(answer=found)
    refused = _closed_denial(found, now) or (None if is_own else may_not_decide(found, approver))
    if refused is not None:
        return refused
    after = msgspec.structs.replace(
        found, state=state, decided_by=approver.person, decided_as=approver.role, decided_at=now
    )
    return AccessChange(answer=after, statements=_decision_statements(found, state, approver, now))


def _find_as_seen(reads: RowReads, id_: str, seen: str) -> Proposal | Denied:
    """The proposal, if what was seen is what was proposed and what is stored."""
    found = find_proposal(reads, id_)
    if found is None:
        return make_denial(Denial.NO_PROPOSAL)
    if seen != found.hash.hex() or hashlib.sha256(found.command).digest() != found.hash:
        return make_denial(Denial.COMMAND_CHANGED)
    return found


_CLOSED_DENIALS = {
    ProposalState.APPROVED: Denial.ALREADY_USED,
    ProposalState.DECLINED: Denial.DECLINED,
    ProposalState.WITHDRAWN: Denial.WITHDRAWN,
    ProposalState.LAPSED: Denial.LAPSED,
}


def _closed_denial(found: Proposal, now: int) -> Denied | None:
    if found.state in _CLOSED_DENIALS:
        return make_denial(_CLOSED_DENIALS[found.state])
    return make_denial(Denial.LAPSED) if found.has_lapsed(now) else None


def may_not_approve(
    reads: RowReads, found: Proposal, approver: Approver, *, now: int, visitors: Lifetimes | None = None
) -> Denied | None:
    """Why a person may not approve a proposal now; used for listing proposals and for approving one."""
    refused = _closed_denial(found, now) or may_not_decide(found, approver)
    if refused is None and not may_act_as(reads, found.proposer, found.role, now=now, visitors=visitors):
        return make_denial(Denial.PROPOSER_GONE, role=found.role.value)
    return refused


def may_not_decide(found: Proposal, approver: Approver) -> Denied | None:
    """Another person, in a capacity that this command accepts, not on a console of another table."""
    if is_same_person(found.proposer, approver.person):
        return make_denial(Denial.SAME_PERSON)
    if approver.role not in found.approvers:
        allowed = " or ".join(sorted(role.value for role in found.approvers))
        return make_denial(Denial.MAY_NOT_APPROVE, act=found.name, allowed=allowed, role=approver.role.value)
    return why_out_of_reach(approver.at, found.stream, found.read())


def _decision_statements(found: Proposal, state: ProposalState, by: Approver, now: int) -> tuple[Statement, ...]:
    decided = Statement(
        "update proposal set state = ?, decided_by = ?, decided_as = ?, decided_at = ? "
        "where id = ? and state = 'open' and hash = ?",
        (state.value, by.person, by.role.value, now, found.id, found.hash),
        changes=1,
    )
    how = AccessEvent.STEPPED_UP if by.stepped_up else _LOGGED_EVENTS[state]
    return decided, log_statement(how, at=now, person=found.proposer, by=by.person, about=f"{found.name}, {found.id}")


_LOGGED_EVENTS = {
    ProposalState.APPROVED: AccessEvent.APPROVED, ProposalState.DECLINED: AccessEvent.DECLINED,
    ProposalState.WITHDRAWN: AccessEvent.DECLINED,
}  # fmt: skip


def _approved_command(found: Proposal, who: str, role: Role, *, at: int, is_repeat: bool = False) -> ApprovedCommand:
    actor = Actor(who=found.proposer, role=found.role, approvals=(Approval(who, role, found.name),))
    envelope = Envelope(actor=actor, device=found.device, id=found.id, at=at)
    return ApprovedCommand(stream=found.stream, command=found.read(), envelope=envelope, is_repeat=is_repeat)


def expire_statements(reads: RowReads, now: int) -> tuple[Statement, ...]:
    """Records which proposals have lapsed, if any, so that a clock set back does not revive them."""
    which, params = "state = 'open' and (lapses_at <= ? or made_at > ?)", (now, now + SKEW)
    if not reads.read(f"select 1 from proposal where {which} limit 1", params):  # noqa: S608  no text from outside
        return ()
    return (Statement(f"update proposal set state = 'lapsed' where {which}", params),)  # noqa: S608
