"""Receipts: a participant keeps the proof that an act of their own is in the log of the table, whatever happens to it.

A receipt is given once a signed checkpoint covers the record, which is at the next result at the latest. It holds the
record as it is stored, so it is given only to the person whose act it is and to those who read journals anyway; that
of a result that the program announced, to everybody who sees the felt.
"""

from __future__ import annotations

from litestar import Response
from litestar.params import FromPath

from baccarat.house.stream import Stream, table_stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.entry import ActRecord, read_body
from baccarat.record.note import SignedNote
from baccarat.record.receipt import Receipt
from baccarat.record.tlog_proof import EntryProof
from baccarat.serve.access.session import Session
from baccarat.serve.http.problem import dropped_problem, not_found, problem
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import SIGNED_ON, RouteGroup
from baccarat.serve.route.requester import HttpRequest, live_of, require_session
from baccarat.serve.route.table import room_of
from baccarat.serve.runtime.stream_log import StreamLog
from baccarat.serve.runtime.witness_exchange import cosigned_notes, newest_note
from baccarat.serve.setting import Mode
from baccarat.serve.store.base import Reads
from baccarat.table.actor import Origin
from baccarat.table.role import AT_TABLE, RECORD_READERS

routes = RouteGroup("tables")

RETRY_SECONDS = 5
RESULT = b'"event":"result_announced"'


@routes.get(
    "/api/tables/{name:str}/receipts/{seq:int}",
    "The receipt of an act of your own",
    SIGNED_ON,
    403,
    404,
    409,
    410,
    media_type="text/plain",
    response_description="The record's body in base64, then its C2SP tlog-proof, as `baccarat journal check` reads it.",
)
async def receipt(request: HttpRequest, name: FromPath[str], seq: FromPath[int]) -> Response[str]:
    """A record of the table with the proof that a signed checkpoint covers it. Your own acts, refused ones too, and,
    if you see the felt, results that the program announced; those who read journals get any. 409 until a checkpoint
    covers it."""
    live, session = live_of(request), await require_session(request)
    room_of(live, name)
    stream = table_stream(name)
    if not 0 < seq < 2**53:
        raise not_found(f"record {seq} at table {name}", code="no_such_record")
    if live.house.signers is None:
        raise not_found("receipt: this house has no key that signs", code="no_signer")
    log = live.stream_logs.setdefault(stream, StreamLog(stream))
    may_read_all = session.role in RECORD_READERS or live.setting.mode is Mode.PRACTICE

    def make(reads: Reads) -> Receipt:
        body = _body(reads, stream, seq)
        if not (may_read_all or _is_open_to(live, session, body)):
            raise problem(403, "This receipt belongs to another person.", code="not_yours")
        note = _covering_note(reads, stream, seq)
        try:
            path = log.prove_inclusion(reads, index=seq, size=read_checkpoint(note).size)
        except ValueError as error:
            raise problem(410, f"Nothing can be proved: {error}.", code="dropped") from None
        return Receipt(body=body, proof=EntryProof(seq, path, note), stream=stream)

    made = await live.reading.ask(make)
    headers = {"Content-Disposition": f'attachment; filename="{name}-{seq}.receipt"'}
    return Response(bytes(made).decode(), media_type="text/plain", headers=headers)


def _body(reads: Reads, stream: Stream, seq: int) -> bytes:
    head = reads.heads().get(stream)
    if head is None or seq > head.seq:
        raise not_found(f"record {seq} of {stream}", code="no_such_record")
    row = reads.entry(stream, seq)
    if row is None:
        raise dropped_problem("The record was", code="dropped")
    return row.body


def _is_open_to(live: HouseServer, session: Session, body: bytes) -> bool:
    """Whether a record is an act of this person, or a result that no person announced.

    A result states the wagers on the felt, so it is for those who see them.
    """
    record = read_body(body)
    if not isinstance(record, ActRecord):
        return False
    names = live.house.names
    who = session.person if names is None else names.hide_actor(session.actor()).who
    is_own = record.origin is Origin.PERSON and record.who == who
    is_result = record.origin is not Origin.PERSON and RESULT in body
    return is_own or (is_result and session.role in AT_TABLE)


def _covering_note(reads: Reads, stream: Stream, seq: int) -> SignedNote:
    """A checkpoint that covers a record: one that a witness has cosigned where there is one, otherwise the newest."""
    newest = newest_note(reads, stream)
    note: SignedNote
    for note in (*cosigned_notes(reads, stream), *((newest,) if newest is not None else ())):
        log = read_checkpoint(note)
        if log.size > seq and newest is not None and log.origin == read_checkpoint(newest).origin:
            return note
    say = "No signed checkpoint covers this record yet; ask again after the result."
    raise problem(409, say, code="not_signed_yet", headers={"Retry-After": str(RETRY_SECONDS)})
