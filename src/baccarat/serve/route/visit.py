"""Signing on in a role, visiting a practice house, and tickets for sockets."""

from __future__ import annotations

import base64
from typing import Annotated, Any

import msgspec
from litestar import Response, WebSocket, websocket
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from baccarat.serve.access.base import Secret
from baccarat.serve.access.device import DeviceSignature
from baccarat.serve.access.link import VISITOR_ROLES
from baccarat.serve.access.person import find_person
from baccarat.serve.access.session import IssuedSession, Session, SessionKind
from baccarat.serve.http.problem import problem, quoted_name
from baccarat.serve.http.socket import talk
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import ACTING, EVERYBODY, SIGNED_ON, THOUGH_LOCKED, RouteGroup
from baccarat.serve.route.page import PAGE_ROLES
from baccarat.serve.route.requester import (
    HttpRequest,
    address_of,
    cookie_name,
    live_of,
    owner_of,
    require_allowed,
    require_any_session,
    require_session,
    session_of,
    session_or_public,
    token_of,
)
from baccarat.serve.setting import Mode
from baccarat.table.role import PEOPLE, SHOWN_IN_PERSON, SHOWN_ROLES, Role

routes = RouteGroup("session")

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Password = Annotated[str, Meta(min_length=1, max_length=1000)]


class CurrentPerson(msgspec.Struct, frozen=True, kw_only=True):
    """Who you are here."""

    who: str
    role: Role
    table: str = ""


class SecretBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A body that holds a secret: nothing of it is ever printed."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class VisitorAnswer(CurrentPerson, SecretBody, frozen=True, kw_only=True):
    """Who you are here, and the token of a second window."""

    token: str | UnsetType = UNSET
    """Only for a second window: the token of its session, which it sends as a bearer; no cookie is set."""


class Welcome(msgspec.Struct, frozen=True, kw_only=True):
    """What house this is, and who you are in it."""

    title: str
    practice: bool
    who: str = ""
    """Empty if no one is signed on."""
    name: str = ""
    """The name under which you signed on; visitors have none."""
    role: Role = Role.PUBLIC
    table: str = ""
    """The one table that you may act at, if there is only one."""
    roles: tuple[Role, ...] = ()
    """The roles that you may change to: in a practice house those of visitors, elsewhere your own."""
    pages: tuple[str, ...] = ()
    """The pages for your role."""
    can: tuple[str, ...] = ()
    """What the pages show you, by name; sorted. Each request that they make is allowed or denied separately."""
    sign_on_roles: tuple[Role, ...] = ()
    """The roles in which people sign on here; the same for everybody who asks."""


class Visit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which role you visit a practice house."""

    role: Role = Role.PARTICIPANT
    second_window: bool = False
    """Whether you are another person in a window of your own, next to the session of this browser."""


class DeviceProof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A device that has signed its challenge; challenge and signature in base64."""

    device: Annotated[str, Meta(max_length=100)]
    challenge: Annotated[str, Meta(max_length=100)]
    signature: Annotated[str, Meta(max_length=200)]

    def read(self) -> DeviceSignature:
        """The same as bytes; invalid base64 proves nothing."""
        return DeviceSignature(
            device=self.device, challenge=decode_base64(self.challenge), signature=decode_base64(self.signature)
        )


def decode_base64(text: str) -> bytes:
    """The bytes of a text in base64; empty if it is not valid."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


class SignOn(SecretBody, frozen=True, kw_only=True):
    """Who signs on, in which role."""

    name: Name
    password: Password
    role: Role
    proof: DeviceProof | None = None
    """A pit device's answer to its challenge: the session is bound to the device and its table."""


class RoleChange(SecretBody, frozen=True, kw_only=True):
    """The role to change to."""

    role: Role
    password: Password | None = None
    """Needed to stay the same person; visitors have none."""
    proof: DeviceProof | None = None
    """A pit device's answer to its challenge, if the session is bound to one."""
    second_window: bool = False
    """Whether a visitor changes the role of a second window."""


class FirstAdministrator(SecretBody, frozen=True, kw_only=True):
    """The secret of the one-time link, and the name and password of the new administrator."""

    link: Name
    name: Name
    password: Password


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """What a device signs: the house's id in hexadecimal digits, and the challenge in base64."""

    house: str
    challenge: str


class PasswordConfirmation(SecretBody, frozen=True, kw_only=True):
    """The password, given again."""

    password: Password


class PasswordChange(SecretBody, frozen=True, kw_only=True):
    """The old password, and the new one."""

    old: Password
    new: Password


class TicketRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table that a socket is to join."""

    table: Name


class TicketAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket for one socket, valid for half a minute, and the address of the socket."""

    ticket: str
    socket: str


def _visitor_response(live: HouseServer, issued: IssuedSession, *, second_window: bool) -> Response[VisitorAnswer]:
    """The answer to a visitor: the token is in the cookie of the browser, or of a second window in the answer."""
    if not second_window:
        cookie = _cookie(live, issued)
        return Response(_visitor(issued.session), cookies=[cookie], headers={"Cache-Control": "no-store"})
    answer = replace(_visitor(issued.session), token=issued.token.reveal())
    return Response(answer, headers={"Cache-Control": "no-store"})


def _visitor(session: Session) -> VisitorAnswer:
    return VisitorAnswer(who=session.person, role=session.role, table=session.table)


def _signed_on_response(live: HouseServer, issued: IssuedSession) -> Response[CurrentPerson]:
    return Response(_someone(issued.session), cookies=[_cookie(live, issued)], headers={"Cache-Control": "no-store"})


def _cookie(live: HouseServer, issued: IssuedSession) -> Cookie:
    return Cookie(
        key=cookie_name(live), value=issued.token.reveal(), path="/", httponly=True, samesite="strict",
        secure=live.setting.is_over_tls,
    )  # fmt: skip


def _someone(session: Session) -> CurrentPerson:
    return CurrentPerson(who=session.person, role=session.role, table=session.table)


@routes.get("/api/welcome", "What house this is, and who you are in it", EVERYBODY)
async def welcome(request: HttpRequest) -> Welcome:
    """What a page needs before anything else."""
    live, session = live_of(request), await session_of(request)
    is_practice = live.setting.mode is Mode.PRACTICE
    role = session.role if session is not None else Role.PUBLIC
    is_visitor = session is not None and session.kind is SessionKind.VISITOR
    shown = {name for name, roles in SHOWN_ROLES.items() if role in roles}
    return Welcome(
        title=live.setting.house or "The practice house",
        practice=is_practice,
        who=session.person if session is not None else "",
        name=live.people.name_of(session.person) if session is not None else "",
        role=role,
        table=session.table if session is not None else "",
        roles=VISITOR_ROLES if is_practice else await _own_roles(live, session),
        pages=tuple(page for page, roles in PAGE_ROLES.items() if role in roles),
        can=tuple(sorted(shown.difference(SHOWN_IN_PERSON) if is_visitor else shown)),
        sign_on_roles=tuple(each for each in Role if each in PEOPLE),
    )


async def _own_roles(live: HouseServer, session: Session | None) -> tuple[Role, ...]:
    """The roles that a person may take here; none at a console, which has to prove itself, as a page cannot."""
    if session is None or session.device:
        return ()
    found = await live.lookups.ask(lambda reads: find_person(reads, session.person))
    return tuple(role for role in Role if found is not None and role in found.roles)


@routes.post_ok("/api/visit", "Visit a practice house", EVERYBODY, 403)
async def visit(request: HttpRequest, data: JSONBody[Visit | None] = None) -> Response[VisitorAnswer]:
    """Become a visitor without signing on; an existing session stays as it is. For acts of two persons a visitor may be
    the second one too, in a second window: its session has a token of its own and leaves the browser's alone."""
    live, known_already, wanted = live_of(request), await session_of(request), data or Visit()
    if known_already is not None and not wanted.second_window:
        return Response(_visitor(known_already), headers={"Cache-Control": "no-store"})
    found = await live.desk.visit(address=address_of(request), role=wanted.role)
    return _visitor_response(live, require_allowed(found), second_window=wanted.second_window)


@routes.post("/api/session", "Sign on in a role", EVERYBODY, 401, 403, body=True)
async def sign_on(request: HttpRequest, data: JSONBody[SignOn]) -> Response[CurrentPerson]:
    """A session in one of your roles."""
    live, proof = live_of(request), data.proof.read() if data.proof is not None else None
    found = await live.desk.sign_on(
        data.name,
        Secret(data.password),
        data.role,
        address=address_of(request),
        proof=proof,
        earlier=token_of(request),
    )
    return _signed_on_response(live, require_allowed(found))


@routes.get("/api/session", "Who you are here", SIGNED_ON)
async def whoami(request: HttpRequest) -> CurrentPerson:
    """The session of this request."""
    return _someone(await require_session(request))


@routes.put("/api/session/role", "Change to another role", ACTING, body=True)
async def take_role(request: HttpRequest, data: JSONBody[RoleChange]) -> Response[VisitorAnswer]:
    """A new session in another role in exchange for the present one, which ends: both in one step, or neither.

    It needs what signing on needs. In a practice house a person who gives no password continues as a new visitor. In
    the present role, nothing changes.
    """
    live, held = live_of(request), await require_session(request)
    is_second = data.second_window and held.kind is SessionKind.VISITOR
    password = Secret(data.password) if data.password is not None else None
    proof = data.proof.read() if data.proof is not None else None
    found = await live.desk.take_role(held, data.role, password=password, address=address_of(request), proof=proof)
    if isinstance(found, Session):
        return Response(_visitor(found), headers={"Cache-Control": "no-store"})
    return _visitor_response(live, require_allowed(found), second_window=is_second)


@routes.delete("/api/session", "Sign off", THOUGH_LOCKED)
async def sign_off(request: HttpRequest) -> None:
    """End your session immediately."""
    require_allowed(await live_of(request).desk.sign_off(await require_any_session(request)))


@routes.post("/api/administrator", "Use the one-time link of a new house", EVERYBODY, 404, 409, body=True)
async def administrator(request: HttpRequest, data: JSONBody[FirstAdministrator]) -> CurrentPerson:
    """The first administrator of a house, by the link that was printed on its terminal."""
    desk, password = live_of(request).desk, Secret(data.password)
    found = await desk.make_administrator(data.link, data.name, password, address=address_of(request))
    return CurrentPerson(who=require_allowed(found).id, role=Role.ADMINISTRATOR)


@routes.post("/api/tickets", "A ticket for a socket", EVERYBODY, 401, 403, 404, body=True)
async def ticket(request: HttpRequest, data: JSONBody[TicketRequest]) -> TicketAnswer:
    """A ticket with which one socket joins one table; without a session you watch like the public."""
    live, session = live_of(request), await session_or_public(request)
    if data.table not in live.rooms:
        raise problem(404, f"There is no table {quoted_name(data.table)}.", code="no_such_table")
    owner = owner_of(live, data.table)
    if owner == live.address:
        found = live.desk.give_ticket(session, table=data.table, address=owner)
    else:
        found = await live.desk.give_stored_ticket(session, table=data.table, address=owner)
    where = "" if owner == live.address else "ws" + owner.removeprefix("http")
    return TicketAnswer(ticket=require_allowed(found).token.reveal(), socket=f"{where}/socket")


@routes.post("/api/devices/{device:str}/challenge", "A challenge for a device to sign", EVERYBODY)
async def challenge(request: HttpRequest, device: FromPath[str]) -> Challenge:
    """What a device signs before a person signs on at it; valid once, for half a minute."""
    live = live_of(request)
    found = await live.desk.challenge(device)
    return Challenge(house=live.store.id.hex(), challenge=base64.b64encode(found).decode())


@routes.post_ok("/api/session/unlock", "Unlock a console", THOUGH_LOCKED, body=True)
async def unlock(request: HttpRequest, data: JSONBody[PasswordConfirmation]) -> CurrentPerson:
    """Unlock a console with the password of the person who is signed on."""
    desk, session = live_of(request).desk, await require_any_session(request)
    found = await desk.unlock(session, Secret(data.password))
    return _someone(require_allowed(found))


@routes.post("/api/session/password", "Change your password", ACTING, body=True, status_code=204)
async def change_password(request: HttpRequest, data: JSONBody[PasswordChange]) -> None:
    """Another password; all your sessions end, including this one."""
    desk, session = live_of(request).desk, await require_session(request)
    changed = await desk.change_password(session, Secret(data.old), Secret(data.new))
    require_allowed(changed)


@websocket("/socket")
async def socket(socket: WebSocket[Any, Any, Any]) -> None:
    """Sit at or watch a table."""
    await talk(socket, live_of(socket))
