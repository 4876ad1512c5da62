"""Options and arguments: those that several verbs have, and how a verb declares one of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer


def flag(name: str, say: str) -> Any:
    """An option that is given or not."""
    return typer.Option(False, name, help=say)


def option(names: str, metavar: str, say: str, *, default: Any = None, **more: Any) -> Any:
    """An option with a value, which `metavar` names in the help; `...` as default where it must be given."""
    return typer.Option(default, *names.split(), metavar=metavar, help=say, **more)


JSON = flag("--json", "Print JSON instead of text.")
JOURNAL = option("--journal", "FILE", "Keep a journal in this file; one that is there already is gone on with.")
SIGNING_KEY = option("--key", "FILE", "With --journal, sign a checkpoint at every round's end; see journal key.")
SUBMISSION = typer.Argument(..., help="The name of a shipped Submission, or the path of a TOML file.")
RECORDED = typer.Argument(..., help="A journal, or what baccarat run answered, or - for standard input.")
EDITIONS = option("--edition", "FILE", "Also know the edition written in this TOML file.")


def register_editions(files: list[Path] | None) -> None:
    """Register the editions written in these files."""
    from baccarat.law.edition import register  # noqa: PLC0415

    for path in files or []:
        register(path)
