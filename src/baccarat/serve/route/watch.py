"""For those who oversee the house: alerts, audits on demand, and the printed page about a round."""

from __future__ import annotations

import time
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, QueryParameter
from msgspec.structs import replace

from baccarat.audit.bundle.dispute import NotARound, dispute_page, dispute_style
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.audit.discretion import DiscretionaryAct, PersonTotal
from baccarat.house.stream import Stream
from baccarat.record.key import Verifier
from baccarat.serve.http.problem import not_found, problem, quoted_name
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import RouteGroup, only
from baccarat.serve.route.journal import READERS, bundle_of
from baccarat.serve.route.replay import READS_RECORDS, teller
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.route.table import room_of
from baccarat.serve.watch.alert import Alert, history_alerts, newest_first, program_alerts, witness_alerts
from baccarat.serve.watch.audit_job import MOST_ENTRIES, Audit, AuditUnderWay
from baccarat.serve.watch.expected_win import rules_filed
from baccarat.table.role import RECORD_READERS

routes = RouteGroup("records")

AUDITING = only(RECORD_READERS, acts=True)
STYLE = "/card.css"
OneTable = Annotated[str, QueryParameter(name="table", max_length=200, description="of one table only")]


class Alerts(msgspec.Struct, frozen=True, kw_only=True):
    """Alerts, newest first."""

    alerts: list[Alert]


@routes.get("/api/alerts", "Alerts", READS_RECORDS, 404)
async def alerts(request: HttpRequest, table: OneTable = "") -> Alerts:
    """Late wagers that were refused, maximum wagers late in a shoe, vigorish that is not collected, corrections, tables
    that have stopped or that a fault of the program has stopped, tables whose win is outside its band, shoes that wait
    for a witness, and what is wrong with the history of the house."""
    live = live_of(request)
    if table:
        room_of(live, table)
    return Alerts(alerts=await find_alerts(live, table))


async def find_alerts(live: HouseServer, table: str = "") -> list[Alert]:
    """The alerts of a table, or of the whole house, newest first."""
    tables = [table] if table else sorted(live.rooms)
    state, tell, now = await live.durable_state(), teller(live), live.desk.now

    def read(reads: Any) -> list[Alert]:
        return live.alerts.current_alerts(reads, state, tables, now=now, steady=time.monotonic(), tell=tell)

    of_house = [
        *history_alerts(live.history.since),
        *program_alerts(live.table_jobs.stopped),
        *witness_alerts(live.witness_waits.long_waits),
    ]
    wrong = [each for each in of_house if table in ("", each.table)]
    return newest_first([*wrong, *await live.reading.ask(read)])


# ------------------------------------------------------------------------------------------------- audits


@routes.post("/api/streams/{name:str}/audit", "Audit a stream now", AUDITING, 404, 409, status_code=202)
async def begin_audit(request: HttpRequest, name: FromPath[Stream]) -> Audit:
    """Every record of a stream decided again, in the background; ask for the audit by its id to see its progress."""
    live = live_of(request)
    head = await live.lookups.ask(lambda reads: reads.heads().get(name))
    if head is None:
        raise not_found(f"stream {quoted_name(name)}", code="no_such_stream")
    if head.seq >= MOST_ENTRIES:
        say = f"The journal has {head.seq + 1:,} entries; export it, and use `baccarat audit`."
        raise problem(409, say, code="too_long")
    known = await live.reading.run_in_thread(lambda: _keys(live, name))
    try:
        return live.auditing.begin(name, head.seq + 1, known=known, rules=rules_filed(live.house.state))
    except AuditUnderWay:
        say = "Another stream is being audited; wait until that is done."
        raise problem(409, say, code="audit_under_way") from None


def _keys(live: HouseServer, stream: Stream) -> tuple[Verifier, ...]:
    """The keys under which this house signs a stream; none if it signs nothing."""
    signers = live.house.signers
    signer = None if signers is None else signers(stream)
    return () if signer is None else (signer.verifier,)


@routes.get("/api/audits/{audit:str}", "An audit and its progress", READS_RECORDS, 404)
async def one_audit(request: HttpRequest, audit: FromPath[str]) -> Audit:
    """What was checked how often, and every finding with its record and its clauses; audits are not stored for long."""
    found = live_of(request).auditing.find(audit)
    if found is None:
        raise not_found("such audit", code="no_audit")
    return found


class DiscretionaryActShown(msgspec.Struct, frozen=True, kw_only=True):
    """An act of discretion, with what it was worth in words; people and reasons by name where names are stored."""

    act: DiscretionaryAct
    say: str


class PersonTotalShown(msgspec.Struct, frozen=True, kw_only=True):
    """The total of one person, also in words."""

    total: PersonTotal
    say: str


class DiscretionShown(msgspec.Struct, frozen=True, kw_only=True):
    """The discretionary acts in a stream, with a total for each person."""

    acts: list[DiscretionaryActShown]
    persons: list[PersonTotalShown]


@routes.get(
    "/api/audits/{audit:str}/discretion", "What an audited stream left to somebody's judgement", READS_RECORDS, 404
)
async def audit_discretion(request: HttpRequest, audit: FromPath[str]) -> DiscretionShown:
    """Every act that a document leaves to somebody's judgement, by person, with its reason and its worth then."""
    live = live_of(request)
    found = live.auditing.discretion(audit)
    if found is None:
        raise not_found("such audit that is done", code="no_audit")
    tell = teller(live)
    named = [
        replace(each, who=tell(each.who), seconds=tuple(map(tell, each.seconds)), reason=tell(each.reason))
        for each in found.acts
    ]
    totals = [replace(each, who=tell(each.who)) for each in found.persons]
    return DiscretionShown(
        acts=[DiscretionaryActShown(act=each, say=each.worth_words) for each in named],
        persons=[PersonTotalShown(total=each, say=str(each)) for each in totals],
    )


# ------------------------------------------------------------------------------------------- dispute card


@routes.get(
    "/api/tables/{name:str}/shoes/{shoe:int}/rounds/{number:int}/card",
    "A round as a page to print and hand out",
    READERS,
    404,
    409,
    410,
    media_type="text/html",
)
async def dispute_card(request: HttpRequest, name: FromPath[str], shoe: FromPath[int], number: FromPath[int]) -> str:
    """Cards, wagers, every act with its clauses, and what was checked; it shows all wagers of the round."""
    live = live_of(request)
    bundle = await bundle_of(live, name, shoe=shoe, round_=number)

    def make() -> str:
        return dispute_page(bundle, verify_bundle(bundle), style_at=STYLE)

    try:
        return await live.reading.run_in_thread(make)
    except NotARound as error:
        raise problem(409, f"{error}.", code="not_a_round") from None


@get(STYLE, include_in_schema=False)
async def card_style() -> Response[str]:
    """The style of that page."""
    return Response(dispute_style(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})
