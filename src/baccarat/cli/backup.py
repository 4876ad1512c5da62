"""`baccarat backup` and `baccarat restore`: a copy of a house while it is served, and the way back."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from baccarat.cli.journal_files import read_signed
from baccarat.cli.option import JSON, option
from baccarat.cli.output import REFUSED, complain, exit_on, fail, put_json, put_line

if TYPE_CHECKING:
    from baccarat.serve.runtime.backup import BackupGap, CopyExtent
    from baccarat.serve.store.base import Reads
    from baccarat.serve.store.content_sum import ContentKeys

SEAL_KEY = option(
    "--seal-key",
    "FILE",
    "A sealing key of the house, by default seal.key next to the database; with it every table is checked.",
    default=[],
)
DB = option("--db", "FILE", "The house's database.", default="baccarat-house/house.db")


def store_path(db: str) -> Path:
    """The file of a house's database; exits with a message if it is not one."""
    if find_spec("apsw") is None:
        fail("the store of a house needs apsw: pip install 'baccarat[serve]'")
    if db.startswith(("postgresql:", "postgres:")):
        fail("a house on PostgreSQL is copied with its own tools, such as pg_basebackup")
    return Path(db.removeprefix("sqlite:"))


def sealing_keys(given: list[Path], *stores: Path) -> ContentKeys | None:
    """The sealing keys in these files, or else the one next to a store; None if there is none.

    Exits with a message if a file is no key.
    """
    from baccarat.record.sealed_seed import KeyRing  # noqa: PLC0415
    from baccarat.serve.runtime.seal_key import make_content_keys, mark_of, read_sealing_key  # noqa: PLC0415
    from baccarat.serve.store.base import StoreError  # noqa: PLC0415

    paths = given or [key for store in stores if (key := store.with_name("seal.key")).exists()][:1]
    if not paths:
        return None
    with exit_on(StoreError):
        return make_content_keys(KeyRing(*map(read_sealing_key, paths)), [mark_of(each) for each in paths])


def backup(
    output: Path = typer.Argument(..., metavar="OUT", help="The new file; it must not exist yet."),
    db: str = DB,
    seal_key: list[Path] = SEAL_KEY,
    json: bool = JSON,
) -> None:
    """Copy a house into a new file, also while it is served; every hash, head and checkpoint of the copy is checked.

    With the sealing key every table is checked, and without it the journal alone. The copy is a consistent snapshot.
    Its seeds are encrypted, its names are not: guard it like the house itself, and store the keys elsewhere. Status 2
    if the house is damaged or cannot be read, or the file cannot be written.
    Example: baccarat backup --db club/house.db copies/house-2026-11-15.db
    """
    source = store_path(db)
    from baccarat.serve.runtime.backup import back_up  # noqa: PLC0415
    from baccarat.serve.runtime.bounded_share import patient  # noqa: PLC0415
    from baccarat.serve.store.base import StoreError  # noqa: PLC0415

    with exit_on(StoreError), patient():
        found = back_up(source, output, keys=sealing_keys(seal_key, source))
    if json:
        put_json({"file": str(output), **_backup_data(found)})
    else:
        put_line(f"{output}: {_reach_text(found)}; {_checked_text(found)}")


def restore(
    copy: Path = typer.Argument(..., metavar="COPY", help="A file made by baccarat backup."),
    db: str = DB,
    house: str = option("--house", "NAME", "The name of the house, for --checkpoint.", default=""),
    checkpoint: list[Path] = option(
        "--checkpoint", "FILE", "A signed checkpoint stored elsewhere: shows how much is missing.", default=[]
    ),
    seal_key: list[Path] = SEAL_KEY,
    json: bool = JSON,
) -> None:
    """Restore a copy of a house as a new database; an existing one is never overwritten.

    Every hash, head and checkpoint is checked, and with the sealing key every table. It prints how far the copy
    reaches; later acts are missing. With --checkpoint, from a witness or elsewhere, it prints how many those are.
    Status 1 if a checkpoint contradicts the copy, 2 if the copy is damaged or the database already exists; then
    nothing is restored.
    Example: baccarat restore copies/house-2026-11-15.db --db club/house.db
    """
    target = store_path(db)
    from baccarat.record.origin import origin_of  # noqa: PLC0415
    from baccarat.serve.runtime.backup import missing_since  # noqa: PLC0415
    from baccarat.serve.runtime.backup import restore as bring_back  # noqa: PLC0415
    from baccarat.serve.store.base import StoreError  # noqa: PLC0415

    if checkpoint and not house:
        fail("--checkpoint: name the house with --house, as in its settings")
    seen = [read_signed(each)[1] for each in checkpoint]
    missing: list[BackupGap] = []

    def compare(reads: Reads) -> None:
        with exit_on(StoreError, status=REFUSED):
            missing.extend(missing_since(reads, seen, lambda stream: origin_of(house, stream)))

    with exit_on(StoreError):
        found = bring_back(copy, target, compare, keys=sealing_keys(seal_key, target, copy))
    _print_backup(target, found, missing, json=json, compared=bool(seen))


def _print_backup(target: Path, found: CopyExtent, missing: list[BackupGap], *, json: bool, compared: bool) -> None:
    if json:
        more = {each.origin: each.entries for each in missing}
        put_json({"file": str(target), **_backup_data(found), "missing": more if compared else None})
        return
    put_line(f"{target}: {_reach_text(found)}; {_checked_text(found)}")
    complain("Whatever came later is missing: acts, answers that were given, and ids of commands.")
    for each in missing:
        complain(f"{each.origin}: {each.entries:,} signed entries are missing")
    for table, shoe in found.in_play.items():
        complain(f"table {table}: shoe {shoe} was in play; cards may have been seen since: abandon the shoe first")


def _backup_data(found: CopyExtent) -> dict[str, Any]:
    return {
        "entries": found.entries,
        "streams": found.streams,
        "signed": found.signed,
        "until": _time(found.last_at),
        "in_play": found.in_play,
        "authenticated": found.is_authenticated,
    }


def _checked_text(found: CopyExtent) -> str:
    if found.is_authenticated:
        return "every table checked"
    return "the journal checked, but not the other tables, for which the sealing key is needed (--seal-key)"


def _reach_text(found: CopyExtent) -> str:
    until = _time(found.last_at)
    return f"{found.entries:,} entries in {len(found.streams)} streams" + (f", up to {until}" if until else "")


def _time(micros: int) -> str:
    return datetime.fromtimestamp(micros / 1e6, UTC).isoformat(timespec="milliseconds") if micros else ""
