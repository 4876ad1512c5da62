"""What is no store, or not fit to be opened, is refused in a sentence, and nothing of it is changed on the disk."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from baccarat.house.stream import Stream
from baccarat.serve.store import sqlite, sqlite_open
from baccarat.serve.store.base import Batch, StoreError, StoreUnavailable
from baccarat.serve.store.sqlite import SqliteStore
from store_model import Chance, Model, differences

Made = Callable[[Path], object]


def killed(path: Path, seed: int = 1, *, steps: int = 20) -> Model:
    """A store whose process died: what was written stands in its WAL."""
    made = path.with_name(f"made {seed}")
    made.mkdir()
    store, chance = SqliteStore.open(made / "house.db"), Chance(seed)
    for step in chance.steps(steps):
        step.act(store)
    for each in ("house.db", "house.db-wal"):
        shutil.copy(made / each, path.with_name(path.name + each.removeprefix("house.db")))
    store.close()
    shutil.rmtree(made)
    return chance.model


def closed(path: Path, seed: int = 1) -> Model:
    """A store that was closed."""
    store, chance = SqliteStore.open(path), Chance(seed)
    for step in chance.steps(20):
        step.act(store)
    store.close()
    return chance.model


def cut_off(path: Path) -> None:
    """A database of which the end is missing."""
    closed(path)
    os.truncate(path, path.stat().st_size // 2)


def cut_off_with_its_log(path: Path) -> None:
    """The same, while something stands in the WAL."""
    cut_off(path)
    made = path.with_name("whole.db")
    killed(made)
    made.with_name("whole.db-wal").rename(path.with_name("house.db-wal"))
    made.unlink()


def with_older_heads(path: Path) -> None:
    """A store of which some pages are older than others."""
    closed(path)
    other = sqlite3.connect(path)
    last = "select position from entry order by position desc limit 1"
    other.execute(
        f"insert into entry select 99999, stream, seq, previous, hash, body from entry where position = ({last})"
    )
    other.commit()
    other.close()


def log_of_another(path: Path) -> None:
    """A store with the WAL of another one beside it."""
    closed(path)
    killed(path.with_name("other.db"), seed=2)
    path.with_name("other.db-wal").rename(path.with_name("house.db-wal"))
    path.with_name("other.db").unlink()


def log_without_its_store(path: Path) -> None:
    """A WAL whose database is gone."""
    killed(path)
    path.unlink()


def of_another_program(path: Path) -> None:
    """A database that is not ours."""
    other = sqlite3.connect(path)
    other.execute("create table cards (name)")
    other.close()


def of_later_times(path: Path) -> None:
    """A store that a later version of the program wrote."""
    closed(path)
    later = sqlite3.connect(path)
    later.execute("pragma user_version = 99")
    later.close()


def of_later_times_in_its_log(path: Path) -> None:
    """The same, where that stands in the WAL alone."""
    closed(path)
    later = apsw.Connection(str(path))
    later.execute("pragma user_version = 99")
    shutil.copy(f"{path}-wal", f"{path}.kept")
    later.close()
    shutil.move(f"{path}.kept", f"{path}-wal")


def with_a_journal(path: Path) -> None:
    """A store beside which another program left what it was about to undo."""
    closed(path)
    path.with_name("house.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(600))


def without_its_last_entry(path: Path) -> None:
    """A store that somebody cut short by hand."""
    closed(path)
    other = sqlite3.connect(path)
    other.execute("delete from entry where position = (select max(position) from entry)")
    other.commit()
    other.close()


NOT_OPENED: list[tuple[Made, str]] = [
    (lambda path: path.write_bytes(b""), "is empty; remove it"),
    (lambda path: path.write_bytes(os.urandom(9_000)), "does not begin like an SQLite database"),
    (lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 50), "does not begin like an SQLite database"),
    (lambda path: path.write_bytes(b"SQLite format 3\0" + os.urandom(9_000)), "of another program"),
    (lambda path: path.mkdir(), "is a folder; name the file of the store, such as"),
    (os.mkfifo, "is not a regular file"),
    (of_another_program, "is an SQLite database of another program"),
    (of_later_times, "was written by a later version of this program .schema 99"),
    (of_later_times_in_its_log, "was written by a later version of this program .schema 99"),
    (cut_off, "is cut off: it has [0-9,]+ of [0-9,]+ bytes"),
    (cut_off_with_its_log, "is cut off, or older than the log next to it, house.db-wal: [0-9]+ of [0-9]+ pages"),
    (with_older_heads, "is damaged: it has entries after all heads"),
    (log_of_another, "the log next to it, house.db-wal, belongs to another store"),
    (log_without_its_store, "is missing, but its log house.db-wal exists"),
    (with_a_journal, "house.db-journal: was left by another program"),
    (without_its_last_entry, "is damaged: the last entry of .* is missing"),
]


def on_disk(folder: Path) -> dict[str, bytes]:
    """What is in a folder; the lock and the index of the WAL that SQLite makes in memory aside."""
    return {
        each.name: each.read_bytes() if each.is_file() else b""
        for each in folder.iterdir()
        if not each.name.endswith(("-shm", ".lock"))
    }


@pytest.mark.parametrize(("made", "why"), NOT_OPENED)
@pytest.mark.slow
def test_what_cannot_be_a_store_is_refused_and_left_as_it_is(made: Made, why: str, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    made(path)
    before = on_disk(tmp_path)
    for _ in range(2):
        with pytest.raises(StoreError, match=why) as refused:
            SqliteStore.open(path)
        assert str(refused.value).startswith(str(tmp_path))
        assert "\n" not in str(refused.value)
    assert on_disk(tmp_path) == before


@pytest.mark.slow
def test_garbage_in_the_middle_is_refused_when_it_is_met(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    model = closed(path)
    sound = path.read_bytes()
    found = 0
    for page in range(1, len(sound) // 2048):
        path.write_bytes(sound[: page * 2048] + os.urandom(2048) + sound[(page + 1) * 2048 :])
        try:
            store = SqliteStore.open(path)
        except StoreError:
            found += 1
            continue
        try:
            found += bool(differences(store, model))
        except (StoreError, StoreUnavailable):  # nothing else
            found += 1
        store.close()
    assert found >= 10


def test_a_store_whose_process_died_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    model = killed(path)
    store = SqliteStore.open(path)
    assert differences(store, model) == []
    store.append(Batch(rows=[model.row(Stream("table 1"), b"next")]))
    store.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house.db", "house.db.lock"]


@pytest.mark.slow
def test_an_older_copy_beside_a_newer_log_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written back between the two is in neither."""
    monkeypatch.setattr(sqlite, "LONG_LOG", 1)
    for seed in range(8):
        folder = tmp_path / str(seed)
        folder.mkdir()
        store, chance = SqliteStore.open(folder / "house.db"), Chance(seed)
        for step in chance.steps(10):
            step.act(store)
        store.close()
        shutil.copy(folder / "house.db", folder / "copy.db")
        store = SqliteStore.open(folder / "house.db")
        for step in chance.steps(20):
            step.act(store)
            store.do_idle_work()
        store.append(Batch(rows=[chance.model.row(Stream("table 1"), b"one more")]))
        shutil.copy(folder / "house.db-wal", folder / "copy.db-wal")
        store.close()
        before = on_disk(folder)
        with pytest.raises(StoreError, match=r"older than the log next to it|is damaged|malformed"):
            SqliteStore.open(folder / "copy.db")
        assert on_disk(folder) == before


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"there is no folder {tmp_path / 'none'}"):
        SqliteStore.open(tmp_path / "none" / "house.db")


OPEN = """
    import os
    import sys
    from pathlib import Path
    from baccarat.serve.store.base import StoreError
    from baccarat.serve.store.sqlite import SqliteStore
    if sys.argv[2:] and os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)  # nobody may not write what is not its own, the administrator may
    try:
        SqliteStore.open(Path(sys.argv[1]))
    except StoreError as fault:
        print(fault)
"""


def opened_elsewhere(path: Path, *words: str) -> str:
    """What another process prints that opens a store."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(OPEN), str(path), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("is_there", [False, True])
def test_a_folder_that_cannot_be_written_is_named(is_there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "read only"
    folder.mkdir()
    if is_there:
        closed(folder / "house.db")
    before = on_disk(folder)
    for each in (tmp_path, *tmp_path.parents):
        if "pytest-" in str(each):
            each.chmod(each.stat().st_mode | 0o055)
    folder.chmod(0o555)
    said = opened_elsewhere(folder / "house.db", "as nobody")
    folder.chmod(0o755)
    assert said == f"{folder}: cannot be written by this user; a store is a file with others next to it\n"
    assert on_disk(folder) == before


@pytest.mark.slow
def test_a_second_start_on_the_same_store_is_told_who_has_it(tmp_path: Path) -> None:
    store, model = SqliteStore.open(tmp_path / "house.db"), Model()
    store.append(Batch(rows=[model.row(Stream("table 1"), b"x")]))
    said = opened_elsewhere(tmp_path / "house.db")
    assert said == f"{tmp_path / 'house.db'}: is in use by process {os.getpid()}; a store has one server\n"
    store.append(Batch(rows=[model.row(Stream("table 1"), b"y")]))
    assert differences(store, model) == []
    store.close()


def test_another_name_of_the_same_store_does_not_let_a_second_server_in(tmp_path: Path) -> None:
    other = tmp_path / "other" / "house.db"
    other.parent.mkdir()
    other.symlink_to(tmp_path / "house.db")
    store = SqliteStore.open(other)
    assert (tmp_path / "house.db").is_file()
    with pytest.raises(StoreError, match="is in use"):
        SqliteStore.open(tmp_path / "house.db")
    store.close()


def test_a_start_that_was_killed_while_it_made_the_store_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        (tmp_path / f".house.db.new{ending}").write_bytes(b"half")
    SqliteStore.open(tmp_path / "house.db").close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house.db", "house.db.lock"]


# --------------------------------------------------------------------------------------------- upgrades


def test_an_older_store_is_taken_through_the_files_it_has_not_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "house.db"
    model = closed(path)
    files = sqlite_open.schema_files()
    more = [*files, "create table later (id integer primary key, name text) strict; create index a on later (name)"]
    monkeypatch.setattr(sqlite_open, "schema_files", lambda: more)
    store = SqliteStore.open(path)
    assert store.read("select * from later") == []
    assert differences(store, model) == []
    store.close()
    monkeypatch.setattr(sqlite_open, "schema_files", lambda: files)
    with pytest.raises(StoreError, match=f"schema {len(more)}; this one knows {len(files)}"):
        SqliteStore.open(path)


def test_an_upgrade_that_fails_leaves_the_store_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.db"
    model = closed(path)
    files = sqlite_open.schema_files()
    wrong = [*files, "create table later (id integer primary key) strict; create table later (id)"]
    with monkeypatch.context() as patch:
        patch.setattr(sqlite_open, "schema_files", lambda: wrong)
        with pytest.raises(StoreError, match="cannot be opened"):
            SqliteStore.open(path)
    store = SqliteStore.open(path)
    assert store.read("select name from sqlite_schema where name = 'later'") == []
    assert differences(store, model) == []
    store.close()
