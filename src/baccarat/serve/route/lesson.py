"""The lesson: a newcomer's first rounds, without a clock. Nothing is stored: each request brings what was wagered."""

from __future__ import annotations

import secrets
from typing import Annotated

import msgspec
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from baccarat.law.rulebook import usual_submission
from baccarat.serve.access.budget import LESSON
from baccarat.serve.act.lesson import (
    MOST_ROUNDS,
    NAME,
    SEAT,
    Lesson,
    LessonRefused,
    LessonWager,
    play_lesson,
    seed_of_lesson,
)
from baccarat.serve.http.problem import not_found, refused_problem
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.named_rules import rules_of
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.route.round import ShownEvent
from baccarat.serve.route.shoe import ShoeProof, add_record
from baccarat.serve.store.read_pool import asking_payer
from baccarat.serve.watch.sentence import sentence
from baccarat.table.role import Role
from baccarat.table.view import Viewer, view_event

routes = RouteGroup("drills")

NAME_BYTES = 16
MOST_WAGERS = 4
RoundWagers = Annotated[tuple[LessonWager, ...], Meta(min_length=1, max_length=MOST_WAGERS)]


class LessonBegun(msgspec.Struct, frozen=True, kw_only=True):
    """A new lesson: what the house promises of its shoe before anything is dealt."""

    lesson: str
    commitment: str
    rulebook: str
    chips: int
    least: int
    """The lowest wager on either hand, in cents."""
    rounds: int
    """How many rounds a lesson has at most."""


class LessonRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The wagers of each round so far, the one to be dealt now among them."""

    wagers: Annotated[tuple[RoundWagers, ...], Meta(min_length=1, max_length=MOST_ROUNDS)]


class LessonRound(msgspec.Struct, frozen=True, kw_only=True):
    """The last of these rounds: everything that happened in it, and the learner's chips after it, in cents."""

    round: int
    chips: int
    events: list[ShownEvent]


@routes.post_ok("/api/lessons", "Begin a lesson", EVERYBODY)
async def begin_lesson(request: HttpRequest) -> LessonBegun:
    """Begin a lesson: the order of its shoe is sealed now."""
    live = live_of(request)
    name = secrets.token_hex(NAME_BYTES)
    lesson = await live.reading.run_in_thread(lambda: _played(live, name, ()))
    limits = lesson.table.rules.elections.limits or {}
    return LessonBegun(
        lesson=name,
        commitment=lesson.commitment,
        rulebook=lesson.table.rules.hash,
        chips=lesson.chips,
        least=max(limits[on].min for on in ("player", "banker")),
        rounds=MOST_ROUNDS,
    )


@routes.post_ok("/api/lessons/{name:str}/round", "Deal the next round of a lesson", EVERYBODY, 404, 409, 422, body=True)
async def lesson_round(request: HttpRequest, name: FromPath[str], data: JSONBody[LessonRequest]) -> LessonRound:
    """Deal the round for which the last wagers are. The same wagers give the same cards."""
    live = live_of(request)
    _charge(live)
    lesson = await live.reading.run_in_thread(lambda: _asked(live, name, data))
    learner = Viewer(Role.PARTICIPANT, SEAT)
    shown = [
        ShownEvent(event=seen, say=sentence(event, learner))
        for event in lesson.rounds[-1]
        if (seen := view_event(event, learner)) is not None
    ]
    return LessonRound(round=len(lesson.rounds), chips=lesson.chips, events=shown)


@routes.post_ok("/api/lessons/{name:str}/end", "End a lesson", EVERYBODY, 404, 409, 422, body=True)
async def end_lesson(request: HttpRequest, name: FromPath[str], data: JSONBody[LessonRequest]) -> ShoeProof:
    """End it after these rounds: the shoe reveals its seed, so that the learner can check its shuffle."""
    live = live_of(request)

    def work() -> ShoeProof:
        lesson = _asked(live, name, data)
        lesson.end()
        found = ShoeProof(table=NAME, shoe=1)
        for record, body in lesson.journal.records:
            add_record(found, record, body)
        return found

    _charge(live)
    return await live.reading.run_in_thread(work)


def _charge(live: HouseServer) -> None:
    """Have the sender pay for what this costs the house: no sign-on is needed to ask for it."""
    live.budgets.charge(asking_payer.get(), LESSON)


def _asked(live: HouseServer, name: str, data: LessonRequest) -> Lesson:
    if len(name) != 2 * NAME_BYTES or not name.isascii() or not name.isalnum():
        raise not_found("such lesson", code="no_such_lesson")
    try:
        return _played(live, name, data.wagers)
    except LessonRefused as error:
        raise refused_problem(error.refused) from None


def _played(live: HouseServer, name: str, wagers: tuple[tuple[LessonWager, ...], ...]) -> Lesson:
    return play_lesson(
        rules_of(live, usual_submission("lesson")), seed_of_lesson(live.vault.derive("lessons"), name), wagers
    )
