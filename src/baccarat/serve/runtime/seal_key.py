"""The key under which a house seals its seeds, which is never in the database, and the folder of the house."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from baccarat.record.sealed_seed import KeyRing, SealedSeedError, SealingKey
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import StoreError
from baccarat.serve.store.content_sum import ContentKeys


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


def content_keys(setting: Setting, ring: KeyRing) -> ContentKeys:
    """The keys under which the content of the store is authenticated, and the stores that were so before."""
    marks = [mark_of(Path(each)) for each in setting.seal_keys] or [mark_of(setting.folder / "seal.key")]
    return make_content_keys(ring, marks, lost=setting.lost_key_ids)


def make_content_keys(ring: KeyRing, marks: Sequence[Path], *, lost: Collection[str] = ()) -> ContentKeys:
    """The same, where the ids of authenticated stores are in these files."""
    found = [line for mark in marks if mark.exists() for line in mark.read_text(encoding="ascii").split()]
    try:
        known = frozenset(map(bytes.fromhex, found))
    except ValueError:
        raise StoreError(f"{marks[0]}: expected ids of stores, 32 hexadecimal digits on each line") from None
    return ContentKeys(ring=ring, lost=lost, known=known, known_in=str(marks[0]))


def remember_store(keys: ContentKeys, store: bytes) -> str:
    """Note next to the sealing key that a store is authenticated under it; returns why that is impossible, or ''.

    From then on the store does not open without its content sums: someone who can write the database, but not this
    folder, cannot make it look like one that never had any.
    """
    if store in keys.known:
        return ""
    try:
        with Path(keys.known_in).open("a", encoding="ascii") as mark:
            mark.write(f"{store.hex()}\n")
    except OSError as error:
        return (
            f"{keys.known_in}: cannot be written ({error.strerror}): that all content sums were removed is not noticed"
        )
    return ""


def is_key_next_to_store(setting: Setting) -> bool:
    """Whether anyone who can write the database can probably read the sealing key as well."""
    path = Path((setting.seal_keys or [str(setting.folder / "seal.key")])[0])
    return not setting.is_postgres and path.resolve().parent == setting.file.resolve().parent


def mark_of(key: Path) -> Path:
    """The file next to a sealing key that names the stores that are authenticated under it."""
    return key.with_name(f"{key.name}.stores")


def check_founding(setting: Setting) -> None:
    """`StoreError` if a house was here before and its database is gone, unless a new one is to be founded (`found`).

    What a house leaves is the lock next to its database, in a practice house the key that it made, and next to any
    key the file that names the stores authenticated under it. A key that the settings name was made before the house
    was founded, and by itself shows nothing. Whether PostgreSQL has a house is known only when it was asked
    (`check_founding_by_mark`).
    """
    if setting.new_house or setting.is_postgres or setting.file.exists():
        return
    left = [setting.file.with_name(f"{setting.file.name}.lock")]
    if setting.mode is Mode.PRACTICE and not setting.seal_keys:
        left.append(setting.folder / "seal.key")
    left += [mark_of(Path(each)) for each in setting.seal_keys]
    for each in left:
        if each.exists():
            raise StoreError(
                f"{setting.file}: is missing, but a house was here: it left {each}. Put the database back, or restore "
                "a backup (baccarat restore); to create a new house instead: baccarat serve --new-house"
            )


def check_founding_by_mark(setting: Setting, keys: ContentKeys) -> None:
    """`StoreError` if a database without a house is another one than that of an earlier house under the same key."""
    if keys.known and not setting.new_house:
        raise StoreError(
            f"{setting.place}: holds no house, but a house was served under this key: {keys.known_in} names its store. "
            "Put its database behind the address again, or restore a backup; to create a new house instead: "
            "baccarat serve --new-house"
        )


def read_sealing_key(path: Path) -> SealingKey:
    """The key in a file that no other user may read; `StoreError` says what is wrong with it."""
    try:
        return SealingKey.read(path)
    except SealedSeedError as error:
        raise StoreError(str(error)) from None
    except OSError as error:
        raise StoreError(f"{path}: the key cannot be read: {error.strerror}") from None
