"""Pictures by address: each is the same for everybody, and shows nothing that its address does not say."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, QueryParameter

from baccarat.law.rulebook import Rulebook, shipped_submissions
from baccarat.odds import Prices, odds
from baccarat.picture import DRAWING
from baccarat.picture.band import win_band
from baccarat.picture.card import deck
from baccarat.picture.chip import chips
from baccarat.picture.felt import felt
from baccarat.picture.mark import marks
from baccarat.picture.plot import edge_plot, hit_plot, result_plot, rounds_plot, stake_plot
from baccarat.picture.road import read_marks, road_picture
from baccarat.picture.steps import steps_picture
from baccarat.play.book import open_book
from baccarat.play.road import Road, roads
from baccarat.serve.http.problem import not_found, problem, quoted_name
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.cached import compressed_response, tag_of
from baccarat.serve.route.named_rules import rules_of
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.route.table import room_of

routes = RouteGroup("pictures")

MEDIA_TYPE = "image/svg+xml"
SUFFIX = ".svg"
FOR_EVER, ASK_AGAIN = "public, max-age=31536000, immutable", "public, no-cache"
MOST_RESULTS, MOST_LETTERS = 200, 800
"""More results than any shoe has; each is written with at most four letters."""

Drawing = Annotated[
    int, QueryParameter(name="drawing", ge=0, le=1_000_000, description="the version of the drawing, for caching")
]
Columns = Annotated[int, QueryParameter(name="columns", ge=0, le=200, description="the columns; 0 for the default")]
Size = Annotated[int, QueryParameter(name="size", ge=0, le=64, description="pixels per cell; 0 for the default")]

Sum = Annotated[int, QueryParameter(gt=-(10**13), lt=10**13, description="in cents")]
Deviation = Annotated[int, QueryParameter(ge=0, lt=10**13, description="one standard deviation, in cents")]


def picture_response(request: HttpRequest, picture: str, *, drawing: int, keeps: bool = True) -> Response[bytes]:
    """A picture: cached for ever if the request names the version of the drawing, otherwise revalidated."""
    control = FOR_EVER if keeps and drawing == DRAWING else ASK_AGAIN
    return compressed_response(request, picture.encode(), tag_of(picture), media_type=MEDIA_TYPE, control=control)


_felt = lru_cache(maxsize=64)(felt)
_steps = lru_cache(maxsize=64)(steps_picture)


# ---------------------------------------------------------------------------------- one file for all tables


@routes.get("/picture/deck.svg", "All cards", EVERYBODY, 304, media_type=MEDIA_TYPE)
async def deck_of_two(request: HttpRequest, drawing: Drawing = 0) -> Response[bytes]:
    """A symbol for every card, such as `8s`, and for the `back`; 250 by 350."""
    return picture_response(request, deck(), drawing=drawing)


@routes.get("/picture/deck-4.svg", "All cards, in four colours", EVERYBODY, 304, media_type=MEDIA_TYPE)
async def deck_of_four(request: HttpRequest, drawing: Drawing = 0) -> Response[bytes]:
    """The same, with a colour for each suit."""
    return picture_response(request, deck(four_colours=True), drawing=drawing)


@routes.get("/picture/chips.svg", "All chips and coins", EVERYBODY, 304, media_type=MEDIA_TYPE)
async def all_chips(request: HttpRequest, drawing: Drawing = 0) -> Response[bytes]:
    """A symbol for every chip and coin, such as `chip-25`, with its worth in cents as `data-cents`."""
    return picture_response(request, chips(), drawing=drawing)


@routes.get("/picture/marks.svg", "The marks of derived roads", EVERYBODY, 304, media_type=MEDIA_TYPE)
async def all_marks(request: HttpRequest, drawing: Drawing = 0) -> Response[bytes]:
    """A symbol for every mark, such as `small-road-blue`, for the ask road."""
    return picture_response(request, marks(), drawing=drawing)


# ---------------------------------------------------------------------------------------------- by content


def stem(file: str) -> str:
    """The name of a picture without its ending."""
    if not file.endswith(SUFFIX):
        raise not_found(f"picture {quoted_name(file)}", code="no_such_picture")
    return file.removesuffix(SUFFIX)


@routes.get("/picture/felt/{file:str}", "The felt of a Submission", EVERYBODY, 304, 404, media_type=MEDIA_TYPE)
async def felt_by_hash(request: HttpRequest, file: FromPath[str], drawing: Drawing = 0) -> Response[bytes]:
    """The layout that a Submission files: `{hash}.svg`, or `{name}.svg` of a shipped one."""
    name = stem(file)
    return picture_response(
        request, _felt(rules_of(live_of(request), name)), drawing=drawing, keeps=name not in shipped_submissions()
    )


@routes.get("/api/tables/{name:str}/felt.svg", "The felt of a table", EVERYBODY, 304, 404, media_type=MEDIA_TYPE)
async def felt_of_table(request: HttpRequest, name: FromPath[str]) -> Response[bytes]:
    """The current layout of a table."""
    return picture_response(request, _felt(room_of(live_of(request), name).rules), drawing=0)


@routes.get("/picture/road/{road:str}/{file:str}", "A road", EVERYBODY, 304, 404, media_type=MEDIA_TYPE)
async def road_by_marks(
    request: HttpRequest,
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
        raise not_found(f"road {quoted_name(road)}", code="no_such_picture")
    if len(word) > MOST_LETTERS:
        raise problem(400, f"More than {MOST_LETTERS} letters: no shoe is that long.", code="bad_marks")
    try:
        results = read_marks(word)
    except ValueError as error:
        raise problem(400, f"There are {error}.", code="bad_marks") from None
    if len(results) > MOST_RESULTS:
        raise problem(400, f"More than {MOST_RESULTS} results: no shoe is that long.", code="bad_marks")
    picture = road_picture(roads(results), wanted, columns=columns or None, size=size or None)
    return picture_response(request, picture, drawing=drawing)


# ------------------------------------------------------------------------------- steps, win bands and odds


@routes.get("/picture/steps/{file:str}", "The steps of a Submission", EVERYBODY, 304, 404, media_type=MEDIA_TYPE)
async def steps_by_hash(request: HttpRequest, file: FromPath[str], drawing: Drawing = 0) -> Response[bytes]:
    """The steps in force under a Submission, with their clauses: `{hash}.svg`, or `{name}.svg` of a shipped one."""
    name = stem(file)
    picture = _steps(rules_of(live_of(request), name))
    return picture_response(request, picture, drawing=drawing, keeps=name not in shipped_submissions())


@routes.get("/picture/band.svg", "A win band", EVERYBODY, 304, media_type=MEDIA_TYPE)
async def band(
    request: HttpRequest, theoretical: Sum, deviation: Deviation, win: Sum, drawing: Drawing = 0
) -> Response[bytes]:
    """A win compared with what theory expects, with one and two deviations around it; all in cents."""
    return picture_response(request, win_band(theoretical=theoretical, deviation=deviation, win=win), drawing=drawing)


@routes.get("/picture/odds/{name:str}/{file:str}", "A plot of odds", EVERYBODY, 304, 404, media_type=MEDIA_TYPE)
async def odds_by_hash(
    request: HttpRequest, name: FromPath[str], file: FromPath[str], drawing: Drawing = 0
) -> Response[bytes]:
    """A plot for the Submission of this hash, or the shipped one of this name, from a full shoe.

    `edges.svg`, `stakes.svg` and `hits.svg` show all wagers; `banker.svg` shows how a round ends for that wager, and
    `banker-rounds.svg` the distribution of the house's win after many rounds.
    """
    live = live_of(request)
    rules, wanted = rules_of(live, name), stem(file)
    wager = wanted.removesuffix(MANY_ROUNDS)
    known = wanted in PLOTS or any(kind.word == wager for kind in open_book(rules).kinds)
    picture = await live.reading.run_in_thread(lambda: _plot(rules, wanted)) if known else None
    if picture is None:
        raise not_found(f"plot {quoted_name(wanted)} of these odds", code="no_such_picture")
    return picture_response(request, picture, drawing=drawing, keeps=name not in shipped_submissions())


@lru_cache(maxsize=256)
def _plot(rules: Rulebook, wanted: str) -> str | None:
    """A plot by its name; None if there is none of that name."""
    prices = _prices(rules)
    if wanted in PLOTS:
        return PLOTS[wanted](prices)
    price = next((price for price in prices if price.on.word == wanted.removesuffix(MANY_ROUNDS)), None)
    if price is None:
        return None
    return rounds_plot(price) if wanted.endswith(MANY_ROUNDS) else result_plot(price)


@lru_cache(maxsize=16)
def _prices(rules: Rulebook) -> Prices:
    return odds(rules)


MANY_ROUNDS = "-rounds"
PLOTS: dict[str, Callable[[Prices], str | None]] = {"edges": edge_plot, "stakes": stake_plot, "hits": hit_plot}
