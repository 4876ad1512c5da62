"""Options and arguments: those that several verbs share, and how a verb declares its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer


def flag(name: str, say: str) -> Any:
    """An option that is given or not."""
    return typer.Option(False, name, help=say)


def option(names: str, metavar: str, say: str, *, default: Any = None, **more: Any) -> Any:
    """An option with a value, which `metavar` names in the help; `...` as default if it must be given."""
    return typer.Option(default, *names.split(), metavar=metavar, help=say, **more)


JSON = flag("--json", "Print JSON instead of text.")
JOURNAL = option("--journal", "FILE", "Write a journal to this file; an existing one is resumed.")
SIGNING_KEY = option("--key", "FILE", "With --journal, sign a checkpoint at the end of every round; see journal key.")
SUBMISSION = typer.Argument(..., help="The name of a shipped Submission, or the path of a TOML file.")
RECORDED = typer.Argument(..., help="A journal, or the output of baccarat run, or - for standard input.")
EDITIONS = option("--edition", "FILE", "Also load the edition in this TOML file.")


def register_editions(files: list[Path] | None) -> None:
    """Register the editions in these files."""
    from baccarat.law.edition import register  # noqa: PLC0415

    for path in files or []:
        register(path)
