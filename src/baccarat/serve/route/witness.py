"""The witness exchange over HTTP (C2SP tlog-witness): the house's request, and the cosignatures that come back."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta

from baccarat.house.stream import Stream
from baccarat.record.key import MissingCryptography
from baccarat.record.note import UnreadableNote, read_signature
from baccarat.serve.http.problem import not_found, problem
from baccarat.serve.route.allow import EVERYBODY, RouteGroup, only
from baccarat.serve.route.journal import require_stream
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.runtime.stream_log import ProofUnavailable
from baccarat.serve.runtime.witness_exchange import CosignatureRejected, accept_cosignature, request_for
from baccarat.serve.store.base import Batch
from baccarat.table.role import RECORD_READERS

routes = RouteGroup("records")

ASKING, SIGNING = only(RECORD_READERS), only(RECORD_READERS, acts=True)
PLAIN = "text/plain"

Old = Annotated[
    int, QueryParameter(name="old", ge=0, lt=2**53, description="how many entries the witness last cosigned")
]


class Keys(msgspec.Struct, frozen=True, kw_only=True):
    """Public keys: of the logs of this house, one per stream, and of the witnesses that it knows."""

    logs: dict[Stream, str]
    witnesses: list[str]


class Cosignatures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The lines of a witness's answer, each a signature, and the size of the checkpoint that it was asked about.

    Without a size it is the newest.
    """

    size: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    lines: Annotated[list[Annotated[str, Meta(min_length=1, max_length=1000)]], Meta(min_length=1, max_length=16)]


@routes.get("/api/keys", "The public keys of this house", EVERYBODY)
async def keys(request: HttpRequest) -> Keys:
    """The keys by which checkpoints are verified; compare them with those that you got another way."""
    live = live_of(request)
    signers = live.house.signers
    found = {name: signers(name) for name in sorted(live.house.journal.heads)} if signers is not None else {}
    logs = {name: str(signer.verifier) for name, signer in found.items() if signer is not None}
    return Keys(logs=logs, witnesses=[str(key) for key in live.witnesses])


@routes.get("/api/streams/{name:str}/witness-request", "The request to a witness", ASKING, 404, 409, media_type=PLAIN)
async def witness_request(request: HttpRequest, name: FromPath[Stream], old: Old = 0) -> str:
    """The body of `POST /add-checkpoint`: the size that the witness knows, the proof of growth, the checkpoint."""
    live = live_of(request)
    await require_stream(live, name)
    try:
        found = await live.reading.ask(lambda reads: request_for(reads, name, old))
    except ProofUnavailable as error:
        raise problem(409, f"{error}.", code="no_proof") from None
    if found is None:
        raise not_found(f"checkpoint of {name} yet", code="no_checkpoint")
    return bytes(found).decode()


@routes.post("/api/streams/{name:str}/checkpoint", "Sign a checkpoint now", SIGNING, 404, 409, media_type=PLAIN)
async def sign_now(request: HttpRequest, name: FromPath[Stream]) -> str:
    """Sign the size and the root of a stream now; tables are signed automatically at the end of every round."""
    live = live_of(request)
    await require_stream(live, name)
    signers = live.house.signers
    made = live.house.journal.sign(name, signers) if signers is not None else []
    if not made:
        raise problem(409, "Nobody signs this stream: the house has no key that signs.", code="no_signer")
    await live.house.writer.wait_until_flushed()
    return bytes(made[-1]).decode()


@routes.post(
    "/api/streams/{name:str}/cosignatures", "Submit the cosignatures of a witness", SIGNING, 404, 409, media_type=PLAIN
)
async def cosign(request: HttpRequest, name: FromPath[Stream], data: JSONBody[Cosignatures]) -> str:
    """Cosignatures over a checkpoint; they are verified and stored, and the cosigned checkpoint is returned."""
    live = live_of(request)
    await require_stream(live, name)
    try:
        signatures = [read_signature(line.removesuffix("\n")) for line in data.lines]
    except UnreadableNote as error:
        raise problem(400, f"{error}.", code="unreadable") from None
    try:
        note, statements = await live.reading.ask(
            lambda reads: accept_cosignature(reads, name, signatures, live.witnesses, size=data.size)
        )
    except CosignatureRejected as error:
        raise problem(409, f"{error}.", code="not_cosigned") from None
    except MissingCryptography as error:
        raise problem(409, f"{error}.", code="no_cryptography") from None
    await live.house.writer.run_exclusive(lambda: live.store.append(Batch(statements=statements)))
    return bytes(note).decode()
