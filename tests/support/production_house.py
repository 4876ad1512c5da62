"""What a production house needs before it may start: its keys, its name, its address."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from baccarat.cli import make_app
from baccarat.serve.setting import Mode, Setting

HOUSE, ORIGIN = "example.org/house", "https://house.example"


def made_keys(folder: Path) -> dict[str, Any]:
    """The keys of a house, made with the program, in a folder of their own."""
    keys = folder / "keys"
    keys.mkdir(exist_ok=True)
    for arguments in (["--seal", "seal.key"], ["sign.key", "--new", HOUSE]):
        words = [str(keys / each) if each.endswith(".key") else each for each in arguments]
        found = CliRunner().invoke(make_app("journal"), ["journal", "key", *words])
        assert found.exit_code == 0, found.output
    return {"seal_key": str(keys / "seal.key"), "sign_key": str(keys / "sign.key"), "house": HOUSE, "origin": ORIGIN}


def production(folder: Path, **more: Any) -> Setting:
    """The settings of a house that may start."""
    found: dict[str, Any] = {"db": str(folder / "club" / "house.db"), "port": 0, "mode": Mode.PRODUCTION, **more}
    return Setting(**found)


def sign_on(name: str) -> dict[str, str]:
    """A name and the password that everybody has in these tests."""
    return {"name": name, "password": "correct horse battery"}
