"""Pictures by address: each is the same for everybody, and says nothing that its address does not."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import FromPath, QueryParameter
from litestar.types import ControllerRouterHandler

from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.picture import DRAWING
from baccarat.picture.card import deck
from baccarat.picture.chip import chips
from baccarat.picture.felt import felt
from baccarat.picture.mark import marks
from baccarat.picture.road import read_marks, road_picture
from baccarat.play.road import Road, roads
from baccarat.serve.live import Live
from baccarat.serve.problem import no_such, problem
from baccarat.serve.route.allow import EVERYBODY, route
from baccarat.serve.route.cached import has, tag_of
from baccarat.serve.route.table import room_of
from baccarat.serve.route.who import live_of

MEDIA_TYPE = "image/svg+xml"
ENDING = ".svg"
FOR_EVER, ASK_AGAIN = "public, max-age=31536000, immutable", "public, no-cache"
MOST_RESULTS, MOST_LETTERS = 200, 800
"""No shoe has as many results; each is written with four letters at most."""

Drawing = Annotated[
    int,
    QueryParameter(name="drawing", ge=0, le=1_000_000, description="the way of drawing for which it may be kept"),
]
Columns = Annotated[int, QueryParameter(name="columns", ge=0, le=200, description="how many columns; 0 is the usual")]
Size = Annotated[int, QueryParameter(name="size", ge=0, le=64, description="pixels a cell; 0 is the usual")]


def shown(request: Request[Any, Any, Any], picture: str, *, drawing: int, keeps: bool = True) -> Response[bytes]:
    """A picture: kept for ever by whoever asks for this way of drawing, asked for again by everybody else."""
    tag = tag_of(picture)
    headers = {
        "ETag": tag,
        "Cache-Control": FOR_EVER if keeps and drawing == DRAWING else ASK_AGAIN,
        "Vary": "Accept-Encoding",
    }
    if has(request, tag):
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_pressed(picture), media_type=MEDIA_TYPE, headers={**headers, "Content-Encoding": "gzip"})
    return Response(picture.encode(), media_type=MEDIA_TYPE, headers=headers)


@lru_cache(maxsize=256)
def _pressed(picture: str) -> bytes:
    return gzip.compress(picture.encode(), mtime=0)


# ---------------------------------------------------------------------------------- one file for all tables


@get("/picture/deck.svg", summary="All cards", **route(EVERYBODY, 304, tag="pictures"))
async def deck_of_two(request: Request[Any, Any, Any], drawing: Drawing = 0) -> Response[bytes]:
    """A symbol for every card, such as `8s`, and for the `back`; 250 by 350."""
    return shown(request, deck(), drawing=drawing)


@get("/picture/deck-4.svg", summary="All cards, in four colours", **route(EVERYBODY, 304, tag="pictures"))
async def deck_of_four(request: Request[Any, Any, Any], drawing: Drawing = 0) -> Response[bytes]:
    """The same, with a colour for each suit."""
    return shown(request, deck(four_colours=True), drawing=drawing)


@get("/picture/chips.svg", summary="All chips and coins", **route(EVERYBODY, 304, tag="pictures"))
async def all_chips(request: Request[Any, Any, Any], drawing: Drawing = 0) -> Response[bytes]:
    """A symbol for every chip and coin, such as `chip-25`, with its worth in cents as `data-cents`."""
    return shown(request, chips(), drawing=drawing)


@get("/picture/marks.svg", summary="The marks of derived roads", **route(EVERYBODY, 304, tag="pictures"))
async def all_marks(request: Request[Any, Any, Any], drawing: Drawing = 0) -> Response[bytes]:
    """A symbol for every mark, such as `small-road-blue`, for the ask road."""
    return shown(request, marks(), drawing=drawing)


# -------------------------------------------------------------------------------------------- by what is shown


def stem(file: str) -> str:
    """The name of a picture without its ending."""
    if not file.endswith(ENDING):
        raise no_such(f"picture {file[:80]!r}", code="no_such_picture")
    return file.removesuffix(ENDING)


def rules_of(live: Live, name: str) -> Rulebook:
    """The rules of this hash, in force at a table or shipped, or the shipped ones of this name."""
    if name in shipped_submissions():
        return rulebook(name)
    for room in live.rooms.values():
        if room.rules.hash == name:
            return room.rules
    for each in shipped_submissions():
        if rulebook(each).hash == name:
            return rulebook(each)
    raise no_such(f"Submission {name[:80]!r} in force here, or among those that are shipped", code="no_such_submission")


@get("/picture/felt/{file:str}", summary="The felt of a Submission", **route(EVERYBODY, 304, 404, tag="pictures"))
async def felt_by_hash(request: Request[Any, Any, Any], file: FromPath[str], drawing: Drawing = 0) -> Response[bytes]:
    """The layout that a Submission files: `{hash}.svg`, or `{name}.svg` of one that comes with the program."""
    name = stem(file)
    return shown(
        request, felt(rules_of(live_of(request), name)), drawing=drawing, keeps=name not in shipped_submissions()
    )


@get("/api/tables/{name:str}/felt.svg", summary="The felt of a table", **route(EVERYBODY, 304, 404, tag="pictures"))
async def felt_of_table(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """The layout by which a table is played now."""
    return shown(request, felt(room_of(live_of(request), name).rules), drawing=0)


@get("/picture/road/{road:str}/{file:str}", summary="A road", **route(EVERYBODY, 304, 404, tag="pictures"))
async def road_by_marks(
    request: Request[Any, Any, Any],
    road: FromPath[str],
    file: FromPath[str],
    columns: Columns = 0,
    size: Size = 0,
    drawing: Drawing = 0,
) -> Response[bytes]:
    """A road of a shoe with these marks, `{marks}.svg`: the `marks` that a table's roads state.

    Roads are `bead_plate`, `big_road`, `big_eye_boy`, `small_road` and `cockroach_pig`. Marks are B, P or T for each
    round, followed by b for a Banker pair, p for a Player pair and n for a natural; a dash is a shoe without results.
    """
    word = stem(file)
    wanted = next((each for each in Road if each.value == road), None)
    if wanted is None:
        raise no_such(f"road {road[:80]!r}", code="no_such_picture")
    if len(word) > MOST_LETTERS:
        raise problem(400, f"More than {MOST_LETTERS} letters: no shoe is as long.", code="bad_marks")
    try:
        results = read_marks(word)
    except ValueError as error:
        raise problem(400, f"There are {error}.", code="bad_marks") from None
    if len(results) > MOST_RESULTS:
        raise problem(400, f"More than {MOST_RESULTS} results: no shoe is as long.", code="bad_marks")
    picture = road_picture(roads(results), wanted, columns=columns or None, size=size or None)
    return shown(request, picture, drawing=drawing)


def picture_routes() -> list[ControllerRouterHandler]:
    """The routes of pictures."""
    return [deck_of_two, deck_of_four, all_chips, all_marks, felt_by_hash, felt_of_table, road_by_marks]
