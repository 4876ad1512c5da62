"""`baccarat settle`: round records in, settled rounds out, one JSON object per line."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec
import typer

from baccarat.cli.lines import standard_input
from baccarat.cli.option import EDITIONS, register_editions
from baccarat.cli.output import DONE, FAULT, REFUSED, complain, fail
from baccarat.record.text import BOM

WRITE_BYTES = 1 << 16
"""Bytes buffered before they are written."""


def settle(
    records: str = typer.Argument(..., metavar="RECORDS", help="A file of round records, or - for standard input."),
    edition: list[Path] = EDITIONS,
    json: bool = typer.Option(True, "--json", help="Accepted for uniformity: the output is always JSON."),
) -> None:
    """Settle round records, one JSON object per line (or one JSON array), to the cent.

    Each record is answered in its place: settled with its clauses, refused with the clause, or unreadable
    with the field. What a record expects of its answer is compared, and each difference reported. Example:
    baccarat settle rounds.jsonl > settled.jsonl
    """
    del json
    register_editions(edition)
    if records == "-":
        raise typer.Exit(_settle(standard_input()))
    try:
        stream = Path(records).open("rb")  # noqa: SIM115  closed below, so that only opening is blamed on the file
        stream.peek()
    except OSError as error:
        fail(f"{records}: cannot be read: {error.strerror}")
    with stream:
        raise typer.Exit(_settle(stream))


def _settle(stream: BinaryIO) -> int:
    """Settle the records of a stream: an array if it begins like one, otherwise lines."""
    lines = enumerate(stream, start=1)
    first = next(((number, line.removeprefix(BOM)) for number, line in lines if line.strip()), None)
    if first is None:
        fail("no records: the input is empty; expected one JSON object per line, or a JSON array")
    if first[1].lstrip().startswith(b"["):
        return _settle_array(first[1] + b"".join(line for _, line in lines))
    return _settle_lines(chain([first], lines))


def _settle_lines(lines: Iterable[tuple[int, bytes]]) -> int:
    gc.disable()  # nothing here makes cycles, and searching for them takes a tenth of the time
    status, size, write, answer = DONE, 0, sys.stdout.buffer.write, _answerer()
    gathered: list[bytes] = []
    for number, line in lines:
        if not line.strip():
            continue
        answered, outcome = answer(line, f"line {number}")
        status = max(status, outcome)
        gathered.append(answered)
        size += len(answered)
        if size > WRITE_BYTES:
            write(b"\n".join(gathered) + b"\n")
            gathered, size = [], 0
    if gathered:
        write(b"\n".join(gathered) + b"\n")
    sys.stdout.buffer.flush()
    return status


def _settle_array(text: bytes) -> int:
    try:
        records = msgspec.json.decode(text, type=list[msgspec.Raw])
    except msgspec.DecodeError as error:
        fail(f"not a JSON array of records: {error}")
    except RecursionError:
        fail("not a JSON array of records: nested too deeply")
    answer = _answerer()
    answers = [answer(record, f"record {number}") for number, record in enumerate(records, start=1)]
    sys.stdout.buffer.write(b"[\n" + b",\n".join(answered for answered, _ in answers) + b"\n]\n")
    sys.stdout.buffer.flush()
    return max((outcome for _, outcome in answers), default=DONE)


Answerer = Callable[[bytes | msgspec.Raw, str], tuple[bytes, int]]
"""Takes a record and its position, and returns the encoded answer and the exit status."""


def _answerer() -> Answerer:
    """The function that answers each record; play is imported here, so that other verbs start without it."""
    from baccarat.play import record  # noqa: PLC0415

    encode, read, settle_record = msgspec.json.Encoder().encode, record.read, record.settle_record

    def answer(line: bytes | msgspec.Raw, where: str) -> tuple[bytes, int]:
        try:
            answered = settle_record(read(line), encoded=True)
        except record.UnreadableRecord as error:
            name = record.id_of(line)
            complain(f"{where}, id {name}: {error}")
            return encode({"id": name, "unreadable": str(error)}), FAULT
        if "differs" in answered:
            for difference in answered["differs"]:
                complain(f"{where}, id {answered['id']}: {difference}")
            return encode(answered), REFUSED
        return encode(answered), REFUSED if "refused" in answered else DONE

    return answer
