"""`baccarat witness`: a second party that cosigns journals which only grow, through a folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import typer

from baccarat.cli.log_files import read_signer, read_verifiers, reading, writing
from baccarat.cli.out import FAULT, JSON, REFUSED, complain, console, fail, line, put_json
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import Kind, MissingCryptography, Verifier
from baccarat.record.note import UnreadableNote
from baccarat.record.witness import COSIGNED, REASONS, Answer, Witness, read_request
from baccarat.record.witness_folder import (
    FolderMemory,
    UnreadableMemory,
    put_answer,
    remove_old_answers,
    unanswered,
)


def witness(
    folder: Path = typer.Argument(..., help="The folder in which logs put their requests (baccarat journal cosign)."),
    key: Path = typer.Option(..., "--key", metavar="FILE", help="The witness's secret key."),
    log: list[str] = typer.Option(..., "--log", metavar="KEY", help="A log's public key, or a file with some. Repeat."),
    memory: Path | None = typer.Option(
        None,
        "--memory",
        metavar="FOLDER",
        help="Where it keeps what it cosigned; beside its key, KEY.memory, otherwise.",
    ),
    json: bool = JSON,
) -> None:
    """Answer every request in a folder once: cosign checkpoints of journals that have grown and kept what they had.

    It remembers the last checkpoint that it cosigned for each log, never goes back, and keeps both checkpoints of a log
    that tells two stories as evidence. Nobody else must be able to write to its memory, or to read its key. Status 0 if
    everything asked was cosigned, 1 if it refused something, 2 if its key, its memory or a log's key is unreadable.
    Example: baccarat witness exchange --key surveillance.key --log t1.pub
    """
    signer = read_signer(key, Kind.WITNESS)
    place = memory or key.with_name(f"{key.name}.memory")
    if not folder.is_dir():
        fail(f"{folder}: is no folder", FAULT)
    if place.resolve().is_relative_to(folder.resolve()):
        fail(f"{place}: lies in the folder of the requests, where a log could change what the witness remembers", FAULT)
    kept = FolderMemory(place, signer.verifier)
    with writing(place), kept.locked():
        before = set(kept.accusations())
        found = _answers(folder, Witness(signer, _by_name(read_verifiers(log, Kind.LOG)), kept))
        evidence = [path for path in kept.accusations() if path not in before]
    if json:
        put_json({"answers": found, "evidence": list(map(str, evidence))})
    else:
        _show(found, evidence)
    if any(each["status"] not in (None, COSIGNED) for each in found):
        raise typer.Exit(REFUSED)


def _by_name(keys: list[Verifier]) -> dict[str, list[Verifier]]:
    return {key.name: [each for each in keys if each.name == key.name] for key in keys}


def _answers(folder: Path, witness: Witness) -> list[dict[str, Any]]:
    """Every request that has no answer yet, answered."""
    with writing(folder):
        remove_old_answers(folder)
    found: list[dict[str, Any]] = []
    for name, data in _requests(folder):
        if data is None:
            found.append({"request": name, "status": None, "say": "not whole yet", "origin": None, "size": None})
            continue
        try:
            answer = witness.answer(data, now=int(time.time()))
        except (UnreadableMemory, MissingCryptography) as error:
            fail(str(error), FAULT)
        with writing(folder):
            put_answer(folder, name, answer)
        found.append({"request": name, **_told(data, answer)})
    return found


def _requests(folder: Path) -> list[tuple[str, bytes | None]]:
    with reading(folder):
        return list(unanswered(folder))


def _told(data: bytes, answer: Answer) -> dict[str, Any]:
    try:
        asked = read_checkpoint(read_request(data).note)
        of, size = asked.origin, asked.size
    except UnreadableNote:
        of, size = None, None
    if answer.status == COSIGNED:
        say = "cosigned"
    elif answer.known_size is not None:
        say = f"refused: cosigned last were {answer.known_size} records"
    else:
        say = f"refused ({REASONS[answer.status]}): {answer.body.strip()}"
    return {"status": answer.status, "say": say, "origin": of, "size": size}


def _show(found: list[dict[str, Any]], evidence: list[Path]) -> None:
    for each in found:
        what = f"{each['origin']}, {each['size']} records" if each["origin"] else "a request"
        console.print(line(f"{each['request'][:12]}  {what}: {each['say']}"))
    for path in evidence:
        complain(f"evidence against a log is kept: {path}")
    if not found:
        console.print(line("nothing is asked"))
