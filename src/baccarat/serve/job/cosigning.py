"""Asking witnesses: each is sent what has been signed since it last cosigned, and its cosignature is stored.

A witness that does not answer blocks nothing: it is asked again later, and the log says why.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import Verifier
from baccarat.record.note import UnreadableNote, read_signature
from baccarat.record.witness import OK
from baccarat.record.witness_http import WitnessUnreachable, ask_over_http
from baccarat.serve.job.own_thread import in_own_thread
from baccarat.serve.runtime.stream_log import ProofUnavailable, StreamLog
from baccarat.serve.runtime.witness_exchange import CosignatureRejected, accept_cosignature, known_size, request_for
from baccarat.serve.store.base import Batch, Reads
from baccarat.serve.store.read_pool import PoolExhausted

if TYPE_CHECKING:
    from baccarat.serve.live import HouseServer

EVERY_SECONDS = 30.0


async def run_cosigning(live: HouseServer, *, every: float = EVERY_SECONDS) -> None:
    """Ask every witness that has an address, as long as the house is open."""
    while True:
        await asyncio.sleep(every)
        for key, address in live.witness_addresses.items():
            await ask_for_all(live, key, address)


async def ask_for_all(live: HouseServer, key: Verifier, address: str) -> dict[str, str]:
    """Ask a witness about every stream that has a newer checkpoint; returns each outcome, in words."""
    try:
        grown = await live.reading.ask(lambda reads: _grown(reads, key))
    except PoolExhausted:
        return {}
    found = dict[str, str]()
    for stream in grown:
        try:
            found[stream] = await cosign_stream(live, key, address, stream)
        except (WitnessUnreachable, CosignatureRejected, UnreadableNote, ProofUnavailable, PoolExhausted) as error:
            found[stream] = str(error) or "too many are reading"
            say = f"{key.name} has not cosigned {stream}: {found[stream]}"
            live.log.say("not_cosigned", say, level="warning")
    return found


def _grown(reads: Reads, key: Verifier) -> list[Stream]:
    """The streams of which more is signed than the witness has cosigned."""
    found = list[Stream]()
    for stream in sorted(reads.heads()):
        signed = reads.latest_checkpoint(stream)
        if signed is not None and signed.size > known_size(reads, stream, key):
            found.append(stream)
    return found


async def cosign_stream(live: HouseServer, key: Verifier, address: str, stream: Stream) -> str:
    """Ask about one stream: from the size that the house knows, or, if the witness knows another, from that."""
    log = live.stream_logs.setdefault(stream, StreamLog(stream))
    old = await live.reading.ask(lambda reads: known_size(reads, stream, key))
    for _ in range(2):
        request = await live.reading.ask(partial(request_for, stream=stream, old=old, log=log))
        assert request is not None, "only signed streams are asked about"
        answer = await in_own_thread(partial(ask_over_http, address, bytes(request)))
        if answer.status == OK:
            return await _keep(live, key, stream, answer.body, read_checkpoint(request.note).size)
        if answer.known_size is None or answer.known_size == old:
            break
        old = answer.known_size
    raise CosignatureRejected(f"it refuses ({answer.status}): {answer.body.strip()[:200]}")


async def _keep(live: HouseServer, key: Verifier, stream: Stream, lines: str, size: int) -> str:
    signatures = [read_signature(line) for line in lines.splitlines()]
    _, statements = await live.reading.ask(
        lambda reads: accept_cosignature(reads, stream, signatures, [key], size=size)
    )
    await live.house.writer.run_exclusive(lambda: live.store.append(Batch(statements=statements)))
    return "cosigned"
