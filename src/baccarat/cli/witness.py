"""`baccarat witness`: a second party that cosigns journals which only grow, through a folder."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from baccarat.cli.journal_files import exit_on_misread, exit_on_write_error, read_signer, read_verifiers
from baccarat.cli.option import JSON, option
from baccarat.cli.output import FAULT, REFUSED, complain, exit_on, fail, put_json, put_line
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import KeyKind, MissingCryptography, Signer, Verifier
from baccarat.record.note import UnreadableNote
from baccarat.record.text import visible
from baccarat.record.witness import COSIGNED, REASONS, Witness, WitnessAnswer, read_request
from baccarat.record.witness_folder import (
    FolderMemory,
    UnreadableMemory,
    UnusableRequest,
    put_answer,
    remove_old_answers,
    unanswered_requests,
)


def witness(
    folder: Path | None = typer.Argument(
        None, help="The folder in which logs put their requests (baccarat journal cosign); or --listen."
    ),
    key: Path = option("--key", "FILE", "The witness's secret key.", default=...),
    log: list[str] = option("--log", "KEY", "A log's public key, or a file with some. Repeatable.", default=...),
    memory: Path | None = option(
        "--memory", "FOLDER", "Where it stores what it cosigned; by default KEY.memory next to its key."
    ),
    listen: str | None = option(
        "--listen", "HOST:PORT", "Answer over HTTP instead, at /add-checkpoint, until interrupted."
    ),
    json: bool = JSON,
) -> None:
    """Answer every request in a folder once: cosign checkpoints of journals that only grew.

    With --listen it answers over HTTP instead, which is how a served house asks it.

    It remembers the last checkpoint that it cosigned for each log, never goes back, and saves both checkpoints of a log
    that contradicts itself as evidence. No one else may be able to write to its memory, or to read its key. Status 0 if
    every request was cosigned, 1 if it refused something, 2 if its key, its memory or a log's key is unreadable, or
    something in the folder could not be answered: that is named, and the rest is answered nevertheless.
    Example: baccarat witness exchange --key surveillance.key --log t1.pub
    """
    signer = read_signer(key, KeyKind.WITNESS)
    memory_path = memory or key.with_name(f"{key.name}.memory")
    if (folder is None) == (listen is None):
        fail("expected a folder, or --listen to answer over HTTP, not both")
    if folder is None:
        assert listen is not None, "checked just before"
        _serve(listen, signer, log, memory_path)
        return
    found, evidence = _answer_folder(folder, signer, log, memory_path)
    if json:
        put_json({"answers": found, "evidence": list(map(str, evidence))})
    else:
        _show(found, evidence)
    if any(each["unusable"] for each in found):
        raise typer.Exit(FAULT)
    if any(each["status"] not in (None, COSIGNED) for each in found):
        raise typer.Exit(REFUSED)


def _answer_folder(
    folder: Path, signer: Signer, logs: list[str], memory_path: Path
) -> tuple[list[dict[str, Any]], list[Path]]:
    """Answer the requests in a folder: every request with its answer, and the evidence against logs."""
    if not folder.is_dir():
        fail(f"{folder}: is not a folder")
    if memory_path.resolve().is_relative_to(folder.resolve()):
        fail(f"{memory_path}: is in the folder of the requests, where a log could change what the witness remembers")
    kept = FolderMemory(memory_path, signer.verifier)
    with exit_on_write_error(memory_path), kept.locked():
        found = _answers(folder, Witness(signer, _keys_by_name(read_verifiers(logs, KeyKind.LOG)), kept))
    return found, sorted(kept.accused)


def _serve(listen: str, signer: Signer, logs: list[str], memory_path: Path) -> None:
    """Answer over HTTP until interrupted."""
    from baccarat.record.witness_http import PATH, WitnessServer  # noqa: PLC0415

    host, colon, port = listen.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        fail(f"--listen {listen!r}: expected HOST:PORT, such as 127.0.0.1:8415")
    kept = FolderMemory(memory_path, signer.verifier)
    witness = Witness(signer, _keys_by_name(read_verifiers(logs, KeyKind.LOG)), kept)
    with exit_on_write_error(memory_path), kept.locked():
        try:
            server = WitnessServer((host, int(port)), witness)
        except OSError as error:
            fail(f"--listen {listen}: cannot listen there: {error.strerror}")
        try:  # a reader of the address may interrupt it immediately
            put_line(f"{signer.verifier.name} answers at http://{host}:{server.server_port}{PATH}")
            server.serve()
        except KeyboardInterrupt:
            return
        except (UnreadableMemory, MissingCryptography, OSError) as error:
            fail(str(error))
        finally:
            server.server_close()


def _keys_by_name(keys: list[Verifier]) -> dict[str, list[Verifier]]:
    return {key.name: [each for each in keys if each.name == key.name] for key in keys}


def _answers(folder: Path, witness: Witness) -> list[dict[str, Any]]:
    """Every request without an answer yet, now answered, and those that could not be."""
    with exit_on_misread(folder):
        found = [_unanswered_row(name, why) for name, why in remove_old_answers(folder)]
        requests = unanswered_requests(folder)
    while (request := _next_request(requests, folder)) is not None:
        name, data = request
        if not isinstance(data, bytes):
            found.append(_unanswered_row(name, data))
            continue
        with exit_on(UnreadableMemory, MissingCryptography):
            answer = witness.answer(data, now=int(time.time()))
        try:
            put_answer(folder, name, answer)
        except OSError as error:  # the answer is stored, and the log will ask again
            found.append(_unanswered_row(name, UnusableRequest(f"its answer cannot be written: {error.strerror}")))
            continue
        found.append({"request": name, **_answer_row(data, answer), "unusable": False})
    return found


def _next_request(
    requests: Iterator[tuple[str, bytes | UnusableRequest | None]], folder: Path
) -> tuple[str, bytes | UnusableRequest | None] | None:
    """The next request; they are read one by one, because there may be any number."""
    with exit_on_misread(folder):
        return next(requests, None)


def _unanswered_row(name: str, why: UnusableRequest | None) -> dict[str, Any]:
    say = "not complete yet" if why is None else why.say
    shown = {"request": visible(name), "status": None, "say": say, "origin": None, "size": None}
    return {**shown, "unusable": why is not None}


def _answer_row(data: bytes, answer: WitnessAnswer) -> dict[str, Any]:
    try:
        asked = read_checkpoint(read_request(data).note)
        of, size = asked.origin, asked.size
    except UnreadableNote:
        of, size = None, None
    if answer.status == COSIGNED:
        say = "cosigned"
    elif answer.known_size is not None:
        say = f"refused: last cosigned at {answer.known_size} records"
    else:
        say = f"refused ({REASONS[answer.status]}): {answer.body.strip()}"
    return {"status": answer.status, "say": say, "origin": of, "size": size}


def _show(found: list[dict[str, Any]], evidence: list[Path]) -> None:
    for each in (each for each in found if not each["unusable"]):
        what = f"{each['origin']}, {each['size']} records" if each["origin"] else "a request"
        put_line(f"{each['request'][:12]}  {what}: {each['say']}")
    for each in found:
        if each["unusable"]:
            complain(f"{each['request']}: could not be answered: {each['say']}")
    for path in evidence:
        complain(f"evidence against a log is stored: {path}")
    if not found:
        put_line("no requests")
