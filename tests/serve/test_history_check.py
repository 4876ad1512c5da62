"""History decided again: what it finds in a store, where it resumes, and what it may use of the machine."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from baccarat.record.entry import NO_HASH, hash_after
from baccarat.record.sealed_seed import KeyRing, SealingKey
from baccarat.serve.runtime.bounded_share import CLOCK_EVERY, LATER, PIECE_SECONDS, BoundedShare
from baccarat.serve.runtime.history_check import HistoryCheck
from baccarat.serve.runtime.recovery import FORM
from baccarat.serve.runtime.resume_point import (
    POINT,
    STATUS,
    HistoryStatus,
    ResumePoint,
    TamperedSetting,
    open_setting,
    read_status,
    sealed_setting,
    status_setting,
)
from baccarat.serve.store import open_reader
from baccarat.serve.store.log_query import snapshot_digest
from baccarat.serve.store.sqlite import SqliteStore
from golden_stores import copied
from house_journal import house_journal
from store_place import StorePlace
from stored_history import rows_of, snapshot_in, store_of, stored_in, verified, verified_at

LINES = house_journal()
CUT = next(number for number in range(150, len(LINES)) if b'"cause":' not in LINES[number])
"""How many entries a first verification finds, of a house that goes on afterwards: whole acts."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A house with three linked tables, a cage and a pit."""
    return store_of(tmp_path / "house.db", LINES)


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A practice house with ids, checkpoints and compressed entries, in the middle of a round."""
    copied("0.1.0", tmp_path)
    return tmp_path / "house.db"


def changed(path: Path, sql: str, *params: object) -> None:
    """Change a store behind its back, as anyone who has the disk can."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(sql, params).rowcount > 0, "nothing was changed"
        connection.commit()


def position_of(path: Path, text: str) -> int:
    """The first entry in which something stands."""
    with closing(sqlite3.connect(path)) as connection:
        ((found,),) = connection.execute("select min(position) from entry where instr(body, ?) > 0", (text.encode(),))
        assert found, f"no entry has {text}"
        return int(found)


def forged(path: Path, position: int, change: Callable[[bytes], bytes]) -> tuple[str, int]:
    """Change an entry and compute every later hash of its stream anew: its stream, and its number."""
    with closing(sqlite3.connect(path)) as connection:
        sql = "select stream, seq, body from entry where position = ?"
        ((number, seq, body),) = connection.execute(sql, (position,))
        assert change(body) != body
        connection.execute("update entry set body = ? where position = ?", (change(body), position))
        hash_ = NO_HASH
        sql = "select position, body from entry where stream = ? order by seq"
        for at, each in connection.execute(sql, (number,)).fetchall():
            hash_ = hash_after(hash_, each)
            connection.execute("update entry set hash = ? where position = ?", (hash_, at))
        connection.execute("update head set hash = ? where stream = ?", (hash_, number))
        ((name,),) = connection.execute("select name from stream where id = ?", (number,))
        connection.commit()
        return str(name), int(seq)


def paid_more(body: bytes) -> bytes:
    """Ninety times as much in the events of an entry, and no more in its command."""
    head, mark, tail = body.partition(b'"events":')
    return head + mark + tail.replace(b'"amount":', b'"amount":9', 1)


# ---------------------------------------------------------------------------------------------- what it finds


def test_an_honest_history_is_verified_to_its_last_entry(house: Path) -> None:
    check = verified(house)
    assert (check.verified, check.skipped, check.findings) == (len(LINES), 0, [])


def test_compressed_entries_ids_and_checkpoints_are_verified_too(golden: Path) -> None:
    check = verified(golden)
    assert (check.verified, check.findings) == (164, [])


def test_an_entry_that_was_changed_and_hashed_anew_is_found_with_its_place(house: Path) -> None:
    stream, seq = forged(house, position_of(house, '"amount":'), paid_more)
    check = verified(house)
    (found,) = check.findings
    assert (found.stream, found.seq) == (stream, seq)
    assert "amount" in found.say
    assert check.verified < len(LINES), "what comes after it is not called verified"
    assert check.point() is None, "no later start begins behind a finding"


def test_a_flipped_bit_is_found(house: Path) -> None:
    position = position_of(house, '"amount":')
    changed(house, "update entry set hash = zeroblob(32) where position = ?", position)
    (found,) = verified(house).findings
    assert "does not follow" in str(found)


@pytest.mark.parametrize(
    ("sql", "say"),
    [
        ("delete from done", "the same command would be done again"),
        ("update done set seq = seq + 1", "as the index of ids says"),
        ("update checkpoint set note = zeroblob(10)", "cannot be read"),
        ("update checkpoint set size = size - 1 where size > 1", "are not those that"),
    ],
    ids=["lost id", "moved id", "unreadable checkpoint", "moved checkpoint"],
)
def test_what_is_stored_beside_the_entries_is_compared_with_them(golden: Path, sql: str, say: str) -> None:
    changed(golden, sql)
    found = verified(golden)
    assert found.findings, "nothing was found"
    assert all(say in str(each) for each in found.findings), found.findings
    assert found.verified == 164, "the entries themselves are as they were"
    assert found.point() is None, "the next start finds it again"


def test_a_snapshot_that_gives_somebody_more_is_found_although_its_digest_is_right(house: Path) -> None:
    with closing(SqliteStore.open(house)) as store:
        snapshot_in(store)
    assert verified(house).findings == []
    with closing(sqlite3.connect(house)) as connection:
        ((position, form, heads, body),) = connection.execute("select position, form, heads, body from snapshot")
        state = msgspec.json.decode(body)
        tables = state["house"]["state"]["tables"].values()
        person = next(each for table in tables for each in table["seats"]["participants"] if each)
        person["chips"] = person.get("chips", 0) + 10_000_000
        more = msgspec.json.encode(state)
        sql = "update snapshot set body = ?, digest = ? where position = ?"
        connection.execute(sql, (more, snapshot_digest(form, heads, more), position))
        connection.commit()
    (found,) = verified(house).findings
    assert "the snapshot from which the house starts is not what its" in found.say
    assert "seats.participants" in found.say
    (again,) = verified(house, ResumePoint.decode(_point(house).encode())).findings
    assert again == found, "a point behind the snapshot does not hide it"


def _point(path: Path) -> ResumePoint:
    """The point to which an honest copy of a store leads."""
    copy = path.with_name("copy.db")
    found = verified(store_of(copy, LINES)).point()
    assert found is not None
    return found


# ---------------------------------------------------------------------------------------------- it resumes


def test_it_resumes_where_it_stopped_on_both_databases(store_place: StorePlace) -> None:
    rows = rows_of(LINES)
    with closing(store_place.open()) as store:
        stored_in(store, rows[:CUT])
        point = verified_at(store_place.address).point()
        assert point is not None
        stored_in(store, rows[CUT:])
        point = ResumePoint.decode(point.encode())
        with closing(store.reader()) as reads:
            check = HistoryCheck(reads, point)
            steps = sum(1 for _ in check.decide())
        assert (check.verified, check.findings) == (len(LINES), [])
        assert steps == len(LINES) - CUT, "only what is new was decided"
        assert [str(each) for each in verified_at(store_place.address, point).findings] == []


def test_what_was_verified_before_cannot_be_changed_afterwards(house: Path) -> None:
    point = _point(house)
    stream, _ = forged(house, position_of(house, '"amount":'), paid_more)
    check = verified(house, point)
    assert check.findings[0].stream == stream
    assert "changed after they had been verified" in check.findings[0].say
    assert verified(house, point, compares_bytes=False).findings, "the new entries do not follow either"


def test_a_point_of_another_version_has_everything_decided_again(house: Path) -> None:
    point = msgspec.structs.replace(_point(house), form=f"{FORM} or another")
    assert sum(1 for _ in _deciding(house, point)) == len(LINES)


def _deciding(path: Path, point: ResumePoint) -> list[None]:
    with closing(open_reader(str(path))) as reads:
        return list(HistoryCheck(reads, point).decide())


def test_a_practice_house_that_dropped_its_old_shoes_goes_on_from_its_snapshot(house: Path) -> None:
    with closing(SqliteStore.open(house)) as store:
        stream = next(name for name in store.heads() if name.startswith("table "))
        snapshot_in(store)
        assert store.drop_before(stream, 10) == 10
    check = verified(house)
    assert (check.verified, check.skipped, check.findings) == (len(LINES), len(LINES), [])
    assert verified(house, _point(house)).skipped == 0, "those that had been verified before are not skipped"


# ----------------------------------------------------------------------------------- nobody moves it by hand


def _ring(folder: Path, name: str = "seal.key") -> KeyRing:
    return KeyRing(SealingKey.create(folder / name))


def test_only_the_house_itself_can_move_the_point_forward(tmp_path: Path) -> None:
    ring, store = _ring(tmp_path), bytes(16)
    text = sealed_setting(ring, POINT, b"point", store=store)[POINT]
    assert open_setting(ring, POINT, text, store=store) == b"point"
    assert open_setting(ring, POINT, None, store=store) is None
    other = msgspec.json.encode(msgspec.json.decode(text) | {"data": "cG9pbnQh"}).decode()
    for wrong in (other, "{}", "", text.replace('"mac":"', '"mac":"0', 1)):
        with pytest.raises(TamperedSetting):
            open_setting(ring, POINT, wrong, store=store)
    with pytest.raises(TamperedSetting):
        open_setting(ring, STATUS, text, store=store)
    with pytest.raises(TamperedSetting):
        open_setting(ring, POINT, text, store=b"\1" * 16)
    assert open_setting(_ring(tmp_path, "other.key"), POINT, text, store=store) is None, "a key that is gone"


def test_the_key_of_its_mac_is_another_one_than_the_sealing_key(tmp_path: Path) -> None:
    key = SealingKey.create(tmp_path / "seal.key")
    secret = bytes.fromhex((tmp_path / "seal.key").read_text(encoding="ascii").split()[2])
    assert len({key.derive("one"), key.derive("two"), secret}) == 3


def test_the_status_says_how_far_it_came(tmp_path: Path) -> None:
    status = HistoryStatus(verified=1_234, entries=5_678, at=1_763_560_800_000_000)
    assert str(status) == "verified to entry 1,234 of 5,678, at 2025-11-19 14:00:00 UTC"
    ring = _ring(tmp_path)
    text = status_setting(ring, status, store=bytes(16))[STATUS]
    assert read_status(ring, text, store=bytes(16)) == status


# -------------------------------------------------------------------------------------------- bounded share


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 1.0])
def test_it_uses_no_more_of_a_processor_than_its_share(share: float) -> None:
    used, slept = [0.0], [0.0]

    def sleep(seconds: float) -> None:
        slept[0] += seconds

    bounded = BoundedShare(share, used=lambda: used[0], sleep=sleep)
    for _ in range(20_000):
        used[0] += 0.0001
        bounded.step()
    assert used[0] / (used[0] + slept[0]) <= share * 1.01
    assert CLOCK_EVERY * 0.0001 < PIECE_SECONDS, "it rests often"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has priorities of threads")
def test_a_backup_lets_the_house_go_first() -> None:
    code = (
        "import os, threading; from baccarat.serve.runtime.bounded_share import patient\n"
        "with patient(): print(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == [str(LATER)]


def test_its_memory_does_not_grow_with_what_it_has_read(house: Path) -> None:
    with closing(open_reader(str(house))) as reads:
        check = HistoryCheck(reads)
        for _ in check.decide():
            pass
        held = [value for value in vars(check).values() if isinstance(value, list | dict | set)]
        assert all(len(each) <= len(check.heads) for each in held)
