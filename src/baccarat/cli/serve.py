"""`baccarat serve`: a house served over the network, with one command."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import typer

from baccarat.cli.option import flag
from baccarat.cli.output import FAULT, fail

NEEDS = ("litestar", "uvicorn", "apsw", "argon2", "cryptography")


def serve(
    db: str | None = typer.Option(
        None, metavar="FILE|URL", help="Where the house is stored: a file (SQLite), or postgresql://…"
    ),
    host: str | None = typer.Option(None, help="The address to listen on; by default this machine only."),
    port: int | None = typer.Option(None, help="The port to listen on; by default 8414."),
    production: bool = flag("--production", "Real tables: people sign on; no play money, no automated company."),
    new_house: bool = flag(
        "--new-house", "Create a new house even if the lock or key of an earlier one is still here."
    ),
    config: Path | None = typer.Option(None, metavar="FILE", readable=False, help="A TOML file with settings."),
    json: bool = flag("--json", "Log as lines of JSON."),
) -> None:
    """Serve tables: a practice house where you can sit down immediately, or a real house with its staff.

    On an empty folder it opens a practice house: a table for each shipped Submission, play money,
    an automated dealer and company. It ends with status 3 if the store fails while it is open.
    Examples: baccarat serve · baccarat serve --port 9000 --db club/house.db
    """
    missing = [name for name in NEEDS if find_spec(name) is None]
    if missing:
        fail(f"serving needs {', '.join(missing)}: pip install 'baccarat[serve]'")
    from baccarat.serve.setting import SettingFault, read_setting  # noqa: PLC0415

    flags = {"db": db, "host": host, "port": port, "mode": "production" if production else None}
    flags["new_house"] = True if new_house else None
    try:
        setting = read_setting(flags, os.environ, config)
    except SettingFault as error:
        from baccarat.serve.ops.log import ServerLog  # noqa: PLC0415

        ServerLog(json=json).say("settings", str(error), level="error", faults=str(error).splitlines())
        raise typer.Exit(FAULT) from None
    from baccarat.serve.run import run  # noqa: PLC0415

    raise typer.Exit(run(setting, json=json))
