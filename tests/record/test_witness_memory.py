"""What a witness keeps: it is on the disk before it is said, whole or not at all, and changed by nobody else."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from baccarat.record import durable
from baccarat.record.witness import (
    OK,
    Witness,
    read_request,
)
from baccarat.record.witness_folder import (
    FolderMemory,
    UnreadableMemory,
    answer_to,
    ask,
    put_answer,
    unanswered_requests,
)
from cut_writes import PowerLost, cut_power_after
from witnessed import LOG, NOW, STRANGER, WITNESS, cosigned, note_of, request, size_kept

pytestmark = pytest.mark.slow


def test_it_is_on_the_disk_before_it_is_said(memory: FolderMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    witness = Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, memory)
    witness.answer(request(0, 5), now=NOW)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        witness.answer(request(5, 9), now=NOW)
    monkeypatch.undo()
    assert size_kept(memory) == 5, "what was not kept was not said"
    assert [path.suffix for path in Path(memory._folder).iterdir()] == [".checkpoint"], "no half file is left"


@pytest.mark.parametrize("stop", range(12))
def test_at_every_write_a_power_cut_leaves_the_old_or_the_new_and_nothing_said_that_is_not_kept(
    stop: int, tmp_path: Path, memory: FolderMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness = Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, memory)
    witness.answer(request(0, 5), now=NOW)
    name = ask(tmp_path, read_request(request(5, 9)))
    steps_done = cut_power_after(stop, monkeypatch)
    try:
        for found, data in unanswered_requests(tmp_path):
            assert isinstance(data, bytes)
            put_answer(tmp_path, found, witness.answer(data, now=NOW))
    except PowerLost:
        pass
    monkeypatch.undo()
    kept, said = size_kept(memory), answer_to(tmp_path, name)
    assert kept in (5, 9)
    assert said is None or (said.status == OK and kept == 9)
    done = steps_done()
    if done == stop:  # the power came back: the same request is answered
        assert witness.answer(request(kept, 12), now=NOW).status == OK
    else:
        assert (kept, said is not None, done) == (9, True, 11)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written, forced to the disk, put in place, and the folder forced to the disk: in that order."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    acts: list[str] = []

    def noted(act: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **named: object) -> object:
            held = path.read_bytes().decode() if path.exists() else "none"
            acts.append(f"{act} while {held}")
            return real(*args, **named)

        return call

    monkeypatch.setattr(os, "fsync", noted("sync", os.fsync))
    monkeypatch.setattr(Path, "replace", noted("replace", Path.replace))
    durable.replace(path, b"new")
    assert acts == ["sync while old", "replace while old", "sync while new"]
    mask = os.umask(0o022)
    try:
        durable.replace(path, b"newer")
        assert stat.S_IMODE(path.stat().st_mode) == 0o644, "others may read it, as the mask allows"
    finally:
        os.umask(mask)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_new_file_has_its_rights_and_an_old_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "key"
    durable.create(path, b"secret", mode=0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        durable.create(path, b"another", mode=0o600)
    assert path.read_bytes() == b"secret"


@pytest.mark.parametrize("change", ["cut", "size", "stranger", "other log"])
def test_a_memory_that_was_changed_stops_the_witness(memory: FolderMemory, change: str) -> None:
    witness = Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, memory)
    witness.answer(request(0, 9), now=NOW)
    (path,) = Path(memory._folder).glob("*.checkpoint")
    data = path.read_bytes()
    changed = {
        "cut": data[:-20],
        "size": data.replace(b"\n9\n", b"\n5\n"),
        "stranger": bytes(note_of(5, signer=STRANGER)),
        "other log": bytes(cosigned(note_of(5, origin="example.org/table-2"))),
    }
    path.write_bytes(changed[change])
    with pytest.raises(UnreadableMemory, match="what was cosigned last cannot be read"):
        witness.answer(request(0, 12), now=NOW)


def test_two_witnesses_do_not_share_a_memory_at_a_time(memory: FolderMemory, tmp_path: Path) -> None:
    with memory.locked(), pytest.raises(BlockingIOError, match="another witness"), memory.locked():
        pass
    with memory.locked():
        pass
    deep = FolderMemory(tmp_path / "a" / "b", WITNESS.verifier)
    with deep.locked():
        assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700, "nobody else looks in"
