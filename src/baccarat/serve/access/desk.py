"""The desk: everybody who comes in passes here; it plans changes, has them stored (`change_queue.py`), and says which
sessions ended."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from baccarat.engine.entries import AnyCommand
from baccarat.house.stream import Stream
from baccarat.serve.access import person, proposal, session
from baccarat.serve.access.base import AccessChange, AccessStore, Clock, Secret
from baccarat.serve.access.change_queue import ChangeQueue, Plan
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.denial_log import DenialLog
from baccarat.serve.access.device import (
    NONCE_BYTES,
    Challenges,
    Device,
    DeviceSignature,
    enrol,
    enrolment_guard,
    find_device,
)
from baccarat.serve.access.lateness import Lateness
from baccarat.serve.access.link import Purpose, make_administrator, password_by_link, visit
from baccarat.serve.access.may import SitsAt
from baccarat.serve.access.password import Passwords, password_denial
from baccarat.serve.access.person import Credentials, Person
from baccarat.serve.access.proposal import ApprovedCommand, Approver, Proposal
from baccarat.serve.access.recognition import Recognition
from baccarat.serve.access.session import IssuedSession, Lifetimes, Session
from baccarat.serve.access.ticket import IssuedTicket, Ticket, Tickets, redeem_stored, stored_ticket
from baccarat.serve.store.base import Batch, NameRow, Statement
from baccarat.serve.store.row import RowReads
from baccarat.table.role import Role

T = TypeVar("T")
MOST_USED = 10_000
"""How many sessions are remembered with the times of their last uses."""
Enter = Callable[[ApprovedCommand, tuple[Statement, ...]], Awaitable[T]]
"""Enters an approved command, with statements that go into the same batch as its record."""


class AccessControl:
    """Who may sign on, and in which role."""

    def __init__(  # noqa: PLR0913  what it depends on
        self,
        keeping: AccessStore,
        *,
        house: bytes,
        clock: Clock,
        is_practice: bool,
        passwords: Passwords | None = None,
        lifetimes: Lifetimes | None = None,
        on_ended: Callable[[Sequence[str]], None] | None = None,
        on_named: Callable[[Sequence[NameRow]], None] | None = None,
    ) -> None:
        self._keeping, self._house, self._clock = keeping, house, clock
        self._is_practice = is_practice
        self.denials = DenialLog(keeping, clock)
        self.recognition = Recognition(
            keeping, house=house, clock=clock, passwords=passwords or Passwords(), denials=self.denials
        )
        self.lifetimes = lifetimes or Lifetimes()
        self.tickets, self.challenges = Tickets(), Challenges(house)
        self.lateness = Lateness(clock.steady)
        """How far this server is behind: nobody has less time for that."""
        self._on_ended = on_ended or (lambda _ids: None)
        self._on_named = on_named or (lambda _names: None)
        self._lookups: dict[int, set[str]] = {}
        """For each session that is being read, the sessions that have ended since."""
        self._used: OrderedDict[str, Session] = OrderedDict()
        """Sessions after their last uses on this node, the latest at the end: each line holds a session of its own."""
        self._changes = ChangeQueue(keeping, now=lambda: self.now, on_stored=self._on_stored)
        self.changes = self._changes.tasks
        """The changes of access that are being carried out."""

    @property
    def now(self) -> int:
        """The time of day, in microseconds UTC."""
        return self._clock.wall()

    def close(self) -> None:
        """End the threads."""
        self.recognition.passwords.close()

    # ------------------------------------------------------------------------------------------- changes

    async def change(self, plan: Plan[T]) -> T | Denied:
        """Plan a change, store it, and answer when it is durable."""
        return await self._changes.carry_out(plan, self._changes.store)

    def _on_stored(self, change: AccessChange[Any]) -> None:
        if change.names:
            self._on_named(change.names)
        if change.ended:
            self.drop_sessions(change.ended)

    def drop_sessions(self, sessions: Sequence[str]) -> None:
        """Drop the tickets and sockets of sessions that this node or another has ended."""
        self.tickets.drop(sessions)
        for each in sessions:
            self._used.pop(each, None)
        for ended in self._lookups.values():  # what these have read may be outdated: nobody is let in by it
            ended.update(sessions)
        self._on_ended(sessions)

    def note(self, *statements: Statement) -> None:
        """Store statements soon, without waiting."""
        if statements:
            self._keeping.add(Batch(statements=statements))

    # --------------------------------------------------------------------------------------- signing on

    async def sign_on(
        self,
        name: str,
        password: Secret,
        role: Role,
        *,
        address: str,
        proof: DeviceSignature | None = None,
        earlier: str = "",
    ) -> IssuedSession | Denied:
        """A session for the person with this name and password, in one of the person's roles; on a device, bound to its
        table. `earlier` is the token of an earlier session in the same browser."""
        device = await self.prove(proof) if proof is not None else None
        if isinstance(device, Denied):
            return device
        place = device.id if device is not None else ""
        recognised = await self.recognition.recognise(name, password, address, place=place, earlier=earlier)
        if isinstance(recognised, Denied):
            return recognised
        found, rehashed = recognised
        also = (person.rehash_statement(found, rehashed),) if rehashed else ()
        return await self.change(lambda reads, now: self._plan_session(reads, found, role, device, now, also))

    async def challenge(self, device: str) -> bytes:
        """What a device has to sign; one that is not enrolled gets a challenge that is not remembered."""
        if await self._keeping.ask(lambda reads: find_device(reads, device)) is None:
            return secrets.token_bytes(NONCE_BYTES)
        return self.challenges.issue(device, self._clock.steady())

    async def prove(self, proof: DeviceSignature) -> Device | Denied:
        """The device that has signed its challenge."""
        is_timely = self.challenges.use_up(proof, self._clock.steady())
        device = await self._keeping.ask(lambda reads: find_device(reads, proof.device))
        return self.challenges.check(device, proof, is_timely=is_timely)

    def _plan_session(
        self,
        reads: RowReads,
        found: Credentials,
        role: Role,
        device: Device | None,
        now: int,
        also: tuple[Statement, ...] = (),
        instead_of: Session | None = None,
    ) -> AccessChange[IssuedSession] | Denied:
        refused = person.why_denied_by_now(reads, found, role)
        if refused is not None:
            return refused
        if device is not None and (held := find_device(reads, device.id)) != device:
            return make_denial(Denial.NO_DEVICE if held is None or held.is_revoked else Denial.WRONG_PROOF)
        opened = session.open_session(
            reads,
            person=found.person.id,
            role=role,
            now=now,
            lifetimes=self.lifetimes,
            device=device.id if device else "",
            table=device.table if device else "",
            instead_of=instead_of,
        )
        still = (
            person.unchanged_person_guard(reads, found.person.id),
            *([enrolment_guard(device.id)] if device else []),
        )
        return AccessChange(answer=opened.answer, statements=(*still, *also, *opened.statements), ended=opened.ended)

    async def visit(self, *, address: str, role: Role = Role.PARTICIPANT) -> IssuedSession | Denied:
        """A session for a visitor of a practice house."""
        refused = self.recognition.try_visit(address)
        if refused is not None:
            return refused
        made = await self._keeping.ask(
            lambda reads: visit(reads, is_practice=self._is_practice, role=role, now=self.now, lifetimes=self.lifetimes)
        )
        # It contradicts nothing, so it waits for nobody: a crowd of visitors is one batch.
        return made if isinstance(made, Denied) else await self._changes.store(made)

    async def take_role(
        self, held: Session, role: Role, *, password: Secret | None, address: str, proof: DeviceSignature | None = None
    ) -> IssuedSession | Session | Denied:
        """Another role: a new session begins as this one ends, or nothing changes; the same session in its own role.

        It needs what signing on needs: the password, and at a console the device's proof. In a practice house a person
        who gives no password continues as an anonymous visitor.
        """
        if role is held.role:
            return held
        if password is None:
            return await self._exchange_for_visit(held, role, address)
        device = await self.prove(proof) if proof is not None else None
        if isinstance(device, Denied):
            return device
        if held.device and (device is None or device.id != held.device):
            return make_denial(Denial.WRONG_PROOF)
        found = await self.recognition.confirm(held, password)
        if isinstance(found, Denied):
            return found
        return await self.change(
            lambda reads, now: (
                self._acting_denial(held, reads, now)
                or self._plan_session(reads, found, role, device, now, instead_of=held)
            )
        )

    async def _exchange_for_visit(self, held: Session, role: Role, address: str) -> IssuedSession | Denied:
        refused = self.recognition.try_visit(address) if self._is_practice else make_denial(Denial.PASSWORD_NEEDED)
        if refused is not None:
            return refused
        return await self.change(
            lambda reads, now: (
                self._acting_denial(held, reads, now)
                or visit(reads, is_practice=True, role=role, now=now, lifetimes=self.lifetimes, instead_of=held)
            )
        )

    # ----------------------------------------------------------------------------------------- sessions

    async def session(self, token: str) -> Session | Denied:
        """The session of a token, if it is alive; a visitor's is only valid in practice."""
        return await self._look_up(
            lambda reads, now: self._check_visitor(
                session.find_session(reads, token, now=now, lifetimes=self.lifetimes)
            )
        )

    async def current_session(self, held: Session) -> Session | Denied:
        """A session that somebody holds, as it stands now."""
        return await self._current_session(held.id)

    async def _current_session(self, id_: str) -> Session | Denied:
        return await self._look_up(lambda reads, now: self._session_by_id(reads, id_, now))

    async def _look_up(self, find: Callable[[RowReads, int], Session | Denied]) -> Session | Denied:
        """A session that is read in another thread, unless it has ended while it was read."""
        ended = set[str]()
        self._lookups[id(ended)] = ended
        try:
            found = await self._keeping.ask(lambda reads: find(reads, self.now))
        finally:
            del self._lookups[id(ended)]
        return make_denial(Denial.REVOKED) if isinstance(found, Session) and found.id in ended else found

    def _session_by_id(self, reads: RowReads, id_: str, now: int) -> Session | Denied:
        return self._check_visitor(session.session_by_id(reads, id_, now=now, lifetimes=self.lifetimes))

    def _check_visitor(self, found: Session | Denied) -> Session | Denied:
        if isinstance(found, Session) and found.kind is session.SessionKind.VISITOR and not self._is_practice:
            return make_denial(Denial.NOT_PRACTICE)
        return found

    def use(self, held: Session, *, acted: bool) -> Session | Denied:
        """A session after a use: it is over or locked, or its times are extended."""
        now, used = self._clock.wall(), self._used.get(held.id)
        if used is not None and used is not held:  # over another line, or by a request
            held = replace(held, seen_at=max(held.seen_at, used.seen_at), acted_at=max(held.acted_at, used.acted_at))
        over = session.expiry_denial(held, now=now, lifetimes=self.lifetimes) or session.lock_denial(held, now=now)
        if over is not None:
            return over
        after, statements = session.note_use(held, now=now, acted=acted)
        self._remember_use(after)
        self.note(*statements)
        return after

    def _remember_use(self, after: Session) -> None:
        self._used[after.id] = after
        self._used.move_to_end(after.id)
        if len(self._used) > MOST_USED:
            self._used.popitem(last=False)

    async def unlock(self, held: Session, password: Secret) -> Session | Denied:
        """Unlock a console with the password of the person who is signed on."""
        found = await self.recognition.confirm(held, password)
        if isinstance(found, Denied):
            return found
        unlocked = await self.change(lambda reads, now: self._plan_unlock(reads, held, now))
        if isinstance(unlocked, Session):
            self._remember_use(unlocked)
        return unlocked

    async def change_password(self, held: Session, old: Secret, new: Secret) -> Person | Denied:
        """Change the password of the person who is signed on; all the person's sessions end, including this one."""
        found = await self.recognition.confirm(held, old)
        if isinstance(found, Denied):
            return found
        refused = password_denial(new)
        hashed = refused or await self.recognition.passwords.hash(new)
        if isinstance(hashed, Denied):
            return hashed
        return await self.change(
            lambda reads, now: (
                self._acting_denial(held, reads, now)
                or person.why_denied_by_now(reads, found, held.role)
                or person.set_password(reads, held.person, hashed, now=now, by=held.person)
            )
        )

    def _plan_unlock(self, reads: RowReads, held: Session, now: int) -> AccessChange[Session] | Denied:
        found = session.session_by_id(reads, held.id, now=now, lifetimes=self.lifetimes)
        return found if isinstance(found, Denied) else session.plan_unlock(found, now=now)

    async def sign_off(self, held: Session) -> str | Denied:
        """End a person's own session."""
        return await self.change(
            lambda reads, now: session.end_session(reads, held.id, "signed off", now=now, by=held.person)
        )

    async def tidy(self) -> int | Denied:
        """End what has expired; to be called every minute or so."""
        return await self.change(self._plan_tidy)

    def _plan_tidy(self, reads: RowReads, now: int) -> AccessChange[int]:
        over = session.expire(reads, now, self.lifetimes)
        lapsing = proposal.expire_statements(reads, now)
        return AccessChange(answer=over.answer, statements=(*over.statements, *lapsing), ended=over.ended)

    def deny(self, held: Session, what: Denied, *, about: str = "") -> Denied:
        """Log what was denied to a known person; `about` is a stream or the name of a command, never a typed text.

        Repeats of a flood are counted.
        """
        if held.kind is session.SessionKind.PERSON:
            self.denials.enter_denial(held.person, what, about)
        return what

    # ------------------------------------------------------------------------------------------ tickets

    def give_ticket(self, held: Session | None, *, table: str, address: str) -> IssuedTicket | Denied:
        """A ticket for a socket at the node that owns a table, by address; without a session, for the public."""
        ticket = self.lateness.denial() or Ticket.for_session(held, table=table, address=address)
        return ticket if isinstance(ticket, Denied) else self.tickets.issue(ticket, self.lateness.kept_up())

    async def take_ticket(self, token: str, *, address: str) -> tuple[Ticket, Session | None] | Denied:
        """Redeem a ticket: its current session, or the public."""
        return await self._admit_ticket(self.tickets.redeem(token, address=address, now=self.lateness.kept_up()))

    async def _admit_ticket(self, ticket: Ticket | Denied) -> tuple[Ticket, Session | None] | Denied:
        if isinstance(ticket, Denied) or not ticket.session:
            return ticket if isinstance(ticket, Denied) else (ticket, None)
        found = await self._current_session(ticket.session)
        return found if isinstance(found, Denied) else (ticket, found)

    async def give_stored_ticket(self, held: Session | None, *, table: str, address: str) -> IssuedTicket | Denied:
        """The same if another node may own the table: the ticket is in the store, and the owner redeems it there."""
        ticket = self.lateness.denial() or Ticket.for_session(held, table=table, address=address)
        if isinstance(ticket, Denied):
            return ticket
        return await self.change(lambda _reads, now: stored_ticket(ticket, now))

    async def take_stored_ticket(self, token: str, *, address: str) -> tuple[Ticket, Session | None] | Denied:
        """Redeem such a ticket."""
        late = self.lateness.lately()
        ticket = await self.change(lambda reads, now: redeem_stored(reads, token, address=address, now=now, late=late))
        return await self._admit_ticket(ticket)

    # ---------------------------------------------------------------------------- links, codes, devices

    async def make_administrator(self, link: str, name: str, password: Secret, *, address: str) -> Person | Denied:
        """Use the administrator's link."""
        refused = await self.recognition.try_code(link, Purpose.ADMINISTRATOR, address)
        hashed = refused or await self._new_password(password, name)
        if isinstance(hashed, Denied):
            return hashed
        return await self.change(
            lambda reads, now: make_administrator(reads, self._house, link, name=name, password=hashed, now=now)
        )

    async def set_password(self, link: str, password: Secret, *, address: str) -> Person | Denied:
        """Use the link by which a person sets a password."""
        refused = await self.recognition.try_code(link, Purpose.PASSWORD, address)
        hashed = refused or await self._new_password(password, "")
        if isinstance(hashed, Denied):
            return hashed
        return await self.change(lambda reads, now: password_by_link(reads, link, password=hashed, now=now))

    async def enrol(self, code: str, key: bytes, *, address: str) -> Device | Denied:
        """Enrol a device by the code that is typed there."""
        refused = await self.recognition.try_code(code, Purpose.DEVICE, address)
        if refused is not None:
            return refused
        return await self.change(lambda reads, now: enrol(reads, code, key, now=now))

    async def _new_password(self, password: Secret, name: str) -> str | Denied:
        return password_denial(password, name=name) or await self.recognition.passwords.hash(password)

    # ---------------------------------------------------------------------------------- acts of two persons

    async def propose(
        self, held: Session, *, id_: str, stream: Stream, command: AnyCommand, sits_at: SitsAt
    ) -> Proposal | Denied:
        """Propose an act that takes a second person."""
        return await self.change(
            lambda reads, now: (
                self._acting_denial(held, reads, now)
                or proposal.propose(reads, held, id_=id_, stream=stream, command=command, sits_at=sits_at, now=now)
            )
        )

    async def decline(self, held: Session, *, id_: str, seen: str) -> Proposal | Denied:
        """Decline a proposal; its proposer withdraws it."""
        by = Approver.from_session(held)
        return await self.change(
            lambda reads, now: (
                self._acting_denial(held, reads, now) or proposal.decline(reads, by, id_=id_, seen=seen, now=now)
            )
        )

    @property
    def _visitors(self) -> Lifetimes | None:
        """How long a visitor's session lives, if there are visitors."""
        return self.lifetimes if self._is_practice else None

    def may_not_approve(self, reads: RowReads, held: Session, found: Proposal) -> Denied | None:
        """Why this session could not approve a proposal now."""
        by = Approver.from_session(held)
        return proposal.may_not_approve(reads, found, by, now=self.now, visitors=self._visitors)

    async def approve(self, held: Session, *, id_: str, seen: str, enter: Enter[T]) -> T | Denied:
        """Approve a proposal in the approver's own session, and enter it."""
        by = Approver.from_session(held)
        return await self._changes.carry_out(
            lambda reads, now: (
                self._acting_denial(held, reads, now)
                or proposal.approve(reads, by, id_=id_, seen=seen, now=now, visitors=self._visitors)
            ),
            lambda change: enter(change.answer, change.statements),
        )

    async def step_up(  # noqa: PLR0913  who, where, what
        self,
        console: Session,
        name: str,
        password: Secret,
        role: Role,
        *,
        id_: str,
        seen: str,
        address: str,
        enter: Enter[T],
    ) -> T | Denied:
        """Approve a proposal at another person's console by name and password, and enter it; no session is made."""
        recognised = await self.recognition.recognise(name, password, address, place=f"console of {console.person}")
        if isinstance(recognised, Denied):
            return recognised
        found, _ = recognised
        by = Approver(person=found.person.id, role=role, at=console.workplace, stepped_up=True)
        return await self._changes.carry_out(
            lambda reads, now: (
                self._acting_denial(console, reads, now)
                or person.why_denied_by_now(reads, found, role)
                or proposal.approve(reads, by, id_=id_, seen=seen, now=now, visitors=self._visitors)
            ),
            lambda change: enter(change.answer, change.statements),
        )

    def _acting_denial(self, held: Session, reads: RowReads, now: int) -> Denied | None:
        """Why a session cannot act at this moment: it was ended meanwhile, or its console is locked."""
        found = self._session_by_id(reads, held.id, now)
        return found if isinstance(found, Denied) else session.lock_denial(found, now=now)
