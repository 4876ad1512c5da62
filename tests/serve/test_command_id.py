"""Ids of commands: one pattern, the same wherever one is read."""

from __future__ import annotations

import msgspec
import pytest

from baccarat.client import command_id
from baccarat.serve.command_id import is_command_id
from baccarat.serve.fanout.message import read_said
from paths import ROOT

GOOD = "01890000-0000-7000-8000-000000000000"
BAD = (
    "",
    GOOD.upper().replace("0000", "ABCD"),
    GOOD.replace("-7", "-4"),
    GOOD.replace("-8", "-c"),
    f"{GOOD}\n",
    f" {GOOD}",
    GOOD.replace("-", ""),
    f"{GOOD}0",
)


def test_an_id_that_a_client_makes_is_one() -> None:
    assert is_command_id(GOOD)
    assert is_command_id(command_id())


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_id_is_none_on_a_socket_either(text: str) -> None:
    assert not is_command_id(text)
    said = {"type": "do", "id": text, "command": {}}
    with pytest.raises(msgspec.ValidationError):
        read_said.decode(msgspec.json.encode(said))


def test_the_pattern_stands_in_one_place() -> None:
    files = (ROOT / "src" / "baccarat").rglob("*.py")
    holding = [path.name for path in files if "7[0-9a-f]{3}" in path.read_text(encoding="utf-8")]
    assert holding == ["command_id.py"]
