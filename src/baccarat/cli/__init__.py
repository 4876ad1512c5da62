"""The program `baccarat`: one function a verb, each thin over the package."""

from __future__ import annotations

import io
import signal
import sys

import typer

from baccarat.cli import (
    audit,
    bundle,
    deal,
    log,
    names,
    play,
    price,
    resettle,
    roads,
    rules,
    run,
    settle,
    shuffle,
    transcript,
    verify,
    witness,
)
from baccarat.cli.out import FAULT, REFUSED, fail
from baccarat.law.error import InvalidSubmission, RulesError

EPILOG = "Exit status: 0 done · 1 something refused or not valid · 2 unreadable input or wrong usage."

app = typer.Typer(
    name="baccarat",
    help="Baccarat exactly as its rules are filed; every decision cites its clause.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(rules.app, name="rules")
app.command(name="deal", epilog=EPILOG)(deal.deal)
app.command(name="settle", epilog=EPILOG)(settle.settle)
app.command(name="price", epilog=EPILOG)(price.price)
app.command(name="compare", epilog=EPILOG)(price.compare)
app.command(name="roads", epilog=EPILOG)(roads.roads)
app.command(name="play", epilog=EPILOG)(play.play)
app.command(name="run", epilog=EPILOG, cls=run.RunCommand)(run.run)
app.command(name="resettle", epilog=EPILOG)(resettle.resettle)
app.command(name="transcript", epilog=EPILOG)(transcript.transcript)
app.command(name="audit", epilog=EPILOG)(audit.audit)
log.app.command(name="names")(names.names)
app.add_typer(log.app, name="journal")
app.add_typer(shuffle.app, name="shuffle")
app.command(name="witness", epilog=EPILOG)(witness.witness)
app.command(name="bundle", epilog=EPILOG)(bundle.bundle)
app.command(name="verify", epilog=EPILOG)(verify.verify)


def _version(wanted: bool) -> None:
    if wanted:
        from baccarat import __version__  # noqa: PLC0415

        typer.echo(f"baccarat {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    _version_wanted: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Say the version."),
) -> None:
    """Baccarat exactly as its rules are filed; every decision cites its clause."""


def main() -> None:
    """Run the program; errors of data end with a message and their exit status, never with a trace."""
    if sys.stdout is None or sys.stderr is None:
        sys.exit(FAULT)  # somebody closed the door
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a narrow terminal shows what it can
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has seen enough is no error of ours
    try:
        app()
    except InvalidSubmission as error:
        fail(str(error), REFUSED)
    except RulesError as error:
        fail(str(error), FAULT)
    except OSError as error:
        fail(f"cannot write: {error.strerror}", FAULT)
    except KeyboardInterrupt:
        sys.exit(130)
