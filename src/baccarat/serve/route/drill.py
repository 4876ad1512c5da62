"""Drills: exercises and grades. Nothing is stored here: what a trainee knows comes with every request and goes back."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response
from litestar.params import FromPath, JSONBody
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
from baccarat.serve.http.problem import problem
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.named_rules import rules_of
from baccarat.serve.route.requester import HttpRequest, live_of

routes = RouteGroup("drills")

CSV, HTML = "text/csv", "text/html"
MOST_MILLISECONDS = 3_600_000
"""The longest time for an answer: an hour."""
MOST_MARKS = 200
"""How many exercises of a sheet fit into a request's body."""


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


class ExerciseRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which exercise comes next: by a seed, by what the trainee knows, and of which kinds; without any, of all."""

    seed: Annotated[str, Meta(min_length=1, max_length=100)]
    kinds: Annotated[tuple[DrillKind, ...], Meta(max_length=len(DrillKind))] = ()
    trainee: Trainee = msgspec.field(default_factory=Trainee)


class ExerciseAnswered(ExerciseRequest, frozen=True, kw_only=True):
    """The same, with the answer and how long it took; an empty answer shows the right one."""

    answer: Annotated[str, Meta(max_length=500)]
    milliseconds: Annotated[int, Meta(ge=0, le=MOST_MILLISECONDS)]


class ScoreSheetRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The marks that a score sheet is made of."""

    marks: Annotated[tuple[GradedAnswer, ...], Meta(max_length=MOST_MARKS)]


@routes.get("/api/drills/{name:str}", "What can be trained", EVERYBODY, 404)
async def drills(request: HttpRequest, name: FromPath[str]) -> Drills:
    """The drills under a Submission, by its name or by the hash of its rulebook."""
    live = live_of(request)
    rules = rules_of(live, name)
    found = await live.reading.run_in_thread(lambda: cases_of(rules))
    offered = [
        DrillOffered(kind=kind, title=kind.title, cases=len(cases), seconds=kind.seconds)
        for kind, cases in found.items()
    ]
    return Drills(rulebook=rules.hash, edition=rules.edition.name, title=rules.edition.title, drills=offered)


@routes.post_ok("/api/drills/{name:str}/exercise", "The next exercise", EVERYBODY, 404, 422, body=True)
async def exercise(request: HttpRequest, name: FromPath[str], data: JSONBody[ExerciseRequest]) -> Exercise:
    """The exercise that a trainee does next, without its answer. The same request gives the same exercise."""
    live = live_of(request)
    rules = rules_of(live, name)
    trainee = _trainee(rules, data)
    return await live.reading.run_in_thread(lambda: next_exercise(rules, trainee, seed=data.seed, kinds=data.kinds))


@routes.post_ok("/api/drills/{name:str}/answer", "Grade an answer", EVERYBODY, 404, 422, body=True)
async def graded(request: HttpRequest, name: FromPath[str], data: JSONBody[ExerciseAnswered]) -> AnsweredExercise:
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
        raise problem(422, f"{say}.", code="unreadable_answer")
    return found


def _trainee(rules: Rulebook, data: ExerciseRequest) -> Trainee:
    """What a trainee knows of these rules; a problem if it was learned under others."""
    if data.trainee.rulebook and data.trainee.rulebook != rules.hash:
        say = f"This was learned under the rulebook {data.trainee.rulebook[:16]}…, not under {rules.hash[:16]}…."
        raise problem(422, say, code="other_rules")
    if not kinds_under(rules, data.kinds):
        raise problem(422, "There is nothing to train under these rules.", code="no_cases")
    return msgspec.structs.replace(data.trainee, rulebook=rules.hash)


# ------------------------------------------------------------------------------------------ score sheets


def _attachment_headers(file: str) -> dict[str, str]:
    """The headers of a file to be saved under a name."""
    return {"Content-Disposition": f'attachment; filename="{file}"'}


def _sheet(rules: Rulebook, data: ScoreSheetRequest) -> ScoreSheet:
    return sheet(data.marks, edition=rules.edition.name, rulebook=rules.hash)


@routes.post_ok("/api/drills/{name:str}/sheet.json", "A score sheet as JSON", EVERYBODY, 404, body=True)
async def sheet_json(
    request: HttpRequest, name: FromPath[str], data: JSONBody[ScoreSheetRequest]
) -> Response[ScoreSheet]:
    """The score sheet of some marks."""
    return Response(_sheet(rules_of(live_of(request), name), data), headers=_attachment_headers("sheet.json"))


@routes.post_ok("/api/drills/{name:str}/sheet.csv", "A score sheet as CSV", EVERYBODY, 404, body=True, media_type=CSV)
async def sheet_csv(request: HttpRequest, name: FromPath[str], data: JSONBody[ScoreSheetRequest]) -> Response[str]:
    """The same, one row per exercise."""
    rules_of(live_of(request), name)
    return Response(csv_text(data.marks), media_type=CSV, headers=_attachment_headers("sheet.csv"))


@routes.post_ok(
    "/api/drills/{name:str}/sheet.html", "A score sheet to print", EVERYBODY, 404, body=True, media_type=HTML
)
async def sheet_html(request: HttpRequest, name: FromPath[str], data: JSONBody[ScoreSheetRequest]) -> Response[str]:
    """The same as one page, to be read and printed."""
    rules = rules_of(live_of(request), name)
    return Response(html(rules, _sheet(rules, data)), media_type=HTML, headers=_attachment_headers("sheet.html"))
