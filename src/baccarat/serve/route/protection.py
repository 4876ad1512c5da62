"""Player protection: what a participant has chosen for himself, how much of it is used up, and choosing."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar.params import JSONBody

from baccarat.house.player import Player
from baccarat.house.protected_play import at_risk, loss_of_day
from baccarat.house.stream import PLAYER_STREAM
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.access.may import name_of, why_denied
from baccarat.serve.route.act import IdempotencyKey, check_key
from baccarat.serve.route.allow import ACTING, SIGNED_ON, RouteGroup
from baccarat.serve.route.book import RecordedAct, command_entered_before, enter_and_wait, read_posted_act
from baccarat.serve.route.requester import HttpRequest, live_of, require_allowed, require_session

routes = RouteGroup("own rounds")


class OwnProtection(msgspec.Struct, frozen=True, kw_only=True):
    """What protects you here; sums in cents, times in seconds of the house's clock."""

    limit: int
    """The most that you may lose in a gaming day; 0: no limit."""
    lost: int
    """What you have lost of it since you set a limit in this gaming day; below zero, what you have won."""
    at_risk: int
    """What your wagers on all tables may lose now."""
    wanted: int | None
    """The higher limit that you asked for, or 0 for none; null if you asked for none."""
    wanted_from: int
    """When you may confirm it."""
    wait_hours: int
    """How long a higher limit waits."""
    reminder_minutes: int
    """Between two reminders of the time; 0: none."""
    out_until: int
    """Until when you stay away at least; 0: you may play."""
    is_excluded: bool
    """Whether you have excluded yourself, and do not only take a time-out."""
    now: int
    """The time of the house's clock."""
    since: int
    """When your session began."""


@routes.get("/api/own/protection", "What protects you", SIGNED_ON)
async def protection(request: HttpRequest) -> OwnProtection:
    """Your limit on loss and what is left of it, the reminder of the time, a time-out or an exclusion: by person, on
    every device."""
    live, session = live_of(request), await require_session(request)
    state = await live.durable_state()
    book, who = state.protection, session.person
    chosen = book.player(who) or Player()
    reminder = book.terms.reminder_minutes if chosen.reminder_minutes is None else chosen.reminder_minutes
    return OwnProtection(
        limit=chosen.limit,
        lost=loss_of_day(state, who) if chosen.limit else 0,
        at_risk=at_risk(state, who),
        wanted=chosen.wanted,
        wanted_from=chosen.wanted_from,
        wait_hours=book.terms.wait_hours,
        reminder_minutes=reminder,
        out_until=chosen.out_until,
        is_excluded=chosen.is_excluded,
        now=live.desk.now // ONE_SECOND,
        since=session.made_at // ONE_SECOND,
    )


@routes.post_ok("/api/own/protection", "Choose what protects you", ACTING, 409)
async def choose(request: HttpRequest, data: JSONBody[dict[str, Any]], idempotency_key: IdempotencyKey) -> RecordedAct:
    """A command of the book `players`: `set_loss_limit`, `confirm_loss_limit`, `set_play_reminder`, `take_time_out`,
    `exclude_myself` or `return_to_play`; the answer comes when it is on disk."""
    del data
    live, session = live_of(request), await require_session(request)
    check_key(idempotency_key)
    earlier = await command_entered_before(live, session, idempotency_key)
    command = read_posted_act(live, PLAYER_STREAM, await request.body(), earlier)
    refused = why_denied(session, PLAYER_STREAM, command, live.sits_at)
    if refused is not None:
        require_allowed(live.desk.deny(session, refused, about=f"{name_of(command)} {PLAYER_STREAM}"))
    return await enter_and_wait(live, PLAYER_STREAM, command, session.envelope(id_=idempotency_key, now=0))
