"""Drills: exercises and grades. Nothing is kept here: what a trainee knows comes with every request and goes back."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.types import ControllerRouterHandler
from msgspec import Meta

from baccarat.drill.base import DrillKind, UnreadableAnswer
from baccarat.drill.catalogue import cases_of
from baccarat.drill.sheet import ScoreSheet, csv_text, sheet
from baccarat.drill.trainee import (
    AnsweredExercise,
    Exercise,
    GradedAnswer,
    Trainee,
    answer,
    kinds_under,
    next_exercise,
    pass_over,
)
from baccarat.law.rulebook import Rulebook
from baccarat.report.drill_sheet import html
from baccarat.serve.http.problem import ProblemResponse
from baccarat.serve.route.allow import EVERYBODY, guarded
from baccarat.serve.route.named_rules import rules_of
from baccarat.serve.route.requester import live_of

CSV, HTML = "text/csv", "text/html"
MOST_MILLISECONDS = 3_600_000
"""No answer takes longer than an hour."""
MOST_MARKS = 200
"""A sheet of so many exercises fits a request's body."""


class DrillOffered(msgspec.Struct, frozen=True, kw_only=True):
    """A drill that there is under some rules: how many cases it has, and how long a table allows for one."""

    kind: DrillKind
    title: str
    cases: int
    seconds: int


class Drills(msgspec.Struct, frozen=True, kw_only=True):
    """What can be trained under some rules."""

    rulebook: str
    edition: str
    title: str
    drills: list[DrillOffered]


class ExerciseWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which exercise comes next: by a seed of one's own, by what one knows, and of which kinds; none named are all."""

    seed: Annotated[str, Meta(min_length=1, max_length=100)]
    kinds: Annotated[tuple[DrillKind, ...], Meta(max_length=len(DrillKind))] = ()
    trainee: Trainee = msgspec.field(default_factory=Trainee)


class ExerciseAnswered(ExerciseWanted, frozen=True, kw_only=True):
    """The same, with the answer and how long it took; an empty answer shows the right one."""

    answer: Annotated[str, Meta(max_length=500)]
    milliseconds: Annotated[int, Meta(ge=0, le=MOST_MILLISECONDS)]


class SheetWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The marks that a score sheet is made of."""

    marks: Annotated[tuple[GradedAnswer, ...], Meta(max_length=MOST_MARKS)]


@get("/api/drills/{name:str}", summary="What can be trained", **guarded(EVERYBODY, 404, tag="drills"))
async def drills(request: Request[Any, Any, Any], name: FromPath[str]) -> Drills:
    """The drills under a Submission, by its name or by the hash of its rulebook."""
    live = live_of(request)
    rules = rules_of(live, name)
    found = await live.reading.run_in_thread(lambda: cases_of(rules))
    offered = [
        DrillOffered(kind=kind, title=kind.title, cases=len(cases), seconds=kind.seconds)
        for kind, cases in found.items()
    ]
    return Drills(rulebook=rules.hash, edition=rules.edition.name, title=rules.edition.title, drills=offered)


@post(
    "/api/drills/{name:str}/exercise",
    status_code=HTTPStatus.OK,
    summary="The next exercise",
    **guarded(EVERYBODY, 404, 422, body=True, tag="drills"),
)
async def exercise(
    request: Request[Any, Any, Any], name: FromPath[str], data: JSONBody[ExerciseWanted]
) -> Exercise:  # fmt: skip
    """The exercise that a trainee does next, without its answer. The same request gives the same exercise."""
    live = live_of(request)
    rules = rules_of(live, name)
    trainee = _trainee(rules, data)
    return await live.reading.run_in_thread(lambda: next_exercise(rules, trainee, seed=data.seed, kinds=data.kinds))


@post(
    "/api/drills/{name:str}/answer",
    status_code=HTTPStatus.OK,
    summary="Grade an answer",
    **guarded(EVERYBODY, 404, 422, body=True, tag="drills"),
)
async def graded(
    request: Request[Any, Any, Any], name: FromPath[str], data: JSONBody[ExerciseAnswered]
) -> AnsweredExercise:  # fmt: skip
    """Grade the answer to that exercise: what is right, why, by which clauses; and what the trainee knows now."""
    live = live_of(request)
    rules = rules_of(live, name)
    trainee = _trainee(rules, data)

    def work() -> AnsweredExercise | UnreadableAnswer:
        if not data.answer.strip():
            return pass_over(rules, trainee, seed=data.seed, milliseconds=data.milliseconds, kinds=data.kinds)
        return answer(
            rules, trainee, data.answer, seed=data.seed, milliseconds=data.milliseconds, kinds=data.kinds
        )  # fmt: skip

    found = await live.reading.run_in_thread(work)
    if isinstance(found, UnreadableAnswer):
        say = found.say[:1].upper() + found.say[1:]
        raise ProblemResponse(HTTPStatus.UNPROCESSABLE_ENTITY, f"{say}.", code="unreadable_answer")
    return found


def _trainee(rules: Rulebook, data: ExerciseWanted) -> Trainee:
    """What somebody knows of these rules; of others, something else is right."""
    if data.trainee.rulebook and data.trainee.rulebook != rules.hash:
        say = f"This was learned under the rulebook {data.trainee.rulebook[:16]}…, not under {rules.hash[:16]}…."
        raise ProblemResponse(HTTPStatus.UNPROCESSABLE_ENTITY, say, code="other_rules")
    if not kinds_under(rules, data.kinds):
        raise ProblemResponse(
            HTTPStatus.UNPROCESSABLE_ENTITY, "There is nothing to train under these rules.", code="no_cases"
        )
    return msgspec.structs.replace(data.trainee, rulebook=rules.hash)


# ------------------------------------------------------------------------------------------ score sheets


def _attachment_headers(file: str) -> dict[str, str]:
    """What makes an answer a file that is saved under a name."""
    return {"Content-Disposition": f'attachment; filename="{file}"'}


def _sheet(rules: Rulebook, data: SheetWanted) -> ScoreSheet:
    return sheet(data.marks, edition=rules.edition.name, rulebook=rules.hash)


@post(
    "/api/drills/{name:str}/sheet.json",
    status_code=HTTPStatus.OK,
    summary="A score sheet as JSON",
    **guarded(EVERYBODY, 404, body=True, tag="drills"),
)
async def sheet_json(
    request: Request[Any, Any, Any], name: FromPath[str], data: JSONBody[SheetWanted]
) -> Response[ScoreSheet]:  # fmt: skip
    """The score sheet of some marks."""
    return Response(_sheet(rules_of(live_of(request), name), data), headers=_attachment_headers("sheet.json"))


@post(
    "/api/drills/{name:str}/sheet.csv",
    status_code=HTTPStatus.OK,
    summary="A score sheet as CSV",
    media_type=CSV,
    **guarded(EVERYBODY, 404, body=True, tag="drills"),
)
async def sheet_csv(
    request: Request[Any, Any, Any], name: FromPath[str], data: JSONBody[SheetWanted]
) -> Response[str]:  # fmt: skip
    """The same, a row an exercise."""
    rules_of(live_of(request), name)
    return Response(csv_text(data.marks), media_type=CSV, headers=_attachment_headers("sheet.csv"))


@post(
    "/api/drills/{name:str}/sheet.html",
    status_code=HTTPStatus.OK,
    summary="A score sheet to print",
    media_type=HTML,
    **guarded(EVERYBODY, 404, body=True, tag="drills"),
)
async def sheet_html(
    request: Request[Any, Any, Any], name: FromPath[str], data: JSONBody[SheetWanted]
) -> Response[str]:  # fmt: skip
    """The same as one page, to be read and printed."""
    rules = rules_of(live_of(request), name)
    return Response(html(rules, _sheet(rules, data)), media_type=HTML, headers=_attachment_headers("sheet.html"))


def drill_routes() -> list[ControllerRouterHandler]:
    """The routes of drills."""
    return [drills, exercise, graded, sheet_json, sheet_csv, sheet_html]
