"""People, sessions, devices and the access log, for those who manage them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta

from baccarat.serve.access.base import Secret, is_made_id
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.device import Device, devices, enrolment_code, revoke_device
from baccarat.serve.access.link import password_link
from baccarat.serve.access.log import AccessLogEntry, read_log, read_log_back
from baccarat.serve.access.may import TASKS, Task
from baccarat.serve.access.person import Person, add_person, erase_person, find_person, people, set_active, set_roles
from baccarat.serve.access.session import Session, end_session, sessions_of
from baccarat.serve.http.problem import not_found
from baccarat.serve.route.allow import EVERYBODY, RouteGroup, only
from baccarat.serve.route.cursor import DEFAULT_LIMIT, Cursor, PageLimit, read_cursor, write_cursor
from baccarat.serve.route.requester import HttpRequest, address_of, live_of, require_allowed, require_session
from baccarat.serve.route.table import room_of
from baccarat.serve.route.visit import Name, Password, SecretBody, decode_base64
from baccarat.table.role import Role

routes = RouteGroup("people")

MANAGE_PEOPLE = only(TASKS[Task.MANAGE_PEOPLE], acts=True, in_person=True)
READ_PEOPLE = only(TASKS[Task.MANAGE_PEOPLE], in_person=True)
DEVICES = only(TASKS[Task.MANAGE_DEVICES], in_person=True)
CHANGE_DEVICES = only(TASKS[Task.MANAGE_DEVICES], acts=True, in_person=True)
END_SESSIONS = only(TASKS[Task.END_SESSIONS], acts=True, in_person=True)
READ_LOG = only(TASKS[Task.READ_ACCESS_LOG], in_person=True)
Roles = Annotated[list[Role], Meta(max_length=20)]


class PersonShown(msgspec.Struct, frozen=True, kw_only=True):
    """A person who may sign on; the name is in the directory until it is erased."""

    id: str
    name: str
    roles: list[Role]
    active: bool
    has_password: bool
    made_at: int


class People(msgspec.Struct, frozen=True, kw_only=True):
    """People, by their ids."""

    people: list[PersonShown]
    next: str = ""


class NewPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new person: a name to sign on with, and roles."""

    name: Name
    roles: Roles


class PersonChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What changes: the roles, or whether the person may sign on."""

    roles: Roles | None = None
    active: bool | None = None


class OneTime(msgspec.Struct, frozen=True, kw_only=True):
    """A secret that works once; it is shown here and nowhere else."""

    secret: str

    def __repr__(self) -> str:
        return "<OneTime>"


class NewPassword(SecretBody, frozen=True, kw_only=True):
    """The secret of a link, and the new password."""

    link: Name
    password: Password


class SessionShown(msgspec.Struct, frozen=True, kw_only=True):
    """A session: who, in which role, where, since when; no secret."""

    id: str
    person: str
    role: Role
    device: str
    table: str
    made_at: int
    seen_at: int


class Sessions(msgspec.Struct, frozen=True, kw_only=True):
    """The live sessions of a person."""

    sessions: list[SessionShown]


class DeviceShown(msgspec.Struct, frozen=True, kw_only=True):
    """A device of a table."""

    id: str
    table: str
    made_at: int
    revoked: bool


class Devices(msgspec.Struct, frozen=True, kw_only=True):
    """The devices of the house."""

    devices: list[DeviceShown]


class Enrolment(SecretBody, frozen=True, kw_only=True):
    """The code that was typed at a device, and its public key in base64."""

    code: Name
    key: Annotated[str, Meta(min_length=1, max_length=64)]


class DeviceTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table for which a device is enrolled."""

    table: Name


class AccessLog(msgspec.Struct, frozen=True, kw_only=True):
    """Who signed on in which role, who gave whom which rights, what was denied, in the requested order."""

    lines: list[AccessLogEntry]
    next: str = ""


def _person_answer(request: HttpRequest, found: Person) -> PersonShown:
    name = live_of(request).people.name_of(found.id)
    return PersonShown(
        id=found.id, name=name, roles=sorted(found.roles, key=lambda role: role.value),
        active=found.is_active, has_password=found.has_password, made_at=found.made_at,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ people


@routes.get("/api/people", "Who may sign on", READ_PEOPLE)
async def list_people(request: HttpRequest, limit: PageLimit = DEFAULT_LIMIT, cursor: Cursor = "") -> People:
    """People with their roles, by their ids."""
    found = read_cursor("people", cursor, str)
    after = str(found[0]) if found else ""
    rows = await live_of(request).lookups.ask(lambda reads: people(reads, after=after, limit=limit + 1))
    more = write_cursor("people", rows[limit - 1].id) if len(rows) > limit else ""
    return People(people=[_person_answer(request, each) for each in rows[:limit]], next=more)


@routes.post("/api/people", "Add a person", MANAGE_PEOPLE, 409)
async def enter_person(request: HttpRequest, data: JSONBody[NewPerson]) -> PersonShown:
    """A new person, who sets a password by a link."""
    live, by = live_of(request), (await require_session(request)).person
    made = require_allowed(
        await live.desk.change(
            lambda reads, now: add_person(reads, live.store.id, name=data.name, roles=set(data.roles), now=now, by=by)
        )
    )
    return _person_answer(request, made)


@routes.get("/api/people/{person:str}", "One person", READ_PEOPLE, 404)
async def one_person(request: HttpRequest, person: FromPath[str]) -> PersonShown:
    """A person with roles."""
    return _person_answer(request, await _person(request, person))


@routes.patch("/api/people/{person:str}", "Change a person's roles", MANAGE_PEOPLE, 404, 409)
async def change_person(request: HttpRequest, person: FromPath[str], data: JSONBody[PersonChange]) -> PersonShown:
    """Change the roles, or deactivate: sessions that depend on what is removed end immediately."""
    desk, by = live_of(request).desk, (await require_session(request)).person
    made = await _person(request, person)
    roles, active = data.roles, data.active
    if roles is not None:
        made = require_allowed(
            await desk.change(lambda reads, now: set_roles(reads, person, set(roles), now=now, by=by))
        )
    if active is not None:
        made = require_allowed(
            await desk.change(lambda reads, now: set_active(reads, person, active=active, now=now, by=by))
        )
    return _person_answer(request, made)


@routes.delete("/api/people/{person:str}", "Erase a person", MANAGE_PEOPLE, 404, 409)
async def erase(request: HttpRequest, person: FromPath[str]) -> None:
    """Erase a person's name and password; what the person did stays in the journals, under an opaque id."""
    live, by = live_of(request), (await require_session(request)).person
    require_allowed(await live.desk.change(lambda reads, now: erase_person(reads, person, now=now, by=by)))
    await live.people.erase([person])


@routes.post("/api/people/{person:str}/link", "A link by which a person sets a password", MANAGE_PEOPLE, 404)
async def link_for(request: HttpRequest, person: FromPath[str]) -> OneTime:
    """The secret of a link that works once, for a day."""
    by = (await require_session(request)).person
    made = await live_of(request).desk.change(lambda reads, now: password_link(reads, person, by=by, now=now))
    return OneTime(secret=require_allowed(made).reveal())


@routes.post_ok("/api/password", "Set a password by a link", EVERYBODY, 404, body=True)
async def use_link(request: HttpRequest, data: JSONBody[NewPassword]) -> None:
    """Anyone who has the link sets the password; every session of that person ends."""
    desk = live_of(request).desk
    require_allowed(await desk.set_password(data.link, Secret(data.password), address=address_of(request)))


async def _person(request: HttpRequest, id_: str) -> Person:
    found = await live_of(request).lookups.ask(lambda reads: find_person(reads, id_))
    if found is None:
        raise not_found("such person in this house", code="no_such_person")
    return found


# --------------------------------------------------------------------------------------- sessions, devices


@routes.get("/api/people/{person:str}/sessions", "Where a person is signed on", READ_PEOPLE, 404)
async def list_sessions(request: HttpRequest, person: FromPath[str]) -> Sessions:
    """The live sessions of a person."""
    live = live_of(request)
    await _person(request, person)
    desk = live.desk
    found = await live.lookups.ask(lambda reads: sessions_of(reads, person, now=desk.now, lifetimes=desk.lifetimes))
    return Sessions(sessions=[_session(each) for each in found])


def _session(each: Session) -> SessionShown:
    return SessionShown(
        id=each.id, person=each.person, role=each.role, device=each.device, table=each.table,
        made_at=each.made_at, seen_at=each.seen_at,
    )  # fmt: skip


@routes.delete("/api/sessions/{session:str}", "End a session", END_SESSIONS, 404)
async def end_one(request: HttpRequest, session: FromPath[str]) -> None:
    """End a session immediately, with its sockets."""
    by = (await require_session(request)).person
    found = await live_of(request).desk.change(
        lambda reads, now: end_session(reads, session, "ended by the house", now=now, by=by)
    )
    if isinstance(found, Denied):
        raise not_found("such session", code="no_such_session")


@routes.get("/api/devices", "The devices of the house", DEVICES)
async def list_devices(request: HttpRequest) -> Devices:
    """Devices by table, including those that were revoked."""
    return Devices(devices=[_device(each) for each in await live_of(request).lookups.ask(devices)])


def _device(each: Device) -> DeviceShown:
    return DeviceShown(id=each.id, table=each.table, made_at=each.made_at, revoked=each.is_revoked)


@routes.post("/api/devices/code", "A code to enrol a device", CHANGE_DEVICES, 404)
async def device_code(request: HttpRequest, data: JSONBody[DeviceTable]) -> OneTime:
    """A code for the next device of a table, to be typed there within ten minutes."""
    live, by = live_of(request), (await require_session(request)).person
    room_of(live, data.table)
    made = await live.desk.change(lambda _reads, now: enrolment_code(data.table, by=by, now=now))
    return OneTime(secret=require_allowed(made).reveal())


@routes.post("/api/devices", "Enrol a device", EVERYBODY, 404, body=True)
async def enrol_device(request: HttpRequest, data: JSONBody[Enrolment]) -> DeviceShown:
    """A device sends its code and its public key (Ed25519); from then on it proves itself by signing."""
    key = decode_base64(data.key)
    return _device(require_allowed(await live_of(request).desk.enrol(data.code, key, address=address_of(request))))


@routes.delete("/api/devices/{device:str}", "Revoke a device", CHANGE_DEVICES, 404)
async def revoke(request: HttpRequest, device: FromPath[str]) -> None:
    """Revoke the device, and end every session on it."""
    by = (await require_session(request)).person
    if not is_made_id("device", device):
        raise not_found("such device", code="no_device")
    found = await live_of(request).desk.change(lambda reads, now: revoke_device(reads, device, by=by, now=now))
    if isinstance(found, Denied):
        raise not_found("such device, or no longer", code="no_device")


@routes.get("/api/access-log", "The access log", READ_LOG)
async def access_log(
    request: HttpRequest, limit: PageLimit = DEFAULT_LIMIT, cursor: Cursor = "", *, newest: FromQuery[bool] = False
) -> AccessLog:
    """Who signed on in which role, and what was denied to a known person: ids and codes, no names; in either order.

    A flood of denials is one line that has how often (`times`), and when first and last.
    """
    found = read_cursor("log", cursor, int)
    at = int(found[0]) if found else None
    rows = await live_of(request).lookups.ask(
        lambda reads: (
            read_log_back(reads, before=at, limit=limit + 1)
            if newest
            else read_log(reads, after=at or 0, limit=limit + 1)
        )
    )
    more = write_cursor("log", rows[limit - 1].number) if len(rows) > limit else ""
    return AccessLog(lines=rows[:limit], next=more)
