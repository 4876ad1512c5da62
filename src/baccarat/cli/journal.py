"""`baccarat run` and `baccarat transcript`: a table driven by a script, and its journal told as a story."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import typer

from baccarat.cli.out import DONE, EDITIONS, FAULT, JSON, REFUSED, console, errors, fail, know, plain, put_json
from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook, rulebook

HEADER = 1
"""The version of the journal's form."""


def _lines(source: str) -> Iterator[tuple[int, bytes]]:
    try:
        text = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        fail(f"{source}: cannot be read: {error.strerror}", FAULT)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, line


def _header(line: bytes, number: int) -> Rulebook:
    try:
        header = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        fail(f"line {number}: not JSON: {error}", FAULT)
    submission = header.get("submission") if isinstance(header, dict) else None
    if not isinstance(submission, str | dict):
        fail(
            f'line {number}: expected {{"submission": …}}, the name of a Submission or its table, in the first line',
            FAULT,
        )
    rules = rulebook(submission)
    stated = header.get("rulebook")
    if stated is not None and stated != rules.hash:
        fail(f"line {number}: the journal was kept under rulebook {stated}, this Submission gives {rules.hash}", FAULT)
    return rules


def run(
    script: str = typer.Argument(..., help="Commands as JSON lines, or - for standard input."),
    edition: list[Path] = EDITIONS,
    json: bool = typer.Option(True, "--json", help="Always so: this verb speaks JSON."),
) -> None:
    """Run a script of commands through a table; events and refusals come out, one JSON object a line.

    The first line names the rules: {"submission": "ma-midi-4"}. What comes out is a journal that
    baccarat transcript tells. Example: baccarat run dispute.jsonl > journal.jsonl
    """
    from baccarat.play.refusal import Refused  # noqa: PLC0415
    from baccarat.table.machine import COMMAND_DECODER, Table  # noqa: PLC0415

    del json
    know(edition)
    lines = _lines(script)
    first = next(lines, None)
    if first is None:
        fail("the script is empty; its first line names the rules, the others are commands", FAULT)
    rules = _header(first[1], first[0])
    table, status, out = Table(rules), DONE, sys.stdout.buffer
    submission = {"ruleset": rules.edition.name, **rules.stated}
    out.write(msgspec.json.encode({"journal": HEADER, "rulebook": rules.hash, "submission": submission}) + b"\n")
    for number, line in lines:
        try:
            command = COMMAND_DECODER.decode(line)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            errors.print(f"[bold red]baccarat:[/] line {number}: {plain(str(error))}")
            out.write(msgspec.json.encode({"line": number, "unreadable": str(error)}) + b"\n")
            status = FAULT
            continue
        outcome = table.do(command)
        if isinstance(outcome, Refused):
            refused = {"code": outcome.code.value, "say": outcome.say, "cites": [str(cite) for cite in outcome.cites]}
            out.write(msgspec.json.encode({"line": number, "refused": refused}) + b"\n")
            status = max(status, REFUSED)
        else:
            for event in outcome.events:
                out.write(msgspec.json.encode(event) + b"\n")
    out.flush()
    raise typer.Exit(status)


def transcript(
    journal: str = typer.Argument(..., help="A journal as baccarat run writes it, or - for standard input."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Tell a journal as a story in plain words, every sentence with its clauses.

    Example: baccarat run dispute.jsonl | baccarat transcript -
    """
    know(edition)
    lines = _lines(journal)
    first = next(lines, None)
    if first is None:
        fail("the journal is empty", FAULT)
    rules = _header(first[1], first[0])
    told = list(_told(rules, lines))
    if json:
        put_json(told)
        return
    console.print(f"[bold]{plain(rules.edition.title)}[/]  [dim]rulebook {rules.hash[:16]}…[/]")
    for sentence in told:
        cites = f"  [dim]{plain(', '.join(sentence['cites']))}[/]" if sentence["cites"] else ""
        console.print(f"{plain(sentence['say'])}{cites}")


def _told(rules: Rulebook, lines: Iterator[tuple[int, bytes]]) -> Iterator[dict[str, Any]]:
    from baccarat.table.base import StepBegan  # noqa: PLC0415
    from baccarat.table.machine import EVENT_DECODER, begin, evolve  # noqa: PLC0415
    from baccarat.table.story import tell  # noqa: PLC0415

    state = begin(rules)
    for number, line in lines:
        other = msgspec.json.decode(line)
        if "refused" in other:
            refused = other["refused"]
            yield {"say": f"Refused: {refused['say']}.", "cites": refused["cites"]}
            continue
        if "unreadable" in other:
            yield {"say": f"Unreadable: {other['unreadable']}.", "cites": []}
            continue
        try:
            event = EVENT_DECODER.decode(line)
            state = evolve(state, event)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise RulesError(f"line {number}: no event: {error}") from None
        except AssertionError as error:
            raise RulesError(f"line {number}: this event cannot follow those before it: {error}") from None
        yield {"say": tell(event), "cites": [] if isinstance(event, StepBegan) else list(event.cites)}
