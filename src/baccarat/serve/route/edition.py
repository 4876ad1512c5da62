"""Editions as people read them: clauses in our words, differences between two editions, and how much is covered."""

from __future__ import annotations

import msgspec
from litestar import Response
from litestar.params import FromPath

from baccarat import __version__
from baccarat.law.annotation import AnnotatedEdition, annotate
from baccarat.law.cached_value import cached_per_argument
from baccarat.law.difference import DifferenceSummary, EditionDifference, differences, summary
from baccarat.law.edition import Edition, load_edition, loadable_editions
from baccarat.serve.http.problem import not_found, quoted_name
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.cached import client_has, not_modified, response_with_etag, tag_of
from baccarat.serve.route.requester import HttpRequest, live_of

routes = RouteGroup("rules")


class EditionComparison(msgspec.Struct, frozen=True, kw_only=True):
    """How an edition differs from another: in numbers, then every point; clauses are paired by what they rule."""

    left: str
    right: str
    left_title: str
    right_title: str
    summary: DifferenceSummary
    law: tuple[EditionDifference, ...]
    clauses: tuple[EditionDifference, ...]


class EditionCover(msgspec.Struct, frozen=True, kw_only=True):
    """How many clauses an edition has, how many of each status, and how many are ruled but shown by no test."""

    edition: str
    title: str
    clauses: int
    states: dict[str, int]
    unshown: int


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """Every edition that the house knows."""

    editions: list[EditionCover]


def edition_of(name: str) -> Edition:
    """An edition that the house knows."""
    if name not in loadable_editions():
        raise not_found(f"edition {quoted_name(name)}", code="no_such_edition")
    return load_edition(name)


@routes.get("/api/editions/{edition:str}/clauses", "An edition with its clauses in our words", EVERYBODY, 304, 404)
async def edition_clauses(request: HttpRequest, edition: FromPath[str]) -> Response[AnnotatedEdition]:
    """Every clause with its readings, where it is ruled, how many tests show it, and what changed since the last."""
    law = edition_of(edition)
    tag = tag_of("clauses", __version__, law.name, law.content)
    if client_has(request, tag):
        return not_modified(tag, for_ever=False)
    return response_with_etag(await live_of(request).reading.run_in_thread(lambda: annotate(law)), tag, for_ever=False)


@routes.get(
    "/api/editions/{edition:str}/differences/{other:str}", "How an edition differs from another", EVERYBODY, 304, 404
)
async def edition_differences(
    request: HttpRequest, edition: FromPath[str], other: FromPath[str]
) -> Response[EditionComparison]:
    """Where `edition` differs from `other`, each point with the clauses of both."""
    left, right = edition_of(other), edition_of(edition)
    tag = tag_of("differences", __version__, left.name, left.content, right.name, right.content)
    if client_has(request, tag):
        return not_modified(tag, for_ever=False)
    return response_with_etag(
        await live_of(request).reading.run_in_thread(lambda: comparison_answer(left, right)), tag, for_ever=False
    )


@cached_per_argument
def comparison_answer(left: Edition, right: Edition) -> EditionComparison:
    """Where the right edition differs from the left."""
    found = differences(left, right)
    return EditionComparison(
        left=left.name,
        right=right.name,
        left_title=left.title,
        right_title=right.title,
        summary=summary(left, right),
        law=tuple(each for each in found if not each.is_clause),
        clauses=tuple(each for each in found if each.is_clause),
    )


@routes.get("/api/coverage", "How much of every edition is ruled and shown", EVERYBODY)
async def coverage(request: HttpRequest) -> Coverage:
    """For each edition, how many clauses are ruled, pending, physical or unaccounted for."""
    return await live_of(request).reading.run_in_thread(_coverage)


def _coverage() -> Coverage:
    every = [annotate(load_edition(name)) for name in loadable_editions()]
    return Coverage(
        editions=[
            EditionCover(
                edition=each.edition,
                title=each.title,
                clauses=each.clauses,
                states={state.value: count for state, count in each.states.items()},
                unshown=each.unshown,
            )
            for each in every
        ]
    )
