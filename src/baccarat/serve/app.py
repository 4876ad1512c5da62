"""The application: a thin layer of routes over a live house, without rules of its own."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components
from litestar.types import ControllerRouterHandler

from baccarat import __version__
from baccarat.serve.http.openapi_tuple import TuplesOfAnyLength
from baccarat.serve.http.problem import HANDLERS
from baccarat.serve.http.shield import App, EdgeMiddleware
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.metrics_token import read_metrics_token
from baccarat.serve.route.act import routes as act_routes
from baccarat.serve.route.allow import SCHEMES
from baccarat.serve.route.body import read_with_care
from baccarat.serve.route.book import routes as book_routes
from baccarat.serve.route.correcting import routes as correcting_routes
from baccarat.serve.route.drill import routes as drill_routes
from baccarat.serve.route.edition import routes as edition_routes
from baccarat.serve.route.export import routes as export_routes
from baccarat.serve.route.filing import routes as filing_routes
from baccarat.serve.route.floor import routes as floor_routes
from baccarat.serve.route.house import routes as house_routes
from baccarat.serve.route.house_line import TopicsOfHouse
from baccarat.serve.route.house_line import routes as house_line_routes
from baccarat.serve.route.journal import routes as journal_routes
from baccarat.serve.route.law import routes as law_routes
from baccarat.serve.route.lesson import routes as lesson_routes
from baccarat.serve.route.lobby import routes as lobby_routes
from baccarat.serve.route.moment import routes as moment_routes
from baccarat.serve.route.operate import ALWAYS_ANSWERED, operate_routes
from baccarat.serve.route.own_round import routes as own_round_routes
from baccarat.serve.route.page import answer_nothing, page_routes
from baccarat.serve.route.paper import routes as paper_routes
from baccarat.serve.route.person import routes as person_routes
from baccarat.serve.route.picture import routes as picture_routes
from baccarat.serve.route.problem_page import problem_page
from baccarat.serve.route.protection import routes as protection_routes
from baccarat.serve.route.receipt import routes as receipt_routes
from baccarat.serve.route.replay import routes as replay_routes
from baccarat.serve.route.round import routes as round_routes
from baccarat.serve.route.shoe import routes as shoe_routes
from baccarat.serve.route.table import routes as table_routes
from baccarat.serve.route.table_words import WordsOfTables
from baccarat.serve.route.visit import routes as visit_routes
from baccarat.serve.route.visit import socket
from baccarat.serve.route.watch import card_style
from baccarat.serve.route.watch import routes as watch_routes
from baccarat.serve.route.witness import routes as witness_routes
from baccarat.serve.route.work import routes as work_routes
from baccarat.serve.setting import Mode, Setting


def api_routes() -> list[ControllerRouterHandler]:
    """All routes of the API, except for signing on and the pages."""
    return [
        *table_routes,
        *lobby_routes,
        *work_routes,
        *correcting_routes,
        *round_routes,
        *shoe_routes,
        *moment_routes,
        *receipt_routes,
        *replay_routes,
        *act_routes,
        *law_routes,
        *filing_routes,
        *edition_routes,
        *drill_routes,
        *lesson_routes,
        *journal_routes,
        *person_routes,
        *book_routes,
        *house_routes,
        *floor_routes,
        *house_line_routes,
        *paper_routes,
        *witness_routes,
        *watch_routes,
        *export_routes,
        *own_round_routes,
        *protection_routes,
        *picture_routes,
    ]


@cache
def make_router() -> Litestar:
    """The application without a house. It has some hundred routes and is made once in a process."""
    return Litestar(
        route_handlers=[
            *operate_routes(),
            *page_routes(),
            card_style,
            problem_page,
            *visit_routes,
            socket,
            *api_routes(),
        ],
        exception_handlers={**HANDLERS, NotFoundException: answer_nothing},
        before_request=read_with_care,
        plugins=[TuplesOfAnyLength()],
        openapi_config=OpenAPIConfig(
            title="baccarat",
            version=__version__,
            path="/api/schema",
            render_plugins=[],
            components=Components(security_schemes=dict(SCHEMES)),
        ),
        logging_config=None,
    )


def make_app(live: HouseServer, setting: Setting) -> EdgeMiddleware:
    """The application of a house, behind its shield."""
    app = copy(make_router())
    app.state = State()
    origins = frozenset({setting.origin}) if setting.origin else frozenset[str]()
    edge = EdgeMiddleware(
        cast(App, app),  # the same protocol, under other names
        origins=origins,
        budgets=live.budgets,
        secure=setting.is_over_tls,
        always=ALWAYS_ANSWERED,
        names=setting.own_names,
        any_host=setting.mode is Mode.PRODUCTION,  # behind a proxy, which has a name and a certificate
    )
    app.state.metrics_token = read_metrics_token(setting)
    serve_house(edge, live)
    return edge


def serve_house(edge: EdgeMiddleware, live: HouseServer) -> None:
    """From now on an application answers for this house: another opening of the one it was made for."""
    cast(Litestar, edge.app).state.live = live
    live.rooms.house_room.set_topics(TopicsOfHouse(live))
    live.rooms.set_words(WordsOfTables(live))
    edge.may_answer, edge.why_not = live.readiness.holds_lease, live.readiness.why_not_ready
