"""`baccarat rules new` and `rules new-edition`: a Submission, and an edition, to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from baccarat.cli.option import EDITIONS, JSON, option, register_editions
from baccarat.cli.output import REFUSED, complain, fail, put_json, put_line

TO = option("--to", "FILE", "Write a new file instead of printing; an existing one is not overwritten.")


def new(
    edition_name: str = typer.Argument(..., metavar="EDITION"),
    to: Path | None = TO,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Write a whole Rules Submission to start from: every option explained, the mandatory ones filled in.

    Example: baccarat rules new ma-midi-4 --to my-house.toml
    """
    from baccarat.law.draft import draft_submission  # noqa: PLC0415
    from baccarat.law.edition import load_edition  # noqa: PLC0415

    register_editions(edition)
    law = load_edition(edition_name)
    words = ["baccarat", "rules", "check", "FILE" if to is None else str(to)]
    for path in edition or []:
        words += ["--edition", str(path)]
    draft = draft_submission(law, check_with=shlex.join(words))
    for fault in draft.faults:
        complain(f"fix by hand: {fault}")
    _write_new_file(draft.text, to)
    if json:
        put_json({
            "edition": draft.edition, "file": None if to is None else str(to), "valid": not draft.faults,
            "faults": draft.faults, "options": draft.options, "text": draft.text,
        })  # fmt: skip
    elif to is None:
        typer.echo(draft.text, nl=False)
    else:
        stated = sum(each.example for each in draft.options)
        put_line(("✓", "green"), f" {to}: {len(draft.options)} options, {stated} for you to fill in")
    raise typer.Exit(REFUSED if draft.faults else 0)


def new_edition(
    name: str = typer.Argument(..., help="The name of the new edition, such as atlantis-1."),
    like: str = option("--like", "EDITION", "The edition to copy.", default=...),
    title: str | None = typer.Option(None, "--title", help="What the document is called."),
    to: Path | None = TO,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Write a whole edition to start from: a copy of another under a new name, with its clauses in our words.

    Example: baccarat rules new-edition atlantis-1 --like ma-midi-4 --to atlantis-1.toml
    """
    from baccarat.law.draft import draft_edition  # noqa: PLC0415

    register_editions(edition)
    draft = draft_edition(name, like=like, title=title)
    _write_new_file(draft.text, to)
    if json:
        put_json({
            "name": draft.name, "like": draft.like, "file": None if to is None else str(to),
            "clauses": draft.clauses, "text": draft.text,
        })  # fmt: skip
    elif to is None:
        typer.echo(draft.text, nl=False)
    else:
        put_line(("✓", "green"), f" {to}: {draft.clauses} clauses; now: baccarat rules new {name} --edition {to}")


def _write_new_file(text: str, to: Path | None) -> None:
    """Write a text to a new file, if one was requested."""
    if to is None:
        return
    try:
        with to.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        fail(f"{to}: already exists; choose another name")
    except OSError as error:
        fail(f"{to}: cannot be written: {error.strerror}")
