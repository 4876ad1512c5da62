"""Tickets: each lets one socket in, once, within thirty seconds: who, in which role, to which table, at which address.

The seconds in which the server itself is behind do not count (`lateness.py`).

A ticket that names no table is for following the whole house.

A browser cannot send a header when it opens a socket, and an address with a token in it would be logged. So a session
asks for a ticket, and the ticket is the first message on the socket. It names the node that owns the table, which
redeems it; it is stored as its hash.

`Tickets` holds them in the memory of the owner, which is enough if one node has all tables: when the node ends its
tickets are gone, and clients ask again. If a node other than the owner issues them, `stored_ticket` and
`redeem_stored` put them into the store; the statement that deletes one redeems it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection

import msgspec

from baccarat.serve.access.base import ONE_SECOND, SKEW, AccessChange, Secret, new_token, token_hash
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.lateness import LATELY
from baccarat.serve.access.may import why_unreachable
from baccarat.serve.access.session import Session
from baccarat.serve.store.base import Statement
from baccarat.serve.store.row import RowReads, as_int, as_text
from baccarat.table.role import Role

TICKET_LIFETIME = 30 * ONE_SECOND
MOST_TICKETS = 20_000
"""How many may be open at a time."""


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a ticket; it holds no secret."""

    session: str = ""
    """Empty for the public."""
    person: str = ""
    role: Role = Role.PUBLIC
    table: str
    """Empty if it is for following the whole house."""
    address: str
    """The address of the node that owns the table."""

    @classmethod
    def for_session(cls, session: Session | None, *, table: str, address: str) -> Ticket | Denied:
        """The ticket of a session to a table; without a session, of the public."""
        if session is None:
            return cls(table=table, address=address)
        refused = why_unreachable(session.workplace, table) if table else None
        if refused is not None:
            return refused
        return cls(session=session.id, person=session.person, role=session.role, table=table, address=address)


class IssuedTicket(msgspec.Struct, frozen=True):
    """A new ticket with its secret, which is given out once."""

    ticket: Ticket
    token: Secret


_NOT_VALID = make_denial(Denial.NO_TICKET, seconds=TICKET_LIFETIME // ONE_SECOND)


class Tickets:
    """The tickets of one node, in its memory; `now` is monotonic (`Lateness.kept_up`)."""

    def __init__(self, *, most: int = MOST_TICKETS) -> None:
        self._most = most
        self._given: OrderedDict[bytes, tuple[Ticket, int]] = OrderedDict()
        """Each with its expiry time, the earliest first."""

    def __len__(self) -> int:
        return len(self._given)

    def issue(self, ticket: Ticket, now: int) -> IssuedTicket | Denied:
        """Issue a ticket."""
        self._forget(now)
        if len(self._given) >= self._most:
            return make_denial(Denial.BUSY)
        token = new_token()
        hashed = token_hash(token.reveal())
        assert hashed is not None, "a new token is valid"
        self._given[hashed] = (ticket, now + TICKET_LIFETIME)
        return IssuedTicket(ticket, token)

    def redeem(self, token: str, *, address: str, now: int) -> Ticket | Denied:
        """Redeem a ticket, once; one that is for another address is used up as well."""
        hashed = token_hash(token)
        ticket, lapses = self._given.pop(hashed, (None, 0)) if hashed is not None else (None, 0)
        if ticket is None or ticket.address != address or not lapses - TICKET_LIFETIME <= now < lapses:
            return _NOT_VALID
        return ticket

    def drop(self, sessions: Collection[str]) -> None:
        """Drop the tickets of sessions that have ended."""
        for hashed in [each for each, (ticket, _) in self._given.items() if ticket.session in sessions]:
            del self._given[hashed]

    def _forget(self, now: int) -> None:
        while self._given and next(iter(self._given.values()))[1] <= now:
            self._given.popitem(last=False)


# ------------------------------------------------------------------------------------------- in the store


def stored_ticket(ticket: Ticket, now: int) -> AccessChange[IssuedTicket]:
    """Issue a ticket that any node may redeem, by the time of day; expired ones are deleted."""
    token = new_token()
    insert = Statement(
        "insert into ticket (hash, session, person, role, at_table, address, lapses_at) values (?, ?, ?, ?, ?, ?, ?)",
        (
            token_hash(token.reveal()), ticket.session, ticket.person, ticket.role.value, ticket.table, ticket.address,
            now + TICKET_LIFETIME,
        ),
        changes=1,
    )  # fmt: skip
    forget = Statement("delete from ticket where lapses_at < ?", (now - SKEW - LATELY,))
    return AccessChange(answer=IssuedTicket(ticket, token), statements=(insert, forget))


def redeem_stored(
    reads: RowReads, token: str, *, address: str, now: int, late: int = 0
) -> AccessChange[Ticket | Denied] | Denied:
    """Redeem such a ticket: only one node can delete it. `late` is how far this node was behind lately."""
    hashed = token_hash(token)
    sql = "select session, person, role, at_table, address, lapses_at from ticket where hash = ?"
    rows = [] if hashed is None else reads.read(sql, (hashed,))
    if not rows:
        return _NOT_VALID
    session, person, role, table, at, lapses = rows[0]
    taken = Statement("delete from ticket where hash = ?", (hashed,), changes=1)
    is_valid = at == address and as_int(lapses) - TICKET_LIFETIME - SKEW <= now < as_int(lapses) + late
    ticket = Ticket(
        session=as_text(session), person=as_text(person), role=Role(role), table=as_text(table), address=as_text(at)
    )
    return AccessChange(answer=ticket if is_valid else _NOT_VALID, statements=(taken,))
