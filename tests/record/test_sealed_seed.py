"""Seeds at rest: sealed for one shoe, under one key, in a file of their owner's; what is wrong is said."""

from __future__ import annotations

import builtins
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from baccarat.record.sealed_seed import (
    DamagedSeed,
    KeyNotAtHand,
    KeyRing,
    OtherShoe,
    SealedSeed,
    SealedSeedError,
    SealingKey,
    ShoeName,
    UnsafeFile,
    seal,
    unseal,
)

pytestmark = pytest.mark.slow

SEED = bytes(range(32))
SHOE = ShoeName(table="T7", shoe="3", rulebook="ab" * 32, decks=8)
RING = KeyRing(SealingKey(b"k" * 32))
posix = pytest.mark.skipif(os.name == "nt", reason="rights of files are POSIX's")


def test_a_sealed_seed_opens_for_its_own_shoe() -> None:
    sealed = seal(RING, SHOE, SEED)
    assert unseal(RING, sealed, SHOE) == SEED
    assert sealed.key == RING.current.id
    assert unseal(RING, msgspec.json.decode(msgspec.json.encode(sealed), type=SealedSeed), SHOE) == SEED


def test_a_sealed_text_holds_nothing_of_the_seed_and_is_never_the_same_twice() -> None:
    sealed = [seal(RING, SHOE, SEED) for _ in range(100)]
    assert len({each.nonce for each in sealed}) == len({each.text for each in sealed}) == 100
    written = msgspec.json.encode(sealed).decode()
    assert SEED.hex() not in written
    assert SEED[:4].hex() not in written
    assert (b"k" * 32).hex() not in written + repr(RING) + repr(RING.current)


OTHERS = {
    "another table": replace(SHOE, table="T8"),
    "another shoe": replace(SHOE, shoe="4"),
    "another rulebook": replace(SHOE, rulebook="cd" * 32),
    "other decks": replace(SHOE, decks=6),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_a_sealed_seed_cannot_be_moved_to_another_shoe(other: ShoeName) -> None:
    sealed = seal(RING, SHOE, SEED)
    with pytest.raises(OtherShoe, match="belongs to shoe 4 of T7"):
        unseal(RING, sealed, other)
    with pytest.raises(DamagedSeed, match="moved here from another shoe"):
        unseal(RING, replace(sealed, of=other), other)


def test_every_changed_bit_of_a_sealed_seed_is_noticed() -> None:
    sealed = seal(RING, SHOE, SEED)
    for field in ("text", "nonce"):
        whole = bytes.fromhex(getattr(sealed, field))
        for bit in range(8 * len(whole)):
            changed = bytearray(whole)
            changed[bit // 8] ^= 1 << bit % 8
            with pytest.raises(DamagedSeed):
                unseal(RING, replace(sealed, **{field: changed.hex()}), SHOE)


@pytest.mark.parametrize("text", ["", "zz", "00", "00" * 47])
def test_a_text_that_is_cut_off_or_no_number_is_damaged(text: str) -> None:
    with pytest.raises(DamagedSeed):
        unseal(RING, replace(seal(RING, SHOE, SEED), text=text), SHOE)
    with pytest.raises(DamagedSeed, match="damaged"):
        unseal(RING, replace(seal(RING, SHOE, SEED), nonce=text), SHOE)


def test_a_key_that_is_not_at_hand_is_named_with_what_it_means() -> None:
    sealed, other = seal(RING, SHOE, SEED), KeyRing(SealingKey(b"o" * 32))
    with pytest.raises(KeyNotAtHand, match=f"sealed under the key {RING.current.id}.*report_lost_seed"):
        unseal(other, sealed, SHOE)
    with pytest.raises(DamagedSeed, match="does not open under its own key"):
        unseal(other, replace(sealed, key=other.current.id), SHOE)


def test_a_newer_form_is_said_to_be_newer() -> None:
    with pytest.raises(SealedSeedError, match="stored in form 2; this program reads form 1"):
        unseal(RING, replace(seal(RING, SHOE, SEED), v=2), SHOE)


def test_a_seed_or_a_key_of_another_length_is_refused_without_being_shown() -> None:
    with pytest.raises(SealedSeedError, match="a seed has 32 bytes, not 31"):
        seal(RING, SHOE, SEED[1:])
    with pytest.raises(SealedSeedError, match="a sealing key has 32 bytes, not 3"):
        SealingKey(b"abc")


# -------------------------------------------------------------------------------------------- key files


def test_a_key_is_written_once_for_its_owner_only_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "key"
    made = SealingKey.create(path)
    assert unseal(KeyRing(SealingKey.read(path)), seal(KeyRing(made), SHOE, SEED), SHOE) == SEED
    before = path.read_bytes()
    with pytest.raises(SealedSeedError, match="never overwritten"):
        SealingKey.create(path)
    assert path.read_bytes() == before
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600


@posix
@pytest.mark.parametrize("rights", [0o644, 0o640, 0o604, 0o620, 0o601])
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, rights: int) -> None:
    path = tmp_path / "key"
    SealingKey.create(path)
    path.chmod(rights)
    with pytest.raises(UnsafeFile, match="chmod 600"):
        SealingKey.read(path)


WRONG_KEYS = {
    "nothing": b"",
    "other words": b"hello there you\n",
    "no number": b"baccarat-seal-key 00 zz\n",
    "too short": b"baccarat-seal-key 00 abcd\n",
    "another id": b"baccarat-seal-key 0123456789abcdef " + b"ab" * 32 + b"\n",
    "binary": bytes(range(256)),
}


@pytest.mark.parametrize("text", WRONG_KEYS.values(), ids=WRONG_KEYS.keys())
def test_a_file_that_is_no_key_is_said_to_be_none_and_never_shown(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(text)
    path.chmod(0o600)
    with pytest.raises(SealedSeedError) as said:
        SealingKey.read(path)
    assert "ab" * 32 not in str(said.value)
    assert str(said.value).isprintable()


def test_a_key_file_that_is_not_there_or_a_folder_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(SealedSeedError, match="is missing"):
        SealingKey.read(tmp_path / "none")
    with pytest.raises(UnsafeFile):
        SealingKey.read(tmp_path)


# ------------------------------------------------------------------------------------- with and without


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".", maxsplit=1)[0] == "cryptography":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SealedSeedError, match=r'pip install "baccarat\[proof\]"'):
        seal(RING, SHOE, SEED)
