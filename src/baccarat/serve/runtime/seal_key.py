"""The key under which a house seals its seeds, which is never in the database, and the folder of the house."""

from __future__ import annotations

from pathlib import Path

from baccarat.record.sealed_seed import KeyRing, SealedSeedError, SealingKey
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import StoreError


def make_folder(folder: Path) -> None:
    """Create the folder of a house, if there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: the folder of the house cannot be made: {error.strerror}") from None


def key_ring(setting: Setting) -> KeyRing:
    """The key that seeds are sealed under, and older ones that still open; a practice house makes its own."""
    path, *older = map(Path, setting.seal_keys or [str(setting.folder / "seal.key")])
    if path.exists() or setting.mode is Mode.PRODUCTION:
        return KeyRing(read_sealing_key(path), *map(read_sealing_key, older))
    try:
        return KeyRing(SealingKey.create(path))
    except SealedSeedError as error:
        raise StoreError(str(error)) from None
    except OSError as error:
        raise StoreError(f"{path}: the key cannot be stored there: {error.strerror}") from None


def check_founding(setting: Setting) -> None:
    """`StoreError` if a house was here before and its database is gone, unless a new one is to be founded (`found`).

    What a house leaves is the lock next to its database and, in a practice house, the key that it made. A key that the
    settings name was made before the house was founded, and shows nothing.
    """
    if setting.found or setting.is_postgres or setting.file.exists():
        return
    left = [setting.file.with_name(f"{setting.file.name}.lock")]
    if setting.mode is Mode.PRACTICE and not setting.seal_keys:
        left.append(setting.folder / "seal.key")
    for each in left:
        if each.exists():
            raise StoreError(
                f"{setting.file}: is missing, but a house was here: it left {each}. Put the database back, or restore "
                "a backup (baccarat restore); to found a new house instead: baccarat serve --found"
            )


def read_sealing_key(path: Path) -> SealingKey:
    """The key in a file that nobody else may read; `StoreError` says what is wrong with it."""
    try:
        return SealingKey.read(path)
    except SealedSeedError as error:
        raise StoreError(str(error)) from None
    except OSError as error:
        raise StoreError(f"{path}: the key cannot be read: {error.strerror}") from None
