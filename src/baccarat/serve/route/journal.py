"""Journals, checkpoints and bundles: what the house has recorded, for those who check it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from litestar import Response
from litestar.background_tasks import BackgroundTask
from litestar.params import FromPath
from litestar.response import Stream as StreamedResponse

from baccarat.audit.bundle.form import ROUND, SHOE, Bundle, Scope, write_bundle
from baccarat.audit.bundle.make import BundleJournal, NoBundle, make_bundle
from baccarat.house.stream import Stream, is_table_stream, stream_name, table_stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.entry import read_body
from baccarat.record.journal import JournalLine
from baccarat.record.key import Verifier, time_of
from baccarat.record.note import SignedNote, read_note
from baccarat.serve.access.throttle import address_key
from baccarat.serve.http.problem import not_found, problem, quoted_name
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import RouteGroup, only
from baccarat.serve.route.cursor import DEFAULT_LIMIT, Cursor, PageLimit, read_cursor, write_cursor
from baccarat.serve.route.requester import HttpRequest, address_of, live_of
from baccarat.serve.route.table import room_of
from baccarat.serve.runtime.witness_exchange import cosigned_notes, newest_note
from baccarat.serve.store.base import Reads, StoreReader, all_entries
from baccarat.serve.store.journal_export import dropped_streams, signed_journal, stream_journal
from baccarat.table.role import RECORD_READERS

routes = RouteGroup("records")

LINES = "application/x-ndjson"
ENTRIES: dict[str, Any] = {
    "media_type": LINES,
    "response_description": "One entry per line, as `baccarat audit` reads it.",
}
READERS = only(RECORD_READERS, practice=True)
MOST_ENTRIES = 200_000
"""A bundle holds the proof that its entries are in the whole journal, which has to be read for it."""


class StreamCard(msgspec.Struct, frozen=True, kw_only=True):
    """A stream: a table, or a book of the house."""

    name: str
    entries: int
    events: int
    hash: str


class Streams(msgspec.Struct, frozen=True, kw_only=True):
    """The streams of the house."""

    streams: list[StreamCard]


class SignatureCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A signature under a checkpoint: by whom, and, for the cosignature of a witness, when, in seconds since 1970."""

    name: str
    at: int = 0


class CheckpointCard(msgspec.Struct, frozen=True, kw_only=True):
    """A signed note of how many entries a stream had, and their root."""

    size: int
    root: str
    """The root of the log over these entries, base64."""
    signed: list[SignatureCard]
    """Who has signed it: the house first, then witnesses."""
    note: str


class Checkpoints(msgspec.Struct, frozen=True, kw_only=True):
    """The checkpoints of a stream, oldest first."""

    stream: Stream
    checkpoints: list[CheckpointCard]
    next: str = ""


@routes.get("/api/streams", "The streams of the house", READERS)
async def streams(request: HttpRequest) -> Streams:
    """Every table and every book: how many entries each has, and the hash of the last."""
    heads = await live_of(request).reading.ask(lambda reads: reads.heads())
    cards = [
        StreamCard(name=name, entries=head.seq + 1, events=head.events, hash=head.hash.hex())
        for name, head in sorted(heads.items())
    ]
    return Streams(streams=cards)


@routes.get("/api/journal", "The journal of the whole house", READERS, 410, **ENTRIES)
async def whole_journal(request: HttpRequest) -> StreamedResponse:
    """Every stream, in the order of decision, with each checkpoint after the last entry that it covers."""
    live = live_of(request)
    dropped = await live.reading.ask(dropped_streams)
    if dropped:
        say = (
            f"Earlier shoes of {', '.join(list(dropped)[:3])} were dropped. What is left of each stream is at "
            "/api/streams/NAME/journal; `baccarat archive --after` adds it to an archive from before."
        )
        raise problem(410, say, code="dropped")
    return await stream_text(request, signed_journal)


@routes.get("/api/streams/{name:str}/journal", "The journal of one stream", READERS, 404, **ENTRIES)
async def journal(request: HttpRequest, name: FromPath[Stream]) -> StreamedResponse:
    """The entries of a stream, one per line, with each checkpoint after the last entry that it covers."""
    await require_stream(live_of(request), name)
    return await stream_text(request, lambda reads: stream_journal(reads, name))


async def stream_text(
    request: HttpRequest, lines: Callable[[StoreReader], Iterator[bytes]], media_type: str = LINES
) -> StreamedResponse:
    """Long text, sent as it is read; a client that leaves in the middle frees its place immediately."""
    pieces = await live_of(request).reading.pieces(lines, reader=address_key(address_of(request)))
    return StreamedResponse(pieces, media_type=media_type, background=BackgroundTask(pieces.aclose))


async def require_stream(live: HouseServer, stream: Stream) -> None:
    """A problem if there is no such stream on disk."""
    if stream not in await live.lookups.ask(lambda reads: reads.heads()):
        raise not_found(f"stream {quoted_name(stream)}", code="no_such_stream")


@routes.get("/api/streams/{name:str}/checkpoints", "The checkpoints of a stream", READERS, 404)
async def checkpoints(
    request: HttpRequest, name: FromPath[Stream], limit: PageLimit = DEFAULT_LIMIT, cursor: Cursor = ""
) -> Checkpoints:
    """Signed notes of how many entries there were, and their root, oldest first."""
    live = live_of(request)
    await require_stream(live, name)
    found = read_cursor("checkpoints", cursor, int)
    after = int(found[0]) if found else -1
    rows = await live.reading.ask(lambda reads: reads.checkpoints(name, after=after, limit=limit + 1))
    cards = [checkpoint_card(read_note(row.note)) for row in rows[:limit]]
    return Checkpoints(
        stream=name, checkpoints=cards, next=write_cursor("checkpoints", cards[-1].size) if len(rows) > limit else ""
    )


@routes.get(
    "/api/streams/{name:str}/checkpoint", "The newest checkpoint of a stream", READERS, 404, media_type="text/plain"
)
async def checkpoint(request: HttpRequest, name: FromPath[Stream]) -> str:
    """The newest signed note, with any cosignatures of witnesses (C2SP tlog-checkpoint)."""
    live = live_of(request)
    await require_stream(live, name)
    found = await live.reading.ask(lambda reads: newest_note(reads, name))
    if found is None:
        raise not_found(f"checkpoint of {name} yet", code="no_checkpoint")
    return bytes(found).decode()


def checkpoint_card(note: SignedNote, witnesses: Sequence[Verifier] = ()) -> CheckpointCard:
    """A checkpoint with who has signed it; only the signatures of known witnesses are known to have a time."""
    found = read_checkpoint(note)
    signed = [
        SignatureCard(name=each.name, at=time_of(each.data) if any(map(each.is_by, witnesses)) else 0)
        for each in note.signatures
    ]
    root = base64.b64encode(found.root).decode()
    return CheckpointCard(size=found.size, root=root, signed=signed, note=bytes(note).decode())


class StreamSignatures(msgspec.Struct, frozen=True, kw_only=True):
    """What is signed of a stream: how many entries there are, the newest checkpoint, and those of each witness."""

    stream: Stream
    entries: int
    newest: CheckpointCard | None
    cosigned: list[CheckpointCard]
    witnesses: list[str]
    """The witnesses that this house knows."""


@routes.get("/api/streams/{name:str}/signed", "How far a stream is signed and cosigned", READERS, 404)
async def signed(request: HttpRequest, name: FromPath[Stream]) -> StreamSignatures:
    """The newest checkpoint, and the newest that each witness has cosigned; an unused table has none."""
    live = live_of(request)
    if not (is_table_stream(name) and stream_name(name) in live.rooms):
        await require_stream(live, name)
    witnesses = live.witnesses

    def read(reads: Reads) -> StreamSignatures:
        newest = newest_note(reads, name)
        return StreamSignatures(
            stream=name,
            entries=reads.heads()[name].seq + 1 if name in reads.heads() else 0,
            newest=None if newest is None else checkpoint_card(newest, witnesses),
            cosigned=[checkpoint_card(note, witnesses) for note in cosigned_notes(reads, name)],
            witnesses=[key.name for key in witnesses],
        )

    return await live.reading.ask(read)


# ------------------------------------------------------------------------------------------------ bundles


@routes.get(
    "/api/tables/{name:str}/shoes/{shoe:int}/bundle",
    "A shoe as one file that anybody can check",
    READERS,
    404,
    409,
    410,
)
async def shoe_bundle(request: HttpRequest, name: FromPath[str], shoe: FromPath[int]) -> Response[dict[str, Any]]:
    """The bundle of a shoe, for `baccarat verify` and the independent verifiers."""
    return await _bundle(live_of(request), name, shoe=shoe)


@routes.get(
    "/api/tables/{name:str}/shoes/{shoe:int}/rounds/{number:int}/bundle",
    "A round as one file that anybody can check",
    READERS,
    404,
    409,
    410,
)
async def round_bundle(
    request: HttpRequest, name: FromPath[str], shoe: FromPath[int], number: FromPath[int]
) -> Response[dict[str, Any]]:
    """The bundle of a round, for `baccarat verify` and the independent verifiers."""
    return await _bundle(live_of(request), name, shoe=shoe, round_=number)


async def _bundle(live: HouseServer, table: str, *, shoe: int, round_: int | None = None) -> Response[dict[str, Any]]:
    data: Any = write_bundle(await bundle_of(live, table, shoe=shoe, round_=round_))
    name = f"{table}-shoe-{shoe}" + (f"-round-{round_}" if round_ is not None else "")
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(data, media_type="application/json", headers=headers)


async def bundle_of(live: HouseServer, table: str, *, shoe: int, round_: int | None = None) -> Bundle:
    """The bundle of a shoe or a round; a problem if there can be none."""
    room_of(live, table)
    if not (0 < shoe < 2**53 and (round_ is None or 0 < round_ < 2**53)):
        raise not_found(f"shoe {shoe} or round {round_} at table {table}", code="no_such_round")
    scope = Scope(kind=SHOE if round_ is None else ROUND, stream=table_stream(table), shoe=shoe, round=round_)
    signers = live.house.signers
    signer = signers(scope.stream) if signers is not None else None
    keys = (signer.verifier,) if signer is not None else ()

    def make(reads: Reads) -> Bundle:
        source = _source(reads, scope.stream)
        try:
            note = _covering_note(source, scope, newest_note(reads, scope.stream))
            return make_bundle(source, scope, note=note, keys=keys)
        except NoBundle as error:
            raise not_found(f"such round: {error}", code="no_such_round") from None

    return await live.reading.ask(make)


def _covering_note(source: BundleJournal, scope: Scope, note: SignedNote | None) -> SignedNote | None:
    """The newest checkpoint, if it covers the scope; otherwise the bundle is unsigned."""
    if note is None:
        return None
    try:
        make_bundle(source, scope, note=note)
    except NoBundle:
        return None
    return note


def _source(reads: Reads, stream: Stream) -> BundleJournal:
    head = reads.heads().get(stream)
    if head is not None and head.seq >= MOST_ENTRIES:
        say = f"The journal has {head.seq + 1:,} entries; export it, and use `baccarat bundle`."
        raise problem(409, say, code="too_long")
    first = reads.entries(stream, after=-1, limit=1)
    if first and first[0].seq:
        say = "Earlier shoes of this practice table were dropped; without them nothing can be proved."
        raise problem(410, say, code="dropped")
    return BundleJournal(
        JournalLine(number=row.seq + 1, entry=read_body(row.body), body=row.body, hash=row.hash)
        for row in all_entries(reads, stream)
    )
