"""`baccarat witness`: a second party that cosigns journals which only grow, through a folder."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from baccarat.cli.journal_files import (
    exit_on_misread,
    exit_on_write_error,
    read_share_signer,
    read_signer,
    read_verifiers,
)
from baccarat.cli.option import JSON, option
from baccarat.cli.output import FAULT, REFUSED, complain, exit_on, fail, put_json, put_line
from baccarat.record import durable
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import KeyKind, MissingCryptography, Signer, Verifier
from baccarat.record.note import UnreadableNote
from baccarat.record.share import ShareSigner
from baccarat.record.text import visible
from baccarat.record.witness import OK, REASONS, Witness, WitnessAnswer, WitnessStopped, read_request
from baccarat.record.witness_folder import (
    FolderMemory,
    UnusableRequest,
    put_answer,
    remove_old_answers,
    unanswered_requests,
)
from baccarat.record.witness_share import ShareWitness

FOLDER = typer.Argument(
    None, help="The folder in which logs put their requests (baccarat journal cosign); or --listen."
)
KEY = option("--key", "FILE", "The witness's secret key.", default=...)
LOGS = option("--log", "KEY", "A log's public key, or a file with some. Repeatable.", default=[])
HOUSES = option(
    "--house", "KEY", "A house's public key, or a file with some: every stream of it is watched.", default=[]
)
MEMORY = option("--memory", "FOLDER", "Where it stores what it cosigned; by default KEY.memory next to its key.")
LISTEN = option("--listen", "HOST:PORT", "Answer over HTTP instead, and give shares in orders, until interrupted.")
ADMIT = option(
    "--admit", "LOG", "Watch this successor of a log, such as example.org/house/table/1/2, instead of the log."
)


def witness(
    folder: Path | None = FOLDER,
    key: Path = KEY,
    log: list[str] = LOGS,
    house: list[str] = HOUSES,
    memory: Path | None = MEMORY,
    listen: str | None = LISTEN,
    admit: str | None = ADMIT,
    json: bool = JSON,
) -> None:
    """Answer every request in a folder once: cosign checkpoints of journals that only grew.

    With --listen it answers over HTTP instead, which is how a served house asks it. There it also gives its shares in
    the order of electronic shoes, signed by a second key, KEY.share, which is made if there is none, and printed.

    It remembers the last checkpoint that it cosigned for each log, never goes back, and saves both checkpoints of a
    self-contradicting log as evidence. No one else may be able to write to its memory, or to read its keys. If it is
    shown a cosignature of its own that it does not remember, it stops, and cannot be restarted with that memory.

    A log that has lost cosigned records continues under a successor's name, such as example.org/house/table/1/2, which
    --admit admits. Compare the opening of the new log with the checkpoint that --admit prints: the last one that the
    witness cosigned under the old name, which it refuses from then on.

    Status 0 if every request was cosigned, 1 if it refused something, 2 if its key, its memory or a log's key is
    unreadable, or a request in the folder could not be answered: the problem is named, and the remaining requests are
    still answered.
    Examples: baccarat witness exchange --key surveillance.key --log t1.pub ·
    baccarat witness --listen 127.0.0.1:8415 --key surveillance.key --house house.pub
    """
    signer = read_signer(key, KeyKind.WITNESS)
    memory_path = memory or key.with_name(f"{key.name}.memory")
    if sum(given is not None for given in (folder, listen, admit)) != 1:
        fail("expected one of these: a folder, --listen to answer over HTTP, --admit to admit the successor of a log")
    folder_memory = FolderMemory(memory_path, signer.verifier)
    logs, houses = read_verifiers(log, KeyKind.LOG), read_verifiers(house, KeyKind.LOG)
    if not logs and not houses:
        fail("nothing to watch: give the key of a log with --log, or that of a house with --house")
    with exit_on(ValueError):
        cosigner = Witness(signer, _keys_by_name(logs), folder_memory, houses=houses)
    if folder is not None:
        _check_folder(folder, memory_path)
    with exit_on_write_error(memory_path), exit_on(WitnessStopped), folder_memory.locked():
        if admit is not None:
            _admit(cosigner, admit, json=json)
        elif listen is not None:
            share_signer = _share_signer(key, signer, folder_memory)
            _serve(listen, cosigner, ShareWitness(cosigner, share_signer, folder_memory), json=json)
        elif folder is not None:
            _answer_folder(folder, cosigner, folder_memory, json=json)


def _check_folder(folder: Path, memory_path: Path) -> None:
    if not folder.is_dir():
        fail(f"{folder}: is not a folder")
    if memory_path.resolve().is_relative_to(folder.resolve()):
        fail(f"{memory_path}: is in the folder of the requests, where a log could change what the witness remembers")


def _answer_folder(folder: Path, witness: Witness, memory: FolderMemory, *, json: bool) -> None:
    """Answer the requests in a folder, and show every request with its answer, and the evidence against logs."""
    found = _answers(folder, witness)
    evidence = sorted(memory.accused)
    if json:
        put_json({"answers": found, "evidence": list(map(str, evidence))})
    else:
        _show(found, evidence)
    if any(each["unusable"] for each in found):
        raise typer.Exit(FAULT)
    if any(each["status"] not in (None, OK) for each in found):
        raise typer.Exit(REFUSED)


def _admit(witness: Witness, successor: str, *, json: bool) -> None:
    """Admit the successor of a log; prints the checkpoint that its opening must name."""
    try:
        last = witness.admit(successor)
    except WitnessStopped:
        raise
    except ValueError as error:
        fail(str(error), REFUSED)
    before = None if last is None else bytes(last).decode()
    if json:
        put_json({"admitted": successor, "last_cosigned": before})
        return
    put_line(before or "nothing of the log before it was cosigned\n")
    put_line(f"{successor} is watched from now on, and the log before it no longer")


def _share_signer(key: Path, signer: Signer, memory: FolderMemory) -> ShareSigner:
    """The share key next to the key of a witness; it is made if no share was opened yet."""
    path = key.with_name(f"{key.name}.share")
    if path.exists():
        return read_share_signer(path)
    if memory.has_shares:
        fail(f"{path}: is missing, but shares were opened with it; restore it, or give the witness a new key and name")
    with exit_on(MissingCryptography):
        made = ShareSigner.create(signer.verifier.name)
    with exit_on_write_error(path):
        durable.create(path, made.text.encode(), mode=0o600)
    return made


def _serve(listen: str, witness: Witness, shares: ShareWitness, *, json: bool) -> None:
    """Answer over HTTP until interrupted."""
    from baccarat.record.witness_http import WitnessServer  # noqa: PLC0415

    host, colon, port = listen.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        fail(f"--listen {listen!r}: expected HOST:PORT, such as 127.0.0.1:8415")
    try:
        server = WitnessServer((host, int(port)), witness, shares)
    except OSError as error:
        fail(f"--listen {listen}: cannot listen there: {error.strerror}")
    try:  # a reader of the address may interrupt it immediately
        address = f"http://{host}:{server.server_port}"
        if json:
            put_json({"address": address, "key": str(witness.verifier), "share_key": str(shares.verifier)})
        else:
            put_line(f"{witness.verifier.name} answers at {address}")
            put_line(f"share key: {shares.verifier}")
            put_line(f"its line in the file witness_keys of a house: {witness.verifier} {address} {shares.verifier}")
        sys.stdout.flush()
        server.serve()
    except KeyboardInterrupt:
        return
    except (WitnessStopped, MissingCryptography, OSError) as error:
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
        with exit_on(WitnessStopped, MissingCryptography):
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
    if answer.status == OK:
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
