"""Papers: a Complimentary Vigorish Form as it is printed and signed, and the slips of the cage."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec
from litestar.params import FromPath

from baccarat.house.book import decode
from baccarat.house.cage import CAGE_BOOK
from baccarat.house.form import UsedForm
from baccarat.house.stream import CAGE_STREAM
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.act.preview import CitedSentence, cited_event, with_names
from baccarat.serve.http.problem import not_found
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import RouteGroup, only
from baccarat.serve.route.cursor import DEFAULT_LIMIT, PageLimit
from baccarat.serve.route.house import LOOK_AT_CAGE
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.store.base import Reads, StoredEntry
from baccarat.serve.watch.sentence import told_in_book
from baccarat.table.machine import union_of
from baccarat.table.role import FORM_SIGNERS

routes = RouteGroup("house")

PAGE = 500
CAGE_EVENTS = union_of(CAGE_BOOK.evolvers)
SIGNS = only(FORM_SIGNERS)
"""Who signs forms, or oversees those who do: only they see whom a form names."""


class FormPaper(msgspec.Struct, frozen=True, kw_only=True):
    """A form that was made out, with the names on it; the sum in cents."""

    serial: int
    table: str
    edition: str
    amount: int
    patron: str
    dealer: str
    pit_boss: str
    pit_clerk: str
    patron_signed: bool
    why_not_signed: str
    stated_by: str
    copies: int
    dropped: bool
    forwarded: bool
    cites: list[str]


class CageSlip(msgspec.Struct, frozen=True, kw_only=True):
    """What was done in the cage: when, in microseconds UTC, by which record, and in words."""

    seq: int
    at: int
    done: list[CitedSentence]


class Slips(msgspec.Struct, frozen=True, kw_only=True):
    """The last slips of the cage, newest first."""

    slips: list[CageSlip]


@routes.get("/api/forms/{serial:int}", "A form as it is printed", SIGNS, 404)
async def form(request: HttpRequest, serial: FromPath[int]) -> FormPaper:
    """A form that was made out: the sum, the patron, and who signs it."""
    live = live_of(request)
    state = await live.durable_state()
    paper = state.forms.paper(serial)
    if not isinstance(paper, UsedForm):
        raise not_found(f"form {serial} that was made out", code="no_such_form")
    law = state.rules(paper.table).edition
    cites = law.cite_text(*law.vigorish_form.content_cite, *law.vigorish_form.signed_cite) if law.vigorish_form else ()
    told: dict[str, Any] = with_names(live.house, msgspec.to_builtins(paper.duplicate))
    return FormPaper(
        **told, table=paper.table, edition=law.title, dropped=paper.original is not None, forwarded=paper.forwarded,
        cites=list(cites),
    )  # fmt: skip


@routes.get("/api/cage/slips", "The last slips of the cage", LOOK_AT_CAGE)
async def slips(request: HttpRequest, limit: PageLimit = DEFAULT_LIMIT) -> Slips:
    """Fills, credits, counts and cash, each with who asked and who approved; newest first."""
    live = live_of(request)
    await live.durable_state()
    return Slips(slips=await live.reading.ask(lambda reads: _slips(live, reads, limit)))


def _slips(live: HouseServer, reads: Reads, limit: int) -> list[CageSlip]:
    """The last slips, newest first; records between them that moved nothing, such as refusals, do not count."""
    head, found = reads.heads().get(CAGE_STREAM), list[CageSlip]()
    last = head.seq if head is not None else -1
    while last >= 0 and len(found) < limit:
        first = max(0, last - PAGE + 1)
        rows = reads.entries(CAGE_STREAM, after=first - 1, limit=last - first + 1)
        slips_back = (slip for row in reversed(rows) if (slip := _slip(live, row)) is not None)
        found += islice(slips_back, limit - len(found))
        last = first - 1
    return found


def _slip(live: HouseServer, row: StoredEntry) -> CageSlip | None:
    """The slip that a record of the cage is, if something was moved."""
    record = read_body(row.body)
    if not isinstance(record, ActRecord) or not record.events:
        return None
    events = [decode(bytes(raw), CAGE_EVENTS) for raw in record.events]
    done = [cited_event(live.house, told_in_book(CAGE_BOOK, each), each.cites) for each in events]
    return CageSlip(seq=row.seq, at=record.at, done=done)
