"""A database that is deleted, moved or replaced under a house ends it, and no house is founded in its place."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from baccarat.serve.runtime.seal_key import check_founding
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import Batch, StoreError, StoreUnavailable
from baccarat.serve.store.sqlite import SqliteStore
from served_program import QUICK, Program, ended

Loss = Callable[[Path], object]


def replaced(path: Path) -> None:
    """Another file with the same content."""
    shutil.copyfile(path, path.with_name("other"))
    path.with_name("other").rename(path)


LOSSES: dict[str, tuple[Loss, str]] = {
    "deleted": (lambda path: path.unlink(), "was deleted or moved away"),
    "moved": (lambda path: path.rename(path.with_name("moved.db")), "was deleted or moved away"),
    "replaced": (replaced, "was replaced by another file"),
}


@pytest.mark.parametrize("how", LOSSES)
@pytest.mark.parametrize("file", ["house.db", "house.db-wal"])
def test_a_store_whose_file_is_gone_writes_nothing_more(how: str, file: str, tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "house.db")
    store.append(Batch(settings={"before": "1"}))
    act, say = LOSSES[how]
    act(tmp_path / file)
    with pytest.raises(StoreUnavailable, match=f"the file {file} {say} while the house was open; put it back"):
        store.append(Batch(settings={"after": "1"}))
    with pytest.raises(StoreUnavailable, match=say):
        store.append(Batch(settings={"again": "1"}))
    store.close()


@pytest.mark.parametrize("how", LOSSES)
def test_a_file_that_goes_during_a_commit_is_not_acknowledged(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore.open(tmp_path / "house.db")
    write = store._write

    def write_and_lose(*arguments: object) -> None:
        write(*arguments)  # type: ignore[arg-type]
        LOSSES[how][0](tmp_path / "house.db")

    monkeypatch.setattr(store, "_write", write_and_lose)
    with pytest.raises(StoreUnavailable, match=LOSSES[how][1]):
        store.append(Batch(settings={"during": "1"}))


def test_an_idle_store_finds_it_too_and_so_does_its_end(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "house.db")
    (tmp_path / "house.db").rename(tmp_path / "moved.db")
    with pytest.raises(StoreUnavailable, match="was deleted or moved away"):
        store.do_idle_work()
    store = SqliteStore.open(tmp_path / "moved.db")
    (tmp_path / "moved.db").unlink()
    with pytest.raises(StoreUnavailable, match="was deleted or moved away"):
        store.close()


@pytest.mark.parametrize(("mode", "left"), [(Mode.PRACTICE, "seal.key"), (Mode.PRACTICE, "house.db.lock"),
                                            (Mode.PRODUCTION, "house.db.lock")])  # fmt: skip
def test_no_house_is_founded_where_one_was(mode: Mode, left: str, tmp_path: Path) -> None:
    (tmp_path / left).touch()
    setting = Setting(db=str(tmp_path / "house.db"), mode=mode)
    with pytest.raises(StoreError, match=r"house.db: is missing, but a house was here: it left .*--new-house"):
        check_founding(setting)
    check_founding(Setting(db=str(tmp_path / "house.db"), mode=mode, new_house=True))
    (tmp_path / "house.db").touch()
    check_founding(setting)


def test_a_new_house_needs_no_permission(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "seal.key").touch()
    (tmp_path / "house").mkdir()
    db, key = str(tmp_path / "house" / "house.db"), str(tmp_path / "keys" / "seal.key")
    check_founding(Setting(db=db, mode=Mode.PRODUCTION, seal_key=key))
    check_founding(Setting(db=db))


@pytest.mark.slow
def test_a_house_whose_database_is_deleted_ends_and_is_not_founded_again(tmp_path: Path) -> None:
    db = tmp_path / "baccarat-house" / "house.db"
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as house:
        house.address()
        db.unlink()
        assert house.ended() == 3
    stopped = next(each for each in house.events if each["event"] == "stopped")
    assert "the file house.db was deleted or moved away while the house was open" in stopped["say"]
    status, said = ended("--port", "0", folder=tmp_path)
    assert (status, said["event"]) == (2, "store")
    assert "house.db: is missing, but a house was here" in said["say"]
    db.with_name("house.db-wal").unlink()
    with Program("--port", "0", "--new-house", folder=tmp_path, environment=QUICK) as new:
        new.address()
        assert new.stopped() == 0
