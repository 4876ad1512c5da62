"""A checkpoint is whole or is not there; what is no checkpoint of this simulation is refused and left as it is."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import NoReturn

import pytest

from baccarat import rulebook
from baccarat.sim import checkpoint
from baccarat.sim.checkpoint import BadCheckpoint, CheckpointNotSaved, read_checkpoint, write_checkpoint
from baccarat.sim.engine import simulate
from baccarat.sim.plan import DETAILS, Detail
from baccarat.sim.tally import Tally

RULES = rulebook("ma-midi-4-royal9")


def tally(seed: int = 1, detail: Detail = "totals", shoes: int = 20) -> Tally:
    return simulate(RULES, seed=seed, shoes=shoes, rounds=3, detail=detail, engine="plain", workers=1)


@pytest.mark.slow
@pytest.mark.parametrize("detail", DETAILS)
def test_a_checkpoint_is_read_back(detail: Detail, tmp_path: Path) -> None:
    path, made = tmp_path / "run.checkpoint", tally(detail=detail)
    write_checkpoint(path, made)
    assert read_checkpoint(path, RULES) == made
    more = made + simulate(RULES, seed=1, first=20, shoes=4, rounds=3, detail=detail)
    write_checkpoint(path, more)
    assert read_checkpoint(path, RULES) == more
    assert [each.name for each in tmp_path.iterdir()] == ["run.checkpoint"]


def test_any_damage_is_found_and_the_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "run.checkpoint"
    write_checkpoint(path, tally())
    whole = path.read_bytes()
    damaged = [whole[:length] for length in range(0, len(whole) - 2, 97)]
    places = range(0, len(whole) - 1, 61)
    damaged += [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in places]
    damaged += [b"", b"\x00" * 100, b"[]", whole + whole, whole.replace(b'"seed":1', b'"seed":2')]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(BadCheckpoint, match="it is left as it is"):
            read_checkpoint(path, RULES)
        assert path.read_bytes() == content


def test_a_checkpoint_of_other_rules_or_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.checkpoint"
    write_checkpoint(path, tally())
    with pytest.raises(BadCheckpoint, match="a tally of rulebook"):
        read_checkpoint(path, rulebook("nj-punto-banco"))
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {"baccarat_simulation": 2}))
    with pytest.raises(BadCheckpoint, match="written in format 2; this program knows 1"):
        read_checkpoint(path, RULES)
    path.write_bytes(b" " * (checkpoint.MOST_BYTES + 1))
    with pytest.raises(BadCheckpoint, match="longer than any checkpoint"):
        read_checkpoint(path, RULES)


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_full_disk_leaves_the_last_checkpoint(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, before = tmp_path / "run.checkpoint", tally()
    write_checkpoint(path, before)

    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if call == "write":
        monkeypatch.setattr(Path, "write_bytes", full)
    elif call == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    else:
        monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CheckpointNotSaved, match="cannot be written: No space left on device"):
        write_checkpoint(path, tally(shoes=30))
    monkeypatch.undo()
    assert read_checkpoint(path, RULES) == before
    assert [each.name for each in tmp_path.iterdir()] == ["run.checkpoint"]


def test_what_is_no_file_is_never_written_over(tmp_path: Path) -> None:
    with pytest.raises(CheckpointNotSaved, match="is not a regular file"):
        write_checkpoint(tmp_path, tally())
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CheckpointNotSaved, match="is not a regular file"):
        write_checkpoint(tmp_path / "pipe", tally())
    with pytest.raises(CheckpointNotSaved, match="No such file or directory"):
        write_checkpoint(tmp_path / "nowhere" / "run.checkpoint", tally())
