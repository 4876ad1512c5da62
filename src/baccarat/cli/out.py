"""What the program prints: text for people, JSON for programs, messages on standard error."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.table import Table

DONE, REFUSED, FAULT = 0, 1, 2

JSON = typer.Option(False, "--json", help="Print JSON instead of text.")
EDITIONS = typer.Option(None, "--edition", metavar="FILE", help="Also know the edition written in this TOML file.")

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


def fail(say: str, status: int) -> NoReturn:
    """Say what is wrong on standard error and end with this status."""
    errors.print(f"[bold red]baccarat:[/] {say.replace('[', chr(92) + '[')}")
    raise SystemExit(status)


def put_json(value: Any) -> None:
    """Print a value as JSON, indented for a person on a terminal."""
    encoded = msgspec.json.encode(value, enc_hook=str)
    if sys.stdout.isatty():
        encoded = msgspec.json.format(encoded, indent=2)
    sys.stdout.write(encoded.decode() + "\n")


def plain(text: str) -> str:
    """Text without meaning to the markup."""
    return text.replace("[", "\\[")


def grid(*headings: str) -> Table:
    """A table without lines, for lists."""
    table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def know(files: list[Path] | None) -> None:
    """Register the editions written in these files."""
    from baccarat.law.edition import register  # noqa: PLC0415

    for path in files or []:
        register(path)
