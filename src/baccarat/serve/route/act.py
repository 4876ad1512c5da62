"""Acts by request: the same commands as over a socket, each under an `Idempotency-Key`."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from litestar.params import FromPath, HeaderParameter, JSONBody
from msgspec import Meta

from baccarat.engine.entries import EnteredAct
from baccarat.serve.act.intake import (
    CommandNotSubmitted,
    WhyNotSubmitted,
    load_for_act,
    load_for_chips,
    sell_chips,
    submit,
)
from baccarat.serve.command_id import UUID7, is_command_id
from baccarat.serve.http.problem import ProblemResponse, refused_problem
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import ACTING, RouteGroup
from baccarat.serve.route.requester import HttpRequest, live_of, require_served_here, require_session
from baccarat.serve.route.table import room_of
from baccarat.serve.runtime.pending_batch import Superseded
from baccarat.serve.setting import Mode
from baccarat.table.bounds import MOST_CHIPS

routes = RouteGroup("acts")

STATUS = {
    WhyNotSubmitted.UNREADABLE: HTTPStatus.BAD_REQUEST,
    WhyNotSubmitted.DENIED: HTTPStatus.FORBIDDEN,
    WhyNotSubmitted.TOO_LONG: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    WhyNotSubmitted.CLOSING: HTTPStatus.SERVICE_UNAVAILABLE,
    WhyNotSubmitted.ELSEWHERE: HTTPStatus.MISDIRECTED_REQUEST,
    WhyNotSubmitted.TOO_EARLY: HTTPStatus.CONFLICT,
}
IdempotencyKey = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        description="a UUID, version 7: a command takes effect at most once under it",
        pattern=f"^{UUID7}$",
    ),
]


class ActDone(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an act: its record."""

    table: str
    seq: int
    repeat: bool


class Chips(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount of chips, in cents."""

    amount: Annotated[int, Meta(gt=0, le=MOST_CHIPS)]


@routes.post_ok("/api/tables/{name:str}/acts", "Do something at a table", ACTING, 404, 409, 421)
async def act(
    request: HttpRequest, name: FromPath[str], data: JSONBody[dict[str, Any]], idempotency_key: IdempotencyKey
) -> ActDone:
    """A command, as a JSON object with `do`; the answer comes when it is on disk."""
    del data  # it is read more strictly from the bytes themselves
    live, session = live_of(request), await require_session(request)
    _check(live, name, idempotency_key)
    require_served_here(request, name)
    body, answer = await request.body(), asyncio.get_running_loop().create_future()
    await live.turns.wait(name)
    await load_for_act(live, session, name, body, id_=idempotency_key)
    try:
        submit(live, session, name, body, id_=idempotency_key, on_durable=answer.set_result)
    except CommandNotSubmitted as error:
        if error.why is WhyNotSubmitted.DENIED:
            await live.house.writer.wait_until_flushed()  # that the table would have accepted it would reveal its state
        raise _not_entered_problem(request, name, error) from None
    return _act_answer(name, await answer)


@routes.post_ok("/api/tables/{name:str}/chips", "Play money for chips, at a practice table", ACTING, 404, 409, 421)
async def chips(
    request: HttpRequest, name: FromPath[str], data: JSONBody[Chips], idempotency_key: IdempotencyKey
) -> ActDone:
    """The automated dealer gives a participant at a practice table chips for play money."""
    del data  # the framework accepts a text as a number; money is read more strictly
    live, session, amount = live_of(request), await require_session(request), _amount(await request.body())
    _check(live, name, idempotency_key)
    require_served_here(request, name)
    if live.setting.mode is not Mode.PRACTICE:
        raise ProblemResponse(HTTPStatus.FORBIDDEN, "At a real table the dealer gives chips for money on the layout.")
    await load_for_chips(live, name, session, key=idempotency_key)
    answer = asyncio.get_running_loop().create_future()
    try:
        has_seat = sell_chips(live, name, session, amount, key=idempotency_key, on_durable=answer.set_result)
    except CommandNotSubmitted as error:
        raise _not_entered_problem(request, name, error) from None
    if not has_seat:
        await live.house.writer.wait_until_flushed()  # the seat may have been decided only just now
        raise ProblemResponse(HTTPStatus.CONFLICT, "Sit down first.", code="seat_empty")
    return _act_answer(name, await answer)


def _amount(body: bytes) -> int:
    """How many cents are requested; a problem if this is not a whole number, written in digits alone."""
    try:
        return msgspec.json.decode(body, type=Chips).amount
    except msgspec.DecodeError:
        say = f"The amount must be a whole number of cents, from 1 to {MOST_CHIPS}."
        fault = f"amount: expected a whole number from 1 to {MOST_CHIPS}"
        raise ProblemResponse(HTTPStatus.BAD_REQUEST, say, code="unreadable", faults=(fault,)) from None


def _not_entered_problem(request: HttpRequest, name: str, error: CommandNotSubmitted) -> ProblemResponse:
    if error.why is WhyNotSubmitted.ELSEWHERE:
        require_served_here(request, name)  # says where, or that the table is moving
    headers = {"Retry-After": "5"} if error.why is WhyNotSubmitted.CLOSING else None
    said = error.sentence
    return ProblemResponse(
        STATUS[error.why], error.say, code=error.why.value, what=said.what, params=said.params, clauses=error.cites,
        headers=headers,
    )  # fmt: skip


def _check(live: HouseServer, name: str, key: str) -> None:
    room_of(live, name)
    check_key(key)


def check_key(key: str) -> None:
    """A problem if the key of a request is not valid."""
    if not is_command_id(key):
        say = "The header Idempotency-Key must be a UUID, version 7, in lower case."
        raise ProblemResponse(HTTPStatus.BAD_REQUEST, say, code="bad_id")


def _act_answer(name: str, kept: EnteredAct) -> ActDone:
    assert not isinstance(kept, Superseded), "the acts of people at a table are decided until they are stored"
    if kept.refused is not None:
        raise refused_problem(kept.refused)
    return ActDone(table=name, seq=kept.record.seq if kept.record is not None else 0, repeat=kept.is_repeat)
