"""The doctor of a house, running or not: checks everything that the house needs, and reports each check.

It writes nothing to the house. A store that nobody has open is read as it lies there; one that was left with a log is
copied first, because reading it would put files next to it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from baccarat.record.entry import read_body
from baccarat.record.misread import MISREAD
from baccarat.record.sealed_seed import KeyRing
from baccarat.serve.doctor.copy_check import MOST_COPY_HOURS, CopyCheck, check_last_copy, store_id
from baccarat.serve.doctor.diagnosis import (
    Diagnosis,
    Health,
    age_text,
    faulty,
    healthy,
    needs_attention,
    not_checked,
    size_text,
)
from baccarat.serve.doctor.machine_check import (
    HOUR,
    HostMachine,
    check_clock,
    check_server,
    check_space,
    check_tls,
    check_witnesses,
)
from baccarat.serve.runtime.backup import open_reads
from baccarat.serve.runtime.resume_point import STATUS, HistoryStatus, TamperedSetting, read_status
from baccarat.serve.runtime.seal_key import content_keys, read_sealing_key
from baccarat.serve.runtime.signing_key import read_signer
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store import open_reader
from baccarat.serve.store.base import Reads, StoreError, StoreUnavailable
from baccarat.serve.store.lock import StoreLock
from baccarat.serve.store.sqlite_reads import SqliteReads

MOST_UNVERIFIED_HOURS = 1.0
"""How long ago the history of a house that runs may have been verified last."""
LAST_ENTRIES = 64
"""Of how many of the last entries of each stream the times are compared."""


class NoHouse(Exception):  # noqa: N818
    """Why there is nothing to check."""


class Doctor:
    """The checks of one house."""

    def __init__(
        self, setting: Setting, *, copies: Path | None, copy_hours: float = MOST_COPY_HOURS,
        machine: HostMachine | None = None,
    ) -> None:  # fmt: skip
        """`copies` is the folder with its copies, if they are to be looked at."""
        self._setting, self._machine = setting, machine or HostMachine()
        self._copy_check = CopyCheck(setting, self._machine, copies, copy_hours) if copies is not None else None
        self._ring: KeyRing | None = None
        self.holder = -1
        """The process that has the database open; 0 if that is unknown, -1 if none has."""

    def run_checks(self) -> Iterator[Diagnosis]:
        """Everything that was found, one after the other. `NoHouse` if there is no house."""
        setting, machine = self._setting, self._machine
        self._check_existence()
        self.holder = -1 if setting.is_postgres else StoreLock(setting.file).holder()
        yield check_server(setting, machine, is_open=self.holder >= 0)
        yield from self._check_keys()
        with tempfile.TemporaryDirectory(prefix="baccarat-doctor-") as scratch:
            yield from self._check_store(Path(scratch))
        yield check_space(setting, machine)
        yield from check_witnesses(setting, machine)
        yield check_tls(setting, machine)

    def _check_store(self, scratch: Path) -> list[Diagnosis]:
        """What is stored, and the copies of it; once more if the house was opened while it was read as one at rest."""
        try:
            with self._open_reader(scratch) as reads:
                return [*self._check_contents(reads), self._check_copy(reads, scratch)]
        except (StoreError, StoreUnavailable) as error:
            if self.holder < 0 and not self._setting.is_postgres:
                self.holder = StoreLock(self._setting.file).holder()
                if self.holder >= 0:
                    return self._check_store(scratch)
            return [self._unreadable_store(error), self._check_copy(None, scratch)]

    def _check_existence(self) -> None:
        setting = self._setting
        if setting.is_postgres or setting.file.exists():
            return
        if StoreLock(setting.file).path.exists():
            return  # a house was here: its database is gone, which is a finding
        raise NoHouse(f"{setting.file}: there is no house; name its database with --db or --config")

    @contextmanager
    def _open_reader(self, scratch: Path) -> Iterator[Reads]:
        """The store, read without anything being written next to it."""
        setting = self._setting
        if setting.is_postgres:
            with closing(open_reader(setting.db)) as reads:
                yield reads
            return
        path = setting.file
        log = path.with_name(f"{path.name}-wal")
        is_idle = self.holder < 0 and path.exists()
        is_left = is_idle and log.exists() and log.stat().st_size > 0
        if is_left:
            source, path = path, scratch / path.name
            shutil.copyfile(source, path)
            shutil.copyfile(log, scratch / log.name)
        with open_reads(path, is_immutable=is_idle and not is_left) as found:
            yield found

    # ------------------------------------------------------------------------------------------ what is stored

    def _check_contents(self, reads: Reads) -> Iterator[Diagnosis]:
        heads = reads.heads()
        entries = sum(head.seq + 1 for head in heads.values())
        yield self._check_identity(f"{entries:,} entries in {len(heads)} streams")
        yield self._check_tables(reads)
        yield self._check_history(reads, entries)
        yield check_clock(self._machine, *_last_act_times(reads), is_real=self._setting.mode is Mode.PRODUCTION)
        if self._ring is not None:
            yield from self._check_seeds(reads, self._ring)

    def _unreadable_store(self, error: Exception) -> Diagnosis:
        do = "See that the database server runs, then look again."
        if not self._setting.is_postgres:
            do = (
                "If the file was moved, put it back with its log (-wal). Otherwise copy both as they are, and restore "
                "the last copy: baccarat restore COPY --db NEW"
            )
        return faulty("database", str(error), do)

    def _check_identity(self, size: str) -> Diagnosis:
        """Whether the process that serves the house has the file that lies there."""
        if self._setting.is_postgres:
            return healthy("database", f"PostgreSQL answers: {size}")
        path = self._setting.file
        bytes_ = size_text(path.stat().st_size)
        if self.holder < 0:
            return healthy("database", f"{size}, {bytes_}; no process has it open")
        has_it = _has_open(self.holder, path)
        if has_it is None:
            return healthy("database", f"{size}, {bytes_}; open in process {self.holder or 'unknown'}")
        if has_it:
            return healthy("database", f"{size}, {bytes_}; process {self.holder} has this file open")
        return faulty(
            "database",
            f"process {self.holder} has a different file open than {path}, which was moved, deleted or replaced",
            "Move the original file and its log back, or restore the last copy; the house will stop by itself.",
        )

    def _check_tables(self, reads: Reads) -> Diagnosis:
        """Whether every table matches its content sums."""
        if self._setting.is_postgres:
            return not_checked("tables", "on PostgreSQL they are not authenticated")
        if self._ring is None:
            return not_checked("tables", "they cannot be authenticated without the sealing key")
        assert isinstance(reads, SqliteReads), "a house that is not on PostgreSQL is in a file"
        try:
            reads.check_pages()
            is_authenticated = reads.check_content(content_keys(self._setting, self._ring))
        except StoreError as error:
            do = "Keep a copy of the damaged database for the investigation, then restore the last copy."
            return faulty("tables", str(error), do)
        if not is_authenticated:
            say = "not authenticated yet: written by an earlier version, or under a key that is lost"
            return needs_attention(
                "tables", say, "Serve the house once; from then on, any change made outside it is detected."
            )
        return healthy("tables", "every row matches its content sum")

    def _check_history(self, reads: Reads, entries: int) -> Diagnosis:
        text, store = reads.setting(STATUS), store_id(reads)
        if self._ring is None:
            return not_checked("history", "its status cannot be authenticated without the sealing key")
        try:
            status = read_status(self._ring, text, store=store)
        except TamperedSetting:
            say = "the stored verification status was changed by someone without the sealing key"
            return faulty("history", say, "Restart the house: verification resumes from the last authentic point.")
        if status is None:
            say = f"{entries:,} entries, none verified yet"
            return needs_attention("history", say, "Serve the house; verification begins after ten seconds.")
        return self._judge_history(status, entries)

    def _judge_history(self, status: HistoryStatus, entries: int) -> Diagnosis:
        if status.findings:
            more = f", and {len(status.findings) - 1} more" if len(status.findings) > 1 else ""
            do = "Follow “Verification in the background” in docs/operations.md; do not delete anything."
            return faulty("history", f"{status.findings[0]}{more}", do)
        late = self._machine.current_time() - status.at / 1e6
        if self.holder >= 0 and late > MOST_UNVERIFIED_HOURS * HOUR:
            do = "See the log for what keeps verification from running, and verify_share in the settings."
            return needs_attention("history", f"last verified {age_text(late)} ago: {status}", do)
        newer = f"; {entries - status.verified:,} newer entries" if entries > status.verified else ""
        return healthy("history", f"{status}{newer}")

    def _check_copy(self, reads: Reads | None, scratch: Path) -> Diagnosis:
        return check_last_copy(self._copy_check, self._setting, reads, self._ring, scratch)

    # -------------------------------------------------------------------------------------------------- keys

    def _check_keys(self) -> Iterator[Diagnosis]:
        setting = self._setting
        seals = list(map(Path, setting.seal_keys or [str(setting.folder / "seal.key")]))
        faults, keys = list[str](), []
        for path in seals:
            try:
                keys.append(read_sealing_key(path))
            except StoreError as error:
                faults.append(str(error))
        if setting.sign_key:
            try:
                read_signer(Path(setting.sign_key), house=setting.house)
            except StoreError as error:
                faults.append(str(error))
        if keys:
            self._ring = KeyRing(*keys)
        if faults:
            do = "Only the user of the house may read a key (chmod 600). If one is lost: “Keys” in docs/operations.md."
            yield faulty("keys", "; ".join(faults), do)
            return
        paths = [*seals, *([Path(setting.sign_key)] if setting.sign_key else [])]
        beside = [path for path in paths if not setting.is_postgres and path.resolve().parent == setting.folder]
        count = f"{len(paths)} key{'s' * (len(paths) != 1)} that only the owner may read"
        if beside and setting.mode is Mode.PRODUCTION:
            do = "Move the keys to another folder, and to another backup than the database."
            yield faulty("keys", f"{beside[0]} is in the folder of the database: anyone who copies one has both", do)
        elif beside:
            yield healthy("keys", f"{count}; a key next to the database only protects against accidents")
        else:
            yield healthy("keys", count)

    def _check_seeds(self, reads: Reads, ring: KeyRing) -> Iterator[Diagnosis]:
        """Whether the keys that are configured open what is sealed."""
        lost = self._setting.lost_key_ids
        ids = {_key_of(row.sealed) for row in reads.all_sealed()}
        missing = sorted(each for each in ids if each not in lost and not ring.has(each))
        if missing:
            do = "Configure that key in seal_key; if it is lost, set lost_keys and abandon the shoes in play."
            yield faulty("seeds", f"seeds are sealed under {', '.join(missing)}, a key that is not configured", do)
        else:
            yield healthy("seeds", "every sealed seed belongs to a key that is configured")


# -------------------------------------------------------------------------------------------------- details


def worst_of(found: Iterable[Diagnosis]) -> Health:
    """The worst health among what was found."""
    return max((each.health for each in found), key=list(Health).index, default=Health.WELL)


def _last_act_times(reads: Reads) -> tuple[float, int]:
    """When the last act was recorded, in seconds UTC, and how often the clock stepped back among the last entries."""
    last, back = 0, 0
    for stream, head in reads.heads().items():
        before = 0
        for stored in reads.entries(stream, after=head.seq - LAST_ENTRIES, limit=LAST_ENTRIES):
            try:
                at = read_body(stored.body).at
            except (ValueError, *MISREAD):
                continue
            back += 0 < at < before
            before = at or before  # a record that follows another one has no time of its own
            last = max(last, at)
    return last / 1e6, back


class _SealedKeyId(msgspec.Struct):
    """Of a sealed seed: the id of its key."""

    key: str


def _key_of(sealed: bytes) -> str:
    try:
        return msgspec.json.decode(sealed, type=_SealedKeyId).key
    except msgspec.MsgspecError:
        return "an unreadable name"


def _has_open(process: int, path: Path) -> bool | None:
    """Whether a process has a file open; None if that is unknown."""
    folder, found = Path(f"/proc/{process}/fd"), path.stat()
    try:
        names = list(folder.iterdir())
    except OSError:
        return None
    for each in names:
        try:
            other = each.stat()
        except OSError:
            continue
        if (other.st_dev, other.st_ino) == (found.st_dev, found.st_ino):
            return True
    return False if names else None
