"""`baccarat run`: a table run by a script of commands, which may be recorded in a journal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.padding import Padding
from typer.core import TyperCommand

from baccarat.cli.lines import lines, read_header, source_name
from baccarat.cli.option import EDITIONS, JOURNAL, SIGNING_KEY, flag, register_editions
from baccarat.cli.output import DONE, FAULT, REFUSED, complain, console, fail, put_json, put_line
from baccarat.cli.same_file import keep_sources
from baccarat.record.line import UnreadableLine


def run(
    script: str = typer.Argument(
        None, help="Commands as JSON lines, or - for standard input; with --commands, the name of one command."
    ),
    commands: bool = flag(
        "--commands", "List the commands instead: who may give each, at which steps, with which fields."
    ),
    edition: list[Path] = EDITIONS,
    journal: Path | None = JOURNAL,
    key: Path | None = SIGNING_KEY,
    json: bool = flag("--json", "With --commands, print JSON; the answers are always JSON."),
) -> None:
    """Run a script of commands at a table; prints events and refusals, one JSON object per line.

    The first line names the rules: {"submission": "ma-midi-4"}; it may state the kind of table, "cards": "real",
    "electronic" or "automated", and for the last two "witnesses": the share keys of those who have a share in its
    orders, sorted; none if left out. Every other line is a command: {"do": "sit", "seat": 3, "who": "A. Patron"}. It
    prints each command as understood, then its events or its refusal; baccarat transcript prints them as a story. With
    --journal every act is also written to disk, chained by hashes, before it is answered; names and remarks are then
    stored in FILE.names, and the journal and the answers have ids in their place. A command with an "id" takes effect
    once: sent again, it is answered as before.
    Status 1 if a command was refused, 2 if a line was unreadable; the other lines are still run.
    Examples: baccarat run dispute.jsonl --journal table.jsonl · baccarat run --commands sit
    """
    register_editions(edition)
    if commands:
        _tell_commands(script, json=json)
        return
    if script is None:
        fail("no script: name a file of commands, or - for standard input; see baccarat run --commands")
    keep_sources(journal, [script, key, *(edition or [])])
    raise typer.Exit(_run(script, journal, key))


class RunCommand(TyperCommand):
    """`baccarat run`, whose help ends with the name of every command that a script may hold."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help, followed by the names of the commands."""
        from baccarat.cli.command_list import descriptions  # noqa: PLC0415

        super().format_help(ctx, formatter)
        names = ", ".join(each.name for each in descriptions())
        told = f"Commands (--commands NAME shows the fields of one, --commands all of them): {names}."
        console.print(Padding(told, (0, 1)), soft_wrap=False)


COMMAND = RunCommand


def _run(script: str, journal: Path | None, key: Path | None) -> int:
    from baccarat.cli.journal_table import open_journaled_table, table_header  # noqa: PLC0415
    from baccarat.engine.run_answers import header, plain_command  # noqa: PLC0415
    from baccarat.record.journal_file import TooLong  # noqa: PLC0415
    from baccarat.record.wire import read_command, write_refused  # noqa: PLC0415
    from baccarat.table.table_cards import cards_text  # noqa: PLC0415
    from baccarat.table.witness_keys import witnesses_text  # noqa: PLC0415

    coming = lines(script)
    first = next(coming, None)
    if first is None:
        fail("the script is empty; its first line names the rules, the others are commands")
    rules, said = read_header(script, *first), table_header(first[1])
    status = DONE
    with open_journaled_table(
        journal, rules, table=said.table, key=key, cards=said.cards, witnesses=said.witnesses
    ) as table:
        if said.cards is not msgspec.UNSET and table.state.cards is not said.cards:
            held, wanted = cards_text(table.state.cards), cards_text(said.cards)
            fail(f"the first line: cards: the table of {journal} was opened as {held}, not as {wanted}")
        if said.witnesses is not msgspec.UNSET and table.state.witnesses != said.witnesses:
            held, wanted = witnesses_text(table.state.witnesses), witnesses_text(said.witnesses)
            fail(f"the first line: witnesses: the table of {journal} was opened with {held}, not with {wanted}")
        _write_answers(header(rules, table))
        for number, text in coming:
            try:
                command, beside = read_command(text, wagers=table.rules.edition.wagers)
                command, envelope = table.hidden(command, beside.envelope(table.state, command))
                if envelope.id and not beside.who:
                    envelope = table.as_sent_before(command, envelope)
                kept = table.enter(command, envelope)
            except (UnreadableLine, TooLong) as error:
                complain(f"{source_name(script)}: line {number}: {error}")
                _write_answers({"line": number, "unreadable": str(error)})
                status = FAULT
                continue
            _write_answers(plain_command(number, command, envelope, is_repeat=kept.is_repeat))
            if kept.refused is None:
                _write_answers(*kept.events)
            else:
                _write_answers({"line": number, "refused": write_refused(kept.refused)})
                status = max(status, REFUSED)
    return status


def _write_answers(*answers: Any) -> None:
    """Write answers immediately: a person may be typing."""
    sys.stdout.buffer.write(b"".join(msgspec.json.encode(answer) + b"\n" for answer in answers))
    sys.stdout.buffer.flush()


def _tell_commands(name: str | None, *, json: bool) -> None:
    from baccarat.cli.command_list import LEGEND, Description, descriptions  # noqa: PLC0415
    from baccarat.law.error import nearest  # noqa: PLC0415
    from baccarat.record.field import CommandField, fields_of  # noqa: PLC0415
    from baccarat.record.wire import LineEnvelope, SecondPerson  # noqa: PLC0415
    from baccarat.table.vigorish_form import ComplimentaryForm  # noqa: PLC0415

    found = [each for each in descriptions() if name in (None, each.name)]
    if not found:
        hint = nearest(name or "", [each.name for each in descriptions()])
        fail(f"no command {name!r}" + (f"; did you mean {hint!r}?" if hint else ""))
    if json:
        put_json(found if name is None else found[0])
        return

    def show(command: Description) -> None:
        put_line((command.name, "bold"), f"  {command.summary}")
        at = ", ".join(command.steps).replace("_", " ") or "any step"
        put_line((f"  by {', '.join(command.by)} · at {at}", "dim"))
        for field in command.fields:
            show_field(field)

    def show_field(field: CommandField) -> None:
        default = "" if field.required else f" ({_default(field.default)})"
        put_line(f"    {field.name:<14} {field.type}{default}: {field.meaning}")

    for command in found:
        show(command)
    for heading, kind in (("with any command", LineEnvelope), ("an approval", SecondPerson)):
        put_line((heading, "bold"))
        for field in fields_of(kind):
            show_field(field)
    typed = {field.type.removeprefix("list of ").rstrip("s") for command in found for field in command.fields}
    put_line(("types", "bold"))
    for word, text in LEGEND.items():
        if word in typed:
            put_line(f"  {word:<8} {text.replace('`', '')}")
    if "form" in typed:
        for field in fields_of(ComplimentaryForm):
            show_field(field)


def _default(value: Any) -> str:
    return "none" if value is None else msgspec.json.encode(value).decode()
