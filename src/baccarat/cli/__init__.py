"""The program `baccarat`: one thin function per verb."""

from __future__ import annotations

import io
import os
import select
import signal
import sys
from importlib import import_module
from typing import Any

import typer

from baccarat.cli.help_text import help_text
from baccarat.cli.output import fail
from baccarat.cli.status import FAULT, REFUSED, STOPPED, help_footer
from baccarat.law.error import InvalidSubmission, RulesError

VERBS = {
    "rules": "rules.app",
    "deal": "deal.deal",
    "settle": "settle.settle",
    "serve": "serve.serve",
    "bots": "bots.bots",
    "backup": "backup.backup",
    "restore": "backup.restore",
    "archive": "archive.archive",
    "doctor": "doctor.doctor",
    "price": "price.price",
    "compare": "price.compare",
    "simulate": "simulate.simulate",
    "roads": "roads.roads",
    "play": "play.play",
    "drill": "drill.drill",
    "run": "run.run",
    "resettle": "resettle.resettle",
    "transcript": "transcript.transcript",
    "audit": "audit.audit",
    "journal": "journal.app",
    "shuffle": "shuffle.app",
    "study": "study.app",
    "witness": "witness.witness",
    "bundle": "bundle.bundle",
    "verify": "verify.verify",
}
"""Every verb, with its module and its name in that module; a group of verbs is called `app`."""


def make_app(only: str | None = None) -> typer.Typer:
    """The program with all its verbs, or with only one, so that the modules of the others need not be imported."""
    made = typer.Typer(
        name="baccarat",
        help="Baccarat exactly as its rules are filed; every decision cites its clause.",
        epilog=help_footer(),
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_program)
    for verb, home in VERBS.items() if only is None else ((only, VERBS[only]),):
        module, _, name = home.partition(".")
        found = import_module(f"baccarat.cli.{module}")
        if name == "app":
            for command in found.app.registered_commands:
                words = f"{verb} {command.name or command.callback.__name__}"
                command.help, command.epilog = help_text(command.callback.__doc__), help_footer(words)
            made.add_typer(found.app, name=verb, epilog=help_footer())
        else:
            function, cls = getattr(found, name), getattr(found, "COMMAND", None)
            made.command(name=verb, help=help_text(function.__doc__), epilog=help_footer(verb), cls=cls)(function)
    return made


def __getattr__(name: str) -> Any:
    """The whole program as `app`, built on first access."""
    if name != "app":
        raise AttributeError(f"module 'baccarat.cli' has no attribute {name!r}")
    made = make_app()
    globals()["app"] = made
    return made


def _version(wanted: bool) -> None:
    if wanted:
        from baccarat import __version__  # noqa: PLC0415

        typer.echo(f"baccarat {__version__}")
        raise typer.Exit


def _program(
    _version_wanted: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="The version."),
) -> None:
    """Baccarat exactly as its rules are filed; every decision cites its clause."""


def _end_without_reader(number: int, _frame: object) -> None:
    """End as other programs do if the reader of the output has stopped early, which is not an error.

    Anything else that disconnects, such as a client of a witness or a worker of a simulation, is left to its caller.
    """
    output = select.poll()
    for descriptor in (1, 2):
        output.register(descriptor, 0)
    if any(event & (select.POLLERR | select.POLLHUP) for _, event in output.poll(0)):
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def main() -> None:
    """Run the program; bad data ends with a message and an exit status, never with a traceback."""
    if sys.stderr is None:
        sys.exit(FAULT)  # no message can be shown
    if sys.stdout is None:
        fail("cannot write: standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an encoding without these characters shows `?`
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, _end_without_reader)
    try:
        make_app(sys.argv[1] if sys.argv[1:2] and sys.argv[1] in VERBS else None)()
    except InvalidSubmission as error:
        fail(str(error), REFUSED)
    except RulesError as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot write: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(STOPPED)
