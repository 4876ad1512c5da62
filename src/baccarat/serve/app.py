"""The application: routes over a live house; thin, and without rules of its own."""

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
from baccarat.serve.http.shield import App, EdgeMiddleware, Rate
from baccarat.serve.live import HouseServer
from baccarat.serve.route.act import act_routes
from baccarat.serve.route.allow import SCHEMES
from baccarat.serve.route.body import read_with_care
from baccarat.serve.route.book import book_routes
from baccarat.serve.route.correcting import correcting_routes
from baccarat.serve.route.drill import drill_routes
from baccarat.serve.route.edition import edition_routes
from baccarat.serve.route.export import export_routes
from baccarat.serve.route.filing import filing_routes
from baccarat.serve.route.floor import floor_routes
from baccarat.serve.route.house import house_routes
from baccarat.serve.route.house_line import TopicsOfHouse, house_line_routes
from baccarat.serve.route.journal import journal_routes
from baccarat.serve.route.law import law_routes
from baccarat.serve.route.moment import moment_routes
from baccarat.serve.route.operate import OPERATING_PATHS, operate_routes
from baccarat.serve.route.page import answer_nothing, page_routes
from baccarat.serve.route.paper import paper_routes
from baccarat.serve.route.person import person_routes
from baccarat.serve.route.picture import picture_routes
from baccarat.serve.route.problem_page import problem_routes
from baccarat.serve.route.replay import replay_routes
from baccarat.serve.route.round import round_routes
from baccarat.serve.route.shoe import shoe_routes
from baccarat.serve.route.table import table_routes
from baccarat.serve.route.visit import visit_routes
from baccarat.serve.route.watch import card_style, watch_routes
from baccarat.serve.route.witness import witness_routes
from baccarat.serve.route.work import work_routes
from baccarat.serve.setting import Setting


def api_routes() -> list[ControllerRouterHandler]:
    """Everything that can be asked for, beside coming in and the pages."""
    return [
        *table_routes(),
        *work_routes(),
        *correcting_routes(),
        *round_routes(),
        *shoe_routes(),
        *moment_routes(),
        *replay_routes(),
        *act_routes(),
        *law_routes(),
        *filing_routes(),
        *edition_routes(),
        *drill_routes(),
        *journal_routes(),
        *person_routes(),
        *book_routes(),
        *house_routes(),
        *floor_routes(),
        *house_line_routes(),
        *paper_routes(),
        *witness_routes(),
        *watch_routes(),
        *export_routes(),
        *picture_routes(),
    ]


@cache
def make_router() -> Litestar:
    """The application without a house. It knows some hundred addresses and is made once in a process."""
    return Litestar(
        route_handlers=[
            *operate_routes(),
            *page_routes(),
            card_style,
            *problem_routes(),
            *visit_routes(),
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
    app.state = State({"live": live})
    live.rooms.house_room.show(TopicsOfHouse(live))  # what is shown is found by routes, which know the whole house
    origins = frozenset({setting.origin}) if setting.origin else frozenset[str]()
    return EdgeMiddleware(
        cast(App, app),  # the same protocol, under names of its own
        origins=origins,
        rate=Rate(setting.requests_a_second, setting.requests_at_once),
        secure=setting.origin.startswith("https://"),
        may_answer=live.readiness.holds_lease,
        always=OPERATING_PATHS,
        names=frozenset({setting.host.lower()}),
    )
