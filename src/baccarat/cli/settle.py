"""`baccarat settle`: round records in, settled rounds out, one JSON object a line."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec
import typer

from baccarat.cli.lines import standard_input
from baccarat.cli.out import DONE, EDITIONS, FAULT, REFUSED, complain, fail, know

BOM = b"\xef\xbb\xbf"
ENOUGH = 1 << 16
"""Bytes gathered before they are written."""


def settle(
    records: str = typer.Argument(..., metavar="RECORDS", help="A file of round records, or - for standard input."),
    edition: list[Path] = EDITIONS,
    json: bool = typer.Option(True, "--json", help="Always so: this verb speaks JSON."),
) -> None:
    """Settle round records, one JSON object a line (or one JSON array), to the cent.

    Each record is answered in its place: settled with its clauses, refused with the clause, or unreadable
    with the field. What a record expects of its answer is compared, and each difference told. Example:
    baccarat settle rounds.jsonl > settled.jsonl
    """
    del json
    know(edition)
    if records == "-":
        raise typer.Exit(_settle(standard_input()))
    try:
        stream = Path(records).open("rb")  # noqa: SIM115  closed below, so that only opening is blamed on the file
        stream.peek()
    except OSError as error:
        fail(f"{records}: cannot be read: {error.strerror}", FAULT)
    with stream:
        raise typer.Exit(_settle(stream))


def _settle(stream: BinaryIO) -> int:
    """Settle what a stream holds: an array if it begins like one, otherwise lines."""
    lines = enumerate(stream, start=1)
    first = next(((number, line.removeprefix(BOM)) for number, line in lines if line.strip()), None)
    if first is None:
        fail("no records: the input is empty; expected one JSON object a line, or a JSON array", FAULT)
    if first[1].lstrip().startswith(b"["):
        return _settle_array(first[1] + b"".join(line for _, line in lines))
    return _settle_lines(chain([first], lines))


def _settle_lines(lines: Iterable[tuple[int, bytes]]) -> int:
    gc.disable()  # nothing here makes cycles, and looking for them takes a tenth of the time
    status, size, write = DONE, 0, sys.stdout.buffer.write
    gathered: list[bytes] = []
    for number, line in lines:
        if not line.strip():
            continue
        answer, outcome = _answer(line, f"line {number}")
        status = max(status, outcome)
        gathered.append(answer)
        size += len(answer)
        if size > ENOUGH:
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
        fail(f"not a JSON array of records: {error}", FAULT)
    except RecursionError:
        fail("not a JSON array of records: nested too deeply", FAULT)
    answers = [_answer(record, f"record {number}") for number, record in enumerate(records, start=1)]
    sys.stdout.buffer.write(b"[\n" + b",\n".join(answer for answer, _ in answers) + b"\n]\n")
    sys.stdout.buffer.flush()
    return max((outcome for _, outcome in answers), default=DONE)


_ENCODER = msgspec.json.Encoder()


def _answer(line: bytes | msgspec.Raw, where: str) -> tuple[bytes, int]:
    from baccarat.play import record  # noqa: PLC0415

    try:
        answer = record.settle_record(record.read(line))
    except record.UnreadableRecord as error:
        name = record.id_of(line)
        complain(f"{where}, id {name}: {error}")
        return _ENCODER.encode({"id": name, "unreadable": str(error)}), FAULT
    for difference in answer.get("differs", ()):
        complain(f"{where}, id {answer['id']}: {difference}")
    return _ENCODER.encode(answer), REFUSED if "refused" in answer or "differs" in answer else DONE
