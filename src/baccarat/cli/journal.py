"""`baccarat run` and `baccarat transcript`: a table driven by a script, and its journal told as a story."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import typer
from typer.core import TyperCommand

from baccarat.cli.lines import lines, named, read_header
from baccarat.cli.out import (
    DONE,
    EDITIONS,
    FAULT,
    JSON,
    REFUSED,
    complain,
    console,
    fail,
    know,
    line,
    put_json,
)
from baccarat.law.rulebook import Rulebook
from baccarat.record.line import UnreadableLine, decode_object
from baccarat.record.text import visible
from baccarat.table.base import Event, StepBegan

HEADER = 1
"""The version of the journal's form."""


def run(
    script: str = typer.Argument(
        None, help="Commands as JSON lines, or - for standard input; with --commands, the name of one command."
    ),
    commands: bool = typer.Option(
        False, "--commands", help="Tell the commands instead: who may give each, at which steps, with which fields."
    ),
    edition: list[Path] = EDITIONS,
    json: bool = typer.Option(False, "--json", help="With --commands, print JSON; the journal is JSON always."),
) -> None:
    """Run a script of commands through a table; events and refusals come out, one JSON object a line.

    The first line names the rules: {"submission": "ma-midi-4"}. Every other line is a command:
    {"do": "sit", "seat": 3, "who": "A. Patron"}. What comes out is a journal that baccarat transcript tells.
    Status 1 if a command was refused, 2 if a line was unreadable; the others are run all the same.
    Examples: baccarat run dispute.jsonl > journal.jsonl · baccarat run --commands · baccarat run --commands sit
    """
    know(edition)
    if commands:
        _tell_commands(script, json=json)
        return
    if script is None:
        fail("no script: name a file of commands, or - for standard input; see baccarat run --commands", FAULT)
    raise typer.Exit(_run(script))


class RunCommand(TyperCommand):
    """`baccarat run`, whose help ends with every command that a script may hold."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help, and the commands after it."""
        super().format_help(ctx, formatter)
        _tell_commands(None, json=False)


def _run(script: str) -> int:
    from baccarat.play.refusal import Refused  # noqa: PLC0415
    from baccarat.record.wire import read_command, write_refused  # noqa: PLC0415
    from baccarat.table.machine import Table  # noqa: PLC0415

    coming = lines(script)
    first = next(coming, None)
    if first is None:
        fail("the script is empty; its first line names the rules, the others are commands", FAULT)
    rules = read_header(script, *first)
    table, status = Table(rules), DONE
    submission = {"ruleset": rules.edition.name, **rules.stated}
    _put({"journal": HEADER, "rulebook": rules.hash, "submission": submission})
    for number, text in coming:
        try:
            command, beside = read_command(text, wagers=rules.edition.wagers)
        except UnreadableLine as error:
            complain(f"{named(script)}: line {number}: {error}")
            _put({"line": number, "unreadable": str(error)})
            status = FAULT
            continue
        outcome = table.do(command, beside.envelope(table.state, command).actor)
        if isinstance(outcome, Refused):
            _put({"line": number, "refused": write_refused(outcome)})
            status = max(status, REFUSED)
        else:
            _put(*outcome.events)
    return status


def _put(*answers: Any) -> None:
    """Answer at once: somebody may be typing."""
    sys.stdout.buffer.write(b"".join(msgspec.json.encode(answer) + b"\n" for answer in answers))
    sys.stdout.buffer.flush()


def _tell_commands(name: str | None, *, json: bool) -> None:
    from baccarat.cli.commands import (  # noqa: PLC0415
        LEGEND,
        Description,
        Field,
        descriptions,
        fields_beside,
        form_fields,
        second_person_fields,
    )
    from baccarat.law.error import nearest  # noqa: PLC0415

    found = [each for each in descriptions() if name in (None, each.name)]
    if not found:
        hint = nearest(name or "", [each.name for each in descriptions()])
        fail(f"no command {name!r}" + (f"; did you mean {hint!r}?" if hint else ""), FAULT)
    if json:
        put_json(found if name is None else found[0])
        return

    def show(command: Description) -> None:
        console.print(line((command.name, "bold"), f"  {command.summary}"))
        at = ", ".join(command.steps).replace("_", " ") or "any step"
        console.print(line((f"  by {', '.join(command.by)} · at {at}", "dim")))
        for field in command.fields:
            show_field(field)

    def show_field(field: Field) -> None:
        default = "" if field.required else f" ({_default(field.default)})"
        console.print(line(f"    {field.name:<14} {field.type}{default}: {field.meaning}"))

    for command in found:
        show(command)
    console.print(line(("beside any command", "bold")))
    for field in fields_beside():
        show_field(field)
    console.print(line(("an approval", "bold")))
    for field in second_person_fields():
        show_field(field)
    typed = {field.type.removeprefix("list of ").rstrip("s") for command in found for field in command.fields}
    console.print(line(("what is typed", "bold")))
    for word, text in LEGEND.items():
        if word in typed:
            console.print(line(f"  {word:<8} {text.replace('`', '')}"))
    if "form" in typed:
        for field in form_fields():
            show_field(field)


def _default(value: Any) -> str:
    return "none" if value is None else msgspec.json.encode(value).decode()


# ----------------------------------------------------------------------------------------- transcript


class Told(NamedTuple):
    """One line of a journal: its number, and what it tells: an event, or a sentence with its clauses."""

    number: int
    event: Event | None = None
    say: str = ""
    cites: tuple[str, ...] = ()


def transcript(
    journal: str = typer.Argument(..., help="A journal as baccarat run writes it, or - for standard input."),
    numbers: bool = typer.Option(False, "--numbers", help="Number the events, as corrections name them."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Tell a journal as a story in plain words, every sentence with its clauses.

    Every event is derived anew. What stands before the first line that cannot have happened (status 1), or that
    cannot be read (status 2), is told. Example: baccarat run dispute.jsonl | baccarat transcript -
    """
    know(edition)
    coming = lines(journal)
    first = next(coming, None)
    if first is None:
        fail("the journal is empty; baccarat run writes one", FAULT)
    rules = read_header(journal, *first)
    told, wrong, status = _read(rules, coming)
    impossible = _impossible(rules, told, whole=not wrong)
    if impossible is not None:
        number, wrong, status = impossible
        told = [each for each in told if each.number < number]
    sentences = list(_sentences(told))
    if json:
        put_json(sentences if not wrong else [*sentences, {"wrong": wrong}])
    else:
        _show(rules, sentences, numbers=numbers)
    if wrong:
        fail(f"{named(journal)}: {wrong}", status)


def _read(rules: Rulebook, coming: Iterable[tuple[int, bytes]]) -> tuple[list[Told], str, int]:
    """The lines of a journal up to the first that cannot be read, what is wrong with that one, and the status."""
    told: list[Told] = []
    for number, text in coming:
        try:
            told.append(_told(rules, number, decode_object(text)))
        except UnreadableLine as error:
            return told, f"line {number}: {error}", FAULT
    return told, "", DONE


class _RefusedLine(msgspec.Struct, forbid_unknown_fields=True):
    line: int
    refused: dict[str, Any]


class _UnreadableLine(msgspec.Struct, forbid_unknown_fields=True):
    line: int
    unreadable: str


def _told(rules: Rulebook, number: int, value: dict[str, Any]) -> Told:
    """One line of a journal."""
    from baccarat.record.wire import read_event, read_refused  # noqa: PLC0415

    try:
        if "refused" in value:
            refused = read_refused(msgspec.convert(value, _RefusedLine).refused)
            known = {f"{rules.edition.name} §{clause.paragraph}" for clause in rules.edition.clauses.values()}
            cites = tuple(map(str, refused.cites))
            unknown = next((cite for cite in cites if cite not in known), None)
            if unknown is not None:
                raise UnreadableLine(f"a refusal cites {unknown!r}, which {rules.edition.name} does not have")
            return Told(number, say=f"Refused: {refused.say}.", cites=cites)
        if "unreadable" in value:
            return Told(number, say=f"Unreadable: {msgspec.convert(value, _UnreadableLine).unreadable}.")
    except msgspec.ValidationError as error:
        raise UnreadableLine(f"no answer of a table: {error}; expected line and refused or unreadable") from None
    return Told(number, event=read_event(value))


def _impossible(rules: Rulebook, told: list[Told], *, whole: bool) -> tuple[int, str, int] | None:
    """The number of the first line that cannot have happened, what is wrong, and the status."""
    from baccarat.table.check import first_impossible  # noqa: PLC0415

    numbers = [each.number for each in told if each.event is not None]
    found = first_impossible(rules, [each.event for each in told if each.event is not None])
    if found is None or (found.breaks_off and not whole):
        return None
    if found.breaks_off:
        end = told[-1].number
        return end + 1, f"line {end + 1} is missing: {found.say}", FAULT
    number = numbers[found.at]
    return number, f"line {number} cannot have happened: {found.say}", REFUSED


def _sentences(told: Iterable[Told]) -> Iterator[dict[str, Any]]:
    from baccarat.table.story import tell  # noqa: PLC0415

    count = 0
    for each in told:
        if each.event is None:
            yield {"line": each.number, "say": visible(each.say), "cites": list(each.cites)}
            continue
        cites = [] if isinstance(each.event, StepBegan) else list(each.event.cites)
        yield {"line": each.number, "event": count, "say": visible(tell(each.event)), "cites": cites}
        count += 1


def _show(rules: Rulebook, sentences: Iterable[dict[str, Any]], *, numbers: bool) -> None:
    console.print(line((rules.edition.title, "bold"), "  ", (f"rulebook {rules.hash[:16]}…", "dim")))
    for sentence in sentences:
        number = f"{sentence.get('event', ''):>4}  " if numbers else ""
        cites = f"  {', '.join(sentence['cites'])}" if sentence["cites"] else ""
        console.print(line((number, "dim"), sentence["say"], (cites, "dim")))
